//! Measured traces: logs of a real GPU beside the rules, and laid over the run on screen.
//!
//! Depends on `measured`, `check`, `format` and `draw`. Invariants: the logs are in [`Logs`], the tool remembers only their
//! mark; what is made up says so wherever it is shown or saved; what cannot be judged is said.
//!
//! Words: none, or `files` with files that were opened.
//!
//! [`Logs`]: crate::runs::logs::Logs

mod conform;
mod export;
mod panel;
mod read;
mod wide;
mod words;

use std::sync::Arc;

use super::query::Query;
use super::{Act, Answer, Asked, Event, Here};
use crate::check::measured::TOLERANCE_NS;
use crate::format;
use crate::learn::made_up::{Clocks, made_up};
use crate::measured::fit::Fit;
use crate::measured::rebuild::{Rebuilt, rebuild};
use crate::measured::{InferredDevice, Measured};
use crate::runs::logs::Names;
use crate::runs::{self, Runs, Simulation};
use crate::scenario::{BuiltIn, Device, DeviceDraft};
use crate::units::Time;
use crate::view::markup::Markup;
use crate::view::measured::BlockAt;
use crate::view::quantity::{self, Unit};

/// Most blocks of a run that logs are made up of.
const MAX_MADE_UP: usize = 20_000;
/// The clocks of logs that are made up.
const CLOCKS: Clocks = Clocks { offset_ns: 1_234_567_890, noise_ns: 900, seed: 20_360 };

/// What the tool remembers.
#[derive(Clone, Default)]
struct State {
    /// Of the logs; empty without any.
    mark: String,
    is_made_up: bool,
    /// Of the scenario that was made of a config opened with them; empty without one.
    config: String,
    /// A built-in device; empty is what the logs suggest.
    device: String,
    /// As it was typed; empty is [`TOLERANCE_NS`].
    tolerance: String,
    /// The violation that is shown, from 1.
    see: Option<usize>,
    /// What of the logs is in sight where they are not laid over a run, ns from their first block.
    part: Option<(u64, u64)>,
    /// What is wrong with the files opened last.
    problem: String,
    /// Of the scenario that was built from these logs; empty without one.
    built: String,
    /// Parts that were opened, or closed where they are open at first.
    folds: Vec<String>,
    /// How far the page's timeline was asked to reach, ns.
    reach: u64,
}

impl State {
    fn read(query: &Query) -> Self {
        Self {
            mark: query.get("logs").to_owned(),
            is_made_up: query.get("made-up") == "1",
            config: query.get("config").to_owned(),
            device: query.get("device").to_owned(),
            tolerance: query.get("tolerance").to_owned(),
            see: query.number("see").map(|n| n as usize),
            part: query.number("from").zip(query.number("to")).filter(|(from, to)| from < to),
            problem: query.get("problem").to_owned(),
            built: query.get("built").to_owned(),
            folds: query.all("fold").map(str::to_owned).collect(),
            reach: query.number("reach").unwrap_or(0),
        }
    }

    fn write(&self) -> Query {
        let mut query = Query::new();
        let flag = |is_on: bool| if is_on { "1" } else { "" };
        query.set("logs", &*self.mark).set("made-up", flag(self.is_made_up)).set("config", &*self.config);
        query.set("device", &*self.device).set("tolerance", &*self.tolerance);
        let number = |n: Option<u64>| n.map(|n| n.to_string()).unwrap_or_default();
        query.set("see", number(self.see.map(|n| n as u64)));
        query.set("from", number(self.part.map(|p| p.0))).set("to", number(self.part.map(|p| p.1)));
        query.set("problem", &*self.problem).set("built", &*self.built);
        query.set("reach", number(Some(self.reach).filter(|&reach| reach > 0)));
        self.folds.iter().for_each(|fold| {
            query.add("fold", &**fold);
        });
        query
    }

    /// Writes the button that opens and closes a part; whether it is open.
    fn fold(&self, html: &mut Markup, name: &str, title: &str, is_open_at_first: bool) -> bool {
        let is_open = self.folds.iter().any(|fold| fold == name) != is_open_at_first;
        let (word, keep) = (format!("fold {name}"), format!("measured-fold-{name}"));
        let attributes = [
            ("type", "button"),
            ("class", "measured-fold"),
            ("data-do", &*word),
            ("data-keep", &*keep),
            ("aria-expanded", if is_open { "true" } else { "false" }),
        ];
        html.leaf("button", &attributes, title);
        is_open
    }

    /// Notes what is wrong, in short.
    fn complain(&mut self, problem: &str) {
        const MOST: usize = 1_500;
        self.problem = problem.chars().take(MOST).collect();
        if self.problem.len() < problem.len() {
            self.problem.push('…');
        }
    }

    /// The tolerance, or what is wrong with what was typed.
    fn tolerance_ns(&self) -> Result<u64, String> {
        if self.tolerance.trim().is_empty() { Ok(TOLERANCE_NS) } else { quantity::parse(Unit::Time, &self.tolerance) }
    }
}

