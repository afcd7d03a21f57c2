//! The tool "Notes": words at steps stay with their steps, travel, and are never lost.

use blockstep_protocol::{Cursor, Effect, Screen};
use blockstep_sim::scenario::PolicyKind;
use blockstep_sim::units::Time;
use blockstep_tools::notes::{Caption, Msg, NoteGroup, NoteItem, NoteSpot, Notes, Turns, View, Where, carried};
use blockstep_tools::runs::Runs;
use blockstep_tools::tool::{Event, ReaderPlace};
use blockstep_view::origin::Origin;

use super::page::Page;
use super::*;
use crate::tool::OnPage;

/// Types into the text area as it stands in the panel.
pub(super) fn write(page: &mut Page, text: &str) {
    let about = view(page).field.about;
    page.send::<Notes>("notes", Msg::Write { about, text: text.to_owned() });
}

fn view(page: &Page) -> View {
    page.view::<Notes>("notes")
}

/// The note that stands first.
fn caption(page: &Page) -> Option<String> {
    match view(page).caption {
        Caption::Note(text) => Some(text),
        Caption::NoneHere | Caption::None => None,
    }
}

fn page(id: &str) -> Page {
    let mut page = Page::new(&example(id));
    page.open("notes", "");
    page
}

/// Every note of the lists.
fn items(view: &View) -> Vec<&NoteItem> {
    view.groups.iter().flat_map(|group| &group.notes).collect()
}

fn titles(view: &View) -> Vec<&str> {
    view.groups.iter().map(|NoteGroup { title, .. }| title.as_str()).collect()
}

#[test]
fn notes_stay_at_their_steps() {
    let mut page = page("tx2-table-1");
    assert_eq!(view(&page).caption, Caption::None);
    page.go(5);
    write(&mut page, "First");
    assert_eq!(caption(&page).as_deref(), Some("First"));
    let memory = page.memories["notes"].clone();
    let names = ["at", "position", "rule", "scenario", "sentence", "text"];
    assert_eq!(memory::fields(&memory)["notes"][0].as_object().unwrap().keys().collect::<Vec<_>>(), names, "{memory}");
    page.go(9);
    assert_eq!(view(&page).caption, Caption::NoneHere);
    write(&mut page, "Second\r\nline");
    page.go(5);
    assert_eq!(caption(&page).as_deref(), Some("First"));
    let shown = view(&page);
    assert_eq!(titles(&shown), ["Notes of this run (2)"]);
    assert_eq!(shown.turns, Some(Turns { previous: None, next: Some(9) }));
    assert_eq!(items(&shown).iter().map(|item| item.is_current).collect::<Vec<_>>(), [true, false]);
    assert!(items(&shown).iter().all(|item| item.rule.is_some() && !item.spot.sentence.is_empty()), "{shown:?}");
    page.go(9);
    assert_eq!(caption(&page).as_deref(), Some("Second\nline"));
    assert_eq!(view(&page).turns, Some(Turns { previous: Some(5), next: None }));
    // An empty text takes it out.
    write(&mut page, " ");
    assert_eq!(caption(&page), None);
    page.go(5);
    let spot = items(&view(&page))[0].spot.clone();
    assert_eq!(items(&view(&page))[0].remove, "Remove the note of step 5");
    page.send::<Notes>("notes", Msg::Remove(spot.clone()));
    assert_eq!(caption(&page), None);
    assert_eq!(view(&page).removed.as_deref(), Some("The note of step 5 was removed."));
    page.send::<Notes>("notes", Msg::Restore);
    assert_eq!(caption(&page).as_deref(), Some("First"));
    assert_eq!(view(&page).removed, None);
    assert_eq!(page.said, ["The note is removed.", "The note is back."]);
    // What is not there cannot be removed, nor brought back.
    page.send::<Notes>("notes", Msg::Remove(NoteSpot { position: 7, ..spot })).send::<Notes>("notes", Msg::Restore);
    assert_eq!((caption(&page).as_deref(), page.said.len()), (Some("First"), 2));
}

