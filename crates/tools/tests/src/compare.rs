//! Runs beside each other: where they part is checked against an alignment done anew here on texts,
//! and the known experiments part where their papers say so.

pub mod tool;

use blockstep_format::read_scenario;
use blockstep_learn::compare::words::Pair;
use blockstep_learn::compare::{Differences, Lockstep, Side, tables};
use blockstep_sim::engine::{Limits, Run, simulate_varied};
use blockstep_sim::examples;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{BlockTimes, DeviceDraft, Draft, PolicyKind, Scenario};
use blockstep_sim::trace::{Change, Step, Trace, Variant, Variants};
use blockstep_sim::units::{StepId, Time};
use blockstep_view::position;
use proptest::prelude::*;

use blockstep_testing::arbitrary::{any_drafts, cases};

const MS: u64 = 1_000_000;

pub struct Simulated {
    pub run: Run,
    pub records: Records,
}

impl Simulated {
    pub fn side(&self) -> Side<'_> {
        Side { trace: &self.run.trace, records: &self.records }
    }
}

fn varied(draft: &Draft, variants: Variants) -> Simulated {
    let run = simulate_varied(&Scenario::new(draft).unwrap(), variants, Limits { max_steps: 200_000 });
    let records = Records::new(&run.trace);
    Simulated { run, records }
}

fn made(draft: &Draft) -> Simulated {
    varied(draft, Variants::NONE)
}

fn example(id: &str) -> Draft {
    read_scenario(examples::find(id).unwrap().json).unwrap()
}

fn under(draft: &Draft, kind: PolicyKind) -> Draft {
    let mut draft = draft.clone();
    draft.policy.kind = kind;
    draft
}

pub fn compare(a: &Simulated, b: &Simulated) -> Differences {
    Differences::new(a.side(), b.side())
}

/// Everything that is said of every stop.
fn told(a: &Simulated, b: &Simulated, names: [&str; 2]) -> Vec<(Time, Vec<String>)> {
    let found = compare(a, b);
    let pair = Pair { sides: [a.side(), b.side()], names };
    (0..found.stops().len()).map(|i| (found.stops()[i].at, pair.stop(&found, i, 100))).collect()
}

#[test]
fn fifo_and_priority_part_where_the_high_priority_kernel_queues() {
    let table = example("tx2-table-4");
    let (priority, fifo) = (made(&table), made(&under(&table, PolicyKind::Fifo)));
    let found = compare(&priority, &fifo);
    let pair = Pair { sides: [priority.side(), fifo.side()], names: ["under priority", "under FIFO"] };
    let [a, b] = pair.first(&found).unwrap();
    assert_eq!(a, "at 300 ms: K3 reaches the head of stream S3 and joins the high-priority EE queue.");
    assert_eq!(b, "at 300 ms: K3 reaches the head of stream S3 and joins the EE queue.");
    let told = told(&priority, &fifo, ["under priority", "under FIFO"]);
    assert_eq!(told[0].1, ["K3, 300 ms: joins the high-priority EE queue under priority, the only EE queue under FIFO."]);
    // Then, as in Fig. 7: K3's blocks before those of K1 that are left, and K2's.
    assert_eq!(told[1].0, Time(500 * MS));
    let second = &told[1].1;
    assert!(second.contains(&"Blocks 0 to 3 of K3 are assigned: 500 ms under priority, 2 s under FIFO.".to_owned()), "{second:?}");
    assert!(second.contains(&"Blocks 4 to 7 of K1 are assigned: 1.5 s under priority, 500 ms under FIFO.".to_owned()), "{second:?}");
    // K4 is served last by both, and the runs agree from there on.
    let last = found.stops().last().unwrap();
    assert_eq!(last.at, Time(3000 * MS));
}

