//! Processes of several channels under `runlist` (docs/semantics.md, section 6): what takes turns, and what stays with the process.

use blockstep_analysis::runlist_bound::{Inapplicable, Stay, bounds};
use blockstep_format::{read_scenario, write_scenario, write_trace};
use blockstep_learn::why::{Moment, headline, why};
use blockstep_sim::engine::{Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Call, Draft, KernelDraft, NULL_STREAM, PolicyKind, Scenario, StreamDraft};
use blockstep_sim::trace::{OpKind, Rule};
use blockstep_sim::units::{OpId, SpaceId, Span, Time};
use blockstep_view::position;
use blockstep_view::reason::{Reason, reason};

use blockstep_testing::stage::{run, stage, stays, work};

/// A row of task a, in process A.
fn row(name: &str, stream: &str, time: u64) -> KernelDraft {
    KernelDraft { stream: stream.to_owned(), ..work(name, "a", 0, time) }
}

/// Process A with so many channels, alone or with B, which has a kernel of 10 ns.
fn two(channels: u64, with_other: bool, rows: Vec<KernelDraft>) -> Draft {
    let names: &[&str] = if with_other { &["A", "B"] } else { &["A"] };
    let mut draft = Draft { kernels: rows, ..stage(PolicyKind::Runlist, names) };
    draft.processes[0].channels = channels;
    if with_other {
        draft.kernels.push(work("KB", "b", 0, 10));
    }
    draft
}

/// When each operation began and ended.
fn times(run: &Run) -> String {
    let records = Records::new(&run.trace);
    let of = |(i, o): (usize, &blockstep_sim::record::OpRecord)| {
        format!("{} {}-{}", run.trace.op_label(OpId::at(i)), o.start.unwrap().ns(), o.end.unwrap().ns())
    };
    records.ops.iter().enumerate().map(of).collect::<Vec<_>>().join(", ")
}

fn op(run: &Run, name: &str) -> OpId {
    (0..run.trace.ops().len()).map(OpId::at).find(|&op| run.trace.op_label(op) == name).unwrap()
}

fn problems(draft: &Draft) -> String {
    Scenario::new(draft).unwrap_err().to_string()
}

#[test]
fn channels_take_turns_like_processes() {
    // A timeslice is 4 ns.
    let rows = || vec![row("K1", "S1", 6), row("K2", "S2", 6), row("K3", "S1", 1)];
    assert_eq!(times(&run(&two(1, true, rows()))), "K1 0-10, K2 0-10, K3 10-11, KB 4-17");
    let mut draft = two(2, true, rows());
    let shown = run(&draft);
    assert_eq!(stays(&shown), "A channel 1 0-4, A channel 2 4-8, B 8-12, A channel 1 12-15, A channel 2 15-17, B 17-23");
    assert_eq!(times(&shown), "K1 0-14, K2 4-17, K3 14-15, KB 8-23");
    // A switch from one channel of a process to another costs as any other does.
    draft.policy.switch_cost_ns = 1;
    assert_eq!(stays(&run(&draft)), "A channel 1 0-4, A channel 2 5-9, B 10-14, A channel 1 15-18, A channel 2 19-21, B 22-28");
    // Elsewhere channels mean nothing.
    for kind in [PolicyKind::Fifo, PolicyKind::Priority, PolicyKind::Edf] {
        let mut draft = two(2, true, rows());
        draft.policy.kind = kind;
        let with = run(&draft);
        draft.processes[0].channels = 1;
        assert_eq!(with.trace.text(), run(&draft).trace.text(), "{kind:?}");
    }
}

