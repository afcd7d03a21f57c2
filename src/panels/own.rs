//! The page of a policy of one's own.
//!
//! Invariants: what the reader types stays in its field while answers are on their way; a mark is a word or a sign, not a color alone.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::panels::panel::{Host, Panel};
use crate::state::AppState;
use blockstep_tools::commands::Command;
use blockstep_tools::own::{Chip, FindingRow, Lane, MAX_SEQUENCE, Msg, OwnPolicy, PropertyTick, TaskRow, Verdict, View};
use blockstep_ui::{Choices, CommandButton, Icon, PolicyText, SelectField, TickField, safe};

impl Panel for OwnPolicy {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let go = move |command: Command| {
            host.send(match command {
                Command::First => Msg::GoTo(0),
                Command::StepBack => Msg::StepBack,
                Command::StepForward => Msg::StepForward,
                Command::Last => Msg::GoTo(u32::MAX),
                _ => return false,
            });
            true
        };
        expect_context::<AppState>().page_keys.listen(go);
        view! {
            <div class="policy">
                <p class="policy-what">
                    "A policy says which tasks may use the GPU. Type one as it stands in a paper, step through requests, and search all their \
                     orders for one that breaks it."
                </p>
                {hunt(host, view)}
                <div class="policy-halves">
                    <section class="policy-text" aria-labelledby="policy-text-title">
                        <h3 id="policy-text-title">"The policy"</h3>
                        {chooser(host, view)}
                        {editor(host, view)}
                    </section>
                    <section class="policy-requests" aria-labelledby="policy-requests-title">
                        <h3 id="policy-requests-title" tabindex="-1">"Requests"</h3>
                        {requests(host, view, move |command| { go(command); })}
                        {move || lanes(view)}
                    </section>
                </div>
                {search(host, view)}
            </div>
        }
        .into_any()
    }
}

/// What is typed into a field, kept until an answer has it.
fn typed(shown: Memo<String>) -> (Memo<String>, RwSignal<Option<String>>) {
    let draft = RwSignal::new(None::<String>);
    Effect::new(move |_| {
        let shown = shown.get();
        if draft.with_untracked(|draft| draft.as_ref() == Some(&shown)) {
            draft.set(None);
        }
    });
    (Memo::new(move |_| draft.get().unwrap_or_else(|| shown.get())), draft)
}

fn hunt(host: Host<OwnPolicy>, view: Memo<View>) -> impl IntoView {
    let hunt = Memo::new(move |_| view.with(|view| view.hunt.clone()));
    move || {
        hunt.get().map(|hunt| {
            let promises = hunt.promises.into_iter().map(|promise| view! { <li>{promise}</li> }).collect_view();
            let class = if hunt.is_found { "policy-hunt is-found" } else { "policy-hunt" };
            view! {
                <section class=class id="policy-hunt" aria-labelledby="policy-hunt-title">
                    <h3 id="policy-hunt-title">"Find the bug"</h3>
                    <p role="status">{hunt.sentence}</p>
                    <ul>{promises}</ul>
                    <button type="button" class="small" on:click=move |_| host.send(Msg::GiveUp)>
                        {if hunt.is_found { "Search it for all faults" } else { "Give up" }}
                    </button>
                </section>
            }
        })
    }
}

fn chooser(host: Host<OwnPolicy>, view: Memo<View>) -> impl IntoView {
    let choices = Memo::new(move |_| {
        view.with(|view| view.own.iter().chain(&view.published).map(|of| (of.word.clone(), of.title.clone())).collect::<Choices>())
    });
    let chosen = Memo::new(move |_| view.with(|view| view.chosen.clone()));
    let source = Memo::new(move |_| view.with(|view| view.source.clone()));
    let source = move || match source.get() {
        source if source.is_empty() => "Your own text. It is kept in this browser.".to_owned(),
        source => format!("Source: {source}. Change it, and it becomes your own."),
    };
    view! {
        <div class="tool-row">
            <SelectField label="Policy" name="policy-text" choices=choices value=chosen on_change=move |word| host.send(Msg::Choose(word)) />
            <button type="button" class="small" on:click=move |_| host.send(Msg::CopyLink)>"Copy link"</button>
            <button
                type="button" class="small"
                title="A link that asks others to find this text's bug: verdicts stay hidden until their requests show one"
                on:click=move |_| host.send(Msg::CopyHunt)
            >
                "Copy link: find the bug"
            </button>
        </div>
        <p class="tool-note">{source}</p>
    }
}

