//! Scrolling sideways until something is in sight whole: browsers are content with a part of a list of choices, or of a long label.
//!
//! Invariant: what is in sight already stays where it is.

use web_sys::Element;

/// Scrolls `place` so that `one`, which is in it, is in sight whole, between its left edge and `right`, px from the left of the window.
pub fn show_across(place: &Element, one: &Element, right: f64) {
    let (all, one) = (place.get_bounding_client_rect(), one.get_bounding_client_rect());
    let by = (one.right() - right.min(all.right())).max(0.0) + (one.left() - all.left()).min(0.0);
    place.set_scroll_left(place.scroll_left() + by.round() as i32);
}
