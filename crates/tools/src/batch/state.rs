//! What the tool remembers: workload, GPU, scheduler, methods, and where the reader stands.
//!
//! Invariants: a built-in workload is remembered by its name alone, an edited one by what was typed, also while a built-in one is
//! shown; what was typed is never lost.

use serde::{Deserialize, Serialize};

use super::table::{COLUMNS, TaskColumn, TypedRow};
use blockstep_batch::arch::{ArchId, Costs};
use blockstep_batch::cases::{ASSUMED, CASES, Case};
use blockstep_batch::methods::{Method, Methods};
use blockstep_batch::schedulers::SchedulerId;
use blockstep_batch::task::{MAX_TASKS, WorkloadDraft};
use blockstep_format::BatchFile;
use blockstep_view::document::{PastedCells, WaitingCells};
use blockstep_view::history::{Edited, History};
use blockstep_view::quantity::format_time;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tab {
    #[default]
    Step,
    All,
    Paper,
    Workload,
}

impl Tab {
    /// Every tab, in their order.
    pub const ALL: [Self; 4] = [Self::Step, Self::All, Self::Paper, Self::Workload];

    /// Its word in links.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Step => "step",
            Self::All => "all",
            Self::Paper => "paper",
            Self::Workload => "tasks",
        }
    }

    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Step => "Step by step",
            Self::All => "Compare all six",
            Self::Paper => "Compare with the paper",
            Self::Workload => "Workload",
        }
    }

    /// The tab of a word; the first one if there is none.
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        Self::ALL.into_iter().find(|tab| tab.word() == word).unwrap_or_default()
    }
}

/// Where the workload comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// The commands of the paper's Tables I and II, which no scheduler wrote.
    #[default]
    Tables,
    /// A case of the paper, by its place in [`CASES`].
    Case(usize),
    Own,
}

impl Source {
    /// Its word in links.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Tables => "tables",
            Self::Case(_) => self.case().map_or("tables", |case| case.name),
            Self::Own => "own",
        }
    }

    /// The source of a word; the tables if there is none.
    #[must_use]
    pub fn from_word(word: &str) -> Self {
        let case = Case::find(word).and_then(|case| CASES.iter().position(|of| of.name == case.name));
        if word == "own" { Self::Own } else { case.map_or(Self::Tables, Self::Case) }
    }

    /// The case, if it is one.
    #[must_use]
    pub fn case(self) -> Option<&'static Case> {
        if let Self::Case(place) = self { CASES.get(place) } else { None }
    }
}

/// A part that the reader opens and closes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Section {
    Tables,
    /// What the host and schedulers on the GPU take.
    Costs,
    Family,
    Figures,
    Assumed,
    Gpu(ArchId),
}

impl Section {
    /// Its word in links.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Tables => "as-tables",
            Self::Costs => "costs",
            Self::Family => "family",
            Self::Figures => "figures",
            Self::Assumed => "assumed",
            Self::Gpu(id) => id.word(),
        }
    }

    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::all().find(|section| section.word() == word)
    }

    /// Every part.
    pub fn all() -> impl Iterator<Item = Self> {
        let gpus = ArchId::ALL.into_iter().map(Self::Gpu);
        [Self::Tables, Self::Costs, Self::Family, Self::Figures, Self::Assumed].into_iter().chain(gpus)
    }
}

/// What a link takes along: what is shown, not what else the reader has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    pub tab: Tab,
    pub from: Source,
    pub gpu: ArchId,
    pub by: SchedulerId,
    pub methods: Methods,
    /// Costs as typed, in the order of [`Costs::FIELDS`].
    pub costs: [String; 6],
    /// The workload's name, as typed.
    pub name: String,
    /// Until when inputs arrive, as typed.
    pub until: String,
    /// The tasks, as typed.
    pub rows: Vec<TypedRow>,
    pub run: usize,
    /// Steps applied; where something is held up first, if nothing is said.
    pub at: Option<usize>,
    pub is_whole: bool,
    pub open: Vec<Section>,
}

/// What the reader edits: what is shown, and their own workload while that is a built-in one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Work {
    pub setup: Setup,
    pub kept: Option<Setup>,
}

impl Edited for Work {
    /// All of them are sent and stored with what the tool remembers.
    const MAX_ENTRIES: usize = 20;
    const MAX_ROWS: usize = 300;

    fn entry_count(&self) -> usize {
        self.setup.rows.len() + self.kept.as_ref().map_or(0, |kept| kept.rows.len())
    }
}

