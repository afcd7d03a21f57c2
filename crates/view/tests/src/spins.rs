//! Blocks that spin, as the page has them: in the cells of the kernel table, in the timeline and in the queue diagram.
//!
//! Depends on the library. The run is that of the example `spin-barrier`: half of K spins for 50 µs, until H ends.

use std::sync::Arc;

use blockstep_format::read_scenario;
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::examples;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, KernelDraft, Scenario};
use blockstep_sim::units::{RowId, Time};
use blockstep_view::document::Document;
use blockstep_view::frame::{BoxFrame, Stretch};
use blockstep_view::panels::unused_columns;
use blockstep_view::position::Stop;
use blockstep_view::queue_figure::{SheetMark, inset, strip};
use blockstep_view::queues::{BlockGroup, queues};
use blockstep_view::reason::waiting;
use blockstep_view::table::Table;
use blockstep_view::timeline::{Hit, Timeline};

fn example(id: &str) -> (Run, Arc<Records>) {
    let draft = read_scenario(examples::find(id).unwrap().json).unwrap();
    let run = engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default());
    let records = Arc::new(Records::new(&run.trace));
    (run, records)
}

/// A, whose blocks spin for B and C, and those two.
fn three() -> Document {
    let names = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    let a = KernelDraft {
        until_begun: names(&["B"]),
        until_all_begun: names(&["B", "C"]),
        until_completed: names(&["C"]),
        ..KernelDraft::named("A", 1, 32, 10)
    };
    Document::new(Draft { kernels: vec![a, KernelDraft::named("B", 1, 32, 10), KernelDraft::named("C", 1, 32, 10)], ..Draft::default() })
}

fn cell(document: &Document, row: usize, field: &str) -> String {
    document.text(Table::Kernels, row, Table::Kernels.column_of(field).unwrap())
}

fn set(document: &mut Document, row: usize, field: &str, text: &str) {
    document.set(Table::Kernels, row, Table::Kernels.column_of(field).unwrap(), text);
}

const FIELDS: [&str; 5] = ["barrier", "until_begun", "until_all_begun", "until_completed", "cooperative"];

#[test]
fn what_blocks_spin_for_is_read_from_cells() {
    let mut document = three();
    assert_eq!(FIELDS.map(|field| cell(&document, 0, field)), ["no", "B", "B, C", "C", "no"]);
    for (field, text) in FIELDS.iter().zip(["yes", " C ,", "B,C", "", "yes"]) {
        set(&mut document, 1, field, text);
    }
    let row = document.draft().kernels.remove(1);
    assert!(row.barrier && row.cooperative);
    assert_eq!((row.until_begun, row.until_all_begun), (vec!["C".to_owned()], vec!["B".to_owned(), "C".to_owned()]));
    assert!(row.until_completed.is_empty());
    set(&mut document, 1, "barrier", "perhaps");
    assert_eq!(document.unreadable()[0].path, "kernels[1].barrier");
    assert_eq!(cell(&document, 1, "barrier"), "perhaps", "what was typed is kept");
}

#[test]
fn what_blocks_spin_for_has_columns_where_it_is_used() {
    let unused = |document: &Document| unused_columns(document, Table::Kernels, &[]);
    let plain = Document::new(Draft { kernels: vec![KernelDraft::named("A", 1, 32, 10)], ..Draft::default() });
    assert!(FIELDS.iter().all(|field| unused(&plain).contains(field)));
    let used = unused(&three());
    assert_eq!(FIELDS.map(|field| used.contains(&field)), [true, false, false, false, true]);
}

#[test]
fn a_kernel_is_renamed_in_what_spins_for_it() {
    let mut document = three();
    set(&mut document, 2, "name", "D");
    assert_eq!(FIELDS.map(|field| cell(&document, 0, field)), ["no", "B", "B, D", "D", "no"]);
}

#[test]
fn names_of_kernels_count_as_entries() {
    let mut document = three();
    let before = document.entry_count();
    set(&mut document, 1, "until_completed", "A, C");
    assert_eq!(document.entry_count(), before + 2);
}

#[test]
fn the_part_of_a_block_that_spins_is_a_box_over_it() {
    let (run, records) = example("spin-barrier");
    let timeline = Timeline::new(&run.trace, &records);
    let scale = timeline.fit(1_000.0);
    let frame = timeline.frame(&scale, 2_000.0, None, None);
    let of = |stretch: Stretch| frame.boxes.iter().filter(|b| b.stretch == stretch).collect::<Vec<&BoxFrame>>();
    let (spinning, running) = (of(Stretch::Spinning(RowId(1))), of(Stretch::Running(RowId(1))));
    assert_eq!((spinning.len(), running.len()), (56, 112));
    for shown in spinning {
        let Some(Hit::Block(i)) = shown.hit else { panic!("{shown:?}") };
        assert_eq!((scale.time_from_x(shown.x0), scale.time_from_x(shown.x1)), (Time(0), Time(50_000)));
        let under = frame.boxes.iter().position(|b| b.stretch == Stretch::Running(RowId(1)) && b.hit == shown.hit).unwrap();
        let over = frame.boxes.iter().position(|b| std::ptr::eq(b, shown)).unwrap();
        assert!(under < over, "it is painted over block {i}");
        assert_eq!((frame.boxes[under].y0, frame.boxes[under].y1), (shown.y0, shown.y1));
        assert_eq!(timeline.hit(&scale, 2_000.0, (shown.x0 + shown.x1) / 2.0, (shown.y0 + shown.y1) / 2.0), shown.hit);
    }
    let names = |label: &Option<String>| label.as_ref().is_some_and(|label| label.starts_with("K:"));
    assert!(frame.boxes.iter().filter(|b| names(&b.label)).count() <= 112, "no block is named twice");
    assert!(timeline.summary().contains("blocks are hatched while they spin"));
}

