//! Notes: the reader's words at steps, which links take along.
//!
//! Depends on `view`. Invariants: whatever happens, what stands in the text area is kept for the step
//! that it was typed at, as the panel names that step beside it; a note is shown at a step only while
//! the run has the same step there, and never vanishes when it has not.

mod memory;
mod panel;

pub(crate) use memory::carried;

use memory::{MAX_NOTES, MAX_TEXT, Note, Notes, Spot};

use super::query::Query;
use super::{Act, Answer, Asked, Event, Here};
use crate::view::quantity::format_count;

/// Answers what the reader did. Opened with `take ` and what [`carried`] gave, it takes those notes too.
///
/// # Errors
/// None; what is wrong stands in the panel.
#[expect(clippy::unnecessary_wraps, reason = "as every tool")]
pub(super) fn answer(asked: &mut Asked<'_>) -> Result<Answer, String> {
    let here = &asked.here;
    let mut notes = Notes::read(&asked.state);
    let mut desk = Desk { acts: Vec::new(), problem: None, unsaved: None };
    desk.keep_typed(&mut notes, &asked.fields);
    match &asked.event {
        Event::Opened(word) => {
            if let Some(taken) = word.strip_prefix("take ") {
                desk.take(&mut notes, &Query::read(taken), here);
            }
        }
        Event::Did(word) => match word.split_once(' ').unwrap_or((word, "")) {
            ("remove", number) if number.parse().is_ok_and(|number| notes.remove(number)) => {
                desk.acts.push(Act::Say("The note is removed.".to_owned()));
            }
            ("restore", _) if notes.restore() => desk.acts.push(Act::Say("The note is back.".to_owned())),
            ("forget", _) => notes.forget_others(here),
            _ => {}
        },
        Event::Changed(_) | Event::Moved => {}
    }
    let html = panel::panel(&notes, here, desk.problem.as_deref(), desk.unsaved.as_ref());
    Ok(Answer { state: notes.write(), html, acts: desk.acts })
}

struct Desk {
    acts: Vec<Act>,
    problem: Option<String>,
    /// What was typed and cannot be kept as it is, and where: it stays in the text area.
    unsaved: Option<(Spot, String)>,
}

impl Desk {
    /// Keeps what stands in the text area, for the step that the panel was about.
    fn keep_typed(&mut self, notes: &mut Notes, fields: &Query) {
        let Some(spot) = Spot::read(fields) else { return };
        // Browsers send line breaks as two characters.
        let text = fields.get("text").replace("\r\n", "\n");
        let count = text.chars().count();
        let problem = if count > MAX_TEXT {
            let (count, limit) = (format_count(count as u64), format_count(MAX_TEXT as u64));
            format!("Not kept: this note has {count} characters; at most {limit} are possible. Shorten it.")
        } else if notes.set(spot.clone(), text.trim_end()) {
            return;
        } else {
            format!("Not kept: there are {MAX_NOTES} notes, which is the limit. Remove one first.")
        };
        (self.problem, self.unsaved) = (Some(problem), Some((spot, text)));
    }

    /// Takes the notes of a link.
    fn take(&mut self, notes: &mut Notes, taken: &Query, here: &Here) {
        let left_out =
            Notes::read(taken).list.into_iter().filter(|note| !notes.merge(Note { spot: note.spot.of_run(here), ..note.clone() })).count();
        if left_out > 0 {
            let limit = format_count(MAX_TEXT as u64);
            self.problem = Some(format!(
                "{left_out} of the link's notes are left out: at most {MAX_NOTES} notes of {limit} characters each are possible."
            ));
        }
    }
}
