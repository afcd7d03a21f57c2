//! What each method of [MT] does, by running batches with and without it.

use blockstep_batch::arch::ArchId;
use blockstep_batch::command::{CommandKind, CommandNo, Edge, Op};
use blockstep_batch::holds::{Hold, HoldKind, Remedy};
use blockstep_batch::late::{Late, late};
use blockstep_batch::methods::{Method, Methods};
use blockstep_batch::schedulers::SchedulerId;
use blockstep_batch::simulate::BatchRun;
use blockstep_batch::state::{BatchChange, BatchRule};
use blockstep_batch::task::Workload;
use blockstep_sim::units::{Span, Time};

use super::stage::{CPU, MS, batch, labels, task, workload};

use SchedulerId::{CpuConcurrent, CpuInterleave, CpuOrder, CpuTraditional};

/// Small kernels; that of higher priority runs longer.
fn longer_first() -> Workload {
    workload(vec![task("long", MS, 4 * MS, MS, 8), task("short", MS, 3 * MS / 2, MS, 8)])
}

/// Large kernels: 450 waves on Fermi, 78 on Kepler.
fn large() -> Workload {
    workload(vec![task("long", MS, 4 * MS, MS, 8100), task("short", MS, 3 * MS / 2, MS, 8100)])
}

fn outputs(run: &BatchRun) -> [u64; 2] {
    [run.outputs[0].ns(), run.outputs[1].ns()]
}

fn kinds(run: &BatchRun) -> Vec<(HoldKind, Remedy)> {
    run.holds.iter().map(|h| (h.kind, h.remedy)).collect()
}

fn hold_labels(run: &BatchRun, hold: &Hold) -> Vec<String> {
    labels(run, &[hold.held, hold.waits, hold.behind])
}

#[test]
fn batch_on_fermi_the_second_stop_event_waits_behind_the_first() {
    let run = batch(&longer_first(), ArchId::Fermi, Methods::ALL, CpuConcurrent);
    assert_eq!(outputs(&run), [6 * MS, 7 * MS]);
    let [hold] = &run.holds[..] else { panic!("{:?}", run.holds) };
    assert_eq!((hold.kind, hold.remedy), (HoldKind::FalseDependency, Remedy::DynamicOrder));
    assert_eq!(hold_labels(&run, hold), ["s6_DHcpy_t2", "s4_stop_Kexe_t2", "s3_stop_Kexe_t1"]);
    assert_eq!((hold.time.start, hold.time.end), (Time(3_500_000), Time(5_000_000)));
}

/// The remedy that is named there: the short kernel's output is out before the long one's.
#[test]
fn batch_on_fermi_the_order_of_ends_removes_it() {
    let run = batch(&longer_first(), ArchId::Fermi, Methods::ALL, CpuOrder);
    let counting = |threads: u64| (threads * 76).div_ceil(10);
    let poll = ArchId::Fermi.arch().costs.poll.ns();
    assert_eq!(outputs(&run), [6 * MS + counting(2048) + poll, 4 * MS + MS / 2 + counting(2048) + poll]);
    assert_eq!(run.holds, []);
}

#[test]
fn batch_with_hyper_q_nothing_is_held_up() {
    for id in CPU {
        let run = batch(&longer_first(), ArchId::Kepler, Methods::ALL, id);
        assert_eq!(run.holds, [], "{}", id.name());
    }
    assert_eq!(outputs(&batch(&longer_first(), ArchId::Kepler, Methods::ALL, CpuConcurrent)), [6 * MS, 4 * MS + MS / 2]);
}

/// Without the method, all CPU schedulers that launch kernels together have events of kernels in
/// copy queues or the other way round.
#[test]
fn batch_set_event_queue_keeps_events_in_their_queues() {
    let misplaced = |methods| {
        let run = batch(&longer_first(), ArchId::Fermi, methods, CpuConcurrent);
        let is_wrong = |no: CommandNo, queue: blockstep_batch::queues::Queue| match run.program.command(no).kind {
            CommandKind::Record(op, _) => (op == Op::Kernel) != (queue.kind == blockstep_batch::queues::QueueKind::Execution),
            _ => false,
        };
        let wrong = run.steps.iter().filter_map(|s| match s.change {
            BatchChange::Issue(no, Some(queue)) if is_wrong(no, queue) => Some(no),
            _ => None,
        });
        labels(&run, &wrong.collect::<Vec<_>>())
    };
    assert_eq!(misplaced(Methods::ALL), [""; 0]);
    let without = misplaced(Methods::ALL.with(Method::SetEventQueue, false));
    assert_eq!(without, ["s1_start_Kexe_t1", "s2_start_Kexe_t2", "s1_start_DHcpy_t1", "s2_start_DHcpy_t2"]);
}

