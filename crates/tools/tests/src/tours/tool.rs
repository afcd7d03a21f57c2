//! The tool that walks tours, with a page that does what it says.

use blockstep_learn::tour::{Paragraph, Tour, TourPlace};
use blockstep_protocol::Effect;
use blockstep_sim::examples;
use blockstep_sim::units::Time;
use blockstep_tools::runs;
use blockstep_tools::tool::Event;
use blockstep_tools::tour::{Msg, Next, StopMark, StopQuestion, StopView, Tour as Tool, TourEntry, TourList, View};
use blockstep_view::position;

use crate::tool::OnPage;

/// What of the page a tour drives.
struct Page {
    tool: OnPage<Tool>,
    view: View,
    selected: String,
    is_future_hidden: bool,
    is_path_shown: bool,
    shown: (Time, Time),
    said: String,
    tools: Vec<String>,
    studies: Vec<String>,
    copied: String,
    /// Whether the reader's own scenario is kept, and in place of which it came back last.
    kept: bool,
    restored: Option<String>,
}

impl Page {
    fn new() -> Self {
        Self {
            tool: OnPage::on("tour", "edf-fig-1"),
            view: View::List(TourList::default()),
            selected: String::new(),
            is_future_hidden: false,
            is_path_shown: false,
            shown: (Time::ZERO, Time::ZERO),
            said: String::new(),
            tools: Vec::new(),
            studies: Vec::new(),
            copied: String::new(),
            kept: false,
            restored: None,
        }
    }

    fn steps(&self) -> blockstep_sim::engine::Run {
        blockstep_sim::engine::simulate(&runs::read(&self.tool.scenario).unwrap(), blockstep_sim::engine::Limits::default())
    }

    /// Tells the tool something, does what it says, and tells it what has moved.
    fn tell(&mut self, event: Event<Msg>) {
        let told = self.tool.tell(event).unwrap();
        self.view = told.view.expect("it is never hidden");
        let mut has_moved = false;
        for effect in told.effects {
            has_moved |= self.run(effect);
        }
        if has_moved {
            self.tell(Event::Moved);
        }
    }

    fn open(&mut self, word: &str) {
        self.tell(Event::Opened(word.to_owned()));
    }

    fn send(&mut self, message: Msg) {
        self.tell(Event::Message(message));
    }

    fn run(&mut self, effect: Effect) -> bool {
        let has_moved = !matches!(
            effect,
            Effect::HideFuture(_)
                | Effect::ShowPath(_)
                | Effect::Announce(_)
                | Effect::OpenTool { .. }
                | Effect::OpenStudy(_)
                | Effect::CopyLink(_)
                | Effect::CloseOthers
                | Effect::KeepWork
                | Effect::RestoreWork(_)
        );
        match effect {
            Effect::GoToStep(position) => {
                self.tool.go(position);
            }
            Effect::GoToTime(at) => {
                self.tool.go(position::at_time(&self.steps().trace, at));
            }
            Effect::SelectRow(row) => self.selected = row,
            Effect::OpenScenario { at, scenario, .. } => {
                self.tool.scenario = scenario;
                self.tool.go(position::at_time(&self.steps().trace, at));
            }
            Effect::OpenExample(id) => {
                self.tool.scenario = examples::find(&id).unwrap().json.to_owned();
                self.tool.go(1);
            }
            Effect::ShowRange { from, to } => self.shown = (from, to),
            Effect::HideFuture(is_hidden) => self.is_future_hidden = is_hidden,
            Effect::ShowPath(is_shown) => self.is_path_shown = is_shown,
            Effect::Announce(text) => self.said = text,
            Effect::OpenTool { name, .. } => self.tools.push(name),
            Effect::OpenStudy(study) => self.studies.push(study),
            Effect::CopyLink(word) => self.copied = word,
            // With "Why not now?" the selection goes.
            Effect::CloseOthers => self.selected.clear(),
            Effect::KeepWork => self.kept = true,
            Effect::RestoreWork(shown) => self.restored = Some(shown),
            other => panic!("{other:?}"),
        }
        has_moved
    }

    /// The stop that is shown.
    fn stop(&self) -> &StopView {
        match &self.view {
            View::Stop(stop) => stop,
            View::List(list) => panic!("{list:?}"),
        }
    }

