//! What survives a reload: it is read back as it was written, and what earlier versions wrote is read, too.

use std::collections::BTreeMap;

use blockstep_format as format;
use blockstep_sim::examples;
use blockstep_sim::scenario::KernelDraft;
use blockstep_sim::units::Time;
use blockstep_tools::ToolId;
use blockstep_tools::stored::{
    HISTORY, KeptEntry, MAX_ENTRIES, MAX_KEPT_BYTES, NOTES, SCENARIO, Slot, Stored, Theme, UNREAD, VERSION_NOW, VIEW, add_entry, has_room,
    is_list, is_readable, make_room, orphans, put_back, read_entries, read_history, renamed, room, tool_key, with_orphans, write_entries,
    write_history,
};
use blockstep_view::document::Document;
use blockstep_view::history::History;

fn stored() -> Stored {
    let mut document = Document::new(format::read_scenario(examples::first().json).unwrap());
    document.set_path("kernels[0].blocks", "two\tor \"three\"\nof them");
    document.notes = vec!["[one]".to_owned(), "two\nlines".to_owned()];
    document.example = Some(examples::first().id);
    Stored { document, at: Time(1_500), position: Some(7), theme: Theme::Dark }
}

#[test]
fn what_is_stored_is_read_back() {
    let written = stored();
    let parts: BTreeMap<&str, String> = written.parts().into();
    let read = Stored::read(|key| parts.get(key).cloned()).unwrap();
    assert_eq!(read.document.raw_texts(), written.document.raw_texts());
    assert_eq!(read.document.raw_texts().len(), 1, "what cannot be read is kept as it was typed");
    assert_eq!(read.document.notes, written.document.notes);
    assert_eq!(read.document.example, written.document.example);
    assert_eq!((read.at, read.position, read.theme), (written.at, written.position, written.theme));
    assert_eq!(read.parts(), written.parts());
}

#[test]
fn what_earlier_versions_stored_is_read() {
    let part = |key: &str| {
        Some(match key {
            SCENARIO => examples::first().json.to_owned(),
            UNREAD => "kernels[0].blocks\ttwo".to_owned(),
            NOTES => "[one]\ntwo".to_owned(),
            VIEW => format!("1500\t7\tlight\t{}", examples::first().id),
            _ => return None,
        })
    };
    let read = Stored::read(part).unwrap();
    assert_eq!(read.document.raw_texts(), [("kernels[0].blocks".to_owned(), "two".to_owned())]);
    assert_eq!(read.document.notes, ["[one]", "two"]);
    assert_eq!(read.document.example, Some(examples::first().id));
    assert_eq!((read.at, read.position, read.theme), (Time(1_500), Some(7), Theme::Light));
    // Without a step and an example, as a page wrote it whose run was not there yet.
    let read = Stored::read(|key| if key == VIEW { Some("1500\t\tsystem\t".to_owned()) } else { part(key) }).unwrap();
    assert_eq!((read.position, read.theme, read.document.example), (None, Theme::System, None));
}

#[test]
fn what_cannot_be_read_is_left_out() {
    let parts: BTreeMap<&str, String> = stored().parts().into();
    for (key, text, is_read) in [
        (SCENARIO, Some("{"), false),
        (SCENARIO, None, false),
        (VIEW, Some("soon"), true),
        (UNREAD, Some("no tab"), true),
        (UNREAD, Some("[[\"kernels[99].blocks\",\"1\"]]"), true),
        (UNREAD, None, true),
        (NOTES, None, true),
    ] {
        let read = Stored::read(|of| if of == key { text.map(str::to_owned) } else { parts.get(of).cloned() });
        assert_eq!(read.is_some(), is_read, "{key}: {text:?}");
    }
}

