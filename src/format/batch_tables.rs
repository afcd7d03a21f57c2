//! What the schedulers of a batch workload come to, as tables and JSON.
//!
//! Depends on `batch`. Invariants: times are whole nanoseconds; a performance comes with what the paper has for it only
//! where the caller says that it is the paper's case; cells never begin a formula.

use std::fmt::Write;

use super::csv_cell;
use super::json_out::{Object, push_rows};
use super::json_text::push_string;
use crate::batch::arch::ArchId;
use crate::batch::cases::Case;
use crate::batch::methods::{Method, Methods};
use crate::batch::run::{Comparison, Outcome, RunError};
use crate::batch::schedulers::SchedulerId;
use crate::batch::task::Workload;

/// A row for each scheduler: its performance, what it is made of, and how many outputs are late; of a case also the
/// paper's performance. Slack and end are in ns.
#[must_use]
pub fn write_batch_csv(ours: &Comparison, case: Option<&Case>) -> String {
    let mut out = String::from("scheduler,performance,");
    out.push_str(if case.is_some() { "paper," } else { "" });
    out.push_str("slack_used_ns,end_ns,outputs,late,why_not\n");
    for (id, outcome) in &ours.outcomes {
        // Writing to a string cannot fail, here and below.
        let _ = write!(out, "{},{},", id.name(), ours.performance(*id).map_or(String::new(), |ratio| ratio.to_string()));
        if let Some(case) = case {
            let _ = write!(out, "{},", case.published(*id).map_or(String::new(), |p| p.to_string()));
        }
        match outcome {
            Ok(o) => {
                let _ = writeln!(out, "{},{},{},{},", o.shifted, o.end.ns(), o.jobs.len(), o.late());
            }
            Err(why) => {
                out.push_str(",,,,");
                csv_cell(&mut out, &why.to_string());
                out.push('\n');
            }
        }
    }
    out
}

/// A row for each scheduler of each case: its performance, ours and the paper's; empty where it does not run.
#[must_use]
pub fn write_batch_cases_csv<'c>(cases: impl Iterator<Item = (&'c Case, &'c Comparison)>) -> String {
    let mut out = String::from("case,scheduler,ours,paper\n");
    for (case, ours) in cases {
        for id in SchedulerId::ALL {
            let mine = ours.performance(id).map_or(String::new(), |ratio| ratio.to_string());
            let published = case.published(id).map_or(String::new(), |p| p.to_string());
            let _ = writeln!(out, "{},{},{mine},{published}", case.name, id.name());
        }
    }
    out
}

/// The same as JSON, with whether the order of the schedulers is the paper's.
#[must_use]
pub fn write_batch_cases_json<'c>(cases: impl Iterator<Item = (&'c Case, &'c Comparison)>) -> String {
    let mut out = String::from("{\n  \"version\": 1,\n");
    push_rows(&mut out, "cases", cases, |out, (case, ours)| {
        let mut o = Object::open(out);
        o.text("case", case.name);
        o.text("title", case.title);
        o.text("source", case.source);
        o.text("gpu", case.arch.word());
        o.truth("has_order_of_paper", case.differences(ours).is_empty());
        list(&mut o, "schedulers", SchedulerId::ALL.into_iter(), |o, id| {
            o.text("scheduler", id.name());
            decimal_or_null(o, "ours", ours.performance(id).map(|ratio| ratio.to_string()));
            decimal_or_null(o, "paper", case.published(id).map(|p| p.to_string()));
        });
        o.close();
    });
    out.push_str("\n}\n");
    out
}

/// A workload under all schedulers, task by task; of a case also the paper's performance.
#[must_use]
pub fn write_batch_json(workload: &Workload, gpu: ArchId, methods: Methods, ours: &Comparison, case: Option<&Case>) -> String {
    let mut out = String::from("{\n  \"version\": 1,\n  \"workload\": ");
    push_string(&mut out, workload.name());
    let _ = write!(out, ",\n  \"gpu\": \"{}\",\n  \"until_ns\": {},\n", gpu.word(), workload.until().ns());
    let on = Method::ALL.into_iter().filter(|method| methods.has(*method));
    push_rows(&mut out, "methods", on, |out, method| push_string(out, method.word()));
    out.push_str(",\n");
    push_rows(&mut out, "schedulers", ours.outcomes.iter(), |out, (id, outcome)| {
        let mut o = Object::open(out);
        o.text("scheduler", id.name());
        decimal_or_null(&mut o, "performance", ours.performance(*id).map(|ratio| ratio.to_string()));
        if let Some(case) = case {
            decimal_or_null(&mut o, "paper", case.published(*id).map(|p| p.to_string()));
        }
        outcome_fields(&mut o, workload, outcome);
        o.close();
    });
    out.push_str("\n}\n");
    out
}

fn outcome_fields(o: &mut Object<'_>, workload: &Workload, outcome: &Result<Outcome, RunError>) {
    let outcome = match outcome {
        Ok(outcome) => outcome,
        Err(why) => return o.text("why_not", &why.to_string()),
    };
    let _ = write!(o.key("slack_used_ns"), "{}", outcome.shifted);
    o.number("end_ns", outcome.end.ns());
    o.number("outputs", outcome.jobs.len() as u64);
    o.number("late", outcome.late() as u64);
    list(o, "tasks", workload.tasks().iter().enumerate(), |o, (task, of)| {
        let sum = outcome.summary(task);
        o.text("name", &of.name);
        o.number("outputs", sum.jobs);
        o.number("late", sum.late);
        o.number("worst_lateness_ns", sum.worst_lateness.ns());
        o.number("worst_response_ns", sum.worst_response.ns());
    });
}

/// A list of objects on one line.
fn list<T>(o: &mut Object<'_>, key: &str, items: impl Iterator<Item = T>, fields: impl Fn(&mut Object<'_>, T)) {
    let out = o.key(key);
    out.push('[');
    for (i, item) in items.enumerate() {
        out.push_str(if i == 0 { "" } else { ", " });
        let mut inner = Object::open(out);
        fields(&mut inner, item);
        inner.close();
    }
    out.push(']');
}

/// A number that is written already, or null.
fn decimal_or_null(o: &mut Object<'_>, key: &str, decimal: Option<String>) {
    o.key(key).push_str(decimal.as_deref().unwrap_or("null"));
}
