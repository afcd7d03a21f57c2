//! What an event does: blocks of actions.
//!
//! Depends on the parser of values and conditions.

use super::{Held, Named, Parsed, Parser};
use crate::error::meant;
use crate::lex::TokenKind;
use crate::program::{Action, Slot, Statement, VariableKind};

const ACTIONS: [&str; 6] = ["add", "remove", "move", "if", "else", "for"];

impl Parser {
    /// The lines that stand further in than this.
    pub(super) fn block(&mut self, outside: usize, of: &str) -> Parsed<Vec<Statement>> {
        let inside = match self.lines.get(self.line) {
            Some(line) if line.indent > outside => line.indent,
            _ => {
                let line = self.lines.get(self.line.saturating_sub(1)).unwrap_or(&self.lines[0]);
                let (line, column) = (line.number, line.end);
                let message = format!("nothing belongs to {of}: indent its actions below it");
                return Err(crate::error::PolicyError { line, column, word: String::new(), message });
            }
        };
        let (known, slots) = (self.locals.len(), self.slots);
        let mut statements = Vec::new();
        while let Some(line) = self.lines.get(self.line) {
            if line.indent <= outside {
                break;
            }
            self.at = 0;
            if line.indent != inside {
                return Err(self.wrong(format!("is indented by {}, the lines above it by {inside}", line.indent)));
            }
            statements.push(self.deeper(|parser| parser.statement(inside))?);
        }
        self.locals.truncate(known);
        self.slots = slots;
        Ok(statements)
    }

    fn statement(&mut self, inside: usize) -> Parsed<Statement> {
        let line = self.number();
        let action = match self.text() {
            "add" => self.adding("add")?,
            "move" => self.adding("move")?,
            "remove" => {
                self.at += 1;
                let task = self.task("remove")?;
                self.expect("from", "the task to remove")?;
                let place = self.place()?;
                self.end_line()?;
                Action::Remove(task, place)
            }
            "if" => self.choice(inside)?,
            "for" => self.each(inside)?,
            "else" => return Err(self.wrong("else without an if just above it, as far in")),
            "admit" => return Err(self.wrong("admit stands at the margin, once: what is admitted holds at all times")),
            "on" => return Err(self.wrong("on stands at the margin: an event is in no other")),
            _ => self.assignment()?,
        };
        Ok(Statement { line, action })
    }

    fn adding(&mut self, word: &str) -> Parsed<Action> {
        self.at += 1;
        let task = self.task(word)?;
        self.expect("to", &format!("the task to {word}"))?;
        let at_front = self.take("front");
        if at_front {
            self.expect("of", "front")?;
        }
        let place = self.place()?;
        if at_front && *self.kind(place) != VariableKind::Queue {
            return Err(self.wrong_before(format!("{} is a set, which has no front; declare it as a queue", self.text_before())));
        }
        self.end_line()?;
        Ok(if word == "add" { Action::Add(task, place, at_front) } else { Action::Move(task, place, at_front) })
    }

    fn text_before(&self) -> String {
        self.at.checked_sub(1).and_then(|at| self.current().tokens.get(at)).map_or_else(String::new, |token| token.text.clone())
    }

    /// The name of a set or queue.
    fn place(&mut self) -> Parsed<Slot> {
        if self.is("ready") {
            return Err(self.wrong("ready is what it is: a task is in it from its request to its end"));
        }
        if self.token().is_none_or(|token| token.kind != TokenKind::Name) {
            return Err(self.unexpected("a set or a queue is missing"));
        }
        match self.find(self.text()) {
            None => Err(self.unknown("declare it at the top, as in: running: set")),
            Some(Named::Variable(slot)) if matches!(self.kind(slot), VariableKind::Set | VariableKind::Queue) => {
                self.at += 1;
                Ok(slot)
            }
            Some(named) => Err(self.wrong(format!("{} is {}; tasks are kept in a set or a queue", self.text(), self.described(&named)))),
        }
    }

    fn choice(&mut self, inside: usize) -> Parsed<Action> {
        self.at += 1;
        let condition = self.condition()?;
        self.end_head("if")?;
        let then = self.block(inside, "if")?;
        let mut otherwise = Vec::new();
        if self.lines.get(self.line).is_some_and(|line| line.indent == inside && line.tokens[0].text == "else") {
            self.at = 1;
            otherwise = if self.is("if") {
                let line = self.number();
                vec![Statement { line, action: self.deeper(|parser| parser.choice(inside))? }]
            } else {
                self.end_head("else")?;
                self.block(inside, "else")?
            };
        }
        Ok(Action::If(condition, then, otherwise))
    }

