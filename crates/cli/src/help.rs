//! What stands below the help of each command: examples, and the statuses with which it ends.
//!
//! Depends on the built-in devices, on what `search` looks for, and on clap for colors. Invariants: every example is a line of its own that
//! the command takes; no line is longer than a terminal of 80 columns has room for.

use blockstep_search::Property;
use blockstep_sim::scenario::device::BUILT_IN;
use clap::builder::styling::{AnsiColor, Styles};

/// Colors of help on a terminal, as cargo has them.
pub(super) const STYLES: Styles = Styles::styled()
    .header(AnsiColor::BrightGreen.on_default().bold())
    .usage(AnsiColor::BrightGreen.on_default().bold())
    .literal(AnsiColor::BrightCyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// Columns of an example with what stands beside it, so that a page of the manual has room for it too.
const COLUMNS: usize = 71;

/// A command as it is typed, and what it is for.
type Example = (&'static str, &'static str);

/// Examples, what they are for beside them if there is room for all, else below each; then paragraphs.
pub(super) fn examples(list: &[Example], rest: &[&str]) -> String {
    let width = list.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    let is_beside = list.iter().all(|(_, what)| 2 + width + 2 + what.len() <= COLUMNS);
    let literal = STYLES.get_literal();
    let line = |(command, what): &Example| match is_beside {
        true => format!("\n  {literal}{command}{literal:#}{:1$}  {what}", "", width - command.len()),
        false => format!("\n  {literal}{command}{literal:#}\n      {what}"),
    };
    let lines: String = list.iter().map(line).collect();
    let rest: String = rest.iter().map(|paragraph| format!("\n\n{}", headed(paragraph))).collect();
    format!("{}{lines}{rest}", headed("Examples:"))
}

/// A paragraph of which the first line, if it ends with a colon, is a heading.
fn headed(paragraph: &str) -> String {
    let header = STYLES.get_header();
    let (first, rest) = paragraph.split_at(paragraph.find('\n').unwrap_or(paragraph.len()));
    if first.ends_with(':') { format!("{header}{first}{header:#}{rest}") } else { paragraph.to_owned() }
}

/// The help of an option that takes a built-in device.
pub(super) fn device(what: &str) -> String {
    format!("{what}: {}", BUILT_IN.iter().map(|device| device.id).collect::<Vec<_>>().join(", "))
}

/// The help of the option that takes what a search looks for. It looks for the first of them in any case.
pub(super) fn properties() -> String {
    let words = Property::words();
    let (always, others) = words.split_first().map_or(("", &words[..]), |(first, rest)| (first.as_str(), rest));
    format!(
        "Look for this, and for {always}; may be given more than once: {}. Without it, what every policy should keep and what this one expects",
        others.join(", ")
    )
}

pub(super) const PROGRAM: &[Example] = &[
    ("blockstep examples tx2-table-1 > t1.json", "a scenario to start from"),
    ("blockstep check t1.json", "look for mistakes"),
    ("blockstep simulate t1.json", "the whole run as JSON"),
    ("blockstep simulate t1.json -o t1.svg", "its timeline as a picture"),
    ("blockstep simulate --help", "more of these"),
    ("blockstep analyse edf.json", "the schedulability tests"),
    ("blockstep sweep lp-3", "a figure of [LP]"),
    ("blockstep batch cases", "Table III of [MT]"),
    ("blockstep validate results/*.json", "does a GPU keep the rules?"),
    ("blockstep trace trace.json.gz", "why did operations wait?"),
    ("blockstep policy check gcaps", "can a policy go wrong?"),
    ("blockstep check k.json --resident", "can a persistent kernel hang?"),
];

pub(super) const PROGRAM_STATUS: &str = "\
Exit status:
  0    success
  1    validate found a violation, policy check a fault, check --resident
       a hang, trace a slower step than --max-regression allows; or a part
       of those that sweep-merge joins is missing
  2    any other error; standard error names the line and the field
  130  Ctrl-C stopped a study or a search; what is known is printed
  143  SIGTERM stopped one
  141  standard output was closed before its end";

pub(super) const SIMULATE: &[Example] = &[
    ("blockstep simulate t1.json --policy fifo --format steps", "every decision and its rule, a line each"),
    ("blockstep simulate t1.json -o t1.svg", "the timeline as a picture"),
    ("blockstep simulate t1.json --figure queues --at 1.1s -o queues.tex", "the queues at an instant, for pdflatex"),
    ("blockstep simulate t1.json --format beamer --to 1s -o slides.tex", "the steps as slides"),
    ("blockstep simulate t1.json --steps 12-30 -o steps.gif", "some steps as a picture that moves"),
    ("blockstep examples tx2-table-4 | blockstep simulate - --format csv", "blocks and copies for a spreadsheet"),
    ("blockstep simulate t1.json --format chrome -o chrome.json", "for Perfetto (ui.perfetto.dev)"),
    ("blockstep simulate t1.json --format examiner -o results", "logs of cuda_scheduling_examiner, a file for each stream"),
    ("blockstep simulate a.json --format results --beside b.json", "response times, misses, waits and utilization of two runs"),
    ("blockstep simulate a.json --figure threads --beside b.json -o ab.svg", "threads in flight of two runs, in one chart"),
    ("blockstep simulate t1.json --variant no-null-barrier --format steps", "the run with a rule changed on purpose"),
    ("blockstep simulate simple.json --duration 10ms", "a config of cuda_scheduling_examiner without durations"),
    ("blockstep simulate fig3.json --device titanv --format scenario", "a config as a scenario of another GPU"),
];

pub(super) const CHECK: &[Example] = &[
    ("blockstep check t1.json", "a scenario"),
    ("blockstep check simple.json --duration 10ms", "a config without durations"),
    ("blockstep examples tx2-table-1 | blockstep check -", "what is piped"),
    ("blockstep check workers.json --resident", "can blocks that need each other hang?"),
    ("blockstep check workers.json --resident -o hang.json", "a scenario that does, to step through"),
];

pub(super) const CHECK_STATUS: &str = "\
Exit status:
  0  no mistakes; with --resident no order hangs
  1  with --resident: an order hangs
  2  any other error; with --resident also where we cannot tell";

pub(super) const ANALYSE: &[Example] = &[
    ("blockstep analyse edf.json", "bounds, and verdicts of the schedulability tests"),
    ("blockstep analyse edf.json --device titanv", "the same on another GPU"),
    ("blockstep examples edf-fig-1 | blockstep analyse -", "what is piped"),
];

pub(super) const SWEEP: &[Example] = &[
    ("blockstep sweep", "the studies that are built in"),
    ("blockstep sweep lp-3 --sets 1000", "one of them, with another number of task sets"),
    ("blockstep sweep lp-3 --shard 1/8 > part-1.csv", "an eighth of it, which sweep-merge joins with the others"),
    ("blockstep sweep lp-3 --print > own.json", "its parameters as a file: change it, and give it to sweep"),
    ("blockstep sweep t1.json --vary 'kernels[K1].blocks=1..8' > runs.csv", "a scenario with each of these numbers of blocks"),
    ("blockstep sweep-merge runs.csv --chart end > end.svg", "how long these runs take, as a picture"),
];

pub(super) const SWEEP_MERGE: &[Example] = &[
    ("blockstep sweep-merge part-*.csv > all.csv", "all parts of one study"),
    ("blockstep sweep-merge --partial part-*.csv", "those that are there"),
    ("blockstep sweep-merge runs-*.csv --chart end", "a sweep as SVG"),
];

pub(super) const BATCH: &[Example] = &[
    ("blockstep batch", "the cases of [MT], which are built in"),
    ("blockstep batch cases", "all of them, beside the paper's Table III"),
    ("blockstep batch cases --until 35ms", "the same with inputs for 35 ms instead of 105 ms"),
    ("blockstep batch Case-2", "one of them, scheduler by scheduler and task by task"),
    ("blockstep batch Case-2 --methods none", "without the methods that avoid false dependencies"),
    ("blockstep batch Case-1 --print > own.json", "as a file to start from; change it, then:"),
    ("blockstep batch own.json --gpu tx1 -o own.csv", "your own workload, as a table for spreadsheets"),
];

#[cfg(feature = "measure")]
pub(super) const MEASURE: &[Example] = &[
    ("blockstep measure t1.json -o results", "run it, and write the logs of its streams"),
    ("blockstep measure t1.json -o results --repeat 3", "three times, each into a folder of its own"),
    ("blockstep measure t1.json --under \"nsys profile -o report\"", "beside a profiler"),
    ("blockstep validate --config t1.json results/*.json", "then: do the logs agree with the rules?"),
];

#[cfg(feature = "serve")]
pub(super) const SERVE: &[Example] = &[
    ("blockstep serve", "the page"),
    ("blockstep serve t1.json", "with a scenario"),
    ("blockstep serve --port 9000 rank0.json rank1.json", "traces, at another port"),
];

pub(super) const VALIDATE: &[Example] = &[
    ("blockstep validate results/*.json", "the logs of one run, a file for each stream"),
    ("blockstep validate --config fig3.json results/*.json", "with priorities and NULL streams, which the logs do not have"),
    ("blockstep validate --device k5000 log1.json log2.json", "measured on this GPU"),
    ("blockstep validate --tolerance 50us results/*.json", "with a coarser clock"),
];

pub(super) const VALIDATE_STATUS: &str = "\
Exit status:
  0  no violation
  1  a violation
  2  a file cannot be read, the logs are of different runs, or they hold
     nothing to check";

pub(super) const TRACE: &[Example] = &[
    ("blockstep trace trace.json.gz", "where the time went, causes of waits, the longest waits"),
    ("blockstep trace trace.json --top 50", "more of each"),
    ("blockstep trace report.sqlite", "an export of Nsight Systems"),
    ("blockstep trace host/908_results.db", "what rocprofv3 --sys-trace wrote"),
    ("blockstep trace before.json after.json --max-regression 2%", "what changed; status 1 if a step is over 2 % slower, beyond noise"),
    ("blockstep trace rank*.json", "the ranks of a job: which of them holds the others up?"),
    ("blockstep trace trace.json --format csv > waits.csv", "every part of every wait, for a spreadsheet"),
    ("blockstep trace trace.json --format path > path.csv", "the critical path, piece by piece"),
    ("blockstep trace trace.json --from 12ms --to 15.5ms", "what happened in a range"),
    ("blockstep trace trace.json --connections 1", "the program ran with CUDA_DEVICE_MAX_CONNECTIONS=1"),
    ("blockstep trace trace.json --gpu a100", "the GPU, where the file does not say it"),
];

pub(super) const TRACE_MORE: &str = "docs/traces.md says what is read, what is inferred, and how to record a good trace.";

pub(super) const POLICY: &[Example] = &[
    ("blockstep policy list", "published policies, which are built in"),
    ("blockstep policy show gcaps > own.policy", "one of them, to start from"),
    ("blockstep policy check own.policy", "can it go wrong?"),
    ("blockstep policy merge part-*.json", "join parts of a search"),
];

pub(super) const POLICY_CHECK: &[Example] = &[
    ("blockstep policy check own.policy", "can it go wrong?"),
    ("blockstep policy check gcaps --tasks 5 --format json", "a published one with more tasks, for scripts"),
    ("blockstep policy check own.policy --property idle --property at-most=2", "look only for these, and for decisions that fail"),
    ("blockstep policy check own.policy --max-time 30s", "what 30 s of processor time find"),
    ("blockstep policy check own.policy -o faults", "a table of each fault, for simulate"),
    ("blockstep policy check own.policy --shard 1/8 > part-1.json", "one of eight parts, for policy merge"),
];

pub(super) const POLICY_CHECK_STATUS: &str = "\
Exit status:
  0  no fault (a warning is not one)
  1  a fault
  2  an error, or the search ended before all states were visited and
     found nothing
  130, 143  Ctrl-C or SIGTERM stopped it; what is known is printed";

pub(super) const POLICY_MERGE: &[Example] = &[
    ("blockstep policy merge part-*.json", "all parts of one search"),
    ("blockstep policy merge part-*.json -o faults", "a table of each fault"),
];

pub(super) const POLICY_MERGE_STATUS: &str = "Exit status: that of policy check; 2 if a part is missing.";

pub(super) const POLICY_LIST: &[Example] = &[("blockstep policy list", "each with its source")];

pub(super) const POLICY_SHOW: &[Example] =
    &[("blockstep policy show gcaps", "read it"), ("blockstep policy show gcaps > own.policy", "change it")];

pub(super) const EXAMPLES: &[Example] = &[
    ("blockstep examples", "all of them"),
    ("blockstep examples tx2-table-1 > t1.json", "one to start from"),
    ("blockstep examples tx2-table-1 | blockstep simulate -", "its run"),
];

pub(super) const DEVICES: &[Example] = &[
    ("blockstep devices", "all of them"),
    ("blockstep devices --format csv > devices.csv", "with every number, for a spreadsheet"),
    ("blockstep devices --format json", "for scripts"),
];

pub(super) const SCHEMA: &[Example] = &[("blockstep schema > scenario.schema.json", "a file for an editor")];

pub(super) const COMPLETIONS: &[Example] = &[
    ("blockstep completions bash > blockstep.bash", "then, in bash: source blockstep.bash"),
    ("blockstep completions fish | source", "in fish"),
];

pub(super) const MAN: &[Example] = &[
    ("blockstep man > blockstep.1", "then: man ./blockstep.1"),
    ("blockstep man simulate | man -l -", "the page of a command"),
    ("blockstep man policy check", "of one below another"),
];
