//! What the page says is wrong: in the words of its tables, with units, and at the row that was typed.

use crate::pasting::paste;
use blockstep_format::read_scenario;
use blockstep_sim::examples;
use blockstep_sim::scenario::{Draft, KernelDraft, Problem, ProcessDraft, Scenario, TaskDraft};
use blockstep_view::document::Document;
use blockstep_view::problems::{on_page, place, sentence};
use blockstep_view::table::Table;

fn table_1() -> Document {
    Document::new(read_scenario(examples::first().json).unwrap())
}

fn set(document: &mut Document, table: Table, row: usize, field: &str, text: &str) {
    document.set(table, row, table.column_of(field).unwrap(), text);
}

fn problems(document: &Document) -> Vec<Problem> {
    on_page(document, Scenario::new(&document.draft()).err().map(|e| e.problems).unwrap_or_default())
}

/// As the page says them.
fn said(document: &Document) -> Vec<String> {
    problems(document).iter().map(|problem| sentence(document, problem)).collect()
}

#[test]
fn messages_name_the_row_and_the_column_and_have_units() {
    let cases: [(Table, usize, &str, &str, &str); 9] = [
        (
            Table::Kernels,
            0,
            "block_time_max_ns",
            "0.5",
            "\"Worst time\" of K1 is 500 ms; at least 1 s is needed, the longest time of the row's blocks",
        ),
        (Table::Kernels, 2, "threads_per_block", "5000", "\"Threads\" of K3 is 5,000; at most 1,024 threads fit in a block on this device"),
        (
            Table::Kernels,
            1,
            "shared_memory_bytes",
            "1 MB",
            "\"Shared memory\" of K2 is 1 MiB; at most 48 KiB fit in a block on this device",
        ),
        (Table::Kernels, 1, "blocks", "0", "\"Blocks\" of K2 is 0; at least 1 is needed"),
        (Table::Kernels, 0, "block_time_ns", "0", "\"Time per block\" of K1 is 0 ns; at least 1 ns is needed"),
        (
            Table::Kernels,
            0,
            "block_time_ns",
            "1;2",
            "\"Time per block\" of K1 lists 2 times for 6 blocks; there must be one for each block",
        ),
        (Table::Tasks, 0, "release", "periodic", "\"Period\" of task CPU 0 is required: task \"CPU 0\" is periodic"),
        (Table::Tasks, 1, "consumes", "X", "\"Consumes\" of task CPU 1: there is no task \"X\""),
        (Table::Processes, 0, "timeslice_ns", "0", "\"Timeslice\" of process P0 is 0 ns; at least 1 ns is needed"),
    ];
    for (table, row, field, typed, expected) in cases {
        let mut document = table_1();
        set(&mut document, table, row, field, typed);
        assert_eq!(said(&document).first().map(String::as_str), Some(expected));
    }
    let mut document = table_1();
    document.set_top("device.sms", "5000");
    assert_eq!(said(&document), ["SMs is 5,000; at most 4,096 is accepted"]);
    assert_eq!(place(&document, "policy.switch_cost_ns"), "Switch cost");
    let samples = ["policy.switch_samples_ns", "policy.switch_samples_ns[2]"].map(|path| place(&document, path));
    assert_eq!(samples, ["Measured switches", "A measured switch"]);
    assert_eq!(place(&document, "horizon_ns"), "Horizon");
    assert_eq!(sentence(&document, &Problem::new("", "of all of it")), "of all of it");
}

