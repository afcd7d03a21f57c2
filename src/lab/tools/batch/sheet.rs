//! Pictures to be saved: parts below each other on one sheet, and trees as pictures.
//!
//! Depends on `batch` and the other files of this tool. Invariant: a sheet stands alone: it has a
//! ground, a title and words for those who cannot see it, and names come out as text.

use super::look::{Look, px};
use super::trees;
use crate::batch::advice::{Advice, LEAVES, Next, QUESTIONS};
use crate::batch::schedulers::{Answer, TAXONOMY};
use crate::view::lettering::fitted;
use crate::view::markup::Markup;

const MARGIN_PX: f64 = 12.0;
const TITLE_PX: f64 = 15.0;
const ROW_PX: f64 = 24.0;
const INDENT_PX: f64 = 26.0;

/// A sheet in the making.
pub(super) struct Sheet {
    look: Look,
    body: Markup,
    /// What is drawn over it.
    above: Markup,
    y: f64,
    title: String,
}

impl Sheet {
    pub(super) fn new(title: &str, look: Look) -> Self {
        let mut sheet = Self { look, body: Markup::new(), above: Markup::new(), y: MARGIN_PX, title: title.to_owned() };
        sheet.line(title, 0.0, TITLE_PX, "650", look.ink);
        sheet
    }

    /// A line of words, cut where the sheet ends.
    fn line(&mut self, text: &str, indent: f64, size: f64, weight: &str, fill: &str) {
        let text = fitted(text, self.look.width_px - indent, size);
        let (x, y) = (px(MARGIN_PX + indent), px(self.y + size));
        self.body.leaf("text", &[("x", &x), ("y", &y), ("font-size", &px(size)), ("font-weight", weight), ("fill", fill)], &text);
        self.y += size + 8.0;
    }

    /// A heading of a part.
    pub(super) fn heading(&mut self, text: &str) {
        self.line(text, 0.0, 13.0, "650", self.look.ink);
    }

    /// Quiet words.
    pub(super) fn note(&mut self, text: &str) {
        self.line(text, 0.0, 12.0, "", self.look.quiet);
    }

    /// Squares in the colours of tasks, with their names.
    pub(super) fn legend(&mut self, names: &[&str]) {
        let mut x = MARGIN_PX;
        for (task, name) in names.iter().enumerate() {
            let name = fitted(name, 200.0, 12.0);
            let y = px(self.y);
            self.body.open("rect", &[("x", &px(x)), ("y", &y), ("width", "12"), ("height", "12"), ("fill", &self.look.task(task))]).close();
            self.body.leaf("text", &[("x", &px(x + 18.0)), ("y", &px(self.y + 11.0)), ("fill", self.look.ink)], &name);
            x += 34.0 + crate::view::lettering::width_px(&name, 12.0);
        }
        self.y += 20.0;
    }

    /// A picture that says how high it is.
    pub(super) fn picture(&mut self, svg: &str) {
        let height = svg.split_once(" height=\"").and_then(|(_, rest)| rest.split_once('"')).and_then(|(text, _)| text.parse::<f64>().ok());
        self.body.open("g", &[("transform", &format!("translate({},{})", px(MARGIN_PX), px(self.y)))]).markup(svg).close();
        self.y += height.unwrap_or(0.0) + 10.0;
    }

    /// A row of a tree, with a line from the row above that it hangs on.
    fn row(&mut self, row: &Row, above: Option<f64>) {
        let x = MARGIN_PX + row.depth as f64 * INDENT_PX;
        let middle = self.y + ROW_PX / 2.0;
        let (stroke, wide) = if row.is_on_path { (self.look.mark, "2.5") } else { (self.look.line, "1.2") };
        if let Some(above) = above {
            let d = format!("M{},{} V{} H{}", px(x - INDENT_PX + 7.0), px(above), px(middle), px(x - 2.0));
            // Those of the path over the others.
            let into = if row.is_on_path { &mut self.above } else { &mut self.body };
            into.open("path", &[("d", &d), ("fill", "none"), ("stroke", stroke), ("stroke-width", wide)]).close();
        }
        let text = if row.answer.is_empty() { row.text.clone() } else { format!("{}: {}", row.answer, row.text) };
        let text = fitted(&text, self.look.width_px - (x - MARGIN_PX) - 4.0, 13.0);
        let weight = if row.is_bold { "650" } else { "" };
        let y = px(middle + 4.5);
        self.body.leaf(
            "text",
            &[("x", &px(x + 2.0)), ("y", &y), ("font-size", "13"), ("font-weight", weight), ("fill", self.look.ink)],
            &text,
        );
        self.y += ROW_PX;
    }

