//! Programs of CUDA: what they say, what their lines belong to, and that a compiler takes them.

use std::ffi::OsString;
use std::process::Command;
use std::{env, fs};

use blockstep_format::{Program, ProgramLine, read_scenario, write_program};
use blockstep_sim::engine::Run;
use blockstep_sim::examples;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{BatchDraft, Call, Draft};
use blockstep_sim::trace::OpKind;
use blockstep_sim::units::{RowId, TaskId};
use blockstep_testing::fixed::run;
use blockstep_testing::golden::compare;

/// Every call, each kind of release, rows behind others, jobs that overlap, graphs with copies, and names that no program can have.
const ALL: &str = r#"{ "version": 2, "name": "every \"call\" \\",
  "streams": [{ "name": "hi", "priority": "high" }, { "name": "nb", "non_blocking": true }],
  "tasks": [
    { "name": "int", "release": "periodic", "period_ns": 20000, "jobs": 3 },
    { "name": "while\\", "release": "continuous", "jobs": 3 },
    { "name": "consumer", "release": "periodic", "period_ns": 30000, "jobs": 3, "consumes": ["int"] },
    { "name": "overlaps", "release": "periodic", "period_ns": 10000, "jobs": 4 },
    { "name": "calls", "call_ns": 2000, "release": "continuous", "jobs": 2 },
    { "name": "in turn", "offset_ns": 400000 }
  ],
  "kernels": [
    { "name": "A", "task": "int", "stream": "hi", "blocks": 4, "threads_per_block": 64, "block_time_ns": [1000, 2000, 3000, 4000] },
    { "name": "B ü", "task": "int", "stream": "hi", "after": "A", "start_ns": 1000, "blocks": 2, "threads_per_block": 64,
      "block_time_ns": 5000, "block_time_max_ns": 9000, "registers_per_thread": 32 },
    { "name": "C", "task": "while\\", "stream": "w", "blocks": 2, "threads_per_block": 64, "block_time_ns": 5000, "copy_in_bytes": 1000 },
    { "name": "C\\", "task": "while\\", "stream": "w", "after": "C", "blocks": 2, "threads_per_block": 64, "block_time_ns": 5000 },
    { "name": "D", "task": "consumer", "stream": "nb", "blocks": 2, "threads_per_block": 64, "block_time_ns": 5000,
      "copy_out_bytes": 4096, "records": "E1" },
    { "name": "E", "task": "overlaps", "stream": "o", "start_ns": 25000, "blocks": 2, "threads_per_block": 64, "block_time_ns": 500,
      "records": "E3" },
    { "name": "F", "task": "overlaps", "stream": "p", "blocks": 2, "threads_per_block": 64, "block_time_ns": 500, "waits_for": ["E3"] },
    { "name": "G1", "task": "calls", "stream": "hi", "call": "launch_graph" },
    { "name": "n1", "task": "calls", "graph": "G1", "blocks": 2, "threads_per_block": 64, "block_time_ns": 5000,
      "copy_in_bytes": 1000, "copy_out_bytes": 1000 },
    { "name": "n2", "task": "calls", "graph": "G1", "waits_for": ["n1"], "call": "memset", "bytes": 1000 },
    { "name": "n3", "task": "calls", "graph": "G1", "waits_for": ["n1"], "call": "copy_to_host", "bytes": 1000 },
    { "name": "n4", "task": "calls", "graph": "G1", "waits_for": ["n2", "n3"], "call": "copy_on_device", "bytes": 1000 },
    { "name": "n5", "task": "calls", "graph": "G1", "waits_for": ["n4"], "call": "copy_to_device", "bytes": 1000 },
    { "name": "Y", "task": "calls", "stream": "hi", "call": "synchronize_stream" },
    { "name": "c1", "task": "in turn", "call": "copy_to_device", "bytes": 1000, "synchronous": true },
    { "name": "c2", "task": "in turn", "call": "memset", "bytes": 1000, "synchronous": true },
    { "name": "c3", "task": "in turn", "call": "copy_on_device", "bytes": 1000, "stream": "o" },
    { "name": "c4", "task": "in turn", "call": "copy_to_host", "bytes": 1000, "stream": "o", "records": "E2" },
    { "name": "c5", "task": "in turn", "call": "synchronize_event", "waits_for": ["E2"] },
    { "name": "c6", "task": "in turn", "call": "allocate" },
    { "name": "c7", "task": "in turn", "call": "free" },
    { "name": "c8", "task": "in turn", "call": "synchronize_device" }
  ] }"#;

