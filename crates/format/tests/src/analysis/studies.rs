//! Studies: reproducible, addable, and refused where they make no sense.

use blockstep_analysis::curves::share;
use blockstep_analysis::edf_run::EdfRun;
use blockstep_analysis::generate::{Generator, Recipe};
use blockstep_analysis::results::Results;
use blockstep_analysis::sweep::{Counter, Counts, Sweep, Test, Utilisations};
use blockstep_analysis::switch_run::SwitchRun;
use blockstep_analysis::{parts, presets};
use blockstep_format::{read_results, read_sweep, write_results, write_sweep};

use proptest::prelude::*;

use super::{preset, run};
use blockstep_testing::arbitrary::cases;

#[test]
fn presets_have_no_problems_and_names_of_their_own() {
    for (i, p) in presets::ALL.iter().enumerate() {
        let sweep = (p.sweep)();
        assert_eq!((sweep.problems(), sweep.name.as_str()), (vec![], p.id));
        assert!(presets::ALL[..i].iter().all(|q| q.id != p.id));
    }
    assert!(presets::find("lp-7").is_none());
}

#[test]
fn sets_follow_from_seed_point_and_index() {
    let recipe = Recipe { generator: Generator::UUniFast, tasks: 3, periods: (1000, 15_000), seed: 1 };
    let draw = |recipe: Recipe, point, index| {
        let mut set = Vec::new();
        assert!(recipe.draw(point, index, &mut set));
        set.iter().map(|t| (t.cost, t.period)).collect::<Vec<_>>()
    };
    // Written down: they must not change from one version or machine to the next.
    assert_eq!(draw(recipe, 500_000, 0), EXPECTED);
    assert_ne!(draw(recipe, 500_000, 1), EXPECTED);
    assert_ne!(draw(recipe, 510_000, 0), EXPECTED);
    assert_ne!(draw(Recipe { seed: 2, ..recipe }, 500_000, 0), EXPECTED);
    assert_ne!(draw(Recipe { generator: Generator::Published, ..recipe }, 500_000, 0), EXPECTED);
}

const EXPECTED: [(u64, u64); 3] = [(651, 8039), (2521, 11791), (407, 1986)];

/// Mean utilization of the first task, in thousandths of the set's.
fn first_share(generator: Generator, tasks: u32) -> u64 {
    let recipe = Recipe { generator, tasks, periods: (100_000, 200_000), seed: 7 };
    let (mut sum, mut set, n) = (0, Vec::new(), 20_000);
    for index in 0..n {
        assert!(recipe.draw(800_000, index, &mut set));
        assert!(set.iter().all(|t| t.deadline == t.period && (100_000..=200_000).contains(&t.period) && t.cost > 0));
        sum += set[0].cost * 1_250_000 / set[0].period;
    }
    sum / n / 1000
}

#[test]
fn uunifast_shares_evenly_and_the_published_variant_does_not() {
    // Evenly: 1/n. Published: 1 - n/(n+1).
    for (tasks, even, published) in [(2, 500, 333), (3, 333, 250), (5, 200, 166)] {
        let (found, variant) = (first_share(Generator::UUniFast, tasks), first_share(Generator::Published, tasks));
        assert!(found.abs_diff(even) < 8, "{found} of {even}");
        assert!(variant.abs_diff(published) < 8, "{variant} of {published}");
    }
}

#[test]
fn generated_utilisations_are_what_was_asked_for() {
    let mut set = Vec::new();
    for (generator, tasks) in [(Generator::UUniFast, 10), (Generator::Published, 2), (Generator::Published, 5)] {
        let recipe = Recipe { generator, tasks, periods: (1000, 15_000), seed: 3 };
        for index in 0..500 {
            assert!(recipe.draw(700_000, index, &mut set));
            let load: f64 = set.iter().map(|t| t.cost as f64 / t.period as f64).sum();
            let lost = if generator == Generator::Published { 0.001 } else { tasks as f64 / 1000.0 };
            assert!(load <= 0.7 + 1e-12 && load > 0.7 - lost, "{load}");
        }
    }
}

