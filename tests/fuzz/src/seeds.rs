//! The valid texts that damage is done to, of every kind that is read. Invariant: the same wherever the same `BLOCKSTEP_SHARED` is read.

use std::fs;
use std::path::Path;

use blockstep_analysis::presets;
use blockstep_analysis::results::Results;
use blockstep_analysis::sweep::Counts;
use blockstep_batch::cases::{ASSUMED, CASES};
use blockstep_format::{self as format, BatchFile};
use blockstep_report::study::form::StudyTexts;
use blockstep_sim::dice::Dice;
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::examples;
use blockstep_sim::scenario::{Draft, Scenario};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use blockstep_testing::arbitrary::any_drafts;

/// A config of the examiner: two streams, copies, a kernel by name.
const CONFIG: &str = r#"{
  "name": "Two spinners", "max_iterations": 2, "max_time": 0, "use_processes": false, "cuda_device": 0,
  "benchmarks": [
    { "filename": "./bin/timer_spin.so", "log_name": "a.json", "label": "A", "thread_count": 512, "block_count": 4,
      "data_size": 1024, "release_time": 0.25, "additional_info": 200000000 },
    { "filename": "./bin/mandelbrot.so", "log_name": "b.json", "label": "B", "thread_count": [16, 16], "block_count": 2,
      "data_size": 0, "additional_info": { "max_iterations": 100 }, "stream_priority": -1, "cpu_core": 3 }
  ]
}"#;

/// A log of the examiner: one launch of two blocks, with copies.
const LOG: &str = r#"{ "scenario_name": "Two spinners", "benchmark_name": "Timer Spin", "label": "A", "max_resident_threads": 4096,
  "data_size": 64, "release_time": 0.0, "PID": 12, "TID": 13,
  "times": [ {},
    { "copy_in_times": [0.1, 0.11], "execute_times": [0.11, 0.5], "copy_out_times": [0.5, 0.51], "cpu_times": [0.1, 0.51] },
    { "kernel_name": "GPUSpin", "block_count": 2, "thread_count": 256, "shared_memory": 16, "cuda_launch_times": [0.111, 0.112, 0.5],
      "block_times": [0.2, 0.4, 0.2, 0.45], "block_smids": [1, 0], "cpu_core": 1 } ] }"#;

/// A task set of SimSo.
const SIMSO: &str = r#"<?xml version="1.0" ?>
<simulation duration="60000000" cycles_per_ms="1000000" etm="wcet">
  <sched class="simso.schedulers.EDF" overhead="0"/>
  <processors><processor name="CPU 1" id="1" cs_overhead="1000" speed="1.0"/></processors>
  <tasks>
    <task name="A" id="1" task_type="Periodic" period="10.0" activationDate="0.5" list_activation_dates="" deadline="8.0" WCET="2.25"/>
    <task name="B &amp; C" id="2" task_type="Sporadic" period="5.0" list_activation_dates="20, 5,35" deadline="5.0" WCET="1" ACET="1"/>
  </tasks>
</simulation>"#;

/// Steps of a run that many tools are asked about.
const SHORT: Limits = Limits { max_steps: 3000 };

/// All of them.
pub struct Seeds {
    /// Scenario files.
    pub scenarios: Vec<String>,
    /// Those of them whose runs are short.
    pub short: Vec<String>,
    /// Configs of the examiner, and task sets of SimSo.
    pub configs: Vec<String>,
    /// Its logs.
    pub logs: Vec<String>,
    /// Workloads of batches.
    pub batches: Vec<String>,
    /// Studies, small ones.
    pub sweeps: Vec<String>,
    /// What such studies came to.
    pub results: Vec<String>,
    /// Forms of studies.
    pub forms: Vec<String>,
    /// Traces of the PyTorch profiler.
    pub profiles: Vec<String>,
    /// The same as exports of Nsight Systems.
    pub databases: Vec<Vec<u8>>,
}

