//! What HolisticTraceAnalysis (package `HolisticTraceAnalysis` of PyPI, 0.5.0 tried) says of the public traces, beside what we say.
//!
//! It splits the idle time of each stream: *host wait* if the next operation was called after the one before it had ended, else *kernel
//! wait* if the gap is below 30 ns, counted in whole microseconds, else *other*. The first two we say, too; of the third we name the
//! cause. Needs a Python that can import `hta` (`BLOCKSTEP_PYTHON`, else `python3`), and the traces.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::process::Command;

use blockstep_traces::causes::{Analysis, Cause, KnownSettings};
use blockstep_traces::files::read_profile;
use blockstep_traces::{OperationKind, Recording};

use super::public;

/// Prints, for each stream and category, the idle time in µs.
const SCRIPT: &str = r#"
import sys, logging, warnings
warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)
from hta.trace_analysis import TraceAnalysis
table, _ = TraceAnalysis(trace_files={0: sys.argv[1]}, include_last_profiler_step=True).get_idle_time_breakdown(ranks=[0], visualize=False)
for row in table.itertuples():
    print(row.stream, row.idle_category, row.idle_time)
"#;

/// Below this a gap is a kernel wait: its 30 ns are compared with whole microseconds.
const KERNEL_WAIT_US: i64 = 30;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Category {
    Host,
    Kernel,
    Other,
}

/// Idle time between operations of a stream.
struct Idle {
    stream: u64,
    category: Category,
    /// From the end of the operation before to the start of this one; negative if they overlap.
    us: i64,
    operation: u32,
    from_ns: u64,
}

fn idle(recording: &Recording) -> Vec<Idle> {
    let us = |ns: u64| (ns / 1_000) as i64;
    let mut last: BTreeMap<u64, u64> = BTreeMap::new();
    let mut all = Vec::new();
    for (place, operation) in recording.operations.iter().enumerate() {
        let stream = recording.stream(operation).id;
        let (start, end) = (operation.start.ns(), operation.end.ns());
        if let Some(before) = last.insert(stream, end) {
            let us = us(start) - us(before);
            let category = match recording.call(operation) {
                Some(call) if call.start.ns() > before => Category::Host,
                _ if us < KERNEL_WAIT_US => Category::Kernel,
                _ => Category::Other,
            };
            all.push(Idle { stream, category, us, operation: place as u32, from_ns: before });
        }
    }
    all
}

/// The table of HolisticTraceAnalysis; `Err` with the reason if it fails on the file.
fn theirs(python: &str, path: &Path) -> Result<BTreeMap<(u64, Category), i64>, String> {
    let output = Command::new(python).args(["-c", SCRIPT]).arg(path).output().map_err(|why| why.to_string())?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).lines().last().unwrap_or_default().to_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let rows = text.lines().filter_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [stream, category, time] = words[..] else { return None };
        let category = match category {
            "host_wait" => Category::Host,
            "kernel_wait" => Category::Kernel,
            "other" => Category::Other,
            _ => return None,
        };
        Some(((stream.parse().ok()?, category), time.parse::<f64>().ok()?.round() as i64))
    });
    Ok(rows.collect())
}

#[test]
fn profile_idle_time_as_holistic_trace_analysis_splits_it() {
    let python = std::env::var("BLOCKSTEP_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_it = Command::new(&python).args(["-c", "import hta"]).output().is_ok_and(|output| output.status.success());
    let paths = public();
    if paths.is_empty() {
        return;
    }
    if !has_it {
        println!("skipped: {python} cannot import hta; pip install HolisticTraceAnalysis, or name another in BLOCKSTEP_PYTHON");
        return;
    }
    let (mut compared, mut other_us, mut named_us) = (0, 0, 0);
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().replace(".json.gz", "");
        let theirs = match theirs(&python, &path) {
            Ok(theirs) => theirs,
            Err(why) => {
                println!("{name}: HolisticTraceAnalysis cannot read it: {why}");
                continue;
            }
        };
        let recording = read_profile(&mut File::open(&path).unwrap(), &mut |_| true).unwrap_or_else(|why| panic!("{name}: {why}"));
        let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
        let all = idle(&recording);
        let mut ours: BTreeMap<(u64, Category), (i64, i64)> = BTreeMap::new();
        let mut causes: BTreeMap<Cause, u64> = BTreeMap::new();
        for gap in &all {
            let of = ours.entry((gap.stream, gap.category)).or_default();
            *of = (of.0 + gap.us, of.1 + 1);
            let parts = analysis.parts(gap.operation).iter();
            let within = parts.map(|part| (part.cause, part.to.ns().saturating_sub(part.from.ns().max(gap.from_ns))));
            for (cause, ns) in within {
                assert!(cause != Cause::StreamOrder || ns == 0 || gap.category != Category::Host, "{name}: operation {}", gap.operation);
                if gap.category == Category::Other {
                    *causes.entry(cause).or_default() += ns;
                }
            }
        }
        // They cut times to whole microseconds, so a gap may differ by two.
        for (&(stream, category), &us) in &theirs {
            let (sum, gaps) = ours.get(&(stream, category)).copied().unwrap_or_default();
            let may = 2 * gaps + 2 + us.abs() / 100;
            assert!((sum - us).abs() <= may, "{name}: stream {stream}, {category:?}: {sum} us in {gaps} gaps, theirs {us} us");
        }
        let sum = |category| theirs.iter().filter(|((_, of), _)| *of == category).map(|(_, us)| us).sum::<i64>();
        let total: u64 = causes.values().sum();
        other_us += total / 1_000;
        named_us += (total - causes.get(&Cause::CannotTell).copied().unwrap_or_default()) / 1_000;
        let shares = causes.iter().filter(|(_, ns)| **ns * 1_000 >= total.max(1));
        let shares: Vec<String> = shares.map(|(cause, ns)| format!("{} {:.1}", cause.word(), *ns as f64 * 100.0 / total as f64)).collect();
        println!("| {name} | {} | {} | {} | {} |", sum(Category::Host), sum(Category::Kernel), sum(Category::Other), shares.join(", "));
        assert!(recording.operations.iter().any(|operation| operation.kind == OperationKind::Kernel), "{name}");
        compared += 1;
    }
    println!("{compared} traces; of {other_us} us that are other, {named_us} us have a cause");
    assert!(compared > 0, "it could read none");
}