#[test]
fn no_message_has_a_path_or_bare_nanoseconds() {
    // Wrong in as many ways as there are, and doubtful in all.
    let task = TaskDraft { period_ns: Some(0), budget_ns: Some(0), jobs: Some(0), process: Some("X".to_owned()), ..TaskDraft::named("T") };
    let kernel = KernelDraft {
        task: Some("X".to_owned()),
        after: Some("K".to_owned()),
        stream: String::new(),
        block_time_max_ns: Some(3),
        shared_memory_bytes: 1 << 40,
        registers_per_thread: 300,
        copy_in_bytes: u64::MAX,
        ..KernelDraft::named("K", 0, 5000, 12_345_678)
    };
    let mut draft = Draft { tasks: vec![task.clone(), task], kernels: vec![kernel.clone(), kernel], ..Draft::default() };
    draft.processes = vec![ProcessDraft { timeslice_ns: 0, ..ProcessDraft::named("") }];
    let document = Document::new(draft);
    let said = said(&document);
    assert!(said.len() > 20, "{said:#?}");
    for problem in said {
        for raw in ["[", "_ns", "_bytes", "per_block", "12345678", "12,345,678", "kernels", "tasks."] {
            assert!(!problem.contains(raw), "{problem}");
        }
    }
    // And what is doubtful.
    let task = TaskDraft { deadline_ns: Some(1_500_000), ..TaskDraft::named("T") };
    let draft = Draft { tasks: vec![task], kernels: vec![KernelDraft::named("K", 1, 32, 2_000_000)], ..Draft::default() };
    let document = Document::new(draft.clone());
    let warnings: Vec<String> = Scenario::new(&draft).unwrap().warnings().iter().map(|w| sentence(&document, w)).collect();
    assert_eq!(warnings, ["\"Deadline\" of task T is 1.5 ms; a job takes at least 2 ms"]);
}

#[test]
fn a_name_that_is_there_twice_is_marked_where_it_was_typed() {
    let marked = |document: &Document| problems(document).into_iter().map(|p| (p.path, p.message)).collect::<Vec<_>>();
    let twice = |row: usize, first: usize, name: &str| {
        (format!("kernels[{row}].name"), format!("\"{name}\" is already the name of row {first}; names are unique"))
    };
    let mut document = table_1();
    set(&mut document, Table::Kernels, 0, "name", "K2");
    assert_eq!(marked(&document), [twice(0, 2, "K2")]);
    assert_eq!(said(&document), ["\"Name\" of kernel row 1: \"K2\" is already the name of row 2; names are unique"]);
    // Other cells are typed meanwhile, rows move; the mark stays with its row.
    set(&mut document, Table::Kernels, 1, "blocks", "3");
    assert_eq!(marked(&document), [twice(0, 2, "K2")]);
    document.shift(Table::Kernels, 0, true);
    assert_eq!(marked(&document), [twice(1, 1, "K2")]);
    // A third one, and then the first to have it gives it up.
    set(&mut document, Table::Kernels, 4, "name", "K2");
    assert_eq!(marked(&document), [twice(1, 1, "K2"), twice(4, 1, "K2")]);
    set(&mut document, Table::Kernels, 0, "name", "Other");
    assert_eq!(marked(&document), [twice(4, 2, "K2")]);
    set(&mut document, Table::Kernels, 4, "name", "Last");
    assert_eq!(marked(&document), []);
    // Of a file's rows the later one is marked, and of what is pasted, what is pasted.
    let mut draft = document.draft();
    draft.kernels[0].name = "Last".to_owned();
    assert_eq!(marked(&Document::new(draft)), [twice(4, 1, "Last")]);
    paste(&mut document, Table::Kernels, 1, 0, "Last\nLast");
    assert_eq!(marked(&document), [twice(1, 5, "Last"), twice(2, 5, "Last")]);
    // Names of other tables, and empty ones, are told as before.
    let mut document = table_1();
    set(&mut document, Table::Tasks, 0, "name", "CPU 1");
    set(&mut document, Table::Kernels, 1, "name", " ");
    let said = said(&document);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said.contains(&"\"Name\" of task row 1: \"CPU 1\" is already the name of row 2; names are unique".to_owned()), "{said:?}");
    assert!(said.contains(&"\"Name\" of kernel row 2 is empty; every row needs a name".to_owned()), "{said:?}");
}
