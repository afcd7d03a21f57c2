//! What would come of changes, and the walk through the example trace.

use blockstep_traces::Recording;
use blockstep_traces::answers::Tracer;
use blockstep_traces::answers::what_if::{NoGain, WhatIf, WhatIfChange, what_if};
use blockstep_traces::causes::{Analysis, Cause, KnownSettings};
use blockstep_traces::made::LeftOut;
use blockstep_traces::words::{certainty, sentence};
use blockstep_traces_messages::{TraceAnswer, TraceAsk, example};
use serde_json::json;

use super::Made;

fn place(recording: &Recording, name: &str) -> u32 {
    recording.operations.iter().position(|operation| recording.name(operation) == name).unwrap() as u32
}

/// Of the operation with this name; times in whole microseconds after the trace's first event.
fn tried(recording: &Recording, analysis: &Analysis, name: &str) -> (WhatIf, u64, u64, Vec<(WhatIfChange, u64)>) {
    let tried = what_if(recording, analysis, place(recording, name)).unwrap();
    let us = |ns: u64| (ns + 500) / 1_000;
    let changed = tried.changed.iter().map(|(change, at)| (*change, us(at.ns()))).collect();
    let (measured, unchanged) = (us(tried.measured.ns()), us(tried.unchanged.ns()));
    (tried, measured, unchanged, changed)
}

#[test]
fn profile_what_if_the_kernel_ahead_were_two() {
    let mut made = Made::default();
    // Four waves of 216 blocks, then four blocks that find no room before.
    made.sized("A", 20, 0, (8, 2_008), 864).sized("B", 24, 10, (2_010, 2_100), 4);
    let (recording, analysis) = made.read();
    let (all, measured, unchanged, changed) = tried(&recording, &analysis, "B");
    assert_eq!((measured, unchanged), (2_010, 2_008), "the launch takes 2 us more than nothing");
    let a = place(&recording, "A");
    // A high priority gets the first places that become free; half of A's waves are over at 1,008.
    assert_eq!(
        changed,
        [
            (WhatIfChange::HighPriority, 508),
            (WhatIfChange::OwnStream, 2_008),
            (WhatIfChange::Split(a), 1_008),
            (WhatIfChange::HalfGrid(a), 2_008),
            (WhatIfChange::Earlier(a), 8),
        ],
        "{all:?}"
    );
    assert_eq!((all.operations, all.left_out), (2, vec![]));
}

#[test]
fn profile_what_if_the_kernel_ahead_had_half_the_grid() {
    let mut made = Made::default();
    // Two blocks on each SM, so that none has room; then one.
    made.sized("A", 20, 0, (8, 508), 216).sized("B", 24, 10, (510, 600), 4);
    let (recording, analysis) = made.read();
    let (_, _, unchanged, changed) = tried(&recording, &analysis, "B");
    assert_eq!(unchanged, 508);
    assert!(changed.contains(&(WhatIfChange::HalfGrid(place(&recording, "A")), 10)), "{changed:?}");
}

#[test]
fn profile_what_if_there_were_more_connections() {
    let mut made = Made::default();
    // The second of stream 20 stands in the only queue, before the one of stream 24.
    made.kernel("A", 20, 0, (8, 508)).kernel("A2", 20, 4, (510, 520)).kernel("B", 24, 10, (510, 600));
    let (recording, analysis) = made.read();
    let has_change = |changed: &[(WhatIfChange, u64)]| changed.iter().any(|(change, _)| *change == WhatIfChange::Connections);
    assert!(!has_change(&tried(&recording, &analysis, "B").3), "with 8 connections two streams share none");
    let known = KnownSettings { connections: Some(1) };
    let analysis = Analysis::new(&recording, known, &mut |_| true).unwrap();
    let (_, _, unchanged, changed) = tried(&recording, &analysis, "B");
    assert_eq!(unchanged, 508, "the run has the one connection");
    assert!(changed.contains(&(WhatIfChange::Connections, 10)), "{changed:?}");
}