#[test]
fn channels_are_shared_by_turns_in_the_order_of_the_streams() {
    let rows = vec![row("K1", "S3", 1), row("K2", NULL_STREAM, 1), row("K3", "S2", 1), row("K4", "S1", 1)];
    let mut draft = two(2, false, rows);
    let listed = |name: &str| StreamDraft { name: name.to_owned(), ..StreamDraft::default() };
    draft.streams = vec![listed("S1"), listed("S2")];
    let of = |draft: &Draft| {
        let scenario = Scenario::new(draft).unwrap();
        scenario.streams().iter().map(|s| (s.name.clone(), s.channel, s.connection)).collect::<Vec<_>>()
    };
    let expected = |rest: [(u32, Option<u32>); 4]| -> Vec<(String, u32, Option<u32>)> {
        ["S1", "S2", "S3", NULL_STREAM]
            .iter()
            .zip(rest)
            .map(|(name, (channel, connection))| (name.to_string(), channel, connection))
            .collect()
    };
    assert_eq!(of(&draft), expected([(0, None), (1, None), (0, None), (1, None)]));
    // Connections are counted within a channel.
    draft.connections = Some(2);
    assert_eq!(of(&draft), expected([(0, Some(0)), (1, Some(0)), (0, Some(1)), (1, Some(1))]));
    assert_eq!(read_scenario(&write_scenario(&draft)).unwrap(), draft);
}

#[test]
fn channels_of_a_process_have_one_null_stream() {
    let rows = vec![row("K1", "S1", 3), row("K0", NULL_STREAM, 3), row("K2", "S3", 3)];
    let shown = run(&two(3, false, rows));
    assert_eq!(times(&shown), "K1 0-3, K0 3-6, K2 6-9");
    assert_eq!(stays(&shown), "A channel 1 0-3, A channel 2 3-6, A channel 3 6-9");
    let rules: Vec<Rule> = shown.trace.steps().iter().map(|step| step.rule).filter(|rule| matches!(rule, Rule::N1 | Rule::N2)).collect();
    assert_eq!(rules, [Rule::N1, Rule::N2]);
    let (trace, records) = (&*shown.trace, Records::new(&shown.trace));
    let state = shown.replay().seek(position::at_time(trace, Time(4))).clone();
    let (k0, k2) = (op(&shown, "K0"), op(&shown, "K2"));
    assert_eq!(reason(trace, &state, k2), Some(Reason::N2 { op: k0 }));
    let why = why(Moment { trace, records: &records, state: &state }, k2);
    assert_eq!(headline(trace, &why), "K2 waits for K0 in the NULL stream. K0 executes until 6 ns.");
}

/// What waits for another channel is no work of its own one.
#[test]
fn channels_that_wait_for_one_another_are_skipped() {
    let mut rows = vec![row("K1", "S1", 9), row("K2", "S2", 2)];
    rows[0].records = Some("E".to_owned());
    rows[1].waits_for = vec!["E".to_owned()];
    let shown = run(&two(2, true, rows));
    // At 4 and 12 B's entry is found and not that of A's second channel.
    assert_eq!(stays(&shown), "A channel 1 0-4, B 4-8, A channel 1 8-12, B 12-16, A channel 1 16-17, A channel 2 17-19, B 19-21");
}

#[test]
fn channels_are_waited_for_all_together_by_a_call_that_waits_for_the_device() {
    let call = |name: &str, call: Call| KernelDraft { call, blocks: 0, threads_per_block: 0, ..row(name, "S1", 0) };
    for (how, end) in [(Call::SynchronizeDevice, 14), (Call::SynchronizeStream, 9), (Call::Free, 14)] {
        let mut wait = call("wait", how);
        if how == Call::SynchronizeDevice || how == Call::Free {
            wait.stream = KernelDraft::default().stream;
        }
        let mut rows = vec![row("K1", "S1", 5), row("K2", "S2", 9), wait, row("K3", "S1", 1)];
        rows[2].block_time_ns = KernelDraft::default().block_time_ns;
        let shown = run(&two(2, false, rows));
        let records = Records::new(&shown.trace);
        assert_eq!(records.calls[0].returned, Some(Time(end)), "{how:?}\n{}", shown.trace.text());
    }
}

