//! What only all states together show: a task that never runs again, and one that waits forever while its equals run.
//!
//! Depends on `graph`, and on `work` of the simulator. For the second, a run without an end is a set of states that requests do not leave, with these rules of
//! fairness: of a task that runs in it a job ends in it (but where jobs may run on), time passes in it if the policy has ticks, and every outcome of a draw
//! stays in it (so a draw that would free the task is not avoided forever).

use std::collections::{BTreeMap, VecDeque};

use blockstep_policy::Program;
use blockstep_sim::work::{Budget, Progress};

use super::facts::{bit, number};
use super::graph::{Edge, FoundFault, Graph, Request, Step};
use super::property::Property;
use super::report::Stopped;

/// No component.
const NOWHERE: u32 = u32::MAX;

/// States of which one task is looked at in the time of a decision, roughly.
const STATES_OF_A_DECISION: u64 = 4;

/// Bytes that what is known of each state takes while one property is looked for, and of each edge that leads to it.
const OF_A_STATE: usize = 16;
const OF_AN_EDGE: usize = size_of::<(u32, Step)>();
/// Bytes of each state of a set that is divided.
const OF_A_MEMBER: usize = 160;

/// The way to a set of states without an end, and a way around in it.
#[derive(Clone, Debug)]
struct Trapped {
    steps: Vec<Step>,
    cycle: Vec<Step>,
    task: usize,
}

/// Looks for both in a graph whose states are all known, one task at a time.
#[derive(Clone, Debug)]
pub(super) struct LiveSearch {
    /// What is still to be looked for, the next one last.
    left: Vec<(Property, usize)>,
    masks: Vec<(u8, u8)>,
    backward: Option<Backward>,
    /// The first state that is lost, and for which task.
    lost: Option<(u32, usize)>,
    /// The shortest of each property.
    trapped: BTreeMap<Property, Trapped>,
}

impl LiveSearch {
    pub(super) fn new(graph: &Graph, properties: &[Property]) -> Self {
        let looked_for = [Property::Lost, Property::Starved, Property::Hogged].into_iter().filter(|property| properties.contains(property));
        let mut left: Vec<_> = looked_for.flat_map(|property| (0..graph.ranks.len()).map(move |task| (property, task))).collect();
        left.reverse();
        Self { left, masks: masks(graph), backward: None, lost: None, trapped: BTreeMap::new() }
    }

    /// Goes on until the budget is spent, or all is found; fails if it would take more bytes than these.
    pub(super) fn advance(
        &mut self,
        graph: &mut Graph,
        program: &Program,
        max_bytes: usize,
        budget: &mut Budget,
    ) -> Result<Progress, Stopped> {
        while let Some((property, task)) = self.left.pop() {
            let room = graph.room(max_bytes, OF_A_STATE * graph.len())?;
            match property {
                Property::Lost => {
                    graph.room(max_bytes, OF_A_STATE * graph.len() + OF_AN_EDGE * graph.edges.len())?;
                    self.find_lost(graph, task);
                }
                _ => {
                    self.backward = None;
                    if !self.find_trapped(graph, (property, task), program.tick_every().is_some(), room) {
                        return Err(graph.too_large(max_bytes));
                    }
                }
            }
            budget.spend(graph.len() as u64 / STATES_OF_A_DECISION + 1);
            if budget.is_spent() && !self.left.is_empty() {
                return Ok(Progress::Paused);
            }
        }
        if let Some((state, task)) = self.lost.take() {
            let steps = graph.path(state);
            graph.found.push(FoundFault { property: Property::Lost, about: number(task), steps, cycle: Vec::new(), failure: None });
        }
        for (property, Trapped { steps, cycle, task }) in std::mem::take(&mut self.trapped) {
            graph.found.push(FoundFault { property, about: number(task), steps, cycle, failure: None });
        }
        Ok(Progress::Done)
    }

    /// Goes back from the states in which a task runs; the first state from which none is reached is lost.
    fn find_lost(&mut self, graph: &Graph, task: usize) {
        let masks = &self.masks;
        let backward = self.backward.get_or_insert_with(|| Backward::new(graph));
        let mut runs: Vec<bool> = masks.iter().map(|(_, running)| running & bit(task) != 0).collect();
        let mut open: Vec<u32> = (0..graph.len() as u32).filter(|state| runs[*state as usize]).collect();
        while let Some(state) = open.pop() {
            for (from, step) in backward.edges_into(state) {
                if !runs[*from as usize] && !is_of(*step, task) && masks[*from as usize].0 & bit(task) != 0 {
                    runs[*from as usize] = true;
                    open.push(*from);
                }
            }
        }
        let found = (0..graph.len()).find(|state| masks[*state].0 & bit(task) != 0 && !runs[*state]);
        if let Some(state) = found
            && self.lost.is_none_or(|(known, _)| (state as u32) < known)
        {
            self.lost = Some((state as u32, task));
        }
    }

