//! The cards, in the order in which they are offered.
//!
//! Depends on its parent. Invariants: ids are unique; no table has more than six rows of kernels; the first card comes with four
//! different runs under the four policies.

use blockstep_view::quantity::Unit;
use blockstep_view::table::Table;

use super::control::{Choices, Control, ControlField};
use super::{Card, CardScenario, CardSource};

const MS: u64 = 1_000_000;
const MIB: u64 = 1 << 20;

/// The cards, in order.
#[must_use]
pub fn cards() -> &'static [Card] {
    const CARDS: &[Card] =
        &[FOUR_POLICIES, TABLE_1, SHORTER, STARVED, NULL_STREAM, CONNECTIONS, COPIES, GRAPH, TURNS, OVERRUN, PREEMPTION, NO_ROOM, HANG];
    CARDS
}

const fn cell(row: &'static str, field: &'static str) -> ControlField {
    ControlField::Cell(Table::Kernels, row, field)
}

const fn count(least: u64, most: u64, step: u64) -> Choices {
    Choices::Range { unit: Unit::Count, least, most, step }
}

const fn time(least: u64, most: u64, step: u64) -> Choices {
    Choices::Range { unit: Unit::Time, least, most, step }
}

const fn bytes(least: u64, most: u64, step: u64) -> Choices {
    Choices::Range { unit: Unit::Bytes, least, most, step }
}

/// The GPUs of one, two and five SMs.
const GPUS: Choices = Choices::Words(&[("tk1", "TK1, 1 SM"), ("tx2", "TX2, 2 SMs"), ("gtx750ti", "GTX 750 Ti, 5 SMs")]);

const FOUR_POLICIES: Card = Card {
    id: "four-policies",
    question: "The camera would fit. Why does it wait?",
    setting: "At 1 ms each SM has 512 free threads. A block of the camera's kernel Detect needs 512, and Detect is due at 5 ms.",
    scenario: CardScenario::Own(concat!(
        r#"{"version":1,"name":"A mapper and a camera","policy":{"kind":"fifo"},"#,
        r#""processes":[{"name":"Mapper"},{"name":"Camera"}],"#,
        r#""tasks":[{"name":"mapper","process":"Mapper"},{"name":"camera","process":"Camera","offset_ns":1000000,"deadline_ns":4000000}],"#,
        r#""streams":[{"process":"Mapper","name":"S1","priority":"low"},{"process":"Camera","name":"S2","priority":"high"}],"#,
        r#""kernels":[{"name":"Map","task":"mapper","stream":"S1","blocks":12,"threads_per_block":768,"block_time_ns":2000000},"#,
        r#"{"name":"Detect","task":"camera","stream":"S2","blocks":4,"threads_per_block":512,"block_time_ns":1000000}]}"#,
    )),
    at_ns: MS,
    asks: "Detect",
    teaches: "Under FIFO nobody passes the first in line. The other three let the camera pass Map, and under two of them Map ends later.",
    source: CardSource { label: "[TX2] and [EDF]; our own table", link: "#tour=edf-fig-3" },
    controls: &[
        Control { before: "Map has", after: "blocks", field: cell("Map", "blocks"), choices: count(4, 16, 1) },
        Control {
            before: "the camera's deadline is",
            after: "after it asks",
            field: ControlField::Cell(Table::Tasks, "camera", "deadline_ns"),
            choices: time(MS, 8 * MS, MS),
        },
        Control { before: "the GPU is a", after: "", field: ControlField::Device, choices: GPUS },
    ],
};

