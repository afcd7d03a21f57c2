//! Figures for papers and slides: read by an XML parser and drawn by a rasteriser that are not ours,
//! measured on a backend that records every call, and compared with the state they show.

mod film;
mod queues;
mod several;
pub(crate) mod tool;
mod video;

use std::sync::Arc;

use blockstep_draw::figure::{Palette, Style};
use blockstep_format as format;
use blockstep_report::figure::{Beside, ChartKind, DrawnFigure, FigureSubject, draw};
use blockstep_sim::engine::{Limits, Run, simulate_varied};
use blockstep_sim::examples;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, Scenario};
use blockstep_sim::trace::{Variant, Variants};
use blockstep_sim::units::{TaskId, Time};
use blockstep_view::palette::{Rgb, contrast};
use blockstep_view::panels::results::task_colour;
use blockstep_view::position::Stop;
use blockstep_view::print::INKS;
use blockstep_view::results::Results;
use blockstep_view::time_scale::TimeScale;
use blockstep_view::timeline::{LEFT_PX, RIGHT_PX, Timeline};
use plotters::drawing::IntoDrawingArea;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};
use roxmltree::Document;

use blockstep_testing::recorder::Recorder;
use blockstep_testing::svg::texts;

pub fn example(id: &str) -> Draft {
    format::read_scenario(examples::find(id).unwrap().json).unwrap()
}

pub fn run_of(draft: &Draft) -> Run {
    simulate_varied(&Scenario::new(draft).unwrap(), Variants::NONE, Limits { max_steps: 200_000 })
}

fn subjects(run: &Run) -> Vec<FigureSubject> {
    let steps = run.trace.steps().len() as u32;
    let results = Arc::new(Results::new(run.replay(), &Records::new(&run.trace)));
    let mut all = vec![
        FigureSubject::Timeline { shown: None, cursor: Some(Time(run.trace.end().ns() / 3)), selected: None },
        FigureSubject::Timeline {
            shown: Some((0, (run.trace.end().ns() / 4) as i64)),
            cursor: None,
            selected: Some(blockstep_sim::units::RowId(0)),
        },
        FigureSubject::Queues(Stop::at_step(&run.trace, steps / 2)),
        FigureSubject::Strip { stops: [0, steps / 3, steps / 2, steps].map(|n| Stop::at_step(&run.trace, n)).to_vec(), columns: None },
    ];
    all.extend(ChartKind::with_data(&run.trace, &results).into_iter().take(4).map(|kind| FigureSubject::Chart {
        results: Arc::clone(&results),
        kind,
        beside: Vec::new(),
    }));
    all
}

pub fn drawn(run: &Run, subject: &FigureSubject, style: Style) -> DrawnFigure {
    let records = Arc::new(Records::new(&run.trace));
    draw(run, &Timeline::new(&run.trace, &records), subject, true, style)
}

/// Draws an SVG; words are left out, as fonts differ.
pub fn dots(svg: &str) -> Pixmap {
    let tree = Tree::from_str(svg, &Options::default()).unwrap();
    let size = tree.size().to_int_size();
    let mut dots = Pixmap::new(size.width(), size.height()).unwrap();
    resvg::render(&tree, Transform::identity(), &mut dots.as_mut());
    dots
}

#[test]
fn every_figure_is_drawn_by_a_rasteriser_in_every_palette() {
    for id in ["tx2-table-1", "edf-overrun-cbs", "edf-fig-1"] {
        let run = run_of(&example(id));
        for subject in subjects(&run) {
            for palette in Palette::ALL {
                let drawn = drawn(&run, &subject, Style::new(640, 12.0, palette).unwrap());
                let svg = drawn.svg();
                let dots = dots(&svg);
                assert_eq!((dots.width(), dots.height()), drawn.picture.size(), "{id} {subject:?}");
                let ground = palette.theme().ground;
                let is_ink = |p: &resvg::tiny_skia::PremultipliedColorU8| (p.red(), p.green(), p.blue()) != (ground.0, ground.1, ground.2);
                let ink = dots.pixels().iter().filter(|p| is_ink(p)).count();
                assert!(ink > 1_500, "{id} {palette:?}: {ink} dots of ink");
                assert!(dots.pixels().iter().all(|p| p.alpha() == 255), "no hole in the ground");
            }
        }
    }
}