/// Everything that the tool remembers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub history: History<Work>,
    /// Cells that were pasted and are not taken yet.
    pub waiting: Option<WaitingCells>,
    /// What came of opening a file; forgotten with what happens next.
    pub note: Option<String>,
}

impl Default for State {
    fn default() -> Self {
        Self { history: History::new(Work::default()), waiting: None, note: None }
    }
}

impl Default for Setup {
    fn default() -> Self {
        Self::built_in(Source::Tables)
    }
}

impl Setup {
    /// A built-in workload as it comes; the paper's example if it is none.
    #[must_use]
    pub fn built_in(from: Source) -> Self {
        let case = from.case();
        let setup = Self::of_draft(&case.unwrap_or(&CASES[1]).workload(&ASSUMED));
        match case {
            Some(case) => Self { from, gpu: case.arch, ..setup },
            None => Self { from: Source::Tables, methods: Methods::ALL.with(Method::SetEventQueue, false), ..setup },
        }
    }

    fn of_draft(draft: &WorkloadDraft) -> Self {
        Self {
            tab: Tab::Step,
            from: Source::Own,
            gpu: ArchId::Fermi,
            by: SchedulerId::CpuConcurrent,
            methods: Methods::ALL,
            costs: Costs::default().values().map(|v| v.to_string()),
            name: draft.name.clone(),
            until: format_time(draft.until_ns),
            rows: draft.tasks.iter().map(TypedRow::from_task).collect(),
            run: 0,
            at: None,
            is_whole: false,
            open: Vec::new(),
        }
    }

    #[must_use]
    pub fn of_file(file: &BatchFile) -> Self {
        let costs = file.costs.values().map(|v| v.to_string());
        Self { gpu: file.gpu, methods: file.methods, costs, ..Self::of_draft(&file.workload) }
    }

    /// Whether it is the paper's own sequence of commands, which no scheduler wrote.
    #[must_use]
    pub fn is_tables(&self) -> bool {
        self.from == Source::Tables
    }

    #[must_use]
    pub fn is_open(&self, section: Section) -> bool {
        self.open.contains(&section)
    }

    pub(super) fn toggle(&mut self, section: Section) {
        let count = self.open.len();
        self.open.retain(|open| *open != section);
        if self.open.len() == count {
            self.open.push(section);
        }
    }

    /// Methods that could change something here.
    pub(super) fn shown_methods(&self) -> impl Iterator<Item = Method> {
        let (is_tables, gpu) = (self.is_tables(), self.gpu);
        let concerns = move |m: &Method| if is_tables { *m == Method::SetEventQueue } else { gpu == ArchId::Tx1 || !m.is_for_tx1() };
        Method::ALL.into_iter().filter(concerns)
    }

    fn add_row(&mut self, like: Option<usize>) {
        if self.rows.len() < MAX_TASKS {
            let place = like.map_or(self.rows.len(), |place| (place + 1).min(self.rows.len()));
            let row = place.checked_sub(1).and_then(|place| self.rows.get(place)).cloned().unwrap_or_default();
            self.rows.insert(place, TypedRow { name: self.free_name(), ..row });
        }
    }

    /// Adds a task that is like no other.
    fn add_blank_row(&mut self) {
        self.rows.push(TypedRow { name: self.free_name(), ..TypedRow::default() });
    }

    fn free_name(&self) -> String {
        let mut names = (1..).map(|number| format!("task {number}"));
        names.find(|name| self.rows.iter().all(|row| row.name != *name)).unwrap_or_default()
    }

    fn becomes_own(&mut self) {
        if self.is_tables() {
            self.methods = Methods::ALL;
        }
        if self.from != Source::Own && self.name == Self::built_in(self.from).name {
            self.name = format!("After {}", if self.is_tables() { CASES[1].name } else { self.from.word() });
        }
        self.from = Source::Own;
        self.run = 0;
        self.at = None;
    }
}

impl State {
    #[must_use]
    pub fn setup(&self) -> &Setup {
        &self.history.present().setup
    }

    /// What is shown, to be changed by what is no edit of the workload.
    pub(super) fn setup_mut(&mut self) -> &mut Setup {
        &mut self.history.present_mut().setup
    }

    /// Changes the workload, which is then the reader's own; what is as it was before changes nothing.
    fn edit(&mut self, change: impl FnOnce(&mut Setup)) {
        self.history.edit(None, |work| {
            let before = work.setup.clone();
            change(&mut work.setup);
            if work.setup != before {
                work.setup.becomes_own();
                work.kept = None;
            }
        });
    }

