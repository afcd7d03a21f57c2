//! One test per rule of [TX2], named after it, and placement; `instant` has the rest of the
//! contract. Each holds on a scenario in which breaking the rule would show.

mod instant;

use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{
    BlockEnds, BlockTimes, Device, DeviceDraft, Draft, KernelDraft, Placement, PolicyKind, Release, Scenario, StreamDraft, StreamPriority,
    TaskDraft,
};
use blockstep_sim::snapshot::Snapshot;
use blockstep_sim::trace::Level;
use blockstep_sim::units::{OpId, SmId, SpaceId, StreamId, Time};

/// A TX2 whose copy engine moves a byte in 1 ns.
fn device() -> Device {
    Device { copy_bandwidth_bytes_per_s: 1_000_000_000, ..Device::default() }
}

fn draft(kernels: Vec<KernelDraft>) -> Draft {
    Draft { device: DeviceDraft::Custom(device()), kernels, ..Draft::default() }
}

fn kernel(name: &str, stream: &str, start_ns: u64, blocks: u64, threads: u64, time: u64) -> KernelDraft {
    KernelDraft { stream: stream.to_owned(), start_ns, ..KernelDraft::named(name, blocks, threads, time) }
}

fn copies(bytes_in: u64, bytes_out: u64, kernel: KernelDraft) -> KernelDraft {
    KernelDraft { copy_in_bytes: bytes_in, copy_out_bytes: bytes_out, ..kernel }
}

fn of_task(task: &str, kernel: KernelDraft) -> KernelDraft {
    KernelDraft { task: Some(task.to_owned()), ..kernel }
}

fn after(row: &str, kernel: KernelDraft) -> KernelDraft {
    KernelDraft { after: Some(row.to_owned()), ..kernel }
}

fn periodic(name: &str, period: u64, jobs: u64) -> TaskDraft {
    TaskDraft { release: Release::Periodic, period_ns: Some(period), jobs: Some(jobs), ..TaskDraft::named(name) }
}

fn with_high(streams: &[&str], mut draft: Draft) -> Draft {
    draft.streams = streams
        .iter()
        .map(|&s| StreamDraft { process: None, name: s.to_owned(), priority: StreamPriority::High, non_blocking: false })
        .collect();
    draft
}

fn run(draft: &Draft) -> Run {
    let run = engine::simulate(&Scenario::new(draft).unwrap(), Limits::default());
    assert_eq!(run.trace.cut(), None);
    run
}

/// The state after all steps with time at most `ns`.
fn state_at(run: &Run, ns: u64) -> Snapshot {
    let applied = run.trace.steps().partition_point(|s| s.at <= Time(ns));
    run.replay().seek(applied as u32).clone()
}

fn names<'a>(run: &Run, ops: impl IntoIterator<Item = &'a OpId>) -> String {
    ops.into_iter().map(|&op| run.trace.op_label(op)).collect::<Vec<_>>().join(" ")
}

fn stream_at(run: &Run, name: &str, ns: u64) -> String {
    let id = run.trace.layout().streams().iter().position(|s| s.name == name).unwrap();
    names(run, &state_at(run, ns).stream(StreamId::at(id)).queue)
}

fn ee_at(run: &Run, level: Level, ns: u64) -> String {
    names(run, state_at(run, ns).space(SpaceId(0)).ee(level))
}

fn ce_at(run: &Run, ns: u64) -> String {
    names(run, state_at(run, ns).space(SpaceId(0)).ce(0))
}

fn copying_at(run: &Run, ns: u64) -> String {
    names(run, state_at(run, ns).space(SpaceId(0)).engines.iter().flatten().map(|c| &c.op))
}

fn blocks_at(run: &Run, sm: u16, ns: u64) -> String {
    let state = state_at(run, ns);
    let blocks = &state.space(SpaceId(0)).sms[SmId(sm).index()].blocks;
    blocks.iter().map(|b| format!("{}:{}", run.trace.op_label(b.op), b.block)).collect::<Vec<_>>().join(" ")
}

