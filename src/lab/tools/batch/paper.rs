//! Our performances against the paper's, case by case.
//!
//! Depends on `batch::cases`. Invariant: ours are simulated when the table is asked for. Source: [MT]
//! Table III and section 7.

use super::all::ratio;
use super::model::Model;
use super::trees;
use crate::batch::advice::Advice;
use crate::batch::arch::ArchId;
use crate::batch::cases::{ASSUMED, CASES, Case, REASONS};
use crate::batch::methods::Methods;
use crate::batch::run::Comparison;
use crate::batch::schedulers::SchedulerId;
use crate::batch::task::Workload;
use crate::view::markup::Markup;

/// Where sizes differ, and why: case, scheduler, reason.
const WHY: [(&str, &str); 5] = [
    (
        "All ratios above 1",
        "They grow with the number of inputs, which the paper does not give: CPUTraditional falls further behind with each. CPUConcurrent in Case-2 has 1.96 with 5 inputs, 3.89 with the 15 here and 12.54 with 60. So sizes are no evidence; the order is, and it is the same with 5, 15 and 60 inputs.",
    ),
    (
        "Case-1, Case-4 and TX1",
        "With 10 inputs Case-1 has 3.62 for CPUConcurrent (paper: 3.55); with 5, Case-4 has 1.65 for both CPUInterleave and CPUConcurrent (1.75 and 1.78) and TX1 has 1.65 for CPUInterleave (1.66) and 1.96 for CPUConcurrent (2.22).",
    ),
    (
        "Case-2 and Case-3, CPUInterleave",
        "Ours are smaller beside those of the others than the paper's. Kernels and copies take the same time on all GPUs here, so the load is the same; the paper's Fermi was differently loaded than its Kepler.",
    ),
    (
        "Case-6, CPUOrder",
        "Counting the threads of a large kernel takes many times the interval of inputs on Fermi, so CPUOrder falls behind without end here, while CPUTraditional keeps up. The paper's CPUTraditional was late there too, so its inputs came faster, in relation, or its kernels were longer.",
    ),
    (
        "Case-1, GPUAtomics",
        "Messages and decisions of 20 µs cost little beside kernels of milliseconds; the paper gives no numbers for them.",
    ),
];

/// Each case with our results; none for a case that cannot run, of which there is none.
pub(super) fn results() -> Vec<(&'static Case, Comparison, Advice)> {
    let one = |case: &'static Case| {
        let (workload, arch) = (Workload::new(case.workload(&ASSUMED)).ok()?, case.arch.arch());
        Some((case, Comparison::new(&workload, &arch, Methods::ALL), Advice::new(&workload, &arch)))
    };
    CASES.iter().filter_map(one).collect()
}

