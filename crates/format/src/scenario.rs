//! Scenario files: in and out.
//!
//! Depends on `scenario`, whose drafts have the shape of a file. Invariants: what is written is read back as the same
//! draft, and leaves out what equals its default; a draft comes out only if every field of the file is known, stands
//! there once and has the right type. What the values mean is checked later, by [`blockstep_sim::scenario::Scenario::new`].
//! Source: docs/file-format.md, "Scenario", and our extension of it, `docs/varying-times.md`.

use serde::Serialize;

use super::error::{FormatError, Path, shown};
use super::json::{Document, JsonKind, Node};
use super::layout;
use super::read::{Names, Reader};
use super::typed::{Form, Unless};
use blockstep_sim::scenario::{Device, Draft};

/// Fields of a file; by any of them it is known for a scenario.
pub(super) const FIELDS: Names<'static> = &[
    "version",
    "name",
    "device",
    "placement",
    "block_ends",
    "connections",
    "policy",
    "horizon_ns",
    "seed",
    "processes",
    "tasks",
    "batches",
    "streams",
    "kernels",
];

/// What a file must have, by the types of a draft.
pub(super) const FORMS: &[Form] = &[
    Form {
        type_name: "Draft",
        fields: FIELDS,
        required: &["version", "kernels"],
        checks: &[("device", device)],
        of_version_2: &["block_ends", "connections", "batches"],
        ..Form::PLAIN
    },
    Form {
        type_name: "PolicyDraft",
        of_version_2: &[
            "switch_cost_max_ns",
            "switch_tail_per_million",
            "switch_samples_ns",
            "signal_ns",
            "runlist_ns",
            "chain",
            "watchdog_ns",
            "text",
        ],
        ..Form::PLAIN
    },
    Form { type_name: "ProcessDraft", required: &["name"], of_version_2: &["channels", "default_stream", "guest"], ..Form::PLAIN },
    Form { type_name: "TaskDraft", required: &["name"], of_version_2: &["call_ns", "pixel_latency_ns", "wake_ns"], ..Form::PLAIN },
    Form { type_name: "BatchDraft", required: &["name", "deadline_ns"], ..Form::PLAIN },
    Form { type_name: "StreamDraft", required: &["name"], of_version_2: &["non_blocking"], ..Form::PLAIN },
    Form {
        type_name: "KernelDraft",
        required: &["name"],
        unless: Some(Unless { field: "call", word: "kernel", required: &["blocks", "threads_per_block", "block_time_ns"] }),
        checks: &[("block_time_ns", block_time)],
        of_version_2: &["call", "bytes", "synchronous", "call_ns", "waits_for", "records", "graph", "batch"],
        of_version_3: &["barrier", "until_begun", "until_all_begun", "until_completed", "cooperative"],
        ..Form::PLAIN
    },
];

/// The versions that are read. The first has none of the fields that a [`Form`] calls those of version 2, nor has the second those of
/// version 3.
pub(super) const VERSIONS: [u8; 3] = [1, 2, 3];

/// The first version of a scenario file whose rows have a field of this name.
#[must_use]
pub fn version_of_field(name: &str) -> u8 {
    let is_of = |names: fn(&Form) -> &'static [&'static str]| FORMS.iter().any(|form| names(form).contains(&name));
    if is_of(|form| form.of_version_3) { 3 } else { 1 + u8::from(is_of(|form| form.of_version_2)) }
}

/// A scenario of Blockstep: which kernels CPU tasks launch on which streams of a GPU, and when. Times are whole
/// nanoseconds (`_ns`), sizes bytes (`_bytes`). What the fields mean for a run is in `docs/semantics.md`.
#[derive(Serialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
pub struct ScenarioFile<'d> {
    /// 1, or 2 or 3 where a field of that version is used; a file of another version is refused as a whole.
    version: u8,
    #[serde(flatten)]
    draft: &'d Draft,
}

impl<'d> ScenarioFile<'d> {
    /// The file of a draft.
    #[must_use]
    pub fn from_draft(draft: &'d Draft) -> Self {
        Self { version: draft.version(), draft }
    }
}

/// The draft as a file of the first version that has all its fields. Reading it back gives the same draft.
#[must_use]
pub fn write_scenario(draft: &Draft) -> String {
    layout::file(ScenarioFile::from_draft(draft)).to_string()
}

/// The draft that a parsed file holds.
pub(super) fn read(doc: &Document<'_>) -> Result<Draft, FormatError> {
    let root = doc.root();
    if root.kind() != JsonKind::Object {
        return Err(FormatError::whole(format!("the file holds {}; a scenario is an object with version and kernels", shown(root))));
    }
    let mut reader = Reader::with_forms(FORMS);
    if let Some(version) = root.get("version") {
        reader.version = VERSIONS.into_iter().find(|known| version.raw() == known.to_string());
        // What another version holds is not for this reader to judge.
        if reader.version.is_none() {
            let [older @ .., newest] = VERSIONS.map(|known| known.to_string());
            let message = || format!("is {}; versions {} and {newest} are read", shown(version), older.join(", "));
            reader.problem(version, &Path::Root.field("version"), message);
            return reader.finish(Draft::default());
        }
    }
    let draft = reader.typed(root, &Path::Root).unwrap_or_default();
    reader.finish(draft)
}

/// The id of a built-in device or an object; the type itself cannot name what is wrong in the object.
fn device(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> bool {
    let before = reader.problem_count();
    match node.kind() {
        JsonKind::String => {}
        JsonKind::Object => drop(reader.typed::<Device>(node, path)),
        _ => reader.expected(node, path, "the id of a built-in device or an object"),
    }
    reader.problem_count() == before
}

/// A number or a list.
fn block_time(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> bool {
    let is_fit = matches!(node.kind(), JsonKind::Number | JsonKind::List);
    if !is_fit {
        reader.number(node, path);
    }
    is_fit
}
