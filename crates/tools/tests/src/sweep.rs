//! The page of a sweep: its table read, drawn and sorted, and its runs opened.

use crate::tool::OnPage;
use blockstep_format as format;
use blockstep_protocol::{Ask, Effect, Message, OpenFile, Opened, Reply, RunSweep};
use blockstep_sim::engine::Limits;
use blockstep_sim::examples;
use blockstep_sim::units::Time;
use blockstep_sweep::{CellKind, ChartLook, Measure, Names, Part, Plan, chart, chart_with_points};
use blockstep_tools::sweep::{FormView, MAX_ROWS, MAX_RUNS, Msg, Sweep, SweepView};
use blockstep_tools::tool::{Event, Tool, memory};
use blockstep_view::panels::sheet::Chart;
use blockstep_worker::Worker;

const VARY: [&str; 2] = ["kernels[K3].blocks=1..=3", "policy.kind=fifo,priority"];

fn plan(example: &str, vary: &[&str], links: Option<&str>) -> Plan {
    let draft = format::read_scenario(examples::find(example).unwrap().json).unwrap();
    let vary: Vec<String> = vary.iter().map(|of| (*of).to_owned()).collect();
    let measures = ["end", "utilization", "response:K3"].map(|measure| measure.parse().unwrap());
    Plan::new(&draft, &vary, &measures, links, Limits::default()).unwrap()
}

/// As `blockstep sweep` prints it.
fn table(plan: &Plan, runs: std::ops::Range<u64>) -> String {
    Part::new(plan.mark(), plan.count(), plan.header(), runs.map(|run| (run, plan.row(run))).collect()).write()
}

fn file(name: &str, text: &str) -> (String, String) {
    (name.to_owned(), text.to_owned())
}

fn page() -> OnPage<Sweep> {
    OnPage::on("sweep", "tx2-table-2")
}

/// What is shown, and what went wrong, once files were dropped.
fn dropped(page: &mut OnPage<Sweep>, files: &[(&str, &str)]) -> (Option<SweepView>, Option<String>) {
    let files = files.iter().map(|(name, text)| file(name, text)).collect();
    let view = page.tell(Event::OpenedWith(files)).unwrap().view.unwrap();
    (view.sweep, view.problem)
}

fn runs(sweep: &SweepView) -> Vec<u64> {
    sweep.rows.iter().map(|row| row[0].parse().unwrap()).collect()
}

