//! Runs that the lab has made, so that asking about one again costs nothing.
//!
//! Depends on `engine`. Invariant: what is kept is what would be simulated.

use std::sync::Arc;

use crate::engine::{self, Limits, Run};
use crate::format;
use crate::learn::ledger::Ledger;
use crate::record::Records;
use crate::scenario::Scenario;
use crate::trace::{Trace, Variants};

/// Runs kept.
const KEPT: usize = 12;

/// A run with what is derived from it.
#[derive(Clone)]
pub struct Made {
    /// The run.
    pub run: Run,
    /// Its own records.
    pub records: Arc<Records>,
}

/// The runs asked for last, the latest at the end.
#[derive(Default)]
pub struct Runs {
    kept: Vec<(String, Variants, Made)>,
    /// That of the run asked about last.
    ledger: Option<(Arc<Trace>, Arc<Ledger>)>,
}

impl Runs {
    /// The run of a scenario file, with variants of the rules.
    ///
    /// # Errors
    /// What is wrong with the file, as a sentence for the reader.
    pub fn get(&mut self, scenario: &str, variants: Variants) -> Result<Made, String> {
        let found = self.kept.iter().position(|(text, with, _)| text == scenario && *with == variants);
        let entry = match found {
            Some(place) => self.kept.remove(place),
            None => {
                let run = engine::simulate_varied(&read(scenario)?, variants, Limits::default()).map_err(|e| e.to_string())?;
                let records = Arc::new(Records::new(&run.trace));
                (scenario.to_owned(), variants, Made { run, records })
            }
        };
        let made = entry.2.clone();
        self.kept.push(entry);
        if self.kept.len() > KEPT {
            self.kept.remove(0);
        }
        Ok(made)
    }
}

impl Runs {
    /// The ledger of a run.
    pub fn ledger(&mut self, made: &Made) -> Arc<Ledger> {
        match &self.ledger {
            Some((trace, ledger)) if Arc::ptr_eq(trace, &made.run.trace) => Arc::clone(ledger),
            _ => {
                let ledger = Arc::new(Ledger::new(&made.run, &made.records));
                self.ledger = Some((Arc::clone(&made.run.trace), Arc::clone(&ledger)));
                ledger
            }
        }
    }
}

/// A scenario file as a scenario.
///
/// # Errors
/// What is wrong with it, as a sentence for the reader.
pub fn read(scenario: &str) -> Result<Arc<Scenario>, String> {
    let draft = format::read_scenario(scenario).map_err(|e| e.to_string())?;
    Scenario::new(&draft).map_err(|e| e.to_string())
}
