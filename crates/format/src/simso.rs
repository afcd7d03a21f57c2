//! Task sets of SimSo: a GPU as its only processor, every real-time task with its cost alone.
//!
//! Depends on `scenario` and `analysis::scenario`, which finds out the costs. Invariants: what is
//! written is XML whatever the names, and passes SimSo's own checks; what does not carry over is
//! said. Source: SimSo 0.8.5, `configuration/parser.py` and `Configuration.py`.

mod read;
mod xml;

pub(super) use read::import;

use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesEnd, BytesStart, Event};

use super::stem::milliseconds;
use blockstep_analysis::scenario::Model;
use blockstep_sim::order::Names;
use blockstep_sim::policy::{self, Setting};
use blockstep_sim::scenario::{Choice, Class, PolicyKind, Preemption, Release, Scenario, Task};
use blockstep_sim::units::Time;

/// Most releases that are written one by one.
const MOST_RELEASES: u64 = 10_000;
/// The attribute that holds a name as it was, where SimSo does not take it.
const NAME: &str = "blockstep_name";

/// A task set as SimSo has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimsoFile {
    /// The file.
    pub text: String,
    /// What does not carry over, a sentence each.
    pub losses: Vec<String>,
}

/// Why there is no file for SimSo.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Debug, thiserror::Error)]
pub enum SimsoError {
    #[error("There is no real-time task for SimSo: a task needs a deadline, and a period unless it is released once.")]
    NoTask,
    #[error("The XML could not be written: {0}")]
    Unwritten(#[from] std::io::Error),
}

/// The real-time tasks of a scenario for SimSo. `model` is the scenario's; `end` is when the run ends.
///
/// # Errors
/// If there is no task that SimSo could have.
pub fn write_simso(scenario: &Scenario, model: &Model, end: Time) -> Result<SimsoFile, SimsoError> {
    let mut losses =
        vec!["Blocks, streams, copies and SMs: a task has its time alone on the GPU as its WCET, and the GPU is one processor.".to_owned()];
    let mut rows = Vec::new();
    let mut used = Names::default();
    for (id, cost) in &model.tasks {
        let task = scenario.task(*id);
        let Some(releases) = releases(task, end) else {
            losses.push(format!("Task \"{}\": more than {MOST_RELEASES} releases are not written one by one; it is left out.", task.name));
            continue;
        };
        let deadline = task.deadline.unwrap_or_default().ns();
        let is_single = releases.as_ref().is_some_and(|dates| dates.len() == 1);
        let period = task.period.filter(|_| !is_single).map_or(deadline, |period| period.ns());
        rows.push(SimsoTask { task, name: simso_name(&mut used, &task.name), cost: cost.cost, deadline, period, releases });
    }
    if rows.is_empty() {
        return Err(SimsoError::NoTask);
    }
    lose(scenario, model, rows.iter().any(|row| row.name != row.task.name), &mut losses);
    Ok(SimsoFile { text: text(scenario, end, &rows)?, losses })
}

/// A task to be written; times in ns.
struct SimsoTask<'s> {
    task: &'s Task,
    name: String,
    cost: u64,
    deadline: u64,
    period: u64,
    /// One by one, unless they go on forever.
    releases: Option<Vec<u64>>,
}

/// The releases of a task that has only some; `None` if there are too many.
#[expect(clippy::option_option, reason = "no releases that can be written, or no need to write them")]
fn releases(task: &Task, end: Time) -> Option<Option<Vec<u64>>> {
    let count = match (task.release, task.jobs) {
        (Release::Periodic, None) => return Some(None),
        (Release::Periodic, Some(jobs)) => {
            let period = task.period.unwrap_or_default().ns().max(1);
            // What the run does not reach is of no use.
            jobs.min(end.since(task.offset).ns() / period + 1)
        }
        _ => 1,
    };
    let period = task.period.unwrap_or_default().ns();
    (count <= MOST_RELEASES).then(|| Some((0..count).map(|job| task.offset.ns().saturating_add(job.saturating_mul(period))).collect()))
}

/// A name that SimSo takes: a letter, then letters, digits, spaces, `_` and `-`, of ASCII.
fn simso_name(used: &mut Names<'_>, name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, ' ' | '_' | '-');
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    let plain = if plain.starts_with(|c: char| c.is_ascii_alphabetic()) { plain } else { format!("T{plain}") };
    let mut candidate = plain.clone();
    let mut count = 1;
    while used.get(0, &candidate).is_some() {
        count += 1;
        candidate = format!("{plain}_{count}");
    }
    used.place(0, candidate.clone(), 1);
    candidate
}

