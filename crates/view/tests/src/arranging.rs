//! Tasks moved into one process or a process each: what the switch keeps, and what it makes.

use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{
    DefaultStream, Draft, Interleave, KernelDraft, NULL_STREAM, PolicyKind, Preemption, ProcessDraft, Scenario, StreamDraft,
    StreamPriority, TaskDraft,
};
use blockstep_view::document::{Arrangement, Document};
use blockstep_view::history::History;
use blockstep_view::table::Table;
use proptest::prelude::*;

use blockstep_testing::arbitrary::{any_drafts, cases, drafts, with_launches_only};

/// Tasks in processes by name, each with one kernel in a stream.
fn tasks(list: &[(&str, Option<&str>, &str)]) -> Draft {
    let mut draft = Draft::default();
    for (i, (task, process, stream)) in list.iter().enumerate() {
        draft.tasks.push(TaskDraft { process: process.map(str::to_owned), ..TaskDraft::named(*task) });
        let kernel = KernelDraft::named(format!("K{i}"), 1, 32, 5);
        draft.kernels.push(KernelDraft { task: Some((*task).to_owned()), stream: (*stream).to_owned(), ..kernel });
    }
    draft
}

fn listed(process: Option<&str>, name: &str, priority: StreamPriority) -> StreamDraft {
    StreamDraft { process: process.map(str::to_owned), name: name.to_owned(), priority, non_blocking: false }
}

fn streams(draft: &Draft) -> Vec<&str> {
    draft.kernels.iter().map(|k| k.stream.as_str()).collect()
}

fn arranged(document: &Document, arrangement: Arrangement) -> Document {
    let mut document = document.clone();
    document.arrange(arrangement);
    document
}

/// The priority of the stream of every kernel.
fn priorities(document: &Document) -> Vec<StreamPriority> {
    let scenario = Scenario::new(&document.draft()).unwrap();
    // A call without an operation concerns no stream.
    let issuing = scenario.rows().iter().filter(|row| row.call.has_operation());
    issuing.map(|row| scenario.streams()[row.stream].priority).collect()
}

#[test]
fn each_task_gets_a_process_named_after_it() {
    let mut draft = tasks(&[("camera", None, "S1"), ("radar", None, "S2"), ("viewer", Some("GUI"), "S1")]);
    let main =
        ProcessDraft { interleave: Interleave::High, timeslice_ns: 7, preemption: Some(Preemption::Block), ..ProcessDraft::named("main") };
    draft.processes = vec![main.clone(), ProcessDraft::named("GUI"), ProcessDraft::named("idle")];
    draft.streams = vec![
        listed(None, "S2", StreamPriority::High),
        listed(None, "S9", StreamPriority::Low),
        listed(Some("GUI"), "S1", StreamPriority::Low),
    ];
    let document = Document::new(draft);
    assert_eq!(document.arrangement(), Arrangement::Mixed);
    let each = arranged(&document, Arrangement::Each);
    let draft = each.draft();
    assert_eq!(each.names(Table::Processes), ["camera", "radar", "GUI", "idle"]);
    assert_eq!(draft.processes[1], ProcessDraft { name: "radar".to_owned(), ..main }, "with the settings of the old one");
    assert_eq!(draft.tasks.iter().map(|t| t.process.as_deref().unwrap()).collect::<Vec<_>>(), ["camera", "radar", "GUI"]);
    assert_eq!(
        draft.streams,
        [
            listed(Some("radar"), "S2", StreamPriority::High),
            listed(Some("camera"), "S9", StreamPriority::Low),
            listed(Some("GUI"), "S1", StreamPriority::Low)
        ]
    );
    assert_eq!(each.arrangement(), Arrangement::Each);
    assert_eq!(arranged(&each, Arrangement::Each), each, "there is nothing to do");
    assert_eq!(arranged(&document, Arrangement::Mixed), document);
}

#[test]
fn a_name_that_is_taken_gets_a_number() {
    let mut draft = tasks(&[("GUI", None, "S1"), (" ", None, "S2"), ("P0", None, "S3"), ("viewer", Some("GUI"), "S4")]);
    draft.processes = vec![ProcessDraft::named("P0"), ProcessDraft::named("GUI")];
    let each = arranged(&Document::new(draft), Arrangement::Each);
    assert_eq!(each.names(Table::Processes), ["GUI1", "P1", "P0", "GUI"]);
}

