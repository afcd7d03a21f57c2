//! Untrusted input by the thousand: files, studies, links and everything that a page asks the worker,
//! damaged by chance. Nothing panics, nothing hangs, and what is refused is refused in words.
//!
//! `make fuzz` tries a million cases (`BLOCKSTEP_FUZZ_CASES`) in a process of its own, which also fails
//! if a case takes longer than a second of processor time or the process more than 200 MB. Every case
//! follows from its number alone: `BLOCKSTEP_FUZZ_CASE=12345` tries that one and shows what it is.

mod links;
mod mutate;
mod profiles;
mod seeds;
mod targets;

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use blockstep::dice::Dice;
use blockstep::runs::Runs;
use blockstep::worker::Worker;

use seeds::Seeds;
use targets::{Bench, TARGETS};

/// Cases in the normal tests.
const FEW: u64 = 2000;
/// Most time of the processor for a case, where that is judged.
const LONGEST: Duration = Duration::from_secs(1);
/// Most memory of the process at any time, where that is judged.
const MOST_MB: u64 = 200;
/// After so long a case is taken to hang.
const HANGS: Duration = Duration::from_secs(60);
/// Cases that went wrong, after which a thread gives up.
const ENOUGH: usize = 10;

/// What a thread found.
#[derive(Default)]
struct Found {
    /// Number, target, what was said, and the input.
    failures: Vec<String>,
    /// By target.
    tried: BTreeMap<&'static str, Tried>,
    /// The case during which the process first had its most memory, as far as this thread saw.
    most: (u64, u64),
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
    let number = |name: &str| env::var(name).ok().and_then(|n| n.replace('_', "").parse::<u64>().ok());
    if let Some(case) = number("BLOCKSTEP_FUZZ_CASE") {
        let mut bench = bench(&Arc::new(Seeds::new()));
        let begin = processor();
        let said = try_case(&mut bench, case).err();
        println!("case {case}, {}, {:?}:\n{}", target(case).0, processor() - begin, bench.tried);
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
    let all: Vec<Found> = thread::scope(|scope| {
        let workers: Vec<_> = under_way.iter().map(|current| scope.spawn(|| work(bench(&seeds), &next, begin + cases, current))).collect();
        if asked.is_some() {
            watch(&under_way, &|| workers.iter().all(thread::ScopedJoinHandle::is_finished), &next);
        }
        workers.into_iter().map(|worker| worker.join().unwrap()).collect()
    });
    report(&all, asked.is_some());
}

fn bench(seeds: &Arc<Seeds>) -> Bench {
    Bench { seeds: Arc::clone(seeds), worker: Worker::default(), runs: Runs::default(), tried: String::new(), counts: [0; 2] }
}

/// What a case tries.
fn target(case: u64) -> (&'static str, targets::Target) {
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

fn work(mut bench: Bench, next: &AtomicU64, end: u64, current: &AtomicU64) -> Found {
    let mut found = Found::default();
    loop {
        let case = next.fetch_add(1, Ordering::Relaxed);
        if case >= end || found.failures.len() >= ENOUGH {
            current.store(0, Ordering::Relaxed);
            return found;
        }
        current.store(case + 1, Ordering::Relaxed);
        let (begin, before) = (processor(), bench.counts);
        let tried = try_case(&mut bench, case);
        let time = processor() - begin;
        let name = target(case).0;
        let entry = found.tried.entry(name).or_default();
        entry.cases += 1;
        for (sum, (now, before)) in entry.counts.iter_mut().zip(bench.counts.iter().zip(before)) {
            *sum += now - before;
        }
        entry.longest = entry.longest.max((time, case));
        if case.is_multiple_of(64) || time > LONGEST / 20 {
            let most = most_memory_kb();
            if most > found.most.0 + 2048 {
                found.most = (most, case);
            }
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
            eprintln!("at case {}, most memory {} MB", next.load(Ordering::Relaxed), most_memory_kb() / 1024);
        }
    }
}

fn report(all: &[Found], judges_cost: bool) {
    let mut failures: Vec<&str> = all.iter().flat_map(|found| &found.failures).map(String::as_str).collect();
    let mut slow = Vec::new();
    for (name, ..) in TARGETS {
        let entries: Vec<_> = all.iter().filter_map(|found| found.tried.get(name)).collect();
        let cases: u64 = entries.iter().map(|entry| entry.cases).sum();
        let [taken, refused] = [0, 1].map(|i| entries.iter().map(|entry| entry.counts[i]).sum::<u64>());
        let (time, case) = entries.iter().map(|entry| entry.longest).max().unwrap_or_default();
        println!("{name:10} {cases:8} cases, {taken:8} inputs taken, {refused:8} refused, longest {time:?} (case {case})");
        if time > LONGEST {
            slow.push(format!("case {case}, {name}, takes {time:?}"));
        }
    }
    let memory = most_memory_kb() / 1024;
    let (_, case) = all.iter().map(|found| found.most).max().unwrap_or_default();
    println!("most memory {memory} MB, reached by case {case}");
    let too_much = format!("the process took {memory} MB, since case {case}");
    if judges_cost {
        failures.extend(slow.iter().map(String::as_str));
        failures.extend((memory > MOST_MB).then_some(&*too_much));
    }
    assert!(failures.is_empty(), "{} cases went wrong:\n{}", failures.len(), failures.join("\n"));
}

/// Time that the processor has spent on this thread; the time that passed where the system does not say.
fn processor() -> Duration {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let spent = stat.split(' ').next().and_then(|ns| ns.parse().ok()).map(Duration::from_nanos);
    spent.unwrap_or_else(|| std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default())
}

/// The most memory that the process has had so far; 0 where the system does not say.
fn most_memory_kb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().split(' ').next()?.parse().ok()).unwrap_or(0)
}
