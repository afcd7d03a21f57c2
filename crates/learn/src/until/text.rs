//! Conditions as text: names with values, as forms and links hold them, and as sentences.
//!
//! Depends on the rest of `until`. Invariant: what is written is read back as the same condition of
//! the same scenario; what cannot be read is refused with the name, the value and what there is.

use serde::{Deserialize, Serialize};

use super::holds::{inversion, waiting};
use super::{Condition, Inversion, Part};
use blockstep_sim::engine::Run;
use blockstep_sim::language::capitalized;
use blockstep_sim::scenario::{Call, Choice, KernelRow, PolicyKind, Scenario};
use blockstep_sim::trace::{Change, OpKind, Rule, Trace, op_name};
use blockstep_sim::units::{RowId, SmId, SpaceId, StepId, TaskId};
use blockstep_view::quantity::{QuantityError, Unit, format_count, parse};
use blockstep_view::reason::{self, ReasonKind};
use blockstep_view::sentence;

/// Reasons that last, which can be looked for, by id.
pub const REASONS: [(&str, ReasonKind); 17] = [
    ("producer", ReasonKind::Producer),
    ("stream", ReasonKind::BehindInStream),
    ("n1", ReasonKind::N1),
    ("n2", ReasonKind::N2),
    ("event", ReasonKind::Event),
    ("graph", ReasonKind::Graph),
    ("connection", ReasonKind::BehindInConnection),
    ("launch", ReasonKind::NotLaunched),
    ("process", ReasonKind::NotResident),
    ("a2", ReasonKind::A2),
    ("x1", ReasonKind::X1),
    ("threads", ReasonKind::Threads),
    ("memory", ReasonKind::SharedMemory),
    ("registers", ReasonKind::Registers),
    ("slots", ReasonKind::Slots),
    ("all-at-once", ReasonKind::AllAtOnce),
    ("copy-engine", ReasonKind::CopyEngine),
];

/// The id of a reason that lasts.
#[must_use]
pub fn reason_id(kind: ReasonKind) -> Option<&'static str> {
    REASONS.iter().find(|(_, k)| *k == kind).map(|(id, _)| *id)
}

blockstep_sim::listed! {
    /// A sort of condition, without its particulars.
    #[expect(missing_docs, reason = "the variants are those of Condition")]
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub enum ConditionKind(id, from_id) {
        FirstBlock = "first-block",
        LastBlock = "last-block",
        Completes = "completes",
        HeadsQueue = "heads-queue",
        Issued = "issued",
        Waits = "waits",
        FreeThreads = "free-threads",
        PriorityInversion = "inversion",
        DeadlineMissed = "deadline-missed",
        JobReleased = "job-released",
        JobCompleted = "job-completed",
        Resident = "resident",
        RuleUsed = "rule",
        PartStarts = "part-starts",
        PartEnds = "part-ends",
    }
}

/// What a condition needs to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Parameter {
    /// `row`: a kernel's name.
    Row,
    /// `row`: a kernel's name; any if empty.
    AnyRow,
    /// `sm`: a number.
    Sm,
    /// `below`: a number of threads.
    Below,
    /// `reason`: an id of [`REASONS`].
    Reason,
    /// `task`: a task's name; any if empty.
    AnyTask,
    /// `process`: a process's name.
    Process,
    /// `rule`: a rule's id.
    Rule,
    /// `part`: a copy or a block of a kernel, as the pictures name it.
    Part,
}

impl Parameter {
    /// Its name in forms and links.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Row | Self::AnyRow => "row",
            Self::Sm => "sm",
            Self::Below => "below",
            Self::Reason => "reason",
            Self::AnyTask => "task",
            Self::Process => "process",
            Self::Rule => "rule",
            Self::Part => "part",
        }
    }
}

