//! The cases of [MT]: six of Table III and one of section 7, with what the paper measured.
//!
//! Depends on the other files of `batch`. The paper describes each workload in a line and gives no
//! numbers, so all numbers here are **ours**, and they are one set for all cases ([`Assumptions`]);
//! a case differs from another only in what its line says. Published performances are Table III's
//! and section 7's.

use std::fmt;

use super::arch::ArchId;
use super::methods::Methods;
use super::run::Comparison;
use super::schedulers::SchedulerId;
use super::task::{TaskDraft, Workload, WorkloadDraft, WorkloadError};

/// Numbers that the paper does not give. Times in ns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assumptions {
    /// A copy in either direction where copies and kernels are balanced.
    pub copy: u64,
    /// A copy where they are not.
    pub short_copy: u64,
    /// The longer of the two kernels, alone on the GPU; the same on all GPUs.
    pub long: u64,
    /// The shorter one.
    pub short: u64,
    /// From one input to the next, of both tasks.
    pub interval: u64,
    /// The deadline of the task of higher priority.
    pub deadline: u64,
    /// The separation time of the other.
    pub separation: u64,
    /// Blocks of a small kernel; two fit into each of the GPUs together.
    pub small: u64,
    /// Blocks of a large kernel.
    pub large: u64,
    /// Threads of a block.
    pub threads: u64,
    /// Inputs arrive before this.
    pub until: u64,
}

/// The set that all cases use.
pub const ASSUMED: Assumptions = Assumptions {
    copy: 1_000_000,
    short_copy: 200_000,
    long: 4_000_000,
    short: 1_500_000,
    interval: 7_000_000,
    deadline: 6_500_000,
    separation: 7_000_000,
    small: 8,
    large: 8_100,
    threads: 256,
    until: 105_000_000,
};

/// What is assumed and why, in words, for readers.
pub const REASONS: [(&str, &str); 9] = [
    (
        "two tasks with inputs at the same times",
        "A batch has at most two tasks; \"higher-priority tasks\" are then one, and every batch has one of each.",
    ),
    (
        "the one of higher priority: latency, deadline 6.5 ms; the other: throughput, separation time 7 ms",
        "The paper has both kinds; the shorter allowance makes the higher priority. The higher task alone needs 6 ms, so 6.5 ms leave room for counting threads.",
    ),
    ("copies of 1 ms in each direction", "About a full-HD picture of 3 bytes per pixel, 6 MB, at 6 GB/s over PCI Express 2.0."),
    (
        "kernels of 4 ms and 1.5 ms alone, on every GPU",
        "Together about as long as the four copies: balanced. \"Longer\" by enough to matter.",
    ),
    ("unbalanced: copies of 0.2 ms", "Only the copies change; kernels that outlast copies are the common imbalance."),
    ("small kernels: 8 blocks of 256 threads", "Two of them fit into each of the three GPUs."),
    ("large kernels: 8100 blocks of 256 threads", "A thread for each pixel of a full-HD picture: 2 073 600."),
    (
        "an input every 7 ms, 15 inputs",
        "Between what CPUTraditional (9.5 ms for a batch) and the concurrent schedulers can take: ratios above 2, as in the paper, need one to fall behind. It falls further behind with each input, so sizes grow with their number and only the order is evidence: it is the same with 5, 15 and 60.",
    ),
    ("messages, decisions and launches on the GPU 20 µs each", "The paper names these costs without numbers."),
];

/// What the paper measured of a scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published {
    /// Performance, in hundredths.
    pub performance: u32,
    /// "Shifted accumulated slack time", in hundredths of a millisecond; section 7 gives none.
    pub slack: Option<u32>,
}

/// A case of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    /// Its name in the paper.
    pub name: &'static str,
    /// What it is, after the paper's description.
    pub title: &'static str,
    /// Where it is in the paper.
    pub source: &'static str,
    /// On which GPU.
    pub arch: ArchId,
    /// Whether the kernels are large.
    pub large: bool,
    /// Whether the task of higher priority has the longer kernel.
    pub higher_is_longer: bool,
    /// Whether copies and kernels take about as long.
    pub balanced: bool,
    /// By scheduler, in the order of [`SchedulerId::ALL`].
    pub published: [Option<Published>; 6],
}

/// A time in hundredths of a millisecond as milliseconds with two decimals: how slack times are shown.
#[must_use]
pub fn slack_ms(hundredths: u128) -> String {
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}

/// The performance with two decimals.
impl fmt::Display for Published {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{:02}", self.performance / 100, self.performance % 100))
    }
}

const fn table(performance: u32, slack: u32) -> Option<Published> {
    Some(Published { performance, slack: Some(slack) })
}

const fn text(performance: u32) -> Option<Published> {
    Some(Published { performance, slack: None })
}

