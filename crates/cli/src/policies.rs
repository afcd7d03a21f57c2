//! `blockstep policy`: policies as texts, and searches that break them.
//!
//! Depends on `policy` and `format`. Invariants: what is called clean was searched to its end, and what it assumes stands below it.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueEnum};

use super::meter::TimeArgs;
use super::stop::Stop;
use super::sweep::shard;
use super::{Failed, Streams, help, name};
use blockstep_format::{self as format, PolicyPart};
use blockstep_policy::Program;
use blockstep_policy::examples::{EXAMPLES, find};
use blockstep_search::{Finding, MAX_SEARCHED, Property, Report, Search, Stopped, Verdict, Walk};
use blockstep_sim::language::counted;
use blockstep_sim::scenario::plain;
use blockstep_sim::work::{Progress, in_portions};
use blockstep_view::quantity::format_count;

/// Exit status if a policy has a fault.
const FAULT: u8 = 1;
/// Decisions between two looks at the clock: some milliseconds.
const PORTION: u64 = 5_000;

#[derive(clap::Args)]
pub(super) struct PolicyArgs {
    #[command(subcommand)]
    command: PolicyCommand,
}

#[derive(Subcommand)]
enum PolicyCommand {
    /// Search all orders of requests, and task sets, for one that breaks a policy
    #[command(after_help = help::examples(help::POLICY_CHECK, &[help::POLICY_CHECK_STATUS]))]
    Check(CheckArgs),
    /// Join the parts of a search that --shard has printed, and say what they have found together
    #[command(after_help = help::examples(help::POLICY_MERGE, &[help::POLICY_MERGE_STATUS]))]
    Merge(MergeArgs),
    /// List the policies that are built in
    #[command(after_help = help::examples(help::POLICY_LIST, &[]))]
    List,
    /// Print the text of one
    #[command(after_help = help::examples(help::POLICY_SHOW, &[]))]
    Show {
        /// Which, as listed
        name: String,
    },
}

#[derive(clap::Args)]
struct CheckArgs {
    /// A policy in the language of docs/policy-language.md, or the name of one that is built in; - is standard input
    policy: String,
    /// Search with up to so many tasks
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=MAX_SEARCHED as i64))]
    tasks: u8,
    #[arg(long, value_name = "PROPERTY", help = help::properties())]
    property: Vec<Property>,
    /// Search part I of N, and print what blockstep policy merge joins
    #[arg(long, value_name = "I/N", value_parser = shard, conflicts_with_all = ["format", "output"])]
    shard: Option<(u64, u64)>,
    #[command(flatten)]
    time: TimeArgs,
    #[command(flatten)]
    shown: ShownArgs,
}

#[derive(clap::Args)]
struct MergeArgs {
    /// What blockstep policy check --shard has printed, all parts of one search
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
    #[command(flatten)]
    shown: ShownArgs,
}

#[derive(clap::Args)]
struct ShownArgs {
    /// What to print
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Write the table of each fault into a folder, as a scenario file that has the name of its property
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Replace files of the folder
    #[arg(long, requires = "output")]
    overwrite: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Verdicts to read, each fault with its requests
    Text,
    /// JSON, with the line that decided
    Json,
}

