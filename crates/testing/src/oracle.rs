//! A second simulator, as naive as possible, written from docs/semantics.md, sections 1 to 10, alone.
//! The engine is compared with it (`differential`).
//!
//! Depends on the input types only. Nothing is kept that can be found by scanning: a stream queue
//! is "the incomplete operations of the stream", an EE queue is "the kernels that joined it and
//! have unassigned blocks". Whose turn it is stands in `turns`. Invariant: of every operation,
//! execution time and waiting times add up to the response time.

mod channels;
mod connections;
mod edf;
mod graphs;
mod host;
mod signals;
mod turns;
mod vary;

use std::collections::BTreeMap;

use blockstep_sim::scenario::{
    BlockEnds, BlockTimes, BuiltIn, Call, Choice, Class, Device, DeviceDraft, Draft, Evidence, KernelDraft, NULL_STREAM, Placement,
    PolicyDraft, PolicyKind, Preemption, ProcessDraft, Release, StreamPriority, TaskDraft,
};
use blockstep_sim::trace::OpKind;
use serde::Serialize;
use serde_json::Value;
use turns::Turns;

/// Simulates a valid draft.
pub fn simulate(draft: &Draft) -> OracleTrace {
    let model = Model::new(draft);
    let mut run = run(&model);
    run.finish();
    run.trace(draft)
}

fn run(model: &Model) -> Run<'_> {
    Run {
        m: model,
        now: 0,
        jobs: vec![],
        ops: vec![],
        calls: vec![],
        signals: vec![],
        assigned: vec![],
        joins: 0,
        last_sm: BTreeMap::new(),
        turns: Turns::new(model),
        reasons: BTreeMap::new(),
    }
}

/// How far the rules are known on a device, unless they are.
fn evidence(device: &DeviceDraft) -> Option<Evidence> {
    let evidence = match device {
        DeviceDraft::BuiltIn(id) => BuiltIn::find(id).unwrap().evidence,
        DeviceDraft::Custom(device) => device.evidence(),
    };
    evidence.rules().map(|_| evidence)
}

// ---- What a run exports ----

/// The trace of docs/file-format.md, field by field, and the waiting reasons of section 10.
#[derive(Debug, Serialize)]
pub struct OracleTrace {
    pub version: u64,
    pub scenario: String,
    pub policy: &'static str,
    /// Of a device on which the rules were not found, checked or measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Evidence>,
    pub end_ns: u64,
    pub blocks: Vec<OracleBlock>,
    pub copies: Vec<OracleCopy>,
    pub kernels: Vec<OracleKernel>,
    pub jobs: Vec<OracleJob>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub residency: Option<Vec<OracleStay>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runlist: Option<Vec<String>>,
    /// Of every issued operation: time by what it was doing or waiting for. Sums to its response.
    #[serde(skip)]
    pub reasons: BTreeMap<OpKey, BTreeMap<Reason, u64>>,
}

#[derive(Debug, Serialize)]
pub struct OracleBlock {
    pub kernel: String,
    pub job: u64,
    pub block: usize,
    pub sm: usize,
    pub start_ns: u64,
    pub end_ns: Option<u64>,
    pub runs: Vec<(u64, u64)>,
}

#[derive(Debug, Serialize)]
pub struct OracleCopy {
    pub op: String,
    pub kernel: String,
    pub job: u64,
    pub direction: &'static str,
    pub start_ns: u64,
    pub end_ns: Option<u64>,
    pub runs: Vec<(u64, u64)>,
}

#[derive(Debug, Serialize)]
pub struct OracleKernel {
    pub kernel: String,
    pub job: u64,
    pub issued_ns: u64,
    pub queued_ns: Option<u64>,
    pub start_ns: Option<u64>,
    pub end_ns: Option<u64>,
}

#[derive(Debug, Serialize)]
pub struct OracleJob {
    pub task: String,
    pub job: u64,
    pub release_ns: u64,
    pub deadline_ns: Option<u64>,
    pub end_ns: Option<u64>,
    pub met: Option<bool>,
}

#[derive(Debug, Serialize)]
pub struct OracleStay {
    pub process: String,
    pub start_ns: u64,
    pub end_ns: u64,
}

/// An operation, by kernel row (its place in the table), job and kind.
pub type OpKey = (usize, u64, OpKind);

/// What an issued, incomplete operation is doing or waiting for, in the order of section 10.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    Executing,
    Producer,
    Stream,
    N1,
    N2,
    Graph,
    Event,
    Connection,
    NotResident,
    A2,
    X1,
    R2,
    R3,
    R1,
    CopyEngine,
}

impl OracleTrace {
    /// The trace as docs/file-format.md writes it.
    pub fn to_json(&self) -> Value {
        serde_json::to_value(self).unwrap()
    }
}

