//! The contract, `docs/semantics.md` and `docs/file-format.md`, is true: its tables are those of the
//! code, its examples are read or refused as it says, and what cites a section finds it there.

mod examples;
mod fields;
mod schema;

use std::fs;
use std::path::{Path, PathBuf};

use blockstep_sim::scenario::device::BUILT_IN;
use blockstep_sim::scenario::{
    Choice, Device, DeviceDraft, Draft, Evidence, Interleave, Preemption, ProcessDraft, Release, Scenario, TaskDraft,
};
use blockstep_sim::trace::{Rule, Variant};

/// A document's text, read when the test runs, so that no document is built into it.
fn document(name: &str) -> String {
    let path = Path::new(blockstep_testing::ROOT).join("docs").join(name);
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn semantics() -> String {
    document("semantics.md")
}

fn file_format() -> String {
    document("file-format.md")
}

/// The lines below a heading, up to the next one of its level or above.
fn section<'d>(document: &'d str, heading: &str) -> Vec<&'d str> {
    let level = heading.bytes().take_while(|&b| b == b'#').count();
    let is_end = |line: &&str| !(1..=level).any(|n| line.starts_with(&format!("{} ", "#".repeat(n))));
    let mut lines = document.lines().skip_while(|line| *line != heading);
    assert!(lines.next().is_some(), "there is no heading \"{heading}\"");
    lines.take_while(is_end).collect()
}

/// The rows of the tables in these lines, without their heads; the backticks are gone.
fn rows(lines: &[&str]) -> Vec<Vec<String>> {
    let is_rule = |line: &str| line.starts_with("|---");
    let mut found = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        let is_head = lines.get(i + 1).is_some_and(|next| is_rule(next));
        if line.starts_with('|') && !is_rule(line) && !is_head {
            let cells = line.trim_matches('|').split('|').map(|cell| cell.trim().replace('`', ""));
            found.push(cells.collect());
        }
    }
    found
}

/// Files of a folder and those below it.
fn files(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![Path::new(blockstep_testing::ROOT).join(folder)], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| extensions.iter().any(|known| e == *known)) {
                found.push(path);
            }
        }
    }
    found
}

#[test]
fn contract_device_table_is_that_of_the_code() {
    let rows: Vec<_> = rows(&section(&semantics(), "### Device")).into_iter().filter(|row| row.len() == 13).collect();
    assert_eq!(rows.len(), BUILT_IN.len());
    for (row, built_in) in rows.iter().zip(&BUILT_IN) {
        let Device {
            name,
            sms,
            threads_per_sm,
            blocks_per_sm,
            shared_memory_per_sm,
            registers_per_sm,
            max_threads_per_block,
            max_shared_memory_per_block,
            max_registers_per_block,
            max_registers_per_thread,
            copy_engines,
            copy_bandwidth_bytes_per_s,
        } = built_in.device();
        assert_eq!(row[0], built_in.id);
        assert!(name.contains(&row[1]), "{name}: {row:?}");
        let kib = |bytes: u64| format!("{} KiB", bytes / 1024);
        let (major, minor) = built_in.limits.capability;
        let cells = [
            format!("{major}.{minor}"),
            sms.to_string(),
            threads_per_sm.to_string(),
            blocks_per_sm.to_string(),
            kib(shared_memory_per_sm),
            registers_per_sm.to_string(),
            kib(max_shared_memory_per_block),
            max_registers_per_block.to_string(),
            max_registers_per_thread.to_string(),
            copy_engines.to_string(),
            built_in.preemption.word().to_owned(),
        ];
        assert_eq!(row[2..], cells);
        // What the text below the table says of all of them, and of one.
        let copies = if built_in.id == "h200" { 55_000_000_000 } else { 1_342_177_280 };
        assert_eq!((max_threads_per_block, copy_bandwidth_bytes_per_s), (1024, copies));
    }
}

