//! Texts that could not be read (yet), by field.
//!
//! Depends on nothing. Invariant: fields are in order and unique. There are few, so they are a list.

/// Texts by field or path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts(Vec<(String, String)>);

impl Texts {
    /// What is kept of a field.
    #[must_use]
    pub fn get(&self, field: &str) -> Option<&String> {
        self.place(field).ok().map(|i| &self.0[i].1)
    }

    /// Keeps a text.
    pub fn set(&mut self, field: &str, text: &str) {
        match self.place(field) {
            Ok(i) => text.clone_into(&mut self.0[i].1),
            Err(i) => self.0.insert(i, (field.to_owned(), text.to_owned())),
        }
    }

    /// Forgets the text of a field.
    pub fn remove(&mut self, field: &str) {
        self.0.retain(|(of, _)| of != field);
    }

    /// Forgets the texts of all fields whose name begins so.
    pub fn remove_all(&mut self, prefix: &str) {
        self.0.retain(|(of, _)| !of.starts_with(prefix));
    }

    /// Fields and texts, in the order of the fields.
    pub fn iter(&self) -> impl Iterator<Item = &(String, String)> {
        self.0.iter()
    }

    fn place(&self, field: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(of, _)| of.as_str().cmp(field))
    }
}
