// The types of Blockstep for JavaScript. Times are whole nanoseconds from the scenario's start, in names that end with `_ns`.
import type { Block, BlockOnSm, Copy, Job, Kernel, Queued, SmRoom, Step, TaskResult, Wait, Waiting } from "./rows.js";
import type { DeviceDraft, PolicyKind, Scenario } from "./scenario.js";

export type { Block, BlockOnSm, Copy, Job, Kernel, Queued, SmRoom, Step, TaskResult, Wait, Waiting } from "./rows.js";
export type * from "./scenario.js";

declare global {
  // As in the library of TypeScript for `using`, which not every project asks for.
  interface SymbolConstructor {
    readonly dispose: unique symbol;
  }
}

/** The version of the package. */
export const version: string;

/** A scenario, config or task set: its text, or a scenario as an object. */
export type Source = string | Scenario;

/** Whole nanoseconds, or a text such as `10ms`. */
export type Time = number | string;

/** So many steps; or a text: a time such as `1.2s`, after every step that is not later, or a step such as `#20`. */
export type At = number | string;

/** What is taken instead of what the source says. */
export interface ReadOptions {
  /** The policy; `own` with the source's own text. */
  policy?: PolicyKind;
  /** A policy of your own, in place of `policy`: its text in the policy language, or the name of one that is built in. */
  policyText?: string;
  /** A built-in device, by its id. */
  device?: Extract<DeviceDraft, string>;
  /** How long a block runs, at least 1 ns, of programs whose config has no duration. */
  duration?: Time;
}

export interface SimulateOptions extends ReadOptions {
  /** Rules to be changed on purpose, by the ids of their variants. */
  variants?: readonly string[];
  /** The most steps that the run may have, 1 to 100,000,000; a million take about 100 MB of memory. */
  maxSteps?: number;
}

export interface SvgOptions {
  /** What to draw; the timeline if nothing is said. */
  figure?: "timeline" | "queues";
  /** Where a line marks the timeline, or when the queues are drawn; if nothing is said, at the end. */
  at?: At;
  /** Where the timeline begins. */
  start?: Time;
  /** Where the timeline ends. */
  end?: Time;
  /** Width, 240 to 4000 px; 1200 if nothing is said. */
  width?: number;
  /** Colors: on white, on a dark ground, or grays and patterns for paper. `light` if nothing is said. */
  palette?: "light" | "dark" | "print";
  /** Whether the scenario's name stands above; it does if nothing is said. */
  title?: boolean;
}

/** One thing that is wrong. What does not apply is `null`. */
export interface Problem {
  /** The field, such as `kernels[2].blocks`, or the name of an argument. */
  field: string | null;
  /** The value that it has. */
  value: unknown;
  /** The number that the value passes, in the unit of the field. */
  limit: number | null;
  /** The line of the text, from 1. */
  line: number | null;
  message: string;
}

/** What a source or an argument may not be, and why: the first problem, and all of them. */
export class BlockstepError extends Error implements Omit<Problem, "message"> {
  private constructor();
  readonly name: "BlockstepError";
  readonly field: string | null;
  readonly value: unknown;
  readonly limit: number | null;
  readonly line: number | null;
  readonly problems: readonly Problem[];
}

/** A fault of Blockstep itself. Runs of before are gone; further calls work. */
export class BlockstepFault extends Error {
  private constructor();
  readonly name: "BlockstepFault";
}

/** Queues, SMs and waits at an instant. */
export interface State {
  /** Steps applied. */
  readonly step: number;
  /** The instant, ns. */
  readonly at_ns: number;
  /** What the last of these steps does. */
  readonly sentence: string;
  /** What stands in stream queues, EE queues and CE queues, head first. */
  readonly queues: readonly Queued[];
  /** What is free on each SM, as each address space sees it. */
  readonly sms: readonly SmRoom[];
  /** The blocks that are on the SMs. */
  readonly blocks: readonly BlockOnSm[];
  /** What waits and why: in issue order, then the kernels that execute and have blocks that wait. */
  readonly waiting: readonly Waiting[];
}

