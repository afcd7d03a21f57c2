//! Files of profilers: the PyTorch profiler's JSON, plain or by gzip.
//!
//! Depends on `profile` for what is put together. Invariants: a file is read as a stream, never as a tree; what is wrong with it is said
//! with what was expected and what was found; no input panics.

mod kineto;
mod waits;

pub use waits::{write_waits_csv, write_waits_json};

use std::io::{self, BufRead, BufReader, Read};

use flate2::bufread::MultiGzDecoder;

use crate::profile::Recording;

/// Read as a stream: the size of what is asked for at once.
const PIECE: usize = 256 * 1024;

/// What such a file begins with, if it is an SQLite database.
const SQLITE: &[u8] = b"SQLite format 3\0";

/// Reads a profiler's file. `watch` is told how many bytes of JSON were read so far; by returning `false` it stops reading.
///
/// # Errors
///
/// What is wrong, as a sentence for the reader: what was expected, and what was found.
pub fn read_profile(file: impl Read, watch: &mut dyn FnMut(u64) -> bool) -> Result<Recording, String> {
    let mut file = BufReader::with_capacity(PIECE, file);
    let start = file.fill_buf().map_err(|e| format!("the file cannot be read: {e}"))?;
    if start.is_empty() {
        return Err("the file is empty; expected a trace of the PyTorch profiler".to_owned());
    }
    if start.starts_with(SQLITE) {
        return Err("this is an SQLite database; exports of Nsight Systems are not read yet. \
                    Expected a trace of the PyTorch profiler as JSON (.json or .json.gz)"
            .to_owned());
    }
    if start.starts_with(b"\x1f\x8b") {
        let unpacked = MultiGzDecoder::new(file);
        return kineto::read(Watched { file: BufReader::with_capacity(PIECE, unpacked), read: 0, told: 0, watch });
    }
    let first = start.iter().copied().find(|byte| !byte.is_ascii_whitespace() && !b"\xef\xbb\xbf".contains(byte));
    match first {
        Some(b'{' | b'[') => kineto::read(Watched { file, read: 0, told: 0, watch }),
        _ => Err(format!(
            "expected a trace of the PyTorch profiler as JSON, plain or by gzip, and found a file that begins with {}",
            first.map_or("nothing but blanks".to_owned(), |byte| format!("\"{}\"", char::from(byte).escape_default()))
        )),
    }
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
