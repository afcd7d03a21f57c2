//! What is set outside the tables: the policy's settings, how tasks are spread over processes, the device's limits, the
//! horizon, the seed.
//!
//! Invariant: a limit that is changed makes the device one of one's own; the built-in ones never change. A policy's settings outlive
//! the choice of another.

use leptos::prelude::*;

use crate::state::cursor::CursorState;
use crate::state::document::DocumentState;
use crate::state::run::RunState;
use blockstep_sim::policy::{self, Setting};
use blockstep_sim::scenario::device::{LIMITS, Limit};
use blockstep_sim::scenario::{BlockEnds, Choice, Draft, Placement};
use blockstep_tools::own::text_in_run;
use blockstep_ui::{Field, PolicyText, safe};
use blockstep_view::document::{Arrangement, CARDS, Card, SwitchShape, limit_title};
use blockstep_view::quantity::{format_count, format_time};

const CHARGES: [(&str, &str); 2] = [("every", "every: all switches to another process"), ("expiries", "expiries: as [EDF] VI-C")];

const CHAINS: [(&str, &str); 2] = [("one", "one: a process at a time"), ("resident", "resident: all on one runlist, as [EDF] IV-A")];

const SHAPES: [(&str, &str); 3] =
    [("constant", "no: all take the cost"), ("tail", "around the cost, with a tail"), ("samples", "as samples do")];

const BUDGETS_ON: [(&str, &str); 2] = [("on", "on"), ("off", "off")];

const PREEMPTIONS: [(&str, &str); 4] = [
    ("thread", "thread: at once"),
    ("block", "block: when the running blocks end"),
    ("kernel", "kernel: when the started kernels end"),
    ("none", "none"),
];

/// Measured costs of a switch, [LP] Table II: what is typed, what the button says, its tooltip.
const COSTS: [(&str, &str, &str); 4] = [
    ("27us", "27 µs", "lpEDF and npEDF, average"),
    ("44us", "44 µs", "lpEDF and npEDF, maximum"),
    ("263us", "263 µs", "EDF with registers and local memory, average"),
    ("434us", "434 µs", "EDF with registers and local memory, maximum"),
];

/// Measured turns (docs/semantics.md, section 6): the timeslice, the cost of a switch, what the button says, its tooltip.
const TURNS: [(&str, &str, &str, &str); 2] = [
    ("2.209ms", "56us", "RTX 5090", "All processes: timeslices of 2.209 ms, switches of 56 µs, as in logs of eunomia-bpf/gpu_ext"),
    ("2ms", "240us", "H200", "All processes: timeslices of 2 ms, switches of 240 µs, as blockstep measure found"),
];

/// Settings of the policies that switch between processes.
#[component]
pub(super) fn PolicySettings() -> impl IntoView {
    let doc = expect_context::<DocumentState>();
    let kind = Memo::new(move |_| doc.with(|d| d.rest.policy.kind));
    let uses = move |setting| policy::about(kind.get()).uses(setting);
    let preset = move |(cost, text, title): (&'static str, &'static str, &'static str)| {
        let on_click = move |_| doc.edit(None, |d| d.set_constant_switches(cost));
        view! { <button class="small" title=title on:click=on_click>{text}</button> }
    };
    let save = Memo::new(move |_| format_time(doc.with(|d| d.time_to_save())));
    let turns = move |(timeslice, cost, text, title): (&'static str, &'static str, &'static str, &'static str)| {
        let on_click = move |_| doc.edit(None, |d| d.take_turns(timeslice, cost));
        view! { <button class="small" title=title on:click=on_click>{text}</button> }
    };
    view! {
        <section
            class="panel policy-settings"
            id="policy-settings"
            aria-labelledby="policy-settings-title"
            hidden=move || !uses(Setting::SwitchCost)
        >
            <h2 id="policy-settings-title">"Policy settings"</h2>
            <Switches />
            <div class="presets" role="group" aria-label="Costs of a switch">
                <span>"[LP] Table II:"</span>
                {COSTS.map(preset).collect_view()}
                <SwitchCards />
                <span>"[EDF] VI-C:"</span>
                <button
                    class="small"
                    id="time-to-save"
                    title="64 KiB of constants, 512 KiB of L2 cache and, for each SM, 48 KiB of shared memory and 32,768 registers, saved \
                    at 20 GB/s: the paper's numbers, for as many SMs as this device has"
                    on:click=move |_| doc.edit(None, |d| d.set_constant_switches(&save.get_untracked()))
                >
                    {save}
                </button>
            </div>
            <Show when=move || uses(Setting::Text)>
                <div class="own-settings">
                    <OwnText />
                </div>
            </Show>
            <div class="policy-part" id="edf-settings" hidden=move || !uses(Setting::Servers)>
                <ListField path="policy.preemption" title="Preemption" choices=&PREEMPTIONS />
                <ListField path="policy.cbs" title="Budgets (CBS)" choices=&BUDGETS_ON />
                <TopField path="policy.signal_ns" title="Signal to the RunList Manager" placeholder="0" />
                <TopField path="policy.runlist_ns" title="Runlist submission" placeholder="0" />
                <ListField
                    path="policy.chain"
                    title="Chain of a consumer"
                    help="How the producers of a waiting real-time consumer run: one process at a time, or all in turns by timeslice, on one runlist"
                    choices=&CHAINS
                />
                <TopField path="policy.watchdog_ns" title="Watchdog" placeholder="none" />
            </div>
            <div class="policy-part" id="runlist-settings" hidden=move || !uses(Setting::SwitchCharge)>
                <ListField
                    path="policy.switch_charge"
                    title="Charged switches"
                    help="expiries: only switches from a process whose timeslice has expired, as in [EDF] VI-C"
                    choices=&CHARGES
                />
                <div class="presets" role="group" aria-label="Measured turns">
                    <span>"Turns as measured:"</span>
                    {TURNS.map(turns).collect_view()}
                </div>
                <p class="quiet">"Set interleaving, timeslice and preemption for each process in the table below."</p>
            </div>
        </section>
    }
}