fn editor(host: Host<OwnPolicy>, view: Memo<View>) -> impl IntoView {
    let (text, draft) = typed(Memo::new(move |_| view.with(|view| view.text.content.clone())));
    let lines = Memo::new(move |_| view.with(|view| view.text.lines.clone()));
    let mistake = Memo::new(move |_| view.with(|view| view.text.mistake.clone()));
    let on_type = move |text: String| {
        draft.set(Some(text.clone()));
        host.send(Msg::Type(text));
    };
    view! { <PolicyText id="policy" text=text lines=lines mistake=mistake on_type=on_type /> }
}

/// Brings the requests into sight, as the search stands below them.
fn show_requests() {
    if let Some(title) = document().get_element_by_id("policy-requests-title").and_then(|title| title.dyn_into::<HtmlElement>().ok()) {
        // It can take the focus.
        let _ = title.focus();
    }
}

fn requests(host: Host<OwnPolicy>, view: Memo<View>, go: impl Fn(Command) + Copy + Send + Sync + 'static) -> impl IntoView {
    let (text, draft) = typed(Memo::new(move |_| view.with(|view| view.requests.clone())));
    let place = Memo::new(move |_| view.with(|view| (view.step, view.words.len() as u32)));
    let words = Memo::new(move |_| view.with(|view| view.words.clone()));
    let problem = Memo::new(move |_| view.with(|view| view.problem.clone()));
    let said = Memo::new(move |_| view.with(|view| view.said.clone()));
    let broken = Memo::new(move |_| view.with(|view| view.broken.clone()));
    let has_broken = Memo::new(move |_| view.with(|view| view.has_broken));
    let tasks = Memo::new(move |_| view.with(|view| view.tasks.clone()));
    let tick = Memo::new(move |_| view.with(|view| view.tick));
    let has_deadlines = Memo::new(move |_| view.with(|view| view.has_deadlines));
    let at_start = Signal::derive(move || place.get().0 == 0);
    let at_none = move || place.get().1 == 0;
    let at_end = Signal::derive(move || place.get().0 >= place.get().1);
    let button = move |name: &'static str, command, icon, is_off| {
        view! { <CommandButton keeps_focus=true id=format!("policy-{name}") command=command icon=icon is_off=is_off on_run=go /> }
    };
    let word = move |(i, text, is_fault): (usize, String, bool)| {
        let to = i as u32 + 1;
        let current = move || (place.get().0 == to).then_some("step");
        let said =
            if is_fault { format!("Go to request {to}, {text}, where something is wrong") } else { format!("Go to request {to}, {text}") };
        view! {
            <button type="button" class="policy-word" class:is-fault=is_fault aria-current=current aria-label=said on:click=move |_| host.send(Msg::GoTo(to))>
                {text.clone()}
                {is_fault.then_some(" !")}
            </button>
        }
    };
    let all_words = move || words.get().into_iter().enumerate().map(|(i, of)| word((i, safe(&of.text), of.is_fault))).collect_view();
    let append = move |word: String, label: &'static str, says: String| {
        view! { <button type="button" class="small" aria-label=says on:click=move |_| host.send(Msg::Append(word.clone()))>{label}</button> }
    };
    let row = move |(place, of): (usize, TaskRow)| {
        let name = of.name.clone();
        let rank = of.rank;
        let options = (0..=9_u8)
            .map(|of| {
                let title = if of == 0 { "best effort".to_owned() } else { format!("priority {of}") };
                view! { <option value=of.to_string() selected=of == rank>{title}</option> }
            })
            .collect_view();
        let begin = of.begin.map(|word| append(word, "begins", format!("{name} begins")));
        let end = of.end.map(|word| append(word, "ends", format!("{name} ends")));
        let none = of.is_waiting.then(|| view! { <span class="quiet">"has not run yet"</span> });
        view! {
            <li>
                <b>{of.name}</b>
                <select
                    aria-label=format!("Priority of {name}")
                    on:change:target=move |event| host.send(Msg::SetRank(place as u8, event.target().value().parse().unwrap_or(0)))
                >
                    {options}
                </select>
                {begin} {end} {none}
            </li>
        }
    };
    view! {
        <label class="policy-field">
            <span>"Sequence"</span>
            <input
                id="policy-sequence"
                type="text"
                maxlength=MAX_SEQUENCE.to_string()
                spellcheck="false"
                autocomplete="off"
                placeholder="+A +B1 -A"
                aria-describedby="policy-form policy-problem"
                aria-invalid=move || problem.with(Option::is_some).to_string()
                prop:value=move || text.get()
                on:input:target=move |event| {
                    let text = event.target().value();
                    draft.set(Some(text.clone()));
                    host.send(Msg::Ask(text));
                }
            />
        </label>
        <p class="tool-note" id="policy-form">
            <code>"+A"</code> " begins, " <code>"-A"</code> " ends, a digit is the priority (none is best effort)"
            {move || tick.get().map(|_| view! { ", " <code>"tick"</code> " lets time pass" })}
            {move || has_deadlines.get().then(|| view! { ", " <code>"+B1<A"</code> " is due before A" })} "."
        </p>
        <div id="policy-problem" role="status">
            {move || problem.get().map(|problem| view! { <p class="field-error">{safe(&problem)}</p> })}
        </div>
        <ul class="policy-tasks" aria-label="Tasks">
            {move || tasks.get().into_iter().enumerate().map(row).collect_view()}
            {move || {
                let may = tick.get()?;
                Some(
                    view! {
                        <li>
                            <button type="button" class="small" disabled=!may on:click=move |_| host.send(Msg::Append("tick".to_owned()))>
                                "Time passes"
                            </button>
                        </li>
                    },
                )
            }}
        </ul>
        <div class="policy-steps">
            <div class="tool-row" role="group" aria-label="Move through the requests">
                {button("first", Command::First, Icon::First, at_start)} {button("back", Command::StepBack, Icon::Back, at_start)}
                {button("forward", Command::StepForward, Icon::Forward, at_end)} {button("last", Command::Last, Icon::Last, at_end)}
            </div>
            <span class="quiet" id="policy-step">{move || format!("Request {} of {}", place.get().0, place.get().1)}</span>
            <div class="policy-words">{all_words}</div>
            <button
                type="button"
                class="small"
                id="policy-run"
                title="A table of kernels, in the stepper, whose run makes these requests to the policy"
                disabled=at_none
                on:click=move |_| host.send(Msg::OpenRun)
            >
                "Open as a run"
            </button>
            {move || {
                has_broken.get().then(|| {
                    let title = "The requests that broke the other text, run under this one, with that run beside it";
                    view! {
                        <button type="button" class="small" id="policy-compare" title=title on:click=move |_| host.send(Msg::CompareRuns)>
                            "Compare with the broken text"
                        </button>
                    }
                })
            }}
        </div>
        <div class="policy-now" id="policy-now" role="status">
            <p>
                {move || match said.get() {
                    said if said.is_empty() => "No requests yet. Press a button above, or type.".to_owned(),
                    said => said,
                }}
            </p>
            {move || {
                broken.get().into_iter().map(|told| view! { <p class="verdict-bad"><span aria-hidden="true">"✗ "</span> {told}</p> }).collect_view()
            }}
        </div>
    }
}

