// What others call: the functions of the WebAssembly, in the form that JavaScript is used to. node.js and web.js start it.
import * as raw from "./glue.js";

/** Goes up when a fault ended the WebAssembly and a fresh one was begun: runs of before are gone. */
let generation = 0;

export let version;

function begin() {
  raw.begin();
  version = raw.version();
}

/** Starts a module that was compiled. */
export function start(module) {
  raw.initSync({ module });
  begin();
}

/** The same where the main thread may not wait for it; `module` may be the answer of a host, too. */
export async function startLater(module) {
  await raw.default({ module_or_path: module });
  begin();
}

export class BlockstepError extends Error {
  name = "BlockstepError";

  constructor(message, problems) {
    super(message);
    this.problems = problems;
    Object.assign(this, { field: null, value: null, limit: null, line: null }, problems[0], { message });
  }
}

export class BlockstepFault extends Error {
  name = "BlockstepFault";
}

/** An error of one argument. */
function wrong(field, value, message, limit = null) {
  return new BlockstepError(`${field}: ${message}`, [{ field, value, limit, line: null, message }]);
}

/** Calls the WebAssembly; `valueOf` says what the value of a field is. */
function call(name, args, valueOf = () => null) {
  let answer;
  try {
    answer = raw[name](...args);
  } catch (cause) {
    throw faulty(cause);
  }
  if (answer[0] === "+") return answer.slice(1);
  const { message, problems } = JSON.parse(answer.slice(1));
  // A number that JavaScript does not hold exactly comes as a text.
  for (const problem of problems) problem.value ??= problem.field === null ? null : (valueOf(problem.field) ?? null);
  throw new BlockstepError(message, problems);
}

/** Only a fault of ours ends a call so. What it left is not to be trusted: the next call has a fresh WebAssembly. */
function faulty(cause) {
  let said = "";
  try {
    said = raw.fault();
  } catch {
    // It is as broken as that.
  }
  generation += 1;
  raw.__wbg_reset_state();
  begin();
  const words = said || `${cause?.message ?? cause} (too much memory, perhaps)`;
  return new BlockstepFault(`a fault of Blockstep, not of what it was given: ${words}. Runs of before are gone; further calls work.`, { cause });
}

/** A value as it stands in messages: some have no text. */
function shown(value) {
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "an object" : typeof value === "function" ? "a function" : String(value);
}

/** What of a value JSON does not hold, as an error, or nothing. `above` is what the value is in. */
function mistake(value, field, above) {
  const at = field === "" ? "source" : field;
  if (value === null || value === undefined || typeof value === "string" || typeof value === "boolean") return undefined;
  if (typeof value === "number") return Number.isFinite(value) ? undefined : wrong(at, value, `is ${value}; give a number`);
  if (typeof value !== "object") return wrong(at, value, `is ${shown(value)}, a ${typeof value}, which a file does not hold`);
  if (above.includes(value)) return wrong(at, value, "holds itself");
  if (above.length >= 128) return wrong(at, value, "is nested deeper than 128 levels");
  // What says itself what it is in JSON, such as a date.
  if (typeof value.toJSON === "function") return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const path = Array.isArray(value) ? `${field}[${name}]` : field === "" ? name : `${field}.${name}`;
    const found = mistake(inner, path, [...above, value]);
    if (found) return found;
  }
  return undefined;
}

/** An object as the text of a file. */
function written(source) {
  const found = mistake(source, "", []);
  if (found) throw found;
  try {
    return JSON.stringify(source) ?? "";
  } catch (cause) {
    throw wrong("source", source, `cannot be written as JSON: ${cause?.message ?? shown(cause)}`);
  }
}

/** Options that are known, or an error. */
function known(options, names) {
  if (typeof options !== "object" || options === null) throw wrong("options", options, "is no object");
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw wrong(name, options[name], `there is no such option; there are ${names.join(", ")}`);
  }
}

function text(field, value, usual = "") {
  if (value === undefined) return usual;
  if (typeof value !== "string") throw wrong(field, value, `is ${shown(value)}; give a text`);
  if (value === "") throw wrong(field, value, "is empty");
  return value;
}

function time(field, value) {
  if (value === undefined || typeof value === "string") return text(field, value);
  if (!Number.isSafeInteger(value) || value < 0) throw wrong(field, value, `is ${shown(value)}; write whole nanoseconds, or a text such as "10ms"`);
  return String(value);
}

/** Where in a run: steps, or a text. */
function place(value) {
  if (typeof value === "string") return text("at", value);
  if (!Number.isSafeInteger(value) || value < 0) throw wrong("at", value, `is ${shown(value)}; write steps as a whole number, or a time such as "1.2s"`);
  return `#${value}`;
}

const READ = ["policy", "policyText", "device", "duration"];

/** A source as text, what it and the options are, and the values of fields for errors. */
function input(source, options, names) {
  known(options, names);
  if (typeof source !== "string" && (typeof source !== "object" || source === null)) {
    throw new TypeError(`a scenario is a text or an object, not ${source === null ? "null" : typeof source}`);
  }
  const { policy, policyText, device, duration } = options;
  if (policy !== undefined && policyText !== undefined) throw wrong("policyText", policyText, "there is a policy already: leave one of the two out");
  const isText = typeof source === "string";
  // Lines are those of whoever wrote a text.
  const args = [isText ? source : written(source), isText, text("policy", policy), text("policyText", policyText), text("device", device), time("duration", duration)];
  const valueOf = (field) => (Object.hasOwn(options, field) ? options[field] : valueAt(source, field));
  return { args, valueOf };
}

