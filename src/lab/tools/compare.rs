//! Compare: runs of one table beside the one on screen, under one cursor.
//!
//! Depends on `learn::compare`, `draw` and the page's panels. Invariants: a run with changed rules is
//! marked as such in every heading, table and file; what cannot be run is said in words in the place
//! of its picture.
//!
//! Words: none (choose what is most telling), `policy=fifo`, `device=tx1`, `variant=a,b`, `pin` (the run
//! on screen) or `pin=` a scenario file, more than one joined by `&`.

mod beside;
mod export;
mod mapped;
mod panel;
mod tables;
mod wide;

use std::sync::Arc;

use beside::{Beside, MAX_BESIDE, Other, differing, telling};

use super::query::Query;
use super::{Act, Answer, Asked, Event, Here};
use crate::learn::compare::{Differences, Lockstep};
use crate::runs::{Simulation, scenario_mark};
use crate::units::Time;

/// Sentences about one stop.
const MAX_SENTENCES: usize = 6;

/// What the tool remembers.
#[derive(Default)]
struct State {
    others: Vec<Other>,
    /// The scenario file that was pinned.
    pin: String,
    by: Lockstep,
    /// Which of the others the differences are from.
    with: Option<Other>,
    /// Those whose queues are shown.
    queues: Vec<Other>,
    /// How far the page's timeline was asked to reach, ns.
    reach: u64,
    /// A run that differs, offered where one does not, and of which scenario it is known.
    instead: Option<Other>,
    instead_of: String,
}

impl State {
    fn read(query: &Query) -> Self {
        let others = |name: &str| query.all(name).filter_map(Other::read).collect();
        Self {
            others: others("run"),
            pin: query.get("pin").to_owned(),
            by: lockstep(query.get("by")),
            with: Other::read(query.get("with")),
            queues: others("queues"),
            reach: query.number("reach").unwrap_or(0),
            instead: Other::read(query.get("instead")),
            instead_of: query.get("instead_of").to_owned(),
        }
    }

    fn write(&self) -> Query {
        let mut query = Query::new();
        for other in &self.others {
            query.add("run", other.key());
        }
        for other in &self.queues {
            query.add("queues", other.key());
        }
        query.set("pin", &*self.pin).set("by", if self.by == Lockstep::Decision { "decision" } else { "" });
        query.set("with", self.with.map(Other::key).unwrap_or_default());
        query.set("instead", self.instead.map(Other::key).unwrap_or_default()).set("instead_of", &*self.instead_of);
        query.set("reach", if self.reach > 0 { self.reach.to_string() } else { String::new() });
        query
    }

    /// Adds a run, or takes it away.
    fn toggle(&mut self, other: Other) {
        if self.others.contains(&other) {
            self.others.retain(|o| *o != other);
        } else if self.others.len() < MAX_BESIDE {
            self.others.push(other);
            self.with = Some(other);
        }
    }

    /// Puts a run in the place of the one that the differences are from.
    fn replace(&mut self, other: Other) {
        let with = self.with.filter(|with| self.others.contains(with)).or(self.others.first().copied());
        self.others.retain(|o| *o != other);
        match self.others.iter_mut().find(|o| Some(**o) == with) {
            Some(place) => *place = other,
            None => self.others.push(other),
        }
        self.with = Some(other);
    }

    /// Finds out which run differs from the one on screen, once for each.
    fn look_for_another(&mut self, asked: &mut Asked<'_>) {
        let of = scenario_mark(&asked.here.scenario);
        if self.instead_of != of {
            self.instead = differing(&asked.here, asked.runs);
            self.instead_of = of;
        }
    }

    /// Takes the runs that a word names.
    fn open(&mut self, word: &str, asked: &mut Asked<'_>) {
        let word = Query::read(word);
        let named = ["policy", "device", "variant", "pin"].map(|name| word.all(name).map(move |value| format!("{name}={value}")));
        let named: Vec<Other> = named.into_iter().flatten().filter_map(|key| Other::read(&key)).take(MAX_BESIDE).collect();
        if named.contains(&Other::Pinned) {
            let given = word.get("pin");
            if given.is_empty() { &asked.here.scenario } else { given }.clone_into(&mut self.pin);
        }
        if !named.is_empty() {
            self.with = named.first().copied();
            self.others = named;
        } else if self.others.is_empty() {
            self.others.extend(telling(&asked.here, asked.runs));
        }
    }
}

fn lockstep(word: &str) -> Lockstep {
    if word == "decision" { Lockstep::Decision } else { Lockstep::Time }
}

/// The run that differences are from, and where it differs.
struct Subject<'b> {
    beside: &'b Beside,
    differences: Arc<Differences>,
}

