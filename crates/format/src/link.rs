//! Links: the whole state of the page as the fragment of an address, `v2=…&embed=…`.
//!
//! Depends on `scenario`, `layout`, `read` and `json`. Invariants: what is written is read back as the same state;
//! a link of version 1 or 2 can be read forever, so the words of [`WORDS`] and their places are never
//! changed, only a later version added beside; what is read is bounded before it is unpacked; a link that
//! lost or changed letters on its way is refused, as its checksum tells. Sources: RFC 1950 (deflate with
//! a checksum) and RFC 4648, section 5 (base64url), by two well-kept crates.
//!
//! Unpacked, a link is lines of JSON without white space, in which frequent words are written as
//! one control character each, as JSON has none of its own: first the state, then the scenario file,
//! then further scenario files that tools remember. The tools of a state are read
//! one by one, as what one remembers may be one of these files, which are counted while they are unfolded. What a tool
//! remembers is an object; in version 1 it is names with values.

use std::ops::Not;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use miniz_oxide::inflate::{TINFLStatus, decompress_to_vec_zlib_with_limit};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::error::{FormatError, Path};
use super::json::{JsonKind, Node};
use super::layout;
use super::read::Reader;
use super::scenario::ScenarioFile;
use super::typed::Form;
use crate::percent;
use blockstep_sim::scenario::Draft;
use blockstep_sim::units::written::said_of;

/// The version that is written.
const VERSION: u64 = 2;

/// The field of an object that stands for a scenario file: the line of that, counted from 0 at the line after the state's.
const FILE: &str = "scenario";

/// Longest link that is read, in characters; browsers allow no longer address.
pub const MAX_LINK_CHARS: usize = 2 * 1024 * 1024;

/// Longest text that is unpacked of a link, in bytes.
pub const MAX_LINK_TEXT: usize = 4 * 1024 * 1024;

/// Words that are written as one character, the first as U+0001. Part of versions 1 and 2: never changed.
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
const STATE: &[&str] = &["position", "at_ns", "example", "view", "selected", "op", "veiled", "presenting", "path", "tools"];

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
    pub is_future_hidden: bool,
    /// Whether only timeline and queues are shown, and large.
    pub is_presenting: bool,
    /// Whether the path of a submission is shown in place of the queues, where processes take turns.
    pub is_path_shown: bool,
    /// Tools that are open, with what each remembers: the text of an object, or nothing; of a link of version 1 names with
    /// values, as forms send them.
    pub tools: Vec<(String, String)>,
}

blockstep_sim::listed! {
    /// The part of the page that is shown inside another page.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Embed(word, from_word) {
        /// The timeline.
        Timeline = "timeline",
        /// The queue diagram.
        Queues = "queues",
        /// Both, one above the other.
        Both = "both",
    }
}

/// Why an address is none of a page that a link may lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("is no address of a page: it begins with http:// or https://, or is a relative path, and has no #, blank or backslash")]
pub struct NoPage;

/// Whether a link may begin with this address, to which `#` and a fragment are added: `http:` or `https:` with a host, or a path
/// relative to the page that the link stands in. An empty one is that page itself.
pub fn no_page(address: &str) -> Option<NoPage> {
    let is_odd = |c: char| c.is_whitespace() || c.is_control() || c == '#' || c == '\\';
    let scheme = address.split(['/', '?']).next().and_then(|part| part.split_once(':')).map(|(scheme, _)| scheme);
    let is_good = match scheme {
        // Browsers take what follows two slashes for a host.
        None => !address.starts_with("//"),
        Some(scheme) => {
            let host = address[scheme.len()..].strip_prefix("://").and_then(|rest| rest.split(['/', '?']).next());
            ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)) && host.is_some_and(|host| !host.is_empty())
        }
    };
    (!is_good || address.contains(is_odd)).then_some(NoPage)
}

