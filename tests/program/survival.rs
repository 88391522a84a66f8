//! Marks, answers and opened changes survive a kill, a lost cache, damaged files and a newer program.

use rusqlite::Connection;
use rustix::process::{Signal, kill_process};

use crate::scene::Scene;
use crate::support::github::Fault;
use crate::support::program::Program;
use crate::support::terminal::Terminal;

/// Opens the screen of the scene, marks its first part and asks about its second; both are on disk then.
fn mark_and_ask(scene: &Scene) -> Terminal {
    let mut screen = scene.program.screen(&["tui", &scene.url()], 200, 50);
    screen.shows("MUST REVIEW 0/");
    screen.keys(" ");
    screen.shows("reviewed 1");
    // Requests are done in order, and an answer is shown once it is kept.
    screen.keys("e");
    screen.shows("no model was used");
    screen
}

/// The screen shows the mark of the first part and the answer of the second.
fn shows_mark_and_answer(program: &Program, arguments: &[&str]) {
    let mut screen = program.screen(arguments, 200, 50);
    screen.shows("reviewed 1");
    assert!(screen.columns(0, 40).iter().any(|row| row.contains('✓')), "{}", screen.screen());
    screen.keys("J");
    screen.shows("1 answer");
    screen.keys("q");
    assert_eq!(screen.end().0, 0);
}

#[test]
fn a_kill_loses_no_mark_and_no_answer() {
    let scene = Scene::new();
    let first = scene.review();
    let screen = mark_and_ask(&scene);
    screen.signal(Signal::KILL);
    screen.end();
    shows_mark_and_answer(&scene.program, &["--offline", "tui", &scene.url()]);
    assert_eq!(scene.review(), first);
}

#[test]
fn a_mark_set_just_before_quitting_is_kept() {
    let program = Program::new();
    for marked in 1..=4 {
        let mut screen = crate::screen::open(&program, "demo", (120, 40));
        screen.shows(&format!("reviewed {}", marked - 1));
        screen.keys("u q");
        assert_eq!(screen.end().0, 0);
    }
}

#[test]
fn a_lost_cache_loses_no_mark_and_no_answer() {
    let scene = Scene::new();
    let first = scene.review();
    let mut screen = mark_and_ask(&scene);
    screen.keys("q");
    assert_eq!(screen.end().0, 0);
    std::fs::remove_dir_all(scene.program.folder("cache")).unwrap();
    scene.github.forget_requests();
    shows_mark_and_answer(&scene.program, &["tui", &scene.url()]);
    assert!(scene.github.packs() > 0);
    assert_eq!(scene.review(), first);
}

#[test]
fn a_fetch_that_is_killed_is_done_again() {
    let scene = Scene::new();
    scene.github.fault(Fault::stall().on("/git-upload-pack"));
    let url = scene.url();
    let mut child = scene.program.start(&["review", &url, "--json"]);
    scene.github.until_asked("/demo.git/git-upload-pack");
    kill_process(rustix::process::Pid::from_child(&child), Signal::KILL).unwrap();
    child.wait().unwrap();
    scene.github.clear_faults();
    let result: serde_json::Value = serde_json::from_str(&scene.review()).unwrap();
    assert_eq!(result["head_commit"], scene.head.to_string());
    assert_eq!(scene.program.prints(&["--offline", "review", &url, "--json"]), scene.review());
}

#[test]
fn a_new_head_that_is_cut_short_leaves_the_old_one() {
    let scene = Scene::new();
    let (url, first) = (scene.url(), scene.review());
    scene.push("list.txt", "short\n");
    scene.github.fault(Fault::truncate().on("/git-upload-pack"));
    scene.program.fails(&["review", &url, "--json"]);
    scene.github.clear_faults();
    assert_eq!(scene.program.prints(&["--offline", "review", &url, "--json"]), first);
    assert_ne!(scene.review(), first);
}