#[test]
fn parts_add_up_to_the_whole_in_any_order() {
    let sweep = preset("lp-3", 1000);
    let whole = Counter::new(&sweep).count(900_000, 0..1000);
    let mut sum = Counts::none(9);
    let mut covered = 0;
    for part in [3, 1, 7, 2, 6, 5, 4] {
        let range = parts::part(sweep.sets, part, 7);
        covered += range.end - range.start;
        sum.add(&Counter::new(&sweep).count(900_000, range));
    }
    assert_eq!((sum, covered), (whole, 1000));
    assert_eq!((parts::part(1000, 1, 1), parts::part(1000, 7, 7).end), (0..1000, 1000));
    assert_eq!((1..=5).map(|i| parts::part(2, i, 5).count()).sum::<usize>(), 2);
}

#[test]
fn a_part_tells_into_how_many_parts_a_study_was_divided() {
    for (sets, of) in [(40, 3), (1000, 7), (1_000_000, 64), (10, 10), (100, 1), (1_000_000_000, 1000)] {
        let some = [parts::part(sets, 1, of), parts::part(sets, of, of)];
        assert_eq!(parts::parts(sets, &some), Some(of), "{sets} sets in {of} parts");
        for part in [1, of / 2 + 1, of] {
            let range = parts::part(sets, part, of);
            assert_eq!([range.start, range.end - 1].map(|set| parts::part_of(sets, set, of)), [part; 2], "{sets} sets in {of} parts");
        }
    }
    assert_eq!(parts::parts(40, &[0..13, 20..40]), None);
}

#[test]
fn failing_sets_fail_and_can_be_opened() {
    use blockstep_analysis::scenario::draft;
    use blockstep_sim::scenario::Scenario;
    for (id, point) in [("lp-3", 960_000), ("lp-5", 960_000), ("edf-3a", 600_000), ("edf-3d", 950_000)] {
        let sweep = preset(id, 300);
        for (i, test) in sweep.tests.iter().enumerate() {
            let failing = sweep.failing(point, i, 0..300, 5);
            let counts = Counter::new(&Sweep { tests: vec![*test], ..sweep.clone() }).count(point, 0..300);
            assert_eq!(failing.len() as u64, (300 - counts.passed[0]).min(5), "{id} {i}");
            for index in failing {
                let mut set = Vec::new();
                assert!(sweep.set(point, index, &mut set));
                let scenario = Scenario::new(&draft(&set, test, "a set"));
                assert!(scenario.is_ok(), "{:?}", scenario.err());
            }
        }
    }
}

fn messages(change: impl Fn(&mut Sweep)) -> Vec<String> {
    let mut sweep = preset("edf-3a", 1000);
    change(&mut sweep);
    sweep.problems().iter().map(ToString::to_string).collect()
}

#[test]
fn studies_that_make_no_sense_are_refused() {
    let range = |from, to, step| Utilisations { from, to, step };
    assert_eq!(messages(|s| s.utilisation = range(500_000, 400_000, 1000)), ["utilisation is empty: it ends before it begins"]);
    assert_eq!(messages(|s| s.utilisation.step = 0), ["utilisation.step is 0; it must be positive"]);
    assert_eq!(messages(|s| s.utilisation.from = 0), ["utilisation.from is 0; it must be positive"]);
    assert_eq!(messages(|s| s.utilisation.to = 1_000_001), ["utilisation.to is more than 1, and no task set above 1 can be scheduled"]);
    assert_eq!(messages(|s| s.utilisation = range(1, 1_000_000, 1)), ["utilisation has 1000000 points; at most 1001 are possible"]);
    assert_eq!(messages(|s| s.recipe.periods = (5, 4)), ["period_us is empty: 5 is more than 4"]);
    assert_eq!(messages(|s| s.recipe.periods = (0, 4)), ["period_us: begins at 0; the minimum period is 1"]);
    assert_eq!(messages(|s| s.recipe.tasks = 0), ["tasks is 0; 1 to 200 are possible"]);
    assert_eq!(messages(|s| s.sets = 0), ["sets is 0; 1 to 1000000000 are possible"]);
    assert_eq!(messages(|s| s.tests.clear()), ["tests has 0 entries; 1 to 500 are possible"]);
    let no_slice = |test: &mut Test| {
        if let Test::RunlistRun(runlist) = test {
            runlist.timeslice = 0;
        }
    };
    assert_eq!(messages(|s| no_slice(&mut s.tests[1])), ["tests[1].timeslice_us is 0; the minimum timeslice is 1"]);
    assert_eq!(messages(|s| s.recipe.periods = (1, u64::MAX)).len(), 1);
    // What a test runs for each set has a limit; three of the five timeslices are long enough for it.
    let long = messages(|s| (s.recipe.tasks, s.recipe.periods) = (200, (1_000, 3_000_000)));
    assert_eq!(long.len(), 2, "{long:?}");
    assert!(long[0].starts_with("tests[0].timeslice_us is 500: with 200 tasks with periods of 1000 to 3000000 us"), "{long:?}");
    assert!(long[0].ends_with("has up to 240640000 events; at most 100000000 are possible"), "{long:?}");
    let run = |until| messages(|s| s.tests = vec![Test::EdfRun(EdfRun { overhead: 0, until })]);
    assert_eq!(run(1_000_000_000), Vec::<String>::new());
    let mut sweep = preset("edf-3d", 1000);
    sweep.recipe.periods.0 = 1;
    for test in &mut sweep.tests {
        let Test::EdfRun(run) = test else { panic!("{test:?}") };
        run.until = 1_000_000_000;
    }
    assert_eq!(sweep.problems().len(), sweep.tests.len());
}

