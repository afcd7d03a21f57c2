//! The tool "Predict", driven as the page drives it.

use blockstep::examples;
use blockstep::lab::Lab;
use blockstep::lab::tools::query::Query;
use blockstep::learn::quiz::{Kind, Question, Spot, question_at};

/// A page with the tool open: what it keeps, and what it was told to do.
struct Page {
    lab: Lab,
    scenario: String,
    memory: String,
    html: String,
    position: u32,
    is_veiled: bool,
    acts: Vec<(String, String)>,
}

impl Page {
    fn on(id: &str) -> Self {
        Self::with(examples::find(id).unwrap().json)
    }

    fn with(scenario: &str) -> Self {
        let (memory, html) = (String::new(), String::new());
        let mut page =
            Self { lab: Lab::default(), scenario: scenario.to_owned(), memory, html, position: 0, is_veiled: false, acts: Vec::new() };
        page.ask("open:", "");
        page
    }

    fn ask(&mut self, event: &str, fields: &str) {
        let place = format!("position={}&at=0", self.position);
        let arguments = ["quiz", event, fields, &self.memory, &self.scenario, &place].map(str::to_owned);
        let answer = self.lab.answer("tool", &arguments).unwrap();
        let texts: Vec<String> = answer
            .into_iter()
            .map(|part| match part {
                blockstep::lab::Part::Text(text) => text,
                blockstep::lab::Part::Words(_) => panic!("words"),
            })
            .collect();
        (self.memory, self.html) = (texts[0].clone(), texts[1].clone());
        self.acts = texts[2..].chunks(2).map(|act| (act[0].clone(), act[1].clone())).collect();
        for (kind, value) in &self.acts {
            match kind.as_str() {
                "go" => self.position = value.parse().unwrap(),
                "veil" => self.is_veiled = value == "1",
                _ => {}
            }
        }
    }

    fn act(&self, kind: &str) -> Option<&str> {
        self.acts.iter().find(|(k, _)| k == kind).map(|(_, value)| value.as_str())
    }

    fn state(&self, name: &str) -> String {
        Query::read(&self.memory).get(name).to_owned()
    }

    /// The question that is open.
    fn question(&self) -> Question {
        let spots = self.state("spots");
        let given = self.state("given").split_whitespace().count();
        let (kind, position) = spots.split(' ').nth(given).unwrap().split_once('.').unwrap();
        let spot = Spot { kind: Kind::from_id(kind).unwrap(), position: position.parse().unwrap() };
        let run = super::run(&blockstep::format::read_scenario(&self.scenario).unwrap());
        question_at(&mut run.replay(), spot, self.state("seed").parse().unwrap()).unwrap()
    }

    fn has(&self, text: &str) -> bool {
        self.html.contains(text)
    }
}

const ALL: &str = "kind=sm&kind=kernel&kind=fit&n=5&seed=7";

