//! The page of a policy of one's own: text, requests, search, and finding a bug.

use blockstep_policy::examples::{EXAMPLES, find};
use blockstep_protocol::Effect;
use blockstep_sim::engine::{self, Limits};
use blockstep_sim::scenario::Scenario;
use blockstep_sim::trace::Rule;
use blockstep_tools::own::{MAX_OWN, Msg, OwnPolicy, TextLine, Verdict, View, first_text, text_in_run};
use blockstep_tools::tool::Event;

use crate::tool::OnPage;

fn page() -> OnPage<OwnPolicy> {
    OnPage::on("policy", "tx2-table-1")
}

trait Does {
    fn does(&mut self, message: Msg) -> View;
    fn searched(&mut self) -> View;
}

impl Does for OnPage<OwnPolicy> {
    fn does(&mut self, message: Msg) -> View {
        self.tell(Event::Message(message)).unwrap().view.unwrap()
    }

    /// To the end of the search.
    fn searched(&mut self) -> View {
        let mut told = self.tell(Event::Message(Msg::Search)).unwrap();
        while told.effects.contains(&Effect::Continue) {
            told = self.tell(Event::Continued).unwrap();
        }
        told.view.unwrap()
    }
}

fn lit(view: &View) -> Vec<usize> {
    let places = view.text.lines.iter().enumerate().filter(|(_, line)| **line == TextLine::Decided);
    places.map(|(i, _)| i + 1).collect()
}

fn lane(view: &View, name: &str) -> String {
    let lane = view.lanes.iter().find(|lane| lane.name == name).unwrap();
    let sign = |came: Option<bool>| came.map_or("", |came| if came { "+" } else { "-" });
    let chips: Vec<String> = lane.chips.iter().map(|chip| format!("{}{}", sign(chip.came), chip.name)).collect();
    lane.value.clone().unwrap_or_else(|| chips.join(" "))
}

#[test]
fn own_steps_through_requests() {
    let mut page = page();
    let view = page.does(Msg::Ask("+A +B -A".to_owned()));
    assert_eq!((view.chosen.as_str(), view.source.as_str(), view.step), ("gcaps", "ECRTS 2024, Algorithm 1", 3));
    assert_eq!((lit(&view), view.said.as_str()), (vec![25], "A ends: line 25 sets running to pending, which is empty."));
    assert_eq!(view.broken, ["The GPU idles while B waits after 3 requests."]);
    assert_eq!(["ready", "running", "pending", "admitted"].map(|name| lane(&view, name)), ["B -A", "-A -B", "", "-A -B"]);
    let words: Vec<(&str, bool)> = view.words.iter().map(|word| (word.text.as_str(), word.is_fault)).collect();
    assert_eq!(words, [("+A", false), ("+B", false), ("-A", true)]);
    let view = page.does(Msg::GoTo(2));
    assert_eq!((lit(&view), view.broken.len()), (vec![11], 0));
    assert_eq!(["ready", "running"].map(|name| lane(&view, name)), ["A +B", "A +B"]);
    assert_eq!((page.does(Msg::GoTo(99)).step, page.does(Msg::StepForward).step, page.does(Msg::StepBack).step), (3, 3, 2));
    assert_eq!((page.does(Msg::GoTo(0)).said, page.does(Msg::StepBack).step, page.does(Msg::StepForward).step), (String::new(), 0, 1));
}

