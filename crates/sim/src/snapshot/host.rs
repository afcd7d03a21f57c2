//! CPU threads that wait in a call: for what, and since when.
//!
//! Depends on the rest of `snapshot`. Invariants: a thread waits in one call at a time; what it waits for was issued before the call
//! was made, and of each stream only the last such operation is kept, as the others complete before it. Source: docs/semantics.md,
//! section 2.

use super::Snapshot;
use super::null::is_complete;
use crate::scenario::Call;
use crate::trace::Trace;
use crate::units::{JobNo, OpId, RowId, TaskId, Time};

/// A call in which the CPU thread of a task waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostWait {
    /// The row whose call it is.
    pub row: RowId,
    /// The job that makes it.
    pub job: JobNo,
    /// Since when it waits: the call was made then.
    pub since: Time,
    /// What it waits for, complete or not: of each stream the last operation, in issue order.
    pub awaited: Vec<OpId>,
}

impl Snapshot {
    pub(super) fn host_waits(&mut self, trace: &Trace, row: RowId, job: JobNo, since: Time) {
        let info = trace.scenario().row(row);
        let stream = trace.layout().stream_of(row);
        let mut awaited: Vec<OpId> = match info.call {
            Call::SynchronizeEvent => {
                let captured = trace.awaited_by_call(row, job).iter().copied();
                captured.filter(|&op| !is_complete(&self.streams, trace, op)).collect()
            }
            call if call.waits_for_device() => {
                let layout = trace.layout();
                let channels = layout.channels_beside(layout.stream(stream).space);
                let streams = || channels.clone().flat_map(|channel| &layout.space(channel).streams);
                self.work.add(streams().count() as u64);
                streams().filter_map(|stream| self.streams[stream.index()].queue.back().copied()).collect()
            }
            Call::SynchronizeStream => {
                let branches = &trace.layout().stream(stream).branches;
                self.work.add(branches.len() as u64);
                let queues = [stream].into_iter().chain(branches.iter().copied());
                queues.filter_map(|queue| self.streams[queue.index()].queue.back().copied()).collect()
            }
            // Its own copy is the last of its stream.
            _ => self.streams[stream.index()].queue.back().copied().into_iter().collect(),
        };
        awaited.sort_unstable();
        self.work.add(awaited.len() as u64);
        self.tasks[info.task.index()].host = Some(HostWait { row, job, since, awaited });
    }

    pub(super) fn host_returned(&mut self, trace: &Trace, row: RowId, job: JobNo) {
        let info = trace.scenario().row(row);
        self.tasks[info.task.index()].host = None;
        if !info.call.has_operation() {
            self.row_returned(info.task, job);
        }
    }

    /// What the CPU thread of a task waits for now, in issue order; nothing if it waits for nothing.
    #[must_use]
    pub fn host_awaits(&self, trace: &Trace, task: TaskId) -> Vec<OpId> {
        let awaited = self.task(task).host.as_ref().map_or(&[][..], |wait| &wait.awaited);
        awaited.iter().copied().filter(|&op| !is_complete(&self.streams, trace, op)).collect()
    }
}
