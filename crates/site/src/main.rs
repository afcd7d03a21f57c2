//! Writes the static pages into a site: `blockstep-site FOLDER [ADDRESS]`; scripts/pages.sh calls it.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use blockstep_site::{Address, Arguments, FOLDER, files};
use clap::Parser;

fn main() -> ExitCode {
    let Arguments { folder, address } = Arguments::parse();
    match write(&folder, address.as_ref()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Writes every file anew; pages of what is no longer there go.
fn write(folder: &Path, address: Option<&Address>) -> Result<(), String> {
    let files = files(address).map_err(|why| why.to_string())?;
    let at = |path: &Path, why: std::io::Error| format!("{}: {why}", path.display());
    let place = folder.join(FOLDER);
    if place.exists() {
        fs::remove_dir_all(&place).map_err(|why| at(&place, why))?;
    }
    fs::create_dir_all(&place).map_err(|why| at(&place, why))?;
    for file in files {
        let path = folder.join(&file.path);
        fs::write(&path, file.text).map_err(|why| at(&path, why))?;
    }
    Ok(())
}
