//! Programs without kernels of their own, and `stream_action.so`.

use blockstep_format::{ImportOptions, open};
use blockstep_sim::scenario::Call;
use blockstep_testing::shared;

use super::{NO_DURATION, ONCE, import, message, one, times};

fn actions(list: &str, more: &str) -> String {
    let benchmark =
        format!(r#""label": "A", "thread_count": 512, "block_count": 2, "additional_info": {{ {more} "actions": [ {list} ] }}"#);
    one(ONCE, &benchmark).replace("timer_spin", "stream_action")
}

fn kernel(label: &str, ms: u64, more: &str) -> String {
    format!(r#"{{ "type": "kernel", "label": "{label}", {more} "parameters": {{ "duration": {ms}000000 }} }}"#)
}

/// As the examiner's `test_blocking_stream_synchronize.json`.
#[test]
fn actions_become_rows() {
    let sync = r#"{ "type": "synchronize", "label": "s" }"#;
    let list = [kernel("K1", 250, ""), sync.to_owned(), kernel("K2", 250, r#""delay": 0.2,"#)].join(", ");
    let draft = import(&actions(&list, "")).draft;
    assert_eq!(times(&draft), ["K1 0-250 x2", "K2 450-700 x2"]);
    assert_eq!((draft.kernels[1].call, draft.kernels[2].after.as_deref()), (Call::SynchronizeStream, Some("s")));
    // A delay alone waits for nothing on the GPU.
    let list = [kernel("K1", 250, ""), kernel("K2", 250, r#""delay": 0.2,"#)].join(", ");
    let opened = import(&actions(&list, ""));
    assert_eq!(times(&opened.draft), ["K1 0-250 x2", "K2 250-500 x2"]);
    assert_eq!((opened.draft.kernels[1].start_ns, &opened.draft.kernels[1].after), (200_000_000, &None));
}

/// Another benchmark's kernel of 1 s, beside actions that begin at 0.4 s, as in the examiner's `rtas_2018_figure_5.json` to `7`.
fn beside(list: &str, more: &str) -> String {
    let other = r#"{ "filename": "timer_spin.so", "label": "K1", "thread_count": 512, "block_count": 2, "additional_info": 1000000000 }"#;
    actions(list, more).replace(r#""benchmarks": [ {"#, &format!(r#""benchmarks": [ {other}, {{ "release_time": 0.4,"#))
}

#[test]
fn calls_that_wait_for_the_device_hold_up_what_follows() {
    let calls = [
        (r#"{ "type": "synchronize", "label": "act", "parameters": { "device": true } }"#, Call::SynchronizeDevice),
        (r#"{ "type": "free", "label": "act" }"#, Call::Free),
        (r#"{ "type": "malloc", "label": "act", "parameters": { "size": 4096 } }"#, Call::Allocate),
    ];
    for (call, kind) in calls {
        let opened = import(&beside(&[call.to_owned(), kernel("K3", 250, r#""delay": 0.2,"#)].join(", "), ""));
        assert_eq!(times(&opened.draft), ["K1 0-1000 x2", "K3 1200-1450 x2"], "{call}");
        let row = &opened.draft.kernels[1];
        assert_eq!((row.name.as_str(), row.call, opened.draft.kernels[2].after.as_deref()), ("act", kind, Some("act")));
        assert!(!opened.notes.iter().any(|note| note.contains("left out")), "{:?}", opened.notes);
    }
    let host = r#"{ "type": "free", "label": "act", "parameters": { "host": true } }"#;
    let opened = import(&beside(&[host.to_owned(), kernel("K3", 250, "")].join(", "), ""));
    assert!(opened.notes[1].ends_with("actions[0]: frees memory of the host; that waits here like cudaFree"), "{:?}", opened.notes);
}

/// The published configs, and what they show: K3 waits for the other two kernels and 0.2 s more.
#[test]
fn published_calls_hold_up_k3() {
    for name in ["12-device-synchronize-config.json", "12-free-config.json"] {
        let Some(text) = shared::text(&format!("cases/scenarios/{name}")) else { return };
        let lines = times(&import(&text).draft);
        assert!(lines.contains(&"K3 2400-2650 x2".to_owned()), "{lines:?}");
    }
}

/// 32 MiB are 25 ms.
#[test]
fn a_memset_is_an_operation() {
    let memset = |more: &str| format!(r#"{{ "type": "memset", "label": "m", "parameters": {{ "size": 33554432{more} }} }}"#);
    let list = |more: &str| [memset(more), kernel("K3", 250, r#""delay": 0.2,"#)].join(", ");
    let opened = import(&beside(&list(""), ""));
    assert_eq!(times(&opened.draft), ["K1 0-1000 x2", "m 400-425 x1", "K3 600-850 x2"]);
    assert_eq!((opened.draft.kernels[1].call, &*opened.draft.kernels[1].stream), (Call::Memset, "S2"));
    // A synchronous one is on the NULL stream, which waits for all others.
    let opened = import(&beside(&list(r#", "async": false"#), ""));
    assert_eq!(times(&opened.draft), ["K1 0-1000 x2", "m 1000-1025 x1", "K3 1225-1475 x2"]);
    assert_eq!((opened.draft.kernels[1].synchronous, &*opened.draft.kernels[1].stream), (true, "NULL"));
    let opened = import(&beside(&list("").replace("33554432", "0"), ""));
    assert_eq!(times(&opened.draft), ["K1 0-1000 x2", "K3 600-850 x2"]);
    assert!(opened.notes[1].ends_with("actions[0] is left out: its size is 0"), "{:?}", opened.notes);
}

/// As in the examiner's `rtas_2018_figure_11.json`: all that a job has launched is complete when its memory is free.
#[test]
fn calls_are_made_again_in_every_iteration() {
    let list =
        [r#"{ "type": "malloc", "parameters": { "size": 1 } }"#.to_owned(), kernel("K", 100, ""), r#"{ "type": "free" }"#.to_owned()]
            .join(", ");
    let draft = import(&beside(&list, r#""max_iterations": 2,"#)).draft;
    assert_eq!(times(&draft)[..1], ["K1 0-1000 x2"]);
    let again = import(&actions(&list, "").replace(r#""max_iterations": 1"#, r#""max_iterations": 2"#)).draft;
    assert_eq!(times(&again), ["K 0-100 x2", "K 100-200 x2"]);
    assert_eq!(again.kernels.iter().map(|row| &*row.name).collect::<Vec<_>>(), ["malloc", "K", "free"]);
}

#[test]
fn iterations_begin_together_although_a_benchmark_synchronizes() {
    let together = |text: &str| text.replace(ONCE, r#""max_iterations": 2, "max_time": 0, "sync_every_iteration": true,"#);
    let list = |call: &str| [kernel("K2", 250, ""), call.to_owned(), kernel("K3", 250, "")].join(", ");
    let text = together(&beside(&list(r#"{ "type": "synchronize" }"#), "")).replace("1000000000", "600000000");
    let opened = import(&text);
    let expected = ["K1 400-1000 x2", "K2 400-650 x2", "K3 650-900 x2", "K1 1000-1600 x2", "K2 1000-1250 x2", "K3 1250-1500 x2"];
    assert_eq!(times(&opened.draft), expected);
    // One task makes its calls one after another, so it cannot be that of all benchmarks.
    let opened = import(&together(&beside(&list(r#"{ "type": "free" }"#), "")));
    assert!(opened.draft.tasks.len() == 2 && opened.notes.iter().any(|note| note.contains("makes a call that waits for the GPU")));
}

#[test]
fn copies_beside_a_kernel_are_its_own() {
    let copy = |direction: &str, more: &str| {
        format!(r#"{{ "type": "memcpy", "label": "c", "parameters": {{ "size": 4096, "direction": "{direction}"{more} }} }}"#)
    };
    let list = [copy("hostToDevice", ""), kernel("K", 1, ""), copy("deviceToHost", "")].join(", ");
    let draft = import(&actions(&list, "")).draft;
    assert_eq!((draft.kernels.len(), draft.kernels[0].copy_in_bytes, draft.kernels[0].copy_out_bytes), (1, 4096, 4096));
    // Others are rows, at the time of the call; 4 KiB take less than a ms.
    let more = kernel("L", 1, r#""delay": 1,"#);
    let list = [kernel("K", 1, ""), copy("hostToDevice", ""), copy("deviceToDevice", ""), copy("deviceToHost", ""), more].join(", ");
    let rows = import(&actions(&list, "")).draft.kernels;
    let told: Vec<_> = rows.iter().map(|row| (&*row.name, row.call, row.bytes, row.start_ns)).collect();
    let expected = [
        ("K", Call::Kernel, 0, 0),
        ("c", Call::CopyToDevice, 4096, 0),
        ("c (2)", Call::CopyOnDevice, 4096, 0),
        ("c (3)", Call::CopyToHost, 4096, 0),
        ("L", Call::Kernel, 0, 1_000_000_000),
    ];
    assert_eq!(told, expected);
    assert!(rows.iter().all(|row| row.copy_in_bytes == 0 && row.copy_out_bytes == 0 && !row.synchronous));
    // One that the CPU waits for lets it go on when it is complete.
    let list = [kernel("K", 1, ""), copy("deviceToHost", r#", "async": false"#), kernel("L", 1, "")].join(", ");
    let rows = import(&actions(&list, "")).draft.kernels;
    assert_eq!((rows[1].synchronous, &*rows[1].stream, rows[2].after.as_deref()), (true, "NULL", Some("c")));
}

#[test]
fn what_actions_lack_is_named() {
    for (list, problem) in [
        (r#"{ "label": "x" }"#, "[0].type is missing; it is required"),
        (r#"{ "type": "print" }"#, "[0].type is the text \"print\"; kernel, malloc, free, memset, memcpy or synchronize is expected"),
        (r#"{ "type": "kernel" }"#, "[0].parameters is missing; it is required"),
        (r#"{ "type": "kernel", "parameters": {} }"#, "[0].parameters.duration is missing; it is required"),
        (
            r#"{ "type": "memcpy", "parameters": { "size": 1 } }"#,
            "[0].parameters.direction is an object; hostToDevice, deviceToHost or deviceToDevice is expected",
        ),
    ] {
        assert_eq!(message(&actions(list, "")), format!("line 1: benchmarks[0].additional_info.actions{problem}"));
    }
    let counts = r#"{ "type": "kernel", "parameters": { "type": "counter_spin", "duration": 100 } }"#;
    let error = open(&actions(counts, ""), &NO_DURATION).unwrap_err();
    assert!(error.needs_duration && error.to_string().contains("counter_spin counts to a number"), "{error}");
    assert_eq!(
        message(&actions(r#"{ "type": "synchronize" }"#, "")),
        "line 1: benchmarks: no benchmark launches a kernel, so there is nothing to simulate"
    );
}

#[test]
fn programs_say_what_they_are() {
    let of =
        |program: &str, info: &str| one(ONCE, &format!(r#""thread_count": 1, "block_count": 1{info}"#)).replace("timer_spin.so", program);
    for (program, what) in [
        ("mandelbrot.so", "the config of mandelbrot.so has no duration"),
        ("matrix_multiply.so", "the config of matrix_multiply.so has no duration"),
        ("counter_spin.so", "counter_spin.so counts to a number, and the time that takes depends on the GPU"),
        ("own.so", "own.so is not a program of the examiner, and its config has no duration"),
    ] {
        let error = open(&of(program, r#", "additional_info": 100"#), &NO_DURATION).unwrap_err();
        assert!(error.needs_duration);
        assert_eq!(error.to_string(), format!("line 1: benchmarks[0]: {what}; give the time of its blocks"));
        // One that is in the file is read.
        let opened = import(&of(program, r#", "additional_info": { "duration": 5000000, "matrix_width": 3 }"#));
        assert_eq!(times(&opened.draft).len(), 1);
        assert!(opened.notes.iter().any(|note| note.contains("matrix_width")), "{:?}", opened.notes);
    }
    let cpu = of("cpu_random_walk.so", r#", "data_size": 9"#);
    assert_eq!(
        message(&cpu),
        "line 1: benchmarks: cpu_random_walk.so runs on the CPU alone; no benchmark launches a kernel, so there is nothing to simulate"
    );
    let beside = cpu.replace("] }", r#", { "filename": "timer_spin.so", "thread_count": 1, "block_count": 1, "additional_info": 5 } ] }"#);
    let opened = open(&beside, &ImportOptions::default()).unwrap();
    assert_eq!((opened.draft.tasks.len(), opened.draft.kernels.len()), (1, 1));
    assert!(opened.notes[1].starts_with("benchmarks[0]: cpu_random_walk.so runs on the CPU alone"), "{:?}", opened.notes);
}
