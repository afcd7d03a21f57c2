//! The part of the figures' panel for LaTeX, as the page talks to it.

use blockstep_draw::figure::Palette;
use blockstep_protocol::{Cursor, Effect};
use blockstep_report::slides::Shows;
use blockstep_sim::units::Time;
use blockstep_tools::figure::{Figure, FigureKind, FileKind, Msg, State};

use crate::figures::tool::{held, set};
use crate::tool::OnPage;
use blockstep_testing::latex as syntax;

/// On Table 1, after 30 steps.
fn page() -> OnPage<Figure> {
    let mut page = OnPage::on("figure", "tx2-table-1");
    page.cursor = Cursor { position: 30, at: Time(1_000_000_000), ..Cursor::default() };
    page
}

/// Changes controls and saves: what is shown then, and each file's name, kind and text.
fn save(kind: FileKind, change: impl FnOnce(&mut State)) -> (State, Vec<(String, String, String)>) {
    let mut page = page();
    page.open("");
    set(&mut page, change);
    let told = page.send(Msg::Save(kind));
    let file = |effect| match effect {
        Effect::SaveFile { name, kind, text } => (name, kind, text),
        other => panic!("{other:?}"),
    };
    (held(&page), told.effects.into_iter().map(file).collect())
}

fn held_after(word: &str) -> State {
    let mut page = page();
    page.open(word);
    held(&page)
}

#[test]
fn every_control_has_something_to_choose() {
    let tex = held_after("");
    for (list, first) in [(&tex.tex_widths(), "345"), (&tex.tex_sizes(), "8")] {
        assert!(list.chosen == first && list.options.len() >= 3 && list.options.iter().any(|(value, _)| value == first), "{list:?}");
    }
    assert_eq!((tex.tex_shows, tex.tex_steps.as_str(), tex.has_future(), tex.is_fragment()), (Shows::Both, "", false, false));
    // What a link names that cannot be chosen is not shown as if it could.
    assert_eq!(held_after("tex-width=7").tex_widths().chosen, "345");
}

#[test]
fn the_figure_of_the_form_is_saved_as_tikz() {
    let (state, saved) = save(FileKind::Tikz, |state| {
        (state.figure, state.palette, state.tex_fragment) = (FigureKind::Queues, Palette::Print, Some(true));
        (state.tex_width, state.tex_size) = ("252".to_owned(), "7".to_owned());
    });
    let (name, kind, text) = &saved[0];
    assert_eq!((name.as_str(), kind.as_str()), ("queues.tex", "application/x-tex"));
    syntax::is_file(text).unwrap();
    assert!(text.contains("\\clip (0,0) rectangle (252,") && text.contains("bst7/.style") && text.contains("{CE queue}"));
    assert!(!text.contains("\\documentclass"));
    // What was chosen is still there.
    assert_eq!((&*state.tex_widths().chosen, &*state.tex_sizes().chosen, state.is_fragment()), ("252", "7", true));
}

#[test]
fn steps_are_typed_as_numbers_ranges_and_times() {
    let saved = |steps: &str| save(FileKind::Beamer, |state| (state.tex_steps, state.tex_shows) = (steps.to_owned(), Shows::Queues));
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
        let (state, files) = saved(typed);
        assert!(files.is_empty() && state.unsaved.contains(message), "{typed}: {state:?}");
        assert_eq!(state.tex_steps, typed, "what was typed stays");
    }
}
