//! Small traces that were once told wrongly, each with what is true of it (`tests/data/traces`).

use std::io::Write;

use Cause::{Call, CannotTell, Connection, CopyEngine, Event, FirstUse, GraphOrder, Launch, StreamOrder};
use Certainty::{Certain, Consistent};
use blockstep_sim::units::Span;
use blockstep_traces::answers::what_if::{WhatIfChange, what_if};
use blockstep_traces::causes::{Analysis, Cause, Certainty, KnownSettings};
use blockstep_traces::files::{ProfileError, read_profile, read_profile_file};
use blockstep_traces::gain::{self, gains};
use blockstep_traces::made::{self, LeftOut};
use blockstep_traces::path;
use blockstep_traces::path::groups::PathShare;
use blockstep_traces::path::overlap::overlaps;
use blockstep_traces::summary::{Summary, counts, largest};
use blockstep_traces::words;
use blockstep_traces::{Flaw, Recording};

use flate2::Compression;
use flate2::write::GzEncoder;

use serde_json::json;

use super::{Made, graphs, parts_of};

fn recorded(name: &str) -> Result<Recording, ProfileError> {
    let name = if name.contains('.') { name.to_owned() } else { format!("{name}.json") };
    let path = format!("{}/tests/data/traces/{name}", blockstep_testing::ROOT);
    read_profile(std::fs::File::open(path).unwrap(), &mut |_| true)
}

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(format!("{}/tests/data/traces/{name}", blockstep_testing::ROOT)).unwrap()
}

/// The causes of the wait of the last operation of this name with their lengths in whole microseconds.
fn causes(file: &str, name: &str) -> Vec<(Cause, Certainty, u64)> {
    parts_of(&recorded(file).unwrap(), name)
}

/// PyTorch's streams are non-blocking; the thread had the stream wait for an event just before.
#[test]
fn profile_an_event_is_asked_before_the_null_stream_where_a_call_speaks_for_it() {
    assert_eq!(causes("01-null-instead-of-event", "adam").first().map(|part| (part.0, part.1)), Some((Event, Consistent)));
}

/// The driver's overheads stand in a table of CUPTI; the control has the same rows in the profiler's.
#[test]
fn profile_loading_is_read_from_the_table_of_the_driver() {
    for name in ["fill", "reduce"] {
        let parts = causes("03-loading-table.sqlite", name);
        assert_eq!(parts.iter().filter(|part| (part.0, part.1) == (FirstUse, Certain)).count(), 3, "{name}: {parts:?}");
        // What the call did besides is the call's; `reduce` starts 200 us after its end.
        assert!(parts.iter().all(|part| part.0 != Cause::CannotTell || part.2 == 200), "{name}: {parts:?}");
        assert_eq!(parts, causes("03-loading-table-control.sqlite", name));
    }
}

#[test]
fn profile_a_long_call_is_told_as_one_whatever_the_others_took() {
    assert_eq!(causes("05-long-call-told-as-launch", "Memcpy DtoH (Device -> Pageable)"), [(Call, Consistent, 590), (Launch, Certain, 22)]);
}

/// The clocks of host and GPU are a microsecond apart.
#[test]
fn profile_a_call_that_ends_just_after_the_start_is_long_all_the_same() {
    // It was the first use of the kernel, too.
    assert_eq!(causes("41-call-ends-after-start", "slow"), [(FirstUse, Consistent, 499)]);
    assert_eq!(causes("41-call-ends-after-start", "k7").first().map(|part| (part.0, part.1)), Some((FirstUse, Consistent)));
}

/// The operation before it in the stream was called by another thread, later.
#[test]
fn profile_stream_order_begins_when_the_operation_before_was_called() {
    let parts = causes("40-two-threads", "slow_call");
    assert_eq!(parts[..2], [(Call, Consistent, 250), (StreamOrder, Consistent, 58)]);
}

#[test]
fn profile_a_launch_is_certain_on_an_idle_gpu_alone() {
    let parts = causes("42-behind-a-full-gpu", "waits_for_room");
    assert!(!parts.is_empty() && parts.iter().all(|part| part.1 == Consistent), "{parts:?}");
}

