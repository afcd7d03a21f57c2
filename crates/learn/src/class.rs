//! The results of a class: one row for each file, and how many answered each question rightly.
//!
//! Depends on `format` for the files and for the cells of the table. Invariants: every file has a row, whatever is wrong with
//! it; what was changed, is there twice or belongs to another exercise is marked and not counted in the summary.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt::Write;

use serde::{Deserialize, Serialize};

use blockstep_format::{self as format, QuizResult, TeachError};

/// Most files at once.
pub const MAX_FILES: usize = 1_000;

/// A file, by its name and text.
pub type File = (String, String);

/// How a question was answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum ClassMark {
    /// Not asked.
    None,
    /// Wrongly.
    Wrong,
    /// Given up.
    GivenUp,
    /// Rightly.
    Right,
}

impl ClassMark {
    /// A word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Wrong => "wrong",
            Self::GivenUp => "given up",
            Self::Right => "right",
        }
    }
}

/// What the table can be sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum ClassColumn {
    /// The order in which the files came.
    #[default]
    File,
    /// The student.
    Student,
    /// The exercise, or the scenario.
    Exercise,
    /// The seed.
    Seed,
    /// When it began.
    Date,
    /// How long it took.
    Minutes,
    /// A question, from 0.
    Question(usize),
    /// The share of right answers.
    Score,
}

/// What a file says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultRow {
    /// The name of the file.
    pub file: String,
    /// The student; empty if no name was typed.
    pub student: String,
    /// The exercise, or the scenario.
    pub exercise: String,
    /// The seed.
    pub seed: String,
    /// When it began, in UTC.
    pub date: String,
    /// Tenths of minutes that it took.
    pub tenths: Option<u64>,
    /// How each question was answered.
    pub marks: Vec<ClassMark>,
    /// How many rightly.
    pub right: usize,
    /// Of how many.
    pub of: usize,
    /// What is to be said of the file, a sentence each.
    pub notes: Vec<String>,
    /// Whether it is counted in the summary.
    pub counts: bool,
}

/// How a question was answered by all who are counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// The question.
    pub question: String,
    /// The right answer.
    pub answer: String,
    /// Rightly.
    pub right: usize,
    /// Wrongly.
    pub wrong: usize,
    /// Given up.
    pub given_up: usize,
    /// The wrong answer that was given most often, with its count.
    pub common: Option<(String, usize)>,
}

impl Summary {
    /// How many answered.
    #[must_use]
    pub const fn all(&self) -> usize {
        self.right + self.wrong + self.given_up
    }
}

/// All of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassTable {
    /// Questions of the longest row.
    pub questions: usize,
    /// A row for each file.
    pub rows: Vec<ResultRow>,
    /// Each question of the exercise that most files are of.
    pub summary: Vec<Summary>,
    /// Rows that the summary counts.
    pub counted: usize,
}

/// What was asked: results of the same can be compared.
type Task = (String, String, u64, Vec<(u32, String)>);

fn task(result: &QuizResult) -> Task {
    let asked = result.questions.iter().map(|given| (given.step, given.kind.clone())).collect();
    (result.scenario_id.clone(), result.exercise_id.clone(), result.seed, asked)
}

/// Reads files into a table, in their order.
#[must_use]
pub fn table(files: &[File]) -> ClassTable {
    let read: Vec<Result<QuizResult, TeachError>> = files.iter().map(|(_, text)| format::read_result(text)).collect();
    // Telling takes a checksum of the whole file.
    let unchanged: Vec<bool> = read.iter().map(|read| read.as_ref().is_ok_and(QuizResult::is_unchanged)).collect();
    let main = main_task(read.iter().zip(&unchanged).filter(|(_, is)| **is).filter_map(|(read, _)| read.as_ref().ok()));
    let mut rows = Vec::new();
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    for (((file, _), read), is_unchanged) in files.iter().zip(&read).zip(unchanged) {
        rows.push(match read {
            Ok(result) => {
                // White space apart, two files with the same text are one.
                let twin = match seen.entry(result.write()) {
                    Entry::Occupied(first) => Some(first.get().clone()),
                    Entry::Vacant(place) => {
                        place.insert(file.clone());
                        None
                    }
                };
                row(file, result, is_unchanged, main.as_ref(), twin)
            }
            Err(problem) => unreadable(file, &problem.to_string()),
        });
    }
    let counted: Vec<&QuizResult> =
        rows.iter().zip(&read).filter(|(row, _)| row.counts).filter_map(|(_, read)| read.as_ref().ok()).collect();
    ClassTable {
        questions: rows.iter().map(|row| row.marks.len()).max().unwrap_or(0),
        summary: summary(&counted),
        counted: counted.len(),
        rows,
    }
}

/// What most files were asked; of two, what came first.
fn main_task<'a>(results: impl Iterator<Item = &'a QuizResult>) -> Option<Task> {
    // How often, and the place of the first.
    let mut times: BTreeMap<Task, (usize, Reverse<usize>)> = BTreeMap::new();
    for (i, result) in results.enumerate() {
        times.entry(task(result)).or_insert((0, Reverse(i))).0 += 1;
    }
    times.into_iter().max_by_key(|(_, times)| *times).map(|(task, _)| task)
}

