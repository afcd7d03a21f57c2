//! Why not now? The chain of causes of what is selected, at the current step.
//!
//! Depends on `learn::why`. Invariants: every name leads to its kernel and every time to its step;
//! what is shown follows the reader from step to step.

use super::{Act, Answer, Asked, Event, Here};
use crate::learn::why::{self, Link, Moment, Place, Room, Root, Standing, Why, resource_name, write_amount};
use crate::snapshot::{Progress, Snapshot};
use crate::trace::Trace;
use crate::units::{OpId, RowId, SmId, StepId};
use crate::view::markup::Markup;
use crate::view::palette;
use crate::view::panels::chip;
use crate::view::quantity::{format_count, format_time};
use crate::view::reason;
use crate::view::sentence;

/// Other operations of a kernel that are listed.
const MAX_OTHERS: usize = 8;
/// Rows of a table of SMs.
const MAX_SMS: usize = 12;
/// Holders named on an SM.
const MAX_HOLDERS: usize = 3;
/// What waits, if nothing is selected.
const MAX_WAITING: usize = 8;

/// Answers as a tool.
pub(super) fn answer(asked: &mut Asked<'_>) -> Result<Answer, String> {
    let here = &asked.here;
    let mut replay = here.made.run.replay();
    let state = replay.seek(here.position);
    let moment = Moment { trace: &here.made.run.trace, records: &here.made.records, state };
    let mut memory = asked.state.clone();
    if let Event::Did(word) | Event::Opened(word) = &asked.event
        && let Some(op) = word.strip_prefix("op:").and_then(|op| operation(moment.trace, op))
    {
        memory.set("row", moment.trace.op(op).row.0.to_string()).set("op", op.0.to_string());
    }
    let mut acts = Vec::new();
    let Some(row) = here.selected else {
        return Ok(Answer { state: super::query::Query::new(), html: invitation(here, state), acts });
    };
    let before = memory.write();
    if memory.get("row") != row.0.to_string() {
        memory.set("row", row.0.to_string()).set("op", "");
    }
    // A click on an operation asks about that one; a later choice in the card goes before it.
    let clicked = here.op.map(|op| op.0.to_string()).unwrap_or_default();
    if memory.get("clicked") != clicked {
        memory.set("clicked", clicked.clone()).set("op", clicked);
    }
    let wanted = operation(moment.trace, memory.get("op")).filter(|&op| moment.trace.op(op).row == row);
    let open = why::open_ops(moment, row);
    let subject = wanted.filter(|op| open.is_empty() || open.contains(op) || matches!(asked.event, Event::Did(_)));
    let html = match subject.or_else(|| why::subject(moment, row)) {
        None => never(moment.trace, row),
        Some(op) => {
            let why = why::why(moment, op);
            if memory.write() != before || matches!(asked.event, Event::Did(_)) {
                acts.push(Act::Say(why::headline(moment.trace, &why)));
            }
            card(moment, &why, &open, here.options.is_dark)
        }
    };
    Ok(Answer { state: memory, html, acts })
}

fn operation(trace: &Trace, number: &str) -> Option<OpId> {
    number.parse().ok().map(OpId).filter(|op| op.index() < trace.ops().len())
}

/// What to click, and what waits now.
fn invitation(here: &Here, state: &Snapshot) -> String {
    let (trace, records) = (&here.made.run.trace, &here.made.records);
    let mut html = Markup::new();
    html.leaf(
        "p",
        &[("class", "tool-note")],
        "Click anything that waits: a box in the queues, a name under “Waiting now”, a kernel on the timeline or in the table.",
    );
    let list = reason::waiting(trace, records, state, MAX_WAITING);
    if list.items.is_empty() {
        html.leaf("p", &[], "Nothing waits at this step.");
        return html.finish();
    }
    html.leaf("h3", &[], "Waiting now").open("ul", &[("class", "tool-list")]);
    for w in &list.items {
        html.open("li", &[]);
        name(&mut html, "data-op", &w.op.0.to_string(), &format!("waits-{}", w.op.0), &w.label);
        html.text(&format!(" {}", w.text)).close();
    }
    html.close();
    html.finish()
}

/// A row that the run issues nothing of.
fn never(trace: &Trace, row: RowId) -> String {
    let row = trace.scenario().row(row);
    let mut html = Markup::new();
    html.leaf("h3", &[], &format!("{} is never issued in this run.", row.name));
    let task = &trace.scenario().task(row.task).name;
    let text = match row.after {
        Some(after) => format!(
            "Task {task} issues it after row {} is complete, which does not happen before the run ends.",
            trace.scenario().row(after).name
        ),
        None => format!("Task {task} would issue it {} after it releases a job; the run ends before.", format_time(row.start.ns())),
    };
    html.leaf("p", &[], &text);
    html.finish()
}

