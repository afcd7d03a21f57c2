//! What each policy says of itself: that it is complete, that the contract of files says the same, and that runs do.
//!
//! Depends on the library. Invariant: no fact of a policy is written out here; all are asked of it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use blockstep_sim::engine::{self, Limits};
use blockstep_sim::policy::{self, About, Setting};
use blockstep_sim::scenario::{
    BatchDraft, Chain, Choice, Class, Draft, Interleave, KernelDraft, NULL_STREAM, PolicyKind, Preemption, Scenario, StreamPriority,
    SwitchCharge, TaskDraft,
};
use blockstep_view::table::Table;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use blockstep_testing::arbitrary::{drafts, turns};

fn all() -> impl Iterator<Item = &'static About> {
    PolicyKind::ALL.iter().map(|&kind| policy::about(kind))
}

#[test]
fn policies_say_what_they_are() {
    for (about, &kind) in all().zip(PolicyKind::ALL) {
        assert_eq!(about.kind, kind);
        assert!(about.help.len() > 10 && !about.help.ends_with('.'), "{}: a line without a full stop", about.title);
        if PolicyKind::BUILT_IN.contains(&kind) {
            assert_eq!(about.title.to_lowercase(), kind.word(), "what a button says can be typed");
            assert_eq!(about.name.to_lowercase(), about.title.to_lowercase());
        }
        let places: BTreeSet<_> = about.uses.iter().map(|setting| setting.place()).collect();
        assert_eq!(places.len(), about.uses.len(), "{}: each setting once", about.title);
        assert_eq!(about.uses(Setting::SwitchCost), kind.takes_turns(), "who takes turns pays for switches");
    }
    assert!(Setting::ALL.iter().all(|&setting| all().any(|about| about.uses(setting))));
}

#[test]
fn policies_settings_are_columns_of_the_tables() {
    let tables = Setting::ALL.iter().map(|setting| setting.place());
    for (table, field) in tables {
        if let Some(shown) = Table::ALL.into_iter().find(|shown| shown.field() == table) {
            assert!(shown.column_of(field).is_some(), "{table} have no column {field}");
        } else {
            assert!(["policy", "streams"].contains(&table), "{table}");
        }
    }
}

/// The rows of the tables of fields: table, field, and the words in brackets at the end, if they are those of policies.
fn documented() -> Vec<(String, String, BTreeSet<String>)> {
    let text = fs::read_to_string(Path::new(blockstep_testing::ROOT).join("docs/file-format.md")).unwrap();
    let mut found = Vec::new();
    for section in text.split("\n### ").skip(1) {
        let (heading, rest) = section.split_once('\n').unwrap();
        let Some(table) = heading.split('`').nth(1) else { continue };
        for row in rest.split("\n## ").next().unwrap().lines().filter(|line| line.starts_with("| `")) {
            let field = row.split('`').nth(1).unwrap();
            let mark = row.trim_end_matches(" |").rsplit_once('(').and_then(|(_, mark)| mark.strip_suffix(')')).unwrap_or("");
            let words: BTreeSet<String> = mark.split('`').skip(1).step_by(2).map(str::to_owned).collect();
            let are_policies = words.iter().all(|word| PolicyKind::from_word(word).is_some());
            found.push((table.to_owned(), field.to_owned(), if are_policies { words } else { BTreeSet::new() }));
        }
    }
    found
}

#[test]
fn policies_and_the_contract_of_files_name_the_same_settings() {
    let rows = documented();
    assert!(rows.len() > 30, "{} fields", rows.len());
    let mut settings = 0;
    for (table, field, words) in rows.iter().filter(|(_, field, _)| field != "kind") {
        let setting = Setting::ALL.into_iter().find(|setting| setting.place() == (table, field));
        let users = all().filter(|about| setting.is_some_and(|setting| about.uses(setting)));
        let users: BTreeSet<String> = users.map(|about| about.kind.word().to_owned()).collect();
        assert_eq!(*words, users, "{table}, {field}");
        settings += usize::from(setting.is_some());
    }
    assert_eq!(settings, Setting::ALL.len(), "the contract has every one");
}

