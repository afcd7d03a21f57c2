//! Malformed files, each with the exact message, line and field.

use blockstep_format::{ImportOptions, MAX_FILE_BYTES, locate, open, read_scenario};

fn message(text: &str) -> String {
    let error = read_scenario(text).unwrap_err();
    assert_eq!(error.line, error.problems[0].line);
    assert!(!error.needs_duration);
    error.to_string()
}

/// A scenario with one kernel row, whose fields are given.
fn row(fields: &str) -> String {
    format!("{{ \"version\": 1,\n\"kernels\": [\n{{ {fields} }} ] }}")
}

const GOOD: &str = r#""name": "K", "blocks": 1, "threads_per_block": 1, "block_time_ns": 1"#;

#[test]
fn a_good_row_is_read() {
    assert_eq!(read_scenario(&row(GOOD)).unwrap().kernels.len(), 1);
}

#[test]
fn unknown_fields_are_named_with_what_may_have_been_meant() {
    for (path, text, expected) in [
        (
            "kernels[0].thread_per_block",
            row(r#""name": "K", "blocks": 1, "thread_per_block": 1, "threads_per_block": 1, "block_time_ns": 1"#),
            "unknown field, did you mean threads_per_block?",
        ),
        ("kernels[0].Stream", row(&format!(r#"{GOOD}, "Stream": "S""#)), "unknown field, did you mean stream?"),
        (
            "kernels[0].colour",
            row(&format!(r#"{GOOD}, "colour": "red""#)),
            "unknown field; there are name, task, stream, call, bytes, synchronous, call_ns, after, start_ns, blocks, threads_per_block, shared_memory_bytes, \
             registers_per_thread, block_time_ns, block_time_max_ns, copy_in_bytes, copy_out_bytes",
        ),
        ("kernels[0].\"a\\nb\"", row(&format!(r#"{GOOD}, "a\nb": 1"#)), "unknown field; there are name"),
    ] {
        let found = message(&text);
        assert!(found.starts_with(&format!("line 3: {path}: {expected}")), "{found}");
    }
    let top = |field: &str| message(&format!(r#"{{ "version": 1, "kernels": [], {field} }}"#));
    assert_eq!(
        top(r#""colour": 5"#),
        "line 1: colour: unknown field; there are version, name, device, placement, block_ends, connections, policy, horizon_ns, seed, processes, tasks, batches, \
         streams, kernels"
    );
    assert_eq!(top(r#""horizon": 5"#), "line 1: horizon: unknown field, did you mean horizon_ns?");
    assert_eq!(
        top(r#""policy": { "kind": "fifo", "switch_cost": 1 }"#),
        "line 1: policy.switch_cost: unknown field, did you mean switch_cost_ns?"
    );
    assert_eq!(top(r#""device": { "sm": 1 }"#), "line 1: device.sm: unknown field, did you mean sms?");
    assert_eq!(
        top(r#""processes": [ { "name": "P", "priority": 1 } ]"#),
        "line 1: processes[0].priority: unknown field; there are name, interleave, channels, timeslice_ns, preemption, default_stream, guest"
    );
    assert_eq!(top(r#""tasks": [ { "name": "T", "job": 1 } ]"#), "line 1: tasks[0].job: unknown field, did you mean jobs?");
    assert_eq!(top(r#""streams": [ { "nam": "S", "name": "S" } ]"#), "line 1: streams[0].nam: unknown field, did you mean name?");
}

#[test]
fn a_long_unknown_name_is_shortened() {
    let text = row(&format!(r#"{GOOD}, "{}": 1"#, "x".repeat(100_000)));
    assert!(message(&text).starts_with(&format!("line 3: kernels[0].\"{}…\": unknown field; there are", "x".repeat(40))));
}

#[test]
fn missing_fields_are_named() {
    assert_eq!(message("{}"), "line 1: version is missing; it is required\nline 1: kernels is missing; it is required");
    assert_eq!(
        message(&row("")),
        "line 3: kernels[0].name is missing; it is required\n\
         line 3: kernels[0].blocks is missing; it is required\n\
         line 3: kernels[0].threads_per_block is missing; it is required\n\
         line 3: kernels[0].block_time_ns is missing; it is required"
    );
    for table in ["processes", "tasks", "streams"] {
        let text = format!("{{ \"version\": 1, \"kernels\": [],\n \"{table}\": [ {{}} ] }}");
        assert_eq!(message(&text), format!("line 2: {table}[0].name is missing; it is required"));
    }
}

#[test]
fn only_versions_1_to_3_are_read() {
    for (version, shown) in [("4", "4"), ("0", "0"), ("1.0", "1.0"), ("\"1\"", "the text \"1\""), ("null", "null"), ("[1]", "a list")] {
        let text = format!("{{ \"kernels\": [],\n\"version\": {version}, \"news\": 1 }}");
        assert_eq!(message(&text), format!("line 2: version is {shown}; versions 1, 2 and 3 are read"));
    }
}

#[test]
fn numbers_are_whole_and_written_in_digits() {
    for (value, shown) in [
        ("1.5", "1.5"),
        ("1.0", "1.0"),
        ("1e3", "1e3"),
        ("-1", "-1"),
        ("-0", "-0"),
        ("true", "true"),
        ("null", "null"),
        ("{}", "an object"),
        ("\"200 ms\"", "the text \"200 ms\""),
        ("\"5\"", "the text \"5\""),
    ] {
        for (field, unit) in [
            ("start_ns", " of nanoseconds"),
            ("block_time_ns", " of nanoseconds"),
            ("copy_in_bytes", " of bytes"),
            ("registers_per_thread", ""),
        ] {
            let others = GOOD.replace(r#", "block_time_ns": 1"#, if field == "block_time_ns" { "" } else { r#", "block_time_ns": 1"# });
            let text = row(&format!("{others},\n\"{field}\": {value}"));
            assert_eq!(
                message(&text),
                format!("line 4: kernels[0].{field} is {shown}; a whole number{unit} is expected, written in digits alone")
            );
        }
    }
    let text = row(&GOOD.replace(r#""block_time_ns": 1"#, "\"block_time_ns\": [1,\n2,\n\"3\"]"));
    assert_eq!(
        message(&text),
        "line 5: kernels[0].block_time_ns[2] is the text \"3\"; a whole number of nanoseconds is expected, written in digits alone"
    );
}

#[test]
fn numbers_beyond_64_bits_are_named() {
    for value in ["18446744073709551616", "99999999999999999999999999"] {
        let text = row(&format!(r#"{GOOD}, "start_ns": {value}"#));
        assert_eq!(message(&text), format!("line 3: kernels[0].start_ns is {value}; at most 18446744073709551615 is possible"));
    }
    let text = row(&format!(r#"{GOOD}, "start_ns": {}"#, "9".repeat(1_000_000)));
    assert_eq!(message(&text), format!("line 3: kernels[0].start_ns is {}…; at most 18446744073709551615 is possible", "9".repeat(40)));
    let text = row(&format!(r#"{GOOD}, "start_ns": 18446744073709551615"#));
    assert_eq!(read_scenario(&text).unwrap().kernels[0].start_ns, u64::MAX);
    let task = |priority: &str| format!(r#"{{ "version": 1, "kernels": [], "tasks": [ {{ "name": "T", "priority": {priority} }} ] }}"#);
    assert_eq!(read_scenario(&task("-9223372036854775808")).unwrap().tasks[0].priority, i64::MIN);
    assert_eq!(
        message(&task("9223372036854775808")),
        "line 1: tasks[0].priority is 9223372036854775808; it must lie between -9223372036854775808 and 9223372036854775807"
    );
    assert_eq!(message(&task("1.5")), "line 1: tasks[0].priority is 1.5; a whole number is expected");
}

#[test]
fn null_is_not_left_out() {
    let top = |field: &str| message(&format!(r#"{{ "version": 1, "kernels": [], "{field}": null }}"#));
    assert_eq!(top("name"), "line 1: name is null; a text in double quotes is expected");
    assert_eq!(top("horizon_ns"), "line 1: horizon_ns is null; a whole number of nanoseconds is expected, written in digits alone");
    assert_eq!(top("tasks"), "line 1: tasks is null; a list is expected");
    assert_eq!(top("device"), "line 1: device is null; the id of a built-in device or an object is expected");
    assert_eq!(top("policy"), "line 1: policy is null; an object is expected");
    assert_eq!(
        message(&row(&format!(r#"{GOOD}, "after": null"#))),
        "line 3: kernels[0].after is null; a text in double quotes is expected"
    );
}

#[test]
fn repeated_keys_are_errors() {
    assert_eq!(message(&row(&format!("{GOOD},\n\"blocks\": 1"))), "line 4: kernels[0].blocks is given more than once");
    assert_eq!(message(r#"{ "version": 1, "kernels": [], "kernels": [] }"#), "line 1: kernels is given more than once");
    // Escapes do not hide it.
    assert_eq!(message(&row(&format!(r#"{GOOD}, "\u0062locks": 1"#))), "line 3: kernels[0].blocks is given more than once");
}

#[test]
fn unknown_words_list_those_there_are() {
    let top = |field: &str| message(&format!(r#"{{ "version": 1, "kernels": [], {field} }}"#));
    for (field, expected) in [
        (
            r#""streams": [ { "name": "S", "priority": "urgent" } ]"#,
            r#"streams[0].priority is the text "urgent"; "high", "low" or "none" is expected"#,
        ),
        (r#""streams": [ { "name": "S", "priority": -1 } ]"#, r#"streams[0].priority is -1; "high", "low" or "none" is expected"#),
        (r#""policy": { "kind": "rr" }"#, r#"policy.kind is the text "rr"; "fifo", "priority", "runlist", "edf" or "own" is expected"#),
        (
            r#""policy": { "preemption": "Thread" }"#,
            r#"policy.preemption is the text "Thread"; "thread", "block", "kernel" or "none" is expected"#,
        ),
        (r#""policy": { "cbs": 1 }"#, "policy.cbs is 1; true or false is expected"),
        (r#""policy": "fifo""#, r#"policy is the text "fifo"; an object is expected"#),
        (r#""placement": "best" "#, r#"placement is the text "best"; "most_free", "first_fit", "round_robin" or "most_room" is expected"#),
        (
            r#""processes": [ { "name": "P", "interleave": "" } ]"#,
            r#"processes[0].interleave is the text ""; "high", "medium" or "low" is expected"#,
        ),
        (
            r#""tasks": [ { "name": "T", "release": "twice" } ]"#,
            r#"tasks[0].release is the text "twice"; "once", "periodic" or "continuous" is expected"#,
        ),
        (r#""tasks": [ { "name": "T", "class": "rt" } ]"#, r#"tasks[0].class is the text "rt"; "real_time" or "best_effort" is expected"#),
        (r#""tasks": [ { "name": "T", "consumes": "A" } ]"#, r#"tasks[0].consumes is the text "A"; a list is expected"#),
        (r#""tasks": [ { "name": "T", "consumes": [ 1 ] } ]"#, "tasks[0].consumes[0] is 1; a text in double quotes is expected"),
        (r#""tasks": [ "T" ]"#, r#"tasks[0] is the text "T"; an object is expected"#),
        (r#""tasks": {}"#, "tasks is an object; a list is expected"),
        (r#""name": 5"#, "name is 5; a text in double quotes is expected"),
    ] {
        assert_eq!(top(field), format!("line 1: {expected}"));
    }
}

#[test]
fn all_problems_are_told_in_the_order_of_the_file() {
    let text = "{\n\"version\": 1,\n\"nane\": \"x\",\n\"kernels\": [\n{ \"name\": 5, \"blocks\": -1,\n\"threads_per_block\": 1, \"block_time_ns\": 1 } ] }";
    assert_eq!(
        message(text),
        "line 3: nane: unknown field, did you mean name?\n\
         line 5: kernels[0].name is 5; a text in double quotes is expected\n\
         line 5: kernels[0].blocks is -1; a whole number is expected, written in digits alone"
    );
    let text = format!(r#"{{ "version": 1, "kernels": [ {} ] }}"#, vec!["1"; 1000].join(","));
    let error = read_scenario(&text).unwrap_err();
    assert_eq!(error.problems.len(), 101);
    assert_eq!(error.problems[99].path, "kernels[99]");
    assert_eq!(error.problems[100].to_string(), "and more");
}

#[test]
fn what_is_not_json_is_told_with_line_and_column() {
    for (text, expected) in [
        ("", "line 1: the file is empty"),
        (" \n ", "line 2: the file is empty"),
        ("hello", "line 1: not JSON (column 1): a value is expected, not h"),
        ("{\n  \"a\": 1\n  \"b\": 2 }", "line 3: not JSON (column 3): a comma or } is expected, not \\\""),
        ("{\"a\": 1,}", "line 1: not JSON (column 9): the comma before it is one too many"),
        ("[1, 2,\n]", "line 2: not JSON (column 1): the comma before it is one too many"),
        ("{a: 1}", "line 1: not JSON (column 2): a field name in double quotes is expected, not a"),
        ("{\"a\" 1}", "line 1: not JSON (column 6): a colon is expected, not 1"),
        ("[1", "line 1: not JSON (column 3): a comma or ] is expected, but the file ends"),
        ("{\"é\": é}", "line 1: not JSON (column 7): a value is expected, not é"),
        ("{} x", "line 1: not JSON (column 4): the end of the file is expected, not x"),
        ("[\"abc", "line 1: not JSON (column 2): the string that begins here has no end"),
        ("[\"a\nb\"]", "line 1: not JSON (column 4): a string may not hold line breaks or control characters as they are"),
        ("[\"\\x\"]", "line 1: not JSON (column 3): a backslash in a string must be followed by one of \" \\ / b f n r t u"),
        ("[\"\\u12g4\"]", "line 1: not JSON (column 3): \\u must be followed by four hexadecimal digits"),
        ("[\"\\ud800\"]", "line 1: not JSON (column 3): half of a surrogate pair stands alone"),
        ("[\"\\udc00\\ud800\"]", "line 1: not JSON (column 3): half of a surrogate pair stands alone"),
        ("[01]", "line 1: not JSON (column 2): a number may not begin with 0"),
        ("[1.]", "line 1: not JSON (column 4): a digit is expected, not ]"),
        ("[-]", "line 1: not JSON (column 3): a digit is expected, not ]"),
        ("[1e]", "line 1: not JSON (column 4): a digit is expected, not ]"),
        ("[NaN]", "line 1: not JSON (column 2): a value is expected, not N"),
        ("{} // note", "line 1: not JSON (column 4): the end of the file is expected, not /"),
        ("\u{1b}[2J", "line 1: not JSON (column 1): a value is expected, not \\u{1b}"),
    ] {
        assert_eq!(message(text), expected, "{text:?}");
    }
}

#[test]
fn what_is_json_but_no_scenario_is_told() {
    let opened = |text: &str| open(text, &ImportOptions::default()).unwrap_err().to_string();
    assert_eq!(message("[]"), "the file holds a list; a scenario is an object with version and kernels");
    assert_eq!(opened("\"x\""), "the file holds the text \"x\"; a scenario is an object with version and kernels");
    assert_eq!(opened("{}"), "line 1: version is missing; it is required\nline 1: kernels is missing; it is required");
    let neither =
        "this is neither a scenario, which has version and kernels, nor a config of cuda_scheduling_examiner, which has benchmarks";
    assert_eq!(opened(r#"{ "scenario_name": "x" }"#), neither);
    assert!(opened(r#"{ "scenario_name": "x", "times": [] }"#).starts_with("this is a log of cuda_scheduling_examiner; check it"));
    assert_eq!(opened(r#"{ "version": 1, "scenario": "", "blocks": [] }"#), "this is the trace of a run; open the scenario that was run");
    // With a field of either it is read as that.
    assert!(opened(r#"{ "name": "x" }"#).starts_with("line 1: version is missing"));
    assert!(opened(r#"{ "version": 1, "kernels": [], "benchmarks": [] }"#).starts_with("line 1: benchmarks: unknown field"));
}

#[test]
fn a_text_beyond_the_limit_is_not_parsed() {
    let text = "[".repeat(MAX_FILE_BYTES + 1);
    let expected = "too large: 33554433 bytes or more; the maximum is 33554432 (32 MiB). For rows that repeat, use one task with period_ns and jobs; to remove blanks from JSON, use jq -c";
    assert_eq!(message(&text), expected);
    assert_eq!(open(&text, &ImportOptions::default()).unwrap_err().to_string(), expected);
    assert_eq!(locate(&text, "name"), None);
}

#[test]
fn a_byte_order_mark_and_windows_line_ends_are_accepted() {
    let text = format!("\u{feff}{}", row(GOOD).replace('\n', "\r\n"));
    assert!(read_scenario(&text).is_ok());
    assert_eq!(message(&text.replace("\"K\"", "7")), "line 3: kernels[0].name is 7; a text in double quotes is expected");
}

#[test]
fn fields_are_located_by_line() {
    let text =
        "{\n\"version\": 1,\n\"tasks\": [],\n\"kernels\": [\n{ \"name\": \"A\" },\n{ \"name\": \"B\",\n  \"block_time_ns\": [1,\n2] } ]\n}";
    for (path, line) in [
        ("", 1),
        ("horizon_ns", 1),
        ("version", 2),
        ("kernels", 4),
        ("kernels[0].name", 5),
        ("kernels[1]", 6),
        ("kernels[1].blocks", 6),
        ("kernels[1].block_time_ns[1]", 8),
        ("kernels[1].block_time_ns[2]", 7),
        ("kernels[9].name", 4),
        ("tasks[0].name", 3),
        ("kernels[18446744073709551616].name", 4),
    ] {
        assert_eq!(locate(text, path), Some(line), "{path}");
    }
    assert_eq!(locate("{", "x"), None);
}

/// Texts made of the pieces that matter to a JSON parser, most of them malformed.
fn scraps() -> impl proptest::strategy::Strategy<Value = String> {
    use proptest::prelude::*;
    let piece = proptest::sample::select(vec![
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\"",
        "\"",
        "\\",
        "\"\\u00e9\"",
        "\"\\ud83d\\ude00\"",
        "\\u12",
        "1",
        "0",
        "-",
        ".5",
        "1e5",
        "e",
        "E+1",
        "true",
        "false",
        "null",
        "nul",
        " ",
        "\n",
        "é",
        "\u{1f600}",
        "\t",
        "\u{0}",
        "\"k\":",
        "[1,2]",
        "{\"k\":1}",
    ]);
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest::proptest! {
    /// Another implementation agrees on what JSON is.
    #[test]
    fn exactly_json_is_parsed(text in scraps()) {
        // A value that the parser accepts is refused later, for another reason than its syntax.
        let refused = read_scenario(&text).err().is_some_and(|e| e.to_string().contains("not JSON") || e.to_string().contains("is empty"));
        let theirs = serde_json::from_str::<serde_json::Value>(&text).err().map(|e| e.to_string());
        // They refuse numbers that 64-bit floating point cannot hold; those are JSON all the same.
        proptest::prop_assume!(!theirs.as_ref().is_some_and(|e| e.contains("out of range")));
        proptest::prop_assert_eq!(refused, theirs.is_some(), "{:?}: {:?}", text, theirs);
    }

    /// Strings mean the same to both.
    #[test]
    fn strings_are_decoded_like_elsewhere(name in "\\PC*", ascii in "[ -~\\n\\t\\x00-\\x1f]*") {
        for name in [name, ascii] {
            let text = serde_json::json!({ "version": 1, "kernels": [], "name": name }).to_string();
            proptest::prop_assert_eq!(&read_scenario(&text).unwrap().name, &name);
            let draft = blockstep_sim::scenario::Draft { name, ..Default::default() };
            let value: serde_json::Value = serde_json::from_str(&blockstep_format::write_scenario(&draft)).unwrap();
            proptest::prop_assert_eq!(value.get("name").map_or("", |n| n.as_str().unwrap()), draft.name);
        }
    }
}

#[test]
fn notes_of_an_import_that_fails_follow_its_problems() {
    let benchmark = |more: &str| format!(r#"{{ "filename": "timer_spin.so", "thread_count": 1, "block_count": 1, {more} }}"#);
    let benchmarks = [benchmark(r#""additional_info": 5, "sm_mask": 1"#), benchmark("\"additional_info\": {}")].join(", ");
    let config = format!(r#"{{ "name": "n", "max_iterations": 1, "max_time": 0, "benchmarks": [ {benchmarks} ] }}"#);
    let told = open(&config, &ImportOptions::default()).unwrap_err().with_notes();
    let lines: Vec<_> = told.lines().collect();
    assert_eq!(lines[0], "line 1: benchmarks[1].additional_info.duration is missing; it is required");
    assert_eq!(lines[2], "note: benchmarks[0].sm_mask is ignored: blocks may go to every SM");
}