#[test]
fn profile_what_the_reader_knows_changes_the_causes() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 508)).kernel("A2", 20, 4, (510, 520)).kernel("B", 24, 10, (510, 600));
    let mut tracer = Tracer::default();
    assert!(
        matches!(tracer.open(made.text().as_bytes(), &mut |_| ()), TraceAnswer::Opened(overview) if overview.asked == Some(KnownSettings::default()))
    );
    let labels = |tracer: &mut Tracer| {
        let TraceAnswer::Looked(card) = tracer.answer(&TraceAsk::Look(2)) else { panic!("no such operation") };
        card.parts.into_iter().map(|part| part.label).collect::<Vec<_>>()
    };
    assert_eq!(labels(&mut tracer), ["Cannot tell"]);
    let known = KnownSettings { connections: Some(1) };
    assert!(matches!(tracer.answer(&TraceAsk::Explain(known)), TraceAnswer::Opened(overview) if overview.asked == Some(known)));
    assert_eq!(labels(&mut tracer)[0], "Shared hardware queue");
    // A file that says which queue each used is not asked about.
    let mut told = Made::default();
    told.launch("kernel", "A", 20, (0, 4), (8, 500), json!({ "channel": 3 })).kernel("B", 24, 10, (20, 30));
    assert!(matches!(tracer.open(told.text().as_bytes(), &mut |_| ()), TraceAnswer::Opened(overview) if overview.asked.is_none()));
}

#[test]
fn profile_no_room_names_the_resource() {
    let said = |first: serde_json::Value, then: serde_json::Value, blocks: u64| {
        let mut made = Made::default();
        let sized = |more: serde_json::Value, blocks: u64| {
            let mut args = json!({ "grid": [blocks, 1, 1], "block": [256, 1, 1], "registers per thread": 16, "shared memory": 0 });
            args.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            args
        };
        made.launch("kernel", "A", 20, (0, 4), (8, 508), sized(first, blocks));
        made.launch("kernel", "B", 24, (10, 4), (510, 600), sized(then, 4));
        let (recording, analysis) = made.read();
        let part = analysis.parts(place(&recording, "B")).iter().find(|part| part.cause == Cause::NoRoom).copied().unwrap();
        let time = |span: blockstep_sim::units::Span| format!("{} us", (span.ns() + 500) / 1_000);
        sentence(&recording, &part, &time)
    };
    let large = json!({ "shared memory": 100_000 });
    // 100,000 bytes and the 1,024 that the system keeps, in steps of 128, of 167,936.
    assert_eq!(
        said(large.clone(), large, 108),
        "500 us without room for a block while A (stream 20) ran: a block takes 101,120 bytes of shared memory and no SM had more than 66,816 free."
    );
    let wide = json!({ "block": [1024, 1, 1] });
    assert_eq!(
        said(wide, json!({}), 216),
        "500 us without room for a block while A (stream 20) ran: a block takes 256 threads and no SM had any free."
    );
    let small = json!({ "block": [32, 1, 1] });
    assert_eq!(
        said(small.clone(), small, 108 * 32),
        "500 us without room for a block while A (stream 20) ran: every SM had as many blocks as it can hold."
    );
}

#[test]
fn profile_what_if_it_had_a_stream_of_its_own() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 508)).kernel("B", 20, 10, (510, 600));
    let (recording, analysis) = made.read();
    let (_, measured, unchanged, changed) = tried(&recording, &analysis, "B");
    assert_eq!((measured, unchanged), (510, 508));
    assert!(changed.contains(&(WhatIfChange::OwnStream, 10)), "{changed:?}");
    assert!(changed.contains(&(WhatIfChange::HighPriority, 508)), "a priority does not change the order in a stream: {changed:?}");
}

#[test]
fn profile_what_if_its_stream_did_not_block() {
    let mut made = Made::default();
    made.kernel("A", 7, 0, (8, 508)).kernel("B", 20, 10, (510, 600));
    let (recording, analysis) = made.read();
    let (all, _, unchanged, changed) = tried(&recording, &analysis, "B");
    assert_eq!(unchanged, 508);
    assert!(changed.contains(&(WhatIfChange::NonBlocking, 10)), "{changed:?}");
    assert_eq!(all.left_out, [LeftOut::NonBlocking]);
}

#[test]
fn profile_what_if_it_waited_for_no_event() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 508));
    made.event_wait((20, 10), (24, 12)).kernel("B", 24, 20, (510, 600));
    let (recording, analysis) = made.read();
    let (all, _, unchanged, changed) = tried(&recording, &analysis, "B");
    assert_eq!(unchanged, 508, "the scenario has the event");
    assert!(changed.contains(&(WhatIfChange::NoEvent, 20)), "{changed:?}");
    assert_eq!(all.left_out, []);
}

