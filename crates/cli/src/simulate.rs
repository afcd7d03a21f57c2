//! `blockstep simulate`: a scenario is run, and what happened comes out in the form asked for.
//!
//! Depends on everything up to `report`. Invariant: nothing comes out of a run that was cut short.

use crate::error::ArgError;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use super::figure::FigureArgs;
use super::latex::LatexArgs;
use super::meter::TimeArgs;
use super::{Failed, Input, Loaded, Streams, Under, name};
use blockstep_analysis::scenario::Model;
use blockstep_format as format;
use blockstep_png::png;
use blockstep_report as report;
use blockstep_report::figure::{MAX_BESIDE, or_unnamed};
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::order::Names;
use blockstep_sim::policy;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Choice, PolicyKind, plain};
use blockstep_sim::trace::{Cut, Trace, Variant, Variants};
use blockstep_view::dead_end::dead_end;
use blockstep_view::quantity::format_count;

const MOST_STEPS: u32 = Limits::MOST_STEPS;
/// Pixels of a PNG or GIF for each of the figure.
const PNG_SCALE: u32 = 2;

#[derive(clap::Args)]
pub(super) struct SimulateArgs {
    #[command(flatten)]
    input: Input,
    /// Schedule by this policy instead of the file's
    #[arg(long, value_parser = policy_parser())]
    policy: Option<PolicyKind>,
    /// Schedule by a policy of your own: a file in the language of docs/policy-language.md, or the name of one that is built in (policy list)
    #[arg(long, value_name = "POLICY", conflicts_with = "policy")]
    policy_file: Option<String>,
    /// Change a rule on purpose, to see what it is for; can be given more than once, and the result says so
    #[arg(long, value_name = "ID", value_parser = variant)]
    variant: Vec<Variant>,
    /// What to print [default: what the ending of OUT says, .svg for instance; else trace]
    #[arg(short, long, value_enum)]
    format: Option<Format>,
    /// Where to write it instead of standard output: a file, of format examiner a folder
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    /// Replace logs of format examiner that are in the folder already
    #[arg(long)]
    overwrite: bool,
    /// Give up, and print no result, after this many steps, 1 to 100000000; a million take about 100 MB of memory
    #[arg(long, value_name = "N", default_value_t = Limits::default().max_steps, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_STEPS)))]
    max_steps: u32,
    #[command(flatten)]
    time: TimeArgs,
    /// Another run beside this one, in a chart of several tasks or in the results: a file as the first one;
    /// up to four times
    #[arg(long, value_name = "FILE")]
    beside: Vec<PathBuf>,
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
    /// A table of what came of it: response times, misses, waits, utilization
    Results,
    /// The timeline or queue diagrams as a picture: see Figures
    Svg,
    /// The same in pixels
    Png,
    /// Some steps as a picture that moves, a frame for each: timeline, queues and what the step does
    Gif,
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
    /// The scenario as a program of CUDA, which writes such logs on a GPU
    Cuda,
    /// The scenario itself as a file of Blockstep, whatever it was read from; it is not run
    Scenario,
}

/// A run beside the first one.
pub(super) struct OtherRun {
    /// What it is called: the scenario's name, with a number if that is taken.
    pub(super) name: String,
    pub(super) run: engine::Run,
    pub(super) records: Records,
}

impl Format {
    /// What the name of a file says; what it does not say is a trace.
    fn of_name(output: &Path) -> Result<Self, ArgError> {
        let Some(ending) = output.extension() else { return Ok(Self::Trace) };
        match ending.to_ascii_lowercase().to_str() {
            Some("json") => Ok(Self::Trace),
            Some("txt") => Ok(Self::Steps),
            Some("csv") => Ok(Self::Csv),
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            Some("gif") => Ok(Self::Gif),
            Some("tex") => Ok(Self::Tikz),
            Some("xml") => Ok(Self::Simso),
            Some("cu") => Ok(Self::Cuda),
            _ => Err(ArgError::NoFormatOfName(name(Path::new(ending)))),
        }
    }

    fn is_figure(self) -> bool {
        matches!(self, Self::Svg | Self::Png | Self::Gif | Self::Tikz | Self::Beamer)
    }
}

fn policy_parser() -> impl TypedValueParser<Value = PolicyKind> {
    PossibleValuesParser::new(PolicyKind::ALL.iter().map(|&kind| PossibleValue::new(kind.word()).help(policy::about(kind).help)))
        .try_map(|word| PolicyKind::from_word(&word).ok_or("unknown policy"))
}

fn variant(id: &str) -> Result<Variant, ArgError> {
    Variant::from_id(id).ok_or(ArgError::NoVariant)
}

