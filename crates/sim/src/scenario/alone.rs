//! A task's job by itself, as budgets are computed (docs/semantics.md, section 7).
//!
//! Depends on the rest of `scenario`. Invariant: what comes out is valid, as what went in was.

use std::sync::Arc;

use super::channels::channels;
use super::{
    Claimant, Device, KernelRow, Node, PolicyDraft, PolicyKind, Release, Runlist, Scenario, Spins, Stream, SwitchTimes, Task, Turns,
    Variation,
};
use crate::units::{ProcessId, RowId, TaskId, Time};

impl Scenario {
    /// One job of a task in its worst case, released at once, alone on the device and without
    /// producers. Of the rest of the scenario nothing is copied, as this is asked for every task.
    #[must_use]
    pub fn alone(&self, task: TaskId) -> Arc<Self> {
        let owner = self.task(task);
        // Rows of a task are in table order, and refer to one another only.
        let place = |row: &RowId| owner.rows.binary_search(row).ok().map(RowId::at);
        let mut used: Vec<usize> = owner.rows.iter().map(|&row| self.row(row).stream).collect();
        used.sort_unstable();
        used.dedup();
        let rows = owner.rows.iter().map(|&row| {
            let row = self.row(row);
            KernelRow {
                stream: used.partition_point(|&stream| stream < row.stream),
                task: TaskId(0),
                claimant: TaskId(0).into(),
                after: row.after.as_ref().and_then(place),
                followers: row.followers.iter().filter_map(place).collect(),
                times: row.times.longer_by(row.variation.most().ns()),
                variation: Variation::NONE,
                // It waits for nothing of other tasks (docs/semantics.md, section 2).
                spins: Spins {
                    barrier: row.spins.barrier,
                    flags: row.spins.flags.iter().filter_map(|(row, reached)| Some((place(row)?, *reached))).collect(),
                },
                spinners: row.spinners.iter().filter_map(place).collect(),
                node: row.node.as_ref().and_then(|node| {
                    let waits_for = node.waits_for.iter().filter_map(place).collect();
                    Some(Node { graph: place(&node.graph)?, waits_for, ..*node })
                }),
                ..row.clone()
            }
        });
        let task = Task {
            release: Release::Once,
            period: None,
            deadline: None,
            offset: Time::ZERO,
            jobs: Some(1),
            consumes: Vec::new(),
            consumers: Vec::new(),
            batches: Vec::new(),
            process: ProcessId(0),
            rows: (0..owner.rows.len()).map(RowId::at).collect(),
            ..owner.clone()
        };
        let PolicyDraft { switch_cost_ns, switch_charge, cbs, preemption, .. } = self.policy;
        let kind = PolicyKind::Priority;
        let policy = PolicyDraft { kind, switch_cost_ns, switch_charge, cbs, preemption, ..PolicyDraft::default() };
        // A block goes to an empty SM at the latest, of which it takes the first; so more SMs than blocks change nothing.
        let blocks = owner.rows.iter().fold(0, |sum: u64, &row| sum.saturating_add(self.row(row).blocks));
        let device = Device { sms: self.device.sms.min(blocks.max(1)), ..self.device.clone() };
        let processes = vec![self.processes[owner.process.index()].clone()];
        let streams = used.iter().map(|&stream| {
            // The stream of a branch has the first node of each of its graphs.
            let branch_of = self.streams[stream].branch_of.map(|of| used.partition_point(|&stream| stream < of));
            Stream { process: ProcessId(0), channel: 0, branch_of, ..self.streams[stream].clone() }
        });
        Arc::new(Self {
            name: self.name.clone(),
            device,
            placement: self.placement,
            block_ends: self.block_ends,
            connections: self.connections,
            policy,
            own: None,
            switches: SwitchTimes::FREE,
            horizon: None,
            channels: channels(&processes, Turns::None),
            runlist: Runlist::new([processes[0].interleave]),
            processes,
            claimants: Claimant::of_tasks(std::slice::from_ref(&task)),
            tasks: vec![task],
            streams: streams.collect(),
            rows: rows.collect(),
            events: Arc::clone(&self.events),
            has_further_order: self.has_further_order,
            has_cooperative: owner.rows.iter().any(|&row| self.row(row).cooperative),
            has_spins: owner.rows.iter().any(|&row| self.row(row).spins.any()),
            has_consumers: vec![false],
            reduced: None,
            warnings: Vec::new(),
        })
    }
}
