//! What the panel of *Can it hang?* shows: numbers first, then the search, its answer, and what would mend the table.
//!
//! Depends on `resident`, whose sentences the command line says, too. Invariant: no verdict stands without what it takes for granted.

use serde::{Deserialize, Serialize};

use super::search::{Asked, Kept};
use super::state::State;
use blockstep_resident::{ASSUMED, Found, NO_REPAIR, REPAIRS, Refused, Resident, Stage, Way};
use blockstep_sim::policy;
use blockstep_view::quantity::format_count;

/// Kernels whose numbers are shown.
const MOST_ROWS: usize = 40;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// Of the kernels of the table on screen.
    pub numbers: Vec<Numbers>,
    /// How many more kernels there are.
    pub more: String,
    pub search: SearchLine,
    pub answer: Option<Answer>,
}

/// How many blocks of a kernel are resident at most.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Numbers {
    pub kernel: String,
    /// `112 of 128`.
    pub alone: String,
    /// Whether not all of its blocks are, and it needs them all at once.
    pub is_short: bool,
    /// Blocks that the idle device holds.
    pub device: String,
    /// `144 as CUDA counts`, where that is another number.
    pub counted: Option<String>,
    /// `limit: shared memory`, what an SM runs out of.
    pub limit: String,
    /// `68 beside S`, for each other kernel.
    pub beside: Vec<String>,
}

/// Where the search stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SearchLine {
    /// There is nothing to ask: why, and what to do.
    Refused(String),
    /// Nothing was asked about the table on screen.
    Idle,
    /// What was asked about is another table by now.
    Stale(String),
    Going(String),
    Stopped(String),
    Over,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    Hangs,
    None,
    Open,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    pub verdict: Verdict,
    pub sentence: String,
    /// The rows without which it hangs.
    pub left_out: Option<String>,
    /// The order of arrival that hangs.
    pub arrivals: Vec<String>,
    /// Who waits for whom then.
    pub end: Option<String>,
    /// Whether there is a run to open.
    pub has_run: bool,
    /// What the smallest table that hangs has, if it can be opened.
    pub smallest: Option<String>,
    /// What stands above the changes that mend it.
    pub repairs_title: String,
    pub repairs: Vec<RepairLine>,
    /// What it takes for granted.
    pub assumed: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RepairLine {
    pub change: String,
    /// Whether it is another table, which can be opened.
    pub can_open: bool,
}

pub(super) fn view(state: &State, scenario: &str, asked: &mut Asked) -> View {
    let told = asked.told(scenario);
    let refused = told.refused.as_ref().map(refusal);
    let shown = told.residents.iter().take(MOST_ROWS).map(|of| row(of, told.together.contains(&of.row))).collect();
    let more = told.residents.len().saturating_sub(MOST_ROWS);
    let more = if more == 0 { String::new() } else { format!("and {} more kernels", format_count(more as u64)) };
    let kept = asked.kept();
    let is_here = kept.is_some_and(|kept| kept.scenario == scenario);
    // Beside a table of which there is nothing to ask, an answer would seem to be its own.
    let answer = kept.filter(|_| is_here || refused.is_none()).and_then(answer);
    let search = match (refused, kept) {
        (_, Some(kept)) if is_here => line(state, scenario, kept),
        (Some(why), _) => SearchLine::Refused(why),
        (None, Some(kept)) if answer.is_some() => SearchLine::Stale(match kept.name() {
            "" => "The table has changed. The answer below is about the table before.".to_owned(),
            name => format!("The table has changed. The answer below is about “{name}” as it was."),
        }),
        (None, _) => SearchLine::Idle,
    };
    View { numbers: shown, more, search, answer }
}

fn line(state: &State, scenario: &str, kept: &Kept) -> SearchLine {
    let so_far = kept.question.so_far();
    match &kept.failed {
        Some(why) => SearchLine::Refused(format!("The search cannot go on: {why}.")),
        None if kept.is_over() => SearchLine::Over,
        None if state.is_asked(scenario) && !state.is_stopped => SearchLine::Going(format!("Searching: {so_far}")),
        None => SearchLine::Stopped(format!("Stopped: {so_far}")),
    }
}

/// Why there is nothing to ask, and what to do.
fn refusal(why: &Refused) -> String {
    match why {
        Refused::NoSpins => {
            "No block of this table waits for another one on the GPU, so there is nothing to search. Set Barrier or one of \
                             Spins until begun, all begun or complete for a kernel; All columns shows them."
                .to_owned()
        }
        Refused::Turns(kind) => {
            format!(
                "Under {} processes take turns; orders are searched under FIFO and priority only. Choose one of these.",
                policy::about(*kind).name
            )
        }
        Refused::Invalid(why) => why.to_string(),
        Refused::Limit(why) => format!("The search cannot be made: {why}."),
    }
}

fn row(of: &Resident, needs_all: bool) -> Numbers {
    Numbers {
        kernel: of.row.clone(),
        alone: format!("{} of {}", format_count(of.exactly.min(of.blocks)), format_count(of.blocks)),
        is_short: needs_all && of.exactly < of.blocks,
        device: format_count(of.exactly),
        counted: (of.rounded != of.exactly).then(|| format!("{} as CUDA counts", format_count(of.rounded))),
        limit: format!("limit: {}", of.short.words()),
        beside: of.beside.iter().map(blockstep_resident::Beside::sentence).collect(),
    }
}

fn answer(kept: &Kept) -> Option<Answer> {
    let report = kept.question.report()?;
    let hang = report.hang();
    let is_looking = kept.question.stage() == Stage::Repairs;
    let repairs = report.repairs.iter().map(|repair| {
        let can_open = !matches!(repair.way, Way::First { .. });
        let change = repair.way.sentence();
        RepairLine {
            change: if can_open { change } else { format!("{change}; the program has to ensure it, by an event or a wait") },
            can_open,
        }
    });
    let title = match (&report.repairs[..], is_looking) {
        _ if hang.is_none() => "",
        ([], true) => "",
        ([], false) => NO_REPAIR,
        _ => REPAIRS,
    };
    Some(Answer {
        verdict: match report.answer.found {
            Found::Hang(_) => Verdict::Hangs,
            Found::None => Verdict::None,
            Found::Open => Verdict::Open,
        },
        sentence: report.verdict(),
        left_out: report.left_out(),
        arrivals: hang.map(|hang| hang.witness.arrivals.iter().map(blockstep_resident::Arrival::sentence).collect()).unwrap_or_default(),
        end: kept.end.clone(),
        has_run: hang.is_some_and(|hang| hang.witness.table.is_some()),
        smallest: report.smallest.as_ref().and_then(|smallest| smallest.witness.table.as_ref()).map(blockstep_resident::size),
        repairs_title: title.to_owned(),
        repairs: repairs.collect(),
        assumed: ASSUMED.to_owned(),
    })
}
