//! While a question is open no tool tells what comes after the step.

use blockstep::app::tools::figure::Figure;
use blockstep::app::tools::rules::{self, Rules};
use blockstep::app::tools::until::{self, Until};
use blockstep::app::tools::words::{self, Table, Words};
use blockstep::app::tools::{Event, Tool};
use blockstep::examples;
use blockstep::lab::{Lab, Part};
use blockstep::protocol::Cursor;
use blockstep::trace::Rule;
use blockstep::units::RowId;

use crate::tool::OnPage;

/// What a tool remembers and shows.
fn ask(lab: &mut Lab, [tool, event, fields, memory, scenario, place]: [&str; 6]) -> (String, String) {
    let arguments = [tool, event, fields, memory, scenario, place].map(str::to_owned);
    let answer = lab.answer("tool", &arguments).unwrap();
    let text = |part: &Part| match part {
        Part::Text(text) => text.clone(),
        Part::Words(_) => panic!("words"),
    };
    (text(&answer[0]), text(&answer[1]))
}

#[test]
fn veil_hides_the_tools_that_look_ahead() {
    let scenario = examples::find("tx2-table-1").unwrap().json;
    let mut lab = Lab::default();
    for tool in ["ask", "compare", "measured"] {
        let (mut memory, mut html) = (String::new(), String::new());
        for event in ["open:", "move", "change:rule", "do:next"] {
            (memory, html) = ask(&mut lab, [tool, event, "", &memory, scenario, "position=12&at=0&row=0&veiled=1"]);
            assert_eq!(html, "<p class=\"tool-note\">Hidden until you have answered.</p>", "{tool} {event}");
        }
        let (_, told) = ask(&mut lab, [tool, "move", "", &memory, scenario, "position=12&at=0&row=0"]);
        assert!(told.len() > html.len() && !told.contains("Hidden until"), "{tool}: {told}");
    }
}

/// The same of tools with views of their own, which have none then.
#[test]
fn veil_hides_the_views_of_tools_that_look_ahead() {
    hides::<Figure>("figure");
}

fn hides<T: Tool>(name: &'static str) {
    let mut page = OnPage::<T>::on(name, "tx2-table-1").at(12);
    page.screen.is_veiled = true;
    for event in [Event::Opened(String::new()), Event::Moved, Event::Continued] {
        let told = page.tell(event).unwrap();
        assert!(told.view.is_none() && told.effects.is_empty(), "{name}: {:?}", told.effects);
    }
    page.screen.is_veiled = false;
    assert!(page.tell(Event::Moved).unwrap().view.is_some(), "{name}");
}

/// What a tool was opened with under the veil counts once that is lifted.
#[test]
fn veil_keeps_the_word_that_a_tool_was_opened_with() {
    let scenario = examples::find("tx2-table-1").unwrap().json;
    let mut lab = Lab::default();
    let (memory, _) = ask(&mut lab, ["compare", "open:policy=edf", "", "", scenario, "position=12&at=0&veiled=1"]);
    let (memory, _) = ask(&mut lab, ["compare", "move", "", &memory, scenario, "position=12&at=0&veiled=1"]);
    let (memory, html) = ask(&mut lab, ["compare", "move", "", &memory, scenario, "position=12&at=0"]);
    assert!(html.contains("Policy: EDF") && memory.contains("policy") && !memory.contains("veiled"), "{memory} {html}");
    let closed = ask(&mut lab, ["compare", "do:close", "", &memory, scenario, "position=12&at=0&veiled=1"]);
    assert_eq!(closed.1, "", "it can be closed");
}

/// A tool that looks ahead says nothing under the veil, and something afterwards.
fn is_hidden<T: Tool>(name: &'static str, message: T::Msg) {
    let mut page = OnPage::<T>::on(name, "tx2-table-1").at(12);
    page.cursor.row = Some(RowId(0));
    page.screen.is_veiled = true;
    for event in [Event::Opened(String::new()), Event::Moved, Event::Message(message)] {
        let told = page.tell(event).unwrap();
        assert!(told.view.is_none() && told.effects.is_empty(), "{name}");
    }
    page.screen.is_veiled = false;
    assert!(page.tell(Event::Moved).unwrap().view.is_some(), "{name}");
}

#[test]
fn veil_hides_the_typed_tools_that_look_ahead() {
    is_hidden::<Until>("until", until::Msg::Next);
    is_hidden::<Rules>("rules", rules::Msg::Next(Rule::R1));
}

/// What a typed tool was opened with under the veil counts once that is lifted, too.
#[test]
fn veil_keeps_the_word_of_a_typed_tool() {
    let mut page = OnPage::<Rules>::on("rules", "tx2-table-1").at(12);
    page.screen.is_veiled = true;
    assert!(page.tell(Event::Opened("rule=X1&variant=last-fit".to_owned())).unwrap().view.is_none());
    assert!(page.tell(Event::Moved).unwrap().view.is_none());
    page.screen.is_veiled = false;
    assert!(page.moved().changed.is_some());
    assert_eq!(page.memory, "rule=X1&variant=last-fit");
    page.screen.is_veiled = true;
    assert!(page.tell(Event::Closed).is_ok(), "it can be closed");
}

#[test]
fn veil_leaves_the_past_in_the_tables_of_the_run() {
    for id in ["tx2-table-1", "edf-fig-2a"] {
        let mut page = OnPage::<Words>::on("words", id);
        let draft = blockstep::format::read_scenario(&page.scenario).unwrap();
        let scenario = blockstep::scenario::Scenario::new(&draft).unwrap();
        let run = blockstep::engine::simulate(&scenario, blockstep::engine::Limits::default()).unwrap();
        let steps = run.trace.steps();
        for position in (1..steps.len()).step_by(7) {
            page.cursor = Cursor { position: position as u32, at: steps[position - 1].at, ..Cursor::default() };
            for table in Table::ALL {
                let mut told = |is_veiled: bool| {
                    page.screen.is_veiled = is_veiled;
                    page.send(words::Msg::Choose(table)).view.unwrap()
                };
                let (open, veiled) = (told(false), told(true));
                // The rows lead to no later step.
                assert!(veiled.rows.iter().all(|row| row.position as usize <= position), "{id} {table:?} {position}: {veiled:?}");
                let is_later = |text: &str| {
                    let is_of = |step: &blockstep::trace::Step| blockstep::view::quantity::format_time(step.at.ns()) == text;
                    steps[position..].iter().any(is_of) && !steps[..position].iter().any(is_of)
                };
                // The deadlines of released jobs are known.
                let known = veiled.head.iter().position(|title| title == "Deadline");
                let later = veiled.rows.iter().any(|row| {
                    let cells = row.cells.iter().enumerate().skip(1);
                    cells.filter(|(column, _)| Some(*column) != known).any(|(_, cell)| is_later(cell))
                });
                assert!(!later, "{id} {table:?} {position}: {veiled:?}");
                assert_eq!(open.notice, None);
                assert!(veiled.notice.unwrap().contains("hidden until you have answered"));
                assert!(table != Table::Blocks || position > 20 || open.rows.len() > veiled.rows.len(), "{id} {position}");
            }
        }
    }
}
