//! While a question is open no tool tells what comes after the step.

use blockstep::examples;
use blockstep::lab::{Lab, Part};

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
    for tool in ["ask", "figure", "measured", "rules", "until"] {
        let (mut memory, mut html) = (String::new(), String::new());
        for event in ["open:", "move", "change:rule", "do:next"] {
            (memory, html) = ask(&mut lab, [tool, event, "", &memory, scenario, "position=12&at=0&row=0&veiled=1"]);
            assert_eq!(html, "<p class=\"tool-note\">Hidden until you have answered.</p>", "{tool} {event}");
        }
        let (_, told) = ask(&mut lab, [tool, "move", "", &memory, scenario, "position=12&at=0&row=0"]);
        assert!(told.len() > html.len() && !told.contains("Hidden until"), "{tool}: {told}");
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
