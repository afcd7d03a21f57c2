//! House rules that can be read off the source text and that the compiler does not see: which module of the simulator may use
//! which, no floats and no hash-order iteration in the core, no unsafe, no overlong files, no circles of the page's files.
//! Source: ARCHITECTURE.md.

mod circles;

use std::fs;
use std::path::{Path, PathBuf};

/// Modules of the simulator, and those that each may use.
const ALLOWED: &[(&str, &str)] = &[
    ("units", ""),
    ("work", ""),
    ("order", ""),
    ("dice", ""),
    ("language", ""),
    ("listed", ""),
    ("occupancy", ""),
    ("scenario", "units order occupancy dice"),
    ("trace", "units order scenario listed"),
    ("record", "units order work scenario trace"),
    ("snapshot", "units order work scenario trace"),
    ("measured", "units order language scenario trace record"),
    ("policy", "units order scenario trace snapshot listed"),
    ("engine", "units order work scenario trace snapshot policy"),
    ("check", "units order language scenario trace policy record measured listed"),
    ("examples", ""),
    ("lib", ""),
];

/// Crates that must give the same result everywhere.
const CORE: [&str; 7] = ["sim", "analysis", "batch", "policy", "resident", "search", "traces"];

/// What this file calls the page.
const PAGE: &str = "page";

/// The crate of components that know no state of the page.
const UI: &str = "ui";

/// The page of traces.
const TRACES_PAGE: &str = "traces/page";

const MAX_LINES: usize = 600;

struct Source {
    path: PathBuf,
    /// The name of its crate, without the project's.
    of: String,
    /// Its file or folder in `src/`.
    module: String,
    text: String,
}

/// Every source of the page and of the crates, tests aside.
fn sources() -> Vec<Source> {
    let root = Path::new(blockstep_testing::ROOT).canonicalize().unwrap();
    let crates = fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let mut places: Vec<(String, PathBuf)> =
        crates.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), path.join("src"))).collect();
    places.extend(["messages", "page", "worker"].map(|part| (format!("traces/{part}"), root.join("crates/traces").join(part).join("src"))));
    places.push((PAGE.to_owned(), root.join("src")));
    let mut found: Vec<Source> = places.iter().filter(|(of, _)| of != "testing").flat_map(|(of, place)| sources_in(of, place)).collect();
    assert!(found.len() > 300, "the sources are where they are looked for");
    found.sort_by(|a, b| a.path.cmp(&b.path));
    found
}

fn sources_in(of: &str, place: &Path) -> Vec<Source> {
    let (mut folders, mut found) = (vec![place.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") {
                let inside = path.strip_prefix(place).unwrap();
                let module = Path::new(inside.iter().next().unwrap()).with_extension("").to_string_lossy().into_owned();
                found.push(Source { text: fs::read_to_string(&path).unwrap(), of: of.to_owned(), module, path });
            }
        }
    }
    found
}

impl Source {
    /// Lines of code, without comments, numbered from 1.
    fn code(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text
            .lines()
            .enumerate()
            .map(|(i, line)| (i + 1, line.split("//").next().unwrap_or("")))
            .filter(|(_, code)| !code.trim().is_empty())
    }

    /// Words of code.
    fn words(&self) -> impl Iterator<Item = (usize, &str)> {
        self.code().flat_map(|(n, code)| words(code).map(move |word| (n, word)))
    }

    fn is_core(&self) -> bool {
        // Reading files and answering the page are not of the model.
        CORE.contains(&self.of.as_str()) && !(self.of == "traces" && ["answers", "files", "tables"].contains(&self.module.as_str()))
    }

    fn at(&self, line: usize, what: &str) -> String {
        format!("{}:{line}: {what}", self.path.display())
    }
}

