//! The texts of the page around its panels, and of its addresses. Depends on nothing.

// Links that keyboards meet first.

pub(crate) const SKIP_TO_TIMELINE: &str = "Skip to the timeline";
pub(crate) const SKIP_TO_QUEUES: &str = "Skip to the queues";
pub(crate) const SKIP_TO_TABLES: &str = "Skip to the tables";
pub(crate) const SKIP_TO_STEPS: &str = "Skip to the steps";

// Tabs of a narrow window.

pub(crate) const VIEWS: &str = "What to show";
pub(crate) const VIEW_TIMELINE: &str = "Timeline";
pub(crate) const VIEW_QUEUES: &str = "Queues";
pub(crate) const VIEW_STEPS: &str = "Steps";

// Panes, presenter view, foot.

pub(crate) const SIDE_WIDTH: &str = "Width of the side pane";
pub(crate) const LEAVE_PRESENTING: &str = "Leave the presenter view (Esc)";
pub(crate) const ABOUT: &str = "Blockstep simulates GPU scheduling as four papers describe it: [TX2] Amert et al., RTSS 2017; \
     [EDF] Capodieci et al., RTSS 2018; [LP] Spliet and Mullins, 2018; [MT] Muyan-Özçelik and Owens, 2016. Times are integer \
     nanoseconds. Everything runs in your browser.";

// The tooltip of a rule's chip.

/// All tooltips of rules begin with it.
pub(crate) const RULE: &str = "Rule";
pub(crate) const RULE_SOURCE: &str = "Source";

pub(crate) fn rule(id: &str) -> String {
    format!("{RULE} {id}")
}

// The browser's title, and addresses that lead nowhere.

pub(crate) fn title(page: &str) -> String {
    format!("{page} · Blockstep")
}

pub(crate) fn no_such_page(name: &str) -> String {
    format!("There is no page “{name}” here. This is the run.")
}

pub(crate) fn unknown_link(name: &str) -> String {
    format!("This link names “{name}”, which this page does not know. The page opened without it.")
}

pub(crate) fn unknown_step(step: &str) -> String {
    format!("This link asks for step “{step}”, which is not a whole number of 0 or more. It opens before the first step.")
}

pub(crate) fn unknown_example(id: &str) -> String {
    format!("This link asks for the example “{id}”, which does not exist. The scenario on screen is unchanged.")
}

/// What a scenario is called that came in a link.
pub(crate) const LINK: &str = "link";

pub(crate) const COPIED: &str = "Copied to the clipboard.";

// A bug of ours.

pub(crate) fn stopped(what: &str) -> String {
    format!("A bug in Blockstep stopped this page. Please report it. Your work is saved: reload the page to continue.\n{what}")
}
