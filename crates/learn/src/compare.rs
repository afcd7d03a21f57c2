//! Two runs of nearly one table side by side: where they part, and where each stands when the
//! other does.
//!
//! Depends on `trace`, `record`, `view` and, in the files below, on names alone. Invariants: the two
//! runs play the same part, so exchanging them exchanges the sides of every difference and nothing
//! else; a run beside itself differs nowhere; between two stops, and after the last, both do the
//! same at the same instants and in the same order.
//!
//! What is compared: everything that happens to operations and jobs. Two steps are the same if the
//! same happens at the same instant in the same place, by whatever rule, as policies cite different
//! ones for the same effect. Left out is what follows from something compared already: that a kernel
//! or copy leaves its queue, and the end of a block that began elsewhere or at another time. Turns
//! of processes, choices of jobs and servers are compared where both runs have them.

mod matching;
pub mod tables;
pub mod words;

pub use matching::Matching;

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

use matching::Key;

use blockstep_sim::record::Records;
use blockstep_sim::trace::{Change, Trace};
use blockstep_sim::units::{StepId, Time};
use blockstep_view::position::{at_time, time_at};

/// A run with its own records.
#[derive(Clone, Copy, Debug)]
pub struct Side<'a> {
    /// The run.
    pub trace: &'a Trace,
    /// What it did.
    pub records: &'a Records,
}

/// An instant at which two runs do not do the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DifferenceStop {
    /// The instant, ns from the start of both runs.
    pub at: Time,
    /// Where to stand in run a: after the first step that only it does, else after the instant.
    pub position_a: u32,
    /// Likewise in run b.
    pub position_b: u32,
    /// Ends of what is listed of either run, in the lists of all stops.
    ends: [u32; 2],
    /// If both do the same in another order: the first steps that differ.
    order: Option<[StepId; 2]>,
}

/// Where two runs part: the first steps, in order, that are not the same. `None` where a run has no more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct First {
    /// Of run a.
    pub a: Option<StepId>,
    /// Of run b.
    pub b: Option<StepId>,
}

/// What ties two runs together when one is walked through.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lockstep {
    /// The same instant; within one, as many steps.
    #[default]
    Time,
    /// The other run stands right after what happened last in this one, whenever that was there.
    Decision,
}

/// All differences of two runs.
#[derive(Clone, Debug)]
pub struct Differences {
    matching: Matching,
    first: Option<First>,
    stops: Vec<DifferenceStop>,
    /// What only one run does at a stop, stop by stop, in order of its steps.
    only: [Vec<StepId>; 2],
}

/// The steps of a run that are compared.
fn compared(of: Side<'_>, matching: &Matching, is_b: bool, other: Side<'_>) -> Vec<u32> {
    let steps = of.trace.steps().iter().enumerate();
    steps.filter(|(_, step)| matching.is_compared(of, other, is_b, step)).map(|(i, _)| i as u32).collect()
}

impl Differences {
    /// Compares two runs. Linear in their steps but for sorting what falls on one instant.
    #[must_use]
    pub fn new(a: Side<'_>, b: Side<'_>) -> Self {
        let matching = Matching::new(a, b);
        let lists = [compared(a, &matching, false, b), compared(b, &matching, true, a)];
        let mut found = Self { matching, first: None, stops: Vec::new(), only: [Vec::new(), Vec::new()] };
        let [mut rest_a, mut rest_b] = [&lists[0][..], &lists[1][..]];
        let time = |side: Side<'_>, list: &[u32]| list.first().map(|&i| side.trace.step(StepId(i)).at);
        while let Some(at) = [time(a, rest_a), time(b, rest_b)].into_iter().flatten().min() {
            let now_a = instant(a, &mut rest_a, at);
            let now_b = instant(b, &mut rest_b, at);
            let same = |(&i, &j): (&u32, &u32)| found.matching.key(a, false, StepId(i)) == found.matching.key(b, true, StepId(j));
            let agreed = now_a.iter().zip(now_b).take_while(|&pair| same(pair)).count();
            if agreed == now_a.len() && agreed == now_b.len() {
                continue;
            }
            if found.first.is_none() {
                let next = |now: &[u32], rest: &[u32]| now.get(agreed).or_else(|| rest.first()).map(|&i| StepId(i));
                found.first = Some(First { a: next(now_a, rest_a), b: next(now_b, rest_b) });
            }
            found.add(at, [a, b], [&now_a[agreed..], &now_b[agreed..]]);
        }
        found
    }

