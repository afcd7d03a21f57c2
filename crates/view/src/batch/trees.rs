//! The paper's two trees: which scheduler does what, and which is recommended.
//!
//! Depends on `batch` and `queue_figure`. Invariant: both are made of the data that the simulation and the advice use.
//! Source: [MT] Fig. 1; of Fig. 3 we have no picture, so its tree is ours, from Table III, section 7 and the conclusions.

use serde::{Deserialize, Serialize};

use super::{MARGIN_PX, TEXT_PX};
use crate::lettering::fitted;
use crate::queue_figure::{Align, QueueFigure, SheetMark, TextMark, Tone};
use blockstep_batch::advice::{Advice, LEAVES, Next, QUESTIONS};
use blockstep_batch::schedulers::{Answer, SchedulerId, TAXONOMY};

/// A question with what its answers lead to, or what it comes to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Branch {
    /// The answer that leads here; none at the root.
    pub answer: Option<bool>,
    /// Whether it is on the path of a workload.
    pub is_on_path: bool,
    /// The question, or what it comes to.
    pub text: String,
    /// What a scheduler does, where that is to be said.
    pub says: Option<String>,
    /// For no, and for yes; none where it ends.
    pub below: Vec<Branch>,
}

impl Branch {
    /// The answer in a word; empty at the root.
    #[must_use]
    pub const fn answer(&self) -> &'static str {
        match self.answer {
            None => "",
            Some(false) => "no",
            Some(true) => "yes",
        }
    }
}

/// [MT] Fig. 1: which scheduler does what.
#[must_use]
pub fn taxonomy() -> Branch {
    taxon(None, Answer::Ask(0))
}

fn taxon(answer: Option<bool>, next: Answer) -> Branch {
    let branch = |text: &str, says: Option<&str>, below| Branch {
        answer,
        is_on_path: false,
        text: text.to_owned(),
        says: says.map(str::to_owned),
        below,
    };
    match next {
        Answer::Is(id) => branch(id.name(), Some(id.scheduler().says()), Vec::new()),
        Answer::Ask(place) => {
            let of = &TAXONOMY[place];
            branch(of.question, None, vec![taxon(Some(false), of.no), taxon(Some(true), of.yes)])
        }
    }
}

/// The recommendations, with the path of a workload.
#[must_use]
pub fn advice(advice: &Advice) -> Branch {
    question(advice, None, Next::Ask(0), true)
}

fn question(advice: &Advice, answer: Option<bool>, next: Next, is_on_path: bool) -> Branch {
    match next {
        Next::Use(leaf) => Branch { answer, is_on_path, text: names(LEAVES[leaf].best), says: None, below: Vec::new() },
        Next::Ask(place) => {
            let of = &QUESTIONS[place];
            let given = advice.path.iter().find(|(asked, _)| *asked == place).map(|(_, answer)| *answer);
            let below = |answer: bool, next| question(advice, Some(answer), next, is_on_path && given == Some(answer));
            Branch { answer, is_on_path, text: of.text.to_owned(), says: None, below: vec![below(false, of.no), below(true, of.yes)] }
        }
    }
}

/// Names of schedulers.
#[must_use]
pub fn names(ids: &[SchedulerId]) -> String {
    ids.iter().map(|id| id.name()).collect::<Vec<_>>().join(" or ")
}

const ROW_PX: f64 = 24.0;
const INDENT_PX: f64 = 26.0;

/// A tree as a picture: each row hangs on a line from the row above that leads to it.
#[must_use]
pub fn picture(root: &Branch, sheet_px: f64) -> QueueFigure {
    let mut rows = Rows { sheet_px, lines: Vec::new(), paths: Vec::new(), words: Vec::new(), y: 0.0 };
    rows.add(root, 0, None);
    // The path lies over the other lines.
    let marks = [rows.lines, rows.paths, rows.words].concat();
    QueueFigure { width_px: sheet_px, height_px: rows.y + 6.0, marks }
}

struct Rows {
    sheet_px: f64,
    lines: Vec<SheetMark>,
    paths: Vec<SheetMark>,
    words: Vec<SheetMark>,
    y: f64,
}

impl Rows {
    fn add(&mut self, branch: &Branch, depth: usize, above: Option<f64>) {
        let x = MARGIN_PX + depth as f64 * INDENT_PX;
        let middle = self.y + ROW_PX / 2.0;
        if let Some(above) = above {
            let left = x - INDENT_PX + 7.0;
            let points = vec![(left, above), (left, middle), (x - 2.0, middle)];
            if branch.is_on_path { self.paths.push(SheetMark::Path(points)) } else { self.lines.push(SheetMark::Line(points)) }
        }
        let text = if branch.answer.is_none() { branch.text.clone() } else { format!("{}: {}", branch.answer(), branch.text) };
        let text = fitted(&text, self.sheet_px - x - MARGIN_PX, TEXT_PX);
        let tone = if branch.is_on_path || branch.says.is_some() { Tone::Bold } else { Tone::Ink };
        self.words.push(SheetMark::Text(TextMark { text, x: x + 2.0, y: middle, size_px: TEXT_PX, align: Align::Left, tone }));
        self.y += ROW_PX;
        let bottom = self.y - 5.0;
        branch.below.iter().for_each(|next| self.add(next, depth + 1, Some(bottom)));
    }
}
