//! What a file may have: nothing that is read as a whole is longer than its limit, wherever it stands, and many devices and streams are
//! told as few are.

use std::io::{self, Read};

use blockstep_traces::causes::{Analysis, Cause, KnownSettings};
use blockstep_traces::files::{ProfileError, Refused, read_profile, read_profile_within, to_export};
use blockstep_traces::path::{self, MOST_PATHS, SURE_PATHS};
use blockstep_traces::{RecordedStream, StreamKind};

use serde_json::json;

use super::{Made, parts_of, read};

const TEXT: usize = 1_000_000;
const EVENT: u64 = 16_000_000;

/// A beginning, and then the same forever. It counts what was read of it.
struct Endless<'u> {
    left: Vec<u8>,
    again: &'u str,
    read: u64,
}

impl Read for Endless<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.left.is_empty() {
            self.left = self.again.repeat(10_000).into();
        }
        let length = into.len().min(self.left.len());
        into[..length].copy_from_slice(&self.left[..length]);
        self.left.drain(..length);
        self.read += length as u64;
        Ok(length)
    }
}

/// Why a file is refused that goes on forever, and how many bytes of it were read.
fn refused(beginning: &str, again: &str) -> (ProfileError, u64) {
    let mut file = Endless { left: beginning.into(), again, read: 0 };
    let why = read_profile(&mut file, &mut |_| true).unwrap_err();
    (why, file.read)
}

