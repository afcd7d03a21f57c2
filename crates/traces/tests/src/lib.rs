//! Traces of profilers: causes on small traces made by hand, what must hold of any trace, damaged files, and the public traces where
//! they are. Other tests take small traces from here.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]
// What only tests use is not there for others.
#![cfg_attr(not(test), allow(dead_code, unused_imports, unused_macros))]

mod both;
mod cases;
mod communication;
mod compared;
mod drawn;
mod evidence;
mod flaws;
mod gains;
mod gpu;
mod gpu_gains;
mod graphs;
mod held;
mod host_alone;
mod hta;
mod jax;
mod judged;
mod limits;
mod nsys;
mod pairs;
mod parts;
mod path;
mod ranges;
mod ranks;
mod rocm;
mod rocm_files;
mod schema;
mod sets;
mod shown;
mod sqlite;
mod trip;
mod what_if;
mod zero;

use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::sync::LazyLock;

use blockstep_sim::units::Span;
use blockstep_testing::shared;
use blockstep_traces::causes::{Analysis, Cause, Certainty, KnownSettings};
use blockstep_traces::files::{read_profile, read_profile_file, write_waits_csv, write_waits_json};
use blockstep_traces::gain::gains;
use blockstep_traces::path::paths;
use blockstep_traces::summary::{AlikeWaits, Summary};
use blockstep_traces::{Flaw, Recording};
use proptest::prelude::*;
use serde_json::{Value, json};

/// A trace under construction: times in microseconds.
#[derive(Default)]
struct Made {
    events: Vec<Value>,
    correlation: u64,
}

impl Made {
    /// A call from `called` for `length`, and what it launches on a stream, with these arguments besides.
    fn launch(&mut self, category: &str, name: &str, stream: u64, called: (u64, u64), ran: (u64, u64), args: Value) -> &mut Self {
        self.correlation += 1;
        let id = self.correlation;
        let call = if category == "kernel" { "cudaLaunchKernel" } else { "cudaMemcpyAsync" };
        self.call(call, called, json!({ "correlation": id }));
        let mut all = json!({ "device": 0, "context": 1, "stream": stream, "correlation": id });
        all.as_object_mut().unwrap().extend(args.as_object().unwrap().clone());
        self.events.push(json!({ "ph": "X", "cat": category, "name": name, "pid": 0, "tid": stream, "ts": 1_000.001 + ran.0 as f64,
            "dur": ran.1 - ran.0, "args": all }));
        self
    }

    fn kernel(&mut self, name: &str, stream: u64, called: u64, ran: (u64, u64)) -> &mut Self {
        self.sized(name, stream, called, ran, 1)
    }

    /// A kernel of so many blocks of 1,024 threads.
    fn sized(&mut self, name: &str, stream: u64, called: u64, ran: (u64, u64), blocks: u64) -> &mut Self {
        let args = json!({ "grid": [blocks, 1, 1], "block": [1024, 1, 1], "registers per thread": 32, "shared memory": 0 });
        self.launch("kernel", name, stream, (called, 4), ran, args)
    }

    fn call(&mut self, name: &str, called: (u64, u64), args: Value) -> &mut Self {
        self.events
            .push(json!({ "ph": "X", "cat": "cuda_runtime", "name": name, "pid": 9, "tid": 9, "ts": 1_000 + called.0, "dur": called.1,
            "args": args }));
        self
    }

    /// Records an event in the stream `of`, calls for `stream` to wait for it, at these times, and has the file say which it is.
    fn event_wait(&mut self, (of, recorded): (u64, u64), (stream, called): (u64, u64)) -> &mut Self {
        self.call("cudaEventRecord", (recorded, 1), json!({ "correlation": 90 }));
        self.call("cudaStreamWaitEvent", (called, 1), json!({ "correlation": 91 }));
        let args = json!({ "device": 0, "context": 1, "stream": stream, "correlation": 91, "wait_on_stream": of,
            "wait_on_cuda_event_record_corr_id": 90 });
        self.events.push(json!({ "ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": stream,
            "ts": 1_001 + called, "dur": 0, "args": args }));
        self
    }

