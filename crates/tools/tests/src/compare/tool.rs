//! The tool: what it shows and asks the page for, as the page talks to it.

use std::sync::Arc;

use blockstep_format as format;
use blockstep_learn::compare::Lockstep;
use blockstep_protocol::Effect;
use blockstep_sim::examples;
use blockstep_sim::scenario::{Class, Draft, PolicyKind, TaskDraft};
use blockstep_sim::trace::Variants;
use blockstep_sim::units::{OpId, RowId, Time};
use blockstep_tools::compare::{
    Compare, CompareStanding, CompareWide, ComparedCell, ComparedOutcome, CurrentDifference, DifferenceStep, Msg, Pictured, RunKey, View,
};
use blockstep_tools::glossary::Glossary;
use blockstep_tools::runs::Runs;
use blockstep_tools::tool::{Event, Tool, memory};
use blockstep_view::position;

use crate::tool::{OnPage, Told};

type Page = OnPage<Compare>;

const FIFO: RunKey = RunKey::Policy(PolicyKind::Fifo);

fn page(draft: &Draft) -> Page {
    OnPage::new("compare", &format::write_scenario(draft))
}

fn example(id: &str) -> Page {
    page(&super::example(id))
}

fn view(told: Told<Compare>) -> View {
    told.view.expect("it is not hidden")
}

fn wide(view: &View) -> &CompareWide {
    view.wide.as_ref().expect("a run stands beside it")
}

/// The picture of the run at a place.
fn pictured(view: &View, run: usize) -> &Pictured {
    match &wide(view).runs[run].outcome {
        ComparedOutcome::Pictured(pictured) => pictured,
        ComparedOutcome::Impossible(why) => panic!("{why}"),
    }
}

#[test]
fn the_run_before_the_last_edit_comes_first_unless_the_reader_pinned_one() {
    let (before, mut after) = (super::example("tx2-table-1"), super::example("tx2-table-1"));
    after.kernels[0].blocks = 4;
    let word =
        |draft: &Draft| form_urlencoded::Serializer::new(String::new()).append_pair("before", &format::write_scenario(draft)).finish();
    let mut page = self::page(&after);
    let others = |page: &Page| Compare::remembered(&page.memory).others;
    page.open("policy=fifo");
    let view = page.open(&word(&before));
    assert_eq!(others(&page), [RunKey::Pinned, FIFO], "what was compared stays");
    assert!(matches!(&view.standing, Some(CompareStanding::Differs(_))), "{:?}", view.standing);
    // The next edit has another run before it.
    page.open(&word(&after));
    assert_eq!(others(&page), [RunKey::Pinned, FIFO]);
    assert_eq!(Compare::remembered(&page.memory).pin, format::write_scenario(&after));
    page.send(Msg::Pin);
    page.open(&word(&before));
    assert_eq!(Compare::remembered(&page.memory).pin, format::write_scenario(&after), "a pinned run stays");
}

/// What is said where the two runs agree.
fn between(view: &View) -> &str {
    match &view.standing {
        Some(CompareStanding::Differs(differing)) => match &differing.now {
            CurrentDifference::Between(sentence) => sentence,
            CurrentDifference::At { head, .. } => panic!("{head}"),
        },
        standing => panic!("{standing:?}"),
    }
}

/// The difference at which the reader stands.
fn head(view: &View) -> &str {
    match &view.standing {
        Some(CompareStanding::Differs(differing)) => match &differing.now {
            CurrentDifference::At { head, .. } => head,
            CurrentDifference::Between(sentence) => panic!("{sentence}"),
        },
        standing => panic!("{standing:?}"),
    }
}

/// The verdict on two runs that are the same, and the run that is offered instead.
fn same(view: &View) -> (&str, Option<RunKey>) {
    match &view.standing {
        Some(CompareStanding::Same { verdict, instead }) => (verdict, instead.as_ref().map(|named| named.other)),
        standing => panic!("{standing:?}"),
    }
}

fn reach(effects: &[Effect]) -> Option<Time> {
    effects.iter().find_map(|effect| if let Effect::ExtendTimeline(to) = effect { Some(*to) } else { None })
}

