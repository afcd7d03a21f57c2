//! The inset that a stop asks for.
//!
//! Invariant: what is right comes from the stop's run, and is told only once it may be known.

use super::state::{Answered, State, Walk};
use super::view::{StopQuestion, StopVerdict};
use crate::runs::Simulation;
use crate::tool::{Context, ToolError};
use blockstep_learn::quiz::{Filled, Inset};
use blockstep_learn::tour::{Paragraph, ParagraphPiece, Tour};
use blockstep_sim::trace::Variants;

/// What is misplaced is told of so often at most.
const MAX_TOLD: usize = 6;

/// An inset with the run that it is of.
pub(super) struct AskedInset {
    pub(super) inset: Inset,
    simulation: Simulation,
    question: Paragraph,
}

impl AskedInset {
    /// The inset of a stop; `None` of one without.
    ///
    /// # Errors
    /// If the stop's run cannot be made.
    pub(super) fn of(walk: &Walk, context: &mut Context<'_>) -> Result<Option<Self>, ToolError> {
        let stop = walk.current();
        let Some(ask) = stop.ask.as_ref().filter(|ask| ask.inset.is_some()) else { return Ok(None) };
        let simulation = context.runs.get(&walk.tour.scenario(&stop.setting)?, Variants::NONE)?;
        let inset = Tour::inset(stop, &simulation.run);
        Ok(inset.map(|inset| Self { inset, simulation, question: ask.question.clone() }))
    }

    /// Whether all is right, and what is to be said of it.
    pub(super) fn verdict(&self, filled: &Filled) -> StopVerdict {
        let misplaced = self.inset.misplaced(&mut self.simulation.run.replay(), filled);
        let is_right = misplaced.is_empty();
        let said = |text: String| ParagraphPiece::Text(text);
        let mut why: Vec<Paragraph> =
            misplaced.iter().take(MAX_TOLD).map(|of| Paragraph(vec![said(of.text.clone() + " "), ParagraphPiece::Rule(of.rule)])).collect();
        if is_right {
            why.push(Paragraph(vec![said("Everything is where the run has it.".to_owned())]));
        }
        if misplaced.len() > MAX_TOLD {
            why.push(Paragraph(vec![said(format!("{} more differ.", misplaced.len() - MAX_TOLD))]));
        }
        StopVerdict { is_right, why }
    }

    /// The right answer in words.
    pub(super) fn right(&self) -> String {
        format!("{}.", self.inset.in_words(self.inset.right()))
    }

    /// As the panel shows it.
    pub(super) fn shown(&self, state: &State, walk: &Walk) -> StopQuestion {
        let answered = state.answered(walk);
        let is_open = answered == Answered::No;
        let verdict = if let Answered::Filled(filled) = &answered { Some(self.verdict(filled)) } else { None };
        let is_right = verdict.as_ref().is_some_and(|verdict| verdict.is_right);
        let right = Paragraph(vec![ParagraphPiece::Text(self.right())]);
        StopQuestion {
            question: self.question.clone(),
            is_open,
            choices: Vec::new(),
            inset: is_open.then(|| self.inset.view(&self.simulation.run.trace, &state.filled.parse().unwrap_or_default())),
            answer: (!is_open && !is_right).then_some((right, Paragraph::default())),
            verdict,
        }
    }

    /// What came of it, for screen readers.
    pub(super) fn spoken(&self, answered: &Answered) -> String {
        let Answered::Filled(filled) = answered else { return format!("The answer: {}", self.right()) };
        let verdict = self.verdict(filled);
        let why: Vec<String> = verdict.why.iter().map(Paragraph::plain).collect();
        if verdict.is_right {
            format!("Right. {}", why.join(" "))
        } else {
            format!("Not quite. {} The answer: {}", why.join(" "), self.right())
        }
    }
}