    fn text(&self) -> String {
        // An A100: two such blocks on each of 108 SMs.
        let device = json!({ "id": 0, "name": "NVIDIA A100", "computeMajor": 8, "computeMinor": 0, "maxThreadsPerMultiprocessor": 2048,
            "regsPerMultiprocessor": 65536, "sharedMemPerMultiprocessor": 167_936, "numSms": 108 });
        json!({ "schemaVersion": 1, "deviceProperties": [device], "traceEvents": self.events }).to_string()
    }

    fn read(&self) -> (Recording, Analysis) {
        read(&self.text())
    }

    /// The causes of the wait of the last operation of this name with their lengths in whole microseconds.
    fn causes(&self, name: &str) -> Vec<(Cause, Certainty, u64)> {
        parts_of(&self.read().0, name)
    }
}

fn parts_of(recording: &Recording, name: &str) -> Vec<(Cause, Certainty, u64)> {
    let analysis = Analysis::new(recording, KnownSettings::default(), &mut |_| true).unwrap();
    let place = recording.operations.iter().rposition(|operation| recording.name(operation) == name).unwrap();
    analysis.parts(place as u32).iter().map(|part| (part.cause, part.certainty, (part.span().ns() + 500) / 1_000)).collect()
}

/// Small traces of every kind, as texts.
pub fn texts() -> Vec<String> {
    let mut texts = pairs::texts();
    texts.extend((0..12).map(trip::text).filter(|text| text.len() < 60_000));
    texts
}

/// Such a text as an export of Nsight Systems.
pub fn export(text: &str) -> Vec<u8> {
    sqlite::database(text, &[(20, 1, 0), (21, 2, 4_294_967_295)], Some(7))
}

fn read(text: &str) -> (Recording, Analysis) {
    let recording = read_profile(text.as_bytes(), &mut |_| true).unwrap_or_else(|why| panic!("{why}"));
    let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
    (recording, analysis)
}

use Cause::{
    BehindHead, CannotTell, Connection, CopyEngine, Event, FirstUse, ImplicitSync, Launch, NoRoom, NullBarrier, QueueFull, StreamOrder,
};
use Certainty::{Certain, Consistent, Unknown};

#[test]
fn profile_a_kernel_on_an_idle_gpu_waits_for_nothing() {
    assert_eq!(Made::default().kernel("A", 20, 0, (8, 100)).causes("A"), [(Launch, Certain, 8)]);
}

#[test]
fn profile_stream_order() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 500)).kernel("B", 20, 10, (502, 600));
    assert_eq!(made.causes("B"), [(StreamOrder, Certain, 490), (Launch, Certain, 2)]);
}