/** What an operation does at an instant, and why. */
export interface Why {
  /** The operation: `K5`, or `K5#2` where there are several jobs. */
  readonly op: string;
  readonly doing: "waits" | "executes" | "complete" | "not issued";
  /** The same in words, without the operation's name; of one that waits, why. */
  readonly text: string;
  /** The reason in a few words. */
  readonly reason: string | null;
  /** The rule that makes it wait, if one does. */
  readonly rule: string | null;
  /** What it waits for, as far as that is known operations. */
  readonly blockers: readonly string[];
  /** The step that assigns it next. */
  readonly until_step: number | null;
  /** When that is, ns. */
  readonly until_ns: number | null;
  /** All of it as a sentence. */
  readonly sentence: string;
}

/** A finished run. Its tables are made when they are first asked for, and kept. */
export class Run {
  private constructor();
  /** The scenario's name. */
  readonly name: string;
  /** By which policy it was scheduled. */
  readonly policy: PolicyKind;
  /** The device's name. */
  readonly device: string;
  /** How many steps it has. */
  readonly length: number;
  /** When it ends, ns. */
  readonly end_ns: number;
  /** What was assumed of its source, what is doubtful, and how far the rules are known: a sentence each. */
  readonly notes: readonly string[];
  /** A row for each block that was assigned, in order of assignment. */
  readonly blocks: readonly Block[];
  /** A row for each copy that was assigned, in order of assignment. */
  readonly copies: readonly Copy[];
  /** A row for each kernel that was issued, in issue order. */
  readonly kernels: readonly Kernel[];
  /** A row for each job that was released, by release. */
  readonly jobs: readonly Job[];
  /** A row for each wait of an operation, with its reason and rule. */
  readonly waits: readonly Wait[];
  /** A row for each task: what came of its jobs. */
  readonly results: readonly TaskResult[];
  /** A row for each step. */
  readonly steps: readonly Step[];
  /** Queues, SMs and waits at an instant. */
  state(at: At): State;
  /** What the last step does that was applied then, as the page says it. */
  sentence(at: At): string;
  /** What an operation such as `K5` does then, and why. Of several jobs, `K5` is the first that is not complete, and `K5#2` job 2. */
  why(operation: string, at: At): Why;
  /** A picture of the timeline or of the queues: an SVG document. */
  svg(options?: SvgOptions): string;
  /** What the command line prints of it, in the form of this name. */
  text(form: "trace" | "steps" | "csv" | "kernels" | "jobs" | "waits" | "results" | "chrome" | "scenario"): string;
  /** A link that opens the run in the page at this address (http, https or a relative path), at an instant or at the beginning. */
  link(page?: string, at?: At): string;
  /** The scenario that was run. */
  toScenario(): Scenario;
  /** Gives back its memory now rather than when nobody refers to it any more. It cannot be asked after that. */
  free(): void;
  /** The same, for `using`. */
  [Symbol.dispose](): void;
}

/** Runs a scenario. Throws a `BlockstepError` if it is not one, or if the run is cut, as by `maxSteps`. */
export function simulate(source: Source, options?: SimulateOptions): Run;

/** What was read. */
export interface ReadFile {
  /** What it was: a scenario of ours, a config of cuda_scheduling_examiner, or a task set of SimSo. */
  readonly source: "scenario" | "examiner" | "simso";
  /** The scenario that it is or was made into. */
  readonly scenario: Scenario;
  /** What was assumed, what is doubtful, and how far the rules are known: a sentence each. */
  readonly notes: readonly string[];
}

/** Reads any file that `simulate` takes, without running it. Throws a `BlockstepError`. */
export function read(source: Source, options?: ReadOptions): ReadFile;

/** What is wrong with a source: nothing, if `simulate` takes it. */
export function check(source: string | object, options?: ReadOptions): { readonly problems: readonly Problem[]; readonly notes: readonly string[] };
