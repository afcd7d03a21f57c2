//! The command line.
//!
//! Depends on everything up to `report`, on `sweep`, `measure` and `png`. Invariants: nothing is printed to standard output unless
//! the whole command succeeds, a study is stopped, which says so, or the page is served, which says where; whatever goes wrong ends with status 2 and
//! says what and where on standard error; a reader that stops reading is no success, but no words are lost on it; but for
//! pictures of dots, which no terminal gets, and the colors of help, nothing that a terminal takes for a command is printed, whatever
//! names and file names hold.

mod analyse;
mod batch;
mod devices;
mod error;
mod figure;
mod help;
mod input;
mod latex;
#[cfg(feature = "measure")]
mod measure;
mod meter;
mod output;
mod policies;
pub mod progress;
mod resident;
mod runs;
#[cfg(feature = "serve")]
mod serve;
mod simulate;
mod stop;
mod sweep;
mod trace;
mod validate;

pub use meter::Clock;

use error::ArgError;
use meter::Meter;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::error::ErrorKind;
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

use blockstep_format::{self as format, FormatError, ImportOptions, Opened, Source};
use blockstep_sim::examples;
use blockstep_sim::language::counted;
use blockstep_sim::scenario::device::BuiltIn;
use blockstep_sim::scenario::{PolicyKind, Scenario, ScenarioError, plain};
use blockstep_view::quantity::{self, Unit};

/// Exit status of anything that went wrong.
const FAILURE: u8 = 2;
/// Exit status if nobody reads standard output any more: that of a program which the signal SIGPIPE ends.
const CLOSED: u8 = 141;

/// Columns of the help on a terminal that is wider: longer lines are hard to read.
const WIDEST_HELP: usize = 120;

/// Commands that only some builds have, and that this one lacks, with what builds them.
const LEFT_OUT: &[(&str, &str)] = &[
    #[cfg(not(feature = "measure"))]
    ("measure", "cargo build --release --features measure builds one that has it"),
    #[cfg(not(feature = "serve"))]
    ("serve", "make dist, then cargo build --release --features serve, builds one that has it"),
];

const LONG_ABOUT: &str = "\
Shows, step by step, how a GPU schedules kernels, thread blocks and copies.

A scenario says which kernels a few CPU tasks launch on which streams, and when. Blockstep works out \
what a Jetson TX2 (or another GPU) does with them under a scheduling policy, to the nanosecond: which \
block runs on which SM from when to when, and by which rule.";

/// The version, with the commit and its day where they are known.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("BLOCKSTEP_COMMIT"));

