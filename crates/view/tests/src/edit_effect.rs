//! What is said of an edit holds for the runs before and after it: in papers' examples, and over random edits.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use blockstep_format::read_scenario;
use blockstep_sim::engine::{Limits, Run, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{
    BlockTimes, Class, Draft, KernelDraft, PolicyKind, Release, Scenario, StreamDraft, StreamPriority, TaskDraft,
};
use blockstep_sim::trace::{Change, Step};
use blockstep_sim::units::Time;
use blockstep_testing::arbitrary::{any_drafts, cases};
use blockstep_testing::rows::{at, row, table_1};
use blockstep_testing::stage::{stage, work};
use blockstep_view::edit_effect::{EditEffect, RunWithRows, edit_effect};
use blockstep_view::frame::{BoxFrame, Stretch};
use blockstep_view::quantity::{Unit, parse};
use blockstep_view::time_scale::TimeScale;
use blockstep_view::timeline::{LEFT_PX, Timeline};
use proptest::prelude::*;
use proptest::sample::Index;

/// Runs both; rows are told by the ids given, or by their places.
fn effect_of(before: &Draft, after: &Draft, ids: Option<[&[u32]; 2]>) -> EditEffect {
    let runs = [before, after].map(run);
    let records = [0, 1].map(|i: usize| Records::new(&runs[i].trace));
    let places = [0, 1].map(|i: usize| (0..runs[i].trace.scenario().rows().len() as u32).collect::<Vec<_>>());
    let side = |i: usize| RunWithRows { trace: &runs[i].trace, records: &records[i], row_ids: ids.map_or(&places[i][..], |ids| ids[i]) };
    edit_effect(side(0), side(1)).unwrap()
}

fn run(draft: &Draft) -> Run {
    simulate(&Scenario::new(draft).unwrap(), Limits::default())
}

/// The same under a policy of one's own that admits everybody.
fn own(draft: &Draft) -> Draft {
    let mut draft = draft.clone();
    (draft.policy.kind, draft.policy.text) = (PolicyKind::Own, "admit ready\n".to_owned());
    draft
}

#[test]
fn edit_effect_says_what_moves_and_when_the_run_ends() {
    // What if K1 had four blocks?
    let before = table_1();
    let mut after = before.clone();
    after.kernels[0].blocks = 4;
    let said = effect_of(&before, &after, None);
    assert_eq!(said.text, "K4 starts 800 ms earlier, and 5 other rows change; the run ends 600 ms earlier.");
    assert!(!said.is_same);
    let back = effect_of(&after, &before, None);
    assert_eq!(back.text, "K4 starts 800 ms later, and 5 other rows change; the run ends 600 ms later.");
}

#[test]
fn edit_effect_says_why_a_policy_makes_no_difference() {
    let mut fifo = table_1();
    fifo.policy.kind = PolicyKind::Fifo;
    assert_eq!(effect_of(&table_1(), &fifo, None).text, "Same run: no stream has a high priority.");
    let mut runlist = table_1();
    runlist.policy.kind = PolicyKind::Runlist;
    assert_eq!(effect_of(&table_1(), &runlist, None).text, "Same run: one process, so it never gives way.");
    let mut edf = runlist.clone();
    edf.policy.kind = PolicyKind::Edf;
    let said = "Same run: one process, so it never gives way. EDF matters in the example “An urgent batch and a lax one”.";
    assert_eq!(effect_of(&runlist, &edf, None).text, said);
    assert_eq!(effect_of(&edf, &runlist, None).text, "Same run: one process, so it never gives way.");
    // Where tasks may be held back by a text, it is not by the number of processes that none is.
    let own = own(&edf);
    let said = effect_of(&edf, &own, None).text;
    let rest = " A policy of your own matters in the example “A policy as a text: GCAPS”.";
    assert_eq!(said, format!("Same run: every block and copy runs when and where it did.{rest}"));
    let mut one_task = edf.clone();
    one_task.kernels.iter_mut().for_each(|kernel| kernel.task = None);
    let said = effect_of(&one_task, &self::own(&one_task), None).text;
    assert_eq!(said, format!("Same run: one process, so it never gives way.{rest}"));
    // No other edit of such a table is told of policies.
    let mut renamed = edf.clone();
    renamed.kernels[3].name = "Q".to_owned();
    assert_eq!(effect_of(&edf, &renamed, None).text, "Same run: every block and copy runs when and where it did.");
}

/// The examples to which it leads have other runs under other policies.
#[test]
fn edit_effect_leads_to_examples_in_which_the_policy_matters() {
    for title in ["An urgent batch and a lax one", "A policy as a text: GCAPS"] {
        let example = read_scenario(blockstep_sim::examples::all().find(|example| example.title == title).unwrap().json).unwrap();
        let mut runlist = example.clone();
        runlist.policy.kind = PolicyKind::Runlist;
        runlist.policy.text.clear();
        runlist.batches.clear();
        runlist.kernels.iter_mut().for_each(|kernel| kernel.batch = None);
        let said = effect_of(&runlist, &example, None);
        assert!(!said.is_same, "{title}: {}", said.text);
    }
}

/// Deadlines, then the largest response, then starts.
#[test]
fn edit_effect_says_first_what_matters() {
    let mut draft = stage(PolicyKind::Priority, &["A"]);
    draft.tasks[0].deadline_ns = Some(8);
    draft.kernels = vec![work("K1", "a", 0, 5), work("K2", "a", 1, 2)];
    draft.kernels[1].stream = "K1".to_owned();
    let mut longer = draft.clone();
    longer.kernels[0].block_time_ns = BlockTimes::Each(9);
    let said = effect_of(&draft, &longer, None).text;
    let rises = "a's largest response rises from 7 ns to 11 ns; K2 starts 4 ns later, and 1 other row changes.";
    assert_eq!(said, format!("a now misses its deadline; it met it before. {rises}"));
    assert!(effect_of(&longer, &draft, None).text.starts_with("a now meets its deadline; it missed it before. a's largest response falls"));
    // Of several tasks, all together.
    let mut draft = stage(PolicyKind::Runlist, &["A", "B", "C"]);
    draft.kernels = vec![work("K1", "a", 0, 5), work("K2", "b", 0, 5), work("K3", "c", 0, 5)];
    draft.tasks.iter_mut().for_each(|task| task.deadline_ns = Some(100));
    let mut tight = draft.clone();
    tight.tasks.iter_mut().for_each(|task| task.deadline_ns = Some(1));
    let said = effect_of(&draft, &tight, None).text;
    assert!(said.starts_with("3 tasks miss other deadlines than before: 3 in all, was 0. Every block"), "{said}");
}

/// Where a stream has a high priority, that there is one process is no reason for FIFO and priority to agree.
#[test]
fn edit_effect_does_not_say_that_one_process_makes_priorities_alike() {
    let mut draft = table_1();
    let high = |name: &str| StreamDraft { name: name.to_owned(), priority: StreamPriority::High, ..StreamDraft::default() };
    draft.streams = vec![high("S1"), high("S2"), high("S3")];
    let mut fifo = draft.clone();
    fifo.policy.kind = PolicyKind::Fifo;
    assert_eq!(effect_of(&draft, &fifo, None).text, "Same run: every block and copy runs when and where it did.");
}

#[test]
fn edit_effect_says_that_processes_are_merged() {
    let mut draft = stage(PolicyKind::Runlist, &["A", "B"]);
    draft.kernels = vec![work("K1", "a", 0, 10), work("K2", "b", 0, 10)];
    let mut fifo = draft.clone();
    fifo.policy.kind = PolicyKind::Fifo;
    let said = effect_of(&draft, &fifo, None).text;
    assert!(said.ends_with(". FIFO treats the 2 processes as one program: no switches, no switch cost."), "{said}");
}

#[test]
fn edit_effect_knows_rows_by_their_ids() {
    let before = table_1();
    let mut renamed = before.clone();
    renamed.kernels[3].name = "Q".to_owned();
    assert_eq!(effect_of(&before, &renamed, None).text, "Same run: every block and copy runs when and where it did.");
    let mut more = before.clone();
    more.kernels.push(row("K7", "S9", "6.0", 1, 32));
    assert_eq!(effect_of(&before, &more, None).text, "K7 is new and starts at 6 s; the run ends 2.2 s later.");
    let mut less = before.clone();
    less.kernels.remove(5);
    let said = effect_of(&before, &less, Some([&[0, 1, 2, 3, 4, 5], &[0, 1, 2, 3, 4]])).text;
    assert!(said.starts_with("K6 is gone; "), "{said}");
    let idle = effect_of(&Draft { kernels: Vec::new(), ..before.clone() }, &before, Some([&[], &[0, 1, 2, 3, 4, 5]])).text;
    assert!(idle.starts_with("6 rows are new"), "{idle}");
}

#[test]
fn edit_effect_before_lies_on_the_lanes_of_now() {
    let timeline = |draft: &Draft| {
        let run = run(draft);
        let records = Arc::new(Records::new(&run.trace));
        Timeline::new(&run.trace, &records)
    };
    let before_boxes = |before: &Draft, after: &Draft| {
        let (was, is) = (timeline(before), timeline(after));
        let frame = |of: &Timeline| of.frame(&TimeScale::fit(Time(5_000_000_000), LEFT_PX, 900.0), 240.0, None, None);
        let (now, over) = (frame(&is), frame(&is).over(frame(&was), |row| row));
        let faint = over.boxes.iter().filter(|shown| matches!(shown.stretch, Stretch::Before(_))).cloned().collect::<Vec<_>>();
        assert_eq!(over.boxes.len(), now.boxes.len() + faint.len());
        let is_on_a_lane =
            |shown: &BoxFrame| over.lanes.iter().any(|lane| shown.y0 >= lane.y - 0.01 && shown.y1 <= lane.y + lane.height + 0.01);
        assert!(faint.iter().all(|shown| is_on_a_lane(shown) && shown.hit.is_none() && shown.label.is_none()), "{faint:?}");
        faint.len()
    };
    let mut four = table_1();
    four.kernels[0].blocks = 4;
    assert!(before_boxes(&table_1(), &four) > 8);
    assert_eq!(before_boxes(&four, &four), 0, "nothing has changed");
    // A copy engine's lane, or the band of processes, moves the lanes.
    let bare = Draft {
        kernels: four.kernels.iter().map(|k| KernelDraft { copy_in_bytes: 0, copy_out_bytes: 0, ..k.clone() }).collect(),
        ..four.clone()
    };
    assert!(before_boxes(&table_1(), &bare) > 8 && before_boxes(&bare, &table_1()) > 8);
}

/// Everything that runs, by row, job and operation: block or engine, where, from, to; and what is known of the jobs.
fn facts(run: &Run) -> (BTreeMap<String, Vec<String>>, Vec<String>) {
    let mut ran = BTreeMap::<String, Vec<String>>::new();
    let mut jobs = Vec::new();
    for step in run.trace.steps() {
        let at = step.at.ns();
        let name = |op| {
            let op = run.trace.op(op);
            format!("{}/{}/{}", op.row.index(), op.job.0, op.kind as u8)
        };
        match step.change {
            Change::BlockAssigned { op, block, sm } => ran.entry(name(op)).or_default().push(format!("{block} on {} from {at}", sm.0)),
            Change::BlockEnded { op, block, .. } => ran.entry(name(op)).or_default().push(format!("{block} to {at}")),
            Change::BlockSuspended { op, block, .. } | Change::BlockResumed { op, block, .. } => {
                ran.entry(name(op)).or_default().push(format!("{block} at {at}"));
            }
            Change::CopySuspended { op, .. } | Change::CopyResumed { op, .. } => ran.entry(name(op)).or_default().push(format!("at {at}")),
            Change::CopyAssigned { op, engine } => ran.entry(name(op)).or_default().push(format!("{engine} from {at}")),
            Change::CopyCompleted { op, .. } | Change::KernelCompleted { op } => ran.entry(name(op)).or_default().push(format!("to {at}")),
            Change::JobReleased { task, job } => jobs.push(format!("{at} {}#{} is released", task.index(), job.0)),
            Change::JobCompleted { task, job } => jobs.push(format!("{at} {}#{} is complete", task.index(), job.0)),
            Change::DeadlineMissed { task, job } => jobs.push(format!("{at} {}#{} is late", task.index(), job.0)),
            _ => {}
        }
    }
    ran.values_mut().for_each(|list| list.sort());
    jobs.sort();
    (ran, jobs)
}

/// Row, job and kind of every operation.
fn issued(run: &Run) -> BTreeSet<(usize, u32, u8)> {
    run.trace.ops().iter().map(|op| (op.row.index(), op.job.0, op.kind as u8)).collect()
}

/// First start and last end of every operation, by its label.
fn spans(run: &Run) -> BTreeMap<String, (Option<u64>, Option<u64>)> {
    let records = Records::new(&run.trace);
    let times = |record: &blockstep_sim::record::OpRecord| (record.start.map(|t| t.ns()), record.end.map(|t| t.ns()));
    let ops = (0..run.trace.ops().len()).map(blockstep_sim::units::OpId::at);
    ops.map(|op| (run.trace.op_label(op), times(&records.ops[op.index()]))).collect()
}

/// An edit as a reader makes it in one cell or with one button.
fn edited(draft: &Draft, what: u8, which: &Index, value: u64) -> Option<Draft> {
    let mut draft = draft.clone();
    let count = draft.kernels.len();
    if what < 5 && count == 0 {
        return None;
    }
    match what {
        0 => draft.kernels[which.index(count)].start_ns = value,
        1 => draft.kernels[which.index(count)].blocks = draft.kernels[which.index(count)].blocks.min(1).max(value.min(3)),
        2 => draft.kernels[which.index(count)].threads_per_block = 1 + value,
        3 => draft.kernels[which.index(count)].name = "renamed".to_owned(),
        4 => draft.kernels[which.index(count)].copy_out_bytes = value,
        5 => draft.policy.kind = PolicyKind::BUILT_IN[which.index(PolicyKind::BUILT_IN.len())],
        _ => draft.seed = value,
    }
    Scenario::new(&draft).ok().map(|_| draft)
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn edit_effect_is_true_of_random_edits(before in any_drafts(), what in 0..7_u8, which in any::<Index>(), value in 0..12_u64) {
        let Some(after) = edited(&before, what, &which, value) else { return Ok(()) };
        let (was, is) = (run(&before), run(&after));
        prop_assume!(was.trace.cut().is_none() && is.trace.cut().is_none());
        let said = effect_of(&before, &after, None);
        prop_assert_eq!(said.is_same, said.text.starts_with("Same run: "));
        let same = facts(&was) == facts(&is);
        // Deadlines that nobody judges are no part of what happens: the same is said of fewer runs, never of more.
        prop_assert!(!said.text.starts_with("the run"), "{}", said.text);
        // An operation that was issued and did not run may be new or gone, too.
        let same_work = facts(&was).0 == facts(&is).0 && issued(&was) == issued(&is);
        prop_assert_eq!(said.text.contains("Every block"), same_work && !said.is_same, "{}", said.text);
        prop_assert!(!said.is_same || same, "{}\n{}\n{}", said.text, was.trace.text(), is.trace.text());
        let (spans_was, spans_is) = (spans(&was), spans(&is));
        let shift = |now: u64, before: u64| i128::from(now) - i128::from(before);
        let ends = |spans: &BTreeMap<_, (Option<u64>, Option<u64>)>| spans.values().filter_map(|span| span.1).max();
        for clause in said.text.trim_end_matches('.').split("; ").flat_map(|clause| clause.split(". ")) {
            let first = clause.split(", ").next().unwrap();
            let told = first.split_once(" starts ").map(|words| (words, true)).or_else(|| first.split_once(" ends ").map(|words| (words, false)));
            let Some(((name, by), is_start)) = told else { continue };
            let Some((by, way)) = by.rsplit_once(' ').filter(|(_, way)| ["earlier", "later"].contains(way)) else { continue };
            let by = i128::from(parse(Unit::Time, by).unwrap()) * if way == "later" { 1 } else { -1 };
            if name == "the run" {
                prop_assert_eq!(by, shift(ends(&spans_is).unwrap(), ends(&spans_was).unwrap()), "{}", said.text);
            } else if before.kernels.iter().all(|kernel| after.kernels.iter().any(|other| other.name == kernel.name)) {
                let pick = |span: (Option<u64>, Option<u64>)| if is_start { span.0 } else { span.1 };
                let (now, then) = (pick(spans_is[name]).unwrap(), pick(spans_was[name]).unwrap());
                prop_assert_eq!(by, shift(now, then), "{}", said.text);
                if is_start {
                    let most = spans_is.iter().filter_map(|(name, span)| Some(shift(span.0?, spans_was.get(name)?.0?).unsigned_abs())).max();
                    prop_assert_eq!(Some(by.unsigned_abs()), most, "no start moves by more: {}", said.text);
                }
            }
        }
        // What is said of deadlines is so, of each real-time task, and of best effort in all.
        let missed = |run: &Run, counts: &dyn Fn(Class, &str) -> bool| {
            let is_miss = |step: &&Step| match step.change {
                Change::DeadlineMissed { task, .. } => counts(run.trace.scenario().task(task).class, &run.trace.scenario().task(task).name),
                _ => false,
            };
            run.trace.steps().iter().filter(is_miss).count()
        };
        let of_real_time = |name: &str| [&was, &is].map(|run| missed(run, &|class, of| class == Class::RealTime && of == name));
        let differing: Vec<&str> = before.tasks.iter().map(|task| task.name.as_str()).filter(|name| {
            let [then, now] = of_real_time(name);
            then != now
        }).collect();
        if differing.len() > 2 {
            prop_assert!(said.text.contains("miss other deadlines than before"), "{}", said.text);
        }
        for name in differing.iter().filter(|_| differing.len() <= 2) {
            let [then, now] = of_real_time(name);
            let told = said.text.split_once(&format!("{name} now ")).unwrap().1.split_once(';').unwrap();
            let is_now = match now {
                0 => ["misses no deadline", "meets its deadline"].contains(&told.0),
                _ => told.0 == "misses its deadline" || told.0.starts_with(&format!("misses {now} of ")),
            };
            let was_then = match then {
                0 => told.1.starts_with(" it missed none before.") || told.1.starts_with(" it met it before."),
                _ => told.1.starts_with(&format!(" it missed {then} before.")) || then == 1 && told.1.starts_with(" it missed it before."),
            };
            prop_assert!(is_now && was_then, "{}", said.text);
        }
        prop_assert!(differing.len() > 2 || said.text.matches("; it m").count() == differing.len(), "{}", said.text);
        let best_effort = [&was, &is].map(|run| missed(run, &|class, _| class == Class::BestEffort));
        match said.text.split_once("Best effort: ") {
            None => prop_assert!(said.is_same || best_effort[0] == best_effort[1], "{}", said.text),
            Some((_, told)) => {
                let expected = format!("{} late, was {}.", best_effort[1], best_effort[0]);
                prop_assert!(told.starts_with(&expected), "{}", said.text);
            }
        }
        // The largest response that is said to move is that of all complete jobs of a real-time task.
        if let Some((name, told)) = said.text.split_once("'s largest response ") {
            let name = name.rsplit([' ']).next().unwrap();
            let largest = |run: &Run| {
                let records = Records::new(&run.trace);
                let of_task = |job: &&blockstep_sim::record::JobRecord| run.trace.scenario().task(job.task).name == name;
                let responses = records.jobs.iter().filter(of_task).filter_map(|job| Some(job.end?.ns() - job.release.ns()));
                responses.max().unwrap()
            };
            let (from, to) = told.split_once(" from ").unwrap().1.split_once(" to ").unwrap();
            let to = to.split("; ").next().unwrap().split(". ").next().unwrap().trim_end_matches('.');
            prop_assert_eq!([from, to].map(|time| parse(Unit::Time, time).unwrap()), [&was, &is].map(largest), "{}", said.text);
            prop_assert_eq!(told.starts_with("falls"), largest(&is) < largest(&was), "{}", said.text);
        }
        if said.text.contains("the run ends when it did") {
            prop_assert_eq!(ends(&spans_was), ends(&spans_is), "{}", said.text);
        }
    }
}

#[test]
fn edit_effect_tells_operations_jobs_and_deadlines_from_times() {
    let before = table_1();
    let mut copies = before.clone();
    copies.kernels[5].copy_out_bytes = 0;
    assert_eq!(effect_of(&before, &copies, None).text, "C6o is gone; the run ends when it did.");
    let mut periodic = before.clone();
    periodic.horizon_ns = Some(at("20"));
    periodic.tasks[0] =
        TaskDraft { release: Release::Periodic, period_ns: Some(at("10")), deadline_ns: Some(at("9")), ..periodic.tasks[0].clone() };
    let mut tight = periodic.clone();
    tight.tasks[0].deadline_ns = Some(at("8"));
    let same_work = "Every block and copy runs when and where it did";
    let differ = "; deadlines differ, but every job meets or misses its own as before.";
    assert_eq!(effect_of(&periodic, &tight, None).text, format!("{same_work}{differ}"));
    tight.tasks[0].deadline_ns = Some(at("1"));
    let said = effect_of(&periodic, &tight, None).text;
    assert_eq!(said, format!("T0 now misses 2 of 2 deadlines; it missed none before. {same_work}."));
    assert_eq!(effect_of(&tight, &periodic, None).text, format!("T0 now misses no deadline; it missed 2 before. {same_work}."));
    // [EDF] gives no deadlines to best effort: its late jobs are none of the misses.
    let mut of_both = [&periodic, &tight].map(Draft::clone);
    of_both.iter_mut().for_each(|draft| draft.tasks[0].class = Some(Class::BestEffort));
    assert_eq!(effect_of(&of_both[0], &of_both[1], None).text, format!("Best effort: 2 late, was 0. {same_work}."));
    let idle = TaskDraft { name: "idle".to_owned(), ..periodic.tasks[0].clone() };
    for (draft, class) in of_both.iter_mut().zip([Class::RealTime; 2]) {
        draft.tasks.push(TaskDraft { class: Some(class), ..idle.clone() });
        draft.kernels.push(KernelDraft { task: Some("idle".to_owned()), ..row("K9", "S9", "0", 1, 32) });
    }
    let said = effect_of(&of_both[0], &of_both[1], None).text;
    assert_eq!(said, format!("Real-time: no misses, before or now. Best effort: 2 late, was 0. {same_work}."));
    let mut often = periodic.clone();
    often.tasks[0].period_ns = Some(at("5"));
    let said = effect_of(&periodic, &often, None).text;
    assert!(said.contains("jobs are released, 4 before") && !said.contains("operations are"), "{said}");
}

#[test]
fn edit_effect_times_are_exact() {
    let before = table_1();
    let mut after = before.clone();
    after.kernels[5].start_ns = at("2.8") + 1;
    assert!(effect_of(&before, &after, None).text.contains("starts 1 ns later"));
}
