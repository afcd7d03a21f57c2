//! What a test supposes, and why what fails it may do well, in sentences.
//!
//! Depends on `sweep`. Invariant: for every test there is an answer to both.

use super::sweep::Test;
use crate::scenario::{Preemption, SwitchCharge};

impl Test {
    /// What has to hold for the verdict to hold.
    #[must_use]
    pub const fn assumes(&self) -> &'static str {
        match self {
            Self::Edf(edf) => match edf.preemption {
                Preemption::Thread => {
                    "One task on the whole GPU at a time, deadlines equal to periods, any releases. A job may be preempted at once; \
                     the charge for switches covers the one to it and the one back to whom it preempted. A utilisation of exactly 1 \
                     with the charges still passes."
                }
                Preemption::Block => {
                    "As without limits on preemption, but a job gives way only where a work-group ends; draining costs nothing but time, \
                     as all SMs end together. Looks at the instants before the longest period, so a utilisation of exactly 1 is no \
                     exception."
                }
                Preemption::Kernel => {
                    "As with preemption, but a kernel once begun is completed. A job may be one kernel, so it is taken to keep others \
                     waiting for as long as it runs."
                }
                Preemption::None => {
                    "As with preemption, but a job once begun is completed, and pays for one switch. Blocking by the cost without \
                     switches, as the published numbers have it, leaves out the switch of the job that blocks."
                }
            },
            Self::EdfDelay { .. } => {
                "Preemptive EDF whose deadlines are sooner by the overhead, which is so paid for once and not for each job. At a \
                 utilisation of exactly 1 there is no slack to bound the search, and it may end without a verdict, which counts as failed."
            }
            Self::EdfRun(_) => {
                "Not a proof: one run of preemptive EDF from a release of all tasks together, with a price for each preemption. What \
                 passes has met its deadlines until the end of the run."
            }
            Self::RunlistBound(runlist) => match runlist.charge {
                SwitchCharge::Every => {
                    "[EDF] Theorem 1, a bound: every task at the highest interleaving level, in a process of its own, preempted at once \
                     when its timeslice expires; one task of a lower level between two of its slots. Every switch is paid for: to each \
                     other task in between, and back."
                }
                SwitchCharge::Expiries => {
                    "No bound where switches cost something: equation 3 of [EDF] as it is printed. It pays for one switch at each expiry \
                     of the task's own timeslice and for none after the others' timeslices, so sets that pass may miss."
                }
            },
            Self::RunlistRun(runlist) => match runlist.charge {
                SwitchCharge::Every => {
                    "Not a proof: the schedule from the case of [EDF] Theorem 1, a release just after the task's entry was checked with \
                     all others waiting, who come again after each period. Every switch is paid for."
                }
                SwitchCharge::Expiries => {
                    "Not a proof: the schedule from the case of [EDF] Theorem 1, a release just after the task's entry was checked with \
                     all others waiting, who come again after each period. As section VI-C says, a switch is paid for where a timeslice \
                     expires and its process has work left; leaving when the work is done costs nothing."
                }
            },
        }
    }

    /// Why a set that fails may meet every deadline when it is simulated.
    #[must_use]
    pub const fn why_it_may_do_well(&self) -> &'static str {
        match self {
            Self::Edf(_) => {
                "The test supposes the worst releases and charges every job the switches it could cost; in this run the tasks are \
                 released together, and jobs that preempt nobody cost less."
            }
            Self::EdfDelay { .. } => {
                "The test takes the overhead off every deadline; in this run it is the deadlines that are sooner, at times by chance met."
            }
            Self::EdfRun(_) => "The test prices preemptions only, this run every switch, and not all of them at the same instants.",
            Self::RunlistBound(_) => {
                "The bound lets every other task come again as soon as it is done; in this run they come when their periods are over."
            }
            Self::RunlistRun(runlist) => match runlist.charge {
                SwitchCharge::Every => "The first switch of this run is free, and the task comes a nanosecond after its entry was checked.",
                SwitchCharge::Expiries => "The task comes a nanosecond after its entry was checked.",
            },
        }
    }
}
