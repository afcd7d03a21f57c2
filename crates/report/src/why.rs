//! What an operation does at an instant, and why: asked by its name, for the libraries of other languages.
//!
//! Depends on `sim::snapshot` and `view::reason`. Invariant: a name that fits several operations means the first that is not complete.

use blockstep_sim::record::Records;
use blockstep_sim::snapshot::Snapshot;
use blockstep_sim::trace::{Rule, Trace};
use blockstep_sim::units::OpId;
use blockstep_view::position::Stop;
use blockstep_view::quantity::format_time;
use blockstep_view::reason;

/// What an operation does that waits.
const WAITS: &str = "waits";
const EXECUTES: &str = "executes";
const COMPLETE: &str = "complete";
const NOT_ISSUED: &str = "not issued";
/// What an operation can do.
pub const DOINGS: [&str; 4] = [WAITS, EXECUTES, COMPLETE, NOT_ISSUED];

/// Most names that a message lists.
const MOST: usize = 20;

/// What an operation does at an instant, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Why {
    /// The operation: `K5`, or `K5#2` where there are several jobs.
    pub op: String,
    /// One of [`DOINGS`].
    pub doing: &'static str,
    /// The same in words, without the operation's name; of one that waits, why.
    pub text: String,
    /// The reason in a few words.
    pub reason: Option<&'static str>,
    /// The rule that makes it wait, if one does.
    pub rule: Option<&'static str>,
    /// What it waits for, as far as that is known operations.
    pub blockers: Vec<String>,
    /// The step that assigns it next.
    pub until_step: Option<u32>,
    /// When that is, ns.
    pub until_ns: Option<u64>,
}

impl std::fmt::Display for Why {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let does = if self.doing == WAITS { "waits: " } else { "" };
        write!(f, "{} {does}{}", self.op, self.text)
    }
}

/// What an operation does after the steps of `stop`, whose state is `state`, and why.
///
/// # Errors
/// If there is no operation of this name: a sentence with those that there are.
pub fn why(trace: &Trace, records: &Records, (state, stop): (&Snapshot, Stop), name: &str) -> Result<Why, String> {
    let fits = |op: &OpId| trace.op_label(*op) == name || trace.op_name(*op) == name;
    let mut all = (0..trace.ops().len()).map(OpId::at).filter(fits);
    let mut last = all.next().ok_or_else(|| no_operation(trace, name))?;
    let is_complete = |op: OpId| records.ops[op.index()].end.is_some_and(|end| end <= stop.at);
    while is_complete(last)
        && let Some(next) = all.next()
    {
        last = next;
    }
    Ok(why_of(trace, records, state, last))
}

fn no_operation(trace: &Trace, name: &str) -> String {
    let mut known: Vec<String> = Vec::new();
    for op in (0..trace.ops().len()).map(OpId::at) {
        let name = trace.op_name(op);
        if !known.contains(&name) {
            known.push(name);
        }
        if known.len() > MOST {
            known[MOST] = "…".to_owned();
            break;
        }
    }
    format!("there is no operation \"{name}\"; there are {}", known.join(", "))
}

fn why_of(trace: &Trace, records: &Records, state: &Snapshot, op: OpId) -> Why {
    let record = &records.ops[op.index()];
    let op_label = trace.op_label(op);
    let said = |doing, text: String| Why {
        op: op_label.clone(),
        doing,
        text,
        reason: None,
        rule: None,
        blockers: Vec::new(),
        until_step: None,
        until_ns: None,
    };
    let is_issued = state.last_step().is_some_and(|last| record.issued_step <= last);
    if !is_issued {
        return said(NOT_ISSUED, format!("is issued at {}", format_time(record.issued.ns())));
    }
    if let Some(waiting) = reason::waiting_of(trace, records, state, op) {
        let (doing, text) = match waiting.executing {
            false => (WAITS, waiting.text),
            true => (EXECUTES, format!("executes, and the rest of its blocks waits: {}", waiting.text)),
        };
        return Why {
            reason: Some(waiting.reason.kind().label()),
            rule: waiting.rule.map(Rule::id),
            blockers: waiting.blockers.iter().map(|&op| trace.op_label(op)).collect(),
            until_step: waiting.until.map(|step| step.0 + 1),
            until_ns: waiting.until.map(|step| trace.step(step).at.ns()),
            ..said(doing, text)
        };
    }
    if reason::executes(trace, state, op) {
        return said(EXECUTES, EXECUTES.to_owned());
    }
    said(COMPLETE, record.end.map_or_else(|| "is complete".to_owned(), |end| format!("is complete since {}", format_time(end.ns()))))
}
