//! What the queue diagram says in words, beside names and numbers.
//!
//! Depends on the rest of `queues` and on `quantity`. Invariant: whoever shows the diagram says the same.

use super::{BlockGroup, EntryView, Gauge, JobView, QueuedOp, RunlistView, SmView, TaskBox};
use crate::quantity::{format_bytes, format_count, format_time};
use blockstep_sim::language::{one_or, s};
use blockstep_sim::scenario::Choice;

impl TaskBox {
    /// How many jobs it has released.
    #[must_use]
    pub fn jobs(&self) -> String {
        match (self.released, self.open) {
            (0, _) => "not released yet".to_owned(),
            (1, 0) => "job complete".to_owned(),
            (1, _) => "job released".to_owned(),
            (released, open) => format!("{} jobs, {} open", format_count(released.into()), format_count(open as u64)),
        }
    }
}

impl QueuedOp {
    /// How far it is, in a sentence without its end.
    #[must_use]
    pub fn title(&self) -> String {
        format!("{}: {}", self.label, self.state())
    }

    /// The same with the place where it is.
    #[must_use]
    pub fn title_in(&self, place: &str) -> String {
        format!("{}, {place}: {}", self.label, self.state())
    }

    fn state(&self) -> String {
        match (self.blocks > 1, self.dispatched) {
            (true, _) => format!(
                "{} of {} blocks assigned, {} complete",
                format_count(self.assigned),
                format_count(self.blocks),
                format_count(self.completed)
            ),
            (false, true) => "dispatched, not complete".to_owned(),
            (false, false) => "waiting".to_owned(),
        }
    }

    /// Blocks assigned, of all; `None` where there is one block.
    #[must_use]
    pub fn progress(&self) -> Option<String> {
        (self.blocks > 1).then(|| format!("{}/{}", format_count(self.assigned), format_count(self.blocks)))
    }
}

impl BlockGroup {
    /// What it takes.
    #[must_use]
    pub fn title(&self) -> String {
        format!("{}: {}{}", self.label, self.size(), if self.spins { one_or(self.blocks, ", spins", ", spin") } else { "" })
    }

    /// The same with the SM on which it is.
    #[must_use]
    pub fn title_in(&self, sm: u16) -> String {
        let how = match (self.suspended, self.spins) {
            (true, _) => ", suspended",
            (false, true) => one_or(self.blocks, ", spins", ", spin"),
            (false, false) => "",
        };
        format!("{}, SM {sm}: {}{how}", self.label, self.size())
    }

    fn size(&self) -> String {
        format!("{} thread{}", format_count(self.threads), s(self.threads))
    }
}

impl SmView {
    /// The share of its threads that is in use, percent, rounded up.
    #[must_use]
    pub fn percent_in_use(&self) -> u64 {
        100 - self.threads.free.saturating_mul(100) / self.threads.total.max(1)
    }

    /// Its resources: name, how much is free, that in words, and a sentence of both.
    #[must_use]
    pub fn gauges(&self) -> [(&'static str, Gauge, String, String); 4] {
        let gauge = |name: &'static str, gauge: Gauge, write: fn(u64) -> String| {
            let free = write(gauge.free);
            let title = format!("{name}: {free} free of {}", write(gauge.total));
            (name, gauge, free, title)
        };
        [
            gauge("threads", self.threads, format_count),
            gauge("shared", self.shared_memory, format_bytes),
            gauge("regs", self.registers, format_count),
            gauge("slots", self.slots, format_count),
        ]
    }
}

impl Gauge {
    /// How much is free, of a hundred.
    #[must_use]
    pub fn percent(self) -> u64 {
        (u128::from(self.free) * 100 / u128::from(self.total.max(1))) as u64
    }

    /// What is left of a time, and of which: `1 ms` and `of 2 ms timeslice`.
    #[must_use]
    pub fn time_left(self, name: &str) -> (String, String) {
        (format_time(self.free), format!("of {} {name}", format_time(self.total)))
    }
}

impl RunlistView {
    /// Where the pointer stands.
    #[must_use]
    pub fn pointer_text(&self) -> String {
        let process = self.entries.iter().find(|e| e.is_next).map_or("", |e| &e.process);
        format!("Pointer: entry {} of {}, process {process}.", format_count(self.pointer), format_count(self.len))
    }
}

impl EntryView {
    /// All that is to be said of it.
    #[must_use]
    pub fn title(&self) -> String {
        let flag = |is_so: bool, word: &'static str| if is_so { word } else { "" };
        let level = self.level.map_or_else(String::new, |level| format!("{} level, ", level.word()));
        let work = match (self.level, self.has_work) {
            (None, _) => self.share(),
            (_, true) => "has work",
            (_, false) => "no work",
        };
        format!(
            "entry {}: {}, {level}{work}, {}{}{}",
            format_count(self.entry),
            self.process,
            self.residency.words(),
            flag(self.is_served, ", served"),
            flag(self.is_next, ", looked at next"),
        )
    }

    /// Its number, with its level, or with its process's residency while it is served.
    #[must_use]
    pub fn detail(&self) -> String {
        format!("{} · {}", format_count(self.entry), if self.is_served { self.residency.words() } else { self.share() })
    }

    /// Its level; where a text decides, whether its process may run.
    #[must_use]
    pub fn share(&self) -> &'static str {
        match (self.level, self.has_work) {
            (Some(level), _) => level.word(),
            (None, true) => "may run",
            (None, false) => "may not run",
        }
    }
}

impl JobView {
    /// Its process, where that has another name, and further open jobs of its task.
    #[must_use]
    pub fn aside(&self) -> String {
        let process = (!self.process.is_empty()).then(|| format!("process {}", self.process));
        let later = (self.later > 0).then(|| format!("{} more open", format_count(self.later as u64)));
        process.into_iter().chain(later).collect::<Vec<_>>().join(", ")
    }
}
