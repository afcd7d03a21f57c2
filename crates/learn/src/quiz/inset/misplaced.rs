//! What is misplaced in an inset, and by which rule it is elsewhere.
//!
//! Depends on the rest of `inset` and on `view::reason`. Invariants: nothing is misplaced in what the run does; whatever differs from
//! that is told of, and each sentence holds at the moment asked about.

use super::{Filled, Inset, InsetPlace, Put, begins_sentence, in_sentence};
use blockstep_sim::language::{all_of, counted, one_or};
use blockstep_sim::snapshot::{Replay, Snapshot};
use blockstep_sim::trace::{Change, OpKind, Rule, Trace};
use blockstep_sim::units::{OpId, StreamId, Time};
use blockstep_view::quantity::format_time;
use blockstep_view::reason::{self, Reason};

/// Something that is not where the run has it, or not as often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misplaced {
    /// The box, from 0.
    pub place: usize,
    /// The operation, from 0.
    pub piece: usize,
    /// Why it is otherwise.
    pub why: Why,
    /// The rule by which it is.
    pub rule: Rule,
    /// The same in a sentence or two.
    pub text: String,
}

/// Why an operation is elsewhere than it was put, or is where it was not put.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// It was launched into this stream.
    OtherStream(StreamId),
    /// It was complete by then.
    Complete(Time),
    /// A kernel never waits for a copy engine or is on one, a copy never waits for SMs or is on one.
    NeverThere,
    /// It is in another queue, or on another engine, of the same sort: that box.
    OtherQueue(usize),
    /// It is not at the head of its stream: that is.
    Behind(OpId),
    /// It does not execute, or has not moved on.
    Waits(Reason),
    /// All blocks of the kernel have been assigned.
    AllAssigned,
    /// The copy is on its engine.
    OnEngine,
    /// Its blocks are on other SMs: those boxes.
    OnOtherSms(Vec<usize>),
    /// It is not complete, and so still in the queue of its stream.
    Incomplete,
    /// It has reached the head of its stream and waits there.
    Queued,
    /// So many of its blocks are on the SM, or on the SMs.
    Holds(u32),
    /// The copy is on this engine.
    Runs,
    /// In the queue it is ahead of this operation.
    Ahead(OpId),
}

impl Inset {
    /// What is not where the run has it, box by box: first all that was put in a wrong place, then what is missing. Of the same run;
    /// cost: that of seeking there.
    #[must_use]
    pub fn misplaced(&self, replay: &mut Replay, filled: &Filled) -> Vec<Misplaced> {
        let trace = std::sync::Arc::clone(replay.trace());
        let judge = Judge { inset: self, trace: &trace, state: replay.seek(self.to) };
        let mut wrong: Vec<Misplaced> = (0..self.boxes.len()).flat_map(|place| judge.of_box(filled, place)).collect();
        let was_put = |of: &Misplaced| filled.of(of.place).any(|put| put.piece == of.piece);
        // The order within each sort stays.
        wrong.sort_by_key(|of| !was_put(of));
        wrong
    }
}

struct Judge<'a> {
    inset: &'a Inset,
    trace: &'a Trace,
    state: &'a Snapshot,
}

