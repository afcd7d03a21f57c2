//! Configs on the command line: another GPU, and the scenario that a config is.

use blockstep_cli::run_with;
use blockstep_format::read_scenario;
use blockstep_sim::scenario::{DeviceDraft, PolicyKind};

const ONCE: &str = r#""max_iterations": 1, "max_time": 0,"#;
const SPIN: &str = r#""thread_count": 2, "block_count": 3, "additional_info": 4"#;

/// One benchmark inside the usual settings.
fn one(settings: &str, benchmark: &str) -> String {
    format!(r#"{{ "name": "n", {settings} "benchmarks": [ {{ "filename": "./bin/timer_spin.so", {benchmark} }} ] }}"#)
}

fn blockstep(stdin: &str, args: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let status = run_with(["blockstep"].iter().chain(args), &mut stdin.as_bytes(), &mut out, &mut err);
    (status, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

#[test]
fn a_config_becomes_a_scenario_of_another_gpu() {
    let config = one(ONCE, SPIN);
    let (status, out, err) = blockstep(&config, &["simulate", "-", "--device", "titanv", "--policy", "fifo", "--format", "scenario"]);
    assert_eq!(status, 0, "{err}");
    let draft = read_scenario(&out).unwrap();
    assert_eq!((draft.device, draft.policy.kind), (DeviceDraft::BuiltIn("titanv".to_owned()), PolicyKind::Fifo));
    assert_eq!(draft.kernels[0].name, "timer_spin");
    assert!(err.contains("the device is the Titan V (Volta gv100), as asked for"), "{err}");
    // What comes out goes in again.
    let (status, again, err) = blockstep(&out, &["simulate", "-", "--format", "scenario"]);
    assert_eq!((status, again, err.as_str()), (0, out, ""));
    let (status, _, err) = blockstep(&config, &["simulate", "-", "--format", "scenario", "--variant", "last-fit"]);
    assert!(status == 2 && err.contains("--variant changes a run"), "{err}");
}

#[test]
fn what_was_assumed_is_said_although_the_import_fails() {
    // The examiner ends the second one with the first; nothing here does.
    let other =
        r#" }, { "filename": "./bin/timer_spin.so", "max_iterations": 0, "thread_count": 2, "block_count": 3, "additional_info": 4"#;
    let (status, _, err) = blockstep(&one(ONCE, &format!("{SPIN}, \"terminator\": true{other}")), &["check", "-"]);
    assert_eq!(status, 2);
    let lines: Vec<_> = err.lines().collect();
    assert!(lines[1].starts_with("note: standard input: benchmarks[0].terminator is true"), "{err}");
    assert!(lines[2].starts_with("error: standard input: line 1: benchmarks[1]: max_iterations and max_time are both 0"), "{err}");
    // One that is read and cannot run, too.
    let (status, _, err) = blockstep(&one(ONCE, &SPIN.replace('2', "4000")), &["check", "-"]);
    assert!(status == 2 && err.starts_with("note: standard input: The config names no GPU model"), "{err}");
}

#[test]
fn a_device_is_chosen_for_every_command() {
    // Ten blocks of 1024 threads: two rounds and more on the TX2, one on the GTX 1070.
    let config = one(ONCE, r#""thread_count": 1024, "block_count": 10, "additional_info": 1000"#);
    let end = |device: &str| {
        let (status, out, err) = blockstep(&config, &["simulate", "-", "--format", "kernels", "--device", device]);
        assert_eq!(status, 0, "{err}");
        out.lines().nth(1).unwrap().to_owned()
    };
    assert!(end("tx2").contains("3000") && !end("gtx1070").contains("3000"), "{} {}", end("tx2"), end("gtx1070"));
    let (status, out, _) = blockstep(&config, &["check", "-", "--device", "k5000"]);
    assert!(status == 0 && out.contains("an examiner config without mistakes"), "{out}");
    let (status, _, err) = blockstep(&config, &["simulate", "-", "--device", "rtx"]);
    assert!(status == 2 && err.contains("tx2, tx1, drivepx, k5000, gtx1070, titanv, tk1, k40, k80, gtx750ti, gtx980, p100, xavier, t4, a100, rtx3090, orin, rtx4090, h100, h200, b200"), "{err}");
}
