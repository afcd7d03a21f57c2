//! What is said of a policy, and which settings of a scenario it looks at.
//!
//! Depends on `scenario`. Invariant: nothing here decides anything; a policy's own file fills it in.

use crate::scenario::PolicyKind;

/// What the page, the command line and the formats know of a policy. Whether processes take turns under it says
/// [`PolicyKind::turns`], as scenarios are checked by that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// Its word in scenario files is the kind's.
    pub kind: PolicyKind,
    /// Its name on a button: `FIFO`, `Priority`.
    pub title: &'static str,
    /// Its name in a sentence: `FIFO`, `priority`.
    pub name: &'static str,
    /// What it does, in a line without a full stop: for tooltips and the command line's help.
    pub help: &'static str,
    /// The settings that make a difference under it.
    pub uses: &'static [Setting],
}

impl About {
    /// Whether a setting makes a difference under this policy.
    #[must_use]
    pub fn uses(&self, setting: Setting) -> bool {
        self.uses.contains(&setting)
    }
}

crate::listed! {
    /// A setting of a scenario that not every policy looks at.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Setting {
        /// What a switch to another process costs.
        SwitchCost,
        /// Which switches cost it.
        SwitchCharge,
        /// What a message to the RunList Manager takes.
        Signals,
        /// What the RunList Manager takes to submit a runlist.
        RunlistUpdate,
        /// Which processes are on a runlist together.
        Chain,
        /// How long a process may drain.
        Watchdog,
        /// Constant bandwidth servers, on or off.
        Servers,
        /// The preemption mode of the device.
        Preemption,
        /// A process's share of the runlist.
        Interleave,
        /// How many channels a process has.
        Channels,
        /// A process's timeslice.
        Timeslice,
        /// A process's own preemption mode.
        ProcessPreemption,
        /// Whether a task is real-time or best effort.
        Class,
        /// The budget of a task's server.
        Budget,
        /// The rank of a best-effort task.
        Rank,
        /// How long a graphics task runs on to the end of a pixel.
        PixelLatency,
        /// Which batch of its task a row is in.
        Batch,
        /// The text of a policy of one's own.
        Text,
        /// How long a task takes to wake up after a job.
        Wake,
        /// The priority of a stream.
        StreamPriority,
    }
}

impl Setting {
    /// Where a scenario file has it: the object or table, and the field.
    #[must_use]
    pub const fn place(self) -> (&'static str, &'static str) {
        match self {
            Self::SwitchCost => ("policy", "switch_cost_ns"),
            Self::SwitchCharge => ("policy", "switch_charge"),
            Self::Signals => ("policy", "signal_ns"),
            Self::RunlistUpdate => ("policy", "runlist_ns"),
            Self::Chain => ("policy", "chain"),
            Self::Watchdog => ("policy", "watchdog_ns"),
            Self::Servers => ("policy", "cbs"),
            Self::Preemption => ("policy", "preemption"),
            Self::Interleave => ("processes", "interleave"),
            Self::Channels => ("processes", "channels"),
            Self::Timeslice => ("processes", "timeslice_ns"),
            Self::ProcessPreemption => ("processes", "preemption"),
            Self::Class => ("tasks", "class"),
            Self::Budget => ("tasks", "budget_ns"),
            Self::Rank => ("tasks", "priority"),
            Self::PixelLatency => ("tasks", "pixel_latency_ns"),
            Self::Batch => ("kernels", "batch"),
            Self::Text => ("policy", "text"),
            Self::Wake => ("tasks", "wake_ns"),
            Self::StreamPriority => ("streams", "priority"),
        }
    }
}