#[derive(Parser)]
#[command(name = "blockstep", bin_name = "blockstep", styles = help::STYLES, version = VERSION, about = "Shows, step by step, how a GPU schedules kernels, thread blocks and copies")]
#[command(long_about = LONG_ABOUT, after_help = help::examples(help::PROGRAM, &[help::PROGRAM_STATUS]), arg_required_else_help = true, max_term_width = WIDEST_HELP)]
struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run a scenario and print what happened
    #[command(after_help = help::examples(help::SIMULATE, &[]))]
    Simulate(simulate::SimulateArgs),
    /// Look for mistakes without running anything, or for an order of arrival that hangs
    #[command(after_help = help::examples(help::CHECK, &[help::CHECK_STATUS]))]
    Check(resident::CheckArgs),
    /// Put a scenario to the schedulability tests
    #[command(visible_alias = "analyze", after_help = help::examples(help::ANALYSE, &[]))]
    Analyse(analyse::AnalyseArgs),
    /// Test many random task sets, as the papers' figures do, or run a scenario with many values of its fields
    #[command(after_help = help::examples(help::SWEEP, &[]))]
    Sweep(sweep::SweepArgs),
    /// Join parts of a study or sweep
    #[command(after_help = help::examples(help::SWEEP_MERGE, &[]))]
    SweepMerge(sweep::MergeArgs),
    /// Run the schedulers of [MT] on a workload for batch schedulers
    #[command(after_help = help::examples(help::BATCH, &[]))]
    Batch(batch::BatchArgs),
    /// Run a scenario on an NVIDIA GPU of this computer
    #[cfg(feature = "measure")]
    #[command(after_help = help::examples(help::MEASURE, &[]))]
    Measure(measure::MeasureArgs),
    /// What `measure` starts for each process of a scenario
    #[cfg(feature = "measure")]
    #[command(hide = true)]
    MeasureProcess,
    /// Show the page in a browser of this computer, with files open
    #[cfg(feature = "serve")]
    #[command(after_help = help::examples(help::SERVE, &[]))]
    Serve(serve::ServeArgs),
    /// Judge what was measured on a GPU by the rules
    #[command(after_help = help::examples(help::VALIDATE, &[help::VALIDATE_STATUS]))]
    Validate(validate::ValidateArgs),
    /// Say why operations in a profiler's trace waited
    #[command(after_help = help::examples(help::TRACE, &[help::TRACE_MORE]))]
    Trace(trace::TraceArgs),
    /// Search a policy of one's own for faults, or list published ones
    #[command(after_help = help::examples(help::POLICY, &[]))]
    Policy(policies::PolicyArgs),
    /// List the built-in scenarios, or print one
    #[command(after_help = help::examples(help::EXAMPLES, &[]))]
    Examples {
        /// Which to print, as listed
        name: Option<String>,
    },
    /// List the built-in devices, with the numbers that a run goes by
    #[command(after_help = help::examples(help::DEVICES, &[]))]
    Devices(devices::DevicesArgs),
    /// Print the JSON Schema of scenario files, by which editors complete and check
    #[command(after_help = help::examples(help::SCHEMA, &[]))]
    Schema,
    /// Print what makes a shell complete commands and options
    #[command(after_help = help::examples(help::COMPLETIONS, &[]))]
    Completions {
        /// Of which shell
        shell: Shell,
    },
    /// Print a page of the manual, for man(1)
    #[command(after_help = help::examples(help::MAN, &[]))]
    Man {
        /// Of this command, as policy check; without one, of the program
        command: Vec<String>,
    },
}

#[derive(clap::Args)]
struct Input {
    /// A scenario, a config of cuda_scheduling_examiner or a task set of SimSo (recognized by content; check also takes a
    /// workload for batch schedulers); - is standard input
    file: PathBuf,
    /// How long every block runs, for examiner programs without a duration: 10ms, 0.5s, 250us
    #[arg(long, value_name = "TIME", value_parser = duration)]
    duration: Option<u64>,
    #[arg(long, value_name = "ID", value_parser = device, help = help::device("Take this GPU instead of the file's (an examiner config names none)"))]
    device: Option<&'static BuiltIn>,
}

fn device(id: &str) -> Result<&'static BuiltIn, ArgError> {
    BuiltIn::find(id).ok_or(ArgError::NoDevice)
}

/// A time with its unit, which 0 needs not. In a cell of the page a number alone is in seconds, as papers have it; here it would be
/// a guess.
fn time(text: &str) -> Result<u64, ArgError> {
    match quantity::parse(Unit::Time, text)? {
        ns if ns > 0 && !text.trim_end().ends_with(char::is_alphabetic) => Err(ArgError::NoUnit(text.trim().to_owned())),
        ns => Ok(ns),
    }
}

fn duration(text: &str) -> Result<u64, ArgError> {
    match time(text)? {
        0 => Err(ArgError::NoDuration),
        ns => Ok(ns),
    }
}

/// All commands with their options, as their help and the manual describe them.
#[must_use]
pub fn command() -> clap::Command {
    Args::command()
}

/// Runs the command line with the process's arguments.
#[must_use]
pub fn run() -> ExitCode {
    let (mut stdin, mut stdout, mut stderr) = (io::stdin().lock(), io::stdout().lock(), io::stderr());
    Streams::new(&mut stdin, &mut stdout, &mut stderr, (true, meter::processor())).run(std::env::args_os()).into()
}

