//! What the panel of "Predict" shows.
//!
//! Depends on the rest of the tool. Invariant: right and wrong are told in words; an open question
//! shows nothing of its answer.

use super::{COUNTS, Desk, Given, Phase, waiting};
use crate::learn::quiz::{Answer, Choice, Kind, Question};
use crate::trace::Rule;
use crate::view::markup::Markup;
use crate::view::palette;
use crate::view::panels::chip;
use crate::view::position;
use crate::view::quantity::{format_count, format_time};

/// The panel.
pub(super) fn panel(desk: &mut Desk<'_>) -> String {
    let mut html = Markup::new();
    if let Some(problem) = &desk.problem {
        html.leaf("p", &[("class", "field-error"), ("role", "alert")], problem);
    }
    let phase = desk.phase();
    if phase == Phase::Start {
        start(&mut html, desk);
    } else if !desk.is_same_run() {
        changed(&mut html, desk);
    } else {
        match phase {
            Phase::Asks => asks(&mut html, desk),
            Phase::Rests => rests(&mut html, desk),
            Phase::Told => told(&mut html, desk),
            Phase::Start | Phase::Over => over(&mut html, desk),
        }
    }
    html.finish()
}

/// In one sentence, whether an answer is right.
pub(super) fn verdict(question: &Question, given: Given) -> String {
    let right = &question.answer().text;
    match given {
        Given::Choice(choice) if choice == question.right => format!("Right: {right}."),
        Given::Choice(_) => format!("Not so. The run's answer: {right}."),
        Given::Pass => format!("The run's answer: {right}."),
    }
}

/// An answer given, in words.
pub(super) fn words(question: &Question, given: Given) -> String {
    let choice = match given {
        Given::Choice(choice) => question.choices.get(choice),
        Given::Pass => None,
    };
    choice.map_or_else(|| "no answer".to_owned(), |c| c.text.clone())
}

/// A button that asks the tool.
fn button(html: &mut Markup, class: &str, word: &str, text: &str) {
    html.leaf("button", &[("type", "button"), ("class", class), ("data-do", word), ("data-keep", word)], text);
}

/// The button that goes on; one after the other they keep the focus.
fn main_button(html: &mut Markup, word: &str, text: &str) {
    let attributes = [("type", "submit"), ("class", "primary"), ("data-do", word), ("data-keep", "main")];
    html.leaf("button", &attributes, text);
}

fn start(html: &mut Markup, desk: &Desk<'_>) {
    let scenario = desk.here.made.run.trace.scenario();
    html.leaf(
        "p",
        &[],
        "The run stops before decisions of its own and asks what comes next. What comes after is hidden until you have answered.",
    );
    let kept = |name: &str| desk.state.get(name).to_owned();
    html.open("fieldset", &[("class", "quiz-kinds")]).leaf("legend", &[], "Ask");
    let kinds = kept("kinds");
    for kind in Kind::ALL.into_iter().filter(|k| k.applies(scenario)) {
        let is_on = kinds.is_empty() || kinds.split(',').any(|id| id == kind.id());
        let keep = format!("kind-{}", kind.id());
        let checked = if is_on { "1" } else { "" };
        html.open("label", &[])
            .single("input", &[("type", "checkbox"), ("name", "kind"), ("value", kind.id()), ("checked", checked), ("data-keep", &keep)]);
        html.text(" ").text(&kind.title().to_lowercase().replace(" sm ", " SM ")).close();
    }
    html.close();
    html.open("div", &[("class", "tool-row")]).open("label", &[]).text("Questions ");
    html.open("select", &[("name", "n"), ("data-keep", "n")]);
    let wanted = kept("n").parse().ok();
    // A link may want another number.
    let other = wanted.filter(|n| !COUNTS.contains(n));
    for count in COUNTS.into_iter().chain(other) {
        html.option(&count.to_string(), &count.to_string(), wanted.unwrap_or(COUNTS[0]) == count);
    }
    html.close().close();
    let seed = Some(kept("seed")).filter(|s| !s.is_empty()).unwrap_or_else(|| "1".to_owned());
    html.open("label", &[("title", "The same seed gives the same questions")]).text("Seed ");
    html.single(
        "input",
        &[
            ("type", "text"),
            ("inputmode", "numeric"),
            ("name", "seed"),
            ("value", &seed),
            ("size", "6"),
            ("data-keep", "seed"),
            ("autocomplete", "off"),
        ],
    );
    html.close();
    html.leaf("button", &[("type", "submit"), ("class", "primary"), ("data-keep", "main")], "Start").close();
}