/// Section 6: a process that names no mode has its device's; a custom device has `thread`, whatever its name.
#[test]
fn contract_default_modes_are_those_of_the_devices() {
    let mode = |device: DeviceDraft| Scenario::new(&Draft { device, ..Draft::default() }).unwrap().processes()[0].preemption;
    for device in BUILT_IN {
        assert_eq!(mode(DeviceDraft::BuiltIn(device.id.to_owned())), device.preemption);
        assert_eq!(mode(DeviceDraft::Custom(device.device())), Preemption::Thread);
    }
}

/// Section 2: what is known of each device, in the words of a trace.
#[test]
fn contract_says_how_far_the_rules_are_known_on_each_device() {
    let rows: Vec<_> = rows(&section(&semantics(), "### How far the rules are known"));
    let word = |evidence: Evidence| serde_json::to_value(evidence).unwrap().as_str().unwrap().to_owned();
    let told: Vec<(String, String)> =
        rows.iter().flat_map(|row| row[1].split(", ").map(|device| (device.to_owned(), row[0].clone()))).collect();
    let of = |id: &str| told.iter().filter(|(device, _)| device == id).map(|(_, known)| known.clone()).collect::<Vec<_>>();
    for device in BUILT_IN {
        assert_eq!(of(device.id), [word(device.evidence)], "{}", device.id);
        assert_eq!((device.device().evidence(), Evidence::of_gpu(device.name)), (device.evidence, device.evidence));
    }
    assert_eq!(told.len(), BUILT_IN.len() + 1);
    let own = Device { sms: 3, ..Device::default() };
    assert_eq!((own.evidence(), rows.last().map(|row| row[0].clone())), (Evidence::Own, Some(word(Evidence::Own))));
}

/// A recorded name is a driver's; a larger model of that name is another GPU.
#[test]
fn contract_names_of_drivers_are_those_of_devices() {
    for (name, evidence) in [
        ("NVIDIA H200", Evidence::Measured),
        ("NVIDIA GeForce GTX 1070", Evidence::PartlyFound),
        ("NVIDIA TITAN V", Evidence::DataSheet),
        ("Quadro K5000", Evidence::Checked),
        ("NVIDIA Tegra X2", Evidence::Found),
        ("NVIDIA GeForce GTX 1070 Ti", Evidence::DataSheet),
        ("NVIDIA H100 80GB HBM3", Evidence::DataSheet),
        ("AMD Instinct MI300X", Evidence::DataSheet),
        ("NVIDIA", Evidence::DataSheet),
    ] {
        assert_eq!(Evidence::of_gpu(name), evidence, "{name}");
    }
}

#[test]
fn contract_names_every_rule_once() {
    let text = semantics();
    let (papers, model) = (section(&text, "## 3 The rules inside one address space"), section(&text, "### What a step cites"));
    let named: Vec<_> = [papers, model].iter().flat_map(|lines| rows(lines)).map(|row| row[0].clone()).collect();
    let of_rules: Vec<_> = named.iter().filter(|id| id.len() == 2).map(String::as_str).collect();
    assert_eq!(of_rules, Rule::ALL.map(Rule::id));
}

#[test]
fn contract_names_every_variant() {
    let named = rows(&section(&semantics(), "## 13 Rules changed on purpose"));
    let of_code = |v: Variant| [v.id().to_owned(), v.rules().iter().map(|r| r.id()).collect::<Vec<_>>().join(" ")];
    assert_eq!(named.iter().map(|row| [row[0].clone(), row[1].clone()]).collect::<Vec<_>>(), Variant::ALL.map(of_code));
}

