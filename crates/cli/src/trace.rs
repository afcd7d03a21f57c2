//! `blockstep trace`: where the time of a profiler's trace went, and why its operations waited.
//!
//! Invariants: the file is read as a stream, whatever its size; every time that is printed is exact.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::meter::TimeArgs;
use super::{Failed, Streams, device, help, name, time as time_of};
use blockstep_sim::language::one_or;
use blockstep_sim::scenario::BuiltIn;
use blockstep_sim::units::written::format_time_short;
use blockstep_sim::units::{Span, Time};
use blockstep_traces::answers::ranged;
use blockstep_traces::causes::{Analysis, Cause, KnownSettings};
use blockstep_traces::files;
use blockstep_traces::flaws;
use blockstep_traces::gain::promises::{Advice, Promise};
use blockstep_traces::gain::{self, Gains, NoGains};
use blockstep_traces::path::compare::{Compared, Comparison, Times, compare};
use blockstep_traces::path::overlap::{Overlap, overlaps};
use blockstep_traces::path::{self, DevicePath, exposed, groups, repeated};
use blockstep_traces::ranges::RangeSums;
use blockstep_traces::ranks::{self, MOST_RANKS, RankFile, RankTimes};
use blockstep_traces::summary::{Summary, counts};
use blockstep_traces::{ProfilerSource, Recording, words};
use blockstep_view::quantity::{format_count, format_time};

/// The status where a step is slower than may be.
const SLOWER: u8 = 1;

#[derive(clap::Args)]
pub(super) struct TraceArgs {
    /// A trace of the PyTorch profiler (Kineto) or of JAX (XLA's profiler), .json or .json.gz, an export of Nsight Systems (nsys export
    /// --type sqlite), or the output of rocprofv3 for AMD's GPUs, .db or .json; - is standard input
    file: PathBuf,
    /// A later trace of the same program: what changed in a step from the first to this one. Or traces of the other ranks of a job, three
    /// or more in all, or two that say that they are different ranks: a table of them, and which of them holds the others up
    #[arg(value_name = "LATER")]
    others: Vec<PathBuf>,
    /// Of two traces, which are compared then whatever their ranks: end with status 1 if a step is slower by more than so many percent,
    /// beyond noise
    #[arg(long, value_name = "PERCENT", requires = "others", value_parser = percent)]
    max_regression: Option<u64>,
    /// What is printed
    #[arg(short, long, value_enum, default_value = "text")]
    format: Format,
    /// How many rows of the path and of the longest waits there are, with text and json
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u16).range(0..=200))]
    top: u16,
    /// Sums up only what happened from this time of the recording on: 10ms, 0.5s, 250us. With text and json
    #[arg(long, value_name = "TIME", value_parser = time_of, conflicts_with = "others")]
    from: Option<u64>,
    /// The same until this time
    #[arg(long, value_name = "TIME", value_parser = time_of, conflicts_with = "others")]
    to: Option<u64>,
    /// CUDA_DEVICE_MAX_CONNECTIONS of the program that was traced, 1 to 32 (8 if not given)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=32))]
    connections: Option<u32>,
    #[arg(long, value_name = "ID", value_parser = device, help = help::device("The GPU, where the file does not say which it was"))]
    gpu: Option<&'static BuiltIn>,
    #[command(flatten)]
    time: TimeArgs,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A summary to be read
    Text,
    /// The same for programs
    Json,
    /// Every part of every wait, a line each
    Csv,
    /// Every piece of the path, a line each
    Path,
}

/// Percent with at most one decimal, as tenths; a sign for percent may follow.
fn percent(text: &str) -> Result<u64, String> {
    let wrong = || format!("{text} is not a percentage from 0 to 1000 with at most one decimal");
    let (whole, tenths) = text.trim_end_matches('%').split_once('.').unwrap_or((text.trim_end_matches('%'), "0"));
    let whole: u64 = whole.parse().map_err(|_| wrong())?;
    let tenths: u64 = tenths.parse().ok().filter(|&tenths| tenths < 10).ok_or_else(wrong)?;
    Some(whole * 10 + tenths).filter(|&permille| permille <= 10_000).ok_or_else(wrong)
}