    /// Finds a run without an end in which a task waits while only its equals or inferiors run; false if there is no room to look for it.
    fn find_trapped(&mut self, graph: &Graph, (property, task): (Property, usize), ticks: bool, room: usize) -> bool {
        let masks = &self.masks;
        let waits = |state: usize| {
            let (active, running) = masks[state];
            if active & bit(task) == 0 || running & bit(task) != 0 {
                return false;
            }
            let asked = graph.asked(state);
            let own = graph.order.urgency(task, &asked);
            (0..graph.ranks.len()).all(|other| running & bit(other) == 0 || graph.order.urgency(other, &asked) <= own)
        };
        let set: Vec<u32> = (0..graph.len()).map(|state| if waits(state) { 0 } else { NOWHERE }).collect();
        if set.iter().filter(|set| **set == 0).count() > room / OF_A_MEMBER {
            return false;
        }
        let mut trap = Trap { graph, masks, task, ticks, ends: property == Property::Starved, set, sets: 1 };
        let Some((steps, cycle)) = trap.fair().and_then(|members| trap.run(&members)) else { return true };
        let length = steps.len() + cycle.len();
        if self.trapped.get(&property).is_none_or(|known| length < known.steps.len() + known.cycle.len()) {
            self.trapped.insert(property, Trapped { steps, cycle, task });
        }
        true
    }
}

/// Which tasks are active and which run, state by state.
fn masks(graph: &Graph) -> Vec<(u8, u8)> {
    (0..graph.len()).map(|state| graph.asked(state)).map(|asked| (asked.active, asked.running())).collect()
}

/// Whether a step is the begin or end of this task's job.
fn is_of(step: Step, task: usize) -> bool {
    matches!(step.request, Request::Begin(of, _) | Request::End(of) if usize::from(of.0) == task)
}

/// The edges of a graph, by where they lead.
#[derive(Clone, Debug)]
struct Backward {
    starts: Vec<u32>,
    edges: Vec<(u32, Step)>,
}

impl Backward {
    fn new(graph: &Graph) -> Self {
        let mut starts = vec![0_u32; graph.len() + 2];
        graph.edges.iter().for_each(|edge| starts[edge.to as usize + 2] += 1);
        (2..starts.len()).for_each(|i| starts[i] += starts[i - 1]);
        let mut edges = vec![(0, Step { request: Request::Tick, outcome: 0 }); graph.edges.len()];
        for from in 0..graph.len() {
            for edge in graph.edges_of(from) {
                let place = &mut starts[edge.to as usize + 1];
                edges[*place as usize] = (from as u32, edge.step);
                *place += 1;
            }
        }
        Self { starts, edges }
    }

    fn edges_into(&self, state: u32) -> &[(u32, Step)] {
        &self.edges[self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize]
    }
}

/// States in which a task waits and only its equals or inferiors run, as sets that shrink until they are fair.
struct Trap<'g> {
    graph: &'g Graph,
    masks: &'g [(u8, u8)],
    task: usize,
    ticks: bool,
    /// Whether jobs that run have to end.
    ends: bool,
    /// Of each state the set that it is in.
    set: Vec<u32>,
    sets: u32,
}

