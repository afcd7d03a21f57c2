//! Published policies in the language, each with its source and our choices in its comments.
//!
//! Depends on nothing. gpu_ext is not among them: its policies set timeslices and levels, which the language does not.

/// A policy that is built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Example {
    /// Its name on the command line.
    pub id: &'static str,
    /// A few words.
    pub title: &'static str,
    /// Where it was published.
    pub source: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// All of them.
pub const EXAMPLES: [Example; 20] = [
    Example { id: "gcaps", title: "GCAPS, as printed", source: "ECRTS 2024, Algorithm 1", text: include_str!("examples/gcaps.policy") },
    Example {
        id: "gcaps-union",
        title: "GCAPS, its last line as a union",
        source: "ECRTS 2024, changed",
        text: include_str!("examples/gcaps-union.policy"),
    },
    Example {
        id: "gcaps-driver",
        title: "GCAPS, as in its driver",
        source: "rtenlab/gcaps-super-repo",
        text: include_str!("examples/gcaps-driver.policy"),
    },
    Example {
        id: "gcaps-driver-mended",
        title: "GCAPS, its driver with both published fixes",
        source: "rtenlab/gcaps-super-repo, mended",
        text: include_str!("examples/gcaps-driver-mended.policy"),
    },
    Example { id: "fifo-lock", title: "A FIFO lock (FMLP)", source: "RTCSA 2007", text: include_str!("examples/fifo-lock.policy") },
    Example { id: "mpcp", title: "A lock by priority (MPCP)", source: "ICDCS 1990", text: include_str!("examples/mpcp.policy") },
    Example { id: "k-exclusion", title: "k-exclusion (GPUSync)", source: "RTSS 2013", text: include_str!("examples/k-exclusion.policy") },
    Example { id: "hpf", title: "Highest priority first (XSched)", source: "OSDI 2025", text: include_str!("examples/hpf.policy") },
    Example { id: "k-edf", title: "k-EDF (XSched)", source: "OSDI 2025", text: include_str!("examples/k-edf.policy") },
    Example { id: "round-robin", title: "Round robin", source: "no single source", text: include_str!("examples/round-robin.policy") },
    Example { id: "rate-monotonic", title: "Rate monotonic", source: "JACM 1973", text: include_str!("examples/rate-monotonic.policy") },
    Example { id: "edf", title: "Earliest deadline first", source: "JACM 1973", text: include_str!("examples/edf.policy") },
    Example {
        id: "gdev-credit",
        title: "Credit of virtual GPUs (Gdev)",
        source: "USENIX ATC 2012",
        text: include_str!("examples/gdev-credit.policy"),
    },
    Example {
        id: "timegraph-ht",
        title: "TimeGraph, high throughput",
        source: "USENIX ATC 2011",
        text: include_str!("examples/timegraph-ht.policy"),
    },
    Example { id: "lottery", title: "Lottery", source: "OSDI 1994", text: include_str!("examples/lottery.policy") },
    Example { id: "reef", title: "REEF, two classes", source: "OSDI 2022", text: include_str!("examples/reef.policy") },
    Example { id: "gpreempt", title: "GPreempt", source: "USENIX ATC 2025", text: include_str!("examples/gpreempt.policy") },
    Example {
        id: "hpf-launch",
        title: "Highest priority first, kernel by kernel (XSched, level 1)",
        source: "OSDI 2025",
        text: include_str!("examples/hpf-launch.policy"),
    },
    Example { id: "orion", title: "Orion", source: "EuroSys 2024", text: include_str!("examples/orion.policy") },
    Example { id: "effisha", title: "EffiSha", source: "PPoPP 2017", text: include_str!("examples/effisha.policy") },
];

/// The one of a name.
#[must_use]
pub fn find(id: &str) -> Option<&'static Example> {
    EXAMPLES.iter().find(|example| example.id == id)
}
