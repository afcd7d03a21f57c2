//! What is free on the SMs of a device in a replay.
//!
//! Invariants: blocks go one after another to the SM with the most free threads where they fit, of several to the first. Neighbors with as much
//! free are one piece, and get their blocks by rounds: a replay gives room to nearly each kernel, so no block and no SM is looked at alone.

use crate::Recording;
use crate::room::{self, Need};
use blockstep_sim::occupancy::Resources;

/// SMs side by side with as much free.
#[derive(Clone, Copy, Debug)]
struct Piece {
    sms: u64,
    free: Resources,
}

/// Blocks of a kernel on SMs side by side, from the first SM on: so many SMs have so many each.
pub(super) type Placed = Vec<(u64, u64)>;

/// What is free on each SM of a device.
#[derive(Clone, Debug)]
pub(super) struct Sms(Vec<Piece>);

/// SMs that get blocks, while they do.
struct Filled {
    sms: u64,
    /// Threads that are free on each.
    threads: u64,
    /// Blocks that still fit on each, and those that each got.
    fit: u64,
    got: u64,
}

impl Sms {
    /// The SMs of a device, an index, with nothing on them.
    pub(super) fn empty_on(recording: &Recording, device: u32) -> Option<Self> {
        room::of_device(&recording.devices[device as usize])
            .map(|(limits, sms)| Self(vec![Piece { sms: sms.into(), free: limits.capacity() }]))
    }

    /// Puts blocks on the SMs, at most `most`: how many, and where.
    pub(super) fn put(&mut self, need: &Need, most: u64) -> (u64, Placed) {
        let filled = |piece: &Piece| Filled { sms: piece.sms, threads: piece.free[1], fit: need.within(&piece.free), got: 0 };
        let mut all: Vec<Filled> = self.0.iter().map(filled).collect();
        let mut left = most;
        // In a round all SMs with the most free threads get a block each; the last one may have too few for all, then the first ones do.
        let mut last_round = None;
        while left > 0
            && let Some(threads) = all.iter().filter(|of| of.fit > 0).map(|of| of.threads).max()
        {
            let is_next = |of: &&mut Filled| of.fit > 0 && of.threads == threads;
            let sms: u64 = all.iter_mut().filter(is_next).map(|of| of.sms).sum();
            if sms > left {
                last_round = Some(threads);
                break;
            }
            for of in all.iter_mut().filter(is_next) {
                of.threads -= need.threads();
                of.fit -= 1;
                of.got += 1;
            }
            left -= sms;
        }
        let mut placed = Placed::with_capacity(all.len() + 1);
        for of in all {
            let more = if of.fit > 0 && last_round == Some(of.threads) { left.min(of.sms) } else { 0 };
            left -= more;
            placed.extend((more > 0).then_some((more, of.got + 1)));
            placed.extend((more < of.sms).then_some((of.sms - more, of.got)));
        }
        self.change(&placed, |free, blocks| std::array::from_fn(|of| free[of] - need.block[of] * blocks));
        (placed.iter().map(|&(sms, blocks)| sms * blocks).sum(), placed)
    }

    /// Takes blocks off the SMs again.
    pub(super) fn give_back(&mut self, need: &Need, placed: &Placed) {
        self.change(placed, |free, blocks| std::array::from_fn(|of| free[of] + need.block[of] * blocks));
    }

    /// Changes what is free by the blocks that each SM gets or loses.
    fn change(&mut self, placed: &Placed, changed: impl Fn(&Resources, u64) -> Resources) {
        // Mostly a kernel puts as much on each SM.
        if let ([all], &[(_, blocks)]) = (self.0.as_mut_slice(), placed.as_slice()) {
            all.free = changed(&all.free, blocks);
            return;
        }
        let before = std::mem::take(&mut self.0);
        self.0.reserve(before.len() + placed.len());
        let mut placed = placed.iter().copied();
        let (mut sms, mut blocks) = (0, 0);
        for mut piece in before {
            while piece.sms > 0 {
                if sms == 0 {
                    (sms, blocks) = placed.next().unwrap_or((piece.sms, 0));
                }
                let both = sms.min(piece.sms);
                let free = if blocks > 0 { changed(&piece.free, blocks) } else { piece.free };
                match self.0.last_mut().filter(|last| last.free == free) {
                    Some(last) => last.sms += both,
                    None => self.0.push(Piece { sms: both, free }),
                }
                sms -= both;
                piece.sms -= both;
            }
        }
    }
}
