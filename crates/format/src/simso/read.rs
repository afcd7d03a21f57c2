//! The importer of SimSo's task sets.
//!
//! Depends on `scenario`. Invariants: times are taken exactly or rounded to the nanosecond, and that is
//! said; a field that changes what runs is used or named in the notes. Each task gets a process of
//! its own and a kernel that takes the whole GPU for its WCET, so that it runs as on one processor.

use super::NAME;
use super::xml::{Element, elements};
use crate::decimal::scaled;
use crate::error::{FormatError, Located, MAX_PROBLEMS};
use crate::{Opened, Source};
use blockstep_sim::order::Names;
use blockstep_sim::scenario::{Draft, KernelDraft, PolicyDraft, PolicyKind, ProcessDraft, Release, TaskDraft};

/// Shared memory of a block that leaves no room for a second one on an SM of the TX2.
const HALF_AN_SM: u64 = 48 * 1024;
/// Threads of such a block, and how many of them fill the TX2.
const WHOLE_GPU: (u64, u64) = (2, 1024);

/// What SimSo's files have, by element; other elements and attributes are named.
const KNOWN: &[(&str, &[&str])] = &[
    ("simulation", &["duration", "cycles_per_ms", "etm", "use_wcet", "penalty_preemption", "penalty_migration"]),
    ("sched", &["class", "className", "overhead", "overhead_activate", "overhead_terminate"]),
    ("caches", &["memory_access_time"]),
    ("cache", &["name", "id", "policy", "type", "size", "access_time", "associativity", "ref"]),
    ("processors", &["migration_overhead"]),
    ("processor", &["name", "id", "cl_overhead", "cs_overhead", "speed"]),
    ("tasks", &[]),
    ("field", &["name", "type", "value"]),
    (
        "task",
        &[
            "name",
            "id",
            "task_type",
            "periodic",
            "abort_on_miss",
            "period",
            "activationDate",
            "list_activation_dates",
            "deadline",
            "base_cpi",
            "instructions",
            "mix",
            "stack",
            "WCET",
            "ACET",
            "preemption_cost",
            "et_stddev",
            "followed_by",
            NAME,
        ],
    ),
];

/// The draft that a task set describes.
pub(crate) fn import(text: &str) -> Result<Opened, FormatError> {
    let elements = elements(text).map_err(|wrong| FormatError::new(vec![located(text, wrong.at, "", wrong.message)]))?;
    let root = elements.first().filter(|root| root.name == "simulation");
    let Some(root) = root else {
        return Err(FormatError::whole("this is XML, but no task set of SimSo, which begins with simulation"));
    };
    let mut import =
        Import { text, draft: Draft::default(), notes: Vec::new(), problems: Vec::new(), origins: Vec::new(), names: Names::default() };
    import.draft.policy = PolicyDraft { kind: PolicyKind::Edf, cbs: false, ..PolicyDraft::default() };
    import.notes.push(
        "A task set has no GPU: the device is the TX2, and every task launches one kernel that takes all of it for the task's WCET."
            .to_owned(),
    );
    import.strangers(&elements);
    let cycles_per_ms = import.whole(root, "cycles_per_ms", 1_000_000);
    if cycles_per_ms == 0 {
        import.problem(root, "cycles_per_ms", "is 0, so that a cycle would have no length".to_owned());
    }
    import.simulation(root, cycles_per_ms);
    import.around(&elements, cycles_per_ms);
    for (i, task) in elements.iter().filter(|e| e.name == "task" && e.parent == "tasks").enumerate() {
        import.task(i, task);
    }
    if import.draft.tasks.is_empty() && import.problems.is_empty() {
        import.problem(root, "tasks", "has no task that can be simulated".to_owned());
    }
    import.finish()
}

struct Import<'x> {
    text: &'x str,
    draft: Draft,
    notes: Vec<String>,
    problems: Vec<Located>,
    /// Where in the file each kernel row comes from.
    origins: Vec<String>,
    names: Names<'x>,
}

fn located(text: &str, at: usize, path: &str, message: String) -> Located {
    let line = 1 + text.as_bytes()[..at.min(text.len())].iter().filter(|&&b| b == b'\n').count();
    Located { line: Some(line), path: path.to_owned(), message, limit: None }
}

impl Element {
    /// The value of an attribute.
    fn get(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// What messages call it: a task by its name.
    fn title(&self) -> String {
        match self.get("name") {
            Some(name) if self.name == "task" => format!("task \"{}\"", shortened(name)),
            _ => self.name.clone(),
        }
    }
}

/// So much of a text that a message stays legible.
fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    let cut = text.char_indices().nth(MOST).map_or(text.len(), |(place, _)| place);
    if cut < text.len() { format!("{}…", &text[..cut]) } else { text.to_owned() }
}