#[test]
fn a_larger_device_takes_the_blocks_elsewhere_and_sooner() {
    let table = example("tx2-table-4");
    let mut larger = table.clone();
    larger.device = DeviceDraft::BuiltIn("gtx1070".to_owned());
    let (tx2, gtx) = (made(&table), made(&larger));
    let told = told(&tx2, &gtx, ["on the TX2", "on the GTX 1070"]);
    assert_eq!(told[0].0, Time::ZERO);
    let first = &told[0].1;
    assert!(
        first.contains(&"Blocks 2 and 3 of K1 are assigned, 0 s: on SMs 0, 1 on the TX2, SMs 2, 3 on the GTX 1070.".to_owned()),
        "{first:?}"
    );
    assert!(first.contains(&"Blocks 4 to 7 of K1 are assigned: 1.5 s on the TX2, 0 s on the GTX 1070.".to_owned()), "{first:?}");
    let lines = tables::Tables::new(&[tx2.side(), gtx.side()]).operations;
    let k1 = lines.iter().find(|line| line.name == "K1").unwrap();
    assert_eq!(k1.runs[1].unwrap().response, Some(500 * MS));
    assert_eq!(k1.runs[0].unwrap().response, Some(2000 * MS));
    assert_eq!(k1.runs[0].unwrap().waiting, Some(1000 * MS));
}

#[test]
fn a_changed_rule_parts_the_runs_where_it_is_used_first() {
    let table = example("tx2-table-3");
    let (rules, changed) = (made(&table), varied(&table, Variants::NONE.with(Variant::PriorityByKernel)));
    let last_fit = varied(&table, Variants::NONE.with(Variant::LastFit));
    assert_eq!(compare(&rules, &last_fit).stops()[0].at, Time::ZERO);
    let found = compare(&rules, &changed);
    // K1's second half would go on at 0.5 s if a kernel kept its turn.
    assert_eq!(found.stops()[0].at, Time(500 * MS));
    let told = told(&rules, &changed, ["with the rules", "with A2 by kernel"]);
    assert!(
        told[0].1.iter().any(|line| line.starts_with("Blocks 4 to 7 of K1 are assigned: 4.5 s with the rules, 500 ms with")),
        "{:?}",
        told[0]
    );
}

#[test]
fn edits_are_matched_by_name() {
    let table = example("tx2-table-4");
    let mut edited = table.clone();
    edited.kernels[1].name = "<b>K2</b>".to_owned();
    edited.kernels.swap(0, 2);
    let (before, after) = (made(&table), made(&edited));
    let found = compare(&before, &after);
    let pair = Pair { sides: [before.side(), after.side()], names: ["before the edit", "now"] };
    let all: Vec<String> = (0..found.stops().len()).flat_map(|i| pair.stop(&found, i, 100)).collect();
    // Only the kernel with another name differs.
    assert!(all.iter().all(|line| line.contains("K2") && line.contains("never")), "{all:?}");
    assert!(all.contains(&"<b>K2</b> is issued: never before the edit, 200 ms now.".to_owned()), "{all:?}");
    let names: Vec<String> = tables::Tables::new(&[before.side(), after.side()]).operations.into_iter().map(|line| line.name).collect();
    assert_eq!(names, ["K1", "K2", "K3", "K4", "<b>K2</b>"]);
}

#[test]
fn a_block_that_runs_longer_is_a_difference() {
    let table = example("tx2-table-4");
    let mut edited = table.clone();
    edited.kernels[3].block_time_ns =
        BlockTimes::List(vec![500 * MS, 500 * MS, 500 * MS, 500 * MS, 400 * MS, 500 * MS, 500 * MS, 500 * MS].into());
    let told = told(&made(&edited), &made(&table), ["now", "before"]);
    let all: Vec<&str> = told.iter().flat_map(|(_, lines)| lines).map(String::as_str).collect();
    assert_eq!(all, ["Block 4 of K4 ends: 3.9 s now, 4 s before."; 2]);
}

/// A step without what may differ between runs that do the same: the rule, and the stream, whose label
/// names its process only where another stream is called the same.
fn text(trace: &Trace, step: &Step) -> String {
    // On whichever engine: where it began elsewhere has been told then.
    if let Change::CopyCompleted { op, .. } = step.change {
        return format!("{} {} completes", step.at, trace.op_label(op));
    }
    let mut line = String::new();
    trace.write_step(step, &mut line).unwrap();
    let what = line.splitn(3, ' ').nth(2).unwrap().to_owned();
    format!("{} {}", step.at, what.split(" stream ").next().unwrap())
}

