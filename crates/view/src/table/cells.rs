//! The rows of the tables as cells: how each field is written and read.
//!
//! Depends on `table`, `scenario` and `quantity`. Invariant: as there.

use super::{CellError, Cells, words};
use crate::quantity::{self, Unit};
use blockstep_sim::scenario::{
    BatchDraft, BlockTimes, Call, Choice, Class, DefaultStream, Interleave, KernelDraft, Preemption, ProcessDraft, Release, TIMESLICE_NS,
    TaskDraft, too_long,
};

/// Longest list of block times that a cell spells out; longer ones are summed up.
const MAX_TIMES_SHOWN: usize = 64;
/// The same of names.
const MAX_NAMES_SHOWN: usize = 50;

impl Cells for KernelDraft {
    fn cell(&self, field: &str) -> String {
        match field {
            "name" => self.name.clone(),
            "task" => self.task.clone().unwrap_or_default(),
            "stream" => self.stream.clone(),
            "start_ns" => or_empty(self.start_ns, quantity::format_time),
            "after" => self.after.clone().unwrap_or_default(),
            "call" => self.call.word().to_owned(),
            "bytes" => or_empty(self.bytes, quantity::format_bytes),
            "synchronous" => words::TRUTH[usize::from(self.synchronous)].to_owned(),
            "call_ns" => self.call_ns.map(quantity::format_time).unwrap_or_default(),
            // Of another call they may be left out.
            "blocks" | "threads_per_block" | "block_time_ns" if self.call != Call::Kernel && is_without_blocks(self) => String::new(),
            "blocks" => quantity::format_count(self.blocks),
            "threads_per_block" => quantity::format_count(self.threads_per_block),
            "shared_memory_bytes" => or_empty(self.shared_memory_bytes, quantity::format_bytes),
            "registers_per_thread" => or_empty(self.registers_per_thread, quantity::format_count),
            "block_time_ns" => times_cell(&self.block_time_ns),
            "block_time_max_ns" => self.block_time_max_ns.map(quantity::format_time).unwrap_or_default(),
            "copy_in_bytes" => or_empty(self.copy_in_bytes, quantity::format_bytes),
            "copy_out_bytes" => or_empty(self.copy_out_bytes, quantity::format_bytes),
            "waits_for" => names_cell(&self.waits_for),
            "records" => self.records.clone().unwrap_or_default(),
            "graph" => self.graph.clone().unwrap_or_default(),
            "batch" => self.batch.clone().unwrap_or_default(),
            "barrier" => words::TRUTH[usize::from(self.barrier)].to_owned(),
            "until_begun" => names_cell(&self.until_begun),
            "until_all_begun" => names_cell(&self.until_all_begun),
            "until_completed" => names_cell(&self.until_completed),
            "cooperative" => words::TRUTH[usize::from(self.cooperative)].to_owned(),
            _ => String::new(),
        }
    }

    fn set_cell(&mut self, field: &str, text: &str) -> Result<(), CellError> {
        match field {
            "name" => self.name = name(text)?,
            "task" => self.task = some_name(text)?,
            "stream" => self.stream = name(text)?,
            "start_ns" => self.start_ns = or_zero(Unit::Time, text)?,
            "after" => self.after = some_name(text)?,
            "call" => self.call = word::<Call>(text)?,
            "bytes" => self.bytes = or_zero(Unit::Bytes, text)?,
            "synchronous" => self.synchronous = truth(text)?,
            "call_ns" => self.call_ns = time(text)?,
            "blocks" => self.blocks = if is_left_out(self, text) { 0 } else { quantity::parse(Unit::Count, text)? },
            "threads_per_block" => self.threads_per_block = if is_left_out(self, text) { 0 } else { quantity::parse(Unit::Count, text)? },
            "shared_memory_bytes" => self.shared_memory_bytes = or_zero(Unit::Bytes, text)?,
            "registers_per_thread" => self.registers_per_thread = or_zero(Unit::Count, text)?,
            "block_time_ns" if is_left_out(self, text) => self.block_time_ns = BlockTimes::Each(0),
            "block_time_ns" => self.block_time_ns = quantity::parse_block_times(text)?,
            "block_time_max_ns" => self.block_time_max_ns = time(text)?,
            "copy_in_bytes" => self.copy_in_bytes = or_zero(Unit::Bytes, text)?,
            "copy_out_bytes" => self.copy_out_bytes = or_zero(Unit::Bytes, text)?,
            "waits_for" => self.waits_for = names(text)?,
            "records" => self.records = some_name(text)?,
            "graph" => self.graph = some_name(text)?,
            "batch" => self.batch = some_name(text)?,
            "barrier" => self.barrier = truth(text)?,
            "until_begun" => self.until_begun = names(text)?,
            "until_all_begun" => self.until_all_begun = names(text)?,
            "until_completed" => self.until_completed = names(text)?,
            "cooperative" => self.cooperative = truth(text)?,
            _ => return Err(CellError::NoField(field.to_owned())),
        }
        Ok(())
    }
}

