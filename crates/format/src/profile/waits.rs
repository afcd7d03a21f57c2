//! The waits of a recording for programs and spreadsheets.
//!
//! Depends on `profile`. Invariant: times are whole nanoseconds from the recording's first event; the parts of a wait add up to it.

use std::fmt::{self, Display, Write};

use serde::Serialize;

use crate::{csv_cell, layout};
use blockstep_profile::causes::{Analysis, Cause, Lack, WaitPart};
use blockstep_profile::summary::{Starts, Summary};
use blockstep_profile::{Flaw, Operation, ProfilerSource, RecordedDevice, Recording, words};
use blockstep_sim::occupancy::NAMES;
use blockstep_sim::scenario::Evidence;

#[derive(Serialize)]
struct Waits<'r> {
    source: ProfilerSource,
    operations: usize,
    streams: usize,
    end_ns: u64,
    flaws: &'r [Flaw],
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<Evidence>,
    starts: Starts,
    waited_ns: u64,
    causes: Vec<OfCause>,
    longest: Vec<OfOperation<'r>>,
}

#[derive(Serialize)]
struct OfCause {
    cause: &'static str,
    operations: u64,
    waited_ns: u64,
    certain_ns: u64,
}

#[derive(Serialize)]
struct OfOperation<'r> {
    name: &'r str,
    stream: u64,
    device: u64,
    /// The number by which the file joins it with its call.
    #[serde(skip_serializing_if = "Option::is_none")]
    correlation: Option<u64>,
    called_ns: Option<u64>,
    start_ns: u64,
    end_ns: u64,
    parts: Vec<OfPart<'r>>,
}

#[derive(Serialize)]
struct OfPart<'r> {
    cause: &'static str,
    certainty: &'static str,
    ns: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    by: Option<&'r str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_stream: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lack: Option<OfLack>,
}

/// What an SM lacked for a block.
#[derive(Serialize)]
struct OfLack {
    resource: &'static str,
    needed: u64,
    free: u64,
}

fn of_lack(lack: Lack) -> Option<OfLack> {
    NAMES.get(usize::from(lack.resource)).map(|resource| OfLack { resource, needed: lack.needed, free: lack.free })
}

/// The totals, and the parts of the longest waits, as JSON.
#[must_use]
pub fn write_waits_json(recording: &Recording, analysis: &Analysis, summary: &Summary, top: usize) -> String {
    let of_cause = |cause: Cause| {
        let total = &summary.causes[cause as usize];
        OfCause { cause: cause.word(), operations: total.operations, waited_ns: total.waited_ns, certain_ns: total.certain_ns }
    };
    let of_part = |part: &WaitPart| {
        let by = part.by.map(|by| &recording.operations[by as usize]);
        OfPart {
            cause: part.cause.word(),
            certainty: words::certainty(part.certainty),
            ns: part.span().ns(),
            by: by.map(|by| recording.name(by)),
            by_stream: by.map(|by| recording.stream(by).id),
            lack: part.lack.and_then(of_lack),
        }
    };
    let of_operation = |&place: &u32| {
        let operation = &recording.operations[place as usize];
        OfOperation {
            name: recording.name(operation),
            stream: recording.stream(operation).id,
            device: recording.device(operation).id,
            correlation: operation.correlation,
            called_ns: called(recording, operation),
            start_ns: operation.start.ns(),
            end_ns: operation.end.ns(),
            parts: analysis.parts(place).iter().map(of_part).collect(),
        }
    };
    let waits = Waits {
        source: recording.source,
        operations: recording.operations.len(),
        streams: recording.streams.len(),
        end_ns: recording.end().ns(),
        flaws: &recording.flaws,
        evidence: recording.devices.iter().map(RecordedDevice::evidence).find(|evidence| evidence.rules().is_some()),
        starts: summary.starts,
        waited_ns: summary.waited_ns(),
        causes: Cause::ALL.into_iter().map(of_cause).collect(),
        longest: summary.costliest.iter().take(top).map(of_operation).collect(),
    };
    layout::file(waits).to_string()
}

fn called(recording: &Recording, operation: &Operation) -> Option<u64> {
    recording.call(operation).map(|call| call.start.ns())
}

/// Every part of every wait, a line each; they are made as they are written.
#[must_use]
pub fn write_waits_csv(recording: &Recording, analysis: &Analysis) -> impl Display {
    fmt::from_fn(move |out| {
        out.write_str(
            "operation,name,device,stream,called_ns,start_ns,end_ns,cause,certainty,part_ns,by,by_name,lack,needed,free,correlation\n",
        )?;
        for (place, operation) in recording.operations.iter().enumerate() {
            for part in analysis.parts(place as u32) {
                let (device, stream) = (recording.device(operation).id, recording.stream(operation).id);
                let called = called(recording, operation).map_or(String::new(), |ns| ns.to_string());
                write!(
                    out,
                    "{place},{},{device},{stream},{called},{},{},{},{},{},",
                    csv_cell(recording.name(operation)),
                    operation.start.ns(),
                    operation.end.ns(),
                    part.cause.word(),
                    words::certainty(part.certainty),
                    part.span().ns()
                )?;
                match part.by {
                    Some(by) => write!(out, "{by},{}", csv_cell(recording.name(&recording.operations[by as usize])))?,
                    None => out.write_char(',')?,
                }
                match part.lack.and_then(of_lack) {
                    Some(lack) => write!(out, ",{},{},{},", lack.resource, lack.needed, lack.free)?,
                    None => out.write_str(",,,,")?,
                }
                writeln!(out, "{}", operation.correlation.map_or(String::new(), |id| id.to_string()))?;
            }
        }
        Ok(())
    })
}
