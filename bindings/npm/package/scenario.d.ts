// Made from the JSON Schema of scenario files (tests/it/types.rs): not to be edited.

/** A scenario of Blockstep: which kernels CPU tasks launch on which streams of a GPU, and when. Times are whole nanoseconds (`_ns`), sizes bytes (`_bytes`). What the fields mean for a run is in `docs/semantics.md`. */
export interface Scenario {
  /** Where this schema is, for editors; ignored by Blockstep. */
  "$schema"?: string;
  /** Batches of commands with times of their own (`edf`). Version 2. */
  batches?: readonly BatchDraft[];
  /** Whether blocks that end at one instant give back their room together or one by one. Version 2. */
  block_ends?: BlockEnds;
  /** Hardware connections of an address space, which its streams share; 1 to 32. Left out: one for each stream. Version 2. */
  connections?: number;
  /** The GPU: the id of a built-in device, or limits of one's own. Left out: the TX2. */
  device?: DeviceDraft;
  /** End of the run, ns. Left out: when all is done, or where the periods say (docs/semantics.md, section 9). */
  horizon_ns?: number;
  /** The kernel table; may be empty. */
  kernels: readonly KernelDraft[];
  /** Shown as the title. */
  name?: string;
  /** Which SM takes a block. */
  placement?: Placement;
  /** Policy and its settings. */
  policy?: PolicyDraft;
  /** Address spaces. None: one, `P0`. */
  processes?: readonly ProcessDraft[];
  /** What execution times that vary are drawn with. */
  seed?: number;
  /** Streams whose priority matters. */
  streams?: readonly StreamDraft[];
  /** CPU tasks. None: one, `T0`. */
  tasks?: readonly TaskDraft[];
  /** 1, or 2 or 3 where a field of that version is used; a file of another version is refused as a whole. */
  version: 1 | 2 | 3;
}

/** One batch of commands of a draft: what each job of a task issues between `cudaStreamDeadlineBegin` and `cudaStreamDeadlineEnd`. */
export interface BatchDraft {
  /** Budget of its server, ns; at least 1. Required with servers (`edf`). */
  budget_ns?: number;
  /** Deadline from the issue of its first command on, ns; at least 1 (`edf`). */
  deadline_ns: number;
  /** Unique. */
  name: string;
  /** Period of its server, ns; at least 1 (`edf`). Left out: the deadline. */
  period_ns?: number;
  /** Task by name. Left out: the first. */
  task?: string;
}

/** What happens when several blocks end at one instant (docs/semantics.md, section 4). `together`: All give back their room, and kernels move on, before anything is assigned. `one_by_one`: What fits is assigned after each of them. As measured on an H200 (docs/measured.md). */
export type BlockEnds = "together" | "one_by_one";

/** Execution times of the blocks of a kernel, in ns. */
export type BlockTimes = number | readonly number[];

/** What the CPU calls with a row of the kernel table (docs/semantics.md, section 2). `kernel`: It launches a kernel, and copies around it if the row has some. `copy_to_device`: It copies to the device: `cudaMemcpyAsync`. `copy_to_host`: It copies to the host. `copy_on_device`: It copies within the device. `memset`: It sets memory of the device: `cudaMemsetAsync`. `synchronize_stream`: It waits for a stream: `cudaStreamSynchronize`. `synchronize_event`: It waits for events: `cudaEventSynchronize`. `synchronize_device`: It waits for the whole device: `cudaDeviceSynchronize`. `allocate`: It allocates memory, and waits for the device: `cudaMalloc`, `cudaMallocHost`. `free`: It frees memory, and waits for the device: `cudaFree`. `launch_graph`: It launches a graph, the rows below it that name it: `cudaGraphLaunch`. */
export type Call = "kernel" | "copy_to_device" | "copy_to_host" | "copy_on_device" | "memset" | "synchronize_stream" | "synchronize_event" | "synchronize_device" | "allocate" | "free" | "launch_graph";

/** Which processes are on a runlist with the one of the job chosen (docs/semantics.md, section 8). `one`: None. `resident`: Those of all producers that it waits for ([EDF] IV-A). */
export type Chain = "one" | "resident";

/** Class of a task under `edf`. `real_time`: Scheduled by deadline. `best_effort`: Scheduled when no real-time job is pending. */
export type Class = "real_time" | "best_effort";

/** What `NULL` means for the threads of a process (docs/semantics.md, section 3). `legacy`: The NULL stream of the process. `per_thread`: A blocking stream of the task's own. */
export type DefaultStream = "legacy" | "per_thread";

/** The limits of one GPU. In a file, those left out are the TX2's. */
export interface Device {
  /** Blocks resident on one SM at once (R1). */
  blocks_per_sm?: number;
  /** Bytes a copy engine moves in a second. */
  copy_bandwidth_bytes_per_s?: number;
  /** Copy engines; at most two are used. */
  copy_engines?: number;
  /** Most registers of one block. */
  max_registers_per_block?: number;
  /** Most registers of one thread. */
  max_registers_per_thread?: number;
  /** Most shared memory of one block, in bytes. */
  max_shared_memory_per_block?: number;
  /** Largest block, in threads. */
  max_threads_per_block?: number;
  /** Shown to the user. */
  name?: string;
  /** Registers of one SM (R1). */
  registers_per_sm?: number;
  /** Bytes of shared memory of one SM (R3). */
  shared_memory_per_sm?: number;
  /** Streaming multiprocessors. */
  sms?: number;
  /** Threads resident on one SM at once (R2). */
  threads_per_sm?: number;
}

