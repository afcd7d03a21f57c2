//! Communication: which kernels are it, what kept computation apart from it, and what fewer, larger collectives would gain.

use blockstep_sim::dice::Dice;
use blockstep_sim::record::Records;
use blockstep_sim::units::Span;
use blockstep_sim::units::written::format_time_short;
use blockstep_testing::shared::shared;
use blockstep_traces::Recording;
use blockstep_traces::causes::{Analysis, Certainty};
use blockstep_traces::communication::{CollectiveKind, is_of_library};
use blockstep_traces::files::{write_ranks_json, write_waits_json};
use blockstep_traces::gain::collectives::{FixedPart, fixed_part};
use blockstep_traces::gain::{self, Gains, ProgramChange, gains};
use blockstep_traces::path::exposed::{self, Exposed, KeptApart, exposed};
use blockstep_traces::path::groups::PathShare;
use blockstep_traces::path::overlap::overlaps;
use blockstep_traces::path::paths;
use blockstep_traces::ranks::{CannotTell, Slowest, slowest, words};
use blockstep_traces::summary::Summary;
use serde_json::{Value, json};

use super::{Made, PublicTrace, gains as programs, public_traces, ranks, read, trip};

const ALL_REDUCE: &str = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)";
const SEND: &str = "ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(ncclWorkElem)";

impl Made {
    /// What the thread of the calls ran: an operator, or a range.
    fn span(&mut self, category: &str, name: &str, (from, length): (u64, u64), args: Value) -> &mut Self {
        self.events.push(json!({ "ph": "X", "cat": category, "name": name, "pid": 9, "tid": 9, "ts": 1_000 + from, "dur": length,
            "args": args }));
        self
    }

    /// A kernel with these arguments besides.
    fn with(&mut self, name: &str, stream: u64, called: u64, ran: (u64, u64), args: Value) -> &mut Self {
        let mut all = json!({ "grid": [1, 1, 1], "block": [1024, 1, 1], "registers per thread": 32, "shared memory": 0 });
        all.as_object_mut().unwrap().extend(args.as_object().unwrap().clone());
        self.launch("kernel", name, stream, (called, 4), ran, all)
    }
}

/// The kernels that communicate: their names, kinds and certainty.
fn found(made: &Made) -> Vec<(String, CollectiveKind, Certainty)> {
    let (recording, _) = made.read();
    let of = |place: u32| recording.name(&recording.operations[place as usize]).to_owned();
    recording.communications.iter().map(|found| (of(found.operation), found.kind, found.certainty)).collect()
}

