//! Tours: every one is walked, and what its texts state is checked against the runs.

mod claims;
mod corrected;
mod examples;
mod tool;

use blockstep_learn::tour::{Paragraph, ParagraphPiece, Tour, TourAnswer, TourPlace, TourStop};
use blockstep_protocol::Cursor;
use blockstep_report::study::form::StudyTexts;
use blockstep_sim::trace::Variants;
use blockstep_sim::units::Time;
use blockstep_tools::ToolId;
use blockstep_view::position;

use claims::{Backing, Number, Scene, Studies};

/// Every file of a tour: id and text. They are read as they are now, so that one can be corrected and
/// checked again without building anything.
fn files() -> Vec<(String, String)> {
    let folder = std::path::Path::new(blockstep_testing::ROOT).join("crates/learn/src/tours");
    let mut files: Vec<(String, String)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    files.sort();
    files
}

/// What is wrong with a tour, each with its stop.
fn walk(tour: &Tour, studies: &mut Studies) -> Vec<String> {
    let mut wrong = Vec::new();
    let least = if tour.paper == "START" { 3 } else { 6 };
    if !(least..=12).contains(&tour.stops.len()) {
        wrong.push(format!("has {} stops; there are to be {least} to 12", tour.stops.len()));
    }
    if tour.stops.iter().all(|s| s.ask.is_none()) {
        wrong.push("asks for no prediction".to_owned());
    }
    let claimed: Vec<Backing> = tour.stops.iter().map(|stop| Backing::from_stop(stop, None)).collect();
    for (i, stop) in tour.stops.iter().enumerate() {
        let place = format!("stop {} \"{}\"", i + 1, stop.title);
        let mut say = |what: String| wrong.push(format!("{place}: {what}"));
        let text = tour.scenario(&stop.setting).map_err(|why| why.to_string());
        match text.and_then(|text| Scene::new(&text, Variants::NONE, TourPlace::Step(0))) {
            Err(why) => say(why),
            Ok(scene) => visit(tour, stop, scene, studies, &mut say),
        }
        if states_facts(stop) && stop.claims.is_empty() {
            say("states facts and has no claims".to_owned());
        }
        let backing = Backing::from_stop(stop, None);
        for number in stated(stop).iter().flat_map(|text| Number::all(text)) {
            if !backing.has(number) {
                say(format!("no claim states {} ({:?})", number.value, number.unit));
            }
        }
        // A picture shows again what another stop has stated.
        let picture = tour.picture(stop);
        if stop.picture.is_some() != picture.is_some() {
            say("has no picture, as the parts of its device are not known".to_owned());
        }
        for number in picture.iter().flat_map(|picture| Number::all(&picture.label)) {
            if claimed.iter().all(|backing| !backing.has(number)) {
                say(format!("no claim of the tour states {} ({:?}) of its picture", number.value, number.unit));
            }
        }
        // Bold is `**…**`, and nothing else is marked.
        if let Some(text) = stated(stop).iter().find(|text| text.contains('*')) {
            say(format!("shows an asterisk: {text}"));
        }
        if let Some(too_long) = stop.text.iter().map(Paragraph::plain).reduce(|a, b| a + " " + &b) {
            let words = too_long.split_whitespace().count();
            if words > 130 {
                say(format!("has {words} words; about 90 are enough"));
            }
        }
    }
    wrong
}

fn visit(tour: &Tour, stop: &TourStop, scene: Scene, studies: &mut Studies, say: &mut dyn FnMut(String)) {
    let trace = &scene.run.trace;
    if let Some(cut) = trace.cut() {
        say(format!("the run is cut: {cut}"));
    }
    match stop.place {
        TourPlace::Step(step) if step as usize > trace.steps().len() => say(format!("step {step}: the run has {}", trace.steps().len())),
        TourPlace::At(at) if at > trace.end() => say(format!("{at} ns: the run ends at {}", trace.end())),
        _ => {}
    }
    if let Some(row) = &stop.select
        && trace.scenario().rows().iter().all(|r| r.name != *row)
    {
        say(format!("selects {row}, which is no row"));
    }
    if stop.show.is_some_and(|range| range.start >= trace.end()) {
        say(format!("shows a part after the run's end, {}", trace.end()));
    }
    if let Some(query) = &stop.study
        && let Err(problems) = StudyTexts::read(query).sweep()
    {
        say(format!("study {query}: {problems:?}"));
    }
    let scene = scene.at(stop.place);
    if let Some((name, word)) = &stop.tool {
        let position = match stop.place {
            TourPlace::Step(step) => step,
            TourPlace::At(at) => position::at_time(&scene.run.trace, at),
        };
        let cursor = Cursor { position, at: scene.time(), ..Cursor::default() };
        assert!(ToolId::from_name(name).is_some_and(|tool| tool.takes(word) && tool.refused(word).is_none()), "{name}={word}");
        match crate::tool::open_any(name, word, &scene.text, cursor) {
            // A text of no letters is one byte.
            Ok(answer) if answer.view.len() <= 1 => say(format!("tool {name}:{word} shows nothing")),
            Ok(_) => {}
            Err(why) => say(format!("tool {name}:{word}: {why}")),
        }
    }
    if stop.ask.as_ref().is_some_and(|ask| ask.inset.is_some()) {
        if !stop.is_future_hidden {
            say("asks for an inset that is in sight".to_owned());
        }
        if Tour::inset(stop, &scene.run).is_none() {
            say("asks for an inset in which there is too little or too much to fill in".to_owned());
        }
    }
    for claim in &stop.claims {
        if let Err(found) = claims::check(claim, &scene, tour, stop, studies) {
            say(format!("claim {claim}: {found}"));
        }
    }
}

