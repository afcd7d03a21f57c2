//! The tool: what it shows and asks the page for, as the page talks to it.

use blockstep::format;
use blockstep::lab::tools::query::Query;
use blockstep::lab::{Lab, Part};
use resvg::usvg::roxmltree::Document;

use super::example;

struct Page {
    lab: Lab,
    scenario: String,
    state: String,
    html: String,
    acts: Vec<(String, String)>,
    place: Query,
}

impl Page {
    fn new(id: &str) -> Self {
        let mut place = Query::new();
        place.set("left", "84").set("plot", "700").set("position", "30").set("at", "1000000000");
        let scenario = format::write_scenario(&example(id));
        Self { lab: Lab::default(), scenario, state: String::new(), html: String::new(), acts: Vec::new(), place }
    }

    fn ask(&mut self, event: &str, fields: &str) -> &mut Self {
        let arguments = ["figure", event, fields, &self.state, &self.scenario, &self.place.write()].map(str::to_owned);
        let mut texts = self.lab.answer("tool", &arguments).unwrap().into_iter().map(|part| match part {
            Part::Text(text) => text,
            Part::Words(_) => panic!("a tool answers in texts"),
        });
        (self.state, self.html) = (texts.next().unwrap(), texts.next().unwrap());
        let rest: Vec<String> = texts.collect();
        self.acts = rest.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
        self
    }

    fn act(&self, kind: &str) -> Option<&str> {
        self.acts.iter().rev().find(|(k, _)| k == kind).map(|(_, value)| value.as_str())
    }

    fn preview(&self) -> &str {
        let from = self.html.find("<svg").unwrap();
        &self.html[from..self.html.find("</svg>").unwrap() + 6]
    }
}

#[test]
fn what_is_previewed_is_what_is_saved() {
    let mut page = Page::new("tx2-table-1");
    page.ask("open:", "");
    assert!(page.preview().contains("width=\"800\""));
    for fields in ["figure=queues&palette=print", "figure=chart", "figure=timeline&width=1000&font=14&line=on&shown=line"] {
        page.ask("change:figure", fields).ask("do:svg", "");
        let (head, text) = page.act("save").unwrap().split_once("\nimage/svg+xml\n").unwrap();
        assert!(head.ends_with(".svg") && !head.contains("varied"), "{head}");
        Document::parse(text).unwrap();
        assert_eq!(page.preview(), text.trim_end(), "{fields}");
    }
    page.ask("change:scale", "scale=3").ask("do:png", "");
    let picture: Vec<&str> = page.act("picture").unwrap().splitn(3, '\n').collect();
    assert_eq!((picture[0], picture[1]), ("timeline.png", "3"));
    assert!(picture[2].contains("width=\"1000\"") && picture[2].contains("1 s"));
}

#[test]
fn another_run_is_drawn_in_the_same_chart() {
    let mut page = Page::new("tx2-fig-9-processes");
    page.ask("open:", "").ask("change:chart", "figure=chart&chart=blocks");
    assert!(page.html.contains("Beside it") && !page.preview().contains("two tasks"));
    page.ask("change:beside", "figure=chart&chart=blocks&beside=example%3Dtx2-fig-9-tasks");
    assert_eq!(page.preview().matches("Fig. 9: two tasks").count(), 2 + 2, "two curves, in title and name: {}", page.preview());
    page.ask("change:beside", "figure=chart&chart=in-flight&beside=policy%3Dpriority");
    assert!(page.preview().contains("under priority"), "{}", page.preview());
    // A histogram is of one task.
    page.ask("change:chart", "figure=chart&chart=histogram-0");
    assert!(!page.html.contains("Beside it"));
}

