// The second entry in Node.js.
import { readFileSync } from "node:fs";
import { engine } from "./analysis-api.js";

engine.start(new WebAssembly.Module(readFileSync(new URL("./analysis.wasm", import.meta.url))));

export * from "./analysis-public.js";
