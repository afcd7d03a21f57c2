//! What is known of a profiler's trace, as tables: the rows and names of the command line's, for the libraries of other languages.
//!
//! Invariants: a column is named here once, whatever holds it; every time is exact.

use crate::causes::{Analysis, Cause, WaitPart};
use crate::gain::{self, Gains};
use crate::path::{self, DevicePath, PathPiece, PathStep};
use crate::{Operation, Recording, words};
use blockstep_sim::occupancy::NAMES;
use blockstep_sim::units::Time;

use blockstep_report::columns::Columns;

/// The tables of a trace, by the names that other languages have for them.
pub const TABLES: [&str; 3] = ["path", "causes", "gains"];

/// What the columns of each name hold.
pub const MEANINGS: &[(&str, &str)] = &[
    ("by", "Number of the operation that made it wait; missing if none did."),
    ("by_name", "Its name; missing if none did."),
    ("called_ns", "When the program called for it, ns; missing if that was not recorded."),
    ("cause", "Why it waited, by the word of its cause; missing if it did not."),
    ("certainty", "How certain that is."),
    ("change", "The change, by its word; of several made together their words, joined by +."),
    ("correlation", "The number that joins it with its call; missing if the trace has none."),
    ("device", "Number of the GPU."),
    ("end_ns", "When it ended, ns."),
    ("free", "How much of that was free; missing if nothing lacked."),
    ("from_ns", "When the piece begins, ns."),
    ("gain_ns", "How much shorter it would be, ns."),
    ("is_proposed", "Whether it gains enough to be proposed."),
    ("lack", "The resource of an SM that lacked; missing if none did."),
    ("name", "Name of the operation."),
    ("needed", "How much of that it needs; missing if nothing lacked."),
    ("only_if", "Under which condition it is possible; missing if there is none."),
    ("operation", "Number of the operation, from 0; missing if it is none."),
    ("part_ns", "How long this part of the wait is, ns."),
    ("share", "The kind of time that the piece counts to, by its word."),
    ("start_ns", "When it began, ns."),
    ("stream", "Number of the stream."),
    ("to_ns", "When the piece ends, ns."),
    ("wall_ns", "How long the traced work would take then, ns."),
    ("what", "A description in words."),
];

/// Every piece of every path, by time.
///
/// # Errors
/// What a column cannot hold.
pub fn path<C: Columns>(table: C, recording: &Recording, paths: &[DevicePath]) -> Result<C, C::Error> {
    let pieces: Vec<(&DevicePath, &PathPiece)> = paths.iter().flat_map(|path| path.pieces.iter().map(move |piece| (path, piece))).collect();
    let subject = |(path, piece): &(&DevicePath, &PathPiece)| piece.subject(recording, path.device);
    let operation = |piece: &PathPiece| match piece.step {
        PathStep::Running(place) | PathStep::Waiting(place, _) => Some(u64::from(place)),
        PathStep::Call(_) | PathStep::Host(_) | PathStep::After | PathStep::Unknown => None,
    };
    table
        .numbers("device", pieces.iter().map(|(path, _)| recording.devices[path.device as usize].id))?
        .numbers("from_ns", pieces.iter().map(|(_, piece)| piece.from.ns()))?
        .numbers("to_ns", pieces.iter().map(|(_, piece)| piece.to.ns()))?
        .found_words("share", pieces.iter().map(|piece| subject(piece).share.word()))?
        .texts("what", pieces.iter().map(|piece| path::words::subject(recording, subject(piece))))?
        .some_found_words("cause", pieces.iter().map(|piece| subject(piece).cause.map(Cause::word)))?
        .found_words("certainty", pieces.iter().map(|(_, piece)| words::certainty(piece.certainty)))?
        .some_numbers("operation", pieces.iter().map(|(_, piece)| operation(piece)))
}

/// Every part of every wait.
///
/// # Errors
/// What a column cannot hold.
pub fn causes<C: Columns>(table: C, recording: &Recording, analysis: &Analysis) -> Result<C, C::Error> {
    let parts: Vec<(usize, &Operation, &WaitPart)> = recording
        .operations
        .iter()
        .enumerate()
        .flat_map(|(place, operation)| analysis.parts(place as u32).iter().map(move |part| (place, operation, part)))
        .collect();
    let by = |part: &WaitPart| part.by.map(|by| recording.name(&recording.operations[by as usize]).to_owned());
    let lack = |part: &WaitPart| part.lack.and_then(|lack| NAMES.get(usize::from(lack.resource)).map(|name| (*name, lack)));
    table
        .numbers("operation", parts.iter().map(|part| part.0 as u64))?
        .texts("name", parts.iter().map(|part| recording.name(part.1).to_owned()))?
        .numbers("device", parts.iter().map(|part| recording.device(part.1).id))?
        .numbers("stream", parts.iter().map(|part| recording.stream(part.1).id))?
        .some_numbers("called_ns", parts.iter().map(|part| recording.call(part.1).map(|call| Time::ns(call.start))))?
        .numbers("start_ns", parts.iter().map(|part| part.1.start.ns()))?
        .numbers("end_ns", parts.iter().map(|part| part.1.end.ns()))?
        .found_words("cause", parts.iter().map(|part| part.2.cause.word()))?
        .found_words("certainty", parts.iter().map(|part| words::certainty(part.2.certainty)))?
        .numbers("part_ns", parts.iter().map(|part| part.2.span().ns()))?
        .some_numbers("by", parts.iter().map(|part| part.2.by.map(u64::from)))?
        .some_texts("by_name", parts.iter().map(|part| by(part.2)))?
        .some_found_words("lack", parts.iter().map(|part| lack(part.2).map(|lack| lack.0)))?
        .some_numbers("needed", parts.iter().map(|part| lack(part.2).map(|lack| lack.1.needed)))?
        .some_numbers("free", parts.iter().map(|part| lack(part.2).map(|lack| lack.1.free)))?
        .some_numbers("correlation", parts.iter().map(|part| part.1.correlation))
}

/// Every change that was tried, the one that gains most first.
///
/// # Errors
/// What a column cannot hold.
pub fn gains<C: Columns>(table: C, recording: &Recording, gains: &Gains) -> Result<C, C::Error> {
    let tried = &gains.tried;
    table
        .found_words("change", tried.iter().map(|tried| tried.word()))?
        .texts("what", tried.iter().map(|tried| gain::words::together(recording, &tried.changes)))?
        .some_texts("only_if", tried.iter().map(|tried| gain::words::conditions(recording, &tried.changes)))?
        .numbers("wall_ns", tried.iter().map(|tried| tried.wall_ns))?
        .numbers("gain_ns", tried.iter().map(|tried| gains.gain_ns(tried)))?
        .truths("is_proposed", tried.iter().map(|tried| gains.more_ns(tried).is_some()))
}
