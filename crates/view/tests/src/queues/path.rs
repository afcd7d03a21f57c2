//! The path of a submission, [EDF] Fig. 2b: push buffers and their batches, the signals, the timer, the runlist submitted.

use std::collections::BTreeMap;

use blockstep_sim::engine::Run;
use blockstep_sim::scenario::{BatchDraft, Chain, Draft, PolicyKind};
use blockstep_sim::trace::Change;
use blockstep_sim::units::{OpId, StepId, Time};
use blockstep_view::position;
use blockstep_view::queues::{OrderView, PathView, SignalView, path};
use blockstep_view::sentence::sentence;
use proptest::prelude::*;

use blockstep_testing::arbitrary::{cases, turns};
use blockstep_testing::stage::{run, stage, work};

fn at_step(run: &Run, applied: u32, now: Time) -> PathView {
    let last = applied.checked_sub(1).map(|i| run.trace.step(StepId(i)));
    path(&run.trace, run.replay().seek(applied), last, now, 100).unwrap()
}

fn at_time(run: &Run, at: u64) -> PathView {
    at_step(run, position::at_time(&run.trace, Time(at)), Time(at))
}

/// Guests in words, a line each: `V (A, B): K1 [a: K1] | K2 [b: K2]`.
fn guests(view: &PathView) -> String {
    let mut out = String::new();
    for guest in &view.guests {
        let processes = if guest.processes.is_empty() { String::new() } else { format!(" ({})", guest.processes) };
        let buffers = guest.buffers.iter().map(|buffer| {
            let batches = buffer.batches.iter().map(|batch| {
                let items: Vec<&str> = batch.items.iter().map(|item| item.label.as_str()).collect();
                format!(" [{}: {}]", batch.label, items.join(" "))
            });
            format!("{}{}", buffer.label, batches.collect::<String>())
        });
        out += &format!("{}{processes}: {}\n", guest.name, buffers.collect::<Vec<_>>().join(" | "));
    }
    out
}

/// The signals of the last step: `A a, C b`.
fn lit(view: &PathView) -> String {
    let told = view.signals.iter().filter_map(|signal| Some(format!("{} {}", signal.kind.letter(), signal.event.as_ref()?)));
    told.collect::<Vec<_>>().join(", ")
}

/// Two real-time processes of one guest, and a best-effort one by itself. b overruns its budget of 2 at 3.
fn three() -> Draft {
    let kernels = vec![work("K1", "a", 6, 2), work("K2", "b", 1, 4), work("K3", "c", 0, 9)];
    let mut draft = Draft { kernels, ..stage(PolicyKind::Edf, &["A", "B", "C"]) };
    (draft.tasks[0].deadline_ns, draft.tasks[1].deadline_ns, draft.tasks[1].budget_ns) = (Some(10), Some(10), Some(2));
    for process in &mut draft.processes[..2] {
        process.guest = Some("V".to_owned());
    }
    draft.policy.switch_cost_ns = 1;
    draft
}

#[test]
fn path_guests_hold_their_processes_push_buffers() {
    let run = run(&three());
    assert_eq!(guests(&at_time(&run, 2)), "V (A, B): K1 | K2 [b: K2]\nC: K3 [c: K3]\n");
    assert_eq!(guests(&at_time(&run, 6)), "V (A, B): K1 [a: K1] | K2\nC: K3 [c: K3]\n");
    let mut nameless = three();
    nameless.processes[2].guest = Some(" ".to_owned());
    let problem = blockstep_sim::scenario::Scenario::new(&nameless).unwrap_err().to_string();
    assert_eq!(problem, "processes[2].guest is empty; leave it out for a guest of its own");
    // Without a guest of its own, a process is one.
    let mut alone = three();
    alone.processes.iter_mut().for_each(|process| process.guest = None);
    assert_eq!(guests(&at_time(&blockstep_testing::stage::run(&alone), 2)), "A: K1\nB: K2 [b: K2]\nC: K3 [c: K3]\n");
}

