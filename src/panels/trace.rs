//! The page of profilers' traces in this page: what opens there, and what it opens here.
//!
//! Invariant: what is neither a trace nor a log is refused as a trace, with the reason.

use leptos::prelude::*;
use web_sys::File;

use super::host::Tools;
use super::open_tool::OpenTool;
use super::panel::{Host, Panel};
use crate::state::settings::Settings;
use crate::state::{AppState, reading};
use blockstep_format as format;
use blockstep_tools::ToolId;
use blockstep_tools::trace::Trace;
use blockstep_traces_messages::{MOST_RANKS, to_export, too_many};
use blockstep_traces_page::{TraceHost, TracePage, are_traces};
use blockstep_view::document::Document;

impl Panel for Trace {
    fn panel(_: Host<Self>, _: Memo<()>) -> AnyView {
        let (tools, settings) = (expect_context::<Tools>(), expect_context::<Settings>());
        let host = TraceHost {
            is_dark: Signal::derive(move || settings.is_dark()),
            on_files: Callback::new(move |files| open_trace(tools, files)),
            on_scenario: Callback::new(move |(scenario, title): (String, String)| open_scenario(tools.state, &scenario, &title)),
            on_copy: Callback::new(move |text| tools.copy(ToolId::Trace, text)),
            measured_link: Callback::new(|()| measured_link().into_any()),
        };
        view! { <TracePage trace=tools.state.trace host=host /> }.into_any()
    }
}

fn measured_link() -> impl IntoView {
    view! {
        <OpenTool tool=ToolId::Measured class="link" instead_of=ToolId::Trace>
            "Runs measured on a GPU, and how to make logs"
        </OpenTool>
    }
}

/// Opens a scenario that was made of a trace, as what a link brings: the reader's own stays as it is.
fn open_scenario(state: AppState, scenario: &str, title: &str) {
    match format::read_scenario(scenario) {
        Ok(draft) => {
            state.enter_link(false);
            if state.open(Document::new(draft), None) {
                state.desk.touch(&state.document.get_untracked());
                state.messages.say(format!("Opened “{title}” as a new scenario. Yours is kept."));
                // Some pages may not change their address; then the reader closes this one.
                let _ = window().location().set_hash("#/lab");
                window().scroll_to_with_x_and_y(0.0, 0.0);
            }
        }
        Err(error) => state.messages.complain(error.to_string()),
    }
}

/// Opens files that a reader takes for a trace. Several are put beside each other. Logs of blocks lie over the run, so that is shown for them.
pub(crate) fn open_trace(tools: Tools, files: Vec<File>) {
    let Some(first) = files.first().cloned() else { return };
    let trace = tools.state.trace;
    let is_one = files.len() == 1;
    let is_known = is_one && (to_export(&first.name()).is_some() || first.size() > format::MAX_FILE_BYTES as f64);
    let of_traces = files.clone();
    let then = move |are_traces| {
        if are_traces || is_known {
            return open_traces(tools, files);
        }
        reading::read_all(tools.state, files.clone(), move |texts| {
            if is_one && !texts.iter().all(|(_, text)| format::is_log(text)) {
                return trace.open(&first);
            }
            tools.close_tool(ToolId::Trace);
            tools.give_files(ToolId::Measured, texts);
        });
    };
    are_traces(of_traces, Box::new(then));
}

/// Opens a trace, or several in the order of their names.
pub(crate) fn open_traces(tools: Tools, mut files: Vec<File>) {
    files.sort_by_key(File::name);
    match &files[..] {
        [file] => tools.state.trace.open(file),
        _ if files.len() <= MOST_RANKS => tools.state.trace.open_several(files, false),
        _ => tools.state.messages.complain(too_many(files.len())),
    }
}
