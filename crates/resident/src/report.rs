//! Everything that is found out about a table, and what is said of it.
//!
//! Depends on the rest of the crate, and on `view` for the circle of waits. Invariant: no verdict stands without what it takes for granted.
//! The command line and the page say the same sentences.

use std::fmt::Write;

use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::language::{all_of, counted};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, Scenario};
use blockstep_sim::units::written::{format_count, grouped};
use blockstep_view::dead_end::dead_end;

use super::numbers::{Beside, Resident, Short};
use super::question::{Question, Stage};
use super::repair::{Repair, Way};
use super::search::{Answer, Found, Hang};
use super::witness::Arrival;

/// What is found out about a table.
#[derive(Clone, Debug)]
pub struct Report {
    /// What the table is called.
    pub(crate) name: String,
    /// The rows of the table, by name.
    rows: Vec<String>,
    /// Whether any order hangs.
    pub answer: Answer,
    /// What keeps the table from hanging, each searched itself.
    pub repairs: Vec<Repair>,
    /// How many blocks are resident at most.
    pub residents: Vec<Resident>,
    /// The smallest table that hangs, if one is smaller than this one.
    pub smallest: Option<Hang>,
}

impl Report {
    pub(crate) fn new(draft: &Draft, answer: Answer, residents: Vec<Resident>) -> Self {
        let rows = draft.kernels.iter().map(|row| row.name.clone()).collect();
        Self { name: draft.name.clone(), rows, answer, repairs: Vec::new(), residents, smallest: None }
    }

    /// Whether an order was found that hangs.
    #[must_use]
    pub fn hangs(&self) -> bool {
        self.hang().is_some()
    }

    /// The hang that was found, if one was.
    #[must_use]
    pub fn hang(&self) -> Option<&Hang> {
        if let Found::Hang(hang) = &self.answer.found { Some(hang) } else { None }
    }

    /// Rows of the table that are not there when it hangs.
    #[must_use]
    pub fn without(&self, hang: &Hang) -> Vec<&str> {
        let is_gone = |name: &&str| hang.draft.kernels.iter().all(|row| row.name != *name);
        self.rows.iter().map(String::as_str).filter(is_gone).collect()
    }

    /// The report as lines for a terminal, the answer first.
    #[must_use]
    pub fn text(&self) -> String {
        let mut out = String::new();
        let _ = writeln!(out, "{}", self.verdict());
        if let Some(hang) = self.hang() {
            if let Some(gone) = self.left_out() {
                let _ = writeln!(out, "  ({gone})");
            }
            for (i, arrival) in hang.witness.arrivals.iter().enumerate() {
                let _ = writeln!(out, "  {}. {}", i + 1, arrival.sentence());
            }
            if let Some(end) = hang.end() {
                let _ = writeln!(out, "{end}");
            }
        }
        if self.hangs() {
            let _ = writeln!(out, "\n{}", if self.repairs.is_empty() { NO_REPAIR } else { REPAIRS });
            for repair in &self.repairs {
                let _ = writeln!(out, "  {}", repair.way.sentence());
            }
        }
        if let Some(smallest) = &self.smallest {
            let _ = writeln!(out, "\nThe smallest table that hangs has {}.", size(&smallest.draft));
        }
        let _ = writeln!(out, "\n{RESIDENTS}:");
        for resident in &self.residents {
            let _ = writeln!(out, "  {}", resident.sentence());
        }
        let _ = writeln!(out, "\n{ASSUMED}");
        out
    }

    /// The rows without which it hangs, if it does so without some: `without P and Q`.
    #[must_use]
    pub fn left_out(&self) -> Option<String> {
        let gone = self.without(self.hang()?);
        (!gone.is_empty()).then(|| format!("without {}", all_of(&gone)))
    }

    /// The answer in a sentence.
    #[must_use]
    pub fn verdict(&self) -> String {
        let states = states(self.answer.states);
        let orders = self.answer.orders.filter(|&orders| orders > 1).map(|orders| grouped(&orders.to_string()));
        match (&self.answer.found, orders) {
            (Found::Hang(_), Some(orders)) => format!("It can hang, in this order of arrival (one of {orders}):"),
            (Found::Hang(_), None) => "It can hang, in this order of arrival:".to_owned(),
            (Found::None, Some(orders)) => format!("None of the {orders} orders of arrival hangs ({states} searched)."),
            (Found::None, None) => format!("No order of arrival hangs ({states} searched)."),
            (Found::Open, _) => format!("We cannot tell: no hang was found in {states}, and not all were seen."),
        }
    }
}

/// Stands above the numbers of blocks.
pub const RESIDENTS: &str = "Blocks that are resident at most";

