//! The document that the tables edit, its history, and the position in a run: as the page uses
//! them, without a browser.

use std::sync::Arc;

use blockstep_format::read_scenario;
use blockstep_sim::engine::{Limits, Run, simulate};
use blockstep_sim::examples;
use blockstep_sim::scenario::{
    BlockTimes, Class, DeviceDraft, Draft, Interleave, KernelDraft, PolicyDraft, PolicyKind, Preemption, Release, Scenario, StreamPriority,
    TaskDraft,
};
use blockstep_sim::units::Time;
use blockstep_view::document::{Document, MAX_BYTES, MAX_ENTRIES, TooMuch, too_much};
use blockstep_view::history::{Edited, History};
use blockstep_view::position::{self, Goal, Stop, parse_goal};
use blockstep_view::quantity::format_time;
use blockstep_view::table::{Cells, Table};
use proptest::prelude::*;

use blockstep_testing::arbitrary;

pub fn table_1() -> Document {
    Document::new(read_scenario(examples::first().json).unwrap())
}

pub fn column(table: Table, field: &str) -> usize {
    table.column_of(field).unwrap()
}

fn set(d: &mut Document, table: Table, row: usize, field: &str, text: &str) {
    d.set(table, row, column(table, field), text);
}

pub fn text(d: &Document, table: Table, row: usize, field: &str) -> String {
    d.text(table, row, column(table, field))
}

fn run_of(draft: &Draft) -> Run {
    simulate(&Scenario::new(draft).unwrap(), Limits::default())
}

#[test]
fn cells_are_read_as_people_write_them() {
    let mut d = table_1();
    for (field, typed, shown) in [
        ("start_ns", "0.2", "200 ms"),
        ("start_ns", "200 ms", "200 ms"),
        ("start_ns", "", ""),
        ("shared_memory_bytes", "32KB", "32 KiB"),
        ("copy_in_bytes", "256 MB", "256 MiB"),
        ("copy_in_bytes", "-", ""),
        ("threads_per_block", "1,024", "1,024"),
        ("block_time_ns", "1 s; 2 s", "1 s; 2 s"),
        ("registers_per_thread", "32", "32"),
    ] {
        set(&mut d, Table::Kernels, 0, field, typed);
        assert_eq!(text(&d, Table::Kernels, 0, field), shown, "{field}: {typed}");
    }
    assert_eq!(d.unreadable(), []);
    let k = &d.draft().kernels[0];
    assert_eq!((k.start_ns, k.shared_memory_bytes, k.threads_per_block), (0, 32 << 10, 1024));
    assert_eq!(k.block_time_ns, BlockTimes::List(Arc::from([1_000_000_000, 2_000_000_000])));
}

