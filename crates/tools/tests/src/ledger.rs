//! The ledger of rules: what it counts is what happened, every use can be walked to, and what a
//! scenario is said to lack it lacks; and the tool that shows it.

use std::collections::{BTreeMap, BTreeSet};

use blockstep_format as format;
use blockstep_learn::ledger::{Ledger, MAX_KEPT, hint, is_possible, rules_of, unused};
use blockstep_learn::showcases::showcase;
use blockstep_protocol::Effect;
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::examples;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, Scenario};
use blockstep_sim::trace::{Change, Rule, Variant};
use blockstep_sim::units::Time;
use blockstep_tools::rules::{Divergence, Msg, RuleEntry, Rules, Side, Usage, View};
use blockstep_tools::tool::Event;
use blockstep_view::breakdown::breakdown;
use proptest::prelude::*;

use crate::tool::OnPage;
use blockstep_testing::arbitrary::{any_drafts, cases};
use blockstep_testing::large::large;

fn run(draft: &Draft) -> Run {
    engine::simulate(&Scenario::new(draft).unwrap(), Limits::default())
}

fn ledger(run: &Run) -> Ledger {
    Ledger::new(run, &Records::new(&run.trace))
}

fn example(id: &str) -> Run {
    run(&format::read_scenario(examples::find(id).unwrap().json).unwrap())
}

/// Every rule that was used: steps, waits, ms waited.
fn lines(ledger: &Ledger) -> Vec<String> {
    let used = ledger.entries().iter().filter(|entry| entry.is_used());
    used.map(|e| format!("{} {} {} {}", e.rule.id(), e.cited, e.waits, e.waited_ns / 1_000_000)).collect()
}

#[test]
fn the_ledger_of_table_1() {
    let run = example("tx2-table-1");
    let ledger = ledger(&run);
    // K4 and K5 are behind K1 for 0.8 s and 0.6 s; K5 lacks shared memory for 1 s; two blocks of K1
    // lack threads for 1 s; C2o waits for C5o.
    let expected = [
        "G1 11 0 0",
        "G2 6 2 5600",
        "G3 6 0 0",
        "G4 6 0 0",
        "X1 4 2 1400",
        "R1 10 0 0",
        "R2 2 1 1000",
        "R3 2 1 1000",
        "C1 5 5 14600",
        "C2 5 1 200",
        "C3 5 0 0",
        "C4 5 0 0",
        "J1 2 0 0",
        "J2 2 0 0",
        "B1 18 0 0",
    ];
    assert_eq!(lines(&ledger), expected);
}

#[test]
fn a_wait_of_the_rest_of_a_kernel_counts() {
    let run = run(&showcase(Variant::PriorityByKernel));
    let ledger = ledger(&run);
    // K1 fills the SMs, and while its second half waits for threads, K2 comes first.
    let a2 = ledger.entry(Rule::A2);
    // K2's block goes before K1's, and three of K1's have waited for it.
    assert_eq!((a2.cited, a2.waits, a2.waited_ns), (4, 1, 500_000));
    assert!(a2.first_waits()[0].is_rest);
}

