//! The queues as one flow: only what holds something, and nothing that the diagram does not have.

use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::scenario::{DeviceDraft, Scenario};
use blockstep_sim::units::{StepId, Time};
use blockstep_view::queues::{FlowView, QueueView, queues};

fn run(id: &str, device: Option<&str>) -> Run {
    let text = blockstep_sim::examples::find(id).unwrap().json;
    let mut draft = blockstep_format::read_scenario(text).unwrap();
    if let Some(device) = device {
        draft.device = DeviceDraft::BuiltIn(device.to_owned());
    }
    engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default())
}

fn views(run: &Run) -> Vec<QueueView> {
    let mut replay = run.replay();
    let last = |position: u32| position.checked_sub(1).map(|last| run.trace.step(StepId(last)));
    (0..=run.trace.steps().len() as u32).map(|position| queues(&run.trace, replay.seek(position), last(position), Time::ZERO, 12)).collect()
}

#[test]
fn flow_has_what_the_diagram_has_and_nothing_that_is_empty() {
    for id in ["tx2-table-1", "tx2-table-2", "edf-fig-1", "edf-six-processes"] {
        for view in views(&run(id, None)) {
            let flow = FlowView::new(&view);
            assert!(flow.streams.iter().chain(&flow.waiting).chain(&flow.engines).all(|line| !line.items.is_empty()));
            let items = |count: usize, hidden: usize| count + hidden;
            let shown: usize = flow.streams.iter().map(|line| items(line.items.len(), line.hidden)).sum();
            let all: usize = view.spaces.iter().flat_map(|space| &space.streams).map(|line| items(line.items.len(), line.hidden)).sum();
            assert_eq!(shown, all, "{id}");
            // What is folded has nothing to show.
            let Some(front) = view.spaces.iter().find(|space| space.is_front) else { continue };
            assert_eq!(flow.sms.iter().map(|sm| &sm.blocks).collect::<Vec<_>>(), front.sms.iter().map(|sm| &sm.blocks).collect::<Vec<_>>());
            assert_eq!(flow.hidden_sms, 0);
        }
    }
}

#[test]
fn flow_says_whose_turn_it_is_not() {
    let run = run("edf-fig-1", None);
    let all: Vec<FlowView> = views(&run).iter().map(FlowView::new).collect();
    let away = |flow: &FlowView| flow.waiting.iter().any(|line| line.is_away && line.note == "not its turn");
    assert!(all.iter().any(away), "a process waits for its turn");
    let run_names: Vec<&str> = run.trace.scenario().processes().iter().map(|process| process.name.as_str()).collect();
    let names = all.iter().flat_map(|flow| &flow.waiting).map(|line| line.name.trim_end_matches(", copies"));
    assert!({ names }.all(|name| run_names.contains(&name)), "a line is called by its process");
}

#[test]
fn flow_shows_the_sms_with_blocks_of_many() {
    let run = run("tx2-table-1", Some("a100"));
    for view in views(&run) {
        let flow = FlowView::new(&view);
        let busy = view.spaces[0].sms.iter().filter(|sm| !sm.blocks.is_empty()).count();
        assert_eq!(flow.sms.len() + flow.hidden_sms, 108);
        assert_eq!(flow.sms.iter().filter(|sm| !sm.blocks.is_empty()).count(), busy.min(8));
        assert!((1..=8).contains(&flow.sms.len()), "at least one, so that there is a GPU");
    }
}
