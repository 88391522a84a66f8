//! `second-look fence` (hidden): restricts itself to some files and folders and becomes another program.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;

use super::Failure;
use crate::agent::program::{Fence, run_inside};

/// Arguments of `fence`.
#[derive(Args)]
pub struct Arguments {
    /// What the program may read and run
    #[arg(long, value_name = "PATH")]
    read: Vec<PathBuf>,
    /// What it may change too
    #[arg(long, value_name = "PATH")]
    write: Vec<PathBuf>,
    /// The program
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    command: Vec<OsString>,
}

impl Arguments {
    pub(super) fn run(self) -> Result<(), Failure> {
        let Some((program, arguments)) = self.command.split_first() else { return Ok(()) };
        let fence = Fence { read: self.read, write: self.write };
        Err(run_inside(&fence, &PathBuf::from(program), arguments).into())
    }
}
