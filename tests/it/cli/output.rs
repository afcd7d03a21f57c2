//! What is written where: files whole or not at all, never over the input, logs never in silence over others.

use std::fs;
use std::path::PathBuf;

use super::{SMALL, run, run_reading};

/// A folder of its own for one test, gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("blockstep-test-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir(&path).unwrap();
        Self(path.canonicalize().unwrap())
    }

    /// A path in it.
    fn at(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    /// The same with a file there.
    fn with(&self, name: &str, text: &str) -> String {
        fs::write(self.0.join(name), text).unwrap();
        self.at(name)
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(&self.0).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn the_name_of_an_output_says_its_format() {
    let folder = Folder::new("named");
    let input = folder.with("in.json", SMALL);
    for (ending, format) in
        [("json", "trace"), ("txt", "steps"), ("csv", "csv"), ("svg", "svg"), ("SVG", "svg"), ("tex", "tikz"), ("cu", "cuda")]
    {
        let (named, asked) = (folder.at(&format!("named.{ending}")), folder.at("asked"));
        assert_eq!(run(&["simulate", &input, "-o", &named]), (0, String::new(), String::new()), "{ending}");
        assert_eq!(run(&["simulate", &input, "--format", format, "-o", &asked]).0, 0);
        assert_eq!(fs::read(&named).unwrap(), fs::read(&asked).unwrap(), "{ending}");
    }
    let dots = folder.at("dots.png");
    assert_eq!(run(&["simulate", &input, "--scale", "1", "-o", &dots]).0, 0);
    assert!(fs::read(dots).unwrap().starts_with(b"\x89PNG"));
    // A format that is named goes first, and a name without an ending says nothing.
    assert_eq!(run(&["simulate", &input, "--format", "steps", "-o", &folder.at("steps.svg")]).0, 0);
    assert!(fs::read_to_string(folder.at("steps.svg")).unwrap().starts_with("# small"));
    assert_eq!(run(&["simulate", &input, "-o", &folder.at("plain")]).0, 0);
    assert!(fs::read_to_string(folder.at("plain")).unwrap().starts_with('{'));
    let other = folder.at("a.pdf");
    let refused = format!("error: {other}: no format has names that end in .pdf; say with --format what to write\n");
    assert_eq!(run(&["simulate", &input, "-o", &other]), (2, String::new(), refused));
    assert!(!PathBuf::from(other).exists());
    for format in ["csv", "json", "text"] {
        let output = folder.at(&format!("batch.{format}"));
        assert_eq!(run(&["batch", "Case-1", "--until", "35ms", "-o", &output]).0, 0);
        assert_eq!(fs::read_to_string(output).unwrap(), run(&["batch", "Case-1", "--until", "35ms", "--format", format]).1);
    }
}

#[test]
fn the_input_is_no_output_by_any_name() {
    let folder = Folder::new("same");
    let input = folder.with("in.json", SMALL);
    fs::create_dir(folder.0.join("sub")).unwrap();
    fs::hard_link(&input, folder.at("hard.json")).unwrap();
    let mut others = vec![input.clone(), folder.at("sub/../in.json"), folder.at("./in.json"), folder.at("hard.json")];
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("in.json", folder.at("link.json")).unwrap();
        std::os::unix::fs::symlink(&folder.0, folder.at("around")).unwrap();
        others.extend([folder.at("link.json"), folder.at("around/in.json")]);
    }
    for output in others {
        let (status, out, err) = run(&["simulate", &input, "--format", "csv", "-o", &output]);
        assert_eq!((status, out.as_str()), (2, ""), "{output}");
        assert_eq!(err, format!("error: {output} is the input itself, which is not replaced; give -o another name\n"));
        assert_eq!(fs::read_to_string(&input).unwrap(), SMALL);
    }
    assert_eq!(run(&["simulate", &input, "--format", "csv", "-o", &folder.at("sub/in.json")]).0, 0);
}

#[cfg(unix)]
#[test]
fn the_input_is_no_output_if_it_is_standard_input_either() {
    let folder = Folder::new("stdin");
    let input = folder.with("in.json", SMALL);
    let output = super::process().args(["simulate", "-", "-o", &input]).stdin(fs::File::open(&input).unwrap()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().ends_with("is the input itself, which is not replaced; give -o another name\n"));
    assert_eq!(fs::read_to_string(&input).unwrap(), SMALL);
}

/// The system's limit on the size of a file is a disk that is full in the middle of writing.
#[cfg(unix)]
#[test]
fn a_disk_that_is_full_leaves_the_old_file() {
    let folder = Folder::new("full");
    let input = folder.with("in.json", &SMALL.replace("\"blocks\": 1", "\"blocks\": 20000"));
    let output = folder.with("out.csv", "old");
    let limited = |signal: &str, output: &str| {
        let script = "ulimit -f 8; exec env \"$3\" \"$0\" simulate \"$1\" --format csv -o \"$2\"";
        let program = env!("CARGO_BIN_EXE_blockstep");
        let done = std::process::Command::new("sh").args(["-c", script, program, &input, output, signal]).output().unwrap();
        (done.status.code(), String::from_utf8(done.stderr).unwrap())
    };
    // The system sends a signal with it, unless that is ignored.
    for signal in ["--ignore-signal=XFSZ", "--default-signal=XFSZ"] {
        let (status, err) = limited(signal, &output);
        assert_eq!(status, Some(2), "{err}");
        assert!(err.starts_with(&format!("error: {output}: cannot be written: ")), "{err}");
        assert!(err.ends_with("; the file that was there stays as it was\n"), "{err}");
        assert_eq!(fs::read_to_string(&output).unwrap(), "old");
        assert_eq!(limited(signal, &folder.at("new.csv")).0, Some(2));
    }
    // Nothing half written is left, of either name.
    assert_eq!(folder.names(), ["in.json", "out.csv"]);
}

/// Sends a signal at a moment of writing a file of 50 MB: what is left is the old file or the new one, whole, and nothing beside it.
/// Says whether the signal ended the program. One that is not fed waits for its input until then. `start` says what whoever starts it
/// lets it ignore.
#[cfg(unix)]
fn stop_writing(folder: &Folder, start: &str, signal: i32, is_fed: bool, is_moment: impl Fn(&[(String, u64)]) -> bool) -> bool {
    use std::os::unix::process::ExitStatusExt;
    let file = folder.with("in.json", &SMALL.replace("\"blocks\": 1", "\"blocks\": 800000"));
    let output = folder.with("out.csv", "old");
    let input = if is_fed { &*file } else { "-" };
    let mut process = std::process::Command::new("env");
    process.args([start, env!("CARGO_BIN_EXE_blockstep")]);
    process.args(["simulate", input, "--max-steps", "9000000", "--format", "csv", "-o", &output]);
    let mut child = process.stdin(std::process::Stdio::piped()).spawn().unwrap();
    // To wait for the program would close its input.
    let _held = child.stdin.take();
    let sizes = || {
        fs::read_dir(&folder.0).unwrap().filter_map(|entry| {
            let entry = entry.unwrap();
            Some((entry.file_name().into_string().unwrap(), entry.metadata().ok()?.len()))
        })
    };
    while child.try_wait().unwrap().is_none() && !is_moment(&sizes().collect::<Vec<_>>()) {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    // Again until it ends, as before the program begins the signal may still be ignored. One that has ended meanwhile is not there
    // any more, and waits to be asked for its status: its number is nobody else's.
    let status = loop {
        std::process::Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).output().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(1));
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
    };
    assert_eq!(folder.names(), ["in.json", "out.csv"], "{status}");
    let text = fs::read_to_string(&output).unwrap();
    let is_stopped = status.signal() == Some(signal);
    match is_stopped {
        true => assert!(text == "old" || text.lines().count() == 800_002, "{} bytes", text.len()),
        false => assert_eq!((status.code(), text.lines().count()), (Some(0), 800_002)),
    }
    is_stopped
}

