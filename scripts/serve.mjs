// A small static file server for dist/: `node scripts/serve.mjs`, port 8080 or PORT.
// With --check it only says whether the port is free. Tests use `serve` with a port and a sub-path of their own.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import http from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { dist } from "./tools.mjs";

const types = {
  ".css": "text/css; charset=utf-8",
  ".csv": "text/csv; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
  ".woff2": "font/woff2",
};

/**
 * Serves the folder `root` under the path `prefix` (begins and ends with a slash) on this machine only.
 * Port 0 takes any free one; `headers` are sent with every file; nothing is answered while `isSilent()`. `instead` answers some names itself.
 * Resolves to `{ url, close }`; rejects if the port cannot be had.
 */
export function serve({ root = dist, port = 0, prefix = "/", headers = {}, instead = new Map(), isSilent = () => false } = {}) {
  const server = http.createServer((request, response) => {
    if (isSilent()) return;
    answer({ root, prefix, headers, instead }, request, response).catch(() => {
      if (!response.headersSent) refuse(response, 500, "Something went wrong.");
      else response.destroy();
    });
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      resolve({
        url: `http://127.0.0.1:${server.address().port}${prefix}`,
        close: () => {
          server.closeAllConnections();
          return new Promise((done) => server.close(done));
        },
      });
    });
  });
}

async function answer({ root, prefix, headers, instead }, request, response) {
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("Allow", "GET, HEAD");
    return refuse(response, 405, "Only reading is possible here.");
  }
  let wanted;
  try {
    wanted = decodeURIComponent(request.url.split(/[?#]/, 1)[0]);
  } catch {
    return refuse(response, 400, "This address is not well formed.");
  }
  if (`${wanted}/` === prefix) return redirect(response, prefix);
  if (!wanted.startsWith(prefix) || wanted.includes("\0")) return refuse(response, 404, "There is nothing here.");
  const other = instead.get(wanted.slice(prefix.length) || "index.html");
  if (other) return other(response);
  // Resolved against "/" first, so that no ".." leads out of the folder.
  let file = path.join(root, path.posix.resolve("/", wanted.slice(prefix.length)));
  let info = await stat(file).catch(() => null);
  if (info?.isDirectory()) {
    if (!wanted.endsWith("/")) return redirect(response, `${wanted}/`);
    file = path.join(file, "index.html");
    info = await stat(file).catch(() => null);
  }
  // A quick build has no static pages, and the page leads to them.
  const isStatic = wanted.startsWith(`${prefix}learn/`);
  if (!info?.isFile()) return refuse(response, 404, isStatic ? "The static pages are made by make dist." : "There is nothing here.");
  response.writeHead(200, {
    "Content-Type": types[path.extname(file).toLowerCase()] ?? "application/octet-stream",
    "Content-Length": info.size,
    "Cache-Control": "no-cache",
    "X-Content-Type-Options": "nosniff",
    ...headers,
  });
  if (request.method === "HEAD") return response.end();
  createReadStream(file)
    .on("error", () => response.destroy())
    .pipe(response);
}

function redirect(response, to) {
  response.writeHead(301, { Location: encodeURI(to) }).end();
}

function refuse(response, status, words) {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8" }).end(`${words}\n`);
}

async function main() {
  const port = Number(process.env.PORT || 8080);
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    console.error(`PORT is ${process.env.PORT}; it has to be a number from 0 to 65535.`);
    process.exit(2);
  }
  let server;
  try {
    server = await serve({ port });
  } catch (error) {
    const why = error.code === "EADDRINUSE" ? "is in use by another program" : `cannot be used (${error.code})`;
    console.error(`Port ${port} ${why}: stop that program, or choose another port, for example: make serve PORT=${(port % 65000) + 1}`);
    process.exit(1);
  }
  if (process.argv.includes("--check")) return server.close();
  console.log(`Blockstep is at ${server.url.slice(0, -1)} (Ctrl+C ends it)`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main();
