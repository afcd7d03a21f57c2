//! Places of the decision that can be read in two ways (docs/semantics.md, section 4): each answer on a small scenario.

use blockstep_sim::check::check;
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{
    Call, Chain, Draft, Interleave, KernelDraft, PolicyDraft, PolicyKind, Preemption, ProcessDraft, Scenario, TaskDraft,
};

/// Under `edf` without servers, with as many processes, each with a timeslice of 20 ns.
fn edf(processes: &[&str], policy: PolicyDraft) -> Draft {
    let processes = processes.iter().map(|name| ProcessDraft { timeslice_ns: 20, ..ProcessDraft::named(*name) }).collect();
    Draft { policy: PolicyDraft { kind: PolicyKind::Edf, ..policy }, processes, ..Draft::default() }
}

/// A task that is released at an offset and due after `deadline_ns`.
fn task(name: &str, process: &str, offset_ns: u64, deadline_ns: u64, consumes: &[&str]) -> TaskDraft {
    let consumes = consumes.iter().map(|&name| name.to_owned()).collect();
    TaskDraft { process: Some(process.to_owned()), offset_ns, deadline_ns: Some(deadline_ns), consumes, ..TaskDraft::named(name) }
}

/// A kernel of one block.
fn kernel(name: &str, task: &str, time: u64) -> KernelDraft {
    KernelDraft { task: Some(task.to_owned()), ..KernelDraft::named(name, 1, 32, time) }
}

/// Steps of these rules.
fn lines(draft: &Draft, rules: &[&str]) -> Vec<String> {
    let run = simulate(&Scenario::new(draft).unwrap(), Limits::default());
    assert_eq!(check(&run.trace, &Records::new(&run.trace)), [], "{}", run.trace.text());
    let is_of = |line: &&str| line.split(' ').nth(1).is_some_and(|rule| rules.contains(&rule));
    run.trace.text().lines().skip(1).filter(is_of).map(str::to_owned).collect()
}

const TURNS: [&str; 10] = ["M5", "S1", "S2", "S3", "S4", "E1", "E3", "E4", "E6", "E7"];

/// Lines 9 and 23: the process leaves and comes back, without a switch, by a runlist of its own.
#[test]
fn decision_a_drain_ends_and_the_same_process_is_chosen_again() {
    let policy = PolicyDraft { preemption: Preemption::Block, switch_cost_ns: 5, runlist_ns: 2, cbs: false, ..PolicyDraft::default() };
    let mut draft = edf(&["P0", "P1"], policy);
    draft.tasks = vec![task("C", "P0", 12, 30, &[]), task("A", "P0", 0, 1000, &[]), task("B", "P1", 10, 50, &[])];
    draft.kernels = vec![kernel("KA", "A", 20), kernel("KB", "B", 5), KernelDraft { stream: "S2".to_owned(), ..kernel("KC", "C", 4) }];
    let expected = [
        "0 E1 chosen A#0",
        "0 M5 runlist of P0 submitted until 2",
        "2 S2 P0 resident",
        "10 E4 P0 draining",
        "22 S3 P0 left",
        "22 E1 chosen C#0",
        "22 M5 runlist of P0 submitted until 24",
        "24 S2 P0 resident",
        "28 S4 P0 left",
    ];
    assert_eq!(lines(&draft, &TURNS)[..expected.len()], expected);
    // Of equal deadlines the job goes first for which it has drained (line 32), though C is the first task.
    draft.tasks[0].deadline_ns = Some(48);
    assert_eq!(lines(&draft, &TURNS)[5], "22 E1 chosen B#0");
    // On a runlist, too, there is no switch, and the timeslice begins anew: P0 stands in it before P1 and before P2, and P1 has no work.
    let policy = PolicyDraft { kind: PolicyKind::Runlist, switch_cost_ns: 5, ..PolicyDraft::default() };
    let mut draft = Draft { policy, ..edf(&["P0", "P1", "P2"], PolicyDraft::default()) };
    (draft.processes[0].interleave, draft.processes[0].preemption) = (Interleave::High, Some(Preemption::Block));
    draft.tasks = vec![task("A", "P0", 0, 1000, &[]), task("C", "P2", 5, 1000, &[])];
    draft.kernels = vec![kernel("KA", "A", 30), kernel("K2", "A", 30), kernel("KC", "C", 4)];
    let expected = [
        "0 L1 runlist entry 0 P0",
        "20 L2 P0 draining",
        "30 S3 P0 left",
        "30 L1 runlist entry 2 P0",
        "50 L2 P0 draining",
        "60 S3 P0 left",
        "60 L1 runlist entry 3 P2",
        "60 S1 switching to P2 until 65",
    ];
    assert_eq!(lines(&draft, &["L1", "L2", "S1", "S3"])[..expected.len()], expected);
}

