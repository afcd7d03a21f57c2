//! `blockstep trace`: both formats, from a file and from standard input, in every form of output, and files that are none.

use super::{TempFile, run, run_reading};

#[test]
fn cli_trace_opens_both_formats() {
    let kineto = crate::profile::texts().remove(0);
    let nsight = crate::profile::export(&kineto);
    let files = [TempFile::new("trace.json", &kineto), TempFile::new("a trace %41?.sqlite", &nsight)];
    for (file, by, bytes) in [(&files[0], "the PyTorch profiler", kineto.as_bytes()), (&files[1], "Nsight Systems", &nsight[..])] {
        let (status, out, err) = run(&["trace", file.path()]);
        assert_eq!((status, &*err), (0, ""), "{}", file.path());
        assert!(out.starts_with(&format!("A trace of {by}: ")), "{out}");
        assert!(out.contains("Stream order") && out.contains("The longest waits:"), "{out}");
        assert_eq!(run_reading(bytes, &["trace", "-"]).1, out, "from standard input");
        let csv = run(&["trace", file.path(), "--format", "csv"]).1;
        assert!(csv.lines().any(|line| line.contains(",stream-order,certain,")), "{csv}");
        let json = run(&["trace", file.path(), "--format", "json", "--top", "1"]).1;
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(json["longest"].as_array().unwrap().len(), 1);
    }
}

#[test]
fn cli_trace_says_what_a_file_is_not() {
    let (status, out, err) = run(&["trace", "no such file"]);
    assert_eq!((status, &*out), (2, ""));
    assert!(err.contains("no such file: the file cannot be read: "), "{err}");
    let file = TempFile::new("no-trace.json", super::SMALL);
    assert!(run(&["trace", file.path()]).2.contains("there is no \"traceEvents\""));
    let (status, _, err) = run_reading(b"SQLite format 3\0 and no more", &["trace", "-"]);
    assert_eq!(status, 2);
    assert!(err.contains("the database is damaged"), "{err}");
}
