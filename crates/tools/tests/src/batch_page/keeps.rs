//! What the page keeps of the reader's own work, and the pictures that it saves.

use blockstep_protocol::Effect;
use blockstep_tools::batch::{BatchPicture, COLUMNS, Msg, Saved, Source, Tab, TaskColumn};
use blockstep_tools::tool::Event;
use blockstep_view::document::{PasteChoice, PreviewColumn};
use resvg::usvg::{Options, Tree};

use super::{Body, Page, case, cell};

/// The titles of the workloads that can be chosen.
fn sources(page: &Page) -> Vec<(Source, String)> {
    match &page.view.body {
        Body::Step(step) => step.choices.sources.clone(),
        Body::All(all) => all.choices.sources.clone(),
        Body::Workload(own) => own.choices.sources.clone(),
        Body::Paper(_) => Vec::new(),
    }
}

fn has_own(page: &Page, name: &str) -> bool {
    sources(page).contains(&(Source::Own, format!("Yours: {name}")))
}

#[test]
fn batch_page_ones_own_workload_stays_and_changes_are_taken_back() {
    let mut page = Page::at("from=Case-2&tab=tasks");
    assert!(!page.view.can_undo);
    page.send(cell(0, TaskColumn::Kernel, "2 ms"));
    assert_eq!(page.workload().name.text, "After Case-2");
    page.send(Msg::SetName("mine".to_owned()));
    page.send(Msg::Choose(case("Case-5")));
    assert!(has_own(&page, "mine") && page.cell(0, TaskColumn::Blocks).text == "8,100");
    page.send(Msg::CopyLink);
    let [Effect::CopyLink(word)] = &page.effects[..] else { panic!("{:?}", page.effects) };
    assert!(!word.contains("mine"), "a link takes along what is shown");
    page.send(Msg::Compare(case("Case-1")));
    page.tell(Event::Opened("from=tables".to_owned()));
    page.send(Msg::Choose(Source::Own));
    page.send(Msg::Show(Tab::Workload));
    assert!(page.cell(0, TaskColumn::Kernel).text == "2 ms" && page.memory().contains(r#""from":"own""#), "{}", page.memory());
    // One step back for each change.
    page.send(Msg::RemoveTask(1));
    assert_eq!(page.workload().rows.len(), 1);
    page.send(Msg::RemoveTask(0));
    assert_eq!((page.workload().rows.len(), page.said()), (1, "A workload has at least one task."));
    page.send(Msg::AddTask);
    assert_eq!(page.cell(1, TaskColumn::Name).text, "task 1");
    page.send(Msg::Undo);
    page.send(Msg::Undo);
    assert_eq!((&*page.cell(1, TaskColumn::Name).text, &*page.cell(0, TaskColumn::Kernel).text), ("lower", "2 ms"));
    // And one forward, until there is another change.
    assert!(page.view.can_redo);
    page.send(Msg::Redo);
    assert_eq!((page.workload().rows.len(), page.said()), (1, "The last change of the workload was made again."));
    page.send(Msg::Show(Tab::Step));
    page.send(Msg::Redo);
    assert!(page.view.body.tab() == Tab::Step && !page.view.can_redo, "the reader stays where they look");
    page.send(Msg::Redo);
    assert_eq!(page.said(), "There is nothing to redo.");
    page.send(Msg::Show(Tab::Workload));
    assert_eq!(page.cell(1, TaskColumn::Name).text, "task 1");
    page.send(Msg::Undo);
    page.send(Msg::Undo);
    // Another edited in its place, and taken back: there it is again.
    page.send(Msg::Choose(case("Case-3")));
    page.send(cell(0, TaskColumn::Kernel, "3 ms"));
    assert!(has_own(&page, "After Case-3"));
    page.send(Msg::Undo);
    assert!(has_own(&page, "mine"));
    page.send(Msg::Undo);
    assert!(page.said().contains("was undone"));
    for _ in 0..3 {
        page.send(Msg::Undo);
    }
    assert!(page.said().contains("nothing to undo"));
    // What changes nothing cannot be taken back.
    page.send(Msg::Show(Tab::Workload));
    let as_it_was = page.cell(0, TaskColumn::Kernel).text.clone();
    page.send(cell(0, TaskColumn::Kernel, &as_it_was));
    page.send(cell(99, TaskColumn::Kernel, "1 ms"));
    assert!(!page.view.can_undo);
}

/// Whatever else was looked at meanwhile.
#[test]
fn batch_page_undo_says_what_it_takes_back() {
    let mut page = Page::at("from=Case-2&tab=tasks");
    assert_eq!((page.view.undo_name.as_str(), page.view.redo_name.as_str()), ("", ""));
    let was = page.cell(0, TaskColumn::Kernel).text.clone();
    let until = page.workload().until.text.clone();
    page.send(cell(0, TaskColumn::Kernel, "2 ms"));
    let first = format!("kernel time of higher from {was} to 2 ms");
    assert_eq!(page.view.undo_name, first);
    page.send(Msg::Choose(case("Case-5")));
    assert_eq!(page.view.undo_name, first, "what is shown is no edit");
    page.send(Msg::Choose(Source::Own));
    page.send(Msg::Show(Tab::Workload));
    let edits = [
        (Msg::SetName("mine".to_owned()), "name of the workload from After Case-2 to mine".to_owned()),
        (cell(0, TaskColumn::Name, "upper"), "name from higher to upper".to_owned()),
        (Msg::SetUntil("7 ms".to_owned()), format!("end of inputs from {until} to 7 ms")),
        (Msg::MoveTask { row: 0, is_down: true }, "order of tasks".to_owned()),
        (Msg::AddTask, "task 1 added".to_owned()),
        (Msg::RemoveTask(2), "task 1 removed".to_owned()),
        (cell(0, TaskColumn::After, "upper"), "after of lower from nothing to upper".to_owned()),
    ];
    for (edit, name) in edits {
        page.send(edit);
        assert_eq!(page.view.undo_name, name);
        page.send(Msg::Undo);
        assert_eq!(page.view.redo_name, name);
        page.send(Msg::Redo);
    }
    page.send(Msg::Choose(case("Case-3")));
    page.send(cell(0, TaskColumn::Kernel, "3 ms"));
    assert_eq!(page.view.undo_name, "After Case-3 instead of mine");
}

#[test]
fn batch_page_rows_are_moved_repeated_and_pasted() {
    let mut page = Page::at("from=Case-2&tab=tasks");
    let names = |page: &Page| page.workload().rows.iter().map(|row| row.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&page), ["higher", "lower"]);
    page.send(Msg::MoveTask { row: 0, is_down: true });
    assert_eq!(names(&page), ["lower", "higher"]);
    page.send(Msg::MoveTask { row: 0, is_down: false });
    page.send(Msg::MoveTask { row: 1, is_down: true });
    assert_eq!(names(&page), ["lower", "higher"], "there is nothing beyond the ends");
    page.send(Msg::DuplicateTask(0));
    assert_eq!(names(&page), ["lower", "task 1", "higher"]);
    assert_eq!(page.cell(1, TaskColumn::Kernel).text, page.cell(0, TaskColumn::Kernel).text);
    // From a cell on, over the last row and the last column.
    let after = page.cell(2, TaskColumn::Interval).text.clone();
    page.send(Msg::Paste { row: 2, column: TaskColumn::Within, text: "7 ms\tlower\tbeyond\n\n 8 ms \t\n".to_owned() });
    page.send(Msg::TakeCells);
    assert_eq!(names(&page), ["lower", "task 1", "higher", "task 2"]);
    let cells = |row| [TaskColumn::Interval, TaskColumn::Within, TaskColumn::After].map(|column| page.cell(row, column).text.clone());
    assert_eq!(cells(2), [after, "7 ms".to_owned(), "lower".to_owned()]);
    assert_eq!(cells(3), [String::new(), "8 ms".to_owned(), String::new()], "a row that is added has these cells alone");
    page.send(Msg::Undo);
    assert_eq!(names(&page), ["lower", "task 1", "higher"], "a paste is one change");
    page.send(Msg::Paste { row: 1, column: TaskColumn::Name, text: (0..20).map(|i| format!("t{i}\n")).collect() });
    page.send(Msg::TakeCells);
    assert_eq!((page.workload().rows.len(), page.cell(15, TaskColumn::Name).text.as_str()), (16, "t14"));
    assert!(page.said().ends_with(" 5 of the pasted lines are left out: the maximum is 16 tasks."), "{}", page.said());
    page.send(Msg::Paste { row: 0, column: TaskColumn::Name, text: "Blocks\tKernel time (us)\n9\t40\n".to_owned() });
    page.send(Msg::ReadCells(PasteChoice::Replaces(false)));
    page.send(Msg::TakeCells);
    assert_eq!(
        [TaskColumn::Name, TaskColumn::Blocks, TaskColumn::Kernel].map(|column| page.cell(0, column).text.clone()),
        ["lower", "9", "40 us"]
    );
    page.send(Msg::DuplicateTask(3));
    assert_eq!((page.workload().rows.len(), page.said()), (16, "A workload has at most 16 tasks."));
}

/// Cells with headings are shown as they would be read, and change nothing before they are taken.
#[test]
fn batch_page_cells_with_headings_are_shown_before_they_are_taken() {
    let mut page = Page::at("from=Case-2&tab=tasks");
    let before = page.workload().rows.clone();
    let text = "Name\tKernel time (us)\tBlocks\tOwner\nfirst\t40\tmany\tme\nsecond\t50\t2\tme\n";
    let paste = || Msg::Paste { row: 0, column: TaskColumn::Within, text: text.to_owned() };
    page.send(paste());
    let shown = page.workload().preview.clone().unwrap();
    assert!(shown.replaces, "they have headings");
    assert_eq!(shown.made, ["2 new tasks: first, second"]);
    assert!(shown.told.contains("No column gives Input copy, "), "{}", shown.told);
    page.send(Msg::ReadCells(PasteChoice::Replaces(false)));
    let shown = page.workload().preview.clone().unwrap();
    let heads = [("Name", "“Name”"), ("Kernel time", "“Kernel time (us)”, in us"), ("Blocks", "“Blocks”")];
    let named = |column: &PreviewColumn| Some((COLUMNS[column.target?].title, column.head.clone()));
    assert_eq!(shown.columns.iter().filter_map(named).collect::<Vec<_>>(), heads.map(|(title, from)| (title, from.to_owned())));
    let texts: Vec<Vec<&str>> = shown.rows.iter().map(|row| row.iter().map(|(text, _)| &**text).collect()).collect();
    assert_eq!(texts, [["first", "40 us", "many", "me"], ["second", "50 us", "2", "me"]]);
    let wrong: Vec<bool> = shown.rows[0].iter().map(|(_, problem)| problem.is_some()).collect();
    assert_eq!(wrong, [false, false, true, false]);
    assert!(shown.made.is_empty(), "{:?}", shown.made);
    assert_eq!(shown.told, "2 rows, matched by their headings. Ignored columns: “Owner”.");
    assert_eq!((shown.problems.len(), shown.more_problems, shown.more_rows), (1, 0, 0));
    assert!(shown.problems[0].starts_with("\"Blocks\" of task 1 (first): "), "{}", shown.problems[0]);
    // Nothing has changed, and a link has nothing of them.
    assert_eq!((page.workload().rows.clone(), page.view.can_undo, page.said()), (before.clone(), false, ""));
    page.send(Msg::CopyLink);
    assert!(matches!(&page.effects[..], [Effect::CopyLink(link)] if !link.contains("second")), "{:?}", page.effects);
    assert_eq!(page.workload().preview.as_ref(), Some(&shown), "they wait");
    page.send(Msg::DropCells);
    assert_eq!((page.workload().preview.clone(), page.workload().rows.clone()), (None, before.clone()));
    page.send(Msg::TakeCells);
    assert_eq!((page.workload().rows.clone(), page.said()), (before.clone(), ""), "what was dropped is gone");
    // Taking them is one change.
    page.send(paste());
    page.send(Msg::ReadCells(PasteChoice::Replaces(false)));
    page.send(Msg::TakeCells);
    assert_eq!(page.said(), format!("Pasted {}", shown.told));
    assert_eq!((page.workload().preview.clone(), page.cell(0, TaskColumn::Blocks).text.as_str()), (None, "many"));
    assert_eq!((page.workload().rows.len(), page.wrong()), (2, &shown.problems[..]));
    page.send(Msg::Undo);
    assert_eq!(page.workload().rows, before);
    // Of many rows the first are shown; lines beyond the limit are named.
    let many: String = (0..20).map(|i| format!("t{i}\t1 ms\n")).collect();
    page.send(Msg::Paste { row: 0, column: TaskColumn::Name, text: format!("Name\tKernel time\n{many}") });
    let shown = page.workload().preview.clone().unwrap();
    assert_eq!((shown.rows.len(), shown.more_rows), (12, 4));
    assert!(shown.told.starts_with("16 rows, matched by their headings. No column gives Input copy, Blocks"), "{}", shown.told);
    assert!(shown.told.ends_with(" 4 of the pasted lines are left out: the maximum is 16 tasks."), "{}", shown.told);
    // What a link opens has no place for them.
    page.tell(Event::Opened("from=Case-3&tab=tasks".to_owned()));
    assert_eq!(page.workload().preview, None);
}

#[test]
fn batch_page_keeps_no_more_than_can_be_taken_back() {
    let mut page = Page::at("from=Case-2&tab=tasks");
    let kept = |page: &Page, name: &str| blockstep_tools::tool::memory::fields(page.memory())[name].as_array().map(Vec::len);
    for i in 1..=30 {
        page.send(cell(0, TaskColumn::Kernel, &format!("{i} ms")));
    }
    assert_eq!(kept(&page, "past"), Some(20));
    (0..20).for_each(|_| page.send(Msg::Undo));
    assert_eq!((&*page.cell(0, TaskColumn::Kernel).text, kept(&page, "future")), ("10 ms", Some(20)));
    assert!(!page.view.can_undo);
    for _ in 0..20 {
        page.send(Msg::AddTask);
    }
    assert_eq!((page.workload().rows.len(), page.workload().can_add), (16, false));
    assert_eq!(page.cell(15, TaskColumn::Name).text, "task 14", "names are each other's");
}

#[test]
fn batch_page_saves_every_picture() {
    let mut page = Page::at("from=Case-2&by=CPUConcurrent&name=x");
    for (sheet, name, parts) in [
        (BatchPicture::Timeline, "batch-timeline.svg", vec!["held up", "Case-2", "time, ms"]),
        (BatchPicture::Queues, "batch-queues.svg", vec!["stroke-width=\"5\"", "s6_DHcpy_t2", "execution queue"]),
        (
            BatchPicture::Comparison,
            "batch-compare.svg",
            vec!["CPUTraditional: 1.00×", "CPUOrder: 4.", "GPUAtomics: not on this GPU", "higher"],
        ),
        (BatchPicture::Advice, "batch-advice.svg", vec!["yes: CPUOrder", "Case-2", "font-weight=\"bold\""]),
        (BatchPicture::Family, "batch-family.svg", vec!["Run the scheduler logic on the GPU?", "yes: GPUAtomics"]),
    ] {
        let (file, kind, svg) = page.saved(Saved::Svg(sheet));
        assert_eq!((&*file, &*kind), (name, "image/svg+xml"));
        roxmltree::Document::parse(&svg).unwrap();
        for part in parts {
            assert!(svg.contains(part), "{sheet:?}: {part}\n{svg}");
        }
        let tree = Tree::from_str(&svg, &Options::default()).unwrap();
        assert!(tree.size().height() > 50.0 && (tree.size().width() - 1000.0).abs() < 0.5);
        page.send(Msg::Save(Saved::Png(sheet)));
        assert_eq!(page.effects, [Effect::SavePicture { name: name.replace("svg", "png"), scale: 2, svg }]);
    }
}
