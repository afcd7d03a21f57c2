//! Whether what was measured on a GPU agrees with the rules, and what of it cannot be judged.
//!
//! Depends on `measured`, `scenario` and `trace::Rule`. Invariants: a violation is named only where the
//! logs leave no doubt, beyond the tolerance for noise of the clocks and what the assumptions say;
//! whatever is not judged is said to be so. Source: docs/semantics.md, sections 2 to 4, read as in
//! [`super`], but with a launch known only to lie between two instants, and nothing known of copies.

mod before;
mod kernels;
mod limits;
mod order;
mod single;

use crate::language::one_or;
use crate::measured::{InferredDevice, Known, Measured, Named};
use crate::scenario::Device;
use crate::trace::Rule;

use kernels::Kernels;

/// Noise of the clocks that is not taken for a violation, unless another is given. The GPU's
/// timer advances in steps of up to about 1 µs on the papers' GPUs, and the examiner brings it to the
/// CPU's clock by one offset and one rate for the whole run, each read from calls that
/// take several µs. What the rules forbid is off by whole block times, a thousand times this.
pub const TOLERANCE_NS: u64 = 10_000;

/// Most violations of one kind that are named; of the others there is the number.
pub const MOST_NAMED: u64 = 100;

crate::listed! {
    /// What is looked at: the papers' rules where there is one, else what any trace must be.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
    pub enum Check {
        /// All logs tell of as many threads as the device has.
        Device,
        /// Blocks run on SMs that there are.
        SmId,
        /// Threads of a block.
        BlockSize,
        /// There are as many blocks as the launch has.
        BlockCount,
        /// Blocks end after they begin.
        BlockTimes,
        /// What the CPU timed is in order.
        HostTimes,
        /// The calls that launch kernels from one thread are in order.
        LaunchOrder,
        /// Blocks on an SM at once.
        Slots,
        /// Threads on an SM at once.
        Threads,
        /// Shared memory of an SM.
        SharedMemory,
        /// Threads on the whole GPU at once.
        GpuThreads,
        /// No block begins before its kernel is launched.
        Launch,
        /// A kernel begins after its predecessor in the stream has ended.
        StreamOrder,
        /// When the CPU has waited for a kernel, it has ended.
        Waited,
        /// Kernels of one EE queue begin in its order.
        EeOrder,
        /// Kernels of high priority go first.
        Priority,
        /// The NULL stream waits for the others.
        NullWaits,
        /// The others wait for the NULL stream.
        WaitsForNull,
    }
}

impl Check {
    /// The rule it reads backwards, if it is one of the papers'.
    #[must_use]
    pub const fn rule(self) -> Option<Rule> {
        match self {
            Self::Slots => Some(Rule::R1),
            Self::Threads => Some(Rule::R2),
            Self::SharedMemory => Some(Rule::R3),
            Self::Launch => Some(Rule::G1),
            Self::StreamOrder => Some(Rule::G2),
            Self::Waited => Some(Rule::G4),
            Self::EeOrder => Some(Rule::X1),
            Self::Priority => Some(Rule::A2),
            Self::NullWaits => Some(Rule::N1),
            Self::WaitsForNull => Some(Rule::N2),
            _ => None,
        }
    }

    /// Its name: the rule's id, or words.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self.rule() {
            Some(rule) => rule.id(),
            None => match self {
                Self::Device => "device",
                Self::SmId => "sm-id",
                Self::BlockSize => "block-size",
                Self::BlockCount => "block-count",
                Self::BlockTimes => "block-times",
                Self::HostTimes => "host-times",
                Self::LaunchOrder => "launch-order",
                _ => "gpu-threads",
            },
        }
    }

    /// What must hold.
    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Device => "The logs and the device agree on the number of resident threads.",
            Self::SmId => "Blocks run on SMs that the device has.",
            Self::BlockSize => "A block has no more threads than the device allows.",
            Self::BlockCount => "The number of block times of a launch equals its number of blocks.",
            Self::BlockTimes => "A block ends after it begins.",
            Self::HostTimes => "The times taken by the CPU are in order.",
            Self::LaunchOrder => "The calls that launch kernels from one CPU thread follow each other.",
            Self::Slots => "An SM holds no more blocks at once than it can.",
            Self::Threads => "An SM holds no more threads at once than it can.",
            Self::SharedMemory => "An SM gives no more shared memory at once than it has.",
            Self::GpuThreads => "The GPU holds no more threads at once than it can.",
            Self::Launch => "No block begins before its kernel is launched.",
            Self::StreamOrder => "A kernel begins when its predecessor in the stream has ended.",
            Self::Waited => "A kernel has ended when the CPU has waited for it.",
            Self::EeOrder => "All blocks of a kernel begin before those of a kernel that joined the same EE queue later.",
            Self::Priority => "No block of a low-priority kernel begins while one of high priority waits to begin.",
            Self::NullWaits => "A kernel of the NULL stream begins when everything that was launched before it has ended.",
            Self::WaitsForNull => "No kernel begins before one of the NULL stream that was launched earlier has ended.",
        }
    }

    /// What it is counted in, of so many.
    #[must_use]
    pub fn unit(self, count: u64) -> &'static str {
        let (one, many) = match self {
            Self::Device => ("log", "logs"),
            Self::HostTimes => ("iteration", "iterations"),
            Self::BlockSize | Self::BlockCount | Self::LaunchOrder | Self::Waited => ("launch", "launches"),
            Self::StreamOrder | Self::EeOrder | Self::NullWaits | Self::WaitsForNull => ("kernel", "kernels"),
            _ => ("block", "blocks"),
        };
        one_or(count, one, many)
    }
}

