//! What git itself says a change is: `git diff -U3` of two commits, read line by line.

use std::path::Path;
use std::process::Command;

/// A file as git prints it.
#[derive(Debug, PartialEq, Eq)]
pub struct File {
    pub path: Vec<u8>,
    pub hunks: Vec<Hunk>,
    pub base_lacks_newline: bool,
    pub head_lacks_newline: bool,
}

/// Where a hunk starts and how many lines it has on each side, and its lines.
#[derive(Debug, PartialEq, Eq)]
pub struct Hunk {
    pub base: (u64, u64),
    pub head: (u64, u64),
    pub lines: Vec<Line>,
}

/// A line with its numbers and its bytes without the line feed.
#[derive(Debug, PartialEq, Eq)]
pub struct Line {
    pub kind: &'static str,
    pub base: Option<u64>,
    pub head: Option<u64>,
    pub text: Vec<u8>,
}

/// The files that differ between two commits of a repository, in git's order.
pub fn files(repository: &Path, base: &str, head: &str) -> Vec<File> {
    let names = git(repository, &["diff", "--name-only", "-z", "-M50%", "-l0", base, head]);
    let patch =
        git(repository, &["diff", "-U3", "-M50%", "-l0", "--no-color", "--no-ext-diff", "--no-textconv", base, head]);
    let mut lines =
        patch.split_inclusive(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\n").unwrap_or(line)).peekable();
    let mut files = Vec::new();
    for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let mut file =
            File { path: name.to_vec(), hunks: Vec::new(), base_lacks_newline: false, head_lacks_newline: false };
        assert!(lines.next().unwrap().starts_with(b"diff --git "));
        while let Some(line) = lines.next_if(|line| !line.starts_with(b"diff --git ")) {
            if let Some(header) = line.strip_prefix(b"@@ ") {
                let hunk = hunk(&String::from_utf8_lossy(header), &mut file, &mut lines);
                file.hunks.push(hunk);
            }
        }
        files.push(file);
    }
    assert_eq!(lines.next(), None);
    files
}

fn hunk<'p>(header: &str, file: &mut File, lines: &mut std::iter::Peekable<impl Iterator<Item = &'p [u8]>>) -> Hunk {
    let mut spans = header.split(' ').map(|span| {
        let (start, count) = span[1..].split_once(',').unwrap_or((&span[1..], "1"));
        (start.parse().unwrap(), count.parse().unwrap())
    });
    let (base, head): ((u64, u64), (u64, u64)) = (spans.next().unwrap(), spans.next().unwrap());
    let mut hunk = Hunk { base, head, lines: Vec::new() };
    // Git gives the line before an empty side.
    let (mut at, mut to) = ((base.0.max(1), head.0.max(1)), (0, 0));
    loop {
        if let Some(line) = hunk.lines.last().filter(|_| lines.next_if(|line| line.starts_with(b"\\ ")).is_some()) {
            file.base_lacks_newline |= line.base.is_some();
            file.head_lacks_newline |= line.head.is_some();
        }
        if to == (base.1, head.1) {
            return hunk;
        }
        let (sign, text) = lines.next().unwrap().split_first().unwrap();
        let (kind, base, head) = match sign {
            b'+' => ("addition", None, Some(at.1)),
            b'-' => ("deletion", Some(at.0), None),
            _ => ("context", Some(at.0), Some(at.1)),
        };
        let (more_base, more_head) = (u64::from(base.is_some()), u64::from(head.is_some()));
        at = (at.0 + more_base, at.1 + more_head);
        to = (to.0 + more_base, to.1 + more_head);
        hunk.lines.push(Line { kind, base, head, text: text.to_vec() });
    }
}

fn git(repository: &Path, arguments: &[&str]) -> Vec<u8> {
    let mut command = Command::new("git");
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let output = command.arg("-C").arg(repository).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}
