//! What is there only where the address of the site is known.

use std::collections::BTreeSet;

use blockstep_site::{Address, FOLDER};

use super::{FILES, HOSTED};

#[test]
fn addresses_are_read_with_or_without_their_last_slash() {
    for text in ["https://example.org/blockstep", "https://example.org/blockstep/"] {
        let address = Address::read(text).unwrap();
        assert_eq!(address.with_path("learn/index.html"), "https://example.org/blockstep/learn/");
        assert_eq!(address.with_path("learn/rule-x1.html"), "https://example.org/blockstep/learn/rule-x1.html");
    }
    for text in [
        "",
        "example.org",
        "ftp://example.org",
        "https://",
        "https:///a",
        "https://a b",
        "https://a/#b",
        "https://a/?b",
        "https://a\"b",
        "https://a&b",
    ] {
        let said = Address::read(text).unwrap_err().to_string();
        assert!(said.contains(&format!("\"{text}\"")) && said.contains("begins with https:// or http://"), "{said}");
    }
}

#[test]
fn with_an_address_pages_say_where_they_are_and_chats_find_a_picture() {
    for (path, html) in HOSTED.iter().filter(|(path, _)| path.ends_with(".html")) {
        let here = format!("https://example.org/blockstep/{}", path.strip_suffix("index.html").unwrap_or(path));
        assert!(html.contains(&format!("<link rel=\"canonical\" href=\"{here}\">")), "{path}");
        assert!(html.contains(&format!("<meta property=\"og:url\" content=\"{here}\">")), "{path}");
        // Of each picture but the icon of the site a PNG is made.
        let picture =
            html.split("<meta property=\"og:image\" content=\"https://example.org/blockstep/").nth(1).unwrap().split('"').next().unwrap();
        let is_made = HOSTED.contains_key(&picture.replace(".png", ".svg"));
        assert!(picture.ends_with(".png") && (is_made || picture == "icon-512.png"), "{path}: {picture}");
        let is_shown = path.contains("example-") || path.contains("tour-") || path.contains("rule-");
        assert!(is_made || !is_shown || !html.contains("<img"), "{path}");
        // All else is the same.
        let without = &FILES[path];
        let head = html.find("<link rel=\"canonical\"").unwrap();
        let rest = html.find("<link rel=\"icon\"").unwrap();
        assert_eq!(format!("{}{}", &html[..head], &html[rest..]), *without, "{path}");
    }
    assert!(HOSTED[&format!("{FOLDER}/term-ee-queue.html")].contains("chat-rule-"), "a term has the picture of its first rule");
    assert!(!FILES.keys().any(|path| path.contains("/chat-")));
}

#[test]
fn a_picture_for_chats_is_drawn_and_broader_than_high() {
    let (dots, _) = blockstep_png::png(&HOSTED[&format!("{FOLDER}/chat-rule-x1.svg")], 2).unwrap();
    assert!(dots.starts_with(b"\x89PNG"));
    let number = |at: usize| u32::from_be_bytes(dots[at..at + 4].try_into().unwrap());
    let (width, height) = (number(16), number(20));
    assert!(width >= 1_200 && height < width, "{width} x {height}");
}

#[test]
fn the_sitemap_has_the_page_and_every_static_page() {
    let text = &HOSTED["sitemap.xml"];
    let document = roxmltree::Document::parse(text).unwrap();
    let listed: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.sitemaps.org/schemas/sitemap/0.9", "loc")))
        .map(|node| node.text().unwrap())
        .collect();
    let pages = HOSTED.keys().filter(|path| path.ends_with(".html"));
    let wanted: BTreeSet<_> = pages
        .map(|path| format!("https://example.org/blockstep/{}", path.strip_suffix("index.html").unwrap_or(path)))
        .chain(["https://example.org/blockstep/".to_owned()])
        .collect();
    assert_eq!(listed.len(), wanted.len());
    assert_eq!(listed.into_iter().map(str::to_owned).collect::<BTreeSet<_>>(), wanted);
    assert!(wanted.contains(&format!("https://example.org/blockstep/{FOLDER}/")));
}
