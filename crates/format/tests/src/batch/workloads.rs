//! Workloads: what is refused and how it is said, which jobs are next, and how late they are.

use blockstep_batch::arch::ArchId;
use blockstep_batch::methods::Methods;
use blockstep_batch::priority::{due, lateness, shifted_lateness, slack};
use blockstep_batch::run::{Comparison, Outcome, RunError, run};
use blockstep_batch::schedulers::SchedulerId;
use blockstep_batch::task::{TaskDraft, Workload, WorkloadDraft};
use blockstep_sim::units::{Span, Time};

use super::stage::{CPU, MS, task};

fn draft(tasks: Vec<TaskDraft>) -> WorkloadDraft {
    WorkloadDraft { name: String::new(), until_ns: 30 * MS, tasks }
}

fn ok() -> TaskDraft {
    task("a", MS, MS, MS, 8)
}

/// What is wrong with a workload of `a`, changed, and of `b`.
fn refused(change: impl FnOnce(&mut TaskDraft)) -> String {
    let mut changed = ok();
    change(&mut changed);
    Workload::new(draft(vec![changed, task("b", MS, MS, MS, 8)])).unwrap_err().to_string()
}

#[test]
fn batch_workloads_name_field_value_and_limit() {
    let limit = "it must lie between 1 and 1000000000000";
    assert_eq!(refused(|t| t.name.clear()), "tasks[0].name is empty");
    assert_eq!(refused(|t| t.name = "b".to_owned()), "tasks[1].name is also the name of tasks[0]");
    assert_eq!(refused(|t| t.copy_in_ns = 0), "tasks[0].copy_in_ns is 0, and so is tasks[0].copy_in_bytes; one of them must be given");
    assert_eq!(refused(|t| t.copy_in_bytes = 1), "tasks[0].copy_in_bytes is given beside tasks[0].copy_in_ns; a copy has one of them");
    assert_eq!(refused(|t| (t.copy_out_ns, t.copy_out_bytes) = (0, u64::MAX)), format!("tasks[0].copy_out_bytes is {}; {limit}", u64::MAX));
    assert_eq!(refused(|t| t.copy_out_ns = u64::MAX), format!("tasks[0].copy_out_ns is {}; {limit}", u64::MAX));
    assert_eq!(refused(|t| t.kernel_ns = 0), format!("tasks[0].kernel_ns is 0; {limit}"));
    assert_eq!(refused(|t| t.interval_ns = 0), format!("tasks[0].interval_ns is 0; {limit}"));
    assert_eq!(refused(|t| t.blocks = 500_001), "tasks[0].blocks is 500001; it must lie between 1 and 500000");
    assert_eq!(refused(|t| t.blocks = 500_000), "tasks: have kernels of 500008 blocks together; with 2 tasks at most 500000 are run");
    assert_eq!(refused(|t| t.threads_per_block = 1025), "tasks[0].threads_per_block is 1025; it must lie between 1 and 1024");
    assert_eq!(refused(|t| t.deadline_ns = Some(0)), format!("tasks[0].deadline_ns is 0; {limit}"));
    assert_eq!(refused(|t| t.deadline_ns = None), "tasks[0].deadline_ns is missing; a task has deadline_ns or separation_ns");
    assert_eq!(refused(|t| t.separation_ns = Some(1)), "tasks[0].separation_ns is given beside deadline_ns; a task has one of them");
    assert_eq!(refused(|t| t.after = vec!["c".to_owned()]), "tasks[0].after[0] is \"c\", which is not a task");
    assert_eq!(refused(|t| t.after = vec!["a".to_owned()]), "tasks[0].after[0] is the task itself");
    assert_eq!(refused(|t| t.after = vec!["b".to_owned(); 2]), "tasks[0].after[1] names \"b\" a second time");
    assert_eq!(
        refused(|t| (t.interval_ns, t.after) = (5 * MS, vec!["b".to_owned()])),
        "tasks[0].after[0] is \"b\", whose inputs arrive every 10000000 ns; this task's arrive every 5000000 ns"
    );
    assert_eq!(refused(|t| t.interval_ns = 1), "until_ns: lets 30000003 inputs arrive; at most 20000 are run");
    assert_eq!(Workload::new(draft(vec![])).unwrap_err().to_string(), "tasks has 0 tasks; there must be between 1 and 16");
    let many = draft((0..16).map(|i| task(&i.to_string(), MS, MS, MS, 9766)).collect());
    assert_eq!(
        Workload::new(many).unwrap_err().to_string(),
        "tasks: have kernels of 156256 blocks together; with 16 tasks at most 156250 are run"
    );
    let late = TaskDraft { first_ns: 30 * MS, ..ok() };
    assert_eq!(Workload::new(draft(vec![late])).unwrap_err().to_string(), "until_ns is 30000000, before the first input arrives");
    let after = |name: &str, other: &str| TaskDraft { after: vec![other.to_owned()], ..task(name, 1, 1, 1, 1) };
    let circle = draft(vec![after("a", "b"), after("b", "c"), after("c", "a")]);
    assert_eq!(Workload::new(circle).unwrap_err().to_string(), "tasks[0].after: makes \"a\" wait for itself in a circle");
    let fewer = draft(vec![after("a", "b"), TaskDraft { first_ns: 10 * MS, ..task("b", 1, 1, 1, 1) }]);
    assert_eq!(
        Workload::new(fewer).unwrap_err().to_string(),
        "tasks[0].after[0] is \"b\", which has fewer inputs before until_ns than this task"
    );
}

