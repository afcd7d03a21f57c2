//! No circle of files in `src/`, the page, nor in the crate of its components: each file can be read with those below it alone.
//!
//! Reads paths off the source text as rustfmt writes it: those that begin with `crate`, `super`, `self` or a child. A path
//! belongs to the file with the longest module path that it begins with, so what a folder re-exports belongs to its `mod.rs`.
//! `mod x;` is no path.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::sources;

/// By file of `src/`, the files that it uses.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// Names of modules and what is in them, from the outermost on.
type Names<'a> = Vec<&'a str>;

/// Which of these files uses which; each with its code, without comments.
fn uses(files: &BTreeMap<String, String>) -> Uses {
    let by_module: BTreeMap<String, &String> = files.keys().map(|file| (module_of(file).join("::"), file)).collect();
    let file_of = |names: Vec<String>| (1..=names.len()).rev().find_map(|n| by_module.get(&names[..n].join("::")).copied());
    let used_by = |(file, code): (&String, &String)| {
        let used = paths(module_of(file), code).into_iter().filter_map(file_of).filter(|used| *used != file);
        (file.clone(), used.cloned().collect())
    };
    files.iter().map(used_by).collect()
}

fn module_of(file: &str) -> Names<'_> {
    let path = file.trim_end_matches(".rs");
    if ["lib", "main"].contains(&path) {
        return Vec::new();
    }
    path.strip_suffix("/mod").unwrap_or(path).split('/').collect()
}

/// The paths in a module's code, from the crate's root on.
fn paths(module: Names<'_>, code: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (scope, code) in scopes(module, code) {
        let children: Vec<&str> = code.lines().filter_map(|line| named_module(line)?.strip_suffix(';')).collect();
        for path in written(&code) {
            let mut names = match path[0] {
                "crate" => Vec::new(),
                "self" | "super" => scope.clone(),
                first if children.contains(&first) => scope.clone(),
                _ => continue,
            };
            for name in path {
                match name {
                    "crate" | "self" => {}
                    "super" => drop(names.pop()),
                    name => names.push(name),
                }
            }
            found.push(names.into_iter().map(str::to_owned).collect());
        }
    }
    found
}

/// The code of a file by modules: its own, and those that are written out in it.
fn scopes<'a>(module: Names<'a>, code: &'a str) -> BTreeMap<Names<'a>, String> {
    let (mut inside, mut ends) = (module, Vec::new());
    let mut scopes: BTreeMap<Names<'a>, String> = BTreeMap::new();
    for line in code.lines() {
        let indent = &line[..line.len() - line.trim_start().len()];
        if let Some(name) = named_module(line).and_then(|rest| rest.strip_suffix(" {")) {
            inside.push(name);
            ends.push(format!("{indent}}}"));
        } else if ends.last().is_some_and(|end| end == line.trim_end()) {
            inside.pop();
            ends.pop();
        } else {
            let scope = scopes.entry(inside.clone()).or_default();
            scope.push_str(line);
            scope.push('\n');
        }
    }
    scopes
}

/// What follows `mod` in a line that begins with it: `name;` or `name {`.
fn named_module(line: &str) -> Option<&str> {
    let (before, rest) = line.split_once("mod ")?;
    let is_visibility = before.trim().is_empty() || (before.trim().starts_with("pub") && before.ends_with(' '));
    is_visibility.then(|| rest.trim_end())
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Every path of code as it is written, with what stands in braces written out.
fn written(code: &str) -> Vec<Names<'_>> {
    let (mut rest, mut found) = (code, Vec::new());
    while let Some(at) = rest.find(is_word) {
        // After `<T>::` it goes on with a path, and begins none.
        let goes_on = rest[..at].ends_with("::");
        let count = found.len();
        rest = read_path(&rest[at..], &Vec::new(), &mut found);
        if goes_on {
            found.truncate(count);
        }
    }
    found
}

/// Reads the path that code begins with, after what stands before its braces; returns what follows it.
fn read_path<'a>(code: &'a str, before: &Names<'a>, found: &mut Vec<Names<'a>>) -> &'a str {
    let (mut path, mut rest) = (before.clone(), code);
    loop {
        let (name, after) = rest.split_at(rest.find(|c| !is_word(c)).unwrap_or(rest.len()));
        path.push(name);
        let Some(next) = after.strip_prefix("::") else {
            // A name alone is no path.
            found.extend(Some(path).filter(|path| path.len() > 1));
            return after;
        };
        if next.starts_with(is_word) {
            rest = next;
        } else if let Some(list) = next.strip_prefix('{') {
            return read_list(list, &path, found);
        } else {
            found.push(path);
            return after;
        }
    }
}

/// Reads what stands in braces after a path; returns what follows them.
fn read_list<'a>(code: &'a str, before: &Names<'a>, found: &mut Vec<Names<'a>>) -> &'a str {
    let mut rest = code;
    loop {
        rest = rest.trim_start_matches(|c: char| c == ',' || c.is_whitespace());
        if rest.starts_with(is_word) {
            rest = read_path(rest, before, found);
        } else if rest.starts_with('*') {
            found.push(before.clone());
        }
        // What is left of an entry: its other name, or the star.
        rest = rest.trim_start_matches(|c| c != ',' && c != '}');
        match rest.strip_prefix('}') {
            Some(after) => return after,
            None if rest.is_empty() => return rest,
            None => {}
        }
    }
}

