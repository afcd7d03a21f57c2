//! What the schedulability tests say of the scenario on screen, and of a task set that is typed in.
//!
//! Invariant: verdicts on screen are those of the question asked last, or stay until they come.

use std::time::Duration;

use leptos::html::Div;
use leptos::prelude::*;

use super::answers::{self, Answers};
use super::files;
use crate::components::{ChartFigure, Scrolled, SheetTable, tone_class};
use crate::panels::host::Tools;
use crate::state::messages::Messages;
use crate::state::run::RunState;
use crate::state::settings::Settings;
use blockstep_protocol::{self as protocol, OpenTypedSet, RunId, TypedSet};
use blockstep_ui::Busy;
use blockstep_ui::client;
use blockstep_ui::safe;
use blockstep_view::panels::sheet::{Tone, heads};
use blockstep_view::panels::verdicts::{EdfTests, Promise, RunlistBounds, SpaceBounds, SpacePromise, TestLine, VerdictsPanel};

/// How long nothing changes before the worker is asked for verdicts.
const REST: Duration = Duration::from_millis(150);

/// The width that a chart is given where its place has none yet, px.
const WIDTH_PX: u32 = 760;

/// Of a question: the run, whether the ground is dark, the line to be drawn.
type OfRun = (RunId, bool, Option<u32>);
type OfTyped = (String, bool, Option<u32>);

/// Verdicts of the scenario on screen; nothing is asked for while their panel is closed.
#[component]
pub(super) fn Verdicts(#[prop(into)] is_open: Signal<bool>) -> impl IntoView {
    let run = expect_context::<RunState>();
    let settings = expect_context::<Settings>();
    let place = NodeRef::<Div>::new();
    let run = Memo::new(move |_| run.with(|run| run.id));
    // A line is picked of one run.
    let picked = RwSignal::new(None::<(RunId, u32)>);
    let question = Memo::new(move |_| {
        let run = run.get();
        let line = picked.get().filter(|(of, _)| *of == run).map(|(_, line)| line);
        is_open.get().then(|| (run, settings.is_dark(), line))
    });
    let Answers { answer, on_its_way } = answers::at_rest(question, REST, move |&(run, is_dark, line): &OfRun| protocol::Verdicts {
        run,
        width_px: width(place),
        is_dark,
        line,
    });
    let on_draw = Callback::new(move |line| picked.set(Some((run.get_untracked(), line))));
    let shown = move || answer.get().flatten().map(|(_, answer)| shown(answer, on_draw));
    view! {
        <Busy of=on_its_way />
        <div id="verdicts" aria-live="off" node_ref=place>
            <Transition>{shown}</Transition>
        </div>
    }
}

/// Verdicts of a task set, while it is typed in.
#[component]
pub(super) fn TypedVerdicts() -> impl IntoView {
    let tools = expect_context::<Tools>();
    let settings = expect_context::<Settings>();
    let messages = expect_context::<Messages>();
    let place = NodeRef::<Div>::new();
    let typed = RwSignal::new(None::<String>);
    let picked = RwSignal::new(None::<u32>);
    let question = Memo::new(move |_| typed.get().map(|text| (text, settings.is_dark(), picked.get())));
    let Answers { answer, on_its_way } = answers::at_rest(question, Duration::ZERO, move |(text, is_dark, line): &OfTyped| TypedSet {
        text: text.clone(),
        width_px: width(place),
        is_dark: *is_dark,
        line: *line,
    });
    let on_input = move |text: String| {
        picked.set(None);
        typed.set(Some(text));
    };
    let open = move |_| {
        let request = OpenTypedSet(typed.get_untracked().unwrap_or_default());
        client::ask(request, move |answer| match answer {
            Ok(scenario) => files::open_text(tools, "task set", scenario, None),
            Err(why) => messages.complain(why),
        });
    };
    let on_draw = Callback::new(move |line| picked.set(Some(line)));
    let shown = move || answer.get().flatten().map(|(_, answer)| shown(answer, on_draw));
    view! {
        <details class="res-details typed">
            <summary>"Test another task set"</summary>
            <label for="typed-set">"One task per line: execution time, period, and the deadline if it differs from the period"</label>
            <textarea
                id="typed-set"
                rows="4"
                spellcheck="false"
                placeholder="3 ms, 10 ms\n5 ms, 20 ms, 15 ms"
                on:input:target=move |event| on_input(event.target().value())
            ></textarea>
            <div>
                <button class="small" on:click=open>"Open in the stepper"</button>
            </div>
            <Busy of=on_its_way />
            <div id="typed-verdicts" class="res" node_ref=place>
                <Transition>{shown}</Transition>
            </div>
        </details>
    }
}

