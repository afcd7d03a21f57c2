//! Figures for LaTeX: read as text always, compiled where pdflatex is installed.

mod panel;
mod pdflatex;

use std::sync::Arc;

use blockstep_draw::figure::Palette;
use blockstep_draw::tikz::text::latex;
use blockstep_draw::tikz::{self, TikzSheet};
use blockstep_format as format;
use blockstep_report::figure::{self, ChartKind, FigureSubject};
use blockstep_report::slides::{self, Deck, Shows};
use blockstep_sim::engine::{self, Limits, Run};
use blockstep_sim::examples;
use blockstep_sim::record::Records;
use blockstep_sim::scenario::{Draft, Scenario};
use blockstep_sim::units::Time;
use blockstep_view::position::Stop;
use blockstep_view::results::Results;
use blockstep_view::timeline::Timeline;
use proptest::prelude::*;

use blockstep_testing::arbitrary::cases;
use blockstep_testing::latex as syntax;

/// Names that would be commands, or that plain LaTeX has no letters for.
const HOSTILE: [&str; 12] = [
    "\\input{/etc/passwd}",
    "\\immediate\\write18{touch here}",
    "^^5cinput ^^M ^^@",
    "}\\end{tikzpicture}\\end{document}",
    "100 % #1 ~ $x_1$ & <a|b>",
    "two\nlines\r\n\u{2028}and\ta tab",
    "\u{5e9}\u{5dc}\u{5d5}\u{5dd}",
    "\u{202e}evil\u{0}\u{7}",
    "\u{1f680}\u{1f468}\u{200d}\u{1f680}",
    "\u{6838}\u{5fc3}\u{4e00}",
    "``a--b'' ,,c'' ?` \"d\"",
    "Zażółć gęślą jaźń, Ærøskøbing, λ₁ × 2 ≤ 5 µs",
];

fn table_1() -> Draft {
    format::read_scenario(examples::find("tx2-table-1").unwrap().json).unwrap()
}

/// A table whose kernels, tasks and streams have those names.
fn named(names: &[String]) -> Draft {
    let mut draft = table_1();
    draft.name = names.join(" / ").chars().take(blockstep_sim::scenario::MAX_NAME).collect();
    // Names are unique in a table.
    for (i, row) in draft.kernels.iter_mut().enumerate() {
        row.name = format!("{}{i}", names[i % names.len()]);
        row.stream.clone_from(&names[(i + 1) % names.len()]);
    }
    for (i, stream) in draft.streams.iter_mut().enumerate() {
        stream.name.clone_from(&names[(i + 1) % names.len()]);
    }
    draft
}

fn simulated(draft: &Draft) -> (Run, Timeline) {
    let run = engine::simulate(&Scenario::new(draft).unwrap(), Limits::default());
    let timeline = Timeline::new(&run.trace, &Arc::new(Records::new(&run.trace)));
    (run, timeline)
}

fn whole(cursor: Option<Time>) -> FigureSubject {
    FigureSubject::Timeline { shown: None, cursor, selected: None }
}

fn sheet(draft: &Draft, subject: &FigureSubject, palette: Palette) -> TikzSheet {
    let (run, timeline) = simulated(draft);
    TikzSheet::from_picture(&figure::draw(&run, &timeline, subject, true, tikz::style(345.0, 8.0, palette).unwrap()).picture)
}

fn at_steps(run: &Run, positions: Vec<u32>) -> Vec<Stop> {
    positions.into_iter().map(|position| Stop::at_step(&run.trace, position)).collect()
}

fn slides_of(draft: &Draft, positions: Vec<u32>, shows: Shows, palette: Palette) -> String {
    let (run, timeline) = simulated(draft);
    slides::tex(&run, &timeline, &Deck { stops: at_steps(&run, positions), shows, palette, hides_future: true, is_document: true }).unwrap()
}

/// Looks at a document, and compiles it.
fn check(name: &str, document: &str, pages: usize) -> Option<pdflatex::Pdf> {
    syntax::is_file(document).unwrap_or_else(|e| panic!("{name}: {e}"));
    let pdf = pdflatex::compile(name, document)?;
    assert_eq!(pdf.pages, pages, "{name}");
    assert_eq!(pdf.complaints, [""; 0], "{name}");
    Some(pdf)
}

