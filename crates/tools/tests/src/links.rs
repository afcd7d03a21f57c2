//! Links: what goes in comes out, damage is said in words and costs little, old links go on opening.

use std::time::{Duration, Instant};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use blockstep_format::{
    Embed, Link, LinkError, MAX_LINK_CHARS, MAX_LINK_TEXT, no_page, read_link, read_scenario, write_link, write_scenario,
};
use blockstep_sim::examples;
use blockstep_sim::scenario::Draft;
use blockstep_tools::tool::memory;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

use blockstep_testing::arbitrary::{any_drafts, cases};

mod golden;
mod notes;
mod page;
mod pairs;
mod tools;

/// Longest link of a table of the papers, in characters.
const PAPER_LINK: usize = 1_500;

fn example(id: &str) -> Draft {
    read_scenario(examples::find(id).unwrap().json).unwrap()
}

/// Any name, those among them that are something to HTML, JSON, addresses or the eye.
fn names() -> impl Strategy<Value = String> {
    prop_oneof![
        3 => "[A-Za-z0-9 ]{0,12}",
        3 => any::<String>(),
        1 => Just("<script>alert('x')</script>\"&amp;\\\n\r\t\u{0}\u{1}\u{b}\u{1f}\u{7f}".to_owned()),
        1 => Just("\u{202e}שלום\u{2028}\u{feff}😀".to_owned()),
        1 => Just("},{\"name\":\"x\\\" { \"version\": 1,".to_owned()),
    ]
}

/// What a tool remembers.
fn text(fields: &[(impl AsRef<str>, impl AsRef<str>)]) -> String {
    fields.iter().fold(String::new(), |memory, (name, value)| memory::with(&memory, name.as_ref(), value.as_ref()))
}

fn states() -> impl Strategy<Value = Link> {
    let place = (any::<u32>(), any::<u64>(), option::of((any::<i64>(), any::<i64>())), names(), option::of(any::<u32>()), names());
    let value = prop_oneof![4 => names(), 1 => any_drafts().prop_map(|draft| write_scenario(&draft))];
    let tools = vec((names(), vec((names(), value), 0..4).prop_map(|fields| text(&fields))), 0..4);
    (any_drafts(), names(), place, tools, any::<[bool; 3]>()).prop_map(
        |(scenario, name, (position, at_ns, view, selected, op, example), tools, [is_future_hidden, is_presenting, is_path_shown])| Link {
            scenario: Draft { name, ..scenario },
            position,
            at_ns,
            example,
            view: view.filter(|(from, to)| from != to).map(|(a, b)| (a.min(b), a.max(b))),
            selected,
            op,
            is_future_hidden,
            is_presenting,
            is_path_shown,
            tools,
        },
    )
}

fn embeds() -> impl Strategy<Value = Option<Embed>> {
    option::of(prop::sample::select(Embed::ALL.to_vec()))
}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn links_come_back_as_they_were(link in states(), embed in embeds()) {
        let fragment = write_link(&link, embed).unwrap();
        prop_assert!(fragment.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_=&".contains(&b)), "{fragment}");
        prop_assert_eq!(read_link(&fragment).unwrap(), (link, embed));
    }

    /// Scenario, link, scenario: as files too.
    #[test]
    fn links_keep_the_scenario(scenario in any_drafts()) {
        let file = write_scenario(&scenario);
        let link = Link { scenario, ..Link::default() };
        let (read, _) = read_link(&write_link(&link, None).unwrap()).unwrap();
        prop_assert_eq!(write_scenario(&read.scenario), file);
    }

    /// Letters that were changed, lost or added are told from the whole.
    #[test]
    fn links_that_are_damaged_are_refused(link in states(), place in any::<prop::sample::Index>(), letter in "[-_A-Za-z0-9]", kind in 0..3) {
        let fragment = write_link(&link, None).unwrap();
        let start = "v2=".len();
        let place = start + place.index(fragment.len() - start);
        let mut damaged = fragment.clone();
        match kind {
            0 => damaged.replace_range(place..=place, &letter),
            1 => { damaged.remove(place); }
            _ => damaged.insert_str(place, &letter),
        }
        match read_link(&damaged) {
            // The same, as the last letter of four holds bits that mean nothing.
            Ok((read, _)) => prop_assert_eq!(read, link),
            Err(error) => prop_assert!(error == LinkError::Damaged, "{error}"),
        }
    }

    #[test]
    fn links_of_any_text_are_refused_in_words(text in any::<String>(), letters in "[-_A-Za-z0-9]{0,200}", bytes in vec(any::<u8>(), 0..200)) {
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(&bytes, 6);
        let unpacked = miniz_oxide::deflate::compress_to_vec_zlib(text.as_bytes(), 6);
        for text in [
            text,
            format!("#v1={letters}"),
            format!("#v2={letters}"),
            format!("#v1={}", URL_SAFE_NO_PAD.encode(bytes)),
            format!("#v1={}", URL_SAFE_NO_PAD.encode(packed)),
            format!("#v1={}", URL_SAFE_NO_PAD.encode(unpacked)),
        ] {
            let error = read_link(&text).unwrap_err().to_string();
            prop_assert!(error.starts_with("This ") && error.ends_with('.'), "{error}");
        }
    }
}

