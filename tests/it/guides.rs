//! What the guides name is there: files, names in the code, and what their links lead to.

use std::fs;
use std::path::{Path, PathBuf};

use blockstep_analysis::presets;
use blockstep_learn::glossary::terms;
use blockstep_learn::tour::Tour;
use blockstep_sim::examples;
use blockstep_sim::scenario::{Choice, PolicyKind};
use blockstep_sim::trace::Variant;
use blockstep_tools::ToolId;

const GUIDES: [&str; 6] = ["ARCHITECTURE.md", "CONTRIBUTING.md", "README.md", "docs/page.md", "docs/cli.md", "docs/papers.md"];

fn root() -> &'static Path {
    Path::new(blockstep_testing::ROOT)
}

/// Every source file at a place or in its folders, sorted: its path from the root, and its text.
fn sources_in(place: &str) -> Vec<(String, String)> {
    let (mut places, mut found) = (vec![root().join(place)], Vec::new());
    while let Some(path) = places.pop() {
        if path.is_dir() {
            places.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else if path.extension().is_some_and(|e| e == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned(), text));
        }
    }
    found.sort();
    found
}

/// The first source file at some places whose text has all of these.
fn file_with(places: &[&str], texts: &[&str]) -> String {
    let mut files = places.iter().flat_map(|place| sources_in(place));
    let found = files.find(|(_, text)| texts.iter().all(|wanted| text.contains(wanted)));
    found.unwrap_or_else(|| panic!("no file in {places:?} has {texts:?}")).0
}

/// The targets of links, but for those to other sites.
fn linked(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split(')').next()).filter(|target| !target.contains(':'))
}

/// What stands between backticks on one line, and the targets of links.
fn named(text: &str) -> Vec<&str> {
    let lines = text.lines().filter(|line| !line.starts_with("    "));
    let quoted = lines.flat_map(|line| line.split('`').skip(1).step_by(2));
    quoted.chain(linked(text)).collect()
}

fn is_path(word: &str) -> bool {
    let ends = [".rs", ".md", ".json", ".mjs", ".sh", "/"];
    !word.contains(char::is_whitespace) && !word.starts_with(['/', '~', '.', '-']) && ends.iter().any(|end| word.ends_with(end))
}

#[test]
fn guides_name_files_that_are_there() {
    let mut seen = 0;
    for guide in GUIDES {
        let text = fs::read_to_string(root().join(guide)).unwrap();
        // `ID` stands for a name of one's own; `dist/` is built.
        for path in named(&text).into_iter().filter(|word| is_path(word) && !word.contains("ID") && !word.contains('*') && *word != "dist/")
        {
            // `view/lane.rs` is a file of the crate of views; a link begins at the folder of its guide.
            let (of, inside) = path.split_once('/').unwrap_or((path, ""));
            let places =
                [root().join(path), root().join("crates").join(of).join("src").join(inside), root().join(guide).with_file_name(path)];
            assert!(places.iter().any(|place| place.exists()), "{guide}: there is no {path}");
            seen += 1;
        }
    }
    assert!(seen > 60, "{seen} paths");
}

#[test]
fn guides_name_what_is_in_the_code() {
    let code: String = ["src", "crates", "tests"].into_iter().flat_map(sources_in).map(|(_, text)| text).collect();
    let mut seen = 0;
    for guide in GUIDES {
        let text = fs::read_to_string(root().join(guide)).unwrap();
        let is_name = |word: &&str| {
            word.contains("::")
                || word.starts_with(|c: char| c.is_ascii_uppercase())
                    && word.len() > 2
                    && !root().join(word).exists()
                    && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        };
        for word in named(&text).into_iter().filter(is_name) {
            let last = word.rsplit("::").next().unwrap();
            let is_variable = ["BLOCKSTEP", "CHROM", "CASES", "PORT", "PROPTEST"].iter().any(|of| word.starts_with(of));
            assert!(is_variable || code.contains(last), "{guide}: there is no {word}");
            seen += 1;
        }
    }
    assert!(seen > 12, "{seen} names");
}

/// What links call a heading: its letters and digits in lower case, and hyphens for blanks.
fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.map(|c| if c == ' ' { '-' } else { c }).flat_map(char::to_lowercase).collect()
}