// ---- The draft with names looked up and defaults filled in ----

struct Model {
    seed: u64,
    device: Device,
    /// How processes give way that do not say.
    device_mode: Preemption,
    placement: Placement,
    block_ends: BlockEnds,
    horizon: Option<u64>,
    policy: PolicyDraft,
    processes: Vec<ProcessDraft>,
    channels: channels::Channels,
    tasks: Vec<Task>,
    rows: Vec<OracleRow>,
}

struct Task {
    draft: TaskDraft,
    process: usize,
    is_real_time: bool,
    /// Of its server, if it has one.
    budget: Option<u64>,
    rows: Vec<usize>,
    producers: Vec<usize>,
    /// Whether it makes its calls one after another.
    calls_in_turn: bool,
}

struct OracleRow {
    draft: KernelDraft,
    task: usize,
    /// What takes turns: the process or a channel of it; 0 for all where nobody does.
    space: usize,
    /// The address space: the process, or 0 for all.
    home: usize,
    /// Process and name of its queue; `None` is the address space's NULL stream.
    stream: Option<(usize, String)>,
    /// The same of the stream into which it is launched: other for nodes in branches.
    launched: Option<(usize, String)>,
    is_high: bool,
    /// N1 and N2 leave its stream out.
    is_non_blocking: bool,
    /// Its stream's hardware connection, where streams share them.
    connection: Option<u64>,
    after: Option<usize>,
    /// Of every block, as stated.
    times: Vec<u64>,
    /// How much longer at most.
    most: u64,
    copy_in: Option<u64>,
    copy_out: Option<u64>,
}

impl Model {
    fn new(draft: &Draft) -> Self {
        Self::with_connections(draft, &connections::Connections::from_draft(draft))
    }

    /// The same where streams have these connections.
    fn with_connections(draft: &Draft, connections: &connections::Connections) -> Self {
        let takes_turns = matches!(draft.policy.kind, PolicyKind::Runlist | PolicyKind::Edf);
        let device = match &draft.device {
            DeviceDraft::BuiltIn(id) => BuiltIn::find(id).unwrap().device(),
            DeviceDraft::Custom(device) => device.clone(),
        };
        let drafts = if draft.tasks.is_empty() { vec![TaskDraft::named("T0")] } else { draft.tasks.clone() };
        let process_no = |name: &Option<String>| match name {
            Some(name) if !draft.processes.is_empty() => draft.processes.iter().position(|p| p.name == *name).unwrap(),
            _ => 0,
        };
        let channels = channels::Channels::from_draft(draft);
        let task_no = |name: &str| drafts.iter().position(|t| t.name == name).unwrap();
        let copy_time = |bytes: u64| {
            let ns = (u128::from(bytes) * 1_000_000_000).div_ceil(u128::from(device.copy_bandwidth_bytes_per_s));
            (bytes > 0).then(|| u64::try_from(ns).unwrap())
        };
        let row = |k: &KernelDraft| {
            let task = k.task.as_deref().map_or(0, task_no);
            let process = process_no(&drafts[task].process);
            let stream = host::stream_of(draft, &drafts[task], process, graphs::call_of(draft, k));
            let queue = graphs::queue_name(draft, k, &stream);
            let listed = draft.streams.iter().find(|s| process_no(&s.process) == process && s.name == stream);
            let is_listed_high = listed.is_some_and(|s| s.priority == StreamPriority::High);
            OracleRow {
                draft: k.clone(),
                task,
                space: if takes_turns { channels.of_stream(process, &stream) } else { 0 },
                home: if takes_turns { process } else { 0 },
                stream: (queue != NULL_STREAM).then(|| (process, queue.clone())),
                launched: (stream != NULL_STREAM).then(|| (process, stream.clone())),
                is_high: is_listed_high && stream != NULL_STREAM && draft.policy.kind != PolicyKind::Fifo,
                is_non_blocking: listed.is_some_and(|s| s.non_blocking),
                connection: connections.of_stream(process, &queue),
                after: k.after.as_ref().map(|name| draft.kernels.iter().position(|other| other.name == *name).unwrap()),
                times: match &k.block_time_ns {
                    _ if k.call != Call::Kernel => vec![],
                    BlockTimes::Each(ns) => vec![*ns; usize::try_from(k.blocks).unwrap()],
                    BlockTimes::List(list) => list.to_vec(),
                },
                most: if k.call == Call::Kernel { vary::most(k) } else { 0 },
                copy_in: match k.call {
                    Call::Kernel => copy_time(k.copy_in_bytes),
                    Call::CopyToDevice | Call::CopyOnDevice | Call::Memset => copy_time(k.bytes),
                    _ => None,
                },
                copy_out: match k.call {
                    Call::Kernel => copy_time(k.copy_out_bytes),
                    Call::CopyToHost => copy_time(k.bytes),
                    _ => None,
                },
            }
        };
        let rows: Vec<OracleRow> = draft.kernels.iter().map(row).collect();
        let is_real_time = |t: &TaskDraft| match t.class {
            Some(class) => class == Class::RealTime,
            None => t.deadline_ns.is_some() || t.period_ns.is_some(),
        };
        // Without a period of the server there is none.
        let has_server = |t: &TaskDraft| {
            draft.policy.kind == PolicyKind::Edf && draft.policy.cbs && is_real_time(t) && edf::server_period(t).is_some_and(|ns| ns > 0)
        };
        let tasks = drafts.iter().enumerate().map(|(i, t)| Task {
            draft: t.clone(),
            process: process_no(&t.process),
            is_real_time: is_real_time(t),
            budget: has_server(t).then(|| t.budget_ns.unwrap_or_else(|| edf::time_alone(draft, &drafts, i))),
            rows: (0..rows.len()).filter(|&r| rows[r].task == i).collect(),
            producers: t.consumes.iter().map(|name| task_no(name)).collect(),
            calls_in_turn: t.call_ns.is_some() || rows.iter().any(|row| row.task == i && host::is_call_in_turn(&row.draft)),
        });
        let tasks = tasks.collect();
        let horizon = draft.horizon_ns.or_else(|| default_horizon(&drafts));
        let processes = if draft.processes.is_empty() { vec![ProcessDraft::named("P0")] } else { draft.processes.clone() };
        let device_mode = match &draft.device {
            DeviceDraft::BuiltIn(id) if id == "tx1" => Preemption::Block,
            DeviceDraft::BuiltIn(id) if id == "k5000" => Preemption::Kernel,
            _ => Preemption::Thread,
        };
        Self {
            seed: draft.seed,
            device_mode,
            device,
            placement: draft.placement,
            block_ends: draft.block_ends,
            horizon,
            policy: draft.policy.clone(),
            processes,
            channels,
            tasks,
            rows,
        }
    }

