//! Claims of what the page can do, whatever run a stop shows: each is tried on an example.

use blockstep_report::figure::ChartKind;
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::examples::{self, Example};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::Scenario;
use blockstep_sim::trace::OpKind;
use blockstep_tools::runs;
use blockstep_view::results::Results;

use super::{Check, ClaimResult, Fields, Scene, Studies, same};

/// The kinds of these claims, as in the parent.
pub(super) const KINDS: &[(&str, Check)] = &[("can", can)];

fn example(id: &str) -> ClaimResult<&'static Example> {
    examples::find(id).ok_or_else(|| format!("there is no example {id}"))
}

fn run_of(id: &str) -> ClaimResult<Run> {
    Ok(engine::simulate(&runs::read(example(id)?.json).map_err(|why| why.to_string())?, Limits::default()))
}

/// Whether the page can do what the words say; `is` says whether it is claimed.
fn can(fields: &mut Fields, _: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let what = fields.text("can")?;
    let is_so = match what.as_str() {
        "have a row without a kernel" => {
            let run = run_of("cuda-copies")?;
            let trace = &run.trace;
            let is_alone = |row| trace.ops().iter().filter(|op| op.row == row).all(|op| op.kind != OpKind::Kernel);
            trace.ops().iter().any(|op| is_alone(op.row))
        }
        "record an event" => run_of("cuda-events")?.trace.scenario().event_count() > 0,
        "put an event into a queue" => {
            // What is in a queue is an operation.
            let run = run_of("cuda-events")?;
            let scenario = run.trace.scenario();
            let of_rows = scenario.rows().iter().filter(|row| row.call.has_operation()).count();
            run.trace.ops().len() != of_rows
        }
        "draw how long switches take" => {
            let mut draft = blockstep_format::read_scenario(example("edf-vi-a-runlist")?.json).map_err(|why| why.to_string())?;
            draft.policy.switch_cost_max_ns = Some(4 * draft.policy.switch_cost_ns);
            let run = engine::simulate(&Scenario::new(&draft).map_err(|why| why.to_string())?, Limits::default());
            let results = Results::new(run.replay(), &Records::new(&run.trace));
            ChartKind::with_data(&run.trace, &results).into_iter().any(|kind| kind.title(&run.trace).contains("switch"))
        }
        _ => return Err(format!("nobody knows how to try whether the page can {what}")),
    };
    let claimed = fields.take("is").ok_or("is says whether it can")?;
    same(&what, &is_so.into(), &claimed)
}
