//! Links: the whole state of the page as the fragment of an address, `v1=…&embed=…`.
//!
//! Depends on `read`, `write` and `json`. Invariants: what is written is read back as the same state;
//! a link of version 1 can be read for ever, so the words of [`WORDS`] and their places are never
//! changed, only a version 2 added beside; what is read is bounded before it is unpacked; a link that
//! lost or changed letters on its way is refused, as its checksum tells. Sources: RFC 1950 (deflate with
//! a checksum) and RFC 4648, section 5 (base64url), by two well-kept crates.
//!
//! Unpacked, version 1 is lines of JSON without white space, in which frequent words are written as
//! one control character each, as JSON has none of its own: first the state, then the scenario file,
//! then further scenario files that tools remember.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_zlib_with_limit};
use serde::{Deserialize, Serialize};

use super::error::{FormatError, Path};
use super::json::{Document, Kind, Node};
use super::json_out::{Object, push_number};
use super::read::Reader;
use crate::percent;
use crate::scenario::Draft;

/// The version that is written.
const VERSION: u64 = 1;

/// Longest link that is read, in characters; browsers allow no longer address.
pub const MAX_LINK_CHARS: usize = 2 * 1024 * 1024;

/// Longest text that is unpacked of a link, in bytes.
pub const MAX_LINK_TEXT: usize = 4 * 1024 * 1024;

/// Words that are written as one character, the first as U+0001. Part of version 1: never changed.
const WORDS: [&str; 31] = [
    "{\"version\":1,",
    "\"name\":\"",
    "\"device\":\"",
    "\"placement\":\"",
    "\"policy\":{\"kind\":\"",
    "\"switch_cost_ns\":",
    "\"preemption\":\"",
    "\"horizon_ns\":",
    "\"process\":\"",
    // A line ends with the tenth, the line feed; it stands for itself.
    "\n",
    "\"processes\":[{",
    "\"tasks\":[{",
    "\"streams\":[{",
    "\"kernels\":[{",
    "},{",
    "\"interleave\":\"",
    "\"timeslice_ns\":",
    "\"release\":\"",
    "\"period_ns\":",
    "\"deadline_ns\":",
    "\"offset_ns\":",
    "\"priority\":",
    "\"task\":\"",
    "\"stream\":\"",
    "\"after\":\"",
    "\"start_ns\":",
    "\"blocks\":",
    "\"threads_per_block\":",
    "\"shared_memory_bytes\":",
    "\"block_time_ns\":",
    "{\"position\":",
];

/// Names of the state, in the order in which they are written.
const STATE: &[&str] = &["position", "at_ns", "example", "view", "selected", "op", "veiled", "presenting", "tools"];

/// What a link holds. Names are those of the scenario, so that they mean the same after it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Link {
    /// The scenario; not checked yet.
    pub scenario: Draft,
    /// Steps applied.
    pub position: u32,
    /// The time shown, ns.
    pub at_ns: u64,
    /// Id of the built-in scenario that this one was changed from, if only by its name; empty: none, or it is that one.
    pub example: String,
    /// The part of the timeline in sight, ns, if it is not all of it: first instant, and end, excluded.
    pub view: Option<(i64, i64)>,
    /// Name of the kernel row selected; empty: none.
    pub selected: String,
    /// The operation asked about, by its number.
    pub op: Option<u32>,
    /// Whether what comes after the step is hidden.
    pub is_veiled: bool,
    /// Whether only timeline and queues are shown, and large.
    pub is_presenting: bool,
    /// Tools that are open, with what each remembers: names and values.
    pub tools: Vec<(String, Vec<(String, String)>)>,
}

/// What of the page is shown inside another page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Embed {
    /// The timeline.
    Timeline,
    /// The queue diagram.
    Queues,
    /// Both, one above the other.
    Both,
}

impl Embed {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Timeline, Self::Queues, Self::Both];

    /// What a link calls it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Timeline => "timeline",
            Self::Queues => "queues",
            Self::Both => "both",
        }
    }

    /// Of what a link calls it.
    #[must_use]
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|embed| embed.word() == word)
    }
}

