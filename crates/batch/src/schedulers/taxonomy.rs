//! The taxonomy of schedulers as a tree of questions.
//!
//! Depends on the registry of schedulers. Invariant: each scheduler stands at one leaf. Source:
//! [MT] Fig. 1.

use super::SchedulerId;

/// What an answer leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Another question, by its place in [`TAXONOMY`].
    Ask(usize),
    /// A scheduler.
    Is(SchedulerId),
}

/// A question about the strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taxon {
    /// The question.
    pub question: &'static str,
    /// If not.
    pub no: Answer,
    /// If so.
    pub yes: Answer,
}

/// The questions, the root first.
pub const TAXONOMY: [Taxon; 5] = [
    Taxon { question: "Run the scheduler logic on the GPU?", no: Answer::Ask(1), yes: Answer::Ask(4) },
    Taxon { question: "Interleave data transfer and kernel execution?", no: Answer::Is(SchedulerId::CpuTraditional), yes: Answer::Ask(2) },
    Taxon { question: "Run kernels concurrently?", no: Answer::Is(SchedulerId::CpuInterleave), yes: Answer::Ask(3) },
    Taxon {
        question: "Change the issue order dynamically?",
        no: Answer::Is(SchedulerId::CpuConcurrent),
        yes: Answer::Is(SchedulerId::CpuOrder),
    },
    Taxon {
        question: "Use atomics to determine the end of a kernel?",
        no: Answer::Is(SchedulerId::GpuSynchronize),
        yes: Answer::Is(SchedulerId::GpuAtomics),
    },
];