#[test]
fn a_name_stands_in_the_part_that_spins_if_it_would_cross_its_end() {
    let mut draft = read_scenario(examples::find("spin-barrier").unwrap().json).unwrap();
    draft.device = blockstep_sim::scenario::DeviceDraft::default();
    for (row, blocks) in draft.kernels.iter_mut().zip([2, 4]) {
        row.blocks = blocks;
    }
    for (time, spins) in [(20_000, true), (400_000, false)] {
        draft.kernels[1].block_time_ns = blockstep_sim::scenario::BlockTimes::Each(time);
        let run = engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default());
        let timeline = Timeline::new(&run.trace, &Arc::new(Records::new(&run.trace)));
        let frame = timeline.frame(&timeline.fit(900.0), 300.0, None, None);
        let shown = frame.boxes.iter().find(|b| b.label.as_deref() == Some("K:0")).unwrap();
        assert_eq!(matches!(shown.stretch, Stretch::Spinning(_)), spins, "{shown:?}");
    }
}

#[test]
fn a_tooltip_says_for_what_a_block_spins_and_how_long() {
    let said = |id: &str, now: Option<Time>| {
        let (run, records) = example(id);
        let first = records.blocks.iter().position(|b| run.trace.op_label(b.op) == "K").unwrap();
        let timeline = Timeline::new(&run.trace, &records);
        let lines = match now {
            None => timeline.describe(&Hit::Block(first)),
            Some(now) => timeline.describe_until(&Hit::Block(first), now),
        };
        lines.into_iter().filter(|(name, _)| name.starts_with("Sp")).collect::<Vec<_>>()
    };
    let until = ("Spins until", "all its blocks have begun".to_owned());
    assert_eq!(said("spin-barrier", None), [until.clone(), ("Spun", "50 µs".to_owned())]);
    assert_eq!(said("spin-barrier", Some(Time(20_000))), std::slice::from_ref(&until), "how long it will is not told before");
    assert_eq!(said("spin-barrier-hang", None), [until, ("Spun", "200 µs, to the end of the run".to_owned())]);
}

#[test]
fn the_queue_diagram_says_which_blocks_spin() {
    let (run, _) = example("spin-barrier");
    let groups = |at: u64| -> Vec<BlockGroup> {
        let applied = run.trace.steps().iter().take_while(|step| step.at <= Time(at)).count() as u32;
        let mut replay = run.replay();
        queues(&run.trace, replay.seek(applied), None, Time::ZERO, 12).spaces[0].sms[0].blocks.clone()
    };
    let early: Vec<(String, bool)> = groups(20_000).into_iter().map(|group| (group.title_in(0), group.spins)).collect();
    assert_eq!(early, [("H:0, SM 0: 1,024 threads".to_owned(), false), ("K:0, SM 0: 1,024 threads, spins".to_owned(), true)]);
    assert!(groups(100_000).iter().all(|group| !group.spins));
}

#[test]
fn the_legend_of_a_diagram_has_what_spins_where_something_does() {
    let (run, _) = example("spin-barrier");
    let said = |at: u64| {
        let inset = inset(&mut run.replay(), Stop::at_time(&run.trace, Time(at)));
        let is_spins = |mark: &SheetMark| matches!(mark, SheetMark::Text(text) if text.text == "spins");
        [true, false].map(|has_legend| strip(std::slice::from_ref(&inset), 1, 800.0, has_legend).marks.iter().any(is_spins))
    };
    assert_eq!((said(20_000), said(100_000)), ([true, false], [false, false]));
}

#[test]
fn a_cooperative_kernel_that_waits_for_all_its_room_says_so() {
    let (run, records) = example("spin-cooperative");
    let applied = run.trace.steps().iter().take_while(|step| step.at <= Time(30_000)).count() as u32;
    let mut replay = run.replay();
    let items = waiting(&run.trace, &records, replay.seek(applied), 10).items;
    let b = items.iter().find(|item| item.label == "B").unwrap();
    assert_eq!(b.text, "needs room for all its 112 blocks at once; there is room for 56, and H holds the rest");
}
