//! Pictures of dots from SVG documents.
//!
//! Depends on resvg. Invariant: a document with words is not drawn without them.

use std::sync::{Arc, Mutex, PoisonError};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Style, Weight};
use resvg::usvg::{FontResolver, Options, Tree};

/// Families without serifs that are likely to be there, best first.
const FAMILIES: [&str; 8] = ["Arial", "Helvetica", "Liberation Sans", "Nimbus Sans", "DejaVu Sans", "Noto Sans", "Segoe UI", "Roboto"];
/// Pixels of a picture, about 400 MB.
const MAX_PIXELS: u64 = 100_000_000;

/// Why a document cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the sentences say it")]
pub enum PngError {
    #[error("there is no font on this computer to write the words of a picture with; use --format svg")]
    NoFont,
    #[error("the picture cannot be drawn: {0}")]
    Unreadable(#[from] resvg::usvg::Error),
    #[error("a picture of {width} x {height} pixels is too large, the limit is {MAX_PIXELS} pixels; use --format svg")]
    TooLarge { width: u64, height: u64 },
    #[error("the picture cannot be written as PNG: {0}")]
    Unwritten(String),
}

/// Draws SVG documents, with the fonts of this computer.
pub struct Painter {
    options: Options<'static>,
    /// A letter that no font here has.
    missing: Arc<Mutex<Option<char>>>,
}

impl Painter {
    /// Reads which fonts there are.
    ///
    /// # Errors
    /// That there are none.
    pub fn new() -> Result<Self, PngError> {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        let family = sans_serif(&fonts).ok_or(PngError::NoFont)?;
        fonts.set_sans_serif_family(&family);
        // What is asked for last.
        fonts.set_serif_family(&family);
        let missing = Arc::new(Mutex::new(None));
        let usual = FontResolver::default_fallback_selector();
        let noted = Arc::clone(&missing);
        let font_resolver = FontResolver {
            select_fallback: Box::new(move |c, used, fonts| {
                let found = usual(c, used, fonts);
                if found.is_none() {
                    noted.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(c);
                }
                found
            }),
            ..FontResolver::default()
        };
        Ok(Self { options: Options { fontdb: Arc::new(fonts), font_resolver, ..Options::default() }, missing })
    }

    /// Draws a document with `scale` dots for each of its pixels: width, height, and red, green, blue and opacity of each dot.
    ///
    /// # Errors
    /// Why it cannot be drawn.
    pub fn dots(&self, svg: &str, scale: u32) -> Result<(u32, u32, Vec<u8>), PngError> {
        let dots = self.pixmap(svg, scale)?;
        Ok((dots.width(), dots.height(), dots.take()))
    }

    /// A letter that was to be drawn and is in no font here, if there is one: an empty box stands in its place.
    #[must_use]
    pub fn missing(&self) -> Option<char> {
        *self.missing.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn pixmap(&self, svg: &str, scale: u32) -> Result<Pixmap, PngError> {
        let tree = Tree::from_str(svg, &self.options)?;
        let size = tree.size().to_int_size();
        let (width, height) = (u64::from(size.width()) * u64::from(scale), u64::from(size.height()) * u64::from(scale));
        let too_large = || PngError::TooLarge { width, height };
        if width * height > MAX_PIXELS {
            return Err(too_large());
        }
        let mut dots = Pixmap::new(width as u32, height as u32).ok_or_else(too_large)?;
        resvg::render(&tree, Transform::from_scale(scale as f32, scale as f32), &mut dots.as_mut());
        Ok(dots)
    }
}

/// Draws an SVG document with `scale` pixels for each of its own; with it comes a letter that no font here has, if there are
/// some, which are empty boxes then.
///
/// # Errors
/// Why it cannot be drawn.
pub fn png(svg: &str, scale: u32) -> Result<(Vec<u8>, Option<char>), PngError> {
    let painter = Painter::new()?;
    let dots = painter.pixmap(svg, scale)?.encode_png().map_err(|e| PngError::Unwritten(e.to_string()))?;
    Ok((dots, painter.missing()))
}

/// One of the likely families, else any upright face of regular weight whose letters differ in width, else any.
fn sans_serif(fonts: &Database) -> Option<String> {
    let has = |name: &&str| fonts.faces().any(|face| face.families.iter().any(|(family, _)| family == name));
    let likely = FAMILIES.iter().find(|name| has(name)).map(|name| (*name).to_owned());
    let plain = || fonts.faces().find(|face| !face.monospaced && face.style == Style::Normal && face.weight == Weight::NORMAL);
    likely.or_else(|| plain().or_else(|| fonts.faces().next()).and_then(|face| face.families.first()).map(|(family, _)| family.clone()))
}