/// The steps of one instant, without the time: `X1 K1:0 -> SM0`.
fn steps_at(run: &Run, ns: u64) -> Vec<String> {
    let line = |step| {
        let mut line = String::new();
        run.trace.write_step(step, &mut line).unwrap();
        line.split_once(' ').unwrap().1.to_owned()
    };
    run.trace.steps().iter().filter(|s| s.at == Time(ns)).map(line).collect()
}

/// Start of an operation's execution.
fn start(run: &Run, label: &str) -> Option<u64> {
    let op = (0..run.trace.ops().len()).find(|&i| run.trace.op_label(OpId::at(i)) == label)?;
    Records::new(&run.trace).ops[op].start.map(Time::ns)
}

// ---- One address space [TX2 3.2] ----

#[test]
fn g1_an_operation_joins_the_tail_of_its_stream_when_issued() {
    let run = run(&draft(vec![copies(1, 1, kernel("K1", "S1", 5, 1, 32, 10)), kernel("K2", "S1", 7, 1, 32, 10)]));
    assert_eq!(stream_at(&run, "S1", 4), "");
    assert_eq!(stream_at(&run, "S1", 5), "C1i K1 C1o");
    assert_eq!(stream_at(&run, "S1", 7), "K1 C1o K2");
}

#[test]
fn g2_a_kernel_joins_the_ee_queue_at_the_head_of_its_stream() {
    // K1 holds every thread; K2 is behind it in S1 and not in the EE queue, K3 and K4 are.
    let rows = vec![
        kernel("K1", "S1", 0, 4, 1024, 10),
        kernel("K2", "S1", 0, 4, 1024, 10),
        kernel("K3", "S3", 2, 4, 1024, 10),
        kernel("K4", "S4", 1, 1, 32, 10),
    ];
    let run = run(&draft(rows));
    assert_eq!(ee_at(&run, Level::Low, 2), "K4 K3");
    assert_eq!(start(&run, "K2"), Some(20), "K2 joins behind K4 and K3 when K1 completes at 10, and K3 needs all room");
    let at_10 = steps_at(&run, 10);
    assert!(at_10.contains(&"G2 K2 -> EE low".to_owned()), "{at_10:?}");
}

#[test]
fn g3_a_kernel_leaves_the_ee_queue_when_all_its_blocks_are_assigned() {
    let run = run(&draft(vec![kernel("K1", "S1", 0, 5, 1024, 10)]));
    assert_eq!(ee_at(&run, Level::Low, 0), "K1", "four of five blocks are assigned");
    assert_eq!(ee_at(&run, Level::Low, 10), "");
    assert_eq!(steps_at(&run, 10)[4..], ["R2 K1:4 -> SM0", "G3 K1 <- EE low"]);
    assert_eq!(stream_at(&run, "S1", 10), "K1", "dispatched, but not complete");
}

#[test]
fn g4_a_kernel_leaves_its_stream_when_all_its_blocks_have_completed() {
    let mut k1 = kernel("K1", "S1", 0, 2, 32, 0);
    k1.block_time_ns = BlockTimes::List([20, 10].into());
    let run = run(&draft(vec![k1, kernel("K2", "S1", 0, 1, 32, 10)]));
    assert_eq!(stream_at(&run, "S1", 19), "K1 K2");
    assert_eq!(stream_at(&run, "S1", 20), "K2");
    assert_eq!(start(&run, "K2"), Some(20));
}

