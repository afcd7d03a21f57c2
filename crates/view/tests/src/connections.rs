//! What puts operations in order beside streams: hardware connections (H1), non-blocking streams (N1, N2), events (W1).

use crate::pasting::paste;
use blockstep_format::{read_scenario, write_scenario};
use blockstep_learn::why::{Moment, headline, why};
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{
    Draft, KernelDraft, NULL_STREAM, PolicyKind, ProcessDraft, Scenario, StreamDraft, StreamPriority, TaskDraft,
};
use blockstep_sim::trace::{Change, OpKind, Rule};
use blockstep_sim::units::{OpId, Time};
use blockstep_view::position;
use blockstep_view::queues::queues;
use blockstep_view::reason::{self, Reason};
use blockstep_view::sentence::sentence;
use proptest::prelude::*;

use blockstep_testing::arbitrary::{any_drafts, cases};

fn run(draft: &Draft) -> Run {
    engine::simulate(&Scenario::new(draft).unwrap(), Limits::default())
}

fn row(name: &str, stream: &str, time: u64) -> KernelDraft {
    KernelDraft { stream: stream.to_owned(), ..KernelDraft::named(name, 1, 32, time) }
}

/// K1 and K2 in S1, K3 in S2, launched together.
fn three(connections: Option<u64>) -> Draft {
    let kernels = vec![row("K1", "S1", 100), row("K2", "S1", 100), row("K3", "S2", 50)];
    Draft { connections, kernels, ..Draft::default() }
}

fn op(run: &Run, name: &str) -> OpId {
    (0..run.trace.ops().len()).map(OpId::at).find(|&op| run.trace.op_label(op) == name).unwrap()
}

#[test]
fn connections_hold_up_a_stream_that_is_ready() {
    let alone = run(&three(None));
    let shared = run(&three(Some(1)));
    let started = |run: &Run| Records::new(&run.trace).ops.iter().map(|op| op.start.unwrap().ns()).collect::<Vec<_>>();
    assert_eq!((started(&alone), started(&shared)), (vec![0, 100, 0], vec![0, 100, 100]));

    let (trace, records) = (&*shared.trace, Records::new(&shared.trace));
    let (k2, k3) = (op(&shared, "K2"), op(&shared, "K3"));
    let mut replay = shared.replay();
    let state = replay.seek(position::at_time(trace, Time(40))).clone();
    assert_eq!(reason::reason(trace, &state, k3), Some(Reason::BehindInConnection { op: k2 }));
    assert_eq!(reason::words(trace, &state, k3, Reason::BehindInConnection { op: k2 }), "behind K2 in connection 0, which waits for K1");
    let why = why(Moment { trace, records: &records, state: &state }, k3);
    assert_eq!(headline(trace, &why), "K3 waits behind K2 in connection 0. The root cause: K1 executes until 100 ns.");
    assert_eq!(why.links[0].rule, Some(Rule::H1));
    let step = trace.steps().iter().find(|s| s.rule == Rule::H1).unwrap();
    assert_eq!(
        sentence(trace, step),
        "K3 in stream S2 joins the low-priority EE queue, because what was ahead of it in connection 0 has moved on."
    );
    let view = queues(trace, &state, None, Time(40), 8);
    assert!(view.spaces[0].streams.iter().all(|s| s.traits == ["connection 0"]));
    assert!(queues(&alone.trace, alone.replay().seek(0), None, Time(0), 8).spaces[0].streams.iter().all(|s| s.traits.is_empty()));
}

/// A copy does not stand behind kernels, nor a kernel behind copies ([MT] section 5.1).
#[test]
fn connections_keep_kernels_and_copies_apart() {
    let mut draft = three(Some(1));
    draft.kernels[2].copy_in_bytes = 1;
    let run = run(&draft);
    let records = Records::new(&run.trace);
    let copy = (0..records.ops.len()).find(|&i| run.trace.op(OpId::at(i)).kind == OpKind::CopyIn).unwrap();
    assert_eq!(records.ops[copy].start, Some(Time(0)));
    assert_eq!(records.ops[op(&run, "K3").index()].start, Some(Time(100)));
}

