//! A task's job by itself, as budgets are reckoned (contract, section 7).
//!
//! Depends on the rest of `scenario`. Invariant: what comes out is valid, as what went in was.

use std::sync::Arc;

use super::{PolicyKind, Release, Row, Scenario, Task, Variation};
use crate::units::{RowId, TaskId, Time};

impl Scenario {
    /// One job of a task in its worst case, released at once, alone on the device and without
    /// producers.
    #[must_use]
    pub fn alone(&self, task: TaskId) -> Arc<Self> {
        let owner = self.task(task);
        // Rows of a task are in table order, and refer to one another only.
        let place = |row: &RowId| owner.rows.binary_search(row).ok().map(RowId::at);
        let rows = owner.rows.iter().map(|&row| {
            let row = self.row(row);
            Row {
                task: TaskId(0),
                after: row.after.as_ref().and_then(place),
                followers: row.followers.iter().filter_map(place).collect(),
                times: row.times.longer_by(row.variation.most().ns()),
                variation: Variation::NONE,
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
            rows: (0..owner.rows.len()).map(RowId::at).collect(),
            ..owner.clone()
        };
        let mut policy = self.policy;
        policy.kind = PolicyKind::Priority;
        Arc::new(Self {
            name: self.name.clone(),
            device: self.device.clone(),
            placement: self.placement,
            policy,
            horizon: None,
            processes: self.processes.clone(),
            runlist: self.runlist.clone(),
            tasks: vec![task],
            streams: self.streams.clone(),
            rows: rows.collect(),
            has_consumers: vec![false; self.processes.len()],
            warnings: Vec::new(),
        })
    }
}