/// Of a policy that decides about kernels: whose may be launched is a lane and a line of its own, and why no search is made is said.
#[test]
fn own_shows_whose_kernels_may_be_launched() {
    let mut page = page();
    page.does(Msg::Choose("hpf-launch".to_owned()));
    let view = page.does(Msg::Ask("+A +B1".to_owned()));
    assert_eq!((lit(&view), view.said.as_str()), (vec![2, 3], "B begins: line 2 admits A and B, and line 3 launches B."));
    assert_eq!(["admitted", "launching"].map(|name| lane(&view, name)), ["A +B", "+B -A"]);
    let why = view.search.unwrap().refused.unwrap();
    assert!(why.contains("decides about single kernels"), "{why}");
    let view = page.does(Msg::Choose("gcaps".to_owned()));
    assert!(view.lanes.iter().all(|lane| lane.name != "launching"));
    // Sizes are none of requests'.
    page.does(Msg::Choose("orion".to_owned()));
    let view = page.does(Msg::Ask("+A".to_owned()));
    assert!(view.said.ends_with("line 24 launches A. Requests have no kernels, so sms and duration are 0 here."), "{}", view.said);
}

#[test]
fn own_offers_requests_that_may_come() {
    let mut page = page();
    page.does(Msg::SetRank(1, 2));
    let view = page.does(Msg::Append("+A".to_owned()));
    let offered: Vec<_> = view.tasks.iter().map(|task| (task.begin.as_deref(), task.end.as_deref())).collect();
    assert_eq!(offered, [(None, Some("-A")), (Some("+B2"), None), (Some("+C"), None), (Some("+D"), None)]);
    page.does(Msg::Append("+B2".to_owned()));
    page.does(Msg::Append("-A".to_owned()));
    // From an earlier step another sequence begins.
    page.does(Msg::GoTo(1));
    let view = page.does(Msg::Append("-A".to_owned()));
    assert_eq!((view.requests.as_str(), view.step), ("+A -A", 2));
    let view = page.does(Msg::SetRank(0, 3));
    assert_eq!(view.requests, "+A3 -A");
    let view = page.does(Msg::Ask("+A3 -A -A".to_owned()));
    assert_eq!(view.problem.as_deref(), Some("Request 3, -A: A has not begun."));
    // A tick comes only while a task is ready.
    page.does(Msg::Choose("round-robin".to_owned()));
    assert_eq!(["", "+A", "+A -A"].map(|requests| page.does(Msg::Ask(requests.to_owned())).tick), [false, true, false].map(Some));
}

#[test]
fn own_says_what_is_wrong_with_a_text_and_loses_none() {
    let mut page = page();
    let gcaps = find("gcaps").unwrap().text;
    page.does(Msg::Ask("+A".to_owned()));
    let view = page.does(Msg::Type(gcaps.replace("remove t from running", "remove t from runing")));
    // Nothing is decided, so there is no request to go to; they stay as they were typed.
    assert_eq!((view.words.len(), view.requests.as_str()), (0, "+A"));
    let mistake = view.text.mistake.clone().unwrap();
    assert_eq!((mistake.line, mistake.column, mistake.width), (29, 19, 6));
    assert!(mistake.message.contains("did you mean running?"), "{}", mistake.message);
    assert_eq!(view.text.lines[28], TextLine::Wrong);
    assert_eq!((view.chosen.as_str(), view.own.len()), ("own-0", 1));
    assert!(view.own[0].title.starts_with("Own 1: GCAPS as printed"), "{}", view.own[0].title);
    assert_eq!(page.does(Msg::Type("admit ready".to_owned())).text.mistake, None);
    let view = page.does(Msg::Choose("edf".to_owned()));
    assert!(view.text.content.contains("admit lowest deadline") && view.has_deadlines);
    assert_eq!(page.does(Msg::Choose("own-0".to_owned())).text.content, "admit ready");
    // It survives a reload.
    let (memory, mut again) = (page.memory.clone(), self::page());
    again.memory = memory;
    assert_eq!(again.does(Msg::GoTo(0)).text.content, "admit ready");
    // An empty text is one, too.
    assert_eq!(again.does(Msg::Type(String::new())).text.lines, [TextLine::Wrong]);
    for example in EXAMPLES {
        again.does(Msg::Choose(example.id.to_owned()));
        again.does(Msg::Type(format!("{}\n# mine", example.text)));
    }
    assert_eq!(again.does(Msg::GoTo(0)).own.len(), MAX_OWN);
}

