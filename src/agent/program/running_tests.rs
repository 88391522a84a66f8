//! Programs that write, flood, say their last words, hang and leave children behind.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use super::*;

fn shell(script: &str, input: &str) -> (Running, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let start = Start {
        program: "/bin/sh".into(),
        arguments: vec!["-c".into(), script.into()],
        environment: vec![("PATH".into(), std::env::var_os("PATH").unwrap())],
        stands: folder.path().to_owned(),
        input: input.to_owned(),
    };
    (Running::start(start, folder.path()).unwrap(), folder)
}

async fn all(running: &mut Running) -> (Vec<String>, Next) {
    let mut lines = Vec::new();
    loop {
        match running.next().await {
            Next::Line(line) => lines.push(line),
            end => return (lines, end),
        }
    }
}

/// Waits until a process is gone; the deadline is the promise that is tested.
async fn gone(pid: i32, within: Duration) -> bool {
    let until = Instant::now() + within;
    while Instant::now() < until {
        let state = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let pid = rustix::process::Pid::from_raw(pid).unwrap();
        if rustix::process::test_kill_process(pid).is_err() || state.contains(") Z ") {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    false
}

#[tokio::test]
async fn the_prompt_goes_in_and_lines_come_out() {
    let prompt = "line\n".repeat(100_000);
    let (mut running, _folder) = shell("wc -l; printf 'a\\n\\nb'; echo sorry >&2; exit 3", &prompt);
    let (lines, end) = all(&mut running).await;
    assert_eq!(lines, ["100000", "a", "b"]);
    let exit = Exit { success: false, how: "it ended with exit code 3".into(), words: vec!["sorry".into()] };
    assert_eq!(end, Next::Ended(exit));
}

#[tokio::test]
async fn a_flood_ends_the_run_and_noise_keeps_only_its_last_words() {
    let (mut running, _folder) = shell("yes", "");
    let (_, end) = all(&mut running).await;
    assert!(matches!(&end, Next::Flood(said) if said.contains("more than")), "{end:?}");
    let (mut running, _folder) = shell("seq 100000 >&2; printf '\\033[31mlast\\n' >&2", "");
    let (_, Next::Ended(exit)) = all(&mut running).await else { panic!("no end") };
    assert_eq!(exit.words.len(), WORDS_KEPT);
    assert_eq!(exit.words.last().unwrap(), "^[[31mlast");
}

#[test]
fn a_long_line_is_cut_and_the_next_one_whole() {
    let mut lines = Lines::default();
    lines.take(&vec![b'x'; LINE_LIMIT + 5]);
    lines.take(b"yz\nnext\n");
    assert_eq!(lines.ready.iter().map(String::len).collect::<Vec<_>>(), [LINE_LIMIT, 4]);
}

#[tokio::test]
async fn dropped_it_takes_children_that_ignore_signals_with_it() {
    let (mut running, _folder) = shell("trap '' TERM; (trap '' TERM; exec sleep 600) & echo $!; sleep 600", "");
    let Next::Line(child) = running.next().await else { panic!("no line") };
    let (leader, child) = (running.child.id().unwrap().cast_signed(), child.parse().unwrap());
    drop(running);
    assert!(gone(child, Duration::from_secs(2)).await, "the child lives");
    assert!(gone(leader, Duration::from_secs(2)).await, "the leader lives");
}

#[tokio::test]
async fn who_holds_the_output_open_is_not_waited_for() {
    let (mut running, _folder) = shell("sleep 600 & echo $!", "");
    let (lines, end) = all(&mut running).await;
    assert!(matches!(end, Next::Ended(Exit { success: true, .. })), "{end:?}");
    drop(running);
    assert!(gone(lines[0].parse().unwrap(), Duration::from_secs(2)).await);
}
