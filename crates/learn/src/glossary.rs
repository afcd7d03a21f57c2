//! The field's terms: what each means here, where it is from, which rules are about it.
//!
//! Depends on `trace` for the rules. Invariants, kept by a test: terms are in alphabetical order,
//! each once; what a term refers to is a term; every rule belongs to a term. The terms are data, in
//! `glossary/terms.txt`. Sources: the papers, by the short names that rules use.

use blockstep_sim::trace::Rule;

/// A paragraph each: the name, lines that begin with `also:`, `rules:`, `see:` or `from:`, and the
/// meaning.
const TEXT: &str = include_str!("glossary/terms.txt");

/// A term of the field.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Term {
    /// The term.
    pub name: &'static str,
    /// Other names and short forms of it.
    pub also: Vec<&'static str>,
    /// What it means here, in one sentence or a few.
    pub meaning: &'static str,
    /// The paper that defines it or uses it in this sense; empty if it is a word of the trade or ours.
    pub source: &'static str,
    /// Names of terms that help to understand it.
    pub see: Vec<&'static str>,
    /// Rules that are about it.
    pub rules: Vec<Rule>,
}

impl Term {
    /// The term as part of an id in the page: small letters, digits and hyphens.
    #[must_use]
    pub fn slug(&self) -> String {
        self.name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect()
    }

    /// Its name and its other names.
    fn names(&self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.name).chain(self.also.iter().copied())
    }

    /// Whether this is one of its names or one of its rules' ids, whatever the case.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        self.names().chain(self.rules.iter().map(|r| r.id())).any(|n| n.eq_ignore_ascii_case(name))
    }
}

/// Every term, in alphabetical order.
#[must_use]
pub fn terms() -> Vec<Term> {
    TEXT.split("\n\n").map(read).collect()
}

/// The terms that a reader who typed `text` may mean, in alphabetical order: those so called if
/// there are any; else those with it in one of their names; else those with all its words in what
/// is said of them. Every term if nothing was typed.
#[must_use]
pub fn matching(text: &str) -> Vec<Term> {
    let text = text.trim().to_lowercase();
    let in_name = |t: &Term| t.names().any(|name| name.to_lowercase().contains(&text));
    let in_meaning = |t: &Term| {
        let said = format!("{} {}", t.meaning, t.source).to_lowercase();
        text.split_whitespace().all(|word| said.contains(word))
    };
    let attempts: [&dyn Fn(&Term) -> bool; 4] = [&|_| text.is_empty(), &|t| t.is_called(&text), &in_name, &in_meaning];
    let found = attempts.into_iter().map(|keep| terms().into_iter().filter(keep).collect::<Vec<_>>());
    found.into_iter().find(|found| !found.is_empty()).unwrap_or_default()
}

fn read(paragraph: &'static str) -> Term {
    let mut lines = paragraph.trim().lines();
    let mut term = Term { name: lines.next().unwrap_or(""), ..Term::default() };
    for line in lines {
        match line.split_once(": ") {
            Some(("also", names)) => term.also = names.split("; ").collect(),
            Some(("see", names)) => term.see = names.split("; ").collect(),
            Some(("rules", ids)) => term.rules = Rule::ALL.into_iter().filter(|r| ids.split(' ').any(|id| id == r.id())).collect(),
            Some(("from", source)) => term.source = source,
            _ => term.meaning = line,
        }
    }
    term
}
