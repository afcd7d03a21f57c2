//! Task sets of SimSo: written, read, written again; read by an XML parser of others and by SimSo.

use std::process::Command;
use std::sync::Arc;

use blockstep_analysis::scenario::Model;
use blockstep_format::{FormatError, ImportOptions, Opened, SimsoError, SimsoFile, Source, open, write_simso};
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::*;
use proptest::prelude::*;

use super::with_hostile_names;
use blockstep_testing::arbitrary::{cases, turns};

/// A task set of three tasks, with everything that SimSo writes.
const TASK_SET: &str = r#"<?xml version="1.0" ?>
<simulation duration="60000000" cycles_per_ms="1000000" etm="wcet">
  <sched class="simso.schedulers.EDF" overhead="0" overhead_activate="0" overhead_terminate="0"/>
  <caches memory_access_time="100"/>
  <processors>
    <processor name="CPU 1" id="1" cl_overhead="2000" cs_overhead="1000" speed="1.0"/>
  </processors>
  <tasks>
    <task name="T1" id="1" task_type="Periodic" abort_on_miss="no" period="10.0" activationDate="0.5" list_activation_dates=""
      deadline="8.0" base_cpi="1.0" instructions="0" mix="0.5" WCET="2.25" ACET="1.0" preemption_cost="0" et_stddev="0.0"/>
    <task name="T2" id="2" task_type="Sporadic" abort_on_miss="no" period="5.0" activationDate="0.0" list_activation_dates="20, 5,35"
      deadline="5.0" base_cpi="1.0" instructions="0" mix="0.5" WCET="1" ACET="1" preemption_cost="0" et_stddev="0.0"/>
    <task name="T3" id="3" task_type="Periodic" abort_on_miss="yes" period="20" activationDate="0" list_activation_dates=""
      deadline="20" base_cpi="1.0" instructions="0" mix="0.5" WCET="0.0000005" ACET="0" preemption_cost="7" et_stddev="0" colour="red"/>
  </tasks>
</simulation>
"#;

fn read(text: &str) -> Result<Opened, FormatError> {
    open(text, &ImportOptions::default())
}

fn scenario(text: &str) -> Arc<Scenario> {
    Scenario::new(&read(text).unwrap().draft).unwrap()
}

fn write(scenario: &Arc<Scenario>) -> Result<SimsoFile, SimsoError> {
    let end = simulate(scenario, Limits::default()).trace.end();
    write_simso(scenario, &Model::new(scenario, Limits::default()).unwrap(), end)
}

#[test]
fn simso_task_sets_become_scenarios() {
    let opened = read(TASK_SET).unwrap();
    assert_eq!(opened.source, Source::Simso);
    let draft = &opened.draft;
    assert_eq!((draft.policy.kind, draft.policy.cbs, draft.policy.switch_cost_ns), (PolicyKind::Edf, false, 3000));
    assert_eq!(draft.horizon_ns, Some(60_000_000));
    let of = |i: usize| {
        let task = &draft.tasks[i];
        (task.release, task.period_ns, task.deadline_ns, task.offset_ns, task.jobs)
    };
    assert_eq!(of(0), (Release::Periodic, Some(10_000_000), Some(8_000_000), 500_000, None));
    assert_eq!(of(1), (Release::Periodic, Some(15_000_000), Some(5_000_000), 5_000_000, Some(3)));
    assert_eq!(of(2), (Release::Periodic, Some(20_000_000), None, 0, None));
    assert_eq!(draft.kernels.iter().map(|k| k.block_time_ns.greatest()).collect::<Vec<_>>(), [2_250_000, 1_000_000, 1]);
    let notes = opened.notes.join("\n");
    for said in
        ["the device is the TX2", "rounded", "The field colour of task is unknown", "task \"T3\": a job that misses", "preemption_cost"]
    {
        assert!(notes.contains(said), "{said} in {notes}");
    }
    // Each task has the whole GPU, so its cost alone is its WCET.
    let model = Model::new(&Scenario::new(draft).unwrap(), Limits::default()).unwrap();
    assert_eq!(model.tasks.iter().map(|(_, task)| task.cost).collect::<Vec<_>>(), [2_250_000, 1_000_000, 1]);
}

