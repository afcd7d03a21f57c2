//! The same table under four policies: four small timelines on one scale.
//!
//! Invariants: each is a run of the document as it stands; what differs from the chosen one stands out.

use std::sync::Arc;

use leptos::prelude::*;

use crate::state::AppState;
use blockstep_learn::explore::{self, Fate, Miniature as Shown, Ran};
use blockstep_sim::policy;
use blockstep_sim::scenario::{Choice, PolicyKind};
use blockstep_sim::units::{OpId, Time};
use blockstep_ui::{MiniTimeline, Miniature, safe};
use blockstep_view::quantity::{format_count, format_time};
use blockstep_view::time_scale::TimeScale;
use blockstep_view::timeline::Timeline;

/// The size of a picture, px.
const SIZE: (f64, f64) = (320.0, 260.0);

/// Work for each run; a table that takes more is for Lab.
const WORK: u64 = 60_000;

/// What is shown of a run.
#[derive(Clone, PartialEq)]
struct Entry {
    kind: PolicyKind,
    is_chosen: bool,
    /// Late jobs, and of how many; none where no job has to be in time.
    late: Option<(u64, u64)>,
    facts: Vec<String>,
    /// Why there is no run, or what else there is to say, with a question that shows more.
    said: Vec<(String, Option<&'static str>)>,
    picture: Arc<MiniTimeline>,
}

#[component]
pub(super) fn Policies() -> impl IntoView {
    let state = expect_context::<AppState>();
    let entries = Memo::new(move |_| {
        // Of what cannot be simulated the last run stays.
        state.run.with(|run| entries(&explore::miniatures(&run.draft(), WORK), run.trace().scenario().policy().kind))
    });
    let kinds = move || entries.with(|entries| entries.iter().map(|entry| entry.kind).collect::<Vec<_>>());
    // They would tell what is asked.
    view! {
        <Show when=move || !state.settings.is_future_hidden.get()>
            <section class="explore-policies" aria-labelledby="policies-title">
                <h2 id="policies-title">"The same table under"</h2>
                <div class="explore-runs" role="group" aria-label="Policy">
                    <For each=kinds key=|kind| *kind children=move |kind| one(state, kind, entries) />
                </div>
            </section>
        </Show>
    }
}

/// The runs drawn on one scale of time, each compared with that of the chosen policy.
fn entries(shown: &[Shown], chosen: PolicyKind) -> Vec<Entry> {
    let ran = |shown: &Shown| match &shown.fate {
        Fate::Ran(ran) => Some(Timeline::new(&ran.run.trace, &ran.records)),
        Fate::Invalid(_) | Fate::TooLong => None,
    };
    let timelines: Vec<Option<Timeline>> = shown.iter().map(ran).collect();
    let end = timelines.iter().flatten().map(Timeline::end).max().unwrap_or(Time(1));
    let scale = TimeScale::fit(end, 0.0, SIZE.0);
    // That processes run as one program is said once: of the chosen policy, else of the first.
    let has_note = |shown: &&Shown| matches!(&shown.fate, Fate::Ran(ran) if ran.note.is_some());
    let noted = shown.iter().filter(has_note).find(|shown| shown.kind == chosen).or_else(|| shown.iter().find(has_note));
    let noted = noted.map(|shown| shown.kind);
    let entry = |(i, shown): (usize, &Shown)| {
        let picture = timelines[i].as_ref().map(|timeline| picture(timeline, &scale, changed(&shown.fate))).unwrap_or_default();
        let (late, facts, said) = match &shown.fate {
            Fate::Ran(ran) => told(ran, noted == Some(shown.kind)),
            Fate::Invalid(why) => (None, Vec::new(), vec![(why.clone(), None)]),
            Fate::TooLong => (None, Vec::new(), vec![("Too much work to show beside others.".to_owned(), None)]),
        };
        Entry { kind: shown.kind, is_chosen: shown.kind == chosen, late, facts, said, picture: Arc::new(picture) }
    };
    shown.iter().enumerate().map(entry).collect()
}

/// What executes elsewhere or at other times than under the chosen policy.
fn changed(fate: &Fate) -> &[OpId] {
    if let Fate::Ran(ran) = fate { &ran.changed } else { &[] }
}

fn picture(timeline: &Timeline, scale: &TimeScale, changed: &[OpId]) -> MiniTimeline {
    let row = |op: OpId| timeline.trace().op(op).row;
    MiniTimeline::new(&timeline.frame(scale, SIZE.1, None, None), |bar| match bar.hit.as_ref().and_then(|hit| hit.op(timeline)) {
        Some(op) => changed.contains(&op),
        // Of many merged, any of its kernel.
        None => changed.iter().any(|op| Some(row(*op)) == bar.row()),
    })
}

type Told = (Option<(u64, u64)>, Vec<String>, Vec<(String, Option<&'static str>)>);

fn told(ran: &Ran, has_note: bool) -> Told {
    let late = (ran.late.judged > 0).then_some((ran.late.missed, ran.late.judged));
    let largest = ran.largest_response.map(|largest| format!("response {}", format_time(largest.span.ns())));
    let end = ran.end.map_or_else(|| "no end".to_owned(), |end| format!("end {}", format_time(end.ns())));
    let same = ran.same.map(|same| {
        let with = policy::about(same.with).title;
        (format!("Same as {with}: {}.", same.reason), Some(same.card))
    });
    let note = ran.note.clone().filter(|_| has_note).map(|note| (note, None));
    (late, largest.into_iter().chain([end]).collect(), same.into_iter().chain(note).collect())
}

fn one(state: AppState, kind: PolicyKind, entries: Memo<Vec<Entry>>) -> impl IntoView {
    let entry = Memo::new(move |_| entries.with(|entries| entries.iter().find(|entry| entry.kind == kind).cloned()));
    let is_chosen = Memo::new(move |_| entry.with(|entry| entry.as_ref().is_some_and(|entry| entry.is_chosen)));
    let picture = move || entry.with(|entry| entry.as_ref().map(|entry| (*entry.picture).clone()).unwrap_or_default());
    let facts = move || {
        let entry = entry.get()?;
        let late = entry.late.map(|(late, of)| {
            let class = if late > 0 { "late" } else { "in-time" };
            let title = format!("{} of {} judged jobs", format_count(late), format_count(of));
            view! { <span class=class title=title>{format!("{} late", format_count(late))}</span> }
        });
        let facts = entry.facts.into_iter().map(|fact| view! { <span>{fact}</span> }).collect_view();
        Some(view! { {late} {facts} })
    };
    let said = move || {
        let said = entry.get()?.said.into_iter().map(|(text, card)| {
            let link = card.map(|card| view! { " " <a href=format!("#/explore/{card}")>"See them differ"</a> });
            view! { <p class="explore-same">{safe(&text)} {link}</p> }
        });
        Some(said.collect_view())
    };
    let choose = move |_| {
        if !is_chosen.get_untracked() {
            state.document.edit(None, |d| d.rest.policy.kind = kind);
        }
    };
    view! {
        <div class="explore-run" class:chosen=move || is_chosen.get() data-policy=kind.word()>
            <button type="button" aria-pressed=move || is_chosen.get().to_string() on:click=choose>
                <b>{policy::about(kind).title}</b>
                <Miniature picture=Signal::derive(picture) is_chosen=is_chosen is_dark=Signal::derive(move || state.settings.is_dark()) />
                <span class="explore-facts">{facts}</span>
            </button>
            {said}
        </div>
    }
}
