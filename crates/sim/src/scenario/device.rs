//! Devices: what one GPU offers, and the built-in ones as a table.
//!
//! Depends on `units`, `occupancy`, `workload` and serde. Invariant: every limit of a [`Device`] is at least 1.
//! Sources: [TX2] section 3.2 for the TX2; NVIDIA's compute-capability tables and data sheets for the others.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::workload::Preemption;
use crate::occupancy::Limits;
use crate::units::written::Measure;

/// The limits of one GPU. In a file, those left out are the TX2's.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(not(target_arch = "wasm32"), derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Device {
    /// Shown to the user.
    pub name: String,
    /// Streaming multiprocessors.
    pub sms: u64,
    /// Threads resident on one SM at once (R2).
    pub threads_per_sm: u64,
    /// Blocks resident on one SM at once (R1).
    pub blocks_per_sm: u64,
    /// Bytes of shared memory of one SM (R3).
    pub shared_memory_per_sm: u64,
    /// Registers of one SM (R1).
    pub registers_per_sm: u64,
    /// Largest block, in threads.
    pub max_threads_per_block: u64,
    /// Most shared memory of one block, in bytes.
    pub max_shared_memory_per_block: u64,
    /// Most registers of one block.
    pub max_registers_per_block: u64,
    /// Most registers of one thread.
    pub max_registers_per_thread: u64,
    /// Copy engines; at most two are used.
    pub copy_engines: u64,
    /// Bytes a copy engine moves in a second.
    pub copy_bandwidth_bytes_per_s: u64,
}

/// The name, and what differs from the TX2.
impl Serialize for Device {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let tx2 = Self::default();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", &self.name)?;
        for limit in LIMITS.iter().filter(|limit| (limit.get)(self) != (limit.get)(&tx2)) {
            map.serialize_entry(limit.field, &(limit.get)(self))?;
        }
        map.end()
    }
}

/// One built-in device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BuiltIn {
    /// The id a scenario names.
    pub id: &'static str,
    /// Its name in full.
    pub name: &'static str,
    /// What its compute capability says of an SM and of a block.
    pub limits: Limits,
    sms: u64,
    copy_engines: u64,
    /// Bytes a second of each.
    copy_bandwidth: u64,
    /// How its processes give way unless a scenario says otherwise (docs/semantics.md, section 6).
    pub preemption: Preemption,
    /// How far it is known to follow the rules.
    pub evidence: Evidence,
}

/// How far a GPU is known to follow the rules (docs/semantics.md, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// They were found on it.
    Found,
    /// They were found on the TX2, and logs of a run on this GPU break none.
    Checked,
    /// `blockstep measure` ran on it (docs/measured.md).
    Measured,
    /// They were found on the TX2; another study covers a part of them on this GPU.
    PartlyFound,
    /// Only its limits are known.
    DataSheet,
    /// It is no built-in device, so that nothing is known of it.
    Own,
}

impl Serialize for Evidence {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.word())
    }
}

impl Evidence {
    /// Its spelling in files.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Checked => "checked",
            Self::Measured => "measured",
            Self::PartlyFound => "partly_found",
            Self::DataSheet => "data_sheet",
            Self::Own => "own",
        }
    }

    /// Which rules a run on such a device goes by, after `Rules`; `None` where they were found, checked or measured on it.
    #[must_use]
    pub const fn rules(self) -> Option<&'static str> {
        match self {
            Self::Found | Self::Checked | Self::Measured => None,
            Self::PartlyFound => Some("as found on the TX2, only some of which are known for this GPU"),
            Self::DataSheet => Some("as found on the TX2, not measured on this GPU"),
            Self::Own => Some("as found on the TX2, which this GPU may not follow"),
        }
    }

    /// The same as a sentence, with where the limits come from.
    #[must_use]
    pub fn sentence(self) -> Option<String> {
        let limits = if self == Self::Own { "as set in the scenario" } else { "from the data sheet" };
        self.rules().map(|rules| format!("Limits {limits}; rules {rules}."))
    }

    /// What is known of a GPU with this name, as a driver tells it: `NVIDIA GeForce GTX 1070`.
    #[must_use]
    pub fn of_gpu(name: &str) -> Self {
        let words = |name: &str| -> Vec<String> {
            name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
        };
        let told: Vec<String> = words(name).into_iter().filter(|word| word != "nvidia").collect();
        if told == ["tegra", "x2"] {
            return Self::Found;
        }
        let is_it = |built_in: &&BuiltIn| {
            let own = words(built_in.name);
            !told.is_empty() && told.iter().all(|word| own.contains(word))
        };
        BUILT_IN.iter().find(is_it).map_or(Self::DataSheet, |built_in| built_in.evidence)
    }
}

