//! Queue diagrams: what is drawn is the state, as in [TX2] Fig. 4, and no word lies on another.

use blockstep_sim::examples;
use blockstep_sim::units::Time;
use blockstep_view::position::Stop;
use blockstep_view::queue_figure::{Align, BoxKind, BoxMark, QueueFigure, SheetMark, TextMark, columns_for, inset, insets, strip};
use blockstep_view::queues::{QueueView, QueuedOp};

use super::{example, run_of};

/// A queue as it is drawn: its label, then its boxes from left to right; what is shaded has a `*`.
fn rows(figure: &QueueFigure) -> Vec<(String, Vec<String>)> {
    let boxes = || figure.marks.iter().filter_map(|m| if let SheetMark::Box(b) = m { Some(b) } else { None });
    let texts = || figure.marks.iter().filter_map(|m| if let SheetMark::Text(t) = m { Some(t) } else { None });
    let inside = |b: &BoxMark, t: &TextMark| b.x0 <= t.x && t.x <= b.x1 && b.y0 <= t.y && t.y <= b.y1;
    let row = |queue: &BoxMark| {
        // The label ends a little left of the queue, at the height of its first line.
        let near = |t: &&TextMark| t.align == Align::Right && t.x < queue.x0 && queue.x0 - t.x < 12.0 && t.y >= queue.y0 && t.y <= queue.y1;
        let label: Vec<String> = texts().filter(near).map(|t| t.text.clone()).collect();
        let mut items: Vec<(i64, i64, String)> = boxes()
            .filter(|b| matches!(b.kind, BoxKind::Item { .. } | BoxKind::Ghost) && b.x0 >= queue.x0 && b.x1 <= queue.x1)
            .filter(|b| b.y0 >= queue.y0 && b.y1 <= queue.y1)
            .map(|b| {
                let name = texts().find(|t| inside(b, t)).map_or_else(String::new, |t| t.text.clone());
                let sign = match b.kind {
                    BoxKind::Item { dispatched: true, .. } => "*",
                    BoxKind::Ghost => "-",
                    _ => "",
                };
                (b.y0 as i64, b.x0 as i64, format!("{name}{sign}"))
            })
            .collect();
        items.sort();
        (label.join(" "), items.into_iter().map(|(.., name)| name).collect())
    };
    boxes().filter(|b| b.kind == BoxKind::Queue).map(row).collect()
}

/// Blocks on the SMs, from left to right.
fn blocks(figure: &QueueFigure) -> Vec<String> {
    let named = |b: &BoxMark| {
        figure.marks.iter().find_map(|m| match m {
            SheetMark::Text(t) if b.x0 <= t.x && t.x <= b.x1 && b.y0 <= t.y && t.y <= b.y1 => Some(t.text.clone()),
            _ => None,
        })
    };
    let is_block =
        |m: &SheetMark| if let SheetMark::Box(b) = m { matches!(b.kind, BoxKind::Block { .. }).then(|| named(b)).flatten() } else { None };
    figure.marks.iter().filter_map(is_block).collect()
}

#[test]
fn insets_a_and_b_of_fig_4_hold_what_the_paper_says() {
    let run = run_of(&example("tx2-table-1"));
    let at = |ns: u64| strip(&[inset(&mut run.replay(), Stop::at_time(&run.trace, Time(ns)))], 1, 1_000.0, true);
    let row = |label: &str, items: &[&str]| (label.to_owned(), items.iter().map(|&i| i.to_owned()).collect::<Vec<_>>());
    // (a): K1 is dispatched, two of its blocks on each SM; K4 and K5 wait behind it.
    let a = at(500_000_000);
    assert_eq!(
        rows(&a),
        [
            row("S1 CPU 0", &["K1 4/6*", "K2 0/2", "C2o", "C3i", "K3 0/2", "C3o"]),
            row("S2 CPU 1", &["K4 0/4"]),
            row("S3 CPU 1", &["K5 0/2", "C5o"]),
            row("EE queue high priority", &[]),
            row("EE queue low priority", &["K1 4/6*", "K4 0/4", "K5 0/2"]),
            row("CE queue", &[]),
            row("Copy engine", &[]),
        ]
    );
    assert_eq!(blocks(&a), ["K1:0", "K1:2", "K1:1", "K1:3"]);
    // (b): the rest of K1 and all of K4 are assigned, so both have left the EE queue, not their streams.
    let b = at(1_000_000_000);
    assert_eq!(
        rows(&b)[..3],
        [
            row("S1 CPU 0", &["K1 6/6*", "K2 0/2", "C2o", "C3i", "K3 0/2", "C3o"]),
            row("S2 CPU 1", &["K4 4/4*"]),
            row("S3 CPU 1", &["K5 0/2", "C5o"]),
        ]
    );
    assert_eq!(rows(&b)[4], row("EE queue low priority", &["K4-", "K5 0/2"]), "the step before takes K4 away");
}

