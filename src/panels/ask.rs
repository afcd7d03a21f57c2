//! The panel of "Why not now?": the chain of causes, or what can be asked about.
//!
//! Invariant: it is made anew in place, so that the focus and the place scrolled to stay.

use leptos::either::Either;
use leptos::prelude::*;

use crate::components::{OpLink, StepLink};
use crate::panels::panel::{Host, Panel, StateForm};
use crate::state::settings::Settings;
use blockstep_tools::ask::{
    Ask, AskCard, AskLine, Beginning, Clears, Gap, Msg, OpName, OpNote, Resource, RoomOnSm, RoomTable, SmLine, StepName, View, WaitCause,
};
use blockstep_ui::{Chip, safe, starts_at_top};
use blockstep_view::palette;
use blockstep_view::quantity::format_count;

/// Columns that fit beside the holders; of more, the table scrolls.
const MAX_COLUMNS: usize = 2;

impl Panel for Ask {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let settings = expect_context::<Settings>();
        // The card is made anew at each step; what the reader has opened stays open.
        let is_open = RwSignal::new(false);
        let form = StateForm::new(host);
        let subject = move |view: &View| match view {
            View::Invitation(..) => String::new(),
            View::Never { headline, .. } => headline.clone(),
            View::Card(card) => card.op.index().to_string(),
        };
        starts_at_top(move || view.with(subject), || Some("#tool-ask".to_owned()));
        let title = move |view: &View| if let View::Card(card) = view { card.title.clone() } else { String::new() };
        Effect::new(move |_| host.set_title(view.with(title)));
        let content = move || {
            view.with(|view| match view {
                View::Invitation(gap, waiting) => invitation(host, gap.as_ref(), waiting).into_any(),
                View::Never { headline, text } => view! { <h3>{safe(headline)}</h3> <p>{safe(text)}</p> }.into_any(),
                View::Card(told) => card(host, form, told, settings.is_dark(), is_open).into_any(),
            })
        };
        view! { {content} }.into_any()
    }
}

fn invitation(host: Host<Ask>, gap: Option<&Gap>, waiting: &[OpNote]) -> impl IntoView {
    let list = if waiting.is_empty() {
        Either::Left(view! { <p>"Nothing waits at this step."</p> })
    } else {
        Either::Right(view! { <h3>"Waiting now"</h3> {list(host, waiting)} })
    };
    let gap = gap.map(|gap| {
        let head = gap.head.as_ref().map(|head| view! { <p>"Ask about " {name(host, head)} "."</p> });
        view! { <h3>{safe(&gap.headline)}</h3> <p id="gap">{safe(&gap.text)}</p> {head} }
    });
    view! {
        {gap}
        <p class="tool-note">
            "Click anything that waits: a box in the queues, a name under “Waiting now”, a kernel on the timeline or in the table."
        </p>
        {list}
    }
}

fn card(host: Host<Ask>, form: StateForm<Ask>, card: &AskCard, is_dark: bool, is_open: RwSignal<bool>) -> impl IntoView {
    let colour = palette::colour_of(card.row, is_dark).css();
    let goes_on = card.goes_on.as_ref().map(|line| view! { <p>{line_of(line)} {line.step.is_some().then_some(".")}</p> });
    let places = (!card.places.is_empty()).then(|| {
        let places = card.places.iter().map(|text| view! { <li>{safe(text)}</li> }).collect_view();
        view! { <ul class="tool-list tool-note">{places}</ul> }
    });
    let chain = if card.causes.is_empty() {
        Either::Left(card.root.as_ref().map(|root| view! { <p>{line_of(root)}</p> }))
    } else {
        let causes = card.causes.iter().enumerate().map(|(i, of)| {
            let skipped = (of.skipped > 0).then(|| {
                let text = format!("… {} more causes, each that of the one before …", format_count(of.skipped as u64));
                // The number of the next cause is its own.
                view! { <li class="tool-note why-skipped" style:counter-increment=format!("why {}", of.skipped)>{text}</li> }
            });
            view! { {skipped} <li>{cause(host, i, of)}</li> }
        });
        let causes = causes.collect_view();
        let root = card.root.as_ref().map(|root| view! { <li>{line_of(root)}</li> });
        let heading = if card.causes.len() == 1 { "The cause" } else { "The chain of causes" };
        Either::Right(view! { <h4>{heading}</h4> <ol class="why-chain">{causes} {root}</ol> })
    };
    let others = (!card.others.is_empty()).then(|| view! { <h4>"Other parts of this kernel"</h4> {list(host, &card.others)} });
    let more = card.more_others.clone().map(|more| view! { <p class="tool-note">{more}</p> });
    let fit = card.fit.clone().map(|fit| view! { <p class="why-fit">{fit}</p> });
    let began = card.began.as_ref().map(beginning);
    let evidence = card.evidence.clone().map(|evidence| view! { <p class="tool-note" id="why-evidence">{evidence}</p> });
    view! {
        <h3 style:border-left=format!(".3rem solid {colour}") style:padding-left=".5rem">{safe(&card.headline)}</h3>
        {fit}
        {goes_on}
        {places}
        {chain}
        {began}
        {others}
        {more}
        {occupancy(form, &card.occupancy, is_open)}
        {evidence}
    }
}

