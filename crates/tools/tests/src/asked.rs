//! The worker asked as the page asks it, and what its answers show.

use blockstep_protocol::{self as protocol, Ask, Message, Reply, RunId};
use blockstep_view::panels::results::ResultsPanel;
use blockstep_view::panels::sheet::Chart;
use blockstep_worker::Worker;

/// Asks a worker as the page does: everything goes from one to the other in bytes.
pub fn ask<A: Ask>(worker: &mut Worker, scenario: Option<(RunId, &str)>, request: A) -> Result<A::Answer, String> {
    let message = Message { scenario: scenario.map(|(run, text)| (run, text.to_owned())), request: request.into_request() };
    let message = protocol::decode(&protocol::encode(&message).unwrap()).unwrap();
    let reply = worker.answer(message, &mut |_, _| ());
    match protocol::decode(&protocol::encode(&reply).unwrap()).unwrap() {
        Reply::Done(response) => Ok(A::answer(response).unwrap()),
        Reply::Failed(why) => Err(why),
        Reply::Progress(progress) => panic!("{progress:?}"),
    }
}

/// Every picture of a panel.
pub fn charts(panel: &ResultsPanel) -> Vec<&Chart> {
    let responses = panel.responses.iter().flat_map(|of| of.times.iter().map(|times| &times.figure).chain(&of.histograms));
    let blocks = panel.blocks.iter().flat_map(|of| {
        let processes = of.processes.iter().map(|processes| &processes.figure);
        of.times.iter().map(|times| &times.figure).chain(processes).chain(&of.threads)
    });
    responses.chain(blocks).map(|figure| &figure.chart).collect()
}
