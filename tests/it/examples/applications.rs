//! The four applications of [EDF] section VI-A: what their examples' texts say, and how close the
//! figures come to the paper's (`--nocapture` prints them).

use blockstep::engine::Run;
use blockstep::scenario::{Class, Draft, PolicyDraft, PolicyKind, Release};

use super::{draft, met, responses_of, run, walk};

const RUNLIST: &str = "edf-vi-a-runlist";
const CBS: &str = "edf-vi-a-cbs";

/// How the two policies do on the same applications.
#[derive(Debug)]
struct Figures {
    /// Missed under `runlist`, in thousandths of all real-time jobs.
    missed: usize,
    /// Of sphere and network: how much shorter the greatest response is under EDF, in percent.
    better: [u64; 2],
}

fn figures(what: &str, runlist: &Run, cbs: &Run) -> Figures {
    let tasks = ["sphere", "network"];
    let count = |run: &Run| tasks.map(|t| met(run, t)).into_iter().fold((0, 0), |sum, (met, missed)| (sum.0 + met, sum.1 + missed));
    let (kept, missed) = count(runlist);
    let greatest = |run: &Run| tasks.map(|t| responses_of(run, t).into_iter().max().unwrap());
    let (before, after) = (greatest(runlist), greatest(cbs));
    assert_eq!(count(cbs).1, 0, "{what}: no deadline is missed under EDF with servers");
    assert!(before[0] > after[0] && before[1] > after[1], "{what}: {before:?} {after:?}");
    let figures = Figures { missed: missed * 1000 / (kept + missed), better: [0, 1].map(|i| (before[i] - after[i]) * 100 / before[i]) };
    println!("{what}: {missed} of {} missed under runlist, greatest responses {before:?} then {after:?}: {figures:?}", kept + missed);
    figures
}

/// Both policies for so long, with this seed and this offset of the network.
fn both(seconds: u64, seed: u64, offset_ns: u64) -> [Run; 2] {
    [RUNLIST, CBS].map(|id| {
        let mut draft = draft(id);
        draft.horizon_ns = Some(seconds * 1_000_000_000);
        draft.seed = seed;
        draft.tasks[1].offset_ns = offset_ns;
        run(&draft)
    })
}

#[test]
fn examples_of_four_applications_show_what_their_bookmarks_say() {
    let runlist = walk(
        RUNLIST,
        &[
            (233_333_331, "scene; scene#54 2 run; Csphere 1i#7 waits; sphere 1#7 waits"),
            (234_410_462, "to gears; scene#54 2 held; gears#14 waits"),
            (241_624_369, "to scene; scene#55 2 held"),
            (245_000_000, "scene; scene#56 2 run; Clayers 1-9i#6 waits; layers 1-9#6 waits"),
            (247_838_570, "to scene; scene#56 2 held"),
            (249_119_640, "to scene; scene#56 2 held"),
        ],
    );
    let cbs = walk(
        CBS,
        &[
            (233_333_331, "to sphere; scene#54 2 held; Csphere 1i#7 waits; sphere 1#7 waits"),
            (233_637_789, "to gears; scene#54 2 held; gears#14 waits"),
            (236_051_696, "to gears; scene#54 2 held; gears#14 2 held"),
            (245_000_000, "to network; scene#56 2 held; Clayers 1-9i#6 waits; layers 1-9#6 waits"),
            (247_164_201, "to scene; scene#56 2 held"),
            (247_445_271, "to scene; scene#56 2 held"),
        ],
    );
    // The frame and the network's job that the bookmarks follow.
    assert_eq!([responses_of(&runlist, "sphere")[7], responses_of(&cbs, "sphere")[7]], [8_291_038, 2_718_365]);
    assert_eq!([responses_of(&runlist, "network")[6], responses_of(&cbs, "network")[6]], [4_119_640, 2_445_271]);
    assert_eq!([executed(&runlist, "sphere", 7), executed(&runlist, "network", 6)], [1_768_365, 2_295_271]);
    assert_eq!([executed(&cbs, "sphere", 7), executed(&cbs, "network", 6)], [1_768_365, 2_295_271], "the same jobs");

    let figures = figures("2 s", &runlist, &cbs);
    assert_eq!((met(&runlist, "sphere").1, met(&runlist, "network")), (0, (44, 6)));
    assert_eq!(figures.missed, 54, "6 of 110, 5.5 % rounded up");
    assert!((59..=61).contains(&figures.better[0]) && (39..=41).contains(&figures.better[1]), "{figures:?}");
    let ms = |run: &Run, task| responses_of(run, task).into_iter().max().unwrap() / 100_000;
    assert_eq!([ms(&runlist, "sphere"), ms(&cbs, "sphere"), ms(&runlist, "network"), ms(&cbs, "network")], [102, 41, 49, 29]);
    // The gears gain.
    let mean = |run: &Run, task| responses_of(run, task).iter().sum::<u64>() / responses_of(run, task).len() as u64;
    assert!(mean(&cbs, "gears") < mean(&runlist, "gears"));
}

