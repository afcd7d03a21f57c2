//! The strict reader of scenario files.
//!
//! Depends on `json` and `scenario`. Invariant: a draft comes out only if every field of the file
//! is known, stands there once and has the right type; what the values mean is checked later, by
//! [`crate::scenario::Scenario::new`]. Source: docs/file-format.md, "Scenario (version 1)", and our
//! extension of it, `docs/varying-times.md`.

use super::error::{FormatError, Located, MAX_PROBLEMS, Path, shorten, shown};
use super::json::{Document, Kind, Node};
use crate::language::one_of;
use crate::scenario::device::LIMITS;
use crate::scenario::{BlockTimes, Choice, Device, DeviceDraft, Draft, KernelDraft, PolicyDraft, ProcessDraft, StreamDraft, TaskDraft};

/// Fields of an object, in the order of the format.
type Names<'n> = &'n [&'static str];

pub(super) const SCENARIO: Names<'static> =
    &["version", "name", "device", "placement", "policy", "horizon_ns", "seed", "processes", "tasks", "streams", "kernels"];
const POLICY: Names<'static> = &["kind", "switch_cost_ns", "switch_charge", "cbs", "preemption"];
const PROCESS: Names<'static> = &["name", "interleave", "timeslice_ns", "preemption"];
const TASK: Names<'static> =
    &["name", "process", "release", "period_ns", "deadline_ns", "offset_ns", "jobs", "class", "budget_ns", "priority", "consumes"];
const STREAM: Names<'static> = &["process", "name", "priority"];
const KERNEL: Names<'static> = &[
    "name",
    "task",
    "stream",
    "after",
    "start_ns",
    "blocks",
    "threads_per_block",
    "shared_memory_bytes",
    "registers_per_thread",
    "block_time_ns",
    "block_time_max_ns",
    "copy_in_bytes",
    "copy_out_bytes",
];

/// The only version there is.
const VERSION: &str = "1";

/// The draft that a parsed file holds.
pub(super) fn scenario(doc: &Document<'_>) -> Result<Draft, FormatError> {
    let root = doc.root();
    if root.kind() != Kind::Object {
        return Err(FormatError::whole(format!("the file holds {}; a scenario is an object with version and kernels", shown(root))));
    }
    let mut reader = Reader::default();
    let draft = reader.scenario(root);
    reader.finish(draft)
}

/// Reads values and collects what is wrong with them; where something is, a stand-in is returned.
#[derive(Default)]
pub(crate) struct Reader {
    problems: Vec<Located>,
    unnamed: usize,
}

impl Reader {
    pub(crate) fn finish<T>(mut self, read: T) -> Result<T, FormatError> {
        if self.problems.is_empty() {
            return Ok(read);
        }
        if self.unnamed > 0 {
            self.problems.push(Located { line: None, path: String::new(), message: "and more".to_owned() });
        }
        Err(FormatError::new(self.problems))
    }

    /// Problems found so far.
    pub(super) fn problem_count(&self) -> usize {
        self.problems.len() + self.unnamed
    }

    pub(crate) fn problem(&mut self, node: Node<'_>, path: &Path<'_>, message: impl FnOnce() -> String) {
        if self.problems.len() == MAX_PROBLEMS {
            self.unnamed += 1;
        } else {
            self.problems.push(Located { line: Some(node.line()), path: path.to_string(), message: message() });
        }
    }

    pub(crate) fn expected(&mut self, node: Node<'_>, path: &Path<'_>, what: &str) {
        self.problem(node, path, || format!("is {}; {what} is expected", shown(node)));
    }

