// The types of `blockstep/analysis`, the second entry. Times are whole nanoseconds, in names that end with `_ns`.
import type { Bound, Cause, EdfVerdict, Gain, PathPiece, RealTimeTask } from "./analysis-rows.js";
import type { ReadOptions, Scenario, Source, Time } from "./index.js";

export type { Bound, Cause, EdfVerdict, Gain, PathPiece, RealTimeTask } from "./analysis-rows.js";
export { BlockstepError, BlockstepFault } from "./index.js";

/** How long a call may take. */
export interface TimeOptions {
  /**
   * The most time on the clock. It is looked at between portions of work, so a call may take somewhat longer; the tests of schedulability,
   * and the changes that are tried on a trace, are a portion each. Without it there is no such limit.
   */
  maxTime?: Time;
}

/** How long the runs of a call may be. */
export interface StepOptions {
  /** The most steps of each run, 1 to 100,000,000; 5,000,000 if nothing is said. */
  maxSteps?: number;
}

export interface AnalyseOptions extends ReadOptions, StepOptions, TimeOptions {}

/** What the schedulability tests say of a scenario. */
export interface Analysis {
  /** Of the scenario under its own policy. */
  readonly verdict: "schedulable" | "not guaranteed" | "no verdict" | "nothing due";
  /** The same as a sentence, with the test or with why there is none. */
  readonly sentence: string;
  /** Jobs that miss their deadline in the scenario's own run. */
  readonly missed: number;
  /** Jobs of that run that have a deadline and are judged. */
  readonly judged: number;
  /** The load of the real-time tasks, each job alone on the device; 1 is all there is. Rounded down to a millionth. */
  readonly utilization: number;
  /** What the EDF tests do not cover, a sentence each. */
  readonly not_covered: readonly string[];
  /** What was assumed of its source, what is doubtful, and how far the rules are known: a sentence each. */
  readonly notes: readonly string[];
  /** The real-time tasks as the tests see them. */
  readonly tasks: readonly RealTimeTask[];
  /** What every EDF test says. */
  readonly edf: readonly EdfVerdict[];
  /** Bounds on response times: under `runlist`, then under the policy in one address space. */
  readonly bounds: readonly Bound[];
}

/** Puts a scenario to the schedulability tests. Throws a `BlockstepError` if it is not one, and at the limit of `maxTime`. */
export function analyse(source: Source, options?: AnalyseOptions): Analysis;

/** What can be measured of a run. */
export type Measure =
  | "end"
  | "steps"
  | "real-time-misses"
  | "best-effort-late"
  | "misses"
  | "utilization"
  | "first-difference"
  | `response:${string}`;

/** A value of a field. */
export type Value = number | string | boolean;

export interface SweepOptions extends ReadOptions, StepOptions, TimeOptions {
  /** What to measure of each run; end, real-time-misses and utilization if nothing is said. */
  measure?: Measure | readonly Measure[];
  /** Part i of n alone, i from 1 to n. */
  part?: readonly [i: number, n: number];
}

/** A run of a sweep: its number, the value of each field, and each measure, by their names. What is missing is `null`. */
export interface SweepRow {
  /** Number of the run, from 0. */
  readonly run: number;
  /** Why it could not be made. */
  readonly problem: string | null;
  readonly [column: string]: number | string | null;
}

/** What was measured of the runs of a sweep. */
export class Sweep {
  private constructor();
  /** Runs of the whole sweep. */
  readonly count: number;
  /** Why runs are missing: the limit of `maxTime`, and how many were made. */
  readonly stopped: string | null;
  /** What was assumed of its source, what is doubtful, and how far the rules are known: a sentence each. */
  readonly notes: readonly string[];
  /** A row a run. */
  readonly rows: readonly SweepRow[];
  /** The rows as the table that the command line prints, which `blockstep sweep-merge` reads. */
  csv(): string;
  /** A measure against the fields, as an SVG document; `end` if nothing is said. */
  svg(measure?: Measure): string;
  /** The scenario of a run, counted from 0, as a text. */
  scenario(run: number): string;
}