/// Each test of them is possible; all together are not, and the message has both numbers.
#[test]
fn studies_of_too_many_long_tests_are_refused() {
    let delays =
        |tests, tasks| messages(|s| (s.recipe.tasks, s.tests) = (tasks, (0..tests).map(|overhead| Test::EdfDelay { overhead }).collect()));
    let said = |tests, tasks, events| {
        let all = "events in all of them; at most 1000000000 are possible";
        [format!("tests has {tests} entries: with {tasks} tasks, one set has up to {events} {all}")]
    };
    assert_eq!(delays(25, 200), Vec::<String>::new());
    assert_eq!(delays(26, 200), said(26, 200, 1_040_000_000_u64));
    let runs = |tests| {
        messages(|s| {
            (s.recipe.tasks, s.recipe.periods) = (10, (1_000, 2_000));
            s.tests = (0..tests).map(|overhead| Test::EdfRun(EdfRun { overhead, until: 900_000_000 })).collect();
        })
    };
    assert_eq!(runs(11), Vec::<String>::new());
    assert_eq!(runs(12), said(12, 10, 1_080_001_200_u64));
}

#[test]
fn costs_beyond_the_periods_after_inflation_fail() {
    let mut sweep = preset("lp-3", 200);
    for test in &mut sweep.tests {
        if let Test::Edf(edf) = test {
            edf.switch = 1_000_000_000;
        }
    }
    assert_eq!(sweep.problems(), []);
    let counts = Counter::new(&sweep).count(500_000, 0..200);
    assert_eq!((counts.sets, counts.passed), (200, vec![0; 9]));
}

#[test]
fn sets_that_cannot_be_drawn_are_counted_as_such() {
    let mut sweep = preset("lp-3", 5);
    (sweep.recipe.periods, sweep.recipe.tasks) = ((1, 10), 50);
    let counts = Counter::new(&sweep).count(10_000, 0..5);
    assert_eq!((counts.sets, counts.undrawn, &counts.passed), (0, 5, &vec![0; 9]));
    assert_eq!(sweep.curves(&vec![counts; 81])[0].points, []);
}

#[test]
fn bands_are_wilsons() {
    let band = |k, n| share(k, n).map(|s| (s.share, s.least, s.most));
    assert_eq!(band(0, 0), None);
    // Worked out with the formula and many digits: 0.2366, 0.7634; 0, 0.2775; 0.7225, 1; 0.4902, 0.5098.
    assert_eq!(band(5, 10), Some((500_000, 236_593, 763_407)));
    assert_eq!(band(0, 10), Some((0, 0, 277_533)));
    assert_eq!(band(10, 10), Some((1_000_000, 722_467, 1_000_000)));
    assert_eq!(band(5000, 10_000), Some((500_000, 490_202, 509_798)));
    let Some(s) = share(999_999_999, 1_000_000_000) else { panic!() };
    assert!(s.least <= s.share && s.share <= s.most && s.most <= 1_000_000 && s.most - s.least < 3);
}

