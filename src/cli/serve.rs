//! `second-look serve`: the engine's verbs for other programs, on standard input and output.

use clap::Args;
use tokio::io::BufReader;

use super::chosen::Chosen;
use super::{Failure, Shared, print};
use crate::problem::Problem;
use crate::rpc;

/// Arguments of `serve`.
#[derive(Args)]
#[command(after_help = "Examples:\n  second-look serve\n  second-look serve --protocol\n\n\
    JSON-RPC 2.0, one message a line. The token is given with each review, never here.")]
pub struct Arguments {
    /// Print the documentation of the protocol, with a recorded exchange
    #[arg(long)]
    protocol: bool,
    #[command(flatten)]
    chosen: Chosen,
}

impl Arguments {
    pub(super) async fn run(self, shared: &Shared) -> Result<(), Failure> {
        if self.protocol {
            return Ok(print::out(rpc::PROTOCOL)?);
        }
        let folder =
            std::env::current_dir().map_err(|error| Problem::new(format!("the current folder is gone: {error}")))?;
        let engine = shared.engine_with(&self.chosen)?;
        Ok(rpc::serve(engine, folder, BufReader::new(tokio::io::stdin()), tokio::io::stdout()).await?)
    }
}
