//! Exports of Nsight Systems: `nsys export --type sqlite`.
//!
//! Source: a measured export (schema 3.25) and the names of columns that other readers of such exports use; `docs/traces.md` lists what is
//! read.

use std::collections::BTreeMap;

use super::database::{Progress, SelectedRow, Tables, quoted};
use super::{MOST_NAMES, ProfileError, copies, diagnostics, spans};
use crate::build::{Builder, FoundCall, FoundOperation, FoundOverhead, FoundSpan, FoundWait, NO_TIME, StreamKey, limits};
use crate::{CallKind, Flaw, OperationKind, OverheadKind, ProfilerSource, RecordedDevice, RecordedLaunch, Recording, StreamKind};

/// Tables of the device's activity that are read.
const READ: [&str; 7] = [
    "CUPTI_ACTIVITY_KIND_KERNEL",
    "CUPTI_ACTIVITY_KIND_MEMCPY",
    "CUPTI_ACTIVITY_KIND_MEMSET",
    "CUPTI_ACTIVITY_KIND_RUNTIME",
    "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
    "CUPTI_ACTIVITY_KIND_CUDA_EVENT",
    "CUPTI_ACTIVITY_KIND_OVERHEAD",
];

/// Reads an export.
pub(super) fn read(tables: &Tables<'_>, progress: Progress<'_>) -> Result<Recording, ProfileError> {
    let mut found = NsightImport {
        builder: Builder::new(ProfilerSource::Nsight),
        names: BTreeMap::new(),
        devices: BTreeMap::new(),
        waiting: BTreeMap::new(),
        progress,
    };
    let export = Export { tables };
    export.read(&mut found)?;
    let nothing = export.nothing(&found.builder);
    found.builder.finish().ok_or(nothing)
}

/// What is put together while reading.
pub(super) struct NsightImport<'w> {
    pub(super) builder: Builder,
    /// Names in the builder by their ids in the file.
    names: BTreeMap<i64, u32>,
    /// The device of each context: process, context.
    devices: BTreeMap<(u64, u64), u64>,
    /// Calls that have the host or a stream wait, by process and what joins them with a record of the wait; whether it is a stream.
    waiting: BTreeMap<(u64, u64), bool>,
    progress: Progress<'w>,
}

pub(super) struct Export<'c> {
    tables: &'c Tables<'c>,
}

/// The process within a serialized global id.
fn process(cells: &SelectedRow<'_>, place: usize) -> u64 {
    cells.integer(place).map_or(0, |id| id.unsigned_abs() >> 24 & 0xff_ffff)
}

/// Where an operation ran, from device, context, stream and global id at these places on.
fn stream(cells: &SelectedRow<'_>, place: usize) -> StreamKey {
    let number = |place| cells.number(place).unwrap_or(0);
    StreamKey { process: process(cells, place + 3), device: number(place), context: number(place + 1), stream: number(place + 2) }
}

