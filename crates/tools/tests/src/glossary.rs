//! The glossary: complete, in order, and every reference leads somewhere.

use std::collections::BTreeSet;

use blockstep_learn::glossary::{Term, matching, terms};
use blockstep_protocol::Effect;
use blockstep_sim::trace::Rule;
use blockstep_tools::glossary::{Glossary, View};
use blockstep_view::labels::LabelTerm;
use blockstep_view::table::Table;

use crate::tool::{OnPage, Told};

#[test]
fn glossary_is_in_order_and_names_nothing_twice() {
    let terms = terms();
    assert!(terms.len() >= 45, "{} terms", terms.len());
    let order: Vec<String> = terms.iter().map(|t| t.name.to_lowercase()).collect();
    assert!(order.is_sorted(), "{order:?}");
    let names: Vec<String> = terms.iter().flat_map(|t| t.also.iter().chain([&t.name])).map(|n| n.to_lowercase()).collect();
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "{names:?}");
    let slugs: BTreeSet<String> = terms.iter().map(Term::slug).collect();
    assert_eq!(slugs.len(), terms.len());
    assert!(slugs.iter().all(|s| s.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')), "{slugs:?}");
}

#[test]
fn glossary_terms_say_something_and_refer_to_terms() {
    let terms = terms();
    for term in &terms {
        let sentences = term.meaning.matches(". ").count() + 1;
        assert!(term.meaning.ends_with('.') && (1..=3).contains(&sentences), "{term:?}");
        assert!((20..=260).contains(&term.meaning.len()), "{term:?}");
        assert!(!term.see.is_empty(), "{} stands alone", term.name);
        for name in &term.see {
            assert!(terms.iter().any(|t| t.name == *name), "{} refers to {name}, which is no term", term.name);
            assert_ne!(*name, term.name);
        }
        assert!(
            term.source.is_empty() || ["[TX2]", "[EDF]", "[LP]", "[MT]", "[CUDA]", "our choice"].iter().any(|s| term.source.contains(s)),
            "{term:?}"
        );
    }
    // A reader can get to every term from another one.
    let reached: BTreeSet<&str> = terms.iter().flat_map(|t| t.see.iter().copied()).collect();
    let alone: Vec<_> = terms.iter().map(|t| t.name).filter(|name| !reached.contains(name)).collect();
    assert!(alone.len() <= 8, "{alone:?}");
}

/// What one paper means by a word is not what another word means here.
#[test]
fn glossary_keeps_blocking_waiting_and_channels_apart() {
    let term = |name: &str| terms().into_iter().find(|t| t.name == name).unwrap_or_else(|| panic!("there is no term \"{name}\""));
    for (name, source, says) in [
        ("blocking", "[LP] sections II-D", "cannot be preempted"),
        ("waiting", "", "add up to the response time"),
        ("channel", "[EDF] section III-B", "one or several"),
        ("demand bound function", "[LP] section II-D", "due"),
        ("QPA", "[LP] section II-D", "demand bound function"),
        ("c and d", "[EDF] section IV", "budget that is left"),
        ("equation (1)", "[EDF] section III-B", "(C, D, P)"),
        ("Theorem 1", "[EDF] appendix", "Equation (2)"),
    ] {
        let term = term(name);
        assert!(term.source.starts_with(source) && term.meaning.contains(says), "{term:?}");
        assert!(source.is_empty() == term.source.is_empty(), "{term:?}");
    }
    assert!(!term("address space").also.contains(&"channel") && term("address space").see.contains(&"channel"));
    assert!(!term("blocking").meaning.contains("for whatever reason"));
}

#[test]
fn glossary_covers_every_rule_once() {
    let terms = terms();
    for rule in Rule::ALL {
        let about: Vec<_> = terms.iter().filter(|t| t.rules.contains(&rule)).map(|t| t.name).collect();
        assert_eq!(about.len(), 1, "{}: {about:?}", rule.id());
    }
}

#[test]
fn glossary_finds_what_is_meant() {
    let found = |text: &str| matching(text).iter().map(|t| t.name).collect::<Vec<_>>();
    assert_eq!(found("").len(), terms().len());
    assert_eq!(found(" SM "), ["SM"], "the term, not all with these letters");
    assert_eq!(found("x1"), ["EE queue"], "a rule");
    assert_eq!(found("work-group"), ["thread block"], "another name");
    assert_eq!(found("deadline inh"), ["inheritance"], "the beginning of another name");
    assert_eq!(found("queue"), ["CE queue", "EE queue"], "part of names");
    assert!(found("whole nanoseconds").contains(&"instant"), "words of the meaning");
    assert!(found("no such thing").is_empty());
    assert!(found("<b>&\"").is_empty());
}

fn find(page: &mut OnPage<Glossary>, text: &str) -> Told<Glossary> {
    page.edit(|state| text.clone_into(&mut state.find))
}

#[test]
fn glossary_tool_filters_follows_references_and_lists_all() {
    let mut page = OnPage::<Glossary>::on("glossary", "tx2-table-1");
    let names = |view: &View| view.terms.iter().map(|t| t.name.clone()).collect::<Vec<_>>();
    assert_eq!(page.open("").terms.len(), terms().len());
    let told = find(&mut page, "x1");
    let view = told.view.unwrap();
    assert_eq!(names(&view), ["EE queue"]);
    assert!(view.terms[0].see.iter().any(|name| name == "head-of-line blocking"), "{view:?}");
    assert_eq!(told.effects, [Effect::Announce("One term: EE queue.".to_owned())]);
    let view = find(&mut page, "head-of-line blocking").view.unwrap();
    assert_eq!(names(&view), ["head-of-line blocking"]);
    let view = find(&mut page, "<b>").view.unwrap();
    assert!(view.terms.is_empty() && view.count.starts_with("No term"), "{view:?}");
    assert_eq!(page.memory, r#"{"find":"<b>"}"#);
    assert_eq!(find(&mut page, "").view.unwrap().terms.len(), terms().len());
    assert_eq!(page.open("SM").terms.len(), 1);
    assert_eq!(page.moved().terms.len(), 1);
    assert!(page.tell(blockstep_tools::tool::Event::Moved).unwrap().effects.is_empty(), "nothing is said twice");
}

/// Labels of diagrams and tables lead to their terms, each to one of its own.
#[test]
fn glossary_has_an_entry_for_each_label_that_leads_to_it() {
    for label in LabelTerm::ALL {
        let found: Vec<&str> = matching(label.name()).iter().map(|term| term.name).collect();
        assert_eq!(found, [label.name()]);
        let mut page = OnPage::<Glossary>::on("glossary", "tx2-table-1");
        assert_eq!(page.open(label.name()).terms.len(), 1, "{}", label.name());
    }
    let titles = Table::Kernels.columns().iter().map(|column| column.title);
    let led: BTreeSet<&str> = titles.filter_map(LabelTerm::of_column).map(LabelTerm::name).collect();
    assert_eq!(led.len(), 6, "each title is that of a column: {led:?}");
}
