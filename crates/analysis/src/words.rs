//! What a test supposes, and why what fails it may do well, in sentences.
//!
//! Depends on `sweep`. Invariant: for every test there is an answer to both.

use super::sweep::Test;
use blockstep_sim::scenario::{Preemption, SwitchCharge};

impl Test {
    /// What has to hold for the verdict to hold.
    #[must_use]
    pub const fn assumes(&self) -> &'static str {
        match self {
            Self::Edf(edf) => match edf.preemption {
                Preemption::Thread => {
                    "One task uses the whole GPU at a time. Deadlines equal periods, and release times are arbitrary. A job may be \
                     preempted at once. Each job pays for two switches: one to it and one back to the job that it preempted. A \
                     utilization of exactly 1, including the charges, passes."
                }
                Preemption::Block => {
                    "As for preemptive EDF, but a job yields only where a work-group ends. Draining costs only time, because all SMs \
                     finish together. The test checks the instants before the longest period, so it also decides a utilization of exactly \
                     1."
                }
                Preemption::Kernel => {
                    "As for preemptive EDF, but a kernel that has started runs to completion. A job may be a single kernel, so the test \
                     assumes that a job blocks others for its whole execution time."
                }
                Preemption::None => {
                    "As for preemptive EDF, but a job that has started runs to completion and pays for one switch. The published numbers \
                     count blocking by the cost without switches, which leaves out the switch of the blocking job."
                }
            },
            Self::EdfDelay { .. } => {
                "Preemptive EDF with deadlines shortened by the overhead, so the overhead is paid once and not by each job. At a \
                 utilization of exactly 1, no slack bounds the search. If the search then ends without a verdict, the set counts as \
                 failed."
            }
            Self::EdfRun(_) => {
                "Not a proof: one run of preemptive EDF in which all tasks are released together and each preemption has a cost. A set \
                 passes if it meets every deadline until the end of the run."
            }
            Self::SignalRun(_) => {
                "Not a proof: one run of preemptive EDF in which all tasks are released together. The RunList Manager learns by a signal \
                 that a job has work, and by another one that it is complete. Until that arrives the GPU idles. Each takes its time; \
                 switches and runlists are free. A set passes if it meets every deadline until the end of the run."
            }
            Self::SwitchRun(_) => {
                "Not a proof: one run of non-preemptive EDF in which all tasks are released together and every switch to another task takes \
                 its time. Where a switch has an average and a maximum, it is drawn: 0.3 % of the switches are in the tail. A set passes if \
                 it meets every deadline until the end of the run."
            }
            Self::RunlistBound(runlist) => match runlist.charge {
                SwitchCharge::Every => {
                    "[EDF] Theorem 1, a bound. Every task is at the highest interleaving level, in its own process, and is preempted at \
                     once when its timeslice expires. One task of a lower level runs between two of its turns. Every switch is charged: \
                     one to each other task in between, and one back."
                }
                SwitchCharge::Expiries => {
                    "Equation 3 of [EDF] as printed; not a bound if switches have a cost. It charges one switch for each expiry of the \
                     task's own timeslice and none after the timeslices of others, so a set that passes may miss \
                     deadlines."
                }
            },
            Self::RunlistRun(runlist) => match runlist.charge {
                SwitchCharge::Every => {
                    "Not a proof: the schedule for the case of [EDF] Theorem 1. The task is released just after its entry was checked, \
                     while all other tasks wait. The other tasks are released again after each period. Every switch is charged."
                }
                SwitchCharge::Expiries => {
                    "Not a proof: the schedule for the case of [EDF] Theorem 1. The task is released just after its entry was checked, \
                     while all other tasks wait. The other tasks are released again after each period. As in section VI-C, a switch is \
                     charged if a timeslice expires and its process has work left; leaving without work is free."
                }
            },
        }
    }

    /// Why a set that fails may meet every deadline when it is simulated.
    #[must_use]
    pub const fn why_it_may_do_well(&self) -> &'static str {
        match self {
            Self::Edf(_) => {
                "The test assumes the worst release times and charges every job for all switches that it could cause. In this run the \
                 tasks are released together, and a job that preempts no other job costs less."
            }
            Self::EdfDelay { .. } => {
                "The test shortens every deadline by the overhead. This run has the shorter deadlines too, and it may happen to meet them."
            }
            Self::EdfRun(_) => "The test charges preemptions only. This run charges every switch, and some of them at other instants.",
            Self::SwitchRun(_) | Self::SignalRun(_) => "The test is this run, for as long as the study says.",
            Self::RunlistBound(_) => {
                "The bound lets every other task return as soon as it is done. In this run each task returns after its period."
            }
            Self::RunlistRun(runlist) => match runlist.charge {
                SwitchCharge::Every => "The first switch of this run is free, and the task is released 1 ns after its entry was checked.",
                SwitchCharge::Expiries => "The task is released 1 ns after its entry was checked.",
            },
        }
    }
}
