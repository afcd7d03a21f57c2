//! The tool *Can it hang?*: its numbers, its search in portions, its answer, and the tables that it opens.

use blockstep_format::{read_scenario, write_scenario};
use blockstep_protocol::Effect;
use blockstep_sim::engine::{Limits, simulate};
use blockstep_sim::scenario::{BlockTimes, DeviceDraft, Draft, KernelDraft, Scenario};
use blockstep_tools::hang::{Hang, Msg, SearchLine, Verdict, View};
use blockstep_tools::tool::Event;

use crate::tool::{OnPage, Told};

fn view(told: Told<Hang>) -> View {
    told.view.expect("it is not hidden")
}

/// Goes on as the page does, until the tool does not want to; what it shows then, and what it announced.
fn searched(page: &mut OnPage<Hang>, mut told: Told<Hang>) -> (View, Vec<String>) {
    let mut announced = Vec::new();
    loop {
        let goes_on = told.effects.contains(&Effect::Continue);
        announced
            .extend(told.effects.iter().filter_map(|effect| if let Effect::Announce(text) = effect { Some(text.clone()) } else { None }));
        if !goes_on {
            return (view(told), announced);
        }
        told = page.tell(Event::Continued).unwrap();
    }
}

fn opened(page: &mut OnPage<Hang>) -> (View, Vec<String>) {
    let told = page.tell(Event::Opened(String::new())).unwrap();
    searched(page, told)
}

/// The scenario that a message opens, whether its run hangs, and whether the reader stands at the end of it.
fn shown(page: &mut OnPage<Hang>, message: Msg) -> (Draft, bool, bool) {
    let effects = page.send(message).effects;
    let [Effect::OpenScenario { at, scenario, began_as: None }] = &effects[..] else { panic!("{effects:?}") };
    let draft = read_scenario(scenario).unwrap();
    let run = simulate(&Scenario::new(&draft).unwrap(), Limits::default());
    let steps = run.trace.steps().len() as u32;
    let hangs = run.replay().seek(steps).dead_end(&run.trace).is_some();
    (draft, hangs, *at == run.trace.end())
}

/// Two barriers that fit one by one alone, among so many other kernels: no order hangs, and the search takes more than one portion.
fn many(kernels: u64) -> String {
    let row = |i: u64| {
        let is_barrier = i < 2;
        let row = KernelDraft::named(format!("K{i}"), if is_barrier { 3 } else { 2 }, 1024, 1_000 + i);
        let times = BlockTimes::List(vec![1_000 + i, 2_000 + i].into());
        KernelDraft {
            stream: format!("S{i}"),
            barrier: is_barrier,
            block_time_ns: if is_barrier { row.block_time_ns.clone() } else { times },
            ..row
        }
    };
    write_scenario(&Draft {
        name: "Many".to_owned(),
        device: DeviceDraft::BuiltIn("tx2".to_owned()),
        kernels: (0..kernels).map(row).collect(),
        ..Draft::default()
    })
}

