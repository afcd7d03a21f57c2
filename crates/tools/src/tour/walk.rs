//! Walking a tour: what an event changes, and what the page is to do.
//!
//! Invariant: a stop that is come to puts everything on the page in its place, whatever was there.

use super::inset::AskedInset;
use super::msg::Msg;
use super::state::{Answered, State, Walk, chosen};
use crate::tool::{Context, Effects, Event, ReaderPlace, ToolError, memory};
use blockstep_format as format;
use blockstep_learn::quiz::{Filled, Inset};
use blockstep_learn::tour::{self, Tour, TourError, TourQuestion};
use blockstep_protocol::Effect;
use blockstep_sim::scenario::Draft;
use blockstep_sim::trace::Variants;
use blockstep_sim::units::Time;
use blockstep_view::document::Document;
use blockstep_view::position;

/// Takes an event.
///
/// # Errors
/// If the file of a tour cannot be read.
pub(super) fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
    let walk = state.walk()?;
    let mut handler = EventHandler { state, effects: Vec::new() };
    handler.respond(event, walk, context)?;
    Ok(handler.effects)
}

struct EventHandler<'a> {
    state: &'a mut State,
    effects: Effects,
}

impl EventHandler<'_> {
    fn respond(&mut self, event: Event<Msg>, walk: Option<Walk>, context: &mut Context<'_>) -> Result<(), ToolError> {
        match (event, walk) {
            (Event::Opened(word), _) if word.starts_with("take ") => self.take(memory::read(&word["take ".len()..])),
            (Event::Opened(word), _) if !word.is_empty() => self.open(&word, context),
            (Event::Opened(_), Some(walk)) if walk.current().is_future_hidden && walk.is_at(self.state.place(&walk), &context.place)? => {
                self.hide(self.state.is_future_hidden(&walk));
                Ok(())
            }
            (Event::Closed, Some(walk)) => {
                if walk.current().is_future_hidden {
                    self.hide(false);
                }
                self.restore_work(&walk)
            }
            (Event::Moved, Some(walk)) => self.moved(&walk, &context.place),
            (Event::Message(Msg::Walk { tour, stop }), _) => self.open(&format!("{tour}/{stop}"), context),
            (Event::Message(message), Some(walk)) => self.act(message, walk, context),
            _ => Ok(()),
        }
    }

    /// What the reader did at a stop.
    fn act(&mut self, message: Msg, walk: Walk, context: &mut Context<'_>) -> Result<(), ToolError> {
        match message {
            Msg::GoTo(stop) => return self.open(&format!("{}/{stop}", walk.tour.id), context),
            Msg::Next => return self.next(walk, context),
            Msg::Back if walk.stop > 0 => return self.visit(&Walk { stop: walk.stop - 1, ..walk }, context),
            Msg::Return => return self.visit(&walk, context),
            Msg::Choose(choice) => return self.choose(&walk, Some(choice), context),
            Msg::Put { piece, place } => return self.fill(&walk, place, context, |inset, filled| inset.put(filled, piece, place)),
            Msg::Take { piece, place } => return self.fill(&walk, place, context, |inset, filled| inset.take(filled, piece, place)),
            Msg::Check => {
                let filled = format!("i{}", self.state.filled);
                return self.answer(&walk, &filled, context);
            }
            Msg::Leave => {
                self.restore_work(&walk)?;
                self.leave(&walk);
            }
            Msg::CopyLink => self.effects.push(Effect::CopyLink(format!("{}/{}", walk.tour.id, walk.stop + 1))),
            Msg::Back | Msg::Walk { .. } => {}
        }
        Ok(())
    }

    fn hide(&mut self, is_hidden: bool) {
        self.effects.push(Effect::HideFuture(is_hidden));
    }

    /// Takes the place of a link, where the page is already; how far tours were walked stays.
    fn take(&mut self, linked: State) -> Result<(), ToolError> {
        let State { tour, stop, answer, .. } = linked;
        let (left, done) = (std::mem::take(&mut self.state.left), std::mem::take(&mut self.state.done));
        *self.state = State { tour, stop, answer, left, done, ..State::default() };
        if let Some(walk) = self.state.walk()? {
            self.hide(self.state.is_future_hidden(&walk));
        }
        Ok(())
    }

    /// `ID` or `ID/STOP`.
    fn open(&mut self, word: &str, context: &mut Context<'_>) -> Result<(), ToolError> {
        let (id, stop) = word.split_once('/').unwrap_or((word, "1"));
        if !Tour::ids().any(|known| known == id) {
            self.refuse(format!("There is no tour \"{id}\". Choose one of these."));
            return Ok(());
        }
        let tour = Tour::find(id)?;
        let count = tour.stops.len();
        let Some(stop) = stop.parse::<usize>().ok().filter(|n| (1..=count).contains(n)) else {
            self.refuse(format!("{} has no stop \"{stop}\"; it has {count}.", tour.title));
            return Ok(());
        };
        if self.state.tour != id {
            self.state.answer.clear();
            self.state.filled.clear();
        }
        self.visit(&Walk { tour, stop: stop - 1 }, context)
    }

    /// Shows the list, and why.
    fn refuse(&mut self, note: String) {
        self.state.note = Some(note);
        self.state.tour.clear();
    }

    /// Goes to a stop: the page is to show what it is about.
    fn visit(&mut self, walk: &Walk, context: &mut Context<'_>) -> Result<(), ToolError> {
        let (tour, stop) = (&walk.tour, walk.current());
        self.state.tour.clone_from(&tour.id);
        if self.state.stop != Some(walk.stop + 1) {
            self.state.filled.clear();
        }
        self.state.stop = Some(walk.stop + 1);
        mark(&mut self.state.left, &tour.id, format!("{}/{}", tour.id, walk.stop + 1));
        if walk.stop + 1 == tour.stops.len() {
            mark(&mut self.state.done, &tour.id, tour.id.clone());
        }
        self.state.has_moved = true;
        // What an earlier stop opened may tell what this one asks.
        self.effects.push(Effect::CloseOthers);
        let scenario = tour.scenario(&stop.setting)?;
        if is_same(&context.place.scenario, &scenario) {
            self.place(walk);
        } else {
            self.effects.push(Effect::KeepWork);
            // What comes later must not be seen on the way.
            self.hide(self.state.is_future_hidden(walk));
            let at = match self.state.place(walk) {
                tour::TourPlace::At(at) => at,
                tour::TourPlace::Step(step) => position::time_at(&context.runs.get(&scenario, Variants::NONE)?.run.trace, step),
            };
            let began_as = tour.began(&stop.setting).map(str::to_owned);
            self.effects.push(match tour.example(&stop.setting) {
                Some(id) => Effect::OpenExample(id.to_owned()),
                None => Effect::OpenScenario { at, scenario, began_as },
            });
            self.state.arrive = true;
        }
        if let Some((name, word)) = &stop.tool {
            self.effects.push(Effect::OpenTool { name: (*name).to_owned(), word: word.clone() });
        }
        self.effects.extend(stop.study.clone().map(Effect::OpenStudy));
        self.effects.push(Effect::Announce(format!("{}: {}", tour.stop_label(walk.stop), stop.title)));
        Ok(())
    }

    /// The scenario may have come on screen, or gone.
    fn moved(&mut self, walk: &Walk, place: &ReaderPlace) -> Result<(), ToolError> {
        match is_same(&place.scenario, &walk.tour.scenario(&walk.current().setting)?) {
            true if self.state.arrive => {
                self.place(walk);
                self.state.has_moved = true;
            }
            // What is on screen instead has nothing to hide.
            false if !self.state.arrive && self.state.is_future_hidden(walk) => self.hide(false),
            _ => {}
        }
        Ok(())
    }

    /// Where the reader stands in the scenario on screen, and what is in sight.
    fn place(&mut self, walk: &Walk) {
        let stop = walk.current();
        self.state.arrive = false;
        let is_future_hidden = self.state.is_future_hidden(walk);
        self.hide(is_future_hidden);
        let (from, to) = stop.show.map_or((Time::ZERO, Time::ZERO), |range| (range.start, range.end));
        self.effects.push(Effect::ShowRange { from, to });
        self.effects.push(Effect::ShowPath(stop.is_path_shown));
        // Of a kernel that is selected the page tells why it waits, which may be what is asked here.
        let select = if is_future_hidden { None } else { stop.select.clone() };
        self.effects.push(Effect::SelectRow(select.unwrap_or_default()));
        self.effects.push(match self.state.place(walk) {
            tour::TourPlace::Step(step) => Effect::GoToStep(step),
            tour::TourPlace::At(at) => Effect::GoToTime(at),
        });
    }

    fn next(&mut self, walk: Walk, context: &mut Context<'_>) -> Result<(), ToolError> {
        if walk.current().ask.is_some() && self.state.answered(&walk) == Answered::No {
            return self.choose(&walk, None, context);
        }
        if walk.stop + 1 < walk.tour.stops.len() {
            return self.visit(&Walk { stop: walk.stop + 1, ..walk }, context);
        }
        self.restore_work(&walk)?;
        self.leave(&walk);
        // The next time it begins anew.
        unmark(&mut self.state.left, &walk.tour.id);
        Ok(())
    }

    fn leave(&mut self, walk: &Walk) {
        if self.state.is_future_hidden(walk) {
            self.hide(false);
        }
        self.state.tour.clear();
        self.state.answer.clear();
        self.state.filled.clear();
        (self.state.stop, self.state.arrive) = (None, false);
        self.effects.push(Effect::Announce("List of tours.".to_owned()));
    }

    /// Brings the reader's own scenario back in place of the stop's.
    fn restore_work(&mut self, walk: &Walk) -> Result<(), ToolError> {
        self.effects.push(Effect::RestoreWork(walk.tour.scenario(&walk.current().setting)?));
        Ok(())
    }

    /// Takes a choice, counted from 0; without one the answer is shown.
    fn choose(&mut self, walk: &Walk, choice: Option<usize>, context: &mut Context<'_>) -> Result<(), ToolError> {
        let Some(ask) = &walk.current().ask else { return Ok(()) };
        if choice.is_some_and(|choice| choice >= ask.choices.len()) {
            return Ok(());
        }
        self.answer(walk, &choice.map_or(0, |choice| choice + 1).to_string(), context)
    }

    /// Takes an answer as it is remembered; the first one counts.
    fn answer(&mut self, walk: &Walk, answer: &str, context: &mut Context<'_>) -> Result<(), ToolError> {
        let inset = AskedInset::of(walk, context)?;
        let (Some(ask), Answered::No) = (&walk.current().ask, self.state.answered(walk)) else { return Ok(()) };
        if answer.starts_with('i') && (inset.is_none() || answer == "i") {
            return Ok(());
        }
        if self.state.is_future_hidden(walk) {
            self.hide(false);
            self.effects.extend(walk.current().select.clone().map(Effect::SelectRow));
        }
        self.state.answer.push(format!("{}:{answer}", walk.stop + 1));
        self.state.filled.clear();
        let answered = self.state.answered(walk);
        if let Some(at) = ask.inset {
            // There what was asked for is seen.
            self.state.has_moved = true;
            self.effects.push(Effect::GoToTime(at));
        }
        self.effects.push(Effect::Announce(inset.map_or_else(|| verdict(ask, &answered), |inset| inset.spoken(&answered))));
        Ok(())
    }

    /// Changes what a box of the inset holds, and says what it holds then.
    fn fill(
        &mut self,
        walk: &Walk,
        place: usize,
        context: &mut Context<'_>,
        change: impl Fn(&Inset, &mut Filled),
    ) -> Result<(), ToolError> {
        if let (Some(asked), Answered::No) = (AskedInset::of(walk, context)?, self.state.answered(walk)) {
            let mut filled = self.state.filled.parse().unwrap_or_default();
            change(&asked.inset, &mut filled);
            self.state.filled = filled.to_string();
            self.effects.push(Effect::Announce(asked.inset.box_in_words(&filled, place)));
        }
        Ok(())
    }
}