fn card(moment: Moment<'_>, why: &Why, open: &[OpId], is_dark: bool) -> String {
    let trace = moment.trace;
    let mut html = Markup::new();
    let colour = palette::colour_of(trace.op(why.op).row, is_dark).css();
    html.leaf("h3", &[("style", &format!("border-left:.3rem solid {colour};padding-left:.5rem"))], &why::headline(trace, why));
    standing(&mut html, trace, why);
    if !why.links.is_empty() {
        html.leaf("h4", &[], if why.links.len() == 1 { "The cause" } else { "The chain of causes" });
        html.open("ol", &[("class", "why-chain")]);
        for (i, of) in why.links.iter().enumerate() {
            html.open("li", &[]);
            link(&mut html, trace, why.op, i, of);
            html.close();
        }
        if let Some(root) = &why.root {
            html.open("li", &[]);
            rooted(&mut html, trace, root, &why.links);
            html.close();
        }
        html.close();
    } else if let (Standing::NotIssued(_), Some(root)) = (why.standing, &why.root) {
        html.open("p", &[]);
        rooted(&mut html, trace, root, &why.links);
        html.close();
    }
    others(&mut html, moment, why.op, open);
    html.finish()
}

/// When it goes on, and what of it is on the device.
fn standing(html: &mut Markup, trace: &Trace, why: &Why) {
    let (step, before) = match why.standing {
        Standing::Complete(step) => (Some(step), "Go to where it completes: "),
        Standing::NotIssued(step) => (Some(step), "Go to where it is issued: "),
        Standing::Waits => (why.goes_on, "It goes on at "),
        Standing::Executes if why.links.is_empty() => (None, ""),
        Standing::Executes => (why.goes_on, "Its next block is assigned at "),
    };
    match step {
        Some(step) => {
            html.open("p", &[]).text(before);
            go(html, trace, step, "goes-on");
            html.text(".").close();
        }
        None if why.standing == Standing::Waits || !why.links.is_empty() => {
            html.leaf("p", &[], "It does not go on before the run ends.");
        }
        None => {}
    }
    if why.places.is_empty() {
        return;
    }
    html.open("ul", &[("class", "tool-list tool-note")]);
    for text in places(trace, &why.places) {
        html.leaf("li", &[], &text);
    }
    html.close();
}

/// What is on the device, in a line for each SM or copy engine.
fn places(trace: &Trace, places: &[Place]) -> Vec<String> {
    let mut lines: Vec<(Option<SmId>, Vec<&Place>)> = Vec::new();
    for place in places {
        let sm = place.block.map(|(_, sm)| sm);
        match lines.last_mut() {
            Some((last, list)) if *last == sm => list.push(place),
            _ => lines.push((sm, vec![place])),
        }
    }
    let mut told: Vec<String> = lines.iter().take(MAX_SMS).map(|(sm, list)| place_text(trace, *sm, list)).collect();
    if lines.len() > MAX_SMS {
        told.push(format!("and on {} more SMs", lines.len() - MAX_SMS));
    }
    told
}

fn place_text(trace: &Trace, sm: Option<SmId>, list: &[&Place]) -> String {
    let blocks: Vec<String> = list.iter().filter_map(|p| p.block).map(|(block, _)| block.to_string()).collect();
    let since = list.iter().map(|p| p.since).min().unwrap_or_default();
    let left = list.iter().filter_map(|p| match p.progress {
        Progress::Suspended(left) => Some(left),
        Progress::Runs(_) => None,
    });
    let until = list.iter().filter_map(|p| match p.progress {
        Progress::Runs(until) => Some(until),
        Progress::Suspended(_) => None,
    });
    let what = match (sm, blocks.as_slice()) {
        (Some(sm), [one]) => format!("Block {one} on SM {}", sm.0),
        (Some(sm), many) if many.len() <= 6 => format!("Blocks {} on SM {}", many.join(", "), sm.0),
        (Some(sm), many) => format!("{} blocks on SM {}", many.len(), sm.0),
        (None, _) => {
            let engine = list.first().and_then(|p| p.engine).unwrap_or(0);
            format!("On {}", sentence::copy_engine(trace.scenario(), engine))
        }
    };
    let state = match (until.max(), left.max()) {
        (Some(until), _) => format!("until {}", format_time(until.ns())),
        (None, Some(left)) => format!("suspended, with {} left", format_time(left.ns())),
        (None, None) => String::new(),
    };
    format!("{what} since {}, {state}", format_time(since.ns()))
}

