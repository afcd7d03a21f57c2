//! One task set under EDF with full, limited and no preemption.
//!
//! Depends on its parent. Source: [LP] section IV and Table II (greatest switch costs: 434 µs
//! with the registers and local memory of running blocks, 44 µs without); the task set is ours.

use super::{Example, at};

const GROUP: &str = "[LP] full, limited and no preemption";

pub(super) static ALL: [Example; 3] = [
    Example {
        group: GROUP,
        id: "lp-thread",
        title: "Full preemption",
        source: "[LP] Table II; task set ours",
        text: "A short task (2 ms every 10, due after 5) and a long one (15 rounds of blocks of 2 ms every 40). With full preemption the \
               short job interrupts blocks in the middle, so their registers and local memory have to be saved: 434 µs for each switch. \
               Short is always in time. Long would be as well, with 2 ms to spare, but for seven switches.",
        json: include_str!("lp-thread.json"),
        bookmarks: &[
            at(10_000_000, "Interrupted at once", "Short's second job arrives. Long's four blocks are suspended and the switch has begun."),
            at(10_434_000, "Short runs", "434 µs later short is resident. It will be complete at 12.434 ms, due at 15 ms."),
            at(
                12_868_000,
                "Long goes on",
                "Another 434 µs to return. Of the 10 ms between two releases of short 0.868 ms go to the switches.",
            ),
            at(
                41_038_000,
                "Long is late",
                "Long is complete 1.038 ms after its deadline. Its 30 ms and short's 8 ms would have fitted into 40 ms, \
                 the switches do not.",
            ),
        ],
    },
    Example {
        group: GROUP,
        id: "lp-block",
        title: "Limited preemption",
        source: "[LP] section IV and Table II; task set ours",
        text: "The same tasks, but a process is left only between blocks: the SMs drain first. A block that has ended leaves nothing to \
               save, so a switch costs 44 µs. Short may have to wait for a round of long's blocks, 2 ms at most, and everything is in \
               time.",
        json: include_str!("lp-block.json"),
        bookmarks: &[
            at(
                10_000_000,
                "Draining",
                "Short's second job arrives. Long gets no new blocks, and the four that run go on until they end, here in 44 µs.",
            ),
            at(
                10_044_000,
                "A cheap switch",
                "The SMs are empty and the switch has begun. No block is in the middle, so there are no registers to save.",
            ),
            at(12_132_000, "Long goes on", "Short was complete at 12.088 ms, and long's next blocks start after 44 µs."),
            at(38_308_000, "Both in time", "Long is complete 1.7 ms before its deadline."),
        ],
    },
    Example {
        group: GROUP,
        id: "lp-none",
        title: "No preemption",
        source: "[LP] sections II-B, IV and Table II; task set ours",
        text: "The same tasks, and a job once chosen keeps the GPU to its end. There are few switches, 44 µs each, but short has to wait \
               for all of a long job: three of its four jobs are late. Each job here is one kernel, so the mode kernel (engines pause \
               after the running kernel, as on the GPUs that the paper measured) gives the same times.",
        json: include_str!("lp-none.json"),
        bookmarks: &[
            at(
                10_000_000,
                "Short has to wait",
                "Short's second job has the earlier deadline, but long was chosen at 2 ms and keeps the GPU.",
            ),
            at(15_000_000, "Late already", "Short's second job reaches its deadline without having started."),
            at(32_044_000, "Long is done", "Long is complete, 8 ms early. Three jobs of short are waiting."),
            at(36_088_000, "Three late ones", "Two of them are complete by now, both late, and the third, due at 35 ms, runs."),
        ],
    },
];
