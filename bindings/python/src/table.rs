//! A table that other libraries read without a copy: Arrow's PyCapsule interface.
//!
//! Depends on arrow-array. Invariants: the columns of a table never change, and every capsule shares their memory; times are whole
//! nanoseconds as signed numbers, so that the difference of two columns is right whichever is later.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::cast::AsArray;
use arrow_array::ffi::{FFI_ArrowSchema, to_ffi};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::types::{Float64Type, Int32Type, Int64Type};
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int32Array, Int64Array, RecordBatch, RecordBatchIterator,
    RecordBatchOptions, StringArray, StructArray, make_array,
};
use arrow_buffer::Buffer;
use arrow_data::ArrayData;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyImportError, PyKeyError, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyCapsule, PyDict, PyList, PyString};

use blockstep_report::columns;
use blockstep_view::quantity::format_count;

use crate::argument::kind;
use crate::error::{none_such, of_argument};
use crate::pickle::{Pickled, by};

/// Rows that are made as objects between two looks at signals.
const ROWS: usize = 10_000;

/// Rows that an iterator makes at once.
const AT_ONCE: usize = 1_000;

/// Rows that a notebook shows: all, or half of these from each end.
const SHOWN: usize = 20;

/// A table: columns of numbers, truths and words, which pandas, polars and pyarrow read by Arrow's PyCapsule interface.
///
/// Columns of times end with `_ns` and hold whole nanoseconds. A missing value is None. `len` is the number of rows, and iterating gives a dict
/// for each of them.
#[pyclass(frozen, module = "blockstep")]
pub(crate) struct Table {
    batch: RecordBatch,
}

/// What a table cannot hold.
#[derive(Debug)]
pub(crate) enum TableError {
    /// A number that is too large for its column.
    TooLarge(String, u64),
    Arrow(ArrowError),
}

impl From<TableError> for PyErr {
    fn from(error: TableError) -> Self {
        match error {
            TableError::TooLarge(column, value) => Python::attach(|py| {
                let message = format!("is {value}; columns hold numbers up to {}", i64::MAX);
                of_argument(py, &column, value, Some(i64::MAX.unsigned_abs()), message)
            }),
            TableError::Arrow(e) => PyRuntimeError::new_err(e.to_string()),
        }
    }
}

/// Columns under construction.
#[derive(Default)]
pub(crate) struct Columns {
    fields: Vec<Field>,
    arrays: Vec<ArrayRef>,
}

impl Columns {
    fn push(mut self, name: &str, array: ArrayRef, is_nullable: bool) -> Self {
        self.fields.push(Field::new(name, array.data_type().clone(), is_nullable));
        self.arrays.push(array);
        self
    }

    /// Numbers that are always there.
    pub(crate) fn numbers(self, name: &str, values: impl ExactSizeIterator<Item = u64>) -> Result<Self, TableError> {
        let mut found = Vec::with_capacity(values.len());
        for value in values {
            found.push(signed(name, value)?);
        }
        Ok(self.push(name, Arc::new(Int64Array::from(found)), false))
    }

    /// Numbers that may be missing.
    pub(crate) fn optional(self, name: &str, values: impl Iterator<Item = Option<u64>>) -> Result<Self, TableError> {
        let found = values.map(|value| value.map(|value| signed(name, value)).transpose()).collect::<Result<Int64Array, _>>()?;
        Ok(self.push(name, Arc::new(found), true))
    }

    /// Small numbers: what is counted with 32 bits.
    pub(crate) fn small(self, name: &str, values: impl ExactSizeIterator<Item = u32>) -> Result<Self, TableError> {
        let mut found = Vec::with_capacity(values.len());
        for value in values {
            found.push(i32::try_from(value).map_err(|_| TableError::TooLarge(name.to_owned(), value.into()))?);
        }
        Ok(self.push(name, Arc::new(Int32Array::from(found)), false))
    }

    /// Real numbers.
    pub(crate) fn real(self, name: &str, values: impl Iterator<Item = f64>) -> Self {
        self.push(name, Arc::new(Float64Array::from_iter_values(values)), false)
    }

    /// Real numbers that may be missing.
    pub(crate) fn optional_real(self, name: &str, values: impl Iterator<Item = Option<f64>>) -> Self {
        self.push(name, Arc::new(values.collect::<Float64Array>()), true)
    }

    /// Shares of 1, from millionths.
    pub(crate) fn millionths(self, name: &str, values: impl Iterator<Item = u32>) -> Self {
        self.real(name, values.map(|value| f64::from(value) / 1e6))
    }

