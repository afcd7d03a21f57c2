//! Link and embed: the whole state as a link, and from a link back.
//!
//! Invariants: what is shared is what is restored; a link that cannot be followed changes nothing and is told why; nothing is sent
//! anywhere.

mod follow;
mod form;
mod frame;
mod msg;
mod parts;
mod picture;
mod room;
mod state;

pub use form::CodeForm;
pub use msg::Msg;
pub use parts::LinkPart;
pub use state::State;

use serde::{Deserialize, Serialize};

use crate::runs::RunsError;
use crate::tool::link::example_of;
use crate::tool::{Context, Effects, Event, Tool, ToolError, memory};
use blockstep_format::{self as format, Embed, LinkError};
use blockstep_protocol::Effect;
use blockstep_view::quantity::format_count;
use follow::PROBLEM;
use frame::{LEAST_HEIGHT_PX, LEAST_WIDTH_PX};

/// Longer links are broken by some mail programs.
const MAIL: usize = 2_000;
/// Longer links do not get through everywhere.
const ANYWHERE: usize = 8_000;

pub struct Share;

/// Why there is no link, no frame, or nothing to follow.
#[derive(Debug, thiserror::Error)]
enum ShareError {
    #[error(transparent)]
    Link(#[from] LinkError),
    #[error("The scenario in this link cannot be run: {}.", .0.to_string().lines().next().unwrap_or_default().trim_end_matches('.'))]
    Scenario(RunsError),
    #[error("Width: \"{0}\" is not a whole number of pixels from {LEAST_WIDTH_PX} to 4,000, nor 100%.")]
    Width(String),
    #[error("Height: \"{0}\" is not a whole number of pixels from {LEAST_HEIGHT_PX} to 4,000.")]
    Height(String),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct View {
    /// What is wrong with the link that was to be followed.
    pub problem: Option<String>,
    pub notice: Option<String>,
    /// The link, or why there is none.
    pub link: Result<Address, String>,
    pub parts: Vec<PartOffer>,
    pub frame: EmbedFrame,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    pub address: String,
    pub length: String,
    pub warning: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartOffer {
    pub part: LinkPart,
    pub label: String,
    pub is_in: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EmbedFrame {
    /// The height of a frame whose author has not chosen one.
    pub usual_height: String,
    pub code: Result<String, String>,
}

impl Tool for Share {
    type State = State;
    type Msg = Msg;
    type View = View;

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
        match event {
            Event::Message(Msg::Follow(address)) => return Ok(follow::begin(&address, state, &context.place)),
            Event::Moved | Event::Continued => return Ok(follow::go_on(state, &context.place)),
            Event::Opened(word) if word == PROBLEM => return Ok(Vec::new()),
            _ => {}
        }
        // Whoever uses the panel has seen what was wrong, and is where they want to be.
        state.problem.clear();
        state.forget_link();
        let copied = match event {
            Event::Message(Msg::CopyLink) => View::new(state, context).link.ok().map(|link| link.address),
            Event::Message(Msg::CopyCode) => View::new(state, context).frame.code.ok(),
            Event::Message(Msg::SavePoster) => return Ok(vec![picture::save(state, context)]),
            _ => None,
        };
        Ok(copied.map(Effect::CopyText).into_iter().collect())
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        Ok(View::new(state, context))
    }
}

/// What is wrong with the link that was to be followed; empty if nothing is.
#[must_use]
pub fn problem(pairs: &str) -> String {
    memory::read::<State>(pairs).problem
}

/// Whether the tool is to be told of moves, open or not: the run of the link that it follows is on its way.
#[must_use]
pub fn is_waiting(pairs: &str) -> bool {
    !memory::read::<State>(pairs).arriving.is_empty()
}

impl View {
    fn new(state: &State, context: &mut Context<'_>) -> Self {
        let Context { place, runs } = context;
        let all = parts::link_of(place);
        let offers: Vec<_> = LinkPart::ALL.into_iter().filter(|part| part.is_there(&all)).collect();
        let offers: Vec<_> =
            offers.into_iter().map(|part| PartOffer { part, label: part.label(&all), is_in: !state.without.contains(&part) }).collect();
        let link = offers.iter().filter(|offer| !offer.is_in).fold(all, |link, offer| offer.part.left_out_of(link));
        let address = |embed| -> Result<String, ShareError> { Ok(format!("{}#{}", place.base, format::write_link(&link, embed)?)) };
        let view = state.view.unwrap_or(Embed::Both);
        let width = frame::typed(&state.width, "100%").parse().ok();
        let usual_height = room::height(&link, example_of(&link.scenario), place, runs, view, width).to_string();
        let name = place.simulation.run.trace.scenario().name();
        let code = match state.form {
            CodeForm::Frame => frame::size(&state.width, &state.height, &usual_height)
                .and_then(|size| Ok(frame::code(&address(Some(view))?, name, &size, state.sandbox))),
            CodeForm::Element => address(Some(view)).map(|address| picture::code(&address, state, place, runs)),
        };
        Self {
            problem: Some(state.problem.clone()).filter(|problem| !problem.is_empty()),
            notice: (!state.arriving.is_empty())
                .then(|| "The link's run is long. The page follows the link when the run is ready.".to_owned()),
            link: address(None).map(Address::new).map_err(|why| why.to_string()),
            parts: offers,
            frame: EmbedFrame { usual_height, code: code.map_err(|why| why.to_string()) },
        }
    }
}

impl Address {
    fn new(address: String) -> Self {
        let warning = match address.len() {
            length if length <= MAIL => None,
            length if length <= ANYWHERE => Some(
                "Longer than 2,000 characters: some mail and chat programs break such links. Leave something out, or send the \
                    scenario as a file.",
            ),
            _ => Some(
                "Longer than 8,000 characters: many mail and chat programs, and some browsers, do not take such links. Send the \
                    scenario as a file.",
            ),
        };
        Self { length: format!("{} characters", format_count(address.len() as u64)), warning: warning.map(str::to_owned), address }
    }
}

/// What screen readers call what the code shows, with a scenario of this name.
pub(super) fn title(name: &str) -> String {
    if name.is_empty() { "Blockstep".to_owned() } else { format!("Blockstep: {name}") }
}
