//! A fault in words: its requests as facts write them, and as sentences with the line that made it.
//!
//! Depends on `report` and `blockstep_sim::language`. Tasks are named A, B... in the order in which they are asked for.

use std::fmt::Write;

use blockstep_policy::{Change, Decision, Happened, Program, TaskFacts, TaskNumber, TaskSet, World};
use blockstep_sim::language::{all_of, capitalized, counted};
use blockstep_sim::units::written::format_count;

use super::facts::{Ranks, RequestFacts, set};
use super::graph::{Request, Step, after, decide_outcome};
use super::property::Property;
use super::report::{Fault, Level, Report, Verdict};
use super::times::TimesReport;

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
    fn passed(&self, program: &Program) -> Vec<(Passed, RequestFacts)> {
        let ranks = Ranks::new(program, &self.ranks);
        let (mut state, mut asked) = (program.start(self.ranks.len()), RequestFacts::NOTHING);
        let (mut facts, mut found) = (Vec::<TaskFacts>::new(), Vec::new());
        for step in self.steps.iter().chain(&self.cycle) {
            let (event, next) = after(&asked, step.request);
            ranks.facts(&next, &mut facts);
            let active = set(next.active);
            let world = World { tasks: &facts, ready: active };
            let decision = decide_outcome(program, &state, event, world, step.outcome).ok().and_then(Result::ok);
            if let Some(decision) = &decision {
                state = decision.state.clone();
            }
            found.push((Passed { step: *step, decision, active }, std::mem::replace(&mut asked, next)));
        }
        found
    }

    /// The letters of its tasks: in the order in which they are asked for, but in that of the scenario where this order decides, so that
    /// what is written leads to the same.
    fn names(&self, program: &Program) -> Names<'_> {
        let mut letters = Vec::new();
        for step in self.steps.iter().chain(&self.cycle) {
            if let Request::Begin(task, _) | Request::End(task) = step.request
                && !letters.contains(&task)
            {
                letters.push(task);
            }
        }
        if !self.is_same_with(program, &letters) {
            letters = (0..self.ranks.len()).map(|task| TaskNumber(task as u8)).collect();
        }
        Names { letters, ranks: &self.ranks }
    }

    /// Whether the policy decides the same if the scenario has these tasks in this order, and no others.
    fn is_same_with(&self, program: &Program, order: &[TaskNumber]) -> bool {
        let renamed = |task: TaskNumber| TaskNumber(order.iter().position(|other| *other == task).unwrap_or(0) as u8);
        let step = |step: &Step| Step {
            request: match step.request {
                Request::Begin(task, due) => Request::Begin(renamed(task), due),
                Request::End(task) => Request::End(renamed(task)),
                Request::Tick => Request::Tick,
            },
            ..*step
        };
        let ranks = order.iter().map(|task| self.ranks.get(usize::from(task.0)).copied().unwrap_or(0)).collect();
        let (steps, cycle) = (self.steps.iter().map(step).collect(), self.cycle.iter().map(step).collect());
        let other = Self { ranks, about: renamed(self.about), steps, cycle, failure: self.failure };
        let decided =
            |passed: Vec<Passed>| passed.into_iter().map(|passed| passed.decision.map(|decision| (decision.line, decision.admitted)));
        let set = |tasks: TaskSet| tasks.iter().fold(TaskSet::EMPTY, |set, task| set.with(renamed(task)));
        decided(self.replay(program))
            .map(|decided| decided.map(|(line, admitted)| (line, set(admitted))))
            .eq(decided(other.replay(program)))
    }

    /// Its requests: `+A` begins, `-A` ends, a digit is the priority (none is best effort), `tick` is a tick. Where jobs are due before,
    /// with or after another, `<B`, `=B` or `>B` follows; `#2` stands where draws have their second outcome. What may come again and again
    /// is in parentheses.
    #[must_use]
    pub fn requests(&self, program: &Program) -> String {
        let (names, passed) = (self.names(program), self.passed(program));
        let words: Vec<String> = passed.iter().map(|(passed, before)| names.request(passed.step, before)).collect();
        let (steps, cycle) = words.split_at(self.steps.len().min(words.len()));
        if cycle.is_empty() { steps.join(" ") } else { format!("{} ({})", steps.join(" "), cycle.join(" ")).trim_start().to_owned() }
    }

    /// What is wrong, with a period.
    #[must_use]
    pub fn title(&self, program: &Program, property: Property) -> String {
        self.names(program).title(property, self.about, self.steps.len())
    }

    /// How it comes: every request, and the line that decided last.
    #[must_use]
    pub fn story(&self, program: &Program) -> String {
        let (names, passed) = (self.names(program), self.passed(program));
        let words: Vec<String> = passed.iter().map(|(passed, before)| names.told(passed.step.request, before)).collect();
        let (steps, cycle) = words.split_at(self.steps.len().min(words.len()));
        let mut out = steps.join(", ");
        let last = &passed[..self.steps.len().min(passed.len())];
        if let Some(failure) = self.failure {
            let _ = write!(out, ": {failure}");
        } else if !cycle.is_empty() {
            let _ = write!(out, "; then again and again {}", cycle.join(", "));
        } else if let Some(decision) = last.last().and_then(|(passed, _)| passed.decision.as_ref()) {
            let _ = write!(out, ": {}", names.decided(program, decision));
        }
        out.push('.');
        capitalized(&out)
    }
}

