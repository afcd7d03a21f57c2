//! Every field of a config is used or named, whether it is known or not.

use super::{ONCE, SPIN, import, one};
use blockstep_format::{ImportOptions, Opened, open};

/// Whether a field makes a difference, or some note names it.
fn is_used_or_named(without: &Opened, with: &Opened, field: &str) -> bool {
    without.draft != with.draft || without.log_names != with.log_names || with.notes.iter().any(|note| note.contains(field))
}

/// Fields as the README, `parse_config.c` and the configs of cuda_scheduling_examiner have them.
#[test]
fn every_field_of_a_config_and_a_benchmark_is_used_or_named() {
    let (set, of) = (
        r#""name": "n", "max_iterations": 1, "max_time": 0"#,
        r#""filename": "timer_spin.so", "thread_count": 2, "block_count": 3, "additional_info": 4"#,
    );
    let config = |set: &str, of: &str| {
        let other = r#"{ "filename": "timer_spin.so", "thread_count": 1, "block_count": 1, "additional_info": 9, "release_time": 1 }"#;
        import(&format!(r#"{{ {set}, "benchmarks": [ {{ {of} }}, {other} ] }}"#))
    };
    let plain = config(set, of);
    for (field, value) in [
        ("use_processes", "true"),
        ("cuda_device", "1"),
        ("base_result_directory", "\"/tmp\""),
        ("pin_cpus", "true"),
        ("sync_every_iteration", "true"),
        ("resync_iterations", "true"),
        ("do_warmup", "true"),
        ("omit_block_times", "true"),
        ("initialize_in_order", "true"),
    ] {
        let with = config(&format!("{set}, \"{field}\": {value}"), of);
        assert!(is_used_or_named(&plain, &with, field), "{field}: {:?}", with.notes);
    }
    for (field, value) in [
        ("label", "\"L\""),
        ("log_name", "\"l.json\""),
        ("mps_thread_percentage", "50.5"),
        ("data_size", "1024"),
        ("sm_mask", "\"~0x3\""),
        ("max_iterations", "3"),
        ("max_time", "2"),
        ("release_time", "0.5"),
        ("cpu_core", "2"),
        ("stream_priority", "-1"),
        ("terminator", "true"),
    ] {
        // A time alone limits nothing that is done once.
        let of = if field == "max_time" { format!("{of}, \"max_iterations\": 9") } else { of.to_owned() };
        let plain = config(set, &of);
        let with = config(set, &format!("{of}, \"{field}\": {value}"));
        assert!(is_used_or_named(&plain, &with, field), "{field}: {:?}", with.notes);
    }
    // What a program has no use for is told with its name.
    let kernel = r#"{ "kernel_label": "K", "duration": 1, "block_count": 1, "thread_count": 1 }"#;
    let text = one(ONCE, &format!(r#""thread_count": 7, "block_count": 8, "data_size": 9, "additional_info": [ {kernel} ]"#));
    let notes = import(&text.replace("timer_spin", "multikernel")).notes;
    let of = "multikernel.so";
    assert_eq!(
        notes[1..],
        [format!("These fields change nothing in a simulation: thread_count of {of}, block_count of {of}, data_size of {of}.")]
    );
}

#[test]
fn every_field_of_a_kernel_is_used_or_named() {
    let config = |more: &str| {
        let first = r#"{ "kernel_label": "A", "duration": 1, "block_count": 1, "thread_count": 1 }"#;
        let second = format!(r#"{{ "duration": 2, "block_count": 1, "thread_count": 1{more} }}"#);
        import(&one(ONCE, &format!(r#""additional_info": [ {first}, {second} ]"#)).replace("timer_spin", "multikernel"))
    };
    let plain = config("");
    for (field, value) in [
        ("kernel_label", "\"B\""),
        ("shared_memory_size", "4096"),
        ("copy_in_count", "5"),
        ("copy_out_count", "5"),
        ("delay", "0.5"),
        ("sm_mask", "\"~0x3\""),
        ("stream", "\"x\""),
    ] {
        let with = config(&format!(", \"{field}\": {value}"));
        assert!(is_used_or_named(&plain, &with, field), "{field}: {:?}", with.notes);
    }
}

#[test]
fn what_changes_nothing_is_named_once() {
    let benchmark = format!(r#""comment": 1, "comment": 2, "log_name": "x", "cpu_core": 1, "data_size": 0, "sm_mask": "ff", {SPIN}"#);
    let opened = import(&one(&format!(r#"{ONCE} "pin_cpus": true, "cuda_device": 0, "sm": 1,"#), &benchmark));
    let expected = [
        "sm is unknown here and was ignored",
        "benchmarks[0].sm_mask is ignored: blocks may go to every SM",
        "These fields change nothing in a simulation: cpu_core, data_size, pin_cpus, cuda_device.",
    ];
    assert_eq!(opened.notes[1..], expected);
}

#[test]
fn shares_of_the_gpu_are_not_honoured_and_say_so() {
    let note = |settings: &str, percent: &str| {
        let text = one(&format!("{ONCE} {settings}"), &format!(r#""mps_thread_percentage": {percent}, {SPIN}"#));
        import(&text).notes.into_iter().find(|note| note.contains("mps_thread_percentage")).unwrap_or_default()
    };
    assert!(note(r#""use_processes": true,"#, "75.0").starts_with("benchmarks[0].mps_thread_percentage is 75.0 and ignored: MPS"));
    assert_eq!(note("", "75.0"), "benchmarks[0].mps_thread_percentage is ignored without use_processes, as in the examiner");
    assert!(note(r#""use_processes": true,"#, "99.9").contains("ignored"));
    assert_eq!(note(r#""use_processes": true,"#, "100"), "");
}

#[test]
fn a_config_runs_on_another_device() {
    let titan = blockstep_sim::scenario::BuiltIn::find("titanv");
    let opened = open(&one(ONCE, SPIN), &ImportOptions { device: titan, ..ImportOptions::default() }).unwrap();
    assert_eq!(opened.draft.device, blockstep_sim::scenario::DeviceDraft::BuiltIn("titanv".to_owned()));
    assert_eq!(opened.notes, ["The config names no GPU model; the device is the Titan V (Volta gv100), as asked for."]);
}

#[test]
fn a_terminator_is_told_of() {
    let opened = import(&one(ONCE, &format!("{SPIN}, \"terminator\": true")));
    assert!(opened.notes[1].starts_with("benchmarks[0].terminator is true: the examiner ends all other benchmarks"), "{:?}", opened.notes);
    assert!(!import(&one(ONCE, &format!("{SPIN}, \"terminator\": false"))).notes.iter().any(|note| note.contains("terminator")));
}
