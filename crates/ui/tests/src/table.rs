//! The table that is edited in place, over a document.

use std::ops::Range;

use blockstep_sim::scenario::Scenario;
use blockstep_ui::{CellChoices, DataTable, Focus, RowAction, TableEvents, cells_preview};
use blockstep_view::document::{Document, PasteChoice, PreviewColumn, PreviewTable};
use blockstep_view::panels::{self, Standing};
use blockstep_view::table::Table;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::dom::{Mounted, frame, mount, send, tick, told, until};

/// The kernels of [TX2] Table 1.
fn document() -> Document {
    let example = blockstep_sim::examples::find("tx2-table-1").unwrap();
    Document::new(blockstep_format::read_scenario(example.json).unwrap())
}

struct Edited {
    page: Mounted,
    document: RwSignal<Document>,
    left_out: RwSignal<Vec<&'static str>>,
    /// What else the table told: `left`, `pasted 0 3 a`, `delete 0`, `selects 0`, `undo`.
    says: RwSignal<Vec<String>>,
}

const KERNELS: Table = Table::Kernels;

fn column(field: &str) -> usize {
    KERNELS.columns().iter().position(|column| column.field == field).unwrap()
}

/// The selector of a cell's control.
fn cell(row: usize, field: &str) -> String {
    format!("[data-cell='kernels:{row}:{}']", column(field))
}

async fn table(document: Document) -> Edited {
    let document = RwSignal::new(document);
    let (says, left_out) = (told(), RwSignal::new(Vec::new()));
    let say = move |what: String| says.update(|says: &mut Vec<String>| says.push(what));
    let page = mount(move || {
        let rows = move |range: Range<usize>| {
            document.with(|document| {
                let problems = match Scenario::new(&document.draft()) {
                    Ok(_) => document.unreadable(),
                    Err(error) => document.unreadable().into_iter().chain(error.problems).collect(),
                };
                let standing = Standing { problems: &problems, is_wrong: true, is_dark: false, selected: None };
                panels::grid(document, KERNELS, range, standing)
            })
        };
        let events = TableEvents {
            on_edit: Callback::new(move |(row, column, text, _): (usize, usize, String, bool)| {
                document.update(|document| document.set(KERNELS, row, column, &text));
            }),
            on_leave: Callback::new(move |()| say("left".to_owned())),
            on_paste: Callback::new(move |(row, column, text): (usize, usize, String)| say(format!("pasted {row} {column} {text}"))),
            on_action: Callback::new(move |(row, action)| {
                let word = match action {
                    RowAction::MoveUp => "up",
                    RowAction::MoveDown => "down",
                    RowAction::Duplicate => "duplicate",
                    RowAction::Delete => "delete",
                };
                say(format!("{word} {row}"));
            }),
            on_select: Callback::new(move |row| say(format!("selects {row}"))),
            on_undo: Callback::new(move |is_undo: bool| say(if is_undo { "undo" } else { "redo" }.to_owned())),
        };
        let count = Memo::new(move |_| document.with(|document| document.len(KERNELS)));
        view! {
            <DataTable
                id="kernels"
                columns=KERNELS.columns()
                count=count
                rows=rows
                events=events
                focus=Focus::new(None)
                left_out=left_out
            />
        }
    })
    .await;
    Edited { page, document, left_out, says }
}

#[wasm_bindgen_test]
async fn table_shows_a_row_for_each_kernel_and_a_head_for_each_column() {
    let Edited { page, .. } = table(document()).await;
    assert_eq!(page.count("tbody tr[data-row]"), 6);
    assert_eq!(page.count("thead th"), KERNELS.columns().len() + 1);
    assert_eq!(page.value(&cell(0, "name")), "K1");
    assert_eq!(page.value(&cell(3, "threads_per_block")), "256");
    assert_eq!(page.attribute("#kernels", "aria-rowcount").unwrap(), "7");
    assert_eq!(page.attribute("tr[data-row='2']", "aria-rowindex").unwrap(), "4");
}

#[wasm_bindgen_test]
async fn table_edits_a_number_at_each_keystroke() {
    let Edited { page, document, .. } = table(document()).await;
    let threads = cell(0, "threads_per_block");
    page.type_into(&threads, "51").await;
    assert_eq!(document.with_untracked(|d| d.draft().kernels[0].threads_per_block), 51);
    page.type_into(&threads, "512").await;
    assert_eq!(document.with_untracked(|d| d.draft().kernels[0].threads_per_block), 512);
    assert_eq!(page.value(&cell(1, "threads_per_block")), "512");
}

#[wasm_bindgen_test]
async fn table_keeps_what_cannot_be_read_and_says_why() {
    let Edited { page, .. } = table(document()).await;
    let threads = cell(0, "threads_per_block");
    page.type_into(&threads, "many").await;
    page.leave(&threads).await;
    assert_eq!(page.value(&threads), "many");
    assert_eq!(page.attribute(&threads, "aria-invalid").unwrap(), "true");
    let said = page.attribute(&threads, "aria-describedby").unwrap();
    assert!(page.text(&format!("#{said}")).contains("many"), "{}", page.text(&format!("#{said}")));
    assert_eq!(page.attribute(&format!("#{said}"), "role").unwrap(), "alert");
    assert!(page.has_class("tr[data-row='0'] td[data-field=threads_per_block]", "invalid"));
    page.type_into(&threads, "64").await;
    page.leave(&threads).await;
    assert!(page.try_find(&format!("#{said}")).is_none(), "it is said no more");
    assert_eq!(page.attribute(&threads, "aria-invalid").unwrap(), "false");
}

