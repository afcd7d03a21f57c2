//! What the tool remembers, by the names that links of version 1 have; a task or an earlier workload is an object within it.
//!
//! Invariants: writing and reading are each other's inverse; what differs from the workload as it comes is written, and nothing else.

use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser};
use serde_json::Value;

use super::state::{Section, Setup, Source, State, Tab, Work};
use super::table::{COLUMNS, TypedRow, is_default_cost};
use crate::tool::Pair;
use crate::tool::memory::{self, MemoryError};
use crate::tool::pairs::words;
use blockstep_batch::arch::ArchId;
use blockstep_batch::cases::CASES;
use blockstep_batch::methods::{Method, Methods};
use blockstep_batch::schedulers::SchedulerId;
use blockstep_batch::task::MAX_TASKS;
use blockstep_view::document::WaitingCells;
use blockstep_view::history::History;

/// The names, in the order in which they are written.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Flat {
    from: String,
    tab: String,
    name: String,
    until: String,
    task: Vec<Value>,
    gpu: String,
    by: String,
    off: String,
    issue_ns: String,
    poll_ns: String,
    message_ns: String,
    decision_ns: String,
    launch_ns: String,
    scheduler_threads: String,
    run: Option<usize>,
    at: Option<usize>,
    span: String,
    open: String,
    kept: Value,
    past: Vec<Value>,
    future: Vec<Value>,
    paste: Value,
}

/// The names that links have.
pub(super) const PAIRS: &[Pair] = &[
    Pair::one_of("from", || words(CASES.iter().map(|case| case.name).chain(["tables", "own"]), str::to_owned)),
    Pair::one_of("tab", || words(Tab::ALL, Tab::word)),
    Pair::text("name"),
    Pair::text("until"),
    Pair::pairs("task", TASK).repeated(),
    Pair::one_of("gpu", || words(ArchId::ALL, ArchId::word)),
    Pair::one_of("by", || words(SchedulerId::ALL, SchedulerId::name)),
    Pair::several("off", ' ', || words(Method::ALL.map(Method::word).into_iter().chain([NONE]), str::to_owned)),
    Pair::text("issue_ns"),
    Pair::text("poll_ns"),
    Pair::text("message_ns"),
    Pair::text("decision_ns"),
    Pair::text("launch_ns"),
    Pair::text("scheduler_threads"),
    Pair::number("run", 0, u32::MAX as u64),
    Pair::number("at", 0, u32::MAX as u64),
    Pair::one_of("span", || vec!["all".to_owned()]),
    Pair::several("open", ' ', || words(Section::all(), Section::word)),
];

/// Those of a [`TypedRow`].
const TASK: &[Pair] = &[
    Pair::text("name"),
    Pair::text("kind"),
    Pair::text("in"),
    Pair::text("kernel"),
    Pair::text("blocks"),
    Pair::text("threads"),
    Pair::text("out"),
    Pair::text("first"),
    Pair::text("every"),
    Pair::text("within"),
    Pair::text("after"),
];

/// What stands for "no method is off" where that is not how the workload comes.
const NONE: &str = "none";

impl Setup {
    /// Reads what a link or a tour names.
    #[must_use]
    pub(super) fn read(pairs: &str) -> Self {
        Self::of_flat(&memory::read(pairs))
    }

    /// Writes it for a link.
    ///
    /// # Errors
    /// Those of [`memory::write`].
    pub(super) fn write(&self) -> Result<String, MemoryError> {
        memory::word(&self.flat()?)
    }