#[test]
fn contract_runlists_are_built() {
    let text = semantics();
    let examples = rows(&section(&text, "### The runlist"));
    assert!(examples.len() >= 5);
    for row in examples {
        let levels = [Interleave::High, Interleave::Medium, Interleave::Low];
        let processes: Vec<_> = levels
            .into_iter()
            .zip(&row)
            .flat_map(|(interleave, names)| {
                names.split_whitespace().map(move |name| ProcessDraft { interleave, ..ProcessDraft::named(name) })
            })
            .collect();
        let scenario = Scenario::new(&Draft { processes, ..Draft::default() }).unwrap();
        let built: Vec<_> = scenario.runlist().entries().map(|channel| scenario.process_of(channel).name.clone()).collect();
        let expected: Vec<_> = row[3].split(" (").next().unwrap().split_whitespace().map(str::to_owned).collect();
        assert_eq!(built, expected, "{row:?}");
    }
}

#[test]
fn contract_default_horizons_are_those_of_the_code() {
    let text = semantics();
    let examples = rows(&section(&text, "## 9 End"));
    assert!(examples.len() >= 3);
    for row in examples {
        let task = |(i, period): (usize, &str)| TaskDraft {
            release: Release::Periodic,
            period_ns: Some(period.parse().unwrap()),
            ..TaskDraft::named(format!("T{i}"))
        };
        let mut tasks: Vec<_> = row[0].split(", ").enumerate().map(task).collect();
        // A longer period and the offset, both of a task that is not periodic.
        tasks.push(TaskDraft { period_ns: Some(1000), offset_ns: row[1].parse().unwrap(), ..TaskDraft::named("once") });
        let scenario = Scenario::new(&Draft { tasks, ..Draft::default() }).unwrap();
        assert_eq!(scenario.horizon().map(|end| end.to_string()), Some(row[2].clone()), "{row:?}");
    }
    let without_periods = Scenario::new(&Draft { tasks: vec![TaskDraft::named("T")], ..Draft::default() }).unwrap();
    assert_eq!(without_periods.horizon(), None);
}

/// The numbers after "section" or "sections": `2, 4 and 9`, `1 to 10`.
fn numbers(text: &str) -> Vec<u32> {
    let end = text.find(|c: char| !c.is_ascii_digit() && !", andto".contains(c)).unwrap_or(text.len());
    text[..end].split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse().ok()).collect()
}

