//! Files of rocprofv3: what a program did is read alike of its JSON and of its database, whatever their order; what they do not say is
//! missing; damaged and hostile files get a message.

use blockstep_traces::causes::{Analysis, Cause, KnownSettings};
use blockstep_traces::files::{ProfileError, read_profile, read_profile_within};
use blockstep_traces::{CallKind, Flaw, OperationKind, ProfilerSource, Recording, StreamKind, path};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::rocm_files::{GPU, Program, bytes, database, process, program, text, written};

fn read(file: &[u8]) -> Recording {
    read_profile(file, &mut |_| true).unwrap()
}

fn refused(file: &[u8]) -> String {
    read_profile(file, &mut |_| true).unwrap_err().to_string()
}

/// A recording with names instead of their indices, which are in the order of the file.
fn named(recording: &Recording) -> String {
    let mut all = format!("{:?} {:?} {:?} {:?}\n", recording.source, recording.flaws, recording.devices, recording.streams);
    let name = |name: u32| &recording.names[name as usize];
    for operation in &recording.operations {
        all += &format!("{} {:?}\n", name(operation.name), blockstep_traces::Operation { name: 0, ..operation.clone() });
    }
    for call in &recording.calls {
        all += &format!("{} {:?}\n", name(call.name), blockstep_traces::Call { name: 0, ..call.clone() });
    }
    for span in &recording.spans {
        all += &format!("{} {:?}\n", name(span.name), blockstep_traces::HostSpan { name: 0, ..span.clone() });
    }
    all
}

/// Both formats of a program.
fn both(of: &Program) -> [Recording; 2] {
    [read(text(&[process(of)]).as_bytes()), read(&bytes(database(std::slice::from_ref(of))))]
}

#[test]
fn rocm_json_and_database_say_the_same() {
    let [json, database] = both(&program());
    assert_eq!(named(&json), named(&database));
    assert_eq!((json.source, json.flaws.as_slice()), (ProfilerSource::Rocprof, &[][..]));
    let gpus: Vec<_> = json.devices.iter().map(|device| (device.id, device.name.as_deref(), device.sms)).collect();
    assert_eq!(gpus, [(0, Some(GPU), Some(256)), (1, Some(GPU), Some(256))]);
    let operations: Vec<_> = json.operations.iter().map(|operation| (operation.kind, json.name(operation), operation.bytes)).collect();
    assert_eq!(
        operations,
        [
            (OperationKind::HostToDevice, "Memcpy HtoD", Some(4_096)),
            (OperationKind::Kernel, "scale(float*, int)", None),
            (OperationKind::Kernel, "reduce(float*)", None),
            (OperationKind::DeviceToHost, "Memcpy DtoH", Some(64)),
        ]
    );
    // Work-items that do not fill the last block, and threads of two dimensions.
    let launches: Vec<_> = json.operations.iter().filter_map(|operation| operation.launch).collect();
    assert_eq!(launches.iter().map(|launch| (launch.grid, launch.threads())).collect::<Vec<_>>(), [([4, 1, 1], 256), ([8, 2, 1], 128)]);
    assert!(launches.iter().all(|launch| (launch.registers, launch.shared) == (32, 128)));
    // The copy back was made by a call of HSA within one of HIP.
    let calls: Vec<_> = json.operations.iter().map(|operation| json.names[json.call(operation).unwrap().name as usize].as_str()).collect();
    assert_eq!(calls, ["hipMemcpy", "hipLaunchKernel", "hipLaunchKernel", "hipMemcpyAsync"]);
    assert_eq!(json.calls.len(), 6, "calls of HSA are none of the program's");
    assert_eq!(json.calls[0].kind, CallKind::Allocation);
    let streams: Vec<_> = json.streams.iter().map(|stream| (stream.id, stream.process, stream.kind)).collect();
    assert_eq!(streams, [(0, 908, StreamKind::Null), (2, 908, StreamKind::Unknown)]);
    assert_eq!(json.operations.iter().map(|operation| operation.channel).collect::<Vec<_>>(), [None, Some(3), Some(3), None]);
    assert_eq!(json.spans.iter().map(|span| json.names[span.name as usize].as_str()).collect::<Vec<_>>(), ["step"]);
}

