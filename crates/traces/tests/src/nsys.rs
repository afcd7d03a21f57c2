//! Exports of Nsight Systems: the same trace in both formats has the same causes, what only this one says is used, foreign and damaged
//! databases are refused in words, and the public export where it is.

use std::fs;

use blockstep_testing::shared::shared;
use blockstep_traces::causes::Cause::*;
use blockstep_traces::causes::Certainty::*;
use blockstep_traces::causes::{Analysis, KnownSettings};
use blockstep_traces::files::{read_profile, read_profile_file};
use blockstep_traces::path::groups::{PathShare, groups};
use blockstep_traces::path::paths;
use blockstep_traces::path::words::subject;
use blockstep_traces::summary::{Summary, counts};
use blockstep_traces::{Flaw, ProfilerSource, Recording, StreamKind};
use rusqlite::{Connection, MAIN_DB};

use super::sqlite::database;
use super::{Made, parts_of};

fn read(bytes: &[u8]) -> Recording {
    read_profile(bytes, &mut |_| true).unwrap_or_else(|why| panic!("{why}"))
}

fn why(bytes: &[u8]) -> String {
    read_profile(bytes, &mut |_| true).unwrap_err().to_string()
}

pub(super) fn of_statements(statements: &str) -> Vec<u8> {
    let mut connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(statements).unwrap();
    connection.serialize(MAIN_DB).unwrap().to_vec()
}

/// Ranges of NVTX: by their own text or by its number, with what PyTorch adds; one that another thread ends, a mark, and one without a text are none.
#[test]
fn profile_ranges_of_nvtx_say_what_the_host_ran() {
    let thread = (77_i64 << 24) | 5;
    let recording = read(&of_statements(&format!(
        "CREATE TABLE StringIds (id, value); INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'forward'), (3, 'K');
         CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, streamId, globalPid, correlationId, demangledName);
         INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (120, 200, 7, {thread}, 1, 3), (1020, 1100, 7, {thread}, 2, 3);
         CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, globalTid, correlationId, nameId);
         INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100, 110, {thread}, 1, 1), (1000, 1010, {thread}, 2, 1);
         CREATE TABLE NVTX_EVENTS (start, end, eventType, text, textId, globalTid, endGlobalTid);
         INSERT INTO NVTX_EVENTS VALUES (50, 900, 59, NULL, 2, {thread}, NULL), (300, 500, 59, 'aten::copy_, seq = 7, op_id = 9', NULL, {thread}, NULL),
           (600, 700, 60, 'load', NULL, {thread}, {thread}), (210, 250, 60, 'elsewhere', NULL, {thread}, {thread} + 1),
           (260, NULL, 34, 'mark', NULL, {thread}, NULL), (270, 280, 59, NULL, NULL, {thread}, NULL);"
    )));
    let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
    let path = &paths(&recording, &analysis)[0];
    let groups = groups(&recording, path);
    let host = groups.iter().filter(|group| group.subject.share == PathShare::Host);
    let said: Vec<(String, u64)> = host.map(|group| (subject(&recording, group.subject), group.ns)).collect();
    let expected = [
        ("Host in the range forward, between calls", 410),
        ("Host in aten::copy_, between calls", 200),
        ("Host between calls", 100),
        ("Host in the range load, between calls", 100),
        ("Host in cudaLaunchKernel_v7000", 10),
    ];
    assert_eq!(said, expected.map(|(what, ns)| (what.to_owned(), ns)));
}

#[test]
fn profile_both_formats_have_the_same_causes() {
    let mut made = Made::default();
    made.kernel("A", 20, 0, (8, 500)).kernel("B", 20, 10, (502, 900)).sized("C", 24, 20, (902, 1_500), 900);
    made.launch("gpu_memcpy", "Memcpy HtoD (Pinned -> Device)", 28, (30, 4), (40, 700), serde_json::json!({ "bytes": 9 }));
    made.kernel("D", 28, 40, (1_502, 1_600));
    let (kineto, nsight) = (read_profile(made.text().as_bytes(), &mut |_| true).unwrap(), read(&database(&made.text(), &[], None)));
    assert_eq!((kineto.source, nsight.source), (ProfilerSource::Kineto, ProfilerSource::Nsight));
    assert_eq!(nsight.devices, kineto.devices, "limits come from the compute capability and what the file says of its SMs");
    assert_eq!(nsight.operations.len(), 5);
    for name in ["A", "B", "C", "D"] {
        assert_eq!(parts_of(&nsight, name), parts_of(&kineto, name), "{name}");
    }
}

#[test]
fn profile_an_export_says_which_streams_block() {
    let mut made = Made::default();
    made.kernel("A", 13, 0, (8, 500)).kernel("B", 20, 10, (502, 900)).kernel("C", 24, 10, (20, 900));
    let recording = read(&database(&made.text(), &[(20, 1, 0), (24, 2, 4_294_967_295)], Some(13)));
    let of = |id: u64| recording.streams.iter().find(|stream| stream.id == id).unwrap();
    assert_eq!((of(13).kind, of(20).kind, of(24).kind), (StreamKind::Null, StreamKind::Blocking, StreamKind::NonBlocking));
    assert_eq!((of(20).priority, of(24).priority), (Some(0), Some(-1)));
    assert_eq!(parts_of(&recording, "B"), [(NullBarrier, Certain, 490), (Launch, Consistent, 2)]);
    assert_eq!(parts_of(&recording, "C"), [(Launch, Consistent, 10)]);
}