#[test]
fn sweep_page_shows_the_table_and_the_chart_of_the_command_line() {
    let plan = plan("tx2-table-1", &VARY, Some("https://host/"));
    let text = table(&plan, 0..6);
    let request = OpenFile { text: text.clone(), default_duration_ns: None }.into_request();
    let reply = Worker::default().answer(Message { scenario: None, request }, &mut |_, _| ());
    let Reply::Done(response) = reply else { panic!("{reply:?}") };
    assert_eq!(OpenFile::answer(response), Some(Opened::ForTool("sweep".to_owned())));

    let mut page = page();
    assert_eq!(page.open("").sweep, None);
    let (sweep, problem) = dropped(&mut page, &[("runs.csv", &text)]);
    let sweep = sweep.unwrap();
    assert_eq!((problem, sweep.missing, sweep.shown), (None, None, None));
    assert_eq!(sweep.about, "6 runs by blocks of K3 and policy.");
    let columns: Vec<(&str, &str)> = sweep.columns.iter().map(|(name, title)| (name.as_str(), title.as_str())).collect();
    let expected = [
        ("run", "Run"),
        ("kernels[K3].blocks", "Blocks of K3"),
        ("policy.kind", "Policy"),
        ("end", "End of the run"),
        ("utilization", "Utilization"),
        ("response:K3", "Largest response of K3"),
    ];
    assert_eq!((columns, sweep.are_numbers), (expected.to_vec(), vec![true, true, false, true, true, true]));
    assert_eq!(sweep.rows[4], ["4", "3", "FIFO", "5 s", "55.000", "4.8 s"]);
    let measures: Vec<(&str, &str)> = sweep.measures.iter().map(|(word, name)| (word.as_str(), name.as_str())).collect();
    let expected = [("end", "End of the run, s"), ("utilization", "Utilization, %"), ("response:K3", "Largest response of K3, s")];
    assert_eq!((sweep.measure.as_str(), measures), ("end", expected.to_vec()));
    // The picture is the same, with words for names, for this ground and width.
    let part = Part::read(&text).unwrap();
    let view = page.send(Msg::Draw("response:K3".to_owned())).view.unwrap().sweep.unwrap();
    let look = ChartLook { is_dark: false, size: (720, 320) };
    let pictured = |sweep: SweepView| Chart { svg: sweep.chart, label: sweep.said };
    assert_eq!(view.said, "Largest response of K3, s by blocks of K3. The lines of FIFO and Priority are the same.");
    let response = Measure::Response("K3".to_owned());
    let worded = |look| chart_with_points(&part, &response, &Names::in_words(&plan), look).unwrap().chart;
    assert_eq!(pictured(view), worded(look));
    let (worded_svg, written_svg) = (worded(look).svg, chart(&part, &response, look).unwrap().svg);
    for (word, name) in
        [("Blocks of K3", "kernels[K3].blocks"), (">FIFO<", "policy.kind fifo"), ("Largest response of K3, s", "response:K3, s")]
    {
        assert!(worded_svg.contains(word) && !worded_svg.contains(name), "{word}: {worded_svg}");
        assert!(written_svg.contains(name) && !written_svg.contains(word), "{name}: {written_svg}");
    }
    page.screen.is_dark = true;
    let dark = pictured(page.moved().sweep.unwrap());
    assert_eq!(dark, worded(ChartLook { is_dark: true, ..look }));
    let effects = page.send(Msg::SaveSvg).effects;
    let saved = worded(ChartLook::FILE).svg;
    assert!(matches!(&effects[..], [Effect::SaveFile { name, text, .. }] if name == "sweep.svg" && *text == saved));
}

/// Policies that give the same runs have one line in the chart: without a word the others would seem to be missing.
#[test]
fn sweep_page_says_which_lines_lie_on_each_other() {
    let said = |example: &str, kernel: &str, measure: &str| {
        let draft = format::read_scenario(examples::find(example).unwrap().json).unwrap();
        let vary = [format!("kernels[{kernel}].blocks=1..=3"), "policy.kind=fifo,priority,runlist,edf".to_owned()];
        let plan = Plan::new(&draft, &vary, &[measure.parse().unwrap()], None, Limits::default()).unwrap();
        let mut page = page();
        dropped(&mut page, &[("runs.csv", &table(&plan, 0..12))]).0.unwrap().said
    };
    let end = "End of the run, s by blocks of K3. The lines of FIFO, Priority, Runlist and EDF are the same.";
    assert_eq!(said("tx2-table-1", "K3", "end"), end);
    let high = "Largest response of High, ms by blocks of High. The lines of Priority, Runlist and EDF are the same.";
    assert_eq!(said("cuda-priority", "High", "response:High"), high);
}

