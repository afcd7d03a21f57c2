//! Insets to fill in: what the run does is right, everything else is refused, and each sentence holds by what the run records.

use std::collections::BTreeSet;

use blockstep_learn::quiz::{Filled, Inset, InsetPlace, Misplaced, Put, Why};
use blockstep_sim::engine::Run;
use blockstep_sim::examples;
use blockstep_sim::record::Records;
use blockstep_sim::trace::{Change, OpKind, Rule, Trace};
use blockstep_sim::units::{OpId, StreamId};
use blockstep_view::position::{self, Stop};
use blockstep_view::quantity::format_time;
use blockstep_view::reason::Reason;

use super::{example, run};

/// Every inset of a run, at most so many of them.
fn insets(run: &Run, most: usize) -> Vec<Inset> {
    let mut replay = run.replay();
    (0..run.trace.steps().len() as u32).filter_map(|from| Inset::next(&mut replay, from)).take(most).collect()
}

/// What the run recorded, without its states.
struct Recorded<'a> {
    trace: &'a Trace,
    records: Records,
    inset: &'a Inset,
}

impl Recorded<'_> {
    fn op(&self, piece: usize) -> OpId {
        self.inset.pieces[piece].op
    }

    fn is_complete(&self, op: OpId) -> bool {
        self.records.ops[op.index()].end.is_some_and(|end| end <= self.inset.at)
    }

    fn is_issued(&self, op: OpId) -> bool {
        (self.records.ops[op.index()].issued_step.0) < self.inset.to
    }

    /// What stands in a stream, in the order of launching.
    fn in_stream(&self, stream: StreamId) -> Vec<OpId> {
        let ops = (0..self.records.ops.len()).map(|i| OpId(i as u32));
        ops.filter(|&op| self.trace.op(op).stream == stream && self.is_issued(op) && !self.is_complete(op)).collect()
    }

    /// Blocks of a kernel that have begun, and those that run on an SM.
    fn blocks(&self, op: OpId, place: InsetPlace) -> (u64, u32) {
        let blocks = self.records.blocks_of(op).iter().map(|&i| self.records.blocks[i as usize]);
        let begun: Vec<_> = blocks.filter(|block| block.start <= self.inset.at).collect();
        let is_on = |sm| matches!(place, InsetPlace::Sm(None)) || place == InsetPlace::Sm(Some(sm));
        let on = begun.iter().filter(|block| is_on(block.sm) && block.end.is_none_or(|end| end > self.inset.at)).count();
        (begun.len() as u64, on as u32)
    }

    fn copy_is_on(&self, op: OpId, place: InsetPlace) -> bool {
        let at = self.inset.at;
        let is_on = |engine| place == InsetPlace::Engine(engine);
        let copies = &self.records.copies;
        copies.iter().any(|copy| copy.op == op && is_on(copy.engine) && copy.start <= at && copy.end.is_none_or(|end| end > at))
    }

    /// Whether it has joined an EE or CE queue.
    fn has_queued(&self, op: OpId) -> bool {
        self.records.ops[op.index()].queued.is_some_and(|at| at <= self.inset.at)
    }

    /// Whether an operation is in a box.
    fn is_in(&self, op: OpId, place: InsetPlace) -> bool {
        let is_kernel = self.trace.op(op).kind == OpKind::Kernel;
        let is_queued = self.has_queued(op) && !self.is_complete(op);
        let joined_it = self.joined(op).is_some_and(|(_, queue)| queue == place);
        match place {
            InsetPlace::Stream(stream) => self.in_stream(stream).contains(&op),
            InsetPlace::Ee(_) => is_kernel && is_queued && joined_it && self.blocks(op, place).0 < self.trace.row_of(op).blocks,
            InsetPlace::Ce(_) => {
                !is_kernel && is_queued && joined_it && self.records.ops[op.index()].start.is_none_or(|at| at > self.inset.at)
            }
            InsetPlace::Sm(_) => self.blocks(op, place).1 > 0,
            InsetPlace::Engine(_) => self.copy_is_on(op, place),
        }
    }

    /// Whether what is said of something misplaced holds.
    fn check(&self, told: &Misplaced) {
        let (op, place) = (self.op(told.piece), self.inset.boxes[told.place].place);
        let info = self.trace.op(op);
        let is_kernel = info.kind == OpKind::Kernel;
        let stream = self.in_stream(info.stream);
        let holds = match &told.why {
            Why::OtherStream(of) => *of == info.stream && place != InsetPlace::Stream(*of),
            Why::Complete(at) => self.records.ops[op.index()].end == Some(*at) && self.is_complete(op),
            Why::NeverThere => is_kernel != matches!(place, InsetPlace::Ee(_) | InsetPlace::Sm(_)),
            Why::OtherQueue(other) => self.is_in(op, self.inset.boxes[*other].place) && *other != told.place,
            Why::Behind(head) => stream.first() == Some(head) && stream[1..].contains(&op),
            Why::Waits(reason) => {
                let executes =
                    if is_kernel { self.blocks(op, InsetPlace::Sm(None)).1 > 0 } else { !self.is_in(op, place) && self.copy_runs(op) };
                stream.first() == Some(&op) && !executes && *reason != Reason::ToBeAssigned && *reason != Reason::ToBeQueued
            }
            Why::AllAssigned => self.blocks(op, place).0 == self.trace.row_of(op).blocks && stream.first() == Some(&op),
            Why::OnEngine => self.copy_runs(op),
            Why::OnOtherSms(boxes) => {
                let on = |place: usize| self.blocks(op, self.inset.boxes[place].place).1;
                on(told.place) == 0 && !boxes.is_empty() && boxes.iter().all(|&place| on(place) > 0)
            }
            Why::Incomplete => stream.contains(&op) && place == InsetPlace::Stream(info.stream),
            Why::Queued => self.has_queued(op) && stream.first() == Some(&op) && self.is_in(op, place),
            Why::Holds(count) => {
                self.blocks(op, place).1 == if place == InsetPlace::Sm(None) { self.blocks(op, place).1.max(1) } else { *count }
            }
            Why::Runs => self.copy_is_on(op, place),
            Why::Ahead(second) => self.is_ahead(op, *second, place),
        };
        assert!(holds, "{}: {told:?}", self.inset.text());
        let name = &self.inset.pieces[told.piece].label;
        assert!(told.text.contains(name.as_str()) && told.text.ends_with('.'), "{told:?}");
        let is_for_kernel = !matches!(told.rule, Rule::C1 | Rule::C2 | Rule::C3 | Rule::C4);
        assert!(is_for_kernel || !is_kernel, "{told:?}");
    }

    /// The step by which it joined an EE or CE queue, and which one.
    fn joined(&self, op: OpId) -> Option<(usize, InsetPlace)> {
        let joined = |change| match change {
            Change::EeJoined { op: of, level } if of == op => Some(InsetPlace::Ee(level)),
            Change::CeJoined { op: of, engine } if of == op => Some(InsetPlace::Ce(engine)),
            _ => None,
        };
        self.trace.steps().iter().enumerate().find_map(|(i, step)| Some((i, joined(step.change)?)))
    }

    fn copy_runs(&self, op: OpId) -> bool {
        (0..2).any(|engine| self.copy_is_on(op, InsetPlace::Engine(engine)))
    }

    /// Whether an operation came into a queue before another one.
    fn is_ahead(&self, op: OpId, second: OpId, place: InsetPlace) -> bool {
        match place {
            InsetPlace::Stream(_) => self.records.ops[op.index()].issued_step < self.records.ops[second.index()].issued_step,
            _ => self.joined(op).map(|(step, _)| step) < self.joined(second).map(|(step, _)| step),
        }
    }
}

