//! When a turn is tried again: turned away for now, or the connection lost before anything came; never otherwise.
//!
//! How long a question may take in all is the caller's.

use std::time::Duration;

use super::client::{Conversation, Failure, ModelClient, Offer, Turn};
use crate::agent::{Desk, Event};

/// How often a turn is tried again.
const AGAIN: u32 = 3;
/// The longest wait that is sat out; who is told to wait longer is better told so.
const LONGEST_WAIT: Duration = Duration::from_secs(60);
/// The first wait where nobody says how long; it doubles each time.
const FIRST_WAIT: Duration = Duration::from_secs(1);

/// Takes a turn, trying again where that may help.
pub(super) async fn turn(
    client: &dyn ModelClient,
    conversation: &Conversation,
    offers: &[Offer],
    desk: &Desk,
) -> Result<Turn, Failure> {
    let mut tried = 0;
    loop {
        let failure = match client.turn(conversation, offers).await {
            Ok(turn) => return Ok(turn),
            Err(failure) => failure,
        };
        let own = FIRST_WAIT * 2_u32.pow(tried);
        let (wait, why) = match &failure {
            Failure::TurnedAway { after, again: true, .. } => (after.unwrap_or(own), "turned away for now"),
            Failure::Lost(_) => (own, "the connection was lost"),
            _ => return Err(failure),
        };
        if wait > LONGEST_WAIT {
            return Err(too_long(failure, wait));
        }
        if tried == AGAIN {
            return Err(given_up(failure));
        }
        tried += 1;
        desk.say(Event::Doing(format!("{why}, trying again in {} s", wait.as_secs()))).await;
        tokio::time::sleep(wait).await;
    }
}

fn too_long(failure: Failure, wait: Duration) -> Failure {
    match failure {
        Failure::TurnedAway { said, after, .. } => {
            let said = format!("{said}; it says to come again in {} seconds", wait.as_secs());
            Failure::TurnedAway { said, after, again: false }
        }
        other => other,
    }
}

fn given_up(failure: Failure) -> Failure {
    let times = AGAIN + 1;
    match failure {
        Failure::TurnedAway { said, after, .. } => {
            Failure::TurnedAway { said: format!("{said} ({times} times)"), after, again: false }
        }
        Failure::Lost(why) => Failure::Lost(format!("{why} ({times} times)")),
        other => other,
    }
}
