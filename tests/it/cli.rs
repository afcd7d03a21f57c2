//! The command line: what it prints where, and with which status it ends.

mod batch;
mod bench_traces;
#[cfg(unix)]
mod clusters;
mod examiner;
mod exports;
mod figures;
mod help;
mod input;
mod latex;
#[cfg(all(feature = "measure", unix))]
mod measure;
mod output;
mod policies;
mod resident;
mod stop;
mod sweeps;
#[cfg(unix)]
mod terminal;
mod time;
mod trace;
mod workloads;

use std::io::{self, Read, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use blockstep_cli::run_with;
use blockstep_format::read_scenario;
use blockstep_sim::scenario::{Choice, PolicyKind};
use blockstep_sim::{examples, policy};

/// Status, standard output, standard error.
pub(crate) type Outcome = (u8, String, String);

fn run_reading(stdin: &[u8], args: &[&str]) -> Outcome {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = std::iter::once("blockstep").chain(args.iter().copied());
    let status = run_with(args, &mut &stdin[..], &mut out, &mut err);
    (status, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

pub(crate) fn run(args: &[&str]) -> Outcome {
    run_reading(b"", args)
}

/// A file of its own for one test, gone afterwards.
struct TempFile(PathBuf);

impl TempFile {
    fn new(name: &str, content: impl AsRef<[u8]>) -> Self {
        let path = std::env::temp_dir().join(format!("blockstep-test-{}-{name}", std::process::id()));
        std::fs::write(&path, content).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for TempFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

const SMALL: &str = r#"{ "version": 1, "name": "small", "kernels": [
  { "name": "K1", "blocks": 1, "threads_per_block": 64, "block_time_ns": 5, "copy_out_bytes": 4 }
] }"#;

const CONFIG: &str = r#"{ "name": "n", "max_iterations": 1, "max_time": 0, "benchmarks": [
  { "filename": "./bin/mandelbrot.so", "thread_count": 64, "block_count": 2 }
] }"#;

#[test]
fn a_trace_is_printed_by_default() {
    let (status, out, err) = run_reading(SMALL.as_bytes(), &["simulate", "-"]);
    assert_eq!((status, err.as_str()), (0, ""));
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["scenario"], "small");
    assert_eq!(value["policy"], "priority");
    assert_eq!(value["blocks"][0]["end_ns"], 5);
    assert_eq!(run_reading(SMALL.as_bytes(), &["simulate", "-", "--format", "trace"]).1, out);
}

