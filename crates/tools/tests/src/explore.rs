//! The cards of Explore: what each says holds in its run, each of its controls moves something, and the four policies beside it.

use std::collections::BTreeSet;

use blockstep_format::read_scenario;
use blockstep_learn::explore::{
    Card, CardScenario, CardTable, Choices, Control, ControlField, Fate, Miniature, Ran, card, cards, miniatures, why,
};
use blockstep_learn::find::Effect;
use blockstep_learn::quiz::{QuestionKind, Spot, question_at};
use blockstep_learn::why::Moment;
use blockstep_sim::engine::Run;
use blockstep_sim::record::{JobRecord, OpRecord, Records};
use blockstep_sim::scenario::{DeviceDraft, Draft, PolicyKind, Preemption, Reached, Scenario, StreamPriority};
use blockstep_sim::snapshot::{SmState, Snapshot};
use blockstep_sim::trace::{OpKind, Rule};
use blockstep_sim::units::{OpId, RowId, Span, Time};
use blockstep_testing::rows::{run, state_at};
use blockstep_tools::ToolId;
use blockstep_view::dead_end::dead_end;
use blockstep_view::document::Document;
use blockstep_view::edit_effect::{RunWithRows, changed_operations, edit_effect};
use blockstep_view::position::at_time;
use blockstep_view::table::Table;

const US: u64 = 1_000;
const MS: u64 = 1_000_000;
const WORK: u64 = 1_000_000;

/// The run of a table, asked by the names of its rows.
struct Seen {
    run: Run,
    records: Records,
}

impl Seen {
    fn of(draft: &Draft) -> Self {
        let (run, records) = run(draft);
        Self { run, records }
    }

    fn scenario(&self) -> &Scenario {
        self.run.trace.scenario()
    }

    fn row(&self, name: &str) -> RowId {
        RowId::at(self.scenario().rows().iter().position(|row| row.name == name).unwrap())
    }

    /// The first operation of this kind of a row.
    fn op(&self, name: &str, kind: OpKind) -> OpId {
        let row = self.row(name);
        OpId::at(self.run.trace.ops().iter().position(|op| op.row == row && op.kind == kind).unwrap())
    }

    fn kernel(&self, name: &str) -> OpRecord {
        self.records.ops[self.op(name, OpKind::Kernel).index()]
    }

    fn start(&self, name: &str) -> u64 {
        self.kernel(name).start.unwrap().ns()
    }

    fn end(&self, name: &str) -> u64 {
        self.kernel(name).end.unwrap().ns()
    }

    fn state(&self, at: u64) -> Snapshot {
        state_at(&self.run, at)
    }

    /// The SMs at a moment, as the process of a row sees them.
    fn sms(&self, at: u64, name: &str) -> Vec<SmState> {
        let stream = self.run.trace.op(self.op(name, OpKind::Kernel)).stream;
        self.state(at).space(self.run.trace.layout().stream(stream).space).sms.iter().cloned().collect()
    }

    fn free_threads(&self, at: u64, name: &str) -> Vec<u32> {
        self.sms(at, name).iter().map(|sm| sm.threads).collect()
    }

    /// Whether a row's kernel is issued at a moment and none of it has begun.
    fn waits(&self, at: u64, name: &str) -> bool {
        let record = self.kernel(name);
        record.issued.ns() <= at && record.start.is_none_or(|start| start.ns() > at)
    }

    /// The text of why a row waits, and the rules.
    fn why(&self, at: u64, name: &str) -> (String, Vec<Rule>) {
        let state = self.state(at);
        let told = why(Moment { trace: &self.run.trace, records: &self.records, state: &state }, self.row(name)).unwrap();
        (told.text, told.rules)
    }

    /// The jobs of a task, in order.
    fn jobs(&self, task: &str) -> Vec<JobRecord> {
        self.records.jobs.iter().filter(|job| self.scenario().task(job.task).name == task).copied().collect()
    }

    /// What executes, where and from when to when.
    fn work(&self) -> Vec<(usize, u32, u32, u64, Option<u64>)> {
        let block = |b: &blockstep_sim::record::BlockRecord| {
            let row = self.run.trace.op(b.op).row.index();
            (row, b.block, u32::from(b.sm.0), b.start.ns(), b.end.map(Time::ns))
        };
        let mut work: Vec<_> = self.records.blocks.iter().map(block).collect();
        work.sort_unstable();
        work
    }
}

fn of(id: &str) -> (&'static Card, Seen) {
    let card = card(id).unwrap();
    (card, Seen::of(&card.draft()))
}

/// The run of a card with one of its controls at the choice that reads so.
fn with(card: &Card, before: &str, shown: &str) -> Seen {
    let control = card.controls.iter().find(|control| control.before == before).unwrap();
    let place = (0..control.choices.count()).find(|&place| control.choices.shown(place) == shown).unwrap();
    let mut document = card.document();
    control.set(&mut document, place);
    Seen::of(&document.draft())
}

