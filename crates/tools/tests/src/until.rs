//! Run until: examples in exact steps, texts read and written, and every answer against a scan of
//! all states that judges each operation by itself.

use blockstep_format as format;
use blockstep_learn::until::{
    Condition, ConditionKind, Occurrences, Parameter, Part, REASONS, find, next, parse_phrase, phrases, previous,
};
use blockstep_protocol::{Cursor, Effect};
use blockstep_sim::engine::{Limits, Run, simulate};
use blockstep_sim::scenario::{
    Call, Chain, Draft, KernelDraft, NULL_STREAM, PolicyKind, Preemption, ProcessDraft, Scenario, StreamDraft, StreamPriority, TaskDraft,
};
use blockstep_sim::snapshot::{Claim, Residency, Snapshot};
use blockstep_sim::trace::{Change, Level, OpKind, Rule, Trace};
use blockstep_sim::units::{ClaimantId, OpId, RowId, SmId, SpaceId, StepId, StreamId, TaskId};
use blockstep_tools::tool::Event;
use blockstep_tools::until::{Msg, ParameterEntry, SearchOutcome, Until, View};
use blockstep_view::reason::{Reason, ReasonKind, reason, undispatched};
use proptest::prelude::*;

use crate::tool::OnPage;
use blockstep_testing::arbitrary::{any_drafts, cases};
use blockstep_testing::rows::{at, row, run, table_1};

