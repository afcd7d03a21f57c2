//! Claims about a policy of one's own: what it was told and what came of it, and what a search finds in a published one.

use blockstep_policy::examples::find;
use blockstep_policy::{Held, Program, TaskNumber};
use blockstep_search::{Property, Report, Verdict, Walk, search};
use blockstep_sim::trace::Made;
use blockstep_sim::units::{Span, TaskId};
use serde_json::Value;

use super::{Check, ClaimResult, Fields, Scene, Studies};

/// The kinds of claims, by the field that tells them.
pub(super) const KINDS: &[(&str, Check)] = &[
    ("text_of", text_of),
    ("told", told),
    ("changed", changed),
    ("set", set),
    ("admitted", admitted),
    ("launching", launching),
    ("wake_ns", wake),
    ("search", searched),
];

/// The policy that runs, and its last decision.
fn made(scene: &Scene) -> ClaimResult<(&Program, &Made)> {
    let own = scene.scenario().own().ok_or("the policy is no text")?;
    Ok((own.program(), scene.state.own().made().ok_or("nothing was decided yet")?))
}

fn name(scene: &Scene, task: TaskNumber) -> Value {
    scene.scenario().task(TaskId::at(usize::from(task.0))).name.clone().into()
}

/// The scenario's text is the published one of this name.
fn text_of(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let id = fields.text("text_of")?;
    let known = find(&id).ok_or_else(|| format!("there is no policy {id}"))?;
    if scene.scenario().policy().text == known.text { Ok(()) } else { Err(format!("the text is not that of {id}")) }
}

/// What it was told last (`end A`), and the line that decided.
fn told(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let made = made(scene)?.1;
    let of = made.told.job().map(|(task, _)| format!(" {}", scene.scenario().task(task).name)).unwrap_or_default();
    fields.are(&[("told", format!("{}{of}", made.told.word()).into()), ("line", made.decision.line.into())])
}

/// A line that changed a variable in the last decision.
fn changed(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let (program, made) = made(scene)?;
    let (line, of) = (fields.number("changed")?, fields.text("variable")?);
    let change = |change: &blockstep_policy::Change| (u64::from(change.line), program.variables()[change.what.variable()].name.clone());
    let all: Vec<(u64, String)> = made.decision.changes.iter().map(change).collect();
    if all.contains(&(line, of)) { Ok(()) } else { Err(format!("changed are {all:?}")) }
}

/// The tasks that a set or queue has.
fn set(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let (program, made) = made(scene)?;
    let of = fields.text("set")?;
    let held = program.held(&made.decision.state, scene.scenario().tasks().len());
    let held = program.variables().iter().zip(held).find(|(variable, _)| variable.name == of).map(|(_, held)| held);
    let Some(Held::Tasks(tasks)) = held else { return Err(format!("there is no set {of}")) };
    fields.are(&[("is", tasks.into_iter().map(|task| name(scene, task)).collect())])
}

/// Who may use the GPU.
fn admitted(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let admitted = made(scene)?.1.decision.admitted;
    fields.are(&[("admitted", admitted.iter().map(|task| name(scene, task)).collect())])
}

/// Whose kernels may be launched.
fn launching(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let launching = made(scene)?.1.decision.launching.ok_or("the policy leaves launches alone")?.0;
    fields.are(&[("launching", launching.iter().map(|task| name(scene, task)).collect())])
}

/// The time from the completion of a job of a task until the policy is told.
fn wake(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let of = fields.text("of")?;
    let task = scene.scenario().tasks().iter().find(|task| task.name == of).ok_or_else(|| format!("there is no task {of}"))?;
    let Span(wake) = task.wake;
    fields.are(&[("wake_ns", wake.into())])
}

/// What a search finds in a published policy with up to so many `tasks`: the `requests` that break a `property`, or null, and their
/// `length`; all that is `broken`; the `states` with so many tasks; or that `requests` of the claim break the property `breaks`.
fn searched(fields: &mut Fields, _: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let (id, tasks) = (fields.text("search")?, fields.number("tasks")?);
    let text = find(&id).ok_or_else(|| format!("there is no policy {id}"))?.text;
    let program = Program::new(text).map_err(|why| why.to_string())?;
    let property = |word: &str| word.parse::<Property>().map_err(|why| why.to_string());
    if let Some(breaks) = fields.take("breaks") {
        let requests = fields.text("requests")?;
        let walk = Walk::new(&program, &requests, tasks as usize);
        let wanted = property(breaks.as_str().unwrap_or_default())?;
        let is_broken = walk.mistake().is_none() && !walk.broken(walk.len(), &[wanted]).is_empty();
        return if is_broken { Ok(()) } else { Err(format!("{requests} does not break {wanted}")) };
    }
    let report: Report = search(&program, tasks as usize, &Property::for_program(&program)).map_err(|why| why.to_string())?;
    if let Some(word) = fields.take("property") {
        let wanted = property(word.as_str().unwrap_or_default())?;
        let finding = report.findings.iter().find(|finding| finding.property == wanted).ok_or("it is not looked for")?;
        let fault = match &finding.verdict {
            Verdict::Fault(fault) => Some(fault),
            Verdict::Clean => None,
            Verdict::TaskSet(_) | Verdict::NoneFound => return Err("it is looked for in task sets".to_owned()),
            Verdict::Open => return Err("the search did not end".to_owned()),
        };
        let requests = fault.map(|fault| fault.requests(&program));
        return fields.are(&[("requests", requests.into()), ("length", fault.map(|fault| fault.len()).into())]);
    }
    let broken = report.findings.iter().filter(|finding| finding.verdict != Verdict::Clean).map(|finding| finding.property.to_string());
    fields.are(&[("broken", broken.collect()), ("states", report.levels.last().map(|level| level.states).into())])
}
