//! A study that a signal stops: what is done is kept, and nobody takes it for the whole.
#![cfg(unix)]

use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use super::{TempFile, process, run};

/// A study of minutes that is asked to stop by a signal as soon as it listens.
fn stopped(signal: &str, more: &[&str]) -> Output {
    stopped_command(signal, &[&["sweep", "lp-3", "--sets", "1000000"], more].concat())
}

/// A command that counts, likewise.
fn stopped_command(signal: &str, args: &[&str]) -> Output {
    let child = process().args(args).spawn().unwrap();
    wait_until_it_counts(&child);
    send(signal, &child);
    child.wait_with_output().unwrap()
}

fn send(signal: &str, child: &Child) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

/// Something to print to that takes nothing any more, and its other end.
fn full() -> (UnixStream, UnixStream) {
    let (mut printed, reader) = UnixStream::pair().unwrap();
    printed.set_nonblocking(true).unwrap();
    for piece in [&[0; 4_096][..], &[0]] {
        let full = loop {
            if let Err(why) = printed.write(piece) {
                break why;
            }
        };
        assert_eq!(full.kind(), ErrorKind::WouldBlock);
    }
    printed.set_nonblocking(false).unwrap();
    (printed, reader)
}

/// Until the process has handlers for SIGINT and SIGTERM and has computed for a while, as the system shows it; where it
/// does not, for two minutes.
fn wait_until_it_counts(child: &Child) {
    let shown = |file: &str| std::fs::read_to_string(format!("/proc/{}/{file}", child.id())).unwrap_or_default();
    for _ in 0..4_800 {
        std::thread::sleep(Duration::from_millis(25));
        let caught = shown("status").lines().find_map(|line| u64::from_str_radix(line.strip_prefix("SigCgt:")?.trim(), 16).ok());
        // In hundredths of a second, 12 fields after the name.
        let computed = shown("stat").rsplit(") ").next().and_then(|fields| fields.split(' ').nth(11)?.parse::<u64>().ok());
        // The signals are 2 and 15, counted from 1.
        if caught.is_some_and(|caught| caught >> 1 & caught >> 14 & 1 == 1) && computed.is_some_and(|ticks| ticks > 40) {
            return;
        }
    }
}

#[test]
fn a_stopped_study_prints_what_is_done() {
    let output = stopped("-INT", &[]);
    assert_eq!(output.status.code(), Some(130));
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(err.starts_with("warning: interrupted: ") && err.ends_with(" of 1000000 sets per utilization were counted\n"), "{err}");
    assert!(out.starts_with("lp-3: 1000000 task sets per utilization, seed 1; ") && out.contains("\nInterrupted: "), "{out}");
    assert!(out.contains("\n       0.2  100.000"), "{out}");
}

#[test]
fn a_stopped_table_is_not_joined_with_others() {
    let output = stopped("-TERM", &["--csv"]);
    assert_eq!(output.status.code(), Some(143));
    let part = TempFile::new("stopped.csv", &output.stdout);
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(text.lines().nth(1), Some("# sets stopped in the middle"));
    let other = TempFile::new("other.csv", run(&["sweep", "lp-3", "--sets", "1000000", "--shard", "1/1000000"]).1);
    let (status, out, err) = run(&["sweep-merge", part.path(), other.path()]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.ends_with("was stopped midway, so it is unknown which sets it holds\n"), "{err}");
    // Alone it stays what it is, and is said to be.
    let (status, out, err) = run(&["sweep-merge", part.path()]);
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(err.contains("it is unknown which sets are missing"), "{err}");
    let (status, out, err) = run(&["sweep-merge", part.path(), "--partial"]);
    assert_eq!((status, err.as_str()), (0, "note: the study was stopped midway, so it is unknown which sets are missing\n"));
    assert_eq!(out, text);
}

#[test]
fn a_stopped_search_says_what_is_known() {
    let policy = TempFile::new("endless.policy", "n: number\non tick every 1 ns:\n  n = n + 1\nadmit highest priority in ready\n");
    let output = stopped_command("-INT", &["policy", "check", policy.path(), "--tasks", "8"]);
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(130), "{err}");
    assert!(err.ends_with("endless.policy: the search is not over: it was interrupted\n"), "{err}");
    assert!(out.contains(" states, not all of them\n") && out.contains("\nopen     idle     nothing was found in "), "{out}");
}

/// The first signal has it print what is done; nobody reads that, so it cannot end by itself.
#[test]
fn a_second_signal_ends_a_study_at_once() {
    let (printed, _reader) = full();
    let study = ["sweep", "lp-3", "--sets", "1000000"];
    let mut child = process().args(study).stdout(Stdio::from(OwnedFd::from(printed))).spawn().unwrap();
    wait_until_it_counts(&child);
    send("-INT", &child);
    let mut said = String::new();
    BufReader::new(child.stderr.take().unwrap()).read_line(&mut said).unwrap();
    assert!(said.starts_with("warning: interrupted: "), "{said}");
    send("-INT", &child);
    // By the signal itself, and not with a status of the program's.
    assert_eq!(child.wait().unwrap().signal(), Some(2));
}
