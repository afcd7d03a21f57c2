//! Links: damaged on their way, and made by somebody who knows how they are made. Invariant: a link that can be read can be written again
//! and is then the same.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use blockstep_format::{self as format, Embed, Link};
use blockstep_protocol as protocol;
use blockstep_sim::dice::Dice;
use blockstep_tools::share;
use blockstep_tools::tool::{Event, memory};

use super::mutate::{mutate, name, pick, tweak};
use super::seeds::one;
use super::targets::Bench;

/// Longest text that is unpacked here; what the program unpacks at most is larger.
const MOST: usize = 1 << 24;

/// A link, whole, damaged, or packed anew with other content.
pub fn links(bench: &mut Bench, dice: &mut Dice) {
    let seeds = Arc::clone(&bench.seeds);
    let scenario = one(dice, &seeds.short);
    let link = link(scenario, one(dice, &seeds.short), dice);
    let embed = [None, Some(Embed::Timeline), Some(Embed::Queues), Some(Embed::Both)][dice.below(4) as usize];
    let whole = format::write_link(&link, embed).unwrap();
    bench.tried.clone_from(&whole);
    let tried = match dice.below(5) {
        0 => {
            assert_eq!(format::read_link(&whole).unwrap(), (link, embed), "a whole link is read as it was");
            format!("http://localhost/b/#{whole}")
        }
        1 => mutate(&whole, &whole, dice),
        2 => bomb(dice),
        _ => repacked(&whole, dice),
    };
    bench.tried.clone_from(&tried);
    if let Some((read, embed)) = bench.take(format::read_link(&tried)) {
        let again = format::write_link(&read, embed).unwrap();
        if !tried.contains("v1=") {
            assert_eq!(format::read_link(&again).unwrap(), (read, embed), "what was read is written as it was");
        }
    }
    if dice.below(4) == 0 {
        let follow = Event::Message(share::Msg::Follow(tried));
        bench.tell("share", protocol::encode(&follow).unwrap(), String::new(), scenario, dice);
    }
}

/// A state with some of everything.
fn link(scenario: &str, other: &str, dice: &mut Dice) -> Link {
    let draft = format::read_scenario(scenario).unwrap();
    let memory = |dice: &mut Dice| {
        (0..dice.below(4)).fold(String::new(), |memory, _| {
            memory::with(&memory, &name(dice), if dice.below(3) == 0 { other.to_owned() } else { name(dice) })
        })
    };
    Link {
        position: dice.number() as u32 >> dice.below(32),
        at_ns: dice.number() >> dice.below(64),
        example: if dice.below(2) == 0 { pick(dice, &["tx2-table-1", "lp-none"]).to_owned() } else { name(dice) },
        view: (dice.below(2) == 0).then(|| (-(dice.below(1 << 40) as i64), dice.below(1 << 50) as i64 + 1)),
        selected: name(dice),
        op: (dice.below(2) == 0).then(|| dice.below(20) as u32),
        is_future_hidden: dice.below(2) == 0,
        is_presenting: dice.below(2) == 0,
        is_path_shown: dice.below(2) == 0,
        tools: (0..dice.below(4))
            .map(|_| (pick(dice, &["compare", "notes", "quiz", "tour", "nothing", ""]).to_owned(), memory(dice)))
            .collect(),
        scenario: draft,
    }
}

/// The link with other content: the checksum is right, what it holds may be anything.
fn repacked(whole: &str, dice: &mut Dice) -> String {
    let packed = whole.trim_start_matches("v2=").split('&').next().unwrap_or_default();
    let bytes = miniz_oxide::inflate::decompress_to_vec_zlib(&URL_SAFE_NO_PAD.decode(packed).unwrap()).unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let text = if dice.below(2) == 0 { tweak(&text, dice) } else { mutate(&text, &text, dice) };
    format!("v{}={}", 1 + dice.below(2), pack(text.as_bytes()))
}

/// Much that is packed small, and much that its short words become.
fn bomb(dice: &mut Dice) -> String {
    if dice.below(40) > 0 {
        return format!("#v{}={}&embed={}", dice.below(4), name(dice), name(dice));
    }
    let unit = pick(dice, &["\u{1}", "{", "[", "\u{f}", "\n", "[[\"\",0],", "\"a\":0,", " "]);
    let size = MOST >> dice.below(8);
    format!("v{}={}", 1 + dice.below(2), pack(unit.repeat(size / unit.len()).as_bytes()))
}

fn pack(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(miniz_oxide::deflate::compress_to_vec_zlib(bytes, 1))
}
