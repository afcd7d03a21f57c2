//! What begins at the margin: declarations, expectations, events, and what is admitted.
//!
//! Depends on the parser of actions and values.

use super::{Held, MAX_PLACES, MAX_VARIABLES, Parsed, Parser, Parts};
use crate::error::{hint, meant};
use crate::lex::{MAX_NUMBER, TokenKind};
use crate::program::{Expectation, Gate, Range, Statement, Variable, VariableKind};

const KINDS: [&str; 5] = ["set", "queue", "task", "number", "flag"];
const BEGINNINGS: [&str; 4] = ["on", "admit", "launch", "expect"];

/// An event, as a text names it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Heard {
    Request,
    End,
    Tick(u64),
    Launch,
    Finish,
}

impl Parser {
    pub(super) fn at_margin(&mut self, parts: &mut Parts) -> Parsed<()> {
        match self.text() {
            "on" => self.event(parts),
            "admit" => self.gate(&mut parts.admit, "admit", "admitted"),
            "launch" => self.gate(&mut parts.launch, "launch", "launched"),
            "expect" => self.expectations(parts),
            "if" | "for" | "add" | "remove" | "move" => {
                Err(self.wrong(format!("{} stands within an event: indent it under on", self.text())))
            }
            "else" => Err(self.wrong("else without an if just above it, as far in")),
            _ if self.follows(":") || self.follows(",") => self.declaration(parts),
            _ if self.follows("=") => Err(self.wrong(format!("{} is set outside of an event: indent it under on", self.text()))),
            word => {
                let hint = hint(word, BEGINNINGS);
                Err(self.wrong(format!("{word} begins neither a declaration (running: set) nor on, admit, launch or expect{hint}")))
            }
        }
    }

    fn declaration(&mut self, parts: &Parts) -> Parsed<()> {
        if !parts.are_without_events() {
            return Err(self.wrong("declarations come first, above every on"));
        }
        let mut names = Vec::new();
        loop {
            let name = self.take_name("a variable")?;
            if names.contains(&name) || self.variables.iter().any(|variable| variable.name == name) {
                return Err(self.wrong_before(format!("{name} is declared twice")));
            }
            names.push(name);
            if !self.take(",") {
                break;
            }
        }
        self.expect(":", "the names of variables")?;
        let kind = self.variable_kind()?;
        self.variables.extend(names.into_iter().map(|name| Variable { name, kind: kind.clone() }));
        let places = self.variables.iter().filter(|v| matches!(v.kind, VariableKind::Set | VariableKind::Queue)).count();
        if places > MAX_PLACES {
            return Err(self.wrong(format!("{places} sets and queues are too many; the limit is {MAX_PLACES}")));
        }
        if self.variables.len() > MAX_VARIABLES {
            return Err(self.wrong(format!("{} variables are too many; the limit is {MAX_VARIABLES}", self.variables.len())));
        }
        self.end_line()
    }

    fn variable_kind(&mut self) -> Parsed<VariableKind> {
        let word = self.text().to_owned();
        self.at += 1;
        match word.as_str() {
            "set" => Ok(VariableKind::Set),
            "queue" => Ok(VariableKind::Queue),
            "task" => Ok(VariableKind::Task),
            "number" => {
                let (least, most) = if self.take("from") {
                    let least = self.signed("the least value")?;
                    self.expect("to", "the least value")?;
                    (least, self.signed("the largest value")?)
                } else {
                    (-MAX_NUMBER, MAX_NUMBER)
                };
                if least > most {
                    return Err(self.wrong_before(format!("the range from {least} to {most} is empty")));
                }
                let of_task = self.for_each_task()?;
                let first = if self.take("=") { self.signed("the first value")? } else { 0_i64.clamp(least, most) };
                if !(least..=most).contains(&first) {
                    return Err(self.wrong_before(format!("{first} is not in the range from {least} to {most}")));
                }
                let range = Range { least, most, first };
                Ok(if of_task { VariableKind::NumberOfTask(range) } else { VariableKind::Number(range) })
            }
            "flag" => {
                let of_task = self.for_each_task()?;
                let first = self.take("=") && self.truth()?;
                Ok(if of_task { VariableKind::FlagOfTask(first) } else { VariableKind::Flag(first) })
            }
            _ => {
                let hint = hint(&word, KINDS);
                let what = if word.is_empty() { "the kind is missing".to_owned() } else { format!("there is no kind {word}") };
                Err(self.wrong_before(format!("{what}; a variable is a set, queue, task, number or flag{hint}")))
            }
        }
    }

    fn for_each_task(&mut self) -> Parsed<bool> {
        if !self.take("for") {
            return Ok(false);
        }
        self.expect("each", "for")?;
        self.expect("task", "for each")?;
        Ok(true)
    }

    fn signed(&mut self, what: &str) -> Parsed<i64> {
        let sign = if self.take("-") { -1 } else { 1 };
        Ok(sign * self.take_number(what)?)
    }

    fn truth(&mut self) -> Parsed<bool> {
        let is = self.is("true");
        if is || self.is("false") {
            self.at += 1;
            return Ok(is);
        }
        Err(self.unexpected("the first value of a flag is true or false"))
    }