/// A block of a run: log, launch in the log, block in the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BlockRef {
    /// Which log.
    pub log: usize,
    /// Which of its launches.
    pub launch: usize,
    /// Which of its blocks.
    pub block: usize,
}

/// A place where the logs break a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// What does not hold.
    pub check: Check,
    /// The instant to look at, ns on the logs' clock.
    pub at_ns: i64,
    /// The blocks that break it, the first few; none if it is about no block.
    pub blocks: Vec<BlockRef>,
    /// The log and launch they should have waited for, if it is about an order.
    pub waits_for: Option<(usize, usize)>,
    /// What happened, with names and times.
    pub sentence: String,
}

/// Something that the logs do not let one judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unjudged {
    /// The rules or checks, as `C1 to C4`.
    pub rules: &'static str,
    /// What the logs lack, in words.
    pub why: String,
}

/// What to judge a run by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckSettings {
    /// The device.
    pub device: Device,
    /// Whether its limits on blocks and shared memory are its own.
    pub has_limits: bool,
    /// Differences up to this are no violations.
    pub tolerance_ns: u64,
    /// What is known of each log's stream, in the order of the logs; what is missing is not known.
    pub known: Vec<Known>,
}

impl CheckSettings {
    /// On a device that was inferred.
    #[must_use]
    pub fn inferred(found: &InferredDevice, known: Vec<Known>) -> Self {
        let device = found.device.clone();
        Self { device, has_limits: found.built_in.is_some(), tolerance_ns: TOLERANCE_NS, known }
    }

    /// On a device that was named.
    #[must_use]
    pub fn on(device: Device, known: Vec<Known>) -> Self {
        Self { device, has_limits: true, tolerance_ns: TOLERANCE_NS, known }
    }
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conformance {
    /// Violations, in order of time; of each check at most [`MOST_NAMED`].
    pub violations: Vec<Violation>,
    /// How often each check was made and how often it failed, those not named included; only checks
    /// that were made.
    pub judged: Vec<Judged>,
    /// What was not judged.
    pub unjudged: Vec<Unjudged>,
    /// What was assumed where the logs say nothing, a sentence each.
    pub assumptions: Vec<String>,
}

impl Conformance {
    /// Whether nothing that could be judged breaks a rule.
    #[must_use]
    pub fn conforms(&self) -> bool {
        self.violations.is_empty()
    }
}

/// How often a check was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The check that was made.
    pub check: Check,
    /// How often.
    pub count: u64,
    /// How often it failed.
    pub violations: u64,
}

/// Judges a run. Cost: `n log n` in the number of blocks.
#[must_use]
pub fn check(run: &Measured, settings: &CheckSettings) -> Conformance {
    let mut found = MeasuredFindings::new(run, settings);
    let kernels = Kernels::new(run, settings);
    single::check(&mut found);
    limits::check(&mut found);
    order::check(&mut found, &kernels);
    found.finish()
}

/// What has been found so far.
struct MeasuredFindings<'r> {
    run: &'r Measured,
    named: Named<'r>,
    settings: &'r CheckSettings,
    tolerance: i64,
    violations: Vec<Violation>,
    /// Made and failed, by check.
    counts: [(u64, u64); Check::ALL.len()],
    unjudged: Vec<Unjudged>,
    assumptions: Vec<String>,
}

impl<'r> MeasuredFindings<'r> {
    fn new(run: &'r Measured, settings: &'r CheckSettings) -> Self {
        Self {
            run,
            named: Named::new(run),
            settings,
            tolerance: i64::try_from(settings.tolerance_ns).unwrap_or(i64::MAX),
            violations: Vec::new(),
            counts: Default::default(),
            unjudged: Vec::new(),
            assumptions: Vec::new(),
        }
    }

    /// Whether one instant is before another, noise aside.
    fn is_before(&self, earlier: i64, later: i64) -> bool {
        earlier.saturating_add(self.tolerance) < later
    }

    fn judged(&mut self, check: Check, count: usize) {
        self.counts[check as usize].0 += count as u64;
    }

    fn violation(
        &mut self,
        check: Check,
        at_ns: i64,
        blocks: Vec<BlockRef>,
        waits_for: Option<(usize, usize)>,
        sentence: impl FnOnce(&Named<'r>) -> String,
    ) {
        let failed = &mut self.counts[check as usize].1;
        *failed += 1;
        if *failed <= MOST_NAMED {
            self.violations.push(Violation { check, at_ns, blocks, waits_for, sentence: sentence(&self.named) });
        }
    }

    fn unjudged(&mut self, rules: &'static str, why: impl Into<String>) {
        self.unjudged.push(Unjudged { rules, why: why.into() });
    }

    fn finish(mut self) -> Conformance {
        self.violations.sort_by_key(|v| (v.at_ns, v.check));
        let judged = Check::ALL.iter().zip(&self.counts).filter(|(_, (made, _))| *made > 0);
        let judged = judged.map(|(&check, &(count, violations))| Judged { check, count, violations }).collect();
        Conformance { violations: self.violations, judged, unjudged: self.unjudged, assumptions: self.assumptions }
    }
}
