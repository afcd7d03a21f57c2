//! The tool "Notes": words at steps stay with their steps, travel, and are never lost.

use super::page::Page;
use super::*;

/// Types into the text area as it stands in the panel.
pub(super) fn write(page: &mut Page, event: &str, text: &str) {
    let mut fields = blockstep::lab::tools::query::Query::new();
    fields.set("about", about(page)).add("text", text);
    page.ask("notes", event, &fields.write());
}

/// What the hidden field says.
fn about(page: &Page) -> String {
    let html = &page.shown.tools["notes"];
    let value = html.split("name=\"about\" value=\"").nth(1).unwrap().split('"').next().unwrap();
    value.replace("&amp;", "&")
}

/// The note that stands first.
fn caption(page: &Page) -> Option<String> {
    let html = &page.shown.tools["notes"];
    let text = html.strip_prefix("<div class=\"note-here\"><p dir=\"auto\">")?;
    Some(text.split("</p>").next().unwrap().to_owned())
}

fn page(id: &str) -> Page {
    let mut page = Page::new(&example(id));
    page.open("notes", "");
    page
}

#[test]
fn notes_stay_at_their_steps() {
    let mut page = page("tx2-table-1");
    assert_eq!(caption(&page), None);
    page.go(5);
    write(&mut page, "change:text", "First");
    assert_eq!(caption(&page).as_deref(), Some("First"));
    page.go(9);
    assert_eq!(caption(&page), None);
    assert!(page.shown.tools["notes"].contains("No note at this step."));
    write(&mut page, "do:submit", "Second\r\nline");
    page.go(5);
    assert_eq!(caption(&page).as_deref(), Some("First"));
    let html = &page.shown.tools["notes"];
    assert!(html.contains("Notes of this run (2)") && html.contains("data-go=\"9\" data-keep=\"notes-next\""), "{html}");
    page.go(9);
    assert_eq!(caption(&page).as_deref(), Some("Second\nline"));
    // An empty text takes it out.
    write(&mut page, "change:text", " ");
    assert_eq!(caption(&page), None);
    page.go(5).ask("notes", "do:remove 0", "");
    assert_eq!(caption(&page), None);
    page.ask("notes", "do:restore", "");
    assert_eq!(caption(&page).as_deref(), Some("First"));
}

/// The name of a built-in scenario goes when it is changed; the reader's notes stay, with their times.
#[test]
fn notes_stay_when_an_example_is_changed() {
    let mut page = page("tx2-table-1");
    page.began = Some("tx2-table-1".to_owned());
    for (position, text) in [(5, "Early"), (30, "At one second")] {
        page.go(position);
        write(&mut page, "change:text", text);
    }
    let original = page.shown.scenario.clone();
    let mut draft = read_scenario(&original).unwrap();
    draft.name.clear();
    // The run ends after half a second.
    draft.kernels.truncate(1);
    draft.kernels[0].blocks = 4;
    draft.kernels[0].block_time_ns = blockstep::scenario::BlockTimes::Each(500_000_000);
    page.shown.scenario = write_scenario(&draft);
    page.go(0);
    let html = page.shown.tools["notes"].clone();
    assert!(!html.contains("are about"), "none is of another scenario: {html}");
    assert!(html.contains("1 s, behind the end of the run at 500 ms") && html.contains("At one second"), "{html}");
    assert!(html.contains("Early"), "{html}");
    // One that is written now is there with the others once the change is undone.
    page.go(1);
    write(&mut page, "change:text", "Of the changed one");
    page.shown.scenario = original;
    page.go(30);
    let html = &page.shown.tools["notes"];
    assert_eq!(caption(&page).as_deref(), Some("At one second"));
    assert!(html.contains("Of the changed one") && !html.contains("are about") && !html.contains("behind the end"), "{html}");
}

/// The page goes on while somebody types: what stands in the text area belongs to the step that it was typed at.
#[test]
fn notes_typed_are_kept_whatever_happens() {
    for event in ["move", "do:close", "open:", "do:remove 7", "change:about"] {
        let mut page = page("tx2-table-1");
        page.go(5);
        let here = about(&page);
        page.shown.position = 6;
        let mut fields = blockstep::lab::tools::query::Query::new();
        fields.set("about", here).add("text", "Typed");
        page.ask("notes", event, &fields.write());
        assert_eq!(caption(&page), None, "{event}");
        page.go(5);
        assert_eq!(caption(&page).as_deref(), Some("Typed"), "{event}");
    }
}