/// Runs the command line on any arguments (the first is the program) and streams; returns the exit
/// status.
pub fn run_with(
    args: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> u8 {
    run_by_clock(args, stdin, stdout, stderr, meter::processor())
}

/// The same by another clock, which says when the time of `--max-time` is up.
pub fn run_by_clock(
    args: impl IntoIterator<Item = impl Into<OsString> + Clone>,
    stdin: &mut dyn Read,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
    clock: Clock,
) -> u8 {
    Streams::new(stdin, stdout, stderr, (false, clock)).run(args)
}

/// Something went wrong and has been said.
struct Failed;

struct Streams<'s> {
    stdin: &'s mut dyn Read,
    stdout: &'s mut dyn Write,
    stderr: &'s mut dyn Write,
    /// Whether they are the process's own, so that a progress bar may be drawn and signals are ours.
    is_process: bool,
    /// The exit status of what fails next.
    status: u8,
    clock: Clock,
    /// Of the computation that began last.
    meter: Meter,
}

/// Another policy than that of a file.
enum Under {
    Kind(PolicyKind),
    /// One of one's own, by its text.
    Text(String),
}

/// A file that holds a scenario without mistakes.
struct Loaded {
    opened: Opened,
    scenario: Arc<Scenario>,
}

impl<'s> Streams<'s> {
    fn new(stdin: &'s mut dyn Read, stdout: &'s mut dyn Write, stderr: &'s mut dyn Write, (is_process, clock): (bool, Clock)) -> Self {
        Self { stdin, stdout, stderr, is_process, status: FAILURE, meter: Meter::unlimited(Arc::clone(&clock)), clock }
    }
}

