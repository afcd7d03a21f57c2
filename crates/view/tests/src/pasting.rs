//! Cells of a spreadsheet: where they go, what is said of them, and that what was there before does not mix with them.
//!
//! Depends on the editor's tables. Invariant: what a reader would read off the sheet stands in the table afterwards, or is named.

use crate::editing::{column, table_1, text};
use blockstep_sim::scenario::{Call, Draft};
use blockstep_view::document::{Document, PasteChoice, PasteChoices, PasteInto, Pasted, PastedCells, Preview};
use blockstep_view::table::Table;

/// Pastes cells from a cell on, to the right and down, where their headings do not say otherwise.
pub fn paste(d: &mut Document, table: Table, row: usize, column: usize, text: &str) -> Pasted {
    d.paste_cells(table, row, &PastedCells::new(table.columns(), column, text))
}

/// Cells as the reader would find them read, pasted into the first cell with these choices.
fn preview(before: &Document, text: &str, choices: &[PasteChoice]) -> Preview {
    let columns = Table::Kernels.columns();
    let mut made = PasteChoices::default();
    for choice in choices {
        made.make(*choice, &made.read(columns, 0, text, false));
    }
    let sheet = made.read(columns, 0, text, false);
    let into = if made.replaces(&sheet) { PasteInto::All } else { PasteInto::RowsFrom(0) };
    before.preview(Table::Kernels, into, &sheet)
}

/// The texts of some fields of a row.
fn row<const N: usize>(d: &Document, row: usize, fields: [&str; N]) -> [String; N] {
    fields.map(|field| text(d, Table::Kernels, row, field))
}

#[test]
fn a_spreadsheet_can_be_pasted() {
    let mut d = table_1();
    paste(&mut d, Table::Kernels, 5, column(Table::Kernels, "blocks"), "Blocks\tThreads\n7\t128\n8\tmany\n");
    assert_eq!(d.len(Table::Kernels), 7, "a row is added");
    assert_eq!((text(&d, Table::Kernels, 5, "blocks"), text(&d, Table::Kernels, 5, "threads_per_block")), ("7".into(), "128".into()));
    assert_eq!((text(&d, Table::Kernels, 6, "blocks"), text(&d, Table::Kernels, 6, "threads_per_block")), ("8".into(), "many".into()));
    // Of tasks, in the words that their choices have for people.
    paste(&mut d, Table::Tasks, 0, column(Table::Tasks, "deadline_ns"), "8 s\t2\treal time\t1.5 s\t7\t");
    let task = ["deadline_ns", "class", "budget_ns", "priority", "consumes"].map(|field| text(&d, Table::Tasks, 0, field));
    assert_eq!(task, ["8 s", "real_time", "1.5 s", "7", ""]);
}

#[test]
fn a_spreadsheet_with_headings_goes_to_the_columns_that_they_name() {
    let mut d = Document::new(Draft::default());
    let cells = "Kernel name\tStart (ms)\tgrid size\tThreads/block\tDuration [us]\tSMEM (KiB)\tColour\tCPU task\tStream\n\
                 lane\t1.5\t4\t256\t200\t16\tred\tCamera\tS1\n\
                 road\t2 s\t8\t128\tsoon\t\tblue\tCamera\tS2\n\
                 sky\t\t1\t32\t7\t1\t\tRadar\tS2\n";
    let pasted = paste(&mut d, Table::Kernels, 0, 0, cells);
    assert_eq!((pasted.rows, pasted.has_headings, &pasted.unknown[..], pasted.beyond), (3, true, &["Colour".to_owned()][..], 2));
    assert_eq!(pasted.told(), "3 rows, matched by their headings. Ignored columns: “Colour”.");
    let row = |row| {
        ["name", "start_ns", "blocks", "threads_per_block", "block_time_ns", "shared_memory_bytes", "task", "stream"]
            .map(|field| text(&d, Table::Kernels, row, field))
    };
    assert_eq!(row(0), ["lane", "1.5 ms", "4", "256", "200 \u{b5}s", "16 KiB", "Camera", "S1"]);
    assert_eq!(row(1)[1], "2 s", "a unit of its own counts");
    assert_eq!(row(1)[4], "soon", "what cannot be read stays as it is");
    assert_eq!(d.unreadable().len(), 1);
    assert_eq!(d.names(Table::Tasks), ["Camera", "Radar"], "tasks that are named are there");
    // One column with its heading, and numbers alone.
    let mut d = table_1();
    let blocks = column(Table::Kernels, "blocks");
    assert!(paste(&mut d, Table::Kernels, 0, blocks, "Blocks\n7\n").has_headings);
    let pasted = paste(&mut d, Table::Kernels, 1, blocks, "9\t64\n");
    assert_eq!((pasted.has_headings, pasted.told().as_str()), (false, "1 row."));
    assert_eq!([0, 1].map(|row| text(&d, Table::Kernels, row, "blocks")), ["7", "9"]);
    let last = Table::Kernels.columns().len() - 1;
    assert_eq!(paste(&mut d, Table::Kernels, 0, last, "K2\tx\ty").told(), "1 row. 2 cells to the right of the last column are ignored.");
}