fn lanes(view: Memo<View>) -> impl IntoView {
    let lanes = view.with(|view| view.lanes.clone());
    let chip = |chip: Chip| {
        let (class, sign, says) = match chip.came {
            None => ("policy-chip", "", ""),
            Some(true) => ("policy-chip came", "+", " came"),
            Some(false) => ("policy-chip went", "−", " went"),
        };
        view! {
            <span class=class>
                <span aria-hidden="true">{sign}</span>
                {chip.name}
                <span class="visually-hidden">{says}</span>
            </span>
        }
    };
    let lane = move |lane: Lane| {
        let is_empty = lane.chips.is_empty() && lane.value.is_none();
        let chips = lane.chips.into_iter().map(chip).collect_view();
        view! {
            <div class="policy-lane" class:is-changed=lane.is_changed data-lane=lane.name.clone()>
                <dt><b>{safe(&lane.name)}</b> <span class="quiet">{lane.kind}</span></dt>
                <dd>
                    {chips} {lane.value} {is_empty.then(|| view! { <span class="quiet">"none"</span> })}
                    {lane.is_changed.then(|| view! { <span class="visually-hidden">" (changed)"</span> })}
                </dd>
            </div>
        }
    };
    (!lanes.is_empty())
        .then(|| view! { <dl class="policy-lanes" aria-label="What the policy holds">{lanes.into_iter().map(lane).collect_view()}</dl> })
}

fn search(host: Host<OwnPolicy>, view: Memo<View>) -> impl IntoView {
    let is_there = Memo::new(move |_| view.with(|view| view.search.is_some()));
    move || is_there.get().then(|| search_part(host, view))
}

