//! The smallest table that still hangs.
//!
//! Depends on `search` and `table`. Invariant: with one row, one block or one SM less no order of it hangs, as far as the search closes.

use blockstep_sim::scenario::spins::resident_exactly;
use blockstep_sim::scenario::{BuiltIn, Device, DeviceDraft, Draft};

use super::search::{Answer, Found, Hang};
use super::table::{with_blocks, without_row};
use super::tries::{Pending, Tries};

/// The hang of an answer with as few SMs, rows and blocks as it takes; none if nothing less hangs.
pub(crate) fn shrink(answer: &Answer, tries: &mut Tries) -> Result<Option<Hang>, Pending> {
    let Found::Hang(hang) = &answer.found else { return Ok(None) };
    let mut smallest: Option<Hang> = None;
    loop {
        let now = smallest.as_ref().map_or(&hang.draft, |hang| &hang.draft);
        let Some(smaller) = smaller_one(now, &hang.draft, tries)? else { return Ok(smallest) };
        smallest = Some(smaller);
    }
}

/// The hang of the first table that is smaller and hangs. Those come first in which each kernel that spins still fits alone, if it did
/// at first: they hang for the same reason.
fn smaller_one(draft: &Draft, whole: &Draft, tries: &mut Tries) -> Result<Option<Hang>, Pending> {
    let fits = |draft: &Draft, name: &str| {
        let device = device(draft);
        let row = draft.kernels.iter().find(|row| row.name == name);
        row.is_none_or(|row| row.blocks <= resident_exactly(&device, row).saturating_mul(device.sms))
    };
    let kept: Vec<&str> =
        whole.kernels.iter().filter(|row| row.spins()).map(|row| row.name.as_str()).filter(|name| fits(whole, name)).collect();
    let (first, last): (Vec<Draft>, Vec<Draft>) =
        candidates(draft).into_iter().partition(|draft| kept.iter().all(|name| fits(draft, name)));
    for table in first.iter().chain(&last) {
        if let Some(hang) = tries.hang(table)? {
            return Ok(Some(hang));
        }
    }
    Ok(None)
}

/// What is smaller, the greatest steps first.
fn candidates(draft: &Draft) -> Vec<Draft> {
    let mut found = Vec::new();
    let device = device(draft);
    // With fewer SMs it is not the device of that name any more.
    let less = |sms: u64| DeviceDraft::Custom(Device { name: String::new(), sms, ..device.clone() });
    let on = |sms: u64, draft: &Draft| Draft { device: less(sms), ..draft.clone() };
    if device.sms > 1 {
        // A half of everything keeps what is too much too much.
        let half = (0..draft.kernels.len()).fold(draft.clone(), |half, place| {
            let blocks = draft.kernels[place].blocks;
            with_blocks(&half, place, (blocks / 2).max(blocks.min(1)))
        });
        found.push(on(device.sms / 2, &half));
    }
    found.extend((0..draft.kernels.len()).map(|place| without_row(draft, place)));
    found.extend(smaller(device.sms).into_iter().map(|sms| on(sms, draft)));
    for (place, row) in draft.kernels.iter().enumerate() {
        found.extend(smaller(row.blocks).into_iter().map(|blocks| with_blocks(draft, place, blocks)));
    }
    found
}

fn device(draft: &Draft) -> Device {
    match &draft.device {
        DeviceDraft::BuiltIn(id) => BuiltIn::find(id).map(BuiltIn::device).unwrap_or_default(),
        DeviceDraft::Custom(device) => device.clone(),
    }
}

/// One, half, and one less.
fn smaller(value: u64) -> Vec<u64> {
    let mut found: Vec<u64> = [1, value / 2, value.saturating_sub(1)].into_iter().filter(|&less| 0 < less && less < value).collect();
    found.dedup();
    found
}
