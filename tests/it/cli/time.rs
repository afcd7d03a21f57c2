//! `--max-time`, by a clock that moves on with each look at it: a command that has no time left says what it has done.

use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use blockstep_cli::progress::{Act, Look};

use super::{Outcome, TempFile};

/// Runs a command on a computer whose processor works a millisecond between two looks at its clock.
fn run_slowly(stdin: &str, args: &[&str]) -> Outcome {
    let (mut out, mut err, looks) = (Vec::new(), Vec::new(), AtomicU64::new(0));
    let clock = Arc::new(move || Duration::from_millis(looks.fetch_add(1, Ordering::Relaxed)));
    let args = std::iter::once("blockstep").chain(args.iter().copied());
    let status = blockstep_cli::run_by_clock(args, &mut stdin.as_bytes(), &mut out, &mut err, clock);
    (status, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

/// A run of a million steps.
fn long() -> String {
    super::SMALL.replace("\"blocks\": 1", "\"blocks\": 500000")
}

const UP: &str = "the limit of 2 ms of processor time (--max-time) is reached";
const COUNTER: &str = "n: number\non tick every 1 ns:\n  n = n + 1\nadmit highest priority in ready\n";

#[test]
fn a_run_without_time_says_how_far_it_is() {
    let long = long();
    let (status, out, err) = run_slowly(&long, &["simulate", "-", "--max-time", "2ms"]);
    assert_eq!((status, out.as_str()), (2, ""));
    let said = format!("error: standard input: {UP}; done so far: ");
    let so_far = err.strip_prefix(&said).unwrap_or_else(|| panic!("{err}"));
    let steps: u64 = so_far.split(' ').next().unwrap().replace(',', "").parse().unwrap();
    assert!((1_000..1_000_000).contains(&steps) && so_far.contains(" steps, until ") && so_far.ends_with(" of the run\n"), "{err}");
    // With enough of it nothing is said, and the result is the same.
    let (status, within, err) = run_slowly(&long, &["simulate", "-", "--max-time", "3600s", "--format", "results"]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert_eq!(within, super::run_reading(long.as_bytes(), &["simulate", "-", "--format", "results"]).1);
    // The run beside it counts as well.
    let (beside, short) = (TempFile::new("beside.json", &long), super::SMALL);
    let (status, _, err) = run_slowly(short, &["simulate", "-", "--format", "results", "--beside", beside.path(), "--max-time", "2ms"]);
    assert!(status == 2 && err.contains(UP), "{err}");
}

#[test]
fn an_analysis_without_time_says_so() {
    let (status, out, err) = run_slowly(&long(), &["analyse", "-", "--max-time", "2ms"]);
    assert!(status == 2 && out.is_empty() && err.starts_with(&format!("error: standard input: {UP}; done so far: ")), "{err}");
    let (status, out, err) = run_slowly("", &["batch", "Case-1", "--max-time", "2ms"]);
    assert_eq!((status, out.as_str(), err), (2, "", format!("error: Case-1: {UP}; done so far: 1 of 6 schedulers\n")));
    let (status, out, err) = run_slowly("", &["batch", "cases", "--max-time", "2ms"]);
    assert!(status == 2 && out.is_empty() && err.starts_with(&format!("error: cases: {UP}; done so far: 1 of ")), "{err}");
}

#[test]
fn a_study_without_time_prints_what_is_done() {
    let (status, out, err) = run_slowly("", &["sweep", "lp-3", "--sets", "100000", "--max-time", "2ms"]);
    let said = format!("warning: {UP}: ");
    assert!(status == 2 && err.starts_with(&said) && err.ends_with(" of 100000 sets per utilization were counted\n"), "{err}");
    assert!(out.starts_with("lp-3: 100000 task sets per utilization, seed 1; ") && out.contains("\nInterrupted: "), "{out}");
    let scenario = TempFile::new("varied.json", super::SMALL);
    let vary = ["sweep", scenario.path(), "--vary", "kernels[K1].blocks=1..1000", "--max-time", "2ms"];
    let (status, out, err) = run_slowly("", &vary);
    assert!(status == 2 && err.starts_with(&said) && err.ends_with(" of 999 runs were made\n"), "{err}");
    // The rows before the first that was not made, as those of the whole.
    let (_, whole, _) = super::run(&vary[..4]);
    let rows = |table: &str| table.lines().skip(3).map(str::to_owned).collect::<Vec<_>>();
    assert!(rows(&out).len() < 999 && rows(&whole).starts_with(&rows(&out)), "{out}");
}

/// A run of a sweep ends within itself.
#[test]
fn a_long_run_of_a_sweep_ends_when_its_time_is_up() {
    let scenario = TempFile::new("long.json", long());
    let (status, out, err) = run_slowly("", &["sweep", scenario.path(), "--vary", "seed=0..1", "--max-time", "2ms"]);
    assert_eq!((status, err), (2, format!("warning: {UP}: 0 of 1 run were made\n")));
    assert_eq!(out.lines().count(), 3, "{out}");
}

#[test]
fn a_search_without_time_has_a_partial_verdict() {
    let (status, out, err) = run_slowly(COUNTER, &["policy", "check", "-", "--max-time", "2ms"]);
    assert_eq!(
        (status, err),
        (2, "error: standard input: the search is not over: the limit of 2 ms of processor time is reached\n".to_owned())
    );
    let first = out.lines().next().unwrap();
    assert!(first.starts_with("standard input: up to 4 tasks, ") && first.ends_with(" states, not all of them"), "{out}");
    let states = first.split(' ').nth(6).unwrap();
    assert!(out.contains(&format!("\nopen     idle     nothing was found in {states} states, up to ")), "{out}");
    assert!(
        out.contains(
            "\nopen     lost     nothing was found in the 0 of 2 assignments of priorities that were searched to the end; not all"
        ),
        "{out}"
    );
    let (_, json, _) = run_slowly(COUNTER, &["policy", "check", "-", "--max-time", "2ms", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["stopped"], "the search is not over: the limit of 2 ms of processor time is reached");
    assert!(value["levels"][0]["states"].as_u64().unwrap() > 1_000, "{json}");
    // What was found is said all the same.
    let (status, out, err) = run_slowly("", &["policy", "check", "gcaps", "--tasks", "7", "--max-time", "5ms"]);
    assert!(status == 1 && out.contains("\nfault    lost ") && out.contains("\nopen     "), "{out}");
    assert!(err.starts_with("warning: gcaps: the search is not over: "), "{err}");
}

#[test]
fn a_part_without_time_is_no_whole_one() {
    let part =
        |number: &str, limit: &[&str]| run_slowly(COUNTER, &[&["policy", "check", "-", "--tasks", "1", "--shard", number], limit].concat());
    let (status, first, err) = part("1/2", &["--max-time", "2ms"]);
    assert!(status == 2 && err.contains("the search is not over"), "{err}");
    let (_, second, _) = part("2/2", &["--max-time", "2ms"]);
    let files = [TempFile::new("time-1.json", first), TempFile::new("time-2.json", second)];
    let (status, out, err) = super::run(&["policy", "merge", files[0].path(), files[1].path()]);
    assert!(status == 2 && out.contains("\nopen     idle "), "{out}");
    assert!(err.contains("the search is not over: the limit of 2 ms of processor time is reached"), "{err}");
}

#[test]
fn a_limit_of_time_is_a_time() {
    for (value, said) in [("0s", "is 0; leave --max-time out for no limit"), ("5", "has no unit; give one: 5ms, 5s, 5us or 5ns")] {
        let (status, _, err) = super::run(&["policy", "check", "gcaps", "--max-time", value]);
        assert!(status == 2 && err.contains(said), "{err}");
    }
}

/// By its own clock. On a busy machine it may be ended before it looks at it, and before it has done anything to tell.
#[test]
fn a_program_without_time_ends() {
    let scenario = TempFile::new("endless.json", long().replace("500000", "900000"));
    let done =
        super::process().args(["simulate", scenario.path(), "--max-time", "1ns", "-o", "/dev/null", "--format", "csv"]).output().unwrap();
    let err = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(2), "{err}");
    assert!(err.contains(": the limit of 1 ns of processor time (--max-time) is reached"), "{err}");
}

/// It waits for a trace that does not come, and looks at no clock meanwhile.
#[test]
fn what_never_looks_at_its_time_is_ended() {
    let mut child = super::process().args(["trace", "-", "--max-time", "1ns"]).stdin(Stdio::piped()).spawn().unwrap();
    let open = child.stdin.take();
    let done = child.wait_with_output().unwrap();
    drop(open);
    let err = String::from_utf8(done.stderr).unwrap();
    assert_eq!((done.status.code(), done.stdout), (Some(2), Vec::new()), "{err}");
    assert_eq!(err, "error: standard input: the limit of 1 ns of processor time (--max-time) is reached\n");
}

/// A command that has gone on for so long, and has done this.
fn look(ms: u64, done: &str, counted: Option<(u64, u64)>) -> Look<'_> {
    Look { passed: Duration::from_millis(ms), beyond: None, done, counted }
}

#[test]
fn what_takes_a_second_draws_how_far_it_is() {
    let drawn = |ms, done, counted| match look(ms, done, counted).act() {
        Act::Draw(line) => line,
        act => panic!("{act:?}"),
    };
    assert_eq!(look(999, "closing level 2", None).act(), Act::Nothing);
    assert_eq!(look(999, "sets", Some((1, 2))).act(), Act::Nothing);
    assert_eq!(drawn(1_000, "closing level 2", None), "Closing level 2");
    let bar = |full: usize| "█".repeat(full) + &"░".repeat(40 - full);
    assert_eq!(drawn(2_000, "sets", Some((0, 4_000))), bar(0) + "   0 %  0 of 4,000 sets");
    assert_eq!(drawn(2_000, "sets", Some((1_000, 4_000))), bar(10) + "  25 %  1,000 of 4,000 sets, 500/s, 6s left");
    assert_eq!(drawn(7_200_000, "runs", Some((3_999, 4_000))), bar(39) + "  99 %  3,999 of 4,000 runs, 1/s, 2s left");
    assert_eq!(drawn(4_000, "runs", Some((4_000, 4_000))), bar(40) + " 100 %  4,000 of 4,000 runs, 1000/s, 0s left");
    // No number is too large for it.
    assert!(drawn(u64::MAX, "sets", Some((1, u64::MAX))).starts_with(&(bar(0) + "   0 %  1 of 18,446,744,073,709,551,615 sets, 0/s, ")));
}

#[test]
fn what_goes_on_half_a_second_without_time_is_ended() {
    let beyond = |passed, beyond| Look { beyond: Some(Duration::from_millis(beyond)), ..look(passed, "12 steps", None) }.act();
    assert_eq!(beyond(600, 499), Act::Nothing);
    assert_eq!(beyond(1_600, 499), Act::Draw("12 steps".to_owned()));
    assert_eq!(beyond(600, 500), Act::End);
    assert_eq!(beyond(1_600, 500), Act::End);
}
