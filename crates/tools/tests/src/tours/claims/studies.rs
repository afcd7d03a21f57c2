//! Claims about studies: the share of random sets that pass a test, and where one curve lies above another.

use std::collections::BTreeMap;

use blockstep_analysis::sweep::{Counter, Counts, Sweep};
use blockstep_report::study::form::StudyTexts;
use serde_json::{Value, json};

use super::{ClaimResult, Fields, Scene, same};

/// Sets of a study that are counted unless a claim says how many.
const SETS: u64 = 2000;

/// What was counted of studies, by query, utilization in millionths and number of sets.
#[derive(Default)]
pub(crate) struct Studies(BTreeMap<(String, u32, u64), Counts>);

impl Studies {
    fn counts(&mut self, query: &str, sweep: &Sweep, utilisation: u32, sets: u64) -> &Counts {
        let count = || Counter::new(sweep).count(utilisation, 0..sets);
        self.0.entry((query.to_owned(), utilisation, sets)).or_insert_with(count)
    }
}

/// The share of a study's sets that pass a test at one utilization; that more pass it than another test at every
/// utilization of a range; or up to which utilization more than a share of them pass.
pub(super) fn study(fields: &mut Fields, _: &Scene, studies: &mut Studies) -> ClaimResult<()> {
    let query = fields.text("study")?;
    let sweep = StudyTexts::read(&query).sweep().map_err(|problems| format!("{problems:?}"))?;
    let labels: Vec<String> = sweep.tests.iter().map(|t| t.label()).collect();
    let place = |name: &str| {
        let found = labels.iter().position(|l| l == name);
        found.ok_or_else(|| format!("the study has no test {name}; there are {labels:?}"))
    };
    let test = place(&fields.text("test")?)?;
    let sets = fields.optional("sets", sweep.sets.min(SETS))?;
    if let Some(other) = fields.take("above") {
        let other = place(other.as_str().unwrap_or_default())?;
        let (from, to) = (fields.number("from_permille")?, fields.number("to_permille")?);
        let step = fields.optional("step_permille", 10)?.max(1);
        let points: Vec<u32> = sweep.utilisation.iter().filter(|u| (from * 1000..=to * 1000).contains(&u64::from(*u))).collect();
        let points: Vec<u32> = points.iter().copied().filter(|u| (u64::from(*u) - from * 1000).is_multiple_of(step * 1000)).collect();
        if points.len() < 2 {
            return Err(format!("the study has the utilisations {points:?} there"));
        }
        for point in points {
            let counts = studies.counts(&query, &sweep, point, sets);
            let [a, b] = [test, other].map(|t| counts.passed[t]);
            if a <= b {
                return Err(format!("at a utilisation of {point} millionths {a} pass it, and {b} the other"));
            }
        }
        return Ok(());
    }
    if fields.left.contains_key("more_than_permille") {
        let (share, up_to) = (fields.number("more_than_permille")?, fields.number("up_to_permille")?);
        let last = (up_to * 1000) as u32;
        let mut passes = |point: u32| {
            let counts = studies.counts(&query, &sweep, point, sets);
            counts.passed[test] * 1000 > share * counts.sets
        };
        let next = sweep.utilisation.iter().find(|u| *u > last);
        let is_point = sweep.utilisation.iter().any(|u| u == last);
        let found = is_point && passes(last) && !next.is_some_and(passes);
        return if found { Ok(()) } else { Err(format!("not up to there, or further: points are {last} and {next:?}")) };
    }
    let utilisation = (fields.number("utilisation_permille")? * 1000) as u32;
    if sweep.utilisation.iter().all(|u| u != utilisation) {
        return Err(format!("the study has no utilisation of {utilisation} millionths"));
    }
    let counts = studies.counts(&query, &sweep, utilisation, sets);
    let found = (counts.passed[test] as f64 * 1000.0 / counts.sets.max(1) as f64).round() as u64;
    match fields.take("ratio_permille") {
        Some(Value::Array(range)) if range.len() == 2 => {
            let [from, to] = [&range[0], &range[1]].map(|n| n.as_u64().unwrap_or(u64::MAX));
            if (from..=to).contains(&found) { Ok(()) } else { Err(format!("{found} permille pass")) }
        }
        Some(other) => same("the ratio", &json!(found), &other),
        None => Err("states no ratio_permille".to_owned()),
    }
}
