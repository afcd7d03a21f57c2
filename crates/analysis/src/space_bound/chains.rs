//! For how long a job takes whose operations stand in streams (docs/bounds.md, lemmas 8 to 11).
//!
//! Depends on `waits`. Invariant: as there.

use super::NoBound;
use super::load::{Load, SM, Transfer, stream_of};
use super::waits::{Responses, Way, jobs, work};
use blockstep_sim::scenario::KernelRow;
use blockstep_sim::units::{RowId, TaskId};

/// What is asked again in each round, computed once.
pub(super) struct Chains<'l, 's> {
    load: &'l Load<'s>,
    ways: Vec<Way<'l, 's>>,
    /// By kernel, from joining its EE queue until it is complete, if that depends on no response.
    fixed: Vec<Option<u64>>,
    /// By row, places in the lists of kernels and copies.
    parts: Vec<(Option<usize>, Vec<usize>)>,
    /// By stream, the tasks with operations in it.
    users: Vec<Vec<TaskId>>,
}

impl<'l, 's> Chains<'l, 's> {
    pub(super) fn new(load: &'l Load<'s>) -> Self {
        let scenario = load.scenario;
        let ways: Vec<Way<'_, '_>> = (0..load.kernels.len()).map(|kernel| Way::new(load, kernel)).collect();
        let mut parts = vec![(None, Vec::new()); scenario.rows().len()];
        load.kernels.iter().enumerate().for_each(|(i, kernel)| parts[kernel.row.index()].0 = Some(i));
        load.copies.iter().enumerate().for_each(|(i, copy)| parts[copy.row.index()].1.push(i));
        let mut users: Vec<Vec<TaskId>> = vec![Vec::new(); scenario.streams().len()];
        for row in scenario.rows().iter().filter(|row| row.call.has_operation()) {
            let users = &mut users[stream_of(scenario, row)];
            if !users.contains(&row.task) {
                users.push(row.task);
            }
        }
        let mut chains = Self { load, ways, fixed: Vec::new(), parts, users };
        let nothing = vec![None; scenario.tasks().len()];
        let is_fixed = |kernel: usize| load.kernels[kernel].is_high || !load.kernels.iter().any(|other| other.is_high);
        chains.fixed = (0..load.kernels.len()).map(|kernel| chains.kernel(kernel, &nothing).filter(|_| is_fixed(kernel))).collect();
        chains
    }

    /// From joining its EE queue until a kernel is complete, ns (lemma 7).
    fn kernel(&self, kernel: usize, responses: &Responses) -> Option<u64> {
        if let Some(Some(time)) = self.fixed.get(kernel) {
            return Some(*time);
        }
        let end = |(before, time): &(_, u64)| self.ways[kernel].wait(before, responses)?.checked_add(*time);
        self.load.kernels[kernel].last.iter().map(end).try_fold(0, |most, end| Some(end?.max(most)))
    }