/// The room for a chart, px.
pub(super) fn width(place: NodeRef<Div>) -> u32 {
    /// On both sides of a chart.
    const MARGINS_PX: u32 = 26;
    let width = place.get_untracked().map_or(0, |place| place.client_width().max(0) as u32);
    if width > 60 { width - MARGINS_PX } else { WIDTH_PX }
}

fn shown(answer: Result<VerdictsPanel, String>, on_draw: Callback<u32>) -> AnyView {
    match answer {
        Ok(panel) => whole(panel, on_draw).into_any(),
        Err(why) => safe(&why).into_any(),
    }
}

fn whole(panel: VerdictsPanel, on_draw: Callback<u32>) -> impl IntoView {
    let own_class = if panel.own_tone == Tone::Exceeded { "res-note res-exceeded" } else { "res-note" };
    let edf = match panel.edf {
        Some(tests) => view! { <EdfOf tests=tests on_draw=on_draw /> }.into_any(),
        None => view! {
            <p class="res-note">
                "The EDF tests judge real-time tasks with a deadline, released once or periodically. This scenario has none: set a task's \
                    Deadline or Period."
            </p>
        }
        .into_any(),
    };
    let runlist = match panel.runlist {
        Ok(bounds) => view! { <RunlistOf bounds=bounds /> }.into_any(),
        Err(why) => view! { <p class="res-note">{safe(&why)}</p> }.into_any(),
    };
    let (heading, one_space) = match panel.one_space {
        Ok(bounds) => (
            format!("Tasks in one address space, under {}: the rules of [TX2]", bounds.policy),
            view! { <SpaceOf bounds=bounds /> }.into_any(),
        ),
        Err(why) => ("Tasks in one address space".to_owned(), view! { <p class="res-note">{safe(&why)}</p> }.into_any()),
    };
    let doubt = |doubt: &String| view! { <li>{safe(doubt)}</li> };
    let doubts = (!panel.doubts.is_empty())
        .then(|| view! { <ul class="res-list study-doubts">{panel.doubts.iter().map(doubt).collect_view()}</ul> });
    let one_space = view! {
        <section class="res-section" data-section="one-space-bound">
            <h3>{heading}</h3>
            {one_space}
        </section>
    };
    let (first, last) = if panel.is_one_space { (Some(one_space), None) } else { (None, Some(one_space)) };
    view! {
        <div class="res">
            <section class="res-section" data-section="own-verdict">
                <h3>"This scenario"</h3>
                <p class=own_class>{safe(&panel.own)}</p>
            </section>
            {first}
            <section class="res-section" data-section="edf-tests">
                <h3>"Real-time tasks under EDF: demand tests"</h3>
                {edf}
                {doubts}
            </section>
            <section class="res-section" data-section="runlist-test">
                <h3>"Tasks under the runlist: [EDF] Theorem 1"</h3>
                {runlist}
            </section>
            {last}
        </div>
    }
}