#[test]
fn cells_of_a_spreadsheet_are_shown_before_they_are_taken() {
    let before = table_1();
    let rows = before.len(Table::Kernels);
    let text = "Kernel\tThreads\tStart (ms)\tStream\tTask\tOwner\nX\tmany\t3\tS9\tNew\tme\n";
    let columns = Table::Kernels.columns();
    let preview = before.preview(Table::Kernels, PasteInto::RowsFrom(rows), &PastedCells::new(columns, 0, text));
    let heads: Vec<(&str, &str)> =
        preview.table.columns.iter().map(|column| (column.target.map_or("", |at| columns[at].title), &*column.head)).collect();
    assert_eq!(
        heads,
        [
            ("Kernel", "“Kernel”"),
            ("Threads", "“Threads”"),
            ("Start", "“Start (ms)”, in ms"),
            ("Stream", "“Stream”"),
            ("Task", "“Task”"),
            ("", "“Owner”"),
            ("Blocks", "not in the cells"),
            ("Time per block", "not in the cells"),
        ]
    );
    let texts: Vec<&str> = preview.table.rows[0].iter().map(|(text, _)| &**text).collect();
    assert_eq!(texts, ["X", "many", "3 ms", "S9", "New", "me", "", ""]);
    let wrong: Vec<bool> = preview.table.rows[0].iter().map(|(_, problem)| problem.is_some()).collect();
    assert_eq!(wrong, [false, true, false, false, false, false, true, true]);
    assert_eq!(preview.table.made, ["1 new task: New", "1 new stream: S9"]);
    assert_eq!((preview.table.problems.len(), preview.table.more_problems, preview.table.more_rows), (3, 0, 0));
    let many = preview.table.problems.iter().find(|problem| problem.contains("many"));
    assert!(many.is_some_and(|problem| problem.starts_with("\"Threads\" of X")), "{:?}", preview.table.problems);
    assert_eq!(preview.pasted.unknown, ["Owner"]);
    // It is what pasting comes to, and nothing has been pasted yet.
    let mut after = before.clone();
    paste(&mut after, Table::Kernels, rows, 0, text);
    assert_eq!(preview.document, after);
    assert_eq!(before, table_1());
    // Without headings the cells stand where they are pasted; of many rows the first are shown.
    let many: String = (0..40).map(|i| format!("K{}\tP0\n", i + 20)).collect();
    let preview =
        before.preview(Table::Tasks, PasteInto::RowsFrom(before.len(Table::Tasks)), &PastedCells::new(Table::Tasks.columns(), 0, &many));
    let heads: Vec<(Option<usize>, &str)> = preview.table.columns.iter().map(|column| (column.target, &*column.head)).collect();
    assert_eq!(heads, [(Some(0), ""), (Some(1), "")]);
    assert_eq!((preview.table.rows.len(), preview.table.more_rows), (12, 28));
    assert!(preview.table.problems.is_empty(), "{:?}", preview.table.problems);
    assert_eq!(preview.table.made, ["40 new tasks: K20, K21, K22, K23, K24, K25 and 34 more"]);
}

