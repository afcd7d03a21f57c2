//! What the tool remembers: workload, GPU, scheduler, methods, and where the reader stands.
//!
//! Depends on `batch` and `format`. Invariants: [`Model::write`] and [`Model::read`] are each other's
//! inverse; a built-in workload is remembered by its name alone, an edited one by what was typed,
//! also while a built-in one is shown.

use super::super::query::Query;
use crate::batch::arch::{Arch, ArchId, Costs};
use crate::batch::cases::{ASSUMED, CASES, Case};
use crate::batch::methods::{Method, Methods};
use crate::batch::schedulers::SchedulerId;
use crate::batch::task::{MAX_TASKS, Workload, WorkloadDraft};
use crate::format::BatchFile;
use crate::view::markup::Markup;
use crate::view::quantity::format_time;

use super::table::{COLUMNS, Row, draft_of, is_default_cost};

/// A way to look at it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Tab {
    /// Step by step through a batch.
    #[default]
    Step,
    /// All schedulers at once.
    All,
    /// Ours against the paper's.
    Paper,
    /// The tasks.
    Workload,
}

impl Tab {
    pub(super) const ALL: [Self; 4] = [Self::Step, Self::All, Self::Paper, Self::Workload];

    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::All => "all",
            Self::Paper => "paper",
            Self::Workload => "tasks",
        }
    }

    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Step => "Step by step",
            Self::All => "Compare all six",
            Self::Paper => "Against the paper",
            Self::Workload => "Workload",
        }
    }

    pub(super) fn of(word: &str) -> Self {
        Self::ALL.into_iter().find(|tab| tab.word() == word).unwrap_or_default()
    }
}

/// The example of the paper's Tables I and II.
pub(super) const TABLES: &str = "tables";
/// A workload that was edited or opened.
pub(super) const OWN: &str = "own";

/// All that is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Model {
    pub(super) tab: Tab,
    /// [`TABLES`], the name of a case, or [`OWN`].
    pub(super) from: String,
    pub(super) gpu: ArchId,
    pub(super) by: SchedulerId,
    pub(super) methods: Methods,
    pub(super) costs: [String; 6],
    /// As typed.
    pub(super) name: String,
    /// As typed.
    pub(super) until: String,
    /// As typed.
    pub(super) rows: Vec<Row>,
    /// Which of the different batches.
    pub(super) run: usize,
    /// Steps applied; where something is held up first, if nothing is said.
    pub(super) at: Option<usize>,
    /// Whether timelines show the whole run.
    pub(super) whole: bool,
    /// Which details are open.
    pub(super) opened: Vec<String>,
    /// The reader's own workload while a built-in one is shown, as [`Model::shared`] writes it.
    pub(super) kept: Option<String>,
    /// What was before the latest changes of the workload, the latest last.
    pub(super) past: Vec<String>,
}

/// Changes that can be taken back.
const PAST: usize = 8;

impl Model {
    /// A built-in workload as it comes; the paper's example if there is none of that name.
    pub(super) fn load(from: &str) -> Self {
        let case = Case::find(from);
        let draft = case.unwrap_or(&CASES[1]).workload(&ASSUMED);
        let mut model = Self::of_draft(&draft);
        model.from = case.map_or(TABLES, |case| case.name).to_owned();
        model.gpu = case.map_or(ArchId::Fermi, |case| case.arch);
        if case.is_none() {
            model.methods = Methods::ALL.with(Method::SetEventQueue, false);
        }
        model
    }

    fn of_draft(draft: &WorkloadDraft) -> Self {
        Self {
            tab: Tab::Step,
            from: OWN.to_owned(),
            gpu: ArchId::Fermi,
            by: SchedulerId::CpuConcurrent,
            methods: Methods::ALL,
            costs: Costs::default().values().map(|v| v.to_string()),
            name: draft.name.clone(),
            until: format_time(draft.until_ns),
            rows: draft.tasks.iter().map(Row::of).collect(),
            run: 0,
            at: None,
            whole: false,
            opened: Vec::new(),
            kept: None,
            past: Vec::new(),
        }
    }

    /// What a file holds.
    pub(super) fn of_file(file: &BatchFile) -> Self {
        let costs = file.costs.values().map(|v| v.to_string());
        Self { gpu: file.gpu, methods: file.methods, costs, ..Self::of_draft(&file.workload) }
    }

