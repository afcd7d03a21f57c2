//! The example trace, "Your first trace", and a walk through it.
//!
//! The trace is made by hand: a step of training on an A100, with one wait of each common cause. Invariant: a stop that names an
//! operation is about the one with that index.

/// The file, as the PyTorch profiler would write it.
pub const FILE: &str = include_str!("first-trace.json");
/// Its size.
pub const FILE_BYTES: u64 = FILE.len() as u64;
/// What it is called.
pub const NAME: &str = "Your first trace";

/// A stop of the walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The operation that it is about: its index and its name.
    pub about: Option<(u32, &'static str)>,
    /// What to see there.
    pub text: &'static str,
}

const fn stop(operation: u32, name: &'static str, text: &'static str) -> Stop {
    Stop { about: Some((operation, name)), text }
}

/// The walk.
pub const STOPS: [Stop; 7] = [
    Stop {
        about: None,
        text: "This is a step of training, made up for this walk. The answer comes first: where the GPU's time went. \
               The timeline below has the host's calls on top, then the critical path, then one lane per stream.",
    },
    stop(
        2,
        "gemm_forward",
        "gemm_forward was called early and waited for what stands before it in its stream: embedding_forward, and that for the copy. The \
         file has calls, starts and ends, so this is certain. The chain in the card below leads from cause to cause to the root.",
    ),
    stop(
        3,
        "softmax",
        "softmax has a stream of its own. But that stream was told to wait for an event after gemm_forward, and the file has the record. \
         So this is certain too.",
    ),
    stop(
        4,
        "all_reduce_send",
        "all_reduce_send depends on nothing and needs few blocks. But gemm_forward fills the GPU four times over, and its blocks go first. \
         Then no SM has room. This is consistent with the file, and not proven: a trace has no times of blocks. Try changes in the card: \
         what if gemm_forward were two kernels?",
    ),
    stop(
        5,
        "accuracy",
        "accuracy went to the NULL stream, so it waits for all earlier work of the blocking streams. A framework that launches one \
         kernel there makes streams take turns.",
    ),
    stop(
        6,
        "gemm_backward",
        "gemm_backward was called after accuracy. Its stream is blocking, so it waits for the NULL stream in turn, although it does not \
         need the accuracy.",
    ),
    stop(
        7,
        "optimizer_step",
        "optimizer_step started right after its call. Before that the GPU was idle for a millisecond, because the host was busy with \
         something else. No change on the GPU helps here. Now open a trace of your own.",
    ),
];
