//! Why something began where and when it did, whether it would fit, and why nothing is in a gap.

use blockstep_format as format;
use blockstep_learn::why::{Moment, began, fit, gap, waits_for};
use blockstep_protocol::Cursor;
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, Scenario};
use blockstep_sim::snapshot::Residency;
use blockstep_sim::trace::OpKind;
use blockstep_sim::units::{OpId, SmId, StepId, Time};
use blockstep_tools::ask::{Ask, View};
use blockstep_tools::tool::Event;
use blockstep_view::reason::Reason;
use proptest::prelude::*;

use crate::tool::OnPage;
use blockstep_testing::arbitrary::{any_drafts, cases};
use blockstep_testing::rows::{at, row, run, state_at, table_1};

fn op_named(run: &blockstep_sim::engine::Run, name: &str) -> OpId {
    (0..run.trace.ops().len()).map(OpId::at).find(|&op| run.trace.op_label(op) == name).unwrap()
}

#[test]
fn a_block_says_what_it_waited_for_and_which_sm_had_room() {
    let (run, records) = run(&table_1());
    let began = |name: &str, block| began(&run.trace, &records, &mut run.replay(), op_named(&run, name), block).unwrap();
    let first = began("K1", Some(0));
    assert_eq!((first.label.as_str(), first.at), ("K1:0", Time::ZERO));
    assert_eq!(first.then, "It was launched at this instant, and nothing kept it waiting.");
    assert_eq!(
        first.here,
        "2 SMs had room: SM 0 (2,048 free), SM 1 (2,048 free). The device takes the SM with the most free threads, and in a tie the SM \
         with the lowest number."
    );
    // Its fifth block needs the threads of the first four.
    let fifth = began("K1", Some(4));
    assert_eq!(fifth.at, Time(at("1")));
    assert!(fifth.then.starts_with("It waited: block 4 needs 768 free threads; ") && fifth.then.contains("(R2)"), "{}", fifth.then);
    assert!(fifth.then.contains("This ended the wait: Block 0 of K1 completes"), "{}", fifth.then);
    assert_eq!((first.here == fifth.here, first.then == fifth.then), (true, false), "all four blocks before it have ended");
    // K5 is short of shared memory until K4 ends.
    let k5 = began("K5", None);
    assert_eq!((k5.label.as_str(), k5.at), ("K5:0", Time(at("2"))));
    assert!(k5.then.starts_with("It waited: it needs 32 KiB of free shared memory") && k5.then.contains("(R3)"), "{}", k5.then);
    // A copy has no SM.
    let copy = began("C5o", None);
    assert_eq!(copy.here, "Its copy engine was free.");
}

/// Whatever a kernel is called: its name can be how another reason begins.
#[test]
fn a_wait_is_said_by_its_reason_and_not_by_its_words() {
    for name in ["waits", "needs", "heads", "behind"] {
        let kernels = vec![row(name, "NULL", "0", 1, 32), row("K2", "S1", "0.1", 1, 32)];
        let (run, records) = run(&Draft { kernels, ..Draft::default() });
        let k2 = began(&run.trace, &records, &mut run.replay(), op_named(&run, "K2"), None).unwrap();
        let waited = format!("It waited: {name} in the NULL stream was launched before it (N2). ");
        assert!(k2.then.starts_with(&waited), "{}", k2.then);
    }
}

#[test]
fn what_would_fit_says_so_first() {
    let (run, records) = run(&table_1());
    let at_time = |time: &str, name: &str| {
        let state = state_at(&run, at(time));
        fit(Moment { trace: &run.trace, records: &records, state: &state }, op_named(&run, name))
    };
    // Both SMs have 512 threads free, and K4 needs 256: it waits behind K1.
    assert_eq!(
        at_time("0.8", "K4").unwrap(),
        "A block would fit on every SM: SM 0 has 512 threads and 64 KiB of shared memory free. Room is not the reason."
    );
    let k5 = at_time("1.8", "K5").unwrap();
    assert!(k5.starts_with("A block would not fit now: it needs 32 KiB of shared memory, and no SM has any free"), "{k5}");
    assert_eq!(at_time("0.8", "C2o"), None, "a copy needs no room");
}

#[test]
fn a_kernel_that_is_all_assigned_needs_no_room() {
    let (run, records) = run(&format::read_scenario(blockstep_sim::examples::find("edf-chain").unwrap().json).unwrap());
    let state = state_at(&run, 2_200_000);
    let grab = fit(Moment { trace: &run.trace, records: &records, state: &state }, op_named(&run, "grab"));
    assert_eq!(grab, None, "all its blocks are assigned, and keep their places");
}

