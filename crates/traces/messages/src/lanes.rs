//! What lanes of a trace's timeline show.

use serde::{Deserialize, Serialize};

use blockstep_sim::units::Time;

/// What an operation of the device is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum OperationKind {
    /// A kernel.
    Kernel,
    /// A copy from host to device.
    HostToDevice,
    /// A copy from device to host.
    DeviceToHost,
    /// A copy within a device.
    DeviceToDevice,
    /// A copy from one device to another.
    PeerToPeer,
    /// Memory set to a value.
    Memset,
    /// Pages of unified memory that the driver moves, when they are asked for or fetched before: it has no call and no stream.
    Migration,
    /// A copy of another kind, or of one that the file does not tell.
    OtherCopy,
}

impl OperationKind {
    /// Whether it moves bytes over the bus, which is what copy engines are for.
    #[must_use]
    pub const fn is_transfer(self) -> bool {
        matches!(self, Self::HostToDevice | Self::DeviceToHost | Self::PeerToPeer)
    }
}

/// What a lane shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Of {
    /// Calls of a thread of the host.
    Calls {
        /// The thread's number in the file.
        thread: u64,
    },
    /// Operations of a stream, an index.
    Stream(u32),
    /// Copies of a device, an index, in one direction.
    Copies {
        /// The device.
        device: u32,
        /// The direction.
        kind: OperationKind,
    },
    /// How full the SMs of a device were, by estimate.
    Occupancy {
        /// The device, an index.
        device: u32,
    },
    /// What the end of a device's work waited for.
    Path {
        /// The device, an index.
        device: u32,
    },
}

/// What is drawn as one: an item, or several that are too narrow to be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LanePiece {
    /// The first item, an index of a call or of an operation.
    pub first: u32,
    /// The last one.
    pub last: u32,
    /// How many items.
    pub count: u32,
    /// When the first begins.
    pub from: Time,
    /// When the last ends.
    pub to: Time,
    /// How long they ran in all, ns; of levels, as much of that as was filled.
    pub busy_ns: u64,
}

/// The part of a timeline that is in sight.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sight {
    /// First instant.
    pub from: Time,
    /// End, excluded.
    pub to: Time,
    /// Pixels in between.
    pub px: u32,
}
