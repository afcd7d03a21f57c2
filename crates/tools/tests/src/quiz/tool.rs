//! The tool "Predict", driven as the page drives it.

use blockstep_format::{QuizResult, read_result};
use blockstep_learn::quiz::{Inset, Question, QuestionKind, Spot, question_at};
use blockstep_protocol::Effect;
use blockstep_sim::examples;
use blockstep_tools::quiz::{Answered, Marked, Msg, Quiz, QuizForm, QuizOutcome, Stage, View};
use blockstep_tools::tool::{Event, memory};

use crate::tool::OnPage;

/// A page with the tool open: what it shows, and what it was told to do.
struct Page {
    tool: OnPage<Quiz>,
    view: View,
    is_future_hidden: bool,
    effects: Vec<Effect>,
}

impl Page {
    fn on(id: &str) -> Self {
        Self::with(examples::find(id).unwrap().json)
    }

    fn with(scenario: &str) -> Self {
        let mut tool = OnPage::new("quiz", scenario);
        let view = tool.open("");
        Self { tool, view, is_future_hidden: false, effects: Vec::new() }
    }

    fn tell(&mut self, event: Event<Msg>) {
        let told = self.tool.tell(event).unwrap();
        (self.view, self.effects) = (told.view.unwrap(), told.effects);
        for effect in &self.effects {
            match effect {
                Effect::GoToStep(position) => {
                    self.tool.go(*position);
                }
                Effect::HideFuture(is_on) => self.is_future_hidden = *is_on,
                Effect::Hold(hold) => self.tool.screen.held = hold.map(|hold| hold.limit),
                _ => {}
            }
        }
    }

    fn send(&mut self, message: Msg) {
        self.tell(Event::Message(message));
    }

    fn open(&mut self, word: &str) {
        self.tell(Event::Opened(word.to_owned()));
    }

    /// Ticks these kinds of those offered, and begins.
    fn start(&mut self, kinds: &[QuestionKind]) {
        for of in self.form().kinds {
            self.send(Msg::SetKind { kind: of.kind, is_on: kinds.contains(&of.kind) });
        }
        self.send(Msg::SetCount(5));
        self.begin("7");
    }

    fn begin(&mut self, seed: &str) {
        self.send(Msg::Start { seed: seed.to_owned(), student: "Ada".to_owned() });
    }

    fn position(&self) -> u32 {
        self.tool.cursor.position
    }

    /// Steps that the reader may go to.
    fn held(&self) -> Option<u32> {
        self.tool.screen.held
    }

    fn save(&mut self) -> (String, QuizResult) {
        self.send(Msg::Save { student: "Ada".to_owned() });
        let [Effect::SaveFile { name, kind, text }] = &self.effects[..] else { panic!("{:?}", self.effects) };
        assert_eq!(kind, "application/json");
        (name.clone(), read_result(text).unwrap())
    }

    fn state(&self, name: &str) -> String {
        let fields = memory::fields(&self.tool.memory);
        let text = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        fields.get(name).map(text).unwrap_or_default()
    }

    fn form(&self) -> QuizForm {
        let Stage::Start(form) = &self.view.stage else { panic!("{:?}", self.view) };
        form.clone()
    }

    /// Whether a kind of those offered is on.
    fn is_on(&self, kind: QuestionKind) -> bool {
        self.form().kinds.iter().find(|of| of.kind == kind).unwrap().is_on
    }

    /// The question that is open.
    fn question(&self) -> Question {
        let spots = self.state("spots");
        let given = self.state("given").split_whitespace().count();
        let (kind, position) = spots.split(' ').nth(given).unwrap().split_once('.').unwrap();
        let spot = Spot { kind: QuestionKind::from_id(kind).unwrap(), position: position.parse().unwrap() };
        let run = super::run(&blockstep_format::read_scenario(&self.tool.scenario).unwrap());
        question_at(&mut run.replay(), spot, self.state("seed").parse().unwrap()).unwrap()
    }

