//! From the text of a policy to its program, with the first mistake if it has one.
//!
//! Depends on `lex`, `program` and `error`. By recursive descent; kinds are checked as words are read, so a mistake is
//! found where it stands. Invariant: no text makes it go deeper than [`MAX_NESTING`].

mod actions;
mod conditions;
mod declarations;
mod values;

use crate::error::{PolicyError, meant};
use crate::lex::{self, Line, MAX_NESTING, Token, TokenKind};
use crate::program::{Gate, One, Program, Reads, Slot, Statement, Variable, VariableKind};

/// Sets and queues that a policy may declare.
pub const MAX_PLACES: usize = 8;
/// Variables of all kinds that it may declare.
pub const MAX_VARIABLES: usize = 24;

/// What a local name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Held {
    Event,
    Task,
    Number,
    Flag,
}

struct Local {
    name: String,
    held: Held,
    slot: Slot,
}

/// What a name was found to be.
enum Named {
    Local(Held, Slot),
    Variable(Slot),
}

struct Parser {
    lines: Vec<Line>,
    /// The line that is read, and the next word in it.
    line: usize,
    at: usize,
    variables: Vec<Variable>,
    /// Names that an event's actions have given so far.
    locals: Vec<Local>,
    slots: usize,
    most_slots: usize,
    /// Whether a condition after `where` is being read, which is about a task of its own.
    has_subject: bool,
    depth: usize,
    reads: Reads,
}

type Parsed<T> = Result<T, PolicyError>;

impl Program {
    /// Reads a text.
    ///
    /// # Errors
    /// The first mistake, with its place.
    pub fn new(text: &str) -> Result<Self, PolicyError> {
        let mut parser = Parser {
            lines: lex::lines(text)?,
            line: 0,
            at: 0,
            variables: Vec::new(),
            locals: Vec::new(),
            slots: 0,
            most_slots: 0,
            has_subject: false,
            depth: 0,
            reads: Reads::default(),
        };
        parser.program(text)
    }
}

/// What a policy does on its events, as it is put together.
#[derive(Default)]
struct Parts {
    request: Option<Vec<Statement>>,
    end: Option<Vec<Statement>>,
    tick: Option<(u64, Vec<Statement>)>,
    launched: Option<Vec<Statement>>,
    finish: Option<Vec<Statement>>,
    admit: Option<Gate>,
    launch: Option<Gate>,
    expects: Vec<crate::program::Expectation>,
}

impl Parts {
    fn are_without_events(&self) -> bool {
        let bodies = [&self.request, &self.end, &self.launched, &self.finish];
        bodies.iter().all(|body| body.is_none()) && self.tick.is_none() && self.admit.is_none() && self.launch.is_none()
    }
}

impl Parser {
    fn program(&mut self, text: &str) -> Parsed<Program> {
        let mut parts = Parts::default();
        while self.line < self.lines.len() {
            self.at = 0;
            if self.current().indent > 0 {
                return Err(self.wrong("stands too far in: declarations, on, admit and launch begin at the margin"));
            }
            self.at_margin(&mut parts)?;
        }
        let Some(admit) = parts.admit else {
            let line = self.lines.last().map_or(1, |line| line.number + 1);
            let message = "the policy admits nothing: end it with admit and a set, as in: admit running".to_owned();
            return Err(PolicyError { line, column: 1, word: String::new(), message });
        };
        let (tick_every, on_tick) = parts.tick.unzip();
        Ok(Program {
            text: text.to_owned(),
            variables: std::mem::take(&mut self.variables),
            expects: parts.expects,
            on_request: parts.request.unwrap_or_default(),
            on_end: parts.end.unwrap_or_default(),
            on_tick: on_tick.unwrap_or_default(),
            on_launch: parts.launched.unwrap_or_default(),
            on_finish: parts.finish.unwrap_or_default(),
            tick_every,
            admit,
            launch: parts.launch,
            locals: self.most_slots,
            reads: self.reads,
        })
    }

    // Words.

    fn current(&self) -> &Line {
        &self.lines[self.line.min(self.lines.len() - 1)]
    }

    fn number(&self) -> u32 {
        self.current().number
    }

    fn token(&self) -> Option<&Token> {
        self.current().tokens.get(self.at)
    }

    fn text(&self) -> &str {
        self.token().map_or("", |token| &token.text)
    }

    fn is(&self, text: &str) -> bool {
        self.text() == text
    }

    fn follows(&self, text: &str) -> bool {
        self.current().tokens.get(self.at + 1).is_some_and(|token| token.text == text)
    }

    /// Takes the word if it is the next.
    fn take(&mut self, text: &str) -> bool {
        let is = self.is(text);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, text: &str, after: &str) -> Parsed<()> {
        if self.take(text) { Ok(()) } else { Err(self.unexpected(&format!("{text} is missing after {after}"))) }
    }

