//! A chip with an integrated GPU: CPU cores, caches, SMs, copy engine, memory.
//!
//! Depends on the parent, and on the built-in devices for what the GPU has. Source: [TX2] section 2.1 and Fig. 1; [EDF] sections III-A and
//! VI-C.

use super::{Look, Picture, Sheet};
use blockstep_sim::language::counted;
use blockstep_sim::scenario::DeviceDraft;
use blockstep_sim::scenario::device::BUILT_IN;

/// A part that can stand out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The CPU cores.
    Cpus,
    /// The GPU's multiprocessors.
    Sms,
    /// What copies beside them.
    CopyEngine,
    /// What all of them share.
    Memory,
}

impl Part {
    pub(super) fn read(word: &str) -> Option<Self> {
        [("cpus", Self::Cpus), ("sms", Self::Sms), ("copy-engine", Self::CopyEngine), ("memory", Self::Memory)]
            .into_iter()
            .find_map(|(name, part)| (name == word).then_some(part))
    }
}

/// CPU cores that share a cache.
struct Cluster {
    name: &'static str,
    cores: i32,
    /// Its L2 cache, where a source has its size.
    cache: Option<&'static str>,
}

/// What is known of a chip beside its GPU's limits.
struct Chip {
    /// The built-in device.
    id: &'static str,
    clusters: [Cluster; 2],
    cores_per_sm: u32,
    gpu_cache: &'static str,
    memory: &'static str,
}

/// The chips of the papers. Both are the same Parker: each has what its paper says.
const CHIPS: [Chip; 2] = [
    Chip {
        id: "tx2",
        clusters: [Cluster { name: "A57", cores: 4, cache: Some("2 MB") }, Cluster { name: "Denver", cores: 2, cache: Some("2 MB") }],
        cores_per_sm: 128,
        gpu_cache: "512 KB",
        memory: "8 GB",
    },
    Chip {
        id: "drivepx",
        clusters: [Cluster { name: "A57", cores: 4, cache: None }, Cluster { name: "Denver", cores: 2, cache: None }],
        cores_per_sm: 128,
        gpu_cache: "512 KB",
        memory: "LPDDR4",
    },
];

pub(super) fn draw(device: &DeviceDraft, part: Option<Part>) -> Option<Picture> {
    let DeviceDraft::BuiltIn(id) = device else { return None };
    let chip = CHIPS.iter().find(|chip| chip.id == *id)?;
    let gpu = BUILT_IN.iter().find(|device| device.id == *id)?.device();
    let is = |of: Part| Look::strong_if(part == Some(of));
    let mut sheet = Sheet::new(214);
    sheet.group((4, 4, 332, 154), "chip");
    let mut x = 12;
    for cluster in &chip.clusters {
        let columns = (cluster.cores + 1) / 2;
        let width = 16 + 40 * columns - 4;
        sheet.group((x, 24, width, 124), cluster.name);
        for core in 0..cluster.cores {
            sheet.boxed((x + 8 + 40 * (core % columns), 46 + 30 * (core / columns), 36, 26), &["core"], is(Part::Cpus));
        }
        let cache = cluster.cache.map_or_else(|| "L2".to_owned(), |size| format!("L2 {size}"));
        // One column of cores has no room for the size beside its name.
        let lines: Vec<&str> = if columns == 1 { cache.splitn(2, ' ').collect() } else { vec![&cache] };
        sheet.boxed((x + 8, 108, width - 16, 32), &lines, Look::Plain);
        sheet.line((x + width / 2, 140), (x + width / 2, 176), is(Part::Memory), false);
        x += width + 6;
    }
    let (left, width) = (x, 328 - x);
    sheet.group((left, 24, width, 124), "GPU");
    // The copy engine has no share of the cache in the sources' drawings.
    let of_sms = width - 16 - 56;
    let sms = i32::try_from(gpu.sms).ok()?;
    let each = (of_sms - 4 * (sms - 1)) / sms;
    let cores = chip.cores_per_sm.to_string();
    for sm in 0..sms {
        sheet.boxed((left + 8 + (each + 4) * sm, 46, each, 56), &[&format!("SM {sm}"), &cores, "cores"], is(Part::Sms));
    }
    let cache = format!("L2 {}", chip.gpu_cache);
    sheet.boxed((left + 8, 108, of_sms, 32), &[&cache], Look::Plain);
    sheet.line((left + 8 + of_sms / 2, 140), (left + 8 + of_sms / 2, 176), is(Part::Memory), false);
    let engine = left + width - 60;
    let engines = i32::try_from(gpu.copy_engines).ok()?;
    let tall = (94 - 4 * (engines - 1)) / engines;
    for copy in 0..engines {
        sheet.boxed((engine, 46 + (tall + 4) * copy, 52, tall), &["copy", "engine"], is(Part::CopyEngine));
    }
    sheet.line((engine + 26, 140), (engine + 26, 176), is(Part::Memory), false);
    sheet.boxed((4, 176, 332, 32), &[&format!("DRAM, {}, shared by all", chip.memory)], is(Part::Memory));
    let clusters: Vec<String> = chip
        .clusters
        .iter()
        .map(|of| {
            format!("{} {} cores{}", of.cores, of.name, of.cache.map_or_else(String::new, |size| format!(" with an L2 cache of {size}")))
        })
        .collect();
    let label = format!(
        "Block diagram of the chip: {}; a GPU of {} with {} cores each, an L2 cache of {} and {}. All of them share the DRAM, {}.",
        clusters.join("; "),
        counted(gpu.sms, "SM"),
        chip.cores_per_sm,
        chip.gpu_cache,
        counted(gpu.copy_engines, "copy engine"),
        chip.memory
    );
    Some(sheet.finish(label))
}
