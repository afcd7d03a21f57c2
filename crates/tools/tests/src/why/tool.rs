//! The tool *Why not now?* on a page: what its card tells, remembers, and hides.

use blockstep_format as format;
use blockstep_protocol::{Cursor, Effect};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, KernelDraft, PolicyKind, TaskDraft};
use blockstep_sim::trace::Rule;
use blockstep_sim::units::{OpId, RowId, Time};
use blockstep_tools::ask::{Ask, AskCard, Clears, Free, Msg, View};
use blockstep_tools::tool::Event;

use crate::tool::OnPage;
use blockstep_testing::rows::{at, run, state_at, table_1};
use blockstep_testing::stage::{self, stage, work};

/// The tool on a page with this scenario.
pub(super) fn page(draft: &Draft) -> OnPage<Ask> {
    OnPage::new("ask", &format::write_scenario(draft))
}

/// Where a reader stands at a time, with a row selected, if there is one of that name.
pub(super) fn stand(page: &mut OnPage<Ask>, draft: &Draft, time: &str, row: &str) {
    let (run, _) = run(draft);
    let position = state_at(&run, at(time)).applied();
    let row = run.trace.scenario().rows().iter().position(|r| r.name == row).map(RowId::at);
    page.cursor = Cursor { position, at: Time(at(time)), row, op: None, block: None };
}

pub(super) fn card(view: View) -> AskCard {
    let View::Card(card) = view else { panic!("{view:?}") };
    *card
}

/// Every step that a card leads to.
fn steps(card: &AskCard) -> Vec<u32> {
    let lines = card.goes_on.iter().chain(&card.root).filter_map(|line| line.step.as_ref());
    let clears = card.causes.iter().filter_map(|cause| if let Clears::At(step, _) = &cause.clears { Some(step) } else { None });
    lines.chain(clears).map(|step| step.position).collect()
}

#[test]
fn ask_tells_a_long_chain_from_both_ends() {
    let mut draft = Draft::default();
    for i in 0..120_usize {
        let consumes = i.checked_sub(1).map(|before| format!("T{before}")).into_iter().collect();
        draft.tasks.push(TaskDraft { consumes, ..TaskDraft::named(format!("T{i}")) });
        let (task, stream) = (Some(format!("T{i}")), format!("S{i}"));
        draft.kernels.push(KernelDraft { task, stream, ..KernelDraft::named(format!("K{i}"), 1, 32, 1_000) });
    }
    let mut page = page(&draft);
    stand(&mut page, &draft, "0", "K119");
    let shown = card(page.tell(Event::Opened(String::new())).unwrap().view.unwrap());
    let names: Vec<&str> = shown.causes.iter().map(|cause| cause.name.label.as_str()).collect();
    assert_eq!((names.len(), names[0], names[39], names[40], names[49]), (50, "K119", "K80", "K10", "K1"));
    let skipped: Vec<usize> = shown.causes.iter().map(|cause| cause.skipped).collect();
    assert_eq!((skipped[40], skipped.iter().sum::<usize>()), (69, 69));
    assert_eq!(shown.root.unwrap().text, "Block 0 of K0 executes on SM 0. It completes at 1 µs.");
}

/// Of what runs or ran, "Why not now?" is no question.
#[test]
fn ask_has_a_title_that_fits_what_is_selected() {
    let draft = table_1();
    let mut page = page(&draft);
    for (time, row, title, head) in [
        ("0.2", "K1", "Why not now?", "K1"),
        ("1.8", "K5", "Why not now?", "K5's next block needs"),
        ("0.5", "K4", "Why not now?", "K4"),
        ("1.2", "K4", "Why now?", "K4"),
        ("3.5", "K1", "Why then?", "K1 completed at"),
    ] {
        stand(&mut page, &draft, time, row);
        let shown = card(page.tell(Event::Opened(String::new())).unwrap().view.unwrap());
        assert!(shown.title == title && shown.headline.starts_with(head), "{time} {row}: {} {}", shown.title, shown.headline);
    }
}

