//! What an agent program sees of the reviewer's machine, which programs are refused, and that none stays behind.

use std::path::Path;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;

use crate::support::program::Program;

use super::stage::{ALL, Stage, lives, runs, submit, wait_for};

#[test]
fn it_stands_in_an_empty_folder_without_a_token() {
    for played in ALL {
        let mut stage = Stage::new(played);
        let token = "ghp_abcdefghijABCDEFGHIJ0123456789abcdef";
        for (name, value) in [
            ("GH_TOKEN", "secret-1"),
            ("GITHUB_TOKEN", "secret-2"),
            ("GH_ENTERPRISE_TOKEN", "secret-3"),
            ("GITHUB_ENTERPRISE_TOKEN", "secret-4"),
            ("MY_PAT", "secret-5"),
            ("INNOCENT", token),
            ("NODE_OPTIONS", "--require /nowhere.js"),
            ("LD_AUDIT", ""),
            ("GIT_DIR", "/nowhere"),
            ("ANTHROPIC_MODEL", "kept"),
        ] {
            stage.scene.program.set(name, value);
        }
        stage.script(&runs(&[&[submit(3)]]));
        let answer = stage.answer();
        let own = match played.agent {
            "codex" => "its own tools off, or refused by its sandbox",
            _ => "none of its own tools",
        };
        let fences = json!(["empty folder", "nothing of the tree on disk", own]);
        let stamped = answer["stamp"]["fences"].as_array().unwrap();
        assert!(fences.as_array().unwrap().iter().all(|fence| stamped.contains(fence)), "{stamped:?}");
        let run = &stage.runs()[0];
        assert_eq!(run["files"], json!([]), "{}", played.agent);
        let environment = run["environment"].as_object().unwrap();
        let all = run["environment"].to_string();
        assert!(!all.contains("secret-") && !all.contains("ghp_"), "{}: {all}", played.agent);
        let gone =
            |name: &String| ["SECOND_LOOK_", "GIT_", "NODE_OPTIONS", "LD_AUDIT"].iter().any(|it| name.starts_with(it));
        assert!(!environment.keys().any(gone), "{all}");
        assert_eq!(environment["ANTHROPIC_MODEL"], "kept");
        let arguments = run["arguments"].to_string();
        assert!(!arguments.contains("secret") && !arguments.contains("ghp_"), "{arguments}");
        let folder = Path::new(run["folder"].as_str().unwrap());
        assert!(!folder.exists() && !folder.parent().unwrap().exists(), "{} is left", folder.display());
    }
}

#[test]
fn a_program_without_a_needed_flag_is_refused() {
    for (played, flag) in ALL.into_iter().zip(["--setting-sources", "--no-extensions", "--ignore-user-config"]) {
        let stage = Stage::new(played);
        stage.script(&json!({ "without": [flag], "runs": [[submit(3)]] }));
        let complaint = stage.complaint();
        assert!(complaint.contains("cannot be locked down") && complaint.contains(flag), "{complaint}");
        assert_eq!(stage.runs().len(), 0);
    }
    let stage = Stage::new(ALL[2]);
    stage.script(&json!({ "without": ["shell_tool"], "runs": [[submit(3)]] }));
    assert!(stage.complaint().contains("lacks: shell_tool"));
}

#[test]
fn flags_that_only_newer_versions_have_are_left_out() {
    let cases = [(ALL[0], "--restricted"), (ALL[0], "--permission-prompts"), (ALL[1], "--no-mcp"), (ALL[2], "plugins")];
    for (played, flag) in cases {
        let stage = Stage::new(played);
        for (without, passed) in [(json!([]), true), (json!([flag]), false)] {
            stage.script(&json!({ "without": without, "runs": [[submit(3)]] }));
            stage.answer();
            let arguments = stage.runs()[0]["arguments"].to_string();
            assert_eq!(arguments.contains(&format!("\"{flag}\"")), passed, "{arguments}");
        }
    }
}

#[test]
fn a_tool_of_its_own_ends_the_run() {
    for played in [ALL[0], ALL[2]] {
        let stage = Stage::new(played);
        stage.script(&json!({ "own_tools": ["Bash"], "runs": [[submit(3)]] }));
        let complaint = stage.complaint();
        assert!(complaint.contains("a fence did not hold") && complaint.contains("Bash"), "{complaint}");
    }
}

#[test]
fn a_program_that_is_not_there_says_so() {
    for played in ALL {
        let mut stage = Stage::new(played);
        let text = format!("[asks]\nagent = \"{}\"\n", played.agent);
        stage.scene.program.write("config/config.toml", &text);
        stage.scene.program.set("PATH", "/nowhere");
        let complaint = stage.complaint();
        let said = format!("there is no `{}` on the search path", played.program);
        assert!(complaint.contains(&said), "{complaint}");
    }
}

