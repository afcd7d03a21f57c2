//! Colors and sizes of the painted timeline.
//!
//! Depends on `view::palette`. Invariant: themes differ in colors only.

use blockstep_view::palette::Rgb;

/// Plotters' SVG backend divides sizes by this before it writes them; canvases do not.
const SVG_TEXT: f64 = 1.24;

/// How a frame is painted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theme {
    /// Whether kernels take their colors for a dark ground.
    pub dark: bool,
    /// Pixels painted for each pixel of the frame.
    pub scale: f64,
    /// Factor on the size of text.
    pub text_scale: f64,
    /// Behind everything.
    pub ground: Rgb,
    /// Ground of a lane.
    pub lane: Rgb,
    /// Grid lines.
    pub grid: Rgb,
    /// Axis line and ticks.
    pub axis: Rgb,
    /// Labels of lanes and ticks.
    pub ink: Rgb,
    /// Secondary labels.
    pub faint_ink: Rgb,
    /// The line of the current instant, and its plate.
    pub cursor: Rgb,
    /// Words on that plate.
    pub on_cursor: Rgb,
    /// Edge of a selected box.
    pub selected: Rgb,
    /// Missed deadlines, and what is past them.
    pub missed: Rgb,
    /// What could run but is held up.
    pub held_up: Rgb,
}

impl Theme {
    /// For a light page, and for paper.
    #[must_use]
    pub const fn light() -> Self {
        Self {
            dark: false,
            scale: 1.0,
            text_scale: 1.0,
            ground: Rgb(0xff, 0xff, 0xff),
            lane: Rgb(0xf3, 0xf5, 0xf8),
            grid: Rgb(0xdd, 0xe2, 0xe8),
            axis: Rgb(0x6b, 0x76, 0x84),
            ink: Rgb(0x1c, 0x24, 0x2e),
            faint_ink: Rgb(0x5a, 0x66, 0x74),
            cursor: Rgb(0xc2, 0x18, 0x5b),
            on_cursor: Rgb(0xff, 0xff, 0xff),
            selected: Rgb(0x11, 0x18, 0x20),
            missed: Rgb(0xd0, 0x1c, 0x1c),
            held_up: Rgb(0xb9, 0x3d, 0x0b),
        }
    }

    /// For a dark page.
    #[must_use]
    pub const fn dark() -> Self {
        Self {
            dark: true,
            scale: 1.0,
            text_scale: 1.0,
            ground: Rgb(0x12, 0x17, 0x1e),
            lane: Rgb(0x1b, 0x22, 0x2b),
            grid: Rgb(0x2c, 0x36, 0x42),
            axis: Rgb(0x8a, 0x96, 0xa4),
            ink: Rgb(0xe6, 0xea, 0xef),
            faint_ink: Rgb(0x9f, 0xaa, 0xb7),
            cursor: Rgb(0xff, 0x6f, 0xa5),
            on_cursor: Rgb(0x12, 0x17, 0x1e),
            selected: Rgb(0xff, 0xff, 0xff),
            missed: Rgb(0xff, 0x6b, 0x60),
            held_up: Rgb(0xff, 0xab, 0x70),
        }
    }

    /// For paper that may be copied without colors: black on white, see `view::print`.
    #[must_use]
    pub const fn print() -> Self {
        const BLACK: Rgb = Rgb(0, 0, 0);
        const WHITE: Rgb = Rgb(0xff, 0xff, 0xff);
        Self {
            dark: false,
            scale: 1.0,
            text_scale: 1.0,
            ground: WHITE,
            lane: WHITE,
            grid: Rgb(0xc8, 0xc8, 0xc8),
            axis: BLACK,
            ink: BLACK,
            faint_ink: BLACK,
            cursor: BLACK,
            on_cursor: WHITE,
            selected: BLACK,
            missed: BLACK,
            held_up: BLACK,
        }
    }

    /// Paints every pixel of the frame as `scale` of the backend's, for dense screens.
    #[must_use]
    pub const fn scaled(self, scale: f64) -> Self {
        Self { scale, ..self }
    }

    /// For plotters' SVG backend, so that text comes out at the size it has on a canvas.
    #[must_use]
    pub const fn for_svg(self) -> Self {
        Self { text_scale: SVG_TEXT, ..self }
    }
}
