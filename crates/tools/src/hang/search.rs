//! The question that was asked last, in portions, and the numbers of the table on screen.
//!
//! Invariant: what is kept only saves time: a question that is not here begins anew.

use super::{Msg, named};
use crate::tool::Effects;
use blockstep_format as format;
use blockstep_protocol::Effect;
use blockstep_resident::{Hang, MAX_STATES, Question, Refused, Report, Resident, Stage, can_ask, residents};
use blockstep_sim::scenario::Draft;
use blockstep_sim::work::{Budget, Progress};

/// Units of work of one event: some hundredths of a second.
const PORTION: u64 = 200_000;

/// The question that was asked last.
#[derive(Default)]
pub struct Asked {
    kept: Option<Kept>,
    /// Of the scenario file on screen.
    told: Option<(String, Told)>,
}

/// What is known of a table before any search.
pub(super) struct Told {
    pub(super) residents: Vec<Resident>,
    /// Kernels that need all their blocks at once.
    pub(super) together: Vec<String>,
    /// Why there is nothing to ask.
    pub(super) refused: Option<Refused>,
}

impl Told {
    fn new(draft: &Draft) -> Self {
        let refused = can_ask(draft).err();
        // Where processes take turns, their kernels do not stand beside each other.
        let residents = if matches!(refused, Some(Refused::Turns(_))) { Vec::new() } else { residents(draft) };
        let together = draft.kernels.iter().filter(|row| row.barrier || row.cooperative).map(|row| row.name.clone()).collect();
        Self { residents, together, refused }
    }
}

/// A question about a scenario file.
pub(super) struct Kept {
    pub(super) scenario: String,
    draft: Draft,
    pub(super) question: Question,
    /// Who waits for whom in the end, once an order hangs.
    pub(super) end: Option<String>,
    /// Why the search cannot go on.
    pub(super) failed: Option<String>,
}

impl Kept {
    pub(super) fn name(&self) -> &str {
        &self.draft.name
    }

    pub(super) fn is_over(&self) -> bool {
        self.question.stage() == Stage::Over || self.failed.is_some()
    }
}

impl Asked {
    /// The question, if one was asked.
    pub(super) fn kept(&self) -> Option<&Kept> {
        self.kept.as_ref()
    }

    /// What is known of a scenario file before any search.
    pub(super) fn told(&mut self, scenario: &str) -> &Told {
        let known = self.told.take().filter(|(of, _)| of == scenario);
        // The page wrote it.
        let told = || (scenario.to_owned(), Told::new(&format::read_scenario(scenario).unwrap_or_default()));
        &self.told.insert(known.unwrap_or_else(told)).1
    }

    /// Makes a portion of the search, or begins it; what the page is to do then.
    pub(super) fn advance(&mut self, scenario: &str) -> Effects {
        if self.kept.as_ref().is_none_or(|kept| kept.scenario != scenario) {
            let asked = format::read_scenario(scenario).ok().and_then(|draft| {
                let question = Question::new(&draft, MAX_STATES).ok()?;
                Some(Kept { scenario: scenario.to_owned(), draft, question, end: None, failed: None })
            });
            let Some(asked) = asked else { return Vec::new() };
            // That before goes first.
            self.kept = None;
            self.kept = Some(asked);
        }
        let Some(kept) = self.kept.as_mut().filter(|kept| !kept.is_over()) else { return Vec::new() };
        let was_open = kept.question.report().is_none();
        let progress = match kept.question.advance(&mut Budget::new(PORTION)) {
            Ok(progress) => progress,
            Err(why) => {
                kept.failed = Some(why.to_string());
                return Vec::new();
            }
        };
        let mut effects = Vec::new();
        if let Some(report) = kept.question.report().filter(|_| was_open) {
            kept.end = report.hang().and_then(Hang::end);
            effects.push(announced(report));
        }
        if progress == Progress::Paused {
            effects.push(Effect::Continue);
        }
        effects
    }

    /// The table that a message opens, and whether the reader is to stand at the end of its run.
    pub(super) fn opened(&self, message: Msg) -> Option<(Draft, bool)> {
        let kept = self.kept.as_ref()?;
        let report = kept.question.report();
        let found = report.and_then(Report::hang);
        match message {
            Msg::Search | Msg::Cancel => None,
            Msg::OpenHang => Some((named(found?.witness.table.clone()?, "hangs"), true)),
            Msg::OpenSmallest => Some((named(report?.smallest.as_ref()?.witness.table.clone()?, "the smallest that hangs"), true)),
            Msg::OpenRepair(place) => {
                let repair = report?.repairs.get(place as usize)?;
                Some((named(repair.draft.clone(), &repair.way.sentence()), false))
            }
            Msg::OpenAsked => Some((kept.draft.clone(), false)),
        }
    }
}

/// An answer for screen readers.
fn announced(report: &Report) -> Effect {
    Effect::Announce(if report.hangs() { "The search has an answer: it can hang.".to_owned() } else { report.verdict() })
}
