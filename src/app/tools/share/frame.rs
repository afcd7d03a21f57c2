//! The code of a frame for another page.
//!
//! Depends on nothing of ours. Invariant: whatever a scenario is called, the code is one element.

use html_escape::encode_double_quoted_attribute;

/// Width and height of a frame, as its attributes have them, from what was typed.
///
/// # Errors
/// Which of them is no length, as a sentence.
pub(super) fn size(width: &str, height: &str, usual_height: &str) -> Result<(String, String), String> {
    let (width, height) = (typed(width, "100%"), typed(height, usual_height));
    let number = |name: &str, text: &str, least: u32| match text.parse::<u32>() {
        Ok(px) if (least..=4_000).contains(&px) => Ok(px.to_string()),
        _ => Err(format!(
            "{name}: \"{text}\" is no whole number of pixels from {least} to 4,000{}.",
            if name == "Width" { ", nor 100%" } else { "" }
        )),
    };
    let width = if width == "100%" { width.to_owned() } else { number("Width", width, 240)? };
    Ok((width, number("Height", height, 120)?))
}

/// What was typed, or what counts if nothing was.
pub(super) fn typed<'t>(text: &'t str, otherwise: &'t str) -> &'t str {
    match text.trim() {
        "" => otherwise,
        typed => typed,
    }
}

/// What screen readers call it, with a scenario of this name.
pub(super) fn title(name: &str) -> String {
    if name.is_empty() { "Blockstep".to_owned() } else { format!("Blockstep: {name}") }
}

/// The code of a frame of this size that shows an address, with a scenario of this name.
pub(super) fn code(address: &str, name: &str, (width, height): &(String, String), is_restricted: bool) -> String {
    let title = title(name);
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