/// The text of a policy of one's own, with what its last decision did at the current step.
#[component]
fn OwnText() -> impl IntoView {
    let doc = expect_context::<DocumentState>();
    let (run, cursor) = (expect_context::<RunState>(), expect_context::<CursorState>());
    let text = Memo::new(move |_| doc.with(|d| d.rest.policy.text.clone()));
    let view = Memo::new(move |_| text.with(|text| run.with(|run| text_in_run(text, run.trace(), cursor.position.get()))));
    let lines = Memo::new(move |_| view.with(|view| view.lines.clone()));
    let mistake = Memo::new(move |_| view.with(|view| view.mistake.clone()));
    // Keystrokes in it are one entry of the history.
    let on_type = move |text| doc.edit(Some("policy.text".to_owned()), |d| d.rest.policy.text = text);
    view! {
        <PolicyText id="own" text=text lines=lines mistake=mistake on_type=on_type />
        <p class="quiet">
            "Set timeslice and preemption for each process in the table below, and for each task how long it takes to wake up. "
            <a href="#/policy">"Search policies for faults"</a> "."
        </p>
    }
}

/// What a switch takes, and how that varies.
#[component]
fn Switches() -> impl IntoView {
    let doc = expect_context::<DocumentState>();
    let shape = Memo::new(move |_| doc.with(|d| SwitchShape::from_policy(&d.rest.policy)));
    view! {
        <div class="policy-part" hidden=move || shape.get() == SwitchShape::Samples>
            <TopField path="policy.switch_cost_ns" title="Switch cost" placeholder="0" />
        </div>
        <ListField path="policy.switches" title="Switches vary" choices=&SHAPES />
        <div class="policy-part" id="switch-tail" hidden=move || shape.get() != SwitchShape::Tail>
            <TopField path="policy.switch_cost_max_ns" title="Longest switch" placeholder="" />
            <TopField path="policy.switch_tail_per_million" title="In the tail, per million" placeholder="3000" />
        </div>
        <div class="policy-part" id="switch-samples" hidden=move || shape.get() != SwitchShape::Samples>
            <TopField path="policy.switch_samples_ns" title="Measured switches" placeholder="" />
        </div>
    }
}

