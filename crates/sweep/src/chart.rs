//! A measure of a sweep against its fields, as a picture: curves, or cells where two fields have many numbers.
//!
//! Depends on `draw`. Invariant: what is drawn of several runs that differ only by the seed, or by what is drawn by it, is their
//! median, the lower of two, and between which values all of them lie.

use std::collections::{BTreeMap, BTreeSet};

use super::measure::{Measure, thousandths};
use super::names::Names;
use super::part::Part;
use blockstep_draw::Theme;
use blockstep_draw::chart::Style;
use blockstep_draw::chart::heat::{Cell, heat_alone};
use blockstep_draw::chart::study::{Axis, Band, BandPoint, BandsAlone, bands_alone};
use blockstep_sim::language::all_of;
use blockstep_sim::units::written::{format_count, format_time};
use blockstep_view::panels::sheet::Chart;
use blockstep_view::panels::study::{colour, dashes};
use blockstep_view::results::unit::TimeUnit;

/// Most curves that can be told apart.
const MOST_CURVES: usize = 8;
/// Most places along the bottom; more are taken together.
const MOST_PLACES: u64 = 200;
/// A field that repeats runs.
const SEED: &str = "seed";

/// Why there is no picture.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ChartError {
    /// The sweep measured something else.
    #[error("the sweep has no measure \"{measure}\"; it has {}", .known.join(", "))]
    NoMeasure {
        /// What was asked for.
        measure: String,
        /// The measures there are.
        known: Vec<String>,
    },
    /// There is no axis.
    #[error("a chart needs a field with at least two numbers; {}", varied(.0))]
    NoNumbers(Vec<String>),
    /// No run has a number.
    #[error("no run has a {0}")]
    Empty(String),
    /// More than can be told apart.
    #[error("these are {count} curves, one for each combination of {}; at most {MOST_CURVES} can be told apart", .fields.join(" and "))]
    TooManyCurves {
        /// How many.
        count: usize,
        /// What they are of.
        fields: Vec<String>,
    },
}

fn varied(fields: &[String]) -> String {
    match fields {
        [] => "no field varies".to_owned(),
        [field] => format!("{field} has none"),
        fields => format!("{} have none", fields.join(" and ")),
    }
}

/// How a picture is to look.
#[derive(Clone, Copy, Debug)]
pub struct ChartLook {
    /// Whether the ground is dark.
    pub is_dark: bool,
    /// Width and height without the legend, px.
    pub size: (u32, u32),
}

impl ChartLook {
    /// As a file.
    pub const FILE: Self = Self { is_dark: false, size: (860, 480) };

    fn theme(self) -> Theme {
        if self.is_dark { Theme::dark() } else { Theme::light() }.for_svg()
    }
}

/// A chart with the runs behind its points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepChart {
    /// The picture, with what it shows in words.
    pub chart: Chart,
    /// Its width and height, px.
    pub size: (u32, u32),
    /// The points of its curves, curve by curve from left to right; none if it has cells.
    pub points: Vec<SweepPoint>,
}

/// A point of a curve.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SweepPoint {
    /// From the left and from the top of the picture, px.
    pub at: (i32, i32),
    /// Its run; of several, the one whose value is drawn.
    pub run: u64,
    /// What is measured there, with its unit: `response:K3 4.8 s`.
    pub text: String,
}

/// A column of the table whose values a sweep has chosen.
struct Column<'p> {
    place: usize,
    name: &'p str,
    /// The values of all rows, if they are at least two numbers.
    numbers: Option<BTreeSet<u64>>,
    /// Whether it makes runs of the same kind rather than runs of another kind: the seed, and what is drawn by it.
    repeats: bool,
}

/// How the numbers of an axis are written.
#[derive(Clone, Copy)]
enum Numbers {
    Time(TimeUnit),
    Count,
    /// Thousandths.
    Percent,
}

impl Numbers {
    fn label(self, number: u64) -> String {
        match self {
            Self::Time(unit) => unit.short(number.into()),
            Self::Count => format_count(number),
            Self::Percent => match number % 1000 {
                0 => format_count(number / 1000),
                part => format!("{}.{}", format_count(number / 1000), format!("{part:03}").trim_end_matches('0')),
            },
        }
    }

    fn title(self, name: &str) -> String {
        match self {
            Self::Time(unit) => format!("{name}, {}", unit.name),
            Self::Count => name.to_owned(),
            Self::Percent => format!("{name}, %"),
        }
    }