impl Streams<'_> {
    /// The exit status of a search, 0 of the others.
    pub(super) fn policy(&mut self, args: &PolicyArgs) -> Result<u8, Failed> {
        match &args.command {
            PolicyCommand::Check(args) => self.check_policy(args),
            PolicyCommand::Merge(args) => self.merge_policy(args),
            PolicyCommand::List => self.print(list()).map(|()| 0),
            PolicyCommand::Show { name } => match find(name) {
                Some(example) => self.print(example.text).map(|()| 0),
                None => self.fail(&format!("there is no built-in policy \"{}\"; there are\n{}", plain(name), list().trim_end())),
            },
        }
    }

    /// A policy by its file, or by the name of one that is built in: what to call it, and its text.
    pub(super) fn policy_text(&mut self, policy: &str) -> Result<(String, String), Failed> {
        if let Some(example) = find(policy) {
            return Ok((example.id.to_owned(), example.text.to_owned()));
        }
        let path = PathBuf::from(policy);
        if !path.exists() && policy != "-" {
            return self.fail(&format!("{}: there is no such file, and no built-in policy of that name", name(&path)));
        }
        let text = self.read(&path)?;
        Ok((name(&path), text))
    }

    fn check_policy(&mut self, args: &CheckArgs) -> Result<u8, Failed> {
        let (file, text) = self.policy_text(&args.policy)?;
        let program = match Program::new(&text) {
            Ok(program) => program,
            Err(e) => return self.fail(&plain(&format!("{file}: {e}"))),
        };
        let properties = if args.property.is_empty() { Property::for_program(&program) } else { args.property.clone() };
        let (part, parts) = args.shard.unwrap_or((1, 1));
        let (part, parts) = (usize::try_from(part).unwrap_or(usize::MAX), usize::try_from(parts).unwrap_or(usize::MAX));
        let search = match Search::new(&program, args.tasks.into(), &properties) {
            Ok(search) => search.with_part(part, parts),
            Err(e) => return self.fail(&plain(&format!("{file}: {e}"))),
        };
        let stop = self.stop_by_signal()?;
        self.begin(&args.time, &file);
        let report = self.searched(search, &stop);
        if stop.is_asked() {
            self.status = stop.status();
        }
        if args.shard.is_none() {
            return self.show_report(&file, &program, &report, &args.shown, &[Path::new(&args.policy)]);
        }
        let (has_fault, stopped) = (report.has_fault(), report.stopped);
        self.print(format::write_policy_part(&PolicyPart { name: file.clone(), program, part, parts, report }))?;
        match stopped {
            Some(why @ (Stopped::Time { .. } | Stopped::Asked)) => self.fail(&plain(&format!("{file}: {why}"))),
            _ => Ok(if has_fault { FAULT } else { 0 }),
        }
    }

    /// What a search finds until it is over, its time is up, or a signal comes.
    fn searched(&mut self, mut search: Search, stop: &Stop) -> Report {
        let meter = &self.meter;
        let progress = in_portions(
            PORTION,
            |budget| {
                let progress = search.advance(budget);
                meter.tell(so_far(&search));
                progress
            },
            || meter.has_time() && !stop.is_asked(),
        );
        if progress == Progress::Paused {
            search.stop(if stop.is_asked() { Stopped::Asked } else { Stopped::Time { ns: meter.most_ns() } });
        }
        search.report()
    }

    fn merge_policy(&mut self, args: &MergeArgs) -> Result<u8, Failed> {
        let mut parts: Vec<PolicyPart> = Vec::new();
        for path in &args.parts {
            let text = self.read(path)?;
            match format::read_policy_part(&text) {
                Ok(part) => parts.push(part),
                Err(e) => return self.fail(&plain(&format!("{}: {e}", name(path)))),
            }
        }
        let Some(first) = parts.first().cloned() else { return self.fail("there is no part") };
        if let Some((place, _)) = parts.iter().enumerate().find(|(_, part)| part.program.text() != first.program.text()) {
            return self.fail(&format!("{}: it is of another policy than {}", name(&args.parts[place]), name(&args.parts[0])));
        }
        let reports: Vec<(usize, usize, Report)> = parts.into_iter().map(|part| (part.part, part.parts, part.report)).collect();
        let report = match Report::join(&first.program, &reports) {
            Ok(report) => report,
            Err(e) => return self.fail(&e.to_string()),
        };
        let inputs: Vec<&Path> = args.parts.iter().map(PathBuf::as_path).collect();
        self.show_report(&first.name, &first.program, &report, &args.shown, &inputs)
    }

    /// Prints what was found, and writes its tables.
    fn show_report(&mut self, file: &str, program: &Program, report: &Report, shown: &ShownArgs, inputs: &[&Path]) -> Result<u8, Failed> {
        match shown.format {
            Format::Text => self.print_words(&report_text(file, program, report))?,
            Format::Json => self.print(format::write_policy_report(file, program, report))?,
        }
        if let Some(folder) = &shown.output {
            self.put_all(&tables(program, report), folder, shown.overwrite, inputs)?;
        }
        match report.stopped {
            // What was found stays true.
            Some(stopped) if report.has_fault() && stopped != Stopped::Asked => {
                self.say("warning", plain(&format!("{file}: {stopped}")));
                Ok(FAULT)
            }
            Some(stopped) => self.fail(&plain(&format!("{file}: {stopped}"))),
            None => Ok(if report.has_fault() { FAULT } else { 0 }),
        }
    }
}