#[test]
fn figures_compile_to_pages_of_their_size() {
    let strip = FigureSubject::Strip { stops: at_steps(&simulated(&table_1()).0, vec![20, 40, 59]), columns: None };
    let figures = [
        ("timeline", whole(Some(Time(1_100_000_000))), Palette::Light),
        ("timeline-print", whole(None), Palette::Print),
        ("queues", FigureSubject::Queues(Stop { position: 30, at: Time::ZERO }), Palette::Light),
        ("strip", strip, Palette::Print),
    ];
    for (name, subject, palette) in figures {
        let sheet = sheet(&table_1(), &subject, palette);
        syntax::is_file(&tikz::fragment(&sheet)).unwrap();
        if let Some(pdf) = check(name, &tikz::document(&sheet), 1) {
            let (width, height) = sheet.size_pt();
            // Points of PDF are a 72nd of an inch, those of TeX less.
            let off = |bp: f64, pt: f64| (bp * 72.27 / 72.0 - pt).abs();
            assert!((off(pdf.size.0, width) < 0.1) && off(pdf.size.1, height) < 0.1, "{name}: {:?} for {width} by {height}", pdf.size);
            assert_eq!(width, 345.0);
        }
    }
}

#[test]
fn slides_compile_to_a_page_for_each_step() {
    check("slides", &slides_of(&table_1(), vec![0, 19, 20, 21, 59], Shows::Both, Palette::Light), 5);
}

#[test]
fn hostile_names_are_set_as_text() {
    let draft = named(&HOSTILE.map(str::to_owned));
    check("hostile", &tikz::document(&sheet(&draft, &whole(None), Palette::Light)), 1);
    check("hostile-slides", &slides_of(&draft, vec![5, 40], Shows::Timeline, Palette::Dark), 2);
}

#[test]
fn every_letter_that_is_set_is_known_to_both_encodings() {
    let known = |c: &char| latex(&c.to_string()).foreign.is_empty();
    let all: Vec<String> = (' '..'\u{3000}').filter(known).map(|c| latex(&format!("{c}x")).code).collect();
    assert!(all.len() > 300, "{}", all.len());
    let of =
        |package: &str| format!("\\documentclass{{article}}{package}\\begin{{document}}\\raggedright {}\\end{{document}}", all.join(" "));
    for package in ["", "\\usepackage[T1]{fontenc}"] {
        let Some(pdf) = pdflatex::compile("letters", &of(package)) else { return };
        assert_eq!((pdf.pages, pdf.complaints), (1, Vec::new()), "{package}");
    }
}

#[test]
fn a_scenario_of_processes_compiles() {
    let draft = format::read_scenario(examples::find("edf-fig-1").unwrap().json).unwrap();
    check("processes", &tikz::document(&sheet(&draft, &whole(None), Palette::Light)), 1);
}

#[test]
fn a_block_is_one_command_and_colours_come_once() {
    let fragment = tikz::fragment(&sheet(&table_1(), &whole(None), Palette::Light));
    syntax::is_file(&fragment).unwrap();
    assert!(fragment.contains("\\begin{tikzpicture}") && !fragment.contains("\\documentclass"));
    // 18 blocks and 5 copies, those of one kernel that are drawn one after another in one path.
    let blocks: usize = fragment.split(';').filter(|path| path.contains("\\filldraw")).map(|path| path.matches("rectangle").count()).sum();
    assert_eq!(blocks, 23);
    assert!(fragment.len() < 12_000, "{} bytes", fragment.len());
}

#[test]
fn steps_in_common_are_written_once() {
    let one = slides_of(&table_1(), vec![20], Shows::Both, Palette::Light).len();
    let twenty = slides_of(&table_1(), (11..31).collect(), Shows::Both, Palette::Light);
    assert!(twenty.len() < 8 * one, "{} bytes, one step takes {one}", twenty.len());
    assert_eq!(twenty.matches("Block 0 of K1 completes").count(), 1);
    for slide in 1..=20 {
        assert!(twenty.contains(&format!("\\only<{slide}>{{Step")), "{slide}");
    }
}