/** The value of a field such as `kernels[2].blocks`. */
function valueAt(source, field) {
  try {
    const root = typeof source === "string" ? JSON.parse(source) : source;
    return field.split(/[.[]/).reduce((value, part) => value?.[part.replace(/\]$/, "")], root);
  } catch {
    // It is no JSON.
    return null;
  }
}

/** Lists for each column as an object for each row. */
function rowsOf(columns) {
  const names = Object.keys(columns);
  return Array.from(columns[names[0]] ?? [], (_, i) => {
    const row = {};
    for (const name of names) row[name] = columns[name][i];
    return row;
  });
}

/** A scenario as an object, if JavaScript can hold all its numbers. */
function parsed(json) {
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|\d{16,}/g)) {
    if (token[0] !== '"' && !Number.isSafeInteger(Number(token))) {
      throw new BlockstepError(`the scenario holds ${token}; a number of JavaScript is exact up to ${Number.MAX_SAFE_INTEGER}: take it as a text`, [
        { field: null, value: token, limit: Number.MAX_SAFE_INTEGER, line: null, message: `holds ${token}` },
      ]);
    }
  }
  return JSON.parse(json);
}

const freed = new FinalizationRegistry(({ id, of }) => of === generation && raw.drop_run(id));

export class Run {
  #id;
  #of = generation;
  #tables = {};

  constructor(secret, { id, name, policy, device, length, end_ns, notes }) {
    if (secret !== freed) throw new TypeError("runs are made by simulate");
    this.#id = id;
    Object.assign(this, { name, policy, device, length, end_ns, notes });
    freed.register(this, { id, of: this.#of }, this);
  }

  #ask(name, args, values = {}) {
    if (this.#of !== generation) throw new BlockstepFault("this run is gone, as a fault of Blockstep ended what had made it: simulate it again");
    return call(name, [this.#id, ...args], (field) => values[field]);
  }

  #rows(table) {
    return (this.#tables[table] ??= rowsOf(JSON.parse(this.#ask("rows", [table]))));
  }

  get blocks() {
    return this.#rows("blocks");
  }

  get copies() {
    return this.#rows("copies");
  }

  get kernels() {
    return this.#rows("kernels");
  }

  get jobs() {
    return this.#rows("jobs");
  }

  get waits() {
    return this.#rows("waits");
  }

  get results() {
    return this.#rows("results");
  }

  get steps() {
    return this.#rows("steps");
  }

  state(at) {
    const { queues, sms, blocks, waiting, ...rest } = JSON.parse(this.#ask("state", [place(at)], { at }));
    return { ...rest, queues: rowsOf(queues), sms: rowsOf(sms), blocks: rowsOf(blocks), waiting: rowsOf(waiting) };
  }

  sentence(at) {
    return this.#ask("sentence", [place(at)], { at });
  }

  why(operation, at) {
    return JSON.parse(this.#ask("why", [text("operation", operation), place(at)], { operation, at }));
  }

  svg(options = {}) {
    known(options, ["figure", "at", "start", "end", "width", "palette", "title"]);
    const { figure, at, start, end, width = 1200, palette, title = true } = options;
    if (typeof width !== "number") throw wrong("width", width, `is ${shown(width)}; give a number of pixels`);
    const when = at === undefined ? "" : place(at);
    const args = [text("figure", figure, "timeline"), when, time("start", start), time("end", end), width, text("palette", palette, "light"), Boolean(title)];
    return this.#ask("svg", args, options);
  }

  text(form) {
    return this.#ask("text", [text("form", form)], { form });
  }

  link(page = "", at = undefined) {
    if (typeof page !== "string") throw wrong("page", page, `is ${shown(page)}; give a text`);
    return this.#ask("link", [page, at === undefined ? "" : place(at)], { page, at });
  }

  toScenario() {
    return parsed(this.text("scenario"));
  }

  free() {
    freed.unregister(this);
    if (this.#of === generation) raw.drop_run(this.#id);
  }
}
if (Symbol.dispose) Run.prototype[Symbol.dispose] = Run.prototype.free;

export function simulate(source, options = {}) {
  const given = input(source, options, [...READ, "variants", "maxSteps"]);
  const { variants = [], maxSteps = raw.usual_steps() } = options;
  if (!Array.isArray(variants) || variants.some((id) => typeof id !== "string")) throw wrong("variants", variants, "is no list of texts");
  if (typeof maxSteps !== "number") throw wrong("maxSteps", maxSteps, `is ${shown(maxSteps)}; give a number`);
  return new Run(freed, JSON.parse(call("simulate", [...given.args, variants.join("\n"), maxSteps], given.valueOf)));
}

export function read(source, options = {}) {
  const { args, valueOf } = input(source, options, READ);
  const { text, ...rest } = JSON.parse(call("read", args, valueOf));
  return { ...rest, scenario: parsed(text) };
}

export function check(source, options = {}) {
  try {
    const { args, valueOf } = input(source, options, READ);
    return { problems: [], notes: JSON.parse(call("read", args, valueOf)).notes };
  } catch (error) {
    // What is wrong with an option is no problem of the source.
    const isOption = (field) => field === "options" || (field !== null && Object.hasOwn(options, field));
    if (!(error instanceof BlockstepError) || isOption(error.field)) throw error;
    return { problems: error.problems, notes: [] };
  }
}

/** Breaks, so that tests see what becomes of it. */
export function broken() {
  call("broken", []);
}
