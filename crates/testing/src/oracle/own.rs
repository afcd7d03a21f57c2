//! The oracle's policy of one's own (docs/semantics.md, section 14): what it is told and when, and which processes may go then.
//!
//! Depends on the crate `policy`. The mechanism is written anew. What a text decides is not: its interpreter is asked as a black box, and
//! so what it is told is compared, too, which a record of its decisions could not do. Nothing is kept but what it was told and its state.

use blockstep_policy::{Draw, Event, MAX_TASKS, Program, State, TaskFacts, TaskNumber, TaskSet, World};
use blockstep_sim::scenario::{Call, Draft, PolicyDraft, PolicyKind, TaskDraft};
use blockstep_sim::trace::OpKind;

use super::turns::Turn;
use super::{Run, edf, vary};

/// Ticks after which no more are told while nothing happens.
const MOST_IDLE_TICKS: usize = 1000;

/// The text, read, and what it may know of tasks before they ask.
pub(super) struct Text {
    program: Program,
    facts: Vec<TaskFacts>,
}

impl Text {
    pub(super) fn from_draft(draft: &Draft, tasks: &[TaskDraft], is_real_time: impl Fn(&TaskDraft) -> bool, sms: u64) -> Option<Self> {
        if draft.policy.kind != PolicyKind::Own {
            return None;
        }
        let program = Program::new(&draft.policy.text).unwrap();
        // Signals are sent under `edf` alone.
        let silent = Draft { policy: PolicyDraft { signal_ns: 0, ..draft.policy.clone() }, ..draft.clone() };
        let fact = |(i, task): (usize, &TaskDraft)| {
            let rows = draft.kernels.iter().filter(|k| k.task.as_ref().unwrap_or(&tasks[0].name) == &task.name);
            let blocks = rows.filter(|k| k.call == Call::Kernel).map(|k| k.blocks).max().unwrap_or(0);
            let duration = if program.reads().sizes { edf::time_alone(&silent, tasks, i) } else { 0 };
            TaskFacts {
                realtime: is_real_time(task),
                priority: -task.priority,
                period: task.period_ns,
                deadline: None,
                sms: blocks.min(sms) as i64,
                duration: duration as i64,
            }
        };
        let facts = tasks.iter().enumerate().map(fact).collect();
        assert!(tasks.len() <= MAX_TASKS);
        Some(Self { program, facts })
    }
}

/// Something that the policy was told.
#[derive(Clone)]
struct Told {
    at: u64,
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    /// Of a job, by its place in `Run::jobs`.
    Request(usize),
    End(usize),
    Tick,
    /// Of a kernel, by its place in `Run::ops`.
    Launch(usize),
    Finish(usize),
}

#[derive(Clone, Default)]
pub(super) struct Own {
    told: Vec<Told>,
    /// Every kernel that has joined its EE queue or completed, as it came.
    kernels: Vec<What>,
    /// After the last decision; nothing before the first.
    state: Option<State>,
    admitted: TaskSet,
    launching: TaskSet,
    /// Whether the next tick would change nothing.
    is_still: bool,
    /// Ticks in a row while nothing happened, and how everything stood at the last of them.
    idle_ticks: usize,
    stood: Vec<usize>,
    /// When a decision could not be made.
    pub(super) failed: Option<u64>,
}

/// SplitMix64, by its state.
struct Drawn(u64);

impl Draw for Drawn {
    fn draw(&mut self, weights: &[u64]) -> usize {
        let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
        let even = vary::mix(self.0);
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let mut left = (u128::from(even) * sum) >> 64;
        for (i, &weight) in weights.iter().enumerate() {
            if left < u128::from(weight) {
                return i;
            }
            left -= u128::from(weight);
        }
        0
    }
}

