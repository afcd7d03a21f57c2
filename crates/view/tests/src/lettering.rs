//! Widths of words, and words cut and wrapped.

use blockstep_view::lettering::{fitted, width_px, wrapped};

#[test]
fn what_is_cut_says_so_and_fits() {
    assert_eq!(fitted("K1", 100.0, 12.0), "K1");
    for room in 0..200 {
        let text = fitted("A rather long name of a stream", f64::from(room), 12.0);
        assert!(
            width_px(&text, 12.0) <= f64::from(room) + 1e-9 && (text.is_empty() || room > 100 || text.ends_with('…')),
            "{room}: {text}"
        );
    }
    assert_eq!(fitted("漢字漢字", 40.0, 12.0), "漢…");
}

#[test]
fn words_wrap_between_words() {
    assert_eq!(wrapped("one two three four", 64.0, 12.0, 9), ["one two", "three four"].map(str::to_owned));
    let cut = wrapped("one two three four five six seven", 60.0, 12.0, 2);
    assert_eq!((cut.len(), cut[0].as_str()), (2, "one two"));
    assert!(cut[1].ends_with('…'));
}
