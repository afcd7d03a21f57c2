//! The part of the figures' panel for LaTeX, as the page talks to it.

use blockstep_draw::figure::Palette;
use blockstep_protocol::{Cursor, Effect};
use blockstep_report::slides::Shows;
use blockstep_sim::units::Time;
use blockstep_tools::figure::{Figure, FileKind, Kind, Msg, Setting, View};

use crate::tool::OnPage;
use blockstep_testing::latex as syntax;

/// On Table 1, after 30 steps.
fn page() -> OnPage<Figure> {
    let mut page = OnPage::on("figure", "tx2-table-1");
    page.cursor = Cursor { position: 30, at: Time(1_000_000_000), ..Cursor::default() };
    page
}

/// Changes controls and saves: what is shown then, and each file's name, kind and text.
fn save(kind: FileKind, settings: impl IntoIterator<Item = Setting>) -> (View, Vec<(String, String, String)>) {
    let mut page = page();
    page.open("");
    for setting in settings {
        page.send(Msg::Set(setting));
    }
    let told = page.send(Msg::Save(kind));
    let file = |effect| match effect {
        Effect::SaveFile { name, kind, text } => (name, kind, text),
        other => panic!("{other:?}"),
    };
    (told.view.unwrap(), told.effects.into_iter().map(file).collect())
}

#[test]
fn every_control_has_something_to_choose() {
    let tex = page().open("").tex;
    for (list, first) in [(&tex.width, "345"), (&tex.size, "8"), (&tex.shows, "both")] {
        assert!(list.chosen == first && list.options.len() >= 3 && list.options.iter().any(|(value, _)| value == first), "{list:?}");
    }
    assert_eq!((tex.steps.as_str(), tex.has_future, tex.is_fragment), ("", false, false));
    // What a link names that cannot be chosen is not shown as if it could.
    assert_eq!(page().open("tex-width=7").tex.width.chosen, "345");
}

#[test]
fn the_figure_of_the_form_is_saved_as_tikz() {
    let settings = [
        Setting::Figure(Kind::Queues),
        Setting::TexWidth(252),
        Setting::TexSize(7),
        Setting::Palette(Palette::Print),
        Setting::TexFragment(true),
    ];
    let (view, saved) = save(FileKind::Tikz, settings);
    let (name, kind, text) = &saved[0];
    assert_eq!((name.as_str(), kind.as_str()), ("queues.tex", "application/x-tex"));
    syntax::is_file(text).unwrap();
    assert!(text.contains("\\clip (0,0) rectangle (252,") && text.contains("bst7/.style") && text.contains("{CE queue}"));
    assert!(!text.contains("\\documentclass"));
    // What was chosen is still there.
    assert_eq!((view.tex.width.chosen.as_str(), view.tex.size.chosen.as_str(), view.tex.is_fragment), ("252", "7", true));
}

#[test]
fn steps_are_typed_as_numbers_ranges_and_times() {
    let saved = |steps: &str| save(FileKind::Beamer, [Setting::TexSteps(steps.to_owned()), Setting::TexShows(Shows::Queues)]);
    let steps = |text: &str| -> Vec<String> {
        let of = |piece: &str| piece.split(' ').next().unwrap_or("").to_owned();
        text.replace(", after step ", "{Step ").split("{Step ").skip(1).map(of).collect()
    };
    let text = &saved("3, 20-22, 1.1 s").1[0].2;
    syntax::is_file(text).unwrap();
    assert_eq!(steps(text), ["3", "20", "21", "22", "30"].map(str::to_owned));
    assert_eq!(steps(&saved("").1[0].2).len(), 89);
    for (typed, message) in [
        ("500", "step 500: the run has 89 steps"),
        ("30-20", "steps 30-20: the first is after the last"),
        ("1-80, 1-80", "160 steps are too many for slides, the limit is 120: choose some of them"),
        ("x<y", "x<y"),
    ] {
        let (view, files) = saved(typed);
        assert!(files.is_empty() && view.unsaved.as_ref().is_some_and(|why| why.contains(message)), "{typed}: {view:?}");
        assert_eq!(view.tex.steps, typed, "what was typed stays");
    }
}