impl ConditionKind {
    /// A few words for a list.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::FirstBlock => "a kernel's first block, or a copy, starts",
            Self::LastBlock => "a kernel's last block is assigned",
            Self::Completes => "a kernel or copy completes",
            Self::HeadsQueue => "a kernel reaches the head of its EE queue",
            Self::Issued => "a kernel or copy is issued",
            Self::Waits => "an operation waits for a reason",
            Self::FreeThreads => "free threads on an SM fall below a number",
            Self::PriorityInversion => "a priority inversion begins",
            Self::DeadlineMissed => "a deadline is missed",
            Self::JobReleased => "a job is released",
            Self::JobCompleted => "a job completes",
            Self::Resident => "a process becomes resident",
            Self::RuleUsed => "a rule is used",
            Self::PartStarts => "a copy of a kernel, or a block, starts",
            Self::PartEnds => "a copy of a kernel, or a block, ends",
        }
    }

    /// What it needs to know.
    #[must_use]
    pub const fn parameters(self) -> &'static [Parameter] {
        match self {
            Self::FirstBlock | Self::LastBlock | Self::Completes | Self::HeadsQueue | Self::Issued => &[Parameter::Row],
            Self::FreeThreads => &[Parameter::Sm, Parameter::Below],
            Self::Waits => &[Parameter::Reason, Parameter::AnyRow],
            Self::DeadlineMissed | Self::JobReleased | Self::JobCompleted => &[Parameter::AnyTask],
            Self::PriorityInversion => &[],
            Self::Resident => &[Parameter::Process],
            Self::RuleUsed => &[Parameter::Rule],
            Self::PartStarts | Self::PartEnds => &[Parameter::Part],
        }
    }
}

/// Why fields are no condition of a run. The sentence begins with the field.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConditionError {
    #[error("until: \"{0}\" is not a condition; there are {known}", known = ConditionKind::ALL.map(ConditionKind::id).join(", "))]
    NoCondition(String),
    #[error("row: there is no kernel \"{0}\"")]
    NoKernel(String),
    #[error("task: there is no task \"{0}\"")]
    NoTask(String),
    #[error("process: under policy {} processes do not take turns", .0.word())]
    NoTurns(PolicyKind),
    #[error("process: there is no process \"{0}\"")]
    NoProcess(String),
    #[error("reason: \"{0}\" is not a reason; there are {known}", known = REASONS.map(|(id, _)| id).join(", "))]
    NoReason(String),
    #[error("rule: there is no rule \"{0}\"")]
    NoRule(String),
    #[error("part: there is no copy or block \"{0}\"; a block is named by its kernel and its number, as K1:0")]
    NoPart(String),
    #[error("{field}: {why}")]
    Quantity { field: &'static str, why: QuantityError },
    #[error("sm: {} is out of range: the device has {} SMs, counted from 0", format_count(*.sm), format_count(*.sms))]
    NoSm { sm: u64, sms: u64 },
    #[error("below: {} is out of range: an SM has {} threads", format_count(*.below), format_count(*.threads))]
    ThreadsOutOfRange { below: u64, threads: u64 },
}

impl Condition {
    /// Its sort.
    #[must_use]
    pub const fn kind(self) -> ConditionKind {
        match self {
            Self::Issued(_) => ConditionKind::Issued,
            Self::HeadsQueue(_) => ConditionKind::HeadsQueue,
            Self::FirstBlock(_) => ConditionKind::FirstBlock,
            Self::LastBlock(_) => ConditionKind::LastBlock,
            Self::Completes(_) => ConditionKind::Completes,
            Self::FreeThreads { .. } => ConditionKind::FreeThreads,
            Self::Waits { .. } => ConditionKind::Waits,
            Self::DeadlineMissed(_) => ConditionKind::DeadlineMissed,
            Self::JobReleased(_) => ConditionKind::JobReleased,
            Self::JobCompleted(_) => ConditionKind::JobCompleted,
            Self::PriorityInversion => ConditionKind::PriorityInversion,
            Self::Resident(_) => ConditionKind::Resident,
            Self::RuleUsed(_) => ConditionKind::RuleUsed,
            Self::PartStarts(..) => ConditionKind::PartStarts,
            Self::PartEnds(..) => ConditionKind::PartEnds,
        }
    }

