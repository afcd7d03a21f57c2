//! Workloads as files: read strictly, and written so that they are read back the same.

use blockstep_batch::arch::{ArchId, Costs};
use blockstep_batch::cases::{ASSUMED, CASES};
use blockstep_batch::methods::{Method, Methods};
use blockstep_format::{BatchFile, is_batch, read_batch, read_scenario, write_batch};
use blockstep_sim::units::Span;

use super::stage::{task, workload};

fn file() -> BatchFile {
    let mut with = workload(vec![task("a", 1, 2, 3, 4), task("<b> \"\u{202e}\"\n", 5, 6, 7, 8)]).draft().clone();
    with.tasks[1].after = vec!["a".to_owned()];
    (with.tasks[1].copy_out_ns, with.tasks[1].copy_out_bytes) = (0, 77);
    (with.tasks[1].deadline_ns, with.tasks[1].separation_ns) = (None, Some(9));
    BatchFile {
        workload: with,
        gpu: ArchId::Tx1,
        methods: Methods::ALL.with(Method::FlushZero, false),
        costs: Costs { message: Span(1234), ..Costs::default() },
    }
}

#[test]
fn batch_files_are_read_back_as_they_were_written() {
    let mut files: Vec<BatchFile> = CASES.iter().map(|case| BatchFile::new(case.workload(&ASSUMED), case.arch)).collect();
    files.push(file());
    files.push(BatchFile { methods: Methods::NONE, ..file() });
    for file in files {
        let text = write_batch(&file);
        assert!(is_batch(&text));
        assert_eq!(read_batch(&text).unwrap(), file, "{text}");
        assert!(read_scenario(&text).is_err());
    }
    assert!(!is_batch("{\"version\": 1, \"kernels\": []}"));
    assert!(!is_batch("nothing"));
}

fn refused(find: &str, replace: &str) -> String {
    let text = write_batch(&file());
    assert!(text.contains(find), "{text}");
    read_batch(&text.replacen(find, replace, 1)).unwrap_err().to_string()
}

#[test]
fn batch_files_say_what_is_wrong_and_where() {
    for (find, replace, expected) in [
        ("\"batch\"", "\"bunch\"", "kind"),
        ("\"version\": 1", "\"version\": 2", "version 1 is expected"),
        ("\"tx1\"", "\"tx2\"", "\"fermi\", \"kepler\" or \"tx1\""),
        ("\"atmCnt-kernel\"", "\"atm\"", "methods[1]"),
        ("\"message_ns\": 1234", "\"mesage_ns\": 1234", "did you mean message_ns?"),
        ("\"message_ns\": 1234", "\"message_ns\": 1000000001", "costs.message_ns is 1000000001; it must lie between 0 and 1000000000"),
        ("\"copy_in_ns\": 1", "\"copy_in_ns\": 1.5", "whole number of nanoseconds"),
        ("\"copy_in_ns\": 1", "\"copy_in_ns\": 0", "tasks[0].copy_in_ns is 0, and so is"),
        ("\"kernel_ns\": 2, ", "", "tasks[0].kernel_ns is missing"),
        ("\"separation_ns\": 9", "\"separation_ns\": 9, \"separation_ns\": 9", "given more than once"),
        ("[\"a\"]", "[\"c\"]", "tasks[1].after[0] is \"c\", which is not a task"),
    ] {
        let error = refused(find, replace);
        assert!(error.contains(expected), "{replace}: {error}");
        assert!(error.contains("line "), "{error}");
    }
    for nothing in ["", "[]", "{", "null", "{\"kind\": {}}"] {
        assert!(read_batch(nothing).is_err());
    }
}
