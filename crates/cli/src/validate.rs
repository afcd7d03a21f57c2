//! `blockstep validate`: whether what was measured on a GPU agrees with the rules, and with a simulation.
//!
//! Depends on `check::measured`, `measured`, `engine` and `format`. Invariants: status 1 says that a rule is
//! broken, 2 that nothing could be checked; what was assumed and what was not judged is always printed.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use super::meter::TimeArgs;
use super::{Failed, Streams, device, help, name, time};
use blockstep_format::{self as format, ImportOptions, Opened, Source};
use blockstep_sim::check::measured::{CheckSettings, Conformance, MOST_NAMED, TOLERANCE_NS, check};
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::language::s;
use blockstep_sim::measured::against::{Against, BlockOf, Off, against};
use blockstep_sim::measured::fit::{Fit, KernelFit, fit};
use blockstep_sim::measured::{InferredDevice, Measured, Named, infer_device, known, seconds};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::device::BuiltIn;
use blockstep_sim::scenario::{Device, DeviceDraft, Draft, Scenario};
use blockstep_sim::trace::Trace;
use blockstep_view::quantity::{format_count, format_time};

/// Exit status if a rule is broken.
const VIOLATED: u8 = 1;

#[derive(clap::Args)]
pub(super) struct ValidateArgs {
    /// Logs of cuda_scheduling_examiner, all of one run; - is standard input
    #[arg(required = true, value_name = "LOG")]
    logs: Vec<PathBuf>,
    #[arg(long, value_name = "ID", value_parser = device, help = help::device("The GPU it was measured on, instead of the one that the logs look like"))]
    device: Option<&'static BuiltIn>,
    /// Differences up to this are noise of the clocks: 10us, 0.5ms, 0
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "10us")]
    tolerance: u64,
    /// The config or scenario that was run: it knows priorities and NULL streams, and a scenario its device; the logs are compared with a simulation of a scenario
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Starts this close have no order in the comparison with a simulation: launching takes a GPU some 10us, which the model has not
    #[arg(long, value_name = "TIME", value_parser = time, default_value = "50us")]
    order_tolerance: u64,
    /// Take the logs as one run even if they look like several, as those of task hosts may
    #[arg(long)]
    one_run: bool,
    #[command(flatten)]
    time: TimeArgs,
}

impl Streams<'_> {
    /// The exit status.
    pub(super) fn validate(&mut self, args: &ValidateArgs) -> Result<u8, Failed> {
        let mut texts = Vec::new();
        for path in &args.logs {
            texts.push((name(path), self.read(path)?));
        }
        self.begin(&args.time, texts.first().map_or("", |(name, _)| name));
        let files: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        let run = match format::read_logs(&files) {
            Ok(run) => run,
            Err(errors) => {
                for (file, error) in &errors.files {
                    let _: Result<(), Failed> = self.wrong(file, error, None);
                }
                return Err(Failed);
            }
        };
        if let Some(why) = run.apart().filter(|_| !args.one_run) {
            self.say("error", format!("logs of different runs: {why}"));
            self.say("hint", "check the logs of each run separately; --one-run takes them as one");
            return Err(Failed);
        }
        if run.blocks().next().is_none() {
            let what = if run.logs.iter().all(|log| log.kernels.is_empty()) { "kernels" } else { "times of blocks" };
            let which = if let [one] = &run.logs[..] { format!("{}: the log has", one.file) } else { "the logs have".to_owned() };
            return self.fail(&format!("{which} no {what}, so nothing was checked"));
        }
        let config = args.config.as_ref().map(|path| self.config(path)).transpose()?;
        let draft = config.as_ref().map(|opened| &opened.draft);
        let from_examiner = config.as_ref().is_some_and(|opened| opened.source == Source::Examiner);
        let log_names = config.as_ref().map_or(&[][..], |opened| &opened.log_names);
        let (streams, doubts) = known(&run, draft, from_examiner, log_names);
        let own_device = draft.filter(|_| !from_examiner).map(|draft| &draft.device);
        let given = match (args.device, own_device) {
            (Some(built_in), _) => Some(built_in.device()),
            (None, Some(DeviceDraft::Custom(device))) => Some(device.clone()),
            (None, Some(DeviceDraft::BuiltIn(id))) => BuiltIn::find(id).map(BuiltIn::device),
            (None, None) => None,
        };
        let inferred = infer_device(&run);
        let mut settings = match &given {
            Some(device) => CheckSettings::on(device.clone(), streams),
            None => CheckSettings::inferred(&inferred, streams),
        };
        settings.tolerance_ns = args.tolerance;
        let result = check(&run, &settings);
        let mut notes = run.notes();
        notes.extend(doubts);
        let inferred = given.is_none().then_some(&inferred);
        let mut out = text(&run, &settings, inferred, &notes, &result);
        if let Some(opened) = config.as_ref().filter(|opened| opened.source == Source::Scenario) {
            section(&mut out, "Against the simulation", simulated(&run, &opened.draft, args.order_tolerance).iter().map(String::as_str));
        }
        self.in_time()?;
        self.print_words(&out)?;
        Ok(if result.conforms() { 0 } else { VIOLATED })
    }

    fn config(&mut self, path: &Path) -> Result<Opened, Failed> {
        let text = self.read(path)?;
        // How long blocks run is in the logs.
        let options = ImportOptions { default_duration_ns: Some(1), ..ImportOptions::default() };
        format::open(&text, &options).or_else(|e| self.wrong(&name(path), &e, None))
    }
}

