//! What the page shows of a trace: chains of causes, idle time, lanes at any zoom, causes ruled out, scenarios, and the worker's answers.

use blockstep_format::read_scenario;
use blockstep_sim::scenario::{BlockTimes, Call, DeviceDraft, Scenario};
use blockstep_sim::units::{Span, Time};
use blockstep_traces::answers::Tracer;
use blockstep_traces::causes::Cause;
use blockstep_traces::chain::{MOST, Root, chain};
use blockstep_traces::files::is_profile;
use blockstep_traces::lanes::{Lane, LanePiece, Of, Sight, lanes};
use blockstep_traces::made::{self, LeftOut, scenario};
use blockstep_traces::ruled_out::{Proof, ruled_out};
use blockstep_traces::{OperationKind, Recording};
use blockstep_traces_messages::{Chosen, Tone, TraceAnswer, TraceAsk};
use proptest::prelude::*;
use serde_json::json;

use super::{Made, PublicTrace, public_of_pytorch};

fn place(recording: &Recording, name: &str) -> u32 {
    recording.operations.iter().rposition(|operation| recording.name(operation) == name).unwrap() as u32
}

/// The names along a chain with how many operations each link stands for.
fn links(made: &Made, name: &str) -> (Vec<(String, u32)>, Root) {
    let (recording, analysis) = made.read();
    let (links, root) = chain(&recording, &analysis, place(&recording, name));
    let named = |operation: u32| recording.name(&recording.operations[operation as usize]).to_owned();
    (links.iter().map(|link| (named(link.operation), link.count)).collect(), root)
}

#[test]
fn profile_a_chain_leads_to_its_root() {
    let mut made = Made::default();
    made.kernel("A", 7, 0, (8, 500)).kernel("B", 20, 10, (502, 900)).kernel("C", 20, 20, (902, 950));
    let named = |names: &[(&str, u32)]| names.iter().map(|&(name, count)| (name.to_owned(), count)).collect::<Vec<_>>();
    // C waits for B in its stream, B for A of the NULL stream, and the host called A when it did.
    assert_eq!(links(&made, "C"), (named(&[("C", 1), ("B", 1), ("A", 1)]), Root::Host));
    assert_eq!(links(&made, "A"), (named(&[("A", 1)]), Root::Host));
    let alone = |name: &str, ran| links(Made::default().kernel(name, 20, 0, ran), name);
    assert_eq!(alone("X", (900, 950)), (named(&[("X", 1)]), Root::CannotTell));
}

#[test]
fn profile_a_stream_that_ran_on_is_one_link() {
    let mut made = Made::default();
    for i in 0..2_000_u64 {
        made.kernel("K", 20, i, (8 + 500 * i, 500 * (i + 1)));
    }
    made.kernel("last", 20, 2_100, (1_000_002, 1_000_100));
    let (links, root) = links(&made, "last");
    assert_eq!((links.as_slice(), root), ([("last".to_owned(), 1), ("K".to_owned(), 2_000)].as_slice(), Root::Host));
}

#[test]
fn profile_a_chain_that_is_long_is_cut() {
    // Each waits for the NULL stream, and the NULL stream for each: no two links are of one stream.
    let mut made = Made::default();
    for i in 0..40_u64 {
        made.kernel("K", if i % 2 == 0 { 7 } else { 20 }, 10 * i, (8 + 500 * i, 500 * (i + 1)));
    }
    let (recording, analysis) = made.read();
    let (links, root) = chain(&recording, &analysis, 39);
    assert!(links.len() <= MOST);
    assert!(links.windows(2).all(|pair| pair[1].operation < pair[0].operation), "it goes back in time");
    assert!(matches!(root, Root::Long | Root::Host), "{root:?}");
}

#[test]
fn profile_causes_are_ruled_out_by_what_the_file_records() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 100)).kernel("A", 20, 690, (700, 900)).kernel("B", 24, 695, (705, 900));
    let (recording, analysis) = made.read();
    let of = |name: &str| {
        let place = place(&recording, name);
        ruled_out(&recording, place, analysis.parts(place))
    };
    assert!(of("A").contains(&(Cause::StreamOrder, Proof::BeforeEnded)));
    assert!(of("A").contains(&(Cause::FirstUse, Proof::UsedBefore)));
    assert!(of("A").contains(&(Cause::CopyEngine, Proof::NoTransfer)));
    assert!(of("B").contains(&(Cause::StreamOrder, Proof::FirstOfStream)));
    assert!(!of("B").iter().any(|&(cause, _)| cause == Cause::FirstUse || cause == Cause::Launch));
}