#[test]
fn all_tasks_in_one_process_keep_distinct_streams() {
    let mut draft = tasks(&[
        ("A", Some("X"), "S1"),
        ("B", Some("Y"), "S1"),
        ("C", Some("Z"), "S2"),
        ("D", Some("Y"), "NULL"),
        ("E", Some("Z"), "NULL"),
    ]);
    draft.processes = ["idle", "X", "Y", "Z"].map(ProcessDraft::named).to_vec();
    draft.streams = vec![
        listed(Some("Y"), "S1", StreamPriority::High),
        listed(Some("Z"), "S7", StreamPriority::Low),
        listed(Some("Y"), "NULL", StreamPriority::Low),
    ];
    let one = arranged(&Document::new(draft), Arrangement::One);
    let draft = one.draft();
    assert_eq!(streams(&draft), ["S1", "S8", "S2", NULL_STREAM, NULL_STREAM]);
    assert_eq!(one.names(Table::Processes), ["idle", "X"]);
    assert!(draft.tasks.iter().all(|t| t.process.as_deref() == Some("X")));
    assert_eq!(
        draft.streams,
        [
            listed(Some("X"), "S8", StreamPriority::High),
            listed(Some("X"), "S7", StreamPriority::Low),
            listed(Some("X"), "NULL", StreamPriority::Low)
        ]
    );
}

#[test]
fn what_the_switch_has_split_is_one_again() {
    let mut draft = tasks(&[("A", None, "S1"), ("B", None, "S1"), ("C", None, "S1"), ("D", None, "S2")]);
    draft.streams = vec![listed(None, "S1", StreamPriority::High)];
    let document = Document::new(draft);
    let each = arranged(&document, Arrangement::Each);
    assert_eq!(streams(&each.draft()), ["S1", "S1", "S1", "S2"]);
    assert_eq!(each.draft().streams.len(), 3);
    assert_eq!(arranged(&each, Arrangement::One).draft(), document.draft());

    // Given another priority meanwhile, it is a stream of its own.
    let mut changed = each.clone();
    let entry = changed.streams().into_iter().find(|s| s.process == "B").unwrap();
    changed.set_stream_priority(&entry, StreamPriority::Low);
    changed.arrange(Arrangement::One);
    assert_eq!(streams(&changed.draft()), ["S1", "S3", "S1", "S2"]);
    assert_eq!(priorities(&changed), [StreamPriority::High, StreamPriority::Low, StreamPriority::High, StreamPriority::None]);

    // Of somebody else's making, they are distinct.
    assert_eq!(streams(&arranged(&Document::new(each.draft()), Arrangement::One).draft()), ["S1", "S3", "S4", "S2"]);
}

#[test]
fn the_switch_is_one_edit() {
    let document = Document::new(tasks(&[("A", None, "S1"), ("B", None, "S1")]));
    let mut history = History::new(document.clone());
    history.edit(None, |d| d.arrange(Arrangement::Each));
    assert_eq!(history.present().arrangement(), Arrangement::Each);
    history.edit(None, |d| d.arrange(Arrangement::One));
    history.undo();
    history.undo();
    assert_eq!((&**history.present(), history.can_undo()), (&document, false));
}

#[test]
fn all_processes_take_turns_of_one_timeslice() {
    let mut document = Document::new(tasks(&[("A", None, "S1"), ("B", Some("P1"), "S1")]));
    document.set(Table::Processes, 0, Table::Processes.column_of("timeslice_ns").unwrap(), "soon");
    document.take_turns("2.209ms", "56us");
    let draft = document.draft();
    assert!(draft.processes.iter().all(|process| process.timeslice_ns == 2_209_000));
    assert_eq!((draft.policy.switch_cost_ns, document.raw_texts()), (56_000, Vec::new()));
}

#[test]
fn unknown_processes_and_unreadable_cells_do_no_harm() {
    let mut document = Document::new(tasks(&[("A", Some("X"), "S1"), ("B", Some("X"), "S1"), ("C", None, "S1")]));
    document.set(Table::Processes, 0, Table::Processes.column_of("timeslice_ns").unwrap(), "soon");
    let each = arranged(&document, Arrangement::Each);
    assert_eq!(each.names(Table::Processes), ["P0", "A", "B"]);
    assert_eq!(each.raw_texts(), document.raw_texts());
    assert!(Scenario::new(&each.draft()).is_ok());
    let one = arranged(&document, Arrangement::One);
    assert_eq!((one.names(Table::Processes), one.arrangement()), (vec!["P0".to_owned()], Arrangement::One));
    let mut unread = Document::new(tasks(&[("A", None, "S1"), ("B", None, "S1")]));
    unread.set(Table::Processes, 0, Table::Processes.column_of("timeslice_ns").unwrap(), "soon");
    assert_eq!(arranged(&unread, Arrangement::Each).unreadable().len(), 2, "both have what was typed");
}

