//! Lines of a program, each with what it belongs to.
//!
//! Depends on what a program is. Invariant: there are as many entries as lines.

use super::{Program, ProgramLine};

#[derive(Default)]
pub(super) struct Writer {
    text: String,
    lines: Vec<Option<ProgramLine>>,
}

impl Writer {
    /// A line of no row.
    pub(super) fn line(&mut self, line: &str) {
        self.add(None, line);
    }

    pub(super) fn line_of(&mut self, of: ProgramLine, line: &str) {
        self.add(Some(of), line);
    }

    pub(super) fn blank(&mut self) {
        self.add(None, "");
    }

    /// Several lines.
    pub(super) fn text(&mut self, text: &str) {
        text.lines().for_each(|line| self.line(line));
    }

    fn add(&mut self, of: Option<ProgramLine>, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
        self.lines.push(of);
    }

    pub(super) fn count(&self) -> usize {
        self.lines.len()
    }

    pub(super) fn finish(self, table: usize) -> Program {
        Program { text: self.text, lines: self.lines, table }
    }
}
