//! The paper's two trees, as nested lists.
//!
//! Depends on `batch`. Invariant: both are drawn from the data that the simulation and the advice
//! use. Source: [MT] Fig. 1; of Fig. 3 we have no picture, so its tree is
//! ours, from Table III, section 7 and the conclusions.

use crate::batch::advice::{Advice, LEAVES, Next, QUESTIONS};
use crate::batch::schedulers::{Answer, SchedulerId, TAXONOMY};
use crate::view::markup::Markup;

/// Fig. 1: which scheduler does what.
pub(super) fn taxonomy(html: &mut Markup) {
    html.open("ul", &[("class", "batch-tree")]);
    taxon(html, "", Answer::Ask(0));
    html.close();
}

fn taxon(html: &mut Markup, answer: &str, next: Answer) {
    html.open("li", &[]);
    said(html, answer, false);
    match next {
        Answer::Is(id) => {
            let says = id.scheduler().says();
            html.leaf("b", &[("title", says)], id.name()).text(" ").leaf("span", &[("class", "tool-note")], says);
        }
        Answer::Ask(place) => {
            html.text(TAXONOMY[place].question).open("ul", &[]);
            taxon(html, "no", TAXONOMY[place].no);
            taxon(html, "yes", TAXONOMY[place].yes);
            html.close();
        }
    }
    html.close();
}

fn said(html: &mut Markup, answer: &str, is_on_path: bool) {
    if !answer.is_empty() {
        html.leaf("span", &[("class", if is_on_path { "batch-answer is-path" } else { "batch-answer" })], answer).text(" ");
    }
}

/// The advice, with the path of the workload.
pub(super) fn advice(html: &mut Markup, advice: &Advice) {
    html.open("ul", &[("class", "batch-tree")]);
    question(html, advice, "", Next::Ask(0), true);
    html.close();
}

fn question(html: &mut Markup, advice: &Advice, answer: &str, next: Next, is_on_path: bool) {
    html.open("li", &[("class", if is_on_path { "is-path" } else { "" })]);
    said(html, answer, is_on_path);
    match next {
        Next::Use(leaf) => {
            html.leaf("b", &[], &names(LEAVES[leaf].best));
            if is_on_path {
                html.raw("<span class=visually-hidden> (recommended here)</span>");
            }
        }
        Next::Ask(place) => {
            let given = advice.path.iter().find(|(asked, _)| *asked == place).map(|(_, answer)| *answer);
            html.leaf(if is_on_path { "b" } else { "span" }, &[], QUESTIONS[place].text).open("ul", &[]);
            question(html, advice, "no", QUESTIONS[place].no, is_on_path && given == Some(false));
            question(html, advice, "yes", QUESTIONS[place].yes, is_on_path && given == Some(true));
            html.close();
        }
    }
    html.close();
}

/// Names of schedulers.
pub(super) fn names(ids: &[SchedulerId]) -> String {
    ids.iter().map(|id| id.name()).collect::<Vec<_>>().join(" or ")
}
