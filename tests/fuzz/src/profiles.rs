//! Traces of profilers: JSON with damage, plain or by gzip, and damaged databases. Invariant: what is read can be explained and written.

use std::io::Write;
use std::sync::Arc;

use blockstep_sim::dice::Dice;
use blockstep_traces::causes::{Analysis, KnownSettings};
use blockstep_traces::files;
use blockstep_traces::gain::gains;
use blockstep_traces::path::paths;
use blockstep_traces::summary::Summary;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::mutate::{mutate, tweak};
use super::seeds::one;
use super::targets::Bench;

pub fn profiles(bench: &mut Bench, dice: &mut Dice) {
    let seeds = Arc::clone(&bench.seeds);
    let bytes = match dice.below(8) {
        0..=2 => tweak(one(dice, &seeds.profiles), dice).into_bytes(),
        3 | 4 => mutate(one(dice, &seeds.profiles), seeds.any(dice), dice).into_bytes(),
        5 => {
            let text = tweak(one(dice, &seeds.profiles), dice);
            let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
            packed.write_all(text.as_bytes()).unwrap();
            let packed = packed.finish().unwrap();
            if dice.below(2) == 0 { packed } else { damaged(&packed, dice) }
        }
        _ => damaged(&seeds.databases[dice.below(seeds.databases.len() as u64) as usize], dice),
    };
    bench.tried = String::from_utf8_lossy(&bytes).into_owned();
    let most = if dice.below(4) == 0 { dice.below(100_000) } else { u64::MAX };
    let read = files::read_profile(&bytes[..], &mut |read| read <= most);
    let Some(recording) = bench.take(read) else { return };
    let known = KnownSettings { connections: (dice.below(2) == 0).then(|| 1 + dice.below(32) as u32) };
    let analysis = Analysis::new(&recording, known, &mut |_| true).unwrap();
    let summary = Summary::new(&recording, &analysis);
    let all = recording.operations.iter().enumerate();
    let waited = all.map(|(place, operation)| {
        let parts: u64 = analysis.parts(place as u32).iter().map(|part| part.span().ns()).sum();
        assert_eq!(parts, recording.wait(operation).map_or(0, |wait| wait.ns()), "the parts of a wait add up to it");
        u128::from(parts)
    });
    assert_eq!(waited.sum::<u128>().min(u128::from(u64::MAX)), u128::from(summary.waited_ns()));
    let paths = paths(&recording, &analysis);
    assert!(
        !files::write_waits_json((&recording, &analysis), &summary, &paths, gains(&recording, &analysis, &paths).as_ref(), 20).is_empty()
    );
    assert!(!files::write_waits_csv(&recording, &analysis).to_string().is_empty());
}

/// Bytes changed, lost or repeated here and there; the beginning mostly stays, so that the format is recognized.
fn damaged(bytes: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    let first = if dice.below(8) == 0 { 0 } else { 16.min(bytes.len() as u64) };
    for _ in 0..=dice.below(8) {
        let at = (first + dice.below((bytes.len() as u64).saturating_sub(first))) as usize;
        let Some(byte) = bytes.get_mut(at) else { break };
        match dice.below(12) {
            0..=4 => *byte = dice.below(256) as u8,
            5..=7 => *byte ^= 1 << dice.below(8),
            8 | 9 => *byte = [0, 0xff, 0x7f, 0x80][dice.below(4) as usize],
            10 => {
                let from = dice.below(bytes.len() as u64) as usize;
                let length = (dice.below(600) as usize).min(bytes.len() - from).min(bytes.len() - at);
                bytes.copy_within(from..from + length, at);
            }
            _ => bytes.truncate(at.max(first as usize)),
        }
    }
    bytes
}