impl Import<'_> {
    fn finish(self) -> Result<Opened, FormatError> {
        if self.problems.is_empty() {
            let (draft, notes, source) = (self.draft, self.notes, Source::Simso);
            Ok(Opened { draft, source, notes, log_names: Vec::new(), takes_duration: false, origins: self.origins })
        } else {
            Err(FormatError { notes: self.notes, ..FormatError::new(self.problems) })
        }
    }

    fn problem(&mut self, element: &Element, field: &str, message: String) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(located(self.text, element.at, &format!("{}.{field}", element.title()), message));
        }
    }

    fn note(&mut self, message: String) {
        const MOST: usize = 100;
        match self.notes.len() {
            n if n < MOST => self.notes.push(message),
            MOST => self.notes.push("There is more of this kind.".to_owned()),
            _ => {}
        }
    }

    /// Names what is not known, each once.
    fn strangers(&mut self, elements: &[Element]) {
        let mut said = Names::default();
        // Data fields of one's own are declared.
        let declared: Vec<&str> = elements.iter().filter(|e| e.name == "field").filter_map(|e| e.get("name")).collect();
        for element in elements {
            let known = KNOWN.iter().find(|(name, _)| *name == element.name);
            let strange = match known {
                None => vec![format!("The element {}", shortened(&element.name))],
                Some((_, fields)) => {
                    let strange = element.attributes.iter().filter(|(key, _)| !fields.contains(&key.as_str()));
                    strange.map(|(key, _)| format!("The field {} of {}", shortened(key), element.name)).collect()
                }
            };
            for what in strange {
                if said.get(0, &what).is_none() {
                    let is_data = declared.iter().any(|name| what.starts_with(&format!("The field {name} of ")));
                    let why = if is_data { "is data of SimSo's schedulers" } else { "is unknown here" };
                    self.note(format!("{what} {why} and was ignored."));
                    said.place(0, what, 1);
                }
            }
        }
    }

    /// A decimal, multiplied by a power of ten and rounded; `None` and a problem if it is none.
    fn decimal(&mut self, element: &Element, field: &str, value: &str, power: i32) -> Option<u64> {
        let value = value.trim();
        let shown = shortened(value);
        if !is_decimal(value) {
            self.problem(element, field, format!("is \"{shown}\"; expected a number"));
            return None;
        }
        match scaled(value.trim_start_matches('+'), power) {
            Some((number, is_exact)) => {
                if !is_exact {
                    self.note(format!("{}: {field} {shown} was rounded to whole nanoseconds.", element.title()));
                }
                Some(number)
            }
            None => {
                self.problem(element, field, format!("is {shown}; expected at least 0 and at most {} ns", u64::MAX));
                None
            }
        }
    }

    /// A time in ms, as ns.
    fn time(&mut self, element: &Element, field: &str) -> Option<u64> {
        match element.get(field) {
            Some(value) => self.decimal(element, field, value, 6),
            None => {
                self.problem(element, field, "is missing; it is required".to_owned());
                None
            }
        }
    }

    /// A whole number, or what it is by default.
    fn whole(&mut self, element: &Element, field: &str, default: u64) -> u64 {
        element.get(field).map_or(Some(default), |value| self.decimal(element, field, value, 0)).unwrap_or(default)
    }

    /// A length in cycles, as ns.
    fn cycles(&mut self, element: &Element, field: &str, default: u64, cycles_per_ms: u64) -> u64 {
        let cycles = u128::from(self.whole(element, field, default));
        let ns = (cycles * 1_000_000).checked_div(cycles_per_ms.into()).unwrap_or(0);
        u64::try_from(ns).unwrap_or_else(|_| {
            self.problem(element, field, format!("is {ns} ns, at most {} are possible", u64::MAX));
            0
        })
    }

    fn simulation(&mut self, root: &Element, cycles_per_ms: u64) {
        self.draft.horizon_ns = Some(self.cycles(root, "duration", 50_000, cycles_per_ms));
        // As older files say it.
        let is_wcet = root.get("use_wcet").is_none_or(|value| matches!(value, "true" | "yes"));
        let etm = root.get("etm").unwrap_or(if is_wcet { "wcet" } else { "cache" });
        if etm != "wcet" {
            self.note(format!("The execution time model {} is not simulated: every job takes its WCET.", shortened(etm)));
        }
    }

    /// Scheduler, processors and caches.
    fn around(&mut self, elements: &[Element], cycles_per_ms: u64) {
        if let Some(sched) = elements.iter().find(|e| e.name == "sched") {
            let class = sched.get("class").or(sched.get("className")).unwrap_or("");
            let class = class.trim_end_matches(".py").rsplit(['.', '/']).next().unwrap_or("");
            if !matches!(class, "EDF" | "EDF_mono" | "EDF2" | "P_EDF" | "P_EDF2") {
                self.note(format!("The scheduler {} is not simulated; tasks are scheduled by EDF.", shortened(class)));
            }
            for field in ["overhead", "overhead_activate", "overhead_terminate"] {
                if self.whole(sched, field, 0) > 0 {
                    self.note(format!("The scheduler's {field} is not simulated: decisions take no time."));
                }
            }
        }
        let processors: Vec<&Element> = elements.iter().filter(|e| e.name == "processor").collect();
        if processors.len() > 1 {
            self.note(format!("The {} processors became one GPU, which one task uses at a time.", processors.len()));
        }
        if let Some(first) = processors.first() {
            let load = self.cycles(first, "cl_overhead", 0, cycles_per_ms);
            let save = self.cycles(first, "cs_overhead", 0, cycles_per_ms);
            self.draft.policy.switch_cost_ns = load.saturating_add(save);
            if self.draft.policy.switch_cost_ns > 0 {
                self.note(
                    "Context save and load became the cost of a switch, which is not charged when the same task resumes after idle time."
                        .to_owned(),
                );
            }
        }
        let has_speed = |p: &&Element| p.get("speed").is_some_and(|speed| scaled_to_one(speed) != Some(true));
        if processors.iter().any(has_speed) {
            self.note("The processor's speed is not simulated; it is 1.".to_owned());
        }
        if elements.iter().any(|e| e.name == "cache") {
            self.note("Caches are not simulated.".to_owned());
        }
    }

    fn task(&mut self, index: usize, element: &Element) {
        let before = self.problems.len();
        let title = element.title();
        let name = element.get(NAME).or(element.get("name")).unwrap_or_default();
        let name = self.names.unique(if name.trim().is_empty() { "task" } else { name });
        let cost = self.time(element, "WCET");
        if cost == Some(0) {
            self.problem(element, "WCET", "is 0; a kernel runs for at least 1 ns".to_owned());
        }
        let deadline = self.time(element, "deadline");
        let mut task = TaskDraft { process: Some(format!("P{index}")), deadline_ns: deadline, ..TaskDraft::named(&name) };
        let is_periodic = match element.get("task_type") {
            Some(kind) => !matches!(kind, "APeriodic" | "Sporadic"),
            None => element.get("periodic") != Some("no"),
        };
        let is_known = if is_periodic { self.periodic(element, &mut task) } else { self.sporadic(element, &mut task) };
        if element.get("abort_on_miss").is_none_or(|value| value == "yes") {
            self.note(format!("{title}: a job that misses its deadline is not aborted here, it runs to its end."));
        }
        for field in ["followed_by", "preemption_cost"] {
            if element.get(field).is_some_and(|value| scaled(value.trim(), 0) != Some((0, true))) {
                self.note(format!("{title}: {field} is not simulated."));
            }
        }
        if self.problems.len() > before || !is_known {
            return;
        }
        if task.deadline_ns == task.period_ns {
            task.deadline_ns = None;
        }
        let (blocks, threads) = WHOLE_GPU;
        let row = KernelDraft::named(&name, blocks, threads, cost.unwrap_or(1));
        self.draft.kernels.push(KernelDraft { task: Some(name), shared_memory_bytes: HALF_AN_SM, ..row });
        self.origins.push(title);
        self.draft.processes.push(ProcessDraft::named(format!("P{index}")));
        self.draft.tasks.push(task);
    }

    fn periodic(&mut self, element: &Element, task: &mut TaskDraft) -> bool {
        task.release = Release::Periodic;
        task.period_ns = self.time(element, "period");
        if task.period_ns == Some(0) {
            self.problem(element, "period", "is 0; jobs are at least 1 ns apart".to_owned());
        }
        task.offset_ns = element.get("activationDate").and_then(|value| self.decimal(element, "activationDate", value, 6)).unwrap_or(0);
        true
    }

    /// Releases at given times; they must be equally far apart, as no task of ours can have others.
    fn sporadic(&mut self, element: &Element, task: &mut TaskDraft) -> bool {
        const FIELD: &str = "list_activation_dates";
        let list = element.get(FIELD).unwrap_or_default();
        let dates = list.split(',').filter(|date| !date.trim().is_empty());
        let mut dates: Vec<u64> = dates.map_while(|date| self.decimal(element, FIELD, date, 6)).collect();
        dates.sort_unstable();
        let gap = dates.windows(2).next().map(|pair| pair[1] - pair[0]);
        let is_even = dates.windows(2).all(|pair| Some(pair[1] - pair[0]) == gap) && gap != Some(0);
        let title = element.title();
        match (dates.first(), gap) {
            (None, _) => {
                self.note(format!("{title} has no activation dates, so it was left out."));
                return false;
            }
            (Some(&first), None) => (task.release, task.offset_ns) = (Release::Once, first),
            (Some(&first), Some(gap)) if is_even => {
                (task.release, task.offset_ns, task.period_ns) = (Release::Periodic, first, Some(gap));
                task.jobs = Some(dates.len() as u64);
            }
            _ => {
                self.note(format!("{title} has activation dates that are not equally spaced, so it was left out."));
                return false;
            }
        }
        true
    }
}

/// Whether Python reads it as a finite number, plainly written.
fn is_decimal(text: &str) -> bool {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let (number, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    digits(whole) && digits(fraction) && !(whole.is_empty() && fraction.is_empty()) && digits(exponent) && !exponent.is_empty()
}

/// Whether it is the number 1; `None` if it is no number.
fn scaled_to_one(text: &str) -> Option<bool> {
    let text = text.trim();
    is_decimal(text).then(|| scaled(text.trim_start_matches('+'), 0) == Some((1, true)))
}
