//! Measured runs against the rules: the real logs conform, damaged ones fail with the right rule, and
//! so do runs of the engine and of the engine with a rule changed.

mod simulated;
mod synthetic;
mod untrusted;

use std::collections::BTreeSet;

use blockstep_format::read_logs;
use blockstep_sim::check::measured::{Check, CheckSettings, Conformance, check};
use blockstep_sim::measured::{Known, Measured, infer_device, known};

use blockstep_testing::logs::borrowed;
use blockstep_testing::shared;

/// The real run; `None`, saying so, where it is not at hand.
pub(super) fn real_run() -> Option<Measured> {
    shared::logs().map(|files| read_logs(&borrowed(&files)).unwrap())
}

/// Judged on the device that the logs look like.
pub(super) fn judge(run: &Measured) -> Conformance {
    let (streams, doubts) = known(run, None, false, &[]);
    assert_eq!(doubts, [""; 0]);
    check(run, &CheckSettings::inferred(&infer_device(run), streams))
}

/// The checks that failed, as their ids in the order of a report, and what was said.
pub(super) fn broken(result: &Conformance) -> (String, Vec<&str>) {
    let ids: BTreeSet<Check> = result.violations.iter().map(|v| v.check).collect();
    let ids: Vec<_> = ids.into_iter().map(Check::id).collect();
    (ids.join(" "), result.violations.iter().map(|v| v.sentence.as_str()).collect())
}

/// How often a check was made.
pub(super) fn count(result: &Conformance, check: Check) -> u64 {
    result.judged.iter().find(|j| j.check == check).map_or(0, |j| j.count)
}

#[test]
fn the_real_logs_conform() {
    let Some(run) = real_run() else { return };
    let found = infer_device(&run);
    assert_eq!((found.built_in, found.device.sms), (Some("k5000"), 8), "{:?}", found.notes);
    let result = judge(&run);
    assert!(result.conforms(), "{:?}", broken(&result));
    assert_eq!((count(&result, Check::Threads), count(&result, Check::SharedMemory), count(&result, Check::SmId)), (32, 32, 32));
    assert_eq!((count(&result, Check::Device), count(&result, Check::Launch), count(&result, Check::Waited)), (4, 32, 4));
    // Kernels 3 and 4 came after 1 and 2; who was first of 1 and 2, and of 3 and 4, is in doubt.
    assert_eq!(count(&result, Check::EeOrder), 2);
    let unjudged = |rules: &str| result.unjudged.iter().find(|u| u.rules == rules).map(|u| u.why.as_str());
    assert!(unjudged("X1").unwrap().starts_with("The logs of 2 kernels"), "{:?}", result.unjudged);
    assert!(unjudged("C1 to C4").is_some() && unjudged("N1, N2").is_some() && unjudged("R1 for registers").is_some());
    assert_eq!(result.assumptions.len(), 1);
    // Not a matter of the tolerance: the real run conforms without any.
    let mut settings = CheckSettings::inferred(&found, run.logs.iter().map(Known::from_log).collect());
    settings.tolerance_ns = 0;
    let strict = check(&run, &settings);
    assert!(strict.conforms(), "{:?}", broken(&strict));
}

/// The real run with kernel 3 behind kernel 1 in its stream, as it could have been; kernels 2 and 4 are left out.
fn one_stream() -> Option<Measured> {
    let mut run = real_run()?;
    let kernel = run.logs[2].kernels[0].clone();
    run.logs[0].kernels.push(kernel);
    run.logs.truncate(1);
    Some(run)
}

type Damage = (&'static str, &'static str, fn(&mut Measured));

