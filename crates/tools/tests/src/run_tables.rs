//! The run in tables: what stands in each, in which order, and how its rows are turned over.

use blockstep_format as format;
use blockstep_protocol::Cursor;
use blockstep_sim::units::Time;
use blockstep_tools::run_tables::{RunTable, RunTables, View};

use crate::tool::OnPage;
use blockstep_testing::large::large;

fn first(view: &View) -> Vec<&str> {
    view.rows.iter().map(|row| row.cells[0].as_str()).collect()
}

#[test]
fn words_tell_what_the_timeline_draws() {
    let mut page = OnPage::<RunTables>::on("words", "tx2-table-1");
    let view = page.open("");
    assert_eq!(view.caption, "Executing now at 0 s: nothing");
    assert!(view.rows.is_empty() && view.pages.is_none() && page.memory.is_empty());
    let view = page.edit(|state| state.choose(RunTable::Blocks)).view.unwrap();
    assert_eq!((view.caption.as_str(), page.memory.as_str()), ("Blocks, SM by SM: 18", r#"{"table":"blocks"}"#));
    assert_eq!(view.head, ["Block", "On", "Threads", "From", "To"]);
    assert_eq!((first(&view)[0], &view.rows[0].cells[1..3]), ("K1:0", &["SM 0".to_owned(), "768".to_owned()][..]));
    assert!(view.rows.is_sorted_by_key(|row| row.cells[1].clone()), "SM by SM: {view:?}");
    // A row leads to the step that began what it stands for, at which that executes.
    let (position, name) = (view.rows[0].position, view.rows[0].cells[0].clone());
    page.cursor = Cursor { position, ..Cursor::default() };
    let view = page.edit(|state| state.choose(RunTable::Now)).view.unwrap();
    assert!(first(&view).contains(&name.as_str()), "{view:?}");
    let view = page.edit(|state| state.choose(RunTable::Ops)).view.unwrap();
    assert!(view.rows.iter().any(|row| row.cells[1] == "input copy") && view.rows.iter().any(|row| row.cells[1] == "kernel"));
    let view = page.edit(|state| state.choose(RunTable::Jobs)).view.unwrap();
    assert_eq!(view.rows[0].cells[4], "–", "no job has a deadline: {view:?}");
}

/// A miss at the run's end is the last step: while a question is open it is known from then on.
#[test]
fn words_tell_of_a_miss_when_it_is_a_step() {
    let text = r#"{ "version": 1, "device": { "name": "one", "sms": 1 }, "horizon_ns": 20, "tasks": [ { "name": "A", "deadline_ns": 20 } ],
        "kernels": [ { "name": "K", "task": "A", "blocks": 1, "threads_per_block": 32, "block_time_ns": 30 } ] }"#;
    let scenario = blockstep_sim::scenario::Scenario::new(&format::read_scenario(text).unwrap()).unwrap();
    let run = blockstep_sim::engine::simulate(&scenario, blockstep_sim::engine::Limits::default());
    let steps = run.trace.steps().len() as u32;
    let mut page = OnPage::<RunTables>::new("words", text);
    page.screen.is_future_hidden = true;
    page.go(steps - 1).open("");
    let met = |page: &mut OnPage<RunTables>| page.edit(|state| state.choose(RunTable::Jobs)).view.unwrap().rows[0].cells[4].clone();
    assert_eq!(met(&mut page), "–");
    page.go(steps);
    assert_eq!(met(&mut page), "missed");
}

#[test]
fn words_turn_over_many_rows() {
    let mut page = OnPage::<RunTables>::new("words", &format::write_scenario(&large("tx2", 1_000, false)));
    page.cursor.at = Time(1);
    page.open("");
    let whole = page.edit(|state| state.choose(RunTable::Blocks)).view.unwrap();
    let pages = whole.pages.unwrap();
    assert_eq!((whole.rows.len(), pages.earlier, pages.later, pages.place.starts_with("page 1 of ")), (50, None, Some(1), true));
    let second = page.edit(|state| state.page = Some(1)).view.unwrap();
    assert_eq!(page.memory, r#"{"page":1,"table":"blocks"}"#);
    assert!(second.rows[0] != whole.rows[0] && second.pages.unwrap().earlier == Some(0));
    // Beyond the end is the end.
    let last = page.edit(|state| state.page = Some(usize::MAX)).view.unwrap();
    assert!(last.pages.unwrap().later.is_none() && !last.rows.is_empty());
    // Another table begins at its beginning.
    page.edit(|state| state.choose(RunTable::Ops));
    assert_eq!(page.memory, r#"{"table":"ops"}"#);
    for memory in ["table=zz&page=-1", "page=x&table=", "%ff=&&=&table=jobs&page=99999999999999999999"] {
        memory.clone_into(&mut page.memory);
        assert!(!page.moved().head.is_empty(), "{memory}");
    }
}
