//! The tool that walks tours, with a page that does what it says.

use blockstep::examples;
use blockstep::lab::tools::query::Query;
use blockstep::lab::{Lab, Part};
use blockstep::learn::tour::{Place, Tour};
use blockstep::runs;
use blockstep::units::Time;
use blockstep::view::position;

/// What of the page a tour drives.
struct Page {
    lab: Lab,
    state: String,
    html: String,
    scenario: String,
    position: u32,
    selected: String,
    veiled: bool,
    shown: (u64, u64),
    said: String,
    tools: Vec<String>,
    studies: Vec<String>,
    copied: String,
}

impl Page {
    fn new() -> Self {
        Self {
            lab: Lab::default(),
            state: String::new(),
            html: String::new(),
            scenario: examples::find("edf-fig-1").unwrap().json.to_owned(),
            position: 0,
            selected: String::new(),
            veiled: false,
            shown: (0, 0),
            said: String::new(),
            tools: Vec::new(),
            studies: Vec::new(),
            copied: String::new(),
        }
    }

    fn steps(&self) -> blockstep::engine::Run {
        blockstep::engine::simulate(&runs::read(&self.scenario).unwrap(), blockstep::engine::Limits::default()).unwrap()
    }

    /// Asks the tool, does what it says, and tells it what has moved.
    fn ask(&mut self, event: &str, fields: &str) {
        let place = format!("position={}&at=0", self.position);
        let asked = ["tour", event, fields, &self.state, &self.scenario, &place].map(str::to_owned);
        let parts = self.lab.answer("tool", &asked).unwrap();
        let mut texts = parts.into_iter().map(|p| if let Part::Text(text) = p { text } else { panic!("only text") });
        self.state = texts.next().unwrap();
        self.html = texts.next().unwrap();
        let mut has_moved = false;
        while let (Some(kind), Some(value)) = (texts.next(), texts.next()) {
            has_moved |= self.act(&kind, &value);
        }
        if has_moved {
            self.ask("move", "");
        }
    }

    fn act(&mut self, kind: &str, value: &str) -> bool {
        let (first, rest) = value.split_once('\n').unwrap_or((value, ""));
        let number = first.parse::<u64>().unwrap_or(0);
        match kind {
            "go" => self.position = number as u32,
            "at" => self.position = position::at_time(&self.steps().trace, Time(number)),
            "select" => self.selected = value.to_owned(),
            "scenario" => {
                self.scenario = rest.to_owned();
                self.position = position::at_time(&self.steps().trace, Time(number));
            }
            "example" => {
                self.scenario = examples::find(value).unwrap().json.to_owned();
                self.position = 1;
            }
            "show" => self.shown = (number, rest.parse().unwrap()),
            "veil" => self.veiled = value == "1",
            "say" => self.said = value.to_owned(),
            "tool" => self.tools.push(value.to_owned()),
            "study" => self.studies.push(value.to_owned()),
            "copy" => self.copied = value.to_owned(),
            // With "Why not now?" the selection goes.
            "alone" => self.selected.clear(),
            "began" => {}
            other => panic!("{other}: {value}"),
        }
        matches!(kind, "go" | "at" | "select" | "scenario" | "example" | "show")
    }