impl Seeds {
    /// Reads and makes them.
    pub fn new() -> Self {
        let mut scenarios: Vec<String> = examples::all().map(|example| example.json.to_owned()).collect();
        scenarios.extend((0..40).map(|seed| format::write_scenario(&draft(&mut Dice::new(seed, &[0])))));
        let short: Vec<String> = scenarios.iter().filter(|text| is_short(text)).cloned().collect();
        assert!(short.len() > 45, "{} of {} runs are short", short.len(), scenarios.len());
        let (mut sweeps, mut results, mut forms) = (Vec::new(), Vec::new(), Vec::new());
        for preset in presets::ALL {
            let mut sweep = (preset.sweep)();
            sweep.sets = 40;
            sweeps.push(format::write_sweep(&sweep));
            let passed = (0..sweep.tests.len() as u64).map(|test| test % 41).collect();
            let counts = vec![Counts { sets: 40, undrawn: 0, passed }; sweep.utilisation.count() as usize];
            results.push(format::write_results(&Results::new(sweep.clone(), 0..40, counts)));
            let fields = "tasks=3&sets=20&seed=7&from=0.5&to=0.9&step=0.1&thread=0..5&slices=1000, 3000&bound=&period=10..100";
            forms.push(format!("preset={}&{fields}", preset.id));
            forms.push(format!("preset={}&{}", preset.id, StudyTexts::from_preset(preset).link()));
        }
        let profiles = blockstep_traces_tests::texts();
        Self {
            scenarios,
            short,
            databases: profiles.iter().map(|text| blockstep_traces_tests::export(text)).collect(),
            profiles,
            configs: [with_files(CONFIG, "examiner-configs"), vec![SIMSO.to_owned()]].concat(),
            logs: with_files(LOG, "examiner-logs"),
            batches: CASES.iter().map(|case| format::write_batch(&BatchFile::new(case.workload(&ASSUMED), case.arch))).collect(),
            sweeps,
            results,
            forms,
        }
    }

    /// A text of any kind, mostly one that is opened as a file.
    pub fn any<'s>(&'s self, dice: &mut Dice) -> &'s str {
        let kinds = [&self.scenarios, &self.scenarios, &self.configs, &self.logs, &self.batches, &self.sweeps, &self.results, &self.forms];
        let kind = dice.below(kinds.len() as u64) as usize;
        one(dice, kinds[kind])
    }
}

/// Any of some texts.
pub fn one<'s>(dice: &mut Dice, of: &'s [String]) -> &'s str {
    &of[dice.below(of.len() as u64) as usize]
}

/// A valid scenario.
pub fn draft(dice: &mut Dice) -> Draft {
    let seed: Vec<u8> = (0..4).flat_map(|_| dice.number().to_le_bytes()).collect();
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &seed));
    any_drafts().new_tree(&mut runner).unwrap().current()
}

/// Whether a scenario runs, and to its end soon.
pub fn is_short(text: &str) -> bool {
    let scenario = format::read_scenario(text).ok().and_then(|draft| Scenario::new(&draft).ok());
    scenario.is_some_and(|scenario| engine::simulate(&scenario, SHORT).trace.cut().is_none())
}

/// A text of ours, and the files of a folder of the shared data if it is there.
fn with_files(own: &str, folder: &str) -> Vec<String> {
    let shared = std::env::var("BLOCKSTEP_SHARED").unwrap_or_else(|_| format!("{}/../shared", blockstep_testing::ROOT));
    let mut paths: Vec<_> = fs::read_dir(Path::new(&shared).join("data").join(folder))
        .map(|files| files.filter_map(|file| Some(file.ok()?.path())).collect())
        .unwrap_or_default();
    paths.sort();
    let texts = paths.iter().filter_map(|path| fs::read_to_string(path).ok());
    std::iter::once(own.to_owned()).chain(texts).collect()
}
