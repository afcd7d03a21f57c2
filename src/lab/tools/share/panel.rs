//! The panel of the tool "Link and embed".
//!
//! Depends on its parent and on `view::markup`. Invariant: what stands in the fields is what the
//! buttons beside them copy.

use super::super::Here;
use super::super::query::Query;
use super::{Part, Shared, typed};
use crate::format::Embed;
use crate::view::markup::Markup;
use crate::view::quantity::format_count;

/// Longer links are broken by some mail programs.
const MAIL: usize = 2_000;
/// Longer links do not get through everywhere.
const ANYWHERE: usize = 8_000;

pub(super) fn panel(state: &Query, shared: &Shared, here: &Here) -> String {
    let mut html = Markup::new();
    if !state.get("problem").is_empty() {
        html.open("div", &[("class", "verdict-bad share-problem"), ("role", "alert")]);
        html.leaf("strong", &[], "The link was not opened.").leaf("p", &[], state.get("problem")).close();
    }
    if !state.get("arriving").is_empty() {
        html.leaf(
            "p",
            &[("class", "tool-note"), ("role", "status")],
            "The link's run is long. The page goes where the link leads when it is there.",
        );
    }
    match &shared.address {
        Ok(address) => {
            html.open("label", &[("class", "share-field")]).text("Link to what you see");
            let field = [("type", "text"), ("readonly", "1"), ("value", &**address), ("data-keep", "share-link"), ("spellcheck", "false")];
            html.single("input", &field).close();
            html.open("div", &[("class", "tool-row")]);
            button(&mut html, "primary", "copy", "Copy link");
            html.leaf("span", &[("class", "tool-note")], &format!("{} characters", format_count(address.len() as u64))).close();
            if let Some(warning) = warning(address.len()) {
                html.leaf("p", &[("class", "verdict-bad")], warning);
            }
        }
        Err(problem) => {
            html.leaf("p", &[("class", "verdict-bad"), ("role", "alert")], problem);
        }
    }
    parts(&mut html, shared, here);
    html.leaf(
        "p",
        &[("class", "tool-note")],
        "Nothing is stored anywhere: all of it stands in the link, after the #, which browsers do not send to the server. Whoever has the link has the scenario. Measured traces and files that you opened stay with you.",
    );
    embed(&mut html, state, shared);
    html.finish()
}

fn warning(length: usize) -> Option<&'static str> {
    match length {
        length if length <= MAIL => None,
        length if length <= ANYWHERE => Some(
            "Longer than 2,000 characters: some mail and chat programs break such links. Leave something out, or send the scenario as a file.",
        ),
        _ => Some(
            "Longer than 8,000 characters: many mail and chat programs, and some browsers, do not take such links. Send the scenario as a file.",
        ),
    }
}

/// What the link takes along, to be ticked.
fn parts(html: &mut Markup, shared: &Shared, here: &Here) {
    if shared.parts.is_empty() {
        html.leaf("p", &[("class", "tool-note")], "It takes along the scenario with policy and device, and the step.");
        return;
    }
    html.open("fieldset", &[("class", "share-parts")]).leaf("legend", &[], "Besides scenario and step, take along");
    for (part, is_in) in &shared.parts {
        let label = match part {
            Part::Zoom => "what of the timeline is in sight".to_owned(),
            Part::Selection => {
                let name = here.selected.map(|row| here.made.run.trace.scenario().row(row).name.clone()).unwrap_or_default();
                format!("the selected kernel, {name}")
            }
            Part::Tools => "the tools that are open".to_owned(),
            Part::Notes => "notes of this run".to_owned(),
        };
        let (word, keep) = (part.word(), format!("share-{}", part.word()));
        html.single("input", &[("type", "hidden"), ("name", "offered"), ("value", word)]);
        let ticked = if *is_in { "1" } else { "" };
        html.open("label", &[]);
        html.single("input", &[("type", "checkbox"), ("name", "part"), ("value", word), ("checked", ticked), ("data-keep", &keep)]);
        html.leaf("span", &[("dir", "auto")], &label).close();
    }
    html.close();
}

/// The frame for another page.
fn embed(html: &mut Markup, state: &Query, shared: &Shared) {
    let view = Embed::from_word(state.get("view")).unwrap_or(Embed::Both);
    html.leaf("h3", &[], "Inside another page").open("div", &[("class", "tool-row share-size")]);
    html.open("label", &[]).text("Show ").open("select", &[("name", "view"), ("data-keep", "share-view")]);
    for (of, label) in [(Embed::Both, "timeline and queues"), (Embed::Timeline, "the timeline"), (Embed::Queues, "the queues")] {
        html.option(of.word(), label, of == view);
    }
    html.close().close();
    let usual_height = shared.usual_height.to_string();
    for (name, label, otherwise) in [("width", "Width (px or 100%) ", "100%"), ("height", "Height (px) ", &*usual_height)] {
        let keep = format!("share-{name}");
        html.open("label", &[]).text(label);
        let field = [
            ("type", "text"),
            ("name", name),
            ("size", "5"),
            ("value", typed(state, name, "")),
            ("placeholder", otherwise),
            ("data-keep", &*keep),
        ];
        html.single("input", &field).close();
    }
    html.close();
    let ticked = if state.get("sandbox") == "1" { "1" } else { "" };
    html.open("div", &[("class", "share-parts")]).open("label", &[]);
    html.single("input", &[("type", "checkbox"), ("name", "sandbox"), ("value", "1"), ("checked", ticked), ("data-keep", "share-sandbox")]);
    html.leaf("span", &[], "restrict the frame (sandbox)").close().close();
    match &shared.frame {
        Ok(code) => {
            html.open("label", &[("class", "share-field")]).text("Code of the frame");
            let field = [("rows", "4"), ("readonly", "1"), ("data-keep", "share-code"), ("spellcheck", "false")];
            html.open("textarea", &field).verbatim(code).close().close();
            html.open("div", &[("class", "tool-row")]);
            button(html, "", "copy-embed", "Copy code");
            html.close();
        }
        Err(problem) => {
            html.leaf("p", &[("class", "verdict-bad"), ("role", "alert")], problem);
        }
    }
    html.leaf(
        "p",
        &[("class", "tool-note")],
        "The frame steps by keyboard and buttons, shows the notes below as captions, and leads to the full page.",
    );
}

fn button(html: &mut Markup, class: &str, word: &str, label: &str) {
    let keep = format!("share-{word}");
    html.leaf("button", &[("type", "button"), ("class", class), ("data-do", word), ("data-keep", &keep)], label);
}
