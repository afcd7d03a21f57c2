//! Components that panels and tools share.
//!
//! Invariants: a component takes typed props; what a user wrote is shown through [`safe`], so that it never turns the direction of the
//! text around it.

mod along;
mod busy;
mod canvas;
mod cells;
mod command_button;
mod dialog;
mod fields;
mod files;
mod icon;
mod links;
mod menu;
mod picture;
mod policy_text;
mod quantity;
mod queues;
mod sheet;
mod size;
mod splitter;
mod spots;
mod table;
mod text;
mod toast;
mod top;
mod transport;
mod window;

pub(crate) use along::{CursorLine, ZoomButtons};
pub(crate) use busy::{Busy, BusyElsewhere, busy_line};
pub(crate) use canvas::{CanvasPlace, fit, paint};
pub(crate) use cells::{CellChoices, cells_preview};
pub(crate) use command_button::CommandButton;
pub(crate) use dialog::Dialog;
pub(crate) use fields::{ChoiceField, Choices, Field, Select, SelectField, TextField, TickField};
pub(crate) use files::FilePicker;
pub(crate) use icon::Icon;
pub(crate) use links::{Chip, Inline, OpLink, Paragraphs, StepLink, TimeLink};
pub(crate) use menu::{Menu, MenuEntry};
pub(crate) use picture::Picture;
pub(crate) use policy_text::PolicyText;
pub(crate) use queues::{DiagramOptions, NEW_STREAM, PathDiagram, QueueDiagram, on_chip_key};
pub(crate) use sheet::{ChartFigure, JumpLink, Legend, Scrolled, SheetTable, sheet_cell, tone_class};
pub(crate) use size::{follow_size, set_root_px};
pub(crate) use splitter::Splitter;
pub(crate) use spots::PointedPicture;
pub(crate) use table::{DataTable, Focus, ROWS, RowAction, SELECT_HELP, TABLE_CLASSES, TableEvents, focus_cell, reads};
pub(crate) use text::{safe, spoken_time, with_unseen};
pub(crate) use toast::Toast;
pub(crate) use top::starts_at_top;
pub(crate) use transport::{EventGoals, TransportBar};
pub(crate) use window::{LongRows, Shape, Window, WindowBox};
