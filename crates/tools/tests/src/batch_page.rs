//! The page of application-level schedulers: what it shows, what it takes, what it keeps.

mod helps;
mod keeps;
mod pictures;

use blockstep_batch::arch::ArchId;
use blockstep_batch::methods::Method;
use blockstep_protocol::{Ask, Effect, Message, OpenFile, Opened, Reply};
use blockstep_tools::batch::{
    Batch, BatchPicture, BatchView, Body, CompareView, ComparisonView, Drawing, Msg, Saved, SceneView, Section, ShownComparison, Source,
    Tab, TaskColumn, View, WorkloadChange, WorkloadView,
};
use blockstep_tools::tool::Event;
use blockstep_view::batch::timeline::{self, BatchTimeline};
use blockstep_view::batch::{PictureSpot, SpotShape};
use blockstep_view::panels::GridCell;
use blockstep_view::quantity::format_time;
use blockstep_worker::Worker;

use crate::tool::{OnPage, Told};

/// The page, as the reader has it.
struct Page {
    page: OnPage<Batch>,
    view: View,
    effects: Vec<Effect>,
}

impl Page {
    fn new() -> Self {
        Self::wide(1100, false)
    }

    fn wide(width_px: u32, is_dark: bool) -> Self {
        let mut page = OnPage::<Batch>::on("batch", "tx2-table-1");
        (page.screen.width_px, page.screen.is_dark) = (width_px, is_dark);
        let view = page.open("");
        Self { page, view, effects: Vec::new() }
    }

    /// Opened with the words of a link.
    fn at(word: &str) -> Self {
        let mut page = Self::new();
        page.tell(Event::Opened(word.to_owned()));
        page
    }

    fn tell(&mut self, event: Event<Msg>) {
        let Told { view, effects } = self.page.tell(event).unwrap();
        (self.view, self.effects) = (view.unwrap(), effects);
    }

    fn send(&mut self, message: Msg) {
        self.tell(Event::Message(message));
    }

    fn memory(&self) -> &str {
        &self.page.memory
    }

    /// What is said to screen readers.
    fn said(&self) -> &str {
        self.effects.iter().find_map(|effect| if let Effect::Announce(text) = effect { Some(&**text) } else { None }).unwrap_or_default()
    }

    /// What is saved: name, kind, text.
    fn saved(&mut self, what: Saved) -> (String, String, String) {
        self.send(Msg::Save(what));
        match &self.effects[..] {
            [Effect::SaveFile { name, kind, text }] => (name.clone(), kind.clone(), text.clone()),
            other => panic!("{other:?}"),
        }
    }

