//! What Nsight Systems says of its own recording: rows of `DIAGNOSTIC_EVENT`.
//!
//! Invariants: only warnings and errors that are about what is read here count; of their words a few are kept, cut. Source: the table and
//! its levels in a measured export (schema 3.25); which words mean a loss is our choice, on the side of a loss.

use std::collections::BTreeMap;

use super::ProfileError;
use super::nsight::{Export, NsightImport};
use crate::words::cut;
use crate::{Flaw, ProfilerMessage};

const TABLE: &str = "DIAGNOSTIC_EVENT";
/// At most so many messages are kept in their words.
const MOST_MESSAGES: usize = 3;
/// And so many characters of each.
const LONG: usize = 160;
/// Levels of messages that a file names; none has as many.
const MOST_LEVELS: usize = 100;
/// Numbers of warnings and errors where the file does not name its levels.
const USUAL: [i64; 2] = [2, 3];

/// What is said of events that are not in the file.
const LOSS: [&str; 12] = [
    "drop",
    "lost",
    "loss",
    "overflow",
    "not all",
    "missing",
    "incomplete",
    "discard",
    "truncat",
    "out of memory",
    "out of space",
    "exceeded",
];
/// What is read here: CUDA's activities, and the ranges of the host.
const READ: [&str; 4] = ["cuda", "cupti", "gpu activit", "nvtx"];
/// What is not read here.
const OTHER: [&str; 16] = [
    "nvtx",
    "sampl",
    "backtrace",
    "call stack",
    "opengl",
    "vulkan",
    "directx",
    "os runtime",
    "osrt",
    "ftrace",
    "context switch",
    "cpu",
    "metric",
    "network",
    "python",
    "openmp",
];

/// What a message is about, as far as it bears on the data.
fn is_loss(text: &str) -> Option<bool> {
    let text = text.to_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    // What names nothing may be about the GPU.
    let is_of_gpu = has(&READ[..3]) || !has(&OTHER);
    match has(&LOSS) && is_of_gpu {
        true => Some(true),
        false => has(&READ).then_some(false),
    }
}

/// Messages that bear on the data, those of losses first.
#[derive(Default)]
struct Messages {
    losses: u64,
    others: u64,
    kept: Vec<ProfilerMessage>,
}

impl Messages {
    fn add(&mut self, text: &str) {
        let Some(is_of_loss) = is_loss(text) else { return };
        *(if is_of_loss { &mut self.losses } else { &mut self.others }) += 1;
        let text = cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), LONG);
        let is_known = self.kept.iter().any(|kept| kept.text == text);
        if !is_known {
            let place = if is_of_loss { self.kept.iter().filter(|kept| kept.is_of_loss).count() } else { self.kept.len() };
            self.kept.insert(place, ProfilerMessage { is_of_loss, text });
            self.kept.truncate(MOST_MESSAGES);
        }
    }
}

/// Reads the messages of an export.
pub(super) fn read(export: &Export<'_>, found: &mut NsightImport<'_>) -> Result<(), ProfileError> {
    let mut levels: BTreeMap<i64, bool> = BTreeMap::new();
    export.rows("ENUM_DIAGNOSTIC_SEVERITY_LEVEL", &["id", "name", "label"], found, &mut |cells, _| {
        let name = cells.text(1).or_else(|| cells.text(2)).unwrap_or_default().to_lowercase();
        let is_bad = ["warn", "error", "fatal"].iter().any(|word| name.contains(word));
        if let Some(id) = cells.integer(0).filter(|_| levels.len() < MOST_LEVELS) {
            levels.insert(id, is_bad);
        }
        Ok(())
    })?;
    let mut messages = Messages::default();
    export.rows(TABLE, &["severity", "text"], found, &mut |cells, _| {
        let is_bad = |level: i64| if levels.is_empty() { USUAL.contains(&level) } else { levels.get(&level) == Some(&true) };
        if let Some(text) = cells.integer(0).filter(|&level| is_bad(level)).and_then(|_| cells.text(1)) {
            messages.add(&text);
        }
        Ok(())
    })?;
    for (flaw, count) in [(Flaw::Lost as fn(u64) -> Flaw, messages.losses), (Flaw::Warned, messages.others)] {
        if count > 0 {
            found.builder.add_flaw(flaw(count));
        }
    }
    found.builder.set_messages(messages.kept);
    Ok(())
}