    fn question(&self) -> &StopQuestion {
        self.stop().question.as_ref().unwrap()
    }

    /// The list that is shown.
    fn list(&self) -> &TourList {
        match &self.view {
            View::List(list) => list,
            View::Stop(stop) => panic!("{stop:?}"),
        }
    }

    fn entry(&self, id: &str) -> &TourEntry {
        self.list().papers.iter().flat_map(|paper| &paper.tours).find(|tour| tour.id == id).unwrap()
    }

    fn is_at(&self, tour: &Tour, number: usize) -> bool {
        let stop = &tour.stops[number];
        let trace = self.steps().trace;
        let position = match stop.place {
            TourPlace::Step(step) => step,
            TourPlace::At(at) => position::at_time(&trace, at),
        };
        let wanted = runs::read(&tour.scenario(&stop.setting).unwrap()).unwrap();
        let shown = stop.show.map_or((Time::ZERO, Time::ZERO), |r| (r.start, r.end));
        let scenario = trace.scenario();
        let told = self.stop();
        (scenario.name(), scenario.policy(), scenario.device()) == (wanted.name(), wanted.policy(), wanted.device())
            && self.tool.cursor.position == position
            && self.shown == shown
            && self.is_path_shown == stop.is_path_shown
            && self.selected == stop.select.clone().filter(|_| !self.is_future_hidden).unwrap_or_default()
            && (told.number, &told.title, &told.text) == (number + 1, &stop.title, &stop.text)
            && !told.is_away
    }
}

/// Nothing of a question tells what is right.
fn tells_nothing(question: &StopQuestion) -> bool {
    question.is_open
        && question.verdict.is_none()
        && question.answer.is_none()
        && question.choices.iter().all(|choice| choice.mark == StopMark::None)
}

#[test]
fn tours_are_walked_from_end_to_end() {
    for tour in Tour::all().unwrap() {
        let mut page = Page::new();
        page.open("");
        assert!(!page.entry(&tour.id).is_done);
        page.send(Msg::Walk { tour: tour.id.clone(), stop: 1 });
        for (i, stop) in tour.stops.iter().enumerate() {
            let place = format!("{}, stop {}", tour.id, i + 1);
            let is_last = i + 1 == tour.stops.len();
            assert!(page.is_at(&tour, i), "{place}: position {}, selected {}, {:?}", page.tool.cursor.position, page.selected, page.view);
            assert!(page.said.ends_with(&format!("stop {} of {}: {}", i + 1, tour.stops.len(), stop.title)), "{place}: {}", page.said);
            assert_eq!(page.is_future_hidden, stop.is_future_hidden, "{place}");
            let titles: Vec<String> = tour.stops.iter().enumerate().map(|(i, stop)| format!("{}. {}", i + 1, stop.title)).collect();
            if stop.ask.is_some() {
                // Titles of what comes after it may tell the answer.
                let (before, after) = page.stop().stops.split_at(i + 1);
                assert_eq!(before, &titles[..=i], "{place}");
                assert!(after.iter().all(|title| title.ends_with(". After your answer")) && after.len() + i + 1 == titles.len(), "{place}");
                assert!(tells_nothing(page.question()) && page.stop().next == Next::ShowAnswer, "{place}");
                page.send(Msg::Next);
                assert!(!page.is_future_hidden && page.said.starts_with("The answer: "), "{place}: {}", page.said);
                if let Some(at) = stop.ask.as_ref().and_then(|ask| ask.inset) {
                    let position = position::at_time(&page.steps().trace, at);
                    assert_eq!((page.tool.cursor.position, page.stop().is_away), (position, false), "{place}: the answer is seen");
                    assert!(page.question().answer.is_some() && page.question().inset.is_none(), "{place}");
                    page.send(Msg::Next);
                    continue;
                }
                assert!(page.is_at(&tour, i), "{place}: the answer is read before going on");
                let asked = page.question();
                assert!(!asked.is_open && asked.verdict.is_none() && asked.answer.is_some(), "{place}: {asked:?}");
                assert_eq!(asked.choices.iter().filter(|choice| choice.mark == StopMark::Right).count(), 1, "{place}: {asked:?}");
            }
            assert_eq!(page.stop().stops, titles, "{place}");
            assert_eq!(page.stop().next, if is_last { Next::Finish } else { Next::Next }, "{place}");
            page.send(Msg::Next);
        }
        let entry = page.entry(&tour.id);
        assert!(entry.is_done && entry.left_at.is_none(), "{entry:?}");
        assert_eq!(page.tools, tour.stops.iter().filter_map(|s| Some(s.tool.as_ref()?.0)).collect::<Vec<_>>());
        assert_eq!(page.studies, tour.stops.iter().filter_map(|s| s.study.clone()).collect::<Vec<_>>());
    }
}