fn lose(scenario: &Scenario, model: &Model, has_renamed: bool, losses: &mut Vec<String>) {
    let policy = scenario.policy();
    if policy.kind != PolicyKind::Edf {
        losses.push(format!("The policy: SimSo schedules by EDF, here it is {}.", policy.kind.word()));
    } else if policy.preemption != Preemption::Thread {
        losses.push("Limited preemption: SimSo preempts at once.".to_owned());
    }
    if policy.cbs && policy::uses(scenario, Setting::Servers) {
        losses.push("Constant bandwidth servers and their budgets.".to_owned());
    }
    if scenario.switches().longest().ns() > 0 {
        losses.push(
            "Switch costs are SimSo's cl_overhead, which it charges whenever a job starts or resumes, even after idle time or the same process.".to_owned(),
        );
    }
    if scenario.switches().vary() {
        losses.push("Switch times that vary: cl_overhead is the longest.".to_owned());
    }
    if let Some(task) = scenario.tasks().iter().find(|task| task.class == Class::BestEffort && !task.rows.is_empty()) {
        losses.push(format!("Best-effort tasks, which SimSo does not have, such as \"{}\".", task.name));
    }
    if let Some(task) = scenario.tasks().iter().find(|task| !task.consumes.is_empty()) {
        losses.push(format!("Producers: task \"{}\" does not wait for them in SimSo.", task.name));
    }
    let varies = |row: &blockstep_sim::scenario::KernelRow| row.variation.most().ns() > 0;
    if scenario.rows().iter().any(varies) {
        losses.push("Block times that vary: WCET and ACET are both the worst case.".to_owned());
    }
    if has_renamed {
        losses.push(format!("SimSo's names have only letters, digits, spaces, _ and -. {NAME} holds the original names."));
    }
    losses.extend(model.doubts.iter().map(|doubt| {
        let doubt = doubt.to_string();
        let mut letters = doubt.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        format!("{}.", first.into_iter().chain(letters).collect::<String>())
    }));
}

fn text(scenario: &Scenario, end: Time, rows: &[SimsoTask<'_>]) -> std::io::Result<String> {
    let mut out = Writer::new_with_indent(Vec::new(), b' ', 2);
    out.write_event(Event::Decl(BytesDecl::new("1.0", Some("utf-8"), None)))?;
    // A cycle is a nanosecond.
    let simulation =
        element("simulation", &[("duration", end.to_string()), ("cycles_per_ms", "1000000".to_owned()), ("etm", "wcet".to_owned())]);
    out.write_event(Event::Start(simulation))?;
    let zero = || "0".to_owned();
    let sched = [
        ("class", "simso.schedulers.EDF_mono".to_owned()),
        ("overhead", zero()),
        ("overhead_activate", zero()),
        ("overhead_terminate", zero()),
    ];
    out.write_event(Event::Empty(element("sched", &sched)))?;
    out.write_event(Event::Empty(element("caches", &[("memory_access_time", "100".to_owned())])))?;
    out.write_event(Event::Start(element("processors", &[])))?;
    let switch = scenario.switches().longest().ns().to_string();
    let gpu =
        [("name", "GPU".to_owned()), ("id", "1".to_owned()), ("cl_overhead", switch), ("cs_overhead", zero()), ("speed", "1.0".to_owned())];
    out.write_event(Event::Empty(element("processor", &gpu)))?;
    out.write_event(Event::End(BytesEnd::new("processors")))?;
    out.write_event(Event::Start(element("tasks", &[])))?;
    if rows.iter().any(|row| row.name != row.task.name) {
        out.write_event(Event::Empty(element("field", &[("name", NAME.to_owned()), ("type", "str".to_owned())])))?;
    }
    for (i, row) in rows.iter().enumerate() {
        let dates = row.releases.as_deref().unwrap_or_default().iter().map(|&ns| milliseconds(ns)).collect::<Vec<_>>().join(", ");
        let mut fields = vec![
            ("name", row.name.clone()),
            ("id", (i + 1).to_string()),
            ("task_type", if row.releases.is_some() { "Sporadic" } else { "Periodic" }.to_owned()),
            ("abort_on_miss", "no".to_owned()),
            ("period", milliseconds(row.period)),
            ("activationDate", milliseconds(if row.releases.is_some() { 0 } else { row.task.offset.ns() })),
            ("list_activation_dates", dates),
            ("deadline", milliseconds(row.deadline)),
            ("base_cpi", "1.0".to_owned()),
            ("instructions", zero()),
            ("mix", "0.5".to_owned()),
            ("WCET", milliseconds(row.cost)),
            ("ACET", milliseconds(row.cost)),
            ("preemption_cost", zero()),
            ("et_stddev", zero()),
        ];
        if row.name != row.task.name {
            fields.push((NAME, row.task.name.clone()));
        }
        out.write_event(Event::Empty(element("task", &fields)))?;
    }
    out.write_event(Event::End(BytesEnd::new("tasks")))?;
    out.write_event(Event::End(BytesEnd::new("simulation")))?;
    let mut text = String::from_utf8(out.into_inner()).map_err(std::io::Error::other)?;
    text.push('\n');
    Ok(text)
}

fn element(name: &'static str, fields: &[(&'static str, String)]) -> BytesStart<'static> {
    let mut element = BytesStart::new(name);
    for (key, value) in fields {
        element.push_attribute(xml::attribute(key, value));
    }
    element
}
