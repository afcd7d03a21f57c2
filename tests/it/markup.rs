//! What the tests of tools ask of HTML, and what it does to text.

use blockstep::view::markup::Markup;

#[test]
fn markup_text_turns_nothing_around() {
    let name = "a\u{202e}b\u{2066}c\u{200f}<";
    let mut html = Markup::new();
    html.leaf("b", &[], name).open("textarea", &[("title", name)]).verbatim(name);
    assert_eq!(
        html.finish(),
        "<b>a\u{fffd}b\u{fffd}c\u{fffd}&lt;</b><textarea title=\"a\u{202e}b\u{2066}c\u{200f}&lt;\">a\u{202e}b\u{2066}c\u{200f}&lt;</textarea>"
    );
}

/// Whether every element is ended in its order.
pub fn is_well_formed(html: &str) -> bool {
    const SINGLE: [&str; 2] = ["input", "br"];
    let (mut open, mut rest) = (Vec::new(), html);
    while let Some((_, after)) = rest.split_once('<') {
        let Some((tag, after)) = after.split_once('>') else { return false };
        rest = after;
        match tag.strip_prefix('/') {
            Some(name) => {
                if open.pop() != Some(name) {
                    return false;
                }
            }
            None if tag.ends_with('/') || tag.starts_with('?') || tag.starts_with('!') => {}
            None => {
                let name = tag.split([' ', '\n']).next().unwrap_or_default();
                if !SINGLE.contains(&name) {
                    open.push(name);
                }
            }
        }
    }
    open.is_empty()
}
