//! Signals that stop a command: what runs is dropped, and with it every program it started.

/// Waits for a signal that stops, and gives the exit code for it: 128 and the signal's number.
#[cfg(unix)]
pub async fn told() -> u8 {
    use tokio::signal::unix::{SignalKind, signal};
    let kinds = [(SignalKind::hangup(), 129), (SignalKind::interrupt(), 130), (SignalKind::terminate(), 143)];
    let mut waiting = tokio::task::JoinSet::new();
    for (kind, code) in kinds {
        // Where the system lets nobody listen, the signal ends the program by itself.
        if let Ok(mut stream) = signal(kind) {
            waiting.spawn(async move { stream.recv().await.map(|()| code) });
        }
    }
    while let Some(code) = waiting.join_next().await {
        if let Ok(Some(code)) = code {
            return code;
        }
    }
    std::future::pending().await
}

/// Waits for the signal that stops, and gives the exit code for it.
#[cfg(not(unix))]
pub async fn told() -> u8 {
    match tokio::signal::ctrl_c().await {
        Ok(()) => 130,
        Err(_) => std::future::pending().await,
    }
}
