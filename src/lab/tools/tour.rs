//! The tool "Tours": guided walks that drive the page.
//!
//! Depends on `learn::tour`. Invariants: the state holds the tour, the stop, what was answered, and how
//! far every tour was walked, so that a reader can leave and come back at any stop; a stop is shown
//! whole each time it is come to; whether the reader has wandered off follows from where they stand.

mod panel;

use super::query::Query;
use super::{Act, Answer, Asked, Event};
use crate::format;
use crate::learn::tour::{Place, Stop, Tour};
use crate::scenario::Draft;
use crate::units::Time;
use crate::view::document::Document;
use crate::view::position;

/// What the state keeps of the tour that is walked.
struct Walk {
    tour: Tour,
    /// Counted from 0.
    stop: usize,
}

/// What was done about a stop's question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answered {
    /// Nothing yet.
    No,
    /// The answer was looked at.
    Shown,
    /// A choice was made, counted from 0.
    Chose(usize),
}

/// Answers what the reader did.
///
/// # Errors
/// If the file of a tour cannot be read.
pub(super) fn answer(asked: &mut Asked<'_>) -> Result<Answer, String> {
    let mut desk = Desk { state: std::mem::take(&mut asked.state), acts: Vec::new(), note: None, has_moved: false };
    desk.respond(asked)?;
    let html = match desk.walk()? {
        None => panel::list(&Tour::all()?, &desk.state, desk.note.as_deref()),
        Some(walk) => {
            let is_there = desk.has_moved || desk.state.get("arrive") == "1" || is_at(asked, &walk)?;
            panel::stop(&walk.tour, walk.stop, desk.answered(&walk), is_there)
        }
    };
    Ok(Answer { state: desk.state, html, acts: desk.acts })
}

struct Desk {
    state: Query,
    acts: Vec<Act>,
    /// Something to say above the list.
    note: Option<String>,
    /// Whether the page is on its way to the stop.
    has_moved: bool,
}

impl Desk {
    fn respond(&mut self, asked: &mut Asked<'_>) -> Result<(), String> {
        let walk = self.walk()?;
        let event = asked.event.clone();
        match (&event, walk) {
            (Event::Opened(word), _) if word.starts_with("take ") => self.take(&Query::read(&word["take ".len()..])),
            (Event::Opened(word), _) if !word.is_empty() => self.open(word, asked),
            (Event::Opened(_), Some(walk)) if walk.current().is_veiled && is_at(asked, &walk)? => {
                self.acts.push(Act::Veil(self.is_veiled(&walk)));
                Ok(())
            }
            (Event::Did(word), walk) => match (word.split_once('=').unwrap_or((word, "")), walk) {
                (("go", word), _) => self.open(word, asked),
                (("close", _), Some(walk)) if walk.current().is_veiled => {
                    self.acts.push(Act::Veil(false));
                    Ok(())
                }
                (("leave", _), Some(walk)) => {
                    self.leave(&walk);
                    Ok(())
                }
                (("answer", choice), Some(walk)) => {
                    self.choose(&walk, choice);
                    Ok(())
                }
                (("next", _), Some(walk)) => self.next(walk, asked),
                (("back", _), Some(walk)) if walk.stop > 0 => self.visit(&Walk { stop: walk.stop - 1, ..walk }, asked),
                (("return", _), Some(walk)) => self.visit(&walk, asked),
                (("link", _), Some(walk)) => {
                    self.acts.push(Act::Copy(format!("{}/{}", walk.tour.id, walk.stop + 1)));
                    Ok(())
                }
                _ => Ok(()),
            },
            (Event::Changed(name), Some(walk)) if name == "stop" => match asked.fields.number("stop") {
                Some(stop) => self.open(&format!("{}/{stop}", walk.tour.id), asked),
                None => Ok(()),
            },
            (Event::Moved, Some(walk)) => self.moved(&walk, asked),
            _ => Ok(()),
        }
    }

    /// The tour and stop that the state names.
    fn walk(&self) -> Result<Option<Walk>, String> {
        let id = self.state.get("tour");
        if !Tour::ids().any(|known| known == id) {
            return Ok(None);
        }
        let tour = Tour::find(id)?;
        let stop = self.state.number("stop").and_then(|n| usize::try_from(n).ok()?.checked_sub(1)).unwrap_or(0);
        let stop = stop.min(tour.stops.len().saturating_sub(1));
        Ok(Some(Walk { tour, stop }))
    }