#[test]
fn damaged_real_logs_fail_with_the_right_rule() {
    let Some(run) = real_run() else { return };
    let damages: [Damage; 14] = [
        ("sm-id", "a block moved to SM 99", |run| run.logs[1].kernels[0].blocks[3].sm = Some(99)),
        ("sm-id", "a block moved to the SM after the last", |run| run.logs[1].kernels[0].blocks[3].sm = Some(8)),
        ("R2", "a third block of 1024 threads on SM 6", |run| run.logs[0].kernels[0].blocks[0].sm = Some(6)),
        ("block-times", "an end before its start", |run| {
            let block = &mut run.logs[2].kernels[0].blocks[5];
            std::mem::swap(&mut block.start_ns, &mut block.end_ns);
        }),
        ("X1", "kernel 4 launched well after kernel 3, and begun before it", |run| {
            let [.., third, fourth] = &mut run.logs[..] else { unreachable!() };
            fourth.kernels[0].launch_ns[..2].copy_from_slice(&[400_000_000, 400_100_000]);
            std::mem::swap(&mut third.kernels[0].blocks, &mut fourth.kernels[0].blocks);
            let (a, b) = (third.kernels[0].launch_ns[2], fourth.kernels[0].launch_ns[2]);
            (third.kernels[0].launch_ns[2], fourth.kernels[0].launch_ns[2]) = (b, a);
        }),
        ("G1", "a launch after its blocks began", |run| run.logs[2].kernels[0].launch_ns[..2].copy_from_slice(&[700_000_000, 700_100_000])),
        ("G4", "a block that ends after the CPU has waited", |run| run.logs[1].kernels[0].launch_ns[2] = 600_000_000),
        ("block-count", "a block too few", |run| run.logs[3].kernels[0].block_count = 9),
        ("device", "another number of resident threads", |run| run.logs[3].max_resident_threads = Some(8192)),
        ("host-times", "an iteration that ends before it begins", |run| run.logs[0].host[0].cpu = Some((600_000_000, 500_000_000))),
        ("host-times", "an execution that begins before its input is copied", |run| run.logs[0].host[0].copy_in = Some((0, 118_400_000))),
        ("launch-order", "a call that returns before it begins", |run| run.logs[0].kernels[0].launch_ns[1] = 1),
        ("block-size", "blocks of too many threads", |run| {
            run.logs.truncate(1);
            run.logs[0].kernels[0].thread_count = 2048;
        }),
        ("N1", "a kernel of the NULL stream that does not wait", |run| {
            run.logs[2].benchmark = "Timer Spin (default stream)".to_owned();
        }),
    ];
    for (id, what, damage) in damages {
        let mut damaged = run.clone();
        damage(&mut damaged);
        let result = judge(&damaged);
        assert_eq!(broken(&result).0, id, "{what}: {:?}", broken(&result).1);
    }
    let run = one_stream().unwrap();
    assert_eq!(broken(&judge(&run)), (String::new(), Vec::new()));
    let in_stream: [Damage; 3] = [
        ("G2", "a kernel before its predecessor in the stream", |run| {
            run.logs[0].kernels[1].blocks.iter_mut().for_each(|b| b.start_ns -= 100_000_000);
        }),
        ("launch-order", "a launch before the one ahead in its thread has returned", |run| {
            run.logs[0].kernels[1].launch_ns[..2].copy_from_slice(&[118_400_000, 118_450_000]);
        }),
        ("launch-order", "two launches that overlap", |run| run.logs[0].kernels[0].launch_ns[1] = 368_500_000),
    ];
    for (id, what, damage) in in_stream {
        let mut damaged = run.clone();
        damage(&mut damaged);
        let result = judge(&damaged);
        assert_eq!(broken(&result).0, id, "{what}: {:?}", broken(&result).1);
    }
}

#[test]
fn violations_name_blocks_times_and_the_instant_to_visit() {
    let Some(mut run) = one_stream() else { return };
    run.logs[0].kernels[1].blocks[2].start_ns = 500_000_000;
    let result = judge(&run);
    let [violation] = &result.violations[..] else { panic!("{:?}", result.violations) };
    assert_eq!((violation.check.id(), violation.at_ns, violation.waits_for), ("G2", 500_000_000, Some((0, 0))));
    assert_eq!((violation.blocks.len(), violation.blocks[0].launch, violation.blocks[0].block), (1, 1, 2));
    assert_eq!(
        violation.sentence,
        "Block 2 of Kernel 1 (2) began at 0.500000000 s, before Kernel 1, ahead in the stream, had ended, 0.618546418 s."
    );
}

/// One log of four that tells of another GPU is the one that is named.
#[test]
fn a_log_of_another_size_is_named_itself() {
    let Some(mut run) = real_run() else { return };
    run.logs[0].max_resident_threads = Some(2048);
    let found = infer_device(&run);
    assert_eq!(found.built_in, Some("k5000"), "{:?}", found.notes);
    let name = run.log_name(0);
    assert!(found.notes.contains(&format!("{name} tells of 2048 resident threads instead, which is not used.")), "{:?}", found.notes);
    let result = judge(&run);
    let (ids, said) = broken(&result);
    assert_eq!((ids.as_str(), said.len()), ("device", 1), "{said:?}");
    assert!(said[0].starts_with(&format!("{name} tells of 2048")), "{said:?}");
    // Of two numbers as frequent, the larger has room for all blocks.
    run.logs[1].max_resident_threads = Some(2048);
    assert_eq!(infer_device(&run).built_in, Some("k5000"));
}
