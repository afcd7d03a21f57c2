//! The worker in the browser: questions come and answers go.
//!
//! Beside [`TraceAsk::Open`] and [`TraceAsk::OpenAfter`] comes the file. Invariants: every question has a last answer, that is none of
//! progress; of a file, a slice is in memory at a time.

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;

use js_sys::{Date, Uint8Array};
use wasm_bindgen::JsCast;
use web_sys::{Blob, FileReaderSync};

use super::sqlite::Base;
use blockstep_protocol::wire::{self, Replies};
use blockstep_sim::units::written::format_count;
use blockstep_traces::answers::Tracer;
use blockstep_traces_messages::{SQLITE, TraceAnswer, TraceAsk};

const SLICE_UNREADABLE: &str = "the browser could not read on; the file may have changed since it was picked";

/// Bytes of a file that are in memory at a time.
const SLICE: f64 = 4.0 * 1024.0 * 1024.0;

/// Most bytes of a database, which is in memory as a whole, and once more while it is opened.
const MOST_OF_DATABASE: f64 = 1_000_000_000.0;

/// Changes are tried for so long until other questions have their turn, ms.
const MOST_MS: f64 = 100.0;

/// Answers every message to this worker from now on.
pub(super) fn serve() {
    let tracer = Rc::new(RefCell::new(Tracer::default()));
    wire::serve(move |ask: TraceAsk, beside, replies| match (ask, beside.dyn_into::<Blob>()) {
        (ask @ (TraceAsk::Open | TraceAsk::OpenAfter), Ok(file)) => {
            tracer.borrow_mut().begin(ask == TraceAsk::OpenAfter);
            open(replies, &tracer, file);
        }
        (TraceAsk::Explain(known), _) => {
            let answer = tracer.borrow_mut().explain_again(known, &mut |progress| replies.go_on(&progress, &[]));
            replies.end(&answer);
        }
        (TraceAsk::Gains, _) => {
            let until = Date::now() + MOST_MS;
            replies.end(&tracer.borrow_mut().try_some(&mut || Date::now() < until));
        }
        (ask, _) => replies.end(&tracer.borrow_mut().answer(&ask)),
    });
}

/// Opens a file, and answers when that is done.
fn open(replies: Replies, tracer: &Rc<RefCell<Tracer>>, file: Blob) {
    let Ok(reader) = FileReaderSync::new() else {
        return replies.end(&TraceAnswer::Failed("This browser does not let a background worker read files.".to_owned()));
    };
    let part = |end: f64| file.slice_with_f64_and_f64(0.0, end).and_then(|part| reader.read_as_array_buffer(&part));
    let is_database = part(SQLITE.len() as f64).is_ok_and(|start| Uint8Array::new(&start).to_vec() == SQLITE);
    if !is_database {
        let slices = Slices { size: file.size(), file, reader, at: 0.0, slice: Uint8Array::new_with_length(0), given: 0 };
        let answer = tracer.borrow_mut().open(slices, &mut |progress| replies.go_on(&progress, &[]));
        return replies.end(&answer);
    }
    let size = file.size();
    if size > MOST_OF_DATABASE {
        return replies.end(&TraceAnswer::Failed(too_large(size as u64, MOST_OF_DATABASE as u64)));
    }
    let Ok(bytes) = part(size) else { return replies.end(&TraceAnswer::Failed(SLICE_UNREADABLE.to_owned())) };
    replies.go_on(&TraceAnswer::Reading(size as u64), &[]);
    let tracer = Rc::clone(tracer);
    wasm_bindgen_futures::spawn_local(async move {
        let answer = match Base::open(Uint8Array::new(&bytes)).await {
            Ok(base) => tracer.borrow_mut().open_export(&base, &mut |progress| replies.go_on(&progress, &[])),
            Err(why) => TraceAnswer::Failed(why),
        };
        replies.end(&answer);
    });
}

/// A file, slice by slice.
struct Slices {
    file: Blob,
    size: f64,
    reader: FileReaderSync,
    /// Where the next slice begins.
    at: f64,
    slice: Uint8Array,
    /// How much of the slice was given out.
    given: u32,
}

impl Read for Slices {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.given == self.slice.length() && self.at < self.size {
            let end = (self.at + SLICE).min(self.size);
            let part = self.file.slice_with_f64_and_f64(self.at, end).and_then(|part| self.reader.read_as_array_buffer(&part));
            let part = part.map_err(|_| io::Error::other(SLICE_UNREADABLE))?;
            (self.slice, self.given, self.at) = (Uint8Array::new(&part), 0, end);
        }
        let count = (self.slice.length() - self.given).min(u32::try_from(into.len()).unwrap_or(u32::MAX));
        self.slice.subarray(self.given, self.given + count).copy_to(&mut into[..count as usize]);
        self.given += count;
        Ok(count as usize)
    }
}

/// A database is taken into memory as a whole.
fn too_large(bytes: u64, most: u64) -> String {
    format!(
        "the database has {} bytes; in the browser at most {} are read. The command line reads it: blockstep trace FILE",
        format_count(bytes),
        format_count(most)
    )
}
