//! `blockstep measure`: a scenario is run on a GPU, and its logs are those of cuda_scheduling_examiner.
//!
//! Depends on `measure`. Invariant: only processes that are started for it touch the GPU, and none is left.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::BufReader;
use std::path::PathBuf;
use std::thread::available_parallelism;

use super::validate::compared;
use super::{Failed, Input, Loaded, Streams, duration, name};
use blockstep_format as format;
use blockstep_format::program::Plan;
use blockstep_measure::{Header, Launch, MeasureError, Measurement, Options, launches, measure, serve};
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::language::counted;
use blockstep_sim::measured::against::ORDER_TOLERANCE_NS;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Release, plain};
use blockstep_sim::trace::{OpKind, Trace};
use blockstep_sim::units::{RowId, Time};
use blockstep_view::quantity::format_time;

/// Most runs of one command.
const MOST_RUNS: i64 = 1000;

#[derive(clap::Args)]
pub(super) struct MeasureArgs {
    /// A scenario, or a config of cuda_scheduling_examiner; - is standard input
    file: PathBuf,
    /// How long every block runs, for examiner programs without a duration: 10ms, 0.5s, 250us
    #[arg(long, value_name = "TIME", value_parser = duration)]
    duration: Option<u64>,
    /// The folder for the logs, one for each stream; with --repeat one folder in it for each run
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// Replace logs that are in the folder already
    #[arg(long)]
    overwrite: bool,
    /// How many times to run it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=MOST_RUNS))]
    repeat: u32,
    /// Which GPU, from 0
    #[arg(long, value_name = "K", default_value_t = 0)]
    device: u32,
    /// Run each process of the scenario under this command, a profiler for instance: "nsys profile -o report"
    #[arg(long, value_name = "COMMAND")]
    under: Option<String>,
}

impl Streams<'_> {
    pub(super) fn measure(&mut self, args: &MeasureArgs) -> Result<(), Failed> {
        let input = Input { file: args.file.clone(), duration: args.duration, device: None };
        let Loaded { scenario, .. } = self.load(&input, None)?;
        let file = name(&args.file);
        let run = engine::simulate(&scenario, Limits::default());
        if let Some(cut) = run.trace.cut() {
            return self.fail(&format!("{file}: {cut}"));
        }
        let trace = &run.trace;
        let records = Records::new(trace);
        let options = Options { device: args.device, repeat: args.repeat, command: command(args.under.as_deref()) };
        let measured = Plan::to_measure(trace, &records).map_err(MeasureError::from).and_then(|plan| Ok((measure(&plan, &options)?, plan)));
        let (measurements, plan) = match measured {
            Ok(measured) => measured,
            Err(why) => return self.not_measured(&file, &why),
        };
        for (i, measurement) in (1..).zip(&measurements) {
            let header = Header::new(&scenario, &plan, measurement, (i, args.repeat)).json();
            let threads = measurement.gpu.sms.saturating_mul(measurement.gpu.threads_per_sm);
            let launches = launches(measurement);
            let logs: Vec<(String, String)> = format::write_measured_logs(trace, &records, &launches, threads, &header)
                .into_iter()
                .map(|(name, text)| (name, text.to_string()))
                .collect();
            let mut lines = vec![summary(measurement, i, args.repeat)];
            lines.extend(self.judged(&logs, trace, &records)?);
            lines.extend(lateness(measurement, trace, &records));
            if let Some(folder) = &args.output {
                let folder = if args.repeat > 1 { folder.join(i.to_string()) } else { folder.clone() };
                self.put_all(&logs, &folder, args.overwrite, &[&args.file])?;
            }
            self.print_words(&(lines.join("\n  ") + "\n"))?;
        }
        Ok(())
    }

    /// The logs against the simulation, as they will be read.
    fn judged(&mut self, logs: &[(String, String)], trace: &Trace, records: &Records) -> Result<Vec<String>, Failed> {
        let files: Vec<(&str, &str)> = logs.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        match format::read_logs(&files) {
            Ok(measured) => Ok(compared(&measured, trace, records, ORDER_TOLERANCE_NS)),
            Err(e) => self.fail(&plain(&e.to_string())),
        }
    }

    fn not_measured(&mut self, file: &str, why: &MeasureError) -> Result<(), Failed> {
        self.fail(&plain(&format!("{file}: {why}")))
    }

    /// What a process does that was started to measure.
    pub(super) fn measure_process(&mut self) -> u8 {
        serve(&mut BufReader::new(&mut *self.stdin), &mut *self.stdout)
    }
}

/// What starts a process that measures: this program, under another one if asked for.
fn command(under: Option<&str>) -> Vec<OsString> {
    let own = std::env::current_exe().map_or_else(|_| OsString::from("blockstep"), PathBuf::into_os_string);
    let under = under.into_iter().flat_map(str::split_whitespace).map(OsString::from);
    under.chain([own, OsString::from("measure-process")]).collect()
}

fn summary(measurement: &Measurement, run: u32, of: u32) -> String {
    let launches = || measurement.processes.iter().flat_map(|(_, launches, _)| launches);
    let kernels = launches().filter(|launch| !launch.blocks.is_empty()).count();
    let blocks: usize = launches().map(|launch| launch.blocks.len()).sum();
    let residual = measurement.processes.iter().map(|(_, _, clock)| clock.residual_ns).max().unwrap_or(0);
    let (kernels, blocks) = (counted(kernels as u64, "kernel"), counted(blocks as u64, "block"));
    let which = if of > 1 { format!(", run {run} of {of}") } else { String::new() };
    format!("{}{which}: {kernels}, {blocks}; times are within {}", measurement.gpu.name, format_time(residual))
}

/// Calls that come later than this are worth a line, ns: what they cause is not the GPU's doing.
const LATE_NS: u64 = 200_000;

/// Which kernel was called latest behind the time that the scenario gives, if one was late. Calls behind another row or call have no
/// such time.
fn lateness(measurement: &Measurement, trace: &Trace, records: &Records) -> Option<String> {
    let scenario = trace.scenario();
    let kernels = trace.ops().iter().zip(&records.ops).filter(|(op, _)| op.kind == OpKind::Kernel);
    let issued: HashMap<(RowId, u32), Time> = kernels.map(|(op, record)| ((op.row, op.job.0), record.issued)).collect();
    let late = |launch: &Launch| {
        let (id, row) = (RowId::at(launch.row), scenario.row(RowId::at(launch.row)));
        let task = scenario.task(row.task);
        let has_time = row.after.is_none() && !task.calls_in_turn && task.release != Release::Continuous && task.consumes.is_empty();
        let issued = issued.get(&(id, launch.job)).filter(|_| has_time)?;
        let called = u64::try_from(launch.called_ns.0).ok()?;
        Some((called.saturating_sub(issued.ns()), row.name.clone()))
    };
    let (late_ns, name) = measurement.processes.iter().flat_map(|(_, launches, _)| launches).filter_map(late).max()?;
    let threads = scenario.tasks().len();
    let cpus = available_parallelism().map_or_else(|_| "an unknown number of CPUs".to_owned(), |n| counted(n.get() as u64, "CPU"));
    (late_ns > LATE_NS).then(|| {
        let (late, threads) = (format_time(late_ns), counted(threads as u64, "thread"));
        format!("{name} was called {late} late by this computer: the scenario has {threads}, the computer {cpus}")
    })
}
