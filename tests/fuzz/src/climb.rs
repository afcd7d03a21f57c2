//! A hill climber: it looks for the input that takes most of the processor, and the one that takes most bytes, for each unit of work that
//! is counted, among runs under every policy, analyses and searches. Invariant: what is dear only as it is long does not count; each time
//! is the lower one of two tries, as others use the processor, too, while bytes are the same in each.

use std::sync::Arc;
use std::time::Duration;

use allocation_counter::measure;
use blockstep_analysis::report::Report;
use blockstep_analysis::{runlist_bound, space_bound};
use blockstep_format as format;
use blockstep_policy::Program;
use blockstep_policy::examples::EXAMPLES;
use blockstep_search::{Property, Search};
use blockstep_sim::dice::Dice;
use blockstep_sim::engine::{Limits, Run, Simulation};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, KernelDraft, PolicyKind, Scenario, TaskDraft};
use blockstep_sim::trace::Variants;
use blockstep_sim::units::TaskId;
use blockstep_sim::work::{Budget, Progress};
use blockstep_testing::growing::SHAPES;
use blockstep_testing::processor::processor;

use super::dear::graph;
use super::mutate::{mutate, tweak};
use super::seeds::{Seeds, one};

/// Units after which a run or search is left.
const UNITS: u64 = 3_000_000;
/// Units that each input is said to have cost beside what was counted, so that what begins anything does not count.
const BASE: u64 = 50_000;
const LIMITS: Limits = Limits { max_steps: 50_000 };

/// What an input cost.
struct Cost {
    units: u64,
    time: Duration,
    /// Most bytes at one moment, of what was asked for while the time went.
    bytes: u64,
}

/// Tries an input; nothing if it is none.
type Tried = fn(&str) -> Option<Cost>;
/// Another input near this one.
type Changed = fn(&str, &Seeds, &mut Dice) -> String;
/// An input to begin with.
type Begun = fn(&Seeds, &mut Dice) -> String;

/// Where it climbs.
struct Hill {
    name: &'static str,
    begun: Begun,
    changed: Changed,
    tried: Tried,
    /// Most time for a unit in a build for release, ns.
    most_ns: f64,
    /// Most bytes for a unit, in any build.
    most_bytes: f64,
}

/// The dearest of two climbs of 100 and of 250 steps, in the tests' build, which takes about five times as long as one for release, took 98,
/// 534 and 133 ns, and 27, 28 and 1.4 bytes.
const HILLS: [Hill; 3] = [
    Hill { name: "runs", begun: scenario, changed: other_scenario, tried: run, most_ns: 100.0, most_bytes: 80.0 },
    Hill { name: "analyses", begun: scenario, changed: other_scenario, tried: analysis, most_ns: 1_000.0, most_bytes: 100.0 },
    Hill { name: "searches", begun: policy, changed: other_policy, tried: search, most_ns: 200.0, most_bytes: 10.0 },
];

/// What it climbs by.
struct By {
    what: &'static str,
    /// Most for a unit.
    most: fn(&Hill) -> f64,
    of: fn(&Cost) -> f64,
    /// Whether a second try says another number.
    varies: bool,
}

const TIME: By = By { what: "ns of the processor", most: |hill| hill.most_ns, of: |cost| cost.time.as_nanos() as f64, varies: true };
const BYTES: By = By { what: "bytes", most: |hill| hill.most_bytes, of: |cost| cost.bytes as f64, varies: false };

/// Climbs so many steps on each hill, by bytes, and by time if a build that is so much slower than one for release is to be judged by it.
/// Prints the dearest inputs, and says which are too dear.
pub fn climb(seeds: &Seeds, dice: &mut Dice, steps: u64, slowness: Option<u64>) -> Vec<String> {
    let ways = slowness.map(|slowness| (TIME, slowness as f64)).into_iter().chain([(BYTES, 1.0)]);
    let mut failures = Vec::new();
    for (by, slowness) in ways {
        for hill in &HILLS {
            let (dearest, text) = top(hill, &by, seeds, dice, steps);
            let (what, most) = (by.what, (by.most)(hill) * slowness);
            let said = format!("{}: at most {dearest:.1} {what} for a unit of work", hill.name);
            println!("{said}, of\n{}", text.chars().take(1_500).collect::<String>());
            if dearest > most {
                failures.push(format!("{said}; at most {most:.1} are allowed\n{text}"));
            }
        }
    }
    failures
}

/// The dearest input of a climb, after what it cost for each unit.
fn top(hill: &Hill, by: &By, seeds: &Seeds, dice: &mut Dice, steps: u64) -> (f64, String) {
    let score = |text: &str| {
        let cost = (hill.tried)(text)?;
        Some((by.of)(&cost) / (cost.units + BASE) as f64)
    };
    let mut best = (0.0, String::new());
    for step in 0..steps {
        let is_new = step < steps / 4 || best.1.is_empty();
        let text = if is_new { (hill.begun)(seeds, dice) } else { (hill.changed)(&best.1, seeds, dice) };
        let Some(mut found) = score(&text).filter(|score| *score > best.0) else { continue };
        if by.varies {
            found = score(&text).unwrap_or(0.0).min(found);
        }
        if found > best.0 {
            best = (found, text);
        }
    }
    best
}