fn ran(all: &[Miniature], kind: PolicyKind) -> &Ran {
    match &all.iter().find(|one| one.kind == kind).unwrap().fate {
        Fate::Ran(ran) => ran,
        other => panic!("{kind:?}: {other:?}"),
    }
}

#[test]
fn explore_has_thirteen_cards_of_six_rows_at_most() {
    assert_eq!(cards().len(), 13);
    let ids: BTreeSet<&str> = cards().iter().map(|card| card.id).collect();
    assert_eq!(ids.len(), 13);
    let names: BTreeSet<String> = cards().iter().map(|card| card.draft().name).collect();
    assert_eq!(names.len(), 13, "the page tells by the name of a table which card it is of");
    for card in cards() {
        let draft = read_scenario(card.json()).unwrap();
        assert_eq!(draft, card.draft());
        assert!(draft.kernels.len() <= 6, "{}", card.id);
        assert!((2..=3).contains(&card.controls.len()), "{}", card.id);
        assert!(card.question.ends_with('?') && card.question.chars().count() <= 60, "{}", card.id);
        let lines = [(card.setting, 130), (card.teaches, 150)];
        assert!(lines.iter().all(|(line, most)| line.ends_with('.') && line.chars().count() <= *most), "{}", card.id);
        let is_first = draft == read_scenario(blockstep_sim::examples::first().json).unwrap();
        assert_eq!(is_first, card.scenario == CardScenario::FirstExample, "{}: a table is stored once", card.id);
        let (document, mut renamed) = (card.document(), card.document());
        assert_eq!(card.compared(&document), CardTable::AsGiven);
        let mut other = document.clone();
        let given = document.rest.policy.kind;
        let policy = if given == PolicyKind::Edf { PolicyKind::Fifo } else { PolicyKind::Edf };
        other.rest.policy.kind = policy;
        assert_eq!(card.compared(&other), CardTable::Under { policy, given }, "its table is as it was");
        renamed.rest.name = "another".to_owned();
        assert_eq!(card.compared(&renamed), CardTable::AsGiven);
        renamed.set(Table::Kernels, 0, Table::Kernels.column_of("blocks").unwrap(), "");
        assert_eq!(card.compared(&renamed), CardTable::Changed, "an unreadable cell");
    }
}

#[test]
fn explore_sources_open_what_there_is() {
    for card in cards() {
        let (name, word) = card.source.link.strip_prefix('#').unwrap().split_once('=').unwrap();
        let is_known = match name {
            "example" => blockstep_sim::examples::known(word).is_some(),
            "tour" => blockstep_learn::tour::Tour::find(word).is_ok(),
            "find" => Effect::from_id(word).is_some() && ToolId::Find.info().name == "find",
            _ => false,
        };
        assert!(is_known, "{}: {}", card.id, card.source.link);
    }
}

/// In two sentences, with the rule, and what is asked about waits then and starts later, if it ever does.
#[test]
fn explore_cards_ask_about_what_waits() {
    for card in cards() {
        let (_, seen) = of(card.id);
        let (text, rules) = seen.why(card.at_ns, card.asks);
        assert!(text.ends_with('.') && text.matches(". ").count() <= 1, "{}: {text}", card.id);
        assert!(!rules.is_empty(), "{}: {text}", card.id);
        assert!(!text.contains("resident"), "{}: {text}", card.id);
        let start = seen.kernel(card.asks).start;
        assert!(start.is_none_or(|start| start.ns() > card.at_ns) && start.is_some() == (card.id != "hang"), "{}", card.id);
        assert!(card.question.contains(card.asks) || card.question.contains("The camera"), "{}", card.id);
    }
}

/// Every value is one that the document gives back, makes a valid table, and at least two of them make other runs than the table given.
#[test]
fn explore_controls_move_something_in_sight() {
    for card in cards() {
        let (_, seen) = of(card.id);
        let given = card.document();
        let ids = given.ids(Table::Kernels);
        for control in card.controls {
            let place = control.place(&given).unwrap_or_else(|| panic!("{}: {}", card.id, control.before));
            let mut moved = 0;
            for other in 0..control.choices.count() {
                let mut document = card.document();
                control.set(&mut document, other);
                assert_eq!(document.unreadable(), [], "{}: {} {other}", card.id, control.before);
                assert_eq!(control.place(&document), Some(other), "{}: {}", card.id, control.before);
                assert_eq!(control.shown(&document).unwrap(), control.choices.shown(other));
                let draft = document.draft();
                assert_eq!(other == place, draft == given.draft(), "{}: {}", card.id, control.before);
                let now = Seen::of(&draft);
                let side =
                    |seen: &Seen| -> Vec<(u64, Option<bool>)> { seen.records.jobs.iter().map(|job| (job.release.ns(), job.met)).collect() };
                let rows = |seen: &'_ Seen| -> usize { seen.scenario().rows().len() };
                assert_eq!(rows(&seen), rows(&now));
                let runs = [&seen, &now].map(|seen| RunWithRows { trace: &seen.run.trace, records: &seen.records, row_ids: &ids });
                let effect = edit_effect(runs[0], runs[1]).unwrap();
                let is_other = now.work() != seen.work() || side(&now) != side(&seen);
                moved += usize::from(is_other && !effect.is_same);
            }
            let least = if control.choices.count() == 2 { 1 } else { 2 };
            assert!(moved >= least, "{}: {} moves {moved}", card.id, control.before);
        }
    }
}

