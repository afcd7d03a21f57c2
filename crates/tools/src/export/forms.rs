//! The forms in which a run leaves the page: what each is for, and what is not in it.
//!
//! Invariant: every form says what opens it.

use std::fmt::Display;

use serde::de::IntoDeserializer;
use serde::de::value::{Error as ValueError, StrDeserializer};
use serde::{Deserialize, Serialize};

use crate::runs::Simulation;
use blockstep_analysis::scenario::{AloneError, Model};
use blockstep_format::{self as format, SimsoError};
use blockstep_report as report;
use blockstep_sim::engine::Limits;
use blockstep_sim::trace::Cut;

const SIMSO: FormWords = FormWords {
    title: "SimSo task set (XML)",
    purpose: "The real-time tasks with their execution times alone on the GPU, for EDF and related schedulers on a processor.",
    opens: "SimSo, and this page",
    lacks: "",
};

const LOGS: FormWords = FormWords {
    title: "Examiner logs",
    purpose: "The run as cuda_scheduling_examiner would log it, one file for each stream.",
    opens: "the examiner's scripts, such as view_blocksbysm.py, and Measured traces on this page",
    lacks: "",
};

const CHROME: FormWords = FormWords {
    title: "Chrome trace",
    purpose: "The timeline in a viewer for long traces: SMs, copy engines, jobs, arrows from launch to first block, free threads.",
    opens: "Perfetto (ui.perfetto.dev), chrome://tracing",
    lacks: "Queues, waiting reasons and rules; shared memory, registers and block slots that are free.",
};

const RESULTS: FormWords = FormWords {
    title: "Results (CSV)",
    purpose: "Response times, deadline misses, total waiting times, utilization and bounds, as in the panel Results.",
    opens: TABLES,
    lacks: "Single blocks.",
};

const WAITS: FormWords = FormWords {
    title: "Waiting reasons (CSV)",
    purpose: "A row for every interval in which an operation waited: start, end, reason and rule.",
    opens: TABLES,
    lacks: "What exactly it waited for; “Why not now?” shows that step by step.",
};

const JOBS: FormWords = FormWords {
    title: "Jobs (CSV)",
    purpose: "A row for every job: release, deadline, end, response time, and whether the deadline was met.",
    opens: TABLES,
    lacks: "What the jobs did.",
};

const KERNELS: FormWords = FormWords {
    title: "Kernels (CSV)",
    purpose: "A row for every kernel of every job: issued, queued, begun, ended, response time, and what its blocks need.",
    opens: TABLES,
    lacks: "Individual blocks and copies.",
};

const BLOCKS: FormWords = FormWords {
    title: "Blocks and copies (CSV)",
    purpose: "A row for every block and copy: where it ran, when it was issued, queued, begun and ended.",
    opens: TABLES,
    lacks: "Suspensions of blocks; the trace has them.",
};

const STEPS: FormWords = FormWords {
    title: "Steps (text)",
    purpose: "Every decision with its time and its rule, one per line. Useful for reading and for comparing two runs.",
    opens: "any editor, and diff",
    lacks: "Names and limits of the device; the scenario has them.",
};

const TRACE: FormWords = FormWords {
    title: "Trace (JSON)",
    purpose: "Every block, copy, kernel and job with its times in nanoseconds, for your own scripts.",
    opens: "any program that reads JSON",
    lacks: "The order of events at one instant, and the rules behind them.",
};

const TABLES: &str = "spreadsheets, R, pandas";

/// Steps that finding out how long the tasks take alone may cost.
const ALONE: Limits = Limits { max_steps: 1_000_000 };

/// A form of file, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FormId {
    /// The trace as JSON.
    Trace,
    Steps,
    /// Blocks and copies as CSV.
    Blocks,
    /// Kernels as CSV.
    Kernels,
    /// Jobs as CSV.
    Jobs,
    /// Why operations waited, as CSV.
    Waits,
    /// What came of the run, as CSV.
    Results,
    Chrome,
    Logs,
    Simso,
}

impl FormId {
    /// Whether a link has this word for one of them.
    #[must_use]
    pub(crate) fn is_word(word: &str) -> bool {
        Self::deserialize(word.into_deserializer() as StrDeserializer<'_, ValueError>).is_ok()
    }

    /// Its word in links, as serde writes it, too.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Trace => "trace",
            Self::Steps => "steps",
            Self::Blocks => "blocks",
            Self::Kernels => "kernels",
            Self::Jobs => "jobs",
            Self::Waits => "waits",
            Self::Results => "results",
            Self::Chrome => "chrome",
            Self::Logs => "logs",
            Self::Simso => "simso",
        }
    }
}

