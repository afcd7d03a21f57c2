//! Tasks spread over processes: all in one, or each in its own, as papers compare tasks with
//! processes ([TX2] Fig. 9 and 10).
//!
//! Depends on the rest of `document`. Invariants: no task, kernel or stream's priority gets lost;
//! streams that were distinct stay so, but for the NULL streams of an address space, which are one.

use super::rows::fresh_name;
use super::{Document, DocumentRow};
use crate::table::Table;
use crate::texts::Texts;
use blockstep_sim::order::Names;
use blockstep_sim::scenario::{NULL_STREAM, ProcessDraft, StreamDraft};

/// How the tasks are spread over the processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// All tasks are in one process; a single task always is.
    One,
    /// Every task has a process of its own.
    Each,
    /// Some share one, some do not.
    Mixed,
}

/// The processes of the tasks.
struct Homes {
    /// By task: the name of its process, whether there is one of that name or not.
    names: Vec<String>,
    /// By task: the first task of the same process.
    firsts: Vec<usize>,
    /// By first task: how many share the process; else 0.
    sizes: Vec<usize>,
    /// The first task of a process, by the process's name.
    by_name: Names<'static>,
}

impl Homes {
    /// Whether a task shares its process with others.
    fn is_shared(&self, task: usize) -> bool {
        self.sizes[self.firsts[task]] > 1
    }
}

impl Document {
    /// How the tasks are spread over the processes.
    #[must_use]
    pub fn arrangement(&self) -> Arrangement {
        let homes = self.homes();
        if homes.firsts.iter().all(|&first| first == 0) {
            Arrangement::One
        } else if (0..homes.firsts.len()).any(|task| homes.is_shared(task)) {
            Arrangement::Mixed
        } else {
            Arrangement::Each
        }
    }

    /// Moves tasks so that each has a process of its own, or so that all are in one.
    ///
    /// **A process each.** The tasks of a process that is shared move into new processes in its
    /// place, with its settings, each named after its task (with a number if that name is taken).
    /// A stream that several of them use becomes one in each of their processes, of the same name
    /// and priority; what is listed but not used goes with the first. Other processes stay as
    /// they are.
    ///
    /// **One process.** All tasks move into the first process that has one; if that is named
    /// after its only task, it becomes `P0` (or the next free number). The processes that have
    /// lost their tasks go. Streams of one name in several of them get names of their own, all but
    /// the first in the kernel table, so that they stay distinct, except for two kinds: NULL is one
    /// stream of the process; and those that the other direction has made of one stream of these
    /// tasks, as far as this document remembers, are one again unless their priorities differ now.
    pub fn arrange(&mut self, arrangement: Arrangement) {
        match (arrangement, self.arrangement()) {
            (Arrangement::Each, Arrangement::Mixed | Arrangement::One) => self.separate(),
            (Arrangement::One, Arrangement::Mixed | Arrangement::Each) => self.unite(),
            _ => {}
        }
    }

    /// Has all processes take turns of one timeslice, with this cost of a switch, both as they are typed.
    pub fn take_turns(&mut self, timeslice: &str, switch_cost: &str) {
        self.processes.iter_mut().for_each(|line| line.set("timeslice_ns", timeslice));
        self.set_constant_switches(switch_cost);
    }

    fn homes(&self) -> Homes {
        let first_process = self.name(Table::Processes, 0);
        let names: Vec<String> = self.tasks.iter().map(|l| l.value.process.clone().unwrap_or_else(|| first_process.clone())).collect();
        let mut by_name = Names::default();
        let firsts: Vec<usize> = names.iter().enumerate().map(|(task, name)| by_name.place(0, name.clone(), task)).collect();
        let mut sizes = vec![0; names.len()];
        firsts.iter().for_each(|&first| sizes[first] += 1);
        Homes { names, firsts, sizes, by_name }
    }

    /// The task of every kernel row; `None` if there is no such task.
    fn owners(&self) -> Vec<Option<usize>> {
        let tasks = Names::from_names(self.tasks.iter().map(|l| l.value.name.as_str()));
        self.kernels.iter().map(|l| l.value.task.as_ref().map_or(Some(0), |name| tasks.get(0, name))).collect()
    }

