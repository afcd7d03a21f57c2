//! Claims about whole spans of a run: distributions, what was begun, sums, and two runs side by side.

use blockstep_format as format;
use blockstep_sim::scenario::Choice;
use blockstep_sim::snapshot::{Progress, SmState};
use blockstep_sim::trace::Change;
use blockstep_sim::units::{OpId, SpaceId};
use blockstep_view::results::{OpActivity, Results, percentile};
use serde_json::Value;

use super::{Check, ClaimResult, Fields, Scene, Studies, same};

/// The kinds of these claims, as in the parent.
pub(super) const KINDS: &[(&str, Check)] = &[
    ("priority_of", priority_of),
    ("process", process),
    ("switch_cost_ns", switch_cost),
    ("signal_ns", manager),
    ("runlist_ns", manager),
    ("watchdog_ns", manager),
    ("begun_threads", begun_threads),
    ("complete_blocks", complete_blocks),
    ("block_times", block_times),
    ("pauses", pauses),
    ("suspended", suspended),
    ("threads_used_permille", sums),
    ("switching_ns", sums),
    ("mean_response_ns", sums),
];

fn results(scene: &Scene) -> Results {
    Results::new(scene.run.replay(), &scene.records)
}

/// The priority of a stream, as the file has it.
fn priority_of(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let name = fields.text("priority_of")?;
    let process = fields.take("process");
    let draft = format::read_scenario(&scene.text).map_err(|e| e.to_string())?;
    let is_it = |s: &&blockstep_sim::scenario::StreamDraft| {
        s.name == name && process.as_ref().is_none_or(|p| p.as_str().is_some() && p.as_str() == s.process.as_deref())
    };
    let mut found = draft.streams.iter().filter(is_it);
    let (Some(stream), None) = (found.next(), found.next()) else { return Err(format!("there is not one stream {name}")) };
    fields.are(&[("is", stream.priority.word().into())])
}

fn process(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let name = fields.text("process")?;
    let draft = format::read_scenario(&scene.text).map_err(|e| e.to_string())?;
    let process = draft.processes.iter().find(|p| p.name == name).ok_or_else(|| format!("there is no process {name}"))?;
    fields.are(&[
        ("channels", process.channels.into()),
        ("guest", process.guest.as_ref().unwrap_or(&process.name).clone().into()),
        ("timeslice_ns", process.timeslice_ns.into()),
        ("preemption", process.preemption.unwrap_or(draft.device.preemption()).word().into()),
        ("interleave", process.interleave.word().into()),
    ])
}

fn switch_cost(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let draft = format::read_scenario(&scene.text).map_err(|e| e.to_string())?;
    fields.are(&[("switch_cost_ns", draft.policy.switch_cost_ns.into())])
}

fn manager(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let policy = format::read_scenario(&scene.text).map_err(|e| e.to_string())?.policy;
    fields.are(&[
        ("signal_ns", policy.signal_ns.into()),
        ("runlist_ns", policy.runlist_ns.into()),
        ("watchdog_ns", policy.watchdog_ns.into()),
    ])
}

/// Threads of a kernel's blocks that have begun and not ended, at the stop.
fn begun_threads(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let op = scene.op(&fields.text("begun_threads")?)?;
    let threads = u64::from(scene.trace().row_of(op).needs.threads);
    let spaces = (0..scene.trace().layout().spaces().len()).map(SpaceId::at);
    let sms: Vec<&SmState> = spaces.flat_map(|space| &scene.state.space(space).sms).collect();
    let count = |is_so: fn(Progress) -> bool| -> Value {
        let blocks = sms.iter().flat_map(|sm| &sm.blocks).filter(|b| b.op == op && is_so(b.progress));
        (blocks.count() as u64 * threads).into()
    };
    fields.are(&[
        ("running", count(|progress| matches!(progress, Progress::Runs(_)))),
        ("spinning", count(|progress| progress == Progress::Spins)),
        ("suspended", count(|progress| matches!(progress, Progress::Suspended(_)))),
    ])
}

/// How many of a kernel's blocks have ended, at the stop.
fn complete_blocks(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let op = scene.op(&fields.text("complete_blocks")?)?;
    let steps = &scene.trace().steps()[..scene.state.applied() as usize];
    let count = steps.iter().filter(|s| matches!(s.change, Change::BlockEnded { op: of, .. } if of == op)).count();
    fields.are(&[("count", count.into())])
}

