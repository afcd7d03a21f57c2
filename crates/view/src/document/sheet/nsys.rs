//! What `nsys stats` prints as CSV: its reports `cuda_gpu_trace` and `cuda_kern_exec_trace`, as rows of the kernel table.
//!
//! Invariants: streams, grids and blocks are those of the file; what a report does not have is no column; what had to be assumed is
//! a note. Source: the report scripts of Nsight Systems, whose headings these are.

use std::borrow::Cow;
use std::collections::HashMap;

use super::headings::plain;

/// A report as cells under the headings of the kernel table.
pub(super) struct Report {
    pub(super) heads: Vec<&'static str>,
    pub(super) lines: Vec<Vec<Cow<'static, str>>>,
    /// Columns of the file that no row needs.
    pub(super) unused: Vec<String>,
    pub(super) notes: Vec<String>,
}

/// How one column of the kernel table is read: its heading, and the columns of the report that it needs.
struct Derived {
    head: &'static str,
    sources: &'static [&'static str],
    cell: fn(&[&str]) -> String,
}

const GPU_TRACE: &[Derived] = &[
    Derived { head: "Stream", sources: &["strm"], cell: first },
    Derived { head: "Start", sources: &["start"], cell: nanoseconds },
    Derived { head: "Blocks", sources: &["grdx", "grdy", "grdz"], cell: product },
    Derived { head: "Threads", sources: &["blkx", "blky", "blkz"], cell: product },
    Derived { head: "Time per block", sources: &["duration", "grdx"], cell: time_of_kernel },
    Derived { head: "Shared memory", sources: &["stcsmem", "dymsmem"], cell: megabytes },
    Derived { head: "Registers", sources: &["regtrd"], cell: first },
    Derived { head: "Call", sources: &["name"], cell: call },
    Derived { head: "Bytes", sources: &["bytes"], cell: megabytes },
];

const EXEC_TRACE: &[Derived] = &[
    Derived { head: "Task", sources: &["tid"], cell: thread },
    Derived { head: "Start", sources: &["apistart"], cell: nanoseconds },
    Derived { head: "Blocks", sources: &["gridxyz"], cell: dimensions },
    Derived { head: "Threads", sources: &["blockxyz"], cell: dimensions },
    Derived { head: "Time per block", sources: &["kerneldur"], cell: nanoseconds },
];

/// The report that these cells are, if they are one. `heads` is their first line.
pub(super) fn read(heads: &[Cow<'_, str>], lines: &[Vec<Cow<'_, str>>]) -> Option<Report> {
    // `Start (ns)` and `StcSMem (MB)`, in older versions `Start(nsec)`, without their units.
    let words: Vec<String> = heads.iter().map(|head| plain(head.split('(').next().unwrap_or_default())).collect();
    let place = |word: &str| words.iter().position(|found| found == word);
    let (columns, name) = match (place("grdx"), place("blkx"), place("gridxyz"), place("kerneldur")) {
        (Some(_), Some(_), ..) => (GPU_TRACE, "name"),
        (.., Some(_), Some(_)) => (EXEC_TRACE, "kernelname"),
        _ => return None,
    };
    let name = place(name)?;
    let columns: Vec<(&Derived, Vec<usize>)> = columns
        .iter()
        .filter_map(|column| Some((column, column.sources.iter().map(|word| place(word)).collect::<Option<Vec<_>>>()?)))
        .collect();
    let mut used: Vec<usize> = columns.iter().flat_map(|(_, sources)| sources).copied().chain([name]).collect();
    used.sort_unstable();
    let mut names = Numbered::default();
    let read_line = |line: &Vec<Cow<'_, str>>| {
        let cell = |at: usize| line.get(at).map_or("", |cell| &**cell);
        let cells = columns.iter().map(|(column, sources)| {
            let sources: Vec<&str> = sources.iter().map(|at| cell(*at)).collect();
            Cow::Owned((column.cell)(&sources))
        });
        std::iter::once(Cow::Owned(names.next(cell(name)))).chain(cells).collect()
    };
    let rounded = columns.iter().any(|(column, _)| column.head == "Shared memory");
    Some(Report {
        lines: lines.iter().map(read_line).collect(),
        unused: heads.iter().enumerate().filter(|(at, _)| used.binary_search(at).is_err()).map(|(_, head)| head.to_string()).collect(),
        heads: std::iter::once("Kernel").chain(columns.iter().map(|(column, _)| column.head)).collect(),
        notes: std::iter::once(
            "A table of nsys stats. Time per block is the time of the whole kernel: right if all its blocks run at once.",
        )
        .chain(rounded.then_some("The file rounds memory to 0.001 MB."))
        .map(str::to_owned)
        .collect(),
    })
}