#[test]
fn path_of_an_overrun_step_by_step() {
    let run = run(&three());
    let mut told = String::new();
    for (i, step) in run.trace.steps().iter().enumerate() {
        let view = at_step(&run, i as u32 + 1, Time::ZERO);
        let signals = lit(&view);
        let list = view.submitted;
        if !signals.is_empty() || list.event.is_some() {
            told +=
                &format!("{} {} {signals}; [{}] {}\n", step.at, step.rule.id(), list.channels.join(" "), list.event.unwrap_or_default());
        }
    }
    assert_eq!(
        told,
        "0 G1 A c; [] 
0 E2 ; [C] now that of C
1 G1 A b; [C] 
1 E4 ; [] without C
1 E1 ; [B] now that of B
4 Q2 C b; [B] 
6 G4 B b; [B] 
6 G1 A a; [B] 
6 E1 ; [A] now that of A
9 G4 B a; [A] 
9 E2 ; [C] now that of C
18 G4 B c; [C] 
"
    );
}

/// Where signals take time: what is under way, and what the RunList Manager does not know of.
#[test]
fn path_signals_on_their_way() {
    let mut draft = three();
    (draft.policy.signal_ns, draft.policy.runlist_ns) = (2, 1);
    let run = run(&draft);
    let told = |i: u32| {
        let view = at_step(&run, i, Time::ZERO);
        let under_way = view.signals.iter().flat_map(|signal| signal.under_way.clone()).collect::<Vec<_>>().join(" | ");
        let OrderView::Deadlines(queues) = &view.scheduler.order else { panic!("queues of jobs") };
        let issued = queues.waiting.jobs.iter().filter(|job| job.why != "has nothing issued");
        let why = issued.map(|job| format!("{}: {}", job.label, job.why)).collect::<Vec<_>>().join(" | ");
        format!("{}; {under_way}; {why}; {}", lit(&view), view.host)
    };
    let steps = || run.trace.steps().iter().zip(1..);
    let after = |is: fn(&Change) -> bool| steps().find(|(step, _)| is(&step.change)).unwrap().1;
    let issued = after(|change| matches!(change, Change::Issued { .. }));
    assert_eq!(told(issued), "; ; c: the RunList Manager does not know of it yet; has nothing to execute");
    let sent = after(|change| matches!(change, Change::SignalSent { .. }));
    assert_eq!(told(sent), "A c; c, arrives at 2 ns; c: signal A arrives at 2 ns; has nothing to execute");
    let arrived = after(|change| matches!(change, Change::SignalArrived { .. }));
    assert_eq!(told(arrived), "A c has arrived; b, arrives at 3 ns; b: signal A arrives at 3 ns; has nothing to execute");
    let submitted = after(|change| matches!(change, Change::RunlistSubmitted { .. }));
    assert_eq!(told(submitted), "; b, arrives at 3 ns; b: signal A arrives at 3 ns; gets the runlist of C at 3 ns");
}

#[test]
fn path_the_timer_runs_while_a_server_pays() {
    let run = run(&three());
    let timer = |at| at_time(&run, at).timer.unwrap().running.map(|(task, left, until)| (task, left.free, left.total, until.ns()));
    assert_eq!(timer(0), None, "best effort has no server");
    assert_eq!(timer(1), None, "the switch is not paid for");
    assert_eq!(timer(3), Some(("b".to_owned(), 1, 2, 4)));
}

#[test]
fn path_under_runlist_the_host_polls_all_and_nobody_tells_it() {
    let run = run(&Draft { policy: stage(PolicyKind::Runlist, &[]).policy, ..three() });
    let view = at_time(&run, 2);
    assert_eq!((view.timer.is_none(), view.signals.len()), (true, 0));
    assert_eq!(view.submitted.channels, ["A", "B", "C"]);
    assert_eq!(view.host, "executes C");
    let shared = blockstep_testing::stage::run(&Draft { policy: stage(PolicyKind::Fifo, &[]).policy, ..three() });
    assert_eq!(path(&shared.trace, shared.replay().seek(1), None, Time::ZERO, 8), None);
}

