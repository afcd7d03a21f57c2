//! What a tour's claims mean, and whether a run bears them out.

mod counts;
mod numbers;
mod own;
mod page;
mod path;
mod queues;
mod sources;
mod spans;
mod studies;
mod turns;

use blockstep_format as format;
use blockstep_learn::tour::{Setting, Tour, TourPlace, TourStop};
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::device::LIMITS;
use blockstep_sim::scenario::{Choice, DeviceDraft, PolicyKind, Preemption, Scenario};
use blockstep_sim::snapshot::{Residency, Snapshot};
use blockstep_sim::trace::{OpKind, Rule, Trace, Variant, Variants};
use blockstep_sim::units::{JobNo, OpId, SpaceId, TaskId, Time};
use blockstep_tools::runs;
use blockstep_view::breakdown::breakdown;
use blockstep_view::reason::{self, ReasonKind, waiting};
use blockstep_view::{position, results};
use serde_json::{Map, Value, json};

pub(super) use numbers::{Backing, Number};
pub(super) use sources::has_shared;
pub(super) use studies::Studies;

/// A run and where a stop stands in it.
pub(super) struct Scene {
    pub(super) run: Run,
    pub(super) text: String,
    records: Records,
    state: Snapshot,
    place: TourPlace,
}

type ClaimResult<T> = Result<T, String>;

impl Scene {
    pub(super) fn new(text: &str, variants: Variants, place: TourPlace) -> ClaimResult<Self> {
        let scenario = runs::read(text).map_err(|why| why.to_string())?;
        let run = engine::simulate_varied(&scenario, variants, Limits::default());
        let (records, state) = (Records::new(&run.trace), run.replay().seek(0).clone());
        Ok(Self { run, text: text.to_owned(), records, state, place }.at(place))
    }

    /// The same run at another place.
    pub(super) fn at(mut self, place: TourPlace) -> Self {
        let position = match place {
            TourPlace::Step(step) => step.min(self.run.trace.steps().len() as u32),
            TourPlace::At(at) => position::at_time(&self.run.trace, at),
        };
        self.state = self.run.replay().seek(position).clone();
        self.place = place;
        self
    }

    /// The time shown there.
    pub(super) fn time(&self) -> Time {
        match self.place {
            TourPlace::At(at) => at,
            TourPlace::Step(_) => self.state.now(),
        }
    }

    fn trace(&self) -> &Trace {
        &self.run.trace
    }

    fn scenario(&self) -> &Scenario {
        self.run.trace.scenario()
    }

    /// The operation of a name: `K5`, `C5o`, `K5#2`.
    fn op(&self, name: &str) -> ClaimResult<OpId> {
        let (base, job) = self.name_and_job(name)?;
        let trace = self.trace();
        let found = (0..trace.ops().len()).map(OpId::at).find(|&op| trace.op_name(op) == base && trace.op(op).job == job);
        found.ok_or_else(|| format!("the run has no operation {name}"))
    }

    fn name_and_job<'n>(&self, name: &'n str) -> ClaimResult<(&'n str, JobNo)> {
        match name.rsplit_once('#') {
            Some((base, job)) => Ok((base, JobNo(job.parse().map_err(|_| format!("{name}: what stands behind # is no number"))?))),
            None => Ok((name, JobNo(0))),
        }
    }

    fn names<'o>(&self, ops: impl IntoIterator<Item = &'o OpId>) -> Value {
        ops.into_iter().map(|op| self.name(*op)).collect()
    }

    /// As claims write it: without the job if that is the first.
    fn name(&self, op: OpId) -> String {
        let trace = self.trace();
        match trace.op(op).job {
            JobNo(0) => trace.op_name(op),
            JobNo(n) => format!("{}#{n}", trace.op_name(op)),
        }
    }

    /// The address space whose SMs and queues are meant: the resident one, or the only one.
    fn space(&self) -> ClaimResult<SpaceId> {
        match self.state.residency() {
            Residency::Shared => Ok(SpaceId(0)),
            Residency::Resident { space, .. } => Ok(space),
            other => Err(format!("no process is resident: {other:?}")),
        }
    }

    fn reason(&self, op: OpId) -> Option<reason::Reason> {
        let trace = self.trace();
        reason::reason(trace, &self.state, op).or_else(|| reason::undispatched(trace, &self.state, op))
    }

    fn stream(&self, name: &str) -> ClaimResult<blockstep_sim::units::StreamId> {
        let (layout, scenario) = (self.trace().layout(), self.scenario());
        let mut ids = (0..layout.streams().len()).map(blockstep_sim::units::StreamId::at);
        ids.find(|&id| layout.label(scenario, id) == name).ok_or_else(|| {
            let labels = (0..layout.streams().len()).map(|i| layout.label(scenario, blockstep_sim::units::StreamId::at(i)));
            format!("there is no stream {name}; there are {}", labels.collect::<Vec<_>>().join(", "))
        })
    }
}

