//! `blockstep simulate`: a scenario is run, and what happened comes out in the form asked for.
//!
//! Depends on everything but the page. Invariant: nothing comes out of a run that was cut short.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::figure::FigureArgs;
use super::latex::LatexArgs;
use super::{Failed, Input, Loaded, Streams, name, png};
use crate::analysis::scenario::Model;
use crate::engine::{self, Limits};
use crate::format::{self, Source};
use crate::record::Records;
use crate::report;
use crate::scenario::{Choice, PolicyKind};
use crate::trace::{Trace, Variant, Variants};

/// Pixels of a PNG for each of the figure.
const PNG_SCALE: u32 = 2;

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
    /// Where to write it instead of standard output: a file, of format examiner a folder
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Give up, and print no result, after this many steps
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_steps)]
    max_steps: u32,
    #[command(flatten)]
    figure: FigureArgs,
    #[command(flatten)]
    latex: LatexArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// JSON: blocks, copies, kernels and jobs with their times
    Trace,
    /// Text: every decision with its time and rule, a line each
    Steps,
    /// A table of blocks and copies for spreadsheets
    Csv,
    /// A table of kernels
    Kernels,
    /// A table of jobs
    Jobs,
    /// A table of every wait, with its reason and rule
    Waits,
    /// A table of what came of it: response times, misses, waits, utilisation
    Results,
    /// The timeline or queue diagrams as a picture: see Figures
    Svg,
    /// The same in pixels
    Png,
    /// The same for LaTeX: a document that pdflatex compiles, or a fragment of one
    Tikz,
    /// Steps as slides: a presentation of beamer with an overlay for each
    Beamer,
    /// Chrome trace events, for Perfetto
    Chrome,
    /// Logs of cuda_scheduling_examiner, one for each stream; OUT is a folder
    Examiner,
    /// The real-time tasks as a task set of SimSo
    Simso,
}

impl Format {
    fn is_figure(self) -> bool {
        matches!(self, Self::Svg | Self::Png | Self::Tikz | Self::Beamer)
    }
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
        if let Some(option) = args.figure.given().filter(|_| !args.format.is_figure()) {
            return self.fail(&format!("{option} is about figures: use it with --format svg, png, tikz or beamer"));
        }
        if let Some(option) = args.latex.given().filter(|_| !matches!(args.format, Format::Tikz | Format::Beamer)) {
            return self.fail(&format!("{option} is about LaTeX: use it with --format tikz or beamer"));
        }
        if args.figure.scale().is_some() && args.format != Format::Png {
            return self.fail("--scale is about pixels: use it with --format png");
        }
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
            Format::Kernels => format::write_kernels_csv(&run.trace, &records),
            Format::Jobs => format::write_jobs_csv(&run.trace, &records),
            Format::Waits => report::waits_csv(&run, &records),
            Format::Results => report::results_csv(&run, &records),
            Format::Chrome => format::write_chrome(&run.trace, &records),
            // They are files of their own.
            Format::Examiner => return self.logs(&run.trace, &records, args),
            Format::Simso => self.simso(&run.trace, file, args)?,
            Format::Svg => self.figure(&args.figure, &run, &records)?.svg(),
            Format::Tikz => self.tikz(&args.figure, &args.latex, &run, &records)?,
            Format::Beamer => self.beamer(&args.figure, &args.latex, &run, &records)?,
            Format::Png => {
                let svg = self.figure(&args.figure, &run, &records)?.svg();
                return match png::png(&svg, args.figure.scale().unwrap_or(PNG_SCALE)) {
                    Ok((dots, missing)) => {
                        if let Some(letter) = missing {
                            self.say("note", format!("{file}: some letters are in no font of this computer and are empty boxes, such as {letter} (U+{:04X}); use --format svg", u32::from(letter)));
                        }
                        self.put(&dots, args.output.as_deref())
                    }
                    Err(why) => self.fail(&format!("{file}: {why}")),
                };
            }
        };
        self.put(result.as_bytes(), args.output.as_deref())
    }

    /// Writes what came out where it is to go.
    fn put(&mut self, result: &[u8], output: Option<&Path>) -> Result<(), Failed> {
        match output {
            None => self.print_bytes(result),
            Some(out) => std::fs::write(out, result).or_else(|e| self.fail(&format!("{}: cannot be written: {e}", out.display()))),
        }
    }

    /// Writes the logs into a folder, which is made if it is not there.
    fn logs(&mut self, trace: &Trace, records: &Records, args: &SimulateArgs) -> Result<(), Failed> {
        let file = name(&args.input.file);
        let Some(folder) = &args.output else {
            return self.fail(&format!("{file}: logs are one file for each stream; say with -o FOLDER where they are to go"));
        };
        let logs = format::write_logs(trace, records);
        if logs.is_empty() {
            return self.fail(&format!("{file}: no kernel completed, so there is nothing that a log could hold"));
        }
        if let Err(e) = std::fs::create_dir_all(folder) {
            return self.fail(&format!("{}: this folder cannot be made: {e}", folder.display()));
        }
        for (name, text) in &logs {
            self.put(text.as_bytes(), Some(&folder.join(name)))?;
        }
        for loss in format::log_losses(trace, records) {
            self.say("note", format!("not in the logs: {loss}"));
        }
        Ok(())
    }

    fn simso(&mut self, trace: &Trace, file: &str, args: &SimulateArgs) -> Result<String, Failed> {
        let model = Model::new(trace.scenario(), Limits { max_steps: args.max_steps });
        match model.and_then(|model| format::write_simso(trace.scenario(), &model, trace.end())) {
            Ok(written) => {
                for loss in written.losses {
                    self.say("note", format!("not in the file: {loss}"));
                }
                Ok(written.text)
            }
            Err(why) => self.fail(&format!("{file}: {why}")),
        }
    }
}