/// Five nodes of one launch, each after the one before it.
#[test]
fn profile_nodes_of_a_graph_are_no_launches() {
    assert_eq!(causes("09-graph-nodes", "n0"), [(Launch, Certain, 20)]);
    assert_eq!(causes("09-graph-nodes", "n4"), [(GraphOrder, Consistent, 399), (Launch, Consistent, 1)]);
    graphs::check(&recorded("09-graph-nodes").unwrap());
}

/// The scenario has the event that the wait is explained by, and the stream that ran beside the NULL stream does not wait for it.
#[test]
fn profile_what_if_of_an_event_has_the_event() {
    let recording = recorded("37-what-if-of-an-event").unwrap();
    let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
    let place = recording.operations.iter().rposition(|operation| recording.name(operation) == "adam").unwrap() as u32;
    let tried = what_if(&recording, &analysis, place).unwrap();
    assert_eq!(tried.no_gain, None);
    let gained = |change: WhatIfChange| tried.changed.iter().find(|of| of.0 == change).map(|of| tried.unchanged.since(of.1).ns() / 1_000);
    assert_eq!(gained(WhatIfChange::NoEvent), Some(520));
    // It was told to wait, whatever its stream; and the NULL stream has no priority and always blocks.
    assert_eq!(gained(WhatIfChange::OwnStream), Some(0));
    assert!(
        tried.changed.iter().all(|of| !matches!(of.0, WhatIfChange::HighPriority | WhatIfChange::NonBlocking | WhatIfChange::Earlier(_)))
    );
}

/// Eight streams, then three more, on a GPU that is nearly empty: none of them waits for room.
#[test]
fn profile_a_kernel_with_room_for_its_blocks_is_no_head_of_a_queue() {
    let recording = recorded("43-behind-head-or-connection").unwrap();
    let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
    let last = recording.operations.len() as u32 - 3..recording.operations.len() as u32;
    let causes: Vec<Cause> = last.filter_map(|place| Some(largest(analysis.parts(place))?.cause)).collect();
    assert_eq!(causes, [Connection; 3]);
}

#[test]
fn profile_merged_ranks_are_refused() {
    assert!(matches!(recorded("07-merged-ranks"), Err(ProfileError::Merged { .. })));
    assert!(recorded("07-merged-ranks-control").is_ok());
}

#[test]
fn profile_advice_is_what_the_maker_of_the_gpu_and_the_operation_allow() {
    let recording = recorded("16-amd-advice").unwrap();
    let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
    let gains = gains(&recording, &analysis, &path::paths(&recording, &analysis)).unwrap();
    let advice = gains.tried.iter().map(|tried| gain::words::together(&recording, &tried.changes));
    let advice: Vec<String> = advice.chain(words::to_record(&recording).into_iter().map(str::to_owned)).collect();
    assert!(advice.contains(&"Launch each kernel once beforehand".to_owned()), "{advice:?}");
    for word in ["CUDA", "cuda", "nsys", "pinned", "MPS"] {
        assert!(!advice.iter().any(|advice| advice.contains(word)), "{word}: {advice:?}");
    }
}

/// Files of other programs are no damaged traces.
#[test]
fn profile_foreign_files_are_told_from_damaged_ones() {
    let foreign = recorded("14-foreign-json.jsonl").unwrap_err().to_string();
    assert!(foreign.starts_with("this is not a trace of the PyTorch profiler, but JSON lines of Nsight Systems"), "{foreign}");
    for (start, kind) in [(&b"PK\x03\x04 and more"[..], "but a zip archive"), (b"PAR1 and more", "but a Parquet table")] {
        let why = read_profile(start, &mut |_| true).unwrap_err().to_string();
        assert!(why.contains(kind), "{why}");
    }
    for (tables, kind) in [
        ("CREATE TABLE rocpd_op (id INTEGER); CREATE TABLE rocpd_api (id INTEGER)", "but a database of rocmProfileData"),
        ("CREATE TABLE StringTable (a INTEGER)", "but a database of nvprof"),
    ] {
        // With a table that both profilers have.
        let copies = "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId, correlationId, copyKind, bytes); \
                      INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1, 9, 0, 1, 7, 1, 1, 64)";
        let bytes = super::nsys::of_statements(&format!("{tables}; {copies}"));
        let why = read_profile(&bytes[..], &mut |_| true).unwrap_err().to_string();
        assert!(why.starts_with("this is not an export of Nsight Systems") && why.contains(kind), "{why}");
    }
    let folder = read_profile_file(&std::env::temp_dir(), &mut |_| true).unwrap_err().to_string();
    assert!(folder.starts_with("this is a folder"), "{folder}");
}