impl Judge<'_> {
    fn of_box(&self, filled: &Filled, place: usize) -> Vec<Misplaced> {
        let is_known = |put: &&Put| put.piece < self.inset.pieces.len();
        let given: Vec<Put> = filled.of(place).filter(is_known).copied().collect();
        let right: Vec<Put> = self.inset.right.of(place).copied().collect();
        let find = |list: &[Put], piece: usize| list.iter().find(|put| put.piece == piece).map_or(0, |put| put.count);
        let mut wrong = Vec::new();
        for piece in 0..self.inset.pieces.len() {
            let (put, is) = (find(&given, piece), find(&right, piece));
            if put != is {
                let why = match (put, is) {
                    (_, 0) => self.why_not(place, piece),
                    (0, _) => self.why_there(place, is),
                    _ => Why::Holds(is),
                };
                wrong.push(self.told(place, piece, put, why));
            }
        }
        // The order of those alone that are in both.
        let order = |list: &[Put], other: &[Put]| -> Vec<usize> {
            list.iter().map(|put| put.piece).filter(|&piece| find(other, piece) > 0).collect()
        };
        let is_queue = matches!(self.inset.boxes[place].place, InsetPlace::Stream(_) | InsetPlace::Ee(_) | InsetPlace::Ce(_));
        let (put, is) = (order(&given, &right), order(&right, &given));
        if let (true, Some((&put, &first))) = (is_queue, put.iter().zip(&is).find(|(put, is)| put != is)) {
            wrong.push(self.told(place, first, 1, Why::Ahead(self.inset.pieces[put].op)));
        }
        wrong
    }

    fn kind(&self, op: OpId) -> OpKind {
        self.trace.op(op).kind
    }

    /// When it completed, if it had by then.
    fn completed(&self, op: OpId) -> Option<Time> {
        let steps = &self.trace.steps()[self.inset.from as usize..self.inset.to as usize];
        let is_end =
            |change: Change| matches!(change, Change::KernelCompleted { op: of } | Change::CopyCompleted { op: of, .. } if of == op);
        steps.iter().find(|step| is_end(step.change)).map(|step| step.at)
    }

    /// A box of which the run says that the operation is in it.
    fn boxes_with(&self, piece: usize, is_of_sort: impl Fn(InsetPlace) -> bool) -> Vec<usize> {
        let of_piece = self.inset.right.0.iter().filter(|put| put.piece == piece);
        of_piece.map(|put| put.place).filter(|&place| is_of_sort(self.inset.boxes[place].place)).collect()
    }

    /// Why an operation is not in a box.
    fn why_not(&self, place: usize, piece: usize) -> Why {
        let op = self.inset.pieces[piece].op;
        let (at, stream) = (self.inset.boxes[place].place, self.trace.op(op).stream);
        let is_kernel = self.kind(op) == OpKind::Kernel;
        let is_for_kernels = matches!(at, InsetPlace::Ee(_) | InsetPlace::Sm(_));
        match at {
            InsetPlace::Stream(of) if of != stream => return Why::OtherStream(stream),
            InsetPlace::Stream(_) => {}
            _ if is_kernel != is_for_kernels => return Why::NeverThere,
            _ => {}
        }
        if let Some(at) = self.completed(op) {
            return Why::Complete(at);
        }
        if let Some(head) = self.state.head(stream).filter(|head| *head != op) {
            return Why::Behind(head);
        }
        let other = |is_of_sort: fn(InsetPlace) -> bool| self.boxes_with(piece, is_of_sort);
        let reason = || reason::reason(self.trace, self.state, op);
        let waits = || Why::Waits(reason().unwrap_or(Reason::ToBeAssigned));
        let other_or = |boxes: Vec<usize>, or: &dyn Fn() -> Why| boxes.first().map_or_else(or, |&place| Why::OtherQueue(place));
        let has_moved_on = self.state.stream(stream).promoted;
        match at {
            InsetPlace::Ee(_) if !has_moved_on => waits(),
            InsetPlace::Ee(_) => other_or(other(|at| matches!(at, InsetPlace::Ee(_))), &|| Why::AllAssigned),
            InsetPlace::Ce(_) if !has_moved_on => waits(),
            InsetPlace::Ce(_) => other_or(other(|at| matches!(at, InsetPlace::Ce(_))), &|| Why::OnEngine),
            InsetPlace::Engine(_) => other_or(other(|at| matches!(at, InsetPlace::Engine(_))), &waits),
            InsetPlace::Sm(_) => match other(|at| matches!(at, InsetPlace::Sm(_))) {
                boxes if boxes.is_empty() => waits(),
                boxes => Why::OnOtherSms(boxes),
            },
            InsetPlace::Stream(_) => Why::Incomplete,
        }
    }

    /// Why an operation is in a box.
    fn why_there(&self, place: usize, count: u32) -> Why {
        match self.inset.boxes[place].place {
            InsetPlace::Stream(_) => Why::Incomplete,
            InsetPlace::Ee(_) | InsetPlace::Ce(_) => Why::Queued,
            InsetPlace::Sm(_) => Why::Holds(count),
            InsetPlace::Engine(_) => Why::Runs,
        }
    }

    fn told(&self, place: usize, piece: usize, put: u32, why: Why) -> Misplaced {
        let (rule, text) = self.words(place, piece, put, &why);
        Misplaced { place, piece, why, rule, text }
    }

    fn words(&self, place: usize, piece: usize, put: u32, why: &Why) -> (Rule, String) {
        let of = &self.inset.pieces[piece];
        let (op, name) = (of.op, &of.label);
        let (info, of_box) = (self.trace.op(op), &self.inset.boxes[place]);
        let kind = info.kind;
        let is_kernel = kind == OpKind::Kernel;
        let by_kind = |kernel: Rule, copy: Rule| if is_kernel { kernel } else { copy };
        let stream = format!("stream {}", self.trace.layout().label(self.trace.scenario(), info.stream));
        let (here, other) = (in_sentence(of_box), |place: &usize| in_sentence(&self.inset.boxes[*place]));
        match why {
            Why::OtherStream(_) => (Rule::G1, format!("{name} is launched into {stream}, so it never stands in {here}.")),
            Why::Complete(at) => {
                let rule = by_kind(Rule::G4, Rule::C4);
                (rule, format!("{name} is complete at {}, and has left all queues by then.", format_time(at.ns())))
            }
            Why::NeverThere if is_kernel => {
                (Rule::G2, format!("{name} is a kernel. Kernels wait in an EE queue and run on SMs; {here} is for copies."))
            }
            Why::NeverThere => {
                (Rule::C1, format!("{name} is a copy. Copies wait in a CE queue and run on a copy engine; {here} is for kernels."))
            }
            Why::OtherQueue(at) => {
                let rule = match of_box.place {
                    InsetPlace::Ee(_) => Rule::A1,
                    InsetPlace::Engine(_) => Rule::C2,
                    _ => Rule::C1,
                };
                let preposition = if matches!(of_box.place, InsetPlace::Engine(_)) { "on" } else { "in" };
                (rule, format!("{name} is {preposition} {}, not {preposition} {here}.", other(at)))
            }
            Why::Behind(head) => {
                let (rule, head) = (by_kind(Rule::G2, Rule::C1), self.trace.op_label(*head));
                (
                    rule,
                    format!(
                        "{name} waits in {stream}, not {}. {head} is at the head there, and only the head goes further.",
                        self.at(place)
                    ),
                )
            }
            Why::Waits(reason) => {
                let rule = reason.rule(kind).unwrap_or(by_kind(Rule::G2, Rule::C1));
                let words = reason::words(self.trace, self.state, op, *reason);
                (rule, format!("{name} is not {} yet. It waits: {words}.", self.at(place)))
            }
            Why::AllAssigned => {
                let all = one_or(of.blocks, "Its block has", "All of its blocks have");
                (Rule::G3, format!("{name} is no longer in {here}. {all} been assigned."))
            }
            Why::OnEngine => (Rule::C3, format!("{name} is no longer in {here}. It has been assigned to its copy engine.")),
            Why::OnOtherSms(boxes) => {
                let names: Vec<String> = boxes.iter().map(other).collect();
                (Rule::R1, format!("No block of {name} is on {here}. It has blocks on {} alone.", all_of(&names)))
            }
            Why::Incomplete => {
                let dispatched = is_kernel && u64::from(self.assigned(op)) == of.blocks;
                let although = if dispatched { ", although all of its blocks have been assigned" } else { "" };
                (by_kind(Rule::G4, Rule::C4), format!("{name} is not complete yet, so it is still in {here}{although}."))
            }
            Why::Queued => {
                let left = if is_kernel {
                    let assigned = self.assigned(op);
                    format!(
                        "It leaves once the last of its blocks is assigned: it has {}, and {assigned} {} assigned so far.",
                        of.blocks,
                        one_or(assigned, "is", "are")
                    )
                } else {
                    "It leaves once it is assigned to the copy engine.".to_owned()
                };
                (by_kind(Rule::G2, Rule::C1), format!("{name} has come to the head of {stream}, so it is in {here}, too. {left}"))
            }
            Why::Holds(_) if of_box.place == InsetPlace::Sm(None) => (Rule::R1, format!("{name} has blocks on {here}.")),
            Why::Holds(count) => {
                let (are, not) = (one_or(*count, "is", "are"), if put > 0 { format!(", not {put}") } else { String::new() });
                let further = if put > *count { self.why_no_more(op) } else { None };
                let (rule, further) = further.map_or((Rule::R1, String::new()), |(rule, words)| (rule, format!(" {words}")));
                (rule, format!("{} of {name} {are} on {here}{not}.{further}", counted(*count, "block")))
            }
            Why::Runs => (Rule::C2, format!("{name} is on {here}.")),
            Why::Ahead(second) => {
                let rule = match of_box.place {
                    InsetPlace::Stream(_) => Rule::G1,
                    _ => by_kind(Rule::G2, Rule::C1),
                };
                let second = self.trace.op_label(*second);
                (rule, format!("{}: {name} stands before {second}, as it joined first.", begins_sentence(of_box)))
            }
        }
    }

    /// `in the EE queue`, `on SM 0`.
    fn at(&self, place: usize) -> String {
        let of = &self.inset.boxes[place];
        let preposition = if matches!(of.place, InsetPlace::Sm(_) | InsetPlace::Engine(_)) { "on" } else { "in" };
        format!("{preposition} {}", in_sentence(of))
    }

    /// Blocks of a kernel that have been assigned.
    fn assigned(&self, op: OpId) -> u32 {
        let stream = self.state.stream(self.trace.op(op).stream);
        if stream.queue.front() == Some(&op) { stream.assigned } else { 0 }
    }

    /// Why no further block of a kernel is on an SM, if it has some left.
    fn why_no_more(&self, op: OpId) -> Option<(Rule, String)> {
        let reason = reason::undispatched(self.trace, self.state, op)?;
        let words = reason::words(self.trace, self.state, op, reason);
        Some((reason.rule(OpKind::Kernel)?, format!("Its next block waits: {words}.")))
    }
}
