//! What the tests of tools ask of HTML.

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