/// A claim's fields, of which every one must be used.
struct Fields {
    left: Map<String, Value>,
}

impl Fields {
    fn take(&mut self, name: &str) -> Option<Value> {
        self.left.remove(name)
    }

    fn text(&mut self, name: &str) -> ClaimResult<String> {
        match self.left.remove(name) {
            Some(Value::String(text)) => Ok(text),
            other => Err(format!("{name} is {other:?}; a text is expected")),
        }
    }

    fn number(&mut self, name: &str) -> ClaimResult<u64> {
        let found = self.left.remove(name);
        found.as_ref().and_then(Value::as_u64).ok_or_else(|| format!("{name} is {found:?}; a number is expected"))
    }

    fn optional(&mut self, name: &str, otherwise: u64) -> ClaimResult<u64> {
        if self.left.contains_key(name) { self.number(name) } else { Ok(otherwise) }
    }

    /// Every field left must be what was found; there must be one at least.
    fn are(&mut self, found: &[(&str, Value)]) -> ClaimResult<()> {
        if self.left.is_empty() {
            return Err("states nothing".to_owned());
        }
        for (name, value) in found {
            if let Some(claimed) = self.left.remove(*name) {
                same(name, value, &claimed)?;
            }
        }
        Ok(())
    }

    fn end(self) -> ClaimResult<()> {
        match self.left.keys().next() {
            Some(name) => Err(format!("field {name} means nothing here")),
            None => Ok(()),
        }
    }
}

fn same(what: &str, found: &Value, claimed: &Value) -> ClaimResult<()> {
    if found == claimed { Ok(()) } else { Err(format!("{what} is {found}")) }
}

/// Nothing if the claim is true of the run at the stop, else what was found instead.
pub(super) fn check(claim: &str, scene: &Scene, tour: &Tour, stop: &TourStop, studies: &mut Studies) -> ClaimResult<()> {
    let Ok(Value::Object(left)) = serde_json::from_str(claim) else { return Err("is no object".to_owned()) };
    let mut fields = Fields { left };
    for (word, must_differ) in [("differs", true), ("under", false)] {
        if let Some(how) = fields.take(word) {
            let inner = Value::Object(fields.left).to_string();
            let other = other(&how, scene, tour, stop)?;
            check(&inner, &other, tour, stop, studies).map_err(|found| format!("under {how}: {found}"))?;
            let is_here = check(&inner, scene, tour, stop, studies).is_ok();
            return if must_differ && is_here { Err("holds of the run itself too".to_owned()) } else { Ok(()) };
        }
    }
    if let Some(how) = fields.take("beside") {
        spans::both(&mut fields, scene, &other(&how, scene, tour, stop)?)?;
        return fields.end();
    }
    let is_of = |kind: &str| fields.left.contains_key(kind);
    let beyond = if is_of("paper") {
        Some(sources::paper(&mut fields, tour))
    } else if is_of("published") {
        Some(sources::published(&mut fields))
    } else if is_of("case") {
        Some(sources::case(&mut fields))
    } else if is_of("better") {
        Some(sources::better(&mut fields))
    } else if is_of("tool_shows") {
        Some(sources::tool_shows(&mut fields, scene, stop, studies))
    } else if is_of("reckon") {
        Some(numbers::check_calculation(&mut fields, stop))
    } else {
        None
    };
    if let Some(found) = beyond {
        return found.and_then(|()| fields.end());
    }
    // `sm` and `rule` are fields of other kinds too: the kinds are in order.
    let kind = own::KINDS
        .iter()
        .chain(counts::KINDS)
        .chain(KINDS)
        .chain(spans::KINDS)
        .chain(page::KINDS)
        .chain(path::KINDS)
        .find(|(kind, _)| fields.left.contains_key(*kind));
    let (_, check) = kind.ok_or_else(|| "is of no known kind".to_owned())?;
    check(&mut fields, scene, studies)?;
    fields.end()
}

