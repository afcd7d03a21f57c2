//! Run until: a condition, and the steps at which it becomes true, on or back.
//!
//! Invariant: a condition stands in the tool's memory as text, and what is wrong with it is said, not guessed.

mod controls;

use serde::{Deserialize, Serialize};

pub use controls::{Control, ParameterEntry};

use crate::runs::scenario_mark;
use crate::tool::pairs::words;
use crate::tool::{Context, Effects, Event, Pair, ReaderPlace, Tool, ToolError, memory};
use blockstep_learn::until::{self, Condition, ConditionError, ConditionKind, Occurrences, Parameter, REASONS};
use blockstep_protocol::Effect;
use blockstep_sim::engine::Run;
use blockstep_sim::scenario::{Call, KernelRow};
use blockstep_sim::trace::{Rule, Trace};
use blockstep_sim::units::{SpaceId, StepId, Time};
use blockstep_view::quantity::{format_count, format_time};

/// The tool.
pub struct Until;

/// The condition, as it was typed and chosen, and what was said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The sort of condition, by its id.
    pub until: String,
    /// A kernel's name.
    pub row: String,
    /// The number of an SM.
    pub sm: String,
    /// A number of threads.
    pub below: String,
    /// A reason to wait, by its id.
    pub reason: String,
    /// A task's name.
    pub task: String,
    /// A process's name.
    pub process: String,
    /// A rule's id.
    pub rule: String,
    /// The name of a copy or a block.
    pub part: String,
    /// The kernel that was selected on the page last.
    pub selected: String,
    /// The condition that `message` is about: its fields, in lines.
    pub asks: String,
    /// The [`scenario_mark`] of the scenario that it is about.
    pub scenario: String,
    /// What was said last.
    #[serde(rename = "said")]
    pub message: String,
    /// Steps applied where it was found last.
    pub step: Option<u32>,
    /// Steps applied where it is true, if it is not any more in the direction of the last search.
    pub elsewhere: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    Previous,
    Next,
    /// The next time that a phrase becomes true, as the bar of steps takes it.
    NextOf(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub kind: ConditionKind,
    pub kinds: Vec<ConditionKind>,
    pub controls: Vec<Control>,
    pub outcome: SearchOutcome,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SearchOutcome {
    /// The condition cannot be looked for: why.
    Problem(String),
    Found {
        /// Steps applied once it is true.
        position: u32,
        place: String,
        what: String,
    },
    /// It does not become true in this direction, but in the other one.
    Elsewhere {
        /// Steps applied once it is true.
        position: u32,
        said: String,
    },
    /// How often it becomes true, or that it never does.
    Says(String),
}

impl Tool for Until {
    type State = State;
    type Msg = Msg;
    type View = View;
    const PAIRS: &'static [Pair] = &[
        Pair::one_of("until", || words(ConditionKind::ALL, ConditionKind::id)),
        Pair::text("row"),
        Pair::text("sm"),
        Pair::text("below"),
        Pair::one_of("reason", || words(REASONS, |(id, _)| id)),
        Pair::text("task"),
        Pair::text("process"),
        Pair::one_of("rule", || words(Rule::ALL, Rule::id)),
        Pair::text("part"),
    ];

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
        let place = &context.place;
        let run = &place.simulation.run;
        let scenario = scenario_mark(&place.scenario);
        if state.scenario != scenario {
            state.forget(&run.trace);
        }
        let (mut direction, mut is_typed) = (None, false);
        match event {
            Event::Opened(word) => state.take(&word),
            Event::Message(Msg::Previous) => direction = Some(Direction::Back),
            Event::Message(Msg::Next) => direction = Some(Direction::On),
            Event::Message(Msg::NextOf(phrase)) => match until::parse_phrase(&run.trace, &phrase) {
                Ok(condition) => {
                    state.set_condition(&condition.write(&run.trace));
                    direction = Some(Direction::On);
                    is_typed = true;
                }
                Err(why) => return Ok(vec![Effect::Complain(why.to_string())]),
            },
            Event::OpenedWith(_) | Event::Moved | Event::Continued | Event::Edit(_) | Event::Closed => {}
        }
        state.settle(place);
        let condition = state.condition(&run.trace);
        let asks = FIELDS.map(|name| state.field(name)).join("\n");
        if state.asks != asks || state.scenario != scenario {
            let count = condition.as_ref().map(|&condition| times(until::find(run, place.position, condition).count)).unwrap_or_default();
            (state.asks, state.scenario, state.message) = (asks, scenario, count);
            (state.step, state.elsewhere) = (None, None);
        }
        Ok(match (direction, condition) {
            (Some(direction), Ok(condition)) => state.search(direction, condition, place, is_typed),
            _ => Vec::new(),
        })
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        let trace = &*context.place.simulation.run.trace;
        let kind = state.kind();
        let is_offered = |of: &ConditionKind| *of != ConditionKind::Resident || takes_turns(trace) || *of == kind;
        Ok(View {
            kind,
            kinds: ConditionKind::ALL.into_iter().filter(is_offered).collect(),
            controls: kind.parameters().iter().map(|&parameter| Control::new(parameter, state.field(parameter.name()), trace)).collect(),
            outcome: match state.condition(trace) {
                Err(problem) => SearchOutcome::Problem(problem.to_string()),
                Ok(_) => state.outcome(context.place.position),
            },
        })
    }
}