#[test]
fn explore_controls_show_what_a_reader_typed_and_vanish_with_their_row() {
    let control = card("table-1").unwrap().controls[0];
    let mut document = card("table-1").unwrap().document();
    let column = |field: &str| Table::Kernels.column_of(field).unwrap();
    document.set(Table::Kernels, 0, column("blocks"), "500");
    assert_eq!((control.place(&document), control.shown(&document).as_deref()), (None, Some("500")));
    document.set(Table::Kernels, 0, column("blocks"), "many");
    assert_eq!((control.place(&document), control.shown(&document).as_deref()), (None, Some("many")));
    document.set(Table::Kernels, 0, column("name"), "Q");
    assert_eq!(control.shown(&document), None);
    let before = document.draft();
    control.set(&mut document, 3);
    assert_eq!(document.draft(), before);
    // An empty cell is what it stands for: no time, or a word.
    let start = card("shorter").unwrap().controls[2];
    let mut document = card("shorter").unwrap().document();
    document.set(Table::Kernels, 2, column("start_ns"), "");
    assert_eq!((start.place(&document), start.shown(&document).as_deref()), (None, Some("0")));
    let from_zero = Control { choices: Choices::Range { unit: blockstep_view::quantity::Unit::Time, least: 0, most: 4, step: 1 }, ..start };
    assert_eq!((from_zero.place(&document), from_zero.shown(&document).as_deref()), (Some(0), Some("0 s")));
    let deadline = card("four-policies").unwrap().controls[1];
    let mut document = card("four-policies").unwrap().document();
    document.set(Table::Tasks, 1, Table::Tasks.column_of("deadline_ns").unwrap(), "");
    assert_eq!(deadline.shown(&document).as_deref(), Some("period"));
    // A device of one's own goes by its name.
    let gpu = card("table-1").unwrap().controls[2];
    let mut document = card("table-1").unwrap().document();
    document.set_top("device.sms", "3");
    assert!(matches!(document.rest.device, DeviceDraft::Custom(_)));
    assert_eq!(gpu.place(&document), None);
    assert!(gpu.shown(&document).unwrap().ends_with(", edited"));
}

/// Who would rather guess than ask is asked something at the moment of the card, or later in its run.
#[test]
fn explore_cards_have_something_to_guess() {
    for card in cards() {
        let (_, seen) = of(card.id);
        let (mut replay, from) = (seen.run.replay(), at_time(&seen.run.trace, Time(card.at_ns)));
        let mut is_asked = |position| QuestionKind::ALL.iter().any(|&kind| question_at(&mut replay, Spot { position, kind }, 1).is_some());
        assert!((from..=seen.run.trace.steps().len() as u32).any(&mut is_asked), "{}", card.id);
    }
}

#[test]
fn explore_four_policies_is_true() {
    let (card, seen) = of("four-policies");
    assert_eq!(card.question, "The camera would fit. Why does it wait?");
    assert_eq!(
        card.setting,
        "At 1 ms each SM has 512 free threads. A block of the camera's kernel Detect needs 512, and Detect is due at 5 ms."
    );
    assert_eq!(seen.free_threads(MS, "Detect"), [512, 512]);
    assert_eq!(seen.scenario().row(seen.row("Detect")).needs.threads, 512);
    assert_eq!(seen.jobs("camera")[0].deadline, Some(Time(5 * MS)));
    assert!(seen.waits(MS, "Detect"));
    assert_eq!(seen.why(MS, "Detect").1, [Rule::X1, Rule::R2]);
    assert_eq!(
        card.teaches,
        "Under FIFO nobody passes the first in line. The other three let the camera pass Map, and under two of them Map ends later."
    );
    let all = miniatures(&card.draft(), WORK);
    let of_kind = |kind| {
        let Ran { run, records, .. } = ran(&all, kind).clone();
        Seen { records: Records::clone(&records), run }
    };
    let kinds = [PolicyKind::Fifo, PolicyKind::Priority, PolicyKind::Runlist, PolicyKind::Edf];
    assert_eq!(all.iter().map(|one| one.kind).collect::<Vec<_>>(), kinds);
    // As worked out by hand.
    let by_hand = [(4, 6, 6), (1, 3, 6), (2, 3, 7), (1, 2, 7)];
    for (kind, (starts, ends, map_ends)) in kinds.into_iter().zip(by_hand) {
        let seen = of_kind(kind);
        assert_eq!((seen.start("Detect"), seen.end("Detect"), seen.end("Map")), (starts * MS, ends * MS, map_ends * MS), "{kind:?}");
        let (late, largest) = (ran(&all, kind).late, ran(&all, kind).largest_response.unwrap());
        assert_eq!((late.missed, late.judged), (u64::from(ends > 5), 1), "{kind:?}");
        assert_eq!((seen.scenario().task(largest.task).name.as_str(), largest.span), ("camera", Span((ends - 1) * MS)));
        assert_eq!(ran(&all, kind).end, Some(Time(map_ends.max(ends) * MS)));
        assert_eq!(ran(&all, kind).note.is_some(), !kind.takes_turns());
        assert_eq!(ran(&all, kind).same, None);
    }
    let runs: BTreeSet<_> = kinds.iter().map(|&kind| of_kind(kind).work()).collect();
    assert_eq!(runs.len(), 4, "four policies, four runs");
}

