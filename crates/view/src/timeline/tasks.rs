//! The lanes of tasks: jobs as thin bars from release to completion, releases and deadlines as
//! arrows, what servers got as diamonds, when they pay as a line at the foot; where the CPU thread is in a call
//! that waits, a line at the top. Source: [EDF] Fig. 1 and 2 for the arrows.
//!
//! Depends on `trace`, `record` and `frame`. Invariants: jobs of a lane are in order of release;
//! marks nearer than a gap are one, and bars narrower than it are joined, so that the number of
//! drawing calls depends on the picture's size; a deadline that is missed is never hidden.

use super::places::LaneRow;
use super::{Hit, LABEL_CHAR_PX, REACH_PX};
use crate::frame::{BarFrame, FOOT_PX, JobMark, LaneFrame, MarkFrame, TaskFrame};
use crate::time_scale::TimeScale;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Class, Turns};
use blockstep_sim::trace::Trace;
use blockstep_sim::units::{SpaceId, Span, Time, TimeRange};

/// Most drawing calls that tasks may take in one frame.
pub(super) const MAX_TASK_CALLS: usize = 3_000;
/// Marks nearer than this are one; doubled as often as the budget asks.
const GAP_PX: f64 = 5.0;
/// Rows of bars for jobs of one task that overlap.
const ROWS: usize = 3;
/// From a mark's place to where it can be pointed at.
const MARK_REACH_PX: f64 = 2.0 * REACH_PX;

#[derive(Debug)]
pub(super) struct TaskLane {
    name: String,
    space: SpaceId,
    jobs: Vec<Job>,
    /// Latest end or deadline of the jobs up to each.
    reach: Vec<Time>,
    /// How many rows of bars it needs.
    rows: usize,
    /// Into `Records::refills`.
    refills: Vec<u32>,
    /// When its server paid.
    charges: Vec<TimeRange>,
    /// When its CPU thread waited in a call.
    waits: Vec<TimeRange>,
}

#[derive(Debug)]
struct Job {
    record: u32,
    row: u8,
}

/// The lanes of tasks that have deadlines or are scheduled by them, or whose calls wait or take time.
pub(super) fn lanes(trace: &Trace, records: &Records) -> Vec<TaskLane> {
    let scenario = trace.scenario();
    let mut place = Vec::new();
    let mut lanes = Vec::new();
    for task in scenario.tasks() {
        let is_shown = task.calls_in_turn
            || task.deadline.is_some()
            || task.class == Class::RealTime
            || scenario.policy().kind.turns() == Turns::Deadlines;
        place.push(is_shown.then_some(lanes.len()));
        if is_shown {
            let spaces = trace.layout().spaces();
            let space = SpaceId::at(spaces.iter().position(|s| s.processes.contains(&task.process)).unwrap_or(0));
            let name = task.name.clone();
            let lane = TaskLane {
                name,
                space,
                jobs: Vec::new(),
                reach: Vec::new(),
                rows: 1,
                refills: Vec::new(),
                charges: Vec::new(),
                waits: Vec::new(),
            };
            lanes.push((lane, [Time::ZERO; ROWS]));
        }
    }
    for (i, job) in records.jobs.iter().enumerate() {
        let Some((lane, free_from)) = place[job.task.index()].map(|p| &mut lanes[p]) else { continue };
        let end = job.end.unwrap_or(records.end());
        let row = free_from.iter().position(|&from| from <= job.release).unwrap_or(ROWS - 1);
        free_from[row] = free_from[row].max(end);
        lane.rows = lane.rows.max(row + 1);
        let reach = end.max(job.deadline.unwrap_or(end)).max(lane.reach.last().copied().unwrap_or(end));
        lane.reach.push(reach);
        lane.jobs.push(Job { record: i as u32, row: row as u8 });
    }
    for (i, refill) in records.refills.iter().enumerate() {
        if let Some((lane, _)) = place[scenario.claimant(refill.claimant).task.index()].map(|p| &mut lanes[p]) {
            lane.refills.push(i as u32);
        }
    }
    for call in &records.calls {
        if let Some((lane, _)) = place[scenario.row(call.row).task.index()].map(|p| &mut lanes[p]) {
            lane.waits.push(TimeRange::new(call.made, call.returned.unwrap_or(records.end())));
        }
    }
    // Without servers nobody pays.
    for &(claimant, range) in records.charges.iter().filter(|_| !records.refills.is_empty()) {
        if let Some((lane, _)) =
            place[scenario.claimant(claimant).task.index()].map(|p| &mut lanes[p]).filter(|_| trace.budget(claimant) > Span::ZERO)
        {
            lane.charges.push(range);
        }
    }
    lanes.into_iter().map(|(lane, _)| lane).collect()
}