/// Every way to have a single thing wrong.
fn mistakes(inset: &Inset) -> Vec<Filled> {
    let right = inset.right();
    let mut all = Vec::new();
    for place in 0..inset.boxes.len() {
        for piece in 0..inset.pieces.len() {
            let mut changed = right.clone();
            let counts = matches!(inset.boxes[place].place, InsetPlace::Sm(Some(_)));
            match right.0.iter().position(|put| (put.place, put.piece) == (place, piece)) {
                Some(at) => {
                    changed.0.remove(at);
                    all.push(changed.clone());
                    if counts {
                        for count in [right.0[at].count - 1, right.0[at].count + 1].into_iter().filter(|&count| count > 0) {
                            let mut changed = right.clone();
                            changed.0[at].count = count;
                            all.push(changed);
                        }
                    }
                }
                None => {
                    changed.0.push(Put { place, piece, count: 1 });
                    all.push(changed);
                }
            }
        }
        // Two neighbors in a queue change places.
        if matches!(inset.boxes[place].place, InsetPlace::Stream(_) | InsetPlace::Ee(_) | InsetPlace::Ce(_)) {
            let at: Vec<usize> = (0..right.0.len()).filter(|&i| right.0[i].place == place).collect();
            for pair in at.windows(2) {
                let mut changed = right.clone();
                changed.0.swap(pair[0], pair[1]);
                all.push(changed);
            }
        }
    }
    all
}