/// The kernel of another stream that the trace shows nothing of holds it in the trace; in the simulator nothing does.
#[test]
fn profile_no_gain_is_given_where_the_simulator_waits_for_something_else() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 508)).kernel("B", 24, 10, (900, 950));
    let (recording, analysis) = made.read();
    let (all, _, unchanged, changed) = tried(&recording, &analysis, "B");
    assert_eq!((unchanged, changed), (10, vec![]));
    assert_eq!(all.no_gain, Some(NoGain::OtherCause { explained: Some(Cause::CannotTell), simulated: None }));
    // The cause is the same, but the kernel before it ended long before it began.
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 508)).kernel("B", 20, 10, (700, 950)).kernel("C", 24, 12, (1_200, 1_300));
    let mut tracer = Tracer::default();
    tracer.open(made.text().as_bytes(), &mut |_| ());
    let TraceAnswer::Tried { rows, said, .. } = tracer.answer(&TraceAsk::WhatIf(2)) else { panic!("nothing tried") };
    assert!(rows.is_empty() && said.iter().any(|line| line.ends_with("o we give no gains.")), "{said:?}");
}

#[test]
fn profile_what_if_a_copy_had_a_stream_of_its_own() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 508));
    made.launch("gpu_memcpy", "Memcpy HtoD", 20, (10, 4), (510, 600), json!({ "bytes": 900_000 }));
    let (recording, analysis) = made.read();
    let (all, measured, unchanged, changed) = tried(&recording, &analysis, "Memcpy HtoD");
    assert_eq!((measured, unchanged), (510, 508));
    // No priority: copies heed none.
    assert_eq!(changed, [(WhatIfChange::OwnStream, 10), (WhatIfChange::Earlier(place(&recording, "A")), 8)], "{all:?}");
    assert_eq!(all.left_out, [LeftOut::CopyBytes(1)]);
    assert_eq!(what_if(&recording, &analysis, 99), None, "there is no such operation");
}

#[test]
fn profile_what_if_a_kernel_were_launched_before_a_copy() {
    let mut made = Made::default();
    made.launch("gpu_memcpy", "Memcpy HtoD", 20, (0, 4), (8, 508), json!({ "bytes": 5_000_000 }));
    made.kernel("B", 20, 10, (510, 600));
    let (recording, analysis) = made.read();
    let (_, _, unchanged, changed) = tried(&recording, &analysis, "B");
    assert_eq!(unchanged, 508);
    assert!(
        changed.contains(&(WhatIfChange::OwnStream, 10)) && changed.contains(&(WhatIfChange::Earlier(place(&recording, "Memcpy HtoD")), 8)),
        "{changed:?}"
    );
}

#[test]
fn profile_the_example_is_what_its_walk_says() {
    let mut tracer = Tracer::default();
    assert!(matches!(tracer.answer(&TraceAsk::Example), TraceAnswer::Opened(_)));
    let mut walk: Vec<(String, Vec<String>)> = Vec::new();
    for stop in example::STOPS {
        let Some((operation, name)) = stop.about else { continue };
        let TraceAnswer::Looked(card) = tracer.answer(&TraceAsk::Look(operation)) else { panic!("no operation {operation}") };
        assert_eq!(card.name, name);
        assert!(stop.text.starts_with(name), "{name}");
        let parts = card.parts.iter().map(|part| format!("{} {} {}", part.label, certainty(part.certainty), part.ns / 1_000));
        walk.push((name.to_owned(), parts.collect()));
    }
    let expected = [
        ("gemm_forward", vec!["Stream order certain 639", "Launch only certain 2"]),
        ("softmax", vec!["Event certain 1811", "Launch only certain 2"]),
        ("all_reduce_send", vec!["Behind a kernel without room consistent 861", "No room on the SMs consistent 302"]),
        ("accuracy", vec!["NULL stream consistent 2023", "Launch only consistent 3"]),
        ("gemm_backward", vec!["Stream order certain 1791", "NULL stream consistent 305", "Launch only certain 3"]),
        ("optimizer_step", vec!["Launch only certain 6"]),
    ];
    let expected = expected.map(|(name, parts)| (name.to_owned(), parts.into_iter().map(str::to_owned).collect::<Vec<_>>()));
    assert_eq!(walk, expected);
    // What the walk asks the reader to try does help.
    let TraceAnswer::Tried { rows, said, .. } = tracer.answer(&TraceAsk::WhatIf(4)) else { panic!("nothing tried") };
    let split = rows.iter().find(|(change, ..)| change.starts_with("gemm_forward is launched as two")).unwrap();
    assert!(split.2.ends_with("earlier"), "{rows:?} {said:?}");
}