impl Trap<'_> {
    /// Edges of a state that stay in its set, whatever is drawn.
    fn inside(&self, state: u32) -> impl Iterator<Item = Edge> + '_ {
        let edges = self.graph.edges_of(state as usize);
        let stays = move |edge: &Edge| self.set[edge.to as usize] == self.set[state as usize] && !is_of(edge.step, self.task);
        let all_stay = move |edge: &Edge| {
            stays(edge) && (!self.graph.has_draws || edges.iter().filter(|other| other.step.request == edge.step.request).all(stays))
        };
        edges.iter().copied().filter(all_stay)
    }

    /// The fair set with the earliest state, if there is one.
    fn fair(&mut self) -> Option<Vec<u32>> {
        let all: Vec<u32> = (0..self.graph.len() as u32).filter(|state| self.set[*state as usize] == 0).collect();
        let (mut open, mut found) = (vec![all], None::<Vec<u32>>);
        while let Some(members) = open.pop() {
            let parts = self.components(&members);
            let is_whole = parts.len() == 1;
            for part in parts {
                // A part of a set has fewer edges inside, so with draws it has to be divided again.
                if self.graph.has_draws && !is_whole {
                    open.push(part);
                    continue;
                }
                match self.unfair(&part) {
                    Judged::Fair if found.as_ref().is_none_or(|known| part[0] < known[0]) => found = Some(part),
                    Judged::Fair | Judged::Never => {}
                    Judged::Without(task) => {
                        let (sets, masks) = (&mut self.set, self.masks);
                        part.iter().filter(|state| masks[**state as usize].1 & task != 0).for_each(|state| sets[*state as usize] = NOWHERE);
                        let rest: Vec<u32> = part.into_iter().filter(|state| masks[*state as usize].1 & task == 0).collect();
                        if !rest.is_empty() {
                            open.push(rest);
                        }
                    }
                }
            }
        }
        found
    }

    /// Whether a component is fair, and if not, without which tasks it might be.
    fn unfair(&self, part: &[u32]) -> Judged {
        let (mut runs, mut ends, mut has_tick, mut has_edge) = (0_u8, 0_u8, false, false);
        for state in part {
            runs |= self.masks[*state as usize].1;
            for edge in self.inside(*state) {
                has_edge = true;
                match edge.step.request {
                    Request::End(task) => ends |= bit(task.0.into()),
                    Request::Tick => has_tick = true,
                    Request::Begin(..) => {}
                }
            }
        }
        match if self.ends { runs & !ends } else { 0 } {
            _ if runs == 0 || (self.ends && !has_edge) || (self.ticks && !has_tick) => Judged::Never,
            0 => Judged::Fair,
            unfair => Judged::Without(unfair),
        }
    }

    /// Strongly connected components of a set (Tarjan 1972, without recursion), each of which becomes a set of its own.
    /// Each is sorted.
    fn components(&mut self, members: &[u32]) -> Vec<Vec<u32>> {
        let Some(own) = members.first().map(|state| self.set[*state as usize]) else { return Vec::new() };
        let place: Vec<u32> = members.to_vec();
        let local = |state: u32| place.binary_search(&state).unwrap_or(0);
        let (mut index, mut low) = (vec![NOWHERE; members.len()], vec![0_u32; members.len()]);
        let (mut on_stack, mut stack, mut found) = (vec![false; members.len()], Vec::new(), Vec::new());
        let mut next = 0;
        for root in 0..members.len() {
            if index[root] != NOWHERE {
                continue;
            }
            let mut calls: Vec<(usize, Vec<usize>)> = Vec::new();
            let enter = |at: usize, trap: &Self| -> Vec<usize> {
                trap.inside(members[at]).filter(|edge| trap.set[edge.to as usize] == own).map(|edge| local(edge.to)).collect()
            };
            (index[root], low[root]) = (next, next);
            next += 1;
            stack.push(root);
            on_stack[root] = true;
            calls.push((root, enter(root, self)));
            while let Some((at, todo)) = calls.last_mut() {
                let at = *at;
                if let Some(to) = todo.pop() {
                    if index[to] == NOWHERE {
                        (index[to], low[to]) = (next, next);
                        next += 1;
                        stack.push(to);
                        on_stack[to] = true;
                        let edges = enter(to, self);
                        calls.push((to, edges));
                    } else if on_stack[to] {
                        low[at] = low[at].min(index[to]);
                    }
                    continue;
                }
                calls.pop();
                if let Some((before, _)) = calls.last() {
                    low[*before] = low[*before].min(low[at]);
                }
                if low[at] == index[at] {
                    let mut part = Vec::new();
                    while let Some(state) = stack.pop() {
                        on_stack[state] = false;
                        part.push(members[state]);
                        if state == at {
                            break;
                        }
                    }
                    part.sort_unstable();
                    found.push(part);
                }
            }
        }
        for part in &found {
            let set = self.sets;
            self.sets += 1;
            part.iter().for_each(|state| self.set[*state as usize] = set);
        }
        found
    }

    /// The way to the earliest state of a fair set, and a way around in it that is fair.
    fn run(&self, members: &[u32]) -> Option<(Vec<Step>, Vec<Step>)> {
        let first = *members.first()?;
        let (mut at, mut cycle) = (first, Vec::new());
        let runs = members.iter().fold(0, |runs, state| runs | self.masks[*state as usize].1);
        for task in (0..self.graph.ranks.len()).filter(|task| self.ends && runs & bit(*task) != 0) {
            let is_done = cycle.iter().any(|step: &Step| step.request == Request::End(number(task)));
            if !is_done {
                at = self.walk(at, &mut cycle, |_, edge| edge.step.request == Request::End(number(task)))?;
            }
        }
        if self.ticks && !cycle.iter().any(|step| step.request == Request::Tick) {
            at = self.walk(at, &mut cycle, |_, edge| edge.step.request == Request::Tick)?;
        }
        if at != first {
            self.walk(at, &mut cycle, |_, edge| edge.to == first)?;
        }
        Some((self.graph.path(first), cycle))
    }

    /// The shortest way within the set to an edge of some sort, along it; where it leads.
    fn walk(&self, from: u32, steps: &mut Vec<Step>, is_wanted: impl Fn(u32, &Edge) -> bool) -> Option<u32> {
        let mut reached = std::collections::BTreeMap::from([(from, None::<(u32, Step)>)]);
        let mut open = VecDeque::from([from]);
        while let Some(state) = open.pop_front() {
            for edge in self.inside(state) {
                if is_wanted(state, &edge) {
                    let (mut way, mut at) = (vec![edge.step], state);
                    while let Some(Some((before, step))) = reached.get(&at) {
                        way.push(*step);
                        at = *before;
                    }
                    steps.extend(way.into_iter().rev());
                    return Some(edge.to);
                }
                if let std::collections::btree_map::Entry::Vacant(place) = reached.entry(edge.to) {
                    place.insert(Some((state, edge.step)));
                    open.push_back(edge.to);
                }
            }
        }
        None
    }
}

/// What a component is.
enum Judged {
    Fair,
    /// No run stays in it.
    Never,
    /// Not with these tasks running.
    Without(u8),
}
