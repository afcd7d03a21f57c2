//! Blocks that spin and cooperative launches: the engine against the second simulator, times and ends alone.

use blockstep_sim::engine::{self, Limits};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, KernelDraft, PolicyKind, Release, Scenario, TaskDraft};
use blockstep_testing::arbitrary::{cases, drafts, owned, turns};
use blockstep_testing::batches::batched;
use blockstep_testing::oracle;
use proptest::prelude::*;

/// Steps after which a run of these small scenarios goes on for ever.
const MOST_STEPS: u32 = 20_000;

/// Both have the same blocks at the same times, and end alike.
fn agree(draft: &Draft) -> Result<(), TestCaseError> {
    let scenario = Scenario::new(draft).unwrap();
    let run = engine::simulate(&scenario, Limits { max_steps: MOST_STEPS });
    let theirs = oracle::simulate(draft);
    if theirs.failed.is_some() {
        return Ok(());
    }
    let json = || format!("\nJSON {}\n", serde_json::to_string(draft).unwrap());
    prop_assert!(run.trace.cut().is_none(), "{:?} {}", run.trace.cut(), json());
    let records = Records::new(&run.trace);
    let mut ours = String::new();
    for (i, b) in records.blocks.iter().enumerate() {
        let op = run.trace.op(b.op);
        let runs: Vec<(u64, u64)> = records.block_runs(i).iter().map(|r| (r.start.ns(), r.end.ns())).collect();
        let name = &scenario.row(op.row).name;
        ours += &format!("{name}#{} {} on {}: {} {:?} {runs:?}\n", op.job.0, b.block, b.sm.0, b.start.ns(), b.end.map(|t| t.ns()));
    }
    let mut other = String::new();
    for b in &theirs.blocks {
        other += &format!("{}#{} {} on {}: {} {:?} {:?}\n", b.kernel, b.job, b.block, b.sm, b.start_ns, b.end_ns, b.runs);
    }
    prop_assert!(ours == other, "engine\n{}oracle\n{}{}", ours, other, json());
    prop_assert_eq!(records.end().ns(), theirs.end_ns, "end of the run: {}", json());
    let jobs: Vec<_> = records.jobs.iter().map(|j| (j.release.ns(), j.end.map(|t| t.ns()), j.met)).collect();
    let others: Vec<_> = theirs.jobs.iter().map(|j| (j.release_ns, j.end_ns, j.met)).collect();
    prop_assert_eq!(jobs, others, "jobs: {}", json());
    if scenario.horizon().is_none() {
        let mut replay = run.replay();
        let hangs = replay.seek(run.trace.steps().len() as u32).dead_end(&run.trace).is_some();
        prop_assert_eq!(hangs, theirs.hangs, "whether it hangs:\n{}{}", run.trace.text(), json());
    }
    Ok(())
}

/// A run that ends by itself; where processes take turns and blocks spin, at a horizon.
fn unbounded(mut draft: Draft) -> Draft {
    if draft.policy.kind.takes_turns() && draft.kernels.iter().any(KernelDraft::spins) {
        return draft;
    }
    let recurs = |t: &TaskDraft| t.release == Release::Periodic || t.release == Release::Continuous && t.jobs.is_none();
    draft.tasks.iter_mut().filter(|t| recurs(t)).for_each(|t| t.release = Release::Once);
    draft.horizon_ns = None;
    draft
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn hangs_engine_and_oracle_agree(draft in drafts(), is_bounded in any::<bool>()) {
        agree(&if is_bounded { draft } else { unbounded(draft) })?;
    }

    #[test]
    fn hangs_runlist_agrees(draft in turns(PolicyKind::Runlist), is_bounded in any::<bool>()) {
        agree(&if is_bounded { draft } else { unbounded(draft) })?;
    }

    #[test]
    fn hangs_edf_agrees(draft in turns(PolicyKind::Edf), is_bounded in any::<bool>()) {
        agree(&if is_bounded { draft } else { unbounded(draft) })?;
    }

    #[test]
    fn hangs_batches_agree(draft in batched(), is_bounded in any::<bool>()) {
        agree(&if is_bounded { draft } else { unbounded(draft) })?;
    }

    #[test]
    fn hangs_own_agrees(draft in owned(), is_bounded in any::<bool>()) {
        agree(&if is_bounded { draft } else { unbounded(draft) })?;
    }
}