/// The same with another value of a setting, wherever it stands.
fn changed(draft: &Draft, setting: Setting) -> Draft {
    let mut draft = draft.clone();
    let other = |mode: Preemption| if mode == Preemption::None { Preemption::Thread } else { Preemption::None };
    let device = draft.device.preemption();
    match setting {
        Setting::SwitchCost => draft.policy.switch_cost_ns += 7,
        Setting::SwitchCharge => {
            draft.policy.switch_charge = match draft.policy.switch_charge {
                SwitchCharge::Every => SwitchCharge::Expiries,
                SwitchCharge::Expiries => SwitchCharge::Every,
            }
        }
        Setting::Signals => draft.policy.signal_ns += 2,
        Setting::RunlistUpdate => draft.policy.runlist_ns += 2,
        Setting::Chain => {
            draft.policy.chain = if draft.policy.chain == Chain::One { Chain::Resident } else { Chain::One };
        }
        // Neither does anything while nobody drains.
        Setting::Watchdog => {
            draft.policy.watchdog_ns = if draft.policy.watchdog_ns == Some(1) { None } else { Some(1) };
        }
        Setting::PixelLatency => draft.tasks.iter_mut().for_each(|t| t.pixel_latency_ns = Some(t.pixel_latency_ns.unwrap_or(0) + 3)),
        Setting::Servers => draft.policy.cbs ^= true,
        Setting::Preemption => draft.policy.preemption = other(draft.policy.preemption),
        // Some of the processes, as the same for all changes nothing.
        Setting::Interleave => draft.processes.iter_mut().step_by(2).for_each(|p| {
            p.interleave = if p.interleave == Interleave::High { Interleave::Low } else { Interleave::High };
        }),
        Setting::Channels => draft.processes.iter_mut().for_each(|p| p.channels += 1),
        Setting::Timeslice => draft.processes.iter_mut().for_each(|p| p.timeslice_ns += 3),
        Setting::ProcessPreemption => {
            draft.processes.iter_mut().for_each(|p| p.preemption = Some(other(p.preemption.unwrap_or(device))));
        }
        Setting::Class => draft.tasks.iter_mut().step_by(2).for_each(|t| {
            t.class = Some(if t.class() == Class::RealTime { Class::BestEffort } else { Class::RealTime });
        }),
        Setting::Budget => draft.tasks.iter_mut().for_each(|t| t.budget_ns = Some(t.budget_ns.map_or(2, |ns| ns + 3))),
        Setting::Batch => add_batch(&mut draft),
        Setting::Text => draft.policy.text = "admit first in ready\n".to_owned(),
        Setting::Wake => draft.tasks.iter_mut().for_each(|t| t.wake_ns += 2),
        Setting::Rank => draft.tasks.iter_mut().enumerate().for_each(|(i, t)| t.priority = -(i as i64)),
        // Only those that are listed: which ones are, numbers the streams.
        Setting::StreamPriority => draft.streams.iter_mut().filter(|s| s.name != NULL_STREAM).for_each(|s| {
            s.priority = if s.priority == StreamPriority::High { StreamPriority::Low } else { StreamPriority::High };
        }),
    }
    draft
}

/// An urgent batch of the first row that can be in one, under `edf`.
fn add_batch(draft: &mut Draft) {
    let Some(first) = draft.tasks.first().map(|task| task.name.clone()) else { return };
    let is_chained = |task: &TaskDraft| !task.consumes.is_empty() || draft.tasks.iter().any(|other| other.consumes.contains(&task.name));
    let tasks: Vec<String> =
        draft.tasks.iter().filter(|task| task.class() == Class::RealTime && !is_chained(task)).map(|task| task.name.clone()).collect();
    let owner = |row: &KernelDraft| row.task.clone().unwrap_or(first.clone());
    let can_be = |row: &&mut KernelDraft| row.call.has_operation() && row.graph.is_none() && tasks.contains(&owner(row));
    if let Some(row) = draft.kernels.iter_mut().find(can_be) {
        row.batch = Some("B".to_owned());
        let batch = BatchDraft { name: "B".to_owned(), task: Some(owner(row)), deadline_ns: 1, budget_ns: Some(1), period_ns: None };
        draft.batches.push(batch);
    }
}

fn steps(draft: &Draft) -> Option<String> {
    // A task that becomes real-time may lack a deadline.
    let scenario = Scenario::new(draft).ok()?;
    Some(engine::simulate(&scenario, Limits::default()).trace.text())
}

/// A policy's run changes with the settings that it says it uses, and with no other.
#[test]
fn policies_use_the_settings_they_say_and_no_others() {
    let mut runner = TestRunner::deterministic();
    let together = drafts().boxed();
    let in_turns = PolicyKind::ALL.iter().filter(|kind| kind.takes_turns()).map(|&kind| (kind, turns(kind).boxed()));
    let strategies: Vec<_> = in_turns.collect();
    for about in all() {
        let strategy = strategies.iter().find(|(kind, _)| *kind == about.kind).map_or(&together, |(_, strategy)| strategy);
        let mut differing = [0; Setting::ALL.len()];
        for _ in 0..400 {
            let mut draft = strategy.new_tree(&mut runner).unwrap().current();
            draft.policy.kind = about.kind;
            let before = steps(&draft).unwrap();
            for (setting, differing) in Setting::ALL.into_iter().zip(&mut differing) {
                let Some(after) = steps(&changed(&draft, setting)) else { continue };
                assert!(about.uses(setting) || before == after, "{} does not say that it uses {setting:?}", about.title);
                *differing += usize::from(before != after);
            }
        }
        for (setting, differing) in Setting::ALL.into_iter().zip(differing) {
            assert!(!about.uses(setting) || differing > 0, "{} says that it uses {setting:?}", about.title);
        }
    }
}
