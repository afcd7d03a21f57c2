// Made from the columns (tests/it/types.rs): not to be edited.

/** A block that was assigned. */
export interface Block {
  /** Name of the row of the kernel table. */
  readonly kernel: string;
  /** Number of the job of its task, from 0. */
  readonly job: number;
  /** Number of the block in its kernel, from 0. */
  readonly block: number;
  /** Number of the SM, from 0. */
  readonly sm: number;
  /** When it began, ns. */
  readonly start_ns: number;
  /** When it ended or is to end, ns; missing if it had not when the run ended, spins or is suspended. */
  readonly end_ns: number | null;
  /** How long it executed, ns; time for which it was suspended is left out. */
  readonly executed_ns: number;
}

/** A copy that was assigned. */
export interface Copy {
  /** Name of the operation, with its job where there are several. */
  readonly op: string;
  /** Name of the row of the kernel table. */
  readonly kernel: string;
  /** Of an operation `kernel`, `copy_in` or `copy_out`; of a queue `stream`, `EE` or `CE`. */
  readonly kind: string;
  /** Number of the job of its task, from 0. */
  readonly job: number;
  /** Number of the copy engine, from 0. */
  readonly engine: number;
  /** Size of the copy, bytes. */
  readonly bytes: number;
  /** When it began, ns. */
  readonly start_ns: number;
  /** When it ended or is to end, ns; missing if it had not when the run ended, spins or is suspended. */
  readonly end_ns: number | null;
  /** How long it executed, ns; time for which it was suspended is left out. */
  readonly executed_ns: number;
}

/** A kernel that was issued. */
export interface Kernel {
  /** Name of the row of the kernel table. */
  readonly kernel: string;
  /** Name of the task. */
  readonly task: string;
  /** Name of the process. */
  readonly process: string;
  /** Name of the stream. */
  readonly stream: string;
  /** Number of the job of its task, from 0. */
  readonly job: number;
  /** When it was issued, ns. */
  readonly issued_ns: number;
  /** When it joined an EE queue, ns; missing if it had not when the run ended. */
  readonly queued_ns: number | null;
  /** When it began, ns; missing if it had not when the run ended. */
  readonly start_ns: number | null;
  /** When it ended or is to end, ns; missing if it had not when the run ended, spins or is suspended. */
  readonly end_ns: number | null;
  /** Response time, ns; missing if it had not completed when the run ended. */
  readonly response_ns: number | null;
  /** Blocks: of a kernel all that it has, of an SM those that are on it. */
  readonly blocks: number;
  /** Threads of a block. */
  readonly threads_per_block: number;
  /** Shared memory that a block needs, bytes. */
  readonly shared_memory_bytes_per_block: number;
  /** Registers that a block needs. */
  readonly registers_per_block: number;
}

/** A job that was released. */
export interface Job {
  /** Name of the task. */
  readonly task: string;
  /** Name of the process. */
  readonly process: string;
  /** Class of the task: `real_time` or `best_effort`. */
  readonly class: string;
  /** Number of the job of its task, from 0. */
  readonly job: number;
  /** When the job was released, ns. */
  readonly release_ns: number;
  /** Absolute deadline, ns; missing if the task has none. */
  readonly deadline_ns: number | null;
  /** When it ended or is to end, ns; missing if it had not when the run ended, spins or is suspended. */
  readonly end_ns: number | null;
  /** Response time, ns; missing if it had not completed when the run ended. */
  readonly response_ns: number | null;
  /** Whether the deadline was met; missing if the run does not show it, or if there is none. */
  readonly met: boolean | null;
}