#[test]
fn communication_is_what_the_file_says() {
    use Certainty::{Certain, Consistent};
    use CollectiveKind::{AllGather, AllReduce, AllToAll, Other};
    let owned = |all: &[(&str, CollectiveKind, Certainty)]| all.iter().map(|of| (of.0.to_owned(), of.1, of.2)).collect::<Vec<_>>();
    // Its own arguments.
    let mut made = Made::default();
    made.with("k", 20, 0, (8, 20), json!({ "Collective name": "_allgather_base" })).kernel("gemm", 20, 10, (22, 30));
    made.with("sum", 20, 40, (48, 60), json!({ "Group size": 8 }));
    assert_eq!(found(&made), owned(&[("k", AllGather, Certain)]));
    // Its name alone.
    let mut made = Made::default();
    made.kernel(ALL_REDUCE, 20, 0, (8, 20)).kernel("void vllm::cross_device_reduce_1stage<half, 8>(void*)", 20, 10, (22, 30));
    made.kernel("ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)", 20, 20, (32, 40));
    let names =
        [ALL_REDUCE, "void vllm::cross_device_reduce_1stage<half, 8>(void*)", "ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)"];
    assert_eq!(found(&made), owned(&[(names[0], AllReduce, Consistent), (names[1], AllReduce, Consistent), (names[2], Other, Consistent)]));
    // The operator in which nothing else launched it: what the kernel is called says less than that.
    let mut made = Made::default();
    made.span("cpu_op", "record_param_comms", (0, 30), json!({})).span("user_annotation", "nccl:all_to_all", (5, 20), json!({}));
    made.kernel(SEND, 20, 10, (20, 40));
    assert_eq!(found(&made), owned(&[(SEND, AllToAll, Certain)]));
    // A copy of the result, launched by an operator within it, computes; so does what checks for NaN beside the kernel of the library.
    made.span("cpu_op", "aten::copy_", (15, 8), json!({})).kernel("copy", 20, 16, (41, 50)).kernel("checkForNaN", 20, 24, (51, 60));
    assert_eq!(found(&made), owned(&[(SEND, AllToAll, Certain)]));
    // Of one that no library has, the only one is it; of several nobody knows which.
    let mut made = Made::default();
    made.span("cpu_op", "c10d::allreduce_", (0, 10), json!({})).kernel("mine", 20, 2, (10, 20));
    assert_eq!(found(&made), owned(&[("mine", AllReduce, Consistent)]));
    made.kernel("other", 20, 6, (21, 30));
    assert_eq!(found(&made), []);
    // A range of NCCL's own, and a call on another thread than a range.
    let mut made = Made::default();
    made.span("user_annotation", "ncclAllReduce", (0, 10), json!({})).kernel("Generic", 20, 2, (10, 20)).kernel("after", 20, 12, (21, 30));
    assert_eq!(found(&made), owned(&[("Generic", AllReduce, Certain)]));
    made.events[0]["tid"] = json!(10);
    assert_eq!(found(&made), []);
    // One that ended while a later one goes on says nothing any more.
    let mut made = Made::default();
    made.span("cpu_op", "record_param_comms", (0, 10), json!({})).span("cpu_op", "c10d::allreduce_", (5, 30), json!({}));
    made.kernel("mine", 20, 8, (20, 30));
    assert_eq!(found(&made), owned(&[("mine", AllReduce, Certain)]));
    made.events[2]["ts"] = json!(1_012);
    assert_eq!(found(&made), owned(&[("mine", AllReduce, Consistent)]));
}

#[test]
fn communication_of_libraries_is_known_by_name() {
    for name in [
        "RCCL_kernel",
        "nvshmemi_transfer_amo_nonfetch",
        "mscclKernel_Sum_half_Simple_false(ncclDevComm*)",
        "void deep_ep::internode_ll::dispatch<true, 3, 10, 7168>(void*)",
        "void deep_ep::intranode::combine<__nv_bfloat16, 8>(void*)",
        "void flashinfer::trtllm_allreduce_fusion::allreduce_fusion_kernel_oneshot_lamport<(int)1>(int)",
        "void tensorrt_llm::kernels::oneShotAllReduceKernel<half, 8>(int)",
        "void c10d::(anonymous namespace)::multimem_all_reduce_kernel<float>(float*)",
    ] {
        assert!(is_of_library(name), "{name}");
    }
    for name in
        ["void deep_ep::layout::get_dispatch_layout<256>(long*)", "gemm_one_shot_all_reduce_kernel", "blockAllReduce", "sum<nccl>()", ""]
    {
        assert!(!is_of_library(name), "{name}");
    }
}

/// What kept computation apart, in whole microseconds.
fn kept_apart(made: &Made) -> Vec<(KeptApart, u64)> {
    let (recording, analysis) = made.read();
    let of = check(&recording, &analysis)[0];
    let us = |ns: u64| (ns + 500) / 1_000;
    KeptApart::ALL.into_iter().map(|why| (why, us(of.ns[why as usize]))).filter(|&(_, us)| us > 0).collect()
}

/// The reasons add up to the communication with no computation beside it, on each device.
fn check(recording: &Recording, analysis: &Analysis) -> Vec<Exposed> {
    let found = exposed(recording, analysis);
    for (of, together) in found.iter().zip(overlaps(recording)) {
        assert_eq!(of.in_all_ns(), together.communication_ns - together.communication_and_computation_ns);
        assert!(of.certain_ns <= of.in_all_ns());
    }
    found
}

