//! Slides: one frame for the class beamer, whose overlays go through some steps of a run.
//!
//! Depends on the rest of `tikz`. Invariants: every overlay shows its own pictures, in the order in which
//! they were painted; what several overlays have in common is written once.

use std::collections::HashMap;
use std::fmt::{self, Write};

use super::shape::Shape;
use super::{TikzSheet, text, write};
use blockstep_view::palette::Rgb;

/// Room for pictures on a slide of 16 by 9, between a title and some lines of words, in points.
pub const ROOM_PT: (f64, f64) = (426.0, 188.0);
/// Overlays of a frame.
pub const MAX_SLIDES: usize = 120;
/// Longest sequences that are compared part by part: pairs of parts.
const MAX_PAIRS: usize = 6_000_000;

/// Letters of a title on one line.
const TITLE_LETTERS: usize = 56;

/// One overlay.
#[derive(Clone, Debug)]
pub struct Slide {
    /// Beside each other; as many on every slide.
    pub pictures: Vec<TikzSheet>,
    /// What is said below them.
    pub words: String,
}

/// Colors of slides that are not black on white.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ground {
    /// Behind everything.
    pub ground: Rgb,
    /// Color of the words.
    pub ink: Rgb,
}

/// A presentation of one frame, which pdflatex compiles.
#[must_use]
pub fn document(title: &str, slides: &[Slide], ground: Option<Ground>) -> String {
    let colours = ground.map_or_else(String::new, |Ground { ground, ink }| {
        let define = |name: &str, Rgb(r, g, b): Rgb| format!("\\definecolor{{{name}}}{{RGB}}{{{r},{g},{b}}}\n");
        format!(
            "{}{}\\setbeamercolor{{background canvas}}{{bg=bsGround}}\n\\setbeamercolor{{normal text}}{{fg=bsInk}}\n\\setbeamercolor{{frametitle}}{{fg=bsInk}}\n",
            define("bsGround", ground),
            define("bsInk", ink)
        )
    });
    format!(
        "\
\\documentclass[10pt,aspectratio=169]{{beamer}}
\\usepackage{{tikz}}
\\setbeamersize{{text margin left=5mm,text margin right=5mm}}
\\setbeamertemplate{{navigation symbols}}{{}}
{colours}\\begin{{document}}
{}\\end{{document}}
",
        frame(title, slides)
    )
}

/// The frame alone, to be read with `\input` in a presentation.
#[must_use]
pub fn frame(title: &str, slides: &[Slide]) -> String {
    let mut out = String::from("% A frame of a presentation with \\usepackage{tikz}; with babel also \\usetikzlibrary{babel}.\n");
    let mut foreign: Vec<String> = slides.iter().flat_map(|slide| slide.pictures.iter().flat_map(TikzSheet::foreign)).collect();
    foreign.extend(slides.iter().flat_map(|slide| text::latex(&slide.words).foreign).chain(text::latex(title).foreign));
    foreign.sort_unstable();
    foreign.dedup();
    out.push_str(&write::foreign(&foreign));
    // Writing to memory does not fail.
    let _ = try_frame(title, slides, &mut out);
    out
}

fn try_frame(title: &str, slides: &[Slide], out: &mut String) -> fmt::Result {
    writeln!(out, "\\begin{{frame}}[t]{{{}}}\n\\centering", heading(title))?;
    let count = slides.iter().map(|slide| slide.pictures.len()).max().unwrap_or(0);
    let sheets = || slides.iter().flat_map(|slide| &slide.pictures);
    let height = sheets().map(|sheet| sheet.height).max().unwrap_or(0);
    // As wide as the text at most, and as high as there is room.
    let width_pt: f64 =
        (0..count).map(|i| slides.iter().filter_map(|s| s.pictures.get(i)).map(|s| s.size_pt().0).fold(0.0, f64::max)).sum();
    let share = (ROOM_PT.0 / width_pt.max(1.0)).min(ROOM_PT.1 / super::pt(height.into()).max(1.0)).min(1.0);
    for i in 0..count {
        if i > 0 {
            out.push_str("\\hfill\n");
        }
        let of_slides: Vec<Option<&TikzSheet>> = slides.iter().map(|slide| slide.pictures.get(i)).collect();
        let picture = picture(&of_slides, height);
        if share < 1.0 {
            // Rounded down, so that it fits.
            let share = (share * 100.0).floor() / 100.0;
            write!(out, "\\scalebox{{{}}}{{%\n{picture}}}%\n", write::number(share))?;
        } else {
            out.push_str(&picture);
        }
    }
    out.push_str("\\par\\medskip\n\\begin{overlayarea}{\\textwidth}{26pt}\\footnotesize\\raggedright\n");
    for (i, slide) in slides.iter().enumerate() {
        writeln!(out, "\\only<{}>{{{}}}%", i + 1, text::latex(&slide.words).code)?;
    }
    out.push_str("\\end{overlayarea}\n\\end{frame}\n");
    Ok(())
}

