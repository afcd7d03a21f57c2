//! Pictures of runs, as other pages show them too.
//!
//! Depends on reports. Invariant: what a picture shows is said in words beside it.

use std::sync::Arc;

use blockstep_format::{Embed, read_scenario};
use blockstep_report::poster::{Poster, poster};
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::Scenario;
use blockstep_view::position::Stop;
use blockstep_view::sentence::spoken;
use blockstep_view::timeline::Timeline;

use crate::SiteError;

/// A run with what its pictures are drawn from.
pub(crate) struct ShownRun {
    pub(crate) run: Run,
    pub(crate) records: Arc<Records>,
    timeline: Timeline,
}

/// A picture.
pub(crate) struct Picture {
    /// Its file, from the folder of the pages.
    pub(crate) file: String,
    /// Whether that is a file of these pages; else it is one of the site.
    pub(crate) is_own: bool,
    pub(crate) svg: String,
    /// The timeline alone, which is broad, as chats show pictures.
    pub(crate) chat: Option<String>,
    /// The moment that it shows, in words.
    pub(crate) words: String,
    /// What is drawn: of a large run its timeline alone.
    pub(crate) kind: &'static str,
    /// As the document says it, px.
    pub(crate) width: String,
    pub(crate) height: String,
}

/// Width and height of an SVG, px, as its first element says them.
pub(crate) fn size_of(svg: &str) -> [&str; 2] {
    let said = |start: &str| svg.split_once(start).and_then(|(_, rest)| rest.split_once('"')).map_or("", |(value, _)| value);
    [" width=\"", " height=\""].map(said)
}

impl ShownRun {
    /// Simulates a scenario file.
    pub(crate) fn simulate(scenario: &str) -> Result<Self, SiteError> {
        let run = engine::simulate(&Scenario::new(&read_scenario(scenario)?)?, Limits::default());
        let records = Arc::new(Records::new(&run.trace));
        let timeline = Timeline::new(&run.trace, &records);
        Ok(Self { run, records, timeline })
    }

    /// What is said of a moment, in a sentence.
    pub(crate) fn words(&self, stop: Stop) -> String {
        spoken(&self.run.trace, stop)
    }

    /// The picture of a moment with what is said of it, in a file of these pages (`is_own`) or of the site.
    pub(crate) fn picture(&self, stop: Stop, words: String, file: String, is_own: bool) -> Option<Picture> {
        let Poster { svg, timeline_px } = poster(&self.run, &self.timeline, stop, None, Embed::Both)?;
        let [width, height] = size_of(&svg).map(str::to_owned);
        let kind = if timeline_px.to_string() == height { "Timeline" } else { "Timeline and queues" };
        let chat = poster(&self.run, &self.timeline, stop, None, Embed::Timeline).map(|poster| poster.svg);
        Some(Picture { chat, file, is_own, words, kind, width, height, svg })
    }

    /// The picture of the timeline at a moment, in a file of these pages.
    pub(crate) fn timeline_picture(&self, stop: Stop, file: String) -> Option<Picture> {
        let Poster { svg, .. } = poster(&self.run, &self.timeline, stop, None, Embed::Timeline)?;
        let [width, height] = size_of(&svg).map(str::to_owned);
        Some(Picture { chat: None, file, is_own: true, words: self.words(stop), kind: "Timeline", width, height, svg })
    }
}
