//! Steps as a video: the page plays a GIF on a canvas that nobody sees, and the browser records that.
//!
//! Invariants: one video is recorded at a time, as it takes as long as it plays; a browser without `MediaRecorder`, WebM or
//! `ImageDecoder` is not offered one.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Array, Function, Object, Promise, Reflect, Uint8Array, global};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobEvent, HtmlCanvasElement, MediaRecorder, MediaRecorderOptions};

const WEBM: &str = "video/webm";

/// Letters stay sharp at so many bits in a second; the browser's usual 2.5 million blur them.
const BITS_PER_SECOND: u32 = 8_000_000;

/// What is painted is recorded after so long, also by a browser that is busy.
const LAST_MS: f64 = 300.0;
/// Until a recorder has begun, the first frame is painted again after so long, ...
const AGAIN_MS: f64 = 50.0;
/// ... and so often at most.
const MOST_AGAIN: u32 = 100;

#[wasm_bindgen]
extern "C" {
    /// Of the WebCodecs API.
    type ImageDecoder;
    #[wasm_bindgen(constructor, catch)]
    fn new(init: &JsValue) -> Result<ImageDecoder, JsValue>;
    /// Comes when it has all bytes; its tracks can come later.
    #[wasm_bindgen(method, getter)]
    fn completed(this: &ImageDecoder) -> Promise;
    #[wasm_bindgen(method, getter)]
    fn tracks(this: &ImageDecoder) -> ImageTrackList;
    #[wasm_bindgen(method)]
    fn decode(this: &ImageDecoder, options: &JsValue) -> Promise;

    type ImageTrackList;
    #[wasm_bindgen(method, getter)]
    fn ready(this: &ImageTrackList) -> Promise;
    #[wasm_bindgen(method, getter, js_name = selectedTrack)]
    fn selected(this: &ImageTrackList) -> Option<ImageTrack>;

    type ImageTrack;
    #[wasm_bindgen(method, getter, js_name = frameCount)]
    fn frame_count(this: &ImageTrack) -> u32;

    /// A frame of it.
    type VideoFrame;
    /// µs.
    #[wasm_bindgen(method, getter)]
    fn duration(this: &VideoFrame) -> f64;
    #[wasm_bindgen(method, getter, js_name = displayWidth)]
    fn width(this: &VideoFrame) -> u32;
    #[wasm_bindgen(method, getter, js_name = displayHeight)]
    fn height(this: &VideoFrame) -> u32;
    #[wasm_bindgen(method)]
    fn close(this: &VideoFrame);

    type Context2d;
    #[wasm_bindgen(method, catch, js_name = drawImage)]
    fn draw_image(this: &Context2d, frame: &VideoFrame, x: f64, y: f64) -> Result<(), JsValue>;
    #[wasm_bindgen(method, js_name = fillRect)]
    fn fill_rect(this: &Context2d, x: f64, y: f64, width: f64, height: f64);
}

/// Why there is no video.
pub(crate) enum NotRecorded {
    /// The reader ended it.
    Cancelled,
    /// The browser failed.
    Failed,
}

impl From<JsValue> for NotRecorded {
    fn from(_: JsValue) -> Self {
        Self::Failed
    }
}

/// The video that is being recorded.
#[derive(Clone, Copy)]
pub(crate) struct Recording {
    /// The frame that is shown, counted from 1, and of how many.
    frame: RwSignal<Option<(u32, u32)>>,
    is_cancelled: StoredValue<bool>,
    /// Ends the time of the frame that is shown.
    hurry: StoredValue<Option<Function>, LocalStorage>,
}

impl Recording {
    pub(super) fn new() -> Self {
        Self { frame: RwSignal::new(None), is_cancelled: StoredValue::new(false), hurry: StoredValue::new_local(None) }
    }

    /// Whether this browser can record one.
    pub(crate) fn is_possible() -> bool {
        let has = |name: &str| Reflect::has(&global(), &name.into()).unwrap_or(false);
        has("ImageDecoder") && has("MediaRecorder") && MediaRecorder::is_type_supported(WEBM)
    }

    /// The frame that is shown, counted from 1, and of how many; `None` while nothing is recorded.
    pub(crate) fn frame(self) -> Option<(u32, u32)> {
        self.frame.get()
    }

    /// Ends it without a video.
    pub(crate) fn cancel(self) {
        self.is_cancelled.set_value(true);
        if let Some(hurry) = self.hurry.get_value() {
            let _ = hurry.call0(&JsValue::NULL);
        }
    }

    /// Records a GIF once as it plays.
    pub(crate) async fn record(self, gif: &[u8]) -> Result<Blob, NotRecorded> {
        self.is_cancelled.set_value(false);
        let recorded = self.film(gif).await;
        self.frame.set(None);
        recorded
    }

