//! Files: scenarios in and out, traces out, studies and their results, and the files of other tools.
//!
//! Invariants: no input panics, hangs or exhausts the stack; a reader says what it does not understand instead of skipping it. What is
//! written is a serde type in the layout of `layout`, and what of a run is written is made as it is written, never held as a whole; what
//! people write by hand is read by `json`, which keeps the places, and given to serde types by `typed`. Source: the file format and, for
//! the examiner, the programs of cuda_scheduling_examiner.

mod batch;
mod batch_tables;
mod cell;
mod chrome;
mod csv;
mod decimal;
mod devices;
mod error;
mod examiner;
mod foreign;
mod json;
pub mod layout;
mod link;
pub mod percent;
mod policy_part;
mod policy_report;
pub mod program;
mod read;
mod scenario;
#[cfg(not(target_arch = "wasm32"))]
mod schema;
mod sheet;
mod simso;
mod stem;
mod sweep;
mod teach;
mod trace_json;
mod typed;

pub use batch::{BatchFile, is_batch, read_batch, write_batch};
pub use batch_tables::{write_batch_cases_csv, write_batch_cases_json, write_batch_csv, write_batch_json};
pub use cell::csv_cell;
pub use cell::json_comment;
pub use chrome::write_chrome;
pub use csv::{write_csv, write_jobs_csv, write_kernels_csv};
pub use devices::{write_devices_csv, write_devices_json};
pub use error::{FormatError, Located, beginning, locate};
pub use examiner::{
    LogsError, MAX_LOG_BLOCKS, MAX_LOG_LAUNCHES, MeasuredLaunch, log_losses, read_log, read_logs, write_logs, write_measured_logs,
};
pub use foreign::foreign;
pub use link::{Embed, Link, LinkError, MAX_LINK_CHARS, MAX_LINK_TEXT, NoPage, no_page, read_link, write_link};
pub use policy_part::{PartError, PolicyPart, read_policy_part, write_policy_part};
pub use policy_report::write_policy_report;
pub use program::{PlanError, Program, ProgramLine, write_program};
pub use scenario::{ScenarioFile, version_of_field, write_scenario};
#[cfg(not(target_arch = "wasm32"))]
pub use schema::scenario_schema;
pub use sheet::{MAX_COLUMNS, SheetError, is_of_semicolons, is_sheet, read_sheet};
pub use simso::{SimsoError, SimsoFile, write_simso};
pub use stem::file_name;
pub use sweep::{read_results, read_sweep, write_results, write_sweep};
pub use teach::{
    Exercise, ExerciseFile, ExerciseQuestion, GivenAnswer, GivenNumber, MAX_ASKED, MAX_STUDENT, MAX_TEACHER_TEXT, MAX_VARIED, OWN_KIND,
    QuizResult, TeachError, VariedNumber, is_exercise, is_result, read_exercise, read_result, short_id, student_seed, utc,
};
pub use trace_json::write_trace;

// Other files of ours are read as strictly as scenarios.
pub use error::Path;
pub use json::{Document, JsonKind, MAX_DEPTH, Node};
pub use read::Reader;

use std::fmt::{self, Display};

use blockstep_sim::scenario::{BuiltIn, DeviceDraft, Draft, Scenario, ScenarioError, too_long};
use blockstep_sim::trace::Trace;

/// Longest text that is read, in bytes.
pub const MAX_FILE_BYTES: usize = 32 * 1024 * 1024;

/// What kind of file a draft came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A scenario of ours.
    Scenario,
    /// A config of cuda_scheduling_examiner.
    Examiner,
    /// A task set of SimSo.
    Simso,
}

/// What an importer has to be told because the file does not say it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// How long a block runs, in ns, of programs whose config has no duration.
    pub default_duration_ns: Option<u64>,
    /// The device to take instead of the file's.
    pub device: Option<&'static BuiltIn>,
}