/// What a lane holds, piece by piece, must be what is in sight, in order, and few.
fn check_pieces(recording: &Recording, lane: &Lane, sight: Sight) {
    let pieces = lane.pieces(recording, sight);
    assert!(pieces.len() <= 2 * sight.px as usize + 80, "{} pieces on {} px", pieces.len(), sight.px);
    assert!(pieces.windows(2).all(|pair| pair[0].from <= pair[1].from && pair[0].last < pair[1].first));
    let is_in_sight = |item: u32| {
        let (start, end) = lane.span(recording, item);
        start < sight.to && end > sight.from && end > start
    };
    let of = |item: &u32| pieces.iter().find(|piece: &&LanePiece| (piece.first..=piece.last).contains(item));
    for item in lane.items().iter().copied().filter(|&item| is_in_sight(item)) {
        let piece = of(&item).unwrap_or_else(|| panic!("{item} is not drawn"));
        let (start, end) = lane.span(recording, item);
        assert!(piece.from <= start && end <= piece.to, "{item} reaches beyond its piece");
    }
    for piece in &pieces {
        let items = lane.items().iter().filter(|item| (piece.first..=piece.last).contains(*item));
        assert_eq!(items.clone().count(), piece.count as usize);
        let busy: u64 = items.map(|&item| lane.span(recording, item)).map(|(start, end)| end.since(start).ns()).sum();
        assert_eq!(piece.busy_ns, busy);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn profile_lanes_show_all_that_is_in_sight(
        // One after another in each stream, as profilers record them.
        steps in prop::collection::vec((0_u64..3, 0_u64..40, 1_u64..90), 1..300),
        sights in prop::collection::vec((0_u64..4_000_000, 1_000_u64..6_000_000, 1_u32..300), 1..8),
    ) {
        let mut made = Made::default();
        let mut ends = [0_u64; 3];
        for (stream, gap, length) in steps {
            let from = ends[stream as usize] + gap;
            ends[stream as usize] = from + length;
            made.kernel("K", 20 + stream, from, (from, from + length));
        }
        let (recording, _) = made.read();
        for lane in lanes(&recording, &[], usize::MAX).0.iter().filter(|lane| matches!(lane.of, Of::Stream(_) | Of::Copies { .. })) {
            for &(from, span, px) in &sights {
                check_pieces(&recording, lane, Sight { from: Time(from), to: Time(from + span), px });
            }
        }
    }
}

#[test]
fn profile_lanes_stand_by_device_stream_and_direction() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 500)).kernel("B", 7, 10, (502, 600));
    made.launch("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 20, (20, 4), (700, 800), json!({ "bytes": 9 }));
    let (recording, _) = made.read();
    let all: Vec<Of> = lanes(&recording, &[], usize::MAX).0.iter().map(|lane| lane.of).collect();
    let stream = |id: u64| recording.streams.iter().position(|stream| stream.id == id).unwrap() as u32;
    let copies = Of::Copies { device: 0, kind: OperationKind::HostToDevice };
    let occupancy = Of::Occupancy { device: 0 };
    assert_eq!(all, [Of::Calls { thread: 9 }, occupancy, Of::Stream(stream(7)), Of::Stream(stream(20)), copies]);
    // The first of them are the same, and the others are counted.
    let (first, more) = lanes(&recording, &[], 3);
    assert_eq!((first.iter().map(|lane| lane.of).collect::<Vec<_>>(), more), (all[..3].to_vec(), 2));
}

