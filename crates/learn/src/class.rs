//! The results of a class: one row for each file, and how many answered each question rightly.
//!
//! Depends on `format` for the files and for the cells of the table. Invariants: every file has a row, whatever is wrong with
//! it; what was changed, is there twice or belongs to another exercise is marked and not counted in the summary.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

use serde::{Deserialize, Serialize};

use crate::quiz::QuestionKind;
use blockstep_format::{self as format, GivenAnswer, QuizResult};

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
    /// The student's own numbers.
    Numbers,
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
    /// The student's own numbers, in words; empty if the exercise has the same for all.
    pub numbers: String,
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

/// What was asked: results of the same can be compared. The scenario, the exercise, the seed, and a short id of the kinds of questions. Where
/// numbers differ from student to student, neither the seed counts nor the steps.
type Task = (String, String, u64, String);

/// What is kept of a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadFile {
    row: ResultRow,
    /// A short id of what it says, white space apart; empty if it could not be read.
    id: String,
    task: Task,
    /// Each question with its right answer; empty if they are those of the first file that was asked the same.
    asked: Vec<(String, String)>,
    /// What was answered, question by question.
    given: Vec<String>,
}

/// Reads files behind those that are there.
pub fn add(read: &mut Vec<ReadFile>, files: impl IntoIterator<Item = File>) {
    for (file, text) in files {
        let next = match format::read_result(&text) {
            Ok(result) => read_file(&file, &result, read),
            Err(problem) => ReadFile {
                row: unreadable(&file, &problem.to_string()),
                id: String::new(),
                task: Task::default(),
                asked: Vec::new(),
                given: Vec::new(),
            },
        };
        read.push(next);
    }
}

fn read_file(file: &str, result: &QuizResult, before: &[ReadFile]) -> ReadFile {
    let differs = !result.numbers.is_empty();
    let step = |given: &GivenAnswer| if differs { 0 } else { given.step };
    let kinds: String = result.questions.iter().map(|given| format!("{} {}\n", step(given), given.kind)).collect();
    let seed = if differs { 0 } else { result.seed };
    let task = (result.scenario_id.clone(), result.exercise_id.clone(), seed, format::short_id(&kinds));
    // A question is about other kernels and steps for each, but of the same kind.
    let question = |given: &GivenAnswer| {
        let kind = QuestionKind::from_id(&given.kind).filter(|_| differs);
        kind.map_or_else(|| given.question.clone(), |kind| kind.title().to_owned())
    };
    let asked: Vec<_> = result.questions.iter().map(|given| (question(given), given.right.clone())).collect();
    let is_known = asked_of(&task, before).is_some_and(|known| *known == asked);
    ReadFile {
        row: row(file, result),
        id: format::short_id(&result.write()),
        task,
        asked: if is_known { Vec::new() } else { asked },
        given: result.questions.iter().map(|given| given.given.clone()).collect(),
    }
}

/// The questions of the first file that was asked this.
fn asked_of<'a>(task: &Task, read: &'a [ReadFile]) -> Option<&'a Vec<(String, String)>> {
    read.iter().find(|file| file.task == *task && !file.asked.is_empty()).map(|file| &file.asked)
}

/// The table of files, in their order.
#[must_use]
pub fn table(read: &[ReadFile]) -> ClassTable {
    let main = main_task(read);
    let mut seen: BTreeMap<&str, &str> = BTreeMap::new();
    let row = |file: &'_ ReadFile, twin: Option<&str>| {
        let mut row = file.row.clone();
        // White space apart, two files with the same text are one.
        row.notes.extend(twin.map(|twin| format!("This is the same result as {twin}.")));
        row.notes.extend(main.filter(|_| !file.id.is_empty()).and_then(|main| other_task(&file.task, main)).map(str::to_owned));
        row.counts = row.notes.is_empty();
        row
    };
    let mut rows = Vec::new();
    for file in read {
        let twin = seen.get(file.id.as_str()).copied();
        if twin.is_none() && !file.id.is_empty() {
            seen.insert(&file.id, &file.row.file);
        }
        rows.push(row(file, twin));
    }
    let counted: Vec<&ReadFile> = rows.iter().zip(read).filter(|(row, _)| row.counts).map(|(_, file)| file).collect();
    ClassTable {
        questions: rows.iter().map(|row| row.marks.len()).max().unwrap_or(0),
        summary: summary(&counted, read),
        counted: counted.len(),
        rows,
    }
}

/// What most files that were not changed were asked; of two, what came first.
fn main_task(read: &[ReadFile]) -> Option<&Task> {
    // How often, and the place of the first.
    let mut times: BTreeMap<&Task, (usize, Reverse<usize>)> = BTreeMap::new();
    for (i, file) in read.iter().enumerate().filter(|(_, file)| file.row.notes.is_empty()) {
        times.entry(&file.task).or_insert((0, Reverse(i))).0 += 1;
    }
    times.into_iter().max_by_key(|(_, times)| *times).map(|(task, _)| task)
}

