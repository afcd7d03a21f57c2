//! Opening what was recorded on a GPU: a profiler's trace, or logs of blocks; their content tells which.
//!
//! Invariant: what is neither is refused as a trace, with the reason.

use web_sys::File;

use crate::panels::host::Tools;
use crate::state::reading;
use blockstep_format as format;
use blockstep_tools::ToolId;

/// Opens files that a reader takes for a trace. Logs of blocks lie over the run, so that is shown for them.
pub(crate) fn open_trace(tools: Tools, files: Vec<File>) {
    let Some(first) = files.first().cloned() else { return };
    let trace = tools.state.trace;
    let is_one = files.len() == 1;
    reading::is_trace(&first.clone(), move |is_trace| {
        if is_one && (is_trace || format::to_export(&first.name()).is_some() || first.size() > format::MAX_FILE_BYTES as f64) {
            return trace.open(&first);
        }
        reading::read_all(tools.state, files.clone(), move |texts| {
            if is_one && !texts.iter().all(|(_, text)| format::is_log(text)) {
                return trace.open(&first);
            }
            tools.close_tool(ToolId::Trace);
            tools.give_files(ToolId::Measured, texts);
        });
    });
}
