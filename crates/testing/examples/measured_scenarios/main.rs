//! Writes the scenarios that are run on a real H100 or H200 and compared with their simulation, and a README of them.
//!
//! `cargo run -p blockstep-testing --example measured_scenarios -- FOLDER`. The same files every time: whatever is random
//! is drawn with fixed seeds.
#![allow(clippy::unwrap_used, reason = "what it writes is fixed: an error is a fault of this program")]

mod chosen;
mod margin;
mod more;
mod random;
mod scaled;

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

use blockstep_format::{read_scenario, write_scenario};
use blockstep_sim::scenario::{BuiltIn, Device, DeviceDraft, Draft};

use margin::Seen;

/// One ms in ns.
const MS: u64 = 1_000_000;

/// Bytes that the GPU's copy engines move in a ns, about what PCIe 5 gives pinned memory.
const BYTES_PER_NS: u64 = 50;

/// A scenario to measure.
struct Made {
    /// Of its file, without `.json`.
    name: String,
    /// What it shows, for the README.
    about: String,
    draft: Draft,
}

/// The GPU that measures.
fn h100() -> Device {
    let built_in = BuiltIn::find("h100").unwrap().device();
    Device { name: "H100 SXM".to_owned(), copy_engines: 2, copy_bandwidth_bytes_per_s: BYTES_PER_NS * 1_000_000_000, ..built_in }
}

fn device() -> DeviceDraft {
    DeviceDraft::Custom(h100())
}

fn main() {
    let folder = env::args().nth(1).expect("a folder to write to");
    let folder = Path::new(&folder);
    fs::create_dir_all(folder).unwrap();
    let mut readme = String::from(
        "File, simulated length in ms, blocks; whether the order holds when launches and blocks are some us early or\nlate; whether it depends on where blocks are placed; what it shows.\n\n",
    );
    let mut rooms = [0; 4];
    let made = chosen::all().into_iter().chain(scaled::all()).chain(more::all()).chain((0..random::COUNT).map(|index| {
        let (made, room) = random::draw(index);
        for (sum, has) in rooms.iter_mut().zip(room) {
            *sum += usize::from(has);
        }
        made
    }));
    for Made { name, about, draft } in made {
        let seen = Seen::of(&draft).unwrap_or_else(|error| panic!("{name}: {error}"));
        let placed = if margin::depends_on_placement(&draft, &seen) { "placement" } else { "-" };
        let margin = if margin::is_robust(&draft, &seen) { "holds" } else { "thin" };
        let length = format!("{}.{:02}", seen.end_ns / MS, seen.end_ns % MS / 10_000);
        writeln!(readme, "{name:<36} {length:>6} {:>6} {margin:<5} {placed:<9} {about}", seen.blocks()).unwrap();
        let text = write_scenario(&draft);
        assert_eq!(read_scenario(&text).unwrap(), draft, "{name}");
        fs::write(folder.join(format!("{name}.json")), text).unwrap();
    }
    let [waits, waves, shared, registers] = rooms;
    writeln!(readme, "\nOf {} random ones: {waits} have a kernel that waits for room, {waves} blocks that do;", random::COUNT).unwrap();
    writeln!(readme, "shared memory limits a kernel in {shared}, registers in {registers}.").unwrap();
    fs::write(folder.join("README"), readme).unwrap();
}
