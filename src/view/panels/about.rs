//! What was written for a built-in scenario: its text and its moments, while the run is that scenario's;
//! of one that has departed from it, a line that says so.
//!
//! Depends on `markup`. Invariant: what is shown of another run is marked as written for the original.

use crate::units::Time;
use crate::view::markup::Markup;
use crate::view::quantity::format_time;

/// What was written for a scenario.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct About {
    /// Its title.
    pub title: String,
    /// Where it is from.
    pub source: String,
    /// What to look for.
    pub text: String,
    /// Moments worth a look, in order of time.
    pub moments: Vec<Moment>,
}

/// A moment worth a look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// When.
    pub at: Time,
    /// A few words.
    pub label: String,
    /// What is to be seen there.
    pub text: String,
}

impl About {
    /// The title; of a table of a paper, its number alone: `Table 1`.
    #[must_use]
    pub fn short_title(&self) -> &str {
        self.title.split_once(": ").map(|(head, _)| head).filter(|head| head.starts_with("Table ")).unwrap_or(&self.title)
    }

    /// The text, under that of the moment at `now`, if one is there.
    #[must_use]
    pub fn text(&self, now: Time) -> String {
        let mut html = Markup::new();
        if let Some(here) = self.moments.iter().find(|moment| moment.at == now) {
            html.open("p", &[("class", "bookmark-text")]).leaf("b", &[], &here.label).text(" ").text(&here.text).close();
        }
        self.whole(&mut html);
        html.finish()
    }

    /// The moments as buttons that go there.
    #[must_use]
    pub fn buttons(&self) -> String {
        let mut html = Markup::new();
        for moment in &self.moments {
            let at = moment.at.ns().to_string();
            html.open("button", &[("class", "bookmark"), ("data-bookmark", &moment.label), ("data-at", &at), ("title", &moment.text)]);
            html.text(&moment.label).text(" ").leaf("span", &[("class", "bookmark-time")], &format_time(moment.at.ns())).close();
        }
        html.finish()
    }

    /// What is said of a run that has departed from it: a line, and all the rest if `is_shown`.
    #[must_use]
    pub fn departed(&self, is_shown: bool) -> String {
        let mut html = Markup::new();
        let title = self.short_title();
        let (word, expanded) = if is_shown { ("hide its notes", "true") } else { ("show its notes", "false") };
        html.open("p", &[("class", "quiet"), ("id", "based-on")]).text("based on ").text(title).text(" · ");
        html.leaf("button", &[("class", "link"), ("id", "original"), ("aria-expanded", expanded)], word).text(" · ");
        html.leaf("button", &[("class", "link"), ("id", "reset")], "back to it").close();
        if is_shown {
            html.open("div", &[("class", "of-original"), ("role", "note")]);
            html.leaf("p", &[("class", "of-original-head")], &format!("Written for {title} as it was. It need not hold for this run."));
            self.whole(&mut html);
            if !self.moments.is_empty() {
                html.open("ul", &[]);
                for moment in &self.moments {
                    html.open("li", &[]).leaf("b", &[], &format!("{}, {}", moment.label, format_time(moment.at.ns())));
                    html.text(" ").text(&moment.text).close();
                }
            }
        }
        html.finish()
    }

    fn whole(&self, html: &mut Markup) {
        html.open("p", &[]).text(&self.text).text(" ").leaf("span", &[("class", "quiet")], &self.source).close();
    }
}