#[test]
fn processes_and_tasks_are_read_likewise() {
    let mut d = table_1();
    for (table, field, typed, shown) in [
        (Table::Processes, "timeslice_ns", "1.5 ms", "1.5 ms"),
        (Table::Processes, "timeslice_ns", "0.5", "500 ms"),
        (Table::Processes, "timeslice_ns", "2 ms", ""),
        (Table::Processes, "timeslice_ns", "", ""),
        (Table::Processes, "interleave", "High", "high"),
        (Table::Processes, "preemption", "block", "block"),
        (Table::Tasks, "class", "real time", "real_time"),
        (Table::Tasks, "class", "best_effort", "best_effort"),
        (Table::Tasks, "budget_ns", "3 ms", "3 ms"),
        (Table::Tasks, "budget_ns", "", ""),
        (Table::Tasks, "priority", "-1,024", "-1024"),
        (Table::Tasks, "priority", "\u{2212}7", "-7"),
        (Table::Tasks, "priority", "0", ""),
        (Table::Tasks, "priority", "", ""),
        (Table::Tasks, "priority", "9223372036854775807", "9223372036854775807"),
    ] {
        set(&mut d, table, 0, field, typed);
        assert_eq!((text(&d, table, 0, field), d.unreadable()), (shown.to_owned(), vec![]), "{field}: {typed}");
    }
    let draft = d.draft();
    let (process, task) = (&draft.processes[0], &draft.tasks[0]);
    assert_eq!((process.interleave, process.timeslice_ns, process.preemption), (Interleave::High, 2_000_000, Some(Preemption::Block)));
    assert_eq!((task.class, task.budget_ns, task.priority), (Some(Class::BestEffort), None, i64::MAX));
    for (table, field, typed) in [
        (Table::Processes, "timeslice_ns", "-1 ms"),
        (Table::Processes, "interleave", "often"),
        (Table::Processes, "preemption", "warp"),
        (Table::Tasks, "class", "soft"),
        (Table::Tasks, "budget_ns", "all"),
        (Table::Tasks, "priority", "9223372036854775808"),
        (Table::Tasks, "priority", "high"),
    ] {
        set(&mut d, table, 0, field, typed);
        assert_eq!(text(&d, table, 0, field), typed, "nothing typed is lost");
        let problem = d.unreadable().into_iter().find(|p| p.path == format!("{}[0].{field}", table.field())).unwrap();
        assert!(problem.message.contains(&format!("\"{typed}\"")), "{problem}");
    }
    assert_eq!(d.unreadable().len(), 6);
    // A copy of the row keeps what was typed too.
    d.add(Table::Tasks, Some(0), true);
    d.add(Table::Processes, Some(0), true);
    assert_eq!(d.unreadable().len(), 12);
}

#[test]
fn the_class_of_a_task_follows_from_its_times() {
    let mut d = table_1();
    let class = |d: &Document| d.draft().tasks[0].class();
    assert_eq!(class(&d), Class::BestEffort);
    set(&mut d, Table::Tasks, 0, "deadline_ns", "1 s");
    assert_eq!(class(&d), Class::RealTime);
    set(&mut d, Table::Tasks, 0, "class", "best effort");
    assert_eq!(class(&d), Class::BestEffort);
    set(&mut d, Table::Tasks, 0, "class", "");
    set(&mut d, Table::Tasks, 0, "deadline_ns", "");
    set(&mut d, Table::Tasks, 0, "period_ns", "1 s");
    assert_eq!(class(&d), Class::RealTime);
}

#[test]
fn settings_of_a_policy_are_kept_under_another() {
    let mut d = table_1();
    assert_eq!(["policy.switch_cost_ns", "policy.cbs", "policy.preemption"].map(|path| d.top_text(path)), ["", "on", "thread"]);
    d.set_top("policy.switch_cost_ns", "263 us");
    d.set_top("policy.cbs", "off");
    d.set_top("policy.preemption", "block");
    for kind in [PolicyKind::Edf, PolicyKind::Fifo, PolicyKind::Runlist] {
        d.rest.policy.kind = kind;
        assert_eq!(["policy.switch_cost_ns", "policy.cbs", "policy.preemption"].map(|path| d.top_text(path)), ["263 µs", "off", "block"]);
        assert_eq!(d.draft().policy.switch_cost_ns, 263_000);
    }
    d.set_top("policy.switch_cost_ns", "a while");
    assert_eq!((d.top_text("policy.switch_cost_ns").as_str(), d.unreadable()[0].path.as_str()), ("a while", "policy.switch_cost_ns"));
    d.set_top("policy.switch_cost_ns", "");
    assert_eq!((d.draft().policy.switch_cost_ns, d.unreadable()), (0, vec![]));
}

