//! Pictures for other pages: small enough, and those of the built-in examples are those of the code (`public/posters/`; rewritten by
//! `BLESS=1 cargo test -p blockstep-view-tests posters`).

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use blockstep_format::{Embed, read_scenario};
use blockstep_report::poster::{MAX_BYTES, Poster, poster, timeline_within};
use blockstep_sim::engine::Run;
use blockstep_sim::examples::{self, Example};
use blockstep_sim::record::Records;
use blockstep_view::position::Stop;
use blockstep_view::sentence::spoken;
use blockstep_view::timeline::Timeline;
use serde_json::{Map, Value, json};

use blockstep_testing::stage::run;

fn run_of(example: &Example) -> (Run, Timeline) {
    let run = run(&read_scenario(example.json).unwrap());
    let timeline = Timeline::new(&run.trace, &Arc::new(Records::new(&run.trace)));
    (run, timeline)
}

/// The color of the line at a step, and of nothing else.
const LINE: &str = "#C2185B";

/// Where an example's picture stands: at its first moment worth a look.
fn moment(example: &Example, run: &Run) -> Stop {
    let at = example.bookmarks.first().map_or(0, |bookmark| bookmark.at_ns);
    Stop::at_step(&run.trace, Stop::at_time(&run.trace, blockstep_sim::units::Time(at)).position)
}

fn attribute(svg: &str, name: &str) -> String {
    let document = roxmltree::Document::parse(svg).unwrap();
    document.root_element().attribute(name).unwrap().to_owned()
}

#[test]
fn posters_of_the_examples_are_up_to_date() {
    let folder = Path::new(blockstep_testing::ROOT).join("public/posters");
    let mut files = vec![];
    let mut list = Map::new();
    for example in examples::all() {
        let (run, timeline) = run_of(example);
        let stop = moment(example, &run);
        let Poster { svg, timeline_px } = poster(&run, &timeline, stop, None, Embed::Both).unwrap();
        let px = |name| attribute(&svg, name).parse::<u32>().unwrap();
        let known = json!({
            "title": run.trace.scenario().name(),
            "step": stop.position,
            "sentence": spoken(&run.trace, stop),
            "width": px("width"),
            "height": px("height"),
            "timeline": timeline_px,
        });
        list.insert(example.id.to_owned(), known);
        files.push((format!("{}.svg", example.id), svg));
    }
    files.push(("posters.json".to_owned(), serde_json::to_string_pretty(&Value::Object(list)).unwrap() + "\n"));
    if std::env::var_os("BLESS").is_some() {
        // Those of examples that are gone go, too.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        files.iter().for_each(|(name, text)| fs::write(folder.join(name), text).unwrap());
    }
    let there: BTreeSet<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(
        there,
        files.iter().map(|(name, _)| name.clone()).collect(),
        "If this is meant: BLESS=1 cargo test -p blockstep-view-tests posters"
    );
    for (name, text) in files {
        let committed = fs::read_to_string(folder.join(&name)).unwrap();
        assert!(committed == text, "{name} is another one. If this is meant: BLESS=1 cargo test -p blockstep-view-tests posters");
    }
}

#[test]
fn posters_are_small_whatever_a_run_is_like_and_show_the_step() {
    for id in ["tx2-table-1", "edf-vi-a-cbs", "tx2-fig-9-processes"] {
        let (run, timeline) = run_of(examples::find(id).unwrap());
        let count = run.trace.steps().len() as u32;
        for view in Embed::ALL {
            for position in [0, count / 2, count] {
                let stop = Stop::at_step(&run.trace, position);
                let Some(Poster { svg, timeline_px }) = poster(&run, &timeline, stop, None, view) else {
                    panic!("{id}, {view:?}, {position}")
                };
                assert!(svg.len() <= MAX_BYTES && !svg.contains('\n'), "{id}, {view:?}, {position}: {}", svg.len());
                assert_eq!(timeline_px == 0, view == Embed::Queues);
                let document = roxmltree::Document::parse(&svg).unwrap();
                let said = document.descendants().find(|node| node.has_tag_name("desc")).and_then(|node| node.text()).unwrap();
                assert_eq!(said, spoken(&run.trace, stop), "{id}, {view:?}");
                // The line at the step is within the part that is shown.
                assert!(view == Embed::Queues || svg.contains(LINE), "{id}, {view:?}, {position}: no line");
            }
        }
    }
    let (run, timeline) = run_of(examples::first());
    let stop = Stop::at_step(&run.trace, 5);
    let [whole, part] = [None, Some((0, 1_000_000_000))].map(|shown| poster(&run, &timeline, stop, shown, Embed::Timeline).unwrap().svg);
    assert!(whole.contains(">K4<") && !part.contains(">K3<"), "a part shows what is in it alone");
    let timelines = [usize::MAX, 8_000, 100].map(|most| timeline_within(most, &run, &timeline));
    let [Some(whole), Some(part), None] = timelines else { panic!("as much as fits") };
    assert!(whole.contains(">K6:0<") && !whole.contains(LINE));
    assert!(part.len() <= 8_000 && part.contains(">K1:0<") && !part.contains(">K6:0<"), "the beginning");
}
