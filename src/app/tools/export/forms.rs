//! The forms in which a run leaves the page: what each is for, and what is not in it.
//!
//! Depends on `format`, `report` and `analysis`. Invariant: every form says what opens it.

use std::fmt::Display;

use serde::{Deserialize, Serialize};

use super::texts::{self, Words};
use crate::analysis::scenario::Model;
use crate::engine::Limits;
use crate::format;
use crate::report;
use crate::runs::Simulation;

/// Steps that finding out how long the tasks take alone may cost.
const ALONE: Limits = Limits { max_steps: 1_000_000 };

/// A form of file, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FormId {
    /// The trace as JSON.
    Trace,
    /// A line for each step.
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
    /// For Perfetto and Chrome.
    Chrome,
    /// As the examiner writes them.
    Logs,
    /// For SimSo.
    Simso,
}

impl FormId {
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

/// What there is to say of a form, and how its files are made.
pub(super) struct Form {
    /// Its name.
    pub(super) id: FormId,
    /// What is said of it.
    pub(super) words: Words,
    /// Its media type.
    pub(super) kind: &'static str,
    make: for<'r> fn(&'r Simulation) -> Result<Files<'r>, String>,
}

/// The form of a name.
pub(super) fn form(id: FormId) -> &'static Form {
    FORMS.iter().find(|form| form.id == id).unwrap_or(&FORMS[0])
}

/// What a form makes of a run.
pub(super) struct Files<'r> {
    /// Names and texts, which are made as they are read.
    pub(super) files: Vec<(String, Box<dyn Display + 'r>)>,
    /// What of this run is not in them, a sentence each.
    pub(super) losses: Vec<String>,
}

impl Form {
    /// The files of a run.
    ///
    /// # Errors
    /// Why there are none, as a sentence.
    pub(super) fn files<'r>(&self, made: &'r Simulation) -> Result<Files<'r>, String> {
        (self.make)(made)
    }
}

const JSON: &str = "application/json";
const CSV: &str = "text/csv";

/// Every form, in the order of the list.
pub(super) static FORMS: [Form; 10] = [
    Form {
        id: FormId::Trace,
        words: texts::TRACE,
        kind: JSON,
        make: |made| {
            let text = format::write_trace(&made.run.trace, &made.records).map_err(|cut| texts::no_trace(&cut))?;
            one(made, "trace", "json", text)
        },
    },
    Form {
        id: FormId::Steps,
        words: texts::STEPS,
        kind: "text/plain",
        make: |made| one(made, "steps", "txt", format::write_steps(&made.run.trace)),
    },
    Form {
        id: FormId::Blocks,
        words: texts::BLOCKS,
        kind: CSV,
        make: |made| one(made, "blocks", "csv", format::write_csv(&made.run.trace, &made.records)),
    },
    Form {
        id: FormId::Kernels,
        words: texts::KERNELS,
        kind: CSV,
        make: |made| one(made, "kernels", "csv", format::write_kernels_csv(&made.run.trace, &made.records)),
    },
    Form {
        id: FormId::Jobs,
        words: texts::JOBS,
        kind: CSV,
        make: |made| one(made, "jobs", "csv", format::write_jobs_csv(&made.run.trace, &made.records)),
    },
    Form {
        id: FormId::Waits,
        words: texts::WAITS,
        kind: CSV,
        make: |made| one(made, "waits", "csv", report::waits_csv(&made.run, &made.records)),
    },
    Form {
        id: FormId::Results,
        words: texts::RESULTS,
        kind: CSV,
        make: |made| one(made, "results", "csv", report::results_csv(&made.run, &made.records)),
    },
    Form {
        id: FormId::Chrome,
        words: texts::CHROME,
        kind: JSON,
        make: |made| one(made, "chrome", "json", format::write_chrome(&made.run.trace, &made.records)),
    },
    Form {
        id: FormId::Logs,
        words: texts::LOGS,
        kind: JSON,
        make: |made| {
            let files = format::write_logs(&made.run.trace, &made.records);
            if files.is_empty() {
                return Err(texts::NO_LOGS.to_owned());
            }
            let files = files.into_iter().map(|(name, text)| (name, Box::new(text) as Box<dyn Display>)).collect();
            Ok(Files { files, losses: format::log_losses(&made.run.trace, &made.records) })
        },
    },
    Form {
        id: FormId::Simso,
        words: texts::SIMSO,
        kind: "application/xml",
        make: |made| {
            let trace = &made.run.trace;
            let model = Model::new(trace.scenario(), ALONE)?;
            let written = format::write_simso(trace.scenario(), &model, trace.end())?;
            Ok(Files { losses: written.losses, ..one(made, "simso", "xml", written.text)? })
        },
    },
];

fn one<'r>(made: &Simulation, what: &str, extension: &str, text: impl Display + 'r) -> Result<Files<'r>, String> {
    Ok(Files { files: vec![(format::file_name(&made.run.trace, what, extension), Box::new(text))], losses: Vec::new() })
}
