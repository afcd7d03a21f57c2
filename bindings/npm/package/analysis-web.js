// The second entry in a browser, as web.js is the first.
import { engine } from "./analysis-api.js";

await engine.startFrom(new URL("./analysis.wasm", import.meta.url));

export * from "./analysis-public.js";