#[test]
fn batch_latency_tasks_are_due_after_their_input_and_throughput_tasks_in_turn() {
    let latency = TaskDraft { first_ns: 3, interval_ns: 10, deadline_ns: Some(4), ..ok() };
    let throughput = |separation| TaskDraft {
        name: "b".to_owned(),
        first_ns: 3,
        interval_ns: 10,
        deadline_ns: None,
        separation_ns: Some(separation),
        ..ok()
    };
    let tasks =
        |separation| Workload::new(WorkloadDraft { until_ns: 1000, ..draft(vec![latency.clone(), throughput(separation)]) }).unwrap();
    let slow = tasks(12);
    let [a, b] = slow.tasks() else { panic!() };
    assert_eq!([due(a, 0), due(a, 1), due(a, 2)], [Time(7), Time(17), Time(27)]);
    assert_eq!([due(b, 0), due(b, 1), due(b, 2)], [Time(15), Time(27), Time(39)], "every 12");
    let fast = tasks(8);
    assert_eq!([due(&fast.tasks()[1], 0), due(&fast.tasks()[1], 1)], [Time(11), Time(21)], "inputs come every 10 only");
    assert_eq!([slack(a, 1, Time(0)), slack(a, 1, Time(17)), slack(a, 1, Time(20))], [17, 0, -3]);
    assert_eq!([lateness(a, 1, Time(16)), lateness(a, 1, Time(19))], [Span(0), Span(2)]);
    assert_eq!([shifted_lateness(a, 1, Time(16)), shifted_lateness(b, 2, Time(20))], [Span(3), Span(0)]);
}

fn outcome(tasks: Vec<TaskDraft>, id: SchedulerId) -> Outcome {
    run(&Workload::new(draft(tasks)).unwrap(), &ArchId::Kepler.arch(), Methods::ALL, id).unwrap()
}

/// At most two tasks at a time, those with the least slack ([MT] section 4, (3c)).
#[test]
fn batch_takes_the_two_tasks_of_least_slack() {
    let with = |name: &str, deadline| TaskDraft { deadline_ns: Some(deadline), interval_ns: 30 * MS, ..task(name, MS, MS, MS, 1) };
    let tasks = vec![with("slow", 9 * MS), with("fast", 3 * MS), with("middle", 5 * MS)];
    let outcome = outcome(tasks, SchedulerId::CpuInterleave);
    let batches: Vec<_> = outcome.batches.iter().map(|b| (b.start.ns() / MS, b.tasks.clone())).collect();
    assert_eq!(batches, [(0, vec![1, 2]), (4, vec![0])]);
}

