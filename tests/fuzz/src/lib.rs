//! Untrusted input by the thousand: files, studies, links and everything that a page asks the worker,
//! damaged by chance. Nothing panics, nothing hangs, and what is refused is refused in words.
//!
//! `make fuzz` tries a million cases (`BLOCKSTEP_FUZZ_CASES`) in a process of its own, which also fails if the runs of a case take
//! more than [`MOST_WORK`], or a case by itself more than [`MOST_MB`]; it names the ten that took longest, with their work, and the ten
//! that took most memory. Its allocator counts the bytes of each thread, so a case has its own, whatever runs beside it. SQLite asks the
//! system itself: the ten are tried again, and the memory of the whole process is judged then. The time of the processor is judged there as well, of every case: of its requests, studies, exports, links and traces
//! as of its runs. It takes [`MOST_TIME`] at most, times `BLOCKSTEP_FUZZ_SLOWNESS`, which says how much slower machine and build are. Every case
//! follows from its number alone: `BLOCKSTEP_FUZZ_CASE=12345` tries that one and shows what it is. `BLOCKSTEP_FUZZ_ONLY=profiles` has all
//! cases try that target.
//!
//! A hill climber looks for the inputs that take most of the processor, and most bytes, for a unit of counted work ([`climb`]). `make fuzz`
//! runs it after the cases, as they use the processor, too.

#![cfg(test)]
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

mod climb;
mod dear;
mod links;
mod mutate;
mod profiles;
mod seeds;
mod targets;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, thread};

use allocation_counter::measure;
use blockstep_sim::dice::Dice;
use blockstep_testing::processor::{Memory, has_own_clock, processor};
use blockstep_tools::runs::Runs;
use blockstep_worker::Worker;

use seeds::Seeds;
use targets::{Bench, TARGETS};

/// Cases in the normal tests.
const FEW: u64 = 2000;
/// Most work of the runs of a case, in units of `blockstep_sim::work`: some tenths of a second.
const MOST_WORK: u64 = 20_000_000;
/// Most memory that a case takes beside what was there before.
const MOST_MB: u64 = 200;
/// Most time of the processor that a case takes in a build for release.
const MOST_TIME: Duration = Duration::from_secs(2);
/// How much slower the tests' build is, beside others.
const SLOWNESS: u64 = if cfg!(debug_assertions) { 5 } else { 1 };
/// Steps of the hill climber on each hill in the normal tests, and cases for each step where many are asked for.
const STEPS: u64 = 12;
const CASES_OF_A_STEP: u64 = 1_000;
/// How many of the dearest cases are named.
const NAMED: usize = 10;
/// After so long a case is taken to hang, even on a busy machine.
const HANGS: Duration = Duration::from_secs(600);
/// Cases that went wrong, after which a thread gives up.
const ENOUGH: usize = 10;

/// What a thread found.
#[derive(Default)]
struct FuzzFindings {
    /// Number, target, what was said, and the input.
    failures: Vec<String>,
    /// By target.
    tried: BTreeMap<&'static str, Tried>,
    /// The cases that took longest, and those that took most memory.
    slowest: Vec<Cost>,
    largest: Vec<Cost>,
}

/// What a case cost.
#[derive(Clone, Copy)]
struct Cost {
    case: u64,
    name: &'static str,
    time: Duration,
    work: u64,
    /// Most bytes at one moment.
    bytes: u64,
}

/// Keeps the first few by some order.
fn keep(costs: &mut Vec<Cost>, cost: Cost, by: impl Fn(&Cost) -> u64) {
    let place = costs.partition_point(|other| by(other) >= by(&cost));
    if place < NAMED {
        costs.insert(place, cost);
        costs.truncate(NAMED);
    }
}

/// Why a case took too much memory, if it did.
fn too_large(bytes: u64) -> Option<String> {
    (bytes > MOST_MB << 20).then(|| format!("{} MB; at most {MOST_MB}", bytes >> 20))
}

fn time_ns(cost: &Cost) -> u64 {
    cost.time.as_nanos() as u64
}

/// How a target fared.
#[derive(Default)]
struct Tried {
    cases: u64,
    /// Inputs that were taken, and that were refused.
    counts: [u64; 2],
    /// The longest time, with its case.
    longest: (Duration, u64),
}