#[test]
fn what_cannot_be_read_is_kept_and_named() {
    let mut d = table_1();
    set(&mut d, Table::Kernels, 2, "blocks", "six");
    set(&mut d, Table::Kernels, 2, "start_ns", "soon");
    d.set_top("horizon_ns", "never");
    d.set_top("device.sms", "two");
    assert_eq!(text(&d, Table::Kernels, 2, "blocks"), "six");
    assert_eq!(d.top_text("horizon_ns"), "never");
    assert_eq!(d.draft().kernels[2].blocks, 2, "the last readable value stays");
    let paths: Vec<_> = d.unreadable().into_iter().map(|p| p.path).collect();
    assert_eq!(paths, ["device.sms", "horizon_ns", "kernels[2].blocks", "kernels[2].start_ns"]);
    assert!(d.unreadable().iter().any(|p| p.message.contains("six")), "the value is named");

    // The same texts are there after a visit.
    let mut later = Document::new(d.draft());
    for (path, text) in d.raw_texts() {
        later.set_path(&path, &text);
    }
    assert_eq!((later.raw_texts(), later.unreadable()), (d.raw_texts(), d.unreadable()));

    // They move with their row, and go when the cell is mended.
    d.shift(Table::Kernels, 2, false);
    assert_eq!(text(&d, Table::Kernels, 1, "blocks"), "six");
    set(&mut d, Table::Kernels, 1, "blocks", "3");
    set(&mut d, Table::Kernels, 1, "start_ns", "0");
    d.set_top("horizon_ns", "");
    d.set_top("device.sms", "2");
    assert_eq!(d.unreadable(), []);
}

#[test]
fn renaming_takes_references_along() {
    let mut draft = Draft { kernels: vec![KernelDraft::named("A", 1, 32, 5), KernelDraft::named("B", 1, 32, 5)], ..Draft::default() };
    draft.kernels[1].after = Some("A".to_owned());
    draft.tasks = vec![TaskDraft::named("T"), TaskDraft { consumes: vec!["T".to_owned()], ..TaskDraft::named("U") }];
    draft.kernels[0].task = Some("T".to_owned());
    let mut d = Document::new(draft);
    set(&mut d, Table::Kernels, 0, "name", "First");
    set(&mut d, Table::Tasks, 0, "name", "Camera");
    let draft = d.draft();
    assert_eq!(draft.kernels[1].after.as_deref(), Some("First"));
    assert_eq!(draft.kernels[0].task.as_deref(), Some("Camera"));
    assert_eq!(draft.tasks[1].consumes, ["Camera"]);
    // An empty name is wrong, and must not empty the references.
    set(&mut d, Table::Kernels, 0, "name", "");
    assert_eq!(d.draft().kernels[1].after.as_deref(), Some("First"));
}

#[test]
fn rows_are_added_copied_moved_and_deleted() {
    let mut d = table_1();
    let id = d.add(Table::Kernels, Some(1), true);
    assert_eq!(d.names(Table::Kernels), ["K1", "K2", "K7", "K3", "K4", "K5", "K6"]);
    assert_eq!(d.row_of(Table::Kernels, id), Some(2));
    assert_eq!(text(&d, Table::Kernels, 2, "copy_out_bytes"), "256 MiB");
    d.add(Table::Kernels, None, false);
    assert!(Scenario::new(&d.draft()).is_ok(), "a new row can run as it is");
    d.shift(Table::Kernels, 2, true);
    assert_eq!(d.row_of(Table::Kernels, id), Some(3));
    d.delete(Table::Kernels, 3);
    assert_eq!(d.row_of(Table::Kernels, id), None);
    d.shift(Table::Kernels, 0, false);
    d.delete(Table::Kernels, 99);
    assert_eq!(d.len(Table::Kernels), 7);
    // The last task and process stay.
    d.delete(Table::Processes, 0);
    assert_eq!(d.len(Table::Processes), 1);
}

#[test]
fn moving_the_first_task_keeps_its_rows() {
    let mut d = Document::new(Draft { kernels: vec![KernelDraft::named("A", 1, 32, 5)], ..Draft::default() });
    d.add(Table::Tasks, None, false);
    d.shift(Table::Tasks, 0, true);
    assert_eq!(d.names(Table::Tasks), ["T1", "T0"]);
    assert_eq!(d.draft().kernels[0].task.as_deref(), Some("T0"));
}

