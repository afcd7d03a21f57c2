//! `blockstep batch`: the schedulers of [MT] on a workload, as tables.
//!
//! Depends on `batch` and `format`. Invariant: the paper's numbers stand only beside the case, GPU and methods that
//! they are of.

use crate::error::ArgError;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::meter::TimeArgs;
use super::{Failed, Streams, duration, name};
use blockstep_batch::arch::ArchId;
use blockstep_batch::cases::{ASSUMED, Assumptions, CASES, Case};
use blockstep_batch::methods::{Method, Methods};
use blockstep_batch::run::{Comparison, run};
use blockstep_batch::schedulers::SchedulerId;
use blockstep_batch::task::{Amount, Requirement, Task, Workload};
use blockstep_format::{self as format, BatchFile};
use blockstep_sim::scenario::plain;
use blockstep_view::quantity::{format_bytes, format_count, format_time};

/// What stands for all cases.
const ALL_CASES: &str = "cases";

#[derive(clap::Args)]
pub(super) struct BatchArgs {
    /// A case of [MT], "cases" for all of them, or a file with a workload (- is standard input); without it the cases are
    /// listed
    workload: Option<String>,
    /// Run on this GPU instead of the workload's
    #[arg(long, value_parser = gpu_parser())]
    gpu: Option<ArchId>,
    /// Use these methods instead of the workload's: all, none, or names with commas between them
    #[arg(long, value_name = "LIST", value_parser = methods)]
    methods: Option<Methods>,
    /// Let inputs arrive until then instead of the workload's time: 35ms
    #[arg(long, value_name = "TIME", value_parser = duration)]
    until: Option<u64>,
    /// What to print [default: csv or json if OUT ends so; else text]
    #[arg(short, long, value_enum)]
    format: Option<Format>,
    /// Print the workload as a file to start from, and run nothing
    #[arg(long, conflicts_with = "format")]
    print: bool,
    /// Where to write it instead of standard output
    #[arg(short, long, value_name = "OUT")]
    output: Option<PathBuf>,
    #[command(flatten)]
    time: TimeArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Tables to read
    Text,
    /// A table for spreadsheets; times in ns
    Csv,
    /// JSON, with every task under every scheduler; times in ns
    Json,
}

impl BatchArgs {
    /// The format that is asked for, or that the ending of the output's name says.
    fn format(&self) -> Format {
        let ending = self.output.as_ref().and_then(|output| output.extension()).unwrap_or_default();
        match (self.format, ending.to_ascii_lowercase().to_str()) {
            (Some(format), _) => format,
            (None, Some("csv")) => Format::Csv,
            (None, Some("json")) => Format::Json,
            (None, _) => Format::Text,
        }
    }
}

fn gpu_parser() -> impl TypedValueParser<Value = ArchId> {
    PossibleValuesParser::new(ArchId::ALL.map(ArchId::word)).try_map(|word| ArchId::from_word(&word).ok_or("unknown GPU"))
}

fn methods(text: &str) -> Result<Methods, ArgError> {
    match text {
        "all" => return Ok(Methods::ALL),
        "none" => return Ok(Methods::NONE),
        _ => {}
    }
    text.split(',').try_fold(Methods::NONE, |methods, word| match Method::from_word(word.trim()) {
        Some(method) => Ok(methods.with(method, true)),
        None => Err(ArgError::NoMethod(word.to_owned())),
    })
}

/// The case with this name, in letters of any size.
fn find_case(name: &str) -> Option<&'static Case> {
    CASES.iter().find(|case| case.name.eq_ignore_ascii_case(name))
}

