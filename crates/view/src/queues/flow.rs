//! The queues as one flow: streams, what waits in line, and what is on the GPU. What holds nothing is not in it.
//!
//! Depends on the rest of `queues`. Invariants: every operation and block that it shows is in the diagram, too; the blocks are those of
//! the address space to look at.

use super::{BlockGroup, QueueBox, QueueView, QueuedOp, SmView, SpaceView};
use crate::quantity::format_count;
use blockstep_sim::scenario::{Choice, StreamPriority};

/// SMs that are shown at most.
const MAX_SMS: usize = 8;
/// Operations of a line that are shown at most.
const MAX_IN_LINE: usize = 5;

/// The whole flow, from left to right.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowView {
    /// Streams that hold something.
    pub streams: Vec<FlowLine>,
    /// EE and CE queues that hold something.
    pub waiting: Vec<FlowLine>,
    /// SMs, those with blocks first to be kept where there are many.
    pub sms: Vec<FlowSm>,
    /// SMs that are not shown.
    pub hidden_sms: usize,
    /// Copy engines at work.
    pub engines: Vec<FlowLine>,
}

/// Operations one after another, head first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowLine {
    /// `S1`, `EE queue`, `Copy engine`; where processes take turns the process of a line, and with its name a stream.
    pub name: String,
    /// What else there is to say: a priority, that its process has not got the GPU.
    pub note: String,
    /// Operations, head first.
    pub items: Vec<QueuedOp>,
    /// Operations behind those.
    pub hidden: usize,
    /// Whether its process may not execute now.
    pub is_away: bool,
}

/// An SM.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlowSm {
    /// `SM 0`.
    pub name: String,
    /// Its blocks.
    pub blocks: Vec<BlockGroup>,
    /// Threads free.
    pub free: u64,
    /// All its threads.
    pub total: u64,
}

impl FlowSm {
    /// What is free, in words; `None` if nothing is.
    #[must_use]
    pub fn free_in_words(&self) -> Option<String> {
        (self.free > 0).then(|| format!("{} free", format_count(self.free)))
    }
}

impl FlowView {
    /// The flow of a diagram.
    #[must_use]
    pub fn new(view: &QueueView) -> Self {
        let is_away = |space: &SpaceView| space.residency.is_some_and(|residency| !residency.is_resident());
        let several = view.spaces.len() > 1;
        let (mut streams, mut waiting) = (Vec::new(), Vec::new());
        for space in &view.spaces {
            let away = is_away(space);
            for stream in space.streams.iter().filter(|stream| !stream.items.is_empty()) {
                let priority = if stream.priority == StreamPriority::None { "" } else { stream.priority.word() };
                let name = if several { format!("{} {}", space.name, stream.label) } else { stream.label.clone() };
                streams.push(line(&name, priority, &stream.items, stream.hidden, away));
            }
            let mut push = |queue: &QueueBox, kind: &str| {
                if !queue.items.is_empty() {
                    // Whose it is says more than what it is called.
                    let name = if several { format!("{}{kind}", space.name) } else { queue.label.clone() };
                    waiting.push(line(&name, if away { "not its turn" } else { "" }, &queue.items, queue.hidden, away));
                }
            };
            space.ee.iter().for_each(|queue| push(queue, ""));
            space.ce.iter().for_each(|queue| push(queue, ", copies"));
        }
        // Of many address spaces that to look at may be spelt out no more, once nothing is in it.
        let front = view.spaces.iter().find(|space| space.is_front).or_else(|| view.spaces.iter().find(|space| !space.is_folded));
        let Some(front) = front else { return Self { streams, waiting, ..Self::default() } };
        let all = front.sms.len() + front.hidden_sms;
        // Of many SMs those with blocks are shown.
        let mut shown: Vec<&SmView> = front.sms.iter().collect();
        if all > MAX_SMS {
            shown.retain(|sm| !sm.blocks.is_empty());
            if shown.is_empty() {
                shown.extend(front.sms.first());
            }
            shown.truncate(MAX_SMS);
        }
        let sm = |sm: &&SmView| FlowSm {
            name: format!("SM {}", sm.sm.0),
            blocks: sm.blocks.clone(),
            free: sm.threads.free,
            total: sm.threads.total,
        };
        let engines = front.engines.iter().filter_map(|engine| {
            let item = engine.item.clone()?;
            Some(line(&engine.label, "", &[item], 0, false))
        });
        Self { streams, waiting, hidden_sms: all - shown.len(), sms: shown.iter().map(sm).collect(), engines: engines.collect() }
    }

    /// All of it in words, for whoever does not see it.
    #[must_use]
    pub fn in_words(&self) -> String {
        let line = |line: &FlowLine| {
            let items: Vec<_> = line.items.iter().map(|item| item.label.as_str()).collect();
            format!("{}: {}", line.name, items.join(", "))
        };
        let sm = |sm: &FlowSm| {
            let blocks: Vec<_> = sm.blocks.iter().map(|group| group.label.as_str()).collect();
            let blocks = if blocks.is_empty() { "no blocks".to_owned() } else { blocks.join(", ") };
            format!("{}: {blocks}; {} of {} threads free", sm.name, format_count(sm.free), format_count(sm.total))
        };
        let streams = self.streams.iter().map(|stream| format!("stream {}", line(stream)));
        let rest = self.waiting.iter().chain(&self.engines).map(line);
        streams.chain(rest).chain(self.sms.iter().map(sm)).collect::<Vec<_>>().join(". ")
    }
}

fn line(name: &str, note: &str, items: &[QueuedOp], hidden: usize, is_away: bool) -> FlowLine {
    let shown = items.len().min(MAX_IN_LINE);
    FlowLine { name: name.to_owned(), note: note.to_owned(), items: items[..shown].to_vec(), hidden: hidden + items.len() - shown, is_away }
}