fn run_of(text: &str) -> Run {
    run(&read_scenario(text).unwrap())
}

fn written(run: &Run) -> Result<Program, String> {
    write_program(&run.trace, &Records::new(&run.trace)).map_err(|why| why.to_string())
}

/// Each line with what it belongs to.
fn lines(program: &Program) -> impl Iterator<Item = (Option<ProgramLine>, &str)> {
    program.lines.iter().copied().zip(program.text.lines())
}

/// What stands before is the same in every program.
fn of_the_table(program: &Program) -> String {
    program.text.split_inclusive('\n').skip(program.table).collect()
}

#[test]
fn a_program_says_what_the_table_says() {
    let program = written(&run_of(examples::find("tx2-table-1").unwrap().json)).unwrap();
    assert_eq!(compare("program-tx2-table-1.cu", &of_the_table(&program)), None);
    let program = written(&run_of(ALL)).unwrap();
    assert_eq!(compare("program-every-call.cu", &of_the_table(&program)), None);
}

#[test]
fn every_call_has_a_line_of_its_row() {
    let texts = examples::all().map(|example| example.json).chain([ALL]);
    let mut rows = 0;
    for run in texts.map(run_of) {
        let Ok(program) = written(&run) else { continue };
        assert_eq!(program.lines.len(), program.text.lines().count());
        let scenario = run.trace.scenario();
        for op in run.trace.ops() {
            let of: Vec<&str> =
                lines(&program).filter(|(of, _)| *of == Some(ProgramLine::Op(op.row, op.kind))).map(|(_, text)| text).collect();
            let [line] = of[..] else { panic!("{}: {of:?}", scenario.row(op.row).name) };
            let (launch, node) = if op.kind == OpKind::Kernel { ("<<<", "add_kernel(") } else { ("CHECK(cudaMem", "= add_") };
            assert!(line.contains(if scenario.row(op.row).node.is_some() { node } else { launch }), "{line}");
        }
        for (id, row) in (0..).map(RowId::at).zip(scenario.rows()).filter(|(_, row)| !row.call.has_operation()) {
            let calls = format!("{}(", if row.call == Call::Allocate { "cudaMalloc" } else { row.call.function(false) });
            assert!(lines(&program).any(|(of, text)| of == Some(ProgramLine::Call(id)) && text.contains(&calls)), "{}", row.name);
            rows += 1;
        }
    }
    assert!(rows > 12);
}

/// The calls of a thread stand in the order in which the run makes them.
#[test]
fn calls_of_a_thread_stand_in_their_order() {
    for id in ["tx2-table-1", "tx2-table-5", "cuda-event-wait", "cuda-launches"] {
        let run = run_of(examples::find(id).unwrap().json);
        let program = written(&run).unwrap();
        let place = |row, kind| program.lines.iter().rposition(|of| *of == Some(ProgramLine::Op(row, kind))).unwrap();
        let scenario = run.trace.scenario();
        for (task, _) in (0..).zip(scenario.tasks()) {
            let ops = run.trace.ops().iter().filter(|op| scenario.row(op.row).task.index() == task);
            let places: Vec<usize> = ops.map(|op| place(op.row, op.kind)).collect();
            assert!(places.is_sorted(), "{id}: {places:?}");
        }
    }
}

