//! What is remembered of a policy of one's own: texts, requests, the step, and what is looked for.
//!
//! Invariant: a text that was typed stays when another is chosen.

use serde::{Deserialize, Serialize};

use blockstep_policy::examples::{EXAMPLES, find};
use blockstep_policy::{MAX_COLUMNS, MAX_LINES, Program};
use blockstep_search::{Property, Walk};

use crate::tool::Pair;
use crate::tool::pairs::words;

/// Texts of one's own that are kept.
pub const MAX_OWN: usize = 8;
/// Tasks of a search at first.
const TASKS: u8 = 4;
/// The fewest and the most that the page offers: a search with seven does not end in a browser.
pub(super) const OFFERED: std::ops::RangeInclusive<u8> = 2..=6;
/// The longest text that is kept, in characters: the language's lines and columns, and some more, of which it then says that they are.
pub const MAX_TEXT: usize = (MAX_LINES + 20) * (MAX_COLUMNS + 1);
/// The longest sequence of requests that is kept, in characters.
pub const MAX_SEQUENCE: usize = 6000;
/// Begins the word of a text of one's own.
pub(super) const OWN: &str = "own-";

/// What links have of it.
pub(super) const PAIRS: &[Pair] = &[
    Pair::one_of("policy", || words(EXAMPLES.iter().map(|example| example.id).chain(["own-N"]), str::to_owned)),
    Pair::text("own").repeated(),
    Pair::text("requests"),
    Pair::number("step", 0, u32::MAX as u64),
    Pair::number("tasks", *OFFERED.start() as u64, *OFFERED.end() as u64),
    Pair::number("ranks", 0, 99_999_999),
    Pair::one_of("properties", || words(Property::PLAIN, |property| property.to_string()).into_iter().chain(limits()).collect()).repeated(),
    Pair::one_of("hunt", || words(["asked", "found", "over", "none"], str::to_owned)),
];

/// Properties with a number.
fn limits() -> Vec<String> {
    words(["at-most=N", "at-most-realtime=N"], str::to_owned)
}

/// How far the reader is in finding a bug.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum HuntState {
    /// It is not asked for.
    #[default]
    None,
    /// It is to be found.
    Asked,
    /// The reader's requests have shown one.
    Found,
    /// The reader wants to see the verdicts.
    Over,
}

/// A text that requests broke.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct BrokenText {
    pub(super) text: String,
    pub(super) requests: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// The text on screen: a published policy by its id, or `own-` and a place in `own`; the first published one if empty.
    pub(super) policy: String,
    /// Texts of one's own, the oldest first.
    pub(super) own: Vec<String>,
    /// The requests as they were typed.
    pub(super) requests: String,
    /// Requests that are decided on screen.
    pub(super) step: u32,
    /// Tasks of a search; 0 is as at first.
    pub(super) tasks: u8,
    /// The priority of each task that is not in the requests, a digit each.
    pub(super) ranks: String,
    /// Words of the properties that are looked for; nothing is as the text expects.
    pub(super) properties: Option<Vec<String>>,
    /// Whether a search of this text and these choices was asked for.
    pub(super) is_sought: bool,
    /// Whether it is under way.
    pub(super) is_going: bool,
    pub(super) hunt: HuntState,
    /// The last text that the reader saw broken: a mended one is compared with it.
    pub(super) broken: Option<BrokenText>,
}