/// The view.
pub(super) fn show(html: &mut Markup, model: &Model) {
    let results = results();
    let same = results.iter().filter(|(case, ours, _)| case.differences(ours).is_empty()).count();
    html.open("p", &[]).leaf(
        "b",
        &[],
        &format!("In {same} of {} cases no two schedulers stand the other way round than in the paper.", results.len()),
    );
    html.text(" Performance relative to CPUTraditional, ours above, the paper's below; more is better, the best of each is bold.").close();
    html.open(
        "div",
        &[("class", "tool-scroll"), ("tabindex", "0"), ("role", "region"), ("aria-label", "Ours and theirs"), ("data-keep", "theirs")],
    );
    html.open("table", &[("class", "tool-table batch-paper")]);
    html.leaf("caption", &[("class", "visually-hidden")], "Performance of each scheduler, ours and the paper's, by case");
    html.open("thead", &[]).open("tr", &[]).raw("<th scope=col>Case</th><th scope=col><span class=visually-hidden>Whose</span></th>");
    for id in SchedulerId::ALL {
        html.leaf("th", &[("scope", "col")], id.name());
    }
    html.raw("<th scope=col>Order</th>").close().close();
    for (case, ours, advised) in &results {
        html.open("tbody", &[]).open("tr", &[]).open("th", &[("scope", "rowgroup"), ("rowspan", "2")]);
        let word = format!("load {}", case.name);
        html.leaf("b", &[], case.name).text(": ").text(case.title).text(" ");
        html.leaf(
            "button",
            &[("type", "button"), ("class", "link"), ("data-do", &format!("case {}", case.name)), ("data-keep", &word)],
            "Open",
        )
        .close();
        html.raw("<th scope=row>ours</th>");
        let best = crate::batch::advice::best(ours);
        for id in SchedulerId::ALL {
            let text = ours.performance(id).map_or("–".to_owned(), ratio);
            html.open("td", &[]).leaf(if best.contains(&id) { "b" } else { "span" }, &[], &text).close();
        }
        html.open("td", &[("rowspan", "2")]);
        order(html, case, ours, advised);
        html.close().close().open("tr", &[]).raw("<th scope=row>paper</th>");
        let top = case.published_ranking().first().and_then(|id| case.published(*id)).map(|p| p.performance);
        for id in SchedulerId::ALL {
            let published = case.published(id);
            let text = published.map_or("–".to_owned(), |p| p.to_string());
            let is_best = published.is_some_and(|p| Some(p.performance) == top);
            html.open("td", &[]).leaf(if is_best { "b" } else { "span" }, &[], &text).close();
        }
        html.close().close();
    }
    html.close().close();
    html.leaf("h3", &[], "Where the sizes differ, and why").open("ul", &[("class", "tool-list")]);
    for (which, why) in WHY {
        html.open("li", &[]).leaf("b", &[], which).text(": ").text(why).close();
    }
    html.close();
    assumptions(html, model);
    html.raw("<div class=batch-row><button type=button data-do=paper-csv data-keep=paper-csv>Save this table (CSV)</button></div>");
}

/// Whether the order is the paper's, and whether its advice is.
fn order(html: &mut Markup, case: &Case, ours: &Comparison, advised: &Advice) {
    let differences = case.differences(ours);
    if differences.is_empty() {
        html.text("✓ no pair reversed");
    }
    for (i, one) in SchedulerId::ALL.into_iter().enumerate() {
        for other in &SchedulerId::ALL[i + 1..] {
            let used = |id| ours.outcome(id).map(|outcome| outcome.shifted);
            let theirs = |id| case.published(id).map(|p| p.performance);
            if used(one).is_some() && used(one) == used(*other) && theirs(one) != theirs(*other) {
                html.leaf("p", &[], &format!("{} and {} are equal here", one.name(), other.name()));
            }
        }
    }
    for (better, worse) in differences {
        html.leaf("p", &[], &format!("{} before {} in the paper, after it here", better.name(), worse.name()));
    }
    if !advised.agrees(ours) {
        html.leaf("p", &[], &format!("the advice is {}", trees::names(advised.leaf().best)));
    }
}

fn assumptions(html: &mut Markup, model: &Model) {
    model.details(html, "assumed", "What is assumed: one set of numbers for all cases");
    html.leaf("p", &[], "The paper describes each case in a line and gives no numbers. These are ours, the same for every case:");
    html.open("dl", &[("class", "glossary")]);
    for (what, why) in REASONS {
        html.leaf("dt", &[], what).leaf("dd", &[], why);
    }
    html.close();
    html.leaf(
        "p",
        &[],
        "Priority goes to the least time left until an output is due. Slack used up runs from an input, or a task's turn, to its output. The paper refers to another paper for both, so these are ours too.",
    );
    for id in ArchId::ALL {
        let arch = id.arch();
        model.details(html, id.word(), arch.name);
        html.open("table", &[("class", "tool-table")]);
        html.raw("<thead><tr><th scope=col>What</th><th scope=col>How much</th><th scope=col>From</th></tr></thead>").open("tbody", &[]);
        for fact in arch.facts() {
            html.open("tr", &[])
                .leaf("th", &[("scope", "row")], fact.what)
                .leaf("td", &[], &fact.value)
                .leaf("td", &[], fact.source)
                .close();
        }
        html.close().close().close();
    }
    html.close();
}
