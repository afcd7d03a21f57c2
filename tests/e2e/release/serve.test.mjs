// The program that has the page in it: `blockstep serve FILE`. It is built before the tests of the site begin, and takes the page from
// dist/, so these tests come after that is built.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { project } from "../../../scripts/tools.mjs";
import { becomes, settled, start } from "../page.mjs";

const program = path.join(path.resolve(project, process.env.CARGO_TARGET_DIR ?? "target"), "debug/blockstep");
const folder = mkdtempSync(path.join(tmpdir(), "blockstep-serve-"));
const running = new Set();
let site;
before(async () => {
  assert.ok(existsSync(program), "build the program first: cargo build --features blockstep/serve");
  site = await start();
});
after(async () => {
  for (const child of running) child.kill();
  await site?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Serves files at a port that is free; gives the address that it says. */
async function serve(...files) {
  const child = spawn(program, ["serve", "--port", "0", ...files], { stdio: ["ignore", "pipe", "inherit"] });
  running.add(child);
  for await (const line of createInterface({ input: child.stdout })) {
    const address = line.match(/http:\S+/);
    assert.ok(address, line);
    return address[0];
  }
  assert.fail("it says no address");
}

/** The status of an answer, and its text. */
function ask(address, path, { method = "GET", host } = {}) {
  const { hostname, port } = new URL(address);
  const headers = host ? { host } : {};
  return new Promise((done, failed) => {
    const request = http.request({ hostname, port, path, method, headers }, async (response) => {
      const parts = [];
      for await (const part of response) parts.push(part);
      done({ status: response.statusCode, text: Buffer.concat(parts).toString() });
    });
    request.on("error", failed).end();
  });
}

test("the page opens the file that the program was given", async () => {
  const file = path.join(folder, "my table.json");
  writeFileSync(file, execFileSync(program, ["examples", "tx2-table-1"], { encoding: "utf8" }).replace(/"name": "[^"]*"/, '"name": "From the disk"'));
  const address = await serve(file);
  const { page, problems, close } = await site.open({ url: new URL("./", address).href });
  await page.goto("about:blank");
  await page.goto(address);
  await becomes(() => page.locator("#scenario-name").inputValue(), "From the disk");
  await settled(page);
  assert.deepEqual(problems, []);
  await close();
});

test("only who knows the address is answered, and only with the page and the files that were named", async () => {
  const file = path.join(folder, "one.json");
  writeFileSync(file, "{}");
  writeFileSync(path.join(folder, "two.json"), "{}");
  const address = await serve(file);
  const home = new URL(address).pathname;
  assert.match(home, /^\/[0-9a-f]{32}\/$/);
  assert.notEqual(new URL(await serve(file)).pathname, home, "each time another one");
  assert.deepEqual(await ask(address, `${home}opened/one.json`), { status: 200, text: "{}" });
  assert.equal((await ask(address, home)).status, 200);
  assert.equal((await ask(address, home.slice(0, -1))).status, 308);
  assert.match((await ask(address, `${home}sw.js`)).text, /registration\.unregister/, "the program ends, and leaves no service worker");
  for (const path of ["opened/two.json", "opened/../Cargo.toml", "../Cargo.toml", "..%2fCargo.toml", "%2e%2e/Cargo.toml", "opened/", "none"]) {
    assert.equal((await ask(address, home + path)).status, 404, path);
  }
  for (const path of ["/", "/index.html", "/opened/one.json", "//opened/one.json", `/${"0".repeat(32)}/`, `/x${home}`, home.slice(0, -2)]) {
    const { status, text } = await ask(address, path);
    assert.equal(status, 404, path);
    assert.equal(text, "There is nothing here. Open the whole address that `blockstep serve` has printed.\n");
  }
  assert.equal((await ask(address, home, { method: "POST" })).status, 405);
  for (const path of [home, `${home}opened/one.json`]) assert.equal((await ask(address, path, { host: "elsewhere.example" })).status, 403, path);
});

test("64 connections are answered at once, and the next one when one of them ends", async () => {
  const { host, hostname, port, pathname } = new URL(await serve());
  const sockets = [];
  for (let i = 0; i < 65; i += 1) {
    const socket = net.connect(Number(port), hostname);
    sockets.push(socket);
    await once(socket, "connect");
  }
  const request = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
  const answer = (socket) => once(socket, "data").then(([bytes]) => bytes.toString().slice(0, 15));
  let answered = false;
  const next = answer(sockets[64]).finally(() => (answered = true));
  await new Promise((done) => sockets[64].write(request, done));
  // Those that have a place are answered meanwhile.
  for (const socket of sockets.slice(0, 64)) {
    const mine = answer(socket);
    socket.write(request);
    assert.equal(await mine, "HTTP/1.1 200 OK");
  }
  assert.ok(!answered, "65 at once");
  sockets[0].destroy();
  assert.equal(await next, "HTTP/1.1 200 OK");
  for (const socket of sockets) socket.destroy();
});