#[test]
fn a_copy_above_the_row_it_waits_for_waits_for_nothing() {
    let mut draft = Draft { kernels: vec![KernelDraft::named("A", 1, 32, 5), KernelDraft::named("B", 1, 32, 5)], ..Draft::default() };
    draft.kernels[1].after = Some("A".to_owned());
    let mut d = Document::new(draft);
    d.add(Table::Kernels, Some(1), true);
    assert_eq!(text(&d, Table::Kernels, 2, "after"), "A");
}

#[test]
fn a_saved_spreadsheet_is_read_whatever_its_separator() {
    use blockstep_format::{is_sheet, read_sheet};
    for (text, cells) in [
        ("Kernel,Blocks\nA,1\n", "Kernel\tBlocks\nA\t1\n"),
        ("\u{feff}Kernel;Start (s)\r\nA;0,5\r\n", "Kernel\tStart (s)\nA\t0,5\n"),
        ("Kernel\tBlocks\nA\t1", "Kernel\tBlocks\nA\t1\n"),
        ("\"Kernel\",\"Blocks\"\n\"A, or\tB\",1\n", "Kernel\tBlocks\nA, or B\t1\n"),
    ] {
        assert!(is_sheet(text), "{text:?}");
        assert_eq!(read_sheet(text).unwrap(), cells);
    }
    for text in ["{\"version\": 1, \"kernels\": []}", "<simulation a=\"1,2\"/>", "[1, 2]", "not a table", "", "\"text\""] {
        assert!(!is_sheet(text), "{text:?}");
    }
}

#[test]
fn a_saved_spreadsheet_of_too_many_columns_is_refused() {
    use blockstep_format::{MAX_COLUMNS, read_sheet};
    let wide = |cells: usize| format!("Kernel,Blocks\n\n{}\n", vec!["1"; cells].join(","));
    assert_eq!(read_sheet(&wide(MAX_COLUMNS)).unwrap().lines().last().unwrap().split('\t').count(), MAX_COLUMNS);
    assert_eq!(read_sheet(&wide(1_000_000)).unwrap_err().to_string(), "Line 3 has 1,000,000 columns; at most 1,000 are read.");
}

#[test]
fn streams_are_listed_by_use_and_keep_their_priority() {
    let mut d = table_1();
    let names: Vec<_> = d.streams().into_iter().map(|s| s.name).collect();
    assert_eq!(names, ["S1", "S2", "S3"]);
    let entry = d.streams().remove(1);
    d.set_stream_priority(&entry, StreamPriority::High);
    assert_eq!(d.streams()[1].priority, StreamPriority::High);
    set(&mut d, Table::Kernels, 0, "stream", "NULL");
    assert!(d.streams().iter().any(|s| s.name == "NULL" && s.used));
    let offered = d.stream_names();
    assert_eq!((offered.contains(&"S4".to_owned()), offered.iter().filter(|n| *n == "NULL").count()), (true, 1));
}

#[test]
fn an_edited_limit_makes_a_device_of_ones_own() {
    let mut d = table_1();
    d.set_top("device.sms", "4");
    assert!(matches!(&d.rest.device, DeviceDraft::Custom(device) if device.sms == 4 && device.threads_per_sm == 2048));
    d.set_device("k5000");
    assert_eq!((d.top_text("device.sms"), d.rest.device.clone()), ("8".into(), DeviceDraft::BuiltIn("k5000".into())));
}