#[test]
fn profile_what_is_read_as_a_whole_has_a_limit() {
    let event = r#"{"traceEvents":[{"ph":"X","#;
    let at = |text: &str| text.len() as u64;
    for (beginning, again, expected) in [
        (format!("{event}\"name\":\""), "a", Refused::Text(at(event) + 7)),
        (format!("{event}\"name\":\""), "\\\"", Refused::Text(at(event) + 7)),
        (format!("{event}\"name\":\""), "\u{1f600}\u{1}", Refused::Text(at(event) + 7)),
        // Quotes that are not escaped are mended, and the text goes on.
        (format!("{event}\"name\":\""), "a\"b", Refused::Text(at(event) + 7)),
        (format!("{event}\""), "a", Refused::Text(at(event))),
        (format!("{event}\"ts\":"), "1", Refused::Bare(at(event) + 5)),
        (format!("{event}\"ts\":"), " ", Refused::Bare(at(event) + 5)),
        (event.to_owned(), "\n", Refused::Bare(at(event))),
        (format!("{event}\"args\":{{\"a\":["), "\"a text of some length\",", Refused::Event(16)),
        (r#"[{"ph":["#.to_owned(), "[12345678, {}],", Refused::Event(1)),
        (r#"{"deviceProperties":[{"a":["#.to_owned(), "{\"some key\": 12345678},", Refused::Event(21)),
        (r#"{"traceEvents":["#.to_owned(), "[", Refused::Deep(16 + 510)),
        (r#"{"other":"#.to_owned(), "{\"a\":", Refused::Deep(9 + 511 * 5)),
    ] {
        let (why, read) = refused(&beginning, again);
        assert!(why.to_string().contains(" at byte "), "its place is said: {why}");
        let ProfileError::Refused { events: 0, refused } = why else { panic!("{beginning}{again}: {why}") };
        assert_eq!(refused, expected, "{beginning}{again}");
        let most = if matches!(refused, Refused::Event(_)) { EVENT } else { TEXT as u64 };
        assert!(read <= most + 1_000_000, "{beginning}{again}: {read} bytes were read");
    }
}

#[test]
fn profile_what_is_within_the_limits_is_read() {
    let mut made = Made::default();
    made.kernel(&"a".repeat(TEXT - 2), 20, 0, (8, 500));
    assert_eq!(made.read().0.names[1].len(), TEXT - 2);
    made.kernel(&"b".repeat(TEXT), 20, 0, (8, 500));
    let why = read_profile(made.text().as_bytes(), &mut |_| true).unwrap_err().to_string();
    assert!(why.contains("(events read: 3)") && why.ends_with("is longer than 1000000 bytes"), "{why}");
    // What is passed over has no limit as a whole, and brackets beside each other are not deep.
    let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let text = Made::default().kernel("A", 20, 0, (8, 500)).text();
    let with = |value: &str| text.replacen('{', &format!("{{\"other\":{value},"), 1);
    assert_eq!(read(&with(&format!("[{}0]", format!("{},", deep(500)).repeat(2_000)))).0.operations.len(), 1);
    assert_eq!(read(&with(&deep(511))).0.operations.len(), 1);
    assert!(matches!(read_profile(with(&deep(512)).as_bytes(), &mut |_| true), Err(ProfileError::Refused { .. })));
}

/// Each name is short enough, and all together are not.
#[test]
fn profile_names_have_a_limit_together() {
    /// Events with names of their own forever.
    struct Names {
        next: u64,
        left: Vec<u8>,
    }
    impl Read for Names {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            if self.left.is_empty() {
                self.next += 1;
                let event = format!(r#"{{"ph":"X","cat":"cpu_op","name":"{}{:09}","ts":5,"dur":1}},"#, "x".repeat(900_000), self.next);
                self.left = if self.next == 1 { format!("[{event}") } else { event }.into();
            }
            let length = into.len().min(self.left.len());
            into[..length].copy_from_slice(&self.left[..length]);
            self.left.drain(..length);
            Ok(length)
        }
    }
    let mut file = Names { next: 0, left: Vec::new() };
    let why = read_profile(&mut file, &mut |_| true).unwrap_err();
    assert!(matches!(why, ProfileError::Names), "{why}");
    assert_eq!(why.to_string(), "this is refused: its different names are longer than 64000000 bytes in all");
    assert!(file.next <= 74, "{} events were read", file.next);
}

/// So many operations, calls and spans are read, and one more is not, in both formats.
#[test]
fn profile_entries_have_a_limit_together() {
    let mut made = Made::default();
    for at in 0..20 {
        made.kernel("A", 20, 10 * at, (10 * at + 8, 10 * at + 9));
    }
    let device = 1;
    for bytes in [made.text().into_bytes(), super::export(&made.text())] {
        let entries = 40 + device + if bytes.starts_with(b"SQLite") { 3 } else { 0 };
        let read = |most: usize| read_profile_within(most, &bytes[..], &mut |_| true);
        assert_eq!(read(entries).unwrap().operations.len(), 20);
        let why = read(39).unwrap_err();
        assert!(matches!(why, ProfileError::Entries { most: 39 }), "{why}");
        assert!(why.to_string().starts_with("this is refused: it has more than 39 operations, calls, "), "{why}");
    }
}

/// A list of devices that goes on forever ends where no list of devices does.
#[test]
fn profile_devices_have_a_limit_together() {
    let (why, bytes) = refused(r#"{"deviceProperties":["#, "{},");
    assert!(matches!(why, ProfileError::Devices), "{why}");
    assert!(bytes < 4_000_000, "{bytes} bytes were read");
    // What is no list of devices is passed over.
    let text = Made::default().kernel("A", 20, 0, (8, 500)).text();
    for other in ["null", "true", "-5", "5", "0.5", "\"A100\"", "{\"id\":0,\"name\":[]}", "[5,{\"id\":[]}]"] {
        let rest = &text[text.find("\"schemaVersion\"").unwrap()..];
        let (recording, _) = read(&format!("{{\"deviceProperties\":{other},{rest}"));
        assert_eq!(recording.devices.len(), 1, "{other}");
    }
}

#[test]
fn profile_of_many_devices_those_that_ended_last_have_a_path() {
    let mut made = Made::default();
    let count = 2_000;
    for device in 0..count {
        made.kernel("A", 20, 10 * device, (10 * device + 8, 10 * device + 15));
        let last = made.events.last_mut().unwrap();
        (last["pid"], last["args"]["device"]) = (device.into(), device.into());
    }
    let (recording, analysis) = made.read();
    assert_eq!(recording.devices.len(), count as usize);
    let paths = path::paths(&recording, &analysis);
    let ids: Vec<u64> = paths.iter().map(|path| recording.devices[path.device as usize].id).collect();
    assert_eq!(ids, (0..count).rev().take(MOST_PATHS).collect::<Vec<_>>());
    let said = path::words::left_out(&recording, paths.len());
    assert_eq!(said.as_deref(), Some("Of 2,000 GPUs these are the 32 that ended last."));
    assert_eq!(path::words::left_out(&recording, count as usize), None);
}

/// Each path is as long as the recording, so that of a long one there are fewer.
#[test]
fn profile_of_a_long_recording_fewer_devices_have_a_path() {
    let paths_of = |calls: u64| {
        let mut made = Made::default();
        for device in 0..12 {
            made.kernel("A", 20, device, (device + 8, device + 15));
            let last = made.events.last_mut().unwrap();
            (last["pid"], last["args"]["device"]) = (device.into(), device.into());
        }
        for call in 0..calls {
            made.events.push(json!({
                "ph": "X", "cat": "cuda_runtime", "name": "cudaEventQuery", "pid": 7, "tid": 9, "ts": 100 + 10 * call, "dur": 4,
                "args": { "correlation": 1_000 + call },
            }));
        }
        // The device that ends last has the whole recording before it, and so have those that end soon after.
        for device in 0..12 {
            let at = 100 + 10 * calls + device;
            made.kernel("B", 20, at, (at + 8, at + 15));
            let last = made.events.last_mut().unwrap();
            (last["pid"], last["args"]["device"]) = (device.into(), device.into());
        }
        let (recording, analysis) = made.read();
        path::paths(&recording, &analysis).len()
    };
    assert_eq!(paths_of(100), 12);
    assert_eq!(paths_of(64_000), SURE_PATHS);
}

/// What waits for the NULL stream, and what it waits for, is found among many streams as among few.
#[test]
fn profile_of_many_streams_the_null_stream_waits_for_the_last() {
    let many = |count: u64| {
        let mut made = Made::default();
        for stream in 0..count {
            // All end before the kernel of the NULL stream, the one in the middle last.
            let end = if stream == count / 2 { 5_000 } else { 4_000 };
            made.kernel("A", 100 + stream, stream, (2_000, end));
        }
        made.kernel("N", 7, 1_500, (5_002, 6_000)).kernel("B", 100, 1_600, (6_002, 6_100));
        // This one runs beside the NULL stream.
        made.kernel("C", 99, 1_700, (3_000, 5_900));
        made
    };
    for count in [3, 200] {
        let made = many(count);
        let (recording, analysis) = made.read();
        let place = recording.operations.iter().position(|operation| recording.name(operation) == "N").unwrap();
        let part = analysis.parts(place as u32).iter().find(|part| part.cause == Cause::NullBarrier).unwrap();
        let by = recording.stream(&recording.operations[part.by.unwrap() as usize]);
        assert_eq!(by.id, 100 + count / 2, "of {count}");
        assert!(parts_of(&recording, "B").iter().any(|part| part.0 == Cause::NullBarrier));
        assert!(!parts_of(&recording, "C").iter().any(|part| part.0 == Cause::NullBarrier));
        let null = |stream: &&RecordedStream| stream.kind == StreamKind::Null;
        assert_eq!(recording.streams.iter().filter(null).count(), 1);
        let known = KnownSettings { connections: Some(32) };
        assert!(Analysis::new(&recording, known, &mut |_| true).is_some());
    }
}

#[test]
fn profile_a_name_of_blanks_is_none() {
    let text = Made::default().kernel("A", 20, 0, (8, 500)).text();
    for name in ["", " "] {
        assert_eq!(read(&text.replace("NVIDIA A100", name)).0.devices[0].name, None);
    }
}

#[test]
fn profile_a_report_of_nsight_systems_gets_the_command_that_exports_it() {
    for (name, command) in [
        ("report1.nsys-rep", "nsys export --type sqlite report1.nsys-rep"),
        ("runs/Old.QDREP", "nsys export --type sqlite runs/Old.QDREP"),
        ("my run's.nsys-rep", r"nsys export --type sqlite 'my run'\''s.nsys-rep'"),
        ("-x.nsys-rep", "nsys export --type sqlite './-x.nsys-rep'"),
    ] {
        let said = to_export(name).unwrap();
        assert!(said.starts_with("this is a report of Nsight Systems") && said.ends_with(command), "{said}");
    }
    assert_eq!(to_export("report1.sqlite"), None);
    assert!(to_export("k.ncu-rep").unwrap().starts_with("this is a report of Nsight Compute"));
    assert!(to_export("host.xplane.pb").unwrap().ends_with("Open the .trace.json.gz that JAX writes beside it"));
    assert!(to_export("K.PFTRACE").unwrap().starts_with("this is a trace in Perfetto's own format"));
}
