//! Scenarios that ask for much: graphs of producers, servers, events, shared connections, many SMs, processes and jobs, as files, links
//! and stored states. Depends
//! on the engine, which counts its work. Invariant: work grows with the steps and the size of a scenario, and not with their product.

use std::sync::Arc;

use blockstep_analysis::runlist_bound::bounds;
use blockstep_format::{self as format, Link};
use blockstep_sim::dice::Dice;
use blockstep_sim::engine::{Limits, Simulation};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::device::MAX_SMS;
use blockstep_sim::scenario::{
    Choice, Class, Device, DeviceDraft, Draft, Interleave, KernelDraft, MAX_WAITS, NULL_STREAM, Placement, PolicyDraft, PolicyKind,
    Preemption, ProcessDraft, Release, Scenario, StreamDraft, TaskDraft,
};
use blockstep_sim::trace::{Variant, Variants};
use blockstep_sim::work::{Budget, Progress};
use blockstep_tools::stored::{HISTORY, NOTES, SCENARIO, Stored, UNREAD, VIEW, is_readable, read_history, write_history};
use blockstep_view::document::Document;
use blockstep_view::timeline::Timeline;

use super::mutate::{mutate, tweak};
use super::seeds::one;
use super::targets::Bench;
use blockstep_testing::growing;

/// Steps of a run.
const STEPS: Limits = Limits { max_steps: 20_000 };
/// Most work of each step and of each entry of a scenario.
const MOST_EACH: u64 = 500;

/// Runs one, and what is made of the run.
pub fn dear(bench: &mut Bench, dice: &mut Dice) {
    let draft = match dice.below(3) {
        0 => {
            let shapes = growing::SHAPES;
            (shapes[dice.below(shapes.len() as u64) as usize].1)(2 + dice.below(400))
        }
        _ => graph(dice),
    };
    bench.tried = format::write_scenario(&draft);
    let Some(scenario) = bench.take(Scenario::new(&draft)) else { return };
    let variants = match dice.below(4) {
        0 => Variants::NONE.with(Variant::ALL[dice.below(Variant::ALL.len() as u64) as usize]),
        _ => Variants::NONE,
    };
    let mut simulation = Simulation::new(&scenario, variants, STEPS);
    let mut work = 0;
    loop {
        let mut budget = Budget::new(100_000);
        let progress = simulation.run_for(&mut budget);
        work += budget.spent();
        if progress == Progress::Done {
            break;
        }
    }
    let run = simulation.finish();
    bench.work += work;
    let most = MOST_EACH * (run.trace.steps().len() as u64 + draft.size() + scenario.device().sms);
    assert!(work <= most, "{work} units of work for {} steps of {} entries", run.trace.steps().len(), draft.size());
    let records = Arc::new(Records::new(&run.trace));
    assert!(Timeline::new(&run.trace, &records).end().ns() > 0);
    assert!(bounds(&run.trace, &records, STEPS).len() <= scenario.tasks().len());
    if dice.below(8) == 0 {
        let link = Link { scenario: draft, ..Link::default() };
        let text = format::write_link(&link, None).unwrap();
        assert_eq!(bench.take(format::read_link(&text)).map(|(read, _)| read), Some(link));
    }
}

/// A number from 1 on with at most so many bits, each as likely.
fn some(dice: &mut Dice, bits: u64) -> u64 {
    let bits = dice.below(bits + 1);
    1 + dice.below(1 << bits)
}