    fn problem(&self) -> &str {
        self.view.problem.as_deref().unwrap_or_default()
    }

    fn copied(&mut self) -> Effect {
        self.send(Msg::CopyLink);
        self.effects.pop().unwrap()
    }
}

const ALL: &[QuestionKind] = &[QuestionKind::Sm, QuestionKind::Kernel, QuestionKind::Fit];

#[test]
fn quiz_tool_asks_one_question_about_the_moment() {
    // [TX2] Table 1 after 0.8 s: K4 would fit, and waits behind K1.
    let mut page = Page::on("tx2-table-1");
    let run = super::example("tx2-table-1");
    let here = run.trace.steps().partition_point(|step| step.at.ns() <= 800_000_000) as u32;
    page.tool.go(here);
    page.send(Msg::AskHere);
    let question = page.question();
    assert!(page.is_future_hidden && page.position() == here && question.spot.position == here);
    assert_eq!((page.held(), question.spot.kind), (Some(here), QuestionKind::Kernel));
    page.send(Msg::Answer(Some(question.right)));
    page.send(Msg::Next);
    assert!(!page.is_future_hidden && matches!(page.view.stage, Stage::Over(_)), "it is one question");
    // After the last decision there is nothing to ask.
    page.tool.go(run.trace.steps().len() as u32);
    page.send(Msg::AskHere);
    assert!(page.problem().starts_with("No question was found from this moment on."), "{}", page.problem());
    assert!(!page.is_future_hidden);
}