#[test]
fn quiz_tool_goes_through_a_whole_quiz() {
    let mut page = Page::on("tx2-table-1");
    assert!(page.has("value=\"sm\"") && !page.has("value=\"resident\""), "only what the run decides: {}", page.html);
    page.ask("do:submit", ALL);
    let mut score = 0;
    for i in 0..5 {
        let question = page.question();
        assert!(page.is_veiled && page.position == question.spot.position);
        assert!(page.has(&format!("Question {} of 5", i + 1)), "{}", page.html);
        assert!(question.choices.iter().all(|c| page.has(&format!("</input> {}", c.text)) || page.has(&c.text)));
        assert!(question.choices.iter().all(|c| !page.has(&c.why)), "nothing is given away");
        page.ask("do:submit", "");
        assert!(page.has("Choose an answer first") && page.is_veiled);
        page.ask("change:choice", "choice=1");
        assert!(page.has("checked=\"1\"") && page.is_veiled);
        let choice = if i % 2 == 0 { question.right } else { (question.right + 1) % question.choices.len() };
        page.ask("do:submit", &format!("choice={choice}"));
        assert!(!page.is_veiled && page.position == question.shown_at);
        score += usize::from(choice == question.right);
        assert_eq!(page.has("Not so."), choice != question.right, "{}", page.html);
        assert!(page.act("say").unwrap().contains(&question.answer().text));
        assert!(page.has(question.answer().rule.id()));
        page.ask("move", "");
        assert!(page.acts.is_empty() && page.has("data-do=\"next\""));
        page.ask("do:next", "");
    }
    assert!(page.has(&format!("{score} of 5")) && !page.is_veiled, "{}", page.html);
    assert_eq!(page.html.matches("<strong>Right</strong>").count(), score);
    page.ask("do:save", "");
    let saved = page.act("save").unwrap();
    let lines: Vec<&str> = saved.lines().collect();
    assert!(lines[0].ends_with("quiz.csv") && lines[1] == "text/csv" && lines.len() == 2 + 1 + 5 + 1, "{saved}");
    assert!(lines.last().unwrap().ends_with(&format!("{score},5")), "{saved}");
    page.ask("do:link", "");
    assert_eq!(page.act("copy"), Some("seed=7&n=5&kinds=all"));
}

#[test]
fn quiz_tool_starts_from_a_link_the_same_quiz() {
    let mut page = Page::on("tx2-table-3");
    page.ask("do:submit", ALL);
    let (spots, first) = (page.state("spots"), page.html.clone());
    let mut other = Page::on("tx2-table-3");
    other.ask("open:seed=7&n=5&kinds=sm,kernel,fit", "");
    assert_eq!((other.state("spots"), &other.html), (spots, &first));
    assert!(other.is_veiled);
    for (word, says) in [
        ("seed=x&n=5&kinds=all", "Seed: \"x\""),
        ("seed=1&n=0&kinds=all", "Questions: \"0\""),
        ("seed=1&n=51&kinds=all", "from 1 to 50"),
        ("seed=1&n=5&kinds=<b>", "Tick at least one kind"),
    ] {
        other.ask(&format!("open:{word}"), "");
        assert!(other.html.replace("&quot;", "\"").contains(says) && !other.is_veiled, "{word}: {}", other.html);
    }
}

/// Kinds that a scenario has nothing of are not offered; they are not switched off by that.
#[test]
fn quiz_tool_keeps_the_kinds_that_were_not_offered() {
    let is_ticked = |page: &Page, kind: &str| page.has(&format!("value=\"{kind}\" checked=\"1\""));
    let mut page = Page::on("tx2-table-1");
    page.ask("do:submit", "kind=kernel&kind=fit&n=5&seed=7");
    page.ask("do:link", "");
    assert_eq!(page.act("copy"), Some("seed=7&n=5&kinds=kernel%2Cfit"));
    page.ask("do:new", "");
    page.ask("change:kind", "kind=kernel&n=5&seed=7");
    page.scenario = examples::find("edf-fig-2a").unwrap().json.to_owned();
    page.ask("move", "");
    assert!(!is_ticked(&page, "fit") && is_ticked(&page, "kernel"), "{}", page.html);
    assert!(is_ticked(&page, "resident"), "{}", page.html);
    page.ask("do:submit", "kind=kernel&kind=fit&n=5&seed=7");
    page.ask("do:new", "");
    assert!(!is_ticked(&page, "resident") && is_ticked(&page, "fit"), "{}", page.html);
    // Of a link, too, only what is offered is said.
    let mut page = Page::on("tx2-table-1");
    page.ask("open:seed=7&n=5&kinds=sm,kernel,fit", "");
    page.scenario = examples::find("edf-fig-2a").unwrap().json.to_owned();
    page.ask("do:new", "");
    assert!(is_ticked(&page, "resident"), "{}", page.html);
}