/// The same scenario under another policy, on another device, with a variant of the rules, at
/// another place; or another scenario.
fn other(how: &Value, scene: &Scene, tour: &Tour, stop: &TourStop) -> ClaimResult<Scene> {
    let how = how.as_object().filter(|how| !how.is_empty()).ok_or("what differs is an object with policy, device or variant")?;
    let mut setting = stop.setting.clone();
    if let Some(scenario) = how.get("scenario") {
        let scenario = scenario.as_str().unwrap_or_default().to_owned();
        setting = Setting { scenario, policy: None, device: None };
    }
    let mut file: Value = serde_json::from_str(&tour.scenario(&setting).map_err(|why| why.to_string())?).map_err(|e| e.to_string())?;
    if let Some(rows) = how.get("without") {
        without(&mut file, rows)?;
    }
    if let Some(row) = how.get("probe") {
        let at = how.get("at_ns").and_then(Value::as_u64).map_or(scene.time(), Time);
        probe(&mut file, row, at)?;
    }
    let mut draft = format::read_scenario(&file.to_string()).map_err(|e| e.to_string())?;
    let mut variants = Variants::NONE;
    let mut place = TourPlace::At(scene.time());
    for (name, value) in how {
        let word = value.as_str().unwrap_or_default();
        match name.as_str() {
            "policy" => draft.policy.kind = PolicyKind::from_word(word).ok_or_else(|| format!("there is no policy {word}"))?,
            "preemption" => {
                draft.policy.preemption = Preemption::from_word(word).ok_or_else(|| format!("there is no preemption {word}"))?;
            }
            "device" => draft.device = DeviceDraft::BuiltIn(word.to_owned()),
            "variant" => variants = variants.with(Variant::from_id(word).ok_or_else(|| format!("there is no variant {word}"))?),
            "channels" => draft.processes[0].channels = value.as_u64().ok_or("channels is no number")?,
            "scenario" | "without" | "probe" => {}
            "at_ns" => place = TourPlace::At(Time(value.as_u64().ok_or("at_ns is no time")?)),
            "step" => place = TourPlace::Step(value.as_u64().and_then(|n| u32::try_from(n).ok()).ok_or("step is no number")?),
            _ => return Err(format!("{name} is nothing that differs")),
        }
    }
    Scene::new(&format::write_scenario(&draft), variants, place)
}

/// Takes rows out of a scenario's file.
fn without(file: &mut Value, rows: &Value) -> ClaimResult<()> {
    let rows = rows.as_array().filter(|rows| !rows.is_empty()).ok_or("without is a list of rows")?;
    let kernels = file["kernels"].as_array_mut().ok_or("the scenario has no rows")?;
    let before = kernels.len();
    kernels.retain(|kernel| !rows.contains(&kernel["name"]));
    if before - kernels.len() == rows.len() { Ok(()) } else { Err(format!("not all of {rows:?} are rows")) }
}

