//! A scheduling policy of one's own: a small language for it, the decisions that it makes, and policies that were published.
//!
//! Depends on no other crate. Invariants: the state of a policy is a plain value that only a decision
//! changes, and each decision lists its changes with their lines; the same text, state, tasks and draws give the same
//! decision everywhere. `docs/policy-language.md` is its grammar.

mod error;
pub mod examples;
mod lex;
mod parse;
mod program;
mod run;
mod state;

pub use error::{PolicyError, hint};
pub use lex::{MAX_COLUMNS, MAX_LINES, MAX_NESTING, MAX_NUMBER, WORDS};
pub use parse::{MAX_PLACES, MAX_VARIABLES};
pub use program::{Expectation, Program, Range, Reads, Variable, VariableKind};
pub use run::{Change, Decision, Draw, Event, FUEL, Failure, Happened, World};
pub use state::{Held, MAX_TASKS, State, TaskFacts, TaskNumber, TaskSet};