#[test]
fn guides_links_lead_to_files_and_headings() {
    let documents = fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let documents = documents.filter(|path| path.extension().is_some_and(|e| e == "md"));
    let others: [PathBuf; 5] =
        ["ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "README.md", "SECURITY.md"].map(|name| root().join(name));
    let mut seen = 0;
    for from in documents.chain(others) {
        let text = fs::read_to_string(&from).unwrap();
        for target in linked(&text) {
            let (path, heading) = target.split_once('#').unwrap_or((target, ""));
            let to = if path.is_empty() { from.clone() } else { from.with_file_name(path) };
            assert!(to.exists(), "{}: there is no {target}", from.display());
            if !heading.is_empty() {
                let text = fs::read_to_string(&to).unwrap();
                let is_there = text.lines().any(|line| line.starts_with('#') && anchor(line) == heading);
                assert!(is_there, "{}: there is no heading {target}", from.display());
            }
            seen += 1;
        }
    }
    assert!(seen > 40, "{seen} links");
}

#[test]
fn guides_addresses_in_the_papers_and_the_course_name_what_there_is() {
    let text: String = ["docs/papers.md", "docs/course.md"].map(|guide| fs::read_to_string(root().join(guide)).unwrap()).concat();
    let mut seen = 0;
    for address in named(&text).into_iter().filter_map(|word| word.strip_prefix('#')).filter(|address| !address.starts_with('/')) {
        let (of, on) = address.split_once("&on=").unwrap_or((address, "tx2-table-1"));
        // With an example goes the diagram that is shown.
        let of = of.strip_suffix("&path=1").filter(|of| of.starts_with("example=")).unwrap_or(of);
        let (kind, word) = of.split_once('=').unwrap_or_else(|| panic!("{address}"));
        let (what, named) = word.split_once('=').unwrap_or(("", word));
        let is_there = match (kind, what) {
            ("example", "") => examples::known(named).is_some(),
            ("tour", "") => {
                let (id, stop) = named.split_once('/').unwrap_or((named, "1"));
                Tour::find(id).is_ok_and(|tour| (1..=tour.stops.len()).contains(&stop.parse().unwrap()))
            }
            ("glossary", "") => terms().iter().any(|term| term.name == named),
            ("study", "preset") => presets::find(named).is_some(),
            ("compare", "variant") => Variant::from_id(named).is_some(),
            ("rules" | "program", "") => named.is_empty(),
            _ => false,
        };
        assert!(is_there && examples::known(on).is_some(), "{address}");
        seen += 1;
    }
    assert!(seen > 75, "{seen} addresses");
}

/// The numbered steps under a heading of the guide for changes: each names a file and, after it, what is to be found there.
fn steps(heading: &str) -> Vec<Vec<String>> {
    let guide = fs::read_to_string(root().join("CONTRIBUTING.md")).unwrap();
    let section = guide.split(&format!("### {heading}\n")).nth(1).unwrap().split("\n### ").next().unwrap();
    let mut steps: Vec<Vec<String>> = Vec::new();
    for line in section.lines() {
        let is_first = line.starts_with(|c: char| c.is_ascii_digit());
        let quoted = line.split('`').skip(1).step_by(2).map(str::to_owned);
        if is_first {
            steps.push(quoted.collect());
        } else if line.starts_with("   ") {
            steps.last_mut().unwrap().extend(quoted);
        }
    }
    steps
}

/// Checks that the steps that a guide shows with one example have been taken for another one; returns how many texts were
/// looked for. `names`: the words of the example in the guide, and those of the other one, replaced in this order.
/// `but_for`: the texts that the other one is not to have.
fn taken(heading: &str, names: &[(&str, String)], but_for: &[&str]) -> usize {
    let renamed = |text: &str| names.iter().fold(text.to_owned(), |text, (of_guide, own)| text.replace(of_guide, own));
    let mut looked_for = 0;
    for step in steps(heading) {
        let path = renamed(&step[0]);
        let file = fs::read_to_string(root().join(&path)).unwrap_or_else(|_| panic!("{heading}: there is no {path}"));
        for text in step[1..].iter().filter(|text| !is_path(text) && names.iter().any(|(of_guide, _)| text.contains(of_guide))) {
            let is_wanted = !but_for.contains(&text.as_str());
            assert_eq!(file.contains(&renamed(text)), is_wanted, "{heading}: {} in {path}", renamed(text));
            looked_for += 1;
        }
    }
    looked_for
}

#[test]
fn guides_way_to_an_example_is_that_of_every_example() {
    for example in examples::all() {
        let names = [("edf-fig-1", example.id.to_owned()), ("edf_fig_1", example.id.replace('-', "_"))];
        // The claims behind the four applications of [EDF] are tests of their own.
        if example.id.starts_with("edf-vi-a-") {
            continue;
        }
        assert_eq!(taken("An example", &names, &[]), 4, "{}", example.id);
    }
    let files = fs::read_dir(root().join("crates/sim/src/examples")).unwrap().count();
    assert_eq!(files, examples::all().count() + 1, "one file each, and the table");
}

#[test]
fn guides_way_to_a_policy_is_that_of_every_policy() {
    for kind in PolicyKind::ALL {
        let names = [("edf", kind.word().to_owned()), ("Edf", format!("{kind:?}"))];
        assert_eq!(taken("A policy", &names, &[]), 8, "{kind:?}");
    }
    let files = fs::read_dir(root().join("crates/sim/src/policy")).unwrap().count();
    assert_eq!(files, PolicyKind::ALL.len() + 2, "one file each, the table, and what can be said of one");
}

#[test]
fn guides_way_to_a_tour_is_that_of_every_tour() {
    for id in Tour::ids() {
        let tour = Tour::find(id).unwrap();
        if let Some((paper, figure)) = id.split_once("-fig-") {
            assert_eq!((&tour.paper, &tour.figure), (&paper.to_uppercase(), &format!("Fig. {figure}")));
        }
        let names = [("tx2-fig-1", id.to_owned()), ("TX2", tour.paper), ("Fig. 1", tour.figure)];
        assert_eq!(taken("A tour", &names, &[]), 4, "{id}");
    }
    let files = fs::read_dir(root().join("crates/learn/src/tours")).unwrap().count();
    assert_eq!(files, Tour::ids().count(), "one file each");
}

#[test]
fn guides_way_to_a_variant_is_that_of_every_variant() {
    // Of its own the guide names the file; for the others it names where to look.
    const PLACE: &str = "crates/sim/src/engine/ahead.rs";
    const PLACES: [&str; 4] = ["crates/sim/src/engine", "crates/sim/src/policy", "crates/sim/src/snapshot.rs", "crates/sim/src/snapshot"];
    for variant in Variant::ALL {
        let asks = format!("has(Variant::{variant:?})");
        let place = match variant {
            Variant::LastFit => PLACE.to_owned(),
            _ => file_with(&PLACES, &[&asks]),
        };
        let names = [(PLACE, place), ("LastFit", format!("{variant:?}")), ("last-fit", variant.id().to_owned())];
        assert_eq!(taken("A variant of a rule", &names, &[]), 7, "{variant:?}");
    }
}

#[test]
fn guides_way_to_a_tool_is_that_of_every_tool() {
    const TEST: &str = "crates/tools/tests/src/glossary.rs";
    const PANEL: &str = "src/panels/glossary.rs";
    let table = fs::read_to_string(root().join("crates/tools/src/lib.rs")).unwrap();
    for &tool in ToolId::ALL {
        let (id, name) = (format!("{tool:?}"), format!("\"{}\"", tool.info().name));
        // `RunTables` is in `run_tables`, as the table says.
        let module = table.split(&format!("\n    {id}: ")).nth(1).and_then(|line| line.split("::").next()).unwrap().to_owned();
        let test = match tool {
            ToolId::Glossary => TEST.to_owned(),
            _ => file_with(&["crates/tools/tests/src"], &[&format!("use blockstep_tools::{module}::"), &name]),
        };
        // Large panels are folders.
        let folder = format!("src/panels/{module}/panel.rs");
        let panel = if root().join(&folder).exists() { folder } else { PANEL.replace("glossary", &module) };
        let key = "Command::Tool(ToolId::Glossary)";
        let but_for = if tool.info().key.is_empty() { vec![key] } else { Vec::new() };
        let names = [(TEST, test), (PANEL, panel), ("\"glossary\"", name), ("glossary", module), ("Glossary", id)];
        assert_eq!(taken("A tool beside the run", &names, &but_for), 9, "{tool:?}");
    }
    let entries = fs::read_dir(root().join("crates/tools/src")).unwrap();
    let folders = entries.filter(|entry| entry.as_ref().unwrap().path().join("mod.rs").exists()).count();
    assert_eq!(folders, ToolId::ALL.len() + 1, "one folder each, and what a tool is");
}
