//! The questions of Explore, as the index shows them.
//!
//! Depends on `learn::explore`. Invariant: a picture shows the moment that its question is about.

use blockstep_learn::explore::{self, Card};
use blockstep_sim::units::Time;
use blockstep_view::position::Stop;

use crate::SiteError;
use crate::pictures::{Picture, ShownRun};

/// A question with its picture.
pub(crate) struct ShownQuestion {
    pub(crate) card: &'static Card,
    pub(crate) picture: Option<Picture>,
}

/// Every question, in the order of the page.
pub(crate) fn shown() -> Result<Vec<ShownQuestion>, SiteError> {
    let one = |card: &'static Card| {
        let shown = ShownRun::simulate(card.json())?;
        let stop = Stop::at_time(&shown.run.trace, Time(card.at_ns));
        let file = format!("question-{}.svg", card.id);
        Ok(ShownQuestion { card, picture: shown.timeline_picture(stop, file) })
    };
    explore::cards().iter().map(one).collect()
}
