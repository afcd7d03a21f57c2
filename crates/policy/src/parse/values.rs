//! Tasks, sets of tasks, numbers, and what else can be compared.
//!
//! Depends on the parser of conditions, as a choice among tasks may have one.

use super::{Held, Named, Parsed, Parser, one};
use crate::lex::TokenKind;
use crate::program::{Condition, How, Number, One, Pick, Tasks, Value, VariableKind};

/// What may be given a name within an event.
pub(super) enum Some {
    Task(One),
    Number(Number),
    Flag(Condition),
}

/// What a value was found to be.
pub(super) enum Operand {
    Task(One),
    Tasks(Tasks),
    Number(Number),
    /// A priority, period or deadline.
    Rank(Value),
    Flag(Condition),
}

impl Operand {
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Self::Task(_) => "a task",
            Self::Tasks(_) => "a set",
            Self::Number(_) => "a number",
            Self::Rank(Value::Priority(_)) => "a priority",
            Self::Rank(Value::Period(_)) => "a period",
            Self::Rank(_) => "a deadline",
            Self::Flag(_) => "a condition",
        }
    }
}

impl Parser {
    /// What follows `name =` where the name is new.
    pub(super) fn some_value(&mut self) -> Parsed<Some> {
        let at = self.at;
        let starts_condition = ["not", "any", "true", "false", "(", "in"].contains(&self.text());
        if !starts_condition {
            match self.operand()? {
                Operand::Task(task) if self.token().is_none() => return Ok(Some::Task(task)),
                Operand::Number(number) if self.token().is_none() => return Ok(Some::Number(number)),
                Operand::Rank(_) if self.token().is_none() => {
                    self.at = at;
                    return Err(self.wrong("priorities, periods and deadlines are compared where they stand and have no names"));
                }
                _ => self.at = at,
            }
        }
        Ok(Some::Flag(self.condition()?))
    }

    /// A task, or none.
    pub(super) fn task(&mut self, after: &str) -> Parsed<One> {
        let at = self.at;
        if self.token().is_none() {
            return Err(self.unexpected(&format!("a task is missing after {after}")));
        }
        match self.primary()? {
            Operand::Task(task) => Ok(task),
            other => {
                self.at = at;
                Err(self.wrong(format!("{} is {}; a task is needed here", self.text(), other.kind())))
            }
        }
    }

    /// A number for a variable.
    pub(super) fn number_value(&mut self, of: &str) -> Parsed<Number> {
        let at = self.at;
        match self.operand()? {
            Operand::Number(number) => Ok(number),
            other => {
                self.at = at;
                Err(self.wrong(format!("{of} is a number, and this is {}", other.kind())))
            }
        }
    }

    /// A set, or what is left of sets.
    pub(super) fn tasks(&mut self) -> Parsed<Tasks> {
        let at = self.at;
        match self.operand()? {
            Operand::Tasks(tasks) => Ok(tasks),
            Operand::Task(_) => {
                self.at = at;
                Err(self.wrong(format!("{0} is a task; a set is needed here, as in {{{0}}}", self.text())))
            }
            other => {
                self.at = at;
                Err(self.wrong(format!("{} is {}; a set is needed here", self.text(), other.kind())))
            }
        }
    }

    /// Whom a gate lets pass: a set, or the task that there is. `what` is what they are then.
    pub(super) fn named_tasks(&mut self, what: &str) -> Parsed<Tasks> {
        let at = self.at;
        match self.operand()? {
            Operand::Tasks(tasks) => Ok(tasks),
            Operand::Task(task) => Ok(Tasks::Of(task)),
            other => {
                self.at = at;
                Err(self.wrong(format!("{} is {}; a set or a task is {what}", self.text(), other.kind())))
            }
        }
    }

    /// Any value, with + and -.
    pub(super) fn operand(&mut self) -> Parsed<Operand> {
        let mut left = self.primary()?;
        while self.is("+") || self.is("-") {
            let plus = self.is("+");
            let at = self.at;
            self.at += 1;
            let right = self.primary()?;
            left = match (left, right) {
                (Operand::Number(a), Operand::Number(b)) if plus => Operand::Number(Number::Plus(a.into(), b.into())),
                (Operand::Number(a), Operand::Number(b)) => Operand::Number(Number::Minus(a.into(), b.into())),
                (Operand::Tasks(a), Operand::Tasks(b)) if plus => Operand::Tasks(Tasks::Plus(a.into(), b.into())),
                (Operand::Tasks(a), Operand::Tasks(b)) => Operand::Tasks(Tasks::Minus(a.into(), b.into())),
                (a, b) => {
                    self.at = at;
                    let hint =
                        if matches!((&a, &b), (Operand::Tasks(_), Operand::Task(_))) { "; write the task as a set: {t}" } else { "" };
                    return Err(self.wrong(format!("{} and {} cannot be added or subtracted{hint}", a.kind(), b.kind())));
                }
            };
        }
        Ok(left)
    }

