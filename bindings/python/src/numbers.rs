//! Whole numbers in rows: arrays of numpy or anything else with a buffer, and lists.
//!
//! Depends on Python's `memoryview`, as the stable interface has no buffers before Python 3.11. Invariant: no number is rounded.

use pyo3::prelude::*;

use crate::argument::of_type;
use crate::error::of_argument;

/// Rows of whole numbers, all of one length.
pub(crate) struct Numbers {
    rows: usize,
    columns: usize,
    /// Row by row.
    pub(crate) values: Vec<u64>,
}

impl Numbers {
    /// Rows and columns.
    pub(crate) const fn shape(&self) -> (usize, usize) {
        (self.rows, self.columns)
    }
}

/// The numbers of an argument; a single row may stand for itself.
pub(crate) fn numbers(py: Python<'_>, field: &str, given: &Bound<'_, PyAny>) -> PyResult<Numbers> {
    let wrong = |message: &str| of_argument(py, field, given, None, message);
    if let Ok(view) = py.import("builtins")?.call_method1("memoryview", (given,)) {
        return of_buffer(py, field, given, &view);
    }
    if let Ok(values) = given.extract::<Vec<u64>>() {
        return Ok(Numbers { rows: 1, columns: values.len(), values });
    }
    const EXPECTED: &str = "a table of whole numbers from 0 to 18446744073709551615: an array, or a list of lists";
    let rows: Vec<Vec<u64>> = given.extract().map_err(|_| of_type(field, given, EXPECTED))?;
    let columns = rows.first().map_or(0, Vec::len);
    if let Some(place) = rows.iter().position(|row| row.len() != columns) {
        let message = format!("row {place} has {} numbers, and row 0 has {columns}; fill up with zeros", rows[place].len());
        return Err(wrong(&message));
    }
    Ok(Numbers { rows: rows.len(), columns, values: rows.into_iter().flatten().collect() })
}

fn of_buffer(py: Python<'_>, field: &str, given: &Bound<'_, PyAny>, view: &Bound<'_, PyAny>) -> PyResult<Numbers> {
    let wrong = |message: String| of_argument(py, field, given, None, message);
    let (format, shape): (String, Vec<usize>) = (view.getattr("format")?.extract()?, view.getattr("shape")?.extract()?);
    let (rows, columns) = match shape[..] {
        [columns] => (1, columns),
        [rows, columns] => (rows, columns),
        _ => return Err(wrong(format!("has {} dimensions; a row a set makes two", shape.len()))),
    };
    let size: usize = view.getattr("itemsize")?.extract()?;
    let letter = format.trim_start_matches(['@', '=']).to_owned();
    let is_native = format.trim_start_matches(['@', '=', if cfg!(target_endian = "little") { '<' } else { '>' }]).len() == 1;
    let letter = letter.trim_start_matches(['<', '>']);
    let (is_signed, is_whole) = (letter.starts_with(|c: char| c.is_ascii_lowercase()), "bBhHiIlLqQnN".contains(letter));
    if !is_native || !is_whole || letter.len() != 1 {
        return Err(wrong(format!("has items of format {format}; whole numbers are needed, such as int64: no number is rounded here")));
    }
    let bytes = view.call_method0("tobytes")?;
    let bytes: &[u8] = bytes.extract()?;
    let mut values = Vec::with_capacity(rows * columns);
    for (place, item) in bytes.chunks_exact(size).enumerate() {
        let mut wide = [0_u8; 8];
        let value = match (size, is_signed) {
            (1, true) => i8::from_ne_bytes([item[0]]).into(),
            (2, true) => i16::from_ne_bytes([item[0], item[1]]).into(),
            (4, true) => i32::from_ne_bytes([item[0], item[1], item[2], item[3]]).into(),
            _ => {
                let start = if cfg!(target_endian = "little") { 0 } else { 8 - size };
                wide[start..start + size].copy_from_slice(item);
                i64::from_ne_bytes(wide)
            }
        };
        if is_signed && value < 0 {
            let place = format!("{field}[{}][{}]", place / columns, place % columns);
            return Err(of_argument(py, &place, value, Some(0), format_args!("is {value}; at least 0 is needed")));
        }
        values.push(value.cast_unsigned());
    }
    Ok(Numbers { rows, columns, values })
}
