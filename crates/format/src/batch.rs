//! Workloads for application-level schedulers as files: in and out.
//!
//! Depends on `batch`. Invariants: read as strictly as scenarios; what is written is read back the
//! same. A file holds `kind` "batch", `version` 1, `gpu`, `methods` (those in use; all if absent),
//! `costs` (those that are not the default) and the workload of [`blockstep_batch::task`], times in ns.

use serde::{Deserialize, Serialize};

use super::error::{FormatError, Located, Path};
use super::json::{JsonKind, Node};
use super::layout;
use super::read::Reader;
use super::typed::Form;
use blockstep_batch::arch::{Arch, ArchId, Costs};
use blockstep_batch::methods::{Method, Methods};
use blockstep_batch::task::{TaskDraft, Workload, WorkloadDraft};

/// What `kind` holds.
const KIND: &str = "batch";

/// A file as it stands.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct File {
    kind: FileKind,
    version: u8,
    name: String,
    gpu: ArchId,
    #[serde(skip_serializing_if = "Option::is_none")]
    methods: Option<Vec<Method>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    costs: Option<Costs>,
    until_ns: u64,
    tasks: Vec<TaskDraft>,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum FileKind {
    #[default]
    Batch,
}

const FORMS: &[Form] = &[
    Form { type_name: "File", required: &["kind", "version", "gpu", "until_ns", "tasks"], checks: &[("version", version)], ..Form::PLAIN },
    Form { type_name: "TaskDraft", required: &["name", "kernel_ns", "blocks", "threads_per_block", "interval_ns"], ..Form::PLAIN },
];

fn version(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> bool {
    let is_known = node.raw() == "1";
    if !is_known {
        reader.expected(node, path, "version 1");
    }
    is_known
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
    let is_kind = |kind: Node<'_>| kind.kind() == JsonKind::String && kind.text() == KIND;
    text.contains("\"batch\"") && super::parse(text).is_ok_and(|doc| doc.root().get("kind").is_some_and(is_kind))
}

/// Reads a workload, strictly.
///
/// # Errors
/// Everything wrong with it, each with line and field; also what makes the workload impossible.
pub fn read_batch(text: &str) -> Result<BatchFile, FormatError> {
    let doc = super::parse(text)?;
    let mut reader = Reader::with_forms(FORMS);
    let file: File = reader.typed(doc.root(), &Path::Root).unwrap_or_default();
    let costs = file.costs.unwrap_or_default();
    if let Err((field, message)) = Costs::from_values(costs.values()) {
        let (given, at) = (doc.root().get("costs").unwrap_or(doc.root()), Path::Root.field("costs"));
        reader.problem(given.get(field).unwrap_or(given), &at.field(field), || message);
    }
    let methods = file.methods.map_or(Methods::ALL, |on| Methods::NONE.and(&on));
    let workload = WorkloadDraft { name: file.name, until_ns: file.until_ns, tasks: file.tasks };
    let file = reader.finish(BatchFile { workload, gpu: file.gpu, methods, costs })?;
    match Workload::new(file.workload.clone()) {
        Ok(_) => Ok(file),
        Err(error) => {
            let located = |p: blockstep_batch::task::Problem| Located {
                line: super::locate(text, &p.path),
                path: p.path,
                message: p.message,
                limit: None,
            };
            Err(FormatError::new(error.problems.into_iter().map(located).collect()))
        }
    }
}

/// A workload as a file. Reading it back gives the same.
#[must_use]
pub fn write_batch(file: &BatchFile) -> String {
    let WorkloadDraft { name, until_ns, tasks } = file.workload.clone();
    layout::file(File {
        kind: FileKind::Batch,
        version: 1,
        name,
        gpu: file.gpu,
        methods: (file.methods != Methods::ALL).then(|| Method::ALL.into_iter().filter(|method| file.methods.has(*method)).collect()),
        costs: (file.costs != Costs::default()).then_some(file.costs),
        until_ns,
        tasks,
    })
    .to_string()
}
