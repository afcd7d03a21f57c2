//! What the program takes, and what it says of the rest.

use std::path::Path;

use blockstep_site::{Address, Arguments};
use clap::Parser;
use clap::error::ErrorKind;

fn read(arguments: &[&str]) -> Result<Arguments, clap::Error> {
    Arguments::try_parse_from([&["blockstep-site"], arguments].concat())
}

#[test]
fn a_folder_is_named_and_perhaps_an_address() {
    let Arguments { folder, address } = read(&["dist"]).unwrap();
    assert_eq!((folder.as_path(), address), (Path::new("dist"), None));
    let hosted = read(&["dist", "https://example.org/a"]).unwrap();
    assert_eq!(hosted.address, Some(Address::read("https://example.org/a/").unwrap()));
}

#[test]
fn an_option_is_no_folder() {
    let help = read(&["--help"]).unwrap_err();
    assert_eq!(help.kind(), ErrorKind::DisplayHelp);
    assert!(help.to_string().contains("Usage: blockstep-site <FOLDER> [ADDRESS]"), "{help}");
    let kinds = [
        (&["--hepl"][..], ErrorKind::UnknownArgument),
        (&["dist", "--verbose"], ErrorKind::UnknownArgument),
        (&[], ErrorKind::MissingRequiredArgument),
        (&["dist", "https://a", "more"], ErrorKind::UnknownArgument),
        (&["dist", "example.org"], ErrorKind::ValueValidation),
    ];
    for (arguments, kind) in kinds {
        let said = read(arguments).unwrap_err();
        assert_eq!(said.kind(), kind, "{arguments:?}: {said}");
    }
}
