//! The search against a program that shares nothing with it: every order of small tables, by recursion, with nothing left out.
//!
//! It knows kernels in streams of one EE queue, threads and block slots, and conditions of blocks that spin. A table hangs if some order ends
//! with a kernel that is not complete.

use blockstep_sim::scenario::{Device, DeviceDraft, Draft, KernelDraft, Scenario};
use blockstep_testing::arbitrary::cases;
use proptest::collection::vec;
use proptest::prelude::*;

use super::{hangs, smallest};

/// Threads of an SM.
const THREADS: u64 = 4;

#[derive(Clone, Debug)]
struct Kernel {
    stream: usize,
    blocks: u64,
    threads: u64,
    barrier: bool,
    /// Other kernels, by place, and how far they have to be: begun, all begun, complete.
    until: Vec<(usize, usize)>,
}

#[derive(Clone)]
struct Block {
    kernel: usize,
    sm: usize,
    /// When its time began to count.
    since: Option<usize>,
}

#[derive(Clone)]
struct State {
    called: Vec<bool>,
    queue: Vec<usize>,
    joined: Vec<bool>,
    begun: Vec<u64>,
    ended: Vec<u64>,
    blocks: Vec<Block>,
    instant: usize,
}

struct Table {
    kernels: Vec<Kernel>,
    sms: usize,
}

impl Table {
    fn is_complete(&self, state: &State, kernel: usize) -> bool {
        state.ended[kernel] == self.kernels[kernel].blocks
    }

    fn goes_on(&self, state: &State, kernel: usize) -> bool {
        let k = &self.kernels[kernel];
        let all = |other: usize| state.begun[other] == self.kernels[other].blocks;
        let holds = |&(other, how): &(usize, usize)| match how {
            0 => state.begun[other] > 0,
            1 => all(other),
            _ => self.is_complete(state, other),
        };
        (!k.barrier || all(kernel)) && k.until.iter().all(holds)
    }

    /// What follows at once: kernels join the queue, blocks are assigned, and what may goes on.
    fn settle(&self, state: &mut State) {
        for kernel in 0..self.kernels.len() {
            let is_next =
                (0..kernel).all(|before| self.kernels[before].stream != self.kernels[kernel].stream || self.is_complete(state, before));
            if state.called[kernel] && !state.joined[kernel] && is_next {
                state.joined[kernel] = true;
                state.queue.push(kernel);
            }
        }
        while let Some(&head) = state.queue.first() {
            let free =
                |sm: usize| THREADS - state.blocks.iter().filter(|b| b.sm == sm).map(|b| self.kernels[b.kernel].threads).sum::<u64>();
            let fits = (0..self.sms).filter(|&sm| free(sm) >= self.kernels[head].threads);
            // Of equal ones the first.
            let Some(sm) = fits.max_by_key(|&sm| (free(sm), std::cmp::Reverse(sm))) else { break };
            state.blocks.push(Block { kernel: head, sm, since: None });
            state.begun[head] += 1;
            if state.begun[head] == self.kernels[head].blocks {
                state.queue.remove(0);
            }
            self.let_go_on(state);
        }
        self.let_go_on(state);
    }

    fn let_go_on(&self, state: &mut State) {
        let free: Vec<bool> = (0..self.kernels.len()).map(|kernel| self.goes_on(state, kernel)).collect();
        let instant = state.instant;
        state.blocks.iter_mut().filter(|b| b.since.is_none() && free[b.kernel]).for_each(|b| b.since = Some(instant));
    }

    /// Whether some order from here on ends with work left.
    fn can_hang(&self, state: &State) -> bool {
        let mut is_leaf = true;
        for kernel in 0..self.kernels.len() {
            // Calls of one stream stay in order.
            let may_come = (0..kernel).all(|before| self.kernels[before].stream != self.kernels[kernel].stream || state.called[before]);
            if !state.called[kernel] && may_come {
                is_leaf = false;
                let mut next = state.clone();
                next.instant += 1;
                next.called[kernel] = true;
                self.settle(&mut next);
                if self.can_hang(&next) {
                    return true;
                }
            }
            let first = state.blocks.iter().filter(|b| b.kernel == kernel).filter_map(|b| b.since).min();
            if let Some(first) = first {
                is_leaf = false;
                let mut next = state.clone();
                next.instant += 1;
                let before = next.blocks.len();
                next.blocks.retain(|b| b.kernel != kernel || b.since != Some(first));
                next.ended[kernel] += (before - next.blocks.len()) as u64;
                self.settle(&mut next);
                if self.can_hang(&next) {
                    return true;
                }
            }
        }
        is_leaf && (0..self.kernels.len()).any(|kernel| !self.is_complete(state, kernel))
    }

