//! What a native reader stumbles over, of the kinds that a machine can find, is in no text, document or comment.

use std::fs;
use std::path::Path;

use blockstep_testing::ROOT;

/// Who says it: the product and its documents to readers, or comments to those who work on it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Voice {
    Prose,
    Comment,
}

/// A paragraph, a text of the program, or a line of a comment. What stands between backticks is left out.
struct Said {
    file: String,
    voice: Voice,
    text: String,
}

/// Nobody does it, or nobody says it so.
const PHRASES: [&str; 8] = [
    "cannot be told",
    "cannot be said",
    "cannot be known",
    "is not known",
    "are not known",
    "is told apart",
    "are told apart",
    "of best effort",
];

/// Those that comments keep out, too.
const EVERYWHERE: [&str; 3] = ["for ever ", "for ever.", "for ever,"];

/// How words begin that American English spells otherwise.
const BRITISH: [&str; 22] = [
    "analysing",
    "artefact",
    "behaviour",
    "cancelled",
    "cancelling",
    "catalogue",
    "centre",
    "colour",
    "favour",
    "grey",
    "honour",
    "initialis",
    "labelled",
    "labelling",
    "learnt",
    "neighbour",
    "optimise",
    "optimisation",
    "optimising",
    "recognis",
    "serialis",
    "utilis",
];

/// A field of studies and a key of the table of results have this name, and keep it.
const NAMES: [&str; 1] = ["utilis"];

/// The contract states rules, and these say on what: there the sentence may begin with a clause.
const CONTRACT: [&str; 3] = ["docs/semantics.md", "docs/bounds.md", "docs/papers.md"];

/// What begins with a clause and is no sentence: what a column, a table or a tour holds.
const LABELS: [&str; 15] = [
    "What it has executed",
    "What is left of a suspended block",
    "What the step does",
    "What the jobs did",
    "What happened",
    "What each job of a task issues",
    "What a run exports",
    "What the CPU calls",
    "What else held an operation back",
    "What a CUDA program asks of a GPU",
    "What one more task does",
    "What draining costs",
    "What NVIDIA's manual",
    "What a source or an argument may not be",
    "What a scenario or an argument may not be",
];

fn files(place: &Path, found: &mut Vec<String>) {
    if place.is_dir() {
        let mut entries: Vec<_> = fs::read_dir(place).unwrap().map(|entry| entry.unwrap().path()).collect();
        entries.sort();
        entries.iter().filter(|path| !path.ends_with("node_modules")).for_each(|path| files(path, found));
    } else if let Ok(path) = place.strip_prefix(ROOT) {
        found.extend(path.to_str().map(str::to_owned));
    }
}