/// How long each of a kernel's blocks executed, and how long it took from start to end.
fn times(scene: &Scene, op: OpId) -> (Vec<blockstep_sim::units::Span>, Vec<blockstep_sim::units::Span>) {
    let records = &scene.records;
    let whole = records.blocks_of(op).iter().map(|&i| i as usize).filter_map(|i| Some((i, records.blocks[i].end?)));
    let (mut executing, mut taken): (Vec<_>, Vec<_>) = whole
        .map(|(i, end)| {
            let runs = records.block_runs(i).iter().map(|run| run.end.since(run.start).ns()).sum();
            (blockstep_sim::units::Span(runs), end.since(records.blocks[i].start))
        })
        .unzip();
    executing.sort_unstable();
    taken.sort_unstable();
    (executing, taken)
}

fn block_times(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let (executing, taken) = times(scene, scene.op(&fields.text("block_times")?)?);
    let ns = |span: Option<&blockstep_sim::units::Span>| Value::from(span.map(|s| s.ns()));
    if fields.left.contains_key("at_most_ns") {
        let limit = fields.number("at_most_ns")?;
        let count = taken.iter().filter(|t| t.ns() <= limit).count();
        same("the number of them", &count.into(), &fields.number("of_them")?.into())?;
    }
    fields.are(&[
        ("count", taken.len().into()),
        ("least_ns", ns(taken.first())),
        ("half_ns", ns(percentile(&taken, 50).as_ref())),
        ("greatest_ns", ns(taken.last())),
        ("executing_least_ns", ns(executing.first())),
        ("executing_greatest_ns", ns(executing.last())),
    ])
}

/// How often a block was suspended, and for how long if it was always the same.
fn pauses(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let name = fields.text("pauses")?;
    let (kernel, number) = name.rsplit_once(':').ok_or("a block is written K1:4")?;
    let (op, number) = (scene.op(kernel)?, number.parse::<u32>().map_err(|_| "a block is written K1:4")?);
    let records = &scene.records;
    let found = records.blocks_of(op).iter().map(|&i| i as usize).find(|&i| records.blocks[i].block == number);
    let runs = records.block_runs(found.ok_or("it is never assigned")?);
    let gaps: Vec<u64> = runs.windows(2).map(|pair| pair[1].start.since(pair[0].end).ns()).collect();
    let each = gaps.first().copied().filter(|first| gaps.iter().all(|gap| gap == first));
    fields.are(&[("count", gaps.len().into()), ("each_ns", each.into())])
}

/// How long something of a kernel was suspended while nothing of it ran.
fn suspended(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let op = scene.op(&fields.text("suspended")?)?;
    let account = &results(scene).operations[op.index()];
    let found = account.parts.iter().find(|(part, _)| *part == OpActivity::Suspended).map_or(0, |(_, ns)| *ns);
    fields.are(&[("ns", (found as u64).into())])
}

fn sums(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let Results { usage, tasks, .. } = results(scene);
    let responses: Vec<u64> = tasks.iter().flat_map(|t| &t.responses).map(|r| r.ns()).collect();
    let mean = responses.iter().sum::<u64>().checked_div(responses.len() as u64);
    fields.are(&[
        ("threads_used_permille", ((usage.thread_time() * 1000 / usage.available()) as u64).into()),
        ("switching_ns", usage.switching.ns().into()),
        ("mean_response_ns", mean.into()),
    ])
}

/// The first instant at which two runs do something different; nothing if they never do.
fn first_difference(one: &Scene, other: &Scene) -> Option<u64> {
    let steps = |scene: &Scene| -> Vec<_> { scene.trace().steps().iter().map(|s| (s.at, s.change)).collect() };
    let (one, other) = (steps(one), steps(other));
    let longest = one.len().max(other.len());
    let pairs = (0..longest).map(|i| (one.get(i), other.get(i)));
    let found = pairs.filter(|(a, b)| a != b).map(|(a, b)| a.into_iter().chain(b).map(|(at, _)| at.ns()).min());
    found.flatten().next()
}

/// Claims about this run and another one together.
pub(super) fn both(fields: &mut Fields, scene: &Scene, other: &Scene) -> ClaimResult<()> {
    let blocks = |scene: &Scene| -> Vec<_> {
        let one = |b: &blockstep_sim::record::BlockRecord| (scene.name(b.op), b.block, b.sm, b.start, b.end);
        scene.records.blocks.iter().map(one).collect()
    };
    fields.are(&[("first_ns", first_difference(scene, other).into()), ("same_blocks", (blocks(scene) == blocks(other)).into())])
}
