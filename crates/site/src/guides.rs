//! The pages of the project's own documents: `docs/*.md`.
//!
//! Depends on pulldown-cmark. Invariants: every document has a page, and headings have the ids by which documents link them on a code
//! host; a link leads to a page of the site or to another site, or it is only its words.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{Alignment, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use crate::part::{Part, PartKind, cut, link, stepper};
use crate::pictures::size_of;

/// A document, and whom it is for.
pub(crate) struct Guide {
    /// Its file in `docs/` without the ending.
    id: &'static str,
    readers: &'static str,
    text: &'static str,
}

macro_rules! guides {
    ($($readers:literal: $($id:literal)*;)*) => {
        &[$($(Guide { id: $id, readers: $readers, text: include_str!(concat!("../../../docs/", $id, ".md")) },)*)*]
    };
}

/// All of them, in the order of the index.
pub(crate) const GUIDES: &[Guide] = guides! {
    "For everyone": "page" "file-format" "figures" "links" "embedding" "security";
    "For teachers and authors": "teaching" "course" "tours";
    "For researchers": "semantics" "papers" "studies" "bounds" "varying-times" "batches" "own-policy" "policy-language" "simso";
    "For engineers with a GPU": "traces" "trace-benchmark" "measured" "resident" "hangs";
    "For scripts, clusters and hosts": "cli" "python" "npm" "clusters" "hosting";
};

/// The pictures in documents: file and SVG.
pub(crate) const PICTURES: &[(&str, &str)] = &[("simso.svg", include_str!("../../../docs/simso.svg"))];

/// The pages.
pub(crate) fn parts() -> impl Iterator<Item = Part> {
    GUIDES.iter().map(part)
}

/// What the index has of them.
pub(crate) fn list() -> Markup {
    html! {
        @for of_readers in GUIDES.chunk_by(|a, b| a.readers == b.readers) {
            h3 { (of_readers.first().map_or("", |first| first.readers)) }
            ul { @for guide in of_readers { li { (link(PartKind::Guide, guide.id, guide.title())) } } }
        }
    }
}

impl Guide {
    /// What stands after `# ` in its first line.
    fn title(&self) -> &'static str {
        self.text.lines().next().unwrap_or_default().trim_start_matches("# ")
    }
}

fn part(guide: &Guide) -> Part {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    // The title stands above the page already.
    let after_title = guide.text.split_once('\n').map_or("", |(_, rest)| rest);
    let events: Vec<_> = Parser::new_ext(after_title, options).collect();
    let mut body = String::new();
    pulldown_cmark::html::push_html(&mut body, for_a_page(&events).into_iter());
    Part {
        kind: PartKind::Guide,
        id: guide.id.to_owned(),
        title: guide.title().to_owned(),
        description: cut(&first_paragraph(&events)),
        picture: None,
        like: None,
        group: guide.readers.to_owned(),
        open: ("Open Blockstep", String::new()),
        lead: html! {},
        body: html! { div.guide { (PreEscaped(body)) } },
    }
}

fn first_paragraph(events: &[Event<'_>]) -> String {
    let is_start = |event: &&Event<'_>| !matches!(event, Event::Start(Tag::Paragraph));
    words(events.iter().skip_while(is_start).take_while(|event| !matches!(event, Event::End(TagEnd::Paragraph))))
}

/// The text of a piece, without its marks.
fn words<'a>(events: impl Iterator<Item = &'a Event<'a>>) -> String {
    events
        .map(|event| match event {
            Event::Text(text) | Event::Code(text) => text,
            Event::SoftBreak | Event::HardBreak => " ",
            _ => "",
        })
        .collect()
}