/// Under `edf` a job of a real-time task is a batch, with the calls of [EDF] Listing 2 as comments; best effort has none.
#[test]
fn batches_of_edf_begin_and_end_in_each_stream() {
    let table = |cbs: bool| {
        format!(
            r#"{{ "version": 1, "policy": {{ "kind": "edf", "cbs": {cbs} }},
              "processes": [{{ "name": "P" }}, {{ "name": "Q" }}],
              "tasks": [
                {{ "name": "R", "process": "P", "release": "periodic", "period_ns": 40000, "deadline_ns": 4500, "budget_ns": 3000, "jobs": 2 }},
                {{ "name": "B", "process": "Q", "class": "best_effort" }}
              ],
              "kernels": [
                {{ "name": "R1", "task": "R", "stream": "S", "blocks": 1, "threads_per_block": 32, "block_time_ns": 1000 }},
                {{ "name": "R2", "task": "R", "stream": "T", "blocks": 1, "threads_per_block": 32, "block_time_ns": 1000 }},
                {{ "name": "B1", "task": "B", "stream": "S", "blocks": 1, "threads_per_block": 32, "block_time_ns": 1000 }}
              ] }}"#
        )
    };
    let program = written(&run_of(&table(true))).unwrap();
    let found: Vec<(Option<ProgramLine>, &str)> = lines(&program).filter(|(_, text)| text.contains("[EDF] V:")).collect();
    let of = |(line, text): &(Option<ProgramLine>, &str)| (*line, text.trim().trim_start_matches("// [EDF] V: ").to_owned());
    let (release, task) = (Some(ProgramLine::Release(TaskId(0))), Some(ProgramLine::Task(TaskId(0))));
    let wanted = [
        (release, "cudaStreamDeadlineBegin(stream_S, deadline 4.5, budget 3, period 40 us)"),
        (release, "cudaStreamDeadlineBegin(stream_T, deadline 4.5, budget 3, period 40 us)"),
        (task, "cudaStreamDeadlineEnd(stream_S)"),
        (task, "cudaStreamDeadlineEnd(stream_T)"),
    ];
    assert_eq!(found.iter().map(of).collect::<Vec<_>>(), wanted.map(|(line, text)| (line, text.to_owned())));
    // A graphics task calls once for all frames, before it draws them: 25,000 a second, and 3 us for each.
    let graphics = table(true).replace("\"version\": 1", "\"version\": 2").replace("\"jobs\": 2", "\"jobs\": 2, \"pixel_latency_ns\": 7");
    let graphics = written(&run_of(&graphics)).unwrap();
    let found: Vec<(Option<ProgramLine>, &str)> = lines(&graphics).filter(|(_, text)| text.contains("[EDF] V:")).collect();
    assert_eq!(
        found.iter().map(of).collect::<Vec<_>>(),
        [(task, "glSetFrameTarget(25000, 3), number of frames per second and budget".to_owned())]
    );
    let place = |what: &str| graphics.text.find(what).unwrap();
    assert!(place("glSetFrameTarget") < place("for (int job"), "once");
    // A row that is a batch of its own begins it, and ends what its stream had open.
    let with_batch = |stream: &str| {
        let mut draft = read_scenario(&table(true).replace("\"T\"", &format!("\"{stream}\""))).unwrap();
        draft.kernels[1].batch = Some("own".to_owned());
        draft.batches = vec![BatchDraft { name: "own".to_owned(), deadline_ns: 2_000, budget_ns: Some(1_000), ..BatchDraft::default() }];
        let program = written(&run(&draft)).unwrap();
        lines(&program).filter(|(_, text)| text.contains("[EDF] V:")).map(|line| of(&line)).collect::<Vec<_>>()
    };
    let row = |row| Some(ProgramLine::Row(RowId(row)));
    let rest = (row(0), "cudaStreamDeadlineBegin(stream_S, deadline 4.5, budget 3, period 40 us)");
    let two = [rest, (row(1), "cudaStreamDeadlineBegin(stream_T, deadline 2, budget 1, period 2 us)"), wanted[2], wanted[3]];
    assert_eq!(with_batch("T"), two.map(|(line, text)| (line, text.to_owned())));
    let end = "cudaStreamDeadlineEnd(stream_S)";
    let one = [rest, (row(1), end), (row(1), "cudaStreamDeadlineBegin(stream_S, deadline 2, budget 1, period 2 us)"), (task, end)];
    assert_eq!(with_batch("S"), one.map(|(line, text)| (line, text.to_owned())));
    // Elsewhere none of these calls is meant.
    let fifo = written(&run_of(&table(false).replace("edf", "runlist"))).unwrap();
    assert!(!fifo.text.contains("[EDF]"));
}

