//! What files say of the host between its calls: of which sort a span is, and by which name it is put together with others like it.
//!
//! Invariant: a name is a part of what the file has, so that it is no longer. Source: PyTorch's profiler (categories of events), its
//! `emit_nvtx` (what it adds to the names of operators), and files of both; `docs/traces.md`.

use std::borrow::Cow;

use crate::HostSort;

/// What `emit_nvtx` and `emit_itt` add to the name of an operator.
const ADDED: [&str; 4] = [", seq = ", ", op_id = ", ", sizes = ", ", input_op_ids = "];

/// An event of the PyTorch profiler, by category and name; `None` if it is no span of the host.
pub(super) fn of_kineto<'n>(category: &str, name: &'n str) -> Option<(HostSort, Cow<'n, str>)> {
    let sort = match category {
        "cpu_op" | "Operator" => HostSort::Operator,
        "user_annotation" => return Some(of_range(name)),
        "python_function" => return Some((HostSort::Frame, of_frame(name))),
        _ => return None,
    };
    Some((sort, name.into()))
}

/// A range that a program marked.
pub(super) fn of_range(name: &str) -> (HostSort, Cow<'_, str>) {
    match name.split_once('#') {
        Some((step @ "ProfilerStep", _)) => (HostSort::Step, step.into()),
        _ => match ADDED.iter().filter_map(|added| name.find(added)).min() {
            Some(end) => (HostSort::Operator, name[..end].into()),
            None => (HostSort::Range, name.into()),
        },
    }
}

/// The name of a function of Python without the address of the object that it belongs to.
fn of_frame(name: &str) -> Cow<'_, str> {
    let Some((before, rest)) = name.split_once(" at 0x") else { return name.into() };
    let after = rest.trim_start_matches(|c: char| c.is_ascii_hexdigit());
    if after.len() == rest.len() { name.into() } else { format!("{before}{after}").into() }
}