/// The cards of [LP] Table I, whose switches can be taken.
#[component]
fn SwitchCards() -> impl IntoView {
    let doc = expect_context::<DocumentState>();
    let current = Memo::new(move |_| doc.with(|d| d.switch_card()));
    let option = move |(i, card): (usize, &'static Card)| {
        view! { <option value=i prop:selected=move || current.get() == Some(i)>{card.line()}</option> }
    };
    let on_change = move |value: String| {
        if let Some(card) = value.parse().ok().and_then(|i: usize| CARDS.get(i)) {
            doc.edit(None, |d| d.set_switch_card(card));
        }
    };
    view! {
        <select
            id="switch-card"
            aria-label="Switches of a card, [LP] Table I"
            title="Switches around the average of a card, 0.3 % of them in a tail up to its maximum; that share was measured on the GT 710, and is a choice for the others"
            on:change:target=move |event| on_change(event.target().value())
        >
            <option value="" prop:selected=move || current.get().is_none()>"[LP] Table I, a card"</option>
            {CARDS.iter().enumerate().map(option).collect_view()}
        </select>
    }
}

/// The ways to spread tasks over processes.
#[component]
pub(super) fn Arrange() -> impl IntoView {
    let doc = expect_context::<DocumentState>();
    let now = Memo::new(move |_| doc.with(|d| d.arrangement()));
    let button = move |id: &'static str, to: Arrangement, name: &'static str, title: &'static str| {
        let on_click = move |_| doc.edit(None, |d| d.arrange(to));
        view! {
            <button id=id class="small" title=title aria-pressed=move || (now.get() == to).to_string() on:click=on_click>
                {name}
            </button>
        }
    };
    view! {
        <div class="arrange" role="group" aria-label="Processes of the tasks">
            {button("one-process", Arrangement::One, "One process", "Moves all tasks into one process; their streams stay separate")}
            {button(
                "process-each",
                Arrangement::Each,
                "One process per task",
                "Moves each task into its own process, with its streams and their priorities",
            )}
        </div>
    }
}

/// At most so many SMs are drawn.
const DRAWN_SMS: u64 = 16;

/// The limits of a part of the device, by the names of their fields.
const OF_AN_SM: &str = "_per_sm";
const OF_A_BLOCK: &str = "max_";
const OF_COPIES: &str = "copy_";

/// The device as a block diagram, as [TX2] Fig. 1, whose numbers are edited where they stand; then how it chooses, and the run. It unfolds
/// when something is wrong in there.
#[component]
pub(super) fn Limits() -> impl IntoView {
    let run = expect_context::<RunState>();
    let doc = expect_context::<DocumentState>();
    let details = NodeRef::<leptos::html::Details>::new();
    let is_wrong = Memo::new(move |_| {
        run.problems
            .with(|problems| problems.iter().any(|p| ["horizon_ns", "connections"].contains(&&*p.path) || p.path.starts_with("device.")))
    });
    Effect::new(move |_| {
        if let (true, Some(details)) = (is_wrong.get(), details.get()) {
            details.set_open(true);
        }
    });
    let evidence = Memo::new(move |_| doc.with(|d| d.device().evidence().sentence()));
    let part = |is_part: fn(&str) -> bool| {
        let limits = LIMITS.iter().filter(move |limit| is_part(limit.field));
        let field =
            |limit: &Limit| view! { <TopField path=format!("device.{}", limit.field) title=limit_title(limit.field) placeholder="" /> };
        limits.map(field).collect_view()
    };
    let sms = Memo::new(move |_| doc.with(|d| d.device().sms));
    let drawn = move || (0..sms.get().min(DRAWN_SMS)).map(|_| view! { <i></i> }).collect_view();
    let more = move || sms.get().checked_sub(DRAWN_SMS).filter(|more| *more > 0).map(|more| format!("and {} more", format_count(more)));
    view! {
        <details class="panel limits" id="limits" node_ref=details>
            <summary>
                <h2>"Device, placement and horizon"</h2>
                <span class="quiet" id="device-name">{move || doc.with(|d| safe(&d.device().name))}</span>
                {move || evidence.get().map(|evidence| view! { <span class="quiet" id="device-evidence">{evidence}</span> })}
            </summary>
            <div class="limits-grid">
                <fieldset class="gpu-parts">
                    <legend>"GPU"</legend>
                    <div class="gpu-part">
                        {part(|field| field == "sms")}
                        <div class="sm-row" aria-hidden="true">{drawn} <span class="quiet">{more}</span></div>
                    </div>
                    <fieldset>
                        <legend>"Each SM"</legend>
                        {part(|field| field.ends_with(OF_AN_SM))}
                    </fieldset>
                    <fieldset>
                        <legend>"A block"</legend>
                        {part(|field| field.starts_with(OF_A_BLOCK))}
                    </fieldset>
                    <fieldset>
                        <legend>"Copies"</legend>
                        {part(|field| field.starts_with(OF_COPIES))}
                    </fieldset>
                </fieldset>
                <fieldset>
                    <legend>"Queues and placement"</legend>
                    <TopField path="connections" title="Hardware connections" placeholder="one for each stream" />
                    <PlacementField />
                    <BlockEndsField />
                </fieldset>
                <fieldset>
                    <legend>"The run"</legend>
                    <TopField path="horizon_ns" title="Horizon (end of the run)" placeholder="when all work is done" />
                    <TopField path="seed" title="Seed for varying times" placeholder="0" />
                </fieldset>
            </div>
        </details>
    }
}

