//! Hostile and hopeless input through the whole chain, open, check, simulate, export: always an
//! answer in time, never a panic, a hang or a wrapped number.

use std::time::{Duration, Instant};

use blockstep_format::{self as format, ImportOptions};
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::Scenario;
use blockstep_view::quantity::{format_count, format_time};
use proptest::prelude::*;

/// Fewer than a user's limit, so that runaway runs end soon even in a slow build.
const STEPS: Limits = Limits { max_steps: 100_000 };

/// What somebody sees who opens and runs this: the messages, or `end N` of the run.
fn outcome(text: &str) -> String {
    let opened = match format::open(text, &ImportOptions { default_duration_ns: Some(1000), ..ImportOptions::default() }) {
        Ok(opened) => opened,
        Err(e) => return e.to_string(),
    };
    let scenario = match Scenario::new(&opened.draft) {
        Ok(scenario) => scenario,
        Err(e) => return opened.explain(&e, text).to_string(),
    };
    let run = simulate(&scenario, STEPS);
    let records = Records::new(&run.trace);
    let _ = format::write_csv(&run.trace, &records).to_string();
    match format::write_trace(&run.trace, &records).map(|text| text.to_string()) {
        Ok(json) => {
            assert!(serde_json::from_str::<serde_json::Value>(&json).is_ok(), "the export is not JSON: {json}");
            format!("end {}", run.trace.end().ns())
        }
        Err(cut) => cut.to_string(),
    }
}

fn timely(what: &str, limit: Duration, run: impl FnOnce() -> String) -> String {
    let begin = Instant::now();
    let result = run();
    assert!(begin.elapsed() < limit, "{what} took {:?}", begin.elapsed());
    result
}

/// A scenario with these rows, a line each.
fn rows(rows: &[&str]) -> String {
    format!("{{ \"version\": 1, \"kernels\": [\n{} ] }}", rows.join(",\n"))
}

const GOOD: &str = r#"{ "name": "K", "blocks": 2, "threads_per_block": 64, "block_time_ns": 5 }"#;

#[test]
fn a_good_file_runs() {
    assert_eq!(outcome(&rows(&[GOOD])), "end 5");
}

#[test]
fn mistakes_of_meaning_name_field_value_limit_and_line() {
    for (from, to, expected) in [
        ("\"blocks\": 2", "\"blocks\": 0", "line 3: kernels[1].blocks is 0; at least 1 is needed"),
        ("block_time_ns\": 5", "block_time_ns\": 0", "line 3: kernels[1].block_time_ns is 0 ns; at least 1 ns is needed"),
        (
            "block_time_ns\": 5",
            "block_time_ns\": [5]",
            "line 3: kernels[1].block_time_ns lists 1 time for 2 blocks; there must be one for each block",
        ),
        ("per_block\": 64", "per_block\": 0", "line 3: kernels[1].threads_per_block is 0; at least 1 is needed"),
        (
            "per_block\": 64",
            "per_block\": 1025",
            "line 3: kernels[1].threads_per_block is 1,025; at most 1,024 threads fit in a block on this device",
        ),
        (
            "\"blocks\": 2",
            "\"blocks\": 2, \"shared_memory_bytes\": 49153",
            "line 3: kernels[1].shared_memory_bytes is 49,153 B; at most 48 KiB fit in a block on this device",
        ),
        (
            "\"blocks\": 2",
            "\"blocks\": 2, \"registers_per_thread\": 256",
            "line 3: kernels[1].registers_per_thread is 256; at most 255 registers are allowed for a thread on this device",
        ),
        (
            "per_block\": 64",
            "per_block\": 1024, \"registers_per_thread\": 33",
            "line 3: kernels[1].registers_per_thread is 33: with 1,024 threads a block needs 33,792 registers; at most 32,768 registers fit in a block on this device",
        ),
        ("\"L\"", "\"K\"", "line 3: kernels[1].name: \"K\" is already the name of kernels[0]; names are unique"),
        ("\"L\"", "\" \"", "line 3: kernels[1].name is empty; every row needs a name"),
        ("\"L\"", "\"L\", \"task\": \"X\"", "line 3: kernels[1].task: there is no task \"X\""),
        (
            "\"L\"",
            "\"L\", \"after\": \"L\"",
            "line 3: kernels[1].after: \"L\" is not an earlier row; a row can only wait for rows above it",
        ),
        ("\"L\"", "\"L\", \"stream\": \"\"", "line 3: kernels[1].stream is empty; name a stream, or NULL"),
        // Mistakes of form, in the same chain.
        (
            "\"blocks\"",
            "\"block\"",
            "line 3: kernels[1].block: unknown field, did you mean blocks?\nline 3: kernels[1].blocks is missing; it is required",
        ),
        (
            "block_time_ns\": 5",
            "block_time_ns\": \"200 ms\"",
            "line 3: kernels[1].block_time_ns is the text \"200 ms\"; a whole number of nanoseconds is expected, written in digits alone",
        ),
    ] {
        let second = GOOD.replace("\"K\"", "\"L\"").replace(from, to);
        assert_eq!(outcome(&rows(&[GOOD, &second])), expected);
    }
}

