//! While a question is open no tool tells what comes after the step.

use blockstep::app::tools::{self, Event, ToolId};
use blockstep::examples;
use blockstep::lab::{Lab, Part};
use blockstep::protocol::{self, Cursor, RunId, Screen, ToolAnswer, ToolEvent};
use blockstep::runs::Runs;
use blockstep::units::RowId;
use serde::Serialize;

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

/// Asks a tool about [TX2] Table 1, in the middle of it.
fn tell<M: Serialize>(runs: &mut Runs, tool: ToolId, event: &Event<M>, memory: &str, is_veiled: bool) -> Result<ToolAnswer, String> {
    let request = ToolEvent {
        tool: tool.info().name.to_owned(),
        event: protocol::encode(event).unwrap(),
        memory: memory.to_owned(),
        fields: String::new(),
        run: RunId(1),
        cursor: Cursor { position: 12, row: Some(RowId(0)), ..Cursor::default() },
        screen: Screen { is_veiled, ..Screen::default() },
        example: None,
        page: None,
    };
    tools::answer(&request, examples::find("tx2-table-1").unwrap().json, runs)
}

fn hidden_tools() -> impl Iterator<Item = ToolId> {
    ToolId::ALL.iter().copied().filter(|tool| tool.info().hides)
}

#[test]
fn veil_hides_the_tools_that_look_ahead() {
    let names: Vec<&str> = hidden_tools().map(|tool| tool.info().name).collect();
    assert_eq!(names, ["ask", "compare", "until", "rules", "measured", "figure"]);
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

/// What a tool was opened with under the veil counts once that is lifted.
#[test]
fn veil_keeps_the_word_that_a_tool_was_opened_with() {
    for tool in hidden_tools() {
        for word in ["", "policy=edf", "rule=X1", "until=completes&row=K3"] {
            let (mut runs, open) = (Runs::default(), Event::<()>::Opened(word.to_owned()));
            let memory = tell(&mut runs, tool, &open, "", true).unwrap().memory;
            let memory = tell::<()>(&mut runs, tool, &Event::Moved, &memory, true).unwrap().memory;
            assert!(memory.starts_with("veiled-word="), "{tool:?}: {memory}");
            let lifted = tell::<()>(&mut runs, tool, &Event::Moved, &memory, false);
            assert_eq!(lifted, tell(&mut Runs::default(), tool, &open, "", false), "{tool:?} {word}: as if it was opened now");
            assert!(lifted.is_err() || lifted.is_ok_and(|answer| !answer.memory.contains("veiled")), "{tool:?} {word}");
            let closed = tell::<()>(&mut runs, tool, &Event::Closed, &memory, true).unwrap();
            assert!(closed.view.is_empty() && !closed.memory.contains("veiled"), "{tool:?} {word}: it can be closed");
        }
    }
}

#[test]
fn veil_leaves_the_past_in_the_tables_of_the_run() {
    let mut lab = Lab::default();
    for id in ["tx2-table-1", "edf-fig-2a"] {
        let scenario = examples::find(id).unwrap().json;
        let draft = blockstep::format::read_scenario(scenario).unwrap();
        let scenario_of = blockstep::scenario::Scenario::new(&draft).unwrap();
        let run = blockstep::engine::simulate(&scenario_of, blockstep::engine::Limits::default()).unwrap();
        let steps = run.trace.steps();
        for position in (1..steps.len()).step_by(7) {
            let place = format!("position={position}&at={}", steps[position - 1].at.ns());
            for table in ["now", "blocks", "ops", "jobs"] {
                let fields = format!("table={table}");
                let mut told = |veil: &str| ask(&mut lab, ["words", "change:table", &fields, "", scenario, &format!("{place}{veil}")]).1;
                let (open, veiled) = (told(""), told("&veiled=1"));
                let cells =
                    |html: &str, kind: &str| html.split(kind).skip(1).map(|c| c.split('<').next().unwrap().to_owned()).collect::<Vec<_>>();
                // The buttons lead to no later step.
                let goes = veiled.split("data-go=\"").skip(1).map(|go| go.split('"').next().unwrap().parse::<usize>().unwrap());
                assert!(goes.into_iter().all(|go| go <= position), "{id} {table} {position}: {veiled}");
                let is_later = |text: &str| {
                    let is_of = |step: &blockstep::trace::Step| blockstep::view::quantity::format_time(step.at.ns()) == text;
                    steps[position..].iter().any(is_of) && !steps[..position].iter().any(is_of)
                };
                // The deadlines of released jobs are known.
                let known = if table == "jobs" { 5 } else { usize::MAX };
                let later = |html: &str| {
                    let of_row =
                        |row: &str| cells(row, "<td>").into_iter().enumerate().filter(|&(i, _)| i % known != 1).any(|(_, c)| is_later(&c));
                    html.split("<tr>").skip(2).any(of_row)
                };
                assert!(!later(&veiled), "{id} {table} {position}: {veiled}");
                assert!(veiled.contains("hidden until you have answered"));
                assert!(table != "blocks" || position > 20 || open.len() > veiled.len());
            }
        }
    }
}
