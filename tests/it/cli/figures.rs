//! `blockstep simulate --format svg|png|gif`: what comes out, and what is said of options that do not fit.

use blockstep_cli::run_with;
use blockstep_sim::examples;

use blockstep_testing::svg::texts;

fn simulate(args: &[&str]) -> (u8, Vec<u8>, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let all = ["blockstep", "simulate", "-"].iter().chain(args).copied();
    let status = run_with(all, &mut examples::find("tx2-table-1").unwrap().json.as_bytes(), &mut out, &mut err);
    (status, out, String::from_utf8(err).unwrap())
}

fn svg(args: &[&str]) -> String {
    let (status, out, err) = simulate(&[&["--format", "svg"], args].concat());
    assert_eq!((status, err.as_str()), (0, ""));
    String::from_utf8(out).unwrap()
}

#[test]
fn figures_come_in_every_kind_and_size() {
    assert!(svg(&[]).contains("width=\"1200\""));
    assert!(svg(&["--width", "700", "--font-size", "10.5", "--palette", "print"]).contains("width=\"700\""));
    let strip = texts(&svg(&["--figure", "strip", "--at", "0.5s", "--step", "30", "--at", "3s", "--no-title"]));
    let captions: Vec<&str> = strip.iter().map(|(text, _)| text.as_str()).filter(|text| text.starts_with('(')).collect();
    assert_eq!(captions.len(), 3, "{captions:?}");
    assert!(
        captions[0].starts_with("(a) 500 ms, after step 18 at 400 ms") && captions[1].starts_with("(b) after step 30, 1 s"),
        "{captions:?}"
    );
    let queues = texts(&svg(&["--figure", "queues", "--step", "30", "--no-legend"]));
    assert!(queues.iter().any(|(text, _)| text == "K5 0/2") && !queues.iter().any(|(text, _)| text == "waits"));
    let part = texts(&svg(&["--from", "2s", "--to", "3s"]));
    assert!(part.iter().any(|(text, _)| text == "K2:0") && !part.iter().any(|(text, _)| text == "K1:0"), "{part:?}");
    let line = texts(&svg(&["--at", "1.5s"]));
    assert!(line.iter().any(|(text, _)| text == "1.5 s"));
    for chart in ["response-times", "block-times"] {
        assert!(texts(&svg(&["--figure", chart])).iter().any(|(text, _)| text == "CPU 1"), "{chart} names its curves");
    }
}

