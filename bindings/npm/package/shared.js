// What both entries of the package need: errors, what arguments may be, and the WebAssembly that is asked.

/** A WebAssembly by the script beside it. */
export class Engine {
  #raw;
  #after;
  /** Goes up when a fault ended the WebAssembly and a fresh one was begun: runs of before are gone. */
  generation = 0;
  version;

  /** `after` says what is left after a fault. */
  constructor(raw, after) {
    this.#raw = raw;
    this.#after = after;
  }

  #begin() {
    this.#raw.begin();
    this.version = this.#raw.version();
  }

  /** Starts a module that was compiled. */
  start(module) {
    this.#raw.initSync({ module });
    this.#begin();
  }

  /** The same where the main thread may not wait for it: it is loaded from an address. */
  async startFrom(address) {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address} cannot be loaded: status ${response.status}`);
    // A host that names another type is no reason to stop.
    const isNamed = response.headers.get("content-type")?.startsWith("application/wasm");
    await this.#raw.default({ module_or_path: isNamed ? response : WebAssembly.compile(await response.arrayBuffer()) });
    this.#begin();
  }

  /** Calls a function; `valueOf` says what the value of a field is. */
  call(name, args, valueOf = () => null) {
    let answer;
    try {
      answer = this.#raw[name](...args);
    } catch (cause) {
      throw this.#faulty(cause);
    }
    if (answer[0] === "+") return answer.slice(1);
    const { message, problems } = JSON.parse(answer.slice(1));
    // A number that JavaScript does not hold exactly comes as a text.
    for (const problem of problems) problem.value ??= problem.field === null ? null : (valueOf(problem.field) ?? null);
    throw new BlockstepError(message, problems);
  }

  /** Only a fault of ours ends a call so. What it left is not to be trusted: the next call has a fresh WebAssembly. */
  #faulty(cause) {
    let said = "";
    try {
      said = this.#raw.fault();
    } catch {
      // It is as broken as that.
    }
    this.generation += 1;
    this.#raw.__wbg_reset_state();
    this.#begin();
    const words = said || `${cause?.message ?? cause} (too much memory, perhaps)`;
    return new BlockstepFault(`a fault of Blockstep, not of what it was given: ${words}. ${this.#after}`, { cause });
  }
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
export function wrong(field, value, message, limit = null) {
  return new BlockstepError(`${field}: ${message}`, [{ field, value, limit, line: null, message }]);
}

/** A value as it stands in messages: some have no text. */
export function shown(value) {
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
export function known(options, names) {
  if (typeof options !== "object" || options === null) throw wrong("options", options, "is no object");
  for (const name of Object.keys(options)) {
    if (!names.includes(name)) throw wrong(name, options[name], `there is no such option; there are ${names.join(", ")}`);
  }
}

export function text(field, value, usual = "") {
  if (value === undefined) return usual;
  if (typeof value !== "string") throw wrong(field, value, `is ${shown(value)}; give a text`);
  if (value === "") throw wrong(field, value, "is empty");
  return value;
}

export function time(field, value) {
  if (value === undefined || typeof value === "string") return text(field, value);
  if (!Number.isSafeInteger(value) || value < 0) throw wrong(field, value, `is ${shown(value)}; write whole nanoseconds, or a text such as "10ms"`);
  return String(value);
}

export const READ = ["policy", "policyText", "device", "duration"];

/** A source as text, what it and the options are, and the values of fields for errors. */
export function input(source, options, names) {
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
export function rowsOf(columns) {
  const names = Object.keys(columns);
  return Array.from(columns[names[0]] ?? [], (_, i) => {
    const row = {};
    for (const name of names) row[name] = columns[name][i];
    return row;
  });
}

/** JSON as an object, if JavaScript can hold all its numbers. `what` it is, and what to do else, if anything. */
export function parsed(json, what, otherwise = "") {
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|\d{16,}/g)) {
    if (token[0] !== '"' && !Number.isSafeInteger(Number(token))) {
      throw new BlockstepError(`${what} holds ${token}; a number of JavaScript is exact up to ${Number.MAX_SAFE_INTEGER}${otherwise}`, [
        { field: null, value: token, limit: Number.MAX_SAFE_INTEGER, line: null, message: `holds ${token}` },
      ]);
    }
  }
  return JSON.parse(json);
}
