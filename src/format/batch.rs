//! Workloads for application-level schedulers as files: in and out.
//!
//! Depends on `batch`. Invariants: read as strictly as scenarios; what is written is read back the
//! same. A file holds `kind` "batch", `version` 1, `gpu`, `methods` (those in use; all if absent),
//! `costs` (those that are not the default) and the workload of [`crate::batch::task`], times in ns.

use super::error::{FormatError, Located, Path};
use super::json::{Document, Kind, Node};
use super::json_out::{Object, push_number, push_rows};
use super::json_text::push_string;
use super::read::Reader;
use crate::batch::arch::{Arch, ArchId, Costs};
use crate::batch::methods::{Method, Methods};
use crate::batch::task::{TaskDraft, Workload, WorkloadDraft};
use crate::scenario::Choice;

const FILE: &[&str] = &["kind", "version", "name", "gpu", "methods", "costs", "until_ns", "tasks"];
const TASK: &[&str] = &[
    "name",
    "copy_in_ns",
    "copy_in_bytes",
    "kernel_ns",
    "copy_out_ns",
    "copy_out_bytes",
    "blocks",
    "threads_per_block",
    "first_ns",
    "interval_ns",
    "deadline_ns",
    "separation_ns",
    "after",
];
const TASK_REQUIRED: &[&str] = &["name", "kernel_ns", "blocks", "threads_per_block", "interval_ns"];

/// What `kind` holds.
const KIND: &str = "batch";

impl Choice for ArchId {
    const ALL: &'static [Self] = &Self::ALL;

    fn word(self) -> &'static str {
        Self::word(self)
    }
}

impl Choice for Method {
    const ALL: &'static [Self] = &Self::ALL;

    fn word(self) -> &'static str {
        Self::word(self)
    }
}

/// A workload with the GPU and the methods that it is shown with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchFile {
    /// The workload; [`Workload::new`] accepts it.
    pub workload: WorkloadDraft,
    /// On which GPU.
    pub gpu: ArchId,
    /// With which methods.
    pub methods: Methods,
    /// What schedulers take.
    pub costs: Costs,
}

impl BatchFile {
    /// A workload on a GPU with everything else as stated by default.
    #[must_use]
    pub fn new(workload: WorkloadDraft, gpu: ArchId) -> Self {
        Self { workload, gpu, methods: Methods::ALL, costs: Costs::default() }
    }

    /// The GPU with the costs of the file.
    #[must_use]
    pub const fn arch(&self) -> Arch {
        self.gpu.with(self.costs)
    }
}

/// Whether a text looks like such a file: an object whose `kind` is "batch". Other files are not
/// parsed for it unless the word is there.
#[must_use]
pub fn is_batch(text: &str) -> bool {
    let is_kind = |kind: Node<'_>| kind.kind() == Kind::String && kind.text() == KIND;
    text.contains("\"batch\"")
        && super::within_limit(text).is_ok()
        && Document::parse(text).is_ok_and(|doc| doc.root().get("kind").is_some_and(is_kind))
}

/// Reads a workload, strictly.
///
/// # Errors
/// Everything wrong with it, each with line and field; also what makes the workload impossible.
pub fn read_batch(text: &str) -> Result<BatchFile, FormatError> {
    super::within_limit(text)?;
    let doc = Document::parse(text).map_err(|e| FormatError::syntax(text, &e))?;
    let mut reader = Reader::default();
    let file = file(&mut reader, doc.root());
    let file = reader.finish(file)?;
    match Workload::new(file.workload.clone()) {
        Ok(_) => Ok(file),
        Err(error) => {
            let located = |p: crate::batch::task::Problem| Located { line: super::locate(text, &p.path), path: p.path, message: p.message };
            Err(FormatError::new(error.problems.into_iter().map(located).collect()))
        }
    }
}

fn file(reader: &mut Reader, root: Node<'_>) -> BatchFile {
    let mut file = BatchFile::new(WorkloadDraft::default(), ArchId::Fermi);
    for (name, value) in reader.object(root, &Path::Root, FILE, &["kind", "version", "gpu", "until_ns", "tasks"]) {
        let at = Path::Root.field(name);
        match name {
            "kind" if value.kind() != Kind::String || value.text() != KIND => reader.expected(value, &at, "\"batch\""),
            "kind" => {}
            "version" if value.raw() != "1" => reader.expected(value, &at, "version 1"),
            "version" => {}
            "name" => file.workload.name = reader.text(value, &at),
            "gpu" => file.gpu = reader.choice(value, &at),
            "methods" => {
                let on = reader.table(value, &at, Reader::choice::<Method>);
                file.methods = on.into_iter().fold(Methods::NONE, |methods, method| methods.with(method, true));
            }
            "costs" => file.costs = costs(reader, value, &at),
            "until_ns" => file.workload.until_ns = reader.number(value, &at),
            _ => file.workload.tasks = reader.table(value, &at, task),
        }
    }
    file
}