    /// Yes, no, or neither.
    pub(crate) fn truths(self, name: &str, values: impl Iterator<Item = Option<bool>>) -> Self {
        self.push(name, Arc::new(values.collect::<BooleanArray>()), true)
    }

    /// Texts, each of its own.
    pub(crate) fn texts(self, name: &str, values: impl Iterator<Item = Option<String>>) -> Self {
        let mut found = StringBuilder::new();
        values.for_each(|value| found.append_option(value));
        self.push(name, Arc::new(found.finish()), true)
    }

    /// Words that repeat: `places` says which of the words each row has.
    pub(crate) fn words<W: AsRef<str>>(
        self,
        name: &str,
        words: impl Iterator<Item = W>,
        places: impl Iterator<Item = Option<usize>>,
    ) -> Result<Self, TableError> {
        let keys = places.map(|place| place.map(|place| small_key(name, place)).transpose()).collect::<Result<Int32Array, _>>()?;
        let is_nullable = keys.null_count() > 0;
        let words: StringArray = words.map(Some).collect();
        let array = DictionaryArray::<Int32Type>::try_new(keys, Arc::new(words)).map_err(TableError::Arrow)?;
        Ok(self.push(name, Arc::new(array), is_nullable))
    }

    /// The same where every row has one.
    pub(crate) fn names<W: AsRef<str>>(
        self,
        name: &str,
        words: impl Iterator<Item = W>,
        places: impl ExactSizeIterator<Item = usize>,
    ) -> Result<Self, TableError> {
        let mut keys = Vec::with_capacity(places.len());
        for place in places {
            keys.push(small_key(name, place)?);
        }
        let words: StringArray = words.map(Some).collect();
        let array = DictionaryArray::<Int32Type>::try_new(Int32Array::from(keys), Arc::new(words)).map_err(TableError::Arrow)?;
        Ok(self.push(name, Arc::new(array), false))
    }

    /// The same, of words that are few and known only as they come.
    pub(crate) fn found_words<W: AsRef<str>>(self, name: &str, values: impl Iterator<Item = Option<W>>) -> Result<Self, TableError> {
        let mut known: Vec<String> = Vec::new();
        let places: Vec<Option<usize>> = values
            .map(|value| {
                let value = value?;
                let found = known.iter().position(|word| word == value.as_ref());
                Some(found.unwrap_or_else(|| {
                    known.push(value.as_ref().to_owned());
                    known.len() - 1
                }))
            })
            .collect();
        self.words(name, known.iter(), places.into_iter())
    }

    pub(crate) fn table(self) -> Result<Table, TableError> {
        let rows = self.arrays.first().map_or(0, |array| array.len());
        let options = RecordBatchOptions::new().with_row_count(Some(rows));
        let batch = RecordBatch::try_new_with_options(Arc::new(Schema::new(self.fields)), self.arrays, &options);
        Ok(Table { batch: batch.map_err(TableError::Arrow)? })
    }
}

/// What the tables of every language hold, in Arrow's columns.
impl columns::Columns for Columns {
    type Error = TableError;

    fn numbers(self, name: &'static str, values: impl ExactSizeIterator<Item = u64>) -> Result<Self, TableError> {
        Self::numbers(self, name, values)
    }

    fn some_numbers(self, name: &'static str, values: impl Iterator<Item = Option<u64>>) -> Result<Self, TableError> {
        self.optional(name, values)
    }

    fn small(self, name: &'static str, values: impl ExactSizeIterator<Item = u32>) -> Result<Self, TableError> {
        Self::small(self, name, values)
    }

    fn truths(self, name: &'static str, values: impl Iterator<Item = bool>) -> Result<Self, TableError> {
        Ok(Self::truths(self, name, values.map(Some)))
    }

    fn some_truths(self, name: &'static str, values: impl Iterator<Item = Option<bool>>) -> Result<Self, TableError> {
        Ok(Self::truths(self, name, values))
    }

    fn texts(self, name: &'static str, values: impl Iterator<Item = String>) -> Result<Self, TableError> {
        Ok(Self::texts(self, name, values.map(Some)))
    }

    fn some_texts(self, name: &'static str, values: impl Iterator<Item = Option<String>>) -> Result<Self, TableError> {
        Ok(Self::texts(self, name, values))
    }

    fn words<W: AsRef<str>>(
        self,
        name: &'static str,
        words: impl Iterator<Item = W>,
        places: impl ExactSizeIterator<Item = usize>,
    ) -> Result<Self, TableError> {
        self.names(name, words, places)
    }