    fn is_at(&self, tour: &Tour, stop: usize) -> bool {
        let stop = &tour.stops[stop];
        let trace = self.steps().trace;
        let position = match stop.place {
            Place::Step(step) => step,
            Place::At(at) => position::at_time(&trace, at),
        };
        let wanted = runs::read(&tour.scenario(&stop.setting).unwrap()).unwrap();
        let shown = stop.show.map_or((0, 0), |r| (r.start.ns(), r.end.ns()));
        let scenario = trace.scenario();
        (scenario.name(), scenario.policy(), scenario.device()) == (wanted.name(), wanted.policy(), wanted.device())
            && self.position == position
            && self.shown == shown
            && self.selected == stop.select.clone().filter(|_| !self.veiled).unwrap_or_default()
            && self.html.contains(&escaped(&stop.title))
            && !self.html.contains("wandered")
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[test]
fn tours_are_walked_from_end_to_end() {
    for tour in Tour::all().unwrap() {
        let mut page = Page::new();
        page.ask("open:", "");
        page.ask(&format!("do:go={}/1", tour.id), "");
        for (i, stop) in tour.stops.iter().enumerate() {
            let place = format!("{}, stop {}", tour.id, i + 1);
            assert!(page.is_at(&tour, i), "{place}: position {}, selected {}, {}", page.position, page.selected, page.html);
            assert!(page.said.ends_with(&format!("stop {} of {}: {}", i + 1, tour.stops.len(), stop.title)), "{place}: {}", page.said);
            assert_eq!(page.veiled, stop.is_veiled, "{place}");
            if stop.ask.is_some() {
                page.ask("do:next", "");
                assert!(!page.veiled && page.said.starts_with("The answer: "), "{place}: {}", page.said);
                assert!(page.is_at(&tour, i), "{place}: the answer is read before going on");
            }
            page.ask("do:next", "");
        }
        assert!(page.html.contains("walked to its end"), "{}", tour.id);
        let tools = tour.stops.iter().filter_map(|s| Some(s.tool.as_ref()?.0));
        assert_eq!(page.tools.iter().map(|t| t.split('\n').next().unwrap().to_owned()).collect::<Vec<_>>(), tools.collect::<Vec<_>>());
        assert_eq!(page.studies, tour.stops.iter().filter_map(|s| s.study.clone()).collect::<Vec<_>>());
    }
}

fn fig_4() -> Tour {
    Tour::find("tx2-fig-4").unwrap()
}

#[test]
fn tours_can_be_left_and_come_back_to() {
    let (mut page, tour) = (Page::new(), fig_4());
    page.ask("open:tx2-fig-4/4", "");
    assert!(page.is_at(&tour, 3), "a link leads to its stop: {}", page.html);
    page.position += 1;
    page.ask("move", "");
    assert!(page.html.contains("wandered off"), "{}", page.html);
    page.ask("do:return", "");
    assert!(page.is_at(&tour, 3));
    page.scenario = page.scenario.replace("768", "512");
    page.ask("move", "");
    assert!(page.html.contains("wandered off"), "an edit leads away too");
    page.ask("do:return", "");
    assert!(page.is_at(&tour, 3));
    page.selected = "K2".to_owned();
    page.ask("move", "");
    assert!(!page.html.contains("wandered"), "looking around is not leaving");
    page.ask("do:leave", "");
    assert!(page.html.contains("Go on at stop 4"), "{}", page.html);
    page.ask("do:go=tx2-fig-4/4", "");
    assert!(page.is_at(&tour, 3));
    page.ask("do:back", "");
    assert!(page.is_at(&tour, 2));
    page.ask("change:stop", "stop=6");
    assert!(page.is_at(&tour, 5));
    page.ask("do:link", "");
    assert_eq!(page.copied, "tx2-fig-4/6");
}

#[test]
fn tours_judge_answers() {
    let (mut page, tour) = (Page::new(), fig_4());
    let ask = tour.stops[2].ask.as_ref().unwrap();
    let right = ask.choices.iter().position(|c| c.is_right).unwrap();
    for (choice, verdict) in [(right, "Right. "), ((right + 1) % ask.choices.len(), "Not so. ")] {
        page.ask("open:tx2-fig-4/1", "");
        page.ask("do:leave", "");
        page.ask("open:tx2-fig-4/3", "");
        assert!(page.veiled && !page.html.contains(verdict), "{}", page.html);
        page.ask(&format!("do:answer={}", choice + 1), "");
        assert!(!page.veiled && page.html.contains(verdict), "{}", page.html);
        assert!(page.said.starts_with(verdict), "{}", page.said);
        page.ask("do:next", "");
        page.ask("do:back", "");
        assert!(!page.veiled && page.html.contains(verdict), "what was answered stays answered");
    }
}

#[test]
fn tours_veil_only_what_is_theirs() {
    let mut page = Page::new();
    page.ask("open:tx2-fig-4/3", "");
    page.ask("do:close", "");
    assert!(!page.veiled, "nothing is hidden once the panel is closed");
    page.ask("open:", "");
    assert!(page.veiled, "the question is still open");
    page.scenario = examples::find("tx2-table-2").unwrap().json.to_owned();
    page.ask("move", "");
    assert!(!page.veiled, "of another scenario nothing is hidden");
}

#[test]
fn tours_odd_requests_are_answered() {
    let mut page = Page::new();
    for word in ["nothing", "tx2-fig-4/0", "tx2-fig-4/99", "tx2-fig-4/x", "tx2-fig-4/3/4", "<b>"] {
        page.ask(&format!("open:{word}"), "");
        assert!(page.html.contains("There is no tour") || page.html.contains("has no stop"), "{word}: {}", page.html);
        assert!(!page.html.contains("<b>"));
    }
    page.ask("open:tx2-fig-4/3", "");
    for event in ["do:answer=9", "do:answer=x", "do:go=", "do:nonsense", "change:stop", "change:other", "do:submit"] {
        page.ask(event, "stop=");
    }
    let mut state = Query::new();
    state.set("tour", "tx2-fig-4").set("stop", "1000").set("answer", "x:y");
    page.state = state.write();
    page.ask("move", "");
    assert!(page.html.contains("stop 11 of 11"), "{}", page.html);
}
