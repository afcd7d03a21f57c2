//! What ties the page's HTML to the state: bindings and listeners, by the ids of elements.
//!
//! Depends on Leptos's signals and effects, and on the browser. Invariant: a binding changes one
//! thing of one element, and only when its value changes, so that focus and selection stay. The page
//! is HTML and not a tree of typed views because that is half the size to download.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;

/// Does something now that the page stands, and whenever what it read of the state changes.
pub(crate) fn effect(f: impl FnMut() + 'static) {
    boxed_effect(Box::new(f));
}

#[inline(never)]
fn boxed_effect(mut f: Box<dyn FnMut()>) {
    Effect::new(move |_: Option<()>| f());
}

/// Listens to an event of the element with this id; of those inside it too, where it bubbles.
pub(crate) fn listen<E: JsCast>(id: &'static str, event: &'static str, mut handler: impl FnMut(&E) + 'static) {
    listen_boxed(id, event, Box::new(move |event: web_sys::Event| handler(event.unchecked_ref())));
}

#[inline(never)]
fn listen_boxed(id: &'static str, event: &'static str, handler: Box<dyn FnMut(web_sys::Event)>) {
    // It listens as long as the element is there, which is as long as the page.
    let handler = Closure::wrap(handler).into_js_value();
    effect(move || {
        if let Some(element) = document().get_element_by_id(id) {
            // A function can always listen.
            let _ = element.add_event_listener_with_callback(event, handler.unchecked_ref());
        }
    });
}

/// The element with this id, as what it is.
pub(crate) fn by_id<E: JsCast>(id: &str) -> Option<E> {
    document().get_element_by_id(id)?.dyn_into().ok()
}

/// What of an element follows the state.
#[derive(Clone, Copy)]
pub(crate) enum Of {
    /// Its text.
    Text,
    /// Its content.
    Html,
    /// An attribute; empty values are attributes too.
    Attribute(&'static str),
    /// An attribute that is there while the value is not empty.
    Flag(&'static str),
    /// What a control holds.
    Value,
}

/// Binds something of the element with this id, which may come later, to the state.
pub(crate) fn bind(id: &'static str, of: Of, value: impl Fn() -> String + 'static) {
    bind_boxed(id, of, Box::new(value));
}

fn bind_boxed(id: &'static str, of: Of, value: Box<dyn Fn() -> String>) {
    let mut last = None;
    effect(move || {
        let value = value();
        let Some(element) = document().get_element_by_id(id) else { return };
        let is_new = last.as_ref() != Some(&value);
        match of {
            // The user may have changed it since.
            Of::Value => drop(js_sys::Reflect::set(&element, &"value".into(), &value.as_str().into())),
            _ if !is_new => {}
            Of::Text => element.set_text_content(Some(&value)),
            Of::Html => element.set_inner_html(&value),
            // These names are attributes' names.
            Of::Attribute(name) => drop(element.set_attribute(name, &value)),
            Of::Flag(name) => drop(element.toggle_attribute_with_force(name, !value.is_empty())),
        }
        last = Some(value);
    });
}

/// Puts HTML into an element; the focus, what is being typed, and how far things are scrolled stay
/// with what has the same `key`, an attribute.
pub(crate) fn set_html(element: &web_sys::Element, html: &str, key: &str) {
    let focused = document().active_element().filter(|e| element.contains(Some(e)) && e.has_attribute(key));
    let keyed = || {
        let list = element.query_selector_all(&format!("[{key}]")).ok();
        let list = list.into_iter().flat_map(|list| (0..list.length()).filter_map(move |i| list.item(i)));
        list.filter_map(|e| e.dyn_into::<web_sys::HtmlElement>().ok())
    };
    let name = |e: &web_sys::Element| e.get_attribute(key);
    let scrolled: Vec<_> = keyed().map(|e| (name(&e), e.scroll_left(), e.scroll_top())).filter(|s| s.1 != 0 || s.2 != 0).collect();
    element.set_inner_html(html);
    for now in keyed() {
        let this = name(&now);
        if let Some(before) = focused.as_ref().filter(|e| name(e) == this) {
            // Typed since it was asked for; others than texts do not take a selection, which is as well.
            for property in ["value", "selectionStart", "selectionEnd"] {
                let property = property.into();
                let _ = js_sys::Reflect::get(before, &property).and_then(|value| js_sys::Reflect::set(&now, &property, &value));
            }
            // Cannot fail on an element of this document.
            let _ = now.focus();
        }
        if let Some((_, left, top)) = scrolled.iter().find(|s| s.0 == this) {
            now.set_scroll_left(*left);
            now.set_scroll_top(*top);
        }
    }
}

/// What the named controls of a form hold, as a query.
pub(crate) fn form_query(id: &str) -> String {
    let form = by_id::<web_sys::HtmlFormElement>(id).and_then(|form| web_sys::FormData::new_with_form(&form).ok());
    let query = form.and_then(|form| web_sys::UrlSearchParams::new_with_str_sequence_sequence(&form).ok());
    query.map_or_else(String::new, |query| String::from(query.to_string()))
}

/// A flag's value.
pub(crate) fn flag(is_set: bool) -> String {
    if is_set { "1".to_owned() } else { String::new() }
}

/// The element an event happened at.
pub(crate) fn target(event: &web_sys::Event) -> Option<web_sys::Element> {
    event.target()?.dyn_into().ok()
}

/// What an attribute of the element an event happened at says, or of one around it.
pub(crate) fn said(event: &web_sys::Event, attribute: &str) -> Option<String> {
    let element = target(event)?.closest(&format!("[{attribute}]")).ok().flatten()?;
    element.get_attribute(attribute)
}

/// What the control an event happened at holds now.
pub(crate) fn held(event: &web_sys::Event) -> String {
    event.target().and_then(|t| js_sys::Reflect::get(&t, &"value".into()).ok()).and_then(|v| v.as_string()).unwrap_or_default()
}