/// What PyTorch's writer spoils in names of Python frames is read over, and counted.
#[test]
fn profile_known_faults_of_the_writer_lose_no_more_than_their_event() {
    for file in ["14-backslash", "14-control-character", "14-quotes"] {
        let recording = recorded(file).unwrap();
        assert_eq!(parts_of(&recording, "a"), [(Launch, Certain, 20)], "{file}");
        let said: Vec<String> = recording.flaws.iter().map(|&flaw| words::flaw(flaw)).collect();
        assert!(said.iter().any(|line| line.contains("record without with_stack")), "{file}: {said:?}");
    }
}

/// What would shorten the run of a file: each line as it is said, and the percent that it saves.
fn advice(file: &str) -> (Vec<(String, u64)>, String) {
    let recording = recorded(file).unwrap();
    let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
    let time = |span: Span| format!("{} ns", span.ns());
    let (lines, note) = gain::words::said(&recording, gains(&recording, &analysis, &path::paths(&recording, &analysis)).as_ref(), &time);
    let percent = |line: &String| line.split('(').find_map(|rest| rest.split_once(" %)")?.0.parse().ok()).unwrap();
    (lines.iter().map(|line| (line.clone(), percent(line))).collect(), note)
}

/// The loader is half of the run. A wait and the copy behind it hold the host one after the other: neither alone gains anything.
#[test]
fn gains_name_the_loader_and_what_helps_only_together() {
    let (lines, _) = advice("dataloader-half-nothing-helps");
    let loader =
        "Have worker processes run the range enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__: saves 25000000 ns (45 %)";
    assert!(lines[0].0.starts_with(loader), "{lines:?}");
    assert!(lines[0].0.ends_with("In PyTorch: num_workers of the DataLoader."), "{lines:?}");
    let together = "Do not make the host wait for the GPU, and copy from and to pinned memory, asynchronously: saves ";
    assert!(lines[1].0.starts_with(together) && lines[1].0.contains("(45 %) instead of lines above, not in addition"), "{lines:?}");
}

#[test]
fn gains_are_not_told_where_operations_are_missing() {
    let (lines, note) = advice("graph-advice-on-a-capture");
    assert!(lines.is_empty() && note.starts_with("We cannot estimate savings: too many launches have no operation"), "{lines:?} {note}");
}

/// Four kernels, and after each a wait of the host for so long, us; the first wait is before all of them.
fn waits_after_kernels(us: u64) -> super::Made {
    let mut made = super::Made::default();
    // It sets the device up: nothing is said of that.
    made.call("cudaDeviceSynchronize", (0, 9_000), json!({}));
    for at in (0..4).map(|step| 10_000 + step * (us + 200)) {
        made.kernel("k", 20, at, (at + 8, at + 108)).call("cudaDeviceSynchronize", (at + 20, us), json!({}));
    }
    made
}