/// Has a task of its own launch one kernel more, `probe`, at an instant: its row says what differs from a block of
/// 32 threads and 1 ns.
fn probe(file: &mut Value, row: &Value, at: Time) -> ClaimResult<()> {
    let mut kernel = json!({"name": "probe", "task": "probe", "blocks": 1, "threads_per_block": 32, "block_time_ns": 1});
    let given = row.as_object().ok_or("a probe is an object with a stream")?;
    kernel.as_object_mut().into_iter().for_each(|k| k.extend(given.clone()));
    for (list, entry) in [("kernels", kernel), ("tasks", json!({"name": "probe", "offset_ns": at.ns()}))] {
        file[list].as_array_mut().ok_or_else(|| format!("the scenario has no {list}"))?.push(entry);
    }
    Ok(())
}

type Check = fn(&mut Fields, &Scene, &mut Studies) -> ClaimResult<()>;

/// The kinds of claims, by the field that tells them.
const KINDS: &[(&str, Check)] = &[
    ("waits", waits),
    ("executes", executes),
    ("complete", complete),
    ("not_issued", not_issued),
    ("host", host),
    ("block", block),
    ("spent", spent),
    ("kernel", operation),
    ("copy", operation),
    ("job", job),
    ("row", row),
    ("stay", turns::stay),
    ("stays", turns::stays),
    ("switch", turns::switch),
    ("drain", turns::drain),
    ("batch", turns::batch),
    ("server", turns::server),
    ("task", turns::task),
    ("bound", turns::bound),
    ("no_bound", turns::no_bound),
    ("verdict", turns::verdict),
    ("device", device),
    ("study", studies::study),
    ("free_threads", queues::free),
    ("free_shared_memory", queues::free),
    ("free_registers", queues::free),
    ("free_slots", queues::free),
    ("ee", queues::ee),
    ("ce", queues::ce),
    ("engine", queues::engine_holds),
    ("stream", queues::stream),
    ("sm", queues::sm),
    ("resident", queues::resident),
    ("order", order),
    ("misses", whole),
    ("switches", whole),
    ("end_ns", whole),
    ("steps", whole),
    ("kernels", whole),
    ("copies", whole),
    ("streams", whole),
    ("connections", whole),
    ("tasks", whole),
    ("runlist", runlist),
    ("rule", rule),
];

/// The name of a reason as claims write it: `behind_in_stream`.
fn word(kind: ReasonKind) -> String {
    let mut word = String::new();
    for c in format!("{kind:?}").chars() {
        if c.is_ascii_uppercase() && !word.is_empty() {
            word.push('_');
        }
        word.push(c.to_ascii_lowercase());
    }
    word
}

/// Kinds that need more than the run: the tour, the stop, or another run.
const BEYOND: [&str; 9] = ["paper", "published", "case", "better", "tool_shows", "reckon", "under", "differs", "beside"];

/// The fields that tell a claim's kind, all of them.
pub(super) fn kinds() -> impl Iterator<Item = &'static str> {
    counts::KINDS.iter().chain(KINDS).chain(spans::KINDS).chain(page::KINDS).chain(own::KINDS).map(|(kind, _)| *kind).chain(BEYOND)
}

fn waits(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let op = scene.op(&fields.text("waits")?)?;
    let reason = scene.reason(op).ok_or_else(|| format!("it does not wait: {}", doing(scene, op)))?;
    let claimed = fields.text("for")?;
    same("the reason", &word(reason.kind()).into(), &claimed.into())?;
    let Some(on) = fields.take("on") else { return Ok(()) };
    let list = waiting(scene.trace(), &scene.records, &scene.state, usize::MAX);
    let item = list.items.iter().find(|w| w.op == op).ok_or("it is not listed")?;
    let found: Vec<String> = match reason {
        reason::Reason::Producer { task, job: JobNo(n) } => {
            let name = &scene.scenario().task(task).name;
            vec![if n == 0 { name.clone() } else { format!("{name}#{n}") }]
        }
        _ => item.blockers.iter().map(|op| scene.name(*op)).collect(),
    };
    let is_named = on.as_str().is_some_and(|on| found.iter().any(|name| name == on));
    if is_named { Ok(()) } else { Err(format!("it waits for {found:?}: {}", item.text)) }
}

