//! Puts pictures of dots in place of SVG documents: `blockstep-png FILE.svg…` writes `FILE.png` and removes `FILE.svg`.
//! scripts/pages.sh calls it for the pictures that chats show.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use blockstep_png::png;

/// Dots for each pixel of the document: screens of phones have two or three.
const SCALE: u32 = 2;

fn main() -> ExitCode {
    for file in env::args_os().skip(1) {
        let path = Path::new(&file);
        if let Err(why) = replace(path) {
            eprintln!("{}: {why}", path.display());
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

fn replace(path: &Path) -> Result<(), String> {
    let svg = fs::read_to_string(path).map_err(|why| why.to_string())?;
    let (dots, _) = png(&svg, SCALE).map_err(|why| why.to_string())?;
    fs::write(path.with_extension("png"), dots).and_then(|()| fs::remove_file(path)).map_err(|why| why.to_string())
}