const TABLE_1: Card = Card {
    id: "table-1",
    question: "K4 would fit. Why does it wait?",
    setting: "At 0.8 s each SM has 512 free threads. A block of K4 needs 256.",
    scenario: CardScenario::FirstExample,
    at_ns: 800 * MS,
    asks: "K4",
    teaches: "The first kernel in line holds up all others until its last block has a place.",
    source: CardSource { label: "[TX2] Table 1", link: "#tour=tx2-fig-4" },
    controls: &[
        Control { before: "K1 has", after: "blocks", field: cell("K1", "blocks"), choices: count(2, 12, 1) },
        Control {
            before: "K4's stream has",
            after: "priority",
            field: ControlField::StreamPriority("S2"),
            choices: Choices::Words(&[("none", "no"), ("high", "high")]),
        },
        Control { before: "the GPU is a", after: "", field: ControlField::Device, choices: GPUS },
    ],
};

const SHORTER: Card = Card {
    id: "shorter",
    question: "A slower Filter would let Detect end sooner. How?",
    setting: "Filter ends at 4 ms, so Map fills the GPU before Detect is launched at 5 ms.",
    scenario: CardScenario::Own(concat!(
        r#"{"version":1,"name":"Shorter, and later","kernels":["#,
        r#"{"name":"Filter","blocks":1,"threads_per_block":1024,"block_time_ns":4000000},"#,
        r#"{"name":"Map","blocks":4,"threads_per_block":1024,"block_time_ns":10000000},"#,
        r#"{"name":"Detect","stream":"S2","start_ns":5000000,"blocks":1,"threads_per_block":1024,"block_time_ns":10000000}]}"#,
    )),
    at_ns: 5 * MS,
    asks: "Detect",
    teaches: "When one kernel ends earlier, the next starts earlier, and may take the room that a third one needed.",
    source: CardSource { label: "R. L. Graham's anomaly, 1969; our own table", link: "#find=shorter" },
    controls: &[
        Control { before: "Filter takes", after: "", field: cell("Filter", "block_time_ns"), choices: time(MS, 10 * MS, MS) },
        Control { before: "Map has", after: "blocks", field: cell("Map", "blocks"), choices: count(2, 8, 1) },
        Control { before: "Detect is launched at", after: "", field: cell("Detect", "start_ns"), choices: time(MS, 6 * MS, MS) },
    ],
};

const STARVED: Card = Card {
    id: "starved",
    question: "Log is ready at 1 ms. Why does it start at 12 ms?",
    setting: "Control comes every 2 ms on a high-priority stream. It fills the GPU for 2 ms.",
    scenario: CardScenario::Own(concat!(
        r#"{"version":1,"name":"High priority, again and again","horizon_ns":14000000,"#,
        r#""tasks":[{"name":"log"},{"name":"control","release":"periodic","period_ns":2000000,"jobs":6}],"#,
        r#""streams":[{"name":"S1","priority":"low"},{"name":"S2","priority":"high"}],"#,
        r#""kernels":[{"name":"Log","task":"log","stream":"S1","start_ns":1000000,"blocks":4,"threads_per_block":512,"block_time_ns":1000000},"#,
        r#"{"name":"Control","task":"control","stream":"S2","blocks":4,"threads_per_block":1024,"block_time_ns":2000000}]}"#,
    )),
    at_ns: 2 * MS,
    asks: "Log",
    teaches: "A high-priority stream goes first each time. If it never rests, the others starve.",
    source: CardSource { label: "[TX2] section 4.2", link: "#tour=tx2-fig-7" },
    controls: &[
        Control {
            before: "Control comes every",
            after: "",
            field: ControlField::Cell(Table::Tasks, "control", "period_ns"),
            choices: time(MS, 4 * MS, MS / 2),
        },
        Control { before: "Control has", after: "blocks", field: cell("Control", "blocks"), choices: count(2, 6, 1) },
        Control {
            before: "Control's stream has",
            after: "priority",
            field: ControlField::StreamPriority("S2"),
            choices: Choices::Words(&[("high", "high"), ("none", "no")]),
        },
    ],
};