/// [EDF] Theorem 1 is about one channel; of others, each has a stay.
#[test]
fn channels_have_a_stay_each_in_the_bound() {
    let rows = || vec![row("K1", "S1", 6), row("K2", "S2", 6)];
    let mut draft = Draft { kernels: rows(), ..stage(PolicyKind::Runlist, &["A", "HB"]) };
    draft.kernels.push(work("KB", "hb", 0, 10));
    draft.processes[0].channels = 2;
    let of = |draft: &Draft| {
        let shown = run(draft);
        bounds(&shown.trace, &Records::new(&shown.trace), Limits::default())
    };
    let stay = |channel| Stay { channel: SpaceId(channel), time: Span(4), is_work: false };
    // A gap holds one of the medium entries.
    let all = of(&draft);
    let bound = all[1].as_ref().unwrap();
    assert_eq!((bound.high.iter().count(), bound.other), (0, Some(stay(0))));
    draft.processes[0].interleave = blockstep_sim::scenario::Interleave::High;
    let all = of(&draft);
    assert_eq!(all[0], Err(Inapplicable::OwnChannels));
    let bound = all[1].as_ref().unwrap();
    assert!(bound.high.iter().eq(&[stay(0), stay(1)]));
    assert_eq!((bound.other, bound.gap), (None, Some(Span(8))));
    // A channel without a stream has no work.
    draft.kernels[1].stream = "S1".to_owned();
    let all = of(&draft);
    assert!(all[0].is_ok());
    assert_eq!(all[1].as_ref().unwrap().high.iter().count(), 1);
}

#[test]
fn channels_out_of_range_are_refused_and_idle_ones_get_a_warning() {
    let rows = || vec![row("K1", "S1", 6), row("K2", "S2", 6)];
    assert_eq!(problems(&two(0, false, rows())), "processes[0].channels is 0; at least 1 is needed");
    assert_eq!(problems(&two(33, false, rows())), "processes[0].channels is 33; at most 32 are possible");
    let mut many = two(32, false, rows());
    many.processes.extend(
        (0..1999).map(|i| blockstep_sim::scenario::ProcessDraft {
            channels: 32,
            ..blockstep_sim::scenario::ProcessDraft::named(format!("P{i}"))
        }),
    );
    many.device = blockstep_sim::scenario::DeviceDraft::BuiltIn("titanv".to_owned());
    assert_eq!(problems(&many), "processes: have 64,000 channels on a device of 80 SMs; under runlist at most 50,000 are simulated there");
    // Refused before anything is made of them, however many they are.
    many.device = blockstep_sim::scenario::DeviceDraft::default();
    let more = |i| blockstep_sim::scenario::ProcessDraft { channels: 32, ..blockstep_sim::scenario::ProcessDraft::named(format!("P{i}")) };
    many.processes.extend((1999..3125).map(more));
    assert_eq!(problems(&many), "processes: have 100,032 channels together; at most 100,000 are simulated");
    many.processes.pop();
    assert!(Scenario::new(&many).is_ok());
    let warnings =
        |channels| Scenario::new(&two(channels, false, rows())).unwrap().warnings().iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(warnings(2), [""; 0]);
    assert_eq!(warnings(3), ["processes[0].channels is 3, but the process has 2 streams; the other channels never have work"]);
}

/// Exports call a channel by its process and number.
#[test]
fn channels_have_names_in_traces() {
    let shown = run(&two(2, true, vec![row("K1", "S1", 4), row("K2", "S2", 4)]));
    let file = write_trace(&shown.trace, &Records::new(&shown.trace)).unwrap().to_string();
    assert!(file.contains(r#""runlist": ["A channel 1", "A channel 2", "B"]"#), "{file}");
    assert!(file.contains(r#""process": "A channel 2""#), "{file}");
    assert_eq!(shown.trace.ops().iter().filter(|op| op.kind == OpKind::Kernel).count(), 3);
    assert!(shown.trace.text().contains("runlist entry 1 A channel 2"), "{}", shown.trace.text());
}
