//! The command line.

fn main() -> std::process::ExitCode {
    blockstep_cli::run()
}