    /// Its fields: `until` with the sort, then what it needs to know.
    #[must_use]
    pub fn write(self, trace: &Trace) -> Vec<(&'static str, String)> {
        let scenario = trace.scenario();
        let row = |row: RowId| ("row", scenario.row(row).name.clone());
        let task = |task: Option<TaskId>| ("task", task.map_or(String::new(), |task| scenario.task(task).name.clone()));
        let mut fields = vec![("until", self.kind().id().to_owned())];
        match self {
            Self::Issued(of) | Self::HeadsQueue(of) | Self::FirstBlock(of) | Self::LastBlock(of) | Self::Completes(of) => {
                fields.push(row(of))
            }
            Self::FreeThreads { sm, below } => fields.extend([("sm", sm.0.to_string()), ("below", below.to_string())]),
            Self::Waits { kind, row: of } => {
                fields.push(("reason", reason_id(kind).unwrap_or("").to_owned()));
                fields.extend(of.map(row));
            }
            Self::DeadlineMissed(of) | Self::JobReleased(of) | Self::JobCompleted(of) => fields.push(task(of)),
            Self::PriorityInversion => {}
            Self::Resident(space) => fields.push(("process", trace.space_name(space))),
            Self::RuleUsed(rule) => fields.push(("rule", rule.id().to_owned())),
            Self::PartStarts(row, part) | Self::PartEnds(row, part) => fields.push(("part", part_name(scenario, row, part))),
        }
        fields
    }