/// Why a link cannot be read or written. Displayed as a sentence for the reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkError {
    /// It is none of ours.
    NotALink,
    /// It is of a version that this program does not know yet.
    Later(u64),
    /// Letters are missing or others than they were.
    Damaged,
    /// It would be unpacked to more than [`MAX_LINK_TEXT`], or is longer than [`MAX_LINK_CHARS`].
    TooLarge,
    /// It came whole, but what it holds is not what this program writes.
    Unreadable(FormatError),
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotALink => f.write_str("This is no link of Blockstep: such a link has #v1= and a long word after it."),
            Self::Later(version) => write!(
                f,
                "This link was made by a later version of Blockstep: it is of format {version}, and this version reads format {VERSION}. Load the page again; if it stays so, the page here is older than the one that made the link."
            ),
            Self::Damaged => f.write_str(
                "This link is damaged: letters of it are missing or changed, as happens when a mail program breaks a long line. Copy it again, whole, from where it was made.",
            ),
            Self::TooLarge => write!(
                f,
                "This is too much for a link: at most {} MiB of text and {} million characters of link are read. Save the scenario as a file instead.",
                MAX_LINK_TEXT >> 20,
                MAX_LINK_CHARS / 1_000_000
            ),
            Self::Unreadable(error) => {
                let first = error.problems.first().map(|p| if p.path.is_empty() { p.message.clone() } else { format!("{}: {}", p.path, p.message) });
                write!(f, "This link came whole, but what it holds cannot be read: {}.", first.unwrap_or_default())
            }
        }
    }
}

impl std::error::Error for LinkError {}

// ---- Writing ----

/// The state as the fragment of an address, without `#`.
///
/// # Errors
/// [`LinkError::TooLarge`] if it could not be read back.
pub fn write_link(link: &Link, embed: Option<Embed>) -> Result<String, LinkError> {
    let text = text_of(link);
    if text.len() > MAX_LINK_TEXT {
        return Err(LinkError::TooLarge);
    }
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(abbreviate(&text).as_bytes(), 10);
    let mut fragment = format!("v{VERSION}={}", URL_SAFE_NO_PAD.encode(packed));
    if let Some(embed) = embed {
        fragment.push_str("&embed=");
        fragment.push_str(embed.word());
    }
    if fragment.len() > MAX_LINK_CHARS { Err(LinkError::TooLarge) } else { Ok(fragment) }
}

fn text_of(link: &Link) -> String {
    let mut files = vec![super::write_scenario(&link.scenario)];
    let mut state = String::new();
    let mut o = Object::open(&mut state);
    o.number("position", link.position.into());
    o.number("at_ns", link.at_ns);
    if !link.example.is_empty() {
        o.text("example", &link.example);
    }
    if let Some((from, to)) = link.view {
        o.key("view").push_str(&format!("[{from},{to}]"));
    }
    if !link.selected.is_empty() {
        o.text("selected", &link.selected);
    }
    if let Some(op) = link.op {
        o.number("op", op.into());
    }
    for (name, is_so) in [("veiled", link.is_veiled), ("presenting", link.is_presenting)] {
        if is_so {
            o.truth(name, true);
        }
    }
    if !link.tools.is_empty() {
        super::write::list(o.key("tools"), link.tools.iter(), |out, (name, memory)| tool(out, name, memory, &mut files));
    }
    o.close();
    std::iter::once(state).chain(files).map(|json| squeeze(&json)).collect::<Vec<_>>().join("\n")
}