#[test]
fn rocm_waits_have_causes_and_the_path_goes_through_the_wait_of_the_host() {
    for recording in both(&program()) {
        let analysis = Analysis::new(&recording, KnownSettings::default(), &mut |_| true).unwrap();
        let parts = super::parts_of(&recording, "reduce(float*)");
        assert_eq!(parts.first().map(|part| part.0), Some(Cause::StreamOrder), "{parts:?}");
        let wait = recording.calls.iter().find(|call| call.kind == CallKind::HostWait).unwrap();
        assert_eq!(wait.end.since(wait.start).ns(), 62_000);
        let paths = path::paths(&recording, &analysis);
        let pieces: u64 = paths[0].pieces.iter().map(|piece| piece.span().ns()).sum();
        assert_eq!(pieces, recording.end().ns(), "{:?}", paths[0].pieces);
        assert!(recording.is_hip());
    }
}

#[test]
fn rocm_the_order_of_keys_is_free() {
    let value = process(&program());
    let text_of = |keys: &[&String]| {
        let all: Vec<String> = keys.iter().map(|key| format!("{}:{}", json!(key), value[key.as_str()])).collect();
        format!(r#"{{ "rocprofiler-sdk-tool" : [ {{ {} }} ] }}"#, all.join(" ,\n"))
    };
    let mut keys: Vec<&String> = value.as_object().unwrap().keys().collect();
    let first = named(&read(text_of(&keys).as_bytes()));
    for _ in 0..keys.len() {
        keys.rotate_left(1);
        assert_eq!(named(&read(text_of(&keys).as_bytes())), first, "{keys:?}");
        let reversed: Vec<&String> = keys.iter().rev().copied().collect();
        assert_eq!(named(&read(text_of(&reversed).as_bytes())), first, "{reversed:?}");
    }
}

/// Numbers of calls begin anew in each process.
#[test]
fn rocm_processes_keep_their_calls_apart() {
    let mut other = program();
    other.pid = 909;
    other.kernels.iter_mut().for_each(|kernel| kernel.3[0] = 2);
    other.copies.clear();
    let json = read(text(&[process(&program()), process(&other)]).as_bytes());
    let database = read(&bytes(database(&[program(), other])));
    assert_eq!(named(&json), named(&database));
    let of = |recording: &Recording| {
        recording
            .operations
            .iter()
            .map(|operation| {
                (recording.stream(operation).process, recording.call(operation).unwrap().process, recording.device(operation).id)
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(of(&json).iter().filter(|of| **of == (909, 909, 1)).count(), 2);
    assert_eq!(of(&json).iter().filter(|of| **of == (908, 908, 0)).count(), 4);
    assert_eq!(json.devices.len(), 2, "both processes describe the same GPUs");
}

/// With `--group-by-queue`, and before ROCm 7, every stream has the number zero.
#[test]
fn rocm_kernels_are_in_queues_where_streams_are_not_recorded() {
    let mut of = program();
    of.kernels.iter_mut().for_each(|kernel| kernel.3[2] = 0);
    of.copies.iter_mut().for_each(|copy| copy.2 = 0);
    for recording in both(&of) {
        assert_eq!(recording.streams.iter().map(|stream| (stream.id, stream.kind)).collect::<Vec<_>>(), [(0, StreamKind::Unknown)]);
    }
    of.kernels[1].3[1] = 4;
    for recording in both(&of) {
        let streams: Vec<_> = recording.streams.iter().map(|stream| (stream.id, stream.kind, stream.operations.len())).collect();
        assert_eq!(streams, [(0, StreamKind::Unknown, 2), (3, StreamKind::Unknown, 1), (4, StreamKind::Unknown, 1)]);
    }
}

#[test]
fn rocm_copies_have_the_gpu_and_the_direction_that_the_file_says() {
    let mut of = program();
    of.copies = vec![
        ("MEMORY_COPY_DEVICE_TO_DEVICE", [1, 1], 2, 8, 10, [10, 20]),
        ("MEMORY_COPY_DEVICE_TO_DEVICE", [2, 1], 2, 8, 10, [30, 40]),
        ("MEMORY_COPY_HOST_TO_HOST", [0, 0], 2, 8, 10, [50, 60]),
        ("MEMORY_COPY_NEW", [1, 0], 2, 8, 10, [70, 80]),
    ];
    for recording in both(&of) {
        let copies = recording.operations.iter().filter(|operation| operation.kind != OperationKind::Kernel);
        let copies: Vec<_> = copies.map(|copy| (copy.kind, recording.name(copy), recording.device(copy).id)).collect();
        assert_eq!(
            copies,
            [
                (OperationKind::DeviceToDevice, "Memcpy DtoD", 0),
                (OperationKind::PeerToPeer, "Memcpy PtoP", 1),
                (OperationKind::OtherCopy, "Memcpy of an unknown kind", 0),
            ]
        );
    }
}

/// A group of no work-items, GPUs and symbols that are not described, times that are none.
#[test]
fn rocm_what_makes_no_sense_is_missing() {
    let mut of = program();
    of.kernels = vec![
        ("zero", [64, 1, 1], [0, 1, 1], [1, 3, 2], 11, [10, 20]),
        ("elsewhere", [u32::MAX - 1, 1, 1], [1, 1, 1], [40, 3, 2], 999, [30, 40]),
        ("late", [1, 1, 1], [1, 1, 1], [1, 3, 2], 11, [60, 50]),
    ];
    for recording in both(&of) {
        let kernels: Vec<_> = recording.operations.iter().filter(|operation| operation.kind == OperationKind::Kernel).collect();
        assert_eq!(kernels.len(), 2);
        assert_eq!(kernels[0].launch, None);
        assert_eq!(kernels[1].launch.map(|launch| launch.blocks()), Some(u64::from(u32::MAX - 1)));
        let device = recording.device(kernels[1]);
        assert_eq!((device.id, device.name.as_deref()), (2, None), "a GPU that is not described is none of those that are");
        assert_eq!(kernels[1].call, None);
        assert!(
            recording.flaws.contains(&Flaw::WithoutCall(1)) && recording.flaws.contains(&Flaw::WithoutTime(1)),
            "{:?}",
            recording.flaws
        );
    }
}

#[test]
fn rocm_fields_of_other_types_are_missing() {
    let odd = [json!(null), json!([]), json!({}), json!("a"), json!(-1), json!(1e300), json!(u64::MAX), json!(true)];
    let value = process(&program());
    let read_any = |value: &Value| match read_profile(text(std::slice::from_ref(value)).as_bytes(), &mut |_| true) {
        Ok(recording) => assert!(recording.operations.len() <= 4),
        Err(why) => assert!(matches!(why, ProfileError::NothingInRocprof { .. }), "{why}"),
    };
    let mut places = Vec::new();
    walk(&value, String::new(), &mut places);
    assert!(places.len() > 200);
    for place in &places {
        for odd in &odd {
            let mut changed = value.clone();
            *changed.pointer_mut(place).unwrap() = odd.clone();
            read_any(&changed);
        }
    }
    let removed: Vec<String> = value.as_object().unwrap().keys().cloned().collect();
    for key in removed {
        let mut changed = value.clone();
        changed.as_object_mut().unwrap().remove(&key);
        read_any(&changed);
    }
}

/// Every place of a value, as JSON pointers.
fn walk(value: &Value, at: String, places: &mut Vec<String>) {
    match value {
        Value::Object(of) => of.iter().for_each(|(key, value)| walk(value, format!("{at}/{key}"), places)),
        Value::Array(of) => of.iter().enumerate().for_each(|(i, value)| walk(value, format!("{at}/{i}"), places)),
        _ => {}
    }
    if !at.is_empty() {
        places.push(at);
    }
}

#[test]
fn rocm_a_file_that_was_cut_off_is_read_to_there() {
    let whole = written(&program());
    let calls = whole.find("\"hip_api\"").unwrap();
    let recording = read(&whole.as_bytes()[..calls + 300]);
    assert!(matches!(recording.flaws[0], Flaw::CutOff(3)) && !recording.is_whole(), "{:?}", recording.flaws);
    assert_eq!(
        recording.operations.iter().map(|operation| recording.name(operation)).collect::<Vec<_>>(),
        ["scale(float*, int)", "reduce(float*)"]
    );
    let cut = refused(&whole.as_bytes()[..200]);
    assert!(cut.starts_with("expected the JSON of rocprofv3; the file is damaged (records read: 0): it was cut off"), "{cut}");
    for end in 0..whole.len() {
        let _ = read_profile(&whole.as_bytes()[..end], &mut |_| true);
    }
}

#[test]
fn rocm_files_with_nothing_to_read_get_a_message() {
    let mut none = program();
    (none.kernels, none.copies) = (Vec::new(), Vec::new());
    let json = refused(text(&[process(&none)]).as_bytes());
    assert_eq!(json, "no kernel or copy of a GPU among its 8 records. Expected the JSON of rocprofv3, recorded with --sys-trace");
    let database = refused(&bytes(database(&[none])));
    assert!(database.ends_with("or a database of rocprofv3 recorded with --sys-trace"), "{database}");
    for (text, expected) in [
        (r#"{"rocprofiler-sdk-tool": {}}"#, "no kernel or copy"),
        (r#"{"rocprofiler-sdk-tool": [1, "a", null]}"#, "no kernel or copy"),
        (r#"{"rocprofiler-sdk-tool": [{"buffer_records": {"kernel_dispatch": [{"a" 1}]}}]}"#, "the file is damaged"),
        (r#"{"rocprofiler-sdk-tool": []} x"#, "expected the end of the file"),
    ] {
        let why = refused(text.as_bytes());
        assert!(why.contains(expected), "{why}");
    }
    let empty = super::nsys::of_statements("CREATE TABLE rocpd_string (a INTEGER)");
    assert!(refused(&empty).starts_with("no kernel, copy or memset"), "{}", refused(&empty));
    let later = super::nsys::of_statements("CREATE TABLE rocpd_kernel_dispatch_a (id INTEGER, start_id INTEGER, end_id INTEGER)");
    assert!(refused(&later).starts_with("this is a database of rocprofv3 with a later schema"), "{}", refused(&later));
    let older = super::nsys::of_statements("CREATE TABLE rocpd_op (id INTEGER); CREATE TABLE rocpd_api (id INTEGER)");
    assert!(refused(&older).contains("but a database of rocmProfileData (.rpd), which is not read here"), "{}", refused(&older));
}

#[test]
fn rocm_limits_hold() {
    for file in [text(&[process(&program())]).into_bytes(), bytes(database(&[program()]))] {
        let why = read_profile_within(5, &file[..], &mut |_| true).unwrap_err();
        assert!(matches!(why, ProfileError::Entries { most: 5 }), "{why}");
    }
    let mut long = program();
    long.kernels[0].0 = Box::leak("n".repeat(1_000_001).into_boxed_str());
    let json = refused(text(&[process(&long)]).as_bytes());
    assert!(json.contains("a text or key that begins at byte") && json.contains("1000000 bytes"), "{json}");
    let database = refused(&bytes(database(&[long])));
    assert!(database.contains("in the table rocpd_info_kernel_symbol_0198_a is longer than 1000000 bytes"), "{database}");
}

/// Tables that lack columns, or have other things in them.
#[test]
fn rocm_databases_of_other_shapes_are_read_as_far_as_they_go() {
    for table in ["event", "string", "info_agent", "info_kernel_symbol", "info_process", "info_thread", "region", "memory_copy"] {
        for instead in ["", "CREATE TABLE rocpd_@_0198_a (id)"] {
            let base = database(&[program()]);
            base.execute_batch(&format!("DROP TABLE rocpd_@_0198_a; {instead}").replace('@', table)).unwrap();
            let recording = read(&bytes(base));
            assert!(recording.operations.iter().any(|operation| operation.kind == OperationKind::Kernel), "{table}");
        }
    }
    let base = database(&[program()]);
    base.execute_batch(
        "UPDATE rocpd_kernel_dispatch_0198_a SET agent_id = 'x', kernel_id = 1e300, stream_id = -1, workgroup_size_x = 0, event_id = 'y';
         UPDATE rocpd_info_agent_0198_a SET extdata = '{', type = x'ff', name = 5;
         UPDATE rocpd_event_0198_a SET extdata = '[1', stack_id = 'q'",
    )
    .unwrap();
    let recording = read(&bytes(base));
    assert_eq!((recording.operations.len(), recording.spans.len()), (4, 0));
}

proptest! {
    #[test]
    fn rocm_no_damage_panics(
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        end in any::<prop::sample::Index>(),
    ) {
        let of = program();
        for mut file in [text(&[process(&of)]).into_bytes(), bytes(database(&[of]))] {
            for (place, byte) in &places {
                let place = place.index(file.len());
                file[place] = *byte;
            }
            let _ = read_profile(&file[..], &mut |_| true);
            file.truncate(end.index(file.len()) + 1);
            let _ = read_profile(&file[..], &mut |_| true);
        }
    }
}
