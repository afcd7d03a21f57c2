//! What runs are exported as for other programs: well-formed to parsers that are not ours, with
//! whatever names, and true to the run.

mod chrome;
mod cli;
mod logs;
mod simso;
mod tables;
mod tool;

use std::sync::Arc;

use blockstep::engine::{Limits, Run, simulate};
use blockstep::format::write_logs;
use blockstep::record::Records;
use blockstep::scenario::*;
use blockstep::trace::Trace;

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
    for stream in &mut draft.streams {
        rename(&mut stream.name);
        rename_if(&mut stream.process);
    }
    for kernel in &mut draft.kernels {
        rename(&mut kernel.name);
        rename(&mut kernel.stream);
        rename_if(&mut kernel.task);
        rename_if(&mut kernel.after);
    }
    draft
}

fn run(draft: &Draft) -> (Run, Records) {
    let run = simulate(&Scenario::new(draft).unwrap(), Limits::default()).unwrap();
    let records = Records::new(&run.trace);
    (run, records)
}

/// A name as long as one can be: 200 characters with 10 marks each.
fn long_name() -> String {
    format!("Z{}", "\u{301}".repeat(10)).repeat(200)
}

/// The logs of a run: names and texts.
pub(crate) fn logs_of(trace: &Trace, records: &Records) -> Vec<(String, String)> {
    write_logs(trace, records).into_iter().map(|(name, text)| (name, text.to_string())).collect()
}

fn example(id: &str) -> Arc<Scenario> {
    let json = blockstep::examples::find(id).unwrap().json;
    Scenario::new(&blockstep::format::read_scenario(json).unwrap()).unwrap()
}
