//! Steps as a GIF, decoded by the crate that others read GIFs with, and compared with the pictures of the steps.

use std::sync::Arc;

use blockstep_draw::figure::{Palette, Picture, Style};
use blockstep_film::{self as film, DELAY_MS, Dots, Film, FilmError, MAX_FRAMES};
use blockstep_png::Painter;
use blockstep_protocol::Effect;
use blockstep_report::slides::Shows;
use blockstep_sim::engine::Run;
use blockstep_sim::record::Records;
use blockstep_testing::svg::texts;
use blockstep_tools::figure::{Figure, FileKind, Msg};
use blockstep_view::position::Stop;
use blockstep_view::timeline::Timeline;
use gif::{ColorOutput, DecodeOptions};

use super::tool::set;
use super::{dots, example, run_of};
use crate::tool::OnPage;

/// What a reader of GIFs makes of one.
struct Seen {
    size: (u16, u16),
    /// Of each frame: what is to be seen then, red, green and blue; the dots that it holds; how long it stays, in hundredths of a second.
    frames: Vec<(Vec<[u8; 3]>, usize, u16)>,
    colors: usize,
}

fn seen(bytes: &[u8]) -> Seen {
    let mut options = DecodeOptions::new();
    options.set_color_output(ColorOutput::RGBA);
    let mut decoder = options.read_info(bytes).unwrap();
    let size @ (width, height) = (decoder.width(), decoder.height());
    let colors = decoder.global_palette().unwrap().len() / 3;
    let mut shown = vec![None; usize::from(width) * usize::from(height)];
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert!(frame.palette.is_none(), "all frames share one palette");
        for (i, dot) in frame.buffer.chunks_exact(4).enumerate() {
            if dot[3] > 0 {
                let (x, y) =
                    (usize::from(frame.left) + i % usize::from(frame.width), usize::from(frame.top) + i / usize::from(frame.width));
                shown[y * usize::from(width) + x] = Some([dot[0], dot[1], dot[2]]);
            }
        }
        let whole = shown.iter().map(|dot| dot.expect("the first frame has every dot")).collect();
        frames.push((whole, usize::from(frame.width) * usize::from(frame.height), frame.delay));
    }
    Seen { size, frames, colors }
}

fn film_of(run: &Run, steps: std::ops::RangeInclusive<u32>) -> Film {
    Film {
        stops: steps.map(|step| Stop::at_step(&run.trace, step)).collect(),
        shows: Shows::Both,
        shown: None,
        style: Style::new(film::WIDTH, 12.0, Palette::Light).unwrap(),
        has_title: true,
        has_captions: true,
        hides_future: true,
        delay_ms: DELAY_MS,
    }
}

fn timeline_of(run: &Run) -> Timeline {
    Timeline::new(&run.trace, &Arc::new(Records::new(&run.trace)))
}

/// Draws a picture without its words, as fonts differ.
fn wordless(picture: &Picture, scale: u32) -> Result<Dots, String> {
    assert_eq!(scale, 1);
    let dots = dots(&picture.svg(""));
    Ok(Dots { width: dots.width(), height: dots.height(), rgba: dots.take() })
}

fn colors_of(rgba: &[u8]) -> Vec<[u8; 3]> {
    rgba.chunks_exact(4).map(|dot| [dot[0], dot[1], dot[2]]).collect()
}

#[test]
fn each_frame_is_the_picture_of_its_step() {
    let run = run_of(&example("tx2-table-1"));
    let timeline = timeline_of(&run);
    for (shows, palette) in [(Shows::Both, Palette::Light), (Shows::Timeline, Palette::Dark), (Shows::Queues, Palette::Print)] {
        let film = Film { shows, style: Style::new(640, 12.0, palette).unwrap(), delay_ms: 700, ..film_of(&run, 12..=30) };
        let pictures = film::pictures(&run, &timeline, &film).unwrap();
        let gif = seen(&film::gif(&run, &timeline, &film, 1, wordless).unwrap());
        assert_eq!(gif.frames.len(), 19, "{shows:?}");
        assert!(pictures.iter().all(|picture| picture.size() == (u32::from(gif.size.0), u32::from(gif.size.1))), "{shows:?}");
        for ((frame, _, _), picture) in gif.frames.iter().zip(&pictures) {
            assert!(*frame == colors_of(&wordless(picture, 1).unwrap().rgba), "{shows:?}: few colors are kept as they are");
        }
        let delays: Vec<u16> = gif.frames.iter().map(|(_, _, delay)| *delay).collect();
        assert_eq!((&delays[..18], delays[18]), (&[70; 18][..], 140), "the last one stays twice as long");
        let whole = usize::from(gif.size.0) * usize::from(gif.size.1);
        let held: usize = gif.frames[1..].iter().map(|(_, dots, _)| dots).sum();
        assert!(gif.frames[0].1 == whole && held < 18 * whole * 3 / 4, "{shows:?}: {held} dots of {}", 18 * whole);
    }
}

#[test]
fn captions_say_what_happens_and_by_which_rule() {
    let run = run_of(&example("tx2-table-1"));
    let timeline = timeline_of(&run);
    let words = |film: &Film| -> Vec<Vec<String>> {
        let pictures = film::pictures(&run, &timeline, film).unwrap();
        pictures.iter().map(|picture| texts(&picture.svg("")).into_iter().map(|(text, _)| text).collect()).collect()
    };
    let with = words(&film_of(&run, 12..=30));
    let caption = "Step 26 of 89, 1 s: Block 0 of K4 is assigned to SM 0. Rule X1.";
    assert!(with[14].iter().any(|text| text == caption), "{:?}", with[14]);
    let without = words(&Film { has_captions: false, ..film_of(&run, 12..=30) });
    assert!(without.iter().flatten().all(|text| !text.starts_with("Step ")), "{without:?}");
    // What comes after the step is not there yet, unless it is asked for.
    assert!(!with[14].iter().any(|text| text == "K2:0"), "{:?}", with[14]);
    assert!(words(&Film { hides_future: false, ..film_of(&run, 12..=30) })[14].iter().any(|text| text == "K2:0"));
}