    /// With its unit.
    fn whole(self, number: u64) -> String {
        match self {
            Self::Time(_) => format_time(number),
            Self::Count => self.label(number),
            Self::Percent => format!("{} %", self.label(number)),
        }
    }
}

impl Measure {
    /// A cell of its column; utilization in thousandths.
    fn number(&self, cell: &str) -> Option<u64> {
        match self {
            Self::Utilization => thousandths(cell)?.try_into().ok(),
            _ => cell.parse().ok(),
        }
    }

    fn numbers(&self, greatest: u64) -> Numbers {
        match self {
            Self::Utilization => Numbers::Percent,
            _ if self.is_time() => Numbers::Time(TimeUnit::for_greatest(greatest.into())),
            _ => Numbers::Count,
        }
    }
}

impl Column<'_> {
    fn scale(&self, greatest: u64) -> Numbers {
        if self.name.ends_with("_ns") { Numbers::Time(TimeUnit::for_greatest(greatest.into())) } else { Numbers::Count }
    }
}

/// Draws a measure as an SVG that stands alone, with what it shows in words. Along the bottom is the first field with numbers, and there
/// is a curve for each combination of the others; one other field, of more numbers than curves can be told apart, has an axis, too. The
/// seed and what is drawn by it make neither, where there is another field.
///
/// # Errors
/// [`ChartError`].
pub fn chart(part: &Part, measure: &Measure, look: ChartLook) -> Result<Chart, ChartError> {
    Ok(chart_with_points(part, measure, &Names::written(), look)?.chart)
}

/// The same with the runs behind its points, and with other names.
///
/// # Errors
/// [`ChartError`].
pub fn chart_with_points(part: &Part, measure: &Measure, names: &Names, look: ChartLook) -> Result<SweepChart, ChartError> {
    let word = measure.to_string();
    let Some(of) = part.header.iter().position(|name| *name == word) else {
        let known = part.header.iter().filter(|name| name.parse::<Measure>().is_ok()).cloned().collect();
        return Err(ChartError::NoMeasure { measure: word, known });
    };
    let rows: Vec<(&[String], u64)> =
        part.rows.iter().filter_map(|(_, cells)| Some((&cells[..], measure.number(cells.get(of)?)?))).collect();
    if rows.is_empty() {
        return Err(ChartError::Empty(names.of(&word)));
    }
    let fields = columns(part, &rows);
    let x = fields.iter().filter(|column| column.numbers.is_some()).min_by_key(|column| (column.repeats, column.name == SEED));
    let x = x.ok_or_else(|| ChartError::NoNumbers(fields.iter().map(|column| names.of(column.name)).collect()))?;
    let others: Vec<&Column<'_>> = fields.iter().filter(|column| column.place != x.place && !column.repeats).collect();
    match &others[..] {
        [y] if y.numbers.as_ref().is_some_and(|numbers| numbers.len() > MOST_CURVES) => Ok(cells(&rows, x, y, measure, names, look)),
        _ => curves(&rows, x, &others, measure, names, look),
    }
}

impl Part {
    /// A measure as people call it, with the unit of its greatest value in this table: `Largest response of K3, ms`.
    #[must_use]
    pub fn title(&self, measure: &Measure) -> String {
        let word = measure.to_string();
        let of = self.header.iter().position(|name| *name == word);
        let values = self.rows.iter().filter_map(|(_, cells)| measure.number(cells.get(of?)?));
        measure.numbers(values.max().unwrap_or(0)).title(&measure.title())
    }
}

/// The fields, which stand between the run and its measures, as far as they vary.
fn columns<'p>(part: &'p Part, rows: &[(&[String], u64)]) -> Vec<Column<'p>> {
    let fields = part.header.iter().enumerate().skip(1).take_while(|(_, name)| name.parse::<Measure>().is_err());
    let values = |place: usize| rows.iter().map(move |(cells, _)| cells[place].as_str()).collect::<BTreeSet<_>>();
    let column = |(place, name): (usize, &'p String)| {
        let values = values(place);
        let numbers: Option<BTreeSet<u64>> = values.iter().map(|value| value.parse().ok()).collect();
        let repeats = name == SEED || part.is_drawn(name);
        let numbers = numbers.filter(|numbers| numbers.len() > 1);
        (values.len() > 1).then_some(Column { place, name, numbers, repeats })
    };
    fields.filter_map(column).collect()
}

/// The number of a row in a column that has only numbers.
fn number(cells: &[String], column: &Column<'_>) -> u64 {
    cells[column.place].parse().unwrap_or(0)
}

