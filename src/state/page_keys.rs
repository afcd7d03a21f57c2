//! Keys on a page of its own: what is in sight there takes them.
//!
//! Invariants: who came last is asked first; who is gone is not asked.

use leptos::prelude::*;

use blockstep_tools::commands::Command;

/// Carries a command out, or says that it is not one of its own.
type CarryOut = Callback<Command, bool>;

/// Who takes the commands of keys while the run cannot be seen, each by a number of its own.
#[derive(Clone, Copy)]
pub(crate) struct PageKeys(StoredValue<Vec<(u32, CarryOut)>>);

impl PageKeys {
    pub(super) fn new() -> Self {
        Self(StoredValue::new(Vec::new()))
    }

    /// Has a component take commands as long as it is there.
    pub(crate) fn listen(self, carry_out: impl Fn(Command) -> bool + Send + Sync + 'static) {
        let number = self.0.with_value(|all| all.last().map_or(0, |(last, _)| last + 1));
        self.0.update_value(|all| all.push((number, Callback::new(carry_out))));
        on_cleanup(move || {
            // The page may be gone in tests.
            let _ = self.0.try_update_value(|all| all.retain(|(other, _)| *other != number));
        });
    }

    /// Carries a command out; whether someone took it.
    pub(crate) fn carry_out(self, command: Command) -> bool {
        let all = self.0.get_value();
        all.iter().rev().any(|(_, carry_out)| carry_out.run(command))
    }
}
