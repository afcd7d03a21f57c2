//! The experiments of [TX2] Tables 1 to 5, in one address space.
//!
//! Depends on its parent. Source: [TX2] sections 3 and 4 and appendix B.

use super::{Example, at};

/// What the page begins with, so it comes with the page.
pub(super) static FIRST: Example = Example {
    group: "[TX2] one address space",
    id: "tx2-table-1",
    title: "Table 1: the basic rules",
    source: "[TX2] Table 1, Figs. 3 and 4",
    text: "Two CPU tasks share the GPU through three streams. Watch how kernels queue twice, first in their stream and then \
               in the one EE queue, and how the head of the EE queue holds up everyone behind it: K4 would fit beside K1 from its \
               launch on and still waits for 0.8 s. Later the single copy engine becomes the bottleneck. The bookmarks are the \
               five insets of Fig. 4; our time 0 is the end of initialisation, so the paper's axis reads about 0.3 s more.",
    json: include_str!("tx2-table-1.json"),
    bookmarks: &[
        at(
            800_000_000,
            "(a) K1 in the way",
            "Four of K1's six blocks fill the threads of both SMs to the point where no fifth block of 768 fits. So K1 stays \
                 at the head of the EE queue with K4 and K5 lined up behind it, although two blocks of K4 would fit on each SM \
                 (X1). S1 holds K1, K2, C2o, C3i, K3 and C3o, S2 holds K4, S3 holds K5 and C5o. No copy is at the head of a \
                 stream, so the CE queue and the copy engine have nothing to do.",
        ),
        at(
            1_800_000_000,
            "(b) K5 short of shared memory",
            "K1's last two blocks and all four of K4 run, so both kernels have left the EE queue but still head S1 and S2. K5 \
                 is now first in the EE queue. There are threads enough for it, but K4's blocks hold all 64 KiB of shared memory \
                 of either SM (R3).",
        ),
        at(
            2_700_000_000,
            "(c) K5 and K2 run",
            "K1 and K4 are done. Each SM runs one block of K5 and one of K2, and the EE queue is empty. S2 is empty too. C2o \
                 waits behind K2 in S1 and C5o behind K5 in S3, because a stream goes strictly in order.",
        ),
        at(
            3_020_000_000,
            "(d) two copies, one engine",
            "K5 and K2 ended together. The paper has no rule for that; ours lets K5 count first, as it was assigned first. So \
                 C5o was first in the CE queue and holds the copy engine until 3.2 s. C2o waits in the CE queue, and C3i, K3 and \
                 C3o wait behind it in S1. K6, launched at 2.8 s, found S2 and the EE queue empty and runs beside the copies; S1 \
                 and S3 held seven operations then.",
        ),
        at(
            3_700_000_000,
            "(e) all dispatched",
            "K3 and K6 run with all their blocks, one of each on either SM. Their output copies C3o and C6o cannot move before \
                 them in S1 and S2, so EE queue, CE queue and copy engine are all empty. S3 is finished.",
        ),
    ],
};

