//! Writes the static pages into a site: `blockstep-site FOLDER [ADDRESS]`; scripts/pages.sh calls it.

use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use blockstep_site::{Address, FOLDER, files};

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let written = match &*arguments {
        [folder] => write(folder, ""),
        [folder, address] => write(folder, address),
        _ => Err("Name the folder of the site, and its address if it has one: blockstep-site FOLDER [ADDRESS]".to_owned()),
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

/// Writes every file anew; pages of what is no longer there go.
fn write(folder: &str, address: &str) -> Result<(), String> {
    let address = match address {
        "" => None,
        text => Some(Address::read(text).map_err(|why| why.to_string())?),
    };
    let files = files(address.as_ref()).map_err(|why| why.to_string())?;
    let at = |path: &Path, why: std::io::Error| format!("{}: {why}", path.display());
    let place = Path::new(folder).join(FOLDER);
    if place.exists() {
        fs::remove_dir_all(&place).map_err(|why| at(&place, why))?;
    }
    fs::create_dir_all(&place).map_err(|why| at(&place, why))?;
    for file in files {
        let path = Path::new(folder).join(&file.path);
        fs::write(&path, file.text).map_err(|why| at(&path, why))?;
    }
    Ok(())
}
