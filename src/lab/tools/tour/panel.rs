//! The panel of a tour: the list of all of them, or one stop.
//!
//! Depends on its parent and on `view::markup`. Invariant: what a click means stands in `data-do`;
//! what can have the focus has a name of its own.

use super::super::query::Query;
use super::Answered;
use crate::learn::tour::{Ask, Paragraph, Piece, Tour};
use crate::trace::Rule;
use crate::view::markup::Markup;

/// The papers, in the order of the list.
const PAPERS: [(&str, &str); 4] = [
    ("TX2", "How one GPU schedules (Amert et al. 2017)"),
    ("EDF", "Deadlines and servers (Capodieci et al. 2018)"),
    ("LP", "Limited preemption (Spliet and Mullins 2018)"),
    ("MT", "Multitasking schedulers (Muyan-\u{d6}z\u{e7}elik and Owens 2016)"),
];

/// The list of tours; `note` is said above it.
pub(super) fn list(tours: &[Tour], state: &Query, note: Option<&str>) -> String {
    let mut html = Markup::new();
    if let Some(note) = note {
        html.leaf("p", &[("class", "verdict-bad"), ("role", "status")], note);
    }
    let lead = "Each tour walks you through one figure of a paper: what it asks, what you expect, what happens, and by which rule.";
    html.leaf("p", &[("tabindex", "-1"), ("data-keep", "tour-leave")], lead);
    for (paper, about) in PAPERS {
        let mut of_paper: Vec<&Tour> = tours.iter().filter(|t| t.paper == paper).collect();
        of_paper.sort_by_key(|t| number(&t.id));
        if of_paper.is_empty() {
            continue;
        }
        html.leaf("h3", &[], &format!("[{paper}] {about}")).open("ul", &[("class", "tool-list tours")]);
        for tour in of_paper {
            entry(&mut html, tour, state);
        }
        html.close();
    }
    html.finish()
}

fn entry(html: &mut Markup, tour: &Tour, state: &Query) {
    let left = state.all("left").find_map(|entry| entry.strip_prefix(&*tour.id)?.strip_prefix('/')?.parse::<usize>().ok());
    let left = left.filter(|&stop| stop > 1 && stop <= tour.stops.len());
    let is_done = state.all("done").any(|id| id == tour.id);
    let title = format!("{}: {}", tour.figure, tour.title);
    html.open("li", &[]);
    let open =
        [("type", "button"), ("class", "link"), ("data-do", &*format!("go={}/1", tour.id)), ("data-keep", &*format!("tour-{}", tour.id))];
    html.leaf("button", &open, &title);
    if is_done {
        html.text(" ").leaf("span", &[("class", "quiet")], "\u{2713} walked to its end");
    }
    html.leaf("p", &[("class", "tool-note")], &format!("{} {} stops.", tour.about, tour.stops.len()));
    if let Some(stop) = left.filter(|&stop| !(is_done && stop == tour.stops.len())) {
        let label = format!("Go on at stop {stop}");
        let go = format!("go={}/{stop}", tour.id);
        let spoken = format!("{label} of {title}");
        let keep = format!("tour-on-{}", tour.id);
        html.leaf(
            "button",
            &[("type", "button"), ("class", "small"), ("data-do", &*go), ("data-keep", &*keep), ("aria-label", &*spoken)],
            &label,
        );
    }
    html.close();
}

/// The number at the end of an id, as ids are not sorted by it.
fn number(id: &str) -> u32 {
    id.rsplit('-').next().and_then(|n| n.parse().ok()).unwrap_or(0)
}

/// One stop; `is_there` says whether the reader stands where it is.
pub(super) fn stop(tour: &Tour, number: usize, answered: Answered, is_there: bool) -> String {
    let mut html = Markup::new();
    let stop = &tour.stops[number];
    let count = tour.stops.len();
    html.open("div", &[("class", "tool-row")]).leaf("span", &[("class", "quiet")], &tour.stop_label(number));
    html.open("select", &[("name", "stop"), ("aria-label", "Go to stop"), ("data-keep", "tour-stop")]);
    for (i, s) in tour.stops.iter().enumerate() {
        html.option(&(i + 1).to_string(), &format!("{}. {}", i + 1, s.title), i == number);
    }
    html.close().close();
    html.leaf("h3", &[("tabindex", "-1"), ("data-keep", &format!("tour-{}", tour.id))], &stop.title);
    if !is_there {
        html.open("p", &[("class", "tool-row tour-away")]).leaf("span", &[], "You have wandered off.").text(" ");
        button(&mut html, "small", "return", "Back to this stop");
        html.close();
    }
    for said in &stop.text {
        html.open("p", &[]);
        paragraph(&mut html, said);
        html.close();
    }
    if let Some(ask) = &stop.ask {
        question(&mut html, ask, answered);
    }
    let is_open = stop.ask.is_some() && answered == Answered::No;
    html.open("div", &[("class", "tool-row")]);
    if number > 0 {
        button(&mut html, "", "back", "Back");
    }
    let next = match (is_open, number + 1 == count) {
        (true, _) => "Show the answer",
        (false, true) => "Finish",
        (false, false) => "Next",
    };
    // While a question is open, answering it is what comes first.
    button(&mut html, if is_open { "" } else { "primary" }, "next", next);
    html.close().open("div", &[("class", "tool-row")]);
    button(&mut html, "link", "leave", "Leave the tour");
    button(&mut html, "link", "link", "Copy a link to this stop");
    html.finish()
}

