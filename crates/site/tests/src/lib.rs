//! The static pages: each is small and whole, all of what is known has one, and every link leads somewhere.
#![cfg(test)]
#![allow(clippy::unwrap_used, missing_docs)]

mod address;
mod arguments;
mod links;
mod pages;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use blockstep_site::{Address, SiteFile, files};

/// The files of a site without an address, by their paths.
static FILES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| by_path(files(None).unwrap()));

/// The same of a site with one.
static HOSTED: LazyLock<BTreeMap<String, String>> =
    LazyLock::new(|| by_path(files(Some(&Address::read("https://example.org/blockstep").unwrap())).unwrap()));

fn by_path(files: Vec<SiteFile>) -> BTreeMap<String, String> {
    let count = files.len();
    let by_path: BTreeMap<_, _> = files.into_iter().map(|file| (file.path, file.text)).collect();
    assert_eq!(by_path.len(), count, "no two files have the same path");
    by_path
}

fn pages() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().filter(|(path, _)| path.ends_with(".html")).map(|(path, text)| (&**path, &**text))
}

/// What stands in an attribute, wherever it is.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let start = format!(" {attribute}=\"");
    html.split(&start).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}
