//! What was found in a profile of a run, compared with what held its operations back in truth.

use std::collections::BTreeMap;

use blockstep_traces::causes::{Analysis, Cause, Certainty, WaitPart};
use blockstep_traces::summary::main_cause;
use blockstep_traces::{Operation, Recording};

/// Waits longer than this are judged, ns.
pub(super) const LONG: u64 = 20_000;

/// Some time of a wait, and what held the operation back then.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub(super) from: u64,
    pub(super) to: u64,
    /// The first reason of the contract, as a cause.
    pub(super) first: Cause,
    /// All causes that held at the time.
    pub(super) all: Vec<Cause>,
}

/// An operation in the profile: its call, and what truly held it back.
pub(super) struct Truth {
    pub(super) called: u64,
    pub(super) held: Vec<Held>,
}

/// What the round trips came to.
#[derive(Default)]
pub(super) struct Table {
    /// By true and found cause.
    counts: BTreeMap<(Cause, Cause), u64>,
    /// By true cause: all, right, wrong and certain.
    of: BTreeMap<Cause, [u64; 3]>,
}

impl Table {
    fn add(&mut self, truth: Cause, accepted: &[Cause], found: Cause, certainty: Certainty) -> bool {
        *self.counts.entry((truth, found)).or_default() += 1;
        let of = self.of.entry(truth).or_default();
        let is_right = accepted.contains(&found);
        of[0] += 1;
        of[1] += u64::from(is_right);
        of[2] += u64::from(!is_right && certainty == Certainty::Certain);
        is_right
    }

    pub(super) fn total(&self) -> [u64; 3] {
        self.of.values().fold([0; 3], |sum, of| [sum[0] + of[0], sum[1] + of[1], sum[2] + of[2]])
    }

    /// The mean over true causes of how often they are found, in thousandths.
    pub(super) fn mean_over_causes(&self) -> u64 {
        let shares = self.of.values().map(|[all, right, _]| right * 1_000 / all);
        shares.sum::<u64>() / self.of.len().max(1) as u64
    }

    pub(super) fn print(&self, title: &str) {
        let [all, right, certain] = self.total();
        println!(
            "{title}: {all}, right {right} ({:.2} %), wrong and certain {certain} ({:.2} %)",
            right as f64 / all as f64 * 100.0,
            certain as f64 / all as f64 * 100.0
        );
        for (truth, [all, right, certain]) in &self.of {
            let found: Vec<String> = self
                .counts
                .iter()
                .filter(|((of, _), _)| of == truth)
                .map(|((_, found), count)| format!("{} {count}", found.word()))
                .collect();
            println!(
                "  {:14} {all:6} right {right:6} ({:5.1} %) wrong and certain {certain:4}: {}",
                truth.word(),
                *right as f64 / *all as f64 * 100.0,
                found.join(", ")
            );
        }
    }
}

/// How much of two ranges is common.
pub(super) fn common(a: (u64, u64), b: (u64, u64)) -> u64 {
    a.1.min(b.1).saturating_sub(a.0.max(b.0))
}

/// What is longest.
pub(super) fn longest<K: Copy + PartialEq>(all: &[(K, u64)]) -> Option<K> {
    let mut sums: Vec<(K, u64)> = Vec::new();
    for &(key, ns) in all {
        match sums.iter_mut().find(|(of, _)| *of == key) {
            Some((_, sum)) => *sum += ns,
            None => sums.push((key, ns)),
        }
    }
    sums.into_iter().rev().max_by_key(|&(_, ns)| ns).filter(|&(_, ns)| ns > 0).map(|(key, _)| key)
}

/// Compares what was found in a profile, which begins at `zero`, with the truth; `show` prints the mistakes whose causes begin like this.
pub(super) fn judge(recording: &Recording, analysis: &Analysis, truths: &[Truth], zero: u64, tables: &mut [Table; 2], show: Option<&str>) {
    for (place, operation) in recording.operations.iter().enumerate() {
        let Some(call) = recording.call(operation) else { continue };
        let truth = &truths[truths.binary_search_by_key(&(call.start.ns() + zero), |truth| truth.called).expect("each call is known")];
        let parts = analysis.parts(place as u32);
        let found: Vec<((Cause, Certainty), (u64, u64))> =
            parts.iter().map(|part| ((part.cause, part.certainty), (part.from.ns() + zero, part.to.ns() + zero))).collect();
        if recording.wait(operation).is_none_or(|wait| wait.ns() <= LONG) {
            continue;
        }
        if let Some(whole) = longest(&truth.held.iter().map(|held| (held.first, held.to - held.from)).collect::<Vec<_>>()) {
            let most = truth.held.iter().filter(|held| held.first == whole).max_by_key(|held| held.to - held.from);
            let (cause, certainty) = main_cause(parts, &analysis.thresholds).expect("a wait has parts");
            let is_right = tables[0].add(whole, most.map_or(&[], |held| &held.all), cause, certainty);
            if let Some(held) = most.filter(|_| !is_right && show == Some("certain") && certainty == Certainty::Certain) {
                print_mistake(recording, operation, parts, truth, held, zero);
            }
        }
        for held in truth.held.iter().filter(|held| held.to - held.from > LONG) {
            let shares: Vec<_> = found.iter().map(|&(key, range)| (key, common(range, (held.from, held.to)))).collect();
            let Some((cause, certainty)) = longest(&shares) else { continue };
            let is_right = tables[1].add(held.first, &held.all, cause, certainty);
            let is_shown = |show: &str| match show {
                "certain" => certainty == Certainty::Certain,
                show => format!("{} {}", held.first.word(), cause.word()).starts_with(show),
            };
            if !is_right && show.is_some_and(is_shown) {
                print_mistake(recording, operation, parts, truth, held, zero);
            }
        }
    }
}

/// Shows what was found where the truth is another, and all that held.
pub(super) fn print_mistake(recording: &Recording, operation: &Operation, parts: &[WaitPart], truth: &Truth, held: &Held, zero: u64) {
    let named = |operation: &Operation| {
        let called = recording.call(operation).map_or(0, |call| call.start.ns());
        let launch = operation.launch.map_or(String::new(), |l| format!(" {} blocks of {}", l.grid[0], l.block[0]));
        format!(
            "{} in {}{launch}, called {called}, ran {}..{}",
            recording.name(operation),
            recording.stream(operation).id,
            operation.start.ns(),
            operation.end.ns()
        )
    };
    println!("{}: {} {}..{}", named(operation), held.first.word(), held.from - zero, held.to - zero);
    for held in &truth.held {
        println!("   held  {} {}..{} {:?}", held.first.word(), held.from.saturating_sub(zero), held.to - zero, held.all);
    }
    for part in parts {
        let by = part.by.map(|by| named(&recording.operations[by as usize])).unwrap_or_default();
        println!("   found {} {:?} {}..{} {by}", part.cause.word(), part.certainty, part.from.ns(), part.to.ns());
    }
}