    /// Takes the place of a link, where the page is already; how far tours were walked stays.
    fn take(&mut self, place: &Query) -> Result<(), String> {
        self.state.set("arrive", "").set("answer", "").set("tour", place.get("tour")).set("stop", place.get("stop"));
        for answer in place.all("answer") {
            self.state.add("answer", answer);
        }
        if let Some(walk) = self.walk()? {
            self.acts.push(Act::Veil(self.is_veiled(&walk)));
        }
        Ok(())
    }

    /// `ID` or `ID/STOP`.
    fn open(&mut self, word: &str, asked: &mut Asked<'_>) -> Result<(), String> {
        let (id, stop) = word.split_once('/').unwrap_or((word, "1"));
        if !Tour::ids().any(|known| known == id) {
            self.note = Some(format!("There is no tour \"{id}\"; these there are."));
            self.state.set("tour", "");
            return Ok(());
        }
        let tour = Tour::find(id)?;
        let count = tour.stops.len();
        let Some(stop) = stop.parse::<usize>().ok().filter(|n| (1..=count).contains(n)) else {
            self.note = Some(format!("{} has no stop \"{stop}\"; it has {count}.", tour.title));
            self.state.set("tour", "");
            return Ok(());
        };
        if self.state.get("tour") != id {
            self.state.set("answer", "");
        }
        self.visit(&Walk { tour, stop: stop - 1 }, asked)
    }

    /// Goes to a stop: the page is to show what it is about.
    fn visit(&mut self, walk: &Walk, asked: &mut Asked<'_>) -> Result<(), String> {
        let (tour, stop) = (&walk.tour, walk.current());
        self.state.set("tour", tour.id.clone()).set("stop", (walk.stop + 1).to_string());
        self.mark("left", &tour.id, Some(walk.stop + 1));
        if walk.stop + 1 == tour.stops.len() {
            self.mark("done", &tour.id, None);
        }
        self.has_moved = true;
        // What an earlier stop opened may tell what this one asks.
        self.acts.push(Act::Alone);
        let text = tour.scenario(&stop.setting)?;
        if is_same(&asked.here.scenario, &text) {
            self.place(walk);
        } else {
            // What comes later must not be seen on the way.
            self.acts.push(Act::Veil(self.is_veiled(walk)));
            let at = match stop.place {
                Place::At(at) => at,
                Place::Step(step) => position::time_at(&asked.runs.get(&text, crate::trace::Variants::NONE)?.run.trace, step),
            };
            match tour.example(&stop.setting) {
                Some(id) => self.acts.push(Act::Example(id.to_owned())),
                None => {
                    self.acts.extend(tour.began(&stop.setting).map(Act::Began));
                    self.acts.push(Act::Open { at, scenario: text });
                }
            }
            self.state.set("arrive", "1");
        }
        if let Some((name, word)) = &stop.tool {
            self.acts.push(Act::Tool { name, word: word.clone() });
        }
        if let Some(study) = &stop.study {
            self.acts.push(Act::Study(study.clone()));
        }
        self.acts.push(Act::Say(format!("{}: {}", tour.stop_label(walk.stop), stop.title)));
        Ok(())
    }

    /// The scenario may have come on screen, or gone.
    fn moved(&mut self, walk: &Walk, asked: &Asked<'_>) -> Result<(), String> {
        let is_on_its_way = self.state.get("arrive") == "1";
        match is_same(&asked.here.scenario, &walk.tour.scenario(&walk.current().setting)?) {
            true if is_on_its_way => {
                self.place(walk);
                self.has_moved = true;
            }
            // What is on screen instead has nothing to hide.
            false if !is_on_its_way && self.is_veiled(walk) => self.acts.push(Act::Veil(false)),
            _ => {}
        }
        Ok(())
    }

