//! While a question is open no tool tells what comes after the step.

use blockstep_protocol::{self as protocol, Cursor, RunId, Screen, ToolAnswer, ToolEvent};
use blockstep_sim::examples;
use blockstep_sim::units::RowId;
use blockstep_tools::run_tables::{RunTable, RunTables};
use blockstep_tools::runs::Runs;
use blockstep_tools::tool::Event;
use blockstep_tools::{self as tools, ToolId};
use serde::Serialize;

use crate::tool::OnPage;

/// Asks a tool about [TX2] Table 1, in the middle of it.
fn tell<M: Serialize>(runs: &mut Runs, tool: ToolId, event: &Event<M>, memory: &str, is_future_hidden: bool) -> Result<ToolAnswer, String> {
    let request = ToolEvent {
        tool: tool.info().name.to_owned(),
        event: protocol::encode(event).unwrap(),
        memory: memory.to_owned(),
        run: RunId(1),
        cursor: Cursor { position: 12, row: Some(RowId(0)), ..Cursor::default() },
        screen: Screen { is_future_hidden, ..Screen::default() },
        example: None,
        page: None,
    };
    tools::answer(&request, examples::find("tx2-table-1").unwrap().json, runs).map_err(|why| why.to_string())
}

fn hidden_tools() -> impl Iterator<Item = ToolId> {
    ToolId::ALL.iter().copied().filter(|tool| tool.info().hides)
}

#[test]
fn hidden_future_closes_the_tools_that_look_ahead() {
    let names: Vec<&str> = hidden_tools().map(|tool| tool.info().name).collect();
    assert_eq!(names, ["exercise", "ask", "compare", "until", "rules", "measured", "figure"]);
    let mut runs = Runs::default();
    for tool in hidden_tools() {
        let mut memory = String::new();
        for event in [Event::Opened(String::new()), Event::Moved, Event::Continued] {
            let answer = tell::<()>(&mut runs, tool, &event, &memory, true).unwrap();
            assert!(answer.view.is_empty() && answer.effects.is_empty(), "{tool:?} {event:?}");
            memory = answer.memory;
        }
        // The first of its messages, with nothing in it: so zeros are read.
        let answer = tell(&mut runs, tool, &Event::Message([0_u8; 32]), &memory, true).unwrap();
        assert_eq!(answer, ToolAnswer { memory: memory.clone(), ..ToolAnswer::default() }, "{tool:?}");
        // Files are given once, so they are taken; nothing is shown of them.
        assert!(tell::<()>(&mut runs, tool, &Event::OpenedWith(Vec::new()), &memory, true).unwrap().view.is_empty(), "{tool:?}");
        let lifted = tell::<()>(&mut runs, tool, &Event::Moved, &memory, false).unwrap();
        assert!(!lifted.view.is_empty(), "{tool:?}");
    }
}

/// What a tool was opened with while the future is hidden counts once that is lifted.
#[test]
fn hidden_future_keeps_the_word_that_a_tool_was_opened_with() {
    for tool in hidden_tools() {
        for word in ["", "policy=edf", "rule=X1", "until=completes&row=K3"] {
            let (mut runs, open) = (Runs::default(), Event::<()>::Opened(word.to_owned()));
            let memory = tell(&mut runs, tool, &open, "", true).unwrap().memory;
            let memory = tell::<()>(&mut runs, tool, &Event::Moved, &memory, true).unwrap().memory;
            assert!(memory.contains(r#""veiled-word":"#), "{tool:?}: {memory}");
            let lifted = tell::<()>(&mut runs, tool, &Event::Moved, &memory, false);
            assert_eq!(lifted, tell(&mut Runs::default(), tool, &open, "", false), "{tool:?} {word}: as if it was opened now");
            assert!(lifted.is_err() || lifted.is_ok_and(|answer| !answer.memory.contains("veiled")), "{tool:?} {word}");
            let closed = tell::<()>(&mut runs, tool, &Event::Closed, &memory, true).unwrap();
            assert!(closed.view.is_empty() && !closed.memory.contains("veiled"), "{tool:?} {word}: it can be closed");
        }
    }
}

#[test]
fn hidden_future_leaves_the_past_in_the_tables_of_the_run() {
    for id in ["tx2-table-1", "edf-fig-2a"] {
        let mut page = OnPage::<RunTables>::on("words", id);
        let draft = blockstep_format::read_scenario(&page.scenario).unwrap();
        let scenario = blockstep_sim::scenario::Scenario::new(&draft).unwrap();
        let run = blockstep_sim::engine::simulate(&scenario, blockstep_sim::engine::Limits::default());
        let steps = run.trace.steps();
        for position in (1..steps.len()).step_by(7) {
            page.cursor = Cursor { position: position as u32, at: steps[position - 1].at, ..Cursor::default() };
            for table in RunTable::ALL {
                let mut told = |is_future_hidden: bool| {
                    page.screen.is_future_hidden = is_future_hidden;
                    page.edit(|state| state.choose(table)).view.unwrap()
                };
                let (open, hidden) = (told(false), told(true));
                // The rows lead to no later step.
                assert!(hidden.rows.iter().all(|row| row.position as usize <= position), "{id} {table:?} {position}: {hidden:?}");
                let is_later = |text: &str| {
                    let is_of = |step: &blockstep_sim::trace::Step| blockstep_view::quantity::format_time(step.at.ns()) == text;
                    steps[position..].iter().any(is_of) && !steps[..position].iter().any(is_of)
                };
                // The deadlines of released jobs are known.
                let known = hidden.head.iter().position(|title| title == "Deadline");
                let later = hidden.rows.iter().any(|row| {
                    let cells = row.cells.iter().enumerate().skip(1);
                    cells.filter(|(column, _)| Some(*column) != known).any(|(_, cell)| is_later(cell))
                });
                assert!(!later, "{id} {table:?} {position}: {hidden:?}");
                assert_eq!(open.notice, None);
                assert!(hidden.notice.unwrap().contains("Answer the question"));
                assert!(table != RunTable::Blocks || position > 20 || open.rows.len() > hidden.rows.len(), "{id} {position}");
            }
        }
    }
}
