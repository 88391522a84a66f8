//! The second fence, on Linux: the kernel refuses an agent program every file that is not its own (Landlock).
//!
//! This program restricts itself and then becomes the agent program (`second-look fence`). The fence is one of files:
//! what the network gives is not its business. Used only where the program was seen to be the same inside it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::problem::Problem;

/// Its name in a stamp.
pub const NAME: &str = "the kernel's (Landlock)";

/// What every program reads: the system's programs, libraries, settings and devices. None of it is the reviewer's.
const SYSTEM: [&str; 16] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc",
    "/proc",
    "/sys",
    "/dev",
    "/nix/store",
    "/run/systemd/resolve",
    "/run/resolvconf",
    "/run/NetworkManager",
    "/run/current-system",
    "/run/nscd",
];

/// What every program may write.
const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/shm", "/dev/ptmx"];

/// Variables that name a file or a folder of certificates.
const CERTIFICATES: [&str; 6] =
    ["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "NIX_SSL_CERT_FILE", "CURL_CA_BUNDLE", "AWS_CA_BUNDLE"];

/// Variables that say that the reviewer is signed in by files of another program, which stay outside.
const ELSEWHERE: [&str; 7] = [
    "AWS_PROFILE",
    "AWS_CONFIG_FILE",
    "AWS_SHARED_CREDENTIALS_FILE",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    "CLAUDE_CODE_USE_FOUNDRY",
];

/// What a program may read and write.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Fence {
    /// Files and folders it may read and run.
    pub read: Vec<PathBuf>,
    /// Files and folders it may change too.
    pub write: Vec<PathBuf>,
}

impl Fence {
    /// The fence of a program at a path, whose own files are `state`. None where no such fence can be made.
    pub fn around(program: &Path, state: Vec<PathBuf>, environment: &[(OsString, OsString)]) -> Option<Self> {
        let value = |name: &str| environment.iter().find(|(known, _)| known == name).map(|(_, value)| value);
        if !cfg!(target_os = "linux") || ELSEWHERE.iter().any(|name| value(name).is_some()) {
            return None;
        }
        let mut read: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
        read.extend(CERTIFICATES.iter().filter_map(|name| value(name).map(PathBuf::from)));
        read.push(std::env::current_exe().ok()?);
        let real = std::fs::canonicalize(program).ok()?;
        let search = value("PATH").cloned().unwrap_or_default();
        read.extend(interpreter(&real, &search));
        read.push(package(&real));
        let write = DEVICES.iter().map(PathBuf::from).chain(state).collect();
        Some(Self { read, write })
    }

    /// The command that runs a program inside, in the folder of a run.
    pub fn command(&self, run: &Path, program: &Path, arguments: &[OsString]) -> Option<(PathBuf, Vec<OsString>)> {
        let mut all: Vec<OsString> = vec!["fence".into()];
        all.extend(self.read.iter().flat_map(|path| ["--read".into(), path.into()]));
        let write = self.write.iter().map(PathBuf::as_path).chain([run]);
        all.extend(write.flat_map(|path| ["--write".into(), path.into()]));
        all.extend(["--".into(), program.into()]);
        all.extend(arguments.iter().cloned());
        Some((std::env::current_exe().ok()?, all))
    }
}

/// The folder that a program came in: the outermost of its packages, or where it lies.
fn package(real: &Path) -> PathBuf {
    let outermost = real.ancestors().filter(|folder| folder.ends_with("node_modules")).last();
    outermost.or_else(|| real.parent()).unwrap_or(real).to_owned()
}