#[test]
fn curves_are_named_after_what_varies() {
    let all = |id| {
        let sweep = preset(id, 10);
        sweep.curves(&super::run(&sweep))
    };
    let lp = all("lp-3");
    assert_eq!((lp.len(), lp[1].label.as_str(), lp[3].label.as_str()), (9, "EDF, 2 x 263 µs", "lpEDF, 2 x 0 µs, 5 to 500 groups"));
    assert_eq!((lp[0].points.len(), lp[0].points[80].0, lp[0].points[80].1.share), (81, 1_000_000, 1_000_000));
    let by_parameter = all("edf-3d");
    assert_eq!(by_parameter.iter().map(|c| c.label.as_str()).collect::<Vec<_>>(), ["U = 0.8", "U = 0.85", "U = 0.9", "U = 0.95"]);
    assert_eq!(by_parameter[0].points.iter().map(|p| p.0).collect::<Vec<_>>(), (1..=15).map(|i| 100 * i).collect::<Vec<_>>());
}

/// The tests with the longest switch pass least; runs that draw pass as many as with the average, nearly.
#[test]
fn drawn_switches_lie_between_average_and_longest() {
    let sweep = preset("lp-switches", 100);
    let counts = run(&sweep);
    let passed: Vec<u64> = (0..5).map(|test| counts.iter().map(|point| point.passed[test]).sum()).collect();
    let [test_average, test_longest, run_average, run_longest, run_drawn] = passed[..] else { panic!("{passed:?}") };
    assert!(test_longest < test_average && test_average < run_average, "{passed:?}");
    assert!(run_longest < run_drawn && run_drawn <= run_average && run_average - run_drawn < (run_average - run_longest) / 4, "{passed:?}");
    let labels: Vec<String> = sweep.tests.iter().map(Test::label).collect();
    assert_eq!(labels[3..], ["npEDF run, 80 µs a switch", "npEDF run, switches drawn, 22 µs on average, at most 80 µs"]);
    let messages = |average, longest| {
        let mut sweep = preset("lp-switches", 1);
        sweep.tests = vec![Test::SwitchRun(SwitchRun { average, longest, until: 1000 })];
        sweep.problems().iter().map(|p| format!("{} {}", p.path, p.message)).collect::<Vec<_>>()
    };
    assert_eq!(messages(80, 22), ["tests[0].switch_max_us is 22; at least 80 is needed, the average"]);
    assert_eq!(messages(0, 22), ["tests[0].switch_max_us is 22: too far above an average of 0"]);
    assert_eq!(messages(0, 0), Vec::<String>::new());
}

#[test]
fn studies_are_read_back_as_they_were_written() {
    for p in presets::ALL {
        let sweep = (p.sweep)();
        assert_eq!(read_sweep(&write_sweep(&sweep)).as_ref(), Ok(&sweep), "{}", p.id);
    }
    let mut sweep = preset("edf-3b", 17);
    sweep.name = "quotes \" and\nlines".to_owned();
    sweep.utilisation = Utilisations { from: 1, to: 999_999, step: 333_333 };
    sweep.tests = vec![Test::EdfDelay { overhead: 3 }];
    assert_eq!(read_sweep(&write_sweep(&sweep)), Ok(sweep));
}

const SMALL: &str = r#"{ "version": 1, "tasks": 2, "period_us": [10, 20],
  "utilisation": { "from": 0.5, "to": 0.9, "step": 0.2 }, "sets": 40,
  "tests": [ { "kind": "edf", "preemption": "block", "groups": [2, 4] } ]
}"#;

fn refused(from: &str, to: &str) -> String {
    assert!(SMALL.contains(from), "{from}");
    read_sweep(&SMALL.replace(from, to)).unwrap_err().to_string()
}

