//! The panels that are still written as HTML, and what they are asked in texts.
//!
//! Depends on everything but the page. Invariant: an answer depends on the request alone; what is
//! kept from one request to the next only saves time.

pub mod study;
pub mod tools;

use crate::report::{self, Options};
use crate::runs::{Runs, Simulation, beside};
use crate::trace::Variants;
use crate::view::panels;

pub use crate::protocol::LegacyPart as Part;

/// What the lab keeps.
#[derive(Default)]
pub struct Lab {
    runs: Runs,
    studies: study::Studies,
}

impl Lab {
    /// Answers a request.
    ///
    /// | request | arguments | | answer |
    /// |---|---|---|---|
    /// | `results` | scenario, `dark` or `light`, width in px, the run beside it | | the panel, as HTML |
    /// | `results-csv` | scenario, the run beside it | | the file |
    /// | `analyse` | scenario, `dark` or `light`, width in px, line to draw | | the verdicts, as HTML |
    /// | `study-form` | fields as a query | | the form, as HTML |
    /// | `study` | fields as a query | | study or nothing, link, sizes as words; of each problem field, sentence |
    /// | `study-count` | study, point, first set, end | | counts as words |
    /// | `study-figure` | study, counts, progress, `dark` or `light`, width, whether with a table | | figure and table, as HTML |
    /// | `study-svg`, `study-csv` | study, counts | | the file |
    /// | `study-failing` | study, point of a curve | | sets that fail there, as HTML |
    /// | `study-open` | study, point of a curve, set | | scenario, where to open it, why |
    /// | `tool` | see [`tools`] | | state, HTML, kind and value of each act |
    ///
    /// # Errors
    /// What is wrong with the request, as a sentence for the reader.
    pub fn answer(&mut self, request: &str, arguments: &[String]) -> Result<Vec<Part>, String> {
        let mut runs = std::mem::take(&mut self.runs);
        let answer = self.answer_with(request, arguments, &mut runs);
        self.runs = runs;
        answer
    }

    /// The same, with runs that somebody else keeps.
    ///
    /// # Errors
    /// As [`Lab::answer`].
    pub fn answer_with(&mut self, request: &str, arguments: &[String], runs: &mut Runs) -> Result<Vec<Part>, String> {
        let argument = |i: usize| arguments.get(i).map_or("", String::as_str);
        let text = |text: String| Ok(vec![Part::Text(text)]);
        match request {
            "results" => {
                let Simulation { run, records } = runs.get(argument(0), Variants::NONE)?;
                let options = Options { is_dark: argument(1) == "dark", width_px: argument(2).parse().unwrap_or(760) };
                let (beside, problem) = match beside::of(argument(3), argument(0), runs) {
                    Ok(beside) => (beside, None),
                    Err(why) => (Vec::new(), Some(why)),
                };
                let note = problem.map_or_else(String::new, |why| panels::results::notice(&why));
                text(note + &report::results_html(&run, &records, &beside, options))
            }
            "results-csv" => {
                let Simulation { run, records } = runs.get(argument(0), Variants::NONE)?;
                text(match beside::made(argument(1), argument(0), runs)? {
                    Some((name, other)) => report::results_csv_of(&[("this run", &run, &records), (&name, &other.run, &other.records)]),
                    None => report::results_csv(&run, &records),
                })
            }
            "tool" => tools::answer(arguments, runs),
            _ => self.studies.answer(request, arguments),
        }
    }
}

/// A 64-bit number of two words, the lower first.
#[must_use]
pub fn whole(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

fn halves(number: u64) -> [u32; 2] {
    [number as u32, (number >> 32) as u32]
}
