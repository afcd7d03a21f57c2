//! Edits by dragging on the timeline, without a browser: what can be held, what it snaps to, what the document holds then.

use std::sync::Arc;

use blockstep_format::read_scenario;
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::examples;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{BlockTimes, Scenario};
use blockstep_sim::units::{OpId, RowId};
use blockstep_view::document::Document;
use blockstep_view::drag::{Drag, Edited, Grip};
use blockstep_view::history::History;
use blockstep_view::timeline::{Hit, Timeline};
use proptest::prelude::*;

use blockstep_testing::arbitrary;

const HEIGHT: f64 = 420.0;
const WIDTH: f64 = 1000.0;

fn timeline_of(document: &Document) -> Timeline {
    let run = simulate(&Scenario::new(&document.draft()).unwrap(), Limits::default());
    let records = Arc::new(Records::new(&run.trace));
    Timeline::new(&run.trace, &records)
}

fn table_1() -> Document {
    Document::new(read_scenario(examples::first().json).unwrap())
}

/// The middle of the right edge of a block, px.
fn edge_of(timeline: &Timeline, block: usize) -> (f64, f64) {
    let frame = timeline.frame(&timeline.fit(WIDTH), HEIGHT, None, None);
    let shown = frame.boxes.iter().rfind(|b| b.hit == Some(Hit::Block(block))).unwrap();
    (shown.x1, f64::midpoint(shown.y0, shown.y1))
}

#[test]
fn the_edge_of_a_block_is_its_kernels_time() {
    let mut document = table_1();
    let timeline = timeline_of(&document);
    let scale = timeline.fit(WIDTH);
    for (i, block) in timeline.records().blocks.iter().enumerate() {
        let row = timeline.trace().op(block.op).row;
        let (x, y) = edge_of(&timeline, i);
        let grip = timeline.grip(&scale, HEIGHT, (x + 1.0, y), None);
        let Some(Grip::BlockEnd(held)) = grip else { panic!("block {i}: {grip:?} at {x}, {y}") };
        let held_block = timeline.records().blocks[held];
        assert_eq!(held_block.end, block.end, "block {i}: another one that ends elsewhere is held");
        // In its middle it is a click.
        let start = scale.x_from_time(block.start);
        assert_eq!(timeline.grip(&scale, HEIGHT, (f64::midpoint(start, x), y), None), None, "block {i} of {row:?}");
    }
    let drag = Drag::new(&document, 0, &timeline, Grip::BlockEnd(0)).unwrap();
    let BlockTimes::Each(was) = document.draft().kernels[0].block_time_ns else { panic!("blocks of K1 have one time") };
    assert_eq!((drag.edited, drag.was), (Edited::Time, was));
    // One hundred pixels to the right is as long as they show, to the snapping step.
    let value = drag.value(&scale, 100.0, false);
    let shown = 100.0 * scale.ns_per_px();
    assert!(value.abs_diff(was + shown as u64) as f64 <= 10.0 * scale.ns_per_px(), "{value}");
    assert_eq!(value % 10_000_000, 0, "{value} is a round number");
    drag.apply(&mut document, value);
    let longer = timeline_of(&document);
    let first = longer.records().blocks[0];
    assert_eq!(first.end.unwrap().since(first.start).ns(), value);
}

#[test]
fn a_launch_is_a_start() {
    let mut document = table_1();
    let timeline = timeline_of(&document);
    let scale = timeline.fit(WIDTH);
    let frame = timeline.frame(&scale, HEIGHT, None, None);
    let arrow = frame.arrows.last().unwrap();
    let at = (arrow.x, frame.launches_y + 4.0);
    assert_eq!(timeline.grip(&scale, HEIGHT, at, None), Some(Grip::Launch(arrow.op)));
    let row = arrow.row.index();
    let drag = Drag::new(&document, row, &timeline, Grip::Launch(arrow.op)).unwrap();
    let was = document.draft().kernels[row].start_ns;
    assert_eq!((drag.edited, drag.was), (Edited::Start, was));
    assert_eq!(drag.value(&scale, 0.4, false), was, "a trembling hand changes nothing");
    assert_eq!(drag.value(&scale, -100_000.0, false), 0, "not before the release");
    let later = drag.value(&scale, 60.0, false);
    drag.apply(&mut document, later);
    assert_eq!(document.draft().kernels[row].start_ns, later);
    assert!(drag.words(later).starts_with("Start "), "{}", drag.words(later));
    // Of launches at one time the selected row's is held.
    let same: Vec<RowId> = timeline
        .trace()
        .ops()
        .iter()
        .enumerate()
        .filter(|(i, _)| timeline.records().ops[*i].issued == timeline.records().ops[frame.arrows[0].op.index()].issued)
        .map(|(_, op)| op.row)
        .collect();
    let other = *same.last().unwrap();
    let held = timeline.grip(&scale, HEIGHT, (frame.arrows[0].x, frame.launches_y + 4.0), Some(other)).unwrap();
    assert_eq!(timeline.row_of_grip(held), other);
}

