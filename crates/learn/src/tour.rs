//! Tours: guided walks through the figures of the papers, each a file of its own.
//!
//! Depends on `format` for reading and on `examples` for what tours are about. Invariants: a tour that
//! was read has its scenarios, knows its rules, and says at every stop which scenario is on screen
//! and where the reader stands; a stop is a whole, so that a reader can begin at any. What the texts
//! state is checked against the runs by the claims beside them, in the tests.

mod picture;
mod read;
pub mod text;

pub use picture::{Picture, PictureKind};
pub use text::{Paragraph, ParagraphError, ParagraphPiece};

use crate::quiz::Inset;
use blockstep_format as format;
use blockstep_format::FormatError;
use blockstep_sim::engine::Run;
use blockstep_sim::examples;
use blockstep_sim::scenario::{DeviceDraft, PolicyKind};
use blockstep_sim::trace::Trace;
use blockstep_sim::units::{Time, TimeRange};
use blockstep_view::position::{self, Stop};

/// Every tour: id and file, sorted by id.
// One a line.
#[rustfmt::skip]
const TOURS: &[(&str, &str)] = &[
    ("cuda-hangs", include_str!("tours/cuda-hangs.json")),
    ("cuda-threads", include_str!("tours/cuda-threads.json")),
    ("edf-channels", include_str!("tours/edf-channels.json")),
    ("edf-fig-1", include_str!("tours/edf-fig-1.json")),
    ("edf-fig-2", include_str!("tours/edf-fig-2.json")),
    ("edf-fig-2b", include_str!("tours/edf-fig-2b.json")),
    ("edf-fig-3", include_str!("tours/edf-fig-3.json")),
    ("edf-fig-4", include_str!("tours/edf-fig-4.json")),
    ("edf-listings", include_str!("tours/edf-listings.json")),
    ("edf-six-processes", include_str!("tours/edf-six-processes.json")),
    ("gcaps-algorithm-1", include_str!("tours/gcaps-algorithm-1.json")),
    ("lp-fig-1", include_str!("tours/lp-fig-1.json")),
    ("lp-fig-2", include_str!("tours/lp-fig-2.json")),
    ("lp-fig-3", include_str!("tours/lp-fig-3.json")),
    ("lp-fig-4", include_str!("tours/lp-fig-4.json")),
    ("lp-fig-5", include_str!("tours/lp-fig-5.json")),
    ("lp-fig-6", include_str!("tours/lp-fig-6.json")),
    ("mt-fig-1", include_str!("tours/mt-fig-1.json")),
    ("mt-fig-2", include_str!("tours/mt-fig-2.json")),
    ("mt-fig-3", include_str!("tours/mt-fig-3.json")),
    ("start", include_str!("tours/start.json")),
    ("tx2-fig-1", include_str!("tours/tx2-fig-1.json")),
    ("tx2-fig-10", include_str!("tours/tx2-fig-10.json")),
    ("tx2-fig-2", include_str!("tours/tx2-fig-2.json")),
    ("tx2-fig-3", include_str!("tours/tx2-fig-3.json")),
    ("tx2-fig-4", include_str!("tours/tx2-fig-4.json")),
    ("tx2-fig-5", include_str!("tours/tx2-fig-5.json")),
    ("tx2-fig-6", include_str!("tours/tx2-fig-6.json")),
    ("tx2-fig-7", include_str!("tours/tx2-fig-7.json")),
    ("tx2-fig-8", include_str!("tours/tx2-fig-8.json")),
    ("tx2-fig-9", include_str!("tours/tx2-fig-9.json")),
];

/// What tours are about, in the order of lists: the name in [`Tour::paper`], and a heading.
pub const PAPERS: [(&str, &str); 6] = [
    ("TX2", "How one GPU schedules (Amert et al. 2017)"),
    ("EDF", "Deadlines and servers (Capodieci et al. 2018)"),
    ("LP", "Limited preemption (Spliet and Mullins 2018)"),
    ("MT", "Multitasking schedulers (Muyan-\u{d6}z\u{e7}elik and Owens 2016)"),
    ("GCAPS", "A policy as a text (Wang et al. 2024)"),
    ("CUDA", "What the program makes the GPU wait for"),
];

