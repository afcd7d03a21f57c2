//! The page in an element of its own, and the hands that work it.
//!
//! Acts are events of the DOM as a browser sends them; after each, the page gets the time to
//! follow. What is read is what stands on the page.

use std::any::Any;
use std::cell::RefCell;

use js_sys::{Array, Function, Promise};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{HtmlElement, HtmlInputElement, HtmlSelectElement};

/// Longest wait for something that has to come, in polls of 20 ms: two minutes, as a busy machine takes long.
const POLLS: u32 = 6_000;

/// Columns of the kernel table.
pub(crate) const NAME: usize = 0;
pub(crate) const STREAM: usize = 2;
pub(crate) const START: usize = 3;
pub(crate) const BLOCKS: usize = 4;
pub(crate) const THREADS: usize = 5;
pub(crate) const TIME: usize = 6;
pub(crate) const AFTER: usize = 16;

thread_local! {
    /// What keeps the page mounted; not in `Page`, so that a test that fails leaves no page behind
    /// that still listens to keys.
    static MOUNTED: RefCell<Option<Box<dyn Any>>> = const { RefCell::new(None) };
}

/// The page, mounted.
pub(crate) struct Page {
    root: HtmlElement,
}

impl Page {
    /// The page of somebody who has never been here, at its first bookmark, where something waits.
    pub(crate) async fn open() -> Self {
        let storage = window().local_storage().unwrap().unwrap();
        storage.clear().unwrap();
        let page = Self::reopen().await;
        page.click("[data-bookmark]").await;
        page
    }

    /// The page again, with what the browser kept.
    pub(crate) async fn reopen() -> Self {
        let document = window().document().unwrap();
        // What a test before this one left, if it failed.
        if let Some(left) = MOUNTED.take() {
            pause(200).await;
            drop(left);
        }
        js("", "document.querySelectorAll('.page-under-test').forEach((old) => old.remove())", &[]);
        if document.get_element_by_id("looks").is_none() {
            let style = document.create_element("style").unwrap();
            style.set_id("looks");
            style.set_text_content(Some(include_str!("../../style/main.css")));
            document.head().unwrap().append_child(&style).unwrap();
        }
        let root: HtmlElement = document.create_element("div").unwrap().unchecked_into();
        root.set_class_name("page-under-test");
        document.body().unwrap().append_child(&root).unwrap();
        MOUNTED.set(Some(Box::new(blockstep::mount_in(root.clone()))));
        let page = Self { root };
        page.settle().await;
        page
    }

    /// Takes the page away, after what it still had to do: it keeps the work 150 ms after an edit.
    pub(crate) async fn close(self) {
        pause(200).await;
        self.settle().await;
        drop(MOUNTED.take());
        self.root.remove();
    }

    /// The page has followed what was done.
    pub(crate) async fn settle(&self) {
        for _ in 0..2 {
            run_promise("return new Promise((done) => requestAnimationFrame(() => setTimeout(done, 0)))").await;
        }
    }

    // ---- Reading ----

    pub(crate) fn all(&self, css: &str) -> Vec<HtmlElement> {
        let found = self.root.query_selector_all(css).unwrap();
        (0..found.length()).map(|i| found.item(i).unwrap().unchecked_into()).collect()
    }

    pub(crate) fn count(&self, css: &str) -> usize {
        self.all(css).len()
    }

    pub(crate) fn find(&self, css: &str) -> HtmlElement {
        let found = self.root.query_selector(css).unwrap();
        found.unwrap_or_else(|| panic!("the page has no {css}")).unchecked_into()
    }

    /// The text of the one element that is meant, without blanks around it.
    pub(crate) fn text(&self, css: &str) -> String {
        self.find(css).text_content().unwrap_or_default().trim().to_owned()
    }

    pub(crate) fn texts(&self, css: &str) -> Vec<String> {
        self.all(css).iter().map(|e| e.text_content().unwrap_or_default().trim().to_owned()).collect()
    }

    pub(crate) fn attribute(&self, css: &str, name: &str) -> Option<String> {
        self.find(css).get_attribute(name)
    }

    /// What stands in an input or a select.
    pub(crate) fn value(&self, css: &str) -> String {
        value_of(&self.find(css))
    }

    /// The text of a cell of the kernel table.
    pub(crate) fn kernel(&self, row: usize, column: usize) -> String {
        self.value(&kernel_cell(row, column))
    }

    /// The names of the kernel rows, in order.
    pub(crate) fn kernels(&self) -> Vec<String> {
        self.all("#kernels tbody tr").iter().map(|row| value_of(&row.query_selector("[data-field=name] input").unwrap().unwrap())).collect()
    }

    /// Steps applied and steps of the run.
    pub(crate) fn step(&self) -> (u32, u32) {
        let text = self.text("#step-number").replace(',', "");
        let numbers: Vec<u32> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        match numbers[..] {
            [position, count, ..] => (position, count),
            _ => panic!("{text:?} has no step and number of steps"),
        }
    }

    pub(crate) fn now(&self) -> String {
        self.text("#step-time")
    }

    /// The last step applied, in words.
    pub(crate) fn current_step(&self) -> String {
        self.text(".step.current .step-text")
    }

    /// What the timeline says to those who cannot see it.
    pub(crate) fn timeline_name(&self) -> String {
        self.attribute("#timeline", "aria-label").unwrap()
    }

    /// A fingerprint of the timeline's picture, every pixel of it.
    pub(crate) fn timeline_pixels(&self) -> String {
        let body = "const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
            let mark = 0;
            for (const value of new Uint32Array(data.buffer)) mark = (Math.imul(mark, 31) + value) | 0;
            return `${canvas.width} x ${canvas.height}: ${mark}`";
        js("canvas", body, &[&self.find("#timeline")]).as_string().unwrap()
    }

