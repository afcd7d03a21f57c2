//! Examples of an effect: that each shows it, judged from the runs' records alone, that no row of it
//! can be left out, and the tool that searches.

use std::time::Instant;

use blockstep_format::{read_scenario, write_scenario};
use blockstep_learn::find::{Effect, Search, SearchProgress, ShownEffect, table};
use blockstep_protocol::Effect as PageEffect;
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::record::{OpRecord, Records};
use blockstep_sim::scenario::{
    BlockTimes, Class, DeviceDraft, Draft, KernelDraft, NULL_STREAM, PolicyDraft, PolicyKind, Preemption, ProcessDraft, Scenario,
    StreamPriority, TaskDraft,
};
use blockstep_sim::trace::{OpKind, Trace};
use blockstep_sim::units::{OpId, Time};
use blockstep_tools::compare::Compare;
use blockstep_tools::find::{Find, FindStatus, Msg, Opening, View};
use blockstep_tools::tool::{Event, Tool, memory};
use proptest::prelude::*;

use crate::tool::{OnPage, Told};
use blockstep_testing::arbitrary::{any_drafts, cases, turns};

/// The seed that the page begins with.
const SEED: u64 = 1;

fn searched(effect: Effect, seed: u64, portion: u32) -> Search {
    let mut search = Search::new(effect, seed);
    while search.run(portion) == SearchProgress::Searching {}
    search
}

fn found(effect: Effect) -> (Draft, ShownEffect) {
    let draft = searched(effect, SEED, 1000).best.expect("the effect is found");
    let shown = effect.shown_by(&draft).expect("the effect is found");
    (draft, shown)
}

/// A run without anything of the search's own.
struct Plain {
    trace: std::sync::Arc<Trace>,
    records: Records,
}

fn plain(draft: &Draft) -> Plain {
    let run = engine::simulate(&Scenario::new(draft).unwrap(), Limits::default());
    Plain { records: Records::new(&run.trace), trace: run.trace }
}

impl Plain {
    fn op(&self, row: usize, kind: OpKind) -> OpId {
        OpId::at(self.trace.ops().iter().position(|op| op.row.index() == row && op.kind == kind).unwrap())
    }

    fn kernel(&self, row: usize) -> &OpRecord {
        &self.records.ops[self.op(row, OpKind::Kernel).index()]
    }

    fn done(&self) -> Time {
        self.records.ops.iter().map(|op| op.end.unwrap()).max().unwrap()
    }

    /// Free threads of each SM while an instant lasts.
    fn free(&self, draft: &Draft, at: Time) -> Vec<u64> {
        let device = self.trace.scenario().device();
        let mut free = vec![device.threads_per_sm; device.sms as usize];
        for block in self.records.blocks.iter().filter(|b| b.start <= at && b.end.unwrap() > at) {
            free[block.sm.index()] -= draft.kernels[self.trace.op(block.op).row.index()].threads_per_block;
        }
        free
    }

    /// Rows whose blocks run while an instant lasts.
    fn running(&self, at: Time) -> Vec<usize> {
        self.records.blocks.iter().filter(|b| b.start <= at && b.end.unwrap() > at).map(|b| self.trace.op(b.op).row.index()).collect()
    }

    /// Rows with an unassigned block in an EE queue while an instant lasts, in issue order.
    fn queued(&self, at: Time) -> Vec<usize> {
        let ops = (0..self.trace.ops().len()).map(OpId::at).filter(|&op| self.trace.op(op).kind == OpKind::Kernel);
        let waits = |op: &OpId| {
            let later = self.records.blocks_of(*op).iter().any(|&b| self.records.blocks[b as usize].start > at);
            self.records.ops[op.index()].queued.is_some_and(|queued| queued <= at) && later
        };
        ops.filter(waits).map(|op| self.trace.op(op).row.index()).collect()
    }

    fn misses(&self) -> usize {
        self.records.jobs.iter().filter(|job| job.met == Some(false)).count()
    }
}

