//! Cuts the hunks of one file with git's own diff, so that they equal what GitHub shows.

use git2::{DiffOptions, Patch};
use sha2::{Digest, Sha256};

use super::{CONTEXT_LINES, FileDiff, Hunk, LineKind, Run};
use crate::change::Texts;

/// Diffs the two sides of a file. A side that does not exist counts as empty.
///
/// Three lines of context, indent heuristic, renames already known. Never fails: what libgit2 cannot
/// diff comes back without hunks and with the reason in `not_read`.
pub fn diff(texts: &Texts) -> FileDiff {
    let base = texts.base.as_ref().map_or(b"".as_slice(), |text| text.bytes());
    let head = texts.head.as_ref().map_or(b"".as_slice(), |text| text.bytes());
    let mut file = FileDiff {
        base_lacks_newline: texts.base.as_ref().is_some_and(|text| !text.ends_with_newline()),
        head_lacks_newline: texts.head.as_ref().is_some_and(|text| !text.ends_with_newline()),
        ..FileDiff::default()
    };
    if looks_binary(base) || looks_binary(head) {
        return FileDiff { binary: true, ..FileDiff::default() };
    }
    if base == head {
        return file;
    }
    let mut options = DiffOptions::new();
    options.context_lines(CONTEXT_LINES).indent_heuristic(true).max_size(i64::MAX);
    match Patch::from_buffers(base, None, head, None, Some(&mut options)) {
        Err(error) => file.not_read = Some(format!("git's diff failed: {}", error.message())),
        Ok(patch) => {
            file.binary = patch.delta().flags().is_binary();
            if !file.binary {
                fill(&mut file, &patch, texts);
            }
        }
    }
    file
}

/// Diffs a file that became another kind of thing, as git shows it: all of the base deleted, all of the head added.
pub fn replacement(texts: &Texts) -> FileDiff {
    let gone = diff(&Texts { base: texts.base.clone(), head: None });
    let mut came = diff(&Texts { base: None, head: texts.head.clone() });
    if gone.binary || came.binary {
        return FileDiff { binary: true, ..FileDiff::default() };
    }
    // What came stands after what is gone, so that the hunks follow each other on both sides.
    let end = gone.hunks.last().map_or(1, |hunk| hunk.base.end);
    for hunk in &mut came.hunks {
        hunk.base = end..end;
        hunk.runs.iter_mut().for_each(|run| run.base_line = end);
    }
    FileDiff {
        binary: false,
        additions: came.additions,
        deletions: gone.deletions,
        base_lacks_newline: gone.base_lacks_newline,
        head_lacks_newline: came.head_lacks_newline,
        not_read: gone.not_read.or(came.not_read),
        hunks: gone.hunks.into_iter().chain(came.hunks).collect(),
    }
}

/// Git's own rule: a NUL within the first 8000 bytes.
fn looks_binary(bytes: &[u8]) -> bool {
    bytes[..bytes.len().min(8000)].contains(&0)
}

fn fill(file: &mut FileDiff, patch: &Patch<'_>, texts: &Texts) {
    for at in 0..patch.num_hunks() {
        match read_hunk(patch, at, texts) {
            Ok(hunk) => {
                file.additions += hunk.count(LineKind::Addition);
                file.deletions += hunk.count(LineKind::Deletion);
                file.hunks.push(hunk);
            }
            Err(error) => file.not_read = Some(format!("git's diff failed: {}", error.message())),
        }
    }
}

fn read_hunk(patch: &Patch<'_>, at: usize, texts: &Texts) -> Result<Hunk, git2::Error> {
    let (header, lines) = patch.hunk(at)?;
    let mut runs: Vec<Run> = Vec::new();
    let mut digest = Sha256::new();
    // An empty side is said to start at the line before it; the ranges here start at the line after.
    let first = |start: u32, count: u32| if count == 0 { start + 1 } else { start };
    let (mut base_line, mut head_line) =
        (first(header.old_start(), header.old_lines()), first(header.new_start(), header.new_lines()));
    let (base_start, head_start) = (base_line, head_line);
    for number in 0..lines {
        let line = patch.line_in_hunk(at, number)?;
        let kind = match line.origin() {
            ' ' => LineKind::Context,
            '-' => LineKind::Deletion,
            '+' => LineKind::Addition,
            // The marks for a missing final newline are no lines of the file.
            _ => continue,
        };
        if kind != LineKind::Context {
            digest.update([kind.sign() as u8]);
            let content = texts.line(kind, base_line, head_line);
            digest.update((content.len() as u64).to_le_bytes());
            digest.update(content);
        }
        match runs.last_mut() {
            Some(run) if run.kind == kind => run.count += 1,
            _ => runs.push(Run { kind, base_line, head_line, count: 1 }),
        }
        base_line += u32::from(kind != LineKind::Addition);
        head_line += u32::from(kind != LineKind::Deletion);
    }
    Ok(Hunk {
        base: base_start..base_line,
        head: head_start..head_line,
        heading: heading(header.header()),
        runs,
        digest: digest.finalize().into(),
    })
}