#[test]
fn the_nearest_edits_of_a_history_survive() {
    let first = stored().document;
    let mut history = History::new(first.clone());
    for blocks in 1..=60_u32 {
        history.edit(None, |d| d.set_path("kernels[1].blocks", &blocks.to_string()));
    }
    history.undo();
    let (past, future) = history.others();
    let [read_past, read_future] = read_history(&write_history(past, future));
    // Of sixty edits the last ones, in order; what cannot be read is kept with them.
    assert_eq!((read_past.len(), read_future.len()), (40, 1));
    assert_eq!(read_past.last().unwrap().draft(), past.last().unwrap().draft());
    assert_eq!(read_past[0].draft(), past[past.len() - 40].draft());
    assert_eq!(read_past[0].raw_texts(), first.raw_texts());
    assert_eq!(read_future[0].draft(), future[0].draft());
    // It is taken up where nothing was edited, and only there.
    let mut next = History::new((**history.present()).clone());
    next.resume([read_past.clone(), read_future.clone()]);
    next.undo();
    assert_eq!(next.present().draft(), past.last().unwrap().draft());
    let mut edited = History::new(first);
    edited.edit(None, |d| d.set_path("kernels[1].blocks", "77"));
    edited.resume([read_past, read_future]);
    edited.undo();
    assert!(!edited.can_undo(), "an edit of this visit is not mixed with those of the last");
    // What is damaged is no history.
    assert_eq!(read_history("[[{\"scenario\":1}],[]]"), [Vec::new(), Vec::new()]);
    assert_eq!(read_history(""), [Vec::new(), Vec::new()]);
}

#[test]
fn a_long_history_takes_little_room() {
    let mut draft = Document::new(format::read_scenario(examples::first().json).unwrap()).draft();
    let row = draft.kernels[0].clone();
    draft.kernels = (0..1_000).map(|i| KernelDraft { name: format!("K{i}"), ..row.clone() }).collect();
    let mut history = History::new(Document::new(draft));
    for blocks in 1..=30_u32 {
        history.edit(None, |d| d.set_path("kernels[1].blocks", &blocks.to_string()));
    }
    let (past, future) = history.others();
    let text = write_history(past, future);
    assert!(text.len() < 1_200_000, "{} bytes", text.len());
    assert!(!read_history(&text)[0].is_empty());
}

#[test]
fn a_scenario_beside_the_own_one_has_keys_of_its_own() {
    assert_eq!(Slot::Own.key(SCENARIO), SCENARIO);
    let kept = Slot::Kept(7);
    assert_eq!(kept.key(SCENARIO), "blockstep.kept.7.scenario");
    assert_eq!(kept.key(&tool_key("notes")), "blockstep.kept.7.tool.notes");
    for slot in [Slot::Own, kept] {
        assert_eq!(Slot::read(&slot.word()), slot);
    }
    assert_eq!(Slot::read("none"), Slot::Own);
}

#[test]
fn the_last_ten_scenarios_are_kept() {
    let entry = |id| KeptEntry { id, name: format!("S{id}"), saved_ms: id };
    let mut list = String::new();
    for id in 0..MAX_ENTRIES as u64 {
        let (text, gone) = add_entry(&list, entry(id));
        assert_eq!(gone, []);
        list = text;
    }
    // Stored again, one is the latest.
    list = add_entry(&list, entry(0)).0;
    let (list, gone) = add_entry(&list, entry(99));
    assert_eq!(gone, [entry(1)]);
    let ids: Vec<u64> = read_entries(&list).iter().map(|entry| entry.id).collect();
    assert_eq!((ids.len(), &ids[..2]), (MAX_ENTRIES, &[99, 0][..]));
    assert_eq!(read_entries("{"), []);
}