    /// Copies of another stream that may have the engine or a place in the queue of a copy.
    fn ahead(&self, own: &'l Transfer, stream: usize) -> impl Iterator<Item = &'l Transfer> {
        let load = self.load;
        let others = if stream == own.stream { &[][..] } else { &load.copies_in[stream] };
        others.iter().map(|&copy| &load.copies[copy]).filter(|other| other.queue == own.queue && !load.are_in_turn(own.row, other.row))
    }

    /// From joining its CE queue until a copy is complete, ns (lemma 3).
    fn copy(&self, copy: usize) -> Option<u64> {
        let own = &self.load.copies[copy];
        let longest = |stream| self.ahead(own, stream).map(|other| other.time).max().unwrap_or(0);
        (0..self.load.copies_in.len()).map(longest).try_fold(own.time, u64::checked_add)
    }

    /// From the head of its stream until a row is complete, ns.
    fn row(&self, row: RowId, responses: &Responses) -> Option<u64> {
        let (kernel, copies) = &self.parts[row.index()];
        let kernel = kernel.map_or(Some(0), |kernel| self.kernel(kernel, responses))?;
        copies.iter().map(|&copy| self.copy(copy)).try_fold(kernel, |sum, copy| sum.checked_add(copy?))
    }

    /// The response time of a job, if `responses` hold of all others and of the ones before (lemmas 8 to 11).
    pub(super) fn response(&self, id: TaskId, responses: &Responses) -> Result<u64, NoBound> {
        let scenario = self.load.scenario;
        let rows: Vec<RowId> = scenario.task(id).rows.iter().copied().filter(|&row| scenario.row(row).call.has_operation()).collect();
        for &row in &rows {
            self.check(id, row, responses)?;
        }
        let mut ends: Vec<Option<u64>> = vec![None; scenario.rows().len()];
        let mut waiting = rows.clone();
        while !waiting.is_empty() {
            let before = waiting.len();
            let mut failed = None;
            waiting.retain(|&row| match self.end(row, &rows, &ends, responses) {
                Some(Ok(end)) => {
                    ends[row.index()] = Some(end);
                    false
                }
                Some(Err(why)) => {
                    failed.get_or_insert(why);
                    true
                }
                None => true,
            });
            if let Some(why) = failed {
                return Err(why);
            }
            if waiting.len() == before {
                return Err(NoBound::Beyond);
            }
        }
        let mut most = 0;
        let mut streams: Vec<usize> = rows.iter().map(|&row| stream_of(scenario, scenario.row(row))).collect();
        streams.sort_unstable();
        streams.dedup();
        for stream in streams {
            let of_stream: Vec<RowId> = rows.iter().copied().filter(|&row| stream_of(scenario, scenario.row(row)) == stream).collect();
            let end = of_stream.iter().filter_map(|row| ends[row.index()]).max().unwrap_or(0);
            let is_chain = |&row: &RowId| scenario.row(row).after.is_none();
            let together = if of_stream.iter().all(is_chain) && self.users[stream].len() == 1 {
                self.together(id, stream, &of_stream, responses)
            } else {
                None
            };
            most = most.max(together.map_or(end, |together| together.min(end)));
        }
        Ok(most)
    }

    /// Why a row has no bound, if it has none.
    fn check(&self, id: TaskId, row: RowId, responses: &Responses) -> Result<(), NoBound> {
        let scenario = self.load.scenario;
        let stream = stream_of(scenario, scenario.row(row));
        if let Some(&other) = self.users[stream].iter().find(|&&other| other != id && responses[other.index()].is_none()) {
            return Err(NoBound::SharedStream { row, other });
        }
        if self.row(row, responses).is_some() {
            return Ok(());
        }
        let own = self.parts[row.index()].0.map(|kernel| &self.load.kernels[kernel]);
        let ahead = self.load.kernels.iter().find(|other| {
            let task = scenario.row(other.row).task;
            own.is_some_and(|own| !own.is_high) && other.is_high && task != id && jobs(self.load, task, 1, responses).is_none()
        });
        Err(ahead.map_or(NoBound::Starved(row), |other| NoBound::Ahead { row, other: scenario.row(other.row).task }))
    }

    /// When a row is complete at the latest, from the release of its job, ns; `None` if that of another row has to be known before
    /// (lemma 9).
    fn end(&self, id: RowId, rows: &[RowId], ends: &[Option<u64>], responses: &Responses) -> Option<Result<u64, NoBound>> {
        let scenario = self.load.scenario;
        let row = scenario.row(id);
        let stream = stream_of(scenario, row);
        let issued = match row.after {
            Some(after) => ends[after.index()]?,
            None => 0,
        };
        let (mut is_in_order, mut latest, mut ahead) = (true, 0, Some(0_u64));
        for &other in rows.iter().filter(|&&other| other != id && stream_of(scenario, scenario.row(other)) == stream) {
            match self.order(other, id) {
                Order::Complete => latest = ends[other.index()]?.max(latest),
                Order::Before => {
                    latest = ends[other.index()]?.max(latest);
                    ahead = ahead.and_then(|sum| sum.checked_add(self.row(other, responses)?));
                }
                Order::Unknown => {
                    is_in_order = false;
                    ahead = ahead.and_then(|sum| sum.checked_add(self.row(other, responses)?));
                }
                Order::Behind => {}
            }
        }
        let end = || {
            let issued = issued.checked_add(row.start.ns())?;
            let foreign = |&task: &TaskId| {
                let theirs = scenario.task(task).rows.iter().filter(|&&other| stream_of(scenario, scenario.row(other)) == stream);
                theirs.map(|&other| self.row(other, responses)).try_fold(0_u64, |sum, time| sum.checked_add(time?))
            };
            let others = self.users[stream].iter().filter(|&&task| task != row.task).map(foreign);
            let own = others.chain([self.row(id, responses)]).try_fold(0_u64, |sum, time| sum.checked_add(time?))?;
            let by_sum = ahead.and_then(|ahead| issued.checked_add(ahead)?.checked_add(own));
            let by_last = issued.max(latest).checked_add(own).filter(|_| is_in_order);
            [by_sum, by_last].into_iter().flatten().min()
        };
        Some(end().ok_or(NoBound::Beyond))
    }

    /// Where one of two rows of a job in one stream stands, seen from the other.
    fn order(&self, of: RowId, from: RowId) -> Order {
        let scenario = self.load.scenario;
        let (a, b) = (scenario.row(of), scenario.row(from));
        let is_above =
            |above: RowId, row: &KernelRow| std::iter::successors(row.after, |&row| scenario.row(row).after).any(|row| row == above);
        if is_above(of, b) {
            Order::Complete
        } else if is_above(from, a) {
            Order::Behind
        } else if a.after != b.after {
            Order::Unknown
        } else if (a.start, of) < (b.start, from) {
            Order::Before
        } else {
            Order::Behind
        }
    }

    /// The same of a stream that the task has to itself and whose rows are all issued at the release: no job of another task, and no block of
    /// one, keeps the job waiting more than once (lemma 10).
    fn together(&self, id: TaskId, stream: usize, rows: &[RowId], responses: &Responses) -> Option<u64> {
        let load = self.load;
        let window = responses[id.index()]?;
        let kernels: Vec<usize> = rows.iter().filter_map(|row| self.parts[row.index()].0).collect();
        let mut sum = 0_u64;
        let mut single = 0_u64;
        for &kernel in &kernels {
            sum = sum.checked_add(load.kernels[kernel].longest())?;
            single = single.checked_add(self.kernel(kernel, responses)?)?;
        }
        let waits = self.waits(id, stream, &kernels, window, responses);
        let mut total = waits.and_then(|waits| waits.checked_add(sum)).map_or(single, |together| together.min(single));
        let starts = rows.iter().map(|&row| load.scenario.row(row).start.ns());
        total = total.checked_add(starts.max().unwrap_or(0))?;
        for queue in 0..2 {
            let own: Vec<usize> = rows.iter().flat_map(|row| &self.parts[row.index()].1).copied().collect();
            let own: Vec<usize> = own.into_iter().filter(|&copy| load.copies[copy].queue == queue).collect();
            let single = own.iter().map(|&copy| self.copy(copy)).try_fold(0_u64, |sum, time| sum.checked_add(time?))?;
            let mut together = own.iter().map(|&copy| load.copies[copy].time).try_fold(0_u64, u64::checked_add)?;
            for copies in load.copies_in.iter().enumerate().filter(|(other, _)| *other != stream).map(|(_, copies)| copies) {
                let can_be = copies.iter().map(|&copy| &load.copies[copy]).filter(|copy| copy.queue == queue);
                let times = can_be.map(|copy| (u128::from(copy.time), self.count(id, copy.row, window, responses)));
                together = together.checked_add(u64::try_from(greatest(own.len() as u64, times.collect())?).ok()?)?;
            }
            total = total.checked_add(together.min(single))?;
        }
        Some(total)
    }

    /// How many times a row can have operations in a window; `None`: any number.
    fn count(&self, id: TaskId, row: RowId, window: u64, responses: &Responses) -> Option<u64> {
        let task = self.load.scenario.row(row).task;
        if task == id { Some(1) } else { jobs(self.load, task, window, responses) }
    }

    /// For how long kernels of one stream wait in the EE queue, all together.
    fn waits(&self, id: TaskId, stream: usize, kernels: &[usize], window: u64, responses: &Responses) -> Option<u64> {
        let load = self.load;
        let &first = kernels.first()?;
        let is_high = load.kernels[first].is_high;
        let full = load.full(kernels.iter().flat_map(|&kernel| load.heads(kernel)));
        let whole = |kernel: usize| work(load.weight(kernel, full), &load.kernels[kernel].blocks, u64::MAX, u64::MAX);
        let mut area = 0_u128;
        for &kernel in kernels {
            let mut before =
                load.kernels[kernel].last.iter().map(|(before, _)| work(load.weight(kernel, full), before, u64::MAX, u64::MAX));
            area = area.checked_add(before.try_fold(0, |most, area| Some(area?.max(most)))?)?;
        }
        let waits = kernels.len() as u64;
        for (_, others) in load.kernels_in.iter().enumerate().filter(|(other, _)| *other != stream) {
            let mut times = Vec::new();
            for &other in others {
                let it = &load.kernels[other];
                let count = self.count(id, it.row, window, responses);
                if it.is_high && !is_high {
                    area = area.checked_add(whole(other)?.checked_mul(count?.into())?)?;
                } else if is_high && !it.is_high {
                    times.push((work(load.weight(other, full), &it.blocks, it.held, u64::MAX)?, None));
                } else {
                    times.push((whole(other)?, count));
                }
            }
            area = area.checked_add(greatest(waits, times)?)?;
        }
        u64::try_from(area / u128::from(load.scenario.device().sms).checked_mul(SM)?).ok()
    }
}

/// What comes before what in a stream.
enum Order {
    /// Complete before the other one is issued.
    Complete,
    /// Issued before it.
    Before,
    /// Issued behind it.
    Behind,
    /// Depends on when others are complete.
    Unknown,
}

/// The sum of the `count` greatest, each of which is there as often as is said with it, or as often as one likes.
fn greatest(count: u64, mut of: Vec<(u128, Option<u64>)>) -> Option<u128> {
    of.sort_unstable_by_key(|(each, _)| std::cmp::Reverse(*each));
    let (mut left, mut sum) = (count, 0_u128);
    for (each, times) in of {
        let taken = times.map_or(left, |times| times.min(left));
        sum = sum.checked_add(each.checked_mul(taken.into())?)?;
        left -= taken;
    }
    Some(sum)
}