#[test]
fn one_block_of_a_list_is_edited_alone() {
    let mut document = table_1();
    let column = blockstep_view::table::Table::Kernels.column_of("block_time_ns").unwrap();
    let blocks = document.draft().kernels[0].blocks;
    let list = (1..=blocks).map(|i| format!("{i}00 ms")).collect::<Vec<_>>().join("; ");
    document.set(blockstep_view::table::Table::Kernels, 0, column, &list);
    let timeline = timeline_of(&document);
    let of_first = timeline.records().blocks.iter().position(|b| timeline.trace().op(b.op).row == RowId(0) && b.block == 1).unwrap();
    let drag = Drag::new(&document, 0, &timeline, Grip::BlockEnd(of_first)).unwrap();
    assert_eq!((drag.edited, drag.was), (Edited::TimeOf(1), 200_000_000));
    drag.apply(&mut document, 250_000_000);
    let BlockTimes::List(times) = &document.draft().kernels[0].block_time_ns else { panic!("still a list") };
    assert_eq!((times[0], times[1]), (100_000_000, 250_000_000));
    assert_eq!(Drag::by_key(&document, 0, false), None, "a key would not say which block");
    assert_eq!(document.unreadable(), []);
}

#[test]
fn a_drag_is_one_entry_of_the_history_and_none_if_it_ends_where_it_began() {
    let mut history = History::new(table_1());
    let before = history.present().draft();
    let timeline = timeline_of(history.present());
    let drag = Drag::new(history.present(), 0, &timeline, Grip::Launch(OpId(0))).unwrap();
    let write = |history: &mut History<Document>, ns: u64| history.edit(Some("drag".to_owned()), |d| drag.apply(d, ns));
    for ns in [10, 20, 30] {
        write(&mut history, ns);
    }
    history.pause();
    history.undo();
    assert_eq!(history.present().draft(), before);
    assert!(!history.can_undo());
    for ns in [10, 20, drag.was] {
        write(&mut history, ns);
    }
    assert_eq!(history.present().draft(), before);
    assert!(!history.can_undo(), "nothing was changed");
}

#[test]
fn keys_step_by_round_numbers() {
    let document = table_1();
    let scale = timeline_of(&document).fit(WIDTH);
    let drag = Drag::by_key(&document, 0, false).unwrap();
    let (up, down) = (drag.stepped(&scale, true), drag.stepped(&scale, false));
    assert!(down < drag.was && drag.was < up, "{down} {} {up}", drag.was);
    assert_eq!(Drag { was: down, ..drag }.stepped(&scale, true), drag.was, "back again");
    let least = Drag { was: 1, ..drag };
    assert_eq!(least.stepped(&scale, false), 1, "a block runs for at least 1 ns");
    let start = Drag { was: 0, edited: Edited::Start, ..drag };
    assert_eq!(start.stepped(&scale, false), 0);
}

proptest! {
    #![proptest_config(arbitrary::cases(60))]

    /// Wherever the pointer is, what is held belongs to the run, and any drag of it leaves a document that can be read.
    #[test]
    fn whatever_is_held_can_be_dragged(draft in arbitrary::any_drafts(), x in 0.0..WIDTH, y in 0.0..HEIGHT, dx in -900.0..900.0_f64, is_fine: bool) {
        let mut document = Document::new(draft);
        let Ok(scenario) = Scenario::new(&document.draft()) else { return Ok(()) };
        let run = simulate(&scenario, Limits { max_steps: 5_000 });
        let timeline = Timeline::new(&run.trace, &Arc::new(Records::new(&run.trace)));
        let scale = timeline.fit(WIDTH);
        if let Some(grip) = timeline.grip(&scale, HEIGHT, (x, y), None) {
            let row = timeline.row_of_grip(grip).index();
            let drag = Drag::new(&document, row, &timeline, grip).expect("the row is there");
            let value = drag.value(&scale, dx, is_fine);
            prop_assert!(drag.edited == Edited::Start || value >= 1);
            drag.apply(&mut document, value);
            prop_assert_eq!(document.unreadable(), vec![]);
            let (start, times) = document.times_of(row).unwrap();
            match drag.edited {
                Edited::Start => prop_assert_eq!(start, value),
                Edited::Time => prop_assert_eq!(times, &BlockTimes::Each(value)),
                Edited::TimeOf(block) => {
                    let BlockTimes::List(list) = times else { panic!("still a list") };
                    prop_assert_eq!(list[block as usize], value);
                }
            }
        }
    }
}