/** A wait of an operation. */
export interface Wait {
  /** Name of the operation, with its job where there are several. */
  readonly op: string;
  /** Name of the row of the kernel table. */
  readonly kernel: string;
  /** Of an operation `kernel`, `copy_in` or `copy_out`; of a queue `stream`, `EE` or `CE`. */
  readonly kind: string;
  /** Number of the job of its task, from 0. */
  readonly job: number;
  /** Name of the task. */
  readonly task: string;
  /** Name of the process. */
  readonly process: string;
  /** Why it waits, in a few words. */
  readonly reason: string;
  /** Id of the rule; missing if no rule makes it wait. */
  readonly rule: string | null;
  /** `operation` where nothing of it executes, `rest` where blocks of it execute and further ones wait. */
  readonly waiting: string;
  /** When it began, ns. */
  readonly start_ns: number;
  /** When it ended or is to end, ns. */
  readonly end_ns: number;
  /** How long it waited, ns. */
  readonly duration_ns: number;
}

/** What came of a task's jobs. */
export interface TaskResult {
  /** Name of the task. */
  readonly task: string;
  /** Name of the process. */
  readonly process: string;
  /** Jobs that were released. */
  readonly count: number;
  /** Jobs that completed. */
  readonly completed: number;
  /** Jobs that missed their deadline. */
  readonly missed: number;
  /** Times at which a job of it had to make room while it had begun and was not complete. */
  readonly preemptions: number;
  /** Least response time of a job, ns; missing if none completed. */
  readonly least_ns: number | null;
  /** Mean response time of the jobs, ns, rounded down; missing if none completed. */
  readonly mean_ns: number | null;
  /** Greatest response time of a job, ns; missing if none completed. */
  readonly greatest_ns: number | null;
}

/** A step of the run. */
export interface Step {
  /** Number of the step, from 1. */
  readonly step: number;
  /** The instant, ns. */
  readonly at_ns: number;
  /** Id of the rule. */
  readonly rule: string;
  /** Name of the row of the kernel table. */
  readonly kernel: string | null;
  /** What the step does, as the command line words it. */
  readonly what: string;
}

/** An operation in a queue at an instant. */
export interface Queued {
  /** Of an operation `kernel`, `copy_in` or `copy_out`; of a queue `stream`, `EE` or `CE`. */
  readonly kind: string;
  /** Name of the stream, priority of the EE queue (`high` or `low`), or number of the copy engine. */
  readonly queue: string;
  /** Name of the process. */
  readonly process: string;
  /** Place in the queue; 0 is its head. */
  readonly place: number;
  /** Name of the operation, with its job where there are several. */
  readonly op: string;
}

/** What is free on an SM at an instant. */
export interface SmRoom {
  /** Name of the process. */
  readonly process: string;
  /** Number of the SM, from 0. */
  readonly sm: number;
  /** Blocks: of a kernel all that it has, of an SM those that are on it. */
  readonly blocks: number;
  /** Free threads. */
  readonly free_threads: number;
  /** Free slots for blocks. */
  readonly free_slots: number;
  /** Free shared memory, bytes. */
  readonly free_shared_memory_bytes: number;
  /** Free registers. */
  readonly free_registers: number;
}

/** A block on an SM at an instant. */
export interface BlockOnSm {
  /** Name of the process. */
  readonly process: string;
  /** Number of the SM, from 0. */
  readonly sm: number;
  /** Name of the operation, with its job where there are several. */
  readonly op: string;
  /** Number of the block in its kernel, from 0. */
  readonly block: number;
  /** When it ended or is to end, ns; missing if it had not when the run ended, spins or is suspended. */
  readonly end_ns: number | null;
  /** What is left of a suspended block, ns; missing if it executes. */
  readonly left_ns: number | null;
  /** Whether it spins: it executes, and what it waits for decides when it ends. */
  readonly spins: boolean;
}

/** An operation that waits at an instant. */
export interface Waiting {
  /** Name of the operation, with its job where there are several. */
  readonly op: string;
  /** Why it waits, in a few words. */
  readonly reason: string;
  /** Id of the rule; missing if no rule makes it wait. */
  readonly rule: string | null;
  /** Why it waits, as a sentence without the operation's name. */
  readonly text: string;
  /** Whether blocks of it execute, and the rest waits. */
  readonly executes: boolean;
  /** Number of the step that assigns it next; missing if none does. */
  readonly until_step: number | null;
  /** When it is assigned next, ns; missing if it is not. */
  readonly until_ns: number | null;
}
