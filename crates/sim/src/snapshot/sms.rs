//! The SMs as an address space sees them.
//!
//! Depends on the rest of `snapshot`. Invariants: an SM that has held no block yet takes no room; where there are many, what is free at
//! most among some that stand together is kept, so that looking for room does not look at all of them.

use std::iter::{Chain, RepeatN, repeat_n};
use std::ops::{Index, IndexMut};
use std::slice;

use super::{RunningBlock, SmState};
use crate::scenario::{Device, Needs};
use crate::units::OpId;

/// SMs that stand together where there are many.
const GROUP: usize = 64;
/// So many are looked at one by one.
const FEW: usize = 4 * GROUP;

/// All SMs, by number.
#[derive(Clone, Debug)]
pub struct Sms {
    /// What one is like that has held no block yet.
    fresh: SmState,
    /// Up to the last one that has held a block.
    touched: Vec<SmState>,
    count: usize,
    /// Blocks on all of them.
    held: u32,
    /// By group of touched ones: the most that is free of each resource; empty where there are few.
    most: Vec<SmState>,
}

impl Sms {
    /// Those of a device, with nothing on them.
    #[must_use]
    pub fn new(device: &Device) -> Self {
        Self { fresh: SmState::new(device), touched: Vec::new(), count: device.sms as usize, held: 0, most: Vec::new() }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there are none; a device has at least one.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// An SM; `None` past the last.
    #[must_use]
    pub fn get(&self, i: usize) -> Option<&SmState> {
        (i < self.count).then(|| &self[i])
    }

    /// All of them, by number.
    pub fn iter(&self) -> Chain<slice::Iter<'_, SmState>, RepeatN<&SmState>> {
        self.touched.iter().chain(repeat_n(&self.fresh, self.count - self.touched.len()))
    }

    /// Whether there is a block on one of them.
    pub(super) fn hold_any(&self) -> bool {
        self.held > 0
    }

    /// Those that hold a block or have held one, with their numbers; none where no block is held.
    pub fn holding(&self) -> impl Iterator<Item = (usize, &SmState)> {
        let touched = if self.held > 0 { &self.touched[..] } else { &[] };
        touched.iter().enumerate().filter(|(_, sm)| !sm.blocks.is_empty())
    }

    /// How many are looked at to find those that hold blocks.
    pub(crate) fn work(&self) -> u64 {
        if self.held > 0 { self.touched.len() as u64 } else { 0 }
    }

    /// How many are looked at, about, to find room.
    pub(crate) fn work_of_search(&self) -> u64 {
        let touched = self.touched.len();
        if self.most.is_empty() { touched as u64 + 1 } else { (touched / GROUP + GROUP) as u64 }
    }

    /// The first from `from` on of which a condition holds that also holds of every SM with more room.
    pub fn first_from(&self, from: usize, is_enough: impl Fn(&SmState) -> bool) -> Option<usize> {
        let mut at = from;
        while at < self.touched.len() {
            if !self.most.is_empty() && at.is_multiple_of(GROUP) && !is_enough(&self.most[at / GROUP]) {
                at += GROUP;
                continue;
            }
            let end = if self.most.is_empty() { self.touched.len() } else { self.touched.len().min((at / GROUP + 1) * GROUP) };
            if let Some(found) = self.touched[at..end].iter().position(&is_enough) {
                return Some(at + found);
            }
            at = end;
        }
        let fresh = self.touched.len().max(from);
        (fresh < self.count && is_enough(&self.fresh)).then_some(fresh)
    }

    /// Whether there is one of which a condition holds that also holds of every SM with more room.
    pub(super) fn any(&self, is_enough: impl Fn(&SmState) -> bool) -> bool {
        self.first_from(0, is_enough).is_some()
    }

    /// Of those that have room for a block, the one with the most free threads; of equal ones the first.
    pub fn most_free(&self, needs: &Needs) -> Option<usize> {
        self.best(needs, |sm| sm.threads)
    }

    /// Of those that have room for a block, the one with room for the most of them; of equal ones the first.
    pub fn most_room(&self, needs: &Needs) -> Option<usize> {
        self.best(needs, |sm| sm.room(needs))
    }