fn link(html: &mut Markup, trace: &Trace, subject: OpId, i: usize, link: &Link) {
    name_op(html, trace, subject, link.op, &format!("link-{i}"));
    html.text(" ");
    if let Some(rule) = link.rule {
        chip(html, rule, true);
        html.text(" ");
    }
    html.text(if link.executes { "executes in part; " } else { "" });
    // The table says the rest.
    html.text(if link.room.is_some() { link.text.split("; ").next().unwrap_or("") } else { &link.text });
    if let Some(room) = &link.room {
        sms(html, trace, subject, i, room);
    }
    html.open("div", &[("class", "tool-note")]);
    match link.clears {
        Some(step) => {
            html.text("Clears at ");
            go(html, trace, step, &format!("clears-{i}"));
            html.text(&format!(": {}", sentence::sentence(trace, trace.step(step))));
        }
        None => {
            html.text("Does not clear before the run ends.");
        }
    }
    html.close();
}

/// A line of the table of SMs: equal ones that follow each other are one.
struct SmLine {
    first: usize,
    last: usize,
    free: Vec<String>,
    lacks: Vec<bool>,
    holders: Vec<(OpId, String)>,
}

fn sms(html: &mut Markup, trace: &Trace, subject: OpId, i: usize, room: &Room) {
    let scarce: Vec<usize> = (0..4).filter(|&which| room.scarce()[which]).collect();
    let mut lines: Vec<SmLine> = Vec::new();
    for sm in 0..room.sms.len() {
        let next = sm_line(room, &scarce, sm);
        match lines.last_mut() {
            Some(line) if line.free == next.free && line.holders == next.holders => line.last = sm,
            _ => lines.push(next),
        }
    }
    // Of more columns than fit beside the holders, the table scrolls.
    let (label, keep) = (format!("SMs, cause {}", i + 1), format!("sms-{i}"));
    let is_wide = scarce.len() > 2;
    if is_wide {
        let region = [("class", "tool-scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", &*label), ("data-keep", &*keep)];
        html.open("div", &region);
    }
    html.open("table", &[("class", "tool-table")]);
    let (left, whole) = (("style", "text-align:left"), ("style", "white-space:nowrap"));
    html.leaf("caption", &[("class", "tool-note"), left], &format!("What each SM has free, and who holds the rest{}", opens(trace, room)));
    html.open("thead", &[]).open("tr", &[]).leaf("th", &[("scope", "col"), whole], "SM");
    for &which in &scarce {
        let head = format!("Free {} (needs {})", resource_name(which), write_amount(which, room.need[which]));
        html.leaf("th", &[("scope", "col")], &head);
    }
    html.leaf("th", &[("scope", "col")], "Held by").close().close().open("tbody", &[]);
    for line in lines.iter().take(MAX_SMS) {
        let name_of = if line.first == line.last { line.first.to_string() } else { format!("{}–{}", line.first, line.last) };
        html.open("tr", &[]).leaf("th", &[("scope", "row"), whole], &name_of);
        for (text, &lacks) in line.free.iter().zip(&line.lacks) {
            html.open("td", &[]).text(text).text(if lacks { ", too little" } else { "" }).close();
        }
        html.open("td", &[]);
        for (n, (op, text)) in line.holders.iter().take(MAX_HOLDERS).enumerate() {
            if n > 0 {
                html.text("; ");
            }
            name_op(html, trace, subject, *op, &format!("holds-{i}-{}-{n}", line.first));
            html.text(text);
        }
        html.text(if line.first < line.last && !line.holders.is_empty() { ", on each" } else { "" });
        if line.holders.len() > MAX_HOLDERS {
            html.text(&format!("; and {} more", line.holders.len() - MAX_HOLDERS));
        }
        html.text(if line.holders.is_empty() { "nobody" } else { "" });
        html.close().close();
    }
    html.close().close();
    if is_wide {
        html.close();
    }
    if lines.len() > MAX_SMS {
        let rest: usize = lines.iter().skip(MAX_SMS).map(|l| l.last - l.first + 1).sum();
        html.leaf("p", &[("class", "tool-note")], &format!("and {} more SMs", format_count(rest as u64)));
    }
}

