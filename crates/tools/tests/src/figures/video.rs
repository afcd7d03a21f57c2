//! Frames as a WebM file, read by a crate that knows every element of it.

use blockstep_film::{EncodedFrame, webm};
use mkv_element::FrameData;
use mkv_element::io::blocking_impl::ReadFrom;
use mkv_element::prelude::{Ebml, Segment};
use proptest::prelude::*;

fn frames() -> impl Strategy<Value = Vec<EncodedFrame>> {
    let frame = (prop::collection::vec(any::<u8>(), 1..50), any::<bool>(), 20_u64..=120_000);
    prop::collection::vec(frame.prop_map(|(bytes, is_key, ms)| EncodedFrame { bytes, is_key, ms }), 0..20)
}

proptest! {
    #[test]
    fn each_frame_begins_when_those_before_it_are_over(frames in frames(), width in 1_u32..=16_000, height in 1_u32..=16_000) {
        let file = webm((width, height), &frames);
        let mut rest = &file[..];
        prop_assert_eq!(Ebml::read_from(&mut rest).unwrap().doc_type.map(|kind| kind.0), Some("webm".to_owned()));
        let segment = Segment::read_from(&mut rest).unwrap();
        prop_assert!(rest.is_empty());
        prop_assert_eq!(*segment.info.timestamp_scale, 1_000_000, "ms");
        prop_assert_eq!(segment.info.duration.map(|ms| *ms), Some(frames.iter().map(|frame| frame.ms).sum::<u64>() as f64));
        let tracks = segment.tracks.unwrap().track_entry;
        let [track] = &tracks[..] else { panic!("one track: {tracks:?}") };
        prop_assert_eq!((&track.codec_id.0[..], *track.track_type), ("V_VP9", 1));
        let video = track.video.as_ref().unwrap();
        prop_assert_eq!((*video.pixel_width, *video.pixel_height), (width.into(), height.into()));
        let read: Vec<_> = segment.cluster.iter().flat_map(|cluster| cluster.frames()).map(Result::unwrap).collect();
        prop_assert_eq!(read.len(), frames.len());
        let mut begin = 0;
        for (read, frame) in read.iter().zip(&frames) {
            prop_assert_eq!(read.track_number, *track.track_number);
            prop_assert_eq!((&read.data, read.is_keyframe), (&FrameData::Single(&frame.bytes), frame.is_key));
            prop_assert_eq!(read.timestamp, begin);
            begin += frame.ms as i64;
        }
    }
}