/// A text as long as the language allows is kept whole.
#[test]
fn own_keeps_a_text_of_the_largest_size() {
    let mut page = page();
    let line = format!("#{}\n", "é".repeat(199));
    let text = format!("{}admit ready", line.repeat(199));
    let view = page.does(Msg::Type(text.clone()));
    assert_eq!((view.text.mistake, view.text.content == text), (None, true));
    // One line more is a mistake of the text, which is kept as well.
    let longer = format!("{line}{text}");
    let view = page.does(Msg::Type(longer.clone()));
    assert_eq!((view.text.mistake.unwrap().message.as_str(), view.text.content == longer), ("a policy has at most 200 lines.", true));
}

/// Only a task that has begun and waits has not run yet; after a decision that failed nobody may go on.
#[test]
fn own_says_of_no_other_task_that_it_has_not_run() {
    let mut page = page();
    page.does(Msg::Type("running: set\non request(t):\n  if running is empty:\n    add t to running\nadmit running".to_owned()));
    let waiting = |view: &View| view.tasks.iter().map(|task| task.is_waiting).collect::<Vec<_>>();
    assert_eq!(waiting(&page.does(Msg::Ask("+A +B".to_owned()))), [false, true, false, false]);
    page.does(Msg::Type("h: task\non end(t):\n  h = t\nadmit highest priority in ready where priority <= priority of h".to_owned()));
    let view = page.does(Msg::Ask("+A1".to_owned()));
    assert!(view.said.contains("a task is needed here"), "{}", view.said);
    assert_eq!(waiting(&view), [false; 4]);
}

#[test]
fn own_searches_and_follows_what_was_found() {
    let mut page = page();
    let status = |view: View| view.search.unwrap().status;
    assert_eq!(status(page.does(Msg::SetTasks(4))), "Press Search to try all requests.");
    let view = page.searched();
    let search = view.search.unwrap();
    assert!(
        !search.is_going && search.status.starts_with("Up to 4 tasks, ") && search.status.ends_with("all of them."),
        "{}",
        search.status
    );
    let idle = search.findings.iter().find(|finding| finding.word == "idle").unwrap();
    assert_eq!((idle.verdict, idle.requests.as_str()), (Verdict::Fault, "+A +B -A"));
    let clean = search.findings.iter().find(|finding| finding.word == "fails").unwrap();
    assert_eq!((clean.verdict, clean.title.as_str()), (Verdict::Clean, "Every decision can be made, at any depth, for up to 4 tasks."));
    assert!(search.assumed.starts_with("Assumed: ") && search.assumed.contains("at most 4 tasks"), "{}", search.assumed);
    let view = page.does(Msg::Follow("idle".to_owned()));
    assert_eq!((view.requests.as_str(), view.step, lit(&view)), ("+A +B -A", 3, vec![25]));
    // Other choices have other verdicts.
    assert!(page.does(Msg::SetTasks(3)).search.unwrap().findings.is_empty());
    let search = page.does(Msg::Tick("starved".to_owned(), false)).search.unwrap();
    assert!(!search.is_expected && search.properties.iter().any(|tick| tick.word == "starved" && !tick.is_on));
    assert!(search.properties.iter().all(|tick| tick.word != "fails"), "that is always looked for");
    let words: Vec<String> = page.searched().search.unwrap().findings.into_iter().map(|finding| finding.word).collect();
    assert!(words.contains(&"fails".to_owned()) && !words.contains(&"starved".to_owned()), "{words:?}");
    assert!(page.does(Msg::TickExpected).search.unwrap().is_expected);
}