#[test]
fn quiz_tool_goes_through_a_whole_quiz() {
    let mut page = Page::on("tx2-table-1");
    let form = page.form();
    let (offered, on): (Vec<_>, Vec<_>) = form.kinds.iter().map(|of| (of.kind, of.is_on)).unzip();
    assert_eq!(offered, [ALL, &[QuestionKind::Inset]].concat(), "only what the run decides");
    assert_eq!(on, [true, true, true, false], "an inset takes long, so it is for those who ask for it");
    assert_eq!((form.count, form.counts, form.seed.as_str()), (5, vec![5, 10, 20], "1"));
    page.start(ALL);
    let mut score = 0;
    for i in 0..5 {
        let question = page.question();
        assert!(page.is_future_hidden && page.position() == question.spot.position);
        let Stage::Asks(asks) = &page.view.stage else { panic!("{:?}", page.view) };
        assert!(asks.head.starts_with(&format!("Question {} of 5, after step ", i + 1)), "{}", asks.head);
        assert_eq!(asks.question.text, question.text);
        assert_eq!(asks.away_from, None);
        let offered: Vec<&str> = asks.question.choices.iter().map(|c| c.text.as_str()).collect();
        assert_eq!(offered, question.choices.iter().map(|c| c.text.as_str()).collect::<Vec<_>>());
        let shown = format!("{:?}", page.view);
        assert!(question.choices.iter().all(|c| !shown.contains(&c.why)), "nothing is given away");
        let asked = page.view.stage.clone();
        for choice in [None, Some(question.choices.len())] {
            page.send(Msg::Answer(choice));
            assert!(page.problem() == "Choose an answer first." && page.is_future_hidden && page.view.stage == asked);
        }
        let choice = if i % 2 == 0 { question.right } else { (question.right + 1) % question.choices.len() };
        page.send(Msg::Answer(Some(choice)));
        assert!(page.position() == question.shown_at && page.problem().is_empty());
        assert!(page.is_future_hidden && page.held().is_some_and(|limit| limit >= question.shown_at), "the veil stays");
        let next = page.state("spots").split(' ').nth(i + 1).map(|spot| spot.split_once('.').unwrap().1.parse::<u32>().unwrap());
        assert!(next.is_none_or(|next| page.held() == Some(next.max(question.shown_at))), "nothing of the next question is reached");
        score += usize::from(choice == question.right);
        let Stage::Told(told) = &page.view.stage else { panic!("{:?}", page.view) };
        match &told.outcome {
            QuizOutcome::Right => assert_eq!(choice, question.right),
            QuizOutcome::Wrong { given, why, .. } => {
                assert!(
                    choice != question.right && *given == question.choices[choice].text && why[0].rule == question.choices[choice].rule
                );
            }
            QuizOutcome::Passed => panic!("{told:?}"),
        }
        let why = told.why.as_ref().unwrap();
        assert_eq!((&told.answer, &why.why), (&question.answer().text, &question.answer().why));
        assert_eq!((why.rule, told.before), (question.answer().rule, question.spot.position));
        let is_answered = |text: &String| *text == told.answer || *text == question.choices[choice].text;
        assert!(told.others.iter().all(|(text, _)| !is_answered(text)) && told.is_last == (i == 4));
        assert_eq!(told.others.len(), question.choices.len() - if choice == question.right { 1 } else { 2 });
        let announced = page.effects.iter().find_map(|effect| if let Effect::Announce(text) = effect { Some(text) } else { None });
        assert!(announced.unwrap().contains(&question.answer().text));
        page.tell(Event::Moved);
        assert!(page.effects.is_empty() && matches!(page.view.stage, Stage::Told(_)));
        page.send(Msg::Next);
    }
    let Stage::Over(over) = &page.view.stage else { panic!("{:?}", page.view) };
    assert!(over.score == format!("{score} of 5") && over.note.is_none() && !page.is_future_hidden && page.held().is_none(), "{over:?}");
    assert_eq!((over.answers.len(), over.answers.iter().filter(|a| a.mark == Marked::Right).count()), (5, score));
    let says_wrong = |a: &Answered| a.text.contains("You answered ");
    assert!(!over.rules.is_empty() && over.answers.iter().all(|a| (a.mark == Marked::Wrong) == says_wrong(a)), "{over:?}");
    let (name, result) = page.save();
    assert!(name.starts_with("quiz-Ada-") && name.ends_with(".json"), "{name}");
    assert_eq!((result.student.as_str(), result.seed, result.score, result.of, result.questions.len()), ("Ada", 7, score, 5, 5));
    assert!(
        result.is_unchanged() && result.questions.iter().all(|given| !given.given_up && given.is_right() == (given.given == given.right))
    );
    assert_eq!(page.copied(), Effect::CopyLink("seed=7&n=5&kinds=all".to_owned()));
}

#[test]
fn quiz_tool_starts_from_a_link_the_same_quiz() {
    let mut page = Page::on("tx2-table-3");
    page.start(ALL);
    let mut other = Page::on("tx2-table-3");
    other.open("seed=7&n=5&kinds=sm,kernel,fit");
    assert_eq!((other.state("spots"), &other.view), (page.state("spots"), &page.view));
    assert!(other.is_future_hidden);
    for (word, says) in [
        ("seed=x&n=5&kinds=all", "Seed: \"x\""),
        ("seed=1&n=0&kinds=all", "Questions: \"0\""),
        ("seed=1&n=51&kinds=all", "from 1 to 50"),
        ("seed=1&n=5&kinds=<b>", "Tick at least one kind"),
        ("%", "Seed: \"\""),
    ] {
        other.open(word);
        assert!(other.problem().starts_with("This link's quiz cannot be made: "), "{word}: {}", other.problem());
        assert!(
            other.problem().contains(says) && !other.is_future_hidden && matches!(other.view.stage, Stage::Start(_)),
            "{word}: {:?}",
            other.view
        );
    }
}