fn is_high(draft: &Draft, row: usize) -> bool {
    draft.streams.iter().any(|s| s.name == draft.kernels[row].stream && s.priority == StreamPriority::High)
}

/// The rows in which two drafts differ, which are the same otherwise.
fn differing(a: &Draft, b: &Draft) -> Vec<usize> {
    assert_eq!(Draft { kernels: Vec::new(), ..a.clone() }, Draft { kernels: Vec::new(), ..b.clone() });
    assert_eq!(a.kernels.len(), b.kernels.len());
    (0..a.kernels.len()).filter(|&i| a.kernels[i] != b.kernels[i]).collect()
}

/// The same draft but for one thing.
fn but(draft: &Draft, change: impl Fn(&mut Draft)) -> Draft {
    let mut changed = draft.clone();
    change(&mut changed);
    changed
}

fn without(draft: &Draft, row: usize) -> Draft {
    let mut less = draft.clone();
    less.kernels.remove(row);
    let (kernels, has_tasks) = (less.kernels.clone(), !less.tasks.is_empty());
    less.tasks.retain(|t| kernels.iter().any(|k| k.task.as_ref() == Some(&t.name)));
    assert!(!has_tasks || kernels.iter().all(|k| k.task.is_some()), "what is found names its tasks");
    let tasks = less.tasks.clone();
    less.processes.retain(|p| tasks.iter().any(|t| t.process.as_ref() == Some(&p.name)));
    less
}

#[test]
fn find_every_effect_and_no_row_too_many() {
    for effect in Effect::ALL {
        let begun = Instant::now();
        let search = searched(effect, SEED, 1000);
        println!("{}: {} attempts, {} examples, {:?}", effect.id(), search.attempts, search.examples, begun.elapsed());
        let draft = search.best.clone().expect("the effect is found");
        println!("    {}", effect.shown_by(&draft).expect("the effect is found").sentence);
        assert!((2..=6).contains(&draft.kernels.len()), "{}", effect.id());
        assert!(Scenario::new(&draft).unwrap().warnings().is_empty(), "{}", effect.id());
        for row in 0..draft.kernels.len() {
            assert!(effect.shown_by(&without(&draft, row)).is_none(), "{} without row {row}", effect.id());
        }
    }
}

/// A process of several channels is told once, with the time that it has through all of them.
#[test]
fn find_a_process_of_several_channels_is_told_once() {
    let task = |name: &str, process: &str| TaskDraft { process: Some(process.to_owned()), ..TaskDraft::named(name) };
    let row = |name: &str, task: &str, stream: &str, ns| KernelDraft {
        task: Some(task.to_owned()),
        stream: stream.to_owned(),
        ..KernelDraft::named(name, 1, 32, ns)
    };
    let mut draft = Draft {
        policy: PolicyDraft { kind: PolicyKind::Runlist, ..PolicyDraft::default() },
        processes: vec![ProcessDraft { channels: 2, ..ProcessDraft::named("A") }, ProcessDraft::named("B")],
        tasks: vec![task("T1", "A"), task("T2", "B")],
        kernels: vec![row("K1", "T1", "S1", 3_000_000), row("K2", "T1", "S2", 3_000_000), row("K3", "T2", "S3", 3_000_000)],
        ..Draft::default()
    };
    (draft.tasks[1].class, draft.tasks[1].deadline_ns) = (Some(Class::RealTime), Some(4_000_000));
    let shown = Effect::RunlistMiss.shown_by(&draft).expect("T2 is late, and in time by EDF");
    assert!(shown.sentence.contains("(meanwhile the GPU is with A for 6 ms)"), "{}", shown.sentence);
}

#[test]
fn find_does_not_depend_on_portions() {
    for effect in Effect::ALL.into_iter().filter(|&effect| effect != Effect::MoreSms) {
        let search = searched(effect, 7, 1000);
        assert_eq!(search, searched(effect, 7, 3), "{}", effect.id());
    }
}

