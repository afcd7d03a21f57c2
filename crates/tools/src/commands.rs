//! What a reader can have the page do, each once: menus, keys, tooltips and the list of keys all read this table.
//!
//! Invariants: a key belongs to one command; the list of keys names every key.

use super::ToolId;

/// Something that the page does when it is told to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    StepForward,
    StepBack,
    NextInstant,
    /// To the end of the instant before.
    PreviousInstant,
    First,
    Last,
    Play,
    /// Zoom in: show a shorter stretch of the timeline.
    ZoomIn,
    ZoomOut,
    /// To an earlier part of the run.
    PanLeft,
    PanRight,
    Fit,
    Undo,
    Redo,
    Open,
    SaveScenario,
    /// The presenter view, or everything again.
    Present,
    /// The list of what this browser keeps.
    Scenarios,
    /// The next stop of a tour, or moment worth seeing.
    NextMoment,
    /// The one before.
    PreviousMoment,
    /// Leaves the presenter view, else selects nothing.
    Leave,
    /// Light, dark, or as the system says.
    Theme,
    Keys,
    /// The kernel selected is launched earlier.
    StartEarlier,
    StartLater,
    /// The blocks of the kernel selected take less time.
    TimeShorter,
    TimeLonger,
    /// The kernel selected goes to the stream before.
    StreamBefore,
    /// Likewise to the one after.
    StreamAfter,
    Tool(ToolId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    pub title: &'static str,
    /// What it is for, in menus; empty if its name says it.
    pub help: &'static str,
    /// Its key, as browsers name it (letters in lower case, each with `Ctrl+` where it takes that); empty if it has none.
    pub key: &'static str,
}

const fn about(title: &'static str, help: &'static str, key: &'static str) -> About {
    About { title, help, key }
}

/// Lines of the list of keys: commands whose keys stand together, and what they do.
pub const KEYS: &[(&[Command], &str)] = &[
    (&[Command::StepForward, Command::StepBack], "One step forward, one step back"),
    (&[Command::NextInstant, Command::PreviousInstant], "To the end of the next instant, of the previous instant"),
    (&[Command::First, Command::Last], "Before the first step, after the last"),
    (&[Command::Play], "Play or pause"),
    (&[Command::ZoomIn, Command::ZoomOut], "Zoom the timeline in and out"),
    (&[Command::PanLeft, Command::PanRight], "Pan the timeline to the left and to the right"),
    (&[Command::Fit], "Fit the whole run"),
    (&[Command::Tool(ToolId::Compare), Command::Tool(ToolId::Tour), Command::Tool(ToolId::Quiz)], "Compare runs, tours, predict"),
    (&[Command::Tool(ToolId::Until), Command::Tool(ToolId::Rules), Command::Tool(ToolId::Glossary)], "Run until, rules, glossary"),
    (&[Command::StartEarlier, Command::StartLater], "Start the selected kernel earlier, later; or drag its arrow"),
    (&[Command::TimeShorter, Command::TimeLonger], "Make its blocks shorter, longer; or drag the end of a block"),
    (&[Command::StreamBefore, Command::StreamAfter], "Move it to the previous, next stream; or drag it onto a stream queue"),
    (&[Command::Present], "Presenter view"),
    (&[Command::NextMoment, Command::PreviousMoment], "In the presenter view: next stop, previous stop"),
    (&[Command::SaveScenario], "Save the scenario"),
    (&[Command::Undo, Command::Redo], "Undo and redo any edit"),
    (&[Command::Leave], "Leave the presenter view, clear the selection, close this list"),
    (&[Command::Keys], "This list"),
];

impl Command {
    pub fn all() -> impl Iterator<Item = Self> {
        const PLAIN: [Command; 29] = [
            Command::StepForward,
            Command::StepBack,
            Command::NextInstant,
            Command::PreviousInstant,
            Command::First,
            Command::Last,
            Command::Play,
            Command::ZoomIn,
            Command::ZoomOut,
            Command::PanLeft,
            Command::PanRight,
            Command::Fit,
            Command::Undo,
            Command::Redo,
            Command::Open,
            Command::SaveScenario,
            Command::Present,
            Command::Scenarios,
            Command::NextMoment,
            Command::PreviousMoment,
            Command::Leave,
            Command::Theme,
            Command::Keys,
            Command::StartEarlier,
            Command::StartLater,
            Command::TimeShorter,
            Command::TimeLonger,
            Command::StreamBefore,
            Command::StreamAfter,
        ];
        PLAIN.into_iter().chain(ToolId::ALL.iter().map(|&tool| Self::Tool(tool)))
    }

