//! A device's own work comes first on its path.
//!
//! Invariants: the result covers what it is made from; the device works on it whenever an operation ran. Of several operations the path
//! keeps the one that the walk came through, else the one that began first.

use super::{DevicePath, PathPiece, PathStep};
use crate::Recording;
use crate::causes::Certainty;
use blockstep_sim::units::Time;

/// Puts a device's work in the place of what else the walk found at that time.
pub(super) fn put_first(recording: &Recording, device: u32, walked: Vec<PathPiece>) -> DevicePath {
    let work = work(recording, device);
    let mut path = DevicePath { device, pieces: Vec::with_capacity(walked.len()), host_behind_ns: 0, behind: Vec::new() };
    let mut next = 0;
    for piece in walked {
        if matches!(piece.step, PathStep::Running(place) if recording.stream(&recording.operations[place as usize]).device == device) {
            add(&mut path.pieces, piece);
            continue;
        }
        let is_host = matches!(piece.step, PathStep::Host(_) | PathStep::Call(_));
        let mut at = piece.from;
        while next < work.len() && work[next].to <= at {
            next += 1;
        }
        for working in work[next..].iter().take_while(|working| working.from < piece.to) {
            add(&mut path.pieces, PathPiece { from: at, to: working.from.max(at), ..piece });
            let (from, to) = (working.from.max(at), working.to.min(piece.to));
            add(&mut path.pieces, PathPiece { from, to, ..*working });
            if is_host {
                path.host_behind_ns += to.since(from).ns();
                add(&mut path.behind, PathPiece { from, to, ..piece });
            }
            at = to;
        }
        add(&mut path.pieces, PathPiece { from: at, ..piece });
    }
    path
}

/// Adds a piece that is not empty; one that goes on with the same as the last becomes part of it.
fn add(pieces: &mut Vec<PathPiece>, piece: PathPiece) {
    match pieces.last_mut() {
        _ if piece.from >= piece.to => {}
        Some(last) if last.step == piece.step && last.certainty == piece.certainty => last.to = piece.to,
        _ => pieces.push(piece),
    }
}

/// When a device works: of several operations the one that began first, by time.
fn work(recording: &Recording, device: u32) -> Vec<PathPiece> {
    let (mut work, mut upto) = (Vec::new(), Time::ZERO);
    for (place, operation) in recording.operations.iter().enumerate() {
        let from = operation.start.max(upto);
        if operation.end > from && recording.stream(operation).device == device {
            work.push(PathPiece { step: PathStep::Running(place as u32), certainty: Certainty::Certain, from, to: operation.end });
            upto = operation.end;
        }
    }
    work
}