/// Wrong settings are said, and stand where they were typed.
#[test]
fn quiz_tool_says_what_is_wrong_with_the_settings() {
    let mut page = Page::on("tx2-table-1");
    page.begin(" many");
    assert_eq!(page.problem(), format!("Seed: \"many\" is not a whole number from 0 to {}.", u64::MAX));
    assert_eq!(page.form().seed, " many");
    page.start(&[]);
    assert_eq!(page.problem(), "Tick at least one kind of question.");
    assert!(!page.is_future_hidden && page.form().kinds.iter().all(|of| !of.is_on));
    assert_eq!(
        (page.state("kinds").as_str(), page.state("n").as_str(), page.state("seed").as_str()),
        ("resident,thread,hang", "5", "7"),
        "what is not offered stays on"
    );
    page.tell(Event::Moved);
    assert_eq!(page.problem(), "", "it is said once");
    // A link may want another number.
    page.tool.memory = "n=7&seed=2".to_owned();
    page.tell(Event::Moved);
    assert_eq!((page.form().counts, page.form().count), (vec![5, 10, 20, 7], 7));
}

/// Kinds that a scenario has nothing of are not offered; they are not switched off by that.
#[test]
fn quiz_tool_keeps_the_kinds_that_were_not_offered() {
    let edf = examples::find("edf-fig-2a").unwrap().json.to_owned();
    let mut page = Page::on("tx2-table-1");
    page.start(&[QuestionKind::Kernel, QuestionKind::Fit]);
    assert_eq!(page.copied(), Effect::CopyLink("seed=7&n=5&kinds=kernel%2Cfit".to_owned()));
    page.send(Msg::ChangeSettings);
    assert!(matches!(page.view.stage, Stage::Asks(_)), "not while a question is open");
    page.send(Msg::End);
    page.send(Msg::ChangeSettings);
    page.send(Msg::SetKind { kind: QuestionKind::Fit, is_on: false });
    page.tool.scenario.clone_from(&edf);
    page.tell(Event::Moved);
    assert!(!page.is_on(QuestionKind::Fit) && page.is_on(QuestionKind::Kernel), "{:?}", page.view);
    assert!(page.is_on(QuestionKind::Resident), "{:?}", page.view);
    page.start(&[QuestionKind::Kernel, QuestionKind::Fit]);
    page.send(Msg::End);
    page.send(Msg::ChangeSettings);
    assert!(!page.is_on(QuestionKind::Resident) && page.is_on(QuestionKind::Fit), "{:?}", page.view);
    // Of a link, too, only what is offered is said.
    let mut page = Page::on("tx2-table-1");
    page.open("seed=7&n=5&kinds=sm,kernel,fit");
    page.tool.scenario = edf;
    page.send(Msg::ChangeSettings);
    assert!(page.is_on(QuestionKind::Resident), "{:?}", page.view);
}

/// Closing the panel, going elsewhere and answering leave the veil; only the end of the quiz lifts it.
#[test]
fn quiz_tool_hides_the_future_until_it_is_over() {
    let mut page = Page::on("tx2-table-1");
    page.start(ALL);
    let at = page.position();
    assert_eq!(page.held(), Some(at));
    page.tell(Event::Closed);
    assert!(page.is_future_hidden && page.held() == Some(at));
    page.tool.go(3);
    page.open("");
    assert!(page.is_future_hidden && page.position() == at, "it goes on where it was");
    page.tool.go(3);
    page.tell(Event::Moved);
    assert!(matches!(&page.view.stage, Stage::Asks(asks) if asks.away_from == Some(at)), "{:?}", page.view);
    // A page that has forgotten is told again.
    (page.tool.screen.held, page.is_future_hidden) = (None, false);
    page.tell(Event::Moved);
    assert!(page.is_future_hidden && page.held() == Some(at));
    page.send(Msg::Pass);
    assert!(
        page.is_future_hidden && matches!(&page.view.stage, Stage::Told(told) if told.outcome == QuizOutcome::Passed),
        "{:?}",
        page.view
    );
    page.send(Msg::Next);
    let right = page.question().right;
    page.send(Msg::Answer(Some(right)));
    page.send(Msg::End);
    assert!(!page.is_future_hidden && page.held().is_none());
    let Stage::Over(over) = &page.view.stage else { panic!("{:?}", page.view) };
    assert!(over.score == "1 of 5" && over.note.as_deref() == Some("4 given up."), "{over:?}");
    let marks: Vec<Marked> = over.answers.iter().map(|answer| answer.mark).collect();
    assert_eq!(marks, [Marked::GivenUp, Marked::Right, Marked::GivenUp, Marked::GivenUp, Marked::GivenUp]);
    let (_, result) = page.save();
    assert_eq!((result.score, result.of), (1, 5));
    assert_eq!(result.questions.iter().map(|given| given.given_up).collect::<Vec<_>>(), [true, false, true, true, true]);
    assert!(result.questions.iter().all(|given| given.given_up == given.given.is_empty()));
}