#[test]
fn what_cannot_be_read_is_told_from_what_can() {
    let readable = [
        (SCENARIO, examples::first().json),
        (VIEW, "1500\t\tsystem\t"),
        (UNREAD, "a\tb"),
        (UNREAD, ""),
        (NOTES, "["),
        (HISTORY, "[[],[]]"),
    ];
    for (part, text) in readable {
        assert!(is_readable(None, part, text), "{part}: {text}");
        assert!(!is_readable(Some("999999"), part, text), "{part} of another version");
    }
    for (part, text) in [(SCENARIO, "{"), (VIEW, "soon"), (UNREAD, "no tab"), (HISTORY, "[]"), (NOTES, "[")] {
        assert!(!is_readable(Some(VERSION_NOW), part, text), "{part}: {text}");
    }
    assert!(is_readable(Some(VERSION_NOW), NOTES, "[\"one\"]"));
    assert!(room(&tool_key("notes")) < room(SCENARIO));
}

#[test]
fn what_a_tool_could_not_have_written_is_told_from_what_it_could() {
    let notes = ToolId::from_name("notes").unwrap();
    assert_eq!(notes.stored("").as_deref(), Some(""));
    let mine = r#"{"notes":[{"at":0,"position":0,"rule":"","scenario":"","sentence":"","text":"mine"}]}"#;
    assert_eq!(notes.stored(mine).as_deref(), Some(mine));
    assert_eq!(notes.stored("step=0&at=0&rule=&said=&of=&text=mine").as_deref(), Some(mine), "as it was stored before");
    for damaged in ["{\"broken\"", "[]", "\u{0}\u{0}", "step"] {
        assert_eq!(notes.stored(damaged), None, "{damaged:?}");
    }
}

/// Stored keys with their bytes: of each scenario its file and what can be undone.
fn kept(of: impl IntoIterator<Item = (u64, usize, usize)>) -> Vec<(String, usize)> {
    let keys = |(id, scenario, history)| [(Slot::Kept(id).key(SCENARIO), scenario), (Slot::Kept(id).key(HISTORY), history)];
    of.into_iter().flat_map(keys).filter(|(_, bytes)| *bytes > 0).collect()
}

/// The list of scenarios of these numbers, the latest first.
fn listed(ids: impl IntoIterator<Item = u64>) -> Vec<KeptEntry> {
    ids.into_iter().map(|id| KeptEntry { id, name: format!("S{id}"), saved_ms: id }).collect()
}

#[test]
fn the_last_ten_small_scenarios_fit_whatever_can_be_undone_of_them() {
    // Ten of them, each edited until its history is as long as histories get.
    let mut stored: Vec<(String, usize)> = Vec::new();
    let mut store = |id: u64, part: &str, bytes: usize, list: &[KeptEntry]| {
        let gone = make_room(&stored, list, id, part, bytes)?;
        stored.retain(|(key, _)| !gone.contains(key) && *key != Slot::Kept(id).key(part));
        stored.push((Slot::Kept(id).key(part), bytes));
        Some((gone, stored.iter().map(|(_, bytes)| bytes).sum::<usize>()))
    };
    for id in 1..=10 {
        let list = listed((1..id).rev());
        let (gone, _) = store(id, SCENARIO, 20_000, &list).expect("a small scenario has room");
        assert!(gone.iter().all(|key| key.ends_with("history")), "{gone:?}");
        let (gone, bytes) = store(id, HISTORY, 800_000, &listed((1..=id).rev())).expect("so has what can be undone");
        assert!(gone.iter().all(|key| key.ends_with("history")), "{gone:?}");
        assert!(bytes <= MAX_KEPT_BYTES);
    }
    let scenarios = stored.iter().filter(|(key, _)| key.ends_with("scenario")).count();
    assert_eq!(scenarios, 10);
}

