//! The tables of fields in `docs/file-format.md` against the reader.

use blockstep_format::{MAX_FILE_BYTES, read_scenario};
use blockstep_sim::engine::Limits;
use blockstep_sim::scenario::{Class, Draft, PolicyKind, Scenario, StreamDraft, StreamPriority};
use blockstep_sim::units::{ProcessId, Span, TaskId};

use super::{file_format, rows, section};

/// A scenario in which `{}` stands where a field of this object may be; what an error calls the
/// object; its required fields.
pub(super) const OBJECTS: [(&str, &str, &str); 8] = [
    ("### The scenario", r#"{ "version": 3, "kernels": []{} }"#, ""),
    ("### `policy`", r#"{ "version": 3, "kernels": [], "policy": { "kind": "priority"{} } }"#, "policy."),
    ("### A row of `processes`", r#"{ "version": 3, "kernels": [], "processes": [ { "name": "P"{} } ] }"#, "processes[0]."),
    ("### A row of `tasks`", r#"{ "version": 3, "kernels": [], "tasks": [ { "name": "T"{} } ] }"#, "tasks[0]."),
    ("### A row of `batches`", r#"{ "version": 3, "kernels": [], "batches": [ { "name": "B", "deadline_ns": 1{} } ] }"#, "batches[0]."),
    ("### A row of `streams`", r#"{ "version": 3, "kernels": [], "streams": [ { "name": "S"{} } ] }"#, "streams[0]."),
    (
        "### A row of `kernels`",
        r#"{ "version": 3, "kernels": [ { "name": "K", "blocks": 1, "threads_per_block": 1, "block_time_ns": 1{} } ] }"#,
        "kernels[0].",
    ),
    ("### A custom device", r#"{ "version": 3, "kernels": [], "device": { "copy_engines": 1{} } }"#, "device."),
];

/// Field, default and the last cell of each row under a heading.
pub(super) fn table(heading: &str) -> Vec<[String; 3]> {
    let text = file_format();
    let lines = section(&text, heading);
    let end = lines.iter().position(|line| line.starts_with("### ")).unwrap_or(lines.len());
    let keep_ticks: Vec<_> = lines[..end].iter().map(|line| line.replace('`', "\u{1}")).collect();
    let lines: Vec<_> = keep_ticks.iter().map(String::as_str).collect();
    rows(&lines).into_iter().map(|row| [row[0].replace('\u{1}', ""), row[1].clone(), row[2].clone()]).collect()
}

/// What stands between backticks, if the whole cell does.
fn literal(cell: &str) -> Option<&str> {
    cell.strip_prefix('\u{1}')?.strip_suffix('\u{1}').filter(|inner| !inner.contains('\u{1}'))
}

fn with(template: &str, field: &str) -> String {
    template.replacen("{}", field, 1)
}

#[test]
fn contract_lists_the_fields_that_are_read() {
    for (heading, template, path) in OBJECTS {
        let message = read_scenario(&with(template, r#", "no such field at all": 0"#)).unwrap_err().to_string();
        let known = message.split_once("there are ").unwrap_or_else(|| panic!("{heading}: {message}")).1;
        let listed: Vec<_> = table(heading).into_iter().map(|[field, ..]| field).collect();
        assert_eq!(listed.join(", "), known, "{heading} {path}");
    }
}

/// A field that is given with the default stated changes nothing.
#[test]
fn contract_defaults_are_those_of_the_reader() {
    let mut literals = 0;
    for (heading, template, path) in OBJECTS {
        let plain = read_scenario(&with(template, "")).unwrap();
        for [field, default, _] in table(heading) {
            let message = |text: &str| read_scenario(text).unwrap_err().to_string();
            match literal(&default) {
                Some(value) if template.contains(&format!("\"{field}\":")) => {
                    assert!(template.contains(&format!("\"{field}\": {value}")), "{heading} {field}");
                }
                Some(value) => {
                    let given = read_scenario(&with(template, &format!(", \"{field}\": {value}")));
                    assert_eq!(given.unwrap_or_else(|e| panic!("{field}: {e}")), plain, "{heading} {field}");
                    literals += 1;
                }
                None if default == "required" => {
                    let text = drop_field(&with(template, ""), &field);
                    assert_eq!(message(&text), format!("line 1: {path}{field} is missing; it is required"), "{heading}");
                }
                None => assert!(!default.is_empty(), "{heading} {field}"),
            }
        }
    }
    assert!(literals >= 30, "{literals} defaults");
}

/// Defaults that are said in words, each with what it comes to; a new one must be added here.
#[test]
fn contract_defaults_in_words_are_those_of_the_code() {
    let scenario = |text: &str| Scenario::new(&read_scenario(text).unwrap()).unwrap();
    let bare = scenario(&with(OBJECTS[6].1, ""));
    let task = |fields: &str| scenario(&with(OBJECTS[3].1, fields)).tasks()[0].clone();
    let two = scenario(
        r#"{ "version": 1, "processes": [ { "name": "A" }, { "name": "B" } ], "tasks": [ { "name": "C" }, { "name": "D" } ],
            "streams": [ { "name": "S" } ],
            "kernels": [ { "name": "K", "blocks": 1, "threads_per_block": 1, "block_time_ns": 1 } ] }"#,
    );
    let batches = scenario(
        r#"{ "version": 3, "policy": { "kind": "edf", "cbs": false }, "tasks": [ { "name": "T", "deadline_ns": 9 } ], "kernels": [],
            "batches": [ { "name": "B", "deadline_ns": 5 } ] }"#,
    );
    let batches = &batches.claimants()[1..];
    let words: Vec<_> = OBJECTS
        .iter()
        .flat_map(|(heading, ..)| table(heading).into_iter().map(move |[field, default, _]| (*heading, field, default)))
        .filter(|(_, _, default)| literal(default).is_none() && !default.starts_with("required"))
        .collect();
    assert!(words.len() >= 14, "{words:?}");
    for (heading, field, default) in words {
        let default = default.replace('\u{1}', "");
        let is_so = match (heading.trim_start_matches("### A row of "), field.as_str(), default.as_str()) {
            (_, "policy", "{ \"kind\": \"priority\" }") => bare.policy().kind == PolicyKind::Priority,
            (_, "switch_cost_max_ns", "none") => !bare.switches().vary(),
            (_, "watchdog_ns", "none") => bare.policy().watchdog_ns.is_none(),
            ("`tasks`", "pixel_latency_ns", "none") => task("").pixel_latency.is_none(),
            (_, "connections", "one for each stream") => bare.connections().is_none(),
            (_, "horizon_ns", "section 9") => bare.horizon().is_none(),
            (_, "processes", "one, P0") => bare.processes().iter().map(|p| &p.name).eq(["P0"]),
            (_, "tasks", "one, T0") => bare.tasks().iter().map(|t| &t.name).eq(["T0"]),
            (_, "batches", "none") => !bare.has_batches(),
            ("`batches`", "task", "the first") => batches[0].task == TaskId(0),
            ("`batches`", "budget_ns", "none") => batches[0].batch.as_ref().is_some_and(|batch| batch.rows == 0),
            ("`batches`", "period_ns", "the deadline") => batches[0].period == Some(Span(5)),
            ("`kernels`", "batch", "none") => bare.rows()[0].claimant == TaskId(0).into(),
            (_, "streams", "none") => read_scenario(&with(OBJECTS[6].1, "")).unwrap().streams.is_empty(),
            ("`processes`", "preemption", "the device's (section 6)") => true,
            ("`processes`", "guest", "the process's name") => bare.processes().iter().all(|p| p.guest == p.name),
            ("`tasks`", "process", "the first") => two.tasks()[1].process == ProcessId(0),
            ("`tasks`", "period_ns", "none") => task("").period.is_none(),
            ("`tasks`", "deadline_ns", "the period") => {
                task(r#", "period_ns": 7"#).deadline == Some(Span(7)) && task("").deadline.is_none()
            }
            ("`tasks`", "jobs", "no limit") => task(r#", "release": "periodic", "period_ns": 7"#).jobs.is_none(),
            ("`tasks`", "class", "follows") => {
                let classes = ["", r#", "period_ns": 7"#, r#", "deadline_ns": 0"#].map(|fields| task(fields).class);
                classes == [Class::BestEffort, Class::RealTime, Class::RealTime]
            }
            ("`tasks`", "budget_ns", "section 7") => task("").budget.is_none(),
            ("`tasks`", "call_ns", "none") => !task("").calls_in_turn && task(r#", "call_ns": 0"#).calls_in_turn,
            ("`kernels`", "call_ns", "the task's") => {
                let of = |fields: &str| scenario(&with(OBJECTS[6].1, fields)).rows()[0].call_time;
                let both = r#"{ "version": 3, "tasks": [ { "name": "T", "call_ns": 7 } ],
                                "kernels": [ { "name": "K", "call": "free" }, { "name": "L", "call": "free", "call_ns": 3 } ] }"#;
                let times: Vec<_> = scenario(both).rows().iter().map(|row| row.call_time).collect();
                of("") == Span::ZERO && of(r#", "call_ns": 5"#) == Span(5) && times == [Span(7), Span(3)]
            }
            ("`streams`", "process", "the first") => two.streams()[0].process == ProcessId(0),
            ("`kernels`", "task", "the first") => two.rows()[0].task == TaskId(0),
            ("`kernels`", "after", "none") => bare.rows()[0].after.is_none(),
            ("`kernels`", "records", "none") => bare.rows()[0].records.is_none(),
            ("`kernels`", "graph", "none") => bare.rows()[0].node.is_none(),
            ("`kernels`", "block_time_max_ns", "none") => bare.rows()[0].variation.most() == Span::ZERO,
            other => panic!("nobody checks {other:?}"),
        };
        assert!(is_so, "{heading} {field}: {default}");
    }
}

/// A text without a field, whose value holds no comma.
fn drop_field(text: &str, field: &str) -> String {
    let key = format!("\"{field}\": ");
    let start = text.rfind(&key).unwrap_or_else(|| panic!("{text}: {field}"));
    let value = start + key.len();
    let length = text[value..].find([',', ' ']).unwrap();
    let after = text[value + length..].trim_start_matches(',');
    let before = text[..start].trim_end();
    let before = if after.trim_start().starts_with('}') { before.trim_end_matches(',') } else { before };
    format!("{before}{after}")
}

#[test]
fn contract_limits_of_devices_are_those_of_the_code() {
    use blockstep_sim::scenario::Scenario;
    let outcome = |field: &str, value: u128| {
        let text = format!(r#"{{ "version": 1, "kernels": [], "device": {{ "{field}": {value} }} }}"#);
        read_scenario(&text).map_err(|e| e.to_string()).and_then(|draft| Scenario::new(&draft).map_err(|e| e.to_string()))
    };
    for [field, _, most] in table("### A custom device") {
        if field == "name" {
            continue;
        }
        let most: u128 = most.parse().unwrap();
        assert!(outcome(&field, most).is_ok(), "{field}");
        let error = outcome(&field, most + 1).unwrap_err();
        assert!(error.replace(',', "").contains(&format!("at most {most} is")), "{error}");
        assert!(outcome(&field, 0).unwrap_err().contains("at least 1"));
    }
}

/// The limits that "Reading is strict" and the tables name.
#[test]
fn contract_limits_of_files_are_those_of_the_code() {
    let text = file_format();
    let says = |words: &str| assert!(text.split_whitespace().collect::<Vec<_>>().join(" ").contains(words), "{words}");
    says("A file has at most 32 MiB and nests at most 128 deep");
    assert_eq!(MAX_FILE_BYTES, 32 * 1024 * 1024);
    says("A run of more than 5,000,000 steps is an error");
    assert_eq!(Limits::default().max_steps, 5_000_000);

    let nested = |depth: usize| format!(r#"{{ "version": 1, "kernels": {}{} }}"#, "[".repeat(depth - 1), "]".repeat(depth - 1));
    let message = |text: &str| read_scenario(text).unwrap_err().to_string();
    assert!(!message(&nested(128)).contains("not JSON") && message(&nested(129)).contains("not JSON"));

    says("at most 100 problems are named");
    let strange: Vec<_> = (0..101).map(|i| format!("\"no such field {i}\": 0")).collect();
    let found = message(&format!("{{ {} }}", strange.join(", ")));
    assert_eq!((found.lines().count(), found.lines().last()), (101, Some("and more")));

    says("at most 1,000,000 rows, as in every table");
    let stream = |i: u32| StreamDraft { process: None, name: i.to_string(), priority: StreamPriority::None, non_blocking: false };
    let error = Scenario::new(&Draft { streams: (0..=1_000_000).map(stream).collect(), ..Draft::default() }).unwrap_err();
    assert_eq!(error.to_string(), "streams has 1,000,001 rows; at most 1,000,000 are read");
}
