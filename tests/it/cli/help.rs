//! The help of every command on two terminals, and its page of the manual
//! (`tests/golden/help/*.txt`; rewritten by `BLESS=1 cargo test --test it --features measure,serve help_`).

use std::fs;

use blockstep_cli::command;
use blockstep_testing::golden::{compare, file};

use super::run;

const WIDTHS: [usize; 2] = [80, 120];

/// Every command that is listed, with those that it is under: `["policy", "check"]`, and none for the program.
fn commands() -> Vec<Vec<String>> {
    let mut all = vec![vec![]];
    let mut i = 0;
    while i < all.len() {
        let path: &Vec<String> = &all[i];
        let root = command();
        let here = path.iter().fold(&root, |here, name| here.find_subcommand(name).unwrap());
        let below = here.get_subcommands().filter(|sub| !sub.is_hide_set() && sub.get_name() != "help");
        let below: Vec<_> = below.map(|sub| [&path[..], &[sub.get_name().to_owned()]].concat()).collect();
        all.extend(below);
        i += 1;
    }
    all
}

/// The help as a terminal with so many columns shows it.
fn help(path: &[String], option: &str, width: usize) -> String {
    let args = std::iter::once("blockstep").chain(path.iter().map(String::as_str)).chain([option]);
    command().term_width(width).try_get_matches_from(args).unwrap_err().to_string()
}

/// Whether what is off by default is in this build.
fn is_whole() -> bool {
    ["measure", "serve"].iter().all(|name| command().find_subcommand(name).is_some())
}

#[test]
fn help_fits_a_terminal() {
    for path in commands() {
        for (option, width) in ["-h", "--help"].into_iter().flat_map(|option| WIDTHS.map(|width| (option, width))) {
            let help = help(&path, option, width);
            let long: Vec<&str> = help.lines().filter(|line| line.chars().count() > width).collect();
            assert!(long.is_empty(), "{path:?} {option} at {width}: {long:#?}");
        }
    }
}

#[test]
fn help_is_as_it_was_looked_at() {
    let mut differences = Vec::new();
    let mut names = Vec::new();
    for path in commands() {
        let name = format!("help/{}.txt", if path.is_empty() { "blockstep".to_owned() } else { path.join("-") });
        let mut text = String::new();
        for (option, width) in [("-h", 80), ("--help", 80), ("--help", 120)] {
            text += &format!("======== {option}, {width} columns\n{}\n", help(&path, option, width));
        }
        let (status, page, err) = run(&[&["man"], &path.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat());
        assert_eq!((status, err.as_str()), (0, ""));
        let version = command().get_version().unwrap().to_owned();
        let page = page.replace(&version, "VERSION").replace(&version.replace('-', "\\-"), "VERSION");
        text += &format!("======== man\n{page}");
        // The program lists all commands.
        if !path.is_empty() || is_whole() {
            differences.extend(compare(&name, &text));
        }
        names.push(name);
    }
    let meant = "If this is meant: BLESS=1 cargo test --test it --features measure,serve help_";
    assert!(differences.is_empty(), "{}\n{meant}", differences.join("\n"));
    if is_whole() {
        let files = fs::read_dir(file("help")).unwrap().map(|file| format!("help/{}", file.unwrap().file_name().to_str().unwrap()));
        let mut files: Vec<_> = files.collect();
        files.sort();
        names.sort();
        assert_eq!(files, names, "a command has no file, or a file no command");
    }
}

/// The commands of a line of a shell, without what it redirects, that are ours.
fn of_shell(line: &str) -> Vec<Vec<String>> {
    let (mut commands, mut words, mut word, mut quote) = (vec![], vec![], String::new(), None);
    for c in line.chars().chain([' ', '|']) {
        match (c, quote) {
            ('\'' | '"', None) => quote = Some(c),
            (_, Some(end)) if c == end => quote = None,
            (' ', None) if word.is_empty() => {}
            (' ', None) => words.push(std::mem::take(&mut word)),
            ('|', None) => commands.push(std::mem::take(&mut words)),
            _ => word.push(c),
        }
    }
    assert!(quote.is_none() && word.is_empty(), "{line}");
    for words in &mut commands {
        if let Some(at) = words.iter().position(|word| word == ">") {
            words.truncate(at);
        }
    }
    commands.retain(|words| words[0] == "blockstep");
    commands
}

#[test]
fn help_has_examples_that_the_command_takes() {
    for path in commands() {
        let help = help(&path, "--help", WIDTHS[0]);
        let below = help.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{path:?} has no examples:\n{help}")).1;
        let lines = below.lines().filter(|line| line.starts_with("  blockstep "));
        // What an example is for stands after two blanks.
        let lines: Vec<&str> = lines.map(|line| line.trim().split("  ").next().unwrap()).collect();
        // One that shares its line with words, or begins in the middle of it, would be lost.
        let is_lost = |line: &&str| line.contains(" blockstep ") && !line.starts_with("  blockstep ");
        assert_eq!(below.lines().find(is_lost), None, "{path:?}: an example is no line of its own:\n{below}");
        let start = std::iter::once("blockstep").chain(path.iter().map(String::as_str)).collect::<Vec<_>>().join(" ");
        assert!(lines.iter().any(|line| line.contains(&start)), "{path:?}: {lines:#?}");
        for line in lines {
            assert!(line.len() + 2 <= 78, "{line}");
            for words in of_shell(line) {
                let is_taken = command().try_get_matches_from(&words).map_or_else(|why| !why.use_stderr(), |_| true);
                assert!(is_taken, "{path:?}: {line}\n{:?}", command().try_get_matches_from(&words).err());
            }
        }
    }
}

/// The manual names the pages of what is below a command by names that have a page.
#[test]
fn help_in_the_manual_leads_to_pages_that_there_are() {
    for path in commands() {
        let page = run(&[&["man"], &path.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat()).1.replace('\\', "");
        let title = std::iter::once("blockstep").chain(path.iter().map(String::as_str)).collect::<Vec<_>>().join("-");
        assert!(page.contains(&format!(".TH {title} 1 ")), "{path:?}: {page}");
        let named: Vec<&str> = page.lines().filter_map(|line| line.strip_suffix("(1)")).filter(|name| !name.contains(' ')).collect();
        let below = commands().into_iter().filter(|other| other.len() == path.len() + 1 && other.starts_with(&path));
        let below: Vec<String> = below.map(|other| format!("blockstep-{}", other.join("-"))).collect();
        assert_eq!(named, below, "{path:?}");
    }
    assert_eq!(run(&["man", "measure-process"]).0, 2);
}

#[test]
fn help_is_in_american_spelling() {
    const BRITISH: [&str; 7] = ["colour", "grey", "utilis", "recognis", "behaviour", "centre", "licence"];
    for path in commands() {
        let help = help(&path, "--help", WIDTHS[1]).to_lowercase();
        let found: Vec<_> = BRITISH.iter().filter(|word| help.contains(**word)).collect();
        assert!(found.is_empty(), "{path:?}: {found:?}");
    }
}

#[test]
fn help_names_every_device() {
    for command in ["simulate", "check", "analyse", "validate", "trace"] {
        let help = help(&[command.to_owned()], "--help", WIDTHS[0]);
        let words: Vec<&str> = help.split([' ', ',', '\n', ';', '.']).collect();
        for device in &blockstep_sim::scenario::device::BUILT_IN {
            assert!(words.contains(&device.id), "{command}: {} is not in\n{help}", device.id);
        }
    }
}