/// How many blocks of the kernel an SM holds.
fn occupancy(form: StateForm<Ask>, room: &RoomOnSm, is_open: RwSignal<bool>) -> impl IntoView + use<> {
    let heads = ["", "A block takes", "An SM has", "Enough for"].map(|head| view! { <th scope="col">{head}</th> }).collect_view();
    let line = |of: &Resource| {
        view! {
            <tr class:is-limit=of.is_limit>
                <th scope="row">{of.name.clone()}</th>
                <td>{of.need.clone()}</td>
                <td>{of.whole.clone()}</td>
                <td>{of.blocks.clone()}</td>
            </tr>
        }
    };
    let lines = room.resources.iter().map(line).collect_view();
    let units = room.units.clone().map(|label| {
        let is_on = form.part(|state| state.units);
        view! {
            <label class="tool-note">
                <input
                    type="checkbox"
                    name="units"
                    prop:checked=move || is_on.get()
                    on:change:target=move |event| form.edit(|state| state.units = event.target().checked())
                />
                " "
                {label}
            </label>
        }
    });
    view! {
        <details id="occupancy" class="why-occupancy" prop:open=is_open on:toggle:target=move |event| is_open.set(event.target().open())>
            <summary>{room.summary.clone()}</summary>
            <table class="tool-table">
                <thead>
                    <tr>{heads}</tr>
                </thead>
                <tbody>{lines}</tbody>
            </table>
            <p class="tool-note">{room.waves.clone()}</p>
            {units}
        </details>
    }
}

fn beginning(began: &Beginning) -> impl IntoView + use<> {
    view! {
        <h4>{safe(&began.heading)}</h4>
        <p>"It was assigned at " {step(&began.step)} " by " <Chip rule=began.rule /> "."</p>
        <ul class="tool-list">
            <li>{line_of(&began.then)}</li>
            <li>{safe(&began.here)}</li>
        </ul>
    }
}

fn cause(host: Host<Ask>, number: usize, cause: &WaitCause) -> impl IntoView {
    let rule = cause.rule.map(|rule| view! { <Chip rule=rule /> " " });
    let clears = match &cause.clears {
        Clears::At(at, sentence) => Either::Left(view! { "Wait ends at " {step(at)} {format!(": {}", safe(sentence))} }),
        Clears::EndOfRun => Either::Right("Still waiting when the run ends."),
        Clears::Unsought => Either::Right(
            "We did not look for the end of this wait: the run is too long for so many causes. Ask about this operation to find out.",
        ),
    };
    view! {
        {name(host, &cause.name)}
        " "
        {rule}
        {safe(&cause.text)}
        {cause.rule.map(|rule| view! { <div class="tool-note why-rule">{rule.sentence()}</div> })}
        {cause.room.as_ref().map(|room| sms(host, number, room))}
        <div class="tool-note">{clears}</div>
    }
}

fn sms(host: Host<Ask>, number: usize, room: &RoomTable) -> impl IntoView {
    let heads = room.heads.iter().map(|head| view! { <th scope="col">{head.clone()}</th> }).collect_view();
    let lines = room.lines.iter().map(|line| sm_line(host, line)).collect_view();
    let table = view! {
        <table class="tool-table">
            <caption class="tool-note" style:text-align="left">{safe(&room.caption)}</caption>
            <thead>
                <tr>
                    <th scope="col" style:white-space="nowrap">{blockstep_tools::ask::SM}</th>
                    {heads}
                    <th scope="col">"Held by"</th>
                </tr>
            </thead>
            <tbody>{lines}</tbody>
        </table>
    };
    let table = if room.heads.len() > MAX_COLUMNS {
        let label = format!("SMs, cause {}", number + 1);
        Either::Left(view! { <div class="tool-scroll" tabindex="0" role="region" aria-label=label>{table}</div> })
    } else {
        Either::Right(table)
    };
    let more = room.more.clone().map(|more| view! { <p class="tool-note">{more}</p> });
    view! { {table} {more} }
}

fn sm_line(host: Host<Ask>, line: &SmLine) -> impl IntoView {
    let free = line.free.iter().map(|free| {
        let amount = if free.is_too_little { format!("{}, too little", free.amount) } else { free.amount.clone() };
        view! { <td>{amount}</td> }
    });
    let holders = line.holders.iter().enumerate().map(|(i, holder)| {
        let before = if i > 0 { "; " } else { "" };
        view! { {before} {op_note(host, holder)} }
    });
    view! {
        <tr>
            <th scope="row" style:white-space="nowrap">{line.sms.clone()}</th>
            {free.collect_view()}
            <td>{holders.collect_view()} {line.rest.clone()}</td>
        </tr>
    }
}

fn list(host: Host<Ask>, list: &[OpNote]) -> impl IntoView {
    let items = list.iter().map(|of| view! { <li>{op_note(host, of)}</li> }).collect_view();
    view! { <ul class="tool-list">{items}</ul> }
}

fn op_note(host: Host<Ask>, note: &OpNote) -> impl IntoView {
    view! { {name(host, &note.name)} {format!(" {}", safe(&note.text))} }
}

fn line_of(line: &AskLine) -> impl IntoView {
    view! { {safe(&line.text)} {line.step.as_ref().map(|of| view! { " " {step(of)} })} }
}

fn step(step: &StepName) -> impl IntoView {
    view! { <StepLink position=step.position label=step.label.clone() /> }
}

fn name(host: Host<Ask>, name: &OpName) -> impl IntoView {
    let op = name.op;
    if name.is_of_kernel {
        let ask = move |_| host.send(Msg::Ask(op));
        Either::Left(view! { <button type="button" class="link" on:click=ask>{safe(&name.label)}</button> })
    } else {
        Either::Right(view! { <OpLink op=op label=name.label.clone() /> })
    }
}
