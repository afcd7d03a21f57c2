//! An operation: its numbers, the parts of its wait, and the chain of causes.
//!
//! Invariant: the parts of the bar are as long as those of the wait.

use leptos::prelude::*;

use super::causes::colour;
use super::timeline::TimelineView;
use super::waiting::waits;
use crate::state::{TraceState, Where};
use blockstep_traces_messages::certainty;
use blockstep_traces_messages::{OperationCard, TraceAsk};
use blockstep_ui::safe;

#[component]
pub(crate) fn OperationCard(look: TimelineView) -> impl IntoView {
    let trace = expect_context::<TraceState>();
    move || trace.card.get().map(|card| whole(look, card))
}

fn whole(look: TimelineView, card: OperationCard) -> impl IntoView {
    let link = move |operation: u32, name: &str| {
        view! { <button type="button" class="link" data-operation=operation on:click=move |_| look.select(operation)>{safe(name)}</button> }
    };
    let bar = card
        .parts
        .iter()
        .map(|part| view! { <i style=format!("flex-grow:{};background:{}", part.ns.max(1), colour(Some(part.cause)))></i> });
    let bar = (!card.parts.is_empty()).then(|| view! { <div class="trace-bar" aria-hidden="true">{bar.collect_view()}</div> });
    let parts = card.parts.iter().map(|part| {
        // The name within the sentence leads to the operation.
        let split = part.by.as_ref().and_then(|(by, name)| Some((part.sentence.split_once(name.as_str())?, *by, name)));
        let said = match split {
            Some(((before, after), by, name)) => view! { {safe(before)} {link(by, name)} {safe(after)} }.into_any(),
            None => safe(&part.sentence).into_any(),
        };
        view! {
            <li>
                <i style=format!("background:{}", colour(Some(part.cause)))></i>
                <span>
                    <b>{part.label.clone()}</b> " (" {certainty(part.certainty)} "): " {said}
                </span>
            </li>
        }
    });
    let chain = card.chain.iter().enumerate().map(|(i, row)| {
        let name = if i == 0 { view! { <b>{safe(&row.name)}</b> }.into_any() } else { link(row.operation, &row.name).into_any() };
        view! { <li>{name} " " {safe(&row.sentence)}</li> }
    });
    let facts = card.facts.iter().map(|(label, value)| view! { <div><dt>{label.clone()}</dt><dd>{safe(value)}</dd></div> });
    let ruled_out = (!card.ruled_out.is_empty()).then(|| {
        let lines = card.ruled_out.iter().map(|(label, why)| view! { <li><b>{label.clone()}</b> ": " {why.clone()}</li> });
        view! { <details><summary>"Ruled out"</summary><ul class="trace-list">{lines.collect_view()}</ul></details> }
    });
    let (start, end, called) = (card.start, card.end, card.called);
    let trace = expect_context::<TraceState>();
    let operation = card.operation;
    view! {
        <section class="trace-card" id="trace-card" aria-labelledby="trace-card-title">
            <div class="tool-row">
                <h3 id="trace-card-title" tabindex="-1" title=safe(&card.full)>{safe(&card.name)}</h3>
                <button type="button" class="small" on:click=move |_| look.show(called.unwrap_or(start).min(start), end)>
                    "Show on the timeline"
                </button>
                <button
                    type="button"
                    class="small"
                    id="trace-sum-operation"
                    title="Sums what happened from its call to its end (M)"
                    on:click=move |_| look.take_operation()
                >
                    "Sum its time"
                </button>
                <button type="button" class="icon small" aria-label="Close" title="Close" on:click=move |_| trace.card.set(None)>
                    "×"
                </button>
            </div>
            <p class="trace-waited">{card.waited.clone()}</p>
            {bar}
            <div class="trace-columns">
                <div>
                    <h4>"What it waited for"</h4>
                    <ul class="trace-parts">{parts.collect_view()}</ul>
                    {card.beside_call.clone().map(|said| view! { <p>{said}</p> })}
                    <p class="tool-note">
                        "Certain: the file records what proves it. Consistent: everything in the file agrees, and nothing proves \
                                    it. Ruled out: the file contradicts it."</p>
                    {ruled_out}
                    <h4>"What if"</h4>
                    <WhatIf operation=operation />
                </div>
                <div>
                    <h4>"Why: from cause to cause"</h4>
                    <ol class="trace-chain">{chain.collect_view()}</ol>
                    <p class="trace-root">{card.root.clone()}</p>
                </div>
                <div>
                    <h4>"Numbers"</h4>
                    <dl class="trace-facts trace-numbers">{facts.collect_view()}</dl>
                </div>
            </div>
        </section>
    }
}

/// Changes that the simulator tries.
#[component]
fn WhatIf(operation: u32) -> impl IntoView {
    let trace = expect_context::<TraceState>();
    let result = move || {
        let tried = trace.tried.get().filter(|tried| tried.operation == operation)?;
        let line = |(change, start, gain): (String, String, String)| {
            view! { <tr><td>{safe(&change)}</td><td class="num">{start}</td><td class="num">{gain}</td></tr> }
        };
        let table = (!tried.rows.is_empty()).then(|| {
            view! {
                <table class="tool-table trace-tried">
                    <thead><tr><th>"Change"</th><th class="num">"Starts after its call"</th><th class="num">"Beside the prediction"</th></tr></thead>
                    <tbody>{tried.rows.into_iter().map(line).collect_view()}</tbody>
                </table>
            }
        });
        let said = tried.said.into_iter().map(|line| view! { <li>{safe(&line)}</li> }).collect_view();
        Some(view! { <ul class="trace-list" role="status">{said}</ul> {table} })
    };
    view! {
        <p class="tool-note">"The simulator runs what was on the GPU around this operation again, with one change at a time."</p>
        <button type="button" class="small" id="trace-try" on:click=move |_| trace.ask(&TraceAsk::WhatIf(operation))>"Try changes"</button>
        {waits(trace, Where::Tried)}
        {result}
    }
}