#[test]
fn nothing_stays_behind_whatever_ends_the_program() {
    for played in ALL {
        for signal in [Signal::TERM, Signal::INT, Signal::KILL] {
            let stage = Stage::new(played);
            stage.script(&runs(&[&["hangs".into()]]));
            let url = stage.scene.url();
            let mut program = stage.scene.program.start(&stage.ask(&url));
            let hanging = || stage.record().into_iter().find_map(|it| it.get("hangs").cloned());
            wait_for("the agent hangs", Duration::from_secs(60), || hanging().is_some());
            let hanging = hanging().unwrap();
            let pids: Vec<u64> = hanging.as_array().unwrap().iter().map(|pid| pid.as_u64().unwrap()).collect();
            assert!(pids.iter().all(|pid| lives(*pid)), "{pids:?}");
            kill_process(Pid::from_child(&program), signal).unwrap();
            wait_for("its group is gone", Duration::from_secs(2), || !pids.iter().any(|pid| lives(*pid)));
            program.wait().unwrap();
            let folder = stage.runs()[0]["folder"].as_str().unwrap().to_owned();
            let run = Path::new(&folder).parent().unwrap();
            wait_for("the folder of its run is gone", Duration::from_secs(2), || !run.exists());
        }
    }
}

#[test]
fn escape_on_the_screen_ends_it_too() {
    for played in ALL {
        let stage = Stage::new(played);
        stage.script(&runs(&[&["hangs".into()]]));
        let mut screen = stage.screen();
        screen.keys("e");
        let hanging = || stage.record().into_iter().find_map(|it| it.get("hangs").cloned());
        wait_for("it hangs", Duration::from_secs(30), || hanging().is_some());
        screen.shows("Explain running");
        screen.keys("\x1b");
        let pids: Vec<u64> = hanging().unwrap().as_array().unwrap().iter().map(|pid| pid.as_u64().unwrap()).collect();
        wait_for("its group is gone", Duration::from_secs(2), || !pids.iter().any(|pid| lives(*pid)));
        screen.shows("Explain: cancelled");
        screen.keys("qq");
        assert_eq!(screen.end().0, 0);
    }
}

#[test]
fn a_time_out_ends_it_too() {
    let stage = Stage::new(ALL[0]);
    // The shortest that can be set.
    stage.settings("timeout = 10");
    stage.script(&runs(&[&["hangs".into()]]));
    let complaint = stage.complaint();
    assert!(complaint.contains("within 10 seconds"), "{complaint}");
    let hanging = stage.record().into_iter().find_map(|it| it.get("hangs").cloned()).unwrap();
    let pids: Vec<u64> = hanging.as_array().unwrap().iter().map(|pid| pid.as_u64().unwrap()).collect();
    wait_for("its group is gone", Duration::from_secs(2), || !pids.iter().any(|pid| lives(*pid)));
}

#[cfg(target_os = "linux")]
#[test]
fn the_kernels_fence_lets_a_program_read_its_own_and_nothing_else() {
    let program = Program::new();
    let (own, other) = (program.write("own/file", "mine"), program.write("other/file", "not mine"));
    let folder = program.folder("own");
    let inside = |script: &str| {
        let system = ["/usr", "/bin", "/lib", "/lib64", "/etc", "/dev"].into_iter().flat_map(|path| ["--read", path]);
        let mut arguments = vec!["fence"];
        arguments.extend(system);
        arguments.extend(["--write", folder.to_str().unwrap(), "--", "/bin/sh", "-c", script]);
        let output = program.run(&arguments);
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, _, complaint) = inside("exit 0");
    if complaint.contains("has no Landlock") {
        println!("skipped: this kernel has no Landlock");
        return;
    }
    assert_eq!(code, Some(0), "{complaint}");
    assert_eq!(inside(&format!("cat {own}; echo more > {own}; cat {own}")).1, "minemore\n");
    let (code, out, _) = inside(&format!("cat {other}"));
    assert!(code != Some(0) && out.is_empty(), "{out}");
    let parent = std::process::id();
    let (code, out, _) = inside(&format!("cat /proc/{parent}/environ; ls {}", program.folder("home").display()));
    assert!(code != Some(0) && out.is_empty(), "{out}");
    let (code, ..) = inside(&format!("echo x > {other}"));
    assert!(code != Some(0) && std::fs::read_to_string(&other).unwrap() == "not mine");
}
