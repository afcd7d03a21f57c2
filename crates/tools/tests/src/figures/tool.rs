//! The tool: what it shows and asks the page for, as the page talks to it.

use blockstep_draw::figure::Palette;
use blockstep_format as format;
use blockstep_protocol::{Cursor, Effect};
use blockstep_sim::units::Time;
use blockstep_tools::figure::{
    ChoiceList, Controls, Figure, FigureField, FigureKind, FigurePreview, FileKind, Msg, State, StripStop, To, View,
};
use blockstep_tools::tool::memory;
use roxmltree::Document;

use super::example;
use crate::tool::{OnPage, Told};

/// On a built-in scenario, after 30 steps, at 1 s.
fn on(id: &str) -> OnPage<Figure> {
    let mut page = OnPage::new("figure", &format::write_scenario(&example(id)));
    stand(&mut page, 30, 1_000_000_000);
    page
}

fn stand(page: &mut OnPage<Figure>, position: u32, at: u64) {
    page.cursor = Cursor { position, at: Time(at), ..Cursor::default() };
}

/// Changes controls, as the panel does.
pub(crate) fn set(page: &mut OnPage<Figure>, change: impl FnOnce(&mut State)) -> View {
    page.edit(change).view.unwrap()
}

pub(crate) fn held(page: &OnPage<Figure>) -> State {
    memory::read(&page.memory)
}

fn picture(view: &View) -> &FigurePreview {
    view.picture.as_ref().unwrap()
}

fn problem(view: &View) -> &str {
    &view.picture.as_ref().unwrap_err().text
}

/// What is said to screen readers.
fn said(told: &Told<Figure>) -> Option<&str> {
    told.effects.iter().find_map(|effect| match effect {
        Effect::Announce(text) => Some(text.as_str()),
        _ => None,
    })
}