    fn primary(&mut self) -> Parsed<Operand> {
        let word = self.text().to_owned();
        match self.token().map(|token| token.kind.clone()) {
            Some(TokenKind::Number(number)) => {
                self.at += 1;
                Ok(Operand::Number(Number::Is(number)))
            }
            Some(TokenKind::Name) => self.named(),
            Some(TokenKind::Sign) => match word.as_str() {
                "{" => self.listed(),
                "(" => self.deeper(|parser| {
                    parser.at += 1;
                    let inner = parser.operand()?;
                    parser.expect(")", "the value")?;
                    Ok(inner)
                }),
                "-" => {
                    self.at += 1;
                    let number = self.take_number("what is subtracted")?;
                    Ok(Operand::Number(Number::Is(-number)))
                }
                _ => Err(self.unexpected("a value is missing")),
            },
            Some(TokenKind::Word) => self.word(&word),
            None => Err(self.unexpected("a value is missing")),
        }
    }

    fn word(&mut self, word: &str) -> Parsed<Operand> {
        match word {
            "none" => {
                self.at += 1;
                Ok(Operand::Task(One::None))
            }
            "true" | "false" => {
                self.at += 1;
                Ok(Operand::Flag(Condition::Is(word == "true")))
            }
            "ready" => {
                self.at += 1;
                Ok(Operand::Tasks(Tasks::Ready))
            }
            "highest" | "lowest" | "first" | "draw" => self.deeper(|parser| parser.pick(word)),
            "count" => {
                self.at += 1;
                self.expect("of", "count")?;
                let at = self.at;
                match self.deeper(Self::primary)? {
                    Operand::Tasks(tasks) => Ok(Operand::Number(Number::Count(tasks))),
                    other => {
                        self.at = at;
                        Err(self.wrong(format!("{} is {}; the tasks of a set are counted", self.text(), other.kind())))
                    }
                }
            }
            "priority" | "period" | "deadline" | "id" | "sms" | "duration" => {
                self.at += 1;
                let task = self.of_task(word)?;
                Ok(match word {
                    "priority" => {
                        self.reads.priority = true;
                        Operand::Rank(Value::Priority(task))
                    }
                    "period" => {
                        self.reads.period = true;
                        Operand::Rank(Value::Period(task))
                    }
                    "deadline" => {
                        self.reads.deadline = true;
                        Operand::Rank(Value::Deadline(task))
                    }
                    "id" => {
                        self.reads.order = true;
                        Operand::Number(Number::Id(task))
                    }
                    _ => {
                        self.reads.sizes = true;
                        Operand::Number(if word == "sms" { Number::Sms(task) } else { Number::Duration(task) })
                    }
                })
            }
            "realtime" | "besteffort" if self.has_subject => {
                self.at += 1;
                Ok(Operand::Flag(class(word, One::Subject)))
            }
            "realtime" | "besteffort" => Err(self.wrong(format!("{word} of which task? Write t is {word}"))),
            _ => Err(self.unexpected("a value is missing")),
        }
    }

    /// The task that an attribute is of: the one after `of`, or the one that a condition is about.
    fn of_task(&mut self, what: &str) -> Parsed<One> {
        if self.take("of") {
            return self.deeper(|parser| parser.task("of"));
        }
        if self.has_subject {
            return Ok(One::Subject);
        }
        Err(self.wrong_before(format!("{what} of which task? Write {what} of t")))
    }

    fn named(&mut self) -> Parsed<Operand> {
        let name = self.text().to_owned();
        let Some(named) = self.find(&name) else {
            let wanted = "give it a value first, or declare it at the top";
            return Err(self.unknown(wanted));
        };
        self.at += 1;
        if let Some(task) = one(&named, |slot| *self.kind(slot) == VariableKind::Task) {
            return Ok(Operand::Task(task));
        }
        Ok(match named {
            Named::Local(Held::Number, slot) => Operand::Number(Number::Local(slot)),
            Named::Local(_, slot) => Operand::Flag(Condition::Local(slot)),
            Named::Variable(slot) => match self.kind(slot) {
                VariableKind::Number(_) => Operand::Number(Number::Variable(slot)),
                VariableKind::Flag(_) => Operand::Flag(Condition::Variable(slot)),
                VariableKind::NumberOfTask(_) => Operand::Number(Number::Of(slot, self.of_task(&name)?)),
                VariableKind::FlagOfTask(_) => Operand::Flag(Condition::Of(slot, self.of_task(&name)?)),
                _ => Operand::Tasks(Tasks::Variable(slot)),
            },
        })
    }