    fn tree(&mut self, rows: &[Row]) {
        let mut bottoms: Vec<f64> = Vec::new();
        for row in rows {
            bottoms.truncate(row.depth);
            self.row(row, bottoms.last().copied());
            bottoms.push(self.y - 5.0);
        }
        self.y += 6.0;
    }

    /// The whole, as SVG.
    pub(super) fn finish(self) -> String {
        let (width, height) = (px(self.look.width_px + 2.0 * MARGIN_PX), px(self.y + MARGIN_PX));
        let mut svg = Markup::new();
        svg.open(
            "svg",
            &[
                ("xmlns", "http://www.w3.org/2000/svg"),
                ("viewBox", &format!("0 0 {width} {height}")),
                ("width", &width),
                ("height", &height),
                ("role", "img"),
                ("aria-label", &self.title),
                ("font-family", "system-ui, sans-serif"),
                ("font-size", "12"),
            ],
        );
        svg.open("rect", &[("width", &width), ("height", &height), ("fill", self.look.ground)]).close();
        svg.markup(&self.body.finish()).markup(&self.above.finish());
        svg.finish()
    }
}

/// A row of a tree.
struct Row {
    depth: usize,
    answer: &'static str,
    text: String,
    is_bold: bool,
    is_on_path: bool,
}

/// The six schedulers as a family tree.
pub(super) fn family(look: Look) -> String {
    let mut rows = Vec::new();
    taxon(&mut rows, 0, "", Answer::Ask(0));
    let mut sheet = Sheet::new("The six schedulers, after [MT] Fig. 1", look);
    sheet.tree(&rows);
    sheet.finish()
}

fn taxon(rows: &mut Vec<Row>, depth: usize, answer: &'static str, next: Answer) {
    let (text, is_bold) = match next {
        Answer::Is(id) => (id.name(), true),
        Answer::Ask(place) => (TAXONOMY[place].question, false),
    };
    rows.push(Row { depth, answer, text: text.to_owned(), is_bold, is_on_path: false });
    if let Answer::Ask(place) = next {
        taxon(rows, depth + 1, "no", TAXONOMY[place].no);
        taxon(rows, depth + 1, "yes", TAXONOMY[place].yes);
    }
}

/// The recommendations, with the path of a workload.
pub(super) fn advice(name: &str, advice: &Advice, look: Look) -> String {
    let mut rows = Vec::new();
    question(&mut rows, advice, 0, "", Next::Ask(0), true);
    let mut sheet = Sheet::new(&format!("Which scheduler for \"{name}\""), look);
    sheet.tree(&rows);
    sheet.note("Drawn from [MT] Table III, section 7 and the conclusions; the path of this workload is bold.");
    sheet.finish()
}

fn question(rows: &mut Vec<Row>, advice: &Advice, depth: usize, answer: &'static str, next: Next, is_on_path: bool) {
    let text = match next {
        Next::Use(leaf) => trees::names(LEAVES[leaf].best),
        Next::Ask(place) => QUESTIONS[place].text.to_owned(),
    };
    rows.push(Row { depth, answer, text, is_bold: is_on_path, is_on_path });
    if let Next::Ask(place) = next {
        let given = advice.path.iter().find(|(asked, _)| *asked == place).map(|(_, answer)| *answer);
        question(rows, advice, depth + 1, "no", QUESTIONS[place].no, is_on_path && given == Some(false));
        question(rows, advice, depth + 1, "yes", QUESTIONS[place].yes, is_on_path && given == Some(true));
    }
}