#[test]
fn print_is_grey_throughout() {
    for id in ["tx2-table-1", "edf-overrun-cbs", "lp-thread"] {
        let run = run_of(&example(id));
        for subject in subjects(&run) {
            let svg = drawn(&run, &subject, Style::new(700, 12.0, Palette::Print).unwrap()).svg();
            let document = Document::parse(&svg).unwrap();
            for node in document.descendants() {
                for name in ["fill", "stroke"] {
                    let Some(colour) = node.attribute(name).and_then(|value| value.strip_prefix('#')) else { continue };
                    assert!(colour[..2] == colour[2..4] && colour[2..4] == colour[4..], "{id}: {colour}");
                }
            }
        }
    }
}

#[test]
fn print_tells_neighbours_apart_without_greys_and_keeps_words_legible() {
    let black = Rgb(0, 0, 0);
    for (i, ink) in INKS.iter().enumerate() {
        let next = &INKS[(i + 1) % INKS.len()];
        assert_ne!(ink.hatch, next.hatch, "rows {i} and {}", i + 1);
        assert!(contrast(ink.ground, next.ground) >= 1.2, "rows {i} and {}: grounds", i + 1);
        assert!(contrast(ink.flat, next.flat) >= 1.2, "rows {i} and {}: too small for a hatch", i + 1);
        assert!(contrast(black, ink.ground) >= 7.0 && contrast(black, ink.line()) >= 3.0, "words on row {i}");
        assert!(contrast(ink.line(), ink.ground) >= 1.9, "lines on row {i}");
        assert!(contrast(ink.flat, Rgb(255, 255, 255)) >= 1.3, "row {i} on white");
        assert!(INKS[..i].iter().all(|other| (other.ground, other.hatch) != (ink.ground, ink.hatch)), "row {i} is like another");
    }
}

#[test]
fn a_block_is_inked_where_the_timeline_has_it() {
    let run = run_of(&example("tx2-table-1"));
    let records = Arc::new(Records::new(&run.trace));
    let timeline = Timeline::new(&run.trace, &records);
    let subject = FigureSubject::Timeline { shown: None, cursor: None, selected: None };
    let style = Style::new(1_000, 12.0, Palette::Print).unwrap();
    let svg = draw(&run, &timeline, &subject, false, style).svg();
    let dots = dots(&svg);
    // The same layout: ten pixels are spared at the right.
    let scale = TimeScale::fit(timeline.end(), LEFT_PX, 1_000.0 - LEFT_PX - RIGHT_PX - 10.0);
    let frame = timeline.frame(&scale, timeline.natural_height_px(false), None, None);
    for name in ["K1:0", "K1:5", "K3:1"] {
        let shown = frame.boxes.iter().find(|b| b.label.as_deref() == Some(name)).unwrap();
        let pixel = dots.pixel(shown.x0 as u32 + 5, shown.y0 as u32 + 5).unwrap();
        let ink = INKS[shown.row().unwrap().index()].ground;
        assert_eq!((pixel.red(), pixel.green(), pixel.blue()), (ink.0, ink.1, ink.2), "{name}");
        let edge = dots.pixel(shown.x0.round() as u32, shown.y0 as u32 + 5).unwrap();
        assert_eq!((edge.red(), edge.green()), (0, 0), "the edge of {name}");
    }
}

