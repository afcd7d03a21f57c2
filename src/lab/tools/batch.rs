//! The tool "Application-level schedulers": a page of its own for the fourth paper's system.
//!
//! Depends on `batch`, `format` and `view`. Invariants: what is shown follows from the tool's state
//! alone, so a link carries it whole; what was typed stays as it was typed, also if it is refused.
//! Source: [MT], Muyan-Özçelik and Owens 2016.

mod all;
mod files;
mod held;
mod look;
mod model;
mod paper;
mod problem;
mod queues;
mod say;
mod sheet;
mod step;
mod table;
mod timeline;
mod trees;

use super::query::Query;
use super::{Act, Answer, Asked, Event, share};
use crate::batch::methods::Method;
use crate::view::markup::Markup;
use look::Look;
use model::{Model, Tab};
use step::Scene;

/// Answers: see [`super`].
pub(super) fn answer(asked: &mut Asked<'_>) -> Result<Answer, String> {
    let mut model = Model::read(&asked.state);
    let mut acts = Vec::new();
    let mut note = None;
    match &asked.event {
        Event::Opened(word) if word == "files" => note = Some(open(&mut model, &asked.files)),
        Event::Opened(word) if !word.is_empty() => model.go_to(Model::read(&Query::read(word))),
        Event::Opened(_) | Event::Moved => {}
        Event::Changed(name) => {
            model.take_cells(&asked.fields);
            change(&mut model, name, &asked.fields, &mut acts);
        }
        Event::Did(word) => {
            model.take_cells(&asked.fields);
            act(&mut model, word, asked, &mut acts);
        }
    }
    // The page is only now given to the tool, so its width is not known yet.
    if asked.here.options.width_px == 0 && asked.event != Event::Did("again".to_owned()) {
        acts.push(Act::Again);
    }
    let look = Look::new(&asked.here.options);
    let mut html = Markup::new();
    html.open("div", &[("class", if look.is_wide() { "batch is-wide" } else { "batch" })]);
    head(&mut html, &model);
    if let Some(note) = &note {
        html.leaf("p", &[("class", "batch-said"), ("role", "status")], note);
        acts.push(Act::Say(note.clone()));
    }
    match model.tab {
        Tab::Step => step::show(&mut html, &model, look),
        Tab::All => all::show(&mut html, &model, look),
        Tab::Paper => paper::show(&mut html, &model),
        Tab::Workload => table::show(&mut html, &model),
    }
    html.close();
    Ok(Answer { state: model.write(), html: html.finish(), acts })
}

/// What it is, and the ways to look at it.
fn head(html: &mut Markup, model: &Model) {
    html.leaf(
        "p",
        &[("class", "batch-what")],
        "A program that must meet deadlines sends two tasks at a time to a GPU that knows nothing of them. Six ways to do that, and what the GPU's hardware queues make of each.",
    );
    html.open("div", &[("class", "batch-tabs"), ("role", "group"), ("aria-label", "Views")]);
    for tab in Tab::ALL {
        let word = format!("tab {}", tab.word());
        let pressed = if tab == model.tab { "true" } else { "false" };
        html.leaf("button", &[("type", "button"), ("data-do", &word), ("data-keep", &word), ("aria-pressed", pressed)], tab.title());
    }
    html.open("span", &[("class", "batch-end")]);
    html.raw("<button type=button class=link data-do=copy data-keep=copy>Copy link</button>");
    html.close().close();
}

/// Opens a file of a workload; says what came of it.
fn open(model: &mut Model, files: &[(String, String)]) -> String {
    let Some((name, text)) = files.first() else { return "No file was given.".to_owned() };
    match files::read(text) {
        Ok(opened) => {
            let tab = if model.tab == Tab::Paper { Tab::Step } else { model.tab };
            model.replace(Model { tab, ..opened });
            format!("Opened {name}.")
        }
        Err(error) => format!("{name} was not opened, what was here stays. {error}"),
    }
}

/// A control was changed.
fn change(model: &mut Model, name: &str, fields: &Query, acts: &mut Vec<Act>) {
    let value = fields.get(name);
    match name {
        "from" => {
            let tab = model.tab;
            model.choose(value, tab);
        }
        "gpu" => keeping_time(model, |m| m.set_gpu(value)),
        "by" => keeping_time(model, |m| m.set_scheduler(value)),
        "method" => {
            let on: Vec<&str> = fields.all("method").collect();
            keeping_time(model, |m| m.set_methods(&on));
        }
        "run" => {
            model.run = value.parse().unwrap_or(0);
            model.at = None;
        }
        "at" => {
            model.at = value.parse().ok();
            say_step(model, acts);
        }
        "span" => model.whole = value == "all",
        _ => model.take_costs(fields),
    }
}

/// Something was clicked.
fn act(model: &mut Model, word: &str, asked: &Asked<'_>, acts: &mut Vec<Act>) {
    let (verb, rest) = word.split_once(' ').unwrap_or((word, ""));
    match verb {
        "tab" => model.tab = Tab::of(rest),
        "load" => {
            let tab = model.tab;
            model.choose(rest, tab);
        }
        "case" => model.choose(rest, Tab::All),
        "back" => {
            let was_back = model.take_back();
            acts.push(Act::Say(
                if was_back { "The last change of the workload is taken back." } else { "There is nothing to take back." }.to_owned(),
            ));
        }
        "show" => {
            keeping_time(model, |m| m.set_scheduler(rest));
            model.tab = Tab::Step;
        }
        "use" | "drop" => {
            keeping_time(model, |m| {
                for word in rest.split(' ') {
                    match Method::from_word(word) {
                        Some(method) => m.methods = m.methods.with(method, verb == "use"),
                        None => m.set_scheduler(word),
                    }
                }
            });
            say_step(model, acts);
        }
        "at" | "ArrowRight" | "ArrowLeft" | "Home" | "End" => {
            if model.tab == Tab::Step
                && let Ok(scene) = Scene::new(model)
            {
                let (at, last) = (scene.at, scene.run.steps.len());
                model.at = match verb {
                    "ArrowRight" => Some((at + 1).min(last)),
                    "ArrowLeft" => Some(at.saturating_sub(1)),
                    "Home" => Some(0),
                    "End" => Some(last),
                    _ => rest.parse().ok().map(|at: usize| at.min(last)),
                };
                say_step(model, acts);
            }
        }
        "toggle" => model.toggle(rest),
        "add" => model.add_row(),
        "remove" => model.remove_row(rest),
        "copy" => acts.push(share::copy_with_tool(&asked.here, "batch", model.shared().write())),
        "save" | "csv" | "steps" | "svg" | "png" | "queues-svg" | "queues-png" | "compare-csv" | "compare-svg" | "compare-png"
        | "advice-svg" | "advice-png" | "family-svg" | "family-png" | "paper-csv" => match files::save(model, verb) {
            Ok(save) => acts.push(save),
            Err(why) => acts.push(Act::Say(why)),
        },
        _ => {}
    }
}

/// Changes something while the reader stays at the same instant of the batch.
fn keeping_time(model: &mut Model, change: impl FnOnce(&mut Model)) {
    let at = Scene::new(model).ok().map(|scene| scene.time());
    change(model);
    model.at = None;
    if let (Some(at), Ok(scene)) = (at, Scene::new(model)) {
        model.at = Some(scene.run.steps.iter().filter(|step| step.at <= at).count());
    }
}

fn say_step(model: &Model, acts: &mut Vec<Act>) {
    if let Ok(scene) = Scene::new(model) {
        acts.push(Act::Say(format!("Step {} of {}. {}", scene.at, scene.run.steps.len(), scene.sentence())));
    }
}