/// The shortest way from a file over others back to it, if there is one.
fn circle(uses: &Uses) -> Option<Vec<&str>> {
    uses.keys().filter_map(|file| way_back(uses, file)).min_by_key(Vec::len)
}

fn way_back<'a>(uses: &'a Uses, start: &'a str) -> Option<Vec<&'a str>> {
    let mut from: BTreeMap<&str, &str> = BTreeMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(file) = queue.pop_front() {
        for used in uses.get(file).into_iter().flatten() {
            if used == start {
                let mut way = vec![start, file];
                while let Some(before) = from.get(way[way.len() - 1]) {
                    way.push(before);
                }
                way.reverse();
                return Some(way);
            }
            if !from.contains_key(used.as_str()) {
                from.insert(used, file);
                queue.push_back(used);
            }
        }
    }
    None
}

#[test]
fn layering_no_circle_of_files_in_the_page() {
    let uses = uses_in(super::PAGE);
    // So that a circle would be seen.
    assert!(uses["lib.rs"].contains("page/mod.rs"), "{:?}", uses["lib.rs"]);
    assert!(uses["panels/mod.rs"].contains("panels/panel.rs"), "{:?}", uses["panels/mod.rs"]);
    assert!(uses["page/study/run.rs"].contains("page/study/state.rs"), "{:?}", uses["page/study/run.rs"]);
    assert_no_circle(&uses);
}

#[test]
fn layering_no_circle_of_files_in_the_components() {
    let uses = uses_in(super::UI);
    assert!(uses["table.rs"].contains("quantity.rs"), "{:?}", uses["table.rs"]);
    assert_no_circle(&uses);
}

#[test]
fn layering_no_circle_of_files_in_the_page_of_traces() {
    let uses = uses_in(super::TRACES_PAGE);
    assert!(uses["panel.rs"].contains("timeline.rs"), "{:?}", uses["panel.rs"]);
    assert_no_circle(&uses);
}

/// Which file of a crate uses which.
fn uses_in(of: &str) -> Uses {
    let in_src = |path: &str| path.rsplit_once("/src/").map(|(_, inside)| inside.to_owned());
    let files = sources()
        .iter()
        .filter(|source| source.of == of)
        .filter_map(|source| Some((in_src(source.path.to_str()?)?, source.code().map(|(_, line)| format!("{line}\n")).collect())))
        .collect();
    uses(&files)
}

fn assert_no_circle(uses: &Uses) {
    if let Some(circle) = circle(uses) {
        panic!("a circle of files, each of which uses the next:\n{}", circle.join("\n"));
    }
}

/// A folder `app/a` with a list of children, and other files beside it.
fn made_up(changes: &[(&str, &str)]) -> Uses {
    let plain = [
        ("app/mod.rs", "pub mod a;\nmod other;\npub use a::view::{self, View};\n"),
        ("app/a/mod.rs", "mod low;\npub mod view;\n\nuse low::Low;\nfn f() -> view::View {\n    super::other::f()\n}\n"),
        ("app/a/view.rs", "use super::low::{Low as Under, more::*};\n"),
        ("app/a/low.rs", "pub mod words {\n    use super::Low;\n}\npub struct Low;\n"),
        ("app/other.rs", "use crate::{app::a::low::{Low, words}, units::Time};\nlet x = Vec::<self::T>::new();\n"),
    ];
    uses(&plain.iter().chain(changes).map(|(file, code)| ((*file).to_owned(), (*code).to_owned())).collect())
}

#[test]
fn layering_finds_what_files_use() {
    let uses = made_up(&[]);
    let of = |file: &str| uses[file].iter().map(String::as_str).collect::<Vec<_>>();
    assert_eq!(of("app/mod.rs"), ["app/a/view.rs"]);
    assert_eq!(of("app/a/mod.rs"), ["app/a/low.rs", "app/a/view.rs", "app/other.rs"]);
    assert_eq!(of("app/a/view.rs"), ["app/a/low.rs"]);
    assert!(of("app/a/low.rs").is_empty(), "a module that is written out in a file is of that file");
    assert_eq!(of("app/other.rs"), ["app/a/low.rs"]);
    assert_eq!(circle(&uses), None);
}

#[test]
fn layering_finds_circles() {
    let back = |file: &'static str, code: &'static str| {
        let uses = made_up(&[(file, code)]);
        circle(&uses).map(|way| way.join(" > "))
    };
    assert_eq!(back("app/a/low.rs", "use super::Low;\n").unwrap(), "app/a/low.rs > app/a/mod.rs > app/a/low.rs");
    assert_eq!(back("app/a/view.rs", "use super::*;\n").unwrap(), "app/a/mod.rs > app/a/view.rs > app/a/mod.rs");
    let through = back("app/a/low.rs", "mod words {\n    fn f() {\n        super::super::super::other::f();\n    }\n}\n");
    assert_eq!(through.unwrap(), "app/a/low.rs > app/other.rs > app/a/low.rs");
    let nested = back("app/a/low.rs", "pub(crate) use crate::{\n    app::{a::{self as b, View}, tools},\n    units,\n};\n");
    assert_eq!(nested.unwrap(), "app/a/low.rs > app/a/mod.rs > app/a/low.rs");
    let long = back("app/a/low.rs", "use crate::app::View;\n");
    assert_eq!(long.unwrap(), "app/a/low.rs > app/mod.rs > app/a/view.rs > app/a/low.rs");
}
