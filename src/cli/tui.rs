//! `second-look tui`: the screen.

use std::io::IsTerminal;

use clap::Args;

use super::chosen::Chosen;
use super::{Failure, Shared, Target};
use crate::engine::session;
use crate::problem::Problem;
use crate::tui::AskKey;

/// Arguments of `tui`.
#[derive(Args)]
#[command(after_help = "Examples:\n  second-look tui demo\n  second-look tui https://github.com/OWNER/REPO/pull/7\n  \
    second-look tui OWNER/REPO#7\n  second-look tui 7             (inside a clone)\n  \
    second-look tui main...topic  (inside a clone)\n  second-look tui --staged\n\nPress ? on the screen for its keys.")]
pub struct Arguments {
    #[command(flatten)]
    target: Target,
    #[command(flatten)]
    chosen: Chosen,
}

impl Arguments {
    pub(super) async fn run(self, shared: &Shared) -> Result<(), Failure> {
        let address = self.target.read()?;
        if !std::io::stdout().is_terminal() || !std::io::stdin().is_terminal() {
            return Err(Failure::Failed(
                Problem::new("the screen needs a terminal").hint("use `second-look review` to print a change"),
            ));
        }
        let engine = shared.engine_with(&self.chosen)?;
        let screen = engine.settings().screen.clone();
        let keys: Vec<AskKey> = engine.asks().iter().map(|ask| AskKey::of(ask.as_ref())).collect();
        let session = session::start(engine, address);
        crate::tui::run(session, &screen, &keys).await?;
        Ok(())
    }
}
