//! Kinds of copies in exports of Nsight Systems, and of the memory that they use.
//!
//! Invariant: a kind that is not known is told in the file's own words, never as the nearest one that is; memory of an unknown kind is not
//! told. Sources: the tables `ENUM_CUDA_MEMCPY_OPER` of an export (schema 3.25), which has the numbers of CUPTI, and `ENUM_CUDA_MEM_KIND`,
//! which has numbers of its own.

use std::collections::BTreeMap;

use crate::OperationKind;

/// More kinds of copies no file names.
pub(super) const MOST_KINDS: usize = 1_000;

/// What a file calls a kind of copies, or of memory.
pub(super) struct Named {
    /// Its name, such as `CUDA_MEMCPY_KIND_HTOD`, or `CUDA_MEMOPR_MEMORY_KIND_PAGEABLE`.
    pub(super) name: Option<String>,
    /// The same for people.
    pub(super) label: Option<String>,
}

/// What all names begin with.
const PREFIX: &str = "CUDA_MEMCPY_KIND_";
/// Names by number, with their labels.
const USUAL: [(&str, &str); 14] = [
    ("UNKNOWN", "Unknown"),
    ("HTOD", "Host-to-Device"),
    ("DTOH", "Device-to-Host"),
    ("HTOA", "Host-to-Array"),
    ("ATOH", "Array-to-Host"),
    ("ATOA", "Array-to-Array"),
    ("ATOD", "Array-to-Device"),
    ("DTOA", "Device-to-Array"),
    ("DTOD", "Device-to-Device"),
    ("HTOH", "Host-to-Host"),
    ("PTOP", "Peer-to-Peer"),
    ("UVM_HTOD", "Unified Host-to-Device"),
    ("UVM_DTOH", "Unified Device-to-Host"),
    ("UVM_DTOD", "Unified Device-to-Device"),
];

/// A kind as CUPTI names it, without what all names begin with, by a name or a label of the file.
fn known(text: &str) -> Option<&str> {
    text.strip_prefix(PREFIX).or_else(|| USUAL.iter().find(|(_, label)| *label == text).map(|(name, _)| *name))
}

/// What a copy is by the number of its kind, and by what the file calls that; how it is named. `None` if no device takes part.
pub(super) fn kind(code: Option<i64>, named: Option<&Named>) -> Option<(OperationKind, String)> {
    let usual = || code.and_then(|code| USUAL.get(usize::try_from(code).ok()?)).map(|&(name, _)| name);
    let name = match named {
        Some(named) => [&named.name, &named.label].into_iter().flatten().find_map(|text| known(text)),
        None => usual(),
    };
    let label = named.and_then(|named| named.label.as_deref().or(named.name.as_deref())).filter(|label| !label.trim().is_empty());
    let (kind, name) = match name.unwrap_or_default() {
        "HTOD" | "HTOA" => (OperationKind::HostToDevice, "Memcpy HtoD"),
        "DTOH" | "ATOH" => (OperationKind::DeviceToHost, "Memcpy DtoH"),
        "DTOD" | "ATOA" | "ATOD" | "DTOA" => (OperationKind::DeviceToDevice, "Memcpy DtoD"),
        "PTOP" => (OperationKind::PeerToPeer, "Memcpy PtoP"),
        "HTOH" => return None,
        "UVM_HTOD" => (OperationKind::Migration, "Page migration to the GPU"),
        "UVM_DTOH" => (OperationKind::Migration, "Page migration to the host"),
        "UVM_DTOD" => (OperationKind::Migration, "Page migration between GPUs"),
        other if other.starts_with("UVM_") => (OperationKind::Migration, "Page migration"),
        _ => {
            let name = match (label, code.filter(|&code| code != 0)) {
                (Some(label), _) => format!("Memcpy {label}"),
                (None, Some(code)) => format!("Memcpy of kind {code}"),
                (None, None) => "Memcpy of an unknown kind".to_owned(),
            };
            return Some((OperationKind::OtherCopy, name));
        }
    };
    Some((kind, name.to_owned()))
}

/// What all names of memory begin with.
const MEMORY_PREFIX: &str = "CUDA_MEMOPR_MEMORY_KIND_";
/// Labels of memory by number, as in the file's names in capitals, with underscores.
const MEMORY: [&str; 7] = ["Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static"];

/// What memory is by the number of its kind, and by what the file calls that, in words; `None` of what is not known.
fn memory(code: i64, named: &BTreeMap<i64, Named>) -> Option<&'static str> {
    let in_capitals = |label: &str| label.to_ascii_uppercase().replace(' ', "_");
    let is_named = |label: &&&str, text: &str| text == **label || text.strip_prefix(MEMORY_PREFIX) == Some(&in_capitals(label));
    match named.get(&code) {
        Some(of) => [&of.label, &of.name].into_iter().flatten().find_map(|text| MEMORY.iter().find(|label| is_named(label, text))).copied(),
        None if named.is_empty() => MEMORY.get(usize::try_from(code).ok()?).copied(),
        None => None,
    }
}

/// The name of a copy between the host and a device with the memory that it uses, as the PyTorch profiler says it; its own if that is not
/// known.
pub(super) fn with_memory(kind: OperationKind, name: String, codes: [Option<i64>; 2], named: &BTreeMap<i64, Named>) -> String {
    let [from, to] = codes.map(|code| memory(code?, named));
    match from.zip(to).filter(|_| matches!(kind, OperationKind::HostToDevice | OperationKind::DeviceToHost)) {
        Some((from, to)) => format!("{name} ({from} -> {to})"),
        None => name,
    }
}
