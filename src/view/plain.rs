//! Times, sizes and counts in words for the timeline.
//!
//! Depends on nothing.

/// A time in its largest unit.
pub(super) fn format_time(ns: u64) -> String {
    let (unit, length, digits) = match ns {
        0 => ("s", 1_000_000_000, 9),
        1..1_000 => ("ns", 1, 0),
        1_000..1_000_000 => ("µs", 1_000, 3),
        1_000_000..1_000_000_000 => ("ms", 1_000_000, 6),
        _ => ("s", 1_000_000_000, 9),
    };
    let rest = ns % length;
    let fraction = if rest == 0 { String::new() } else { format!(".{rest:0digits$}").trim_end_matches('0').to_owned() };
    format!("{}{fraction} {unit}", ns / length)
}

/// A size in KiB where it is a whole number of them.
pub(super) fn format_bytes(bytes: u64) -> String {
    if bytes >= 1024 && bytes.is_multiple_of(1024) { format!("{} KiB", format_count(bytes / 1024)) } else { format!("{bytes} B") }
}

/// A count with commas.
pub(super) fn format_count(n: u64) -> String {
    let digits = n.to_string();
    let groups: Vec<&str> = digits.as_bytes().rchunks(3).rev().filter_map(|g| std::str::from_utf8(g).ok()).collect();
    groups.join(",")
}