/// Of several built-in scenarios and of fields that are drawn.
#[test]
fn sweep_page_opens_the_run_that_the_command_line_prints() {
    let grids: [(&str, &[&str]); 3] = [
        ("tx2-table-1", &VARY),
        ("edf-vi-a-cbs", &["seed=0..3", "tasks[0].period_ns=~4ms..=12ms:1us", "policy.kind=edf,runlist"]),
        ("own-orion", &["kernels[0].blocks=1..4"]),
    ];
    for (example, vary) in grids {
        let draft = format::read_scenario(examples::find(example).unwrap().json).unwrap();
        let vary: Vec<String> = vary.iter().map(|of| (*of).to_owned()).collect();
        let plan = Plan::new(&draft, &vary, &[Measure::Steps], None, Limits { max_steps: 50_000 }).unwrap();
        let mut page = page();
        assert_eq!(dropped(&mut page, &[("runs.csv", &table(&plan, 0..plan.count()))]).1, None);
        for run in 0..plan.count() {
            let effects = page.send(Msg::Open(run)).effects;
            let scenario = format::write_scenario(&plan.draft(run).unwrap());
            let [Effect::Say(said), opened] = &effects[..] else { panic!("{effects:?}") };
            assert_eq!(*opened, Effect::OpenScenario { at: Time::ZERO, scenario, began_as: None }, "{example}, run {run}");
            assert!(said.starts_with(&format!("Run {run} of the sweep: ")), "{said}");
        }
        let told = page.send(Msg::Open(plan.count()));
        assert!(told.effects.is_empty() && told.view.unwrap().problem.unwrap().contains("no such run"));
    }
}

#[test]
fn sweep_page_sorts_numbers_as_numbers() {
    let plan = plan("tx2-table-1", &["kernels[K3].blocks=8..=11", "policy.kind=priority,fifo"], None);
    let mut page = page();
    dropped(&mut page, &[("runs.csv", &table(&plan, 0..8))]);
    let mut sorted = |column: &str| {
        let sweep = page.send(Msg::Sort(column.to_owned())).view.unwrap().sweep.unwrap();
        assert_eq!(sweep.by, column);
        (runs(&sweep), sweep.is_descending)
    };
    assert_eq!(sorted("run"), ((0..8).rev().collect(), true));
    assert_eq!(sorted("run"), ((0..8).collect(), false));
    assert_eq!(sorted("kernels[K3].blocks"), ((0..8).collect(), false));
    assert_eq!(sorted("kernels[K3].blocks"), (vec![6, 7, 4, 5, 2, 3, 0, 1], true));
    assert_eq!(sorted("policy.kind"), (vec![1, 3, 5, 7, 0, 2, 4, 6], false));
    assert_eq!(sorted("policy.kind"), (vec![0, 2, 4, 6, 1, 3, 5, 7], true));
    // Runs without a value are last, either way, and say why.
    let plan = self::plan("tx2-table-1", &["kernels[K3].blocks=0..3"], None);
    let (sweep, _) = dropped(&mut page, &[("runs.csv", &table(&plan, 0..3))]);
    let sweep = sweep.unwrap();
    assert_eq!(
        (&*sweep.by, sweep.is_descending, runs(&sweep)),
        ("run", false, vec![0, 1, 2]),
        "a new table has no column of the last sort"
    );
    assert_eq!(sweep.about, "3 runs by blocks of K3. 1 run cannot be made; the column Problem says why.");
    assert!(sweep.columns.last().unwrap().1 == "Problem" && !sweep.rows[0].last().unwrap().is_empty());
    for last in [0, 0] {
        let sweep = page.send(Msg::Sort("end".to_owned())).view.unwrap().sweep.unwrap();
        assert_eq!(runs(&sweep).last(), Some(&last));
    }
}

#[test]
fn sweep_page_joins_parts_and_says_what_is_missing() {
    let plan = plan("tx2-table-1", &VARY, None);
    let parts = [0..2, 2..4, 4..6].map(|runs| table(&plan, runs));
    let mut page = page();
    let (sweep, _) = dropped(&mut page, &[("3.csv", &parts[2]), ("1.csv", &parts[0])]);
    let sweep = sweep.unwrap();
    assert_eq!(runs(&sweep), [0, 1, 4, 5]);
    assert_eq!(sweep.missing.as_deref(), Some("Of 6 runs, counted from 0, these are missing: runs 2 to 3 (part 2/3)."));
    // What is missing is added to what is there.
    let (sweep, problem) = dropped(&mut page, &[("2.csv", &parts[1])]);
    let whole = sweep.unwrap();
    assert_eq!((runs(&whole), &whole.missing, problem), ((0..6).collect(), &None, None));
    // The same again changes nothing; another sweep takes its place.
    assert_eq!(dropped(&mut page, &[("whole.csv", &table(&plan, 0..6))]), (Some(whole), None));
    let other = self::plan("tx2-table-2", &["kernels[0].blocks=1..3"], None);
    assert_eq!(runs(&dropped(&mut page, &[("other.csv", &table(&other, 0..2))]).0.unwrap()), [0, 1]);
}