#[test]
fn explore_table_1_is_true() {
    let (card, seen) = of("table-1");
    assert_eq!(card.question, "K4 would fit. Why does it wait?");
    assert_eq!(card.setting, "At 0.8 s each SM has 512 free threads. A block of K4 needs 256.");
    assert_eq!(card.at_ns, 800 * MS);
    assert_eq!(seen.free_threads(800 * MS, "K4"), [512, 512]);
    let needs = seen.scenario().row(seen.row("K4")).needs;
    assert_eq!(needs.threads, 256);
    assert!(seen.sms(800 * MS, "K4").iter().all(|sm| sm.fits(&needs)), "whatever else a block of it needs");
    assert!(seen.waits(800 * MS, "K4"));
    assert_eq!(card.teaches, "The first kernel in line holds up all others until its last block has a place.");
    let (text, rules) = seen.why(800 * MS, "K4");
    assert_eq!(text, "K4 waits behind K1. K1's next block needs 768 threads; they are free at 1 s, when K1's block 0 ends.");
    assert_eq!(rules, [Rule::X1, Rule::R2]);
    // The last block of K1 has a place at 1 s, and then K4 has.
    let last = seen.records.blocks_of(seen.op("K1", OpKind::Kernel)).iter().map(|&block| seen.records.blocks[block as usize].start).max();
    assert_eq!((last, seen.start("K4")), (Some(Time(1000 * MS)), 1000 * MS));
    assert_eq!(with(card, "K1 has", "4").start("K4"), 200 * MS);
    assert_eq!(with(card, "K4's stream has", "high").start("K4"), 200 * MS);
}

#[test]
fn explore_shorter_is_true() {
    let (card, seen) = of("shorter");
    assert_eq!(card.question, "A slower Filter would let Detect end sooner. How?");
    assert_eq!(card.setting, "Filter ends at 4 ms, so Map fills the GPU before Detect is launched at 5 ms.");
    assert_eq!((seen.end("Filter"), seen.start("Map"), seen.kernel("Detect").issued), (4 * MS, 4 * MS, Time(5 * MS)));
    assert_eq!(seen.free_threads(5 * MS, "Detect"), [0, 0]);
    assert_eq!(seen.why(5 * MS, "Detect").1, [Rule::R2]);
    assert_eq!(card.teaches, "When one kernel ends earlier, the next starts earlier, and may take the room that a third one needed.");
    let slower = with(card, "Filter takes", "6 ms");
    assert!(slower.end("Filter") > seen.end("Filter") && slower.end("Detect") < seen.end("Detect"));
    assert!(seen.start("Map") < slower.start("Map"));
}

#[test]
fn explore_starved_is_true() {
    let (card, seen) = of("starved");
    assert_eq!(card.question, "Log is ready at 1 ms. Why does it start at 12 ms?");
    let log = seen.kernel("Log");
    assert_eq!((log.queued, log.start), (Some(Time(MS)), Some(Time(12 * MS))));
    assert_eq!(card.setting, "Control comes every 2 ms on a high-priority stream. It fills the GPU for 2 ms.");
    let jobs = seen.jobs("control");
    assert!(jobs.iter().enumerate().all(|(i, job)| job.release == Time(2 * MS * i as u64)));
    let stream = seen.scenario().row(seen.row("Control")).stream;
    assert_eq!(seen.scenario().streams()[stream].priority, StreamPriority::High);
    for at in 0..12 {
        assert_eq!(seen.free_threads(at * MS, "Log"), [0, 0], "{at} ms");
    }
    assert_eq!(card.teaches, "A high-priority stream goes first each time. If it never rests, the others starve.");
    // Each time both are ready, it goes first; a rest lets Log start.
    assert_eq!(with(card, "Control comes every", "2.5 ms").start("Log"), 2 * MS);
    assert_eq!(with(card, "Control's stream has", "no").start("Log"), 2 * MS);
}