/// What a stop states: its text, its question, the right answer, and why each answer is right or not.
fn stated(stop: &TourStop) -> Vec<String> {
    let asked = stop.ask.iter().flat_map(|ask| {
        let of_choice = |c: &'_ TourAnswer| std::iter::once(c.why.plain()).chain(c.is_right.then(|| c.text.plain())).collect::<Vec<_>>();
        std::iter::once(ask.question.plain()).chain(ask.choices.iter().flat_map(of_choice))
    });
    stop.text.iter().map(Paragraph::plain).chain(stop.code.clone()).chain(asked).collect()
}

/// Whether a text names a rule or a number, be it of a kernel.
fn states_facts(stop: &TourStop) -> bool {
    let is_fact = |piece: &ParagraphPiece| match piece {
        ParagraphPiece::Text(text) | ParagraphPiece::Bold(text) => text.contains(|c: char| c.is_ascii_digit()),
        ParagraphPiece::Rule(_) => true,
    };
    let asked = stop.ask.iter().flat_map(|a| std::iter::once(&a.question).chain(a.choices.iter().flat_map(|c| [&c.text, &c.why])));
    stop.text.iter().chain(asked).flat_map(|p| &p.0).any(is_fact)
}

#[test]
fn tours_say_what_the_runs_do() {
    let mut studies = Studies::default();
    let mut wrong = Vec::new();
    for (id, text) in files() {
        match Tour::read(&text) {
            Ok(tour) => wrong.extend(walk(&tour, &mut studies).into_iter().map(|what| format!("{id}, {what}"))),
            Err(why) => wrong.push(format!("{id}: {why}")),
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

/// A share of sets that last in runs depends on how long these are, so the stop that states it says that.
#[test]
fn tours_say_how_long_runs_are_whose_share_they_state() {
    let mut seen = 0;
    for (id, text) in files() {
        let tour: serde_json::Value = serde_json::from_str(&text).unwrap();
        for stop in tour["stops"].as_array().unwrap() {
            let tests = stop["claims"].as_array().into_iter().flatten().filter_map(|claim| claim["test"].as_str());
            if tests.into_iter().any(|test| test.starts_with("EDF run") || test.starts_with("npEDF run")) {
                let said = stop["text"].as_str().unwrap();
                assert!(said.contains("run of ") && said.contains(" second"), "{id}, {}: {said}", stop["title"]);
                seen += 1;
            }
        }
        // Runs of the runlist end at a deadline: that is said once.
        assert!(!text.contains("\"test\": \"runlist run") || text.contains(", up to its deadline"), "{id}");
    }
    assert!(seen > 0);
}

#[test]
fn tours_are_listed_by_id() {
    let ids: Vec<&str> = Tour::ids().collect();
    assert!(ids.is_sorted(), "{ids:?}");
    for id in &ids {
        assert_eq!(Tour::find(id).unwrap().id, *id);
    }
    let files: Vec<String> = files().into_iter().map(|f| f.0).collect();
    assert_eq!(files, ids, "every file is listed");
    assert!(Tour::find("nothing").unwrap_err().to_string().contains("nothing"));
}

/// The page for those who write tours lists every kind of claim.
#[test]
fn tours_kinds_of_claims_are_documented() {
    let text = std::fs::read_to_string(format!("{}/docs/tours.md", blockstep_testing::ROOT)).unwrap();
    let missing: Vec<&str> = claims::kinds().filter(|kind| !text.contains(&format!("`{kind}`"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

/// A tour file of one stop.
fn file(stop: &str) -> String {
    format!(r#"{{"id":"x","paper":"TX2","figure":"Fig. 0","title":"t","about":"a","stops":[{stop}]}}"#)
}

#[test]
fn tours_a_reader_says_what_it_does_not_understand() {
    let cases = [
        (r#"{"title":"t","text":"x","scenario":"tx2-table-1","step":0,"stp":1}"#, "stops[0].stp: unknown field, did you mean step?"),
        (r#"{"title":"t","text":"x","scenario":"tx2-table-1","step":0,"at_ns":0}"#, "stops[0].at_ns: cannot stand beside"),
        (r#"{"title":"t","text":"x","step":0}"#, "stops[0].scenario is missing"),
        (r#"{"title":"t","text":"x","scenario":"tx2-table-1"}"#, "stops[0].step is missing"),
        (r#"{"title":"t","text":"x","scenario":"none","step":0}"#, "stops[0].scenario is \"none\""),
        (r#"{"title":"t","text":"By [X9].","scenario":"tx2-table-1","step":0}"#, "stops[0].text names a rule [X9]"),
        (r#"{"title":"t","text":"a **b","scenario":"tx2-table-1","step":0}"#, "stops[0].text has a ** without an end"),
        (r#"{"title":"t","text":"x","scenario":"tx2-table-1","step":0,"tool":"hammer:x"}"#, "stops[0].tool is \"hammer\""),
        (r#"{"title":"t","text":"x","scenario":"tx2-table-1","step":0,"show_ns":[2,1]}"#, "stops[0].show_ns is a list"),
        (r#"{"title":"t","text":"x","scenario":"tx2-table-1","step":0,"picture":"chip:fan"}"#, "stops[0].picture is"),
        (r#"{"title":"t","text":"x","scenario":"tx2-table-1","step":0,"code":[]}"#, "stops[0].code is a list; a list of lines"),
        (r#"{"title":"t","text":"x","scenario":"tx2-table-1","step":0,"device":"gpu"}"#, "stops[0].device"),
        (r#"{"title":"t","text":"x","scenario":"tx2-table-1","step":0,"policy":"lifo"}"#, "stops[0].policy"),
        (
            r#"{"title":"t","text":"x","scenario":"tx2-table-1","step":0,"ask":{"question":"?","choices":[{"text":"a","why":"b"}]}}"#,
            "stops[0].ask.choices is a list; two or more choices, exactly one of them right",
        ),
        (
            r#"{"title":"t","text":"x","scenario":"tx2-table-1","step":0,"ask":{"question":"?"}}"#,
            "stops[0].ask is an object; an object with either choices or inset_at_ns",
        ),
    ];
    for (stop, expected) in cases {
        let found = Tour::read(&file(stop)).unwrap_err().to_string();
        assert!(found.contains(expected), "{stop}\n{found}");
    }
}

#[test]
fn tours_a_stop_is_as_the_one_before_where_it_says_nothing() {
    let stops = r#"{"title":"a","text":"x\n\ny","scenario":"tx2-table-1","device":"k5000","at_ns":5,"select":"K1","veil":true},
        {"title":"b","text":"x","policy":"fifo","step":3},{"title":"c","text":"x"},
        {"title":"d","text":"x","scenario":"tx2-table-2","step":1}"#;
    let tour = Tour::read(&file(stops)).unwrap();
    let [a, b, c, d] = &tour.stops[..] else { panic!("{tour:?}") };
    assert_eq!((a.text.len(), a.place, a.is_future_hidden), (2, TourPlace::At(Time(5)), true));
    assert_eq!((b.setting.device.as_deref(), b.place, b.is_future_hidden, &b.select), (Some("k5000"), TourPlace::Step(3), false, &None));
    assert_eq!((&c.setting, c.place), (&b.setting, b.place));
    assert_eq!((d.setting.device.as_deref(), d.setting.policy), (None, None), "another scenario begins as it is");
    let text = tour.scenario(&b.setting).unwrap();
    assert!(text.contains("fifo") && text.contains("k5000"), "{text}");
    assert_eq!((tour.example(&b.setting), tour.example(&d.setting)), (None, Some("tx2-table-2")));
}

/// The two listings of [EDF] are shown as ten lines each, not as calls within a long program, and a wrong number in them is found.
#[test]
fn tours_of_listings_show_ten_lines() {
    let tour = Tour::find("edf-listings").unwrap();
    let listings: Vec<&TourStop> = tour.stops.iter().filter(|stop| stop.code.is_some()).collect();
    let [graphics, compute] = listings[..] else { panic!("{listings:?}") };
    for (stop, calls) in [(graphics, &["glSetFrameTarget("][..]), (compute, &["cudaStreamDeadlineBegin(", "cudaStreamDeadlineEnd("])] {
        let code = stop.code.as_deref().unwrap();
        assert_eq!(code.lines().count(), 10, "{code}");
        // Longer ones have to be scrolled on a phone.
        assert!(code.lines().all(|line| line.chars().count() <= 42), "{code}");
        assert!(calls.iter().all(|call| code.contains(call)), "{code}");
    }
    let mut wrong = tour.clone();
    for stop in wrong.stops.iter_mut().filter(|stop| stop.code.is_some()) {
        stop.code = stop.code.as_ref().map(|code| code.replace("8000", "8001").replace("6000", "6001"));
    }
    let found = walk(&wrong, &mut Studies::default());
    assert!(["states 8001", "states 6001"].iter().all(|number| found.iter().any(|what| what.contains(number))), "{found:?}");
}

/// [TX2] Fig. 1 with all its parts, and [LP] II-B with a picture for each phase: what they show is known in words.
#[test]
fn tours_draw_a_chip_and_a_switch() {
    let labels = |id: &str| -> Vec<String> {
        let tour = Tour::find(id).unwrap();
        tour.stops.iter().filter_map(|stop| tour.picture(stop)).map(|picture| picture.label).collect()
    };
    let pictures = |id: &str| -> Vec<String> {
        let tour = Tour::find(id).unwrap();
        tour.stops.iter().filter_map(|stop| tour.picture(stop)).map(|picture| picture.svg).collect()
    };
    let svg = &pictures("tx2-fig-1")[0];
    let document = roxmltree::Document::parse(svg).unwrap();
    let texts = document.descendants().filter(|node| node.has_tag_name("text"));
    let words: Vec<String> = texts.filter_map(|node| node.text().map(str::to_owned)).collect();
    let count = |word: &str| words.iter().filter(|of| *of == word).count();
    assert_eq!((count("core"), count("A57"), count("Denver"), count("GPU")), (6, 1, 1, 1), "{words:?}");
    assert_eq!((count("SM 0"), count("SM 1"), count("128"), count("engine")), (1, 1, 2, 1), "{words:?}");
    assert!(["L2 2 MB", "L2 512 KB", "DRAM, 8 GB, shared by all"].iter().all(|word| count(word) == 1), "{words:?}");
    let phases = labels("lp-fig-1");
    for (phase, who) in
        phases.iter().zip(["notifies FECS", "tells each GPCCS", "from memory to FECS and to each GPCCS", "resumes all engines"])
    {
        assert!(phase.contains(who), "{phase}");
    }
    assert_eq!(phases.len(), 4);
    // Nothing lies outside of a picture.
    for svg in pictures("tx2-fig-1").iter().chain(&pictures("lp-fig-1")) {
        let document = roxmltree::Document::parse(svg).unwrap();
        let root = document.root_element();
        let number = |node: &roxmltree::Node<'_, '_>, name: &str| node.attribute(name).unwrap().parse::<i32>().unwrap();
        let size = (number(&root, "width"), number(&root, "height"));
        for part in document.descendants().filter(|node| node.has_tag_name("rect")) {
            let (right, bottom) = (number(&part, "x") + number(&part, "width"), number(&part, "y") + number(&part, "height"));
            assert!(number(&part, "x") >= 0 && number(&part, "y") >= 0 && right <= size.0 && bottom <= size.1, "{part:?}");
        }
    }
    // A chip of which nothing else is known is not drawn.
    let tour =
        Tour::read(&file(r#"{"title":"t","text":"x","scenario":"tx2-table-1","device":"k5000","step":0,"picture":"chip"}"#)).unwrap();
    assert_eq!(tour.picture(&tour.stops[0]), None);
}

/// The checker can fail: each of these is refuted by the run of Table 1 at its first inset.
#[test]
fn tours_wrong_claims_are_found() {
    let wrong = [
        r#"{"waits":"K4","for":"threads"}"#,
        r#"{"waits":"K4","for":"x1","on":"K5"}"#,
        r#"{"waits":"K1","for":"shared_memory"}"#,
        r#"{"executes":"K4"}"#,
        r#"{"complete":"K1"}"#,
        r#"{"not_issued":"K5"}"#,
        r#"{"block":"K1:4","sm":1,"start_ns":1000000000,"end_ns":2000000000}"#,
        r#"{"kernel":"K6","start_ns":1}"#,
        r#"{"kernel":"K6"}"#,
        r#"{"copy":"C5o","start_ns":3200000000,"end_ns":3400000000}"#,
        r#"{"free_threads":[512,0]}"#,
        r#"{"free_shared_memory":[0,0]}"#,
        r#"{"ee":["K1","K5","K4"]}"#,
        r#"{"ee":["K1","K4","K5"],"level":"high"}"#,
        r#"{"ce":["C5o"]}"#,
        r#"{"engine":0,"holds":"C5o"}"#,
        r#"{"stream":"S2","holds":[]}"#,
        r#"{"sm":0,"holds":["K1:0"]}"#,
        r#"{"order":["K1","K4"]}"#,
        r#"{"job":"CPU 0","end_ns":1}"#,
        r#"{"job":"CPU 0","met":true}"#,
        r#"{"misses":1}"#,
        r#"{"switches":1}"#,
        r#"{"rule":"X1","used":6}"#,
        r#"{"end_ns":1}"#,
        r#"{"steps":1}"#,
        r#"{"runlist":["P0"]}"#,
        r#"{"resident":"P0"}"#,
        r#"{"differs":{"policy":"fifo"},"kernel":"K4","start_ns":1000000000}"#,
        r#"{"under":{"policy":"fifo"},"kernel":"K4","start_ns":1}"#,
        r#"{"row":"K1","blocks":5}"#,
        r#"{"device":"sms","value":3}"#,
        r#"{"spent":"K4","on":"x1","ns":1}"#,
        r#"{"kernels":5}"#,
        r#"{"priority_of":"S1","is":"high"}"#,
        r#"{"priority_of":"S9","is":"none"}"#,
        r#"{"process":"P1","timeslice_ns":2000000}"#,
        r#"{"switch_cost_ns":1}"#,
        r#"{"begun_threads":"K1","running":3071,"suspended":0}"#,
        r#"{"complete_blocks":"K1","count":1}"#,
        r#"{"block_times":"K1","count":6,"half_ns":1}"#,
        r#"{"block_times":"K1","at_most_ns":999999999,"of_them":1}"#,
        r#"{"pauses":"K1:0","count":1}"#,
        r#"{"suspended":"K1","ns":1}"#,
        r#"{"threads_used_permille":1000}"#,
        r#"{"switching_ns":1}"#,
        r#"{"mean_response_ns":1}"#,
        r#"{"beside":{"variant":"work-conserving"},"same_blocks":true}"#,
        r#"{"beside":{"variant":"work-conserving"},"first_ns":400000000}"#,
        r#"{"under":{"at_ns":2000000000},"executes":"K1"}"#,
        r#"{"under":{"step":0},"executes":"K1"}"#,
        r#"{"under":{"scenario":"tx2-table-2"},"kernel":"K6","issued_ns":1}"#,
        r#"{"stay":"P0","ns":[0,1]}"#,
        r#"{"stays":"P0","ns":[[0,1]]}"#,
        r#"{"switch":"P0","start_ns":0,"end_ns":1}"#,
        r#"{"drain":"P0","start_ns":0,"end_ns":1}"#,
        r#"{"task":"CPU 0","completed":2}"#,
        r#"{"task":"CPU 0","greatest_ns":1}"#,
        r#"{"bound":"CPU 0","gaps":1}"#,
        r#"{"no_bound":"CPU 9"}"#,
        r#"{"verdict":"block","schedulable":false}"#,
        r#"{"study":"preset=lp-fig-3","test":"none such","utilisation_permille":700,"ratio_permille":[0,1000]}"#,
        r#"{"paper":"","value":"1"}"#,
        r#"{"waitz":"K4"}"#,
        r#"{"executes":"K1","to":"K2"}"#,
        r#"{"executes":"K9"}"#,
        r#"{"executes":1}"#,
    ];
    let stop = r#"{"title":"a","text":"x","scenario":"tx2-table-1","at_ns":800000000}"#;
    let tour = Tour::read(&file(stop)).unwrap();
    let stop = &tour.stops[0];
    let mut studies = Studies::default();
    let scene = || Scene::new(&tour.scenario(&stop.setting).unwrap(), Variants::NONE, stop.place).unwrap();
    let missed: Vec<&str> = wrong.into_iter().filter(|claim| claims::check(claim, &scene(), &tour, stop, &mut studies).is_ok()).collect();
    assert!(missed.is_empty(), "taken for true: {missed:#?}");
}