/** The device of a draft: the id of a built-in one, or an object with limits. */
export type DeviceDraft = "tx2" | "tx1" | "drivepx" | "k5000" | "gtx1070" | "titanv" | "tk1" | "k40" | "k80" | "gtx750ti" | "gtx980" | "p100" | "xavier" | "t4" | "a100" | "rtx3090" | "orin" | "rtx4090" | "h100" | "h200" | "b200" | Device;

/** Interleaving level of a process in the runlist. `high`: Before every other entry. `medium`: The default. `low`: Once per round of the medium list. */
export type Interleave = "high" | "medium" | "low";

/** One row of the kernel table of a draft. */
export interface KernelDraft {
  /** Earlier row of the same task that this one waits for. */
  after?: string;
  /** Whether its blocks meet at a grid barrier when they begin: each spins until all have begun. Of a kernel. Version 3. */
  barrier?: boolean;
  /** Batch of its task that it belongs to (`edf`). Left out: what the task issues itself. Version 2. */
  batch?: string;
  /** How long the longest block runs in the worst job, ns. Left out: the same in every job. */
  block_time_max_ns?: number;
  /** How long a block runs, ns; at least 1. A list has one time for each block. Of a kernel. */
  block_time_ns?: BlockTimes;
  /** Thread blocks; at least 1. Of a kernel. */
  blocks?: number;
  /** Bytes that a copy or a memset moves; at least 1. Version 2. */
  bytes?: number;
  /** What the CPU calls: it launches a kernel, copies, sets memory, or waits. Version 2. */
  call?: Call;
  /** How long this call takes, ns. Left out: as its task says. Version 2. */
  call_ns?: number;
  /** Whether it is launched by cudaLaunchCooperativeKernel: refused unless the idle device holds all its blocks, which are assigned together. Of a kernel. Version 3. */
  cooperative?: boolean;
  /** Bytes copied to the device before the kernel; 0 for no copy. */
  copy_in_bytes?: number;
  /** Bytes copied back after it; 0 for no copy. */
  copy_out_bytes?: number;
  /** Row above that launches the graph of which this one is a node; `waits_for` then names nodes. Version 2. */
  graph?: string;
  /** Unique. */
  name: string;
  /** Event of its process that is recorded behind it in its stream. Version 2. */
  records?: string;
  /** Registers of one thread; at most what the device allows. */
  registers_per_thread?: number;
  /** Shared memory of one block, in bytes; at most what a block may have and an SM holds. */
  shared_memory_bytes?: number;
  /** From the release (or the completion of `after`) to the launch, ns. */
  start_ns?: number;
  /** Stream by name. Left out: `S1`. */
  stream?: string;
  /** Whether it is cudaMemcpy or cudaMemset: in the NULL stream, and the CPU waits for a copy to or from it. Version 2. */
  synchronous?: boolean;
  /** Task by name. Left out: the first. */
  task?: string;
  /** Threads of one block; at least 1, at most what a block may have and an SM holds. Of a kernel. */
  threads_per_block?: number;
  /** Other kernels of which all blocks have to begin before a block of this one goes on. Version 3. */
  until_all_begun?: readonly string[];
  /** Other kernels of which a block has to begin before a block of this one goes on; until then it spins. At most 64 names in all. Version 3. */
  until_begun?: readonly string[];
  /** Other kernels that have to be complete before a block of this one goes on. Version 3. */
  until_completed?: readonly string[];
  /** Events of its process that its stream waits for before it, each once; at most 64. Of a node of a graph: nodes above. Version 2. */
  waits_for?: readonly string[];
}

/** Which SM takes a block among those where it fits (docs/semantics.md, section 3). `most_free`: Most free threads; ties to the lowest SM. Agrees with [TX2] Fig. 8. `first_fit`: The lowest SM. `round_robin`: The first after the SM assigned last. `most_room`: Room for the most blocks of the kernel; ties to the lowest SM. As measured on an H200 (docs/measured.md). Version 2. */
export type Placement = "most_free" | "first_fit" | "round_robin" | "most_room";

