//! The draft with names looked up and defaults filled in.

use blockstep_sim::scenario::{
    BatchDraft, BlockEnds, BlockTimes, BuiltIn, Call, Class, Device, DeviceDraft, Draft, KernelDraft, NULL_STREAM, Placement, PolicyDraft,
    PolicyKind, Preemption, ProcessDraft, Release, StreamPriority, TaskDraft,
};
use blockstep_sim::trace::OpKind;

use super::own::Text;
use super::{channels, connections, edf, graphs, host, turns, vary};

pub(super) struct Model {
    pub(super) seed: u64,
    pub(super) device: Device,
    /// How processes give way that do not say.
    pub(super) device_mode: Preemption,
    pub(super) placement: Placement,
    pub(super) block_ends: BlockEnds,
    pub(super) horizon: Option<u64>,
    pub(super) policy: PolicyDraft,
    /// Of a policy of one's own.
    pub(super) text: Option<Text>,
    pub(super) processes: Vec<ProcessDraft>,
    pub(super) channels: channels::Channels,
    pub(super) tasks: Vec<Task>,
    /// The tasks, by their places, and then their batches.
    pub(super) claimants: Vec<OracleClaimant>,
    pub(super) rows: Vec<OracleRow>,
}

/// What has a deadline and, where there are any, a server of its own: a task, for all that it issues outside of batches, or a batch.
pub(super) struct OracleClaimant {
    pub(super) task: usize,
    pub(super) is_batch: bool,
    pub(super) relative: Option<u64>,
    pub(super) period: Option<u64>,
    /// Of its server, if it has one.
    pub(super) budget: Option<u64>,
}

pub(super) struct Task {
    pub(super) draft: TaskDraft,
    pub(super) process: usize,
    pub(super) is_real_time: bool,
    pub(super) rows: Vec<usize>,
    pub(super) producers: Vec<usize>,
    /// Whether it makes its calls one after another.
    pub(super) calls_in_turn: bool,
}

pub(super) struct OracleRow {
    pub(super) draft: KernelDraft,
    pub(super) task: usize,
    pub(super) claimant: usize,
    /// What takes turns: the process or a channel of it; 0 for all where nobody does.
    pub(super) space: usize,
    /// The address space: the process, or 0 for all.
    pub(super) home: usize,
    /// Process and name of its queue; `None` is the address space's NULL stream.
    pub(super) stream: Option<(usize, String)>,
    /// The same of the stream into which it is launched: other for nodes in branches.
    pub(super) launched: Option<(usize, String)>,
    pub(super) is_high: bool,
    /// N1 and N2 leave its stream out.
    pub(super) is_non_blocking: bool,
    /// Its stream's hardware connection, where streams share them.
    pub(super) connection: Option<u64>,
    pub(super) after: Option<usize>,
    /// Of every block, as stated.
    pub(super) times: Vec<u64>,
    /// How much longer at most.
    pub(super) most: u64,
    pub(super) copy_in: Option<u64>,
    pub(super) copy_out: Option<u64>,
}

impl Model {
    pub(super) fn new(draft: &Draft) -> Self {
        Self::with_connections(draft, &connections::Connections::from_draft(draft))
    }

    /// The same where streams have these connections.
    pub(super) fn with_connections(draft: &Draft, connections: &connections::Connections) -> Self {
        let takes_turns = turns::takes_turns(draft.policy.kind);
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
                claimant: match &graphs::call_of(draft, k).batch {
                    Some(name) if draft.policy.kind == PolicyKind::Edf => {
                        drafts.len() + draft.batches.iter().position(|batch| batch.name == *name).unwrap()
                    }
                    _ => task,
                },
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
            rows: (0..rows.len()).filter(|&r| rows[r].task == i).collect(),
            producers: t.consumes.iter().map(|name| task_no(name)).collect(),
            calls_in_turn: t.call_ns.is_some() || rows.iter().any(|row| row.task == i && host::is_call_in_turn(&row.draft)),
        });
        let tasks = tasks.collect();
        let of_task = |(i, t): (usize, &TaskDraft)| OracleClaimant {
            task: i,
            is_batch: false,
            relative: t.deadline_ns.or(t.period_ns),
            period: edf::server_period(t),
            budget: has_server(t).then(|| t.budget_ns.unwrap_or_else(|| edf::time_alone(draft, &drafts, i))),
        };
        let of_batch = |b: &BatchDraft| OracleClaimant {
            task: b.task.as_deref().map_or(0, task_no),
            is_batch: true,
            relative: Some(b.deadline_ns),
            period: b.period_ns.or(Some(b.deadline_ns)),
            budget: b.budget_ns.filter(|_| draft.policy.cbs),
        };
        let batches = draft.batches.iter().filter(|_| draft.policy.kind == PolicyKind::Edf);
        let claimants = drafts.iter().enumerate().map(of_task).chain(batches.map(of_batch)).collect();
        let horizon = draft.horizon_ns.or_else(|| default_horizon(&drafts));
        let processes = if draft.processes.is_empty() { vec![ProcessDraft::named("P0")] } else { draft.processes.clone() };
        let device_mode = match &draft.device {
            DeviceDraft::BuiltIn(id) if id == "tx1" => Preemption::Block,
            DeviceDraft::BuiltIn(id) if id == "k5000" => Preemption::Kernel,
            _ => Preemption::Thread,
        };
        let text = Text::from_draft(draft, &drafts, is_real_time, device.sms);
        Self {
            text,
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
            claimants,
            rows,
        }
    }

    /// The operations one job of a row issues, in order.
    pub(super) fn kinds(&self, row: usize) -> Vec<OpKind> {
        let row = &self.rows[row];
        let copy_in = row.copy_in.map(|_| OpKind::CopyIn);
        let copy_out = row.copy_out.map(|_| OpKind::CopyOut);
        let kernel = (row.draft.call == Call::Kernel).then_some(OpKind::Kernel);
        [copy_in, kernel, copy_out].into_iter().flatten().collect()
    }
}

/// Section 9: counts up to the least common multiple, as far as it matters.
pub(super) fn default_horizon(tasks: &[TaskDraft]) -> Option<u64> {
    let periodic = tasks.iter().filter(|t| t.release == Release::Periodic);
    let periods: Vec<u64> = periodic.map(|t| t.period_ns.unwrap()).collect();
    let longest = *periods.iter().max()?;
    let multiples = (1..=20).map(|n| n * longest);
    let common = multiples.clone().find(|m| periods.iter().all(|p| m % p == 0));
    let offset = tasks.iter().map(|t| t.offset_ns).max().unwrap();
    Some(common.unwrap_or(20 * longest) + offset)
}