#[test]
fn profile_an_event_of_another_stream() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 500));
    made.call("cudaEventRecord", (10, 1), json!({ "correlation": 90 })).call("cudaStreamWaitEvent", (12, 1), json!({ "correlation": 91 }));
    let sync = |source: Value| {
        let mut args = json!({ "device": 0, "context": 1, "stream": 24, "correlation": 91 });
        args.as_object_mut().unwrap().extend(source.as_object().unwrap().clone());
        json!({ "ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 24, "ts": 1_013, "dur": 0, "args": args })
    };
    made.kernel("B", 24, 20, (502, 600));
    made.events.push(sync(json!({ "wait_on_stream": 20, "wait_on_cuda_event_record_corr_id": 90 })));
    assert_eq!(made.causes("B"), [(Event, Certain, 480), (Launch, Certain, 2)]);
    // A record without its source: the end of A just before agrees with it.
    made.events.pop();
    made.events.push(sync(json!({})));
    assert_eq!(made.causes("B"), [(Event, Consistent, 482)]);
    // No such records at all: the call on the same thread agrees with it.
    made.events.pop();
    assert_eq!(made.causes("B"), [(Event, Consistent, 482)]);
}

#[test]
fn profile_the_null_stream_and_others_wait_for_each_other() {
    let mut made = Made::default();
    made.kernel("A", 7, 0, (8, 500)).kernel("B", 20, 10, (502, 900)).kernel("C", 7, 20, (903, 950));
    assert_eq!(made.causes("B"), [(NullBarrier, Consistent, 490), (Launch, Certain, 2)]);
    assert_eq!(made.causes("C"), [(StreamOrder, Certain, 480), (NullBarrier, Consistent, 400), (Launch, Certain, 3)]);
    // A stream that once ran together with the NULL stream does not wait for it.
    made.kernel("D", 7, 2_000, (2_008, 3_000)).kernel("E", 20, 2_010, (2_020, 3_000));
    assert!(!made.causes("B").iter().any(|&(cause, _, _)| cause == NullBarrier));
}

#[test]
fn profile_no_room_and_behind_a_kernel_without_room() {
    let mut made = Made::default();
    // 216 blocks fill the GPU; B needs one place; C has one warp and would fit, but comes after B.
    made.sized("A", 20, 0, (8, 500), 216).sized("B", 24, 10, (502, 600), 4);
    assert_eq!(made.causes("B"), [(NoRoom, Consistent, 492)]);
    // Half of the places: there was room all along.
    let mut made = Made::default();
    made.sized("A", 20, 0, (8, 500), 108).sized("B", 24, 10, (502, 600), 4);
    assert_eq!(made.causes("B"), [(CannotTell, Unknown, 492)]);
    // H needs more registers than A's blocks leave on an SM; S would fit beside them.
    let mut made = Made::default();
    let big = json!({ "grid": [108, 1, 1], "block": [1024, 1, 1], "registers per thread": 48, "shared memory": 0 });
    let small = json!({ "grid": [1, 1, 1], "block": [32, 1, 1], "registers per thread": 16, "shared memory": 0 });
    made.sized("A", 20, 0, (8, 500), 108).launch("kernel", "H", 24, (10, 4), (502, 700), big);
    made.launch("kernel", "S", 28, (20, 4), (503, 600), small);
    assert_eq!(made.causes("H"), [(NoRoom, Consistent, 492)]);
    assert_eq!(made.causes("S"), [(BehindHead, Consistent, 483)]);
}

#[test]
fn profile_priorities_of_kernels_are_those_of_their_streams() {
    let mut made = Made::default();
    let args = |priority: i32| json!({ "priority": priority, "grid": [216, 1, 1], "block": [1024, 1, 1], "registers per thread": 32, "shared memory": 0 });
    made.launch("kernel", "A", 20, (0, 4), (8, 500), args(0)).launch("kernel", "B", 24, (10, 4), (502, 900), args(0));
    made.launch("kernel", "C", 28, (20, 4), (901, 950), args(0));
    // B was ready before C and waited for room itself.
    assert_eq!(made.causes("C"), [(BehindHead, Consistent, 482), (NoRoom, Consistent, 399)]);
    let mut made = Made::default();
    made.launch("kernel", "A", 20, (0, 4), (8, 500), args(0)).launch("kernel", "B", 24, (10, 4), (901, 950), args(0));
    made.launch("kernel", "C", 28, (20, 4), (502, 900), args(-5));
    assert_eq!(made.read().0.streams.iter().map(|stream| stream.priority).collect::<Vec<_>>(), [Some(0), Some(-5), Some(0)]);
    // C goes first by its priority, so B, which was called before it, does not hold it back.
    assert_eq!(made.causes("C"), [(NoRoom, Consistent, 482)]);
}

#[test]
fn profile_a_copy_engine_runs_one_copy_at_a_time() {
    let mut made = Made::default();
    made.launch("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 20, (0, 4), (8, 500), json!({ "bytes": 9 }));
    made.launch("gpu_memcpy", "Memcpy HtoD (2)", 24, (10, 4), (502, 600), json!({ "bytes": 9 }));
    assert_eq!(made.causes("Memcpy HtoD (2)"), [(CopyEngine, Consistent, 492)]);
}

#[test]
fn profile_a_programmatic_dependent_launch_overlaps_the_kernel_before_it() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 500)).kernel("B", 20, 10, (480, 600));
    // The last event but one is the call: with attributes it may be such a launch.
    let call = made.events.len() - 2;
    made.events[call]["name"] = json!("cudaLaunchKernelExC");
    // An A100 has no such launches: the times are not exact.
    assert_eq!(made.causes("B"), [(StreamOrder, Consistent, 470)]);
    let hopper = |made: &Made| parts_of(&read(&made.text().replace("\"computeMajor\":8", "\"computeMajor\":9")).0, "B");
    assert_eq!(hopper(&made), [(Cause::Overlap, Consistent, 470)]);
    // Right after its call it waits for nothing.
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 500)).kernel("B", 20, 470, (480, 600));
    let call = made.events.len() - 2;
    made.events[call]["name"] = json!("cudaLaunchKernelExC");
    assert_eq!(hopper(&made), [(Launch, Certain, 10)]);
}

