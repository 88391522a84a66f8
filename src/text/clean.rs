//! Makes untrusted text safe and honest: control, invisible and bidirectional characters become visible marks.

use std::fmt;

/// Text that holds no character which could act on a terminal or hide itself.
///
/// Tabs stay (the screen turns them into tab stops); line feeds stay only in [`clean_prose`].
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clean(String);

impl Clean {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The text, owned.
    pub fn into_string(self) -> String {
        self.0
    }
}

impl fmt::Display for Clean {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for Clean {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// Cleans one line. A line feed is shown as a mark too, so the result is always one line.
pub fn clean(text: &str) -> Clean {
    if text.chars().all(|c| c == '\t' || !needs_mark(c)) {
        return Clean(text.to_owned());
    }
    let mut out = String::with_capacity(text.len() + 16);
    text.chars().for_each(|c| push(&mut out, c));
    Clean(out)
}

/// Cleans one line of bytes; a byte that is no UTF-8 is shown as `<FF>`, its value in hexadecimal.
pub fn clean_bytes(bytes: &[u8]) -> Clean {
    let mut out = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        chunk.valid().chars().for_each(|c| push(&mut out, c));
        for byte in chunk.invalid() {
            out.push_str(&format!("<{byte:02X}>"));
        }
    }
    Clean(out)
}

/// Cleans a text of several lines: line feeds stay, a carriage return before one goes with it.
pub fn clean_prose(text: &str) -> Clean {
    let lines: Vec<String> =
        text.split('\n').map(|line| clean(line.strip_suffix('\r').unwrap_or(line)).into_string()).collect();
    Clean(lines.join("\n"))
}

fn push(out: &mut String, c: char) {
    match c {
        '\t' => out.push('\t'),
        // Caret notation, as vim and less show them.
        '\0'..='\x1f' => {
            out.push('^');
            out.push(char::from(c as u8 + 0x40));
        }
        '\x7f' => out.push_str("^?"),
        c if needs_mark(c) => out.push_str(&format!("<U+{:04X}>", c as u32)),
        c => out.push(c),
    }
}

/// Whether a character acts on terminals or cannot be seen: C0 and C1 controls, bidirectional controls,
/// zero-width and other invisible characters, odd separators, variation selectors but the one of emoji, private and unassigned tags, Hangul fillers.
pub fn needs_mark(c: char) -> bool {
    matches!(c,
        '\0'..='\x1f' | '\x7f'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{fe00}'..='\u{fe0e}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shows_what_would_act_or_hide() {
        assert_eq!(clean("a\x1b[31mb\x07").as_str(), "a^[[31mb^G");
        assert_eq!(clean("x\u{202e}y\u{200b}z").as_str(), "x<U+202E>y<U+200B>z");
        assert_eq!(clean("a\nb\r").as_str(), "a^Jb^M");
        assert_eq!(clean("c1 \u{9b}2J").as_str(), "c1 <U+009B>2J");
        assert_eq!(clean_bytes(b"caf\xe9\tx").as_str(), "caf<E9>\tx");
        assert_eq!(clean_prose("one\r\ntwo\rthree").as_str(), "one\ntwo^Mthree");
    }

    #[test]
    fn leaves_ordinary_text_alone() {
        for text in ["plain", "tab\there", "naïve 日本語 👩‍", "e\u{301}"] {
            let expected = text.replace('\u{200d}', "<U+200D>");
            assert_eq!(clean(text).as_str(), expected);
        }
    }

    proptest! {
        #[test]
        fn cleaning_twice_is_cleaning_once(text in any::<String>()) {
            let once = clean(&text);
            prop_assert_eq!(clean(once.as_str()), once.clone());
            prop_assert!(once.as_str().chars().all(|c| c == '\t' || !needs_mark(c)));
        }

        #[test]
        fn any_bytes_become_clean(bytes in any::<Vec<u8>>()) {
            let shown = clean_bytes(&bytes);
            prop_assert_eq!(clean(shown.as_str()), shown.clone());
        }
    }
}