#[test]
fn sweep_page_refuses_what_it_cannot_read_and_keeps_what_it_shows() {
    let (one, other) = (plan("tx2-table-1", &VARY, None), plan("tx2-table-2", &["kernels[0].blocks=1..3"], None));
    let (text, another) = (table(&one, 0..6), table(&other, 0..2));
    let mut page = page();
    let (shown, _) = dropped(&mut page, &[("runs.csv", &text)]);
    let changed = |from: &str, to: &str| {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text, "{from}");
        changed
    };
    let twice = format!("{text}{}\n", text.lines().last().unwrap());
    let many = plan("tx2-table-1", &["seed=0..30000"], None);
    let row = |run: u64| (run, [&*run.to_string(), &run.to_string(), "1", "1.000", "1", ""].map(str::to_owned).to_vec());
    let many = Part::new(many.mark(), many.count(), many.header(), (0..=MAX_RUNS as u64).map(row).collect()).write();
    let none: String = text.lines().take(3).map(|line| format!("{line}\n")).collect();
    let none = none.replace("# runs 0..6 of", "# runs  of");
    for (files, says) in [
        (&[("a.csv", &*text), ("b.csv", &*another)][..], "b.csv cannot be opened: this is of another sweep"),
        (&[("a.csv", &text), ("b.csv", &text)], "b.csv cannot be opened: run 0 is there twice."),
        (&[("a.csv", &twice)], "a.csv cannot be opened: run 5 is there twice."),
        (
            &[("a.csv", &text), ("x.json", "{}")],
            "x.json cannot be opened: this is not a result of blockstep sweep --vary: its first line is another.",
        ),
        (&[("a.csv", &changed(",fifo,", ","))], "a row has another number of cells than the header"),
        (&[("a.csv", &changed("of 6", "of six"))], "its second line names no runs"),
        (&[("a.csv", &changed("of 6", "of 7"))], "the number of runs is \"7\"; the fields that vary make 6"),
        (&[("a.csv", &changed("# runs 0..6", "# runs 0..5"))], "the list of runs is \"0..5\"; the rows are of 0..6"),
        (&[("a.csv", &changed("\"version\"", "\"versoin\""))], "it cannot be read: versoin: unknown field, did you mean version?"),
        (
            &[("a.csv", &changed("run,kernels[K3].blocks", "run,kernels[K4].blocks"))],
            "a column of the header is \"kernels[K4].blocks\"; \"kernels[K3].blocks\" is expected there",
        ),
        (&[("a.csv", &changed("1..=3", "1..=3000000"))], "6000000 runs are too many; the limit is 1000000"),
        // The row says 77, and the run that it opens has 1.
        (&[("a.csv", &changed("\n0,1,", "\n0,77,"))], "kernels[K3].blocks of run 0 is \"77\"; \"1\" is expected."),
        (&[("a.csv", &none)], "a.csv cannot be opened: it has no run."),
        (&[("a.csv", &many)], "20,001 runs are too many for the page; the maximum is 20,000."),
    ] {
        let (still, problem) = dropped(&mut page, files);
        let problem = problem.unwrap();
        assert!(problem.contains(says), "{says}: {problem}");
        assert_eq!(still, shown, "{says}");
    }
    assert_eq!(page.moved().problem, None);
}