impl Streams<'_> {
    pub(super) fn trace(&mut self, args: &TraceArgs) -> Result<(), Failed> {
        self.begin(&args.time, &name(&args.file));
        if !args.others.is_empty() {
            return self.several_traces(args);
        }
        let explained = self.explained(&args.file, args);
        self.in_time()?;
        let (recording, analysis) = explained.or_else(|why| self.fail(&format!("{}: {why}", name(&args.file))))?;
        if args.from.or(args.to).is_some() {
            return self.trace_range(args, &recording, &analysis);
        }
        let summary = Summary::new(&recording, &analysis);
        let paths = path::paths(&recording, &analysis);
        let top = usize::from(args.top);
        match args.format {
            Format::Text => {
                let gains = gain::gains(&recording, &analysis, &paths);
                self.print_words(&text((&recording, &analysis), &summary, &paths, gains.as_ref(), top))
            }
            Format::Json => {
                let gains = gain::gains(&recording, &analysis, &paths);
                self.print(files::write_waits_json((&recording, &analysis), &summary, &paths, gains.as_ref(), top))
            }
            Format::Path => self.print(files::write_path_csv(&recording, &paths)),
            Format::Csv => self.print(files::write_waits_csv(&recording, &analysis)),
        }
    }

    /// Says what happened in a range of a trace.
    fn trace_range(&mut self, args: &TraceArgs, recording: &Recording, analysis: &Analysis) -> Result<(), Failed> {
        if matches!(args.format, Format::Csv | Format::Path) {
            return self.fail("--from and --to sum up a range as text or json: --format takes one of these");
        }
        let (from, to) = (args.from.unwrap_or(0), args.to.unwrap_or(u64::MAX));
        let sums = RangeSums::new(recording, analysis, &path::paths(recording, analysis), Time(from), Time(to));
        if sums.length() == Span::ZERO {
            let end = format_time(recording.end().ns());
            return self.fail(&format!("--from has to be before --to, and before the end of the recording, at {end}"));
        }
        let top = usize::from(args.top);
        match args.format {
            Format::Json => self.print(files::write_range_json(recording, &sums, top)),
            _ => self.print_words(&ranged::card(recording, &sums, top).text),
        }
    }

    /// Reads a trace and explains its waits; else why not.
    fn explained(&mut self, path: &Path, args: &TraceArgs) -> Result<(Recording, Analysis), String> {
        let meter = self.meter.clone();
        let mut go_on = |_| meter.has_time();
        let go_on = &mut go_on;
        let read = if path == Path::new("-") { files::read_profile(&mut self.stdin, go_on) } else { files::read_profile_file(path, go_on) };
        let mut recording = read.map_err(|why| why.to_string())?;
        if let Some(gpu) = args.gpu {
            recording.assume_gpu(gpu);
        }
        let known = KnownSettings { connections: args.connections };
        let analysis = Analysis::new(&recording, known, &mut |_| meter.has_time()).ok_or("the analysis was stopped")?;
        Ok((recording, analysis))
    }

    /// What is kept of a trace to put it beside others; of one of two with what it advises.
    fn kept(&mut self, path: &Path, args: &TraceArgs) -> Result<Kept, String> {
        let (recording, analysis) = self.explained(path, args)?;
        let paths = path::paths(&recording, &analysis);
        // Every recording has an operation or something of the host, so each has a path.
        let path = paths.first().ok_or("there is nothing to compare")?;
        let rank = RankTimes::new(&recording, path, &overlaps(&recording)[path.device as usize]);
        // Whoever asks for a status alone does not wait for that.
        let is_asked = args.others.len() == 1 && args.max_regression.is_none();
        let gains = is_asked.then(|| gain::gains(&recording, &analysis, &paths).ok()).flatten();
        let advice = gains.map(|gains| Advice::new(&recording, &gains));
        Ok(Kept { times: Times::new(Compared { recording: &recording, path }), rank, advice })
    }

    /// Compares two traces, or puts the ranks of a job beside each other. One is in memory at a time.
    fn several_traces(&mut self, args: &TraceArgs) -> Result<(), Failed> {
        if matches!(args.format, Format::Csv | Format::Path) {
            return self.fail("several traces are put beside each other as text or json: --format takes one of these");
        }
        let paths: Vec<&PathBuf> = std::iter::once(&args.file).chain(&args.others).collect();
        if paths.len() > MOST_RANKS {
            return self.fail(&ranks::words::too_many(paths.len()));
        }
        if args.max_regression.is_some() && paths.len() > 2 {
            return self.fail(&format!("--max-regression compares two traces, and here are {}", paths.len()));
        }
        let (mut compared, mut files): (Vec<(Times, Option<Advice>)>, Vec<RankFile>) = (Vec::new(), Vec::new());
        let count = paths.len();
        for path in paths {
            self.meter.tell(format!("{} of {count} traces", files.len()));
            let kept = self.kept(path, args);
            self.in_time()?;
            let times = kept.map(|kept| {
                compared.push((kept.times, kept.advice));
                kept.rank
            });
            files.push((name(path), times));
        }
        // Nothing is compared with what cannot be read.
        if let [(name, Err(why)), _] | [_, (name, Err(why))] = &files[..] {
            return self.fail(&format!("{name}: {why}"));
        }
        match &compared[..] {
            [before, after] if files.len() == 2 && (args.max_regression.is_some() || ranks::of_one_job(&files).is_err()) => {
                self.compare_traces(args, &files, before, after)
            }
            _ => self.print_ranks(args, &files),
        }
    }

    /// Says what the time of the ranks of a job went to; fails in the end if one of them could not be read.
    fn print_ranks(&mut self, args: &TraceArgs, files: &[RankFile]) -> Result<(), Failed> {
        match args.format {
            Format::Json => self.print(files::write_ranks_json(files))?,
            _ => self.print_words(&ranks_text(files))?,
        }
        for (name, why) in files.iter().filter_map(|file| Some((&file.0, file.1.as_ref().err()?))) {
            self.say("error", format!("{name}: {why}"));
        }
        if files.iter().all(|file| file.1.is_ok()) { Ok(()) } else { Err(Failed) }
    }

    /// Says what changed from a trace to another.
    fn compare_traces(
        &mut self,
        args: &TraceArgs,
        files: &[RankFile],
        before: &(Times, Option<Advice>),
        after: &(Times, Option<Advice>),
    ) -> Result<(), Failed> {
        let comparison = compare(&before.0, &after.0);
        let promises = before.1.as_ref().zip(after.1.as_ref()).map(|(before, after)| before.promises(after));
        if comparison.is_of_runs && args.max_regression.is_some() {
            return self.fail("--max-regression needs two traces in which steps repeat: with one run each, we do not know the noise");
        }
        match args.format {
            Format::Json => self.print(files::write_comparison_json(&comparison, promises.as_deref()))?,
            _ => self.print_words(&compared_text(files, &comparison, &promises.unwrap_or_default(), usize::from(args.top)))?,
        }
        if let Some(most) = args.max_regression.filter(|&most| comparison.slower_permille() > most) {
            self.say("error", format!("a step is slower by more than {}.{} %", most / 10, most % 10));
            self.status = SLOWER;
            return Err(Failed);
        }
        Ok(())
    }
}