#[test]
fn damaged_snapshots_are_built_again() {
    let scene = Scene::new();
    let (url, first) = (scene.url(), scene.review());
    let (path, good) = scene.program.files("cache/snapshots").remove(0);
    let mut flipped =
        vec![good[..good.len() / 2].to_vec(), Vec::new(), b"garbage".to_vec(), [&good[..], b"more"].concat()];
    flipped.extend((0..12).map(|at| {
        let mut bytes = good.clone();
        let at = at * (good.len() - 1) / 11;
        bytes[at] ^= 1;
        bytes
    }));
    for damaged in flipped {
        std::fs::write(&path, &damaged).unwrap();
        assert_eq!(scene.program.prints(&["--offline", "review", &url, "--json"]), first);
        assert_eq!(std::fs::read(&path).unwrap(), good);
    }
}

#[test]
fn damaged_objects_are_a_sentence_and_a_cache_removed_is_fetched_again() {
    let mut scene = Scene::new();
    let (url, first) = (scene.url(), scene.review());
    for (path, _) in
        scene.program.files("cache").iter().filter(|(path, _)| path.extension().is_some_and(|end| end == "pack"))
    {
        // Git makes them read-only.
        std::fs::remove_file(path).unwrap();
        std::fs::write(path, "PACK").unwrap();
    }
    let complaint = scene.program.fails(&["--offline", "review", &url, "--json"]);
    assert!(complaint.contains("octo/demo#7"), "{complaint}");
    scene.program.fails(&["review", &url, "--json"]);
    scene.program.prints(&["cache", "remove", "all"]);
    assert_eq!(scene.review(), first);
    scene.github.stop();
    assert_eq!(scene.program.prints(&["--offline", "review", &url, "--json"]), first);
}

#[test]
fn a_damaged_database_is_a_sentence_and_stays_as_it_is() {
    let scene = Scene::new();
    let url = scene.url();
    let first = scene.review();
    scene.program.prints(&["ask", "explain", &url, "--part", "1"]);
    let file = scene.program.folder("data").join("state.db");
    let good = std::fs::read(&file).unwrap();

    // What lies beside it does not matter.
    for beside in ["state.db-wal", "state.db-shm", "state.db-journal", "state.lock", "other"] {
        scene.program.write(&format!("data/{beside}"), "garbage of any kind ".repeat(300).as_str());
        assert_eq!(scene.program.prints(&["--offline", "review", &url, "--json"]), first, "{beside}");
    }
    let garbage = "garbage of any kind ".repeat(300);
    scene.program.write("data/state.db", &garbage);
    let complaint = scene.program.fails(&["review", &url]);
    assert!(complaint.contains("state.db"), "{complaint}");
    assert_eq!(std::fs::read(&file).unwrap(), garbage.as_bytes());
    std::fs::write(&file, good).unwrap();
    assert_eq!(scene.program.prints(&["--offline", "review", &url, "--json"]), first);
}

#[test]
fn a_database_of_a_newer_program_is_left_alone() {
    let scene = Scene::new();
    let url = scene.url();
    scene.review();
    let file = scene.program.folder("data").join("state.db");
    let database = Connection::open(&file).unwrap();
    database.pragma_update(None, "user_version", 99).unwrap();
    database.close().unwrap();
    let before = std::fs::read(&file).unwrap();
    for arguments in [&["review", &url][..], &["--offline", "review", &url], &["review", "demo"]] {
        let complaint = scene.program.fails(arguments);
        assert!(complaint.contains("state.db` was written by a newer version of second-look"), "{complaint}");
    }
    assert_eq!(std::fs::read(&file).unwrap(), before);
}

#[test]
fn two_programs_at_once_do_not_disturb_each_other() {
    let scene = Scene::new();
    let url = scene.url();
    let started: Vec<_> = (0..3).map(|_| scene.program.start(&["review", &url, "--json"])).collect();
    let printed: Vec<_> = started.into_iter().map(|child| child.wait_with_output().unwrap()).collect();
    for output in &printed {
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(output.stdout, printed[0].stdout);
    }
}