    /// The operations one job of a row issues, in order.
    fn kinds(&self, row: usize) -> Vec<OpKind> {
        let row = &self.rows[row];
        let copy_in = row.copy_in.map(|_| OpKind::CopyIn);
        let copy_out = row.copy_out.map(|_| OpKind::CopyOut);
        let kernel = (row.draft.call == Call::Kernel).then_some(OpKind::Kernel);
        [copy_in, kernel, copy_out].into_iter().flatten().collect()
    }
}

/// Section 9: counts up to the least common multiple, as far as it matters.
fn default_horizon(tasks: &[TaskDraft]) -> Option<u64> {
    let periodic = tasks.iter().filter(|t| t.release == Release::Periodic);
    let periods: Vec<u64> = periodic.map(|t| t.period_ns.unwrap()).collect();
    let longest = *periods.iter().max()?;
    let multiples = (1..=20).map(|n| n * longest);
    let common = multiples.clone().find(|m| periods.iter().all(|p| m % p == 0));
    let offset = tasks.iter().map(|t| t.offset_ns).max().unwrap();
    Some(common.unwrap_or(20 * longest) + offset)
}

// ---- State ----

struct Run<'m> {
    m: &'m Model,
    now: u64,
    /// In order of release.
    jobs: Vec<Job>,
    /// In issue order.
    ops: Vec<Op>,
    /// Calls that were made one after another.
    calls: Vec<host::Made>,
    /// Every signal to the RunList Manager, in order of sending.
    signals: Vec<signals::Sent>,
    /// Blocks and copies in order of assignment.
    assigned: Vec<Assigned>,
    /// How many operations have joined an EE or CE queue.
    joins: usize,
    /// By address space.
    last_sm: BTreeMap<usize, usize>,
    turns: Turns,
    reasons: BTreeMap<OpKey, BTreeMap<Reason, u64>>,
}

struct Job {
    task: usize,
    no: u64,
    release: u64,
    end: Option<u64>,
}

struct Op {
    row: usize,
    /// Place in `Run::jobs`.
    job: usize,
    kind: OpKind,
    /// Places in `Run::ops` of what the events had captured that its row waits for.
    captured: Vec<usize>,
    issued: u64,
    /// When it joined its EE or CE queue, and as which of all that ever did.
    joined: Option<(u64, usize)>,
    end: Option<u64>,
}

struct Assigned {
    op: usize,
    /// Block number; 0 for copies.
    block: usize,
    /// SM or copy engine.
    place: usize,
    start: u64,
    /// How long it has yet to execute.
    left: u64,
    end: Option<u64>,
    /// When it executed.
    runs: Vec<(u64, u64)>,
}