/// What follows the second `@@` of a header.
fn heading(header: &[u8]) -> Vec<u8> {
    let Some(at) = header.windows(4).position(|four| four == b" @@ ") else { return Vec::new() };
    header[at + 4..].trim_ascii_end().to_vec()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::Text;
    use proptest::prelude::*;

    fn texts(base: &str, head: &str) -> Texts {
        Texts { base: Some(Text::from(base)), head: Some(Text::from(head)) }
    }

    /// The lines a hunk stream gives for the head when applied to the base.
    fn applied(texts: &Texts, file: &FileDiff) -> Vec<Vec<u8>> {
        let base = texts.base.clone().unwrap_or_else(|| Text::from(""));
        let mut out = Vec::new();
        let mut next = 1;
        for hunk in &file.hunks {
            (next..hunk.base.start).for_each(|n| out.push(base.line(n).unwrap_or_default().to_vec()));
            for line in hunk.lines().filter(|line| line.kind != LineKind::Deletion) {
                out.push(texts.line(line.kind, line.base_line, line.head_line).to_vec());
            }
            next = hunk.base.end;
        }
        (next..=base.lines()).for_each(|n| out.push(base.line(n).unwrap_or_default().to_vec()));
        out
    }

    #[test]
    fn numbers_lines_of_both_sides() {
        let file = diff(&texts("a\nb\nc\n", "a\nB\nc\nd\n"));
        let lines: Vec<_> = file.hunks[0].lines().map(|l| (l.kind.sign(), l.base_line, l.head_line)).collect();
        assert_eq!(lines, [(' ', 1, 1), ('-', 2, 0), ('+', 0, 2), (' ', 3, 3), ('+', 0, 4)]);
        assert_eq!((file.additions, file.deletions), (2, 1));
        assert_eq!(file.hunks[0].header(), "@@ -1,3 +1,4 @@");
    }

    #[test]
    fn an_added_file_starts_at_line_one() {
        let file = diff(&Texts { base: None, head: Some(Text::from("x\ny")) });
        assert_eq!(file.hunks[0].header(), "@@ -0,0 +1,2 @@");
        assert_eq!(file.hunks[0].lines().map(|l| l.head_line).collect::<Vec<_>>(), [1, 2]);
        assert!(file.head_lacks_newline);
    }

    #[test]
    fn what_became_another_kind_of_thing_is_replaced_whole() {
        let file = replacement(&texts("same\nold\n", "same"));
        let headers: Vec<String> = file.hunks.iter().map(Hunk::header).collect();
        assert_eq!(headers, ["@@ -1,2 +0,0 @@", "@@ -2,0 +1 @@"]);
        assert_eq!((file.additions, file.deletions), (1, 2));
        assert!(!file.base_lacks_newline && file.head_lacks_newline);
    }

    #[test]
    fn a_missing_newline_is_a_change_of_its_line() {
        let file = diff(&texts("a\nb", "a\nb\n"));
        assert_eq!((file.additions, file.deletions), (1, 1));
        assert!(file.base_lacks_newline && !file.head_lacks_newline);
    }

    #[test]
    fn a_nul_after_the_first_8000_bytes_is_text() {
        let late = format!("{}\0x\n", "a".repeat(9000));
        assert!(!diff(&texts("", &late)).binary);
        let binary = diff(&texts("", "a\0b"));
        assert!(binary.binary && !binary.head_lacks_newline);
    }

    #[test]
    fn equal_edits_have_equal_digests_wherever_they_stand() {
        let one = diff(&texts("a\nb\n", "a\nX\n"));
        let two = diff(&texts("0\na\nb\n", "0\na\nX\n"));
        assert_eq!(one.hunks[0].digest, two.hunks[0].digest);
    }

    proptest! {
        #[test]
        fn applying_the_diff_to_the_base_gives_the_head(
            base in proptest::collection::vec("[ab]{0,2}\r?", 0..30),
            head in proptest::collection::vec("[ab]{0,2}\r?", 0..30),
            base_end in any::<bool>(), head_end in any::<bool>(),
        ) {
            let join = |lines: &[String], end: bool| format!("{}{}", lines.join("\n"), if end { "\n" } else { "" });
            let texts = texts(&join(&base, base_end), &join(&head, head_end));
            let file = diff(&texts);
            let head = texts.head.clone().unwrap_or_else(|| Text::from(""));
            let expected: Vec<_> = (1..=head.lines()).map(|n| head.line(n).unwrap_or_default().to_vec()).collect();
            prop_assert_eq!(applied(&texts, &file), expected);
        }
    }
}