    /// What was remembered.
    pub(super) fn read(state: &Query) -> Self {
        let mut model = Self::load(state.get("from"));
        if state.get("from") == OWN {
            model.from = OWN.to_owned();
            model.name = state.get("name").to_owned();
            model.until = state.get("until").to_owned();
            model.rows = state.all("task").take(MAX_TASKS + 1).map(|row| Row::read(&Query::read(row))).collect();
        }
        model.tab = Tab::of(state.get("tab"));
        model.set_gpu(state.get("gpu"));
        model.set_scheduler(state.get("by"));
        if !state.get("off").is_empty() {
            let off: Vec<&str> = state.get("off").split(' ').collect();
            model.methods = Method::ALL.into_iter().fold(Methods::ALL, |all, m| all.with(m, !off.contains(&m.word())));
        }
        for (cost, (field, ..)) in model.costs.iter_mut().zip(Costs::FIELDS) {
            if !state.get(field).is_empty() {
                state.get(field).clone_into(cost);
            }
        }
        model.run = state.number("run").and_then(|n| usize::try_from(n).ok()).unwrap_or(0);
        model.at = state.number("at").and_then(|n| usize::try_from(n).ok());
        model.whole = state.get("span") == "all";
        model.opened = state.get("open").split_whitespace().map(str::to_owned).collect();
        model.kept = Some(state.get("kept").to_owned()).filter(|kept| !kept.is_empty() && model.from != OWN);
        model.past = state.all("past").take(PAST).map(str::to_owned).collect();
        model
    }

    /// To be remembered.
    pub(super) fn write(&self) -> Query {
        let mut state = self.shared();
        state.set("kept", self.kept.clone().unwrap_or_default());
        for past in &self.past {
            state.add("past", past);
        }
        state
    }

    /// What a link takes along: what is shown, not what else the reader has.
    pub(super) fn shared(&self) -> Query {
        let (mut state, built_in) = (Query::new(), Self::load(&self.from));
        state.set("from", &self.from);
        if self.tab != Tab::Step {
            state.set("tab", self.tab.word());
        }
        if self.from == OWN {
            state.set("name", &self.name).set("until", &self.until);
            for row in &self.rows {
                state.add("task", row.write().write());
            }
        }
        if self.gpu != built_in.gpu {
            state.set("gpu", self.gpu.word());
        }
        if self.by != built_in.by {
            state.set("by", self.by.name());
        }
        if self.methods != built_in.methods {
            let off: Vec<&str> = Method::ALL.into_iter().filter(|m| !self.methods.has(*m)).map(Method::word).collect();
            state.set("off", if off.is_empty() { "none".to_owned() } else { off.join(" ") });
        }
        for (i, (field, ..)) in Costs::FIELDS.into_iter().enumerate() {
            if !is_default_cost(i, &self.costs[i]) {
                state.set(field, &self.costs[i]);
            }
        }
        if self.run > 0 {
            state.set("run", self.run.to_string());
        }
        state.set("at", self.at.map(|at| at.to_string()).unwrap_or_default());
        state.set("span", if self.whole { "all" } else { "" });
        state.set("open", self.opened.join(" "));
        state
    }

    /// Whether it is the paper's own sequence of commands, which no scheduler wrote.
    pub(super) fn is_tables(&self) -> bool {
        self.from == TABLES
    }

    pub(super) fn set_gpu(&mut self, word: &str) {
        self.gpu = ArchId::from_word(word).unwrap_or(self.gpu);
    }

    pub(super) fn set_scheduler(&mut self, name: &str) {
        self.by = SchedulerId::from_name(name).unwrap_or(self.by);
    }

    /// Methods by their names; those that the panel does not show stay.
    pub(super) fn set_methods(&mut self, on: &[&str]) {
        for method in self.shown_methods() {
            self.methods = self.methods.with(method, on.contains(&method.word()));
        }
    }

    /// Methods that could change something here.
    pub(super) fn shown_methods(&self) -> Vec<Method> {
        let concerns = |m: &Method| {
            if self.is_tables() { *m == Method::SetEventQueue } else { self.gpu == ArchId::Tx1 || !m.is_for_tx1() }
        };
        Method::ALL.into_iter().filter(concerns).collect()
    }

    /// The GPU with its costs; the default ones where they are refused.
    pub(super) fn arch(&self) -> Arch {
        self.gpu.with(super::table::costs(&self.costs).unwrap_or_default())
    }

