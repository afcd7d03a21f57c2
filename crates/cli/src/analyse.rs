//! `blockstep analyse`: what the schedulability tests say of a scenario.
//!
//! Depends on `analysis`. Invariant: every verdict comes with what it assumes and does not hold for.

use std::fmt::Write;
use std::sync::Arc;

use super::meter::TimeArgs;
use super::{Failed, Input, Streams, name};
use blockstep_analysis::Verdict;
use blockstep_analysis::curves::decimal;
use blockstep_analysis::edf::Overhead;
use blockstep_analysis::own::{self, Own};
use blockstep_analysis::report::{Report, ReportLine, Switch, mode, together};
use blockstep_analysis::runlist_bound::{Inapplicable, RunlistBound, bounds, endless};
use blockstep_analysis::space_bound::{self, NoBound};
use blockstep_analysis::uncovered::not_covered;
use blockstep_sim::engine::{Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Choice, Class, PolicyKind, Scenario, Task, plain};
use blockstep_sim::trace::Variants;
use blockstep_sim::units::Span;
use blockstep_view::dead_end::dead_end;
use blockstep_view::quantity::{format_time, format_time_read};

const ASSUMPTIONS: &str = "The tests cover the real-time tasks under EDF, whatever the policy of this scenario. They assume that
the GPU \
                           runs one task at a time, each in its own process, and that tasks may be released \
                           together at
any time. Every job is charged two switches, or one without preemption. \
                           Tasks that fail a test may
still meet their deadlines in a run.
";

#[derive(clap::Args)]
pub(super) struct AnalyseArgs {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    time: TimeArgs,
}

impl Streams<'_> {
    pub(super) fn analyse(&mut self, args: &AnalyseArgs) -> Result<(), Failed> {
        let loaded = self.load(&args.input, None)?;
        let file = &name(&args.input.file);
        let scenario = &loaded.scenario;
        self.begin(&args.time, file);
        self.meter.tell("no verdict; each task is run alone first");
        let report = Report::new(scenario, Limits::default()).or_else(|why| self.fail(&plain(&format!("{file}: {why}"))))?;
        let under = |kind: PolicyKind| {
            let mut draft = loaded.opened.draft.clone();
            draft.policy.kind = kind;
            Scenario::new(&draft)
        };
        let kind = scenario.policy().kind;
        let shared = under(if kind.takes_turns() { PolicyKind::Priority } else { kind }).or_else(|e| self.fail(&format!("{file}: {e}")))?;
        let in_one_space = space_bound::bounds(&shared);
        self.in_time()?;
        let run = self.run_of(scenario, Variants::NONE, Limits::default())?;
        let mut out = own(scenario, &run, &report, &in_one_space);
        out.push_str(&tasks(scenario, &report));
        if report.model.tasks.is_empty() {
            out.push_str("\nThere are no real-time tasks with a deadline, so the EDF tests do not apply.\n");
        } else {
            edf(&mut out, scenario, &report);
        }
        let by_runlist = match endless(scenario) {
            Some(none) => none,
            None => {
                let in_turns = under(PolicyKind::Runlist).or_else(|e| self.fail(&format!("{file}: {e}")))?;
                let run = self.run_of(&in_turns, Variants::NONE, Limits::default())?;
                bounds(&run.trace, &Records::new(&run.trace), Limits::default())
            }
        };
        runlist(&mut out, scenario, &by_runlist);
        one_space(&mut out, &shared, &in_one_space);
        if let Some(sentence) = scenario.device().evidence().sentence() {
            let _ = writeln!(out, "\n{sentence}");
        }
        self.in_time()?;
        self.print_words(&out)
    }
}

/// The verdict under the scenario's own policy, and what its own run comes to.
fn own(scenario: &Arc<Scenario>, run: &Run, report: &Report, in_one_space: &[Result<Span, NoBound>]) -> String {
    let records = Records::new(&run.trace);
    let bounds = bounds(&run.trace, &records, Limits::default());
    let cut = run.trace.cut().map(|cut| format!("its run was stopped: {cut}"));
    let own = Own::new(scenario, report, cut.as_deref().map_or(Ok(&bounds[..]), Err), in_one_space);
    let mut out = plain(&own.sentence(scenario));
    if let Some(why) = dead_end(run, &records) {
        let _ = write!(out, "\nIn its run {}.", plain(&why));
    }
    let [real_time, best_effort] = [Class::RealTime, Class::BestEffort].map(|class| records.judged(scenario, class));
    let end = format_time(run.trace.end().ns());
    let _ = match real_time.judged {
        0 => writeln!(out, "\nIts run of {end}: no deadline of a real-time job is judged."),
        judged => writeln!(out, "\nIts run of {end}: {} of {judged} judged real-time jobs miss their deadline.", real_time.missed),
    };
    if best_effort.judged > 0 {
        let _ = writeln!(out, "Best effort: {} of {} judged jobs are late.", best_effort.missed, best_effort.judged);
    }
    out.push('\n');
    out
}

