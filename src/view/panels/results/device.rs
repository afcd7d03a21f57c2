//! How the device was used, as bars with their numbers.
//!
//! Depends on the rest of the panel. Invariant: every bar says its share in words too.

use super::{MAX_METERS, Subject, more, open_section, width};
use crate::units::{SmId, Span};
use crate::view::markup::Markup;
use crate::view::quantity::{format_count, format_time_short};
use crate::view::results::unit::{percent, permille};

pub(super) fn section(html: &mut Markup, subject: &Subject<'_>) {
    let usage = &subject.results.usage;
    let run = u128::from(usage.run.ns());
    if run == 0 {
        return;
    }
    open_section(html, "device", "Use of the device");
    let time = |html: &mut Markup, name: &str, span: Span| {
        meter(html, name, span.ns().into(), run, &format!("{} of {}", format_time_short(span.ns()), format_time_short(usage.run.ns())));
    };
    html.open("div", &[("class", "res-meters")]);
    group(html, "Whole device");
    time(html, "executing", usage.executing);
    if usage.has_turns {
        time(html, "switching", usage.switching);
    }
    time(html, "idle", usage.idle);
    let threads = format!("of {} threads, on average", format_count(usage.threads_per_sm.saturating_mul(usage.sms.len() as u64)));
    meter(html, "threads in use", usage.thread_time(), usage.available(), &threads);
    group(html, "Copy engines");
    for (i, &busy) in usage.engines.iter().enumerate() {
        time(html, engine_name(i, usage.engines.len()), busy);
    }
    group(html, "SMs: threads in use");
    for (i, sm) in usage.sms.iter().enumerate().take(MAX_METERS) {
        let name = format!("SM {}", SmId::at(i).0);
        meter(html, &name, sm.thread_time, usage.of_one_sm(), &format!("occupied {} of the time", percent(sm.busy.ns().into(), run)));
    }
    more(html, usage.sms.len(), MAX_METERS);
    group(html, if usage.has_turns { "Processes: resident" } else { "Processes: threads in use" });
    for (process, of) in usage.processes.iter().zip(subject.trace.scenario().processes()).take(MAX_METERS) {
        let threads = percent(process.thread_time, usage.available());
        if usage.has_turns {
            meter(html, &of.name, process.resident.ns().into(), run, &format!("{threads} of the threads"));
        } else {
            meter(html, &of.name, process.thread_time, usage.available(), "");
        }
    }
    more(html, usage.processes.len(), MAX_METERS);
    html.close().close();
}

/// What a copy engine does: both directions if it is the only one.
pub(super) fn engine_name(engine: usize, engines: usize) -> &'static str {
    match (engine, engines) {
        (_, 1) => "copies",
        (0, _) => "copies in",
        _ => "copies out",
    }
}

fn group(html: &mut Markup, name: &str) {
    html.leaf("h4", &[], name);
}

fn meter(html: &mut Markup, name: &str, part: u128, whole: u128, remark: &str) {
    html.open("div", &[("class", "res-meter")]).leaf("span", &[("class", "res-meter-name")], name);
    html.open("span", &[("class", "res-track"), ("aria-hidden", "true")]).leaf(
        "span",
        &[("style", &width(permille(part, whole) * 10))],
        "",
    );
    html.close().leaf("span", &[("class", "res-share")], &percent(part, whole)).leaf("span", &[("class", "quiet")], remark).close();
}