/// The listed streams come first, then the others by first use; the NULL stream counts, once for an address space.
#[test]
fn connections_are_taken_by_turns() {
    let listed = |process: Option<&str>, name: &str| StreamDraft {
        process: process.map(str::to_owned),
        name: name.to_owned(),
        priority: StreamPriority::None,
        non_blocking: false,
    };
    let task = |name: &str, process: &str| TaskDraft { process: Some(process.to_owned()), ..TaskDraft::named(name) };
    let of = |task: &str, row: KernelDraft| KernelDraft { task: Some(task.to_owned()), ..row };
    let mut draft = Draft {
        connections: Some(2),
        processes: vec![ProcessDraft::named("P"), ProcessDraft::named("Q")],
        tasks: vec![task("A", "P"), task("B", "Q")],
        streams: vec![listed(None, "S9"), listed(Some("Q"), NULL_STREAM)],
        kernels: vec![
            of("B", row("K1", "S1", 1)),
            of("A", row("K2", NULL_STREAM, 1)),
            of("A", row("K3", "S1", 1)),
            of("A", row("K4", "S9", 1)),
            of("B", row("K5", NULL_STREAM, 1)),
        ],
        ..Draft::default()
    };
    let numbers = |draft: &Draft| Scenario::new(draft).unwrap().streams().iter().map(|s| s.connection).collect::<Vec<_>>();
    // P S9, Q NULL, Q S1, P NULL, P S1.
    assert_eq!(numbers(&draft), [0, 1, 0, 1, 1].map(Some));
    draft.policy.kind = PolicyKind::Runlist;
    assert_eq!(numbers(&draft), [0, 0, 1, 1, 0].map(Some));
    draft.connections = None;
    assert_eq!(numbers(&draft), [None; 5]);
}

#[test]
fn non_blocking_streams_are_not_concerned_by_null() {
    let mut draft = Draft { kernels: vec![row("K1", "S1", 50), row("K2", NULL_STREAM, 100), row("K3", "S2", 10)], ..Draft::default() };
    let starts = |draft: &Draft| Records::new(&run(draft).trace).ops.iter().map(|op| op.start.unwrap().ns()).collect::<Vec<_>>();
    assert_eq!(starts(&draft), [0, 50, 150]);
    draft.streams = vec![StreamDraft { name: "S2".to_owned(), non_blocking: true, ..StreamDraft::default() }];
    assert_eq!(starts(&draft), [0, 50, 0]);
    let text = write_scenario(&draft);
    assert!(text.contains("\"version\": 2") && read_scenario(&text).unwrap() == draft, "{text}");
    let first = text.replace("\"version\": 2", "\"version\": 1");
    let refused = read_scenario(&first).unwrap_err().to_string();
    assert!(refused.ends_with("streams[0].non_blocking is a field of version 2; the file has version 1"), "{refused}");
    let run = run(&draft);
    let view = queues(&run.trace, run.replay().seek(0), None, Time(0), 8);
    let of = |label: &str| view.spaces[0].streams.iter().find(|s| s.label == label).unwrap().traits.clone();
    assert_eq!((of("S1"), of("S2")), (vec![], vec!["non-blocking".to_owned()]));
}

/// The page's table of streams says which are non-blocking where that matters.
#[test]
fn non_blocking_streams_are_set_in_the_document() {
    use blockstep_view::document::Document;
    let mut document = Document::new(three(None));
    assert!(!document.shows_non_blocking());
    let entry = document.streams()[1].clone();
    document.set_stream_non_blocking(&entry, true);
    assert!(document.shows_non_blocking() && document.streams()[1].non_blocking && !document.streams()[0].non_blocking);
    assert_eq!(document.draft().streams.len(), 1);
    let null = Document::new(Draft { kernels: vec![row("K1", NULL_STREAM, 1)], ..Draft::default() });
    assert!(null.shows_non_blocking());
}

/// K1 records E and runs 100 ns in S1; K2 waits for E in S2.
fn with_event() -> Draft {
    let recording = KernelDraft { records: Some("E".to_owned()), ..row("K1", "S1", 100) };
    let waiting = KernelDraft { waits_for: vec!["E".to_owned()], ..row("K2", "S2", 10) };
    Draft { kernels: vec![recording, waiting], ..Draft::default() }
}

fn starts(draft: &Draft) -> Vec<u64> {
    Records::new(&run(draft).trace).ops.iter().map(|op| op.start.unwrap().ns()).collect()
}

#[test]
fn events_hold_a_stream_until_what_they_captured_is_complete() {
    let draft = with_event();
    assert_eq!(starts(&draft), [0, 100]);
    let run = run(&draft);
    let (trace, records) = (&*run.trace, Records::new(&run.trace));
    let (k1, k2) = (op(&run, "K1"), op(&run, "K2"));
    assert_eq!((trace.waits_of(k1), trace.waits_of(k2)), (&[][..], &[k1][..]));
    let mut replay = run.replay();
    let state = replay.seek(position::at_time(trace, Time(40))).clone();
    assert_eq!(reason::reason(trace, &state, k2), Some(Reason::Event { op: k1 }));
    assert_eq!(reason::words(trace, &state, k2, Reason::Event { op: k1 }), "event E was recorded behind K1 in stream S1");
    let why = why(Moment { trace, records: &records, state: &state }, k2);
    assert_eq!(headline(trace, &why), "K2 waits for event E, recorded behind K1. K1 executes until 100 ns.");
    let step = trace.steps().iter().find(|s| s.rule == Rule::W1).unwrap();
    assert_eq!(sentence(trace, step), "K2 in stream S2 joins the low-priority EE queue, because event E is complete.");
}