#[test]
fn profile_occupancy_is_what_kernels_together_can_have() {
    let mut made = Made::default();
    // An A100 holds 216 blocks of 1,024 threads: half of that, then more than all, then 54, then none, then 432 blocks in waves.
    made.sized("A", 20, 0, (10, 300), 108).sized("B", 24, 5, (100, 200), 190).sized("C", 20, 6, (300, 400), 54);
    made.sized("D", 20, 7, (500, 600), 432).sized("E", 20, 8, (600, 700), 216);
    let (recording, _) = made.read();
    let all = lanes(&recording, &[], usize::MAX).0;
    let lane = all.iter().find(|lane| matches!(lane.of, Of::Occupancy { .. })).unwrap();
    let us = |time: Time| (time.ns() + 500) / 1_000;
    let sight = Sight { from: Time::ZERO, to: recording.end(), px: 700 };
    let shown = lane.pieces(&recording, sight).into_iter().map(|piece| {
        let ns = piece.to.since(piece.from).ns();
        (us(piece.from), us(piece.to), piece.busy_ns * 1_000 / ns)
    });
    let first = us(recording.operations[0].start);
    let expected = [(10, 100, 500), (100, 200, 1_000), (200, 300, 500), (300, 400, 250), (500, 700, 1_000)];
    assert_eq!(shown.collect::<Vec<_>>(), expected.map(|(from, to, permille)| (from + first - 10, to + first - 10, permille)));
    // Narrow ones are drawn together, by how much of the time they fill.
    let coarse = lane.pieces(&recording, Sight { px: 1, ..sight });
    assert_eq!(coarse.len(), 1);
    let share = coarse[0].busy_ns * 1_000 / coarse[0].to.since(coarse[0].from).ns();
    let whole = (90 * 500 + 100 * 1_000 + 100 * 500 + 100 * 250 + 200 * 1_000) / 690;
    assert!(share.abs_diff(whole) <= 1, "{share} of {whole}");
}