/// Before schema 3.25 the numbers are one lower; the name of the call says it in any version.
#[test]
fn profile_a_stream_that_waits_is_told_from_a_thread_in_every_version() {
    let waits = |version: &str, calls: &str, rows: &str| {
        let statements = format!(
            "CREATE TABLE META_DATA_EXPORT (name, value); INSERT INTO META_DATA_EXPORT VALUES ('EXPORT_SCHEMA_VERSION', '{version}');
             CREATE TABLE StringIds (id, value); INSERT INTO StringIds VALUES (1, 'cudaStreamWaitEvent_v3020'), (2, 'cudaStreamSynchronize_v3020');
             CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, streamId, correlationId); INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (90, 99, 7, 9);
             CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, end, correlationId, nameId); {calls}
             CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start, streamId, correlationId, syncType, eventId);
             INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES {rows};"
        );
        read(&of_statements(&statements)).event_waits.iter().map(|wait| wait.called.ns()).collect::<Vec<_>>()
    };
    let rows = "(20, 7, 4, 1, 3), (40, 7, 5, 2, 4294967295)";
    let calls = "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (10, 11, 4, 1), (30, 31, 5, 2);";
    assert_eq!(waits("3.24.14", calls, rows), [0]);
    assert_eq!(waits("3.25.0", calls, rows), [0], "the call is named, whatever the number says");
    let other = "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (10, 11, 8, 1);";
    assert_eq!(waits("3.24.14", other, rows), [10]);
    assert!(waits("3.25.0", other, rows).is_empty(), "a row without an event waits for none");
    assert_eq!(waits("3.25.0", other, "(50, 7, 5, 2, 3)"), [40]);
}

#[test]
fn profile_tables_that_are_not_read_are_counted() {
    let statements = "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end); INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (5001, 9001);
        CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start, end); INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (1, 2), (3, 4);
        CREATE TABLE CUPTI_ACTIVITY_KIND_UVM_COUNTER (start); INSERT INTO CUPTI_ACTIVITY_KIND_UVM_COUNTER VALUES (1), (2), (3)";
    let flaws = read(&of_statements(statements)).flaws;
    assert_eq!(flaws, [Flaw::WithoutCall(1), Flaw::GraphsWhole(2), Flaw::UnreadRows(3)]);
}

#[test]
fn profile_foreign_and_damaged_databases_are_told_apart() {
    assert!(
        why(&of_statements("CREATE TABLE songs (id INTEGER)"))
            .contains("no kernel, copy or memset of a GPU in this database (tables: songs)")
    );
    assert!(why(&of_statements("VACUUM")).contains("(tables: none)"));
    assert!(why(b"SQLite format 3\0rest").contains("the database is damaged"));
    // What would run when it is read is not read: a view that counts forever in place of a table.
    let endless = "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS WITH RECURSIVE n(start) AS (SELECT 1 UNION ALL SELECT start + 1 FROM n) \
                   SELECT start FROM n";
    assert!(why(&of_statements(endless)).contains("no kernel, copy or memset"));
    // Columns of other types, and columns that are not there.
    let odd = "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, end, gridX); \
               INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ('soon', x'00', 1.5), (5, 9, -1), (NULL, NULL, NULL)";
    let recording = read(&of_statements(odd));
    assert_eq!((recording.operations.len(), recording.operations[0].launch), (1, None));
    let whole = database(&Made::default().kernel("A", 20, 0, (8, 500)).text(), &[], None);
    assert!(why(&whole[..whole.len() / 2]).contains("damaged"));
}

#[test]
fn profile_the_public_export_is_read() {
    let Some(path) = shared("data/traces/nsys/h100x2-training.sqlite") else { return };
    let recording = read_profile_file(&path, &mut |_| true).unwrap();
    assert_eq!(counts(&recording), [4_010, 1_020, 269, 0]);
    let with_call = recording.operations.iter().filter(|operation| operation.call.is_some()).count();
    assert!(with_call * 1_000 >= recording.operations.len() * 993, "{with_call}");
    assert_eq!(recording.devices.len(), 2);
    let processes: std::collections::BTreeSet<u64> = recording.streams.iter().map(|stream| stream.process).collect();
    assert_eq!(processes.into_iter().collect::<Vec<_>>(), [144, 145]);
    let bytes = fs::read(&path).unwrap();
    assert_eq!(read(&bytes), recording, "in memory as where it lies");
    let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
    let starts = Summary::new(&recording, &analysis).starts;
    println!("{starts:?}");
    assert!(starts.rest_explained * 2 >= starts.rest(), "{starts:?}");
    let mut rows = 0;
    assert!(
        read_profile_file(&path, &mut |read| {
            rows = read;
            false
        })
        .is_err()
    );
    assert!((1..20_000).contains(&rows), "stopped early: {rows}");
}
