//! The ledger of rules: what it counts is what happened, every use can be walked to, and what a
//! scenario is said to lack it lacks; and the tool that shows it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use blockstep::engine::{self, Limits, Run};
use blockstep::examples;
use blockstep::format;
use blockstep::lab::{Lab, Part};
use blockstep::learn::ledger::{Ledger, MAX_KEPT, hint, is_possible, rules_of, unused};
use blockstep::learn::showcases::showcase;
use blockstep::record::Records;
use blockstep::scenario::{Draft, Scenario};
use blockstep::trace::{Change, Rule, Variant};
use blockstep::view::breakdown::breakdown;
use proptest::prelude::*;

use crate::arbitrary::{any_drafts, cases};
use crate::large::large;

fn run(draft: &Draft) -> Run {
    engine::simulate(&Scenario::new(draft).unwrap(), Limits::default()).unwrap()
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
    assert!(a2.held()[0].is_rest);
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
            let is_it = |s: &&blockstep::trace::Step| s.rule == entry.rule || entry.rule == Rule::S4 && matches!(s.change, Change::Left { .. });
            prop_assert_eq!(entry.cited, run.trace.steps().iter().filter(is_it).count() as u64);
            prop_assert_eq!(entry.waits, entry.held().len() as u64);
            let start = |position: u32| run.trace.steps()[position as usize - 1].at;
            let whole: u128 = entry.held().iter().filter(|h| !h.is_rest).map(|h| u128::from(h.until.since(start(h.position)).ns())).sum();
            prop_assert_eq!(whole, waited.get(&entry.rule).copied().unwrap_or(0), "{}", entry.rule.id());
            let all: u128 = entry.held().iter().map(|h| u128::from(h.until.since(start(h.position)).ns())).sum();
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
            let uses: BTreeSet<u32> = cited.map(|(i, _)| i as u32 + 1).chain(entry.held().iter().map(|h| h.position)).collect();
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
    assert_eq!(missing[&Rule::L2], "Needs the policy runlist.");
    assert_eq!(missing[&Rule::S5], "Needs the policy runlist or edf.");
    assert_eq!(missing[&Rule::D2], "Needs a task with a deadline or a period.");
    let run = example("edf-overrun-cbs");
    let missing: BTreeMap<_, _> = unused(&ledger(&run), run.trace.scenario()).into_iter().collect();
    assert_eq!(missing[&Rule::L1], "Needs the policy runlist.");
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
fn a_million_steps_are_counted_in_seconds() {
    let run = run(&large("tx2", 500_000, false));
    assert!(run.trace.steps().len() > 1_000_000);
    let records = Records::new(&run.trace);
    let begin = Instant::now();
    let ledger = Ledger::new(&run, &records);
    let took = begin.elapsed();
    assert!(took < Duration::from_secs(5), "{took:?}");
    assert!(ledger.entries().iter().all(|entry| entry.held().len() <= MAX_KEPT));
    let many = ledger.entries().iter().max_by_key(|entry| entry.waits).unwrap();
    assert!(many.waits > many.held().len() as u64, "{}", many.waits);
}

/// What the tool answers: state, HTML, acts.
fn ask(event: &str, fields: &str, state: &str, scenario: &str, position: usize) -> (String, String, Vec<String>) {
    let arguments = ["rules", event, fields, state, scenario, &format!("position={position}")].map(str::to_owned);
    let parts = Lab::default().answer("tool", &arguments).unwrap();
    let mut texts = parts.into_iter().map(|part| match part {
        Part::Text(text) => text,
        Part::Words(_) => panic!("a tool answers in texts"),
    });
    let (state, html) = (texts.next().unwrap(), texts.next().unwrap());
    (state, html, texts.collect())
}

fn table_1() -> String {
    examples::find("tx2-table-1").unwrap().json.to_owned()
}

/// The part of the panel that is about a rule.
fn entry<'h>(html: &'h str, id: &str) -> &'h str {
    let rest = html.split(&format!("data-entry=\"{id}\"")).nth(1).unwrap();
    rest.split("data-entry=").next().unwrap()
}

