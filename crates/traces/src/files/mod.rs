//! Files of profilers: the JSON of the PyTorch profiler, of JAX and of rocprofv3, plain or by gzip, and SQLite databases, which are exports of
//! Nsight Systems or rocprofv3's own.
//!
//! Invariants: JSON is read as a stream, never as a tree; what is wrong with a file is said
//! with what was expected and what was found; no input panics.

mod collectives;
mod copies;
mod database;
mod diagnostics;
mod json;
mod kineto;
mod mended;
mod nsight;
mod ranges;
mod ranks;
mod rocm;
mod spans;
#[cfg(not(target_arch = "wasm32"))]
mod sqlite;
mod waits;
mod xla;

pub use blockstep_traces_messages::{SQLITE, is_profile, to_export};
pub use database::{Cells, Database, read_export};
pub use mended::Refused;
pub use ranges::write_range_json;
pub use ranks::write_ranks_json;
pub use waits::{write_comparison_json, write_path_csv, write_waits_csv, write_waits_json};

#[cfg(not(target_arch = "wasm32"))]
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
#[cfg(not(target_arch = "wasm32"))]
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use crate::Recording;
use mended::MOST_TEXT;

/// Read as a stream: the size of what is asked for at once.
const PIECE: usize = 256 * 1024;

/// Most bytes of all different names.
const MOST_NAMES: u64 = 64_000_000;
/// Most operations, calls, spans and other entries of a file, as they are kept in memory.
const MOST_ENTRIES: usize = 10_000_000;
/// Most devices that a file describes.
const MOST_DEVICES: usize = 1_000_000;

/// What a file is that holds traces of another kind, by its beginning.
fn foreign(start: &[u8]) -> Option<&'static str> {
    if start.get(257..262) == Some(b"ustar") {
        return Some("a tar archive: unpack it, and open the file of one process");
    }
    if start.starts_with(b"PK\x03\x04") {
        return Some("a zip archive: unpack it, and open the trace that is in it");
    }
    if start.starts_with(b"PAR1") {
        return Some("a Parquet table: export the report of Nsight Systems as SQLite, with nsys export --type sqlite");
    }
    let start = &start[..start.len().min(4_096)];
    let begins = |text: &[u8]| start.trim_ascii_start().starts_with(text);
    let has = |text: &[u8]| start.windows(text.len()).any(|part| part == text);
    match () {
        () if has(b"\"traceEvents\"") => None,
        () if begins(b"{\"Type\":") || begins(b"{\"CudaEvent\":") || begins(b"{\"NvtxEvent\":") => {
            Some("JSON lines of Nsight Systems: export it with nsys export --type sqlite")
        }
        () => None,
    }
}

/// Whether a file is the JSON of rocprofv3, by its beginning.
fn is_rocprof(start: &[u8]) -> bool {
    let start = &start[..start.len().min(4_096)];
    let has = |text: &[u8]| start.windows(text.len()).any(|part| part == text);
    has(b"\"rocprofiler-sdk-tool\"") && !has(b"\"traceEvents\"")
}

