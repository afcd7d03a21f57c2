//! What a name may be, and which names look the same.
//!
//! Depends on `plain` and on the crate unicode-segmentation for what readers take for one character. Invariant: checking a name
//! takes time linear in it. Sources: Unicode Standard Annex 29, "Unicode Text Segmentation"; the look-alikes are single letters of
//! Unicode Technical Standard 39, "Unicode Security Mechanisms", that pass for letters and digits of ASCII.

use std::borrow::Cow;

use unicode_segmentation::UnicodeSegmentation;

use super::plain::{MAX_MARKS, has_unseen, is_ignorable, plain};
use super::{DeviceDraft, Draft, Problem, Scenario, is_directive};
use crate::order::Names;
use crate::units::written::format_count;

/// Most characters of a name, as readers count them.
pub const MAX_NAME: usize = 200;
/// No name of so many bytes can be allowed.
const TOO_MANY_BYTES: usize = MAX_NAME * (MAX_MARKS + 1) * 4;
/// Most names that are warned of.
const MOST_DOUBTS: usize = 100;
/// How much of a long name a message shows.
const SHOWN: usize = 24;

/// What is wrong with the length of a name: the name, shortened, what it has, and the limit.
#[must_use]
pub fn too_long(name: &str) -> Option<String> {
    if name.len() <= MAX_NAME && name.is_ascii() {
        return None;
    }
    let (mut count, mut marks) = (0, 0);
    if name.len() > TOO_MANY_BYTES {
        count = name.chars().count();
    } else {
        for cluster in name.graphemes(true) {
            count += 1;
            marks = marks.max(cluster.chars().count() - 1);
        }
    }
    let is = |count: usize, what: &str, limit: usize| {
        let end = name.char_indices().nth(SHOWN).map_or(name.len(), |(end, _)| end);
        Some(format!("\"{}…\" has {} {what}; at most {limit} are possible", plain(&name[..end]), format_count(count as u64)))
    };
    match (count > MAX_NAME, marks > MAX_MARKS) {
        (true, _) => is(count, "characters", MAX_NAME),
        (false, true) => is(marks, "marks on one letter", MAX_MARKS),
        (false, false) => None,
    }
}

/// Every name of a draft that is too long, in the order of the file.
pub(super) fn all_too_long(draft: &Draft) -> Vec<Problem> {
    let mut found = Vec::new();
    let mut check = |path: &dyn Fn() -> String, name: &str| found.extend(too_long(name).map(|why| Problem::new(path(), why)));
    check(&|| "name".to_owned(), &draft.name);
    if let DeviceDraft::Custom(device) = &draft.device {
        check(&|| "device.name".to_owned(), &device.name);
    }
    for (i, process) in draft.processes.iter().enumerate() {
        check(&|| format!("processes[{i}].name"), &process.name);
        check(&|| format!("processes[{i}].guest"), process.guest.as_deref().unwrap_or_default());
    }
    for (i, task) in draft.tasks.iter().enumerate() {
        check(&|| format!("tasks[{i}].name"), &task.name);
        check(&|| format!("tasks[{i}].process"), task.process.as_deref().unwrap_or_default());
        for (j, name) in task.consumes.iter().enumerate() {
            check(&|| format!("tasks[{i}].consumes[{j}]"), name);
        }
    }
    for (i, batch) in draft.batches.iter().enumerate() {
        check(&|| format!("batches[{i}].name"), &batch.name);
        check(&|| format!("batches[{i}].task"), batch.task.as_deref().unwrap_or_default());
    }
    for (i, stream) in draft.streams.iter().enumerate() {
        check(&|| format!("streams[{i}].name"), &stream.name);
        check(&|| format!("streams[{i}].process"), stream.process.as_deref().unwrap_or_default());
    }
    for (i, row) in draft.kernels.iter().enumerate() {
        check(&|| format!("kernels[{i}].name"), &row.name);
        check(&|| format!("kernels[{i}].task"), row.task.as_deref().unwrap_or_default());
        check(&|| format!("kernels[{i}].stream"), &row.stream);
        check(&|| format!("kernels[{i}].after"), row.after.as_deref().unwrap_or_default());
        for (j, name) in row.waits_for.iter().enumerate() {
            check(&|| format!("kernels[{i}].waits_for[{j}]"), name);
        }
        check(&|| format!("kernels[{i}].records"), row.records.as_deref().unwrap_or_default());
        for (reached, names) in row.flags() {
            for (j, name) in names.iter().enumerate() {
                check(&|| format!("kernels[{i}].{}[{j}]", reached.field()), name);
            }
        }
        check(&|| format!("kernels[{i}].batch"), row.batch.as_deref().unwrap_or_default());
    }
    found
}