/// All are sorted; the first are shown.
#[test]
fn sweep_page_shows_the_first_rows_of_a_long_table() {
    let plan = plan("tx2-table-1", &["seed=0..3000"], None);
    let rows =
        (0..3_000).map(|run| (run, [run, run, 7, 1].map(|n| n.to_string()).into_iter().chain([String::new(), String::new()]).collect()));
    let text = Part::new(plan.mark(), plan.count(), plan.header(), rows.collect()).write();
    let mut page = page();
    dropped(&mut page, &[("runs.csv", &text)]);
    page.send(Msg::Sort("seed".to_owned()));
    let sweep = page.send(Msg::Sort("seed".to_owned())).view.unwrap().sweep.unwrap();
    assert_eq!((sweep.rows.len(), runs(&sweep)[0]), (MAX_ROWS, 2_999));
    assert_eq!(sweep.shown.as_deref(), Some("The table shows the first 1,000 of 3,000 runs in this order."));
    // A measure that no run has is no chart, and the table stays.
    let sweep = page.send(Msg::Draw("response:K3".to_owned())).view.unwrap().sweep.unwrap();
    assert_eq!((sweep.chart.as_str(), sweep.said.as_str()), ("", "There is no chart: no run has a largest response of K3."));
}

/// A table may be anybody's: numbers that no run has are drawn all the same.
#[test]
fn sweep_page_draws_the_greatest_numbers() {
    for vary in [&["seed=0..12"][..], &["seed=18446744073709551000..18446744073709551615:1"], &["seed=0..12", "kernels[K3].blocks=1..13"]] {
        let plan = plan("tx2-table-1", vary, None);
        let greatest = u64::MAX.to_string();
        let made = plan.header();
        let row = |run: u64| {
            let made = made.iter().zip(plan.row(run)).map(|(name, cell)| match name.as_str() {
                "end" | "response:K3" if run.is_multiple_of(2) => greatest.clone(),
                "utilization" => format!("{run}.000"),
                "problem" => String::new(),
                "end" | "response:K3" => run.to_string(),
                _ => cell,
            });
            (run, made.collect())
        };
        let text = Part::new(plan.mark(), plan.count(), plan.header(), (0..plan.count()).map(row).collect()).write();
        let mut page = page();
        let (sweep, problem) = dropped(&mut page, &[("runs.csv", &text)]);
        assert!(problem.is_none() && sweep.unwrap().chart.starts_with("<svg"), "{vary:?}");
    }
}

#[test]
fn sweep_cells_are_numbers_where_all_of_them_are() {
    let row = |cells: [&str; 6]| cells.map(str::to_owned).to_vec();
    let header = row(["run", "whole", "real", "word", "beyond", "problem"]);
    let rows = vec![(0, row(["0", "1", "55.000", "fifo", "inf", "1"])), (1, row(["1", "", "60.5", "2", "1.5", ""]))];
    let part = Part::new("{}", 2, header, rows);
    let kinds: Vec<CellKind> = (0..6).map(|place| part.kind(place)).collect();
    // What no number is in JSON is a word, and so is every problem.
    assert_eq!(kinds, [CellKind::Whole, CellKind::Whole, CellKind::Real, CellKind::Word, CellKind::Word, CellKind::Word]);
}

/// The form once the reader has typed values and ticked the policy.
fn typed(page: &mut OnPage<Sweep>, values: &str, by_policy: bool) -> FormView {
    let earlier = Sweep::remembered(&page.memory);
    let mut state = earlier.clone();
    (state.values, state.by_policy) = (values.to_owned(), by_policy);
    page.tell(Event::Edit(memory::since(&state, &earlier).unwrap())).unwrap().view.unwrap().form.unwrap()
}

/// What comes of pressing *Run*: the sweep and how many runs it has, or what is wrong.
fn run(page: &mut OnPage<Sweep>) -> Result<(String, u64), String> {
    let told = page.send(Msg::Run);
    match &told.effects[..] {
        [Effect::RunSweep { plan, count }] => Ok((plan.clone(), *count)),
        _ => Err(told.view.unwrap().form.unwrap().problem.unwrap()),
    }
}