#[test]
fn sizes_of_words_and_their_room_follow_the_font_size() {
    for id in ["tx2-table-1", "edf-overrun-cbs"] {
        let run = run_of(&example(id));
        for subject in subjects(&run) {
            let [small, large] =
                [(600, 10.0), (1_200, 20.0)].map(|(width, font)| drawn(&run, &subject, Style::new(width, font, Palette::Light).unwrap()));
            let heights = [small.picture.size().1, large.picture.size().1];
            assert!(heights[1].abs_diff(2 * heights[0]) <= 4, "{id} {heights:?}");
            let [small, large] = [texts(&small.svg()), texts(&large.svg())];
            let words = |texts: &[(String, f64)]| texts.iter().map(|(text, _)| text.clone()).collect::<Vec<_>>();
            // Plotters chooses by itself how many ticks a chart has.
            if !matches!(subject, FigureSubject::Chart { .. }) {
                assert_eq!(words(&small), words(&large), "{id} {subject:?}");
            }
            assert!(!small.is_empty() && small.iter().all(|(_, size)| (7.5..=13.0).contains(size)), "{id} {small:?}");
            assert!(large.iter().all(|(_, size)| (15.0..=26.0).contains(size)), "{id} {large:?}");
        }
    }
}

#[test]
fn everything_is_painted_inside_the_figure() {
    for id in ["tx2-table-1", "edf-vi-a-runlist", "edf-overrun-cbs"] {
        let run = run_of(&example(id));
        for subject in subjects(&run).into_iter().filter(|s| !matches!(s, FigureSubject::Chart { .. })) {
            for (width, font, palette) in [(240, 12.0, Palette::Light), (777, 15.5, Palette::Print), (1_500, 33.0, Palette::Dark)] {
                let picture = drawn(&run, &subject, Style::new(width, font, palette).unwrap()).picture;
                let (right, bottom) = picture.size();
                let recorder = Recorder::new(picture.size());
                let calls = recorder.calls();
                picture.paint(&recorder.into_drawing_area()).unwrap();
                for call in calls.take() {
                    let (x0, y0, x1, y1) = call.bounds();
                    assert!(x0 >= 0 && y0 >= 0 && x1 <= right as i32 && y1 <= bottom as i32, "{call:?} in {right} x {bottom}");
                }
            }
        }
    }
}

#[test]
fn any_name_comes_out_as_text() {
    let hostile = "<b>&\"'\u{1}\u{ffff} \u{5e9}\u{5dc}\u{202e}x]]>";
    let mut draft = example("tx2-table-1");
    draft.name = format!("{hostile}\ntwo lines {}", "long ".repeat(30));
    for (i, kernel) in draft.kernels.iter_mut().enumerate() {
        kernel.name = format!("{hostile}{i}");
    }
    let run = run_of(&draft);
    let known = ["svg", "title", "desc", "rect", "text", "polygon", "polyline", "circle", "line"];
    for subject in subjects(&run) {
        let svg = drawn(&run, &subject, Style::new(900, 12.0, Palette::Print).unwrap()).svg();
        let document = Document::parse(&svg).unwrap();
        for node in document.descendants().filter(|node| node.is_element()) {
            assert!(known.contains(&node.tag_name().name()), "{}", node.tag_name().name());
        }
        let title = document.descendants().find(|node| node.has_tag_name("title")).unwrap();
        assert!(title.text().unwrap().contains("<b>&\"'"), "{title:?}");
        assert!(texts(&svg)[0].0.contains("<b>&\"'"), "the title is drawn as it is");
    }
}

#[test]
fn a_run_with_changed_rules_says_so_whether_it_has_a_title_or_not() {
    let draft = example("tx2-table-1");
    let variants: Variants = [Variant::LastFit].into_iter().collect();
    let run = simulate_varied(&Scenario::new(&draft).unwrap(), variants, Limits::default());
    let records = Arc::new(Records::new(&run.trace));
    let timeline = Timeline::new(&run.trace, &records);
    for subject in subjects(&run) {
        for has_title in [false, true] {
            let svg = draw(&run, &timeline, &subject, has_title, Style::default()).svg();
            assert!(texts(&svg)[0].0.starts_with("(rules changed: last-fit)"), "{subject:?}");
        }
    }
    assert!(!texts(&drawn(&run_of(&draft), &subjects(&run)[0], Style::default()).svg())[0].0.contains("changed"));
}

#[test]
fn a_chart_of_nothing_says_so() {
    let run = run_of(&Draft::default());
    let results = Arc::new(Results::new(run.replay(), &Records::new(&run.trace)));
    assert!(!ChartKind::with_data(&run.trace, &results).contains(&ChartKind::BlockTimes));
    let svg = drawn(&run, &FigureSubject::Chart { results, kind: ChartKind::BlockTimes, beside: Vec::new() }, Style::default()).svg();
    assert!(texts(&svg).iter().any(|(text, _)| text == "There are no block times to draw in this run."), "{svg}");
}