/// How far a search is: `12 states, up to 3 requests from the start`.
fn so_far(search: &Search) -> String {
    let (states, deepest) = search.extent();
    let states = format!("{} states, up to {} requests from the start", format_count(states as u64), format_count(deepest.into()));
    match search.sets() {
        Some((sets, of)) => format!("{states}, and {} of {} task sets", format_count(sets as u64), format_count(of as u64)),
        None => states,
    }
}

fn list() -> String {
    let width = EXAMPLES.iter().map(|example| example.id.len()).max().unwrap_or(0);
    EXAMPLES.iter().map(|e| format!("{:width$}  {} ({})\n", e.id, e.title, e.source)).collect()
}

/// The tables of the faults that have one, each with the name of its file.
fn tables(program: &Program, report: &Report) -> Vec<(String, String)> {
    let table = |finding: &Finding| match &finding.verdict {
        Verdict::TaskSet(fault) => Some(fault.table(program.text())),
        Verdict::Fault(fault) => {
            let walk = Walk::new(program, &fault.requests(program), report.tasks);
            walk.table(program.text(), walk.len())
        }
        Verdict::Clean | Verdict::NoneFound | Verdict::Open => None,
    };
    let named = |finding: &Finding| Some((format!("{}.json", finding.property), format::write_scenario(&table(finding)?.draft)));
    report.findings.iter().filter_map(named).collect()
}

fn report_text(file: &str, program: &Program, report: &Report) -> String {
    let extent = |is_all: bool| if is_all { "all of them" } else { "not all of them" };
    let mut parts = Vec::new();
    if report.has_requests {
        let (tasks, states) = (counted(report.tasks, "task"), format_count(report.states() as u64));
        parts.push(format!("up to {tasks}, {states} states, {}", extent(report.is_over)));
    }
    if let Some(times) = report.times {
        let (tasks, of) = (counted(times.tasks, "task"), format_count(times.of as u64));
        parts.push(format!("up to {tasks}, {of} task sets, {}", extent(times.is_over)));
    }
    let mut out = format!("{file}: {}\n\n", parts.join("; "));
    let width = report.findings.iter().map(|finding| finding.property.to_string().len()).max().unwrap_or(0);
    for finding in &report.findings {
        let property = finding.property;
        let word = property.to_string();
        // Writing to a string cannot fail.
        let _ = match &finding.verdict {
            Verdict::Fault(fault) => {
                let kind = if property.is_warning() { "warning" } else { "fault  " };
                let (title, story) = (fault.title(program, property), fault.story(program));
                writeln!(
                    out,
                    "{kind}  {word:width$}  {}\n         {:width$}  {title}\n         {:width$}  {story}",
                    fault.requests(program),
                    "",
                    ""
                )
            }
            Verdict::TaskSet(fault) => {
                let (title, story) = (fault.title(), fault.story(program.text()));
                writeln!(out, "fault    {word:width$}  {}\n         {:width$}  {title}\n         {:width$}  {story}", fault.set(), "", "")
            }
            Verdict::Clean => writeln!(out, "clean    {word:width$}  {}", report.clean(property)),
            Verdict::NoneFound => {
                let said = report.times.map_or_else(String::new, |times| times.none_found(property));
                writeln!(out, "none     {word:width$}  {said}")
            }
            Verdict::Open => writeln!(out, "open     {word:width$}  {}", report.open(property)),
        };
    }
    let _ = writeln!(out, "\n{}", report.assumed());
    out
}
