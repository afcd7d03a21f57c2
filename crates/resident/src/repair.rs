//! Tables close to one that hangs, and which do not.
//!
//! Depends on `tries` and `table`. Invariant: each is searched itself, over all orders, before it is named.

use blockstep_sim::scenario::{Draft, Scenario};
use blockstep_sim::units::RowId;

use super::order;
use super::table::with_blocks;
use super::tries::{Pending, Tries};

/// What is changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// A row has at most so many blocks.
    Blocks {
        /// The row's name.
        row: String,
        /// The most with which no order hangs.
        most: u64,
    },
    /// These rows are launched cooperatively.
    Cooperative {
        /// Their names.
        rows: Vec<String>,
    },
    /// All kernels are launched into one stream, in the order of the table.
    OneStream,
    /// This row's call is made before all others.
    First {
        /// The row's name.
        row: String,
    },
}

/// A table that does not hang.
#[derive(Clone, Debug)]
pub struct Repair {
    /// What is changed in it.
    pub way: Way,
    /// The table; of an order of launches the same one.
    pub draft: Draft,
}

/// What keeps a table from hanging in any order. `found` begins anew each time.
pub(crate) fn mend(draft: &Draft, tries: &mut Tries, found: &mut Vec<Repair>) -> Result<(), Pending> {
    found.clear();
    let spinning: Vec<usize> = (0..draft.kernels.len()).filter(|&place| draft.kernels[place].spins()).collect();
    for &place in &spinning {
        let row = &draft.kernels[place];
        // The most for which it holds, if less is never worse.
        let (mut good, mut bad) = (0, row.blocks);
        while bad - good > 1 {
            let middle = good + (bad - good) / 2;
            if tries.is_clean(&with_blocks(draft, place, middle), None)? { good = middle } else { bad = middle }
        }
        if good > 0 {
            let way = Way::Blocks { row: row.name.clone(), most: good };
            found.push(Repair { way, draft: with_blocks(draft, place, good) });
        }
    }
    let can_be_first = |place: usize| Scenario::new(draft).is_ok_and(|scenario| order::can_be_first(draft, &scenario, RowId::at(place)));
    for &place in spinning.iter().filter(|&&place| draft.kernels.len() > 1 && can_be_first(place)) {
        let name = &draft.kernels[place].name;
        if tries.is_clean(draft, Some(name))? {
            found.push(Repair { way: Way::First { row: name.clone() }, draft: draft.clone() });
        }
    }
    let mut together = draft.clone();
    let barriers: Vec<usize> =
        spinning.iter().copied().filter(|&place| draft.kernels[place].barrier && !draft.kernels[place].cooperative).collect();
    barriers.iter().for_each(|&place| together.kernels[place].cooperative = true);
    if !barriers.is_empty() && tries.is_clean(&together, None)? {
        let rows = barriers.iter().map(|&place| draft.kernels[place].name.clone()).collect();
        found.push(Repair { way: Way::Cooperative { rows }, draft: together });
    }
    let mut one = draft.clone();
    let stream = one.kernels.first().map(|row| row.stream.clone()).unwrap_or_default();
    let is_apart = one.kernels.iter().any(|row| row.stream != stream && row.call.has_operation());
    one.kernels.iter_mut().filter(|row| row.call.has_operation()).for_each(|row| row.stream.clone_from(&stream));
    if is_apart && tries.is_clean(&one, None)? {
        found.push(Repair { way: Way::OneStream, draft: one });
    }
    Ok(())
}
