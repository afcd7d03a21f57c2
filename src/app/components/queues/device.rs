//! The GPU's part of the queue diagram: SMs with their blocks, and copy engines.
//!
//! Depends on the rest of the diagram. Invariant: what is free is told as a bar and in numbers.

use leptos::prelude::*;

use super::{Contents, Style, marked, more, queue, safe};
use crate::scenario::StreamPriority;
use crate::view::quantity::{format_bytes, format_count};
use crate::view::queues::{BlockGroup, EngineView, Gauge, SmView, SpaceView};

/// More SMs than that are drawn small.
const MANY_SMS: usize = 8;

pub(super) fn device(style: Style, space: &SpaceView) -> AnyView {
    let class = if space.sms.len() > MANY_SMS { "sms many" } else { "sms" };
    view! {
        <div class="stage-column column-device">
            <h3>"GPU"</h3>
            <div class=class>{space.sms.iter().map(|of| sm(style, of)).collect_view()}</div>
            {more(space.hidden_sms, "SMs")}
            <div class="engines">{space.engines.iter().map(|of| engine(style, of)).collect_view()}</div>
        </div>
    }
    .into_any()
}

fn engine(style: Style, engine: &EngineView) -> AnyView {
    let contents = Contents { items: engine.item.as_slice(), hidden: 0, left: engine.left.as_deref(), empty: "idle" };
    queue(style, "engine", &engine.label, StreamPriority::None, engine.changed, &contents)
}

fn sm(style: Style, sm: &SmView) -> AnyView {
    let ghost = sm.left.as_deref().map(|left| view! { <span class="item ghost" title="Completed by this step">{safe(left)}</span> });
    let free = sm.threads.free;
    let free = (free > 0).then(
        || view! { <span class="free" style=format!("flex-grow:{free}") title=format!("{} threads free", format_count(free))></span> },
    );
    view! {
        <div class=marked("sm", sm.changed) data-sm=sm.sm.0>
            <div class="sm-name"><span>{format!("SM {}", sm.sm.0)}</span>{ghost}</div>
            <div class="sm-blocks">{sm.blocks.iter().map(|of| block(style, of)).collect_view()}{free}</div>
            <div class="gauges">
                {gauge("threads", sm.threads, format_count)}
                {gauge("shared", sm.shared_memory, format_bytes)}
                {gauge("regs", sm.registers, format_count)}
                {gauge("slots", sm.slots, format_count)}
            </div>
        </div>
    }
    .into_any()
}

fn gauge(name: &'static str, gauge: Gauge, format: fn(u64) -> String) -> AnyView {
    let free = format(gauge.free);
    let title = format!("{name}: {free} free of {}", format(gauge.total));
    bar(name, Some(title), gauge, free, name.to_owned())
}

/// A bar of which `filled.free` is filled, with words in strong and plain type below it.
pub(super) fn bar(name: &'static str, title: Option<String>, filled: Gauge, strong: String, plain: String) -> AnyView {
    let percent = u128::from(filled.free) * 100 / u128::from(filled.total.max(1));
    view! {
        <span class="gauge" data-gauge=name title=title>
            <span class="gauge-bar"><span style=format!("width:{percent}%")></span></span>
            <span class="gauge-text"><b>{strong}</b> " " {plain}</span>
        </span>
    }
    .into_any()
}

fn block(style: Style, group: &BlockGroup) -> AnyView {
    let flag = |is_so: bool, class: &'static str| if is_so { class } else { "" };
    let class = format!("item block{}{}{}", flag(group.changed, " changed"), flag(group.suspended, " suspended"), style.class(group.row));
    let label = safe(&group.label);
    let (op, on_select) = (group.op, style.on_select);
    view! {
        <span
            class=class
            style=format!("{};flex-grow:{}", style.colours(group.row), group.threads)
            title=format!("{label}: {} threads", format_count(group.threads))
            data-block=label.clone()
            data-operation=op.0
            data-place="sm"
            data-entered=group.changed.then_some("1")
            on:click=move |_| on_select.run(op)
        >
            {label.clone()}
        </span>
    }
    .into_any()
}