    fn some_words<W: AsRef<str>>(
        self,
        name: &'static str,
        words: impl Iterator<Item = W>,
        places: impl Iterator<Item = Option<usize>>,
    ) -> Result<Self, TableError> {
        Self::words(self, name, words, places)
    }

    fn found_words<W: AsRef<str>>(self, name: &'static str, values: impl Iterator<Item = W>) -> Result<Self, TableError> {
        Self::found_words(self, name, values.map(Some))
    }

    fn some_found_words<W: AsRef<str>>(self, name: &'static str, values: impl Iterator<Item = Option<W>>) -> Result<Self, TableError> {
        Self::found_words(self, name, values)
    }
}

fn signed(name: &str, value: u64) -> Result<i64, TableError> {
    i64::try_from(value).map_err(|_| TableError::TooLarge(name.to_owned(), value))
}

fn small_key(name: &str, place: usize) -> Result<i32, TableError> {
    i32::try_from(place).map_err(|_| TableError::TooLarge(name.to_owned(), place as u64))
}

fn of_arrow(e: ArrowError) -> PyErr {
    PyRuntimeError::new_err(e.to_string())
}

/// What a column has in a row, as an object of Python.
type Cell<'py, 'a> = Box<dyn Fn(usize) -> PyResult<Bound<'py, PyAny>> + 'a>;

/// The cells of a column, each made when it is asked for.
fn cells<'py: 'a, 'a>(py: Python<'py>, array: &'a dyn Array) -> PyResult<Cell<'py, 'a>> {
    fn cell<'py: 'a, 'a, T: IntoPyObject<'py>>(py: Python<'py>, array: &'a dyn Array, value: impl Fn(usize) -> T + 'a) -> Cell<'py, 'a> {
        Box::new(move |row| array.is_valid(row).then(|| value(row)).into_bound_py_any(py))
    }
    Ok(match array.data_type() {
        DataType::Int64 => cell(py, array, |row| array.as_primitive::<Int64Type>().value(row)),
        DataType::Int32 => cell(py, array, |row| array.as_primitive::<Int32Type>().value(row)),
        DataType::Float64 => cell(py, array, |row| array.as_primitive::<Float64Type>().value(row)),
        DataType::Boolean => cell(py, array, |row| array.as_boolean().value(row)),
        DataType::Utf8 => cell(py, array, |row| array.as_string::<i32>().value(row)),
        DataType::Dictionary(..) => {
            let column = array.as_dictionary::<Int32Type>();
            let word = cells(py, column.values())?;
            // Each word is one object, however often it is there.
            let words = (0..column.values().len()).map(word).collect::<PyResult<Vec<_>>>()?;
            cell(py, array, move |row| words[column.keys().value(row) as usize].clone())
        }
        other => return Err(PyRuntimeError::new_err(format!("no column is of {other}"))),
    })
}

/// A thing for each of these rows, with looks at signals on the way.
fn each_row<'py, T>(py: Python<'py>, rows: Range<usize>, make: impl Fn(usize) -> PyResult<T>) -> PyResult<Vec<T>> {
    let made = |row: usize| {
        if row.is_multiple_of(ROWS) {
            py.check_signals()?;
        }
        make(row)
    };
    rows.map(made).collect()
}

/// A column as a list of Python's own numbers and texts.
fn list<'py>(py: Python<'py>, array: &dyn Array) -> PyResult<Bound<'py, PyList>> {
    PyList::new(py, each_row(py, 0..array.len(), cells(py, array)?)?)
}

/// The memory of a column: how long it is, which of its values are there, if any is not, and the values.
type Memory<B> = (usize, Option<B>, Vec<B>);

/// A column without pointers: its name, what it is of, whether values may be missing, its memory, and that of its words if it has some.
type Packed<B> = (String, String, bool, Memory<B>, Option<Memory<B>>);

/// All of them, as bytes of Python.
type PackedColumns<'py> = Vec<Packed<Bound<'py, PyBytes>>>;

const WORDS: &str = "words";

/// What columns are of, by a word.
const KINDS: [(&str, DataType); 5] = [
    ("int64", DataType::Int64),
    ("int32", DataType::Int32),
    ("float64", DataType::Float64),
    ("boolean", DataType::Boolean),
    ("string", DataType::Utf8),
];

