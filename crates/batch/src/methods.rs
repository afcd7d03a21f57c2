//! The methods of [MT] as switches: each changes the commands that schedulers issue.
//!
//! Depends on serde. Invariant: a switch that does not concern a scheduler or a GPU changes
//! nothing there. Source: [MT] sections 5 and 7.

use serde::{Deserialize, Serialize};

/// A method.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// A stream for each operation of a task, begun with a dummy command, so that events land in the
    /// queue that they belong to.
    SetEventQueue,
    /// A stream query, so that the host sees what kernels write into zero-copy memory.
    FlushZero,
    /// Kernels count their finished threads, which tells when they end.
    #[serde(rename = "atmCnt-kernel")]
    AtmCntKernel,
    /// The stop event of the kernel that ends first is recorded on its output copy's stream.
    #[serde(rename = "atmCnt-CPUsched")]
    AtmCntCpuSched,
    /// TX1: dummy events on the default stream before and after each batch.
    DummyEvents,
    /// TX1: no polling, so no dynamic order either.
    NoPolling,
    /// TX1: no stop events of kernels; output copies go to the kernels' streams.
    NoStopEvents,
}

impl Method {
    /// All of them, in the order of [MT].
    pub const ALL: [Self; 7] = [
        Self::SetEventQueue,
        Self::FlushZero,
        Self::AtmCntKernel,
        Self::AtmCntCpuSched,
        Self::DummyEvents,
        Self::NoPolling,
        Self::NoStopEvents,
    ];

    /// What `CPUOrder` relies on to learn which kernel ends first, and to make use of it at once.
    pub const ORDER: [Self; 4] = [Self::SetEventQueue, Self::FlushZero, Self::AtmCntKernel, Self::AtmCntCpuSched];

    /// Its name: that of [MT] where it has one. Also the spelling in files and links.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::SetEventQueue => "set-event-queue",
            Self::FlushZero => "flush-zero",
            Self::AtmCntKernel => "atmCnt-kernel",
            Self::AtmCntCpuSched => "atmCnt-CPUsched",
            Self::DummyEvents => "dummy-events",
            Self::NoPolling => "no-polling",
            Self::NoStopEvents => "no-stop-events",
        }
    }

    /// The one with this spelling.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.word() == word)
    }

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