/// 256 MiB in exactly 0.2 s: the paper gives no bandwidth, its insets (d) and (e) only bound it.
const COPY_BANDWIDTH: u64 = 1_342_177_280;

/// How many of [`BUILT_IN`], from the first on, are GPUs of the papers.
pub const OF_THE_PAPERS: usize = 3;

/// What a scenario may name: the GPUs of the papers, then at least one for each other compute capability.
pub const BUILT_IN: [BuiltIn; 21] = {
    use Evidence::{Checked, Found, Measured, PartlyFound};
    use Preemption::{Block, Kernel, Thread};
    [
        BuiltIn { evidence: Found, ..built_in("tx2", "Jetson TX2 (Pascal gp10b)", (6, 2), 2, 1, Thread) },
        BuiltIn { evidence: PartlyFound, ..built_in("tx1", "Jetson TX1 (Maxwell gm20b)", (5, 3), 2, 1, Block) },
        BuiltIn { evidence: PartlyFound, ..built_in("drivepx", "Drive PX AutoCruise (Pascal gp10b)", (6, 2), 2, 1, Thread) },
        BuiltIn { evidence: Checked, ..built_in("k5000", "Quadro K5000 (Kepler gk104)", (3, 0), 8, 2, Kernel) },
        BuiltIn { evidence: PartlyFound, ..built_in("gtx1070", "GeForce GTX 1070 (Pascal gp104)", (6, 1), 15, 2, Thread) },
        BuiltIn::TITAN_V,
        built_in("tk1", "Jetson TK1 (Kepler gk20a)", (3, 2), 1, 1, Kernel),
        built_in("k40", "Tesla K40 (Kepler gk110b)", (3, 5), 15, 2, Kernel),
        built_in("k80", "Tesla K80, one of its two GPUs (Kepler gk210)", (3, 7), 13, 2, Kernel),
        built_in("gtx750ti", "GeForce GTX 750 Ti (Maxwell gm107)", (5, 0), 5, 2, Block),
        built_in("gtx980", "GeForce GTX 980 (Maxwell gm204)", (5, 2), 16, 2, Block),
        built_in("p100", "Tesla P100 (Pascal gp100)", (6, 0), 56, 2, Thread),
        built_in("xavier", "Jetson AGX Xavier (Volta gv11b)", (7, 2), 8, 1, Thread),
        built_in("t4", "Tesla T4 (Turing tu104)", (7, 5), 40, 2, Thread),
        built_in("a100", "A100 (Ampere ga100)", (8, 0), 108, 2, Thread),
        built_in("rtx3090", "GeForce RTX 3090 (Ampere ga102)", (8, 6), 82, 2, Thread),
        built_in("orin", "Jetson AGX Orin (Ampere ga10b)", (8, 7), 16, 1, Thread),
        built_in("rtx4090", "GeForce RTX 4090 (Ada ad102)", (8, 9), 128, 2, Thread),
        built_in("h100", "H100 SXM (Hopper gh100)", (9, 0), 132, 2, Thread),
        BuiltIn {
            evidence: Measured,
            copy_bandwidth: 55_000_000_000,
            ..built_in("h200", "H200 SXM (Hopper gh100)", (9, 0), 132, 3, Thread)
        },
        built_in("b200", "B200 (Blackwell gb100)", (10, 0), 148, 2, Thread),
    ]
};

