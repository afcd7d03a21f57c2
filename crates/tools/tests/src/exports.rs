//! What runs are exported as for other programs: well-formed to parsers that are not ours, with
//! whatever names, and true to the run.

mod chrome;
mod logs;
mod simso;
mod tables;
mod tool;

use std::sync::Arc;

use blockstep_sim::engine::{Limits, Run, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::*;

/// Names that break what does not expect them.
const HOSTILE: [&str; 9] = [
    "</task><x a='1'>&amp;",
    "\"quoted\", 'twice'\\",
    "=SUM(A1:A9)",
    "two\nlines\r\nof it",
    "\u{202e}olleh\u{202c} مرحبا",
    "]]><!--",
    "\t{}[],:\u{1}\u{7f}",
    "@-+1",
    "😀 ,;",
];

/// The draft with hostile names for everything that has one.
fn with_hostile_names(mut draft: Draft) -> Draft {
    let other = |name: &str| match name {
        NULL_STREAM => name.to_owned(),
        // Every name of the random drafts ends in a digit.
        name => {
            let number = name.bytes().map(usize::from).sum::<usize>();
            format!("{} {name}", HOSTILE[number % HOSTILE.len()])
        }
    };
    let rename = |name: &mut String| *name = other(name);
    let rename_if = |name: &mut Option<String>| *name = name.as_deref().map(other);
    rename(&mut draft.name);
    draft.processes.iter_mut().for_each(|p| rename(&mut p.name));
    for task in &mut draft.tasks {
        rename(&mut task.name);
        rename_if(&mut task.process);
        task.consumes.iter_mut().for_each(rename);
    }
    for batch in &mut draft.batches {
        rename(&mut batch.name);
        rename_if(&mut batch.task);
    }
    for stream in &mut draft.streams {
        rename(&mut stream.name);
        rename_if(&mut stream.process);
    }
    for kernel in &mut draft.kernels {
        rename(&mut kernel.name);
        rename(&mut kernel.stream);
        rename_if(&mut kernel.task);
        rename_if(&mut kernel.after);
        rename_if(&mut kernel.graph);
        rename_if(&mut kernel.batch);
        for names in [&mut kernel.until_begun, &mut kernel.until_all_begun, &mut kernel.until_completed] {
            names.iter_mut().for_each(rename);
        }
        if kernel.graph.is_some() {
            kernel.waits_for.iter_mut().for_each(rename);
        }
    }
    draft
}

fn run(draft: &Draft) -> (Run, Records) {
    let run = simulate(&Scenario::new(draft).unwrap(), Limits::default());
    let records = Records::new(&run.trace);
    (run, records)
}

fn example(id: &str) -> Arc<Scenario> {
    let json = blockstep_sim::examples::find(id).unwrap().json;
    Scenario::new(&blockstep_format::read_scenario(json).unwrap()).unwrap()
}
