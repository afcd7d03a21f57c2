//! Why a request has no response.

use blockstep_format::{FormatError, SheetError};
use blockstep_protocol::WireError;
use blockstep_report::study::StudyError;
use blockstep_report::study::typed::TaskSetError;
use blockstep_sweep::PartError;
use blockstep_tools::runs::RunsError;
use blockstep_tools::runs::whole::TooLargeToSave;
use blockstep_tools::sweep::MAX_RUNS;
use blockstep_tools::tool::ToolError;

use crate::study::MAX_PART;

/// Why a request has no response; the page is sent the sentence.
#[derive(Debug, thiserror::Error)]
pub(super) enum WorkerError {
    #[error("The worker does not know this run: load the page again.")]
    NoRun,
    #[error("There is no example \"{0}\".")]
    NoExample(String),
    #[error("A part has at most {MAX_PART} sets, or {MAX_RUNS} runs.")]
    LargePart,
    #[error("These are no counts of the study.")]
    OtherCounts,
    #[error("{}", .0.with_notes())]
    File(#[from] FormatError),
    #[error(transparent)]
    Sheet(#[from] SheetError),
    #[error(transparent)]
    Runs(#[from] RunsError),
    #[error(transparent)]
    Save(#[from] TooLargeToSave),
    #[error(transparent)]
    Study(#[from] StudyError),
    #[error(transparent)]
    TaskSet(#[from] TaskSetError),
    #[error(transparent)]
    Tool(#[from] ToolError),
    #[error("This sweep cannot be made: {0}.")]
    Sweep(#[from] PartError),
    #[error(transparent)]
    Wire(#[from] WireError),
}