#[test]
fn gains_are_not_told_where_the_host_waits_for_what_is_not_in_the_file() {
    let said = |us: u64| {
        let (recording, analysis) = waits_after_kernels(us).read();
        let paths = path::paths(&recording, &analysis);
        let unknown = path::groups::shares(&recording, &paths[0])[PathShare::Unknown as usize].div_ceil(1_000);
        let found = gains(&recording, &analysis, &paths);
        let note = gain::words::said(&recording, found.as_ref(), &|span: Span| format!("{} ns", span.ns())).1;
        (recording.flaws, unknown, note)
    };
    let (flaws, unknown, note) = said(5_000);
    assert_eq!(flaws, [Flaw::IdleWaits(4)]);
    // Of 5,000 us, 88 are the kernel; the last of them is after the end.
    assert_eq!(unknown, 3 * 4_912);
    assert_eq!(note, "We cannot estimate savings: the host waited long while nothing in the file ran on the GPU.");
    let (flaws, unknown, note) = said(1_000);
    assert_eq!((flaws, unknown), (Vec::new(), 0), "{note}");
    assert!(!note.starts_with("We cannot"), "{note}");
}

/// A graph gains what launches take, without the code that is loaded before the first ones.
#[test]
fn gains_of_a_graph_and_of_a_warm_up_count_no_time_twice() {
    let (lines, _) = advice("graph-gain-counts-first-use");
    assert!(lines[0].0.starts_with("Launch each kernel once beforehand") && lines[0].1 == 80, "{lines:?}");
    assert!(lines[1].0.starts_with("Capture the launches") && lines[1].1 <= 3, "{lines:?}");
    assert!(lines.iter().map(|line| line.1).sum::<u64>() <= 100, "{lines:?}");
}

#[test]
fn gains_offer_no_pinned_memory_for_a_value_that_is_read_at_once() {
    let (lines, _) = advice("item-is-not-pinned-memory");
    assert!(lines.iter().all(|line| !line.0.contains("pinned")), "{lines:?}");
    assert!(
        lines.iter().any(|line| line.0.starts_with("Do not read small results back at once") && line.0.contains(".item()")),
        "{lines:?}"
    );
}

#[test]
fn gains_of_a_warm_up_are_of_all_kernels() {
    let (lines, _) = advice("warm-up-gain-one-of-eight");
    assert!(lines[0].0.starts_with("Launch each kernel once beforehand") && lines[0].1 == 98, "{lines:?}");
}

#[test]
fn gains_of_communication_are_told_where_nothing_hides_it() {
    let (lines, _) = advice("exposed-all-reduces-no-advice");
    assert!(lines[0].0.starts_with("Give communication a stream of its own") && lines[0].1 >= 38, "{lines:?}");
}

/// A stream works for 12.2 of the 12.6 ms.
#[test]
fn gains_are_no_more_than_a_stream_leaves() {
    let (lines, _) = advice("46-persistent-kernels");
    assert!(lines.iter().all(|line| line.1 <= 3), "{lines:?}");
}

/// Sixty kernels of equal length, each of another name: none is worth it alone, and all of them are the run.
#[test]
fn gains_of_no_single_change_are_not_called_none() {
    let mut made = super::Made::default();
    for kernel in 0..60 {
        let begins = 10 + 100 * kernel;
        made.kernel(&format!("k{kernel}"), 20, kernel, (begins, begins + 100));
    }
    let recording = made.read().0;
    let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
    let found = gains(&recording, &analysis, &path::paths(&recording, &analysis)).unwrap();
    let (lines, note) = gain::words::said(&recording, Ok(&found), &|span: Span| format!("{} ns", span.ns()));
    assert!(lines.is_empty() && note.starts_with("No single change that we tried saves 1 % "), "{lines:?} {note}");
    assert!(note.contains("recorded: 6010001 ns") && note.ends_with("The table shows what more than that would save."), "{note}");
    let (lever, curve) = found.curves().next().unwrap();
    assert_eq!(gain::words::lever(&recording, lever.what), "All kernels");
    assert!(curve[1] > 2_900_000, "{curve:?}");
}

/// By lever: what the run gains with each part of it gone, us, and what holds it up then.
fn levers(made: &super::Made) -> Vec<(String, [u64; 4], Option<String>)> {
    let (recording, analysis) = made.read();
    let found = gains(&recording, &analysis, &path::paths(&recording, &analysis)).unwrap();
    let lever = |(lever, curve): (&gain::Lever, [u64; 4])| {
        (gain::words::lever(&recording, lever.what), curve.map(|ns| ns / 1_000), gain::words::then(&recording, lever))
    };
    found.curves().map(lever).collect()
}

