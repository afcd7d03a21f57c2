//! `blockstep sweep` and `blockstep sweep-merge`: studies on all cores, in parts if wanted.
//!
//! Depends on `analysis`, `format` and `sweep`. Invariants: what is printed of a whole study does not depend on the number
//! of cores or on how it is divided; what is printed of a study that was stopped says so.

use crate::error::ArgError;
use std::path::{Path, PathBuf};

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::meter::{Meter, TimeArgs};
use super::stop::Stop;
use super::{Failed, Streams, name};
use blockstep_analysis::curves::{Curve, decimal};
use blockstep_analysis::results::Results;
use blockstep_analysis::sweep::{Counter, Counts, Figure, Sweep};
use blockstep_analysis::{parts, presets};
use blockstep_format as format;
use blockstep_sim::engine::Limits;
use blockstep_sim::scenario::plain;
use blockstep_sweep::{Measure, MergeError, Whole, merge};

/// The exit status if parts that are to be joined are not the whole study.
const INCOMPLETE: u8 = 1;

/// Sets that are counted in one go.
const CHUNK: u64 = 256;

#[derive(clap::Args)]
pub(super) struct SweepArgs {
    /// A built-in study, or a file with the parameters of one (- is standard input); without it the
    /// built-in ones are listed. With --vary a scenario
    study: Option<String>,
    /// Task sets per utilization instead of the study's
    #[arg(long, value_name = "N")]
    sets: Option<u64>,
    /// Seed of the task sets instead of the study's
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Print the counts as a table that sweep-merge reads, and not the figure's numbers
    #[arg(long)]
    csv: bool,
    /// Only part I of N parts of the sets, counted from 1; implies --csv
    #[arg(long, value_name = "I/N", value_parser = shard)]
    pub(super) shard: Option<(u64, u64)>,
    /// Run a scenario with each of these values, of several fields with each combination: kernels[K3].blocks=1..65, policy.kind=fifo,priority,
    /// streams[0].priority=1,2, tasks[0].period_ns=1ms..=10ms:500us, kernels[0].block_time_ns=~1ms..2ms:1us (drawn in each run by the scenario's seed)
    #[arg(long, value_name = "FIELD=VALUES", conflicts_with_all = ["sets", "seed", "csv", "print"])]
    pub(super) vary: Vec<String>,
    #[arg(long, value_name = "MEASURE", requires = "vary", help = format!("What to measure of each run: {}", Measure::words()))]
    pub(super) measure: Vec<Measure>,
    /// Draw this measure against the fields, as SVG, instead of the table
    #[arg(long, value_name = "MEASURE", requires = "vary", conflicts_with_all = ["measure", "links", "shard", "run"])]
    pub(super) chart: Option<Measure>,
    /// Write a link to each run on the page at this address
    #[arg(long, value_name = "ADDRESS", requires = "vary")]
    pub(super) links: Option<String>,
    /// Print the scenario of one run, counted from 0, and run nothing
    #[arg(long, value_name = "N", requires = "vary")]
    pub(super) run: Option<u64>,
    /// The most steps of a run
    #[arg(long, value_name = "N", requires = "vary", default_value_t = Limits::default().max_steps, value_parser = clap::value_parser!(u32).range(1..=i64::from(Limits::MOST_STEPS)))]
    pub(super) max_steps: u32,
    /// Print the parameters as a file to start from, and run nothing
    #[arg(long)]
    print: bool,
    /// Work on at most so many cores; the result is the same [default: all]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) cores: Option<u16>,
    #[command(flatten)]
    pub(super) time: TimeArgs,
}

#[derive(clap::Args)]
pub(super) struct MergeArgs {
    /// Results of blockstep sweep with --csv, --vary or --shard
    #[arg(required = true, value_name = "CSV")]
    files: Vec<PathBuf>,
    /// Join what is there, although sets of the study are missing
    #[arg(long)]
    partial: bool,
    /// Draw this measure of a sweep with --vary against its fields, as SVG, instead of the table
    #[arg(long, value_name = "MEASURE")]
    chart: Option<Measure>,
}

pub(super) fn shard(text: &str) -> Result<(u64, u64), ArgError> {
    let numbers = text.split_once('/').and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
    match numbers {
        Some((part, parts)) if 1 <= part && part <= parts => Ok((part, parts)),
        _ => Err(ArgError::NoPart),
    }
}