#[test]
fn the_tool_lists_every_rule() {
    let (state, html, acts) = ask("open:", "", "", &table_1(), 0);
    assert!(acts.is_empty() && state.is_empty());
    let used = ledger(&example("tx2-table-1")).used();
    assert!(html.contains(&format!("<strong>{used} of 38 rules used</strong>")));
    assert!(html.contains(&format!("<progress value=\"{used}\" max=\"38\"")));
    // Rules of which the run uses none of their kind are folded away, until one asks.
    assert!(!html.contains("data-entry=\"Q1\"") && html.contains("aria-expanded=\"false\""));
    let folded = ["", "fold=2&fold=3", "fold=5&fold=6&fold=7&fold=8"].join("&");
    let (state, html, _) = ask("do:fold-8", "", &folded.replace("&fold=8", ""), &table_1(), 0);
    assert!(state.ends_with("fold=8"));
    for rule in Rule::ALL {
        assert_eq!(html.matches(&format!("data-entry=\"{}\"", rule.id())).count(), 1, "{}", rule.id());
    }
    for variant in Variant::ALL {
        assert_eq!(html.matches(&format!("value=\"{}\"", variant.id())).count(), 1);
    }
    let keeps: Vec<_> = html.split(" data-keep=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    assert_eq!(keeps.iter().collect::<BTreeSet<_>>().len(), keeps.len());
    assert!(entry(&html, "N1").contains("Not used. Needs a kernel in the NULL stream."));
    assert!(entry(&html, "X1").contains("data-do=\"next-X1\""));
    assert!(!html.contains("rules-changed"));
}

#[test]
fn the_tool_walks_through_the_uses_of_a_rule() {
    let run = example("tx2-table-1");
    let r3 = ledger(&run).entry(Rule::R3).clone();
    let first = r3.next(&run.trace, 0).unwrap();
    let (state, html, acts) = ask("do:next-R3", "", "", &table_1(), 0);
    assert_eq!(acts, ["go".to_owned(), first.to_string()]);
    assert_eq!(state, "rule=R3");
    assert!(entry(&html, "R3").contains("begins to wait here"));
    let last = r3.last().unwrap();
    let (_, html, acts) = ask("do:next-R3", "", &state, &table_1(), last as usize);
    assert_eq!(acts, ["say", "There is no later use of R3."]);
    assert!(entry(&html, "R3").contains("aria-disabled=\"true\""));
    let (_, html, _) = ask("move", "", "rule=R1", &table_1(), ledger(&run).entry(Rule::R1).first().unwrap() as usize);
    assert!(entry(&html, "R1").contains("Here: step 1 of "));
    assert!(html.contains("rule-entry is-current\" data-entry=\"R1\""));
}

#[test]
fn a_rule_switched_off_is_shown_as_no_more_than_that() {
    let scenario = format::write_scenario(&showcase(Variant::PriorityByKernel));
    let (state, html, acts) = ask("change:variant", "variant=priority-by-kernel", "", &scenario, 0);
    assert_eq!(state, "variant=priority-by-kernel");
    assert_eq!(acts, ["say", "Rules changed: priority-by-kernel. This is not what a GPU does."]);
    assert!(html.contains("Not what a GPU does."));
    assert!(html.contains("After 13 steps that are the same, the runs part:"));
    assert!(html.contains("Block 0 of K2 is assigned to SM 0, before anything in the low-priority EE queue."));
    assert!(html.contains("Block 4 of K1 is assigned to SM 0."));
    assert!(html.contains("data-go=\"14\""));
    assert!(html.contains("K2 1 ms later, K1 500 us earlier") || html.contains("K2 1 ms later"), "{html}");
    let (_, _, acts) = ask("do:compare", "", &state, &scenario, 0);
    assert_eq!(acts, ["tool", "compare\nvariant=priority-by-kernel"]);
    let (state, html, _) = ask("do:reset", "", &state, &scenario, 0);
    assert!(state.is_empty() && !html.contains("Not what a GPU does."));
    // One that is folded away is kept.
    let (_, html, _) = ask("do:fold-3", "", "variant=priority-by-kernel", &scenario, 0);
    assert!(html.contains("<input type=\"hidden\" name=\"variant\" value=\"priority-by-kernel\">"));
    // Two at once are one run.
    let (state, html, _) = ask("change:variant", "variant=last-fit&variant=fair-share", "", &scenario, 0);
    assert_eq!(state, "variant=last-fit&variant=fair-share");
    assert_eq!(html.matches("the runs part:").count(), 1);
}

#[test]
fn where_a_rule_makes_no_difference_there_is_a_table_in_which_it_does() {
    let (state, html, _) = ask("change:variant", "variant=no-null-barrier", "", &table_1(), 0);
    assert!(html.contains("In this run it makes no difference"));
    let (_, _, acts) = ask("do:show-no-null-barrier", "", &state, &table_1(), 0);
    assert_eq!(acts[0], "scenario");
    let (at, scenario) = acts[1].split_once('\n').unwrap();
    assert_eq!(at, "0");
    let (_, html, _) = ask("move", "", &state, scenario, 0);
    assert!(html.contains("the runs part:"));
}

#[test]
fn names_are_text_in_the_tool() {
    let mut draft = showcase(Variant::PriorityByKernel);
    draft.kernels[0].name = "<b>K1</b>".to_owned();
    let scenario = format::write_scenario(&draft);
    for position in 0..run(&draft).trace.steps().len() {
        for rule in ["R2", "A2"] {
            let (_, html, _) = ask("move", "", &format!("rule={rule}&variant=fair-share"), &scenario, position);
            assert!(!html.contains("<b>"));
        }
    }
}
