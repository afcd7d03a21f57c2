//! The results of a class: files of Predict as one table.
//!
//! Invariants: the files stay in the page and are gone with it; every file has a row.

use serde::{Deserialize, Serialize};

use crate::tool::{Apart, Effects, Event};
use blockstep_learn::class::{self, ClassColumn, ClassTable, File, MAX_FILES, ReadFile};
use blockstep_protocol::Effect;

/// The tool.
pub struct Class;

/// The files, and how their rows are sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// What is kept of them.
    files: Vec<ReadFile>,
    /// The column, as [`ClassColumn`] has it; a question by its number.
    by: String,
    /// Whether the last of the column comes first.
    is_descending: bool,
    /// What is wrong with what was just done; it is said once.
    #[serde(skip)]
    problem: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Add files: name and text of each.
    Add(Vec<File>),
    /// Sort by a column; by the same once more, the other way round.
    Sort(ClassColumn),
    Clear,
    SaveCsv,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub problem: Option<String>,
    pub table: ClassTable,
    /// What they are sorted by.
    pub by: ClassColumn,
    pub is_descending: bool,
    /// How many files there are and how many are counted, in a sentence; empty without files.
    pub count: String,
}

/// The columns but for the questions, with their words.
const WORDS: [(ClassColumn, &str); 7] = [
    (ClassColumn::Student, "student"),
    (ClassColumn::Exercise, "exercise"),
    (ClassColumn::Seed, "seed"),
    (ClassColumn::Numbers, "numbers"),
    (ClassColumn::Date, "date"),
    (ClassColumn::Minutes, "minutes"),
    (ClassColumn::Score, "score"),
];

impl State {
    fn column(&self) -> ClassColumn {
        let named = WORDS.iter().find(|(_, word)| *word == self.by).map(|(column, _)| *column);
        named.or_else(|| self.by.parse().ok().map(ClassColumn::Question)).unwrap_or_default()
    }

    fn set_column(&mut self, column: ClassColumn) {
        self.by = match column {
            ClassColumn::File => String::new(),
            ClassColumn::Question(i) => i.to_string(),
            column => WORDS.iter().find(|(of, _)| *of == column).map(|(_, word)| (*word).to_owned()).unwrap_or_default(),
        };
    }

    fn table(&self) -> ClassTable {
        let mut table = class::table(&self.files);
        table.sort(self.column(), self.is_descending);
        table
    }

    fn add(&mut self, files: Vec<File>) {
        let room = MAX_FILES.saturating_sub(self.files.len());
        if files.len() > room {
            let count = self.files.len() + files.len();
            self.problem = Some(format!("Files: {count} are too many; the maximum is {MAX_FILES}. The first {MAX_FILES} are here."));
        }
        class::add(&mut self.files, files.into_iter().take(room));
    }
}

impl Apart for Class {
    type State = State;
    type Msg = Msg;
    type View = View;

    fn update(state: &mut State, event: Event<Msg>) -> Effects {
        let mut effects = Effects::new();
        match event {
            Event::OpenedWith(files) | Event::Message(Msg::Add(files)) => state.add(files),
            Event::Message(Msg::Sort(column)) => {
                state.is_descending = state.column() == column && !state.is_descending;
                state.set_column(column);
            }
            Event::Message(Msg::Clear) => *state = State::default(),
            Event::Message(Msg::SaveCsv) => {
                let (name, kind) = ("class-results.csv".to_owned(), "text/csv".to_owned());
                effects.push(Effect::SaveFile { name, kind, text: state.table().csv() });
            }
            Event::Opened(_) | Event::Moved | Event::Continued | Event::Edit(_) | Event::Closed => {}
        }
        effects
    }

    fn view(state: &State) -> View {
        let table = state.table();
        let files = table.rows.len();
        let count = files_read(files, files - table.counted);
        let (by, is_descending) = (state.column(), state.is_descending);
        View { problem: state.problem.clone(), table, by, is_descending, count }
    }
}

/// How many files there are; `left` of them are not counted.
fn files_read(files: usize, left: usize) -> String {
    match (files, left) {
        (0, _) => String::new(),
        (1, 0) => "1 result.".to_owned(),
        (files, 0) => format!("{files} results."),
        (1, left) => format!("1 file, {left} of them marked and not counted below."),
        (files, left) => format!("{files} files, {left} of them marked and not counted below."),
    }
}
