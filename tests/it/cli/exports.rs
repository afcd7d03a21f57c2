//! The command line's forms of output.

use std::io::{self, Write};
use std::path::PathBuf;

use blockstep_cli::run_with;
use blockstep_format::write_scenario;
use blockstep_sim::scenario::{Draft, KernelDraft};

use blockstep_testing::long_name;

fn run_reading(stdin: &str, args: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = std::iter::once("blockstep").chain(args.iter().copied());
    let status = run_with(args, &mut stdin.as_bytes(), &mut out, &mut err);
    (status, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

fn simulate(example: &str, args: &[&str]) -> (u8, String, String) {
    let json = blockstep_sim::examples::find(example).unwrap().json;
    run_reading(json, &[&["simulate", "-"], args].concat())
}

/// A folder of its own for one test, gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("blockstep-test-{}-{name}", std::process::id())))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn exports_cli_prints_every_form() {
    for (form, begin) in
        [("kernels", "kernel,task,"), ("jobs", "task,process,class,"), ("waits", "op,kernel,"), ("chrome", "{ \"displayTimeUnit\"")]
    {
        let (status, out, err) = simulate("tx2-table-1", &["--format", form]);
        assert_eq!((status, err.as_str()), (0, ""), "{form}");
        assert!(out.starts_with(begin), "{out}");
    }
}

#[test]
fn exports_cli_writes_logs_into_a_folder() {
    let folder = Folder::new("logs");
    let path = folder.0.to_str().unwrap();
    let (status, out, err) = simulate("tx2-table-1", &["--format", "examiner", "-o", path]);
    assert_eq!((status, out.as_str()), (0, ""), "{err}");
    assert!(err.contains("note: not in the logs: "), "{err}");
    let mut names: Vec<String> =
        std::fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert!(names.len() > 1 && names.iter().enumerate().all(|(i, name)| name.ends_with(&format!("-log{}.json", i + 1))), "{names:?}");
    let (status, out, err) = simulate("tx2-table-1", &["--format", "examiner"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(err.contains("-o FOLDER"), "{err}");
}

#[test]
fn exports_cli_reads_its_own_task_sets() {
    let (status, xml, err) = simulate("edf-inheritance", &["--format", "simso"]);
    assert_eq!(status, 0, "{err}");
    assert!(err.contains("note: not in the file: "), "{err}");
    let (status, out, err) = run_reading(&xml, &["check", "-"]);
    assert_eq!(status, 0, "{err}");
    assert!(out.contains("a task set of SimSo without mistakes"), "{out}");
    let (status, out, _) = run_reading(&xml, &["simulate", "-", "--format", "simso"]);
    assert_eq!((status, out), (0, xml));
    let (status, _, err) = simulate("tx2-table-1", &["--format", "simso"]);
    assert_eq!(status, 2);
    assert!(err.contains("no real-time task"), "{err}");
}

/// Takes so many bytes, then is gone; knows the largest piece that it was given.
struct Reader {
    room: usize,
    taken: usize,
    largest: usize,
}

impl Write for Reader {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.taken + bytes.len() > self.room {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        (self.taken, self.largest) = (self.taken + bytes.len(), self.largest.max(bytes.len()));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What a run gives is never in memory as a whole, as long names of many blocks would make it larger than that.
#[test]
fn exports_cli_prints_as_it_writes() {
    let kernel = KernelDraft::named(long_name(), 300, 1024, 5);
    let scenario = write_scenario(&Draft { kernels: vec![kernel], ..Draft::default() });
    for form in ["trace", "steps", "csv", "kernels", "jobs", "waits", "results", "chrome"] {
        let print = |room| {
            let (mut out, mut err) = (Reader { room, taken: 0, largest: 0 }, Vec::new());
            let status = run_with(["blockstep", "simulate", "-", "--format", form], &mut scenario.as_bytes(), &mut out, &mut err);
            (status, out, String::from_utf8(err).unwrap())
        };
        let (status, whole, err) = print(usize::MAX);
        assert_eq!((status, err.as_str()), (0, ""), "{form}");
        let is_of_blocks = ["trace", "steps", "csv", "chrome"].contains(&form);
        assert!(whole.taken > if is_of_blocks { 1_000_000 } else { 50 }, "{form} has {} bytes", whole.taken);
        assert!(whole.largest < 64 * 1024, "{form} has a piece of {} bytes", whole.largest);
        // Whoever closes its end is not written to any more.
        if is_of_blocks {
            let (status, part, err) = print(100_000);
            assert_eq!((status, err.as_str()), (141, ""), "{form}");
            assert!((1..=100_000).contains(&part.taken), "{form}: {}", part.taken);
        }
    }
}