#[test]
fn explore_null_stream_is_true() {
    let (card, seen) = of("null-stream");
    assert_eq!(card.question, "No resource is short. Why does Plan wait?");
    assert_eq!(card.setting, "At 1 ms Detect uses 1,536 of the 4,096 threads, and nothing else runs. Reset stands in the NULL stream.");
    let sms = seen.sms(MS, "Plan");
    assert!(sms.iter().all(|sm| sm.fits(&seen.scenario().row(seen.row("Plan")).needs)));
    assert_eq!(seen.scenario().device().sms * u64::from(seen.free_threads(0, "Reset")[0] + 768), 4096);
    assert_eq!(sms.iter().flat_map(|sm| &sm.blocks).filter(|block| block.op != seen.op("Detect", OpKind::Kernel)).count(), 0);
    assert_eq!(4096 - seen.free_threads(MS, "Plan").iter().sum::<u32>(), 1536);
    assert!(seen.waits(MS, "Reset") && seen.waits(MS, "Plan"));
    assert_eq!(seen.why(MS, "Plan").1, [Rule::N2, Rule::N1]);
    assert_eq!(
        card.teaches,
        "A kernel in the NULL stream waits for everything launched before it, and everything launched after it waits for that kernel."
    );
    assert_eq!((seen.start("Reset"), seen.start("Plan")), (seen.end("Detect"), seen.end("Reset")));
    assert_eq!(with(card, "Reset is in", "a stream of its own").start("Plan"), MS);
}

#[test]
fn explore_connections_is_true() {
    let (card, seen) = of("connections");
    assert_eq!(card.question, "C1 is alone in its stream and fits. Why does it wait?");
    let row = seen.scenario().row(seen.row("C1"));
    assert_eq!(seen.scenario().rows().iter().filter(|other| other.stream == row.stream).count(), 1);
    assert!(seen.sms(MS, "C1").iter().all(|sm| sm.fits(&row.needs)));
    assert_eq!(
        card.setting,
        "Three streams share two hardware connections. By default a program has eight, and its ninth stream has to share one."
    );
    assert_eq!((seen.scenario().streams().len(), card.draft().connections), (3, Some(2)));
    let usual = read_scenario(blockstep_sim::examples::find("cuda-connections").unwrap().json).unwrap();
    assert_eq!(usual.connections, Some(8));
    assert_eq!(card.teaches, "Streams that share a connection are not independent: the launches in it keep their order.");
    let (text, rules) = seen.why(MS, "C1");
    assert_eq!(text, "C1 waits behind A2 in connection 0. The root cause: A1 executes until 3 ms.");
    assert_eq!(rules, [Rule::H1, Rule::G2]);
    assert_eq!(with(card, "the number of connections is", "3").start("C1"), 0);
}

#[test]
fn explore_copies_is_true() {
    let (card, seen) = of("copies");
    assert_eq!(card.question, "The SMs are idle. Why does K2 wait?");
    assert_eq!(
        card.setting,
        "At 3 ms C1o brings K1's result back. K2 needs its input first, the copy C2i, and the TX2 has one copy engine."
    );
    assert!(seen.sms(3 * MS, "K2").iter().all(|sm| sm.blocks.is_empty()));
    assert_eq!(seen.scenario().device().copy_engines, 1);
    let [back, input] = [seen.op("K1", OpKind::CopyOut), seen.op("K2", OpKind::CopyIn)].map(|op| seen.records.ops[op.index()]);
    assert!(back.start.unwrap() < Time(3 * MS) && back.end.unwrap() > Time(3 * MS));
    assert_eq!((input.issued, input.start), (Time(3 * MS), back.end));
    assert_eq!(seen.start("K2"), input.end.unwrap().ns());
    assert_eq!(card.teaches, "A copy needs a copy engine instead of SMs, and the copies of different streams wait for it in one line.");
    let (text, rules) = seen.why(3 * MS, "K2");
    assert_eq!(text, "K2 waits behind C2i in stream S2. The root cause: C1o executes until 8.25 ms.");
    assert_eq!(rules, [Rule::G2, Rule::C2]);
    assert!(with(card, "the GPU is a", "GTX 750 Ti, 2 copy engines").start("K2") < seen.start("K2"));
}