#[test]
fn quiz_tool_lifts_the_veil_whenever_it_is_left() {
    let mut page = Page::on("tx2-table-1");
    page.ask("do:submit", ALL);
    let at = page.position;
    page.ask("do:close", "");
    assert!(!page.is_veiled);
    page.position = 3;
    page.ask("open:", "");
    assert!(page.is_veiled && page.position == at, "it goes on where it was");
    page.position = 3;
    page.ask("move", "");
    assert!(page.has("another step") && page.has(&format!("data-go=\"{at}\"")));
    page.ask("do:end", "");
    assert!(!page.is_veiled && page.has("Start"));
    page.ask("do:submit", ALL);
    page.ask("do:pass", "");
    assert!(!page.is_veiled && page.has("The run:") && !page.has("Right:"));
    page.ask("do:end", "");
    assert!(page.has("0 of 1") && page.has("ended before the last"), "{}", page.html);
}

#[test]
fn quiz_tool_grades_nothing_of_another_scenario() {
    let mut page = Page::on("tx2-table-1");
    page.ask("do:submit", ALL);
    let before = page.scenario.clone();
    page.scenario = examples::find("tx2-table-2").unwrap().json.to_owned();
    page.ask("move", "");
    assert!(!page.is_veiled && page.has("another one") && page.has("Start again"));
    page.ask("do:submit", "choice=0");
    assert_eq!(page.state("given"), "", "not graded");
    // The edit is undone.
    page.scenario = before;
    page.ask("move", "");
    assert!(page.has("Back to the question"));
    page.ask("do:resume", "");
    assert!(page.is_veiled);
    page.scenario = examples::find("tx2-table-2").unwrap().json.to_owned();
    page.ask("do:again", "");
    assert!(page.is_veiled && page.has("Question 1 of"));
}

#[test]
fn quiz_tool_hands_over_to_ask_why() {
    let mut page = Page::on("tx2-table-1");
    page.ask("open:seed=1&n=20&kinds=kernel", "");
    while page.has("name=\"choice\"") {
        let question = page.question();
        let wrong = question.choices.iter().position(|c| c.waits.is_some() && c.answer != question.answer().answer);
        page.ask("do:submit", &format!("choice={}", wrong.unwrap_or(question.right)));
        if let Some(wrong) = wrong {
            page.ask("do:why", "");
            let op = question.choices[wrong].waits.unwrap();
            assert_eq!(page.act("tool"), Some(format!("ask\nop:{}", op.0).as_str()));
            let selected = page.act("select").unwrap();
            assert!(question.choices[wrong].text.starts_with(selected));
            assert_eq!(page.position, question.spot.position);
            return;
        }
        page.ask("do:next", "");
    }
    panic!("no kernel waited");
}

#[test]
fn quiz_tool_takes_names_as_text_and_survives_any_state() {
    let hostile = examples::find("tx2-table-1").unwrap().json.replace("\"K1\"", "\"<b>&x\"").replace("TX2", "<i>");
    let mut page = Page::with(&hostile);
    page.ask("open:seed=1&n=20&kinds=all", "");
    for _ in 0..50 {
        assert!(!page.has("<b>") && !page.has("<i>"), "{}", page.html);
        page.ask("do:submit", "choice=0");
    }
    page.ask("do:save", "");
    let events =
        ["open:", "open:%", "do:submit", "do:next", "do:why", "do:pass", "do:resume", "do:again", "do:save", "do:end", "move", "do:close"];
    let states = [
        "phase=asks",
        "phase=told",
        "phase=over&given=0+9+-",
        "phase=rests&spots=sm.1",
        "phase=asks&spots=sm.4294967295+fit.x+kernel.0&seed=9",
        "phase=told&given=99&spots=sm.9&seed=1&n=5&kinds=sm",
        "kinds=none&n=x&seed=-1",
    ];
    for state in states {
        for event in events {
            let print = page.state("run");
            for state in [state.to_owned(), format!("{state}&run={print}")] {
                let memory = std::mem::replace(&mut page.memory, state);
                page.ask(event, "choice=18446744073709551615&n=&seed=");
                assert!(!page.html.is_empty());
                page.memory = memory;
            }
        }
    }
}
