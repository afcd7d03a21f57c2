//! The tab of a batch: step by step.
//!
//! Invariant: each part follows its share of the same step.

use leptos::prelude::*;

use super::holds::{holds, waits};
use super::parts::{Details, Pictured, SaveButton, choices, methods, narrowed, part, problems};
use crate::components::{SelectField, safe};
use crate::panels::panel::Host;
use blockstep_tools::batch::{
    About, Batch, BatchView, CommandView, Msg, Progress, Saved, SceneView, Section, Sheet, StepTarget, StepView, Tables, Transport, task_no,
};

/// Whether there is a batch, and if not, why.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Shown,
    Wrong,
    Refused,
}

pub(super) fn step(host: Host<Batch>, step: Memo<StepView>) -> AnyView {
    let kind = Memo::new(move |_| {
        step.with(|step| match step.batch {
            BatchView::Shown(_) => Kind::Shown,
            BatchView::Wrong(_) => Kind::Wrong,
            BatchView::Refused { .. } => Kind::Refused,
        })
    });
    let batch = move || match kind.get() {
        Kind::Shown => {
            narrowed(step, |step| if let BatchView::Shown(scene) = &step.batch { Some(&**scene) } else { None }).map(|s| scene(host, s))
        }
        Kind::Wrong => narrowed(step, |step| if let BatchView::Wrong(wrong) = &step.batch { Some(wrong) } else { None })
            .map(|wrong| problems(wrong).into_any()),
        Kind::Refused => refused(host, step),
    };
    view! {
        {choices(host, part(step, |step| &step.choices))}
        {batch}
    }
    .into_any()
}

fn refused(host: Host<Batch>, step: Memo<StepView>) -> Option<AnyView> {
    let why = narrowed(step, |step| if let BatchView::Refused { why, .. } = &step.batch { Some(why) } else { None })?;
    let switches = narrowed(step, |step| if let BatchView::Refused { methods, .. } = &step.batch { Some(methods) } else { None })?;
    let view = view! {
        <p class="batch-wrong" role="alert">{move || safe(&why.get())}</p>
        {methods(host, switches)}
    };
    Some(view.into_any())
}

fn scene(host: Host<Batch>, scene: Memo<SceneView>) -> AnyView {
    view! {
        {about(host, part(scene, |scene| &scene.about))}
        {transport(host, part(scene, |scene| &scene.transport))}
        <div class="batch-stage">
            {commands(host, part(scene, |scene| &scene.commands))}
            <section class="batch-queues" aria-label="Hardware queues">
                <h3>
                    "Hardware queues, heads on top "
                    <span class="batch-key">
                        <i class="is-true"></i>
                        "true dependency "
                        <i class="is-false"></i>
                        "false dependency"
                    </span>
                </h3>
                <Pictured drawing=part(scene, |scene| &scene.queues) />
                {holds(host, scene)}
                {waits(part(scene, |scene| &scene.waits))}
            </section>
        </div>
        <h3>"Copies and kernels over time"</h3>
        <div class="batch-picture">
            <Pictured drawing=part(scene, |scene| &scene.timeline) />
        </div>
        {methods(host, part(scene, |scene| &scene.methods))}
        {tables(host, part(scene, |scene| &scene.tables))}
    }
    .into_any()
}

fn about(host: Host<Batch>, about: Memo<About>) -> impl IntoView {
    move || match about.get() {
        About::Tables => view! {
            <p>"The paper's example: task t1 copies its input and runs a kernel, with events around both to time \
                                 them; task t2 is independent of t1 and copies too. Stepping shows which queue each \
                                 command lands in."</p>
        }
        .into_any(),
        About::Batch { scheduler: (name, says), tasks, is_on_gpu, batches, batch } => {
            let task = |(i, task): (usize, &String)| {
                let before = if i == 0 { format!("In this batch {} is ", task_no(i)) } else { format!(", {} is ", task_no(i)) };
                view! { {before} <b>{safe(task)}</b> }
            };
            let tasks = tasks.iter().enumerate().map(task).collect_view();
            let on_gpu = is_on_gpu.then(|| {
                view! {
                    <p class="tool-note">
                        "The stream query that lets the host see the scheduler's messages ([MT] section 5.2) is issued once, \
                         right after the scheduler's kernel is launched and before the first batch. So no batch shows it. \
                         It could only delay a finish signal, and nothing here waits for one."
                    </p>
                }
            });
            view! {
                <p><b>{name}</b> ": " {says} " " {tasks} "."</p>
                {on_gpu}
                {(batches.len() > 1).then(|| batch_choice(host, &batches, batch))}
            }
            .into_any()
        }
    }
}

fn batch_choice(host: Host<Batch>, batches: &[String], batch: usize) -> impl IntoView + use<> {
    let offered: Vec<_> = batches.iter().enumerate().map(|(i, words)| (i.to_string(), words.clone())).collect();
    let set = move |place: String| host.send(Msg::SetBatch(place.parse().unwrap_or(0)));
    view! {
        <div class="batch-row">
            <SelectField label="Batch of" name="run" choices=offered value=batch.to_string() on_change=set />
        </div>
    }
}