    fn listed(&mut self) -> Parsed<Operand> {
        self.at += 1;
        let mut tasks = Vec::new();
        while !self.take("}") {
            if !tasks.is_empty() {
                self.expect(",", "a task of a set")?;
            }
            tasks.push(self.deeper(|parser| parser.task("{"))?);
        }
        Ok(Operand::Tasks(Tasks::Listed(tasks)))
    }

    /// `highest priority in pending where realtime`.
    fn pick(&mut self, word: &str) -> Parsed<Operand> {
        self.at += 1;
        let count = match self.token().map(|token| &token.kind) {
            Some(TokenKind::Number(_)) => {
                let count = self.take_number("how many")?;
                if !(1..=crate::state::MAX_TASKS as i64).contains(&count) {
                    return Err(self.wrong_before(format!("{count} tasks: between 1 and {} can be chosen", crate::state::MAX_TASKS)));
                }
                Some(count as u32)
            }
            _ => None,
        };
        let how = match word {
            "first" => How::First,
            "draw" => {
                self.reads.chance = true;
                How::Draw(if self.take("by") { Some(self.number_of_task()?) } else { None })
            }
            _ if self.is("in") => return Err(self.wrong(format!("{word} what? Write {word} priority in ..."))),
            _ => {
                let key = self.key(word)?;
                if word == "highest" { How::Highest(key) } else { How::Lowest(key) }
            }
        };
        let at = self.at;
        if !self.take("in") {
            let hint = if self.is("of") || self.is("from") { format!("; write in instead of {}", self.text()) } else { String::new() };
            return Err(self.unexpected(&format!("in and a set are missing after {word}{hint}")));
        }
        let from = self.tasks()?;
        let has_order =
            !matches!(&how, How::Highest(Value::Priority(One::Subject) | Value::Period(One::Subject) | Value::Deadline(One::Subject)))
                && !matches!(
                    &how,
                    How::Lowest(Value::Priority(One::Subject) | Value::Period(One::Subject) | Value::Deadline(One::Subject))
                )
                && !matches!(&how, How::Draw(_));
        if has_order {
            self.note_order(&from);
        }
        debug_assert!(at < self.at);
        let only = if self.take("where") { Some(self.about_subject()?) } else { None };
        let pick = Pick { how, from, only };
        Ok(match count {
            Some(count) => Operand::Tasks(Tasks::Several(count, pick.into())),
            None => Operand::Task(One::Pick(pick.into())),
        })
    }

    fn number_of_task(&mut self) -> Parsed<usize> {
        if self.token().is_some_and(|token| token.kind == TokenKind::Name) {
            match self.find(self.text()) {
                None => return Err(self.unknown("declare it at the top, as in: tickets: number for each task")),
                Some(Named::Variable(slot)) if matches!(self.kind(slot), VariableKind::NumberOfTask(_)) => {
                    self.at += 1;
                    return Ok(slot);
                }
                _ => {}
            }
        }
        Err(self.unexpected("a draw is by a number of each task"))
    }

    /// What is highest or lowest.
    fn key(&mut self, word: &str) -> Parsed<Value> {
        let (at, had) = (self.at, self.has_subject);
        self.has_subject = true;
        let operand = self.primary();
        self.has_subject = had;
        match operand? {
            Operand::Rank(value) => Ok(value),
            Operand::Number(number) => Ok(Value::Number(number)),
            other => {
                self.at = at;
                Err(self.wrong(format!("{word} what? {} is {}; write {word} priority in ...", self.text(), other.kind())))
            }
        }
    }

    /// What is about each task of a set.
    pub(super) fn about_subject(&mut self) -> Parsed<Condition> {
        let had = std::mem::replace(&mut self.has_subject, true);
        let condition = self.deeper(Self::condition);
        self.has_subject = had;
        condition
    }

    /// Whether going through these depends on the numbers of tasks.
    pub(super) fn note_order(&mut self, from: &Tasks) {
        self.reads.order |= !self.keeps_order(from);
    }

    /// Whether these come in an order of their own.
    pub(super) fn keeps_order(&self, tasks: &Tasks) -> bool {
        match tasks {
            Tasks::Variable(slot) => *self.kind(*slot) == VariableKind::Queue,
            Tasks::Listed(_) | Tasks::Of(_) => true,
            Tasks::Plus(a, b) => self.keeps_order(a) && self.keeps_order(b),
            Tasks::Minus(a, _) => self.keeps_order(a),
            Tasks::Ready | Tasks::Several(..) => false,
        }
    }
}

/// Whether a task is of a class.
pub(super) fn class(word: &str, task: One) -> Condition {
    let realtime = Condition::Realtime(task);
    if word == "realtime" { realtime } else { Condition::Not(realtime.into()) }
}