/// Where a search goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    On,
    Back,
}

/// What a condition is made of, by the names in links.
const FIELDS: [&str; 9] = ["until", "row", "sm", "below", "reason", "task", "process", "rule", "part"];

impl State {
    fn field(&self, name: &str) -> &str {
        match name {
            "until" => &self.until,
            "row" => &self.row,
            "sm" => &self.sm,
            "below" => &self.below,
            "reason" => &self.reason,
            "task" => &self.task,
            "process" => &self.process,
            "rule" => &self.rule,
            "part" => &self.part,
            _ => "",
        }
    }

    /// What the condition needs to know, as it was chosen or typed.
    pub fn parameter_mut(&mut self, parameter: Parameter) -> &mut String {
        match parameter {
            Parameter::Row | Parameter::AnyRow => &mut self.row,
            Parameter::Sm => &mut self.sm,
            Parameter::Below => &mut self.below,
            Parameter::Reason => &mut self.reason,
            Parameter::AnyTask => &mut self.task,
            Parameter::Process => &mut self.process,
            Parameter::Rule => &mut self.rule,
            Parameter::Part => &mut self.part,
        }
    }

    /// Takes what a link names; of what it does not name, it keeps what it has.
    fn take(&mut self, word: &str) {
        let named = |name: &str| memory::without(word, name).1;
        if let Some(until) = named("until") {
            self.until = until;
        }
        let parameters = [
            Parameter::Row,
            Parameter::Sm,
            Parameter::Below,
            Parameter::Reason,
            Parameter::AnyTask,
            Parameter::Process,
            Parameter::Rule,
            Parameter::Part,
        ];
        for parameter in parameters {
            if let Some(value) = named(parameter.name()) {
                *self.parameter_mut(parameter) = value;
            }
        }
    }