#[test]
fn files_of_studies_are_read_strictly() {
    let sweep = read_sweep(SMALL).unwrap();
    assert_eq!((sweep.utilisation.count(), sweep.sets, sweep.tests.len(), sweep.recipe.seed), (3, 40, 1, 1));
    for (from, to, message) in [
        ("0.2 }", "0 }", "line 2: utilisation.step is 0; it must be positive"),
        ("0.5", "0.95", "line 2: utilisation is empty: it ends before it begins"),
        ("0.2 }", "0.0000001 }", "line 2: utilisation.step is 0.0000001; a number with at most six decimals is expected"),
        ("0.2 }", "0.000001 }", "line 2: utilisation has 400001 points; at most 1001 are possible"),
        ("[10, 20]", "[20, 10]", "line 1: period_us is empty: 20 is more than 10"),
        ("[10, 20]", "[10]", "line 1: period_us is a list; a list of two numbers, the least and the greatest, is expected"),
        ("\"sets\"", "\"set\"", "line 2: set: unknown field, did you mean sets?"),
        (": 1, \"tasks\"", ": 2, \"tasks\"", "line 1: version is 2; version 1 is expected"),
        ("\"tasks\": 2, ", "", "line 1: tasks is missing; it is required"),
        ("\"tasks\": 2", "\"tasks\": 99999999999", "line 1: tasks is 4294967295; 1 to 200 are possible"),
        ("[2, 4]", "[0, 4]", "line 3: tests[0].groups: begins at 0; the minimum is 1 work-group"),
        ("[2, 4]", "[5, 4]", "line 3: tests[0].groups is empty: 5 is more than 4"),
        (", \"groups\": [2, 4]", "", "line 3: tests[0].groups is missing; limited preemption needs the work-groups per SM"),
        ("\"block\"", "\"none\"", "line 3: tests[0].groups: does not go with preemption \"none\""),
        (
            "\"edf\"",
            "\"fifo\"",
            "line 3: tests[0].kind is the text \"fifo\"; \"edf\", \"edf_delay\", \"edf_run\", \"switch_run\", \"signal_run\", \"runlist_bound\" or \"runlist_run\" is expected",
        ),
    ] {
        assert_eq!(refused(from, to), message);
    }
    assert_eq!(read_sweep("").unwrap_err().to_string(), "line 1: the file is empty");
    assert!(read_sweep("[1]").is_err() && read_sweep("{}").is_err());
}

fn results(sweep: &Sweep, sets: std::ops::Range<u64>) -> Results {
    let mut counter = Counter::new(sweep);
    let counts = sweep.utilisation.iter().map(|u| counter.count(u, sets.clone())).collect();
    Results::new(sweep.clone(), sets, counts)
}

#[test]
fn results_are_read_back_and_joined() {
    let sweep = read_sweep(SMALL).unwrap();
    let whole = results(&sweep, 0..40);
    assert_eq!(read_results(&write_results(&whole)).as_ref(), Ok(&whole));
    let [a, b, c] = [0..10, 10..30, 30..40].map(|range| read_results(&write_results(&results(&sweep, range))).unwrap());
    let mut all = c.clone();
    all.join(&a).unwrap();
    assert_eq!((all.sets.as_deref(), all.is_whole()), (Some(&[0..10, 30..40][..]), false));
    assert_eq!(all.missing().unwrap().first(), Some(&(10..30)));
    assert_eq!(read_results(&write_results(&all)).as_ref(), Ok(&all));
    let before = all.clone();
    assert_eq!(all.join(&a).unwrap_err().to_string(), "has sets that were counted already, from number 0 on");
    let other = Sweep { recipe: Recipe { seed: 2, ..sweep.recipe }, ..sweep.clone() };
    assert_eq!(all.join(&results(&other, 10..30)).unwrap_err().to_string(), "is of another study: the seeds differ");
    let stopped = Results { sets: None, ..b.clone() };
    assert_eq!(read_results(&write_results(&stopped)).as_ref(), Ok(&stopped));
    assert_eq!(all.join(&stopped).unwrap_err().to_string(), "was stopped midway, so it is unknown which sets it holds");
    assert_eq!(all, before);
    assert_eq!(stopped.missing(), None);
    all.join(&b).unwrap();
    assert_eq!(all, whole);
    assert_eq!((all.missing(), all.is_whole()), (Some(Vec::new()), true));
    // Nothing is no harm.
    all.join(&results(&sweep, 7..7)).unwrap();
    assert_eq!(all, whole);
}

