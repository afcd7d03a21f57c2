//! Where the site is, for what others than browsers read: search engines and chats.
//!
//! Depends on maud. Invariant: an address that exists begins with its scheme, ends with a slash, and is the same in HTML and XML.

use maud::{PreEscaped, html};

/// The address of the site: `https://host/path/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address(String);

/// Why a text is no address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is no address of a site: it begins with https:// or http://, a host follows, and it has no query, fragment or blanks")]
pub struct AddressError(String);

impl Address {
    /// Reads an address, with or without its last slash.
    ///
    /// # Errors
    /// If it is none.
    pub fn read(text: &str) -> Result<Self, AddressError> {
        let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
        let is_part = |c: char| c.is_ascii_alphanumeric() || "-._~:/@%[]".contains(c);
        match rest {
            Some(rest) if rest.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '[') && rest.chars().all(is_part) => {
                Ok(Self(format!("{}/", text.trim_end_matches('/'))))
            }
            _ => Err(AddressError(text.to_owned())),
        }
    }

    /// The address of a file of the site.
    #[must_use]
    pub fn with_path(&self, path: &str) -> String {
        format!("{}{}", self.0, path.strip_suffix("index.html").unwrap_or(path))
    }

    /// The list of pages that search engines read (sitemaps.org, protocol 0.9): the page itself, and those at `paths`.
    pub(crate) fn sitemap<'a>(&self, paths: impl Iterator<Item = &'a str>) -> String {
        let list = html! {
            (PreEscaped(r#"<?xml version="1.0" encoding="UTF-8"?>"#))
            urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" {
                @for path in std::iter::once("").chain(paths) { url { loc { (self.with_path(path)) } } }
            }
        };
        list.into_string()
    }
}