/// The document as a page of the site shows it.
fn for_a_page<'a>(events: &'a [Event<'a>]) -> Vec<Event<'a>> {
    let mut taken = BTreeMap::new();
    // Whether each link that is open stays one.
    let mut links = Vec::new();
    let (mut is_in_image, mut is_in_head) = (false, false);
    let mut shown = Vec::with_capacity(events.len());
    for (i, event) in events.iter().enumerate() {
        match event {
            Event::Start(Tag::Heading { level, classes, attrs, .. }) => {
                let said = words(events[i..].iter().take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_)))));
                let id = Some(CowStr::from(unique(slug(&said), &mut taken)));
                shown.push(Event::Start(Tag::Heading { level: *level, id, classes: classes.clone(), attrs: attrs.clone() }));
            }
            Event::Start(Tag::Link { dest_url, .. }) => {
                let target = target(dest_url);
                links.push(target.is_some());
                shown.extend(target.map(|to| Event::Start(link_to(to))));
            }
            Event::End(TagEnd::Link) => shown.extend(links.pop().filter(|stays| *stays).map(|_| Event::End(TagEnd::Link))),
            Event::Code(text) if links.is_empty() => match named_page(text) {
                Some(to) => shown.extend([Event::Start(link_to(to)), event.clone(), Event::End(TagEnd::Link)]),
                None => shown.push(event.clone()),
            },
            Event::Start(Tag::Image { dest_url, .. }) => {
                let alt = words(events[i..].iter().take_while(|event| !matches!(event, Event::End(TagEnd::Image))));
                shown.push(Event::InlineHtml(picture(dest_url, &alt).into_string().into()));
                is_in_image = true;
            }
            Event::End(TagEnd::Image) => is_in_image = false,
            _ if is_in_image => {}
            Event::Start(Tag::TableHead) | Event::End(TagEnd::TableHead) => {
                is_in_head = matches!(event, Event::Start(_));
                shown.push(event.clone());
            }
            // A heading without words heads nothing.
            Event::Start(Tag::TableCell) if is_in_head && matches!(events.get(i + 1), Some(Event::End(TagEnd::TableCell))) => {
                shown.push(Event::InlineHtml("<td></td>".into()));
            }
            Event::End(TagEnd::TableCell) if is_in_head && matches!(events.get(i - 1), Some(Event::Start(Tag::TableCell))) => {}
            // What is wider than the page is scrolled by keys, too.
            Event::Start(Tag::CodeBlock(_)) => shown.push(Event::Html("<pre tabindex=\"0\"><code>".into())),
            Event::End(TagEnd::CodeBlock) => shown.push(Event::Html("</code></pre>\n".into())),
            // The pages' policy takes no style of an element.
            Event::Start(Tag::Table(columns)) => {
                shown.push(Event::Html("<div class=\"wide\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">".into()));
                shown.push(Event::Start(Tag::Table(vec![Alignment::None; columns.len()])));
            }
            Event::End(TagEnd::Table) => shown.extend([Event::End(TagEnd::Table), Event::Html("</div>\n".into())]),
            other => shown.push(other.clone()),
        }
    }
    shown
}

/// A picture by its size, so that the text does not move when it comes; only its words, if the site lacks it.
fn picture(file: &str, alt: &str) -> Markup {
    let Some((_, svg)) = PICTURES.iter().find(|(known, _)| *known == file) else { return html! { (alt) } };
    let [width, height] = size_of(svg);
    html! { img src=(file) width=(width) height=(height) alt=(alt); }
}

fn link_to(to: String) -> Tag<'static> {
    Tag::Link { link_type: LinkType::Inline, dest_url: to.into(), title: "".into(), id: "".into() }
}

/// The page that a piece of code names: `docs/cli.md`, or a place of the page that steps, as `#tour=tx2-fig-4`.
fn named_page(code: &str) -> Option<String> {
    match code.strip_prefix("docs/") {
        Some(file) => target(file),
        None => ["#tour=", "#example="].iter().any(|start| code.starts_with(start)).then(|| stepper(&code[1..])),
    }
}

/// Where a link of a document leads on the site; `None` where it names a file of the project that the site lacks.
fn target(to: &str) -> Option<String> {
    if to.starts_with('#') || to.starts_with("https://") {
        return Some(to.to_owned());
    }
    let (file, place) = to.split_once('#').map_or((to, None), |(file, place)| (file, Some(place)));
    let id = file.strip_suffix(".md")?;
    let page = GUIDES.iter().any(|guide| guide.id == id).then(|| PartKind::Guide.file(id))?;
    Some(place.map_or_else(|| page.clone(), |place| format!("{page}#{place}")))
}

/// The id of a heading, as code hosts make it: lower case, words joined by hyphens, no marks.
fn slug(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.flat_map(char::to_lowercase).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The second heading of the same words is `words-1`.
fn unique(slug: String, taken: &mut BTreeMap<String, u32>) -> String {
    let earlier = taken.entry(slug.clone()).and_modify(|n| *n += 1).or_insert(0);
    if *earlier == 0 { slug } else { format!("{slug}-{earlier}") }
}