impl Streams<'_> {
    pub(super) fn sweep(&mut self, args: &SweepArgs) -> Result<(), Failed> {
        let Some(study) = &args.study else {
            let width = presets::ALL.iter().map(|p| p.id.len()).max().unwrap_or(0);
            let list: String = presets::ALL.iter().map(|p| format!("{:width$}  {}\n", p.id, p.title)).collect();
            return self.print(list);
        };
        if !args.vary.is_empty() {
            return self.sweep_runs(study, args);
        }
        let mut sweep = self.study(study)?;
        sweep.sets = args.sets.unwrap_or(sweep.sets);
        sweep.recipe.seed = args.seed.unwrap_or(sweep.recipe.seed);
        if let Some(problem) = sweep.problems().first() {
            return self.fail(&plain(&format!("{study}: {problem}")));
        }
        if args.print {
            return self.print(format::write_sweep(&sweep));
        }
        let (part, parts) = args.shard.unwrap_or((1, 1));
        let stop = self.stop_by_signal()?;
        self.begin(&args.time, &plain(study));
        let meter = self.meter.clone();
        let results = self.on_cores(args.cores, || count(sweep, part, parts, &meter, &stop))?;
        let is_table = args.csv || args.shard.is_some();
        let is_stopped = results.sets.is_none();
        if is_stopped {
            self.say("warning", format!("{}: {}", stop.why(&self.meter), so_far(&results, part, parts)));
        }
        if is_table { self.print(format::write_results(&results)) } else { self.print_words(&figure(&results)) }?;
        if is_stopped {
            self.status = stop.status();
            return Err(Failed);
        }
        Ok(())
    }

    /// Does what is divided among cores on so many of them, or on all.
    pub(super) fn on_cores<T: Send>(&mut self, cores: Option<u16>, work: impl FnOnce() -> T + Send) -> Result<T, Failed> {
        let Some(cores) = cores else { return Ok(work()) };
        match ThreadPoolBuilder::new().num_threads(cores.into()).build() {
            Ok(pool) => Ok(pool.install(work)),
            Err(why) => self.fail(&format!("--cores {cores}: {why}")),
        }
    }

    fn study(&mut self, study: &str) -> Result<Sweep, Failed> {
        if let Some(preset) = presets::find(study) {
            return Ok((preset.sweep)());
        }
        let path = Path::new(study);
        if study != "-" && !path.exists() {
            let ids: Vec<_> = presets::ALL.iter().map(|p| p.id).collect();
            return self.fail(&format!("there is no file and no built-in study \"{}\"; built in are {}", plain(study), ids.join(", ")));
        }
        let text = self.read(path)?;
        format::read_sweep(&text).or_else(|e| self.wrong(&name(path), &e, None))
    }

    pub(super) fn sweep_merge(&mut self, args: &MergeArgs) -> Result<(), Failed> {
        let mut texts = Vec::new();
        for path in &args.files {
            texts.push(self.read(path)?);
        }
        let merged = match merge(&texts) {
            Ok(merged) => merged,
            Err(why) => return self.cannot_merge(&args.files, &why),
        };
        if let Some(missing) = merged.missing {
            if !args.partial {
                self.say("error", missing);
                self.say("hint", "give what is missing as well, or --partial to join what is there");
                self.status = INCOMPLETE;
                return Err(Failed);
            }
            self.say("note", missing);
        }
        match (&merged.whole, &args.chart) {
            (Whole::Runs(all), Some(measure)) => self.print_chart(all, measure),
            (Whole::Study(_), Some(_)) => self.fail("--chart draws sweeps with --vary, and these are parts of a study"),
            (whole, None) => self.print(whole.write()),
        }
    }

    fn cannot_merge(&mut self, files: &[PathBuf], why: &MergeError) -> Result<(), Failed> {
        let file = |place: usize| files.get(place).map(|path| name(path)).unwrap_or_default();
        match why {
            MergeError::Format(place, why) => self.wrong(&file(*place), why, None),
            MergeError::Study(place, _) | MergeError::Runs(place, _) => self.fail(&plain(&format!("{}: {why}", file(*place)))),
            MergeError::Nothing => self.fail(&why.to_string()),
        }
    }

    /// What stops a study at a signal; only the process itself has signals.
    pub(super) fn stop_by_signal(&mut self) -> Result<Stop, Failed> {
        let stop = self.is_process.then(Stop::by_signal).transpose().map(Option::unwrap_or_default);
        stop.or_else(|e| self.fail(&format!("signals of the system cannot be waited for: {e}")))
    }
}