#[test]
fn what_is_oldest_goes_first_and_for_a_history_no_scenario_does() {
    let list = listed([3, 2, 1]);
    let stored = kept([(1, 300_000, 100_000), (2, 300_000, 100_000), (3, 100_000, 0)]);
    let of = |id: u64, part: &str| Slot::Kept(id).key(part);
    // The oldest history is enough; both are; then the oldest scenario.
    assert_eq!(make_room(&stored, &list, 4, SCENARIO, 150_000), Some(vec![of(1, HISTORY)]));
    assert_eq!(make_room(&stored, &list, 4, SCENARIO, 300_000), Some(vec![of(1, HISTORY), of(2, HISTORY)]));
    assert_eq!(make_room(&stored, &list, 4, SCENARIO, 500_000), Some(vec![of(1, HISTORY), of(2, HISTORY), of(1, SCENARIO)]));
    // What the list does not have is older than all that it has.
    assert_eq!(make_room(&stored, &listed([3, 1]), 4, SCENARIO, 150_000), Some(vec![of(2, HISTORY)]));
    // It takes its own place, and never its own scenario's.
    assert_eq!(make_room(&stored, &list, 2, SCENARIO, 300_000), Some(vec![]));
    assert_eq!(make_room(&stored, &list, 1, HISTORY, 800_000), None);
    assert_eq!(make_room(&stored, &list, 4, SCENARIO, MAX_KEPT_BYTES + 1), None);
}

#[test]
fn a_list_that_is_damaged_is_made_again_of_what_is_stored() {
    let texts: BTreeMap<String, String> = [
        (Slot::Kept(7).key(SCENARIO), examples::first().json.to_owned()),
        (Slot::Kept(7).key(HISTORY), "[[],[]]".to_owned()),
        (Slot::Kept(9).key(SCENARIO), examples::first().json.to_owned()),
        (Slot::Kept(8).key(SCENARIO), "{".to_owned()),
        // Notes are work without a scenario, too; what can be undone is none, nor is an empty text.
        (Slot::Kept(6).key(NOTES), "mine".to_owned()),
        (Slot::Kept(5).key(HISTORY), "[[],[]]".to_owned()),
        (Slot::Kept(5).key(NOTES), String::new()),
        (Slot::Kept(4).key(&tool_key("batch")), "{}".to_owned()),
    ]
    .into();
    let keys: Vec<String> = texts.keys().cloned().chain(["blockstep.kept.none.scenario".to_owned()]).collect();
    let text = |key: &str| texts.get(key).cloned();
    assert!(!is_list("[{\"id\":-1}]") && !is_list("{") && is_list("[]"));
    let ids = |list: &[KeptEntry]| list.iter().map(|entry| entry.id).collect::<Vec<_>>();
    let whole = with_orphans(&read_entries("[{\"id\":-1}]"), &keys, text);
    assert_eq!(ids(&whole), [9, 7, 6, 4]);
    assert_eq!(whole[0].name, format::read_scenario(examples::first().json).unwrap().name);
    assert!(is_list(&write_entries(&whole)));
    // What is listed stays as it is.
    let list = listed([7]);
    assert_eq!(orphans(&list, &keys), [4, 5, 6, 8, 9]);
    assert_eq!(with_orphans(&list, &keys, text)[1], list[0]);
}

#[test]
fn what_was_deleted_comes_back_to_its_place() {
    let list = listed([4, 3, 2, 1]);
    for place in 0..list.len() {
        let mut others = list.clone();
        let gone = others.remove(place);
        assert_eq!(put_back(others, gone), list, "{place}");
    }
}

#[test]
fn a_copy_has_room_only_where_nothing_goes_for_it() {
    let list = listed(1..MAX_ENTRIES as u64);
    assert!(has_room(&list, 1_000, MAX_KEPT_BYTES - 1_000));
    assert!(!has_room(&list, 1_001, MAX_KEPT_BYTES - 1_000));
    assert!(!has_room(&listed(0..MAX_ENTRIES as u64), 0, 1), "the list is full");
}

#[test]
fn another_name_changes_nothing_else_of_a_scenario() {
    let before = format::write_scenario(&format::read_scenario(examples::first().json).unwrap());
    let after = format::read_scenario(&renamed(&before, " Mine\n").unwrap()).unwrap();
    assert_eq!(after.name, "Mine");
    let name = format::read_scenario(&before).unwrap().name;
    assert_eq!(format::write_scenario(&blockstep_sim::scenario::Draft { name, ..after }), before);
    assert_eq!(renamed("{", "Mine"), None);
}
