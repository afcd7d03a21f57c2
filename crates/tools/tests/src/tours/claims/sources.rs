//! Claims about what others have published: the papers' texts, their numbers, and what a tool shows of them.
//!
//! Texts and numbers are read from `../shared`; where that is absent, such a claim says that it is skipped.

use std::collections::BTreeMap;

use blockstep_batch::arch::ArchId;
use blockstep_batch::cases::{ASSUMED, CASES, Case};
use blockstep_batch::methods::Methods;
use blockstep_batch::run::Comparison;
use blockstep_batch::schedulers::SchedulerId;
use blockstep_batch::task::Workload;
use blockstep_learn::tour::{Tour, TourStop};
use blockstep_protocol::{self as protocol, Cursor};
use blockstep_testing::shared;
use serde_json::Value;

use super::{ClaimResult, Fields, Scene, Studies};

/// How far apart, in characters, the words of a passage may stand.
const PASSAGE: u64 = 400;

/// Whether the papers and their numbers are at hand.
pub(crate) fn has_shared() -> bool {
    shared::text("papers/amert-2017-tx2.md").is_some()
}

/// Lower case, one blank between words, words that a line's end divided put together, no marks of layout.
fn plain(text: &str) -> String {
    let text = text.replace("-\n", "").replace(['*', '$', '\\', '’'], "").to_lowercase();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether some passage of the text has all of these words.
fn has_passage(text: &str, words: &[String], within: usize) -> bool {
    let Some((first, others)) = words.split_first() else { return false };
    text.match_indices(first.as_str()).any(|(at, _)| {
        let boundary = |at: usize| (0..=at).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
        let (start, end) = (boundary(at.saturating_sub(within)), boundary((at + within).min(text.len())));
        others.iter().all(|word| text[start..end].contains(word.as_str()))
    })
}

/// A figure of the paper with its place, and words that stand together there.
pub(super) fn paper(fields: &mut Fields, tour: &Tour) -> ClaimResult<()> {
    let (place, value) = (fields.text("paper")?, fields.text("value")?);
    if place.trim().is_empty() || value.trim().is_empty() {
        return Err("names no place or value".to_owned());
    }
    let Some(says) = fields.take("says") else { return Ok(()) };
    let within = fields.optional("within", PASSAGE)? as usize;
    let words: Vec<String> = says.as_array().into_iter().flatten().filter_map(Value::as_str).map(plain).collect();
    if words.is_empty() || words.iter().any(String::is_empty) {
        return Err("says is no list of words".to_owned());
    }
    let file = match tour.paper.as_str() {
        "TX2" => "papers/amert-2017-tx2.md",
        "EDF" => "papers/capodieci-2018-edf.txt",
        "LP" => "papers/spliet-2018-limited-preemption.md",
        "MT" => "papers/muyan-ozcelik-2016-multitasking.txt",
        other => return Err(format!("there is no paper {other}")),
    };
    let Some(text) = shared::text(file) else { return Ok(()) };
    if has_passage(&plain(&text), &words, within) { Ok(()) } else { Err(format!("no passage of the paper has all of {words:?}")) }
}

/// The columns of the published numbers of [LP] Fig. 3.
const COLUMNS: [&str; 9] = [
    "EDF none",
    "EDF average",
    "EDF greatest",
    "lpEDF none",
    "lpEDF average",
    "lpEDF greatest",
    "npEDF none",
    "npEDF average",
    "npEDF greatest",
];

/// The published numbers behind [LP] Fig. 3: one, or where one curve lies above another, and nowhere else.
pub(super) fn published(fields: &mut Fields) -> ClaimResult<()> {
    let column = |name: &str| COLUMNS.iter().position(|c| *c == name).ok_or_else(|| format!("there is no column {name}"));
    let one = column(&fields.text("published")?)?;
    let Some(text) = shared::text("data/published/spliet-fig3-two-tasks.txt") else {
        fields.left.clear();
        return Ok(());
    };
    let mut rows: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for line in text.lines() {
        let mut words = line.split_whitespace();
        let utilisation = words.next().and_then(|w| w.parse::<f64>().ok()).ok_or("the data have another form")?;
        let counts = words.map(|w| w.parse().map_err(|_| "the data have another form".to_owned())).collect::<ClaimResult<Vec<u64>>>()?;
        rows.insert((utilisation * 1000.0).round() as u64, counts);
    }
    let Some(other) = fields.take("above") else {
        let at = fields.number("utilisation_permille")?;
        let row = rows.get(&at).ok_or_else(|| format!("there is no utilisation {at}"))?;
        return fields.are(&[("passed", row[one].into())]);
    };
    let other = column(other.as_str().unwrap_or_default())?;
    let (from, to) = (fields.number("from_permille")?, fields.number("to_permille")?);
    let wrong: Vec<u64> = rows.iter().filter(|(u, row)| (row[one] > row[other]) != (from..=to).contains(*u)).map(|(u, _)| *u).collect();
    if wrong.is_empty() && from <= to { Ok(()) } else { Err(format!("it is not so at {wrong:?}")) }
}

fn scheduler(name: &str) -> ClaimResult<SchedulerId> {
    SchedulerId::from_name(name).ok_or_else(|| format!("there is no scheduler {name}"))
}

/// Performance of each scheduler that ran, in hundredths; by the paper, or ours.
fn performances(case: &Case, by: &str) -> ClaimResult<BTreeMap<&'static str, u64>> {
    let of: Box<dyn Fn(SchedulerId) -> Option<u64>> = match by {
        "paper" => Box::new(|id| case.published(id).map(|p| u64::from(p.performance))),
        "us" => {
            let workload = Workload::new(case.workload(&ASSUMED)).map_err(|e| format!("{e:?}"))?;
            let ours = Comparison::new(&workload, &case.arch.arch(), Methods::ALL);
            Box::new(move |id| ours.performance(id).map(|p| (p.thousandths() + 5) / 10))
        }
        other => return Err(format!("by is {other}; it is the paper or us")),
    };
    Ok(SchedulerId::ALL.into_iter().filter_map(|id| Some((id.name(), of(id)?))).collect())
}

