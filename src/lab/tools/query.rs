//! What forms and links hold: names with values, in order, written as browsers write them.
//!
//! Depends on the crate that browsers' own engine uses for it. Invariant: what is written is read
//! back as it was.

/// Names with values. A name may stand there more than once, as ticked boxes do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads `a=1&b=2`; whatever is there can be read.
    #[must_use]
    pub fn read(text: &str) -> Self {
        Self(form_urlencoded::parse(text.as_bytes()).into_owned().collect())
    }

    /// Writes it.
    #[must_use]
    pub fn write(&self) -> String {
        form_urlencoded::Serializer::new(String::new()).extend_pairs(&self.0).finish()
    }

    /// The first value of a name; empty if there is none.
    #[must_use]
    pub fn get(&self, name: &str) -> &str {
        self.0.iter().find(|(n, _)| n == name).map_or("", |(_, value)| value)
    }

    /// Every value of a name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Every name with its value, in order.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Whether it holds nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first value of a name as a number.
    #[must_use]
    pub fn number(&self, name: &str) -> Option<u64> {
        self.get(name).parse().ok()
    }

    /// Sets the one value of a name; an empty one takes it out.
    pub fn set(&mut self, name: &str, value: impl Into<String>) -> &mut Self {
        let value = value.into();
        self.0.retain(|(n, _)| n != name);
        if !value.is_empty() {
            self.0.push((name.to_owned(), value));
        }
        self
    }

    /// Adds a value to those of a name.
    pub fn add(&mut self, name: &str, value: impl Into<String>) -> &mut Self {
        self.0.push((name.to_owned(), value.into()));
        self
    }
}

impl FromIterator<(String, String)> for Query {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> Self {
        Self(pairs.into_iter().collect())
    }
}