/// Answers what the reader does.
///
/// # Errors
/// None; what cannot be compared is said in the panel.
pub(super) fn answer(asked: &mut Asked<'_>) -> Result<Answer, String> {
    let mut state = State::read(&asked.state);
    let mut acts = Vec::new();
    let (mut move_to, mut save) = (String::new(), String::new());
    match asked.event.clone() {
        Event::Opened(word) => {
            state.open(&word, asked);
            // Whatever the page showed before.
            state.reach = u64::MAX;
        }
        Event::Did(word) => match word.split_once(' ').unwrap_or((&word, "")) {
            ("toggle", key) => Other::read(key).into_iter().for_each(|other| state.toggle(other)),
            ("instead", key) => Other::read(key).into_iter().for_each(|other| state.replace(other)),
            ("pin", _) => {
                asked.here.scenario.clone_into(&mut state.pin);
                if !state.others.contains(&Other::Pinned) {
                    state.toggle(Other::Pinned);
                }
                acts.push(Act::Say("The run on screen is pinned. Edit the table to compare with it.".to_owned()));
            }
            ("queues", key) => {
                let other = Other::read(key);
                if state.queues.iter().any(|o| Some(*o) == other) {
                    state.queues.retain(|o| Some(*o) != other);
                } else {
                    state.queues.extend(other);
                }
            }
            ("close", _) => {
                state.reach = 0;
                acts.extend([Act::Extend(Time::ZERO), Act::Wide(String::new()), Act::Close]);
                return Ok(Answer { state: state.write(), html: String::new(), acts });
            }
            ("csv" | "figure", _) => save = word,
            _ => move_to = word,
        },
        Event::Changed(name) if name == "by" => state.by = lockstep(asked.fields.get("by")),
        Event::Changed(name) if name == "rule" => Other::read(asked.fields.get("rule")).into_iter().for_each(|other| state.toggle(other)),
        Event::Changed(name) if name == "with" => state.with = Other::read(asked.fields.get("with")),
        Event::Changed(_) | Event::Moved => {}
    }
    let beside: Vec<Beside> = state.others.iter().map(|&other| Beside::new(other, &asked.here, &state.pin, asked.runs)).collect();
    let subject = beside.iter().find(|b| Some(b.other) == state.with).or(beside.first());
    let subject = subject.and_then(|beside| {
        let differences = asked.runs.differences(&asked.here.made, beside.made.as_ref().ok()?);
        Some(Subject { beside, differences })
    });
    if subject.as_ref().is_some_and(|subject| subject.differences.stops().is_empty()) {
        state.look_for_another(asked);
    }
    if let Some(subject) = &subject {
        acts.extend(go(&move_to, subject, asked));
    }
    acts.extend(reach(&mut state, &beside, asked));
    match save.as_str() {
        "csv" => acts.push(export::csv(&beside, asked)),
        "figure" => acts.push(export::figure(&beside, asked)),
        _ => {}
    }
    acts.push(Act::Wide(wide::wide(&state, &beside, asked)));
    let html = panel::panel(&state, &beside, subject.as_ref(), &asked.here);
    Ok(Answer { state: state.write(), html, acts })
}

/// Goes to the first, next or previous difference. What is shown is of the place gone to.
fn go(word: &str, subject: &Subject<'_>, asked: &mut Asked<'_>) -> Vec<Act> {
    let (found, here) = (&*subject.differences, &mut asked.here);
    let target = match word {
        "first" => (!found.stops().is_empty()).then_some(0),
        "next" => found.next(here.at, here.position),
        "previous" => found.previous(here.at, here.position),
        _ => None,
    };
    let Some(target) = target else {
        let said = match word {
            "next" => "There is no later difference.",
            "previous" => "There is no earlier difference.",
            "first" => "The two runs do the same at every instant.",
            _ => return Vec::new(),
        };
        return vec![Act::Say(said.to_owned())];
    };
    let stop = &found.stops()[target];
    (here.at, here.position) = (stop.at, stop.position_a);
    // Where only the other run does something, the one on screen may have no step then.
    let act = if found.is_of_b(target) { Act::GoTime(stop.at) } else { Act::Go(stop.position_a) };
    let said = subject.beside.with_pair(here, |pair, _| pair.stop(found, target, MAX_SENTENCES).join(" "));
    vec![act, Act::Say(format!("Difference {} of {}. {}", target + 1, found.stops().len(), said.unwrap_or_default()))]
}

/// Has the page's timeline reach as far as the longest run.
fn reach(state: &mut State, beside: &[Beside], asked: &mut Asked<'_>) -> Option<Act> {
    let mut end = |made: &Simulation| asked.runs.timeline(made).end();
    let own = end(&asked.here.made);
    let longest = beside.iter().filter_map(|b| b.made.as_ref().ok()).map(end).max().unwrap_or(Time::ZERO);
    let reach = if longest > own { longest } else { Time::ZERO };
    if state.reach == reach.ns() {
        return None;
    }
    state.reach = reach.ns();
    Some(Act::Extend(reach))
}
