//! serde types read from a parsed file, all problems at once and each at its place.
//!
//! Depends on `json` and `read`. Invariant: a value that does not fit is a problem and a stand-in, never the end of the
//! reading; so the types read here have defaults for all fields, and what is required stands in their [`Form`].
//! A type that cannot go on after a value says so by an error whose text is what is expected.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Expected, IntoDeserializer, MapAccess, SeqAccess, Unexpected, Visitor,
};

use super::error::Path;
use super::json::{JsonKind, Node};
use super::read::{Names, Reader};

/// What serde does not say of an object.
pub(crate) struct Form {
    /// The type, as serde names it.
    pub(crate) type_name: &'static str,
    /// Its fields in the order of the format, if the type has not all of them; the others are read elsewhere.
    pub(crate) fields: Names<'static>,
    /// Fields that must be there.
    pub(crate) required: Names<'static>,
    /// Fields that must be there as well, unless another one says something else.
    pub(crate) unless: Option<Unless>,
    /// Fields whose values are looked at first; one that is refused there is left out.
    pub(crate) checks: &'static [(&'static str, Check)],
    /// Fields that a file of version 1 has not.
    pub(crate) of_version_2: Names<'static>,
    /// Fields that one of version 2 has not, either.
    pub(crate) of_version_3: Names<'static>,
}

/// Fields that are required where another field is left out, or has this word.
pub(crate) struct Unless {
    /// The other field.
    pub(crate) field: &'static str,
    /// Its word; the one that leaving it out stands for.
    pub(crate) word: &'static str,
    /// What is required then.
    pub(crate) required: Names<'static>,
}

/// Says what is wrong with a value; whether it can be given to its type.
pub(crate) type Check = fn(&mut Reader, Node<'_>, &Path<'_>) -> bool;

impl Form {
    /// An object with optional fields only.
    pub(crate) const PLAIN: Self =
        Self { type_name: "", fields: &[], required: &[], unless: None, checks: &[], of_version_2: &[], of_version_3: &[] };
}

impl Reader {
    /// A value of a serde type; nothing after an error that ended the reading, which is among the problems.
    pub(crate) fn typed<T: DeserializeOwned>(&mut self, node: Node<'_>, path: &Path<'_>) -> Option<T> {
        T::deserialize(Value { reader: &mut *self, node, path }).map_err(|ended| ended.told(self, node, path)).ok()
    }
}

/// The reading of a value ended; the problem, as far as it has not been told yet.
#[derive(Debug)]
struct Ended(Option<String>);

impl Ended {
    /// The same after the problem has been told.
    fn told(self, reader: &mut Reader, node: Node<'_>, path: &Path<'_>) -> Self {
        if let Some(expected) = self.0 {
            reader.expected(node, path, &expected);
        }
        Self(None)
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.as_deref().unwrap_or_default())
    }
}

impl std::error::Error for Ended {}

impl de::Error for Ended {
    fn custom<T: fmt::Display>(expected: T) -> Self {
        Self(Some(expected.to_string()))
    }

    fn invalid_type(_: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Self::custom(expected)
    }

    fn invalid_length(_: usize, expected: &dyn Expected) -> Self {
        Self::custom(expected)
    }
}

/// A value of a file with its place.
struct Value<'r, 'd, 'p> {
    reader: &'r mut Reader,
    node: Node<'d>,
    path: &'p Path<'p>,
}

impl<'r, 'd, 'p> Value<'r, 'd, 'p> {
    fn items(self) -> Items<'r, 'd, 'p> {
        let items: Box<dyn Iterator<Item = Node<'d>> + 'd> = Box::new(self.node.items());
        Items { reader: self.reader, path: self.path, items, next: 0 }
    }
}

/// Reads with a method of the reader, which tells what is wrong, and hands the value on.
macro_rules! by_reader {
    ($($deserialize:ident: $read:ident => $visit:ident;)*) => {$(
        fn $deserialize<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Ended> {
            visitor.$visit(self.reader.$read(self.node, self.path))
        }
    )*};
}