/// A part of a sweep as a worker of the pool makes it.
fn swept(worker: &mut Worker, plan: &str, from: u64, to: u64) -> Result<Vec<u8>, String> {
    let request = RunSweep { plan: plan.to_owned(), from, to }.into_request();
    match worker.answer(Message { scenario: None, request }, &mut |_, _| ()) {
        Reply::Done(response) => Ok(RunSweep::answer(response).unwrap().rows),
        Reply::Failed(why) => Err(why),
        Reply::Progress(_) => panic!("it is not told on the way"),
    }
}

#[test]
fn sweep_form_offers_the_numbers_of_the_table_with_values_around_each() {
    let mut page = OnPage::<Sweep>::on("sweep", "tx2-table-1");
    let form = page.open("").form.unwrap();
    assert_eq!((form.number.as_str(), form.values.as_str()), ("kernels[K1].blocks", "1 to 12"));
    assert_eq!(form.hint, "Now it is 6. Write 1 to 12, 64 to 512 step 64, or 1, 2, 4.");
    assert!(form.numbers.contains(&("kernels[K4].threads_per_block".to_owned(), "Threads of K4".to_owned())));
    assert!(form.numbers.iter().all(|(_, name)| !name.starts_with("Kernel of") && !name.starts_with("Stream of")));
    // A cell names its row by its place.
    let form = page.open("kernels[1].block_time_ns").form.unwrap();
    assert_eq!((form.number.as_str(), form.values.as_str()), ("kernels[K2].block_time_ns", "500 ms to 2 s step 125 ms"));
    // What is typed stays until another number varies.
    assert_eq!(typed(&mut page, "1 s, 2 s", false).values, "1 s, 2 s");
    assert_eq!(page.open("").form.unwrap().values, "1 s, 2 s");
    let form = page.send(Msg::Vary("kernels[K6].start_ns".to_owned())).view.unwrap().form.unwrap();
    assert_eq!((form.number.as_str(), form.values.as_str()), ("kernels[K6].start_ns", "1.4 s to 5.6 s step 350 ms"));
    // Of a number that the scenario does not have nothing is known.
    assert_eq!(page.open("kernels[K9].blocks").form.unwrap().values, "1 to 12");
    // Rows of one name are told by their places.
    let twins = r#"{"version":1,"kernels":[{"name":"a.b","blocks":40,"threads_per_block":32,"block_time_ns":5}]}"#;
    let form = OnPage::<Sweep>::new("sweep", twins).open("").form.unwrap();
    assert_eq!((form.number.as_str(), form.values.as_str()), ("kernels[0].blocks", "20 to 80 step 5"));
}

