//! What the page keeps for the next visit, as text.
//!
//! Depends on `json` and `json_out`. Invariant: what cannot be read back is nothing, never an error.

use super::json::{Document, Kind, Node};
use super::json_out::{Object, push_rows};
use super::json_text::push_string;

/// What is kept.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// The scenario file.
    pub scenario: String,
    /// Texts that could not be read, by path.
    pub raw: Vec<(String, String)>,
    /// The built-in scenario it began as.
    pub example: Option<String>,
    /// What an importer assumed.
    pub notes: Vec<String>,
    /// The time of the cursor, in ns.
    pub at_ns: u64,
    /// Steps applied, if the cursor stands within an instant.
    pub position: Option<u32>,
    /// The colours, by number.
    pub theme: u8,
}

impl Kept {
    /// As text.
    #[must_use]
    pub fn write(&self) -> String {
        let mut out = String::from("{\n");
        push_rows(&mut out, "raw", self.raw.iter(), |out, (path, text)| {
            let mut o = Object::open(out);
            o.text(path, text);
            o.close();
        });
        out.push_str(",\n");
        push_rows(&mut out, "notes", self.notes.iter(), |out, note| push_string(out, note));
        out.push_str(",\n  \"rest\": ");
        let mut o = Object::open(&mut out);
        o.text("scenario", &self.scenario);
        if let Some(example) = &self.example {
            o.text("example", example);
        }
        o.number("at_ns", self.at_ns);
        o.number_or_null("position", self.position.map(u64::from));
        o.number("theme", self.theme.into());
        o.close();
        out.push_str("\n}\n");
        out
    }

    /// From text that [`Self::write`] made.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let doc = Document::parse(text).ok()?;
        let rest = doc.root().get("rest")?;
        let list = |key| doc.root().get(key).into_iter().flat_map(Node::items);
        let text = |key| rest.get(key).filter(|node| node.kind() == Kind::String).map(|node| node.text().into_owned());
        let number = |key| rest.get(key).and_then(|node| node.raw().parse::<u64>().ok());
        Some(Self {
            scenario: text("scenario")?,
            raw: list("raw").flat_map(Node::fields).map(|(path, text)| (path.text().into_owned(), text.text().into_owned())).collect(),
            example: text("example"),
            notes: list("notes").map(|note| note.text().into_owned()).collect(),
            at_ns: number("at_ns")?,
            position: number("position").and_then(|n| u32::try_from(n).ok()),
            theme: number("theme").and_then(|n| u8::try_from(n).ok())?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::Kept;

    #[test]
    fn what_is_kept_reads_back() {
        let kept = Kept {
            scenario: "{ \"a\": \"\\\\ é\" }\n".to_owned(),
            raw: vec![("kernels[0].blocks".to_owned(), "\"six\"\n".to_owned()), ("horizon_ns".to_owned(), String::new())],
            example: Some("tx2-table-1".to_owned()),
            notes: vec!["one".to_owned(), "two".to_owned()],
            at_ns: u64::MAX,
            position: Some(7),
            theme: 2,
        };
        assert_eq!(Kept::read(&kept.write()), Some(kept));
        assert_eq!(Kept::read(&Kept::default().write()), Some(Kept::default()));
    }

    #[test]
    fn what_is_not_ours_is_nothing() {
        let broken = Kept::default().write().replace("\"theme\": 0", "\"theme\": 300");
        for text in ["", "{}", "[1]", "{ \"rest\": 5 }", "{ \"rest\": { \"scenario\": \"x\" } }", &broken] {
            assert_eq!(Kept::read(text), None, "{text}");
        }
    }
}
