//! The oracle's channels (docs/semantics.md, section 6): which streams there are, which channel each has, and what a channel is called.

use std::collections::BTreeMap;

use blockstep_sim::scenario::{Draft, PolicyKind, TaskDraft};

use super::host::{stream_of, uses_stream};

/// Every stream by its process: the listed ones, then the others by first use. Some come again.
pub(super) fn streams(draft: &Draft) -> Vec<(usize, String)> {
    let process_no = |name: &Option<String>| name.as_ref().map_or(0, |name| draft.processes.iter().position(|p| p.name == *name).unwrap());
    let listed = draft.streams.iter().map(|s| (process_no(&s.process), s.name.clone()));
    let default_task = TaskDraft::named("T0");
    let used = draft.kernels.iter().filter(|k| uses_stream(k)).map(|k| {
        let task = k.task.as_ref().map_or(draft.tasks.first(), |name| draft.tasks.iter().find(|t| t.name == *name));
        let task = task.unwrap_or(&default_task);
        let process = process_no(&task.process);
        (process, stream_of(draft, task, process, k))
    });
    listed.chain(used).collect()
}

/// What takes turns: processes, or their channels.
pub(super) struct Channels {
    /// The process of each, and its number there.
    pub(super) all: Vec<(usize, u64)>,
    /// By process and stream.
    of_stream: BTreeMap<(usize, String), usize>,
}

impl Channels {
    pub(super) fn from_draft(draft: &Draft) -> Self {
        let is_runlist = draft.policy.kind == PolicyKind::Runlist;
        let count = |process: usize| draft.processes.get(process).filter(|_| is_runlist).map_or(1, |p| p.channels);
        let processes = 0..draft.processes.len().max(1);
        let all: Vec<(usize, u64)> = processes.flat_map(|p| (0..count(p)).map(move |number| (p, number))).collect();
        let mut of_stream = BTreeMap::new();
        for (process, name) in streams(draft) {
            let before = of_stream.keys().filter(|(of, _)| *of == process).count() as u64;
            let number = before % count(process);
            of_stream.entry((process, name)).or_insert_with(|| all.iter().position(|c| *c == (process, number)).unwrap());
        }
        Self { all, of_stream }
    }

    /// The channel of a stream; of one that nothing is put on, the first of its process.
    pub(super) fn of_stream(&self, process: usize, stream: &str) -> usize {
        let first = || self.all.iter().position(|(of, _)| *of == process).unwrap();
        self.of_stream.get(&(process, stream.to_owned())).copied().unwrap_or_else(first)
    }

    /// What a channel of a process of this name is called.
    pub(super) fn name(&self, channel: usize, process: &str) -> String {
        let (of, number) = self.all[channel];
        let several = self.all.iter().filter(|c| c.0 == of).count() > 1;
        if several { format!("{process} channel {}", number + 1) } else { process.to_owned() }
    }
}
