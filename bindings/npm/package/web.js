// Blockstep in a browser, by itself or packed by Vite, webpack and others, which find the WebAssembly by its address below.
import { startLater } from "./api.js";

const address = new URL("./blockstep.wasm", import.meta.url);
const response = await fetch(address);
if (!response.ok) throw new Error(`${address} cannot be loaded: status ${response.status}`);
// A host that names another type is no reason to stop.
const isNamed = response.headers.get("content-type")?.startsWith("application/wasm");
await startLater(isNamed ? response : WebAssembly.compile(await response.arrayBuffer()));

export * from "./public.js";
