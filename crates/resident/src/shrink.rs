//! The smallest table that still hangs.
//!
//! Depends on `search` and `table`. Invariant: with one row, one block or one SM less no order of it hangs, as far as the search closes.

use blockstep_sim::scenario::{BuiltIn, DeviceDraft, Draft, Scenario};

use super::search::hangs;
use super::table::{with_blocks, without_row};

/// The table with as few SMs, rows and blocks as it takes to hang. `limit`: states for each table that is tried.
#[must_use]
pub fn shrunk(draft: &Draft, limit: u64) -> Draft {
    let mut small = draft.clone();
    let still = |table: &Draft| Scenario::new(table).is_ok() && hangs(table, false, None, limit) == Some(true);
    loop {
        let Some(next) = candidates(&small).into_iter().find(&still) else { return small };
        small = next;
    }
}

/// What is smaller by one thing, the greatest steps first.
fn candidates(draft: &Draft) -> Vec<Draft> {
    let mut found = Vec::new();
    let mut device = match &draft.device {
        DeviceDraft::BuiltIn(id) => BuiltIn::find(id).map(BuiltIn::device).unwrap_or_default(),
        DeviceDraft::Custom(device) => device.clone(),
    };
    for sms in smaller(device.sms) {
        device.sms = sms;
        found.push(Draft { device: DeviceDraft::Custom(device.clone()), ..draft.clone() });
    }
    found.extend((0..draft.kernels.len()).map(|place| without_row(draft, place)));
    for (place, row) in draft.kernels.iter().enumerate() {
        found.extend(smaller(row.blocks).into_iter().map(|blocks| with_blocks(draft, place, blocks)));
    }
    found
}

/// One, half, and one less.
fn smaller(value: u64) -> Vec<u64> {
    let mut found: Vec<u64> = [1, value / 2, value.saturating_sub(1)].into_iter().filter(|&less| 0 < less && less < value).collect();
    found.dedup();
    found
}
