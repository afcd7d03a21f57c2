//! Streams and devices of a recording, by how a file names them.
//!
//! Invariants: what a file names alike is one stream, and stands at the place that it had first; page migrations share no stream with
//! operations that a program called for.

use std::collections::BTreeMap;

use super::StreamKey;
use crate::{ProfilerSource, RecordedDevice, RecordedStream, StreamKind};

/// Streams and devices, as operations name them.
pub(super) struct Streams {
    pub(super) places: BTreeMap<StreamKey, u32>,
    /// Where page migrations stand, by process, device and context.
    migrations: BTreeMap<(u64, u64, u64), u32>,
    pub(super) streams: Vec<RecordedStream>,
    pub(super) devices: Vec<RecordedDevice>,
    /// By the number of a device: its place.
    device_places: BTreeMap<u64, u32>,
    told: BTreeMap<StreamKey, (StreamKind, Option<i32>)>,
    /// Whether a number alone tells the NULL stream. Files of rocprofv3 say of streams or have none.
    assumes: bool,
}

impl Streams {
    pub(super) fn new(source: ProfilerSource, devices: Vec<RecordedDevice>, told: BTreeMap<StreamKey, (StreamKind, Option<i32>)>) -> Self {
        let mut device_places = BTreeMap::new();
        for (device, place) in devices.iter().zip(0..) {
            // Of several with a number the first is it.
            device_places.entry(device.id).or_insert(place);
        }
        Self {
            places: BTreeMap::new(),
            migrations: BTreeMap::new(),
            streams: Vec::new(),
            devices,
            device_places,
            told,
            assumes: source != ProfilerSource::Rocprof,
        }
    }

    pub(super) fn place(&mut self, key: StreamKey) -> u32 {
        if let Some(&place) = self.places.get(&key) {
            return place;
        }
        let told = self.told.get(&key).copied().filter(|(kind, _)| *kind != StreamKind::Unknown);
        let (kind, priority) = told.unwrap_or_else(|| {
            (if self.assumes { assumed(key) } else { StreamKind::Unknown }, self.told.get(&key).and_then(|told| told.1))
        });
        let place = self.add(key, kind, told.is_some(), priority);
        self.places.insert(key, place);
        place
    }

    /// Where page migrations of a context stand. The driver makes them, so that they are in no stream of the program, whatever its number.
    pub(super) fn migrations(&mut self, key: StreamKey) -> u32 {
        let context = (key.process, key.device, key.context);
        if let Some(&place) = self.migrations.get(&context) {
            return place;
        }
        let place = self.add(key, StreamKind::Migrations, true, None);
        self.migrations.insert(context, place);
        place
    }

    fn add(&mut self, key: StreamKey, kind: StreamKind, is_kind_recorded: bool, priority: Option<i32>) -> u32 {
        let place = u32::try_from(self.streams.len()).unwrap_or(u32::MAX);
        let device = *self.device_places.entry(key.device).or_insert_with(|| {
            self.devices.push(RecordedDevice { id: key.device, ..RecordedDevice::default() });
            u32::try_from(self.devices.len() - 1).unwrap_or(u32::MAX)
        });
        self.streams.push(RecordedStream {
            id: key.stream,
            process: key.process,
            device,
            context: key.context,
            kind,
            is_kind_recorded,
            priority,
            operations: Vec::new(),
        });
        place
    }
}

/// The NULL stream has number 7 in the first context and 15 in the second (measured; `docs/traces.md`), 0 in traces of AMD's devices.
const fn assumed(key: StreamKey) -> StreamKind {
    match (key.context, key.stream) {
        (1, 7) | (2, 15) | (_, 0) => StreamKind::Null,
        _ => StreamKind::Unknown,
    }
}