fn is_without_blocks(row: &KernelDraft) -> bool {
    row.blocks == 0 && row.threads_per_block == 0 && row.block_time_ns == BlockTimes::Each(0)
}

/// Whether an empty cell says that a row that is no kernel has no blocks.
fn is_left_out(row: &KernelDraft, text: &str) -> bool {
    text.is_empty() && row.call != Call::Kernel
}

impl Cells for TaskDraft {
    fn cell(&self, field: &str) -> String {
        let time = |ns: Option<u64>| ns.map(quantity::format_time).unwrap_or_default();
        match field {
            "name" => self.name.clone(),
            "process" => self.process.clone().unwrap_or_default(),
            "release" => self.release.word().to_owned(),
            "offset_ns" => or_empty(self.offset_ns, quantity::format_time),
            "period_ns" => time(self.period_ns),
            "deadline_ns" => time(self.deadline_ns),
            "jobs" => self.jobs.map(quantity::format_count).unwrap_or_default(),
            "class" => self.class.map(|c| c.word().to_owned()).unwrap_or_default(),
            "budget_ns" => time(self.budget_ns),
            "priority" => {
                if self.priority == 0 {
                    String::new()
                } else {
                    self.priority.to_string()
                }
            }
            "consumes" => names_cell(&self.consumes),
            "call_ns" => time(self.call_ns),
            "pixel_latency_ns" => time(self.pixel_latency_ns),
            "wake_ns" => or_empty(self.wake_ns, quantity::format_time),
            _ => String::new(),
        }
    }

    fn set_cell(&mut self, field: &str, text: &str) -> Result<(), CellError> {
        match field {
            "name" => self.name = name(text)?,
            "process" => self.process = some_name(text)?,
            "release" => self.release = word::<Release>(text)?,
            "offset_ns" => self.offset_ns = or_zero(Unit::Time, text)?,
            "period_ns" => self.period_ns = time(text)?,
            "deadline_ns" => self.deadline_ns = time(text)?,
            "jobs" => self.jobs = if text.is_empty() { None } else { Some(quantity::parse(Unit::Count, text)?) },
            "class" => self.class = if text.is_empty() { None } else { Some(word::<Class>(text)?) },
            "budget_ns" => self.budget_ns = time(text)?,
            "priority" => self.priority = integer(text)?,
            "consumes" => self.consumes = names(text)?,
            "call_ns" => self.call_ns = time(text)?,
            "pixel_latency_ns" => self.pixel_latency_ns = time(text)?,
            "wake_ns" => self.wake_ns = or_zero(Unit::Time, text)?,
            _ => return Err(CellError::NoField(field.to_owned())),
        }
        Ok(())
    }
}

impl Cells for BatchDraft {
    fn cell(&self, field: &str) -> String {
        let time = |ns: Option<u64>| ns.map(quantity::format_time).unwrap_or_default();
        match field {
            "name" => self.name.clone(),
            "task" => self.task.clone().unwrap_or_default(),
            "deadline_ns" => quantity::format_time(self.deadline_ns),
            "budget_ns" => time(self.budget_ns),
            "period_ns" => time(self.period_ns),
            _ => String::new(),
        }
    }

    fn set_cell(&mut self, field: &str, text: &str) -> Result<(), CellError> {
        match field {
            "name" => self.name = name(text)?,
            "task" => self.task = some_name(text)?,
            "deadline_ns" => self.deadline_ns = quantity::parse(Unit::Time, text)?,
            "budget_ns" => self.budget_ns = time(text)?,
            "period_ns" => self.period_ns = time(text)?,
            _ => return Err(CellError::NoField(field.to_owned())),
        }
        Ok(())
    }
}

impl Cells for ProcessDraft {
    fn cell(&self, field: &str) -> String {
        match field {
            "name" => self.name.clone(),
            "interleave" => self.interleave.word().to_owned(),
            "guest" => self.guest.clone().unwrap_or_default(),
            "channels" if self.channels == 1 => String::new(),
            "channels" => quantity::format_count(self.channels),
            "timeslice_ns" if self.timeslice_ns == TIMESLICE_NS => String::new(),
            "timeslice_ns" => quantity::format_time(self.timeslice_ns),
            "preemption" => self.preemption.map(|mode| mode.word().to_owned()).unwrap_or_default(),
            "default_stream" => self.default_stream.word().to_owned(),
            _ => String::new(),
        }
    }