fn runlist(out: &mut String, scenario: &Scenario, bounds: &[Result<RunlistBound, Inapplicable>]) {
    out.push_str("\nUnder the policy runlist ([EDF] Theorem 1), response times are at most\n");
    let says = |(task, bound): (&Task, &Result<RunlistBound, Inapplicable>)| {
        let says = match bound {
            Ok(bound) => bound_line(bound, task.deadline),
            Err(why) => no_bound(&why.sentence(scenario)),
        };
        (plain(&task.name), says)
    };
    list(out, scenario.tasks().iter().zip(bounds).map(says));
}

/// The bounds where all processes share one address space.
fn one_space(out: &mut String, scenario: &Scenario, bounds: &[Result<Span, NoBound>]) {
    let policy = scenario.policy().kind.word();
    let _ = writeln!(out, "\nUnder the policy {policy}, in one address space (docs/bounds.md), response times are at most");
    let says = |(task, bound): (&Task, &Result<Span, NoBound>)| {
        let says = match (bound, task.deadline) {
            (Ok(bound), None) => format_time(bound.ns()),
            (Ok(bound), Some(deadline)) => {
                let within = if *bound <= deadline { "within" } else { "not within" };
                format!("{}; {within} the deadline of {}", format_time(bound.ns()), format_time(deadline.ns()))
            }
            (Err(why), _) => no_bound(&why.sentence(scenario)),
        };
        (plain(&task.name), says)
    };
    list(out, scenario.tasks().iter().zip(bounds).map(says));
}

fn no_bound(why: &str) -> String {
    format!("no bound. {}", plain(why))
}

/// A line for each thing that is said, with the tasks of which it is.
fn list(out: &mut String, tasks: impl Iterator<Item = (String, String)>) {
    for (tasks, says) in together(tasks) {
        let _ = writeln!(out, "  {tasks}: {says}");
    }
}

fn bound_line(bound: &RunlistBound, deadline: Option<Span>) -> String {
    let time = |bound: Option<Span>| bound.map_or_else(|| "beyond 64 bits".to_owned(), |b| format_time(b.ns()));
    let mut line = time(bound.every_switch);
    if bound.switch_cost > Span::ZERO {
        let _ = write!(line, " (without switches {}, by eq. 3 {})", time(bound.without_cost), time(bound.at_own_expiries));
    }
    if let Some(deadline) = deadline {
        let is_met = own::within(bound, deadline);
        let _ = write!(line, "; {} the deadline of {}", if is_met { "within" } else { "not within" }, format_time(deadline.ns()));
    }
    line
}

fn tasks(scenario: &Scenario, report: &Report) -> String {
    let mut out = String::from("Real-time tasks, each job alone on the device:\n");
    for (id, task) in &report.model.tasks {
        let period = if task.period == u64::MAX { "once".to_owned() } else { format!("every {}", format_time(task.period)) };
        let (cost, deadline) = (format_time(task.cost), format_time(task.deadline));
        let _ = writeln!(
            out,
            "  {}: {cost} {period}, due after {deadline}, steps of up to {}",
            plain(&scenario.task(*id).name),
            format_time(task.section)
        );
    }
    if let Some(task) = report.model.background {
        let _ = writeln!(out, "  best effort beside them: jobs of up to {}", format_time(task.cost));
    }
    let utilisation = u32::try_from(report.utilisation).map_or_else(|_| "far more than 1".to_owned(), decimal);
    let _ = writeln!(out, "Utilization {utilisation}");
    out
}

fn edf(out: &mut String, scenario: &Scenario, report: &Report) {
    out.push_str("\nUnder the policy edf (QPA on the demand), every real-time deadline is met:\n");
    for line in &report.lines {
        let _ = writeln!(out, "  {:52} {}", title(scenario, line), verdict(line));
    }
    out.push_str(ASSUMPTIONS);
    for line in not_covered(&report.model) {
        let _ = writeln!(out, "{}", plain(&line));
    }
}

fn title(scenario: &Scenario, line: &ReportLine) -> String {
    let mode = mode(line.preemption);
    let source = match line.source {
        Switch::Own if scenario.switches().vary() => "this scenario's longest".to_owned(),
        Switch::Own => "this scenario".to_owned(),
        Switch::TableIi(Overhead::Free) => "without cost".to_owned(),
        Switch::TableIi(overhead) => format!("[LP] {}", overhead.word()),
    };
    format!("{mode}, switch {} ({source})", format_time(line.switch))
}

fn verdict(line: &ReportLine) -> String {
    match (line.verdict, line.failure) {
        (Verdict::Passes, _) if line.is_covered => "yes".to_owned(),
        (Verdict::Passes, _) => "no verdict: the demand fits, but the test does not cover this scenario".to_owned(),
        (Verdict::Undecided, _) => "undecided: a utilization of exactly 1, and no idle instant found".to_owned(),
        (Verdict::Fails { .. }, None) => "not guaranteed: more than the device can do".to_owned(),
        (Verdict::Fails { .. }, Some(point)) => {
            let blocked =
                if point.blocking > 0 { format!(" after waiting for {}", format_time_read(point.blocking)) } else { String::new() };
            format!("not guaranteed: {} may be due by {}{blocked}", format_time(point.demand), format_time(point.at))
        }
    }
}
