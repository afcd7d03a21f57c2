//! Shapes as TikZ, as a picture to put into a document or as a document of its own.
//!
//! Depends on `shape` and `text`. Invariants: all that is written is ASCII; every color and every size
//! of text is defined in the picture that uses it, so that pictures can be copied one by one; names
//! never come into comments.

use std::collections::BTreeSet;
use std::fmt::{self, Write};

use super::shape::{Colour, Rect, Shape, Side, Words};
use super::{SIZES_PT, TikzSheet, UNITS_PER_PT, pt, text};
use plotters_backend::BackendCoord;

/// Lines of what is written are broken after about as many characters.
const LINE: usize = 96;
/// Runs of letters that are listed, and letters of each.
const MAX_FOREIGN: usize = 40;

/// The figure as one `tikzpicture`, to be read with `\input`.
#[must_use]
pub fn fragment(sheet: &TikzSheet) -> String {
    let mut out = String::from("% Needs \\usepackage{tikz}; with babel also \\usetikzlibrary{babel}.\n");
    out.push_str(&foreign(&sheet.foreign()));
    out.push_str(&picture(sheet, |out| all(out, &sheet.shapes)));
    out
}

/// The figure as a document that pdflatex makes a page of its size of.
#[must_use]
pub fn document(sheet: &TikzSheet) -> String {
    let (width, height) = sheet.size_pt();
    let (width, height) = (number(width), number(height));
    format!(
        "\
\\documentclass{{article}}
\\usepackage{{tikz}}
% A page as large as the figure.
\\setlength{{\\paperwidth}}{{{width}pt}}\\setlength{{\\paperheight}}{{{height}pt}}
\\setlength{{\\textwidth}}{{\\paperwidth}}\\setlength{{\\textheight}}{{\\paperheight}}
\\hoffset=-1in \\voffset=-1in \\oddsidemargin=0pt \\topmargin=0pt
\\headheight=0pt \\headsep=0pt \\topskip=0pt \\footskip=0pt \\parindent=0pt
\\pagestyle{{empty}}
\\begin{{document}}
{}\\end{{document}}
",
        fragment(sheet)
    )
}

/// A comment on letters that are written as numbers.
pub(super) fn foreign(runs: &[String]) -> String {
    if runs.is_empty() {
        return String::new();
    }
    let mut out =
        String::from("% Letters that LaTeX's own fonts lack are written as their numbers in Unicode, or as ? where those have no room:\n");
    for run in runs.iter().take(MAX_FOREIGN) {
        let letters: Vec<String> = run.chars().take(MAX_FOREIGN).map(|c| format!("U+{:04X}", u32::from(c))).collect();
        let more = if run.chars().count() > MAX_FOREIGN { " ..." } else { "" };
        // Writing to memory does not fail.
        let _ = writeln!(out, "%   {} is {}{more}", text::latex(run).code, letters.join(" "));
    }
    if runs.len() > MAX_FOREIGN {
        out.push_str("%   ...\n");
    }
    out
}

/// A `tikzpicture` of the sheet's size with all that its shapes need, and what `body` writes in it.
pub(super) fn picture(sheet: &TikzSheet, body: impl FnOnce(&mut String) -> fmt::Result) -> String {
    let mut out = String::new();
    // Writing to memory does not fail.
    let _ = try_picture(sheet, body, &mut out);
    out
}

fn try_picture(sheet: &TikzSheet, body: impl FnOnce(&mut String) -> fmt::Result, out: &mut String) -> fmt::Result {
    let colours: BTreeSet<_> = sheet.shapes.iter().flat_map(Shape::colours).map(|colour| colour.rgb).collect();
    let sizes: BTreeSet<usize> = sheet.shapes.iter().filter_map(Shape::words).map(|words| size_of(words).0).collect();
    write!(out, "\\begin{{tikzpicture}}[x=1pt,y=-1pt,line join=miter,every node/.style={{inner sep=0pt,outer sep=0pt}}")?;
    for size in sizes {
        let pt = SIZES_PT[size];
        write!(out, ",\n  {}/.style={{font=\\fontsize{{{}}}{{{}}}\\selectfont}}", style(size), number(pt), number(pt * 1.2))?;
    }
    out.push_str("]\n");
    for (red, green, blue) in colours {
        writeln!(out, "\\definecolor{{{}}}{{RGB}}{{{red},{green},{blue}}}", name((red, green, blue)))?;
    }
    let (width, height) = sheet.size_pt();
    writeln!(out, "\\clip (0,0) rectangle ({},{});", number(width), number(height))?;
    body(out)?;
    out.push_str("\\end{tikzpicture}%\n");
    Ok(())
}

