//! The code of a frame for another page.
//!
//! Invariant: whatever a scenario is called, the code is one element.

use html_escape::encode_double_quoted_attribute;

/// Width and height of a frame, as its attributes have them, from what was typed.
///
/// # Errors
/// Which of them is no length, as a sentence.
pub(super) fn size(width: &str, height: &str, usual_height: &str) -> Result<(String, String), String> {
    let (width, height) = (typed(width, "100%"), typed(height, usual_height));
    let number = |text: &str, least: u32, wrong: fn(&str, u32) -> String| match text.parse::<u32>() {
        Ok(px) if (least..=4_000).contains(&px) => Ok(px.to_string()),
        _ => Err(wrong(text, least)),
    };
    let width = if width == "100%" { width.to_owned() } else { number(width, 240, wrong_width)? };
    Ok((width, number(height, 120, wrong_height)?))
}

/// What was typed, or what counts if nothing was.
pub(super) fn typed<'t>(text: &'t str, otherwise: &'t str) -> &'t str {
    match text.trim() {
        "" => otherwise,
        typed => typed,
    }
}

/// The code of a frame of this size that shows an address, with a scenario of this name.
pub(super) fn code(address: &str, name: &str, (width, height): &(String, String), is_restricted: bool) -> String {
    let title = super::title(name);
    // Scripts and the page's own worker are what it runs on; the link to the full page opens a tab.
    let sandbox = if is_restricted { "allow-scripts allow-same-origin allow-popups allow-popups-to-escape-sandbox" } else { "" };
    let attributes = [
        ("src", address),
        ("title", &title),
        ("width", width),
        ("height", height),
        ("style", "border:0"),
        ("loading", "lazy"),
        ("sandbox", sandbox),
    ];
    let said = attributes.iter().filter(|(_, value)| !value.is_empty());
    let attributes: String = said.map(|(name, value)| format!(" {name}=\"{}\"", encode_double_quoted_attribute(value))).collect();
    format!("<iframe{attributes}></iframe>")
}

fn wrong_width(text: &str, least: u32) -> String {
    format!("Width: \"{text}\" is not a whole number of pixels from {least} to 4,000, nor 100%.")
}

fn wrong_height(text: &str, least: u32) -> String {
    format!("Height: \"{text}\" is not a whole number of pixels from {least} to 4,000.")
}