#[test]
fn x1_only_the_head_of_the_ee_queue_has_blocks_assigned() {
    // 1024 threads stay free on each SM, K2 needs 32 and waits behind K1 nevertheless.
    let mut k1 = kernel("K1", "S1", 0, 3, 1024, 10);
    k1.shared_memory_bytes = 40 << 10;
    let run = run(&draft(vec![k1, kernel("K2", "S2", 0, 1, 32, 10)]));
    assert_eq!((blocks_at(&run, 0, 0), blocks_at(&run, 1, 0)), ("K1:0".to_owned(), "K1:1".to_owned()));
    assert_eq!(ee_at(&run, Level::Low, 0), "K1 K2");
    assert_eq!(start(&run, "K2"), Some(10), "in the instant in which K1 is fully dispatched");
}

#[test]
fn r1_registers_count() {
    // 256 threads of 128 registers: 32768 of the 65536 of an SM.
    let mut k1 = kernel("K1", "S1", 0, 5, 256, 10);
    k1.registers_per_thread = 128;
    let run = run(&draft(vec![k1]));
    assert_eq!((blocks_at(&run, 0, 0), blocks_at(&run, 1, 0)), ("K1:0 K1:2".to_owned(), "K1:1 K1:3".to_owned()));
    assert_eq!(blocks_at(&run, 0, 10), "K1:4");
}

#[test]
fn r1_block_slots_count() {
    // 32 slots an SM; threads would allow 64 blocks of 32.
    let run = run(&draft(vec![kernel("K1", "S1", 0, 70, 32, 10)]));
    let resident = |ns| state_at(&run, ns).space(SpaceId(0)).sms.iter().map(|sm| sm.blocks.len()).collect::<Vec<_>>();
    assert_eq!((resident(0), resident(10)), (vec![32, 32], vec![3, 3]));
}

#[test]
fn r2_a_block_needs_its_threads_on_one_sm() {
    // 512 threads are free on each SM: 1024 in all, but on no single SM.
    let run = run(&draft(vec![kernel("K1", "S1", 0, 2, 1024, 10), kernel("K2", "S2", 0, 2, 512, 20), kernel("K3", "S3", 1, 1, 1024, 5)]));
    assert_eq!(state_at(&run, 1).space(SpaceId(0)).sms.iter().map(|sm| sm.threads).collect::<Vec<_>>(), [512, 512]);
    assert_eq!(start(&run, "K3"), Some(10));
}

#[test]
fn r3_a_block_needs_its_shared_memory_on_the_same_sm() {
    // Threads are free on SM 1 only, shared memory on SM 0 only.
    let with_memory = |kib: u64, k: KernelDraft| KernelDraft { shared_memory_bytes: kib << 10, ..k };
    let rows = vec![
        kernel("K1", "S1", 0, 1, 1024, 30),
        with_memory(48, kernel("K2", "S2", 0, 1, 32, 20)),
        kernel("K3", "S3", 0, 1, 1024, 30),
        with_memory(32, kernel("K4", "S4", 0, 1, 1024, 5)),
    ];
    let run = run(&Draft { placement: Placement::MostFree, ..draft(rows) });
    // K1 on SM 0, K2 on SM 1, K3 on SM 1 (2016 free): SM 0 has 1024 threads and 64 KiB.
    assert_eq!((blocks_at(&run, 0, 0), blocks_at(&run, 1, 0)), ("K1:0 K4:0".to_owned(), "K2:0 K3:0".to_owned()));
    // Two SMs full of memory: threads alone do not help.
    let hold = (0..2).map(|i| with_memory(40, kernel(&format!("H{i}"), &format!("S{i}"), 0, 1, 32, 10)));
    let tail = with_memory(32, kernel("K4", "S4", 0, 1, 32, 5));
    let run = self::run(&draft(hold.chain([tail]).collect()));
    assert_eq!(start(&run, "K4"), Some(10));
}

#[test]
fn c1_a_copy_joins_the_ce_queue_at_the_head_of_its_stream() {
    let run = run(&draft(vec![copies(10, 0, kernel("K1", "S1", 0, 1, 32, 5)), copies(10, 10, kernel("K2", "S2", 1, 1, 32, 5))]));
    assert_eq!(ce_at(&run, 1), "C2i", "C2o is behind K2 in S2");
    assert_eq!(ce_at(&run, 10), "");
    assert_eq!(start(&run, "C2o"), Some(25));
}

