//! Sweeps: a scenario run with many values of its fields.

use std::collections::BTreeMap;

use super::{TempFile, run, run_reading};
use blockstep_format::read_link;
use blockstep_sim::examples;
use blockstep_sim::scenario::Class;

/// A built-in scenario as a file of one test.
fn example(id: &str, test: &str) -> TempFile {
    TempFile::new(&format!("sweep-{test}-{id}.json"), examples::find(id).unwrap().json)
}

/// The rows of a sweep, each by the names of its columns.
fn rows(text: &str) -> Vec<BTreeMap<String, String>> {
    let table = text.splitn(3, '\n').nth(2).unwrap();
    csv::Reader::from_reader(table.as_bytes()).deserialize().map(Result::unwrap).collect()
}

#[test]
fn sweeps_run_every_combination_the_last_field_fastest() {
    let file = example("tx2-table-1", "grid");
    let vary = ["--vary", "kernels[K3].blocks=1..=3", "--vary", "policy.kind=fifo,priority"];
    let measure = ["--measure", "end", "--measure", "response:K3", "--measure", "response:CPU 0", "--measure", "utilization"];
    let (status, out, err) = run(&[&["sweep", file.path()], &vary[..], &measure[..]].concat());
    assert_eq!((status, err.as_str()), (0, ""));
    let expected = "run,kernels[K3].blocks,policy.kind,end,response:K3,response:CPU 0,utilization,problem
0,1,fifo,4800000000,4600000000,4800000000,46.875,
1,1,priority,4800000000,4600000000,4800000000,46.875,
2,2,fifo,4800000000,4600000000,4800000000,52.083,
3,2,priority,4800000000,4600000000,4800000000,52.083,
4,3,fifo,5000000000,4800000000,5000000000,55.000,
5,3,priority,5000000000,4800000000,5000000000,55.000,
";
    assert!(out.starts_with("# blockstep sweep of runs {") && out.contains("\n# runs 0..6 of 6\n"), "{out}");
    assert_eq!(out.splitn(3, '\n').nth(2).unwrap(), expected);
}

/// The tests of the page open the table that is printed today.
#[test]
fn sweeps_print_the_table_that_the_tests_of_the_page_open() {
    let file = example("tx2-table-1", "page");
    let vary = ["--vary", "kernels[K3].blocks=1..=8", "--vary", "streams[S2].priority=none,high"];
    let measure = ["--measure", "end", "--measure", "response:K3", "--measure", "response:K5"];
    let (status, out, _) = run(&[&["sweep", file.path()], &vary[..], &measure[..]].concat());
    assert_eq!((status, out.as_str()), (0, include_str!("../../data/sweep/runs.csv")));
}

/// What stands in a row is what the run of its scenario gives by itself, and its link opens that scenario.
#[test]
fn sweeps_measure_what_the_run_gives_by_itself() {
    let file = example("edf-vi-a-cbs", "measures");
    let given = [
        "--vary",
        "seed=0..3",
        "--vary",
        "tasks[0].period_ns=~4ms..=12ms:1us",
        "--vary",
        "policy.kind=edf,runlist",
        "--vary",
        "horizon_ns=300ms",
    ];
    // What is measured, and of which classes a table of results counts it.
    let counted = [
        ("real-time-misses", &[Class::RealTime][..]),
        ("best-effort-late", &[Class::BestEffort]),
        // Tables of earlier versions have it.
        ("misses", &[Class::RealTime, Class::BestEffort]),
    ];
    let measures = counted.iter().flat_map(|(measure, _)| ["--measure", measure]).collect::<Vec<_>>();
    let arguments = [&["sweep", file.path(), "--measure", "end", "--links", "https://host/"], &measures[..], &given[..]].concat();
    let (status, out, _) = run(&arguments);
    assert_eq!(status, 0, "{out}");
    let rows = rows(&out);
    assert_eq!(rows.len(), 6);
    for (number, row) in rows.iter().enumerate() {
        let number = number.to_string();
        let (_, scenario, _) = run(&[&arguments[..], &["--run", number.as_str()]].concat());
        let (_, results, _) = run_reading(scenario.as_bytes(), &["simulate", "-", "--format", "results"]);
        let mut reader = csv::Reader::from_reader(results.as_bytes());
        let results: Vec<BTreeMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
        let tasks = blockstep_format::read_scenario(&scenario).unwrap().tasks;
        for (measure, classes) in counted {
            let is_of = |name: &str| tasks.iter().any(|task| task.name == name && classes.contains(&task.class()));
            let tasks = results.iter().filter(|of| of["section"] == "task" && is_of(&of["task"]));
            let missed: u64 = tasks.map(|of| of["missed"].parse::<u64>().unwrap()).sum();
            assert_eq!(row[measure], missed.to_string(), "{measure} of run {number}");
        }
        let link = row["link"].strip_prefix("https://host/#").unwrap();
        assert_eq!(blockstep_format::write_scenario(&read_link(link).unwrap().0.scenario), scenario, "run {number}");
    }
    // The same is drawn for the same seed, whatever else varies.
    let period = |row: usize| &rows[row]["tasks[0].period_ns"];
    assert_eq!((period(0), period(2), period(4)), (period(1), period(3), period(5)));
    assert!(period(0) != period(2) || period(2) != period(4), "{}", period(0));
}

