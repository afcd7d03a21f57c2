//! `blockstep devices`: the built-in GPUs, with the numbers that a run goes by.
//!
//! Depends on `format` for tables that programs read. Invariant: every built-in device is a row, in their order.

use clap::ValueEnum;

use super::{Failed, Streams};
use blockstep_format as format;
use blockstep_sim::scenario::device::BUILT_IN;

#[derive(clap::Args)]
pub(super) struct DevicesArgs {
    /// What to print
    #[arg(short, long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// A table to read
    Text,
    /// A table for spreadsheets, with every number; sizes in bytes
    Csv,
    /// The same as JSON
    Json,
}

const HEAD: [&str; 8] = ["id", "CC", "SMs", "threads", "blocks", "shared", "rules", "name"];

const BELOW: &str = "
CC is the compute capability. Threads, blocks and shared memory are what one SM
holds; they follow from CC (CUDA C++ Programming Guide). Numbers of SMs are
those of NVIDIA's data sheets. Rules says how far they are known on the device
(docs/semantics.md, section 2). --format csv or json has all numbers and names.
";

impl Streams<'_> {
    pub(super) fn devices(&mut self, args: &DevicesArgs) -> Result<(), Failed> {
        match args.format {
            Format::Text => self.print(text()),
            Format::Csv => self.print(format::write_devices_csv()),
            Format::Json => self.print(format::write_devices_json()),
        }
    }
}

fn text() -> String {
    let rows = BUILT_IN.iter().map(|built_in| {
        let (device, (major, minor)) = (built_in.device(), built_in.limits.capability);
        [
            built_in.id.to_owned(),
            format!("{major}.{minor}"),
            device.sms.to_string(),
            device.threads_per_sm.to_string(),
            device.blocks_per_sm.to_string(),
            format!("{} KiB", device.shared_memory_per_sm / 1024),
            built_in.evidence.word().to_owned(),
            // Without the architecture, which CC says, it fits 80 columns.
            built_in.name.split([',', '(']).next().unwrap_or_default().trim_end().to_owned(),
        ]
    });
    let rows: Vec<_> = std::iter::once(HEAD.map(str::to_owned)).chain(rows).collect();
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let line = |row: &[String; HEAD.len()]| {
        let cells = row.iter().enumerate().map(|(column, cell)| match HEAD[column] {
            "id" | "rules" => format!("{cell:width$}", width = width(column)),
            "name" => cell.clone(),
            _ => format!("{cell:>width$}", width = width(column)),
        });
        cells.collect::<Vec<_>>().join("  ") + "\n"
    };
    rows.iter().map(line).collect::<String>() + BELOW
}