/// A start that is recorded a nanosecond after what it waited for, as on GPUs of AMD, is no launch of a nanosecond.
#[test]
fn profile_no_part_is_shorter_than_clocks_are_exact() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 500)).kernel("B", 20, 10, (500, 600));
    made.events[3]["ts"] = json!(1_500.002);
    assert_eq!(made.causes("B"), [(StreamOrder, Certain, 490)]);
}

#[test]
fn profile_streams_that_share_a_channel() {
    let mut made = Made::default();
    let args = json!({ "channel": 5, "grid": [1, 1, 1], "block": [32, 1, 1], "registers per thread": 16, "shared memory": 0 });
    made.launch("kernel", "A", 20, (0, 4), (8, 500), args.clone()).launch("kernel", "B", 24, (10, 4), (502, 600), args);
    assert_eq!(made.causes("B"), [(Connection, Certain, 492)]);
}

#[test]
fn profile_memory_that_is_freed_in_between() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 500)).call("cudaFree", (10, 2), json!({})).kernel("B", 24, 20, (502, 600));
    assert_eq!(made.causes("B"), [(ImplicitSync, Consistent, 482)]);
}

#[test]
fn profile_overhead_within_the_call() {
    for (overhead, cause) in [("Lazy Function Loading", FirstUse), ("Command Buffer Full", QueueFull)] {
        let mut made = Made::default();
        let args = json!({ "grid": [1, 1, 1], "block": [32, 1, 1], "registers per thread": 16, "shared memory": 0 });
        made.launch("kernel", "A", 20, (0, 400), (405, 500), args);
        made.events.push(json!({ "ph": "X", "cat": "overhead", "name": overhead, "pid": -1, "tid": 0, "ts": 1_010, "dur": 380 }));
        assert!(made.causes("A").contains(&(cause, Certain, 380)), "{:?}", made.causes("A"));
    }
}

#[test]
fn profile_what_nothing_explains_is_called_that() {
    assert_eq!(Made::default().kernel("A", 20, 0, (900, 950)).causes("A"), [(CannotTell, Unknown, 900)]);
}

