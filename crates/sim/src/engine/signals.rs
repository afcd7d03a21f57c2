//! Phase 4, first part: what the RunList Manager is told (docs/semantics.md, section 4, lines 1 and 2).
//!
//! Depends on the rest of `engine`. Invariant: a job is told of once for an instant, by what is true of it then.

use super::Engine;
use super::vary::Variation;
use crate::snapshot::Message;
use crate::trace::{Change, Cut, Rule, Signal};

impl<V: Variation> Engine<'_, V> {
    /// Signals are sent (M1, M3), then those arrive that are due (M2, M4). False if there may be more, as the work for now is done.
    pub(super) fn exchange_signals(&mut self) -> Result<bool, Cut> {
        while !self.is_due_to_pause() {
            if let Some((signal, claimant, job)) = self.state.unsent_signal() {
                if self.scenario.horizon().is_none() {
                    self.later(self.scenario.policy().signal_time(), |_| "the arrival of a signal".to_owned())?;
                }
                let rule = if signal == Signal::Submitted { Rule::M1 } else { Rule::M3 };
                self.emit(rule, Change::SignalSent { signal, claimant, job })?;
                continue;
            }
            let due = self.state.signals_under_way().next().filter(|message| message.arrives == self.now);
            let Some(Message { signal, claimant, job, .. }) = due else { return Ok(true) };
            let rule = if signal == Signal::Submitted { Rule::M2 } else { Rule::M4 };
            self.emit(rule, Change::SignalArrived { signal, claimant, job })?;
        }
        Ok(false)
    }
}
