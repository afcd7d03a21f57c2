//! The texts about whose work is on screen and where it is stored. Depends on nothing.

// What a link brought.

pub(crate) const FROM_LINK: &str = "From a link. Your own work is kept: ";
pub(crate) const BESIDE: &str = "Kept beside your own work: ";
pub(crate) const GO_BACK: &str = "go back to it";

// Other tabs.

pub(crate) const ELSEWHERE: &str = "Another tab has stored a newer version of this work.";
pub(crate) const SHOW_IT: &str = "Show it";

// What cannot be stored or read.

pub(crate) const FULL: &str =
    "The browser cannot keep all of this: it is too large, or storage is switched off. Save it as a file before you leave.";
pub(crate) const SAVE: &str = "Save as a file";
pub(crate) const ASIDE: &str = "Something that was stored cannot be read. It is put aside.";
pub(crate) const ASIDE_STAYS: &str = "Something that was stored cannot be read, and there is no room to put it aside. Nothing is stored in its place. \
     Download it, and delete it in the help.";
pub(crate) const ASIDE_FILE: &str = "blockstep-put-aside.txt";
pub(crate) const DOWNLOAD: &str = "Download it";

pub(crate) const DELETE_ASIDE: &str = "Delete it";

pub(crate) fn all_aside(texts: usize) -> String {
    match texts {
        1 => "A text that was stored could not be read. It is put aside.".to_owned(),
        _ => format!("{texts} texts that were stored could not be read. They are put aside."),
    }
}

// A run that did not finish.

pub(crate) const UNFINISHED: &str = "The last run did not finish.";
pub(crate) const OPEN_WITHOUT_RUNNING: &str = "Open it without running";
pub(crate) const START_EMPTY: &str = "Start empty";
pub(crate) const START_WITHOUT_LINK: &str = "Start without the link";
pub(crate) const EMPTY_KEEPS: &str = "Start empty keeps it among the kept scenarios.";
pub(crate) const SCENARIO_FILE: &str = "unfinished.json";
pub(crate) const LINK_FILE: &str = "unfinished-link.txt";

// The kept scenarios.

pub(crate) const KEPT: &str = "Kept";
pub(crate) const KEPT_TITLE: &str = "Kept scenarios";
pub(crate) const KEPT_HELP: &str = "Scenarios that came by link and that you have changed, beside your own work. The last ten are kept.";
pub(crate) const OWN_WORK: &str = "Your own work";
pub(crate) const UNNAMED: &str = "Without a name";
pub(crate) const ON_SCREEN: &str = "on screen";
pub(crate) const OPEN: &str = "Open";
pub(crate) const SAVE_IT: &str = "Save";
pub(crate) const DELETE: &str = "Delete";

/// What a button does with which scenario.
pub(crate) fn does(what: &str, name: &str) -> String {
    format!("{what} {name}")
}

pub(crate) fn kept_file(id: u64) -> String {
    format!("kept-{id}.json")
}