#[test]
fn communication_is_kept_apart_by_what_the_next_kernel_waits_for() {
    let mut made = Made::default();
    made.kernel(ALL_REDUCE, 20, 0, (8, 500)).kernel("B", 20, 10, (502, 600));
    assert_eq!(kept_apart(&made), [(KeptApart::SameStream, 490), (KeptApart::LaunchedLate, 2)]);
    // What runs beside it is hidden.
    made.kernel("C", 24, 12, (100, 300));
    assert_eq!(kept_apart(&made), [(KeptApart::SameStream, 200), (KeptApart::LaunchedLate, 4), (KeptApart::CannotTell, 88)]);
    let mut made = Made::default();
    made.kernel(ALL_REDUCE, 20, 0, (8, 500)).event_wait((20, 12), (24, 14)).kernel("B", 24, 30, (502, 600));
    assert_eq!(kept_apart(&made), [(KeptApart::Dependency, 470), (KeptApart::LaunchedLate, 22)]);
    let mut made = Made::default();
    made.kernel(ALL_REDUCE, 20, 0, (8, 500)).kernel("B", 24, 550, (558, 600)).kernel(ALL_REDUCE, 20, 602, (610, 700));
    assert_eq!(kept_apart(&made), [(KeptApart::LaunchedLate, 492), (KeptApart::NothingLeft, 90)]);
    // What the host had not called yet was launched late, whatever its stream did.
    let mut made = Made::default();
    made.kernel(ALL_REDUCE, 20, 0, (8, 908)).kernel("B", 20, 900, (910, 1_000));
    assert_eq!(kept_apart(&made), [(KeptApart::SameStream, 8), (KeptApart::LaunchedLate, 892)]);
    // A head of its stream that communicates, too, and that begins late.
    let mut made = Made::default();
    made.kernel(ALL_REDUCE, 20, 0, (8, 908)).kernel(ALL_REDUCE, 24, 4, (904, 910)).kernel("B", 24, 900, (912, 1_000));
    assert_eq!(kept_apart(&made), [(KeptApart::SameStream, 10), (KeptApart::LaunchedLate, 892)]);
    // All places of the device are taken by communication.
    let mut made = Made::default();
    made.sized(ALL_REDUCE, 20, 0, (8, 500), 216).sized("B", 24, 10, (502, 600), 4);
    assert_eq!(kept_apart(&made), [(KeptApart::LaunchedLate, 2), (KeptApart::NoRoom, 490)]);
    // A copy is before it in its stream.
    let mut made = Made::default();
    made.kernel(ALL_REDUCE, 20, 0, (8, 500));
    made.launch("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 24, (4, 4), (8, 500), json!({ "bytes": 9 })).kernel(
        "B",
        24,
        10,
        (502, 600),
    );
    assert_eq!(kept_apart(&made), [(KeptApart::LaunchedLate, 2), (KeptApart::OtherWork, 490)]);
}

/// Programs of threads that wait, in which half of the kernels communicate: the JSON of their traces.
fn program(number: u64) -> String {
    let (run, _) = programs::end(&programs::program(number));
    let records = Records::new(&run.trace);
    let (text, ..) = trip::export(&run, &records, &mut Dice::new(number, &[25]), number.is_multiple_of(2), trip::JITTER);
    let mut trace: Value = serde_json::from_str(&text).unwrap();
    for event in trace["traceEvents"].as_array_mut().unwrap().iter_mut().filter(|event| event["cat"] == "kernel") {
        let name = event["name"].as_str().unwrap().to_owned();
        if name.bytes().map(u64::from).sum::<u64>().is_multiple_of(2) {
            event["name"] = "ncclDevKernel_AllReduce_Sum".into();
        }
    }
    trace.to_string()
}

