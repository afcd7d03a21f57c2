//! All native tests, in one binary.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod analysis;
mod arbitrary;
mod arranging;
mod bad_input;
mod batch;
mod batch_page;
mod bound;
mod check;
mod cli;
mod compare;
mod conform;
mod contract;
mod deadlines;
mod departed;
mod differential;
mod drawing;
mod edf;
mod editing;
mod examiner;
mod examples;
mod exports;
mod figures;
mod find;
mod formats;
mod fuzz;
mod glossary;
mod golden;
#[path = "../common/growing.rs"]
mod growing;
mod growth;
mod lab;
#[path = "../common/large.rs"]
mod large;
mod layering;
mod ledger;
mod links;
mod logs;
mod markup;
mod measured;
mod oracle;
mod panels;
mod paper;
mod problems;
mod properties;
mod quantity;
mod queues;
mod quiz;
mod reasons;
mod reject;
mod residency;
mod results;
mod runlist;
mod share;
mod stage;
mod study;
mod tikz;
mod tours;
mod turns;
mod until;
mod variants;
mod varying;
mod veil;
mod warnings;
mod why;
