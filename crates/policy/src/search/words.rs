//! A fault in words: its requests as facts write them, and as sentences with the line that made it.
//!
//! Depends on `report` and `blockstep_sim::language`. Tasks are named A, B... in the order in which they are asked for.

use std::fmt::Write;

use blockstep_sim::language::{all_of, counted};

use super::facts::{Asked, Ranks, set};
use super::graph::{Request, Step, after, replay};
use super::property::Property;
use super::report::{Fault, Report, Verdict};
use crate::program::Program;
use crate::run::{Decision, Happened};
use crate::state::{TaskFacts, TaskNumber, TaskSet};

/// A decision on the way to a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passed {
    /// What was asked.
    pub step: Step,
    /// What the policy decided; nothing where it failed.
    pub decision: Option<Decision>,
    /// Who has asked and not ended.
    pub active: TaskSet,
}

impl Fault {
    /// Its decisions again, one time around included.
    #[must_use]
    pub fn replay(&self, program: &Program) -> Vec<Passed> {
        self.passed(program).into_iter().map(|(passed, _)| passed).collect()
    }

    /// The same, with who had asked before each.
    fn passed(&self, program: &Program) -> Vec<(Passed, Asked)> {
        let ranks = Ranks::new(program, &self.ranks);
        let (mut state, mut asked) = (program.start(self.ranks.len()), Asked::NOTHING);
        let (mut facts, mut found) = (Vec::<TaskFacts>::new(), Vec::new());
        for step in self.steps.iter().chain(&self.cycle) {
            let (event, next) = after(&asked, step.request);
            ranks.facts(&next, &mut facts);
            let active = set(next.active);
            let decision = replay(program, &state, (event, active), &facts, step.outcome).ok();
            if let Some(decision) = &decision {
                state = decision.state.clone();
            }
            found.push((Passed { step: *step, decision, active }, std::mem::replace(&mut asked, next)));
        }
        found
    }

    /// The letter of each task that is asked for, in that order.
    fn letters(&self) -> Vec<TaskNumber> {
        let mut found = Vec::new();
        for step in self.steps.iter().chain(&self.cycle) {
            if let Request::Begin(task, _) | Request::End(task) = step.request
                && !found.contains(&task)
            {
                found.push(task);
            }
        }
        found
    }

    fn name(&self, task: TaskNumber) -> String {
        let place = self.letters().iter().position(|known| *known == task).unwrap_or(usize::from(task.0));
        char::from(b'A' + place as u8).to_string()
    }

    /// Priorities from 1 among the tasks that are asked for; 0 is best effort.
    fn rank(&self, task: TaskNumber) -> usize {
        let of = |task: TaskNumber| self.ranks.get(usize::from(task.0)).copied().unwrap_or(0);
        let mut below: Vec<u8> = self.letters().into_iter().map(of).filter(|rank| *rank > 0 && *rank <= of(task)).collect();
        below.sort_unstable();
        below.dedup();
        below.len()
    }

    /// Its requests: `+A` begins, `-A` ends, a digit is the priority (none is best effort), `tick` is a tick. Where jobs are due before,
    /// with or after another, `<B`, `=B` or `>B` follows. What may come again and again is in parentheses.
    #[must_use]
    pub fn requests(&self, program: &Program) -> String {
        let passed = self.passed(program);
        let words: Vec<String> = passed.iter().map(|(passed, before)| self.request(passed.step.request, before)).collect();
        let (steps, cycle) = words.split_at(self.steps.len().min(words.len()));
        if cycle.is_empty() { steps.join(" ") } else { format!("{} ({})", steps.join(" "), cycle.join(" ")).trim_start().to_owned() }
    }

    fn request(&self, request: Request, before: &Asked) -> String {
        let named = |task: TaskNumber| match self.rank(task) {
            0 => self.name(task),
            rank => format!("{}{rank}", self.name(task)),
        };
        match request {
            Request::Begin(task, due) => {
                let (sign, other) = due.and_then(|due| self.due(due, before)).unwrap_or(("", String::new()));
                format!("+{}{sign}{other}", named(task))
            }
            Request::End(task) => format!("-{}", named(task)),
            Request::Tick => "tick".to_owned(),
        }
    }

    /// How the deadline of a job is to one that is there, and whose that is.
    fn due(&self, due: u8, before: &Asked) -> Option<(&'static str, String)> {
        let at = |place: u8| before.due.iter().position(|other| *other == place && place > 0).map(|task| self.name(TaskNumber(task as u8)));
        if due % 2 == 1 {
            return at(due.div_ceil(2)).map(|other| ("=", other));
        }
        at(due / 2 + 1).map(|other| ("<", other)).or_else(|| at(due / 2).map(|other| (">", other)))
    }

    /// What is wrong, with a period.
    #[must_use]
    pub fn title(&self, property: Property) -> String {
        let (about, after) = (self.name(self.about), counted(self.steps.len(), "request"));
        match property {
            Property::Fails => format!("The policy fails after {after}."),
            Property::Idle => format!("The GPU idles while {about} waits after {after}."),
            Property::Lost => format!("{about} is lost after {after}."),
            Property::Starved => format!("{about} may wait for ever while only its equals or inferiors run."),
            Property::Hogged => format!("{about} may wait for ever for a job of an equal or inferior that runs on."),
            Property::Outranked => format!("{about} waits after {after} while a less urgent task runs."),
            Property::Mixed => format!("{about}, which is best effort, runs beside a real-time task after {after}."),
            Property::TooMany(most, realtime) => {
                format!("{} run at once after {after}.", counted(most.saturating_add(1), if realtime { "real-time task" } else { "task" }))
            }
            Property::NoWork => format!("{about} is admitted without work after {after}."),
        }
    }