#[test]
fn communication_apart_adds_up() {
    for number in 0..300 {
        let (recording, analysis) = read(&program(number));
        check(&recording, &analysis);
    }
    for PublicTrace { name, recording, analysis } in public_traces() {
        for (device, of) in (0_u32..).zip(check(recording, analysis)) {
            let said = exposed::said(recording, device, &of, &|span: Span| format_time_short(span.ns()));
            println!("{name}: {said:?}");
        }
    }
}

/// The numbers of collectives that were tried, with what each gains, ns.
fn tried(found: &Gains) -> Vec<(u32, u32, u64)> {
    let of = |change: &ProgramChange| match *change {
        ProgramChange::FewerCollectives { count, left, .. } => Some((count, left)),
        _ => None,
    };
    let all = found.tried.iter().filter_map(|tried| match tried.changes.as_slice() {
        [one] => of(one).map(|(count, left)| (count, left, found.gain_ns(tried))),
        _ => None,
    });
    let mut all: Vec<_> = all.collect();
    all.sort_unstable();
    all
}

fn gains_of(made: &Made) -> (Recording, Gains) {
    let (recording, analysis) = made.read();
    let found = gains(&recording, &analysis, &paths(&recording, &analysis)).unwrap();
    (recording, found)
}

/// So many kernels that compute, each for 100 us, in stream 7, and after each a collective in stream 20, with these bytes and so long, us.
fn buckets(all: &[(u64, u64)]) -> Made {
    let mut made = Made::default();
    let mut free = 0;
    for (step, &(bytes, length)) in (0_u64..).zip(all) {
        let (called, ends) = (12 * step, 10 + 100 * (step + 1));
        made.kernel("backward", 7, called, (ends - 100, ends));
        made.events
            .push(json!({ "ph": "X", "cat": "cuda_runtime", "name": "cudaEventRecord", "pid": 9, "tid": 9, "ts": 1_004.2 + called as f64,
            "dur": 0.2, "args": { "correlation": 10_000 + step } }));
        let wait = json!({ "device": 0, "context": 1, "stream": 20, "correlation": 20_000 + step, "wait_on_stream": 7,
            "wait_on_cuda_event_record_corr_id": 10_000 + step });
        made.events.push(json!({ "ph": "X", "cat": "cuda_runtime", "name": "cudaStreamWaitEvent", "pid": 9, "tid": 9,
            "ts": 1_004.5 + called as f64, "dur": 0.2, "args": { "correlation": 20_000 + step } }));
        made.events
            .push(json!({ "ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 20, "ts": 1_004.6 + called as f64,
            "dur": 0, "args": wait }));
        let begins = free.max(ends + 1);
        free = begins + length;
        let args = json!({ "Collective name": "allreduce", "dtype": "Float", "In msg nelems": bytes / 4, "Group size": 8 });
        let args = if bytes == 0 { json!({}) } else { args };
        made.with(ALL_REDUCE, 20, called + 5, (begins, free), args);
    }
    made
}

#[test]
fn communication_has_a_fixed_part_where_the_file_shows_one() {
    let of = |all: &[(u64, u64)]| {
        let (recording, _) = buckets(all).read();
        let stream = recording.streams.iter().position(|stream| stream.id == 20).unwrap() as u32;
        fixed_part(&recording, CollectiveKind::AllReduce, stream)
    };
    // 100 us, and 1 us for each 1,000 bytes; a rank that waited in one of them changes nothing.
    let thrice = |sizes: &[(u64, u64)]| of(&[sizes, sizes, sizes].concat());
    assert_eq!(thrice(&[(40_000, 140), (80_000, 180), (40_000, 900), (400_000, 500)]), FixedPart::Fitted(100_000));
    assert_eq!(thrice(&[(40_000, 140), (40_000, 180), (40_000, 900)]), FixedPart::Unknown);
    assert_eq!(thrice(&[(40_000, 140), (400_000, 141)]), FixedPart::Unknown, "bytes take no time that the file shows");
    assert_eq!(thrice(&[(0, 20), (0, 100), (0, 300)]), FixedPart::Shortest(20_000));
    assert_eq!(thrice(&[(0, 20), (0, 21), (0, 39)]), FixedPart::Unknown);
    // One that waited for a rank is no latency, nor is one that alone is short.
    let mut one = vec![(400_000, 1_200); 19];
    one.push((4_000, 900));
    assert_eq!(of(&one), FixedPart::Unknown);
    assert_eq!(of(&[(0, 20), (0, 100), (0, 100), (0, 100)]), FixedPart::Unknown);
    assert_eq!(of(&[(0, 20), (0, 22), (0, 23), (0, 100), (0, 100), (0, 100)]), FixedPart::Unknown);
}