/// The tools that a stop can open.
const TOOLS: [&str; 11] = ["ask", "batch", "compare", "figure", "find", "glossary", "program", "quiz", "rules", "until", "words"];

/// A guided walk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tour {
    /// What links call it.
    pub id: String,
    /// The paper, as `TX2`.
    pub paper: String,
    /// What of it: `Fig. 4`.
    pub figure: String,
    /// Its title.
    pub title: String,
    /// One sentence for a list.
    pub about: String,
    /// Its own scenarios: name and file.
    scenarios: Vec<(String, String)>,
    /// Where it stops, in order.
    pub stops: Vec<TourStop>,
}

/// One stop: what is on screen, and what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TourStop {
    /// Its title.
    pub title: String,
    /// What is said.
    pub text: Vec<Paragraph>,
    /// Lines of a program, shown as they are.
    pub code: Option<String>,
    /// A picture below the text.
    pub picture: Option<PictureKind>,
    /// The scenario on screen.
    pub setting: Setting,
    /// Where the reader stands.
    pub place: TourPlace,
    /// The kernel row selected, by name; while what comes later is hidden, none is.
    pub select: Option<String>,
    /// The part of the timeline shown; all of it if nothing is said.
    pub show: Option<TimeRange>,
    /// Whether what comes later is hidden, until a question is answered.
    pub is_future_hidden: bool,
    /// Whether the path of a submission is shown in place of the queues.
    pub is_path_shown: bool,
    /// Another tool to open, and a word for it.
    pub tool: Option<(&'static str, String)>,
    /// A study to open, as its link has it.
    pub study: Option<String>,
    /// A question.
    pub ask: Option<TourQuestion>,
    /// What the tests check, each an object of JSON.
    pub claims: Vec<String>,
}

/// A scenario, perhaps under another policy or on another device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The id of an example, or the name of a scenario of the tour's own.
    pub scenario: String,
    /// Another policy.
    pub policy: Option<PolicyKind>,
    /// Another device, by its id.
    pub device: Option<String>,
}

/// Where the reader stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TourPlace {
    /// After this many steps.
    Step(u32),
    /// At this time, after every step that is not later.
    At(Time),
}

impl TourPlace {
    /// The same as steps applied.
    #[must_use]
    pub fn position(self, trace: &Trace) -> u32 {
        match self {
            Self::Step(step) => step.min(trace.steps().len() as u32),
            Self::At(at) => position::at_time(trace, at),
        }
    }
}

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TourQuestion {
    /// What is asked.
    pub question: Paragraph,
    /// Two or more answers, one of them right; none of an inset.
    pub choices: Vec<TourAnswer>,
    /// The moment whose queues are to be filled in, in place of a choice.
    pub inset: Option<Time>,
}

/// An answer to choose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TourAnswer {
    /// What it says.
    pub text: Paragraph,
    /// Whether it is right.
    pub is_right: bool,
    /// Why it is, or which misconception it is.
    pub why: Paragraph,
}

/// Why there is no tour, or no scenario of it.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TourError {
    #[error("There is no tour \"{0}\".")]
    NoTour(String),
    #[error("There is no scenario \"{0}\".")]
    NoScenario(String),
    /// A file of that name: a tour's, or a scenario's.
    #[error("{name}: {why}")]
    File { name: String, why: FormatError },
}

impl TourError {
    fn of_file(name: &str, why: FormatError) -> Self {
        Self::File { name: name.to_owned(), why }
    }
}

impl Tour {
    /// Every tour, in the order of their ids.
    ///
    /// # Errors
    /// What is wrong with a file, with its place.
    pub fn all() -> Result<Vec<Self>, TourError> {
        TOURS.iter().map(|(id, text)| Self::read(text).map_err(|why| TourError::of_file(id, why))).collect()
    }