impl Export<'_> {
    fn has(&self, table: &str, column: &str) -> bool {
        self.tables.has(table, column)
    }

    /// Every row of a table, if it is there; columns that it lacks are NULL. Returns whether there were rows.
    pub(super) fn rows(
        &self,
        table: &str,
        columns: &[&str],
        found: &mut NsightImport<'_>,
        row: &mut dyn FnMut(&SelectedRow<'_>, &mut NsightImport<'_>) -> Result<(), ProfileError>,
    ) -> Result<bool, ProfileError> {
        if !self.tables.columns.contains_key(table) {
            return Ok(false);
        }
        let query = format!("SELECT {} FROM \"{table}\"", self.tables.asked(table, "", columns));
        self.tables.each(&query, &mut |cells| {
            found.progress.step(found.builder.entries())?;
            row(cells, found)
        })
    }

    fn read(&self, found: &mut NsightImport<'_>) -> Result<(), ProfileError> {
        self.kernels(found)?;
        self.copies(found)?;
        self.calls(found)?;
        self.waits(found)?;
        self.overheads(found)?;
        self.ranges(found)?;
        self.streams(found)?;
        self.gpus(found)?;
        diagnostics::read(self, found)?;
        self.unread(found)
    }

    /// What to say if no operation of a device is in it.
    fn nothing(&self, found: &Builder) -> ProfileError {
        let has = |start: &str| self.tables.columns.keys().any(|table| table.starts_with(start));
        if !has("TARGET_INFO_") && !has("CUPTI_ACTIVITY_KIND_") && !has("NVTX_EVENTS") {
            return self.tables.nothing();
        }
        let has_operations = ["KERNEL", "MEMCPY", "MEMSET"].iter().any(|kind| has(&format!("CUPTI_ACTIVITY_KIND_{kind}")));
        let missing = match () {
            () if found.has_calls() => "it has calls of CUDA, and nothing that they ran",
            () if has_operations => "its tables of CUDA's activities are empty",
            () if !has("TARGET_INFO_GPU") => {
                "it has no tables of CUDA's activities (CUPTI_ACTIVITY_KIND_KERNEL and others), nor of a GPU (TARGET_INFO_GPU)"
            }
            () => "it has no tables of CUDA's activities (CUPTI_ACTIVITY_KIND_KERNEL and others)",
        };
        let said = found.messages().first().map_or(String::new(), |message| format!(". It says itself: \"{}\"", message.text));
        ProfileError::NoDevice { missing, said }
    }

    /// Counts what the file has of the device beyond what is read.
    fn unread(&self, found: &mut NsightImport<'_>) -> Result<(), ProfileError> {
        let (mut graphs, mut rows) = (0, 0);
        for table in self.tables.columns.keys().filter(|table| table.starts_with("CUPTI_ACTIVITY_KIND_") && !READ.contains(&table.as_str()))
        {
            let mut count = 0;
            self.tables.database.rows(&format!("SELECT COUNT(*) FROM {}", quoted(table)), &mut |row| {
                count = row.integer(0).and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
                false
            })?;
            *(if table.ends_with("_GRAPH_TRACE") { &mut graphs } else { &mut rows }) += count;
        }
        for (flaw, count) in [(Flaw::GraphsWhole as fn(u64) -> Flaw, graphs), (Flaw::UnreadRows, rows)] {
            if count > 0 {
                found.builder.add_flaw(flaw(count));
            }
        }
        Ok(())
    }

    /// Ranges that the program marked by NVTX; one that ends in another thread says nothing of either.
    fn ranges(&self, found: &mut NsightImport<'_>) -> Result<(), ProfileError> {
        /// Types of events: pushed and popped, and started and ended.
        const RANGES: [i64; 2] = [59, 60];
        let columns = ["start", "end", "eventType", "globalTid", "endGlobalTid", "textId", "text"];
        self.rows("NVTX_EVENTS", &columns, found, &mut |cells, found| {
            let (Some(start), Some(end), Some(thread)) = (cells.integer(0), cells.integer(1), cells.integer(3)) else { return Ok(()) };
            let is_range = cells.integer(2).is_some_and(|kind| RANGES.contains(&kind));
            if !is_range || cells.integer(4).is_some_and(|other| other != 0 && other != thread) {
                return Ok(());
            }
            let text = match (cells.text(6), cells.integer(5)) {
                (Some(text), _) => text,
                (None, None) => return Ok(()),
                (None, id) => {
                    let name = self.name(id, found)?;
                    found.builder.name(name).to_owned()
                }
            };
            let (sort, name) = spans::of_range(&text);
            let name = found.builder.add_name(&name);
            if found.builder.name_bytes() > MOST_NAMES {
                return Err(ProfileError::Names);
            }
            let (process, thread) = (process(cells, 3), thread.unsigned_abs() & 0xff_ffff);
            found.builder.add_span(FoundSpan { sort, name, process, thread, start, end });
            Ok(())
        })?;
        Ok(())
    }

    /// What the driver and the profiler took for themselves. The driver's stand in a table of CUPTI, with the call (measured in schemas
    /// 3.24.14 and 3.25).
    fn overheads(&self, found: &mut NsightImport<'_>) -> Result<(), ProfileError> {
        let columns = ["start", "end", "overheadType", "globalTid", "correlationId"];
        for table in ["CUPTI_ACTIVITY_KIND_OVERHEAD", "PROFILER_OVERHEAD"] {
            self.rows(table, &columns, found, &mut |cells, found| {
                let kind = match cells.integer(2) {
                    Some(2 | 6 | 7) => OverheadKind::Loading,
                    Some(8) => OverheadKind::QueueFull,
                    Some(3..=5) => OverheadKind::Profiler,
                    _ => OverheadKind::Other,
                };
                if let (Some(start), Some(end)) = (cells.integer(0), cells.integer(1)) {
                    let correlation = cells.number(4).filter(|&id| id > 0);
                    found.builder.add_overhead(FoundOverhead { kind, process: process(cells, 3), correlation, start, end });
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn kernels(&self, found: &mut NsightImport<'_>) -> Result<(), ProfileError> {
        let columns = [
            "start",
            "end",
            "deviceId",
            "contextId",
            "streamId",
            "globalPid",
            "correlationId",
            "graphNodeId",
            "demangledName",
            "shortName",
            "registersPerThread",
            "gridX",
            "gridY",
            "gridZ",
            "blockX",
            "blockY",
            "blockZ",
            "staticSharedMemory",
            "dynamicSharedMemory",
            "channelId",
        ];
        self.rows("CUPTI_ACTIVITY_KIND_KERNEL", &columns, found, &mut |cells, found| {
            let name = self.name(cells.integer(8).or(cells.integer(9)), found)?;
            let three = |place: usize| Some([cells.small(place)?, cells.small(place + 1)?, cells.small(place + 2)?]);
            let shared = |place| cells.small(place).unwrap_or(0);
            let launch = three(11).zip(three(14)).map(|(grid, block)| RecordedLaunch {
                grid,
                block,
                registers: cells.small(10).unwrap_or(0),
                shared: shared(17).saturating_add(shared(18)),
            });
            operation(cells, found, (OperationKind::Kernel, name), launch, None, cells.small(19));
            Ok(())
        })?;
        Ok(())
    }

    /// What the file calls the kinds of something, by number.
    fn named(&self, table: &str, found: &mut NsightImport<'_>) -> Result<BTreeMap<i64, copies::Named>, ProfileError> {
        let mut named: BTreeMap<i64, copies::Named> = BTreeMap::new();
        self.rows(table, &["id", "name", "label"], found, &mut |cells, _| {
            if let Some(code) = cells.integer(0).filter(|_| named.len() < copies::MOST_KINDS) {
                named.insert(code, copies::Named { name: cells.text(1), label: cells.text(2) });
            }
            Ok(())
        })?;
        Ok(named)
    }

    fn copies(&self, found: &mut NsightImport<'_>) -> Result<(), ProfileError> {
        let (named, memory) = (self.named("ENUM_CUDA_MEMCPY_OPER", found)?, self.named("ENUM_CUDA_MEM_KIND", found)?);
        let columns = [
            "start",
            "end",
            "deviceId",
            "contextId",
            "streamId",
            "globalPid",
            "correlationId",
            "graphNodeId",
            "bytes",
            "copyKind",
            "srcKind",
            "dstKind",
        ];
        self.rows("CUPTI_ACTIVITY_KIND_MEMCPY", &columns, found, &mut |cells, found| {
            let code = cells.integer(9);
            let Some((kind, name)) = copies::kind(code, code.and_then(|code| named.get(&code))) else { return Ok(()) };
            let name = copies::with_memory(kind, name, [cells.integer(10), cells.integer(11)], &memory);
            let name = found.builder.add_name(&name);
            if found.builder.name_bytes() > MOST_NAMES {
                return Err(ProfileError::Names);
            }
            operation(cells, found, (kind, name), None, cells.number(8), None);
            Ok(())
        })?;
        self.rows("CUPTI_ACTIVITY_KIND_MEMSET", &columns[..9], found, &mut |cells, found| {
            let name = found.builder.add_name("Memset");
            operation(cells, found, (OperationKind::Memset, name), None, cells.number(8), None);
            Ok(())
        })?;
        Ok(())
    }

    fn calls(&self, found: &mut NsightImport<'_>) -> Result<(), ProfileError> {
        let columns = ["start", "end", "globalTid", "correlationId", "nameId"];
        self.rows("CUPTI_ACTIVITY_KIND_RUNTIME", &columns, found, &mut |cells, found| {
            let name = self.name(cells.integer(4), found)?;
            let (Some(start), Some(end)) = (cells.integer(0), cells.integer(1)) else { return Ok(()) };
            let thread = cells.integer(2).map_or(0, |id| id.unsigned_abs() & 0xff_ffff);
            let (process, correlation) = (process(cells, 2), cells.number(3));
            if let Some((id, is_stream)) = correlation.zip(match CallKind::from_name(found.builder.name(name)) {
                CallKind::StreamWait => Some(true),
                CallKind::HostWait => Some(false),
                _ => None,
            }) {
                found.waiting.insert((process, id), is_stream);
            }
            found.builder.add_call(FoundCall { name, process, thread, start, end, correlation });
            Ok(())
        })?;
        Ok(())
    }

    /// Waits of streams for events; where the events were recorded stands in a table of its own, which is mostly empty.
    fn waits(&self, found: &mut NsightImport<'_>) -> Result<(), ProfileError> {
        let mut records: BTreeMap<(u64, u64), (u64, Option<u64>)> = BTreeMap::new();
        let columns = ["globalPid", "eventSyncId", "streamId", "correlationId"];
        self.rows("CUPTI_ACTIVITY_KIND_CUDA_EVENT", &columns, found, &mut |cells, found| {
            if records.len() > found.progress.most {
                return Err(ProfileError::Entries { most: found.progress.most });
            }
            if let (Some(id), Some(stream)) = (cells.number(1).filter(|&id| id > 0), cells.number(2)) {
                records.insert((process(cells, 0), id), (stream, cells.number(3)));
            }
            Ok(())
        })?;
        let columns = ["start", "syncType", "deviceId", "contextId", "streamId", "globalPid", "correlationId", "eventSyncId", "eventId"];
        let stream_wait = self.stream_wait()?;
        let has_event_id = self.has("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "eventId");
        let any = self.rows("CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", &columns, found, &mut |cells, found| {
            let (stream, correlation) = (stream(cells, 2), cells.number(6));
            let is_typed = || cells.integer(1) == Some(stream_wait) && (cells.number(8).is_some() || !has_event_id);
            // The name of the call says it in every version.
            let by_call = correlation.and_then(|id| found.waiting.get(&(stream.process, id)).copied());
            let Some(start) = cells.integer(0).filter(|_| by_call.unwrap_or_else(is_typed)) else { return Ok(()) };
            let source = cells.number(7).and_then(|id| records.get(&(stream.process, id)));
            let (source, record) = source.map_or((None, None), |&(stream, record)| (Some(stream), record));
            found.builder.add_wait(FoundWait { stream, start, correlation, source, record });
            Ok(())
        })?;
        if any {
            found.builder.records_waits();
        }
        Ok(())
    }

    /// The `syncType` of a stream that waits for an event: 2, and 1 before schema 3.25 (measured in 3.24.14).
    fn stream_wait(&self) -> Result<i64, String> {
        if !self.has("META_DATA_EXPORT", "value") || !self.has("META_DATA_EXPORT", "name") {
            return Ok(2);
        }
        let mut version = None;
        let query = "SELECT value FROM META_DATA_EXPORT WHERE name = 'EXPORT_SCHEMA_VERSION'";
        self.tables.database.rows(query, &mut |row| {
            let text = row.text(0).unwrap_or_default();
            let mut parts = text.split('.').map_while(|part| part.parse::<u32>().ok());
            version = parts.next().zip(parts.next());
            false
        })?;
        Ok(if version.is_some_and(|version| version < (3, 25)) { 1 } else { 2 })
    }

    /// What the file says of streams; the device of a context is that of its operations.
    fn streams(&self, found: &mut NsightImport<'_>) -> Result<(), ProfileError> {
        let key = |cells: &SelectedRow<'_>, found: &NsightImport<'_>| {
            let (process, context) = (cells.number(0)?, cells.number(1)?);
            let device = *found.devices.get(&(process, context))?;
            Some(StreamKey { process, device, context, stream: cells.number(2)? })
        };
        let columns = ["processId", "contextId", "streamId", "flag", "priority"];
        self.rows("TARGET_INFO_CUDA_STREAM", &columns, found, &mut |cells, found| {
            let Some(key) = key(cells, found) else { return Ok(()) };
            let kind = match cells.integer(3) {
                Some(1) => StreamKind::Blocking,
                Some(2) => StreamKind::NonBlocking,
                Some(3) => StreamKind::Null,
                _ => StreamKind::Unknown,
            };
            // 4,294,967,295 is -1.
            let priority = cells.integer(4).and_then(|n| u32::try_from(n).ok()).map(u32::cast_signed);
            found.builder.add_stream(key, kind, priority);
            Ok(())
        })?;
        for (table, stream) in [("TARGET_INFO_CUDA_CONTEXT_INFO", "nullStreamId"), ("TARGET_INFO_CUDA_NULL_STREAM", "streamId")] {
            self.rows(table, &["processId", "contextId", stream], found, &mut |cells, found| {
                if let Some(key) = key(cells, found) {
                    found.builder.add_stream(key, StreamKind::Null, None);
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn gpus(&self, found: &mut NsightImport<'_>) -> Result<(), ProfileError> {
        // Which of the system's GPUs a number of the program means.
        let mut of_gpu: BTreeMap<u64, u64> = BTreeMap::new();
        self.rows("TARGET_INFO_CUDA_DEVICE", &["gpuId", "cudaId"], found, &mut |cells, _| {
            of_gpu.extend(cells.number(0).zip(cells.number(1)));
            Ok(())
        })?;
        let columns = [
            "id",
            "name",
            "computeMajor",
            "computeMinor",
            "smCount",
            "maxWarpsPerSm",
            "maxRegistersPerSm",
            "maxShmemPerSm",
            "cuDevice",
            "asyncEngines",
        ];
        self.rows("TARGET_INFO_GPU", &columns, found, &mut |cells, found| {
            let Some(gpu) = cells.number(0) else { return Ok(()) };
            let id = of_gpu.get(&gpu).copied().or(cells.number(8)).unwrap_or(gpu);
            let capability = cells.small(2).zip(cells.small(3));
            let threads = cells.small(5).and_then(|warps| warps.checked_mul(32));
            let limits = limits(capability, threads, cells.small(6), cells.small(7));
            let (sms, copy_engines) = (cells.small(4), cells.small(9).filter(|&engines| engines > 0));
            found.builder.add_device(RecordedDevice { id, name: cells.text(1), capability, limits, sms, copy_engines });
            Ok(())
        })?;
        Ok(())
    }

    /// The name with an id.
    fn name(&self, id: Option<i64>, found: &mut NsightImport<'_>) -> Result<u32, ProfileError> {
        let Some(id) = id.filter(|_| self.has("StringIds", "value")) else { return Ok(found.builder.add_name("unnamed")) };
        if let Some(&name) = found.names.get(&id) {
            return Ok(name);
        }
        let text = self.tables.text("StringIds", "value", id)?.unwrap_or_else(|| "unnamed".to_owned());
        let name = found.builder.add_name(&text);
        if found.builder.name_bytes() > MOST_NAMES {
            return Err(ProfileError::Names);
        }
        found.names.insert(id, name);
        Ok(name)
    }
}

/// Adds an operation whose row begins with start, end, device, context, stream, global id, correlation and node of a graph.
fn operation(
    cells: &SelectedRow<'_>,
    found: &mut NsightImport<'_>,
    (kind, name): (OperationKind, u32),
    launch: Option<RecordedLaunch>,
    bytes: Option<u64>,
    channel: Option<u32>,
) {
    let stream = stream(cells, 2);
    found.devices.entry((stream.process, stream.context)).or_insert(stream.device);
    let (start, end) = (cells.integer(0).unwrap_or(NO_TIME), cells.integer(1).unwrap_or(NO_TIME));
    let (correlation, is_node) = (cells.number(6), cells.number(7).is_some_and(|id| id > 0));
    found.builder.add_operation(FoundOperation { kind, name, stream, start, end, correlation, launch, bytes, channel, is_node });
}