#[test]
fn limits_are_named() {
    let wrong = |width, font| Style::new(width, font, Palette::Light).unwrap_err().to_string();
    assert_eq!(wrong(239, 12.0), "width 239 px: a figure is from 240 to 4000 px wide");
    assert_eq!(wrong(4_001, 12.0), "width 4001 px: a figure is from 240 to 4000 px wide");
    assert_eq!(wrong(800, 5.9), "font size 5.9 px: text is from 6 to 40 px high");
    assert_eq!(wrong(800, f64::NAN), "font size NaN px: text is from 6 to 40 px high");
    assert_eq!(wrong(799, 40.0), "width 799 px: with a font size of 40 px a figure is at least 800 px wide");
    assert!(Style::new(800, 40.0, Palette::Light).is_ok() && Style::new(240, 12.0, Palette::Dark).is_ok());
}

/// 100,000 switches beside what [LP] states of them; the longest with those of another run.
#[test]
fn figures_of_switches_stand_beside_the_paper() {
    let draft = |longest| {
        let mut draft = example("lp-block");
        (draft.policy.switch_cost_ns, draft.policy.switch_cost_max_ns) = (21_500, longest);
        draft
    };
    let run = |longest| run_of(&draft(longest));
    let results = |run: &Run| Arc::new(Results::new(run.replay(), &Records::new(&run.trace)));
    let (constant, gt710, busy) = (run(None), run(Some(79_550)), run(Some(118_250)));
    let is_offered = |run: &Run| ChartKind::with_data(&run.trace, &results(run)).iter().any(|kind| kind.is_of_switches());
    assert!(is_offered(&gt710) && !is_offered(&constant));
    let svg = |kind, beside| drawn(&gt710, &FigureSubject::Chart { results: results(&gt710), kind, beside }, Style::default()).svg();
    let histogram = svg(ChartKind::Switches, Vec::new());
    for words in
        ["100,000 drawn switches: 21.49 µs on average, 79.09 µs at most", "in the tail, 0.3 %", "[LP] III-B, GT 710: 21.5 µs on average"]
    {
        assert!(histogram.contains(words), "{words}");
    }
    let other = Beside { name: "busy".to_owned(), trace: Arc::clone(&busy.trace), results: results(&busy) };
    let longest = svg(ChartKind::LongestSwitches, vec![other]);
    for words in
        ["the longest of 100,000, 79.09 µs; average 21.5 µs", "busy: the longest of 100,000, 117.5 µs", "99.5 %", "[LP] III-C, GT 710"]
    {
        assert!(longest.contains(words), "{words}");
    }
}

