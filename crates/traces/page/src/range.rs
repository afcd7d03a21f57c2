//! What happened in the range that is taken on the timeline.
//!
//! Invariant: it stands where an operation's explanation does, and there is one of the two.

use std::sync::Arc;

use leptos::ev;
use leptos::prelude::*;

use super::causes::{colour_of, strip};
use super::host::TraceHost;
use super::tables::piece_link;
use super::timeline::TimelineView;
use crate::state::TraceState;
use blockstep_traces_messages as tracer;
use blockstep_traces_messages::{PathRow, ShareOf, ShownRange, TimeShare, percent};

#[component]
pub(crate) fn RangeCard(look: TimelineView) -> impl IntoView {
    let (trace, host) = (expect_context::<TraceState>(), expect_context::<TraceHost>());
    move || trace.summed.get().map(|card| whole(look, trace, host, card))
}

fn whole(look: TimelineView, trace: TraceState, host: TraceHost, card: Arc<tracer::RangeCard>) -> impl IntoView {
    let (from, to, text) = (card.from, card.to, card.text.clone());
    let waits = (!card.waits.is_empty()).then(|| {
        view! {
            <div>
                {table("Waits of operations that began in it", "", card.waits.iter().map(share).collect())}
                <p class="tool-note">"They wait at the same time, so this adds up to more than the range."</p>
            </div>
        }
        .into_any()
    });
    let count = card.devices.len();
    let mut waits = Some(waits);
    // Beside what else is said of one GPU, below that of several.
    let devices = card.devices.iter().map(|of| device(look, of, count, if count == 1 { waits.take().flatten() } else { None }));
    let devices = devices.collect_view();
    let waits = waits.flatten().map(|waits| view! { <div class="trace-columns">{waits}</div> });
    let on_key = move |event: ev::KeyboardEvent| {
        if event.key() == "Escape" {
            event.stop_propagation();
            look.end_range();
        }
    };
    view! {
        <section class="trace-card" id="trace-range" aria-labelledby="trace-range-title" on:keydown=on_key>
            <div class="tool-row">
                <h3 id="trace-range-title">"Range: " <span id="trace-range-length">{card.length.clone()}</span></h3>
                <span class="quiet" role="status">{card.ends.clone()}</span>
                <button type="button" class="small" title="Shows the range on the timeline (F)" on:click=move |_| look.show(from, to)>
                    "Zoom to it"
                </button>
                <button type="button" class="small" title="Copies all of this as text" on:click=move |_| host.on_copy.run(text.clone())>
                    "Copy"
                </button>
                <button type="button" class="icon small" aria-label="Close" title="Close (Escape)" on:click=move |_| trace.end_range()>
                    "×"
                </button>
            </div>
            {devices}
            {waits}
        </section>
    }
}

fn device(look: TimelineView, of: &ShownRange, count: usize, waits: Option<AnyView>) -> impl IntoView {
    let ShownRange { path, work } = of;
    let row = |row: &PathRow| Row {
        colour: Some(colour_of(ShareOf::Path(row.share))),
        help: String::new(),
        label: piece_link(look, &row.label, row.longest).into_any(),
        numbers: [row.time.clone(), percent(row.permille)],
    };
    let ran = |[kind, busy, began]: &[String; 3]| Row {
        colour: None,
        help: String::new(),
        label: kind.clone().into_any(),
        numbers: [busy.clone(), began.clone()],
    };
    let work = (!work.is_empty()).then(|| table("Work", "began", work.iter().map(ran).collect()));
    view! {
        {(count > 1).then(|| view! { <h4 class="trace-gpu">{path.title.clone()}</h4> })}
        {strip(&path.shares)}
        <div class="trace-columns">
            {table("Where the time went", "", path.shares.iter().map(share).collect())}
            {table("Most of its critical path", "", path.rows.iter().map(row).collect())}
            <div>
                {work}
                {path.notes.iter().map(|note| view! { <p class="tool-note">{note.clone()}</p> }).collect_view()}
            </div>
            {waits}
        </div>
    }
}

/// A line of a table: its color, what is said of it, what it is, and two numbers.
struct Row {
    colour: Option<&'static str>,
    help: String,
    label: AnyView,
    numbers: [String; 2],
}

fn share(share: &TimeShare) -> Row {
    Row {
        colour: Some(colour_of(share.of)),
        help: share.help.clone(),
        label: share.label.clone().into_any(),
        numbers: [share.time.clone(), percent(share.permille)],
    }
}

/// Times below a title, which says what the second number is, if that is no share.
fn table(title: &'static str, second: &'static str, rows: Vec<Row>) -> AnyView {
    let line = |row: Row| {
        let key = row.colour.map(|colour| view! { <i class="trace-key" style=format!("background:{colour}")></i> });
        let numbers = row.numbers.map(|number| view! { <td class="num">{number}</td> });
        view! { <tr title=row.help><th scope="row"><span>{key} {row.label}</span></th>{numbers}</tr> }
    };
    let is_alone = second.is_empty();
    let heads = (!is_alone).then(|| view! { <th scope="col" class="num">"busy for"</th><th scope="col" class="num">{second}</th> });
    view! {
        <table class="trace-sums">
            <thead><tr><th scope="col" colspan=if is_alone { "3" } else { "1" }>{title}</th>{heads}</tr></thead>
            <tbody>{rows.into_iter().map(line).collect_view()}</tbody>
        </table>
    }
    .into_any()
}
