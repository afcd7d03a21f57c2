//! Rules changed on purpose: each differs from the real rule where it should, none of them is
//! there when it is off, and no run with them panics, hangs, contradicts itself, or is taken for a
//! run of the rules.

use std::collections::BTreeSet;
use std::sync::Arc;

use blockstep_draw as draw;
use blockstep_format as format;
use blockstep_learn::divergence::first_difference;
use blockstep_learn::showcases::showcase;
use blockstep_report::{self as report, Options};
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, PolicyKind, Scenario};
use blockstep_sim::trace::{Change, Rule, Trace, Variant, Variants};
use blockstep_sim::units::{OpId, StreamId, Time};
use blockstep_view::breakdown::breakdown;
use blockstep_view::reason::{self, ReasonKind};
use blockstep_view::results::Results;
use blockstep_view::{queues, sentence};
use proptest::prelude::*;

use blockstep_testing::arbitrary::{any_drafts, cases};
use blockstep_testing::golden::compare;

fn varied(draft: &Draft, variants: Variants) -> Run {
    engine::simulate_varied(&Scenario::new(draft).unwrap(), variants, Limits::default())
}

fn plain(draft: &Draft) -> Run {
    engine::simulate(&Scenario::new(draft).unwrap(), Limits::default())
}

fn one(variant: Variant) -> Variants {
    Variants::NONE.with(variant)
}

fn any_variants() -> impl Strategy<Value = Variants> {
    proptest::collection::vec(proptest::sample::select(Variant::ALL.to_vec()), 1..4).prop_map(|list| list.into_iter().collect())
}

/// A step of a run in its text form; a dash after its end.
fn line(trace: &Trace, step: usize) -> String {
    let mut out = String::new();
    match trace.steps().get(step) {
        Some(step) => trace.write_step(step, &mut out).unwrap(),
        None => out.push('-'),
    }
    out
}

/// The first step that differs in each variant's own table: its number from 0, by the rules, and changed.
const PARTINGS: [(Variant, usize, &str, &str); Variant::ALL.len()] = [
    (Variant::WorkConserving, 12, "2000000 B1 K1:0 <- SM0", "0 R1 K3:0 -> SM0"),
    (Variant::PriorityByKernel, 13, "1000000 A2 K2:0 -> SM0", "1000000 R1 K1:4 -> SM0"),
    (Variant::NoNullBarrier, 4, "0 G1 K3 -> stream S2", "0 G2 K2 -> EE low"),
    (Variant::LastFit, 5, "0 R1 K1:0 -> SM0", "0 R1 K1:0 -> SM1"),
    (Variant::FairShare, 6, "0 R1 K1:1 -> SM1", "0 R1 K2:0 -> SM1"),
    (Variant::OneKernel, 6, "0 G3 K1 <- EE low", "2000000 B1 K1:0 <- SM0"),
    (Variant::NoPriorities, 11, "500000 A1 K2 -> EE high", "500000 G2 K2 -> EE low"),
    (Variant::OneCopyEngine, 13, "1000000 C1 C2o -> CE1 queue", "1000000 C1 C2o -> CE0 queue"),
    (Variant::NoOverlap, 8, "0 R1 K1:0 -> SM0", "1562500 C4 C2i <- CE0 and stream S2"),
    (Variant::FreeSwitches, 13, "1000000 S1 switching to P2 until 2000000", "1000000 S2 P2 resident"),
    (Variant::ListRestarts, 15, "1000000 L1 runlist entry 1 P2", "1000000 L1 runlist entry 0 P1"),
    (Variant::NoTimeslices, 10, "1000000 S5 K1:0 suspended on SM0", "3000000 B1 K1:0 <- SM0"),
    (Variant::FixedPriority, 6, "0 E1 chosen T2#0", "0 E1 chosen T1#0"),
    (Variant::NoInheritance, 8, "0 E3 chosen T2#0", "0 E1 chosen T1#0"),
    (Variant::NoBudgets, 12, "1000000 Q2 server T1 postponed to 10000000", "4000000 B1 K1:0 <- SM0"),
];