    /// The workload.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn workload(&self) -> Result<Workload, Vec<super::problem::Problem>> {
        let costs = super::table::costs(&self.costs).err().into_iter();
        let draft = draft_of(self).map_err(|mut problems| {
            problems.extend(super::table::costs(&self.costs).err());
            problems
        })?;
        match Workload::new(draft) {
            Ok(workload) => {
                let problems: Vec<_> = costs.collect();
                if problems.is_empty() { Ok(workload) } else { Err(problems) }
            }
            Err(error) => Err(error.problems.into_iter().map(super::problem::Problem::of).chain(costs).collect()),
        }
    }

    /// Takes over what the cells hold; an edited workload is no built-in one any more.
    pub(super) fn take_cells(&mut self, fields: &Query) {
        let before = self.clone();
        let mut edited = self.clone();
        for (i, row) in edited.rows.iter_mut().enumerate() {
            for (column, cell) in COLUMNS.iter().zip(&mut row.0) {
                let name = format!("{}.{i}", column.word);
                if fields.pairs().any(|(n, _)| n == name) {
                    fields.get(&name).clone_into(cell);
                }
            }
        }
        for (name, place) in [("until", &mut edited.until), ("name", &mut edited.name)] {
            if fields.pairs().any(|(n, _)| n == name) {
                fields.get(name).clone_into(place);
            }
        }
        if edited != *self {
            *self = edited;
            self.becomes_own();
        }
        self.take_costs(fields);
        if *self != before {
            self.remember(&before);
        }
    }

    /// Takes over what the fields of costs hold.
    pub(super) fn take_costs(&mut self, fields: &Query) {
        for (cost, (field, ..)) in self.costs.iter_mut().zip(Costs::FIELDS) {
            if fields.pairs().any(|(n, _)| n == field) {
                fields.get(field).clone_into(cost);
            }
        }
    }

    /// Opens details, or closes them.
    pub(super) fn toggle(&mut self, id: &str) {
        let count = self.opened.len();
        self.opened.retain(|open| open != id);
        if self.opened.len() == count {
            self.opened.push(id.to_owned());
        }
    }

    /// Begins details that the reader opens; what follows is in them until they are closed.
    pub(super) fn details(&self, html: &mut Markup, id: &'static str, title: &str) {
        let open = if self.opened.iter().any(|o| o == id) { "1" } else { "" };
        let word = format!("toggle {id}");
        html.open("details", &[("open", open)]).leaf("summary", &[("data-do", &word), ("data-keep", id)], title);
    }

    pub(super) fn add_row(&mut self) {
        if self.rows.len() < MAX_TASKS {
            self.remember(&self.clone());
            let row = self.rows.last().cloned().unwrap_or_default();
            let name = (1..).map(|n| format!("task {n}")).find(|name| self.rows.iter().all(|row| row.0[0] != *name));
            self.rows.push(row.renamed(&name.unwrap_or_default()));
            self.becomes_own();
        }
    }

    pub(super) fn remove_row(&mut self, place: &str) {
        if let Some(place) = place.parse::<usize>().ok().filter(|place| *place < self.rows.len() && self.rows.len() > 1) {
            self.remember(&self.clone());
            self.rows.remove(place);
            self.becomes_own();
        }
    }

    fn becomes_own(&mut self) {
        if self.is_tables() {
            self.methods = Methods::ALL;
        }
        if self.from != OWN && self.name == Self::load(&self.from).name {
            self.name = format!("After {}", if self.is_tables() { CASES[1].name } else { &self.from });
        }
        self.from = OWN.to_owned();
        self.kept = None;
        self.run = 0;
        self.at = None;
    }

    /// Goes over to a built-in workload, or back to the reader's own; that is never lost.
    pub(super) fn choose(&mut self, from: &str, tab: Tab) {
        match self.own().filter(|_| from == OWN) {
            Some(own) => *self = Self { tab, past: std::mem::take(&mut self.past), ..Self::read(&Query::read(&own)) },
            None => self.go_to(Self { tab, ..Self::load(from) }),
        }
    }

    /// Goes over to what a link or a tour shows.
    pub(super) fn go_to(&mut self, there: Self) {
        if there.from == OWN {
            return self.replace(there);
        }
        *self = Self { kept: self.own(), past: std::mem::take(&mut self.past), ..there };
    }

    /// The reader's own workload, as [`Model::shared`] writes it.
    fn own(&self) -> Option<String> {
        if self.from == OWN { Some(self.shared().write()) } else { self.kept.clone() }
    }

    /// Goes over to another workload of the reader's own, in place of what is there.
    pub(super) fn replace(&mut self, by: Self) {
        self.remember(&self.clone());
        *self = Self { past: std::mem::take(&mut self.past), ..by };
    }

    /// The name of the reader's own workload, if there is one.
    pub(super) fn own_name(&self) -> Option<String> {
        if self.from == OWN {
            return Some(self.name.clone());
        }
        self.kept.as_ref().map(|kept| Query::read(kept).get("name").to_owned())
    }

    /// Keeps what was before a change, to be taken back.
    fn remember(&mut self, before: &Self) {
        let mut state = before.shared();
        state.set("kept", before.kept.clone().unwrap_or_default());
        self.past.push(state.write());
        let too_many = self.past.len().saturating_sub(PAST);
        self.past.drain(..too_many);
    }

    /// Takes the latest change of the workload back, wherever the reader looks; whether there was one.
    pub(super) fn take_back(&mut self) -> bool {
        let Some(before) = self.past.pop() else { return false };
        let (past, opened) = (std::mem::take(&mut self.past), std::mem::take(&mut self.opened));
        *self = Self { tab: self.tab, past, opened, ..Self::read(&Query::read(&before)) };
        true
    }
}
