//! What the tool opens and saves.
//!
//! Depends on `format` and the other files of this tool. Invariants: a saved workload is read back
//! as the same; cells of tables never begin a formula.

use super::super::Act;
use super::all::{self, ratio};
use super::look::Look;
use super::model::Model;
use super::paper;
use super::sheet::{self, Sheet};
use super::step::{Scene, picture, queue_picture};
use super::table::draft_of;
use super::timeline::time;
use crate::batch::advice::Advice;
use crate::batch::run::Comparison;
use crate::format::{self, BatchFile};
use crate::report::Options;

/// A workload from a file.
///
/// # Errors
/// What is wrong with it.
pub(super) fn read(text: &str) -> Result<Model, String> {
    format::read_batch(text).map(|file| Model::of_file(&file)).map_err(|e| e.to_string())
}

/// Saves what a button asks for.
///
/// # Errors
/// Why there is nothing to save.
pub(super) fn save(model: &Model, what: &str) -> Result<Act, String> {
    let wrong = "The workload has to be put right first.".to_owned();
    let scene = || Scene::new(model).map_err(|_| "There is no batch to save.".to_owned());
    let save = |name: &str, kind, text| Ok(Act::Save { name: name.to_owned(), kind, text });
    if let Some((of, form)) = what.rsplit_once('-').or(Some(("timeline", what))).filter(|(_, form)| matches!(*form, "svg" | "png")) {
        let svg = drawn(model, of)?;
        return match form {
            "png" => Ok(Act::Picture { name: format!("batch-{of}.png"), scale: 2, svg }),
            _ => save(&format!("batch-{of}.svg"), "image/svg+xml", svg),
        };
    }
    match what {
        "csv" => save("batch-times.csv", "text/csv", times(&scene()?)),
        "steps" => save("batch-steps.txt", "text/plain", scene()?.run.text()),
        "compare-csv" => {
            let workload = model.workload().map_err(|_| wrong)?;
            save(
                "batch-schedulers.csv",
                "text/csv",
                format::write_batch_csv(&Comparison::new(&workload, &model.arch(), model.methods), None),
            )
        }
        "paper-csv" => {
            save("batch-cases.csv", "text/csv", format::write_batch_cases_csv(paper::results().iter().map(|(case, ours, _)| (*case, ours))))
        }
        _ => {
            model.workload().map_err(|_| wrong.clone())?;
            let costs = super::table::costs(&model.costs).map_err(|_| wrong.clone())?;
            let workload = draft_of(model).map_err(|_| wrong)?;
            let file = BatchFile { workload, gpu: model.gpu, methods: model.methods, costs };
            save("batch-workload.json", "application/json", format::write_batch(&file))
        }
    }
}

/// A picture to be saved, as SVG.
///
/// # Errors
/// Why there is nothing to draw.
fn drawn(model: &Model, what: &str) -> Result<String, String> {
    let look = Look::new(&Options { is_dark: false, width_px: 1000 });
    let workload = || model.workload().map_err(|_| "The workload has to be put right first.".to_owned());
    Ok(match what {
        "family" => sheet::family(look),
        "advice" => {
            let workload = workload()?;
            sheet::advice(workload.name(), &Advice::new(&workload, &model.arch()), look)
        }
        "compare" => {
            let (workload, arch) = (workload()?, model.arch());
            let ours = Comparison::new(&workload, &arch, model.methods);
            let names: Vec<&str> = workload.tasks().iter().map(|task| task.name.as_str()).collect();
            let mut sheet = Sheet::new(&format!("{} · {}", workload.name(), arch.name), look);
            sheet.legend(&names);
            for (i, (id, outcome)) in ours.outcomes.iter().enumerate() {
                match outcome {
                    Ok(outcome) => {
                        let performance = ours.performance(*id).map_or("–".to_owned(), |p| format!("{}×", ratio(p)));
                        sheet.heading(&format!("{}: {performance}", id.name()));
                        sheet.picture(&all::picture(&arch, outcome, &names, all::shown_to(&ours, model.whole), i, look));
                    }
                    Err(why) => sheet.note(&format!("{}: not on this GPU: {why}", id.name())),
                }
            }
            sheet.finish()
        }
        _ => {
            let scene = Scene::new(model).map_err(|_| "There is no batch to save.".to_owned())?;
            let of = if model.is_tables() { "Tables I and II".to_owned() } else { format!("{}, {}", model.name, model.by.name()) };
            let mut sheet = Sheet::new(
                &format!("{of} · {}: step {} of {}, {}", scene.arch.name, scene.at, scene.run.steps.len(), time(scene.time())),
                look,
            );
            if what == "queues" {
                sheet.note("Hardware queues, heads on top. Thin lines: true dependencies. Bold: held up without need.");
                sheet.picture(&queue_picture(&scene, &scene.state(), &scene.held(), look));
            } else {
                sheet.picture(&picture(&scene, look));
            }
            sheet.finish()
        }
    })
}

/// A cell of text.
fn csv_cell(text: &str) -> String {
    let mut cell = String::new();
    format::csv_cell(&mut cell, text);
    cell
}

fn times(scene: &Scene) -> String {
    let mut out = "command,task,operation,start_ns,end_ns,reported_start_ns,reported_end_ns\n".to_owned();
    for timing in scene.run.timings() {
        let name = scene.names.get(timing.task).map_or("", String::as_str);
        let reported = timing.reported.map_or(",".to_owned(), |r| format!("{},{}", r.start.ns(), r.end.ns()));
        out.push_str(&format!(
            "{},{},{},{},{},{reported}\n",
            scene.run.program.label(timing.command),
            csv_cell(name),
            super::say::op(timing.op),
            timing.actual.start.ns(),
            timing.actual.end.ns()
        ));
    }
    out
}
