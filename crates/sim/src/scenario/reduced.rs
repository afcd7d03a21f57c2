//! Which dependencies of tasks say nothing that others do not say already.
//!
//! Depends on the rest of `scenario`. Invariant: along the dependencies that are kept the same tasks are reached as along all of them
//! (the transitive reduction); finding that out costs no more than [`MOST_WORK`], or all are kept.

use super::Task;
use crate::units::TaskId;

/// Tasks with so few dependencies each are left as they are.
const FEW: usize = 2;
/// Words of 64 tasks that are looked at, at most.
const MOST_WORK: usize = 100_000_000;
/// Words that are kept meanwhile, at most: 32 MB.
const MOST_WORDS: usize = 4_000_000;

/// Producers and consumers of each task that are reached by no detour.
#[derive(Clone, Debug)]
pub(super) struct Reduced {
    pub(super) producers: Vec<Vec<TaskId>>,
    pub(super) consumers: Vec<Vec<TaskId>>,
}

impl Reduced {
    /// Reduces what tasks consume, who wait for each other in no circle; `None` where it is not worth it.
    pub(super) fn from_tasks(tasks: &[Task]) -> Option<Self> {
        let words = tasks.len().div_ceil(64);
        let all: usize = tasks.iter().map(|task| task.consumes.len()).sum();
        if all <= FEW * tasks.len() || words.saturating_mul(tasks.len()) > MOST_WORDS {
            return None;
        }
        let order = producers_first(tasks);
        let mut places = vec![0; tasks.len()];
        for (place, &task) in order.iter().enumerate() {
            places[task] = place;
        }
        // By place: those that it waits for, directly or not, by their places.
        let mut reached = vec![0_u64; words * tasks.len()];
        let (mut producers, mut consumers) = (vec![Vec::new(); tasks.len()], vec![Vec::new(); tasks.len()]);
        let mut work = 0;
        for (place, &task) in order.iter().enumerate() {
            // Whoever is reached through another one comes before that.
            let mut direct: Vec<usize> = tasks[task].consumes.iter().map(|producer| places[producer.index()]).collect();
            direct.sort_unstable_by(|a, b| b.cmp(a));
            let (before, rest) = reached.split_at_mut(place * words);
            let own = &mut rest[..words];
            for producer in direct {
                if own[producer / 64] >> (producer % 64) & 1 == 1 {
                    continue;
                }
                work += words;
                if work > MOST_WORK {
                    return None;
                }
                own[producer / 64] |= 1 << (producer % 64);
                let further = &before[producer * words..][..words];
                own.iter_mut().zip(further).for_each(|(own, further)| *own |= further);
                producers[task].push(TaskId::at(order[producer]));
                consumers[order[producer]].push(TaskId::at(task));
            }
        }
        let kept: usize = producers.iter().map(Vec::len).sum();
        (kept < all).then_some(Self { producers, consumers })
    }
}

/// All tasks, each after those that it waits for.
fn producers_first(tasks: &[Task]) -> Vec<usize> {
    let mut left: Vec<usize> = tasks.iter().map(|task| task.consumes.len()).collect();
    let mut order: Vec<usize> = (0..tasks.len()).filter(|&task| left[task] == 0).collect();
    let mut next = 0;
    while let Some(&task) = order.get(next) {
        next += 1;
        for consumer in &tasks[task].consumers {
            left[consumer.index()] -= 1;
            if left[consumer.index()] == 0 {
                order.push(consumer.index());
            }
        }
    }
    order
}