#[test]
fn contract_sections_that_are_cited_exist() {
    let (semantics, file_format) = (semantics(), file_format());
    let sections: Vec<u32> = semantics.lines().filter_map(|line| line.strip_prefix("## ")?.split(' ').next()?.parse().ok()).collect();
    assert_eq!(sections, (1..=14).collect::<Vec<_>>());
    let headings: Vec<&str> =
        file_format.lines().filter_map(|line| line.strip_prefix('#').map(|rest| rest.trim_start_matches(['#', ' ']))).collect();
    let own = Path::new(blockstep_testing::ROOT).join("crates/format/tests/src/contract.rs");
    let mut cited = 0;
    for path in [files("src", &["rs"]), files("crates", &["rs"]), files("tests", &["rs"]), files("benches", &["rs"])].concat() {
        if path == own {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        // A citation may go on in the next line of the comment.
        let lines = text.lines().map(|line| line.trim().trim_start_matches(['/', '!']).trim_start());
        let text = lines.collect::<Vec<_>>().join(" ");
        for (at, name) in text.match_indices("docs/semantics.md, section").chain(text.match_indices("contract, section")) {
            let found = numbers(text[at + name.len()..].trim_start_matches(['s', ' ']));
            assert!(!found.is_empty() && found.iter().all(|n| sections.contains(n)), "{}: {found:?}", path.display());
            cited += found.len();
        }
        for (at, name) in text.match_indices("docs/file-format.md, \"") {
            let heading = text[at + name.len()..].split('"').next().unwrap();
            assert!(headings.contains(&heading), "{}: there is no \"{heading}\"", path.display());
        }
    }
    assert!(cited > 60, "{cited} citations");
}

/// The numbers behind "line" or "lines" in a text, ranges written out: `1 and 2`, `30 to 33`.
fn lines_named(text: &str) -> Vec<u32> {
    let lower = text.to_lowercase();
    let behind = lower.match_indices("line ").chain(lower.match_indices("lines ")).map(|(at, name)| &lower[at + name.len()..]);
    let written_out = |text: &str| {
        let named = numbers(text);
        let is_range = text.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(" to ");
        if is_range { (named[0]..=named[1]).collect() } else { named }
    };
    behind.flat_map(written_out).collect()
}

/// Section 4 numbers the lines of the decision without a gap, what names one finds it there, and the code names each.
#[test]
fn contract_lines_of_the_decision_are_those_of_the_code() {
    let text = semantics();
    let of_decision = section(&text, "### The decision, line by line");
    let numbered = |line: &&str| line.strip_prefix("    ")?.trim_start().split_once("  ")?.0.parse::<u32>().ok();
    let lines: Vec<u32> = of_decision.iter().filter_map(numbered).collect();
    assert_eq!(lines, (1..=33).collect::<Vec<_>>());
    for rule in ["M1", "P1", "Q2", "S3", "L3", "P4", "L2", "E5", "E4", "E1", "E7", "L1", "M5", "S1", "S2", "S5", "S6", "S7"] {
        assert!(of_decision.iter().any(|line| line.starts_with("    ") && line.contains(rule)), "no line cites {rule}");
    }
    // The rule that a step cites names its line.
    let mut now = None;
    let mut cited: Vec<(&str, Option<u32>)> = Vec::new();
    for line in of_decision.iter().filter(|line| line.starts_with("    ")) {
        now = numbered(line).or(now);
        cited.extend(line.split(|c: char| !c.is_alphanumeric()).map(|word| (word, now)));
    }
    for rule in Rule::ALL {
        let line = cited.iter().find(|(word, _)| *word == rule.id()).and_then(|(_, line)| *line);
        assert_eq!(rule.line().map(u32::from), line, "{rule:?}");
    }
    // The sections name lines in words and in brackets.
    let in_document = lines_named(&text);
    assert!(in_document.len() > 15 && in_document.iter().all(|line| lines.contains(line)), "{in_document:?}");
    let mut named: Vec<u32> = Vec::new();
    for file in [
        "policy/edf",
        "policy/runlist",
        "policy/own",
        "policy/mod",
        "engine/context",
        "engine/signals",
        "snapshot/pending",
        "snapshot/chain",
    ] {
        let path = Path::new(blockstep_testing::ROOT).join(format!("crates/sim/src/{file}.rs"));
        let text = fs::read_to_string(&path).unwrap();
        let comments = text.lines().filter_map(|line| line.trim().strip_prefix("//")).collect::<Vec<_>>().join("\n");
        named.extend(lines_named(&comments));
    }
    let missing: Vec<u32> = lines.iter().copied().filter(|line| !named.contains(line)).collect();
    assert_eq!(missing, Vec::<u32>::new(), "the code names no such line");
    assert!(named.iter().all(|line| lines.contains(line)), "{named:?}");
}

#[test]
fn contract_is_linked_from_the_readme() {
    let readme = fs::read_to_string(Path::new(blockstep_testing::ROOT).join("README.md")).unwrap();
    assert!(["semantics", "file-format"].iter().all(|name| readme.contains(&format!("(docs/{name}.md)"))));
}

#[test]
fn contract_documents_that_are_named_exist() {
    for path in [
        files("docs", &["md"]),
        files("src", &["rs"]),
        files("crates", &["rs", "json", "txt"]),
        vec![Path::new(blockstep_testing::ROOT).join("README.md")],
    ]
    .concat()
    {
        let text = fs::read_to_string(&path).unwrap();
        for (at, _) in text.match_indices("docs/") {
            let name: String = text[at..].chars().take_while(|c| c.is_ascii_alphanumeric() || "/-.".contains(*c)).collect();
            if let Some(name) = name.split_inclusive(".md").next().filter(|name| name.ends_with(".md")) {
                assert!(Path::new(blockstep_testing::ROOT).join(name).exists(), "{}: there is no {name}", path.display());
            }
        }
    }
}