fn text(run: &Measured, settings: &CheckSettings, inferred: Option<&InferredDevice>, notes: &[String], result: &Conformance) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(out, "{}", summary(run));
    device_lines(&mut out, &settings.device, inferred);
    let noise = if settings.tolerance_ns == TOLERANCE_NS { ", the default" } else { "" };
    let _ = writeln!(out, "Tolerance: {}{noise}; differences up to it count as clock noise", format_time(settings.tolerance_ns));
    section(&mut out, "Notes", notes.iter().map(String::as_str));
    section(&mut out, "Assumed", result.assumptions.iter().map(String::as_str));
    out.push_str("\nChecked:\n");
    for judged in &result.judged {
        let count = format!("{} {}", format_count(judged.count), judged.check.unit(judged.count));
        let failed = if judged.violations > 0 { format!("  VIOLATED {} times", format_count(judged.violations)) } else { String::new() };
        let failed = failed.replace(" 1 times", " once");
        let _ = writeln!(out, "  {:12} {count:>18}  {}{failed}", judged.check.id(), judged.check.sentence());
    }
    let unjudged = result.unjudged.iter().map(|u| format!("{}: {}", u.rules, u.why)).collect::<Vec<_>>();
    section(&mut out, "Not checked", unjudged.iter().map(String::as_str));
    if result.conforms() {
        out.push_str("\nNo violations found.\n");
        return out;
    }
    let total: u64 = result.judged.iter().map(|j| j.violations).sum();
    let _ = writeln!(out, "\nViolations: {}", format_count(total));
    for violation in &result.violations {
        let _ = writeln!(out, "  {}  {}: {}", seconds(violation.at_ns), violation.check.id(), violation.sentence);
    }
    if total > result.violations.len() as u64 {
        let _ = writeln!(
            out,
            "  and {} more; of each check the first {MOST_NAMED} are named",
            format_count(total - result.violations.len() as u64)
        );
    }
    out
}

/// How the logs differ from a simulation of the scenario, or why there is none; a line each.
fn simulated(run: &Measured, draft: &Draft, order_tolerance_ns: u64) -> Vec<String> {
    let scenario = match Scenario::new(draft) {
        Ok(scenario) => scenario,
        Err(error) => {
            let first = error.problems.first().map_or_else(String::new, |problem| format!(": {problem}"));
            return vec![format!("The scenario cannot be simulated{first}")];
        }
    };
    let trace = engine::simulate(&scenario, Limits::default()).trace;
    if let Some(cut) = trace.cut() {
        return vec![format!("The scenario cannot be simulated: {cut}")];
    }
    compared(run, &trace, &Records::new(&trace), order_tolerance_ns)
}

