//! The texts of the block timeline, and of what is dragged there and in the queues. Depends on nothing.

pub(crate) const TITLE: &str = "Block timeline";

// Buttons above it.

pub(crate) const BOOKMARKS: &str = "Moments to look at";
pub(crate) const SHOW_EACH_SM: &str = "Show each SM";
pub(crate) const GROUP_SMS: &str = "Group SMs";
pub(crate) const ZOOM: &str = "Zoom";
pub(crate) const FIT_HELP: &str = "Show the whole run (F or double click)";

// The picture.

/// Of the whole picture, for screen readers, while a quiz asks.
pub(crate) const HIDDEN: &str = "Hidden until you answer";
pub(crate) const FUTURE_HIDDEN: &str = "The future is hidden";
pub(crate) const CURRENT_TIME: &str = "Current time; drag, or step with the arrow keys";
pub(crate) const HEIGHT: &str = "Height of the timeline";

// Dragging.

pub(crate) const DRAG_KEYS: &str = "Alt: without snapping. Esc: cancel";
pub(crate) const DROP_ON_STREAM: &str = "Drop it on a stream queue";

pub(crate) fn to_stream(stream: &str) -> String {
    format!("to stream {stream}")
}

pub(crate) fn dragged(kernel: &str, change: &str) -> String {
    format!("{kernel}: {change}. Press Ctrl+Z to undo.")
}

pub(crate) fn moved_to_stream(kernel: &str, stream: &str) -> String {
    format!("{kernel} is in stream {stream} now. Press Ctrl+Z to undo.")
}

// The same by keys.

pub(crate) const SELECT_FIRST: &str = "Select a kernel first: click a block, an arrow or a color in the table.";

pub(crate) fn nudged(kernel: &str, change: &str) -> String {
    format!("{kernel}: {change}")
}

pub(crate) fn individual_times(kernel: &str) -> String {
    format!("The blocks of {kernel} have individual times: edit the list in the table.")
}