#[test]
fn keystrokes_of_one_cell_are_undone_together() {
    let mut h = History::new(table_1());
    let start = Arc::clone(h.present());
    let type_in = |h: &mut History<Document>, cell: &str, text: &str| {
        h.edit(Some(cell.to_owned()), |d| set(d, Table::Kernels, 0, "blocks", text));
    };
    type_in(&mut h, "blocks", "1");
    type_in(&mut h, "blocks", "12");
    h.pause();
    type_in(&mut h, "blocks", "120");
    h.edit(None, |d| d.rest.policy.kind = PolicyKind::Fifo);
    h.edit(None, |_| {});
    h.undo();
    h.undo();
    assert_eq!(h.present().draft().kernels[0].blocks, 12);
    h.undo();
    assert_eq!((h.present(), h.can_undo()), (&start, false));
    h.redo();
    assert_eq!(h.present().draft().kernels[0].blocks, 12);
    h.edit(None, |d| d.rest.policy.kind = PolicyKind::Fifo);
    assert!(!h.can_redo(), "an edit ends what was undone");
}

#[test]
fn positions_follow_instants_times_and_typed_text() {
    let run = run_of(&table_1().draft());
    let t = &run.trace;
    let count = t.steps().len() as u32;
    let mut position = 0;
    let mut ends = Vec::new();
    while position < count {
        position = position::next_instant(t, position);
        ends.push(position);
        assert_eq!(position, position::at_time(t, position::time_at(t, position)));
    }
    for pair in ends.windows(2) {
        assert_eq!(position::previous_instant(t, pair[1]), pair[0]);
    }
    assert_eq!((position::previous_instant(t, ends[0]), position::next_instant(t, count)), (0, count));
    let at = Time(1_100_000_000);
    assert_eq!(parse_goal(" 1.1 s ", count), Ok(Goal::Time(at)));
    assert_eq!(position::parse_stop(t, "1.1 s"), Ok(Stop { position: position::at_time(t, at), at }));
    let beyond = |text| parse_goal(text, count).unwrap().beyond(t.end());
    assert_eq!(beyond("12 s"), Some(format!("12 s is beyond the end of the timeline, {}.", format_time(t.end().ns()))));
    assert_eq!((beyond("1.1 s"), beyond("#12"), Goal::Time(t.end()).beyond(t.end())), (None, None, None));
    for (text, step) in [("#12", 12), ("Step 12", 12), ("#0", 0)] {
        assert_eq!(parse_goal(text, count), Ok(Goal::Step(step)));
    }
    let error = parse_goal("#1,000", count).unwrap_err().to_string();
    assert!(error.contains("1000") && error.contains(&count.to_string()), "{error}");
    for nonsense in ["", "soon", "#", "#x", "step", "-1", "žluť"] {
        assert!(parse_goal(nonsense, count).is_err(), "{nonsense}");
    }
}

#[test]
fn every_example_reads_and_comes_back() {
    for example in examples::all() {
        let draft = read_scenario(example.json).unwrap();
        let document = Document::new(draft.clone());
        assert_eq!((document.draft().kernels, document.unreadable()), (draft.kernels, vec![]), "{}", example.id);
    }
}

#[test]
fn the_empty_scenario_is_valid() {
    assert_eq!(run_of(&Draft::default()).trace.ops().len(), 0);
    assert_eq!(Release::Once, TaskDraft::named("T").release);
}

/// A list of one time says the same as the time.
fn plain(mut draft: Draft) -> Draft {
    for k in &mut draft.kernels {
        if let BlockTimes::List(list) = &k.block_time_ns
            && let [ns] = **list
        {
            k.block_time_ns = BlockTimes::Each(ns);
        }
    }
    draft
}