/// A file that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opened {
    /// What it holds; not checked yet.
    pub draft: Draft,
    /// What it was.
    pub source: Source,
    /// What the importer assumed, a sentence each; none for scenarios of ours.
    pub notes: Vec<String>,
    /// What a config calls its logs, each with the task that it is of.
    pub log_names: Vec<(String, String)>,
    /// Whether blocks run for [`ImportOptions::default_duration_ns`], as the file has no duration for them.
    pub takes_duration: bool,
    /// Where each kernel row comes from; empty for scenarios, whose paths are the file's own.
    origins: Vec<String>,
}

impl Opened {
    /// The problems of the scenario that was made of this file, in the file's own terms and with
    /// its lines. `text` is what was opened.
    #[must_use]
    pub fn explain(&self, error: &ScenarioError, text: &str) -> FormatError {
        let mut error = error.clone();
        for problem in &mut error.problems {
            if let Some((row, field)) = problem.path.strip_prefix("kernels[").and_then(|path| path.split_once("]."))
                && let Some(origin) = row.parse().ok().and_then(|row: usize| self.origins.get(row))
            {
                match field {
                    "blocks" => problem.path = format!("{origin}.block_count"),
                    "threads_per_block" => problem.path = format!("{origin}.thread_count"),
                    _ => {
                        problem.message = format!("{field} {}", problem.message);
                        problem.path.clone_from(origin);
                    }
                }
            }
        }
        FormatError::of_scenario(&error, text)
    }

    /// What was assumed of this file, what is doubtful of the scenario that was made of it, and how far the rules are known: a sentence
    /// each. `text` is what was opened.
    #[must_use]
    pub fn notes_on(&self, scenario: &Scenario, text: &str) -> Vec<String> {
        let mut notes = self.notes.clone();
        if !scenario.warnings().is_empty() {
            let warnings = ScenarioError { problems: scenario.warnings().to_vec() };
            notes.extend(self.explain(&warnings, text).problems.iter().map(ToString::to_string));
        }
        notes.extend(scenario.device().evidence().sentence());
        notes
    }
}

/// Reads a file of any kind that can be simulated, recognized by its content: a config of
/// cuda_scheduling_examiner has `benchmarks`, a task set of SimSo is XML, anything else is read as a
/// scenario.
///
/// # Errors
/// Everything wrong with its form, each with line and field. What its values mean is checked by
/// [`blockstep_sim::scenario::Scenario::new`].
pub fn open(text: &str, options: &ImportOptions) -> Result<Opened, FormatError> {
    within_limit(text)?;
    let mut opened = if is_xml(text) {
        simso::import(text)?
    } else {
        let doc = parse(text)?;
        match scenario_unless_config(&doc)? {
            Some(draft) => {
                let (notes, source) = (draft.without_effect(), Source::Scenario);
                Opened { notes, draft, source, log_names: Vec::new(), takes_duration: false, origins: Vec::new() }
            }
            None => examiner::import(doc.root(), options)?,
        }
    };
    if opened.source != Source::Scenario
        && let Some(why) = long_name(&opened.draft)
    {
        return Err(FormatError::whole(why));
    }
    if let Some(device) = options.device {
        opened.draft.device = DeviceDraft::BuiltIn(device.id.to_owned());
    }
    Ok(opened)
}

/// What is wrong with the first name that is too long, of a draft that was made of another format's labels.
fn long_name(draft: &Draft) -> Option<String> {
    let kernels = draft.kernels.iter().flat_map(|kernel| [&kernel.name, &kernel.stream]);
    let others = draft.processes.iter().map(|process| &process.name).chain(draft.tasks.iter().map(|task| &task.name));
    others.chain(kernels).find_map(|name| too_long(name))
}

/// The same for scenarios of ours alone: `None` if it is something else.
///
/// # Errors
/// As [`open`].
pub fn open_scenario(text: &str) -> Result<Option<Draft>, FormatError> {
    if is_xml(text) {
        return Ok(None);
    }
    let doc = parse(text)?;
    let is_ours = doc.root().fields().all(|(key, _)| !["benchmarks", "kind"].contains(&&*key.text()))
        && doc.root().fields().any(|(key, _)| scenario::FIELDS.contains(&&*key.text()));
    if is_ours { scenario::read(&doc).map(Some) } else { Ok(None) }
}

