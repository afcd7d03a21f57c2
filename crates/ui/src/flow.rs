//! The queues as one flow, from streams over the lines in which operations wait to the GPU; on a step, what moves is seen to move.
//!
//! Depends on `view::queues::flow`. Invariants: the flow is shown whole at once, only its parts' way there takes time; a part moves by
//! a transform alone, so that nothing else is laid out anew; another step ends what is on its way.

use std::collections::HashMap;

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use super::queues::{DiagramOptions, on_chip_key};
use super::text::safe;
use blockstep_sim::units::{OpId, RowId};
use blockstep_view::palette;
use blockstep_view::quantity::format_count;
use blockstep_view::queues::{BlockGroup, FlowLine, FlowSm, FlowView, QueuedOp};

/// A reader who goes further than so many steps at once does not follow what moves.
const MAX_STEPS: u32 = 12;

/// The class of what is on its way; the style sheet says how long that takes.
const MOVES: &str = "moves";

/// Where parts stand, px from the corner of the flow, by what they are.
type Places = HashMap<String, (i32, i32)>;

/// The flow.
#[component]
pub fn FlowPicture(
    #[prop(into)] flow: Signal<FlowView>,
    #[prop(into)] look: Signal<DiagramOptions>,
    /// Steps applied, so that it is known which way parts go.
    #[prop(into)]
    position: Signal<u32>,
    /// Whether parts are seen to move.
    #[prop(into)]
    is_moving: Signal<bool>,
    /// Told of which operation a part was clicked.
    #[prop(into)]
    on_select: Callback<OpId>,
) -> impl IntoView {
    let node = NodeRef::<leptos::html::Div>::new();
    let places = StoredValue::new(Places::new());
    let was_at = StoredValue::new(None::<u32>);
    Effect::new(move |_| {
        flow.track();
        look.track();
        let at = position.get();
        let was = was_at.get_value();
        was_at.set_value(Some(at));
        let moves = is_moving.get() && was.is_some_and(|was| was != at && was.abs_diff(at) <= MAX_STEPS);
        let is_back = was.is_some_and(|was| at < was);
        // Once it stands in the document, and before it is painted.
        request_animation_frame(move || {
            // The page may be gone in tests.
            let Some(node) = node.try_get_untracked().flatten() else { return };
            let before = places.try_update_value(std::mem::take).unwrap_or_default();
            let after = measure(&node);
            if moves {
                move_parts(&node, &before, &after, is_back);
            }
            places.set_value(after);
        });
    });
    let colours = move |row: RowId| {
        let colour = palette::colour_of(row, look.get().is_dark);
        let (ground, ink) = (colour.css(), palette::text_on(colour).css());
        format!("--k:{ground};--kt:{ink}")
    };
    let item = move |item: &QueuedOp, place: &'static str| {
        let op = item.op;
        let class = match (item.fully_dispatched, item.dispatched) {
            (true, _) => "flow-item whole",
            (false, true) => "flow-item part",
            (false, false) => "flow-item",
        };
        view! {
            <li
                class=class
                style=colours(item.row)
                title=safe(&item.title())
                data-op=op.0
                data-part=format!("{place}{}", op.0)
                on:click=move |_| on_select.run(op)
            >
                <b role="button" tabindex="-1" aria-label=safe(&item.title())>{safe(&item.label)}</b>
                {item.progress().map(|progress| view! { <span class="flow-count">{progress}</span> })}
            </li>
        }
    };
    let line = move |line: &FlowLine, place: &'static str| {
        let items = line.items.iter().map(|i| item(i, place)).collect_view();
        view! {
            <div class="flow-line" class:away=line.is_away data-flow=place>
                <span class="flow-name">
                    {safe(&line.name)} {(!line.note.is_empty()).then(|| view! { <i>{line.note.clone()}</i> })}
                </span>
                <ol>{items} {(line.hidden > 0).then(|| view! { <li class="flow-more">{format!("+{}", format_count(line.hidden as u64))}</li> })}</ol>
            </div>
        }
    };
    let block = move |group: &BlockGroup| {
        let op = group.op;
        view! {
            <li
                class="flow-block"
                class:suspended=group.suspended
                class:spins=group.spins && !group.suspended
                style=format!("{};flex-grow:{}", colours(group.row), group.threads)
                title=safe(&group.title())
                data-op=op.0
                data-part=format!("b{}/{}", op.0, group.label)
                on:click=move |_| on_select.run(op)
            >
                <span role="button" tabindex="-1" aria-label=safe(&group.title())>{safe(&group.label)}</span>
            </li>
        }
    };
    let sm = move |sm: &FlowSm| {
        let blocks = sm.blocks.iter().map(block).collect_view();
        let free =
            sm.free_in_words().map(|text| view! { <li class="flow-free" style=format!("flex-grow:{}", sm.free)><span>{text}</span></li> });
        view! {
            <div class="flow-line flow-sm" data-flow="sm">
                <span class="flow-name">{sm.name.clone()}</span>
                <ol>{blocks} {free}</ol>
            </div>
        }
    };
    let whole = move || {
        flow.with(|flow| {
            let lines = |lines: &[FlowLine], place: &'static str| lines.iter().map(|l| line(l, place).into_any()).collect::<Vec<_>>();
            let arrow = |is_there: bool| is_there.then(|| view! { <span class="flow-arrow"></span> });
            let column = |class: &'static str, title: &'static str, lines: Vec<AnyView>| {
                (!lines.is_empty()).then(|| view! { <div class=class><p class="flow-title">{title}</p> {lines}</div> })
            };
            let hidden = (flow.hidden_sms > 0)
                .then(|| view! { <p class="flow-title">{format!("and {} more SMs", format_count(flow.hidden_sms as u64))}</p> });
            view! {
                {column("flow-streams", "Streams", lines(&flow.streams, "s"))}
                {arrow(!flow.streams.is_empty())}
                {column("flow-waiting", "Waiting lines", lines(&flow.waiting, "e"))}
                {arrow(!flow.waiting.is_empty())}
                <div class="flow-gpu">
                    <p class="flow-title">"GPU"</p>
                    {flow.sms.iter().map(sm).collect_view()}
                    {hidden}
                    {lines(&flow.engines, "c")}
                </div>
            }
        })
    };
    view! {
        <div
            class="flow"
            id="flow"
            role="group"
            tabindex="0"
            aria-label=move || flow.with(FlowView::in_words)
            node_ref=node
            on:keydown=on_chip_key
        >
            {whole}
        </div>
    }
}