    /// A queue of the diagram: its operations in order, `*` for those dispatched.
    pub(crate) fn queue(&self, name: &str) -> Vec<String> {
        let place = format!("[data-queue={name:?}]");
        self.find(&place);
        let item = |e: &HtmlElement| {
            let dispatched = if e.class_list().contains("dispatched") { "*" } else { "" };
            format!("{}{dispatched}", e.get_attribute("data-item").unwrap())
        };
        self.all(&format!("{place} [data-item]")).iter().map(item).collect()
    }

    // ---- Acting ----

    pub(crate) async fn click(&self, css: &str) {
        self.find(css).click();
        self.settle().await;
    }

    /// Replaces what stands in a field at once, as dictation or pasting does.
    pub(crate) async fn type_into(&self, css: &str, text: &str) {
        let field: HtmlInputElement = self.find(css).unchecked_into();
        field.focus().unwrap();
        field.set_value(text);
        fire(&field, "input");
        self.settle().await;
    }

    /// Replaces what stands in a field letter by letter; the page follows each.
    pub(crate) async fn type_letters(&self, css: &str, text: &str) {
        for (i, letter) in text.char_indices() {
            self.type_into(css, &text[..i + letter.len_utf8()]).await;
        }
    }

    /// Types a text into a field at once and leaves the field.
    pub(crate) async fn enter(&self, css: &str, text: &str) {
        self.type_into(css, text).await;
        let field = self.find(css);
        fire(&field, "change");
        field.blur().unwrap();
        self.settle().await;
    }

    pub(crate) async fn enter_kernel(&self, row: usize, column: usize, text: &str) {
        self.enter(&kernel_cell(row, column), text).await;
    }

    pub(crate) async fn pick(&self, css: &str, value: &str) {
        let select: HtmlSelectElement = self.find(css).unchecked_into();
        select.set_value(value);
        assert_eq!(select.value(), value, "{css} offers {value}");
        fire(&select, "input");
        fire(&select, "change");
        self.settle().await;
    }

    /// Presses a key where the focus is; `ctrl` with the control key.
    pub(crate) async fn press(&self, key: &str) {
        let (ctrl, key) = key.strip_prefix("Ctrl+").map_or((false, key), |key| (true, key));
        let body = "const at = document.activeElement ?? document.body;
            at.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey, bubbles: true, cancelable: true }));
            at.dispatchEvent(new KeyboardEvent('keyup', { key, ctrlKey, bubbles: true, cancelable: true }));";
        js("key, ctrlKey", body, &[&key.into(), &ctrl.into()]);
        self.settle().await;
    }

    /// Has nothing of the reader stay in the tables, so that the axis is as long as the run.
    pub(crate) async fn leave_tables(&self) {
        js("", "document.activeElement?.blur();", &[]);
        self.settle().await;
    }

    /// Pastes cells, which are shown before they are taken.
    pub(crate) async fn paste(&self, css: &str, text: &str) {
        let body = "at.focus();
            const clipboardData = new DataTransfer();
            clipboardData.setData('text/plain', text);
            at.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));";
        js("at, text", body, &[&self.find(css), &text.into()]);
        self.settle().await;
    }

    /// Picks a file in the dialog of "Open".
    pub(crate) async fn open_file(&self, name: &str, text: &str) {
        let body = "const files = new DataTransfer();
            files.items.add(new File([text], name, { type: 'application/json' }));
            input.files = files.files;
            input.dispatchEvent(new Event('change', { bubbles: true }));";
        js("input, name, text", body, &[&self.find("#open-file"), &name.into(), &text.into()]);
        self.settle().await;
    }

    /// Drops a file on an element; false if the page leaves it to the browser.
    pub(crate) async fn drop_file(&self, css: &str, name: &str, text: &str) -> bool {
        let body = "const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([text], name, { type: 'application/json' }));
            const drag = (type) => at.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
            drag('dragenter');
            return !drag('dragover') && !drag('drop');";
        let taken = js("at, name, text", body, &[&self.find(css), &name.into(), &text.into()]);
        self.settle().await;
        taken.is_truthy()
    }

    /// Moves the mouse onto an element.
    pub(crate) async fn point_at(&self, css: &str) {
        let body = "at.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
            at.dispatchEvent(new MouseEvent('mouseenter'));";
        js("at", body, &[&self.find(css)]);
        self.settle().await;
    }

    /// Waits until something is so.
    pub(crate) async fn until(&self, what: &str, is_so: impl Fn(&Self) -> bool) {
        for _ in 0..POLLS {
            if is_so(self) {
                return;
            }
            pause(20).await;
        }
        panic!("in vain waited until {what}");
    }
}

/// Where a cell of the kernel table is.
pub(crate) fn kernel_cell(row: usize, column: usize) -> String {
    format!("[data-cell='kernels:{row}:{column}']")
}

/// Runs a piece of script.
pub(crate) fn js(names: &str, body: &str, values: &[&JsValue]) -> JsValue {
    let values: Array = values.iter().copied().collect();
    Function::new_with_args(names, body).apply(&JsValue::NULL, &values).unwrap()
}

async fn pause(ms: u32) {
    run_promise(&format!("return new Promise((done) => setTimeout(done, {ms}))")).await;
}

async fn run_promise(body: &str) {
    JsFuture::from(js("", body, &[]).unchecked_into::<Promise>()).await.unwrap();
}

fn fire(at: &JsValue, event: &str) {
    js("at, type", "at.dispatchEvent(new Event(type, { bubbles: true }))", &[at, &event.into()]);
}

fn value_of(element: &JsValue) -> String {
    js("at", "return at.value", &[element]).as_string().unwrap()
}

fn window() -> web_sys::Window {
    web_sys::window().unwrap()
}
