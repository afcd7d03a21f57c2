//! A backend of plotters that keeps a list of what it was told to draw.

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

use plotters_backend::{BackendColor, BackendCoord, BackendStyle, BackendTextStyle, DrawingBackend, DrawingErrorKind};

/// One drawing call, in pixels of the backend.
#[derive(Clone, Debug, PartialEq)]
pub enum Call {
    /// A rectangle; its right and bottom edges are not part of it.
    Rect { x0: i32, y0: i32, x1: i32, y1: i32 },
    /// A path or polygon.
    Points(Vec<BackendCoord>),
    /// Words and the point they are anchored at.
    Text(String, BackendCoord),
}

impl Call {
    /// Left, top, right and bottom.
    pub fn bounds(&self) -> (i32, i32, i32, i32) {
        match self {
            Self::Rect { x0, y0, x1, y1 } => (*x0, *y0, *x1, *y1),
            Self::Text(_, (x, y)) => (*x, *y, *x, *y),
            Self::Points(points) => {
                let xs = points.iter().map(|p| p.0);
                let ys = points.iter().map(|p| p.1);
                (xs.clone().min().unwrap(), ys.clone().min().unwrap(), xs.max().unwrap(), ys.max().unwrap())
            }
        }
    }
}

/// The backend.
pub struct Recorder {
    size: (u32, u32),
    calls: Rc<RefCell<Vec<Call>>>,
}

type RecorderResult = Result<(), DrawingErrorKind<Infallible>>;

impl Recorder {
    pub fn new(size: (u32, u32)) -> Self {
        Self { size, calls: Rc::default() }
    }

    pub fn calls(&self) -> Rc<RefCell<Vec<Call>>> {
        Rc::clone(&self.calls)
    }

    fn add(&self, call: Call) -> RecorderResult {
        self.calls.borrow_mut().push(call);
        Ok(())
    }
}

impl DrawingBackend for Recorder {
    type ErrorType = Infallible;

    fn get_size(&self) -> (u32, u32) {
        self.size
    }

    fn ensure_prepared(&mut self) -> RecorderResult {
        Ok(())
    }

    fn present(&mut self) -> RecorderResult {
        Ok(())
    }

    fn draw_pixel(&mut self, _: BackendCoord, _: BackendColor) -> RecorderResult {
        panic!("single pixels are too dear for a canvas");
    }

    fn draw_rect<S: BackendStyle>(&mut self, from: BackendCoord, to: BackendCoord, _: &S, fill: bool) -> RecorderResult {
        assert!(fill, "outlines are blurred on a canvas");
        assert!(from.0 < to.0 && from.1 < to.1, "empty: {from:?} {to:?}");
        self.add(Call::Rect { x0: from.0, y0: from.1, x1: to.0, y1: to.1 })
    }

    fn draw_path<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, _: &S) -> RecorderResult {
        self.add(Call::Points(path.into_iter().collect()))
    }

    fn fill_polygon<S: BackendStyle, I: IntoIterator<Item = BackendCoord>>(&mut self, path: I, _: &S) -> RecorderResult {
        self.add(Call::Points(path.into_iter().collect()))
    }

    fn draw_text<S: BackendTextStyle>(&mut self, text: &str, style: &S, at: BackendCoord) -> RecorderResult {
        assert!(style.size() >= 8.0, "too small to read: {text}");
        self.add(Call::Text(text.to_owned(), at))
    }
}