/// How much of a part was counted when it was stopped.
fn so_far(results: &Results, part: u64, parts: u64) -> String {
    let counted = results.counts.iter().map(|c| c.sets + c.undrawn);
    let sets = parts::part(results.sweep.sets, part, parts);
    let (least, most) = (counted.clone().min().unwrap_or(0), counted.max().unwrap_or(0));
    let number = if least == most { least.to_string() } else { format!("{least} to {most}") };
    format!("{number} of {} sets per utilization were counted", sets.end - sets.start)
}

/// Counts one part of a study on all cores, until it is to stop.
fn count(sweep: Sweep, part: u64, parts: u64, meter: &Meter, stop: &Stop) -> Results {
    let sets = parts::part(sweep.sets, part, parts);
    let points: Vec<u32> = sweep.utilisation.iter().collect();
    let chunks = (sets.end - sets.start).div_ceil(CHUNK);
    meter.count_to((sets.end - sets.start).saturating_mul(points.len() as u64), "sets");
    let nothing = || vec![Counts::none(sweep.tests.len()); points.len()];
    let add = |mut sum: Vec<Counts>, more: Vec<Counts>| {
        sum.iter_mut().zip(&more).for_each(|(a, b)| a.add(b));
        sum
    };
    let counts = (0..chunks * points.len() as u64)
        .into_par_iter()
        .fold(
            || (Counter::new(&sweep), nothing()),
            |(mut counter, mut counts), item| {
                if stop.is_asked() || !meter.has_time() {
                    return (counter, counts);
                }
                // Neighboring items are of different points, so that all curves sharpen evenly.
                let (chunk, point) = (item / points.len() as u64, (item % points.len() as u64) as usize);
                let start = sets.start + chunk * CHUNK;
                let end = (start + CHUNK).min(sets.end);
                counts[point].add(&counter.count(points[point], start..end));
                meter.advance(end - start);
                (counter, counts)
            },
        )
        .map(|(_, counts)| counts)
        .reduce(nothing, add);
    // What was done when the signal came may have been all.
    let is_whole = counts.iter().all(|c| c.sets + c.undrawn == sets.end - sets.start);
    if is_whole { Results::new(sweep, sets, counts) } else { Results { sweep, sets: None, counts } }
}

/// The figure's numbers: what each column is, then a row for each x.
fn figure(results: &Results) -> String {
    let sweep = &results.sweep;
    let curves = sweep.curves(&results.counts);
    let (x, y): (&str, &str) = match sweep.figure {
        Figure::ByUtilisation => ("U", "percent of the sets that pass"),
        Figure::ByParameter => ("parameter", "percent of the sets that pass"),
        Figure::Above(_) => ("groups", "utilization up to which enough sets pass"),
    };
    let mut out = format!(
        "{}: {} task sets per utilization, seed {}; {y}{}\n",
        plain(&sweep.name),
        sweep.sets,
        sweep.recipe.seed,
        sweep.length_of_runs()
    );
    if results.sets.is_none() {
        out.push_str(&format!("Interrupted: {}.\n", so_far(results, 1, 1)));
    }
    let number = |curve: usize| format!("({})", curve + 1);
    for (i, curve) in curves.iter().enumerate() {
        out.push_str(&format!("{:>5}  {}\n", number(i), curve.label));
    }
    out.push_str(&format!("\n{x:>10}"));
    (0..curves.len()).for_each(|i| out.push_str(&format!("{:>9}", number(i))));
    out.push('\n');
    let mut xs: Vec<u64> = curves.iter().flat_map(|c| c.points.iter().map(|p| p.0)).collect();
    xs.sort_unstable();
    xs.dedup();
    for at in xs {
        let label = if sweep.figure == Figure::ByUtilisation { decimal(at as u32) } else { at.to_string() };
        out.push_str(&format!("{label:>10}"));
        for curve in &curves {
            out.push_str(&format!("{:>9}", cell(curve, at, matches!(sweep.figure, Figure::Above(_)))));
        }
        out.push('\n');
    }
    let undrawn: u64 = results.counts.iter().map(|c| c.undrawn).sum();
    if undrawn > 0 {
        out.push_str(&format!(
            "{undrawn} sets could not be generated: the utilization is too low for this many tasks with these periods.\n"
        ));
    }
    out
}

fn cell(curve: &Curve, at: u64, is_utilisation: bool) -> String {
    match curve.points.iter().find(|p| p.0 == at) {
        None => "-".to_owned(),
        Some((_, y)) if is_utilisation => decimal(y.share),
        Some((_, y)) => {
            let thousandths = (y.share + 5) / 10;
            format!("{}.{:03}", thousandths / 1000, thousandths % 1000)
        }
    }
}
