//! The command line.

use std::process::ExitCode;

/// Runs the command line with the process's arguments.
#[must_use]
pub fn run() -> ExitCode {
    ExitCode::SUCCESS
}
