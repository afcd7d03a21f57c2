//! The page: opening a trace, then the answer, the timeline, an operation, and tables.
//!
//! Invariant: while a file is read, only its progress changes.

use std::sync::Arc;

use leptos::prelude::*;

use super::answer::TraceAnswer;
use super::causes::Queued;
use super::compared::{Changes, Verdict};
use super::host::TraceHost;
use super::minimap::Minimap;
use super::operation::OperationCard;
use super::range::RangeCard;
use super::ranks::Ranks;
use super::tables::{LeverTable, NameTable, PathTables, Waits};
use super::timeline::{Timeline, TimelineView};
use super::waiting::waits;
use super::walk::Walk;
use crate::state::{Status, TraceState, Where};
use blockstep_sim::units::written::{format_bytes, format_count};
use blockstep_traces_messages::{Chosen, Overview, TraceAsk};
use blockstep_ui::{FilePicker, safe};

const HOW_NSYS: &str = "Nsight Systems:";
const HOW_JAX: &str = "JAX:";
const HOW_ROCPROF: &str = "rocprofv3, on AMD's GPUs:";

/// What is shown at all, which changes less often than how far it is.
#[derive(Clone, PartialEq)]
enum Shown {
    Nothing,
    Busy,
    Failed(String),
    Open(String, Arc<Overview>),
}

/// The page of traces.
#[component]
pub fn TracePage(trace: TraceState, host: TraceHost) -> impl IntoView {
    provide_context(trace);
    provide_context(host);
    let shown = Memo::new(move |_| {
        trace.status.with(|status| match status {
            Status::Nothing => Shown::Nothing,
            Status::Reading(..) | Status::Explaining(..) | Status::Finishing(..) => Shown::Busy,
            Status::Failed(name, why) => Shown::Failed(format!("{} was not opened: {}", safe(name), safe(why))),
            Status::Open(name, overview) => Shown::Open(name.clone(), Arc::clone(overview)),
        })
    });
    let name = move || shown.with(|shown| if let Shown::Open(name, _) = shown { safe(name) } else { String::new() });
    let body = move || match shown.get() {
        Shown::Nothing if trace.ranks.with(Option::is_some) => ().into_any(),
        Shown::Nothing => intro().into_any(),
        Shown::Busy => busy(trace).into_any(),
        Shown::Failed(why) => {
            let intro = trace.ranks.with(Option::is_none).then(intro);
            view! { <p class="field-error" id="trace-failed" role="alert">{why}</p> {intro} }.into_any()
        }
        Shown::Open(name, overview) => view! { <Whole name=name overview=overview /> }.into_any(),
    };
    view! {
        <div class="trace">
            <div class="tool-row">
                <FilePicker
                    class="primary"
                    label="Open a trace…"
                    field="trace-file"
                    name="Trace of a profiler, or logs of blocks"
                    accept=".json,.gz,.sqlite,.db,.nsys-rep,application/json,application/gzip"
                    on_files=host.on_files
                />
                <button type="button" id="trace-example" on:click=move |_| trace.open_example()>"Your first trace: an example"</button>
                <strong class="trace-name">{name}</strong>
            </div>
            {move || trace.ranks.get().map(|ranks| view! { <Ranks ranks=ranks trace=trace /> })}
            {body}
        </div>
    }
}

fn intro() -> impl IntoView {
    let measured_link = expect_context::<TraceHost>().measured_link;
    view! {
        <p>"Open a trace of the PyTorch profiler or of JAX (.json or .json.gz), an export of Nsight Systems (.sqlite), or the \
                               output of rocprofv3 for AMD's GPUs (.db or .json). Blockstep says where the time went, and why each \
                               kernel and copy waited between its call and its start. Two traces of a program that you open together are \
                               compared; the ranks of a job, up to 64, stand in a table. You can also drop the files anywhere. They stay \
                               in your browser."</p>
        <p>
            "Logs of blocks open here too: those of blockstep measure and of cuda_scheduling_examiner, all of one run together. "
            {measured_link.run(())}
        </p>
        <details>
            <summary>"How to record a trace"</summary>
            <p>"PyTorch:"</p>
            <pre class="trace-code" tabindex="0" role="group" aria-label="PyTorch:">
                "from torch.profiler import profile, ProfilerActivity, _ExperimentalConfig
with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA],
             experimental_config=_ExperimentalConfig(enable_cuda_sync_events=True)) as prof:
    step()
prof.export_chrome_trace(\"trace.json.gz\")"</pre>
            <p>{HOW_JAX}</p>
            <pre class="trace-code" tabindex="0" role="group" aria-label=HOW_JAX>
                "import jax
with jax.profiler.trace(\"profile\"):
    step().block_until_ready()
# Open profile/plugins/profile/*/*.trace.json.gz"</pre>
            <p>{HOW_NSYS}</p>
            <pre class="trace-code" tabindex="0" role="group" aria-label=HOW_NSYS>
                "nsys profile -t cuda --cuda-graph-trace=node -o report PROGRAM
    nsys export --type sqlite report.nsys-rep"</pre>
            <p>{HOW_ROCPROF}</p>
            <pre class="trace-code" tabindex="0" role="group" aria-label=HOW_ROCPROF>"rocprofv3 --sys-trace -- PROGRAM"</pre>
        </details>
    }
}