/// The name of a built-in scenario goes when it is changed; the reader's notes stay, with their times.
#[test]
fn notes_stay_when_an_example_is_changed() {
    let mut page = page("tx2-table-1");
    page.began = Some("tx2-table-1".to_owned());
    for (position, text) in [(5, "Early"), (30, "At one second")] {
        page.go(position);
        write(&mut page, text);
    }
    let original = page.shown.scenario.clone();
    let mut draft = read_scenario(&original).unwrap();
    draft.name.clear();
    // The run ends after half a second.
    draft.kernels.truncate(1);
    draft.kernels[0].blocks = 4;
    draft.kernels[0].block_time_ns = blockstep_sim::scenario::BlockTimes::Each(500_000_000);
    page.shown.scenario = write_scenario(&draft);
    page.go(0);
    let shown = view(&page);
    assert_eq!(shown.others, None, "none is of another scenario: {shown:?}");
    let behind = items(&shown).into_iter().find(|item| item.text == "At one second").unwrap();
    assert_eq!(behind.place, Where::Behind("1 s, after the end of the run at 500 ms".to_owned()));
    assert!(items(&shown).iter().any(|item| item.text == "Early"), "{shown:?}");
    // One that is written now is there with the others once the change is undone.
    page.go(1);
    write(&mut page, "Of the changed one");
    page.shown.scenario = original;
    page.go(30);
    let shown = view(&page);
    assert_eq!(caption(&page).as_deref(), Some("At one second"));
    assert!(items(&shown).iter().any(|item| item.text == "Of the changed one") && shown.others.is_none(), "{shown:?}");
    assert!(!items(&shown).iter().any(|item| matches!(item.place, Where::Behind(_))), "{shown:?}");
}

/// Under another policy an example is still that example.
#[test]
fn notes_stay_under_another_policy() {
    let mut page = page("tx2-table-1");
    page.began = Some("tx2-table-1".to_owned());
    let original = page.shown.scenario.clone();
    let mut draft = read_scenario(&original).unwrap();
    let origin = Origin::new(&draft);
    draft.policy.kind = PolicyKind::Fifo;
    draft.name = origin.name_under(PolicyKind::Fifo);
    page.shown.scenario = write_scenario(&draft);
    write(&mut page, "Before the first step");
    for scenario in [original, write_scenario(&draft)] {
        page.shown.scenario = scenario;
        let shown = view(&page);
        assert_eq!(shown.others, None, "{shown:?}");
        assert_eq!(titles(&shown), ["Notes of this run (1)"]);
        assert_eq!(caption(&page).as_deref(), Some("Before the first step"));
    }
}

/// The page goes on while somebody types: what stands in the text area belongs to the step that it was typed at.
#[test]
fn notes_typed_are_kept_whatever_happens() {
    let nowhere = || NoteSpot { position: 7, ..NoteSpot::default() };
    let meanwhile: [fn(&mut Page, NoteSpot); 6] = [
        |page, _| _ = page.moved(),
        |page, _| _ = page.close("notes"),
        |page, _| _ = page.open("notes", ""),
        |page, nowhere| _ = page.send::<Notes>("notes", Msg::Remove(nowhere)),
        |page, _| _ = page.send::<Notes>("notes", Msg::ForgetOthers),
        |page, _| write(page, "Of the next step"),
    ];
    for (i, happens) in meanwhile.into_iter().enumerate() {
        let mut page = page("tx2-table-1");
        page.go(5);
        let about = view(&page).field.about;
        page.go(6);
        happens(&mut page, nowhere());
        let field = view(&page).field;
        assert_eq!(field.about.position, 6, "{i}");
        page.send::<Notes>("notes", Msg::Write { about, text: "Typed".to_owned() });
        assert_eq!(view(&page).field, field, "{i}: the text area of the next step stays as it is");
        page.go(5);
        assert_eq!(caption(&page).as_deref(), Some("Typed"), "{i}");
    }
}

#[test]
fn notes_are_looked_for_after_an_edit() {
    let mut page = page("tx2-table-1");
    for (position, text) in [(0, "Before"), (4, "Fourth"), (30, "Thirtieth")] {
        page.go(position);
        write(&mut page, text);
    }
    // Another kernel at the very beginning, so that steps come later in count; later ones at other times.
    let mut draft = read_scenario(&page.shown.scenario).unwrap();
    let original = page.shown.scenario.clone();
    let mut early = draft.kernels[0].clone();
    early.name = "K0".to_owned();
    (early.blocks, early.threads_per_block, early.stream) = (1, 32, "S9".to_owned());
    for kernel in &mut draft.kernels {
        kernel.block_time_ns = kernel.block_time_ns.longer_by(1);
        kernel.start_ns += u64::from(kernel.start_ns > 0);
    }
    draft.kernels.insert(0, early);
    page.shown.scenario = write_scenario(&draft);
    page.go(0);
    assert_eq!(caption(&page).as_deref(), Some("Before"));
    let shown = view(&page);
    assert_eq!(titles(&shown), ["Notes of this run (2)", "Notes without a step (1)"]);
    let gone = &shown.groups[1].notes[0].place;
    assert!(matches!(gone, Where::Time { was, .. } if was == "was step 30"), "{gone:?}");
    // Editing a note that has moved does not make a second one.
    let moved = &shown.groups[0].notes[1];
    let Where::Step { position, was: Some(was), .. } = &moved.place else { panic!("{moved:?}") };
    assert_eq!((was.as_str(), moved.text.as_str()), ("was step 4", "Fourth"));
    page.go(*position);
    assert_eq!(caption(&page).as_deref(), Some("Fourth"));
    write(&mut page, "Fourth, again");
    let shown = view(&page);
    assert_eq!((caption(&page).as_deref(), shown.field.text.as_str()), (Some("Fourth, again"), "Fourth, again"));
    assert_eq!(items(&shown).iter().filter(|item| item.text.contains("Fourth")).count(), 1, "{shown:?}");
    // All is as it was once the edit is undone.
    page.shown.scenario = original;
    page.go(30);
    assert_eq!(caption(&page).as_deref(), Some("Thirtieth"));
    assert_eq!(titles(&view(&page)), ["Notes of this run (3)"]);
}