#[test]
fn hang_finds_an_order_and_opens_what_hangs_and_what_does_not() {
    let mut page = OnPage::<Hang>::on("hang", "spin-workers");
    // Numbers come first, and before anything was asked.
    let before = view(page.tell(Event::Moved).unwrap());
    assert_eq!((before.search, before.answer), (SearchLine::Idle, None));
    let numbers: Vec<_> = before.numbers.iter().map(|row| (&*row.kernel, &*row.alone, &*row.device, row.counted.as_deref())).collect();
    assert_eq!(numbers, [("S", "80 of 80", "2,072", Some("1,924 as CUDA counts")), ("W", "128 of 128", "148", None)]);
    assert!(before.numbers.iter().all(|row| row.limit == "limit: shared memory" && !row.is_short));
    assert_eq!(before.numbers[1].beside, ["68 beside S"]);
    let (view, announced) = opened(&mut page);
    assert_eq!((view.search, announced), (SearchLine::Over, vec!["The search has an answer: it can hang.".to_owned()]));
    let answer = view.answer.unwrap();
    assert_eq!(answer.verdict, Verdict::Hangs);
    assert_eq!(answer.sentence, "It can hang, in this order of arrival (one of 2):");
    assert_eq!(answer.arrivals, ["S is launched", "W is launched"]);
    assert!(
        answer.end.as_ref().is_some_and(|end| end.starts_with("Then some work hangs forever: S waits for 80 blocks")),
        "{:?}",
        answer.end
    );
    assert!(answer.has_run && answer.assumed.contains("where nothing else runs"));
    let changes: Vec<(&str, bool)> = answer.repairs.iter().map(|repair| (&*repair.change, repair.can_open)).collect();
    assert_eq!(
        changes,
        [
            ("S with at most 20 blocks", true),
            ("W with at most 68 blocks", true),
            ("W launched before everything else; the program has to ensure it, by an event or a wait", false)
        ]
    );
    let (draft, hangs, is_at_end) = shown(&mut page, Msg::OpenHang);
    assert_eq!((&*draft.name, hangs, is_at_end), ("A scheduler and its workers (hangs)", true, true));
    let (smallest, hangs, is_at_end) = shown(&mut page, Msg::OpenSmallest);
    assert!(hangs && is_at_end && smallest.kernels.iter().map(|row| row.blocks).sum::<u64>() < 208);
    assert_eq!(answer.smallest.as_deref(), Some("1 SM, 1 block of S and 1 block of W"));
    let (mended, hangs, _) = shown(&mut page, Msg::OpenRepair(1));
    assert_eq!((&*mended.name, mended.kernels[1].blocks, hangs), ("A scheduler and its workers (W with at most 68 blocks)", 68, false));
    assert!(page.send(Msg::OpenRepair(9)).effects.is_empty());
}

#[test]
fn hang_says_that_no_order_does_with_what_that_assumes() {
    let mut page = OnPage::<Hang>::on("hang", "spin-cooperative");
    let (view, announced) = opened(&mut page);
    let answer = view.answer.unwrap();
    assert_eq!((answer.verdict, announced), (Verdict::None, vec![answer.sentence.clone()]));
    assert!(answer.sentence.contains("orders of arrival hangs ("), "{}", answer.sentence);
    assert!(answer.assumed.starts_with("This holds for any time"));
    assert!(answer.arrivals.is_empty() && answer.repairs.is_empty() && answer.repairs_title.is_empty() && !answer.has_run);
    assert!(page.send(Msg::OpenHang).effects.is_empty() && page.send(Msg::OpenSmallest).effects.is_empty());
}

#[test]
fn hang_says_why_there_is_nothing_to_ask() {
    let mut page = OnPage::<Hang>::on("hang", "tx2-table-1");
    let told = page.tell(Event::Opened(String::new())).unwrap();
    assert!(told.effects.is_empty());
    let shown = view(told);
    let SearchLine::Refused(why) = shown.search else { panic!("{:?}", shown.search) };
    assert!(why.contains("Set Barrier or one of Spins until begun, all begun or complete for a kernel"), "{why}");
    assert!(!shown.numbers.is_empty() && shown.answer.is_none());
    let mut page = OnPage::<Hang>::on("hang", "edf-fig-1");
    let shown = opened(&mut page).0;
    let SearchLine::Refused(why) = shown.search else { panic!("{:?}", shown.search) };
    assert_eq!(why, "Under runlist processes take turns; orders are searched under FIFO and priority only. Choose one of these.");
    assert!(shown.numbers.is_empty(), "their kernels do not stand beside each other");
}

#[test]
fn hang_is_cancelled_and_goes_on() {
    let mut page = OnPage::<Hang>::new("hang", &many(6));
    let told = page.tell(Event::Opened(String::new())).unwrap();
    assert_eq!(told.effects, [Effect::Continue], "in portions");
    let SearchLine::Going(so_far) = view(told).search else { panic!("it searches") };
    assert!(so_far.starts_with("Searching: no hang in ") && so_far.ends_with(" states"), "{so_far}");
    let told = page.send(Msg::Cancel);
    assert!(told.effects.is_empty());
    let SearchLine::Stopped(stopped) = view(told).search else { panic!("it is stopped") };
    assert_eq!(stopped.strip_prefix("Stopped: "), so_far.strip_prefix("Searching: "));
    assert!(page.tell(Event::Moved).unwrap().effects.is_empty(), "and stays so");
    let told = page.send(Msg::Search);
    let SearchLine::Going(further) = &told.view.as_ref().unwrap().search else { panic!("it goes on") };
    assert_ne!(*further, so_far);
    // Whatever else happens meanwhile, it goes on; and begins anew where a worker was started again, with the same end.
    assert_eq!(page.tell(Event::Moved).unwrap().effects, [Effect::Continue]);
    let (whole, announced) = searched(&mut page, told);
    page.runs = Default::default();
    let told = page.tell(Event::Moved).unwrap();
    assert_eq!(searched(&mut page, told), (whole.clone(), announced));
    assert_eq!((whole.search, whole.answer.unwrap().verdict), (SearchLine::Over, Verdict::None));
    // One that is closed does not go on, and does once it is opened again.
    let mut page = OnPage::<Hang>::new("hang", &many(6));
    page.open("");
    assert!(page.tell(Event::Closed).unwrap().effects.is_empty());
    assert_eq!(page.tell(Event::Opened(String::new())).unwrap().effects, [Effect::Continue]);
}

