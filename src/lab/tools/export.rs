//! Export: every form in which a run can leave the page, with a look at it before it is saved.
//!
//! Depends on `format`, `report` and `analysis`. Invariants: a file is what the command line writes;
//! what a form cannot hold is said beside it.

mod forms;

use forms::{FORMS, Files, Form};

use super::{Act, Answer, Asked, Event};
use crate::runs::Simulation;
use crate::runs::glance::{Glance, Head};
use crate::view::markup::Markup;
use crate::view::quantity::{format_bytes, format_count};

/// Files of one form that are offered one by one.
const MOST_FILES: usize = 40;

/// Answers as a tool.
pub(super) fn answer(asked: &mut Asked<'_>) -> Result<Answer, String> {
    let mut state = asked.state.clone();
    let made = asked.here.made.clone();
    let mut acts = Vec::new();
    let mut failed = None;
    match &asked.event {
        Event::Did(word) => match word.split_once(':') {
            Some(("show", id)) => {
                let closes = state.get("shown") == id;
                state.set("shown", if closes { "" } else { id });
            }
            Some(("save", what)) => {
                let (id, number) = what.split_once(':').unwrap_or((what, ""));
                if let Some(form) = FORMS.iter().find(|form| form.id == id) {
                    match form.files(&made) {
                        Ok(files) => save(form, files, number.parse().ok(), &mut acts),
                        Err(why) => failed = Some((form.id, why)),
                    }
                }
            }
            _ => {}
        },
        Event::Opened(word) if FORMS.iter().any(|form| form.id == word) => {
            state.set("shown", word.as_str());
        }
        _ => {}
    }
    let shown = FORMS.iter().find(|form| form.id == state.get("shown"));
    let glance = shown.map(|form| asked.runs.glance(&made, form.id, || glance(form, &made)));
    if let (Event::Did(word), Some(form)) = (&asked.event, shown)
        && word.starts_with("show:")
    {
        acts.push(Act::Say(format!("{} is shown below its name.", form.title)));
    }
    let html = list(&made, shown.zip(glance.as_deref()), failed.as_ref());
    Ok(Answer { html, state, acts })
}

/// Saves every file, or the one of this number.
fn save(form: &Form, files: Files, number: Option<usize>, acts: &mut Vec<Act>) {
    let count = files.files.len();
    for (_, (name, text)) in files.files.into_iter().enumerate().filter(|(i, _)| number.is_none_or(|number| number == *i)) {
        acts.push(Act::Say(if count > 1 && number.is_none() { format!("Saved {count} files.") } else { format!("Saved {name}.") }));
        acts.push(Act::Save { name, kind: form.kind, text });
    }
}

fn glance(form: &Form, made: &Simulation) -> Glance {
    match form.files(made) {
        Ok(Files { files, losses }) => {
            Glance { files: files.iter().map(|(name, text)| Head::new(name, text)).collect(), losses, problem: None }
        }
        Err(why) => Glance { files: Vec::new(), losses: Vec::new(), problem: Some(why) },
    }
}

fn list(made: &Simulation, shown: Option<(&Form, &Glance)>, failed: Option<&(&'static str, String)>) -> String {
    let mut html = Markup::new();
    html.leaf("p", &[("class", "tool-note")], "Files are made here; nothing is sent anywhere.");
    if let Some(cut) = made.run.trace.cut() {
        html.leaf("p", &[("class", "verdict-bad")], &format!("This run was cut short: {cut}. Files hold what was simulated until then."));
    }
    html.open("ul", &[("class", "export-list")]);
    for form in &FORMS {
        let glance = shown.filter(|(of, _)| of.id == form.id).map(|(_, glance)| glance);
        html.open("li", &[]).open("div", &[("class", "tool-row")]).leaf("strong", &[], form.title);
        let (show, save) = (format!("show:{}", form.id), format!("save:{}", form.id));
        let is_shown = if glance.is_some() { "true" } else { "false" };
        let more = format!("export-{}", form.id);
        let controls = if glance.is_some() { more.as_str() } else { "" };
        let look = format!("Look at {}", form.title);
        html.leaf(
            "button",
            &[
                ("type", "button"),
                ("class", "small"),
                ("data-do", &show),
                ("data-keep", &show),
                ("aria-expanded", is_shown),
                ("aria-controls", controls),
                ("aria-label", &look),
            ],
            "Look",
        );
        let label = format!("Save {}", form.title);
        html.leaf(
            "button",
            &[("type", "button"), ("class", "small"), ("data-do", &save), ("data-keep", &save), ("aria-label", &label)],
            "Save",
        );
        html.close();
        html.leaf("p", &[("class", "tool-note")], &format!("{} Opens in {}.", form.purpose, form.opens));
        if let Some((_, why)) = failed.filter(|(id, _)| *id == form.id) {
            html.leaf("p", &[("class", "verdict-bad"), ("role", "alert")], why);
        }
        if let Some(glance) = glance {
            html.open("div", &[("class", "export-more"), ("id", &more)]);
            look_at(&mut html, form, glance, failed.is_some_and(|(id, _)| *id == form.id));
            html.close();
        }
        html.close();
    }
    html.finish()
}

/// What is not in the files, and how they begin.
fn look_at(html: &mut Markup, form: &Form, glance: &Glance, is_said: bool) {
    if let Some(problem) = glance.problem.as_ref().filter(|_| !is_said) {
        html.leaf("p", &[("class", "verdict-bad")], problem);
    }
    match &glance.losses[..] {
        [] if form.lacks.is_empty() || glance.problem.is_some() => {}
        [] => {
            html.leaf("p", &[("class", "tool-note")], &format!("Not in it: {}", form.lacks));
        }
        losses => {
            html.leaf("p", &[("class", "tool-note")], "What does not carry over:").open("ul", &[("class", "tool-note")]);
            for loss in losses {
                html.leaf("li", &[], loss);
            }
            html.close();
        }
    }
    let has_several = glance.files.len() > 1;
    for (i, file) in glance.files.iter().enumerate().take(MOST_FILES) {
        html.open("div", &[("class", "tool-row export-file")]).leaf("strong", &[], &file.name);
        if has_several {
            let (word, label) = (format!("save:{}:{i}", form.id), format!("Save {}", file.name));
            html.leaf(
                "button",
                &[("type", "button"), ("class", "small"), ("data-do", &word), ("data-keep", &word), ("aria-label", &label)],
                "Save",
            );
        }
        let lines = if file.count == 1 { "line" } else { "lines" };
        let size = format!("{} {lines}, {}", format_count(file.count as u64), format_bytes(file.bytes as u64));
        html.leaf("span", &[("class", "tool-note")], &size).close();
        let (label, keep) = (format!("First lines of {}", file.name), format!("head:{i}"));
        html.leaf(
            "pre",
            &[("class", "export-head"), ("tabindex", "0"), ("role", "region"), ("aria-label", &label), ("data-keep", &keep)],
            &file.lines.join("\n"),
        );
    }
    if let Some(rest) = glance.files.len().checked_sub(MOST_FILES).filter(|&rest| rest > 0) {
        html.leaf(
            "p",
            &[("class", "tool-note")],
            &format!("And {rest} more files, which the command line writes: blockstep simulate --format examiner -o FOLDER."),
        );
    }
}