#[test]
fn simso_execution_times_of_another_kind_are_named() {
    for (field, model) in [("etm=\"acet\"", "acet"), ("use_wcet=\"no\"", "cache")] {
        let notes = read(&TASK_SET.replacen("etm=\"wcet\"", field, 1)).unwrap().notes.join("\n");
        assert!(notes.contains(&format!("The execution time model {model} is not simulated")), "{notes}");
    }
    for field in ["", "use_wcet=\"yes\"", "use_wcet=\"true\""] {
        let notes = read(&TASK_SET.replacen("etm=\"wcet\"", field, 1)).unwrap().notes.join("\n");
        assert!(!notes.contains("execution time model"), "{notes}");
    }
}

#[test]
fn simso_what_is_wrong_is_said_with_its_line() {
    let wrong = |from: &str, to: &str| read(&TASK_SET.replacen(from, to, 1)).unwrap_err().to_string();
    assert_eq!(wrong("WCET=\"2.25\"", "WCET=\"0\""), "line 9: task \"T1\".WCET is 0; a kernel runs for at least 1 ns");
    assert_eq!(wrong("deadline=\"8.0\"", ""), "line 9: task \"T1\".deadline is missing; it is required");
    assert_eq!(wrong("period=\"10.0\"", "period=\"nan\""), "line 9: task \"T1\".period is \"nan\"; expected a number");
    assert!(wrong("WCET=\"2.25\"", "WCET=\"-1\"").contains("is -1; expected at least 0"));
    assert!(wrong("cycles_per_ms=\"1000000\"", "cycles_per_ms=\"0\"").starts_with("line 2: simulation.cycles_per_ms is 0"));
    assert!(wrong("</simulation>", "").contains("the element simulation does not end"));
    assert!(wrong("<simulation ", "<model ").contains("not XML"));
    assert!(read("<model></model>").unwrap_err().to_string().contains("no task set of SimSo"));
    assert!(read("<").unwrap_err().to_string().contains("not XML"));
    assert!(read("<simulation/>").unwrap_err().to_string().contains("has no task that can be simulated"));
    assert!(read("<simulation/><simulation/>").unwrap_err().to_string().contains("second outermost"));
}

#[test]
fn simso_attacks_are_refused() {
    let entities = "<!DOCTYPE s [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;&a;&a;\">]><simulation duration=\"&b;\"/>";
    assert!(read(entities).unwrap_err().to_string().contains("document type"));
    assert!(read("<simulation duration=\"&b;\"/>").unwrap_err().to_string().contains("not XML"));
    let deep = "<a>".repeat(1_000_000);
    assert!(read(&deep).unwrap_err().to_string().contains("more than 50 deep"));
    let wide = format!("<simulation {}/>", (0..300_000).map(|i| format!("a{i}='1' ")).collect::<String>());
    assert!(read(&wide).unwrap_err().to_string().contains("more than 200 attributes"));
    let many = TASK_SET.replace("<tasks>", &format!("<tasks>{}", "<x y='1'/>".repeat(100_000)));
    assert!(read(&many).is_ok());
}