#[test]
fn what_the_cells_do_not_give_is_empty_and_named() {
    let before = table_1();
    let Preview { document, pasted, table } = preview(&before, "Kernel\tBlocks\nmine\t7\n", &[]);
    assert!(table.replaces, "they have headings");
    assert_eq!(document.len(Table::Kernels), 1);
    let fields = ["name", "stream", "blocks", "threads_per_block", "block_time_ns", "start_ns", "shared_memory_bytes"];
    assert_eq!(row(&document, 0, fields), ["mine", "", "7", "", "", "", ""], "nothing of the table before");
    assert_eq!(pasted.missing, ["Stream", "Threads", "Time per block"]);
    assert!(table.told.contains("No column gives Stream, Threads, Time per block: their cells stay empty."), "{}", table.told);
    assert_eq!(table.problems.len(), 2, "a stream is missed once the others can be read: {:?}", table.problems);
    // The GPU and the policy stay; of tasks, streams and the name nothing does.
    assert_eq!((&document.rest.device, document.rest.policy.kind), (&before.rest.device, before.rest.policy.kind));
    assert_eq!((document.names(Table::Tasks), &*document.rest.name), (vec!["T0".to_owned()], ""));
    // A row that replaces none is no other row.
    assert!(!before.ids(Table::Kernels).contains(&document.id(Table::Kernels, 0).unwrap()));
    // A line that ends early leaves what is there.
    let mut short = before.clone();
    paste(&mut short, Table::Kernels, 0, column(Table::Kernels, "blocks"), "7\t64\n8\n");
    assert_eq!(row(&short, 1, ["blocks", "threads_per_block"]), ["8".to_owned(), row(&before, 1, ["threads_per_block"])[0].clone()]);
    // The reader may want these cells alone, and then a row that is added has them alone.
    let Preview { document, .. } = preview(&before, "Blocks\n7\n8\n9\n10\n11\n12\n13\n", &[PasteChoice::Replaces(false)]);
    assert_eq!(document.len(Table::Kernels), before.len(Table::Kernels) + 1);
    assert_eq!(row(&document, 0, fields)[..2], row(&before, 0, fields)[..2]);
    assert_eq!(row(&document, 6, fields), ["K7", "", "13", "", "", "", ""]);
}

#[test]
fn an_unknown_heading_is_left_out_until_the_reader_chooses() {
    let cells = "Kern\tBlöcke\tFäden\tDauer (ms)\t备注\nA\t4\t64\t1,5\tx\nB\t8\t32\t0,250\ty\n";
    let at = |field: &str| Some(column(Table::Kernels, field));
    let first = preview(&table_1(), cells, &[]);
    assert!(first.table.has_headings, "words stand above numbers");
    assert_eq!(first.pasted.unknown, ["Kern", "Blöcke", "Fäden", "Dauer (ms)", "备注"]);
    let choices = [
        PasteChoice::Target(0, at("name")),
        PasteChoice::Target(1, at("blocks")),
        PasteChoice::Target(2, at("block_time_ns")),
        PasteChoice::Target(3, at("block_time_ns")),
        PasteChoice::Target(2, at("threads_per_block")),
    ];
    assert_eq!((first.table.can_be_taken(), first.table.verdict()), (false, "Choose above each column what it is."));
    let chosen = preview(&table_1(), cells, &choices);
    assert!(chosen.table.replaces);
    assert_eq!(chosen.pasted.unknown, ["备注"]);
    let fields = ["name", "blocks", "threads_per_block", "block_time_ns"];
    assert_eq!(row(&chosen.document, 0, fields), ["A", "4", "64", "1.5 ms"]);
    assert_eq!(row(&chosen.document, 1, fields), ["B", "8", "32", "250 µs"]);
    assert_eq!(chosen.table.columns[3].head, "“Dauer (ms)”, in ms, decimal commas");
    assert!(chosen.table.verdict() != "No problems found.");
    // The first line may be a row, too.
    let all = preview(&table_1(), cells, &[PasteChoice::HasHeadings(false)]);
    assert_eq!((all.table.has_headings, all.pasted.rows, all.pasted.beyond), (false, 3, 0));
}

#[test]
fn one_number_of_a_column_proves_its_decimal_commas() {
    let starts = |cells: &str| {
        let sheet = format!("Kernel\tStart\n{}", cells.lines().map(|cell| format!("K\t{cell}\n")).collect::<String>());
        let sheet = PastedCells::new(Table::Kernels.columns(), 0, &sheet);
        let cell = |line: &Vec<std::borrow::Cow<'_, str>>| sheet.cell(Table::Kernels.columns(), 1, &line[1]).unwrap().1;
        sheet.lines.iter().map(cell).collect::<Vec<_>>()
    };
    assert_eq!(starts("0,250\n1,500\n2"), ["0.250", "1.500", "2"]);
    assert_eq!(starts("1,500 ms\n1.234,5 ms"), ["1.500 ms", "1234.5 ms"]);
    assert_eq!(starts("1,500\n2,000"), ["1,500", "2,000"], "nothing proves it");
    assert_eq!(starts("1,500\n0.5"), ["1,500", "0.5"]);
    assert_eq!(starts("0,5\n0.5"), ["0,5", "0.5"], "they contradict each other");
    assert_eq!(starts("1,024,000\n0,5"), ["1,024,000", "0,5"]);
}

