//! Claims about whose turn it is when, about tasks, and about what the analysis says of them.

use blockstep_analysis::demand::Point;
use blockstep_analysis::report::{Report, Switch};
use blockstep_analysis::runlist_bound;
use blockstep_sim::engine::Limits;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Choice, Claimant, Preemption};
use blockstep_sim::units::{SpaceId, Span, TaskId, TimeRange};
use blockstep_tools::runs;
use blockstep_view::results;
use serde_json::{Value, json};

use super::{ClaimResult, Fields, Scene, Studies};

fn named<'r>(scene: &Scene, name: &str, list: &'r [(SpaceId, TimeRange)]) -> ClaimResult<Vec<&'r TimeRange>> {
    if (0..scene.trace().layout().spaces().len()).all(|space| scene.trace().space_name(SpaceId::at(space)) != name) {
        return Err(format!("there is no process {name}"));
    }
    Ok(list.iter().filter(|(space, _)| scene.trace().space_name(*space) == name).map(|(_, range)| range).collect())
}

fn written(range: &TimeRange) -> Value {
    json!([range.start.ns(), range.end.ns()])
}

/// One stay of a process, from its switch-in to its leaving.
pub(super) fn stay(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let all = named(scene, &fields.text("stay")?, &scene.records.residency)?;
    let claimed = fields.take("ns").ok_or("states no ns")?;
    let found: Vec<Value> = all.into_iter().map(written).collect();
    if found.contains(&claimed) { Ok(()) } else { Err(format!("its stays are {found:?}")) }
}

/// All of them.
pub(super) fn stays(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let all = named(scene, &fields.text("stays")?, &scene.records.residency)?;
    fields.are(&[("ns", all.into_iter().map(written).collect())])
}

fn interval(fields: &mut Fields, all: &[&TimeRange]) -> ClaimResult<()> {
    let claimed = json!([fields.number("start_ns")?, fields.number("end_ns")?]);
    let found: Vec<Value> = all.iter().map(|range| written(range)).collect();
    if found.contains(&claimed) { Ok(()) } else { Err(format!("there are {found:?}")) }
}

/// A switch to a process.
pub(super) fn switch(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let all = named(scene, &fields.text("switch")?, &scene.records.switches)?;
    interval(fields, &all)
}

/// A process that drains.
pub(super) fn drain(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let all = named(scene, &fields.text("drain")?, &scene.records.drains)?;
    interval(fields, &all)
}

fn task_of(scene: &Scene, name: &str) -> ClaimResult<TaskId> {
    let place = scene.scenario().tasks().iter().position(|t| t.name == name);
    place.map(TaskId::at).ok_or_else(|| format!("there is no task {name}"))
}

/// A task's jobs over the whole run.
pub(super) fn task(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let id = task_of(scene, &fields.text("task")?)?;
    let jobs: Vec<_> = scene.records.jobs.iter().filter(|job| job.task == id).collect();
    let responses = || jobs.iter().filter_map(|job| results::response(job)).map(Span::ns);
    let task = scene.scenario().task(id);
    fields.are(&[
        ("released", jobs.len().into()),
        ("completed", responses().count().into()),
        ("missed", jobs.iter().filter(|job| job.met == Some(false)).count().into()),
        ("least_ns", responses().min().into()),
        ("greatest_ns", responses().max().into()),
        ("period_ns", task.period.map(Span::ns).into()),
        ("deadline_ns", task.deadline.map(Span::ns).into()),
        ("budget_ns", task.budget.map(Span::ns).into()),
        ("pixel_latency_ns", task.pixel_latency.map(Span::ns).into()),
    ])
}

/// A batch of commands: its times.
pub(super) fn batch(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let name = fields.text("batch")?;
    let is_it = |claimant: &&Claimant| claimant.batch.as_ref().is_some_and(|batch| batch.name == name);
    let found = scene.scenario().claimants().iter().find(is_it).ok_or_else(|| format!("there is no batch {name}"))?;
    fields.are(&[
        ("deadline_ns", found.deadline.map(Span::ns).into()),
        ("budget_ns", found.batch.as_ref().map(|batch| batch.budget.ns()).into()),
        ("period_ns", found.period.map(Span::ns).into()),
    ])
}

/// What a task's server is given at an instant: its deadline from then on, and whether it was postponed.
pub(super) fn server(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let task = task_of(scene, &fields.text("server")?)?;
    let at = fields.number("at_ns")?;
    let all: Vec<_> = scene.records.refills.iter().filter(|refill| refill.claimant == task.into()).collect();
    let found = all.iter().rfind(|refill| refill.at.ns() == at).ok_or_else(|| format!("it is given something at {all:?}"))?;
    fields.are(&[("deadline_ns", found.deadline.ns().into()), ("is_postponed", found.is_postponed.into())])
}

fn bounds(scene: &Scene, name: &str) -> ClaimResult<Result<runlist_bound::RunlistBound, runlist_bound::Inapplicable>> {
    let id = task_of(scene, name)?;
    let trace = scene.trace();
    let mut all = runlist_bound::bounds(trace, &Records::new(trace), Limits::default());
    if all.len() <= id.index() {
        return Err("no bounds are given under this policy".to_owned());
    }
    Ok(all.swap_remove(id.index()))
}

/// [EDF] Theorem 1.
pub(super) fn bound(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let name = fields.text("bound")?;
    let bound = bounds(scene, &name)?.map_err(|why| why.sentence(scene.scenario()))?;
    let time = |span: Option<Span>| Value::from(span.map(Span::ns));
    fields.are(&[
        ("gaps", bound.gaps.into()),
        ("gap_ns", time(bound.gap)),
        ("without_cost_ns", time(bound.without_cost)),
        ("at_own_expiries_ns", time(bound.at_own_expiries)),
        ("every_switch_ns", time(bound.every_switch)),
    ])
}

/// That the theorem says nothing of a task.
pub(super) fn no_bound(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let name = fields.text("no_bound")?;
    match bounds(scene, &name)? {
        Err(_) => Ok(()),
        Ok(bound) => Err(format!("its bound is {:?}", bound.every_switch)),
    }
}

/// What the schedulability test of a way of preemption says of the scenario, with its own switch cost.
pub(super) fn verdict(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let word = fields.text("verdict")?;
    let preemption = Preemption::from_word(&word).ok_or_else(|| format!("there is no preemption {word}"))?;
    let scenario = runs::read(&scene.text).map_err(|why| why.to_string())?;
    let report = Report::new(&scenario, Limits::default()).map_err(|e| e.to_string())?;
    let line = report.lines.iter().find(|l| l.preemption == preemption && l.source == Switch::Own);
    let line = line.ok_or("there is no such test")?;
    let failure = |of: fn(&Point) -> u64| Value::from(line.failure.as_ref().map(of));
    fields.are(&[
        ("schedulable", line.verdict.passes().into()),
        ("required_ns", failure(|f| f.demand)),
        ("until_ns", failure(|f| f.at)),
        ("blocking_ns", failure(|f| f.blocking)),
        ("utilisation_millionths", report.utilisation.into()),
    ])
}
