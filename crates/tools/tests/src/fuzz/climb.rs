//! A hill climber: it looks for the input that takes most of the processor for each unit of work that is counted, among runs under every
//! policy, analyses and searches. Depends on the engine, the analyses and the search, which count. Invariant: what is
//! dear only as it is long does not count; each score is the lower one of two tries, as others use the processor, too.

use std::sync::Arc;
use std::time::Duration;

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

/// Tries an input: units and time; nothing if it is none.
type Tried = fn(&str) -> Option<(u64, Duration)>;
/// Another input near this one.
type Changed = fn(&str, &Seeds, &mut Dice) -> String;
/// An input to begin with.
type Begun = fn(&Seeds, &mut Dice) -> String;

/// Each with the most time for a unit in a build for release, ns. The dearest of a climb of twenty steps, in the tests' build, which takes
/// about five times as long, took 10, 370 and 28 ns.
const HILLS: [(&str, Begun, Changed, Tried, f64); 3] = [
    ("runs", scenario, other_scenario, run, 100.0),
    ("analyses", scenario, other_scenario, analysis, 2_000.0),
    ("searches", policy, other_policy, search, 200.0),
];

/// Climbs so many steps on each hill; prints the dearest inputs, and says which are too dear.
pub fn climb(seeds: &Seeds, dice: &mut Dice, steps: u64, slowness: u64) -> Vec<String> {
    let mut failures = Vec::new();
    for (name, begun, changed, tried, most) in HILLS {
        let most = most * slowness as f64;
        let mut best = (0.0, String::new());
        for step in 0..steps {
            let is_new = step < steps / 4 || best.1.is_empty();
            let text = if is_new { begun(seeds, dice) } else { changed(&best.1, seeds, dice) };
            let Some(score) = score(tried, &text) else { continue };
            if score > best.0
                && let Some(again) = self::score(tried, &text).filter(|again| *again > best.0)
            {
                best = (score.min(again), text);
            }
        }
        let said = format!("{name}: at most {:.1} ns of the processor for a unit of work", best.0);
        println!("{said}, of\n{}", best.1.chars().take(1_500).collect::<String>());
        if best.0 > most {
            failures.push(format!("{said}; at most {most:.1} are allowed\n{}", best.1));
        }
    }
    failures
}

/// Time for each unit, ns.
fn score(tried: Tried, text: &str) -> Option<f64> {
    let (units, time) = tried(text)?;
    Some(time.as_nanos() as f64 / (units + BASE) as f64)
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

fn run(text: &str) -> Option<(u64, Duration)> {
    let scenario = read(text)?;
    let begin = processor();
    let (run, units) = counted(&scenario);
    drop(Records::new(&run.trace));
    Some((units + run.trace.steps().len() as u64, processor() - begin))
}

/// What `analyse` computes. It runs each task alone, so that is counted.
fn analysis(text: &str) -> Option<(u64, Duration)> {
    let scenario = read(text)?;
    let (run, mut units) = counted(&scenario);
    for task in 0..scenario.tasks().len() {
        units += counted(&scenario.alone(TaskId::at(task))).1;
    }
    if run.trace.cut().is_some() {
        return None;
    }
    let begin = processor();
    let records = Records::new(&run.trace);
    let _ = Report::new(&scenario, LIMITS);
    drop((runlist_bound::bounds(&run.trace, &records, LIMITS), space_bound::bounds(&scenario)));
    Some((units + run.trace.steps().len() as u64, processor() - begin))
}

fn search(text: &str) -> Option<(u64, Duration)> {
    let program = Program::new(text).ok()?;
    let mut search = Search::new(&program, 3, &Property::for_program(&program)).ok()?;
    let (begin, mut budget) = (processor(), Budget::new(UNITS / 50));
    while search.advance(&mut budget) == Progress::Paused && !budget.is_spent() {}
    // A decision counts as one, and is some hundred units of a run.
    Some((budget.spent() * 50, processor() - begin))
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