/// [EDF] Fig. 4: a row for each scheduler, with what is above the shortest deadline beside it, in classes of its own.
#[test]
fn figures_of_several_tasks_magnify_what_is_above_the_shortest_deadline() {
    let run = |id| run_of(&example(id));
    let results = |run: &Run| Arc::new(Results::new(run.replay(), &Records::new(&run.trace)));
    let (runlist, cbs) = (run("edf-vi-a-runlist"), run("edf-vi-a-cbs"));
    assert!(ChartKind::with_data(&runlist.trace, &results(&runlist)).contains(&ChartKind::Histograms));
    let beside = || vec![Beside { name: "under servers".to_owned(), trace: Arc::clone(&cbs.trace), results: results(&cbs) }];
    let figure = |style: Style| {
        let subject = FigureSubject::Chart { results: results(&runlist), kind: ChartKind::Histograms, beside: beside() };
        drawn(&runlist, &subject, style).svg()
    };
    let svg = figure(Style::default());
    let words: Vec<String> = texts(&svg).into_iter().map(|(text, _)| text).collect();
    for expected in [
        "under servers",
        "Above 4 ms: sphere 60 of 60, network 8 of 50",
        "Above 4 ms: sphere 2 of 60, network 0 of 50",
        "the shortest deadline, 4 ms",
        "without weston, which works for sphere",
    ] {
        assert!(words.iter().any(|text| text == expected), "{expected}: {words:?}");
    }
    // Bars of four tasks, of which two are real-time: each has another color, and stands out from the ground.
    let bars = |svg: &str, colour: Rgb| {
        let document = Document::parse(svg).unwrap();
        let fills =
            document.descendants().filter(|node| node.has_tag_name("rect")).filter_map(|node| node.attribute("fill").map(str::to_owned));
        fills.filter(|fill| fill.eq_ignore_ascii_case(&colour.css())).count()
    };
    for (palette, ground) in [(Palette::Light, Palette::Light.theme().ground), (Palette::Dark, Palette::Dark.theme().ground)] {
        let svg = figure(Style::new(1200, 12.0, palette).unwrap());
        let colours: Vec<Rgb> = [0, 1, 2, 3].map(|task| task_colour(TaskId(task), palette == Palette::Dark)).to_vec();
        for (i, &colour) in colours.iter().enumerate() {
            assert!(bars(&svg, colour) > 2, "{colour:?}");
            assert!(contrast(colour, ground) > 1.9, "{colour:?}");
            assert!(!colours[..i].contains(&colour));
        }
    }
    // A narrow figure has the magnified part below, and is taller.
    let height = |width| {
        let subject = FigureSubject::Chart { results: results(&runlist), kind: ChartKind::Histograms, beside: beside() };
        drawn(&runlist, &subject, Style::new(width, 12.0, Palette::Light).unwrap()).picture.size().1
    };
    assert!(height(400) > height(800), "{} {}", height(400), height(800));
    // Nothing is late, or no deadline is known: nothing is magnified.
    let alone = FigureSubject::Chart { results: results(&cbs), kind: ChartKind::Histograms, beside: Vec::new() };
    assert!(drawn(&cbs, &alone, Style::default()).svg().contains("Above 4 ms: sphere 2 of 60"));
    let copies = run("lp-thread");
    let alone = FigureSubject::Chart { results: results(&copies), kind: ChartKind::Histograms, beside: Vec::new() };
    assert!(!drawn(&copies, &alone, Style::default()).svg().contains("Above 40 ms: long 0"));
    // Tasks of another name have another color, and are in the legend too.
    let other = Beside { name: "two other tasks".to_owned(), trace: Arc::clone(&copies.trace), results: results(&copies) };
    let both = FigureSubject::Chart { results: results(&runlist), kind: ChartKind::Histograms, beside: vec![other] };
    let svg = drawn(&runlist, &both, Style::default()).svg();
    let legend: Vec<String> = texts(&svg).into_iter().map(|(text, _)| text).collect();
    for (place, name) in ["sphere", "network", "scene", "gears", "short", "long"].into_iter().enumerate() {
        assert!(legend.iter().any(|text| text == name), "{name}: {legend:?}");
        assert!(bars(&svg, task_colour(TaskId::at(place), false)) > 1, "{name}");
    }
}

/// A run without a name is called so where a chart shows several, in its title and its legend.
#[test]
fn figures_of_several_runs_name_those_without_a_name() {
    let mut draft = example("lp-block");
    (draft.policy.switch_cost_ns, draft.policy.switch_cost_max_ns) = (21_500, Some(79_550));
    draft.name = String::new();
    let run = run_of(&draft);
    let results = Arc::new(Results::new(run.replay(), &Records::new(&run.trace)));
    let other = Beside { name: "unnamed (2)".to_owned(), trace: Arc::clone(&run.trace), results: Arc::clone(&results) };
    let subject = |beside| FigureSubject::Chart { results: Arc::clone(&results), kind: ChartKind::LongestSwitches, beside };
    let title = |beside| drawn(&run, &subject(beside), Style::default()).svg();
    let both = title(vec![other]);
    for words in ["Longest switches: unnamed; unnamed (2)", "unnamed: the longest of"] {
        assert!(both.contains(words), "{words}");
    }
    let alone = title(Vec::new());
    assert!(alone.contains("Longest switches") && !alone.contains("unnamed"));
}