/// Stands above the changes that keep a table from hanging.
pub const REPAIRS: &str = "No order hangs with one of these changes:";

/// Said of a table that hangs if there are none.
pub const NO_REPAIR: &str = "No single change of those that were tried keeps it from hanging.";

/// What a verdict takes for granted.
pub const ASSUMED: &str = "\
This holds for any time that a block may take and any start, one thing after the other; blocks of a kernel that start together end
together. It holds for one job of each task, with or without the other rows of the table, by Blockstep's rules, where nothing else runs.";

fn states(count: u64) -> String {
    if count == 1 { "1 state".to_owned() } else { format!("{} states", format_count(count)) }
}

impl Hang {
    /// Who waits for whom in the end, by the run of the table with times.
    #[must_use]
    pub fn circle(&self) -> Option<String> {
        let scenario = Scenario::new(self.witness.table.as_ref()?).ok()?;
        let run = simulate(&scenario, Limits::default());
        dead_end(&run, &Records::new(&run.trace))
    }

    /// The same as a sentence that follows the order of arrival.
    #[must_use]
    pub fn end(&self) -> Option<String> {
        self.circle().map(|circle| format!("Then {circle}."))
    }
}

impl Question {
    /// How far it is: `no hang in 12,000 states`.
    #[must_use]
    pub fn so_far(&self) -> String {
        let tried = || counted(self.tried() as u64, "table");
        match self.stage() {
            Stage::Hang | Stage::Over => format!("no hang in {}", states(self.states())),
            Stage::Repairs => format!("an order hangs; {} tried for one that does not", tried()),
            Stage::Smallest => format!("an order hangs; {} tried for a smaller one", tried()),
        }
    }
}

/// `1 SM, 2 blocks of S and 1 block of W`.
#[must_use]
pub fn size(draft: &Draft) -> String {
    let sms = Scenario::new(draft).map_or(0, |scenario| scenario.device().sms);
    let rows: Vec<String> = draft
        .kernels
        .iter()
        .map(|row| if row.blocks > 0 { format!("{} of {}", counted(row.blocks, "block"), row.name) } else { row.name.clone() })
        .collect();
    format!("{}, {}", counted(sms, "SM"), all_of(&rows.iter().map(String::as_str).collect::<Vec<_>>()))
}

impl Arrival {
    /// `W is launched`.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::Call(row) => format!("{row} is launched"),
            Self::Ends(row, 1) => format!("a block of {row} ends"),
            Self::Ends(row, blocks) => format!("{} blocks of {row} end", format_count(*blocks)),
            Self::CopyEnds(row) => format!("a copy of {row} ends"),
        }
    }
}

impl Way {
    /// `W with at most 68 blocks`.
    #[must_use]
    pub fn sentence(&self) -> String {
        match self {
            Self::Blocks { row, most } => format!("{row} with at most {}", counted(*most, "block")),
            Self::Cooperative { rows } => {
                format!("{} launched cooperatively", all_of(&rows.iter().map(String::as_str).collect::<Vec<_>>()))
            }
            Self::OneStream => "all kernels in one stream, in the order of the table".to_owned(),
            Self::First { row } => format!("{row} launched before everything else"),
        }
    }
}

impl Short {
    /// `shared memory`.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Threads => "threads",
            Self::SharedMemory => "shared memory",
            Self::Registers => "registers",
            Self::Slots => "block slots",
        }
    }

    /// `shared_memory`, in files.
    pub(crate) const fn word(self) -> &'static str {
        match self {
            Self::Threads => "threads",
            Self::SharedMemory => "shared_memory",
            Self::Registers => "registers",
            Self::Slots => "block_slots",
        }
    }
}

impl Resident {
    /// `W: 148 alone, for shared memory; 68 beside S`.
    #[must_use]
    pub fn sentence(&self) -> String {
        let short = self.short.words();
        let (ours, blocks, holds) = (self.exactly.min(self.blocks), self.blocks, format_count(self.exactly));
        let counted = if self.rounded == self.exactly { String::new() } else { format!("; {} as CUDA counts", format_count(self.rounded)) };
        let (ours, blocks) = (format_count(ours), format_count(blocks));
        let mut out = format!("{}: {ours} of {blocks} alone (the device holds {holds}{counted}), limited by {short}", self.row);
        for beside in &self.beside {
            let _ = write!(out, "; {}", beside.sentence());
        }
        out
    }
}

impl Beside {
    /// `68 beside S`.
    #[must_use]
    pub fn sentence(&self) -> String {
        let ours = if self.ours == 0 { "none".to_owned() } else { format_count(self.ours) };
        format!("{ours} beside {}", self.row)
    }
}
