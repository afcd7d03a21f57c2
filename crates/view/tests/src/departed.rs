//! A run that is no longer the built-in scenario's: its name goes, what was written for it goes from the
//! stage, and both come back when the change is undone.

use crate::pasting::paste;
use blockstep_format::read_scenario;
use blockstep_sim::scenario::{Choice, PolicyKind, StreamDraft, StreamPriority};
use blockstep_sim::units::Time;
use blockstep_sim::{examples, policy};
use blockstep_view::document::Document;
use blockstep_view::history::History;
use blockstep_view::origin::{Departure, Origin};
use blockstep_view::panels::{About, Moment};
use blockstep_view::table::Table;

fn start(id: &str) -> (Origin, Document) {
    let draft = read_scenario(examples::find(id).unwrap().json).unwrap();
    (Origin::new(&draft), Document::new(draft))
}

/// An edit as the page makes it; the name then.
fn edit(origin: &Origin, history: &mut History<Document>, edit: impl FnOnce(&mut Document)) -> String {
    history.edit(None, |document| {
        let had_departed = origin.is_left_by(document);
        edit(document);
        origin.settle(had_departed, document);
    });
    history.present().rest.name.clone()
}

#[test]
fn whatever_changes_the_run_takes_the_name_away() {
    type Edit = fn(&mut Document);
    let edits: [(&str, Edit); 7] = [
        ("device", |d| d.set_device("titanv")),
        ("limit", |d| d.set_top("device.sms", "3")),
        ("placement", |d| d.rest.placement = blockstep_sim::scenario::Placement::FirstFit),
        ("horizon", |d| d.set_top("horizon_ns", "2 s")),
        ("cell", |d| d.set(Table::Kernels, 0, 4, "4")),
        ("paste", |d| _ = paste(d, Table::Kernels, 0, 0, "A\tT0\tS1\t0\t1\t32\t1 s\nB\tT0\tS1\t0\t1\t32\t1 s")),
        ("stream", |d| {
            d.rest.streams.push(StreamDraft { name: "S1".to_owned(), process: None, priority: StreamPriority::High, non_blocking: false });
        }),
    ];
    for id in examples::all().map(|example| example.id) {
        let (origin, document) = start(id);
        assert!(!origin.is_left_by(&document) && !origin.name().is_empty(), "{id}");
        for (what, of) in edits {
            let mut history = History::new(document.clone());
            let name = edit(&origin, &mut history, of);
            if !origin.is_left_by(history.present()) {
                continue; // It was so before.
            }
            assert_eq!(name, "", "{id}: {what}");
            history.undo();
            assert_eq!(history.present().rest.name, origin.name(), "{id}: {what}, undone");
            assert!(!origin.is_left_by(history.present()), "{id}: {what}, undone");
            history.redo();
            assert_eq!(history.present().rest.name, "", "{id}: {what}, done again");
        }
    }
}

/// Another policy is another way to look at it.
#[test]
fn another_policy_stands_in_the_name_and_takes_nothing_away() {
    for id in examples::all().map(|example| example.id) {
        let (origin, document) = start(id);
        for kind in PolicyKind::ALL.iter().copied().filter(|&kind| kind != origin.policy()) {
            let mut history = History::new(document.clone());
            if kind == PolicyKind::Own {
                assert_eq!(edit(&origin, &mut history, |d| d.rest.policy.kind = kind), "", "{id}: a text of the reader's");
                assert_eq!(origin.departure(history.present()), Departure::Table, "{id}");
                continue;
            }
            let name = edit(&origin, &mut history, |d| d.rest.policy.kind = kind);
            assert_eq!(name, format!("{}, under {}", origin.name(), policy::about(kind).title), "{id}");
            assert_eq!(origin.departure(history.present()), Departure::Policy, "{id}");
            assert!(!origin.is_left_by(history.present()), "{id}");
            // Back to its own, and with another table.
            let mut back = history.clone();
            assert_eq!(edit(&origin, &mut back, |d| d.rest.policy.kind = origin.policy()), origin.name(), "{id}");
            assert_eq!(origin.departure(back.present()), Departure::None, "{id}");
            assert_eq!(edit(&origin, &mut history, |d| d.set_top("horizon_ns", "7 ns")), "", "{id}");
            assert_eq!(origin.departure(history.present()), Departure::Table, "{id}");
            history.undo();
            assert_eq!(history.present().rest.name, name, "{id}");
        }
    }
    // A name of the reader's own stays.
    let (origin, document) = start("tx2-table-1");
    let mut history = History::new(document);
    edit(&origin, &mut history, |d| d.set_top("name", "Mine"));
    assert_eq!(edit(&origin, &mut history, |d| d.rest.policy.kind = PolicyKind::Edf), "Mine");
}

#[test]
fn names_that_the_user_gives_stay() {
    let (origin, document) = start("tx2-table-1");
    let mut history = History::new(document);
    // A name by itself changes no run.
    assert_eq!(edit(&origin, &mut history, |d| d.set_top("name", "Mine")), "Mine");
    assert!(!origin.is_left_by(history.present()));
    assert_eq!(edit(&origin, &mut history, |d| d.set_device("titanv")), "Mine");
    assert_eq!(edit(&origin, &mut history, |d| d.set_device("tx2")), "Mine");
    // On the way to a longer name one may type the original's.
    edit(&origin, &mut history, |d| d.set_device("titanv"));
    let typed = origin.name().to_owned();
    assert_eq!(edit(&origin, &mut history, |d| d.set_top("name", &typed)), typed);
    assert_eq!(edit(&origin, &mut history, |d| d.set_top("name", &format!("{typed}, larger"))), format!("{typed}, larger"));
}

#[test]
fn typing_the_old_value_again_is_a_way_back() {
    let (origin, document) = start("tx2-table-1");
    let mut history = History::new(document);
    let blocks = Table::Kernels.column_of("blocks").unwrap();
    let mut typed = |text: &str| edit(&origin, &mut history, |d| d.set(Table::Kernels, 0, blocks, text));
    assert_eq!(typed("4"), "");
    assert_eq!(typed("6"), origin.name());
    assert_eq!(typed("nonsense"), origin.name(), "what cannot be read changes no run");
    // What was kept by an earlier version may still have the name; it is no edit of the user's to take it away.
    let (origin, mut document) = start("tx2-table-1");
    document.set_device("titanv");
    let mut history = History::new(document);
    history.amend(|d| origin.disown(d));
    assert_eq!((history.present().rest.name.as_str(), history.can_undo()), ("", false));
}

#[test]
fn texts_are_those_of_the_original_and_say_so() {
    let example = examples::first();
    let moment = |b: &examples::Bookmark| Moment { at: Time(b.at_ns), label: b.label.to_owned(), text: b.text.to_owned() };
    let about = About {
        title: example.title.to_owned(),
        source: example.source.to_owned(),
        text: example.text.to_owned(),
        moments: example.bookmarks.iter().map(moment).collect(),
    };
    assert_eq!((about.short_title(), about.moments.len()), ("Table 1", 5));
    assert!(about.moments.is_sorted_by_key(|moment| moment.at));
    assert!(about.moments[0].text.starts_with("Four blocks of K1 run"));
    for (title, short) in
        [("Table 4: two priorities, not three", "Table 4"), ("TX1: two processes, block by block", "TX1: two processes, block by block")]
    {
        assert_eq!(About { title: title.to_owned(), ..About::default() }.short_title(), short);
    }
}