const fn built_in(
    id: &'static str,
    name: &'static str,
    capability: (u32, u32),
    sms: u64,
    copy_engines: u64,
    preemption: Preemption,
) -> BuiltIn {
    // Found out when this is compiled.
    let Some(limits) = Limits::at_capability(capability) else { panic!("the tables have this compute capability") };
    BuiltIn { id, name, limits, sms, copy_engines, copy_bandwidth: COPY_BANDWIDTH, preemption, evidence: Evidence::DataSheet }
}

/// Most SMs a custom device may have: an order of magnitude above today's largest GPU.
pub const MAX_SMS: u64 = 4096;

impl BuiltIn {
    /// The Titan V, which stands for a GPU that nothing is known of.
    pub const TITAN_V: Self = built_in("titanv", "Titan V (Volta gv100)", (7, 0), 80, 3, Preemption::Thread);

    /// The built-in device with this id.
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Self> {
        BUILT_IN.iter().find(|d| d.id == id)
    }

    /// Its limits in full.
    #[must_use]
    pub fn device(&self) -> Device {
        let Self { sms, copy_engines, copy_bandwidth, .. } = *self;
        Device { sms, copy_engines, copy_bandwidth_bytes_per_s: copy_bandwidth, ..Device::with_one_sm(self.name.to_owned(), &self.limits) }
    }
}

impl Device {
    /// The built-in device that it is, if it is one.
    #[must_use]
    pub fn built_in(&self) -> Option<&'static BuiltIn> {
        BUILT_IN.iter().find(|built_in| built_in.name == self.name && built_in.device() == *self)
    }

    /// How far it is known to follow the rules.
    #[must_use]
    pub fn evidence(&self) -> Evidence {
        self.built_in().map_or(Evidence::Own, |built_in| built_in.evidence)
    }

    /// One SM with these limits, and one copy engine.
    #[must_use]
    pub fn with_one_sm(name: String, limits: &Limits) -> Self {
        Self {
            name,
            sms: 1,
            threads_per_sm: limits.threads.into(),
            blocks_per_sm: limits.blocks.into(),
            shared_memory_per_sm: limits.shared.into(),
            registers_per_sm: limits.registers.into(),
            max_threads_per_block: 1024,
            max_shared_memory_per_block: limits.shared_of_block.into(),
            max_registers_per_block: limits.registers_of_block.into(),
            max_registers_per_thread: limits.registers_of_thread.into(),
            copy_engines: 1,
            copy_bandwidth_bytes_per_s: COPY_BANDWIDTH,
        }
    }
}

impl Default for Device {
    /// The TX2.
    fn default() -> Self {
        BUILT_IN[0].device()
    }
}

/// A field of [`Device`] that is a number, for readers and editors that go through them all.
#[derive(Clone, Copy)]
pub struct Limit {
    /// The field's name in a scenario.
    pub field: &'static str,
    /// What it is a number of.
    pub measure: Measure,
    /// Reads it.
    pub get: fn(&Device) -> u64,
    /// Sets it.
    pub set: fn(&mut Device, u64),
    /// The largest value accepted.
    pub max: u64,
}

macro_rules! limits {
    ($($field:ident: $measure:ident <= $max:expr),* $(,)?) => {
        /// Every numeric field of a device, in the order of the format.
        pub const LIMITS: &[Limit] = &[$(Limit {
            field: stringify!($field),
            measure: Measure::$measure,
            get: |d| d.$field,
            set: |d, v| d.$field = v,
            max: $max,
        }),*];
    };
}

limits! {
    sms: Count <= MAX_SMS,
    threads_per_sm: Count <= u32::MAX as u64,
    blocks_per_sm: Count <= 65_536,
    shared_memory_per_sm: Bytes <= u64::MAX,
    registers_per_sm: Count <= u64::MAX,
    max_threads_per_block: Count <= u32::MAX as u64,
    max_shared_memory_per_block: Bytes <= u64::MAX,
    max_registers_per_block: Count <= u64::MAX,
    max_registers_per_thread: Count <= u32::MAX as u64,
    copy_engines: Count <= 64,
    copy_bandwidth_bytes_per_s: BytesPerSecond <= u64::MAX,
}