/** Policy and its settings; settings that a policy does not use are kept. */
export interface PolicyDraft {
  /** Constant bandwidth servers (`edf`). Left out: true. */
  cbs?: boolean;
  /** Who is on a runlist with a consumer: its producers one at a time, or all of them (`edf`). Version 2. */
  chain?: Chain;
  /** Which policy. */
  kind?: PolicyKind;
  /** Preemption of the whole device (`edf`). */
  preemption?: Preemption;
  /** How long the RunList Manager takes to submit a runlist, ns, before the switch (`edf`). Version 2. */
  runlist_ns?: number;
  /** How long a message from a guest to the RunList Manager takes, ns (`edf`). Version 2. */
  signal_ns?: number;
  /** Which switches cost that (`runlist`; under `edf` and `own` every one does). */
  switch_charge?: SwitchCharge;
  /** The longest switch, ns; at least `switch_cost_ns`, which is the average then. Left out: all take the same time. Version 2. */
  switch_cost_max_ns?: number;
  /** What it takes to make another process resident, ns (`runlist`, `edf`, `own`). */
  switch_cost_ns?: number;
  /** Measured switches, ns; each takes the time of one of them, in place of the three fields above. At most 100000. Version 2. */
  switch_samples_ns?: readonly number[];
  /** Switches of a million that are in the tail up to `switch_cost_max_ns`. Left out: 3000. Version 2. */
  switch_tail_per_million?: number;
  /** A policy of one's own, as docs/policy-language.md has it (`own`). Version 2. */
  text?: string;
  /** How long a process may drain before its channel is reset, ns; at least 1 (`edf`). Left out: forever. Version 2. */
  watchdog_ns?: number;
}

/** The scheduling policy. `fifo`: One address space, stream priorities ignored. `priority`: One address space with stream priorities: what the TX2 does for tasks of one process. `runlist`: NVIDIA's runlist of processes [EDF III-B]. `edf`: Earliest deadline first [EDF IV]. `own`: A policy of one's own, by its text (docs/semantics.md, section 14). Version 2. */
export type PolicyKind = "fifo" | "priority" | "runlist" | "edf" | "own";

/** How a process gives way. `thread`: At once; running blocks are suspended. `block`: When the blocks that run have completed. `kernel`: When the kernels that have begun have completed ([LP] II-B). `none`: Not before its work is done. */
export type Preemption = "thread" | "block" | "kernel" | "none";

/** One process of a draft. */
export interface ProcessDraft {
  /** How many channels its streams share, at least 1: each has entries of its own on the runlist (`runlist`). Version 2. */
  channels?: number;
  /** What `NULL` means for its tasks: its NULL stream, or a stream of each task's own. Version 2. */
  default_stream?: DefaultStream;
  /** Guest of the hypervisor that the process runs in. Left out: one of its own, named as it is. Version 2. */
  guest?: string;
  /** Share of the runlist (`runlist`). */
  interleave?: Interleave;
  /** Unique. */
  name: string;
  /** What happens when the timeslice expires (`runlist`, `own`). Left out: what the device does. */
  preemption?: Preemption;
  /** Longest stay, ns; at least 1 (`runlist`, `own`; `edf` in a chain). Left out: 2000000. */
  timeslice_ns?: number;
}

/** How a task releases its jobs. `once`: One job at the offset. `periodic`: A job every period. `continuous`: The next job when the last one completes. */
export type Release = "once" | "periodic" | "continuous";

/** One stream of a draft. */
export interface StreamDraft {
  /** `NULL` or any other name, unique in its process. */
  name: string;
  /** Whether neither it waits for the NULL stream nor the NULL stream for it; not for `NULL`. Version 2. */
  non_blocking?: boolean;
  /** Stream priority; not `high` for `NULL`. */
  priority?: StreamPriority;
  /** Process by name. Left out: the first. */
  process?: string;
}

/** Priority of a stream. `None` behaves as `Low` [TX2 4.2]. `high`: The high-priority EE queue. `low`: The low-priority EE queue. `none`: Not given: the low-priority EE queue. */
export type StreamPriority = "high" | "low" | "none";

/** Which switches the runlist pays for (docs/semantics.md, section 6). `every`: Every one to another process. `expiries`: Those from a process that had to leave because its timeslice expired ([EDF] VI-C). */
export type SwitchCharge = "every" | "expiries";

/** One CPU task of a draft. */
export interface TaskDraft {
  /** Budget of the server, ns; at least 1 (`edf`). */
  budget_ns?: number;
  /** How long each of its calls takes, ns; they are made one after another then. Left out: no time. Version 2. */
  call_ns?: number;
  /** Real time or best effort. Left out: real time if there is a deadline or a period. */
  class?: Class;
  /** Names of producer tasks, each once. */
  consumes?: readonly string[];
  /** Deadline from the release on, ns; may be 0. Left out: the period. */
  deadline_ns?: number;
  /** Number of jobs; at least 1. Left out: no limit. */
  jobs?: number;
  /** Unique. */
  name: string;
  /** Release of the first job, ns. */
  offset_ns?: number;
  /** From one release to the next, ns; at least 1. Required of a periodic task. */
  period_ns?: number;
  /** Of a graphics task: how long its blocks run on when it has to give way, to the end of a pixel, ns (`edf`). Left out: a compute task, which gives way at once. Version 2. */
  pixel_latency_ns?: number;
  /** Rank, smaller first; may be negative. `edf`: among best-effort tasks; `own`: among tasks of its class; others ignore it. */
  priority?: number;
  /** Process by name. Left out: the first. */
  process?: string;
  /** How jobs are released. */
  release?: Release;
  /** From the completion of a job until the policy is told of it, ns (`own`). Version 2. */
  wake_ns?: number;
}
