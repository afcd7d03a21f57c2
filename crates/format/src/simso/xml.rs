//! XML as far as SimSo's files need it: elements with attributes.
//!
//! Depends on `quick_xml`. Invariants: reading takes time linear in the text and no recursion; no
//! entity is expanded but the five that XML has and characters by number; document types are refused.

use std::borrow::Cow;

use quick_xml::XmlVersion;
use quick_xml::escape::escape;
use quick_xml::events::attributes::Attribute;
use quick_xml::events::{BytesStart, Event};
use quick_xml::name::QName;
use quick_xml::reader::Reader;

/// Most attributes of an element.
const MOST_ATTRIBUTES: usize = 200;
/// Most elements inside each other.
const MOST_DEPTH: usize = 50;

/// An element with its attributes.
pub(super) struct Element {
    /// Of its begin in the text, in bytes.
    pub(super) at: usize,
    /// Its name.
    pub(super) name: String,
    /// Of the element it stands in; empty for the outermost one.
    pub(super) parent: String,
    /// Names and values, as they come.
    pub(super) attributes: Vec<(String, String)>,
}

/// What is wrong, and where in the text.
pub(super) struct Wrong {
    pub(super) at: usize,
    pub(super) message: String,
}

/// All elements in the order of the text.
pub(super) fn elements(text: &str) -> Result<Vec<Element>, Wrong> {
    let mut reader = Reader::from_str(text);
    let mut found = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut roots = 0;
    loop {
        let at = reader.buffer_position() as usize;
        let wrong = |message: String| Wrong { at, message };
        let event = reader.read_event().map_err(|e| wrong(format!("not XML: {e}")))?;
        let (start, has_content) = match event {
            Event::Start(start) => (start, true),
            Event::Empty(start) => (start, false),
            Event::End(_) => {
                open.pop();
                continue;
            }
            Event::DocType(_) => return Err(wrong("has a document type, which SimSo's files do not have; it is not read".to_owned())),
            Event::Eof => break,
            _ => continue,
        };
        if open.is_empty() {
            roots += 1;
            if roots > 1 {
                return Err(wrong("not XML: there is a second outermost element".to_owned()));
            }
        }
        let element = element(&start, at, &open)?;
        if has_content {
            if open.len() >= MOST_DEPTH {
                return Err(wrong(format!("has elements in elements, more than {MOST_DEPTH} deep")));
            }
            open.push(element.name.clone());
        }
        found.push(element);
    }
    match open.last() {
        Some(name) => Err(Wrong { at: text.len(), message: format!("not XML: the element {name} does not end") }),
        None => Ok(found),
    }
}

fn element(start: &BytesStart<'_>, at: usize, open: &[String]) -> Result<Element, Wrong> {
    let wrong = |message: String| Wrong { at, message };
    let name = start.name().0.to_owned();
    let mut attributes = Vec::new();
    let mut all = start.attributes();
    // Its own check for repeated names takes time quadratic in their number.
    for attribute in all.with_checks(false) {
        let attribute = attribute.map_err(|e| wrong(format!("not XML: {e}")))?;
        if attributes.len() >= MOST_ATTRIBUTES {
            return Err(wrong(format!("the element {name} has more than {MOST_ATTRIBUTES} attributes")));
        }
        let value = attribute.normalized_value(XmlVersion::default()).map_err(|e| wrong(format!("not XML: {e}")))?;
        attributes.push((attribute.key.0.to_owned(), value.into_owned()));
    }
    Ok(Element { at, name, parent: open.last().cloned().unwrap_or_default(), attributes })
}

/// An attribute that reads back as the same text; characters that XML cannot hold are replaced.
pub(super) fn attribute<'a>(key: &'a str, value: &str) -> Attribute<'a> {
    let mut out = String::with_capacity(value.len());
    for c in escape(value).chars() {
        match c {
            // A reader takes them for spaces.
            '\t' | '\n' | '\r' => out.push_str(&format!("&#{};", u32::from(c))),
            '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
    Attribute { key: QName(key), value: Cow::Owned(out) }
}