/// The other ones.
pub(super) static OTHERS: [Example; 4] = [
    Example {
        group: "[TX2] one address space",
        id: "tx2-table-2",
        title: "Table 2: the NULL stream",
        source: "[TX2] Table 2, Fig. 5",
        text: "K2 and K5 go to the NULL stream, which waits for everything launched before it and holds back everything launched \
               after it. Six kernels that could have shared the GPU run one after the other. Compare how much of the SMs \
               stays empty, and how long K6 waits for no resource at all.",
        json: include_str!("tx2-table-2.json"),
        bookmarks: &[
            at(
                900_000_000,
                "Only K1 in the EE queue",
                "All six kernels have been launched. K2 heads the NULL stream but may not move on before K1 is complete (N1). K3 \
                 and K6 head S2 and S3, and K4 stands behind K3; none may pass K2 (N2). K1 alone is in the EE queue.",
            ),
            at(
                2_500_000_000,
                "K2 alone",
                "K1 has ended and K2's single block has an otherwise empty GPU to itself. K3 and K6, which would fit beside it, are \
                 held in their streams by N2.",
            ),
            at(
                3_500_000_000,
                "K3 alone",
                "With K2 gone, K5 heads the NULL stream. K3 was launched before it and runs. K6 was launched after it and goes on \
                 waiting (N2); K5 itself waits for K3 and then K4 (N1).",
            ),
            at(
                5_500_000_000,
                "K5 alone",
                "S1 and S2 are empty and K6 was launched later, so K5 has its turn, alone. K6 can run only when it is complete, 5.2 s \
                 after its launch.",
            ),
        ],
    },
    Example {
        group: "[TX2] one address space",
        id: "tx2-table-3",
        title: "Table 3: starvation by priority",
        source: "[TX2] Table 3, Fig. 6",
        text: "K1 sits in a low-priority stream and has half of its blocks running when two high-priority kernels arrive. Running \
               blocks are never stopped, but each time threads become free the high-priority EE queue is served first. K1's other \
               four blocks start only after K2 and K3 have had all of theirs.",
        json: include_str!("tx2-table-3.json"),
        bookmarks: &[
            at(
                300_000_000,
                "K2 waits for threads",
                "K1 runs four blocks of 1024 threads, which is every thread of both SMs, and stays in the low EE queue with four to \
                 go. K2 is alone in the high EE queue: first in line, but nothing runs out before 0.5 s (R2).",
            ),
            at(
                500_000_000,
                "K2 overtakes K1",
                "K1's four blocks have ended. All the freed threads went to K2 because the high EE queue comes first (A2). K3, just \
                 launched, is second in the high EE queue (X1). K1 is still at the head of the low one.",
            ),
            at(2_500_000_000, "K3 follows", "K2 is complete and K3 takes its place. For K1 nothing has changed in two seconds."),
            at(
                4_500_000_000,
                "K1 at last",
                "Both high-priority kernels are complete and the high EE queue is empty, so K1's other four blocks start, four seconds \
                 after its first ones ended.",
            ),
        ],
    },
    Example {
        group: "[TX2] one address space",
        id: "tx2-table-4",
        title: "Table 4: two priorities, not three",
        source: "[TX2] Table 4, Fig. 7",
        text: "Is a stream without a priority above or below one of low priority? K2 has none, K1 and K4 are low, K3 is high. Only K3 \
               overtakes; the others run in the order of their launches, so no priority and low priority are one and the same.",
        json: include_str!("tx2-table-4.json"),
        bookmarks: &[
            at(
                400_000_000,
                "One high, two low",
                "K1 holds all threads with four of its eight blocks. K3 waits alone in the high EE queue, while K2, whose stream has \
                 no priority, stands behind K1 in the low one.",
            ),
            at(
                1_300_000_000,
                "K3 went first",
                "K3 was preferred at 0.5 s, and again at 1.0 s for its second four blocks. The low EE queue now reads K1, K2, K4: the \
                 order of launch.",
            ),
            at(
                1_500_000_000,
                "K1 goes on, not K2",
                "With K3 complete, K1's remaining four blocks run. If no priority ranked above low, K2 would have had this place.",
            ),
            at(
                2_000_000_000,
                "K2 before K4",
                "K2 takes its turn, with K4 behind it in the same EE queue. If no priority ranked below low, K4 would be running.",
            ),
        ],
    },
    Example {
        group: "[TX2] one address space",
        id: "tx2-table-5",
        title: "Table 5: no cutting ahead",
        source: "[TX2] Table 5, Fig. 8",
        text: "Can small low-priority kernels keep a large high-priority one out for ever by taking each gap as it opens? Seven small \
               kernels leave 512 threads free on one SM. K8 is high and needs 1024 on a single SM, K9 is low and would fit at once. \
               K9 has to wait until K8 has been placed.",
        json: include_str!("tx2-table-5.json"),
        bookmarks: &[
            at(
                750_000_000,
                "K9 fits but waits",
                "Seven blocks of 512 threads leave 512 free on SM 1. That is too little for K8 (R2), and K9, which needs just that, may \
                 not pass the high EE queue (A2).",
            ),
            at(
                1_050_000_000,
                "Free, but not on one SM",
                "K1 has ended on SM 0, so 512 threads are free on each SM. Together that would be enough for K8, but a block lives on \
                 one SM only. K9 still waits behind it.",
            ),
            at(
                1_100_000_000,
                "K8, then K9",
                "K2 has ended on SM 1, where 1024 threads were free at last: K8 took them. That emptied the high EE queue, and in the \
                 same instant K9 took the 512 threads of SM 0.",
            ),
        ],
    },
];
