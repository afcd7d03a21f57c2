//! Mounting in a container of its own, acting by the events that a reader's hand would cause, and waiting.
//!
//! Invariant: nothing here waits for a while, only for a condition.

use std::cell::RefCell;

use leptos::mount::{UnmountHandle, mount_to};
use leptos::prelude::*;
use leptos::tachys::view::any_view::AnyViewState;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Element, EventTarget, HtmlElement, HtmlInputElement};

/// What a test has mounted; it is taken away when the test ends, or before the next one if it failed.
pub struct Mounted {
    container: HtmlElement,
}

thread_local! {
    static LAST: RefCell<Option<UnmountHandle<AnyViewState>>> = const { RefCell::new(None) };
}

/// The style sheet of the page, so that things have their sizes.
const STYLE: &str = concat!(
    include_str!("../../../../style/main.css"),
    include_str!("../../../../style/policy.css"),
    include_str!("../../../../style/path.css"),
    include_str!("../../../../style/explore.css")
);

/// Mounts a view in an empty container, 1,000 px wide, over what the runner shows, with an empty storage.
pub async fn mount<V: IntoView>(view: impl FnOnce() -> V + 'static) -> Mounted {
    drop(LAST.take());
    let document = document();
    if document.get_element_by_id("style").is_none() {
        let style = document.create_element("style").unwrap();
        style.set_id("style");
        style.set_text_content(Some(STYLE));
        document.head().unwrap().append_child(&style).unwrap();
    }
    if let Some(earlier) = document.get_element_by_id("container") {
        earlier.remove();
    }
    for storage in [window().local_storage(), window().session_storage()] {
        storage.unwrap().unwrap().clear().unwrap();
    }
    let container: HtmlElement = document.create_element("div").unwrap().unchecked_into();
    container.set_id("container");
    // At whole pixels, as pointers are.
    container.set_attribute("style", "position:absolute;left:0;top:0;width:1000px").unwrap();
    document.body().unwrap().append_child(&container).unwrap();
    LAST.set(Some(mount_to(container.clone(), move || view().into_any())));
    tick().await;
    Mounted { container }
}

/// Lets effects run, and what they cause.
pub async fn tick() {
    leptos::task::tick().await;
    next_task().await;
}

/// Until the browser has done what it has to do by now.
async fn next_task() {
    let later = js_sys::Promise::new(&mut |resolve, _| {
        window().set_timeout_with_callback(&resolve).unwrap();
    });
    JsFuture::from(later).await.unwrap();
}

/// Until the next frame is painted.
pub async fn frame() {
    let later = js_sys::Promise::new(&mut |resolve, _| {
        window().request_animation_frame(&resolve).unwrap();
    });
    JsFuture::from(later).await.unwrap();
    tick().await;
}

/// How long anything may take before a test fails, ms: as in `tests/e2e/page.mjs`.
const PATIENCE_MS: f64 = 120_000.0;

/// Waits until something holds.
pub async fn until(condition: impl Fn() -> bool) {
    let begun = js_sys::Date::now();
    while !condition() {
        assert!(js_sys::Date::now() - begun < PATIENCE_MS, "what the test waits for never came");
        frame().await;
    }
}

impl Mounted {
    /// The first element that a selector finds.
    pub fn find(&self, selector: &str) -> HtmlElement {
        self.try_find(selector).unwrap_or_else(|| panic!("no {selector} in {}", self.container.inner_html()))
    }

    pub fn try_find(&self, selector: &str) -> Option<HtmlElement> {
        self.container.query_selector(selector).unwrap().map(JsCast::unchecked_into)
    }

    pub fn all(&self, selector: &str) -> Vec<HtmlElement> {
        let found = self.container.query_selector_all(selector).unwrap();
        (0..found.length()).map(|i| found.item(i).unwrap().unchecked_into()).collect()
    }

    pub fn count(&self, selector: &str) -> usize {
        self.all(selector).len()
    }

    /// The texts of all that a selector finds.
    pub fn texts(&self, selector: &str) -> Vec<String> {
        self.all(selector).iter().map(text_of).collect()
    }

    pub fn text(&self, selector: &str) -> String {
        text_of(&self.find(selector))
    }

    pub fn attribute(&self, selector: &str, name: &str) -> Option<String> {
        self.find(selector).get_attribute(name)
    }

    /// An attribute of all that a selector finds and that have it.
    pub fn attributes(&self, selector: &str, name: &str) -> Vec<String> {
        self.all(selector).iter().filter_map(|of| of.get_attribute(name)).collect()
    }

    pub fn has_class(&self, selector: &str, class: &str) -> bool {
        self.find(selector).class_list().contains(class)
    }

    /// What a field holds.
    pub fn value(&self, selector: &str) -> String {
        value_of(&self.find(selector))
    }

    /// What each of the fields holds that a selector finds.
    pub fn values(&self, selector: &str) -> Vec<String> {
        self.all(selector).iter().map(value_of).collect()
    }

