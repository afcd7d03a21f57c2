//! The panels of the tools: a component over the view of each.
//!
//! Invariant: a tool's panel is found by its [`ToolId`] in the table below.

mod ask;
mod batch;
mod class;
mod compare;
mod exercise;
mod export;
mod figure;
mod find;
mod glossary;
mod hang;
pub(crate) mod host;
mod measured;
mod notes;
pub(crate) mod open_tool;
mod own;
pub(crate) mod panel;
mod program;
mod quiz;
mod rules;
mod run_tables;
mod share;
mod sweep;
pub(crate) mod tool_panels;
mod tour;
pub(crate) mod trace;
mod until;

use leptos::prelude::AnyView;

use blockstep_tools::ToolId;
use panel::{Line, Show};

macro_rules! panels {
    ($($id:ident: $tool:ty,)*) => {
        fn panel_of(tool: ToolId, line: Line) -> AnyView {
            match tool { $(ToolId::$id => <$tool as Show>::show(line)),* }
        }

        fn wide_part_of(tool: ToolId, line: Line) -> AnyView {
            match tool { $(ToolId::$id => <$tool as Show>::show_wide(line)),* }
        }
    };
}

panels! {
    Tour: blockstep_tools::tour::Tour,
    Quiz: blockstep_tools::quiz::Quiz,
    Exercise: blockstep_tools::exercise::Exercise,
    Class: blockstep_tools::class::Class,
    Sweep: blockstep_tools::sweep::Sweep,
    Ask: blockstep_tools::ask::Ask,
    Compare: blockstep_tools::compare::Compare,
    Until: blockstep_tools::until::Until,
    Rules: blockstep_tools::rules::Rules,
    Find: blockstep_tools::find::Find,
    Hang: blockstep_tools::hang::Hang,
    RunTables: blockstep_tools::run_tables::RunTables,
    Program: blockstep_tools::program::Program,
    Glossary: blockstep_tools::glossary::Glossary,
    Measured: blockstep_tools::measured::Measured,
    Trace: blockstep_tools::trace::Trace,
    Figure: blockstep_tools::figure::Figure,
    Export: blockstep_tools::export::Export,
    Share: blockstep_tools::share::Share,
    Notes: blockstep_tools::notes::Notes,
    Batch: blockstep_tools::batch::Batch,
    OwnPolicy: blockstep_tools::own::OwnPolicy,
}