proptest! {
    #![proptest_config(cases(200))]
    #[test]
    fn simso_damaged_files_do_no_harm(at in 0..TASK_SET.len(), length in 0..40_usize, with in "[<>&\"'=/a-z0-9 ]{0,6}") {
        let end = (at + length).min(TASK_SET.len());
        let text = format!("{}{with}{}", &TASK_SET[..at], &TASK_SET[end..]);
        match read(&text) {
            Ok(opened) => if let Err(e) = Scenario::new(&opened.draft) {
                prop_assert!(!opened.explain(&e, &text).to_string().is_empty());
            },
            Err(e) => prop_assert!(!e.to_string().is_empty()),
        }
    }

    #[test]
    fn simso_task_sets_survive_the_way_there_and_back(draft in turns(PolicyKind::Edf)) {
        let original = Scenario::new(&with_hostile_names(draft)).unwrap();
        let Ok(first) = write(&original) else { return Ok(()) };
        let doc = roxmltree::Document::parse(&first.text).unwrap();
        let tasks: Vec<_> = doc.descendants().filter(|n| n.has_tag_name("task")).collect();
        for task in &tasks {
            let name = task.attribute("name").unwrap();
            prop_assert!(name.starts_with(|c: char| c.is_ascii_alphabetic()), "{name}");
            prop_assert!(name.chars().all(|c| c.is_ascii_alphanumeric() || " _-".contains(c)), "{name}");
            let kept = task.attribute("blockstep_name").unwrap_or(name);
            let is_of_scenario = |t: &Task| kept == t.name.replace(|c: char| c.is_control() && !"\t\r\n\u{7f}".contains(c), "\u{fffd}");
            prop_assert!(original.tasks().iter().any(is_of_scenario), "{kept}");
        }
        let again = scenario(&first.text);
        prop_assert_eq!(again.tasks().len(), tasks.len());
        for task in again.tasks() {
            let is_same = |t: &&Task| t.name.replace(|c: char| c.is_control() && !"\t\r\n\u{7f}".contains(c), "\u{fffd}") == task.name;
            let before = original.tasks().iter().find(is_same).unwrap();
            prop_assert_eq!((task.deadline, task.offset), (before.deadline, before.offset));
        }
        prop_assert_eq!(write(&again).unwrap().text, first.text);
    }
}

#[test]
fn simso_is_told_what_does_not_carry_over() {
    let scenario = super::example("edf-inheritance");
    let written = write(&scenario).unwrap();
    let losses = written.losses.join("\n");
    assert!(losses.contains("Producers") && losses.contains("one processor"), "{losses}");
    assert!(write(&super::example("tx2-table-1")).unwrap_err().to_string().contains("no real-time task"));
}

/// Python with SimSo; `None`, saying so, where there is none that starts. `BLOCKSTEP_PYTHON` names another Python.
fn python() -> Option<String> {
    let python = std::env::var("BLOCKSTEP_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let has_simso = Command::new(&python).args(["-W", "ignore", "-c", "import simso.core"]).output().is_ok_and(|out| out.status.success());
    if !has_simso {
        eprintln!(
            "skipped: {python} has no SimSo that starts (pip install simso, on Python 3.11 or earlier; BLOCKSTEP_PYTHON names another one)"
        );
    }
    has_simso.then_some(python)
}

/// Of every job that completes, task, release and response time in cycles, which are ns, as SimSo finds them.
const SCRIPT: &str = "
import sys
from simso.configuration import Configuration
from simso.core import Model
configuration = Configuration(sys.argv[1])
configuration.check_all()
model = Model(configuration)
model.run_model()
for task in model.results.tasks:
    for job in model.results.tasks[task].jobs:
        if job.response_time is not None:
            print('job|%s|%d|%d' % (task.name, round(job.activation_date), round(job.response_time)))
";

/// Without switch costs both simulate the same: EDF on one processor.
#[test]
fn simso_finds_the_same_response_times() {
    let Some(python) = python() else { return };
    let text = TASK_SET.replace("cl_overhead=\"2000\" cs_overhead=\"1000\"", "cl_overhead=\"0\" cs_overhead=\"0\"");
    let scenario = scenario(&text);
    let path = std::env::temp_dir().join(format!("blockstep-test-{}-simso.xml", std::process::id()));
    std::fs::write(&path, write(&scenario).unwrap().text).unwrap();
    let out = Command::new(python).args(["-W", "ignore", "-c", SCRIPT]).arg(&path).output().unwrap();
    let _ = std::fs::remove_file(&path);
    let printed = String::from_utf8_lossy(&out.stdout);
    assert!(out.status.success(), "{printed}{}", String::from_utf8_lossy(&out.stderr));
    let mut theirs: Vec<String> = printed.lines().filter_map(|line| line.strip_prefix("job|").map(str::to_owned)).collect();
    let run = simulate(&scenario, Limits::default());
    let records = Records::new(&run.trace);
    let job = |job: &blockstep_sim::record::JobRecord| {
        let response = job.end?.since(job.release).ns();
        Some(format!("{}|{}|{response}", scenario.task(job.task).name, job.release))
    };
    let mut ours: Vec<String> = records.jobs.iter().filter_map(job).collect();
    theirs.sort();
    ours.sort();
    assert!(ours.len() > 8);
    assert_eq!(theirs, ours);
}
