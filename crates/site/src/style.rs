//! The style of the static pages.
//!
//! Invariant: colors are those of the page, read from its style when this is compiled.

/// The page's own style, whose first rules name its colors.
const PAGE: &str = include_str!("../../../style/main.css");

const STATIC: &str = include_str!("../../../style/static.css");

/// The file, in the folder of the pages.
pub(crate) const FILE: &str = "static.css";

/// The whole style sheet.
pub(crate) fn text() -> String {
    let rule = |selector: &str| PAGE.split_once(selector).and_then(|(_, rest)| rest.split_once('}')).map_or("", |(rule, _)| rule.trim());
    let (light, dark) = (rule(":root {"), rule(":root[data-theme=\"dark\"] {"));
    format!(":root {{\n  {light}\n}}\n@media (prefers-color-scheme: dark) {{\n:root {{\n  {dark}\n}}\n}}\n{STATIC}")
}