fn unreadable(file: &str, problem: &str) -> ResultRow {
    ResultRow {
        file: file.to_owned(),
        student: String::new(),
        exercise: String::new(),
        seed: String::new(),
        date: String::new(),
        tenths: None,
        marks: Vec::new(),
        right: 0,
        of: 0,
        notes: vec![problem.to_owned()],
        counts: false,
    }
}

fn row(file: &str, result: &QuizResult, is_unchanged: bool, main: Option<&Task>, twin: Option<String>) -> ResultRow {
    let mut notes = Vec::new();
    if !is_unchanged {
        notes.push("This file was changed after it was saved.".to_owned());
    }
    if let Some(twin) = twin {
        notes.push(format!("This is the same result as {twin}."));
    }
    if let Some(main) = main {
        let own = task(result);
        notes.extend(
            if own.0 != main.0 {
                Some("This is about another scenario than most files.")
            } else if own.1 != main.1 {
                Some("This is another exercise than in most files.")
            } else if own.2 != main.2 {
                Some("This has another seed than most files.")
            } else if own.3 != main.3 {
                Some("This has other questions than most files.")
            } else {
                None
            }
            .map(str::to_owned),
        );
    }
    let marks: Vec<ClassMark> = result
        .questions
        .iter()
        .map(|given| match (given.given_up, given.is_right()) {
            (true, _) => ClassMark::GivenUp,
            (false, true) => ClassMark::Right,
            (false, false) => ClassMark::Wrong,
        })
        .collect();
    ResultRow {
        file: file.to_owned(),
        student: result.student.clone(),
        exercise: if result.exercise.is_empty() { result.scenario.clone() } else { result.exercise.clone() },
        seed: result.seed.to_string(),
        date: result.began.clone(),
        tenths: result.seconds().map(|seconds| seconds.div_ceil(6)),
        right: marks.iter().filter(|mark| **mark == ClassMark::Right).count(),
        of: marks.len(),
        counts: notes.is_empty(),
        marks,
        notes,
    }
}

fn summary(counted: &[&QuizResult]) -> Vec<Summary> {
    let Some(first) = counted.first() else { return Vec::new() };
    let of = |(i, asked): (usize, &format::GivenAnswer)| {
        let given = || counted.iter().filter_map(|result| result.questions.get(i));
        let mut wrong: BTreeMap<&str, usize> = BTreeMap::new();
        given().filter(|given| !given.given_up && !given.is_right()).for_each(|given| *wrong.entry(&given.given).or_default() += 1);
        Summary {
            question: asked.question.clone(),
            answer: asked.right.clone(),
            right: given().filter(|given| given.is_right()).count(),
            wrong: wrong.values().sum(),
            given_up: given().filter(|given| given.given_up).count(),
            common: wrong.into_iter().rev().max_by_key(|(_, count)| *count).map(|(text, count)| (text.to_owned(), count)),
        }
    };
    first.questions.iter().enumerate().map(of).collect()
}

impl ClassTable {
    /// Sorts the rows; rows that are equal stay in their order.
    pub fn sort(&mut self, by: ClassColumn, is_descending: bool) {
        let order = |a: &ResultRow, b: &ResultRow| match by {
            ClassColumn::File => std::cmp::Ordering::Equal,
            ClassColumn::Student => a.student.to_lowercase().cmp(&b.student.to_lowercase()),
            ClassColumn::Exercise => a.exercise.cmp(&b.exercise),
            ClassColumn::Seed => (a.seed.len(), &a.seed).cmp(&(b.seed.len(), &b.seed)),
            ClassColumn::Date => a.date.cmp(&b.date),
            ClassColumn::Minutes => a.tenths.cmp(&b.tenths),
            ClassColumn::Question(i) => a.marks.get(i).cmp(&b.marks.get(i)),
            // Shares, compared without dividing; a file without questions comes first.
            ClassColumn::Score => (a.right * b.of.max(1), a.of > 0).cmp(&(b.right * a.of.max(1), b.of > 0)),
        };
        self.rows.sort_by(|a, b| if is_descending { order(b, a) } else { order(a, b) });
        if by == ClassColumn::File && is_descending {
            self.rows.reverse();
        }
    }

    /// The rows as CSV.
    #[must_use]
    pub fn csv(&self) -> String {
        let mut head: Vec<String> = ["student", "exercise", "seed", "began_utc", "minutes"].map(str::to_owned).into();
        head.extend((1..=self.questions).map(|n| format!("question_{n}")));
        head.extend(["right", "of", "notes", "file"].map(str::to_owned));
        let rows = self.rows.iter().map(|row| {
            let mut cells = vec![row.student.clone(), row.exercise.clone(), row.seed.clone(), row.date.clone(), row.minutes()];
            cells.extend((0..self.questions).map(|i| row.marks.get(i).map_or("", |mark| mark.word()).to_owned()));
            cells.extend([row.right.to_string(), row.of.to_string(), row.notes.join(" "), row.file.clone()]);
            cells
        });
        let mut out = String::new();
        for cells in std::iter::once(head).chain(rows) {
            for (i, cell) in cells.iter().enumerate() {
                if i > 0 {
                    out.push(',');
                }
                // Writing to a string cannot fail.
                let _ = write!(out, "{}", format::csv_cell(cell));
            }
            out.push('\n');
        }
        out
    }
}

impl ResultRow {
    /// The minutes with one decimal; empty if they are not known.
    #[must_use]
    pub fn minutes(&self) -> String {
        self.tenths.map_or_else(String::new, |tenths| format!("{}.{}", tenths / 10, tenths % 10))
    }
}
