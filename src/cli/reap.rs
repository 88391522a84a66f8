//! `second-look reap` (hidden): ends an agent program when the program that started it is gone, whatever ended that.
//!
//! It waits for the end of its standard input, which the one who started it holds open as long as it lives.

use std::io::Read as _;
use std::path::PathBuf;

use clap::Args;

use super::Failure;
use crate::agent::program;

/// Arguments of `reap`.
#[derive(Args)]
pub struct Arguments {
    /// The process group to end
    #[arg(long)]
    group: u32,
    /// The folder of its run, to remove once it has ended
    #[arg(long)]
    folder: PathBuf,
}

impl Arguments {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let work = move || {
            let mut nothing = [0; 64];
            while std::io::stdin().read(&mut nothing).is_ok_and(|count| count > 0) {}
            program::end_group(self.group);
            program::remove_run(&self.folder);
        };
        // Nobody reads what it would say.
        let _ = tokio::task::spawn_blocking(work).await;
        Ok(())
    }
}