fn costs(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> Costs {
    let mut values = Costs::default().values();
    for (name, value) in reader.object(node, path, &Costs::FIELDS.map(|(field, ..)| field), &[]) {
        if let Some(place) = Costs::FIELDS.iter().position(|(field, ..)| *field == name) {
            values[place] = reader.number(value, &path.field(name));
        }
    }
    Costs::of(values).unwrap_or_else(|(field, message)| {
        reader.problem(node.get(field).unwrap_or(node), &path.field(field), || message);
        Costs::default()
    })
}

fn task(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> TaskDraft {
    let mut task = TaskDraft::named("");
    for (name, value) in reader.object(node, path, TASK, TASK_REQUIRED) {
        let at = path.field(name);
        match name {
            "name" => task.name = reader.text(value, &at),
            "copy_in_ns" => task.copy_in_ns = reader.number(value, &at),
            "copy_in_bytes" => task.copy_in_bytes = reader.number(value, &at),
            "copy_out_bytes" => task.copy_out_bytes = reader.number(value, &at),
            "kernel_ns" => task.kernel_ns = reader.number(value, &at),
            "copy_out_ns" => task.copy_out_ns = reader.number(value, &at),
            "blocks" => task.blocks = reader.number(value, &at),
            "threads_per_block" => task.threads_per_block = reader.number(value, &at),
            "first_ns" => task.first_ns = reader.number(value, &at),
            "interval_ns" => task.interval_ns = reader.number(value, &at),
            "deadline_ns" => task.deadline_ns = Some(reader.number(value, &at)),
            "separation_ns" => task.separation_ns = Some(reader.number(value, &at)),
            _ => task.after = reader.table(value, &at, Reader::text),
        }
    }
    task
}

/// A workload as a file. Reading it back gives the same.
#[must_use]
pub fn write_batch(file: &BatchFile) -> String {
    let mut out = format!("{{\n  \"kind\": \"{KIND}\",\n  \"version\": 1,\n  \"name\": ");
    push_string(&mut out, &file.workload.name);
    out.push_str(&format!(",\n  \"gpu\": \"{}\",\n", file.gpu.word()));
    if file.methods != Methods::ALL {
        let on = Method::ALL.into_iter().filter(|method| file.methods.has(*method));
        push_rows(&mut out, "methods", on, |out, method| push_string(out, method.word()));
        out.push_str(",\n");
    }
    if file.costs != Costs::default() {
        out.push_str("  \"costs\": ");
        let mut o = Object::open(&mut out);
        for ((value, default), (field, ..)) in file.costs.values().into_iter().zip(Costs::default().values()).zip(Costs::FIELDS) {
            if value != default {
                o.number(field, value);
            }
        }
        o.close();
        out.push_str(",\n");
    }
    out.push_str("  \"until_ns\": ");
    push_number(&mut out, file.workload.until_ns);
    out.push_str(",\n");
    push_rows(&mut out, "tasks", file.workload.tasks.iter(), write_task);
    out.push_str("\n}\n");
    out
}

fn write_task(out: &mut String, task: &TaskDraft) {
    let mut o = Object::open(out);
    o.text("name", &task.name);
    let mut some = |key, value| {
        if value != 0 {
            o.number(key, value);
        }
    };
    some("copy_in_ns", task.copy_in_ns);
    some("copy_in_bytes", task.copy_in_bytes);
    some("kernel_ns", task.kernel_ns);
    some("copy_out_ns", task.copy_out_ns);
    some("copy_out_bytes", task.copy_out_bytes);
    some("blocks", task.blocks);
    some("threads_per_block", task.threads_per_block);
    some("first_ns", task.first_ns);
    o.number("interval_ns", task.interval_ns);
    for (key, value) in [("deadline_ns", task.deadline_ns), ("separation_ns", task.separation_ns)] {
        if let Some(value) = value {
            o.number(key, value);
        }
    }
    if !task.after.is_empty() {
        let out = o.key("after");
        for (i, name) in task.after.iter().enumerate() {
            out.push_str(if i == 0 { "[" } else { ", " });
            push_string(out, name);
        }
        out.push(']');
    }
    o.close();
}
