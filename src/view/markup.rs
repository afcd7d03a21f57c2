//! HTML that is well formed and escaped by construction.
//!
//! Depends on `scenario`. Invariants: every element that is opened is closed, in order; text and
//! attribute values are escaped, so that no name of a user's is ever read as markup, nor turns the
//! direction of the text around it. The panels that change with every step are written with it: as text they are smaller and faster than as a
//! tree of reactive nodes.

use crate::scenario::is_directive;

/// HTML under construction.
#[derive(Debug, Default)]
pub struct Markup {
    html: String,
    open: Vec<&'static str>,
}

/// An attribute; one with an empty value is left out.
pub type Attribute<'a> = (&'static str, &'a str);

impl Markup {
    /// Nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins an element.
    pub fn open(&mut self, tag: &'static str, attributes: &[Attribute<'_>]) -> &mut Self {
        self.html.push('<');
        self.html.push_str(tag);
        for (name, value) in attributes.iter().filter(|(_, value)| !value.is_empty()) {
            self.html.push(' ');
            self.html.push_str(name);
            self.html.push_str("=\"");
            self.escape(value);
            self.html.push('"');
        }
        self.html.push('>');
        self.open.push(tag);
        self
    }

    /// An element that holds nothing and is not ended, as `input`.
    pub fn single(&mut self, tag: &'static str, attributes: &[Attribute<'_>]) -> &mut Self {
        self.open(tag, attributes);
        self.open.pop();
        self
    }

    /// An option of a list; one whose value is empty says so, as else its name would be taken for it.
    pub fn option(&mut self, value: &str, name: &str, is_current: bool) -> &mut Self {
        let selected = if is_current { "1" } else { "" };
        if value.is_empty() {
            self.raw(if is_current { "<option value='' selected>" } else { "<option value=''>" }).text(name).raw("</option>")
        } else {
            self.leaf("option", &[("value", value), ("selected", selected)], name)
        }
    }

    /// Adds markup that was written in this way too.
    pub fn markup(&mut self, html: &str) -> &mut Self {
        self.html.push_str(html);
        self
    }

    /// Adds text; `\u{fffd}` for characters that change the direction of what stands around them.
    pub fn text(&mut self, text: &str) -> &mut Self {
        for c in text.chars() {
            self.put(if is_directive(c) { char::REPLACEMENT_CHARACTER } else { c });
        }
        self
    }

    /// Adds text that somebody wrote, as it is: for elements of its own, whose end is the end of a direction, too.
    pub fn verbatim(&mut self, text: &str) -> &mut Self {
        self.escape(text);
        self
    }

    /// Adds HTML of ours as it is; it must be well formed.
    pub fn raw(&mut self, html: &'static str) -> &mut Self {
        self.html.push_str(html);
        self
    }

    /// Ends the element begun last.
    pub fn close(&mut self) -> &mut Self {
        if let Some(tag) = self.open.pop() {
            self.html.push_str("</");
            self.html.push_str(tag);
            self.html.push('>');
        }
        self
    }

    /// An element that holds text only.
    pub fn leaf(&mut self, tag: &'static str, attributes: &[Attribute<'_>], text: &str) -> &mut Self {
        self.open(tag, attributes).text(text).close()
    }

    /// The HTML, with every element ended.
    #[must_use]
    pub fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.html
    }

    fn escape(&mut self, text: &str) {
        text.chars().for_each(|c| self.put(c));
    }

    fn put(&mut self, c: char) {
        match c {
            '<' => self.html.push_str("&lt;"),
            '>' => self.html.push_str("&gt;"),
            '&' => self.html.push_str("&amp;"),
            '"' => self.html.push_str("&quot;"),
            c => self.html.push(c),
        }
    }
}
