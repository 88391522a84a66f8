//! The `second-look` program. It has no command yet.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::FAILURE
}
