//! Tasks and workloads, and what makes one impossible.
//!
//! Depends on `units`. Invariant: a [`Workload`] can only be made by [`Workload::new`], which checks
//! everything; after it nothing overflows and every batch comes to an end. Source: [MT] section 3.

use std::fmt;

use super::arch::Arch;
use crate::units::{Span, Time};

/// Most tasks of a workload.
pub const MAX_TASKS: usize = 16;
/// Most blocks of all kernels together: each pair of tasks may become a batch, which is simulated
/// block by block.
pub const MAX_BLOCKS: u64 = 500_000;
/// Most threads of a block.
pub const MAX_THREADS: u64 = 1024;
/// Longest time that can be given, in ns: 1000 s.
pub const MAX_NS: u64 = 1_000_000_000_000;
/// Most bytes of a copy.
pub const MAX_BYTES: u64 = 1_000_000_000_000;
/// Most jobs of all tasks together until the input ends.
pub const MAX_JOBS: u64 = 20_000;

/// What a task asks for in time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// Each output at most this long after its input.
    Latency {
        /// The deadline, from the input on.
        deadline: Span,
    },
    /// An output each time that this has passed.
    Throughput {
        /// From one output to the next.
        separation: Span,
    },
}

impl Requirement {
    /// How long a job may take from its input, or from when its turn begins.
    #[must_use]
    pub const fn allowance(self) -> Span {
        match self {
            Self::Latency { deadline } => deadline,
            Self::Throughput { separation } => separation,
        }
    }
}

/// A task as it is written; checked by [`Workload::new`]. All times in ns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskDraft {
    /// Unique in its workload.
    pub name: String,
    /// Time of the input copy; 0 if its size is given instead.
    pub copy_in_ns: u64,
    /// Size of the input copy in bytes; 0 if its time is given instead.
    pub copy_in_bytes: u64,
    /// Time of the output copy; 0 if its size is given instead.
    pub copy_out_ns: u64,
    /// Size of the output copy in bytes; 0 if its time is given instead.
    pub copy_out_bytes: u64,
    /// Time of the kernel, alone on the GPU.
    pub kernel_ns: u64,
    /// Blocks of the kernel.
    pub blocks: u64,
    /// Threads of each block.
    pub threads_per_block: u64,
    /// When the first input arrives.
    pub first_ns: u64,
    /// From one input to the next.
    pub interval_ns: u64,
    /// Latency tasks: by when, from the input on. Exactly one of this and `separation_ns` is given.
    pub deadline_ns: Option<u64>,
    /// Throughput tasks: from one output to the next.
    pub separation_ns: Option<u64>,
    /// Tasks whose job of the same number has to be done before.
    pub after: Vec<String>,
}

impl TaskDraft {
    /// A task with a name and nothing else that would pass as given.
    #[must_use]
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            copy_in_ns: 0,
            copy_in_bytes: 0,
            copy_out_ns: 0,
            copy_out_bytes: 0,
            kernel_ns: 0,
            blocks: 1,
            threads_per_block: 1,
            first_ns: 0,
            interval_ns: 0,
            deadline_ns: None,
            separation_ns: None,
            after: Vec::new(),
        }
    }
}

/// A workload as it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkloadDraft {
    /// For readers.
    pub name: String,
    /// Inputs arrive before this; all that arrived is processed.
    pub until_ns: u64,
    /// The tasks.
    pub tasks: Vec<TaskDraft>,
}

/// What a copy takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// This long on any GPU; more than 0.
    Time(Span),
    /// As long as its bytes take on the GPU; more than 0.
    Bytes(u64),
}

impl Amount {
    /// How long the copy takes.
    #[must_use]
    pub const fn on(self, arch: &Arch) -> Span {
        match self {
            Self::Time(span) => span,
            Self::Bytes(bytes) => Span(bytes.saturating_mul(1000).div_ceil(arch.bytes_per_us)),
        }
    }
}

/// A task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// Unique in its workload.
    pub name: String,
    /// The input copy.
    pub copy_in: Amount,
    /// The output copy.
    pub copy_out: Amount,
    /// Time of the kernel, alone on the GPU; more than 0.
    pub kernel: Span,
    /// Blocks of the kernel.
    pub blocks: u32,
    /// Threads of each block.
    pub threads_per_block: u32,
    /// When the first input arrives.
    pub first: Time,
    /// From one input to the next; more than 0.
    pub interval: Span,
    /// What it asks for.
    pub requirement: Requirement,
    /// Tasks whose job of the same number has to be done before, by place.
    pub after: Vec<usize>,
}

impl Task {
    /// Threads of the kernel.
    #[must_use]
    pub const fn threads(&self) -> u64 {
        self.blocks as u64 * self.threads_per_block as u64
    }