/// Operations in queues and on engines, in the order that a diagram has them.
fn items(view: &QueueView) -> Vec<&[QueuedOp]> {
    let spaces = view.spaces.iter().filter(|s| !s.is_folded);
    spaces
        .flat_map(|space| {
            let streams = space.streams.iter().map(|s| &s.items[..]);
            let queues = space.ee.iter().chain(&space.ce).map(|q| &q.items[..]);
            streams.chain(queues).chain(space.engines.iter().map(|e| e.item.as_slice()))
        })
        .collect()
}

#[test]
fn every_queue_that_is_drawn_holds_what_the_state_holds() {
    for built_in in examples::all() {
        let run = run_of(&example(built_in.id));
        let steps = run.trace.steps().len() as u32;
        let mut replay = run.replay();
        for i in 0..25 {
            let shown = inset(&mut replay, Stop::at_step(&run.trace, steps * i / 24));
            // So wide that nothing is cut.
            let figure = strip(std::slice::from_ref(&shown), 1, 3_600.0, false);
            let is_item = |name: &&String| !name.ends_with('-');
            let drawn: Vec<Vec<String>> = rows(&figure)
                .into_iter()
                .filter(|(label, _)| !label.starts_with("Ready") && !label.starts_with("Best") && !label.starts_with("Open"))
                .map(|(_, items)| items.iter().filter(is_item).cloned().collect())
                .collect();
            let word = |item: &QueuedOp| {
                let count = if item.blocks == 1 { String::new() } else { format!(" {}/{}", item.assigned, item.blocks) };
                format!("{}{count}{}", item.label, if item.dispatched { "*" } else { "" })
            };
            let expected: Vec<Vec<String>> = items(&shown.view).iter().map(|items| items.iter().map(word).collect()).collect();
            assert_eq!(drawn, expected, "{} after step {}", built_in.id, steps * i / 24);
        }
    }
}

#[test]
fn nothing_leaves_the_sheet_and_no_word_lies_on_another() {
    for built_in in examples::all() {
        let run = run_of(&example(built_in.id));
        let steps = run.trace.steps().len() as u32;
        let all = insets(&mut run.replay(), &[0, steps / 5, steps / 2, steps * 4 / 5, steps].map(|n| Stop::at_step(&run.trace, n)));
        for (width, count) in [(240.0, 1), (420.0, 1), (700.0, 5), (1_000.0, 1), (1_600.0, 5)] {
            for group in all.chunks(count) {
                let figure = strip(group, columns_for(width, count), width, true);
                let texts: Vec<_> =
                    figure.marks.iter().filter_map(|m| if let SheetMark::Text(t) = m { Some((t, m.bounds())) } else { None }).collect();
                for mark in &figure.marks {
                    let (x0, y0, x1, y1) = mark.bounds();
                    let fits = x0 >= 0.0 && y0 >= 0.0 && x1 <= figure.width_px + 1e-9 && y1 <= figure.height_px + 1e-9;
                    assert!(fits, "{}: {mark:?} on {} x {}", built_in.id, figure.width_px, figure.height_px);
                    assert!(x0 < x1 && y0 <= y1 || matches!(mark, SheetMark::Line(_)), "{mark:?}");
                }
                for (i, (a, at_a)) in texts.iter().enumerate() {
                    for (b, at_b) in &texts[i + 1..] {
                        let wide = at_a.2.min(at_b.2) - at_a.0.max(at_b.0);
                        let high = at_a.3.min(at_b.3) - at_a.1.max(at_b.1);
                        assert!(wide <= 0.5 || high <= 1.5, "{} at {width}: {a:?} on {b:?}", built_in.id);
                    }
                }
            }
        }
    }
}