#[test]
fn communication_in_fewer_collectives_is_shorter_by_their_fixed_parts() {
    // Each takes 20 us longer than what computes, or 80, so that the last ends late; 100 us of each are fixed.
    let sizes: Vec<(u64, u64)> = (0..8).map(|step| if step < 3 { (80_000, 180) } else { (20_000, 120) }).collect();
    let (recording, found) = gains_of(&buckets(&sizes));
    let all = tried(&found);
    assert_eq!(all.iter().map(|of| (of.0, of.1)).collect::<Vec<_>>(), [(8, 1), (8, 2), (8, 4)]);
    // The last one begins after the last kernel: it takes 180 us, twice 80 and five times 20, or 120 us and three times 20, or once.
    let ends = |length: u64| 10 + 800 + 1 + length;
    let saves = |length: u64| (found.unchanged_ns / 1_000).abs_diff(ends(length));
    let us: Vec<u64> = all.iter().map(|of| of.2 / 1_000).collect();
    for (us, length) in us.iter().zip([440, 180, 140]) {
        assert!(us.abs_diff(saves(length)) <= 8, "{us} of {length}: {all:?}");
    }
    let (lines, _) = gain::words::said(&recording, Ok(&found), &|span: Span| format_time_short(span.ns()));
    let line = lines.iter().find(|line| line.starts_with("Send 8 all-reduces of stream 20 as 4 larger ones")).unwrap();
    let takes = "of an earlier one, and each of them takes 100 µs whatever its size. ";
    assert!(
        line.contains("if nothing between them needs the result") && line.contains(takes) && line.ends_with("joined before."),
        "{line}"
    );
    assert!(!lines.iter().any(|line| line.contains("as one larger") || line.contains("as 2 larger")), "only the best number: {lines:?}");
}

/// What waits for an early part waits for the joined one: what ran beside the others is lost, and that is seen.
#[test]
fn communication_in_fewer_collectives_keeps_what_waits_for_it() {
    let sizes: Vec<(u64, u64)> = (0..8).map(|step| if step < 3 { (80_000, 180) } else { (20_000, 120) }).collect();
    let mut made = buckets(&sizes);
    let unbound = tried(&gains_of(&made).1);
    // A long kernel of another stream needs the first one alone.
    made.event_wait((20, 9), (28, 10));
    for event in &mut made.events {
        if event["args"]["correlation"] == 90 {
            event["ts"] = json!(1_009.4);
            event["dur"] = json!(0.1);
        } else if event["args"]["correlation"] == 91 && event["cat"] == "cuda_runtime" {
            event["ts"] = json!(1_009.6);
            event["dur"] = json!(0.1);
        }
    }
    made.kernel("optimizer", 28, 100, (293, 1_093));
    let bound = tried(&gains_of(&made).1);
    assert!(unbound[1..].iter().all(|of| of.2 > 100_000) && bound.iter().all(|of| of.2 == 0), "{unbound:?} {bound:?}");
}