const NULL_STREAM: Card = Card {
    id: "null-stream",
    question: "No resource is short. Why does Plan wait?",
    setting: "At 1 ms Detect uses 1,536 of the 4,096 threads, and nothing else runs. Reset stands in the NULL stream.",
    scenario: CardScenario::Own(concat!(
        r#"{"version":1,"name":"One kernel in the NULL stream","kernels":["#,
        r#"{"name":"Detect","blocks":2,"threads_per_block":768,"block_time_ns":4000000},"#,
        r#"{"name":"Reset","stream":"NULL","start_ns":500000,"blocks":1,"threads_per_block":768,"block_time_ns":1000000},"#,
        r#"{"name":"Plan","stream":"S2","start_ns":1000000,"blocks":2,"threads_per_block":768,"block_time_ns":2000000}]}"#,
    )),
    at_ns: MS,
    asks: "Plan",
    teaches: "A kernel in the NULL stream waits for everything launched before it, and everything launched after it waits for that kernel.",
    source: CardSource { label: "[TX2] Table 2", link: "#tour=tx2-fig-5" },
    controls: &[
        Control {
            before: "Reset is in",
            after: "",
            field: cell("Reset", "stream"),
            choices: Choices::Words(&[("NULL", "the NULL stream"), ("S3", "a stream of its own"), ("S1", "Detect's stream")]),
        },
        Control { before: "Detect takes", after: "", field: cell("Detect", "block_time_ns"), choices: time(MS, 8 * MS, MS) },
        Control { before: "Reset is launched at", after: "", field: cell("Reset", "start_ns"), choices: time(0, 3 * MS, MS / 2) },
    ],
};

const CONNECTIONS: Card = Card {
    id: "connections",
    question: "C1 is alone in its stream and fits. Why does it wait?",
    setting: "Three streams share two hardware connections. By default a program has eight, and its ninth stream has to share one.",
    scenario: CardScenario::Own(concat!(
        r#"{"version":2,"name":"Three streams, two connections","connections":2,"kernels":["#,
        r#"{"name":"A1","stream":"A","blocks":2,"threads_per_block":640,"block_time_ns":3000000},"#,
        r#"{"name":"A2","stream":"A","blocks":2,"threads_per_block":640,"block_time_ns":1000000},"#,
        r#"{"name":"B1","stream":"B","blocks":2,"threads_per_block":640,"block_time_ns":2000000},"#,
        r#"{"name":"C1","stream":"C","blocks":2,"threads_per_block":640,"block_time_ns":1000000}]}"#,
    )),
    at_ns: MS,
    asks: "C1",
    teaches: "Streams that share a connection are not independent: the launches in it keep their order.",
    source: CardSource { label: "[CUDA], NVIDIA/cutlass#354", link: "#example=cuda-connections" },
    controls: &[
        Control { before: "the number of connections is", after: "", field: ControlField::Top("connections"), choices: count(1, 4, 1) },
        Control { before: "A1 takes", after: "", field: cell("A1", "block_time_ns"), choices: time(MS, 6 * MS, MS) },
        Control {
            before: "C1 is in",
            after: "",
            field: cell("C1", "stream"),
            choices: Choices::Words(&[("C", "a stream of its own"), ("B", "B1's stream"), ("A", "A1's stream")]),
        },
    ],
};

const COPIES: Card = Card {
    id: "copies",
    question: "The SMs are idle. Why does K2 wait?",
    setting: "At 3 ms C1o brings K1's result back. K2 needs its input first, the copy C2i, and the TX2 has one copy engine.",
    scenario: CardScenario::Own(concat!(
        r#"{"version":1,"name":"Two copies, one engine","kernels":["#,
        r#"{"name":"K1","blocks":4,"threads_per_block":1024,"block_time_ns":2000000,"copy_out_bytes":8388608},"#,
        r#"{"name":"K2","stream":"S2","start_ns":3000000,"blocks":4,"threads_per_block":1024,"block_time_ns":2000000,"copy_in_bytes":4194304}]}"#,
    )),
    at_ns: 3 * MS,
    asks: "K2",
    teaches: "A copy needs a copy engine instead of SMs, and the copies of different streams wait for it in one line.",
    source: CardSource { label: "NVIDIA developer forum 334237", link: "#example=cuda-copies-overlap" },
    controls: &[
        Control { before: "K1 copies back", after: "", field: cell("K1", "copy_out_bytes"), choices: bytes(0, 16 * MIB, 2 * MIB) },
        Control {
            before: "the GPU is a",
            after: "",
            field: ControlField::Device,
            choices: Choices::Words(&[("tx2", "TX2, 1 copy engine"), ("gtx750ti", "GTX 750 Ti, 2 copy engines")]),
        },
        Control { before: "K2 is launched at", after: "", field: cell("K2", "start_ns"), choices: time(0, 10 * MS, MS) },
    ],
};

