//! Changes that gain together what they do not gain one by one, and what of the program a proposal is about.

use blockstep_sim::units::Span;
use blockstep_traces::causes::Certainty;
use blockstep_traces::gain::{self, Behind, BehindKind, Gains, ProgramChange, gains};
use blockstep_traces::{Recording, path};
use serde_json::json;

use super::Made;

/// The gains of a recording, and the lines that say them.
fn advice(made: &Made) -> (Recording, Gains, Vec<String>) {
    let (recording, analysis) = made.read();
    let gains = gains(&recording, &analysis, &path::paths(&recording, &analysis)).unwrap();
    let said = gain::words::said(&recording, Ok(&gains), &|span: Span| format!("{} us", span.ns() / 1_000)).0;
    (recording, gains, said)
}

/// Something that the host ran for so long from an instant on, us.
fn span(made: &mut Made, category: &str, name: &str, (from, us): (u64, u64)) {
    made.events.push(json!({ "ph": "X", "cat": category, "name": name, "pid": 9, "tid": 9, "ts": 1_000 + from, "dur": us }));
}

/// Ten steps: a kernel of 1 ms, then a wait, a staged copy and a value that is read, each of which keeps the host until the kernel is over; then
/// the host works for 1 ms.
fn held_three_times() -> Made {
    let mut made = Made::default();
    for at in (0..10).map(|step| step * 2_100) {
        span(&mut made, "python_function", "torch/nn/functional.py(9): mm", (at, 1_060));
        made.kernel("K", 20, at + 5, (at + 15, at + 1_015));
        made.call("cudaDeviceSynchronize", (at + 20, 996), json!({}));
        let copy = |bytes: u64| json!({ "bytes": bytes });
        made.launch("gpu_memcpy", "Memcpy HtoD (Pageable -> Device)", 20, (at + 1_018, 10), (at + 1_021, at + 1_026), copy(40_000));
        made.launch("gpu_memcpy", "Memcpy DtoH (Device -> Pageable)", 20, (at + 1_030, 10), (at + 1_033, at + 1_036), copy(4));
    }
    span(&mut made, "python_function", "train.py(7): step", (0, 21_000));
    made
}

#[test]
fn gains_of_three_changes_are_found_where_no_two_gain() {
    let (_, gains, said) = advice(&held_three_times());
    let all = [ProgramChange::FewerWaits, ProgramChange::Pinned, ProgramChange::FewerReads];
    let with = |changes: &[ProgramChange]| {
        let is_same = |of: &&gain::TriedChange| of.changes.len() == changes.len() && changes.iter().all(|one| of.changes.contains(one));
        gains.tried.iter().find(is_same).map(|tried| gains.gain_ns(tried)).unwrap()
    };
    for (place, one) in all.iter().enumerate() {
        let pair: Vec<ProgramChange> = all.iter().copied().filter(|other| other != one).collect();
        assert!(with(&[*one]) < 300_000 && with(&pair) < 300_000, "{place}: {} {}", with(&[*one]), with(&pair));
    }
    // Nine kernels run beside the host then; the last wait is at the end.
    assert!(with(&all).abs_diff(9_000_000) < 600_000, "{}", with(&all));
    assert!(said.iter().any(|line| line.starts_with("Do not make the host wait for the GPU, and ")), "{said:?}");
}

#[test]
fn gains_of_what_stands_alone_are_not_proposed_together() {
    // Two operators of the host that nothing hides: each gains what it takes.
    let mut made = Made::default();
    for at in (0..10).map(|step| step * 1_000) {
        span(&mut made, "cpu_op", "one", (at + 100, 300));
        span(&mut made, "cpu_op", "other", (at + 500, 300));
        made.kernel("K", 20, at, (at + 10, at + 30));
    }
    let (_, gains, _) = advice(&made);
    assert!(gains.proposed().count() >= 2);
    assert!(gains.proposed().all(|tried| tried.changes.len() == 1), "{:?}", gains.proposed().collect::<Vec<_>>());
}

