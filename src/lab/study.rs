//! Schedulability: verdicts, and studies in parts, so that many workers can count and any can stop.
//!
//! Depends on `report` and `analysis`. Invariant: a part's answer depends on study, point and range
//! alone, and those of parts add up to those of the whole.

use super::{Part, whole};
use crate::analysis::Task;
use crate::analysis::results::Results;
use crate::analysis::scenario;
use crate::analysis::sweep::{Counter, Counts, Sweep, Test};
use crate::engine::{self, Limits};
use crate::format;
use crate::record::Records;
use crate::report::Options;
use crate::report::study::{self, form::Form};
use crate::scenario::{Draft, Scenario};
use crate::units::Time;
use crate::view::panels::study::{self as panel, Progress};
use crate::view::quantity::format_time;

/// Most sets of one part.
const MAX_PART: u64 = 10_000_000;
/// Sets of a point that are looked at for failing ones.
const MAX_SEARCHED: u64 = 20_000;
/// Failing sets shown.
const MAX_FAILING: usize = 5;
/// A set's run lasts for no more of its longest periods.
const MAX_PERIODS: u64 = 25;
/// And for no more steps.
const RUN: Limits = Limits { max_steps: 120_000 };

/// What is kept from one request to the next.
#[derive(Default)]
pub(super) struct Studies {
    /// The last study, by its text.
    last: Option<(String, Sweep)>,
}

impl Studies {
    /// Answers what begins with `study`, and `analyse`.
    pub(super) fn answer(&mut self, request: &str, arguments: &[String]) -> Result<Vec<Part>, String> {
        let argument = |i: usize| arguments.get(i).map_or("", String::as_str);
        let number = |i: usize| argument(i).parse::<u64>().map_err(|_| format!("The request has no number in place {i}."));
        let options = |i: usize| Options { is_dark: argument(i) == "dark", width_px: argument(i + 1).parse().unwrap_or(760) };
        let text = |text: String| Ok(vec![Part::Text(text)]);
        match request {
            "analyse" => {
                let draft = format::read_scenario(argument(0)).map_err(|e| e.to_string())?;
                text(study::verdicts_html(&draft, argument(3).parse().ok(), options(1))?)
            }
            "study-typed" => {
                let draft = study::typed::draft(argument(0))?;
                text(study::verdicts_html(&draft, argument(3).parse().ok(), options(1))?)
            }
            "study-typed-open" => text(format::write_scenario(&study::typed::draft(argument(0))?)),
            "study-form" => {
                let form = Form::read(argument(0));
                text(panel::form(&|name| form.get(name).to_owned()))
            }
            "study" => Ok(read(argument(0))),
            "study-count" => {
                let sweep = self.sweep(argument(0))?;
                let utilisation = point(sweep, number(1)?)?;
                let sets = number(2)?..number(3)?.min(sweep.sets);
                if sets.end.saturating_sub(sets.start) > MAX_PART {
                    return Err(format!("A part has at most {MAX_PART} sets."));
                }
                Ok(vec![Part::Words(words(&Counter::new(sweep).count(utilisation, sets)))])
            }
            "study-figure" => {
                let sweep = self.sweep(argument(0))?;
                let counts = counts(sweep, argument(1))?;
                let table = if argument(5).is_empty() { String::new() } else { study::table_html(sweep, &counts) };
                let figure = study::figure_html(sweep, &counts, Progress::of(argument(2)), options(3));
                Ok(vec![Part::Text(figure), Part::Text(table)])
            }
            "study-svg" => {
                let sweep = self.sweep(argument(0))?;
                text(study::figure_svg(sweep, &counts(sweep, argument(1))?))
            }
            "study-csv" => {
                let sweep = self.sweep(argument(0))?;
                let counts = counts(sweep, argument(1))?;
                let is_whole = counts.iter().all(|c| c.sets + c.undrawn == sweep.sets);
                let mut results = Results::new(sweep.clone(), 0..sweep.sets, counts);
                results.sets = results.sets.filter(|_| is_whole);
                text(format::write_results(&results))
            }
            "study-failing" => {
                let sweep = self.sweep(argument(0))?;
                failing(sweep, argument(1)).and_then(text)
            }
            "study-open" => {
                let sweep = self.sweep(argument(0))?;
                let (test, utilisation) = place(sweep, argument(1))?;
                let mut set = Vec::new();
                if !sweep.set(utilisation, number(2)?, &mut set) {
                    return Err("There is no such task set.".to_owned());
                }
                let made = made(
                    &set,
                    &sweep.tests[test],
                    &format!("{} U {} set {}", sweep.name, crate::analysis::curves::decimal(utilisation), number(2)?),
                )?;
                Ok(vec![Part::Text(format::write_scenario(&made.draft)), Part::Text(made.at.ns().to_string()), Part::Text(made.why)])
            }
            _ => Err(format!("The lab knows no request \"{request}\": load the page again, it may be of another version.")),
        }
    }

