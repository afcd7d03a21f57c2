//! Tables of kernels, written in the shapes that people and programs write them in, and pasted.
//!
//! Depends on what reads pasted texts and on the document. Invariant: what is read back is the table that was written, or it is
//! refused.

use blockstep_format::MAX_COLUMNS;
use blockstep_sim::scenario::{BlockTimes, Draft, KernelDraft};
use blockstep_testing::arbitrary::cases;
use blockstep_tools::pasted::{PasteError, PastedText};
use blockstep_view::document::{Document, MAX_BYTES, MAX_ENTRIES, PasteChoice, PasteChoices};
use blockstep_view::table::Table;
use proptest::prelude::*;

const FIELDS: [&str; 10] = [
    "name",
    "task",
    "stream",
    "start_ns",
    "blocks",
    "threads_per_block",
    "block_time_ns",
    "shared_memory_bytes",
    "registers_per_thread",
    "copy_in_bytes",
];

fn kernels() -> impl Strategy<Value = Vec<KernelDraft>> {
    let sizes = (1_u64..70, 1_u64..70, 1_u64..33, 1_u64..33);
    let times = (0_u64..5_000_000_000, 1_u64..5_000_000_000);
    let memory = (0_u64..64, 0_u64..256, 0_u64..1_000_000);
    let row = (sizes, times, memory, 0_usize..3, 0_usize..4);
    proptest::collection::vec(row, 1..9).prop_map(|rows| {
        rows.into_iter()
            .enumerate()
            .map(|(at, (sizes, times, memory, task, stream))| KernelDraft {
                task: Some(format!("CPU {task}")),
                stream: ["S1", "S2", "NULL", "7"][stream].to_owned(),
                start_ns: times.0,
                shared_memory_bytes: memory.0 * 1_000,
                registers_per_thread: memory.1,
                copy_in_bytes: memory.2,
                ..KernelDraft::named(format!("kernel, {at}"), sizes.0 * sizes.1, sizes.2 * sizes.3, times.1)
            })
            .collect()
    })
}

/// A time in milliseconds, with this mark before its decimals.
fn ms(ns: u64, mark: char) -> String {
    format!("{}{mark}{:06}", ns / 1_000_000, ns % 1_000_000)
}

fn time_of(kernel: &KernelDraft) -> u64 {
    if let BlockTimes::Each(ns) = kernel.block_time_ns { ns } else { unreachable!("written above") }
}

fn lines(heads: &[&str], separator: &str, kernels: &[KernelDraft], cells: impl Fn(&KernelDraft) -> Vec<String>) -> String {
    let line = |kernel: &KernelDraft| cells(kernel).join(separator) + "\n";
    heads.join(separator) + "\n" + &kernels.iter().map(line).collect::<String>()
}

/// Each field as a bare number or word.
fn bare(kernel: &KernelDraft) -> Vec<String> {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    vec![
        format!("\"{}\"", kernel.name),
        text(&kernel.task),
        kernel.stream.clone(),
        kernel.start_ns.to_string(),
        kernel.blocks.to_string(),
        kernel.threads_per_block.to_string(),
        time_of(kernel).to_string(),
        kernel.shared_memory_bytes.to_string(),
        kernel.registers_per_thread.to_string(),
        kernel.copy_in_bytes.to_string(),
    ]
}

/// With the cells as the page shows them, under its own headings or under none.
fn as_shown(kernels: &[KernelDraft], has_headings: bool) -> String {
    let document = Document::new(Draft { kernels: kernels.to_vec(), ..Draft::default() });
    let columns = Table::Kernels.columns();
    let row = |row: usize| (0..columns.len()).map(|column| document.text(Table::Kernels, row, column)).collect::<Vec<_>>().join("\t");
    let heads = has_headings.then(|| columns.iter().map(|column| column.title).collect::<Vec<_>>().join("\t"));
    heads.into_iter().chain((0..kernels.len()).map(row)).map(|line| line + "\n").collect()
}

/// A grid or block as CUDA writes it: some size that divides the count, and the rest.
fn dim3(count: u64) -> String {
    let first = (1..=count.min(32)).rev().find(|size| count.is_multiple_of(*size)).unwrap_or(1);
    format!("({first},{},1)", count / first)
}