#[test]
fn slides_hide_what_is_still_to_come() {
    let (run, timeline) = simulated(&table_1());
    let of = |position: u32, hides_future| {
        let deck = Deck {
            stops: at_steps(&run, vec![position]),
            shows: Shows::Timeline,
            palette: Palette::Light,
            hides_future,
            is_document: false,
        };
        slides::tex(&run, &timeline, &deck).unwrap()
    };
    let last = run.trace.steps().len() as u32;
    assert!(!of(20, true).contains("{K6}") && of(20, false).contains("{K6}") && of(last, true).contains("{K6}"));
    // Of what is running, the part until then; of what has completed, all.
    let fit = timeline.fit(600.0);
    let (whole, x) = (timeline.frame(&fit, 300.0, None, None), fit.x_from_time(Time(1_500_000_000)));
    let past = whole.clone().until(x);
    assert!(past.boxes.iter().all(|b| b.x0 < b.x1 && b.x1 <= x) && past.arrows.iter().all(|a| a.x <= x));
    let of_hit = |hit| whole.boxes.iter().find(|b| b.hit == hit).unwrap();
    assert!(past.boxes.iter().all(|b| b.x0 == of_hit(b.hit).x0 && b.x1 == of_hit(b.hit).x1.min(x)));
    assert_eq!(past.boxes.len(), whole.boxes.iter().filter(|b| b.x0 < x).count());
    assert!(past.boxes.iter().any(|b| b.cut_right) && past.boxes.len() < whole.boxes.len());
}

#[test]
fn charts_compile_too() {
    let run = simulated(&table_1()).0;
    let results = Arc::new(Results::new(run.replay(), &Records::new(&run.trace)));
    let chart = FigureSubject::Chart { results, kind: ChartKind::Responses, beside: Vec::new() };
    check("chart", &tikz::document(&sheet(&table_1(), &chart, Palette::Light)), 1);
}

#[test]
fn too_many_slides_are_refused_in_words() {
    let (run, timeline) = simulated(&table_1());
    let deck = |positions| Deck {
        stops: at_steps(&run, positions),
        shows: Shows::Both,
        palette: Palette::Light,
        hides_future: true,
        is_document: false,
    };
    let of = |positions| slides::tex(&run, &timeline, &deck(positions)).map_err(|why| why.to_string());
    assert_eq!(of(vec![1; 500]).unwrap_err(), "500 steps are too many for slides, the limit is 120: choose some of them");
    assert_eq!(of(Vec::new()).unwrap_err(), "no step was chosen for a slide");
    assert!(of(vec![3]).unwrap().contains("\\begin{frame}"));
}

#[test]
fn sizes_have_limits() {
    let error = |width, text| tikz::style(width, text, Palette::Light).unwrap_err().to_string();
    assert_eq!(error(50.0, 8.0), "width 50 pt: a figure for LaTeX is from 100 to 2000 pt wide");
    assert_eq!(error(345.0, 3.0), "font size 3 pt: text is from 5 to 24.88 pt high");
    assert_eq!(error(120.0, 8.0), "width 120 pt: with a font size of 8 pt a figure is at least 160 pt wide");
    assert!(tikz::style(f64::NAN, 8.0, Palette::Light).is_err() && tikz::style(345.0, f64::NAN, Palette::Light).is_err());
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn any_text_is_text(text in any::<String>(), pieces in prop::collection::vec(prop::sample::select(&HOSTILE[..]), 0..4)) {
        for text in [text.clone(), pieces.concat() + &text] {
            let set = latex(&text);
            prop_assert_eq!(syntax::is_text(&set.code), Ok(()), "{:?}", text);
            prop_assert!(set.code.len() >= set.width.min(1));
        }
    }
}

proptest! {
    #![proptest_config(cases(24))]

    #[test]
    fn any_names_give_a_sound_file(names in prop::collection::vec("\\PC{1,12}|[\\\\{}%#^~$&_\u{0}-\u{20}]{1,9}", 1..5)) {
        let mut names = names;
        names.sort();
        names.dedup();
        let Ok(scenario) = Scenario::new(&named(&names)) else { return Ok(()) };
        let run = engine::simulate(&scenario, Limits::default());
        let timeline = Timeline::new(&run.trace, &Arc::new(Records::new(&run.trace)));
        let style = tikz::style(345.0, 8.0, Palette::Light).unwrap();
        for subject in [whole(None), FigureSubject::Queues(Stop { position: 30, at: Time::ZERO })] {
            let file = tikz::document(&TikzSheet::from_picture(&figure::draw(&run, &timeline, &subject, true, style).picture));
            prop_assert_eq!(syntax::is_file(&file), Ok(()));
        }
    }
}
