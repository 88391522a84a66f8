//! The line the reviewer types into at the bottom of the screen.

use crossterm::event::KeyCode;
use unicode_segmentation::UnicodeSegmentation;

use super::keys::Key;

/// Most bytes that are taken.
const LIMIT: usize = 1000;

/// A text being typed. The cursor stands at its end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Prompt {
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
                    self.paste(c.encode_utf8(&mut [0; 4]));
                }
            }
        }
        Typed::More
    }

    /// Takes the first line of a pasted text.
    pub fn paste(&mut self, text: &str) {
        let line = text.lines().next().unwrap_or("");
        for c in line.chars() {
            if self.text.len() + c.len_utf8() <= LIMIT {
                self.text.push(c);
            }
        }
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
}