/// The wall clock comes from the page; the name is of this quiz alone, and has a limit.
#[test]
fn quiz_tool_knows_when_and_who() {
    let mut page = Page::on("tx2-table-1");
    page.tool.screen.now_ms = 1_795_413_678_123;
    let long = "é".repeat(201);
    page.send(Msg::Start { seed: "7".to_owned(), student: long.clone() });
    assert_eq!(page.problem(), "Name: this one has 201 characters; the maximum is 200.");
    assert_eq!(page.form().student, long, "it stands where it was typed");
    page.start(ALL);
    for _ in 0..5 {
        page.tool.screen.now_ms += 60_000;
        page.send(Msg::Pass);
        page.tool.screen.now_ms += 1_000;
        page.send(Msg::Next);
    }
    let (_, result) = page.save();
    assert_eq!((result.began.as_str(), result.seconds()), ("2026-11-23T06:01:18Z", Some(304)), "until the last answer: {result:?}");
    page.send(Msg::ChangeSettings);
    assert_eq!(page.form().student, "");
}

/// What the browser keeps is enough to go on after a reload; a kernel that is selected would tell too much.
#[test]
fn quiz_tool_goes_on_after_a_reload() {
    let mut page = Page::on("tx2-table-1");
    page.start(ALL);
    page.send(Msg::Pass);
    page.send(Msg::Next);
    let (asked, at) = (page.view.clone(), page.position());
    let mut later = Page::on("tx2-table-1");
    later.tool.memory.clone_from(&page.tool.memory);
    later.tool.cursor.row = Some(blockstep_sim::units::RowId(0));
    later.open("");
    assert_eq!((&later.view, later.position(), later.is_future_hidden), (&asked, at, true));
    assert_eq!(later.effects[0], Effect::SelectRow(String::new()));
}

/// With another scenario on screen the quiz is over, and what was not answered is given up: the way back shows no answers.
#[test]
fn quiz_tool_grades_nothing_of_another_scenario() {
    let mut page = Page::on("tx2-table-1");
    page.start(ALL);
    let before = page.tool.scenario.clone();
    let other = examples::find("tx2-table-2").unwrap().json;
    other.clone_into(&mut page.tool.scenario);
    page.tell(Event::Moved);
    assert!(
        !page.is_future_hidden
            && matches!(&page.view.stage, Stage::Changed(said) if said.contains("is not the one that this quiz began with")),
        "{:?}",
        page.view
    );
    page.send(Msg::Answer(Some(0)));
    assert_eq!(page.state("given"), "- - - - -", "not graded");
    page.tool.scenario = before;
    page.tell(Event::Moved);
    assert!(matches!(&page.view.stage, Stage::Over(over) if over.score == "0 of 5"), "{:?}", page.view);
    other.clone_into(&mut page.tool.scenario);
    page.send(Msg::Again);
    assert!(
        page.is_future_hidden && matches!(&page.view.stage, Stage::Asks(asks) if asks.head.starts_with("Question 1 of")),
        "{:?}",
        page.view
    );
}