/// The curve of the longer kernel bends where the one beside it is as long.
#[test]
fn gains_name_what_takes_over_where_a_curve_bends() {
    let mut made = super::Made::default();
    made.kernel("long", 20, 0, (10, 1_010)).kernel("short", 24, 5, (15, 615));
    let found = levers(&made);
    let of = |name: &str| found.iter().find(|(what, ..)| what == name).map(|(_, curve, then)| (*curve, then.as_deref()));
    assert_eq!(of("long"), Some(([250, 395, 395, 395], Some("short"))), "{found:?}");
    assert_eq!(of("All kernels"), Some(([250, 500, 750, 995], None)), "{found:?}");
}

/// The host is soon what the device waits for; nothing takes over from the host, as it gains to the end.
#[test]
fn gains_name_the_host_where_kernels_bend() {
    let mut made = super::Made::default();
    for kernel in 0..20 {
        // The device falls behind a little with each.
        made.kernel("k", 20, 80 * kernel, (10 + 100 * kernel, 110 + 100 * kernel));
    }
    let found = levers(&made);
    let kernels = found.iter().find(|(what, ..)| what == "k").unwrap();
    assert!(kernels.1[3] < 500 && kernels.2.as_deref() == Some("the host"), "{found:?}");
}

/// The same bytes go there and back each time.
#[test]
fn gains_of_data_that_could_stay_are_told() {
    let (lines, _) = advice("49-same-data-each-step");
    assert!(lines[0].0.starts_with("Keep on the GPU what Memcpy HtoD copies, and copy it once: saves") && lines[0].1 == 49, "{lines:?}");
    assert!(lines[1].0.starts_with("Leave on the GPU what Memcpy DtoH copies") && lines[1].1 == 47, "{lines:?}");
}

/// The program was killed while it wrote its 40th event.
#[test]
fn profile_of_a_file_that_was_cut_off_what_is_whole_is_read() {
    let text = bytes("truncated-in-the-last-event.json");
    let recording = read_profile(&text[..], &mut |_| true).unwrap();
    assert_eq!(recording.flaws, [Flaw::CutOff(39), Flaw::WithoutOperation(1), Flaw::Microseconds]);
    assert_eq!((recording.calls.len(), recording.operations.len()), (20, 19));
    let said = words::flaw(recording.flaws[0]);
    assert!(said.starts_with("The file was cut off. Events before the cut, which are read: 39."), "{said}");
    // What is missing may have run beside any of them.
    let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
    let parts = (0..19).flat_map(|place| analysis.parts(place)).filter(|part| part.cause == Launch);
    assert!(
        parts.count() > 0
            && (0..19).flat_map(|place| analysis.parts(place)).all(|part| part.cause != Launch || part.certainty == Consistent)
    );
    // Wherever it is cut: an error while nothing of the GPU is whole, and no event that is not whole is read.
    let event = text.iter().enumerate().filter(|&(_, &byte)| byte == b'{').map(|(at, _)| at);
    for end in event.chain(text.len() - 400..text.len()) {
        match read_profile(&text[..end], &mut |_| true) {
            Ok(cut) => {
                assert!(matches!(cut.flaws[0], Flaw::CutOff(1..=39)) && cut.operations[..] == recording.operations[..cut.operations.len()])
            }
            Err(why) => assert!(why.to_string().contains("cut off") || end < 2, "{end}: {why}"),
        }
    }
}

/// What ends in the middle of a name has no place that PyTorch's writer spoiled.
#[test]
fn profile_a_cut_is_no_place_that_was_mended() {
    let text = bytes("truncated-in-the-last-event.json");
    for tail in [&b"\\"[..], b"\xc3", b"\x01"] {
        let end = text.windows(6).rposition(|part| part == b"\"gemm\"").unwrap() + 3;
        let cut = read_profile(&[&text[..end], tail].concat()[..], &mut |_| true).unwrap();
        assert_eq!(cut.flaws[0], Flaw::CutOff(39));
        assert!(!cut.flaws.iter().any(|flaw| matches!(flaw, Flaw::Mended(_))), "{:?}", cut.flaws);
    }
}