/// Why a form has no files of a run.
#[derive(Debug, thiserror::Error)]
pub(super) enum ExportError {
    #[error("There is no whole trace to save: {0}.")]
    Cut(Cut),
    #[error("No kernel of this run completed, so a log would be empty.")]
    NoKernel,
    #[error(transparent)]
    Alone(#[from] AloneError),
    #[error(transparent)]
    Simso(#[from] SimsoError),
}

/// What there is to say of a form, and how its files are made.
pub(super) struct ExportForm {
    pub(super) id: FormId,
    pub words: FormWords,
    pub(super) kind: &'static str,
    make: for<'r> fn(&'r Simulation) -> Result<FormFiles<'r>, ExportError>,
}

pub(super) fn form(id: FormId) -> &'static ExportForm {
    FORMS.iter().find(|form| form.id == id).unwrap_or(&FORMS[0])
}

/// What a form makes of a run.
pub(super) struct FormFiles<'r> {
    /// Names and texts, which are made as they are read.
    pub(super) files: Vec<(String, Box<dyn Display + 'r>)>,
    /// What of this run is not in them, a sentence each.
    pub(super) losses: Vec<String>,
}

impl ExportForm {
    /// The files of a run.
    ///
    /// # Errors
    /// Why there are none.
    pub(super) fn files<'r>(&self, made: &'r Simulation) -> Result<FormFiles<'r>, ExportError> {
        (self.make)(made)
    }
}

const JSON: &str = "application/json";
const CSV: &str = "text/csv";

/// Every form, in the order of the list.
pub(super) static FORMS: [ExportForm; 10] = [
    ExportForm {
        id: FormId::Trace,
        words: TRACE,
        kind: JSON,
        make: |made| {
            let text = format::write_trace(&made.run.trace, &made.records).map_err(ExportError::Cut)?;
            one(made, "trace", "json", text)
        },
    },
    ExportForm {
        id: FormId::Steps,
        words: STEPS,
        kind: "text/plain",
        make: |made| one(made, "steps", "txt", format::write_steps(&made.run.trace)),
    },
    ExportForm {
        id: FormId::Blocks,
        words: BLOCKS,
        kind: CSV,
        make: |made| one(made, "blocks", "csv", format::write_csv(&made.run.trace, &made.records)),
    },
    ExportForm {
        id: FormId::Kernels,
        words: KERNELS,
        kind: CSV,
        make: |made| one(made, "kernels", "csv", format::write_kernels_csv(&made.run.trace, &made.records)),
    },
    ExportForm {
        id: FormId::Jobs,
        words: JOBS,
        kind: CSV,
        make: |made| one(made, "jobs", "csv", format::write_jobs_csv(&made.run.trace, &made.records)),
    },
    ExportForm {
        id: FormId::Waits,
        words: WAITS,
        kind: CSV,
        make: |made| one(made, "waits", "csv", report::waits_csv(&made.run, &made.records)),
    },
    ExportForm {
        id: FormId::Results,
        words: RESULTS,
        kind: CSV,
        make: |made| one(made, "results", "csv", report::results_csv(&made.run, &made.records)),
    },
    ExportForm {
        id: FormId::Chrome,
        words: CHROME,
        kind: JSON,
        make: |made| one(made, "chrome", "json", format::write_chrome(&made.run.trace, &made.records)),
    },
    ExportForm {
        id: FormId::Logs,
        words: LOGS,
        kind: JSON,
        make: |made| {
            let files = format::write_logs(&made.run.trace, &made.records);
            if files.is_empty() {
                return Err(ExportError::NoKernel);
            }
            let files = files.into_iter().map(|(name, text)| (name, Box::new(text) as Box<dyn Display>)).collect();
            Ok(FormFiles { files, losses: format::log_losses(&made.run.trace, &made.records) })
        },
    },
    ExportForm {
        id: FormId::Simso,
        words: SIMSO,
        kind: "application/xml",
        make: |made| {
            let trace = &made.run.trace;
            let model = Model::new(trace.scenario(), ALONE)?;
            let written = format::write_simso(trace.scenario(), &model, trace.end())?;
            Ok(FormFiles { losses: written.losses, ..one(made, "simso", "xml", written.text)? })
        },
    },
];

fn one<'r>(made: &Simulation, what: &str, extension: &str, text: impl Display + 'r) -> Result<FormFiles<'r>, ExportError> {
    Ok(FormFiles { files: vec![(format::file_name(&made.run.trace, what, extension), Box::new(text))], losses: Vec::new() })
}

/// What is said of a form.
pub(super) struct FormWords {
    pub(super) title: &'static str,
    pub(super) purpose: &'static str,
    /// What opens it, after "Opens in ".
    pub(super) opens: &'static str,
    /// What of a run is not in any file of this form, a sentence; empty if that is said run by run.
    pub(super) lacks: &'static str,
}