    /// When input `job`, counted from 0, arrives.
    #[must_use]
    pub const fn arrival(&self, job: u64) -> Time {
        Time(self.first.0.saturating_add(self.interval.0.saturating_mul(job)))
    }

    /// Inputs that arrive before `until`.
    #[must_use]
    pub const fn jobs(&self, until: Time) -> u64 {
        until.since(self.first).ns().div_ceil(self.interval.0)
    }

    /// Time of both copies.
    #[must_use]
    pub const fn copies(&self, arch: &Arch) -> Span {
        Span(self.copy_in.on(arch).0.saturating_add(self.copy_out.on(arch).0))
    }

    /// Whether all blocks of the kernel run at once on an idle GPU.
    #[must_use]
    pub fn fits_in(&self, arch: &Arch) -> bool {
        u64::from(self.blocks) <= arch.wave(self.threads_per_block)
    }

    /// Whether both kernels fit into the GPU together, block by block: they are small, then.
    #[must_use]
    pub fn fits_with(&self, other: &Self, arch: &Arch) -> bool {
        let mut room = super::room::Room::of(arch, false);
        room.place(self.threads_per_block, self.blocks) == self.blocks && room.place(other.threads_per_block, other.blocks) == other.blocks
    }
}

/// A workload that can be run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Workload {
    draft: WorkloadDraft,
    until: Time,
    tasks: Vec<Task>,
}

/// Something that is wrong with a workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which field, such as `tasks[1].blocks`.
    pub path: String,
    /// What is wrong, with value and limit.
    pub message: String,
}

/// Everything that is wrong with a workload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkloadError {
    /// At least one.
    pub problems: Vec<Problem>,
}

impl fmt::Display for WorkloadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            let gap = if i == 0 { "" } else { "\n" };
            write!(f, "{gap}{}: {}", problem.path, problem.message)?;
        }
        Ok(())
    }
}

impl std::error::Error for WorkloadError {}

impl Workload {
    /// The workload of a draft.
    ///
    /// # Errors
    /// Everything wrong with it, each with its field.
    pub fn new(draft: WorkloadDraft) -> Result<Self, WorkloadError> {
        let mut check = Check { draft: &draft, problems: Vec::new() };
        let tasks = check.workload();
        let problems = check.problems;
        if problems.is_empty() {
            return Ok(Self { until: Time(draft.until_ns), tasks, draft });
        }
        Err(WorkloadError { problems })
    }

    /// As it was written.
    #[must_use]
    pub const fn draft(&self) -> &WorkloadDraft {
        &self.draft
    }

    /// For readers.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.draft.name
    }

    /// Inputs arrive before this.
    #[must_use]
    pub const fn until(&self) -> Time {
        self.until
    }

    /// The tasks, at least one.
    #[must_use]
    pub fn tasks(&self) -> &[Task] {
        &self.tasks
    }
}

/// Collects what is wrong.
struct Check<'a> {
    draft: &'a WorkloadDraft,
    problems: Vec<Problem>,
}