    fn expectations(&mut self, parts: &mut Parts) -> Parsed<()> {
        self.at += 1;
        loop {
            let word = self.text().to_owned();
            let expectation = match word.as_str() {
                "preemption" => Expectation::Preemption,
                "separation" => Expectation::Separation,
                "turns" => Expectation::Turns,
                "deadlines" => Expectation::Deadlines,
                "at" => {
                    self.at += 1;
                    self.expect("most", "at")?;
                    let count = self.take_number("how many run at once")?;
                    let realtime = self.is("realtime");
                    self.at -= usize::from(!realtime);
                    Expectation::AtMost(u32::try_from(count).unwrap_or(u32::MAX), realtime)
                }
                _ => {
                    let known = ["preemption", "separation", "turns", "deadlines"];
                    let hint = hint(&word, known);
                    return Err(self.unexpected(&format!(
                        "a policy may be expected to have preemption, separation, turns, deadlines, or at most 1{hint}"
                    )));
                }
            };
            self.at += 1;
            parts.expects.push(expectation);
            if !self.take(",") {
                return self.end_line();
            }
        }
    }

    fn gate(&mut self, place: &mut Option<Gate>, word: &str, what: &str) -> Parsed<()> {
        if let Some(Gate { line, .. }) = place {
            return Err(self.wrong(format!("{word} stands in line {line} already; what is {what} holds at all times")));
        }
        let line = self.number();
        self.at += 1;
        self.locals.clear();
        let tasks = self.named_tasks(what)?;
        *place = Some(Gate { line, tasks });
        self.end_line()
    }

    fn event(&mut self, parts: &mut Parts) -> Parsed<()> {
        self.at += 1;
        self.locals.clear();
        self.slots = 0;
        let (mut heard, mut task) = (Vec::new(), None::<Option<String>>);
        loop {
            let (event, of) = self.heard()?;
            let taken = match event {
                Heard::Request => parts.request.is_some(),
                Heard::End => parts.end.is_some(),
                Heard::Tick(_) => parts.tick.is_some(),
                Heard::Launch => parts.launched.is_some(),
                Heard::Finish => parts.finish.is_some(),
            };
            if taken || heard.iter().any(|other| std::mem::discriminant(other) == std::mem::discriminant(&event)) {
                return Err(self.wrong_before("this event has its actions already"));
            }
            heard.push(event);
            // A name counts only where every event gives it.
            task = Some(match task {
                None => of,
                Some(before) if before == of => of,
                Some(_) => None,
            });
            if !self.take(",") {
                break;
            }
        }
        if let Some(name) = task.flatten() {
            self.bind(name, Held::Event);
        }
        self.end_head("the event")?;
        let body = self.block(0, "the event")?;
        for event in heard {
            let body: Vec<Statement> = body.clone();
            match event {
                Heard::Request => parts.request = Some(body),
                Heard::End => parts.end = Some(body),
                Heard::Tick(every) => parts.tick = Some((every, body)),
                Heard::Launch => parts.launched = Some(body),
                Heard::Finish => parts.finish = Some(body),
            }
        }
        Ok(())
    }

    /// An event, and the name that it gives to its task.
    fn heard(&mut self) -> Parsed<(Heard, Option<String>)> {
        let word = self.text().to_owned();
        match word.as_str() {
            "request" | "end" | "launch" | "finish" => {
                self.at += 1;
                self.expect("(", &word)?;
                if self.token().is_some_and(|token| token.kind == TokenKind::Name) && self.find(self.text()).is_some() {
                    return Err(self.wrong(format!("{} is declared above; give the task of the event another name", self.text())));
                }
                let name = self.take_name("the event's task")?;
                self.expect(")", "the event's task")?;
                let heard = match word.as_str() {
                    "request" => Heard::Request,
                    "end" => Heard::End,
                    "launch" => Heard::Launch,
                    _ => Heard::Finish,
                };
                Ok((heard, Some(name)))
            }
            "tick" => {
                self.at += 1;
                self.expect("every", "tick")?;
                Ok((Heard::Tick(self.time()?), None))
            }
            _ => {
                let also =
                    [("arrive", "request"), ("arrival", "request"), ("begin", "request"), ("start", "request"), ("release", "request")];
                let also = also.iter().chain(&[("complete", "end"), ("completion", "end"), ("timer", "tick"), ("submit", "launch")]);
                let other = also.clone().find(|(other, _)| *other == word).map(|(_, word)| *word);
                let hint = other.or_else(|| meant(&word, ["request", "end", "tick", "launch", "finish"]));
                let hint = hint.map_or_else(String::new, |word| format!("; did you mean {word}?"));
                Err(self.unexpected(&format!("the events are request(t), end(t), launch(t), finish(t) and tick every 1 ms{hint}")))
            }
        }
    }

    /// A time in ns.
    fn time(&mut self) -> Parsed<u64> {
        let number = self.take_number("the time between ticks")?;
        let unit = match self.text() {
            "ns" => 1,
            "us" => 1000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            _ => return Err(self.unexpected("a time has a unit: ns, us, ms or s")),
        };
        if number == 0 {
            return Err(self.wrong_before("ticks are at least 1 ns apart"));
        }
        self.at += 1;
        Ok(u64::try_from(number).unwrap_or(0).saturating_mul(unit))
    }
}
