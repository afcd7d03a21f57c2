//! What a figure is made of, and how many of its parts become few.
//!
//! Depends on `text`. Invariant: what is joined looks as it did when it was painted in parts.

use plotters_backend::{BackendColor, BackendCoord};

/// A color; opaque at 100 per cent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Colour {
    pub(super) rgb: (u8, u8, u8),
    pub(super) percent: u8,
}

/// A rectangle; not empty but for lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Rect {
    pub(super) x0: i32,
    pub(super) y0: i32,
    pub(super) x1: i32,
    pub(super) y1: i32,
}

/// Which side of a text stands at its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Side {
    Left,
    Middle,
    Right,
}

/// A text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Words {
    pub(super) colour: Colour,
    /// Where its baseline meets the side.
    pub(super) at: BackendCoord,
    /// Height of the font, units.
    pub(super) size: i32,
    pub(super) side: Side,
    /// By how many degrees it is turned clockwise.
    pub(super) turned: u16,
    pub(super) is_bold: bool,
    pub(super) text: String,
}

/// One part of a figure; widths of lines and radii in units.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Shape {
    Fill(Colour, Rect),
    /// A rectangle with its edge, which lies inside it.
    Box {
        fill: Colour,
        edge: Colour,
        width: u32,
        rect: Rect,
    },
    Outline(Colour, u32, Rect),
    Line(Colour, u32, Vec<BackendCoord>),
    Polygon(Colour, Vec<BackendCoord>),
    /// A circle, or a disc if it has no width of line.
    Circle(Colour, Option<u32>, BackendCoord, u32),
    Words(Words),
}

impl Colour {
    pub(super) fn from_backend(colour: BackendColor) -> Self {
        Self { rgb: colour.rgb, percent: (colour.alpha.clamp(0.0, 1.0) * 100.0).round() as u8 }
    }

    pub(super) fn is_seen(self) -> bool {
        self.percent > 0
    }
}

impl Rect {
    pub(super) fn touches(&self, other: &Self) -> bool {
        self.x0 < other.x1 && other.x0 < self.x1 && self.y0 < other.y1 && other.y0 < self.y1
    }

    /// How far another one lies inside on every side, if it is the same everywhere, but for rounding.
    fn inset(&self, inner: &Self) -> Option<u32> {
        let sides = [inner.x0 - self.x0, inner.y0 - self.y0, self.x1 - inner.x1, self.y1 - inner.y1];
        let (least, most) = sides.into_iter().fold((i32::MAX, i32::MIN), |(a, b), side| (a.min(side), b.max(side)));
        let is_even = least > 0 && most - least <= 1 && inner.x0 < inner.x1 && inner.y0 < inner.y1;
        // Rounded up: a thin line is seen better.
        if is_even { u32::try_from(most).ok() } else { None }
    }

    /// Both as one, if they have a whole side in common.
    fn joined(&self, other: &Self) -> Option<Self> {
        let (level, upright) = ((self.y0, self.y1) == (other.y0, other.y1), (self.x0, self.x1) == (other.x0, other.x1));
        let adjoin = |a: (i32, i32), b: (i32, i32)| a.1 == b.0 || b.1 == a.0;
        let is_one =
            level && adjoin((self.x0, self.x1), (other.x0, other.x1)) || upright && adjoin((self.y0, self.y1), (other.y0, other.y1));
        is_one.then(|| Self { x0: self.x0.min(other.x0), y0: self.y0.min(other.y0), x1: self.x1.max(other.x1), y1: self.y1.max(other.y1) })
    }
}

impl Shape {
    pub(super) fn words(&self) -> Option<&Words> {
        match self {
            Self::Words(words) => Some(words),
            _ => None,
        }
    }

    /// Its colors.
    pub(super) fn colours(&self) -> impl Iterator<Item = Colour> {
        let (own, more) = match self {
            Self::Box { fill, edge, .. } => (*fill, Some(*edge)),
            Self::Fill(colour, _)
            | Self::Outline(colour, ..)
            | Self::Line(colour, ..)
            | Self::Polygon(colour, _)
            | Self::Circle(colour, ..)
            | Self::Words(Words { colour, .. }) => (*colour, None),
        };
        [own].into_iter().chain(more)
    }
}

/// Makes one shape of a rectangle in the color of an edge and the next, smaller one over it; and of
/// two of one color side by side.
pub(super) fn framed(shapes: Vec<Shape>) -> Vec<Shape> {
    let mut out: Vec<Shape> = Vec::with_capacity(shapes.len());
    for shape in shapes {
        let joined = match (out.last(), &shape) {
            (Some(Shape::Fill(a, outer)), Shape::Fill(b, inner)) if a.percent == 100 && b.percent == 100 => {
                if a == b {
                    outer.joined(inner).map(|rect| Shape::Fill(*a, rect))
                } else {
                    outer.inset(inner).map(|width| Shape::Box { fill: *b, edge: *a, width, rect: *outer })
                }
            }
            _ => None,
        };
        if joined.is_some() {
            out.pop();
        }
        out.push(joined.unwrap_or(shape));
    }
    out
}
