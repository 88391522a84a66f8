//! Lines that were edited, and keys that came or went.

use super::essay::{Essay, tick};
use super::marks::bare;
use super::notes::Notes;
use super::pairs::difference;
use crate::ask::code::key_value;
use crate::change::diff::LineKind;

/// Lines that were edited: a value, a condition, a word.
pub fn edits(essay: &mut Essay<'_>, notes: &Notes<'_>) {
    let before = essay.sentences();
    for pair in &notes.pairs {
        if essay.sentences() >= before + notes.edits_told {
            return;
        }
        let (base, head) =
            (essay.subject.lines[pair.base].text.as_str().trim(), essay.subject.lines[pair.head].text.as_str().trim());
        if let (Some((key, old)), Some((other, new))) = (key_value(base), key_value(head))
            && key == other
            && old != new
            && old.chars().count().max(new.chars().count()) <= 60
        {
            essay.state(format!("{} goes from {} to {}", tick(key), tick(old), tick(new)), Some(pair.head));
            continue;
        }
        if let Some(text) = edited(base, head) {
            essay.state(text, Some(pair.head));
        }
    }
}

/// How one line became another: what differs where that is the smaller part of it, else the two lines.
fn edited(base: &str, head: &str) -> Option<String> {
    let (old, new) = difference(base, head);
    let (old, new) = (old.trim_matches([',', ' ']), new.trim_matches([',', ' ']));
    let says = |text: &str| text.chars().any(char::is_alphanumeric);
    let silent = |text: &str| text.chars().all(|c| "()[]{},;: ".contains(c));
    if silent(old) && silent(new) {
        return None;
    }
    // A bracket that gives way to words is layout, not an edit that can be told in words.
    if (says(old) != says(new) && !old.is_empty() && !new.is_empty()) || head.starts_with("```") {
        return None;
    }
    let most = |part: &str, whole: &str| part.len() * 2 > whole.len();
    let (before, after) = (tick(bare(base)), tick(bare(head)));
    let whole = !balanced(old) || !balanced(new) || most(old, base) || most(new, head);
    if whole && before != after {
        return Some(format!("{before} becomes {after}"));
    }
    let (removed, added) = (tick(old), tick(new));
    match (old.is_empty(), new.is_empty()) {
        (false, false) if removed == added => None,
        (false, false) => Some(format!("In {after}, {removed} becomes {added}")),
        (true, false) => Some(format!("In {after}, {added} is new")),
        (false, true) => Some(format!("{removed} is dropped, which leaves {after}")),
        (true, true) => None,
    }
}

/// Whether every bracket of a text closes.
fn balanced(text: &str) -> bool {
    [('(', ')'), ('[', ']'), ('{', '}')]
        .iter()
        .all(|(open, close)| text.matches(*open).count() == text.matches(*close).count())
}

/// Keys that are set anew or no longer, where lines set keys outside of declarations.
pub fn values(essay: &mut Essay<'_>, notes: &Notes<'_>) {
    if !notes.entities.is_empty() {
        return;
    }
    for (kind, verb) in [(LineKind::Deletion, "is gone; it was"), (LineKind::Addition, "is new, set to")] {
        let set: Vec<(String, usize)> = lines_of(essay, notes, kind)
            .filter_map(|at| {
                let (key, value) = key_value(essay.subject.lines[at].text.as_str())?;
                Some((format!("{} {verb} {}", tick(key), tick(value)), at))
            })
            .collect();
        for (text, at) in set.into_iter().take(3) {
            essay.state(text, Some(at));
        }
    }
}

/// Changed lines of a kind that are no edit of another line.
pub fn lines_of<'n>(essay: &'n Essay<'_>, notes: &'n Notes<'_>, kind: LineKind) -> impl Iterator<Item = usize> + 'n {
    let paired = |line: usize| notes.pairs.iter().any(|pair| pair.base == line || pair.head == line);
    notes.changed.iter().copied().filter(move |at| essay.subject.lines[*at].kind == kind && !paired(*at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_an_edit_by_its_smaller_part() {
        let told = |base, head| edited(base, head).unwrap_or_default();
        assert_eq!(told("if n > max {", "if n >= max {"), "In `if n >= max`, `>` becomes `>=`");
        assert_eq!(told("f(a, b)", "f(a, b, timeout)"), "In `f(a, b, timeout)`, `timeout` is new");
        assert_eq!(
            told("assert.Panics(t, func() {", "assert.Nil(t, conn)"),
            "`assert.Panics(t, func()` becomes `assert.Nil(t, conn)`"
        );
        assert_eq!(told("if !ok {", "if ok {"), "`!` is dropped, which leaves `if ok`");
        assert_eq!(told("from a import (", "from a import b, c"), "");
        assert_eq!(told("for x in a {", "for x in a"), "");
    }
}
