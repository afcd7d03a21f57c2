//! The answer: where the time of each GPU went, how operations queued, and about the file.
//!
//! Invariant: a part of a bar has its words beside it, so that color is never the only sign.

use std::sync::Arc;

use leptos::prelude::*;

use super::more::more;
use super::timeline::TimelineView;
use super::waiting::waits;
use crate::state::{TraceState, Where};
use blockstep_sim::scenario::MAX_CONNECTIONS;
use blockstep_sim::units::Time;
use blockstep_traces_messages::PathShare;
use blockstep_traces_messages::{Cause, DEFAULT_CONNECTIONS, KnownSettings};
use blockstep_traces_messages::{Overview, ShareOf, ShownGains, TimeShare, TraceAsk, percent};
use blockstep_ui::{TextField, safe};

/// The color of a share of a path.
pub(crate) const fn share_colour(share: PathShare) -> &'static str {
    match share {
        PathShare::Working => "#2f7d4f",
        PathShare::OtherDevice => "#5fbf9f",
        PathShare::Host => HOST,
        PathShare::Launching => LAUNCHING,
        PathShare::Waiting => WAITING,
        PathShare::After => "#a9afb8",
        PathShare::Unknown => UNKNOWN,
    }
}

/// Colors that a path has in the timeline, too.
pub(crate) const HOST: &str = "#d98e04";
pub(crate) const LAUNCHING: &str = "#56b4e9";
pub(crate) const WAITING: &str = "#b3261e";
pub(crate) const UNKNOWN: &str = "#7d8591";

/// The color of a cause; of time that is no wait.
pub(crate) const fn colour(cause: Option<Cause>) -> &'static str {
    match cause {
        None => "#7d8591",
        Some(Cause::Launch) => LAUNCHING,
        Some(Cause::Call) => "#999999",
        Some(Cause::StreamOrder) => "#0072b2",
        Some(Cause::Event) => "#cc79a7",
        Some(Cause::NullBarrier) => "#d55e00",
        Some(Cause::ImplicitSync) => "#a0522d",
        Some(Cause::Connection) => "#8f6bc0",
        Some(Cause::NoRoom) => "#009e73",
        Some(Cause::BehindHead) => "#5fbf9f",
        Some(Cause::CopyEngine) => "#e69f00",
        Some(Cause::FirstUse) => "#b8a800",
        Some(Cause::QueueFull) => "#6b4f00",
        Some(Cause::OtherProcess) => "#b3261e",
        Some(Cause::Overlap) => "#7ab7a0",
        Some(Cause::GraphOrder) => "#4a5fa5",
        Some(Cause::CannotTell) => "#5b616b",
    }
}

#[component]
pub(crate) fn TraceAnswer(overview: Arc<Overview>, look: TimelineView) -> impl IntoView {
    let line = |(place, line): (usize, &String)| {
        let class = if place == 0 { "trace-headline" } else { "" };
        view! { <p class=class>{safe(line)}</p> }
    };
    let answer = overview.answer.iter().enumerate().map(line).collect_view();
    let paths = overview.paths.iter().map(|path| bar(&format!("Time of {}", path.title), &path.notes, &path.shares));
    let facts =
        overview.facts.iter().map(|(label, value)| view! { <div><dt>{label.clone()}</dt><dd>{safe(value)}</dd></div> }).collect_view();
    let list = |title: &'static str, lines: &[String]| {
        let lines = lines.iter().map(|line| view! { <li>{line.clone()}</li> }).collect_view();
        view! { <details><summary>{title}</summary><ul class="trace-list">{lines}</ul></details> }
    };
    let flaws = (!overview.flaws.is_empty()).then(|| list("Gaps in this file", &overview.flaws));
    let to_record = (!overview.to_record.is_empty()).then(|| list("To learn more from the next trace", &overview.to_record));
    view! {
        <section class="trace-answer" id="trace-answer" role="status">
            {answer}
        </section>
        <Gains look=look />
        <div class="trace-bars">{paths.collect_view()}</div>
        <dl class="trace-facts" aria-label="About this trace">{facts}</dl>
        <div class="trace-notes">{flaws} {to_record}</div>
        {overview.asked.map(|known| view! { <Connections known=known /> })}
    }
}

/// So many proposals are shown before the others are asked for.
const FIRST: usize = 4;