fn words(code: &str) -> impl Iterator<Item = &str> {
    code.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// Every module used through `crate::x` or `use crate::{x, y}`.
fn used_modules(code: &str) -> Vec<String> {
    let name = |s: &str| s.trim().split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("").to_owned();
    let of = |rest: &str| match rest.strip_prefix('{') {
        // Only the names before each `::`, at the outermost level of the braces.
        Some(list) => {
            let (mut depth, mut names, mut start) = (0, Vec::new(), true);
            for (i, c) in list.char_indices() {
                match c {
                    '{' => depth += 1,
                    '}' => depth -= 1,
                    ',' if depth == 0 => start = true,
                    c if start && !c.is_whitespace() => {
                        names.push(name(&list[i..]));
                        start = false;
                    }
                    _ => {}
                }
                if depth < 0 {
                    break;
                }
            }
            names
        }
        None => vec![name(rest)],
    };
    code.match_indices("crate::").flat_map(|(i, m)| of(&code[i + m.len()..])).filter(|name| !name.is_empty()).collect()
}

fn assert_none(found: &[String]) {
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn layering_each_module_of_the_simulator_uses_only_those_before_it() {
    let mut found = Vec::new();
    for source in sources().iter().filter(|source| source.of == "sim") {
        let allowed = ALLOWED.iter().find(|(module, _)| *module == source.module);
        let Some((_, allowed)) = allowed else {
            found.push(source.at(1, "is in no module that this test knows"));
            continue;
        };
        let code: String = source.code().map(|(_, code)| format!("{code}\n")).collect();
        for used in used_modules(&code) {
            let is_module = ALLOWED.iter().any(|(module, _)| *module == used);
            if is_module && used != source.module && !allowed.split(' ').any(|a| a == used) {
                found.push(source.at(1, &format!("uses crate::{used}, which {} may not", source.module)));
            }
        }
    }
    assert_none(&found);
}

#[test]
fn layering_finds_uses() {
    let code = "use crate::units::Time;\nuse crate::{engine::{Run, simulate}, view};\nlet x = crate::draw::f();\n";
    assert_eq!(used_modules(code), ["units", "engine", "view", "draw"]);
}

/// What HTML there is is written by the page, by the components that know no state of it, and by the pages of features.
#[test]
fn layering_views_are_written_in_the_page_alone() {
    let sources = sources();
    let writes = |code: &str| code.match_indices("view!").any(|(i, _)| !code[..i].ends_with(|c: char| c.is_alphanumeric() || c == '_'));
    let lines = |source: &'_ &Source| source.code().filter(|(_, code)| writes(code)).count();
    let (page, others): (Vec<_>, Vec<_>) =
        sources.iter().filter(|source| lines(source) > 0).partition(|source| [PAGE, UI, TRACES_PAGE].contains(&source.of.as_str()));
    assert!(page.len() > 30, "views are written where they are looked for");
    assert_none(&others.iter().map(|source| source.at(1, "writes a view")).collect::<Vec<_>>());
}

/// The others know a policy by what it says of itself; the checker above all must not ask it what it would do.
#[test]
fn layering_only_the_engine_asks_a_policy_to_decide() {
    let facts = ["self", "about", "uses", "About", "Setting"];
    let mut found = Vec::new();
    for source in sources().iter().filter(|s| s.of != "sim" || !["policy", "engine"].contains(&s.module.as_str())) {
        for (n, code) in source.code() {
            // A policy of one's own is a crate of its own.
            let uses = code.match_indices("policy::").filter(|(i, _)| !code[..*i].ends_with("blockstep_"));
            for rest in uses.map(|(i, name)| &code[i + name.len()..]) {
                let list = rest.strip_prefix('{').and_then(|list| list.split('}').next());
                let names = list.unwrap_or_else(|| rest.split(|c: char| !c.is_alphanumeric()).next().unwrap_or(""));
                if names.split(',').any(|name| !facts.contains(&name.trim())) {
                    found.push(source.at(n, code.trim()));
                }
            }
        }
    }
    assert_none(&found);
}

/// What is asked of several kinds of policies at once is a fact that each of them states.
#[test]
fn layering_facts_of_policies_stand_with_the_policies() {
    let kinds = ["Fifo", "Priority", "Runlist", "Edf"];
    // The place of facts that are needed before there are policies.
    let beside = "crates/sim/src/scenario/workload.rs";
    let mut found = Vec::new();
    for source in sources().iter().filter(|s| !s.path.ends_with(beside)) {
        for (n, code) in source.code() {
            let named = |kind: &&str| code.split(|c: char| !c.is_alphanumeric()).any(|word| word == *kind);
            if (code.contains("matches!") || code.contains(" | ")) && kinds.iter().filter(|kind| named(kind)).count() > 1 {
                found.push(source.at(n, code.trim()));
            }
        }
    }
    assert_none(&found);
}

/// What carries a tool's events and effects knows it by what it says of itself: tools come and go without it.
#[test]
fn layering_the_host_names_no_tool() {
    let sources = sources();
    let of = |path: &str| sources.iter().find(|source| source.path.ends_with(path)).unwrap();
    let table = of("crates/tools/src/lib.rs").text.split("\ntools! {").nth(1).unwrap();
    let lines = table.lines().filter_map(|line| line.strip_prefix("    ")?.split_once("::")?.0.split_once(": "));
    let tools: Vec<(&str, &str)> = lines.filter(|(id, _)| id.chars().all(char::is_alphanumeric)).collect();
    assert!(tools.len() > 15, "{tools:?}");
    let host = of("src/panels/host.rs");
    let mut found = Vec::new();
    for (n, code) in host.code() {
        let names = |(id, module): &(&str, &str)| {
            let is_used = |word: &str| word == *module && (code.contains("blockstep_tools::") || code.contains(&format!("{word}::")));
            code.contains(&format!("ToolId::{id}")) || words(code).any(is_used)
        };
        found.extend(tools.iter().filter(|tool| names(tool)).map(|(id, _)| host.at(n, &format!("names the tool {id}"))));
    }
    assert_none(&found);
}

#[test]
fn layering_no_floats_clocks_or_randomness_in_the_core() {
    let banned = ["f32", "f64", "Instant", "SystemTime", "rand", "random", "thread_rng"];
    let sources = sources();
    let words = sources.iter().filter(|s| s.is_core()).flat_map(|s| s.words().map(move |w| (s, w)));
    let found: Vec<_> = words.filter(|(_, (_, w))| banned.contains(w)).map(|(s, (n, w))| s.at(n, w)).collect();
    assert_none(&found);
}

/// Hash maps may be looked up in, by the scenario's validation; nobody may go through one.
#[test]
fn layering_no_hash_order() {
    let sources = sources();
    let mut found = Vec::new();
    for source in sources.iter().filter(|s| s.is_core()) {
        let is_lookup = source.path.ends_with("scenario/validate.rs");
        let hashes = source.words().filter(|(_, w)| ["HashMap", "HashSet", "RandomState"].contains(w));
        found.extend(hashes.filter(|_| !is_lookup).map(|(n, w)| source.at(n, w)));
        if is_lookup {
            for name in ["by_name", "seen", "map", "process_ids", "task_ids", "row_ids", "known", "processes"] {
                let goes_through = [".keys()", ".values()", ".drain(", ".into_iter()", ".retain("].map(|call| format!("{name}{call}"));
                let lines = source.code().filter(|(_, code)| goes_through.iter().any(|g| code.contains(g.as_str())));
                found.extend(lines.map(|(n, code)| source.at(n, code)));
            }
        }
    }
    assert_none(&found);
}

#[test]
fn layering_no_unsafe() {
    let sources = sources();
    // The driver of a GPU is a library in C.
    let may = |s: &&Source| !s.path.ends_with("crates/measure/src/gpu.rs");
    let words = sources.iter().filter(may).flat_map(|s| s.words().map(move |w| (s, w)));
    let found: Vec<_> = words.filter(|(_, (_, w))| *w == "unsafe").map(|(s, (n, w))| s.at(n, w)).collect();
    assert_none(&found);
}

#[test]
fn layering_files_have_headers_and_end_in_time() {
    let mut found = Vec::new();
    for source in sources() {
        if !source.text.starts_with("//!") {
            found.push(source.at(1, "has no header that says what lives here"));
        }
        let lines = source.text.lines().count();
        if lines > MAX_LINES {
            found.push(source.at(lines, &format!("has {lines} lines; at most {MAX_LINES}")));
        } else if lines > 400 {
            println!("{}", source.at(lines, "is getting long"));
        }
    }
    assert_none(&found);
}