#[test]
fn find_gives_up() {
    let mut search = Search::new(Effect::MoreSms, SEED);
    search.last = 20;
    assert_eq!(
        [search.run(15), search.run(15), search.run(15)],
        [SearchProgress::Searching, SearchProgress::GivenUp, SearchProgress::GivenUp]
    );
    assert_eq!((search.attempts, search.best), (20, None));
}

#[test]
fn find_tables_are_valid() {
    for effect in Effect::ALL {
        for (seed, attempt) in [0, 1, u64::MAX].into_iter().flat_map(|seed| (0..60).map(move |n| (seed, n))).chain([(5, u32::MAX)]) {
            let draft = table(effect, seed, attempt);
            assert!(Scenario::new(&draft).is_ok(), "{}: {}", effect.id(), write_scenario(&draft));
            assert_eq!(draft, table(effect, seed, attempt));
        }
    }
}

#[test]
fn find_a_shorter_kernel_that_makes_another_end_later() {
    let (draft, shown) = found(Effect::Shorter);
    let counterpart = shown.counterpart.unwrap().draft;
    let [short] = differing(&draft, &counterpart)[..] else { panic!("one row is changed") };
    let (BlockTimes::Each(long), BlockTimes::Each(half)) = (&draft.kernels[short].block_time_ns, &counterpart.kernels[short].block_time_ns)
    else {
        panic!("one time for all blocks")
    };
    assert_eq!(*long, 2 * half);
    assert_eq!(KernelDraft { block_time_ns: BlockTimes::Each(*half), ..draft.kernels[short].clone() }, counterpart.kernels[short]);
    assert_ne!(shown.row, short);
    assert!(plain(&counterpart).kernel(shown.row).end.unwrap() > plain(&draft).kernel(shown.row).end.unwrap());
}

#[test]
fn find_a_stream_that_starves() {
    let (draft, shown) = found(Effect::Starvation);
    let run = plain(&draft);
    let starved = run.kernel(shown.row);
    assert!(!is_high(&draft, shown.row) && starved.queued.is_some() && starved.start.is_none());
    let own = run.op(shown.row, OpKind::Kernel);
    let overtook = (own.0 + 1..run.trace.ops().len() as u32).map(OpId);
    let overtook = overtook.filter(|&op| is_high(&draft, run.trace.op(op).row.index()) && run.records.ops[op.index()].start.is_some());
    assert!(overtook.count() >= 3);
    let fifo = but(&draft, |d| d.policy.kind = PolicyKind::Fifo);
    assert!(plain(&fifo).kernel(shown.row).start.is_some());
    assert_eq!(shown.counterpart.unwrap().draft, fifo);
}

#[test]
fn find_high_priority_behind_low() {
    let (draft, shown) = found(Effect::Inversion);
    let run = plain(&draft);
    let kernel = run.kernel(shown.row);
    assert!(is_high(&draft, shown.row) && kernel.queued.unwrap() <= shown.at && kernel.start.unwrap() > shown.at);
    let running = run.running(shown.at);
    assert!(!running.is_empty() && running.iter().all(|&row| !is_high(&draft, row)));
    assert!(run.free(&draft, shown.at).iter().all(|&free| free < draft.kernels[shown.row].threads_per_block));
}