#[test]
fn cudas_words_and_shapes_are_known() {
    let cells = "Kernel Name\tStream\tGrid\tBlock\tReg/Trd\tSMem [KB]\tDuration (us)\n\
                 scale\t16\t(32,1,1)\t1×32\t22\t4\t1.248\n\
                 gemm\t17\t32 x 4\t(32, 8, 1)\t22\t\t1.216\n";
    let Preview { document, table, .. } = preview(&table_1(), cells, &[]);
    assert_eq!(table.verdict(), "No problems found.");
    assert!(table.problems.is_empty(), "{:?}", table.problems);
    let fields = ["stream", "blocks", "threads_per_block", "registers_per_thread", "shared_memory_bytes", "block_time_ns"];
    assert_eq!(row(&document, 0, fields), ["16", "32", "32", "22", "4 KiB", "1.248 µs"]);
    assert_eq!(row(&document, 1, fields), ["17", "128", "256", "22", "", "1.216 µs"]);
    for (words, field) in [("gridDim\tblockDim", "blocks"), ("GridXYZ\tBlockXYZ", "blocks")] {
        let cells = format!("{words}\n16x16\t64\n");
        assert_eq!(row(&preview(&table_1(), &cells, &[]).document, 0, [field, "threads_per_block"]), ["256", "64"]);
    }
}

/// Headings of `nsys stats`: https://docs.nvidia.com/nsight-systems/UserGuide/ (report scripts).
#[test]
fn the_reports_of_nsys_stats_are_known() {
    let cells = "Start (ns)\tDuration (ns)\tCorrId\tGrdX\tGrdY\tGrdZ\tBlkX\tBlkY\tBlkZ\tReg/Trd\tStcSMem (MB)\tDymSMem (MB)\t\
                 Bytes (MB)\tThroughput (MB/s)\tStrm\tName\n\
                 1000\t1248\t186\t32\t1\t1\t1024\t1\t1\t22\t0.000\t0.000\t\t\t16\tscale\n\
                 2500\t1216\t196\t32\t4\t1\t32\t8\t1\t22\t0.002\t0.004\t\t\t17\tscale\n\
                 4000\t900\t197\t\t\t\t\t\t\t\t\t\t0.131\t145.5\t17\t[CUDA memcpy Host-to-Device]\n";
    let Preview { document, table, pasted } = preview(&table_1(), cells, &[]);
    assert!(table.problems.is_empty(), "{:?}", table.problems);
    let fields = ["name", "stream", "blocks", "threads_per_block", "shared_memory_bytes", "start_ns", "block_time_ns", "call", "bytes"];
    assert_eq!(row(&document, 0, fields), ["scale", "16", "32", "1,024", "", "1 µs", "1.248 µs", "kernel", ""]);
    assert_eq!(row(&document, 1, fields), ["scale #2", "17", "128", "256", "6,000 B", "2.5 µs", "1.216 µs", "kernel", ""]);
    let copy = ["[CUDA memcpy Host-to-Device]", "17", "", "", "", "4 µs", "", "copy_to_device", "131,000 B"];
    assert_eq!(row(&document, 2, fields), copy);
    assert_eq!(document.draft().kernels[2].call, Call::CopyToDevice);
    assert_eq!(pasted.unknown, ["CorrId", "Throughput (MB/s)"]);
    assert!(pasted.missing.is_empty());
    assert!(table.notes[0].contains("Time per block is the time of the whole kernel"), "{:?}", table.notes);
    assert_eq!(document.notes, table.notes, "the page shows them beside the scenario");
    // The other report has no stream, which is said.
    let cells = "API Start (ns)\tKernel Start (ns)\tKernel Dur (ns)\tTID\tGridXYZ\tBlockXYZ\tKernel Name\n\
                 100\t900\t250\t71\t   32    4    1\t  256    1    1\tgemm\n";
    let Preview { document, pasted, table } = preview(&table_1(), cells, &[]);
    let fields = ["name", "task", "stream", "start_ns", "blocks", "threads_per_block", "block_time_ns"];
    assert_eq!(row(&document, 0, fields), ["gemm", "thread 71", "", "100 ns", "128", "256", "250 ns"]);
    assert_eq!((pasted.missing, table.problems.len()), (vec!["Stream"], 1));
}