/// Why a link cannot be read or written. Displayed as a sentence for the reader.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// It is none of ours.
    #[error("This is not a Blockstep link: such a link has #v{VERSION}= followed by a long word.")]
    NotALink,
    /// It is of a version that this program does not know yet.
    #[error(
        "This link was made by a later version of Blockstep: it has format {0}, and this version reads formats up to {VERSION}. Reload the page. If the message remains, this page is older than the one that made the link."
    )]
    Later(u64),
    /// Letters are missing or others than they were.
    #[error(
        "This link is damaged: characters are missing or changed, for example because a mail program broke a long line. Copy the whole link again from its source."
    )]
    Damaged,
    /// It would be unpacked to more than [`MAX_LINK_TEXT`], or is longer than [`MAX_LINK_CHARS`].
    #[error("This is too large for a link: the limits are {} MiB of text and {} million characters. Save the scenario as a file instead.", MAX_LINK_TEXT >> 20, MAX_LINK_CHARS / 1_000_000)]
    TooLarge,
    /// It came whole, but what it holds is not what this program writes.
    #[error("This link is complete, but its content cannot be read: {}.", .0.problems.first().map(|p| said_of(&p.path, &p.message)).unwrap_or_default())]
    Unreadable(FormatError),
}

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

/// The state as it stands in a link, in the order of [`STATE`].
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct State<'l> {
    position: u32,
    at_ns: u64,
    #[serde(skip_serializing_if = "String::is_empty")]
    example: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    view: Option<(i64, i64)>,
    #[serde(skip_serializing_if = "String::is_empty")]
    selected: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    op: Option<u32>,
    #[serde(skip_serializing_if = "Not::not")]
    #[serde(rename = "veiled")]
    is_future_hidden: bool,
    #[serde(skip_serializing_if = "Not::not")]
    presenting: bool,
    #[serde(skip_serializing_if = "Not::not")]
    #[serde(rename = "path")]
    is_path_shown: bool,
    #[serde(skip_serializing_if = "Vec::is_empty", skip_deserializing)]
    tools: Vec<(&'l str, Map<String, Value>)>,
}

const FORMS: &[Form] =
    &[Form { type_name: "State", fields: STATE, required: &["position", "at_ns"], checks: &[("view", view)], ..Form::PLAIN }];

fn text_of(link: &Link) -> String {
    let mut drafts = vec![link.scenario.clone()];
    let state = State {
        position: link.position,
        at_ns: link.at_ns,
        example: link.example.clone(),
        view: link.view,
        selected: link.selected.clone(),
        op: link.op,
        is_future_hidden: link.is_future_hidden,
        presenting: link.is_presenting,
        is_path_shown: link.is_path_shown,
        tools: link.tools.iter().map(|(name, memory)| (name.as_str(), packed(memory, &mut drafts))).collect(),
    };
    let files = drafts.iter().map(|draft| layout::compact(&ScenarioFile::from_draft(draft)).to_string());
    std::iter::once(layout::compact(&state).to_string()).chain(files).collect::<Vec<_>>().join("\n")
}

/// What a tool remembers, with `{"scenario":1}` for a value that is a scenario file.
fn packed(memory: &str, drafts: &mut Vec<Draft>) -> Map<String, Value> {
    // The page wrote it.
    let mut fields: Map<String, Value> = serde_json::from_str(memory).unwrap_or_default();
    for value in fields.values_mut() {
        let Some(text) = value.as_str().filter(|text| text.starts_with('{')) else { continue };
        let draft = super::read_scenario(text).ok();
        if let Some(draft) = draft.filter(|draft| super::write_scenario(draft) == text) {
            let line = drafts.iter().position(|known| *known == draft).unwrap_or_else(|| {
                drafts.push(draft);
                drafts.len() - 1
            });
            *value = json!({ FILE: line });
        }
    }
    fields
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
                Ok(version @ 1..=VERSION) => packed = Some((version, value)),
                Ok(0) => {}
                later => return Err(LinkError::Later(later.unwrap_or(u64::MAX))),
            }
        } else if name == "embed" {
            embed = Embed::from_word(value.trim_end_matches(|c: char| !c.is_ascii_alphanumeric()));
        }
    }
    let (version, packed) = packed.ok_or(LinkError::NotALink)?;
    let is_foreign = |c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_';
    let bytes = URL_SAFE_NO_PAD.decode(packed.trim_end_matches(is_foreign)).map_err(|_| LinkError::Damaged)?;
    let text = decompress_to_vec_zlib_with_limit(&bytes, MAX_LINK_TEXT).map_err(|error| match error.status {
        TINFLStatus::HasMoreOutput => LinkError::TooLarge,
        _ => LinkError::Damaged,
    })?;
    let text = String::from_utf8(text).map_err(|_| LinkError::Damaged)?;
    Ok((read_text(&write_out(&text)?, version)?, embed))
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