/// What changes of the program would gain.
#[component]
fn Gains(look: TimelineView) -> impl IntoView {
    let trace = expect_context::<TraceState>();
    let body = move || match trace.gains.get() {
        None => view! { <p class="quiet">"A replay tries changes of the program."</p> }.into_any(),
        Some(ShownGains::Trying(left)) => {
            view! { <p class="quiet">{format!("A replay tries changes of the program: {left} left.")}</p> }.into_any()
        }
        Some(ShownGains::Tried { proposals, note, promised, .. }) => {
            let (shown, all) = (RwSignal::new(FIRST), proposals.len());
            let line = move |(line, place): &(String, Option<(Time, Time)>)| {
                let show = place.map(|(from, to)| {
                    let show = move |_| look.show_from_afar(from, to);
                    view! { " " <button type="button" class="link" title="Shows its longest piece." on:click=show>"Show where"</button> }
                });
                view! { <li>{safe(line)} {show}</li> }
            };
            let lines = move || proposals.iter().take(shown.get()).map(line).collect_view();
            let promised = (!promised.is_empty()).then(|| {
                let lines = promised.iter().map(|line| view! { <li>{safe(line)}</li> }).collect_view();
                view! { <h4>"What the first trace promised"</h4> <ul class="trace-list" id="trace-promised">{lines}</ul> }
            });
            view! { <ul class="trace-list">{lines}</ul> {more(shown, all)} <p class="tool-note">{note}</p> {promised} }.into_any()
        }
    };
    view! {
        <section id="trace-gains" aria-labelledby="trace-gains-title">
            <h3 id="trace-gains-title">"What would shorten it"</h3>
            {body}
            {waits(trace, Where::Gains)}
        </section>
    }
}

/// What the file leaves open and the reader may know: how many hardware queues there were.
#[component]
fn Connections(known: KnownSettings) -> impl IntoView {
    let trace = expect_context::<TraceState>();
    let text = RwSignal::new(known.connections.map_or_else(String::new, |connections| connections.to_string()));
    let wrong = RwSignal::new(None::<String>);
    let on_change =
        move |typed: String| {
            let number = match typed.trim() {
                "" => Ok(None),
                digits => digits.parse().ok().filter(|number| (1..=MAX_CONNECTIONS).contains(&u64::from(*number))).map(Some).ok_or(()),
            };
            text.set(typed.clone());
            wrong.set(number.is_err().then(|| {
                format!("CUDA_DEVICE_MAX_CONNECTIONS: {} is not a whole number from 1 to {MAX_CONNECTIONS}.", safe(typed.trim()))
            }));
            if let Ok(connections) = number {
                trace.ask(&TraceAsk::Explain(KnownSettings { connections }));
            }
        };
    view! {
        <div class="tool-row" id="trace-connections">
            <TextField
                label="CUDA_DEVICE_MAX_CONNECTIONS of the program:"
                text=text
                on_change=on_change
                name="trace-connections"
                size=4
                is_number=true
                placeholder=DEFAULT_CONNECTIONS.to_string()
                title="How many hardware queues its streams shared, 1 to 32. The file does not say; 8 unless it was set."
                is_wrong=Signal::derive(move || wrong.with(Option::is_some))
                described_by="trace-connections-error"
            />
            <span class="field-error" id="trace-connections-error" role="alert">{move || wrong.get()}</span>
            {waits(trace, Where::Answer)}
        </div>
    }
}

/// How operations queued: of many that wait at the same time, the times of all.
#[component]
pub(crate) fn Queued(causes: Vec<TimeShare>) -> impl IntoView {
    let note = "From the calls to the starts of all operations. They wait at the same time, mostly while the GPU works, so this is no time \
                lost.";
    (!causes.is_empty()).then(|| bar("Queued by cause", &[note.to_owned()], &causes))
}

/// A time with its shares as a bar and as words, and notes below.
fn bar(title: &str, notes: &[String], shares: &[TimeShare]) -> AnyView {
    let colour_of = |share: &TimeShare| match share.of {
        ShareOf::Cause(cause) => colour(Some(cause)),
        ShareOf::Path(share) => share_colour(share),
    };
    let parts = shares.iter().map(|share| {
        view! { <i style=format!("flex-grow:{};background:{}", share.permille.max(1), colour_of(share))></i> }
    });
    let lines = shares.iter().map(|share| {
        view! {
            <li title=share.help.clone()>
                <i style=format!("background:{}", colour_of(share))></i>
                <b>{share.label.clone()}</b>
                <span>{percent(share.permille)}</span>
                <span class="quiet">{share.time.clone()}</span>
            </li>
        }
    });
    view! {
        <section>
            <h3>{title.to_owned()}</h3>
            <div class="trace-bar" aria-hidden="true">{parts.collect_view()}</div>
            <ul class="trace-shares">{lines.collect_view()}</ul>
            {notes.iter().map(|note| view! { <p class="tool-note">{note.clone()}</p> }).collect_view()}
        </section>
    }
    .into_any()
}
