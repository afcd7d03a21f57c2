//! The panel of the program.
//!
//! Invariant: the lit line is in sight of its box whenever it is another one.

use leptos::prelude::*;
use wasm_bindgen::JsCast as _;

use crate::panels::panel::{Host, Panel};
use blockstep_tools::program::{Line, Lines, Msg, Parts, Program, View};
use blockstep_ui::safe;

impl Panel for Program {
    fn panel(host: Host<Self>, view: Memo<View>) -> AnyView {
        let refused = Memo::new(move |_| view.with(|view| if let View::Refused(why) = view { Some(why.clone()) } else { None }));
        let content = move || match refused.get() {
            Some(why) => view! { <p class="tool-note">{why}</p> }.into_any(),
            None => program(host, view),
        };
        view! { {content} }.into_any()
    }
}

fn program(host: Host<Program>, view: Memo<View>) -> AnyView {
    let shown = move || view.with(|view| if let View::Lines(lines) = view { Some(lines.clone()) } else { None });
    let list = NodeRef::<leptos::html::Div>::new();
    let lit = Memo::new(move |_| shown().and_then(|shown| shown.lines.iter().find(|line| line.is_lit).map(|line| line.number)));
    Effect::new(move |_| {
        if lit.get().is_none() {
            return;
        }
        request_animation_frame(move || {
            let Some(list) = list.try_get_untracked().flatten() else { return };
            let line = list.query_selector(".is-lit").ok().flatten();
            let Some(line) = line.and_then(|line| line.dyn_into::<web_sys::HtmlElement>().ok()) else { return };
            let (top, bottom) = (line.offset_top(), line.offset_top() + line.offset_height());
            if top < list.scroll_top() || bottom > list.scroll_top() + list.client_height() {
                list.set_scroll_top(top - list.client_height() / 2);
            }
        });
    });
    let lines = move || shown().map(|shown| shown.lines.iter().map(|line| line_of(host, line)).collect_view());
    let above = move || shown().map_or(0, |shown| shown.above);
    view! {
        <div class="tool-row">
            <button type="button" class="small" on:click=move |_| host.send(Msg::Save)>"Save as .cu"</button>
            {move || shown().and_then(|Lines { pages, .. }| pages).map(|pages| turn(host, &pages))}
        </div>
        <p class="tool-note">
            "CUDA C++ that does what the table says, with kernels that spin. The line of the current step is lit; press a line to select its row. \
             126 programs like this one were compiled with nvcc 13.0 and ran on an H200: of 60 random ones 58 kept the order predicted by the rules \
             measured there."
        </p>
        <div class="program" tabindex="0" role="region" aria-label="Lines of the program" node_ref=list>
            <ol>{lines}</ol>
        </div>
        <p class="tool-note">
            "The " {above} " lines of the file above these say how a block spins, how clocks are read and how logs are written, whatever the table."
        </p>
    }
    .into_any()
}

fn line_of(host: Host<Program>, line: &Line) -> impl IntoView + use<> {
    let Line { number, row, is_call, is_lit, is_selected, .. } = *line;
    let text = safe(&line.text);
    let content = match row {
        None => view! { <code>{text}</code> }.into_any(),
        Some(row) => {
            // One stop for each call: the keyboard need not walk through every line.
            let stop = if is_call { "0" } else { "-1" };
            view! {
                <button type="button" tabindex=stop aria-pressed=is_selected.to_string() on:click=move |_| host.send(Msg::Select(row))>
                    <code>{text}</code>
                </button>
            }
            .into_any()
        }
    };
    view! {
        <li value=number.to_string() class:is-lit=is_lit class:is-selected=is_selected aria-current=is_lit.then_some("step")>
            {content}
        </li>
    }
}

fn turn(host: Host<Program>, pages: &Parts) -> impl IntoView + use<> {
    let button = |to: Option<usize>, name: &'static str| {
        let on_click = move |_| to.into_iter().for_each(|to| host.send(Msg::Turn(to)));
        view! { <button type="button" class="small" disabled=to.is_none() on:click=on_click>{name}</button> }
    };
    view! {
        {button(pages.earlier, "Earlier lines")}
        <span class="tool-note">{pages.place.clone()}</span>
        {button(pages.later, "Later lines")}
    }
}