#[test]
fn a_gap_names_the_kernel_whose_turn_it_is() {
    let (run, records) = run(&table_1());
    let at_time = |time: &str, sm| {
        let state = state_at(&run, at(time));
        gap(Moment { trace: &run.trace, records: &records, state: &state }, Time(at(time)), SmId(sm)).unwrap()
    };
    let (headline, text, head) = at_time("0.8", 1);
    assert_eq!(headline, "SM 1 at 800 ms: 512 of 2,048 threads are free.");
    assert_eq!(
        text,
        "K1 is at the head of the EE queue. A block of it needs 768 threads, and this SM has 512 free. Kernels behind K1 wait for it, even if they would fit (X1)."
    );
    assert_eq!(head.map(|op| run.trace.op_label(op)), Some("K1".to_owned()));
    let (_, text, head) = at_time("3.2", 0);
    assert!(text.starts_with("No kernel is in an EE queue"), "{text}");
    assert_eq!(head, None);
    // In the tool: a place in the timeline is asked about, and forgotten when a kernel is selected.
    let mut page = OnPage::<Ask>::new("ask", &format::write_scenario(&table_1()));
    page.cursor = Cursor { position: state_at(&run, at("0.8")).applied(), at: Time(at("0.8")), ..Cursor::default() };
    let told = page.tell(Event::Opened("gap:1".to_owned())).unwrap();
    let Some(View::Invitation(Some(shown), _)) = told.view else { panic!("{:?}", told.view) };
    assert_eq!(shown.headline, headline);
    let told = page.tell(Event::Opened("gap:7".to_owned())).unwrap();
    assert!(matches!(told.view, Some(View::Invitation(None, _))), "the device has two SMs");
}

/// Whether it waits, and not for the next step.
fn waits(reason: Option<Reason>) -> bool {
    reason.is_some_and(|reason| !matches!(reason, Reason::ToBeQueued | Reason::ToBeAssigned | Reason::Completing))
}

fn check(draft: &Draft) -> Result<(), TestCaseError> {
    let Ok(scenario) = Scenario::new(draft) else { return Ok(()) };
    let run = simulate(&scenario, Limits { max_steps: 2_000 });
    let records = Records::new(&run.trace);
    for block in records.blocks.iter().take(60) {
        let told = began(&run.trace, &records, &mut run.replay(), block.op, Some(block.block)).expect("it began");
        prop_assert_eq!((told.at, told.step), (block.start, block.start_step));
        let named = format!("SM {}", block.sm.0);
        prop_assert!(
            told.here.contains(&named) || told.here.contains("one SM") || told.here.contains("more"),
            "{} not in {}",
            named,
            told.here
        );
        if let Some(StepId(ended)) = told.ended {
            let mut replay = run.replay();
            prop_assert!(ended < told.step.0);
            prop_assert!(waits(waits_for(&run.trace, replay.seek(ended), block.op)), "it waited before the step that is named");
            for later in ended + 1..=told.step.0 {
                prop_assert!(!waits(waits_for(&run.trace, replay.seek(later), block.op)), "and no more after it");
            }
        }
    }
    let mut replay = run.replay();
    for applied in 0..=run.trace.steps().len() as u32 {
        let state = replay.seek(applied).clone();
        let moment = Moment { trace: &run.trace, records: &records, state: &state };
        for sm in 0..scenario.device().sms as usize {
            let (_, _, head) = gap(moment, state.now(), SmId::at(sm)).expect("the SM is there");
            let drains = matches!(state.residency(), Residency::Resident { draining: true, .. });
            prop_assert!(head.is_none() || !drains, "what drains has nobody whose turn it is");
        }
        for op in (0..run.trace.ops().len()).map(OpId::at).filter(|op| records.ops[op.index()].issued_step.0 < applied) {
            let told = fit(moment, op);
            prop_assert!(told.is_none() || run.trace.op(op).kind == OpKind::Kernel);
            // Where room is the reason, it does not fit.
            let lacks = matches!(
                waits_for(&run.trace, &state, op),
                Some(Reason::Threads | Reason::SharedMemory | Reason::Registers | Reason::Slots)
            );
            prop_assert!(!lacks || told.as_ref().is_some_and(|told| told.starts_with("A block would not fit")), "{:?}", told);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn what_ended_a_wait_ended_it(draft in any_drafts()) {
        check(&draft)?;
    }
}