/// A task that comes after another is in a later batch, though its deadline is earlier.
#[test]
fn batch_dependencies_put_tasks_into_later_batches() {
    let first = TaskDraft { deadline_ns: Some(20 * MS), ..task("first", MS, MS, MS, 1) };
    let then = TaskDraft { deadline_ns: Some(2 * MS), after: vec!["first".to_owned()], ..task("then", MS, MS, MS, 1) };
    let outcome = outcome(vec![then, first], SchedulerId::CpuConcurrent);
    let batches: Vec<_> = outcome.batches.iter().map(|b| b.tasks.clone()).collect();
    assert_eq!(batches, [[1], [0], [1], [0], [1], [0]]);
    assert_eq!(outcome.summary(0).late, 3, "each comes 6 ms after its input");
    assert_eq!(outcome.summary(0).worst_lateness, Span(4 * MS));
    assert_eq!(outcome.summary(1).late, 0);
}

#[test]
fn batch_equal_batches_are_simulated_once() {
    let outcome = outcome(vec![ok(), task("b", MS, MS, MS, 8)], SchedulerId::CpuOrder);
    assert_eq!((outcome.batches.len(), outcome.runs.len()), (3, 1));
}

#[test]
fn batch_performance_is_that_of_cpu_traditional_by_its_own() {
    let workload = Workload::new(draft(vec![ok(), task("b", MS, MS, MS, 8)])).unwrap();
    let ours = Comparison::new(&workload, &ArchId::Fermi.arch(), Methods::ALL);
    // 3 + 6 ms against 3 + 4 ms, three times.
    let ratio = ours.performance(SchedulerId::CpuInterleave).unwrap();
    assert_eq!((ratio.dividend, ratio.divisor), (27 * u128::from(MS), 21 * u128::from(MS)));
    assert_eq!(ratio.thousandths(), 1286);
    assert_eq!(ours.performance(SchedulerId::CpuTraditional).unwrap().thousandths(), 1000);
    assert_eq!(ours.performance(SchedulerId::GpuAtomics), None);
    assert_eq!(ours.ranking().len(), CPU.len());
}

#[test]
fn batch_schedulers_on_the_gpu_need_kernels_that_launch_kernels() {
    let workload = Workload::new(draft(vec![ok()])).unwrap();
    for (gpu, why) in [(ArchId::Fermi, "section 6"), (ArchId::Tx1, "section 7")] {
        let error = run(&workload, &gpu.arch(), Methods::ALL, SchedulerId::GpuAtomics).unwrap_err();
        assert!(matches!(error, RunError::Refused(text) if text.contains(why)), "{error}");
    }
}

/// [MT] section 3: the size of the input determines the time of its copy.
#[test]
fn batch_copies_take_as_long_as_their_bytes_or_as_stated() {
    let sized = TaskDraft { copy_in_ns: 0, copy_in_bytes: 6_000_001, ..ok() };
    let workload = Workload::new(draft(vec![sized])).unwrap();
    let task = &workload.tasks()[0];
    let times = ArchId::ALL.map(|gpu| (task.copy_in.on(&gpu.arch()), task.copy_out.on(&gpu.arch())));
    assert_eq!(times, [(Span(1_000_001), Span(MS)), (Span(1_000_001), Span(MS)), (Span(600_001), Span(MS))]);
    let outcome = run(&workload, &ArchId::Tx1.arch(), Methods::ALL, SchedulerId::CpuTraditional).unwrap();
    assert_eq!(outcome.jobs[0].output, Time(600_001 + 2 * MS));
    let spans: Vec<_> = outcome.operations().filter(|o| o.batch == 1).map(|o| (o.time.start.ns(), o.time.end.ns())).collect();
    let start = 10 * MS;
    assert_eq!(
        spans,
        [(start, start + 600_001), (start + 600_001, start + 600_001 + MS), (start + 600_001 + MS, start + 600_001 + 2 * MS)]
    );
}