    /// Reads the fields of a condition; `field` gives the value of a name, empty if there is none.
    ///
    /// # Errors
    /// Which field is wrong, its value, and what there is.
    pub fn read<'a>(trace: &Trace, field: impl Fn(&'static str) -> &'a str) -> Result<Self, ConditionError> {
        let kind = ConditionKind::from_id(field("until")).ok_or_else(|| ConditionError::NoCondition(field("until").to_owned()))?;
        let scenario = &**trace.scenario();
        let row = || row(scenario, field("row"));
        let part = || part(scenario, field("part"));
        let task = || match field("task") {
            "" => Ok(None),
            name => task(scenario, name).map(Some),
        };
        Ok(match kind {
            ConditionKind::Issued => Self::Issued(row()?),
            ConditionKind::HeadsQueue => Self::HeadsQueue(row()?),
            ConditionKind::FirstBlock => Self::FirstBlock(row()?),
            ConditionKind::LastBlock => Self::LastBlock(row()?),
            ConditionKind::Completes => Self::Completes(row()?),
            ConditionKind::FreeThreads => {
                let sms = scenario.device().sms;
                let sm = number("sm", field("sm"))?;
                if sm >= sms {
                    return Err(ConditionError::NoSm { sm, sms });
                }
                let threads = scenario.device().threads_per_sm;
                let below = number("below", field("below"))?;
                if !(1..=threads).contains(&below) {
                    return Err(ConditionError::ThreadsOutOfRange { below, threads });
                }
                Self::FreeThreads { sm: SmId::at(sm as usize), below }
            }
            ConditionKind::Waits => {
                Self::Waits { kind: reason_of(field("reason"))?, row: if field("row").is_empty() { None } else { Some(row()?) } }
            }
            ConditionKind::DeadlineMissed => Self::DeadlineMissed(task()?),
            ConditionKind::JobReleased => Self::JobReleased(task()?),
            ConditionKind::JobCompleted => Self::JobCompleted(task()?),
            ConditionKind::PriorityInversion => Self::PriorityInversion,
            ConditionKind::Resident => Self::Resident(process(trace, field("process"))?),
            ConditionKind::PartStarts => part().map(|(row, part)| Self::PartStarts(row, part))?,
            ConditionKind::PartEnds => part().map(|(row, part)| Self::PartEnds(row, part))?,
            ConditionKind::RuleUsed => {
                let rule = Rule::ALL.into_iter().find(|rule| rule.id() == field("rule"));
                Self::RuleUsed(rule.ok_or_else(|| ConditionError::NoRule(field("rule").to_owned()))?)
            }
        })
    }

    /// What happens, as the beginning of a sentence that a number of times can follow: `K4 starts`. A name stays as it is written.
    #[must_use]
    pub fn words(self, trace: &Trace) -> String {
        let scenario = trace.scenario();
        let name = |row: RowId| &scenario.row(row).name;
        let job =
            |task: Option<TaskId>| task.map_or_else(|| "A job".to_owned(), |task| format!("A job of task {}", scenario.task(task).name));
        match self {
            Self::Issued(row) => format!("{} is launched", name(row)),
            Self::HeadsQueue(row) => format!("{} reaches the head of its EE queue", name(row)),
            Self::FirstBlock(row) => format!("{} starts", name(row)),
            Self::LastBlock(row) => format!("{} is fully dispatched", name(row)),
            Self::Completes(row) => format!("{} ends", name(row)),
            Self::FreeThreads { sm, below: 1 } => format!("SM {} becomes full", sm.0),
            Self::FreeThreads { sm, below } => format!("SM {} has fewer than {} free threads", sm.0, format_count(below)),
            Self::Waits { row: None, .. } => "An operation begins to wait for this reason".to_owned(),
            Self::Waits { row: Some(row), .. } => format!("{} begins to wait for this reason", name(row)),
            Self::DeadlineMissed(task) => format!("{} misses its deadline", job(task)),
            Self::JobReleased(task) => format!("{} is released", job(task)),
            Self::JobCompleted(task) => format!("{} completes", job(task)),
            Self::PriorityInversion => "A priority inversion begins".to_owned(),
            Self::Resident(space) => format!("{} becomes resident", capitalized(&sentence::process(trace, space))),
            Self::RuleUsed(rule) => format!("Rule {} is used", rule.id()),
            Self::PartStarts(row, part) => format!("{} starts", part_name(scenario, row, part)),
            Self::PartEnds(row, part) => format!("{} ends", part_name(scenario, row, part)),
        }
    }

    /// What has become true by a step that was found, as a sentence without a full stop: its [`words`](Self::words), or more than they
    /// say where the state or the step tells it.
    #[must_use]
    pub fn describe(self, run: &Run, step: StepId) -> String {
        let trace = &*run.trace;
        let change = trace.step(step).change;
        let mut replay = run.replay();
        // What holds to the end of the instant is told as it stands there.
        let end = trace.steps().partition_point(|s| s.at <= trace.step(step).at) as u32;
        match self {
            Self::FreeThreads { sm, below } => {
                let state = replay.seek(end);
                let free = super::holds::free_threads(trace, state, sm);
                format!("SM {} has {} free threads, fewer than {}", sm.0, format_count(free), format_count(below))
            }
            Self::Waits { kind, row } => {
                let state = replay.seek(end);
                let found = waiting(trace, state, kind, row).and_then(|op| Some((op, crate::why::waits_for(trace, state, op)?)));
                match found {
                    Some((op, why)) => format!("{} waits: {}", trace.op_label(op), reason::words(trace, state, op, why)),
                    None => self.words(trace),
                }
            }
            Self::PriorityInversion => match inversion(trace, replay.seek(end)) {
                Some(found) => inversion_text(trace, found),
                None => self.words(trace),
            },
            Self::HeadsQueue(row) => {
                let level = match change {
                    Change::EeJoined { level, .. } | Change::EeLeft { level, .. } => Some(level),
                    _ => None,
                };
                let queue = level.map_or("its EE queue".to_owned(), |level| sentence::ee_queue(trace.scenario(), level));
                let state = replay.after(step);
                let stream = trace.layout().stream_of(row);
                let head = state.head(stream).map_or_else(|| trace.scenario().row(row).name.clone(), |op| trace.op_label(op));
                format!("{head} reaches the head of {queue}")
            }
            _ => {
                let text = sentence::sentence(trace, trace.step(step));
                text.strip_suffix('.').map_or(text.clone(), str::to_owned)
            }
        }
    }
}