/// Every tour is listed once: the first path, then by paper in the order of the figures.
#[test]
fn tours_are_listed_by_paper_and_figure() {
    let mut page = Page::new();
    page.open("");
    let list = page.list();
    assert_eq!(list.note, None);
    let papers: Vec<&str> = list.papers.iter().map(|paper| paper.heading.split(' ').next().unwrap()).collect();
    assert_eq!(papers, ["First", "[TX2]", "[EDF]", "[LP]", "[MT]", "[GCAPS]", "[CUDA]"]);
    let first: Vec<&str> = list.papers[0].tours.iter().map(|tour| tour.id.as_str()).collect();
    assert_eq!(first, ["start", "tx2-fig-4", "tx2-fig-5", "edf-fig-1", "lp-fig-1"]);
    let mut ids: Vec<&str> = list.papers.iter().flat_map(|paper| &paper.tours).map(|tour| tour.id.as_str()).collect();
    let of_tx2: Vec<&str> = list.papers[1].tours.iter().map(|tour| tour.id.as_str()).collect();
    assert_eq!((of_tx2.first(), of_tx2.last()), (Some(&"tx2-fig-1"), Some(&"tx2-fig-10")), "not by the letters of their ids");
    ids.sort_unstable();
    assert_eq!(ids, Tour::ids().collect::<Vec<_>>());
    let tour = fig_4();
    let entry = page.entry("tx2-fig-4");
    assert_eq!(entry.title, format!("[TX2] Fig. 4: {}", tour.title));
    assert_eq!(entry.about, format!("{} 12 stops, about 12 minutes.", tour.about));
}

fn fig_4() -> Tour {
    Tour::find("tx2-fig-4").unwrap()
}

#[test]
fn tours_can_be_left_and_come_back_to() {
    let (mut page, tour) = (Page::new(), fig_4());
    page.open("tx2-fig-4/4");
    assert!(page.is_at(&tour, 3), "a link leads to its stop: {:?}", page.view);
    let position = page.tool.cursor.position;
    page.tool.go(position + 1);
    page.tell(Event::Moved);
    assert!(page.stop().is_away);
    page.send(Msg::Return);
    assert!(page.is_at(&tour, 3));
    page.tool.scenario = page.tool.scenario.replace("768", "512");
    page.tell(Event::Moved);
    assert!(page.stop().is_away, "an edit leads away too");
    page.send(Msg::Return);
    assert!(page.is_at(&tour, 3));
    page.selected = "K2".to_owned();
    page.tell(Event::Moved);
    assert!(!page.stop().is_away, "looking around is not leaving");
    assert!(page.kept, "the scenario on screen was another");
    page.send(Msg::Leave);
    assert_eq!((page.entry("tx2-fig-4").left_at, page.said.as_str()), (Some(4), "List of tours."));
    assert!(page.restored.take().is_some_and(|shown| shown.contains("TX2 Table 1")), "what was kept comes back in place of the stop's");
    page.send(Msg::Walk { tour: "tx2-fig-4".to_owned(), stop: 4 });
    assert!(page.is_at(&tour, 3));
    page.send(Msg::Back);
    assert!(page.is_at(&tour, 2));
    page.send(Msg::GoTo(6));
    assert!(page.is_at(&tour, 5));
    page.send(Msg::CopyLink);
    assert_eq!(page.copied, "tx2-fig-4/6");
    page.send(Msg::GoTo(1));
    page.send(Msg::Back);
    assert!(page.is_at(&tour, 0), "there is none before");
    page.tell(Event::Closed);
    assert!(page.restored.is_some(), "closing the tool is leaving the tour");
}