    fn hangs(&self) -> bool {
        let n = self.kernels.len();
        let none = vec![0; n];
        let (called, joined) = (vec![false; n], vec![false; n]);
        self.can_hang(&State { called, queue: vec![], joined, begun: none.clone(), ended: none, blocks: vec![], instant: 0 })
    }

    fn draft(&self) -> Draft {
        let device = Device { sms: self.sms as u64, threads_per_sm: THREADS, ..Device::default() };
        let name = |place: usize| format!("K{place}");
        let row = |(place, k): (usize, &Kernel)| {
            let named = |how: usize| k.until.iter().filter(|until| until.1 == how).map(|&(other, _)| name(other)).collect();
            KernelDraft {
                stream: format!("S{}", k.stream),
                barrier: k.barrier,
                until_begun: named(0),
                until_all_begun: named(1),
                until_completed: named(2),
                ..KernelDraft::named(name(place), k.blocks, k.threads, 5)
            }
        };
        Draft { device: DeviceDraft::Custom(device), kernels: self.kernels.iter().enumerate().map(row).collect(), ..Draft::default() }
    }
}

fn tables() -> impl Strategy<Value = Table> {
    let until = vec((1..3_usize, 0..3_usize), 0..2);
    let kernel = (0..3_usize, 1..4_u64, 1..=THREADS, prop::bool::weighted(0.4), until);
    (vec(kernel, 2..4), 1..3_usize).prop_map(|(rows, sms)| {
        let count = rows.len();
        let kernels = rows.into_iter().enumerate().map(|(place, (stream, blocks, threads, barrier, until))| {
            let mut until: Vec<(usize, usize)> = until.into_iter().map(|(far, how)| ((place + far) % count, how)).collect();
            until.retain(|&(other, _)| other != place);
            until.dedup();
            Kernel { stream, blocks, threads, barrier, until }
        });
        let mut kernels: Vec<Kernel> = kernels.collect();
        // There has to be something to ask.
        kernels[0].barrier |= kernels.iter().all(|k| !k.barrier && k.until.is_empty());
        Table { kernels, sms }
    })
}

impl std::fmt::Debug for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} SMs: {:#?}", self.sms, self.kernels)
    }
}

/// The tables with one SM, one row or one block less.
fn less_by_one(draft: &Draft) -> Vec<Draft> {
    let mut found = Vec::new();
    let mut push = |change: &dyn Fn(&mut Draft)| {
        let mut less = draft.clone();
        change(&mut less);
        found.push(less);
    };
    push(&|less| {
        if let DeviceDraft::Custom(device) = &mut less.device {
            device.sms -= 1;
        }
    });
    for place in 0..draft.kernels.len() {
        push(&|less| less.kernels[place].blocks -= 1);
        push(&|less| {
            let gone = less.kernels.remove(place).name;
            for row in &mut less.kernels {
                for names in [&mut row.until_begun, &mut row.until_all_begun, &mut row.until_completed] {
                    names.retain(|name| *name != gone);
                }
            }
        });
    }
    found
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn the_search_finds_a_hang_where_there_is_one(table in tables()) {
        let draft = table.draft();
        let expected = table.hangs();
        prop_assert_eq!(hangs(&draft), expected);
        if expected {
            let small = smallest(&draft);
            prop_assert!(small.kernels.len() <= draft.kernels.len() && hangs(&small));
            for less in less_by_one(&small) {
                let hangs = Scenario::new(&less).is_ok_and(|scenario| scenario.has_spins()) && hangs(&less);
                prop_assert!(!hangs, "{less:?} hangs, too");
            }
        }
    }
}