/// With its row's copies: a record is behind the last operation, a wait before the first one.
#[test]
fn events_stand_around_the_copies_of_a_row() {
    let mut draft = with_event();
    (draft.kernels[0].copy_out_bytes, draft.kernels[1].copy_in_bytes) = (1, 1);
    let run = run(&draft);
    let records = Records::new(&run.trace);
    let [kernel, copy_out, copy_in, waiting] = [0, 1, 2, 3].map(|i| (records.ops[i].start.unwrap(), records.ops[i].end.unwrap()));
    assert_eq!([kernel.1, copy_out.1, copy_in.1], [copy_out.0, copy_in.0, waiting.0]);
}

#[test]
fn events_that_are_not_recorded_yet_are_no_wait() {
    let mut draft = with_event();
    draft.kernels.swap(0, 1);
    assert_eq!(starts(&draft), [0, 0]);
    // Another process's event of this name is another one.
    let mut draft = with_event();
    draft.processes = vec![ProcessDraft::named("P"), ProcessDraft::named("Q")];
    let task = |name: &str, process: &str| TaskDraft { process: Some(process.to_owned()), ..TaskDraft::named(name) };
    draft.tasks = vec![task("A", "P"), task("B", "Q")];
    (draft.kernels[0].task, draft.kernels[1].task) = (Some("A".to_owned()), Some("B".to_owned()));
    assert_eq!(starts(&draft), [0, 0]);
    let warnings = Scenario::new(&draft).unwrap().warnings().iter().map(|w| format!("{}: {}", w.path, w.message)).collect::<Vec<_>>();
    assert_eq!(warnings, ["kernels[1].waits_for[0]: no row of this process records the event \"E\", so nothing waits for it"]);
}

/// Jobs that come again record and wait again: a wait is for the record before it.
#[test]
fn events_capture_what_was_recorded_last() {
    let mut draft = with_event();
    let again = blockstep_sim::scenario::Release::Periodic;
    draft.tasks = vec![TaskDraft { release: again, period_ns: Some(150), jobs: Some(2), ..TaskDraft::named("T") }];
    draft.horizon_ns = Some(400);
    let run = run(&draft);
    let captured = (0..4).map(OpId::at).map(|op| run.trace.waits_of(op).to_vec()).collect::<Vec<_>>();
    assert_eq!(captured, [vec![], vec![OpId(0)], vec![], vec![OpId(2)]]);
    assert_eq!(Records::new(&run.trace).ops[3].start, Some(Time(250)));
}

#[test]
fn events_are_read_written_and_refused() {
    let draft = with_event();
    let text = write_scenario(&draft);
    assert!(text.contains("\"version\": 2") && read_scenario(&text).unwrap() == draft, "{text}");
    let first = text.replace("\"version\": 2", "\"version\": 1");
    let refused = read_scenario(&first).unwrap_err().to_string();
    assert!(refused.contains("kernels[0].records is a field of version 2; the file has version 1"), "{refused}");
    assert!(refused.contains("kernels[1].waits_for is a field of version 2; the file has version 1"), "{refused}");
    let mut twice = draft.clone();
    twice.kernels[1].waits_for.push("E".to_owned());
    assert_eq!(Scenario::new(&twice).unwrap_err().to_string(), "kernels[1].waits_for[1]: \"E\" is named twice");
    let mut empty = draft;
    (empty.kernels[0].records, empty.kernels[1].waits_for[0]) = (Some(" ".to_owned()), String::new());
    let refused = Scenario::new(&empty).unwrap_err().to_string();
    assert_eq!(refused, "kernels[0].records is empty; name an event\nkernels[1].waits_for[0] is empty; name an event");
}

/// The table's cells hold events, typed and pasted, and show their columns only where they are used.
#[test]
fn events_have_columns_where_they_are_used() {
    use blockstep_view::document::Document;
    use blockstep_view::panels::unused_columns;
    use blockstep_view::table::Table;
    let unused = |document: &Document| unused_columns(document, Table::Kernels, &[]);
    let plain = Document::new(three(None));
    assert!(unused(&plain).contains(&"waits_for") && unused(&plain).contains(&"records"));
    let mut document = Document::new(with_event());
    assert!(!unused(&document).contains(&"waits_for") && !unused(&document).contains(&"records"));
    let column = Table::Kernels.column_of("waits_for").unwrap();
    assert_eq!(document.text(Table::Kernels, 1, column), "E");
    document.set(Table::Kernels, 1, column, " E , F ,");
    assert_eq!(document.draft().kernels[1].waits_for, ["E", "F"]);
    let told = paste(&mut document, Table::Kernels, 0, column, "G\tH\n\t").told();
    assert_eq!(
        (document.draft().kernels[0].waits_for.clone(), document.draft().kernels[0].records.clone()),
        (vec!["G".to_owned()], Some("H".to_owned())),
        "{told}"
    );
    document.set(Table::Kernels, 1, column, "");
    assert!(document.draft().kernels[1].waits_for.is_empty());
}

