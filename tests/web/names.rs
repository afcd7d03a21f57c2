//! Names: every control says what it is, also with messages and menus open.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

use super::page::{BLOCKS, Page, js};

/// Controls without a name that assistive technology finds; a `title` alone does not count.
fn nameless(page: &Page) -> Vec<String> {
    let name = "const text = (e) => (e?.textContent ?? '').trim();
        const byIds = (ids) => ids.split(/\\s+/).map((id) => text(document.getElementById(id))).join(' ').trim();
        const own = (at.getAttribute('aria-label') ?? '').trim();
        const labels = [...(at.labels ?? [])].map((label) => {
            const copy = label.cloneNode(true);
            copy.querySelectorAll('select, input').forEach((control) => control.remove());
            return text(copy);
        });
        const inside = /^(BUTTON|SUMMARY|A)$/.test(at.tagName) ? text(at) : '';
        return own || byIds(at.getAttribute('aria-labelledby') ?? '') || labels.join(' ').trim() || inside";
    let controls = page.all("button, input, select, textarea, summary, a[href], canvas, [tabindex='0'], [role=slider], [role=img], dialog");
    assert!(controls.len() > 100, "the page has many controls");
    let is_nameless = |e: &&web_sys::HtmlElement| {
        let e: &JsValue = e;
        js("at", name, &[e]).as_string().unwrap().is_empty()
    };
    controls.iter().filter(is_nameless).map(|e| e.unchecked_ref::<web_sys::Element>().outer_html()).collect()
}

#[wasm_bindgen_test]
async fn every_control_has_a_name() {
    let page = Page::open().await;
    assert_eq!(nameless(&page), [""; 0]);
    page.enter_kernel(0, BLOCKS, "many").await;
    page.open_file("broken.json", "{").await;
    page.until("it is refused", |p| p.count(".notice.error") == 2).await;
    assert_eq!(nameless(&page), [""; 0]);
    page.close().await;
}

#[wasm_bindgen_test]
async fn cells_are_named_by_column_and_row() {
    let page = Page::open().await;
    assert_eq!(page.attribute("[data-cell='kernels:3:4']", "aria-label").unwrap(), "Blocks of K4");
    assert_eq!(page.attribute("#kernels tr[data-row='3'] [data-action=Delete]", "aria-label").unwrap(), "Delete K4");
    page.enter_kernel(3, 0, "Filter").await;
    assert_eq!(page.attribute("[data-cell='kernels:3:4']", "aria-label").unwrap(), "Blocks of Filter");
    // No id twice: labels and descriptions would lead astray.
    let ids: Vec<String> = page.all("[id]").iter().map(|e| e.id()).collect();
    let unique: std::collections::BTreeSet<&String> = ids.iter().collect();
    assert_eq!(unique.len(), ids.len(), "{ids:?}");
    page.close().await;
}