impl Walk {
    /// Whether the reader stands there in the stop's scenario.
    pub(super) fn is_at(&self, at: tour::TourPlace, place: &ReaderPlace) -> Result<bool, TourError> {
        let stop = self.current();
        Ok(place.position == at.position(&place.simulation.run.trace) && is_same(&place.scenario, &self.tour.scenario(&stop.setting)?))
    }
}

/// Puts a tour's entry at the end of a list, in place of the one it had.
fn mark(list: &mut Vec<String>, id: &str, entry: String) {
    unmark(list, id);
    list.push(entry);
}

fn unmark(list: &mut Vec<String>, id: &str) {
    list.retain(|entry| entry.split('/').next() != Some(id));
}

/// What came of a question, for screen readers.
fn verdict(ask: &TourQuestion, answered: &Answered) -> String {
    let right = ask.choices.iter().find(|c| c.is_right);
    let right = right.map_or_else(String::new, |c| format!("{} {}", c.text.plain(), c.why.plain()));
    match chosen(ask, answered) {
        Some(choice) if choice.is_right => format!("Right. {}", choice.why.plain()),
        Some(choice) => format!("Not quite. {} The answer: {right}", choice.why.plain()),
        None => format!("The answer: {right}"),
    }
}

/// Whether two files hold the same scenario once they are on screen.
fn is_same(a: &str, b: &str) -> bool {
    let shown = |text: &str| -> Option<Draft> { Some(Document::new(format::read_scenario(text).ok()?).draft()) };
    a == b || shown(a).is_some_and(|a| shown(b) == Some(a))
}
