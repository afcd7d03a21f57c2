//! What can be asked for is listed once, in Rust. Every other place that lists it has all of it and nothing else: help, documents, and the
//! types of the packages for Python and JavaScript.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use blockstep_analysis::presets;
use blockstep_cli::command;
use blockstep_draw::figure::Palette;
use blockstep_report::columns::{STATE_TABLES, TABLES};
use blockstep_report::figure::FIGURES;
use blockstep_report::{FORMS, verdicts, why};
use blockstep_search::Property;
use blockstep_sim::examples;
use blockstep_sim::scenario::device::BUILT_IN;
use blockstep_sim::scenario::{Choice, PolicyKind};
use blockstep_sim::trace::Variant;
use blockstep_sweep::Measure;
use blockstep_traces::tables as traces;

const NPM: &str = "bindings/npm/package/index.d.ts";
const ANALYSIS: &str = "bindings/npm/package/analysis.d.ts";
const PYTHON: &str = "bindings/python/python/blockstep/__init__.pyi";

fn read(name: &str) -> String {
    fs::read_to_string(Path::new(blockstep_testing::ROOT).join(name)).unwrap_or_else(|why| panic!("{name}: {why}"))
}

/// What a place lacks of a list, and what it has besides.
fn differences<D: ToString, F: ToString>(
    place: &str,
    defined: impl IntoIterator<Item = D>,
    found: impl IntoIterator<Item = F>,
) -> Vec<String> {
    let defined: BTreeSet<String> = defined.into_iter().map(|word| word.to_string()).collect();
    let found: BTreeSet<String> = found.into_iter().map(|word| word.to_string()).collect();
    let lacks = defined.difference(&found).map(|word| format!("{place} lacks {word}"));
    let has = found.difference(&defined).map(|word| format!("{place} has {word}, which there is not"));
    lacks.chain(has).collect()
}

#[track_caller]
fn assert_same<D: ToString, F: ToString>(place: &str, defined: impl IntoIterator<Item = D>, found: impl IntoIterator<Item = F>) {
    let wrong = differences(place, defined, found);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn surface_finds_what_is_missing_and_what_is_too_much() {
    assert_eq!(differences("here", ["a", "b"], ["b", "c"]), ["here lacks a", "here has c, which there is not"]);
    assert!(differences("here", ["a", "b"], ["b", "a"]).is_empty());
    assert_eq!(between("one { a: \"x\" | \"y\"; }", "a: ", ";"), "\"x\" | \"y\"");
    assert_eq!(quoted("\"x\" | \"y\"", '"'), ["x", "y"]);
}

/// What stands between two texts.
#[track_caller]
fn between<'t>(text: &'t str, after: &str, before: &str) -> &'t str {
    let rest = text.split_once(after).unwrap_or_else(|| panic!("there is no {after:?}")).1;
    rest.split_once(before).unwrap_or_else(|| panic!("{after:?} is not followed by {before:?}")).0
}

/// What stands in quotes, or between backticks.
fn quoted(text: &str, quote: char) -> Vec<&str> {
    text.split(quote).skip(1).step_by(2).collect()
}

/// The words between backticks in the first cells of the table that begins so.
fn first_cells(text: &str, head: &str) -> Vec<String> {
    let rows = between(text, head, "\n\n").lines().filter(|line| line.starts_with("| `"));
    let first = |row: &str| quoted(row.split(" | ").next().unwrap(), '`').into_iter().map(str::to_owned).collect::<Vec<_>>();
    rows.flat_map(first).collect()
}

/// The value that a command's option or argument may have, where these are words.
fn possible(command: &clap::Command, name: &str) -> Vec<String> {
    let found = command.get_arguments().find(|arg| arg.get_long() == Some(name) || arg.get_id() == name);
    let found = found.unwrap_or_else(|| panic!("{} has no {name}", command.get_name()));
    found.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect()
}

fn under<'c>(all: &'c clap::Command, path: &[&str]) -> &'c clap::Command {
    path.iter().fold(all, |here, name| here.find_subcommand(name).unwrap_or_else(|| panic!("there is no command {path:?}")))
}

/// The command that a line begins with, and how many words name it.
fn named<'c>(all: &'c clap::Command, words: &[&str]) -> (&'c clap::Command, usize) {
    let mut here = (all, 0);
    while let Some(below) = words.get(here.1).and_then(|word| here.0.find_subcommand(word)) {
        here = (below, here.1 + 1);
    }
    here
}

