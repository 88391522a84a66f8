//! `second-look mcp FOLDER`: the end of the bridge that an agent program starts. Hidden: no reviewer types it.

use std::path::PathBuf;

use clap::Args;

use super::Failure;
use crate::agent::tools::mcp;

/// Arguments of `mcp`.
#[derive(Args)]
pub struct Arguments {
    /// The folder in which the running program serves
    #[arg(value_name = "FOLDER")]
    folder: PathBuf,
}

impl Arguments {
    pub(super) async fn run(self) -> Result<(), Failure> {
        Ok(mcp::bridge(&self.folder).await?)
    }
}
