//! A trace made for the reader of the PyTorch profiler as an export of Nsight Systems: the same operations, calls and waits in tables.
//! Invariant: whatever both formats can say, both say.

use std::collections::BTreeMap;

use blockstep_traces::CallKind;
use rusqlite::{Connection, MAIN_DB, params};
use serde_json::Value;

/// Tables as schema 3.25 has them, as far as they are read.
const TABLES: &str = "
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL,
  shortName INTEGER NOT NULL, registersPerThread INTEGER NOT NULL, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER,
  blockY INTEGER, blockZ INTEGER, staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL, graphNodeId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, bytes INTEGER NOT NULL,
  copyKind INTEGER NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER,
  correlationId INTEGER, nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL);
CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL,
  contextId INTEGER NOT NULL, streamId INTEGER NOT NULL, correlationId INTEGER, globalPid INTEGER, syncType INTEGER NOT NULL,
  eventId INTEGER NOT NULL, eventSyncId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, streamId INTEGER NOT NULL,
  correlationId INTEGER, globalPid INTEGER, eventId INTEGER NOT NULL, eventSyncId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_OVERHEAD (start INTEGER NOT NULL, end INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER,
  nameId INTEGER NOT NULL, overheadType INTEGER NOT NULL);
CREATE TABLE TARGET_INFO_GPU (id INTEGER NOT NULL, name TEXT, smCount INTEGER, computeMajor INTEGER, computeMinor INTEGER,
  maxWarpsPerSm INTEGER, maxRegistersPerSm INTEGER, maxShmemPerSm INTEGER, cuDevice INTEGER);
CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INTEGER NOT NULL, hwId INTEGER NOT NULL, vmId INTEGER NOT NULL,
  processId INTEGER NOT NULL, contextId INTEGER NOT NULL, priority INTEGER NOT NULL, flag INTEGER NOT NULL);
CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO (processId INTEGER, contextId INTEGER, deviceId INTEGER, nullStreamId INTEGER);
";

/// The process in such a database.
const PID: i64 = 77;
/// Its global id: the process stands above 24 bits for the thread.
const GLOBAL: i64 = (1 << 48) | (PID << 24);

/// What the file says of streams: number, flag (1 blocking, 2 non-blocking, 3 NULL), priority.
pub(super) type Stream = (i64, i64, i64);

/// The database of a Kineto trace.
pub(super) fn database(kineto: &str, streams: &[Stream], null: Option<i64>) -> Vec<u8> {
    let trace: Value = serde_json::from_str(kineto).unwrap();
    let mut connection = Connection::open_in_memory().unwrap();
    connection.execute_batch(TABLES).unwrap();
    {
        let all = connection.transaction().unwrap();
        let mut names: BTreeMap<String, i64> = BTreeMap::new();
        let mut name = |text: &str| {
            let next = names.len() as i64 + 1;
            *names.entry(text.to_owned()).or_insert(next)
        };
        for event in trace["traceEvents"].as_array().unwrap() {
            add(&all, event, &mut name);
        }
        for (text, id) in &names {
            all.execute("INSERT INTO StringIds VALUES (?1, ?2)", params![id, text]).unwrap();
        }
        for device in trace["deviceProperties"].as_array().unwrap() {
            let n = |field: &str| device[field].as_i64();
            all.execute(
                "INSERT INTO TARGET_INFO_GPU VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?1)",
                params![
                    n("id"),
                    device["name"].as_str(),
                    n("numSms"),
                    n("computeMajor"),
                    n("computeMinor"),
                    n("maxThreadsPerMultiprocessor").map(|threads| threads / 32),
                    n("regsPerMultiprocessor"),
                    n("sharedMemPerMultiprocessor")
                ],
            )
            .unwrap();
        }
        for (stream, flag, priority) in streams {
            all.execute("INSERT INTO TARGET_INFO_CUDA_STREAM VALUES (?1, 0, 0, ?2, 1, ?3, ?4)", params![stream, PID, priority, flag])
                .unwrap();
        }
        if let Some(null) = null {
            all.execute("INSERT INTO TARGET_INFO_CUDA_CONTEXT_INFO VALUES (?1, 1, 0, ?2)", params![PID, null]).unwrap();
        }
        all.commit().unwrap();
    }
    connection.serialize(MAIN_DB).unwrap().to_vec()
}

/// Nanoseconds of a time in microseconds.
fn ns(value: &Value) -> i64 {
    (value.as_f64().unwrap() * 1_000.0).round() as i64
}

fn add(all: &rusqlite::Transaction<'_>, event: &Value, name: &mut dyn FnMut(&str) -> i64) {
    let args = &event["args"];
    let n = |field: &str| args[field].as_i64();
    let (start, text) = (ns(&event["ts"]), event["name"].as_str().unwrap());
    let end = start + ns(&event["dur"]);
    let xyz = |field: &str, place: usize| args[field][place].as_i64();
    let thread = GLOBAL | event["tid"].as_i64().unwrap();
    match event["cat"].as_str().unwrap() {
        "kernel" => all.execute(
            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, 0, ?16, ?17)",
            params![
                start,
                end,
                n("device"),
                n("context"),
                n("stream"),
                n("correlation"),
                GLOBAL,
                name(text),
                n("registers per thread"),
                xyz("grid", 0),
                xyz("grid", 1),
                xyz("grid", 2),
                xyz("block", 0),
                xyz("block", 1),
                xyz("block", 2),
                n("shared memory"),
                n("graph node id")
            ],
        ),
        "gpu_memcpy" => all.execute(
            "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
            params![
                start,
                end,
                n("device"),
                n("context"),
                n("stream"),
                n("correlation"),
                GLOBAL,
                n("bytes").unwrap_or(1),
                if text.contains("HtoD") { 1 } else { 2 }
            ],
        ),
        "cuda_runtime" => {
            assert_ne!(CallKind::from_name(text), CallKind::Other, "{text} is a call of which something is known");
            all.execute(
                "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?1, ?2, 0, ?3, ?4, ?5, 0)",
                params![start, end, thread, n("correlation"), name(&format!("{text}_v7000"))],
            )
        }
        "cuda_sync" => {
            // An event of its own for each wait.
            let id = n("wait_on_stream").and(n("correlation")).unwrap_or(0);
            if id > 0 {
                all.execute(
                    "INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (?1, ?2, ?3, ?4, ?5, 1, ?6)",
                    params![n("device"), n("context"), n("wait_on_stream"), n("wait_on_cuda_event_record_corr_id"), GLOBAL, id],
                )
                .unwrap();
            }
            all.execute(
                "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 2, 1, ?8)",
                params![start, end, n("device"), n("context"), n("stream"), n("correlation"), GLOBAL, id],
            )
        }
        "overhead" => {
            let kind = match text {
                "Lazy Function Loading" => 7,
                "Command Buffer Full" => 8,
                _ => 3,
            };
            all.execute(
                "INSERT INTO CUPTI_ACTIVITY_KIND_OVERHEAD VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![start, end, thread, n("correlation"), name(text), kind],
            )
        }
        other => panic!("{other} has no table here"),
    }
    .unwrap();
}