#[test]
fn the_other_formats_are_printed() {
    let (status, steps, err) = run_reading(SMALL.as_bytes(), &["simulate", "-", "--format", "steps"]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(steps.starts_with("# small | priority | end 8\n0 J1 released T0#0\n0 G1 K1 -> stream S1\n"), "{steps}");
    assert!(steps.contains("\n0 R1 K1:0 -> SM0\n"), "{steps}");
    let (status, csv, _) = run_reading(SMALL.as_bytes(), &["simulate", "-", "--format", "csv"]);
    assert_eq!((status, csv.lines().count()), (0, 3));
    assert_eq!(csv.lines().nth(1).unwrap(), "block,K1,K1,0,0,0,0,0,0,5,64,0,");
    let (status, results, _) = run_reading(SMALL.as_bytes(), &["simulate", "-", "--format", "results"]);
    assert_eq!(status, 0);
    assert!(results.starts_with("section,task,") && results.contains("\ntask,T0,P0,,,,1,1,0,0,"), "{results}");
    let (status, svg, _) = run_reading(SMALL.as_bytes(), &["simulate", "-", "--format", "svg"]);
    assert_eq!(status, 0);
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>") && svg.contains("C1o"), "{svg}");
}

#[test]
fn a_log_is_said_to_be_one() {
    let (status, _, err) = run_reading(br#"{"label": "A", "times": [{}]}"#, &["simulate", "-"]);
    assert_eq!(status, 2);
    assert!(err.contains("this is a log of cuda_scheduling_examiner") && err.contains("blockstep validate"), "{err}");
}

#[test]
fn names_do_nothing_to_a_terminal() {
    let named = |name: &str| {
        format!(
            r#"{{"version": 1, "tasks": [{{"name": "A{name}B", "release": "periodic", "period_ns": 10}}], "kernels": [{{"name": "K", "blocks": 1, "threads_per_block": 64, "block_time_ns": 5}}]}}"#
        )
    };
    let (status, out, err) = run_reading(named("\\u202e\\u001b[31m").as_bytes(), &["analyse", "-"]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.contains("A\u{fffd}\u{fffd}[31mB"), "{out}");
    let wrong = named("\\u2067").replace(", \"period_ns\": 10", "");
    let (status, _, err) = run_reading(wrong.as_bytes(), &["simulate", "-"]);
    assert_eq!(status, 2);
    assert!(err.contains("task \"A\u{fffd}B\" is periodic"), "{err}");
}

#[test]
fn a_policy_replaces_the_files() {
    let (status, out, _) = run_reading(SMALL.as_bytes(), &["simulate", "-", "--policy", "fifo", "--format", "steps"]);
    assert_eq!(status, 0);
    assert!(out.starts_with("# small | fifo |"), "{out}");
    let (status, out, err) = run_reading(SMALL.as_bytes(), &["simulate", "-", "--policy", "lottery"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("'lottery'") && err.contains("fifo, priority, runlist, edf"), "{err}");
}

#[test]
fn the_result_goes_to_the_file_named() {
    let input = TempFile::new("in.json", SMALL);
    let output = TempFile::new("out.json", "old");
    let (status, out, err) = run(&["simulate", input.path(), "-o", output.path()]);
    assert_eq!((status, out.as_str(), err.as_str()), (0, "", ""));
    assert_eq!(std::fs::read_to_string(&output.0).unwrap(), run(&["simulate", input.path()]).1);
    // A failed run leaves the file alone.
    let before = std::fs::read_to_string(&output.0).unwrap();
    assert_eq!(run(&["simulate", input.path(), "--max-steps", "3", "-o", output.path()]).0, 2);
    assert_eq!(std::fs::read_to_string(&output.0).unwrap(), before);
    let (status, _, err) = run(&["simulate", input.path(), "--output", "/nowhere/at/all"]);
    assert!(status == 2 && err.starts_with("error: /nowhere/at/all: cannot be written: "), "{err}");
}

#[test]
fn a_run_over_the_step_limit_is_an_error_and_exports_nothing() {
    for format in ["trace", "steps", "csv", "svg"] {
        let (status, out, err) = run_reading(SMALL.as_bytes(), &["simulate", "-", "--max-steps", "3", "--format", format]);
        assert_eq!((status, out.as_str()), (2, ""));
        assert_eq!(
            err,
            "error: standard input: the run has more than 3 steps, the limit; use a shorter horizon, or fewer jobs or blocks\n\
             hint: --max-steps N allows more, up to 100,000,000\n"
        );
    }
    let allowed = run_reading(SMALL.as_bytes(), &["simulate", "-", "--max-steps", "30"]);
    assert_eq!((allowed.0, allowed.2.as_str()), (0, ""));
}

#[test]
fn a_step_limit_is_one_that_memory_has_room_for() {
    for wrong in ["0", "100000001", "4294967296", "-1", "many"] {
        let (status, out, err) = run_reading(SMALL.as_bytes(), &["simulate", "-", &format!("--max-steps={wrong}")]);
        assert_eq!((status, out.as_str()), (2, ""));
        assert!(err.contains("--max-steps") && err.contains(wrong), "{err}");
    }
    assert_eq!(run_reading(SMALL.as_bytes(), &["simulate", "-", "--max-steps", "100000000"]).0, 0);
}

#[test]
fn check_only_validates() {
    let input = TempFile::new("check.json", SMALL);
    let (status, out, err) = run(&["check", input.path()]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert_eq!(out, format!("{}: a scenario without mistakes, 1 kernel row, 1 task\n", input.path()));
    // What would not be simulated, or not to its end, is still valid.
    let endless =
        SMALL.replace("\"blocks\": 1", "\"blocks\": 99999999999").replace("\"name\": \"small\"", "\"policy\": { \"kind\": \"edf\" }");
    assert_eq!(run_reading(endless.as_bytes(), &["check", "-"]).0, 0);
}

#[test]
fn mistakes_are_named_with_file_line_and_field() {
    let cases = [
        (SMALL.replace("\"blocks\": 1", "\"blocks\": 0"), "line 2: kernels[0].blocks is 0; at least 1 is needed"),
        (SMALL.replace("\"blocks\"", "\"block\""), "line 2: kernels[0].block: unknown field, did you mean blocks?"),
        ("{ \"version\": 1,\n oops".to_owned(), "line 2: not JSON (column 2): a field name in double quotes is expected, not o"),
    ];
    for (text, expected) in cases {
        let input = TempFile::new("mistake.json", &text);
        for command in ["check", "simulate"] {
            let (status, out, err) = run(&[command, input.path()]);
            assert_eq!((status, out.as_str()), (2, ""));
            assert_eq!(err.lines().next().unwrap(), format!("error: {}: {expected}", input.path()));
        }
    }
}

#[test]
fn programs_without_a_duration_can_be_given_one() {
    let (status, out, err) = run_reading(CONFIG.as_bytes(), &["simulate", "-"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert_eq!(
        err,
        "note: standard input: The config names no GPU model; the device is the TX2.\n\
         error: standard input: line 2: benchmarks[0]: the config of mandelbrot.so has no duration; give the time of its blocks\n\
         hint: give a duration, for example --duration 10ms\n"
    );
    let (status, out, err) = run_reading(CONFIG.as_bytes(), &["simulate", "-", "--duration", "10ms", "--format", "csv"]);
    assert_eq!(status, 0);
    assert!(out.contains(",10000000,64,0,\n"), "{out}");
    assert!(err.lines().all(|l| l.starts_with("note: standard input: ")) && err.contains("every block runs 10 ms"), "{err}");
    for wrong in ["soon", "0ms", "-1ms", "1kg"] {
        let (status, _, err) = run_reading(CONFIG.as_bytes(), &["check", "-", &format!("--duration={wrong}")]);
        assert!(status == 2 && err.contains("--duration"), "{err}");
    }
}

#[test]
fn warnings_go_to_standard_error() {
    let text = SMALL.replace(
        "\"name\": \"small\",",
        r#""tasks": [ { "name": "A" }, { "name": "B", "release": "periodic", "period_ns": 9, "jobs": 2, "consumes": ["A"] } ],"#,
    );
    let (status, out, err) = run_reading(text.as_bytes(), &["check", "-"]);
    assert_eq!((status, out.is_empty()), (0, false));
    assert_eq!(
        err,
        "warning: standard input: line 1: tasks[1].consumes: task \"B\" has 2 jobs, its producer \"A\" only 1; the remaining jobs never start\n"
    );
}

#[test]
fn examples_are_listed_and_printed() {
    let (status, list, _) = run(&["examples"]);
    assert_eq!(status, 0);
    assert_eq!(list.lines().count(), examples::all().count());
    for (example, line) in examples::all().zip(list.lines()) {
        assert!(line.starts_with(example.id) && line.contains(example.title), "{line}");
        let (status, text, err) = run(&["examples", example.id]);
        assert_eq!((status, err.as_str()), (0, ""));
        assert_eq!(read_scenario(&text).unwrap(), read_scenario(example.json).unwrap());
        assert_eq!(run_reading(text.as_bytes(), &["simulate", "-"]).0, 0);
    }
    let (status, out, err) = run(&["examples", "no-such"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("\"no-such\"") && err.contains("tx2-table-1"), "{err}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let (status, _, err) = run(&["check", "/no/such/file.json"]);
    assert!(status == 2 && err.starts_with("error: /no/such/file.json: cannot be read: "), "{err}");
    let directory = std::env::temp_dir();
    let (status, _, err) = run(&["check", directory.to_str().unwrap()]);
    assert!(status == 2 && err.contains(": cannot be read: "), "{err}");
    let latin = TempFile::new("latin.json", b"{\n\"name\": \"caf\xe9\" }");
    let (status, _, err) = run(&["check", latin.path()]);
    assert_eq!((status, err.as_str()), (2, format!("error: {}: line 2: not UTF-8 text (byte 14)\n", latin.path()).as_str()));
}

/// How messages of files that are too large end.
const WAY_OUT: &str = "the maximum is 33554432 (32 MiB). For rows that repeat, use one task with period_ns and jobs; to remove blanks \
                       from JSON, use jq -c";

/// Counts what is taken from it; has no end.
struct Endless(usize);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        buffer.fill(b' ');
        self.0 += buffer.len();
        Ok(buffer.len())
    }
}

#[test]
fn input_beyond_the_limit_is_not_read_whole() {
    let mut endless = Endless(0);
    let mut err = Vec::new();
    let status = run_with(["blockstep", "check", "-"], &mut endless, &mut io::sink(), &mut err);
    assert_eq!(status, 2);
    assert_eq!(String::from_utf8(err).unwrap(), format!("error: standard input: too large: 33554433 bytes or more; {WAY_OUT}\n"));
    assert!(endless.0 < 70_000_000, "{} bytes were read", endless.0);
    // A file is not even begun: this one has 50 MB and takes no room on the disk.
    let file = TempFile::new("large.json", "");
    std::fs::OpenOptions::new().write(true).open(&file.0).unwrap().set_len(50_000_000).unwrap();
    let (status, _, err) = run(&["simulate", file.path()]);
    assert_eq!((status, err), (2, format!("error: {}: too large: 50000000 bytes or more; {WAY_OUT}\n", file.path())));
}

/// A reader that has gone, or a full disk.
struct Broken(io::ErrorKind);

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(self.0.into())
    }
}

#[test]
fn a_reader_that_stops_is_no_success_and_no_words_are_lost_on_it() {
    let mut err = Vec::new();
    for args in [&["examples"][..], &["--help"], &["--version"], &["sweep"], &["batch", "cases"]] {
        let args = std::iter::once(&"blockstep").chain(args);
        let status = run_with(args, &mut io::empty(), &mut Broken(io::ErrorKind::BrokenPipe), &mut err);
        assert_eq!((status, err.len()), (141, 0));
    }
    let status = run_with(["blockstep", "examples"], &mut io::empty(), &mut Broken(io::ErrorKind::StorageFull), &mut err);
    assert_eq!(status, 2);
    assert!(String::from_utf8(err).unwrap().starts_with("error: standard output: "));
    // Nowhere to complain: the status still tells.
    let mut gone = Broken(io::ErrorKind::BrokenPipe);
    assert_eq!(run_with(["blockstep", "check", "/no/such"], &mut io::empty(), &mut io::sink(), &mut gone), 2);
    assert_eq!(run_with(["blockstep", "bogus"], &mut io::empty(), &mut io::sink(), &mut Broken(io::ErrorKind::BrokenPipe)), 2);
}

#[test]
fn a_command_that_a_build_lacks_is_named_as_such() {
    for name in ["measure", "serve"] {
        let has_it = blockstep_cli::command().find_subcommand(name).is_some();
        for args in [&[name, "a.json", "--port", "1"][..], &[name, "--help"], &["help", name], &["man", name]] {
            let (_, _, err) = run(args);
            let is_said = err.starts_with(&format!("error: {name} is not in this program, which was built without it: "))
                && err.contains(&format!("cargo build --release --features {name}"));
            assert_eq!(is_said, !has_it, "{args:?}: {err}");
        }
    }
    assert!(run(&["policy", "serve"]).2.contains("unrecognized subcommand 'serve'"));
}

#[test]
fn a_time_has_a_unit() {
    for args in [
        &["simulate", "-", "--duration", "10"][..],
        &["simulate", "-", "--at", "10"],
        &["simulate", "-", "--from", "10"],
        &["simulate", "-", "--to", "10 "],
        &["validate", "-", "--tolerance", "10"],
        &["validate", "-", "--order-tolerance", "10"],
        &["batch", "Case-1", "--until", "10"],
    ] {
        let (status, _, err) = run_reading(CONFIG.as_bytes(), args);
        let said = err.contains(args[2]) && err.contains("has no unit; give one: 10ms, 10s, 10us or 10ns");
        assert!(status == 2 && said, "{args:?}: {err}");
    }
    // No unit makes 0 another time.
    let (status, _, err) = run_reading(SMALL.as_bytes(), &["simulate", "-", "--format", "svg", "--from", "0", "--to", "4 ns"]);
    assert_eq!((status, err.as_str()), (0, ""));
}

#[test]
fn a_duration_of_no_use_is_refused() {
    let timed =
        CONFIG.replace("\"block_count\": 2", "\"block_count\": 2, \"additional_info\": 100000000").replace("mandelbrot", "timer_spin");
    for text in [SMALL, &timed] {
        assert_eq!(run_reading(text.as_bytes(), &["check", "-"]).0, 0);
        for command in ["check", "simulate", "analyse"] {
            let refused = "error: standard input: every block has a duration already, so --duration has no use: leave it out\n";
            assert_eq!(run_reading(text.as_bytes(), &[command, "-", "--duration", "10ms"]), (2, String::new(), refused.to_owned()));
        }
    }
    // It may be for the other one.
    let (config, scenario) = (TempFile::new("config.json", CONFIG), TempFile::new("beside.json", SMALL));
    let args = ["simulate", config.path(), "--duration", "10ms", "--format", "results", "--beside", scenario.path()];
    assert_eq!(run(&args).0, 0);
    let batch = run(&["batch", "Case-1", "--print"]).1;
    for option in [["--duration", "10ms"], ["--device", "tx1"]] {
        let (status, _, err) = run_reading(batch.as_bytes(), &[&["check", "-"], &option[..]].concat());
        assert!(status == 2 && err.contains(&format!("for which {} has no use", option[0])), "{err}");
    }
}

#[test]
fn help_is_complete() {
    let (status, help, err) = run(&["--help"]);
    assert_eq!((status, err.as_str()), (0, ""));
    for word in ["simulate", "check", "examples", "Exit status:", "-o t1.svg", "Examples:"] {
        assert!(help.contains(word), "{word} is not in\n{help}");
    }
    let (status, help, _) = run(&["simulate", "--help"]);
    assert_eq!(status, 0);
    for word in ["<FILE>", "standard input", "--policy", "trace", "steps", "csv", "svg", "--output", "--max-steps", "5000000", "--duration"]
    {
        assert!(help.contains(word), "{word} is not in\n{help}");
    }
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for about in PolicyKind::ALL.iter().map(|&kind| policy::about(kind)) {
        let listed = format!("- {}: {}", about.kind.word(), about.help);
        assert!(flat(&help).contains(&flat(&listed)), "{listed} is not in\n{help}");
    }
    // The commit and its day stand behind the version where the sources have their history.
    let (status, version, _) = run(&["--version"]);
    let rest = version.trim_end().strip_prefix(concat!("blockstep ", env!("CARGO_PKG_VERSION"))).unwrap_or_else(|| panic!("{version}"));
    let commit: Vec<&str> = rest.trim_start().trim_start_matches('(').trim_end_matches(')').split_whitespace().collect();
    assert!(status == 0 && (commit.is_empty() || commit[0].len() >= 12 && commit[1].len() == 10), "{version}");
    for args in [&[][..], &["simulate"], &["simulate", "-", "--format", "pdf"], &["bogus"]] {
        let (status, out, err) = run(args);
        assert_eq!((status, out.as_str()), (2, ""));
        assert!(err.contains("--help"), "{err}");
    }
}

#[test]
fn short_names_are_the_long_ones() {
    let same = |short: &[&str], long: &[&str]| {
        let (short, long) = (run_reading(SMALL.as_bytes(), short), run_reading(SMALL.as_bytes(), long));
        assert_eq!((short.0, &long), (0, &short));
    };
    same(&["analyze", "-"], &["analyse", "-"]);
    same(&["simulate", "-", "-f", "steps"], &["simulate", "-", "--format", "steps"]);
    same(&["devices", "-f", "csv"], &["devices", "--format", "csv"]);
    same(&["batch", "Case-1", "-f", "csv"], &["batch", "Case-1", "--format", "csv"]);
    same(&["policy", "check", "hpf", "--tasks", "1", "-f", "json"], &["policy", "check", "hpf", "--tasks", "1", "--format", "json"]);
}

#[test]
fn a_sweep_and_a_study_are_the_same_on_one_core() {
    let sweep = ["sweep", "-", "--vary", "kernels[0].blocks=1..9"];
    let study = ["sweep", "lp-3", "--sets", "3"];
    for args in [&sweep[..], &study[..]] {
        let all = run_reading(SMALL.as_bytes(), args);
        assert_eq!(all.0, 0);
        for cores in ["1", "3"] {
            assert_eq!(run_reading(SMALL.as_bytes(), &[args, &["-j", cores]].concat()), all);
        }
    }
    assert_eq!(run(&["sweep", "lp-3", "--cores", "0"]).0, 2);
}

/// The table fits a narrow terminal.
#[test]
fn devices_are_a_table_with_a_row_for_each() {
    let (status, out, err) = run(&["devices"]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    let tx2 = out.lines().find(|line| line.starts_with("tx2 ")).unwrap().split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(tx2, "tx2 6.2 2 2048 32 64 KiB found Jetson TX2");
}

#[test]
fn shells_and_the_manual_know_every_command() {
    let (_, help, _) = run(&["--help"]);
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names: Vec<&str> = commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).filter(|name| !name.is_empty()).collect();
    assert!(names.contains(&"simulate") && names.contains(&"man"), "{names:?}");
    let page = |args: &[&str]| {
        let (status, page, err) = run(args);
        assert_eq!((status, err.as_str()), (0, ""), "{args:?}");
        page.replace('\\', "")
    };
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = page(&["completions", shell]);
        assert!(names.iter().all(|name| script.contains(name)) && script.contains("max-steps"), "{shell}");
    }
    let whole = page(&["man"]);
    for name in names.into_iter().filter(|name| *name != "help") {
        assert!(whole.contains(&format!("blockstep-{name}(1)")), "{name}");
        assert!(page(&["man", name]).contains(&format!(".TH blockstep-{name} 1")), "{name}");
    }
    assert!(page(&["man", "simulate"]).contains("--max-steps"));
    let (status, _, err) = run(&["man", "nope"]);
    assert_eq!((status, err.as_str()), (2, "error: there is no command \"nope\"; blockstep --help lists them\n"));
}

fn process() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_blockstep"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[test]
fn the_program_itself_runs() {
    let mut child = process().args(["simulate", "-", "--format", "steps"]).spawn().unwrap();
    child.stdin.take().unwrap().write_all(SMALL.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), run_reading(SMALL.as_bytes(), &["simulate", "-", "--format", "steps"]).1);
    let output = process().args(["check", "/no/such"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let many = SMALL.replace("\"blocks\": 1", "\"blocks\": 20000");
    let mut child = process().args(["simulate", "-", "--format", "csv"]).spawn().unwrap();
    drop(child.stdout.take());
    child.stdin.take().unwrap().write_all(many.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap()), (Some(141), String::new()));
}

#[test]
fn studies_are_listed_run_divided_and_joined() {
    let (status, list, _) = run(&["sweep"]);
    assert_eq!((status, list.lines().count()), (0, 10));
    assert!(list.starts_with("lp-3         [LP] Fig. 3"), "{list}");
    let (status, figure, err) = run(&["sweep", "lp-3", "--sets", "40"]);
    assert_eq!((status, err.as_str(), figure.lines().count()), (0, "", 1 + 9 + 2 + 81));
    assert!(figure.contains("\n       0.2  100.000"), "{figure}");
    let (status, csv, _) = run(&["sweep", "lp-3", "--sets", "40", "--csv"]);
    assert_eq!((status, csv.lines().count()), (0, 3 + 81));
    let parts: Vec<_> = (1..=3)
        .map(|i| TempFile::new(&format!("part{i}.csv"), run(&["sweep", "lp-3", "--sets", "40", "--shard", &format!("{i}/3")]).1))
        .collect();
    let merge = |which: &[usize]| run(&[vec!["sweep-merge"], which.iter().map(|i| parts[*i].path()).collect()].concat());
    assert_eq!(merge(&[2, 0, 1]), (0, csv.clone(), String::new()));
    let (status, out, err) = merge(&[2, 0]);
    assert_eq!((status, out.as_str()), (1, ""));
    assert_eq!(
        err,
        "error: of 40 sets, counted from 0, these are missing: sets 13 to 25 (part 2/3)\n\
         hint: give what is missing as well, or --partial to join what is there\n"
    );
    let (status, part, err) = run(&["sweep-merge", "--partial", parts[2].path(), parts[0].path()]);
    assert_eq!((status, err.as_str()), (0, "note: of 40 sets, counted from 0, these are missing: sets 13 to 25 (part 2/3)\n"));
    assert!(part.contains("\n# sets 0..13 26..40\n"), "{part}");
    let (status, out, err) = merge(&[0, 0]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.ends_with("has sets that were counted already, from number 0 on\n"), "{err}");
}

#[test]
fn studies_come_from_files_too() {
    let (status, file, _) = run(&["sweep", "edf-3d", "--sets", "7", "--seed", "5", "--print"]);
    assert_eq!(status, 0);
    let (status, csv, err) = run_reading(file.as_bytes(), &["sweep", "-", "--csv"]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert_eq!(run(&["sweep", "edf-3d", "--sets", "7", "--seed", "5", "--csv"]).1, csv);
    assert_ne!(run(&["sweep", "edf-3d", "--sets", "7", "--seed", "6", "--csv"]).1, csv);
    for (args, message) in [
        (["sweep", "lp-9", "--csv"], "error: there is no file and no built-in study \"lp-9\"; built in are lp-3, "),
        (["sweep", "lp-3", "--sets=0"], "error: lp-3: sets is 0; 1 to 1000000000 are possible\n"),
        (["sweep", "lp-3", "--shard=3/2"], "error: invalid value '3/2' for '--shard <I/N>': is not one of the parts 1/N to N/N"),
        (["sweep", "lp-3", "--shard=0/2"], "error: invalid value '0/2'"),
    ] {
        let (status, out, err) = run(&args);
        assert_eq!((status, out.as_str()), (2, ""));
        assert!(err.starts_with(message), "{err}");
    }
    let (status, _, err) = run_reading(b"{}", &["sweep", "-"]);
    assert!(status == 2 && err.starts_with("error: standard input: line 1: version is missing"), "{err}");
    let (status, _, err) = run_reading(SMALL.as_bytes(), &["sweep-merge", "-"]);
    assert!(status == 2 && err.contains("is not a result of blockstep sweep --csv"), "{err}");
}

#[test]
fn analyse_prints_every_verdict_and_what_it_does_not_cover() {
    let scenario = r#"{ "version": 1, "policy": { "kind": "edf", "preemption": "none", "switch_cost_ns": 1000000, "cbs": false },
      "processes": [ { "name": "A", "interleave": "high" }, { "name": "B", "interleave": "high" } ],
      "tasks": [ { "name": "a", "process": "A", "release": "periodic", "period_ns": 10000000 },
                 { "name": "b", "process": "B", "release": "periodic", "period_ns": 40000000 } ],
      "kernels": [ { "name": "K1", "task": "a", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 4000000 },
                   { "name": "K2", "task": "b", "blocks": 2, "threads_per_block": 1024, "block_time_ns": 8000000 } ] }"#;
    let (status, out, err) = run_reading(scenario.as_bytes(), &["analyse", "-"]);
    assert_eq!((status, err.as_str()), (0, ""));
    for line in [
        "  a: 4 ms every 10 ms, due after 10 ms, steps of up to 4 ms\n",
        "Utilization 0.6\n",
        "Under EDF with preemption mode none: not guaranteed, because the demand test for non-preemptive EDF fails. A run may still meet \
         every deadline.\n",
        "Its run of 40 ms: 0 of 5 judged real-time jobs miss their deadline.\n",
        "preemptive, switch 1 ms (this scenario)              yes\n",
        "non-preemptive, switch 0 s (without cost)            not guaranteed: 4 ms may be due by 10 ms after waiting for just under 8 ms\n",
        "non-preemptive, switch 1 ms (this scenario)          not guaranteed: 5 ms may be due by 10 ms after waiting for just under 9 ms\n",
        "  a: 12 ms (without switches 8 ms, by eq. 3 10 ms); not within the deadline of 10 ms\n",
        "\nUnder the policy priority, in one address space (docs/bounds.md), response times are at most\n  a: 4 ms; within the deadline of 10 \
         ms\n  b: 8 ms; within the deadline of 40 ms\n",
    ] {
        assert!(out.contains(line), "{line}\n{out}");
    }
    assert!(!out.contains("Not covered"), "{out}");
    // Best effort is no real time.
    let best_effort = scenario.replace(r#""period_ns": 40000000"#, r#""period_ns": 40000000, "deadline_ns": 1, "class": "best_effort""#);
    let (_, out, _) = run_reading(best_effort.as_bytes(), &["analyse", "-"]);
    assert!(
        out.contains(" judged real-time jobs miss their deadline.\nBest effort: ") && out.contains(" judged jobs are late.\n\n"),
        "{out}"
    );
    let (_, out, _) = run_reading(scenario.replace("edf", "fifo").as_bytes(), &["analyse", "-"]);
    assert!(out.starts_with("Under FIFO: schedulable, by the bound in one address space.\n"), "{out}");
    let waiting = scenario.replace("\"name\": \"K2\"", "\"name\": \"K2\", \"waits_for\": [\"E\"]").replace("version\": 1", "version\": 2");
    let (_, out, _) = run_reading(waiting.as_bytes(), &["analyse", "-"]);
    assert!(out.contains("  b: no bound. Row K2 waits for events.\n"), "{out}");
    let later = scenario.replace("\"blocks\": 2", "\"blocks\": 2, \"start_ns\": 5");
    let (_, out, _) = run_reading(later.as_bytes(), &["analyse", "-"]);
    assert!(out.contains("Not covered by any test: task \"a\" launches K1 with a delay after its release or another kernel"), "{out}");
    let (status, out, _) = run_reading(SMALL.as_bytes(), &["analyse", "-"]);
    assert_eq!(status, 0);
    assert!(out.contains("There are no real-time tasks with a deadline"), "{out}");
}

#[test]
fn a_rule_can_be_changed_and_every_result_says_so() {
    let simulate = |more: &[&str]| {
        let args = [&["simulate", "-", "--variant", "last-fit", "--variant", "no-null-barrier"], more].concat();
        run_reading(SMALL.as_bytes(), &args)
    };
    let (status, out, err) = simulate(&[]);
    assert_eq!(status, 0);
    assert_eq!(err, "note: standard input: this is not what a GPU does; rules changed: no-null-barrier, last-fit\n");
    let value: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(value["variants"], serde_json::json!(["no-null-barrier", "last-fit"]));
    assert_eq!(value["blocks"][0]["sm"], 1);
    for (format, mark) in
        [("steps", "rules changed: "), ("csv", "rules_changed,"), ("results", "rules_changed,"), ("svg", "(rules changed: ")]
    {
        let (status, out, _) = simulate(&["--format", format]);
        assert_eq!(status, 0);
        assert!(out.contains(mark), "{out}");
    }
}

#[test]
fn a_device_on_which_the_rules_are_not_known_is_called_that() {
    let on = |device: &str, args: &[&str]| {
        let (status, out, err) = run_reading(SMALL.as_bytes(), &[args, &["-", "--device", device]].concat());
        assert_eq!(status, 0, "{err}");
        (out, err)
    };
    let sentence = "Limits from the data sheet; rules as found on the TX2, not measured on this GPU.\n";
    assert_eq!(on("b200", &["simulate"]).1, format!("note: standard input: {sentence}"));
    assert!(on("b200", &["analyse"]).0.ends_with(&format!("\n\n{sentence}")));
    assert!(on("b200", &["simulate", "--format", "steps"]).0.starts_with(&format!("# {sentence}# small | ")));
    for device in ["tx2", "h200"] {
        let (out, err) = on(device, &["simulate"]);
        assert!(err.is_empty() && !out.contains("evidence"), "{err}{out}");
        assert!(!on(device, &["analyse"]).0.contains("rules as found"));
    }
}

#[test]
fn an_unknown_variant_is_answered_with_the_list() {
    let (status, out, err) = run_reading(SMALL.as_bytes(), &["simulate", "-", "--variant", "first-come"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("first-come"));
    for variant in blockstep_sim::trace::Variant::ALL {
        assert!(err.contains(variant.id()) && err.contains(variant.sentence()), "{err}");
    }
}

#[test]
#[cfg(feature = "serve")]
fn what_cannot_be_served_is_named() {
    let file = TempFile::new("same.json", "{}");
    let (status, out, err) = run(&["serve", file.path(), file.path()]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.ends_with("have the same name; copy one under another name\n"), "{err}");
    let folder = std::env::temp_dir();
    let (status, _, err) = run(&["serve", folder.to_str().unwrap()]);
    assert_eq!((status, err), (2, format!("error: {} is a folder; name the files in it\n", folder.display())));
    let (status, _, err) = run(&["serve", "/no/such.json"]);
    assert_eq!((status, err.as_str()), (2, "error: /no/such.json: cannot be read: No such file or directory (os error 2)\n"));
}
