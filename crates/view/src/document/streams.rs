//! The streams of the document: those in use, those listed, and their priorities.
//!
//! Depends on the rest of `document`. Invariant: a stream is listed only if somebody gave it a
//! priority or a file lists it.

use super::Document;
use super::rows::fresh_name;
use crate::table::Table;
use blockstep_sim::order::Names;
use blockstep_sim::scenario::{NULL_STREAM, StreamDraft, StreamPriority};

/// Names that a cell offers at most.
const MAX_OFFERED: usize = 32;

/// A stream that a row uses or that is listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StreamEntry {
    /// The process by name.
    pub process: String,
    /// The stream's name.
    pub name: String,
    /// Its priority.
    pub priority: StreamPriority,
    /// Whether N1 and N2 leave it out.
    pub non_blocking: bool,
    /// Its place in the list, if it is listed.
    pub listed: Option<usize>,
    /// Whether a row uses it.
    pub used: bool,
}

impl Document {
    /// Every stream that a row uses, by first use, then those only listed.
    #[must_use]
    pub fn streams(&self) -> Vec<StreamEntry> {
        let first = self.name(Table::Processes, 0);
        let tasks = Names::from_names(self.tasks.iter().map(|l| l.value.name.as_str()));
        let process_of_task = |task: &Option<String>| {
            let line = task.as_ref().map_or(self.tasks.first(), |name| tasks.get(0, name).map(|row| &self.tasks[row]));
            line.and_then(|l| l.value.process.clone()).unwrap_or_else(|| first.clone())
        };
        let listed: Vec<(String, &StreamDraft)> =
            self.rest.streams.iter().map(|s| (s.process.clone().unwrap_or_else(|| first.clone()), s)).collect();
        let mut entries: Vec<StreamEntry> = Vec::new();
        let mut processes = Names::default();
        let mut seen = Names::default();
        let mut places = Names::default();
        for (place, (process, s)) in listed.iter().enumerate() {
            let group = processes.place(0, process.clone(), place);
            places.place(group as u32, s.name.clone(), place);
        }
        // A node of a graph is in that of its graph, whatever it names.
        let launched = self.kernels.iter().filter(|l| l.value.graph.is_none());
        let used = launched.map(|l| (process_of_task(&l.value.task), l.value.stream.clone(), true));
        let only_listed = listed.iter().map(|(process, s)| (process.clone(), s.name.clone(), false));
        for (process, name, used) in used.chain(only_listed) {
            let group = processes.place(0, process.clone(), listed.len() + entries.len());
            if seen.place(group as u32, name.clone(), entries.len()) < entries.len() {
                continue;
            }
            let place = places.get(group as u32, &name);
            let priority = place.map_or(StreamPriority::None, |i| listed[i].1.priority);
            let non_blocking = place.is_some_and(|i| listed[i].1.non_blocking);
            entries.push(StreamEntry { process, name, priority, non_blocking, listed: place, used });
        }
        entries
    }

    /// Sets a stream's priority, listing it if need be.
    pub fn set_stream_priority(&mut self, entry: &StreamEntry, priority: StreamPriority) {
        self.list_stream(entry).priority = priority;
    }

    /// Sets whether N1 and N2 leave a stream out, listing it if need be.
    pub fn set_stream_non_blocking(&mut self, entry: &StreamEntry, non_blocking: bool) {
        self.list_stream(entry).non_blocking = non_blocking;
    }

    /// Whether to show which streams are non-blocking: there is one, or a NULL stream that others wait for.
    #[must_use]
    pub fn shows_non_blocking(&self) -> bool {
        self.rest.streams.iter().any(|s| s.non_blocking) || self.kernels.iter().any(|l| l.value.stream == NULL_STREAM)
    }

    fn list_stream(&mut self, entry: &StreamEntry) -> &mut StreamDraft {
        let listed = entry.listed.unwrap_or_else(|| {
            let process = Some(entry.process.clone()).filter(|p| *p != self.name(Table::Processes, 0));
            let StreamEntry { name, priority, non_blocking, .. } = entry.clone();
            self.rest.streams.push(StreamDraft { process, name, priority, non_blocking });
            self.rest.streams.len() - 1
        });
        &mut self.rest.streams[listed]
    }

    /// Takes a stream off the list.
    pub fn unlist_stream(&mut self, listed: usize) {
        if listed < self.rest.streams.len() {
            self.rest.streams.remove(listed);
        }
    }

    /// Names a stream cell may offer: the first in use, a fresh one, and `NULL`.
    #[must_use]
    pub fn stream_names(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        let all: Vec<String> = self.streams().into_iter().map(|s| s.name).collect();
        for name in all.iter().take(MAX_OFFERED) {
            if !names.contains(name) && name != NULL_STREAM {
                names.push(name.clone());
            }
        }
        names.push(fresh_name(&all, "S", "S"));
        names.push(NULL_STREAM.to_owned());
        names
    }
}
