//! The desk: where an agent hands in answers and says what it is doing, and gets told what became of an answer.

use tokio::sync::{mpsc, oneshot};

use super::Event;

/// What became of a submitted answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// It passed; the run should end.
    Accepted,
    /// It is given back; the text lists every problem. One more may be submitted.
    SentBack(String),
    /// It was refused for good, or nobody waits for answers any more; the run should end.
    Closed,
}

/// An answer handed in.
#[derive(Debug)]
pub struct Submission {
    /// The answer as it came; it should be one JSON value.
    pub text: String,
    /// Where the reply goes.
    pub reply: oneshot::Sender<Reply>,
}

/// What comes over a desk.
#[derive(Debug)]
pub enum Message {
    /// An answer.
    Submitted(Submission),
    /// Something said on the way.
    Said(Event),
}

/// The agent's end of the desk.
#[derive(Debug, Clone)]
pub struct Desk(mpsc::Sender<Message>);

/// Opens a desk for one run; the receiver is the end of whoever judges.
pub fn desk() -> (Desk, mpsc::Receiver<Message>) {
    let (sender, receiver) = mpsc::channel(64);
    (Desk(sender), receiver)
}

impl Desk {
    /// Hands in an answer and waits for the reply.
    pub async fn submit(&self, text: String) -> Reply {
        let (reply, answer) = oneshot::channel();
        if self.0.send(Message::Submitted(Submission { text, reply })).await.is_err() {
            return Reply::Closed;
        }
        answer.await.unwrap_or(Reply::Closed)
    }

    /// Says something on the way. Nobody listening is no error.
    pub async fn say(&self, event: Event) {
        drop(self.0.send(Message::Said(event)).await);
    }
}
