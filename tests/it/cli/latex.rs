//! `blockstep simulate --format tikz|beamer`: files for LaTeX, and options that do not go together.

use blockstep_sim::examples;
use blockstep_testing::latex::is_file;

fn command(args: &[&str]) -> (u8, String, String) {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let scenario = examples::find("tx2-table-1").unwrap().json;
    let status = blockstep_cli::run_with([&["blockstep", "simulate", "-"], args].concat(), &mut scenario.as_bytes(), &mut out, &mut err);
    (status, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

#[test]
fn the_command_line_writes_both() {
    let (status, tex, _) =
        command(&["--format", "tikz", "--figure", "queues", "--at", "1.1s", "--width", "252", "--font-size", "7", "--no-title"]);
    assert_eq!(status, 0);
    is_file(&tex).unwrap();
    assert!(tex.contains("\\setlength{\\paperwidth}{252pt}") && tex.contains("bst7/.style") && !tex.contains("basic scheduling"));
    let (status, tex, _) = command(&["--format", "beamer", "--from", "1s", "--to", "1s", "--fragment", "--figure", "timeline"]);
    assert_eq!(status, 0);
    is_file(&tex).unwrap();
    assert!(
        tex.contains("\\begin{frame}") && !tex.contains("documentclass") && tex.contains("\\only<1>{Step 19 of 89, 1 s:"),
        "{tex:.300}"
    );
}

#[test]
fn options_that_do_not_go_together_are_errors() {
    for (args, message) in [
        (&["--format", "csv", "--fragment"][..], "--fragment is about LaTeX: use it with --format tikz or beamer"),
        (&["--format", "tikz", "--with-future"], "--with-future goes with --format beamer"),
        (&["--format", "tikz", "--figure", "both"], "--figure both goes with --format beamer"),
        (&["--format", "beamer", "--figure", "strip"], "--figure strip is one picture: on slides and in a GIF, take queues"),
        (&["--format", "beamer", "--width", "300"], "--width does not go with slides, which are as large as beamer has them"),
        (&["--format", "beamer", "--from", "9s"], "no step is there from --from to --to"),
        (&["--format", "tikz", "--width", "3000"], "width 3000 pt: a figure for LaTeX is from 100 to 2000 pt wide"),
    ] {
        let (status, out, err) = command(args);
        assert_eq!((status, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(message), "{args:?}: {err}");
    }
}

#[test]
fn a_chart_is_written_too() {
    let (status, tex, err) = command(&["--format", "tikz", "--figure", "response-times"]);
    assert_eq!((status, err.as_str()), (0, ""));
    is_file(&tex).unwrap();
}