/// Where the scenario on screen is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// It was built from these logs, and knows nothing that they do not say.
    Logs,
    /// From a config of the examiner.
    Config,
    /// Somebody wrote it.
    Own,
}

/// Logs, and how they are looked at.
struct View<'a> {
    measured: Arc<Measured>,
    names: Names,
    inferred: Arc<InferredDevice>,
    /// The device that they are judged by.
    device: Device,
    /// It is not one that the reader chose.
    is_inferred: bool,
    is_made_up: bool,
    tolerance_ns: u64,
    laid: Option<Laid<'a>>,
}

/// Logs laid over the run on screen.
struct Laid<'a> {
    fit: Arc<Fit>,
    made: &'a Simulation,
    /// By log and kernel, the kernel in the fit.
    of_kernel: Vec<Vec<Option<usize>>>,
}

impl<'a> Laid<'a> {
    fn new(fit: Arc<Fit>, made: &'a Simulation, measured: &Measured) -> Self {
        let mut of_kernel: Vec<Vec<Option<usize>>> = measured.logs.iter().map(|log| vec![None; log.kernels.len()]).collect();
        for (i, kernel) in fit.kernels.iter().enumerate() {
            of_kernel[kernel.log][kernel.kernel] = Some(i);
        }
        Self { fit, made, of_kernel }
    }

    /// The place of a block in the fit.
    fn of_block(&self, (log, kernel, number): BlockAt) -> Option<usize> {
        let range = self.fit.kernels[self.of_kernel[log][kernel]?].blocks.clone();
        let found = self.fit.blocks[range.clone()].binary_search_by_key(&number, |block| block.measured);
        found.ok().map(|at| range.start + at)
    }
}

/// Answers what the reader does.
///
/// # Errors
/// None; what is wrong with files is said in the panel.
pub(super) fn answer(asked: &mut Asked<'_>) -> Result<Answer, String> {
    let mut state = State::read(&asked.state);
    let mut acts = Vec::new();
    let mut word = String::new();
    if !matches!(asked.event, Event::Moved) {
        state.problem.clear();
    }
    if matches!(asked.event, Event::Changed(_)) {
        // Others may be violations then.
        state.see = None;
    }
    match asked.event.clone() {
        Event::Opened(of) => {
            // Whatever the page showed before.
            state.reach = u64::MAX;
            if of == "files" {
                open(&mut state, asked, &mut acts);
            }
        }
        Event::Did(of) => match of.split_once(' ').unwrap_or((&of, "")) {
            ("fold", name) => {
                let before = state.folds.len();
                state.folds.retain(|fold| fold != name);
                if state.folds.len() == before {
                    state.folds.push(name.to_owned());
                }
            }
            ("try", _) => try_it(&mut state, asked),
            ("forget", _) => state = State { reach: state.reach, ..State::default() },
            ("close", _) => {
                acts.extend([Act::Extend(Time::ZERO), Act::Wide(String::new()), Act::Close]);
                state.reach = 0;
                return Ok(Answer { state: state.write(), html: String::new(), acts });
            }
            ("submit", _) => asked.fields.get("tolerance").clone_into(&mut state.tolerance),
            ("whole", _) => (state.part, state.see) = (None, None),
            _ => word = of,
        },
        Event::Changed(name) if name == "tolerance" => asked.fields.get("tolerance").clone_into(&mut state.tolerance),
        Event::Changed(name) if name == "device" => asked.fields.get("device").clone_into(&mut state.device),
        Event::Changed(_) | Event::Moved => {}
    }
    let (here, runs) = (&asked.here, &mut *asked.runs);
    let Some(view) = view(&state, here, runs) else {
        acts.extend(reach(&mut state, Time::ZERO, here, runs));
        acts.push(Act::Wide(String::new()));
        let html = panel::empty(&state);
        return Ok(Answer { state: state.write(), html, acts });
    };
    let on_screen = mark(&here.scenario);
    let origin = match () {
        () if state.built == on_screen => Origin::Logs,
        () if state.config == on_screen => Origin::Config,
        () => Origin::Own,
    };
    let found = conform::judge(&view, here, origin, runs);
    let mut notes = Vec::new();
    match word.split_once(' ').unwrap_or((&word, "")) {
        ("build", _) => match built(&view, &state) {
            Ok(Rebuilt { draft, .. }) => {
                let scenario = format::write_scenario(&draft);
                state.built = mark(&scenario);
                state.folds.retain(|fold| fold != "notes");
                acts.push(Act::Say(match draft.kernels.len() {
                    1 => "The scenario is built: 1 kernel.".to_owned(),
                    count => format!("The scenario is built: {} kernels.", quantity::format_count(count as u64)),
                }));
                acts.push(Act::Open { at: Time::ZERO, scenario });
            }
            Err(problem) => state.complain(&problem),
        },
        ("csv", _) => acts.push(export::csv(&view)),
        ("see", number) => {
            state.see = number.parse().ok().filter(|&n| (1..=found.violations.len()).contains(&n));
            if let Some(n) = state.see {
                acts.extend(wide::visit(&mut state, &view, &found.violations[n - 1]));
            }
        }
        _ => {}
    }
    if !state.built.is_empty() {
        notes = built(&view, &state).map(|rebuilt| rebuilt.notes).unwrap_or_default();
    }
    let end = view.laid.as_ref().map_or(Time::ZERO, |laid| {
        let last = view.measured.blocks().map(|block| block.end_ns).max();
        last.map_or(Time::ZERO, |last| laid.fit.simulated(last))
    });
    acts.extend(reach(&mut state, end, here, runs));
    acts.push(Act::Wide(wide::wide(&state, &view, &found, here, runs)));
    let html = panel::panel(&state, &view, &found, &notes);
    Ok(Answer { state: state.write(), html, acts })
}