/// Tasks by their letters, and what is said with these.
#[derive(Clone, Debug)]
pub(super) struct Names<'n> {
    /// The task of each letter.
    pub(super) letters: Vec<TaskNumber>,
    pub(super) ranks: &'n [u8],
}

impl Names<'_> {
    pub(super) fn name(&self, task: TaskNumber) -> String {
        let place = self.letters.iter().position(|known| *known == task).unwrap_or(usize::from(task.0));
        char::from(b'A' + place as u8).to_string()
    }

    /// Priorities from 1 among the tasks that are asked for; 0 is best effort.
    fn rank(&self, task: TaskNumber) -> usize {
        let of = |task: TaskNumber| self.ranks.get(usize::from(task.0)).copied().unwrap_or(0);
        let mut below: Vec<u8> = self.letters.iter().map(|other| of(*other)).filter(|rank| *rank > 0 && *rank <= of(task)).collect();
        below.sort_unstable();
        below.dedup();
        below.len()
    }

    fn request(&self, step: Step, before: &RequestFacts) -> String {
        let named = |task: TaskNumber| match self.rank(task) {
            0 => self.name(task),
            rank => format!("{}{rank}", self.name(task)),
        };
        let word = match step.request {
            Request::Begin(task, due) => {
                let (sign, other) = due.and_then(|due| self.due(due, before)).unwrap_or(("", String::new()));
                format!("+{}{sign}{other}", named(task))
            }
            Request::End(task) => format!("-{}", named(task)),
            Request::Tick => "tick".to_owned(),
        };
        if step.outcome == 0 { word } else { format!("{word}#{}", step.outcome + 1) }
    }

    /// How the deadline of a job is to one that is there, and whose that is.
    fn due(&self, due: u8, before: &RequestFacts) -> Option<(&'static str, String)> {
        let at = |place: u8| before.due.iter().position(|other| *other == place && place > 0).map(|task| self.name(TaskNumber(task as u8)));
        if due % 2 == 1 {
            return at(due.div_ceil(2)).map(|other| ("=", other));
        }
        at(due / 2 + 1).map(|other| ("<", other)).or_else(|| at(due / 2).map(|other| (">", other)))
    }

    /// What is wrong after so many requests, with a period.
    pub(super) fn title(&self, property: Property, about: TaskNumber, requests: usize) -> String {
        let (about, after) = (self.name(about), counted(requests, "request"));
        match property {
            Property::Fails => format!("The policy fails after {after}."),
            Property::Idle => format!("The GPU idles while {about} waits after {after}."),
            Property::Lost => format!("{about} is lost after {after}."),
            Property::Starved => format!("{about} may wait forever while only tasks of equal or lower priority run."),
            Property::Hogged => format!("{about} may wait forever for a job of equal or lower priority that does not end."),
            Property::Outranked => format!("{about} waits after {after} while a less urgent task runs."),
            Property::Mixed => format!("{about}, which is best effort, runs beside a real-time task after {after}."),
            Property::TooMany(most, realtime) => {
                format!("{} run at once after {after}.", counted(most.saturating_add(1), if realtime { "real-time task" } else { "task" }))
            }
            // No sequence of requests shows it.
            Property::Missed => format!("{about} misses its deadline."),
            Property::NoWork => format!("{about} is admitted without work after {after}."),
        }
    }

    pub(super) fn told(&self, request: Request, before: &RequestFacts) -> String {
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

    /// The change that decided, or what is admitted if nothing of that was changed; likewise of whose kernels may be launched.
    pub(super) fn decided(&self, program: &Program, decision: &Decision) -> String {
        let decides =
            |line: u32, change: &&Change, of: fn(&Program, usize) -> bool| change.line == line && of(program, change.what.variable());
        let said = |line: u32, verb: &str, tasks: TaskSet, of: fn(&Program, usize) -> bool| match decision
            .changes
            .iter()
            .rev()
            .find(|change| decides(line, change, of))
        {
            Some(change) => format!("line {line} {}", self.changed(program, change.what)),
            None if tasks.is_empty() => format!("line {line} {verb} no task"),
            None => format!("line {line} {verb} {}", all_of(&tasks.iter().map(|task| self.name(task)).collect::<Vec<_>>())),
        };
        let admits = said(decision.line, "admits", decision.admitted, Program::admits);
        match decision.launching {
            None => admits,
            Some((tasks, line)) => format!("{admits}, and {}", said(line, "launches", tasks, Program::launches)),
        }
    }

    /// What a change did, without its line.
    fn changed(&self, program: &Program, what: Happened) -> String {
        let name = |slot: usize| program.variables().get(slot).map_or("", |variable| variable.name.as_str());
        match what {
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
        }
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
            Self::Starved => "no task waits forever while only tasks of equal or lower priority run".to_owned(),
            Self::Hogged => "no task waits forever for a job of equal or lower priority that does not end".to_owned(),
            Self::Outranked => "no task waits while a less urgent one runs".to_owned(),
            Self::Mixed => "no best-effort task runs beside a real-time one".to_owned(),
            Self::TooMany(most, true) => format!("at most {} at once", counted(most, "real-time task")),
            Self::TooMany(most, false) => format!("at most {} at once", counted(most, "task")),
            Self::Missed => "every deadline is met that the test promises".to_owned(),
            Self::NoWork => "no task is admitted without work".to_owned(),
        }
    }
}