// ---- Section 4: what happens at one instant ----

impl Run<'_> {
    fn finish(&mut self) {
        while let Some(next) = self.next_instant().filter(|&t| self.m.horizon.is_none_or(|end| t <= end)) {
            assert!(next > self.now || self.jobs.is_empty(), "an instant is applied once");
            self.account_until(next);
            self.instant();
        }
        let end = self.m.horizon.unwrap_or(self.now);
        self.account_until(end);
    }

    /// The next instant at which something completes, is released or is issued.
    fn next_instant(&self) -> Option<u64> {
        let completions = self.assigned.iter().filter(|a| self.executes(a)).map(|a| self.now + a.left);
        let releases = (0..self.m.tasks.len()).filter_map(|task| self.next_release(task));
        let issues = self.to_issue().into_iter().map(|(at, ..)| at);
        completions.chain(releases).chain(issues).chain(self.timers()).min()
    }

    fn instant(&mut self) {
        let was_busy: Vec<bool> = (0..self.m.tasks.len()).map(|task| self.is_busy(task)).collect();
        // Step 1.
        for i in 0..self.assigned.len() {
            if self.assigned[i].end.is_none() && self.assigned[i].left == 0 {
                self.complete(i);
                if self.m.block_ends == BlockEnds::OneByOne && self.ops[self.assigned[i].op].kind == OpKind::Kernel {
                    self.assign_what_fits();
                }
                self.promote();
            }
        }
        // Step 2.
        self.end_switch();
        // Step 3.
        loop {
            for task in 0..self.m.tasks.len() {
                if self.next_release(task) == Some(self.now) {
                    let no = self.jobs.iter().filter(|j| j.task == task).count() as u64;
                    self.jobs.push(Job { task, no, release: self.now, end: None });
                    self.promote();
                }
            }
            let mut issues = self.to_issue();
            issues.retain(|&(at, ..)| at == self.now);
            let first = issues.into_iter().min_by_key(|&(_, row, kind, job)| (row, kind, self.jobs[job].no));
            let Some((_, row, kind, job)) = first else { break };
            let Some(kind) = kind else {
                self.make_call(row, job);
                continue;
            };
            let task = self.jobs[job].task;
            let is_first = !self.ops.iter().any(|o| o.job == job);
            if !self.is_busy(task) && (is_first || !was_busy[task]) {
                self.arrival(task);
            }
            let is_first = self.m.kinds(row)[0] == kind && (self.call_row(row) == row || self.m.rows[row].draft.waits_for.is_empty());
            let captured = if is_first { self.captured(self.call_row(row)) } else { vec![] };
            self.ops.push(Op { row, job, kind, captured, issued: self.now, joined: None, end: None });
            self.reasons.insert((row, self.jobs[job].no, kind), BTreeMap::new());
            self.promote();
            if self.m.tasks[task].calls_in_turn && self.m.kinds(row).last() == Some(&kind) && self.ends_call(row) {
                self.make_call(self.call_row(row), job);
            }
        }
        // Step 4.
        self.context();
        // Step 5.
        self.assign_what_fits();
    }

    fn assign_what_fits(&mut self) {
        let Some((space, is_last)) = self.assigning() else { return };
        for engine in 0..self.engines() {
            if is_last {
                break;
            }
            let holds = |a: &&Assigned| a.end.is_none() && a.place == engine && self.ops[a.op].kind != OpKind::Kernel;
            let idle = !self.assigned.iter().filter(holds).any(|a| self.space(a.op) == space);
            if let (true, Some(&op)) = (idle, self.copy_queue(space, engine).first()) {
                let row = &self.m.rows[self.ops[op].row];
                let time = if self.ops[op].kind == OpKind::CopyIn { row.copy_in } else { row.copy_out };
                self.assign(op, 0, engine, time.unwrap());
            }
        }
        loop {
            // The head of the highest queue; of a process that finishes what it has begun, such a kernel.
            let heads = [true, false].into_iter().filter_map(|is_high| self.kernel_queue(space, is_high).first().copied());
            let Some(op) = heads.into_iter().find(|&op| !is_last || self.blocks_assigned(op) > 0) else { break };
            let Some(sm) = self.place(op) else { break };
            let block = self.blocks_assigned(op);
            let row = self.ops[op].row;
            let longer = vary::draw(self.m.seed, row as u64, self.jobs[self.ops[op].job].no, self.m.rows[row].most);
            self.assign(op, block, sm, self.m.rows[row].times[block] + longer);
            self.last_sm.insert(space, sm);
        }
    }

    /// When a task releases its next job, if that is known.
    fn next_release(&self, task: usize) -> Option<u64> {
        let t = &self.m.tasks[task].draft;
        let released: Vec<&Job> = self.jobs.iter().filter(|j| j.task == task).collect();
        let count = released.len() as u64;
        let limit = if t.release == Release::Once { Some(1) } else { t.jobs };
        if limit.is_some_and(|limit| count >= limit) {
            return None;
        }
        match (t.release, released.last()) {
            (_, None) => Some(t.offset_ns),
            (Release::Once, Some(_)) => None,
            (Release::Periodic, Some(_)) => Some(t.offset_ns + count * t.period_ns.unwrap()),
            (Release::Continuous, Some(previous)) => previous.end,
        }
    }

    /// Operations that will be issued at an instant already known: when, row, kind, job. A call without one has no kind.
    fn to_issue(&self) -> Vec<(u64, usize, Option<OpKind>, usize)> {
        let mut list = vec![];
        for task in 0..self.m.tasks.len() {
            list.extend(self.next_call(task));
        }
        for (job, j) in self.jobs.iter().enumerate().filter(|(_, j)| !self.m.tasks[j.task].calls_in_turn) {
            for &row in &self.m.tasks[j.task].rows {
                let from = match self.m.rows[row].after {
                    None => Some(j.release),
                    Some(earlier) => self.row_end(job, earlier),
                };
                if let Some(from) = from {
                    let at = from + self.m.rows[row].draft.start_ns;
                    let is_issued = |kind: &OpKind| self.ops.iter().any(|o| o.job == job && o.row == row && o.kind == *kind);
                    list.extend(self.m.kinds(row).into_iter().filter(|kind| !is_issued(kind)).map(|kind| (at, row, Some(kind), job)));
                }
            }
        }
        list
    }

    /// When every operation of a row had completed in a job; of a call without one, when it returned; of a graph, when its nodes had.
    fn row_end(&self, job: usize, row: usize) -> Option<u64> {
        let nodes = self.nodes(row);
        if !nodes.is_empty() {
            let ends: Option<Vec<u64>> = nodes.into_iter().map(|node| self.row_end(job, node)).collect();
            return ends?.into_iter().max();
        }
        if self.m.kinds(row).is_empty() {
            return self.calls.iter().find(|call| call.job == job && call.row == row)?.returned;
        }
        let ends: Vec<u64> = self.ops.iter().filter(|o| o.job == job && o.row == row).filter_map(|o| o.end).collect();
        if ends.len() == self.m.kinds(row).len() { ends.into_iter().max() } else { None }
    }

    /// Ends a block or copy, and with it perhaps its kernel and its job (G4, C4).
    fn complete(&mut self, i: usize) {
        self.assigned[i].end = Some(self.now);
        let op = self.assigned[i].op;
        let row = self.ops[op].row;
        let done = self.assigned.iter().filter(|a| a.op == op && a.end.is_some()).count();
        if self.ops[op].kind == OpKind::Kernel && done < self.m.rows[row].times.len() {
            return;
        }
        self.ops[op].end = Some(self.now);
        self.return_calls();
        self.complete_jobs();
    }

    /// Jobs with operations, all of which are complete, are.
    fn complete_jobs(&mut self) {
        for job in 0..self.jobs.len() {
            let rows = &self.m.tasks[self.jobs[job].task].rows;
            let has_operations = rows.iter().any(|&r| !self.m.kinds(r).is_empty());
            if self.jobs[job].end.is_none() && has_operations && rows.iter().all(|&r| self.row_end(job, r).is_some()) {
                self.jobs[job].end = Some(self.now);
            }
        }
    }

    /// Whether a task has an issued, incomplete operation.
    fn is_busy(&self, task: usize) -> bool {
        self.ops.iter().any(|o| self.jobs[o.job].task == task && o.end.is_none())
    }

    /// A job without operations completes when it is released, its calls have returned and its producer jobs have supplied.
    fn complete_empty_jobs(&mut self) {
        let is_due = |run: &Self, j: &usize| {
            let job = &run.jobs[*j];
            let rows = &run.m.tasks[job.task].rows;
            let is_called = rows.iter().all(|&r| run.m.kinds(r).is_empty() && run.row_end(*j, r).is_some());
            job.end.is_none() && is_called && !run.producers_missing(job.task, job.no)
        };
        while let Some(job) = (0..self.jobs.len()).find(|j| is_due(self, j)) {
            self.jobs[job].end = Some(self.now);
        }
    }

    /// G2, C1, A1 under N1, N2 and section 8.
    fn promote(&mut self) {
        self.complete_empty_jobs();
        for op in 0..self.ops.len() {
            let o = &self.ops[op];
            if o.end.is_none() && o.joined.is_none() && self.held_back(op).is_none() {
                self.ops[op].joined = Some((self.now, self.joins));
                self.joins += 1;
            }
        }
    }

    /// Why an incomplete operation may not join its EE or CE queue.
    fn held_back(&self, op: usize) -> Option<Reason> {
        if self.job_waits(op) {
            return Some(Reason::Producer);
        }
        // Earlier launched is earlier in `ops`: an incomplete one is, or stands behind, a stream's head.
        let mut reason = None;
        for earlier in (0..op).filter(|&o| self.ops[o].end.is_none()) {
            let Some(found) = self.must_follow(op, earlier) else { continue };
            reason = Some(reason.map_or(found, |r: Reason| r.min(found)));
        }
        reason
    }

    /// What the events that a row waits for have captured, looking back to their last records.
    fn captured(&self, row: usize) -> Vec<usize> {
        let process = |row: usize| self.m.tasks[self.m.rows[row].task].process;
        let captured = |event: &String| {
            let last = (0..self.ops.len()).rev().find(|&op| {
                let o = &self.ops[op];
                let is_last = self.m.kinds(o.row).last() == Some(&o.kind) && self.ends_call(o.row);
                is_last && process(o.row) == process(row) && self.m.rows[self.call_row(o.row)].draft.records.as_ref() == Some(event)
            });
            // Behind a graph: all that had been launched into its stream.
            let is_before = |op: &usize| last.is_some_and(|last| *op <= last && self.launched(*op) == self.launched(last));
            (0..self.ops.len()).filter(is_before).filter(|&op| self.home(op) == self.m.rows[row].home).collect::<Vec<usize>>()
        };
        self.m.rows[row].draft.waits_for.iter().flat_map(captured).collect()
    }

    /// Why an operation may not move on while this incomplete one, which was launched earlier, is there.
    fn must_follow(&self, op: usize, earlier: usize) -> Option<Reason> {
        if self.home(op) != self.home(earlier) {
            return None;
        }
        let by_connection = || self.is_behind_in_connection(op, earlier).then_some(Reason::Connection);
        let is_blocking = [op, earlier].iter().all(|&o| !self.m.rows[self.ops[o].row].is_non_blocking);
        match (self.stream(op), self.stream(earlier)) {
            (mine, other) if mine == other => Some(Reason::Stream),
            (None, Some(_)) if is_blocking => Some(Reason::N1),
            (Some(_), None) if is_blocking => Some(Reason::N2),
            _ if self.launched(op) == self.launched(earlier) => {
                self.is_behind_by_graph(op, earlier).then_some(Reason::Graph).or_else(by_connection)
            }
            _ if self.ops[op].captured.contains(&earlier) => Some(Reason::Event),
            _ => by_connection(),
        }
    }

    /// Whether a producer's job of the same number has not supplied.
    fn job_waits(&self, op: usize) -> bool {
        let job = &self.jobs[self.ops[op].job];
        self.producers_missing(job.task, job.no)
    }

    fn producers_missing(&self, task: usize, no: u64) -> bool {
        !self.m.tasks[task].producers.iter().all(|&p| self.has_supplied(p, no))
    }

    /// Whether a job is released and its operations are complete; of one without operations, whether its producers have supplied.
    fn has_supplied(&self, task: usize, no: u64) -> bool {
        let Some(job) = (0..self.jobs.len()).find(|&j| self.jobs[j].task == task && self.jobs[j].no == no) else { return false };
        let with_operations: Vec<usize> = self.m.tasks[task].rows.iter().copied().filter(|&r| !self.m.kinds(r).is_empty()).collect();
        if with_operations.is_empty() {
            !self.producers_missing(task, no)
        } else {
            with_operations.iter().all(|&r| self.row_end(job, r).is_some())
        }
    }

    fn home(&self, op: usize) -> usize {
        self.m.rows[self.ops[op].row].home
    }

    fn space(&self, op: usize) -> usize {
        self.m.rows[self.ops[op].row].space
    }

    fn stream(&self, op: usize) -> Option<&(usize, String)> {
        self.m.rows[self.ops[op].row].stream.as_ref()
    }

    /// The stream into which an operation was launched.
    fn launched(&self, op: usize) -> Option<&(usize, String)> {
        self.m.rows[self.ops[op].row].launched.as_ref()
    }

    fn assign(&mut self, op: usize, block: usize, place: usize, time: u64) {
        self.assigned.push(Assigned { op, block, place, start: self.now, left: time, end: None, runs: vec![] });
    }

    fn blocks_assigned(&self, op: usize) -> usize {
        self.assigned.iter().filter(|a| a.op == op).count()
    }

    /// An EE queue: kernels that joined it and have unassigned blocks, by order of joining (G3, A1).
    fn kernel_queue(&self, space: usize, is_high: bool) -> Vec<usize> {
        self.queue(space, |op| {
            let row = &self.m.rows[self.ops[op].row];
            self.ops[op].kind == OpKind::Kernel && row.is_high == is_high && self.blocks_assigned(op) < row.times.len()
        })
    }

    /// The CE queue of an engine: copies that joined it and are not assigned (C1, C3).
    fn copy_queue(&self, space: usize, engine: usize) -> Vec<usize> {
        self.queue(space, |op| self.ops[op].kind != OpKind::Kernel && self.engine(op) == engine && self.blocks_assigned(op) == 0)
    }

    fn queue(&self, space: usize, is_in: impl Fn(usize) -> bool) -> Vec<usize> {
        let stands = |op: &usize| self.space(*op) == space && self.ops[*op].joined.is_some() && self.ops[*op].end.is_none();
        let mut list: Vec<usize> = (0..self.ops.len()).filter(stands).filter(|&op| is_in(op)).collect();
        list.sort_by_key(|&op| self.ops[op].joined.unwrap().1);
        list
    }

    fn engines(&self) -> usize {
        if self.m.device.copy_engines == 1 { 1 } else { 2 }
    }

    fn engine(&self, op: usize) -> usize {
        if self.engines() == 1 || self.ops[op].kind == OpKind::CopyIn { 0 } else { 1 }
    }

    /// Whether a block of `op` finds enough of everything on an SM: threads, shared memory, the rest.
    fn fits(&self, op: usize, sm: usize) -> [bool; 3] {
        let [threads, shared_memory, registers, slots] = self.free(self.space(op), sm);
        let [threads_needed, shared_memory_needed, registers_needed, slots_needed] = self.needs(op);
        [threads_needed <= threads, shared_memory_needed <= shared_memory, registers_needed <= registers && slots_needed <= slots]
    }

    /// What one block takes: threads, shared memory, registers, block slots.
    fn needs(&self, op: usize) -> [u64; 4] {
        let k = &self.m.rows[self.ops[op].row].draft;
        [k.threads_per_block, k.shared_memory_bytes, k.threads_per_block * k.registers_per_thread, 1]
    }

    /// Free threads, shared memory, registers and block slots of an SM, as an address space sees it.
    fn free(&self, space: usize, sm: usize) -> [u64; 4] {
        let d = &self.m.device;
        let mut free = [d.threads_per_sm, d.shared_memory_per_sm, d.registers_per_sm, d.blocks_per_sm];
        let holds = |a: &&Assigned| a.end.is_none() && a.place == sm && self.ops[a.op].kind == OpKind::Kernel && self.space(a.op) == space;
        for a in self.assigned.iter().filter(holds) {
            for (free, used) in free.iter_mut().zip(self.needs(a.op)) {
                *free -= used;
            }
        }
        free
    }

    /// Which SM takes the next block of `op` (R1 to R3, placement).
    fn place(&self, op: usize) -> Option<usize> {
        let sms = usize::try_from(self.m.device.sms).unwrap();
        let first = match (self.m.placement, self.last_sm.get(&self.space(op))) {
            (Placement::RoundRobin, Some(&last)) => last + 1,
            _ => 0,
        };
        let mut fitting = (0..sms).map(|i| (first + i) % sms).filter(|&sm| self.fits(op, sm) == [true; 3]);
        match self.m.placement {
            Placement::FirstFit | Placement::RoundRobin => fitting.next(),
            Placement::MostFree => fitting.max_by_key(|&sm| (self.free(self.space(op), sm)[0], sms - sm)),
            Placement::MostRoom => fitting.max_by_key(|&sm| {
                let (free, needs) = (self.free(self.space(op), sm), self.needs(op));
                // Blocks of this kind, one after another, until one does not fit.
                let room = (1..).find(|blocks| free.iter().zip(needs).any(|(&free, need)| free < blocks * need));
                (room, sms - sm)
            }),
        }
    }

    // ---- Section 10 ----

    /// Moves the clock; what everything does from now until then is accounted for.
    fn account_until(&mut self, then: u64) {
        for op in 0..self.ops.len() {
            if self.ops[op].end.is_none() && then > self.now {
                let key = (self.ops[op].row, self.jobs[self.ops[op].job].no, self.ops[op].kind);
                let reason = self.reason(op);
                *self.reasons.get_mut(&key).unwrap().entry(reason).or_default() += then - self.now;
            }
        }
        for i in 0..self.assigned.len() {
            if then > self.now && self.executes(&self.assigned[i]) {
                self.assigned[i].left -= then - self.now;
                extend(&mut self.assigned[i].runs, self.now, then);
            }
        }
        self.turns_until(then);
        self.now = then;
    }

    fn reason(&self, op: usize) -> Reason {
        if self.assigned.iter().any(|a| a.op == op && self.executes(a)) {
            return Reason::Executing;
        }
        if let Some(reason) = self.held_back(op) {
            assert!(self.ops[op].joined.is_none());
            return reason;
        }
        assert!(self.ops[op].joined.is_some());
        let space = self.space(op);
        // A kernel that is finished while its process drains does not wait for the process.
        let finishes = |op: usize| self.assigning() == Some((space, true)) && self.blocks_assigned(op) > 0;
        let is_last = self.ops[op].kind == OpKind::Kernel && finishes(op);
        if self.assigning() != Some((space, false)) && !is_last {
            return Reason::NotResident;
        }
        if self.ops[op].kind != OpKind::Kernel {
            return Reason::CopyEngine;
        }
        let is_high = self.m.rows[self.ops[op].row].is_high;
        if !is_high && self.kernel_queue(space, true).first().is_some_and(|&head| !is_last || finishes(head)) {
            return Reason::A2;
        }
        if self.kernel_queue(space, is_high)[0] != op {
            return Reason::X1;
        }
        let fits: Vec<_> = (0..usize::try_from(self.m.device.sms).unwrap()).map(|sm| self.fits(op, sm)).collect();
        assert!(!fits.contains(&[true; 3]), "a block that fits is assigned at once");
        if fits.iter().all(|f| !f[0]) {
            Reason::R2
        } else if fits.iter().all(|f| !(f[0] && f[1])) {
            Reason::R3
        } else {
            Reason::R1
        }
    }

    // ---- Export ----

    fn trace(self, draft: &Draft) -> OracleTrace {
        let end_of_run = self.now;
        let mut trace = OracleTrace {
            version: 1,
            scenario: draft.name.clone(),
            policy: draft.policy.kind.word(),
            evidence: evidence(&draft.device),
            end_ns: end_of_run,
            blocks: vec![],
            copies: vec![],
            kernels: vec![],
            jobs: vec![],
            residency: self.residency(),
            runlist: self.runlist(),
            reasons: BTreeMap::new(),
        };
        for a in &self.assigned {
            let op = &self.ops[a.op];
            let (kernel, job, end_ns) = (self.m.rows[op.row].draft.name.clone(), self.jobs[op.job].no, a.end);
            let runs = a.runs.clone();
            let (side, direction) = match op.kind {
                OpKind::Kernel => {
                    trace.blocks.push(OracleBlock { kernel, job, block: a.block, sm: a.place, start_ns: a.start, end_ns, runs });
                    continue;
                }
                OpKind::CopyIn => ("i", "in"),
                OpKind::CopyOut => ("o", "out"),
            };
            let is_own_row = self.m.rows[op.row].draft.call != Call::Kernel;
            let name = if is_own_row { kernel.clone() } else { format!("C{}{side}", kernel.strip_prefix('K').unwrap_or(&kernel)) };
            trace.copies.push(OracleCopy { op: name, kernel, job, direction, start_ns: a.start, end_ns, runs });
        }
        for (i, op) in self.ops.iter().enumerate() {
            let (row, job) = (&self.m.rows[op.row], &self.jobs[op.job]);
            let sum: u64 = self.reasons[&(op.row, job.no, op.kind)].values().sum();
            assert_eq!(sum, op.end.unwrap_or(end_of_run) - op.issued, "reasons add up to the response time");
            if op.kind == OpKind::Kernel {
                trace.kernels.push(OracleKernel {
                    kernel: row.draft.name.clone(),
                    job: job.no,
                    issued_ns: op.issued,
                    queued_ns: op.joined.map(|(at, _)| at),
                    start_ns: self.assigned.iter().find(|a| a.op == i).map(|a| a.start),
                    end_ns: op.end,
                });
            }
        }
        let mut jobs: Vec<&Job> = self.jobs.iter().collect();
        jobs.sort_by_key(|j| (j.release, j.task));
        for j in jobs {
            let t = &self.m.tasks[j.task].draft;
            let deadline_ns = t.deadline_ns.or(t.period_ns).map(|relative| j.release + relative);
            let met = deadline_ns.and_then(|deadline| match j.end {
                Some(end) => Some(end <= deadline),
                None => (deadline < end_of_run).then_some(false),
            });
            trace.jobs.push(OracleJob { task: t.name.clone(), job: j.no, release_ns: j.release, deadline_ns, end_ns: j.end, met });
        }
        trace.reasons = self.reasons;
        trace
    }
}

/// Adds an interval of positive length, joined to the last one if that ends there.
fn extend(list: &mut Vec<(u64, u64)>, from: u64, until: u64) {
    match list.last_mut() {
        Some(last) if last.1 == from => last.1 = until,
        _ => list.push((from, until)),
    }
}
