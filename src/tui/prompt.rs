//! The line the reviewer types into at the bottom of the screen.

use crossterm::event::KeyCode;
use unicode_segmentation::UnicodeSegmentation;

use super::keys::Key;
use crate::ask::Wanted;
use crate::change::parts::ContentKey;

/// Most characters that are taken.
pub const LIMIT: usize = 1000;

/// What a text is typed for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Purpose {
    /// To be searched for.
    #[default]
    Search,
    /// To be asked.
    Question {
        /// The ask's name.
        kind: &'static str,
        /// The part it is about.
        part: ContentKey,
        /// What was picked beside the part.
        wanted: Wanted,
        /// What it is about, in words.
        about: String,
    },
}

/// A text being typed. The cursor stands at its end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prompt {
    /// What it is typed for.
    pub purpose: Purpose,
    /// What was typed so far.
    pub text: String,
}

/// What a key did to a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Typed {
    /// It goes on.
    More,
    /// It is done.
    Done,
    /// It was given up.
    GivenUp,
}

impl Prompt {
    /// Takes a key.
    pub fn key(&mut self, key: Key) -> Typed {
        match (key.code, key.ctrl) {
            (KeyCode::Enter, _) => return Typed::Done,
            (KeyCode::Esc, _) => return Typed::GivenUp,
            (KeyCode::Backspace, _) if self.text.is_empty() => return Typed::GivenUp,
            (KeyCode::Backspace, _) | (KeyCode::Char('h'), true) => {
                let end = self.text.grapheme_indices(true).next_back().map_or(0, |(at, _)| at);
                self.text.truncate(end);
            }
            (KeyCode::Char('u'), true) => self.text.clear(),
            (KeyCode::Char('w'), true) => {
                let kept = self.text.trim_end().rfind(char::is_whitespace).map_or(0, |at| at + 1);
                self.text.truncate(kept);
            }
            _ => {
                if let Some(c) = key.typed() {
                    self.take(std::iter::once(c));
                }
            }
        }
        Typed::More
    }

    /// Takes a pasted text: to search for, its first line; to ask, all of it on one line.
    pub fn paste(&mut self, text: &str) {
        match self.purpose {
            Purpose::Search => self.take(text.lines().next().unwrap_or("").chars()),
            Purpose::Question { .. } => {
                let words: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
                self.take(words.join(" ").chars());
            }
        }
    }

    fn take(&mut self, chars: impl Iterator<Item = char>) {
        let room = LIMIT.saturating_sub(self.text.chars().count());
        self.text.extend(chars.take(room));
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn edits_by_grapheme_and_word() {
        let mut prompt = Prompt::default();
        prompt.paste("two words e\u{301}\nsecond line");
        assert_eq!(prompt.text, "two words e\u{301}");
        let key = |text| Key::parse(text).unwrap();
        assert_eq!(prompt.key(key("Backspace")), Typed::More);
        assert_eq!(prompt.text, "two words ");
        prompt.key(key("ctrl-w"));
        assert_eq!(prompt.text, "two ");
        prompt.key(key("x"));
        assert_eq!(prompt.key(key("Enter")), Typed::Done);
        assert_eq!(prompt.text, "two x");
        prompt.key(key("ctrl-u"));
        assert_eq!(prompt.key(key("Backspace")), Typed::GivenUp);
    }

    #[test]
    fn a_question_is_one_line_of_a_thousand_characters() {
        let (kind, part) = ("question", ContentKey("k".to_owned()));
        let purpose = Purpose::Question { kind, part, wanted: Wanted::default(), about: String::new() };
        let mut prompt = Prompt { purpose, text: String::new() };
        prompt.paste("is it\n\n  safe?\r\n");
        assert_eq!(prompt.text, "is it safe?");
        prompt.paste(&"語".repeat(2000));
        assert_eq!(prompt.text.chars().count(), LIMIT);
        prompt.key(Key::parse("x").unwrap());
        assert_eq!(prompt.text.chars().count(), LIMIT);
    }
}
