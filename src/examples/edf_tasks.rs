//! Small task sets that show what the deadline scheduler of [EDF] does.
//!
//! Depends on its parent. Source: [EDF] section IV (rules); the task sets are ours.

use super::{Example, at};

const GROUP: &str = "[EDF] servers and dependencies";

pub(super) static ALL: [Example; 3] = [
    Example {
        group: GROUP,
        id: "edf-inheritance",
        title: "A producer inherits a deadline",
        source: "[EDF] section IV-A; task set ours",
        text: "A detector with a deadline of 10 ms needs the camera's picture, and the camera itself has time until 30 ms. In between \
               comes a display due at 15 ms. By its own deadline the camera would be interrupted for the display from 1 to 6 ms and be \
               done at 9 ms, too late for the detector, which needs 2 ms more. So the camera inherits the deadline of the job that waits \
               for it.",
        json: include_str!("edf-inheritance.json"),
        bookmarks: &[
            at(
                0,
                "The camera first",
                "The detector has the earliest deadline but waits for the camera's job. The camera is scheduled with the detector's \
                 deadline, 10 ms, instead of its own.",
            ),
            at(
                1_000_000,
                "The display has to wait",
                "The display's job arrives with the deadline 15 ms. That is earlier than the camera's own 30 ms, but later than the \
                 10 ms it has inherited.",
            ),
            at(4_000_000, "The detector follows", "The picture is there, and the detector's kernel moves on."),
            at(6_000_000, "Detected in time", "The detector is complete, 4 ms before its deadline. Now the display has its turn."),
            at(11_000_000, "All in time", "The display is complete at 11 ms, due at 15 ms."),
        ],
    },
    Example {
        group: GROUP,
        id: "edf-overrun-cbs",
        title: "A budget overrun, with servers",
        source: "[EDF] section IV, constant bandwidth server; task set ours",
        text: "The task rogue says it needs 2 ms in 8 and takes 7. The task good needs 6 ms in 12 and keeps to it. Each has a server: when \
               rogue's 2 ms are used up its deadline is put off by a period, and so it can never take more than its share from good, which \
               is always in time. Compare with the next example, the same without servers.",
        json: include_str!("edf-overrun-cbs.json"),
        bookmarks: &[
            at(
                2_000_000,
                "The budget is used up",
                "Rogue had the earlier deadline, 8 ms, and has run for 2 ms. Its server now stands at 16 ms, so good with \
                 12 ms goes first.",
            ),
            at(
                8_000_000,
                "Good is in time",
                "Good is complete, 4 ms early. Rogue's first job goes on with what is left of it; its second job, released now, waits.",
            ),
            at(
                12_000_000,
                "Put off twice more",
                "Rogue has used two more budgets since 8 ms and its server stands at 32 ms. Good's second job is due at 24 ms and runs.",
            ),
            at(
                19_000_000,
                "Rogue is late, good is not",
                "Rogue's first job is complete, 11 ms after its own deadline. The task that was wrong about its needs has to pay for it.",
            ),
        ],
    },
    Example {
        group: GROUP,
        id: "edf-overrun-plain",
        title: "A budget overrun, without servers",
        source: "[EDF] section IV; task set ours",
        text: "The same two tasks under plain EDF, which believes every deadline. Rogue takes 7 ms instead of the 2 it asked for and \
               nobody stops it, so good is late in every job. Switch the servers (CBS) on to protect it.",
        json: include_str!("edf-overrun-plain.json"),
        bookmarks: &[
            at(2_000_000, "Nobody stops rogue", "Its 2 ms are over, but its deadline of 8 ms is still the earliest."),
            at(7_000_000, "Good starts late", "Rogue is complete, 1 ms before its deadline. Good has 5 ms left for its 6 ms of work."),
            at(12_000_000, "Good is late", "Good's deadline has come and a millisecond is missing. Its second job is released already."),
            at(
                26_000_000,
                "Late again",
                "Good's second job is complete 2 ms after its deadline. Rogue, late as well by now, begins its third.",
            ),
        ],
    },
];