    fn flat(&self) -> Result<Flat, MemoryError> {
        let (is_own, built_in) = (self.from == Source::Own, Self::built_in(self.from));
        let differs = |is: bool, word: &str| if is { word.to_owned() } else { String::new() };
        let cost = |place: usize| differs(!is_default_cost(place, &self.costs[place]), &self.costs[place]);
        let off: Vec<&str> = Method::ALL.into_iter().filter(|m| !self.methods.has(*m)).map(Method::word).collect();
        let off = if off.is_empty() { NONE.to_owned() } else { off.join(" ") };
        Ok(Flat {
            from: self.from.word().to_owned(),
            tab: differs(self.tab != Tab::Step, self.tab.word()),
            name: differs(is_own, &self.name),
            until: differs(is_own, &self.until),
            task: self.rows.iter().filter(|_| is_own).map(memory::to_value).collect::<Result<_, _>>()?,
            gpu: differs(self.gpu != built_in.gpu, self.gpu.word()),
            by: differs(self.by != built_in.by, self.by.name()),
            off: differs(self.methods != built_in.methods, &off),
            issue_ns: cost(0),
            poll_ns: cost(1),
            message_ns: cost(2),
            decision_ns: cost(3),
            launch_ns: cost(4),
            scheduler_threads: cost(5),
            run: Some(self.run).filter(|&run| run > 0),
            at: self.at,
            span: differs(self.is_whole, "all"),
            open: self.open.iter().map(|section| section.word()).collect::<Vec<_>>().join(" "),
            kept: Value::Null,
            past: Vec::new(),
            future: Vec::new(),
            paste: Value::Null,
        })
    }

    fn of_flat(flat: &Flat) -> Self {
        let mut setup = Self::built_in(Source::from_word(&flat.from));
        if Source::from_word(&flat.from) == Source::Own {
            setup.from = Source::Own;
            setup.name.clone_from(&flat.name);
            setup.until.clone_from(&flat.until);
            setup.rows = flat.task.iter().take(MAX_TASKS + 1).map(memory::of_value::<TypedRow>).collect();
        }
        setup.tab = Tab::from_word(&flat.tab);
        setup.gpu = ArchId::from_word(&flat.gpu).unwrap_or(setup.gpu);
        setup.by = SchedulerId::from_name(&flat.by).unwrap_or(setup.by);
        if !flat.off.is_empty() {
            let off: Vec<&str> = flat.off.split(' ').collect();
            setup.methods = Method::ALL.into_iter().fold(Methods::ALL, |all, m| all.with(m, !off.contains(&m.word())));
        }
        let costs = [&flat.issue_ns, &flat.poll_ns, &flat.message_ns, &flat.decision_ns, &flat.launch_ns, &flat.scheduler_threads];
        for (cost, text) in setup.costs.iter_mut().zip(costs).filter(|(_, text)| !text.is_empty()) {
            cost.clone_from(text);
        }
        setup.run = flat.run.unwrap_or(0);
        setup.at = flat.at;
        setup.is_whole = flat.span == "all";
        setup.open = flat.open.split_whitespace().filter_map(Section::from_word).collect();
        setup
    }
}

impl Work {
    fn flat(&self) -> Result<Flat, MemoryError> {
        let kept = self.kept.as_ref().map_or(Ok(Value::Null), |kept| memory::to_value(&kept.flat()?))?;
        Ok(Flat { kept, ..self.setup.flat()? })
    }

    fn of_flat(flat: &Flat) -> Self {
        let setup = Setup::of_flat(flat);
        let is_there = flat.kept != Value::Null && flat.kept != "" && setup.from != Source::Own;
        let kept = is_there.then(|| Setup::of_flat(&memory::of_value(&flat.kept)));
        Self { setup, kept }
    }
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let all = |works: &[Arc<Work>]| works.iter().map(|work| memory::to_value(&work.flat()?)).collect::<Result<Vec<_>, MemoryError>>();
        let flat = || {
            let (past, future) = self.history.others();
            let paste = self.waiting.as_ref().map_or(Ok(Value::Null), memory::to_value)?;
            Ok::<Flat, MemoryError>(Flat { past: all(past)?, future: all(future)?, paste, ..self.history.present().flat()? })
        };
        flat().map_err(ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let flat = Flat::deserialize(deserializer)?;
        let all = |works: &[Value]| works.iter().map(|work| Work::of_flat(&memory::of_value(work))).collect();
        let mut history = History::new(Work::of_flat(&flat));
        history.resume([all(&flat.past), all(&flat.future)]);
        let waiting =
            Some(memory::of_value::<WaitingCells>(&flat.paste)).filter(|cells| !cells.text.is_empty() && cells.column < COLUMNS.len());
        Ok(Self { history, waiting, note: None })
    }
}
