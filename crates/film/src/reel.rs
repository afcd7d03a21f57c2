//! Pictures of dots, one after another, as a GIF.
//!
//! Depends on gif. Invariants: all frames share one palette; a frame holds the rectangle that differs from the frame before it, and of
//! that only the dots that do; the same pictures give the same bytes.

use std::collections::BTreeMap;

use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

/// Red, green, blue.
type Color = [u8; 3];

/// Colors of a palette; one more place is for dots that stay as they are.
const MOST_COLORS: usize = 255;

/// Frames so far.
pub(crate) struct Reel {
    width: u16,
    height: u16,
    /// The dots of the last picture.
    last: Vec<Color>,
    shots: Vec<Shot>,
}

/// What a picture changes.
struct Shot {
    left: u16,
    top: u16,
    width: u16,
    height: u16,
    /// Its dots row by row, as colors and how many times each; `None` for those that stay.
    dots: Vec<(Option<Color>, u32)>,
}

impl Reel {
    pub(crate) fn new(width: u16, height: u16) -> Self {
        Self { width, height, last: Vec::new(), shots: Vec::new() }
    }

    /// Adds a picture: red, green, blue and a byte that is not looked at for each of its dots, row by row.
    pub(crate) fn add(&mut self, rgba: &[u8]) {
        let dots: Vec<Color> = rgba.chunks_exact(4).map(|dot| [dot[0], dot[1], dot[2]]).collect();
        let width = usize::from(self.width);
        let is_first = self.last.is_empty();
        let differs = |at: &usize| is_first || self.last.get(*at) != dots.get(*at);
        let changed = || (0..dots.len()).filter(differs);
        let first = changed().next().unwrap_or(0);
        let (mut left, mut right, mut bottom) = (first % width, first % width, first / width);
        for at in changed() {
            (left, right, bottom) = (left.min(at % width), right.max(at % width), at / width);
        }
        let top = first / width;
        let mut runs: Vec<(Option<Color>, u32)> = Vec::new();
        for at in (top..=bottom).flat_map(|row| row * width + left..=row * width + right) {
            let dot = Some(at).filter(differs).and_then(|at| dots.get(at)).copied();
            match runs.last_mut() {
                Some((color, count)) if *color == dot => *count += 1,
                _ => runs.push((dot, 1)),
            }
        }
        self.shots.push(Shot {
            left: left as u16,
            top: top as u16,
            width: (right - left + 1) as u16,
            height: (bottom - top + 1) as u16,
            dots: runs,
        });
        self.last = dots;
    }

    /// The GIF, which begins again when it is over; each frame stays for so many hundredths of a second.
    pub(crate) fn finish(self, delays: &[u16]) -> Result<Vec<u8>, EncodingError> {
        let mut counts = BTreeMap::new();
        for &(color, count) in self.shots.iter().flat_map(|shot| &shot.dots) {
            if let Some(color) = color {
                *counts.entry(color).or_insert(0_u64) += u64::from(count);
            }
        }
        let palette = palette(&counts);
        let places: BTreeMap<Color, u8> = counts.keys().map(|&color| (color, nearest(&palette, color))).collect();
        let kept = palette.len() as u8;
        let mut bytes = Vec::new();
        // What is kept has a place of its own, whose color is never seen.
        let colors: Vec<u8> = palette.iter().flatten().copied().chain([0; 3]).collect();
        let mut encoder = Encoder::new(&mut bytes, self.width, self.height, &colors)?;
        encoder.set_repeat(Repeat::Infinite)?;
        for (shot, &delay) in self.shots.iter().zip(delays) {
            let place = |color: Option<Color>| color.and_then(|color| places.get(&color).copied()).unwrap_or(kept);
            let buffer: Vec<u8> = shot.dots.iter().flat_map(|&(color, count)| std::iter::repeat_n(place(color), count as usize)).collect();
            encoder.write_frame(&Frame {
                delay,
                dispose: DisposalMethod::Keep,
                transparent: Some(kept),
                left: shot.left,
                top: shot.top,
                width: shot.width,
                height: shot.height,
                buffer: buffer.into(),
                ..Frame::default()
            })?;
        }
        drop(encoder);
        Ok(bytes)
    }
}

/// The colors that dots have, as far as a palette has room: those of most dots first, and no two of them so near each other that they take
/// the room of one that is farther from all. So large areas keep their color, and no dot is far from its own.
fn palette(counts: &BTreeMap<Color, u64>) -> Vec<Color> {
    let mut colors: Vec<(Color, u64)> = counts.iter().map(|(&color, &count)| (color, count)).collect();
    colors.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let mut apart = 0;
    loop {
        let mut kept: Vec<Color> = Vec::new();
        for &(color, _) in &colors {
            if kept.len() > MOST_COLORS {
                break;
            }
            if kept.iter().all(|&other| distance(color, other) > apart) {
                kept.push(color);
            }
        }
        if kept.len() <= MOST_COLORS {
            return kept;
        }
        apart += apart / 4 + 1;
    }
}

/// The place of the color that is nearest to this one.
fn nearest(palette: &[Color], color: Color) -> u8 {
    let found = palette.iter().enumerate().min_by_key(|&(_, &other)| distance(color, other));
    found.map_or(0, |(place, _)| place as u8)
}

/// The square of how far two colors are from each other.
fn distance(one: Color, other: Color) -> u32 {
    one.iter().zip(other).map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}