#[test]
fn quiz_inset_takes_what_the_run_does_and_refuses_every_single_mistake() {
    let (mut asked, mut said) = (0, BTreeSet::new());
    for of in examples::all() {
        let run = example(of.id);
        let mut replay = run.replay();
        for inset in insets(&run, 12) {
            let recorded = Recorded { trace: &run.trace, records: Records::new(&run.trace), inset: &inset };
            for (place, of_box) in inset.boxes.iter().enumerate() {
                for piece in 0..inset.pieces.len() {
                    let is_there = inset.right().of(place).any(|put| put.piece == piece);
                    assert_eq!(is_there, recorded.is_in(recorded.op(piece), of_box.place), "{}, {}: {piece}", of.id, of_box.label);
                }
            }
            assert!(inset.misplaced(&mut replay, inset.right()).is_empty(), "{}", of.id);
            for wrong in mistakes(&inset) {
                let told = inset.misplaced(&mut replay, &wrong);
                assert_eq!(told.len(), 1, "{}: {} {told:?}", of.id, inset.in_words(&wrong));
                assert_ne!(wrong.sorted(&inset), inset.right().sorted(&inset));
                recorded.check(&told[0]);
                said.insert(format!("{:?}", told[0].why).split(['(', ' ']).next().unwrap_or_default().to_owned());
            }
            asked += 1;
        }
    }
    assert!(asked > 100, "{asked} are asked");
    let all = [
        "Ahead",
        "AllAssigned",
        "Behind",
        "Complete",
        "Holds",
        "Incomplete",
        "NeverThere",
        "OnEngine",
        "OtherQueue",
        "OtherStream",
        "Queued",
        "Runs",
        "Waits",
    ];
    assert!(all.iter().all(|why| said.contains(*why)), "{said:?}");
}

/// Inset (b) of [TX2] Fig. 4, asked at inset (a).
fn inset_b(run: &Run) -> Inset {
    let (from, to) = ([800_000_000, 1_800_000_000]).map(|ns| Stop::at_time(&run.trace, blockstep_sim::units::Time(ns))).into();
    Inset::between(&mut run.replay(), from.position, to).unwrap()
}

#[test]
fn quiz_inset_b_is_that_of_the_paper() {
    let table_1 = example("tx2-table-1");
    let inset = inset_b(&table_1);
    let right = "Stream S1: K1, K2; Stream S2: K4; Stream S3: K5, C5o; EE queue: K5; SM 0: K1, K4 \u{d7}2; SM 1: K1, K4 \u{d7}2";
    assert_eq!(inset.in_words(inset.right()), right);
    assert!(inset.text().contains("1.8 s"), "{}", inset.text());
    let view = inset.view(&table_1.trace, &Filled::default());
    assert_eq!(view.boxes[0].fixed, ["C2o", "C3i", "K3", "C3o"], "what stands far behind is drawn");
    assert!(view.boxes.iter().all(|of| of.puts.is_empty()), "and nothing else is");
    // The trap: K1 and K4 left the EE queue, but not their streams.
    let of = |label: &str| inset.boxes.iter().position(|of| of.label == label).unwrap();
    let named = |name: &str| inset.pieces.iter().position(|piece| piece.label == name).unwrap();
    let told = |place: &str, piece: &str| {
        let mut filled = inset.right().clone();
        inset.put(&mut filled, named(piece), of(place));
        let told = inset.misplaced(&mut table_1.replay(), &filled).remove(0);
        (told.rule, told.text)
    };
    assert_eq!(told("EE queue", "K4"), (Rule::G3, "K4 is no longer in the EE queue. All of its blocks have been assigned.".to_owned()));
    let (rule, text) = told("EE queue", "K2");
    assert_eq!(
        (rule, text.as_str()),
        (Rule::G2, "K2 waits in stream S1, not in the EE queue. K1 is at the head there, and only the head goes further.")
    );
    let (rule, text) = told("SM 0", "K5");
    assert!(rule == Rule::R3 && text.starts_with("K5 is not on SM 0 yet. It waits: "), "{text}");
    let mut without = inset.right().clone();
    inset.take(&mut without, named("K4"), of("Stream S2"));
    let told = inset.misplaced(&mut table_1.replay(), &without).remove(0);
    assert_eq!(
        (told.rule, told.text.as_str()),
        (Rule::G4, "K4 is not complete yet, so it is still in stream S2, although all of its blocks have been assigned.")
    );
}