    /// Takes over what a cell holds.
    pub(super) fn set_cell(&mut self, row: usize, column: TaskColumn, text: String) {
        self.edit(|setup| {
            if let Some(row) = setup.rows.get_mut(row) {
                *row.cell_mut(column) = text;
            }
        });
    }

    pub(super) fn set_name(&mut self, text: String) {
        self.edit(|setup| setup.name = text);
    }

    /// Takes over until when inputs arrive.
    pub(super) fn set_until(&mut self, text: String) {
        self.edit(|setup| setup.until = text);
    }

    /// Takes over what one of the costs is; the workload stays what it is.
    pub(super) fn set_cost(&mut self, place: usize, text: String) {
        self.history.edit(None, |work| {
            if let Some(cost) = work.setup.costs.get_mut(place) {
                *cost = text;
            }
        });
    }

    /// Takes over cells of a spreadsheet from row `first` on, perhaps in place of all rows; what lies beyond the last column is left
    /// out, and lines beyond the limit of tasks, which is said.
    pub(super) fn paste(&mut self, sheet: &PastedCells<'_>, first: usize, replaces: bool) -> Option<String> {
        let room = MAX_TASKS.saturating_sub(first);
        self.edit(|setup| {
            if replaces {
                setup.rows.clear();
            }
            for (row, line) in (first..).zip(sheet.lines.iter().take(room)) {
                if row >= setup.rows.len() {
                    setup.add_blank_row();
                }
                for (place, cell) in line.iter().enumerate() {
                    let to = sheet.cell(COLUMNS, place, cell);
                    if let (Some((column, text)), Some(row)) = (to, setup.rows.get_mut(row)) {
                        *row.cell_mut(TaskColumn::ALL[column]) = text;
                    }
                }
            }
        });
        let left_out = sheet.lines.len().saturating_sub(room);
        (left_out > 0).then(|| format!("{left_out} of the pasted lines are left out: the maximum is {MAX_TASKS} tasks."))
    }

    /// Adds a task, like the last one, or below this one and like it.
    pub(super) fn add_row(&mut self, like: Option<usize>) {
        self.edit(|setup| setup.add_row(like));
    }

    /// Has a task change places with the one below or above.
    pub(super) fn move_row(&mut self, row: usize, is_down: bool) {
        self.edit(|setup| {
            let other = if is_down { Some(row + 1) } else { row.checked_sub(1) };
            if let Some(other) = other.filter(|other| row.max(*other) < setup.rows.len()) {
                setup.rows.swap(row, other);
            }
        });
    }

    pub(super) fn remove_row(&mut self, place: usize) {
        self.edit(|setup| {
            if place < setup.rows.len() {
                setup.rows.remove(place);
            }
        });
    }

    /// Goes over to a built-in workload, or back to the reader's own; that is never lost.
    pub(super) fn choose(&mut self, from: Source, tab: Tab) {
        match self.own().filter(|_| from == Source::Own).cloned() {
            Some(own) => *self.history.present_mut() = Work { setup: Setup { tab, ..own }, kept: None },
            None => self.go_to(Setup { tab, ..Setup::built_in(from) }),
        }
    }

    /// Goes over to what a link or a tour shows.
    pub(super) fn go_to(&mut self, there: Setup) {
        if there.from == Source::Own {
            return self.replace(there);
        }
        self.waiting = None;
        let kept = self.own().cloned();
        *self.history.present_mut() = Work { setup: there, kept };
    }

    /// Goes over to another workload of the reader's own, in place of what is there.
    pub(super) fn replace(&mut self, by: Setup) {
        self.waiting = None;
        self.history.edit(None, |work| *work = Work { setup: by, kept: None });
    }

    /// The reader's own workload, if there is one.
    pub(super) fn own(&self) -> Option<&Setup> {
        let Work { setup, kept } = &**self.history.present();
        if setup.from == Source::Own { Some(setup) } else { kept.as_ref() }
    }

    /// Takes the latest edit of the workload back, or makes it again, wherever the reader looks.
    pub(super) fn travel(&mut self, travel: fn(&mut History<Work>)) {
        let (tab, open) = (self.setup().tab, self.setup().open.clone());
        travel(&mut self.history);
        let setup = self.setup_mut();
        (setup.tab, setup.open) = (tab, open);
    }
}
