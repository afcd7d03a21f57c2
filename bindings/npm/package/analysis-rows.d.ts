// Made from the columns (tests/it/types.rs): not to be edited.

/** A real-time task as the tests see it. */
export interface RealTimeTask {
  /** Name of the task. */
  readonly task: string;
  /** The longest run of a job alone on the device, ns. */
  readonly cost_ns: number;
  /** Least time between releases, ns; missing if the task is released once. */
  readonly period_ns: number | null;
  /** Time from release to deadline, ns. */
  readonly deadline_ns: number;
  /** The longest stretch of a job that is not preempted where preemption is limited, ns. */
  readonly section_ns: number;
}

/** What an EDF test says. */
export interface EdfVerdict {
  /** The name of EDF with this preemption. */
  readonly mode: string;
  /** The cost of a switch, ns. */
  readonly switch_ns: number;
  /** Where that cost is from: `scenario`, or a word of [LP] Table II. */
  readonly switch_of: string;
  /** Whether every deadline is met for certain; missing if the test does not say. */
  readonly schedulable: boolean | null;
  /** Whether the test covers all that the scenario does. */
  readonly is_covered: boolean;
  /** The first instant by which more may be due than fits, ns; missing if none was found. */
  readonly fails_at_ns: number | null;
  /** The work that may be due by then, ns; missing if there is no such instant. */
  readonly demand_ns: number | null;
  /** How long a job that began earlier may hold up that demand, ns; missing if there is no such instant. */
  readonly blocking_ns: number | null;
}

/** A bound on the response time of a task. */
export interface Bound {
  /** The policy that the bound is for. */
  readonly policy: string;
  /** Name of the task. */
  readonly task: string;
  /** No response time is longer, ns; missing if there is no bound. */
  readonly bound_ns: number | null;
  /** Time from release to deadline, ns; missing if the task has none. */
  readonly deadline_ns: number | null;
  /** Whether the bound is within the deadline; missing if there is no bound or no deadline. */
  readonly is_within: boolean | null;
  /** Why there is no bound; missing if there is one. */
  readonly why_none: string | null;
}

/** A piece of what the end of a device's work waited for. */
export interface PathPiece {
  /** Number of the GPU. */
  readonly device: number;
  /** When the piece begins, ns. */
  readonly from_ns: number;
  /** When the piece ends, ns. */
  readonly to_ns: number;
  /** The kind of time that the piece counts to, by its word. */
  readonly share: string;
  /** A description in words. */
  readonly what: string;
  /** Why it waited, by the word of its cause; missing if it did not. */
  readonly cause: string | null;
  /** How certain that is. */
  readonly certainty: string;
  /** Number of the operation, from 0; missing if it is none. */
  readonly operation: number | null;
}

/** A part of a wait, and its cause. */
export interface Cause {
  /** Number of the operation, from 0. */
  readonly operation: number;
  /** Name of the operation. */
  readonly name: string;
  /** Number of the GPU. */
  readonly device: number;
  /** Number of the stream. */
  readonly stream: number;
  /** When the program called for it, ns; missing if that was not recorded. */
  readonly called_ns: number | null;
  /** When it began, ns. */
  readonly start_ns: number;
  /** When it ended, ns. */
  readonly end_ns: number;
  /** Why it waited, by the word of its cause. */
  readonly cause: string;
  /** How certain that is. */
  readonly certainty: string;
  /** How long this part of the wait is, ns. */
  readonly part_ns: number;
  /** Number of the operation that made it wait; missing if none did. */
  readonly by: number | null;
  /** Its name; missing if none did. */
  readonly by_name: string | null;
  /** The resource of an SM that lacked; missing if none did. */
  readonly lack: string | null;
  /** How much of that it needs; missing if nothing lacked. */
  readonly needed: number | null;
  /** How much of that was free; missing if nothing lacked. */
  readonly free: number | null;
  /** The number that joins it with its call; missing if the trace has none. */
  readonly correlation: number | null;
}

/** A change of the program that was tried. */
export interface Gain {
  /** The change, by its word; of several made together their words, joined by +. */
  readonly change: string;
  /** A description in words. */
  readonly what: string;
  /** Under which condition it is possible; missing if there is none. */
  readonly only_if: string | null;
  /** How long the traced work would take then, ns. */
  readonly wall_ns: number;
  /** How much shorter it would be, ns. */
  readonly gain_ns: number;
  /** Whether it gains enough to be proposed. */
  readonly is_proposed: boolean;
}