/// As much of a title as has room on a line.
fn heading(title: &str) -> String {
    let mut room = TITLE_LETTERS;
    let fits = |c: &char| {
        let width = text::latex(c.encode_utf8(&mut [0; 4])).width;
        room.checked_sub(width).map(|left| room = left).is_some()
    };
    let shown: String = title.chars().take_while(fits).collect();
    text::latex(&if shown.len() < title.len() { shown + "\u{2026}" } else { shown }).code
}

/// One of the pictures, with what it is on each slide.
fn picture(slides: &[Option<&TikzSheet>], height: u32) -> String {
    let shapes: Vec<&[Shape]> = slides.iter().map(|sheet| sheet.map_or(&[][..], |sheet| &sheet.shapes[..])).collect();
    let parts = merged(&shapes);
    let width = slides.iter().flatten().map(|sheet| sheet.width).max().unwrap_or(0);
    let sheet = TikzSheet { width, height, shapes: parts.iter().map(|part| part.shape.clone()).collect() };
    write::picture(&sheet, |out| {
        let mut rest = &parts[..];
        while let Some(first) = rest.first() {
            let count = rest.iter().take_while(|part| part.slides == first.slides).count();
            let (run, after) = rest.split_at(count);
            let run: Vec<Shape> = run.iter().map(|part| part.shape.clone()).collect();
            if first.slides.len() == slides.len() {
                write::all(out, &run)?;
            } else {
                writeln!(out, "\\only<{}>{{%", overlays(&first.slides))?;
                write::all(out, &run)?;
                out.push_str("}%\n");
            }
            rest = after;
        }
        Ok(())
    })
}

/// `1,3-5`: slides counted from 1.
#[must_use]
pub fn overlays(slides: &[usize]) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &slide in slides {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == slide => *last = slide,
            _ => runs.push((slide, slide)),
        }
    }
    let written: Vec<String> =
        runs.into_iter().map(|(a, b)| if a == b { (a + 1).to_string() } else { format!("{}-{}", a + 1, b + 1) }).collect();
    written.join(",")
}

/// Something that is there on these slides, ascending.
#[derive(Debug)]
struct SlideShape {
    shape: Shape,
    slides: Vec<usize>,
}

/// One sequence of which every slide's own is a part, in its order.
fn merged(slides: &[&[Shape]]) -> Vec<SlideShape> {
    // Shapes by number, as numbers are quicker to compare.
    let mut numbers: HashMap<&Shape, u32> = HashMap::new();
    let mut shapes: Vec<&Shape> = Vec::new();
    let mut all: Vec<(u32, Vec<usize>)> = Vec::new();
    for (slide, own) in slides.iter().enumerate() {
        let own: Vec<u32> = own
            .iter()
            .map(|shape| {
                *numbers.entry(shape).or_insert_with(|| {
                    shapes.push(shape);
                    shapes.len() as u32 - 1
                })
            })
            .collect();
        all = joined(all, &own, slide);
    }
    all.into_iter().map(|(number, slides)| SlideShape { shape: shapes[number as usize].clone(), slides }).collect()
}

/// Adds a slide to a sequence.
#[must_use]
pub fn joined(all: Vec<(u32, Vec<usize>)>, own: &[u32], slide: usize) -> Vec<(u32, Vec<usize>)> {
    let head = all.iter().zip(own).take_while(|(a, b)| a.0 == **b).count();
    let tail = all[head..].iter().rev().zip(own[head..].iter().rev()).take_while(|(a, b)| a.0 == **b).count();
    let old: Vec<u32> = all[head..all.len() - tail].iter().map(|part| part.0).collect();
    let new = &own[head..own.len() - tail];
    let pairs = common(&old, new);
    let mut out = Vec::with_capacity(all.len() + new.len());
    let mut all = all.into_iter();
    let share = |mut part: (u32, Vec<usize>)| {
        part.1.push(slide);
        part
    };
    out.extend(all.by_ref().take(head).map(share));
    let (mut i, mut j) = (0, 0);
    for (a, b) in pairs.into_iter().chain([(old.len(), new.len())]) {
        // What only the others have comes first, as it was painted first.
        out.extend(all.by_ref().take(a - i));
        out.extend(new[j..b].iter().map(|&number| (number, vec![slide])));
        if a < old.len() {
            out.extend(all.next().map(share));
        }
        (i, j) = (a + 1, b + 1);
    }
    out.extend(all.map(share));
    out
}

/// A longest common subsequence, as pairs of places; none if it would take too long to find.
fn common(a: &[u32], b: &[u32]) -> Vec<(usize, usize)> {
    if a.is_empty() || b.is_empty() || a.len().saturating_mul(b.len()) > MAX_PAIRS {
        return Vec::new();
    }
    let row = b.len() + 1;
    // Of what is left from each pair of places on, how much is common.
    let mut length = vec![0_u32; (a.len() + 1) * row];
    for i in (0..a.len()).rev() {
        for j in (0..b.len()).rev() {
            length[i * row + j] =
                if a[i] == b[j] { length[(i + 1) * row + j + 1] + 1 } else { length[(i + 1) * row + j].max(length[i * row + j + 1]) };
        }
    }
    let (mut i, mut j, mut pairs) = (0, 0, Vec::new());
    while i < a.len() && j < b.len() {
        if a[i] == b[j] {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if length[(i + 1) * row + j] >= length[i * row + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}