/// How long the operations of a job executed in all; they are never at once.
fn executed(run: &Run, task: &str, job: u32) -> u64 {
    let records = blockstep::record::Records::new(&run.trace);
    let is_of =
        |op: blockstep::units::OpId| run.trace.op(op).job.0 == job && run.trace.scenario().task(run.trace.row_of(op).task).name == task;
    let blocks = (0..records.blocks.len()).filter(|&i| is_of(records.blocks[i].op) && records.blocks[i].block == 0);
    let copies = (0..records.copies.len()).filter(|&i| is_of(records.copies[i].op));
    let runs = blocks.flat_map(|i| records.block_runs(i)).chain(copies.flat_map(|i| records.copy_runs(i)));
    runs.map(|r| r.end.since(r.start).ns()).sum()
}

/// The paper's numbers stand in the scenario, and its two versions differ in the policy alone.
#[test]
fn examples_of_four_applications_are_those_of_the_paper() {
    let (runlist, cbs) = (draft(RUNLIST), draft(CBS));
    let policy = PolicyDraft { kind: PolicyKind::Edf, ..runlist.policy };
    assert!(policy.cbs);
    assert_eq!(Draft { policy, name: cbs.name.clone(), ..runlist.clone() }, cbs);
    // Least and greatest execution times of a job, in µs, without its copies.
    let times = |task: &str| {
        let rows = runlist.kernels.iter().filter(|k| k.task.as_deref() == Some(task));
        rows.map(|k| [k.block_time_ns.greatest(), k.block_time_max_ns.unwrap_or(k.block_time_ns.greatest())])
            .fold([0, 0], |sum, k| [sum[0] + k[0], sum[1] + k[1]])
            .map(|ns| (ns + 500) / 1000)
    };
    assert_eq!(["sphere", "network", "scene", "gears"].map(times), [[1200, 4000], [1500, 3000], [3500, 3500], [1100, 1100]]);
    let ms = |ns: Option<u64>| ns.map(|ns| ns as f64 / 1e6);
    let tasks: Vec<_> = runlist.tasks.iter().map(|t| (t.name.as_str(), t.release, ms(t.deadline_ns), ms(t.budget_ns))).collect();
    assert_eq!(
        tasks,
        [
            ("sphere", Release::Periodic, Some(32.0), Some(4.0)),
            ("network", Release::Periodic, Some(4.0), Some(3.0)),
            ("scene", Release::Continuous, None, None),
            ("gears", Release::Periodic, None, None)
        ]
    );
    assert_eq!([0, 1, 3].map(|i| runlist.tasks[i].period_ns.unwrap() / 1000), [33_333, 40_000, 16_666]);
    assert_eq!([1, 3].map(|i| runlist.tasks[i].class), [None, Some(Class::BestEffort)]);
    let slices: Vec<_> = runlist.processes.iter().map(|p| p.timeslice_ns / 1_000_000).collect();
    assert_eq!(slices, [4, 3, 1, 1]);
}

/// A minute, as long as the text speaks of; other offsets and seeds keep to the direction.
#[test]
fn examples_of_four_applications_for_a_minute() {
    let [runlist, cbs] = both(60, 0, 5_000_000);
    println!("{} and {} steps", runlist.trace.steps().len(), cbs.trace.steps().len());
    let minute = figures("60 s", &runlist, &cbs);
    assert!((85..=94).contains(&minute.missed), "about 9 %: {minute:?}");
    assert!((54..=56).contains(&minute.better[0]) && (43..=45).contains(&minute.better[1]), "{minute:?}");
    for (seed, offset_ms) in [(0, 0), (1, 1), (2, 2), (3, 3), (4, 4), (5, 6)] {
        let [runlist, cbs] = both(20, seed, offset_ms * 1_000_000);
        let other = figures(&format!("20 s, seed {seed}, offset {offset_ms} ms"), &runlist, &cbs);
        assert!((60..=180).contains(&other.missed) && other.better[0] >= 30 && other.better[1] >= 30, "{other:?}");
    }
}