/// Steps that must be the same wherever runs agree: operations' and jobs', but for leaving queues and ends of blocks.
fn plain(trace: &Trace) -> Vec<(Time, String)> {
    let of_op = |change: Change| {
        change.op().is_some() && !matches!(change, Change::EeLeft { .. } | Change::CeLeft { .. } | Change::BlockEnded { .. })
    };
    let of_job =
        |change: Change| matches!(change, Change::JobReleased { .. } | Change::JobCompleted { .. } | Change::DeadlineMissed { .. });
    let steps = trace.steps().iter().filter(|step| of_op(step.change) || of_job(step.change));
    steps.map(|step| (step.at, text(trace, step))).collect()
}

/// Instants at which these lists are not the same.
fn differing(a: &[(Time, String)], b: &[(Time, String)]) -> Vec<Time> {
    let mut times: Vec<Time> = a.iter().chain(b).map(|(at, _)| *at).collect();
    times.sort_unstable();
    times.dedup();
    let of = |list: &[(Time, String)], at: Time| list.iter().filter(|(t, _)| *t == at).map(|(_, text)| text.clone()).collect::<Vec<_>>();
    times.into_iter().filter(|&at| of(a, at) != of(b, at)).collect()
}

/// What a draft is beside: itself, another policy, a device, changed rules, an edit.
fn other(draft: &Draft, which: usize) -> Option<Simulated> {
    let mut draft = draft.clone();
    match which {
        0 => {}
        1..=4 => draft.policy.kind = [PolicyKind::Fifo, PolicyKind::Priority, PolicyKind::Runlist, PolicyKind::Edf][which - 1],
        5 => draft.policy.switch_cost_ns += 1,
        6..=20 => return Some(varied(&draft, Variants::NONE.with(Variant::ALL[which - 6]))),
        21 => drop(draft.kernels.pop()),
        _ => draft.kernels.last_mut()?.start_ns += 1,
    }
    Scenario::new(&draft).ok()?;
    Some(made(&draft))
}

