//! What a page is about, and how pages name each other.
//!
//! Depends on maud. Invariant: a file's name follows from its kind and id alone, so a page can link one that is not made yet.

use std::fmt::Display;

use maud::{Markup, html};

use blockstep_sim::trace::Rule;

use crate::pictures::Picture;

/// The kinds of pages, in the order of the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartKind {
    Example,
    Tour,
    Rule,
    Term,
    Guide,
}

impl PartKind {
    pub(crate) const ALL: [Self; 5] = [Self::Example, Self::Tour, Self::Rule, Self::Term, Self::Guide];

    /// What one of its pages is.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Example => "Example",
            Self::Tour => "Tour",
            Self::Rule => "Rule",
            Self::Term => "Term",
            Self::Guide => "Guide",
        }
    }

    /// Its heading in the index, and the way back to it.
    pub(crate) const fn heading(self) -> &'static str {
        match self {
            Self::Example => "Examples",
            Self::Tour => "Tours",
            Self::Rule => "Rules",
            Self::Term => "Terms",
            Self::Guide => "Guides",
        }
    }

    /// Its place in the index.
    pub(crate) const fn anchor(self) -> &'static str {
        match self {
            Self::Example => "examples",
            Self::Tour => "tours",
            Self::Rule => "rules",
            Self::Term => "terms",
            Self::Guide => "guides",
        }
    }

    /// The file of the page with this id.
    pub(crate) fn file(self, id: &str) -> String {
        format!("{}-{id}.html", self.name()).to_ascii_lowercase()
    }
}

/// A page but for its frame.
pub(crate) struct Part {
    pub(crate) kind: PartKind,
    pub(crate) id: String,
    /// The title, for browsers and lists.
    pub(crate) title: String,
    /// A sentence or two for search engines.
    pub(crate) description: String,
    /// The picture, where there is one.
    pub(crate) picture: Option<Picture>,
    /// The page whose picture chats show if it has none.
    pub(crate) like: Option<String>,
    /// What it belongs to, in words.
    pub(crate) group: String,
    /// The link into the page that steps: its words and its fragment.
    pub(crate) open: (&'static str, String),
    /// What stands above the picture.
    pub(crate) lead: Markup,
    /// What stands below it.
    pub(crate) body: Markup,
}

impl Part {
    /// Its file.
    pub(crate) fn file(&self) -> String {
        self.kind.file(&self.id)
    }

    /// The picture that chats show, and its file.
    pub(crate) fn chat_picture(&self) -> Option<(String, &str)> {
        let svg = self.picture.as_ref()?.chat.as_deref()?;
        Some((format!("chat-{}", self.file().replace(".html", ".svg")), svg))
    }

    /// The picture that is made for this page, and its file.
    pub(crate) fn own_picture(&self) -> Option<(String, &str)> {
        let picture = self.picture.as_ref()?;
        picture.is_own.then(|| (picture.file.clone(), &*picture.svg))
    }
}

/// The page that steps at a fragment.
pub(crate) fn stepper(fragment: &str) -> String {
    format!("../#{fragment}")
}

/// The fragment of an example, after so many steps.
pub(crate) fn example_at(id: &str, position: u32) -> String {
    format!("example={id}&step={position}")
}

/// A rule as a chip that leads to its page.
pub(crate) fn chip(rule: Rule) -> Markup {
    let family = rule.id().chars().next().unwrap_or(' ').to_ascii_lowercase();
    html! { a class={ "chip chip-" (family) } href=(PartKind::Rule.file(rule.id())) title=(rule.sentence()) { (rule.id()) } }
}

/// Rules as chips, in a line.
pub(crate) fn chips(rules: impl IntoIterator<Item = Rule>) -> Markup {
    html! { p.chips { @for rule in rules { (chip(rule)) " " } } }
}

/// A link to another page.
pub(crate) fn link(kind: PartKind, id: &str, words: impl Display) -> Markup {
    html! { a href=(kind.file(id)) { (words.to_string()) } }
}

/// A text cut for search engines, which show about 160 letters: whole words, and a mark where it goes on.
pub(crate) fn cut(text: &str) -> String {
    const LETTERS: usize = 160;
    if text.chars().count() <= LETTERS {
        return text.to_owned();
    }
    let head: String = text.chars().take(LETTERS - 1).collect();
    // Whole sentences if they fill most of it.
    match (head.rfind(". "), head.rfind(' ')) {
        (Some(end), _) if end > LETTERS / 2 => head[..=end].to_owned(),
        (_, Some(end)) => format!("{}…", head[..end].trim_end_matches([',', ';', ':'])),
        _ => head,
    }
}