#[test]
fn notes_of_another_scenario_wait_for_it() {
    let mut page = page("tx2-table-1");
    page.go(1);
    write(&mut page, "Of table 1");
    let table_1 = page.shown.scenario.clone();
    page.shown.scenario = Page::new(&example("tx2-table-2")).shown.scenario;
    page.go(1);
    let others = view(&page).others.unwrap();
    assert!(caption(&page).is_none() && others.sentence.starts_with("1 of 200 notes belong to scenario “"), "{others:?}");
    assert!(!others.is_many);
    let (link, _) = read_link(&page.link()).unwrap();
    assert!(link.tools.is_empty());
    page.shown.scenario = table_1;
    page.go(1);
    assert_eq!(caption(&page).as_deref(), Some("Of table 1"));
}

/// Once they are so many that they are in the way.
#[test]
fn notes_of_other_scenarios_can_be_removed() {
    let mut page = OnPage::<Notes>::on("notes", "tx2-table-1");
    page.memory = (0..101).map(|i| format!("step={i}&at=0&of=Scenario+{i}&text=x&")).collect();
    let others = page.open("").others.unwrap();
    assert_eq!(others.sentence, "101 of 200 notes belong to other scenarios. They appear when their scenario is open.");
    assert!(others.is_many);
    assert_eq!(page.send(Msg::ForgetOthers).view.unwrap().others, None);
    assert_eq!(page.memory, "");
}

#[test]
fn notes_travel_with_a_link_and_leave_those_that_are_there() {
    let mut page = page("tx2-table-1");
    let texts = [(0, "Start"), (5, "<script>alert(1)</script> & \"quotes\""), (9, "\u{202e}שלום עולם\n\nאחת"), (12, "Theirs")];
    for (position, text) in texts {
        page.go(position);
        write(&mut page, text);
    }
    page.go(5);
    let address = page.link();
    assert!(address.len() < 900, "{}", address.len());
    let mut to = Page::new(&example("tx2-table-1"));
    to.open("notes", "").go(12);
    write(&mut to, "Mine");
    for _ in 0..2 {
        to.follow(&address);
        assert_eq!(to.shown.position, 5);
        assert_eq!(caption(&to).as_deref(), Some("<script>alert(1)</script> & \"quotes\""));
        to.go(9);
        assert_eq!(caption(&to).as_deref(), Some("\u{202e}שלום עולם\n\nאחת"));
        to.go(12);
        assert_eq!(caption(&to).as_deref(), Some("Mine\n\nTheirs"));
    }
    // To a page that has none, they come as they were.
    let mut fresh = Page::new(&example("lp-none"));
    fresh.follow(&address);
    assert_eq!(fresh.shown.tools, page.shown.tools);
    // The link holds what the tool gives it, and no more.
    let (link, _) = read_link(&address).unwrap();
    let place = ReaderPlace::new(&page.shown.scenario, Cursor::default(), Screen::default(), &mut Runs::default()).unwrap();
    let given = carried(&page.memories["notes"], &place);
    assert_eq!(link.tools, [("notes".to_owned(), given.clone())]);
    let notes = memory::fields(&given)["notes"].as_array().unwrap().clone();
    assert!(notes.len() == 4 && notes.iter().all(|note| note["sentence"] == "" && note["scenario"] == ""), "{given}");
}