    fn scene(&self) -> &SceneView {
        match &self.view.body {
            Body::Step(step) => match &step.batch {
                BatchView::Shown(scene) => scene,
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }

    fn compared(&self) -> (&CompareView, &ShownComparison) {
        match &self.view.body {
            Body::All(all) => match &all.comparison {
                ComparisonView::Shown(shown) => (all, shown),
                other => panic!("{other:?}"),
            },
            other => panic!("{other:?}"),
        }
    }

    fn workload(&self) -> &WorkloadView {
        if let Body::Workload(own) = &self.view.body { own } else { panic!("{:?}", self.view.body) }
    }

    /// What stands in a cell of the table.
    fn cell(&self, row: usize, column: TaskColumn) -> &GridCell {
        let place = TaskColumn::ALL.iter().position(|of| *of == column).unwrap();
        &self.workload().rows[row].cells[place]
    }

    /// What is wrong with the workload, whatever tab is open.
    fn wrong(&self) -> &[String] {
        match &self.view.body {
            Body::Step(step) => match &step.batch {
                BatchView::Wrong(problems) => &problems.0,
                _ => &[],
            },
            Body::All(all) => match &all.comparison {
                ComparisonView::Wrong(problems) => &problems.0,
                _ => &[],
            },
            Body::Workload(own) => &own.problems.0,
            Body::Paper(_) => &[],
        }
    }

    /// What ran in a batch, where its steps are in sight.
    fn timeline(&self) -> Option<&BatchTimeline> {
        match &self.view.body {
            Body::Step(step) => match &step.batch {
                BatchView::Shown(scene) => Some(&scene.timeline),
                _ => None,
            },
            _ => None,
        }
    }

    fn drawings(&self) -> Vec<&Drawing> {
        match &self.view.body {
            Body::Step(step) => match &step.batch {
                BatchView::Shown(scene) => vec![&scene.queues],
                _ => Vec::new(),
            },
            Body::All(all) => match &all.comparison {
                ComparisonView::Shown(shown) => {
                    shown.schedulers.iter().filter_map(|one| one.outcome.as_ref().ok()).map(|score| &score.timeline).collect()
                }
                _ => Vec::new(),
            },
            Body::Paper(_) | Body::Workload(_) => Vec::new(),
        }
    }
}

fn cell(row: usize, column: TaskColumn, text: &str) -> Msg {
    Msg::SetCell { row, column, text: text.to_owned() }
}

fn case(name: &str) -> Source {
    let source = Source::from_word(name);
    assert_eq!(source.word(), name);
    source
}

/// So many steps on, or back.
fn beside(page: &Page, by: isize) -> Msg {
    Msg::GoTo(page.scene().place.at.saturating_add_signed(by))
}

/// To the last step.
const LAST: Msg = Msg::GoTo(usize::MAX);

fn on(method: Method) -> Msg {
    Msg::Apply(WorkloadChange { on: vec![method], ..WorkloadChange::default() })
}

fn off(method: Method) -> Msg {
    Msg::Apply(WorkloadChange { off: vec![method], ..WorkloadChange::default() })
}

/// How many lines of the queues are of that kind.
fn lines(scene: &SceneView, kind: &str) -> usize {
    scene.queues.spots.iter().filter(|spot| matches!(spot.shape, SpotShape::Line(_)) && spot.text == kind).count()
}

const STATES: [&str; 12] = [
    "",
    "from=tables&off=none",
    "from=tables&tab=all",
    "from=Case-1&by=GPUAtomics&at=30",
    "from=Case-2&by=GPUAtomics",
    "from=Case-5&by=CPUConcurrent&open=as-tables",
    "from=Case-1+on+TX1&off=no-stop-events",
    "from=Case-2&tab=all&open=family+figures",
    "from=Case-4&tab=all&span=all",
    "from=Case-2&tab=paper&open=assumed+fermi",
    "from=Case-2&tab=tasks&open=costs",
    "from=own&until=x&task=name%3D",
];

/// What can be pointed at has words, and lies in a picture of that size, px.
fn check_spots(spots: &[PictureSpot], (w, h): (f64, f64), of: &str) {
    let inside = |x: f64, y: f64| (-0.01..=w + 0.01).contains(&x) && (-0.01..=h + 0.01).contains(&y);
    for spot in spots {
        assert!(!spot.text.is_empty());
        let is_inside = match &spot.shape {
            SpotShape::Area([x0, y0, x1, y1]) => x0 < x1 && y0 < y1 && inside(*x0, *y0) && inside(*x1, *y1),
            SpotShape::Line(points) => points.len() > 1 && points.iter().all(|&(x, y)| inside(x, y)),
        };
        assert!(is_inside, "{of}: {spot:?} in {w} by {h}");
    }
}

#[test]
fn batch_page_every_picture_is_well_formed_and_has_words() {
    let mut seen = 0;
    for state in STATES {
        for width in [340, 1000, 1400] {
            let mut page = Page::wide(width, true);
            page.tell(Event::Opened(state.to_owned()));
            for drawing in page.drawings() {
                seen += 1;
                let tree = roxmltree::Document::parse(&drawing.svg).unwrap();
                assert_eq!(tree.root_element().attribute("role"), Some("img"));
                let (w, _) = drawing.size_px;
                assert_eq!(tree.root_element().attribute("width"), Some(&*w.ceil().to_string()), "{state}");
                let may_be_empty = drawing.label.starts_with("Hardware queues") && page.scene().place.at == 0;
                assert!(!drawing.label.is_empty() && (!drawing.spots.is_empty() || may_be_empty), "{state}: {}", drawing.label);
                check_spots(&drawing.spots, drawing.size_px, &format!("{state} at {width} px"));
            }
            let Some(timeline) = page.timeline() else { continue };
            seen += 1;
            let frame = timeline.frame(&timeline::fit(timeline.end, f64::from(width)), None);
            let spots = timeline.spots(&frame);
            assert!(!spots.is_empty(), "{state}");
            check_spots(&spots, (frame.width_px, frame.height_px), &format!("timeline of {state} at {width} px"));
            let (_, _, svg) = page.saved(Saved::Svg(BatchPicture::Timeline));
            assert!(roxmltree::Document::parse(&svg).is_ok(), "{state}: {svg}");
        }
    }
    assert!(seen >= 60, "{seen}");
}

/// What rows and chips are told apart by on the page.
#[test]
fn batch_page_what_can_be_pressed_has_words_of_its_own() {
    for state in STATES {
        let page = Page::at(state);
        let Body::Step(step) = &page.view.body else { continue };
        let methods = match &step.batch {
            BatchView::Shown(scene) => {
                assert!(scene.commands.is_sorted_by(|a, b| a.at < b.at), "{state}");
                assert!(scene.commands.iter().all(|command| !command.label.is_empty() && command.title.contains(": ")));
                assert!(scene.holds.iter().filter_map(|hold| hold.help.as_ref()).all(|help| help.title.contains(' ')), "{state}");
                &scene.methods
            }
            BatchView::Refused { why, methods } => {
                assert!(why.contains(" cannot run this: "), "{why}");
                methods
            }
            BatchView::Wrong(problems) => {
                assert!(!problems.0.is_empty());
                continue;
            }
        };
        let mut words: Vec<&str> = methods.methods.iter().map(|of| of.method.word()).collect();
        words.dedup();
        assert!(!words.is_empty() && words.len() == methods.methods.len(), "{state}");
        let titles = step.choices.sources.iter().filter(|(source, title)| *source == step.choices.source && !title.is_empty());
        assert_eq!(titles.count(), 1, "{state}");
    }
}

#[test]
fn batch_page_state_is_kept() {
    for state in STATES {
        let page = Page::at(state);
        let mut again = Page::at(page.memory());
        again.tell(Event::Moved);
        assert_eq!((again.memory(), &again.view), (page.memory(), &page.view), "{state}");
    }
    // As links of version 1 have it.
    let page =
        Page::at("tab=all&from=Case-1+on+TX1&off=no-polling+dummy-events&by=CPUOrder&poll_ns=7&span=all&open=family&at=3&run=1&gpu=tx1");
    let kept = r#"{"at":3,"by":"CPUOrder","from":"Case-1 on TX1","off":"dummy-events no-polling","open":"family","poll_ns":"7","run":1,"span":"all","tab":"all"}"#;
    assert_eq!(page.memory(), kept);
    assert_eq!(Page::new().memory(), "");
    // What is not known is as if it were not there.
    assert_eq!(
        Page::at("from=Case-9&tab=x&gpu=y&by=z&off=q&at=-1&run=k&open=none+costs&span=no").memory(),
        r#"{"off":"none","open":"costs"}"#
    );
}

#[test]
fn batch_page_the_false_dependency_comes_and_goes_with_the_switch() {
    let mut page = Page::new();
    assert_eq!(lines(page.scene(), "false dependency"), 1, "one thick line");
    let [hold] = &page.scene().holds[..] else { panic!("{:?}", page.scene().holds) };
    assert!(hold.why.contains("s1_Kexe_t1 could run, but it follows s1_start_Kexe_t1"), "{}", hold.why);
    assert_eq!(hold.title, "False dependency, 1 ms to 5 ms");
    assert!(!page.scene().can_drop);
    page.send(on(Method::SetEventQueue));
    assert_eq!(lines(page.scene(), "false dependency"), 0);
    assert!(page.scene().holds.is_empty() && page.scene().can_drop);
    assert!(page.scene().commands.iter().any(|command| command.label == "s3_W_s1_stop_HDcpy_t1"));
    assert_eq!(lines(page.scene(), "true dependency"), 1, "the wait");
    page.send(LAST);
    assert!(page.scene().place.sentence.starts_with("5 ms: "), "{}", page.scene().place.sentence);
    page.send(off(Method::SetEventQueue));
    page.send(LAST);
    assert!(page.scene().place.sentence.starts_with("7 ms: "), "{}", page.scene().place.sentence);
    // On a GPU with a queue for each stream there is none either way.
    page.send(Msg::SetGpu(ArchId::Kepler));
    assert!(page.scene().holds.is_empty());
}

#[test]
fn batch_page_each_step_has_its_sentence() {
    for state in
        ["from=tables", "from=Case-1&by=GPUAtomics", "from=Case-1&by=GPUSynchronize", "from=Case-2&by=CPUOrder", "from=Case-1+on+TX1"]
    {
        let mut page = Page::at(state);
        page.send(Msg::GoTo(0));
        let place = page.scene().place.clone();
        assert_eq!((place.at, &*place.sentence, place.rule), (0, "Nothing is issued yet.", None), "{state}");
        assert!(place.times.is_sorted() && place.times.last() <= Some(&page.scene().timeline.end), "{state}");
        for step in 1..=place.times.len() {
            let before = page.scene().place.sentence.clone();
            page.send(beside(&page, 1));
            let now = &page.scene().place;
            let when = format_time(place.times[step - 1].ns());
            assert!(now.sentence.starts_with(&format!("{when}: ")) && now.sentence.ends_with('.'), "{}", now.sentence);
            assert!(now.rule.is_some() && now.at == step && now.sentence != before, "{}", now.sentence);
        }
        page.send(beside(&page, 1));
        assert_eq!(page.scene().place.at, place.times.len(), "{state}: no further than the last");
        page.send(LAST);
        assert_eq!(page.scene().place.at, place.times.len(), "{state}");
    }
}

#[test]
fn batch_page_bad_input_is_named_and_stays() {
    type Place = Result<(usize, TaskColumn), &'static str>;
    let mut page = Page::at("from=Case-2&tab=tasks");
    let long = "x".repeat(201);
    let cases: [(Place, &str, &str); 13] = [
        (Ok((0, TaskColumn::Kernel)), "soon", "\"Kernel time\" of task 1 (higher): \"soon\" is not a number"),
        (Ok((1, TaskColumn::Blocks)), "0", "\"Blocks\" of task 2 (lower) is 0; it must lie between 1 and"),
        (Ok((0, TaskColumn::Threads)), "2,000", "\"Threads\" of task 1 (higher) is 2,000; it must lie between 1 and 1,024"),
        (Ok((1, TaskColumn::CopyIn)), "-3 ms", "\"Input copy\" of task 2 (lower): \"-3 ms\" is negative"),
        (Ok((0, TaskColumn::After)), "nobody", "\"nobody\", which is not a task"),
        (Ok((0, TaskColumn::CopyIn)), "0", "\"Input copy\" of task 1 (higher) is 0; give a time, such as 1 ms, or a size, such as 6 MB"),
        (Ok((1, TaskColumn::Name)), "higher", "\"Name\" of task 2 (higher) is also the name of task 1"),
        (
            Ok((1, TaskColumn::Name)),
            &long,
            "\"Name\" of task 2: \"xxxxxxxxxxxxxxxxxxxxxxxx…\" has 201 characters; at most 200 are possible",
        ),
        (Ok((0, TaskColumn::Interval)), "0", "\"Interval\" of task 1 (higher) is 0 s; it must lie between 1 ns and 1,000 s"),
        (Ok((0, TaskColumn::CopyOut)), "0 B", "\"Output copy\" of task 1 (higher) is 0; give a time"),
        (Err("until"), "0", "Inputs until is 0 s; it must lie between 1 ns and 1,000 s"),
        (Err("until"), "", "Inputs until is empty"),
        (Err("cost"), "2000000000", "Seeing a counter (ns) is 2000000000; it must lie between 0 and 1000000000"),
    ];
    for (place, text, message) in cases {
        let mut page = Page::at(page.memory());
        page.send(match place {
            Ok((row, column)) => cell(row, column, text),
            Err("until") => Msg::SetUntil(text.to_owned()),
            Err(_) => Msg::SetCost(1, text.to_owned()),
        });
        let is_named = |page: &Page| page.wrong().iter().any(|problem| problem.contains(message));
        assert!(is_named(&page), "{place:?}: {message}\n{:?}", page.wrong());
        page.tell(Event::Moved);
        for tab in [Tab::Step, Tab::All, Tab::Workload] {
            page.send(Msg::Show(tab));
            assert!(is_named(&page), "{place:?}: {tab:?}");
        }
        let (shown, is_wrong) = match place {
            Ok((row, column)) => (&page.cell(row, column).text, page.cell(row, column).problem.is_some()),
            Err("until") => (&page.workload().until.text, page.workload().until.is_wrong),
            Err(_) => (&page.workload().costs[1].text, page.workload().costs[1].is_wrong),
        };
        assert_eq!((&**shown, is_wrong), (text, true), "{place:?} stays");
    }
    page.send(Msg::SetName(long.clone()));
    page.tell(Event::Moved);
    let message = "Name of the workload: \"xxxxxxxxxxxxxxxxxxxxxxxx…\" has 201 characters; at most 200 are possible";
    assert!(page.wrong().iter().any(|problem| problem.contains(message)), "{:?}", page.wrong());
    page.send(Msg::SetName("short".to_owned()));
    page.send(cell(0, TaskColumn::Kernel, "2 ms"));
    assert!(page.wrong().is_empty() && page.cell(0, TaskColumn::Kernel).problem.is_none());
    assert!(page.memory().contains(r#""from":"own""#));
}

#[test]
fn batch_page_doubts_names_that_look_alike_and_runs_all_the_same() {
    let said = |page: &Page, row: usize| page.cell(row, TaskColumn::Name).problem.clone();
    for (name, why) in [("һigher", "(U+04BB) looks like \"higher\""), ("lower\u{200b}", "(U+200B) holds what cannot be seen")] {
        let mut page = Page::at("from=Case-2&tab=tasks");
        assert_eq!([said(&page, 0), said(&page, 1)], [None, None]);
        page.send(cell(1, TaskColumn::Name, name));
        let (text, is_wrong) = said(&page, 1).unwrap();
        assert!(text.contains(why) && !is_wrong, "{text}");
        assert!(page.wrong().is_empty() && said(&page, 0).is_none());
        page.send(cell(1, TaskColumn::Name, "other"));
        assert_eq!(said(&page, 1), None);
    }
}

#[test]
fn batch_page_names_come_out_as_text() {
    let name = "</text><script>alert(1)</script>\"'\u{202e}\n&amp;";
    let mut page = Page::at("from=Case-2&tab=tasks");
    page.send(cell(0, TaskColumn::Name, name));
    page.send(Msg::SetName(name.to_owned()));
    assert_eq!((&*page.cell(0, TaskColumn::Name).text, &*page.workload().name.text), (name, name), "in the cell as it was typed");
    for tab in [Tab::Workload, Tab::Step, Tab::All, Tab::Paper] {
        page.send(Msg::Show(tab));
        let pictures: Vec<String> = page.drawings().into_iter().map(|drawing| drawing.svg.clone()).collect();
        assert_eq!(pictures.is_empty(), matches!(tab, Tab::Workload | Tab::Paper));
        pictures.iter().for_each(|svg| is_plain(svg));
    }
    for sheet in [BatchPicture::Timeline, BatchPicture::Queues, BatchPicture::Comparison, BatchPicture::Advice] {
        is_plain(&page.saved(Saved::Svg(sheet)).2);
    }
    let (_, _, csv) = page.saved(Saved::Times);
    assert!(csv.contains("\"</text><script>"));
    let (_, _, text) = page.saved(Saved::Workload);
    let file = blockstep_format::read_batch(&text).unwrap();
    assert_eq!(file.workload.tasks[0].name, name);
}

/// Nothing in a picture but shapes and words in their direction.
fn is_plain(svg: &str) {
    let tree = roxmltree::Document::parse(svg).unwrap();
    assert!(tree.descendants().all(|node| !node.has_tag_name("script")) && !svg.contains("<script"), "{svg}");
    assert!(!svg.contains('\u{202e}'), "{svg}");
}

#[test]
fn batch_page_opens_what_it_saves() {
    let mut page = Page::at("from=Case-3&gpu=tx1&off=no-polling&message_ns=7");
    let (_, _, text) = page.saved(Saved::Workload);
    let request = OpenFile { text: text.clone(), default_duration_ns: None }.into_request();
    let reply = Worker::default().answer(Message { scenario: None, request }, &mut |_, _| {});
    let Reply::Done(response) = reply else { panic!("{reply:?}") };
    assert_eq!(OpenFile::answer(response), Some(Opened::ForTool("batch".to_owned())));
    let mut other = Page::new();
    other.tell(Event::OpenedWith(vec![("mine.json".to_owned(), text.clone())]));
    assert_eq!((other.view.note.as_deref(), other.said()), (Some("Opened mine.json."), "Opened mine.json."));
    assert_eq!(other.saved(Saved::Workload).2, text);
    assert_eq!(other.view.note, None, "it is said once");
    let before = other.memory().to_owned();
    other.tell(Event::OpenedWith(vec![("bad.json".to_owned(), "{\"kind\": \"batch\"}".to_owned())]));
    assert!(other.view.note.as_ref().unwrap().starts_with("bad.json was not opened; the workload is unchanged. "));
    assert_eq!(other.memory(), before);
    other.tell(Event::OpenedWith(Vec::new()));
    assert_eq!((other.view.note.as_deref(), other.memory()), (Some("No file was given."), &*before));
    // The table of what cannot be compared with files gives way.
    other.send(Msg::Show(Tab::Paper));
    other.tell(Event::OpenedWith(vec![("mine.json".to_owned(), text)]));
    assert_eq!(other.view.body.tab(), Tab::Step);
}

#[test]
fn batch_page_saves_tables_and_copies_links() {
    let mut page = Page::new();
    let (name, kind, csv) = page.saved(Saved::Times);
    assert_eq!((&*name, &*kind), ("batch-times.csv", "text/csv"));
    assert!(csv.contains("s1_Kexe_t1,t1,kernel,5000000,7000000,5000000,7000000\n"), "{csv}");
    let (name, _, steps) = page.saved(Saved::Steps);
    assert!(name == "batch-steps.txt" && steps.contains("issue s1_HDcpy_t1 to copy queue"), "{steps}");
    let (_, _, cases) = page.saved(Saved::Cases);
    assert_eq!(cases.lines().count(), 1 + 7 * 6);
    assert!(cases.contains("Case-2,CPUOrder,4.79,4.26\n"));
    page.send(Msg::CopyLink);
    assert_eq!(page.effects, [Effect::CopyLink("from=tables".to_owned())]);
    let (name, _, csv) = Page::at("from=Case-2").saved(Saved::Comparison);
    assert!(name == "batch-schedulers.csv" && csv.lines().count() == 7, "{csv}");
    // Of a scenario that is not built in, the link takes the scenario along.
    let mut draft = blockstep_format::read_scenario(&page.page.scenario).unwrap();
    page.page.page = Some(("https://example.org/".to_owned(), Vec::new()));
    page.send(Msg::CopyLink);
    assert_eq!(page.effects, [Effect::CopyLink("from=tables".to_owned())]);
    draft.name = "another".to_owned();
    page.page.scenario = blockstep_format::write_scenario(&draft);
    page.send(Msg::CopyLink);
    let [Effect::CopyText(address)] = &page.effects[..] else { panic!("{:?}", page.effects) };
    let (link, _) = blockstep_format::read_link(address).unwrap();
    assert_eq!(link.scenario.name, "another");
    assert_eq!(link.tools, [("batch".to_owned(), r#"{"open":"from=tables"}"#.to_owned())]);
    // What cannot be saved is said to everyone.
    let mut wrong = Page::at("from=own&until=x&task=name%3D");
    for what in
        [Saved::Times, Saved::Steps, Saved::Workload, Saved::Comparison, Saved::Svg(BatchPicture::Queues), Saved::Png(BatchPicture::Advice)]
    {
        wrong.send(Msg::Save(what));
        assert!(matches!(&wrong.effects[..], [Effect::Complain(_)]), "{what:?}: {:?}", wrong.effects);
    }
}

#[test]
fn batch_page_compares_and_shows_both_where_advice_differs() {
    let page = Page::at("from=Case-2&tab=all");
    let (_, shown) = page.compared();
    assert_eq!(shown.schedulers.iter().filter(|one| one.is_best).count(), 1);
    let refused = shown.schedulers.iter().filter_map(|one| one.outcome.as_ref().err());
    assert_eq!(refused.filter(|why| why.starts_with("Not on this GPU: ")).count(), 2);
    assert!(shown.verdict.agrees && !shown.verdict.are_equal && shown.verdict.conclusion == "They agree.");
    assert_eq!(shown.schedulers.iter().filter_map(|one| one.outcome.as_ref().ok()).map(|score| score.share).max(), Some(1000));
    assert_eq!(shown.figures.rows.len(), 4 * 2, "four schedulers, two tasks");
    let mut seen = Vec::new();
    for kernel in ["0.1 ms", "0.5 ms", "1.5 ms", "3 ms"] {
        for gpu in ["fermi", "kepler", "tx1"] {
            let mut page = Page::at(&format!("from=Case-2&tab=all&gpu={gpu}"));
            page.send(cell(1, TaskColumn::Kernel, kernel));
            let (_, shown) = page.compared();
            let (ours, theirs) = (&shown.verdict.best, &shown.verdict.advised);
            let agrees = ours.split(" or ").any(|name| theirs.split(" or ").any(|other| name == other));
            assert_eq!(shown.verdict.agrees, agrees, "{kernel} on {gpu}: {ours}, {theirs}");
            assert_eq!(shown.verdict.conclusion.starts_with("They differ. "), !agrees);
            let best: Vec<&str> = shown.schedulers.iter().filter(|one| one.is_best).map(|one| one.id.name()).collect();
            let named: Vec<&str> = ours.split(" or ").collect();
            assert!(best.len() == named.len() && best.iter().all(|name| named.contains(name)), "{best:?}, {named:?}");
            assert_eq!(shown.verdict.are_equal, best.len() > 1);
            seen.push(agrees);
        }
    }
    assert!(seen.contains(&true) && seen.contains(&false), "{seen:?}");
}

#[test]
fn batch_page_tables_have_no_scheduler_to_compare() {
    let mut page = Page::at("from=tables&tab=all");
    assert!(matches!(&page.view.body, Body::All(all) if all.comparison == ComparisonView::Tables && all.choices.scheduler.is_none()));
    page.send(Msg::Toggle(Section::Family));
    assert!(matches!(&page.view.body, Body::All(all) if all.is_family_open));
    page.send(Msg::Choose(case("Case-2")));
    assert!(!page.compared().1.schedulers.is_empty());
    let id = page.compared().1.schedulers[3].id;
    page.send(Msg::StepThrough(id));
    assert!(matches!(&page.view.body, Body::Step(step) if step.choices.scheduler == Some(id)));
}

#[test]
fn batch_page_ours_stand_beside_the_papers() {
    let mut page = Page::at("tab=paper");
    let Body::Paper(paper) = page.view.body.clone() else { panic!("{:?}", page.view.body) };
    let same = paper.cases.iter().filter(|case| case.has_order_of_paper).count();
    assert_eq!(paper.headline, format!("In {same} of 7 cases no pair of schedulers is reversed compared with the paper."));
    for of in &paper.cases {
        assert_eq!((of.ours.len(), of.theirs.len()), (6, 6));
        assert!(of.ours.iter().any(|(_, is_best)| *is_best) && of.theirs.iter().any(|(_, is_best)| *is_best));
        let is_reversed = of.differences.iter().any(|words| words.contains(" before ") && words.ends_with(" in the paper, after it here"));
        assert_eq!(is_reversed, !of.has_order_of_paper, "{:?}", of.differences);
    }
    // Performance and slack in ms; the paper gives no slack for the TX1.
    let cells = [&paper.cases[0].ours[2], &paper.cases[0].theirs[2], &paper.cases[4].theirs[3], &paper.cases[6].theirs[1]];
    assert_eq!(cells.map(|(text, _)| &**text), ["4.81 (157.50)", "3.55 (34.61)", "0.11 (1727.99)", "1.66"]);
    assert_eq!(paper.cases[1].theirs[4].0, "–", "no scheduler on the GPU runs on Fermi");
    page.send(Msg::Compare(Source::Case(paper.cases[1].case)));
    assert_eq!((page.view.body.tab(), page.compared().0.choices.source), (Tab::All, case("Case-2")));
}
