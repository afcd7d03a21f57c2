//! What the panel of "Predict" shows.
//!
//! Invariant: right and wrong are told in words; an open question shows nothing of its answer.

use serde::{Deserialize, Serialize};

use super::asked::Asked;
use super::state::{COUNTS, Given, Phase, State, applies, waiting};
use crate::tool::ReaderPlace;
use blockstep_format as format;
use blockstep_learn::quiz::{InsetView, QuestionKind, QuizAnswer, QuizChoice};
use blockstep_sim::language::one_or;
use blockstep_sim::snapshot::Replay;
use blockstep_sim::trace::Rule;
use blockstep_sim::units::RowId;
use blockstep_view::position;
use blockstep_view::quantity::{format_count, format_time};

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    pub problem: Option<String>,
    /// The student's own numbers, if they differ from student to student; else empty.
    pub numbers: String,
    pub stage: Stage,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stage {
    Start(QuizForm),
    Ready(Ready),
    Asks(Asks),
    Told(Box<GradedAnswer>),
    /// In another scenario than the quiz is about, in words.
    Changed(String),
    Over(Over),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuizForm {
    pub kinds: Vec<KindBox>,
    pub counts: Vec<usize>,
    pub count: usize,
    /// The seed, as it was typed.
    pub seed: String,
    /// The name, as it was typed.
    pub student: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ready {
    /// What it is called; may be empty.
    pub title: String,
    /// The teacher's introduction; may be empty.
    pub text: String,
    /// How many questions there are, and how many right answers it takes to pass.
    pub about: String,
    /// The name, as it was typed.
    pub student: String,
    /// Whether it cannot begin without one.
    pub needs_name: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KindBox {
    pub kind: QuestionKind,
    pub title: String,
    pub is_on: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asks {
    /// Which question it is, of how many, and where.
    pub head: String,
    /// The step asked about, if the reader stands at another one.
    pub away_from: Option<u32>,
    /// The teacher's words before it; may be empty.
    pub text: String,
    pub question: QuestionView,
    /// The picture to fill in, of a question without choices.
    pub inset: Option<InsetView>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct QuestionView {
    pub text: String,
    /// What it is good to know for it; may be empty.
    pub hint: String,
    pub choices: Vec<Offered>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Offered {
    pub text: String,
    /// The kernel that it names, whose color stands beside it.
    pub row: Option<RowId>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GradedAnswer {
    /// Which question it was, of how many, and where.
    pub head: String,
    pub question: String,
    pub outcome: QuizOutcome,
    /// How the right answer is introduced, where another one was given.
    pub lead: String,
    pub answer: String,
    /// Why it is right; of an inset nothing but what was misplaced is explained.
    pub why: Option<Explanation>,
    /// The other answers, and why not.
    pub others: Vec<(String, Explanation)>,
    pub is_last: bool,
    /// Steps applied before the decision.
    pub before: u32,
    /// Steps applied after it, if it has a step.
    pub after: Option<u32>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum QuizOutcome {
    Right,
    Wrong {
        given: String,
        why: Vec<Explanation>,
        /// That more is wrong than is told of; may be empty.
        further: String,
    },
    /// None was given.
    Passed,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    pub rule: Rule,
    pub why: String,
    pub belief: Option<Belief>,
}

/// What one may believe who gives a wrong answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Belief {
    pub lead: String,
    pub sentence: String,
    pub notes: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Over {
    pub about: String,
    /// The name, as it was typed.
    pub student: String,
    /// Whether that cannot be changed any more, as the numbers came from it.
    pub is_named: bool,
    pub seed: u64,
    /// When it began and ended, in UTC; empty if that is not known.
    pub times: (String, String),
    pub score: String,
    /// Whether that is enough, in a sentence, if the teacher said how many are.
    pub passed: Option<(bool, String)>,
    /// Why there were not as many questions as wanted, or how many were given up.
    pub note: Option<String>,
    pub rules: Vec<Rule>,
    pub answers: Vec<Answered>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Marked {
    Right,
    Wrong,
    GivenUp,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answered {
    pub mark: Marked,
    pub text: String,
    /// Where the decision is to be seen: steps applied.
    pub position: u32,
    pub label: String,
    /// Whether one may ask why a kernel waits.
    pub can_ask_why: bool,
}

impl View {
    pub(super) fn new(state: &State, place: &ReaderPlace) -> Self {
        let stage = Viewer { state, place, replay: place.simulation.run.replay() }.stage();
        let dealt = state.dealt.as_ref().filter(|_| matches!(stage, Stage::Asks(_) | Stage::Told(_) | Stage::Over(_)));
        let numbers: Vec<&str> = dealt.iter().flat_map(|dealt| &dealt.numbers).map(|number| number.text.as_str()).collect();
        let numbers = if numbers.is_empty() { String::new() } else { format!("Your numbers. {}.", numbers.join("; ")) };
        Self { problem: state.problem.clone(), numbers, stage }
    }
}

struct Viewer<'a> {
    state: &'a State,
    place: &'a ReaderPlace,
    replay: Replay,
}

impl Viewer<'_> {
    fn stage(mut self) -> Stage {
        if self.state.phase == Phase::Start {
            return Stage::Start(self.form());
        }
        let stage = match self.state.phase {
            _ if !self.state.is_about(&self.place.scenario) => None,
            Phase::Ready | Phase::Deals => self.ready().map(Stage::Ready),
            Phase::Asks => self.asks().map(Stage::Asks),
            Phase::Told => self.told().map(|told| Stage::Told(Box::new(told))),
            Phase::Start | Phase::Over => Some(Stage::Over(self.over())),
        };
        stage.unwrap_or_else(|| {
            let answered = self.state.given.0.iter().filter(|given| **given != Given::Pass).count();
            Stage::Changed(format!(
                "The scenario on screen is not the one that this quiz began with. {answered} of {} questions were answered; the others \
         are given up. Open that scenario again to see the result.",
                self.state.spots.len()
            ))
        })
    }

    fn form(&self) -> QuizForm {
        let kind = |kind: QuestionKind| KindBox {
            kind,
            title: kind.title().to_lowercase().replace(" sm ", " SM "),
            is_on: self.state.kinds.is_on(kind),
        };
        // A link may want another number.
        let other = self.state.n.filter(|n| !COUNTS.contains(n));
        QuizForm {
            kinds: QuestionKind::ALL.into_iter().filter(|&kind| applies(kind, self.place)).map(kind).collect(),
            counts: COUNTS.into_iter().chain(other).collect(),
            count: self.state.n.unwrap_or(COUNTS[0]),
            seed: if self.state.seed.is_empty() { "1".to_owned() } else { self.state.seed.clone() },
            student: self.state.student.clone(),
        }
    }

    fn ready(&self) -> Option<Ready> {
        let exercise = self.state.exercise()?;
        let needs_name = !exercise.vary.is_empty();
        let mut about = introduction(exercise.questions.len(), exercise.pass);
        if needs_name {
            about.push_str(" Some numbers of the table will be your own. They come from the name or number that you type: the same text gives the same numbers.");
        }
        Some(Ready { about, needs_name, title: exercise.title, text: exercise.text, student: self.state.student.clone() })
    }

    fn head(&self, question: &Asked) -> String {
        let at = position::time_at(&self.place.simulation.run.trace, question.position());
        format!(
            "Question {} of {}, after step {} at {}",
            self.state.number() + 1,
            self.state.spots.len(),
            format_count(question.position().into()),
            format_time(at.ns())
        )
    }

    fn asks(&mut self) -> Option<Asks> {
        let question = self.state.question(&mut self.replay, self.state.number())?;
        let offered = |choice: &QuizChoice| Offered {
            text: choice.text.clone(),
            row: match choice.answer {
                QuizAnswer::Kernel(op) => Some(self.place.simulation.run.trace.op(op).row),
                _ => None,
            },
        };
        let asked = self.state.exercise().and_then(|exercise| exercise.questions.into_iter().nth(self.state.number()));
        let is_there = self.place.position == question.position() || self.state.is_on_the_way;
        let choices = match &question {
            Asked::Choices(question) => question.choices.iter().map(offered).collect(),
            Asked::Own(asked) => asked.choices.iter().map(|text| Offered { text: text.clone(), row: None }).collect(),
            Asked::Inset(_) => Vec::new(),
        };
        Some(Asks {
            head: self.head(&question),
            away_from: (!is_there).then_some(question.position()),
            // Of a question of the teacher's own it is the question.
            text: asked.filter(|asked| !asked.is_own()).map(|asked| asked.text).unwrap_or_default(),
            inset: match &question {
                Asked::Inset(inset) => Some(inset.view(&self.place.simulation.run.trace, &self.state.filled)),
                Asked::Choices(_) | Asked::Own(_) => None,
            },
            question: QuestionView { text: question.text(), hint: question.hint(), choices },
        })
    }

    fn told(&mut self) -> Option<GradedAnswer> {
        let number = self.state.number();
        let given = self.state.given.0.get(number).cloned()?;
        let asked = self.state.question(&mut self.replay, number)?;
        let (misplaced, further) = asked.misplaced(&mut self.replay, &given);
        let choices = if let Asked::Choices(question) = &asked { &question.choices[..] } else { &[] };
        let outcome = match &given {
            Given::Pass => QuizOutcome::Passed,
            _ if asked.is_right(&given) => QuizOutcome::Right,
            Given::Choice(choice) => QuizOutcome::Wrong {
                given: asked.words(&given),
                why: choices.get(*choice).map(explanation).into_iter().collect(),
                further: String::new(),
            },
            Given::Filled(_) => QuizOutcome::Wrong {
                given: asked.words(&given),
                why: misplaced.into_iter().map(|of| Explanation { rule: of.rule, why: of.text, belief: None }).collect(),
                further: if further == 0 {
                    String::new()
                } else {
                    format!("{} of it {} elsewhere, too.", format_count(further as u64), one_or(further as u64, "is", "are"))
                },
            },
        };
        let is_right =
            |choice: &QuizChoice| if let Asked::Choices(question) = &asked { choice.answer == question.answer().answer } else { false };
        let others = choices.iter().enumerate().filter(|(i, choice)| !is_right(choice) && given != Given::Choice(*i));
        Some(GradedAnswer {
            head: self.head(&asked),
            question: asked.text(),
            outcome,
            lead: asked.lead().to_owned(),
            answer: asked.right(),
            why: choices.iter().find(|choice| is_right(choice)).map(explanation),
            others: others.map(|(_, choice)| (choice.text.clone(), explanation(choice))).collect(),
            is_last: self.state.given.len() == self.state.spots.len(),
            before: asked.position(),
            after: (asked.shown_at() != asked.position()).then_some(asked.shown_at()),
        })
    }

    fn over(&mut self) -> Over {
        let (state, given) = (self.state, &self.state.given.0);
        let questions: Vec<(Asked, &Given)> =
            given.iter().enumerate().filter_map(|(i, given)| Some((state.question(&mut self.replay, i)?, given))).collect();
        let is_right = |(question, given): &(Asked, &Given)| question.is_right(given);
        let wrong = questions.iter().filter(|asked| !is_right(asked));
        let mut rules: Vec<Rule> = wrong.flat_map(|(question, given)| question.rules(&mut self.replay, given)).collect();
        rules.sort();
        rules.dedup();
        let score = questions.iter().filter(|q| is_right(q)).count();
        let given_up = given.iter().filter(|given| **given == Given::Pass).count();
        let fewer = state.n.filter(|&n| n > given.len()).map(|wanted| {
            format!("You asked for {}, but the run has no more different decisions of these kinds.", format_count(wanted as u64))
        });
        let given_up = (given_up > 0).then(|| format!("{given_up} given up."));
        let note: Vec<String> = given_up.into_iter().chain(fewer).collect();
        let answered = |entry: &(Asked, &Given)| {
            let ((question, given), right, asked) = (entry, entry.0.right(), entry.0.text());
            let at = position::time_at(&self.place.simulation.run.trace, question.position());
            let (mark, text) = match given {
                _ if is_right(entry) => (Marked::Right, format!("{asked} {right}.")),
                Given::Pass => (Marked::GivenUp, format!("{asked} {}: {right}.", question.lead())),
                _ => (Marked::Wrong, format!("{asked} You answered {}. {}: {right}.", question.words(given), question.lead())),
            };
            Answered {
                mark,
                text,
                position: question.shown_at(),
                label: format!("step {}, {}", format_count(question.shown_at().into()), format_time(at.ns())),
                can_ask_why: waiting(question, given).is_some(),
            }
        };
        let exercise = state.exercise();
        let passed = exercise.as_ref().filter(|exercise| exercise.pass > 0).map(|exercise| {
            let is_passed = score >= exercise.pass;
            (
                is_passed,
                if is_passed {
                    format!("Passed: {} right answers are needed.", exercise.pass)
                } else {
                    format!("Not passed: {} right answers are needed.", exercise.pass)
                },
            )
        });
        let title = exercise.map(|exercise| exercise.title).filter(|title| !title.is_empty());
        Over {
            about: title.unwrap_or_else(|| self.place.simulation.run.trace.scenario().name().to_owned()),
            student: state.student.clone(),
            is_named: state.dealt.is_some(),
            seed: state.settings().seed,
            times: (format::utc(state.began.unwrap_or(0)), format::utc(state.ended.unwrap_or(0))),
            score: format!("{score} of {}", given.len()),
            passed,
            note: (!note.is_empty()).then(|| note.join(" ")),
            rules,
            answers: questions.iter().map(answered).collect(),
        }
    }
}

/// Why a choice is right or wrong, by which rule, and what one would have to believe.
fn explanation(choice: &QuizChoice) -> Explanation {
    let beliefs =
        [("Your answer would be right if this were the rule:", choice.misconception()), ("The idea behind it may be:", choice.perhaps)];
    let belief = beliefs.into_iter().find_map(|(lead, belief)| Some((lead, belief?))).map(|(lead, sentence)| {
        let mut notes: Vec<String> = choice.variant.map(|variant| variant.misconception().to_owned()).into_iter().collect();
        // R1 does not say which SM takes a block; what was said of it does.
        if choice.rule != Rule::R1 {
            notes.push(format!("The rule is: {}", choice.rule.sentence()));
        }
        Belief { lead: lead.to_owned(), sentence: sentence.to_owned(), notes }
    });
    Explanation { rule: choice.rule, why: choice.why.clone(), belief }
}

/// Without a number of right answers to pass with, it is 0.
pub(super) fn introduction(questions: usize, pass: usize) -> String {
    let count = if questions == 1 { "1 question.".to_owned() } else { format!("{questions} questions.") };
    let pass = if pass == 0 { String::new() } else { format!(" You pass with {pass} right answers.") };
    format!("{count}{pass} Everything after a question stays hidden until you answer it or give it up.")
}
