//! What the tool opens and saves.
//!
//! Invariants: a saved workload is read back as the same; cells of tables never begin a formula.

use serde::{Deserialize, Serialize};

use super::draft::{costs, draft_of};
use super::paper;
use super::pictures::BatchPicture;
use super::scene::Scene;
use super::state::{Setup, State, Tab};
use blockstep_batch::run::Comparison;
use blockstep_format::{self as format, BatchFile};
use blockstep_protocol::Effect;
use blockstep_view::batch::words;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Saved {
    Svg(BatchPicture),
    Png(BatchPicture),
    Times,
    Steps,
    Comparison,
    Cases,
    Workload,
}

/// Why there is nothing to save.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum NothingToSave {
    #[error("There is no batch to save.")]
    NoBatch,
    #[error("Correct the workload first.")]
    WrongWorkload,
}

/// Opens files of a workload, of which it takes the first; what came of it, in a sentence.
pub(super) fn open(state: &mut State, files: &[(String, String)]) -> String {
    let Some((name, text)) = files.first() else { return "No file was given.".to_owned() };
    match format::read_batch(text) {
        Ok(file) => {
            let tab = if state.setup().tab == Tab::Paper { Tab::Step } else { state.setup().tab };
            state.replace(Setup { tab, ..Setup::of_file(&file) });
            format!("Opened {name}.")
        }
        Err(error) => format!("{name} was not opened; the workload is unchanged. {error}"),
    }
}

/// Saves something, or says why there is nothing to save.
pub(super) fn save(state: &State, what: Saved) -> Effect {
    effect(state, what).unwrap_or_else(|why| Effect::Complain(why.to_string()))
}

fn effect(state: &State, what: Saved) -> Result<Effect, NothingToSave> {
    let setup = state.setup();
    let scene = || Scene::new(setup).map_err(|_| NothingToSave::NoBatch);
    let save = |name: &str, kind: &str, text| Ok(Effect::SaveFile { name: name.to_owned(), kind: kind.to_owned(), text });
    match what {
        Saved::Svg(sheet) => save(&picture_file(sheet.word(), "svg"), "image/svg+xml", sheet.svg(state)?),
        Saved::Png(sheet) => Ok(Effect::SavePicture { name: picture_file(sheet.word(), "png"), scale: 2, svg: sheet.svg(state)? }),
        Saved::Times => save("batch-times.csv", "text/csv", times(&scene()?)),
        Saved::Steps => save("batch-steps.txt", "text/plain", scene()?.run.text()),
        Saved::Comparison => {
            let workload = setup.workload().map_err(|_| NothingToSave::WrongWorkload)?;
            let ours = Comparison::new(&workload, &setup.arch(), setup.methods);
            save("batch-schedulers.csv", "text/csv", format::write_batch_csv(&ours, None))
        }
        Saved::Cases => {
            let cases = paper::results();
            let text = format::write_batch_cases_csv(cases.iter().map(|(case, ours, _)| (*case, ours)));
            save("batch-cases.csv", "text/csv", text)
        }
        Saved::Workload => {
            setup.workload().map_err(|_| NothingToSave::WrongWorkload)?;
            let costs = costs(&setup.costs).map_err(|_| NothingToSave::WrongWorkload)?;
            let workload = draft_of(setup).map_err(|_| NothingToSave::WrongWorkload)?;
            let file = BatchFile { workload, gpu: setup.gpu, methods: setup.methods, costs };
            save("batch-workload.json", "application/json", format::write_batch(&file))
        }
    }
}

fn times(scene: &Scene) -> String {
    let mut out = "command,task,operation,start_ns,end_ns,reported_start_ns,reported_end_ns\n".to_owned();
    for timing in scene.run.timings() {
        let name = scene.names.get(timing.task).map_or("", String::as_str);
        let reported = timing.reported.map_or(",".to_owned(), |r| format!("{},{}", r.start.ns(), r.end.ns()));
        out.push_str(&format!(
            "{},{},{},{},{},{reported}\n",
            scene.run.program.label(timing.command),
            format::csv_cell(name),
            words::op(timing.op),
            timing.actual.start.ns(),
            timing.actual.end.ns()
        ));
    }
    out
}

fn picture_file(sheet: &str, extension: &str) -> String {
    format!("batch-{sheet}.{extension}")
}