/// A case of [MT]: its GPU, performances, and the best scheduler.
pub(super) fn case(fields: &mut Fields) -> ClaimResult<()> {
    let name = fields.text("case")?;
    let case = Case::find(&name).ok_or_else(|| format!("there is no case {name}"))?;
    let found = performances(case, &fields.text("by")?)?;
    let most = found.values().max().copied().unwrap_or(0);
    let best: Value = SchedulerId::ALL.iter().map(|id| id.name()).filter(|name| found.get(name) == Some(&most)).collect();
    let mut facts: Vec<(&str, Value)> = found.iter().map(|(name, p)| (*name, (*p).into())).collect();
    facts.extend([("gpu", case.arch.word().into()), ("best", best), ("large", case.large.into()), ("balanced", case.balanced.into())]);
    fields.are(&facts)
}

/// In which cases on a GPU one scheduler performs better than another.
pub(super) fn better(fields: &mut Fields) -> ClaimResult<()> {
    let (one, other) = (scheduler(&fields.text("better")?)?, scheduler(&fields.text("than")?)?);
    let (gpu, by) = (fields.text("gpu")?, fields.text("by")?);
    let arch = ArchId::from_word(&gpu).ok_or_else(|| format!("there is no GPU {gpu}"))?;
    let mut cases = Vec::new();
    for case in CASES.iter().filter(|case| case.arch == arch) {
        let found = performances(case, &by)?;
        if found.get(one.name()).zip(found.get(other.name())).is_some_and(|(a, b)| a > b) {
            cases.push(case.name);
        }
    }
    fields.are(&[("cases", cases.into())])
}

/// Words that the tool shows that the stop opens.
pub(super) fn tool_shows(fields: &mut Fields, scene: &Scene, stop: &TourStop, _: &mut Studies) -> ClaimResult<()> {
    let wanted = fields.text("tool_shows")?;
    let (name, word) = stop.tool.as_ref().ok_or("the stop opens no tool")?;
    let cursor = Cursor { position: scene.state.applied(), at: scene.time(), ..Cursor::default() };
    let answer = crate::tool::open_any(name, word, &scene.text, cursor)?;
    let holds = |bytes: &[u8]| bytes.windows(wanted.len()).any(|part| part == wanted.as_bytes());
    let shown = holds(&answer.view) || answer.effects.iter().any(|effect| holds(&protocol::encode(effect).unwrap()));
    if shown { Ok(()) } else { Err("the tool does not show these words".to_owned()) }
}
