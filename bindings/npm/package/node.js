// Blockstep in Node.js.
import { readFileSync } from "node:fs";
import { start } from "./api.js";

start(new WebAssembly.Module(readFileSync(new URL("./blockstep.wasm", import.meta.url))));

export * from "./public.js";
