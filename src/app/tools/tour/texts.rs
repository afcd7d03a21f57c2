//! The texts of "Tours": every word that a reader meets there, but for the tours themselves. Depends on nothing.
#![cfg_attr(not(target_arch = "wasm32"), expect(dead_code, reason = "panels are on the page alone"))]

// The list.

pub(super) const LEAD: &str = "Each tour explains one figure of a paper. You predict, then see what happens and which rule decides.";
pub(super) const FIRST_PATH: &str = "First path: five tours";
pub(super) const TX2: &str = "How one GPU schedules (Amert et al. 2017)";
pub(super) const EDF: &str = "Deadlines and servers (Capodieci et al. 2018)";
pub(super) const LP: &str = "Limited preemption (Spliet and Mullins 2018)";
pub(super) const CUDA: &str = "What the program makes the GPU wait for";
pub(super) const MT: &str = "Multitasking schedulers (Muyan-\u{d6}z\u{e7}elik and Owens 2016)";
pub(super) const COMPLETED: &str = "\u{2713} completed";

pub(super) fn no_tour(id: &str) -> String {
    format!("There is no tour \"{id}\". Choose one of these.")
}

pub(super) fn no_stop(tour: &str, stop: &str, count: usize) -> String {
    format!("{tour} has no stop \"{stop}\"; it has {count}.")
}

pub(super) fn paper(paper: &str, about: &str) -> String {
    format!("[{paper}] {about}")
}

pub(super) fn tour(figure: &str, title: &str) -> String {
    format!("{figure}: {title}")
}

/// Where tours of several papers are in one list.
pub(super) fn tour_of(paper: &str, figure: &str, title: &str) -> String {
    format!("[{paper}] {figure}: {title}")
}

pub(super) fn about(about: &str, stops: usize) -> String {
    format!("{about} {stops} stops, about {stops} minutes.")
}

pub(super) fn resume(stop: usize) -> String {
    format!("Resume at stop {stop}")
}

pub(super) fn resume_of(stop: usize, tour: &str) -> String {
    format!("Resume at stop {stop} of {tour}")
}

// A stop.

pub(super) const GO_TO: &str = "Go to stop";
pub(super) const AWAY: &str = "You left this stop.";
pub(super) const RETURN: &str = "Return to this stop";

pub(super) fn numbered(number: usize, title: &str) -> String {
    format!("{number}. {title}")
}

pub(super) fn arrived(label: &str, title: &str) -> String {
    format!("{label}: {title}")
}

// Its question.

pub(super) const RIGHT: &str = "Right. ";
pub(super) const WRONG: &str = "Not quite. ";
pub(super) const ANSWER: &str = "The answer: ";
pub(super) const IS_RIGHT: &str = "(\u{2713} right)";
pub(super) const CHOSE_RIGHT: &str = "(\u{2713} right, your answer)";
pub(super) const CHOSE_WRONG: &str = "(\u{2717} your answer)";

pub(super) fn said_right(why: &str) -> String {
    format!("Right. {why}")
}

pub(super) fn said_wrong(why: &str, answer: &str) -> String {
    format!("Not quite. {why} The answer: {answer}")
}

pub(super) fn said_answer(answer: &str) -> String {
    format!("The answer: {answer}")
}

// Its buttons.

pub(super) const BACK: &str = "Back";
pub(super) const SHOW_ANSWER: &str = "Show the answer";
pub(super) const NEXT: &str = "Next";
pub(super) const FINISH: &str = "Finish";
pub(super) const LEAVE: &str = "Leave the tour";
pub(super) const LEFT: &str = "List of tours.";
pub(super) const COPY_LINK: &str = "Copy a link to this stop";