impl Streams<'_> {
    pub(super) fn batch(&mut self, args: &BatchArgs) -> Result<(), Failed> {
        let Some(word) = &args.workload else {
            let width = CASES.iter().map(|case| case.name.len()).max().unwrap_or(0);
            let list: String = CASES.iter().map(|case| format!("{:width$}  {} ({})\n", case.name, case.title, case.source)).collect();
            return self.print(list);
        };
        if let Some(output) = &args.output {
            self.spare(Path::new(word), output)?;
        }
        if word == ALL_CASES {
            return self.cases(args);
        }
        let case = find_case(word);
        let mut file = match case {
            Some(case) => BatchFile::new(case.workload(&ASSUMED), case.arch),
            None => self.batch_file(word)?,
        };
        file.workload.until_ns = args.until.unwrap_or(file.workload.until_ns);
        file.gpu = args.gpu.unwrap_or(file.gpu);
        file.methods = args.methods.unwrap_or(file.methods);
        let workload = match Workload::new(file.workload.clone()) {
            Ok(workload) => workload,
            // A file was checked when it was read, so it is what was asked for instead.
            Err(e) => return self.fail(&plain(&format!("{word}: {e}"))),
        };
        if args.print {
            return self.put(format::write_batch(&file), args.output.as_deref());
        }
        let case = case.filter(|case| file.gpu == case.arch && file.methods == Methods::ALL);
        self.begin(&args.time, word);
        let mut ours = Comparison { outcomes: Vec::new() };
        for (done, id) in SchedulerId::ALL.into_iter().enumerate() {
            self.meter.tell(format!("{done} of {} schedulers", SchedulerId::ALL.len()));
            self.in_time()?;
            ours.outcomes.push((id, run(&workload, &file.arch(), file.methods, id)));
        }
        if let Some(why) = none_ran(&ours) {
            return self.fail(&plain(&format!("{word}: no scheduler runs it: {why}")));
        }
        let result = match args.format() {
            Format::Text => super::plain_lines(&text(&workload, &file, &ours, case)),
            Format::Csv => format::write_batch_csv(&ours, case),
            Format::Json => format::write_batch_json(&workload, file.gpu, file.methods, &ours, case),
        };
        self.put(result, args.output.as_deref())
    }

    /// All cases beside the paper.
    fn cases(&mut self, args: &BatchArgs) -> Result<(), Failed> {
        let other = [("--gpu", args.gpu.is_some()), ("--methods", args.methods.is_some()), ("--print", args.print)];
        if let Some((option, _)) = other.into_iter().find(|(_, is_given)| *is_given) {
            return self.fail(&format!("{option} goes with one case or a file: the paper's numbers are of its own GPUs and methods"));
        }
        let assumed = Assumptions { until: args.until.unwrap_or(ASSUMED.until), ..ASSUMED };
        let mut results = Vec::new();
        self.begin(&args.time, ALL_CASES);
        for case in &CASES {
            self.meter.tell(format!("{} of {} cases", results.len(), CASES.len()));
            self.in_time()?;
            match case.compare(&assumed, Methods::ALL) {
                Ok(ours) => results.push((case, ours)),
                Err(e) => return self.fail(&format!("{}: {e}", case.name)),
            }
        }
        let pairs = results.iter().map(|(case, ours)| (*case, ours));
        let result = match args.format() {
            Format::Text => cases_text(&results),
            Format::Csv => format::write_batch_cases_csv(pairs),
            Format::Json => format::write_batch_cases_json(pairs),
        };
        self.put(result, args.output.as_deref())
    }

    fn batch_file(&mut self, word: &str) -> Result<BatchFile, Failed> {
        let path = Path::new(word);
        if word != "-" && !path.exists() {
            let names = CASES.map(|case| case.name).join(", ");
            return self
                .fail(&format!("there is no file and no case \"{}\"; built in are {names}, and {ALL_CASES} for all of them", plain(word)));
        }
        let text = self.read(path)?;
        let is_scenario = !format::is_batch(&text) && format::open_scenario(&text).is_ok_and(|draft| draft.is_some());
        if is_scenario {
            return self.fail(&format!("{}: a scenario, which blockstep simulate runs; a workload here has kind \"batch\"", name(path)));
        }
        format::read_batch(&text).or_else(|e| self.wrong(&name(path), &e, None))
    }
}

/// Why no scheduler ran, if none did.
fn none_ran(ours: &Comparison) -> Option<String> {
    let whys: Vec<_> = ours.outcomes.iter().filter_map(|(_, outcome)| outcome.as_ref().err()).collect();
    (whys.len() == ours.outcomes.len()).then(|| whys.first().map(ToString::to_string))?
}

fn text(workload: &Workload, file: &BatchFile, ours: &Comparison, case: Option<&Case>) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(out, "{}", plain(workload.name()));
    if let Some(case) = case {
        let _ = writeln!(out, "The paper's column: {}", case.source);
    }
    let on: Vec<_> = Method::ALL.into_iter().filter(|method| file.methods.has(*method)).map(Method::word).collect();
    let on = match on.len() {
        0 => "none".to_owned(),
        n if n == Method::ALL.len() => "all".to_owned(),
        _ => on.join(", "),
    };
    let _ = writeln!(out, "GPU: {}; methods: {on}; inputs until {}", file.gpu.arch().name, format_time(workload.until().ns()));
    for task in workload.tasks() {
        let _ = writeln!(out, "  {}", task_line(task));
    }
    out.push_str(&scheduler_table(ours, case));
    out.push_str(
        "Performance is the slack that CPUTraditional uses up, divided by the slack that the scheduler uses up; more is better.\n",
    );
    if let Some(case) = case {
        out.push_str(&order(case, ours));
    }
    out.push_str(&task_table(workload, ours));
    out
}