#[test]
fn a_strip_is_gathered_step_by_step() {
    let mut page = Page::new("tx2-table-1");
    page.ask("open:", "figure=strip").ask("change:figure", "figure=strip");
    assert!(page.html.contains("The strip is empty") && !page.html.contains("<svg"));
    page.ask("do:add", "");
    assert_eq!(page.act("say"), Some("Step 30, 1 s: added, the strip holds 1."));
    page.place.set("position", "18").set("at", "400000000");
    page.ask("do:add", "");
    let order =
        |page: &Page| page.html.split("data-go=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect::<Vec<_>>();
    assert_eq!(order(&page), ["30", "18"]);
    page.ask("do:earlier 1", "");
    assert_eq!((order(&page).join(" "), page.act("say")), ("18 30".to_owned(), Some("Step 18, 400 ms: now 1 of 2.")));
    assert!(page.preview().contains("(a) after step 18") && page.preview().contains("(b) after step 30"));
    // A time after the step is kept, too, and is where the link goes.
    page.place.set("at", "800000000");
    page.ask("do:add", "");
    assert_eq!(page.act("say"), Some("800 ms, after step 18 at 400 ms: added, the strip holds 3."));
    assert!(page.preview().contains("(c) 800 ms, after step 18 at 400 ms") && page.html.contains("data-go-time=\"800000000\""));
    page.ask("do:remove 2", "");
    assert_eq!(page.act("say"), Some("800 ms, after step 18 at 400 ms: removed, the strip holds 2."));
    page.place.set("at", "400000000");
    page.ask("do:later 1", "");
    assert_eq!(order(&page), ["18", "30"], "the last stays the last");
    page.ask("do:remove 0", "");
    assert_eq!(order(&page), ["30"]);
    page.ask("do:remove 7", "");
    assert_eq!(order(&page), ["30"]);
    for _ in 0..40 {
        page.ask("do:add", "");
    }
    assert_eq!(page.act("say"), Some("A strip holds at most 30 steps: remove one first."));
    assert_eq!(order(&page).len(), 30);
    page.ask("do:clear", "");
    assert!(page.html.contains("The strip is empty"));
}

#[test]
fn a_bad_number_is_said_and_stays_as_typed() {
    let mut page = Page::new("tx2-table-1");
    page.ask("open:", "");
    for (fields, said, typed) in [
        ("width=100", "Width &quot;100&quot;: it is a whole number from 240 to 4000.", "value=\"100\""),
        ("width=wide", "Width &quot;wide&quot;: it is a whole number from 240 to 4000.", "value=\"wide\""),
        ("width=800&font=99", "Letters &quot;99&quot;: it is a whole number from 6 to 40.", "value=\"99\""),
        ("width=300&font=30", "Width 300 px: with a font size of 30 px a figure is at least 600 px wide.", "value=\"300\""),
    ] {
        page.ask("change:width", fields);
        assert!(page.html.contains(said) && page.html.contains(typed) && !page.html.contains("<svg"), "{}", page.html);
        page.ask("do:svg", "");
        assert_eq!(page.act("save"), None);
        assert!(page.html.contains(typed));
    }
    page.ask("change:width", "width=800&font=12");
    assert!(page.html.contains("<svg"));
}

#[test]
fn ticks_are_kept_while_other_figures_are_shown() {
    let mut page = Page::new("tx2-table-1");
    page.ask("open:", "").ask("change:title", "figure=timeline&shown=line&shown=title");
    assert!(!page.preview().contains("TX2 Table 1: basic scheduling rules\n</text>"));
    page.ask("change:figure", "figure=queues&shown=title");
    assert!(page.preview().contains("waits"), "the legend is on at first");
    page.ask("change:legend", "figure=queues&shown=title&shown=legend");
    assert!(!page.preview().contains("waits"));
    page.ask("move", "");
    assert!(!page.preview().contains("waits"));
}

#[test]
fn a_png_that_no_browser_draws_is_refused_in_words() {
    let mut page = Page::new("edf-vi-a-runlist");
    page.ask("open:", "").ask("change:width", "figure=queues&width=4000&font=40&scale=4").ask("do:png", "");
    assert_eq!(page.act("picture"), None);
    assert!(page.html.contains("is too large: a browser draws at most 16,384 by side"), "{}", page.html);
}