/// The lanes at a scale.
pub(super) fn frames(lanes: &[TaskLane], rows: &[LaneRow], records: &Records, scale: &TimeScale) -> Vec<TaskFrame> {
    let mut gap = GAP_PX;
    loop {
        let frames: Vec<TaskFrame> = rows.iter().map(|row| Painter { records, scale, gap }.frame(lanes, row)).collect();
        if frames.iter().map(TaskFrame::cost).sum::<usize>() <= MAX_TASK_CALLS || gap >= scale.width_px() {
            return frames;
        }
        gap *= 2.0;
    }
}

/// What is at a point of a lane.
pub(super) fn hit(frame: &TaskFrame, x: f64, y: f64) -> Option<Hit> {
    let off = |mark: &MarkFrame| (mark.x - x).abs().max((mark.mark.y(&frame.lane) - y).abs());
    // Of marks equally near the one painted last.
    let mark = frame.marks.iter().rev().min_by(|a, b| off(a).total_cmp(&off(b))).filter(|mark| off(mark) <= MARK_REACH_PX);
    let is_in = |bar: &&BarFrame| (bar.x0 - REACH_PX..=bar.x1 + REACH_PX).contains(&x) && (bar.y0 - 1.0..=bar.y1 + 1.0).contains(&y);
    let away = |bar: &BarFrame| (bar.x0 - x).max(x - bar.x1).max(0.0);
    let bar = || frame.bars.iter().filter(is_in).min_by(|a, b| away(a).total_cmp(&away(b))).and_then(|bar| bar.hit);
    mark.map(|mark| mark.hit).or_else(bar)
}

#[derive(Clone, Copy)]
struct Painter<'a> {
    records: &'a Records,
    scale: &'a TimeScale,
    gap: f64,
}

impl Painter<'_> {
    fn frame(self, lanes: &[TaskLane], (range, y, height): &LaneRow) -> TaskFrame {
        let lanes = &lanes[range.clone()];
        let letters = letters(self.scale);
        let label = match lanes {
            [lane] => shortened(&lane.name, letters),
            _ => format!("+{}{}", lanes.len(), if letters < 9 { "" } else { " tasks" }),
        };
        let ground = LaneFrame { label, sub_label: String::new(), y: *y, height: *height, count: lanes.len() };
        let mut frame =
            TaskFrame { lane: ground, space: lanes[0].space, bars: Vec::new(), charges: Vec::new(), waits: Vec::new(), marks: Vec::new() };
        if let [lane] = lanes {
            self.add_bars(&mut frame, lane);
            frame.charges = self.lines(&lane.charges);
            frame.waits = self.lines(&lane.waits);
        }
        let mut marks = [const { Marks { list: Vec::new(), until: Time::ZERO } }; KINDS];
        for lane in lanes {
            marks.iter_mut().for_each(|marks| marks.until = Time::ZERO);
            self.add_marks(&mut marks, lane, lanes.len() == 1);
        }
        frame.marks = marks.into_iter().flat_map(|marks| marks.list).collect();
        frame
    }

    /// The jobs that may be in view.
    fn near<'l>(&self, lane: &'l TaskLane) -> &'l [Job] {
        let visible = self.scale.visible();
        let first = lane.reach.partition_point(|&reach| reach < visible.start);
        let last = lane.jobs.partition_point(|job| self.records.jobs[job.record as usize].release <= visible.end);
        &lane.jobs[first.min(last)..last]
    }

    fn add_bars(self, frame: &mut TaskFrame, lane: &TaskLane) {
        let rows = lane.rows as f64;
        let height = [9.0_f64, 6.0, 4.5][lane.rows - 1].min((frame.lane.height - FOOT_PX - 1.0) / rows - 1.0);
        // By row: the last bar, and whether it stands for several or is narrow.
        let mut last: [Option<(usize, bool)>; ROWS] = [None; ROWS];
        for job in self.near(lane) {
            let record = &self.records.jobs[job.record as usize];
            let end = record.end.unwrap_or(self.records.end());
            let due = record.deadline.map_or(end, |deadline| deadline.clamp(record.release, end));
            let y1 = frame.lane.y + frame.lane.height - FOOT_PX - 1.0 - f64::from(job.row) * (height + 1.0);
            for (from, to, late) in [(record.release, due, false), (due, end, true)] {
                let x0 = self.scale.x_from_time(from).max(self.scale.left_px());
                let x1 = self.scale.x_from_time(to).min(self.scale.right_px());
                let slot = &mut last[usize::from(job.row)];
                let x0 = slot.map_or(x0, |(i, _)| x0.max(frame.bars[i].x1));
                if x1 <= x0 {
                    continue;
                }
                let is_narrow = x1 - x0 < self.gap;
                if let Some((i, true)) = *slot
                    && is_narrow
                    && x0 - frame.bars[i].x1 < self.gap
                {
                    let bar = &mut frame.bars[i];
                    (bar.x1, bar.hit, bar.late) = (x1, None, bar.late || late);
                    continue;
                }
                *slot = Some((frame.bars.len(), is_narrow));
                frame.bars.push(BarFrame { x0, y0: y1 - height, x1, y1, late, hit: Some(Hit::Job(job.record as usize)) });
            }
        }
    }

    /// What of these ranges is in view, in px.
    fn lines(self, ranges: &[TimeRange]) -> Vec<(f64, f64)> {
        let mut lines: Vec<(f64, f64)> = Vec::new();
        let visible = self.scale.visible();
        let first = ranges.partition_point(|range| range.end <= visible.start);
        for range in ranges[first..].iter().take_while(|range| range.start < visible.end) {
            let x0 = self.scale.x_from_time(range.start).max(self.scale.left_px());
            let x1 = self.scale.x_from_time(range.end).min(self.scale.right_px());
            match lines.last_mut() {
                // Joined where there is less than a gap between, if either is as narrow.
                Some(last) if x0 - last.1 < self.gap && (x1 - x0).min(last.1 - last.0) < self.gap => last.1 = last.1.max(x1),
                _ if x0 < x1 => lines.push((x0, x1)),
                _ => {}
            }
        }
        lines
    }

    /// Adds the marks of a lane, of all kinds or only what is missed.
    fn add_marks(self, marks: &mut [Marks; KINDS], lane: &TaskLane, all: bool) {
        for &Job { record, .. } in self.near(lane) {
            let record = record as usize;
            let job = &self.records.jobs[record];
            if all {
                marks[1].add(self, job.release, JobMark::Release, Hit::Release(record));
            }
            let Some(deadline) = job.deadline else { continue };
            match job.met {
                Some(false) => marks[4].add(self, deadline, JobMark::Missed, Hit::Deadline(record)),
                Some(true) if all => marks[3].add(self, deadline, JobMark::Met, Hit::Deadline(record)),
                None if all => marks[2].add(self, deadline, JobMark::Open, Hit::Deadline(record)),
                _ => {}
            }
        }
        let visible = self.scale.visible();
        let first = lane.refills.partition_point(|&i| self.records.refills[i as usize].at < visible.start);
        let refills = lane.refills[first..].iter().map(|&i| (i as usize, self.records.refills[i as usize]));
        for (i, refill) in refills.take_while(|(_, refill)| all && refill.at <= visible.end) {
            let mark = if refill.is_postponed { JobMark::Postponed } else { JobMark::Renewed };
            marks[0].add(self, refill.at, mark, Hit::Refill(i));
        }
    }
}