#[test]
fn profile_a_part_of_a_trace_becomes_a_scenario() {
    let mut made = Made::default();
    made.launch("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 20, (0, 4), (8, 108), json!({ "bytes": 1_000_000 }));
    made.sized("A", 20, 10, (110, 500), 432).sized("B", 24, 20, (120, 200), 4).kernel("A", 20, 600, (610, 700));
    made.launch("gpu_memset", "Memset (Device)", 20, (700, 4), (710, 720), json!({ "bytes": 9 }));
    let (recording, analysis) = made.read();
    let all = made::between(&recording, Time::ZERO, recording.end());
    assert_eq!(all.len(), 5);
    let made = scenario(&recording, &analysis, &all, "mine").unwrap();
    assert_eq!(made.left_out, [LeftOut::CopyBytes(2)], "the copy and the memset");
    let DeviceDraft::Custom(gpu) = &made.draft.device else { panic!("it has limits of its own") };
    assert_eq!(
        (gpu.name.as_str(), gpu.sms, gpu.threads_per_sm, gpu.copy_bandwidth_bytes_per_s),
        ("NVIDIA A100", 108, 2_048, 10_000_000_000)
    );
    let rows: Vec<_> =
        made.draft.kernels.iter().map(|row| (row.name.as_str(), row.stream.as_str(), row.call, row.blocks, row.bytes)).collect();
    // Bytes at 10 GB/s: 100 us as recorded; the memset's 10 us.
    assert_eq!(
        rows,
        [
            ("Memcpy HtoD", "S20", Call::CopyToDevice, 0, 1_000_000),
            ("A", "S20", Call::Kernel, 432, 0),
            ("B", "S24", Call::Kernel, 4, 0),
            ("A #2", "S20", Call::Kernel, 1, 0),
            ("Memset", "S20", Call::Memset, 0, 100_000),
        ]
    );
    // Two waves of 216 blocks in 390 us; launches count from the first start.
    assert_eq!(made.draft.kernels[1].block_time_ns, BlockTimes::Each(195_000));
    let starts: Vec<u64> = made.draft.kernels.iter().map(|row| (row.start_ns + 500) / 1_000).collect();
    assert_eq!(starts, [0, 2, 12, 592, 692]);
    let scenario = Scenario::new(&made.draft).unwrap();
    let text = blockstep_format::write_scenario(&made.draft);
    assert_eq!(blockstep_format::read_scenario(&text).unwrap(), made.draft, "copies of their own are in the file");
    let run = blockstep_sim::engine::simulate(&scenario, blockstep_sim::engine::Limits::default());
    let records = blockstep_sim::record::Records::new(&run.trace);
    let ran: Vec<u64> = records.ops.iter().map(|op| (op.end.unwrap().since(op.start.unwrap()).ns() + 500) / 1_000).collect();
    assert_eq!(ran, [100, 390, 80, 90, 10], "each takes its recorded time");
}

#[test]
fn profile_a_scenario_of_copies_alone_has_the_usual_bandwidth_where_they_are_small() {
    let mut made = Made::default();
    made.launch("gpu_memcpy", "Memcpy DtoH", 20, (0, 4), (8, 10), json!({ "bytes": 4 }));
    made.launch("gpu_memcpy", "Memcpy DtoD", 24, (4, 4), (12, 15), json!({ "bytes": 4 }));
    let (recording, analysis) = made.read();
    let made = scenario(&recording, &analysis, &[0, 1], "").unwrap();
    let DeviceDraft::Custom(gpu) = &made.draft.device else { panic!("it has limits of its own") };
    assert_eq!(gpu.copy_bandwidth_bytes_per_s, 12_000_000_000);
    let rows: Vec<_> = made.draft.kernels.iter().map(|row| (row.call, row.bytes)).collect();
    assert_eq!(rows, [(Call::CopyToHost, 24_000), (Call::CopyOnDevice, 36_000)]);
    assert_eq!(made.left_out, [LeftOut::CopyBytes(2)]);
}

#[test]
fn profile_a_scenario_says_what_it_leaves_out() {
    let mut made = Made::default();
    for i in 0..400_u64 {
        made.sized("K", 20, i, (8 + 500 * i, 500 * (i + 1)), 100_000);
    }
    made.kernel("null", 7, 500, (200_100, 200_200));
    let (recording, analysis) = made.read();
    let all = made::between(&recording, Time::ZERO, recording.end());
    let made = scenario(&recording, &analysis, &all, "").unwrap();
    assert_eq!(made.draft.kernels.len(), made::MOST);
    assert_eq!(made.left_out, [LeftOut::Beyond(101), LeftOut::Waves(300)]);
    assert!(made.draft.kernels.iter().all(|row| row.blocks == 216));
    let copies = [place(&recording, "null")];
    assert!(scenario(&recording, &analysis, &copies, "").is_some());
    assert_eq!(scenario(&recording, &analysis, &[], ""), None);
}

#[test]
fn profile_public_traces_become_valid_scenarios() {
    for PublicTrace { name, recording, analysis } in public_of_pytorch() {
        let middle = Time(recording.operations[recording.operations.len() / 2].start.ns());
        let chosen = made::between(recording, middle, middle.after(Span(2_000_000)).unwrap());
        if let Some(made) = scenario(recording, analysis, &chosen, "part") {
            let problems = Scenario::new(&made.draft).map(drop);
            assert!(problems.is_ok(), "{name}: {problems:?}");
        }
        for place in (0..recording.operations.len() as u32).step_by(97) {
            let (links, _) = chain(recording, analysis, place);
            assert!(!links.is_empty() && links.len() <= MOST);
        }
    }
}

#[test]
fn profile_the_worker_answers() {
    let mut made = Made::default();
    made.kernel("void gemm<float>(int)", 20, 0, (8, 500)).kernel("add", 20, 10, (502, 600));
    let mut tracer = Tracer::default();
    assert!(matches!(tracer.answer(&TraceAsk::Look(0)), TraceAnswer::Failed(_)));
    let TraceAnswer::Opened(overview) = tracer.open(made.text().as_bytes(), &mut |_| ()) else { panic!("it can be read") };
    assert_eq!(overview.answer, ["Of 600.0 µs, 590.0 µs is the GPU working (83 % of it gemm), 10.0 µs launching."]);
    let titles: Vec<&str> = overview.lanes.iter().map(|lane| lane.title.as_str()).collect();
    assert_eq!(titles, ["Thread 9", "Path", "SMs in use", "Stream 20"]);
    let rows: Vec<(&str, u32, &str)> =
        overview.paths[0].rows.iter().map(|row| (row.label.as_str(), row.permille, row.pieces.as_str())).collect();
    assert_eq!(rows, [("gemm", 819, "1"), ("add", 163, "1"), ("Launches on their way to the GPU", 16, "2")]);
    assert_eq!(overview.waits[0].name, "add (stream 20)");
    let TraceAnswer::Looked(card) = tracer.answer(&TraceAsk::Look(1)) else { panic!("it is there") };
    assert_eq!((card.name.as_str(), card.lanes), ("add", (Some(3), Some(0))));
    assert_eq!(card.parts.iter().map(|part| part.ns).sum::<u64>(), card.start.since(card.called.unwrap()).ns());
    assert_eq!(card.chain.iter().map(|row| row.name.as_str()).collect::<Vec<_>>(), ["add (stream 20)", "gemm (stream 20)"]);
    let same = TraceAnswer::Looked(card);
    assert_eq!(tracer.answer(&TraceAsk::LookOfCall(1)), same);
    // The path: launch, gemm, launch, add.
    assert_eq!(tracer.answer(&TraceAsk::LookOfPath { device: 0, piece: 3 }), same);
    assert_eq!(tracer.answer(&TraceAsk::LookOfPath { device: 0, piece: 4 }), TraceAnswer::Nothing);
    assert_eq!(tracer.answer(&TraceAsk::Beside(Some(0), true)), same);
    assert_eq!(tracer.answer(&TraceAsk::Beside(Some(1), true)), TraceAnswer::Nothing);
    assert_eq!(tracer.answer(&TraceAsk::Look(2)), TraceAnswer::Nothing);
    let TraceAnswer::Found(found) = tracer.answer(&TraceAsk::Find("GEMM".to_owned())) else { panic!("it looks") };
    assert_eq!((found.count, found.first[0].0), (1, 0));
    let sight = Sight { from: Time::ZERO, to: overview.end, px: 600 };
    let TraceAnswer::Drawn { lanes, .. } = tracer.answer(&TraceAsk::Draw(sight)) else { panic!("it draws") };
    // Pieces of the path that share a pixel have the tone of the longest: gemm, not the launch before it.
    let TraceAnswer::Drawn { lanes: coarse, .. } = tracer.answer(&TraceAsk::Draw(Sight { px: 1, ..sight })) else { panic!("it draws") };
    assert_eq!(coarse[1].iter().map(|drawn| (drawn.tone, drawn.piece.count)).collect::<Vec<_>>(), [(Tone::Kernel, 4)]);
    assert_eq!(lanes[3].iter().map(|drawn| (drawn.name.as_str(), drawn.is_found)).collect::<Vec<_>>(), [("gemm", true), ("add", false)]);
    let mut kernels = |of| {
        let make = TraceAsk::Make { of, from: Time::ZERO, to: overview.end, name: "mine".to_owned() };
        match tracer.answer(&make) {
            TraceAnswer::Made { scenario, .. } => read_scenario(&scenario).unwrap().kernels.into_iter().map(|kernel| kernel.name).collect(),
            TraceAnswer::Failed(why) => vec![why],
            answer => panic!("{answer:?}"),
        }
    };
    assert_eq!(kernels(Chosen::All), ["gemm", "add"]);
    assert_eq!(kernels(Chosen::StreamOf(1)), ["gemm", "add"], "both are on stream 20");
    assert_eq!(kernels(Chosen::Named(" ADD".to_owned())), ["add"]);
    assert!(kernels(Chosen::Named("none".to_owned()))[0].contains("Nothing ran"));
    assert!(kernels(Chosen::StreamOf(9))[0].contains("Nothing ran"));
    assert!(matches!(tracer.open(&b"{}"[..], &mut |_| ()), TraceAnswer::Failed(_)));
    assert!(matches!(tracer.answer(&TraceAsk::Look(0)), TraceAnswer::Failed(_)), "what was open before is gone");
}

#[test]
fn profile_traces_are_known_by_their_first_bytes() {
    let text = Made::default().kernel("A", 20, 0, (8, 500)).text();
    assert!(is_profile(text.as_bytes()) && is_profile(b"\x1f\x8b\x08") && is_profile(b"SQLite format 3\0"));
    assert!(is_profile(b"\xef\xbb\xbf [ {\"ph\": \"X\""));
    let scenario = br#"{"format": "blockstep-scenario", "version": 1, "kernels": []}"#;
    assert!(!is_profile(scenario) && !is_profile(b"") && !is_profile(b"PK\x03\x04") && !is_profile(b"name,stream"));
}