#[test]
fn names_add_no_line_and_end_no_text() {
    let with = |name: &str| {
        let mut draft: Draft = read_scenario(ALL).unwrap();
        name.clone_into(&mut draft.name);
        name.clone_into(&mut draft.kernels[0].name);
        draft.kernels[1].after = Some(name.to_owned());
        written(&run(&draft)).unwrap()
    };
    let plain = with("A");
    for name in ["A\\", "\"; exit(1); \"", "*/ // /*", "A\u{2028}B", "ключ", "int", "??/"] {
        let program = with(name);
        assert_eq!(program.lines, plain.lines, "{name}");
        for line in program.text.lines().skip(program.table) {
            assert!(!line.ends_with('\\'), "{line}");
            let quotes = line.replace("\\\\", "").replace("\\\"", "").matches('"').count();
            assert!(quotes.is_multiple_of(2), "{line}");
        }
    }
}

#[test]
fn what_no_gpu_does_is_refused_with_the_words_of_measure() {
    let why = |id: &str| written(&run_of(examples::find(id).unwrap().json)).unwrap_err();
    assert!(why("edf-channels").contains("channels of a process are made by the driver"));
    let wide = ALL.replacen("\"threads_per_block\": 64", "\"threads_per_block\": 1025", 1).replacen(
        "\"streams\"",
        r#""device": { "sms": 2, "threads_per_sm": 2048, "max_threads_per_block": 2048 }, "streams""#,
        1,
    );
    assert_eq!(written(&run_of(&wide)).unwrap_err(), "A: 1025 threads of a block are too many for CUDA, the limit is 1024");
}

/// The compiler: `NVCC`, or what the path has.
fn nvcc() -> Option<OsString> {
    let named = env::var_os("NVCC").filter(|name| !name.is_empty());
    let found = || env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join("nvcc")).find(|file| file.is_file());
    named.or_else(|| found().map(Into::into))
}

#[test]
fn nvcc_compiles_programs() {
    let Some(nvcc) = nvcc() else {
        eprintln!("skipped: no nvcc in the PATH, and NVCC names none, so no program was compiled");
        return;
    };
    let folder = env::temp_dir().join(format!("blockstep-program-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let some = ["tx2-table-1", "tx2-fig-9-processes", "cuda-default-streams", "cuda-graph-branches", "edf-overrun-cbs"];
    let texts = some.map(|id| (id, examples::find(id).unwrap().json)).into_iter().chain([("every-call", ALL)]);
    for (name, text) in texts {
        let (source, object) = (folder.join(format!("{name}.cu")), folder.join(format!("{name}.o")));
        fs::write(&source, written(&run_of(text)).unwrap().text).unwrap();
        let mut command = Command::new(&nvcc);
        command.args(["-std=c++17", "-O1", "-arch=sm_75", "-Xcompiler", "-Wall,-Werror", "-c", "-o"]).arg(&object).arg(&source);
        let output = command.output().unwrap();
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    }
    fs::remove_dir_all(&folder).unwrap();
}
