//! What the program is called with.
//!
//! Depends on clap, as the command line does. Invariant: what begins with a dash is an option, and never a folder that is made.

use std::path::PathBuf;

use super::Address;
use clap::Parser;

/// Writes the static pages of the site
#[derive(Clone, Debug, PartialEq, Eq, Parser)]
#[command(name = "blockstep-site")]
pub struct Arguments {
    /// Folder of the site; the pages go into learn/ in it
    pub folder: PathBuf,
    /// Where the site will be, such as https://example.org/blockstep/; without it there is no sitemap.xml
    #[arg(value_parser = Address::read)]
    pub address: Option<Address>,
}