/// Without what stands between backticks, and with every run of white space as a blank.
fn plain(text: &str) -> String {
    let outside: Vec<&str> = text.split('`').step_by(2).collect();
    outside.join("`").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The paragraphs of a document; code, which is indented or fenced, is none.
fn paragraphs(text: &str) -> Vec<String> {
    let (mut found, mut is_fenced) = (vec![String::new()], false);
    for line in text.lines() {
        is_fenced ^= line.trim_start().starts_with("```");
        let begins = line.trim_start().starts_with(['-', '|', '#']) || line.trim().is_empty();
        if begins || is_fenced || line.starts_with("    ") {
            found.push(String::new());
        }
        if !is_fenced && !line.starts_with("    ") {
            let paragraph = found.last_mut().unwrap();
            paragraph.push_str(line);
            paragraph.push('\n');
            if line.starts_with('#') {
                found.push(String::new());
            }
        }
    }
    found
}

/// The texts between double quotes of a source, and its comments.
fn literals_and_comments(source: &str) -> (Vec<String>, Vec<String>) {
    let (mut literals, mut comments) = (Vec::new(), Vec::new());
    let mut rest = source;
    while let Some(at) = rest.find(['"', '/', '\'', '#']) {
        let (before, from) = rest.split_at(at);
        let close = |end: &str| from[1..].find(end).map_or(from.len(), |place| 1 + place + end.len());
        let length = match from.as_bytes() {
            [b'/', b'/', ..] => {
                let end = from.find('\n').unwrap_or(from.len());
                comments.push(from[..end].trim_start_matches(['/', '!']).to_owned());
                end
            }
            [b'#', b'"', ..] if before.ends_with('r') => 1 + close("\"#"),
            [b'\'', b'\\', _, b'\'', ..] => 4,
            [b'\'', _, b'\'', ..] => 3,
            [b'"', ..] => {
                let bytes = from.as_bytes();
                let mut end = 1;
                while end < bytes.len() && bytes[end] != b'"' {
                    end += if bytes[end] == b'\\' { 2 } else { 1 };
                }
                let end = (end + 1).min(from.len());
                let inside = from.get(1..end - 1).unwrap_or_default();
                let lines: Vec<&str> = inside.split("\\\n").collect();
                let lines = lines.iter().enumerate().map(|(i, line)| if i > 0 { line.trim_start() } else { line });
                literals.push(lines.collect::<String>());
                end
            }
            _ => 1,
        };
        rest = from.get(length.min(from.len())..).unwrap_or_default();
    }
    (literals, comments)
}

/// Everything that is read: documents, tours, terms, and the texts and comments of the sources, tests aside.
fn said() -> Vec<Said> {
    let mut found = Vec::new();
    for place in ["docs", "bindings/python/notebooks", "crates", "src", "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"] {
        files(&Path::new(ROOT).join(place), &mut found);
    }
    let is_test = |path: &str| path.contains("/tests/") || path.starts_with("crates/testing/") || path.contains("/target/");
    let mut all = Vec::new();
    for path in found.into_iter().filter(|path| !is_test(path)) {
        let read = || fs::read_to_string(Path::new(ROOT).join(&path)).unwrap();
        let mut add = |voice, text: &str| all.push(Said { file: path.clone(), voice, text: plain(text) });
        match Path::new(&path).extension().and_then(|ending| ending.to_str()) {
            Some("md") => paragraphs(&read()).iter().for_each(|text| add(Voice::Prose, text)),
            Some("ipynb") => {
                let notebook: serde_json::Value = serde_json::from_str(&read()).unwrap();
                for cell in notebook["cells"].as_array().unwrap().iter().filter(|cell| cell["cell_type"] == "markdown") {
                    let lines = cell["source"].as_array().unwrap().iter().filter_map(serde_json::Value::as_str);
                    paragraphs(&lines.collect::<String>()).iter().for_each(|text| add(Voice::Prose, text));
                }
            }
            Some("txt") if path.contains("/glossary/") => read().lines().for_each(|line| add(Voice::Prose, line)),
            Some("json") if path.contains("/tours/") => {
                // What a paper says is quoted as the paper spells it.
                let text: String = read().lines().filter(|line| !line.contains("\"says\"")).collect();
                literals_and_comments(&text).0.iter().flat_map(|text| text.split("\\n")).for_each(|text| add(Voice::Prose, text));
            }
            Some("rs") => {
                let (literals, comments) = literals_and_comments(&read());
                literals.iter().filter(|text| text.contains(' ')).for_each(|text| add(Voice::Prose, text));
                comments.iter().for_each(|text| add(Voice::Comment, text));
            }
            _ => {}
        }
    }
    assert!(all.len() > 10_000, "the texts are where they are looked for");
    all
}

/// Fails with all that was found.
fn none(found: &[String]) {
    assert!(found.is_empty(), "{}", found.join("\n"));
}

fn shown(said: &Said, what: &str) -> String {
    format!("{}: {what:?} in {:?}", said.file, said.text)
}

#[test]
fn nothing_is_said_as_no_native_says_it() {
    let mut found = Vec::new();
    for said in said() {
        let text = said.text.to_lowercase();
        let phrases = PHRASES.iter().filter(|_| said.voice == Voice::Prose).chain(&EVERYWHERE);
        found.extend(phrases.filter(|phrase| text.contains(**phrase)).map(|phrase| shown(&said, phrase)));
    }
    none(&found);
}

#[test]
fn spelling_is_american() {
    let mut found = Vec::new();
    for said in said() {
        // A name of the code is not a word of the text: an argument of a text, a link of a comment, a path.
        let words = said.text.split([' ', '"', '(', ')', '“', '”', ',', ';', ':', '\'']);
        let words = words.filter(|word| !word.contains(['_', '{', '}', '[', ']', '.', '`', '/', '=', '<', '\\']) || word.ends_with('.'));
        let is_british = |word: &&str| {
            let word = word.to_lowercase();
            let begins = |stems: &[&str]| stems.iter().any(|stem| word.starts_with(stem));
            begins(&BRITISH) && !(begins(&NAMES) && said.voice == Voice::Prose)
        };
        found.extend(words.filter(is_british).map(|word| shown(&said, word)));
    }
    none(&found);
}

#[test]
fn no_word_stands_twice_and_no_blank_or_comma() {
    let mut found = Vec::new();
    for said in said() {
        let words: Vec<&str> = said.text.split(' ').collect();
        let twice = words.windows(2).filter(|pair| pair[0] == pair[1] && pair[0].len() > 1 && pair[0].chars().all(char::is_alphabetic));
        // Classes of an element, a command and its file, and a policy's text.
        let is_name = |word: &str| ["chip", "blockstep", "runs"].contains(&word);
        found.extend(twice.filter(|pair| !is_name(pair[0])).map(|pair| shown(&said, pair[0])));
        if !said.file.ends_with(".rs") && said.text.contains(",,") {
            found.push(shown(&said, ",,"));
        }
    }
    none(&found);
}

/// `What comes after this step is hidden.`: the subject comes first instead.
#[test]
fn no_sentence_begins_with_a_clause_for_its_subject() {
    let mut found = Vec::new();
    for said in said().into_iter().filter(|said| said.voice == Voice::Prose && !CONTRACT.contains(&said.file.as_str())) {
        for sentence in said.text.replace(['?', '!'], "?|").replace(". ", ".|").split('|') {
            let sentence = sentence.trim().trim_start_matches(['*', '-', ' ']);
            let begins = ["What ", "Who ", "Whom ", "Whoever "].iter().any(|word| sentence.starts_with(word));
            let is_label = LABELS.iter().any(|label| sentence.starts_with(label));
            // The heading of a paragraph stands in bold, and a figure is no end.
            let is_sentence = sentence.ends_with('.') && !sentence.ends_with("Fig.") && !sentence.contains(".**");
            if begins && !is_label && is_sentence {
                found.push(format!("{}: {sentence}", said.file));
            }
        }
    }
    none(&found);
}
