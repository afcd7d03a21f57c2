//! What makes a workload impossible.
//!
//! Depends on `batch::task`. Invariant: every problem names its field, the value and the limit.

use super::{
    Amount, MAX_BLOCKS, MAX_BLOCKS_BY_TASKS, MAX_BYTES, MAX_JOBS, MAX_NS, MAX_TASKS, MAX_THREADS, Problem, Requirement, Task, TaskDraft,
    WorkloadDraft, Wrong,
};
use blockstep_sim::units::{Span, Time};

/// Collects what is wrong.
pub(super) struct Check<'a> {
    draft: &'a WorkloadDraft,
    pub(super) problems: Vec<Problem>,
}

impl<'a> Check<'a> {
    pub(super) fn new(draft: &'a WorkloadDraft) -> Self {
        Self { draft, problems: Vec::new() }
    }

    fn problem(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.wrong(path, message, Wrong::Other);
    }

    fn wrong(&mut self, path: impl Into<String>, message: impl Into<String>, wrong: Wrong) {
        self.problems.push(Problem { path: path.into(), message: message.into(), wrong });
    }

    fn between(&mut self, path: String, value: u64, least: u64, most: u64) {
        if value < least || value > most {
            let message = format!("is {value}; it must lie between {least} and {most}");
            self.wrong(path, message, Wrong::Limits { value, least, most });
        }
    }

    pub(super) fn workload(&mut self) -> Vec<Task> {
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
        let most = MAX_BLOCKS.min(MAX_BLOCKS_BY_TASKS / tasks.len() as u64);
        if blocks > most {
            self.problem("tasks", format!("have kernels of {blocks} blocks together; with {} tasks at most {most} are run", tasks.len()));
        }
        let jobs: u64 = tasks.iter().map(|task| task.jobs(Time(draft.until_ns))).sum();
        if jobs > MAX_JOBS {
            self.problem("until_ns", format!("lets {jobs} inputs arrive; at most {MAX_JOBS} are run"));
        }
        if jobs == 0 {
            let message = format!("is {}, before the first input arrives", draft.until_ns);
            self.wrong("until_ns", message, Wrong::NoInput(draft.until_ns));
        }
        tasks
    }

    fn task(&mut self, i: usize, draft: &TaskDraft) -> Task {
        let at = |field: &str| format!("tasks[{i}].{field}");
        let earlier = self.draft.tasks[..i].iter().position(|other| other.name == draft.name);
        if draft.name.is_empty() {
            self.problem(at("name"), "is empty");
        } else if let Some(other) = earlier {
            self.wrong(at("name"), format!("is also the name of tasks[{other}]"), Wrong::NameOf(other));
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
                None => self.problem(path, format!("is \"{name}\", which is not a task")),
                Some(place) if place == i => self.problem(path, "is the task itself"),
                Some(place) if after.contains(&place) => self.problem(path, format!("names \"{name}\" a second time")),
                Some(place) => {
                    let other = &self.draft.tasks[place];
                    if other.interval_ns != draft.interval_ns {
                        let message = format!(
                            "is \"{name}\", whose inputs arrive every {} ns; this task's arrive every {} ns",
                            other.interval_ns, draft.interval_ns
                        );
                        let (theirs, own) = (other.interval_ns, draft.interval_ns);
                        self.wrong(path, message, Wrong::Interval { name: name.clone(), theirs, own });
                    } else if self.jobs_of(other) < self.jobs_of(draft) {
                        let message = format!("is \"{name}\", which has fewer inputs before until_ns than this task");
                        self.wrong(path, message, Wrong::FewerInputs(name.clone()));
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
            (0, 0) => {
                let message = format!("is 0, and so is {path}_bytes; one of them must be given");
                self.wrong(format!("{path}_ns"), message, Wrong::NoCopy);
            }
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