/// What something gives, and what it took.
fn taken<T>(what: impl FnOnce() -> T) -> (T, impl FnOnce(u64) -> Cost) {
    let (begin, mut made) = (processor(), None);
    let bytes = measure(|| made = Some(what())).bytes_max;
    let time = processor() - begin;
    (made.unwrap(), move |units| Cost { units, time, bytes })
}

/// A run, as far as its units go, with what it counted.
fn counted(scenario: &Arc<Scenario>) -> (Run, u64) {
    let mut simulation = Simulation::new(scenario, Variants::NONE, LIMITS);
    let mut budget = Budget::new(UNITS);
    while simulation.run_for(&mut budget) == Progress::Paused && !budget.is_spent() {}
    (simulation.finish(), budget.spent())
}

fn read(text: &str) -> Option<Arc<Scenario>> {
    Scenario::new(&format::read_scenario(text).ok()?).ok()
}

fn run(text: &str) -> Option<Cost> {
    let scenario = read(text)?;
    let (units, cost) = taken(|| {
        let (run, units) = counted(&scenario);
        drop(Records::new(&run.trace));
        units + run.trace.steps().len() as u64
    });
    Some(cost(units))
}

/// What `analyse` computes. It runs each task alone, so that is counted.
fn analysis(text: &str) -> Option<Cost> {
    let scenario = read(text)?;
    let (run, mut units) = counted(&scenario);
    for task in 0..scenario.tasks().len() {
        units += counted(&scenario.alone(TaskId::at(task))).1;
    }
    if run.trace.cut().is_some() {
        return None;
    }
    let (_, cost) = taken(|| {
        let records = Records::new(&run.trace);
        let report = Report::new(&scenario, LIMITS);
        drop((report, runlist_bound::bounds(&run.trace, &records, LIMITS), space_bound::bounds(&scenario)));
    });
    Some(cost(units + run.trace.steps().len() as u64))
}

fn search(text: &str) -> Option<Cost> {
    let program = Program::new(text).ok()?;
    let mut search = Search::new(&program, 3, &Property::for_program(&program)).ok()?;
    let (decisions, cost) = taken(|| {
        let mut budget = Budget::new(UNITS / 50);
        while search.advance(&mut budget) == Progress::Paused && !budget.is_spent() {}
        budget.spent()
    });
    // A decision counts as one, and is some hundred units of a run.
    Some(cost(decisions * 50))
}

fn scenario(seeds: &Seeds, dice: &mut Dice) -> String {
    match dice.below(3) {
        0 => format::write_scenario(&(SHAPES[dice.below(SHAPES.len() as u64) as usize].1)(2 + dice.below(300))),
        1 => format::write_scenario(&graph(dice)),
        _ => one(dice, &seeds.scenarios).to_owned(),
    }
}

fn other_scenario(text: &str, _: &Seeds, dice: &mut Dice) -> String {
    if dice.below(2) == 0 {
        return tweak(text, dice);
    }
    let Ok(mut draft) = format::read_scenario(text) else { return text.to_owned() };
    for _ in 0..=dice.below(3) {
        change(&mut draft, dice);
    }
    format::write_scenario(&draft)
}

/// Another policy, or more of something.
fn change(draft: &mut Draft, dice: &mut Dice) {
    let any = |count: usize, dice: &mut Dice| dice.below(count.max(1) as u64) as usize;
    match dice.below(4) {
        0 => {
            draft.policy.kind = PolicyKind::BUILT_IN[any(PolicyKind::BUILT_IN.len(), dice)];
            if dice.below(3) == 0 {
                let text = EXAMPLES[any(EXAMPLES.len(), dice)].text;
                (draft.policy.kind, draft.policy.text) = (PolicyKind::Own, text.to_owned());
            }
        }
        1 => {
            let place = any(draft.kernels.len(), dice);
            let more = draft.kernels.get(place).map(|kernel| KernelDraft { name: format!("{}+", kernel.name), ..kernel.clone() });
            draft.kernels.extend(more);
        }
        2 => {
            let place = any(draft.tasks.len(), dice);
            let more = draft.tasks.get(place).map(|task| TaskDraft { name: format!("{}+", task.name), ..task.clone() });
            draft.tasks.extend(more);
        }
        _ => {
            let (place, factor) = (any(draft.kernels.len(), dice), 1 + dice.below(10));
            if let Some(kernel) = draft.kernels.get_mut(place) {
                kernel.blocks = kernel.blocks.saturating_mul(factor);
            }
        }
    }
}

fn policy(_: &Seeds, dice: &mut Dice) -> String {
    EXAMPLES[dice.below(EXAMPLES.len() as u64) as usize].text.to_owned()
}

fn other_policy(text: &str, seeds: &Seeds, dice: &mut Dice) -> String {
    match dice.below(3) {
        0 => mutate(text, &policy(seeds, dice), dice),
        // A line twice, or one of another policy.
        part => {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let other = policy(seeds, dice);
            let from: Vec<&str> = if part == 1 { text.lines().collect() } else { other.lines().collect() };
            let line = from[dice.below(from.len() as u64) as usize].to_owned();
            lines.insert(dice.below(lines.len() as u64 + 1) as usize, line);
            lines.join("\n") + "\n"
        }
    }
}