/// Takes what was opened.
fn open(state: &mut State, asked: &mut Asked<'_>, acts: &mut Vec<Act>) {
    match read::read(&asked.files) {
        Err(problem) => state.complain(&problem),
        Ok(read) => {
            if let Some(measured) = read.measured {
                let said = match measured.logs.len() {
                    1 => "1 log was read.".to_owned(),
                    count => format!("{} logs were read.", quantity::format_count(count as u64)),
                };
                asked.runs.logs.keep(read.mark.clone(), measured);
                *state = State { mark: read.mark, tolerance: std::mem::take(&mut state.tolerance), reach: state.reach, ..State::default() };
                acts.push(Act::Say(said));
            }
            if let Some(draft) = read.scenario {
                let scenario = format::write_scenario(&draft);
                state.config = if read.is_config { mark(&scenario) } else { String::new() };
                acts.push(Act::Open { at: Time::ZERO, scenario });
            }
        }
    }
}

/// Makes up logs of the run on screen.
fn try_it(state: &mut State, asked: &mut Asked<'_>) {
    let made = &asked.here.made;
    if made.records.blocks.len() > MAX_MADE_UP {
        let most = quantity::format_count(MAX_MADE_UP as u64);
        state.problem = format!("The run on screen has more than {most} blocks: open a smaller one to try it with.");
        return;
    }
    let measured = made_up(&made.run.trace, &made.records, CLOCKS);
    if measured.blocks().next().is_none() {
        "No block of the run on screen ends: open another one to try it with.".clone_into(&mut state.problem);
        return;
    }
    let mark = runs::mark(["made up", &asked.here.scenario].into_iter());
    asked.runs.logs.keep(mark.clone(), Arc::new(measured));
    *state = State { mark, is_made_up: true, tolerance: std::mem::take(&mut state.tolerance), reach: state.reach, ..State::default() };
}

/// The logs as they are looked at, if they are still here.
fn view<'a>(state: &State, here: &'a Here, runs: &mut Runs) -> Option<View<'a>> {
    let (measured, names, inferred) = runs.logs.get(&state.mark)?;
    let laid = runs.logs.fit(&here.made).map(|fit| Laid::new(fit, &here.made, &measured));
    let chosen = BuiltIn::find(&state.device);
    let (device, is_inferred) = (chosen.map_or_else(|| inferred.device.clone(), BuiltIn::device), chosen.is_none());
    let tolerance_ns = state.tolerance_ns().unwrap_or(TOLERANCE_NS);
    Some(View { measured, names, inferred, device, is_inferred, is_made_up: state.is_made_up, tolerance_ns, laid })
}

/// The scenario that the logs tell of.
fn built(view: &View<'_>, state: &State) -> Result<Rebuilt, String> {
    let id = BuiltIn::find(&state.device).map(|device| device.id).or(view.inferred.built_in);
    let device = id.map_or_else(|| DeviceDraft::Custom(view.inferred.device.clone()), |id| DeviceDraft::BuiltIn(id.to_owned()));
    let mut rebuilt = rebuild(&view.measured, device)?;
    if state.device.is_empty() {
        rebuilt.notes.splice(0..0, view.inferred.notes.iter().cloned());
    }
    crate::scenario::Scenario::new(&rebuilt.draft)
        .map_err(|error| format!("The scenario that the logs tell of cannot be simulated on {}:\n{error}", view.device.name))?;
    Ok(rebuilt)
}

/// Tells a scenario file from others.
fn mark(scenario: &str) -> String {
    runs::mark(std::iter::once(scenario))
}

/// Has the page's timeline reach as far as what was measured.
fn reach(state: &mut State, end: Time, here: &Here, runs: &mut Runs) -> Option<Act> {
    let own = runs.timeline(&here.made).end();
    let reach = if end > own { end } else { Time::ZERO };
    if state.reach == reach.ns() {
        return None;
    }
    state.reach = reach.ns();
    Some(Act::Extend(reach))
}
