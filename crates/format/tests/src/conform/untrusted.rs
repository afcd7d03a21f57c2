//! Logs from anywhere: whatever they hold, they are read and judged or refused in words.

use blockstep_format::{MAX_LOG_BLOCKS, read_log, read_logs};
use blockstep_sim::check::measured::{CheckSettings, check};
use blockstep_sim::measured::{infer_device, known};
use blockstep_sim::scenario::is_directive;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use blockstep_testing::arbitrary::cases;

/// Reads, infers and judges; the messages are one line each.
fn survives(text: &str) {
    match read_logs(&[("a.json", text), ("b.json", r#"{"times": []}"#)]) {
        Err(errors) => {
            let message = errors.to_string();
            assert!(!message.is_empty() && message.lines().all(|line| line.len() < 1000), "{message}");
        }
        Ok(run) => {
            let (streams, _) = known(&run, None, false, &[]);
            let found = infer_device(&run);
            let result = check(&run, &CheckSettings::inferred(&found, streams));
            for sentence in result.violations.iter().map(|v| &v.sentence).chain(&found.notes).chain(&result.assumptions).chain(&run.notes())
            {
                assert!(!sentence.is_empty() && !sentence.contains(|c: char| c.is_control() || is_directive(c)), "{sentence:?}");
            }
        }
    }
}

/// A value of any kind, mostly a number that is hard on somebody.
fn value() -> impl Strategy<Value = String> {
    let hard = vec![
        "0",
        "-0",
        "1",
        "0.118530857",
        "-1",
        "1e308",
        "-1e308",
        "1e-400",
        "9223372036.854775807",
        "9223372036.854775808",
        "-9223372036.854775808",
        "18446744073709551615",
        "18446744073709551616",
        "9223372036854775808",
        "4095",
        "4096",
        "null",
        "true",
        "\"\"",
        "{}",
        "[]",
        "[[]]",
        "\"1\"",
        r#""<b>\u001b[31m\n\u202e\"&""#,
    ];
    select(hard).prop_map(str::to_owned)
}

fn list() -> impl Strategy<Value = String> {
    let numbers = (0..8_usize, vec((0..2000_i64).prop_map(|ms| format!("{}.{:03}", ms / 1000, ms % 1000)), 8))
        .prop_map(|(n, list)| format!("[{}]", list[..n].join(",")));
    let ids = (0..5_usize, vec((0..10_u32).prop_map(|id| id.to_string()), 5)).prop_map(|(n, list)| format!("[{}]", list[..n].join(",")));
    prop_oneof![4 => numbers, 2 => ids, 1 => vec(value(), 0..6).prop_map(|list| format!("[{}]", list.join(","))), 1 => value()]
}

fn object(names: Vec<&'static str>) -> impl Strategy<Value = String> {
    let field = (select(names), prop_oneof![list(), value(), (1..3000_u32).prop_map(|n| n.to_string())]);
    vec(field, 0..10).prop_map(|fields| {
        let fields: Vec<_> = fields.iter().map(|(name, value)| format!("\"{name}\": {value}")).collect();
        format!("{{{}}}", fields.join(", "))
    })
}

fn log() -> impl Strategy<Value = String> {
    let entry = object(vec![
        "kernel_name",
        "block_count",
        "thread_count",
        "thread_count",
        "shared_memory",
        "cuda_launch_times",
        "block_times",
        "block_times",
        "block_smids",
        "copy_in_times",
        "execute_times",
        "copy_out_times",
        "cpu_times",
        "other",
    ]);
    let head = object(vec![
        "scenario_name",
        "benchmark_name",
        "label",
        "thread_count",
        "max_resident_threads",
        "data_size",
        "release_time",
        "PID",
        "TID",
    ]);
    (head, vec(entry, 0..5)).prop_map(|(head, entries)| {
        let head = head.trim_end_matches('}');
        let comma = if head.len() > 1 { "," } else { "" };
        format!("{head}{comma} \"times\": [{}]}}", entries.join(",\n"))
    })
}

/// A log that is read for sure, with any times.
fn readable() -> impl Strategy<Value = String> {
    let time = prop_oneof![4 => (0..3000_i64).prop_map(|ns| ns * 1000), 1 => any::<i64>()];
    let seconds = |ns: i64| {
        format!("{}{}.{:09}", if ns < 0 { "-" } else { "" }, ns.unsigned_abs() / 1_000_000_000, ns.unsigned_abs() % 1_000_000_000)
    };
    let times = move |n: usize| vec(time.clone().prop_map(seconds), n..=n).prop_map(|list| list.join(","));
    let kernel = (1..5_usize).prop_flat_map(move |n| (times(2 * n), times(3), vec(0..4_u32, n..=n), any::<u64>(), 0..70_000_u64));
    let program = select(vec!["Timer Spin", "Timer Spin (default stream)", "Other"]);
    (vec(kernel, 1..6), program, 0..3_u32).prop_map(|(kernels, program, pid)| {
        let kernel = |(blocks, launch, sms, threads, shared): &(String, String, Vec<u32>, u64, u64)| {
            let threads = if threads % 2 == 0 { threads % 2000 } else { *threads };
            let sms: Vec<_> = sms.iter().map(u32::to_string).collect();
            format!(
                r#"{{"thread_count": {threads}, "shared_memory": {shared}, "cuda_launch_times": [{launch}], "block_times": [{blocks}], "block_smids": [{}]}}"#,
                sms.join(",")
            )
        };
        let kernels: Vec<_> = kernels.iter().map(kernel).collect();
        format!(r#"{{"benchmark_name": "{program}", "PID": {pid}, "times": [{{}},{}]}}"#, kernels.join(",\n"))
    })
}

proptest! {
    #![proptest_config(cases(1000))]
    #[test]
    fn any_log_is_judged_or_refused(text in log()) {
        survives(&text);
    }

    #[test]
    fn any_times_are_judged(texts in vec(readable(), 1..4)) {
        let files: Vec<(&str, &str)> = texts.iter().map(|text| ("a.json", text.as_str())).collect();
        let run = read_logs(&files).unwrap();
        let (streams, _) = known(&run, None, false, &[]);
        prop_assert!(!check(&run, &CheckSettings::inferred(&infer_device(&run), streams)).judged.is_empty());
    }

    #[test]
    fn any_text_with_a_part_cut_or_changed_is_judged_or_refused(text in readable(), at in any::<prop::sample::Index>(), byte in any::<char>(), cut in any::<bool>()) {
        let at = at.index(text.len());
        prop_assume!(text.is_char_boundary(at));
        survives(&if cut { text[..at].to_owned() } else { format!("{}{byte}{}", &text[..at], &text[at + 1..]) });
    }
}

#[test]
fn deep_and_long_logs_are_refused_in_words() {
    let deep = |n: usize| format!("{{\"times\": {}{}}}", "[".repeat(n), "]".repeat(n));
    assert!(read_log(&deep(100_000), "a.json").unwrap_err().to_string().contains("nested deeper than 128 levels"));
    survives(&deep(100));
    let many = format!("{{\"times\": [{}]}}", vec!["{\"thread_count\": 1}"; 200_001].join(","));
    assert!(read_log(&many, "a.json").unwrap_err().to_string().contains("at most 1000000 blocks and 200000 launches are read"));
    let wrong = format!("{{\"times\": [{}]}}", vec!["7"; 10_000].join(","));
    assert_eq!(read_log(&wrong, "a.json").unwrap_err().problems.len(), 101);
}

/// The largest run that is read, all of it at once on one SM, breaks rules a hundred thousand times over.
#[test]
fn the_largest_run_is_judged() {
    let blocks: Vec<String> = (0..MAX_LOG_BLOCKS / 10).map(|i| format!("0.{:09},1.{:09}", i, i)).collect();
    let entry = format!(r#"{{"kernel_name": "K", "thread_count": 1024, "block_times": [{}]}}"#, blocks.join(","));
    survives(&format!("{{\"times\": [{entry}]}}"));
    let entries: Vec<String> = (0..20_000).map(|i| format!(r#"{{"kernel_name": "K", "thread_count": 1024, "cuda_launch_times": [{i}, {i}], "block_times": [0, 1], "block_smids": [70]}}"#)).collect();
    survives(&format!("{{\"max_resident_threads\": 4096, \"times\": [{}]}}", entries.join(",")));
}

/// A name that would turn the sentence around, and one that would look like another line.
#[test]
fn names_stay_where_they_are_in_sentences() {
    let log = r#"{"label": "=cmd|<b>\"\n\u202eevil", "max_resident_threads": 4096, "times": [
{"kernel_name": "\u2067K\u200f", "block_count": 2, "thread_count": 4096, "block_times": [1, 2], "block_smids": [9]}]}"#;
    let run = read_logs(&[("a.json", log)]).unwrap();
    let result = check(&run, &CheckSettings::inferred(&infer_device(&run), known(&run, None, false, &[]).0));
    let sentences: Vec<&str> = result.violations.iter().map(|v| v.sentence.as_str()).collect();
    assert!(sentences.iter().any(|s| s.contains("=cmd|<b>\"\u{fffd}\u{fffd}evil")), "{sentences:?}");
    assert!(!sentences.concat().contains(is_directive), "{sentences:?}");
}
