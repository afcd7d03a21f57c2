//! What is on the pages.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use blockstep_learn::glossary::terms;
use blockstep_learn::ledger::FAMILIES;
use blockstep_learn::tour::Tour;
use blockstep_sim::examples;
use blockstep_sim::trace::Rule;
use blockstep_site::{FOLDER, MAX_BYTES, MAX_GUIDE_BYTES};
use roxmltree::{Document, Node, ParsingOptions};

use super::{FILES, pages, values};

/// Elements without an end tag, which XML does not know.
const VOID: [&str; 3] = ["<meta ", "<link ", "<img "];

/// The page as XML, which is stricter than HTML: every element has its end, and no text has a raw `<` or `&`.
fn with_document(path: &str, html: &str, look: impl FnOnce(&Document<'_>)) {
    let mut xml = html.strip_prefix("<!DOCTYPE html>").unwrap_or_else(|| panic!("{path} has no type")).to_owned();
    for start in VOID {
        let mut parts = xml.split(start);
        let first = parts.next().unwrap().to_owned();
        xml = parts.fold(first, |all, part| {
            let (tag, rest) = part.split_once('>').unwrap();
            format!("{all}{start}{tag}/>{rest}")
        });
    }
    let document = Document::parse_with_options(&xml, ParsingOptions::default()).unwrap_or_else(|why| panic!("{path}: {why}"));
    look(&document);
}

fn is_guide(path: &str) -> bool {
    path.starts_with(&format!("{FOLDER}/guide-"))
}

fn text_of(node: Node<'_, '_>) -> String {
    node.descendants().filter_map(|node| if node.is_text() { node.text() } else { None }).collect()
}

#[test]
fn everything_known_has_exactly_one_page() {
    let of = |kind: &str, ids: Vec<String>| ids.into_iter().map(move |id| format!("{FOLDER}/{kind}-{}.html", id.to_lowercase())).collect();
    let documents = std::fs::read_dir(Path::new(blockstep_testing::ROOT).join("docs")).unwrap();
    let documents = documents.filter_map(|entry| entry.unwrap().file_name().to_str().unwrap().strip_suffix(".md").map(str::to_owned));
    let known: [Vec<String>; 5] = [
        of("example", examples::all().map(|example| example.id.to_owned()).collect()),
        of("tour", Tour::ids().map(str::to_owned).collect()),
        of("rule", Rule::ALL.into_iter().map(|rule| rule.id().to_owned()).collect()),
        of("term", terms().iter().map(|term| term.slug()).collect()),
        of("guide", documents.collect()),
    ];
    let known = [known.concat(), vec![format!("{FOLDER}/index.html")]].concat();
    let wanted: BTreeSet<_> = known.iter().map(String::as_str).collect();
    assert_eq!(wanted.len(), known.len());
    assert_eq!(pages().map(|(path, _)| path).collect::<BTreeSet<_>>(), wanted);
}

#[test]
fn every_rule_is_of_one_family() {
    for rule in Rule::ALL {
        assert_eq!(FAMILIES.iter().filter(|family| family.has(rule)).count(), 1, "{}", rule.id());
    }
}

#[test]
fn pages_are_small() {
    for (path, html) in pages() {
        let limit = if is_guide(path) { MAX_GUIDE_BYTES } else { MAX_BYTES };
        assert!(html.len() < limit, "{path}: {} bytes, the limit is {limit}", html.len());
    }
}

#[test]
fn pages_are_well_formed_and_say_what_they_are_about() {
    let mut titles = BTreeMap::new();
    for (path, html) in pages() {
        with_document(path, html, |document| {
            let named = |name: &'static str| document.descendants().filter(move |node| node.has_tag_name(name));
            for name in ["title", "h1", "main"] {
                assert_eq!(named(name).count(), 1, "{path}: {name}");
            }
            let heading = text_of(named("h1").next().unwrap());
            let title = text_of(named("title").next().unwrap());
            assert!(heading.starts_with(title.split(" · ").next().unwrap()), "{path}: {title}");
            assert_eq!(titles.insert(title.clone(), path), None, "{path}: {title} is the title of two pages");
            let description = named("meta").find(|node| node.attribute("name") == Some("description")).unwrap();
            let said = description.attribute("content").unwrap();
            assert!((20..=320).contains(&said.chars().count()), "{path}: {said}");
            // Headings follow each other without a gap.
            let levels = document.descendants().filter_map(|node| node.tag_name().name().strip_prefix('h')?.parse::<u32>().ok());
            levels.fold(0, |before, level| {
                assert!(level <= before + 1, "{path}: h{level} after h{before}");
                level
            });
            let ids: Vec<_> = document.descendants().filter_map(|node| node.attribute("id")).collect();
            assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "{path}: {ids:?}");
            for image in named("img") {
                let says = |name| image.attribute(name).is_some_and(|said| !said.is_empty());
                // Beside a title that says what it is of, a picture says it once more.
                let is_titled = image.attribute("alt") == Some("") && image.parent().is_some_and(|link| !text_of(link).trim().is_empty());
                assert!(says("width") && says("height") && (says("alt") || is_titled), "{path}");
            }
        });
    }
}

