//! Which deadlines the jobs of producers inherit: the earliest of those that wait for them, directly or through others.
//!
//! Depends on the rest of `snapshot`. Tasks are cut into chains: each task of a chain but its first has one producer, the task before
//! it. Of one job number the first of a chain that has not supplied is the only one that can be pending, and all that others in the
//! chain have to say is for it. So a deadline is put down where it is, and the earliest of a chain is found without walking along it;
//! only where a chain begins with several producers, or branches off another one, it travels on. Invariant: what a pending job inherits
//! is the earliest deadline of all jobs of its number that are issued and wait for it. Source: [EDF] section IV-A; docs/semantics.md,
//! section 8.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::Snapshot;
use crate::scenario::Scenario;
use crate::trace::Trace;
use crate::units::{JobNo, TaskId, Time};

/// A deadline that is inherited, and the consumer whose it is.
pub(super) type Heir = (Time, TaskId);

/// What it costs to put a deadline down, in units of [`crate::work`].
const COST: u64 = 6;

/// Where a deadline comes in: a place in a chain, and the chain that hands it on there; none if it is that of the place's own task.
type ChainPlace = (u32, Option<u32>);

/// What jobs inherit; empty where nobody consumes anything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Heirs {
    chains: Arc<Chains>,
    /// By chain and job number.
    links: BTreeMap<(u32, JobNo), Link>,
}

/// The deadlines that come in along a chain, of one job number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Link {
    by_place: BTreeMap<ChainPlace, Heir>,
    /// The same, the earliest first.
    by_value: BTreeSet<(Heir, ChainPlace)>,
}

/// Tasks in chains.
#[derive(Debug, Default, PartialEq, Eq)]
struct Chains {
    /// By task: its chain, and its place there.
    places: Vec<(u32, u32)>,
    /// Of each chain, producers first.
    tasks: Vec<Vec<TaskId>>,
}

impl Chains {
    /// Each task goes on to the consumer of it alone behind which most follow, so that few chains lie between a task and its first producer.
    fn from_scenario(scenario: &Scenario) -> Self {
        let count = scenario.tasks().len();
        let only_producer = |task: TaskId| if let [one] = scenario.next_producers(task) { Some(*one) } else { None };
        let (mut sizes, mut next): (Vec<u32>, Vec<Option<TaskId>>) = (vec![1; count], vec![None; count]);
        let mut left: Vec<usize> = (0..count).map(|task| scenario.next_consumers(TaskId::at(task)).len()).collect();
        let mut ready: Vec<TaskId> = (0..count).filter(|&task| left[task] == 0).map(TaskId::at).collect();
        while let Some(task) = ready.pop() {
            if let Some(producer) = only_producer(task) {
                sizes[producer.index()] += sizes[task.index()];
                let next = &mut next[producer.index()];
                if next.is_none_or(|other| sizes[other.index()] < sizes[task.index()]) {
                    *next = Some(task);
                }
            }
            for producer in scenario.next_producers(task) {
                left[producer.index()] -= 1;
                if left[producer.index()] == 0 {
                    ready.push(*producer);
                }
            }
        }
        let mut chains = Self { places: vec![(0, 0); count], tasks: Vec::new() };
        for task in (0..count).map(TaskId::at) {
            if only_producer(task).is_some_and(|producer| next[producer.index()] == Some(task)) {
                continue;
            }
            let chain: Vec<TaskId> = std::iter::successors(Some(task), |task| next[task.index()]).collect();
            for (place, task) in chain.iter().enumerate() {
                chains.places[task.index()] = (chains.tasks.len() as u32, place as u32);
            }
            chains.tasks.push(chain);
        }
        chains
    }
}

impl Link {
    /// The earliest of all.
    fn first(&self) -> Option<Heir> {
        self.by_value.first().map(|(heir, _)| *heir)
    }