#[test]
fn sweeps_are_divided_and_joined_to_the_same_bytes() {
    let file = example("tx2-table-2", "parts");
    let given = ["sweep", file.path(), "--vary", "kernels[0].blocks=0..7", "--vary", "placement=most_free,first_fit"];
    let (status, whole, err) = run(&given);
    assert_eq!(status, 0, "{err}");
    assert!(err.starts_with("note: 2 runs cannot be made; "), "{err}");
    assert!(rows(&whole)[0]["problem"].starts_with("kernels[0].blocks"), "{whole}");
    let parts: Vec<TempFile> =
        (1..=4).map(|i| TempFile::new(&format!("runs{i}.csv"), run(&[&given[..], &["--shard", &format!("{i}/4")]].concat()).1)).collect();
    let merge = |more: &[&str], which: &[usize]| {
        run(&[&["sweep-merge"], more, &which.iter().map(|i| parts[*i].path()).collect::<Vec<_>>()[..]].concat())
    };
    assert_eq!(merge(&[], &[3, 0, 2, 1]), (0, whole.clone(), String::new()));
    let (status, out, err) = merge(&[], &[0, 3]);
    assert_eq!((status, out.as_str()), (1, ""));
    assert_eq!(err.lines().next(), Some("error: of 14 runs, counted from 0, these are missing: runs 3 to 9 (parts 2/4 to 3/4)"));
    let (status, some, _) = merge(&["--partial"], &[0, 3]);
    assert_eq!(status, 0);
    assert!(some.contains("\n# runs 0..3 10..14 of 14\n"), "{some}");
    assert!(merge(&[], &[0, 0]).2.ends_with("run 0 is there twice\n"));
    // The runs of the first part alone cannot be made, none of them.
    let (status, first, err) = run(&[&given[..], &["--shard", "1/7"]].concat());
    assert_eq!((status, err.as_str()), (0, "note: 2 runs cannot be made; the column problem says why\n"));
    assert!(rows(&first).iter().all(|row| !row["problem"].is_empty()) && rows(&first).len() == 2, "{first}");
    let other = TempFile::new("other.csv", run(&["sweep", file.path(), "--vary", "kernels[0].blocks=1..7"]).1);
    assert!(run(&["sweep-merge", parts[0].path(), other.path()]).2.contains("this is of another sweep"));
}

#[test]
fn sweeps_say_which_argument_is_wrong() {
    let file = example("tx2-table-1", "wrong");
    let said = |arguments: &[&str]| {
        let (status, out, err) = run(&[&["sweep", file.path()], arguments].concat());
        assert_eq!((status, out.as_str()), (2, ""), "{err}");
        err.trim_start_matches("error: ").trim_end().to_owned()
    };
    let vary = |of: &str| said(&["--vary", of]);
    assert!(vary("kernels[0].blocks").starts_with("\"kernels[0].blocks\" has no value"));
    assert!(vary("kernels[0.blocks=1").starts_with("\"kernels[0.blocks\" is not a field"));
    assert_eq!(vary("kernels[K9].blocks=1"), "kernels[K9].blocks: kernels has no row \"K9\"; it has K1, K2, K3, K4, K5, K6");
    assert_eq!(vary("kernels.blocks=1"), "kernels.blocks: kernels has no fields");
    assert!(vary("kernels[0].blocks=3..x").starts_with("kernels[0].blocks: \"3..x\" is not a range"));
    assert_eq!(vary("kernels[0].blocks=3..3"), "kernels[0].blocks: \"3..3\" has no value");
    assert_eq!(vary("policy.knd=fifo"), "no run can be made; the first: policy.knd: unknown field, did you mean kind?");
    assert_eq!(vary("kernels[0].blocks=0..1000001"), "1000001 runs are too many; the limit is 1000000");
    assert_eq!(said(&["--vary", "seed=1", "--vary", "seed=2"]), "seed is given twice");
    assert_eq!(
        said(&["--vary", "seed=1", "--measure", "response:K9"]),
        "response:K9: the scenario has no task and no kernel row of this name; it has CPU 0, CPU 1, K1, K2, K3, K4, K5, K6"
    );
    assert!(said(&["--vary", "seed=1", "--measure", "speed"]).contains("\"speed\" is not a measure"));
    assert!(said(&["--vary", "seed=1", "--measure", "utilisation"]).contains("task or a kernel row; did you mean utilization?"));
    assert_eq!(said(&["--vary", "seed=1..3", "--run", "2"]), "--run 2: the sweep has 2 runs, counted from 0");
}

