//! Steps of programs, and two recordings beside each other: programs made at random, with one change or none, and times that are off by
//! up to five microseconds.

use blockstep_sim::dice::Dice;
use blockstep_sim::units::Span;
use blockstep_sim::units::written::format_time_short;
use blockstep_traces::Recording;
use blockstep_traces::answers::Tracer;
use blockstep_traces::causes::{Analysis, KnownSettings};
use blockstep_traces::files::read_profile;
use blockstep_traces::gain::promises::Advice;
use blockstep_traces::gain::{self, gains};
use blockstep_traces::path::compare::{Compared, Comparison, Times, compare};
use blockstep_traces::path::groups::PathShare;
use blockstep_traces::path::repeated;
use blockstep_traces::path::steps::steps;
use blockstep_traces::path::{paths, words};
use blockstep_traces_messages::{TraceAnswer, TraceAsk};
use serde_json::json;

use super::Made;

/// A kernel of a step: its name, how long it runs and how long the host takes before its call, us.
#[derive(Clone, Debug)]
struct Kernel {
    name: String,
    runs: u64,
    host: u64,
}

/// What is changed of a program.
#[derive(Clone, Copy, Debug)]
enum Planted {
    /// The kernel at this place runs for so much longer, us.
    Slower(usize, u64),
    /// The host takes so much longer before this place, us.
    Host(usize, u64),
    /// The kernel at this place has another name, and runs for so much longer, us.
    Renamed(usize, u64),
    /// A kernel more before this place, us.
    New(usize, u64),
}

/// A program of equal steps; at the end of each the host waits for the GPU.
fn program(dice: &mut Dice) -> (Vec<Kernel>, u64) {
    let count = 4 + dice.below(12);
    let is_ahead = dice.below(2) == 0;
    let kernel = |i: u64| Kernel {
        name: format!("kernel_{i}"),
        runs: 40 + dice.below(400),
        host: if is_ahead { 6 + dice.below(10) } else { 60 + dice.below(500) },
    };
    let kernels = (0..count).map(kernel).collect();
    (kernels, 6 + dice.below(10))
}

fn planted(kernels: &[Kernel], planted: Planted) -> Vec<Kernel> {
    let mut kernels = kernels.to_vec();
    match planted {
        Planted::Slower(place, by) => kernels[place].runs += by,
        Planted::Host(place, by) => kernels[place].host += by,
        Planted::Renamed(place, by) => {
            kernels[place].runs += by;
            kernels[place].name = "renamed".to_owned();
        }
        Planted::New(place, runs) => kernels.insert(place, Kernel { name: "added".to_owned(), runs, host: 6 }),
    }
    kernels
}

/// Runs a program: each operation begins after its call and after the one before, and everything is off by up to five microseconds.
fn run(kernels: &[Kernel], steps: u64, dice: &mut Dice) -> Recording {
    let mut made = Made::default();
    let (mut host, mut gpu) = (0_u64, 0_u64);
    for _ in 0..steps {
        for kernel in kernels {
            host += kernel.host + dice.below(6);
            let start = (host + 8).max(gpu + 1);
            let end = start + kernel.runs + dice.below(6);
            made.kernel(&kernel.name, 20, host, (start, end));
            (host, gpu) = (host + 5, end);
        }
        let from = host + 1;
        host = host.max(gpu) + 6 + dice.below(3);
        made.call("cudaDeviceSynchronize", (from, host - from), json!({}));
    }
    made.read().0
}

fn compared(before: &Recording, after: &Recording) -> Comparison {
    let of = |recording: &Recording| {
        let analysis = Analysis::new(recording, KnownSettings::default(), &mut |_| true).unwrap();
        Times::new(Compared { recording, path: &paths(recording, &analysis)[0] })
    };
    compare(&of(before), &of(after))
}

fn time(span: Span) -> String {
    format_time_short(span.ns())
}