fn packed(text: &str) -> String {
    format!("v1={}", URL_SAFE_NO_PAD.encode(miniz_oxide::deflate::compress_to_vec_zlib(text.as_bytes(), 9)))
}

#[test]
fn links_cut_anywhere_are_damaged() {
    let tools = vec![("compare".to_owned(), text(&[("run", "policy=fifo")]))];
    let link = Link { scenario: example("tx2-table-1"), position: 12, tools, ..Link::default() };
    let fragment = write_link(&link, None).unwrap();
    for end in 0..fragment.len() {
        let error = read_link(&fragment[..end]).unwrap_err();
        let expected = if end < 3 { LinkError::NotALink } else { LinkError::Damaged };
        assert_eq!(error, expected, "cut after {end}");
    }
}

#[test]
fn links_are_read_as_mail_programs_leave_them() {
    let link = Link { scenario: example("tx2-table-1"), position: 3, at_ns: 7, ..Link::default() };
    let fragment = write_link(&link, Some(Embed::Queues)).unwrap();
    let bare = write_link(&link, None).unwrap();
    let whole = |text: &str| assert_eq!(read_link(text).unwrap(), (link.clone(), Some(Embed::Queues)), "{text}");
    whole(&fragment);
    whole(&format!("#{fragment}"));
    whole(&format!("  https://example.org/a/?x=1#{fragment}\r\n"));
    whole(&format!("#{fragment}."));
    whole(&format!("#{fragment})>,"));
    whole(&format!("#{}", fragment.replace('=', "%3D").replace('&', "%26")));
    whole(&format!("#{}", fragment.replace('&', "&amp;")));
    let broken: String = fragment.as_bytes().chunks(60).map(|line| format!("{}\n ", std::str::from_utf8(line).unwrap())).collect();
    whole(&broken);
    for tail in ["", ".", ")", "==", "%3D", ">", "\u{a0}", "»"] {
        assert_eq!(read_link(&format!("#{bare}{tail}")).unwrap(), (link.clone(), None), "{tail}");
    }
    assert_eq!(read_link(&format!("{bare}&embed=cinema")).unwrap().1, None);
}

#[test]
fn links_of_later_versions_say_so() {
    for later in ["#v3=abc", "v3=", "#v17=x&embed=both", "#v99999999999999999999999=x"] {
        let error = read_link(later).unwrap_err();
        assert!(matches!(error, LinkError::Later(_)), "{later}");
        assert!(error.to_string().starts_with("This link was made by a later version of Blockstep"), "{error}");
    }
    for none in ["", "#", "#v=abc", "#vx=1", "#v0=abc", "#tour=first", "study=1", "#v1"] {
        assert_eq!(read_link(none), Err(LinkError::NotALink), "{none}");
    }
}