#[test]
fn each_variant_differs_from_its_rule_at_a_known_step() {
    for (variant, step, by_the_rules, changed) in PARTINGS {
        let draft = showcase(variant);
        let (real, other) = (plain(&draft), varied(&draft, one(variant)));
        assert_eq!(first_difference(&real.trace, &other.trace), Some(step), "{}", variant.id());
        assert_eq!((line(&real.trace, step), line(&other.trace, step)), (by_the_rules.to_owned(), changed.to_owned()), "{}", variant.id());
        assert_eq!((real.trace.cut(), other.trace.cut()), (None, None));
    }
    assert_eq!(PARTINGS.map(|(variant, ..)| variant), Variant::ALL);
}

/// What each variant comes to in its own table, to the last step.
#[test]
fn golden_variants() {
    let text: String = Variant::ALL.into_iter().map(|variant| varied(&showcase(variant), one(variant)).trace.text()).collect();
    assert_eq!(compare("variants.txt", &text), None, "If this is meant: BLESS=1 cargo test -p blockstep-view-tests golden");
}

#[test]
fn names_and_sentences_are_there_and_unique() {
    let ids: BTreeSet<_> = Variant::ALL.iter().map(|v| v.id()).collect();
    assert_eq!(ids.len(), Variant::ALL.len());
    for (i, variant) in Variant::ALL.into_iter().enumerate() {
        assert_eq!(variant as usize, i, "the order of the list is that of the numbers");
        assert_eq!(Variant::from_id(variant.id()), Some(variant));
        assert!(variant.id().chars().all(|c| c.is_ascii_lowercase() || c == '-'));
        for text in [variant.sentence(), variant.misconception()] {
            assert!(text.ends_with('.') && text.starts_with(|c: char| c.is_ascii_uppercase()), "{text}");
        }
        assert!(!variant.rules().is_empty());
        let other = variant.title();
        assert!(Variant::ALL.iter().filter(|v| v.title() == other).count() == 1);
        assert_eq!(one(variant).without(variant), Variants::NONE);
    }
    assert_eq!(Variant::from_id("nope"), None);
}

