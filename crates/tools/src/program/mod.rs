//! The table as a program of CUDA: what stands in it, where the run is, and the file.
//!
//! Invariants: the lines shown are those of the file, with their numbers there; a line is lit if the current step is of its call, and
//! marked if it is of the selected row.

mod lines;

use serde::{Deserialize, Serialize};

use crate::runs::whole::whole;
use crate::tool::{Context, Effects, Event, Tool, ToolError};
use blockstep_format as format;
use blockstep_protocol::Effect;
use blockstep_sim::scenario::plain;
use blockstep_sim::units::RowId;

/// Lines shown at once.
const PAGE: usize = 200;

/// The tool.
pub struct Program;

/// Which part was turned to, and at which step: at another one the part that holds its line is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Which part, and after how many steps.
    pub turned: Option<(usize, u32)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Msg {
    /// Show a part, counted from 0.
    Turn(usize),
    /// Select the row of this number, or none if it is selected.
    Select(usize),
    /// Save the file.
    Save,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum View {
    /// Why there is no program.
    Refused(String),
    Lines(Lines),
}

/// A part of the program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Lines {
    /// How many lines of the file stand above those of the table.
    pub above: usize,
    pub lines: Vec<Line>,
    /// Which part this is, if there are more.
    pub pages: Option<Parts>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// In the file, from 1.
    pub number: usize,
    pub text: String,
    /// The number of the row that it belongs to.
    pub row: Option<usize>,
    /// Whether it is a call of that row.
    pub is_call: bool,
    /// Whether the current step is about what it does.
    pub is_lit: bool,
    pub is_selected: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parts {
    pub place: String,
    pub earlier: Option<usize>,
    pub later: Option<usize>,
}

impl Tool for Program {
    type State = State;
    type Msg = Msg;
    type View = View;

    fn update(state: &mut State, event: Event<Msg>, context: &mut Context<'_>) -> Result<Effects, ToolError> {
        let place = &context.place;
        let Event::Message(message) = event else { return Ok(Vec::new()) };
        let effect = match message {
            Msg::Turn(part) => {
                state.turned = Some((part, place.position));
                return Ok(Vec::new());
            }
            Msg::Select(row) => {
                let name = |row: RowId| place.simulation.run.trace.scenario().row(row).name.clone();
                let is_other = row < place.simulation.run.trace.scenario().rows().len() && place.selected != Some(RowId::at(row));
                Effect::SelectRow(if is_other { name(RowId::at(row)) } else { String::new() })
            }
            Msg::Save => match &*context.runs.program(&place.simulation) {
                Err(why) => Effect::Complain(refused(&why.to_string())),
                Ok(program) => match whole(&program.text) {
                    Ok(text) => {
                        let name = format::file_name(&place.simulation.run.trace, "program", "cu");
                        Effect::SaveFile { name, kind: "text/plain".to_owned(), text }
                    }
                    Err(why) => Effect::Complain(why.to_string()),
                },
            },
        };
        Ok(vec![effect])
    }

    fn view(state: &State, context: &mut Context<'_>) -> Result<View, ToolError> {
        let place = &context.place;
        let program = context.runs.program(&place.simulation);
        let program = match &*program {
            Ok(program) => program,
            Err(why) => return Ok(View::Refused(refused(&why.to_string()))),
        };
        let lit = lines::lit(program, &place.simulation.run.trace, place.position);
        let turned = state.turned.filter(|&(_, position)| position == place.position).map(|(part, _)| part);
        Ok(View::Lines(lines::part(program, lit, turned, place.selected)))
    }
}

fn refused(why: &str) -> String {
    format!("There is no such program: {}.", plain(why))
}