#[test]
fn find_stalls_by_the_null_stream() {
    let (draft, shown) = found(Effect::NullStall);
    let counterpart = shown.counterpart.unwrap().draft;
    for row in differing(&draft, &counterpart) {
        assert_eq!(draft.kernels[row].stream, NULL_STREAM);
    }
    assert!(counterpart.kernels.iter().all(|k| k.stream != NULL_STREAM) && draft.kernels[shown.row].stream != NULL_STREAM);
    let run = plain(&draft);
    assert!(run.kernel(shown.row).start.unwrap() > plain(&counterpart).kernel(shown.row).start.unwrap());
    let is_before = |row: usize| {
        let ahead = run.kernel(row);
        draft.kernels[row].stream == NULL_STREAM
            && ahead.end.unwrap() > shown.at
            && run.op(row, OpKind::Kernel) < run.op(shown.row, OpKind::Kernel)
    };
    assert!((0..draft.kernels.len()).any(is_before) && run.kernel(shown.row).issued <= shown.at);

    let (draft, shown) = found(Effect::NullChain);
    let run = plain(&draft);
    let (own, needs) = (run.op(shown.row, OpKind::Kernel), draft.kernels[shown.row].threads_per_block);
    assert!(run.kernel(shown.row).issued <= shown.at && run.kernel(shown.row).queued.unwrap() > shown.at);
    let open = |row: usize| run.kernel(row).issued <= shown.at && run.kernel(row).end.unwrap() > shown.at;
    let null =
        (0..draft.kernels.len()).find(|&row| draft.kernels[row].stream == NULL_STREAM && open(row) && run.op(row, OpKind::Kernel) < own);
    let null = null.unwrap();
    assert!(run.kernel(null).queued.unwrap() > shown.at);
    let streams = [NULL_STREAM, &draft.kernels[shown.row].stream];
    let root = |row: usize| {
        open(row) && !streams.contains(&&*draft.kernels[row].stream) && run.op(row, OpKind::Kernel) < run.op(null, OpKind::Kernel)
    };
    assert!((0..draft.kernels.len()).any(root));
    assert!(run.free(&draft, shown.at).iter().any(|&free| free >= needs));
}

#[test]
fn find_more_sms_and_a_later_finish() {
    let (draft, shown) = found(Effect::MoreSms);
    let counterpart = shown.counterpart.unwrap().draft;
    let DeviceDraft::Custom(device) = &counterpart.device else { panic!("a device with one SM more") };
    let before = Scenario::new(&draft).unwrap().device().clone();
    assert_eq!(blockstep_sim::scenario::Device { sms: before.sms + 1, name: device.name.clone(), ..before }, *device);
    assert_eq!(but(&counterpart, |d| d.device = draft.device.clone()), draft);
    assert!(plain(&counterpart).done() > plain(&draft).done());
}

#[test]
fn find_blocks_that_would_fit() {
    for effect in [Effect::HeadOfLine, Effect::Reserved] {
        let (draft, shown) = found(effect);
        let run = plain(&draft);
        let fits = |row: usize| run.free(&draft, shown.at).iter().any(|&free| free >= draft.kernels[row].threads_per_block);
        let queued = run.queued(shown.at);
        assert!(queued.contains(&shown.row) && fits(shown.row), "{}", effect.id());
        let ahead: Vec<usize> = queued.into_iter().filter(|&row| row != shown.row && !fits(row)).collect();
        assert!(!ahead.is_empty(), "{}", effect.id());
        assert_eq!(ahead.iter().any(|&row| is_high(&draft, row) != is_high(&draft, shown.row)), effect == Effect::Reserved);
    }
}

#[test]
fn find_copies_that_delay() {
    let (draft, shown) = found(Effect::Copies);
    let counterpart = shown.counterpart.unwrap().draft;
    let [other] = differing(&draft, &counterpart)[..] else { panic!("one row is changed") };
    assert_eq!(KernelDraft { copy_in_bytes: 0, copy_out_bytes: 0, ..draft.kernels[other].clone() }, counterpart.kernels[other]);
    assert_ne!(draft.kernels[other].stream, draft.kernels[shown.row].stream);
    let run = plain(&draft);
    assert!(run.kernel(shown.row).start.unwrap() > plain(&counterpart).kernel(shown.row).start.unwrap());
    let copy = &run.records.ops[run.op(shown.row, OpKind::CopyIn).index()];
    assert!(copy.queued.unwrap() <= shown.at && copy.start.unwrap() > shown.at);
}