#[test]
fn steps_are_found_by_what_repeats() {
    let mut found = 0;
    for number in 0..200 {
        let dice = &mut Dice::new(number, &[21]);
        let (kernels, count) = program(dice);
        let recording = run(&kernels, count, dice);
        let Some(steps) = steps(&recording, 0) else { continue };
        assert_eq!(steps.operations, kernels.len(), "program {number}");
        let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
        let path = &paths(&recording, &analysis)[0];
        let of_steps: u64 = steps.shares(&recording, path).iter().flatten().sum();
        assert_eq!(of_steps, steps.lengths().iter().sum::<u64>(), "the shares of a step add up to it");
        found += 1;
    }
    assert_eq!(found, 200);
    // Nothing repeats.
    let mut made = Made::default();
    for i in 0..40_u64 {
        made.kernel(&format!("kernel_{i}"), 20, 500 * i, (500 * i + 8, 500 * i + 300));
    }
    assert_eq!(steps(&made.read().0, 0), None);
}

#[test]
fn compared_equal_programs_have_no_difference() {
    for number in 0..200 {
        let dice = &mut Dice::new(number, &[22]);
        let (kernels, count) = program(dice);
        let (before, after) = (run(&kernels, count, dice), run(&kernels, count, dice));
        let comparison = compared(&before, &after);
        assert_eq!(comparison.slower_permille(), 0, "program {number}: {comparison:?}");
        assert!(comparison.changes.is_empty(), "program {number}: {comparison:?}");
        assert!(words::verdict(&comparison, &time).starts_with("No difference beyond noise"));
    }
}

#[test]
fn compared_one_planted_change_is_named_first() {
    let mut named = 0;
    for number in 0..200 {
        let dice = &mut Dice::new(number, &[23]);
        let (kernels, count) = program(dice);
        let (place, by) = (dice.below(kernels.len() as u64) as usize, 60 + dice.below(300));
        let plant = match number % 4 {
            0 => Planted::Slower(place, by),
            1 => Planted::Host(place, 500 + by),
            2 => Planted::Renamed(place, by),
            _ => Planted::New(place, by),
        };
        let (before, after) = (run(&kernels, count, dice), run(&planted(&kernels, plant), count, dice));
        let comparison = compared(&before, &after);
        let is_named = |is: &dyn Fn(&str, &str, PathShare) -> bool| {
            comparison
                .changes
                .iter()
                .take(2)
                .any(|change| is(&change.before, &change.after, change.share) && change.time.after_ns > change.time.before_ns)
        };
        named += u32::from(match plant {
            Planted::Slower(place, _) => is_named(&|before, after, _| before == kernels[place].name && after == before),
            Planted::Host(..) => is_named(&|_, _, share| share == PathShare::Host) || comparison.changes.is_empty(),
            Planted::Renamed(place, _) => is_named(&|before, after, _| before == kernels[place].name && after == "renamed"),
            Planted::New(..) => is_named(&|before, after, _| before.is_empty() && after == "added"),
        });
    }
    println!("{named} of 200 planted changes are named first or second");
    assert!(named >= 190, "{named} of 200");
}

/// Nothing repeats, so the whole runs are compared, and nothing is said of noise.
#[test]
fn compared_without_steps_are_the_whole_runs() {
    let run = |length: u64| {
        let mut made = Made::default();
        made.kernel("A", 20, 0, (8, 500)).kernel("B", 20, 10, (502, 502 + length));
        made.read().0
    };
    let same = compared(&run(400), &run(400));
    assert_eq!((same.is_of_runs, same.steps, same.changes.len()), (true, (1, 1), 0));
    assert_eq!(words::verdict(&same, &time), "No difference of 1 % or more: the run takes 902 µs before and 902 µs after.");
    let slower = compared(&run(400), &run(520));
    assert_eq!(words::verdict(&slower, &time), "The run is 120 µs slower (13.3 %): 902 µs before, 1.022 ms after.");
    let lines: Vec<String> = slower.changes.iter().map(|of| words::change(of, slower.is_of_runs, &time)).collect();
    assert_eq!(lines, ["B +120 µs: 400 µs to 520 µs"]);
    assert!(words::steps_compared(&slower).contains("we do not know the noise"));
}

