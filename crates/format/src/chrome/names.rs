//! What operations are called in a Chrome trace, and in which color.
//!
//! Depends on `trace`. Invariant: kernels that differ in digits only differ in letters here, as
//! viewers hash names without their digits for a color. Source: `getColorForSlice` of Perfetto's
//! page, and the reserved colors of catapult's `color_scheme.html` for viewers that take `cname`.

use std::collections::BTreeMap;

use blockstep_sim::trace::{OpKind, Trace, name_in};
use blockstep_sim::units::OpId;

/// Colors by name, as different from each other as there are.
const COLOURS: [&str; 12] = [
    "thread_state_runnable",
    "thread_state_iowait",
    "thread_state_running",
    "detailed_memory_dump",
    "background_memory_dump",
    "terrible",
    "yellow",
    "light_memory_dump",
    "good",
    "thread_state_uninterruptible",
    "olive",
    "generic_work",
];

/// The names of a run's operations.
pub(super) struct Names<'t> {
    trace: &'t Trace,
    /// By row: what tells it from rows that differ in digits only.
    marks: Vec<String>,
}

impl<'t> Names<'t> {
    pub(super) fn new(trace: &'t Trace) -> Self {
        let mut alike: BTreeMap<String, usize> = BTreeMap::new();
        let rows = trace.scenario().rows();
        let keys: Vec<String> = rows.iter().map(|row| without_digits(&row.name)).collect();
        for key in &keys {
            *alike.entry(key.clone()).or_default() += 1;
        }
        let mark = |(row, key): (usize, &String)| if alike[key] > 1 { format!(" ({})", letters(row)) } else { String::new() };
        Self { trace, marks: keys.iter().enumerate().map(mark).collect() }
    }

    /// What an operation is called: `K1`, or `K1 (a)` beside `K2 (b)`.
    pub(super) fn name_of(&self, op: OpId) -> String {
        let info = self.trace.op(op);
        format!("{}{}", name_in(self.trace.row_of(op), info.kind), self.marks[info.row.index()])
    }

    /// Its color, where names of colors are taken; copies have none of their own.
    pub(super) fn colour(&self, op: OpId) -> Option<&'static str> {
        let info = self.trace.op(op);
        (info.kind == OpKind::Kernel).then(|| COLOURS[info.row.index() % COLOURS.len()])
    }
}

/// A name as viewers hash it: digits, and a space before them, do not count.
pub(super) fn without_digits(name: &str) -> String {
    let mut out = String::new();
    let mut in_digits = false;
    for c in name.chars() {
        let is_digit = c.is_ascii_digit();
        if is_digit && !in_digits && out.ends_with(' ') {
            out.pop();
        }
        in_digits = is_digit;
        if !is_digit {
            out.push(c);
        }
    }
    out
}

/// A number in letters: `a` to `z`, `aa` and so on.
pub(super) fn letters(mut number: usize) -> String {
    let mut out = Vec::new();
    loop {
        out.push(char::from(b'a' + (number % 26) as u8));
        match number / 26 {
            0 => break,
            rest => number = rest - 1,
        }
    }
    out.into_iter().rev().collect()
}