    async fn film(self, gif: &[u8]) -> Result<Blob, NotRecorded> {
        let decoder = ImageDecoder::new(&object(&[("data", Uint8Array::from(gif).into()), ("type", "image/gif".into())]))?;
        JsFuture::from(decoder.completed()).await?;
        JsFuture::from(decoder.tracks().ready()).await?;
        let count = decoder.tracks().selected().ok_or(NotRecorded::Failed)?.frame_count();
        let canvas: HtmlCanvasElement = document().create_element("canvas")?.unchecked_into();
        let first = decoded(&decoder, 0).await?;
        canvas.set_width(first.width());
        canvas.set_height(first.height());
        let context: Context2d = canvas.get_context("2d")?.ok_or(NotRecorded::Failed)?.unchecked_into();
        let reel = Reel::start(&canvas)?;
        let played = self.play(&decoder, first, count, (&context, &reel)).await;
        let video = reel.finish().await;
        played?;
        if self.is_cancelled.get_value() { Err(NotRecorded::Cancelled) } else { video }
    }

    /// Shows one frame after the other, until the last one or until it is canceled. Each is decoded once: for one that was closed Firefox
    /// may hand over the closed one again, which cannot be drawn.
    async fn play(self, decoder: &ImageDecoder, first: VideoFrame, count: u32, on: (&Context2d, &Reel)) -> Result<(), JsValue> {
        let (context, reel) = on;
        let mut first = Some(first);
        for index in 0..count {
            let frame = match first.take() {
                Some(first) => first,
                None => decoded(decoder, index).await?,
            };
            context.draw_image(&frame, 0.0, 0.0)?;
            self.frame.set(Some((index + 1, count)));
            painted().await;
            if index == 0 {
                self.begin(&frame, context, reel).await?;
            }
            let ms = frame.duration() / 1_000.0;
            frame.close();
            self.wait(ms).await;
            if self.is_cancelled.get_value() {
                return Ok(());
            }
        }
        // A browser records what changes, and the last frame only once another follows it.
        context.fill_rect(0.0, 0.0, 1.0, 1.0);
        painted().await;
        self.wait(LAST_MS).await;
        Ok(())
    }

    /// Paints the first frame until something is recorded: on a busy machine a recorder begins late, and what comes before is in no video.
    async fn begin(self, frame: &VideoFrame, context: &Context2d, reel: &Reel) -> Result<(), JsValue> {
        for _ in 0..MOST_AGAIN {
            reel.recorder.request_data()?;
            self.wait(AGAIN_MS).await;
            if reel.has_data() || self.is_cancelled.get_value() {
                break;
            }
            context.draw_image(frame, 0.0, 0.0)?;
            painted().await;
        }
        Ok(())
    }

    async fn wait(self, ms: f64) {
        let over = Promise::new(&mut |resolve, _| {
            let _ = window().set_timeout_with_callback_and_timeout_and_arguments_0(&resolve, ms as i32);
            self.hurry.set_value(Some(resolve));
        });
        let _ = JsFuture::from(over).await;
    }
}

/// A canvas while it is recorded.
struct Reel {
    recorder: MediaRecorder,
    /// What is recorded so far: pieces that follow each other.
    pieces: Rc<RefCell<Vec<Blob>>>,
    /// Adds a piece.
    _add: Closure<dyn FnMut(BlobEvent)>,
    /// Comes when it is over.
    over: Promise,
}

impl Reel {
    fn start(canvas: &HtmlCanvasElement) -> Result<Self, JsValue> {
        let options = MediaRecorderOptions::new();
        options.set_mime_type(WEBM);
        options.set_video_bits_per_second(BITS_PER_SECOND);
        let recorder = MediaRecorder::new_with_media_stream_and_media_recorder_options(&canvas.capture_stream()?, &options)?;
        let pieces: Rc<RefCell<Vec<Blob>>> = Rc::default();
        let filled = Rc::clone(&pieces);
        let add = Closure::new(move |event: BlobEvent| filled.borrow_mut().extend(event.data()));
        recorder.set_ondataavailable(Some(add.as_ref().unchecked_ref()));
        let over = Promise::new(&mut |resolve, _| recorder.set_onstop(Some(&resolve)));
        recorder.start()?;
        Ok(Self { recorder, pieces, _add: add, over })
    }

    fn has_data(&self) -> bool {
        self.pieces.borrow().iter().any(|piece| piece.size() > 0.0)
    }

    /// Ends it. A video of nothing is none.
    async fn finish(self) -> Result<Blob, NotRecorded> {
        self.recorder.stop()?;
        JsFuture::from(self.over.clone()).await?;
        if !self.has_data() {
            return Err(NotRecorded::Failed);
        }
        let pieces: Array = self.pieces.borrow().iter().collect();
        Ok(Blob::new_with_blob_sequence(&pieces)?)
    }
}

/// Waits until the browser has painted, as it records what it paints: a page in the background has to come back first.
async fn painted() {
    for _ in 0..2 {
        let frame = Promise::new(&mut |resolve, _| {
            let _ = window().request_animation_frame(&resolve);
        });
        let _ = JsFuture::from(frame).await;
    }
}

async fn decoded(decoder: &ImageDecoder, index: u32) -> Result<VideoFrame, JsValue> {
    let result = JsFuture::from(decoder.decode(&object(&[("frameIndex", index.into())]))).await?;
    Reflect::get(&result, &"image".into()).map(JsCast::unchecked_into)
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = Object::new();
    for (name, value) in fields {
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object.into()
}