fn other_task(own: &Task, main: &Task) -> Option<&'static str> {
    if own.0 != main.0 {
        Some("Most files are about a different scenario.")
    } else if own.1 != main.1 {
        Some("This is another exercise than in most files.")
    } else if own.2 != main.2 {
        Some("Most files have a different seed.")
    } else if own.3 != main.3 {
        Some("This has other questions than most files.")
    } else {
        None
    }
}

fn unreadable(file: &str, problem: &str) -> ResultRow {
    ResultRow {
        file: file.to_owned(),
        student: String::new(),
        exercise: String::new(),
        seed: String::new(),
        numbers: String::new(),
        date: String::new(),
        tenths: None,
        marks: Vec::new(),
        right: 0,
        of: 0,
        notes: vec![problem.to_owned()],
        counts: false,
    }
}

/// What a file says on its own.
fn row(file: &str, result: &QuizResult) -> ResultRow {
    let mut notes = if result.is_unchanged() { Vec::new() } else { vec!["This file was changed after it was saved.".to_owned()] };
    if !result.numbers.is_empty() && result.seed != format::student_seed(&result.exercise_id, &result.student) {
        notes.push("These are the numbers of another name.".to_owned());
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
        numbers: result.numbers.iter().map(|number| number.text.as_str()).collect::<Vec<_>>().join("; "),
        date: result.began.clone(),
        tenths: result.seconds().map(|seconds| seconds.div_ceil(6)),
        right: marks.iter().filter(|mark| **mark == ClassMark::Right).count(),
        of: marks.len(),
        counts: notes.is_empty(),
        marks,
        notes,
    }
}

fn summary<'a>(counted: &[&'a ReadFile], read: &'a [ReadFile]) -> Vec<Summary> {
    let Some(&first) = counted.first() else { return Vec::new() };
    let asked = |file: &'a ReadFile| if file.asked.is_empty() { asked_of(&first.task, read) } else { Some(&file.asked) };
    let of = |(i, (question, answer)): (usize, &(String, String))| {
        let is_same = counted.iter().filter_map(|&file| asked(file)).all(|asked| asked.get(i).is_some_and(|(_, of)| of == answer));
        let marked = |mark: ClassMark| counted.iter().filter(move |file| file.row.marks.get(i) == Some(&mark));
        let mut wrong: BTreeMap<&str, usize> = BTreeMap::new();
        marked(ClassMark::Wrong).filter_map(|file| file.given.get(i)).for_each(|given| *wrong.entry(given).or_default() += 1);
        Summary {
            question: question.clone(),
            answer: if is_same { answer.clone() } else { "differs with the numbers".to_owned() },
            right: marked(ClassMark::Right).count(),
            wrong: wrong.values().sum(),
            given_up: marked(ClassMark::GivenUp).count(),
            common: wrong.into_iter().rev().max_by_key(|(_, count)| *count).map(|(text, count)| (text.to_owned(), count)),
        }
    };
    asked(first).into_iter().flatten().enumerate().map(of).collect()
}

impl ClassTable {
    /// Sorts the rows; rows that are equal stay in their order.
    pub fn sort(&mut self, by: ClassColumn, is_descending: bool) {
        let order = |a: &ResultRow, b: &ResultRow| match by {
            ClassColumn::File => std::cmp::Ordering::Equal,
            ClassColumn::Student => a.student.to_lowercase().cmp(&b.student.to_lowercase()),
            ClassColumn::Exercise => a.exercise.cmp(&b.exercise),
            ClassColumn::Seed => (a.seed.len(), &a.seed).cmp(&(b.seed.len(), &b.seed)),
            ClassColumn::Numbers => a.numbers.cmp(&b.numbers),
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

    /// Whether a row has numbers of its student's own.
    #[must_use]
    pub fn has_numbers(&self) -> bool {
        self.rows.iter().any(|row| !row.numbers.is_empty())
    }

    /// The rows as CSV; with a column for the students' own numbers if there are any.
    #[must_use]
    pub fn csv(&self) -> String {
        let numbers = self.has_numbers().then(|| "numbers".to_owned());
        let mut head: Vec<String> = ["student", "exercise", "seed", "began_utc", "minutes"].map(str::to_owned).into();
        head.extend(numbers.clone());
        head.extend((1..=self.questions).map(|n| format!("question_{n}")));
        head.extend(["right", "of", "notes", "file"].map(str::to_owned));
        let rows = self.rows.iter().map(|row| {
            let mut cells = vec![row.student.clone(), row.exercise.clone(), row.seed.clone(), row.date.clone(), row.minutes()];
            cells.extend(numbers.as_ref().map(|_| row.numbers.clone()));
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
