//! The runlist and the four applications of [EDF].
//!
//! Depends on its parent. Source: [EDF] Figs. 1 and 2a, Theorem 1, section VI-A. What the paper
//! leaves open is ours, and each text says so.

use super::{Example, at};

const GROUP: &str = "[EDF] runlist and deadlines";

pub(super) static ALL: [Example; 4] = [
    Example {
        group: GROUP,
        id: "edf-fig-1",
        title: "Fig. 1: two high, two medium",
        source: "[EDF] section III-B, Fig. 1",
        text: "Four processes with 3 ms of work each and timeslices of 1 ms. High processes stand in the runlist before every medium one: \
               H1 H2 M1 H1 H2 M2. So of six turns H1 and H2 get two each, and M1 and M2 one. When H1 and H2 are done their entries are \
               passed over at no cost, and the medium processes alternate.",
        json: include_str!("edf-fig-1.json"),
        bookmarks: &[
            at(0, "H1", "The Host begins with the first entry. All four processes have work."),
            at(2_000_000, "M1, third", "H1 and H2 have had their first timeslices and are suspended. The third entry is M1's."),
            at(3_000_000, "H1 again", "The fourth entry is H1's second. M1 has to wait for three turns, H1 had to wait for two."),
            at(5_000_000, "M2, at last", "M2 has been waiting since 0. Its only entry is the last of the list."),
            at(7_000_000, "H1 is done", "Three timeslices of H1 made 3 ms. The list has begun anew, and its second entry belongs to H2."),
            at(
                9_000_000,
                "Entries without work",
                "H1 and H2 have nothing left, so after M1 the Host passed over their two entries and found M2.",
            ),
        ],
    },
    Example {
        group: GROUP,
        id: "edf-fig-2a",
        title: "Fig. 2a: just missed",
        source: "[EDF] Fig. 2a and Theorem 1",
        text: "The worst moment for H2 to get work is just after the Host has looked at its entry. Here that is at 1 ms, and the work \
               arrives 1 ns later. H2 then waits for M1's and H1's timeslices, and once more for the same time after each timeslice of its \
               own that does not finish the job. Theorem 1: between two of its turns lie at most l = 1 ms (H1) + 1 ms (one medium process) \
               = 2 ms, its 2.5 ms take three turns of 1 ms, so the response time is at most 3 x 2 + 2.5 = 8.5 ms. The job takes 8.499999 \
               ms. With a deadline of 8 ms it is late, although it needs the GPU for 2.5 ms only.",
        json: include_str!("edf-fig-2a.json"),
        bookmarks: &[
            at(1_000_000, "Nobody at home", "H1's timeslice is over. The Host found H2's entry without work and went on to M1."),
            at(1_000_001, "Work for H2", "One nanosecond later H2's kernel is launched. The next entry of H2 is three places ahead."),
            at(3_000_000, "H2's first turn", "M1 and H1 have had a timeslice each. H2 has waited for 2 ms, all but 1 ns."),
            at(4_000_000, "Suspended", "H2's timeslice is over with 1.5 ms to go. M2 is resident, then H1 will be."),
            at(9_000_001, "Deadline", "8 ms have passed since the launch. H2 is in its third turn and has half a millisecond to go."),
            at(9_500_000, "Done", "H2's job is complete 8.499999 ms after its release, 1 ns under the bound."),
        ],
    },
    Example {
        group: GROUP,
        id: "edf-vi-a-runlist",
        title: "Section VI-A under the runlist",
        source: "[EDF] section VI-A",
        text: "Two applications with high interleaving, a sphere at 30 frames per second (deadline 32 ms) and a neural network every 40 ms \
               (deadline 4 ms), and two that draw for pleasure, a scene without end and gears at 60 frames, both low. Weston, the display \
               server, works before each frame of the sphere. Periods, deadlines, execution times (1.2 to 4 ms and 1.5 to 3 ms; 3.5 ms; \
               1.1 ms), budgets, levels and timeslices are the paper's. The rest it leaves open, and a search over it fits best with: the \
               sphere in four parts, the network in two, pauses of 50 µs between them, 0.3 ms of Weston, 150 µs a switch. Ours, too: offsets, \
               copies within the worst case, 0.5 ms of the CPU before each frame of the scene, times drawn from the average up to the worst \
               case by our skewed distribution. In these 2 s 8 of 110 real-time jobs are late, all of the network. Over ten seeds of 20 s \
               it is 5.6 % (3.8 to 8.0 %); the paper reports 5.6 %. The tour of Fig. 4 compares the rest and says how far off we are.",
        json: include_str!("edf-vi-a-runlist.json"),
        bookmarks: &[
            at(
                165_000_000,
                "The network begins",
                "Its fifth job is launched, but the scene is in its timeslice. High interleaving does not interrupt anyone: the job \
                 waits until 165.92 ms.",
            ),
            at(
                166_964_586,
                "One part to go",
                "The first part is done. The CPU launches the second one 50 µs later, and that is enough to lose the GPU: Weston, the \
                 gears and the sphere come first.",
            ),
            at(
                168_979_888,
                "The network's turn again",
                "Weston had 0.3 ms, the gears a timeslice of 1 ms, the sphere 0.12 ms, and four switches were paid. 20 µs are left for a \
                 part of 0.52 ms.",
            ),
            at(
                169_499_583,
                "Too late",
                "The network is complete 4.5 ms after its release, 0.5 ms past its deadline. It has executed for 1.56 ms.",
            ),
            at(
                172_233_076,
                "The sphere's frame is complete",
                "5.57 ms after its release, with 0.35 ms of execution: each of its four parts had to wait for a turn of its own. 32 ms \
                 are enough for that.",
            ),
        ],
    },
    Example {
        group: GROUP,
        id: "edf-vi-a-cbs",
        title: "Section VI-A under EDF with servers",
        source: "[EDF] section VI-A",
        text: "The same applications and the same jobs under EDF, with a server for either real-time task whose budget is the worst case. A \
               real-time job that arrives is chosen at once, and whatever drew for pleasure is suspended. Weston inherits the deadline of \
               the sphere, which waits for it. No real-time job is late. Greatest response times in 2 s: sphere 4.2 ms instead of 8.2, network \
               3.0 ms instead of 5.2. Over ten seeds of 20 s those under the runlist are 67 and 65 % longer; the paper reports \
               improvements of 64 and 93 %. Best effort pays: the gears, which rank last, respond after 17.2 ms on average instead of 3.3 and \
               often miss their own period; the scene gains.",
        json: include_str!("edf-vi-a-cbs.json"),
        bookmarks: &[
            at(
                165_000_000,
                "The network begins",
                "The scene is suspended at once. Under the runlist the network had to wait for the end of its timeslice.",
            ),
            at(
                166_194_206,
                "One part to go",
                "Here too the GPU goes to somebody else while the CPU prepares the second part, but as soon as the switch is over the \
                 scene has to give way.",
            ),
            at(
                167_013_901,
                "In time",
                "The network is complete after 2.01 ms. It is the job that came too late under the runlist, with the same execution times. \
                 Weston is next, with the sphere's deadline.",
            ),
            at(168_862_696, "The sphere's frame is complete", "2.2 ms after its release, where it took 5.57 ms under the runlist."),
        ],
    },
];