/// A packed file ends anywhere: within what is packed, or within the sum at its end.
#[test]
fn profile_of_a_packed_file_that_was_cut_off_what_is_whole_is_read() {
    let text = bytes("09-graph-nodes.json");
    let mut packed = GzEncoder::new(Vec::new(), Compression::none());
    packed.write_all(&text).unwrap();
    let packed = packed.finish().unwrap();
    let whole = read_profile(&packed[..], &mut |_| true).unwrap();
    assert!(whole.is_whole());
    for end in [packed.len() - 3, packed.len() - 200] {
        let cut = read_profile(&packed[..end], &mut |_| true).unwrap();
        assert!(matches!(cut.flaws[0], Flaw::CutOff(_)), "{:?}", cut.flaws);
        assert!(cut.operations.len() <= whole.operations.len() && !cut.operations.is_empty());
    }
    let why = read_profile(&packed[..60], &mut |_| true).unwrap_err().to_string();
    assert!(why.contains("cut off"), "{why}");
}

/// An entry that is no event loses itself, and is counted.
#[test]
fn profile_of_entries_that_are_no_events_the_others_are_read() {
    let text = String::from_utf8(bytes("09-graph-nodes.json")).unwrap();
    let with = |entries: &str| {
        read_profile(text.replacen("\"traceEvents\": [", &format!("\"traceEvents\": [{entries}"), 1).as_bytes(), &mut |_| true)
    };
    let whole = with("").unwrap();
    let some = with("null, 5, \"a\", [1, {}], true, ").unwrap();
    assert_eq!(some.operations, whole.operations);
    assert!(some.flaws.contains(&Flaw::NoObjects(5)) && whole.is_whole(), "{:?}", some.flaws);
    assert!(words::flaw(Flaw::NoObjects(5)).ends_with("are left out: 5."));
    assert!(with("nul, ").is_err(), "what is no JSON is a fault of the file");
}

/// One engine for both directions, four streams of two copies in, a kernel and a copy out.
#[test]
fn profile_a_copy_waits_for_its_engine_as_long_as_that_ran_others() {
    let recording = recorded("45-one-copy-engine.sqlite").unwrap();
    assert_eq!(recording.devices[0].copy_engines, Some(1));
    let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
    let of_stream = |id: u64| recording.streams.iter().find(|stream| stream.id == id).unwrap();
    // Nothing but copies ran before the first one of the last stream, each 7.66 ms, in three runs with a kernel between.
    let parts = analysis.parts(of_stream(16).operations[0]);
    let found: Vec<_> = parts.iter().map(|part| (part.cause, part.certainty, part.span().ns() / 1_000)).collect();
    let (run, gap) = ((CopyEngine, Consistent, 3 * 7_660 + 2), (CannotTell, Certainty::Unknown, 215));
    assert_eq!(
        found[1..],
        [(CopyEngine, Consistent, 2 * 7_660 + 1), gap, run, gap, run, gap, (CopyEngine, Consistent, 7_661)],
        "{found:?}"
    );
    let summary = Summary::new(&recording, &analysis);
    assert!(summary.causes[CannotTell as usize].waited_ns < summary.waited_ns() / 100, "{:?}", summary.causes);
    let said = words::sentence(&recording, &parts[3], &|span| span.ns().to_string());
    assert!(said.ends_with("which ran one copy after another, the last of them Memcpy HtoD (stream 14)."), "{said}");
}

#[test]
fn profile_waits_that_are_alike_are_one_row() {
    let mut made = Made::default();
    for (start, name) in [(0, "A"), (1_000, "A"), (2_000, "A"), (3_000, "B")] {
        made.kernel("before", 7, start, (start + 8, start + 300));
        made.kernel(name, 7, start + 10, (start + 300, start + 400));
    }
    let (recording, analysis) = made.read();
    let found: Vec<_> =
        Summary::new(&recording, &analysis).longest.iter().map(|alike| (alike.operation, alike.count, alike.waited_ns / 1_000)).collect();
    assert_eq!(found, [(1, 3, 3 * 290), (7, 1, 290)]);
}

