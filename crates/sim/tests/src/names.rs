//! Names: how they are shown, limited and compared.

use blockstep_sim::scenario::{MAX_NAME, doubts, is_directive, plain, too_long};

#[test]
fn what_turns_the_text_is_neutral() {
    for c in ['\u{61c}', '\u{200e}', '\u{200f}', '\u{202a}', '\u{202b}', '\u{202c}', '\u{202d}', '\u{202e}'] {
        assert!(is_directive(c));
        assert_eq!(plain(&format!("K{c}1")), "K\u{fffd}1");
    }
    for c in ['\u{2066}', '\u{2067}', '\u{2068}', '\u{2069}', '\u{2028}', '\u{2029}', '\u{85}', '\u{7f}', '\t'] {
        assert_eq!(plain(&format!("K{c}1")), "K\u{fffd}1");
    }
}

#[test]
fn what_cannot_be_seen_is_shown() {
    for (name, shown) in [
        ("K\u{200b}1", "K<ZWSP>1"),
        ("K\u{200d}1", "K<ZWJ>1"),
        ("K\u{200c}1", "K<ZWNJ>1"),
        ("K1\u{feff}", "K1<ZWNBSP>"),
        ("\u{ad}K\u{2060}1", "<SHY>K<WJ>1"),
        ("K\u{fe0f}1", "K<U+FE0F>1"),
        ("K\u{e0041}1", "K<U+E0041>1"),
        ("\u{3164}", "<U+3164>"),
    ] {
        assert_eq!(plain(name), shown);
    }
}

#[test]
fn names_of_any_script_stay_as_they_are() {
    for name in
        ["K1", "Größe", "größe", "名前", "שלום", "مي\u{200c}خواهم", "क्\u{200d}ष", "👩🏽\u{200d}❤\u{fe0f}\u{200d}💋\u{200d}👨🏻", "12\u{202f}ms"]
    {
        assert_eq!(plain(name), name);
    }
}

#[test]
fn a_letter_has_few_marks() {
    let marks = "\u{301}".repeat(10);
    assert_eq!(plain(&format!("Z{marks}1")), format!("Z{marks}1"));
    assert_eq!(plain(&format!("Z{}1", "\u{301}".repeat(50_000))), format!("Z{marks}\u{fffd}1"));
}

#[test]
fn names_are_counted_as_readers_count() {
    for name in [
        "x".repeat(MAX_NAME),
        "é".repeat(MAX_NAME),
        "e\u{301}".repeat(MAX_NAME),
        "👩🏽\u{200d}❤\u{fe0f}\u{200d}💋\u{200d}👨🏻".repeat(MAX_NAME),
    ] {
        assert_eq!(too_long(&name), None);
        let why = too_long(&format!("{name}x")).unwrap_or_default();
        assert!(why.starts_with('"') && why.ends_with("…\" has 201 characters; at most 200 are possible"), "{why}");
    }
    let why = too_long(&format!("Z{}", "\u{301}".repeat(50_000))).unwrap_or_default();
    assert!(why.ends_with("has 50,001 characters; at most 200 are possible") && why.chars().count() < 100, "{why}");
    let why = too_long(&format!("Z{}", "\u{301}".repeat(11))).unwrap_or_default();
    assert!(why.ends_with("has 11 marks on one letter; at most 10 are possible"), "{why}");
}

#[test]
fn look_alikes_have_one_look() {
    let doubt = |a: &str, b: &str| doubts([(0, a), (0, b)].into_iter()).find(|(place, _)| *place == 1).map(|(_, why)| why);
    let is_alike = |a: &str, b: &str| doubt(a, b).is_some_and(|why| why.contains("looks like"));
    for (a, b) in [
        ("K1", "K\u{200b}1"),
        ("K1", "Kl"),
        ("K1", "КI"),
        ("copy", "сору"),
        ("K1", "Ｋ１"),
        ("T0", "𝐓O"),
        ("a b", " a\u{a0}\u{a0}b "),
        ("K1", "K\u{61c}1"),
        ("a-b", "a\u{2010}b"),
        ("NULL", "ΝULL"),
    ] {
        assert!(is_alike(a, b), "{a} {b}");
    }
    for (a, b) in [("K1", "K2"), ("K1", "k1"), ("T1", "T11"), ("ab", "a b"), ("é", "e")] {
        assert!(!is_alike(a, b), "{a} {b}");
    }
}