#[test]
fn c2_the_head_of_the_ce_queue_is_assigned_when_the_engine_is_idle() {
    let rows = (1..4).map(|i| copies(10, 0, kernel(&format!("K{i}"), &format!("S{i}"), 0, 1, 32, 5)));
    let run = run(&draft(rows.collect()));
    assert_eq!((copying_at(&run, 0), ce_at(&run, 0)), ("C1i".to_owned(), "C2i C3i".to_owned()));
    assert_eq!([start(&run, "C1i"), start(&run, "C2i"), start(&run, "C3i")], [Some(0), Some(10), Some(20)]);
}

#[test]
fn c3_a_copy_leaves_the_ce_queue_when_it_is_assigned() {
    let run = run(&draft(vec![copies(10, 0, kernel("K1", "S1", 3, 1, 32, 5))]));
    assert_eq!((ce_at(&run, 3), copying_at(&run, 3), stream_at(&run, "S1", 3)), (String::new(), "C1i".to_owned(), "C1i K1".to_owned()));
}

#[test]
fn c4_a_copy_leaves_its_stream_when_it_is_complete() {
    let run = run(&draft(vec![copies(10, 0, kernel("K1", "S1", 0, 1, 32, 5))]));
    assert_eq!((stream_at(&run, "S1", 9), stream_at(&run, "S1", 10)), ("C1i K1".to_owned(), "K1".to_owned()));
    assert_eq!(start(&run, "K1"), Some(10));
}

#[test]
fn copy_engines_one_serves_both_directions_and_two_one_each() {
    let rows = vec![copies(0, 10, kernel("K1", "S1", 0, 1, 32, 5)), copies(20, 0, kernel("K2", "S2", 0, 1, 32, 5))];
    let with_engines = |copy_engines| {
        let device = DeviceDraft::Custom(Device { copy_engines, ..device() });
        start(&run(&Draft { device, ..draft(rows.clone()) }), "C1o")
    };
    assert_eq!([with_engines(1), with_engines(2), with_engines(3)], [Some(20), Some(5), Some(5)]);
}

// ---- The NULL stream [TX2 4.1] ----

#[test]
fn n1_the_null_stream_waits_for_what_was_launched_before() {
    // K3 is launched after K2, so K2 does not wait for it; K1 is longer than K3 in any case.
    let run = run(&draft(vec![kernel("K1", "S1", 0, 1, 32, 20), kernel("K2", "NULL", 1, 1, 32, 5), kernel("K3", "S3", 2, 1, 32, 5)]));
    assert_eq!([start(&run, "K2"), start(&run, "K3")], [Some(20), Some(25)]);
    assert!(steps_at(&run, 20).contains(&"N1 K2 -> EE low".to_owned()));
}

#[test]
fn n2_other_streams_wait_for_what_the_null_stream_launched_before() {
    // K1 was launched before K2 and does not wait although K2 is at the head of the NULL stream.
    let run = run(&draft(vec![
        kernel("K0", "S0", 0, 4, 1024, 10),
        kernel("K1", "S1", 0, 1, 32, 20),
        kernel("K2", "NULL", 0, 1, 32, 5),
        kernel("K3", "S3", 0, 1, 32, 5),
    ]));
    assert_eq!(["K1", "K2", "K3"].map(|k| start(&run, k)), [Some(10), Some(30), Some(35)]);
    assert!(steps_at(&run, 35).contains(&"N2 K3 -> EE low".to_owned()));
}