    fn each(&mut self, inside: usize) -> Parsed<Action> {
        self.at += 1;
        self.expect("each", "for")?;
        let name = self.take_name("each task")?;
        if self.find(&name).is_some() {
            return Err(self.wrong_before(format!("{name} is something else already; give each task another name")));
        }
        self.expect("in", "the name of each task")?;
        let from = self.tasks()?;
        self.note_order(&from);
        let only = if self.take("where") { Some(self.about_subject()?) } else { None };
        self.end_head("for each")?;
        let (known, slots) = (self.locals.len(), self.slots);
        let slot = self.bind(name, Held::Task);
        let body = self.block(inside, "for each")?;
        self.locals.truncate(known);
        self.slots = slots;
        Ok(Action::ForEach(slot, from, only, body))
    }

    fn assignment(&mut self) -> Parsed<Action> {
        if self.token().is_some_and(|token| token.kind == TokenKind::Name) && self.follows("of") {
            return self.field();
        }
        if !self.follows("=") {
            let word = self.text().to_owned();
            let instead = match word.as_str() {
                "push" | "insert" | "append" | "enqueue" => Some("add"),
                "delete" | "pop" | "dequeue" | "erase" => Some("remove"),
                "foreach" | "while" | "repeat" | "loop" => Some("for each"),
                "elif" | "elseif" => Some("else if"),
                _ => meant(&word, ACTIONS),
            };
            let hint = match (instead, self.follows("==")) {
                (_, true) => "; write = to set, == compares".to_owned(),
                (Some(known), _) => format!("; did you mean {known}?"),
                (None, _) => String::new(),
            };
            return Err(self.wrong(format!("{word} is not an action; actions are add, remove, move, if, for each, and name = value{hint}")));
        }
        let name = match self.find(self.text()) {
            Some(Named::Local(Held::Event, _)) => {
                return Err(self.wrong(format!("{} is the task of the event and stays so; use another name", self.text())));
            }
            Some(named) => return self.existing(&named),
            None => self.take_name("a value")?,
        };
        self.at += 1;
        let first = self.text().to_owned();
        if first == "{" || first == "ready" || self.is_place(&first) {
            self.at -= 2;
            return Err(self.wrong(format!("{name} would be a set; declare it at the top: {name}: set")));
        }
        let value = self.some_value()?;
        self.end_line()?;
        Ok(match value {
            super::values::Some::Task(task) => Action::LetTask(self.bind(name, Held::Task), task),
            super::values::Some::Number(number) => Action::LetNumber(self.bind(name, Held::Number), number),
            super::values::Some::Flag(flag) => Action::LetFlag(self.bind(name, Held::Flag), flag),
        })
    }

    fn is_place(&self, name: &str) -> bool {
        matches!(self.find(name), Some(Named::Variable(slot)) if matches!(self.kind(slot), VariableKind::Set | VariableKind::Queue))
    }

    /// A new value for what has one.
    fn existing(&mut self, named: &Named) -> Parsed<Action> {
        let name = self.text().to_owned();
        self.at += 2;
        let action = match *named {
            Named::Local(Held::Number, slot) => Action::LetNumber(slot, self.number_value(&name)?),
            Named::Local(Held::Flag, slot) => Action::LetFlag(slot, self.condition()?),
            Named::Local(_, slot) => Action::LetTask(slot, self.task(&name)?),
            Named::Variable(slot) => match self.kind(slot).clone() {
                VariableKind::Set => Action::SetTasks(slot, self.tasks()?),
                VariableKind::Queue => {
                    let at = self.at;
                    let tasks = self.tasks()?;
                    if !self.keeps_order(&tasks) {
                        self.at = at;
                        return Err(self.wrong(format!("{name} is a queue, and this has no order; add its tasks by for each")));
                    }
                    Action::SetTasks(slot, tasks)
                }
                VariableKind::Task => Action::SetTask(slot, self.task(&name)?),
                VariableKind::Number(_) => Action::SetNumber(slot, self.number_value(&name)?),
                VariableKind::Flag(_) => Action::SetFlag(slot, self.condition()?),
                VariableKind::NumberOfTask(_) | VariableKind::FlagOfTask(_) => {
                    self.at -= 2;
                    return Err(self.wrong(format!("each task has its own {name}; write {name} of t = ...")));
                }
            },
        };
        self.end_line()?;
        Ok(action)
    }

    /// `credit of t = 1`.
    fn field(&mut self) -> Parsed<Action> {
        let name = self.text().to_owned();
        let kind = match self.find(&name) {
            Some(Named::Variable(slot)) => Some((slot, self.kind(slot).clone())),
            Some(_) => None,
            None => return Err(self.unknown("declare it at the top, as in: credit: number for each task")),
        };
        let Some((slot, kind @ (VariableKind::NumberOfTask(_) | VariableKind::FlagOfTask(_)))) = kind else {
            return Err(self.wrong(format!("{name} is not a field of a task; declare it: {name}: number for each task")));
        };
        self.at += 2;
        let task = self.task("of")?;
        self.expect("=", "the task")?;
        let action = match kind {
            VariableKind::NumberOfTask(_) => Action::SetNumberOf(slot, task, self.number_value(&name)?),
            _ => Action::SetFlagOf(slot, task, self.condition()?),
        };
        self.end_line()?;
        Ok(action)
    }
}
