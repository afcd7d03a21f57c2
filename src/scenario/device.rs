//! Devices: what one GPU offers, and the built-in ones as a table.
//!
//! Depends on `units`, `workload` and serde. Invariant: every limit of a [`Device`] is at least 1.
//! Sources: [TX2] section 3.2 for the TX2; NVIDIA's compute-capability tables for the others.

use serde::ser::SerializeMap;
use serde::{Deserialize, Serialize, Serializer};

use super::workload::Preemption;
use crate::units::written::Measure;

/// The limits of one GPU. In a file, those left out are the TX2's.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[cfg_attr(all(feature = "schema", not(target_arch = "wasm32")), derive(schemars::JsonSchema))]
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
    sms: u64,
    blocks_per_sm: u64,
    shared_kib_per_sm: u64,
    registers_per_block: u64,
    registers_per_thread: u64,
    copy_engines: u64,
    /// How its processes give way unless a scenario says otherwise (docs/semantics.md, section 6).
    pub preemption: Preemption,
}

/// 256 MiB in exactly 0.2 s: the paper gives no bandwidth, its insets (d) and (e) only bound it.
const COPY_BANDWIDTH: u64 = 1_342_177_280;

/// What a scenario may name. Threads per SM (2048), registers per SM (65536) and the limits of
/// a block (1024 threads, 48 KiB) are the same for all.
pub const BUILT_IN: [BuiltIn; 5] = [
    BuiltIn {
        id: "tx2",
        name: "Jetson TX2 (Pascal gp10b)",
        sms: 2,
        blocks_per_sm: 32,
        shared_kib_per_sm: 64,
        registers_per_block: 32_768,
        registers_per_thread: 255,
        copy_engines: 1,
        preemption: Preemption::Thread,
    },
    BuiltIn {
        id: "tx1",
        name: "Jetson TX1 (Maxwell gm20b)",
        sms: 2,
        blocks_per_sm: 32,
        shared_kib_per_sm: 64,
        registers_per_block: 32_768,
        registers_per_thread: 255,
        copy_engines: 1,
        preemption: Preemption::Block,
    },
    BuiltIn {
        id: "k5000",
        name: "Quadro K5000 (Kepler gk104)",
        sms: 8,
        blocks_per_sm: 16,
        shared_kib_per_sm: 48,
        registers_per_block: 65_536,
        registers_per_thread: 63,
        copy_engines: 2,
        preemption: Preemption::Kernel,
    },
    BuiltIn {
        id: "gtx1070",
        name: "GeForce GTX 1070 (Pascal gp104)",
        sms: 15,
        blocks_per_sm: 32,
        shared_kib_per_sm: 96,
        registers_per_block: 65_536,
        registers_per_thread: 255,
        copy_engines: 2,
        preemption: Preemption::Thread,
    },
    BuiltIn {
        id: "titanv",
        name: "Titan V (Volta gv100)",
        sms: 80,
        blocks_per_sm: 32,
        shared_kib_per_sm: 96,
        registers_per_block: 65_536,
        registers_per_thread: 255,
        copy_engines: 3,
        preemption: Preemption::Thread,
    },
];

/// Most SMs a custom device may have: an order of magnitude above today's largest GPU.
pub const MAX_SMS: u64 = 4096;

impl BuiltIn {
    /// The built-in device with this id.
    #[must_use]
    pub fn find(id: &str) -> Option<&'static Self> {
        BUILT_IN.iter().find(|d| d.id == id)
    }

    /// Its limits in full.
    #[must_use]
    pub fn device(&self) -> Device {
        Device {
            name: self.name.to_owned(),
            sms: self.sms,
            threads_per_sm: 2048,
            blocks_per_sm: self.blocks_per_sm,
            shared_memory_per_sm: self.shared_kib_per_sm * 1024,
            registers_per_sm: 65_536,
            max_threads_per_block: 1024,
            max_shared_memory_per_block: 48 * 1024,
            max_registers_per_block: self.registers_per_block,
            max_registers_per_thread: self.registers_per_thread,
            copy_engines: self.copy_engines,
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
