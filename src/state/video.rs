//! Steps as a video: the browser encodes the frames of a GIF, each for as long as it stays.
//!
//! Depends on `film`, which writes the file around them. Invariants: a video has every frame at its time, however busy the browser is, as
//! nothing is played; one video is made at a time; a browser without `ImageDecoder` or `VideoEncoder` is not offered one.

use std::cell::RefCell;
use std::rc::Rc;

use blockstep_film::{EncodedFrame, webm};
use js_sys::{Promise, Reflect, Uint8Array, global};
use leptos::prelude::*;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

/// VP9 of eight bits at its highest level, as a picture can have any size.
const CODEC: &str = "vp09.00.62.08";
/// Letters stay sharp at so many bits in a second.
const BITS_PER_SECOND: u32 = 8_000_000;
/// So many frames wait for the encoder at most, as each takes some megabytes.
const MOST_WAITING: u32 = 4;

#[wasm_bindgen]
extern "C" {
    /// Of the WebCodecs API, as the others.
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
    #[wasm_bindgen(method)]
    fn close(this: &ImageDecoder);

    type ImageTrackList;
    #[wasm_bindgen(method, getter)]
    fn ready(this: &ImageTrackList) -> Promise;
    #[wasm_bindgen(method, getter, js_name = selectedTrack)]
    fn selected(this: &ImageTrackList) -> Option<ImageTrack>;

    type ImageTrack;
    #[wasm_bindgen(method, getter, js_name = frameCount)]
    fn frame_count(this: &ImageTrack) -> u32;

    /// A frame before it is encoded.
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

    type VideoEncoder;
    #[wasm_bindgen(constructor, catch)]
    fn new(init: &JsValue) -> Result<VideoEncoder, JsValue>;
    #[wasm_bindgen(method, catch)]
    fn configure(this: &VideoEncoder, config: &JsValue) -> Result<(), JsValue>;
    #[wasm_bindgen(method, catch)]
    fn encode(this: &VideoEncoder, frame: &VideoFrame) -> Result<(), JsValue>;
    #[wasm_bindgen(method, getter, js_name = encodeQueueSize)]
    fn waiting(this: &VideoEncoder) -> u32;
    #[wasm_bindgen(method, setter, js_name = ondequeue)]
    fn set_ondequeue(this: &VideoEncoder, listener: &JsValue);
    /// Comes when all frames are encoded.
    #[wasm_bindgen(method)]
    fn flush(this: &VideoEncoder) -> Promise;
    #[wasm_bindgen(method, catch)]
    fn close(this: &VideoEncoder) -> Result<(), JsValue>;

    /// A frame after it was encoded.
    type EncodedVideoChunk;
    #[wasm_bindgen(method, getter, js_name = "type")]
    fn kind(this: &EncodedVideoChunk) -> String;
    #[wasm_bindgen(method, getter, js_name = byteLength)]
    fn length(this: &EncodedVideoChunk) -> u32;
    #[wasm_bindgen(method, js_name = copyTo)]
    fn copy_to(this: &EncodedVideoChunk, to: &Uint8Array);
}

/// Why there is no video.
pub(crate) enum NoVideo {
    /// The reader ended it.
    Cancelled,
    /// The browser failed.
    Failed,
}

impl From<JsValue> for NoVideo {
    fn from(_: JsValue) -> Self {
        Self::Failed
    }
}

/// The video that is being made.
#[derive(Clone, Copy)]
pub(crate) struct VideoMaker {
    /// The frame that is being encoded, counted from 1, and of how many.
    frame: RwSignal<Option<(u32, u32)>>,
    is_cancelled: StoredValue<bool>,
    is_busy: StoredValue<bool>,
}

impl VideoMaker {
    pub(super) fn new() -> Self {
        Self { frame: RwSignal::new(None), is_cancelled: StoredValue::new(false), is_busy: StoredValue::new(false) }
    }

    /// Whether this browser can make one.
    pub(crate) fn is_possible() -> bool {
        let has = |name: &str| Reflect::has(&global(), &name.into()).unwrap_or(false);
        has("ImageDecoder") && has("VideoEncoder")
    }

    /// The frame that is being encoded, counted from 1, and of how many; `None` while no video is made.
    pub(crate) fn frame(self) -> Option<(u32, u32)> {
        self.frame.get()
    }

    /// Ends it without a video.
    pub(crate) fn cancel(self) {
        self.is_cancelled.set_value(true);
    }

    /// A GIF as a WebM file that plays once; none while another one is made.
    pub(crate) async fn make(self, gif: &[u8]) -> Result<Vec<u8>, NoVideo> {
        if self.is_busy.get_value() {
            return Err(NoVideo::Cancelled);
        }
        self.is_busy.set_value(true);
        self.is_cancelled.set_value(false);
        let made = self.encode(gif).await;
        self.frame.set(None);
        self.is_busy.set_value(false);
        made
    }

