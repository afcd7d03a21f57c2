//! The tab of our performances against the paper's.
//!
//! Invariant: the table is in the order of the cases and of the schedulers.

use leptos::prelude::*;

use super::parts::{Details, SaveButton, part};
use crate::panels::panel::Host;
use blockstep_batch::arch::ArchId;
use blockstep_batch::cases::{CASES, REASONS};
use blockstep_batch::schedulers::SchedulerId;
use blockstep_tools::batch::{Batch, CaseView, Msg, PaperView, Saved, Section, Source, WHY};

pub(super) fn paper(host: Host<Batch>, paper: Memo<PaperView>) -> AnyView {
    let cases = part(paper, |paper| &paper.cases);
    let schedulers = SchedulerId::ALL.map(|id| view! { <th scope="col">{id.name()}</th> }).into_iter().collect_view();
    let why = WHY.map(|(which, why)| view! { <li><b>{which}</b> ": " {why}</li> }).into_iter().collect_view();
    view! {
        <p>
            <b>{move || paper.with(|paper| paper.headline.clone())}</b>
            " Performance relative to CPUTraditional: our results above, the paper's below. Higher is better; the best is bold. \
             In brackets: the slack that is used up, in ms."
        </p>
        <div class="tool-scroll" tabindex="0" role="region" aria-label="Our results and the paper's">
            <table class="tool-table batch-paper">
                <caption class="visually-hidden">"Performance of each scheduler by case, our results and the paper's"</caption>
                <thead>
                    <tr>
                        <th scope="col">"Case"</th>
                        <th scope="col">
                            <span class="visually-hidden">"Source"</span>
                        </th>
                        {schedulers}
                        <th scope="col">"Order"</th>
                    </tr>
                </thead>
                {move || cases.get().into_iter().map(|one| case(host, one)).collect_view()}
            </table>
        </div>
        <h3>"Differences in size and their causes"</h3>
        <ul class="tool-list">{why}</ul>
        {assumptions(host, paper)}
        <div class="batch-row">
            <SaveButton host=host what=Saved::Cases label="Save this table (CSV)" />
        </div>
    }
    .into_any()
}

/// A case: ours, and the paper's.
fn case(host: Host<Batch>, view: CaseView) -> impl IntoView {
    let place = view.case;
    let of = &CASES[place.min(CASES.len() - 1)];
    let cell = |(text, is_best): (String, bool)| {
        if is_best { view! { <td><b>{text}</b></td> }.into_any() } else { view! { <td><span>{text}</span></td> }.into_any() }
    };
    let same = view.has_order_of_paper.then_some("✓ no pair reversed");
    let differences = view.differences.into_iter().map(|difference| view! { <p>{difference}</p> }).collect_view();
    view! {
        <tbody>
            <tr>
                <th scope="rowgroup" rowspan="2">
                    <b>{of.name}</b>
                    ": "
                    {of.title}
                    " "
                    <button type="button" class="link" on:click=move |_| host.send(Msg::Compare(Source::Case(place)))>
                        "Open"
                    </button>
                </th>
                <th scope="row">"ours"</th>
                {view.ours.into_iter().map(cell).collect_view()}
                <td rowspan="2">{same} {differences}</td>
            </tr>
            <tr>
                <th scope="row">"paper"</th>
                {view.theirs.into_iter().map(cell).collect_view()}
            </tr>
        </tbody>
    }
}

fn assumptions(host: Host<Batch>, paper: Memo<PaperView>) -> impl IntoView {
    let reasons = REASONS.iter().map(|(what, why)| view! { <dt>{*what}</dt> <dd>{*why}</dd> }).collect_view();
    let gpus = ArchId::ALL.map(|id| gpu(host, paper, id)).into_iter().collect_view();
    view! {
        <Details
            host=host
            section=Section::Assumed
            title="Assumptions: one set of numbers for all cases"
            is_open=Signal::derive(move || paper.with(|paper| paper.is_assumed_open))
        >
            <p>"The paper describes each case in one line without numbers. These numbers are ours, and every case uses them:"</p>
            <dl class="glossary">{reasons}</dl>
            <p>"The task whose output is due soonest has priority. Used slack counts from an input, or a task's \
                                      turn, to its output. The paper refers to another paper for both, so both definitions are \
                                      ours too."</p>
            {gpus}
        </Details>
    }
}

/// The numbers of a GPU, and where they are from.
fn gpu(host: Host<Batch>, paper: Memo<PaperView>, id: ArchId) -> impl IntoView {
    let arch = id.arch();
    let is_open = move || paper.with(|paper| paper.gpus.contains(&(id, true)));
    let facts = arch.facts().into_iter();
    let facts = facts.map(|fact| view! { <tr><th scope="row">{fact.what}</th><td>{fact.value}</td><td>{fact.source}</td></tr> });
    let facts = facts.collect_view();
    view! {
        <Details host=host section=Section::Gpu(id) title=arch.name is_open=Signal::derive(is_open)>
            <table class="tool-table">
                <thead>
                    <tr>
                        <th scope="col">"Parameter"</th>
                        <th scope="col">"Value"</th>
                        <th scope="col">"Source"</th>
                    </tr>
                </thead>
                <tbody>{facts}</tbody>
            </table>
        </Details>
    }
}