    /// How it comes: every request, and the line that decided last.
    #[must_use]
    pub fn story(&self, program: &Program) -> String {
        let passed = self.passed(program);
        let words: Vec<String> = passed.iter().map(|(passed, before)| self.told(passed.step.request, before)).collect();
        let (steps, cycle) = words.split_at(self.steps.len().min(words.len()));
        let mut out = steps.join(", ");
        let last = &passed[..self.steps.len().min(passed.len())];
        if let Some(failure) = self.failure {
            let _ = write!(out, ": {failure}");
        } else if !cycle.is_empty() {
            let _ = write!(out, "; then again and again {}", cycle.join(", "));
        } else if let Some(decision) = last.last().and_then(|(passed, _)| passed.decision.as_ref()) {
            let _ = write!(out, ": {}", self.decided(program, decision));
        }
        out.push('.');
        let mut letters = out.chars();
        letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
    }

    fn told(&self, request: Request, before: &Asked) -> String {
        match request {
            Request::Begin(task, due) => {
                let due = due.and_then(|due| self.due(due, before)).map_or_else(String::new, |(sign, other)| match sign {
                    "<" => format!(" and is due before {other}"),
                    "=" => format!(" and is due with {other}"),
                    _ => format!(" and is due after {other}"),
                });
                format!("{} begins{due}", self.name(task))
            }
            Request::End(task) => format!("{} ends", self.name(task)),
            Request::Tick => "time passes".to_owned(),
        }
    }

    fn all(&self, tasks: TaskSet) -> String {
        let mut names: Vec<String> = tasks.iter().map(|task| self.name(task)).collect();
        names.sort_unstable();
        names.join(", ")
    }

    /// The change that decided, or what is admitted if nothing of that was changed.
    fn decided(&self, program: &Program, decision: &Decision) -> String {
        let name = |slot: usize| program.variables().get(slot).map_or("", |variable| variable.name.as_str());
        let line = decision.line;
        let decides = |change: &&crate::run::Change| change.line == line && program.admits(change.what.variable());
        let Some(change) = decision.changes.iter().rev().find(decides) else {
            let names: Vec<String> = decision.admitted.iter().map(|task| self.name(task)).collect();
            return if names.is_empty() { format!("line {line} admits no task") } else { format!("line {line} admits {}", all_of(&names)) };
        };
        let what = match change.what {
            Happened::Added(slot, task, _) => format!("adds {} to {}", self.name(task), name(slot)),
            Happened::Removed(slot, task) => format!("removes {} from {}", self.name(task), name(slot)),
            Happened::Replaced(slot, tasks, Some(from)) if tasks.is_empty() => {
                format!("sets {} to {}, which is empty", name(slot), name(from))
            }
            Happened::Replaced(slot, tasks, Some(from)) => {
                format!("sets {} to {}, which is {{{}}}", name(slot), name(from), self.all(tasks))
            }
            Happened::Replaced(slot, tasks, None) => format!("sets {} to {{{}}}", name(slot), self.all(tasks)),
            Happened::Task(slot, task) => {
                format!("sets {} to {}", name(slot), task.map_or_else(|| "none".to_owned(), |task| self.name(task)))
            }
            Happened::Number(slot, Some(task), number) => format!("sets {} of {} to {number}", name(slot), self.name(task)),
            Happened::Number(slot, None, number) => format!("sets {} to {number}", name(slot)),
        };
        format!("line {line} {what}")
    }
}

impl Property {
    /// What it means to have none of it.
    #[must_use]
    pub fn clean(self) -> String {
        match self {
            Self::Fails => "every decision can be made".to_owned(),
            Self::Idle => "the GPU never idles while a task waits".to_owned(),
            Self::Lost => "every waiting task can still run".to_owned(),
            Self::Starved => "no task waits for ever while only its equals or inferiors run".to_owned(),
            Self::Hogged => "no task waits for ever for a job of an equal or inferior that runs on".to_owned(),
            Self::Outranked => "no task waits while a less urgent one runs".to_owned(),
            Self::Mixed => "no best-effort task runs beside a real-time one".to_owned(),
            Self::TooMany(most, true) => format!("at most {} at once", counted(most, "real-time task")),
            Self::TooMany(most, false) => format!("at most {} at once", counted(most, "task")),
            Self::NoWork => "no task is admitted without work".to_owned(),
        }
    }
}

impl Report {
    /// What a verdict of this search assumes.
    #[must_use]
    pub fn assumed(&self) -> String {
        let mut out = format!(
            "Assumed: each request is handled by itself, there is one GPU, nothing fails, and there are at most {}. Requests have no \
             times, any order can come, and a task that was preempted may still end.",
            counted(self.tasks, "task")
        );
        let fails = |finding: &super::Finding| finding.property == Property::Fails && matches!(finding.verdict, Verdict::Fault(_));
        if self.findings.iter().any(fails) {
            out.push_str(" Nothing follows a decision that fails.");
        }
        if self.reads.deadline {
            out.push_str(" A job may be due before, with or after any other.");
        }
        if self.has_ticks {
            out.push_str(" A tick may come at any time.");
        }
        if self.findings.iter().any(|finding| finding.property == Property::Starved) {
            out.push_str(" No job runs for ever where a task is said to starve, and no draw goes against it for ever.");
        }
        out
    }
}