/// A false dependency that the method removes, in a scheduler: the first output copy's start event
/// stands in the execution queue behind the second kernel's stop event.
#[test]
fn batch_set_event_queue_removes_a_false_dependency_of_a_scheduler() {
    let shorter_first = workload(vec![task("short", MS, 3 * MS / 2, MS, 8), task("long", MS, 4 * MS, MS, 8)]);
    let without = batch(&shorter_first, ArchId::Fermi, Methods::ALL.with(Method::SetEventQueue, false), CpuConcurrent);
    let [hold] = &without.holds[..] else { panic!("{:?}", without.holds) };
    assert_eq!((hold.kind, hold.remedy), (HoldKind::FalseDependency, Remedy::Use(Method::SetEventQueue)));
    assert_eq!(hold_labels(&without, hold), ["s1_DHcpy_t1", "s1_start_DHcpy_t1", "s2_stop_Kexe_t2"]);
    let with = batch(&shorter_first, ArchId::Fermi, Methods::ALL, CpuConcurrent);
    assert_eq!(with.holds, []);
    assert!(with.outputs[0] < without.outputs[0]);
}

/// [MT] section 6: with one execution queue and large kernels, output copies wait for all kernels.
#[test]
fn batch_delayed_signals_are_for_large_concurrent_kernels_on_fermi() {
    let run = batch(&large(), ArchId::Fermi, Methods::ALL, CpuConcurrent);
    assert_eq!(kinds(&run), [(HoldKind::DelayedSignal, Remedy::OneKernelAtATime)]);
    assert_eq!(hold_labels(&run, &run.holds[0]), ["s5_DHcpy_t1", "s3_stop_Kexe_t1", "s4_Kexe_t2"]);
    let kernel = run.spans[run.holds[0].behind.index()].unwrap();
    assert_eq!(outputs(&run), [kernel.end.ns() + MS, kernel.end.ns() + 2 * MS], "both output copies after both kernels");
    for (arch, id) in [(ArchId::Fermi, CpuInterleave), (ArchId::Kepler, CpuConcurrent)] {
        assert_eq!(batch(&large(), arch, Methods::ALL, id).holds, []);
    }
    let small = batch(&longer_first(), ArchId::Fermi, Methods::ALL, CpuConcurrent);
    assert!(small.steps.iter().all(|s| s.rule != BatchRule::SignalDelayed));
}

/// [MT] section 5.3: without the method the short kernel's stop event, in its kernel's stream, waits
/// for the long kernel, as the query that flushes the memory delays its signal.
#[test]
fn batch_atm_cnt_cpu_sched_avoids_the_blocking_query() {
    let without = batch(&longer_first(), ArchId::Kepler, Methods::ALL.with(Method::AtmCntCpuSched, false), CpuOrder);
    assert_eq!(kinds(&without), [(HoldKind::BlockingQuery, Remedy::Use(Method::AtmCntCpuSched))]);
    assert_eq!(hold_labels(&without, &without.holds[0]), ["s6_DHcpy_t2", "s4_stop_Kexe_t2", "s3_atmKexe_t1"]);
    let with = batch(&longer_first(), ArchId::Kepler, Methods::ALL, CpuOrder);
    assert_eq!(with.holds, []);
    assert!(with.outputs[1].after(Span(MS)).unwrap() < without.outputs[1]);
}

/// [MT] section 5.2: nothing flushes the memory, so the host sees the counters when all is done.
#[test]
fn batch_flush_zero_lets_the_host_see_the_first_end() {
    let without = batch(&longer_first(), ArchId::Fermi, Methods::ALL.with(Method::FlushZero, false), CpuOrder);
    let seen: Vec<_> = without.steps.iter().filter(|s| s.rule == BatchRule::HostSees).map(|s| s.at).collect();
    let end = without.spans.iter().zip(&without.program.commands).filter(|(_, c)| c.op() == Some(Op::Kernel));
    let end = end.filter_map(|(span, _)| span.map(|s| s.end)).max().unwrap();
    assert_eq!(seen, [end.after(Span(5_000)).unwrap(); 2], "both at once, after the longest");
    let with = batch(&longer_first(), ArchId::Fermi, Methods::ALL, CpuOrder);
    assert!(with.outputs[1] < without.outputs[1]);
}

