//! `blockstep policy`: published policies and a reader's own, searched for faults.

use super::{TempFile, run, run_reading};

#[test]
fn policies_are_listed_and_shown() {
    let (status, list, err) = run(&["policy", "list"]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(list.starts_with("gcaps                GCAPS, as printed (ECRTS 2024, Algorithm 1)\n") && list.lines().count() >= 12, "{list}");
    let (status, text, _) = run(&["policy", "show", "gcaps"]);
    assert!(status == 0 && text.starts_with("# GCAPS as printed") && text.ends_with("admit running\n"));
    let (status, out, err) = run(&["policy", "show", "gcap"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.starts_with("error: there is no built-in policy \"gcap\"; there are\ngcaps "), "{err}");
}

#[test]
fn a_fault_of_a_policy_is_told_with_its_requests() {
    let (status, out, err) = run(&["policy", "check", "gcaps"]);
    assert_eq!((status, err.as_str()), (1, ""));
    let lost = "
fault    lost                +A +B -A
                             B is lost after 3 requests.
                             A begins, B begins, A ends: line 25 sets running to pending, which is empty.
";
    assert!(out.starts_with("gcaps: up to 4 tasks, 3,702 states, all of them\n\n") && out.contains(lost), "{out}");
    let text = std::fs::read_to_string(format!("{}/docs/cli.md", blockstep_testing::ROOT)).unwrap();
    let documented: String = lost.lines().skip(1).map(|line| format!("    {line}\n")).collect();
    assert!(text.contains(&documented), "{documented}");
    assert!(out.contains("\nclean    fails               every decision can be made, at any depth, for up to 4 tasks\n"), "{out}");
    assert!(
        out.contains("\nwarning  no-work ")
            && out.contains("\n\nAssumed: each request is handled by itself, there is one GPU, nothing fails")
    );
}

#[test]
fn a_sound_policy_is_clean_and_a_warning_is_no_fault() {
    let (status, out, _) = run(&["policy", "check", "round-robin", "--tasks", "3"]);
    assert_eq!((status, out.matches("\nclean ").count(), out.matches("\nfault ").count()), (0, 7, 0), "{out}");
    let keeps = "s: set\non request(t):\n  add t to s\nadmit s\n";
    let (status, out, _) = run_reading(keeps.as_bytes(), &["policy", "check", "-"]);
    assert!(status == 0 && out.contains("\nwarning  no-work  +A -A\n"), "{out}");
    // A fault that is not asked for is not looked for.
    let (status, out, _) = run(&["policy", "check", "gcaps", "--property", "fails", "--property", "at-most=9"]);
    assert!(status == 0 && out.contains("clean    at-most=9  at most 9 tasks at once"), "{out}");
}

#[test]
fn verdicts_on_policies_are_json_too() {
    let (status, out, _) = run(&["policy", "check", "gcaps-driver", "--tasks", "3", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((status, &value["policy"], &value["is_closed"]), (1, &"gcaps-driver".into(), &true.into()));
    assert_eq!(value["levels"][2], serde_json::json!({ "tasks": 3, "assignments": 8, "closed": 8, "states": 249, "deepest": 11 }));
    let of = |word: &str| value["properties"].as_array().unwrap().iter().find(|row| row["property"] == word).unwrap().clone();
    assert_eq!((&of("mixed")["verdict"], of("mixed").get("fault")), (&"clean".into(), None));
    let idle = &of("idle")["fault"];
    assert_eq!((&idle["requests"], &idle["length"], &idle["line"], &idle["cycle"]), (&"+A +B -A".into(), &3.into(), &27.into(), &0.into()));
    assert!(of("starved")["fault"]["cycle"].as_u64().unwrap() > 0 && of("no-work")["is_warning"] == true);
}

#[test]
fn a_missed_deadline_is_told_with_its_task_set() {
    let (status, out, err) = run(&["policy", "check", "hpf", "--property", "missed"]);
    assert_eq!((status, err.as_str()), (1, ""));
    let fault = "
fault    missed  A 2 of 4 ms, B 3 of 6 ms
                 B misses its deadline at 6 ms, though the test promises it: utilization 1.
                 Job 0 of B, released at 0 s, is not complete then. Line 5 held it back just before.
";
    assert!(out.starts_with("hpf: up to 3 tasks, 23,674 task sets, not all of them\n\n") && out.contains(fault), "{out}");
    let text = std::fs::read_to_string(format!("{}/docs/cli.md", blockstep_testing::ROOT)).unwrap();
    let documented: String = fault.lines().skip(1).map(|line| format!("    {line}\n")).collect();
    assert!(text.contains(&documented), "{documented}");
    assert!(out.contains("\nopen     fails   nothing was found, but not all of it was searched\n"), "{out}");
    assert!(out.contains("\n\nAssumed: there is one GPU, and nothing fails. Of task sets: the test is that of preemptive EDF"), "{out}");
    // A policy that claims it is held against it, beside its requests.
    let (status, out, _) = run(&["policy", "check", "edf", "--tasks", "2"]);
    let header = "edf: up to 2 tasks, 23 states, all of them; up to 2 tasks, 12,694 task sets, all of them\n";
    assert!(status == 0 && out.starts_with(header), "{out}");
    let said = "\nnone     missed     no deadline missed in all 12,694 task sets of up to 2 tasks with periods up to 6 ms that the test promises; other \
                sets were not tried\n";
    assert!(out.contains(said), "{out}");
}

#[test]
fn faults_of_a_policy_have_tables() {
    let (status, out, _) = run(&["policy", "check", "hpf", "--tasks", "2", "--property", "missed", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((status, &value["is_closed"], &value["levels"]), (1, &false.into(), &serde_json::json!([])));
    assert_eq!(value["times"], serde_json::json!({ "tasks": 2, "sets": 12_694, "of": 12_694, "is_over": false }));
    let missed = &value["properties"][1];
    assert_eq!((&missed["property"], &missed["verdict"]), (&"missed".into(), &"fault".into()));
    let fault = &missed["fault"];
    let told = (&fault["tasks"], &fault["jobs"], &fault["at_ns"], &fault["line"]);
    assert_eq!(told, (&"A 2 of 4 ms, B 3 of 6 ms".into(), &3.into(), &6_000_000.into(), &5.into()));
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path().join("faults");
    let all = ["policy", "check", "gcaps", "--tasks", "2", "--property", "missed", "--property", "lost", "-o", at.to_str().unwrap()];
    let (status, _, err) = run(&all);
    let mut names: Vec<String> = std::fs::read_dir(&at).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    assert_eq!((status, err.as_str(), names.join(" ").as_str()), (1, "", "lost.json missed.json"));
    let file = std::fs::read_to_string(at.join("missed.json")).unwrap();
    let (_, out, _) = run(&["policy", "check", "gcaps", "--tasks", "2", "--property", "missed", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&file).unwrap(), value["properties"][1]["fault"]["scenario"]);
    let (status, out, err) = run(&["simulate", at.join("missed.json").to_str().unwrap(), "--format", "steps"]);
    assert!(status == 0 && out.contains("\n6000000 D2 deadline missed by B#0\n"), "{out} {err}");
    // Files that are there stay, unless they are to be replaced.
    let (status, _, err) = run(&all);
    assert!(status == 2 && err.contains("are there already; nothing was written"), "{err}");
    let (status, _, _) = run(&[all.as_slice(), &["--overwrite"]].concat());
    assert_eq!(status, 1);
}

#[test]
fn mistakes_in_a_policy_are_named() {
    let file = TempFile::new("own.policy", "running: set\non request(t):\n  add t to runing\nadmit running\n");
    let (status, out, err) = run(&["policy", "check", file.path()]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert_eq!(err, format!("error: {}: line 3, column 12: nothing is called runing; did you mean running?\n", file.path()));
    let (status, _, err) = run(&["policy", "check", "no such file"]);
    assert_eq!((status, err.as_str()), (2, "error: no such file: there is no such file, and no built-in policy of that name\n"));
    for (option, value, said) in
        [("--tasks", "9", "9 is not in 1..=8"), ("--property", "idel", "there is no property \"idel\"; there are fails, idle")]
    {
        let (status, _, err) = run(&["policy", "check", "gcaps", option, value]);
        assert!(status == 2 && err.contains(said), "{err}");
    }
    let sizes = "admit highest sms in ready\n";
    let (status, _, err) = run_reading(sizes.as_bytes(), &["policy", "check", "-"]);
    assert!(status == 2 && err.starts_with("error: standard input: the policy reads sms or duration, which requests do not have"), "{err}");
}

const TWO: &str = r#"{ "version": 2,
  "processes": [ { "name": "P0" }, { "name": "P1" } ],
  "tasks": [ { "name": "A", "process": "P0", "wake_ns": 5 }, { "name": "B", "process": "P1", "offset_ns": 12, "deadline_ns": 100 } ],
  "kernels": [ { "name": "K1", "task": "A", "blocks": 1, "threads_per_block": 32, "block_time_ns": 10 },
               { "name": "K2", "task": "B", "blocks": 1, "threads_per_block": 32, "block_time_ns": 20 } ] }"#;

#[test]
fn a_scenario_runs_under_a_policy_as_a_text() {
    let (status, out, err) = run_reading(TWO.as_bytes(), &["simulate", "-", "--policy-file", "gcaps", "--format", "steps"]);
    assert!(status == 0 && out.contains("15 P2 policy told of end A#0, line 25 admits A\n"), "{out}{err}");
    assert!(err.contains("warning: standard input: the policy admits only A: K2 never completes"), "{err}");
    let file = TempFile::new("own.policy", "admit first in ready\n");
    let (status, out, _) = run_reading(TWO.as_bytes(), &["simulate", "-", "--policy-file", file.path(), "--format", "scenario"]);
    assert!(status == 0 && out.contains("\"kind\": \"own\"") && out.contains("\"text\": \"admit first in ready\\n\""), "{out}");
    let (status, _, err) = run_reading(TWO.as_bytes(), &["simulate", "-", "--policy-file", "gcap"]);
    assert!(status == 2 && err.starts_with("error: gcap: there is no such file, and no built-in policy of that name"), "{err}");
    let (status, _, err) = run_reading(TWO.as_bytes(), &["simulate", "-", "--policy", "own"]);
    assert!(status == 2 && err.contains("policy.text is empty; under own it says who may use the GPU"), "{err}");
    let file = TempFile::new("own.policy", "admit redy\n");
    let (status, _, err) = run_reading(TWO.as_bytes(), &["simulate", "-", "--policy-file", file.path()]);
    assert!(status == 2 && err.contains("policy.text: line 1, column 7: "), "{err}");
    let (status, _, err) = run_reading(TWO.as_bytes(), &["simulate", "-", "--policy-file", "gcaps", "--policy", "fifo"]);
    assert!(status == 2 && err.contains("cannot be used with"), "{err}");
}

/// Parts of several machines, joined in any order, are what one machine prints, with the same tables and status.
#[test]
fn a_search_in_parts_is_the_whole_search() {
    let folder = std::env::temp_dir().join(format!("blockstep-policy-parts-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = |name: &str| folder.join(name).display().to_string();
    for (policy, status) in [("gcaps", 1), ("round-robin", 0), ("edf", 1)] {
        let names: Vec<String> = (1..=3).map(|part| file(&format!("{policy}-{part}.json"))).collect();
        for (i, name) in names.iter().enumerate() {
            let (_, out, err) = run(&["policy", "check", policy, "--tasks", "3", "--shard", &format!("{}/3", i + 1)]);
            assert_eq!(err, "");
            std::fs::write(name, out).unwrap();
        }
        let all: Vec<&str> = names.iter().rev().map(String::as_str).collect();
        for format in ["text", "json"] {
            let whole = run(&["policy", "check", policy, "--tasks", "3", "--format", format]);
            assert_eq!(whole.0, status, "{}", whole.1);
            assert_eq!(run(&[&["policy", "merge", "--format", format], &all[..]].concat()), whole);
        }
        let (status, out, err) = run(&[&["policy", "merge"], &all[1..]].concat());
        assert_eq!((status, out.as_str(), err.as_str()), (2, "", "error: of 3 parts these are missing: 3\n"));
        if policy == "gcaps" {
            let (tables, joined) = (file("tables"), file("joined"));
            run(&["policy", "check", policy, "--tasks", "3", "-o", &tables]);
            run(&[&["policy", "merge", "-o", &joined], &all[..]].concat());
            let read = |folder: &str| std::fs::read_to_string(format!("{folder}/lost.json")).unwrap();
            assert_eq!(read(&tables), read(&joined));
        }
    }
    let (gcaps, edf) = (file("gcaps-1.json"), file("edf-2.json"));
    let (_, _, err) = run(&["policy", "merge", &gcaps, &edf]);
    assert_eq!(err, format!("error: {edf}: it is of another policy than {gcaps}\n"));
    // A fault that its policy does not have is not believed.
    let text = std::fs::read_to_string(&gcaps).unwrap();
    let forged = text.replace("running = pending\\n", "running = running + pending\\n");
    assert_ne!(text, forged);
    std::fs::write(&gcaps, forged).unwrap();
    let (status, _, err) = run(&["policy", "merge", &gcaps]);
    assert!(status == 2 && err.contains("is not one of this policy"), "{err}");
    // Numbers that no search has are no reason to hang or to fail otherwise.
    let much = text.replace("\"parts\": 3", "\"parts\": 18446744073709551615").replace("\"states\": ", "\"states\": 900000000000000");
    std::fs::write(&gcaps, much).unwrap();
    let (status, _, err) = run(&["policy", "merge", &gcaps]);
    assert!(status == 2 && err.contains("parts these are missing: 2, 3, 4, 5, 6 and 18446744073709551609 more"), "{err}");
    std::fs::write(&gcaps, text.replace("\"tasks\": 3,\n", "\"tasks\": 9,\n")).unwrap();
    let (status, _, err) = run(&["policy", "merge", &gcaps]);
    assert!(status == 2 && err.contains("tasks: 9 is not a number from 1 to 8"), "{err}");
    std::fs::write(&gcaps, "{}").unwrap();
    let (status, _, err) = run(&["policy", "merge", &gcaps]);
    assert!(status == 2 && err.contains("this is not a part of a search, as blockstep policy check --shard prints it"), "{err}");
    std::fs::remove_dir_all(&folder).unwrap();
}
