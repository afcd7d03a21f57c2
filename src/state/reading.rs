//! Reading files that the reader picked or dropped, and those that a host has beside the page.
//!
//! Depends on gloo and on messages. Invariant: a file that cannot be read is complained about, and does not keep the others.

use gloo::file::callbacks::read_as_text;
use leptos::prelude::*;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::Response;

use super::AppState;
use blockstep_format as format;
use blockstep_view::quantity::format_bytes;

/// What stands at an address beside the page; else why there is none.
pub(crate) async fn fetch_beside(address: &str) -> Result<Response, String> {
    let unreachable = |_: JsValue| "The network or the host does not answer.".to_owned();
    let response = JsFuture::from(window().fetch_with_str(address)).await.map_err(unreachable)?;
    let response: Response = response.dyn_into().map_err(unreachable)?;
    if response.ok() { Ok(response) } else { Err(format!("The host answers with status {}.", response.status())) }
}

/// The file of this name in the folder `opened` beside the page; else why there is none.
pub(crate) async fn fetch_file(name: &str) -> Result<web_sys::File, String> {
    let elsewhere = || "A link can only name files that lie in the folder “opened” beside the page.".to_owned();
    let part = format::percent::encode_file(name).ok_or_else(elsewhere)?;
    let response = fetch_beside(&format!("opened/{part}")).await?;
    let broken = |_: JsValue| "The host stopped before the file was complete.".to_owned();
    let content = JsFuture::from(response.blob().map_err(broken)?).await.map_err(broken)?;
    web_sys::File::new_with_blob_sequence(&js_sys::Array::of1(&content), name).map_err(broken)
}

/// Reads all files as texts, and hands over those that could be read, in their order: name and text of each.
pub(crate) fn read_all(state: AppState, files: Vec<web_sys::File>, then: impl Fn(Vec<(String, String)>) + Clone + 'static) {
    /// The browser looks at each on the disk before it begins.
    const AT_ONCE: usize = 50;
    let all = StoredValue::new(vec![None; files.len()]);
    let begin = move |(i, file): (usize, web_sys::File)| {
        let then = then.clone();
        read(file, move |name, read| {
            let read = read.map(|text| (name, text)).map_err(|why| state.messages.complain(why)).ok();
            all.update_value(|all| all[i] = Some(read));
            if all.with_value(|all| all.iter().all(Option::is_some)) {
                let all = all.try_update_value(std::mem::take).unwrap_or_default();
                then(all.into_iter().flatten().flatten().collect());
            }
        });
    };
    let mut files = files.into_iter().enumerate();
    files.by_ref().take(AT_ONCE).for_each(begin.clone());
    loop {
        let some: Vec<_> = files.by_ref().take(AT_ONCE).collect();
        if some.is_empty() {
            return;
        }
        let begin = begin.clone();
        set_timeout(move || some.into_iter().for_each(begin), std::time::Duration::ZERO);
    }
}

fn read(file: web_sys::File, then: impl FnOnce(String, Result<String, String>) + 'static) {
    let name = file.name();
    if file.size() > format::MAX_FILE_BYTES as f64 {
        let why = format!(
            "{name}: the file has {}; the maximum is {}. If kernels repeat, use one task with a period and a number of jobs instead.",
            format_bytes(file.size() as u64),
            format_bytes(format::MAX_FILE_BYTES as u64)
        );
        return then(name, Err(why));
    }
    let reader = StoredValue::new_local(None);
    let file = gloo::file::File::from(file);
    let task = read_as_text(&file, move |text| {
        let read = text.map_err(|error| format!("{name}: the browser cannot read this file as text ({error})"));
        then(name.clone(), read);
        reader.dispose();
    });
    reader.set_value(Some(task));
}