#[test]
fn find_tables_done_earlier_or_later() {
    let (draft, shown) = found(Effect::FifoEarlier);
    let fifo = but(&draft, |d| d.policy.kind = PolicyKind::Fifo);
    assert_eq!(shown.counterpart.unwrap().draft, fifo);
    assert!(plain(&fifo).done() < plain(&draft).done());

    let (draft, shown) = found(Effect::MoreStreams);
    let counterpart = shown.counterpart.unwrap().draft;
    let [moved] = differing(&draft, &counterpart)[..] else { panic!("one row is changed") };
    let stream = counterpart.kernels[moved].stream.clone();
    assert_eq!(KernelDraft { stream: draft.kernels[moved].stream.clone(), ..counterpart.kernels[moved].clone() }, draft.kernels[moved]);
    assert!(draft.kernels.iter().all(|k| k.stream != stream));
    assert!(plain(&counterpart).done() > plain(&draft).done());

    let (draft, shown) = found(Effect::LaunchOrder);
    let counterpart = shown.counterpart.unwrap().draft;
    let [a, b] = differing(&draft, &counterpart)[..] else { panic!("two rows are exchanged") };
    assert_eq!([&draft.kernels[a], &draft.kernels[b]], [&counterpart.kernels[b], &counterpart.kernels[a]]);
    assert_eq!(draft.kernels[a].start_ns, draft.kernels[b].start_ns);
    assert!(plain(&counterpart).done() < plain(&draft).done());
}

#[test]
fn find_a_neighbour_that_delays() {
    let (draft, shown) = found(Effect::Neighbour);
    assert_eq!(draft.policy.kind, PolicyKind::Runlist);
    let name = &draft.kernels[shown.row].name;
    let counterpart = shown.counterpart.unwrap().draft;
    let gone = draft.kernels.iter().position(|k| !counterpart.kernels.contains(k)).unwrap();
    assert_eq!(counterpart, without(&draft, gone));
    assert_ne!(draft.kernels[gone].task, draft.kernels[shown.row].task);
    let end = |draft: &Draft| plain(draft).kernel(draft.kernels.iter().position(|k| k.name == *name).unwrap()).end.unwrap();
    assert!(end(&draft) > end(&counterpart));
    let in_one = |draft: &Draft| but(draft, |d| d.policy.kind = PolicyKind::Priority);
    assert_eq!(end(&in_one(&draft)), end(&in_one(&counterpart)));
}

#[test]
fn find_deadlines_missed() {
    let kinds = [
        (Effect::RunlistMiss, PolicyKind::Runlist, Preemption::Thread),
        (Effect::NoPreemptionMiss, PolicyKind::Edf, Preemption::None),
        (Effect::DrainMiss, PolicyKind::Edf, Preemption::Block),
    ];
    for (effect, kind, preemption) in kinds {
        let (draft, shown) = found(effect);
        assert_eq!((draft.policy.kind, draft.policy.preemption), (kind, preemption));
        let counterpart = shown.counterpart.unwrap().draft;
        assert_eq!((counterpart.policy.kind, counterpart.policy.preemption), (PolicyKind::Edf, Preemption::Thread));
        assert_eq!(but(&counterpart, |d| d.policy = draft.policy.clone()), draft);
        assert!(plain(&draft).misses() > 0 && plain(&counterpart).misses() == 0, "{}", effect.id());
    }
}

proptest! {
    #![proptest_config(cases(150))]

    /// Whatever the table is, judging it stops at no point; what is told is of the table.
    #[test]
    fn find_judges_any_table(draft in prop_oneof![any_drafts(), turns(PolicyKind::Runlist), turns(PolicyKind::Edf)]) {
        for effect in Effect::ALL {
            if let Some(shown) = effect.shown_by(&draft) {
                prop_assert!(shown.row < draft.kernels.len() && !shown.sentence.is_empty());
                prop_assert!(shown.counterpart.is_none_or(|counterpart| Scenario::new(&counterpart.draft).is_ok()));
            }
        }
    }
}

/// Searches as the page does: until it is not to go on. How often it was asked.
fn search(page: &mut OnPage<Find>) -> (u32, Told<Find>) {
    let mut told = page.send(Msg::Find);
    let mut asked = 1;
    while told.effects == [PageEffect::Continue] {
        told = page.tell(Event::Continued).unwrap();
        asked += 1;
    }
    (asked, told)
}

