//! Which lines are shown, and which of them is lit.

use super::{Line, Lines, PAGE, Parts};
use blockstep_format::{Program, ProgramLine};
use blockstep_sim::scenario::plain;
use blockstep_sim::trace::{Change, Trace};
use blockstep_sim::units::RowId;
use blockstep_view::quantity::format_count;

/// The line whose call the last step of so many is about, from 0.
pub(super) fn lit(program: &Program, trace: &Trace, position: u32) -> Option<usize> {
    let step = trace.steps().get(position.checked_sub(1)? as usize)?;
    let of = match step.change {
        Change::JobReleased { task, .. } => ProgramLine::Release(task),
        Change::HostWaits { row, .. } | Change::HostReturned { row, .. } => {
            let call = |line: &Option<ProgramLine>| matches!(line, Some(ProgramLine::Call(of) | ProgramLine::Op(of, _)) if *of == row);
            return program.lines.iter().position(call);
        }
        change => {
            let op = trace.op(change.op()?);
            ProgramLine::Op(op.row, op.kind)
        }
    };
    program.lines.iter().position(|line| *line == Some(of))
}

/// The part of the table's lines with this one, or another part that the reader has turned to.
pub(super) fn part(program: &Program, lit: Option<usize>, turned: Option<usize>, selected: Option<RowId>) -> Lines {
    let count = program.lines.len().saturating_sub(program.table).div_ceil(PAGE).max(1);
    let of_lit = lit.map_or(0, |line| line.saturating_sub(program.table) / PAGE);
    let part = turned.unwrap_or(of_lit).min(count - 1);
    let first = program.table + part * PAGE;
    let line = |(i, (text, of)): (usize, (&str, &Option<ProgramLine>))| {
        let row = of.and_then(row_of);
        Line {
            number: first + i + 1,
            text: plain(text),
            row: row.map(RowId::index),
            is_call: matches!(of, Some(ProgramLine::Op(..) | ProgramLine::Call(_))),
            is_lit: lit == Some(first + i),
            is_selected: row.is_some() && row == selected,
        }
    };
    let lines = program.text.lines().zip(&program.lines).skip(first).take(PAGE).enumerate().map(line).collect();
    let pages = (count > 1).then(|| Parts {
        place: format!("part {} of {}", part + 1, format_count(count as u64)),
        earlier: part.checked_sub(1),
        later: Some(part + 1).filter(|&part| part < count),
    });
    Lines { above: program.table, lines, pages }
}

fn row_of(line: ProgramLine) -> Option<RowId> {
    match line {
        ProgramLine::Row(row) | ProgramLine::Call(row) | ProgramLine::Op(row, _) => Some(row),
        ProgramLine::Task(_) | ProgramLine::Release(_) | ProgramLine::Stream(_) => None,
    }
}
