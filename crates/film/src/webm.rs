//! Encoded frames as a WebM file, which browsers, players and slides show.
//!
//! It is written here, as a library that knows every element (mkv-element, by which the tests read it) makes the page larger for a few.
//! Invariants: each frame begins when those before it are over, to the millisecond, so a video has every frame for as long as was asked;
//! the file says how long it lasts.

/// A frame as an encoder of VP9 hands it over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedFrame {
    /// What the encoder made of it.
    pub bytes: Vec<u8>,
    /// Whether it can be decoded without those before it.
    pub is_key: bool,
    /// How long it stays, ms.
    pub ms: u64,
}

// Elements by their IDs (RFC 8794, section 11, and RFC 9559, section 5).
const EBML: u32 = 0x1A45_DFA3;
const EBML_VERSION: u32 = 0x4286;
const EBML_READ_VERSION: u32 = 0x42F7;
const EBML_MAX_ID_LENGTH: u32 = 0x42F2;
const EBML_MAX_SIZE_LENGTH: u32 = 0x42F3;
const DOC_TYPE: u32 = 0x4282;
const DOC_TYPE_VERSION: u32 = 0x4287;
const DOC_TYPE_READ_VERSION: u32 = 0x4285;
const SEGMENT: u32 = 0x1853_8067;
const INFO: u32 = 0x1549_A966;
const TIMESTAMP_SCALE: u32 = 0x2A_D7B1;
const DURATION: u32 = 0x4489;
const MUXING_APP: u32 = 0x4D80;
const WRITING_APP: u32 = 0x5741;
const TRACKS: u32 = 0x1654_AE6B;
const TRACK_ENTRY: u32 = 0xAE;
const TRACK_NUMBER: u32 = 0xD7;
const TRACK_UID: u32 = 0x73C5;
const TRACK_TYPE: u32 = 0x83;
const FLAG_LACING: u32 = 0x9C;
const CODEC_ID: u32 = 0x86;
const VIDEO: u32 = 0xE0;
const PIXEL_WIDTH: u32 = 0xB0;
const PIXEL_HEIGHT: u32 = 0xBA;
const CLUSTER: u32 = 0x1F43_B675;
const TIMESTAMP: u32 = 0xE7;
const SIMPLE_BLOCK: u32 = 0xA3;

/// The only track.
const TRACK: u8 = 1;
/// Marks a number of one byte, by which a block names its track.
const ONE_BYTE: u8 = 0x80;
/// The flag of a block that is a key frame.
const KEY: u8 = 0x80;
/// Times are in ms, each so many ns.
const MS: u64 = 1_000_000;
const NAME: &str = "Blockstep";

/// The frames, `width` x `height` pixels, as a WebM file.
pub fn webm((width, height): (u32, u32), frames: &[EncodedFrame]) -> Vec<u8> {
    let head = [
        number(EBML_VERSION, 1),
        number(EBML_READ_VERSION, 1),
        number(EBML_MAX_ID_LENGTH, 4),
        number(EBML_MAX_SIZE_LENGTH, 8),
        text(DOC_TYPE, "webm"),
        number(DOC_TYPE_VERSION, 4),
        number(DOC_TYPE_READ_VERSION, 2),
    ];
    let whole: u64 = frames.iter().map(|frame| frame.ms).sum();
    let info =
        [number(TIMESTAMP_SCALE, MS), element(DURATION, &(whole as f64).to_be_bytes()), text(MUXING_APP, NAME), text(WRITING_APP, NAME)];
    let track = [
        number(TRACK_NUMBER, TRACK.into()),
        number(TRACK_UID, TRACK.into()),
        number(TRACK_TYPE, 1),
        number(FLAG_LACING, 0),
        text(CODEC_ID, "V_VP9"),
        element(VIDEO, &[number(PIXEL_WIDTH, width.into()), number(PIXEL_HEIGHT, height.into())].concat()),
    ];
    let mut segment = vec![element(INFO, &info.concat()), element(TRACKS, &element(TRACK_ENTRY, &track.concat()))];
    let mut begin = 0;
    for frame in frames {
        // A frame can stay for longer than the times within a cluster reach, so each has its own.
        let block = [&[ONE_BYTE | TRACK, 0, 0, if frame.is_key { KEY } else { 0 }], &frame.bytes[..]].concat();
        segment.push(element(CLUSTER, &[number(TIMESTAMP, begin), element(SIMPLE_BLOCK, &block)].concat()));
        begin += frame.ms;
    }
    [element(EBML, &head.concat()), element(SEGMENT, &segment.concat())].concat()
}

/// An element: its ID, without zeros before it, its length in eight bytes, and what it holds.
fn element(id: u32, body: &[u8]) -> Vec<u8> {
    let id = id.to_be_bytes();
    let from = id.iter().position(|&byte| byte != 0).unwrap_or_default();
    // Seven bytes of it are the length; the first one says that.
    let length = (1 << 56 | body.len() as u64).to_be_bytes();
    [&id[from..], &length, body].concat()
}

fn number(id: u32, value: u64) -> Vec<u8> {
    element(id, &value.to_be_bytes())
}

fn text(id: u32, text: &str) -> Vec<u8> {
    element(id, text.as_bytes())
}