/// Shapes, several of one look as one path where that changes nothing.
pub(super) fn all(out: &mut String, shapes: &[Shape]) -> fmt::Result {
    let mut rest = shapes;
    while let Some((first, _)) = rest.split_first() {
        let count = alike(rest);
        let (run, after) = rest.split_at(count.max(1));
        rest = after;
        match first {
            Shape::Words(words) => set(out, words)?,
            _ => path(out, run)?,
        }
    }
    Ok(())
}

/// How many shapes from the first on look alike and can be drawn as one path.
fn alike(shapes: &[Shape]) -> usize {
    let Some((first, _)) = shapes.split_first() else { return 0 };
    if first.words().is_some() {
        return 1;
    }
    let (look, mut areas): (_, Vec<Rect>) = (options(first), Vec::new());
    shapes
        .iter()
        .take(64)
        .take_while(|shape| {
            if options(shape) != look {
                return false;
            }
            let area = bounds(shape);
            // Where areas overlap, the order matters, or which way round they go.
            let is_apart = !areas.iter().any(|other| other.touches(&area));
            areas.push(area);
            is_apart || matches!(shape, Shape::Line(colour, ..) if colour.percent == 100)
        })
        .count()
}

/// What a shape covers, or a little more.
fn bounds(shape: &Shape) -> Rect {
    match shape {
        Shape::Fill(_, rect) | Shape::Box { rect, .. } => *rect,
        Shape::Outline(_, width, rect) => {
            let half = (*width as i32).div_euclid(2) + 1;
            Rect { x0: rect.x0 - half, y0: rect.y0 - half, x1: rect.x1 + half, y1: rect.y1 + half }
        }
        Shape::Line(_, _, points) | Shape::Polygon(_, points) => {
            let (xs, ys) = (points.iter().map(|p| p.0), points.iter().map(|p| p.1));
            let least = |values: &mut dyn Iterator<Item = i32>| values.min().unwrap_or(0);
            let most = |values: &mut dyn Iterator<Item = i32>| values.max().unwrap_or(0) + 1;
            Rect { x0: least(&mut xs.clone()), y0: least(&mut ys.clone()), x1: most(&mut { xs }), y1: most(&mut { ys }) }
        }
        Shape::Circle(_, _, (x, y), radius) => {
            let radius = *radius as i32 + 1;
            Rect { x0: x - radius, y0: y - radius, x1: x + radius, y1: y + radius }
        }
        Shape::Words(_) => Rect { x0: 0, y0: 0, x1: 0, y1: 0 },
    }
}

/// The command and options of a shape that is no text.
fn options(shape: &Shape) -> String {
    let one = |colour: &Colour| format!("{}{}", name(colour.rgb), opacity(colour.percent));
    let line = |width: &u32| format!("line width={}pt", number(pt(f64::from(*width))));
    match shape {
        Shape::Fill(colour, _) | Shape::Polygon(colour, _) | Shape::Circle(colour, None, ..) => format!("\\fill[{}]", one(colour)),
        Shape::Box { fill, edge, width, .. } => format!("\\filldraw[fill={},draw={},{}]", one(fill), one(edge), line(width)),
        Shape::Outline(colour, width, _) | Shape::Line(colour, width, _) | Shape::Circle(colour, Some(width), ..) => {
            format!("\\draw[{},{}]", one(colour), line(width))
        }
        Shape::Words(_) => String::new(),
    }
}