const GRAPH: Card = Card {
    id: "graph",
    question: "L2 would fit. Why does it start after N2?",
    setting: "A call keeps its CPU thread for 10 µs. One thread launches L1 and L2, another launches one graph of N1 and N2.",
    scenario: CardScenario::Own(concat!(
        r#"{"version":2,"name":"Launches, or one graph","#,
        r#""tasks":[{"name":"loop","call_ns":10000},{"name":"graph","call_ns":10000}],"#,
        r#""kernels":[{"name":"L1","task":"loop","blocks":2,"threads_per_block":768,"block_time_ns":4000},"#,
        r#"{"name":"L2","task":"loop","blocks":2,"threads_per_block":768,"block_time_ns":4000},"#,
        r#"{"name":"G","task":"graph","stream":"S2","call":"launch_graph"},"#,
        r#"{"name":"N1","task":"graph","graph":"G","blocks":2,"threads_per_block":768,"block_time_ns":4000},"#,
        r#"{"name":"N2","task":"graph","graph":"G","waits_for":["N1"],"blocks":2,"threads_per_block":768,"block_time_ns":4000}]}"#,
    )),
    at_ns: 15_000,
    asks: "L2",
    teaches: "Kernels shorter than their launch wait for the CPU. A graph launches them all with one call.",
    source: CardSource { label: "[CUDA] section 4.2: sixty launches", link: "#example=cuda-graph" },
    controls: &[
        Control {
            before: "each call of L1 and L2 takes",
            after: "",
            field: ControlField::Cell(Table::Tasks, "loop", "call_ns"),
            choices: time(2_000, 20_000, 2_000),
        },
        Control { before: "L1 runs for", after: "", field: cell("L1", "block_time_ns"), choices: time(2_000, 20_000, 2_000) },
        Control { before: "N1 runs for", after: "", field: cell("N1", "block_time_ns"), choices: time(2_000, 20_000, 2_000) },
    ],
};

const TURNS: Card = Card {
    id: "turns",
    question: "The GPU has room for both. Why does Detect wait?",
    setting: "Map uses half of the threads. Detect belongs to another process, and the processes take turns of 2 ms.",
    scenario: CardScenario::Own(concat!(
        r#"{"version":1,"name":"Two processes take turns","policy":{"kind":"runlist"},"#,
        r#""processes":[{"name":"Mapper"},{"name":"Camera"}],"#,
        r#""tasks":[{"name":"mapper","process":"Mapper"},{"name":"camera","process":"Camera"}],"#,
        r#""kernels":[{"name":"Map","task":"mapper","blocks":2,"threads_per_block":1024,"block_time_ns":5000000},"#,
        r#"{"name":"Detect","task":"camera","stream":"S2","start_ns":500000,"blocks":2,"threads_per_block":1024,"block_time_ns":3000000}]}"#,
    )),
    at_ns: MS,
    asks: "Detect",
    teaches: "Processes share the GPU in turns, not side by side. Tasks of one process run beside each other.",
    source: CardSource { label: "[TX2] appendix A; our own table", link: "#example=tx2-fig-9-processes" },
    controls: &[
        Control {
            before: "Detect belongs to",
            after: "",
            field: ControlField::Cell(Table::Tasks, "camera", "process"),
            choices: Choices::Words(&[("Camera", "another process"), ("Mapper", "Map's process")]),
        },
        Control {
            before: "the Mapper's turn is",
            after: "long",
            field: ControlField::Cell(Table::Processes, "Mapper", "timeslice_ns"),
            choices: Choices::Words(&[("500 µs", "500 µs"), ("1 ms", "1 ms"), ("", "2 ms"), ("3 ms", "3 ms"), ("4 ms", "4 ms")]),
        },
        Control {
            before: "a switch takes",
            after: "",
            field: ControlField::Top("policy.switch_cost_ns"),
            choices: Choices::Words(&[("", "no time"), ("100 µs", "100 µs"), ("500 µs", "500 µs"), ("1 ms", "1 ms")]),
        },
    ],
};

