//! What an SVG says, by a parser that is not ours.

use roxmltree::Document;

/// Words and sizes of an SVG's texts, in order.
pub fn texts(svg: &str) -> Vec<(String, f64)> {
    let document = Document::parse(svg).unwrap();
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    texts.map(|node| (node.text().unwrap_or_default().trim().to_owned(), node.attribute("font-size").unwrap().parse().unwrap())).collect()
}