impl Streams<'_> {
    fn run(&mut self, args: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> u8 {
        let args: Vec<OsString> = args.into_iter().map(Into::into).collect();
        let asked = args.iter().skip(1).find(|arg| *arg != "help" && *arg != "man");
        if let Some((name, how)) = LEFT_OUT.iter().find(|(name, _)| asked.is_some_and(|asked| asked == name)) {
            self.say("error", format!("{name} is not in this program, which was built without it: {how} (docs/cli.md)"));
            return self.status;
        }
        let result = match Args::try_parse_from(args) {
            Ok(args) => match args.command {
                Command::Simulate(args) => self.simulate(&args),
                Command::Check(args) if args.resident => match self.check_resident(&args) {
                    Ok(0) => Ok(()),
                    Ok(status) => return status,
                    Err(failed) => Err(failed),
                },
                Command::Check(args) if args.time.is_given() => {
                    self.fail("--max-time is for a search: give --resident, too, or leave it out")
                }
                Command::Check(args) => self.check(&args.input),
                Command::Analyse(args) => self.analyse(&args),
                Command::Sweep(args) => self.sweep(&args),
                Command::SweepMerge(args) => self.sweep_merge(&args),
                Command::Batch(args) => self.batch(&args),
                #[cfg(feature = "measure")]
                Command::Measure(args) => self.measure(&args),
                #[cfg(feature = "measure")]
                Command::MeasureProcess => return self.measure_process(),
                #[cfg(feature = "serve")]
                Command::Serve(args) => self.serve(&args),
                Command::Validate(args) => match self.validate(&args) {
                    Ok(0) => Ok(()),
                    Ok(status) => return status,
                    Err(failed) => Err(failed),
                },
                Command::Trace(args) => self.trace(&args),
                Command::Policy(args) => match self.policy(&args) {
                    Ok(0) => Ok(()),
                    Ok(status) => return status,
                    Err(failed) => Err(failed),
                },
                Command::Examples { name } => self.examples(name.as_deref()),
                Command::Devices(args) => self.devices(&args),
                Command::Schema => self.print(format::scenario_schema()),
                Command::Completions { shell } => self.completions(shell),
                Command::Man { command } => self.manual(&command),
            },
            Err(e) if e.use_stderr() => {
                // Other errors name arguments, from which a terminal is to get no command.
                let is_help = e.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
                // Should standard error be gone too, the status still tells.
                let _ = if is_help && self.is_process { e.print() } else { write!(self.stderr, "{}", plain_lines(&e.to_string())) };
                Err(Failed)
            }
            // In color where there is a terminal that wants it.
            Err(help) if self.is_process => {
                let printed = help.print();
                self.printed(printed)
            }
            Err(help) => self.print(help),
        };
        match result {
            Ok(()) => 0,
            Err(Failed) => self.status,
        }
    }

    fn check(&mut self, input: &Input) -> Result<(), Failed> {
        let text = self.read(&input.file)?;
        if format::is_batch(&text) {
            let given = [("--duration", input.duration.is_some()), ("--device", input.device.is_some())];
            if let Some((option, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
                let file = name(&input.file);
                return self.fail(&format!("{file}: a workload for batch schedulers, for which {option} has no use: leave it out"));
            }
            return self.check_batch(&name(&input.file), &text);
        }
        let Loaded { opened, scenario } = self.load_text(input, &text, None)?;
        let what = match opened.source {
            Source::Scenario => "a scenario",
            Source::Examiner => "an examiner config",
            Source::Simso => "a task set of SimSo",
        };
        let (rows, tasks) = (scenario.rows().len(), scenario.tasks().len());
        let (file, rows, tasks) = (name(&input.file), counted(rows, "kernel row"), counted(tasks, "task"));
        self.print(format!("{file}: {what} without mistakes, {rows}, {tasks}\n"))
    }

    /// A workload of batch schedulers.
    fn check_batch(&mut self, file: &str, text: &str) -> Result<(), Failed> {
        let batch = match format::read_batch(text) {
            Ok(batch) => batch,
            Err(e) => return self.wrong(file, &e, None),
        };
        let (tasks, gpu) = (counted(batch.workload.tasks.len(), "task"), batch.gpu.arch().name);
        self.print(format!("{file}: a workload for batch schedulers without mistakes, {tasks}, on {gpu}\n"))
    }

    fn examples(&mut self, id: Option<&str>) -> Result<(), Failed> {
        let width = examples::all().map(|e| e.id.len()).max().unwrap_or(0);
        let list: String = examples::all().map(|e| format!("{:width$}  {} ({})\n", e.id, e.title, e.source)).collect();
        match id {
            None => self.print(list),
            Some(id) => match examples::find(id) {
                Some(example) => self.print(format!("{}\n", example.json.trim_end())),
                None => self.fail(&format!("there is no built-in scenario \"{}\"; there are\n{}", plain(id), list.trim_end())),
            },
        }
    }

    fn completions(&mut self, shell: Shell) -> Result<(), Failed> {
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut command(), "blockstep", &mut script);
        self.print(String::from_utf8_lossy(&script))
    }

    fn manual(&mut self, names: &[String]) -> Result<(), Failed> {
        let mut program = command().disable_help_subcommand(true);
        program.build();
        let found = names.iter().try_fold(&program, |here, name| here.find_subcommand(name).filter(|found| !found.is_hide_set()));
        let Some(found) = found else {
            return self.fail(&format!("there is no command \"{}\"; blockstep --help lists them", plain(&names.join(" "))));
        };
        let title = std::iter::once("blockstep").chain(names.iter().map(String::as_str)).collect::<Vec<_>>().join("-");
        let mut page = Vec::new();
        // Memory can be written to.
        let _ = clap_mangen::Man::new(found.clone().name(title).version(VERSION)).render(&mut page);
        self.print(String::from_utf8_lossy(&page))
    }

    /// Reads and checks a file; says what an importer assumed and what is doubtful.
    fn load(&mut self, input: &Input, policy: Option<Under>) -> Result<Loaded, Failed> {
        let text = self.read(&input.file)?;
        self.load_text(input, &text, policy)
    }

    /// The same of a text that was read.
    fn load_text(&mut self, input: &Input, text: &str, policy: Option<Under>) -> Result<Loaded, Failed> {
        let opened = self.opened(input, text)?;
        if input.duration.is_some() && !opened.takes_duration {
            let file = name(&input.file);
            return self.fail(&format!("{file}: every block has a duration already, so --duration has no use: leave it out"));
        }
        self.loaded(input, text, opened, policy)
    }

    /// The same, whether its duration is of use or not.
    fn open_text(&mut self, input: &Input, text: &str, policy: Option<Under>) -> Result<Loaded, Failed> {
        let opened = self.opened(input, text)?;
        self.loaded(input, text, opened, policy)
    }

    /// What a text holds that can be simulated, not checked yet.
    fn opened(&mut self, input: &Input, text: &str) -> Result<Opened, Failed> {
        let file = &name(&input.file);
        if format::is_batch(text) {
            return self.fail(&format!(
                "{file}: a workload for batch schedulers, not a scenario; run it with blockstep batch, or open it in the page"
            ));
        }
        format::open(text, &ImportOptions { default_duration_ns: input.duration, device: input.device }).or_else(|e| {
            let hint = e.needs_duration.then_some("give a duration, for example --duration 10ms");
            self.wrong(file, &e, hint)
        })
    }

    /// The scenario of what was opened, under a policy.
    fn loaded(&mut self, input: &Input, text: &str, mut opened: Opened, policy: Option<Under>) -> Result<Loaded, Failed> {
        let file = &name(&input.file);
        match policy {
            Some(Under::Kind(kind)) => opened.draft.policy.kind = kind,
            Some(Under::Text(text)) => (opened.draft.policy.kind, opened.draft.policy.text) = (PolicyKind::Own, text),
            None => {}
        }
        self.say_notes(file, &opened.notes);
        let scenario = match Scenario::new(&opened.draft) {
            Ok(scenario) => scenario,
            Err(e) => return self.wrong(file, &opened.explain(&e, text), None),
        };
        if !scenario.warnings().is_empty() {
            let warnings = ScenarioError { problems: scenario.warnings().to_vec() };
            for warning in opened.explain(&warnings, text).problems {
                self.say("warning", plain(&format!("{file}: {warning}")));
            }
        }
        Ok(Loaded { opened, scenario })
    }

    fn say_notes(&mut self, file: &str, notes: &[String]) {
        for note in notes {
            self.say("note", plain(&format!("{file}: {note}")));
        }
    }

    fn wrong<T>(&mut self, file: &str, error: &FormatError, hint: Option<&str>) -> Result<T, Failed> {
        self.say_notes(file, &error.notes);
        for problem in &error.problems {
            self.say("error", plain(&format!("{file}: {problem}")));
        }
        if let Some(hint) = hint {
            self.say("hint", hint);
        }
        Err(Failed)
    }

    fn fail<T>(&mut self, message: &str) -> Result<T, Failed> {
        self.say("error", message);
        Err(Failed)
    }

    fn say(&mut self, kind: &str, message: impl Display) {
        // Should standard error be gone too, the status still tells.
        let stderr = &mut *self.stderr;
        let _ = self.meter.aside(|| writeln!(stderr, "{}", plain_lines(&format!("{kind}: {message}"))));
    }

    /// Prints words for people.
    fn print_words(&mut self, text: &str) -> Result<(), Failed> {
        self.print(plain_lines(text))
    }
}

/// Lines of which a terminal takes no part for a command, whatever names are in them.
fn plain_lines(text: &str) -> String {
    text.split('\n').map(plain).collect::<Vec<_>>().join("\n")
}

/// What messages call a file, on one line.
fn name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { plain(&path.display().to_string()) }
}
