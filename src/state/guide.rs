//! A built-in scenario with its texts.
//!
//! Depends on `format`, `examples` and view models. Invariant: its texts are of its own scenario.

use blockstep_format as format;
use blockstep_protocol::ExampleText;
use blockstep_sim::examples;
use blockstep_sim::scenario::{Draft, PolicyKind};
use blockstep_sim::units::Time;
use blockstep_view::document::Document;
use blockstep_view::origin::Origin;
use blockstep_view::panels::{About, Moment};

/// A built-in scenario.
pub(crate) struct Guide {
    pub(crate) id: &'static str,
    pub(crate) draft: Draft,
    /// The scenario that documents depart from.
    pub(crate) origin: Origin,
    pub(crate) about: About,
}

impl Guide {
    /// The one that comes with the page.
    pub(crate) fn first() -> Self {
        let example = examples::first();
        let moment = |b: &examples::Bookmark| Moment { at: Time(b.at_ns), label: b.label.to_owned(), text: b.text.to_owned() };
        // A test reads every built-in scenario.
        let draft = format::read_scenario(example.json).unwrap_or_default();
        Self {
            id: example.id,
            origin: Origin::new(&draft),
            draft,
            about: About {
                title: example.title.to_owned(),
                source: example.source.to_owned(),
                text: example.text.to_owned(),
                moments: example.bookmarks.iter().map(moment).collect(),
            },
        }
    }

    /// One that the worker sent.
    pub(crate) fn sent(id: &'static str, example: ExampleText) -> Result<Self, String> {
        let draft = format::read_scenario(&example.scenario).map_err(|error| error.to_string())?;
        let moments = example.bookmarks.into_iter().map(|(at, label, text)| Moment { at, label, text }).collect();
        let about = About { title: example.title, source: example.source, text: example.text, moments };
        Ok(Self { id, origin: Origin::new(&draft), draft, about })
    }

    /// A document that begins as it.
    pub(crate) fn document(&self) -> Document {
        let mut document = Document::new(self.draft.clone());
        document.example = Some(self.id);
        document
    }

    /// The same under another policy, or its own.
    pub(crate) fn document_under(&self, kind: PolicyKind) -> Document {
        let mut document = self.document();
        document.rest.policy.kind = kind;
        document.rest.name = self.origin.name_under(kind);
        document
    }

    /// Whether it is the one that a document began as.
    pub(crate) fn is_of(&self, document: &Document) -> bool {
        document.example == Some(self.id)
    }
}
