//! Runs of the engine taken for measured ones: they conform without any tolerance, and with a rule
//! changed they fail by that rule.

use std::collections::BTreeMap;

use blockstep_sim::check::measured::{Check, CheckSettings, check};
use blockstep_sim::engine::{Limits, simulate_varied};
use blockstep_sim::measured::*;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, NULL_STREAM, PolicyKind, Scenario, StreamPriority};
use blockstep_sim::trace::{OpKind, Trace, Variant, Variants};
use blockstep_sim::units::{OpId, StreamId, Time};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};

use super::broken;
use blockstep_testing::arbitrary::{cases, drafts, with_launches_only};

/// A log for each stream, with its complete kernels, and what is known of the streams.
fn measured(trace: &Trace) -> (Measured, CheckSettings) {
    let (scenario, layout) = (trace.scenario(), trace.layout());
    let records = Records::new(trace);
    let ns = |t: Time| i64::try_from(t.ns()).unwrap();
    let device = scenario.device().clone();
    let mut run = Measured::default();
    let mut known = Vec::new();
    for stream in 0..layout.streams().len() {
        let of_stream = |(i, _): &(usize, _)| trace.op(OpId::at(*i)).stream.index() == stream;
        let mut log = Log {
            label: layout.label(scenario, StreamId::at(stream)),
            pid: Some(1),
            max_resident_threads: Some(device.sms * device.threads_per_sm),
            ..Log::default()
        };
        let mut has_unseen = false;
        for (i, record) in records.ops.iter().enumerate().filter(of_stream) {
            let op = OpId::at(i);
            // What waits for a producer is not in the EE queue either.
            has_unseen |= trace.op(op).kind != OpKind::Kernel || !scenario.task(trace.row_of(op).task).consumes.is_empty();
            let (OpKind::Kernel, Some(end)) = (trace.op(op).kind, record.end) else { continue };
            let row = trace.row_of(op);
            let mut blocks: Vec<_> = records.blocks.iter().filter(|b| b.op == op).collect();
            blocks.sort_by_key(|b| b.block);
            log.kernels.push(Launch {
                name: trace.op_label(op),
                entry: log.kernels.len(),
                block_count: row.blocks,
                thread_count: u64::from(row.needs.threads),
                shared_memory: Some(row.needs.shared_memory),
                launch_ns: vec![ns(record.issued), ns(record.issued), ns(end)],
                blocks: blocks
                    .iter()
                    .map(|b| MeasuredBlock { start_ns: ns(b.start), end_ns: ns(b.end.unwrap()), sm: Some(b.sm.0.into()) })
                    .collect(),
            });
        }
        let info = layout.stream(StreamId::at(stream));
        let priority = if scenario.policy().kind == PolicyKind::Fifo { StreamPriority::None } else { info.priority };
        let is_null = info.is_null;
        known.push(Known { priority: Some(priority), is_null: Some(is_null), waits_for_null: Some(true), has_unseen: Some(has_unseen) });
        run.logs.push(log);
    }
    let settings = CheckSettings { device, has_limits: true, tolerance_ns: 0, known };
    (run, settings)
}

/// Logs tell nothing of events, connections, non-blocking streams and calls other than launches.
fn simulated(draft: &Draft, variants: Variants) -> (Measured, CheckSettings) {
    let mut draft = Draft { connections: None, ..with_launches_only(draft.clone()) };
    draft.streams.iter_mut().for_each(|stream| stream.non_blocking = false);
    draft.kernels.iter_mut().for_each(|k| k.waits_for.clear());
    let draft = &draft;
    let run = simulate_varied(&Scenario::new(draft).unwrap(), variants, Limits::default());
    measured(&run.trace)
}