/// `["compare","run","pin","pin",0]`: its name, then names and values by turns; a value that is a scenario file is its line.
fn tool(out: &mut String, name: &str, memory: &[(String, String)], files: &mut Vec<String>) {
    out.push('[');
    super::json_text::push_string(out, name);
    for (name, value) in memory {
        out.push(',');
        super::json_text::push_string(out, name);
        out.push(',');
        let is_file = value.starts_with('{') && super::read_scenario(value).is_ok_and(|draft| super::write_scenario(&draft) == *value);
        if is_file {
            let line = files.iter().position(|file| file == value).unwrap_or(files.len());
            if line == files.len() {
                files.push(value.clone());
            }
            push_number(out, line as u64);
        } else {
            super::json_text::push_string(out, value);
        }
    }
    out.push(']');
}

/// JSON without the white space between its words.
fn squeeze(json: &str) -> String {
    let (mut out, mut is_text, mut is_escaped) = (String::with_capacity(json.len()), false, false);
    for c in json.chars() {
        if is_text || !c.is_ascii_whitespace() {
            out.push(c);
        }
        match c {
            '"' if !is_escaped => is_text = !is_text,
            _ => {}
        }
        is_escaped = c == '\\' && !is_escaped;
    }
    out
}

fn letter(word: usize) -> char {
    // There are fewer words than ASCII has control characters.
    (word as u8 + 1).into()
}

fn abbreviate(text: &str) -> String {
    let mut text = text.to_owned();
    for (word, long) in WORDS.iter().enumerate().filter(|(_, long)| **long != "\n") {
        text = text.replace(long, letter(word).encode_utf8(&mut [0; 4]));
    }
    text
}

// ---- Reading ----

/// Reads the fragment of an address, or a whole address, as it came: with or without `#`, perhaps
/// with characters written as `%3D`, with white space in it or with a full stop or bracket after it.
///
/// # Errors
/// Why it cannot be read, as a sentence for the reader.
pub fn read_link(address: &str) -> Result<(Link, Option<Embed>), LinkError> {
    if address.len() > MAX_LINK_CHARS {
        return Err(LinkError::TooLarge);
    }
    let plain = unescape(address);
    let fragment = plain.split_once('#').map_or(&*plain, |(_, fragment)| fragment);
    let (mut packed, mut embed) = (None, None);
    for part in fragment.split('&') {
        let Some((name, value)) = part.split_once('=') else { continue };
        // Some programs take an address for HTML.
        let name = name.strip_prefix("amp;").unwrap_or(name);
        if let Some(version) = name.strip_prefix('v').filter(|v| !v.is_empty() && v.bytes().all(|b| b.is_ascii_digit())) {
            match version.parse() {
                Ok(VERSION) => packed = Some(value),
                Ok(0) => {}
                later => return Err(LinkError::Later(later.unwrap_or(u64::MAX))),
            }
        } else if name == "embed" {
            embed = Embed::from_word(value.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()));
        }
    }
    let packed = packed.ok_or(LinkError::NotALink)?;
    let is_foreign = |c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_';
    let bytes = URL_SAFE_NO_PAD.decode(packed.trim_end_matches(is_foreign)).map_err(|_| LinkError::Damaged)?;
    let text = decompress_to_vec_zlib_with_limit(&bytes, MAX_LINK_TEXT).map_err(|error| match error.status {
        TINFLStatus::HasMoreOutput => LinkError::TooLarge,
        _ => LinkError::Damaged,
    })?;
    let text = String::from_utf8(text).map_err(|_| LinkError::Damaged)?;
    Ok((read_text(&write_out(&text)?)?, embed))
}

/// Resolves `%3D` and leaves out white space; what is no such escape stays.
fn unescape(address: &str) -> String {
    let bytes: Vec<u8> = address.bytes().filter(|b| !b.is_ascii_whitespace()).collect();
    percent::decode(&bytes)
}

/// The text with its words written out.
fn write_out(text: &str) -> Result<String, LinkError> {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match (c as usize).checked_sub(1).and_then(|word| WORDS.get(word)) {
            Some(word) => out.push_str(word),
            None => out.push(c),
        }
        if out.len() > MAX_LINK_TEXT {
            return Err(LinkError::TooLarge);
        }
    }
    Ok(out)
}

