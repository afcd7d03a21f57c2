//! The answer: where the time of each GPU went, what would shorten it, and about the file.

use std::sync::Arc;

use leptos::prelude::*;

use super::causes::bar;
use super::more::more;
use super::timeline::TimelineView;
use super::waiting::waits;
use crate::state::{TraceState, Where};
use blockstep_sim::scenario::MAX_CONNECTIONS;
use blockstep_traces_messages::{DEFAULT_CONNECTIONS, KnownSettings, Overview, Proposal, ShownGains, TraceAsk};
use blockstep_ui::{TextField, safe};

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
        let lines = lines.iter().map(|line| view! { <li>{safe(line)}</li> }).collect_view();
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
            let line = move |Proposal { headline, details, place }: &Proposal| {
                let show = place.map(|(from, to)| {
                    let show = move |_| look.show_from_afar(from, to);
                    let label = format!("Show where: {}", safe(headline));
                    view! {
                        " "
                        <button type="button" class="link" title="Shows its longest piece." aria-label=label on:click=show>
                            "Show where"
                        </button>
                    }
                });
                let details = (!details.is_empty()).then(|| view! { <p class="tool-note">{safe(details)}</p> });
                view! { <li>{safe(headline)} {show} {details}</li> }
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