/// What is kept of a trace beside others.
struct Kept {
    times: Times,
    rank: RankTimes,
    /// What would shorten it, if that was asked and can be told.
    advice: Option<Advice>,
}

/// What changed in a step, and what became of what the first trace promised.
fn compared_text(files: &[RankFile], comparison: &Comparison, promises: &[Promise], top: usize) -> String {
    let mut out = path::words::verdict(comparison, &short);
    // Writing to a string cannot fail.
    let _ = writeln!(out, "\n{}", path::words::steps_compared(comparison));
    for line in files.iter().zip(&comparison.flaws).filter_map(|(file, flaws)| flaws::of_file(&file.0, flaws)) {
        let _ = writeln!(out, "{line}");
    }
    for change in comparison.changes.iter().take(top) {
        let _ = writeln!(out, "  {}", path::words::change(change, comparison.is_of_runs, &short));
    }
    if comparison.changes.len() > top {
        let _ = writeln!(out, "  and {} more", format_count((comparison.changes.len() - top) as u64));
    }
    if !promises.is_empty() {
        let _ = writeln!(out, "\nWhat the first trace promised:");
    }
    for line in gain::words::promised(promises, comparison) {
        let _ = writeln!(out, "  {line}");
    }
    out
}

/// The ranks of a job: which is slow, and a table of their times.
fn ranks_text(files: &[RankFile]) -> String {
    let mut out = ranks::words::said(files, &short).join("\n");
    out.push_str("\n\n");
    let ordered = || ranks::ordered(files).into_iter().map(|place| &files[place]);
    let row = |file: &RankFile| {
        let times = ranks::words::times(file.1.as_ref().ok()?).map(short);
        Some([vec![words::cut(&ranks::words::label(file), 40)], times.to_vec(), vec![file.0.clone()]].concat())
    };
    let headings = ranks::words::HEADINGS.map(str::to_owned);
    let rows: Vec<Vec<String>> = std::iter::once([vec![String::new()], headings.to_vec(), vec!["File".to_owned()]].concat())
        .chain(ordered().filter_map(row))
        .collect();
    let widths: Vec<usize> = (0..rows[0].len()).map(|place| rows.iter().map(|row| row[place].chars().count()).max().unwrap_or(0)).collect();
    for row in &rows {
        // The first and the last are words.
        for (place, (cell, width)) in row.iter().zip(&widths).enumerate() {
            out.push_str("  ");
            out.push_str(&match place {
                0 => format!("{cell:<width$}"),
                _ if place == row.len() - 1 => cell.clone(),
                _ => format!("{cell:>width$}"),
            });
        }
        out.push('\n');
    }
    // Writing to a string cannot fail.
    ordered().filter_map(|file| Some((&file.0, file.1.as_ref().err()?))).for_each(|(name, why)| {
        let _ = writeln!(out, "  {name}: {why}");
    });
    out
}