#[test]
fn thirty_steps_of_table_1_take_less_than_a_megabyte() {
    let run = run_of(&example("tx2-table-1"));
    let Ok(painter) = Painter::new() else {
        println!("skipped: this computer has no font");
        return;
    };
    let paint = |picture: &Picture, scale: u32| {
        let (width, height, rgba) = painter.dots(&picture.svg(""), scale).map_err(|why| why.to_string())?;
        Ok(Dots { width, height, rgba })
    };
    let (film, timeline) = (film_of(&run, 1..=30), timeline_of(&run));
    let bytes = film::gif(&run, &timeline, &film, 2, paint).unwrap();
    assert!(bytes.len() < 500_000, "{} bytes", bytes.len());
    let gif = seen(&bytes);
    assert_eq!((gif.frames.len(), gif.size.0), (30, 1_600));
    // With letters there are more colors than the palette has; no dot is far from its own.
    let picture = &film::pictures(&run, &timeline, &film).unwrap()[29];
    let own = colors_of(&paint(picture, 2).unwrap().rgba);
    let far = own.iter().zip(&gif.frames[29].0).map(|(own, shown)| own.iter().zip(shown).map(|(a, b)| a.abs_diff(*b)).max().unwrap());
    assert!(far.clone().max().unwrap() <= 24, "{:?}", far.max());
}

#[test]
fn more_colors_than_a_palette_has_are_shown_by_near_ones() {
    let run = run_of(&example("tx2-table-1"));
    let film = film_of(&run, 12..=12);
    let painted = |picture: &Picture, _: u32| {
        let (width, height) = picture.size();
        let rgba = (0..height).flat_map(|y| (0..width).flat_map(move |x| [(x * 256 / width) as u8, (y * 256 / height) as u8, 128, 255]));
        Ok(Dots { width, height, rgba: rgba.collect() })
    };
    let gif = seen(&film::gif(&run, &timeline_of(&run), &film, 1, painted).unwrap());
    assert!(gif.colors <= 256, "{}", gif.colors);
    let own = painted(&film::pictures(&run, &timeline_of(&run), &film).unwrap()[0], 1).unwrap();
    let far = colors_of(&own.rgba).iter().zip(&gif.frames[0].0).map(|(a, b)| a[0].abs_diff(b[0]).max(a[1].abs_diff(b[1]))).max().unwrap();
    assert!(far <= 24, "{far}");
}

#[test]
fn what_is_too_much_for_a_gif_is_said_with_its_limit() {
    let run = run_of(&example("tx2-table-1"));
    let timeline = timeline_of(&run);
    let why = |film: &Film, scale: u32| film::gif(&run, &timeline, film, scale, wordless).unwrap_err();
    assert_eq!(why(&Film { stops: Vec::new(), ..film_of(&run, 1..=1) }, 1), FilmError::NoSteps);
    let many = Film { stops: vec![Stop::default(); MAX_FRAMES + 1], ..film_of(&run, 1..=1) };
    assert!(why(&many, 1).to_string().starts_with("201 steps are too many for a GIF, the limit is 200"));
    let large = Film { style: Style::new(4_000, 12.0, Palette::Light).unwrap(), ..film_of(&run, 1..=30) };
    assert!(why(&large, 4).to_string().contains("for each of 30 steps, 16000 x "));
    assert_eq!(why(&Film { delay_ms: 10, ..film_of(&run, 1..=1) }, 1).to_string(), "a frame can stay for 20 to 60000 ms");
}

#[test]
fn the_page_saves_a_gif_of_the_steps_that_are_typed() {
    let mut page: OnPage<Figure> = OnPage::on("figure", "tx2-table-1").at(30);
    page.runs.painter = Some(wordless);
    page.open("");
    set(&mut page, |state| {
        (state.gif_steps, state.gif_shows, state.scale) = ("12-30".to_owned(), Shows::Queues, "1".to_owned());
        (state.gif_delay, state.gif_captions) = ("3".to_owned(), Some(false));
    });
    let told = page.send(Msg::Save(FileKind::Gif));
    let [Effect::SaveBytes(name, kind, bytes)] = &told.effects[..] else { panic!("{:?}", told.effects) };
    assert_eq!((name.as_str(), kind.as_str()), ("steps.gif", "image/gif"));
    let gif = seen(bytes);
    assert_eq!((gif.frames.len(), gif.frames[0].2, gif.size.0), (19, 300, 800));
    // The browser makes the video of the same frames.
    let told = page.send(Msg::Save(FileKind::Video));
    let [Effect::SaveVideo(name, frames)] = &told.effects[..] else { panic!("{:?}", told.effects) };
    assert_eq!((name.as_str(), frames), ("steps.webm", bytes));
    let mut unsaved = |steps: &str| {
        set(&mut page, |state| state.gif_steps = steps.to_owned());
        assert!(page.send(Msg::Save(FileKind::Gif)).effects.is_empty(), "{steps}");
        super::tool::held(&page).unsaved
    };
    assert_eq!(unsaved("80-99"), "step 99: the run has 89 steps");
    assert_eq!(unsaved("30-12"), "steps 30-12: the first is after the last");
}
