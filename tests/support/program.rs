//! The built program with folders of its own.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use super::terminal::Terminal;

/// Variables of whoever runs the tests that would change what the program does.
pub const REMOVED: [&str; 16] = [
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "GH_TOKEN",
    "GITHUB_TOKEN",
    "GH_ENTERPRISE_TOKEN",
    "GITHUB_ENTERPRISE_TOKEN",
    "NO_COLOR",
    "COLORTERM",
    "COLORFGBG",
    "HTTP_PROXY",
    "http_proxy",
    "HTTPS_PROXY",
    "https_proxy",
    "ALL_PROXY",
    "all_proxy",
    "XDG_CONFIG_HOME",
];

/// The program with its own config, data and cache folders, removed at the end.
pub struct Program {
    folder: tempfile::TempDir,
    environment: Vec<(String, String)>,
}

impl Program {
    /// New, empty folders; no token, no settings.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let of = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        let environment = vec![
            ("SECOND_LOOK_CONFIG_DIR".into(), of("config")),
            ("SECOND_LOOK_DATA_DIR".into(), of("data")),
            ("SECOND_LOOK_CACHE_DIR".into(), of("cache")),
            ("HOME".into(), of("home")),
        ];
        std::fs::create_dir(folder.path().join("home")).unwrap();
        Self { folder, environment }
    }

    /// Sets an environment variable for what is started from now on.
    pub fn set(&mut self, name: &str, value: &str) {
        self.environment.retain(|(known, _)| known != name);
        self.environment.push((name.into(), value.into()));
    }

    /// Leaves nothing on the search path: no git, no gh.
    pub fn without_programs(&mut self) {
        self.set("PATH", "");
    }

    /// A folder of its own: `config`, `data`, `cache` or `home`.
    pub fn folder(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a file of its own, such as `config/config.toml`, and returns its path.
    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    }

    /// Every file in its folders with its bytes, sorted by path.
    pub fn files(&self, folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
        let entries = walkdir::WalkDir::new(self.folder(folder)).sort_by_file_name();
        let files = entries.into_iter().map(|entry| entry.unwrap()).filter(|entry| entry.file_type().is_file());
        files.map(|file| (file.path().to_owned(), std::fs::read(file.path()).unwrap())).collect()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_second-look"));
        for name in REMOVED {
            command.env_remove(name);
        }
        command.args(arguments).envs(self.environment.iter().cloned()).current_dir(self.folder.path());
        command.stdin(Stdio::null());
        command
    }

    /// Runs it to its end in a folder.
    pub fn run_in(&self, folder: &Path, arguments: &[&str]) -> Output {
        self.command(arguments).current_dir(folder).output().unwrap()
    }

    /// Runs it to its end.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.run_in(self.folder.path(), arguments)
    }

    /// Starts it and does not wait; what it prints can be read from its pipes.
    pub fn start(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// Starts it with pipes on both sides.
    pub fn serves(&self, arguments: &[&str]) -> Child {
        self.command(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
    }

    /// Runs it to its end, which must be good, and returns what it printed.
    pub fn prints(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {complaint}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs it with `--json`, which must end well, and reads what it printed.
    pub fn json(&self, arguments: &[&str]) -> serde_json::Value {
        serde_json::from_str(&self.prints(arguments)).unwrap()
    }

    /// Runs it to its end, which must not be good and must print nothing: its exit code and its complaint.
    pub fn complains(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.run(arguments);
        assert!(output.stdout.is_empty(), "{arguments:?} printed {}", String::from_utf8_lossy(&output.stdout));
        (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
    }

    /// Runs it to an end with exit code 1, and returns its one sentence.
    pub fn fails(&self, arguments: &[&str]) -> String {
        let (code, complaint) = self.complains(arguments);
        assert_eq!((code, complaint.lines().count()), (1, 1), "{arguments:?}: {complaint}");
        assert!(complaint.starts_with("second-look: "), "{complaint}");
        complaint
    }

    /// Starts its screen.
    pub fn screen(&self, arguments: &[&str], columns: u16, rows: u16) -> Terminal {
        Terminal::start(env!("CARGO_BIN_EXE_second-look"), arguments, &self.environment, columns, rows)
    }
}