/// Shapes of one look.
fn path(out: &mut String, shapes: &[Shape]) -> fmt::Result {
    let Some(first) = shapes.first() else { return Ok(()) };
    let mut line = options(first);
    for shape in shapes {
        let piece = piece(shape);
        if line.len() + piece.len() >= LINE {
            writeln!(out, "{line}")?;
            line.clear();
        }
        line.push(' ');
        line.push_str(&piece);
    }
    writeln!(out, "{line};")
}

/// The path of one shape.
fn piece(shape: &Shape) -> String {
    let rectangle = |x0: f64, y0: f64, x1: f64, y1: f64| format!("{} rectangle {}", at((x0, y0)), at((x1, y1)));
    match shape {
        Shape::Fill(_, r) | Shape::Outline(_, _, r) => rectangle(r.x0.into(), r.y0.into(), r.x1.into(), r.y1.into()),
        Shape::Box { width, rect: r, .. } => {
            // The pen runs in the middle of the edge.
            let half = f64::from(*width) / 2.0;
            rectangle(f64::from(r.x0) + half, f64::from(r.y0) + half, f64::from(r.x1) - half, f64::from(r.y1) - half)
        }
        Shape::Line(_, _, points) | Shape::Polygon(_, points) => {
            let is_closed = matches!(shape, Shape::Polygon(..)) || points.len() > 2 && points.first() == points.last();
            let points = if is_closed && points.first() == points.last() { &points[1..] } else { points };
            let points: Vec<String> = points.iter().map(|&p| corner(p)).collect();
            format!("{}{}", points.join("--"), if is_closed { "--cycle" } else { "" })
        }
        Shape::Circle(_, _, centre, radius) => format!("{} circle[radius={}]", corner(*centre), number(pt(f64::from(*radius)))),
        Shape::Words(_) => String::new(),
    }
}

/// A text.
fn set(out: &mut String, words: &Words) -> fmt::Result {
    let anchor = match words.side {
        Side::Left => "base west",
        Side::Middle => "base",
        Side::Right => "base east",
    };
    let (size, code) = size_of(words);
    write!(out, "\\node[{},anchor={anchor},{}{}", style(size), name(words.colour.rgb), opacity(words.colour.percent))?;
    if words.turned != 0 {
        write!(out, ",rotate=-{}", words.turned)?;
    }
    let weight = if words.is_bold { "\\bfseries " } else { "" };
    writeln!(out, "] at {} {{{weight}{code}}};", corner(words.at))
}

/// The size of text that comes next to what was painted, by its place in [`SIZES_PT`], and the text;
/// smaller where numbers in the place of letters take more room, and without those where even the smallest has none.
fn size_of(words: &Words) -> (usize, String) {
    let latex = text::latex(&words.text);
    let painted = pt(f64::from(words.size));
    let share = words.text.chars().count() as f64 / latex.width.max(1) as f64;
    let pt = painted * share.min(1.0);
    if share < 1.0 && !latex.foreign.is_empty() {
        return match SIZES_PT.iter().rposition(|&size| size <= pt) {
            Some(size) => (size, latex.code),
            None => (nearest(painted), text::brief(&words.text).code),
        };
    }
    (nearest(pt), latex.code)
}

/// The place in [`SIZES_PT`] of the size next to this.
fn nearest(pt: f64) -> usize {
    let off = |i: &usize| (SIZES_PT[*i] - pt).abs();
    (0..SIZES_PT.len()).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(0)
}

/// The style of a size.
fn style(size: usize) -> String {
    format!("bst{}", SIZES_PT[size].round())
}

/// The name of a color.
fn name((red, green, blue): (u8, u8, u8)) -> String {
    format!("bs{red:02X}{green:02X}{blue:02X}")
}

fn opacity(percent: u8) -> String {
    if percent >= 100 { String::new() } else { format!(",opacity={}", number(f64::from(percent) / 100.0)) }
}

fn corner((x, y): BackendCoord) -> String {
    at((x.into(), y.into()))
}

fn at((x, y): (f64, f64)) -> String {
    format!("({},{})", number(pt(x)), number(pt(y)))
}

/// A number with at most two decimals.
pub(super) fn number(value: f64) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

const _: () = assert!(UNITS_PER_PT <= 100, "two decimals hold a unit");
