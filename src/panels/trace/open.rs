//! Opening what was recorded on a GPU: a profiler's trace, or logs of blocks; their content tells which.
//!
//! Invariant: what is neither is refused as a trace, with the reason.

use web_sys::File;

use crate::panels::host::Tools;
use crate::state::reading;
use blockstep_format as format;
use blockstep_profile::ranks::{MOST_RANKS, words};
use blockstep_tools::ToolId;

/// Opens files that a reader takes for a trace. Several are put beside each other. Logs of blocks lie over the run, so that is shown for them.
pub(crate) fn open_trace(tools: Tools, files: Vec<File>) {
    let Some(first) = files.first().cloned() else { return };
    let trace = tools.state.trace;
    let is_one = files.len() == 1;
    let is_known = is_one && (format::to_export(&first.name()).is_some() || first.size() > format::MAX_FILE_BYTES as f64);
    let of_traces = files.clone();
    let then = move |are_traces| {
        if are_traces || is_known {
            return open_traces(tools, files);
        }
        reading::read_all(tools.state, files.clone(), move |texts| {
            if is_one && !texts.iter().all(|(_, text)| format::is_log(text)) {
                return trace.open(&first);
            }
            tools.close_tool(ToolId::Trace);
            tools.give_files(ToolId::Measured, texts);
        });
    };
    reading::are_traces(of_traces, Box::new(then));
}

/// Opens a trace, or several in the order of their names.
pub(crate) fn open_traces(tools: Tools, mut files: Vec<File>) {
    files.sort_by_key(File::name);
    match &files[..] {
        [file] => tools.state.trace.open(file),
        _ if files.len() <= MOST_RANKS => tools.state.trace.open_several(files, false),
        _ => tools.state.messages.complain(words::too_many(files.len())),
    }
}