/// Once the quiz is over: until then why something waits may tell what comes.
#[test]
fn quiz_tool_hands_over_to_ask_why() {
    let mut page = Page::on("tx2-table-1");
    page.open("seed=1&n=20&kinds=kernel");
    let mut asked = None;
    for number in 0.. {
        if !matches!(page.view.stage, Stage::Asks(_)) {
            break;
        }
        let question = page.question();
        let wrong = question.choices.iter().position(|c| c.waits.is_some() && c.answer != question.answer().answer);
        page.send(Msg::Answer(Some(wrong.unwrap_or(question.right))));
        if let (Some(wrong), None) = (wrong, &asked) {
            page.send(Msg::AskWhy(number));
            assert!(page.effects.is_empty(), "not yet");
            asked = Some((number, wrong, question));
        }
        page.send(Msg::Next);
    }
    let (number, wrong, question) = asked.expect("a kernel waited");
    assert!(matches!(&page.view.stage, Stage::Over(over) if over.answers[number].can_ask_why), "{:?}", page.view);
    page.send(Msg::AskWhy(number));
    let op = question.choices[wrong].waits.unwrap();
    let [Effect::GoToStep(_), Effect::SelectRow(selected), Effect::OpenTool { name, word }] = &page.effects[..] else {
        panic!("{:?}", page.effects)
    };
    assert_eq!((name.as_str(), word.as_str()), ("ask", format!("op:{}", op.0).as_str()));
    assert!(question.choices[wrong].text.starts_with(selected));
    assert_eq!(page.position(), question.spot.position);
}

#[test]
fn quiz_tool_survives_any_state() {
    let mut page = Page::on("tx2-table-1");
    page.open("seed=1&n=20&kinds=all");
    let print = page.state("run");
    let states = [
        "phase=asks",
        "phase=told",
        "phase=over&given=0+9+-",
        "phase=rests&spots=sm.1",
        "phase=ready&spots=sm.1",
        "phase=ready&spots=sm.1&exercise=%7B%7D",
        "phase=told&spots=sm.1+sm.0&given=0&began=18446744073709551615&ended=1",
        "phase=asks&spots=sm.4294967295+fit.x+kernel.0&seed=9",
        "phase=told&given=99&spots=sm.9&seed=1&n=5&kinds=sm",
        "kinds=none&n=x&seed=-1",
    ];
    let open = |word: &str| Event::Opened(word.to_owned());
    let messages = [
        Msg::SetKind { kind: QuestionKind::Resident, is_on: true },
        Msg::SetCount(usize::MAX),
        Msg::SetSeed("<b>".to_owned()),
        Msg::SetStudent("<b>".to_owned()),
        Msg::Start { seed: String::new(), student: String::new() },
        Msg::Answer(Some(usize::MAX)),
        Msg::Pass,
        Msg::Next,
        Msg::AskWhy(0),
        Msg::End,
        Msg::Again,
        Msg::Another,
        Msg::ChangeSettings,
        Msg::Save { student: String::new() },
        Msg::CopyLink,
    ];
    let events: Vec<Event<Msg>> =
        [open(""), open("%"), Event::Moved, Event::Closed].into_iter().chain(messages.map(Event::Message)).collect();
    for state in states {
        for event in &events {
            for state in [state.to_owned(), format!("{state}&run={print}")] {
                page.tool.memory = state;
                page.tell(event.clone());
                let once = page.tool.memory.clone();
                // What it remembers is read back as it was written.
                page.tool.memory = memory::write(&memory::read::<blockstep_tools::quiz::State>(&once)).unwrap();
                assert_eq!(page.tool.memory, once);
            }
        }
    }
}