/// Which question it is, and of how many.
fn head(html: &mut Markup, desk: &Desk<'_>, question: &Question) {
    let at = position::time_at(&desk.here.made.run.trace, question.spot.position);
    let place = format!(
        "Question {} of {}, after step {} at {}",
        desk.number() + 1,
        desk.spots().len(),
        format_count(question.spot.position.into()),
        format_time(at.ns())
    );
    html.leaf("p", &[("class", "tool-note")], &place);
}

fn asks(html: &mut Markup, desk: &mut Desk<'_>) {
    let number = desk.number();
    let Some(question) = desk.question(number) else { return changed(html, desk) };
    head(html, desk, &question);
    let goes_there = desk.acts.iter().any(|act| matches!(act, super::Act::Go(_)));
    if desk.here.position != question.spot.position && !goes_there {
        let go = question.spot.position.to_string();
        html.open("p", &[]).text("You stand at another step than the one asked about. ");
        html.leaf("button", &[("type", "button"), ("class", "link"), ("data-go", &go), ("data-keep", "back")], "Back to it").close();
    }
    html.open("fieldset", &[("class", "quiz")]).leaf("legend", &[], &question.text);
    if !question.hint.is_empty() {
        html.leaf("p", &[("class", "tool-note")], &question.hint);
    }
    let chosen = desk.fields.number("choice");
    for (i, choice) in question.choices.iter().enumerate() {
        let (value, keep) = (i.to_string(), format!("choice-{i}"));
        let checked = if chosen == Some(i as u64) { "1" } else { "" };
        html.open("label", &[])
            .single("input", &[("type", "radio"), ("name", "choice"), ("value", &value), ("checked", checked), ("data-keep", &keep)]);
        swatch(html, desk, choice);
        html.leaf("span", &[], &choice.text).close();
    }
    html.close().open("div", &[("class", "tool-row")]);
    html.leaf("button", &[("type", "submit"), ("class", "primary"), ("data-keep", "main")], "Answer");
    button(html, "", "pass", "I do not know");
    button(html, "link", "end", "End the quiz");
    html.close();
}

/// The colour of the kernel that a choice names.
fn swatch(html: &mut Markup, desk: &Desk<'_>, choice: &Choice) {
    if let Answer::Kernel(op) = choice.answer {
        let colour = palette::colour_of(desk.here.made.run.trace.op(op).row, desk.here.options.is_dark).css();
        html.leaf("span", &[("class", "quiz-swatch"), ("style", &format!("--k:{colour}")), ("aria-hidden", "true")], "");
    }
}

fn told(html: &mut Markup, desk: &mut Desk<'_>) {
    let number = desk.number();
    let given = desk.given().get(number).copied();
    let (Some(question), Some(given)) = (desk.question(number), given) else { return changed(html, desk) };
    head(html, desk, &question);
    html.leaf("p", &[("class", "quiz-asked")], &question.text);
    let is_right = given == Given::Choice(question.right);
    html.open("div", &[("class", if is_right { "verdict-good" } else { "verdict-bad" })]);
    let answer = question.answer();
    match given {
        Given::Choice(_) if !is_right => {
            let wrong = chosen(&question, given);
            html.open("p", &[]).leaf("strong", &[], "Not so.").text(&format!(" You said: {}.", wrong.text)).close();
            explanation(html, wrong);
            html.close().open("div", &[("class", "verdict-good")]);
            html.open("p", &[]).text("The run: ").leaf("strong", &[], &answer.text).text(".").close();
        }
        _ => {
            let word = if is_right { "Right:" } else { "The run:" };
            html.open("p", &[]).text(word).text(" ").leaf("strong", &[], &answer.text).text(".").close();
        }
    }
    explanation(html, answer);
    html.close();
    let others: Vec<&Choice> =
        question.choices.iter().enumerate().filter(|&(i, _)| i != question.right && given != Given::Choice(i)).map(|(_, c)| c).collect();
    if !others.is_empty() {
        html.open("details", &[]).leaf("summary", &[("data-keep", "others")], "Why not the other answers");
        html.open("ul", &[("class", "tool-list")]);
        for other in others {
            html.open("li", &[]).leaf("strong", &[], &other.text);
            explanation(html, other);
            html.close();
        }
        html.close().close();
    }
    html.open("div", &[("class", "tool-row")]);
    let is_last = desk.given().len() == desk.spots().len();
    main_button(html, "next", if is_last { "See the score" } else { "Next question" });
    if waiting(&question, given).is_some() {
        button(html, "", "why", "Ask why");
    }
    steps(html, &question);
    html.close();
}

/// Buttons to the states before and after the decision.
fn steps(html: &mut Markup, question: &Question) {
    let places = [(question.spot.position, "Before"), (question.shown_at, "After")];
    for (place, text) in places.into_iter().take(if question.shown_at == question.spot.position { 1 } else { 2 }) {
        let (go, keep) = (place.to_string(), format!("go-{text}"));
        html.leaf("button", &[("type", "button"), ("class", "link"), ("data-go", &go), ("data-keep", &keep)], text);
    }
}

