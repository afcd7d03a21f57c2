//! What may be true or not.
//!
//! Depends on `values`. `and` binds tighter than `or`; a condition after `where` goes as far as it can.

use super::values::{Operand, class};
use super::{Parsed, Parser};
use crate::program::{Condition, One, Sign, Value};

impl Parser {
    pub(super) fn condition(&mut self) -> Parsed<Condition> {
        let mut left = self.all()?;
        while self.take("or") {
            left = Condition::Or(left.into(), self.all()?.into());
        }
        Ok(left)
    }

    fn all(&mut self) -> Parsed<Condition> {
        let mut left = self.single()?;
        while self.take("and") {
            left = Condition::And(left.into(), self.single()?.into());
        }
        Ok(left)
    }

    fn single(&mut self) -> Parsed<Condition> {
        match self.text() {
            "" => Err(self.unexpected("a condition is missing")),
            "not" if self.has_subject && self.follows("in") => {
                self.at += 1;
                Ok(Condition::Not(self.within(One::Subject)?.into()))
            }
            "not" => self.deeper(|parser| {
                parser.at += 1;
                Ok(Condition::Not(parser.single()?.into()))
            }),
            "in" if self.has_subject => self.within(One::Subject),
            "any" => {
                self.at += 1;
                self.expect("in", "any")?;
                let from = self.tasks()?;
                let only = if self.take("where") { Some(self.about_subject()?.into()) } else { None };
                Ok(Condition::Any(from, only))
            }
            "(" => {
                // A condition in parentheses, or a value.
                let at = self.at;
                let condition = self.deeper(|parser| {
                    parser.at += 1;
                    let condition = parser.condition()?;
                    parser.expect(")", "the condition")?;
                    Ok(condition)
                });
                let is_value = |text: &str| ["==", "!=", "<", "<=", ">", ">=", "is", "in", "+", "-"].contains(&text);
                match condition {
                    Ok(_) if is_value(self.text()) => {
                        self.at = at;
                        self.comparison()
                    }
                    Err(wrong) => {
                        let after = (self.line, self.at);
                        self.at = at;
                        self.comparison().map_err(|_| {
                            (self.line, self.at) = after;
                            wrong
                        })
                    }
                    condition => condition,
                }
            }
            _ => self.comparison(),
        }
    }

    fn within(&mut self, task: One) -> Parsed<Condition> {
        self.expect("in", "the task")?;
        Ok(Condition::In(task, self.tasks()?))
    }

    fn comparison(&mut self) -> Parsed<Condition> {
        let at = self.at;
        let left = self.operand()?;
        match left {
            Operand::Flag(flag) if !self.is("is") && !self.is("==") && !self.is("!=") => Ok(flag),
            Operand::Flag(flag) => {
                let differs = self.is("!=");
                self.at += 1;
                let not = differs != self.take("not");
                match self.text() {
                    "true" | "false" => {
                        let is = self.is("true") != not;
                        self.at += 1;
                        Ok(if is { flag } else { Condition::Not(flag.into()) })
                    }
                    _ => Err(self.unexpected("a flag is true or false")),
                }
            }
            Operand::Task(task) => self.of_one(task),
            Operand::Tasks(tasks) => {
                if !self.take("is") {
                    let hint = if self.is("==") || self.is("!=") { "; sets are compared with empty alone" } else { "" };
                    return Err(self.unexpected(&format!("is empty is missing after a set{hint}")));
                }
                let not = self.take("not");
                if self.is("none") {
                    return Err(self.wrong("a set is never none; write is empty"));
                }
                self.expect("empty", "is")?;
                Ok(negated(Condition::IsEmpty(tasks), not))
            }
            Operand::Number(number) => self.with(at, Value::Number(number)),
            Operand::Rank(value) => self.with(at, value),
        }
    }

    /// `is none`, `is realtime`, `in running`, `== holder`.
    fn of_one(&mut self, task: One) -> Parsed<Condition> {
        let not = self.is("not") && self.follows("in");
        self.at += usize::from(not);
        if self.is("in") {
            return Ok(negated(self.within(task)?, not));
        }
        let differs = self.is("!=");
        if !self.take("is") && !self.take("==") && !self.take("!=") {
            let hint = match self.text() {
                "=" => "; = sets, == or is compares",
                "<" | ">" | "<=" | ">=" => "; compare something of it, as in priority of t > priority of k",
                _ => "",
            };
            return Err(self.unexpected(&format!("is, in, == or != is missing after a task{hint}")));
        }
        let not = differs != self.take("not");
        let condition = match self.text().to_owned().as_str() {
            "none" => Condition::IsNone(task),
            word @ ("realtime" | "besteffort") => class(word, task),
            "empty" => return Err(self.wrong("a task is never empty; write is none")),
            _ if self.token().is_none() => return Err(self.unexpected("none, realtime, besteffort or a task is missing")),
            _ => return Ok(negated(Condition::Same(task, self.task("is")?), not)),
        };
        self.at += 1;
        Ok(negated(condition, not))
    }

    fn with(&mut self, at: usize, left: Value) -> Parsed<Condition> {
        let sign = match self.text() {
            "<" => Sign::Less,
            "<=" => Sign::AtMost,
            ">" => Sign::More,
            ">=" => Sign::AtLeast,
            "==" | "is" => Sign::Same,
            "!=" => Sign::Differs,
            "=" => return Err(self.wrong("= sets a value; == compares")),
            _ => return Err(self.unexpected("a comparison is missing: <, <=, ==, !=, >= or >")),
        };
        self.at += 1;
        let right_at = self.at;
        let right = match self.operand()? {
            Operand::Number(number) => Value::Number(number),
            Operand::Rank(value) => value,
            other => {
                let (left, right) = (kind(&left), other.kind());
                self.at = right_at;
                return Err(self.wrong(format!("{left} and {right} cannot be compared")));
            }
        };
        if std::mem::discriminant(&left) != std::mem::discriminant(&right) {
            self.at = if matches!(left, Value::Number(_)) { at } else { right_at };
            let hint = match (&left, &right) {
                (Value::Number(_), rank) | (rank, Value::Number(_)) => format!("; {} is compared with that of another task", kind(rank)),
                _ => String::new(),
            };
            return Err(self.wrong(format!("{} and {} cannot be compared{hint}", kind(&left), kind(&right))));
        }
        Ok(Condition::Compare(left, sign, right))
    }
}

fn negated(condition: Condition, not: bool) -> Condition {
    if not { Condition::Not(condition.into()) } else { condition }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Number(_) => "a number",
        Value::Priority(_) => "a priority",
        Value::Period(_) => "a period",
        Value::Deadline(_) => "a deadline",
    }
}