/// A measured run against the simulated one, a line each.
pub(super) fn compared(run: &Measured, trace: &Trace, records: &Records, order_tolerance_ns: u64) -> Vec<String> {
    let Some(fit) = fit(run, trace, records) else {
        return vec!["Not compared: the logs and the simulation have no block in common.".to_owned()];
    };
    let found = against(run, records, &fit, order_tolerance_ns);
    let named = Named::new(run);
    let mut lines = matched(run, records, &fit);
    lines.push(order_line(&found, &fit, &named));
    lines.extend(off_line("Starts", found.starts, &fit, &named));
    lines.extend(off_line("Ends", found.ends, &fit, &named));
    lines.push(match found.placed {
        0 => "Placement: the logs do not say on which SM blocks ran.".to_owned(),
        placed => format!("Placement: {} of {} ran on another SM than simulated.", format_count(found.moved as u64), blocks(placed)),
    });
    lines
}

fn matched(run: &Measured, records: &Records, fit: &Fit) -> Vec<String> {
    let sum = |of: fn(&KernelFit) -> usize| fit.kernels.iter().map(of).sum::<usize>();
    let measured: usize = fit.only_measured.iter().map(|&(log, kernel)| run.logs[log].kernels[kernel].blocks.len()).sum();
    let simulated: usize = fit.only_simulated.iter().map(|&op| records.blocks_of(op).len()).sum();
    let counts = |kernels: usize, of: usize| format!("{}, {}", count(kernels, "kernel"), blocks(of));
    vec![
        format!("Matched: {}", counts(fit.kernels.len(), fit.blocks.len())),
        format!("Only measured: {}", counts(fit.only_measured.len(), measured + sum(|kernel| kernel.only_measured))),
        format!("Only simulated: {}", counts(fit.only_simulated.len(), simulated + sum(|kernel| kernel.only_simulated))),
    ]
}

fn order_line(found: &Against, fit: &Fit, named: &Named<'_>) -> String {
    let Some(first) = found.first else { return "In the predicted order.".to_owned() };
    let name = |of: BlockOf| format!("block {} of {}", of.number, kernel_name(of.kernel, fit, named));
    format!(
        "{} of {} began out of the predicted order; first: {} began {} before {}, simulated {} after it",
        format_count(found.out_of_order as u64),
        blocks(fit.blocks.len()),
        name(first.block),
        format_time(first.measured_ns),
        name(first.before),
        format_time(first.simulated_ns)
    )
}

fn off_line(what: &str, off: Option<Off>, fit: &Fit, named: &Named<'_>) -> Option<String> {
    let off = off?;
    let [median, p95, largest] = [off.median_ns, off.p95_ns, off.largest_ns].map(format_time);
    Some(format!("{what} differ by: median {median}, 95th percentile {p95}, largest {largest} ({})", kernel_name(off.kernel, fit, named)))
}

fn kernel_name(kernel: usize, fit: &Fit, named: &Named<'_>) -> String {
    named.launch_name(fit.kernels[kernel].log, fit.kernels[kernel].kernel)
}

fn blocks(n: usize) -> String {
    count(n, "block")
}

fn count(n: usize, what: &str) -> String {
    format!("{} {what}{}", format_count(n as u64), s(n))
}

fn summary(run: &Measured) -> String {
    let kernels = run.logs.iter().map(|log| log.kernels.len()).sum();
    let blocks = run.blocks().count();
    format!("{}: {}, {}", count(run.logs.len(), "log"), count(kernels, "kernel"), count(blocks, "block"))
}

fn device_lines(out: &mut String, device: &Device, inferred: Option<&InferredDevice>) {
    let (sms, threads) = (format_count(device.sms), format_count(device.threads_per_sm));
    let _ = writeln!(out, "Device: {}, {sms} SM{} of {threads} threads", device.name, s(device.sms));
    for note in inferred.map_or(&[][..], |found| &found.notes) {
        let _ = writeln!(out, "  {note}");
    }
}

fn section<'t>(out: &mut String, title: &str, lines: impl Iterator<Item = &'t str>) {
    for (i, line) in lines.enumerate() {
        if i == 0 {
            let _ = writeln!(out, "\n{title}:");
        }
        let _ = writeln!(out, "  {line}");
    }
}