/// Lines 1, 2 and 5: whether a job is pending is asked after the signals of the instant.
#[test]
fn decision_servers_are_looked_at_after_the_signals_of_the_instant() {
    let mut draft = edf(&["P0"], PolicyDraft { signal_ns: 5, ..PolicyDraft::default() });
    draft.tasks = vec![TaskDraft { budget_ns: Some(8), ..task("A", "P0", 0, 100, &[]) }];
    draft.kernels = vec![kernel("K1", "A", 3), KernelDraft { after: Some("K1".to_owned()), start_ns: 12, ..kernel("K2", "A", 3) }];
    // The budget ends at 13, when signal B arrives: the job is pending no longer. It is pending again when A arrives, 5 after the issue.
    let expected = [
        "0 Q1 server A deadline 100",
        "0 M1 signal A sent by A#0",
        "5 M2 signal A arrived of A#0",
        "8 M3 signal B sent by A#0",
        "13 M4 signal B arrived of A#0",
        "20 M1 signal A sent by A#0",
        "25 M2 signal A arrived of A#0",
        "25 Q2 server A postponed to 200",
    ];
    assert_eq!(lines(&draft, &["Q1", "Q2", "M1", "M2", "M3", "M4"])[..expected.len()], expected);
    draft.tasks[0].budget_ns = Some(7);
    assert_eq!(lines(&draft, &["Q2"])[0], "12 Q2 server A postponed to 200", "B arrives 1 ns later");
}

/// Line 16: a gap goes on while signal A is under way, whatever the work waits for.
#[test]
fn decision_a_gap_goes_on_until_the_manager_knows_of_work_that_waits() {
    let of_signal = |signal_ns| {
        let policy = PolicyDraft { preemption: Preemption::None, signal_ns, cbs: false, ..PolicyDraft::default() };
        let mut draft = edf(&["P0", "P1"], policy);
        draft.tasks = vec![task("J", "P0", 0, 100, &[]), task("X", "P0", 0, 1000, &["P"]), task("P", "P1", 0, 500, &[])];
        // J2 is issued at 30, behind KX, which waits for P.
        let late = KernelDraft { start_ns: 30, ..kernel("J2", "J", 5) };
        draft.kernels = vec![kernel("J1", "J", 5), kernel("KX", "X", 5), late, kernel("KP", "P", 5)];
        lines(&draft, &["M2", "E1", "E6", "S4"]).into_iter().filter(|line| !line.ends_with("X#0")).collect::<Vec<_>>()
    };
    assert_eq!(of_signal(0)[..3], ["0 E1 chosen J#0", "30 S4 P0 left", "30 E1 chosen P#0"].map(str::to_owned));
    let expected = [
        "5 M2 signal A arrived of J#0",
        "5 M2 signal A arrived of P#0",
        "5 E1 chosen J#0",
        "35 M2 signal A arrived of J#0",
        "35 S4 P0 left",
        "35 E1 chosen P#0",
    ];
    assert_eq!(of_signal(5)[..expected.len()], expected);
}

