//! The tab of our performances against the paper's.
//!
//! Depends on `parts` and `batch::cases`. Invariant: the table is in the order of the cases and of the schedulers.

use leptos::prelude::*;

use super::super::{Batch, CaseView, Msg, PaperView, Saved, Section, Source, WHY, texts};
use super::parts::{Details, SaveButton, part};
use crate::app::tool::panel::Host;
use crate::batch::arch::ArchId;
use crate::batch::cases::{CASES, REASONS};
use crate::batch::schedulers::SchedulerId;

/// The tab.
pub(super) fn paper(host: Host<Batch>, paper: Memo<PaperView>) -> AnyView {
    let cases = part(paper, |paper| &paper.cases);
    let schedulers = SchedulerId::ALL.map(|id| view! { <th scope="col">{id.name()}</th> }).into_iter().collect_view();
    let why = WHY.map(|(which, why)| view! { <li><b>{which}</b> ": " {why}</li> }).into_iter().collect_view();
    view! {
        <p>
            <b>{move || paper.with(|paper| paper.headline.clone())}</b>
            {texts::HOW_TO_READ}
        </p>
        <div class="tool-scroll" tabindex="0" role="region" aria-label=texts::RESULTS>
            <table class="tool-table batch-paper">
                <caption class="visually-hidden">{texts::RESULTS_CAPTION}</caption>
                <thead>
                    <tr>
                        <th scope="col">{texts::CASE}</th>
                        <th scope="col">
                            <span class="visually-hidden">{texts::SOURCE}</span>
                        </th>
                        {schedulers}
                        <th scope="col">{texts::ORDER}</th>
                    </tr>
                </thead>
                {move || cases.get().into_iter().map(|one| case(host, one)).collect_view()}
            </table>
        </div>
        <h3>{texts::WHY_SIZES}</h3>
        <ul class="tool-list">{why}</ul>
        {assumptions(host, paper)}
        <div class="batch-row">
            <SaveButton host=host what=Saved::Cases label=texts::SAVE_CASES />
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
    let same = view.has_order_of_paper.then_some(texts::SAME_ORDER);
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
                        {texts::OPEN_CASE}
                    </button>
                </th>
                <th scope="row">{texts::OURS}</th>
                {view.ours.into_iter().map(cell).collect_view()}
                <td rowspan="2">{same} {differences}</td>
            </tr>
            <tr>
                <th scope="row">{texts::THEIRS}</th>
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
            title=texts::ASSUMED
            is_open=Signal::derive(move || paper.with(|paper| paper.is_assumed_open))
        >
            <p>{texts::ASSUMED_WHY}</p>
            <dl class="glossary">{reasons}</dl>
            <p>{texts::DEFINITIONS}</p>
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
                        <th scope="col">{texts::PARAMETER}</th>
                        <th scope="col">{texts::VALUE}</th>
                        <th scope="col">{texts::SOURCE}</th>
                    </tr>
                </thead>
                <tbody>{facts}</tbody>
            </table>
        </Details>
    }
}
