//! The `second-look` program: calls the command line and returns its exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    second_look::cli::run()
}