/// What is remembered has the names that links of version 1 have.
#[test]
fn tours_are_remembered_as_links_have_them() {
    let mut page = Page::new();
    page.open("tx2-fig-4/3");
    page.send(Msg::Next);
    assert_eq!(page.tool.memory, r#"{"answer":["3:0"],"left":["tx2-fig-4/3"],"stop":3,"tour":"tx2-fig-4"}"#);
    page.send(Msg::Leave);
    assert_eq!(page.tool.memory, r#"{"left":["tx2-fig-4/3"]}"#);
    page.open("tx2-fig-4/12");
    assert_eq!(page.tool.memory, r#"{"done":["tx2-fig-4"],"left":["tx2-fig-4/12"],"stop":12,"tour":"tx2-fig-4"}"#);
    // A link brings its place; how far tours were walked is the reader's own.
    page.open("take tour=tx2-fig-4&stop=3&left=tx2-fig-5%2F2&done=tx2-fig-5");
    assert_eq!(page.tool.memory, r#"{"done":["tx2-fig-4"],"left":["tx2-fig-4/12"],"stop":3,"tour":"tx2-fig-4"}"#);
    assert!(page.is_future_hidden && page.stop().number == 3 && tells_nothing(page.question()));
    page.open("take tour=tx2-fig-4&stop=3&answer=3%3A0&answer=5%3A2");
    assert!(!page.is_future_hidden && page.question().answer.is_some());
    assert_eq!(page.tool.memory, r#"{"answer":["3:0","5:2"],"done":["tx2-fig-4"],"left":["tx2-fig-4/12"],"stop":3,"tour":"tx2-fig-4"}"#);
}

#[test]
fn tours_judge_answers() {
    let (mut page, tour) = (Page::new(), fig_4());
    let ask = tour.stops[2].ask.as_ref().unwrap();
    let right = ask.choices.iter().position(|c| c.is_right).unwrap();
    for (choice, verdict) in [(right, "Right. "), ((right + 1) % ask.choices.len(), "Not quite. ")] {
        page.open("tx2-fig-4/1");
        page.send(Msg::Leave);
        page.open("tx2-fig-4/3");
        assert!(page.is_future_hidden && tells_nothing(page.question()), "{:?}", page.view);
        page.send(Msg::Choose(choice));
        let is_judged = |page: &Page| {
            let asked = page.question();
            let (of_choice, of_right) = (asked.choices[choice].mark, asked.choices[right].mark);
            let marks =
                if choice == right { (StopMark::ChosenRight, StopMark::ChosenRight) } else { (StopMark::ChosenWrong, StopMark::Right) };
            let judged = asked.verdict.as_ref().unwrap();
            !page.is_future_hidden
                && !asked.is_open
                && (of_choice, of_right) == marks
                && (judged.is_right, &judged.why[..]) == (choice == right, &[ask.choices[choice].why.clone()][..])
                && asked.answer.as_ref().map(|(text, _)| text) == Some(&ask.choices[right].text).filter(|_| choice != right)
        };
        assert!(is_judged(&page), "{:?}", page.view);
        assert!(page.said.starts_with(verdict), "{}", page.said);
        page.send(Msg::Next);
        page.send(Msg::Back);
        assert!(is_judged(&page), "what was answered stays answered");
    }
}

#[test]
fn tours_hide_only_what_is_theirs() {
    let mut page = Page::new();
    page.open("tx2-fig-4/3");
    page.tell(Event::Closed);
    assert!(!page.is_future_hidden, "nothing is hidden once the panel is closed");
    page.open("");
    assert!(page.is_future_hidden, "the question is still open");
    page.tool.scenario = examples::find("tx2-table-2").unwrap().json.to_owned();
    page.tell(Event::Moved);
    assert!(!page.is_future_hidden, "of another scenario nothing is hidden");
}

#[test]
fn tours_odd_requests_are_answered() {
    let mut page = Page::new();
    for word in ["nothing", "tx2-fig-4/0", "tx2-fig-4/99", "tx2-fig-4/x", "tx2-fig-4/3/4", "<b>"] {
        page.open(word);
        let note = page.list().note.as_deref().unwrap();
        assert!(note.contains("There is no tour") || note.contains("has no stop"), "{word}: {note}");
        page.tell(Event::Moved);
        assert_eq!(page.list().note, None, "it is said once");
    }
    let walk = |tour: &str, stop| Msg::Walk { tour: tour.to_owned(), stop };
    page.open("tx2-fig-4/3");
    for message in [Msg::Choose(9), Msg::Choose(usize::MAX)] {
        page.send(message);
        assert!(tells_nothing(page.question()));
    }
    page.tell(Event::Continued);
    page.tell(Event::OpenedWith(vec![("a".to_owned(), "b".to_owned())]));
    assert_eq!(page.stop().number, 3);
    for message in [Msg::GoTo(0), Msg::GoTo(usize::MAX), walk("", 1), walk("tx2-fig-4", 0)] {
        page.send(message);
        assert!(page.list().note.is_some());
        // Where there is no stop nothing is to be done.
        for message in [Msg::Next, Msg::Back, Msg::Return, Msg::Choose(0), Msg::Leave, Msg::CopyLink, Msg::GoTo(1)] {
            page.send(message);
            assert!(matches!(page.view, View::List(_)));
        }
        page.open("tx2-fig-4/3");
    }
    page.tool.memory = "tour=tx2-fig-4&stop=1000&answer=x%3Ay".to_owned();
    page.tell(Event::Moved);
    assert!(page.stop().label.contains("stop 12 of 12"), "{:?}", page.view);
}

#[test]
fn tours_have_insets_filled_in() {
    let (tour, stop) = (fig_4(), 5);
    let ask = tour.stops[stop - 1].ask.as_ref().unwrap();
    let mut page = Page::new();
    page.open(&format!("tx2-fig-4/{stop}"));
    let picture = page.question().inset.clone().unwrap();
    assert!(tells_nothing(page.question()) && page.question().choices.is_empty() && page.is_future_hidden, "{:?}", page.view);
    assert!(picture.boxes.iter().all(|of| of.puts.is_empty()));
    page.send(Msg::Check);
    assert!(page.question().is_open, "nothing is no answer");
    let named = |name: &str| picture.pieces.iter().position(|(label, _)| label == name).unwrap();
    let of = |label: &str| picture.boxes.iter().position(|of| of.label == label).unwrap();
    // The trap: K4 waits no more, but its stream is not empty.
    page.send(Msg::Put { piece: named("K4"), place: of("EE queue") });
    assert_eq!((page.said.as_str(), &page.question().inset.as_ref().unwrap().boxes[of("EE queue")].puts[0].1[..]), ("EE queue: K4", "K4"));
    page.send(Msg::Take { piece: named("K4"), place: of("EE queue") });
    assert_eq!(page.said, "EE queue: empty");
    page.send(Msg::Put { piece: named("K4"), place: of("EE queue") });
    page.send(Msg::Check);
    assert!(page.said.starts_with("Not quite. ") && page.said.contains("The answer: Stream S1: K1, K2;"), "{}", page.said);
    let judged = page.question().verdict.clone().unwrap();
    let why: Vec<String> = judged.why.iter().map(Paragraph::plain).collect();
    assert!(
        !judged.is_right && why.iter().any(|why| why == "K4 is no longer in the EE queue. All of its blocks have been assigned. G3"),
        "{why:?}"
    );
    assert!(why.last().unwrap().ends_with(" more differ."), "{why:?}");
    assert_eq!(page.tool.cursor.position, position::at_time(&page.steps().trace, ask.inset.unwrap()));
    assert!(!page.stop().is_away && !page.is_future_hidden && page.question().inset.is_none());
    page.send(Msg::Put { piece: 0, place: 0 });
    page.send(Msg::Check);
    assert_eq!(page.question().verdict, Some(judged), "what was answered stays answered");
    page.send(Msg::Next);
    page.send(Msg::Back);
    assert!(!page.stop().is_away && !page.question().is_open, "{:?}", page.view);

    // What the run has is right, at both stops.
    for stop in [5, 12] {
        page.send(Msg::Leave);
        page.open(&format!("tx2-fig-4/{stop}"));
        let inset = Tour::inset(&tour.stops[stop - 1], &page.steps()).unwrap();
        for put in &inset.right().0 {
            (0..put.count).for_each(|_| page.send(Msg::Put { piece: put.piece, place: put.place }));
        }
        page.send(Msg::Check);
        assert!(page.said.starts_with("Right. ") && page.question().answer.is_none(), "stop {stop}: {}", page.said);
    }
    assert!(page.tool.memory.contains(r#""answer":["12:i"#), "{}", page.tool.memory);
}