/// A part of a whole in percent, with a decimal.
fn share_of(part: u64, whole: u64) -> String {
    let permille = u128::from(part) * 1_000 / u128::from(whole.max(1));
    format!("{}.{} %", permille / 10, permille % 10)
}

/// A time to five digits.
fn short(span: Span) -> String {
    format_time_short(span.ns())
}

fn time(span: Span) -> String {
    format_time(span.ns())
}

/// What the whole gains if a part takes less time, as a table; empty if no part matters.
fn levers_text(recording: &Recording, gains: &Gains, top: usize) -> String {
    if top == 0 || gains.curves().next().is_none() {
        return String::new();
    }
    let mut out = "\nThe run would be shorter by this, if one part took less time:\n".to_owned();
    let head: String = gain::PERCENTS.iter().map(|percent| format!("{:>9} %", format!("-{percent}"))).collect();
    let _ = writeln!(out, "  {:<40}{head}", "");
    for (lever, curve) in gains.curves().take(top) {
        let cells: String = curve.iter().map(|&ns| format!("{:>11}", short(Span(ns)))).collect();
        let then = gain::words::then(recording, lever).map_or(String::new(), |then| format!("  then {}", words::cut(&then, 26)));
        let _ = writeln!(out, "  {:<40}{cells}{then}", words::cut(&gain::words::lever(recording, lever.what), 40));
    }
    out
}

