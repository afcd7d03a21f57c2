//! The part of the figures' panel for LaTeX, as the page talks to it.

use blockstep::examples;
use blockstep::lab::tools::query::Query;
use blockstep::lab::{Lab, Part};

use super::syntax;

/// State, HTML and files that the page is asked to save: name, kind and text.
struct Answered {
    html: String,
    saved: Vec<(String, String, String)>,
}

fn ask(event: &str, fields: &str) -> Answered {
    let scenario = examples::find("tx2-table-1").unwrap().json;
    let mut place = Query::new();
    place.set("left", "84").set("plot", "700").set("position", "30").set("at", "1000000000");
    let arguments = ["figure", event, fields, "", scenario, &place.write()].map(str::to_owned);
    let parts = Lab::default().answer("tool", &arguments).unwrap();
    let texts: Vec<String> = parts.into_iter().map(|part| if let Part::Text(text) = part { text } else { panic!("no text") }).collect();
    let acts = texts[2..].chunks_exact(2).filter(|act| act[0] == "save");
    let saved = acts.map(|act| {
        let mut lines = act[1].splitn(3, '\n').map(str::to_owned);
        (lines.next().unwrap(), lines.next().unwrap(), lines.next().unwrap())
    });
    Answered { html: texts[1].clone(), saved: saved.collect() }
}

#[test]
fn every_control_has_a_label_and_keeps_the_focus() {
    let html = ask("open:", "").html;
    for name in ["tex-width", "tex-size", "tex-shows", "tex-steps", "tex-future", "tex-fragment"] {
        assert!(html.contains(&format!("name=\"{name}\"")) && html.contains(&format!("data-keep=\"{name}\"")), "{name} in {html}");
    }
    for word in ["tikz", "beamer"] {
        assert!(html.contains(&format!("data-do=\"{word}\" data-keep=\"{word}\"")), "{word}");
    }
}

#[test]
fn the_figure_of_the_form_is_saved_as_tikz() {
    let answered = ask("do:tikz", "figure=queues&tex-width=252&tex-size=7&palette=print&shown=tex-fragment&tex-fragment=on");
    let (name, kind, text) = &answered.saved[0];
    assert_eq!((name.as_str(), kind.as_str()), ("queues.tex", "application/x-tex"));
    syntax::is_file(text).unwrap();
    assert!(text.contains("\\clip (0,0) rectangle (252,") && text.contains("bst7/.style") && text.contains("{CE queue}"));
    assert!(!text.contains("\\documentclass"));
    // What was chosen is still there.
    assert!(answered.html.contains("<option value=\"252\" selected=\"1\">"), "{}", answered.html);
}

#[test]
fn steps_are_typed_as_numbers_ranges_and_times() {
    let saved = |steps: &str| {
        let mut fields = Query::new();
        fields.set("tex-steps", steps).set("tex-shows", "queues");
        ask("do:beamer", &fields.write())
    };
    let steps = |text: &str| -> Vec<String> {
        let of = |piece: &str| piece.split(' ').next().unwrap_or("").to_owned();
        text.replace(", after step ", "{Step ").split("{Step ").skip(1).map(of).collect()
    };
    let text = &saved("3, 20-22, 1.1 s").saved[0].2;
    syntax::is_file(text).unwrap();
    assert_eq!(steps(text), ["3", "20", "21", "22", "30"].map(str::to_owned));
    assert_eq!(steps(&saved("").saved[0].2).len(), 89);
    for (typed, message) in [
        ("500", "step 500: the run has 89 steps"),
        ("30-20", "steps 30-20: the first is after the last"),
        ("1-80, 1-80", "160 steps are too many for slides, the limit is 120: choose some of them"),
        ("x<y", "x&lt;y"),
    ] {
        let answered = saved(typed);
        assert!(answered.saved.is_empty() && answered.html.contains(message), "{typed}: {}", answered.html);
    }
}
