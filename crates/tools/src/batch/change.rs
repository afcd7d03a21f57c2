//! What an edit of the workload changed, in a few words: `kernel time of higher from 1 ms to 2 ms`.
//!
//! Invariant: it is told from the two workloads alone, whatever is shown beside them.

use super::COSTS;
use super::state::{Setup, Source, Work};
use super::table::TaskColumn;
use blockstep_sim::language::{counted, within_sentence};
use blockstep_view::document::cut;

impl Work {
    /// What differs from the workload before it; of much, how much.
    pub(super) fn change_since(&self, before: &Self) -> String {
        change(before.edited(), self.edited())
    }

    /// The reader's own workload, or the one that becomes it with an edit.
    fn edited(&self) -> &Setup {
        self.kept.as_ref().filter(|_| self.setup.from != Source::Own).unwrap_or(&self.setup)
    }
}

fn change(was: &Setup, is: &Setup) -> String {
    let names = |of: &Setup, other: &Setup| -> Vec<String> {
        let is_new = |name: &&String| other.rows.iter().all(|row| row.name != **name);
        of.rows.iter().map(|row| &row.name).filter(is_new).cloned().collect()
    };
    // Another workload in its place; one that becomes the reader's own is called after the one that it was.
    if was.name != is.name && was.from == Source::Own && was.rows != is.rows {
        return format!("{} instead of {}", cut(&is.name), cut(&was.name));
    }
    if was.rows.len() != is.rows.len() {
        return match (&names(is, was)[..], &names(was, is)[..]) {
            ([name], []) => format!("{} added", cut(name)),
            ([], [name]) => format!("{} removed", cut(name)),
            _ => format!("{} instead of {}", counted(is.rows.len() as u64, "task"), was.rows.len()),
        };
    }
    let both = || was.rows.iter().zip(&is.rows);
    let cells: Vec<_> = both().flat_map(|(old, row)| TaskColumn::ALL.map(|column| (column, old, row))).collect();
    let cells: Vec<_> = cells.into_iter().filter(|(column, old, row)| old.cell(*column) != row.cell(*column)).collect();
    match cells[..] {
        [] => {}
        [(column, old, row)] => {
            let what = if column == TaskColumn::Name { "name".to_owned() } else { of(column.title(), &old.name) };
            return from_to(&what, old.cell(column), row.cell(column));
        }
        _ if was.rows.iter().all(|row| is.rows.contains(row)) => return "order of tasks".to_owned(),
        _ => return counted(cells.len() as u64, "cell"),
    }
    let costs: Vec<_> = COSTS.iter().zip(&was.costs).zip(&is.costs).filter(|((_, old), cost)| old != cost).collect();
    match costs[..] {
        _ if was.until != is.until => from_to("end of inputs", &was.until, &is.until),
        [((title, old), cost)] => from_to(&within_sentence(title), old, cost),
        [] if was.name != is.name => from_to("name of the workload", &was.name, &is.name),
        _ => "settings".to_owned(),
    }
}

fn of(title: &str, name: &str) -> String {
    format!("{} of {}", within_sentence(title), cut(name))
}

fn from_to(what: &str, from: &str, to: &str) -> String {
    let shown = |text: &str| if text.is_empty() { "nothing".to_owned() } else { cut(text) };
    format!("{what} from {} to {}", shown(from), shown(to))
}
