//! Texts of a user's, made harmless.
//!
//! Invariant: what a user wrote never turns the direction of the text around it.

/// A text that may hold names of a user's, without characters that turn the direction of what stands around them.
pub fn safe(text: &str) -> String {
    blockstep_sim::scenario::plain(text)
}

/// The same, if it shows what a field that holds the text does not.
pub fn with_unseen(text: &str) -> Option<String> {
    let shown = if text.is_ascii() { None } else { Some(safe(text)) };
    shown.filter(|shown| shown != text)
}

/// A time in UTC in the reader's own time, to the second; as it is if the browser cannot read it.
pub fn spoken_time(utc: &str) -> String {
    let date = js_sys::Date::new(&utc.into());
    if date.get_time().is_nan() { utc.to_owned() } else { String::from(date.to_locale_string("en-GB", &wasm_bindgen::JsValue::UNDEFINED)) }
}