#[test]
fn n1_and_n2_hold_for_copies() {
    // The NULL stream's input copy waits for K1, which uses no copy engine; K3's for all of K2.
    let rows = vec![
        kernel("K1", "S1", 0, 1, 32, 20),
        copies(5, 5, kernel("K2", "NULL", 1, 1, 32, 5)),
        copies(5, 0, kernel("K3", "S3", 2, 1, 32, 5)),
    ];
    let run = run(&draft(rows));
    assert_eq!(["C2i", "K2", "C2o", "C3i"].map(|op| start(&run, op)), [Some(20), Some(25), Some(30), Some(35)]);
}

#[test]
fn null_is_one_stream_for_all_processes_of_one_address_space() {
    use blockstep_sim::scenario::ProcessDraft;
    let mut both = draft(vec![
        of_task("A", kernel("K1", "NULL", 0, 1, 32, 10)),
        of_task("B", kernel("K2", "NULL", 0, 1, 32, 10)),
        of_task("B", kernel("K3", "S1", 1, 1, 32, 10)),
        of_task("A", kernel("K4", "S1", 1, 1, 32, 10)),
    ]);
    both.processes = vec![ProcessDraft::named("P"), ProcessDraft::named("Q")];
    both.tasks =
        ["P", "Q"].iter().zip(["A", "B"]).map(|(p, t)| TaskDraft { process: Some((*p).to_owned()), ..TaskDraft::named(t) }).collect();
    let run = run(&both);
    assert_eq!(["K1", "K2"].map(|k| start(&run, k)), [Some(0), Some(10)], "one queue");
    assert_eq!(["K3", "K4"].map(|k| start(&run, k)), [Some(20), Some(20)], "S1 of P and S1 of Q are two");
}

// ---- Priorities [TX2 4.2] ----

#[test]
fn a1_a_kernel_joins_the_ee_queue_of_its_streams_priority() {
    let rows = vec![
        kernel("K0", "S0", 0, 4, 1024, 10),
        kernel("K1", "high", 1, 1, 32, 5),
        kernel("K2", "low", 1, 1, 32, 5),
        kernel("K3", "none", 1, 1, 32, 5),
    ];
    let mut scenario = with_high(&["high"], draft(rows));
    scenario.streams.push(StreamDraft { process: None, name: "low".to_owned(), priority: StreamPriority::Low, non_blocking: false });
    let run = run(&scenario);
    assert_eq!((ee_at(&run, Level::High, 1), ee_at(&run, Level::Low, 1)), ("K1".to_owned(), "K2 K3".to_owned()));
    scenario.policy.kind = PolicyKind::Fifo;
    let run = self::run(&scenario);
    assert_eq!((ee_at(&run, Level::High, 1), ee_at(&run, Level::Low, 1)), (String::new(), "K1 K2 K3".to_owned()));
}

#[test]
fn a2_a_higher_ee_queue_comes_first_even_while_its_head_does_not_fit() {
    let blocked = with_high(
        &["high"],
        draft(vec![
            kernel("K0", "S0", 0, 2, 1024, 20),
            kernel("K3", "S3", 0, 2, 768, 30),
            kernel("K1", "high", 1, 1, 512, 5),
            kernel("K2", "S2", 1, 1, 32, 5),
        ]),
    );
    let run = run(&blocked);
    assert_eq!(ee_at(&run, Level::High, 1), "K1", "256 threads are free on each SM");
    assert_eq!(["K1", "K2"].map(|k| start(&run, k)), [Some(20), Some(20)], "K2 would fit from the start");
}

#[test]
fn a2_running_blocks_are_not_preempted() {
    let run = run(&with_high(&["high"], draft(vec![kernel("K1", "S1", 0, 4, 1024, 10), kernel("K2", "high", 1, 4, 1024, 5)])));
    assert_eq!(start(&run, "K2"), Some(10));
}

// ---- Placement ----