#[test]
fn a_png_has_the_pixels_asked_for() {
    let (status, out, err) = simulate(&["--format", "png", "--width", "400", "--scale", "3"]);
    if err.contains("there is no font") {
        println!("skipped: this computer has no font");
        return;
    }
    assert_eq!((status, err.as_str()), (0, ""));
    assert_eq!(&out[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(u32::from_be_bytes(out[16..20].try_into().unwrap()), 1_200);
}

#[test]
fn steps_come_as_a_gif() {
    let (status, out, err) = simulate(&["--format", "gif", "--steps", "12-30", "--width", "400", "--scale", "1", "--delay", "0.5s"]);
    if err.contains("there is no font") {
        println!("skipped: this computer has no font");
        return;
    }
    assert_eq!((status, err.as_str()), (0, ""));
    assert_eq!((&out[..6], &out[6..8]), (&b"GIF89a"[..], &[0x90, 0x01][..]), "400 dots wide");
    // Before each frame stands how it is shown: what stays transparent, and for how long, in hundredths of a second.
    let controls: Vec<&[u8]> = out.windows(8).filter(|bytes| bytes.starts_with(&[0x21, 0xf9, 4]) && bytes[7] == 0).collect();
    let delays: Vec<u16> = controls.iter().map(|bytes| u16::from_le_bytes([bytes[4], bytes[5]])).collect();
    assert_eq!((delays.len(), delays[0], delays[18]), (19, 50, 100));
}

#[test]
fn steps_of_a_gif_and_of_slides_are_the_same() {
    let tex = |args: &[&str]| simulate(&[&["--format", "beamer"], args].concat()).1;
    assert_eq!(tex(&["--steps", "12-14,20"]), tex(&["--step", "12", "--step", "13", "--step", "14", "--step", "20"]));
}

#[test]
fn what_does_not_fit_is_said_with_its_limit() {
    let said = |args: &[&str]| {
        let (status, out, err) = simulate(args);
        assert_eq!((status, out.len()), (2, 0), "{args:?}");
        err
    };
    let of_svg = |args: &[&str]| said(&[&["--format", "svg"], args].concat());
    let of_gif = |args: &[&str]| said(&[&["--format", "gif"], args].concat());
    for (err, words) in [
        (of_svg(&["--width", "100"]), "100 is not in 240..=4000"),
        (of_svg(&["--font-size", "41"]), "it is a number from 6 to 40"),
        (of_svg(&["--width", "500", "--font-size", "40"]), "width 500 px: with a font size of 40 px a figure is at least 800 px wide"),
        (of_svg(&["--figure", "queues"]), "give --at TIME or --step N once"),
        (of_svg(&["--figure", "queues", "--step", "1", "--step", "2"]), "give --at TIME or --step N once"),
        (of_svg(&["--figure", "strip"]), "once for each"),
        (of_svg(&["--figure", "queues", "--step", "9999"]), "--step 9999: the run has"),
        (of_svg(&["--figure", "queues", "--step", "1", "--from", "1s"]), "--from and --to go with --figure timeline"),
        (of_svg(&["--columns", "2"]), "--columns goes with --figure strip"),
        (of_svg(&["--from", "99s"]), "--from 99 s: the timeline ends at"),
        (of_svg(&["--from", "2s", "--to", "1s"]), "--from 2 s is not before --to 1 s"),
        (of_svg(&["--figure", "block-times", "--step", "1"]), "do not go with a chart"),
        (of_svg(&["--scale", "2"]), "use it with --format png or gif"),
        (of_svg(&["--steps", "2-4"]), "--steps goes with --format gif or beamer"),
        (of_svg(&["--no-captions"]), "--no-captions is about pictures that move: use it with --format gif"),
        (of_gif(&["--steps", "80-99"]), "--steps: step 99: the run has 89 steps"),
        (of_gif(&["--steps", "30-12"]), "--steps: steps 30-12: the first is after the last"),
        (of_gif(&["--steps", "3", "--step", "4"]), "--steps says which steps there are"),
        (of_gif(&["--from", "99s"]), "no step is there from --from to --to"),
        (of_gif(&["--delay", "10ms"]), "it is a time from 20ms to 60s"),
        (of_gif(&["--columns", "2"]), "--columns goes with --figure strip"),
        (of_gif(&["--figure", "block-times"]), "a chart does not change from step to step"),
        (of_gif(&["--fragment"]), "--fragment is about LaTeX"),
        (of_svg(&["--palette", "sepia"]), "light, dark, print"),
        (said(&["--format", "csv", "--width", "500"]), "--width is about figures"),
        (said(&["--format", "png", "--scale", "5"]), "5 is not in 1..=4"),
    ] {
        assert!(err.contains(words), "{err}");
    }
}

#[test]
fn letters_that_no_font_has_are_named() {
    let json = examples::find("tx2-table-1").unwrap().json.replace("\"K1\"", "\"K\u{10fffd}1\"");
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = ["blockstep", "simulate", "-", "--format", "png", "--width", "400", "--scale", "1"];
    let status = run_with(args, &mut json.as_bytes(), &mut out, &mut err);
    let err = String::from_utf8(err).unwrap();
    if err.contains("there is no font") {
        println!("skipped: this computer has no font");
        return;
    }
    assert_eq!(status, 0, "{err}");
    assert!(err.starts_with("note: ") && err.contains("empty boxes, such as \u{10fffd} (U+10FFFD)"), "{err}");
}

const PROCESSES: &str = "tx2-fig-9-processes";
const TASKS: &str = "tx2-fig-9-tasks";

/// On the command line: the other run from a file, the first from standard input.
fn simulate_beside(args: &[&str]) -> (u8, String, String) {
    let path = std::env::temp_dir().join(format!("blockstep-beside-{}-{}.json", std::process::id(), args.join("").len()));
    std::fs::write(&path, examples::find(TASKS).unwrap().json).unwrap();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let args = args.iter().map(|&arg| if arg == "TASKS" { path.to_str().unwrap() } else { arg });
    let all = ["blockstep", "simulate", "-"].into_iter().chain(args);
    let status = run_with(all, &mut examples::find(PROCESSES).unwrap().json.as_bytes(), &mut out, &mut err);
    let _ = std::fs::remove_file(&path);
    (status, String::from_utf8_lossy(&out).into_owned(), String::from_utf8(err).unwrap())
}

#[test]
fn both_figures_come_from_the_command_line() {
    for figure in ["threads", "block-times"] {
        let (status, svg, err) = simulate_beside(&["--format", "svg", "--figure", figure, "--beside", "TASKS"]);
        assert_eq!((status, err.as_str()), (0, ""), "{figure}");
        let words: Vec<String> = texts(&svg).into_iter().map(|(text, _)| text).collect();
        let named = |of: &str| words.iter().filter(|text| text.starts_with(of)).count();
        assert!(named("T1") == if figure == "threads" { 1 } else { 2 } && named("P1") <= 1, "{figure}: {words:?}");
        let (status, tex, _) = simulate_beside(&["--format", "tikz", "--figure", figure, "--beside", "TASKS"]);
        assert!(status == 0 && tex.contains("two tasks"), "{figure}");
    }
    let (status, csv, _) = simulate_beside(&["--format", "results", "--beside", "TASKS"]);
    assert!(status == 0 && csv.starts_with("run,section,"));
    for args in [&["--format", "trace", "--beside", "TASKS"][..], &["--format", "svg", "--beside", "TASKS"]] {
        let (status, _, err) = simulate_beside(args);
        assert!(status == 2 && err.contains("--beside goes with --format results, or with --figure"), "{err}");
    }
    let five = ["--beside", "TASKS"].repeat(5);
    let (status, _, err) = simulate_beside(&[&["--format", "results"], &five[..]].concat());
    assert!(status == 2 && err.contains("5 runs to compare with this one are too many, the limit is 4"), "{err}");
}