proptest! {
    #![proptest_config(cases(1500))]

    /// A run with variants ends as a run does, and every state of it can be had again.
    #[test]
    fn variants_any_of_them_makes_a_run(draft in any_drafts(), variants in any_variants()) {
        let run = varied(&draft, variants);
        prop_assert_eq!(run.trace.variants(), variants);
        prop_assert_eq!(run.trace.cut(), None);
        let mut replay = run.replay();
        let mut state = replay.seek(0).clone();
        for step in run.trace.steps() {
            prop_assert!(state.now() <= step.at);
            state.apply(&run.trace, step);
        }
        prop_assert_eq!(replay.seek(u32::MAX), &state);
        // What has ended has left every queue and every SM.
        let records = Records::new(&run.trace);
        for space in state.spaces() {
            for &op in space.ee(blockstep_sim::trace::Level::High).iter().chain(space.ee(blockstep_sim::trace::Level::Low)) {
                prop_assert_eq!(records.ops[op.index()].end, None);
            }
        }
    }

    /// With none of them a run is, to the byte, the plain engine's.
    #[test]
    fn variants_none_of_them_is_the_plain_engine(draft in any_drafts()) {
        let runs = [plain(&draft), varied(&draft, Variants::NONE)];
        let [real, none] = runs.map(|run| {
            let records = Arc::new(Records::new(&run.trace));
            let json = format::write_trace(&run.trace, &records).unwrap().to_string();
            let svg = draw::svg(&run.trace, &records, 400, None, false);
            (run.trace.text(), json, format::write_csv(&run.trace, &records).to_string(), report::results_csv(&run, &records).to_string(), svg)
        });
        prop_assert!(!real.0.contains("rules changed") && !real.1.contains("variants") && !real.2.contains("rules_changed"));
        prop_assert_eq!(real, none);
    }

    /// The engine that asks for variants, with only such that the policy has no use for, takes the
    /// plain engine's steps: what it asks costs it nothing but time.
    #[test]
    fn variants_of_other_policies_change_nothing(draft in any_drafts()) {
        let idle: &[Variant] = match draft.policy.kind {
            PolicyKind::Fifo | PolicyKind::Priority => &[
                Variant::FreeSwitches,
                Variant::ListRestarts,
                Variant::NoTimeslices,
                Variant::FixedPriority,
                Variant::NoInheritance,
                Variant::NoBudgets,
            ],
            PolicyKind::Runlist | PolicyKind::Own => &[Variant::FixedPriority, Variant::NoInheritance, Variant::NoBudgets],
            PolicyKind::Edf => &[Variant::ListRestarts, Variant::NoTimeslices],
        };
        let (real, other) = (plain(&draft), varied(&draft, idle.iter().copied().collect()));
        prop_assert_eq!(real.trace.steps(), other.trace.steps());
        prop_assert_eq!(real.trace.ops(), other.trace.ops());
        prop_assert_eq!(real.trace.end(), other.trace.end());
    }

    /// What is not executing has a reason in a run with variants too, and none that only holds
    /// within an instant lasts longer.
    #[test]
    fn variants_reasons_are_true_of_them(draft in any_drafts(), variants in any_variants()) {
        let run = varied(&draft, variants);
        let records = Records::new(&run.trace);
        let accounts = breakdown(run.replay(), &records);
        for account in &accounts {
            let sum: u64 = account.executing.ns() + account.waits.iter().map(|(_, span)| span.ns()).sum::<u64>();
            prop_assert_eq!(sum, account.response.ns());
            for (kind, _) in &account.waits {
                let fleeting = [ReasonKind::ToBeQueued, ReasonKind::ToBeAssigned, ReasonKind::Completing];
                prop_assert!(!fleeting.contains(kind), "{} {:?} {:?}\n{}", run.trace.op_label(account.op), kind, variants, run.trace.text());
            }
        }
        let mut replay = run.replay();
        for (i, step) in run.trace.steps().iter().enumerate() {
            let state = replay.seek(i as u32 + 1);
            for stream in (0..run.trace.layout().streams().len()).map(StreamId::at) {
                for &op in &state.stream(stream).queue {
                    let waits = reason::reason(&run.trace, state, op).is_some();
                    prop_assert!(waits != reason::executes(&run.trace, state, op));
                }
            }
            prop_assert!(!sentence::sentence(&run.trace, step).is_empty());
        }
    }

    /// Every panel and every picture of a run with variants can be made.
    #[test]
    fn variants_everything_can_be_shown(draft in any_drafts(), variants in any_variants(), stop in any::<proptest::sample::Index>()) {
        let run = varied(&draft, variants);
        let records = Arc::new(Records::new(&run.trace));
        let applied = stop.index(run.trace.steps().len() + 1) as u32;
        let mut replay = run.replay();
        let state = replay.seek(applied).clone();
        let last = (applied as usize).checked_sub(1).map(|i| &run.trace.steps()[i]);
        let view = queues::queues(&run.trace, &state, last, state.now(), 12);
        let waiting = reason::waiting(&run.trace, &records, &state, 100);
        let results = Results::new(run.replay(), &records);
        let panel = report::results_panel(&run, &records, &results, &[], Options { is_dark: false, width_px: 400 });
        prop_assert!(view.spaces.iter().any(|space| !space.ee.is_empty() || space.is_folded));
        prop_assert_eq!(panel.tasks.rows.len(), run.trace.scenario().tasks().len().min(200));
        prop_assert!(waiting.items.iter().all(|w| !w.label.is_empty() && !w.text.is_empty()));
        assert_marked(&run, &records);
    }
}