#[wasm_bindgen_test]
async fn table_takes_a_name_when_it_is_complete() {
    let Edited { page, document, says, .. } = table(document()).await;
    let name = cell(0, "name");
    page.type_into(&name, "First").await;
    assert_eq!(document.with_untracked(|d| d.name(KERNELS, 0)), "K1");
    page.leave(&name).await;
    assert_eq!(document.with_untracked(|d| d.name(KERNELS, 0)), "First");
    assert!(says.get_untracked().contains(&"left".to_owned()));
}

#[wasm_bindgen_test]
async fn table_leads_through_a_column_by_enter_and_arrows() {
    let Edited { page, .. } = table(document()).await;
    let blocks = |row| cell(row, "blocks");
    page.key(&blocks(0), "Enter").await;
    until(|| page.has_focus(&blocks(1))).await;
    page.key(&blocks(1), "ArrowDown").await;
    until(|| page.has_focus(&blocks(2))).await;
    page.key(&blocks(2), "ArrowUp").await;
    until(|| page.has_focus(&blocks(1))).await;
    let input: web_sys::HtmlInputElement = page.find(&blocks(1)).unchecked_into();
    let chosen = |name: &str| js_sys::Reflect::get(&input, &name.into()).unwrap().as_f64().unwrap();
    assert_eq!((chosen("selectionStart"), chosen("selectionEnd")), (0.0, 1.0), "its text is selected");
    page.key(&blocks(0), "ArrowUp").await;
    assert!(page.has_focus(&blocks(0)), "there is no row above");
}

#[wasm_bindgen_test]
async fn table_tells_of_pasted_cells_and_leaves_a_single_one_to_the_browser() {
    let Edited { page, says, .. } = table(document()).await;
    let blocks = cell(1, "blocks");
    assert!(page.paste(&blocks, "5").await);
    assert!(page.paste(&blocks, "5\n").await, "a line's end is no second cell");
    assert!(!page.paste(&blocks, "5\n6\n").await);
    assert!(!page.paste(&blocks, "5\t6").await);
    let at = column("blocks");
    assert_eq!(says.get_untracked(), [format!("pasted 1 {at} 5\n6\n"), format!("pasted 1 {at} 5\t6")]);
}

#[wasm_bindgen_test]
async fn table_has_actions_for_each_row_with_names() {
    let Edited { page, says, .. } = table(document()).await;
    for action in ["Move up", "Move down", "Duplicate", "Delete"] {
        let button = format!("tr[data-row='1'] [data-action='{action}']");
        assert_eq!(page.attribute(&button, "aria-label").unwrap(), format!("{action} K2"));
        page.click(&button).await;
    }
    assert_eq!(says.get_untracked(), ["up 1", "down 1", "duplicate 1", "delete 1"]);
}

#[wasm_bindgen_test]
async fn table_selects_a_kernel_by_its_color() {
    let Edited { page, says, .. } = table(document()).await;
    assert_eq!(page.count(".swatch"), 6);
    let first = page.attribute("tr[data-row='0'] .swatch", "style");
    assert_ne!(first, page.attribute("tr[data-row='1'] .swatch", "style"));
    page.click("tr[data-row='4'] .swatch").await;
    assert_eq!(says.get_untracked(), ["selects 4"]);
}

#[wasm_bindgen_test]
async fn table_leaves_columns_out_but_not_the_one_that_has_the_focus() {
    let Edited { page, left_out, .. } = table(document()).await;
    let (field, whole) = ("threads_per_block", KERNELS.columns().len());
    drop(page.find(&cell(0, field)).focus());
    send(&page.find(&cell(0, field)), "FocusEvent", "focusin", &[]);
    left_out.set(vec![field]);
    tick().await;
    assert_eq!(page.count(&format!("td[data-field={field}]")), 6);
    send(&page.find(&cell(0, field)), "FocusEvent", "focusout", &[]);
    tick().await;
    assert_eq!(page.count(&format!("td[data-field={field}]")), 0);
    assert_eq!(page.count("thead th"), whole);
}

#[wasm_bindgen_test]
async fn table_picks_a_task_from_those_there_are() {
    let Edited { page, document, .. } = table(document()).await;
    let task = cell(0, "task");
    assert_eq!(page.texts(&format!("{task} option"))[..2], ["CPU 0", "CPU 1"]);
    assert_eq!(page.value(&task), "CPU 0");
    page.choose(&task, "CPU 1").await;
    assert_eq!(document.with_untracked(|d| d.draft().kernels[0].task.clone()).unwrap(), "CPU 1");
}

