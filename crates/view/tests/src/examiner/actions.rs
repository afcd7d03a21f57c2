//! Programs without kernels of their own, and `stream_action.so`.

use blockstep_format::{ImportOptions, open};

use super::{NO_DURATION, ONCE, import, message, one, times};

fn actions(list: &str, more: &str) -> String {
    let benchmark =
        format!(r#""label": "A", "thread_count": 512, "block_count": 2, "additional_info": {{ {more} "actions": [ {list} ] }}"#);
    one(ONCE, &benchmark).replace("timer_spin", "stream_action")
}

fn kernel(label: &str, ms: u64, more: &str) -> String {
    format!(r#"{{ "type": "kernel", "label": "{label}", {more} "parameters": {{ "duration": {ms}000000 }} }}"#)
}

/// As the examiner's `test_blocking_stream_synchronize.json` and `memset_doesnt_block.json`.
#[test]
fn actions_become_kernels() {
    let sync = r#"{ "type": "synchronize", "label": "s" }"#;
    let list = [kernel("K1", 250, ""), sync.to_owned(), kernel("K2", 250, r#""delay": 0.2,"#)].join(", ");
    assert_eq!(times(&import(&actions(&list, "")).draft), ["K1 0-250 x2", "K2 450-700 x2"]);
    // A delay alone waits for nothing on the GPU.
    let list = [kernel("K1", 250, ""), kernel("K2", 250, r#""delay": 0.2,"#)].join(", ");
    let opened = import(&actions(&list, ""));
    assert_eq!(times(&opened.draft), ["K1 0-250 x2", "K2 250-500 x2"]);
    assert_eq!((opened.draft.kernels[1].start_ns, &opened.draft.kernels[1].after), (200_000_000, &None));
    let memset = r#"{ "type": "memset", "label": "m", "parameters": { "async": false, "size": 1024 } }"#;
    let opened = import(&actions(&[memset.to_owned(), kernel("K3", 250, r#""delay": 0.2,"#)].join(", "), r#""use_null_stream": true,"#));
    assert_eq!(times(&opened.draft), ["K3 200-450 x2"]);
    assert_eq!(opened.draft.kernels[0].stream, "NULL");
    assert_eq!(
        opened.notes[1..],
        [
            "benchmarks[0].additional_info.actions[0]: memset is left out: a kernel table has only kernels and their copies",
            "These fields change nothing in a simulation: async of an action, size of an action, label of an action."
        ]
    );
}

#[test]
fn copies_beside_a_kernel_are_its_own() {
    let copy = |direction: &str, more: &str| {
        format!(r#"{{ "type": "memcpy", "label": "c", "parameters": {{ "size": 4096, "direction": "{direction}"{more} }} }}"#)
    };
    let list = [copy("hostToDevice", ""), kernel("K", 1, ""), copy("deviceToHost", "")].join(", ");
    let draft = import(&actions(&list, "")).draft;
    assert_eq!((draft.kernels.len(), draft.kernels[0].copy_in_bytes, draft.kernels[0].copy_out_bytes), (1, 4096, 4096));
    let list = [kernel("K", 1, ""), copy("hostToDevice", ""), copy("deviceToDevice", ""), copy("deviceToHost", "")].join(", ");
    let opened = import(&actions(&list, ""));
    assert_eq!((opened.draft.kernels[0].copy_in_bytes, opened.draft.kernels[0].copy_out_bytes), (0, 0));
    assert_eq!(opened.notes.iter().filter(|note| note.contains("a copy of 4096 bytes is left out")).count(), 3, "{:?}", opened.notes);
    // One that the CPU waits for lets it go on when the kernel before is done.
    let list = [kernel("K", 1, ""), copy("deviceToHost", r#", "async": false"#), kernel("L", 1, "")].join(", ");
    assert_eq!(import(&actions(&list, "")).draft.kernels[1].after.as_deref(), Some("K"));
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
