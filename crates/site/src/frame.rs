//! What is the same on every page: head, the way back, and pages beside it.
//!
//! Depends on maud. Invariants: a page runs nothing and loads nothing of another site, and its policy says so; its title, its
//! description and its first heading say what it is about.

use maud::{DOCTYPE, Markup, html};

use crate::address::Address;
use crate::part::{Part, PartKind, stepper};
use crate::{FOLDER, index, style};

const POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

/// What chats show of a page without a picture: one of `public/`.
const ICON: &str = "icon-512.png";

/// A page but for what is the same on every one.
pub(crate) struct Document {
    /// Its file; empty for the index.
    pub(crate) file: String,
    pub(crate) title: String,
    pub(crate) description: String,
    pub(crate) main: Markup,
    /// The picture that chats show, by its file in the folder of the pages.
    pub(crate) chat: Option<String>,
}

/// The page of a part, with links to those beside it; `chat` is the picture that chats show.
pub(crate) fn page(part: &Part, before: Option<&Part>, after: Option<&Part>, chat: Option<String>) -> Document {
    let main = html! {
        p.over { (part.kind.name()) " \u{b7} " (part.group) }
        h1 { (part.title) }
        (part.lead)
        p { a.open href=(stepper(&part.open.1)) { (part.open.0) } }
        @if let Some(picture) = &part.picture {
            figure {
                img src=(picture.file) width=(picture.width) height=(picture.height) alt={ (picture.kind) ". " (picture.words) };
                figcaption { (picture.words) }
            }
        }
        (part.body)
        nav.beside aria-label="Pages beside this one" {
            @if let Some(before) = before { a rel="prev" href=(before.file()) { "← " (before.title) } }
            @if let Some(after) = after { a rel="next" href=(after.file()) { (after.title) " →" } }
        }
    };
    Document {
        file: part.file(),
        title: format!("{} \u{b7} {}", part.title, part.group),
        description: part.description.clone(),
        main,
        chat,
    }
}

/// The HTML of a page.
pub(crate) fn document(page: &Document, address: Option<&Address>) -> String {
    let title = format!("{} \u{b7} Blockstep", page.title);
    let document = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                meta name="description" content=(page.description);
                meta name="color-scheme" content="light dark";
                @if let Some(address) = address {
                    @let here = address.with_path(&format!("{FOLDER}/{}", page.file));
                    link rel="canonical" href=(here);
                    meta property="og:type" content="article";
                    meta property="og:site_name" content="Blockstep";
                    meta property="og:title" content=(page.title);
                    meta property="og:description" content=(page.description);
                    meta property="og:url" content=(here);
                    // Chats draw no SVG: scripts/pages.sh makes dots of it.
                    @let picture = page.chat.as_ref().map(|file| format!("{FOLDER}/{}", file.replace(".svg", ".png")));
                    meta property="og:image" content=(address.with_path(picture.as_deref().unwrap_or(ICON)));
                    @if picture.is_some() { meta name="twitter:card" content="summary_large_image"; }
                }
                link rel="icon" type="image/png" href="../icon-192.png";
                link rel="stylesheet" href=(style::FILE);
            }
            body {
                header {
                    a.brand href="../" { "Blockstep" }
                    nav aria-label="All pages" {
                        a href={ "./#" (index::QUESTIONS) } { "Questions" }
                        @for kind in PartKind::ALL { a href={ "./#" (kind.anchor()) } { (kind.heading()) } }
                    }
                }
                main { (page.main) }
                footer { p { a href="../" { "Blockstep" } " shows, step by step, how a GPU schedules kernels, thread blocks and copies." } }
            }
        }
    };
    document.into_string()
}
