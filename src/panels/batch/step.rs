//! The tab of a batch: step by step.
//!
//! Invariant: each part follows its share of the same step.

use leptos::prelude::*;

use super::holds::{holds, waits};
use super::parts::{Details, Pictured, SaveButton, choices, methods, narrowed, part, problems};
use super::stepping::through_batch;
use super::timeline::Timeline;
use crate::panels::panel::Host;
use crate::state::AppState;
use blockstep_tools::batch::{
    Batch, BatchPicture, BatchView, CommandView, Msg, Progress, Saved, SceneView, Section, StepAbout, StepPlace, StepView, Tables,
    rule_words, task_no,
};
use blockstep_ui::{SelectField, Stepping, TransportBar, safe};
use blockstep_view::position::Goal;

/// Whether there is a batch, and if not, why.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BatchKind {
    Shown,
    Wrong,
    Refused,
}

pub(super) fn step(host: Host<Batch>, step: Memo<StepView>) -> AnyView {
    let kind = Memo::new(move |_| {
        step.with(|step| match step.batch {
            BatchView::Shown(_) => BatchKind::Shown,
            BatchView::Wrong(_) => BatchKind::Wrong,
            BatchView::Refused { .. } => BatchKind::Refused,
        })
    });
    let batch = move || match kind.get() {
        BatchKind::Shown => {
            narrowed(step, |step| if let BatchView::Shown(scene) = &step.batch { Some(&**scene) } else { None }).map(|s| scene(host, s))
        }
        BatchKind::Wrong => narrowed(step, |step| if let BatchView::Wrong(wrong) = &step.batch { Some(wrong) } else { None })
            .map(|wrong| problems(wrong).into_any()),
        BatchKind::Refused => refused(host, step),
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
    let place = part(scene, |scene| &scene.place);
    let timeline = part(scene, |scene| &scene.timeline);
    let stepping = through_batch(host, place, part(timeline, |timeline| &timeline.end));
    expect_context::<AppState>().page_keys.listen(move |command| stepping.carry_out(command));
    view! {
        {about(host, part(scene, |scene| &scene.about))}
        <div class="batch-stage">
            {commands(stepping, place, part(scene, |scene| &scene.commands))}
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
                {holds(host, stepping, scene)}
                {waits(part(scene, |scene| &scene.waits))}
            </section>
        </div>
        <Timeline timeline=timeline stepping=stepping />
        {methods(host, part(scene, |scene| &scene.methods))}
        {tables(host, part(scene, |scene| &scene.tables))}
        {transport(stepping, place)}
    }
    .into_any()
}

fn about(host: Host<Batch>, about: Memo<StepAbout>) -> impl IntoView {
    move || match about.get() {
        StepAbout::Tables => view! {
            <p>"The paper's example: task t1 copies its input and runs a kernel, with events around both to time \
                                 them; task t2 is independent of t1 and copies too. Stepping shows which queue each \
                                 command lands in."</p>
        }
        .into_any(),
        StepAbout::Batch { scheduler: (name, says), tasks, is_on_gpu, batches, batch } => {
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

fn transport(stepping: Stepping, place: Memo<StepPlace>) -> impl IntoView {
    let said = move || {
        place.with(|place| {
            let rule = place.rule.as_ref()?;
            let words = rule_words(&rule.says, &rule.source);
            let (id, sentence) = (rule.id.clone(), safe(&place.sentence));
            Some(view! {
                <span class="chip" title=words.clone()>{id}</span>
                <span class="now-sentence">{sentence}</span>
                <span class="now-rule">{words}</span>
            })
        })
    };
    let spoken =
        Signal::derive(move || place.with(|place| format!("Step {} of {}. {}", place.at, place.times.len(), safe(&place.sentence))));
    view! { <TransportBar stepping=stepping prefix="batch-" spoken=spoken announced=spoken said=said /> }
}

fn commands(stepping: Stepping, place: Memo<StepPlace>, commands: Memo<Vec<CommandView>>) -> impl IntoView {
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
                    on:click=move |_| stepping.visit(Goal::Step(at as u32))
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
            <p class="tool-note">{move || place.with(|place| format!("The host {}.", safe(&place.host)))}</p>
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
            <SaveButton host=host what=Saved::Svg(BatchPicture::Timeline) label="Save timeline (SVG)" />
            <SaveButton host=host what=Saved::Png(BatchPicture::Timeline) label="Save timeline (PNG)" />
            <SaveButton host=host what=Saved::Svg(BatchPicture::Queues) label="Save queues (SVG)" />
            <SaveButton host=host what=Saved::Png(BatchPicture::Queues) label="Save queues (PNG)" />
            <SaveButton host=host what=Saved::Times label="Save times (CSV)" />
            <SaveButton host=host what=Saved::Steps label="Save steps (text)" />
            <SaveButton host=host what=Saved::Workload label=blockstep_tools::batch::SAVE_WORKLOAD />
        </div>
    }
}