/// The word of a column, which for pandas names its type, too.
fn kind_of(array: &dyn Array) -> &'static str {
    KINDS.iter().find(|(_, kind)| kind == array.data_type()).map_or(WORDS, |(word, _)| word)
}

fn memory<'py>(py: Python<'py>, data: &ArrayData) -> Memory<Bound<'py, PyBytes>> {
    let nulls = data.nulls().map(|nulls| PyBytes::new(py, &nulls.inner().sliced()));
    (data.len(), nulls, data.buffers().iter().map(|buffer| PyBytes::new(py, buffer)).collect())
}

/// # Errors
/// If the memory is of no such column.
fn data_of(kind: DataType, (rows, nulls, buffers): &Memory<PyBackedBytes>, words: Option<ArrayData>) -> Result<ArrayData, ArrowError> {
    ArrayData::builder(kind)
        .len(*rows)
        .null_bit_buffer(nulls.as_ref().map(|nulls| Buffer::from(&nulls[..])))
        .buffers(buffers.iter().map(|buffer| Buffer::from(&buffer[..])).collect())
        .child_data(words.into_iter().collect())
        .build()
}

/// A table that was pickled.
#[pyfunction]
pub(crate) fn _table(columns: Vec<Packed<PyBackedBytes>>) -> PyResult<Table> {
    let array = |kind: &str, memory: &Memory<PyBackedBytes>, words: Option<&Memory<PyBackedBytes>>| match words {
        Some(words) => {
            let words = data_of(DataType::Utf8, words, None)?;
            data_of(DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8)), memory, Some(words))
        }
        None => {
            let kind = KINDS.iter().find(|(word, _)| *word == kind).map_or(DataType::Null, |(_, kind)| kind.clone());
            data_of(kind, memory, None)
        }
    };
    let table = columns.iter().try_fold(Columns::default(), |made, (name, kind, is_nullable, memory, words)| {
        Ok::<_, ArrowError>(made.push(name, make_array(array(kind, memory, words.as_ref())?), *is_nullable))
    });
    Ok(table.map_err(of_arrow)?.table()?)
}

/// The rows of a table, one after the other.
#[pyclass]
struct Rows {
    of: Py<Table>,
    /// The first that is not made yet.
    next: usize,
    made: std::vec::IntoIter<Py<PyDict>>,
}

#[pymethods]
impl Rows {
    fn __iter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __next__(&mut self, py: Python<'_>) -> PyResult<Option<Py<PyDict>>> {
        if self.made.len() == 0 {
            let table = self.of.get();
            let end = (self.next + AT_ONCE).min(table.batch.num_rows());
            let rows = table.rows(py, self.next..end)?;
            self.next = end;
            self.made = rows.into_iter().map(Bound::unbind).collect::<Vec<_>>().into_iter();
        }
        Ok(self.made.next())
    }
}

impl Table {
    fn fields(&self) -> impl Iterator<Item = (&Field, &ArrayRef)> {
        self.batch.schema_ref().fields().iter().map(AsRef::as_ref).zip(self.batch.columns())
    }

    /// A dict for each of these rows.
    fn rows<'py>(&self, py: Python<'py>, rows: Range<usize>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        let columns =
            self.fields().map(|(field, column)| Ok((PyString::new(py, field.name()), cells(py, column)?))).collect::<PyResult<Vec<_>>>()?;
        each_row(py, rows, |place| {
            let row = PyDict::new(py);
            columns.iter().try_for_each(|(name, cell)| row.set_item(name, cell(place)?))?;
            Ok(row)
        })
    }
}

#[pymethods]
impl Table {
    /// The names of the columns, in order.
    #[getter]
    fn columns(&self) -> Vec<String> {
        self.batch.schema_ref().fields().iter().map(|field| field.name().clone()).collect()
    }

    fn __len__(&self) -> usize {
        self.batch.num_rows()
    }

    /// A dict for each row, as it is asked for.
    fn __iter__(slf: &Bound<'_, Self>) -> Rows {
        Rows { of: slf.clone().unbind(), next: 0, made: Vec::new().into_iter() }
    }

    fn __repr__(&self) -> String {
        format!("<blockstep.Table: {} rows of {}>", self.batch.num_rows(), self.columns().join(", "))
    }