/// Names that differ: `gemm`, `gemm #2`.
#[derive(Default)]
struct Numbered(HashMap<String, usize>);

impl Numbered {
    fn next(&mut self, name: &str) -> String {
        let count = self.0.entry(name.to_owned()).or_default();
        *count += 1;
        if *count == 1 { name.to_owned() } else { format!("{name} #{count}") }
    }
}

fn first(cells: &[&str]) -> String {
    cells.first().copied().unwrap_or_default().to_owned()
}

/// A thread of the host as a task: names of tasks are words.
fn thread(cells: &[&str]) -> String {
    with(&first(cells), |tid| format!("thread {tid}"))
}

fn nanoseconds(cells: &[&str]) -> String {
    with(&first(cells), |ns| format!("{ns} ns"))
}

/// The duration of a kernel; that of a copy follows from its bytes.
fn time_of_kernel(cells: &[&str]) -> String {
    if cells.get(1).is_some_and(|grid| grid.is_empty()) { String::new() } else { nanoseconds(cells) }
}

/// `32x4x1`; empty of a copy.
fn product(cells: &[&str]) -> String {
    if cells.iter().all(|cell| cell.is_empty()) { String::new() } else { cells.join("x") }
}

/// `   32    4    1`, with blanks between them.
fn dimensions(cells: &[&str]) -> String {
    first(cells).split_whitespace().collect::<Vec<_>>().join("x")
}

/// The sum of megabytes of 10^6 bytes, which have at most three decimals, in bytes. What is no such number stays as it is.
fn megabytes(cells: &[&str]) -> String {
    let bytes = |cell: &&str| {
        let (whole, part) = cell.split_once('.').unwrap_or((cell, ""));
        let digits = format!("{}{part:0<6}", whole.replace(',', ""));
        digits.parse::<u64>().ok().filter(|_| part.len() <= 6)
    };
    let filled: Vec<&str> = cells.iter().copied().filter(|cell| !cell.is_empty()).collect();
    let sum = filled.iter().map(bytes).try_fold(0_u64, |sum, bytes| sum.checked_add(bytes?));
    match sum {
        Some(_) if filled.is_empty() => String::new(),
        Some(sum) => format!("{sum} B"),
        None => filled.join(" + "),
    }
}

/// What the CPU called: `[CUDA memcpy Host-to-Device]`, in older versions `[CUDA memcpy HtoD]`, `[CUDA memset]`, or a kernel's name.
fn call(cells: &[&str]) -> String {
    let name = cells.first().copied().unwrap_or_default();
    let call = match name.strip_prefix("[CUDA ").map(|rest| rest.trim_end_matches(']')) {
        Some("memset") => "memset",
        Some("memcpy Host-to-Device" | "memcpy HtoD") => "copy_to_device",
        Some("memcpy Device-to-Host" | "memcpy DtoH") => "copy_to_host",
        Some("memcpy Device-to-Device" | "memcpy DtoD") => "copy_on_device",
        // Of a call that the table does not know, the reader decides.
        Some(other) => other,
        None => "kernel",
    };
    call.to_owned()
}

fn with(text: &str, unit: impl Fn(&str) -> String) -> String {
    if text.is_empty() { String::new() } else { unit(text) }
}
