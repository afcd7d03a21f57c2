//! What changes of the program would gain, as they are tried one after another, and what the trace before had promised.
//!
//! Invariant: a question takes as long as its asker wants, or one run, however many changes there are; what is kept of a trace for the next is
//! small.

use super::overview;
use super::tracer::time;
use crate::Recording;
use crate::causes::Analysis;
use crate::gain::promises::Advice;
use crate::gain::{self, Gains, Lever, NoGains, PERCENTS, Trying};
use crate::path::compare::{Compared, Times, compare};
use crate::path::{DevicePath, PathPiece};
use blockstep_sim::units::Span;
use blockstep_traces_messages::{Gained, LeverRow, Proposal, ShownGains};

/// Of a longer recording the changes are not tried for the next one alone: a reader waits for that.
const MOST_ADVISED: usize = 5_000;

/// What changes are tried with.
#[derive(Clone, Copy)]
pub(super) struct Subject<'o> {
    pub(super) recording: &'o Recording,
    pub(super) analysis: &'o Analysis,
    pub(super) paths: &'o [DevicePath],
}

impl Subject<'_> {
    /// What of it is compared with another: the device that ended last.
    pub(super) fn times(&self) -> Option<Times> {
        let path = self.paths.first()?;
        Some(Times::new(Compared { recording: self.recording, path }))
    }
}

/// What is kept of a trace for the next.
#[derive(Debug)]
pub(super) struct Before {
    pub(super) times: Times,
    /// What would have shortened it, if that is known.
    advice: Option<Advice>,
}

/// The changes that are tried, once they were asked for.
#[derive(Debug, Default)]
pub(super) struct TriedChanges(Option<Result<Trying, NoGains>>);

impl TriedChanges {
    /// What is kept for the next trace.
    pub(super) fn into_before(self, of: Subject<'_>) -> Option<Before> {
        Some(Before { times: of.times()?, advice: self.into_advice(of) })
    }

    /// What would shorten it: if all changes are tried, or can be tried soon.
    fn into_advice(self, of: Subject<'_>) -> Option<Advice> {
        let mut trying = self.0.unwrap_or_else(|| Trying::new(of.recording, of.analysis, of.paths)).ok()?;
        if !trying.is_over() && of.recording.operations.len() > MOST_ADVISED {
            return None;
        }
        while !trying.is_over() {
            trying.try_some(of.recording, of.analysis, &mut || true).ok()?;
        }
        Some(Advice::new(of.recording, &trying.gains))
    }

    /// Tries one more change, or begins to, and others as long as `go_on` says so; what came of them once all are tried.
    pub(super) fn try_some(&mut self, of: Subject<'_>, before: Option<&Before>, go_on: &mut dyn FnMut() -> bool) -> ShownGains {
        let tried = match self.0.take() {
            None => Trying::new(of.recording, of.analysis, of.paths),
            Some(Ok(mut trying)) => trying.try_some(of.recording, of.analysis, go_on).map(|()| trying),
            Some(Err(why)) => Err(why),
        };
        let tried = self.0.insert(tried);
        match tried {
            Ok(trying) if !trying.is_over() => ShownGains::Trying(trying.left() as u64),
            _ => shown(of, tried.as_ref().map(|trying| &trying.gains), before),
        }
    }
}

fn shown(of: Subject<'_>, gains: Result<&Gains, &NoGains>, before: Option<&Before>) -> ShownGains {
    let recording = of.recording;
    let place = |piece: PathPiece| (piece.from, piece.to);
    let (proposals, note) = gain::words::proposals(recording, gains, &time);
    let shown = |of: gain::words::Proposal| Proposal { headline: of.headline, details: of.details, place: of.place.map(place) };
    let proposals = proposals.into_iter().map(shown).collect();
    let gained = |gains: &Gains, ns: u64| Gained { time: time(Span(ns)), permille: overview::permille(ns, gains.recorded_ns) };
    let row = |gains: &Gains, (lever, curve): (&Lever, [u64; PERCENTS.len()])| LeverRow {
        what: gain::words::lever(recording, lever.what),
        longest: place(lever.longest),
        gains: curve.map(|ns| gained(gains, ns)),
        then: gain::words::then(recording, lever).unwrap_or_default(),
    };
    let levers = gains.map_or(Vec::new(), |gains| gains.curves().map(|of| row(gains, of)).collect());
    let promised = gains.ok().zip(before).and_then(|(gains, before)| promised(of, gains, before)).unwrap_or_default();
    ShownGains::Tried { proposals, note, levers, promised }
}

/// What the trace before promised, beside what this one shows, lines.
fn promised(of: Subject<'_>, gains: &Gains, before: &Before) -> Option<Vec<String>> {
    let promises = before.advice.as_ref()?.promises(&Advice::new(of.recording, gains));
    Some(gain::words::promised(&promises, &compare(&before.times, &of.times()?)))
}