impl Report {
    /// What it means that this property is clean: `the GPU never idles while a task waits, at any depth, for up to 4 tasks`.
    #[must_use]
    pub fn clean(&self, property: Property) -> String {
        format!("{}, at any depth, for up to {}", property.clean(), counted(self.tasks, "task"))
    }

    /// What it means that nothing is known of a property, as the search ended before: `nothing was found in 12 states, up to 3 requests from
    /// the start; not all of it was searched`.
    #[must_use]
    pub fn open(&self, property: Property) -> String {
        let rest = "not all of it was searched";
        let all = |number: fn(&Level) -> usize| self.levels.iter().map(number).fold(0, usize::saturating_add);
        match property {
            Property::Missed => format!("nothing was found, but {rest}"),
            _ if !self.has_requests => format!("nothing was found, but {rest}"),
            // Only all states of an assignment together show it.
            Property::Lost | Property::Starved | Property::Hogged => {
                let (closed, begun) = (all(|level| level.closed), counted(all(|level| level.assignments), "assignment"));
                format!("nothing was found in the {closed} of {begun} of priorities that were searched to the end; {rest}")
            }
            _ => {
                let states = format_count(self.states() as u64);
                let deepest = self.levels.iter().map(|level| level.deepest).max().unwrap_or(0);
                format!("nothing was found in {states} states, up to {} requests from the start; {rest}", format_count(deepest.into()))
            }
        }
    }

    /// What a verdict of this search assumes.
    #[must_use]
    pub fn assumed(&self) -> String {
        let mut out =
            if self.has_requests { self.assumed_of_requests() } else { "Assumed: there is one GPU, and nothing fails.".to_owned() };
        if self.times.is_some() {
            out.push_str(TimesReport::assumed());
        }
        out
    }

    fn assumed_of_requests(&self) -> String {
        let mut out = format!(
            "Assumed: each request is handled by itself, there is one GPU, nothing fails, and there are at most {}. Requests have no \
             times, any order can come, and a task that was preempted may still end.",
            counted(self.tasks, "task")
        );
        let fails = |finding: &crate::Finding| finding.property == Property::Fails && matches!(finding.verdict, Verdict::Fault(_));
        if self.findings.iter().any(fails) {
            out.push_str(" Nothing follows a decision that fails.");
        }
        if self.reads.deadline {
            out.push_str(" A job may be due before, with or after any other.");
        }
        if self.reads.priority {
            out.push_str(" All best-effort tasks have one priority.");
        }
        if self.has_ticks {
            out.push_str(" A tick may come at any time while a task is ready.");
        }
        if self.findings.iter().any(|finding| finding.property == Property::Starved) {
            out.push_str(" No job runs forever where a task is said to starve, and no draw goes against it forever.");
        }
        out
    }
}
