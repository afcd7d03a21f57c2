//! What values and conditions of a program are at a moment of its decision.
//!
//! Depends on the decision that asks. Invariant: nothing here changes the state.

use super::{Failure, Ran, Run};
use crate::program::{Condition, How, Number, One, Pick, Sign, Tasks, Value};
use crate::state::{MAX_TASKS, TaskFacts, TaskNumber, TaskSet, VariablePlace};

/// Some tasks in an order.
pub(super) struct List {
    tasks: [TaskNumber; MAX_TASKS],
    pub(super) len: usize,
}

impl List {
    fn new() -> Self {
        Self { tasks: [TaskNumber(0); MAX_TASKS], len: 0 }
    }

    fn push(&mut self, task: TaskNumber) {
        if let Some(place) = self.tasks.get_mut(self.len) {
            *place = task;
            self.len += 1;
        }
    }

    pub(super) fn all(&self) -> &[TaskNumber] {
        &self.tasks[..self.len]
    }

    pub(super) fn set(&self) -> TaskSet {
        self.all().iter().fold(TaskSet::EMPTY, |set, task| set.with(*task))
    }
}

impl Run<'_> {
    pub(super) fn one(&mut self, task: &One) -> Ran<Option<TaskNumber>> {
        Ok(match task {
            One::None => None,
            One::Event => self.event,
            One::Subject => self.subject,
            One::Local(slot) => u8::try_from(self.locals[*slot]).ok().map(TaskNumber),
            One::Variable(slot) => match self.places[*slot] {
                VariablePlace::Task(at) => self.state.tasks[at],
                _ => None,
            },
            One::Pick(pick) => {
                let from = self.list(&pick.from)?;
                self.pick(pick, &from, TaskSet::EMPTY)?
            }
        })
    }

    pub(super) fn needed(&mut self, task: &One) -> Ran<TaskNumber> {
        let line = self.line;
        self.one(task)?.ok_or(Failure::NoTask { line })
    }

    fn facts(&mut self, task: &One) -> Ran<TaskFacts> {
        let task = self.needed(task)?;
        Ok(self.world.tasks.get(usize::from(task.0)).copied().unwrap_or_default())
    }

    pub(super) fn list(&mut self, tasks: &Tasks) -> Ran<List> {
        let mut list = List::new();
        match tasks {
            Tasks::Ready => self.world.ready.iter().for_each(|task| list.push(task)),
            Tasks::Variable(slot) => match self.places[*slot] {
                VariablePlace::Set(at) => self.state.sets[at].iter().for_each(|task| list.push(task)),
                VariablePlace::Queue(at) => self.state.queues[at].iter().for_each(|task| list.push(*task)),
                VariablePlace::Task(_) | VariablePlace::Number(_) => {}
            },
            Tasks::Listed(listed) => {
                for task in listed {
                    let task = self.needed(task)?;
                    if !list.all().contains(&task) {
                        list.push(task);
                    }
                }
            }
            Tasks::Plus(a, b) => {
                list = self.list(a)?;
                let (there, more) = (list.set(), self.list(b)?);
                more.all().iter().filter(|task| !there.has(**task)).for_each(|task| list.push(*task));
                if !self.has_order(tasks) {
                    list.tasks[..list.len].sort_unstable();
                }
            }
            Tasks::Minus(a, b) => {
                let (all, less) = (self.list(a)?, self.list(b)?.set());
                all.all().iter().filter(|task| !less.has(**task)).for_each(|task| list.push(*task));
            }
            Tasks::Several(count, pick) => {
                let from = self.list(&pick.from)?;
                for _ in 0..*count {
                    match self.pick(pick, &from, list.set())? {
                        Some(task) => list.push(task),
                        None => break,
                    }
                }
                list.tasks[..list.len].sort_unstable();
            }
            Tasks::Of(task) => {
                if let Some(task) = self.one(task)? {
                    list.push(task);
                }
            }
        }
        Ok(list)
    }

    fn has_order(&self, tasks: &Tasks) -> bool {
        match tasks {
            Tasks::Variable(slot) => matches!(self.places[*slot], VariablePlace::Queue(_)),
            Tasks::Listed(_) | Tasks::Of(_) => true,
            Tasks::Plus(a, b) => self.has_order(a) && self.has_order(b),
            Tasks::Minus(a, _) => self.has_order(a),
            Tasks::Ready | Tasks::Several(..) => false,
        }
    }

    /// Whether a condition holds for a task.
    pub(super) fn passes(&mut self, task: TaskNumber, only: Option<&Condition>) -> Ran<bool> {
        let Some(only) = only else { return Ok(true) };
        let before = self.subject.replace(task);
        let passes = self.is(only);
        self.subject = before;
        passes
    }

    /// One of a list that is not among others yet. Of several that are equal, the first.
    fn pick(&mut self, pick: &Pick, from: &List, but: TaskSet) -> Ran<Option<TaskNumber>> {
        let mut best = None::<(i128, TaskNumber)>;
        let mut drawn: Vec<(u64, TaskNumber)> = Vec::new();
        for task in from.all().iter().copied().filter(|task| !but.has(*task)) {
            self.spend()?;
            if !self.passes(task, pick.only.as_ref())? {
                continue;
            }
            let key = match &pick.how {
                How::First => return Ok(Some(task)),
                How::Draw(weight) => {
                    let weight = weight.map_or(1, |slot| self.get_number(slot, Some(task)));
                    if weight > 0 {
                        drawn.push((weight.unsigned_abs(), task));
                    }
                    continue;
                }
                How::Highest(value) => self.key(task, value)?,
                How::Lowest(value) => -self.key(task, value)?,
            };
            if best.is_none_or(|(highest, _)| key > highest) {
                best = Some((key, task));
            }
        }
        if !drawn.is_empty() {
            let weights: Vec<u64> = drawn.iter().map(|(weight, _)| *weight).collect();
            return Ok(drawn.get(self.draw.draw(&weights)).map(|(_, task)| *task));
        }
        Ok(best.map(|(_, task)| task))
    }

    fn key(&mut self, task: TaskNumber, value: &Value) -> Ran<i128> {
        let before = self.subject.replace(task);
        let key = self.value(value);
        self.subject = before;
        key
    }

    /// As a number that compares like it.
    fn value(&mut self, value: &Value) -> Ran<i128> {
        // Below every number of 64 bits, or above it.
        const APART: i128 = 1 << 64;
        let late = |time: Option<u64>| time.map_or(APART, i128::from);
        Ok(match value {
            Value::Number(number) => self.number(number)?.into(),
            Value::Priority(task) => {
                let facts = self.facts(task)?;
                i128::from(facts.priority) - if facts.realtime { 0 } else { APART }
            }
            Value::Period(task) => {
                let facts = self.facts(task)?;
                late(facts.period.filter(|_| facts.realtime))
            }
            Value::Deadline(task) => {
                let facts = self.facts(task)?;
                late(facts.deadline.filter(|_| facts.realtime))
            }
        })
    }

    pub(super) fn number(&mut self, number: &Number) -> Ran<i64> {
        Ok(match number {
            Number::Is(number) => *number,
            Number::Variable(slot) => self.get_number(*slot, None),
            Number::Local(slot) => self.locals[*slot],
            Number::Of(slot, task) => {
                let task = self.needed(task)?;
                self.get_number(*slot, Some(task))
            }
            Number::Count(tasks) => {
                self.spend()?;
                self.list(tasks)?.len as i64
            }
            Number::Id(task) => i64::from(self.needed(task)?.0),
            Number::Sms(task) => self.facts(task)?.sms,
            Number::Duration(task) => self.facts(task)?.duration,
            Number::Plus(a, b) => self.number(a)?.saturating_add(self.number(b)?),
            Number::Minus(a, b) => self.number(a)?.saturating_sub(self.number(b)?),
        })
    }

    pub(super) fn is(&mut self, condition: &Condition) -> Ran<bool> {
        self.spend()?;
        Ok(match condition {
            Condition::Is(is) => *is,
            Condition::Variable(slot) => self.get_number(*slot, None) != 0,
            Condition::Local(slot) => self.locals[*slot] != 0,
            Condition::Of(slot, task) => {
                let task = self.needed(task)?;
                self.get_number(*slot, Some(task)) != 0
            }
            Condition::Not(inner) => !self.is(inner)?,
            Condition::And(a, b) => self.is(a)? && self.is(b)?,
            Condition::Or(a, b) => self.is(a)? || self.is(b)?,
            Condition::IsNone(task) => self.one(task)?.is_none(),
            Condition::IsEmpty(tasks) => self.list(tasks)?.len == 0,
            Condition::In(task, tasks) => {
                let task = self.needed(task)?;
                self.list(tasks)?.set().has(task)
            }
            Condition::Any(tasks, only) => {
                let list = self.list(tasks)?;
                for task in list.all() {
                    self.spend()?;
                    if self.passes(*task, only.as_deref())? {
                        return Ok(true);
                    }
                }
                false
            }
            Condition::Realtime(task) => self.facts(task)?.realtime,
            Condition::Same(a, b) => self.one(a)? == self.one(b)?,
            Condition::Compare(a, sign, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                match sign {
                    Sign::Less => a < b,
                    Sign::AtMost => a <= b,
                    Sign::More => a > b,
                    Sign::AtLeast => a >= b,
                    Sign::Same => a == b,
                    Sign::Differs => a != b,
                }
            }
        })
    }
}
