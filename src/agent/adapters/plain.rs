//! `plain`: the built-in agent. It uses no model; it hands in what the question itself composed, like any other agent.

use crate::agent::{Agent, Desk, Ending, Probe, Reply, Request, Task};

/// Its name, by which the driver knows to compose the answer for it.
pub const NAME: &str = "plain";

/// The built-in agent.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plain;

impl Agent for Plain {
    fn name(&self) -> &'static str {
        NAME
    }

    fn converses(&self) -> bool {
        true
    }

    fn probe(&self) -> Task<'_, Probe> {
        Box::pin(async { Probe::Usable(env!("CARGO_PKG_VERSION").to_owned()) })
    }

    fn run(&self, request: Request, desk: Desk) -> Task<'_, Ending> {
        Box::pin(async move {
            match request.composed {
                None => Ending::Declined("the built-in agent has no answer to this question".to_owned()),
                Some(Err(why)) => Ending::Declined(why),
                Some(Ok(text)) => {
                    // It has one answer and no other: given back, it stands by it, and the refusal is shown.
                    if let Reply::SentBack(_) = desk.submit(text.clone()).await {
                        desk.submit(text).await;
                    }
                    Ending::Finished
                }
            }
        })
    }
}