    /// Adds a stop for what two runs do at one instant from the first difference on.
    fn add(&mut self, at: Time, sides: [Side<'_>; 2], rests: [&[u32]; 2]) {
        let starts = [0, 1].map(|i| self.only[i].len());
        if rests.iter().any(|rest| rest.is_empty()) {
            for (only, rest) in self.only.iter_mut().zip(rests) {
                only.extend(rest.iter().map(|&step| StepId(step)));
            }
        } else {
            self.add_only(sides, rests);
        }
        let is_other_order = [0, 1].map(|i| self.only[i].len()) == starts;
        let order = match (is_other_order, rests) {
            (true, [[a, ..], [b, ..]]) => Some([StepId(*a), StepId(*b)]),
            _ => None,
        };
        let position = |i: usize| {
            let first = order.map(|steps| steps[i]).or_else(|| self.only[i].get(starts[i]).copied());
            first.map_or_else(|| at_time(sides[i].trace, at), |step| step.0 + 1)
        };
        let (position_a, position_b) = (position(0), position(1));
        let ends = [0, 1].map(|i| self.only[i].len() as u32);
        self.stops.push(DifferenceStop { at, position_a, position_b, ends, order });
    }

    /// Lists what only one of two runs does of what both do at one instant.
    fn add_only(&mut self, sides: [Side<'_>; 2], rests: [&[u32]; 2]) {
        let mut keys = [0, 1].map(|i| {
            let of = |&step: &u32| (self.matching.key(sides[i], i == 1, StepId(step)), step);
            let mut keys: Vec<(Key, u32)> = rests[i].iter().map(of).collect();
            keys.sort_unstable();
            keys.into_iter().peekable()
        });
        let starts = [0, 1].map(|i| self.only[i].len());
        let [keys_a, keys_b] = &mut keys;
        loop {
            let order = match (keys_a.peek(), keys_b.peek()) {
                (None, None) => break,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(a), Some(b)) => a.0.cmp(&b.0),
            };
            let (step_a, step_b) = (keys_a.next_if(|_| order.is_le()), keys_b.next_if(|_| order.is_ge()));
            if order.is_ne() {
                self.only[0].extend(step_a.map(|(_, step)| StepId(step)));
                self.only[1].extend(step_b.map(|(_, step)| StepId(step)));
            }
        }
        for (only, start) in self.only.iter_mut().zip(starts) {
            only[start..].sort_unstable();
        }
    }

    /// Where they part; `None` if they nowhere differ.
    #[must_use]
    pub fn first(&self) -> Option<First> {
        self.first
    }

    /// Every instant at which they differ, in order of time.
    #[must_use]
    pub fn stops(&self) -> &[DifferenceStop] {
        &self.stops
    }

    /// What belongs to what.
    #[must_use]
    pub fn matching(&self) -> &Matching {
        &self.matching
    }

    /// Steps at a stop that only one run does then, or does elsewhere: of run a, of run b.
    #[must_use]
    pub fn only(&self, stop: usize) -> [&[StepId]; 2] {
        [0, 1].map(|i| {
            let from = stop.checked_sub(1).map_or(0, |before| self.stops[before].ends[i]);
            &self.only[i][from as usize..self.stops[stop].ends[i] as usize]
        })
    }

    /// If both runs do the same at a stop, in another order: the first steps that differ.
    #[must_use]
    pub fn order(&self, stop: usize) -> Option<[StepId; 2]> {
        self.stops[stop].order
    }

    /// Whether only run b does something at a stop; run a may then have no step at that instant.
    #[must_use]
    pub fn is_of_b(&self, stop: usize) -> bool {
        self.order(stop).is_none() && self.only(stop)[0].is_empty()
    }

    /// The stop at an instant.
    #[must_use]
    pub fn at(&self, at: Time) -> Option<usize> {
        self.stops.binary_search_by(|stop| stop.at.cmp(&at)).ok()
    }

    /// The first stop after a place in run a: an instant and a position that is not later.
    #[must_use]
    pub fn next(&self, at: Time, position: u32) -> Option<usize> {
        let next = self.stops.partition_point(|stop| (stop.at, stop.position_a) <= (at, position));
        (next < self.stops.len()).then_some(next)
    }

    /// The last stop before a place in run a.
    #[must_use]
    pub fn previous(&self, at: Time, position: u32) -> Option<usize> {
        self.stops.partition_point(|stop| (stop.at, stop.position_a) < (at, position)).checked_sub(1)
    }

    /// Where run b stands when run a stands at `position` and shows the time `at`. The sides are
    /// those that were compared.
    #[must_use]
    pub fn position_in_b(&self, a: Side<'_>, b: Side<'_>, by: Lockstep, position: u32, at: Time) -> u32 {
        match by {
            Lockstep::Time => self.by_time(a, b, position, at),
            Lockstep::Decision => self.by_decision(a, b, position),
        }
    }

    fn by_time(&self, a: Side<'_>, b: Side<'_>, position: u32, at: Time) -> u32 {
        let now = time_at(a.trace, position).max(at);
        let is_within = a.trace.steps().get(position as usize).is_some_and(|next| next.at == now);
        if !is_within {
            return at_time(b.trace, now);
        }
        let start = |side: Side<'_>| side.trace.steps().partition_point(|step| step.at < now);
        let taken = &a.trace.steps()[start(a).min(position as usize)..position as usize];
        let mut count = taken.iter().filter(|step| self.matching.is_compared(a, b, false, step)).count();
        let mut stands = start(b);
        for (i, step) in b.trace.steps().iter().enumerate().skip(stands).take_while(|(_, step)| step.at == now) {
            if count == 0 {
                break;
            }
            if self.matching.is_compared(b, a, true, step) {
                count -= 1;
                stands = i + 1;
            }
        }
        stands as u32
    }

    fn by_decision(&self, a: Side<'_>, b: Side<'_>, position: u32) -> u32 {
        let before = (0..(position as usize).min(a.trace.steps().len())).rev().map(StepId::at);
        { before }.find_map(|id| self.matching.counterpart(a, b, false, id)).map_or(0, |step| step.0 + 1)
    }
}

/// Takes the steps of one instant off the front of a list.
fn instant<'l>(side: Side<'_>, rest: &mut &'l [u32], at: Time) -> &'l [u32] {
    let count = rest.iter().take_while(|&&i| side.trace.step(StepId(i)).at == at).count();
    let (now, later) = rest.split_at(count);
    *rest = later;
    now
}

/// The steps of an instant.
fn steps_at(trace: &Trace, at: Time) -> impl Iterator<Item = (StepId, Change)> {
    let from = trace.steps().partition_point(|step| step.at < at);
    let steps = trace.steps()[from..].iter().take_while(move |step| step.at == at);
    steps.enumerate().map(move |(i, step)| (StepId::at(from + i), step.change))
}