impl Run<'_> {
    /// At the beginning of step 4: all that there is, one after the other; then a kernel is launched, and it begins again.
    pub(super) fn tell(&mut self) {
        while self.turns.own.failed.is_none() {
            if let Some(what) = self.next_told() {
                self.decide(what);
            } else if let Some(op) = (0..self.ops.len()).find(|&op| self.waits_for_launch(op) && self.is_launched(op)) {
                self.join(op);
                self.promote();
            } else {
                return;
            }
        }
    }

    /// Whether a kernel waits for nothing but the policy's line `launch`.
    pub(super) fn waits_for_launch(&self, op: usize) -> bool {
        let o = &self.ops[op];
        self.is_gated(op) && o.end.is_none() && o.joined.is_none() && self.held_back(op).is_none()
    }

    /// Whether the policy has a say in when an operation joins its queue.
    pub(super) fn is_gated(&self, op: usize) -> bool {
        self.ops[op].kind == OpKind::Kernel && self.m.text.as_ref().is_some_and(|text| text.program.gates_launches())
    }

    fn is_launched(&self, op: usize) -> bool {
        self.turns.own.launching.has(TaskNumber(self.jobs[self.ops[op].job].task as u8))
    }

    /// An operation has joined its queue or completed.
    pub(super) fn note_kernel(&mut self, op: usize) {
        let Some(program) = self.m.text.as_ref().map(|text| &text.program) else { return };
        let is_finished = self.ops[op].end.is_some();
        let hears = if is_finished { program.hears_finishes() } else { program.hears_launches() };
        if hears && self.ops[op].kind == OpKind::Kernel {
            self.turns.own.kernels.push(if is_finished { What::Finish(op) } else { What::Launch(op) });
        }
    }

    /// P6 and P7, P2, P3, P1.
    fn next_told(&self) -> Option<What> {
        let own = &self.turns.own;
        let was_told = |what: &&What| own.told.iter().any(|told| told.what == **what);
        if let Some(&kernel) = own.kernels.iter().find(|what| !was_told(what)) {
            return Some(kernel);
        }
        let due = |&job: &usize| self.told_at(job).is_some_and(|at| at <= self.now) && self.asks(job);
        let end = (0..self.jobs.len()).filter(due).min_by_key(|&job| (self.told_at(job), self.jobs[job].task, self.jobs[job].no));
        if let Some(job) = end {
            return Some(What::End(job));
        }
        let is_multiple = self.tick_every().is_some_and(|every| self.now > 0 && self.now.is_multiple_of(every));
        // A tick comes before the requests of its instant.
        let is_over = own.told.iter().any(|told| told.at == self.now && matches!(told.what, What::Request(_) | What::Tick));
        if is_multiple && !is_over && self.heeds_ticks() {
            return Some(What::Tick);
        }
        let was_told = |job: usize| own.told.iter().any(|told| told.what == What::Request(job));
        let may_ask = |&job: &usize| {
            let task = self.jobs[job].task;
            self.has_operations(task)
                && !was_told(job)
                && !(0..self.jobs.len()).any(|other| self.jobs[other].task == task && self.asks(other))
        };
        (0..self.jobs.len()).find(may_ask).map(What::Request)
    }

    fn has_operations(&self, task: usize) -> bool {
        self.m.tasks[task].rows.iter().any(|&row| !self.m.kinds(row).is_empty())
    }

    /// When the end of a job is told, if it is complete.
    fn told_at(&self, job: usize) -> Option<u64> {
        let end = self.jobs[job].end.filter(|_| self.has_operations(self.jobs[job].task))?;
        end.checked_add(self.m.tasks[self.jobs[job].task].draft.wake_ns)
    }

    /// Whether a job has asked and its end was not told.
    fn asks(&self, job: usize) -> bool {
        let was_told = |what: What| self.turns.own.told.iter().any(|told| told.what == what);
        was_told(What::Request(job)) && !was_told(What::End(job))
    }

    fn ready(&self) -> TaskSet {
        let asking = (0..self.jobs.len()).filter(|&job| self.asks(job));
        asking.fold(TaskSet::EMPTY, |ready, job| ready.with(TaskNumber(self.jobs[job].task as u8)))
    }

    fn tick_every(&self) -> Option<u64> {
        self.m.text.as_ref().and_then(|text| text.program.tick_every())
    }

    fn heeds_ticks(&self) -> bool {
        let own = &self.turns.own;
        !own.is_still && own.idle_ticks < MOST_IDLE_TICKS && !self.ready().is_empty()
    }

    fn decide(&mut self, what: What) {
        let text = self.m.text.as_ref().unwrap();
        let number = self.turns.own.told.len() as u64;
        self.turns.own.told.push(Told { at: self.now, what });
        let ready = self.ready();
        let task = |job: usize| TaskNumber(self.jobs[job].task as u8);
        let event = match what {
            What::Request(job) => Event::Request(task(job)),
            What::End(job) => Event::End(task(job)),
            What::Tick => Event::Tick,
            What::Launch(op) => Event::Launch(task(self.ops[op].job)),
            What::Finish(op) => Event::Finish(task(self.ops[op].job)),
        };
        let mut facts = text.facts.clone();
        for told in &self.turns.own.told {
            if let What::Request(job) = told.what {
                let (task, release) = (self.jobs[job].task, self.jobs[job].release);
                let t = &self.m.tasks[task].draft;
                facts[task].deadline = t.deadline_ns.or(t.period_ns).and_then(|relative| release.checked_add(relative));
            }
        }
        let stands = self.stands();
        let is_idle = what == What::Tick && !self.assigned.iter().any(|a| self.executes(a));
        let before = self.turns.own.state.clone().unwrap_or_else(|| text.program.start(facts.len()));
        let mut drawn = Drawn(vary::mix(vary::mix(vary::mix(self.m.seed) ^ 0x6f77_6e00) ^ number));
        let Ok(decision) = text.program.decide(&before, event, World { tasks: &facts, ready }, &mut drawn) else {
            self.turns.own.told.pop();
            self.turns.own.failed = Some(self.now);
            return;
        };
        let own = &mut self.turns.own;
        let changes = decision.admitted != own.admitted || decision.state != before;
        own.is_still = what == What::Tick && !changes && !text.program.reads().chance;
        own.idle_ticks = match is_idle {
            true if own.stood == stands => own.idle_ticks + 1,
            true => 1,
            false => 0,
        };
        own.stood = stands;
        (own.admitted, own.state) = (decision.admitted, Some(decision.state));
        own.launching = decision.launching.map_or(TaskSet::EMPTY, |(launching, _)| launching);
    }

    /// How everything stands but the policy, in numbers that another event changes.
    fn stands(&self) -> Vec<usize> {
        let misses = |job: &&super::Job| {
            let t = &self.m.tasks[job.task].draft;
            let due = t.deadline_ns.or(t.period_ns).map(|relative| job.release + relative);
            // One at this very instant comes after what the policy is told.
            job.end.is_none() && due.is_some_and(|due| due < self.now)
        };
        let turn = match self.turns.turn {
            Turn::Resident { channel, draining } => 1 + 2 * channel + usize::from(draining),
            _ => 0,
        };
        vec![
            self.jobs.len(),
            self.jobs.iter().filter(|job| job.end.is_some()).count(),
            self.jobs.iter().filter(misses).count(),
            self.ops.len(),
            self.calls.len(),
            self.calls.iter().filter(|call| call.returned.is_some()).count(),
            self.assigned.len(),
            self.joins,
            turn,
            self.turns.own.told.iter().filter(|told| told.what != What::Tick).count(),
        ]
    }

    /// When it is told something next that nothing else brings.
    pub(super) fn telling(&self) -> Option<u64> {
        self.m.text.as_ref()?;
        let ends = (0..self.jobs.len()).filter_map(|job| self.told_at(job)).filter(|&at| at > self.now).min();
        let tick = self.tick_every().filter(|_| self.heeds_ticks());
        ends.into_iter().chain(tick.map(|every| (self.now / every + 1) * every)).min()
    }

    /// What it was told, in words.
    pub(super) fn told(&self) -> Vec<(u64, String)> {
        let job = |job: usize| format!("{}#{}", self.m.tasks[self.jobs[job].task].draft.name, self.jobs[job].no);
        let kernel = |op: usize| format!("{}#{}", self.m.rows[self.ops[op].row].draft.name, self.jobs[self.ops[op].job].no);
        let words = |what: What| match what {
            What::Request(of) => format!("request {}", job(of)),
            What::End(of) => format!("end {}", job(of)),
            What::Tick => "tick".to_owned(),
            What::Launch(op) => format!("launch {}", kernel(op)),
            What::Finish(op) => format!("finish {}", kernel(op)),
        };
        self.turns.own.told.iter().map(|told| (told.at, words(told.what))).collect()
    }

    /// Whether a task of a process that has something issued and incomplete is admitted; of policies that are not told anything, always.
    pub(super) fn is_let_go(&self, process: usize) -> bool {
        let is_live = |task: usize| self.m.tasks[task].process == process && self.is_busy(task);
        self.m.text.is_none() || self.turns.own.admitted.iter().any(|task| is_live(usize::from(task.0)))
    }
}