#[test]
fn path_the_host_says_what_it_does() {
    let mut draft = three();
    draft.policy.preemption = blockstep_sim::scenario::Preemption::Block;
    let run = run(&draft);
    let host = |at| at_time(&run, at).host;
    assert_eq!([host(0), host(2), host(9), host(30)], ["executes C", "drains C", "switches to B until 10 ns", "has nothing to execute"]);
}

/// However much there is, the diagram stays small, and says how much is not in it.
#[test]
fn path_is_bounded() {
    let names: Vec<String> = (0..30).map(|i| format!("M{i}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let one = (0..20).map(|i| work(&format!("Q{i}"), "m3", 0, 2));
    let kernels = names.iter().map(|n| work(&format!("K{n}"), &n.to_lowercase(), 0, 2)).chain(one).collect();
    let run = run(&Draft { kernels, ..stage(PolicyKind::Edf, &names) });
    let view = at_time(&run, 0);
    assert_eq!((view.guests.len(), view.hidden_guests), (8, 22));
    let big = view.guests.iter().find(|guest| guest.name == "M3").unwrap();
    assert_eq!((big.buffers.len(), big.hidden_buffers), (8, 13));
    // Seven jobs of one stream, of three operations each: four batches are spelt out, and of a batch as many operations as are asked for.
    let kernels = (0..3).map(|i| blockstep_sim::scenario::KernelDraft { stream: "S".to_owned(), ..work(&format!("K{i}"), "a", 0, 30) });
    let mut draft = Draft { horizon_ns: Some(65), kernels: kernels.collect(), ..stage(PolicyKind::Edf, &["A"]) };
    (draft.tasks[0].release, draft.tasks[0].period_ns) = (blockstep_sim::scenario::Release::Periodic, Some(10));
    let run = blockstep_testing::stage::run(&draft);
    let applied = position::at_time(&run.trace, Time(60));
    let view = path(&run.trace, run.replay().seek(applied), None, Time(60), 2).unwrap();
    let buffer = &view.guests[0].buffers[0];
    let sizes: Vec<_> = buffer.batches.iter().map(|batch| (batch.label.as_str(), batch.items.len(), batch.hidden)).collect();
    assert_eq!((sizes, buffer.hidden), (vec![("a#0", 1, 0), ("a#1", 2, 1), ("a#2", 2, 1), ("a#3", 2, 1)], 9));
}

/// The job of a has two batches in one stream; b is due between them.
#[test]
fn path_names_batches_with_times_of_their_own() {
    let kernels = vec![work("K1", "a", 0, 2), work("K2", "a", 0, 3), work("K3", "b", 1, 2)];
    let mut draft = Draft { kernels, ..stage(PolicyKind::Edf, &["A", "B"]) };
    (draft.tasks[0].deadline_ns, draft.tasks[1].deadline_ns) = (Some(99), Some(20));
    draft.kernels[1].stream = draft.kernels[0].stream.clone();
    for (row, (name, deadline_ns)) in [("urgent", 10), ("lax", 50)].into_iter().enumerate() {
        draft.kernels[row].batch = Some(name.to_owned());
        draft.batches.push(BatchDraft { name: name.to_owned(), deadline_ns, budget_ns: Some(9), ..BatchDraft::default() });
    }
    let run = run(&draft);
    let first = at_time(&run, 0);
    assert_eq!(guests(&first), "A: K1 [a: urgent: K1] [a: lax: K2]\nB: K3\n");
    let OrderView::Deadlines(queues) = &first.scheduler.order else { panic!("queues of jobs") };
    let ready: Vec<_> = queues.ready.jobs.iter().map(|job| (job.label.as_str(), job.deadline.unwrap().ns())).collect();
    assert_eq!(ready, [("a: urgent", 10), ("a: lax", 50)]);
    let waiting: Vec<_> = queues.waiting.jobs.iter().map(|job| job.label.as_str()).collect();
    assert_eq!(waiting, ["b"], "nothing of a is outside of its batches");
    assert_eq!(first.timer.unwrap().running.unwrap().0, "a: urgent");
    let step = run.trace.steps().iter().position(|step| matches!(step.change, Change::Chosen { claimant, .. } if claimant.0 == 3)).unwrap();
    let step = run.trace.steps()[step];
    assert_eq!(sentence(&run.trace, &step), "Batch lax of task a is chosen: its deadline is the earliest.");
    let ends = at_time(&run, 2);
    assert_eq!(guests(&ends), "A: K1 [a: lax: K2]\nB: K3 [b: K3]\n");
}

proptest! {
    #![proptest_config(cases(300))]

    /// Every issued, incomplete operation is in exactly one push buffer, in a batch of its job; a batch that was told of by A is told of
    /// by B when it is done; what is chosen is first of its queue and in the runlist that is submitted.
    #[test]
    fn path_holds_what_is_issued(draft in prop_oneof![turns(PolicyKind::Runlist), turns(PolicyKind::Edf)]) {
        let run = run(&draft);
        let is_edf = draft.policy.kind == PolicyKind::Edf;
        let (mut replay, mut open, mut issued) = (run.replay(), BTreeMap::new(), BTreeMap::<OpId, bool>::new());
        for (i, step) in run.trace.steps().iter().enumerate() {
            match step.change {
                Change::Issued { op } => { issued.insert(op, true); }
                Change::KernelCompleted { op } | Change::CopyCompleted { op, .. } => { issued.remove(&op); }
                _ => {}
            }
            let state = replay.seek(i as u32 + 1);
            let view = path(&run.trace, state, Some(step), Time::ZERO, 1000).unwrap();
            let buffers: Vec<_> = view.guests.iter().flat_map(|guest| &guest.buffers).collect();
            let hidden: usize = buffers.iter().map(|buffer| buffer.hidden).sum();
            let hidden = hidden + view.guests.iter().map(|guest| guest.hidden_buffers).sum::<usize>() + view.hidden_guests;
            let mut seen = BTreeMap::new();
            for batch in buffers.iter().flat_map(|buffer| &buffer.batches) {
                for item in &batch.items {
                    prop_assert!(seen.insert(item.op, true).is_none(), "{} twice", item.label);
                    prop_assert_eq!((run.trace.row_of(item.op).claimant, run.trace.op(item.op).job), (batch.claimant, batch.job));
                }
            }
            prop_assert!(hidden > 0 || seen == issued, "{:?}\n{}", step, run.trace.text());
            prop_assert!(seen.keys().all(|op| issued.contains_key(op)));
            prop_assert!(view.signals.iter().filter(|signal| signal.event.is_some()).count() <= 1);
            let is_event = |signal: &&SignalView| signal.event.as_ref().is_some_and(|event| !event.ends_with(" has arrived"));
            for signal in view.signals.iter().filter(is_event) {
                let count = open.entry(signal.event.clone().unwrap()).or_insert(0_i32);
                match signal.kind.letter() {
                    "A" => *count += 1,
                    "B" => *count -= 1,
                    _ => {}
                }
                prop_assert!((0..=1).contains(count), "{:?}", signal);
            }
            if let (true, Change::Chosen { claimant, .. }) = (is_edf, step.change) {
                let process = &draft.processes[run.trace.scenario().claims_for(claimant).process.index()].name;
                let is_alone = draft.policy.chain == Chain::One;
                prop_assert!(view.submitted.channels.contains(process) && (!is_alone || view.submitted.channels.len() == 1));
                let OrderView::Deadlines(queues) = &view.scheduler.order else { panic!("queues of jobs") };
                prop_assert!(queues.ready.jobs.first().or(queues.best_effort.jobs.first()).is_some_and(|job| job.chosen));
            }
        }
    }
}
