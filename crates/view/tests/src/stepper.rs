//! What a widget steps through: put together again, it is what the run has at each step.

use std::sync::Arc;

use blockstep_draw::figure::Style;
use blockstep_format::read_scenario;
use blockstep_report::stepper::{Part, Stepper, StepperBox};
use blockstep_sim::engine::Run;
use blockstep_sim::examples::{self, Example};
use blockstep_sim::record::Records;
use blockstep_sim::units::StreamId;
use blockstep_view::timeline::Timeline;

use blockstep_testing::stage::run;

fn stepper(run: &Run, most: usize) -> Stepper {
    let timeline = Timeline::new(&run.trace, &Arc::new(Records::new(&run.trace)));
    Stepper::new(run, &timeline, most, Style::default(), &|| true).unwrap()
}

/// The boxes after each step, as a widget puts them together.
fn boxes(of: &Stepper) -> Vec<Vec<&StepperBox>> {
    let mut now = Vec::new();
    let after = |change: &Vec<usize>| {
        now.resize(change[0], usize::MAX);
        change[1..].chunks(2).for_each(|pair| now[pair[0]] = pair[1]);
        now.iter().map(|&number| &of.boxes[number]).collect()
    };
    of.changes.iter().map(after).collect()
}

fn short() -> impl Iterator<Item = (&'static Example, Run)> {
    let runs = examples::all().map(|example| (example, run(&read_scenario(example.json).unwrap())));
    runs.filter(|(_, run)| run.trace.steps().len() < 500)
}

#[test]
fn boxes_hold_what_the_run_has_in_its_queues() {
    for (example, run) in short() {
        let (of, mut replay) = (stepper(&run, usize::MAX), run.replay());
        for (step, boxes) in boxes(&of).into_iter().enumerate() {
            let state = replay.seek(step as u32);
            let queued: usize = (0..run.trace.layout().streams().len()).map(|i| state.stream(StreamId::at(i)).queue.len()).sum();
            let sent: usize = boxes.iter().filter(|one| one.part == Part::Stream).map(|one| one.items.len() + one.more).sum();
            assert_eq!(sent, queued, "{} after {step}", example.id);
        }
    }
}

#[test]
fn a_beginning_has_the_same_steps_and_a_picture_of_its_own() {
    for (example, run) in short() {
        let (whole, count) = (stepper(&run, usize::MAX), run.trace.steps().len());
        let beginning = stepper(&run, count / 2);
        assert_eq!((beginning.said.len(), beginning.count, whole.said.len()), (count / 2 + 1, count, count + 1), "{}", example.id);
        assert_eq!(beginning.said, whole.said[..=count / 2], "{}", example.id);
        assert_eq!(boxes(&beginning), boxes(&whole)[..=count / 2], "{}", example.id);
        for of in [&whole, &beginning] {
            assert!(of.x.is_sorted() && of.x[0] > 0.0 && of.x[of.x.len() - 1] <= 1.0, "{}: {:?}", example.id, of.x);
        }
    }
}

#[test]
fn who_wants_it_no_more_gets_none() {
    let (_, run) = short().next().unwrap();
    let timeline = Timeline::new(&run.trace, &Arc::new(Records::new(&run.trace)));
    assert_eq!(Stepper::new(&run, &timeline, usize::MAX, Style::default(), &|| false), None);
}