/// The tool on a page with a table of one kernel, with an effect and a seed chosen.
fn on_page(effect: Effect, seed: &str) -> OnPage<Find> {
    let draft = Draft { kernels: vec![KernelDraft::named("K1", 1, 32, 1000)], ..Draft::default() };
    let mut page = OnPage::<Find>::new("find", &write_scenario(&draft));
    page.open("");
    page.edit(|state| state.effect = Some(effect));
    page.edit(|state| state.set_seed(seed));
    page
}

/// The effect and the seed that the controls show.
fn chosen(page: &OnPage<Find>) -> (Effect, String) {
    let state = Find::remembered(&page.memory);
    (state.effect(), state.seed_text())
}

fn view(told: Told<Find>) -> View {
    told.view.expect("it is not hidden")
}

#[test]
fn find_tool_finds_opens_and_compares() {
    let mut page = on_page(Effect::Shorter, "1");
    let told = page.tell(Event::Opened(String::new())).unwrap();
    assert!(told.effects.is_empty());
    let (asked, told) = search(&mut page);
    assert!(asked > 1, "in portions");
    let (draft, shown) = found(Effect::Shorter);
    assert_eq!(told.effects, [PageEffect::Announce(format!("Found. {}", shown.sentence))]);
    let example = view(told).example.unwrap();
    assert_eq!((&example.sentence, example.has_changed), (&shown.sentence, true));
    assert!(example.looks.iter().all(|look| !look.is_on_screen && !look.moments.is_empty()));
    assert_eq!(example.kernels.iter().map(|k| &k.name).collect::<Vec<_>>(), draft.kernels.iter().map(|k| &k.name).collect::<Vec<_>>());
    let told = page.send(Msg::Open(Opening::Example));
    let [PageEffect::OpenScenario { at, scenario: file, .. }, PageEffect::SelectRow(row)] = &told.effects[..] else {
        panic!("{:?}", told.effects)
    };
    let opened = read_scenario(file).unwrap();
    assert_eq!((Draft { name: String::new(), ..opened.clone() }, *at), (draft.clone(), shown.at));
    assert!(opened.name.starts_with(Effect::Shorter.title()), "{}", opened.name);
    assert_eq!(*row, draft.kernels[shown.row].name);
    // Once it is on screen its instants are links.
    page.scenario.clone_from(file);
    let told = page.tell(Event::Moved).unwrap();
    assert!(told.effects.is_empty());
    assert_eq!(view(told).example.unwrap().looks.iter().map(|look| look.is_on_screen).collect::<Vec<_>>(), [true, false]);
    let told = page.send(Msg::Open(Opening::Both));
    let [PageEffect::OpenScenario { scenario: changed, .. }, PageEffect::SelectRow(_), PageEffect::OpenTool { name, word }] =
        &told.effects[..]
    else {
        panic!("{:?}", told.effects)
    };
    assert_eq!((&**name, memory::without(word, "pin").1.as_deref()), ("compare", Some(&**file)));
    let counterpart = read_scenario(changed).unwrap();
    assert_eq!(Draft { name: String::new(), ..counterpart }, shown.counterpart.unwrap().draft);
    // And the tool that compares takes it.
    let mut compare = OnPage::<Compare>::new("compare", changed);
    compare.open(word);
    assert_eq!(read_scenario(&memory::without(&compare.memory, "pin").1.unwrap()).unwrap(), opened);
}

#[test]
fn find_tool_every_example_can_be_opened() {
    for effect in Effect::ALL {
        let mut page = on_page(Effect::Shorter, "1");
        page.open(effect.id());
        assert!(chosen(&page).0 == effect, "{}", effect.id());
        search(&mut page);
        for how in [Opening::Example, Opening::Changed, Opening::Both] {
            let told = page.send(Msg::Open(how));
            assert!(matches!(told.effects[..], [PageEffect::OpenScenario { .. }, PageEffect::SelectRow(_), ..]), "{} {how:?}", effect.id());
            let has_changed = found(effect).1.counterpart.is_some();
            assert_eq!(told.effects.len() == 3, has_changed && how == Opening::Both, "{} {how:?}", effect.id());
        }
    }
}