#[test]
fn profile_foreign_and_damaged_files_are_told_apart() {
    let why = |bytes: &[u8]| read_profile(bytes, &mut |_| true).unwrap_err().to_string();
    assert!(why(b"").starts_with("the file is empty"));
    assert!(why(b"QDSTRM").contains("begins with \"Q\""));
    for foreign in [&br#"{"schemaVersion": 1}"#[..], br#"{"version": 1, "kernels": []}"#, b"[1, 2]", b"[section]\nkey = 1\n", b"{ a text }"]
    {
        assert!(why(foreign).starts_with("this is not a trace of the PyTorch profiler: "), "{}", why(foreign));
    }
    assert!(why(br#"{"traceEvents": [{]}"#).contains("the file is damaged (events read: 0)"));
    for damaged in
        ["[{}, {} {}]", "[{}, ]", "[,]", "[{}}", "5", "[{}], 5", "[{}]}, 5", "[{}] \"a\": 1", "[{}], \"a\" 1", "[{\"ph\": }]", "[{}]"]
    {
        let why = why(format!("{{\"traceEvents\": {damaged}").as_bytes());
        assert!(why.starts_with("expected a trace of the PyTorch profiler; the file is damaged (events read: "), "{damaged}: {why}");
    }
    assert!(why(br#"{"schemaVersion": 1, "#).contains("the file is damaged (events read: 0)"));
    assert!(why(br#"{"traceEvents": [1, null]}"#).contains("expected an event, which is an object, in what begins at byte 17"));
    assert!(why(br#"{"traceEvents": []}"#).contains("no kernel, copy or memset of a GPU among its 0 events"));
    let text = Made::default().kernel("A", 20, 0, (8, 500)).text();
    assert!(why(&text.as_bytes()[..text.len() - 9]).contains("the file is damaged (events read: 1)"));
    assert!(why(b"\x1f\x8b\x08nothing").contains("damaged"));
    assert_eq!(read_profile(text.as_bytes(), &mut |_| false).unwrap().operations.len(), 1, "too short to be asked");
}

/// What is lost is counted, and one fault does not lose the file.
#[test]
fn profile_what_is_lost_is_counted() {
    let flaws = |text: &[u8]| read_profile(text, &mut |_| true).unwrap_or_else(|why| panic!("{why}")).flaws;
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 500));
    let whole = made.text();
    assert_eq!(flaws(whole.as_bytes()), []);
    assert_eq!(flaws(&[b"\xef\xbb\xbf", whole.as_bytes()].concat()), [], "a byte-order mark");
    // Numbers that are none, of events that are not read.
    let odd = r#"{"ph": "C", "name": "memory", "args": {"a": NaN, "b": -Infinity, "c": [Infinity, "NaN"]}}"#;
    let text = whole.replace("\"traceEvents\":[", &format!("\"traceEvents\":[{odd},"));
    assert_eq!(flaws(text.as_bytes()), [Flaw::Mended(3)]);
    // Bytes that are no text; a text that ends with a backslash, before a line's end.
    let text = whole.replace("\"traceEvents\":[", "\"traceEvents\":[{\"ph\": \"X\", \"name\": \"?C:\\\",\n  \"pid\": 5},");
    let bytes: Vec<u8> = text.bytes().map(|byte| if byte == b'?' { 0xff } else { byte }).collect();
    assert_eq!(flaws(&bytes), [Flaw::Mended(2)]);
    // A launch whose kernel is not in the file, a kernel whose launch is not, one without a time, and one that goes on forever.
    made.call("cudaLaunchKernel", (600, 4), json!({ "correlation": 99 }));
    made.kernel("B", 20, 610, (620, 700)).kernel("C", 20, 710, (720, 800)).kernel("D", 20, 810, (820, 900));
    made.events.retain(|event| event["ts"] != 1_610);
    for (name, field, value) in [("C", "ts", json!(null)), ("A", "dur", json!(90_000))] {
        made.events.iter_mut().filter(|event| event["name"] == name).for_each(|event| event[field] = value.clone());
    }
    assert_eq!(flaws(made.text().as_bytes()), [Flaw::WithoutCall(1), Flaw::WithoutTime(1), Flaw::WithoutOperation(2), Flaw::Clipped(1)]);
}

/// Where pieces of a file end says nothing, nor what else the file holds, nor how long an event is.
#[test]
fn profile_events_are_read_however_the_file_comes() {
    /// So many bytes at a time.
    struct Slow<'t>(&'t [u8], usize);
    impl Read for Slow<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(into.len());
            self.0.read(&mut into[..count])
        }
    }
    let mut made = Made::default();
    made.kernel("A \u{e9}", 20, 0, (8, 500)).call("cudaFree", (600, 9), json!({ "text": "\u{1f600}".repeat(100_000) }));
    made.kernel("B", 20, 610, (620, 700));
    let text = made.text();
    let (expected, _) = read(&text);
    let events = &serde_json::from_str::<Value>(&text).unwrap()["traceEvents"].to_string();
    let deep = r#""a": [[1, {"b": []}], {}, "],[", []], "c": {"d": [{}]}, "traceEvents, ]": null"#;
    for text in [text.clone(), format!("{{{deep}, \"traceEvents\" : {events} , {deep} }} "), "[] \n".replace("[]", events)] {
        for bytes in [1, 7, 1_000, 100_000] {
            let recording = read_profile(Slow(text.as_bytes(), bytes), &mut |_| true).unwrap_or_else(|why| panic!("{why}: {bytes}"));
            assert_eq!((&recording.operations, &recording.calls), (&expected.operations, &expected.calls), "{bytes} bytes at a time");
        }
    }
    // A text of the file itself that is not as it should be.
    let text = format!("{{\"a\": \"C:\\\",\n\"b\", \"traceEvents\": {events}}}");
    let recording = read_profile(text.as_bytes(), &mut |_| true).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!((recording.operations, recording.flaws), (expected.operations, vec![Flaw::Mended(2)]));
}

#[test]
fn profile_names_that_are_json_stay_as_they_are() {
    let names = ["a\", \"b\": \"c", "C:\\", "line\nbreak \u{1}", "\u{e9} \u{1f600} \u{4e2d}", "{[\"]}", "NaN", "ends with \\\""];
    let mut made = Made::default();
    for (k, name) in names.into_iter().enumerate() {
        made.kernel(name, 20, 600 * k as u64, (600 * k as u64 + 8, 600 * k as u64 + 500));
    }
    let (recording, _) = made.read();
    assert_eq!(recording.operations.iter().map(|operation| recording.name(operation)).collect::<Vec<_>>(), names);
    assert_eq!(recording.flaws, []);
    let pretty = serde_json::to_string_pretty(&serde_json::from_str::<Value>(&made.text()).unwrap()).unwrap();
    assert_eq!(read(&pretty).0, recording);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn profile_parts_of_a_wait_follow_one_another(
        operations in prop::collection::vec((0_u64..4, 0_u64..2_000, 0_u64..3_000, 1_u64..900, 1_u64..300, 0_u64..3), 1..60),
    ) {
        let mut made = Made::default();
        for (stream, called, wait, length, blocks, kind) in operations {
            let ran = (called + wait, called + wait + length);
            match kind {
                0 => made.launch("gpu_memcpy", "Memcpy DtoH (Device -> Pinned)", 7 + stream, (called, 4), ran, json!({ "bytes": 9 })),
                _ => made.sized(["A", "B"][(kind - 1) as usize], 7 + stream, called, ran, blocks),
            };
        }
        let (recording, analysis) = made.read();
        let summary = Summary::new(&recording, &analysis);
        let mut waited = 0;
        for (place, operation) in recording.operations.iter().enumerate() {
            let parts = analysis.parts(place as u32);
            let wait = recording.wait(operation).unwrap();
            waited += wait.ns();
            prop_assert_eq!(parts.iter().map(|part| part.span().ns()).sum::<u64>(), wait.ns());
            if wait > Span::ZERO {
                prop_assert_eq!(parts.first().map(|part| part.from), recording.call(operation).map(|call| call.start));
                prop_assert_eq!(parts.last().map(|part| part.to), Some(operation.start));
            }
            prop_assert!(parts.windows(2).all(|pair| pair[0].to == pair[1].from));
        }
        prop_assert_eq!(summary.waited_ns(), waited);
        let long: Vec<_> = recording.operations.iter().map(|operation| recording.wait(operation).unwrap().ns()).filter(|&ns| ns > 20_000).collect();
        prop_assert_eq!(summary.longest.iter().map(|alike| alike.count).sum::<u64>(), long.len() as u64);
        prop_assert_eq!(summary.longest.iter().map(|alike| alike.waited_ns).sum::<u64>(), long.iter().sum::<u64>());
        let longest = |alike: &AlikeWaits| recording.wait(&recording.operations[alike.operation as usize]).unwrap();
        prop_assert_eq!(summary.longest.first().map(|alike| longest(alike).ns()), long.iter().copied().max());
        prop_assert!(summary.longest.iter().is_sorted_by(|a, b| longest(a) >= longest(b)));
        prop_assert!(summary.longest.iter().all(|alike| alike.waited_ns <= longest(alike).ns() * alike.count));
        prop_assert_eq!(write_waits_csv(&recording, &analysis).to_string().lines().count(), 1 + (0..recording.operations.len()).map(|place| analysis.parts(place as u32).len()).sum::<usize>());
        prop_assert!(serde_json::from_str::<Value>(&write_waits_json((&recording, &analysis), &summary, &paths(&recording, &analysis), gains(&recording, &analysis, &paths(&recording, &analysis)).as_ref(), 5)).is_ok());
    }

    #[test]
    fn profile_no_damage_panics(places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6), end in any::<prop::sample::Index>()) {
        let mut made = Made::default();
        made.kernel("A", 7, 0, (8, 500)).sized("B", 20, 10, (502, 600), 900).call("cudaFree", (10, 2), json!({}));
        let mut bytes = made.text().into_bytes();
        for (place, byte) in places {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        bytes.truncate(end.index(bytes.len()) + 1);
        if let Ok(recording) = read_profile(&bytes[..], &mut |_| true) {
            let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
            let _ = Summary::new(&recording, &analysis);
        }
    }
}

/// The public traces of NVIDIA's GPUs that may stand beside the project.
fn public() -> Vec<PathBuf> {
    let mut files = shared::files("data/traces/kineto");
    files.retain(|path| path.extension().is_some_and(|e| e == "gz"));
    files
}

/// A public trace, read.
struct PublicTrace {
    /// The file's.
    name: String,
    recording: Recording,
    analysis: Analysis,
}

/// The public traces of PyTorch and, after them, of Nsight Systems, read once for all tests: it takes as long as most of what they ask.
fn public_traces() -> &'static [PublicTrace] {
    static TRACES: LazyLock<Vec<PublicTrace>> = LazyLock::new(|| {
        let exports = shared::files("data/traces/nsys").into_iter().filter(|path| path.extension().is_some_and(|e| e == "sqlite"));
        let read = |path: PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            let go_on = &mut |_| true;
            let read = if name.ends_with("gz") { read_profile(File::open(&path).unwrap(), go_on) } else { read_profile_file(&path, go_on) };
            let recording = read.unwrap_or_else(|why| panic!("{}: {why}", path.display()));
            let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
            PublicTrace { name, recording, analysis }
        };
        public().into_iter().chain(exports).map(read).collect()
    });
    &TRACES
}

/// Those of PyTorch.
fn public_of_pytorch() -> impl Iterator<Item = &'static PublicTrace> {
    public_traces().iter().filter(|trace| trace.name.ends_with("gz"))
}

#[test]
fn profile_public_traces_have_causes() {
    let (mut rest, mut explained) = (0, 0);
    for PublicTrace { name, recording, analysis } in public_of_pytorch() {
        let summary = Summary::new(recording, analysis);
        let starts = summary.starts;
        println!(
            "{}: {} operations with a call, {} at once, {} after their predecessor, {} of the other {} explained",
            name,
            starts.all,
            starts.at_once,
            starts.after_predecessor,
            starts.rest_explained,
            starts.rest()
        );
        rest += starts.rest();
        explained += starts.rest_explained;
    }
    assert!(explained * 3 >= rest * 2, "{explained} of {rest}");
}
