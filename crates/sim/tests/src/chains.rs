//! Chains that stay resident: who takes turns, and on which runlist (docs/semantics.md, section 8).

use blockstep_sim::check::{Invariant, check};
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Chain, Draft, KernelDraft, PolicyDraft, PolicyKind, Preemption, ProcessDraft, Scenario, TaskDraft};
use blockstep_sim::trace::{Change, Rule, Trace};
use blockstep_sim::units::SpaceId;

use blockstep_testing::stage::found_after;

/// A task in a process of its own, with a timeslice of 20 ns, and a kernel of `time` ns.
fn task(draft: &mut Draft, name: &str, deadline_ns: u64, time: u64, consumes: &[&str]) {
    let process = format!("P{name}");
    draft.processes.push(ProcessDraft { timeslice_ns: 20, ..ProcessDraft::named(&process) });
    let consumes = consumes.iter().map(|&name| name.to_owned()).collect();
    draft.tasks.push(TaskDraft { process: Some(process), deadline_ns: Some(deadline_ns), consumes, ..TaskDraft::named(name) });
    draft.kernels.push(KernelDraft { task: Some(name.to_owned()), ..KernelDraft::named(format!("K{name}"), 1, 32, time) });
}

/// The example of the contract: C waits for A and B.
fn three(chain: Chain) -> Draft {
    let policy = PolicyDraft { kind: PolicyKind::Edf, chain, switch_cost_ns: 1, runlist_ns: 2, cbs: false, ..PolicyDraft::default() };
    let mut draft = Draft { policy, ..Draft::default() };
    task(&mut draft, "A", 1000, 30, &[]);
    task(&mut draft, "B", 1000, 30, &[]);
    task(&mut draft, "C", 100, 10, &["A", "B"]);
    draft
}

fn run(draft: &Draft) -> Trace {
    let run = simulate(&Scenario::new(draft).unwrap(), Limits::default());
    assert_eq!(check(&run.trace, &Records::new(&run.trace)), [], "{}", run.trace.text());
    (*run.trace).clone()
}

/// Lines of these rules, without the first one.
fn lines(trace: &Trace, rules: &[&str]) -> Vec<String> {
    let is_of = |line: &&str| line.split(' ').nth(1).is_some_and(|rule| rules.contains(&rule));
    trace.text().lines().skip(1).filter(is_of).map(str::to_owned).collect()
}

const TURNS: [&str; 10] = ["M5", "S1", "S2", "S3", "S4", "E1", "E3", "E4", "E5", "E7"];

#[test]
fn chains_take_turns_on_one_runlist() {
    let expected = [
        "0 E3 chosen A#0",
        "0 M5 runlist of PA submitted until 2",
        "2 S2 PA resident",
        "22 E7 PA left",
        "22 E3 chosen B#0",
        "22 S1 switching to PB until 23",
        "23 S2 PB resident",
        "43 E7 PB left",
        "43 E3 chosen A#0",
        "43 S1 switching to PA until 44",
        "44 S2 PA resident",
        "54 S4 PA left",
        "54 E3 chosen B#0",
        "54 S1 switching to PB until 55",
        "55 S2 PB resident",
        "65 S4 PB left",
        "65 E1 chosen C#0",
        "65 S1 switching to PC until 66",
        "66 S2 PC resident",
        "76 E5 PC left",
    ];
    assert_eq!(lines(&run(&three(Chain::Resident)), &TURNS), expected);
}

#[test]
fn chains_of_one_process_at_a_time_are_the_default() {
    let draft = three(Chain::One);
    let expected =
        ["0 M5 runlist of PA submitted until 2", "32 M5 runlist of PB submitted until 34", "65 M5 runlist of PC submitted until 67"];
    assert_eq!(lines(&run(&draft), &["M5", "E7"]), expected);
    assert_eq!(PolicyDraft::default().chain, Chain::One);
}

/// D goes before all of the chain, and is no part of it: the chain needs its runlist again.
#[test]
fn chains_are_preempted_by_whoever_goes_first() {
    let mut draft = three(Chain::Resident);
    task(&mut draft, "D", 40, 5, &[]);
    draft.tasks[3].offset_ns = 10;
    let expected = [
        "0 E3 chosen A#0",
        "0 M5 runlist of PA submitted until 2",
        "2 S2 PA resident",
        "10 E4 PA left",
        "10 E1 chosen D#0",
        "10 M5 runlist of PD submitted until 12",
        "12 S1 switching to PD until 13",
        "13 S2 PD resident",
        "18 S4 PD left",
        "18 E3 chosen A#0",
        "18 M5 runlist of PA submitted until 20",
    ];
    assert_eq!(lines(&run(&draft), &TURNS)[..expected.len()], expected);
}

/// In the mode `none` no timeslice ends, and in `block` the turn ends with the block that runs.
#[test]
fn chains_give_way_by_the_mode_of_the_policy() {
    let mut draft = three(Chain::Resident);
    draft.policy.preemption = Preemption::None;
    assert_eq!(lines(&run(&draft), &["E7"]), [""; 0]);
    draft.policy.preemption = Preemption::Block;
    assert_eq!(lines(&run(&draft), &["E7", "S3"]), ["22 E7 PA draining", "32 S3 PA left"]);
}

/// Of jobs with the consumer's own deadline, the chain has them; of later tasks with the same one it has not.
#[test]
fn chains_have_whoever_is_due_with_their_consumer() {
    let mut draft = three(Chain::Resident);
    draft.tasks[0].deadline_ns = Some(100);
    task(&mut draft, "D", 100, 5, &[]);
    let trace = run(&draft);
    assert_eq!(lines(&trace, &["E7"]), ["22 E7 PA left", "43 E7 PB left"]);
    let chosen = lines(&trace, &["E1", "E3"]);
    assert_eq!(chosen[..3], ["0 E1 chosen A#0", "22 E3 chosen B#0", "43 E1 chosen A#0"].map(str::to_owned));
}

/// A best-effort consumer passes no deadline on.
#[test]
fn chains_have_a_real_time_consumer() {
    let mut draft = three(Chain::Resident);
    draft.tasks[2].deadline_ns = None;
    assert_eq!(lines(&run(&draft), &["E7"]), [""; 0]);
}

#[test]
fn chains_check_finds_what_is_wrong() {
    let good = run(&three(Chain::Resident));
    let expiry = good.steps().iter().position(|step| step.rule == Rule::E7).unwrap();
    let found = found_after(&good, |steps| {
        let leaves = steps.iter().position(|step| step.rule == Rule::S4).unwrap();
        steps[leaves].rule = Rule::E7;
    });
    assert!(found.iter().any(|v| v.invariant == Invariant::Citation), "a turn that has not ended: {found:?}");
    let found = found_after(&good, |steps| steps[expiry + 1].change = Change::Entered { space: SpaceId(2) });
    assert!(!found.is_empty(), "a process that was not chosen");
    // Without the setting each of them needs a runlist.
    let one = run(&three(Chain::One));
    let found = found_after(&one, |steps| {
        let submitted = steps.iter().rposition(|step| matches!(step.change, Change::RunlistSubmitted { .. })).unwrap();
        steps.remove(submitted);
    });
    assert!(found.iter().any(|v| v.invariant == Invariant::Signals), "no runlist: {found:?}");
}