fn read(trace: &Trace, fields: &[(&'static str, &str)]) -> Result<Condition, String> {
    Condition::read(trace, |name| fields.iter().find(|(n, _)| *n == name).map_or("", |(_, value)| value)).map_err(|why| why.to_string())
}

/// Every place at which a condition becomes true, as time and words.
fn all(run: &Run, fields: &[(&'static str, &str)]) -> Vec<String> {
    let condition = read(&run.trace, fields).unwrap();
    let (mut position, mut found) = (0, Vec::new());
    while let Some(step) = next(run, position, condition) {
        let time = blockstep_view::quantity::format_time(run.trace.step(step).at.ns());
        found.push(format!("{time}: {}", condition.describe(run, step)));
        position = step.0 + 1;
    }
    assert_eq!(find(run, 0, condition).count as usize, found.len());
    found
}

#[test]
fn until_a_kernel_comes_to_something() {
    let (run, _) = run(&table_1());
    let of = |until, row| all(&run, &[("until", until), ("row", row)]);
    assert_eq!(of("issued", "K6"), ["2.8 s: Task T1 issues K6 to stream S2"]);
    assert_eq!(of("heads-queue", "K5"), ["1 s: K5 reaches the head of the low-priority EE queue"]);
    assert_eq!(of("first-block", "K1"), ["0 s: Block 0 of K1 is assigned to SM 0"]);
    assert_eq!(of("last-block", "K1"), ["1 s: Block 5 of K1 is assigned to SM 1"]);
    assert_eq!(of("completes", "K3"), ["4.6 s: All blocks of K3 have completed; it leaves stream S1"]);
    assert_eq!(all(&run, &[("until", "job-completed"), ("task", "T1")]), ["4 s: The job of task T1 is complete"]);
    assert_eq!(all(&run, &[("until", "job-released")]).len(), 2);
    assert_eq!(all(&run, &[("until", "rule"), ("rule", "C4")]).len(), 5);
    assert_eq!(all(&run, &[("until", "deadline-missed")]), [""; 0]);
}

#[test]
fn until_a_phrase_is_the_condition_of_its_words() {
    let (run, _) = run(&table_1());
    let trace = &run.trace;
    let same = |phrase: &str, fields: &[(&'static str, &str)]| {
        assert_eq!(parse_phrase(trace, phrase), Ok(read(trace, fields).unwrap()), "{phrase}");
    };
    same("K4 starts", &[("until", "first-block"), ("row", "K4")]);
    same("  k4   STARTS ", &[("until", "first-block"), ("row", "K4")]);
    same("K4", &[("until", "first-block"), ("row", "K4")]);
    same("K5 is done", &[("until", "completes"), ("row", "K5")]);
    same("K5 launched", &[("until", "issued"), ("row", "K5")]);
    same("misses", &[("until", "deadline-missed")]);
    same("T1 ends", &[("until", "job-completed"), ("task", "T1")]);
    same("SM 1 full", &[("until", "free-threads"), ("sm", "1"), ("below", "1")]);
    same("sm1 is full", &[("until", "free-threads"), ("sm", "1"), ("below", "1")]);
    same("x1", &[("until", "rule"), ("rule", "X1")]);
    same("priority inversion", &[("until", "inversion")]);
    same("C2o", &[("until", "part-starts"), ("part", "C2o")]);
    same("c2o ends", &[("until", "part-ends"), ("part", "C2o")]);
    same("K4:0", &[("until", "part-starts"), ("part", "K4:0")]);
    same("k4:1 completes", &[("until", "part-ends"), ("part", "K4:1")]);
    for (phrase, said) in [
        ("K9 starts", "“K9 starts” does not begin with the name of a kernel, copy, task or process of this table."),
        ("nonsense", "“nonsense” is not a time, a step, or an event. Type 1.1 s, #12, K1 starts, SM 0 full, misses, or a rule such as X1."),
        ("K4 sings", "Say what K4 does: starts, ends, is launched, heads its queue or is fully dispatched."),
        ("K4:9 starts", "K4 has 4 blocks, counted from 0."),
        ("C2o sings", "Say what C2o does: starts or ends."),
        ("SM 7 full", "There is no SM 7: the device has 2, counted from 0."),
    ] {
        assert_eq!(parse_phrase(trace, phrase).unwrap_err().to_string(), said);
    }
}

#[test]
fn until_a_copy_starts_and_ends() {
    let copy = KernelDraft { call: Call::CopyToDevice, bytes: 1 << 20, blocks: 0, ..row("up", "S1", "0", 1, 1) };
    let (run, _) = run(&Draft { kernels: vec![copy, row("K1", "S1", "0", 1, 32)], ..Draft::default() });
    let of = |phrase: &str| {
        let condition = parse_phrase(&run.trace, phrase).unwrap();
        next(&run, 0, condition).map(|step| run.trace.step(step).change)
    };
    assert!(matches!(of("up starts"), Some(Change::CopyAssigned { .. })));
    assert!(matches!(of("up ends"), Some(Change::CopyCompleted { .. })));
    assert!(matches!(of("up is launched"), Some(Change::Issued { .. })));
}

#[test]
fn until_something_holds() {
    let (run, _) = run(&table_1());
    let waits = |reason, row| all(&run, &[("until", "waits"), ("reason", reason), ("row", row)]);
    assert_eq!(waits("memory", ""), ["1 s: K5 waits: needs 32 KiB of free shared memory; no SM has any, and K4 holds it"]);
    assert_eq!(waits("x1", "K5"), ["400 ms: K5 waits: behind K1 in the low-priority EE queue, with 2 kernels ahead"]);
    assert_eq!(waits("copy-engine", ""), ["3 s: C2o waits: the copy engine is busy with C5o"]);
    let free = all(&run, &[("until", "free-threads"), ("sm", "0"), ("below", "1000")]);
    let few = |time: &str, free: &str| format!("{time}: SM 0 has {free} free threads, fewer than 1,000");
    assert_eq!(free, [few("0 s", "512"), few("2.8 s", "768"), few("3.6 s", "512")]);
}

/// K1 fills the GPU; K2, of high priority, comes in between.
fn inverted() -> Draft {
    let stream = |name: &str, priority| StreamDraft { process: None, name: name.to_owned(), priority, non_blocking: false };
    Draft {
        streams: vec![stream("S1", StreamPriority::Low), stream("S2", StreamPriority::High)],
        kernels: vec![
            row("K1", "S1", "0", 4, 1024),
            row("K2", "S2", "0.5", 1, 1024),
            row("K3", NULL_STREAM, "3", 1, 64),
            row("K4", "S2", "3.5", 1, 64),
        ],
        ..Draft::default()
    }
}

#[test]
fn until_a_priority_inversion_begins() {
    let (run, _) = run(&inverted());
    assert_eq!(
        all(&run, &[("until", "inversion")]),
        [
            "500 ms: K2 of high priority finds no room on any SM while K1, which is not of high priority, executes",
            "3.5 s: K4 of high priority waits for K3 in the NULL stream, which is of low priority",
        ]
    );
    let mut fifo = inverted();
    fifo.policy.kind = PolicyKind::Fifo;
    assert_eq!(all(&blockstep_testing::rows::run(&fifo).0, &[("until", "inversion")]), [""; 0]);
}

fn two_processes(preemption: Preemption) -> Draft {
    let task = |i: usize, offset: &str, deadline: &str| TaskDraft {
        process: Some(format!("P{i}")),
        deadline_ns: Some(at(deadline)),
        offset_ns: at(offset),
        ..TaskDraft::named(format!("T{i}"))
    };
    let mut draft = Draft {
        processes: vec![ProcessDraft::named("P0"), ProcessDraft::named("P1")],
        tasks: vec![task(0, "0", "9"), task(1, "0.5", "2")],
        kernels: vec![row("K0", "S1", "0", 1, 64), KernelDraft { task: Some("T1".to_owned()), ..row("K1", "S1", "0", 1, 64) }],
        ..Draft::default()
    };
    (draft.policy.kind, draft.policy.preemption) = (PolicyKind::Edf, preemption);
    draft
}

#[test]
fn until_an_earlier_deadline_has_to_wait() {
    let found = |preemption| all(&run(&two_processes(preemption)).0, &[("until", "inversion")]);
    assert_eq!(found(Preemption::Thread), [""; 0]);
    let waits = ["500 ms: task T1 would be first, but process P0 has the GPU"];
    assert_eq!(found(Preemption::Block), waits);
    assert_eq!(found(Preemption::None), waits);
    let (run, _) = run(&two_processes(Preemption::Thread));
    assert_eq!(
        all(&run, &[("until", "resident"), ("process", "P0")]),
        ["0 s: Process P0 is now resident", "1.5 s: Process P0 is now resident"]
    );
}

#[test]
fn until_says_what_it_cannot_read() {
    let (run, _) = run(&table_1());
    let wrong = |fields: &[(&'static str, &str)]| read(&run.trace, fields).unwrap_err();
    assert!(wrong(&[("until", "dance")]).starts_with("until: \"dance\" is not a condition; there are first-block, "));
    assert_eq!(wrong(&[("until", "completes"), ("row", "K9")]), "row: there is no kernel \"K9\"");
    assert_eq!(
        wrong(&[("until", "free-threads"), ("sm", "2"), ("below", "1")]),
        "sm: 2 is out of range: the device has 2 SMs, counted from 0"
    );
    assert_eq!(
        wrong(&[("until", "free-threads"), ("sm", "0"), ("below", "2049")]),
        "below: 2,049 is out of range: an SM has 2,048 threads"
    );
    assert!(wrong(&[("until", "free-threads"), ("sm", "x"), ("below", "1")]).starts_with("sm: "));
    assert!(wrong(&[("until", "waits"), ("reason", "boredom")]).starts_with("reason: \"boredom\" is not a reason; there are producer, "));
    assert_eq!(wrong(&[("until", "job-released"), ("task", "T7")]), "task: there is no task \"T7\"");
    assert_eq!(wrong(&[("until", "rule"), ("rule", "Z9")]), "rule: there is no rule \"Z9\"");
    assert_eq!(wrong(&[("until", "resident"), ("process", "P0")]), "process: under policy priority processes do not take turns");
}

/// Conditions of every sort about a run.
fn conditions(trace: &Trace) -> Vec<Condition> {
    let mut all =
        vec![Condition::PriorityInversion, Condition::DeadlineMissed(None), Condition::JobReleased(None), Condition::JobCompleted(None)];
    let device = trace.scenario().device();
    for below in [1, device.threads_per_sm / 2 + 1] {
        all.push(Condition::FreeThreads { sm: SmId::at(device.sms as usize - 1), below });
    }
    all.extend((0..trace.scenario().tasks().len().min(2)).map(TaskId::at).map(|task| Condition::JobCompleted(Some(task))));
    all.extend(REASONS.iter().map(|&(_, kind)| Condition::Waits { kind, row: None }));
    for row in (0..trace.scenario().rows().len().min(3)).map(RowId::at) {
        all.extend([
            Condition::Issued(row),
            Condition::HeadsQueue(row),
            Condition::FirstBlock(row),
            Condition::LastBlock(row),
            Condition::Completes(row),
        ]);
        let info = trace.scenario().row(row);
        let copies = [(info.copy_in.is_some(), Part::CopyIn), (info.copy_out.is_some(), Part::CopyOut)];
        let copies = copies.into_iter().filter(|(is_there, _)| *is_there).map(|(_, part)| part);
        let last = info.blocks.checked_sub(1).map(|last| Part::Block(last as u32));
        for part in copies.chain(last).filter(|_| info.call == Call::Kernel) {
            all.extend([Condition::PartStarts(row, part), Condition::PartEnds(row, part)]);
        }
        all.extend(REASONS.iter().map(|&(_, kind)| Condition::Waits { kind, row: Some(row) }));
    }
    if matches!(trace.scenario().policy().kind, PolicyKind::Runlist | PolicyKind::Edf) {
        all.extend((0..trace.layout().spaces().len()).map(SpaceId::at).map(Condition::Resident));
    }
    all.extend([Rule::R1, Rule::A2, Rule::S5].map(Condition::RuleUsed));
    all
}

/// Whether a standing holds, by a look at every operation and claim.
fn holds(trace: &Trace, state: &Snapshot, condition: Condition) -> bool {
    let streams = || (0..trace.layout().streams().len()).map(StreamId::at);
    let waits = |op: OpId| reason(trace, state, op).or_else(|| undispatched(trace, state, op));
    let mut open = streams().flat_map(|s| state.stream(s).queue.iter().copied());
    let is_high = |op: OpId| trace.layout().stream(trace.op(op).stream).priority == StreamPriority::High;
    match condition {
        Condition::FreeThreads { sm, below } => {
            let held = |space: SpaceId| {
                state.space(space).sms[sm.index()].blocks.iter().map(|b| u64::from(trace.row_of(b.op).needs.threads)).sum()
            };
            let held: u64 = match state.residency() {
                Residency::Shared => held(SpaceId(0)),
                Residency::Resident { space, .. } => held(space),
                _ => 0,
            };
            trace.scenario().device().threads_per_sm - held < below
        }
        Condition::Waits { kind, row } => {
            open.any(|op| row.is_none_or(|row| trace.op(op).row == row) && waits(op).is_some_and(|r| r.kind() == kind))
        }
        Condition::PriorityInversion if trace.scenario().policy().kind == PolicyKind::Fifo => false,
        Condition::PriorityInversion => {
            let mut held_up = open.filter(|&op| is_high(op)).map(|op| (op, waits(op)));
            let by_kernel = held_up.any(|(op, why)| match why {
                Some(Reason::N2 { .. }) => true,
                Some(Reason::Threads | Reason::SharedMemory | Reason::Registers | Reason::Slots) => {
                    let (needs, space) = (trace.row_of(op).needs, state.space(trace.layout().stream(trace.op(op).stream).space));
                    space.sms.iter().any(|sm| {
                        sm.blocks.iter().filter(|b| !is_high(b.op) && matches!(b.progress, blockstep_sim::snapshot::Progress::Runs(_))).any(
                            |b| {
                                let held = trace.row_of(b.op).needs;
                                (sm.threads < needs.threads && held.threads > 0)
                                    || (sm.shared_memory < needs.shared_memory && held.shared_memory > 0)
                                    || (sm.registers < needs.registers && held.registers > 0)
                                    || sm.slots < 1
                            },
                        )
                    })
                }
                _ => false,
            });
            let claimants = (0..trace.scenario().claimants().len()).map(ClaimantId::at);
            // Only there has each process a space of its own, in which its jobs are pending or not.
            let is_edf = trace.scenario().policy().kind == PolicyKind::Edf;
            let claims: Vec<_> = claimants.filter(|_| is_edf).filter_map(|of| state.claim(trace, of, state.now())).collect();
            let first = claims.iter().min_by_key(|c| (c.rank(trace.variants()), !state.is_chosen(c.claimant, c.job), c.claimant));
            let is_of = |claim: &Claim, space: SpaceId| trace.scenario().task(claim.task).process.0 == space.0;
            // Line 33: of a chain that stays resident, whoever has work goes on while its process has the turn.
            let is_of_chain = |c: &Claim, of: &Claim| {
                let has_work = state.claimant(c.claimant).job(c.job).is_some_and(|open| open.live > 0);
                has_work && (c.head, c.job, c.rank(trace.variants())) == (of.head, of.job, of.rank(trace.variants()))
            };
            let has_turns = |c: &Claim| trace.scenario().policy().chain == Chain::Resident && c.head != c.claimant;
            let is_first = |space: SpaceId| {
                first.is_none_or(|first| {
                    let of_chain: Vec<_> = claims.iter().filter(|c| has_turns(first) && is_of_chain(c, first)).collect();
                    if of_chain.is_empty() { is_of(first, space) } else { of_chain.iter().any(|c| is_of(c, space)) }
                })
            };
            let by_turn = is_edf
                && match state.residency() {
                    Residency::Resident { space, draining, .. } => first.is_some() && (draining || !is_first(space)),
                    Residency::Submitting { to, .. } | Residency::Switching { to, .. } => !is_first(to),
                    _ => false,
                };
            by_kernel || by_turn
        }
        _ => panic!("{condition:?} is an event"),
    }
}

/// Whether a step is an event, by the states before and after it.
fn happens(trace: &Trace, before: &Snapshot, after: &Snapshot, condition: Condition, step: StepId) -> bool {
    let (change, rule) = (trace.step(step).change, trace.step(step).rule);
    let kernel = |op: OpId, row: RowId| trace.op(op).row == row && trace.op(op).kind == OpKind::Kernel;
    let copy = |op: OpId, row: RowId| trace.op(op).row == row && trace.row_of(op).call.is_copy();
    match condition {
        Condition::Issued(row) => matches!(change, Change::Issued { op } if kernel(op, row) || copy(op, row)),
        Condition::HeadsQueue(row) => {
            let heads = |state: &Snapshot| -> Vec<OpId> {
                let both = state.spaces().iter().flat_map(|space| [Level::High, Level::Low].map(|level| space.ee(level).front().copied()));
                both.flatten().filter(|&op| kernel(op, row)).collect()
            };
            heads(after).iter().any(|op| !heads(before).contains(op))
        }
        Condition::FirstBlock(row) => {
            matches!(change, Change::BlockAssigned { op, .. } if kernel(op, row) && before.stream(trace.op(op).stream).assigned == 0)
                || matches!(change, Change::CopyAssigned { op, .. } if copy(op, row))
        }
        Condition::LastBlock(row) => {
            matches!(change, Change::BlockAssigned { op, .. } if kernel(op, row) && u64::from(after.stream(trace.op(op).stream).assigned) == trace.row_of(op).blocks)
        }
        Condition::Completes(row) => {
            matches!(change, Change::KernelCompleted { op } if kernel(op, row))
                || matches!(change, Change::CopyCompleted { op, .. } if copy(op, row))
        }
        Condition::DeadlineMissed(_) => matches!(change, Change::DeadlineMissed { .. }),
        Condition::JobReleased(_) => matches!(change, Change::JobReleased { .. }),
        Condition::JobCompleted(of) => matches!(change, Change::JobCompleted { task, .. } if of.is_none_or(|of| of == task)),
        Condition::Resident(of) => matches!(change, Change::Entered { space } if space == of),
        Condition::RuleUsed(of) => rule == of,
        Condition::PartStarts(row, part) => match (change, part) {
            (Change::BlockAssigned { op, block, .. }, Part::Block(number)) => trace.op(op).row == row && block == number,
            (Change::CopyAssigned { op, .. }, Part::CopyIn) => trace.op(op).row == row && trace.op(op).kind == OpKind::CopyIn,
            (Change::CopyAssigned { op, .. }, Part::CopyOut) => trace.op(op).row == row && trace.op(op).kind == OpKind::CopyOut,
            _ => false,
        },
        Condition::PartEnds(row, part) => match (change, part) {
            (Change::BlockEnded { op, block, .. }, Part::Block(number)) => trace.op(op).row == row && block == number,
            (Change::CopyCompleted { op, .. }, Part::CopyIn) => trace.op(op).row == row && trace.op(op).kind == OpKind::CopyIn,
            (Change::CopyCompleted { op, .. }, Part::CopyOut) => trace.op(op).row == row && trace.op(op).kind == OpKind::CopyOut,
            _ => false,
        },
        _ => panic!("{condition:?} is a standing"),
    }
}

/// The steps at which a condition becomes true, by a scan of all states.
fn scan(trace: &Trace, states: &[Snapshot], condition: Condition) -> Vec<StepId> {
    let steps = trace.steps();
    if !condition.is_standing() {
        let found = (0..steps.len()).map(StepId::at).filter(|&s| happens(trace, &states[s.index()], &states[s.index() + 1], condition, s));
        return found.collect();
    }
    let held: Vec<bool> = states.iter().map(|state| holds(trace, state, condition)).collect();
    let ends_instant = |applied: usize| applied == 0 || applied == steps.len() || steps[applied].at > steps[applied - 1].at;
    let becomes = |s: &usize| {
        // It holds from this step to the end of its instant, but not before it, nor at the end of the last one.
        let end = (s + 1..=steps.len()).find(|&applied| ends_instant(applied)).unwrap();
        let begin = (0..=*s).rev().find(|&applied| ends_instant(applied)).unwrap();
        !held[*s] && held[s + 1..=end].iter().all(|&h| h) && !held[begin]
    };
    (0..steps.len()).filter(becomes).map(StepId::at).collect()
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn until_finds_what_a_scan_of_all_states_finds(draft in any_drafts()) {
        let run = simulate(&Scenario::new(&draft).unwrap(), Limits::default());
        let (trace, count) = (&run.trace, run.trace.steps().len() as u32);
        let mut replay = run.replay();
        let states: Vec<Snapshot> = (0..=count).map(|applied| replay.seek(applied).clone()).collect();
        for condition in conditions(trace) {
            let expected = scan(trace, &states, condition);
            for position in (0..=count).step_by(1 + count as usize / 40) {
                let found = find(&run, position, condition);
                let with = Occurrences {
                    previous: expected.iter().rev().find(|s| s.0 + 1 < position).copied(),
                    next: expected.iter().find(|s| s.0 >= position).copied(),
                    here: expected.iter().find(|s| s.0 + 1 == position).copied(),
                    count: expected.len() as u32,
                    before: expected.iter().filter(|s| s.0 < position).count() as u32,
                };
                prop_assert_eq!(found, with, "{:?} at {}: {:?}", condition, position, expected);
            }
            if let Some(&step) = expected.last() {
                prop_assert_eq!(previous(&run, count + 2, condition), Some(step));
                prop_assert!(!condition.describe(&run, step).is_empty());
            }
            let fields = condition.write(trace);
            let again = Condition::read(trace, |name| fields.iter().find(|(n, _)| *n == name).map_or("", |(_, v)| v.as_str()));
            prop_assert_eq!(again, Ok(condition));
        }
        for phrase in phrases(trace, usize::MAX) {
            prop_assert!(parse_phrase(trace, &phrase).is_ok(), "{}", phrase);
        }
    }
}

/// In the preemption mode `kernel` a process that drains goes on with the kernels that have begun.
#[test]
fn until_a_kernel_of_a_process_that_drains_may_wait_for_a_slot() {
    let text = r#"{ "version": 1, "device": { "name": "small", "sms": 1, "threads_per_sm": 5, "blocks_per_sm": 1,
        "shared_memory_per_sm": 1, "registers_per_sm": 1, "max_threads_per_block": 6, "max_shared_memory_per_block": 6,
        "max_registers_per_block": 10, "max_registers_per_thread": 3, "copy_engines": 1, "copy_bandwidth_bytes_per_s": 1000000000 },
        "policy": { "kind": "runlist", "preemption": "thread", "switch_cost_ns": 0 },
        "processes": [ { "name": "P0", "interleave": "high", "timeslice_ns": 2, "preemption": "kernel" },
            { "name": "P1", "interleave": "high", "timeslice_ns": 1 } ],
        "tasks": [ { "name": "T0", "process": "P0" }, { "name": "T1", "process": "P1" } ],
        "streams": [ { "name": "S1", "priority": "high" } ],
        "kernels": [
            { "name": "K0", "task": "T0", "stream": "S1", "start_ns": 2, "blocks": 1, "threads_per_block": 1, "block_time_ns": 5 },
            { "name": "K1", "task": "T1", "stream": "S1", "blocks": 2, "threads_per_block": 1, "block_time_ns": [4, 6], "copy_out_bytes": 3 },
            { "name": "K2", "task": "T0", "stream": "S2", "start_ns": 2, "blocks": 2, "threads_per_block": 1, "block_time_ns": [6, 1], "copy_in_bytes": 1 },
            { "name": "K3", "task": "T0", "stream": "S1", "blocks": 1, "threads_per_block": 1, "block_time_ns": 1 },
            { "name": "K4", "task": "T0", "stream": "S1", "start_ns": 2, "blocks": 1, "threads_per_block": 5, "block_time_ns": 1, "copy_in_bytes": 1 } ] }"#;
    let run = simulate(&Scenario::new(&format::read_scenario(text).unwrap()).unwrap(), Limits::default());
    let mut replay = run.replay();
    let states: Vec<Snapshot> = (0..=run.trace.steps().len() as u32).map(|applied| replay.seek(applied).clone()).collect();
    let condition = Condition::Waits { kind: ReasonKind::Slots, row: None };
    let expected = scan(&run.trace, &states, condition);
    assert!(expected.len() > 1, "{expected:?}");
    assert_eq!(find(&run, 0, condition).count as usize, expected.len(), "{expected:?}");
}

/// Likewise one of high priority waits for what one of low priority holds: an inversion, though the process drains.
#[test]
fn until_a_kernel_of_a_process_that_drains_may_be_held_up_by_a_lower_one() {
    let text = r#"{ "version": 1, "device": { "name": "small", "sms": 2, "threads_per_sm": 2, "blocks_per_sm": 1,
        "shared_memory_per_sm": 1, "registers_per_sm": 1, "max_threads_per_block": 6, "max_shared_memory_per_block": 6,
        "max_registers_per_block": 10, "max_registers_per_thread": 3, "copy_engines": 1, "copy_bandwidth_bytes_per_s": 1000000000 },
        "policy": { "kind": "runlist" },
        "processes": [ { "name": "P0", "timeslice_ns": 4, "preemption": "kernel" }, { "name": "P1" } ],
        "tasks": [ { "name": "T0", "process": "P0" }, { "name": "T1", "process": "P1" } ],
        "streams": [ { "name": "high", "priority": "high" } ],
        "kernels": [
            { "name": "low", "task": "T0", "stream": "S1", "blocks": 2, "threads_per_block": 1, "block_time_ns": [3, 9] },
            { "name": "high", "task": "T0", "stream": "high", "start_ns": 1, "blocks": 2, "threads_per_block": 1, "block_time_ns": [7, 2] },
            { "name": "other", "task": "T1", "blocks": 1, "threads_per_block": 1, "block_time_ns": 5 } ] }"#;
    let run = simulate(&Scenario::new(&format::read_scenario(text).unwrap()).unwrap(), Limits::default());
    let mut replay = run.replay();
    let states: Vec<Snapshot> = (0..=run.trace.steps().len() as u32).map(|applied| replay.seek(applied).clone()).collect();
    let is_draining = |state: &Snapshot| matches!(state.residency(), Residency::Resident { draining: true, .. });
    let mut held_while_draining = 0;
    for state in &states {
        let holds_now = holds(&run.trace, state, Condition::PriorityInversion);
        assert_eq!(Condition::PriorityInversion.holds(&run.trace, state), holds_now, "{}", run.trace.text());
        held_while_draining += usize::from(holds_now && is_draining(state));
    }
    assert!(held_while_draining > 0, "{}", run.trace.text());
}

#[test]
fn until_every_sort_has_a_name_of_its_own() {
    for kind in ConditionKind::ALL {
        assert_eq!(ConditionKind::from_id(kind.id()), Some(kind));
    }
}

/// States are walked once: a long run answers at once.
#[test]
fn until_a_long_run_is_walked_once() {
    let run = simulate(&Scenario::new(&blockstep_testing::large::large("titanv", 30_000, false)).unwrap(), Limits::default());
    let begin = std::time::Instant::now();
    let found = find(&run, 1_000, Condition::Waits { kind: ReasonKind::Threads, row: None });
    let of_events = find(&run, 1_000, Condition::RuleUsed(Rule::B1));
    println!("{} steps, {found:?}, {of_events:?}: {:?}", run.trace.steps().len(), begin.elapsed());
    assert_eq!(of_events.count, 30_000);
}

/// What a control of the panel holds.
fn held(view: &View, parameter: Parameter) -> &str {
    &view.controls.iter().find(|control| control.parameter == parameter).unwrap().value
}

/// What it offers.
fn offered(view: &View, parameter: Parameter) -> Vec<&str> {
    match &view.controls.iter().find(|control| control.parameter == parameter).unwrap().entry {
        ParameterEntry::Chosen(choices) => choices.iter().map(|(_, name)| name.as_str()).collect(),
        ParameterEntry::Typed { .. } => panic!("it is typed"),
    }
}

fn says(text: &str) -> SearchOutcome {
    SearchOutcome::Says(text.to_owned())
}

#[test]
fn until_goes_on_and_back() {
    let draft = table_1();
    let mut page = OnPage::<Until>::new("until", &format::write_scenario(&draft));
    page.cursor.row = Some(RowId(4));
    let told = page.tell(Event::Opened(String::new())).unwrap();
    let view = told.view.unwrap();
    assert!(told.effects.is_empty());
    assert_eq!(
        (view.kind, held(&view, Parameter::Row), view.outcome.clone()),
        (ConditionKind::FirstBlock, "K5", says("Once in this run."))
    );
    assert_eq!(
        page.edit(|state| ConditionKind::HeadsQueue.id().clone_into(&mut state.until)).view.unwrap().outcome,
        says("Once in this run.")
    );
    let told = page.send(Msg::Next);
    let (run, _) = run(&draft);
    let step = find(&run, 0, Condition::HeadsQueue(RowId(4))).next.unwrap();
    let place = format!("Step {} (1 s)", step.0 + 1);
    let what = "K5 reaches the head of the low-priority EE queue.".to_owned();
    assert_eq!(told.effects, [Effect::GoToStep(step.0 + 1), Effect::Announce(format!("{place}: {what}"))]);
    assert_eq!(told.view.unwrap().outcome, SearchOutcome::Found { position: step.0 + 1, place, what });
    page.go(step.0 + 1);
    let told = page.send(Msg::Next);
    let nothing = "K5 reaches the head of its EE queue once, at 1 s.";
    assert_eq!((told.effects, told.view.unwrap().outcome), (vec![Effect::Announce(nothing.to_owned())], says(nothing)));
    let memory = page.memory.clone();
    assert_eq!(page.send(Msg::Previous).view.unwrap().outcome, says(nothing));
    // From elsewhere a button goes there, until the reader is there.
    page.go(step.0 + 2);
    let elsewhere = SearchOutcome::Elsewhere { position: step.0 + 1, said: nothing.to_owned() };
    assert_eq!(page.send(Msg::Next).view.unwrap().outcome, elsewhere);
    assert_eq!(page.go(step.0 + 1).moved().outcome, says(nothing));
    page.go(0);
    assert_eq!(page.send(Msg::Previous).view.unwrap().outcome, elsewhere);
    // Another kernel is selected on the page.
    page.memory = memory;
    page.go(0).cursor.row = Some(RowId(1));
    assert_eq!(held(&page.moved(), Parameter::Row), "K2");
    page.cursor.row = None;
    page.edit(|state| ConditionKind::FreeThreads.id().clone_into(&mut state.until));
    page.edit(|state| *state.parameter_mut(Parameter::Sm) = "1".to_owned());
    let told = page.edit(|state| *state.parameter_mut(Parameter::Below) = "9999".to_owned());
    let problem = SearchOutcome::Problem("below: 9,999 is out of range: an SM has 2,048 threads".to_owned());
    assert_eq!(told.view.unwrap().outcome, problem);
    let told = page.send(Msg::Next);
    assert_eq!((told.effects, told.view.unwrap().outcome), (Vec::new(), problem));
    page.memory.clear();
    let view = page.edit(|state| ConditionKind::DeadlineMissed.id().clone_into(&mut state.until)).view.unwrap();
    assert_eq!((&view.outcome, offered(&view, Parameter::AnyTask)[0]), (&says("Never in this run."), "any task"));
    assert_eq!(page.send(Msg::Next).view.unwrap().outcome, says("Never in this run."));
    page.memory.clear();
    let view = page.open("until=waits&reason=memory");
    assert_eq!((held(&view, Parameter::Reason), offered(&view, Parameter::AnyRow)[0]), ("memory", "any kernel"));
    let empty = format::write_scenario(&Draft::default());
    let view = OnPage::<Until>::new("until", &empty).open("");
    assert!(matches!(&view.outcome, SearchOutcome::Problem(problem) if problem.starts_with("row: there is no kernel")), "{view:?}");
}

/// A name at the beginning of a sentence stays as the reader wrote it.
#[test]
fn until_keeps_names_that_begin_small() {
    let mut draft = table_1();
    "train".clone_into(&mut draft.kernels[0].name);
    let (run, _) = run(&draft);
    let mut page = OnPage::<Until>::new("until", &format::write_scenario(&draft));
    page.go(run.trace.steps().len() as u32);
    for (phrase, said) in [
        ("train ends", "train ends once, at 2 s."),
        ("train:0 ends", "train:0 ends once, at 1 s."),
        ("train is launched", "train is launched once, at 0 s."),
    ] {
        let effects = page.send(Msg::NextOf(phrase.to_owned())).effects;
        assert!(effects.contains(&Effect::Say(said.to_owned())), "{effects:?}");
    }
}

/// What is typed in the bar of steps is gone to wherever it is, and that it is back there is said.
#[test]
fn until_goes_back_to_what_does_not_happen_again() {
    let draft = table_1();
    let (run, _) = run(&draft);
    let end = run.trace.steps().len() as u32;
    let mut page = OnPage::<Until>::new("until", &format::write_scenario(&draft));
    page.go(end);
    let mut goes = |phrase: &str| page.send(Msg::NextOf(phrase.to_owned())).effects;
    let back = |phrase: &str, said: &str| {
        let step = previous(&run, end + 2, parse_phrase(&run.trace, phrase).unwrap()).unwrap();
        [Effect::GoToStep(step.0 + 1), Effect::Announce(said.to_owned()), Effect::Say(said.to_owned())]
    };
    assert_eq!(goes("K4 starts"), back("K4", "K4 starts once, at 1 s."));
    assert_eq!(goes("K4:0"), back("K4:0", "K4:0 starts once, at 1 s."));
    assert_eq!(goes("C2o starts"), back("C2o", "C2o starts once, at 3.2 s."));
    let count = run.trace.steps().iter().filter(|step| step.rule == Rule::X1).count();
    let last = run.trace.steps().iter().rfind(|step| step.rule == Rule::X1).unwrap();
    let at = blockstep_view::quantity::format_time(last.at.ns());
    assert_eq!(goes("X1"), back("X1", &format!("Rule X1 is used {count} times, the last at {at}.")));
    let began = page.open("until=waits&reason=memory");
    assert!(matches!(&began.outcome, SearchOutcome::Says(_)), "{began:?}");
    let said =
        |effects: Vec<Effect>| effects.into_iter().find_map(|effect| if let Effect::Announce(said) = effect { Some(said) } else { None });
    assert_eq!(said(page.send(Msg::Next).effects), Some("An operation begins to wait for this reason once, at 1 s.".to_owned()));
    let mut goes = |phrase: &str| page.send(Msg::NextOf(phrase.to_owned())).effects;
    let never = "Never in this run.".to_owned();
    assert_eq!(goes("misses"), [Effect::Announce(never.clone()), Effect::Complain(never)]);
}

/// What a link holds is taken as it is, shown, and said to be wrong if it is.
#[test]
fn until_takes_what_links_hold() {
    let scenario = format::write_scenario(&table_1());
    for nonsense in ["until=zz&row=<b>", "until=rule&rule=zz", "until=completes&row=<b>", "%ff=&&=&until=waits&reason="] {
        let mut page = OnPage::<Until>::new("until", &scenario);
        page.memory = format!("{nonsense}&step=x");
        page.cursor = Cursor { position: 77_777, row: Some(RowId(777)), ..Cursor::default() };
        page.open(nonsense);
        page.send(Msg::Next);
        page.send(Msg::Previous);
    }
    let mut page = OnPage::<Until>::new("until", &scenario);
    let view = page.open("until=completes&row=<b>");
    assert_eq!(view.outcome, SearchOutcome::Problem("row: there is no kernel \"<b>\"".to_owned()));
    assert_eq!((held(&view, Parameter::Row), offered(&view, Parameter::Row)[0]), ("<b>", "<b>"), "it is shown all the same");
    // The names and values of links of version 1.
    page.memory = "until=completes&row=K3&sm=0&below=1024&reason=producer&rule=G1&asks=&scenario=0&said=x&step=7".to_owned();
    let view = page.moved();
    assert_eq!((view.kind, held(&view, Parameter::Row), view.outcome.clone()), (ConditionKind::Completes, "K3", says("Once in this run.")));
    assert!(
        [r#""until":"completes""#, r#""row":"K3""#, r#""below":"1024""#].iter().all(|field| page.memory.contains(field)),
        "{}",
        page.memory
    );
    // What it does not name, it keeps.
    let view = page.open("until=waits&row=");
    assert_eq!((view.kind, held(&view, Parameter::AnyRow), held(&view, Parameter::Reason)), (ConditionKind::Waits, "", "producer"));
    // Names that another scenario does not have are forgotten.
    page.open("until=completes&row=K3");
    let mut other = inverted();
    other.kernels.truncate(2);
    page.scenario = format::write_scenario(&other);
    assert_eq!(held(&page.moved(), Parameter::Row), "K1");
}

/// More names than a list takes are typed.
#[test]
fn until_many_names_are_typed() {
    let mut page = OnPage::<Until>::new("until", &format::write_scenario(&blockstep_testing::large::large("tx2", 400, false)));
    let view = page.open("until=waits");
    let typed = |view: &View, parameter: Parameter| {
        let control = view.controls.iter().find(|control| control.parameter == parameter).unwrap();
        matches!(control.entry, ParameterEntry::Typed { .. })
    };
    assert!(!typed(&view, Parameter::Reason));
    let rows = blockstep_format::read_scenario(&page.scenario).unwrap().kernels.len();
    assert_eq!(typed(&view, Parameter::AnyRow), rows > 300);
    assert!(typed(&page.open("until=free-threads"), Parameter::Below));
}