proptest! {
    /// Writing a value to a cell and reading the cell gives the value back.
    #[test]
    fn cells_round_trip(draft in arbitrary::any_drafts()) {
        let document = Document::new(draft);
        for table in Table::ALL {
            let mut again = document.clone();
            for row in 0..document.len(table) {
                for column in 0..table.columns().len() {
                    again.set(table, row, column, &document.text(table, row, column));
                }
            }
            prop_assert_eq!(plain(again.draft()), plain(document.draft()));
            prop_assert_eq!(again.unreadable(), vec![]);
        }
    }

    /// No text in any cell does harm.
    #[test]
    fn any_text_is_kept(typed in "\\PC{0,12}", row in 0_usize..6, column in 0_usize..12) {
        let mut d = table_1();
        d.set(Table::Kernels, row, column, &typed);
        let kept = d.text(Table::Kernels, row, column);
        if d.unreadable().is_empty() {
            let mut again = d.clone();
            again.set(Table::Kernels, row, column, &kept);
            prop_assert_eq!(again.draft(), d.draft());
        } else {
            prop_assert_eq!(kept, typed.clone());
        }
        let mut k = KernelDraft::named("K", 1, 1, 1);
        let _ = k.set_cell("blocks", &typed);
    }
}

/// However large a document is, its history is not: the oldest go, and the last edit can be undone.
#[test]
fn histories_of_large_documents_are_short() {
    let undone = |rows: u64, edits: u64| {
        let kernels = (0..rows).map(|i| KernelDraft::named(format!("K{i}"), 1, 1, 1)).collect();
        let mut history = History::new(Document::new(Draft { kernels, ..Draft::default() }));
        for edit in 1..=edits {
            history.edit(None, |document| document.rest.seed = edit);
        }
        let mut undone = 0;
        while history.can_undo() {
            history.undo();
            undone += 1;
            assert_eq!(history.present().rest.seed, edits - undone);
        }
        undone
    };
    let rows = Document::MAX_ROWS as u64 / 4;
    assert_eq!(undone(rows, 6), 3, "four would have a little more");
    assert_eq!(undone(Document::MAX_ROWS as u64 + 1, 2), 1);
    assert_eq!(undone(1, 510), 500);
}

#[test]
fn an_edit_that_would_make_too_many_entries_changes_nothing() {
    let mut history = History::new(table_1());
    let before = Arc::clone(history.present());
    let rows = before.entry_count();
    assert_eq!(
        history.edit_within(rows, None, |d| {
            d.add(Table::Kernels, None, false);
        }),
        Err(rows + 1)
    );
    assert!(Arc::ptr_eq(history.present(), &before));
    assert!(!history.can_undo());
    // What makes it no larger is made, also of a document that is too large already.
    assert_eq!(history.edit_within(1, None, |d| d.set_path("kernels[0].blocks", "7")), Ok(()));
    assert_eq!(
        history.edit_within(rows + 1, None, |d| {
            d.add(Table::Kernels, None, false);
        }),
        Ok(())
    );
    // Names in `consumes` count, too.
    let names = (0..5).map(|i| format!("T{i}")).collect::<Vec<_>>().join(", ");
    assert_eq!(history.edit_within(rows + 3, None, |d| d.set_path("tasks[0].consumes", &names)), Err(rows + 6));
}

#[test]
fn cells_are_counted_before_they_are_read() {
    let lines = |count: usize| "K\t1\n".repeat(count);
    assert_eq!(too_much(&lines(MAX_ENTRIES)), None);
    // One line may name the columns.
    assert_eq!(too_much(&lines(MAX_ENTRIES + 1)), None);
    assert_eq!(too_much(&lines(MAX_ENTRIES + 2)), Some(TooMuch::Lines(MAX_ENTRIES + 2)));
    assert_eq!(too_much(&"x".repeat(MAX_BYTES + 1)), Some(TooMuch::Bytes(MAX_BYTES + 1)));
}

#[test]
fn a_long_list_of_names_is_summed_up_in_its_cell() {
    let mut d = table_1();
    let names = |count: usize| (0..count).map(|i| format!("T{i}")).collect::<Vec<_>>().join(", ");
    set(&mut d, Table::Tasks, 0, "consumes", &names(50));
    assert_eq!(text(&d, Table::Tasks, 0, "consumes"), names(50));
    set(&mut d, Table::Tasks, 0, "consumes", &names(1_051));
    assert_eq!(text(&d, Table::Tasks, 0, "consumes"), "1,051 names");
    // The sum is no name: what is typed into it keeps the list, and is kept itself.
    set(&mut d, Table::Tasks, 0, "consumes", "105 names");
    assert_eq!(d.draft().tasks[0].consumes.len(), 1_051);
    assert_eq!(text(&d, Table::Tasks, 0, "consumes"), "105 names");
}