/**
 * Runs a scenario with each value of some of its fields, or with each combination of them. `vary` has the values of each field: a list, or a
 * text such as `1..=64`; at most 1,000,000 combinations. Throws a `BlockstepError` if any of these is wrong. A run that cannot be made is a
 * row with its `problem`.
 */
export function sweep(source: Source, vary: Readonly<Record<string, Value | readonly Value[]>>, options?: SweepOptions): Sweep;

/** One thing of an order of arrival. */
export interface Arrival {
  readonly what: "launch" | "end" | "copy_end";
  readonly row: string;
  /** Blocks that end. */
  readonly blocks?: number;
  readonly text: string;
}

/** An order that hangs. */
export interface Hang {
  /** Rows that are not there. */
  readonly without: readonly string[];
  readonly arrivals: readonly Arrival[];
  /** Who waits for whom in the end. */
  readonly circle: string | null;
  /** A scenario that hangs when it is run; `null` where no times lead there. */
  readonly scenario: object | null;
}

/** A change with which no order hangs. */
export interface Repair {
  readonly what: "blocks" | "first" | "cooperative" | "one_stream";
  readonly rows: readonly string[];
  /** The most blocks. */
  readonly blocks?: number;
  readonly text: string;
  /** The changed scenario; `null` where the program has to ensure an order. */
  readonly scenario: object | null;
}

/** How many blocks of a kernel are resident at most. */
export interface Resident {
  readonly row: string;
  readonly blocks: number;
  /** Blocks that the idle device holds, and the same as CUDA counts. */
  readonly device_holds: number;
  readonly cuda_counts: number;
  readonly limited_by: "threads" | "shared_memory" | "registers" | "block_slots";
  /** After all blocks of another kernel. */
  readonly beside: readonly { readonly row: string; readonly blocks: number; readonly resident: number }[];
}

/** What a search of all orders of arrival found, as the command line prints it as JSON. */
export interface ResidentReport {
  /** Of this form. */
  readonly version: number;
  readonly name: string;
  /** `open` if the search reached its bound first. */
  readonly verdict: "hangs" | "clean" | "open";
  /** Orders of launches that the table allows, at most; `null` if they are too many to be counted. */
  readonly orders: number | null;
  readonly states: number;
  readonly hang?: Hang;
  /** The smallest table that hangs, if one is smaller. */
  readonly smallest?: Hang;
  readonly repairs: readonly Repair[];
  readonly residents: readonly Resident[];
  /** What the verdict takes for granted. */
  readonly assumed: string;
  /** What was assumed of the source, and what is doubtful: a sentence each. */
  readonly notes: readonly string[];
}

/**
 * Searches all orders in which kernels may arrive for one that hangs; for scenarios whose blocks spin (`barrier`, `until_begun`,
 * `until_all_begun`, `until_completed`). Throws a `BlockstepError` if nothing spins, if processes take turns, and at the limit of `maxTime`.
 */
export function checkResident(source: Source, options?: ReadOptions & TimeOptions): ResidentReport;

/** What a search looks for. */
export type Property =
  | "fails"
  | "idle"
  | "lost"
  | "starved"
  | "hogged"
  | "outranked"
  | "mixed"
  | `at-most=${number}`
  | `at-most-realtime=${number}`
  | "missed"
  | "no-work";

export interface PolicyOptions extends TimeOptions {
  /** What the report calls a text; `policy` if nothing is said. */
  name?: string;
  /** How many tasks the search has at most, 1 to 8; 4 if nothing is said. */
  tasks?: number;
  /** What to look for; what the text expects if nothing is said. */
  properties?: Property | readonly Property[];
}

/** How much was searched with so many tasks. */
export interface SearchLevel {
  readonly tasks: number;
  /** Assignments of priorities, up to the names of tasks where these do not matter. */
  readonly assignments: number;
  /** Those of which every state was visited. */
  readonly closed: number;
  /** States of all of them. */
  readonly states: number;
  /** Requests to the state that is furthest from the start. */
  readonly deepest: number;
}

