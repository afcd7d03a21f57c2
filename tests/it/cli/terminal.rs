//! What a terminal would take for a command never reaches it, wherever it comes from.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

use super::{TempFile, run, run_reading};

/// A command of each kind: C0, DEL, C1, and what would forge a line.
const NASTY: &str = "a\u{1b}]0;owned\u{7}\r\u{8}\u{7f}\u{9b}31m\u{85}b\nFORGED";
/// The same in JSON.
const IN_JSON: &str = "a\\u001b]0;owned\\u0007\\r\\u0008\u{7f}\u{9b}31m\u{85}b\\nFORGED";

/// Neither a command nor a line that a name made.
fn assert_harmless(what: &str, text: &str) {
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{what}: {text:?}");
    assert!(!text.lines().any(|line| line.starts_with("FORGED")), "{what}: {text:?}");
}

fn scenario() -> String {
    r#"{ "version": 1, "name": "N", "device": "tx2", "policy": { "kind": "edf" },
      "processes": [ { "name": "P" } ],
      "tasks": [ { "name": "T1N", "process": "P", "release": "periodic", "period_ns": 9, "deadline_ns": 3, "jobs": 2, "budget_ns": 10 },
        { "name": "T2N", "process": "P", "release": "periodic", "period_ns": 90, "jobs": 3, "consumes": ["T1N"] } ],
      "kernels": [ { "name": "K1N", "task": "T1N", "stream": "SN", "blocks": 1, "threads_per_block": 64, "block_time_ns": 5, "copy_out_bytes": 4 },
        { "name": "K2N", "task": "T2N", "stream": "SN", "start_ns": 3, "blocks": 2, "threads_per_block": 64, "block_time_ns": [5, 6] } ] }"#
        .replace('N', IN_JSON)
}

/// What a command prints on a terminal, and its status; without `script`, which has one, nothing.
#[cfg(target_os = "linux")]
fn on_terminal(args: &str) -> Option<(i32, String)> {
    on_terminal_with("TERM=xterm NO_COLOR=1", args)
}

