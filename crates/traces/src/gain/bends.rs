//! What takes over where a lever gains no more: the curve bends there.
//!
//! Invariant: it is named only if it accounts for most of what the lever does not gain, in the replay itself; where the limits cut the
//! gain, nothing is.

use std::collections::BTreeMap;

use super::levers::LeverSubject;
use super::model::Model;
use super::run::Link;
use super::{Gains, PERCENTS, ProgramChange};
use crate::path::groups::{PathShare, PathSubject};

/// A curve bends if the lever gains less than this part of what it takes on the path, in tenths: our choice.
const BEND_TENTHS: u64 = 9;

/// What the end of a replay waited for, by what it has in common, ns.
pub(super) type Chain = BTreeMap<LeverSubject, u64>;

/// What the end of the replay with these changes waited for, with the wall clock from `first_ns`. `None` if something waits for itself.
pub(super) fn chain(model: &Model<'_>, changes: &[ProgramChange], first_ns: u64) -> Option<(u64, Chain)> {
    let replayed = model.run_traced(changes)?;
    let mut chain = Chain::new();
    for (link, ns) in replayed.chain {
        let row = |share, name| LeverSubject::Row(PathSubject { share, name, span: None, cause: None });
        let what = match link {
            Link::Host => LeverSubject::Host,
            Link::Launch => row(PathShare::Launching, None),
            Link::Running(operation) => {
                let name = model.recording.operations[operation as usize].name;
                row(PathShare::Working, Some(model.same_short.get(&name).copied().unwrap_or(name)))
            }
            Link::Gap => continue,
        };
        let sum = chain.entry(what).or_default();
        *sum = sum.saturating_add(ns);
    }
    Some((replayed.end.ns().saturating_sub(first_ns), chain))
}

impl Gains {
    /// Places of levers whose curve bends, so that something else takes over.
    pub(super) fn bends(&self) -> Vec<usize> {
        let is_bent = |lever: &super::Lever| {
            let gain = self.curve(lever.what)[PERCENTS.len() - 1];
            let lost = |gain_ns: u64| lever.path_ns.saturating_sub(gain_ns);
            gain.is_some_and(|ns| {
                self.is_worth(ns)
                    && self.is_a_hundredth(lost(ns))
                    && u128::from(ns) * 10 < u128::from(lever.path_ns) * u128::from(BEND_TENTHS)
            })
        };
        (0..self.levers.len()).filter(|&place| is_bent(&self.levers[place])).collect()
    }
}

/// What takes over from a lever: what grew most on the chain of the end, by more than half of what the lever does not gain.
pub(super) fn takes_over(lever: &super::Lever, gain_ns: u64, before: &Chain, after: &Chain) -> Option<LeverSubject> {
    let lost_ns = lever.path_ns.saturating_sub(gain_ns);
    // Of the host that a lever is about, only the rest can grow.
    let is_of_host = matches!(lever.what, LeverSubject::Row(row) if row.share == PathShare::Host);
    let had = |what: &LeverSubject| {
        let ns = before.get(what).copied().unwrap_or(0);
        if is_of_host && *what == LeverSubject::Host { ns.saturating_sub(lever.path_ns) } else { ns }
    };
    let grew = after.iter().map(|(what, ns)| (ns.saturating_sub(had(what)), *what));
    let (most_ns, what) = grew.max()?;
    (most_ns > lost_ns / 2 && what != lever.what).then_some(what)
}