fn text(
    (recording, analysis): (&Recording, &Analysis),
    summary: &Summary,
    paths: &[DevicePath],
    gains: Result<&Gains, &NoGains>,
    top: usize,
) -> String {
    let (mut out, exposed) = (String::new(), exposed::exposed(recording, analysis));
    for path in paths {
        // Writing to a string cannot fail, here and below.
        let _ = writeln!(out, "{}", path::words::sentence(recording, path));
        let of_exposed = exposed::said(recording, path.device, &exposed[path.device as usize], &short);
        for sentence in of_exposed.into_iter().chain(repeated::of_steps(recording, analysis, path, &short)) {
            let _ = writeln!(out, "{sentence}");
        }
    }
    if let Some(sentence) = path::words::left_out(recording, paths.len()) {
        let _ = writeln!(out, "{sentence}");
    }
    let (proposals, note) = gain::words::proposals(recording, gains, &short);
    let _ = writeln!(out, "\nWhat would shorten it:");
    for of in proposals {
        let _ = writeln!(out, "  {}", of.headline);
        if !of.details.is_empty() {
            let _ = writeln!(out, "    {}", of.details);
        }
    }
    let _ = writeln!(out, "  {note}");
    if let Ok(gains) = gains {
        out.push_str(&levers_text(recording, gains, top));
    }
    let _ = writeln!(out, "\n{}", about(recording));
    let of_gpus = paths.iter().filter(|_| !recording.is_host_alone());
    let mut devices: Vec<_> = of_gpus.map(|path| &recording.devices[path.device as usize]).collect();
    devices.sort_by_key(|device| device.id);
    for device in devices {
        let sms = device.sms.map_or("an unknown number of SMs".to_owned(), |sms| format!("{sms} SMs"));
        let _ = writeln!(out, "  GPU {}: {}, {sms}", device.id, device.name.as_deref().unwrap_or("name not recorded"));
        if let Some(rules) = device.evidence().rules() {
            let _ = writeln!(out, "  Rules {rules}.");
        }
    }
    for sentence in flaws::sentences(recording) {
        let _ = writeln!(out, "  {sentence}");
    }
    let together = overlaps(recording);
    for path in paths {
        out.push_str(&path_text(recording, path, &together[path.device as usize], top));
    }
    if recording.is_host_alone() {
        return out;
    }
    let starts = &summary.starts;
    let _ = writeln!(
        out,
        "\nOf {} operations with a call, {} start within 20 us of it.\n{} more start within 5 us after the operation before them in \
         their stream.\nOf the other {}, {} have a cause with evidence.",
        format_count(starts.all),
        format_count(starts.at_once),
        format_count(starts.after_predecessor),
        format_count(starts.rest()),
        format_count(starts.rest_explained)
    );
    let waited = summary.waited_ns();
    let _ = writeln!(
        out,
        "\nQueued by cause, {} in all. Operations queue at the same time, mostly while the GPU works, so this is not lost time:",
        format_time(waited)
    );
    for cause in Cause::ALL {
        let total = &summary.causes[cause as usize];
        if total.waited_ns > 0 {
            let share = share_of(total.waited_ns, waited);
            let certain = u128::from(total.certain_ns) * 100 / u128::from(total.waited_ns);
            let _ = writeln!(
                out,
                "  {:<30} {:>8}  {:>18}  {certain:>3} % certain, {} operations",
                words::label(cause),
                share,
                format_time(total.waited_ns),
                format_count(total.operations)
            );
        }
    }
    if top > 0 && !summary.longest.is_empty() {
        let _ = writeln!(out, "\nThe longest waits:");
    }
    for alike in summary.longest.iter().take(top) {
        let operation = &recording.operations[alike.operation as usize];
        let wait = time(recording.wait(operation).unwrap_or(Span::ZERO));
        let others = match alike.count {
            0 | 1 => String::new(),
            count => format!("; {} such waits take {} in all", format_count(count), time(Span(alike.waited_ns))),
        };
        let _ = writeln!(out, "  {} waits {wait}{others}:", words::named(recording, operation));
        for part in analysis.parts(alike.operation) {
            let _ = writeln!(out, "    {} ({})", words::sentence(recording, part, &time), words::certainty(part.certainty));
        }
        if let Some(said) = words::beside_call(recording, operation, analysis.parts(alike.operation), &time) {
            let _ = writeln!(out, "    {said}");
        }
    }
    let more = words::to_record(recording);
    if summary.causes[Cause::CannotTell as usize].waited_ns > 0 && !more.is_empty() {
        let _ = writeln!(out, "\nTo learn more from the next trace:");
        for sentence in more {
            let _ = writeln!(out, "  {sentence}");
        }
    }
    out
}