#[wasm_bindgen_test]
async fn table_shows_what_a_field_does_not() {
    let mut named = document();
    named.set(KERNELS, 0, column("name"), "K\u{202e}1");
    let Edited { page, .. } = table(named).await;
    let shown = page.text("tr[data-row='0'] td[data-field=name] .unseen");
    assert!(shown.starts_with("reads ") && !shown.contains('\u{202e}'), "{shown}");
    assert_eq!(page.count(".unseen"), 1);
}

#[wasm_bindgen_test]
async fn table_of_many_rows_has_those_in_sight() {
    let mut long = document();
    for _ in 0..200 {
        long.add(KERNELS, None, true);
    }
    let Edited { page, .. } = table(long).await;
    until(|| page.has_class(".table-scroll", "long")).await;
    let rows = page.count("tbody tr[data-row]");
    assert!((10..100).contains(&rows), "{rows} rows");
    assert!(page.try_find("tr[data-row='0']").is_some());
    let scroller = page.find(".table-scroll");
    scroller.set_scroll_top(4000);
    until(|| page.try_find("tr[data-row='0']").is_none()).await;
    assert_eq!(page.attribute("#kernels", "aria-rowcount").unwrap(), "207");
}

/// A browser need not say that a cell has lost the focus with its row.
#[wasm_bindgen_test]
async fn table_keeps_what_was_typed_into_a_row_that_is_scrolled_away() {
    let mut long = document();
    for _ in 0..200 {
        long.add(KERNELS, None, true);
    }
    let Edited { page, document, .. } = table(long).await;
    until(|| page.has_class(".table-scroll", "long")).await;
    let (name, scroller) = (cell(0, "name"), page.find(".table-scroll"));
    page.type_into(&name, "Filter").await;
    page.type_into(&cell(0, "blocks"), "many").await;
    page.find(&name).focus().unwrap();
    // Firefox brings what takes the focus into sight a frame later.
    frame().await;
    frame().await;
    scroller.set_scroll_top(4000);
    until(|| page.try_find("tr[data-row='0']").is_none()).await;
    scroller.set_scroll_top(0);
    until(|| page.try_find("tr[data-row='0']").is_some()).await;
    assert_eq!((page.value(&name), page.value(&cell(0, "blocks"))), ("Filter".to_owned(), "many".to_owned()));
    assert_eq!(document.with_untracked(|d| d.draft().kernels[0].name.clone()), "Filter");
}

/// Two columns of cells: the first goes to the names, the second is left out.
fn preview() -> PreviewTable {
    let head = |head: &str, source, target| PreviewColumn { head: head.to_owned(), source: Some(source), target };
    PreviewTable {
        told: "2 rows would be added.".to_owned(),
        notes: Vec::new(),
        replaces: false,
        has_headings: true,
        columns: vec![head("kernel", 0, Some(column("name"))), head("remark", 1, None)],
        rows: vec![
            vec![("A".to_owned(), None), ("x".to_owned(), None)],
            vec![("B".to_owned(), Some("B is wrong".to_owned())), ("y".to_owned(), None)],
        ],
        more_rows: 3,
        made: vec!["A new task".to_owned()],
        problems: vec!["Row 2 is wrong".to_owned()],
        more_problems: 1,
    }
}

#[wasm_bindgen_test]
async fn cells_are_shown_as_they_would_be_read() {
    let says = told();
    let shown = RwSignal::new(preview());
    let page = mount(move || {
        let choices = CellChoices {
            whole: "In place of all".to_owned(),
            part: "From here on".to_owned(),
            on_choice: Callback::new(move |choice: PasteChoice| {
                let word = match choice {
                    PasteChoice::Replaces(on) => format!("replaces {on}"),
                    PasteChoice::HasHeadings(on) => format!("headings {on}"),
                    PasteChoice::Target(source, target) => format!("target {source} {target:?}"),
                };
                says.update(|says: &mut Vec<String>| says.push(word));
            }),
        };
        view! { <div>{cells_preview(Memo::new(move |_| shown.get()), KERNELS.columns(), choices)}</div> }
    })
    .await;
    assert_eq!(page.texts("tbody td"), ["A", "x", "B", "y"]);
    assert!(page.has_class("tbody tr:nth-child(2) td:nth-child(1)", "invalid"));
    assert_eq!(page.attribute("tbody tr:nth-child(2) td:nth-child(1)", "title").unwrap(), "B is wrong");
    assert!(page.has_class("tbody tr:nth-child(1) td:nth-child(2)", "left-out"));
    assert!(page.texts("p").contains(&"and 3 more rows".to_owned()));
    assert_eq!(page.texts("#preview-verdict li"), ["Row 2 is wrong", "and 1 more"]);
    assert_eq!(page.value("th:nth-child(1) select"), column("name").to_string());
    page.choose("th:nth-child(2) select", &column("blocks").to_string()).await;
    page.choose("th:nth-child(1) select", "").await;
    page.click("[type=radio][value=all]").await;
    page.click("[type=checkbox]").await;
    let expected = [
        format!("target 1 Some({})", column("blocks")),
        "target 0 None".to_owned(),
        "replaces true".to_owned(),
        "headings false".to_owned(),
    ];
    assert_eq!(says.get_untracked(), expected);
}