/// Tasks that wait for each other.
pub fn graph(dice: &mut Dice) -> Draft {
    let kind = [PolicyKind::Edf, PolicyKind::Edf, PolicyKind::Runlist, PolicyKind::Priority][dice.below(4) as usize];
    let (tasks, processes) = (some(dice, 8), some(dice, 6));
    let mut draft = Draft {
        placement: Placement::ALL[dice.below(Placement::ALL.len() as u64) as usize],
        device: DeviceDraft::Custom(Device {
            sms: if dice.below(4) == 0 { 1 + dice.below(MAX_SMS) } else { 1 + dice.below(8) },
            ..Device::default()
        }),
        policy: PolicyDraft {
            kind,
            cbs: dice.below(2) == 0,
            preemption: Preemption::ALL[dice.below(Preemption::ALL.len() as u64) as usize],
            switch_cost_ns: dice.below(3) * 100,
            ..PolicyDraft::default()
        },
        ..Draft::default()
    };
    let process = |i| ProcessDraft {
        timeslice_ns: 1 + dice.below(2_000),
        interleave: Interleave::ALL[dice.below(3) as usize],
        channels: some(dice, 3),
        ..ProcessDraft::named(format!("P{i}"))
    };
    draft.processes = (0..processes).map(process).collect();
    // None, a few or nearly all of those before.
    let (of, density) = (16, [0, 1, 4, 16][dice.below(4) as usize]);
    let is_periodic = dice.below(2) == 0;
    for i in 0..tasks {
        let is_real_time = dice.below(4) > 0;
        let mut task = TaskDraft {
            process: Some(format!("P{}", dice.below(processes))),
            class: Some(if is_real_time { Class::RealTime } else { Class::BestEffort }),
            deadline_ns: is_real_time.then(|| some(dice, 30)),
            budget_ns: (dice.below(2) == 0).then(|| 1 + dice.below(3_000)),
            ..TaskDraft::named(format!("T{i}"))
        };
        if is_periodic {
            (task.release, task.period_ns, task.jobs) = (Release::Periodic, Some(1 + dice.below(5_000)), Some(1 + dice.below(40)));
        }
        task.consumes = (0..i).filter(|_| dice.below(of) < density).map(|before| format!("T{before}")).collect();
        draft.tasks.push(task);
        for j in 0..dice.below(4) {
            let after = j.checked_sub(1).filter(|_| dice.below(2) == 0).map(|before| format!("K{i}.{before}"));
            let stream = if dice.below(12) == 0 { NULL_STREAM.to_owned() } else { format!("S{}", dice.below(1 + tasks / 2)) };
            let blocks = some(dice, 7);
            draft.kernels.push(KernelDraft {
                task: Some(format!("T{i}")),
                after,
                stream,
                start_ns: dice.below(2) * dice.below(100_000),
                copy_in_bytes: dice.below(2),
                ..KernelDraft::named(format!("K{i}.{j}"), blocks, 1 + dice.below(1_024), 1 + dice.below(2_000))
            });
        }
    }
    if dice.below(2) == 0 {
        put_in_order(&mut draft, dice);
    }
    draft
}

/// What orders streams beside producers: events, shared connections, and streams that the NULL stream does not concern.
fn put_in_order(draft: &mut Draft, dice: &mut Dice) {
    draft.connections = (dice.below(3) == 0).then(|| 1 + dice.below(32));
    for i in 0..dice.below(8) {
        let process = Some(format!("P{}", dice.below(draft.processes.len() as u64)));
        draft.streams.push(StreamDraft { process, name: format!("S{i}"), non_blocking: dice.below(2) == 0, ..StreamDraft::default() });
    }
    let events = some(dice, 8);
    for kernel in &mut draft.kernels {
        kernel.records = (dice.below(2) == 0).then(|| format!("E{}", dice.below(events)));
        if dice.below(3) == 0 {
            let (first, count) = (dice.below(events), some(dice, 6).min(MAX_WAITS as u64));
            kernel.waits_for = (first..first + count).map(|event| format!("E{event}")).collect();
        }
    }
}

/// What a browser may have stored, by this version, another, or somebody else.
pub fn stored(bench: &mut Bench, dice: &mut Dice) {
    let seeds = Arc::clone(&bench.seeds);
    let document = Document::new(format::read_scenario(one(dice, &seeds.short)).unwrap());
    let whole =
        Stored { document, at: blockstep_sim::units::Time(dice.number() >> dice.below(64)), position: Some(3), theme: Default::default() };
    let damage = |text: &str, dice: &mut Dice| match dice.below(4) {
        0 => mutate(text, seeds.any(dice), dice),
        1 | 2 => tweak(text, dice),
        _ => text.to_owned(),
    };
    let parts: Vec<(&str, String)> = whole.parts().iter().map(|(key, text)| (*key, damage(text, dice))).collect();
    bench.tried = format!("{parts:#?}");
    for (key, text) in &parts {
        let _ = is_readable(None, key, text);
    }
    let read = Stored::read(|key| parts.iter().find(|(part, _)| *part == key).map(|(_, text)| text.clone()));
    bench.counts[usize::from(read.is_none())] += 1;
    if let Some(read) = read {
        let again: Vec<_> = read.parts().into();
        let same = Stored::read(|key| again.iter().find(|(part, _)| *part == key).map(|(_, text)| text.clone())).unwrap();
        assert_eq!(same.document.draft(), read.document.draft(), "what was read is written as it was");
        let kept = Arc::new(read.document);
        let history = damage(&write_history(&[Arc::clone(&kept), kept], &[]), dice);
        let _ = is_readable(None, HISTORY, &history);
        assert!(read_history(&history).iter().all(|documents| documents.len() <= 40));
    }
    for key in [SCENARIO, UNREAD, VIEW, NOTES] {
        let text = damage(seeds.any(dice), dice);
        let _ = is_readable(None, key, &text);
    }
}
