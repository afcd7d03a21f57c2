//! Tests of the tools and the workers, in one binary.
#![cfg(test)]
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod batch_page;
mod commands;
mod compare;
mod course;
mod evidence;
mod explore;
mod exports;
mod figures;
mod files;
mod find;
mod glossary;
mod hidden_future;
mod ledger;
mod links;
mod measured;
mod own;
mod pasted;
mod program;
mod prose;
mod quiz;
mod results;
mod run_tables;
mod stored;
mod study;
mod sweep;
mod teach;
mod tikz;
mod tool;
mod tours;
mod until;
mod varied;
mod why;
mod worker;