#[test]
fn ask_shows_the_chain_of_the_kernel_selected() {
    let draft = table_1();
    let mut page = page(&draft);
    stand(&mut page, &draft, "1.8", "K5");
    let told = page.tell(Event::Opened(String::new())).unwrap();
    let head = "K5's next block needs 32 KiB of shared memory; it is free at 2 s, when K4's block 0 ends.";
    assert_eq!(told.effects, [Effect::Announce(head.to_owned())]);
    let shown = card(told.view.unwrap());
    assert_eq!((shown.headline.as_str(), shown.row), (head, RowId(4)));
    let [cause] = &shown.causes[..] else { panic!("{shown:?}") };
    assert_eq!((cause.name.label.as_str(), cause.name.is_of_kernel, cause.rule), ("K5", true, Some(Rule::R3)), "{cause:?}");
    let room = cause.room.as_ref().unwrap();
    assert_eq!(room.heads, ["Free shared memory (needs 32 KiB)"]);
    assert_eq!(room.lines[0].free, [Free { amount: "0".to_owned(), is_too_little: true }]);
    let holder = &room.lines[0].holders[0];
    assert_eq!((holder.name.label.as_str(), holder.name.is_of_kernel), ("K4", false), "{room:?}");
    assert_eq!(holder.text, "2 blocks, 64 KiB, until 2 s");
    assert!(steps(&shown).contains(&40), "{shown:?}");
    let root = shown.root.as_ref().unwrap();
    assert_eq!(root.text, "Block 0 of K4 executes on SM 0. It completes at 2 s.");
    assert_eq!(shown.others.iter().map(|other| other.name.op).collect::<Vec<_>>(), [OpId(8)]);
    // A step further nothing is said again; another operation is asked about by its name.
    stand(&mut page, &draft, "1.9", "K5");
    assert_eq!(page.tell(Event::Moved).unwrap().effects, []);
    let told = page.send(Msg::Ask(OpId(8)));
    let shown = card(told.view.unwrap());
    assert!(shown.headline.contains("C5o waits behind K5"), "{shown:?}");
    assert_eq!(told.effects, [Effect::Announce(shown.headline)]);
    // Once that is over, so is the question.
    stand(&mut page, &draft, "2.5", "K5");
    assert_eq!(card(page.moved()).headline, "C5o waits behind K5 in stream S3. K5 executes until 3 s.");
    stand(&mut page, &draft, "4", "K5");
    let head = card(page.moved()).headline;
    assert!(head.contains("K5 completed at 3 s") || head.contains("C5o completed"), "{head}");
}

/// What is left of a block is no end: it may be suspended before.
#[test]
fn ask_calls_nothing_an_end_that_is_none() {
    let mut draft = stage(PolicyKind::Runlist, &["A", "B"]);
    draft.kernels = vec![work("K1", "a", 0, 10), work("K2", "b", 0, 3)];
    let run = stage::run(&draft);
    let mut page = page(&draft);
    let mut tell = |time: u64| {
        let position = state_at(&run, time).applied();
        page.cursor = Cursor { position, at: Time(time), row: Some(RowId(0)), op: None, block: None };
        let shown = card(page.open(""));
        (shown.headline, shown.places)
    };
    let records = Records::new(&run.trace);
    let ends = records.blocks[0].end.unwrap().ns();
    assert!(ends > 10 && records.block_was_suspended(0), "{}", run.trace.text());
    let stops = records.block_runs(0)[0].end.ns();
    assert!(stops < 10);
    let said = format!("K1 executes now, is suspended later, and ends at {ends} ns.");
    assert_eq!(tell(1), (said, vec![format!("Block 0 on SM 0 since 0 s, until {stops} ns, then suspended")]));
    assert_eq!(tell(ends - 1), (format!("K1 executes until {ends} ns."), vec![format!("Block 0 on SM 0 since 0 s, until {ends} ns")]));
    // Beyond the end of the run it does not execute if it is suspended until then.
    draft.horizon_ns = Some(ends - 1);
    let shown = {
        let mut page = self::page(&draft);
        let position = state_at(&stage::run(&draft), 1).applied();
        page.cursor = Cursor { position, at: Time(1), row: Some(RowId(0)), op: None, block: None };
        card(page.open(""))
    };
    assert_eq!(shown.headline, "K1 executes now, and does not complete before the run ends.");
    // What was suspended before, and is not again, says no more than that it ends later.
    let shown = {
        let mut page = self::page(&draft);
        let position = state_at(&stage::run(&draft), ends - 2).applied();
        page.cursor = Cursor { position, at: Time(ends - 2), row: Some(RowId(0)), op: None, block: None };
        card(page.open(""))
    };
    assert_eq!(shown.headline, "K1 executes beyond the end of the run.");
}