/// [MT] section 5.3: asking by a stream query blocks until the longest kernel is done, so the order
/// of ends is not found out; kernels count nothing then.
#[test]
fn batch_atm_cnt_kernel_tells_the_order() {
    let without = batch(&longer_first(), ArchId::Fermi, Methods::ALL.with(Method::AtmCntKernel, false), CpuOrder);
    let kernels: Vec<_> =
        without.program.commands.iter().filter_map(|c| if let CommandKind::Kernel(l) = c.kind { Some(l) } else { None }).collect();
    assert!(kernels.iter().all(|l| !l.counts));
    assert_eq!(kernels[0].alone, Span(4 * MS));
    assert!(without.outputs[0] < without.outputs[1], "the first that was launched counts as first");
}

/// [MT] section 7: stop events of kernels are issued apart from them, land in a queue that all
/// share, and the second waits behind the first; without them it is gone.
#[test]
fn batch_on_tx1_stop_events_wait_for_each_other() {
    let run = batch(&longer_first(), ArchId::Tx1, Methods::ALL, CpuConcurrent);
    assert_eq!(kinds(&run), [(HoldKind::FalseDependency, Remedy::Use(Method::NoStopEvents))]);
    assert_eq!(run.holds[0].queue.name(), "shared event queue");
    assert_eq!(hold_labels(&run, &run.holds[0]), ["s6_DHcpy_t2", "s4_stop_Kexe_t2", "s3_stop_Kexe_t1"]);
    let order = batch(&longer_first(), ArchId::Tx1, Methods::ALL, CpuOrder);
    assert_eq!(order.holds, []);
    assert!(order.program.commands.iter().all(|c| !matches!(c.kind, CommandKind::Record(Op::Kernel, Edge::Stop))));
    assert_eq!(outputs(&order), [6 * MS, 4 * MS + MS / 2]);
    let with_stops = batch(&longer_first(), ArchId::Tx1, Methods::ALL.with(Method::NoStopEvents, false), CpuOrder);
    assert_eq!(kinds(&with_stops), [(HoldKind::FalseDependency, Remedy::Use(Method::NoStopEvents))]);
}

/// [MT] section 7 (1): after the host was blocked, events are misplaced until a dummy event.
#[test]
fn batch_on_tx1_dummy_events_keep_events_in_their_queues() {
    let after_gap = |methods, id| {
        let run = batch(&longer_first(), ArchId::Tx1, methods, id);
        run.steps
            .iter()
            .filter(|s| s.rule == BatchRule::EventAfterGap)
            .filter(|s| matches!(s.change, BatchChange::Issue(no, _) if run.program.command(no).kind != CommandKind::DummyRecord))
            .count()
    };
    for id in [CpuTraditional, CpuInterleave, CpuConcurrent, CpuOrder] {
        assert_eq!(after_gap(Methods::ALL, id), 0, "{}", id.name());
        assert!(after_gap(Methods::ALL.with(Method::DummyEvents, false), id) > 0, "{}", id.name());
    }
    // And what is reported then is longer than it should be: copies and kernels no longer overlap.
    let without = batch(&longer_first(), ArchId::Tx1, Methods::ALL.with(Method::DummyEvents, false), CpuInterleave);
    let with = batch(&longer_first(), ArchId::Tx1, Methods::ALL, CpuInterleave);
    assert!(with.end < without.end);
    assert!(without.holds.iter().all(|h| h.remedy == Remedy::Use(Method::DummyEvents) || h.remedy == Remedy::Use(Method::NoStopEvents)));
}

/// [MT] section 7 (2): polling blocks the host, so events after it are misplaced.
#[test]
fn batch_on_tx1_polling_misplaces_events() {
    let run = batch(&longer_first(), ArchId::Tx1, Methods::ALL.with(Method::NoPolling, false), CpuOrder);
    assert!(
        run.steps.iter().any(|s| s.rule == BatchRule::EventAfterGap
            && matches!(s.change, BatchChange::Issue(no, _) if run.program.command(no).task.is_some()))
    );
}

/// What events say of the operations of a batch, where it is not what happened.
fn wrong_reports(run: &BatchRun) -> Vec<String> {
    let wrong = run.timings().into_iter().filter(|t| t.reported.is_some_and(|r| r.span() != t.actual.span()));
    labels(run, &wrong.map(|t| t.command).collect::<Vec<_>>())
}