proptest! {
    #![proptest_config(cases(600))]
    #[test]
    fn simulated_runs_conform(draft in drafts()) {
        let (run, settings) = simulated(&draft, Variants::NONE);
        let result = check(&run, &settings);
        prop_assert!(result.conforms(), "{:?}", broken(&result));
    }

    /// Whatever is changed in a block or launch beyond what a rule allows is found, by that rule among others.
    #[test]
    fn damage_is_found(draft in drafts(), damage in 0..7_usize, pick in any::<prop::sample::Index>()) {
        let (mut run, settings) = simulated(&draft, Variants::NONE);
        let launches: Vec<(usize, usize)> =
            run.logs.iter().enumerate().flat_map(|(l, log)| (0..log.kernels.len()).map(move |k| (l, k))).collect();
        if launches.is_empty() {
            return Ok(());
        }
        let (l, k) = launches[pick.index(launches.len())];
        let ahead = k.checked_sub(1).and_then(|k| run.logs[l].kernels[k].last_end());
        let device = &settings.device;
        let launch = &mut run.logs[l].kernels[k];
        let check_of = match damage {
            0 => {
                launch.blocks[0].sm = Some(u32::try_from(device.sms).unwrap() + 3);
                Check::SmId
            }
            1 => {
                let block = &mut launch.blocks[0];
                std::mem::swap(&mut block.start_ns, &mut block.end_ns);
                Check::BlockTimes
            }
            2 => {
                launch.launch_ns = vec![launch.blocks[0].start_ns + 1, launch.blocks[0].start_ns + 1];
                Check::Launch
            }
            3 => {
                launch.launch_ns[2] = launch.blocks[0].end_ns - 1;
                // Zero would say that the CPU did not wait.
                if launch.launch_ns[2] == 0 {
                    return Ok(());
                }
                Check::Waited
            }
            4 => {
                launch.blocks.push(launch.blocks[0]);
                Check::BlockCount
            }
            5 => {
                let Some(end) = ahead else { return Ok(()) };
                launch.blocks[0].start_ns = end - 1;
                Check::StreamOrder
            }
            _ => {
                let copies = device.threads_per_sm / launch.thread_count + 1;
                let block = launch.blocks[0];
                launch.blocks.extend((0..copies).map(|_| block));
                Check::Threads
            }
        };
        let result = check(&run, &settings);
        prop_assert!(result.violations.iter().any(|v| v.check == check_of), "{check_of:?}: {:?}", broken(&result));
    }
}

/// Takes away what leaves the order of kernels in doubt.
fn simplify(draft: &mut Draft) {
    draft.tasks.iter_mut().for_each(|task| task.consumes.clear());
    draft.streams.retain(|stream| stream.name != NULL_STREAM);
    for row in &mut draft.kernels {
        (row.copy_in_bytes, row.copy_out_bytes) = (0, 0);
        if row.stream == NULL_STREAM {
            row.stream = "S4".to_owned();
        }
    }
}

/// Runs with a rule changed break that rule often, and no other that is judged.
#[test]
fn changed_rules_are_found_as_such() {
    let expected: [(Variant, &[Check], usize); 5] = [
        (Variant::NoNullBarrier, &[Check::NullWaits, Check::WaitsForNull], 50),
        (Variant::WorkConserving, &[Check::EeOrder], 10),
        (Variant::FairShare, &[Check::EeOrder], 50),
        (Variant::PriorityByKernel, &[Check::Priority], 10),
        (Variant::NoPriorities, &[Check::Priority, Check::EeOrder], 20),
    ];
    for (variant, checks, least) in expected {
        let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), TestRng::deterministic_rng(RngAlgorithm::ChaCha));
        let mut found: BTreeMap<Check, usize> = BTreeMap::new();
        for _ in 0..600 {
            let mut draft = drafts().new_tree(&mut runner).unwrap().current();
            if variant != Variant::NoNullBarrier {
                simplify(&mut draft);
            }
            let (run, settings) = simulated(&draft, [variant].into_iter().collect());
            let result = check(&run, &settings);
            for check in Check::ALL {
                *found.entry(check).or_default() += usize::from(result.violations.iter().any(|v| v.check == check));
            }
            let others: Vec<_> = result.violations.iter().filter(|v| !checks.contains(&v.check)).collect();
            assert!(others.is_empty(), "{variant:?}: {others:?}");
        }
        let total: usize = checks.iter().map(|check| found[check]).sum();
        println!("{variant:?} {found:?}");
        assert!(total >= least, "{variant:?} is found in {total} of 600 runs");
    }
}