    /// The table as notebooks show it: 20 rows at most, from both ends.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let escape = py.import("html")?.getattr("escape")?;
        let escaped = |text: Bound<'_, PyAny>| -> PyResult<String> { escape.call1((text.str()?,))?.extract() };
        let count = self.batch.num_rows();
        let mut html = String::from("<table><thead><tr>");
        for name in self.columns() {
            html += &format!("<th>{}</th>", escaped(name.into_bound_py_any(py)?)?);
        }
        html += "</tr></thead><tbody>";
        let parts = if count <= SHOWN { [0..count, count..count] } else { [0..SHOWN / 2, count - SHOWN / 2..count] };
        for part in parts {
            if part.start > 0 && !part.is_empty() {
                html += &format!("<tr>{}</tr>", "<td>…</td>".repeat(self.batch.num_columns()));
            }
            for row in self.rows(py, part)? {
                html += "<tr>";
                for value in row.values() {
                    html += &if value.is_none() { "<td></td>".to_owned() } else { format!("<td>{}</td>", escaped(value)?) };
                }
                html += "</tr>";
            }
        }
        let rows = if count == 1 { "row" } else { "rows" };
        Ok(format!("{html}</tbody></table><p>{} {rows}</p>", format_count(count as u64)))
    }

    /// A column as a list. Raises `KeyError` if there is no such column; the message lists all of them.
    fn __getitem__<'py>(&self, py: Python<'py>, name: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
        // As of a dict, which of all kinds of keys has some.
        let Ok(name) = name.cast::<PyString>() else {
            return Err(PyTypeError::new_err(format!("a column has a text as its name, not {}", kind(name))));
        };
        let name: &str = &name.to_string_lossy();
        if let Some(column) = self.batch.column_by_name(name) {
            return list(py, column);
        }
        let known: Vec<&str> = self.fields().map(|(field, _)| field.name().as_str()).collect();
        Err(PyKeyError::new_err(none_such("column", name, &known)))
    }

    /// A list for each column.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        for (field, column) in self.fields() {
            all.set_item(field.name(), list(py, column)?)?;
        }
        Ok(all)
    }

    /// A dict for each row.
    fn to_list<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyDict>>> {
        self.rows(py, 0..self.batch.num_rows())
    }

    /// A `pandas.DataFrame`. No number is rounded.
    ///
    /// Where values may be missing, whole numbers are `Int64` and truths are `boolean`, with `pandas.NA`. Names are categories.
    ///
    /// Raises `ImportError` if pandas is not installed.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pandas = py.import("pandas").map_err(|why| {
            let error = PyImportError::new_err("to_pandas needs pandas: pip install pandas");
            error.set_cause(py, Some(why));
            error
        })?;
        let frame = PyDict::new(py);
        for (field, column) in self.fields() {
            let values = list(py, column)?;
            let dtype = match (kind_of(column), field.is_nullable()) {
                ("int64", true) => "Int64",
                ("boolean", false) => "bool",
                (kind, _) => kind,
            };
            let series = if dtype == WORDS {
                let mut known = HashSet::new();
                let words = column.as_dictionary::<Int32Type>().values().as_string::<i32>();
                let words: Vec<&str> = words.iter().flatten().filter(|word| known.insert(*word)).collect();
                pandas.call_method1("Categorical", (values, words))?
            } else {
                pandas.call_method1("array", (values, dtype))?
            };
            frame.set_item(field.name(), series)?;
        }
        pandas.call_method1("DataFrame", (frame,))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Pickled<'py, (PackedColumns<'py>,)>> {
        let column = |(field, column): (&Field, &ArrayRef)| {
            let data = column.to_data();
            let words = data.child_data().first().map(|words| memory(py, words));
            (field.name().clone(), kind_of(column).to_owned(), field.is_nullable(), memory(py, &data), words)
        };
        by(py, "_table", (self.fields().map(column).collect(),))
    }

    /// The types of the columns, as a capsule of Arrow.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(self.batch.schema_ref().as_ref()).map_err(of_arrow)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The table as one batch, as capsules of Arrow. Another schema may be asked for; it has its own anyway.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        let _ = requested_schema;
        let (array, schema) = to_ffi(&StructArray::from(self.batch.clone()).to_data()).map_err(of_arrow)?;
        Ok((PyCapsule::new_with_value(py, schema, c"arrow_schema")?, PyCapsule::new_with_value(py, array, c"arrow_array")?))
    }

    /// The table as a stream of one batch, as a capsule of Arrow. Another schema may be asked for; it has its own anyway.
    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(&self, py: Python<'py>, requested_schema: Option<&Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let batches = RecordBatchIterator::new([Ok(self.batch.clone())], self.batch.schema());
        PyCapsule::new_with_value(py, FFI_ArrowArrayStream::new(Box::new(batches)), c"arrow_array_stream")
    }
}
