//! What a signal does: of a study, the first Ctrl-C is a request and the second ends the program; of what writes a file, it ends the
//! program without that file.
//!
//! Depends on signal-hook and tempfile. Invariants: without a signal nothing changes; a file that is not complete is gone when a signal
//! has ended the program. A command writes no files before its study is over.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGQUIT, SIGXFSZ};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use tempfile::NamedTempFile;

use super::FAILURE;
use super::meter::Meter;

/// Whether to stop, and by which signal.
#[derive(Clone, Debug, Default)]
pub(super) struct Stop(Arc<AtomicUsize>);

/// Whether the next signal to a study ends the program.
static AGAIN: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);

impl Stop {
    /// By a signal to the process: SIGINT, as of Ctrl-C, or SIGTERM, as of a batch system whose time is up.
    ///
    /// # Errors
    /// If the system does not let a program wait for signals.
    pub(super) fn by_signal() -> io::Result<Self> {
        let stop = Self::default();
        for signal in [SIGINT, SIGTERM] {
            // Carried out in this order: the second signal ends the program, the first one is noted.
            flag::register_conditional_default(signal, Arc::clone(&AGAIN))?;
            flag::register(signal, Arc::clone(&AGAIN))?;
            flag::register_usize(signal, Arc::clone(&stop.0), signal.unsigned_abs() as usize)?;
        }
        Ok(stop)
    }

    /// Whether it is to stop.
    pub(super) fn is_asked(&self) -> bool {
        self.0.load(Ordering::SeqCst) != 0
    }

    /// The exit status of a program that a signal stopped: 128 and its number, as shells count. That of an error if none did.
    pub(super) fn status(&self) -> u8 {
        match self.0.load(Ordering::SeqCst) {
            0 => FAILURE,
            signal => u8::try_from(signal).unwrap_or(0).saturating_add(128),
        }
    }

    /// Why a study stopped early.
    pub(super) fn why(&self, meter: &Meter) -> String {
        if self.is_asked() { "interrupted".to_owned() } else { meter.limit() }
    }
}

/// The files that were begun. Whoever makes one or gives it its name holds the lock meanwhile. A path stays here when its file is gone:
/// none has its name again.
static BEGUN: Mutex<Begun> = Mutex::new(Begun { paths: Vec::new(), are_removed_by_signal: false });

struct Begun {
    paths: Vec<PathBuf>,
    /// Whether the thread that removes them waits for signals.
    are_removed_by_signal: bool,
}

fn begun() -> MutexGuard<'static, Begun> {
    BEGUN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has SIGINT, SIGTERM, SIGHUP and SIGQUIT remove the files that are not complete before they end the program, from now on. A file that
/// would get larger than the system allows cannot be written, as on a full disk, and SIGXFSZ does not end the program.
///
/// # Errors
/// If the system does not let a program wait for signals.
#[cfg(unix)]
pub(super) fn remove_begun_by_signal() -> io::Result<()> {
    let mut begun_files = begun();
    if begun_files.are_removed_by_signal {
        return Ok(());
    }
    let heeded = [SIGHUP, SIGQUIT].into_iter().filter(|&signal| !is_ignored(signal));
    let mut signals = signal_hook::iterator::Signals::new(heeded.chain([SIGINT, SIGTERM]))?;
    flag::register(SIGXFSZ, Arc::default())?;
    // After a search that a signal stopped, the next one would end the program at once, and leave the files.
    AGAIN.store(false, Ordering::SeqCst);
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            // The lock is kept until the end, so that no file is begun or gets its name any more.
            let begun_files = begun();
            for path in &begun_files.paths {
                let _ = fs::remove_file(path);
            }
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    })?;
    begun_files.are_removed_by_signal = true;
    Ok(())
}

/// Whether whoever started the program lets it ignore a signal, as `nohup` does with SIGHUP; also where the system does not say.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    // They are counted from 1.
    ignored.is_none_or(|ignored| ignored >> (signal - 1) & 1 == 1)
}

/// Elsewhere a signal ends the program at once.
#[cfg(not(unix))]
pub(super) fn remove_begun_by_signal() -> io::Result<()> {
    Ok(())
}

/// A file of a new name in a folder, with the rights that any new file has; gone if it is not kept.
pub(super) fn begin_file(folder: &Path) -> io::Result<NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".blockstep-").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut begun_files = begun();
    let file = builder.tempfile_in(folder)?;
    begun_files.paths.push(file.path().to_owned());
    Ok(file)
}

/// Gives a file its name, and so replaces what has it.
pub(super) fn keep_file(file: NamedTempFile, target: &Path) -> io::Result<()> {
    let _lock = begun();
    file.persist(target).map(drop).map_err(|e| e.error)
}