    /// Whether the reader wants it no more.
    fn check(self) -> Result<(), NoVideo> {
        if self.is_cancelled.get_value() { Err(NoVideo::Cancelled) } else { Ok(()) }
    }

    async fn encode(self, gif: &[u8]) -> Result<Vec<u8>, NoVideo> {
        let decoder = ImageDecoder::new(&object(&[("data", Uint8Array::from(gif).into()), ("type", "image/gif".into())]))?;
        JsFuture::from(decoder.completed()).await?;
        JsFuture::from(decoder.tracks().ready()).await?;
        let count = decoder.tracks().selected().ok_or(NoVideo::Failed)?.frame_count();
        let encoder = Encoder::new()?;
        let mut size = None;
        let mut stays = Vec::new();
        for index in 0..count {
            self.frame.set(Some((index + 1, count)));
            let frame = decoded(&decoder, index).await?;
            if size.is_none() {
                encoder.configure(frame.width(), frame.height())?;
                size = Some((frame.width(), frame.height()));
            }
            stays.push((frame.duration() / 1_000.0).round() as u64);
            let is_taken = encoder.encode(&frame).await;
            frame.close();
            is_taken?;
            self.check()?;
        }
        decoder.close();
        let frames = encoder.finish(&stays).await?;
        self.check()?;
        Ok(webm(size.ok_or(NoVideo::Failed)?, &frames))
    }
}

/// The browser's encoder with what it has made so far.
struct Encoder {
    encoder: VideoEncoder,
    chunks: Rc<RefCell<Vec<EncodedVideoChunk>>>,
    _on_chunk: Closure<dyn FnMut(EncodedVideoChunk)>,
    _on_error: Closure<dyn FnMut(JsValue)>,
}

impl Encoder {
    fn new() -> Result<Self, JsValue> {
        let chunks: Rc<RefCell<Vec<EncodedVideoChunk>>> = Rc::default();
        let filled = Rc::clone(&chunks);
        let on_chunk = Closure::new(move |chunk| filled.borrow_mut().push(chunk));
        // An error ends the encoder, and what is asked of it next says so.
        let on_error = Closure::new(|_| ());
        let encoder = VideoEncoder::new(&object(&[("output", on_chunk.as_ref().clone()), ("error", on_error.as_ref().clone())]))?;
        Ok(Self { encoder, chunks, _on_chunk: on_chunk, _on_error: on_error })
    }

    fn configure(&self, width: u32, height: u32) -> Result<(), JsValue> {
        self.encoder.configure(&object(&[
            ("codec", CODEC.into()),
            ("width", width.into()),
            ("height", height.into()),
            ("bitrate", BITS_PER_SECOND.into()),
            // The other mode may leave frames out.
            ("latencyMode", "quality".into()),
        ]))
    }

    /// Takes a frame, once there is room for it.
    async fn encode(&self, frame: &VideoFrame) -> Result<(), JsValue> {
        while self.encoder.waiting() >= MOST_WAITING {
            let next = Promise::new(&mut |resolve, _| self.encoder.set_ondequeue(&resolve));
            JsFuture::from(next).await?;
        }
        self.encoder.encode(frame)
    }

    /// The frames, each with how long it stays, ms.
    async fn finish(self, stays: &[u64]) -> Result<Vec<EncodedFrame>, NoVideo> {
        JsFuture::from(self.encoder.flush()).await?;
        let chunks = self.chunks.take();
        if chunks.len() != stays.len() {
            return Err(NoVideo::Failed);
        }
        Ok(chunks.iter().zip(stays).map(|(chunk, &ms)| chunk.lasting(ms)).collect())
    }
}

impl EncodedVideoChunk {
    fn lasting(&self, ms: u64) -> EncodedFrame {
        let bytes = Uint8Array::new_with_length(self.length());
        self.copy_to(&bytes);
        EncodedFrame { bytes: bytes.to_vec(), is_key: self.kind() == "key", ms }
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        // One that failed is closed.
        let _ = self.encoder.close();
    }
}

async fn decoded(decoder: &ImageDecoder, index: u32) -> Result<VideoFrame, JsValue> {
    let result = JsFuture::from(decoder.decode(&object(&[("frameIndex", index.into())]))).await?;
    Reflect::get(&result, &"image".into()).map(JsCast::unchecked_into)
}

fn object(fields: &[(&str, JsValue)]) -> JsValue {
    let object = js_sys::Object::new();
    for (name, value) in fields {
        let _ = Reflect::set(&object, &(*name).into(), value);
    }
    object.into()
}