#[test]
fn sweeps_are_drawn_as_curves_or_as_cells() {
    let file = example("tx2-table-1", "chart");
    let drawn = |vary: &[&str], measure: &str| {
        let vary = vary.iter().flat_map(|of| ["--vary", of]).collect::<Vec<_>>();
        let (status, out, err) = run(&[&["sweep", file.path()], &vary[..], &["--chart", measure]].concat());
        if status == 0 { Ok(out) } else { Err(err) }
    };
    let policies = "policy.kind=fifo,priority";
    let blocks = |count: usize| format!("kernels[K3].blocks=1..={count}");
    let svg = drawn(&[policies, &blocks(9)], "response:K3").unwrap();
    let same = "The lines of policy.kind fifo and policy.kind priority are the same.";
    assert!(svg.contains(&format!("aria-label=\"response:K3, s by kernels[K3].blocks. {same}\"")), "{svg}");
    assert!(svg.contains(">policy.kind fifo<") && svg.contains(">policy.kind priority<") && !svg.contains("median"));
    // What the seed draws is no axis: the runs of a seed are one point, with a band.
    let noise = "kernels[K2].block_time_ns=~1s..=3s:1ms";
    let svg = drawn(&["seed=0..4", noise, &blocks(9)], "end").unwrap();
    assert!(svg.contains("aria-label=\"end, s (median; band: all) by kernels[K3].blocks\""), "{svg}");
    let svg = drawn(&["seed=0..4", noise], "utilization").unwrap();
    assert!(svg.contains("utilization, % by kernels[K2].block_time_ns\""), "{svg}");
    // Two fields of many numbers have an axis each.
    let svg = drawn(&[&blocks(9), "kernels[K1].block_time_ns=1s..=9s:1s"], "end").unwrap();
    assert!(svg.contains("aria-label=\"end by kernels[K3].blocks and kernels[K1].block_time_ns\""), "{svg}");
    assert!(svg.contains(">least: end 4.8 s<"), "{svg}");
    let cells = svg.matches("<rect ").count() - 1;
    assert_eq!(cells, 81);
    let why = drawn(&[&blocks(9), "kernels[K1].blocks=1..=9", policies], "end").unwrap_err();
    let curves = "error: --chart: these are 18 curves, one for each combination of kernels[K1].blocks and policy.kind; at most 8 can be told apart\n";
    assert_eq!(why, curves);
    assert_eq!(
        drawn(&[policies], "end").unwrap_err(),
        "error: --chart: a chart needs a field with at least two numbers; policy.kind has none\n"
    );
    assert_eq!(
        drawn(&["seed=3"], "end").unwrap_err(),
        "error: --chart: a chart needs a field with at least two numbers; no field varies\n"
    );
    // Parts are drawn as the whole is.
    let given = [&["sweep", file.path(), "--vary", policies, "--vary"][..], &["kernels[K3].blocks=1..=9"]].concat();
    let parts: Vec<TempFile> = (1..=2)
        .map(|part| TempFile::new(&format!("chart-{part}.csv"), run(&[&given[..], &["--shard", &format!("{part}/2")]].concat()).1))
        .collect();
    let merged = |measure| run(&["sweep-merge", "--chart", measure, parts[0].path(), parts[1].path()]);
    assert_eq!(Ok(merged("end").1), drawn(&[policies, &blocks(9)], "end"));
    assert_eq!(merged("steps").2, "error: --chart: the sweep has no measure \"steps\"; it has end, real-time-misses, utilization\n");
}