    pub async fn click(&self, selector: &str) {
        self.find(selector).click();
        tick().await;
    }

    /// Types a text in the place of what a field holds, and stays in it.
    pub async fn type_into(&self, selector: &str, text: &str) {
        let field = self.find(selector);
        let _ = field.focus();
        set_value(&field, text);
        send(&field, "InputEvent", "input", &[]);
        tick().await;
    }

    /// Leaves a field, as Tab does.
    pub async fn leave(&self, selector: &str) {
        let field = self.find(selector);
        send(&field, "Event", "change", &[]);
        let _ = field.blur();
        send(&field, "FocusEvent", "focusout", &[]);
        tick().await;
    }

    /// Types a text in the place of what a field holds, and leaves it.
    pub async fn enter(&self, selector: &str, text: &str) {
        self.type_into(selector, text).await;
        self.leave(selector).await;
    }

    /// Chooses an option of a list.
    pub async fn choose(&self, selector: &str, value: &str) {
        let list = self.find(selector);
        set_value(&list, value);
        send(&list, "Event", "change", &[]);
        tick().await;
    }

    /// Presses a key in an element, which has the focus by then; whether nobody has taken it.
    pub async fn key(&self, selector: &str, key: &str) -> bool {
        self.key_with(selector, key, &[]).await
    }

    /// The same with others held: `ctrlKey`, `shiftKey`.
    pub async fn key_with(&self, selector: &str, key: &str, held: &[&str]) -> bool {
        let element = self.find(selector);
        let _ = element.focus();
        let mut init = vec![("key", JsValue::from(key))];
        init.extend(held.iter().map(|held| (*held, JsValue::TRUE)));
        let is_free = send(&element, "KeyboardEvent", "keydown", &init);
        tick().await;
        is_free
    }

    /// A pointer event at a place of the window, px.
    pub async fn pointer(&self, selector: &str, kind: &str, (x, y): (f64, f64)) {
        let init = [("clientX", x.into()), ("clientY", y.into()), ("pointerId", 7.into()), ("button", 0.into())];
        send(&self.find(selector), "PointerEvent", kind, &init);
        tick().await;
    }

    /// Pastes a text; whether nobody has taken it.
    pub async fn paste(&self, selector: &str, text: &str) -> bool {
        // Firefox takes no `clipboardData` for an event that a script makes.
        let make = js_sys::Function::new_with_args(
            "text",
            "const data = new DataTransfer(), event = new ClipboardEvent('paste', { bubbles: true, cancelable: true });
             data.setData('text/plain', text);
             return Object.defineProperty(event, 'clipboardData', { value: data })",
        );
        let event = make.call1(&JsValue::NULL, &text.into()).unwrap();
        let is_free = self.find(selector).dispatch_event(event.unchecked_ref()).unwrap();
        tick().await;
        is_free
    }

    /// Whether an element has the focus.
    pub fn has_focus(&self, selector: &str) -> bool {
        document().active_element().is_some_and(|active| active.is_same_node(Some(&self.find(selector))))
    }
}

/// The text of an element as it is read, with single spaces.
pub fn text_of(element: &HtmlElement) -> String {
    element.text_content().unwrap_or_default().split_whitespace().collect::<Vec<_>>().join(" ")
}

fn value_of(field: &HtmlElement) -> String {
    js_sys::Reflect::get(field, &"value".into()).unwrap().as_string().unwrap()
}

fn set_value(field: &HtmlElement, value: &str) {
    match field.dyn_ref::<HtmlInputElement>() {
        Some(input) => input.set_value(value),
        None => drop(js_sys::Reflect::set(field, &"value".into(), &value.into()).unwrap()),
    }
}

/// Sends an event of a class; whether nobody has prevented what the browser would do.
pub fn send(target: &EventTarget, class: &str, kind: &str, init: &[(&str, JsValue)]) -> bool {
    let options = js_sys::Object::new();
    for (name, value) in [("bubbles", JsValue::TRUE), ("cancelable", JsValue::TRUE)].iter().chain(init) {
        js_sys::Reflect::set(&options, &(*name).into(), value).unwrap();
    }
    let make = js_sys::Function::new_with_args("name,kind,options", "return new globalThis[name](kind, options)");
    let event = make.call3(&JsValue::NULL, &class.into(), &kind.into(), &options).unwrap();
    target.dispatch_event(event.unchecked_ref()).unwrap()
}

/// The middle of an element in the window, px.
pub fn middle(element: &Element) -> (f64, f64) {
    let rect = element.get_bounding_client_rect();
    (rect.left() + rect.width() / 2.0, rect.top() + rect.height() / 2.0)
}

/// A list of what callbacks were told.
pub fn told<T: Send + Sync + 'static>() -> RwSignal<Vec<T>> {
    RwSignal::new(Vec::new())
}
