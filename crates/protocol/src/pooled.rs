//! Studies and sweeps, whose parts are made on a pool of workers: what is asked of them, and what comes of it.

use serde::{Deserialize, Serialize};

use blockstep_analysis::sweep::Counts;
use blockstep_sim::units::Time;
use blockstep_view::panels::study::{CurvePoint, Progress as StudyProgress};

/// Asks for the form of a study, as its link has it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenStudyForm(pub String);

/// The form of a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudyForm {
    /// What the fields hold, by place in [`blockstep_view::panels::study::FIELDS`].
    pub texts: Vec<String>,
    /// The studies that there are: id and title of each.
    pub studies: Vec<(String, String)>,
    /// What the link names that is not known, as `study "lp-9"`.
    pub unknown: Vec<String>,
}

/// Asks what a form comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckStudy {
    /// What the fields hold, by place in [`blockstep_view::panels::study::FIELDS`].
    pub texts: Vec<String>,
}

/// What a form comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckedStudy {
    /// Its link.
    pub link: String,
    /// The study, or all that is wrong with it.
    pub plan: Result<StudyPlan, Vec<FieldProblem>>,
}

/// A study that can be counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudyPlan {
    /// Its file.
    pub study: String,
    /// How many utilizations it has.
    pub points: u32,
    /// How many tests.
    pub tests: u32,
    /// Sets of each point.
    pub sets: u64,
}

/// What is wrong with a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldProblem {
    /// The field, by its name.
    pub field: String,
    /// What, in a sentence.
    pub problem: String,
}

/// Has a part of a study counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountStudy {
    /// The study, as a file.
    pub study: String,
    /// The utilization, by place.
    pub point: u32,
    /// The first set.
    pub from: u64,
    /// The end of the sets, excluded.
    pub to: u64,
}

/// A part of a study that was counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountedPart {
    /// What was counted.
    pub counts: Counts,
    /// How long that took, in milliseconds, without the way to the worker and back.
    pub took_ms: u64,
}

/// Asks for the figure of a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudyFigure {
    /// The study, as a file.
    pub study: String,
    /// What was counted, by utilization.
    pub counts: Vec<Counts>,
    /// How far it is.
    pub progress: StudyProgress,
    /// Whether it is wanted as a table, too.
    pub has_table: bool,
    /// The width that the figure can take, px.
    pub width_px: u32,
    /// Whether the ground is dark.
    pub is_dark: bool,
}

/// Asks for the figure of a study as a picture to be saved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudySvg {
    /// The study, as a file.
    pub study: String,
    /// What was counted, by utilization.
    pub counts: Vec<Counts>,
}

/// Asks for what was counted of a study as comma-separated values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StudyCsv {
    /// The study, as a file.
    pub study: String,
    /// What was counted, by utilization.
    pub counts: Vec<Counts>,
}

/// Asks for sets that fail at a point of a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailingSets {
    /// The study, as a file.
    pub study: String,
    /// The point.
    pub at: CurvePoint,
}

/// Asks for a set of a study as a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenSet {
    /// The study, as a file.
    pub study: String,
    /// The point whose test the scenario is for.
    pub at: CurvePoint,
    /// The set, by its index.
    pub set: u64,
}

/// A set of a study as a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenedSet {
    /// The scenario file.
    pub scenario: String,
    /// Where the reader then stands.
    pub at: Time,
    /// What is to be seen there, and why the test may say more.
    pub why: String,
}

/// Has some runs of a sweep made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunSweep {
    /// The sweep, as the first line of its table says it.
    pub plan: String,
    /// The first run.
    pub from: u64,
    /// The end of the runs, excluded.
    pub to: u64,
}

/// Runs of a sweep that were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SweptRuns {
    /// Rows of the table as [`crate::encode`] writes them: the number of each run, and its cells. The page hands them on unread.
    pub rows: Vec<u8>,
    /// How long that took, in milliseconds, without the way to the worker and back.
    pub took_ms: u64,
}