#[test]
fn gains_say_how_many_calls_they_are_about_and_in_which_function() {
    let (recording, gains, said) = advice(&held_three_times());
    let about = |change: ProgramChange| {
        let Behind { kind, count, within, certainty, .. } = *gains.behind(change).unwrap();
        let name = within.map(|(span, _)| recording.names[recording.spans[span as usize].name as usize].as_str());
        (kind, count, name, within.map(|within| within.1), certainty)
    };
    // The function of PyTorch is nearer, but nobody changes that.
    let step = Some("train.py(7): step");
    assert_eq!(about(ProgramChange::FewerWaits), (BehindKind::Waits, 10, step, Some(10), None));
    assert_eq!(about(ProgramChange::Pinned), (BehindKind::Copies, 10, step, Some(10), None));
    assert_eq!(about(ProgramChange::FewerReads), (BehindKind::Reads, 10, step, Some(10), None));
    let line = said.iter().find(|line| line.starts_with("Do not make the host wait")).unwrap();
    assert!(line.contains(" There are 10 such waits, all in Python's train.py(7): step. "), "{line}");
}

#[test]
fn gains_carry_the_worst_certainty_of_what_they_remove() {
    // No file says which streams block: that the NULL stream held the others is consistent.
    let mut made = Made::default();
    for at in (0..6).map(|step| step * 1_000) {
        made.kernel("null", 7, at, (at + 10, at + 500));
        made.kernel("other", 20, at + 5, (at + 502, at + 900));
    }
    let (_, gains, said) = advice(&made);
    let behind = gains.behind(ProgramChange::NonBlocking).unwrap();
    assert_eq!((behind.kind, behind.certainty), (BehindKind::Delayed, Some(Certainty::Consistent)));
    let sentence = "operations wait for the NULL stream. This cause is consistent with the file, not certain.";
    assert!(said.iter().any(|line| line.starts_with("Make all streams non-blocking") && line.contains(sentence)), "{said:?}");
}

#[test]
fn gains_take_no_long_kernel_for_a_short_one_of_its_name_and_grid() {
    let mut made = Made::default();
    let grid = json!({ "grid": [108, 1, 1], "block": [256, 1, 1], "registers per thread": 32, "shared memory": 0 });
    // A persistent kernel has one grid for work of every size: most of what runs alone is short.
    let mut at = 0;
    for us in [200, 200, 200, 200, 200, 200, 3_000, 3_000] {
        made.launch("kernel", "persistent", 20, (at, 4), (at + 10, at + 10 + us), grid.clone());
        made.call("cudaDeviceSynchronize", (at + 20, us - 5), json!({}));
        at += us + 50;
    }
    // The last one has another beside it.
    made.launch("kernel", "persistent", 20, (at, 4), (at + 10, at + 3_010), grid.clone());
    made.launch("kernel", "other", 24, (at + 10, 4), (at + 20, at + 1_020), grid);
    let (_, gains, _) = advice(&made);
    assert!(gains.error_ns() < gains.recorded_ns / 100, "{} of {}", gains.error_ns(), gains.recorded_ns);
}

#[test]
fn gains_within_the_error_of_the_replay_are_not_called_none() {
    let (recording, _) = held_three_times().read();
    let said = |unchanged_ns: u64, wall_ns: u64| {
        let tried = vec![gain::TriedChange { changes: vec![ProgramChange::FewerWaits], wall_ns }];
        let gains = Gains { recorded_ns: 100_000, unchanged_ns, tried, levers: Vec::new(), ladder: Vec::new(), behind: Vec::new() };
        gain::words::said(&recording, Ok(&gains), &|span: Span| format!("{} ns", span.ns()))
    };
    let (lines, note) = said(110_000, 105_000);
    assert!(lines.is_empty() && note.starts_with("We cannot tell what would save time: the replay is off by more "), "{note}");
    let (lines, note) = said(100_100, 99_900);
    assert!(lines.is_empty() && note.starts_with("No single change that we tried saves 1 % "), "{note}");
}
