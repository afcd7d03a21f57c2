//! `blockstep batch`: the schedulers of [MT] without the page.

use super::{SMALL, TempFile, run, run_reading};

#[test]
fn cases_are_listed() {
    let (status, out, err) = run(&["batch"]);
    assert_eq!((status, err.as_str(), out.lines().count()), (0, "", 7));
    assert!(out.starts_with("Case-1         small kernels, balanced, on Kepler; "), "{out}");
}

/// The table of docs/batches.md is what the program says today.
#[test]
fn the_documented_table_is_the_programs() {
    let (status, csv, err) = run(&["batch", "cases", "--format", "csv"]);
    assert_eq!((status, err.as_str()), (0, ""));
    let text = std::fs::read_to_string(format!("{}/docs/batches.md", blockstep_testing::ROOT)).unwrap();
    let two = |n: &str| if n == "1" { "1.00".to_owned() } else { n.to_owned() };
    let mut documented = String::from("case,scheduler,ours,paper\n");
    let mut lines = text.lines().skip_while(|line| !line.starts_with("| | CPUTraditional"));
    let schedulers: Vec<&str> = lines.next().unwrap().split('|').map(str::trim).filter(|name| !name.is_empty()).collect();
    for line in lines.skip(1).take_while(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let case = cells[0].split(':').next().unwrap();
        for (scheduler, cell) in schedulers.iter().zip(&cells[1..]) {
            let (ours, paper) = cell.split_once(" / ").unwrap_or(("", ""));
            documented.push_str(&format!("{case},{scheduler},{},{}\n", two(ours), two(paper)));
        }
    }
    assert_eq!(documented, csv);
}