/// What comes between needs each result, so that none can be joined.
#[test]
fn communication_is_not_joined_where_each_waits_for_the_one_before() {
    let mut made = Made::default();
    for step in 0..10 {
        let at = 400 * step;
        made.kernel(ALL_REDUCE, 20, at, (at + 8, at + 108)).call("cudaDeviceSynchronize", (at + 12, 100), json!({}));
    }
    assert_eq!(tried(&gains_of(&made).1), []);
    // Without the waits of the host all of them are one.
    made.events.retain(|event| event["name"] != "cudaDeviceSynchronize");
    let (recording, found) = gains_of(&made);
    assert_eq!(tried(&found).first().map(|of| (of.0, of.1)), Some((10, 1)));
    let change =
        found.tried.iter().flat_map(|tried| &tried.changes).find(|of| matches!(of, ProgramChange::FewerCollectives { left: 1, .. }));
    assert_eq!(gain::words::change(&recording, *change.unwrap()), "Send 10 all-reduces of stream 20 as one larger one");
}

/// What a thread copies to the device begins a step, whose collectives need those of the step before.
#[test]
fn communication_of_two_steps_is_not_joined() {
    let mut made = Made::default();
    for step in 0..3 {
        let at = 2_000 * step;
        made.launch("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 20, (at, 4), (at + 6, at + 9), json!({ "bytes": 4_000 }));
        for of in (0..4).map(|place| at + 20 + 150 * place) {
            made.kernel("K", 20, of, (of + 8, of + 28)).kernel(ALL_REDUCE, 20, of + 10, (of + 29, of + 129));
        }
    }
    let (left, count): (Vec<u32>, Vec<u32>) = tried(&gains_of(&made).1).iter().map(|of| (of.1, of.0)).unzip();
    assert_eq!((left, count), (vec![3, 6], vec![12, 12]));
}

/// A collective that waits for another rank takes itself no longer than the shortest of those like it.
#[test]
fn communication_that_is_faster_does_not_shorten_the_wait_for_a_rank() {
    let mut made = Made::default();
    for step in 0..8 {
        let (at, length) = (1_000 * step, if step == 0 { 100 } else { 500 });
        made.kernel(ALL_REDUCE, 20, at, (at + 8, at + 8 + length)).call("cudaDeviceSynchronize", (at + 5, 5 + length), json!({}));
    }
    let (_, found) = gains_of(&made);
    let half =
        found.tried.iter().find(|tried| matches!(tried.changes[..], [ProgramChange::Faster { percent: 50, what }] if !what_is_all(what)));
    let us = found.gain_ns(half.unwrap()) / 1_000;
    assert!((380..=420).contains(&us), "eight times half of 100 us: {us}");
}

fn what_is_all(what: gain::LeverSubject) -> bool {
    !matches!(what, gain::LeverSubject::Row(row) if row.share == PathShare::Working)
}

/// A copy that an operator launches besides stays, and so does the time of its launch.
#[test]
fn communication_in_fewer_collectives_keeps_other_launches() {
    let with_copies = |copies: bool| {
        let mut made = Made::default();
        for step in 0..16 {
            let at = 100 * step;
            made.span("cpu_op", "c10d::allgather_", (at, 90), json!({}));
            if copies {
                made.launch("kernel", "copy_kernel", 20, (at + 2, 60), (at + 63, at + 65), json!({}));
            } else {
                made.call("cudaEventQuery", (at + 2, 60), json!({}));
            }
            let args = json!({ "Collective name": "_allgather_base" });
            made.launch("kernel", "ncclDevKernel_AllGather_RING_LL", 20, (at + 70, 10), (at + 82, at + 92), args);
        }
        made
    };
    let most = |made: &Made| tried(&gains_of(made).1).into_iter().map(|of| of.2).max().unwrap();
    let (kept, gone) = (most(&with_copies(true)), most(&with_copies(false)));
    // As four: twelve launches of 10 us, and 8 us before each, less 30 us that the last one takes longer. The copies' launches are 960 us.
    assert!(kept.abs_diff(186_000) <= 5_000 && gone >= 1_000_000, "{kept} {gone}");
}

/// Many kernels that begin at one instant, of which the file says each: an answer all the same, and the first of one call is meant.
#[test]
fn communication_of_kernels_that_begin_together_is_told_apart() {
    let mut made = Made::default();
    let both = json!({ "Collective name": "allreduce" });
    for step in 0..2_000 {
        made.launch("kernel", "k", 20 + step % 2, (step, 1), (5_000, 5_001), if step % 4 < 2 { both.clone() } else { json!({}) });
    }
    let (recording, _) = made.read();
    assert_eq!(recording.communications.len(), 1_000);
    for of in &recording.communications {
        let called = recording.called(&recording.operations[of.operation as usize]).unwrap();
        assert!((called.ns() / 1_000).is_multiple_of(4) || called.ns() / 1_000 % 4 == 1, "{called:?}");
    }
}

#[test]
fn communication_in_fewer_collectives_gains_nothing_impossible() {
    let (mut joined, mut looked_at) = (0, 0);
    for number in 0..200 {
        let (recording, analysis) = read(&program(number));
        let Ok(found) = gains(&recording, &analysis, &paths(&recording, &analysis)) else { continue };
        looked_at += programs::assert_possible(&format!("program {number}"), &recording, &found);
        joined += tried(&found).len();
        // What is not joined in a stream works as long as before.
        for stream in 0..recording.streams.len() {
            let others = recording.streams[stream].operations.iter().filter(|&&place| recording.communication(place).is_none());
            let works: u64 = others.map(|&place| recording.operations[place as usize].duration().ns()).sum();
            for (_, _, gain) in tried(&found) {
                assert!(found.recorded_ns - gain.min(found.recorded_ns) >= works, "program {number}");
            }
        }
    }
    println!("{joined} numbers of collectives among {looked_at} gains");
    assert!(joined >= 40, "{joined}");
}

#[test]
fn communication_of_the_case_of_exposed_all_reduces_is_told() {
    let Some(file) = shared("cases/traces/exposed-all-reduces-no-advice.json") else { return };
    let (recording, analysis) = read(&std::fs::read_to_string(file).unwrap());
    let of = check(&recording, &analysis)[0];
    // In all of it one stream keeps them apart, but while the next kernel was not called yet.
    let all = [KeptApart::SameStream, KeptApart::NothingLeft, KeptApart::LaunchedLate];
    assert_eq!(all.map(|why| of.ns[why as usize]).iter().sum::<u64>(), of.in_all_ns());
    let time = |span: Span| format_time_short(span.ns());
    let said = exposed::said(&recording, 0, &of, &time);
    assert!(said[0].starts_with("Communication ran for 4.5 ms (") && said[0].ends_with(" %) with no computation beside it."), "{said:?}");
    assert!(said[1].starts_with("Reasons (consistent): the same stream, 4.4"), "{said:?}");
    // All take as long and have no size: what fewer ones save of that, nobody can tell.
    assert!(said[2].starts_with("We cannot tell what fewer, larger all-reduces would save"), "{said:?}");
    let found = gains(&recording, &analysis, &paths(&recording, &analysis)).unwrap();
    let all = tried(&found);
    assert_eq!(all.iter().map(|of| (of.0, of.1)).collect::<Vec<_>>(), [(300, 5), (300, 10), (300, 20), (300, 40), (300, 75)]);
    // A gap of 1.5 us for each that is no more.
    assert!(all.iter().all(|of| of.2 <= 450_000) && all[0].2 >= 400_000, "{all:?}");
    let json =
        write_waits_json((&recording, &analysis), &Summary::new(&recording, &analysis), &paths(&recording, &analysis), Ok(&found), 3);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["answer"][1], said[0].as_str());
    assert_eq!(json["paths"][0]["exposed_communication"]["ns"], of.in_all_ns());
}

