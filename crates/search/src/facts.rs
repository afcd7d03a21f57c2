//! Tasks as a search without times knows them: who has asked, who has run, and in which order jobs are due.
//!
//! Depends on the crate `policy`. Deadlines are an order only: a job that begins may be due before, with or after any job that
//! is there, and that is all that a policy can compare.

use blockstep_policy::{Program, TaskFacts, TaskNumber, TaskSet};

use super::assign::by_deadline;

/// The requests so far, as far as they matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RequestFacts {
    /// Those that have begun and not ended.
    pub(super) active: u8,
    /// Those of them that have run since.
    pub(super) started: u8,
    /// Who is admitted.
    pub(super) admitted: u8,
    /// Of each task the place of its job's deadline, from 1, dense; 0 if it has none.
    pub(super) due: [u8; crate::MAX_SEARCHED],
}

impl RequestFacts {
    pub(super) const NOTHING: Self = Self { active: 0, started: 0, admitted: 0, due: [0; crate::MAX_SEARCHED] };

    pub(super) fn running(&self) -> u8 {
        self.admitted & self.active
    }

    pub(super) fn waiting(&self) -> u8 {
        self.active & !self.admitted
    }

    /// How many deadlines differ.
    pub(super) fn deadlines(&self) -> u8 {
        self.due.iter().copied().max().unwrap_or(0)
    }

    /// A deadline comes in: `at` is even before the place `at / 2 + 1`, and odd at the place `(at + 1) / 2`.
    pub(super) fn due_at(&mut self, task: usize, at: u8) {
        if at % 2 == 1 {
            self.due[task] = at.div_ceil(2);
        } else {
            let place = at / 2 + 1;
            self.due.iter_mut().filter(|due| **due >= place).for_each(|due| *due += 1);
            self.due[task] = place;
        }
    }

    /// A deadline goes.
    pub(super) fn not_due(&mut self, task: usize) {
        let place = std::mem::replace(&mut self.due[task], 0);
        if place > 0 && !self.due.contains(&place) {
            self.due.iter_mut().filter(|due| **due > place).for_each(|due| *due -= 1);
        }
    }
}

/// How urgent tasks are.
#[derive(Clone, Debug)]
pub(super) struct Ranks {
    pub(super) ranks: Vec<u8>,
    by_deadline: bool,
    pub(super) reads_deadline: bool,
}

impl Ranks {
    pub(super) fn new(program: &Program, ranks: &[u8]) -> Self {
        Self { ranks: ranks.to_vec(), by_deadline: by_deadline(program), reads_deadline: program.reads().deadline }
    }

    pub(super) fn is_realtime(&self, task: usize) -> bool {
        self.ranks.get(task).is_some_and(|rank| *rank > 0)
    }

    /// Higher is more urgent.
    pub(super) fn urgency(&self, task: usize, asked: &RequestFacts) -> u8 {
        match self.ranks.get(task) {
            Some(rank) if *rank > 0 && self.by_deadline => u8::MAX - asked.due[task],
            Some(rank) => *rank,
            None => 0,
        }
    }

    /// What a policy may look at. Periods follow from ranks.
    pub(super) fn facts(&self, asked: &RequestFacts, facts: &mut Vec<TaskFacts>) {
        facts.clear();
        facts.extend(self.ranks.iter().enumerate().map(|(task, rank)| TaskFacts {
            realtime: *rank > 0,
            priority: i64::from(*rank),
            period: (*rank > 0).then(|| 1000 - u64::from(*rank)),
            deadline: (asked.due[task] > 0).then(|| u64::from(asked.due[task])),
            sms: 0,
            duration: 0,
        }));
    }
}

pub(super) fn set(mask: u8) -> TaskSet {
    TaskSet(u64::from(mask))
}

pub(super) fn mask(tasks: TaskSet) -> u8 {
    (tasks.0 & 0xff) as u8
}

pub(super) fn bit(task: usize) -> u8 {
    1_u8.wrapping_shl(task as u32)
}

pub(super) fn number(task: usize) -> TaskNumber {
    TaskNumber(task as u8)
}
