//! The exported picture.

use blockstep_draw::svg;
use blockstep_sim::scenario::Draft;

use super::{run, table_1};

fn picture(draft: &Draft, width: u32, dark: bool) -> String {
    let (trace, records) = run(draft);
    svg(&trace, &records, width, None, dark)
}

/// Every tag closed in order, nothing but known entities, no forbidden characters. What a parser
/// of XML would insist on, for the little that these pictures use.
fn assert_well_formed(text: &str) {
    assert!(text.chars().all(|c| c == '\n' || c == '\t' || c >= ' '), "control character");
    assert!(!text.contains(['\u{fffe}', '\u{ffff}']));
    let mut open: Vec<&str> = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        assert_entities(&rest[..at]);
        let end = rest.find('>').unwrap();
        let tag = &rest[at + 1..end];
        assert!(!tag.contains('<'), "{tag}");
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name));
        } else {
            assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
            assert_entities(tag);
            if !tag.ends_with('/') {
                open.push(tag.split(' ').next().unwrap());
            }
        }
        rest = &rest[end + 1..];
        assert!(!open.is_empty() || rest.trim().is_empty(), "more than one root");
    }
    assert!(open.is_empty(), "{open:?}");
}

fn assert_entities(text: &str) {
    for (i, _) in text.match_indices('&') {
        let entity = &text[i..i + text[i..].find(';').unwrap() + 1];
        assert!(["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"].contains(&entity), "{entity}");
    }
}

#[test]
fn table_1_names_its_blocks_copies_and_launches() {
    let text = picture(&table_1(), 1_440, false);
    assert_well_formed(&text);
    for label in
        ["SM 0", "SM 1", "Copy", "K1:0", "K1:5", "K4:2", "K5:1", "K6:1", "K3:1", "C5o", "C2o", "C3i", "C3o", "C6o", "K1, K2, K3", "K6"]
    {
        assert!(text.contains(&format!(">\n{label}\n</text>")), "{label}");
    }
    assert!(text.starts_with("<svg role=\"img\" width=\"1440\""));
    assert!(text.contains("<title>") && text.contains("<desc>Timeline of 18 blocks and 5 copies on 2 SMs"));
}

#[test]
fn any_name_gives_a_well_formed_picture() {
    let mut draft = table_1();
    draft.name = "<&>\"'\u{0}\u{1b}\u{ffff} \u{1f600} long ".repeat(12);
    for (i, kernel) in draft.kernels.iter_mut().enumerate() {
        kernel.name = format!("<\"&'{}\u{0}\u{7}", i + 1);
    }
    for width in [0, 390, 1_440, 3_000] {
        assert_well_formed(&picture(&draft, width, true));
    }
    draft.name.clear();
    assert_well_formed(&picture(&draft, 800, false));
}

#[test]
fn dark_and_light_differ_in_colours_only() {
    let strip = |text: &str| {
        let mut plain = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("=\"#") {
            plain.push_str(&rest[..at]);
            rest = &rest[at + 10..];
        }
        plain + rest
    };
    let (light, dark) = (picture(&table_1(), 1_000, false), picture(&table_1(), 1_000, true));
    assert_ne!(light, dark);
    assert_eq!(strip(&light), strip(&dark));
}

#[test]
fn a_given_height_is_kept() {
    let (trace, records) = run(&table_1());
    for height in [300, 500, 1_200] {
        assert!(svg(&trace, &records, 800, Some(height), false).contains(&format!("width=\"800\" height=\"{height}\"")));
    }
}

#[test]
fn svg_names_turn_nothing_around() {
    let mut draft = table_1();
    draft.name = "A\u{202e}B".to_owned();
    draft.kernels[0].name = "\u{2067}K1".to_owned();
    let text = picture(&draft, 1200, false);
    assert!(text.contains("A\u{fffd}B") && text.contains("\u{fffd}K1:0"), "{text}");
    assert!(!text.contains(blockstep_sim::scenario::is_directive));
}