#[test]
fn notes_that_are_too_long_stay_in_the_text_area() {
    let mut page = page("tx2-table-1");
    page.go(3);
    let long = "é".repeat(2_001);
    write(&mut page, &long);
    let too_long = "Not saved: this note has 2,001 characters; the maximum is 2,000. Shorten it.";
    let events: [fn(&mut Page); 4] = [
        |_| (),
        |page| _ = page.go(4),
        |page| _ = page.close("notes").open("notes", ""),
        |page| _ = page.send::<Notes>("notes", Msg::Restore),
    ];
    for happens in events {
        happens(&mut page);
        let View { field, caption, groups, .. } = view(&page);
        assert_eq!((field.problem.as_deref(), field.text == long), (Some(too_long), true));
        assert!(field.label.starts_with("Note at step 3, "), "{}", field.label);
        assert_eq!((caption, groups), (Caption::None, Vec::new()));
        assert!(read_link(&page.link()).unwrap().0.tools.is_empty());
    }
    write(&mut page, &long[2..]);
    assert_eq!(view(&page).field.problem, None);
    page.go(3);
    assert!(caption(&page).is_some());
}

#[test]
fn notes_have_limits() {
    // As many as there may be, and one more.
    let mut page = Page::new(&blockstep_testing::large::large("tx2", 2_000, false));
    page.open("notes", "");
    for position in 0..200 {
        page.shown.position = position;
        page.moved();
        write(&mut page, "x");
    }
    page.go(300);
    write(&mut page, "too many");
    let shown = view(&page);
    assert_eq!(shown.field.problem.as_deref(), Some("Not saved: there are already 200 notes, the maximum. Remove one first."));
    assert_eq!(shown.field.text, "too many");
    // Once there is room it is kept.
    page.send::<Notes>("notes", Msg::Remove(items(&shown)[0].spot.clone())).moved();
    assert_eq!((caption(&page).as_deref(), view(&page).field.problem), (Some("too many"), None));
}

/// Notes of a link that have no such step here.
#[test]
fn notes_that_do_not_fit_are_said() {
    let mut page = page("tx2-table-1");
    page.open("notes", "take step=4&at=17&rule=Z9&text=Lost&step=999999&at=1&rule=A1&text=Far&step=x&text=Odd");
    let shown = view(&page);
    assert_eq!(titles(&shown), ["Notes without a step (3)"]);
    assert_eq!(items(&shown).iter().map(|item| item.text.as_str()).collect::<Vec<_>>(), ["Lost", "Far", "Odd"]);
    page.open("notes", &format!("take step=4&at=17&rule=Z9&text={}", "x".repeat(3_000)));
    let problem = view(&page).field.problem.unwrap();
    assert!(problem.starts_with("1 of the link's notes are left out"), "{problem}");
    page.moved();
    assert_eq!(view(&page).field.problem, None, "it is said once");
}

/// Nor can they fill the browser's storage with what stands around their texts.
#[test]
fn notes_of_a_link_are_short() {
    let mut page = OnPage::<Notes>::on("notes", "tx2-table-2");
    let long = "x".repeat(100_000);
    page.open(&format!("take step=4&at=17&rule={long}&said={long}&of={long}&text=Lost"));
    assert!(page.memory.contains(r#""text":"Lost""#) && page.memory.len() < 2_000, "{}", page.memory.len());
}

proptest! {
    #![proptest_config(cases(100))]

    /// Any memory, any step: an answer, and what was kept is kept again.
    #[test]
    fn notes_of_any_memory_are_read(
        memory in "((step|at|rule|of|said|text|removed|unsaved)=[a-z0-9%+]{0,6}&){0,12}",
        text in names(),
        (position, at, rule) in (any::<u32>(), any::<u64>(), "[0-9A-Z]{0,4}"),
    ) {
        let mut page = OnPage::<Notes>::on("notes", "tx2-table-2");
        page.memory = memory;
        page.open("");
        let once = page.memory.clone();
        page.moved();
        prop_assert_eq!(&page.memory, &once);
        let about = NoteSpot { position, at: Time(at), rule, ..NoteSpot::default() };
        let told = page.tell(Event::Message(Msg::Write { about: about.clone(), text: text.clone() })).unwrap();
        prop_assert!(told.effects.iter().all(|effect| matches!(effect, Effect::Announce(_))));
        let kept = text.replace("\r\n", "\n");
        let others = told.view.unwrap().others.map_or(String::new(), |others| others.sentence);
        prop_assert!(kept.trim_end().is_empty() || others.contains("200 notes belong to"), "it is about a scenario without a name");
        let twice = page.memory.clone();
        page.moved();
        prop_assert_eq!(&page.memory, &twice);
    }
}
