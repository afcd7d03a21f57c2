//! The panels as HTML: what they say of Table 1, and that no name is ever read as markup.

use blockstep::engine::{Limits, simulate};
use blockstep::examples;
use blockstep::format::read_scenario;
use blockstep::record::Records;
use blockstep::scenario::{Choice, KernelDraft, PolicyKind, ProcessDraft, Scenario};
use blockstep::units::{RowId, StepId, Time};
use blockstep::view::markup::Markup;
use blockstep::view::panels::{self, Look};
use blockstep::view::{position, queues, reason};

const LOOK: Look = Look { is_dark: false, selected: None };

/// The three panels after everything up to `at_ns`: queues, waiting, steps.
fn panels_at(draft: &blockstep::scenario::Draft, at_ns: u64, look: Look) -> (String, String, String) {
    let run = simulate(&Scenario::new(draft).unwrap(), Limits::default()).unwrap();
    let records = Records::new(&run.trace);
    let at = position::at_time(&run.trace, Time(at_ns));
    let mut replay = run.replay();
    let state = replay.seek(at).clone();
    let last = at.checked_sub(1).map(|i| run.trace.step(StepId(i)));
    let view = queues::queues(&run.trace, &state, last, Time::ZERO, 12);
    let list = reason::waiting(&run.trace, &records, &state, 100);
    let count = run.trace.steps().len() as u32;
    (panels::diagram(&view, look), panels::waiting(&run.trace, &list, look), panels::steps(&run.trace, 0..count, at, look))
}

/// Values of an attribute, in order.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    html.split(&format!(" {attribute}=\"")).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

/// The part of the diagram that is one queue.
fn queue<'a>(html: &'a str, name: &str) -> &'a str {
    let rest = html.split(&format!("data-queue=\"{name}\"")).nth(1).unwrap();
    rest.split("</ol>").next().unwrap()
}

#[test]
fn inset_d_of_table_1() {
    let draft = read_scenario(examples::first().json).unwrap();
    let (diagram, waiting, _) = panels_at(&draft, 3_020_000_000, LOOK);
    assert_eq!(values(queue(&diagram, "CE queue"), "data-item"), ["C2o"]);
    assert_eq!(values(queue(&diagram, "Copy engine"), "data-item"), ["C5o"]);
    assert_eq!(values(queue(&diagram, "Stream S1"), "data-item"), ["C2o", "C3i", "K3", "C3o"]);
    assert!(queue(&diagram, "EE queue, low priority").contains("empty"));
    assert_eq!(values(&diagram, "data-block"), ["K6:0", "K6:1"]);
    let waits = values(&waiting, "data-waits");
    assert_eq!(waits, ["C2o", "C3i", "K3", "C3o", "C6o"]);
}

#[test]
fn the_step_list_has_a_row_for_every_step() {
    let draft = read_scenario(examples::first().json).unwrap();
    let (_, _, steps) = panels_at(&draft, 1_000_000_000, LOOK);
    let go: Vec<u32> = values(&steps, "data-go").iter().map(|s| s.parse().unwrap()).collect();
    assert_eq!(go, (1..=go.len() as u32).collect::<Vec<_>>());
    assert_eq!(steps.matches("aria-current=\"step\"").count(), 1);
    assert_eq!(values(&steps, "data-rule").len(), go.len());
}

#[test]
fn a_selection_is_marked_everywhere() {
    let draft = read_scenario(examples::first().json).unwrap();
    let (diagram, waiting, steps) = panels_at(&draft, 800_000_000, Look { is_dark: true, selected: Some(RowId(3)) });
    let marked = |html: &str, class: &str| html.matches(class).count();
    assert_eq!(marked(&diagram, " is-selected"), 2, "K4 in stream S2 and in the EE queue");
    assert!(marked(&diagram, " is-dimmed") > 5);
    assert_eq!(marked(&waiting, "waiting selected"), 1);
    assert!(marked(&steps, " selected\"") > 5);
}

#[test]
fn tasks_name_their_process_where_there_are_several() {
    let mut draft = read_scenario(examples::first().json).unwrap();
    assert!(!panels_at(&draft, 0, LOOK).0.contains("process P1"));
    draft.processes = vec![ProcessDraft::named("P0"), ProcessDraft::named("P1")];
    draft.tasks[1].process = Some("P1".to_owned());
    let (diagram, ..) = panels_at(&draft, 0, LOOK);
    assert!(diagram.contains("process P0") && diagram.contains("process P1"), "{diagram}");
}

#[test]
fn names_are_never_markup() {
    let evil = "<img src=x onerror=alert(1)>\"'&";
    let mut draft = read_scenario(examples::first().json).unwrap();
    draft.kernels.push(KernelDraft { stream: evil.to_owned(), ..KernelDraft::named(evil, 1, 2048 / 2, 7) });
    draft.processes = vec![ProcessDraft::named(evil)];
    draft.tasks[0].name = evil.to_owned();
    draft.kernels.iter_mut().for_each(|k| k.task = None);
    for kind in PolicyKind::ALL {
        draft.policy.kind = *kind;
        let (diagram, waiting, steps) = panels_at(&draft, 0, LOOK);
        for html in [diagram, waiting, steps] {
            assert!(!html.contains("<img") && html.contains("&lt;img"), "{html}");
        }
    }
}

#[test]
fn markup_is_well_formed() {
    let mut html = Markup::new();
    html.open("div", &[("class", ""), ("title", "a\"b<c>&")]).leaf("b", &[], "1 < 2").open("i", &[]);
    assert_eq!(html.finish(), "<div title=\"a&quot;b&lt;c&gt;&amp;\"><b>1 &lt; 2</b><i></i></div>");
}