/// What is read of a text that is pasted into the first cell of another table.
fn read(text: &str, choices: &[PasteChoice]) -> Vec<KernelDraft> {
    let columns = Table::Kernels.columns();
    let pasted = PastedText::new(&columns[0], text.to_owned()).unwrap();
    let mut made = PasteChoices::default();
    for choice in choices {
        made.make(*choice, &made.read(columns, 0, &pasted.cells, pasted.is_of_semicolons));
    }
    let sheet = made.read(columns, 0, &pasted.cells, pasted.is_of_semicolons);
    assert!(made.replaces(&sheet), "{text}");
    let before = Document::new(Draft { kernels: vec![KernelDraft::named("old", 3, 96, 5); 9], ..Draft::default() });
    let (document, _) = before.replaced_by(Table::Kernels, &sheet);
    assert_eq!(document.unreadable(), [], "{text}");
    document.draft().kernels
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn a_table_is_read_back_in_every_shape(kernels in kernels()) {
        prop_assert_eq!(&read(&as_shown(&kernels, true), &[]), &kernels, "as the page shows it");
        prop_assert_eq!(&read(&as_shown(&kernels, false), &[]), &kernels, "the same without headings");
        let csv = lines(&FIELDS, ",", &kernels, bare);
        prop_assert_eq!(&read(&csv, &[]), &kernels, "commas and fields:\n{}", csv);
        let german = lines(&["Kernel", "Task", "Stream", "Start (ms)", "Blocks", "Threads", "Time per block [ms]", "SMem (KB)", "Regs", "Copy in (B)"], ";", &kernels, |kernel| {
            let mut cells = bare(kernel);
            cells[3] = ms(kernel.start_ns, ',');
            cells[6] = ms(time_of(kernel), ',');
            // 1,000 bytes are 0.9765625 KB.
            cells[7] = format!("{},{:07}", kernel.shared_memory_bytes * 10_000_000 / 1024 / 10_000_000, kernel.shared_memory_bytes * 10_000_000 / 1024 % 10_000_000);
            cells
        });
        prop_assert_eq!(&read(&german, &[]), &kernels, "semicolons and decimal commas:\n{}", german);
        let cuda = lines(&["Kernel Name", "TID", "Strm", "Start_ns", "gridDim", "blockDim", "Duration (us)", "sharedMemBytes", "Reg/Trd", "H2D"], "\t", &kernels, |kernel| {
            let mut cells = bare(kernel);
            cells[0] = kernel.name.clone();
            cells[4] = dim3(kernel.blocks);
            cells[5] = dim3(kernel.threads_per_block).trim_matches(['(', ')']).replace(',', "×");
            cells[6] = format!("{}.{:03}", time_of(kernel) / 1_000, time_of(kernel) % 1_000);
            cells
        });
        prop_assert_eq!(&read(&cuda, &[]), &kernels, "CUDA's words and shapes:\n{}", cuda);
        let chinese = lines(&["内核", "任务", "流", "开始 (ns)", "块", "线程", "时间 (ns)", "共享内存", "寄存器", "输入"], "\t", &kernels, |kernel| {
            let mut cells = bare(kernel);
            cells[0] = kernel.name.clone();
            cells
        });
        let choices: Vec<_> = FIELDS.iter().enumerate().map(|(source, field)| PasteChoice::Target(source, Table::Kernels.column_of(field))).collect();
        prop_assert_eq!(&read(&chinese, &choices), &kernels, "unknown headings by choice:\n{}", chinese);
        // The report has no tasks and copies in rows of their own.
        let plain: Vec<KernelDraft> = kernels.iter().map(|kernel| KernelDraft { task: None, copy_in_bytes: 0, ..kernel.clone() }).collect();
        let heads = ["Start (ns)", "Duration (ns)", "GrdX", "GrdY", "GrdZ", "BlkX", "BlkY", "BlkZ", "Reg/Trd", "StcSMem (MB)", "DymSMem (MB)", "Bytes (MB)", "Strm", "Name"];
        let nsys = lines(&heads, ",", &plain, |kernel| {
            let (grid, block) = (dim3(kernel.blocks), dim3(kernel.threads_per_block));
            let shared = kernel.shared_memory_bytes / 1_000;
            let mut cells = vec![kernel.start_ns.to_string(), time_of(kernel).to_string()];
            cells.extend([grid, block].iter().flat_map(|dim| dim.trim_matches(['(', ')']).split(',')).map(str::to_owned));
            cells.extend([kernel.registers_per_thread.to_string(), format!("0.{:03}", shared / 2), format!("0.{:03}", shared - shared / 2)]);
            cells.extend([String::new(), kernel.stream.clone(), format!("\"{}\"", kernel.name)]);
            cells
        });
        prop_assert_eq!(&read(&nsys, &[]), &plain, "nsys stats:\n{}", nsys);
    }
}

#[test]
fn values_of_one_column_are_no_table() {
    let of = |field: &str, text: &str| {
        let column = &Table::Kernels.columns()[Table::Kernels.column_of(field).unwrap()];
        PastedText::new(column, text.to_owned()).unwrap().cells
    };
    for (field, text) in [("start_ns", "0,250\n1,500"), ("block_time_ns", "1 s; 2 s\n3 s; 0,5 s"), ("waits_for", "a, b\nc, d")] {
        assert_eq!(of(field, text), text);
    }
    assert_eq!(of("name", "A;4\nB;8\n"), "A\t4\nB\t8\n");
    assert_eq!(of("start_ns", "Start,Blocks\n1,2\n"), "Start\tBlocks\n1\t2\n");
}

#[test]
fn what_is_too_large_is_refused_with_both_numbers() {
    let refused = |text: String| PastedText::new(&Table::Kernels.columns()[0], text).unwrap_err();
    let wide = refused("1\t".repeat(999_999) + "1");
    assert_eq!(wide, PasteError::Columns(1_000_000));
    assert_eq!(
        wide.to_string(),
        format!("Not read: a line has 1,000,000 cells; the page takes at most {MAX_COLUMNS}.").replace("1000.", "1,000.")
    );
    assert!(matches!(refused("a;".repeat(MAX_COLUMNS + 1)), PasteError::Sheet(_)), "of CSV the line is named");
    assert_eq!(refused("K\t1\n".repeat(MAX_ENTRIES + 2)), PasteError::Lines(MAX_ENTRIES + 2));
    assert_eq!(refused("x".repeat(MAX_BYTES + 1)), PasteError::Bytes(MAX_BYTES + 1));
}