#[test]
fn connections_make_a_file_one_of_version_2() {
    let text = write_scenario(&three(Some(8)));
    assert!(text.contains("\"version\": 2") && text.contains("\"connections\": 8"), "{text}");
    assert_eq!(read_scenario(&text).unwrap(), three(Some(8)));
    assert!(write_scenario(&three(None)).contains("\"version\": 1"));
    let first = text.replace("\"version\": 2", "\"version\": 1");
    assert!(read_scenario(&first).unwrap_err().to_string().ends_with("connections is a field of version 2; the file has version 1"));
    for (connections, what) in [(0, "is 0; at least 1 is needed"), (33, "is 33; at most 32 are possible")] {
        assert_eq!(Scenario::new(&three(Some(connections))).unwrap_err().to_string(), format!("connections {what}"));
    }
}

proptest! {
    #![proptest_config(cases(500))]
    /// With a connection for every stream, and so without H1, a run is what it is without connections.
    #[test]
    fn connections_that_are_enough_change_nothing(mut draft in any_drafts()) {
        draft.connections = None;
        let without = run(&draft);
        draft.connections = Some(Scenario::new(&draft).unwrap().streams().len().clamp(1, 32) as u64);
        let with = run(&draft);
        prop_assert_eq!(without.trace.text(), with.trace.text());
        prop_assert_eq!(without.trace.steps(), with.trace.steps());
    }

    /// Where every stream but NULL is non-blocking, nothing waits for the NULL stream, and it for nothing.
    #[test]
    fn non_blocking_streams_make_null_a_stream_like_any_other(mut draft in any_drafts()) {
        let scenario = Scenario::new(&draft).unwrap();
        let name = |stream: &blockstep_sim::scenario::Stream| Some(scenario.processes()[stream.process.index()].name.clone());
        draft.streams = scenario.streams().iter().map(|stream| StreamDraft {
            process: if draft.processes.is_empty() { None } else { name(stream) },
            name: stream.name.clone(),
            priority: stream.priority,
            non_blocking: !stream.is_null(),
        }).collect();
        let run = run(&draft);
        let mut state = run.replay();
        for applied in 0..=run.trace.steps().len() as u32 {
            let state = state.seek(applied);
            let ops = (0..run.trace.ops().len()).map(OpId::at);
            let barred = ops.filter_map(|op| reason::reason(&run.trace, state, op)).find(|r| matches!(r, Reason::N1 { .. } | Reason::N2 { .. }));
            prop_assert_eq!(barred, None);
        }
        draft.streams.iter_mut().for_each(|stream| stream.non_blocking = false);
        if !draft.kernels.iter().any(|k| k.stream == NULL_STREAM || k.synchronous) {
            prop_assert_eq!(run.trace.text(), self::run(&draft).trace.text());
        }
    }

    /// What waits for an event moves on no sooner than what that had captured is complete.
    #[test]
    fn events_are_waited_for(draft in any_drafts()) {
        let run = run(&draft);
        let records = Records::new(&run.trace);
        for (i, record) in records.ops.iter().enumerate() {
            for captured in run.trace.waits_of(OpId::at(i)) {
                let end = records.ops[captured.index()].end;
                prop_assert!(captured.index() < i && record.queued.is_none_or(|queued| end.is_some_and(|end| end <= queued)));
            }
        }
    }

    /// One connection: kernels of an address space move on in the order of their launch, and so do the copies of each CE queue.
    #[test]
    fn connections_keep_the_order_of_launches(mut draft in any_drafts()) {
        draft.connections = Some(1);
        let run = run(&draft);
        let mut last = std::collections::BTreeMap::new();
        for step in run.trace.steps() {
            let moved = match step.change {
                Change::EeJoined { op, .. } => Some((op, None)),
                Change::CeJoined { op, engine } => Some((op, Some(engine))),
                _ => None,
            };
            if let Some((op, engine)) = moved {
                let line = (run.trace.layout().stream(run.trace.op(op).stream).space, engine);
                prop_assert!(last.insert(line, op).is_none_or(|before| before < op), "{}", run.trace.text());
            }
        }
    }
}