/// The program that runs a script, with what came with it.
fn interpreter(script: &Path, search: &std::ffi::OsStr) -> Option<PathBuf> {
    use std::io::Read as _;
    let mut start = Vec::new();
    std::fs::File::open(script).ok()?.take(200).read_to_end(&mut start).ok()?;
    let line = start.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let words = String::from_utf8_lossy(line).into_owned();
    let mut words = words.split_whitespace();
    let program = PathBuf::from(words.next()?);
    let found = match program.file_name()?.to_str()? {
        "env" => {
            let name = words.find(|word| !word.starts_with('-'))?;
            std::env::split_paths(search).map(|folder| folder.join(name)).find(|path| path.is_file())?
        }
        _ => program,
    };
    let real = std::fs::canonicalize(found).ok()?;
    let folder = real.parent()?;
    // `PREFIX/bin/node` needs what lies beside `bin`.
    let own = if folder.ends_with("bin") { folder.parent()? } else { folder };
    (own.components().count() > 1).then(|| own.to_owned())
}

/// Restricts this thread to a fence and becomes a program. Comes back only where that fails.
pub fn run_inside(fence: &Fence, program: &Path, arguments: &[OsString]) -> Problem {
    if let Err(why) = enter(fence) {
        return Problem::new(format!("the kernel makes no fence: {why}"));
    }
    become_program(program, arguments)
}

#[cfg(unix)]
fn become_program(program: &Path, arguments: &[OsString]) -> Problem {
    let error = std::os::unix::process::CommandExt::exec(std::process::Command::new(program).args(arguments));
    Problem::new(format!("`{}` cannot be started: {error}", program.display()))
}

#[cfg(not(unix))]
fn become_program(program: &Path, _: &[OsString]) -> Problem {
    Problem::new(format!("`{}` cannot be started in a fence here", program.display()))
}

#[cfg(target_os = "linux")]
fn enter(fence: &Fence) -> Result<(), String> {
    use landlock::{
        ABI, Access, AccessFs, Ruleset, RulesetAttr, RulesetCreatedAttr, RulesetStatus, Scope, path_beneath_rules,
    };
    // A newer set would also refuse sockets by their path, which some sign-ins need.
    let (all, read) = (AccessFs::from_all(ABI::V7), AccessFs::from_read(ABI::V7));
    let made = Ruleset::default()
        .handle_access(all)
        .and_then(|rules| rules.scope(Scope::Signal))
        .and_then(|rules| rules.create())
        .and_then(|rules| rules.add_rules(path_beneath_rules(&fence.read, read)))
        .and_then(|rules| rules.add_rules(path_beneath_rules(&fence.write, all)))
        .and_then(|rules| rules.restrict_self());
    match made {
        Ok(status) if status.ruleset == RulesetStatus::NotEnforced => Err("it has no Landlock".to_owned()),
        Ok(_) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(not(target_os = "linux"))]
fn enter(_: &Fence) -> Result<(), String> {
    Err("only Linux has one".to_owned())
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_taken_whole() {
        for (program, expected) in [
            ("/opt/claude/claude", "/opt/claude"),
            ("/opt/n/node_modules/@x/codex/bin/codex.js", "/opt/n/node_modules"),
            ("/n/node_modules/a/node_modules/b/cli.js", "/n/node_modules"),
        ] {
            assert_eq!(package(Path::new(program)), Path::new(expected));
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_fence_names_the_interpreter_and_nothing_of_the_reviewers() {
        let folder = tempfile::tempdir().unwrap();
        let root = std::fs::canonicalize(folder.path()).unwrap();
        std::fs::create_dir_all(root.join("node/bin")).unwrap();
        std::fs::write(root.join("node/bin/node"), "").unwrap();
        std::fs::create_dir(root.join("tool")).unwrap();
        std::fs::write(root.join("tool/pi"), "#!/usr/bin/env node\n").unwrap();
        let environment = vec![("PATH".into(), root.join("node/bin").into_os_string())];
        let fence = Fence::around(&root.join("tool/pi"), vec![root.join("state")], &environment).unwrap();
        assert!(fence.read.contains(&root.join("node")) && fence.read.contains(&root.join("tool")));
        assert!(fence.write.contains(&root.join("state")));
        assert!(!fence.read.iter().chain(&fence.write).any(|path| root.starts_with(path)));
        let bedrock = vec![("CLAUDE_CODE_USE_BEDROCK".into(), "1".into())];
        assert_eq!(Fence::around(&root.join("tool/pi"), vec![], &bedrock), None);
    }
}