/// Lines 32 and 33: the end of a turn leaves nobody chosen, so of two chains with one deadline the first task goes on.
#[test]
fn decision_a_tie_of_chains_goes_to_the_first_task_when_a_turn_ends() {
    for preemption in [Preemption::Thread, Preemption::Block] {
        let policy = PolicyDraft { preemption, chain: Chain::Resident, cbs: false, ..PolicyDraft::default() };
        let mut draft = edf(&["PA", "PB", "PD", "PX"], policy);
        draft.tasks = vec![
            task("A", "PA", 10, 900, &[]),
            task("B", "PB", 0, 900, &[]),
            task("D", "PD", 0, 900, &[]),
            task("C1", "PX", 10, 90, &["A"]),
            task("C2", "PX", 0, 100, &["B", "D"]),
        ];
        draft.kernels =
            vec![kernel("KA", "A", 20), kernel("KB", "B", 40), kernel("KD", "D", 40), kernel("K1", "C1", 1), kernel("K2", "C2", 1)];
        let (gone, at) = if preemption == Preemption::Thread { ("left", 20) } else { ("draining", 40) };
        // D's turn would be next, in the chain that was served until now. At 10, A preempts nobody.
        let turns: Vec<String> = lines(&draft, &["E3", "E4", "E7"]);
        assert_eq!(turns[..3], ["0 E3 chosen B#0".to_owned(), format!("20 E7 PB {gone}"), format!("{at} E3 chosen A#0")]);
        // With a deadline of its own, later than the other chain's, it waits.
        draft.tasks[3].deadline_ns = Some(91);
        assert!(lines(&draft, &["E3"])[1].ends_with("chosen D#0"));
    }
}

/// Line 33: of consumers with one deadline the first by task is the one that a producer inherits from.
#[test]
fn decision_a_producer_is_in_the_chain_of_the_first_of_equal_consumers() {
    let mut draft = edf(&["PA", "PB", "PC", "PD"], PolicyDraft { chain: Chain::Resident, cbs: false, ..PolicyDraft::default() });
    draft.tasks = vec![
        task("A", "PA", 0, 900, &[]),
        task("B", "PB", 0, 900, &[]),
        task("C", "PC", 0, 100, &["A"]),
        task("D", "PD", 0, 100, &["A", "B"]),
    ];
    draft.kernels = vec![kernel("KA", "A", 30), kernel("KB", "B", 30), kernel("KC", "C", 1), kernel("KD", "D", 1)];
    assert_eq!(lines(&draft, &["E7"]), [""; 0], "A is C's alone, and takes no turns with B");
    draft.tasks[2].deadline_ns = Some(101);
    assert_eq!(lines(&draft, &["E7"])[0], "20 E7 PA left", "A and B are D's");
}

/// Section 6: a branch has its connection by its place in the channel, behind all streams there.
#[test]
fn decision_branches_have_their_connections_in_the_channel_of_their_stream() {
    let on = |name: &str, stream: &str| KernelDraft { stream: stream.to_owned(), ..KernelDraft::named(name, 1, 32, 5) };
    let node = |name: &str| KernelDraft { graph: Some("G".to_owned()), ..on(name, "") };
    let kernels = vec![
        KernelDraft { call: Call::LaunchGraph, ..KernelDraft { blocks: 0, threads_per_block: 0, ..on("G", "S1") } },
        node("N1"),
        node("N2"),
        on("K2", "S2"),
        on("K3", "S3"),
    ];
    let policy = PolicyDraft { kind: PolicyKind::Runlist, ..PolicyDraft::default() };
    let processes = vec![ProcessDraft { channels: 2, ..ProcessDraft::named("P") }];
    let scenario = Scenario::new(&Draft { policy, processes, connections: Some(2), kernels, ..Draft::default() }).unwrap();
    let places: Vec<_> = scenario.streams().iter().map(|s| (s.name.as_str(), s.channel, s.connection.unwrap())).collect();
    assert_eq!(places, [("S1", 0, 0), ("S2", 1, 0), ("S3", 0, 1), ("S1 branch 2", 0, 0)]);
}

/// Section 2: the task of a node has to be that of the launch, also where it is left out.
#[test]
fn decision_a_node_names_the_task_of_its_launch() {
    let second = |kernel: KernelDraft| KernelDraft { task: Some("U".to_owned()), ..kernel };
    let launch = second(KernelDraft { call: Call::LaunchGraph, ..KernelDraft::named("G", 0, 0, 0) });
    let node = KernelDraft { graph: Some("G".to_owned()), ..KernelDraft::named("N", 1, 32, 5) };
    let tasks = vec![TaskDraft::named("T"), TaskDraft::named("U")];
    let mut draft = Draft { tasks, kernels: vec![launch, node.clone()], ..Draft::default() };
    let refused = Scenario::new(&draft).unwrap_err().to_string();
    assert_eq!(refused, "kernels[1].task is another one than that of its graph \"G\"; one thread launches all nodes");
    draft.kernels[1] = second(node);
    assert!(Scenario::new(&draft).is_ok());
}