    fn set_cell(&mut self, field: &str, text: &str) -> Result<(), CellError> {
        match field {
            "name" => self.name = name(text)?,
            "interleave" => self.interleave = word::<Interleave>(text)?,
            "guest" => self.guest = some_name(text)?,
            "channels" => self.channels = if text.is_empty() { 1 } else { quantity::parse(Unit::Count, text)? },
            "timeslice_ns" => self.timeslice_ns = if text.is_empty() { TIMESLICE_NS } else { quantity::parse(Unit::Time, text)? },
            "preemption" => self.preemption = if text.is_empty() { None } else { Some(word::<Preemption>(text)?) },
            "default_stream" => self.default_stream = word::<DefaultStream>(text)?,
            _ => return Err(CellError::NoField(field.to_owned())),
        }
        Ok(())
    }
}

/// A number as its cell shows it; zero is what an empty cell stands for.
fn or_empty(value: u64, format: impl FnOnce(u64) -> String) -> String {
    if value == 0 { String::new() } else { format(value) }
}

fn or_zero(unit: Unit, text: &str) -> Result<u64, CellError> {
    if text.is_empty() { Ok(0) } else { Ok(quantity::parse(unit, text)?) }
}

fn time(text: &str) -> Result<Option<u64>, CellError> {
    if text.is_empty() { Ok(None) } else { Ok(Some(quantity::parse(Unit::Time, text)?)) }
}

/// Yes or no; an empty cell says no.
fn truth(text: &str) -> Result<bool, CellError> {
    match text {
        "yes" => Ok(true),
        "" | "no" => Ok(false),
        _ => Err(CellError::OtherWord { text: text.to_owned(), words: vec!["yes", "no"] }),
    }
}

/// A name, unless it is too long.
fn name(text: &str) -> Result<String, CellError> {
    too_long(text).map_or_else(|| Ok(text.to_owned()), |why| Err(CellError::LongName(why)))
}

/// Names between commas.
fn names(text: &str) -> Result<Vec<String>, CellError> {
    if text
        .strip_suffix(NAMES)
        .and_then(|count| quantity::parse(Unit::Count, count).ok())
        .is_some_and(|count| count > MAX_NAMES_SHOWN as u64)
    {
        return Err(CellError::NamesSummedUp(text.to_owned()));
    }
    text.split(',').map(str::trim).filter(|text| !text.is_empty()).map(name).collect()
}

fn some_name(text: &str) -> Result<Option<String>, CellError> {
    if text.is_empty() { Ok(None) } else { name(text).map(Some) }
}

/// A whole number, perhaps negative; an empty cell is 0.
fn integer(text: &str) -> Result<i64, CellError> {
    if text.is_empty() {
        return Ok(0);
    }
    // Separators between groups of three digits, and the minus sign that is not on keyboards.
    let plain = text.replace([',', ' '], "").replace('\u{2212}', "-");
    plain.parse().map_err(|_| CellError::NotAnInteger(text.to_owned()))
}

/// A word as files spell it, or as the page shows it.
fn word<C: Choice>(text: &str) -> Result<C, CellError> {
    C::from_word(&text.to_ascii_lowercase().replace(' ', "_")).ok_or_else(|| {
        let words = C::ALL.iter().map(|c| c.word()).collect();
        CellError::OtherWord { text: text.to_owned(), words }
    })
}

/// Long lists are summed up: such a cell can be replaced, not edited.
fn times_cell(times: &BlockTimes) -> String {
    match times {
        BlockTimes::List(list) if list.len() > MAX_TIMES_SHOWN => {
            let (least, most) = (list.iter().min().copied().unwrap_or(0), list.iter().max().copied().unwrap_or(0));
            format!(
                "{} times, {} to {}",
                quantity::format_count(list.len() as u64),
                quantity::format_time(least),
                quantity::format_time(most)
            )
        }
        _ => quantity::format_block_times(times),
    }
}

/// What follows the count of names that are summed up.
const NAMES: &str = " names";

/// Long lists of names, too.
fn names_cell(names: &[String]) -> String {
    match names.len() {
        count if count > MAX_NAMES_SHOWN => format!("{}{NAMES}", quantity::format_count(count as u64)),
        _ => names.join(", "),
    }
}