#[test]
fn explore_graph_is_true() {
    let (card, seen) = of("graph");
    assert_eq!(card.question, "L2 would fit. Why does it start after N2?");
    assert!(seen.sms(15 * US, "L1").iter().all(|sm| sm.fits(&seen.scenario().row(seen.row("L2")).needs)));
    assert_eq!((seen.start("N2"), seen.start("L2")), (14 * US, 20 * US));
    assert_eq!(
        card.setting,
        "A call keeps its CPU thread for 10 µs. One thread launches L1 and L2, another launches one graph of N1 and N2."
    );
    assert!(card.draft().tasks.iter().all(|task| task.call_ns == Some(10 * US)));
    assert_eq!([seen.kernel("L1"), seen.kernel("L2")].map(|kernel| kernel.issued), [10 * US, 20 * US].map(Time));
    assert_eq!([seen.kernel("N1"), seen.kernel("N2")].map(|kernel| kernel.issued), [10 * US; 2].map(Time));
    assert_eq!(card.teaches, "Kernels shorter than their launch wait for the CPU. A graph launches them all with one call.");
    assert_eq!(seen.why(15 * US, "L2").1, [Rule::T2]);
    // A kernel as long as a call hides it.
    let longer = with(card, "L1 runs for", "10 µs");
    assert_eq!(longer.end("L1"), longer.start("L2"));
}

#[test]
fn explore_turns_is_true() {
    let (card, seen) = of("turns");
    assert_eq!(card.question, "The GPU has room for both. Why does Detect wait?");
    assert_eq!(card.setting, "Map uses half of the threads. Detect belongs to another process, and the processes take turns of 2 ms.");
    assert_eq!(seen.free_threads(MS, "Map").iter().sum::<u32>(), 4096 - 2048);
    assert!(seen.sms(MS, "Map").iter().all(|sm| sm.fits(&seen.scenario().row(seen.row("Detect")).needs)));
    let long: Vec<u64> = seen.records.residency.iter().map(|(_, stay)| stay.span().ns()).collect();
    assert_eq!(long[..2], [2 * MS, 2 * MS]);
    assert!(long.iter().all(|&ns| ns <= 2 * MS || ns == *long.last().unwrap()));
    let (text, rules) = seen.why(MS, "Detect");
    assert_eq!(text, "Detect waits: it is the turn of process Mapper. Process Camera gets the GPU at 2 ms.");
    assert_eq!(rules, [Rule::S2]);
    let switching = with(card, "a switch takes", "500 µs");
    assert_eq!(
        switching.why(2 * MS + MS / 4, "Detect").0,
        "Detect waits: the GPU is switching to process Camera. Process Camera gets the GPU at 2.5 ms."
    );
    assert_eq!(card.teaches, "Processes share the GPU in turns, not side by side. Tasks of one process run beside each other.");
    let together = with(card, "Detect belongs to", "Map's process");
    assert_eq!((together.start("Map"), together.start("Detect")), (0, MS / 2));
    assert!(together.end("Map") > together.start("Detect"));
}

#[test]
fn explore_overrun_is_true() {
    let (card, seen) = of("overrun");
    assert_eq!(card.question, "Steer keeps to its budget. Why will it be late?");
    let draft = card.draft();
    assert_eq!((draft.tasks[0].budget_ns, seen.scenario().row(seen.row("Steer")).blocks), (Some(6 * MS), 4));
    assert_eq!(seen.end("Steer") - seen.start("Steer"), 6 * MS);
    let missed = |seen: &Seen, task| seen.jobs(task).iter().filter(|job| job.met == Some(false)).count();
    assert_eq!((missed(&seen, "steering"), seen.jobs("steering")[0].met), (2, Some(false)));
    assert_eq!(
        card.setting,
        "Detect asked for 2 ms of the GPU and takes 7. Its deadline is earlier than that of Steer, so EDF lets it go first."
    );
    assert_eq!((draft.tasks[1].budget_ns, seen.end("Detect") - seen.start("Detect")), (Some(2 * MS), 7 * MS));
    assert!(seen.jobs("camera")[0].deadline < seen.jobs("steering")[0].deadline);
    assert_eq!((seen.start("Detect"), seen.start("Steer")), (0, 7 * MS));
    assert_eq!(
        seen.why(3 * MS, "Steer").0,
        "Steer#0 waits: the deadline of job 0 of task camera, 8 ms, is earlier than its own, 12 ms. Process Steering gets the GPU at 7 ms."
    );
    assert_eq!(card.teaches, "EDF alone trusts what a task asks for. A server postpones the deadline of a task that takes more.");
    let kept = with(card, "budgets are", "kept by servers");
    assert_eq!((missed(&kept, "steering"), missed(&kept, "camera")), (0, 3));
}