/// Two copies each way, called at once, which follow one another: what the file says of the engines tells whether they share one.
#[test]
fn profile_the_number_of_copy_engines_is_what_the_file_says() {
    let waits = |engines: Option<u32>| {
        let mut made = Made::default();
        for (stream, name, (start, end)) in
            [(20, "Memcpy HtoD (Pinned -> Device)", (8, 500)), (24, "Memcpy DtoH (Device -> Pinned)", (502, 900))]
        {
            made.launch("gpu_memcpy", name, stream, (stream - 20, 2), (start, end), json!({ "bytes": 9 }));
        }
        let mut recording = made.read().0;
        recording.devices[0].copy_engines = engines;
        parts_of(&recording, "Memcpy DtoH (Device -> Pinned)").iter().any(|part| part.0 == CopyEngine)
    };
    assert_eq!([None, Some(1), Some(2), Some(3)].map(waits), [true, true, false, false]);
}

/// Forty copies of other streams, one after another, before this one.
#[test]
fn profile_a_long_run_of_copies_is_one_part() {
    let mut made = Made::default();
    for copy in 0..40 {
        let at = 8 + 100 * copy;
        made.launch("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 20 + copy, (copy / 10, 1), (at, at + 98), json!({ "bytes": 9 }));
    }
    let parts = parts_of(&made.read().0, "Memcpy HtoD (Pinned -> Device)");
    assert_eq!(parts.iter().filter(|part| part.0 == CopyEngine).map(|part| part.2).collect::<Vec<_>>(), [3_900], "{parts:?}");
    assert!(!parts.iter().any(|part| part.0 == CannotTell), "{parts:?}");
}

/// A kernel, and pages that move while it runs and after it: the driver moves them, so that none has a call.
#[test]
fn profile_page_migrations_are_no_copies_and_lack_no_call() {
    let recording = recorded("51-unified-memory.sqlite").unwrap();
    assert_eq!(counts(&recording), [1, 0, 0, 72]);
    assert_eq!((recording.flaws.as_slice(), recording.stream_count()), (&[Flaw::Microseconds][..], 1));
    assert_eq!(parts_of(&recording, "add"), [(Launch, Certain, 14)]);
    let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
    assert!(gains(&recording, &analysis, &path::paths(&recording, &analysis)).is_ok());
    let together = overlaps(&recording)[0];
    assert_eq!((together.migration_and_kernel_ns, together.copy_ns, together.streams_ns), (2_832_000, 0, 0));
    let said = path::words::overlap(&together, &|span| format!("{} us", span.ns() / 1_000));
    assert_eq!(said[0], "Pages of unified memory moved for 4104 us; 2832 us of it overlapped with kernels.");
    assert!(said[1].contains("cudaMemPrefetchAsync") && said.len() == 2, "{said:?}");
    let made = made::scenario(&recording, &analysis, &(0..73).collect::<Vec<_>>(), "a").unwrap();
    assert!(made.rows.len() == 1 && made.left_out.contains(&LeftOut::Migrations(72)), "{:?}", made.left_out);
}

/// A migration orders nothing, whatever the numbers of its stream and its context are.
#[test]
fn profile_nothing_waits_for_page_migrations() {
    let copies = |kind: u64, stream: u64, context: u64| {
        let statements = format!(
            "CREATE TABLE StringIds (id, value); INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'k');
             CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, contextId, streamId, correlationId, demangledName);
             INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1014000, 1500000, 1, 7, 1, 2), (1800000, 2500001, 1, 7, 2, 2);
             CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, end, contextId, streamId, correlationId, copyKind);
             INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1001000, 1400000, {context}, {stream}, 0, {kind}), (1500000, 1799000, {context}, {stream}, 0, {kind});
             CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId);
             INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000000, 1004000, 1, 1), (1010000, 1014000, 2, 1);"
        );
        let recording = read_profile(&super::nsys::of_statements(&statements)[..], &mut |_| true).unwrap();
        parts_of(&recording, "k").iter().map(|part| part.0).collect::<Vec<_>>()
    };
    for (stream, context) in [(7, 1), (0, 1), (13, 1), (0, 2)] {
        assert_eq!(copies(11, stream, context), [StreamOrder, CannotTell], "{stream} {context}");
    }
    assert_eq!(copies(1, 7, 1), [StreamOrder, Launch], "a copy is in the order of its stream");
}