    fn take_number(&mut self, what: &str) -> Parsed<i64> {
        match self.token().map(|token| token.kind.clone()) {
            Some(TokenKind::Number(number)) => {
                self.at += 1;
                Ok(number)
            }
            _ => Err(self.unexpected(&format!("{what} is a number"))),
        }
    }

    /// A name of the reader's that is not taken yet.
    fn take_name(&mut self, what: &str) -> Parsed<String> {
        match self.token() {
            Some(Token { kind: TokenKind::Name, text, .. }) => {
                let text = text.clone();
                self.at += 1;
                Ok(text)
            }
            Some(Token { kind: TokenKind::Word, text, .. }) => {
                Err(self.wrong(format!("{text} is a word of the language and cannot be the name of {what}")))
            }
            _ => Err(self.unexpected(&format!("the name of {what} is missing"))),
        }
    }

    /// After the last word of a line that should end here.
    fn end_line(&mut self) -> Parsed<()> {
        match self.token() {
            None => {
                self.line += 1;
                self.at = 0;
                Ok(())
            }
            Some(token) => {
                let hint = match token.text.as_str() {
                    "=" => "; compare by == or is",
                    ":" => "; only on, if, else and for end with a colon",
                    "and" | "or" => "; and, or stand between conditions",
                    _ => "; every action stands on its own line",
                };
                Err(self.wrong(format!("{} stands where the line should end{hint}", token.text)))
            }
        }
    }

    /// After a line that a block follows.
    fn end_head(&mut self, what: &str) -> Parsed<()> {
        if !self.take(":") {
            let hint = if self.is("=") { "; compare by == or is" } else { "" };
            return Err(self.unexpected(&format!("a colon is missing after {what}{hint}")));
        }
        if self.token().is_some() {
            return Err(self.wrong(format!("what belongs to {what} stands on the next lines, further in")));
        }
        self.end_line()
    }

    // Mistakes.

    /// A mistake at the next word, or at the end of the line.
    fn wrong(&self, message: impl Into<String>) -> PolicyError {
        let line = self.current();
        let column = self.token().map_or(line.end, |token| token.column);
        PolicyError { line: line.number, column, word: self.text().to_owned(), message: message.into() }
    }

    /// The same, with what is there instead.
    fn unexpected(&self, message: &str) -> PolicyError {
        match self.token() {
            None => self.wrong(format!("{message}; the line ends here")),
            Some(token) => self.wrong(format!("{message}; there is {}", token.text)),
        }
    }

    /// A mistake at the word before.
    fn wrong_before(&mut self, message: impl Into<String>) -> PolicyError {
        self.at = self.at.saturating_sub(1);
        self.wrong(message)
    }

    /// Goes a level deeper while a part is read.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_NESTING {
            return Err(self.wrong(format!("more than {MAX_NESTING} levels stand within one another")));
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    // Names.

    fn find(&self, name: &str) -> Option<Named> {
        let local = self.locals.iter().rev().find(|local| local.name == name).map(|local| Named::Local(local.held, local.slot));
        local.or_else(|| self.variables.iter().position(|variable| variable.name == name).map(Named::Variable))
    }

    fn kind(&self, slot: Slot) -> &VariableKind {
        &self.variables[slot].kind
    }

    /// A new local name.
    fn bind(&mut self, name: String, held: Held) -> Slot {
        let slot = self.slots;
        self.slots += 1;
        self.most_slots = self.most_slots.max(self.slots);
        self.locals.push(Local { name, held, slot });
        slot
    }

    /// What a name is in words.
    fn described(&self, named: &Named) -> &'static str {
        match named {
            Named::Local(Held::Event | Held::Task, _) => "a task",
            Named::Local(Held::Number, _) => "a number",
            Named::Local(Held::Flag, _) => "a flag",
            Named::Variable(slot) => match self.kind(*slot) {
                VariableKind::Set => "a set",
                VariableKind::Queue => "a queue",
                VariableKind::Task => "a task",
                VariableKind::Number(_) => "a number",
                VariableKind::Flag(_) => "a flag",
                VariableKind::NumberOfTask(_) => "a number of each task",
                VariableKind::FlagOfTask(_) => "a flag of each task",
            },
        }
    }

    /// A name that nothing has, at the next word.
    fn unknown(&self, wanted: &str) -> PolicyError {
        let name = self.text();
        let known = self.locals.iter().map(|l| l.name.as_str()).chain(self.variables.iter().map(|v| v.name.as_str()));
        let hint = match meant(name, known.chain(lex::WORDS)) {
            Some(word) => format!("; did you mean {word}?"),
            None if wanted.is_empty() => String::new(),
            None => format!("; {wanted}"),
        };
        self.wrong(format!("nothing is called {name}{hint}"))
    }
}

/// The task that a name of these stands for.
fn one(named: &Named, kind: impl Fn(Slot) -> bool) -> Option<One> {
    match *named {
        Named::Local(Held::Event, _) => Some(One::Event),
        Named::Local(Held::Task, slot) => Some(One::Local(slot)),
        Named::Variable(slot) if kind(slot) => Some(One::Variable(slot)),
        _ => None,
    }
}