/// Where the text of a trace is no JSON, or not that of a trace.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Debug, thiserror::Error)]
pub enum JsonFault {
    #[error("{why} of what begins at byte {at}")]
    Part { at: u64, why: serde_json::Error },
    #[error("expected {expected} in what begins at byte {at}")]
    Expected { expected: &'static str, at: u64 },
    #[error("there is no \"traceEvents\"")]
    NoEvents,
    #[error("it was cut off, and what is whole of it has no kernel, copy or memset of a GPU")]
    Ended,
    #[error(transparent)]
    Unreadable(#[from] io::Error),
}

/// Why a profiler's file cannot be read.
#[expect(missing_docs, reason = "the sentences say it")]
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
    #[error("the file cannot be read: {0}")]
    Unreadable(#[from] io::Error),
    #[error("{0}")]
    Report(String),
    #[error(
        "the file is empty; expected a trace of the PyTorch profiler or of JAX, an export of Nsight Systems, or the output of rocprofv3"
    )]
    Empty,
    #[error(
        "expected a trace of the PyTorch profiler or of JAX as JSON, plain or by gzip, an export of Nsight Systems as SQLite, or the output of \
         rocprofv3 as either, and found a file that begins with {0}"
    )]
    OtherKind(String),
    #[error("this is an SQLite database, and nothing here reads those; expected a trace of the PyTorch profiler, or the JSON of rocprofv3")]
    NoDatabases,
    #[error("reading was stopped")]
    Stopped,
    #[error("this is not a trace of the PyTorch profiler: {0}")]
    NoTrace(JsonFault),
    #[error("this is not a trace of the PyTorch profiler, but {0}")]
    Foreign(&'static str),
    #[error("this is not an export of Nsight Systems or a database of rocprofv3, but {0}, which is not read here")]
    ForeignDatabase(&'static str),
    #[error("this is a database of rocprofv3 with a later schema; schema 3 is read. Record with --output-format json")]
    LaterSchema,
    #[error("this is a folder; expected a file. A report of Nsight Systems becomes one with nsys export --type sqlite")]
    Folder,
    #[error(
        "expected a trace of the PyTorch profiler; the file is damaged (events read: {events}): {why}{}",
        writer_fault(.why)
    )]
    DamagedTrace { events: u64, why: JsonFault },
    #[error("expected the JSON of rocprofv3; the file is damaged (records read: {records}): {why}")]
    DamagedRocprof { records: u64, why: JsonFault },
    #[error("this is refused (events read: {events}): {refused}")]
    Refused { events: u64, refused: Refused },
    #[error("this is refused: the name with the id {id} in the table {table} is longer than {MOST_TEXT} bytes")]
    LongName { table: String, id: i64 },
    #[error("this is refused: its different names are longer than {MOST_NAMES} bytes in all")]
    Names,
    #[error("this is refused: it has more than {most} operations, calls, ranges and other entries, which are kept in memory")]
    Entries { most: usize },
    #[error("this is refused: more than {MOST_DEVICES} devices are described in it")]
    Devices,
    #[error(
        "this is a trace of several processes merged into one: calls of the processes {first} and {second} have the same numbers, so that a \
         kernel cannot be joined with its call. Open the files of the processes one by one"
    )]
    Merged { first: u64, second: u64 },
    #[error("expected an export of Nsight Systems (nsys export --type sqlite) or a database of rocprofv3; the database is damaged: {0}")]
    DamagedDatabase(String),
    #[error("no kernel, copy or memset of a GPU among its {events} events. Expected a trace of the PyTorch profiler with CUDA activities")]
    NothingInTrace { events: u64 },
    #[error("no kernel or copy of a GPU among its {records} records. Expected the JSON of rocprofv3, recorded with --sys-trace")]
    NothingInRocprof { records: u64 },
    #[error(
        "no kernel, copy or memset of a GPU in this database (tables: {tables}). Expected an export of Nsight Systems (nsys export --type \
         sqlite) recorded with -t cuda, or a database of rocprofv3 recorded with --sys-trace"
    )]
    NothingInDatabase { tables: String },
    #[error(
        "no kernel, copy or memset of a GPU in this export of Nsight Systems: {missing}. Record with nsys profile -t cuda,nvtx -o report \
         PROGRAM, then export with nsys export --type sqlite report.nsys-rep{said}"
    )]
    NoDevice { missing: &'static str, said: String },
}

/// What may be behind a file that is whole and no JSON all the same: PyTorch writes some names as they are
/// (pytorch#98432, #113001, #130622).
fn writer_fault(why: &JsonFault) -> &'static str {
    if matches!(why, JsonFault::Part { .. } | JsonFault::Expected { .. }) {
        ". PyTorch's profiler does not escape all names of Python frames, which may be the reason: record without with_stack"
    } else {
        ""
    }
}

impl ProfileError {
    /// Why reading ends after so many events or records: what is refused, that it was stopped, or else what makes of a file a damaged one.
    fn of_fault(events: u64, why: JsonFault, damaged: fn(u64, JsonFault) -> Self) -> Self {
        let JsonFault::Unreadable(why) = why else { return damaged(events, why) };
        match why.downcast() {
            Ok(refused) => Self::Refused { events, refused },
            Err(why) if why.to_string() == STOPPED => Self::Stopped,
            Err(why) => damaged(events, JsonFault::Unreadable(why)),
        }
    }
}