    #[must_use]
    pub const fn about(self) -> About {
        match self {
            Self::StepForward => about("One step forward", "", "ArrowRight"),
            Self::StepBack => about("One step back", "", "ArrowLeft"),
            Self::NextInstant => about("Next instant", "", "."),
            Self::PreviousInstant => about("Previous instant", "", ","),
            Self::First => about("Before the first step", "", "Home"),
            Self::Last => about("After the last step", "", "End"),
            Self::Play => about("Play or pause", "", " "),
            Self::ZoomIn => about("Zoom in", "", "w"),
            Self::ZoomOut => about("Zoom out", "", "s"),
            Self::PanLeft => about("Pan to the left", "", "a"),
            Self::PanRight => about("Pan to the right", "", "d"),
            Self::Fit => about("Fit", "Show the whole run", "f"),
            Self::Undo => about("Undo", "", "Ctrl+z"),
            Self::Redo => about("Redo", "", "Ctrl+y"),
            Self::Open => about("Open…", "", ""),
            Self::SaveScenario => about("Save", "The scenario as a file that you can open here again", "Ctrl+s"),
            Self::Present => about("Presenter view", "Timeline and queues, large", "p"),
            Self::Scenarios => about("My scenarios", "What this browser keeps of your work", ""),
            Self::NextMoment => about("Next stop", "", "PageDown"),
            Self::PreviousMoment => about("Previous stop", "", "PageUp"),
            Self::Leave => about("Leave", "", "Escape"),
            Self::Theme => about("Colors", "", ""),
            Self::Keys => about("Keys and gestures", "", "?"),
            Self::StartEarlier => about("Start earlier", "", "["),
            Self::StartLater => about("Start later", "", "]"),
            Self::TimeShorter => about("Shorter blocks", "", "{"),
            Self::TimeLonger => about("Longer blocks", "", "}"),
            Self::StreamBefore => about("Previous stream", "", "<"),
            Self::StreamAfter => about("Next stream", "", ">"),
            Self::Tool(tool) => {
                let info = tool.info();
                let title = match info.menu {
                    Some(title) => title,
                    None => info.title,
                };
                about(title, info.help, info.key)
            }
        }
    }

    /// The command of a key, as browsers name it.
    #[must_use]
    pub fn of_key(key: &str, is_ctrl: bool, is_shift: bool) -> Option<Self> {
        let lower = if key.chars().count() == 1 { key.to_lowercase() } else { key.to_owned() };
        let name = match (is_ctrl, is_shift && lower == "z") {
            // As on systems where Redo is Shift with Undo.
            (true, true) => "Ctrl+y".to_owned(),
            (true, false) => format!("Ctrl+{lower}"),
            (false, _) => lower,
        };
        Self::all().find(|command| !name.is_empty() && command.about().key == name)
    }

    /// Its key as people read it; empty if it has none.
    #[must_use]
    pub fn key_name(self) -> String {
        match self.about().key {
            "ArrowRight" => "→".to_owned(),
            "ArrowLeft" => "←".to_owned(),
            " " => "Space".to_owned(),
            "Escape" => "Esc".to_owned(),
            key if key.chars().count() == 1 => key.to_uppercase(),
            key => match key.strip_prefix("Ctrl+") {
                Some(letter) => format!("Ctrl+{}", letter.to_uppercase()),
                None => key.to_owned(),
            },
        }
    }

    /// Its name with its key, for a tooltip: `Undo (Ctrl+Z)`.
    #[must_use]
    pub fn tooltip(self) -> String {
        let (title, key) = (self.about().title, self.key_name());
        match (self, key.is_empty()) {
            (_, true) => title.to_owned(),
            (Self::StepForward, _) => format!("{title} (Right)"),
            (Self::StepBack, _) => format!("{title} (Left)"),
            (_, false) => format!("{title} ({key})"),
        }
    }

    /// The same with what it is done to, where that is known: `Undo: blocks of K1 from 6 to 4 (Ctrl+Z)`.
    #[must_use]
    pub fn tooltip_of(self, what: &str) -> String {
        let (title, tooltip) = (self.about().title, self.tooltip());
        if what.is_empty() { tooltip } else { format!("{title}: {what}{}", &tooltip[title.len()..]) }
    }

    #[must_use]
    pub fn menu_help(self) -> String {
        let (help, key) = (self.about().help, self.key_name());
        if key.is_empty() { help.to_owned() } else { format!("{help} ({key})") }
    }
}

/// The entries of the menu, in order.
#[must_use]
pub fn menu() -> Vec<Command> {
    let tools = ToolId::ALL.iter().filter(|tool| tool.info().menu.is_some()).map(|&tool| Command::Tool(tool));
    tools.chain([Command::Present, Command::Scenarios]).collect()
}
