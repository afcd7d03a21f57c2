//! Moving through the steps of a run: what a bar of steps, keys and a timeline need of where the reader stands.
//!
//! Depends on no run in particular: the scheduler's run and a batch each have one. Invariant: every move by hand ends playing.

use leptos::prelude::*;

use super::viewport::Viewport;
use blockstep_sim::units::Time;
use blockstep_tools::commands::Command;
use blockstep_view::position::Goal;

/// How fast a run is played.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// So many steps a second.
    Steps(u32),
    /// Evenly in time, the whole run in so many seconds.
    Run(u32),
}

impl Pace {
    /// Every pace that can be chosen.
    pub const ALL: [Self; 9] = [
        Self::Steps(1),
        Self::Steps(2),
        Self::Steps(5),
        Self::Steps(15),
        Self::Steps(60),
        Self::Steps(1000),
        Self::Run(10),
        Self::Run(30),
        Self::Run(60),
    ];

    /// Its word in forms.
    pub fn word(self) -> String {
        match self {
            Self::Steps(steps) => steps.to_string(),
            Self::Run(seconds) => format!("run-{seconds}"),
        }
    }

    /// What it is called.
    pub fn title(self) -> String {
        match self {
            Self::Steps(steps) => steps_per_second(steps),
            Self::Run(seconds) => format!("run in {seconds} s"),
        }
    }

    /// Whether steps follow each other too fast to be read.
    pub fn is_fast(self) -> bool {
        !matches!(self, Self::Steps(..=5))
    }
}

/// A reader's place among steps, and how to go elsewhere.
#[derive(Clone, Copy)]
pub struct Stepping {
    /// Steps applied.
    pub position: Signal<u32>,
    /// Steps of the run.
    pub count: Signal<u32>,
    /// The time of the last step applied.
    pub step_time: Signal<Time>,
    /// The time shown as now, that of the step or later.
    pub now: Signal<Time>,
    /// How far the timeline reaches.
    pub end: Signal<Time>,
    pub is_playing: RwSignal<bool>,
    /// How fast it is played.
    pub pace: RwSignal<Pace>,
    /// Goes to a number of steps applied, or to the last one.
    pub go_to_step: Callback<u32>,
    /// Goes to a time, after every step that is not later.
    pub go_to_time: Callback<Time>,
    /// The position at the end of the next instant, or of the previous one.
    pub beside: Callback<bool, u32>,
    /// What of the timeline is in sight.
    pub viewport: Viewport,
}

impl Stepping {
    /// Goes somewhere by hand, and brings that into sight.
    pub fn visit(self, goal: Goal) {
        self.is_playing.set(false);
        match goal {
            Goal::Step(position) => self.go_to_step.run(position),
            Goal::Time(at) => self.go_to_time.run(at),
        }
        self.show();
    }

    /// Goes to the time at a place of the timeline, px, which is in sight.
    pub fn point_at(self, x: f64) {
        self.is_playing.set(false);
        self.go_to_time.run(self.viewport.scale.with_untracked(|scale| scale.round_time_from_x(x)));
    }

    /// Scrolls the timeline so that the reader's place is on it.
    pub fn show(self) {
        self.viewport.bring_into_sight(self.now.get_untracked());
    }

    /// Carries a command out; whether it is one of those that move through steps or along the timeline.
    pub fn carry_out(self, command: Command) -> bool {
        let position = self.position.get_untracked();
        let to = match command {
            Command::First => 0,
            Command::Last => u32::MAX,
            Command::StepForward => position.saturating_add(1),
            Command::StepBack => position.saturating_sub(1),
            Command::NextInstant => self.beside.run(true),
            Command::PreviousInstant => self.beside.run(false),
            Command::Play => {
                self.is_playing.update(|is_playing| *is_playing = !*is_playing);
                return true;
            }
            _ => return self.viewport.carry_out(command, self.now.get_untracked()),
        };
        self.visit(Goal::Step(to));
        true
    }
}

fn steps_per_second(steps: u32) -> String {
    match steps {
        1 => "1 step/s".to_owned(),
        _ => format!("{steps} steps/s"),
    }
}
