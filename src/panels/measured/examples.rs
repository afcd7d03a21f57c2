//! The runs measured on a GPU that the panel offers, each fetched when the reader opens it.
//!
//! Invariant: they are opened by what opens the reader's own files.

use leptos::prelude::*;
use wasm_bindgen::JsValue;
use wasm_bindgen_futures::JsFuture;

use crate::panels::host::Tools;
use crate::state::reading::fetch_beside;
use blockstep_tools::ToolId;
use blockstep_tools::measured::{MEASURED_EXAMPLES, MeasuredExample, unpack_example};

/// The list, a button for each run.
pub(super) fn examples() -> impl IntoView {
    let tools = expect_context::<Tools>();
    let item = move |example: MeasuredExample| {
        view! {
            <li>
                <button type="button" class="small measured-example" on:click=move |_| open(tools, example)>{example.title}</button>
            </li>
        }
    };
    view! {
        <h3>"Runs measured on an NVIDIA H200"</h3>
        <p class="tool-note">"Each opens the scenario that was run, with its logs."</p>
        <ul class="tool-list measured-examples">{MEASURED_EXAMPLES.into_iter().map(item).collect_view()}</ul>
        <h3>"Generated logs"</h3>
    }
}

fn open(tools: Tools, MeasuredExample { name, title }: MeasuredExample) {
    leptos::task::spawn_local(async move {
        let files = match fetch(&format!("measured/{name}.json")).await {
            Ok(text) => unpack_example(name, &text).map_err(|why| why.to_string()),
            Err(why) => Err(format!("The page cannot load the run “{title}”. {why}")),
        };
        match files {
            Ok(files) => tools.give_files(ToolId::Measured, files),
            Err(why) => tools.state.messages.complain(why),
        }
    });
}

/// The text at an address beside the page; else why there is none.
async fn fetch(address: &str) -> Result<String, String> {
    let response = fetch_beside(address).await?;
    let broken = |_: JsValue| "The host stopped before the run was complete.".to_owned();
    let text = JsFuture::from(response.text().map_err(broken)?).await.map_err(broken)?;
    text.as_string().ok_or_else(|| "The answer is not text.".to_owned())
}
