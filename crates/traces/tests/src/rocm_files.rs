//! Small programs as rocprofv3 would have written them, as JSON and as a database. Invariant: whatever both formats can say, both say.

use std::collections::BTreeMap;

use rusqlite::{Connection, MAIN_DB, params};
use serde_json::{Value, json};

/// When the program began, ns of the machine's clock.
const BEGAN: u64 = 63_855_000_000_007;
/// Handles of the agents in the JSON; a database has their places instead.
const HANDLES: u64 = 9_000;

/// Name, work-items, work-items of a group, agent with queue and stream, call, start and end.
type Kernel = (&'static str, [u32; 3], [u32; 3], [u64; 3], u64, [u64; 2]);
/// Operation, agents from and to, stream, bytes, call, start and end.
type Copied = (&'static str, [u64; 2], u64, u64, u64, [u64; 2]);
/// Library, name, thread, id with that of the call around it, start and end.
type Called = (&'static str, &'static str, u64, [u64; 2], [u64; 2]);
/// What the program marked, thread, id, start and end.
type Range = (&'static str, u64, u64, [u64; 2]);

/// What a process did, for both formats; times are ns since its beginning.
#[derive(Clone, Default)]
pub(super) struct Program {
    pub(super) pid: u64,
    pub(super) kernels: Vec<Kernel>,
    pub(super) copies: Vec<Copied>,
    pub(super) calls: Vec<Called>,
    pub(super) ranges: Vec<Range>,
}

/// A copy to the GPU, two kernels in a stream of their own, a wait of the host, and a copy back, made in a call of HSA.
pub(super) fn program() -> Program {
    Program {
        pid: 908,
        kernels: vec![
            ("scale(float*, int)", [1_000, 1, 1], [256, 1, 1], [1, 3, 2], 11, [40_000, 90_000]),
            ("reduce(float*)", [512, 4, 1], [64, 2, 1], [1, 3, 2], 12, [91_000, 95_000]),
        ],
        copies: vec![
            ("MEMORY_COPY_HOST_TO_DEVICE", [0, 1], 0, 4_096, 10, [5_000, 20_000]),
            ("MEMORY_COPY_DEVICE_TO_HOST", [1, 0], 2, 64, 15, [120_000, 125_000]),
        ],
        calls: vec![
            ("HIP_RUNTIME_API", "hipMalloc", 77, [9, 0], [500, 900]),
            ("HIP_RUNTIME_API", "hipMemcpy", 77, [10, 0], [1_000, 21_000]),
            ("HIP_RUNTIME_API", "hipLaunchKernel", 77, [11, 0], [22_000, 30_000]),
            ("HIP_RUNTIME_API", "hipLaunchKernel", 77, [12, 0], [31_000, 33_000]),
            ("HIP_RUNTIME_API", "hipStreamSynchronize", 77, [13, 0], [34_000, 96_000]),
            ("HIP_RUNTIME_API", "hipMemcpyAsync", 77, [14, 0], [110_000, 112_000]),
            ("HSA_AMD_EXT_API", "hsa_amd_memory_async_copy_on_engine", 77, [15, 14], [110_500, 111_500]),
        ],
        ranges: vec![("step", 77, 16, [400, 130_000])],
    }
}

pub(super) const GPU: &str = "AMD Instinct MI350X";

/// The agents: a CPU, and GPUs whose numbers among all are one above those among GPUs.
fn agents() -> Vec<Value> {
    let gpu = |node: u64| {
        json!({ "id": { "handle": HANDLES + node }, "type": 2, "node_id": node, "logical_node_type_id": node - 1, "name": "gfx950",
                "product_name": GPU, "cu_count": 256 })
    };
    let cpu = json!({ "id": { "handle": HANDLES }, "type": 1, "node_id": 0, "logical_node_type_id": 0, "name": "EPYC", "cu_count": 128 });
    vec![cpu, gpu(1), gpu(2)]
}

const LIBRARIES: [&str; 4] = ["HIP_RUNTIME_API", "HSA_AMD_EXT_API", "MARKER_CORE_RANGE_API", "MEMORY_COPY"];

/// A program as a process of the JSON.
pub(super) fn process(of: &Program) -> Value {
    let mut operations: BTreeMap<&str, Vec<&str>> = LIBRARIES.iter().map(|library| (*library, vec!["none"])).collect();
    let mut number = |library: &str, name: &'static str| {
        let names = operations.get_mut(library).unwrap();
        let place = names.iter().position(|known| *known == name).unwrap_or_else(|| {
            names.push(name);
            names.len() - 1
        });
        (LIBRARIES.iter().position(|known| *known == library).unwrap(), place)
    };
    let sizes = |[x, y, z]: [u32; 3]| json!({ "x": x, "y": y, "z": z });
    let handle = |handle: u64| json!({ "handle": handle });
    let base = |kind: usize, operation: usize, [from, to]: [u64; 2]| json!({ "size": 1, "kind": kind, "operation": operation, "start_timestamp": BEGAN + from, "end_timestamp": BEGAN + to });
    let with = |mut record: Value, more: Value| {
        record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        record
    };
    let mut symbols: Vec<&str> = Vec::new();
    let kernels: Vec<Value> = of
        .kernels
        .iter()
        .map(|&(name, grid, group, [agent, queue, stream], call, ran)| {
            let id = symbols.iter().position(|known| *known == name).unwrap_or_else(|| {
                symbols.push(name);
                symbols.len() - 1
            }) + 1;
            let info = json!({ "agent_id": handle(HANDLES + agent), "queue_id": handle(queue), "kernel_id": id, "group_segment_size": 128,
                           "workgroup_size": sizes(group), "grid_size": sizes(grid) });
            with(
                base(9, 2, ran),
                json!({ "thread_id": 77, "correlation_id": { "internal": call, "external": 0 }, "dispatch_info": info,
                                     "stream_id": handle(stream) }),
            )
        })
        .collect();
    let copies: Vec<Value> = of
        .copies
        .iter()
        .map(|&(name, [from, to], stream, bytes, call, ran)| {
            let (kind, operation) = number("MEMORY_COPY", name);
            with(
                base(kind, operation, ran),
                json!({ "correlation_id": { "internal": call }, "bytes": bytes, "stream_id": handle(stream),
            "src_agent_id": handle(HANDLES + from), "dst_agent_id": handle(HANDLES + to) }),
            )
        })
        .collect();
    let mut calls = |asked: &str| -> Vec<Value> {
        of.calls
            .iter()
            .filter(|call| call.0.starts_with(asked))
            .map(|&(library, name, thread, [id, outer], ran)| {
                let (kind, operation) = number(library, name);
                with(
                    base(kind, operation, ran),
                    json!({ "thread_id": thread, "correlation_id": { "internal": id, "external": 0, "ancestor": outer } }),
                )
            })
            .collect()
    };
    let (hip, hsa) = (calls("HIP"), calls("HSA"));
    let ranges: Vec<Value> = of
        .ranges
        .iter()
        .map(|&(_, thread, id, ran)| with(base(2, 1, ran), json!({ "thread_id": thread, "correlation_id": { "internal": id } })))
        .collect();
    let messages: Vec<Value> = of.ranges.iter().map(|&(text, _, id, _)| json!({ "key": id, "value": text })).collect();
    let symbols: Vec<Value> = symbols.iter().zip(1..).map(|(name, id): (_, u32)| {
        json!({ "kernel_id": id, "kernel_name": "mangled.kd", "formatted_kernel_name": name, "arch_vgpr_count": 24, "accum_vgpr_count": 8 })
    }).collect();
    let libraries: Vec<Value> = LIBRARIES.iter().map(|kind| json!({ "kind": kind, "operations": operations[kind] })).collect();
    json!({
        "metadata": { "pid": of.pid, "node": { "hostname": "here" }, "config": { "group_by_queue": false } },
        "agents": agents(),
        "counters": [[1, { "a": [2] }], 3],
        "strings": { "buffer_records": libraries, "marker_api": messages, "counters": { "dimension_ids": [] } },
        "kernel_symbols": symbols,
        "summary": [{ "domain": "KERNEL_DISPATCH" }],
        "callback_records": { "counter_collection": [{ "dispatch_data": {} }] },
        "buffer_records": { "kernel_dispatch": kernels, "hip_api": hip, "hsa_api": hsa, "marker_api": ranges, "memory_copy": copies,
                            "memory_allocation": [{ "start_timestamp": 1 }] },
    })
}

pub(super) fn text(processes: &[Value]) -> String {
    json!({ "rocprofiler-sdk-tool": processes }).to_string()
}

/// The same of one process, with its keys in the order in which rocprofv3 writes them.
pub(super) fn written(of: &Program) -> String {
    let value = process(of);
    let members = |value: &Value, keys: &[&str]| {
        let all: Vec<String> = keys.iter().map(|key| format!("{}:{}", json!(key), value[key])).collect();
        format!("{{{}}}", all.join(","))
    };
    let records = members(&value["buffer_records"], &["kernel_dispatch", "hip_api", "hsa_api", "marker_api", "memory_copy"]);
    let first = members(&value, &["metadata", "agents", "counters", "strings", "kernel_symbols", "summary", "callback_records"]);
    format!("{{\"rocprofiler-sdk-tool\":[{},\"buffer_records\":{records}}}]}}", first.strip_suffix('}').unwrap())
}

/// Tables of a process as rocprofv3 makes them, as far as they are read.
const TABLES: &str = r#"
CREATE TABLE IF NOT EXISTS "rocpd_metadata@" ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "tag" TEXT NOT NULL, "value" TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS `rocpd_string@` ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "string" TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS `rocpd_info_process@` ("id" INTEGER NOT NULL PRIMARY KEY, "nid" INTEGER NOT NULL, "pid" INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS `rocpd_info_thread@` ("id" INTEGER NOT NULL PRIMARY KEY, "tid" INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS `rocpd_info_agent@` ("id" INTEGER NOT NULL PRIMARY KEY, "type" TEXT, "absolute_index" INTEGER,
  "type_index" INTEGER, "name" TEXT, "product_name" TEXT, "extdata" JSONB DEFAULT '{}' NOT NULL);
CREATE TABLE IF NOT EXISTS `rocpd_info_kernel_symbol@` ("id" INTEGER NOT NULL PRIMARY KEY, "kernel_name" TEXT, "display_name" TEXT,
  "arch_vgpr_count" INTEGER, "accum_vgpr_count" INTEGER);
CREATE TABLE IF NOT EXISTS `rocpd_event@` ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "category_id" INTEGER, "stack_id" INTEGER,
  "parent_stack_id" INTEGER, "correlation_id" INTEGER, "extdata" JSONB DEFAULT '{}' NOT NULL);
CREATE TABLE IF NOT EXISTS `rocpd_region@` ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "nid" INTEGER, "pid" INTEGER, "tid" INTEGER,
  "start" BIGINT NOT NULL, "end" BIGINT NOT NULL, "name_id" INTEGER NOT NULL, "event_id" INTEGER);
CREATE TABLE IF NOT EXISTS `rocpd_kernel_dispatch@` ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "agent_id" INTEGER NOT NULL,
  "kernel_id" INTEGER NOT NULL, "queue_id" INTEGER NOT NULL, "stream_id" INTEGER NOT NULL, "start" BIGINT NOT NULL, "end" BIGINT NOT NULL,
  "group_segment_size" INTEGER, "workgroup_size_x" INTEGER, "workgroup_size_y" INTEGER, "workgroup_size_z" INTEGER, "grid_size_x" INTEGER,
  "grid_size_y" INTEGER, "grid_size_z" INTEGER, "event_id" INTEGER);
CREATE TABLE IF NOT EXISTS `rocpd_memory_copy@` ("id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT, "start" BIGINT NOT NULL,
  "end" BIGINT NOT NULL, "name_id" INTEGER NOT NULL, "dst_agent_id" INTEGER, "src_agent_id" INTEGER, "size" INTEGER NOT NULL,
  "stream_id" INTEGER, "event_id" INTEGER);
"#;

/// Programs as a database, with the views that rocprofv3 adds.
pub(super) fn database(of: &[Program]) -> Connection {
    let base = Connection::open_in_memory().unwrap();
    for (program, end) in of.iter().zip(["_0198_a", "_0198_b"]) {
        base.execute_batch(&TABLES.replace('@', end)).unwrap();
        add(&base, program, end);
    }
    base.execute_batch("CREATE VIEW rocpd_kernel_dispatch AS SELECT * FROM rocpd_kernel_dispatch_0198_a; CREATE VIEW kernels AS SELECT 1")
        .unwrap();
    base
}

fn n(number: u64) -> i64 {
    i64::try_from(number).unwrap()
}

/// Adds the rows of a program to the tables whose names end so.
fn add(base: &Connection, program: &Program, end: &str) {
    let string = |text: &str| -> i64 {
        let known = base.query_row(&format!("SELECT id FROM rocpd_string{end} WHERE string = ?1"), [text], |row| row.get(0));
        known.unwrap_or_else(|_| {
            base.execute(&format!("INSERT INTO rocpd_string{end} (string) VALUES (?1)"), [text]).unwrap();
            base.last_insert_rowid()
        })
    };
    let event = |category: &str, id: u64, outer: u64, data: &str| -> i64 {
        let insert = format!(
            "INSERT INTO rocpd_event{end} (category_id, stack_id, parent_stack_id, correlation_id, extdata) VALUES (?1, ?2, ?3, 0, ?4)"
        );
        base.execute(&insert, params![string(category), n(id), n(outer), data]).unwrap();
        base.last_insert_rowid()
    };
    let now = |ns: u64| n(BEGAN + ns);
    base.execute(&format!("INSERT INTO rocpd_info_process{end} VALUES (?1, 5, ?1)"), [n(program.pid)]).unwrap();
    for agent in agents() {
        let (node, place) = (agent["node_id"].as_i64(), agent["logical_node_type_id"].as_i64());
        let kind = if agent["type"] == 2 { "GPU" } else { "CPU" };
        let (name, product) = (agent["name"].as_str(), agent["product_name"].as_str());
        let insert = format!("INSERT INTO rocpd_info_agent{end} VALUES (?1, ?2, ?1, ?3, ?4, ?5, ?6)");
        base.execute(&insert, params![node, kind, place, name, product.unwrap_or(""), agent.to_string()]).unwrap();
    }
    for &(library, name, thread, [id, outer], [from, to]) in &program.calls {
        region(base, end, (string(name), thread, event(library, id, outer, "{}")), [now(from), now(to)]);
    }
    for &(message, thread, id, [from, to]) in &program.ranges {
        let data = json!({ "message": message }).to_string();
        let event = event("MARKER_CORE_RANGE_API", id, 0, &data);
        region(base, end, (string("roctxThreadRangeA"), thread, event), [now(from), now(to)]);
    }
    let symbols: Vec<&str> = program.kernels.iter().map(|kernel| kernel.0).collect();
    for &(name, grid, group, [agent, queue, stream], call, [from, to]) in &program.kernels {
        let id = symbols.iter().position(|known| *known == name).unwrap() as i64 + 1;
        base.execute(
            &format!("INSERT OR IGNORE INTO rocpd_info_kernel_symbol{end} VALUES (?1, 'mangled.kd', ?2, 24, 8)"),
            params![id, name],
        )
        .unwrap();
        let insert =
            format!("INSERT INTO rocpd_kernel_dispatch{end} VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, 128, ?7, ?8, ?9, ?10, ?11, ?12, ?13)");
        let event = event("KERNEL_DISPATCH", call, call, "{}");
        let row =
            params![n(agent), id, n(queue), n(stream), now(from), now(to), group[0], group[1], group[2], grid[0], grid[1], grid[2], event];
        base.execute(&insert, row).unwrap();
    }
    for &(name, [of, into], stream, bytes, call, [from, to]) in &program.copies {
        let insert = format!("INSERT INTO rocpd_memory_copy{end} VALUES (NULL, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)");
        let event = event("MEMORY_COPY", call, call, "{}");
        base.execute(&insert, params![now(from), now(to), string(name), n(into), n(of), n(bytes), n(stream), event]).unwrap();
    }
}

fn region(base: &Connection, end: &str, (name, thread, event): (i64, u64, i64), [from, to]: [i64; 2]) {
    base.execute(&format!("INSERT OR IGNORE INTO rocpd_info_thread{end} VALUES (?1, ?1)"), [n(thread)]).unwrap();
    let insert = format!("INSERT INTO rocpd_region{end} (tid, start, end, name_id, event_id) VALUES (?1, ?2, ?3, ?4, ?5)");
    base.execute(&insert, params![n(thread), from, to, name, event]).unwrap();
}

pub(super) fn bytes(mut base: Connection) -> Vec<u8> {
    base.serialize(MAIN_DB).unwrap().to_vec()
}