/// What is said before anything was looked for.
fn to_begin() -> Option<FindStatus> {
    Some(FindStatus::Stopped("Press Find to look for a small table that shows it.".to_owned()))
}

#[test]
fn find_tool_is_cancelled_and_goes_on() {
    let mut page = on_page(Effect::MoreSms, "1");
    assert_eq!(view(page.tell(Event::Moved).unwrap()).status, to_begin());
    let told = page.send(Msg::Find);
    assert_eq!(told.effects, [PageEffect::Continue]);
    assert!(view(told).is_going);
    let told = page.send(Msg::Cancel);
    assert!(told.effects.is_empty());
    let shown = view(told);
    assert_eq!(shown.status, Some(FindStatus::Stopped("Stopped after 150 random tables. Press Find to continue.".to_owned())));
    assert!(!shown.is_going && shown.example.is_none());
    let Some(FindStatus::Searching(said)) = view(page.send(Msg::Find)).status else { panic!("it searches") };
    assert!(said.contains("300 random tables"), "{said}");
    // Whatever else happens meanwhile, it goes on.
    assert_eq!(page.tell(Event::Moved).unwrap().effects, [PageEffect::Continue]);
    // Another effect is another search, and it is not begun unasked.
    let told = page.edit(|state| state.effect = Some(Effect::Copies));
    assert!(told.effects.is_empty());
    let shown = view(told);
    assert_eq!((chosen(&page).0, shown.status, shown.is_going), (Effect::Copies, to_begin(), false));
    page.send(Msg::Another);
    assert_eq!(chosen(&page).1, "2");
}

#[test]
fn find_tool_says_what_is_wrong_with_a_seed() {
    for seed in ["-1", "18446744073709551616", "1.5", "<b>one</b>"] {
        let mut page = on_page(Effect::FifoEarlier, seed);
        let told = page.send(Msg::Find);
        assert!(told.effects.is_empty());
        let shown = view(told);
        let said = format!("seed: \"{seed}\" is not a whole number from 0 to 18446744073709551615.");
        assert_eq!((shown.status, chosen(&page).1.as_str(), shown.is_going), (Some(FindStatus::WrongSeed(said)), seed, false));
        page.send(Msg::Another);
        assert_eq!(chosen(&page).1, "2");
    }
    // A field that was emptied means what it held.
    let mut page = on_page(Effect::FifoEarlier, "7");
    page.edit(|state| state.set_seed(" "));
    assert_eq!(chosen(&page).1, "7");
    // Whatever a state holds, it is answered.
    for state in ["effect=fifo&seed=1&attempts=99999999999&going=1", "effect=fifo&seed=1&best=%7B&examples=4294967295&last=0", "=&&%%%"] {
        state.clone_into(&mut page.memory);
        page.tell(Event::Continued).unwrap();
        state.clone_into(&mut page.memory);
        page.send(Msg::Find);
    }
}

#[test]
fn find_tool_remembers_what_links_hold() {
    let mut page = on_page(Effect::MoreSms, "1");
    assert_eq!(page.memory, r#"{"attempts":0,"effect":"more-sms","examples":0,"last":50000,"seed":"1"}"#);
    page.send(Msg::Find);
    assert!(page.memory.starts_with(r#"{"attempts":150,"effect":"more-sms","examples":"#), "{}", page.memory);
    assert!(page.memory.contains(r#""going":true"#), "{}", page.memory);
    // A link to a search in the middle goes on where it was, and to one of an unknown effect begins anew.
    page.memory = "effect=copies&seed=5&attempts=300&examples=0&last=50000".to_owned();
    assert!(matches!(view(page.tell(Event::Moved).unwrap()).status, Some(FindStatus::Stopped(said)) if said.contains("300")));
    page.memory = "effect=none&seed=5&attempts=300&examples=0&last=50000&going=1".to_owned();
    let shown = view(page.tell(Event::Moved).unwrap());
    assert_eq!((chosen(&page), shown.status), ((Effect::Shorter, "5".to_owned()), to_begin()));
}