fn inversion_text(trace: &Trace, found: Inversion) -> String {
    match found {
        Inversion::Room { high, low } => format!(
            "{} of high priority finds no room on any SM while {}, which is not of high priority, executes",
            trace.op_label(high),
            trace.op_label(low)
        ),
        Inversion::Barrier { high, low } => {
            format!(
                "{} of high priority waits for {} in the NULL stream, which is of low priority",
                trace.op_label(high),
                trace.op_label(low)
            )
        }
        Inversion::Turn { first, space } => {
            let name = &trace.scenario().task(first).name;
            format!("task {name} would be first, but {} has the GPU", sentence::process(trace, space))
        }
    }
}

fn row(scenario: &Scenario, name: &str) -> Result<RowId, ConditionError> {
    let found = scenario.rows().iter().position(|row| row.name == name);
    found.map(RowId::at).ok_or_else(|| ConditionError::NoKernel(name.to_owned()))
}

/// A copy or a block as the pictures name it: `C2o`, `K4:0`.
pub(super) fn part_name(scenario: &Scenario, row: RowId, part: Part) -> String {
    let name = &scenario.row(row).name;
    match part {
        Part::CopyIn => op_name(name, OpKind::CopyIn),
        Part::CopyOut => op_name(name, OpKind::CopyOut),
        Part::Block(block) => format!("{name}:{block}"),
    }
}

/// The copies of each kernel.
pub(super) fn copies(scenario: &Scenario) -> impl Iterator<Item = (RowId, Part)> + Clone + '_ {
    let kernels = scenario.rows().iter().enumerate().filter(|(_, row)| row.call == Call::Kernel);
    kernels.flat_map(|(i, row)| {
        let copies = [(row.copy_in.is_some(), Part::CopyIn), (row.copy_out.is_some(), Part::CopyOut)];
        copies.into_iter().filter(|(is_there, _)| *is_there).map(move |(_, part)| (RowId::at(i), part))
    })
}

fn part(scenario: &Scenario, name: &str) -> Result<(RowId, Part), ConditionError> {
    let block = || {
        let (kernel, number) = name.rsplit_once(':')?;
        let number: u32 = number.parse().ok()?;
        let is_its = |row: &KernelRow| row.name == kernel && row.call == Call::Kernel && u64::from(number) < row.blocks;
        Some((RowId::at(scenario.rows().iter().position(is_its)?), Part::Block(number)))
    };
    let copy = copies(scenario).find(|&(row, part)| part_name(scenario, row, part) == name);
    copy.or_else(block).ok_or_else(|| ConditionError::NoPart(name.to_owned()))
}

fn task(scenario: &Scenario, name: &str) -> Result<TaskId, ConditionError> {
    let found = scenario.tasks().iter().position(|task| task.name == name);
    found.map(TaskId::at).ok_or_else(|| ConditionError::NoTask(name.to_owned()))
}

fn process(trace: &Trace, name: &str) -> Result<SpaceId, ConditionError> {
    let policy = trace.scenario().policy().kind;
    if !policy.takes_turns() {
        return Err(ConditionError::NoTurns(policy));
    }
    let found = (0..trace.layout().spaces().len()).map(SpaceId::at).find(|&space| trace.space_name(space) == name);
    found.ok_or_else(|| ConditionError::NoProcess(name.to_owned()))
}

fn reason_of(id: &str) -> Result<ReasonKind, ConditionError> {
    let found = REASONS.iter().find(|(known, _)| *known == id);
    found.map(|(_, kind)| *kind).ok_or_else(|| ConditionError::NoReason(id.to_owned()))
}

fn number(field: &'static str, text: &str) -> Result<u64, ConditionError> {
    parse(Unit::Count, text).map_err(|why| ConditionError::Quantity { field, why })
}
