//! The panels of the tools beside the run, and what tools show under the timeline.
//!
//! Invariant: nothing here knows one tool from another but by its [`blockstep_tools::Info`].

use leptos::prelude::*;

use super::host::{Tools, title_id};
use super::open_tool::OpenTool;
use blockstep_tools::ToolId;
use blockstep_tools::tool::SharedPlace;
use blockstep_ui::Busy;
use blockstep_ui::starts_at_top;

/// What a tool shows, below its title.
#[component]
pub(crate) fn ToolContent(tools: Tools, tool: ToolId) -> impl IntoView {
    view! {
        <Busy of=tools.on_its_way(tool) />
        {super::panel_of(tool, tools.line(tool))}
    }
}

/// The panels of the tools that are open: one is in sight, and each has a tab. The page stands after them, which hides them.
#[component]
pub(crate) fn ToolPanels(tools: Tools, children: Children) -> impl IntoView {
    let open = Memo::new(move |_| tools.open.get().into_iter().filter(|tool| !tool.info().below_kernels).collect::<Vec<_>>());
    let beside = Memo::new(move |_| open.get().into_iter().filter(|tool| !tool.info().stays).collect::<Vec<_>>());
    let tab = move |tool: ToolId| {
        let info = tool.info();
        view! {
            <button
                type="button" class="small"
                aria-pressed=move || tools.is_in_front(tool).to_string()
                data-tab=info.name
                on:click=move |_| tools.front.set(Some(tool))
            >
                {info.heading()}
            </button>
        }
    };
    let tabs = move || {
        (beside.with(Vec::len) > 1).then(|| {
            view! {
                <div class="tool-tabs" role="group" aria-label="Open tools">
                    <For each=move || beside.get() key=|tool| *tool children=tab />
                </div>
            }
        })
    };
    let front = move || tools.front.get().map(|tool| tool.info().name.to_owned()).unwrap_or_default();
    let selector = move || tools.front.get_untracked().map(|tool| format!("#tool-{}", tool.info().name));
    starts_at_top(front, selector);
    let panel = move |tool: ToolId| {
        let info = tool.info();
        let own_title = tools.title(tool);
        let title = move || Some(own_title.get()).filter(|title| !title.is_empty()).unwrap_or_else(|| info.heading().to_owned());
        view! {
            <section
                class="panel tool"
                id=format!("tool-{}", info.name)
                data-tool=info.name
                aria-labelledby=title_id(info)
                data-tab=info.shares_panel().then(|| tools.tab(tool))
                hidden=move || !tools.is_in_front(tool)
            >
                <div class="tool-head">
                    <h2 id=title_id(info) tabindex="-1">{title}</h2>
                    <button class="icon small" aria-label="Close" title="Close" on:click=move |_| tools.dismiss(tool)>"×"</button>
                </div>
                {info.place.filter(|_| info.shares_panel()).map(|place| place_tabs(tools, tool, place))}
                <ToolContent tools=tools tool=tool />
            </section>
        }
    };
    view! {
        <div id="tools" class="tools">
            {tabs}
            <For each=move || open.get() key=|tool| *tool children=panel />
            {children()}
        </div>
    }
}

/// The panels that stand below the kernels, for those that are open.
#[component]
pub(crate) fn BelowKernels() -> impl IntoView {
    let tools = expect_context::<Tools>();
    let open = move || tools.open.get().into_iter().filter(|tool| tool.info().below_kernels).collect::<Vec<_>>();
    let panel = move |tool: ToolId| {
        let info = tool.info();
        view! {
            <section class="tool below-kernels" id=format!("tool-{}", info.name) data-tool=info.name aria-labelledby=title_id(info)>
                <div class="tool-head">
                    <h2 id=title_id(info) tabindex="-1">{info.heading()}</h2>
                    <button class="icon small" aria-label="Close" title="Close" on:click=move |_| tools.dismiss(tool)>"×"</button>
                </div>
                <ToolContent tools=tools tool=tool />
            </section>
        }
    };
    view! { <For each=open key=|tool| *tool children=panel /> }
}

/// The tabs of a place, of all tools that share it: those that make links first.
fn place_tabs(tools: Tools, tool: ToolId, place: SharedPlace) -> impl IntoView {
    let (first, others): (Vec<_>, Vec<_>) = tool.sharers().partition(|tool| tool.info().makes_links);
    let all = first.into_iter().chain(others);
    let tabs = all.flat_map(|tool| tool.info().tabs.iter().map(move |&(word, title)| (tool, word, title)));
    let tab = |(tool, word, title): (ToolId, &'static str, &'static str)| {
        let is_shown = move || tools.is_open(tool) && tools.tab(tool).get() == word;
        view! {
            <button
                type="button"
                class="small"
                aria-pressed=move || is_shown().to_string()
                data-open-tab=word
                on:click=move |_| tools.open_tab(tool, word)
            >
                {title}
            </button>
        }
    };
    let beside = ToolId::beside(place).map(|tool| {
        view! {
            <OpenTool tool=tool class="small">
                {tool.info().title}
                "…"
            </OpenTool>
        }
    });
    view! {
        <div class="tool-tabs place-tabs" role="group" aria-label=place.asks()>
            {tabs.map(tab).collect_view()} {beside.collect_view()}
        </div>
    }
}

/// Where tools draw pictures as wide as the timeline.
#[component]
pub(crate) fn WideParts(tools: Tools) -> impl IntoView {
    let with_part = move || tools.open.get().into_iter().filter(|tool| tool.info().wide.is_some()).collect::<Vec<_>>();
    view! { <For each=with_part key=|tool| *tool children=move |tool: ToolId| super::wide_part_of(tool, tools.line(tool)) /> }
}