/// A job of four ranks, of which 0 and 1, and 2 and 3 are groups; in its group rank 3 is slow.
pub(super) fn groups(say: bool, dice: &mut Dice) -> Vec<String> {
    let slow = |rank: u64, _: u64| (if rank == 1 { 300 } else { 0 }, false);
    let halves =
        [ranks::job(2, 6, "ncclDevKernel_Generic", dice, &|_, _| (0, false)), ranks::job(2, 6, "ncclDevKernel_Generic", dice, &slow)];
    let one = |(place, text): (usize, &String)| {
        let mut trace: Value = serde_json::from_str(text).unwrap();
        let rank = place as u64;
        trace["distributedInfo"] = json!({ "rank": rank, "world_size": 4 });
        let mut all = json!({ "Collective name": "allreduce", "Group size": 2 });
        if say {
            all["Process Group Ranks"] = json!(if rank < 2 { "[0, 1]" } else { "[2, 3]" });
        }
        for event in trace["traceEvents"].as_array_mut().unwrap().iter_mut().filter(|event| event["name"] == "ncclDevKernel_Generic") {
            event["args"].as_object_mut().unwrap().extend(all.as_object().unwrap().clone());
        }
        trace.to_string()
    };
    halves.iter().flatten().enumerate().map(one).collect()
}