fn button(html: &mut Markup, class: &str, word: &str, label: &str) {
    let keep = format!("tour-{word}");
    html.leaf("button", &[("type", "button"), ("class", class), ("data-do", word), ("data-keep", &keep)], label);
}

fn question(html: &mut Markup, ask: &Ask, answered: Answered) {
    html.open("p", &[]).open("strong", &[]);
    paragraph(html, &ask.question);
    html.close().close();
    html.open("ul", &[("class", "tool-list tour-choices")]);
    for (i, choice) in ask.choices.iter().enumerate() {
        html.open("li", &[]);
        if answered == Answered::No {
            let (word, keep) = (format!("answer={}", i + 1), format!("tour-answer-{i}"));
            html.open("button", &[("type", "button"), ("data-do", &*word), ("data-keep", &*keep)]);
            // A rule's chip would be a control in a control.
            html.text(&choice.text.plain()).close();
        } else {
            let mark = match (choice.is_right, answered == Answered::Chose(i)) {
                (true, true) => "\u{2713} right, your answer",
                (true, false) => "\u{2713} right",
                (false, true) => "\u{2717} your answer",
                (false, false) => "",
            };
            paragraph(html, &choice.text);
            if !mark.is_empty() {
                html.text(" ").leaf("strong", &[], &format!("({mark})"));
            }
        }
        html.close();
    }
    html.close();
    if answered == Answered::No {
        return;
    }
    let chosen = if let Answered::Chose(i) = answered { ask.choices.get(i) } else { None };
    let is_right = chosen.is_some_and(|c| c.is_right);
    if let Answered::Chose(i) = answered {
        let class = if is_right { "verdict-good" } else { "verdict-bad" };
        // The focus goes from the button, which is gone, to what came of it.
        html.open("p", &[("class", class), ("tabindex", "-1"), ("data-keep", &format!("tour-answer-{i}"))]);
        html.leaf("strong", &[], if is_right { "Right. " } else { "Not so. " });
        if let Some(choice) = chosen {
            paragraph(html, &choice.why);
        }
        html.close();
    }
    if let Some(right) = ask.choices.iter().find(|c| c.is_right && !is_right) {
        html.open("p", &[("class", "verdict-good")]).leaf("strong", &[], "The answer: ");
        paragraph(html, &right.text);
        html.text(" ");
        paragraph(html, &right.why);
        html.close();
    }
}

/// What came of a question, for screen readers.
pub(super) fn verdict(ask: &Ask, answered: Answered) -> String {
    let chosen = if let Answered::Chose(i) = answered { ask.choices.get(i) } else { None };
    let right = ask.choices.iter().find(|c| c.is_right);
    let right = right.map_or_else(String::new, |c| format!("{} {}", c.text.plain(), c.why.plain()));
    match chosen {
        Some(choice) if choice.is_right => format!("Right. {}", choice.why.plain()),
        Some(choice) => format!("Not so. {} The answer: {right}", choice.why.plain()),
        None => format!("The answer: {right}"),
    }
}

fn paragraph(html: &mut Markup, paragraph: &Paragraph) {
    for piece in &paragraph.0 {
        match piece {
            Piece::Text(text) => {
                html.text(text);
            }
            Piece::Bold(text) => {
                html.leaf("strong", &[], text);
            }
            Piece::Rule(rule) => chip(html, *rule),
        }
    }
}

/// A rule's id; on hover and focus the page says what it says.
fn chip(html: &mut Markup, rule: Rule) {
    let family = format!("chip chip-{}", rule.id().chars().next().unwrap_or('G').to_ascii_lowercase());
    let label = format!("Rule {}: {} {}", rule.id(), rule.sentence(), rule.source());
    html.leaf(
        "span",
        &[("class", &family), ("data-rule", rule.id()), ("tabindex", "0"), ("role", "note"), ("aria-label", &label)],
        rule.id(),
    );
}