/// SMs, in order of assignment.
fn placed(placement: Placement, rows: Vec<KernelDraft>) -> Vec<u16> {
    let device = DeviceDraft::Custom(Device { sms: 3, ..device() });
    let run = run(&Draft { device, placement, ..draft(rows) });
    Records::new(&run.trace).blocks.iter().map(|b| b.sm.0).collect()
}

#[test]
fn placement_most_free_threads_then_lowest_sm() {
    let rows = vec![kernel("K1", "S1", 0, 2, 512, 100), kernel("K2", "S2", 1, 5, 256, 100)];
    assert_eq!(placed(Placement::MostFree, rows), [0, 1, 2, 2, 0, 1, 2]);
}

#[test]
fn placement_most_free_only_among_sms_where_the_block_fits() {
    let mut hold = kernel("K1", "S1", 0, 1, 32, 100);
    hold.shared_memory_bytes = 48 << 10;
    let mut next = kernel("K2", "S2", 1, 3, 512, 100);
    next.shared_memory_bytes = 32 << 10;
    // SM 0 keeps the most free threads after the first two, but not the memory.
    assert_eq!(placed(Placement::MostFree, vec![hold, next]), [0, 1, 2, 1]);
}

/// As measured on an H200 (docs/measured.md).
#[test]
fn placement_most_room_for_blocks_of_the_kernel() {
    let with_memory = |kib: u64, k: KernelDraft| KernelDraft { shared_memory_bytes: kib << 10, ..k };
    let rows = || vec![with_memory(40, kernel("K1", "S1", 0, 1, 32, 100)), with_memory(16, kernel("K2", "S2", 1, 5, 512, 100))];
    // Beside K1 there is memory for one block of K2, though threads for three; on each other SM for four.
    assert_eq!(placed(Placement::MostRoom, rows()), [0, 1, 2, 1, 2, 1]);
    assert_eq!(placed(Placement::MostFree, rows()), [0, 1, 2, 0, 1, 2]);
}

/// As measured on an H200 (docs/measured.md): what waits takes the room before the next kernel of the stream comes.
#[test]
fn block_ends_one_by_one_let_what_waits_go_first() {
    let rows = || vec![kernel("K1", "S1", 0, 4, 1024, 10), kernel("K2", "S2", 1, 4, 1024, 5), kernel("K3", "S1", 2, 4, 1024, 5)];
    let high = StreamDraft { name: "S1".to_owned(), priority: StreamPriority::High, ..StreamDraft::default() };
    let starts = |block_ends| {
        let run = run(&Draft { block_ends, streams: vec![high.clone()], ..draft(rows()) });
        (start(&run, "K2"), start(&run, "K3"))
    };
    assert_eq!(starts(BlockEnds::Together), (Some(15), Some(10)));
    assert_eq!(starts(BlockEnds::OneByOne), (Some(10), Some(15)));
}

#[test]
fn placement_first_fit_lowest_sm() {
    let rows = vec![kernel("K1", "S1", 0, 3, 1024, 100), kernel("K2", "S2", 1, 2, 512, 100)];
    assert_eq!(placed(Placement::FirstFit, rows), [0, 0, 1, 1, 1]);
}

#[test]
fn placement_round_robin_starts_after_the_sm_assigned_last() {
    let rows = vec![kernel("K1", "S1", 0, 2, 32, 100), kernel("K2", "S2", 1, 1, 32, 1), kernel("K3", "S3", 9, 2, 32, 100)];
    assert_eq!(placed(Placement::RoundRobin, rows), [0, 1, 2, 0, 1]);
    let big = vec![kernel("K1", "S1", 0, 1, 1024, 9), kernel("K2", "S2", 0, 4, 768, 100), kernel("K3", "S3", 1, 2, 512, 9)];
    // K2: SM 1, SM 2, SM 0, SM 1; then SM 2 has room for both blocks of K3, SM 0 and SM 1 for one... none.
    assert_eq!(placed(Placement::RoundRobin, big), [0, 1, 2, 0, 1, 2, 1]);
}