    /// Of those that have room for a block, the one with the most of something, of which one with more room has no less; of equal
    /// ones the first.
    fn best(&self, needs: &Needs, amount: impl Fn(&SmState) -> u32) -> Option<usize> {
        let mut best: Option<(u32, usize)> = None;
        let mut at = 0;
        while at < self.touched.len() {
            let end = if self.most.is_empty() { self.touched.len() } else { self.touched.len().min(at + GROUP) };
            let group = self.most.get(at / GROUP);
            if group.is_none_or(|most| best.is_none_or(|(least, _)| amount(most) > least) && most.fits(needs)) {
                for (i, sm) in (at..).zip(&self.touched[at..end]) {
                    if best.is_none_or(|(least, _)| amount(sm) > least) && sm.fits(needs) {
                        best = Some((amount(sm), i));
                    }
                }
            }
            at = end;
        }
        let fresh = self.touched.len();
        if fresh < self.count && best.is_none_or(|(least, _)| amount(&self.fresh) > least) && self.fresh.fits(needs) {
            best = Some((amount(&self.fresh), fresh));
        }
        best.map(|(_, i)| i)
    }

    /// A block comes.
    pub fn take(&mut self, i: usize, needs: &Needs, block: RunningBlock) {
        let sm = self.touch(i);
        sm.take(needs);
        sm.blocks.push(block);
        self.held += 1;
        self.note(i);
    }

    /// A block goes.
    pub fn free(&mut self, i: usize, needs: &Needs, op: OpId, block: u32) {
        let sm = self.touch(i);
        sm.free(needs);
        // Found at once where blocks end in the order in which they began.
        if let Some(place) = sm.blocks.iter().position(|b| b.op == op && b.block == block) {
            sm.blocks.remove(place);
            self.held -= 1;
        }
        self.note(i);
    }

    /// A block on an SM.
    pub(super) fn block_mut(&mut self, i: usize, op: OpId, block: u32) -> Option<&mut RunningBlock> {
        self.touched.get_mut(i)?.blocks.iter_mut().find(|b| b.op == op && b.block == block)
    }

    /// All blocks.
    pub(super) fn blocks_mut(&mut self) -> impl Iterator<Item = &mut RunningBlock> {
        self.touched.iter_mut().flat_map(|sm| &mut sm.blocks)
    }

    /// Whether there is room for so many blocks at once.
    pub(super) fn have_room_for(&self, needs: &Needs, blocks: u64) -> bool {
        let fresh = (self.count - self.touched.len()) as u64;
        let mut left = blocks.saturating_sub(fresh.saturating_mul(self.fresh.room(needs).into()));
        for sm in &self.touched {
            if left == 0 {
                break;
            }
            left = left.saturating_sub(sm.room(needs).into());
        }
        left == 0
    }

    fn touch(&mut self, i: usize) -> &mut SmState {
        assert!(i < self.count, "SM {i} of {}", self.count);
        if i >= self.touched.len() {
            self.touched.resize(i + 1, self.fresh.clone());
        }
        &mut self.touched[i]
    }

    /// What is free on an SM has changed.
    fn note(&mut self, i: usize) {
        if self.count <= FEW {
            return;
        }
        // No SM has more room than a fresh one.
        self.most.resize(self.touched.len().div_ceil(GROUP), self.fresh.clone());
        let (first, group) = (i / GROUP * GROUP, i / GROUP);
        let end = self.touched.len().min(first + GROUP);
        let mut most = SmState { threads: 0, slots: 0, shared_memory: 0, registers: 0, blocks: Vec::new() };
        for sm in &self.touched[first..end] {
            most.threads = most.threads.max(sm.threads);
            most.slots = most.slots.max(sm.slots);
            most.shared_memory = most.shared_memory.max(sm.shared_memory);
            most.registers = most.registers.max(sm.registers);
        }
        self.most[group] = most;
    }

    /// Bytes that they take beside themselves.
    pub(super) fn bytes(&self) -> usize {
        let blocks = if self.held > 0 { self.touched.iter().map(|sm| sm.blocks.len()).sum::<usize>() } else { 0 };
        (self.touched.len() + self.most.len()) * size_of::<SmState>() + blocks * size_of::<RunningBlock>()
    }
}

/// However they came to be as they are.
impl PartialEq for Sms {
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count && self.iter().eq(other)
    }
}

impl Eq for Sms {}

impl Index<usize> for Sms {
    type Output = SmState;

    fn index(&self, i: usize) -> &SmState {
        assert!(i < self.count, "SM {i} of {}", self.count);
        self.touched.get(i).unwrap_or(&self.fresh)
    }
}

/// For those who ask what would be if something else were free.
impl IndexMut<usize> for Sms {
    fn index_mut(&mut self, i: usize) -> &mut SmState {
        // From here on all are looked at.
        self.most.clear();
        self.touch(i)
    }
}

impl<'a> IntoIterator for &'a Sms {
    type Item = &'a SmState;
    type IntoIter = Chain<slice::Iter<'a, SmState>, RepeatN<&'a SmState>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