#[test]
fn explore_preemption_is_true() {
    let (card, seen) = of("preemption");
    assert_eq!(card.question, "Brake has the earlier deadline. Why does it wait?");
    assert!(seen.jobs("brake")[0].deadline < seen.jobs("mapper")[0].deadline);
    assert_eq!(
        card.setting,
        "The mapper gives way only when a kernel that it has begun is complete. Brake asks at 1 ms and is due at 5 ms."
    );
    assert_eq!(card.draft().policy.preemption, Preemption::Kernel);
    let job = seen.jobs("brake")[0];
    assert_eq!((job.release, job.deadline, job.met), (Time(MS), Some(Time(5 * MS)), Some(false)));
    assert_eq!((seen.start("Brake"), seen.start("Brake") < seen.start("Map2")), (seen.end("Map1"), true));
    assert_eq!(card.teaches, "The earliest deadline goes first, but only once the process that has the GPU can give way.");
    let starts = |shown: &str| with(card, "the mapper gives way", shown).start("Brake");
    assert_eq!(["at once", "between blocks", "between kernels", "when it is done"].map(starts), [MS, 3 * MS, 6 * MS, 9 * MS]);
    let modes: Vec<bool> = ["at once", "between blocks", "between kernels", "when it is done"]
        .iter()
        .map(|shown| with(card, "the mapper gives way", shown).jobs("brake")[0].met.unwrap())
        .collect();
    assert_eq!(modes, [true, true, false, false]);
    let why = |shown: &str| with(card, "the mapper gives way", shown).why(MS, "Brake").0;
    assert_eq!(
        ["between blocks", "between kernels", "when it is done"].map(why),
        [
            "Brake waits: process Mapper gives way as soon as what it executes is complete. Process Brakes gets the GPU at 3 ms.",
            "Brake waits: process Mapper gives way as soon as the kernels that it has begun are complete. Process Brakes gets the GPU at 6 ms.",
            "Brake waits: the job of task mapper is not preempted. Process Brakes gets the GPU at 9 ms.",
        ]
    );
}

#[test]
fn explore_no_room_is_true() {
    let (card, seen) = of("no-room");
    assert_eq!(card.question, "Most threads are free. Why does Map find no room?");
    assert_eq!(card.setting, "Each SM has 1,408 free threads. But a block of Map needs 48 KiB of shared memory, and Track leaves 32 KiB.");
    let needs = seen.scenario().row(seen.row("Map")).needs;
    assert_eq!(needs.shared_memory, 48 << 10);
    for at in (1..12).map(|half| half * MS / 2) {
        let sms = seen.sms(at, "Map");
        assert!(sms.iter().all(|sm| (sm.threads, sm.shared_memory) == (1408, 32 << 10)), "{at}");
        assert!(seen.waits(at, "Map"));
    }
    assert_eq!(seen.why(MS / 2, "Map").1, [Rule::R3]);
    assert_eq!(
        card.teaches,
        "A block needs all its resources on one SM at one moment. Small blocks of high priority can keep it out again and again."
    );
    assert_eq!(seen.start("Map"), 6 * MS);
    assert_eq!(with(card, "Track's stream has", "no").start("Map"), MS);
    assert_eq!(with(card, "a block of Map needs", "32 KiB").start("Map"), MS / 2);
}

#[test]
fn explore_hang_is_true() {
    let (card, seen) = of("hang");
    assert_eq!(card.question, "The program hangs. Why does Send never start?");
    assert_eq!(card.setting, "Poll's four blocks fill the GPU. Each spins until Send is complete, and Send is launched at 1 ms.");
    assert_eq!(card.at_ns, MS);
    assert_eq!((seen.free_threads(MS, "Send"), seen.records.blocks.len()), (vec![0, 0], 4));
    let spins = &seen.scenario().row(seen.row("Poll")).spins;
    assert_eq!((spins.barrier, &spins.flags[..]), (false, &[(seen.row("Send"), Reached::Completed)][..]));
    assert_eq!(seen.kernel("Send").issued, Time(MS));
    assert_eq!(
        seen.why(MS, "Send").0,
        "Send's next block needs 256 threads, held by blocks of Poll that spin. Blocks of Poll spin until Send is complete; in this run they \
         never go on."
    );
    assert_eq!(seen.why(MS, "Send").1, [Rule::R2]);
    assert_eq!(
        card.teaches,
        "A block that spins keeps its room. If what it waits for needs that room, the program hangs, whatever the policy."
    );
    for one in miniatures(&card.draft(), WORK) {
        let Fate::Ran(ran) = one.fate else { panic!("{:?}", one.kind) };
        let said = dead_end(&ran.run, &ran.records).unwrap();
        assert!(said.starts_with("some work hangs forever: Poll waits for "), "{:?}: {said}", one.kind);
    }
    assert_eq!(with(card, "Poll has", "3").end("Poll"), 3 * MS);
    assert_eq!(with(card, "Poll is launched at", "2 ms").start("Send"), MS);
    assert_eq!(with(card, "the GPU is a", "GTX 750 Ti, 5 SMs").end("Poll"), 3 * MS);
}

