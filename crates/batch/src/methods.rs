//! The methods of [MT] as switches: each changes the commands that schedulers issue.
//!
//! Depends on serde. Invariant: a switch that does not concern a scheduler or a GPU changes
//! nothing there. Source: [MT] sections 5 and 7.

use serde::{Deserialize, Serialize};

blockstep_sim::listed! {
    /// A method, by its name in [MT] where it has one.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case")]
    pub enum Method(word, from_word) {
        /// A stream for each operation of a task, begun with a dummy command, so that events land in the
        /// queue that they belong to.
        SetEventQueue = "set-event-queue",
        /// A stream query, so that the host sees what kernels write into zero-copy memory.
        FlushZero = "flush-zero",
        /// Kernels count their finished threads, which tells when they end.
        #[serde(rename = "atmCnt-kernel")]
        AtmCntKernel = "atmCnt-kernel",
        /// The stop event of the kernel that ends first is recorded on its output copy's stream.
        #[serde(rename = "atmCnt-CPUsched")]
        AtmCntCpuSched = "atmCnt-CPUsched",
        /// TX1: dummy events on the default stream before and after each batch.
        DummyEvents = "dummy-events",
        /// TX1: no polling, so no dynamic order either.
        NoPolling = "no-polling",
        /// TX1: no stop events of kernels; output copies go to the kernels' streams.
        NoStopEvents = "no-stop-events",
    }
}

impl Method {
    /// What `CPUOrder` relies on to learn which kernel ends first, and to make use of it at once.
    pub const ORDER: [Self; 4] = [Self::SetEventQueue, Self::FlushZero, Self::AtmCntKernel, Self::AtmCntCpuSched];

    /// What it does and why, a sentence.
    #[must_use]
    pub const fn says(self) -> &'static str {
        match self {
            Self::SetEventQueue => {
                "Each operation of a task has its own stream, which begins with a dummy command. So events of copies are in a copy queue and events of kernels in an execution queue."
            }
            Self::FlushZero => "A stream query lets the host see what kernels write into zero-copy memory before the whole device is done.",
            Self::AtmCntKernel => {
                "Kernels count their finished threads, so the host learns which kernel ended without a query that blocks the others."
            }
            Self::AtmCntCpuSched => {
                "The stop event of the kernel that ends first is recorded on its output copy's stream, where no delayed signal of a \
                 kernel holds it back."
            }
            Self::DummyEvents => {
                "A dummy event on the default stream before and after each batch prevents the misplaced events that follow a blocked host."
            }
            Self::NoPolling => {
                "The host does not poll, because events after polling would be misplaced. Output copies then stay in the order in which \
                 they are issued."
            }
            Self::NoStopEvents => {
                "Kernels have no stop events, because these would wait for each other in the shared queue. An output copy follows its \
                 kernel in the same stream."
            }
        }
    }

    /// Paper and section.
    #[must_use]
    pub const fn source(self) -> &'static str {
        match self {
            Self::SetEventQueue => "[MT] section 5.1",
            Self::FlushZero => "[MT] section 5.2",
            Self::AtmCntKernel | Self::AtmCntCpuSched => "[MT] section 5.3",
            Self::DummyEvents => "[MT] section 7 (1)",
            Self::NoPolling => "[MT] section 7 (2)",
            Self::NoStopEvents => "[MT] section 7 (3)",
        }
    }

    /// Whether it does anything on TX1 alone.
    #[must_use]
    pub const fn is_for_tx1(self) -> bool {
        matches!(self, Self::DummyEvents | Self::NoPolling | Self::NoStopEvents)
    }
}

/// Which methods are in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Methods([bool; Method::ALL.len()]);

impl Methods {
    /// All of them, as the schedulers of [MT] use them.
    pub const ALL: Self = Self([true; Method::ALL.len()]);
    /// None of them.
    pub const NONE: Self = Self([false; Method::ALL.len()]);

    /// Whether one is in use.
    #[must_use]
    pub const fn has(self, method: Method) -> bool {
        self.0[method as usize]
    }

    /// The same with one switched on or off.
    #[must_use]
    pub const fn with(mut self, method: Method, on: bool) -> Self {
        self.0[method as usize] = on;
        self
    }

    /// The same with some switched on.
    #[must_use]
    pub fn and(self, methods: &[Method]) -> Self {
        methods.iter().fold(self, |all, method| all.with(*method, true))
    }
}

impl Default for Methods {
    fn default() -> Self {
        Self::ALL
    }
}
