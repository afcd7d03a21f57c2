//! Components that know no state of the page: tables, fields, menus, dialogs, lanes on a canvas, the queue diagram, the bar of
//! steps; and the client of the workers.
//!
//! Depends on the crates whose values it shows, and on Leptos. It is empty elsewhere than in a browser. Invariants: a component takes
//! typed props, signals and callbacks; what a user wrote is shown through [`safe`], so that it never turns the direction of the text
//! around it.
#![cfg(target_arch = "wasm32")]
// Leptos makes the props of a component as public as they can be.
#![allow(unreachable_pub, missing_docs)]

mod along;
mod busy;
mod canvas;
mod cells;
mod chip;
pub mod client;
mod command_button;
mod dial;
mod dialog;
mod fields;
mod files;
mod flow;
mod icon;
mod inset;
mod menu;
mod miniature;
mod picture;
mod policy_text;
mod quantity;
mod queues;
mod sight;
mod size;
mod splitter;
mod spots;
mod stepping;
mod table;
mod term;
mod text;
mod toast;
mod top;
mod transport;
mod viewport;
mod window;

pub use along::{CursorLine, ZoomButtons};
pub use busy::{Busy, BusyElsewhere, busy_line};
pub use canvas::{CanvasPlace, capture, fit, paint};
pub use cells::{CellChoices, cells_preview};
pub use chip::{Chip, Inline, Paragraphs};
pub use command_button::CommandButton;
pub use dial::Dial;
pub use dialog::Dialog;
pub use fields::{ChoiceField, Choices, Field, Select, SelectField, TextField, TickField};
pub use files::{FilePicker, listed};
pub use flow::FlowPicture;
pub use icon::Icon;
pub use inset::InsetPicture;
pub use menu::{Menu, MenuEntry};
pub use miniature::{MiniBar, MiniTimeline, Miniature};
pub use picture::Picture;
pub use policy_text::PolicyText;
pub use quantity::QuantityInput;
pub use queues::{DiagramOptions, NEW_STREAM, PathDiagram, QueueDiagram, on_chip_key};
pub use sight::show_across;
pub use size::{follow_size, set_root_px};
pub use splitter::Splitter;
pub use spots::PointedPicture;
pub use stepping::{Pace, Stepping};
pub use table::{DataTable, Focus, ROWS, RowAction, SELECT_HELP, TABLE_CLASSES, TableEvents, focus_cell, reads};
pub use term::{OpenTerm, TermLink};
pub use text::{safe, spoken_time, with_unseen};
pub use toast::Toast;
pub use top::starts_at_top;
pub use transport::{EventGoals, TransportBar};
pub use viewport::{COMPACT_PX, Extract, Holder, MAX_HELD, Viewport};
pub use window::{LongRows, Shape, Window, WindowBox};