fn parts(node: &HtmlElement) -> Vec<HtmlElement> {
    let Ok(found) = node.query_selector_all("[data-part]") else { return Vec::new() };
    (0..found.length()).filter_map(|i| found.item(i)?.dyn_into().ok()).collect()
}

/// Where the parts stand; what was on its way is there.
fn measure(node: &HtmlElement) -> Places {
    let corner = node.get_bounding_client_rect();
    let all = parts(node);
    // Before the first is measured, so that the page is laid out once.
    all.iter().for_each(|part| {
        let _ = part.class_list().remove_1(MOVES);
    });
    let place = |part: &HtmlElement| {
        let rect = part.get_bounding_client_rect();
        ((rect.left() - corner.left()).round() as i32, (rect.top() - corner.top()).round() as i32)
    };
    all.iter().filter_map(|part| Some((part.get_attribute("data-part")?, place(part)))).collect()
}

/// The operation that a part is of.
fn op_of(part: &str) -> &str {
    part[1..].split('/').next().unwrap_or_default()
}

/// From where a part comes that stands somewhere now.
fn origin<'a>(part: &str, before: &'a Places, after: &Places, is_back: bool) -> Option<&'a (i32, i32)> {
    let op = op_of(part);
    let at = |place: &str| before.get(&format!("{place}{op}"));
    // A block that is taken back goes to where it waited.
    let taken_back = || before.iter().find(|(other, _)| other.starts_with('b') && op_of(other) == op && !after.contains_key(*other));
    match part.as_bytes().first() {
        Some(b'e') if is_back => taken_back().map(|(_, place)| place).or_else(|| at("c")).or_else(|| before.get(part)),
        _ if before.contains_key(part) => before.get(part),
        // Back in time it was there before it was gone, and came from nowhere.
        _ if is_back => None,
        Some(b'e') => at("s"),
        Some(b'b' | b'c') => at("e").or_else(|| at("s")),
        _ => None,
    }
}

fn move_parts(node: &HtmlElement, before: &Places, after: &Places, is_back: bool) {
    let mut moved = Vec::new();
    for part in parts(node) {
        let Some(name) = part.get_attribute("data-part") else { continue };
        let (Some(to), Some(from)) = (after.get(&name), origin(&name, before, after, is_back)) else { continue };
        if from != to {
            let style = part.style();
            // Names of custom properties.
            let _ = style.set_property("--dx", &format!("{}px", from.0 - to.0));
            let _ = style.set_property("--dy", &format!("{}px", from.1 - to.1));
            moved.push(part);
        }
    }
    // What was on its way has been taken off it in between, and begins anew.
    let _ = node.offset_width();
    for part in moved {
        let _ = AsRef::<Element>::as_ref(&part).class_list().add_1(MOVES);
    }
}
