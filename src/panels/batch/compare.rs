//! The tab of all schedulers on one workload.
//!
//! Invariant: simulation and advice stand beside each other.

use leptos::prelude::*;

use super::parts::{Details, Pictured, SaveButton, choices, methods, narrowed, part, problems};
use super::trees;
use crate::panels::panel::Host;
use blockstep_batch::cases::CASES;
use blockstep_batch::schedulers::SchedulerId;
use blockstep_tools::batch::{
    AdviceView, Batch, BatchPicture, CompareView, ComparisonView, Figures, Msg, Saved, SchedulerView, Section, ShownComparison, Source,
    Verdict,
};
use blockstep_ui::{SelectField, safe};
use blockstep_view::batch::row_of;
use blockstep_view::palette::colour_of;

/// Whether there is a comparison, and if not, why.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ComparisonKind {
    Tables,
    Wrong,
    Shown,
}

pub(super) fn compare(host: Host<Batch>, all: Memo<CompareView>, is_dark: Memo<bool>) -> AnyView {
    let kind = Memo::new(move |_| {
        all.with(|all| match all.comparison {
            ComparisonView::Tables => ComparisonKind::Tables,
            ComparisonView::Wrong(_) => ComparisonKind::Wrong,
            ComparisonView::Shown(_) => ComparisonKind::Shown,
        })
    });
    let comparison = move || match kind.get() {
        ComparisonKind::Tables => Some(
            view! {
                {no_scheduler(host)}
                {family(host, all)}
            }
            .into_any(),
        ),
        ComparisonKind::Wrong => narrowed(all, |all| if let ComparisonView::Wrong(wrong) = &all.comparison { Some(wrong) } else { None })
            .map(|wrong| problems(wrong).into_any()),
        ComparisonKind::Shown => narrowed(all, |all| if let ComparisonView::Shown(of) = &all.comparison { Some(&**of) } else { None })
            .map(|of| shown(host, all, of, is_dark)),
    };
    view! {
        {choices(host, part(all, |all| &all.choices))}
        {comparison}
    }
    .into_any()
}

fn no_scheduler(host: Host<Batch>) -> impl IntoView {
    let case = CASES.iter().position(|case| case.name == "Case-2").unwrap_or(1);
    view! {
        <p>
            "Tables I and II are one sequence of commands, with no scheduler to compare. "
            <button type="button" on:click=move |_| host.send(Msg::Choose(Source::Case(case)))>"Compare on Case-2"</button>
        </p>
    }
}

fn shown(host: Host<Batch>, all: Memo<CompareView>, shown: Memo<ShownComparison>, is_dark: Memo<bool>) -> AnyView {
    let ids = move || shown.with(|shown| shown.schedulers.iter().map(|one| one.id).collect::<Vec<_>>());
    let one = move |id| scheduler(host, shown, id);
    view! {
        {verdict(part(shown, |shown| &shown.verdict))}
        {span_choice(host, part(shown, |shown| &shown.is_whole))}
        {legend(part(shown, |shown| &shown.names), is_dark)}
        <div class="batch-all">
            <For each=ids key=|id| *id children=one />
        </div>
        {figures(host, part(shown, |shown| &shown.figures))}
        {advice(host, part(shown, |shown| &shown.advice))}
        {family(host, all)}
        {methods(host, part(shown, |shown| &shown.methods))}
        <div class="batch-row">
            <SaveButton host=host what=Saved::Svg(BatchPicture::Comparison) label="Save timelines (SVG)" />
            <SaveButton host=host what=Saved::Png(BatchPicture::Comparison) label="Save timelines (PNG)" />
            <SaveButton host=host what=Saved::Comparison label="Save comparison (CSV)" />
        </div>
    }
    .into_any()
}

fn verdict(verdict: Memo<Verdict>) -> impl IntoView {
    move || {
        let Verdict { best, are_equal, advised, agrees, conclusion } = verdict.get();
        view! {
            <p class=if agrees { "verdict-good" } else { "verdict-bad" }>
                "Simulated: " <b>{best}</b> {if are_equal { " are equally good. " } else { " is best. " }}
                "Advice from the paper's results: " <b>{advised}</b> ". " {conclusion}
            </p>
        }
    }
}

fn span_choice(host: Host<Batch>, is_whole: Memo<bool>) -> impl IntoView {
    let word = |is_whole: bool| if is_whole { "all" } else { "first" }.to_owned();
    let offered = vec![(word(false), "the first two batches".to_owned()), (word(true), "the whole run".to_owned())];
    let value = Memo::new(move |_| word(is_whole.get()));
    let set = move |chosen: String| host.send(Msg::ShowWholeRun(chosen == word(true)));
    view! {
        <div class="batch-row">
            <SelectField label="Timelines show" name="span" choices=offered value=value on_change=set />
            <span class="tool-note">"Performance is the slack that CPUTraditional uses up, divided by the slack that the scheduler \
                                      uses up; higher is better. It measures how early the outputs are overall, not how many are late. \
                                      Used slack counts from an input, or a task's turn, to its output. A longer deadline changes \
                                      which outputs are late and which task has priority; only the change of priority affects \
                                      performance."</span>
        </div>
    }
}

fn legend(names: Memo<Vec<String>>, is_dark: Memo<bool>) -> impl IntoView {
    let name = |(task, name): (usize, &String), is_dark| {
        let colour = colour_of(row_of(task), is_dark).css();
        view! { <i style:background=colour></i> {safe(name)} " " }
    };
    view! {
        <p class="batch-legend">
            {move || names.with(|names| names.iter().enumerate().map(|of| name(of, is_dark.get())).collect_view())}
        </p>
    }
}