fn curves(
    rows: &[(&[String], u64)],
    x: &Column<'_>,
    others: &[&Column<'_>],
    measure: &Measure,
    names: &Names,
    look: ChartLook,
) -> Result<SweepChart, ChartError> {
    let together = Together::new(x);
    let mut places: BTreeMap<String, usize> = BTreeMap::new();
    // By curve: the values at each place along the bottom, each with its run.
    let mut curves: Vec<BTreeMap<u64, Vec<(u64, u64)>>> = Vec::new();
    for (cells, value) in rows {
        let place = *places.entry(name_of(cells, others, names)).or_insert(curves.len());
        if place == curves.len() {
            curves.push(BTreeMap::new());
        }
        curves[place].entry(together.place(number(cells, x))).or_default().push((*value, run_of(cells)));
    }
    if curves.len() > MOST_CURVES {
        let fields = others.iter().map(|column| names.of(column.name)).collect();
        return Err(ChartError::TooManyCurves { count: curves.len(), fields });
    }
    let mut runs: Vec<u64> = Vec::new();
    let mut point = |(x, values): (u64, Vec<(u64, u64)>)| {
        summed(values).map(|((y, run), (least, most))| {
            runs.push(run);
            BandPoint { x, y, band: (least.0, most.0) }
        })
    };
    let band = |(place, at): (usize, BTreeMap<u64, Vec<(u64, u64)>>)| Band {
        colour: colour(place, look.is_dark),
        dashes: dashes(place),
        points: at.into_iter().filter_map(&mut point).collect(),
    };
    let bands: Vec<Band> = curves.into_iter().enumerate().map(band).collect();
    let word = measure.to_string();
    let mut legend: Vec<(String, usize)> = places.into_iter().collect();
    legend.sort_by_key(|(_, place)| *place);
    let points = || bands.iter().flat_map(|band| &band.points);
    let greatest = points().map(|point| point.band.1).max().unwrap_or(0);
    let (y, has_several) = (measure.numbers(greatest), points().any(|point| point.band.0 != point.band.1));
    let title = y.title(&names.title(&word));
    let title = if has_several { format!("{title} (median; band: all)") } else { title };
    let legend: Vec<String> = legend.into_iter().map(|(name, _)| if name.is_empty() { names.title(&word) } else { name }).collect();
    let ends = ends(points().map(|point| point.x));
    let scale = x.scale(ends.1);
    let (x_title, x_label, y_label) = (scale.title(&names.title(x.name)), |n| scale.label(n), |n| y.label(n));
    let along = Axis { range: ends, name: &x_title, label: &x_label };
    let up = Axis { range: (0, greatest.saturating_add(greatest / 20 + 1)), name: &title, label: &y_label };
    let (theme, label) = (look.theme(), format!("{title} by {}{}", names.of(x.name), same_lines(&bands, &legend)));
    let BandsAlone { svg, size, places } = bands_alone(&bands, along, up, Style { theme: &theme, size: look.size }, &label, &legend);
    let text = |value: u64| names.is(&word, &y.whole(value));
    let points = places.into_iter().flatten().zip(points()).zip(runs);
    let points = points.map(|((at, point), run)| SweepPoint { at, run, text: text(point.y) }).collect();
    Ok(SweepChart { chart: Chart { svg, label }, size, points })
}

/// Says which curves lie on each other: `. The lines of FIFO and Priority are the same.`; nothing if none do.
fn same_lines(bands: &[Band], legend: &[String]) -> String {
    let mut said = String::new();
    for (place, band) in bands.iter().enumerate() {
        if bands[..place].iter().any(|before| before.points == band.points) {
            continue;
        }
        let same = bands.iter().zip(legend).skip(place).filter(|(other, _)| other.points == band.points);
        let names: Vec<&str> = same.map(|(_, name)| name.as_str()).collect();
        if names.len() > 1 {
            let end = if said.is_empty() { ". " } else { " " };
            said.push_str(&format!("{end}The lines of {} are the same.", all_of(&names)));
        }
    }
    said
}

/// The number of a row's run.
fn run_of(cells: &[String]) -> u64 {
    cells.first().and_then(|run| run.parse().ok()).unwrap_or_default()
}

/// What tells a row's curve from the others.
fn name_of(cells: &[String], others: &[&Column<'_>], names: &Names) -> String {
    others.iter().map(|column| names.pair(column.name, &cells[column.place])).collect::<Vec<_>>().join(", ")
}

/// The median, the lower of two, and the least and the greatest.
fn summed<T: Copy + Ord>(mut values: Vec<T>) -> Option<(T, (T, T))> {
    values.sort_unstable();
    let middle = values.get(values.len().checked_sub(1)? / 2)?;
    Some((*middle, (*values.first()?, *values.last()?)))
}

/// Numbers of a field that are drawn at one place.
struct Together {
    first: u64,
    width: u64,
}

impl Together {
    fn new(x: &Column<'_>) -> Self {
        let numbers = x.numbers.iter().flatten().copied();
        let ((first, last), are_many) = (ends(numbers.clone()), numbers.count() as u64 > MOST_PLACES);
        Self { first, width: if are_many { (last - first).div_ceil(MOST_PLACES) } else { 1 } }
    }

    /// In the middle of those that it stands for.
    fn place(&self, number: u64) -> u64 {
        (self.first + (number - self.first) / self.width * self.width).saturating_add(self.width / 2)
    }
}

fn ends(numbers: impl Iterator<Item = u64> + Clone) -> (u64, u64) {
    (numbers.clone().min().unwrap_or(0), numbers.max().unwrap_or(0))
}

fn cells(rows: &[(&[String], u64)], x: &Column<'_>, y: &Column<'_>, measure: &Measure, names: &Names, look: ChartLook) -> SweepChart {
    let (along, up) = (Together::new(x), Together::new(y));
    let mut at: BTreeMap<(u64, u64), Vec<u64>> = BTreeMap::new();
    for (cells, value) in rows {
        at.entry((along.place(number(cells, x)), up.place(number(cells, y)))).or_default().push(*value);
    }
    let edges = |places: BTreeSet<u64>| edges(&places.into_iter().collect::<Vec<_>>());
    let (across, upward) = (edges(at.keys().map(|at| at.0).collect()), edges(at.keys().map(|at| at.1).collect()));
    let cell = |((x, y), values): ((u64, u64), Vec<u64>)| Some(Cell { x: *across.get(&x)?, y: *upward.get(&y)?, value: summed(values)?.0 });
    let has_several = at.values().any(|values| values.len() > 1);
    let cells: Vec<Cell> = at.into_iter().filter_map(cell).collect();
    let greatest = cells.iter().map(|cell| cell.value).max().unwrap_or(0);
    let numbers = measure.numbers(greatest);
    // Edges stand at twice the numbers, so that they are between them.
    let axis = |column: &Column<'_>, edges: &BTreeMap<u64, (u64, u64)>| {
        let range = (edges.values().map(|edge| edge.0).min().unwrap_or(0), edges.values().map(|edge| edge.1).max().unwrap_or(0));
        (range, column.scale(range.1 / 2))
    };
    let ((x_range, x_scale), (y_range, y_scale)) = (axis(x, &across), axis(y, &upward));
    let label = |scale: Numbers| move |n: u64| if n.is_multiple_of(2) { scale.label(n / 2) } else { String::new() };
    let (x_title, y_title) = (x_scale.title(&names.title(x.name)), y_scale.title(&names.title(y.name)));
    let word = measure.to_string();
    let (x_label, y_label) = (label(x_scale), label(y_scale));
    let value = |n| {
        let median = if has_several { ", the median of its runs" } else { "" };
        format!("{}{median}", names.is(&word, &numbers.whole(n)))
    };
    let (theme, label) = (look.theme(), format!("{} by {} and {}", names.title(&word), names.of(x.name), names.of(y.name)));
    let svg = heat_alone(
        &cells,
        colour(0, look.is_dark),
        Axis { range: x_range, name: &x_title, label: &x_label },
        Axis { range: y_range, name: &y_title, label: &y_label },
        &value,
        Style { theme: &theme, size: look.size },
        &label,
    );
    // The least and the greatest stand below.
    SweepChart { chart: Chart { svg, label }, size: look.size, points: Vec::new() }
}

/// From where to where the cell of each number reaches, at twice the numbers: halfway to its neighbors.
fn edges(numbers: &[u64]) -> BTreeMap<u64, (u64, u64)> {
    let mut found = BTreeMap::new();
    for (place, &number) in numbers.iter().enumerate() {
        let below = place.checked_sub(1).and_then(|place| numbers.get(place)).map(|before| number - before);
        let above = numbers.get(place + 1).map(|after| after - number);
        let (down, up) = (below.or(above).unwrap_or(1), above.or(below).unwrap_or(1));
        found.insert(number, (number.saturating_mul(2).saturating_sub(down), number.saturating_mul(2).saturating_add(up)));
    }
    found
}