#[component]
fn EdfOf(tests: EdfTests, on_draw: Callback<u32>) -> impl IntoView {
    let drawn = tests.drawn;
    let line = |(i, line): (u32, TestLine)| {
        view! {
            <tr>
                <th scope="row">{line.mode}</th>
                <td class="num">{line.switch}</td>
                <td class=tone_class(line.tone)>{line.verdict}</td>
                <td>{line.instant}</td>
                <td>
                    <button class="small" aria-pressed=(i == drawn).to_string() on:click=move |_| on_draw.run(i)>"Draw"</button>
                </td>
            </tr>
        }
    };
    let lines = (0..).zip(tests.lines).map(line).collect_view();
    let head = heads(&["EDF", "#switch cost", "Every deadline met", "First failing instant", "Demand"]);
    let assumption = |point: String| view! { <li>{point}</li> };
    view! {
        <p class="res-note">{tests.summary}</p>
        <Scrolled caption="Verdicts of the EDF tests" head=head>{lines}</Scrolled>
        {tests.figure.map(|figure| view! { <ChartFigure figure=figure /> })}
        <details class="res-details">
            <summary>"Task parameters in the tests"</summary>
            <SheetTable sheet=tests.tasks />
            {tests.more.map(|more| view! { <p class="res-note">{more}</p> })}
        </details>
        <details class="res-details">
            <summary>"Assumptions of the tests"</summary>
            <ul class="res-list">{tests.assumptions.into_iter().map(assumption).collect_view()}</ul>
        </details>
    }
}

/// Bounds of [EDF] Theorem 1 against the deadlines.
#[component]
fn RunlistOf(bounds: RunlistBounds) -> impl IntoView {
    let row = |(task, promise): (String, Promise)| {
        let cells = match promise {
            Promise::Bound { limits, deadline, verdict, tone } => {
                let limit = |limit: String| view! { <td class="num">{limit}</td> };
                view! {
                    {limits.into_iter().map(limit).collect_view()}
                    <td class="num">{deadline}</td>
                    <td class=tone_class(tone)>{verdict}</td>
                }
                .into_any()
            }
            Promise::Inapplicable(why) => view! { <td class="study-why" colspan="5">{safe(&why)}</td> }.into_any(),
        };
        view! { <tr><th scope="row">{safe(&task)}</th> {cells}</tr> }
    };
    let rows = bounds.tasks.into_iter().map(row).collect_view();
    let head = heads(&["Task", "#free switches", "#one per expiry (eq. 3)", "#every switch", "#deadline", "Verdict"]);
    view! {
        <Scrolled caption="Theorem 1 bounds and deadlines" head=head>{rows}</Scrolled>
        {bounds.more.map(|more| view! { <p class="res-note">{more}</p> })}
        <p class="res-note">"The theorem bounds the response time of a task that is alone in a process of the high level \
     with preemption mode thread. Before each of its stays, the task waits for one stay of every other high process and of one \
     lower process. The table of processes sets interleaving, timeslice and preemption."</p>
    }
}

/// Bounds inside one address space against the deadlines.
#[component]
fn SpaceOf(bounds: SpaceBounds) -> impl IntoView {
    let row = |(task, promise): (String, SpacePromise)| {
        let cells = match promise {
            SpacePromise::Bound { limit, deadline, verdict, tone } => view! {
                <td class="num">{limit}</td>
                <td class="num">{deadline}</td>
                <td class=tone_class(tone)>{verdict}</td>
            }
            .into_any(),
            SpacePromise::None(why) => view! { <td class="study-why" colspan="3">{safe(&why)}</td> }.into_any(),
        };
        view! { <tr><th scope="row">{safe(&task)}</th> {cells}</tr> }
    };
    let rows = bounds.tasks.into_iter().map(row).collect_view();
    let head = heads(&["Task", "#response time at most", "#deadline", "Verdict"]);
    view! {
        <Scrolled caption="Bounds in one address space and deadlines" head=head>{rows}</Scrolled>
        {bounds.more.map(|more| view! { <p class="res-note">{more}</p> })}
        <p class="res-note">"[TX2] leaves such bounds open. These are ours; "<a href="learn/guide-bounds.html">"a guide proves them"</a>". They hold for all releases \
     that are at least a period apart. While a kernel waits, every SM is full of blocks that go before its own. At most one kernel of each \
     other stream is ahead of it in its EE queue, and a low-priority kernel also waits for all high-priority ones."</p>
    }
}
