//! The oracle's execution times that vary, written from `docs/varying-times.md` alone.

use blockstep_sim::scenario::{BlockTimes, KernelDraft, PolicyDraft};

/// How much longer than stated the blocks of a row may run.
pub(super) fn most(k: &KernelDraft) -> u64 {
    let greatest = match &k.block_time_ns {
        BlockTimes::Each(ns) => *ns,
        BlockTimes::List(list) => *list.iter().max().unwrap(),
    };
    k.block_time_max_ns.map_or(0, |max| max - greatest)
}

/// A row that always takes its worst case.
pub(super) fn at_worst(k: &KernelDraft) -> KernelDraft {
    let block_time_ns = match &k.block_time_ns {
        BlockTimes::Each(ns) => BlockTimes::Each(ns + most(k)),
        BlockTimes::List(list) => BlockTimes::List(list.iter().map(|ns| ns + most(k)).collect()),
    };
    KernelDraft { block_time_ns, block_time_max_ns: None, ..k.clone() }
}

/// How much longer the blocks of row `row` run in job `job`.
pub(super) fn draw(seed: u64, row: u64, job: u64, most: u64) -> u64 {
    let u = mix(mix(mix(seed) ^ row) ^ job);
    let times = |a: u64, b: u128| ((u128::from(a) * b) >> 64) as u64;
    let cube = times(times(u, u.into()), u.into());
    times(cube, u128::from(most) + 1)
}

/// How long switch number `n` of a run takes.
pub(super) fn switch(seed: u64, policy: &PolicyDraft, n: u64) -> u64 {
    let u = mix(mix(mix(seed) ^ u64::MAX) ^ n);
    let of = |even: u64, count: u128| (u128::from(even) * count) >> 64;
    let samples = &policy.switch_samples_ns;
    if !samples.is_empty() {
        return samples[of(u, samples.len() as u128) as usize];
    }
    let Some(longest) = policy.switch_cost_max_ns else { return policy.switch_cost_ns };
    let (a, longest) = (u128::from(policy.switch_cost_ns), u128::from(longest));
    let p = u128::from(policy.switch_tail_per_million);
    let (t, m) = (mix(u), longest - a);
    let r = a.min(m) / 4;
    let drawn = if of(u, 1_000_000) < p {
        let v = of(t, t.into()) as u64;
        a + r + of(of(v, t.into()) as u64, m - r + 1)
    } else {
        let c = a - p * (m + 3 * r) / (4 * (1_000_000 - p));
        c - r + of(t, r + 1) + of(mix(t), r + 1)
    };
    drawn as u64
}

/// The step of SplitMix64.
pub(super) fn mix(n: u64) -> u64 {
    let mut n = n.wrapping_add(0x9e3779b97f4a7c15);
    for (shift, factor) in [(30, 0xbf58476d1ce4e5b9), (27, 0x94d049bb133111eb), (31, 1)] {
        n = (n ^ (n >> shift)).wrapping_mul(factor);
    }
    n
}