    /// The known fields of an object, in the order of the file.
    pub(crate) fn object<'d>(
        &mut self,
        node: Node<'d>,
        path: &Path<'_>,
        known: Names<'_>,
        required: Names<'_>,
    ) -> Vec<(&'static str, Node<'d>)> {
        let mut fields: Vec<(&'static str, Node<'d>)> = Vec::with_capacity(known.len());
        if node.kind() != Kind::Object {
            self.expected(node, path, "an object");
            return fields;
        }
        for (key, value) in node.fields() {
            let name = key.text();
            match known.iter().find(|k| **k == name) {
                None => self.problem(key, &path.field(&name), || unknown(&name, known)),
                Some(k) if fields.iter().any(|(seen, _)| seen == k) => {
                    self.problem(key, &path.field(&name), || "is given more than once".to_owned());
                }
                Some(k) => fields.push((k, value)),
            }
        }
        for name in required {
            if !fields.iter().any(|(seen, _)| seen == name) {
                self.problem(node, &path.field(name), || "is missing; it is required".to_owned());
            }
        }
        fields
    }

    pub(crate) fn table<T>(&mut self, node: Node<'_>, path: &Path<'_>, row: fn(&mut Self, Node<'_>, &Path<'_>) -> T) -> Vec<T> {
        if node.kind() != Kind::List {
            self.expected(node, path, "a list");
        }
        let mut rows = Vec::new();
        for (i, item) in node.items().enumerate() {
            // Nothing is made of the rows any more, and there may be millions.
            if self.unnamed > 0 {
                break;
            }
            rows.push(row(self, item, &path.item(i)));
        }
        rows
    }

    pub(crate) fn text(&mut self, node: Node<'_>, path: &Path<'_>) -> String {
        if node.kind() != Kind::String {
            self.expected(node, path, "a text in double quotes");
        }
        node.text().into_owned()
    }

    /// A whole number; its unit follows from the field's name.
    pub(crate) fn number(&mut self, node: Node<'_>, path: &Path<'_>) -> u64 {
        let raw = node.raw();
        if node.kind() != Kind::Number || !raw.bytes().all(|b| b.is_ascii_digit()) {
            let unit = match path.last_field() {
                name if name.ends_with("_ns") => " of nanoseconds",
                name if name.ends_with("_bytes") => " of bytes",
                _ => "",
            };
            self.problem(node, path, || format!("is {}; a whole number{unit} is expected, written in digits alone", shown(node)));
            return 0;
        }
        raw.parse().unwrap_or_else(|_| {
            self.problem(node, path, || format!("is {}; at most {} is possible", shown(node), u64::MAX));
            0
        })
    }

    pub(super) fn signed(&mut self, node: Node<'_>, path: &Path<'_>) -> i64 {
        let raw = node.raw();
        if node.kind() != Kind::Number || !raw.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
            self.expected(node, path, "a whole number");
            return 0;
        }
        raw.parse().unwrap_or_else(|_| {
            self.problem(node, path, || format!("is {}; it must lie between {} and {}", shown(node), i64::MIN, i64::MAX));
            0
        })
    }

    pub(crate) fn truth(&mut self, node: Node<'_>, path: &Path<'_>) -> bool {
        if node.kind() != Kind::Bool {
            self.expected(node, path, "true or false");
        }
        node.raw() == "true"
    }

    pub(crate) fn choice<C: Choice>(&mut self, node: Node<'_>, path: &Path<'_>) -> C {
        let found = if node.kind() == Kind::String { C::from_word(&node.text()) } else { None };
        found.unwrap_or_else(|| {
            let words: Vec<_> = C::ALL.iter().map(|c| format!("\"{}\"", c.word())).collect();
            self.expected(node, path, &one_of(&words));
            C::ALL[0]
        })
    }

    fn scenario(&mut self, node: Node<'_>) -> Draft {
        let mut draft = Draft::default();
        // What another version holds is not for this reader to judge.
        if let Some(version) = node.get("version")
            && version.raw() != VERSION
        {
            self.problem(version, &Path::Root.field("version"), || format!("is {}; only version {VERSION} is read", shown(version)));
            return draft;
        }
        for (name, value) in self.object(node, &Path::Root, SCENARIO, &["version", "kernels"]) {
            let at = Path::Root.field(name);
            match name {
                "name" => draft.name = self.text(value, &at),
                "device" => draft.device = self.device(value, &at),
                "placement" => draft.placement = self.choice(value, &at),
                "policy" => draft.policy = self.policy(value, &at),
                "horizon_ns" => draft.horizon_ns = Some(self.number(value, &at)),
                "seed" => draft.seed = self.number(value, &at),
                "processes" => draft.processes = self.table(value, &at, Self::process),
                "tasks" => draft.tasks = self.table(value, &at, Self::task),
                "streams" => draft.streams = self.table(value, &at, Self::stream),
                "kernels" => draft.kernels = self.table(value, &at, Self::kernel),
                _ => {}
            }
        }
        draft
    }

    fn device(&mut self, node: Node<'_>, path: &Path<'_>) -> DeviceDraft {
        if node.kind() == Kind::String {
            return DeviceDraft::BuiltIn(node.text().into_owned());
        }
        let mut device = Device::default();
        if node.kind() != Kind::Object {
            self.expected(node, path, "the id of a built-in device or an object");
            return DeviceDraft::Custom(device);
        }
        let known: Vec<_> = std::iter::once("name").chain(LIMITS.iter().map(|l| l.field)).collect();
        for (name, value) in self.object(node, path, &known, &[]) {
            let at = path.field(name);
            match LIMITS.iter().find(|l| l.field == name) {
                Some(limit) => (limit.set)(&mut device, self.number(value, &at)),
                None => device.name = self.text(value, &at),
            }
        }
        DeviceDraft::Custom(device)
    }

    fn policy(&mut self, node: Node<'_>, path: &Path<'_>) -> PolicyDraft {
        let mut policy = PolicyDraft::default();
        for (name, value) in self.object(node, path, POLICY, &[]) {
            let at = path.field(name);
            match name {
                "kind" => policy.kind = self.choice(value, &at),
                "switch_cost_ns" => policy.switch_cost_ns = self.number(value, &at),
                "switch_charge" => policy.switch_charge = self.choice(value, &at),
                "cbs" => policy.cbs = self.truth(value, &at),
                _ => policy.preemption = self.choice(value, &at),
            }
        }
        policy
    }

    fn process(&mut self, node: Node<'_>, path: &Path<'_>) -> ProcessDraft {
        let mut process = ProcessDraft::named("");
        for (name, value) in self.object(node, path, PROCESS, &["name"]) {
            let at = path.field(name);
            match name {
                "name" => process.name = self.text(value, &at),
                "interleave" => process.interleave = self.choice(value, &at),
                "timeslice_ns" => process.timeslice_ns = self.number(value, &at),
                _ => process.preemption = Some(self.choice(value, &at)),
            }
        }
        process
    }

    fn task(&mut self, node: Node<'_>, path: &Path<'_>) -> TaskDraft {
        let mut task = TaskDraft::named("");
        for (name, value) in self.object(node, path, TASK, &["name"]) {
            let at = path.field(name);
            match name {
                "name" => task.name = self.text(value, &at),
                "process" => task.process = Some(self.text(value, &at)),
                "release" => task.release = self.choice(value, &at),
                "period_ns" => task.period_ns = Some(self.number(value, &at)),
                "deadline_ns" => task.deadline_ns = Some(self.number(value, &at)),
                "offset_ns" => task.offset_ns = self.number(value, &at),
                "jobs" => task.jobs = Some(self.number(value, &at)),
                "class" => task.class = Some(self.choice(value, &at)),
                "budget_ns" => task.budget_ns = Some(self.number(value, &at)),
                "priority" => task.priority = self.signed(value, &at),
                _ => task.consumes = self.table(value, &at, Self::text),
            }
        }
        task
    }

    fn stream(&mut self, node: Node<'_>, path: &Path<'_>) -> StreamDraft {
        let mut stream = StreamDraft { process: None, name: String::new(), priority: crate::scenario::StreamPriority::None };
        for (name, value) in self.object(node, path, STREAM, &["name"]) {
            let at = path.field(name);
            match name {
                "process" => stream.process = Some(self.text(value, &at)),
                "name" => stream.name = self.text(value, &at),
                _ => stream.priority = self.choice(value, &at),
            }
        }
        stream
    }

    fn kernel(&mut self, node: Node<'_>, path: &Path<'_>) -> KernelDraft {
        let mut kernel = KernelDraft::named("", 0, 0, 0);
        for (name, value) in self.object(node, path, KERNEL, &["name", "blocks", "threads_per_block", "block_time_ns"]) {
            let at = path.field(name);
            match name {
                "name" => kernel.name = self.text(value, &at),
                "task" => kernel.task = Some(self.text(value, &at)),
                "stream" => kernel.stream = self.text(value, &at),
                "after" => kernel.after = Some(self.text(value, &at)),
                "start_ns" => kernel.start_ns = self.number(value, &at),
                "blocks" => kernel.blocks = self.number(value, &at),
                "threads_per_block" => kernel.threads_per_block = self.number(value, &at),
                "shared_memory_bytes" => kernel.shared_memory_bytes = self.number(value, &at),
                "registers_per_thread" => kernel.registers_per_thread = self.number(value, &at),
                "block_time_ns" if value.kind() == Kind::List => {
                    kernel.block_time_ns = BlockTimes::List(self.table(value, &at, Self::number).into());
                }
                "block_time_ns" => kernel.block_time_ns = BlockTimes::Each(self.number(value, &at)),
                "block_time_max_ns" => kernel.block_time_max_ns = Some(self.number(value, &at)),
                "copy_in_bytes" => kernel.copy_in_bytes = self.number(value, &at),
                _ => kernel.copy_out_bytes = self.number(value, &at),
            }
        }
        kernel
    }
}

fn unknown(name: &str, known: Names<'_>) -> String {
    // One slip in three characters still looks like the same word.
    let close = known.iter().map(|k| (distance(name, k), k)).filter(|(d, k)| d * 3 <= k.len().max(3)).min();
    match close {
        Some((_, field)) => format!("unknown field, did you mean {field}?"),
        None => format!("unknown field; there are {}", known.join(", ")),
    }
}

/// How many letters must be put in, taken out or replaced to make one word of the other.
fn distance(a: &str, b: &str) -> usize {
    // Past this length the answer is "far" in any case.
    let a: Vec<char> = shorten(a).to_ascii_lowercase().chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