/// What a file calls its kinds of copies goes before their usual numbers; what nobody knows is called that.
#[test]
fn profile_a_copy_of_an_unknown_kind_is_told_in_the_words_of_the_file() {
    let kinds = |table: &str| {
        let statements = format!(
            "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, end, streamId, copyKind);
             INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1, 2, 7, 1), (3, 4, 7, 8), (5, 6, 7, 9), (7, 8, 7, 13), (9, 10, 7, 14), (11, 12, 7, NULL); {table}"
        );
        let recording = read_profile(&super::nsys::of_statements(&statements)[..], &mut |_| true).unwrap();
        let of = recording.operations.iter().map(|operation| (operation.kind, recording.name(operation).to_owned()));
        of.map(|(kind, name)| format!("{kind:?} {name}")).collect::<Vec<_>>()
    };
    let usual = ["HostToDevice Memcpy HtoD", "DeviceToDevice Memcpy DtoD", "Migration Page migration between GPUs"];
    assert_eq!(kinds(""), [&usual[..], &["OtherCopy Memcpy of kind 14", "OtherCopy Memcpy of an unknown kind"]].concat());
    let table = "CREATE TABLE ENUM_CUDA_MEMCPY_OPER (id, name, label); INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES
                 (13, 'CUDA_MEMCPY_KIND_UVM_ATOA', 'Unified'), (14, 'CUDA_MEMCPY_KIND_XTOY', 'Here-to-There')";
    assert_eq!(
        kinds(&table.replace("CUDA_MEMCPY_KIND_UVM_ATOA', 'Unified'", "Unified', 'Unified Device-to-Host'"))[2],
        "Migration Page migration to the host"
    );
    let own = ["Migration Page migration", "OtherCopy Memcpy Here-to-There", "OtherCopy Memcpy of an unknown kind"];
    assert_eq!(kinds(table), [&usual[..2], &own].concat());
}

/// The memory of a copy is what the file says, by its own words or by the usual numbers; of an unknown kind nothing is said.
#[test]
fn profile_an_export_says_which_memory_a_copy_uses() {
    let names = |table: &str| {
        let statements = format!(
            "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, end, streamId, copyKind, srcKind, dstKind);
             INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1, 2, 7, 1, 0, 2), (3, 4, 7, 2, 2, 1), (5, 6, 7, 1, NULL, 2), (7, 8, 7, 8, 2, 2); {table}"
        );
        let recording = read_profile(&super::nsys::of_statements(&statements)[..], &mut |_| true).unwrap();
        recording.operations.iter().map(|operation| recording.name(operation).to_owned()).collect::<Vec<_>>()
    };
    let usual = ["Memcpy HtoD (Pageable -> Device)", "Memcpy DtoH (Device -> Pinned)", "Memcpy HtoD", "Memcpy DtoD"];
    assert_eq!(names(""), usual);
    let table = "CREATE TABLE ENUM_CUDA_MEM_KIND (id, name, label); INSERT INTO ENUM_CUDA_MEM_KIND VALUES
                 (0, 'CUDA_MEMOPR_MEMORY_KIND_PINNED', NULL), (1, 'x', 'Elsewhere'), (2, 'x', 'Device')";
    assert_eq!(names(table), ["Memcpy HtoD (Pinned -> Device)", "Memcpy DtoH", "Memcpy HtoD", "Memcpy DtoD"]);
}
