//! What PyTorch's profiler says of a collective, on its kernel or on the operator that launched it.
//!
//! Invariant: what is not said in full counts as missing, so that no size and no group is guessed. Source: PyTorch `profiler/util.h`
//! (names of arguments) and `c10/core/ScalarType.h` (names of types), measured files of 2022 to 2025.

use crate::communication::{CollectiveFacts, CollectiveKind, MOST_IN_GROUP};

/// The arguments of an event that are about a collective; empty where they are missing.
pub(super) struct CollectiveArgs<'e> {
    pub(super) name: &'e str,
    pub(super) elements: Option<u64>,
    pub(super) dtype: &'e str,
    pub(super) group_size: Option<u64>,
    /// All ranks of the group, or the first and the last ones.
    pub(super) ranks: &'e str,
    /// How many elements go to each rank, and come from each; empty if they are as many.
    pub(super) splits: [&'e str; 2],
    /// The dimensions of each input, and its type, as JSON.
    pub(super) dims: Option<&'e str>,
    pub(super) types: Option<&'e str>,
}

impl CollectiveArgs<'_> {
    /// What they come to. The wait for a collective is none itself.
    pub(super) fn facts(&self) -> CollectiveFacts {
        let kind = Some(self.name).filter(|name| !name.is_empty()).map(CollectiveKind::from_name);
        if self.name == "wait" {
            return CollectiveFacts::default();
        }
        let recorded = self.elements.zip(bytes_of(self.dtype)).map(|(elements, bytes)| elements.saturating_mul(bytes));
        CollectiveFacts {
            kind,
            bytes: recorded.or_else(|| self.bytes_of_inputs()),
            group_size: self.group_size,
            ranks: ranks(self.ranks).filter(|ranks| self.group_size.is_none_or(|size| size == ranks.len() as u64)).unwrap_or_default(),
            is_uneven: self.splits.iter().any(|split| is_uneven(split)),
        }
    }

    /// Bytes of the inputs, where the profiler recorded shapes, and all of them are known.
    fn bytes_of_inputs(&self) -> Option<u64> {
        let dims: Vec<Vec<u64>> = serde_json::from_str(self.dims?).ok()?;
        let types: Vec<String> = serde_json::from_str(self.types?).ok()?;
        if dims.is_empty() || dims.len() != types.len() || dims.iter().any(Vec::is_empty) {
            return None;
        }
        dims.iter().zip(&types).try_fold(0_u64, |sum, (dims, name)| {
            let bytes = dims.iter().fold(bytes_of(name)?, |bytes, &length| bytes.saturating_mul(length));
            Some(sum.saturating_add(bytes))
        })
    }
}

/// Bytes of a number, by the name of its type in PyTorch or in C++.
fn bytes_of(name: &str) -> Option<u64> {
    Some(match name.strip_prefix("c10::").unwrap_or(name) {
        "Double" | "double" | "Long" | "long" | "long int" => 8,
        "Float" | "float" | "Int" | "int" => 4,
        "Half" | "BFloat16" | "Short" | "short" | "short int" => 2,
        "Char" | "Byte" | "Bool" | "signed char" | "unsigned char" | "bool" => 1,
        name if name.starts_with("Float8_") => 1,
        _ => return None,
    })
}

/// The ranks of a list that has all of them: `[0, 1, 2]`, and not `[0, 1, ..., 7]`.
fn ranks(list: &str) -> Option<Vec<u64>> {
    let inner = list.strip_prefix('[')?.strip_suffix(']')?;
    if inner.len() > MOST_IN_GROUP * 20 {
        return None;
    }
    inner.split(',').map(|rank| rank.trim().parse().ok()).collect()
}

/// Whether a list has other numbers than its first.
fn is_uneven(list: &str) -> bool {
    let mut sizes = list.trim_start_matches('[').trim_end_matches(']').split(',').map(str::trim);
    let first = sizes.next();
    sizes.any(|size| Some(size) != first)
}