/// Whatever leaves the program says which rules were changed.
fn assert_marked(run: &Run, records: &Arc<Records>) {
    let ids: Vec<_> = run.trace.variants().iter().map(Variant::id).collect();
    let list = ids.join(", ");
    let text = run.trace.text();
    assert!(text.lines().next().unwrap().ends_with(&format!("| rules changed: {list}")));
    let json: serde_json::Value = serde_json::from_str(&format::write_trace(&run.trace, records).unwrap().to_string()).unwrap();
    assert_eq!(json["variants"], serde_json::json!(ids));
    for table in [format::write_csv(&run.trace, records).to_string(), report::results_csv(run, records).to_string()] {
        let mut rows = csv_first_cells(&table);
        assert_eq!(rows.next(), Some("rules_changed"));
        assert!(rows.all(|cell| cell == list));
    }
    let svg = draw::svg(&run.trace, records, 1200, None, false);
    let title = svg.split("<title>").nth(1).unwrap().split("</title>").next().unwrap();
    assert!(title.starts_with(&format!("(rules changed: {list})")), "{title}");
    assert!(svg.matches("(rules changed: ").count() >= 2, "the picture itself says so too");
    assert_eq!(run.trace.variants().file_name("trace", "json"), "trace-varied.json");
}

/// The first cell of each row, without quotes.
fn csv_first_cells(table: &str) -> impl Iterator<Item = &str> {
    table.lines().map(|row| match row.strip_prefix('"') {
        Some(rest) => rest.split('"').next().unwrap(),
        None => row.split(',').next().unwrap(),
    })
}

/// By the step at which each begins to wait, why the kernel of this name does.
fn reasons_of(run: &Run, name: &str) -> Vec<String> {
    let records = Records::new(&run.trace);
    let mut replay = run.replay();
    let mut said: Vec<String> = Vec::new();
    let steps = run.trace.steps();
    for i in (0..steps.len()).filter(|&i| steps.get(i + 1).is_none_or(|next| next.at > steps[i].at)) {
        let state = replay.seek(i as u32 + 1).clone();
        for waiting in reason::waiting(&run.trace, &records, &state, 100).items.into_iter().filter(|w| w.label == name) {
            let text = format!("{} {}", waiting.rule.map_or("-", Rule::id), waiting.text);
            if said.last() != Some(&text) {
                said.push(text);
            }
        }
    }
    said
}

#[test]
fn reasons_speak_of_the_changed_rule() {
    let said = |variant: Variant, name: &str| reasons_of(&varied(&showcase(variant), one(variant)), name);
    assert_eq!(
        said(Variant::WorkConserving, "K2"),
        [
            "R2 needs 1,024 free threads; SM 0 has 256, SM 1 has 512, and K1 and K3 hold the rest",
            "R2 needs 1,024 free threads; each SM has 512, and K1 holds the rest"
        ]
    );
    assert_eq!(
        said(Variant::PriorityByKernel, "K2"),
        [
            "A2 K1 has begun and keeps its turn until its last block is assigned",
            "R2 needs 1,024 free threads; no SM has any, and K1 holds them"
        ]
    );
    assert!(said(Variant::NoNullBarrier, "K2").is_empty());
    assert_eq!(said(Variant::OneKernel, "K2"), ["X1 K1 stays at the head of the low-priority EE queue until its last block has completed"]);
    assert_eq!(said(Variant::NoOverlap, "K1"), ["C2 a block waits while C2i is on its copy engine"]);
}

#[test]
fn a_kernel_passed_over_is_not_forgotten() {
    let run = varied(&showcase(Variant::WorkConserving), one(Variant::WorkConserving));
    let ends: Vec<_> = run.trace.steps().iter().filter(|s| matches!(s.change, Change::KernelCompleted { .. })).collect();
    assert_eq!(ends.len(), 3);
    let records = Records::new(&run.trace);
    let end = |op: usize| records.ops[OpId::at(op).index()].end;
    assert_eq!([end(0), end(1), end(2)], [Some(Time(2_000_000)), Some(Time(3_000_000)), Some(Time(1_000_000))]);
}
