// `make dev`: builds the page quickly and serves it, and does both again whenever a source changes (`watch` in Trunk.toml).
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "./build.mjs";
import { serve } from "./serve.mjs";
import { dist, npmTool, project } from "./tools.mjs";

/**
 * Serves `folder` as `make` fills it, and calls that again whenever something below the paths `watched` changes. The site is served as it
 * was made, but that its page loads anew after each build, and that no service worker keeps it. Without a first build it rejects.
 */
export async function develop({ folder = dist, make, watched, port = 0 }) {
  const read = (name) => readFileSync(path.join(folder, name), "utf8");
  // The service worker's script names all files with their hashes.
  const version = () => existsSync(path.join(folder, "sw.js")) && read("sw.js");
  const send = (type, text) => (response) => response.writeHead(200, { "Content-Type": `text/${type}; charset=utf-8`, "Cache-Control": "no-store" }).end(text());
  const pages = new Set();
  const follow = (response) => {
    response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" }).write("\n");
    pages.add(response);
    response.once("close", () => pages.delete(response));
  };
  const instead = new Map([
    ["index.html", send("html", () => read("index.html").replace("</head>", '<script defer src="./reload.js"></script></head>'))],
    ["reload.js", send("javascript", () => 'new EventSource("./builds").onmessage = () => location.reload();')],
    ["sw.js", send("javascript", () => 'addEventListener("install", () => skipWaiting());\naddEventListener("activate", () => registration.unregister());')],
    ["builds", follow],
  ]);

  let isChanged = true;
  let isBuilding = false;
  async function rebuild() {
    if (isBuilding) return;
    isBuilding = true;
    while (isChanged) {
      isChanged = false;
      const before = version();
      const begun = Date.now();
      try {
        await make(folder);
        console.log(`Built in ${((Date.now() - begun) / 1000).toFixed(1)} s.`);
      } catch (error) {
        // The page stays as it is until the source is right again.
        console.error(error.message);
      }
      if (version() !== before) for (const page of pages) page.write("data: built\n\n");
    }
    isBuilding = false;
  }

  const watcher = npmTool("chokidar").watch(watched, { ignoreInitial: true });
  // Editors write several files at once.
  let soon;
  watcher.on("all", () => {
    isChanged = true;
    clearTimeout(soon);
    soon = setTimeout(rebuild, 50);
  });
  await Promise.all([rebuild(), new Promise((resolve) => watcher.once("ready", resolve))]);
  const server = version() && (await serve({ root: folder, port, instead }));
  if (!server) {
    await watcher.close();
    throw new Error("There is no page to serve yet.");
  }
  return { url: server.url, close: () => Promise.all([watcher.close(), server.close()]) };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const names = JSON.parse(readFileSync(path.join(project, "Trunk.toml"), "utf8").match(/^watch = (\[.*\])$/m)[1]);
  const watched = names.map((name) => path.join(project, name));
  try {
    const { url } = await develop({ make: build, watched, port: Number(process.env.PORT || 8080) });
    console.log(`Blockstep is at ${url.slice(0, -1)}, and is built again when a source changes (Ctrl+C ends it)`);
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}
