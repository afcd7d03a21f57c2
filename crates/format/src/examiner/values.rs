//! Numbers of a config: counts, sizes and times in the examiner's own units.
//!
//! Depends on `decimal` and `json`. Invariant: a number that cannot be taken exactly (times: to the
//! nearest nanosecond) is a problem with its place.

use super::Import;
use super::fields::Fields;
use crate::decimal::scaled;
use crate::error::{Path, shown};
use crate::json::{JsonKind, Node};

/// `shared_memory_size` and the counts of copies are in 32-bit integers.
const INTEGER_BYTES: u64 = 4;

impl Import<'_> {
    /// A count, or several to be multiplied.
    pub(super) fn count(&mut self, node: Node<'_>, fields: &Fields<'_>, path: &Path<'_>, name: &'static str) -> u64 {
        let at = path.field(name);
        let Some(value) = fields.get(name) else {
            self.reader.problem(node, &at, || "is missing; it is required".to_owned());
            return 0;
        };
        if value.kind() != JsonKind::List {
            return self.whole(value, &at);
        }
        let mut product = Some(1_u64);
        for (i, item) in value.items().enumerate() {
            let factor = self.whole(item, &at.item(i));
            product = product.and_then(|p| p.checked_mul(factor));
        }
        product.unwrap_or_else(|| {
            self.reader.problem(value, &at, || format!("multiplies to more than {}, the limit", u64::MAX));
            0
        })
    }

    /// Bytes of a number of 32-bit integers; 0 if the field is not there.
    pub(super) fn integers(&mut self, fields: &Fields<'_>, path: &Path<'_>, name: &'static str) -> u64 {
        let Some(value) = fields.get(name) else { return 0 };
        let at = path.field(name);
        self.whole(value, &at).checked_mul(INTEGER_BYTES).unwrap_or_else(|| {
            self.reader.problem(value, &at, || format!("is {}; that many 32-bit integers are more than {} bytes", shown(value), u64::MAX));
            0
        })
    }

    pub(super) fn duration(&mut self, node: Node<'_>, fields: &Fields<'_>, path: &Path<'_>) -> u64 {
        let at = path.field("duration");
        match fields.get("duration") {
            Some(value) => self.whole(value, &at),
            None => {
                self.reader.problem(node, &at, || "is missing; it is required".to_owned());
                0
            }
        }
    }

    /// A whole number however it is written; the examiner also takes one in quotes.
    pub(super) fn whole(&mut self, node: Node<'_>, path: &Path<'_>) -> u64 {
        let text = node.text();
        let number = match node.kind() {
            JsonKind::Number => scaled(&text, 0),
            JsonKind::String if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => scaled(&text, 0),
            _ => None,
        };
        match number {
            Some((value, true)) => value,
            _ => {
                self.reader.expected(node, path, "a whole number of 64 bits, not below 0,");
                0
            }
        }
    }

    /// Seconds, in ns; to the nearest.
    pub(super) fn seconds(&mut self, node: Node<'_>, path: &Path<'_>) -> u64 {
        let number = if node.kind() == JsonKind::Number { scaled(node.raw(), 9) } else { None };
        number.map_or_else(
            || {
                self.reader.expected(node, path, "a number of seconds, not below 0, of 64 bits in ns,");
                0
            },
            |(ns, _)| ns,
        )
    }
}