#[test]
fn strips_are_as_even_as_they_can_be() {
    assert_eq!([1, 2, 3, 4, 5, 6, 7].map(|count| columns_for(1_000.0, count)), [1, 2, 3, 2, 3, 3, 3]);
    assert_eq!(columns_for(250.0, 4), 1);
    assert_eq!(columns_for(4_000.0, 0), 1);
}

#[test]
fn captions_are_lettered_and_say_when() {
    let run = run_of(&example("tx2-table-1"));
    let at_steps = |steps: &[u32]| insets(&mut run.replay(), &steps.iter().map(|&n| Stop::at_step(&run.trace, n)).collect::<Vec<_>>());
    let shown = at_steps(&[0, 30]);
    assert_eq!(shown[0].caption, "(a) before the first step");
    assert!(shown[1].caption.starts_with("(b) after step 30, 1 s: K4's last block is assigned"), "{}", shown[1].caption);
    let many = at_steps(&[1; 28]);
    assert!(many[25].caption.starts_with("(z)") && many[26].caption.starts_with("(aa)") && many[27].caption.starts_with("(ab)"));
    // The time that was asked for, and of the last step when that was.
    let asked = [800_000_000, 1_000_000_000].map(|ns| Stop::at_time(&run.trace, Time(ns)));
    let shown = insets(&mut run.replay(), &asked);
    assert!(shown[0].caption.starts_with("(a) 800 ms, after step 18 at 400 ms: "), "{}", shown[0].caption);
    assert!(shown[1].caption.starts_with("(b) after step 30, 1 s: "), "{}", shown[1].caption);
    assert!(inset(&mut run.replay(), asked[0]).caption.starts_with("800 ms, after step 18 at 400 ms: "));
    // A stop before its own steps, or with more than there are, is at the last one.
    let last = inset(&mut run.replay(), Stop { position: u32::MAX, at: Time::ZERO }).caption;
    assert!(last.starts_with(&format!("After step {}, ", run.trace.steps().len())), "{last}");
}

#[test]
fn what_a_step_changed_is_marked_at_its_own_instant_alone() {
    let is_marked = |m: &SheetMark| matches!(m, SheetMark::Box(b) if b.changed || b.kind == BoxKind::Ghost);
    for built_in in examples::all() {
        let run = run_of(&example(built_in.id));
        let mut replay = run.replay();
        let count = run.trace.steps().len() as u32;
        for position in (1..=count).step_by((count as usize / 60).max(1)) {
            let at_step = Stop::at_step(&run.trace, position);
            // Far from the step before, and not yet at the next one.
            let next = run.trace.steps().get(position as usize).map_or(u64::MAX, |step| step.at.ns());
            if next < at_step.at.ns() + 2 {
                continue;
            }
            let later = Stop { at: Time(at_step.at.ns() + 1), ..at_step };
            let marks = |stop, replay: &mut _| strip(&[inset(replay, stop)], 1, 1_600.0, false).marks.into_iter().filter(is_marked).count();
            assert!(marks(at_step, &mut replay) > 0, "{}: step {position} marks what it changed", built_in.id);
            assert_eq!(marks(later, &mut replay), 0, "{}: a nanosecond after step {position}", built_in.id);
        }
    }
}

#[test]
fn bars_of_what_is_free_are_as_long_as_that_share() {
    let run = run_of(&example("tx2-table-1"));
    // SM 0 holds two blocks of 768 threads of 2,048: a quarter is free.
    for (ns, share) in [(0, 1.0), (500_000_000, 0.25)] {
        let shown = inset(&mut run.replay(), if ns == 0 { Stop::default() } else { Stop::at_time(&run.trace, Time(ns)) });
        assert_eq!(shown.view.spaces[0].sms[0].threads.free as f64 / 2_048.0, share);
        let figure = strip(&[shown], 1, 1_600.0, true);
        let boxes = || figure.marks.iter().filter_map(|m| if let SheetMark::Box(b) = m { Some(b) } else { None });
        let whole = boxes().find(|b| b.kind == BoxKind::Gauge).unwrap();
        let free = boxes().find(|b| b.kind == BoxKind::Level && (b.x0, b.y0) == (whole.x0, whole.y0));
        let length = free.map_or(0.0, |free| free.x1 - free.x0);
        assert!((length - share * (whole.x1 - whole.x0)).abs() < 1e-9, "{length} of {}", whole.x1 - whole.x0);
        assert!(figure.marks.iter().any(|m| matches!(m, SheetMark::Text(t) if t.text.contains("bars show what is free"))));
    }
}