#[test]
fn hang_says_that_the_table_has_changed() {
    let mut page = OnPage::<Hang>::on("hang", "spin-workers");
    let answered = opened(&mut page).0;
    let before = std::mem::replace(&mut page.scenario, blockstep_sim::examples::find("spin-cooperative").unwrap().json.to_owned());
    let told = page.tell(Event::Moved).unwrap();
    assert!(told.effects.is_empty(), "it asks nothing by itself");
    let stale = view(told);
    assert_eq!(stale.numbers.len(), 3, "the numbers are those of the table on screen");
    assert_eq!(
        stale.search,
        SearchLine::Stale("The table has changed. The answer below is about “A scheduler and its workers” as it was.".to_owned())
    );
    assert_eq!(stale.answer, answered.answer);
    // Back to what was asked about, as undo does it, or by the button.
    let (asked, ..) = shown(&mut page, Msg::OpenAsked);
    assert_eq!(asked, read_scenario(&before).unwrap());
    let kept = std::mem::replace(&mut page.scenario, before);
    assert_eq!(view(page.tell(Event::Moved).unwrap()), answered);
    // Another question takes its place.
    page.scenario = kept;
    let told = page.send(Msg::Search);
    assert_eq!(searched(&mut page, told).0.answer.unwrap().verdict, Verdict::None);
    // Beside a table of which nothing can be asked no answer stands.
    blockstep_sim::examples::find("tx2-table-1").unwrap().json.clone_into(&mut page.scenario);
    let shown = view(page.tell(Event::Moved).unwrap());
    assert!(matches!(shown.search, SearchLine::Refused(_)) && shown.answer.is_none());
    // A search that is under way stands still while another table is on screen.
    let mut page = OnPage::<Hang>::new("hang", &many(6));
    page.open("");
    let before = std::mem::replace(&mut page.scenario, many(5));
    let told = page.tell(Event::Continued).unwrap();
    assert!(told.effects.is_empty());
    assert_eq!(view(told).search, SearchLine::Idle);
    page.scenario = before;
    assert_eq!(page.tell(Event::Moved).unwrap().effects, [Effect::Continue]);
}

#[test]
fn hang_remembers_which_table_was_asked_about() {
    let mut page = OnPage::<Hang>::on("hang", "spin-workers");
    let answer = opened(&mut page).0.answer;
    assert!(page.memory.starts_with(r#"{"asked":""#) && !page.memory.contains("stopped"), "{}", page.memory);
    // Whoever follows a link to it gets the answer, too.
    let mut other = OnPage::<Hang>::on("hang", "spin-workers");
    other.memory.clone_from(&page.memory);
    let told = other.tell(Event::Moved).unwrap();
    assert_eq!(searched(&mut other, told).0.answer, answer);
    // Whatever a state holds, it is answered.
    for memory in ["asked=x&stopped=1", "=&&%%%", r#"{"asked":7}"#] {
        memory.clone_into(&mut other.memory);
        other.tell(Event::Continued).unwrap();
        memory.clone_into(&mut other.memory);
        other.send(Msg::OpenHang);
    }
}

/// However many kernels a table has, its numbers are there at once.
#[test]
fn hang_shows_the_numbers_of_a_large_table() {
    let mut page = OnPage::<Hang>::new("hang", &many(60));
    let shown = view(page.tell(Event::Moved).unwrap());
    assert_eq!((shown.numbers.len(), &*shown.more), (40, "and 20 more kernels"));
    assert!(shown.numbers.iter().all(|row| row.beside.is_empty()));
}