/// [EDF] VI-C: 64 KB, twice 48 KB and 32K registers, and 512 KB at 20 GB/s take about 50 µs.
#[test]
fn time_to_save_grows_with_the_sms() {
    let mut d = Document::new(Draft::default());
    assert_eq!((d.device().sms, d.time_to_save()), (2, 47_600));
    d.set_device("a100");
    assert_eq!((d.device().sms, d.time_to_save()), (108, 1_002_800));
    d.set_top("device.sms", "18446744073709551615");
    assert!(d.time_to_save() > 0);
}

/// [LP] Table I in docs/varying-times.md: the paper's rows, the page's cards, and the bandwidth that follows from state and average.
#[test]
fn cards_are_those_of_table_i_of_lp() {
    use blockstep_view::document::CARDS;
    let document = std::fs::read_to_string(std::path::Path::new(blockstep_testing::ROOT).join("docs/varying-times.md")).unwrap();
    let of = |name: &str| {
        let line = document.lines().find(|line| line.starts_with(&format!("| {name} |"))).unwrap();
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>()
    };
    let us = |ns: u64| format!("{:.1}", ns as f64 / 1e3);
    let paper = blockstep_testing::shared::text("papers/spliet-2018-limited-preemption.md");
    for card in CARDS.iter().filter(|card| card.least_ns.is_some()) {
        let cells = of(card.name);
        let [sms, _, memory, state] = [1, 2, 3, 4].map(|i| cells[i].trim_end_matches(".0"));
        assert_eq!(card.about, format!("{sms} SMs, {memory} GiB/s, {state} KiB"));
        assert_eq!(cells[5..8], [card.least_ns.unwrap(), card.average_ns, card.longest_ns].map(us), "{}", card.name);
        let used = state.parse::<f64>().unwrap() / f64::from(1 << 20) / (card.average_ns as f64 / 1e9);
        assert_eq!(cells[10], format!("{used:.2}"), "{}", card.name);
        if let Some(paper) = &paper {
            let row = format!("{} {}%", cells[..9].join(" "), cells[9]);
            assert!(paper.lines().any(|line| line.split_whitespace().collect::<Vec<_>>().join(" ") == row), "{row}");
        }
    }
}