impl From<String> for ProfileError {
    fn from(why: String) -> Self {
        Self::DamagedDatabase(why)
    }
}

/// Reads a profiler's file. `watch` is told how many bytes of JSON or rows of a database were read so far; by returning `false` it stops
/// reading.
///
/// # Errors
///
/// What was expected, and what was found.
pub fn read_profile(file: impl Read, watch: &mut dyn FnMut(u64) -> bool) -> Result<Recording, ProfileError> {
    read_profile_within(MOST_ENTRIES, file, watch)
}

/// The same with at most so many entries.
///
/// # Errors
///
/// As [`read_profile`].
pub fn read_profile_within(most: usize, file: impl Read, watch: &mut dyn FnMut(u64) -> bool) -> Result<Recording, ProfileError> {
    let mut file = BufReader::with_capacity(PIECE, file);
    let start = file.fill_buf()?;
    if start.is_empty() {
        return Err(ProfileError::Empty);
    }
    if start.starts_with(SQLITE) {
        return database(most, file, watch);
    }
    if start.starts_with(b"\x1f\x8b") {
        let mut unpacked = BufReader::with_capacity(PIECE, MultiGzDecoder::new(file));
        // What is damaged is told when it is read.
        let (what, is_rocprof) = unpacked.fill_buf().map_or((None, false), |start| (foreign(start), is_rocprof(start)));
        let file = Watched { file: unpacked, read: 0, told: 0, watch };
        return match what {
            Some(what) => Err(ProfileError::Foreign(what)),
            None if is_rocprof => rocm::read_json(most, file),
            None => kineto::read(most, file),
        };
    }
    if let Some(what) = foreign(start) {
        return Err(ProfileError::Foreign(what));
    }
    if is_rocprof(start) {
        return rocm::read_json(most, Watched { file, read: 0, told: 0, watch });
    }
    let first = start.iter().copied().find(|byte| !byte.is_ascii_whitespace() && !b"\xef\xbb\xbf".contains(byte));
    match first {
        Some(b'{' | b'[') => kineto::read(most, Watched { file, read: 0, told: 0, watch }),
        _ => {
            let first = first.map_or("nothing but blanks".to_owned(), |byte| format!("\"{}\"", char::from(byte).escape_default()));
            Err(ProfileError::OtherKind(first))
        }
    }
}

/// The same of a file by its path. A database is read where it lies and not taken into memory.
///
/// # Errors
///
/// As [`read_profile`].
#[cfg(not(target_arch = "wasm32"))]
pub fn read_profile_file(path: &Path, watch: &mut dyn FnMut(u64) -> bool) -> Result<Recording, ProfileError> {
    if let Some(why) = to_export(&path.to_string_lossy()) {
        return Err(ProfileError::Report(why));
    }
    if path.is_dir() {
        return Err(ProfileError::Folder);
    }
    let start = File::open(path).and_then(|file| {
        let mut start = Vec::new();
        file.take(SQLITE.len() as u64).read_to_end(&mut start).map(|_| start)
    });
    if start? == SQLITE {
        return sqlite::read_file(path, watch);
    }
    read_profile(File::open(path)?, watch)
}

#[cfg(not(target_arch = "wasm32"))]
fn database(most: usize, mut file: impl Read, watch: &mut dyn FnMut(u64) -> bool) -> Result<Recording, ProfileError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    sqlite::read_bytes(most, bytes, watch)
}

#[cfg(target_arch = "wasm32")]
fn database(_: usize, _: impl Read, _: &mut dyn FnMut(u64) -> bool) -> Result<Recording, ProfileError> {
    Err(ProfileError::NoDatabases)
}

/// Tells how much was read.
struct Watched<'w, R> {
    file: R,
    read: u64,
    told: u64,
    watch: &'w mut dyn FnMut(u64) -> bool,
}

/// Said when the reader wants no more.
const STOPPED: &str = "reading was stopped";

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let n = self.file.read(into)?;
        self.read += n as u64;
        if self.read - self.told >= PIECE as u64 {
            self.told = self.read;
            if !(self.watch)(self.read) {
                return Err(io::Error::other(STOPPED));
            }
        }
        Ok(n)
    }
}
