//! Claims about the path of a submission: guests with their batches, signals, timer, and the runlist that is submitted.

use blockstep_view::queues::{self, PathView};
use serde_json::Value;

use super::{Check, ClaimResult, Fields, Scene, Studies};

/// The kinds of claims, by the field that tells them.
pub(super) const KINDS: &[(&str, Check)] = &[("signal", signal), ("submitted", submitted), ("timer", timer), ("guest", guest)];

/// Longer than any push buffer of a tour.
const MAX_ITEMS: usize = 100;

fn path(scene: &Scene) -> ClaimResult<PathView> {
    let last = scene.state.last_step().map(|step| scene.trace().step(step));
    queues::path(scene.trace(), &scene.state, last, scene.time(), MAX_ITEMS).ok_or_else(|| "processes do not take turns".to_owned())
}

/// The signal that the step is, by its letter, and what it tells; `null` if it is none.
fn signal(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let lit = path(scene)?.signals.into_iter().find_map(|signal| Some((signal.kind.letter(), signal.event?)));
    let (letter, of) = lit.map_or((Value::Null, Value::Null), |(letter, of)| (letter.into(), of.into()));
    fields.are(&[("signal", letter), ("of", of)])
}

/// The channels in the runlist, and what the step did to it.
fn submitted(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let list = path(scene)?.submitted;
    fields.are(&[("submitted", list.channels.into()), ("event", list.event.into())])
}

/// Whose budget the timer measures, or `null`, what is left of it, and until when.
fn timer(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let timer = path(scene)?.timer.ok_or("there is no RunList Manager")?;
    let Some((task, left, until)) = timer.running else { return fields.are(&[("timer", Value::Null)]) };
    fields.are(&[("timer", task.into()), ("left_ns", left.free.into()), ("until_ns", until.ns().into())])
}

/// A guest's processes, or the batches in its push buffers, each as `job: operations`.
fn guest(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let name = fields.text("guest")?;
    let guest = path(scene)?.guests.into_iter().find(|guest| guest.name == name).ok_or_else(|| format!("there is no guest {name}"))?;
    let batches = guest.buffers.iter().flat_map(|buffer| &buffer.batches);
    let written = batches.map(|batch| {
        let items: Vec<&str> = batch.items.iter().map(|item| item.label.as_str()).collect();
        format!("{}: {}", batch.label, items.join(" "))
    });
    fields.are(&[("batches", written.collect::<Value>()), ("processes", guest.processes.into())])
}