    /// Takes the fields of a condition; the others stay.
    fn set_condition(&mut self, fields: &[(&'static str, String)]) {
        // Where these are left out, any will do.
        (self.row, self.task) = (String::new(), String::new());
        self.take(&fields.iter().fold(String::new(), |word, (name, value)| memory::with(&word, name, value.as_str())));
    }

    fn kind(&self) -> ConditionKind {
        ConditionKind::from_id(&self.until).unwrap_or(ConditionKind::FirstBlock)
    }

    /// # Errors
    /// What is wrong with it.
    fn condition(&self, trace: &Trace) -> Result<Condition, ConditionError> {
        Condition::read(trace, |name| self.field(name))
    }

    /// Forgets names that another scenario does not have.
    fn forget(&mut self, trace: &Trace) {
        let scenario = trace.scenario();
        if !scenario.rows().iter().any(|row| row.name == self.row) {
            self.row.clear();
        }
        if !scenario.tasks().iter().any(|task| task.name == self.task) {
            self.task.clear();
        }
        if !(0..trace.layout().spaces().len()).any(|space| trace.space_name(SpaceId::at(space)) == self.process) {
            self.process.clear();
        }
    }

    /// Fills in what is not chosen yet: the kernel selected on the page, else the first of each list.
    fn settle(&mut self, place: &ReaderPlace) {
        let trace = &*place.simulation.run.trace;
        let scenario = trace.scenario();
        let selected = place.selected.map(|row| scenario.row(row).name.clone()).unwrap_or_default();
        if self.selected != selected {
            self.selected.clone_from(&selected);
            if !selected.is_empty() {
                self.row = selected;
            }
        }
        let kind = self.kind();
        kind.id().clone_into(&mut self.until);
        let needs_row = kind.parameters().contains(&Parameter::Row);
        let has_kernel = |row: &&KernelRow| row.call == Call::Kernel;
        let first_kernel = scenario.rows().iter().find(has_kernel).map(|row| format!("{}:0", row.name));
        let first = [
            (Parameter::Row, if needs_row { scenario.rows().first().map(|row| row.name.clone()) } else { None }),
            (Parameter::Sm, Some("0".to_owned())),
            (Parameter::Below, Some((scenario.device().threads_per_sm / 2).max(1).to_string())),
            (Parameter::Reason, REASONS.first().map(|(id, _)| (*id).to_owned())),
            (Parameter::Process, if takes_turns(trace) { Some(trace.space_name(SpaceId(0))) } else { None }),
            (Parameter::Rule, Some(Rule::G1.id().to_owned())),
            (Parameter::Part, if kind.parameters().contains(&Parameter::Part) { first_kernel } else { None }),
        ];
        for (parameter, value) in first {
            let field = self.parameter_mut(parameter);
            if field.is_empty() {
                *field = value.unwrap_or_default();
            }
        }
    }

    /// Looks for the condition, and says what came of it. If it was typed and does not become true again, the page goes to its last
    /// time and says so, or complains that there is none: the panel, which would say it, may be closed.
    fn search(&mut self, direction: Direction, condition: Condition, place: &ReaderPlace, is_typed: bool) -> Effects {
        let run = &place.simulation.run;
        let found = until::find(run, place.position, condition);
        let (step, number) = match direction {
            Direction::Back => (found.previous, found.before - u32::from(found.here.is_some())),
            Direction::On => (found.next, found.before + 1),
        };
        if let Some(step) = step {
            let which = (found.count > 1).then_some((number, found.count));
            let said = found_at(step.0 + 1, run.trace.step(step).at, &condition.describe(run, step), which);
            (self.step, self.elsewhere, self.message) = (Some(step.0 + 1), None, said.clone());
            return vec![Effect::GoToStep(step.0 + 1), Effect::Announce(said)];
        }
        let elsewhere = elsewhere(run, condition, direction, found);
        let said = elsewhere.as_ref().map_or_else(|| times(0), |(_, said)| said.clone());
        (self.step, self.message) = (None, said.clone());
        self.elsewhere = elsewhere.as_ref().map(|(step, _)| step.0 + 1);
        match elsewhere {
            _ if !is_typed => vec![Effect::Announce(said)],
            Some((step, _)) => vec![Effect::GoToStep(step.0 + 1), Effect::Announce(said.clone()), Effect::Say(said)],
            None => vec![Effect::Announce(said.clone()), Effect::Complain(said)],
        }
    }

    /// What was said last; of where the reader is, no way leads there.
    fn outcome(&self, here: u32) -> SearchOutcome {
        match (self.step, self.elsewhere, self.message.split_once(": ")) {
            (Some(position), _, Some((place, what))) => SearchOutcome::Found { position, place: place.to_owned(), what: what.to_owned() },
            (_, Some(position), _) if position != here => SearchOutcome::Elsewhere { position, said: self.message.clone() },
            _ => SearchOutcome::Says(self.message.clone()),
        }
    }
}

fn takes_turns(trace: &Trace) -> bool {
    trace.scenario().policy().kind.takes_turns()
}

/// Where something happens that does not happen again in a direction, and that: `K4 starts once, at 1 s.`; `None` if it never does.
fn elsewhere(run: &Run, condition: Condition, direction: Direction, found: Occurrences) -> Option<(StepId, String)> {
    let (step, which) = match direction {
        Direction::On => (found.here.or(found.previous), "the last"),
        Direction::Back => (found.here.or(found.next), "the first"),
    };
    let step = step?;
    let at = format_time(run.trace.step(step).at.ns());
    let words = condition.words(&run.trace);
    Some(match found.count {
        1 => (step, format!("{words} once, at {at}.")),
        count => (step, format!("{words} {} times, {which} at {at}.", format_count(count.into()))),
    })
}

/// Step and time, and what happens there; where it happens several times, which time of how many this is.
fn found_at(step: u32, at: Time, what: &str, which: Option<(u32, u32)>) -> String {
    let place = format!("Step {} ({})", format_count(step.into()), format_time(at.ns()));
    match which {
        Some((number, count)) => format!("{place}: {what} ({} of {}).", format_count(number.into()), format_count(count.into())),
        None => format!("{place}: {what}."),
    }
}

/// How often something happens.
fn times(count: u32) -> String {
    match count {
        0 => "Never in this run.".to_owned(),
        1 => "Once in this run.".to_owned(),
        count => format!("{} times in this run.", format_count(count.into())),
    }
}