impl Check<'_> {
    fn problem(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.problems.push(Problem { path: path.into(), message: message.into() });
    }

    fn between(&mut self, path: String, value: u64, least: u64, most: u64) {
        if value < least || value > most {
            self.problem(path, format!("is {value}; it must lie between {least} and {most}"));
        }
    }

    fn workload(&mut self) -> Vec<Task> {
        let draft = self.draft;
        self.between("until_ns".to_owned(), draft.until_ns, 1, MAX_NS);
        if draft.tasks.is_empty() || draft.tasks.len() > MAX_TASKS {
            self.problem("tasks", format!("has {} tasks; there must be between 1 and {MAX_TASKS}", draft.tasks.len()));
            return Vec::new();
        }
        let tasks: Vec<Task> = draft.tasks.iter().enumerate().map(|(i, task)| self.task(i, task)).collect();
        if !self.problems.is_empty() {
            return tasks;
        }
        self.order(&tasks);
        let blocks: u64 = draft.tasks.iter().map(|task| task.blocks).sum();
        if blocks > MAX_BLOCKS {
            self.problem("tasks", format!("have kernels of {blocks} blocks together; at most {MAX_BLOCKS} are run"));
        }
        let jobs: u64 = tasks.iter().map(|task| task.jobs(Time(draft.until_ns))).sum();
        if jobs > MAX_JOBS {
            self.problem("until_ns", format!("lets {jobs} inputs arrive; at most {MAX_JOBS} are run"));
        }
        if jobs == 0 {
            self.problem("until_ns", format!("is {}, before the first input arrives", draft.until_ns));
        }
        tasks
    }

    fn task(&mut self, i: usize, draft: &TaskDraft) -> Task {
        let at = |field: &str| format!("tasks[{i}].{field}");
        let earlier = self.draft.tasks[..i].iter().position(|other| other.name == draft.name);
        if draft.name.is_empty() {
            self.problem(at("name"), "is empty");
        } else if let Some(other) = earlier {
            self.problem(at("name"), format!("is also the name of tasks[{other}]"));
        }
        let copy_in = self.amount(at("copy_in"), draft.copy_in_ns, draft.copy_in_bytes);
        let copy_out = self.amount(at("copy_out"), draft.copy_out_ns, draft.copy_out_bytes);
        for (field, value) in [("kernel_ns", draft.kernel_ns), ("interval_ns", draft.interval_ns)] {
            self.between(at(field), value, 1, MAX_NS);
        }
        self.between(at("first_ns"), draft.first_ns, 0, MAX_NS);
        self.between(at("blocks"), draft.blocks, 1, MAX_BLOCKS);
        self.between(at("threads_per_block"), draft.threads_per_block, 1, MAX_THREADS);
        let requirement = match (draft.deadline_ns, draft.separation_ns) {
            (Some(ns), None) => {
                self.between(at("deadline_ns"), ns, 1, MAX_NS);
                Requirement::Latency { deadline: Span(ns) }
            }
            (None, Some(ns)) => {
                self.between(at("separation_ns"), ns, 1, MAX_NS);
                Requirement::Throughput { separation: Span(ns) }
            }
            (Some(_), Some(_)) => {
                self.problem(at("separation_ns"), "is given beside deadline_ns; a task has one of them");
                Requirement::Latency { deadline: Span(1) }
            }
            (None, None) => {
                self.problem(at("deadline_ns"), "is missing; a task has deadline_ns or separation_ns");
                Requirement::Latency { deadline: Span(1) }
            }
        };
        let mut after = Vec::new();
        for (k, name) in draft.after.iter().enumerate() {
            let path = at(&format!("after[{k}]"));
            match self.draft.tasks.iter().position(|other| other.name == *name) {
                None => self.problem(path, format!("is \"{name}\", which is no task")),
                Some(place) if place == i => self.problem(path, "is the task itself"),
                Some(place) if after.contains(&place) => self.problem(path, format!("names \"{name}\" a second time")),
                Some(place) => {
                    let other = &self.draft.tasks[place];
                    if other.interval_ns != draft.interval_ns {
                        let message = format!(
                            "is \"{name}\", whose inputs come every {} ns and not every {} ns as this task's",
                            other.interval_ns, draft.interval_ns
                        );
                        self.problem(path, message);
                    } else if self.jobs_of(other) < self.jobs_of(draft) {
                        self.problem(path, format!("is \"{name}\", which has fewer inputs before until_ns than this task"));
                    }
                    after.push(place);
                }
            }
        }
        let narrow = |value: u64, most: u64| u32::try_from(value.min(most)).unwrap_or(u32::MAX);
        Task {
            name: draft.name.clone(),
            copy_in,
            copy_out,
            kernel: Span(draft.kernel_ns),
            blocks: narrow(draft.blocks, MAX_BLOCKS),
            threads_per_block: narrow(draft.threads_per_block, MAX_THREADS),
            first: Time(draft.first_ns),
            interval: Span(draft.interval_ns),
            requirement,
            after,
        }
    }

    /// A copy by its time or by its size; `path` lacks the unit.
    fn amount(&mut self, path: String, ns: u64, bytes: u64) -> Amount {
        match (ns, bytes) {
            (0, 0) => self.problem(format!("{path}_ns"), format!("is 0, and so is {path}_bytes; one of them must be given")),
            (_, 0) => self.between(format!("{path}_ns"), ns, 1, MAX_NS),
            (0, _) => self.between(format!("{path}_bytes"), bytes, 1, MAX_BYTES),
            _ => self.problem(format!("{path}_bytes"), format!("is given beside {path}_ns; a copy has one of them")),
        }
        if bytes > 0 { Amount::Bytes(bytes) } else { Amount::Time(Span(ns)) }
    }

    /// Inputs of a task, as many as there would be.
    fn jobs_of(&self, task: &TaskDraft) -> u64 {
        self.draft.until_ns.saturating_sub(task.first_ns).div_ceil(task.interval_ns.max(1))
    }

    /// Tasks that wait for each other in a circle would never run.
    fn order(&mut self, tasks: &[Task]) {
        let mut done = vec![false; tasks.len()];
        while let Some(next) = (0..tasks.len()).find(|&i| !done[i] && tasks[i].after.iter().all(|&a| done[a])) {
            done[next] = true;
        }
        if let Some(stuck) = done.iter().position(|done| !done) {
            let name = tasks[stuck].name.clone();
            self.problem(format!("tasks[{stuck}].after"), format!("makes \"{name}\" wait for itself in a circle"));
        }
    }
}