/// Whether a text looks like XML, which begins with `<`; a mark of its byte order may stand before it.
fn is_xml(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim_start().starts_with('<')
}

fn scenario_unless_config(doc: &json::Document) -> Result<Option<Draft>, FormatError> {
    let root = doc.root();
    let has = |name: &str| root.get(name).is_some();
    if has("benchmarks") && !has("version") && !has("kernels") {
        return Ok(None);
    }
    if has("version") && has("scenario") && has("blocks") {
        return Err(FormatError::whole("this is the trace of a run; open the scenario that was run"));
    }
    if has("times") && !has("version") && !has("kernels") {
        return Err(FormatError::whole(
            "this is a log of cuda_scheduling_examiner; check it with blockstep validate, or open it in the page to build a scenario from it",
        ));
    }
    if root.fields().next().is_some() && !root.fields().any(|(key, _)| scenario::FIELDS.contains(&&*key.text())) {
        let message =
            "this is neither a scenario, which has version and kernels, nor a config of cuda_scheduling_examiner, which has benchmarks";
        return Err(FormatError::whole(message));
    }
    scenario::read(doc).map(Some)
}

fn parse(text: &str) -> Result<json::Document<'_>, FormatError> {
    within_limit(text)?;
    json::Document::parse(text).map_err(|e| FormatError::syntax(text, &e))
}

/// Whether it looks like a log of cuda_scheduling_examiner, as it has `times`; what is wrong with
/// it is for its reader to say.
#[must_use]
pub fn is_log(text: &str) -> bool {
    parse(text).is_ok_and(|doc| doc.root().get("times").is_some())
}

/// Reads a scenario file, strictly.
///
/// # Errors
/// Everything wrong with its form, each with line and field. What its values mean is checked by
/// [`blockstep_sim::scenario::Scenario::new`].
///
/// # Examples
/// ```
/// use blockstep_format::{read_scenario, write_scenario};
///
/// let draft = read_scenario(r#"{ "version": 1, "kernels": [ { "name": "K1", "blocks": 2, "threads_per_block": 64, "block_time_ns": 5 } ] }"#)?;
/// assert_eq!(read_scenario(&write_scenario(&draft))?, draft);
/// // A wrong field is named with its place and what is known there.
/// let wrong = read_scenario(r#"{ "version": 1, "kernels": [ { "name": "K1", "block": 2 } ] }"#).unwrap_err();
/// assert!(wrong.to_string().contains("kernels[0].block"), "{wrong}");
/// # Ok::<(), blockstep_format::FormatError>(())
/// ```
pub fn read_scenario(text: &str) -> Result<Draft, FormatError> {
    scenario::read(&parse(text)?)
}

/// The run as text, one line a step: the form that is easiest to read and to compare. A line before says how far the rules are known.
#[must_use]
pub fn write_steps(trace: &Trace) -> impl Display {
    fmt::from_fn(|out| {
        if let Some(sentence) = trace.scenario().device().evidence().sentence() {
            writeln!(out, "# {sentence}")?;
        }
        write!(out, "{}", trace.lines())
    })
}

/// Why a text or file of this length is not read. A reader that stops as soon as it has too much
/// may give the length so far.
#[must_use]
pub fn too_large(bytes: u64) -> Option<FormatError> {
    let message = || {
        format!(
            "too large: {bytes} bytes or more; the maximum is {MAX_FILE_BYTES} (32 MiB). For rows that repeat, use one task with \
             period_ns and jobs; to remove blanks from JSON, use jq -c"
        )
    };
    (bytes > MAX_FILE_BYTES as u64).then(|| FormatError::whole(message()))
}

fn within_limit(text: &str) -> Result<(), FormatError> {
    too_large(text.len() as u64).map_or(Ok(()), Err)
}