/// The same with these variables, and none of those that choose colors where the tests run (`CI` does).
#[cfg(target_os = "linux")]
fn on_terminal_with(variables: &str, args: &str) -> Option<(i32, String)> {
    use std::process::{Command, Stdio};
    let command = format!(
        "stty rows 24 cols 80; env -u NO_COLOR -u CLICOLOR -u CLICOLOR_FORCE -u CI {variables} '{}' {args}",
        env!("CARGO_BIN_EXE_blockstep")
    );
    let output = Command::new("script").args(["-qec", &command, "/dev/null"]).stdin(Stdio::null()).output().ok()?;
    Some((output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap()))
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_no_dots() {
    let (scenario, dots) = (TempFile::new("dots.json", super::SMALL), TempFile::new("dots.png", ""));
    let Some((status, out)) = on_terminal(&format!("simulate {} --format png", scenario.path())) else {
        println!("skipped: there is no `script`, which has a terminal");
        return;
    };
    let refused = "error: a terminal cannot show a picture of dots: name a file with -o FILE, or pipe it\r\n";
    assert_eq!((status, out.as_str()), (2, refused));
    let written = on_terminal(&format!("simulate {} -o {}", scenario.path(), dots.path()));
    assert_eq!(written, Some((0, String::new())));
    let piped = on_terminal(&format!("simulate {} --format png | wc -c", scenario.path()));
    assert_eq!(piped, Some((0, format!("{}\r\n", std::fs::metadata(dots.path()).unwrap().len()))));
    // A text is as wide as the terminal.
    let (_, help) = on_terminal("--help").unwrap();
    assert!(help.contains("Examples:\r\n") && help.lines().all(|line| line.trim_end().chars().count() <= 80), "{help}");
}

/// Colors change nothing but colors, and no name chooses them.
#[cfg(target_os = "linux")]
#[test]
fn help_is_in_color_on_a_terminal_that_wants_it() {
    let stripped = |text: &str| {
        let (first, rest) = text.split_once("\u{1b}[").map_or((text, None), |(first, rest)| (first, Some(rest)));
        let codes = rest.into_iter().flat_map(|rest| rest.split("\u{1b}["));
        codes.fold(first.to_owned(), |out, part| out + part.split_once('m').unwrap().1)
    };
    const COLORS: &str = "TERM=xterm";
    for (args, status) in [("--help", 0), ("simulate --help", 0), ("policy check -h", 0), ("", 2)] {
        let Some(plain) = on_terminal(args) else {
            println!("skipped: there is no `script`, which has a terminal");
            return;
        };
        let colored = on_terminal_with(COLORS, args).unwrap();
        assert!(plain.0 == status && !plain.1.contains('\u{1b}'), "{plain:?}");
        assert!(colored.0 == status && colored.1.contains("\u{1b}["), "{colored:?}");
        assert_eq!(stripped(&colored.1), plain.1, "{args}");
        assert_eq!(on_terminal_with("TERM=dumb", args).unwrap(), plain, "{args}");
    }
    // An error has words of whoever typed.
    let (_, error) = on_terminal_with(COLORS, "simulate - --format $(printf '\\033[31mred')").unwrap();
    assert!(!error.contains('\u{1b}'), "{error:?}");
}

#[test]
fn a_terminal_gets_no_commands_from_names() {
    let scenario = scenario();
    let mut all: Vec<Vec<&str>> =
        vec![vec!["check", "-"], vec!["analyse", "-"], vec!["simulate", "-", "--policy", "runlist", "--format", "simso"]];
    for format in ["trace", "steps", "csv", "kernels", "jobs", "waits", "results", "svg", "tikz", "beamer", "chrome", "simso", "scenario"] {
        all.push(vec!["simulate", "-", "--format", format]);
    }
    for args in all {
        let (status, out, err) = run_reading(scenario.as_bytes(), &args);
        assert!(status == 0, "{args:?}: {err}");
        assert_harmless(&args.join(" "), &out);
        assert_harmless(&args.join(" "), &err);
    }
    // Problems name what is wrong.
    let twice = scenario.replace("K2", "K1").replacen("\"S", "\"", 1).replace("\"task\": \"T2", "\"task\": \"T3");
    let (status, _, err) = run_reading(twice.as_bytes(), &["check", "-"]);
    assert!(status == 2 && err.contains("owned"), "{err}");
    assert_harmless("problems", &err);
}

#[test]
fn a_terminal_gets_no_commands_from_files_of_other_kinds() {
    let (_, study, _) = run(&["sweep", "lp-3", "--sets", "1", "--print"]);
    let at = study.find("\"name\": \"").unwrap() + 9;
    let end = at + study[at..].find('"').unwrap();
    let study = format!("{}{IN_JSON},=cmd()|;{}", &study[..at], &study[end..]);
    for args in [&["sweep", "-", "--sets", "2"][..], &["sweep", "-", "--csv"], &["sweep", "-", "--print"]] {
        let (status, out, err) = run_reading(study.as_bytes(), args);
        assert_eq!((status, err.as_str()), (0, ""), "{args:?}");
        assert_harmless(&args.join(" "), &out);
        if args.contains(&"--csv") {
            assert!(!out.contains(",=") && out.contains(",\\u003dcmd()"), "{out}");
            assert_eq!(run_reading(out.as_bytes(), &["sweep-merge", "-"]).1, out);
        }
    }
    let scenario = blockstep_sim::examples::find("tx2-table-1").unwrap().json;
    let scenario = scenario.replacen("\"name\": \"", &format!("\"name\": \"{IN_JSON},=cmd()|;"), 1);
    let (status, out, err) = run_reading(scenario.as_bytes(), &["sweep", "-", "--vary", "seed=0..2", "--vary", "device==cmd(),tx2"]);
    assert_eq!(status, 0, "{err}");
    assert_harmless("sweep", &out);
    assert_harmless("sweep", &err);
    assert!(!out.contains(",="), "{out}");
    assert_eq!(run_reading(out.as_bytes(), &["sweep-merge", "-"]).1, out);
    let (_, batch, _) = run(&["batch", "Case-1", "--print"]);
    let batch = batch.replace("\"name\": \"", &format!("\"name\": \"{IN_JSON}"));
    for args in [
        &["batch", "-"][..],
        &["batch", "-", "--format", "csv"],
        &["batch", "-", "--format", "json"],
        &["batch", "-", "--print"],
        &["check", "-"],
    ] {
        let (status, out, err) = run_reading(batch.as_bytes(), args);
        assert_eq!((status, err.as_str()), (0, ""), "{args:?}");
        assert_harmless(&args.join(" "), &out);
    }
}

#[test]
fn a_terminal_gets_no_commands_from_the_names_of_files() {
    let scenario = TempFile::new(NASTY, super::SMALL);
    let broken = TempFile::new(&format!("broken{NASTY}"), "{ \"name\": 1, \"\u{1b}[31m\": 2 }");
    let missing = format!("missing{NASTY}");
    let out_of = format!("/dev/null/{NASTY}");
    for args in [
        &["check", scenario.path()][..],
        &["check", broken.path()],
        &["check", &missing],
        &["simulate", scenario.path(), "-o", scenario.path()],
        &["simulate", scenario.path(), "-o", &out_of],
        &["simulate", scenario.path(), "--format", "examiner", "-o", &out_of],
        &["simulate", scenario.path(), "--policy", NASTY],
        &["simulate", scenario.path(), NASTY],
        &["sweep", &missing],
        &["sweep", broken.path()],
        &["batch", &missing],
        &["batch", scenario.path()],
        &["examples", NASTY],
        &["validate", scenario.path()],
        &["validate", broken.path()],
        &["sweep-merge", broken.path()],
    ] {
        let (_, out, err) = run(args);
        assert!(!out.is_empty() || !err.is_empty(), "{args:?}");
        assert!(!format!("{out}{err}").contains(|c: char| c.is_control() && c != '\n'), "{args:?}: {out:?} {err:?}");
        // What clap says of words that it does not know is several lines anyway.
        if !args.contains(&NASTY) || args[0] == "examples" {
            assert_harmless(&args.join(" "), &err);
            assert_harmless(&args.join(" "), &out);
        }
    }
    // A name that is no text at all.
    let bytes = OsStr::from_bytes(b"missing\xff\x1b[31m\n");
    let mut err = Vec::new();
    let status = blockstep_cli::run_with([OsStr::new("blockstep"), OsStr::new("check"), bytes], &mut &b""[..], &mut Vec::new(), &mut err);
    assert_eq!(status, 2);
    assert_harmless("bytes", &String::from_utf8(err).unwrap());
}