/// What is read costs no more than a link of the largest size allowed.
#[test]
fn links_that_unpack_to_too_much_are_refused() {
    let zeros = packed(&"0".repeat(64 << 20));
    let words = packed(&"\u{1c}".repeat(MAX_LINK_TEXT));
    let before = Instant::now();
    for bomb in [zeros, words, "v1=".to_owned() + &"A".repeat(MAX_LINK_CHARS)] {
        assert_eq!(read_link(&bomb), Err(LinkError::TooLarge));
    }
    // One scenario, named again and again.
    let scenario = {
        let row = |i: usize| format!("{{\"name\":\"{}{i}\",\"blocks\":1,\"threads_per_block\":1,\"block_time_ns\":1}}", "x".repeat(180));
        format!("{{\"version\":1,\"kernels\":[{}]}}", (0..500).map(row).collect::<Vec<_>>().join(","))
    };
    let memory = ",\"pin\",0".repeat(100_000);
    let again = packed(&format!("{{\"position\":0,\"at_ns\":0,\"tools\":[[\"compare\"{memory}]]}}\n{scenario}"));
    assert!(again.len() < 10_000);
    let error = read_link(&again).unwrap_err().to_string();
    assert!(error.contains("tools[0] is one scenario too many"), "{error}");
    for (open, close) in [("[", "]"), ("{\"tools\":[", "]}")] {
        let deep = packed(&format!("{}{}\n{{}}", open.repeat(100_000), close.repeat(100_000)));
        assert!(matches!(read_link(&deep), Err(LinkError::Unreadable(_))));
    }
    let many = packed(&format!("[{}]\n{{\"version\":1,\"kernels\":[{}]}}", "0,".repeat(900_000) + "0", "0,".repeat(900_000) + "0"));
    assert!(matches!(read_link(&many), Err(LinkError::Unreadable(_))));
    assert!(before.elapsed() < Duration::from_secs(5), "{:?}", before.elapsed());
}

#[test]
fn links_that_hold_something_else_say_what() {
    let table = "{\"version\":1,\"kernels\":[]}";
    let said = |state: &str, scenario: &str| read_link(&packed(&format!("{state}\n{scenario}"))).unwrap_err().to_string();
    let place = "{\"position\":0,\"at_ns\":0";
    assert!(said("{\"at_ns\":0}", table).ends_with("cannot be read: position is missing; it is required."));
    assert!(said(&format!("{place},\"zoom\":1}}"), table).contains("zoom: unknown field"));
    assert!(said(&format!("{place},\"view\":[5,5]}}"), table).contains("view is a list; a list of two numbers"));
    assert!(said(&format!("{place},\"op\":4294967296}}"), table).contains("op is 4294967296; at most 4294967295"));
    assert!(said(&format!("{place},\"tools\":[[\"a\",\"b\"]]}}"), table).contains("tools[0] has no value"));
    assert!(said(&format!("{place},\"tools\":[[\"a\",\"b\",7]]}}"), table).contains("tools[0] is scenario 7; there are 1"));
    assert!(said(&format!("{place}}}"), "{\"version\":4}").contains("version is 4; versions 1, 2 and 3 are read"));
    assert!(said(&format!("{place}}}"), "{\"version\":1,\"kernels\":[{\"name\":\"K\"}]}").contains("kernels[0].blocks is missing"));
    let large = Draft { name: "x".repeat(MAX_LINK_TEXT), ..Draft::default() };
    assert_eq!(write_link(&Link { scenario: large, ..Link::default() }, None), Err(LinkError::TooLarge));
}

/// With where the reader stands, what is selected, and a run beside it.
#[test]
fn links_of_the_built_in_scenarios_are_short() {
    let mut lengths = Vec::new();
    for example in examples::all() {
        let scenario = read_scenario(example.json).unwrap();
        let selected = scenario.kernels[0].name.clone();
        let memory = text(&[("pin", &*write_scenario(&scenario)), ("with", "policy=fifo")]);
        let tools = vec![("compare".to_owned(), memory::with(&memory, "run", vec!["policy=fifo", "pin"]))];
        let link =
            Link { scenario, position: 14, at_ns: 400_000_000, view: Some((-10, 1_234_567_890)), selected, tools, ..Link::default() };
        lengths.push((write_link(&link, Some(Embed::Both)).unwrap().len(), example.id));
    }
    println!("{lengths:?}");
    let long: Vec<_> = lengths.iter().filter(|(length, _)| *length >= PAPER_LINK).collect();
    assert!(long.is_empty(), "{long:?}");
}

/// Where a link of ours may lead: by http and https, or to a path from where it stands.
#[test]
fn links_lead_to_pages_alone() {
    for good in
        ["", "./", "index.html", "../blockstep/", "/blockstep/?embed=1", "a/b:c", "https://example.org/", "HTTP://127.0.0.1:8080/a?b"]
    {
        assert_eq!(no_page(good), None, "{good}");
    }
    for bad in [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "localhost:8080/",
        "//example.org/",
        "https://",
        "https:/example.org",
        "https:example.org",
        "page#v2=",
        " javascript:alert(1)",
        "java\nscript:alert(1)",
        "\\\\example.org",
        "a b",
    ] {
        assert!(no_page(bad).is_some(), "{bad}");
    }
}