fn sm_line(room: &Room, scarce: &[usize], sm: usize) -> SmLine {
    let lacks = room.lacks(SmId::at(sm));
    let missing: Vec<usize> = scarce.iter().copied().filter(|&which| lacks[which]).collect();
    let holders = room.holds.iter().filter(|h| h.sm.index() == sm && missing.iter().any(|&which| h.held[which] > 0)).map(|h| {
        let held: Vec<String> = missing.iter().filter(|&&which| h.held[which] > 0).map(|&which| held_text(which, h.held[which])).collect();
        let blocks = if h.blocks == 1 { "1 block".to_owned() } else { format!("{} blocks", h.blocks) };
        let until = if h.first_end == h.last_end {
            format_time(h.last_end.ns())
        } else {
            format!("{}–{}", format_time(h.first_end.ns()), format_time(h.last_end.ns()))
        };
        let suspended = if h.suspended > 0 { format!(", {} suspended", h.suspended) } else { String::new() };
        (h.op, format!(" {blocks}, {}, until {until}{suspended}", held.join(", ")))
    });
    let holders = holders.collect();
    SmLine {
        first: sm,
        last: sm,
        free: scarce.iter().map(|&which| write_amount(which, room.sms[sm].free[which])).collect(),
        lacks: scarce.iter().map(|&which| lacks[which]).collect(),
        holders,
    }
}

fn held_text(which: usize, amount: u64) -> String {
    match which {
        1 => write_amount(which, amount),
        3 => {
            if amount == 1 {
                "1 slot".to_owned()
            } else {
                format!("{} slots", format_count(amount))
            }
        }
        _ => format!("{} {}", write_amount(which, amount), resource_name(which)),
    }
}

fn opens(trace: &Trace, room: &Room) -> String {
    room.opens.map_or(String::new(), |(op, block, sm, at)| {
        format!("; room on SM {} once block {block} of {} ends at {}", sm.0, trace.op_label(op), format_time(at.ns()))
    })
}

fn rooted(html: &mut Markup, trace: &Trace, root: &Root, links: &[Link]) {
    html.text(&why::root_text(trace, root, links));
    let step = match root {
        Root::Block { step, .. } | Root::Copy { step, .. } | Root::Release { step, .. } | Root::Issue { step, .. } => *step,
        Root::Absent(absent) => absent.enters,
        Root::Now | Root::Cycle { .. } => None,
    };
    if let Some(step) = step {
        html.text(" ");
        go(html, trace, step, "root");
    }
}

/// What else of the kernel is issued and incomplete.
fn others(html: &mut Markup, moment: Moment<'_>, subject: OpId, open: &[OpId]) {
    let others: Vec<OpId> = open.iter().copied().filter(|&op| op != subject).collect();
    if others.is_empty() {
        return;
    }
    html.leaf("h4", &[], "Also of this kernel").open("ul", &[("class", "tool-list")]);
    for &op in others.iter().take(MAX_OTHERS) {
        html.open("li", &[]);
        name_op(html, moment.trace, subject, op, &format!("other-{}", op.0));
        let text = match why::waits_for(moment.trace, moment.state, op) {
            Some(reason) => reason::words(moment.trace, moment.state, op, reason),
            None => "executes".to_owned(),
        };
        html.text(&format!(" {text}")).close();
    }
    html.close();
    if others.len() > MAX_OTHERS {
        html.leaf("p", &[("class", "tool-note")], &format!("and {} more", format_count((others.len() - MAX_OTHERS) as u64)));
    }
}

/// An operation that is a button: one of the kernel selected is asked about, another kernel is selected.
fn name_op(html: &mut Markup, trace: &Trace, subject: OpId, op: OpId, keep: &str) {
    if trace.op(op).row == trace.op(subject).row {
        name(html, "data-do", &format!("op:{}", op.0), keep, &trace.op_label(op));
    } else {
        name(html, "data-op", &op.0.to_string(), keep, &trace.op_label(op));
    }
}

/// A name that is a button.
fn name(html: &mut Markup, what: &'static str, value: &str, keep: &str, label: &str) {
    html.leaf("button", &[("type", "button"), ("class", "link"), (what, value), ("data-keep", keep)], label);
}

/// A step that is a button.
fn go(html: &mut Markup, trace: &Trace, step: StepId, keep: &str) {
    let position = u64::from(step.0) + 1;
    let text = format!("step {} ({})", format_count(position), format_time(trace.step(step).at.ns()));
    name(html, "data-go", &position.to_string(), keep, &text);
}