impl Streams<'_> {
    pub(super) fn simulate(&mut self, args: &SimulateArgs) -> Result<(), Failed> {
        let format = match (args.format, &args.output) {
            (Some(format), _) => format,
            (None, None) => Format::Trace,
            (None, Some(output)) => Format::of_name(output).or_else(|why| self.fail(&format!("{}: {why}", name(output))))?,
        };
        if let Some(option) = args.figure.given().filter(|_| !format.is_figure()) {
            return self.fail(&format!("{option} is about figures: use it with --format svg, png, gif, tikz or beamer"));
        }
        let of_gif = |option: &str| format == Format::Gif && option == LatexArgs::WITH_FUTURE;
        if let Some(option) = args.latex.given().filter(|option| !matches!(format, Format::Tikz | Format::Beamer) && !of_gif(option)) {
            return self.fail(&format!("{option} is about LaTeX: use it with --format tikz or beamer"));
        }
        if args.figure.scale().is_some() && !matches!(format, Format::Png | Format::Gif) {
            return self.fail("--scale is about pixels: use it with --format png or gif");
        }
        if let Some(option) = args.figure.of_gif().filter(|_| format != Format::Gif) {
            return self.fail(&format!("{option} is about pictures that move: use it with --format gif"));
        }
        if args.figure.has_steps() && !matches!(format, Format::Gif | Format::Beamer) {
            return self.fail("--steps goes with --format gif or beamer; use --step N once for each step of another figure");
        }
        if args.overwrite && format != Format::Examiner {
            return self.fail("--overwrite is about logs: use it with --format examiner; another file is replaced anyway");
        }
        if matches!(format, Format::Png | Format::Gif) && args.output.is_none() && self.is_process && io::stdout().is_terminal() {
            return self.fail("a terminal cannot show a picture of dots: name a file with -o FILE, or pipe it");
        }
        if let Some(output) = &args.output {
            self.spare(&args.input.file, output)?;
        }
        if !args.beside.is_empty() && format != Format::Results && !(format.is_figure() && args.figure.is_of_several()) {
            return self.fail(
                "--beside goes with --format results, or with --figure response-times, block-times or threads: it compares other runs with this one",
            );
        }
        if args.beside.len() > MAX_BESIDE {
            return self.fail(&format!("{} runs to compare with this one are too many, the limit is {MAX_BESIDE}", args.beside.len()));
        }
        let under = match &args.policy_file {
            Some(policy) => Some(Under::Text(self.policy_text(policy)?.1)),
            None => args.policy.map(Under::Kind),
        };
        let Loaded { opened, scenario } = self.load(&args.input, under)?;
        let file = &name(&args.input.file);
        if format == Format::Cuda && !args.variant.is_empty() {
            return self.fail("--variant changes the rules of a run, which a GPU does not change: leave it out with --format cuda");
        }
        if format == Format::Scenario {
            if !args.variant.is_empty() {
                return self.fail("--variant changes a run, of which a scenario holds nothing: leave it out with --format scenario");
            }
            return self.put(format::write_scenario(&opened.draft.with_effect()), args.output.as_deref());
        }
        let variants: Variants = args.variant.iter().copied().collect();
        self.begin(&args.time, file);
        let run = self.run_of(&scenario, variants, Limits { max_steps: args.max_steps })?;
        if let Some(cut) = run.trace.cut() {
            let _: Result<(), Failed> = self.fail(&format!("{file}: {cut}"));
            if let Cut::StepLimit { limit, .. } = cut {
                self.say("hint", more_steps(*limit));
            }
            return Err(Failed);
        }
        if !variants.is_none() {
            self.say("note", format!("{file}: this is not what a GPU does; rules changed: {}", variants.ids()));
        }
        if let Some(sentence) = scenario.device().evidence().sentence() {
            self.say("note", format!("{file}: {sentence}"));
        }
        let records = Arc::new(Records::new(&run.trace));
        if let Some(why) = dead_end(&run, &records) {
            self.say("warning", plain(&format!("{file}: {why}")));
        }
        let others = self.others(args, scenario.name())?;
        self.in_time()?;
        let output = args.output.as_deref();
        match format {
            Format::Trace => match format::write_trace(&run.trace, &records) {
                Ok(text) => self.put(text, output),
                Err(cut) => self.fail(&format!("{file}: {cut}")),
            },
            Format::Steps => self.put(format::write_steps(&run.trace), output),
            Format::Csv => self.put(format::write_csv(&run.trace, &records), output),
            Format::Kernels => self.put(format::write_kernels_csv(&run.trace, &records), output),
            Format::Jobs => self.put(format::write_jobs_csv(&run.trace, &records), output),
            Format::Waits => self.put(report::waits_csv(&run, &records), output),
            Format::Results => {
                let first = (or_unnamed(scenario.name(), others.len()), &run, &*records);
                let others = others.iter().map(|other| (other.name.as_str(), &other.run, &other.records));
                self.put(report::results_csv_of(&std::iter::once(first).chain(others).collect::<Vec<_>>()), output)
            }
            Format::Chrome => self.put(format::write_chrome(&run.trace, &records), output),
            // Written before the run.
            Format::Scenario => Ok(()),
            // They are files of their own.
            Format::Examiner => self.logs(&run.trace, &records, args),
            Format::Simso => {
                let text = self.simso(&run.trace, file, args)?;
                self.put(text, output)
            }
            Format::Cuda => match format::write_program(&run.trace, &records) {
                Ok(program) => self.put(program.text, output),
                Err(why) => self.fail(&plain(&format!("{file}: {why}"))),
            },
            Format::Svg => {
                let svg = self.figure(&args.figure, &run, &records, &others)?.svg();
                self.put(svg, output)
            }
            Format::Gif => {
                let film = self.film(&args.figure, &args.latex, &run)?;
                let (bytes, missing) = self.gif(&film, args.figure.scale().unwrap_or(PNG_SCALE), &run, &records)?;
                self.tell_of_letter(file, missing);
                self.put_bytes(&bytes, output)
            }
            Format::Tikz => {
                let tex = self.tikz(&args.figure, &args.latex, &run, &records, &others)?;
                self.put(tex, output)
            }
            Format::Beamer => {
                let tex = self.beamer(&args.figure, &args.latex, &run, &records)?;
                self.put(tex, output)
            }
            Format::Png => {
                let svg = self.figure(&args.figure, &run, &records, &others)?.svg();
                match png(&svg, args.figure.scale().unwrap_or(PNG_SCALE)) {
                    Ok((dots, missing)) => {
                        self.tell_of_letter(file, missing);
                        self.put_bytes(&dots, output)
                    }
                    Err(why) => self.fail(&format!("{file}: {why}")),
                }
            }
        }
    }

    fn tell_of_letter(&mut self, file: &str, missing: Option<char>) {
        if let Some(letter) = missing {
            self.say("note", format!("{file}: some letters are in no font of this computer and are empty boxes, such as {letter} (U+{:04X}); use --format svg", u32::from(letter)));
        }
    }

    /// The runs that are set beside the first one, under its limits.
    fn others(&mut self, args: &SimulateArgs, first: &str) -> Result<Vec<OtherRun>, Failed> {
        let mut names = Names::default();
        let count = args.beside.len();
        names.unique(or_unnamed(first, count));
        let mut others = Vec::new();
        for path in &args.beside {
            let input = Input { file: path.clone(), duration: args.input.duration, device: args.input.device };
            let text = self.read(path)?;
            // Perhaps only the first one lacks a duration.
            let (scenario, file) = (self.open_text(&input, &text, None)?.scenario, name(path));
            let run = self.run_of(&scenario, Variants::NONE, Limits { max_steps: args.max_steps })?;
            if let Some(cut) = run.trace.cut() {
                return self.fail(&format!("{file}: {cut}"));
            }
            let records = Records::new(&run.trace);
            others.push(OtherRun { name: names.unique(or_unnamed(scenario.name(), count)), run, records });
        }
        Ok(others)
    }

    /// Writes the logs into a folder.
    fn logs(&mut self, trace: &Trace, records: &Records, args: &SimulateArgs) -> Result<(), Failed> {
        let file = name(&args.input.file);
        let Some(folder) = &args.output else {
            return self.fail(&format!("{file}: logs are one file for each stream; say with -o FOLDER where they are to go"));
        };
        let logs = format::write_logs(trace, records);
        if logs.is_empty() {
            return self.fail(&format!("{file}: no kernel completed, so there is nothing that a log could hold"));
        }
        self.put_all(&logs, folder, args.overwrite, &[&args.input.file])?;
        for loss in format::log_losses(trace, records) {
            self.say("note", plain(&format!("not in the logs: {loss}")));
        }
        Ok(())
    }

    fn simso(&mut self, trace: &Trace, file: &str, args: &SimulateArgs) -> Result<String, Failed> {
        let model = Model::new(trace.scenario(), Limits { max_steps: args.max_steps })
            .or_else(|why| self.fail(&plain(&format!("{file}: {why}"))))?;
        match format::write_simso(trace.scenario(), &model, trace.end()) {
            Ok(written) => {
                for loss in written.losses {
                    self.say("note", plain(&format!("not in the file: {loss}")));
                }
                Ok(written.text)
            }
            Err(why) => self.fail(&plain(&format!("{file}: {why}"))),
        }
    }
}

/// The way out of a run with too many steps.
fn more_steps(limit: u32) -> String {
    if limit >= MOST_STEPS {
        return format!("{} is the most that --max-steps allows", format_count(MOST_STEPS.into()));
    }
    format!("--max-steps N allows more, up to {}", format_count(MOST_STEPS.into()))
}