#[test]
fn quiz_inset_is_filled_by_putting_and_taking() {
    let table_1 = example("tx2-table-1");
    let inset = inset_b(&table_1);
    let (sm, ee) = (5, 3);
    assert_eq!((inset.boxes[sm].label.as_str(), inset.boxes[ee].label.as_str()), ("SM 0", "EE queue"));
    let mut filled = Filled::default();
    for _ in 0..9 {
        inset.put(&mut filled, 0, sm);
    }
    assert_eq!(inset.box_in_words(&filled, sm), "SM 0: K1 \u{d7}6", "no more than there are");
    inset.take(&mut filled, 0, sm);
    assert_eq!(inset.box_in_words(&filled, sm), "SM 0: K1 \u{d7}5");
    for piece in [0, 1, 0] {
        inset.put(&mut filled, piece, ee);
    }
    assert_eq!(inset.box_in_words(&filled, ee), "EE queue: K2, K1", "what is put again goes to the end");
    assert_eq!(filled.to_string().parse(), Ok(filled.clone()));
    inset.take(&mut filled, 1, ee);
    inset.take(&mut filled, 1, ee);
    assert_eq!(inset.box_in_words(&filled, ee), "EE queue: K1");
    // What is none is nothing, and asks for nothing.
    let before = filled.clone();
    inset.put(&mut filled, 99, ee);
    inset.put(&mut filled, 0, 99);
    assert_eq!(filled, before);
    assert_eq!("x,1.2x0,3.3x-1,,7".parse(), Ok(Filled::default()));
    let strange: Filled = "99.0,0.99,0.0x4000000000,0.0,0.0".parse().unwrap();
    assert!(!inset.misplaced(&mut table_1.replay(), &strange).is_empty());
    assert_eq!(inset.in_words(&Filled::default()), "everything empty");
}

#[test]
fn quiz_inset_is_asked_between_instants_of_one_address_space_alone() {
    let table_1 = example("tx2-table-1");
    let mut replay = table_1.replay();
    for inset in insets(&table_1, usize::MAX) {
        let steps = table_1.trace.steps();
        assert!(steps[inset.from as usize - 1].at < steps[inset.from as usize].at);
        assert_eq!(position::time_at(&table_1.trace, inset.to), inset.at);
        assert!(inset.text().contains(&format_time(inset.at.ns())));
    }
    let count = table_1.trace.steps().len() as u32;
    assert!(Inset::next(&mut replay, count).is_none(), "nothing comes after the end");
    assert!(Inset::next(&mut replay, u32::MAX).is_none());
    assert!(Inset::next(&mut replay, 0).is_none(), "before the first step nothing is in sight");
    assert!(insets(&example("edf-fig-1"), 1).is_empty(), "where processes take turns there are several");
    // Many streams at once are too many to place.
    let text = examples::find("tx2-table-1").unwrap().json;
    let mut draft = blockstep_format::read_scenario(text).unwrap();
    draft.kernels = (0..9)
        .map(|i| blockstep_sim::scenario::KernelDraft { name: format!("K{i}"), stream: format!("S{i}"), ..draft.kernels[0].clone() })
        .collect();
    let many = run(&draft);
    let over = position::at_time(&many.trace, blockstep_sim::units::Time::ZERO);
    assert!(over > 0 && Inset::next(&mut many.replay(), over).is_none());
}