/// What an operation does, for messages.
fn doing(scene: &Scene, op: OpId) -> String {
    let record = &scene.records.ops[op.index()];
    if reason::executes(scene.trace(), &scene.state, op) {
        "it executes".to_owned()
    } else if let Some(reason) = scene.reason(op) {
        format!("it waits for {}", word(reason.kind()))
    } else if record.issued > scene.state.now() {
        "it is not issued".to_owned()
    } else {
        "it is complete, or to be issued".to_owned()
    }
}

fn is_issued(scene: &Scene, op: OpId) -> bool {
    scene.records.ops[op.index()].issued_step.0 < scene.state.applied()
}

fn executes(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let op = scene.op(&fields.text("executes")?)?;
    if reason::executes(scene.trace(), &scene.state, op) { Ok(()) } else { Err(doing(scene, op)) }
}

fn complete(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let op = scene.op(&fields.text("complete")?)?;
    let is_open = scene.state.stream(scene.trace().op(op).stream).queue.contains(&op);
    if is_issued(scene, op) && !is_open { Ok(()) } else { Err(doing(scene, op)) }
}

fn not_issued(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let name = fields.text("not_issued")?;
    let Ok(op) = scene.op(&name) else {
        // It may never be; then the row must be there.
        let base = scene.name_and_job(&name)?.0;
        return scene.scenario().rows().iter().any(|r| r.name == base).then_some(()).ok_or_else(|| format!("there is no row {base}"));
    };
    if is_issued(scene, op) { Err(doing(scene, op)) } else { Ok(()) }
}

fn block(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let name = fields.text("block")?;
    let (kernel, number) = name.rsplit_once(':').ok_or("a block is written K1:4")?;
    let (op, number) = (scene.op(kernel)?, number.parse::<u32>().map_err(|_| "a block is written K1:4")?);
    let records = &scene.records;
    let found = records.blocks_of(op).iter().map(|&i| &records.blocks[i as usize]).find(|b| b.block == number);
    let record = found.ok_or("it is never assigned")?;
    let end = record.end.map(Time::ns);
    fields.are(&[("sm", record.sm.0.into()), ("start_ns", record.start.ns().into()), ("end_ns", end.into())])
}

fn operation(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let name = fields.text("kernel").or_else(|_| fields.text("copy"))?;
    let record = &scene.records.ops[scene.op(&name)?.index()];
    let time = |time: Option<Time>| Value::from(time.map(Time::ns));
    fields.are(&[
        ("issued_ns", time(Some(record.issued))),
        ("queued_ns", time(record.queued)),
        ("start_ns", time(record.start)),
        ("end_ns", time(record.end)),
        ("response_ns", record.end.map(|end| end.since(record.issued).ns()).into()),
    ])
}

/// How long something waited for a reason (or executed) over the whole run.
fn spent(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let op = scene.op(&fields.text("spent")?)?;
    let account = &breakdown(scene.run.replay(), &scene.records)[op.index()];
    let on = fields.text("on")?;
    let waited = account.waits.iter().find(|(kind, _)| word(*kind) == on).map_or(0, |(_, span)| span.ns());
    let found = if on == "executing" { account.executing.ns() } else { waited };
    same("the time", &found.into(), &fields.number("ns")?.into()).map_err(|e| {
        let waits: Vec<String> = account.waits.iter().map(|(kind, span)| format!("{} {}", word(*kind), span.ns())).collect();
        format!("{e}; executing {}, {}", account.executing.ns(), waits.join(", "))
    })
}

fn job(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let name = fields.text("job")?;
    let number = fields.optional("number", 0)?;
    let is_it = |j: &&blockstep_sim::record::JobRecord| scene.scenario().task(j.task).name == name && u64::from(j.job.0) == number;
    let record = scene.records.jobs.iter().find(is_it).ok_or_else(|| format!("there is no job {number} of {name}"))?;
    let time = |time: Option<Time>| Value::from(time.map(Time::ns));
    fields.are(&[
        ("release_ns", record.release.ns().into()),
        ("deadline_ns", time(record.deadline)),
        ("end_ns", time(record.end)),
        ("response_ns", results::response(record).map(|r| r.ns()).into()),
        ("met", record.met.into()),
    ])
}