fn is_whole() -> bool {
    ["measure", "serve"].iter().all(|name| command().find_subcommand(name).is_some())
}

/// Lines of documents that show a command: the file, the line without its indent, and what goes on below it.
fn shown_commands() -> Vec<(String, String)> {
    let folder = fs::read_dir(Path::new(blockstep_testing::ROOT).join("docs")).unwrap();
    let names = folder.map(|entry| format!("docs/{}", entry.unwrap().file_name().to_str().unwrap()));
    let mut found = Vec::new();
    for name in names.filter(|name| name.ends_with(".md")).chain(["README.md".to_owned()]) {
        let text = read(&name);
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let shown = line
                .strip_prefix("    ")
                .map(|line| line.strip_prefix("cargo run --release -- ").map_or(line.to_owned(), |rest| format!("blockstep {rest}")));
            let Some(mut shown) = shown.filter(|line| line.starts_with("blockstep ")) else { continue };
            while let Some(more) = lines.next_if(|line| line.starts_with("          ")) {
                shown = format!("{} {}", shown.trim_end_matches('\\'), more.trim()).replace("| ", "|").replace(" |", "|");
            }
            found.push((name.clone(), shown));
        }
    }
    found
}

#[test]
fn surface_of_commands_in_documents_is_that_of_the_program() {
    let all = command();
    let (mut seen, mut wrong) = (0, Vec::new());
    for (file, line) in shown_commands() {
        for part in line.split("  #").next().unwrap().split("| blockstep ") {
            let words: Vec<&str> = part.trim_start_matches("blockstep ").split_whitespace().collect();
            let (here, count) = named(&all, &words);
            let is_left_out = ["measure", "serve"].contains(words.first().unwrap_or(&""));
            if count == 0 && !is_left_out && !words[0].starts_with('-') && !words[0].starts_with("COMMAND") {
                wrong.push(format!("{file}: there is no command {}", words[0]));
            }
            let options = words[count..].iter().map(|word| word.trim_start_matches('[')).filter_map(|word| word.strip_prefix("--"));
            for option in options.map(|word| word.split(['=', ']', '.']).next().unwrap()).filter(|word| !word.is_empty()) {
                let is_there = ["help", "version"].contains(&option) || here.get_arguments().any(|arg| arg.get_long() == Some(option));
                seen += 1;
                if !is_there && !is_left_out {
                    wrong.push(format!("{file}: {} has no --{option}: {line}", here.get_name()));
                }
            }
            // What is built in has a name without an ending.
            let is_name = |word: &&&str| word.starts_with(|c: char| c.is_ascii_lowercase()) && !word.contains(['.', '/', '|']);
            if let Some(name) = words.get(count).filter(is_name) {
                let is_there = match here.get_name() {
                    "examples" => examples::find(name).is_some(),
                    "show" | "check" if words[0] == "policy" => blockstep_policy::examples::find(name).is_some(),
                    "sweep" => presets::find(name).is_some(),
                    _ => true,
                };
                if !is_there {
                    wrong.push(format!("{file}: {name} is not built in: {line}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 60, "{seen} options");
}

/// The usage in docs/cli.md: every command is there, with all words that its options may have.
#[test]
fn surface_of_the_usage_is_that_of_the_program() {
    let (all, text) = (command(), read("docs/cli.md"));
    let usage: Vec<String> = shown_commands().into_iter().filter(|(file, _)| file == "docs/cli.md").map(|(_, line)| line).collect();
    let (mut commands, mut lists) = (Vec::new(), BTreeMap::new());
    let end = usage.iter().position(|line| line.starts_with("blockstep man ")).unwrap();
    for line in &usage[..=end] {
        let words: Vec<&str> = line.trim_start_matches("blockstep ").split_whitespace().collect();
        let (here, count) = named(&all, &words);
        commands.push(words[..count].join(" "));
        for (place, word) in words.iter().enumerate().skip(count).filter(|(_, word)| word.contains('|')) {
            let choice: Vec<&str> = word.trim_matches(['[', ']', '.']).split('|').collect();
            if choice.iter().any(|word| word.chars().any(char::is_uppercase)) {
                continue;
            }
            let option = words[place - 1].trim_start_matches('[').strip_prefix("--");
            let defined = match option {
                Some(option) => possible(here, option),
                None => here.get_positionals().flat_map(|arg| possible(here, arg.get_id().as_str())).collect(),
            };
            let list: &mut (Vec<String>, Vec<&str>) = lists.entry((here.get_name(), words[place - 1])).or_default();
            *list = (defined, [&list.1[..], &choice].concat());
        }
    }
    // A command may have two lines, with another part of the words in each.
    assert!(lists.len() > 6, "{lists:?}");
    for ((command, option), (defined, found)) in lists {
        assert_same(&format!("docs/cli.md, {command} {option}"), defined, found);
    }
    if is_whole() {
        let listed = |command: &clap::Command| !command.is_hide_set() && command.get_name() != "help";
        let defined = all.get_subcommands().filter(|&command| listed(command)).flat_map(|command| {
            let below: Vec<_> = command
                .get_subcommands()
                .filter(|&below| listed(below))
                .map(|below| format!("{} {}", command.get_name(), below.get_name()))
                .collect();
            if below.is_empty() { vec![command.get_name().to_owned()] } else { below }
        });
        assert_same("the usage in docs/cli.md", defined, &commands);
        let names = all.get_subcommands().filter(|&command| listed(command));
        let names =
            names.flat_map(|command| command.get_visible_aliases().chain([command.get_name()]).map(str::to_owned).collect::<Vec<_>>());
        assert_same("the table of commands in docs/cli.md", names, first_cells(&text, "| command | what it does | more |\n"));
    }
}

#[test]
fn surface_of_the_tables_of_the_command_line_is_that_of_the_program() {
    let (all, text) = (command(), read("docs/cli.md"));
    let formats = possible(under(&all, &["simulate"]), "format");
    assert_same("docs/cli.md, --format", formats, first_cells(&text, "| `--format` | what it gives |\n"));
    let measures = Measure::PLAIN.iter().map(ToString::to_string).chain(["response:NAME".to_owned()]);
    assert_same("docs/cli.md, measures", measures, first_cells(&text, "| measure | meaning |\n"));
    assert_same("docs/cli.md, --property", Property::words(), first_cells(&text, "| `--property` | looked for | when |\n"));
    let policies = quoted(between(&read("docs/file-format.md"), "| `kind` | `\"priority\"` | ", "|"), '`')
        .into_iter()
        .map(str::to_owned)
        .collect::<Vec<_>>();
    assert_same("docs/file-format.md, kinds of policies", PolicyKind::ALL.iter().map(|kind| kind.word()), policies);
    // The first ones by their names, and how many others there are.
    let variants = between(&text, "`--variant` changes a rule, to show its effect: ", " more");
    let (names, count) = variants.split_once(" and ").unwrap();
    let names = quoted(names, '`');
    let unknown: Vec<_> = names.iter().filter(|name| Variant::from_id(name).is_none()).collect();
    let numbers = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen",
        "fifteen",
    ];
    assert!(unknown.is_empty(), "docs/cli.md: {unknown:?}");
    assert_eq!(count, numbers[Variant::ALL.len() - names.len()], "docs/cli.md, variants that are not named");
}

/// What the program draws and prints, and what the packages do, have the same words.
#[test]
fn surface_of_words_is_one_for_the_program_and_the_packages() {
    let all = command();
    let simulate = under(&all, &["simulate"]);
    let is_part = |words: &[&str], of: Vec<String>| words.iter().all(|word| of.contains(&(*word).to_owned()));
    assert!(is_part(&FORMS, possible(simulate, "format")), "{FORMS:?}");
    assert!(is_part(&FIGURES, possible(simulate, "figure")), "{FIGURES:?}");
    let palettes = Palette::ALL.iter().map(|palette| palette.word());
    assert_same("--palette", palettes.clone(), possible(simulate, "palette"));

    let (npm, python) = (read(NPM), read(PYTHON));
    for (what, words) in [("Figure", FIGURES.to_vec()), ("Form", FORMS.to_vec()), ("Palette", palettes.collect())] {
        let of_npm = match what {
            "Form" => between(&npm, "text(form: ", ")"),
            "Figure" => between(&npm, "figure?: ", ";"),
            _ => between(&npm, "palette?: ", ";"),
        };
        assert_same(&format!("{NPM}, {what}"), &words, quoted(of_npm, '"'));
        assert_same(&format!("{PYTHON}, _{what}"), &words, quoted(between(&python, &format!("_{what}: TypeAlias = Literal["), "]"), '"'));
    }
    assert_same(&format!("{NPM}, doing"), why::DOINGS, quoted(between(&npm, "readonly doing: ", ";"), '"'));
    assert_same(&format!("{PYTHON}, doing"), why::DOINGS, quoted(between(&python, "def doing(self) -> Literal[", "]"), '"'));

    // A policy may also be a published one, of which all are named or none.
    let kinds: Vec<&str> = PolicyKind::ALL.iter().map(|kind| kind.word()).collect();
    let published: Vec<&str> = blockstep_policy::examples::EXAMPLES.iter().map(|example| example.id).collect();
    let named: Vec<&str> = python
        .split("Literal[")
        .skip(1)
        .map(|rest| rest.split(']').next().unwrap())
        .filter(|list| list.contains("\"runlist\""))
        .flat_map(|list| quoted(list, '"'))
        .collect();
    let has_published = named.iter().any(|word| published.contains(word) && !kinds.contains(word));
    let defined = kinds.iter().chain(if has_published { &published[..] } else { &[] });
    assert_same(&format!("{PYTHON}, policies"), defined, named);

    for file in ["docs/npm.md", "docs/python.md"] {
        let text = read(file);
        assert_same(
            &format!("{file}, forms"),
            FORMS,
            quoted(between(&text.replace('\n', " "), "is what the command line prints: ", ". "), '`'),
        );
        assert_same(&format!("{file}, doing"), why::DOINGS, quoted(between(&text, "`doing` is ", ". "), '`'));
        assert_same(
            &format!("{file}, palettes"),
            Palette::ALL.iter().map(|palette| palette.word()),
            quoted(between(&text, "`palette` (", ")"), '`'),
        );
    }
}

/// What the second entry of the npm package answers has the words of the command line, and the names of its JSON.
#[test]
fn surface_of_the_analysis_in_javascript_is_that_of_the_program() {
    let (npm, python) = (read(ANALYSIS), read(PYTHON));
    let choice = |after: &str| quoted(between(&npm, after, ";\n"), '"').into_iter().map(str::to_owned).collect::<Vec<_>>();
    assert_same(&format!("{ANALYSIS}, verdicts"), verdicts::VERDICTS, choice("its own policy. */\n  readonly verdict: "));
    assert_same(&format!("{PYTHON}, verdicts"), verdicts::VERDICTS, quoted(between(&python, "def verdict(self) -> Literal[", "]"), '"'));
    let patterns = |words: Vec<String>, of: &str| {
        let of_texts =
            quoted(between(&npm, of, ";\n"), '`').into_iter().map(|word| word.replace("${number}", "N").replace("${string}", "NAME"));
        words.into_iter().chain(of_texts).collect::<Vec<_>>()
    };
    let measures = Measure::PLAIN.iter().map(ToString::to_string).chain(["response:NAME".to_owned()]);
    let of = "export type Measure =";
    assert_same(&format!("{ANALYSIS}, Measure"), measures, patterns(choice(of), of));
    let of = "export type Property =";
    assert_same(&format!("{ANALYSIS}, Property"), Property::words(), patterns(choice(of), of));

    let fields = |name: &str| {
        let lines = between(&npm, &format!("\nexport interface {name} {{"), "\n}").lines();
        let names = lines.filter_map(|line| line.trim().strip_prefix("readonly ")?.split_once(": "));
        names.map(|(name, _)| name.trim_end_matches('?').to_owned()).collect::<Vec<_>>()
    };
    let tables = |name: &str, of: [&str; 3]| {
        let types = between(&npm, &format!("\nexport interface {name} {{"), "\n}");
        let lines = types.lines().filter_map(|line| line.trim().strip_prefix("readonly ")?.split_once(": readonly "));
        let found = lines.filter(|(_, of)| !of.starts_with("string")).map(|(name, _)| name.to_owned());
        assert_same(&format!("{ANALYSIS}, {name}"), of, found);
    };
    tables("Analysis", verdicts::TABLES);
    tables("Trace", traces::TABLES);

    let keys = |of: &serde_json::Value| of.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    let report = |name: &str, tasks: usize, property: Property| {
        let program = blockstep_policy::Program::new(blockstep_policy::examples::find(name).unwrap().text).unwrap();
        let report = blockstep_search::search(&program, tasks, &[property]).unwrap();
        assert!(report.has_fault(), "{name}");
        serde_json::from_str::<serde_json::Value>(&blockstep_format::write_policy_report(name, &program, &report)).unwrap()
    };
    let (requests, timed) = (report("gcaps", 3, Property::Idle), report("hpf", 2, Property::Missed));
    let fault = |report: &serde_json::Value| {
        let found = report["properties"].as_array().unwrap().iter().find(|row| row["verdict"] == "fault");
        found.unwrap_or_else(|| panic!("{report}")).clone()
    };
    assert_same(&format!("{ANALYSIS}, PolicyReport"), [keys(&timed), vec!["has_fault".to_owned()]].concat(), fields("PolicyReport"));
    assert_same(&format!("{ANALYSIS}, SearchLevel"), keys(&requests["levels"][0]), fields("SearchLevel"));
    assert_same(&format!("{ANALYSIS}, SearchTimes"), keys(&timed["times"]), fields("SearchTimes"));
    assert_same(&format!("{ANALYSIS}, PropertyResult"), keys(&fault(&timed)), fields("PropertyResult"));
    assert_same(&format!("{ANALYSIS}, RequestsFault"), keys(&fault(&requests)["fault"]), fields("RequestsFault"));
    assert_same(&format!("{ANALYSIS}, TaskSetFault"), keys(&fault(&timed)["fault"]), fields("TaskSetFault"));
}

/// The tables of a run, in the types and documents of both packages.
#[test]
fn surface_of_tables_is_one_for_both_packages() {
    let (npm, python) = (read(NPM), read(PYTHON));
    let rows = |text: &str| {
        let lines = text.lines().filter_map(|line| line.trim().strip_prefix("readonly ")?.split_once(": readonly "));
        lines.filter(|(_, of)| of.ends_with("[];") && !of.starts_with("string")).map(|(name, _)| name.to_owned()).collect::<Vec<_>>()
    };
    assert_same(&format!("{NPM}, Run"), TABLES, rows(between(&npm, "export class Run {", "\n}")));
    assert_same(&format!("{NPM}, State"), STATE_TABLES, rows(between(&npm, "export interface State {", "\n}")));
    let tables = |text: &str| {
        let lines = text.lines().filter_map(|line| line.trim().strip_prefix("def ")?.split_once("(self) -> Table:"));
        lines.map(|(name, _)| name.to_owned()).collect::<Vec<_>>()
    };
    assert_same(&format!("{PYTHON}, Run"), TABLES, tables(between(&python, "\nclass Run:", "\nclass ")));
    assert_same(&format!("{PYTHON}, State"), STATE_TABLES, tables(between(&python, "\nclass State:", "\nclass ")));
    for (file, head) in [("docs/npm.md", "| rows | one for each |\n"), ("docs/python.md", "| table | a row for each |\n")] {
        let text = read(file);
        let found = first_cells(&text, head);
        assert_same(file, TABLES.map(|table| format!("run.{table}")), found);
        let of_state = text.split("A state has").nth(1).unwrap().split(". ").next().unwrap().split('.').next().unwrap();
        assert_same(&format!("{file}, a state"), STATE_TABLES, quoted(of_state, '`'));
    }
}

/// What a package exports is what its types say, and an option that it knows is one of its types.
#[test]
fn surface_of_each_package_is_that_of_its_types() {
    let (npm, python) = (read(NPM), read(PYTHON));
    let list = |text: &str| text.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect::<Vec<_>>();
    let names = |text: &str| {
        let kinds = ["export class ", "export function ", "export const "];
        let of = |line: &str| {
            kinds.iter().find_map(|kind| Some(line.strip_prefix(kind)?.split(|c: char| !c.is_alphanumeric()).next()?.to_owned()))
        };
        text.lines().filter_map(of).collect::<Vec<_>>()
    };
    assert_same(NPM, list(between(&read("bindings/npm/package/public.js"), "export {", "}")), names(&npm));
    let analysis = read(ANALYSIS);
    let of_both = between(&analysis, "export { ", " }").split(", ").map(str::to_owned);
    let of_analysis = list(between(&read("bindings/npm/package/analysis-public.js"), "export {", "}"));
    assert_same(ANALYSIS, of_analysis, names(&analysis).into_iter().chain(of_both));

    let fields = |types: &str, name: &str| {
        let text = between(types, &format!("export interface {name} "), "}\n");
        text.lines().filter_map(|line| line.strip_prefix("  ")?.split_once("?: ")).map(|(name, _)| name.to_owned()).collect::<Vec<_>>()
    };
    let words = |script: &str, after: &str| {
        let script = read(&format!("bindings/npm/package/{script}"));
        quoted(between(&script, after, "]"), '"').into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_same(&format!("{NPM}, ReadOptions"), words("shared.js", "const READ = ["), fields(&npm, "ReadOptions"));
    assert_same(&format!("{NPM}, SimulateOptions"), words("api.js", "[...READ, "), fields(&npm, "SimulateOptions"));
    assert_same(&format!("{NPM}, SvgOptions"), words("api.js", "  svg(options = {}) {\n    known(options, ["), fields(&npm, "SvgOptions"));
    // Each is one of these, with those that it extends.
    let time = || fields(&analysis, "TimeOptions");
    let limits = || [fields(&analysis, "StepOptions"), time()].concat();
    let of_sweep = [fields(&analysis, "SweepOptions extends ReadOptions, StepOptions, TimeOptions"), limits()].concat();
    let of_policy = [fields(&analysis, "PolicyOptions extends TimeOptions"), time()].concat();
    let of_trace = [fields(&analysis, "TraceOptions extends TimeOptions"), time()].concat();
    assert!(analysis.contains("interface AnalyseOptions extends ReadOptions, StepOptions, TimeOptions {}"));
    for (name, begins, found) in [
        (
            "AnalyseOptions",
            "function analyse(source, options = {}) {\n  const { args, valueOf } = input(source, options, [...READ, ",
            limits(),
        ),
        (
            "SweepOptions",
            "function sweep(source, vary, options = {}) {\n  const { args, valueOf } = input(source, options, [...READ, ",
            of_sweep,
        ),
        ("PolicyOptions", "function policyCheck(policy, options = {}) {\n  known(options, [", of_policy),
        ("TraceOptions", "function trace(file, options = {}) {\n  known(options, [", of_trace),
    ] {
        assert_same(&format!("{ANALYSIS}, {name}"), words("analysis-api.js", begins), found);
    }

    let module = read("bindings/python/python/blockstep/__init__.py");
    let all = |text: &str| quoted(between(text, "__all__ = [", "]"), '"').into_iter().map(str::to_owned).collect::<Vec<_>>();
    assert_same(PYTHON, all(&module), all(&python));
}

/// Help of every command that takes a device names all of them, and its table has a row for each.
#[test]
fn surface_of_devices_is_that_of_the_table() {
    let run = |format: &str| super::cli::run(&["devices", "--format", format]).1;
    let ids = || BUILT_IN.iter().map(|device| device.id);
    let text = run("text");
    assert_same(
        "devices",
        ids(),
        text.lines().skip(1).take_while(|line| !line.is_empty()).map(|line| line.split(' ').next().unwrap().to_owned()),
    );
    let csv = run("csv");
    assert_same("devices --format csv", ids(), csv.lines().skip(1).map(|line| line.split(',').next().unwrap().to_owned()));
    let json: serde_json::Value = serde_json::from_str(&run("json")).unwrap();
    let devices = json["devices"].as_array().unwrap();
    assert_same("devices --format json", ids(), devices.iter().map(|device| device["id"].as_str().unwrap()));
    // Both have the same columns, by the names of scenario files.
    assert_same("devices --format csv", devices[0].as_object().unwrap().keys(), csv.lines().next().unwrap().split(','));
    for (device, built_in) in devices.iter().zip(&BUILT_IN) {
        assert_eq!(device["shared_memory_per_sm"], built_in.device().shared_memory_per_sm);
        assert_eq!(device["warps_per_sm"], built_in.device().threads_per_sm / 32);
        let mut own = device.clone();
        for name in ["id", "compute_capability", "evidence", "preemption", "warps_per_sm"] {
            own.as_object_mut().unwrap().remove(name).unwrap_or_else(|| panic!("there is no {name}"));
        }
        let scenario = serde_json::json!({ "version": 1, "device": own, "kernels": [] }).to_string();
        let read = blockstep_format::read_scenario(&scenario).unwrap();
        assert_eq!(blockstep_sim::scenario::Scenario::new(&read).unwrap().device().built_in().map(|found| found.id), Some(built_in.id));
    }
}
