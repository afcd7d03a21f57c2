//! Claims that count: operations in named streams, what waits for one reason, what executes, and what ends together.

use blockstep_sim::record::BlockRecord;
use blockstep_sim::trace::OpKind;
use blockstep_sim::units::OpId;
use blockstep_view::reason::{self, waiting};
use serde_json::Value;

use super::{Check, ClaimResult, Fields, Scene, Studies, is_issued, same, word};

/// The kinds of these claims, as in the parent.
pub(super) const KINDS: &[(&str, Check)] = &[
    ("operations_in", operations_in),
    ("issued_by", issued_by),
    ("waiting_for", waiting_for),
    ("executing", executing),
    ("end_together", end_together),
    ("most_kernels_at_once", most_at_once),
    ("starts_when_running_blocks_end", within_running_blocks),
];

/// A list of texts in a field.
fn list(fields: &mut Fields, name: &str) -> ClaimResult<Vec<String>> {
    let found = fields.take(name);
    let texts = found.as_ref().and_then(Value::as_array).and_then(|all| all.iter().map(|v| v.as_str().map(str::to_owned)).collect());
    texts.ok_or_else(|| format!("{name} is {found:?}; a list of names is expected"))
}

/// Every operation of the run.
fn all(scene: &Scene) -> impl Iterator<Item = OpId> {
    (0..scene.trace().ops().len()).map(OpId::at)
}

/// How many operations stand in these stream queues at the stop, together.
fn operations_in(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let mut count = 0;
    for name in list(fields, "operations_in")? {
        count += scene.state.stream(scene.stream(&name)?).queue.len();
    }
    fields.are(&[("count", count.into())])
}

/// What a task has issued up to the stop.
fn issued_by(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let name = fields.text("issued_by")?;
    let task = scene.scenario().tasks().iter().position(|t| t.name == name).ok_or_else(|| format!("there is no task {name}"))?;
    let issued: Vec<OpId> = all(scene).filter(|&op| is_issued(scene, op) && scene.trace().row_of(op).task.index() == task).collect();
    let count = |kind: OpKind| issued.iter().filter(|&&op| scene.trace().op(op).kind == kind).count();
    fields.are(&[
        ("operations", issued.len().into()),
        ("kernels", count(OpKind::Kernel).into()),
        ("input_copies", count(OpKind::CopyIn).into()),
        ("output_copies", count(OpKind::CopyOut).into()),
    ])
}

/// Everything that waits for one reason at the stop, in issue order.
fn waiting_for(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let kind = fields.text("waiting_for")?;
    let list = waiting(scene.trace(), &scene.records, &scene.state, usize::MAX);
    let found: Vec<OpId> = list.items.iter().map(|w| w.op).filter(|&op| scene.reason(op).is_some_and(|r| word(r.kind()) == kind)).collect();
    fields.are(&[("are", scene.names(&found)), ("count", found.len().into())])
}

/// Everything that executes at the stop, in issue order.
fn executing(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let found: Vec<OpId> = all(scene).filter(|&op| reason::executes(scene.trace(), &scene.state, op)).collect();
    fields.are(&[("executing", scene.names(&found))])
}

/// Operations that end at one instant, and which of them was assigned first: the paper has no rule for such a tie.
fn end_together(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let ops = list(fields, "end_together")?.iter().map(|name| scene.op(name)).collect::<ClaimResult<Vec<OpId>>>()?;
    let records = |op: &OpId| &scene.records.ops[op.index()];
    let ends: Vec<_> = ops.iter().map(|op| records(op).end).collect();
    if ops.len() < 2 || ends.iter().any(|end| end.is_none() || *end != ends[0]) {
        return Err(format!("they end at {ends:?}"));
    }
    let first = ops.iter().min_by_key(|op| records(op).start_step).map(|op| scene.name(*op));
    fields.are(&[("assigned_first", first.into())])
}

/// How many kernels execute at the same time, at most, over the whole run.
fn most_at_once(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let mut events: Vec<(u64, i64)> = Vec::new();
    for op in all(scene).filter(|&op| scene.trace().op(op).kind == OpKind::Kernel) {
        let record = &scene.records.ops[op.index()];
        if let Some(start) = record.start {
            events.push((start.ns(), 1));
            events.push((record.end.unwrap_or(scene.trace().end()).ns(), -1));
        }
    }
    // At one instant ends come before starts.
    events.sort_unstable();
    let (mut now, mut most) = (0, 0);
    for (_, change) in events {
        now += change;
        most = most.max(now);
    }
    fields.are(&[("most_kernels_at_once", most.into())])
}

/// Whether a kernel starts no later than the blocks end that run when the first operation of its row is issued.
fn within_running_blocks(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let op = scene.op(&fields.text("starts_when_running_blocks_end")?)?;
    let trace = scene.trace();
    let of_row = |other: &OpId| std::ptr::eq(trace.row_of(*other), trace.row_of(op)) && trace.op(*other).job == trace.op(op).job;
    let issued = all(scene).filter(of_row).map(|op| scene.records.ops[op.index()].issued).min().ok_or("it is never issued")?;
    let runs = |b: &&BlockRecord| b.start <= issued && b.end.is_none_or(|end| end > issued);
    let limit = scene.records.blocks.iter().filter(runs).map(|b| b.end).max().unwrap_or(Some(issued));
    let start = scene.records.ops[op.index()].start;
    let is_so = start.is_some_and(|start| limit.is_none_or(|limit| start <= limit));
    same(
        &format!("that it starts ({start:?}) by the end of those blocks ({limit:?})"),
        &is_so.into(),
        &fields.take("is").unwrap_or(true.into()),
    )
}