/// What the end of a device's work waited for, and how much ran together.
fn path_text(recording: &Recording, path: &DevicePath, together: &Overlap, top: usize) -> String {
    let mut out = String::new();
    if path.pieces.is_empty() {
        return out;
    }
    let whole = path.pieces.iter().fold(0_u64, |sum, piece| sum.saturating_add(piece.span().ns()));
    let head = match path::alone::thread(recording, path).filter(|_| recording.is_host_alone()) {
        Some(thread) => format!("What thread {thread} ran"),
        None => format!("What the end of GPU {} waited for", recording.devices[path.device as usize].id),
    };
    let _ = writeln!(out, "\n{head}, {} in all:", format_time(whole));
    let groups = groups::groups(recording, path);
    for group in groups.iter().take(top) {
        let share = share_of(group.ns, whole);
        let label = words::cut(&path::words::subject(recording, group.subject), 58);
        let pieces = if group.pieces == 1 { "piece" } else { "pieces" };
        let _ = writeln!(out, "  {label:<58} {share:>8}  {:>16}  {} {pieces}", format_time(group.ns), format_count(group.pieces));
    }
    if groups.len() > top {
        let rest = groups[top..].iter().fold(0_u64, |sum, group| sum.saturating_add(group.ns));
        let _ = writeln!(out, "  and {} more, {} in all", format_count((groups.len() - top) as u64), format_time(rest));
    }
    let together = path::words::overlap(together, &short);
    for sentence in path::words::host_behind(recording, path, &short).into_iter().chain(together) {
        let _ = writeln!(out, "  {sentence}");
    }
    out
}

fn about(recording: &Recording) -> String {
    let [kernels, copies, memsets, migrations] = counts(recording);
    let end = format_time(recording.end().ns());
    let many = |count: u64, one: &str, more: &str| format!("{} {}", format_count(count), one_or(count, one, more));
    let by = match recording.source {
        ProfilerSource::Kineto => "the PyTorch profiler",
        ProfilerSource::Nsight => "Nsight Systems",
        ProfilerSource::Xla => "XLA's profiler (JAX, TensorFlow)",
        ProfilerSource::Rocprof => "rocprofv3",
    };
    if recording.is_host_alone() {
        let calls = many(recording.calls.len() as u64, "call", "calls");
        let spans = many(recording.spans.len() as u64, "operator, range or function", "operators, ranges and functions");
        return format!("A trace of {by}: {calls} and {spans} of the host, over {end}.");
    }
    format!(
        "A trace of {by}: {}, {} and {} in {}{}, over {}.",
        many(kernels, "kernel", "kernels"),
        many(copies, "copy", "copies"),
        many(memsets, "memset", "memsets"),
        many(recording.stream_count() as u64, "stream", "streams"),
        if migrations > 0 { format!(", and {}", many(migrations, "page migration", "page migrations")) } else { String::new() },
        end
    )
}