    fn separate(&mut self) {
        let homes = self.homes();
        let count = homes.names.len();
        let is_split = |process: &str| homes.by_name.get(0, process).filter(|&first| homes.is_shared(first));

        // Which tasks use a stream of a process that is split, by order of use.
        let mut uses: Vec<(String, Vec<usize>)> = Vec::new();
        let mut place = Names::default();
        for (line, owner) in self.kernels.iter().zip(self.owners()) {
            let Some(task) = owner.filter(|&task| homes.is_shared(task)) else { continue };
            let stream = &line.value.stream;
            let at = place.place(homes.firsts[task] as u32, stream.clone(), uses.len());
            if at == uses.len() {
                uses.push((stream.clone(), Vec::new()));
            }
            if !uses[at].1.contains(&task) {
                uses[at].1.push(task);
            }
        }

        // Names of the new processes.
        let mut taken: Vec<String> = self.names(Table::Processes).into_iter().filter(|name| is_split(name).is_none()).collect();
        taken.extend((0..count).filter(|&task| !homes.is_shared(task)).map(|task| homes.names[task].clone()));
        let mut names = homes.names.clone();
        for task in (0..count).filter(|&task| homes.is_shared(task)) {
            let like = self.tasks[task].value.name.trim();
            let is_free = !like.is_empty() && !taken.iter().any(|name| name == like);
            names[task] = if is_free { like.to_owned() } else { fresh_name(&taken, like, "P") };
            taken.push(names[task].clone());
        }

        // They take the place of the process that they were in; one that was not there had none.
        let first_process = self.name(Table::Processes, 0);
        let mut is_made = vec![false; count];
        let mut old = std::mem::take(&mut self.processes);
        for &first in &homes.firsts {
            if homes.is_shared(first) && !old.iter().any(|l| l.value.name == homes.names[first]) {
                old.push(DocumentRow { id: 0, value: ProcessDraft::named(homes.names[first].clone()), raw: Texts::default() });
            }
        }
        for line in old {
            match is_split(&line.value.name) {
                Some(first) if !std::mem::replace(&mut is_made[first], true) => {
                    for task in (first..count).filter(|&task| homes.firsts[task] == first) {
                        let value = ProcessDraft { name: names[task].clone(), ..line.value.clone() };
                        self.processes.push(DocumentRow { id: self.next_id, value, raw: line.raw.clone() });
                        self.next_id += 1;
                    }
                }
                _ => self.processes.push(line),
            }
        }

        for stream in std::mem::take(&mut self.rest.streams) {
            let Some(first) = is_split(stream.process.as_ref().unwrap_or(&first_process)) else {
                self.rest.streams.push(stream);
                continue;
            };
            let users = place.get(first as u32, &stream.name).map_or(vec![first], |at| uses[at].1.clone());
            for task in users {
                self.rest.streams.push(StreamDraft { process: Some(names[task].clone()), ..stream.clone() });
            }
        }
        for (stream, users) in uses.into_iter().filter(|(stream, users)| users.len() > 1 && stream != NULL_STREAM) {
            self.split.push((stream, users.into_iter().map(|task| self.tasks[task].id).collect()));
        }
        for (task, name) in names.into_iter().enumerate().filter(|&(task, _)| homes.is_shared(task)) {
            self.tasks[task].value.process = Some(name);
        }
    }

    fn unite(&mut self) {
        let homes = self.homes();
        let owners = self.owners();
        let streams = self.streams();
        let first_process = self.name(Table::Processes, 0);
        let host = self.processes.iter().position(|l| homes.by_name.get(0, &l.value.name).is_some()).unwrap_or(0);
        let host_id = self.processes[host].id;
        let host_name = self.processes[host].value.name.clone();
        // Whose streams are moved: by first task, and those of a host without one at the end.
        let group = |process: &str| homes.by_name.get(0, process).or_else(|| (process == host_name).then_some(homes.names.len()));

        // The names of the streams in the one process.
        let mut all: Vec<String> = streams.iter().filter(|s| group(&s.process).is_some()).map(|s| s.name.clone()).collect();
        let mut given: Vec<String> = Vec::with_capacity(streams.len());
        let (mut place, mut taken) = (Names::default(), Names::default());
        let split_of = |i: usize| {
            let first = self.tasks.get(group(&streams[i].process)?)?.id;
            self.split.iter().position(|(name, tasks)| *name == streams[i].name && tasks.contains(&first))
        };
        for (i, s) in streams.iter().enumerate() {
            let Some(group) = group(&s.process) else {
                given.push(s.name.clone());
                continue;
            };
            place.place(group as u32, s.name.clone(), i);
            let first = taken.place(0, s.name.clone(), i);
            let counterpart = || {
                let made = split_of(i)?;
                (first..i).find(|&other| {
                    let is_like = streams[other].priority == s.priority && streams[other].non_blocking == s.non_blocking;
                    streams[other].name == s.name && is_like && split_of(other) == Some(made)
                })
            };
            given.push(if first == i || s.name == NULL_STREAM {
                s.name.clone()
            } else if let Some(counterpart) = counterpart() {
                given[counterpart].clone()
            } else {
                all.push(fresh_name(&all, &s.name, "S"));
                all[all.len() - 1].clone()
            });
        }
        for (line, owner) in self.kernels.iter_mut().zip(owners) {
            let at = owner.and_then(|task| place.get(homes.firsts[task] as u32, &line.value.stream));
            if let Some(at) = at {
                line.value.stream.clone_from(&given[at]);
            }
        }

        self.processes.retain(|l| l.id == host_id || homes.by_name.get(0, &l.value.name).is_none());
        let host = self.processes.iter().position(|l| l.id == host_id).unwrap_or(0);
        let is_alone = |&task: &usize| homes.sizes[task] == 1 && self.tasks[task].value.name == host_name;
        if homes.by_name.get(0, &host_name).as_ref().is_some_and(is_alone) {
            let others: Vec<String> = self.processes.iter().filter(|l| l.id != host_id).map(|l| l.value.name.clone()).collect();
            let is_free = !others.iter().any(|name| name == "P0");
            self.processes[host].value.name = if is_free { "P0".to_owned() } else { fresh_name(&others, "P", "P") };
        }
        let process = (host > 0).then(|| self.processes[host].value.name.clone());
        let mut listed = Names::default();
        for (i, stream) in std::mem::take(&mut self.rest.streams).into_iter().enumerate() {
            let old = group(stream.process.as_ref().unwrap_or(&first_process)).and_then(|group| place.get(group as u32, &stream.name));
            match old {
                Some(old) if listed.place(0, given[old].clone(), i) == i => {
                    self.rest.streams.push(StreamDraft { process: process.clone(), name: given[old].clone(), ..stream });
                }
                Some(_) => {}
                None => self.rest.streams.push(stream),
            }
        }
        self.tasks.iter_mut().for_each(|l| l.value.process.clone_from(&process));
        self.split.clear();
    }
}
