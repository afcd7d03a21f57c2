// What others call of the second entry, in the form that JavaScript is used to. analysis-node.js and analysis-web.js start it.
import * as raw from "./analysis-glue.js";
import { Engine, READ, input, known, parsed, rowsOf, shown, text, time, wrong } from "./shared.js";

export { BlockstepError, BlockstepFault } from "./shared.js";

export const engine = new Engine(raw, "Further calls work.");

function number(field, value, usual) {
  if (value === undefined) return usual;
  if (typeof value !== "number") throw wrong(field, value, `is ${shown(value)}; give a number`);
  return value;
}

/** A text or a list of them as a list. */
function texts(field, value) {
  if (value === undefined) return [];
  const all = Array.isArray(value) ? value : [value];
  if (all.some((one) => typeof one !== "string" || one === "")) throw wrong(field, value, "is no text and no list of texts");
  return all;
}

export function analyse(source, options = {}) {
  const { args, valueOf } = input(source, options, [...READ, "maxSteps", "maxTime"]);
  const more = [number("maxSteps", options.maxSteps, raw.usual_steps()), time("maxTime", options.maxTime)];
  const found = JSON.parse(engine.call("analyse", [...args, ...more], valueOf));
  return { ...found, tasks: rowsOf(found.tasks), edf: rowsOf(found.edf), bounds: rowsOf(found.bounds) };
}

/** The values of a field as the command line has them. */
function values(vary, given) {
  if (typeof given === "string") return given;
  const one = (value) => {
    if (!["string", "boolean"].includes(typeof value) && !Number.isFinite(value)) throw wrong("vary", vary, `holds ${shown(value)}; give numbers, texts, true or false`);
    const written = String(value);
    // A field of the file holds whole numbers; JavaScript writes great ones as 1e+21.
    if (typeof value === "number" && written.includes("e")) throw wrong("vary", vary, `holds ${written}; write it as a text, with all its digits`);
    if (/,|\.\.|^~/.test(written)) throw wrong("vary", vary, `holds "${written}", which is no single value: give a range as a text, not in a list`);
    return written;
  };
  return Array.isArray(given) ? given.map(one).join(",") : one(given);
}

/** A part as its number and how many there are. */
function partOf(value = [1, 1]) {
  const [part, parts, ...more] = Array.isArray(value) ? value : [];
  if (more.length > 0 || !Number.isSafeInteger(parts) || !Number.isSafeInteger(part) || part < 1 || part > parts) {
    throw wrong("part", value, "is not one of the parts [1, N] to [N, N]");
  }
  return [part, parts];
}

export class Sweep {
  #csv;

  constructor(secret, { csv, rows, ...rest }) {
    if (secret !== engine) throw new TypeError("sweeps are made by sweep");
    this.#csv = csv;
    Object.assign(this, rest, { rows: rowsOf(rows) });
  }

  csv() {
    return this.#csv;
  }

  svg(measure = "end") {
    return engine.call("sweep_svg", [this.#csv, text("measure", measure)], () => measure);
  }

  scenario(run) {
    return engine.call("sweep_scenario", [this.#csv, number("run", run, Number.NaN)], () => run);
  }
}

export function sweep(source, vary, options = {}) {
  const { args, valueOf } = input(source, options, [...READ, "measure", "part", "maxSteps", "maxTime"]);
  if (typeof vary !== "object" || vary === null || Array.isArray(vary)) throw wrong("vary", vary, "is no object of fields with their values");
  const all = Object.entries(vary).map(([field, given]) => `${field}=${values(vary, given)}`);
  const { measure, part, maxSteps, maxTime } = options;
  const lists = [JSON.stringify(all), JSON.stringify(texts("measure", measure)), ...partOf(part)];
  const more = [number("maxSteps", maxSteps, raw.usual_steps()), time("maxTime", maxTime)];
  const found = engine.call("sweep", [...args, ...lists, ...more], (field) => (field === "vary" ? vary : valueOf(field)));
  return new Sweep(engine, JSON.parse(found));
}

export function checkResident(source, options = {}) {
  const { args, valueOf } = input(source, options, [...READ, "maxTime"]);
  const { notes, report } = parsed(engine.call("check_resident", [...args, time("maxTime", options.maxTime)], valueOf), "the report");
  return { ...report, notes };
}

export function policyCheck(policy, options = {}) {
  known(options, ["name", "tasks", "properties", "maxTime"]);
  if (policy === undefined) throw wrong("policy", policy, "is missing");
  const { name, tasks, properties, maxTime } = options;
  const args = [text("policy", policy), text("name", name, "policy"), number("tasks", tasks, 4), JSON.stringify(texts("properties", properties)), time("maxTime", maxTime)];
  const found = engine.call("policy_check", args, (field) => (field === "policy" ? policy : options[field]));
  const { has_fault, report } = parsed(found, "the report");
  return { has_fault, ...report };
}

/** The bytes of a file. */
function bytes(file) {
  if (typeof file === "string") return new TextEncoder().encode(file);
  if (file instanceof ArrayBuffer) return new Uint8Array(file);
  if (ArrayBuffer.isView(file)) return new Uint8Array(file.buffer, file.byteOffset, file.byteLength);
  throw wrong("file", file, `is ${shown(file)}; give a text, an ArrayBuffer or a view of one`);
}

export function trace(file, options = {}) {
  known(options, ["gpu", "connections", "top", "maxTime"]);
  const { gpu, connections, top, maxTime } = options;
  const args = [bytes(file), text("gpu", gpu), number("connections", connections), number("top", top, 10), time("maxTime", maxTime)];
  const found = parsed(engine.call("trace", args, (field) => options[field]), "the report");
  return { ...found, path: rowsOf(found.path), causes: rowsOf(found.causes), gains: found.why_no_gains === null ? rowsOf(found.gains) : null };
}

/** Breaks, so that tests see what becomes of it. */
export function broken() {
  engine.call("broken", []);
}