fn read_text(text: &str) -> Result<Link, LinkError> {
    let (state, files) = text.split_once('\n').ok_or(LinkError::Damaged)?;
    let drafts = files.split('\n').map(super::read_scenario).collect::<Result<Vec<_>, _>>().map_err(LinkError::Unreadable)?;
    let doc = Document::parse(state).map_err(|error| LinkError::Unreadable(FormatError::syntax(state, &error)))?;
    let mut reader = Reader::default();
    let mut link = reader.state(doc.root(), &mut Files { drafts: &drafts, room: MAX_LINK_TEXT });
    link.scenario = drafts.into_iter().next().ok_or(LinkError::Damaged)?;
    reader.finish(link).map_err(LinkError::Unreadable)
}

/// Scenario files that tools may name.
struct Files<'f> {
    drafts: &'f [Draft],
    /// Bytes of them that may still be written out, as one may be named again and again.
    room: usize,
}

impl Reader {
    fn state(&mut self, node: Node<'_>, files: &mut Files<'_>) -> Link {
        let mut link = Link::default();
        for (name, value) in self.object(node, &Path::Root, STATE, &["position", "at_ns"]) {
            let at = Path::Root.field(name);
            match name {
                "position" => link.position = self.small(value, &at),
                "at_ns" => link.at_ns = self.number(value, &at),
                "example" => link.example = self.text(value, &at),
                "view" => link.view = self.view(value, &at),
                "selected" => link.selected = self.text(value, &at),
                "op" => link.op = Some(self.small(value, &at)),
                "veiled" => link.is_veiled = self.truth(value, &at),
                "presenting" => link.is_presenting = self.truth(value, &at),
                _ => {
                    for (i, tool) in value.items().enumerate() {
                        let tool = self.tool(tool, &at.item(i), files);
                        link.tools.push(tool);
                    }
                }
            }
        }
        link
    }

    fn small(&mut self, node: Node<'_>, path: &Path<'_>) -> u32 {
        let number = self.number(node, path);
        u32::try_from(number).unwrap_or_else(|_| {
            self.problem(node, path, || format!("is {number}; at most {} is possible", u32::MAX));
            0
        })
    }

    fn view(&mut self, node: Node<'_>, path: &Path<'_>) -> Option<(i64, i64)> {
        let ends: Vec<i64> = node.items().take(3).map(|end| self.signed(end, path)).collect();
        match ends[..] {
            [from, to] if from < to => Some((from, to)),
            _ => {
                self.expected(node, path, "a list of two numbers, the greater one last,");
                None
            }
        }
    }

    fn tool(&mut self, node: Node<'_>, path: &Path<'_>, files: &mut Files<'_>) -> (String, Vec<(String, String)>) {
        let mut items = node.items();
        let Some(name) = items.next() else {
            self.expected(node, path, "the list of a tool");
            return Default::default();
        };
        let name = self.text(name, path);
        let mut memory = Vec::new();
        while let Some(key) = items.next() {
            let Some(value) = items.next() else {
                self.problem(key, path, || "has no value".to_owned());
                break;
            };
            let value = self.value(value, path, files);
            memory.push((self.text(key, path), value));
        }
        (name, memory)
    }

    /// A text, or the number of a scenario file.
    fn value(&mut self, node: Node<'_>, path: &Path<'_>, files: &mut Files<'_>) -> String {
        if node.kind() != Kind::Number {
            return self.text(node, path);
        }
        let line = usize::try_from(self.number(node, path)).ok();
        // None are left once there were too many.
        let Some(text) = line.and_then(|line| files.drafts.get(line)).map(super::write_scenario) else {
            self.problem(node, path, || format!("is scenario {}; there are {}", node.raw(), files.drafts.len()));
            return String::new();
        };
        match files.room.checked_sub(text.len()) {
            Some(room) => {
                files.room = room;
                text
            }
            None => {
                files.drafts = &[];
                self.problem(node, path, || "is one scenario too many".to_owned());
                String::new()
            }
        }
    }
}