/// A kernel that is launched fifty times, and waited for each time.
#[test]
fn compared_launches_of_one_kernel_are_steps() {
    let read = |name: &str| {
        let file = std::fs::File::open(format!("{}/tests/data/traces/48-one-kernel-a-step-{name}.json", blockstep_testing::ROOT)).unwrap();
        read_profile(file, &mut |_| true).unwrap()
    };
    let faster = compared(&read("before"), &read("after"));
    assert_eq!((faster.is_of_runs, faster.steps), (false, (50, 50)));
    let lines: Vec<String> = faster.changes.iter().map(|of| words::change(of, false, &time)).collect();
    assert_eq!(lines[0], "solve -16.8 ms a step: 21 ms to 4.2 ms");
}

/// The worker keeps of the first trace what the comparison needs, and compares again when the waits are explained again.
#[test]
fn profile_the_worker_compares_two_traces() {
    let text = |length: u64| {
        let mut made = Made::default();
        for at in (0..6).map(|step| step * (400 + length)) {
            made.kernel("A", 20, at, (at + 8, at + 208)).kernel("B", 20, at + 10, (at + 210, at + 210 + length));
        }
        made.text()
    };
    let mut tracer = Tracer::default();
    let mut open = |keeps: bool, text: &str| {
        tracer.begin(keeps);
        let TraceAnswer::Opened(overview) = tracer.open(text.as_bytes(), &mut |_| ()) else { panic!("it can be read") };
        let TraceAnswer::Opened(again) = tracer.answer(&TraceAsk::Explain(KnownSettings { connections: Some(4) })) else { panic!() };
        assert_eq!(again.compared, overview.compared);
        overview.compared
    };
    assert_eq!(open(false, &text(300)), None);
    let compared = open(true, &text(330)).unwrap();
    assert_eq!(compared.verdict, "A step is 30 µs slower (4.2 %): 700 µs before, 730 µs after.");
    assert_eq!(compared.about, "Steps compared: 6 before, 6 after. Times are medians.");
    let rows: Vec<_> = compared.rows.iter().map(|row| (row.what.as_str(), row.times.each_ref().map(String::as_str))).collect();
    assert_eq!(rows, [("B", ["300 µs", "330 µs", "+30 µs"])]);
    let compared = open(true, &Made::default().kernel("A", 20, 0, (8, 500)).text()).unwrap();
    assert!(compared.is_of_runs && compared.verdict.starts_with("The run is "), "{}", compared.verdict);
    assert!(open(true, &text(300)).unwrap().is_of_runs);
    assert_eq!(open(false, &text(300)), None);
}

/// What becomes of what a trace promised, as it is said.
fn promised(before: &Made, after: &Made) -> Vec<String> {
    let of = |made: &Made| {
        let (recording, analysis) = made.read();
        let paths = paths(&recording, &analysis);
        let advice = Advice::new(&recording, &gains(&recording, &analysis, &paths).unwrap());
        (Times::new(Compared { recording: &recording, path: &paths[0] }), advice)
    };
    let (before, after) = (of(before), of(after));
    gain::words::promised(&before.1.promises(&after.1), &compare(&before.0, &after.0))
}

/// Kernels of 4 us, called so many microseconds apart, after one of 500 us.
fn called_apart(us: u64) -> Made {
    let mut made = Made::default();
    made.kernel("long", 20, 0, (8, 508));
    for place in 0..40 {
        let called = 500 + us * place;
        made.kernel(&format!("k{place}"), 20, called, (called + 8, called + 12));
    }
    made
}

#[test]
fn a_promise_that_was_kept_stands_beside_what_the_change_shows() {
    let said = promised(&called_apart(50), &called_apart(6));
    let host = "Spend no host time between calls: promised 72.8 % of the run; the second trace gives no reason for it.";
    assert_eq!(said, [host, "The proposal that is gone had promised 72.8 % of the run; the run is 69.6 % faster."]);
}

/// All is called by a function at a line of a file.
fn called_at(line: u64, apart: u64) -> Made {
    let mut made = called_apart(apart);
    let name = format!("train.py({line}): step");
    let ran = json!({ "ph": "X", "cat": "python_function", "name": name, "pid": 9, "tid": 9, "ts": 1_000, "dur": 2_600, "args": { "Python id": 1 } });
    made.events.push(ran);
    made
}

