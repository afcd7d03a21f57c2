//! Pictures as dots, on a canvas that nobody sees.
//!
//! Depends on the browser and on plotters-canvas. Invariant: it draws by what draws the page's timeline.

use js_sys::{Reflect, global};
use plotters::drawing::IntoDrawingArea;
use plotters_canvas::CanvasBackend;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, OffscreenCanvas};

use blockstep_draw::figure::Picture;
use blockstep_film::Dots;

/// Draws a picture with so many dots for each of its pixels.
pub(super) fn paint(picture: &Picture, scale: u32) -> Result<Dots, String> {
    let (width, height) = picture.size();
    let (width, height) = (width * scale, height * scale);
    let drawn = drawn(picture, scale, width, height).ok().flatten();
    let rgba = drawn.ok_or_else(|| "This browser cannot draw pictures in the background; the command line can.".to_owned())?;
    Ok(Dots { width, height, rgba })
}

fn drawn(picture: &Picture, scale: u32, width: u32, height: u32) -> Result<Option<Vec<u8>>, JsValue> {
    let canvas = OffscreenCanvas::new(width, height)?;
    let Some(context) = canvas.get_context("2d")? else { return Ok(None) };
    // plotters-canvas asks for a canvas of a document and checks what its context is. A worker has neither, but what it has does the same.
    Reflect::set(&global(), &"CanvasRenderingContext2D".into(), &Reflect::get(&context, &"constructor".into())?)?;
    let context: CanvasRenderingContext2d = context.unchecked_into();
    context.scale(scale.into(), scale.into())?;
    let Some(backend) = CanvasBackend::with_canvas_object(canvas.unchecked_into()) else { return Ok(None) };
    if picture.paint(&backend.into_drawing_area()).is_err() {
        return Ok(None);
    }
    Ok(Some(context.get_image_data(0.0, 0.0, width.into(), height.into())?.data().0))
}