#[test]
fn notes_are_looked_for_after_an_edit() {
    let mut page = page("tx2-table-1");
    for (position, text) in [(0, "Before"), (4, "Fourth"), (30, "Thirtieth")] {
        page.go(position);
        write(&mut page, "change:text", text);
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
    let html = page.shown.tools["notes"].clone();
    assert!(html.contains("was step 4"), "{html}");
    assert!(html.contains("Notes without a step (1)") && html.contains("was step 30"), "{html}");
    // Editing a note that has moved does not make a second one.
    let to: u32 = html.split("notes-go-1").next().unwrap().rsplit("data-go=\"").next().unwrap().split('"').next().unwrap().parse().unwrap();
    page.go(to);
    assert_eq!(caption(&page).as_deref(), Some("Fourth"));
    write(&mut page, "change:text", "Fourth, again");
    assert_eq!(page.shown.tools["notes"].matches("Fourth").count(), 3, "caption, text area and list: {}", page.shown.tools["notes"]);
    // All is as it was once the edit is undone.
    page.shown.scenario = original;
    page.go(30);
    assert_eq!(caption(&page).as_deref(), Some("Thirtieth"));
    assert!(!page.shown.tools["notes"].contains("without a step"));
}

#[test]
fn notes_of_another_scenario_wait_for_it() {
    let mut page = page("tx2-table-1");
    page.go(1);
    write(&mut page, "change:text", "Of table 1");
    let table_1 = page.shown.scenario.clone();
    page.shown.scenario = Page::new(&example("tx2-table-2")).shown.scenario;
    page.go(1);
    let html = page.shown.tools["notes"].clone();
    assert!(caption(&page).is_none() && html.contains("1 of 200 notes are about scenario “"), "{html}");
    assert!(!page.link().is_empty());
    let (link, _) = read_link(&page.link()).unwrap();
    assert!(link.tools.is_empty());
    page.shown.scenario = table_1;
    page.go(1);
    assert_eq!(caption(&page).as_deref(), Some("Of table 1"));
}

#[test]
fn notes_travel_with_a_link_and_leave_those_that_are_there() {
    let mut page = page("tx2-table-1");
    let texts = [(0, "Start"), (5, "<script>alert(1)</script> & \"quotes\""), (9, "\u{202e}שלום עולם\n\nאחת"), (12, "Theirs")];
    for (position, text) in texts {
        page.go(position);
        write(&mut page, "change:text", text);
    }
    page.go(5);
    let address = page.link();
    assert!(address.len() < 900, "{}", address.len());
    let mut to = Page::new(&example("tx2-table-1"));
    to.open("notes", "").go(12);
    write(&mut to, "change:text", "Mine");
    for _ in 0..2 {
        to.follow(&address);
        assert_eq!(to.shown.position, 5);
        let first = "&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;quotes&quot;";
        assert_eq!(caption(&to).as_deref(), Some(first));
        to.go(9);
        assert_eq!(caption(&to).as_deref(), Some("\u{202e}שלום עולם\n\nאחת"));
        to.go(12);
        assert_eq!(caption(&to).as_deref(), Some("Mine\n\nTheirs"));
    }
    // To a page that has none, they come as they were.
    let mut fresh = Page::new(&example("lp-none"));
    fresh.follow(&address);
    assert_eq!(fresh.shown.tools, page.shown.tools);
}

#[test]
fn notes_have_limits() {
    let mut page = page("tx2-table-1");
    page.go(3);
    let long = "é".repeat(2_001);
    write(&mut page, "change:text", &long);
    let html = &page.shown.tools["notes"];
    assert!(html.contains("Not kept: this note has 2,001 characters; at most 2,000 are possible."), "{html}");
    assert!(html.contains(&long), "what was typed is still there");
    assert!(!page.memories["notes"].contains("text"));
    write(&mut page, "change:text", &long[2..]);
    assert!(caption(&page).is_some());
    // As many as there may be, and one more.
    let mut page = Page::new(&crate::large::large("tx2", 2_000, false));
    page.open("notes", "");
    for position in 0..200 {
        page.shown.position = position;
        page.ask("notes", "move", "");
        write(&mut page, "change:text", "x");
    }
    page.go(300);
    write(&mut page, "change:text", "too many");
    let html = &page.shown.tools["notes"];
    assert!(html.contains("Not kept: there are 200 notes, which is the limit.") && html.contains("\ntoo many</textarea>"), "{html}");
}

/// Notes of a link that have no such step here.
#[test]
fn notes_that_do_not_fit_are_said() {
    let mut page = page("tx2-table-1");
    page.ask("notes", "open:take step=4&at=17&rule=Z9&text=Lost&step=999999&at=1&rule=A1&text=Far&step=x&text=Odd", "");
    let html = &page.shown.tools["notes"];
    assert!(html.contains("Notes without a step (3)") && html.contains("Lost") && html.contains("Far"), "{html}");
    page.ask("notes", &format!("open:take step=4&at=17&rule=Z9&text={}", "x".repeat(3_000)), "");
    assert!(page.shown.tools["notes"].contains("1 of the link's notes are left out"));
}

proptest! {
    #![proptest_config(cases(100))]

    /// Any memory, any fields: an answer, and what was kept is kept again.
    #[test]
    fn notes_of_any_memory_are_read(memory in "((step|at|rule|of|said|text|removed)=[a-z0-9%+]{0,6}&){0,12}", text in names(), about in "((step|at|rule)=[0-9A-Z]{0,4}&){0,4}") {
        let mut page = Page::new(&example("tx2-table-2"));
        page.memories.insert("notes".to_owned(), memory);
        page.open("notes", "");
        let once = page.memories["notes"].clone();
        page.moved();
        prop_assert_eq!(&page.memories["notes"], &once);
        let mut fields = blockstep::lab::tools::query::Query::new();
        fields.set("about", about).add("text", &*text);
        page.ask("notes", "change:text", &fields.write());
        prop_assert!(!page.shown.tools["notes"].contains("<script"));
    }
}