fn transport(host: Host<Batch>, transport: Memo<Transport>) -> impl IntoView {
    let at = Memo::new(move |_| transport.with(|t| t.at));
    let last = Memo::new(move |_| transport.with(|t| t.last));
    let button = move |target: StepTarget, label: &'static str, sign: &'static str| {
        let is_off = move || match target {
            StepTarget::First | StepTarget::Back => at.get() == 0,
            _ => at.get() == last.get(),
        };
        view! {
            <button
                type="button"
                class="icon"
                aria-label=label
                title=label
                aria-disabled=move || is_off().then_some("true")
                on:click=move |_| host.send(Msg::GoTo(target))
            >
                {sign}
            </button>
        }
    };
    let slide = move |text: String| {
        if let Ok(at) = text.parse() {
            host.send(Msg::GoTo(StepTarget::At(at)));
        }
    };
    let chip = move || {
        let rule = transport.with(|t| t.rule.clone());
        rule.map(|rule| view! { <span class="chip" title=blockstep_tools::batch::rule(&rule.says, &rule.source)>{rule.id}</span> " " })
    };
    let note = move || {
        transport.with(|t| {
            let rule = t.rule.as_ref().map(|rule| blockstep_tools::batch::rule(&rule.says, &rule.source));
            rule.into_iter().chain([format!("The host {}.", t.host)]).collect::<Vec<_>>().join(" ")
        })
    };
    view! {
        <div class="batch-transport">
            {button(StepTarget::First, "Go to the first step (Home)", "|◀")} {button(StepTarget::Back, "Step back (←)", "◀")}
            {button(StepTarget::Next, "Step forward (→)", "▶")} {button(StepTarget::Last, "Go to the last step (End)", "▶|")}
            <label class="batch-slider">
                <span class="visually-hidden">"Step"</span>
                <input
                    type="range"
                    name="at"
                    min="0"
                    max=move || last.get()
                    prop:value=move || {
                        last.track();
                        at.get().to_string()
                    }
                    on:change:target=move |event| slide(event.target().value())
                />
            </label>
            <span class="batch-count">{move || transport.with(|t| format!("Step {} of {} · {}", t.at, t.last, t.time))}</span>
        </div>
        <p class="batch-sentence">{chip} {move || transport.with(|t| safe(&t.sentence))}</p>
        <p class="tool-note">{note}</p>
    }
}

fn commands(host: Host<Batch>, commands: Memo<Vec<CommandView>>) -> impl IntoView {
    let places = move || commands.with(|all| all.iter().map(|command| command.at).collect::<Vec<_>>());
    let line = move |at: usize| {
        let now = Memo::new(move |_| commands.with(|all| all.iter().find(|command| command.at == at).cloned()));
        let class = move || {
            now.with(|now| match now {
                Some(now) if now.is_latest => "is-latest",
                Some(now) if now.progress == Progress::NotIssued => "is-later",
                _ => "",
            })
        };
        let words = move |of: fn(&CommandView) -> String| now.with(|now| now.as_ref().map(of));
        view! {
            <li class=class>
                <button
                    type="button"
                    class="link"
                    title=move || words(|now| safe(&now.title))
                    on:click=move |_| host.send(Msg::GoTo(StepTarget::At(at)))
                >
                    <span aria-hidden="true" class="batch-sign">
                        {move || words(|now| now.progress.words().0.to_owned())}
                    </span>
                    <code>{move || words(|now| safe(&now.label))}</code>
                    <span class="visually-hidden">{move || words(|now| format!(", {}", now.progress.words().1))}</span>
                </button>
            </li>
        }
    };
    view! {
        <section class="batch-commands" aria-label="Commands">
            <h3>"Commands in the order they are issued"</h3>
            <ol tabindex="-1">
                <For each=places key=|at| *at children=line />
            </ol>
        </section>
    }
}

/// The pictures as tables, and what can be saved.
fn tables(host: Host<Batch>, tables: Memo<Tables>) -> impl IntoView {
    let row = |cells: &[String]| {
        let (head, rest) = cells.split_first().unzip();
        let rest = rest.unwrap_or_default().iter().map(|cell| view! { <td>{safe(cell)}</td> }).collect_view();
        view! { <tr><th scope="row">{head.map(|head| safe(head))}</th>{rest}</tr> }
    };
    view! {
        <Details
            host=host
            section=Section::Tables
            title="Queues and times as tables"
            is_open=Signal::derive(move || tables.with(|tables| tables.is_open))
        >
            <div class="tool-scroll" tabindex="0" role="region" aria-label="Times">
                <table class="tool-table">
                    <caption>"Copies, kernels and the times that their events report"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Command"</th>
                            <th scope="col">"From"</th>
                            <th scope="col">"To"</th>
                            <th scope="col">"Events report"</th>
                        </tr>
                    </thead>
                    <tbody>{move || tables.with(|tables| tables.times.iter().map(|cells| row(cells)).collect_view())}</tbody>
                </table>
                <table class="tool-table">
                    <caption>"Queues at this step, heads first"</caption>
                    <thead>
                        <tr>
                            <th scope="col">"Queue"</th>
                            <th scope="col">"Commands"</th>
                        </tr>
                    </thead>
                    <tbody>{move || tables.with(|tables| tables.queues.iter().map(|cells| row(cells)).collect_view())}</tbody>
                </table>
            </div>
        </Details>
        <div class="batch-row">
            <SaveButton host=host what=Saved::Svg(Sheet::Timeline) label="Save timeline (SVG)" />
            <SaveButton host=host what=Saved::Png(Sheet::Timeline) label="Save timeline (PNG)" />
            <SaveButton host=host what=Saved::Svg(Sheet::Queues) label="Save queues (SVG)" />
            <SaveButton host=host what=Saved::Png(Sheet::Queues) label="Save queues (PNG)" />
            <SaveButton host=host what=Saved::Times label="Save times (CSV)" />
            <SaveButton host=host what=Saved::Steps label="Save steps (text)" />
            <SaveButton host=host what=Saved::Workload label=blockstep_tools::batch::SAVE_WORKLOAD />
        </div>
    }
}
