//! What the command line reads: files and standard input.
//!
//! Depends on `format`. Invariant: no more is read than a file may hold; what is no text is named.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::{Failed, Streams, name};
use blockstep_format::{self as format, FormatError};

impl Streams<'_> {
    /// The text of a file, unless it is too long to be read.
    pub(super) fn read(&mut self, path: &Path) -> Result<String, Failed> {
        let file = &name(path);
        let bytes = if path == Path::new("-") {
            limited(self.stdin)
        } else {
            File::open(path).and_then(|mut source| match source.metadata() {
                Ok(data) if data.is_file() => format::too_large(data.len()).map_or_else(|| limited(&mut source), |why| Ok(Err(why))),
                _ => limited(&mut source),
            })
        };
        let bytes = match bytes {
            Ok(Ok(bytes)) => bytes,
            Ok(Err(why)) => return self.wrong(file, &why, None),
            Err(e) => return self.fail(&format!("{file}: cannot be read: {e}")),
        };
        if let Some(what) = format::foreign(&bytes) {
            return self.fail(&format!("{file}: {what}"));
        }
        String::from_utf8(bytes).or_else(|e| {
            let good = e.utf8_error().valid_up_to();
            let line = 1 + e.as_bytes()[..good].iter().filter(|&&b| b == b'\n').count();
            self.fail(&format!("{file}: line {line}: not UTF-8 text (byte {good})"))
        })
    }
}

/// All there is to read, unless that is too much.
fn limited(source: &mut (impl Read + ?Sized)) -> io::Result<Result<Vec<u8>, FormatError>> {
    let mut bytes = Vec::new();
    source.take(format::MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(match format::too_large(bytes.len() as u64) {
        Some(why) => Err(why),
        None => Ok(bytes),
    })
}