/// A text that claims to meet deadlines is run with task sets, beside its requests; the set that misses one opens as a run.
#[test]
fn own_runs_task_sets_of_a_text_that_expects_it() {
    let mut page = page();
    page.does(Msg::Type("expect deadlines\nadmit highest priority in ready".to_owned()));
    assert!(page.does(Msg::Search).search.unwrap().findings.iter().any(|finding| finding.word == "missed"));
    let search = page.searched().search.unwrap();
    assert!(search.status.starts_with("Up to 4 tasks, ") && search.status.ends_with(" of 23,674 task sets run."), "{}", search.status);
    let missed = search.findings.iter().find(|finding| finding.word == "missed").unwrap();
    assert_eq!((missed.verdict, missed.set.as_str(), missed.requests.as_str()), (Verdict::Fault, "A 2 of 4 ms, B 3 of 6 ms", ""));
    assert_eq!(missed.title, "B misses its deadline at 6 ms, though the test promises it: utilization 1.");
    let effects = page.tell(Event::Message(Msg::OpenTaskSet("missed".to_owned()))).unwrap().effects;
    let [Effect::OpenScenario { at, scenario, began_as: None }] = &effects[..] else { panic!("{effects:?}") };
    let draft = blockstep_format::read_scenario(scenario).unwrap();
    assert_eq!((at.ns(), draft.policy.text.as_str()), (6_000_000, "expect deadlines\nadmit highest priority in ready"));
    assert!(page.tell(Event::Message(Msg::OpenTaskSet("idle".to_owned()))).unwrap().effects.is_empty(), "that has no task set");
    // Requests cannot judge a text that reads durations; task sets alone can.
    page.does(Msg::Type("expect deadlines\nadmit lowest duration in ready".to_owned()));
    assert!(page.does(Msg::GoTo(0)).search.unwrap().refused.is_some());
    for word in ["idle", "lost", "starved", "no-work"] {
        page.does(Msg::Tick(word.to_owned(), false));
    }
    assert_eq!(page.does(Msg::GoTo(0)).search.unwrap().refused, None);
    let begun = page.does(Msg::Search).search.unwrap();
    assert!(begun.status.starts_with("Searching: ") && begun.status.ends_with(" of 23,674 task sets run."), "{}", begun.status);
    let stopped = page.does(Msg::Cancel).search.unwrap();
    assert!(!stopped.is_going && stopped.status.ends_with(" of 23,674 task sets run."), "{}", stopped.status);
}

#[test]
fn own_says_that_no_task_set_misses() {
    let mut page = page();
    page.does(Msg::Choose("edf".to_owned()));
    page.does(Msg::SetTasks(2));
    let search = page.searched().search.unwrap();
    let missed = search.findings.iter().find(|finding| finding.word == "missed").unwrap();
    assert_eq!((missed.verdict, missed.set.as_str()), (Verdict::NoneFound, ""));
    assert!(missed.title.starts_with("No deadline missed in all 12,694 task sets") && missed.title.ends_with("other sets were not tried."));
    assert!(search.status.ends_with("all of them. 12,694 of 12,694 task sets run."), "{}", search.status);
    assert!(search.assumed.contains("Of task sets: "), "{}", search.assumed);
}

#[test]
fn own_search_is_cancelled_and_goes_on() {
    let mut page = page();
    page.does(Msg::SetTasks(5));
    assert!(page.does(Msg::Search).search.unwrap().is_going);
    let search = page.does(Msg::Cancel).search.unwrap();
    assert!(!search.is_going && search.status.starts_with("Stopped: "), "{}", search.status);
    assert!(search.findings.iter().any(|finding| finding.verdict == Verdict::Open));
    // What was typed since is not what was searched.
    let edited = format!("{}\n", find("gcaps").unwrap().text);
    assert!(page.does(Msg::Type(edited)).search.unwrap().findings.is_empty());
    // A worker that was started again begins anew, with the same end.
    page.does(Msg::SetTasks(3));
    page.does(Msg::Search);
    page.runs = Default::default();
    assert!(page.searched().search.unwrap().status.ends_with("all of them."));
}