/// On Fermi events report what happens, but for a stop event behind another.
#[test]
fn batch_events_report_true_times_unless_something_holds_them_up() {
    let report = |id| wrong_reports(&batch(&longer_first(), ArchId::Fermi, Methods::ALL, id));
    assert_eq!(report(CpuTraditional), [""; 0]);
    assert_eq!(report(CpuInterleave), [""; 0]);
    assert_eq!(report(CpuConcurrent), ["s4_Kexe_t2"]);
}

/// A hold by what it is about, whatever the streams: which method or scheduler changes those.
fn about(run: &BatchRun, hold: &Hold) -> (HoldKind, String, String) {
    let [waits, behind] = [hold.waits, hold.behind].map(|no| {
        let label = run.program.label(no);
        label.split_once('_').map(|(_, rest)| rest.to_owned()).unwrap()
    });
    (hold.kind, waits, behind)
}

/// Whatever is held up, in any scheduler with any methods: what is named as the remedy removes it.
#[test]
fn batch_remedies_remove_what_they_are_named_for() {
    let (mut seen, mut left): (Vec<Remedy>, Vec<String>) = (Vec::new(), Vec::new());
    // Large enough for every GPU, in few waves.
    let larger = workload(vec![task("long", MS, 4 * MS, MS, 200), task("short", MS, 3 * MS / 2, MS, 200)]);
    let workloads = [longer_first(), larger, workload(vec![task("short", MS, 3 * MS / 2, MS, 8), task("long", MS, 4 * MS, MS, 8)])];
    for set in 0..1 << Method::ALL.len() {
        let methods = Method::ALL.into_iter().enumerate().fold(Methods::NONE, |m, (i, method)| m.with(method, set >> i & 1 == 1));
        for (workload, arch) in workloads.iter().flat_map(|w| ArchId::ALL.map(|arch| (w, arch))) {
            for id in CPU {
                let run = batch(workload, arch, methods, id);
                for hold in &run.holds {
                    // What the button switches on, and nothing else.
                    let (with, by) = hold.remedy.apply(methods, id);
                    let then = batch(workload, arch, with, by);
                    let is_left = then.holds.iter().any(|h| about(&then, h) == about(&run, hold));
                    let task = run.program.command(hold.held).task.unwrap();
                    let is_later = then.outputs[task] >= run.outputs[task];
                    if is_left || is_later {
                        let (was, is) = (run.outputs[task], then.outputs[task]);
                        left.push(format!("{arch:?} {id:?} {methods:?}: {} (output {was}, then {is})", hold.text(&run.program)));
                    }
                    if !seen.contains(&hold.remedy) {
                        seen.push(hold.remedy);
                    }
                }
            }
        }
    }
    assert!(left.is_empty(), "{} {:#?}", left.len(), &left[..left.len().min(20)]);
    assert!(seen.len() >= 6 && !seen.contains(&Remedy::Nothing), "{seen:?}");
}

/// [MT] sections 5.2 and 5.3: without a counter that it can see, the host learns of the shorter
/// kernel's end with that of the longest. That is no hold, as nothing is issued that could run.
#[test]
fn batch_what_the_host_learns_too_late_is_found_and_mended() {
    let arch = ArchId::Fermi.arch();
    for off in [Method::FlushZero, Method::AtmCntKernel] {
        let methods = Methods::ALL.with(off, false);
        let run = batch(&longer_first(), ArchId::Fermi, methods, CpuOrder);
        assert_eq!(run.holds, []);
        let [Late { task: 1, kernel, time, .. }] = late(&run, &arch)[..] else { panic!("{:?}", late(&run, &arch)) };
        assert_eq!(labels(&run, &[kernel])[0].split_once("_").unwrap().0, "s4");
        assert!(time.end.ns() - time.start.ns() > MS, "{time:?}");
        let then = batch(&longer_first(), ArchId::Fermi, Late::remedy(methods), CpuOrder);
        assert!(then.outputs[1].after(Span(MS)).unwrap() < run.outputs[1]);
        assert_eq!((late(&then, &arch), &then.holds[..]), (vec![], &[][..]));
    }
    for id in CPU {
        assert_eq!(late(&batch(&longer_first(), ArchId::Fermi, Methods::ALL, id), &arch), []);
    }
}