    /// The study of this text.
    fn sweep(&mut self, text: &str) -> Result<&Sweep, String> {
        if self.last.as_ref().is_none_or(|(known, _)| known != text) {
            let sweep = format::read_sweep(text).map_err(|e| e.to_string())?;
            self.last = Some((text.to_owned(), sweep));
        }
        self.last.as_ref().map(|(_, sweep)| sweep).ok_or_else(String::new)
    }
}

/// What a form comes to: the study as a file (nothing if it has problems), its link, the numbers of
/// points, tests and sets; then each problem as field and sentence.
fn read(form: &str) -> Vec<Part> {
    let form = Form::read(form);
    let text = |text: &str| Part::Text(text.to_owned());
    match form.sweep() {
        Ok(sweep) => {
            let (points, [low, high]) = (sweep.utilisation.count() as u32, super::halves(sweep.sets));
            let sizes = Part::Words(vec![points, sweep.tests.len() as u32, low, high]);
            vec![Part::Text(format::write_sweep(&sweep)), Part::Text(form.link()), sizes]
        }
        Err(problems) => {
            let mut parts = vec![text(""), Part::Text(form.link()), Part::Words(Vec::new())];
            parts.extend(problems.into_iter().flat_map(|(field, what)| [text(field), Part::Text(what)]));
            parts
        }
    }
}

fn point(sweep: &Sweep, place: u64) -> Result<u32, String> {
    let found = usize::try_from(place).ok().and_then(|place| sweep.utilisation.iter().nth(place));
    found.ok_or_else(|| format!("The study has no point {place}."))
}

/// The test and the utilisation of a key as [`panel::point_key`] writes it.
fn place(sweep: &Sweep, key: &str) -> Result<(usize, u32), String> {
    let numbers = key.split_once(':').and_then(|(test, point)| Some((test.parse::<usize>().ok()?, point.parse().ok()?)));
    match numbers {
        Some((test, at)) if test < sweep.tests.len() => Ok((test, point(sweep, at)?)),
        _ => Err(format!("The study has no point \"{key}\".")),
    }
}

/// What was counted, as 64-bit numbers in words: sets, those that could not be drawn, and for each test those that
/// passed.
fn words(counts: &Counts) -> Vec<u32> {
    [counts.sets, counts.undrawn].iter().chain(&counts.passed).flat_map(|n| super::halves(*n)).collect()
}

/// The same numbers of all points, apart by spaces.
fn counts(sweep: &Sweep, text: &str) -> Result<Vec<Counts>, String> {
    let wrong = || "These are no counts of the study.".to_owned();
    let numbers: Vec<u64> = text.split_whitespace().map(|n| n.parse().map_err(|_| wrong())).collect::<Result<_, _>>()?;
    let width = 2 + sweep.tests.len();
    if numbers.len() as u64 != sweep.utilisation.count() * width as u64 {
        return Err(wrong());
    }
    let counts = numbers.chunks_exact(width).map(|n| Counts { sets: n[0], undrawn: n[1], passed: n[2..].to_vec() });
    let counts: Vec<Counts> = counts.collect();
    let fits = |c: &Counts| c.sets.checked_add(c.undrawn).is_some_and(|n| n <= sweep.sets) && c.passed.iter().all(|k| *k <= c.sets);
    if counts.iter().all(fits) { Ok(counts) } else { Err(wrong()) }
}

