//! The panels as values: what they say of Table 1.

use blockstep_format::read_scenario;
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::examples;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, PolicyKind, ProcessDraft, Scenario};
use blockstep_sim::units::{StepId, Time};
use blockstep_view::document::Document;
use blockstep_view::queues::{self, QueueView, QueuedOp};
use blockstep_view::reason::{self, WaitingList};
use blockstep_view::table::Table;
use blockstep_view::{panels, position, sentence};

/// Queues and what waits, after everything up to `at_ns`.
fn panels_at(draft: &Draft, at_ns: u64) -> (QueueView, WaitingList) {
    let run = simulate(&Scenario::new(draft).unwrap(), Limits::default());
    let records = Records::new(&run.trace);
    let at = position::at_time(&run.trace, Time(at_ns));
    let mut replay = run.replay();
    let state = replay.seek(at).clone();
    let last = at.checked_sub(1).map(|i| run.trace.step(StepId(i)));
    (queues::queues(&run.trace, &state, last, Time::ZERO, 12), reason::waiting(&run.trace, &records, &state, 100))
}

fn names(items: &[QueuedOp]) -> Vec<&str> {
    items.iter().map(|item| item.label.as_str()).collect()
}

#[test]
fn inset_d_of_table_1() {
    let draft = read_scenario(examples::first().json).unwrap();
    let (view, waiting) = panels_at(&draft, 3_020_000_000);
    let space = &view.spaces[0];
    assert_eq!(names(&space.ce[0].items), ["C2o"]);
    assert_eq!(names(space.engines[0].item.as_slice()), ["C5o"]);
    let stream = space.streams.iter().find(|s| s.label == "S1").unwrap();
    assert_eq!(names(&stream.items), ["C2o", "C3i", "K3", "C3o"]);
    let low = space.ee.iter().find(|q| q.label == "EE queue, low priority").unwrap();
    assert!(low.items.is_empty());
    let blocks: Vec<&str> = space.sms.iter().flat_map(|sm| &sm.blocks).map(|group| group.label.as_str()).collect();
    assert_eq!(blocks, ["K6:0", "K6:1"]);
    let waits: Vec<&str> = waiting.items.iter().map(|w| w.label.as_str()).collect();
    assert_eq!(waits, ["C2o", "C3i", "K3", "C3o", "C6o"]);
}

#[test]
fn boxes_say_how_far_things_are() {
    let draft = read_scenario(examples::first().json).unwrap();
    let (view, _) = panels_at(&draft, 800_000_000);
    let space = &view.spaces[0];
    let item = |name: &str| space.streams.iter().flat_map(|s| &s.items).find(|item| item.label == name).unwrap();
    assert_eq!(item("K1").title(), "K1: 4 of 6 blocks assigned, 0 complete");
    assert_eq!(item("K1").progress().as_deref(), Some("4/6"));
    assert_eq!((item("C2o").title(), item("C2o").progress()), ("C2o: waiting".to_owned(), None));
    assert_eq!(view.tasks[0].jobs(), "job released");
    let gauges = space.sms[0].gauges();
    assert_eq!(gauges[0].3, "threads: 512 free of 2,048");
    assert_eq!((gauges[0].1.percent(), gauges[1].2.as_str()), (25, "64 KiB"));
    assert_eq!(space.sms[0].blocks[0].title(), "K1:0: 768 threads");
    let (view, _) = panels_at(&draft, 0);
    assert_eq!(view.tasks[1].jobs(), "job released");
}

#[test]
fn every_step_has_a_sentence_and_a_rule() {
    let run = simulate(&Scenario::new(&read_scenario(examples::first().json).unwrap()).unwrap(), Limits::default());
    for step in run.trace.steps() {
        assert!(sentence::sentence(&run.trace, step).ends_with('.'), "{step:?}");
        assert!(!step.rule.sentence().is_empty() && !step.rule.source().is_empty());
    }
}

#[test]
fn tasks_name_their_process_where_there_are_several() {
    let mut draft = read_scenario(examples::first().json).unwrap();
    draft.processes = vec![ProcessDraft::named("P0"), ProcessDraft::named("P1")];
    draft.tasks[1].process = Some("P1".to_owned());
    let (view, _) = panels_at(&draft, 0);
    assert_eq!(view.tasks.iter().map(|t| t.process.as_str()).collect::<Vec<_>>(), ["P0", "P1"]);
    assert_ne!(view.tasks[0].process_id, view.tasks[1].process_id);
}

#[test]
fn columns_that_nothing_uses_are_left_out() {
    let unused = |d: &Document, table| {
        let problems = Scenario::new(&d.draft()).err().map(|error| error.problems).unwrap_or_default();
        panels::unused_columns(d, table, &problems)
    };
    let mut d = Document::new(read_scenario(examples::first().json).unwrap());
    assert_eq!(
        unused(&d, Table::Kernels),
        [
            "block_time_max_ns",
            "registers_per_thread",
            "call",
            "bytes",
            "synchronous",
            "call_ns",
            "after",
            "waits_for",
            "records",
            "graph",
            "batch",
            "barrier",
            "until_begun",
            "until_all_begun",
            "until_completed",
            "cooperative"
        ]
    );
    assert_eq!(unused(&d, Table::Tasks), ["class", "budget_ns", "priority", "consumes", "call_ns", "pixel_latency_ns", "wake_ns"]);
    d.rest.policy.kind = PolicyKind::Edf;
    assert_eq!(unused(&d, Table::Tasks), ["consumes", "call_ns", "pixel_latency_ns", "wake_ns"], "the policy uses the others");
    d.set_path("kernels[2].registers_per_thread", "16");
    d.set_path("kernels[0].after", "nobody");
    d.set_path("kernels[0].until_begun", "K2");
    d.set_path("kernels[1].barrier", "yes");
    let left = ["call", "bytes", "synchronous", "call_ns", "waits_for", "records", "graph", "batch"];
    assert_eq!(
        unused(&d, Table::Kernels),
        [&["block_time_max_ns"][..], &left, &["until_all_begun", "until_completed", "cooperative"]].concat(),
        "what holds something is there, and what is wrong"
    );
    let mut d = Document::new(read_scenario(examples::find("edf-path").unwrap().json).unwrap());
    assert!(unused(&d, Table::Processes).contains(&"interleave"), "edf has no use for it, and all are medium");
    d.set_path("processes[0].interleave", "high");
    assert!(!unused(&d, Table::Processes).contains(&"interleave"), "it holds something");
    d.set_path("processes[0].interleave", "medium");
    d.rest.policy.kind = PolicyKind::Runlist;
    assert!(!unused(&d, Table::Processes).contains(&"interleave"), "runlist uses it");
}
