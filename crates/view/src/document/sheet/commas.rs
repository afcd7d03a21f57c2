//! Whether the commas of a column are decimal points. One number may prove it for the others: beside `0,250`, `1,500` is one and a
//! half.
//!
//! Invariant: where nothing proves it, or two numbers prove opposite things, cells stay as they are.

/// What a number says of the commas of its column.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Proof {
    CommaIsPoint,
    PointIsPoint,
    Nothing,
}

/// Whether commas are decimal points in these cells. `is_likely` where something else says so.
pub(super) fn are_decimal<'c>(cells: impl Iterator<Item = &'c str>, is_likely: bool) -> bool {
    let mut is_proven = is_likely;
    for cell in cells {
        for number in cell.split(|c: char| !is_part(c)) {
            match proof(number) {
                Proof::PointIsPoint => return false,
                Proof::CommaIsPoint => is_proven = true,
                Proof::Nothing => {}
            }
        }
    }
    is_proven
}

/// A cell whose commas are decimal points, with points.
pub(super) fn with_points(cell: &str) -> String {
    let mut out = String::with_capacity(cell.len());
    let mut rest = cell;
    while let Some(begin) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(begin);
        let (number, after) = from.split_at(from.find(|c: char| !is_part(c)).unwrap_or(from.len()));
        out.push_str(before);
        // A comma with nothing behind it separates two entries.
        let whole = number.trim_end_matches(',');
        out.extend(whole.chars().filter(|c| *c != '.').map(|c| if c == ',' { '.' } else { c }));
        out.push_str(&number[whole.len()..]);
        rest = after;
    }
    out + rest
}

fn is_part(c: char) -> bool {
    c.is_ascii_digit() || c == ',' || c == '.'
}

fn proof(number: &str) -> Proof {
    let number = number.trim_end_matches(',');
    let (commas, points) = (number.matches(',').count(), number.matches('.').count());
    match (commas, points) {
        (1, 0) => one_mark(number, ',', Proof::CommaIsPoint),
        (0, 1) => one_mark(number, '.', Proof::PointIsPoint),
        (1, _) if number.rfind(',') > number.rfind('.') => Proof::CommaIsPoint,
        (_, 1) if number.rfind('.') > number.rfind(',') => Proof::PointIsPoint,
        // Groups of digits.
        (2.., 0) => Proof::PointIsPoint,
        (0, 2..) => Proof::CommaIsPoint,
        _ => Proof::Nothing,
    }
}

/// What a number with one mark proves: that the mark is the decimal point, unless groups of three could stand beside it.
fn one_mark(number: &str, mark: char, proven: Proof) -> Proof {
    let (whole, part) = number.split_once(mark).unwrap_or((number, ""));
    let is_group = part.len() == 3 && (1..=3).contains(&whole.len()) && !whole.starts_with('0');
    if is_group || part.is_empty() { Proof::Nothing } else { proven }
}