const OVERRUN: Card = Card {
    id: "overrun",
    question: "Steer keeps to its budget. Why will it be late?",
    setting: "Detect asked for 2 ms of the GPU and takes 7. Its deadline is earlier than that of Steer, so EDF lets it go first.",
    scenario: CardScenario::Own(concat!(
        r#"{"version":1,"name":"More than it asked for","policy":{"kind":"edf","cbs":false},"horizon_ns":40000000,"#,
        r#""processes":[{"name":"Steering"},{"name":"Camera"}],"#,
        r#""tasks":[{"name":"steering","process":"Steering","release":"periodic","period_ns":12000000,"jobs":2,"budget_ns":6000000},"#,
        r#"{"name":"camera","process":"Camera","release":"periodic","period_ns":8000000,"jobs":3,"budget_ns":2000000}],"#,
        r#""kernels":[{"name":"Steer","task":"steering","blocks":4,"threads_per_block":1024,"block_time_ns":6000000},"#,
        r#"{"name":"Detect","task":"camera","blocks":4,"threads_per_block":1024,"block_time_ns":7000000}]}"#,
    )),
    at_ns: 3 * MS,
    asks: "Steer",
    teaches: "EDF alone trusts what a task asks for. A server postpones the deadline of a task that takes more.",
    source: CardSource { label: "[EDF] section IV", link: "#example=edf-overrun-cbs" },
    controls: &[
        Control {
            before: "budgets are",
            after: "",
            field: ControlField::Top("policy.cbs"),
            choices: Choices::Words(&[("off", "only a promise"), ("on", "kept by servers")]),
        },
        Control { before: "Detect takes", after: "", field: cell("Detect", "block_time_ns"), choices: time(MS, 8 * MS, MS) },
        Control { before: "Steer takes", after: "", field: cell("Steer", "block_time_ns"), choices: time(MS, 8 * MS, MS) },
    ],
};

const PREEMPTION: Card = Card {
    id: "preemption",
    question: "Brake has the earlier deadline. Why does it wait?",
    setting: "The mapper gives way only when a kernel that it has begun is complete. Brake asks at 1 ms and is due at 5 ms.",
    scenario: CardScenario::Own(concat!(
        r#"{"version":1,"name":"Who gives way, and when","policy":{"kind":"edf","cbs":false,"preemption":"kernel"},"#,
        r#""processes":[{"name":"Mapper"},{"name":"Brakes"}],"#,
        r#""tasks":[{"name":"mapper","process":"Mapper","deadline_ns":20000000},"#,
        r#"{"name":"brake","process":"Brakes","offset_ns":1000000,"deadline_ns":4000000}],"#,
        r#""kernels":[{"name":"Map1","task":"mapper","blocks":8,"threads_per_block":1024,"block_time_ns":3000000},"#,
        r#"{"name":"Map2","task":"mapper","blocks":4,"threads_per_block":1024,"block_time_ns":3000000},"#,
        r#"{"name":"Brake","task":"brake","blocks":4,"threads_per_block":512,"block_time_ns":1000000}]}"#,
    )),
    at_ns: MS,
    asks: "Brake",
    teaches: "The earliest deadline goes first, but only once the process that has the GPU can give way.",
    source: CardSource { label: "[LP] section II-B", link: "#example=lp-block" },
    controls: &[
        Control {
            before: "the mapper gives way",
            after: "",
            field: ControlField::Top("policy.preemption"),
            choices: Choices::Words(&[
                ("thread", "at once"),
                ("block", "between blocks"),
                ("kernel", "between kernels"),
                ("none", "when it is done"),
            ]),
        },
        Control { before: "a block of Map1 takes", after: "", field: cell("Map1", "block_time_ns"), choices: time(MS, 4 * MS, MS) },
        Control {
            before: "a switch takes",
            after: "",
            field: ControlField::Top("policy.switch_cost_ns"),
            choices: Choices::Words(&[("", "no time"), ("500 µs", "500 µs"), ("1 ms", "1 ms"), ("2 ms", "2 ms")]),
        },
    ],
};

