//! Static pages: one for each example, tour, rule, term and guide, and an index. They are what a search engine finds and what can be read
//! without script; each leads into the page that steps.
//!
//! Depends on explanations, reports, the documents in `docs/`, maud and clap. Invariants: all comes from the data that the page itself shows,
//! or from these documents; every text is escaped; addresses are relative, but for those that others than browsers read, which are there
//! only if the site's own address is known.

mod address;
mod arguments;
mod examples;
mod frame;
mod guides;
mod index;
mod part;
mod pictures;
mod questions;
mod rules;
mod style;
mod terms;
mod tours;

pub use address::{Address, AddressError};
pub use arguments::Arguments;

use blockstep_format::FormatError;
use blockstep_learn::glossary::{self, Term};
use blockstep_learn::tour::{Tour, TourError};
use blockstep_sim::scenario::ScenarioError;

use examples::ShownExample;
use part::{Part, PartKind};
use questions::ShownQuestion;

/// The folder of the pages in the site.
pub const FOLDER: &str = "learn";

/// Largest page, bytes: a phone on a slow line has it in a second.
pub const MAX_BYTES: usize = 60_000;

/// Largest page of a document, bytes: the contract is one text, so that it can be searched; compressed it is a quarter.
pub const MAX_GUIDE_BYTES: usize = 140_000;

/// A file of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFile {
    /// Its path in the site, as `learn/index.html`.
    pub path: String,
    /// What it holds.
    pub text: String,
}

/// Why there are no pages.
#[derive(Debug, thiserror::Error)]
pub enum SiteError {
    /// A scenario cannot be read.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// A scenario is none.
    #[error(transparent)]
    Scenario(#[from] ScenarioError),
    /// A tour cannot be read.
    #[error(transparent)]
    Tour(#[from] TourError),
}

/// What the pages are made of.
struct Source {
    questions: Vec<ShownQuestion>,
    examples: Vec<ShownExample>,
    tours: Vec<Tour>,
    terms: Vec<Term>,
}

/// Every file of the static pages; with `address`, where the site is, also what only makes sense with it: `canonical`, `sitemap.xml`, and
/// pictures for chats, `chat-….svg`, of which `blockstep-png` makes the PNG that pages name. Cost: every example and every stop of a tour is simulated, some seconds.
///
/// # Errors
/// If an example or a tour cannot be read.
pub fn files(address: Option<&Address>) -> Result<Vec<SiteFile>, SiteError> {
    let source = Source {
        questions: questions::shown()?,
        examples: examples::shown()?,
        tours: tours::sorted(Tour::all()?),
        terms: glossary::terms(),
    };
    let mut parts = Vec::new();
    for shown in &source.examples {
        parts.push(examples::part(shown, &source));
    }
    for tour in &source.tours {
        parts.push(tours::part(tour)?);
    }
    parts.extend(rules::listed().map(|(_, rule)| rules::part(rule, &source)));
    parts.extend(source.terms.iter().map(|term| terms::part(term, &source)));
    parts.extend(guides::parts());

    let mut files = vec![file("index.html", frame::document(&index::part(&source, &parts), address)), file(style::FILE, style::text())];
    for kind in PartKind::ALL {
        let of_kind: Vec<&Part> = parts.iter().filter(|part| part.kind == kind).collect();
        for (i, part) in of_kind.iter().enumerate() {
            let beside = |place: Option<usize>| place.and_then(|place| of_kind.get(place)).copied();
            let like = parts.iter().find(|other| part.like.as_ref() == Some(&other.file())).unwrap_or(part);
            let chat = like.chat_picture().map(|(name, _)| name);
            let page = frame::page(part, beside(i.checked_sub(1)), beside(i.checked_add(1)), chat);
            files.push(file(&part.file(), frame::document(&page, address)));
        }
    }
    files.extend(guides::PICTURES.iter().map(|(name, svg)| file(name, (*svg).to_owned())));
    files.extend(parts.iter().filter_map(|part| part.own_picture()).map(|(name, svg)| file(&name, svg.to_owned())));
    let of_questions = source.questions.iter().filter_map(|question| question.picture.as_ref());
    files.extend(of_questions.map(|picture| file(&picture.file, picture.svg.clone())));
    if let Some(address) = address {
        files.extend(parts.iter().filter_map(Part::chat_picture).map(|(name, svg)| file(&name, svg.to_owned())));
        let pages = files.iter().map(|file| &*file.path).filter(|path| path.ends_with(".html"));
        let text = address.sitemap(pages);
        files.push(SiteFile { path: "sitemap.xml".to_owned(), text });
    }
    Ok(files)
}

fn file(name: &str, text: String) -> SiteFile {
    SiteFile { path: format!("{FOLDER}/{name}"), text }
}