#[test]
fn a_limit_is_a_number_in_the_unit_of_its_field() {
    for (from, to, limit) in [
        ("\"blocks\": 2", "\"blocks\": 0", Some(1)),
        ("block_time_ns\": 5", "block_time_ns\": [5, 0]", Some(1)),
        ("per_block\": 64", "per_block\": 1025", Some(1_024)),
        ("\"blocks\": 2", "\"blocks\": 2, \"shared_memory_bytes\": 49153", Some(48 * 1024)),
        ("per_block\": 64", "per_block\": 1000, \"registers_per_thread\": 33", Some(32)),
        ("\"K\"", "\" \"", None),
    ] {
        let text = rows(&[&GOOD.replace(from, to)]);
        let draft = format::read_scenario(&text).unwrap();
        let error = format::FormatError::of_scenario(&Scenario::new(&draft).unwrap_err(), &text);
        assert_eq!(error.problems[0].limit, limit, "{error}");
    }
}

#[test]
fn mistakes_in_the_other_tables_are_named_too() {
    for (table, expected) in [
        (
            r#""device": "tx3""#,
            "line 2: device: there is no built-in device \"tx3\"; there are tx2, tx1, drivepx, k5000, gtx1070, titanv, tk1, k40, k80, gtx750ti, gtx980, p100, xavier, t4, a100, rtx3090, orin, rtx4090, h100, h200, b200",
        ),
        (r#""device": { "sms": 0 }"#, "line 2: device.sms is 0; at least 1 is needed"),
        (r#""device": { "sms": 18446744073709551615 }"#, "line 2: device.sms is 18,446,744,073,709,551,615; at most 4,096 is accepted"),
        (
            r#""streams": [ { "name": "S", "priority": "urgent" } ]"#,
            r#"line 2: streams[0].priority is the text "urgent"; "high", "low" or "none" is expected"#,
        ),
        (
            r#""streams": [ { "name": "NULL", "priority": "high" } ]"#,
            "line 2: streams[0].priority is \"high\"; the NULL stream has no priority of its own and cannot be high",
        ),
        (
            r#""streams": [ { "name": "S" }, { "name": "S" } ]"#,
            "line 2: streams[1].name: \"S\" is listed twice in its process; names are unique",
        ),
        (r#""tasks": [ { "name": "T", "release": "periodic" } ]"#, "line 2: tasks[0].period_ns is required: task \"T\" is periodic"),
        (r#""tasks": [ { "name": "T", "consumes": ["T"] } ]"#, "line 2: tasks[0].consumes: dependency cycle: T waits for itself"),
        (
            r#""tasks": [ { "name": "T", "consumes": ["V"] }, { "name": "U", "consumes": ["T"] }, { "name": "V", "consumes": ["U"] } ]"#,
            "line 2: tasks[0].consumes: dependency cycle: T waits for V, which waits for U, which waits for T",
        ),
        (r#""tasks": [ { "name": "T", "consumes": ["X"] } ]"#, "line 2: tasks[0].consumes[0]: there is no task \"X\""),
        (r#""tasks": [ { "name": "T", "process": "P" } ]"#, "line 2: tasks[0].process: there is no process \"P\""),
        (r#""streams": [ { "name": "S", "process": "P" } ]"#, "line 2: streams[0].process: there is no process \"P\""),
        (r#""processes": [ { "name": "P", "timeslice_ns": 0 } ]"#, "line 2: processes[0].timeslice_ns is 0 ns; at least 1 ns is needed"),
        (r#""tasks": [ { "name": "T", "budget_ns": 0 } ]"#, "line 2: tasks[0].budget_ns is 0 ns; at least 1 ns is needed"),
        (
            r#""policy": { "kind": "edf" }, "tasks": [ { "name": "T", "class": "real_time" } ]"#,
            "line 2: tasks[0].deadline_ns is required under edf: real-time task \"T\" has neither deadline nor period",
        ),
        (
            r#""policy": { "kind": "edf", "preemption": "warp" }"#,
            r#"line 2: policy.preemption is the text "warp"; "thread", "block", "kernel" or "none" is expected"#,
        ),
        (
            r#""tasks": [ { "name": "T", "release": "continuous" } ]"#,
            "line 1: horizon_ns is required: task \"T\" is continuous without a number of jobs and no task is periodic, so nothing says when the run ends",
        ),
    ] {
        assert_eq!(outcome(&format!("{{ \"version\": 1, \"kernels\": [ {GOOD} ],\n{table} }}")), expected);
    }
}

#[test]
fn a_long_cycle_is_named_briefly() {
    let tasks: Vec<String> = (0..20_000).map(|i| format!(r#"{{ "name": "T{i}", "consumes": ["T{}"] }}"#, (i + 1) % 20_000)).collect();
    let text = format!(r#"{{ "version": 1, "kernels": [], "tasks": [ {} ] }}"#, tasks.join(", "));
    let found = timely("a long cycle", Duration::from_secs(20), || outcome(&text));
    assert!(found.contains("dependency cycle: T0 waits for T1, which waits for T2") && found.ends_with("… T0"), "{found}");
    assert!(found.len() < 400, "{found}");
}

#[test]
fn every_number_may_be_as_large_as_64_bits_allow() {
    let huge = [u64::MAX, u64::MAX - 1, 1 << 63, u64::from(u32::MAX) + 1];
    let device_fields: Vec<&str> = blockstep_sim::scenario::device::LIMITS.iter().map(|l| l.field).collect();
    for value in huge {
        for field in [
            "start_ns",
            "blocks",
            "threads_per_block",
            "shared_memory_bytes",
            "registers_per_thread",
            "block_time_ns",
            "copy_in_bytes",
            "copy_out_bytes",
        ] {
            let others = ["\"blocks\": 2", "\"threads_per_block\": 64", "\"block_time_ns\": 5"];
            let others: String = others.iter().filter(|o| !o.contains(&format!("\"{field}\""))).map(|o| format!("{o}, ")).collect();
            let text = rows(&[&format!(r#"{{ "name": "A", {others} "{field}": {value} }}"#)]);
            timely(&format!("{field} {value}"), Duration::from_secs(20), || outcome(&text));
        }
        for field in ["offset_ns", "period_ns", "deadline_ns", "jobs", "budget_ns"] {
            for release in ["once", "periodic", "continuous"] {
                let period = if field == "period_ns" { "" } else { "\"period_ns\": 3, " };
                let text = format!(
                    r#"{{ "version": 1, "kernels": [ {GOOD} ], "tasks": [ {{ "name": "T", "release": "{release}", {period} "{field}": {value} }} ] }}"#
                );
                timely(&format!("{field} {value} {release}"), Duration::from_secs(20), || outcome(&text));
                let text = text.replace("\"version\": 1", &format!("\"version\": 1, \"horizon_ns\": {value}"));
                timely(&format!("{field} {value} {release} with a horizon"), Duration::from_secs(20), || outcome(&text));
            }
        }
        for field in &device_fields {
            let text = format!(r#"{{ "version": 1, "device": {{ "{field}": {value} }}, "kernels": [ {GOOD} ] }}"#);
            timely(&format!("{field} {value}"), Duration::from_secs(20), || outcome(&text));
        }
        for field in ["switch_cost_ns", "timeslice_ns"] {
            let text = format!(
                r#"{{ "version": 1, "kernels": [ {GOOD} ], "policy": {{ "switch_cost_ns": {value} }}, "processes": [ {{ "name": "P", "timeslice_ns": {value} }} ] }}"#
            );
            timely(field, Duration::from_secs(20), || outcome(&text));
        }
    }
}

#[test]
fn times_past_the_last_instant_end_the_run_with_a_message() {
    let max = u64::MAX;
    let two = |a: &str, b: &str| {
        rows(&[
            &format!(r#"{{ "name": "A", "blocks": 1, "threads_per_block": 1, {a} }}"#),
            &format!(r#"{{ "name": "B", "blocks": 1, "threads_per_block": 1, {b} }}"#),
        ])
    };
    // Exactly the last instant is reached, one further is not.
    assert_eq!(outcome(&rows(&[&GOOD.replace("_ns\": 5", &format!("_ns\": {max}"))])), format!("end {max}"));
    let found = outcome(&two(&format!(r#""block_time_ns": {max}"#), r#""block_time_ns": 1"#));
    assert!(found.ends_with(&format!("would be after {}, the last representable instant", format_time(max))), "{found}");
    let found = outcome(&two(r#""block_time_ns": 1"#, &format!(r#""block_time_ns": 1, "after": "A", "start_ns": {max}"#)));
    assert!(found.contains("\"B\"") && found.ends_with("the last representable instant"), "{found}");
    // A horizon before that keeps the run.
    let text =
        two(&format!(r#""block_time_ns": {max}"#), r#""block_time_ns": 1"#).replace("\"version\": 1", "\"version\": 1, \"horizon_ns\": 9");
    assert_eq!(outcome(&text), "end 9");
    assert_eq!(
        outcome(
            &rows(&[&GOOD.replace("\"blocks\"", &format!("\"copy_in_bytes\": {max}, \"blocks\""))])
                .replace("\"version\": 1", "\"version\": 1, \"device\": { \"copy_bandwidth_bytes_per_s\": 1 }")
        ),
        format!(
            "line 2: kernels[0].copy_in_bytes is {} B: copying that takes {} s, beyond the limit of {}",
            format_count(max),
            format_count(max),
            format_time(max)
        )
    );
}

#[test]
fn a_runaway_scenario_is_cut() {
    let found = timely("endless blocks", Duration::from_secs(20), || {
        outcome(&rows(&[&GOOD.replace("\"blocks\": 2", &format!("\"blocks\": {}", u64::MAX))]))
    });
    assert_eq!(found, "the run has more than 100,000 steps, the limit; use a shorter horizon, or fewer jobs or blocks");
    let text = format!(
        r#"{{ "version": 1, "horizon_ns": {}, "kernels": [ {GOOD} ], "tasks": [ {{ "name": "T", "release": "periodic", "period_ns": 1 }} ] }}"#,
        u64::MAX
    );
    assert_eq!(timely("endless jobs", Duration::from_secs(20), || outcome(&text)), found);
    // The same without rows: jobs alone count as steps.
    let text = text.replace(GOOD, "");
    assert_eq!(timely("endless empty jobs", Duration::from_secs(20), || outcome(&text)), found);
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        for depth in [129, 100_000, 5_000_000] {
            let text = format!("{}1{}", open.repeat(depth), close.repeat(depth));
            let expected = "lists and objects are nested deeper than 128 levels";
            let found = timely("deep nesting", Duration::from_secs(10), || outcome(&text));
            assert!(found.starts_with("line 1: not JSON (column") && found.ends_with(expected), "{found}");
        }
    }
    let text = format!("{{ \"version\": 1, \"kernels\": [], \"name\": {}{} }}", "[".repeat(127), "]".repeat(127));
    assert_eq!(outcome(&text), "line 1: name is a list; a text in double quotes is expected");
    // Task hosts inside task hosts, as deep as the text may be.
    let host = r#"{ "benchmarks": [ { "filename": "task_host.so", "additional_info": "#;
    let depth = 42;
    let text = format!("{}{}{}", host.repeat(depth), r#"{ "benchmarks": [] }"#, " } ] }".repeat(depth));
    assert_eq!(outcome(&text), "line 1: benchmarks: no benchmark launches a kernel, so there is nothing to simulate");
}

#[test]
fn large_files_get_an_answer_in_time() {
    let large = format::MAX_FILE_BYTES - 100;
    let fill_part = |item: &str, part: usize| vec![item; large / part / (item.len() + 1)].join(",");
    let fill = |item: &str| fill_part(item, 1);
    for (what, text, expected) in [
        (
            "a 50 MB file",
            " ".repeat(50_000_000),
            "too large: 50000000 bytes or more; the maximum is 33554432 (32 MiB). For rows that repeat, use one task with period_ns and jobs; to remove blanks from JSON, use jq -c",
        ),
        ("a list of numbers", format!("[{}]", fill("1")), "the file holds a list; "),
        (
            "rows that are none",
            format!("{{ \"version\": 1, \"kernels\": [{}] }}", fill("0")),
            "line 1: kernels[0] is 0; an object is expected",
        ),
        ("unknown keys", format!("{{ \"version\": 1, {} }}", fill("\"xxxxxxxxxxxx\": 1")), "line 1: xxxxxxxxxxxx: unknown field; "),
        ("repeated keys", format!("{{ {} }}", fill("\"version\": 1")), "line 1: version is given more than once"),
        ("one string", format!("\"{}\"", "\\u00e9".repeat(large / 6)), "the file holds the text \"éé"),
        (
            "benchmarks of equal names",
            format!("{{ \"benchmarks\": [{}] }}", fill_part(r#"{"filename":"a.so","block_count":1,"thread_count":1}"#, 4)),
            "the run has more than 100,000 steps",
        ),
    ] {
        // In an optimized build a second or two; this is for a slow machine and a slow build.
        let found = timely(what, Duration::from_secs(60), || outcome(&text));
        assert!(found.starts_with(expected), "{what}: {}", found.chars().take(200).collect::<String>());
    }
}

#[test]
fn bad_values_by_the_thousand_are_cut_short() {
    let zero = GOOD.replace("\"blocks\": 2", "\"blocks\": 0");
    let lines: Vec<String> = (0..200_000).map(|i| zero.replace("\"K\"", &format!("\"K{i}\""))).collect();
    let text = rows(&lines.iter().map(String::as_str).collect::<Vec<_>>());
    let found = timely("many problems", Duration::from_secs(30), || outcome(&text));
    assert_eq!(found.lines().count(), 101);
    assert_eq!(found.lines().nth(99).unwrap(), "line 101: kernels[99].blocks is 0; at least 1 is needed");
    assert_eq!(found.lines().last().unwrap(), "and 199900 more");
}

/// A scenario or config whose values have been replaced by anything.
fn mangled() -> impl Strategy<Value = String> {
    let seeds = proptest::sample::select(vec![
        blockstep_sim::examples::first().json.to_owned(),
        format!(r#"{{ "version": 1, "horizon_ns": 50, "device": {{ "name": "d", "sms": 2 }}, "policy": {{ "kind": "fifo", "cbs": true }}, "tasks": [ {{ "name": "T", "release": "periodic", "period_ns": 10, "jobs": 3 }} ], "streams": [ {{ "name": "S1", "priority": "low" }} ], "kernels": [ {GOOD} ] }}"#),
        r#"{ "name": "n", "max_iterations": 2, "max_time": 0.5, "benchmarks": [ { "filename": "multikernel.so", "release_time": 0.25, "stream_priority": -1, "additional_info": [ { "kernel_label": "K", "duration": 10, "block_count": 2, "thread_count": [4, 2], "delay": 0.125, "copy_in_count": 5 } ] } ] }"#.to_owned(),
    ]);
    let value = proptest::sample::select(vec![
        "0",
        "1",
        "2",
        "-1",
        "0.5",
        "1e400",
        "18446744073709551615",
        "18446744073709551616",
        "9223372036854775808",
        "null",
        "true",
        "[]",
        "{}",
        "\"\"",
        "\"K1\"",
        "\"NULL\"",
        "\"high\"",
        "[1, 2]",
        "[[[]]]",
        "1000000000",
        "\"\\u0000\"",
        "",
    ]);
    (seeds, proptest::collection::vec((any::<proptest::sample::Index>(), value), 0..4)).prop_map(|(mut text, edits)| {
        for (place, value) in edits {
            // What stands between a colon and the next comma or closing bracket is a value, more or less.
            let colons: Vec<usize> = text.match_indices(':').map(|(i, _)| i + 1).collect();
            if colons.is_empty() {
                break;
            }
            let from = colons[place.index(colons.len())];
            let to = text[from..].find([',', '}', ']']).map_or(text.len(), |n| from + n);
            text.replace_range(from..to, value);
        }
        text
    })
}

proptest! {
    #[test]
    fn any_values_in_any_place_get_an_answer(text in mangled()) {
        prop_assert!(!outcome(&text).is_empty());
    }

    #[test]
    fn any_text_gets_an_answer(text in "\\PC{0,60}") {
        prop_assert!(!outcome(&text).is_empty());
    }
}

/// A name of 50,000 marks, in a file, a link, an import and a cell: refused at once, with its field and the limit.
#[test]
fn names_that_are_too_long_are_refused_everywhere() {
    let marks = format!("Z{}", "\u{301}".repeat(50_000));
    let shown = |name: &str| blockstep_sim::scenario::plain(&name.chars().take(24).collect::<String>());
    let why =
        |name: &str| format!("\"{}…\" has {} characters; at most 200 are possible", shown(name), format_count(name.chars().count() as u64));
    let letters = "x".repeat(201);
    for name in [&marks, &letters] {
        for field in ["name", "task", "stream", "after"] {
            let given = if field == "name" { format!("\"{name}\"") } else { format!("\"K\", \"{field}\": \"{name}\"") };
            let text = rows(&[&GOOD.replace("\"K\"", &given)]);
            let found = timely(field, Duration::from_secs(1), || outcome(&text));
            assert_eq!(found, format!("line 2: kernels[0].{field}: {}", why(name)));
        }
        let text = format!(
            "{{ \"version\": 1, \"name\": \"{name}\", \"tasks\": [ {{ \"name\": \"T\", \"consumes\": [\"{name}\"] }} ], \"kernels\": [] }}"
        );
        let found = format!("line 1: name: {}\nline 1: tasks[0].consumes[0]: {}", why(name), why(name));
        assert_eq!(timely("file", Duration::from_secs(1), || outcome(&text)), found);
        let draft = blockstep_sim::scenario::Draft { name: name.clone(), ..Default::default() };
        assert_eq!(Scenario::new(&draft).unwrap_err().to_string(), format!("name: {}", why(name)));
        let link = format::write_link(&format::Link { scenario: draft, ..Default::default() }, None).unwrap();
        let found = timely("link", Duration::from_secs(1), || format::read_link(&link).unwrap_err().to_string());
        assert!(found.contains(&why(name)), "{found}");
        let config = format!(
            "{{ \"name\": \"n\", \"max_iterations\": 1, \"max_time\": 0, \"benchmarks\": [ {{ \"filename\": \"./bin/mandelbrot.so\", \
             \"label\": \"{name}\", \"thread_count\": 64, \"block_count\": 2 }} ] }}"
        );
        assert!(timely("config", Duration::from_secs(2), || outcome(&config)).contains(&why(name)));
        let batch = format::write_batch(&format::BatchFile::new(
            blockstep_batch::cases::CASES[0].workload(&blockstep_batch::cases::ASSUMED),
            blockstep_batch::arch::ArchId::ALL[0],
        ));
        let named = batch.replacen("\"name\": \"", &format!("\"name\": \"{name}"), 1);
        assert!(format::read_batch(&named).unwrap_err().to_string().contains("at most 200 are possible"));
        // A cell keeps what was typed, and says what is wrong with it.
        let mut document = blockstep_view::document::Document::new(format::read_scenario(&rows(&[GOOD])).unwrap());
        let table = blockstep_view::table::Table::Kernels;
        let column = table.column_of("name").unwrap();
        document.set(table, 0, column, name);
        assert_eq!((document.name(table, 0).as_str(), document.text(table, 0, column)), ("K", name.clone()));
        assert!(document.unreadable().iter().any(|problem| problem.to_string().contains(&why(name))));
    }
    // At the limit it runs.
    assert_eq!(outcome(&rows(&[&GOOD.replace('K', &"é".repeat(200))])), "end 5");
}