fn saved(effects: &[Effect]) -> (&str, &str, &str) {
    let file = effects.iter().find_map(|effect| match effect {
        Effect::SaveFile { name, kind, text } => Some((&**name, &**kind, &**text)),
        _ => None,
    });
    file.expect("a file is saved")
}

/// Goes where the page is sent, and tells the tool so; `None` if it is sent nowhere.
fn follow(page: &mut Page, effects: &[Effect]) -> Option<View> {
    let trace = super::made(&format::read_scenario(&page.scenario).unwrap()).run.trace;
    let (at, position) = effects.iter().find_map(|effect| match effect {
        Effect::GoToStep(position) => Some((position::time_at(&trace, *position), *position)),
        Effect::GoToTime(at) => Some((*at, position::at_time(&trace, *at))),
        _ => None,
    })?;
    (page.cursor.at, page.cursor.position) = (at, position);
    Some(page.moved())
}

#[test]
fn compare_opens_with_what_tells_most() {
    let mut page = example("tx2-table-4");
    let told = page.tell(Event::Opened(String::new())).unwrap();
    assert_eq!(page.memory, r#"{"run":["policy=fifo"]}"#);
    // Both runs end at 4 s, so the page's timeline need not be longer.
    assert_eq!(told.effects, [Effect::ExtendTimeline(Time::ZERO)]);
    let view = view(told);
    assert_eq!(between(&view), "The runs agree so far. They differ at 7 instants; the first is at 300 ms.");
    assert_eq!(wide(&view).runs.iter().map(|run| &*run.heading).collect::<Vec<_>>(), ["Policy: FIFO"]);
    let svg = &pictured(&view, 0).svg;
    assert!(svg.starts_with("<svg") && roxmltree::Document::parse(svg).is_ok(), "{svg}");
    // Under FIFO the other way round.
    let mut fifo = self::page(&super::under(&super::example("tx2-table-4"), PolicyKind::Fifo));
    fifo.open("");
    assert_eq!(fifo.memory, r#"{"run":["policy=priority"]}"#);
    // With processes: the runlist; where it makes no difference, something that does.
    let mut processes = example("tx2-fig-9-processes");
    processes.open("");
    assert_eq!(processes.memory, r#"{"run":["policy=priority"]}"#);
}

/// Whatever the example, the run that is chosen differs; Table 1 is the same under all policies, so it is another device.
#[test]
fn compare_opens_every_example_with_a_run_that_differs() {
    for example in examples::all() {
        let mut page = OnPage::<Compare>::on("compare", example.id);
        let view = page.open("");
        assert!(matches!(&view.standing, Some(CompareStanding::Differs(_))), "{}: {} {:?}", example.id, page.memory, view.standing);
    }
    let mut page = example("tx2-table-1");
    page.open("");
    assert!(page.memory.contains(r#""run":["device="#), "{}", page.memory);
    // A run in which nothing can differ says so.
    let mut draft = super::example("tx2-table-1");
    draft.kernels.clear();
    let mut page = self::page(&draft);
    let view = page.open("");
    let (verdict, instead) = same(&view);
    assert!(
        instead.is_none() && verdict.ends_with("None of the other policies, devices and rules that were tried gives another run."),
        "{verdict}"
    );
}

/// Nobody is left with two pictures that are the same.
#[test]
fn compare_says_why_two_runs_are_the_same_and_offers_another() {
    let mut page = example("tx2-table-1");
    let view = page.open("policy=fifo");
    let why = "No stream here has high priority, so FIFO and priority give the same run.";
    let (verdict, instead) = same(&view);
    assert_eq!(verdict, format!("The two runs are the same at every instant. {why}"));
    let instead = instead.expect("there is one that differs");
    assert!(matches!(instead, RunKey::Device(_)), "{instead:?}");
    // It is not looked for again.
    let known = page.memory.clone();
    page.moved();
    assert_eq!(page.memory, known);
    let view = self::view(page.edit(|state| state.replace(instead)));
    assert!(matches!(view.standing, Some(CompareStanding::Differs(_))), "{:?}", view.standing);
    assert_eq!(view.beside.iter().map(|named| named.other).collect::<Vec<_>>(), [instead]);
    // Another policy goes before a changed rule.
    let mut page = example("tx2-fig-9-processes");
    let view = page.open("device=tx2");
    if let Some(CompareStanding::Same { instead: Some(named), .. }) = &view.standing {
        assert!(matches!(named.other, RunKey::Policy(_)), "{named:?}");
    }
    // High priorities there are, but they change nothing: no reason is made up.
    let mut draft = super::example("tx2-table-4");
    draft.kernels.truncate(1);
    for stream in &mut draft.streams {
        stream.priority = blockstep_sim::scenario::StreamPriority::High;
    }
    draft.kernels[0].stream = draft.streams[0].name.clone();
    let view = self::page(&draft).open("policy=fifo");
    assert!(matches!(view.standing, Some(CompareStanding::Differs(_))), "{:?}", view.standing);
}

#[test]
fn compare_goes_from_difference_to_difference() {
    let mut page = example("tx2-table-4");
    page.open("policy=fifo");
    let mut told = page.send(Msg::Go(DifferenceStep::First));
    let mut heads = Vec::new();
    for _ in 0..10 {
        assert!(matches!(&told.effects[1..], [Effect::Announce(text)] if text.starts_with("Difference ")), "{:?}", told.effects);
        // What is shown at once is of the place gone to.
        let gone = view(Told { view: told.view.take(), effects: Vec::new() });
        let view = follow(&mut page, &told.effects).expect("the page goes there");
        assert_eq!(head(&gone), head(&view));
        heads.push(head(&view).to_owned());
        told = page.send(Msg::Go(DifferenceStep::Next));
        if let [Effect::Announce(text)] = &told.effects[..] {
            assert_eq!(text, "There is no later difference.");
            break;
        }
    }
    let at = ["300 ms", "500 ms", "1 s", "1.5 s", "2 s", "2.5 s", "3 s"];
    let expected: Vec<String> = at.iter().enumerate().map(|(i, at)| format!("Difference {} of 7, at {at}", i + 1)).collect();
    assert_eq!(heads, expected);
    let Some(CompareStanding::Differs(last)) = view(told).standing else { panic!("they differ") };
    assert!(last.has_previous && !last.has_next && last.first.is_empty(), "{last:?}");
    // Back again.
    for i in (0..6).rev() {
        let told = page.send(Msg::Go(DifferenceStep::Previous));
        let view = follow(&mut page, &told.effects).unwrap();
        assert_eq!(head(&view), heads[i]);
    }
    let told = page.send(Msg::Go(DifferenceStep::Previous));
    assert_eq!(told.effects, [Effect::Announce("There is no earlier difference.".to_owned())]);
    let Some(CompareStanding::Differs(first)) = view(told).standing else { panic!("they differ") };
    assert!(!first.has_previous && first.has_next && first.first.len() == 2, "{first:?}");
}

/// [EDF] gives deadlines to real-time tasks alone; FIFO makes one program of the processes, which pays no switch.
#[test]
fn compare_counts_misses_by_class_and_says_what_else_changed() {
    let mut page = example("edf-vi-a-cbs");
    let view = page.open("policy=fifo");
    let runs = &wide(&view).tables[0];
    assert_eq!(runs.columns, ["Run", "Real-time misses", "Best-effort jobs late", "Last end", "Threads in use", "Differs at"]);
    let tasks = &wide(&view).tables[1];
    assert_eq!((tasks.caption.as_str(), &tasks.columns[2..4]), ("Tasks", &["Deadlines missed", "Largest response"].map(str::to_owned)[..]));
    let processes = format::read_scenario(&page.scenario).unwrap().processes.len();
    let merged = format!("FIFO treats the {processes} processes as one program: no switches, no switch cost.");
    assert_eq!(runs.more.as_deref(), Some(&*merged));
    let jobs = super::made(&super::example("edf-vi-a-cbs"));
    let late = |class| {
        let of_class = jobs.records.jobs.iter().filter(|job| jobs.run.trace.scenario().task(job.task).class == class);
        ComparedCell::Value(of_class.filter(|job| job.met == Some(false)).count().to_string(), None)
    };
    let cells = &runs.groups[0].rows[0].cells;
    assert_eq!([&cells[0], &cells[1]], [&late(Class::RealTime), &late(Class::BestEffort)]);
    let told = page.send(Msg::SaveTables);
    let csv = saved(&told.effects).2.to_owned();
    assert!(csv.lines().next().unwrap().ends_with(",missed,missed_difference,best_effort_late,best_effort_late_difference"), "{csv}");
    let gears = csv.lines().find(|line| line.starts_with("task,gears,")).unwrap();
    assert_eq!(gears.split(',').rev().nth(3), Some(""), "it cannot miss a deadline: {gears}");
    // Where nobody is of best effort, there is no column of it.
    let view = example("tx2-table-4").open("policy=fifo");
    assert_eq!(wide(&view).tables[0].columns, ["Run", "Real-time misses", "Last end", "Threads in use", "Differs at"]);
    assert_eq!(wide(&view).tables[0].more, None);
}

/// On the same device the pictures are the same size as the page's timeline; on a larger one, more lanes of the same height.
#[test]
fn compare_draws_lanes_as_high_as_those_of_the_page() {
    let mut page = example("tx2-table-1");
    page.screen.timeline_px = 231;
    let view = page.open("policy=priority&device=gtx1070");
    let height = |run: usize| {
        let svg = &pictured(&view, run).svg;
        svg.split_once("height=\"").and_then(|(_, rest)| rest.split_once('"')?.0.parse::<f64>().ok()).unwrap()
    };
    assert_eq!(height(0), 231.0);
    assert!(height(1) > 2.0 * height(0), "{}", height(1));
}

#[test]
fn compare_marks_changed_rules_everywhere() {
    let mut page = example("tx2-table-4");
    let view = page.open("variant=work-conserving,last-fit&device=tx1");
    let heading = "Rules changed: X1 work-conserving; Last-fit placement";
    let changed = wide(&view).runs.iter().find(|run| run.heading == heading).unwrap();
    assert!(changed.changed.as_ref().is_some_and(|text| text.starts_with("Not what a GPU does. ")), "{changed:?}");
    let device = wide(&view).runs.iter().find(|run| run.heading == "On the Jetson TX1").unwrap();
    assert_eq!(device.changed, None);
    for table in &wide(&view).tables {
        for row in table.groups.iter().flat_map(|group| &group.rows) {
            assert_eq!(row.is_changed, row.run == heading, "{}: {row:?}", table.caption);
        }
    }
    assert_eq!(view.beside.iter().map(|named| named.is_changed).collect::<Vec<_>>(), [false, true]);
    let told = page.send(Msg::SaveTables);
    let (name, kind, csv) = saved(&told.effects);
    assert_eq!((name, kind), ("comparison-varied.csv", "text/csv"));
    let of_variant: Vec<&str> = csv.lines().filter(|line| line.contains("Rules changed")).collect();
    assert!(!of_variant.is_empty() && of_variant.iter().all(|line| line.contains("\"work-conserving, last-fit\"")), "{csv}");
    let columns = |line: &str| line.replace("work-conserving, last-fit", "").split(',').count();
    assert!(csv.lines().skip(1).all(|line| columns(line) == columns(csv.lines().nth(1).unwrap())), "{csv}");
    let told = page.send(Msg::SaveFigure);
    let (name, kind, figure) = saved(&told.effects);
    assert_eq!((name, kind), ("comparison-varied.svg", "image/svg+xml"));
    assert!(figure.starts_with("<svg") && figure.contains(heading), "{}", &figure[..200]);
    // Without it the files are named as ever.
    page.edit(|state| state.toggle(changed.other));
    assert_eq!(saved(&page.send(Msg::SaveTables).effects).0, "comparison.csv");
}

#[test]
fn compare_sets_an_edit_beside_what_was_before() {
    let mut page = example("tx2-table-4");
    assert_eq!(same(&page.open("pin")).0, "The two runs are the same at every instant.");
    let mut edited = super::example("tx2-table-4");
    edited.kernels[0].blocks = 80;
    edited.kernels[0].name = "<i>K\"1</i>".to_owned();
    let before = std::mem::replace(&mut page.scenario, format::write_scenario(&edited));
    let view = page.moved();
    assert_eq!(wide(&view).runs[0].heading, "Before the edit");
    let operations = &wide(&view).tables[2];
    let heads: Vec<&str> = operations.groups.iter().map(|group| &*group.head.as_ref().unwrap().name).collect();
    assert!(heads.contains(&"<i>K\"1</i>") && heads.contains(&"K1"), "{heads:?}");
    let cells: Vec<&ComparedCell> = operations.groups.iter().flat_map(|group| &group.rows).flat_map(|row| &row.cells).collect();
    assert!(cells.contains(&&ComparedCell::Words("not in this run".to_owned(), 5)), "{cells:?}");
    assert!(!pictured(&view, 0).svg.contains("<i>"), "names are escaped in pictures");
    assert_eq!(pictured(&view, 0).queues, None);
    let view = self::view(page.edit(|state| state.toggle_queues(RunKey::Pinned)));
    assert!(pictured(&view, 0).queues.is_some());
    // The longer run on screen is now the shorter one: the page's timeline is asked to reach further.
    let told = page.send(Msg::Pin);
    assert!(
        matches!(&told.effects[..], [Effect::Announce(text)] if text.starts_with("The run on screen is pinned.")),
        "{:?}",
        told.effects
    );
    page.scenario = before;
    let told = page.tell(Event::Moved).unwrap();
    assert!(reach(&told.effects).unwrap().ns() > 4_000_000_000);
    assert_eq!(page.tell(Event::Moved).unwrap().effects, []);
    assert_eq!(page.tell(Event::Closed).unwrap().effects, [Effect::ExtendTimeline(Time::ZERO)]);
}

#[test]
fn compare_says_what_cannot_be_run() {
    let mut draft = super::example("tx2-table-4");
    let mut task = TaskDraft::named("T");
    task.class = Some(blockstep_sim::scenario::Class::RealTime);
    draft.tasks.push(task);
    let mut page = self::page(&draft);
    let view = page.open("policy=edf&policy=fifo");
    let ComparedOutcome::Impossible(why) = &wide(&view).runs[0].outcome else { panic!("EDF needs a deadline") };
    assert!(why.starts_with("This run cannot be simulated:") && why.contains("deadline"), "{why}");
    assert_eq!((view.standing, view.with), (Some(CompareStanding::Impossible), Some(RunKey::Policy(PolicyKind::Edf))));
    let view = self::view(page.edit(|state| state.with = Some(FIFO)));
    assert!(between(&view).contains("They differ at 7 instants"));
    assert_eq!(view.with, Some(FIFO));
    // At most four.
    let view = page.open("policy=edf&policy=fifo&device=tx1&device=k5000&device=titanv&variant=last-fit");
    assert_eq!(memory::fields(&page.memory)["run"].as_array().map(Vec::len), Some(4));
    let choices = &view.choices;
    assert!(choices.is_full && !choices.pin.is_possible && choices.pin.note.is_some());
    let offered: Vec<_> = choices.policies.iter().chain(&choices.devices).collect();
    assert!(offered.iter().all(|toggle| toggle.is_disabled != toggle.is_on), "{offered:?}");
    assert_eq!(offered.iter().filter(|toggle| toggle.is_on).count(), 4);
    // Words of no run are passed over; then there is what tells most.
    let mut page = example("tx2-table-4");
    page.open("policy=none&device=x&variant=");
    assert_eq!(page.memory, r#"{"run":["policy=fifo"]}"#);
}

#[test]
fn compare_clicks_in_other_runs_select_on_screen() {
    let mut page = example("tx2-table-4");
    // At 2.2 s K2 runs under priority, and K3 under FIFO.
    let trace = super::made(&super::example("tx2-table-4")).run.trace;
    page.cursor.at = Time(2_200_000_000);
    page.cursor.position = position::at_time(&trace, page.cursor.at);
    page.open("policy=fifo");
    let view = view(page.edit(|state| state.toggle_queues(FIFO)));
    let queues = pictured(&view, 0).queues.as_ref().unwrap();
    let space = &queues.view.spaces[0];
    let blocks: Vec<_> = space.sms.iter().flat_map(|sm| &sm.blocks).collect();
    assert!(blocks.iter().any(|group| group.label.starts_with("K3")), "{blocks:?}");
    let name = |op: OpId| trace.op_name(queues.on_screen[&op]);
    for group in blocks {
        assert!(group.label.starts_with(&format!("{}:", name(group.op))), "{group:?}");
    }
    let queued = space.streams.iter().map(|s| &s.items).chain(space.ee.iter().chain(&space.ce).map(|q| &q.items)).flatten();
    let items: Vec<_> = queued.collect();
    assert!(!items.is_empty());
    for item in items {
        assert_eq!(item.label, name(item.op));
    }
}

/// The rectangles and texts of a picture.
fn drawn(svg: &str) -> &str {
    svg.split("</desc>").nth(1).unwrap().split("</svg>").next().unwrap()
}

#[test]
fn compare_draws_in_line_with_the_page() {
    use blockstep_view::time_scale::TimeScale;
    let mut draft = super::example("tx2-table-4");
    // The page shows what happens, not all of the time that is simulated.
    draft.horizon_ns = Some(9_000_000_000);
    let mut page = page(&draft);
    let run = super::made(&draft);
    let timeline = blockstep_view::timeline::Timeline::new(&run.run.trace, &Arc::new(run.records.clone()));
    (page.screen.end, page.screen.left_px, page.screen.plot_px) = (timeline.end(), 84, 700);
    (page.cursor.at, page.cursor.position) = (Time(1_200_000_000), 30);
    let view = page.open("policy=priority");
    let whole = TimeScale::fit(timeline.end(), 84.0, 700.0);
    let picture = |scale: &TimeScale| {
        let frame = timeline.frame(scale, timeline.natural_height_px(false), Some(Time(1_200_000_000)), None);
        blockstep_draw::stacked(&[("", &frame)], "", "", false)
    };
    assert_eq!(drawn(&pictured(&view, 0).svg), drawn(&picture(&whole)));
    page.screen.shown = Some((1_000_000_000, 2_000_000_000));
    let part = whole.showing((1_000_000_000, 2_000_000_000), timeline.end());
    assert_eq!(drawn(&pictured(&page.moved(), 0).svg), drawn(&picture(&part)));
}

#[test]
fn compare_keeps_the_colours_of_the_run_on_screen() {
    let mut page = example("tx2-table-4");
    page.open("pin");
    let mut edited = super::example("tx2-table-4");
    let mut first = edited.kernels[0].clone();
    first.name = "New".to_owned();
    edited.kernels.insert(0, first);
    page.scenario = format::write_scenario(&edited);
    (page.cursor.at, page.cursor.position) = (Time(1_000_000_000), 20);
    let view = view(page.edit(|state| state.toggle_queues(RunKey::Pinned)));
    // K1 is the second row now, so it is orange in the picture and in the queues of the run before, too.
    let queues = pictured(&view, 0).queues.as_ref().unwrap();
    let space = &queues.view.spaces[0];
    let k1 = space.streams.iter().flat_map(|stream| &stream.items).find(|item| item.label == "K1").unwrap();
    assert_eq!(k1.row, RowId(1));
    let svg = &pictured(&view, 0).svg;
    assert!(svg.contains("fill=\"#E69F00\"") && !drawn(svg).contains("fill=\"#0072B2\""), "{svg}");
}

#[test]
fn every_example_can_be_set_beside_everything() {
    for example in examples::all() {
        let mut page = self::example(example.id);
        for word in [
            "",
            "policy=fifo&policy=runlist&policy=edf&policy=priority",
            "device=titanv&device=tx1",
            "variant=no-null-barrier&variant=work-conserving",
            "pin",
        ] {
            page.open(word);
            let first = page.send(Msg::Go(DifferenceStep::First)).effects;
            follow(&mut page, &first);
            page.edit(|state| state.by = Lockstep::Decision);
            let next = page.send(Msg::Go(DifferenceStep::Next)).effects;
            let view = follow(&mut page, &next).unwrap_or_else(|| page.moved());
            for run in &wide(&view).runs {
                match &run.outcome {
                    ComparedOutcome::Pictured(made) => assert!(roxmltree::Document::parse(&made.svg).is_ok(), "{} {word}", example.id),
                    ComparedOutcome::Impossible(why) => {
                        assert!(why.len() > "This run cannot be simulated: ".len(), "{} {word}", example.id)
                    }
                }
            }
        }
    }
}

/// What was remembered by version 1 is read, and written as it was.
#[test]
fn compare_remembers_what_links_hold() {
    let mut page = example("tx2-table-4");
    page.open("policy=fifo");
    assert_eq!(page.memory, r#"{"run":["policy=fifo"],"with":"policy=fifo"}"#);
    page.edit(|state| state.toggle_queues(FIFO));
    page.edit(|state| state.by = Lockstep::Decision);
    let rules: RunKey = "variant=work-conserving".parse().unwrap();
    page.edit(|state| state.toggle(rules));
    // That run is the same as the one on screen, so it is remembered which is not.
    let known = page.memory.clone();
    let mut fields = memory::fields(&known);
    assert!(fields.remove("instead_of").is_some());
    let run = ["policy=fifo", "variant=work-conserving"];
    let held = serde_json::json!({ "by": "decision", "instead": run[0], "queues": [run[0]], "run": run, "with": run[1] });
    assert_eq!(serde_json::Value::Object(fields), held);
    let mut other = example("tx2-table-4");
    other.memory = known.replacen(r#""run":["#, r#""run":["policy=none","#, 1);
    let view = other.moved();
    assert_eq!((other.memory, view.with), (known, Some(rules)));
    assert!(pictured(&view, 0).queues.is_some());
}

/// What it was opened with while a question was open counts once that is answered.
#[test]
fn compare_is_hidden_while_a_question_is_open() {
    let mut page = example("tx2-table-1").at(12);
    page.screen.is_future_hidden = true;
    for event in
        [Event::Opened("policy=edf".to_owned()), Event::Moved, Event::Message(Msg::Go(DifferenceStep::Next)), Event::Message(Msg::Pin)]
    {
        let told = page.tell(event).unwrap();
        assert!(told.view.is_none() && told.effects.is_empty());
    }
    page.screen.is_future_hidden = false;
    let view = page.moved();
    assert_eq!(view.beside.iter().map(|named| &*named.heading).collect::<Vec<_>>(), ["Policy: EDF"]);
    assert!(page.memory.contains("policy") && !page.memory.contains("veiled"), "{}", page.memory);
    page.screen.is_future_hidden = true;
    let told = page.tell(Event::Closed).unwrap();
    assert!(told.view.is_none(), "it can be closed");
    assert_eq!(told.effects, [Effect::ExtendTimeline(Time::ZERO)]);
    // A word that is a scenario's outlives it, too.
    let pinned = format!("pin={}", blockstep_format::percent::encode_query(&page.scenario));
    page.tell(Event::Opened(pinned)).unwrap();
    page.screen.is_future_hidden = false;
    assert_eq!(same(&page.moved()).0, "The two runs are the same at every instant.");
}

/// Both runs stay, however long they are together: a step of the reader's simulates nothing and compares nothing anew.
#[test]
fn compare_keeps_both_runs_as_long_as_it_shows_them() {
    let mut page = example("tx2-table-4");
    // Each of the two runs is longer.
    page.runs = Runs::with_room(10);
    page.open("policy=fifo");
    let fifo = format::write_scenario(&super::under(&super::example("tx2-table-4"), PolicyKind::Fifo));
    let scenario = page.scenario.clone();
    let known = |runs: &mut Runs| {
        let (a, b) = (runs.get(&scenario, Variants::NONE).unwrap(), runs.beside(&fifo, Variants::NONE).unwrap());
        assert!(a.run.trace.steps().len() > 10 && b.run.trace.steps().len() > 10);
        let (timelines, differences) = ([runs.timeline(&a), runs.timeline(&b)].map(|of| Arc::as_ptr(&of)), runs.differences(&a, &b));
        ([Arc::as_ptr(&a.run.trace), Arc::as_ptr(&b.run.trace)], timelines, Arc::as_ptr(&differences))
    };
    let before = known(&mut page.runs);
    for position in 1..4 {
        page.go(position);
        page.moved();
        assert_eq!(known(&mut page.runs), before);
        // Another tool, which asks for the run on screen alone, changes nothing.
        let mut other = OnPage::<Glossary>::new("glossary", &scenario);
        other.runs = std::mem::take(&mut page.runs);
        other.moved();
        page.runs = other.runs;
        assert_eq!(known(&mut page.runs), before);
    }
    // Once nobody shows it, it goes, and what is derived from it, too.
    let gone = Arc::downgrade(&page.runs.beside(&fifo, Variants::NONE).unwrap().run.trace);
    page.tell(Event::Closed).unwrap();
    let mut other = OnPage::<Glossary>::new("glossary", &scenario);
    other.runs = std::mem::take(&mut page.runs);
    other.moved();
    assert!(gone.upgrade().is_none());
}
