//! What survives a reload: it is read back as it was written, and what earlier versions wrote is read, too.

use std::collections::BTreeMap;

use blockstep::app::stored::{NOTES, SCENARIO, Stored, Theme, UNREAD, VIEW};
use blockstep::examples;
use blockstep::format;
use blockstep::units::Time;
use blockstep::view::document::Document;

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
        (VIEW, Some("soon"), false),
        (UNREAD, Some("no tab"), true),
        (UNREAD, Some("[[\"kernels[99].blocks\",\"1\"]]"), true),
        (UNREAD, None, true),
        (NOTES, None, true),
    ] {
        let read = Stored::read(|of| if of == key { text.map(str::to_owned) } else { parts.get(of).cloned() });
        assert_eq!(read.is_some(), is_read, "{key}: {text:?}");
    }
}
