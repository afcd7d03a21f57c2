//! `blockstep check --resident`: whether blocks that need each other can hang, in any order of arrival.
//!
//! Depends on `resident`. Invariant: what is called clean was searched to its end, and what it takes for granted stands below it.

use std::path::PathBuf;

use clap::ValueEnum;

use super::meter::TimeArgs;
use super::{Failed, Input, Streams, name, plain_lines};
use blockstep_format as format;
use blockstep_resident::{Found, MAX_STATES, Question};
use blockstep_sim::scenario::plain;
use blockstep_sim::work::{Progress, in_portions};

/// Exit status if an order hangs.
const HANGS: u8 = 1;
/// Exit status if that is left open.
const UNKNOWN: u8 = 2;
/// Units of work between two looks at the clock: some milliseconds.
const PORTION: u64 = 100_000;

#[derive(clap::Args)]
pub(super) struct CheckArgs {
    #[command(flatten)]
    pub(super) input: Input,
    /// Search all orders in which kernels may arrive for one that hangs; for scenarios whose blocks spin (barrier, until_begun,
    /// until_all_begun, until_completed)
    #[arg(long)]
    pub(super) resident: bool,
    /// Write a scenario that hangs when it is run, if an order does
    #[arg(short, long, value_name = "FILE", requires = "resident")]
    output: Option<PathBuf>,
    /// What the answer is printed as
    #[arg(long, value_name = "FORMAT", default_value = "text", requires = "resident")]
    format: Format,
    #[command(flatten)]
    pub(super) time: TimeArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    Text,
    Json,
}

impl Streams<'_> {
    /// The exit status of a search.
    pub(super) fn check_resident(&mut self, args: &CheckArgs) -> Result<u8, Failed> {
        let loaded = self.load(&args.input, None)?;
        let file = name(&args.input.file);
        let draft = &loaded.opened.draft;
        let mut question = Question::new(draft, MAX_STATES).or_else(|why| self.fail(&plain(&format!("{file}: {why}"))))?;
        let stop = self.stop_by_signal()?;
        self.begin(&args.time, &file);
        let meter = &self.meter;
        let mut refused = None;
        let progress = in_portions(
            PORTION,
            |budget| {
                meter.tell(question.so_far());
                question.advance(budget).unwrap_or_else(|why| {
                    refused = Some(why);
                    Progress::Done
                })
            },
            || meter.has_time() && !stop.is_asked(),
        );
        if let Some(why) = refused {
            return self.fail(&plain(&format!("{file}: {why}")));
        }
        if stop.is_asked() {
            self.status = stop.status();
        }
        let Some(report) = question.report().filter(|_| progress == Progress::Done) else {
            return self.fail(&format!("{file}: stopped: {}, and the search is not over", question.so_far()));
        };
        self.in_time()?;
        if let Some(output) = &args.output {
            match report.hang().and_then(|hang| hang.witness.table.as_ref()) {
                Some(table) => self.put(format::write_scenario(table), Some(output))?,
                None => self.say("note", format!("{file}: nothing was written to {}, as there is no run to show", name(output))),
            }
        }
        match args.format {
            Format::Text => self.print(plain_lines(&format!("{file}: {}", report.text())))?,
            Format::Json => self.print(report.json())?,
        }
        Ok(match report.answer.found {
            Found::Hang(_) => HANGS,
            Found::None => 0,
            Found::Open => UNKNOWN,
        })
    }
}