#[test]
fn quiz_tool_has_an_inset_filled_in() {
    let mut page = Page::on("tx2-table-1");
    page.start(&[QuestionKind::Inset]);
    let Stage::Asks(asks) = page.view.stage.clone() else { panic!("{:?}", page.view) };
    let picture = asks.inset.unwrap();
    assert!(asks.question.choices.is_empty() && page.is_future_hidden, "{:?}", asks.question);
    assert!(picture.boxes.iter().all(|of| of.puts.is_empty()));
    // Nothing is no answer.
    page.send(Msg::Answer(None));
    assert_eq!(page.problem(), "Put an operation into a place first.");
    let place = picture.boxes.iter().position(|of| of.label == "Copy engine").unwrap();
    page.send(Msg::Put { piece: 0, place });
    let named = &picture.pieces[0].0;
    assert_eq!(page.effects, [Effect::Announce(format!("Copy engine: {named}"))]);
    let put = |page: &Page| {
        let Stage::Asks(asks) = &page.view.stage else { panic!("{:?}", page.view) };
        asks.inset.clone().unwrap().boxes[place].puts.clone()
    };
    assert_eq!(put(&page), [(0, named.clone())]);
    page.send(Msg::Take { piece: 0, place });
    assert_eq!((put(&page), page.effects.clone()), (vec![], vec![Effect::Announce("Copy engine: empty".to_owned())]));
    page.send(Msg::Put { piece: 0, place });
    page.send(Msg::Answer(None));
    let Stage::Told(told) = page.view.stage.clone() else { panic!("{:?}", page.view) };
    let QuizOutcome::Wrong { given, why, .. } = told.outcome else { panic!("{told:?}") };
    assert_eq!(given, format!("Copy engine: {named}"));
    assert!(why.len() > 1 && why.iter().all(|why| !why.why.is_empty()), "{why:?}");
    assert_eq!(Some(page.position()), told.after, "the page goes to where the answer is seen");
    // The right answer, of the next one.
    page.send(Msg::Next);
    let Stage::Asks(asks) = &page.view.stage else { panic!("{:?}", page.view) };
    assert!(asks.inset.as_ref().unwrap().boxes.iter().all(|of| of.puts.is_empty()), "each begins empty");
    let inset = Inset::next(&mut super::example("tx2-table-1").replay(), page.position()).unwrap();
    for put in inset.right().0.clone() {
        (0..put.count).for_each(|_| page.send(Msg::Put { piece: put.piece, place: put.place }));
    }
    page.send(Msg::Answer(None));
    let Stage::Told(told) = &page.view.stage else { panic!("{:?}", page.view) };
    assert_eq!(told.outcome, QuizOutcome::Right);
    page.send(Msg::End);
    let Stage::Over(over) = &page.view.stage else { panic!("{:?}", page.view) };
    assert_eq!(over.score, format!("1 of {}", over.answers.len()));
    assert!(!over.rules.is_empty() && over.answers.iter().any(|answer| answer.mark == Marked::GivenUp));
    page.send(Msg::Save { student: "Ada".to_owned() });
    let saved = page
        .effects
        .iter()
        .find_map(|effect| if let Effect::SaveFile { text, .. } = effect { Some(read_result(text).unwrap()) } else { None });
    let saved: QuizResult = saved.unwrap();
    assert_eq!((saved.score, saved.questions[0].kind.as_str()), (1, "inset"));
    assert!(saved.questions[1].is_right() && !saved.questions[0].is_right() && !saved.questions[0].given_up);
}

/// A link that says `all` asks what it asked before there were insets.
#[test]
fn quiz_tool_old_links_ask_no_insets() {
    let mut page = Page::on("tx2-table-1");
    page.open("seed=7&n=10&kinds=all");
    for _ in 0..10 {
        let Stage::Asks(asks) = &page.view.stage else { panic!("{:?}", page.view) };
        assert!(asks.inset.is_none());
        page.send(Msg::Pass);
        page.send(Msg::Next);
    }
    page.send(Msg::CopyLink);
    assert!(format!("{:?}", page.effects).contains("kinds=all"), "{:?}", page.effects);
    page.open("seed=7&n=5&kinds=inset,sm");
    page.send(Msg::End);
    page.send(Msg::CopyLink);
    assert!(format!("{:?}", page.effects).contains("kinds=sm%2Cinset"), "{:?}", page.effects);
}