fn task_line(task: &Task) -> String {
    let amount = |amount: Amount| match amount {
        Amount::Time(time) => format_time(time.ns()),
        Amount::Bytes(bytes) => format_bytes(bytes),
    };
    let requirement = match task.requirement {
        Requirement::Latency { deadline } => format!("deadline {}", format_time(deadline.ns())),
        Requirement::Throughput { separation } => format!("separation time {}", format_time(separation.ns())),
    };
    format!(
        "{}: copies {} in, {} out; kernel {}, {} blocks of {} threads; an input every {}, {requirement}",
        plain(&task.name),
        amount(task.copy_in),
        amount(task.copy_out),
        format_time(task.kernel.ns()),
        format_count(task.blocks.into()),
        format_count(task.threads_per_block.into()),
        format_time(task.interval.ns())
    )
}

fn scheduler_table(ours: &Comparison, case: Option<&Case>) -> String {
    let mut out = String::from("\nscheduler       performance");
    out.push_str(if case.is_some() { "   paper" } else { "" });
    out.push_str("     slack used   late       done at\n");
    for (id, outcome) in &ours.outcomes {
        let _ = write!(out, "{:14}", id.name());
        match outcome {
            Ok(o) => {
                let performance = ours.performance(*id).map_or("-".to_owned(), |ratio| ratio.to_string());
                let _ = write!(out, "  {performance:>11}");
                if let Some(case) = case {
                    let _ = write!(out, "  {:>6}", case.published(*id).map_or("-".to_owned(), |p| p.to_string()));
                }
                let slack = u64::try_from(o.shifted).map_or("beyond 64 bits".to_owned(), format_time);
                let late = format!("{}/{}", o.late(), o.jobs.len());
                let _ = writeln!(out, "  {slack:>13}  {late:>5}  {:>12}", format_time(o.end.ns()));
            }
            Err(why) => {
                let _ = writeln!(out, "  does not run: {}", plain(&why.to_string()));
            }
        }
    }
    out
}

fn task_table(workload: &Workload, ours: &Comparison) -> String {
    let width = workload.tasks().iter().map(|task| task.name.chars().count()).max().unwrap_or(0).max(4);
    let mut out = format!("\nscheduler       {:width$}  outputs   late  worst lateness  longest response\n", "task");
    for (id, outcome) in &ours.outcomes {
        let Ok(outcome) = outcome else { continue };
        for (place, task) in workload.tasks().iter().enumerate() {
            let sum = outcome.summary(place);
            let (lateness, response) = (format_time(sum.worst_lateness.ns()), format_time(sum.worst_response.ns()));
            let _ = writeln!(
                out,
                "{:14}  {:width$}  {:>7}  {:>5}  {lateness:>14}  {response:>16}",
                id.name(),
                plain(&task.name),
                sum.jobs,
                sum.late
            );
        }
    }
    out
}

/// Which schedulers stand the other way round than in the paper.
fn order(case: &Case, ours: &Comparison) -> String {
    let mut out = String::new();
    for (better, worse) in case.differences(ours) {
        let _ = writeln!(out, "{} is before {} in the paper and after it here.", better.name(), worse.name());
    }
    if out.is_empty() {
        out.push_str("No pair of schedulers is reversed compared with the paper.\n");
    }
    out
}

fn cases_text(results: &[(&Case, Comparison)]) -> String {
    let name = results.iter().map(|(case, _)| case.name.len()).max().unwrap_or(0);
    let mut out =
        String::from("Performance relative to CPUTraditional, ours and that of [MT] Table III and section 7: more is better.\n\n");
    let _ = write!(out, "{:name$}       ", "");
    SchedulerId::ALL.into_iter().for_each(|id| out.push_str(&format!("  {:>14}", id.name())));
    out.push('\n');
    for (case, ours) in results {
        for (place, who) in ["ours", "paper"].into_iter().enumerate() {
            let _ = write!(out, "{:name$}  {who:5}", if place == 0 { case.name } else { "" });
            for id in SchedulerId::ALL {
                let number =
                    if place == 0 { ours.performance(id).map(|r| r.to_string()) } else { case.published(id).map(|p| p.to_string()) };
                let _ = write!(out, "  {:>14}", number.unwrap_or_else(|| "-".to_owned()));
            }
            out.push('\n');
        }
    }
    out.push('\n');
    for (case, ours) in results {
        let _ = write!(out, "{}: {}. {}", case.name, case.title, order(case, ours));
    }
    out.push_str(
        "\nThe order is evidence, the sizes are not: the paper gives no numbers for its workloads. Ours are in docs/batches.md.\n",
    );
    out
}