/// What is asked about is kept as links of version 1 have it; a click goes before it, and another kernel is another question.
#[test]
fn ask_remembers_as_links_do() {
    let draft = table_1();
    let mut page = page(&draft);
    page.memory = "row=4&op=8".to_owned();
    stand(&mut page, &draft, "1.9", "K5");
    let told = page.tell(Event::Moved).unwrap();
    assert!(card(told.view.unwrap()).headline.starts_with("C5o waits behind K5"));
    assert_eq!((told.effects, page.memory.as_str()), (Vec::new(), r#"{"op":8,"row":4}"#));
    page.cursor.op = Some(OpId(7));
    assert!(card(page.moved()).headline.starts_with("K5's next block needs"));
    assert_eq!(page.memory, r#"{"clicked":7,"op":7,"row":4}"#);
    // The same click does not count twice.
    assert!(card(page.send(Msg::Ask(OpId(8))).view.unwrap()).headline.starts_with("C5o"));
    assert!(card(page.moved()).headline.starts_with("C5o"));
    stand(&mut page, &draft, "1.9", "K4");
    let told = page.tell(Event::Moved).unwrap();
    let head = card(told.view.unwrap()).headline;
    assert!(head.starts_with("K4 executes"), "{head}");
    assert_eq!((told.effects, page.memory.as_str()), (vec![Effect::Announce(head)], r#"{"row":3}"#));
    // A word names an operation.
    stand(&mut page, &draft, "1.9", "K5");
    assert!(card(page.open("op:8")).headline.starts_with("C5o"));
    assert_eq!(page.tell(Event::Closed).unwrap().effects, [], "what is closed says nothing");
}

#[test]
fn ask_without_a_kernel_says_how_to_ask() {
    let draft = table_1();
    let mut page = page(&draft);
    page.memory = "op=3&row=1".to_owned();
    stand(&mut page, &draft, "0.8", "");
    let View::Invitation(None, waiting) = page.open("") else { panic!("nothing is selected") };
    assert_eq!(page.memory, "");
    let named = waiting.iter().find(|of| of.name.op == OpId(1)).unwrap();
    assert!(!named.name.is_of_kernel && !named.text.is_empty(), "{named:?}");
    stand(&mut page, &draft, "9", "");
    assert_eq!(page.open(""), View::Invitation(None, Vec::new()));
}

/// While a question is open it tells nothing; what it was opened with counts afterwards.
#[test]
fn ask_is_hidden_while_a_question_is_open() {
    let draft = table_1();
    let mut page = page(&draft);
    stand(&mut page, &draft, "1.8", "K5");
    page.screen.is_future_hidden = true;
    for event in [Event::Opened("op:8".to_owned()), Event::Moved, Event::Message(Msg::Ask(OpId(7)))] {
        let told = page.tell(event).unwrap();
        assert!(told.view.is_none() && told.effects.is_empty());
    }
    page.screen.is_future_hidden = false;
    assert!(card(page.moved()).headline.starts_with("C5o"));
}

#[test]
fn ask_says_of_a_row_that_is_never_issued_why() {
    let mut draft = table_1();
    draft.horizon_ns = Some(at("1"));
    let mut page = page(&draft);
    stand(&mut page, &draft, "0.8", "K6");
    let View::Never { headline, text } = page.open("") else { panic!("K6 is issued at 2.8 s") };
    assert_eq!(headline, "K6 is never issued in this run.");
    assert!(text.ends_with("would issue it 2.8 s after it releases a job, but the run ends before."), "{text}");
}

#[test]
fn ask_takes_any_name_and_any_question() {
    let mut draft = table_1();
    draft.kernels[4].name = "<b>K5".to_owned();
    let mut page = page(&draft);
    stand(&mut page, &draft, "1.8", "<b>K5");
    assert!(card(page.open("")).headline.starts_with("<b>K5's next block needs"));
    // What is not there is not asked about.
    let events = ["op:99999", "op:x", "op:", "nonsense"].map(|word| Event::Opened(word.to_owned()));
    for event in events.into_iter().chain([Event::Message(Msg::Ask(OpId(99_999)))]) {
        page.memory = "op=zz&row=77&clicked=%00".to_owned();
        page.cursor = Cursor { position: 99_999, at: Time::ZERO, row: Some(RowId(4)), op: Some(OpId(12_345)), block: None };
        let told = page.tell(event).unwrap();
        assert!(card(told.view.unwrap()).headline.contains("complete"));
    }
}