/// What the table says of a row, as its file would.
fn row(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let name = fields.text("row")?;
    let draft = format::read_scenario(&scene.text).map_err(|e| e.to_string())?;
    let row = draft.kernels.iter().find(|k| k.name == name).ok_or_else(|| format!("there is no row {name}"))?;
    fields.are(&[
        ("stream", row.stream.clone().into()),
        ("task", row.task.clone().into()),
        ("start_ns", row.start_ns.into()),
        ("after", row.after.clone().into()),
        ("blocks", row.blocks.into()),
        ("threads_per_block", row.threads_per_block.into()),
        ("shared_memory_bytes", row.shared_memory_bytes.into()),
        ("registers_per_thread", row.registers_per_thread.into()),
        ("block_time_ns", row.block_time_ns.greatest().into()),
        ("copy_in_bytes", row.copy_in_bytes.into()),
        ("copy_out_bytes", row.copy_out_bytes.into()),
        ("call", row.call.word().into()),
        ("bytes", row.bytes.into()),
        ("synchronous", row.synchronous.into()),
        ("barrier", row.barrier.into()),
        ("cooperative", row.cooperative.into()),
        ("call_ns", scene.scenario().rows().iter().find(|r| r.name == name).map(|r| r.call_time.ns()).into()),
    ])
}

/// The call in which the CPU thread of a task waits.
fn host(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let name = fields.text("host")?;
    let place = scene.scenario().tasks().iter().position(|t| t.name == name).ok_or_else(|| format!("there is no task {name}"))?;
    let wait = scene.state.task(TaskId::at(place)).host.as_ref();
    fields.are(&[("waits_in", wait.map(|wait| scene.scenario().row(wait.row).name.clone()).into())])
}

fn device(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let name = fields.text("device")?;
    let limit = LIMITS.iter().find(|l| l.field == name).ok_or_else(|| format!("a device has no {name}"))?;
    fields.are(&[("value", (limit.get)(scene.scenario().device()).into())])
}

fn order(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let trace = scene.trace();
    let mut begun: Vec<(u32, OpId)> = (0..trace.ops().len())
        .map(OpId::at)
        .filter(|&op| trace.op(op).kind == OpKind::Kernel)
        .filter_map(|op| Some((scene.records.ops[op.index()].start_step?.0, op)))
        .collect();
    begun.sort_unstable();
    fields.are(&[("order", scene.names(begun.iter().map(|(_, op)| op)))])
}

/// Counts of the whole run and of its scenario.
fn whole(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let (records, trace, scenario) = (&scene.records, scene.trace(), scene.scenario());
    let count = |n: usize| Value::from(n);
    fields.are(&[
        ("misses", count(records.jobs.iter().filter(|j| j.met == Some(false)).count())),
        ("switches", count(records.switches.len())),
        ("end_ns", trace.end().ns().into()),
        ("steps", count(trace.steps().len())),
        ("kernels", count(scenario.rows().len())),
        ("copies", count(scenario.rows().iter().flat_map(|r| [r.copy_in, r.copy_out]).flatten().count())),
        ("streams", count(scenario.streams().len())),
        ("connections", scenario.connections().into()),
        ("tasks", count(scenario.tasks().len())),
    ])
}

fn runlist(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let scenario = scene.scenario();
    if scenario.policy().kind != PolicyKind::Runlist {
        return Err("the policy has no runlist".to_owned());
    }
    let names: Value = scenario.runlist().entries().map(|channel| scene.trace().space_name(channel)).collect();
    fields.are(&[("runlist", names)])
}

fn rule(fields: &mut Fields, scene: &Scene, _: &mut Studies) -> ClaimResult<()> {
    let id = fields.text("rule")?;
    let rule = Rule::ALL.into_iter().find(|r| r.id() == id).ok_or_else(|| format!("there is no rule {id}"))?;
    let used = scene.trace().steps().iter().filter(|s| s.rule == rule).count();
    fields.are(&[("used", used.into())])
}
