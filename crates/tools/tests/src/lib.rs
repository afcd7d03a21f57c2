//! Tests of the tools and the workers, in one binary; other tests ask the worker as these do.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod asked;
#[cfg(test)]
mod batch_page;
#[cfg(test)]
mod commands;
#[cfg(test)]
mod compare;
#[cfg(test)]
mod course;
#[cfg(test)]
mod evidence;
#[cfg(test)]
mod explore;
#[cfg(test)]
mod exports;
#[cfg(test)]
mod figures;
#[cfg(test)]
mod files;
#[cfg(test)]
mod find;
#[cfg(test)]
mod glossary;
#[cfg(test)]
mod hang;
#[cfg(test)]
mod hidden_future;
#[cfg(test)]
mod ledger;
#[cfg(test)]
mod links;
#[cfg(test)]
mod measured;
#[cfg(test)]
mod own;
#[cfg(test)]
mod pasted;
#[cfg(test)]
mod program;
#[cfg(test)]
mod prose;
#[cfg(test)]
mod quiz;
#[cfg(test)]
mod results;
#[cfg(test)]
mod run_tables;
#[cfg(test)]
mod stored;
#[cfg(test)]
mod study;
#[cfg(test)]
mod sweep;
#[cfg(test)]
mod teach;
#[cfg(test)]
mod tikz;
#[cfg(test)]
mod tool;
#[cfg(test)]
mod tours;
#[cfg(test)]
mod until;
#[cfg(test)]
mod varied;
#[cfg(test)]
mod why;
#[cfg(test)]
mod worker;

pub use asked::{ask, charts};