#[test]
fn explore_miniatures_say_why_two_are_the_same() {
    let table = card("table-1").unwrap().draft();
    let all = miniatures(&table, WORK);
    let same = |kind| ran(&all, kind).same.map(|same| (same.with, same.reason, same.card));
    assert_eq!(same(PolicyKind::Fifo), Some((PolicyKind::Priority, "no stream has a high priority", "starved")));
    assert_eq!(same(PolicyKind::Priority), None, "it is the one chosen");
    let alone = Some((PolicyKind::Priority, "one process, so it never gives way", "four-policies"));
    assert_eq!([same(PolicyKind::Runlist), same(PolicyKind::Edf)], [alone; 2]);
    assert!(all.iter().all(|one| ran(&all, one.kind).changed.is_empty()));
    // Where the chosen one is another, two of the others may be the same.
    let turns = miniatures(&card("turns").unwrap().draft(), WORK);
    assert_eq!(ran(&turns, PolicyKind::Priority).same.map(|same| same.with), Some(PolicyKind::Fifo));
    // The cards that they lead to show the difference.
    let starved = miniatures(&card("starved").unwrap().draft(), WORK);
    assert_eq!((ran(&starved, PolicyKind::Fifo).same, ran(&starved, PolicyKind::Fifo).changed.len()), (None, 6));
}

/// The reasons that are given where no other is known hold for what they are said of.
#[test]
fn explore_miniatures_of_processes_that_never_meet() {
    let mut draft = card("turns").unwrap().draft();
    draft.kernels[1].start_ns = 20 * MS;
    let all = miniatures(&draft, WORK);
    let fifo = ran(&all, PolicyKind::Fifo);
    assert_eq!(fifo.same.map(|same| same.reason), Some("here no two processes execute at the same time"));
    assert_eq!(ran(&all, PolicyKind::Edf).same.map(|same| same.reason), Some("here both let the processes go in the same order"));
    let mut draft = card("starved").unwrap().draft();
    draft.kernels[0].start_ns = 13 * MS;
    let all = miniatures(&draft, WORK);
    assert_eq!(ran(&all, PolicyKind::Fifo).same.map(|same| same.reason), Some("here the stream priorities change nothing"));
}

#[test]
fn explore_miniatures_never_count_best_effort_as_late_and_keep_within_their_work() {
    let mut draft = card("four-policies").unwrap().draft();
    draft.tasks[1].class = Some(blockstep_sim::scenario::Class::BestEffort);
    for one in miniatures(&draft, WORK) {
        let Fate::Ran(ran) = one.fate else { panic!("{:?}", one.kind) };
        assert_eq!((ran.late.missed, ran.late.judged), (0, 0));
        let longest = ran.largest_response.unwrap().span;
        assert!(ran.records.jobs.iter().all(|job| job.end.is_none_or(|end| end.since(job.release) <= longest)));
    }
    assert!(miniatures(&draft, 10).iter().all(|one| matches!(one.fate, Fate::TooLong)));
    // What a policy cannot do without is named.
    let mut broken = card("four-policies").unwrap().draft();
    broken.kernels[0].blocks = 0;
    for one in miniatures(&broken, WORK) {
        assert!(matches!(&one.fate, Fate::Invalid(why) if why.starts_with("kernels[0].blocks")), "{:?}", one.fate);
    }
}

/// What is marked is what executes elsewhere or at other times than under the chosen policy.
#[test]
fn explore_miniatures_mark_what_differs() {
    for card in cards() {
        let chosen = Seen::of(&card.draft());
        let ids: Vec<u32> = (0..card.draft().kernels.len() as u32).collect();
        for one in miniatures(&card.draft(), WORK) {
            let Fate::Ran(ran) = one.fate else { panic!("{}", card.id) };
            let sides = [
                RunWithRows { trace: &chosen.run.trace, records: &chosen.records, row_ids: &ids },
                RunWithRows { trace: &ran.run.trace, records: &ran.records, row_ids: &ids },
            ];
            assert_eq!(ran.changed, changed_operations(sides[0], sides[1]), "{}", card.id);
            let now = Seen { run: ran.run.clone(), records: Records::clone(&ran.records) };
            if now.work() != chosen.work() {
                assert!(!ran.changed.is_empty() && ran.same.is_none_or(|same| same.with != card.draft().policy.kind), "{}", card.id);
            } else if one.kind != card.draft().policy.kind && ran.changed.is_empty() {
                assert_eq!(ran.same.unwrap().with, card.draft().policy.kind, "{}", card.id);
            }
        }
    }
}

/// Nothing of a control is lost on the way through a file.
#[test]
fn explore_controls_write_what_files_keep() {
    for card in cards() {
        for control in card.controls {
            let mut document = card.document();
            control.set(&mut document, control.choices.count() - 1);
            let text = blockstep_format::write_scenario(&document.draft());
            let again = Document::new(read_scenario(&text).unwrap());
            assert_eq!(control.place(&again), Some(control.choices.count() - 1), "{}: {}", card.id, control.before);
            let is_of_a_row = matches!(control.field, ControlField::Cell(..) | ControlField::StreamPriority(_));
            assert_eq!(control.shown(&Document::new(Draft::default())).is_none(), is_of_a_row);
        }
    }
}