#[cfg(unix)]
#[test]
fn a_signal_leaves_no_part_of_a_file() {
    let folder = Folder::new("signals");
    let part = |files: &[(String, u64)]| files.iter().find(|(name, _)| name.ends_with(".part")).map(|&(_, bytes)| bytes);
    // A shell that runs tests in the background lets them ignore Ctrl-C.
    let start = "--default-signal=INT,HUP,QUIT";
    for signal in [2, 15] {
        assert!(stop_writing(&folder, start, signal, false, |_| true), "before anything is written");
        for bytes in [0, 1, 1_000_000, 10_000_000] {
            stop_writing(&folder, start, signal, true, |files| part(files).is_some_and(|size| size >= bytes));
        }
        // As it gets its name, or just after.
        stop_writing(&folder, start, signal, true, |files| files.iter().any(|(name, size)| name == "out.csv" && *size > 3));
    }
    // A terminal that is closed, and Ctrl-\. How that is ignored, only Linux says.
    if cfg!(target_os = "linux") {
        for signal in [1, 3] {
            stop_writing(&folder, start, signal, true, |files| part(files).is_some_and(|size| size >= 1));
        }
    }
    let is_stopped = stop_writing(&folder, "--ignore-signal=HUP", 1, true, |files| part(files).is_some());
    assert!(!is_stopped, "nohup lets a program go on without its terminal");
}