proptest! {
    #![proptest_config(cases(600))]

    /// Steps are counted by rule, and waits are those of the breakdown, to the nanosecond.
    #[test]
    fn ledger_counts_what_happened(draft in any_drafts()) {
        let run = run(&draft);
        let records = Records::new(&run.trace);
        let ledger = Ledger::new(&run, &records);
        let mut waited: BTreeMap<Rule, u128> = BTreeMap::new();
        for account in breakdown(run.replay(), &records) {
            for (kind, span) in account.waits {
                if let Some(rule) = kind.rule(run.trace.op(account.op).kind) {
                    *waited.entry(rule).or_default() += u128::from(span.ns());
                }
            }
        }
        for (i, entry) in ledger.entries().iter().enumerate() {
            prop_assert_eq!(entry.rule, Rule::ALL[i]);
            let is_it = |s: &&blockstep_sim::trace::Step| s.rule == entry.rule || entry.rule == Rule::S4 && matches!(s.change, Change::Left { .. });
            prop_assert_eq!(entry.cited, run.trace.steps().iter().filter(is_it).count() as u64);
            prop_assert_eq!(entry.waits, entry.first_waits().len() as u64);
            let start = |position: u32| run.trace.steps()[position as usize - 1].at;
            let whole: u128 = entry.first_waits().iter().filter(|h| !h.is_rest).map(|h| u128::from(h.until.since(start(h.position)).ns())).sum();
            prop_assert_eq!(whole, waited.get(&entry.rule).copied().unwrap_or(0), "{}", entry.rule.id());
            let all: u128 = entry.first_waits().iter().map(|h| u128::from(h.until.since(start(h.position)).ns())).sum();
            prop_assert_eq!(all, entry.waited_ns);
        }
        prop_assert_eq!(ledger.used() + unused(&ledger, run.trace.scenario()).len(), Rule::ALL.len());
    }

    /// Forwards from the start and backwards from the end one comes by every use, once.
    #[test]
    fn ledger_every_use_can_be_walked_to(draft in any_drafts()) {
        let run = run(&draft);
        let ledger = ledger(&run);
        for entry in ledger.entries() {
            let cited = run.trace.steps().iter().enumerate().filter(|(_, step)| rules_of(step).any(|rule| rule == entry.rule));
            let uses: BTreeSet<u32> = cited.map(|(i, _)| i as u32 + 1).chain(entry.first_waits().iter().map(|h| h.position)).collect();
            let forwards: Vec<u32> = std::iter::successors(entry.next(&run.trace, 0), |&at| entry.next(&run.trace, at)).collect();
            let past = run.trace.steps().len() as u32 + 1;
            let backwards: BTreeSet<u32> = std::iter::successors(entry.previous(&run.trace, past), |&at| entry.previous(&run.trace, at)).collect();
            prop_assert_eq!(&forwards, &uses.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(&backwards, &uses);
            prop_assert_eq!((entry.first(), entry.last()), (uses.first().copied(), uses.last().copied()));
            prop_assert_eq!(entry.is_used(), !uses.is_empty());
        }
    }

    /// A rule that a run used is never said to lack anything.
    #[test]
    fn ledger_hints_are_true(draft in any_drafts()) {
        let run = run(&draft);
        for entry in ledger(&run).entries() {
            let scenario = run.trace.scenario();
            prop_assert!(!entry.is_used() || is_possible(entry.rule, scenario), "{}: {}", entry.rule.id(), hint(entry.rule, scenario));
            prop_assert!(hint(entry.rule, scenario).starts_with("Needs "));
        }
    }
}

/// What is missing is found out from the scenario.
#[test]
fn hints_name_what_is_missing() {
    let run = example("tx2-table-1");
    let missing: BTreeMap<_, _> = unused(&ledger(&run), run.trace.scenario()).into_iter().collect();
    assert_eq!(missing[&Rule::N1], "Needs a kernel in the NULL stream.");
    assert_eq!(missing[&Rule::A1], "Needs a kernel in a stream of high priority.");
    assert_eq!(missing[&Rule::L2], "Needs the policy runlist or own.");
    assert_eq!(missing[&Rule::S5], "Needs the policy runlist, edf or own.");
    assert_eq!(missing[&Rule::D2], "Needs a task with a deadline or a period.");
    let run = example("edf-overrun-cbs");
    let missing: BTreeMap<_, _> = unused(&ledger(&run), run.trace.scenario()).into_iter().collect();
    assert_eq!(missing[&Rule::L1], "Needs the policy runlist or own.");
}

/// Of the built-in examples together there is one rule that none of them uses: a job that runs
/// without preemption, with another job of its process to be drained after it.
#[test]
fn every_rule_is_used_somewhere() {
    let mut used: BTreeSet<Rule> = BTreeSet::new();
    for example in examples::all() {
        let run = run(&format::read_scenario(example.json).unwrap());
        used.extend(ledger(&run).entries().iter().filter(|entry| entry.is_used()).map(|entry| entry.rule));
    }
    let never: Vec<_> = Rule::ALL.into_iter().filter(|rule| !used.contains(rule)).map(Rule::id).collect();
    assert_eq!(never, ["E6"]);
}

#[test]
fn a_million_steps_are_counted_and_few_of_their_waits_kept() {
    let run = run(&large("tx2", 500_000, false));
    assert!(run.trace.steps().len() > 1_000_000);
    let records = Records::new(&run.trace);
    let ledger = Ledger::new(&run, &records);
    assert!(ledger.entries().iter().all(|entry| entry.first_waits().len() <= MAX_KEPT));
    let many = ledger.entries().iter().max_by_key(|entry| entry.waits).unwrap();
    assert!(many.waits > many.first_waits().len() as u64, "{}", many.waits);
}

fn page(scenario: &str) -> OnPage<Rules> {
    OnPage::new("rules", scenario)
}

fn table_1() -> String {
    examples::find("tx2-table-1").unwrap().json.to_owned()
}

/// What the panel says of a rule, if its family is open.
fn find_entry(view: &View, rule: Rule) -> Option<&RuleEntry> {
    let mut found = view.families.iter().flat_map(|family| &family.entries).filter(|entry| entry.rule == rule);
    let entry = found.next();
    assert!(found.next().is_none(), "{}", rule.id());
    entry
}

fn entry(view: &View, rule: Rule) -> &RuleEntry {
    find_entry(view, rule).unwrap()
}

#[test]
fn the_tool_lists_every_rule() {
    let mut page = page(&table_1());
    let told = page.tell(Event::Opened(String::new())).unwrap();
    assert!(told.effects.is_empty() && page.memory.is_empty());
    let view = told.view.unwrap();
    assert_eq!((view.used, view.all), (ledger(&example("tx2-table-1")).used(), 60));
    assert!(view.changed.is_none());
    // Rules of which the run uses none of their kind are folded away, until one asks.
    assert!(find_entry(&view, Rule::Q1).is_none() && view.families.iter().any(|family| !family.is_open));
    for family in &view.families {
        assert_eq!((family.is_open, family.is_open), (!family.used.starts_with("0 of "), !family.entries.is_empty()), "{family:?}");
    }
    page.memory = "fold=2&fold=3&fold=5&fold=6&fold=7".to_owned();
    page.send(Msg::Fold(8));
    page.send(Msg::Fold(9));
    page.send(Msg::Fold(10));
    let view = page.send(Msg::Fold(11)).view.unwrap();
    assert_eq!(page.memory, r#"{"fold":[2,3,5,6,7,8,9,10,11]}"#);
    for rule in Rule::ALL {
        assert!(find_entry(&view, rule).is_some(), "{}", rule.id());
    }
    let switches = || view.families.iter().flat_map(|family| &family.entries).flat_map(|entry| &entry.switches);
    for variant in Variant::ALL {
        assert_eq!(switches().filter(|switch| switch.variant == variant && !switch.is_on).count(), 1);
    }
    assert_eq!(entry(&view, Rule::N1).usage, Usage::Unused("Not used. Needs a kernel in the NULL stream.".to_owned()));
    assert!(matches!(entry(&view, Rule::X1).usage, Usage::Used { has_previous: false, has_next: true, .. }));
    assert_eq!(entry(&view, Rule::N1).switches[0].lead, "Instead (with N2):");
    page.send(Msg::Fold(8));
    page.send(Msg::Fold(9));
    page.send(Msg::Fold(10));
    page.send(Msg::Fold(11));
    assert_eq!(page.memory, r#"{"fold":[2,3,5,6,7]}"#);
}

#[test]
fn the_tool_walks_through_the_uses_of_a_rule() {
    let run = example("tx2-table-1");
    let r3 = ledger(&run).entry(Rule::R3).clone();
    let first = r3.next(&run.trace, 0).unwrap();
    let mut page = page(&table_1());
    let told = page.send(Msg::Next(Rule::R3));
    assert_eq!(told.effects, [Effect::GoToStep(first)]);
    assert_eq!(page.memory, r#"{"rule":"R3"}"#);
    let view = told.view.unwrap();
    assert!(!entry(&view, Rule::R3).at_step.as_ref().unwrap().waits.is_empty(), "what begins to wait where it goes");
    assert_eq!(entry(&page.go(first).moved(), Rule::R3), entry(&view, Rule::R3), "and there it says the same");
    let told = page.go(r3.last().unwrap()).send(Msg::Next(Rule::R3));
    assert_eq!(told.effects, [Effect::Announce("There is no later use of R3.".to_owned())]);
    assert!(matches!(entry(&told.view.unwrap(), Rule::R3).usage, Usage::Used { has_next: false, has_previous: true, .. }));
    page.memory = "rule=R1".to_owned();
    let view = page.go(ledger(&run).entry(Rule::R1).first().unwrap()).moved();
    let r1 = entry(&view, Rule::R1);
    assert!(r1.at_step.as_ref().unwrap().cited.as_ref().unwrap().starts_with("Here: step 1 of "), "{r1:?}");
    assert!(r1.is_current && !entry(&view, Rule::R3).is_current);
    let told = page.send(Msg::Previous(Rule::R1));
    assert_eq!(told.effects, [Effect::Announce("There is no earlier use of R1.".to_owned())]);
}

#[test]
fn a_rule_switched_off_is_shown_as_no_more_than_that() {
    let mut page = page(&format::write_scenario(&showcase(Variant::PriorityByKernel)));
    let told = page.send(Msg::Change(Variant::PriorityByKernel, true));
    assert_eq!(page.memory, r#"{"variant":["priority-by-kernel"]}"#);
    assert_eq!(told.effects, [Effect::Announce("Rules changed: priority-by-kernel. This is not what a GPU does.".to_owned())]);
    let view = told.view.unwrap();
    assert!(entry(&view, Rule::A2).switches.iter().any(|switch| switch.variant == Variant::PriorityByKernel && switch.is_on));
    let changed = view.changed.unwrap();
    assert_eq!(changed.changes.iter().map(|change| change.variant).collect::<Vec<_>>(), [Variant::PriorityByKernel]);
    let Some(Divergence { before, sides: [one, two], effect, cut: None, position: 14 }) = &changed.divergence else {
        panic!("{changed:?}")
    };
    assert_eq!(before, "After 13 identical steps, the runs diverge:");
    let step = |side: &Side| side.step.as_ref().unwrap().sentence.clone();
    assert_eq!((one.name.as_str(), two.name.as_str()), ("Original rules", "Changed"));
    assert_eq!(step(one), "Block 0 of K2 is assigned to SM 0, before anything in the low-priority EE queue.");
    assert_eq!(step(two), "Block 4 of K1 is assigned to SM 0.");
    assert_eq!(effect, "K2 starts 1 ms later, and 1 other row changes; the run ends when it did.");
    let told = page.send(Msg::Compare);
    assert_eq!(told.effects, [Effect::OpenTool { name: "compare".to_owned(), word: "variant=priority-by-kernel".to_owned() }]);
    // One that is folded away is kept.
    page.send(Msg::Fold(3));
    assert!(page.send(Msg::Fold(0)).view.unwrap().changed.is_some());
    assert_eq!(page.memory, r#"{"fold":[3,0],"variant":["priority-by-kernel"]}"#);
    let told = page.send(Msg::Reset);
    assert!(told.effects.is_empty() && told.view.unwrap().changed.is_none() && !page.memory.contains("variant"));
    // Two at once are one run.
    page.memory.clear();
    page.send(Msg::Change(Variant::FairShare, true));
    let changed = page.send(Msg::Change(Variant::LastFit, true)).view.unwrap().changed.unwrap();
    assert_eq!(page.memory, r#"{"variant":["last-fit","fair-share"]}"#);
    assert_eq!(changed.changes.len(), 2);
    assert!(changed.divergence.is_some());
    let told = page.send(Msg::Compare);
    assert_eq!(told.effects, [Effect::OpenTool { name: "compare".to_owned(), word: "variant=last-fit,fair-share".to_owned() }]);
    page.send(Msg::Change(Variant::LastFit, false));
    assert_eq!(page.memory, r#"{"variant":["fair-share"]}"#);
    // A link adds to what is there; what it calls a rule and is none is left out.
    page.open("rule=X1&variant=last-fit&variant=zz");
    assert_eq!(page.memory, r#"{"rule":"X1","variant":["last-fit","fair-share"]}"#);
    page.open("rule=zz");
    assert_eq!(page.memory, r#"{"rule":"X1","variant":["last-fit","fair-share"]}"#);
    page.memory = "rule=zz&variant=zz&fold=x&fold=4".to_owned();
    page.moved();
    assert_eq!(page.memory, r#"{"fold":[4]}"#);
}

#[test]
fn where_a_rule_makes_no_difference_there_is_a_table_in_which_it_does() {
    let mut page = page(&table_1());
    let changed = page.send(Msg::Change(Variant::NoNullBarrier, true)).view.unwrap().changed.unwrap();
    assert_eq!(changed.divergence, None);
    let told = page.send(Msg::Showcase(Variant::NoNullBarrier));
    let [Effect::OpenScenario { at: Time::ZERO, scenario, began_as: None }] = &told.effects[..] else { panic!("{:?}", told.effects) };
    page.scenario.clone_from(scenario);
    assert!(page.moved().changed.unwrap().divergence.is_some());
}
