//! The bridge: what `second-look mcp FOLDER` does. It copies bytes and knows nothing of what they say.

use std::io::Read;
use std::path::Path;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::net::UnixStream;

use super::{SECRET, SECRET_BYTES, SOCKET};
use crate::problem::Problem;

/// How long what is under way may still come once the agent program has said its last.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// Connects standard input and output with the running program that serves in a folder, until either ends.
///
/// # Errors
/// A [`Problem`] where nobody serves there any more.
pub async fn bridge(folder: &Path) -> Result<(), Problem> {
    between(folder, tokio::io::stdin(), tokio::io::stdout()).await
}

/// The same with any two streams.
pub(super) async fn between(
    folder: &Path,
    mut input: impl AsyncRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
) -> Result<(), Problem> {
    let problem = |error: std::io::Error| {
        Problem::new(format!("no running second-look serves an agent in `{}`: {error}", folder.display()))
            .hint("this command is started by agent programs, not by hand")
    };
    let secret = read_secret(&folder.join(SECRET)).map_err(problem)?;
    let mut stream = UnixStream::connect(folder.join(SOCKET)).await.map_err(problem)?;
    stream.write_all(format!("{secret}\n").as_bytes()).await.map_err(problem)?;
    let (mut from, mut to) = stream.into_split();
    // A side that ends early, even by an error, is simply an end: whoever is there has noticed it already.
    let down = tokio::io::copy(&mut from, &mut output);
    tokio::pin!(down);
    let up = async {
        let _ = tokio::io::copy(&mut input, &mut to).await;
        let _ = to.shutdown().await;
    };
    tokio::select! {
        _ = &mut down => {}
        () = up => drop(tokio::time::timeout(LAST_WORDS, &mut down).await),
    }
    Ok(())
}

fn read_secret(file: &Path) -> std::io::Result<String> {
    let mut secret = String::new();
    std::fs::File::open(file)?.take(SECRET_BYTES).read_to_string(&mut secret)?;
    Ok(secret)
}