proptest! {
    #![proptest_config(cases(300))]

    /// The stops are the instants at which a naive comparison finds a difference; what is between
    /// is the same; exchanging the runs exchanges the sides; every sentence tells of something real.
    #[test]
    fn compare_stops_are_where_runs_differ(draft in any_drafts(), which in 0..23_usize) {
        let a = made(&draft);
        let Some(b) = other(&draft, which) else { return Ok(()) };
        let found = compare(&a, &b);
        let back = compare(&b, &a);
        let stops: Vec<Time> = found.stops().iter().map(|stop| stop.at).collect();
        let naive = differing(&plain(&a.run.trace), &plain(&b.run.trace));
        let same_layout = a.run.trace.layout().spaces().len() == b.run.trace.layout().spaces().len();
        // Labels of streams tell processes apart only where those share an address space.
        if same_layout && a.run.trace.scenario().tasks().len() == b.run.trace.scenario().tasks().len() {
            prop_assert!(naive.iter().all(|at| stops.contains(at)), "{naive:?} {stops:?}");
            if which == 0 {
                prop_assert!(stops.is_empty());
            }
        }
        prop_assert_eq!(found.first().is_some(), !stops.is_empty());
        prop_assert_eq!(back.stops().len(), stops.len());
        let pair = Pair { sides: [a.side(), b.side()], names: ["in a", "in b"] };
        for i in 0..stops.len() {
            let (stop, mirrored) = (&found.stops()[i], &back.stops()[i]);
            prop_assert_eq!((stop.at, stop.position_a, stop.position_b), (mirrored.at, mirrored.position_b, mirrored.position_a));
            let [only_a, only_b] = found.only(i);
            prop_assert_eq!([only_b, only_a], back.only(i));
            // What one run does at a stop, the other does not do then and there.
            let now = |made: &Simulated| -> Vec<String> {
                made.run.trace.steps().iter().filter(|step| step.at == stop.at).map(|step| text(&made.run.trace, step)).collect()
            };
            let is_foreign = |ids: &[StepId], of: &Simulated, other: &Simulated| ids.iter().all(|&id| {
                let step = of.run.trace.step(id);
                step.at == stop.at && (!same_layout || !now(other).contains(&text(&of.run.trace, step)))
            });
            prop_assert!(is_foreign(only_a, &a, &b) && is_foreign(only_b, &b, &a));
            prop_assert!(found.order(i).is_some() || !only_a.is_empty() || !only_b.is_empty());
            for line in pair.stop(&found, i, 1000) {
                let times = line.rsplit(": ").next().and_then(|times| times.strip_suffix(" in b.")?.split_once(" in a, "));
                prop_assert!(times.is_none_or(|(in_a, in_b)| in_a != in_b), "{line}");
            }
            prop_assert!(!pair.stop(&found, i, 4).is_empty() && pair.stop(&found, i, 4).len() <= 4);
        }
        // Walking by "next" and by "previous" comes by all of them.
        let mut walked = Vec::new();
        let (mut at, mut position) = (Time::ZERO, 0);
        while let Some(next) = found.next(at, position) {
            walked.push(next);
            (at, position) = (found.stops()[next].at, found.stops()[next].position_a);
        }
        let standing = found.stops().first().is_some_and(|stop| (stop.at, stop.position_a) == (Time::ZERO, 0));
        prop_assert_eq!(walked.len() + usize::from(standing), stops.len());
        for i in (1..stops.len()).rev() {
            prop_assert_eq!(found.previous(found.stops()[i].at, found.stops()[i].position_a), Some(i - 1));
        }
    }

    /// A run beside itself finds every step in its place, also where the same happens twice at once.
    #[test]
    fn compare_finds_every_step_of_a_run_in_itself(draft in any_drafts()) {
        let a = made(&draft);
        let found = compare(&a, &a);
        for (i, step) in a.run.trace.steps().iter().enumerate() {
            let same = found.matching().counterpart(a.side(), a.side(), false, StepId::at(i));
            let is_left = matches!(step.change, Change::EeLeft { .. } | Change::CeLeft { .. });
            prop_assert_eq!(same, (!is_left).then_some(StepId::at(i)), "{:?}", step.change);
        }
    }

    /// By time both stand at the same instant, a run beside itself at the same step; by decision the
    /// other stands right after what happened here last.
    #[test]
    fn compare_keeps_runs_in_lockstep(draft in any_drafts(), which in 0..23_usize, share in 0..=100_usize) {
        let a = made(&draft);
        let Some(b) = other(&draft, which) else { return Ok(()) };
        let found = compare(&a, &b);
        let steps = a.run.trace.steps();
        let at_step = (steps.len() * share / 100) as u32;
        let now = position::time_at(&a.run.trace, at_step);
        let by_time = found.position_in_b(a.side(), b.side(), Lockstep::Time, at_step, now);
        prop_assert!(position::time_at(&b.run.trace, by_time) <= now);
        let next = b.run.trace.steps().get(by_time as usize).map(|step| step.at);
        prop_assert!(next.is_none_or(|next| next >= now));
        if steps.get(at_step as usize).is_none_or(|next| next.at > now) {
            prop_assert_eq!(by_time, position::at_time(&b.run.trace, now));
        }
        let by_decision = found.position_in_b(a.side(), b.side(), Lockstep::Decision, at_step, now);
        if let (Some(last), Some(theirs)) = (at_step.checked_sub(1), by_decision.checked_sub(1)) {
            let (ours, theirs) = (steps[last as usize].change, b.run.trace.step(StepId(theirs)).change);
            let left = matches!(ours, Change::EeLeft { .. } | Change::CeLeft { .. });
            let is_recurring = ours.op().is_none() || matches!(ours, Change::BlockSuspended { .. } | Change::BlockResumed { .. } | Change::CopySuspended { .. } | Change::CopyResumed { .. });
            if which == 0 && !left {
                prop_assert_eq!(by_decision, at_step);
                prop_assert_eq!(ours, theirs);
            }
            let is_there = ours.op().is_some_and(|op| found.matching().op(false, op).is_some_and(|op| b.records.ops[op.index()].end.is_some()));
            if !left && !is_recurring && is_there {
                prop_assert_eq!(std::mem::discriminant(&ours), std::mem::discriminant(&theirs));
                prop_assert_eq!(ours.op().and_then(|op| found.matching().op(false, op)), theirs.op());
            }
        }
    }
}