#[cfg(unix)]
#[test]
fn what_is_replaced_keeps_its_rights_and_its_links() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("rights");
    let rights = |path: &str| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let old = folder.with("old.txt", "old");
    fs::set_permissions(&old, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("old.txt", folder.at("link.txt")).unwrap();
    let (status, _, err) = run_reading(SMALL.as_bytes(), &["simulate", "-", "--format", "steps", "-o", &folder.at("link.txt")]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(fs::read_to_string(&old).unwrap().starts_with("# small"));
    assert_eq!(rights(&old), 0o640);
    assert!(folder.0.join("link.txt").is_symlink());
    // A new file has the rights that any program's have.
    let any = folder.with("any.txt", "");
    assert_eq!(run_reading(SMALL.as_bytes(), &["simulate", "-", "-o", &folder.at("new.json")]).0, 0);
    assert_eq!(rights(&folder.at("new.json")), rights(&any));
    // Devices are written to.
    assert_eq!(run_reading(SMALL.as_bytes(), &["simulate", "-", "-o", "/dev/null"]).0, 0);
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
    if fs::metadata("/dev/full").is_ok() {
        let (status, _, err) = run_reading(SMALL.as_bytes(), &["simulate", "-", "-o", "/dev/full"]);
        assert!(status == 2 && err.starts_with("error: /dev/full: cannot be written: "), "{err}");
    }
}

#[test]
fn logs_replace_others_only_if_told_to() {
    let folder = Folder::new("logs");
    let input = folder.with("in.json", SMALL);
    let results = folder.at("results");
    let export = |more: &[&str]| run(&[&["simulate", &input, "--format", "examiner", "-o", &results], more].concat());
    assert_eq!(export(&[]).0, 0);
    let log = folder.at("results/small-log1.json");
    fs::write(&log, "measured").unwrap();
    let (status, out, err) = export(&[]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert_eq!(
        err,
        format!("error: {log} is there already; nothing was written\nhint: give -o another folder, or --overwrite to replace it\n")
    );
    assert_eq!(fs::read_to_string(&log).unwrap(), "measured");
    assert_eq!(export(&["--overwrite"]).0, 0);
    assert!(fs::read_to_string(&log).unwrap().contains("\"scenario_name\": \"small\""));
    let (status, _, err) = run(&["simulate", &input, "--overwrite"]);
    assert!(status == 2 && err.starts_with("error: --overwrite is about logs"), "{err}");
    // A scenario that has the name of one of its logs stays, whatever is asked for.
    let named = folder.with("results/small-log1.json", SMALL);
    let (status, _, err) = run(&["simulate", &named, "--format", "examiner", "-o", &results, "--overwrite"]);
    assert!(status == 2 && err.contains("is the input itself"), "{err}");
    assert_eq!(fs::read_to_string(&named).unwrap(), SMALL);
}

#[test]
fn a_time_past_the_end_is_refused_like_a_step_past_it() {
    let figure = |more: &[&str]| run_reading(SMALL.as_bytes(), &[&["simulate", "-"], more].concat());
    for format in ["svg", "tikz"] {
        for kind in ["timeline", "queues", "strip"] {
            let (status, out, err) = figure(&["--format", format, "--figure", kind, "--at", "9ns"]);
            assert_eq!((status, out.as_str(), err.as_str()), (2, "", "error: --at 9 ns: the run ends at 8 ns\n"), "{format} {kind}");
            assert_eq!(figure(&["--format", format, "--figure", kind, "--at", "8ns"]).0, 0, "{format} {kind}");
        }
    }
    let (status, _, err) = figure(&["--format", "svg", "--figure", "strip", "--at", "1ns", "--at", "1s"]);
    assert_eq!((status, err.as_str()), (2, "error: --at 1 s: the run ends at 8 ns\n"));
    let (status, _, err) = figure(&["--format", "beamer", "--at", "1s"]);
    assert_eq!((status, err.as_str()), (2, "error: --at 1 s: the run ends at 8 ns\n"));
}

#[cfg(unix)]
#[test]
fn logs_are_not_written_through_a_link_out_of_their_folder() {
    use std::os::unix::fs::symlink;
    let folder = Folder::new("links");
    let input = folder.with("in.json", &SMALL.replace("\"blocks\": 1", "\"blocks\": 1, \"stream\": \"S\""));
    let other = folder.with("other.txt", "mine");
    fs::create_dir(folder.0.join("logs")).unwrap();
    let log = folder.at("logs/small-log1.json");
    for target in ["../other.txt", "../new.txt"] {
        symlink(target, &log).unwrap();
        let (status, _, err) = run(&["simulate", &input, "--format", "examiner", "-o", &folder.at("logs"), "--overwrite"]);
        assert_eq!(status, 2);
        assert_eq!(err, format!("error: {log} is a link that leads out of the folder, which is not followed; nothing was written\n"));
        fs::remove_file(&log).unwrap();
    }
    assert_eq!(fs::read_to_string(&other).unwrap(), "mine");
    assert_eq!(folder.names(), ["in.json", "logs", "other.txt"]);
    // Within the folder it is followed, and the folder may be a link itself.
    symlink("kept.json", &log).unwrap();
    fs::write(folder.0.join("logs/kept.json"), "old").unwrap();
    symlink("logs", folder.at("around")).unwrap();
    assert_eq!(run(&["simulate", &input, "--format", "examiner", "-o", &folder.at("around"), "--overwrite"]).0, 0);
    assert!(fs::read_to_string(folder.0.join("logs/kept.json")).unwrap().contains("scenario_name"));
}