fn scheduler(host: Host<Batch>, shown: Memo<ShownComparison>, id: SchedulerId) -> impl IntoView {
    let of = Memo::new(move |_| shown.with(|shown| shown.schedulers.iter().find(|one| one.id == id).cloned()));
    let is_best = Memo::new(move |_| of.with(|of| of.as_ref().is_some_and(|of| of.is_best)));
    let runs = Memo::new(move |_| of.with(|of| of.as_ref().is_some_and(|of| of.outcome.is_ok())));
    let outcome = move || if runs.get() { score(host, id, of) } else { refused(of) };
    view! {
        <section class=move || if is_best.get() { "is-best" } else { "" } aria-label=id.name()>
            {outcome}
        </section>
    }
}

fn heading(id: SchedulerId) -> impl IntoView {
    view! { <h3 title=id.scheduler().says()>{id.name()}</h3> }
}

fn refused(of: Memo<Option<SchedulerView>>) -> AnyView {
    let why = move || of.with(|of| of.as_ref().and_then(|of| of.outcome.as_ref().err()).map(|why| safe(why)));
    let id = of.with_untracked(|of| of.as_ref().map(|of| of.id));
    view! {
        <div class="batch-score">
            {id.map(heading)} <span class="tool-note">{why}</span>
        </div>
    }
    .into_any()
}

fn score(host: Host<Batch>, id: SchedulerId, of: Memo<Option<SchedulerView>>) -> AnyView {
    let score = narrowed(of, |of| of.as_ref()?.outcome.as_ref().ok());
    let is_best = move || of.with(|of| of.as_ref().is_some_and(|of| of.is_best));
    let shown = score.map(|score| {
        let width = move || score.with(|score| format!("{}.{}%", score.share / 10, score.share % 10));
        view! {
            <div class="batch-score">
                {heading(id)} <span class="batch-bar" aria-hidden="true">
                    <i style:width=width></i>
                </span> <b>{move || score.with(|score| score.performance.clone())}</b>
                {move || is_best().then(|| view! { <span class="batch-best">"★ best here"</span> })}
                <span class="tool-note">{move || score.with(|score| score.outputs.clone())}</span>
                <button type="button" class="link" on:click=move |_| host.send(Msg::StepThrough(id))>
                    "Step through"
                </button>
            </div>
            <div class="batch-picture">
                <Pictured drawing=part(score, |score| &score.timeline) />
            </div>
        }
    });
    shown.into_any()
}

fn figures(host: Host<Batch>, figures: Memo<Figures>) -> impl IntoView {
    let row = |[scheduler, task, rest @ ..]: &[String; 6]| {
        let rest = rest.iter().map(|cell| view! { <td>{cell.clone()}</td> }).collect_view();
        view! { <tr><th scope="row">{scheduler.clone()}</th><td>{safe(task)}</td>{rest}</tr> }
    };
    view! {
        <Details
            host=host
            section=Section::Figures
            title="Numbers for each task"
            is_open=Signal::derive(move || figures.with(|figures| figures.is_open))
        >
            <div class="tool-scroll" tabindex="0" role="region" aria-label="Figures">
                <table class="tool-table">
                    <thead>
                        <tr>
                            <th scope="col">"Scheduler"</th>
                            <th scope="col">"Task"</th>
                            <th scope="col">"Outputs"</th>
                            <th scope="col">"Late"</th>
                            <th scope="col">"Worst lateness"</th>
                            <th scope="col">"Longest time from input to output"</th>
                        </tr>
                    </thead>
                    <tbody>{move || figures.with(|figures| figures.rows.iter().map(row).collect_view())}</tbody>
                </table>
            </div>
        </Details>
    }
}

fn advice(host: Host<Batch>, advice: Memo<AdviceView>) -> impl IntoView {
    let best = move || advice.with(|advice| advice.best.clone());
    view! {
        <section>
            <h3>"Advice from our decision tree"</h3>
            <p>"For this workload: " <b>{best}</b> ". " {move || advice.with(|advice| advice.reason.clone())}</p>
            <p>{move || advice.with(|advice| advice.traits.clone())}</p>
            {move || advice.with(|advice| trees::tree(&advice.tree))}
            <p class="tool-note">{move || advice.with(|advice| advice.origin.clone())}</p>
            <div class="batch-row">
                <SaveButton host=host what=Saved::Svg(BatchPicture::Advice) label="Save this tree (SVG)" />
                <SaveButton host=host what=Saved::Png(BatchPicture::Advice) label="Save this tree (PNG)" />
            </div>
        </section>
    }
}

fn family(host: Host<Batch>, all: Memo<CompareView>) -> impl IntoView {
    view! {
        <Details
            host=host
            section=Section::Family
            title="The six schedulers as a family tree ([MT] Fig. 1)"
            is_open=Signal::derive(move || all.with(|all| all.is_family_open))
        >
            {trees::tree(&blockstep_view::batch::trees::taxonomy())}
            <div class="batch-row">
                <SaveButton host=host what=Saved::Svg(BatchPicture::Family) label="Save the family tree (SVG)" />
                <SaveButton host=host what=Saved::Png(BatchPicture::Family) label="Save the family tree (PNG)" />
            </div>
        </Details>
    }
}