/// All cases.
pub const CASES: [Case; 7] = [
    Case {
        name: "Case-1",
        title: "small kernels, balanced, on Kepler; the task of higher priority has the longer kernel",
        source: "[MT] Table III",
        arch: ArchId::Kepler,
        large: false,
        higher_is_longer: true,
        balanced: true,
        published: [table(100, 12299), table(193, 6354), table(355, 3461), table(353, 3481), table(314, 3914), table(321, 3836)],
    },
    Case {
        name: "Case-2",
        title: "the workload of Case-1 on Fermi",
        source: "[MT] Table III",
        arch: ArchId::Fermi,
        large: false,
        higher_is_longer: true,
        balanced: true,
        published: [table(100, 24184), table(283, 8541), table(355, 6819), table(426, 5671), None, None],
    },
    Case {
        name: "Case-3",
        title: "as Case-2, but the task of higher priority has the shorter kernel",
        source: "[MT] Table III",
        arch: ArchId::Fermi,
        large: false,
        higher_is_longer: false,
        balanced: true,
        published: [table(100, 23317), table(334, 6976), table(437, 5338), table(432, 5392), None, None],
    },
    Case {
        name: "Case-4",
        title: "as Case-1, but with large kernels",
        source: "[MT] Table III",
        arch: ArchId::Kepler,
        large: true,
        higher_is_longer: true,
        balanced: true,
        published: [table(100, 12208), table(175, 6965), table(178, 6860), table(66, 18478), table(170, 7197), table(63, 19511)],
    },
    Case {
        name: "Case-5",
        title: "as Case-4, on Fermi",
        source: "[MT] Table III",
        arch: ArchId::Fermi,
        large: true,
        higher_is_longer: true,
        balanced: true,
        published: [table(100, 18774), table(259, 7257), table(154, 12204), table(11, 172_799), None, None],
    },
    Case {
        name: "Case-6",
        title: "as Case-5, but with unbalanced operations",
        source: "[MT] Table III",
        arch: ArchId::Fermi,
        large: true,
        higher_is_longer: true,
        balanced: false,
        published: [table(100, 27101), table(113, 23978), table(82, 32930), table(29, 94457), None, None],
    },
    Case {
        name: "Case-1 on TX1",
        title: "the workload of Case-1 on TX1",
        source: "[MT] section 7",
        arch: ArchId::Tx1,
        large: false,
        higher_is_longer: true,
        balanced: true,
        published: [text(100), text(166), text(222), text(279), None, None],
    },
];

impl Case {
    /// The case with this name.
    #[must_use]
    pub fn find(name: &str) -> Option<&'static Self> {
        CASES.iter().find(|case| case.name == name)
    }

    /// Its workload under some assumptions; [`ASSUMED`] is what the page shows.
    #[must_use]
    pub fn workload(&self, assumed: &Assumptions) -> WorkloadDraft {
        let copy = if self.balanced { assumed.copy } else { assumed.short_copy };
        let (high, low) = if self.higher_is_longer { (assumed.long, assumed.short) } else { (assumed.short, assumed.long) };
        let task = |name: &str, kernel_ns| TaskDraft {
            copy_in_ns: copy,
            copy_out_ns: copy,
            kernel_ns,
            blocks: if self.large { assumed.large } else { assumed.small },
            threads_per_block: assumed.threads,
            interval_ns: assumed.interval,
            ..TaskDraft::named(name)
        };
        WorkloadDraft {
            name: format!("{}: {}", self.name, self.title),
            until_ns: assumed.until,
            tasks: vec![
                TaskDraft { deadline_ns: Some(assumed.deadline), ..task("higher", high) },
                TaskDraft { separation_ns: Some(assumed.separation), ..task("lower", low) },
            ],
        }
    }

    /// All schedulers on it under some assumptions and with some methods.
    ///
    /// # Errors
    /// What the assumptions make impossible.
    pub fn compare(&self, assumed: &Assumptions, methods: Methods) -> Result<Comparison, WorkloadError> {
        Ok(Comparison::new(&Workload::new(self.workload(assumed))?, &self.arch.arch(), methods))
    }

    /// What the paper measured of a scheduler; none where it was not applicable.
    #[must_use]
    pub fn published(&self, scheduler: SchedulerId) -> Option<Published> {
        SchedulerId::ALL.into_iter().zip(self.published).find(|(id, _)| *id == scheduler)?.1
    }

    /// Schedulers that the paper measured, the best first.
    #[must_use]
    pub fn published_ranking(&self) -> Vec<SchedulerId> {
        let mut ranking: Vec<_> =
            SchedulerId::ALL.into_iter().filter_map(|id| Some((std::cmp::Reverse(self.published(id)?.performance), id))).collect();
        ranking.sort_unstable();
        ranking.into_iter().map(|(_, id)| id).collect()
    }

    /// Pairs of schedulers that stand the other way round with us: the first is better in the paper
    /// and worse here. Pairs that are equal on either side are none.
    #[must_use]
    pub fn differences(&self, ours: &Comparison) -> Vec<(SchedulerId, SchedulerId)> {
        let mut found = Vec::new();
        for better in SchedulerId::ALL {
            for worse in SchedulerId::ALL {
                let (Some(a), Some(b)) = (self.published(better), self.published(worse)) else { continue };
                let (Some(ours_a), Some(ours_b)) = (ours.outcome(better), ours.outcome(worse)) else { continue };
                if a.performance > b.performance && ours_a.shifted > ours_b.shifted {
                    found.push((better, worse));
                }
            }
        }
        found
    }
}