#[test]
fn results_that_cannot_be_are_refused() {
    let text = write_results(&results(&read_sweep(SMALL).unwrap(), 0..40));
    let row = text.lines().nth(3).unwrap().to_owned();
    let refuse = |text: &str| read_results(text).unwrap_err().to_string();
    assert_eq!(refuse("a,b\n"), "is not a result of blockstep sweep --csv: its first line does not hold the study");
    assert_eq!(refuse(&text.replace("0..40", "0..41")), "line 2: does not say which sets were counted");
    assert_eq!(refuse(&text.replace("0..40", "9..9")), "line 2: does not say which sets were counted");
    assert_eq!(refuse(&text.replace("0..40", "0..39")), "line 4: does not hold 3 counts that fit the study");
    assert_eq!(refuse(&text.replace(&row, "0.5,40,0,41")), "line 4: does not hold 3 counts that fit the study");
    assert_eq!(refuse(&text.replace(&row, "0.5,40,0,4,4")), "line 4: does not hold 3 counts that fit the study");
    assert_eq!(refuse(&text.replace(&row, "0.6,40,0,40")), "line 4: does not begin with utilisation 0.5");
    assert_eq!(refuse(&text.replace(&format!("{row}\n"), "")), "line 4: does not begin with utilisation 0.5");
    assert_eq!(refuse(&format!("{text}0.9,1,1,1\n")), "line 7 is one row too many");
    assert_eq!(refuse(text.lines().next().unwrap()), "ends before the sets that were counted");
}

proptest! {
    #![proptest_config(cases(1000))]

    /// Studies and results with something cut out or put in are read or refused.
    #[test]
    fn damaged_files_are_no_trouble(
        is_result in any::<bool>(),
        from in any::<prop::sample::Index>(),
        length in 0..12_usize,
        put in prop_oneof!["[0-9]{0,20}", "[ -~]{0,5}", "\\PC{0,3}"],
    ) {
        let text = if is_result { write_results(&results(&read_sweep(SMALL).unwrap(), 0..3)) } else { SMALL.to_owned() };
        let mut damaged: Vec<char> = text.chars().collect();
        let from = from.index(damaged.len());
        let to = (from + length).min(damaged.len());
        damaged.splice(from..to, put.chars());
        let damaged: String = damaged.into_iter().collect();
        if is_result {
            if let Ok(read) = read_results(&damaged) {
                prop_assert_eq!(read_results(&write_results(&read)), Ok(read));
            }
        } else if let Ok(read) = read_sweep(&damaged) {
            prop_assert_eq!(read.problems(), vec![]);
            prop_assert_eq!(read_sweep(&write_sweep(&read)), Ok(read));
        }
    }
}

#[test]
fn the_smallest_periods_and_the_most_tasks_are_no_trouble() {
    for generator in [Generator::UUniFast, Generator::Published] {
        for periods in [(1, 1), (1, 3), (1_000_000_000, 1_000_000_000)] {
            for tasks in [1, 2, 200] {
                let recipe = Recipe { generator, tasks, periods, seed: 1 };
                let sweep = Sweep { recipe, ..preset("lp-3", 3) };
                assert_eq!(sweep.problems(), []);
                let counts = Counter::new(&sweep).count(1_000_000, 0..3);
                assert_eq!(counts.sets + counts.undrawn, 3);
            }
        }
    }
}

/// A share that is counted by runs depends on their length: whatever names the share says it.
#[test]
fn studies_say_how_long_runs_are_by_which_they_count() {
    let said: Vec<(&str, String)> = presets::ALL.iter().map(|preset| (preset.id, (preset.sweep)().length_of_runs())).collect();
    let said: Vec<(&str, &str)> = said.iter().map(|(id, said)| (*id, said.as_str())).collect();
    let expected = [
        ("lp-3", ""),
        ("lp-4", ""),
        ("lp-5", ""),
        ("lp-6", ""),
        ("lp-switches", " (runs of 1 s)"),
        ("edf-3a", " (runs up to a deadline)"),
        ("edf-3b", " (runs up to a deadline)"),
        ("edf-3c", " (runs up to a deadline)"),
        ("edf-3d", " (runs of 1 s)"),
        ("edf-signals", " (runs of 1 s)"),
    ];
    assert_eq!(said, expected);
    let mut sweep = preset("edf-3d", 10);
    for (test, until) in sweep.tests.iter_mut().zip([200_000, 200_000, 20_000_000]) {
        *test = Test::EdfRun(EdfRun { overhead: 500, until });
    }
    sweep.tests.truncate(3);
    assert_eq!(sweep.length_of_runs(), " (runs of 200 ms, of 20 s)");
}