/** What was run of task sets. */
export interface SearchTimes {
  readonly tasks: number;
  /** Sets that were run, of so many that the test promises. */
  readonly sets: number;
  readonly of: number;
  /** Whether all of them were, each to the end of its run. */
  readonly is_over: boolean;
}

/** Requests that break a property. */
export interface RequestsFault {
  readonly requests: string;
  /** How many from the start, and how many come again and again after them. */
  readonly length: number;
  readonly cycle: number;
  /** The line that decided last; `null` if the decision failed. */
  readonly line: number | null;
  readonly title: string;
  readonly story: string;
}

/** A task set of which a job misses its deadline. */
export interface TaskSetFault {
  /** The tasks in words. */
  readonly tasks: string;
  /** Jobs that are released until it shows, and when that is. */
  readonly jobs: number;
  readonly at_ns: number;
  /** The line that holds the job back until then; `null` if none does. */
  readonly line: number | null;
  readonly title: string;
  readonly story: string;
  /** Whose run shows it. */
  readonly scenario: Scenario;
}

/** What is known of a property. */
export interface PropertyResult {
  readonly property: Property;
  readonly is_warning: boolean;
  /** `none-found` if it was looked for in task sets alone, and `open` if the search ended before. */
  readonly verdict: "fault" | "clean" | "none-found" | "open";
  readonly fault?: RequestsFault | TaskSetFault;
}

/** What a search of a policy found, as the command line prints it as JSON. */
export interface PolicyReport {
  /** Whether something of it is broken; a warning is no fault. */
  readonly has_fault: boolean;
  /** Of this form. */
  readonly version: number;
  /** What the policy is called. */
  readonly policy: string;
  readonly tasks: number;
  /** Whether every state was visited, so that what is not broken holds; false if only task sets were run. */
  readonly is_closed: boolean;
  /** Why the search ended early, if it did. */
  readonly stopped: string | null;
  readonly levels: readonly SearchLevel[];
  readonly times?: SearchTimes;
  readonly properties: readonly PropertyResult[];
  /** What was assumed. */
  readonly assumed: string;
}

/**
 * Searches all orders of requests for one that breaks a policy; where deadlines are looked for, task sets too. `policy` is the name of a
 * published one, or a text in the policy language. Throws a `BlockstepError` with the `line` of a mistake. At the limit of `maxTime` the
 * report has what is known, and `stopped` says that the search was interrupted.
 */
export function policyCheck(policy: string, options?: PolicyOptions): PolicyReport;

export interface TraceOptions extends TimeOptions {
  /** A built-in device, by its id, for a trace that does not name one. */
  gpu?: NonNullable<ReadOptions["device"]>;
  /** How many connections the program had to the GPU, 1 to 32, if you know it. */
  connections?: number;
  /** How many rows the lists of `report` have at most, 0 to 200; 10 if nothing is said. */
  top?: number;
}

/** A trace of a profiler, explained. */
export interface Trace {
  /** Where the time went, a sentence for each device. */
  readonly answer: readonly string[];
  /** How many operations were recorded. */
  readonly operations: number;
  /** What the end of each device's work waited for, a row a piece. */
  readonly path: readonly PathPiece[];
  /** Why operations waited, a row for each part of each wait. */
  readonly causes: readonly Cause[];
  /** What changes of the program would gain, the one that gains most first; `null` if the trace does not show that. */
  readonly gains: readonly Gain[] | null;
  /** Why there are no gains. */
  readonly why_no_gains: string | null;
  /** What the command line prints of it as JSON, which docs/trace-schema.json describes. */
  readonly report: { readonly [name: string]: unknown };
}

/**
 * Explains a trace of the PyTorch profiler (Kineto) or of JAX, or the JSON of rocprofv3: its text or its bytes, plain or by gzip. Exports of
 * Nsight Systems and what rocprofv3 writes by itself are databases, which the command line and the Python package read. Throws a
 * `BlockstepError` if it is no such trace, and at the limit of `maxTime`.
 */
export function trace(file: string | ArrayBuffer | ArrayBufferView, options?: TraceOptions): Trace;
