//! The same two kernels from two tasks and from two processes.
//!
//! Depends on its parent. Source: [TX2] appendix A, Figs. 9 and 10. The paper gives neither block
//! times nor block counts of its Mandelbrot kernels; ours are 48 blocks of 10.2 to 12.08 ms.

use super::{Example, at};

const GROUP: &str = "[TX2] tasks and processes";

pub(super) static ALL: [Example; 4] = [
    Example {
        group: GROUP,
        id: "tx2-fig-9-tasks",
        title: "Fig. 9: two tasks",
        source: "[TX2] appendix A, Figs. 9 and 10",
        text: "Two CPU tasks of one process launch the same large kernel at the same instant, 48 blocks of 512 threads each. Eight blocks \
               at a time fill the GPU. All blocks of K1 are assigned before the first of K2, and a block that has begun runs to its end \
               without a break: block times are execution times. Compare with the next example, where only the address spaces differ. \
               Block counts and times are ours; the paper does not give them.",
        json: include_str!("tx2-fig-9-tasks.json"),
        bookmarks: &[
            at(
                5_000_000,
                "K1 fills the GPU",
                "Eight blocks of K1 hold all 4,096 threads. K2 is second in the EE queue and has nothing on the SMs (X1).",
            ),
            at(
                66_000_000,
                "From K1 to K2",
                "All of K1's blocks have been assigned. One of them has ended, and a block of K2 has taken its place. Only about \
                 now do both kernels have threads on the GPU, and together they never have more than it holds.",
            ),
            at(100_000_000, "K2 alone", "K1 ended at 66.96 ms. K2 has the GPU to itself until 133.92 ms."),
        ],
    },
    Example {
        group: GROUP,
        id: "tx2-fig-9-processes",
        title: "Fig. 9: two processes",
        source: "[TX2] appendix A, Figs. 9 and 10",
        text: "The same two kernels from two processes. Each process sees the GPU as its own, and every 2 ms the other one has its turn: \
               running blocks are suspended and keep their place. Whoever measures only when a block began and ended, as the paper's \
               kernels do, finds 8,192 threads on a GPU that holds 4,096, and block times more than twice those of the tasks, at the \
               median and at the worst. Both kernels end late, because neither was done before the other. Timeslice (2 ms) and switch cost \
               (50 µs) are ours.",
        json: include_str!("tx2-fig-9-processes.json"),
        bookmarks: &[
            at(1_000_000, "P1's first timeslice", "Eight blocks of K1 run. K2 has been launched too, but its process is not resident."),
            at(
                2_000_000,
                "The timeslice expires",
                "K1's blocks are suspended where they are and the switch to P2 has begun. Until 2.05 ms nothing executes.",
            ),
            at(
                2_050_000,
                "Twice the GPU",
                "P2 is resident and finds all SMs empty: eight blocks of K2 start, while eight of K1 are half done. Each process now \
                 appears to have 4,096 threads on the GPU.",
            ),
            at(5_000_000, "Turn by turn", "P1 is resident again since 4.1 ms, and its blocks go on with the time they had left."),
            at(
                136_000_000,
                "Both nearly done",
                "The last blocks of both kernels are on the SMs. As a task, the first kernel would have been done at about half this time.",
            ),
        ],
    },
    Example {
        group: GROUP,
        id: "tx2-process-priorities",
        title: "Stream priorities across processes",
        source: "[TX2] appendix A",
        text: "The two processes again, now with a low-priority stream in P1 and a high-priority one in P2. Compare any instant with the \
               example before: nothing has changed. A stream's priority orders kernels inside its own process, and the runlist knows \
               nothing of it. Set the policy to priority, which treats both as tasks of one process, and K2 overtakes K1.",
        json: include_str!("tx2-process-priorities.json"),
        bookmarks: &[
            at(1_000_000, "Low goes first", "P1 was first in the runlist, so its low-priority kernel runs and the high one waits."),
            at(2_050_000, "P2's turn", "P2 is resident because P1's timeslice has expired, as without priorities."),
            at(
                5_000_000,
                "P1's turn again",
                "The high-priority kernel is suspended in the middle of its blocks, for the low-priority one of the other process.",
            ),
        ],
    },
    Example {
        group: GROUP,
        id: "tx1-processes",
        title: "TX1: two processes, block by block",
        source: "[TX2] appendix A, on the TX1",
        text: "On the TX1 the GPU changes processes between thread blocks only. At the end of its timeslice a process gets no new blocks, \
               and when those that run have ended the other process takes over. Kernels of different processes never run together, no \
               block is ever suspended, and block times are those of the tasks. The price is that a turn of 2 ms lasts as long as a block, \
               and that SMs empty one block at a time.",
        json: include_str!("tx1-processes.json"),
        bookmarks: &[
            at(
                2_000_000,
                "The drain begins",
                "P1's timeslice is over and P2 has work. K1's eight blocks go on, but no further ones will be assigned.",
            ),
            at(
                11_000_000,
                "A block has ended",
                "One of K1's blocks is done. Its threads stay free: P1 is draining, and P2 may not start before the drain ends.",
            ),
            at(13_000_000, "P2's turn", "All eight blocks have ended and K1's others wait. Eight blocks of K2 run."),
        ],
    },
];