#[test]
fn rows_without_headings_replace_the_table_if_they_begin_at_its_first_column() {
    let rows = "A\tT0\tS1\t0\t1\t32\t1 s\nB\tT0\tS1\t0\t1\t32\t1 s\n";
    let Preview { document, table, .. } = preview(&table_1(), rows, &[]);
    assert!(table.replaces);
    assert_eq!(document.names(Table::Kernels), ["A", "B"]);
    // One column, or cells within the table, are cells alone.
    assert!(!preview(&table_1(), "A\nB\n", &[]).table.replaces);
    assert!(!PastedCells::new(Table::Kernels.columns(), column(Table::Kernels, "blocks"), "1\t32\n2\t32").are_rows());
    // Tasks and processes go the same way; kernels that name none of them say so.
    let sheet = PastedCells::new(Table::Tasks.columns(), 0, "Task\tPeriod (ms)\nCPU 1\t5\nCPU 2\t7\n");
    let (document, _) = table_1().replaced_by(Table::Tasks, &sheet);
    assert_eq!(document.names(Table::Tasks), ["CPU 1", "CPU 2"]);
    assert_eq!(document.draft().kernels, table_1().draft().kernels);
}

/// A new document begins with process P0, and an example has processes of its own: of neither is a task left.
#[test]
fn processes_of_which_no_task_is_left_go_with_the_tasks() {
    let replaced = |before: &Document, cells: &str| before.replaced_by(Table::Tasks, &PastedCells::new(Table::Tasks.columns(), 0, cells)).0;
    let new = Document::new(Draft::default());
    assert_eq!(new.names(Table::Processes), ["P0"]);
    let cells = "Task\tProcess\tPeriod (ms)\nradar\tA\t5\ncamera\tB\t7\n";
    let document = replaced(&new, cells);
    assert_eq!(document.names(Table::Processes), ["A", "B"]);
    assert_eq!(replaced(&document, "Task\tProcess\nradar\tC\n").names(Table::Processes), ["C"]);
    // What a task without a process is in, what a stream is in, and what has settings stays.
    assert_eq!(replaced(&document, "Task\tProcess\nradar\t\ncamera\tC\n").names(Table::Processes), ["A", "C"]);
    assert_eq!(replaced(&new, "Task\tPeriod (ms)\nradar\t5\n").names(Table::Processes), ["P0"]);
    let mut set = document.clone();
    set.set(Table::Processes, 1, column(Table::Processes, "timeslice_ns"), "3 ms");
    assert_eq!(replaced(&set, "Task\tProcess\nradar\tC\n").names(Table::Processes), ["B", "C"]);
}

/// Papers give a task's release as a time. In the table it is how a task releases jobs.
#[test]
fn a_column_of_release_times_is_when_the_first_job_is_released() {
    let tasks = |cells: &str| {
        let columns = Table::Tasks.columns();
        let sheet = PastedCells::new(columns, 0, cells);
        let pasted = Document::new(Draft::default()).preview(Table::Tasks, PasteInto::All, &sheet);
        let cell = |field| text(&pasted.document, Table::Tasks, 0, field);
        (cell("offset_ns"), cell("release"), pasted.pasted.unknown, pasted.document.unreadable().len())
    };
    let once = text(&Document::new(Draft::default()), Table::Tasks, 0, "release");
    assert_eq!(tasks("Task\tRelease (ms)\nradar\t5\ncamera\t0\n"), ("5 ms".to_owned(), once, vec![], 0));
    let words = "Task\tRelease\tPeriod (ms)\nradar\tperiodic\t5\n";
    assert_eq!(tasks(words), (String::new(), "periodic".to_owned(), vec![], 0));
    // What names no column is named.
    assert_eq!(tasks("Task\tPeriod (ms)\tCriticality\nradar\t5\tA\n").2, ["Criticality"]);
    let mut kernels = Document::new(Draft::default());
    let pasted = paste(&mut kernels, Table::Kernels, 0, 0, "Kernel\tRelease (ms)\tBlocks\nK\t3\t4\n");
    assert_eq!((text(&kernels, Table::Kernels, 0, "start_ns"), pasted.unknown), ("3 ms".to_owned(), vec![]));
}