#[test]
fn sweep_form_reads_ranges_steps_and_lists() {
    let mut page = OnPage::<Sweep>::on("sweep", "tx2-table-1");
    let mut planned = |field: &str, values: &str, by_policy: bool| {
        page.open(field);
        typed(&mut page, values, by_policy);
        run(&mut page).map(|(plan, count)| {
            let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
            (plan["vary"][0].as_str().unwrap().split_once('=').unwrap().1.to_owned(), count)
        })
    };
    for (field, values, expected, count) in [
        ("kernels[0].blocks", "1 to 12", "1..=12:1", 12),
        ("kernels[0].blocks", " 1 to 64 step 4 ", "1..=64:4", 16),
        ("kernels[0].blocks", "1..13", "1..=12:1", 12),
        ("kernels[0].blocks", "1..=12", "1..=12:1", 12),
        ("kernels[0].blocks", "1..=64:4", "1..=64:4", 16),
        ("kernels[0].blocks", "1, 2, 4", "1,2,4", 3),
        ("kernels[0].blocks", "1;2;4", "1,2,4", 3),
        ("kernels[0].blocks", "1,2,4", "1,2,4", 3),
        ("kernels[0].blocks", "1,024", "1024", 1),
        ("kernels[0].blocks", "1,024, 2,048", "1024,2048", 2),
        ("kernels[0].block_time_ns", "1 ms to 2 ms step 500 µs", "1000000..=2000000:500000", 3),
        ("kernels[0].block_time_ns", "1ms..=2ms:500us", "1000000..=2000000:500000", 3),
        ("kernels[0].block_time_ns", "0.2, 400 ms", "200000000,400000000", 2),
        ("kernels[0].shared_memory_bytes", "1 KB to 3 KB step 1 KB", "1024..=3072:1024", 3),
    ] {
        assert_eq!(planned(field, values, false), Ok((expected.to_owned(), count)), "{values}");
        assert_eq!(planned(field, values, true).unwrap().1, 4 * count, "{values} in four policies");
    }
    for (values, by_policy, says) in [
        ("1 to many", false, "Blocks of K1: \"many\" is not a number; write a whole number such as 6 or 1,024."),
        ("-1", false, "Blocks of K1: \"-1\" is negative; write a whole number such as 6 or 1,024."),
        ("12 to 1", false, "Blocks of K1: \"12 to 1\" has no value; the last has to be at least the first."),
        ("8..8", false, "Blocks of K1: \"8..8\" has no value; the last has to be at least the first."),
        ("1 to =8", false, "Blocks of K1: \"=8\" is not a number; write a whole number such as 6 or 1,024."),
        ("1 to 12 step 0", false, "Blocks of K1: \"1 to 12 step 0\" has the step 0; the least is 1."),
        ("1 to 20,001", false, "Blocks of K1: \"1 to 20,001\" makes 20,001 runs; the page makes at most 20,000."),
        ("1 to 5001", true, "Blocks of K1: \"1 to 5001\" makes 20,004 runs; the page makes at most 20,000."),
        (
            "0 to 18446744073709551615",
            true,
            "Blocks of K1: \"0 to 18446744073709551615\" makes 18,446,744,073,709,551,615 runs; the page makes at most 20,000.",
        ),
    ] {
        assert_eq!(planned("kernels[0].blocks", values, by_policy), Err(says.to_owned()));
    }
    let why = planned("kernels[0].block_time_ns", "1 ms to 11 ms", false).unwrap_err();
    assert_eq!(why, "Time per block of K1: \"1 ms to 11 ms\" has no step; write 1 ms to 11 ms step 1 ms.");
}