/// Kinds of marks, each painted over those before it.
const KINDS: usize = 5;

/// Marks of one kind, from left to right.
struct Marks {
    list: Vec<MarkFrame>,
    /// What comes before this is too near the last one.
    until: Time,
}

impl Marks {
    /// Adds a mark, or counts it with the last one.
    fn add(&mut self, painter: Painter<'_>, at: Time, mark: JobMark, hit: Hit) {
        if at < self.until
            && let Some(last) = self.list.last_mut()
        {
            last.count += 1;
            if mark == JobMark::Postponed {
                last.mark = mark;
            }
            return;
        }
        let scale = painter.scale;
        let x = scale.x_from_time(at);
        if (scale.left_px()..=scale.right_px()).contains(&x) {
            let far = Span((painter.gap * scale.ns_per_px()) as u64);
            self.until = at.after(far).unwrap_or(Time::MAX);
            self.list.push(MarkFrame { x, mark, count: 1, hit });
        }
    }
}

/// How many letters a lane's label may have.
pub(super) fn letters(scale: &TimeScale) -> usize {
    ((scale.left_px() - 12.0) / LABEL_CHAR_PX) as usize
}

/// As much of a name as `letters` hold.
fn shortened(name: &str, letters: usize) -> String {
    if name.chars().count() <= letters {
        return name.to_owned();
    }
    let mut shown: String = name.chars().take(letters.saturating_sub(1)).collect();
    shown.push('…');
    shown
}

impl TaskFrame {
    /// How many drawing calls bars and marks take at most.
    #[must_use]
    pub fn cost(&self) -> usize {
        self.bars.len()
            + self.charges.len()
            + self.waits.len()
            + self.marks.iter().map(|m| if m.mark == JobMark::Missed { 4 } else { 2 }).sum::<usize>()
    }
}

impl JobMark {
    /// The height of its head in a lane.
    #[must_use]
    pub fn y(self, lane: &LaneFrame) -> f64 {
        match self {
            Self::Release => lane.y + 4.0,
            Self::Renewed | Self::Postponed => lane.y + lane.height * 0.4,
            Self::Met | Self::Open | Self::Missed => lane.y + lane.height - 5.0,
        }
    }
}