fn failing(sweep: &Sweep, key: &str) -> Result<String, String> {
    let (test, utilisation) = place(sweep, key)?;
    let searched = sweep.sets.min(MAX_SEARCHED);
    let found = sweep.failing(utilisation, test, 0..searched, MAX_FAILING);
    let set = |index: u64| {
        let mut set = Vec::new();
        // It was drawn a moment ago.
        let _ = sweep.set(utilisation, index, &mut set);
        if let Test::Edf(edf) = &sweep.tests[test] {
            let sections: Vec<u64> = edf.inflated(&set).map(|t| t.section).collect();
            set.iter_mut().zip(sections).for_each(|(task, section)| task.section = section);
        }
        (index, set)
    };
    let sets: Vec<(u64, Vec<Task>)> = found.into_iter().map(set).collect();
    Ok(panel::failing(&sweep.tests[test].label(), utilisation, key, searched, &sets))
}

/// A task set as a scenario.
struct Made {
    draft: Draft,
    /// Where to open it.
    at: Time,
    /// What is to be seen there, and why the test may say more.
    why: String,
}

fn made(set: &[Task], test: &Test, name: &str) -> Result<Made, String> {
    let mut draft = scenario::draft(set, test, name);
    let longest = set.iter().map(|t| t.period).max().unwrap_or(1).saturating_mul(1000);
    let bound = longest.saturating_mul(MAX_PERIODS);
    let horizon = hyperperiod(set).map_or(bound, |h| h.saturating_mul(1000).min(bound));
    draft.horizon_ns = Some(horizon);
    let scenario = Scenario::new(&draft).map_err(|e| format!("This set cannot be made a scenario: {e}"))?;
    let run = engine::simulate(&scenario, RUN).map_err(|e| e.to_string())?;
    let records = Records::new(&run.trace);
    // What is not simulated here is not promised there.
    let seen = if run.trace.cut().is_some() { run.trace.end().ns().clamp(1, horizon) } else { horizon };
    let missed = records.jobs.iter().filter(|j| j.met == Some(false)).filter_map(|j| Some((j.deadline?, j)));
    let first = missed.min_by_key(|(deadline, _)| *deadline).filter(|(deadline, _)| deadline.ns() <= seen);
    let end = match first {
        // As far as the job's end, if that comes.
        Some((deadline, job)) => {
            let end = job.end.unwrap_or(deadline).max(deadline).ns().saturating_add(longest / 4);
            end.max(longest.saturating_mul(2)).min(seen)
        }
        None => seen,
    };
    draft.horizon_ns = Some(end);
    let (at, seen) = match first {
        Some((deadline, job)) => {
            let task = &scenario.task(job.task).name;
            (deadline, format!("First miss: job {} of {task}, due at {}.", job.job.0, format_time(deadline.ns())))
        }
        None => (Time::ZERO, format!("No deadline is missed in this run of {}.", format_time(end))),
    };
    Ok(Made { draft, at, why: format!("{seen} {}", why(test)) })
}

/// Why a set may fail the test and yet meet its deadlines.
fn why(test: &Test) -> &'static str {
    match test {
        Test::Edf(_) => {
            "A set may fail the test and yet meet its deadlines in a run: the test charges every job its switches whether they happen or \
             not, and supposes the worst releases and the longest wait, while a run has one order of releases."
        }
        Test::EdfDelay { .. } => {
            "A set may fail the test and yet meet its deadlines: the test takes the overhead off every deadline, at every instant, and the \
             deadlines here are sooner by as much."
        }
        Test::EdfRun(_) => {
            "The test charges the overhead to a job for each job that it preempts; here every change of the process on the GPU costs as much, \
             also those after a job's end, so the two may differ in both directions."
        }
        Test::RunlistBound(_) => {
            "A set may fail the theorem's bound and yet meet its deadlines in a run: the bound supposes that every other process has a stay's \
             work each time, whatever its period."
        }
        Test::RunlistRun(_) => {
            "The test puts every task, in turn, right after its turn was passed over; this run does so for the first task that fails."
        }
    }
}

/// The least common multiple of the periods, if it has 64 bits.
fn hyperperiod(set: &[Task]) -> Option<u64> {
    let divisor = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    set.iter().try_fold(1_u64, |all, task| (all / divisor(all, task.period).max(1)).checked_mul(task.period))
}

/// The counts in the words of an answer to `study-count`.
#[must_use]
pub fn counted(words: &[u32]) -> Vec<u64> {
    words.chunks_exact(2).map(|pair| whole(pair[0], pair[1])).collect()
}