/// Every block's place and time.
fn blocks(draft: &Draft) -> Vec<(u32, u32, u64, Option<u64>)> {
    let run = simulate(&Scenario::new(draft).unwrap(), Limits::default());
    let records = Records::new(&run.trace);
    records.blocks.iter().map(|b| (b.op.0, u32::from(b.sm.0), b.start.ns(), b.end.map(|t| t.ns()))).collect()
}

/// A draft in whose processes no stream but NULL is used by two tasks.
fn with_streams_of_their_own(mut draft: Draft) -> Draft {
    let own = |task: &str, stream: &str| if stream == NULL_STREAM { stream.to_owned() } else { format!("{stream} of {task}") };
    let first = draft.tasks.first().map_or("T0".to_owned(), |t| t.name.clone());
    for k in &mut draft.kernels {
        k.stream = own(k.task.as_ref().unwrap_or(&first), &k.stream);
    }
    let names: Vec<String> = draft.tasks.iter().map(|t| t.name.clone()).chain([first]).collect();
    let all = draft.streams.iter().flat_map(|s| names.iter().map(|task| StreamDraft { name: own(task, &s.name), ..s.clone() }));
    let mut seen = std::collections::BTreeSet::new();
    draft.streams = all.filter(|s| seen.insert((s.process.clone(), s.name.clone()))).collect();
    draft
}

/// The draft with its first task's process under another name.
fn renamed(mut draft: Draft) -> Draft {
    let first = draft.processes[0].name.clone();
    let host = draft.tasks[0].process.clone().unwrap_or_else(|| first.clone());
    let rename = |name: &mut String| {
        if *name == host {
            "host".clone_into(name)
        }
    };
    draft.processes.iter_mut().for_each(|p| rename(&mut p.name));
    draft.tasks.iter_mut().for_each(|t| rename(t.process.get_or_insert_with(|| first.clone())));
    draft.streams.iter_mut().for_each(|s| rename(s.process.get_or_insert_with(|| first.clone())));
    draft
}

proptest! {
    #![proptest_config(cases(800))]

    #[test]
    fn the_switch_keeps_scenarios_valid_and_priorities(draft in any_drafts()) {
        let document = Document::new(draft);
        for arrangement in [Arrangement::Each, Arrangement::One] {
            let now = arranged(&document, arrangement);
            prop_assert!(Scenario::new(&now.draft()).is_ok(), "{}", Scenario::new(&now.draft()).unwrap_err());
            let expected = if now.len(Table::Tasks) == 1 { Arrangement::One } else { arrangement };
            prop_assert_eq!(now.arrangement(), expected);
            prop_assert_eq!(priorities(&now), priorities(&document));
        }
    }

    /// To a process each and back is where it began, but for the name of the process.
    #[test]
    fn the_switch_goes_there_and_back(draft in any_drafts()) {
        let one = arranged(&Document::new(draft), Arrangement::One);
        let back = arranged(&arranged(&one, Arrangement::Each), Arrangement::One);
        prop_assert_eq!(renamed(back.draft()), renamed(one.draft()));
    }

    /// Where all processes are one address space anyway, neither direction changes a block's time.
    #[test]
    fn the_switch_changes_nothing_in_one_address_space(mut draft in drafts()) {
        // Connections follow the order of the streams; an event is one of its process, as is what NULL means.
        draft.connections = None;
        draft = with_launches_only(draft);
        draft.processes.iter_mut().for_each(|process| process.default_stream = DefaultStream::Legacy);
        draft.kernels.iter_mut().for_each(|k| k.waits_for.clear());
        let document = Document::new(draft);
        prop_assert_eq!(blocks(&arranged(&document, Arrangement::One).draft()), blocks(&document.draft()));
        let document = Document::new(with_streams_of_their_own(document.draft()));
        prop_assert_eq!(blocks(&arranged(&document, Arrangement::Each).draft()), blocks(&document.draft()));
    }
}

#[test]
fn a_process_each_takes_turns() {
    let mut draft = tasks(&[("A", None, "S1"), ("B", None, "S2")]);
    draft.policy.kind = PolicyKind::Runlist;
    let one = Document::new(draft);
    let ends = |document: &Document| blocks(&document.draft()).iter().map(|b| b.3).collect::<Vec<_>>();
    assert_eq!(ends(&one), [Some(5), Some(5)], "side by side");
    assert_eq!(ends(&arranged(&one, Arrangement::Each)), [Some(5), Some(10)], "one after the other");
}
