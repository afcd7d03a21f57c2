//! Sweeps in parts, so that many workers can make runs and any can stop.
//!
//! Depends on `sweep`. Invariant: a row depends on the sweep and on the number of its run alone.

use web_time::Instant;

use crate::error::WorkerError;
use blockstep_protocol::{self as protocol, RunSweep, SweptRuns};
use blockstep_sweep::Plan;
use blockstep_tools::sweep::MAX_RUNS;

/// What is kept from one request to the next.
#[derive(Default)]
pub(super) struct Sweeps {
    /// The last sweep, by the line that says it.
    last: Option<(String, Plan)>,
}

impl Sweeps {
    pub(super) fn run(&mut self, request: &RunSweep) -> Result<SweptRuns, WorkerError> {
        let began = Instant::now();
        let (_, plan) = match self.last.take().filter(|(known, _)| *known == request.plan) {
            Some(known) => self.last.insert(known),
            None => self.last.insert((request.plan.clone(), Plan::described(&request.plan)?)),
        };
        let runs = request.from..request.to.min(plan.count());
        if runs.end.saturating_sub(runs.start) > MAX_RUNS as u64 {
            return Err(WorkerError::LargePart);
        }
        let rows: Vec<(u64, Vec<String>)> = runs.map(|run| (run, plan.row(run))).collect();
        Ok(SweptRuns { rows: protocol::encode(&rows)?, took_ms: began.elapsed().as_millis() as u64 })
    }
}
