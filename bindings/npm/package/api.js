// What others call of the first entry, in the form that JavaScript is used to. node.js and web.js start it.
import * as raw from "./glue.js";
import { BlockstepError, BlockstepFault, Engine, READ, input, known, parsed, rowsOf, shown, text, time, wrong } from "./shared.js";

export { BlockstepError, BlockstepFault } from "./shared.js";

const engine = new Engine(raw, "Runs of before are gone; further calls work.");

export let version;

/** Starts a module that was compiled. */
export function start(module) {
  engine.start(module);
  version = engine.version;
}

/** Loads it from an address, and starts it. */
export async function startFrom(address) {
  await engine.startFrom(address);
  version = engine.version;
}

/** Where in a run: steps, or a text. */
function place(value) {
  if (typeof value === "string") return text("at", value);
  if (!Number.isSafeInteger(value) || value < 0) throw wrong("at", value, `is ${shown(value)}; write steps as a whole number, or a time such as "1.2s"`);
  return `#${value}`;
}

const scenarioOf = (json) => parsed(json, "the scenario", ": take it as a text");

const freed = new FinalizationRegistry(({ id, of }) => of === engine.generation && raw.drop_run(id));

export class Run {
  #id;
  #of = engine.generation;
  #tables = {};

  constructor(secret, { id, name, policy, device, length, end_ns, notes }) {
    if (secret !== freed) throw new TypeError("runs are made by simulate");
    this.#id = id;
    Object.assign(this, { name, policy, device, length, end_ns, notes });
    freed.register(this, { id, of: this.#of }, this);
  }

  #ask(name, args, values = {}) {
    if (this.#of !== engine.generation) throw new BlockstepFault("this run is gone, as a fault of Blockstep ended what had made it: simulate it again");
    return engine.call(name, [this.#id, ...args], (field) => values[field]);
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
    return scenarioOf(this.text("scenario"));
  }

  free() {
    freed.unregister(this);
    if (this.#of === engine.generation) raw.drop_run(this.#id);
  }
}
if (Symbol.dispose) Run.prototype[Symbol.dispose] = Run.prototype.free;

export function simulate(source, options = {}) {
  const given = input(source, options, [...READ, "variants", "maxSteps"]);
  const { variants = [], maxSteps = raw.usual_steps() } = options;
  if (!Array.isArray(variants) || variants.some((id) => typeof id !== "string")) throw wrong("variants", variants, "is no list of texts");
  if (typeof maxSteps !== "number") throw wrong("maxSteps", maxSteps, `is ${shown(maxSteps)}; give a number`);
  return new Run(freed, JSON.parse(engine.call("simulate", [...given.args, variants.join("\n"), maxSteps], given.valueOf)));
}

export function read(source, options = {}) {
  const { args, valueOf } = input(source, options, READ);
  const { text, ...rest } = JSON.parse(engine.call("read", args, valueOf));
  return { ...rest, scenario: scenarioOf(text) };
}

export function check(source, options = {}) {
  try {
    const { args, valueOf } = input(source, options, READ);
    return { problems: [], notes: JSON.parse(engine.call("read", args, valueOf)).notes };
  } catch (error) {
    // What is wrong with an option is no problem of the source.
    const isOption = (field) => field === "options" || (field !== null && Object.hasOwn(options, field));
    if (!(error instanceof BlockstepError) || isOption(error.field)) throw error;
    return { problems: error.problems, notes: [] };
  }
}

/** Breaks, so that tests see what becomes of it. */
export function broken() {
  engine.call("broken", []);
}
