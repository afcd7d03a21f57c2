//! Where results go: standard output, files and folders.
//!
//! Depends on same-file, and on `stop` for files that are not complete. Invariants: a text is written as it is made, never held as a whole; a file that was there is
//! replaced whole or stays as it was; no input is ever replaced; logs replace others only if told to, and never by a link that leads
//! out of their folder.

use std::fmt::Display;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use same_file::Handle;

use super::{CLOSED, Failed, Streams, name, stop};
use blockstep_sim::language::{and_more, one_or};

/// Most files that a message names.
const MOST_NAMED: usize = 3;

impl Streams<'_> {
    /// Prints a text. Its form has no control characters but line ends; names may.
    pub(super) fn print(&mut self, text: impl Display) -> Result<(), Failed> {
        self.meter.end();
        let mut out = Printable(BufWriter::new(&mut *self.stdout));
        let printed = write!(out, "{text}").and_then(|()| out.flush());
        drop(out);
        self.printed(printed)
    }

    fn print_bytes(&mut self, bytes: &[u8]) -> Result<(), Failed> {
        self.meter.end();
        let printed = self.stdout.write_all(bytes).and_then(|()| self.stdout.flush());
        self.printed(printed)
    }

    pub(super) fn printed(&mut self, result: io::Result<()>) -> Result<(), Failed> {
        match result {
            Ok(()) => Ok(()),
            // Whoever read it knows that it stopped; a script is told by the status.
            Err(e) if e.kind() == ErrorKind::BrokenPipe => {
                self.status = CLOSED;
                Err(Failed)
            }
            Err(e) => self.fail(&format!("standard output: {e}")),
        }
    }

    /// Refuses an output that is the input by another name, spelling or link.
    pub(super) fn spare(&mut self, input: &Path, output: &Path) -> Result<(), Failed> {
        let is_same = match (input == Path::new("-"), self.is_process) {
            (false, _) => same_file::is_same_file(input, output),
            (true, true) => Handle::stdin().and_then(|stdin| Ok(stdin == Handle::from_path(output)?)),
            (true, false) => Ok(false),
        };
        // What cannot be compared is not there yet, or is said when it is read or written.
        if is_same.unwrap_or(false) && output.is_file() {
            return self.fail(&format!("{} is the input itself, which is not replaced; give -o another name", name(output)));
        }
        Ok(())
    }

    /// Writes a text where it is to go.
    pub(super) fn put(&mut self, text: impl Display, output: Option<&Path>) -> Result<(), Failed> {
        match output {
            Some(out) => self.save(out, |file| write!(file, "{text}")),
            None => self.print(text),
        }
    }

    /// Writes what is no text where it is to go.
    pub(super) fn put_bytes(&mut self, bytes: &[u8], output: Option<&Path>) -> Result<(), Failed> {
        match output {
            Some(out) => self.save(out, |file| file.write_all(bytes)),
            None => self.print_bytes(bytes),
        }
    }

    fn save(&mut self, out: &Path, content: impl Fn(&mut dyn Write) -> io::Result<()>) -> Result<(), Failed> {
        self.meter.end();
        if self.is_process
            && let Err(e) = stop::remove_begun_by_signal()
        {
            return self.fail(&format!("signals of the system cannot be waited for: {e}"));
        }
        let was_there = out.is_file();
        replace(out, content).or_else(|e| {
            let stays = if was_there { "; the file that was there stays as it was" } else { "" };
            self.fail(&format!("{}: cannot be written: {e}{stays}", name(out)))
        })
    }

    /// Writes files into a folder, which is made if it is not there; other files of their names stay unless `overwrite`.
    pub(super) fn put_all(
        &mut self,
        files: &[(String, impl Display)],
        folder: &Path,
        overwrite: bool,
        inputs: &[&Path],
    ) -> Result<(), Failed> {
        let paths: Vec<PathBuf> = files.iter().map(|(name, _)| folder.join(name)).collect();
        for (path, input) in paths.iter().flat_map(|path| inputs.iter().map(move |input| (path, input))) {
            self.spare(input, path)?;
        }
        let old: Vec<String> = paths.iter().filter(|path| path.symlink_metadata().is_ok()).map(|path| name(path)).collect();
        if !overwrite && !old.is_empty() {
            let named = &old[..old.len().min(MOST_NAMED)];
            let (named, verb) = (and_more(named, old.len() - named.len()), one_or(old.len(), "is", "are"));
            self.say("error", format!("{named} {verb} there already; nothing was written"));
            let them = one_or(old.len(), "it", "them");
            self.say("hint", format!("give -o another folder, or --overwrite to replace {them}"));
            return Err(Failed);
        }
        if let Err(e) = fs::create_dir_all(folder) {
            return self.fail(&format!("{}: this folder cannot be made: {e}", name(folder)));
        }
        if let Some(link) = paths.iter().find(|path| leads_out(path, folder)) {
            return self
                .fail(&format!("{} is a link that leads out of the folder, which is not followed; nothing was written", name(link)));
        }
        files.iter().zip(&paths).try_for_each(|((_, text), path)| self.put(text, Some(path)))
    }
}

/// Whether a file of a folder is a link to what is not in it, or to nothing.
fn leads_out(path: &Path, folder: &Path) -> bool {
    let is_inside = || Ok::<_, io::Error>(fs::canonicalize(path)?.starts_with(fs::canonicalize(folder)?));
    path.is_symlink() && !is_inside().unwrap_or(false)
}

/// Takes text whose control characters, but line ends, a terminal is not to see.
struct Printable<W>(W);

impl<W: Write> Write for Printable<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let is_command = |c: char| c.is_control() && c != '\n';
        // What is formatted comes in whole characters.
        let text = str::from_utf8(bytes).map_err(io::Error::other)?;
        let mut parts = text.split(is_command);
        self.0.write_all(parts.next().unwrap_or_default().as_bytes())?;
        for part in parts {
            write!(self.0, "{}{part}", char::REPLACEMENT_CHARACTER)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Writes a file by way of another one beside it, so that it is replaced whole or not at all.
fn replace(out: &Path, content: impl Fn(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let fill = |file: &mut File| {
        let mut buffered = BufWriter::new(file);
        content(&mut buffered).and_then(|()| buffered.flush())
    };
    // A link stays a link: what it points to is replaced.
    let target = match fs::canonicalize(out) {
        Ok(target) => target,
        // A link to nothing: nothing can be lost.
        Err(_) if out.is_symlink() => return fill(&mut File::create(out)?),
        Err(e) if e.kind() == ErrorKind::NotFound => out.to_owned(),
        Err(e) => return Err(e),
    };
    let old = match fs::metadata(&target) {
        // A device or a pipe is written to; nothing can take its place.
        Ok(data) if !data.is_file() => return fill(&mut File::create(&target)?),
        Ok(data) => {
            // What may not be written to may not be replaced either.
            OpenOptions::new().write(true).open(&target)?;
            Some(data)
        }
        Err(_) => None,
    };
    let folder = target.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let mut file = stop::begin_file(folder)?;
    fill(file.as_file_mut())?;
    if let Some(old) = old {
        file.as_file().set_permissions(old.permissions())?;
    }
    // A full disk may show only now.
    File::sync_all(file.as_file())?;
    stop::keep_file(file, &target)
}