fn read_text(text: &str, version: u64) -> Result<Link, LinkError> {
    let (state, files) = text.split_once('\n').ok_or(LinkError::Damaged)?;
    let drafts = files.split('\n').map(super::read_scenario).collect::<Result<Vec<_>, _>>().map_err(LinkError::Unreadable)?;
    let doc = super::parse(state).map_err(LinkError::Unreadable)?;
    let mut reader = Reader::with_forms(FORMS);
    let state: State<'_> = reader.typed(doc.root(), &Path::Root).unwrap_or_default();
    let (mut files, at) = (Files { drafts: &drafts, room: MAX_LINK_TEXT }, Path::Root.field("tools"));
    let tools = doc.root().get("tools").into_iter().flat_map(Node::items).enumerate();
    let tools = tools.map(|(i, tool)| reader.tool(tool, &at.item(i), &mut files, version)).collect();
    let link = Link {
        scenario: drafts.into_iter().next().ok_or(LinkError::Damaged)?,
        position: state.position,
        at_ns: state.at_ns,
        example: state.example,
        view: state.view,
        selected: state.selected,
        op: state.op,
        is_future_hidden: state.is_future_hidden,
        is_presenting: state.presenting,
        is_path_shown: state.is_path_shown,
        tools,
    };
    reader.finish(link).map_err(LinkError::Unreadable)
}

/// Scenario files that tools may name.
struct Files<'f> {
    drafts: &'f [Draft],
    /// Bytes of them that may still be written out, as one may be named again and again.
    room: usize,
}

/// Two instants, the later one last.
fn view(reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> bool {
    let ends: Vec<i64> = node.items().take(3).map(|end| reader.signed(end, path)).collect();
    let is_fit = matches!(ends[..], [from, to] if from < to);
    if !is_fit {
        reader.expected(node, path, "a list of two numbers, the greater one last,");
    }
    is_fit
}

impl Reader {
    fn tool(&mut self, node: Node<'_>, path: &Path<'_>, files: &mut Files<'_>, version: u64) -> (String, String) {
        let mut items = node.items();
        let Some(name) = items.next() else {
            self.expected(node, path, "the list of a tool");
            return Default::default();
        };
        let name = self.text(name, path);
        let memory = match (version, items.next()) {
            (_, None) => String::new(),
            (1, Some(first)) => self.pairs(std::iter::once(first).chain(items), path, files),
            (_, Some(memory)) => self.fields(memory, path, files),
        };
        (name, memory)
    }

    /// Names and values by turns, as version 1 has them; a value that is a number is a scenario file.
    fn pairs<'d>(&mut self, mut items: impl Iterator<Item = Node<'d>>, path: &Path<'_>, files: &mut Files<'_>) -> String {
        let mut pairs = form_urlencoded::Serializer::new(String::new());
        while let Some(key) = items.next() {
            let Some(value) = items.next() else {
                self.problem(key, path, || "has no value".to_owned());
                break;
            };
            let is_file = value.kind() == JsonKind::Number;
            let value = if is_file { self.file(value.raw(), value, path, files) } else { self.text(value, path) };
            pairs.append_pair(&self.text(key, path), &value);
        }
        pairs.finish()
    }

    fn fields(&mut self, node: Node<'_>, path: &Path<'_>, files: &mut Files<'_>) -> String {
        let Ok(mut fields) = serde_json::from_str::<Map<String, Value>>(node.raw()) else {
            self.expected(node, path, "an object");
            return String::new();
        };
        for value in fields.values_mut() {
            let line = value.as_object().filter(|of| of.len() == 1).and_then(|of| of.get(FILE)).filter(|line| line.is_number());
            if let Some(line) = line.map(Value::to_string) {
                *value = self.file(&line, node, path, files).into();
            }
        }
        if fields.is_empty() { String::new() } else { json!(fields).to_string() }
    }

    /// The scenario file of a line.
    fn file(&mut self, line: &str, node: Node<'_>, path: &Path<'_>, files: &mut Files<'_>) -> String {
        // None are left once there were too many.
        let Some(text) = line.parse().ok().and_then(|line: usize| files.drafts.get(line)).map(super::write_scenario) else {
            self.problem(node, path, || format!("is scenario {line}; there are {}", files.drafts.len()));
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