/// Why a choice is right or wrong, by which rule, and what one would have to believe.
fn explanation(html: &mut Markup, choice: &Choice) {
    html.open("p", &[]);
    chip(html, choice.rule, true);
    html.text(" ").text(&choice.why).close();
    let beliefs = [("It would be so if this were the rule:", choice.misconception()), ("Behind it may be:", choice.perhaps)];
    if let Some((how, belief)) = beliefs.into_iter().find_map(|(how, belief)| Some((how, belief?))) {
        html.open("p", &[]).leaf("em", &[], how).text(&format!(" {belief}")).close();
        if let Some(variant) = choice.variant {
            html.leaf("p", &[("class", "tool-note")], variant.misconception());
        }
        // R1 does not say which SM takes a block; what was said of it does.
        if choice.rule != Rule::R1 {
            html.leaf("p", &[("class", "tool-note")], &format!("The rule is: {}", choice.rule.sentence()));
        }
    }
}

fn rests(html: &mut Markup, desk: &Desk<'_>) {
    html.leaf("p", &[], &format!("You are at question {} of {}.", desk.number() + 1, desk.spots().len()));
    html.open("div", &[("class", "tool-row")]);
    main_button(html, "resume", "Back to the question");
    button(html, "link", "end", "End the quiz");
    html.close();
}

fn changed(html: &mut Markup, desk: &Desk<'_>) {
    let text = format!(
        "The scenario on screen is another one than when this quiz was begun: it was edited, or another one was opened. {} of {} questions were answered. \
         Nothing is graded that this run did not decide.",
        desk.given().len(),
        desk.spots().len()
    );
    html.leaf("p", &[], &text).open("div", &[("class", "tool-row")]);
    main_button(html, "again", "Start again with this one");
    button(html, "", "new", "Other questions");
    html.close();
}

fn over(html: &mut Markup, desk: &mut Desk<'_>) {
    let (given, score) = (desk.given(), desk.score());
    let questions: Vec<(Question, Given)> = given.iter().enumerate().filter_map(|(i, &given)| Some((desk.question(i)?, given))).collect();
    let is_right = |(question, given): &(Question, Given)| *given == Given::Choice(question.right);
    html.open("p", &[("class", "quiz-score")]).leaf("strong", &[], &format!("{score} of {}", given.len())).text(" right.").close();
    if given.len() < desk.spots().len() {
        html.leaf("p", &[("class", "tool-note")], &format!("The quiz has {} questions; it was ended before the last.", desk.spots().len()));
    } else if let Some(wanted) = desk.state.number("n").filter(|&n| n > given.len() as u64) {
        let text = format!("{} were wanted; the run has no more decisions of these kinds that differ.", format_count(wanted));
        html.leaf("p", &[("class", "tool-note")], &text);
    }
    let mut rules: Vec<Rule> = questions.iter().filter(|q| !is_right(q)).map(|(q, given)| chosen(q, *given).rule).collect();
    rules.sort();
    rules.dedup();
    if !rules.is_empty() {
        html.open("p", &[]).text("To look at again: ");
        for rule in rules {
            chip(html, rule, true);
            html.text(" ");
        }
        html.close();
    }
    html.open("ol", &[("class", "tool-list quiz-answers")]);
    for (i, entry) in questions.iter().enumerate() {
        let (question, given) = entry;
        let go = question.shown_at.to_string();
        let mark = if is_right(entry) { "Right" } else { "Wrong" };
        let said = match is_right(entry) {
            true => format!(": {} {}. ", question.text, question.answer().text),
            false => format!(": {} You said: {}. The run: {}. ", question.text, words(question, *given), question.answer().text),
        };
        html.open("li", &[]).leaf("strong", &[], mark).text(&said);
        let keep = format!("answer-{i}");
        let at = position::time_at(&desk.here.made.run.trace, question.spot.position);
        let text = format!("step {}, {}", format_count(question.shown_at.into()), format_time(at.ns()));
        html.leaf("button", &[("type", "button"), ("class", "link"), ("data-go", &go), ("data-keep", &keep)], &text).close();
    }
    html.close().open("div", &[("class", "tool-row")]);
    main_button(html, "another", "Another quiz");
    button(html, "", "new", "Other settings");
    button(html, "", "save", "Save answers");
    button(html, "", "link", "Copy link");
    html.close();
    html.leaf("p", &[("class", "tool-note")], "The link starts this quiz: the same questions about this scenario.");
}

/// What was chosen, or the right choice if nothing was.
fn chosen(question: &Question, given: Given) -> &Choice {
    match given {
        Given::Choice(choice) => question.choices.get(choice).unwrap_or_else(|| question.answer()),
        Given::Pass => question.answer(),
    }
}
