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
  for (const problem of problems) problem.value = problem.field === null ? null : (valueOf(problem.field) ?? null);
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

/** Options that are known, or an error. */
function known(options, names) {
  if (typeof options !== "object" || options === null) throw wrong("options", options, "is no object");
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw wrong(name, options[name], `there is no such option; there are ${names.join(", ")}`);
  }
}

function text(field, value, usual = "") {
  if (value === undefined) return usual;
  if (typeof value !== "string") throw wrong(field, value, `is ${value}; it is a text`);
  if (value === "") throw wrong(field, value, "is empty");
  return value;
}

function time(field, value) {
  if (typeof value !== "number") return text(field, value);
  if (!Number.isSafeInteger(value) || value < 0) throw wrong(field, value, `is ${value}; write whole nanoseconds, or a text such as "10ms"`);
  return String(value);
}

/** Where in a run: steps, or a text. */
function place(value) {
  if (typeof value !== "number") return text("at", value);
  if (!Number.isSafeInteger(value) || value < 0) throw wrong("at", value, `is ${value}; write steps as a whole number, or a time such as "1.2s"`);
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
  const args = [isText ? source : JSON.stringify(source), isText, text("policy", policy), text("policyText", policyText), text("device", device), time("duration", duration)];
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
    if (typeof width !== "number") throw wrong("width", width, `is ${width}; it is a number of pixels`);
    const when = at === undefined ? "" : place(at);
    const args = [text("figure", figure, "timeline"), when, time("start", start), time("end", end), width, text("palette", palette, "light"), Boolean(title)];
    return this.#ask("svg", args, options);
  }

  text(form) {
    return this.#ask("text", [text("form", form)], { form });
  }

  link(page = "", at = undefined) {
    return `${page}#${this.#ask("link", [at === undefined ? "" : place(at)], { at })}`;
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
  if (!Array.isArray(variants)) throw wrong("variants", variants, "is no list of texts");
  if (typeof maxSteps !== "number") throw wrong("maxSteps", maxSteps, `is ${maxSteps}; it is a number`);
  return new Run(freed, JSON.parse(call("simulate", [...given.args, variants.join("\n"), maxSteps], given.valueOf)));
}

export function read(source, options = {}) {
  const { args, valueOf } = input(source, options, READ);
  const { text, ...rest } = JSON.parse(call("read", args, valueOf));
  return { ...rest, scenario: parsed(text) };
}

export function check(source, options = {}) {
  const { args, valueOf } = input(source, options, READ);
  try {
    return { problems: [], notes: JSON.parse(call("read", args, valueOf)).notes };
  } catch (error) {
    // What is wrong with an option is no problem of the source.
    if (!(error instanceof BlockstepError) || (error.field !== null && Object.hasOwn(options, error.field))) throw error;
    return { problems: error.problems, notes: [] };
  }
}

/** Breaks, so that tests see what becomes of it. */
export function broken() {
  call("broken", []);
}