    /// The earliest that the task at a place inherits: its own is not among them, nor is what comes in before it.
    fn behind(&self, place: u32) -> Option<Heir> {
        let is_behind = |&&(_, from): &&(Heir, ChainPlace)| from > (place, None);
        self.by_value.iter().find(is_behind).map(|(heir, _)| *heir)
    }

    fn set(&mut self, place: ChainPlace, heir: Heir) {
        if let Some(before) = self.by_place.insert(place, heir) {
            self.by_value.remove(&(before, place));
        }
        self.by_value.insert((heir, place));
    }
}

impl Heirs {
    pub(super) fn new(scenario: &Scenario) -> Self {
        let consumes = scenario.tasks().iter().any(|task| !task.consumes.is_empty());
        Self { chains: Arc::new(if consumes { Chains::from_scenario(scenario) } else { Chains::default() }), links: BTreeMap::new() }
    }

    /// Bytes that it takes beside itself and what all states of a run share.
    pub(super) fn bytes(&self) -> usize {
        let places = self.links.values().map(|link| link.by_place.len()).sum::<usize>();
        2 * (self.links.len() * size_of::<((u32, JobNo), Link)>() + places * 2 * size_of::<(Heir, ChainPlace)>())
    }

    /// Whether no job inherits anything.
    pub(super) fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// What a job inherits, if it is pending.
    pub(super) fn get(&self, task: TaskId, job: JobNo) -> Option<Heir> {
        if self.is_empty() {
            return None;
        }
        let &(chain, place) = self.chains.places.get(task.index())?;
        self.links.get(&(chain, job))?.behind(place)
    }

    /// What comes in at a job that has supplied, or before it, is of use to nobody any more.
    pub(super) fn forget(&mut self, task: TaskId, job: JobNo) {
        let Some(&(chain, place)) = self.chains.places.get(task.index()) else { return };
        let Some(link) = self.links.get_mut(&(chain, job)) else { return };
        while let Some(first) = link.by_place.first_entry().filter(|first| first.key().0 <= place) {
            let (place, heir) = first.remove_entry();
            link.by_value.remove(&(heir, place));
        }
        if link.by_place.is_empty() {
            self.links.remove(&(chain, job));
        }
    }
}

impl Snapshot {
    /// The producers of a job that waits for some inherit its deadline from now on, and no longer one that it had before.
    pub(super) fn bequeath(&mut self, trace: &Trace, task: TaskId, job: JobNo, deadline: Time) {
        let scenario = trace.scenario();
        if self.unfinished_producer(trace, task, job).is_none() {
            return;
        }
        let chains = Arc::clone(&self.claims.heirs.chains);
        let (chain, place) = chains.places[task.index()];
        let mut changes = vec![(chain, (place, None), (deadline, task))];
        while let Some((chain, place, heir)) = changes.pop() {
            let tasks = &chains.tasks[chain as usize];
            self.work.add(COST + u64::from(tasks.len().ilog2()));
            // Who has supplied has nobody before it that has not.
            let front = tasks.partition_point(|&task| self.has_supplied(task, job));
            let link = self.claims.heirs.links.entry((chain, job)).or_default();
            let before = (link.first(), link.behind(front as u32));
            link.set(place, heir);
            let after = (link.first(), link.behind(front as u32));
            let Some(&first) = tasks.get(front) else { continue };
            if after.1 != before.1 && self.claims.ranks.rank(first.into()).is_some() {
                self.work.add(self.claims.ranks.depth());
                self.update_rank(trace, first.into());
            }
            if let (0, Some(heir)) = (front, after.0.filter(|_| after.0 != before.0)) {
                let producers = scenario.next_producers(first);
                self.work.add(producers.len() as u64);
                for &producer in producers.iter().filter(|&&producer| !self.has_supplied(producer, job)) {
                    let (to, place) = chains.places[producer.index()];
                    changes.push((to, (place, Some(chain)), heir));
                }
            }
        }
    }
}