#[test]
fn ranks_are_compared_within_their_groups() {
    let dice = &mut Dice::new(0, &[68]);
    let files = ranks::files(&groups(true, dice));
    assert!(matches!(slowest(&files), Ok(Slowest::HoldsUp { file: 3, last_in: 6, of: 6, group: Some(2), .. })), "{:?}", slowest(&files));
    let said = words::said(&files, &|span: Span| format_time_short(span.ns()));
    assert!(said[0].starts_with("Rank 3 holds up the other rank of its group of 2 (consistent): that one spends "), "{said:?}");
    assert_eq!(serde_json::from_str::<Value>(&write_ranks_json(&files)).unwrap()["holds_up"]["group_size"], 2);
    // One file of a group has nobody to be compared with.
    assert!(matches!(slowest(&files[..3]), Ok(Slowest::Nobody { .. })), "{:?}", slowest(&files[..3]));
    assert_eq!(slowest(&ranks::files(&groups(false, dice))), Err(CannotTell::Groups(0, 2)));
}

#[test]
fn ranks_compare_every_kind_that_is_left_together() {
    let dice = &mut Dice::new(0, &[69]);
    let slow = |rank: u64, _: u64| (if rank == 1 { 300 } else { 0 }, false);
    let with = |args: Value, dice: &mut Dice| {
        let one = |text: &String| {
            let mut trace: Value = serde_json::from_str(text).unwrap();
            for event in trace["traceEvents"].as_array_mut().unwrap().iter_mut().filter(|event| event["name"] == "generic") {
                event["args"].as_object_mut().unwrap().extend(args.as_object().unwrap().clone());
            }
            trace.to_string()
        };
        ranks::files(&ranks::job(3, 6, "generic", dice, &slow).iter().map(one).collect::<Vec<_>>())
    };
    for name in ["allreduce", "_allgather_base", "reduce_scatter", "all_to_allv", "barrier"] {
        let files = with(json!({ "Collective name": name }), dice);
        assert!(matches!(slowest(&files), Ok(Slowest::HoldsUp { file: 1, group: None, .. })), "{name}: {:?}", slowest(&files));
    }
    for name in ["broadcast", "reduce", "send", "recv", "gather", "scatter"] {
        let files = with(json!({ "Collective name": name }), dice);
        assert_eq!(slowest(&files), Err(CannotTell::NoCollectives), "{name}");
        let said = words::said(&files, &|span: Span| format_time_short(span.ns()));
        assert!(said.last().unwrap().starts_with("These count as communication and do not show who came last"), "{said:?}");
    }
    // Ranks that send each other other amounts do not leave together.
    let files = with(json!({ "Collective name": "all_to_allv", "In split size": "[1, 2, 3]" }), dice);
    assert_eq!(slowest(&files), Err(CannotTell::NoCollectives));
    let kinds = &serde_json::from_str::<Value>(&write_ranks_json(&files)).unwrap()["ranks"][0]["communication_kinds"];
    assert_eq!((&kinds[0]["kind"], &kinds[0]["count"]), (&json!("all-to-all"), &json!(6)));
}