const NO_ROOM: Card = Card {
    id: "no-room",
    question: "Most threads are free. Why does Map find no room?",
    setting: "Each SM has 1,408 free threads. But a block of Map needs 48 KiB of shared memory, and Track leaves 32 KiB.",
    scenario: CardScenario::Own(concat!(
        r#"{"version":1,"name":"No room, again and again","horizon_ns":9000000,"#,
        r#""tasks":[{"name":"mapper"},{"name":"tracker","release":"periodic","period_ns":1000000,"jobs":6}],"#,
        r#""streams":[{"name":"S2","priority":"high"}],"#,
        r#""kernels":[{"name":"Map","task":"mapper","start_ns":500000,"blocks":2,"threads_per_block":768,"shared_memory_bytes":49152,"block_time_ns":2000000},"#,
        r#"{"name":"Track","task":"tracker","stream":"S2","blocks":2,"threads_per_block":640,"shared_memory_bytes":32768,"block_time_ns":1000000}]}"#,
    )),
    at_ns: MS / 2,
    asks: "Map",
    teaches: "A block needs all its resources on one SM at one moment. Small blocks of high priority can keep it out again and again.",
    source: CardSource { label: "[TX2] rules R2 and R3; our own table", link: "#tour=tx2-fig-8" },
    controls: &[
        Control {
            before: "a block of Map needs",
            after: "of shared memory",
            field: cell("Map", "shared_memory_bytes"),
            choices: bytes(16 << 10, 48 << 10, 16 << 10),
        },
        Control { before: "Track takes", after: "", field: cell("Track", "block_time_ns"), choices: time(MS / 4, MS, MS / 4) },
        Control {
            before: "Track's stream has",
            after: "priority",
            field: ControlField::StreamPriority("S2"),
            choices: Choices::Words(&[("high", "high"), ("none", "no")]),
        },
    ],
};

const HANG: Card = Card {
    id: "hang",
    question: "The program hangs. Why does Send never start?",
    setting: "Poll's four blocks fill the GPU. Each spins until Send is complete, and Send is launched at 1 ms.",
    scenario: CardScenario::Own(concat!(
        r#"{"version":3,"name":"A kernel that polls","horizon_ns":6000000,"kernels":["#,
        r#"{"name":"Poll","blocks":4,"threads_per_block":1024,"block_time_ns":1000000,"until_completed":["Send"]},"#,
        r#"{"name":"Send","stream":"S2","start_ns":1000000,"blocks":1,"threads_per_block":256,"block_time_ns":1000000}]}"#,
    )),
    at_ns: MS,
    asks: "Send",
    teaches: "A block that spins keeps its room. If what it waits for needs that room, the program hangs, whatever the policy.",
    source: CardSource { label: "[CUDA] thread blocks; our own table", link: "#tour=cuda-hangs" },
    controls: &[
        Control { before: "Poll has", after: "blocks", field: cell("Poll", "blocks"), choices: count(1, 4, 1) },
        Control { before: "Poll is launched at", after: "", field: cell("Poll", "start_ns"), choices: time(0, 2 * MS, MS / 2) },
        Control { before: "the GPU is a", after: "", field: ControlField::Device, choices: GPUS },
    ],
};