/// Names that look like another one of their table, or hold what cannot be seen; streams by the first row on them.
pub(super) fn doubtful(scenario: &Scenario) -> Vec<Problem> {
    let mut rows: Vec<Option<usize>> = vec![None; scenario.streams.len()];
    scenario.rows.iter().enumerate().rev().for_each(|(i, row)| rows[row.stream] = Some(i));
    let of_stream = |i: usize| rows[i].map_or_else(|| format!("streams[{i}].name"), |row| format!("kernels[{row}].stream"));
    let processes = doubts(scenario.processes.iter().map(|p| (0, p.name.as_str())));
    let tasks = doubts(scenario.tasks.iter().map(|t| (0, t.name.as_str())));
    let batches: Vec<&str> = scenario.claimants.iter().filter_map(|of| Some(of.batch.as_ref()?.name.as_str())).collect();
    let batches = doubts(batches.into_iter().map(|name| (0, name))).map(|(i, why)| Problem::new(format!("batches[{i}].name"), why));
    let kernels = doubts(scenario.rows.iter().map(|row| (0, row.name.as_str())));
    let streams = doubts(scenario.streams.iter().map(|s| (s.process.0, s.name.as_str())));
    let processes = processes.map(|(i, why)| Problem::new(format!("processes[{i}].name"), why));
    let tasks = tasks.map(|(i, why)| Problem::new(format!("tasks[{i}].name"), why));
    let kernels = kernels.map(|(i, why)| Problem::new(format!("kernels[{i}].name"), why));
    let streams = streams.map(|(i, why)| Problem::new(of_stream(i), why));
    processes.chain(tasks).chain(batches).chain(kernels).chain(streams).take(MOST_DOUBTS).collect()
}

/// Of names with their groups, the places of those that look like an earlier one of their group or hold what cannot be seen,
/// with what is to be said of them.
pub fn doubts<'a>(names: impl Iterator<Item = (u32, &'a str)>) -> impl Iterator<Item = (usize, String)> {
    let names: Vec<_> = names.collect();
    let mut seen = Names::default();
    (0..names.len()).filter_map(move |i| {
        let (group, name) = names[i];
        let why = match seen.place(group, look(name), i) {
            first if first != i => format!("looks like \"{}\"", plain(names[first].1)),
            _ if has_unseen(name) => "holds what cannot be seen".to_owned(),
            _ => return None,
        };
        // Where both are written alike, the numbers of their letters tell.
        let codes: Vec<_> = name.chars().filter(|c| !c.is_ascii()).take(3).map(|c| format!("U+{:04X}", u32::from(c))).collect();
        let codes = if codes.is_empty() { String::new() } else { format!(" ({})", codes.join(", ")) };
        Some((i, format!("\"{}\"{codes} {why}", plain(name))))
    })
}

/// What a reader sees of a name: equal for two names that look the same.
fn look(name: &str) -> Cow<'_, str> {
    let is_own = |c: char| c.is_ascii_graphic() && like(c) == c;
    if name.chars().all(is_own) {
        return Cow::Borrowed(name);
    }
    let mut out = String::with_capacity(name.len());
    for c in name.chars().filter(|&c| !(is_ignorable(c) || is_directive(c) || c.is_control())) {
        match like(c) {
            c if c.is_whitespace() => {
                if !out.is_empty() && !out.ends_with(' ') {
                    out.push(' ');
                }
            }
            c => out.push(c),
        }
    }
    out.truncate(out.trim_end().len());
    Cow::Owned(out)
}

/// Letters that look like those of `INTO`, at the same places.
const FROM: &str = "01I|АВЕЅІЈКМНОРСТУХԚԜҮаеѕіјорсухһԁԛԝԍӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγινορυϲϳօոսցհԼՕՍɑɡƖǀℓ০ı";
const INTO: &str = "OlllABESlJKMHOPCTYXQWYaesijopcyxhdqwGlABEZHlKMNOPTYXayivopucjonughLOUaglllOi";

/// The letter of ASCII that a letter passes for, or the letter itself.
fn like(c: char) -> char {
    match c {
        '2'..='9' | 'a'..='z' | 'A'..='H' | 'J'..='Z' => c,
        // Full-width forms, and the alphabets and digits of mathematics.
        '\u{ff01}'..='\u{ff5e}' => like(ascii(u32::from(c) - 0xff01 + 0x21)),
        '\u{1d400}'..='\u{1d6a3}' => {
            let letter = (u32::from(c) - 0x1d400) % 52;
            like(ascii(if letter < 26 { 0x41 + letter } else { 0x61 + letter - 26 }))
        }
        '\u{1d7ce}'..='\u{1d7ff}' => like(ascii(0x30 + (u32::from(c) - 0x1d7ce) % 10)),
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{fe58}' => '-',
        _ => FROM.chars().zip(INTO.chars()).find(|(from, _)| *from == c).map_or(c, |(_, into)| into),
    }
}

fn ascii(code: u32) -> char {
    char::from_u32(code).unwrap_or_default()
}
