//! `blockstep simulate`: a scenario is run, and what happened comes out in the form asked for.
//!
//! Depends on everything but the page. Invariant: nothing comes out of a run that was cut short.

use std::path::PathBuf;
use std::sync::Arc;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::{Failed, Input, Loaded, Streams, name};
use crate::engine::{self, Limits};
use crate::format::{self, Source};
use crate::record::Records;
use crate::scenario::{Choice, PolicyKind};
use crate::trace::{Variant, Variants};
use crate::{draw, report};

/// Width of a picture.
const SVG_WIDTH_PX: u32 = 1200;

#[derive(clap::Args)]
pub(super) struct SimulateArgs {
    #[command(flatten)]
    input: Input,
    /// Schedule by this policy instead of the file's
    #[arg(long, value_parser = policy_parser())]
    policy: Option<PolicyKind>,
    /// Change a rule on purpose, to see what it is for; can be given more than once, and the result says so
    #[arg(long, value_name = "ID", value_parser = variant)]
    variant: Vec<Variant>,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Trace)]
    format: Format,
    /// Where to write it instead of standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Give up, and print no result, after this many steps
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_steps)]
    max_steps: u32,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// JSON: blocks, copies, kernels and jobs with their times
    Trace,
    /// Text: every decision with its time and rule, a line each
    Steps,
    /// A table of blocks and copies for spreadsheets
    Csv,
    /// A table of what came of it: response times, misses, waits, utilisation
    Results,
    /// The timeline as a picture
    Svg,
}

fn policy_parser() -> impl TypedValueParser<Value = PolicyKind> {
    PossibleValuesParser::new(PolicyKind::ALL.iter().map(|kind| kind.word()))
        .try_map(|word| PolicyKind::from_word(&word).ok_or("unknown policy"))
}

fn variant(id: &str) -> Result<Variant, String> {
    Variant::from_id(id).ok_or_else(|| {
        let width = Variant::ALL.iter().map(|v| v.id().len()).max().unwrap_or(0);
        let list: String = Variant::ALL.iter().map(|v| format!("\n  {:width$}  {}", v.id(), v.sentence())).collect();
        format!("there is no such variant of a rule; there are{list}")
    })
}

impl Streams<'_> {
    pub(super) fn simulate(&mut self, args: &SimulateArgs) -> Result<(), Failed> {
        let Loaded { text, opened, scenario } = self.load(&args.input, args.policy)?;
        let file = &name(&args.input.file);
        let variants: Variants = args.variant.iter().copied().collect();
        let run = match engine::simulate_varied(&scenario, variants, Limits { max_steps: args.max_steps }) {
            Ok(run) => run,
            Err(e) if args.policy.is_none() && opened.source == Source::Scenario => {
                let line = format::locate(&text, "policy.kind").map_or_else(String::new, |n| format!("line {n}: "));
                return self.fail(&format!("{file}: {line}{e}"));
            }
            Err(e) => return self.fail(&format!("{file}: {e}")),
        };
        if let Some(cut) = run.trace.cut() {
            return self.fail(&format!("{file}: {cut}"));
        }
        if !variants.is_none() {
            self.say("note", format!("{file}: this is not what a GPU does; rules changed: {}", variants.ids()));
        }
        let records = Arc::new(Records::new(&run.trace));
        let result = match args.format {
            Format::Trace => format::write_trace(&run.trace, &records).or_else(|cut| self.fail(&format!("{file}: {cut}")))?,
            Format::Steps => format::write_steps(&run.trace),
            Format::Csv => format::write_csv(&run.trace, &records),
            Format::Results => report::results_csv(&run, &records),
            Format::Svg => draw::svg(&run.trace, &records, SVG_WIDTH_PX, None, false),
        };
        match &args.output {
            None => self.print(&result),
            Some(out) => std::fs::write(out, result).or_else(|e| self.fail(&format!("{}: cannot be written: {e}", out.display()))),
        }
    }
}
