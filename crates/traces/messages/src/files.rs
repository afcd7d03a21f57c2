//! Which files are traces, as far as their names and first bytes tell.

use blockstep_sim::units::written::format_count;

/// Most ranks of a job that stand beside each other.
pub const MOST_RANKS: usize = 64;

/// What a file begins with, if it is an SQLite database.
pub const SQLITE: &[u8] = b"SQLite format 3\0";

/// Whether a file is a profiler's, by its first bytes: gzip, SQLite, or JSON with trace events or the key of rocprofv3 in sight.
#[must_use]
pub fn is_profile(start: &[u8]) -> bool {
    let has = |text: &[u8]| start.windows(text.len()).any(|part| part == text);
    match start.iter().copied().find(|byte| !byte.is_ascii_whitespace() && !b"\xef\xbb\xbf".contains(byte)) {
        _ if start.starts_with(SQLITE) || start.starts_with(b"\x1f\x8b") => true,
        Some(b'{') => [&b"\"traceEvents\""[..], b"\"deviceProperties\"", b"\"rocprofiler-sdk-tool\""].into_iter().any(has),
        Some(b'[') => has(b"\"ph\""),
        _ => false,
    }
}

/// What to do with a profiler's file that is not read, by its name: with a report of Nsight Systems, which only NVIDIA's tools read, or of
/// another profiler. `None` of other files.
#[must_use]
pub fn to_export(name: &str) -> Option<String> {
    let ends = |all: &[&str]| all.iter().any(|end| name.to_ascii_lowercase().ends_with(end));
    if ends(&[".ncu-rep"]) {
        let why =
            "this is a report of Nsight Compute, which says how single kernels ran, and not when. Record the program with nsys profile";
        return Some(why.to_owned());
    }
    if ends(&[".pftrace", ".perfetto-trace"]) {
        let why = "this is a trace in Perfetto's own format, which is not read here. Open the JSON of the PyTorch profiler, an export of \
                   Nsight Systems, or the database or JSON of rocprofv3";
        return Some(why.to_owned());
    }
    if ends(&[".xplane.pb"]) {
        let why = "this is a profile of XLA in its own format, which is not read here. Open the .trace.json.gz that JAX writes beside it";
        return Some(why.to_owned());
    }
    let is_report = ends(&[".nsys-rep", ".qdrep"]);
    // A name that a shell would take apart is quoted.
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-+".contains(&byte)) && !name.starts_with('-');
    let quoted = || format!("'{}{}'", if name.starts_with('-') { "./" } else { "" }, name.replace('\'', "'\\''"));
    let name = if is_plain { name.to_owned() } else { quoted() };
    is_report.then(|| {
        format!("this is a report of Nsight Systems, which only its own tools read. Export it, and open the result: nsys export --type sqlite {name}")
    })
}

/// That so many files are refused, a sentence.
#[must_use]
pub fn too_many(files: usize) -> String {
    format!("{} traces are too many to be put beside each other: at most {MOST_RANKS} are read.", format_count(files as u64))
}