#[test]
fn all_cases_stand_beside_the_paper() {
    let (status, out, err) = run(&["batch", "cases"]);
    assert_eq!((status, err.as_str()), (0, ""));
    let row = |case: &str| {
        let mut lines = out.lines().skip_while(move |line| !line.starts_with(case));
        let numbers =
            |line: &str| line.split_whitespace().skip_while(|word| !["ours", "paper"].contains(word)).skip(1).collect::<Vec<_>>().join(" ");
        (numbers(lines.next().unwrap()), numbers(lines.next().unwrap()))
    };
    assert_eq!(row("Case-2 "), ("1.00 2.46 3.89 4.79 - -".to_owned(), "1.00 2.83 3.55 4.26 - -".to_owned()));
    assert_eq!(row("Case-4 ").1, "1.00 1.75 1.78 0.66 1.70 0.63");
    assert_eq!(out.matches("No pair of schedulers is reversed compared with the paper.").count(), 7);
    let (_, json, _) = run(&["batch", "cases", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(value["cases"].as_array().unwrap().len(), 7);
    assert_eq!(value["cases"][1]["schedulers"][3], serde_json::json!({ "scheduler": "CPUOrder", "ours": 4.79, "paper": 4.26 }));
    assert_eq!(value["cases"][1]["schedulers"][5], serde_json::json!({ "scheduler": "GPUAtomics", "ours": null, "paper": null }));
    assert_eq!(value["cases"][6]["has_order_of_paper"], true);
    // What docs/batches.md says of other numbers of inputs.
    for (until, performance) in [("35ms", "1.96"), ("420ms", "12.54")] {
        let (_, csv, _) = run(&["batch", "cases", "--until", until, "--format", "csv"]);
        assert!(csv.contains(&format!("\nCase-2,CPUConcurrent,{performance},3.55\n")), "{csv}");
    }
}

#[test]
fn a_case_is_run_scheduler_by_scheduler_and_task_by_task() {
    let (status, out, err) = run(&["batch", "case-2"]);
    assert_eq!((status, err.as_str()), (0, ""));
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let first = out.lines().map(words).find(|w| w.first().is_some_and(|w| w == "CPUOrder")).unwrap();
    assert_eq!(first[1..3], ["4.79", "4.26"], "{out}");
    assert!(out.contains("\nGPUAtomics      does not run: "), "{out}");
    assert!(out.contains("GPU: Fermi (") && out.contains("methods: all; inputs until 105 ms"), "{out}");
    assert!(
        out.contains("  higher: copies 1 ms in, 1 ms out; kernel 4 ms, 8 blocks of 256 threads; an input every 7 ms, deadline 6.5 ms\n"),
        "{out}"
    );
    let (_, csv, _) = run(&["batch", "Case-2", "--format", "csv"]);
    assert!(csv.starts_with("scheduler,performance,paper,slack_used_ns,end_ns,outputs,late,why_not\nCPUTraditional,1.00,1.00,"), "{csv}");
    let (_, json, _) = run(&["batch", "Case-2", "--format", "json"]);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    let scheduler = &value["schedulers"][3];
    assert_eq!((&scheduler["performance"], &scheduler["paper"]), (&serde_json::json!(4.79), &serde_json::json!(4.26)));
    let late: u64 = scheduler["tasks"].as_array().unwrap().iter().map(|task| task["late"].as_u64().unwrap()).sum();
    assert_eq!((scheduler["outputs"].as_u64(), scheduler["late"].as_u64()), (Some(30), Some(late)));
    assert!(value["schedulers"][5]["why_not"].as_str().unwrap().len() > 10);
    // What is not the paper's has no column of the paper.
    for changed in [&["--gpu", "kepler"][..], &["--methods", "none"], &["--methods", "set-event-queue,flush-zero"]] {
        let (status, out, _) = run(&[&["batch", "Case-2", "--format", "csv"], changed].concat());
        assert!(status == 0 && out.starts_with("scheduler,performance,slack_used_ns,"), "{out}");
    }
}

#[test]
fn workloads_come_from_files_and_go_to_files() {
    let (status, file, _) = run(&["batch", "Case-1", "--print"]);
    assert_eq!(status, 0);
    assert_eq!(run_reading(file.as_bytes(), &["check", "-"]).0, 0);
    let (status, csv, err) = run_reading(file.as_bytes(), &["batch", "-", "--format", "csv"]);
    assert_eq!((status, err.as_str()), (0, ""));
    // The same numbers as the case has, without the paper's.
    let case = run(&["batch", "Case-1", "--format", "csv"]).1;
    let without = |line: &str| line.split(',').enumerate().filter(|(i, _)| *i != 2).map(|(_, cell)| cell).collect::<Vec<_>>().join(",");
    assert_eq!(csv.lines().collect::<Vec<_>>(), case.lines().map(without).collect::<Vec<_>>());
    let input = TempFile::new("workload.json", &file);
    let output = TempFile::new("batch.csv", "old");
    assert_eq!(run(&["batch", input.path(), "--format", "csv", "-o", output.path()]), (0, String::new(), String::new()));
    assert_eq!(std::fs::read_to_string(&output.0).unwrap(), csv);
    let (status, _, err) = run(&["batch", input.path(), "-o", input.path()]);
    assert!(status == 2 && err.contains("is the input itself"), "{err}");
}

#[test]
fn what_is_no_workload_is_refused() {
    for (args, message) in [
        (&["batch", "Case-9"][..], "error: there is no file and no case \"Case-9\"; built in are Case-1, "),
        (&["batch", "cases", "--gpu", "tx1"], "error: --gpu goes with one case or a file: "),
        (&["batch", "Case-1", "--methods", "magic"], "error: invalid value 'magic' for '--methods <LIST>': \"magic\" is not a method; "),
        (&["batch", "Case-1", "--until", "9999999s"], "error: Case-1: until_ns is "),
        (&["batch", "Case-1", "--gpu", "volta"], "error: invalid value 'volta' for '--gpu <GPU>'"),
    ] {
        let (status, out, err) = run(args);
        assert_eq!((status, out.as_str()), (2, ""));
        assert!(err.starts_with(message), "{err}");
    }
    let (status, _, err) = run_reading(SMALL.as_bytes(), &["batch", "-"]);
    assert_eq!(status, 2);
    assert_eq!(err, "error: standard input: a scenario, which blockstep simulate runs; a workload here has kind \"batch\"\n");
    let (_, file, _) = run(&["batch", "Case-1", "--print"]);
    let (status, _, err) = run_reading(file.replace("\"kernel_ns\"", "\"kernel\"").as_bytes(), &["batch", "-"]);
    assert!(status == 2 && err.contains("tasks[0].kernel: unknown field"), "{err}");
}
