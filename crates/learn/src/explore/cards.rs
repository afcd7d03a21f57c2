//! The cards, in the order in which they are offered.
//!
//! Depends on its parent. Invariants: ids are unique; no table has more than six rows of kernels; the first card comes with four
//! different runs under the four policies.

use blockstep_view::quantity::Unit;
use blockstep_view::table::Table;

use super::control::{Choices, Control, ControlField};
use super::{Card, CardScenario, CardSource};

const MS: u64 = 1_000_000;

/// The cards, in order.
#[must_use]
pub fn cards() -> &'static [Card] {
    const CARDS: &[Card] = &[FOUR_POLICIES, TABLE_1];
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

/// The GPUs of one, two and five SMs.
const GPUS: Choices = Choices::Words(&[("tk1", "TK1, 1 SM"), ("tx2", "TX2, 2 SMs"), ("gtx750ti", "GTX 750 Ti, 5 SMs")]);

const FOUR_POLICIES: Card = Card {
    id: "four-policies",
    question: "The camera would fit. Why does it wait?",
    setting: "At 1 ms each SM has 512 free threads. A block of the camera's kernel Detect needs 512, and its job is due at 5 ms.",
    scenario: CardScenario::Own(concat!(
        r#"{"version":1,"name":"A mapper and a camera","policy":{"kind":"fifo"},"#,
        r#""processes":[{"name":"Mapper"},{"name":"Camera"}],"#,
        r#""tasks":[{"name":"mapper","process":"Mapper"},"#,
        r#"{"name":"camera","process":"Camera","class":"real_time","release":"periodic","period_ns":8000000,"deadline_ns":4000000,"#,
        r#""jobs":1,"offset_ns":1000000}],"#,
        r#""streams":[{"name":"S1","process":"Mapper","priority":"low"},{"name":"S2","process":"Camera","priority":"high"}],"#,
        r#""kernels":[{"name":"Map","task":"mapper","stream":"S1","blocks":12,"threads_per_block":768,"block_time_ns":2000000},"#,
        r#"{"name":"Detect","task":"camera","stream":"S2","blocks":4,"threads_per_block":512,"block_time_ns":1000000}]}"#,
    )),
    at_ns: MS,
    asks: "Detect",
    teaches: "Under FIFO a kernel waits behind the first in line, even beside free threads. Each policy lets another one wait.",
    source: CardSource { label: "A table of our own", link: "#tour=edf-fig-1" },
    controls: &[
        Control { before: "Map has", after: "blocks", field: cell("Map", "blocks"), choices: count(4, 16, 1) },
        Control {
            before: "the camera's job is due",
            after: "after it asks",
            field: ControlField::Cell(Table::Tasks, "camera", "deadline_ns"),
            choices: time(MS, 8 * MS, MS),
        },
        Control { before: "the GPU is a", after: "", field: ControlField::Device, choices: GPUS },
    ],
    shows_policies: true,
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
        Control { before: "K1 has", after: "blocks", field: cell("K1", "blocks"), choices: count(1, 12, 1) },
        Control {
            before: "K4's stream has",
            after: "priority",
            field: ControlField::StreamPriority("S2"),
            choices: Choices::Words(&[("none", "no"), ("high", "high")]),
        },
        Control { before: "the GPU is a", after: "", field: ControlField::Device, choices: GPUS },
    ],
    shows_policies: false,
};