    /// The ids of all tours, sorted.
    pub fn ids() -> impl Iterator<Item = &'static str> {
        TOURS.iter().map(|(id, _)| *id)
    }

    /// The tour with this id.
    ///
    /// # Errors
    /// If there is none, or what is wrong with its file.
    pub fn find(id: &str) -> Result<Self, TourError> {
        let (id, text) = TOURS.iter().find(|(known, _)| *known == id).ok_or_else(|| TourError::NoTour(id.to_owned()))?;
        Self::read(text).map_err(|why| TourError::of_file(id, why))
    }

    /// Reads a tour's file.
    ///
    /// # Errors
    /// Everything wrong with it, each with line and field.
    pub fn read(text: &str) -> Result<Self, FormatError> {
        read::tour(text)
    }

    /// The scenario file of a setting. A changed example has no name, as its own would be another run's.
    ///
    /// # Errors
    /// If there is no such scenario, or it cannot be read.
    pub fn scenario(&self, setting: &Setting) -> Result<String, TourError> {
        let name = &setting.scenario;
        let own = self.scenarios.iter().find(|(own, _)| own == name).map(|(_, text)| text.as_str());
        let text = own.or_else(|| examples::find(name).map(|e| e.json));
        let text = text.ok_or_else(|| TourError::NoScenario(name.clone()))?;
        let mut draft = format::read_scenario(text).map_err(|why| TourError::of_file(name, why))?;
        if let Some(kind) = setting.policy {
            draft.policy.kind = kind;
        }
        if let Some(device) = &setting.device {
            draft.device = DeviceDraft::BuiltIn(device.clone());
        }
        if self.began(setting).is_some() && self.example(setting).is_none() {
            draft.name.clear();
        }
        Ok(format::write_scenario(&draft))
    }

    /// The picture of a stop; none without one, or where the parts of its device are not known.
    #[must_use]
    pub fn picture(&self, stop: &TourStop) -> Option<Picture> {
        let kind = stop.picture?;
        let draft = format::read_scenario(&self.scenario(&stop.setting).ok()?).ok()?;
        kind.draw(&draft.device)
    }

    /// The inset that a stop asks for, of its run; `None` without one, or where that has nothing to fill in.
    #[must_use]
    pub fn inset(stop: &TourStop, run: &Run) -> Option<Inset> {
        let to = Stop::at_time(&run.trace, stop.ask.as_ref()?.inset?);
        Inset::between(&mut run.replay(), stop.place.position(&run.trace), to)
    }

    /// The example that a setting is, or is changed from.
    #[must_use]
    pub fn began(&self, setting: &Setting) -> Option<&'static str> {
        let is_own = self.scenarios.iter().any(|(own, _)| *own == setting.scenario);
        if is_own { None } else { examples::known(&setting.scenario) }
    }

    /// The example that a setting is, as it stands.
    #[must_use]
    pub fn example(&self, setting: &Setting) -> Option<&'static str> {
        self.began(setting).filter(|_| setting.policy.is_none() && setting.device.is_none())
    }

    /// Its title with what it is about: `[TX2] Fig. 4: Five snapshots of the queues`.
    #[must_use]
    pub fn full_title(&self) -> String {
        match &*self.paper {
            "START" => self.title.clone(),
            paper => format!("[{paper}] {}: {}", self.figure, self.title),
        }
    }

    /// The number at the end of its id, 0 without one: ids are not sorted by it.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.id.rsplit('-').next().and_then(|n| n.parse().ok()).unwrap_or(0)
    }

    /// The place of a stop in words: `Fig. 4 · stop 3 of 9`. Counted from 0.
    #[must_use]
    pub fn stop_label(&self, stop: usize) -> String {
        format!("{} \u{b7} stop {} of {}", self.figure, stop + 1, self.stops.len())
    }
}