fn busy(trace: TraceState) -> impl IntoView {
    let now = move || {
        let of = trace.of_several.get().map_or(String::new(), |(place, count)| format!(" (file {place} of {count})"));
        trace.status.with(|status| match status {
            Status::Reading(name, read, size) => {
                (format!("Reading {}{of}: {} of {}", safe(name), rounded(*read), rounded(*size)), *read, *size)
            }
            Status::Explaining(name, done, all) => {
                (format!("Explaining {}{of}: {} of {} operations", safe(name), format_count(*done), format_count(*all)), *done, *all)
            }
            Status::Finishing(name, what) => (format!("{what} {}{of}", safe(name)), 1, 1),
            _ => (String::new(), 0, 1),
        })
    };
    view! {
        <div class="tool-row" id="trace-progress">
            <progress aria-label="Reading the trace" max=move || now().2.max(1).to_string() value=move || now().1.to_string()></progress>
            <span role="status">{move || now().0}</span>
            <button type="button" on:click=move |_| trace.close()>"Cancel"</button>
        </div>
    }
}

#[component]
fn Whole(name: String, overview: Arc<Overview>) -> impl IntoView {
    let trace = expect_context::<TraceState>();
    let look = TimelineView::new(trace, overview.end);
    let of_tables = Arc::clone(&overview);
    // A file of the host alone has nothing that a scenario could be made of.
    let has_operations = overview.names.count > 0;
    let compared = overview.compared.clone().map(|compared| {
        let of_table = compared.clone();
        view! { <Verdict compared=compared name=name.clone() trace=trace /> <Changes compared=of_table /> }
    });
    let map = view! { <Minimap overview=Arc::clone(&overview) look=look /> }.into_any();
    view! {
        <Walk look=look />
        {compared}
        <TraceAnswer overview=Arc::clone(&overview) look=look />
        <Timeline overview=overview look=look above=map />
        <OperationCard look=look />
        <RangeCard look=look />
        <PathTables paths=of_tables.paths.clone() look=look />
        <LeverTable look=look />
        <Queued causes=of_tables.causes.clone() />
        <Waits waits=of_tables.waits.clone() look=look />
        <NameTable names=of_tables.names.clone() />
        {has_operations.then(|| view! { <Scenario name=name look=look /> })}
    }
}

/// Which of what is in sight becomes a scenario.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    All,
    Stream,
    Found,
}

impl Choice {
    const fn id(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Stream => "stream",
            Self::Found => "found",
        }
    }

    fn read(id: &str) -> Self {
        [Self::Stream, Self::Found].into_iter().find(|choice| choice.id() == id).unwrap_or(Self::All)
    }
}

#[component]
fn Scenario(name: String, look: TimelineView) -> impl IntoView {
    let (trace, host) = (expect_context::<TraceState>(), expect_context::<TraceHost>());
    let title = format!("From {name}");
    let made_as = title.clone();
    let choice = RwSignal::new(Choice::All);
    let selected = move || trace.card.with(|card| card.as_ref().map(|card| card.operation));
    let found = move || trace.found.with(|found| (!found.text.is_empty()).then(|| found.text.clone()));
    // What is chosen may be gone since.
    let of = move || match choice.get() {
        Choice::Stream => selected().map_or(Chosen::All, Chosen::StreamOf),
        Choice::Found => found().map_or(Chosen::All, Chosen::Named),
        Choice::All => Chosen::All,
    };
    let make = move |_| {
        let sight = look.scale.with_untracked(|scale| scale.visible());
        trace.ask(&TraceAsk::Make { of: untrack(of), from: sight.start, to: sight.end, name: made_as.clone() });
    };
    let option = move |this: Choice, text: &'static str, is_there: Signal<bool>| {
        let is_on = move || this == if of() == Chosen::All { Choice::All } else { choice.get() };
        view! { <option value=this.id() disabled=move || !is_there.get() prop:selected=is_on>{text}</option> }
    };
    let options = [
        option(Choice::All, "everything", Signal::stored(true)),
        option(Choice::Stream, "the stream of the selected operation", Signal::derive(move || selected().is_some())),
        option(Choice::Found, "what the search finds", Signal::derive(move || found().is_some())),
    ];
    let open = StoredValue::new(title);
    let open = move |_| {
        let Some(Ok((scenario, _))) = trace.made.get_untracked() else { return };
        host.on_scenario.run((scenario, open.get_value()));
    };
    let result = move || {
        trace.made.get().map(|made| match made {
            Err(why) => view! { <p class="field-error" role="alert">{why}</p> }.into_any(),
            Ok((_, left_out)) => {
                let said = if left_out.is_empty() {
                    "All of it is in the scenario. Times of blocks are estimated."
                } else {
                    "This differs from the trace:"
                };
                view! {
                    <div id="trace-made" role="status">
                        <p>{said}</p>
                        <ul class="trace-list">{left_out.into_iter().map(|line| view! { <li>{line}</li> }).collect_view()}</ul>
                    </div>
                    <button type="button" class="primary" id="trace-open-scenario" on:click=open>"Open the scenario"</button>
                }
                .into_any()
            }
        })
    };
    view! {
        <section aria-labelledby="trace-scenario-title">
            <h3 id="trace-scenario-title">"Make this a scenario"</h3>
            <p>"The visible part of the timeline becomes a table that you can edit and run step by \
                                        step. Zoom in first: it takes up to 300 operations."</p>
            <div class="tool-row">
                <label>
                    "From the visible part, take"
                    " "
                    <select id="trace-chosen" on:change:target=move |event| choice.set(Choice::read(&event.target().value()))>
                        {options}
                    </select>
                </label>
                <button type="button" id="trace-make" on:click=make>"Make the scenario"</button>
            </div>
            {waits(trace, Where::Scenario)}
            {result}
        </section>
    }
}

/// Bytes to a tenth of a megabyte.
fn rounded(bytes: u64) -> String {
    const MB: u64 = 1_000_000;
    if bytes < MB / 10 { format_bytes(bytes) } else { format!("{}.{} MB", format_count(bytes / MB), bytes % MB / (MB / 10)) }
}