#[test]
fn what_is_previewed_is_what_is_saved() {
    let mut page = on("tx2-table-1");
    let view = page.open("");
    assert!(picture(&view).svg.contains("width=\"800\"") && picture(&view).size.starts_with("800 × "));
    let controls: [fn(&mut State); 3] = [
        |state| (state.figure, state.palette) = (FigureKind::Queues, Palette::Print),
        |state| state.figure = FigureKind::Chart,
        |state| {
            (state.figure, state.line) = (FigureKind::Timeline, Some(true));
            (state.width, state.font) = ("1000".to_owned(), "14".to_owned());
        },
    ];
    for change in controls {
        let shown = set(&mut page, change);
        let told = page.send(Msg::Save(FileKind::Svg));
        let [Effect::SaveFile { name, kind, text }] = &told.effects[..] else { panic!("{:?}", told.effects) };
        assert!(name.ends_with(".svg") && !name.contains("varied") && kind == "image/svg+xml", "{name} {kind}");
        Document::parse(text).unwrap();
        assert_eq!(picture(&shown).svg, *text, "{}", page.memory);
        assert_eq!(told.view, Some(shown), "saving changes nothing");
    }
    set(&mut page, |state| state.scale = "3".to_owned());
    let told = page.send(Msg::Save(FileKind::Png));
    let [Effect::SavePicture { name, scale, svg }] = &told.effects[..] else { panic!("{:?}", told.effects) };
    assert_eq!((name.as_str(), *scale), ("timeline.png", 3));
    assert!(svg.contains("width=\"1000\"") && svg.contains("1 s"));
    assert_eq!(page.memory, r#"{"font":"14","line":true,"palette":"print","scale":"3","width":"1000"}"#);
}

#[test]
fn another_run_is_drawn_in_the_same_chart() {
    let mut page = on("tx2-fig-9-processes");
    let beside = |view: &View| match &view.controls {
        Controls::Chart { beside, .. } => beside.clone(),
        other => panic!("{other:?}"),
    };
    page.open("");
    let view = set(&mut page, |state| (state.figure, state.chart) = (FigureKind::Chart, "blocks".to_owned()));
    let offered = beside(&view).unwrap();
    assert_eq!((offered.chosen.as_str(), offered.options[0].1.as_str()), ("", "nothing"));
    assert!(offered.options.iter().any(|(_, name)| name == "the same under EDF") && !picture(&view).svg.contains("two tasks"));
    let view = set(&mut page, |state| state.beside = "example=tx2-fig-9-tasks".to_owned());
    let svg = &picture(&view).svg;
    assert_eq!(svg.matches("Fig. 9: two tasks").count(), 2 + 2, "two curves, in title and name: {svg}");
    assert_eq!(beside(&view).unwrap().chosen, "example=tx2-fig-9-tasks");
    let view = set(&mut page, |state| (state.chart, state.beside) = ("in-flight".to_owned(), "policy=priority".to_owned()));
    assert!(picture(&view).svg.contains("under priority"), "{}", picture(&view).svg);
    // The threads of one task have no other run beside them.
    let view = set(&mut page, |state| state.chart = "threads-0".to_owned());
    assert_eq!(beside(&view), None);
    assert!(matches!(&view.controls, Controls::Chart { chart: Some(ChoiceList { chosen, .. }), .. } if chosen == "threads-0"));
}

/// A histogram of one value says nothing; a link that asks for it gets the first chart.
#[test]
fn a_histogram_is_of_several_jobs() {
    let charts = |id: &str| match on(id).open("figure=chart&chart=histogram-0").controls {
        Controls::Chart { chart: Some(ChoiceList { options, chosen }), .. } => {
            (options.into_iter().filter(|(key, _)| key.starts_with("histogram-")).count(), chosen)
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(charts("tx2-table-1"), (0, "responses".to_owned()));
    let (count, chosen) = charts("edf-vi-a-runlist");
    assert!(count > 0 && chosen == "histogram-0", "{count} {chosen}");
}

#[test]
fn a_strip_is_gathered_step_by_step() {
    let mut page = on("tx2-table-1");
    page.open("figure=strip");
    let stops = |view: &View| match &view.controls {
        Controls::Strip(stops) => stops.clone(),
        other => panic!("{other:?}"),
    };
    let order = |view: &View| {
        stops(view).iter().map(|StripStop { to, .. }| if let To::Step(step) = to { *step } else { panic!("{to:?}") }).collect::<Vec<_>>()
    };
    let view = page.moved();
    assert_eq!((problem(&view), stops(&view).len()), ("The strip is empty: go to a step and add it.", 0));
    let told = page.send(Msg::Add);
    assert_eq!(said(&told), Some("Step 30, 1 s: added, the strip holds 1."));
    stand(&mut page, 18, 400_000_000);
    assert_eq!(order(&page.send(Msg::Add).view.unwrap()), [30, 18]);
    let told = page.send(Msg::Earlier(1));
    assert_eq!(said(&told), Some("Step 18, 400 ms: now 1 of 2."));
    let view = told.view.unwrap();
    assert_eq!(order(&view), [18, 30]);
    assert!(picture(&view).svg.contains("(a) after step 18") && picture(&view).svg.contains("(b) after step 30"));
    assert!(stops(&view).iter().all(|stop| stop.sentence.as_ref().is_some_and(|sentence| sentence.ends_with('.'))), "{view:?}");
    // A time after the step is kept, too, and is where the link goes.
    stand(&mut page, 18, 800_000_000);
    let told = page.send(Msg::Add);
    assert_eq!(said(&told), Some("800 ms, after step 18 at 400 ms: added, the strip holds 3."));
    let view = told.view.unwrap();
    assert!(picture(&view).svg.contains("(c) 800 ms, after step 18 at 400 ms"));
    assert_eq!(stops(&view)[2].to, To::Time(Time(800_000_000)));
    assert_eq!(page.memory, r#"{"figure":"strip","step":["18","30","18@800000000"]}"#);
    let told = page.send(Msg::Remove(2));
    assert_eq!(said(&told), Some("800 ms, after step 18 at 400 ms: removed, the strip holds 2."));
    stand(&mut page, 18, 400_000_000);
    let told = page.send(Msg::Later(1));
    assert_eq!(order(&told.view.as_ref().unwrap().clone()), [18, 30], "the last stays the last");
    assert_eq!(said(&told), Some("Step 30, 1 s: stays where it is."));
    assert_eq!(order(&page.send(Msg::Remove(0)).view.unwrap()), [30]);
    let told = page.send(Msg::Remove(7));
    assert_eq!((order(told.view.as_ref().unwrap()), said(&told)), (vec![30], None));
    set(&mut page, |state| state.columns = Some(3));
    let columns = held(&page).column_choices();
    assert!(columns.chosen == "3" && columns.options.len() == 7, "{columns:?}");
    let last = (0..40).map(|_| page.send(Msg::Add)).last().unwrap();
    assert_eq!(said(&last), Some("A strip holds at most 30 steps: remove one first."));
    assert_eq!(order(&last.view.unwrap()).len(), 30);
    let told = page.send(Msg::Clear);
    assert_eq!(said(&told), Some("The strip is empty."));
    assert!(problem(&told.view.unwrap()).starts_with("The strip is empty"));
}

#[test]
fn a_bad_number_is_said_and_stays_as_typed() {
    let mut page = on("tx2-table-1");
    page.open("");
    for (wide, high, why, is_width) in [
        ("100", "12", "Width \"100\": it is a whole number from 240 to 4000.", true),
        ("wide", "12", "Width \"wide\": it is a whole number from 240 to 4000.", true),
        ("800", "99", "Text size \"99\": it is a whole number from 6 to 40.", false),
        ("300", "30", "Width 300 px: with a font size of 30 px a figure is at least 600 px wide.", true),
    ] {
        let view = set(&mut page, |state| (state.width, state.font) = (wide.to_owned(), high.to_owned()));
        assert_eq!(problem(&view), why);
        assert_eq!((held(&page).width(), held(&page).font()), (wide, high));
        let field = if is_width { FigureField::Width } else { FigureField::Font };
        assert_eq!(view.picture.as_ref().unwrap_err().field, Some(field), "{why}");
        let told = page.send(Msg::Save(FileKind::Svg));
        assert_eq!((told.effects.len(), told.view), (0, Some(view)));
    }
    let view = set(&mut page, |state| (state.width, state.font) = ("800".to_owned(), "12".to_owned()));
    assert!(view.picture.is_ok());
}

#[test]
fn ticks_are_kept_while_other_figures_are_shown() {
    let mut page = on("tx2-table-1");
    let view = page.open("");
    assert_eq!((held(&page).has_title(), held(&page).has_legend()), (true, true));
    assert!(picture(&view).svg.contains("TX2 Table 1: basic scheduling rules\n</text>"));
    let view = set(&mut page, |state| state.title = Some(false));
    assert!(!held(&page).has_title() && !picture(&view).svg.contains("TX2 Table 1: basic scheduling rules\n</text>"));
    let view = set(&mut page, |state| state.figure = FigureKind::Queues);
    assert!(picture(&view).svg.contains("waits") && held(&page).has_legend() && !held(&page).has_title(), "the legend is on at first");
    let view = set(&mut page, |state| state.legend = Some(false));
    assert!(!picture(&view).svg.contains("waits"));
    assert_eq!(page.moved(), view);
    assert_eq!(page.memory, r#"{"figure":"queues","legend":false,"title":false}"#);
}

/// A link names controls; those that it does not name stay, and of a form's boxes those that are not sent are not ticked.
#[test]
fn a_link_sets_controls() {
    let mut page = on("tx2-table-1");
    page.memory = "figure=timeline&part=all&width=700&line=on&title=on".to_owned();
    page.open("figure=queues&palette=print&shown=title&shown=line&line=on&step=3&columns=x");
    let state = held(&page);
    assert_eq!((state.figure, state.palette, state.has_title(), state.width()), (FigureKind::Queues, Palette::Print, false, "700"));
    page.open("figure=no+figure&palette=no+palette&width=");
    let state = held(&page);
    assert_eq!((state.figure, state.palette, state.width()), (FigureKind::Timeline, Palette::Light, "800"));
    assert!(state.has_line() && !state.has_title());
    page.open("line=no");
    assert!(!held(&page).has_line());
}

#[test]
fn a_png_that_no_browser_draws_is_refused_in_words() {
    let mut page = on("edf-vi-a-runlist");
    page.open("");
    set(&mut page, |state| {
        state.figure = FigureKind::Queues;
        (state.width, state.font, state.scale) = ("4000".to_owned(), "40".to_owned(), "4".to_owned());
    });
    let told = page.send(Msg::Save(FileKind::Png));
    assert!(told.effects.is_empty());
    let why = held(&page).unsaved;
    assert!(why.contains("is too large: a browser draws at most 16,384 by side"), "{why}");
    page.moved();
    assert_eq!(held(&page).unsaved, "", "it is said once");
}
