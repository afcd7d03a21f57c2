//! What the tool remembers, as links of version 1 have it: names with values, a task or an earlier workload as such a list
//! within a value.
//!
//! Depends on `tools::memory`. Invariants: writing and reading are each other's inverse; what differs from the workload as it
//! comes is written, and nothing else.

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser};

use super::state::{PAST, Section, Setup, Source, State, Tab, Waiting};
use super::table::{Column, Row, is_default_cost};
use crate::tool::memory::{self, number};
use blockstep_batch::arch::ArchId;
use blockstep_batch::methods::{Method, Methods};
use blockstep_batch::schedulers::SchedulerId;
use blockstep_batch::task::MAX_TASKS;

/// The names, in the order in which they are written.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Flat {
    #[serde(skip_serializing_if = "String::is_empty")]
    from: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    tab: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    until: String,
    task: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    gpu: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    by: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    off: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    issue_ns: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    poll_ns: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    message_ns: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    decision_ns: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    launch_ns: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    scheduler_threads: String,
    #[serde(with = "number", skip_serializing_if = "Option::is_none")]
    run: Option<usize>,
    #[serde(with = "number", skip_serializing_if = "Option::is_none")]
    at: Option<usize>,
    #[serde(skip_serializing_if = "String::is_empty")]
    span: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    open: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    kept: String,
    past: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty")]
    paste: String,
}

/// Cells that wait.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Cells {
    #[serde(with = "number", skip_serializing_if = "Option::is_none")]
    row: Option<usize>,
    #[serde(with = "number", skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    text: String,
}

impl Cells {
    fn of(waiting: &Waiting) -> Self {
        Self { row: Some(waiting.row), column: Some(waiting.column as usize), text: waiting.text.clone() }
    }

    fn waiting(self) -> Option<Waiting> {
        let column = *Column::ALL.get(self.column?)?;
        Some(Waiting { row: self.row?, column, text: self.text })
    }
}

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
    pub(super) fn write(&self) -> Result<String, String> {
        memory::write(&self.flat()?)
    }

    fn flat(&self) -> Result<Flat, String> {
        let (is_own, built_in) = (self.from == Source::Own, Self::of(self.from));
        let differs = |is: bool, word: &str| if is { word.to_owned() } else { String::new() };
        let cost = |place: usize| differs(!is_default_cost(place, &self.costs[place]), &self.costs[place]);
        let off: Vec<&str> = Method::ALL.into_iter().filter(|m| !self.methods.has(*m)).map(Method::word).collect();
        let off = if off.is_empty() { NONE.to_owned() } else { off.join(" ") };
        Ok(Flat {
            from: self.from.word().to_owned(),
            tab: differs(self.tab != Tab::Step, self.tab.word()),
            name: differs(is_own, &self.name),
            until: differs(is_own, &self.until),
            task: self.rows.iter().filter(|_| is_own).map(memory::write).collect::<Result<_, _>>()?,
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
            kept: String::new(),
            past: Vec::new(),
            paste: String::new(),
        })
    }

    fn of_flat(flat: &Flat) -> Self {
        let mut setup = Self::of(Source::of(&flat.from));
        if Source::of(&flat.from) == Source::Own {
            setup.from = Source::Own;
            setup.name.clone_from(&flat.name);
            setup.until.clone_from(&flat.until);
            setup.rows = flat.task.iter().take(MAX_TASKS + 1).map(|row| memory::read::<Row>(row)).collect();
        }
        setup.tab = Tab::of(&flat.tab);
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
        setup.open = flat.open.split_whitespace().filter_map(Section::of).collect();
        setup
    }
}

impl Serialize for State {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let with_kept = |setup: &Setup, kept: &Option<Setup>| {
            let kept = kept.as_ref().map_or(Ok(String::new()), Setup::write)?;
            Ok::<Flat, String>(Flat { kept, ..setup.flat()? })
        };
        let flat = || {
            let past = self.past.iter().map(|(setup, kept)| memory::write(&with_kept(setup, kept)?));
            let past = past.collect::<Result<_, _>>()?;
            let paste = self.waiting.as_ref().map_or(Ok(String::new()), |waiting| memory::write(&Cells::of(waiting)))?;
            Ok::<Flat, String>(Flat { past, paste, ..with_kept(&self.setup, &self.kept)? })
        };
        flat().map_err(ser::Error::custom)?.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for State {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let flat = Flat::deserialize(deserializer)?;
        let with_kept = |flat: &Flat| {
            let setup = Setup::of_flat(flat);
            let kept = Some(&flat.kept).filter(|kept| !kept.is_empty() && setup.from != Source::Own).map(|kept| Setup::read(kept));
            (setup, kept)
        };
        // Of what was before, only as much as can be taken back.
        let past = flat.past.iter().take(PAST).map(|past| with_kept(&memory::read(past))).collect();
        let (setup, kept) = with_kept(&flat);
        let waiting = memory::read::<Cells>(&flat.paste).waiting();
        Ok(Self { setup, kept, past, waiting, note: None })
    }
}