/// How SMs are chosen for blocks.
#[component]
fn PlacementField() -> impl IntoView {
    let title = |placement| match placement {
        Placement::MostFree => "Most free SM",
        Placement::FirstFit => "First fit",
        Placement::RoundRobin => "Round robin",
        Placement::MostRoom => "Room for most blocks",
    };
    view! { <ChoiceField id="placement" label="Block placement" title read=|d| d.placement write=|d, placement| d.placement = placement /> }
}

/// Whether blocks that end at one instant give back their room together.
#[component]
fn BlockEndsField() -> impl IntoView {
    let title = |ends| match ends {
        BlockEnds::Together => "Free their room together",
        BlockEnds::OneByOne => "Free it one by one",
    };
    view! { <ChoiceField id="block_ends" label="Blocks that end together" title read=|d| d.block_ends write=|d, ends| d.block_ends = ends /> }
}

/// A closed choice of the scenario.
#[component]
fn ChoiceField<C: Choice + Send + Sync>(
    id: &'static str,
    label: &'static str,
    title: fn(C) -> &'static str,
    read: fn(&Draft) -> C,
    write: fn(&mut Draft, C),
) -> impl IntoView {
    let doc = expect_context::<DocumentState>();
    let current = Memo::new(move |_| doc.with(|d| read(&d.rest)));
    let option = |choice: C| {
        view! { <option value=choice.word() prop:selected=move || current.get() == choice>{title(choice)}</option> }
    };
    let on_change = move |word: String| {
        if let Some(choice) = C::from_word(&word) {
            doc.edit(None, |d| write(&mut d.rest, choice));
        }
    };
    view! {
        <label class="top-field">
            <span>{label}</span>
            <select id=id on:change:target=move |event| on_change(event.target().value())>
                {C::ALL.iter().copied().map(option).collect_view()}
            </select>
        </label>
    }
}

fn id_of(path: &str) -> String {
    path.replace('.', "-")
}

#[component]
fn TopField(
    #[prop(into)] path: String,
    title: &'static str,
    /// What an empty one stands for.
    placeholder: &'static str,
) -> impl IntoView {
    let doc = expect_context::<DocumentState>();
    let run = expect_context::<RunState>();
    let (id, path) = (id_of(&path), StoredValue::new(path));
    let text = Memo::new(move |_| path.with_value(|path| doc.with(|d| d.top_text(path))));
    let problem = Memo::new(move |_| path.with_value(|path| run.problem_at(path)));
    let set = move |text: String| path.with_value(|path| doc.edit(Some(path.clone()), |d| d.set_top(path, &text)));
    view! {
        <Field
            id=id
            title=title
            text=text
            problem=problem
            is_wrong=Signal::derive(move || problem.with(Option::is_some) && run.is_wrong())
            placeholder=placeholder
            on_input=set
            on_leave=move |()| doc.pause_history()
            on_undo=move |is_undo| if is_undo { doc.undo() } else { doc.redo() }
        />
    }
}

#[component]
fn ListField(
    path: &'static str,
    title: &'static str,
    #[prop(default = "")] help: &'static str,
    choices: &'static [(&'static str, &'static str)],
) -> impl IntoView {
    let doc = expect_context::<DocumentState>();
    let text = Memo::new(move |_| doc.with(|d| d.top_text(path)));
    let option = move |&(value, name): &'static (&'static str, &'static str)| {
        view! { <option value=value prop:selected=move || text.with(|text| text == value)>{name}</option> }
    };
    view! {
        <label class="top-field">
            <span>{title}</span>
            <select
                id=id_of(path)
                title=(!help.is_empty()).then_some(help)
                on:change:target=move |event| {
                    let text = event.target().value();
                    doc.edit(None, |d| d.set_top(path, &text));
                }
            >
                {choices.iter().map(option).collect_view()}
            </select>
        </label>
    }
}
