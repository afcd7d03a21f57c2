//! Claims about queues, engines and SMs: what each holds, and what is free.

use blockstep_sim::snapshot::{Residency, SmState};
use blockstep_sim::trace::Level;
use blockstep_sim::units::SpaceId;
use serde_json::Value;

use super::{ClaimResult, Fields, Scene, Studies};

pub(super) fn free(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let sms = &scene.state.space(scene.space()?).sms;
    let of = |free: fn(&SmState) -> u64| -> Value { sms.iter().map(free).collect() };
    fields.are(&[
        ("free_threads", of(|sm| sm.threads.into())),
        ("free_shared_memory", of(|sm| sm.shared_memory)),
        ("free_registers", of(|sm| sm.registers)),
        ("free_slots", of(|sm| sm.slots.into())),
    ])
}

/// The space of a claim about queues: that of the process named, else the resident or only one.
fn queue_space(fields: &mut Fields, scene: &Scene) -> ClaimResult<SpaceId> {
    let Some(name) = fields.take("process") else { return scene.space() };
    let layout = scene.trace().layout();
    let mut ids = (0..layout.spaces().len()).map(SpaceId::at);
    ids.find(|&id| name.as_str() == Some(&scene.trace().space_name(id))).ok_or_else(|| format!("there is no process {name}"))
}

pub(super) fn ee(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let space = queue_space(fields, scene)?;
    let level = match fields.take("level").as_ref().map(|l| l.as_str()) {
        Some(Some("high")) => Level::High,
        None | Some(Some("low")) => Level::Low,
        Some(other) => return Err(format!("level is {other:?}")),
    };
    fields.are(&[("ee", scene.names(scene.state.space(space).ee(level)))])
}

pub(super) fn ce(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let space = queue_space(fields, scene)?;
    let engine = u8::try_from(fields.optional("engine", 0)?).ok().filter(|&e| e < 2).ok_or("there are the engines 0 and 1")?;
    fields.are(&[("ce", scene.names(scene.state.space(space).ce(engine)))])
}

pub(super) fn engine_holds(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let space = queue_space(fields, scene)?;
    let engine = fields.number("engine")?;
    let slot = scene.state.space(space).engines.get(engine as usize).ok_or("there are the engines 0 and 1")?;
    fields.are(&[("holds", slot.map(|copy| scene.name(copy.op)).into())])
}

pub(super) fn stream(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let id = scene.stream(&fields.text("stream")?)?;
    fields.are(&[("holds", scene.names(&scene.state.stream(id).queue))])
}

pub(super) fn sm(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let space = queue_space(fields, scene)?;
    let number = fields.number("sm")?;
    let sm = scene.state.space(space).sms.get(number as usize).ok_or("there is no such SM")?;
    let found = sm.blocks.iter().map(|b| format!("{}:{}", scene.name(b.op), b.block)).collect::<Value>();
    fields.are(&[("holds", found)])
}

pub(super) fn resident(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let found = match scene.state.residency() {
        Residency::Shared => return Err("all processes share one address space".to_owned()),
        Residency::Resident { space, .. } => Value::from(scene.trace().space_name(space)),
        Residency::Idle { .. } | Residency::Submitting { .. } | Residency::Switching { .. } => Value::Null,
    };
    fields.are(&[("resident", found)])
}
