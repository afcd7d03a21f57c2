// Shortens the scripts of a page being built. Trunk calls it (Trunk.toml) with the folder in
// TRUNK_STAGING_DIR; it shortens style and HTML itself, but cannot read wasm-bindgen's script.
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { npmTool } from "./tools.mjs";

const { minify } = npmTool("terser");
const folder = process.env.TRUNK_STAGING_DIR;

for (const name of readdirSync(folder).filter((name) => name.endsWith(".js"))) {
  const file = path.join(folder, name);
  const short = await minify(readFileSync(file, "utf8"), { module: name !== "boot.js", compress: { passes: 2 } });
  writeFileSync(file, short.code);
}