    /// Where the reader stands in the scenario on screen, and what is in sight.
    fn place(&mut self, walk: &Walk) {
        let stop = walk.current();
        self.state.set("arrive", "");
        self.acts.push(Act::Veil(self.is_veiled(walk)));
        self.acts.push(match stop.show {
            Some(range) => Act::Show { from: range.start, to: range.end },
            None => Act::Show { from: Time::ZERO, to: Time::ZERO },
        });
        // Of a kernel that is selected the page tells why it waits, which may be what is asked here.
        let select = if self.is_veiled(walk) { None } else { stop.select.clone() };
        self.acts.push(Act::Select(select.unwrap_or_default()));
        self.acts.push(match stop.place {
            Place::Step(step) => Act::Go(step),
            Place::At(at) => Act::GoTime(at),
        });
    }

    fn is_veiled(&self, walk: &Walk) -> bool {
        walk.current().is_veiled && self.answered(walk) == Answered::No
    }

    fn next(&mut self, walk: Walk, asked: &mut Asked<'_>) -> Result<(), String> {
        if walk.current().ask.is_some() && self.answered(&walk) == Answered::No {
            self.choose(&walk, "0");
            return Ok(());
        }
        if walk.stop + 1 < walk.tour.stops.len() {
            return self.visit(&Walk { stop: walk.stop + 1, ..walk }, asked);
        }
        self.leave(&walk);
        // The next time it begins anew.
        self.unmark("left", &walk.tour.id);
        Ok(())
    }

    fn leave(&mut self, walk: &Walk) {
        if self.is_veiled(walk) {
            self.acts.push(Act::Veil(false));
        }
        self.state.set("tour", "").set("stop", "").set("answer", "").set("arrive", "");
        self.acts.push(Act::Say("List of tours.".to_owned()));
    }

    // ---- Questions ----

    /// `choice` counts from 1; 0 has the answer shown.
    fn choose(&mut self, walk: &Walk, choice: &str) {
        let Some(ask) = &walk.current().ask else { return };
        let Some(choice) = choice.parse::<usize>().ok().filter(|&n| n <= ask.choices.len()) else { return };
        if self.is_veiled(walk) {
            self.acts.push(Act::Veil(false));
            self.acts.extend(walk.current().select.clone().map(Act::Select));
        }
        self.state.add("answer", format!("{}:{choice}", walk.stop + 1));
        self.acts.push(Act::Say(panel::verdict(ask, self.answered(walk))));
    }

    fn answered(&self, walk: &Walk) -> Answered {
        let of_stop = |entry: &str| {
            let (stop, choice) = entry.split_once(':')?;
            (stop.parse() == Ok(walk.stop + 1)).then(|| choice.parse::<usize>().ok())?
        };
        match self.state.all("answer").find_map(of_stop) {
            None => Answered::No,
            Some(0) => Answered::Shown,
            Some(choice) => Answered::Chose(choice - 1),
        }
    }

    // ---- How far tours were walked ----

    fn mark(&mut self, name: &'static str, id: &str, stop: Option<usize>) {
        self.unmark(name, id);
        let entry = stop.map_or_else(|| id.to_owned(), |stop| format!("{id}/{stop}"));
        self.state.add(name, entry);
    }

    fn unmark(&mut self, name: &'static str, id: &str) {
        let is_of = |entry: &&str| entry.split('/').next() == Some(id);
        let kept: Vec<String> = self.state.all(name).filter(|entry| !is_of(entry)).map(str::to_owned).collect();
        self.state.set(name, "");
        for entry in kept {
            self.state.add(name, entry);
        }
    }
}

impl Walk {
    fn current(&self) -> &Stop {
        &self.tour.stops[self.stop]
    }
}

/// Whether the reader stands where the stop is.
fn is_at(asked: &Asked<'_>, walk: &Walk) -> Result<bool, String> {
    let stop = walk.current();
    let trace = &asked.here.made.run.trace;
    let position = match stop.place {
        Place::Step(step) => step.min(trace.steps().len() as u32),
        Place::At(at) => position::at_time(trace, at),
    };
    Ok(asked.here.position == position && is_same(&asked.here.scenario, &walk.tour.scenario(&stop.setting)?))
}

/// Whether two files hold the same scenario once they are on screen.
fn is_same(a: &str, b: &str) -> bool {
    let shown = |text: &str| -> Option<Draft> { Some(Document::new(format::read_scenario(text).ok()?).draft()) };
    a == b || shown(a).is_some_and(|a| shown(b) == Some(a))
}
