// Blockstep in a browser, by itself or packed by Vite, webpack and others, which find the WebAssembly by its address below.
import { startFrom } from "./api.js";

await startFrom(new URL("./blockstep.wasm", import.meta.url));

export * from "./public.js";
