//! Tools that are still written as HTML (`lab::tools`): their texts in the messages of the others.
//!
//! Depends on `lab`. Invariant: it goes when the last of them has become a tool with types.

use serde::{Deserialize, Serialize};

use super::{Context, Event, Place, Serve};
use crate::lab::tools::{self, query::Query};
use crate::protocol::{self, ToolAnswer, ToolEvent};

/// Every such tool.
pub(super) struct Legacy;

/// What the reader did: `do:word` or `change:name`; and what the named controls hold.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Did {
    /// What.
    pub(super) event: String,
}

impl Serve for Legacy {
    fn serve(request: &ToolEvent, context: &mut Context<'_>, _: bool) -> Result<ToolAnswer, String> {
        let event: Event<Did> = protocol::decode(&request.event)?;
        let mut files = Vec::new();
        let event = match event {
            Event::Opened(word) => tools::Event::Opened(word),
            Event::OpenedWith(given) => {
                files = given;
                tools::Event::Opened("files".to_owned())
            }
            Event::Moved => tools::Event::Moved,
            Event::Continued => tools::Event::Did("again".to_owned()),
            Event::Closed => tools::Event::Did("close".to_owned()),
            Event::Message(Did { event }) => tools::Event::of(&event),
        };
        let (fields, state) = (Query::read(&request.fields), Query::read(&request.memory));
        let here = here(&context.place);
        let mut asked = tools::Asked { event, fields, state, here, files, runs: context.runs };
        let answer = tools::ask(&request.tool, &mut asked)?;
        Ok(ToolAnswer { memory: answer.state.write(), view: protocol::encode(&answer.html)?, effects: tools::effects(answer.acts) })
    }
}

fn here(place: &Place) -> tools::Here {
    tools::Here {
        scenario: place.scenario.clone(),
        made: place.simulation.clone(),
        position: place.position,
        at: place.at,
        selected: place.selected,
        op: place.op,
        options: place.options,
        scale: place.scale,
        is_zoomed: place.is_zoomed,
        is_veiled: place.is_veiled,
        is_presenting: place.is_presenting,
        example: place.example,
        base: place.base.clone(),
        tools: place.tools.iter().map(|(name, memory)| (name.clone(), Query::read(memory))).collect(),
    }
}