/// What the switches of a document take is one choice, whose fields keep what was typed.
#[test]
fn switches_are_shaped_by_one_choice() {
    use blockstep_view::document::{CARDS, SwitchShape};
    let mut d = Document::new(Draft::default());
    let policy = |d: &Document| (d.draft().policy.switch_cost_ns, d.draft().policy.switch_cost_max_ns, d.draft().policy.switch_samples_ns);
    assert_eq!(d.top_text("policy.switches"), "constant");
    // Nothing is typed yet: those of Fig. 1 of [LP].
    d.set_top("policy.switches", "tail");
    assert_eq!(policy(&d), (21_500, Some(79_550), vec![]));
    assert_eq!(d.switch_card(), Some(0));
    let texts = ["policy.switches", "policy.switch_cost_max_ns", "policy.switch_tail_per_million"].map(|path| d.top_text(path));
    assert_eq!(texts, ["tail", "79.55 µs", "3,000"]);
    // An empty field is not the end of the choice.
    d.set_top("policy.switch_cost_max_ns", "");
    assert_eq!((d.top_text("policy.switches").as_str(), d.unreadable().len()), ("tail", 1));
    d.set_top("policy.switch_cost_max_ns", "90us");
    d.set_top("policy.switches", "samples");
    assert_eq!(policy(&d), (21_500, Some(90_000), vec![21_500, 90_000]));
    d.set_top("policy.switch_samples_ns", "20us; 1 ms; 30us");
    assert_eq!(d.top_text("policy.switch_samples_ns"), "20 µs; 1 ms; 30 µs");
    d.set_top("policy.switch_samples_ns", "20us; soon");
    let said = d.unreadable()[0].message.clone();
    assert!(said.starts_with("sample 1: \"soon\" is not a number"), "{said}");
    d.set_top("policy.switch_samples_ns", "");
    assert_eq!((policy(&d).2.len(), d.top_text("policy.switches").as_str()), (3, "samples"));
    d.set_top("policy.switches", "tail");
    assert_eq!(policy(&d), (21_500, Some(90_000), vec![]));
    for (i, card) in CARDS.iter().enumerate() {
        d.set_switch_card(card);
        assert_eq!((d.switch_card(), d.unreadable()), (Some(i), vec![]));
        assert!(Scenario::new(&d.draft()).is_ok());
    }
    let line = "GTX 780 (12 SMs, 288.4 GiB/s, 268.6 KiB): 9.7 µs at least, 20 µs on average, 28.6 µs at most";
    assert_eq!(CARDS[4].line(), line);
    d.set_constant_switches("27us");
    assert_eq!((policy(&d), SwitchShape::from_policy(&d.draft().policy)), ((27_000, None, vec![]), SwitchShape::Constant));
    // Many samples are summed up.
    let policy = PolicyDraft { switch_samples_ns: (1..=1000).collect(), ..PolicyDraft::default() };
    let d = Document::new(Draft { policy, ..Draft::default() });
    assert_eq!(d.top_text("policy.switch_samples_ns"), "1,000 times, 1 ns to 1 µs");
}

#[test]
fn an_edit_is_told_in_a_few_words() {
    let before = table_1();
    let told = |edit: &dyn Fn(&mut Document)| {
        let mut after = before.clone();
        edit(&mut after);
        (after.change_since(&before), before.change_since(&after))
    };
    let cell = |row: usize, field: &'static str, text: &'static str| told(&|d| set(d, Table::Kernels, row, field, text));
    assert_eq!(cell(0, "blocks", "4"), ("blocks of K1 from 6 to 4".to_owned(), "blocks of K1 from 4 to 6".to_owned()));
    assert_eq!(cell(0, "block_time_ns", "2 s").0, "time per block of K1 from 1 s to 2 s");
    assert_eq!(cell(0, "start_ns", "0.1").0, "start of K1 from 0 to 100 ms", "an empty cell is what it stands for");
    assert_eq!(cell(0, "start_ns", "soon, I hope, or rather late").0, "start of K1 from 0 to soon, I hope, or rather …");
    assert_eq!(cell(0, "name", "First").0, "name from K1 to First");
    let two = |fields: [&'static str; 2]| told(&|d| (0..2).for_each(|i| set(d, Table::Kernels, i, fields[i], "3"))).0;
    assert_eq!((two(["blocks", "blocks"]).as_str(), two(["blocks", "registers_per_thread"]).as_str()), ("blocks of 2 rows", "2 cells"));
    let added = told(&|d| {
        d.add(Table::Kernels, None, false);
    });
    assert!(added.0.ends_with(" added") && added.1 == added.0.replace("added", "removed"), "{added:?}");
    assert_eq!(told(&|d| d.rest.policy.kind = PolicyKind::Edf).0, "policy from Priority to EDF");
    assert_eq!(told(&|d| d.rest.name = "Mine".to_owned()).0, "name of the scenario from TX2 Table 1: basic sched… to Mine");
    assert_eq!(told(&|d| d.rest.seed += 1).0, "settings");
    let other = Document::new(read_scenario(examples::find("edf-fig-1").unwrap().json).unwrap());
    assert!(other.change_since(&before).starts_with("opening "), "{}", other.change_since(&before));
}