#[test]
fn fuzz_what_others_wrote_is_answered_in_words() {
    if let Some(case) = number("BLOCKSTEP_FUZZ_CASE") {
        let mut bench = bench(&Arc::new(Seeds::new()));
        let begin = processor();
        let said = try_case(&mut bench, case).err();
        println!("case {case}, {}, {:?}, work {}:\n{}", target(case).0, processor() - begin, bench.work, bench.tried);
        assert!(said.is_none(), "{}", said.unwrap_or_default());
        return;
    }
    let asked = number("BLOCKSTEP_FUZZ_CASES");
    let cases = asked.unwrap_or(FEW);
    let begin = number("BLOCKSTEP_FUZZ_FROM").unwrap_or(0);
    let seeds = Arc::new(Seeds::new());
    let threads = thread::available_parallelism().map_or(1, |n| n.get() as u64).min(16);
    let next = AtomicU64::new(begin);
    let under_way: Vec<AtomicU64> = (0..threads).map(|_| AtomicU64::new(0)).collect();
    let all: Vec<FuzzFindings> = thread::scope(|scope| {
        let workers: Vec<_> = under_way.iter().map(|current| scope.spawn(|| work(bench(&seeds), &next, begin + cases, current))).collect();
        if asked.is_some() {
            watch(&under_way, &|| workers.iter().all(thread::ScopedJoinHandle::is_finished), &next);
        }
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    report(&all, &seeds, asked.is_some());
}

#[test]
fn fuzz_the_dearest_unit_of_work_is_cheap() {
    let asked = number("BLOCKSTEP_FUZZ_CASES");
    let steps = asked.map_or(STEPS, |cases| cases / CASES_OF_A_STEP);
    let mut dice = Dice::new(number("BLOCKSTEP_FUZZ_FROM").unwrap_or(0), &[3]);
    let judged_by_time = (asked.is_some() && has_own_clock()).then(slowness);
    let too_dear = climb::climb(&Seeds::new(), &mut dice, steps.max(STEPS), judged_by_time);
    assert!(too_dear.is_empty(), "{}", too_dear.join("\n"));
}

fn bench(seeds: &Arc<Seeds>) -> Bench {
    Bench { seeds: Arc::clone(seeds), worker: Worker::default(), runs: Runs::default(), tried: String::new(), counts: [0; 2], work: 0 }
}

/// What a case tries.
fn target(case: u64) -> (&'static str, targets::Target) {
    static ONLY: LazyLock<Option<String>> = LazyLock::new(|| env::var("BLOCKSTEP_FUZZ_ONLY").ok());
    if let Some(only) = ONLY.as_ref() {
        let found = TARGETS.iter().find(|(name, ..)| name == only);
        let (name, _, target) =
            found.unwrap_or_else(|| panic!("BLOCKSTEP_FUZZ_ONLY is {only}, which is none of {:?}", TARGETS.map(|t| t.0)));
        return (name, *target);
    }
    let mut place = Dice::new(case, &[1]).below(TARGETS.iter().map(|(_, share, _)| share).sum());
    for (name, share, target) in TARGETS {
        match place.checked_sub(share) {
            Some(rest) => place = rest,
            None => return (name, target),
        }
    }
    unreachable!("the place is below the sum of the shares")
}

/// Tries a case; what a panic said if there was one.
fn try_case(bench: &mut Bench, case: u64) -> Result<(), String> {
    bench.tried.clear();
    let (name, target) = target(case);
    // Verdicts may simulate long runs: not several at once, or all threads together would be judged for one.
    static ALONE: Mutex<()> = Mutex::new(());
    let guard = (name == "verdicts").then(|| ALONE.lock().unwrap_or_else(PoisonError::into_inner));
    let tried = catch_unwind(AssertUnwindSafe(|| target(bench, &mut Dice::new(case, &[2]))));
    drop(guard);
    tried.map_err(|panic| {
        (bench.worker, bench.runs) = (Worker::default(), Runs::default());
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(ToString::to_string)).unwrap_or_default()
    })
}

fn number(name: &str) -> Option<u64> {
    env::var(name).ok().and_then(|n| n.replace('_', "").parse::<u64>().ok())
}

fn slowness() -> u64 {
    number("BLOCKSTEP_FUZZ_SLOWNESS").unwrap_or(SLOWNESS)
}

/// Why a case took too long, if it did. A clock that others' work moves on is no judge.
fn too_long(time: Duration, slowness: u64) -> Option<String> {
    let most = MOST_TIME * u32::try_from(slowness).unwrap_or(u32::MAX);
    (time > most && has_own_clock()).then(|| format!("{time:?} of the processor; at most {most:?}"))
}

fn work(mut bench: Bench, next: &AtomicU64, end: u64, current: &AtomicU64) -> FuzzFindings {
    let slowness = slowness();
    // Time is judged where many cases are asked for: `make test` judges the units of work, which no machine changes.
    let judges_time = number("BLOCKSTEP_FUZZ_CASES").is_some();
    let mut found = FuzzFindings::default();
    loop {
        let case = next.fetch_add(1, Ordering::Relaxed);
        if case >= end || found.failures.len() >= ENOUGH {
            current.store(0, Ordering::Relaxed);
            return found;
        }
        current.store(case + 1, Ordering::Relaxed);
        let (begin, before) = (processor(), bench.counts);
        bench.work = 0;
        let mut tried = Ok(());
        let bytes = measure(|| tried = try_case(&mut bench, case)).bytes_max;
        let (time, work) = (processor() - begin, bench.work);
        let name = target(case).0;
        let entry = found.tried.entry(name).or_default();
        entry.cases += 1;
        for (sum, (now, before)) in entry.counts.iter_mut().zip(bench.counts.iter().zip(before)) {
            *sum += now - before;
        }
        entry.longest = entry.longest.max((time, case));
        let cost = Cost { case, name, time, work, bytes };
        keep(&mut found.slowest, cost, time_ns);
        keep(&mut found.largest, cost, |cost| cost.bytes);
        if let Some(why) = too_large(bytes) {
            found.failures.push(format!("case {case}, {name}: {why}"));
        }
        if work > MOST_WORK {
            found.failures.push(format!("case {case}, {name}: {work} units of work, {time:?}"));
        }
        if judges_time && let Some(why) = too_long(time, slowness) {
            found.failures.push(format!("case {case}, {name}: {why}, {work} units of work"));
        }
        if let Err(said) = tried {
            found.failures.push(format!("case {case}, {name}: {said}\n  of {}", short(&bench.tried)));
        }
    }
}

fn short(text: &str) -> String {
    text.chars().take(3000).collect()
}

/// Ends the process if a case hangs, and says now and then how far it is.
fn watch(under_way: &[AtomicU64], is_done: &dyn Fn() -> bool, next: &AtomicU64) {
    let mut seen: Vec<(u64, Instant)> = vec![(0, Instant::now()); under_way.len()];
    let mut told = Instant::now();
    while !is_done() {
        thread::sleep(Duration::from_millis(200));
        for (current, seen) in under_way.iter().zip(&mut seen) {
            let current = current.load(Ordering::Relaxed);
            if current != seen.0 || current == 0 {
                *seen = (current, Instant::now());
            } else if seen.1.elapsed() > HANGS {
                eprintln!("case {} hangs: try it by BLOCKSTEP_FUZZ_CASE={0}", current - 1);
                std::process::exit(1);
            }
        }
        if told.elapsed() > Duration::from_secs(30) {
            told = Instant::now();
            eprintln!("at case {}", next.load(Ordering::Relaxed));
        }
    }
}

fn report(all: &[FuzzFindings], seeds: &Arc<Seeds>, judges_memory: bool) {
    let mut failures: Vec<String> = all.iter().flat_map(|found| &found.failures).cloned().collect();
    for (name, ..) in TARGETS {
        let entries: Vec<_> = all.iter().filter_map(|found| found.tried.get(name)).collect();
        let cases: u64 = entries.iter().map(|entry| entry.cases).sum();
        let [taken, refused] = [0, 1].map(|i| entries.iter().map(|entry| entry.counts[i]).sum::<u64>());
        let (time, case) = entries.iter().map(|entry| entry.longest).max().unwrap_or_default();
        println!("{name:10} {cases:8} cases, {taken:8} inputs taken, {refused:8} refused, longest {time:?} (case {case})");
    }
    let (mut slowest, mut largest) = (Vec::new(), Vec::new());
    all.iter().flat_map(|found| &found.slowest).for_each(|&cost| keep(&mut slowest, cost, time_ns));
    all.iter().flat_map(|found| &found.largest).for_each(|&cost| keep(&mut largest, cost, |cost| cost.bytes));
    println!("those that took longest:");
    for Cost { case, name, time, work, .. } in slowest {
        println!("  case {case:8}, {name:10} {time:?}, {work} units of work");
    }
    if judges_memory {
        println!("those that took most memory, and what the process took when they were tried again by themselves:");
        for Cost { case, name, bytes, .. } in largest {
            let mut bench = bench(seeds);
            let memory = Memory::now();
            // What went wrong was said before.
            let _ = try_case(&mut bench, case);
            let taken = memory.taken_kb() << 10;
            println!("  case {case:8}, {name:10} {} MB, {} MB of the process", bytes >> 20, taken >> 20);
            if let Some(why) = too_large(taken) {
                failures.push(format!("case {case}, {name}, by itself: {why}"));
            }
        }
    }
    assert!(failures.is_empty(), "{} cases went wrong:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn fuzz_judges_the_memory_of_a_case() {
    assert_eq!(too_large(MOST_MB << 20), None);
    assert_eq!(too_large((MOST_MB << 20) + 1).as_deref(), Some("200 MB; at most 200"));
    // It is the thread's own, exactly, whatever other tests take meanwhile.
    let counted = measure(|| drop(std::hint::black_box(vec![0_u8; 12_345])));
    assert_eq!((counted.bytes_max, counted.bytes_current), (12_345, 0));
}

#[test]
fn fuzz_judges_the_time_of_a_case() {
    assert_eq!(too_long(MOST_TIME, 1), None);
    assert_eq!(too_long(MOST_TIME * 3, 3), None);
    assert_eq!(too_long(MOST_TIME * 3, 2).is_some(), has_own_clock());
    // It is the thread's own time, and not what passes.
    let begin = processor();
    thread::sleep(Duration::from_millis(50));
    assert!(!has_own_clock() || processor() - begin < Duration::from_millis(40));
}
