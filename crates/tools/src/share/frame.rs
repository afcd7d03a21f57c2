//! The code of a frame for another page.
//!
//! Invariant: whatever a scenario is called, the code is one element.

use html_escape::encode_double_quoted_attribute;

use super::ShareError;

/// The smallest frame.
pub(super) const LEAST_WIDTH_PX: u32 = 240;
pub(super) const LEAST_HEIGHT_PX: u32 = 120;

/// Width and height of a frame, as its attributes have them, from what was typed.
///
/// # Errors
/// Which of them is no length.
pub(super) fn size(width: &str, height: &str, usual_height: &str) -> Result<(String, String), ShareError> {
    let (width, height) = (typed(width, "100%"), typed(height, usual_height));
    let number = |text: &str, least: u32| {
        text.parse::<u32>().ok().filter(|px| (least..=4_000).contains(px)).map(|px| px.to_string()).ok_or_else(|| text.to_owned())
    };
    let width = if width == "100%" { width.to_owned() } else { number(width, LEAST_WIDTH_PX).map_err(ShareError::Width)? };
    Ok((width, number(height, LEAST_HEIGHT_PX).map_err(ShareError::Height)?))
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
