//! Where the links of the pages lead.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use blockstep_learn::tour::Tour;
use blockstep_learn::{explore, glossary};
use blockstep_sim::examples;
use blockstep_sim::trace::Rule;
use blockstep_site::FOLDER;

use super::{FILES, pages, values};

/// Whether a fragment of the page that steps names something that there is.
fn is_known(fragment: &str, tours: &BTreeMap<String, usize>) -> bool {
    if let Some(id) = fragment.strip_prefix("/explore/") {
        return explore::card(id).is_some();
    }
    let fields: Vec<(&str, &str)> = fragment.split("&amp;").map(|field| field.split_once('=').unwrap_or((field, ""))).collect();
    match *fields {
        [("example", id)] => examples::known(id).is_some(),
        [("example", id), ("path", "1")] => examples::known(id).is_some(),
        [("example", id), ("step", step)] => examples::known(id).is_some() && step.parse::<u32>().is_ok(),
        [("tour", place)] => match place.split_once('/') {
            Some((id, stop)) => stop.parse().is_ok_and(|stop: usize| (1..=tours[id]).contains(&stop)),
            None => tours.contains_key(place),
        },
        [("glossary", term)] => {
            let name = term.replace("%20", " ");
            glossary::terms().iter().any(|term| term.name == name) || Rule::ALL.iter().any(|rule| rule.id() == name)
        }
        [("rules", rule), ("on", id)] => {
            examples::known(id).is_some() && rule.strip_prefix("rule=").is_some_and(|id| Rule::ALL.iter().any(|rule| rule.id() == id))
        }
        [("", "")] => true,
        _ => false,
    }
}

#[test]
fn every_link_leads_to_a_file_or_to_a_place_of_the_page() {
    let tours: BTreeMap<_, _> = Tour::all().unwrap().into_iter().map(|tour| (tour.id.clone(), tour.stops.len())).collect();
    let public = Path::new(blockstep_testing::ROOT).join("public");
    let mut seen = 0;
    for (path, html) in pages() {
        for target in [values(html, "href"), values(html, "src")].concat() {
            let (file, fragment) = target.split_once('#').unwrap_or((target, ""));
            let is_there = match file {
                "../" => is_known(fragment, &tours),
                "" => html.contains(&format!(" id=\"{fragment}\"")),
                _ if file.starts_with("https://") => path.contains("/guide-"),
                "./" => FILES[&format!("{FOLDER}/index.html")].contains(&format!(" id=\"{fragment}\"")),
                _ => match file.strip_prefix("../") {
                    Some(of_site) => fragment.is_empty() && public.join(of_site).is_file(),
                    None => FILES
                        .get(&format!("{FOLDER}/{file}"))
                        .is_some_and(|text| fragment.is_empty() || text.contains(&format!(" id=\"{fragment}\""))),
                },
            };
            assert!(is_there, "{path}: there is no {target}");
            seen += 1;
        }
    }
    assert!(seen > 2_000, "{seen} links");
}

#[test]
fn every_page_is_found_from_the_index_and_leads_into_the_stepper() {
    let index = &FILES[&format!("{FOLDER}/index.html")];
    let linked: Vec<_> = values(index, "href").into_iter().filter(|target| target.ends_with(".html")).collect();
    let unique: BTreeSet<_> = linked.iter().copied().collect();
    assert_eq!(linked.len(), unique.len(), "each once");
    for (path, html) in pages().filter(|(path, _)| !path.ends_with("index.html")) {
        assert!(unique.contains(path.strip_prefix(&format!("{FOLDER}/")).unwrap()), "{path}");
        assert!(html.contains("class=\"open\" href=\"../#"), "{path}");
    }
}

#[test]
fn questions_examples_and_tours_stand_in_the_index_with_pictures() {
    let index = &FILES[&format!("{FOLDER}/index.html")];
    let tiles: Vec<_> = index.split("<li><a href=\"").skip(1).map(|tile| tile.split("</a>").next().unwrap()).collect();
    let has_picture = |start: &str| tiles.iter().any(|tile| tile.starts_with(start) && tile.contains("<img src=\""));
    for card in explore::cards() {
        assert!(has_picture(&format!("../#/explore/{}\"", card.id)), "{}", card.id);
        assert!(FILES[&format!("{FOLDER}/question-{}.svg", card.id)].contains("<svg"), "{}", card.id);
    }
    for example in examples::all() {
        assert!(has_picture(&format!("example-{}.html\"", example.id)), "{}", example.id);
    }
    let tours = Tour::ids().filter(|id| has_picture(&format!("tour-{}.html\"", id.to_lowercase()))).count();
    // Those of [MT] and of studies are about no run.
    assert!(tours * 4 > Tour::ids().count() * 3, "{tours}");
}

#[test]
fn every_picture_is_shown() {
    let shown: BTreeSet<_> = pages().flat_map(|(_, html)| values(html, "src")).map(|src| format!("{FOLDER}/{src}")).collect();
    let pictures: Vec<_> = FILES.keys().filter(|path| path.ends_with(".svg")).collect();
    assert!(pictures.len() > 80, "{}", pictures.len());
    for picture in pictures {
        assert!(shown.contains(picture), "{picture}");
    }
}

#[test]
fn pages_beside_each_other_name_each_other() {
    for (path, html) in pages() {
        if let Some(next) = html.split("rel=\"next\" href=\"").nth(1) {
            let next = next.split('"').next().unwrap();
            let back = format!("rel=\"prev\" href=\"{}\"", path.strip_prefix(&format!("{FOLDER}/")).unwrap());
            assert!(FILES[&format!("{FOLDER}/{next}")].contains(&back), "{path}");
        }
    }
}