#[test]
fn own_says_what_cannot_be_searched() {
    let mut page = page();
    let view = page.does(Msg::Type("admit highest sms of t in ready".replace(" of t", "")));
    assert_eq!(view.text.mistake, None, "{:?}", view.text.mistake);
    let search = view.search.unwrap();
    assert_eq!(
        search.refused.as_deref(),
        Some("The policy reads sms or duration, which requests do not have; a search over requests cannot judge it.")
    );
    assert!(!page.does(Msg::Search).search.unwrap().is_going);
}

/// The word of the link that was copied.
fn copied(page: &mut OnPage<OwnPolicy>, message: Msg) -> String {
    match &page.tell(Event::Message(message)).unwrap().effects[..] {
        [Effect::CopyLink(word)] => word.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn own_links_carry_text_requests_and_step() {
    let mut page = page();
    page.does(Msg::Choose("edf".to_owned()));
    page.does(Msg::Type("# Mine\nadmit ready".to_owned()));
    page.does(Msg::Choose("gcaps-union".to_owned()));
    page.does(Msg::Type("# Mine too\nadmit ready".to_owned()));
    page.does(Msg::Ask("+A +B1".to_owned()));
    page.does(Msg::GoTo(1));
    let word = copied(&mut page, Msg::CopyLink);
    let mut other = self::page();
    other.does(Msg::Type("# Theirs\nadmit {}".to_owned()));
    let view = other.tell(Event::Opened(word.clone())).unwrap().view.unwrap();
    assert_eq!((view.text.content.as_str(), view.requests.as_str(), view.step), ("# Mine too\nadmit ready", "+A +B1", 1));
    let own: Vec<&str> = view.own.iter().map(|of| of.title.as_str()).collect();
    assert_eq!(own, ["Own 1: Theirs", "Own 2: Mine too"]);
    // The same link does not bring the text twice.
    assert_eq!(other.tell(Event::Opened(word)).unwrap().view.unwrap().own.len(), 2);
}

/// Requests open as a run that stands after the step on screen, or it is said that there is none.
#[test]
fn own_requests_open_as_a_run() {
    let mut page = page();
    page.does(Msg::Choose("gcaps".to_owned()));
    page.does(Msg::Ask("+A +B -A".to_owned()));
    page.does(Msg::GoTo(2));
    let effects = page.tell(Event::Message(Msg::OpenRun)).unwrap().effects;
    let [Effect::OpenScenario { at, scenario, began_as: None }] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(at.ns(), 1_000_000, "the second request");
    assert!(scenario.contains("\"kind\": \"own\"") && scenario.contains("\"wake_ns\""), "{scenario}");
    assert!(blockstep_format::read_scenario(scenario).is_ok());
    // A begins three times, and not at equal distances.
    page.does(Msg::Ask("+A -A +A -A +B +A".to_owned()));
    let effects = page.tell(Event::Message(Msg::OpenRun)).unwrap().effects;
    assert_eq!(effects, [Effect::Announce("We found no run in which the policy gets these requests: they are requests only.".to_owned())]);
}

/// The text that requests broke stays beside a mended one: both run the same table.
#[test]
fn own_a_mended_text_is_compared_with_the_broken_one() {
    let mut page = page();
    page.does(Msg::Choose("gcaps".to_owned()));
    assert!(!page.does(Msg::Ask("+A +B".to_owned())).has_broken);
    assert!(!page.does(Msg::Ask("+A +B -A".to_owned())).has_broken, "that is the one on screen");
    assert!(page.does(Msg::Choose("gcaps-union".to_owned())).has_broken);
    let effects = page.tell(Event::Message(Msg::CompareRuns)).unwrap().effects;
    let [Effect::OpenScenario { at, scenario, .. }, Effect::OpenTool { name, word }] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!((at.ns(), name.as_str()), (2_000_000, "compare"));
    let (_, pinned) = form_urlencoded::parse(word.as_bytes()).find(|(name, _)| name == "pin").unwrap();
    let [mended, broken] = [scenario, &*pinned].map(|text| blockstep_format::read_scenario(text).unwrap());
    let text = |id| blockstep_policy::examples::find(id).unwrap().text;
    assert_eq!((mended.policy.text.as_str(), broken.policy.text.as_str()), (text("gcaps-union"), text("gcaps")));
    assert_eq!((&mended.tasks, &mended.kernels), (&broken.tasks, &broken.kernels));
    // What a search has found counts as seen once the reader follows it.
    page.does(Msg::Choose("gcaps".to_owned()));
    page.does(Msg::Ask(String::new()));
    page.searched();
    page.does(Msg::Follow("starved".to_owned()));
    page.does(Msg::Type("admit ready".to_owned()));
    let effects = page.tell(Event::Message(Msg::CompareRuns)).unwrap().effects;
    assert!(matches!(&effects[..], [Effect::OpenScenario { .. }, Effect::OpenTool { .. }] | [Effect::Announce(_)]), "{effects:?}");
}

#[test]
fn own_a_bug_is_found_by_the_readers_own_requests() {
    let mut teacher = page();
    teacher.searched();
    teacher.does(Msg::Follow("idle".to_owned()));
    let word = copied(&mut teacher, Msg::CopyHunt);
    let mut student = self::page();
    let view = student.tell(Event::Opened(word)).unwrap().view.unwrap();
    let hunt = view.hunt.unwrap();
    assert!(view.requests.is_empty() && view.search.is_none() && !hunt.is_found);
    assert!(hunt.promises.contains(&"The GPU never idles while a task waits.".to_owned()), "{:?}", hunt.promises);
    student.does(Msg::Append("+A".to_owned()));
    let view = student.does(Msg::Append("+B".to_owned()));
    assert!(!view.hunt.unwrap().is_found && view.search.is_none());
    assert!(!student.does(Msg::Search).hunt.unwrap().is_found, "a search is not made meanwhile");
    let view = student.does(Msg::Append("-A".to_owned()));
    let hunt = view.hunt.unwrap();
    assert_eq!((hunt.is_found, hunt.sentence.as_str()), (true, "Found, by 3 requests. The GPU idles while B waits after 3 requests."));
    assert!(view.search.is_none());
    // Once found, always.
    assert!(student.does(Msg::GoTo(1)).hunt.unwrap().is_found);
    let view = student.does(Msg::GiveUp);
    assert!(view.hunt.is_none() && view.search.is_some());
}

/// Beside a run the text has the marks of the last decision at the step, if the run is of this text; else its first mistake, or none.
#[test]
fn own_text_beside_a_run_is_lit_where_it_decided() {
    let draft = blockstep_format::read_scenario(blockstep_sim::examples::find("own-gpreempt").unwrap().json).unwrap();
    let run = engine::simulate(&Scenario::new(&draft).unwrap(), Limits::default());
    let text = &draft.policy.text;
    let lit = |position: u32| text_in_run(text, &run.trace, position).lines.iter().position(|line| *line == TextLine::Decided);
    assert_eq!(lit(0), None);
    let told = run.trace.steps().iter().position(|step| step.rule == Rule::P3).unwrap() as u32 + 1;
    assert_eq!(lit(told).map(|line| text.lines().nth(line).unwrap()), Some("    move k to others"));
    let steps = run.trace.steps().len() as u32;
    assert_eq!(lit(steps).map(|line| text.lines().nth(line).unwrap()), Some("  remove t from others"));
    assert!(text_in_run("admit ready\n", &run.trace, steps).lines.iter().all(|line| *line == TextLine::Plain));
    let wrong = text_in_run("admit redy\n", &run.trace, steps);
    assert_eq!((wrong.lines[0], wrong.mistake.unwrap().column), (TextLine::Wrong, 7));
    assert!(blockstep_policy::Program::new(first_text()).is_ok());
}