impl<'de> Deserializer<'de> for Value<'_, '_, '_> {
    type Error = Ended;

    by_reader! {
        deserialize_bool: truth => visit_bool;
        deserialize_u32: small => visit_u32;
        deserialize_u64: number => visit_u64;
        deserialize_i64: signed => visit_i64;
        deserialize_str: text => visit_string;
        deserialize_string: text => visit_string;
    }

    /// For types that take several kinds of value.
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Ended> {
        let (node, path) = (self.node, self.path);
        match node.kind() {
            JsonKind::Null => visitor.visit_unit(),
            JsonKind::Bool => self.deserialize_bool(visitor),
            JsonKind::Number => self.deserialize_u64(visitor),
            JsonKind::String => self.deserialize_string(visitor),
            JsonKind::List => visitor.visit_seq(self.items()),
            JsonKind::Object => {
                let given: Vec<_> = node.fields().map(|(key, value)| (key.text(), value)).collect();
                visitor.visit_map(Fields { reader: self.reader, path, form: &Form::PLAIN, given: given.into_iter(), value: None })
            }
        }
    }

    /// A field that is there has a value: null is not "left out".
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Ended> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Ended> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Ended> {
        if self.node.kind() != JsonKind::List {
            self.reader.expected(self.node, self.path, "a list");
        }
        visitor.visit_seq(self.items())
    }

    fn deserialize_struct<V: Visitor<'de>>(self, name: &'static str, own: Names<'static>, visitor: V) -> Result<V::Value, Ended> {
        let form = self.reader.forms.iter().find(|form| form.type_name == name).unwrap_or(&Form::PLAIN);
        let known = if form.fields.is_empty() { own } else { form.fields };
        let mut required = form.required.to_vec();
        if let Some(unless) = &form.unless
            && self.node.kind() == JsonKind::Object
            && self.node.get(unless.field).is_none_or(|given| given.text() == unless.word)
        {
            required.extend(unless.required);
        }
        let given = self.reader.object(self.node, self.path, known, &required);
        if let Some(version) = self.reader.version {
            for (name, value) in &given {
                let first = if form.of_version_3.contains(name) { 3 } else { 1 + u8::from(form.of_version_2.contains(name)) };
                if version < first {
                    let message = || format!("is a field of version {first}; the file has version {version}");
                    self.reader.problem(*value, &self.path.field(name), message);
                }
            }
        }
        let given = given.into_iter();
        let given: Vec<_> = given.filter(|(name, _)| own.contains(name)).map(|(name, value)| (Cow::Borrowed(name), value)).collect();
        visitor.visit_map(Fields { reader: self.reader, path: self.path, form, given: given.into_iter(), value: None })
    }

    fn deserialize_enum<V: Visitor<'de>>(self, _: &'static str, words: Names<'static>, visitor: V) -> Result<V::Value, Ended> {
        let word: StrDeserializer<'_, Ended> = self.reader.word(self.node, self.path, words).into_deserializer();
        visitor.visit_enum(word)
    }

    serde::forward_to_deserialize_any! {
        i8 i16 i32 i128 u8 u16 u128 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct map identifier ignored_any
    }
}

/// The entries of a list.
struct Items<'r, 'd, 'p> {
    reader: &'r mut Reader,
    path: &'p Path<'p>,
    items: Box<dyn Iterator<Item = Node<'d>> + 'd>,
    next: usize,
}

impl<'de> SeqAccess<'de> for Items<'_, '_, '_> {
    type Error = Ended;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Ended> {
        // Nothing is made of the entries any more once problems are not named, and there may be millions.
        let Some(node) = self.items.next().filter(|_| !self.reader.is_full()) else { return Ok(None) };
        let at = self.path.item(self.next);
        self.next += 1;
        let read = seed.deserialize(Value { reader: &mut *self.reader, node, path: &at });
        read.map(Some).map_err(|ended| ended.told(self.reader, node, &at))
    }
}

/// The fields of an object that are known.
struct Fields<'r, 'd, 'p> {
    reader: &'r mut Reader,
    path: &'p Path<'p>,
    form: &'static Form,
    given: std::vec::IntoIter<(Cow<'d, str>, Node<'d>)>,
    /// The one whose key was asked for last.
    value: Option<(Cow<'d, str>, Node<'d>)>,
}

impl<'de> MapAccess<'de> for Fields<'_, '_, '_> {
    type Error = Ended;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Ended> {
        for (name, node) in self.given.by_ref() {
            let check = self.form.checks.iter().find(|(of, _)| *of == name);
            if check.is_none_or(|(_, is_fit)| is_fit(self.reader, node, &self.path.field(&name))) {
                let key: StrDeserializer<'_, Ended> = (&*name).into_deserializer();
                let key = seed.deserialize(key);
                self.value = Some((name, node));
                return key.map(Some);
            }
        }
        Ok(None)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Ended> {
        let Some((name, node)) = self.value.take() else { return Err(Ended(None)) };
        let at = self.path.field(&name);
        seed.deserialize(Value { reader: &mut *self.reader, node, path: &at }).map_err(|ended| ended.told(self.reader, node, &at))
    }
}