fn search_part(host: Host<OwnPolicy>, view: Memo<View>) -> impl IntoView {
    let whole = Memo::new(move |last: Option<&_>| view.with(|view| view.search.clone()).or_else(|| last.cloned().flatten()));
    fn part<T: PartialEq + Send + Sync + 'static>(
        whole: Memo<Option<blockstep_tools::own::SearchView>>,
        of: fn(blockstep_tools::own::SearchView) -> T,
        none: fn() -> T,
    ) -> Memo<T> {
        Memo::new(move |_| whole.get().map_or_else(none, of))
    }
    let is_going = part(whole, |search| search.is_going, || false);
    let refused = part(whole, |search| search.refused, || None);
    let status = part(whole, |search| search.status, String::new);
    let findings = part(whole, |search| search.findings, Vec::new);
    let properties = part(whole, |search| search.properties, Vec::new);
    let is_expected = part(whole, |search| search.is_expected, || true);
    let assumed = part(whole, |search| search.assumed, String::new);
    let tasks = part(whole, |search| search.tasks.to_string(), String::new);
    let offered =
        part(whole, |search| search.offered.iter().map(|tasks| (tasks.to_string(), tasks.to_string())).collect::<Choices>(), Vec::new);
    let tick = move |of: PropertyTick| {
        let word = of.word.clone();
        let is_on = of.is_on;
        view! { <TickField label=of.label name="policy-property" value=is_on on_change=move |is_on| host.send(Msg::Tick(word.clone(), is_on)) /> }
    };
    let button = move || {
        if is_going.get() {
            view! { <button type="button" id="policy-cancel" on:click=move |_| host.send(Msg::Cancel)>"Cancel"</button> }.into_any()
        } else {
            let is_off = move || refused.with(Option::is_some);
            view! { <button type="button" class="primary" id="policy-search" disabled=is_off on:click=move |_| host.send(Msg::Search)>"Search"</button> }
                .into_any()
        }
    };
    view! {
        <section class="policy-search" aria-labelledby="policy-search-title">
            <h3 id="policy-search-title">"Can it go wrong?"</h3>
            <div class="tool-row">
                <SelectField
                    label="Tasks, at most"
                    name="policy-tasks"
                    choices=offered
                    value=tasks
                    on_change=move |tasks: String| host.send(Msg::SetTasks(tasks.parse().unwrap_or(0)))
                />
                {button}
                <span class="tool-note" id="policy-status" role="status">{move || status.get()}</span>
            </div>
            {move || refused.get().map(|why| view! { <p class="field-error" role="alert">{safe(&why)}</p> })}
            <details class="policy-properties">
                <summary>"What to look for" {move || if is_expected.get() { ": what the text expects" } else { ": your choice" }}</summary>
                <div role="group" aria-label="What to look for">{move || properties.get().into_iter().map(tick).collect_view()}</div>
                {move || {
                    (!is_expected.get())
                        .then(|| view! { <button type="button" class="link" on:click=move |_| host.send(Msg::TickExpected)>"As the text expects"</button> })
                }}
            </details>
            <ul class="policy-findings" id="policy-findings">
                {move || findings.get().into_iter().map(|of| finding(host, of)).collect_view()}
            </ul>
            {move || {
                Some(assumed.get()).filter(|assumed| !assumed.is_empty()).map(|assumed| view! { <p class="tool-note" id="policy-assumed">{assumed}</p> })
            }}
        </section>
    }
}

fn finding(host: Host<OwnPolicy>, of: FindingRow) -> impl IntoView {
    let (class, sign, word) = match of.verdict {
        Verdict::Fault => ("is-fault", "✗", "Fault"),
        Verdict::Warning => ("is-warning", "!", "Warning"),
        Verdict::Clean => ("is-clean", "✓", "Clean"),
        Verdict::NoneFound => ("is-none", "○", "None"),
        Verdict::Open => ("is-open", "…", "Open"),
    };
    let property = of.word.clone();
    let follow = move |_| {
        host.send(Msg::Follow(property.clone()));
        show_requests();
    };
    let requests = (!of.requests.is_empty()).then(|| {
        view! {
            <button type="button" class="policy-follow" title="Step through these requests" on:click=follow>
                {of.requests.clone()}
            </button>
        }
    });
    let property = of.word.clone();
    let set = (!of.set.is_empty()).then(|| {
        view! {
            <p class="policy-set">{of.set.clone()}</p>
            <button
                type="button"
                class="small"
                title="A table of this task set, whose run shows it, in the stepper"
                on:click=move |_| host.send(Msg::OpenTaskSet(property.clone()))
            >
                "Open as a run"
            </button>
        }
    });
    let story = (!of.story.is_empty()).then(|| view! { <p>{safe(&of.story)}</p> });
    view! {
        <li class=class data-property=of.word>
            <span class="policy-verdict"><span aria-hidden="true">{sign}</span> " " {word}</span>
            <div>
                <p><b>{safe(&of.title)}</b></p>
                {story}
                {requests}
                {set}
            </div>
        </li>
    }
}
