//! The table of commands: keys, menus and the list of keys agree.

use std::collections::BTreeSet;

use blockstep_tools::ToolId;
use blockstep_tools::commands::{Command, KEYS, menu};

#[test]
fn commands_have_a_key_each_at_most_and_are_found_by_it() {
    let mut keys = BTreeSet::new();
    for command in Command::all().filter(|command| !command.about().key.is_empty()) {
        let key = command.about().key;
        assert!(keys.insert(key), "{key} belongs to two commands");
        let (is_ctrl, plain) = key.strip_prefix("Ctrl+").map_or((false, key), |plain| (true, plain));
        assert_eq!(Command::of_key(plain, is_ctrl, false), Some(command));
        if plain.len() == 1 && plain != " " {
            assert_eq!(Command::of_key(&plain.to_uppercase(), is_ctrl, plain == "?"), Some(command), "with Caps Lock");
        }
    }
    assert_eq!(Command::of_key("Z", true, true), Some(Command::Redo));
    assert_eq!(Command::of_key("z", false, false), None);
    assert_eq!(Command::of_key("", false, false), None);
}

#[test]
fn commands_with_a_key_stand_in_the_list_of_keys_once() {
    let listed: Vec<Command> = KEYS.iter().flat_map(|(commands, _)| commands.iter().copied()).collect();
    for command in Command::all() {
        let times = listed.iter().filter(|of| **of == command).count();
        assert_eq!(times, usize::from(!command.about().key.is_empty()), "{command:?}");
        assert!(!command.about().title.is_empty(), "{command:?}");
    }
    assert!(listed.iter().all(|command| !command.key_name().is_empty()));
}

#[test]
fn commands_of_the_menu_are_ten() {
    let titles: Vec<_> = menu().iter().map(|command| command.about().title).collect();
    let expected = [
        "Tours",
        "Predict",
        "Make an exercise",
        "Rules and terms",
        "Find an example",
        "Can it hang?",
        "Open a trace",
        "A policy of your own",
        "Presenter view",
        "My scenarios",
    ];
    assert_eq!(titles, expected);
    assert!(menu().iter().all(|command| !command.menu_help().is_empty()));
}

#[test]
fn commands_open_every_tool_by_its_name() {
    for &tool in ToolId::ALL {
        let info = tool.info();
        assert_eq!(ToolId::from_name(info.name), Some(tool));
        assert!(!info.title.is_empty() && !info.help.is_empty());
        assert!(info.place.is_some() || info.tabs.is_empty(), "{tool:?}");
        assert!(tool.sharers().all(|other| other.info().place == info.place));
    }
}

/// A tour and the glossary say themselves what they do not find.
#[test]
fn tools_take_no_word_of_another_form_than_theirs() {
    for tool in ToolId::ALL.iter().copied() {
        let says_so = matches!(tool, ToolId::Tour | ToolId::Glossary);
        for word in ["nope", "op:nope", "rule"] {
            assert_eq!(tool.takes(word), says_so, "{} {word}", tool.info().name);
        }
        assert!(tool.takes(""), "{}", tool.info().name);
    }
    for (tool, word) in [
        (ToolId::Ask, "op:3"),
        (ToolId::Ask, "gap:0"),
        (ToolId::Find, "copies"),
        (ToolId::Export, "simso"),
        (ToolId::Rules, "rule=X1"),
        (ToolId::Compare, "policy=fifo&variant=last-fit"),
        (ToolId::Quiz, "seed=7&n=5&kinds=all"),
    ] {
        assert!(tool.takes(word), "{} {word}", tool.info().name);
    }
}

#[test]
fn undo_says_what_it_takes_back() {
    assert_eq!(Command::Undo.tooltip_of("blocks of K1 from 6 to 4"), "Undo: blocks of K1 from 6 to 4 (Ctrl+Z)");
    assert_eq!(Command::Undo.tooltip_of(""), "Undo (Ctrl+Z)");
}
