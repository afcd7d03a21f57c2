//! The button that opens a tool.

use leptos::prelude::*;

use super::host::Tools;
use blockstep_tools::ToolId;

/// Its tooltip is what the tool does.
#[component]
pub(crate) fn OpenTool(
    tool: ToolId,
    #[prop(optional)] class: &'static str,
    /// The tool that goes when the other one comes.
    #[prop(optional)]
    instead_of: Option<ToolId>,
    children: Children,
) -> impl IntoView {
    let tools = expect_context::<Tools>();
    let open = move |_| {
        instead_of.into_iter().for_each(|other| tools.close_tool(other));
        tools.open_tool(tool, "");
    };
    let info = tool.info();
    view! {
        <button type="button" class=class data-open-tool=info.name title=info.help on:click=open>
            {children()}
        </button>
    }
}
