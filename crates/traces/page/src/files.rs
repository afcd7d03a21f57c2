//! Which files are traces.

use gloo::file::callbacks::read_as_bytes;
use leptos::prelude::*;

use blockstep_traces_messages::is_profile;

/// Looks whether a file is a profiler's trace, by its first bytes.
fn is_trace(file: &web_sys::File, then: impl FnOnce(bool) + 'static) {
    /// Bytes that are looked at: what stands before the events is shorter.
    const START: f64 = 262_144.0;
    let Ok(start) = file.slice_with_f64_and_f64(0.0, START) else { return then(false) };
    let reader = StoredValue::new_local(None);
    let task = read_as_bytes(&gloo::file::Blob::from(start), move |bytes| {
        then(bytes.is_ok_and(|bytes| is_profile(&bytes)));
        reader.dispose();
    });
    reader.set_value(Some(task));
}

/// Looks whether files are profilers' traces: all of them, or at least two, as what comes with these is a damaged one.
pub fn are_traces(files: Vec<web_sys::File>, then: Box<dyn FnOnce(bool)>) {
    let count = files.len();
    count_traces(files, 0, Box::new(move |traces| then(traces == count || traces >= 2)));
}

fn count_traces(mut files: Vec<web_sys::File>, traces: usize, then: Box<dyn FnOnce(usize)>) {
    let Some(last) = files.pop() else { return then(traces) };
    is_trace(&last, move |is_trace| count_traces(files, traces + usize::from(is_trace), then));
}
