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
        text: "Four applications: a sphere at 30 frames per second (deadline 32 ms) and a neural network every 40 ms (deadline 4 ms), both \
               with high interleaving, and two that draw for pleasure, a scene without end and gears at 60 frames, both low. Periods, \
               deadlines, execution times (1.2 to 4 ms and 1.5 to 3 ms; 3.5 ms; 1.1 ms), levels and timeslices are the paper's. Ours: the \
               sphere is drawn in seven passes (six faces of its reflection, then the picture), each launched 100 µs after the one before \
               is complete; the network's last layer is launched 50 µs after the other nine; times are drawn from the average up to the \
               worst case by our skewed distribution; a switch costs 50 µs, the paper's estimate for saving a context; offsets; small \
               copies, which come on top of the worst cases (by 22 and 9 µs); the display server Weston is left out. In 2 s 6 of 110 \
               real-time jobs are late (5.5 %; the paper reports 5.6 %), all of the network. That is one lucky window: over 60 s it is \
               9 %, and between 7 and 16 % for other offsets. A search over what the paper leaves open, with Weston, fits better over \
               many seeds: the tour of Fig. 4 has its scenario.",
        json: include_str!("edf-vi-a-runlist.json"),
        bookmarks: &[
            at(
                233_333_331,
                "A frame begins",
                "The sphere's eighth frame is launched, but the scene is in its timeslice. High interleaving does not interrupt \
                 anyone: the frame waits until 234.1 ms.",
            ),
            at(
                234_410_462,
                "Off the GPU for a pass",
                "The first pass is done. While the CPU prepares the second the sphere has no work, so the Host goes on to the gears, \
                 and the second pass will wait for their whole timeslice.",
            ),
            at(
                241_624_369,
                "The frame is complete",
                "8.3 ms after its release, with 1.8 ms of execution: every pass had to wait for a turn of its own. 32 ms \
                 are enough for that.",
            ),
            at(
                245_000_000,
                "The network begins",
                "Its first nine layers are launched in the middle of a timeslice of the scene, which ends at 245.67 ms.",
            ),
            at(
                247_838_570,
                "One layer to go",
                "Nine layers are done. The CPU launches the last one 50 µs later, and that is enough to lose the GPU: the scene \
                 gets a timeslice of 1 ms and two switches are paid.",
            ),
            at(
                249_119_640,
                "Too late",
                "The network is complete 4.12 ms after its release, 0.12 ms past its deadline. It has executed for 2.3 ms.",
            ),
        ],
    },
    Example {
        group: GROUP,
        id: "edf-vi-a-cbs",
        title: "Section VI-A under EDF with servers",
        source: "[EDF] section VI-A",
        text: "The same four applications and the same jobs under EDF, with a server for either real-time task whose budget is the worst \
               case. A job that arrives is chosen at once, and whatever drew for pleasure is suspended. No job is late, in 2 s or in 60. \
               Greatest response times in 2 s: sphere 4.1 ms instead of 10.3 (60 % better; the paper reports 64 %), network 2.9 ms instead \
               of 4.9 (40 %; the paper 93 %). Over 60 s: 55 % and 44 %. As a \
               share of the old response 93 % would mean more than 40 ms under the runlist, which the stated figures do not add up to; read \
               as 1.64 and 1.93 times the new response they do, and ours are 2.5 and 1.7 times it here. In the paper the best-effort \
               applications respond later than before; here the scene hardly does, and the gears, which rank before it (our choice), \
               even gain. The values that fit best, where the gears pay, stand in the tour of Fig. 4.",
        json: include_str!("edf-vi-a-cbs.json"),
        bookmarks: &[
            at(
                233_333_331,
                "A frame begins",
                "The sphere is launched and the scene is suspended in the same instant. After the switch of 50 µs the frame runs.",
            ),
            at(
                233_637_789,
                "Between two passes",
                "Here too the GPU goes to somebody else while the CPU prepares the next pass, but as soon as that is launched the \
                 gears have to leave.",
            ),
            at(236_051_696, "The frame is complete", "2.7 ms after its release, where it took 8.3 ms under the runlist."),
            at(
                245_000_000,
                "The network begins",
                "The scene is suspended at once. Under the runlist the network had to wait for the end of its timeslice.",
            ),
            at(247_164_201, "One layer to go", "Nine layers are done. The scene may use the gap, but not for longer."),
            at(
                247_445_271,
                "In time",
                "The network is complete after 2.45 ms. It is the job that came too late under the runlist, with the same execution times.",
            ),
        ],
    },
];