#[test]
fn a_function_whose_line_moved_is_the_same() {
    let of = |made: &Made| {
        let (recording, analysis) = made.read();
        Times::new(Compared { recording: &recording, path: &paths(&recording, &analysis)[0] })
    };
    assert_eq!(compare(&of(&called_at(12, 50)), &of(&called_at(140, 50))).changes, []);
    let changes = compare(&of(&called_at(12, 50)), &of(&called_at(140, 30))).changes;
    assert_eq!(words::changed(&changes[0]), "Host in Python's train.py(140): step, between calls");
}

#[test]
fn a_promise_of_a_function_holds_though_its_line_moved() {
    let said = promised(&called_at(12, 50), &called_at(14, 50));
    let line = said.iter().find(|line| line.contains("train.py(12): step")).unwrap();
    assert!(line.contains("; it would still save ") && !said.iter().any(|line| line.contains("gone")), "{said:?}");
}

#[test]
fn a_promise_of_the_same_program_is_still_there() {
    // A kernel saves most once the host is no longer in its way: that is what it had promised, and what is left.
    let behind_the_host = || {
        let mut made = Made::default();
        for at in (0..6).map(|step| 700 * step) {
            made.kernel("gemm", 20, at, (at + 8, at + 208)).kernel("softmax", 20, at + 10, (at + 210, at + 510));
        }
        made
    };
    let said = promised(&behind_the_host(), &behind_the_host());
    assert!(said.len() > 1, "{said:?}");
    for line in said {
        let (promise, left) = line.split_once(": promised ").unwrap().1.split_once(" of the run; it would still save ").unwrap();
        assert_eq!(format!("{promise}."), left, "{line}");
    }
    let said = promised(&called_apart(50), &called_apart(50));
    assert_eq!(said, ["Spend no host time between calls: promised 72.8 % of the run; it would still save 72.8 %."]);
}

/// Steps in which a kernel of stream 24 waits for an event after `A` of stream 20, which runs for so long, us; in a step of zero it does not.
pub(super) fn waiting(lengths: &[u64]) -> (Recording, Analysis) {
    let mut made = Made::default();
    for (step, &length) in (0..).zip(lengths) {
        let (at, id) = (3_000 * step, 9_000 + 2 * step);
        let ends = at + 8 + length.max(4);
        made.kernel("A", 20, at, (at + 8, ends));
        if length > 0 {
            made.call("cudaEventRecord", (at + 10, 1), json!({ "correlation": id }));
            made.call("cudaStreamWaitEvent", (at + 12, 1), json!({ "correlation": id + 1 }));
            let args = json!({ "device": 0, "context": 1, "stream": 24, "correlation": id + 1, "wait_on_stream": 20,
                "wait_on_cuda_event_record_corr_id": id });
            made.events.push(json!({ "ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": 0, "tid": 24, "ts": 1_013 + at,
                "dur": 0, "args": args }));
        }
        let start = ends.max(at + 28) + 2;
        made.kernel("sum", 24, at + 20, (start, start + 100));
        // Behind it in its stream: a queue that is full is no wait to tell of.
        made.kernel("B", 20, at + 900, (at + 908, at + 1_300)).kernel("C", 20, at + 910, (at + 1_302, at + 1_500));
    }
    made.read()
}

#[test]
fn repeated_waits_are_said_once() {
    let said = |lengths: &[u64]| {
        let (recording, analysis) = waiting(lengths);
        let path = &paths(&recording, &analysis)[0];
        assert_eq!(steps(&recording, 0).map(|steps| steps.count()), Some(lengths.len()));
        let mut said = repeated::of_steps(&recording, &analysis, path, &time).into_iter();
        assert!(said.next().unwrap().contains("operations repeat"));
        said.next()
    };
    assert_eq!(
        said(&[500; 5]).unwrap(),
        "In each of 5 steps, sum (stream 24) waits 488 µs for an event after A (stream 20): certain. The GPU works meanwhile."
    );
    assert_eq!(
        said(&[500, 0, 700, 600, 500]).unwrap(),
        "In 4 of 5 steps, sum (stream 24) waits 588 µs for an event after A (stream 20): certain. That is the median; it is 488 µs to \
         688 µs. The GPU works meanwhile."
    );
    // In half of them, or for too short a time, it is nothing that repeats.
    assert_eq!(said(&[500, 0, 500, 0, 500, 0]), None);
    assert_eq!(said(&[30; 5]), None);
    assert_eq!(said(&[0; 5]), None);
}