/// Parts come in any order, and fewer than all if the reader cancels.
#[test]
fn sweep_page_makes_the_table_of_the_command_line() {
    let mut page = OnPage::<Sweep>::on("sweep", "tx2-table-1");
    page.open("kernels[2].blocks");
    typed(&mut page, "1 to 3", true);
    let (mark, count) = run(&mut page).unwrap();
    assert_eq!(count, 12);
    let mut worker = Worker::default();
    let mut parts = [5..12, 0..2, 2..5].map(|runs: std::ops::Range<u64>| swept(&mut worker, &mark, runs.start, runs.end).unwrap()).to_vec();
    let view = page.send(Msg::Ran(mark.clone(), parts.clone())).view.unwrap();
    let sweep = view.sweep.unwrap();
    assert_eq!((sweep.missing, sweep.about.as_str()), (None, "12 runs by blocks of K3 and policy."));
    // What is measured is what the scenario has; the kernel that varies is drawn first.
    assert_eq!(sweep.measure, "response:K3");
    let words: Vec<&str> = sweep.measures.iter().map(|(word, _)| word.as_str()).collect();
    let responses = ["K1", "K2", "K3", "K4", "K5", "K6"].map(|name| format!("response:{name}"));
    assert_eq!(words, responses.iter().map(String::as_str).chain(["end", "utilization"]).collect::<Vec<_>>());
    let draft = format::read_scenario(examples::find("tx2-table-1").unwrap().json).unwrap();
    let vary = ["kernels[K3].blocks=1..=3:1", "policy.kind=fifo,priority,runlist,edf"].map(str::to_owned);
    let measures: Vec<Measure> = words.iter().map(|word| word.parse().unwrap()).collect();
    let plan = Plan::new(&draft, &vary, &measures, None, Limits::default()).unwrap();
    let saved = page.send(Msg::SaveCsv).effects;
    let [Effect::SaveFile { name, text, .. }] = &saved[..] else { panic!("{saved:?}") };
    assert_eq!((name.as_str(), text), ("sweep.csv", &table(&plan, 0..12)));
    // Each point of the chart is a run: a curve for each policy, from left to right.
    let (width, height) = sweep.chart_px;
    assert!(sweep.chart.contains(&format!("viewBox=\"0 0 {width} {height}\"")), "{}", &sweep.chart[..200]);
    assert_eq!(sweep.points.iter().map(|point| point.run).collect::<Vec<_>>(), [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11]);
    assert_eq!(sweep.points[2].text, "Run 8: blocks of K3 = 3, FIFO; largest response of K3 = 4.8 s");
    for point in &sweep.points {
        assert!((0..width as i32).contains(&point.at.0) && (0..height as i32).contains(&point.at.1), "{point:?}");
        assert!(sweep.chart.contains(&format!("<path d=\"M{} {}m", point.at.0, point.at.1)), "{point:?} has a mark");
        let [Effect::Say(_), Effect::OpenScenario { scenario, .. }] = &page.send(Msg::Open(point.run)).effects[..] else { panic!() };
        assert_eq!(*scenario, format::write_scenario(&plan.draft(point.run).unwrap()));
    }
    // Canceled.
    parts.truncate(1);
    let sweep = page.send(Msg::Ran(mark.clone(), parts)).view.unwrap().sweep.unwrap();
    assert_eq!(sweep.missing.as_deref(), Some("7 of 12 runs were made; the others were canceled."));
    // Before any run was made: what is shown stays, as it does where the page is left and shown again.
    assert_eq!(page.send(Msg::Ran(mark.clone(), Vec::new())).view.unwrap().sweep.unwrap(), sweep);
    page.tell(Event::Closed).unwrap();
    assert_eq!(page.open("").sweep.unwrap(), sweep);
    // What is no sweep is no part of one.
    assert!(swept(&mut worker, "{}", 0, 1).unwrap_err().starts_with("This sweep cannot be made: "));
    assert_eq!(swept(&mut worker, &mark, 40, 50).map(|rows| rows.len()), Ok(1));
}

/// A run that a policy cannot make is a row that says why, as are values that the engine refuses.
#[test]
fn sweep_page_says_which_runs_cannot_be_made() {
    let mut page = OnPage::<Sweep>::on("sweep", "tx2-table-1");
    page.open("kernels[0].blocks");
    typed(&mut page, "0 to 2", false);
    let (mark, count) = run(&mut page).unwrap();
    let parts = vec![swept(&mut Worker::default(), &mark, 0, count).unwrap()];
    let sweep = page.send(Msg::Ran(mark, parts)).view.unwrap().sweep.unwrap();
    assert!(sweep.about.ends_with("1 run cannot be made; the column Problem says why."), "{}", sweep.about);
    assert_eq!(sweep.points.len(), 2);
}

/// Tasks and misses come first where there are deadlines.
#[test]
fn sweep_page_measures_what_tasks_are_judged_by() {
    let mut page = OnPage::<Sweep>::on("sweep", "edf-vi-a-cbs");
    page.open("tasks[0].period_ns");
    typed(&mut page, "20 ms, 40 ms", false);
    let (mark, count) = run(&mut page).unwrap();
    let parts = vec![swept(&mut Worker::default(), &mark, 0, count).unwrap()];
    let sweep = page.send(Msg::Ran(mark, parts)).view.unwrap().sweep.unwrap();
    assert_eq!(sweep.measures[0], ("real-time-misses".to_owned(), "Late real-time jobs".to_owned()));
    assert!(sweep.measure.starts_with("response:"), "{}", sweep.measure);
}