impl State {
    /// The published policy on screen, if it is one.
    pub(super) fn example(&self) -> Option<&'static blockstep_policy::examples::Example> {
        if self.own_place().is_some() { None } else { Some(find(&self.policy).unwrap_or(&EXAMPLES[0])) }
    }

    pub(super) fn own_place(&self) -> Option<usize> {
        let place = self.policy.strip_prefix(OWN)?.parse().ok()?;
        (place < self.own.len()).then_some(place)
    }

    /// The word of the text on screen.
    pub(super) fn word(&self) -> String {
        self.example().map_or_else(|| self.policy.clone(), |example| example.id.to_owned())
    }

    /// The text on screen.
    #[must_use]
    pub fn text(&self) -> &str {
        match self.own_place() {
            Some(place) => &self.own[place],
            None => self.example().map_or("", |example| example.text),
        }
    }

    pub(super) fn tasks(&self) -> u8 {
        if OFFERED.contains(&self.tasks) { self.tasks } else { TASKS }
    }

    /// What is looked for.
    pub(super) fn looked_for(&self, program: &Program) -> Vec<Property> {
        let Some(words) = &self.properties else { return Property::for_program(program) };
        let mut properties: Vec<Property> = words.iter().filter_map(|word| word.parse().ok()).collect();
        // What fails is looked for whatever is ticked; it asks for no requests where deadlines are all.
        if properties == [Property::Fails, Property::Missed] {
            properties.remove(0);
        }
        properties
    }

    /// What every text is held against, and what it expects, while a bug is to be found: then the reader chooses nothing.
    pub(super) fn is_hunting(&self) -> bool {
        matches!(self.hunt, HuntState::Asked | HuntState::Found)
    }

    pub(super) fn walk<'p>(&self, program: &'p Program) -> Walk<'p> {
        Walk::new(program, &self.requests, self.tasks().into())
    }

    /// Requests that can be decided.
    pub(super) fn count(&self) -> u32 {
        Program::new(self.text()).map_or(0, |program| self.walk(&program).len() as u32)
    }

    /// What was found is of another text or of other choices from now on.
    fn renew(&mut self) {
        (self.is_sought, self.is_going) = (false, false);
    }

    pub(super) fn choose(&mut self, word: &str) {
        let is_known =
            find(word).is_some() || Self { policy: word.to_owned(), own: self.own.clone(), ..Self::default() }.own_place().is_some();
        if is_known && word != self.word() {
            word.clone_into(&mut self.policy);
            self.properties = None;
            self.hunt = HuntState::None;
            self.renew();
            self.step = self.step.min(self.count());
        }
    }

    /// Takes the text as it was typed. The first change of a published policy makes a text of one's own.
    pub(super) fn type_text(&mut self, mut text: String) {
        if text == self.text() {
            return;
        }
        cut(&mut text, MAX_TEXT);
        match self.own_place() {
            Some(place) => self.own[place] = text,
            None => self.policy = format!("{OWN}{}", keep(&mut self.own, text)),
        }
        self.renew();
    }

    pub(super) fn ask(&mut self, mut requests: String) {
        cut(&mut requests, MAX_SEQUENCE);
        let was_at_end = self.step == self.count();
        self.requests = requests;
        let count = self.count();
        self.step = if was_at_end { count } else { self.step.min(count) };
    }

    /// A request after the step; what followed it goes.
    pub(super) fn append(&mut self, word: &str) {
        let kept: Vec<&str> = self.requests.split_whitespace().take(self.step as usize).collect();
        let requests = kept.into_iter().map(|word| word.trim_matches(['(', ')'])).chain([word]).collect::<Vec<_>>().join(" ");
        self.requests = requests;
        self.step = self.count();
    }

    /// The priority that a task has, or will have: 0 is best effort.
    pub(super) fn rank(&self, task: u8) -> u8 {
        self.ranks.as_bytes().get(usize::from(task)).map_or(0, |digit| digit.wrapping_sub(b'0')).min(9)
    }

    /// In all requests of the task, too.
    pub(super) fn set_rank(&mut self, task: u8, rank: u8) {
        let mut ranks: Vec<u8> = (0..8).map(|other| self.rank(other)).collect();
        if let Some(place) = ranks.get_mut(usize::from(task)) {
            *place = rank.min(9);
        }
        self.ranks = ranks.iter().map(|rank| char::from(b'0' + rank)).collect();
        let letter = char::from(b'A' + task.min(7));
        let words = self.requests.split_whitespace().map(|word| with_rank(word, letter, rank.min(9)));
        self.requests = words.collect::<Vec<_>>().join(" ");
        self.step = self.step.min(self.count());
    }

    pub(super) fn set_tasks(&mut self, tasks: u8) {
        if OFFERED.contains(&tasks) && tasks != self.tasks() {
            self.tasks = tasks;
            self.renew();
        }
    }

    pub(super) fn tick(&mut self, word: &str, is_on: bool) {
        let Ok(program) = Program::new(self.text()) else { return };
        let Ok(property) = word.parse::<Property>() else { return };
        let mut properties = self.looked_for(&program);
        properties.retain(|other| *other != property);
        if is_on {
            properties.push(property);
        }
        properties.push(Property::Fails);
        properties.sort_unstable();
        properties.dedup();
        self.properties =
            if properties == Property::for_program(&program) { None } else { Some(properties.iter().map(ToString::to_string).collect()) };
        self.renew();
    }

    pub(super) fn tick_expected(&mut self) {
        self.properties = None;
        self.renew();
    }

    /// Keeps the text on screen as one that the requests on screen break.
    pub(super) fn keep_broken(&mut self) {
        self.broken = Some(BrokenText { text: self.text().to_owned(), requests: self.requests.clone() });
    }

    /// The text that was seen broken, if it is not the one on screen.
    pub(super) fn broken(&self) -> Option<&BrokenText> {
        self.broken.as_ref().filter(|broken| broken.text != self.text())
    }

    /// Begins a search, or goes on with it.
    pub(super) fn begin(&mut self) {
        if !self.is_hunting() {
            (self.is_sought, self.is_going) = (true, true);
        }
    }

    pub(super) fn stop(&mut self) {
        self.is_going = false;
    }

    /// What a link carries: the text on screen alone, requests, step and choices.
    pub(super) fn to_link(&self, is_hunt: bool) -> Self {
        let own: Vec<String> = self.own_place().map(|place| self.own[place].clone()).into_iter().collect();
        let policy = if own.is_empty() { self.word() } else { format!("{OWN}0") };
        let whole = Self { policy, own, is_sought: false, is_going: false, hunt: HuntState::None, broken: None, ..self.clone() };
        if is_hunt { Self { requests: String::new(), step: 0, hunt: HuntState::Asked, ..whole } } else { whole }
    }

    /// Takes what a link carries; texts of one's own stay. What it says of a text that the link names and does not have.
    pub(super) fn follow_link(&mut self, link: Self) -> Option<String> {
        let mut own = std::mem::take(&mut self.own);
        let text = link.own_place().map(|place| link.own[place].clone());
        let is_lost = text.is_none() && link.policy.starts_with(OWN);
        let lost = is_lost.then(|| format!("This link asks for the text “{}”, which it does not have.", link.policy));
        *self = Self { is_sought: false, is_going: false, broken: self.broken.take(), ..link };
        if let Some(text) = text {
            let place = own.iter().position(|known| *known == text).unwrap_or_else(|| keep(&mut own, text));
            self.policy = format!("{OWN}{place}");
        }
        self.own = own;
        self.step = self.step.min(self.count());
        lost
    }
}

/// Keeps a text of one's own, in place of the oldest where there are too many; its place.
fn keep(own: &mut Vec<String>, text: String) -> usize {
    if own.len() == MAX_OWN {
        own.remove(0);
    }
    own.push(text);
    own.len() - 1
}

/// Keeps at most so many characters.
fn cut(text: &mut String, most: usize) {
    if let Some((end, _)) = text.char_indices().nth(most) {
        text.truncate(end);
    }
}

/// A word with the digit of a priority, if it is about this task.
fn with_rank(word: &str, letter: char, rank: u8) -> String {
    let Some(at) = word.find(['+', '-', '−']) else { return word.to_owned() };
    let mut rest = word[at..].chars();
    let sign = rest.next().unwrap_or('+');
    if rest.next().is_none_or(|of| of.to_ascii_uppercase() != letter) {
        return word.to_owned();
    }
    let rest = rest.as_str().trim_start_matches(|c: char| c.is_ascii_digit());
    let digit = if rank == 0 || sign != '+' { String::new() } else { rank.to_string() };
    format!("{}{sign}{letter}{digit}{rest}", &word[..at])
}