/// K6 is launched at 2.8 s: a run that launches it later differs from then on, and one that launches it then, never.
#[test]
fn sweeps_say_when_a_run_first_differs_from_the_file() {
    let file = example("tx2-table-1", "difference");
    let measure = ["--measure", "first-difference"];
    let differs = |vary: &str| {
        let (status, out, err) = run(&[&["sweep", file.path(), "--vary", vary], &measure[..]].concat());
        assert_eq!((status, err.as_str()), (0, ""));
        rows(&out).into_iter().map(|row| row["first-difference"].clone()).collect::<Vec<String>>()
    };
    assert_eq!(differs("kernels[K6].start_ns=2800ms,3s,2500ms"), ["", "2800000000", "2500000000"]);
    // No stream has a priority.
    assert_eq!(differs("policy.kind=fifo,priority"), ["", ""]);
    // Four of its blocks fit at once, so a seventh counts from 1 s on.
    assert_eq!(differs("kernels[K1].blocks=6,7"), ["", "1000000000"]);
    // A run that comes to no end is nothing to compare with.
    let (status, out, err) = run(&[&["sweep", file.path(), "--vary", "seed=1", "--max-steps", "3"], &measure[..]].concat());
    let why = "first-difference: the file as it is cannot be run: the run has more than 3 steps";
    assert!(status == 2 && out.is_empty() && err.contains(why), "{err}");
}

/// What a table says twice is compared.
#[test]
fn sweeps_that_contradict_themselves_are_not_joined() {
    let file = example("tx2-table-1", "forged");
    let whole = run(&["sweep", file.path(), "--vary", "kernels[K3].blocks=1..4", "--links", "https://host/"]).1;
    let said = |text: &str| {
        let forged = TempFile::new("forged-runs.csv", text);
        let (status, out, err) = run(&["sweep-merge", forged.path()]);
        assert_eq!((status, out.as_str()), (2, ""), "{err}");
        err
    };
    assert_eq!(run(&["sweep-merge", TempFile::new("whole-runs.csv", whole.clone()).path()]).1, whole);
    for (from, to, says) in [
        ("\n0,1,", "\n0,77,", "kernels[K3].blocks of run 0 is \"77\"; \"1\" is expected"),
        ("=1..4\"", "=2..5\"", "kernels[K3].blocks of run 0 is \"1\"; \"2\" is expected"),
        ("=1..4\"", "=1..5\"", "the number of runs is \"3\"; the fields that vary make 4"),
        ("# runs 0..3", "# runs 0..2", "the list of runs is \"0..2\"; the rows are of 0..3"),
        ("[\"end\",", "[\"speed\",", "\"speed\" is not a measure"),
        ("[\"end\",", "[\"steps\",", "a column of the header is \"end\"; \"steps\" is expected there"),
        ("\"version\":", "\"version\":9", "version"),
        ("\"max_steps\":", "\"max_steps\":99999999", "max_steps is"),
        ("{\"links\"", "{\"link\"", "a field of the first line is \"link\"; it has scenario, vary, measure, links, max_steps"),
        (",https://host/#", ",https://elsewhere/#", "an address that begins with \"https://host/\" is expected"),
        ("\n0,1,4", "\n0,1,-4", "end of run 0 is \"-4800000000\"; a whole number is expected"),
    ] {
        let forged = whole.replacen(from, to, 1);
        assert_ne!(forged, whole, "{from}");
        let err = said(&forged);
        assert!(err.contains(says), "{says}: {err}");
    }
    let brackets = format!("# blockstep sweep of runs {}\n# runs 0..1 of 1\nrun,problem\n0,\n", "[".repeat(200_000));
    let err = said(&brackets);
    assert!(err.contains("the first line is \"[[[") && err.len() < 400, "{err}");
}

/// So is that of a study.
#[test]
fn studies_whose_columns_are_named_otherwise_are_not_joined() {
    let (status, table, _) = run(&["sweep", "lp-3", "--sets", "2", "--csv"]);
    assert_eq!(status, 0);
    let forged = TempFile::new("forged-study.csv", table.replacen("\nutilisation,sets,undrawn,", "\nutilisation,undrawn,sets,", 1));
    let (status, out, err) = run(&["sweep-merge", forged.path()]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("does not name the columns of this study: \"utilisation,sets,undrawn,"), "{err}");
}
