//! Everything that vouches for a name of one answer: the change and the facts, and what was asked and cited.

use std::cell::OnceCell;

use super::Shown;
use crate::ask::check::{Judged, citation, described};
use crate::ask::code::identifiers;
use crate::ask::facts::last_segment;
use crate::ask::head;
use crate::ask::question::Cites;
use crate::ask::subject::Subject;
use crate::change::syntax::declarations;
use crate::change::{Place, Side, Text};

/// Lines of a declaration among which its name is looked for.
const DECLARED: u32 = 40;

/// What vouches. A name that is joined of several words is known where one of its sources writes it so.
pub struct Known<'a> {
    sources: Vec<&'a Shown>,
    /// The subject, where paths of the head count.
    head: Option<&'a Subject>,
    paths: OnceCell<Vec<String>>,
}

/// What an answer itself makes known: the words it was asked about, the lines it cites, what it quotes of the description.
pub fn vouching(judged: &Judged<'_>) -> Shown {
    let (mut texts, mut paths) = (judged.subject.about.words(), Vec::new());
    texts.extend(described::held(judged));
    if judged.cites == Cites::Head {
        for citation in &judged.candidate.citations {
            let Ok(held) = citation::held(judged, citation) else { continue };
            let place = held.place;
            paths.push(place.path.shown().into_string());
            if place.side == Side::Head
                && let Ok(text) = head::text(judged.subject, &place.path)
            {
                texts.extend((place.line..=place.end_line).filter_map(|line| head::line(&text, line)));
                texts.extend(around(judged, &text, &place));
            }
        }
    }
    Shown::of(texts.iter().map(String::as_str), paths.iter().map(String::as_str))
}

/// The lines that declare what a cited line stands in, as far as they were given to read: who cites a call in a test
/// may name the test.
fn around(judged: &Judged<'_>, text: &Text, place: &Place) -> Vec<String> {
    let declarations = declarations(&place.path, text).unwrap_or_default();
    let holding = declarations.iter().filter(|found| (found.lines.0..=found.lines.1).contains(&place.line));
    let named = holding.filter_map(|found| {
        let name = last_segment(&found.name);
        let (first, last) = found.declaration_lines;
        let line = (first..=last.min(first.saturating_add(DECLARED))).find(|line| {
            let shown = head::line(text, *line).unwrap_or_default();
            identifiers(&shown).any(|word| word == name)
        })?;
        let given = judged.given.has(&Place { line, end_line: line, ..place.clone() });
        given.then(|| head::line(text, line)).flatten()
    });
    named.collect()
}

impl<'a> Known<'a> {
    /// The change and the facts alone.
    pub fn alone(shown: &'a Shown) -> Self {
        Self { sources: vec![shown], head: None, paths: OnceCell::new() }
    }

    /// The same with what an answer itself makes known.
    pub fn of(judged: &Judged<'a>, vouching: &'a Shown) -> Self {
        let head = (judged.cites == Cites::Head).then_some(judged.subject);
        Self { sources: vec![&judged.subject.shown, vouching], head, paths: OnceCell::new() }
    }

    /// Whether cited lines and paths of the head count.
    pub fn has_head(&self) -> bool {
        self.head.is_some()
    }

    /// Whether every line of the change was read.
    pub fn complete(&self) -> bool {
        self.sources.iter().all(|shown| shown.complete())
    }

    /// Whether a whole identifier or number is known.
    pub fn has_identifier(&self, word: &str) -> bool {
        self.sources.iter().any(|shown| shown.has_identifier(word))
    }

    /// Whether a name is known with its identifiers joined as they are here.
    pub fn has_chain(&self, chain: &[&str]) -> bool {
        self.sources.iter().any(|shown| shown.has_chain(chain))
    }

    /// Whether a hyphenated word is known.
    pub fn has_hyphenated(&self, word: &str) -> bool {
        self.sources.iter().any(|shown| shown.has_hyphenated(word))
    }

    /// Whether a path exists, in the change or, where that counts, at the head.
    pub fn has_path(&self, path: &str) -> bool {
        self.sources.iter().any(|shown| shown.has_path(path)) || self.is_at_the_head(path)
    }

    /// Whether a path begins with a folder that a known path begins with.
    pub fn starts_like_a_path(&self, path: &str) -> bool {
        self.sources.iter().any(|shown| shown.starts_like_a_path(path))
    }

    /// Whether a line writes this token, which holds a slash.
    pub fn has_written(&self, token: &str) -> bool {
        self.sources.iter().any(|shown| shown.has_written(token))
    }

    /// Whether the title or the description has this word.
    pub fn has_prose(&self, word: &str) -> bool {
        self.sources.iter().any(|shown| shown.has_prose(word))
    }

    /// Whether the head has such a file or folder, by its whole path or its last segments.
    fn is_at_the_head(&self, path: &str) -> bool {
        let Some(subject) = self.head else { return false };
        let wanted = format!("/{}/", path.trim_start_matches("./").trim_matches('/'));
        let all = self.paths.get_or_init(|| {
            let entries = subject.reading.change.trees.entries(Side::Head).unwrap_or_default();
            entries.iter().map(|entry| format!("/{}/", entry.path.shown())).collect()
        });
        wanted.len() > 2 && all.iter().any(|known| known.contains(&wanted))
    }
}
