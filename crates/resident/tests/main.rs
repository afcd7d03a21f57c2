//! The search over orders of arrival.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod incidents;
mod naive;
mod orders;

use blockstep_resident::{Answer, Found, MAX_STATES, Question, Report, Search, Way};
use blockstep_sim::scenario::{Device, DeviceDraft, Draft, KernelDraft};

/// A table on a built-in device.
fn on(device: &str, kernels: Vec<KernelDraft>) -> Draft {
    Draft { device: DeviceDraft::BuiltIn(device.to_owned()), kernels, ..Draft::default() }
}

/// A table on a device of so many SMs that hold one block of 1,024 threads each.
fn on_sms(sms: u64, kernels: Vec<KernelDraft>) -> Draft {
    let device = Device { sms, threads_per_sm: 1024, ..Device::default() };
    Draft { device: DeviceDraft::Custom(device), kernels, ..Draft::default() }
}

fn kernel(name: &str, stream: &str, blocks: u64, threads: u64) -> KernelDraft {
    KernelDraft { stream: stream.to_owned(), ..KernelDraft::named(name, blocks, threads, 1_000_000) }
}

fn barrier(name: &str, stream: &str, blocks: u64, threads: u64) -> KernelDraft {
    KernelDraft { barrier: true, ..kernel(name, stream, blocks, threads) }
}

fn names(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

fn answer(draft: &Draft) -> Answer {
    Search::new(draft, true, None, MAX_STATES).unwrap().finish().unwrap()
}

fn report(draft: &Draft) -> Report {
    Question::new(draft, MAX_STATES).unwrap().finish().unwrap()
}

/// Whether an order hangs; one that does is shown by a table that the engine runs into it.
fn hangs(draft: &Draft) -> bool {
    match answer(draft).found {
        Found::Hang(hang) => {
            assert!(hang.witness.table.is_some(), "{:?}", hang.witness.arrivals);
            true
        }
        Found::None => false,
        Found::Open => panic!("the search did not close"),
    }
}

/// The most blocks of a row with which no order hangs.
fn most(report: &Report, row: &str) -> Option<u64> {
    report.repairs.iter().find_map(|repair| match &repair.way {
        Way::Blocks { row: of, most } if of == row => Some(*most),
        _ => None,
    })
}

/// The smallest table that hangs; that itself if none is smaller.
fn smallest(draft: &Draft) -> Draft {
    report(draft).smallest.map_or_else(|| draft.clone(), |hang| hang.draft)
}