#[test]
fn pages_run_nothing_and_load_nothing_of_another_site() {
    for (path, html) in pages() {
        with_document(path, html, |document| {
            for node in document.descendants().filter(Node::is_element) {
                assert!(!["script", "style", "iframe", "object"].contains(&node.tag_name().name()), "{path}: {node:?}");
                for attribute in node.attributes() {
                    let (name, value) = (attribute.name(), attribute.value());
                    assert!(name != "style" && !name.starts_with("on") && !value.starts_with("javascript:"), "{path}: {name}={value}");
                    // Guides link to what they name of others; nothing is loaded from there.
                    assert!(!value.starts_with("http") || name == "href" && is_guide(path), "{path}: {name}={value}");
                }
            }
        });
        assert!(html.contains("default-src 'none'; style-src 'self'; img-src 'self'"), "{path}");
        let head = html.split("</head>").next().unwrap();
        assert!(!head.contains("canonical") && !head.contains("og:"), "{path}: where the site is, is not known");
    }
    assert!(!FILES.contains_key("sitemap.xml"));
}

#[test]
fn examples_and_tours_say_what_happens_at_their_moments() {
    for example in examples::all() {
        let html = &FILES[&format!("{FOLDER}/example-{}.html", example.id)];
        assert_eq!(html.matches("<p class=\"step\">").count(), example.bookmarks.len(), "{}", example.id);
    }
    let table = &FILES[&format!("{FOLDER}/example-tx2-table-1.html")];
    assert!(table.contains("800 ms, after step 18 of 89 at 400 ms: Task CPU 1 issues C5o to stream S3."), "{table}");
    assert!(values(table, "src").contains(&"../posters/tx2-table-1.svg"));
    for tour in Tour::all().unwrap() {
        let html = &FILES[&format!("{FOLDER}/tour-{}.html", tour.id)];
        // What the reader is to find out is folded away.
        let asked = tour.stops.iter().filter(|stop| stop.ask.is_some()).count();
        assert_eq!(html.matches("<details><summary>The answer</summary>").count(), asked, "{}", tour.id);
        for i in 1..=tour.stops.len() {
            assert!(html.contains(&format!("\"../#tour={}/{i}\"", tour.id)), "{}, stop {i}", tour.id);
        }
    }
}

#[test]
fn a_rule_names_the_runs_that_use_it() {
    let html = &FILES[&format!("{FOLDER}/rule-x1.html")];
    assert!(
        html.contains("Step 15 of 89, 200 ms: K4 reaches the head of stream S2 and joins the low-priority EE queue. K4 begins to wait.")
    );
    assert!(values(html, "href").contains(&"term-ee-queue.html"));
    assert!(
        values(html, "alt")[0].starts_with("Timeline and queues. Step 15 of 89") && values(html, "alt")[0].ends_with("K4 begins to wait.")
    );
    let large = &FILES[&format!("{FOLDER}/example-edf-path.html")];
    assert!(values(large, "alt")[0].starts_with("Timeline. Step 26 of 116"), "the queues are left out");
    for rule in Rule::ALL {
        let html = &FILES[&format!("{FOLDER}/rule-{}.html", rule.id().to_lowercase())];
        assert!(html.contains("Examples that use it") || html.contains("<h2>Terms</h2>"), "{}", rule.id());
    }
}

#[test]
fn the_style_has_the_colors_of_the_page_for_light_and_dark() {
    let style = &FILES[&format!("{FOLDER}/static.css")];
    let (light, dark) = style.split_once("@media (prefers-color-scheme: dark)").unwrap();
    for name in ["--ground:", "--panel:", "--ink:", "--quiet:", "--line:", "--accent:", "--accent-ink:"] {
        assert!(light.contains(name) && dark.contains(name), "{name}");
    }
    let used: BTreeSet<_> = style.split("var(").skip(1).map(|rest| rest.split(')').next().unwrap()).collect();
    for name in used {
        assert!(light.contains(&format!("{name}:")), "{name}");
    }
    assert!(style.len() < 8_000, "{}", style.len());
}
