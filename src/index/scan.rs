//! Looks at one text: which of the wanted names stand in it as whole identifiers.

use std::collections::{BTreeSet, HashMap};

use crate::change::Text;

/// Names in the form in which a text is compared with them.
pub(super) struct Wanted<'a> {
    names: Vec<&'a str>,
    positions: HashMap<&'a [u8], usize>,
    /// By first byte, the lengths of the names that begin with it, as bits; the last bit stands for all longer ones.
    /// Nearly every word of a text fails here, before it is hashed.
    lengths: [u64; 256],
}

impl<'a> Wanted<'a> {
    pub(super) fn new(names: &'a BTreeSet<String>) -> Self {
        let names: Vec<&str> = names.iter().map(String::as_str).filter(|name| !name.is_empty()).collect();
        let mut lengths = [0; 256];
        names.iter().for_each(|name| lengths[usize::from(name.as_bytes()[0])] |= length_bit(name.len()));
        let positions = names.iter().enumerate().map(|(at, name)| (name.as_bytes(), at)).collect();
        Self { names, positions, lengths }
    }

    pub(super) fn name(&self, position: usize) -> &'a str {
        self.names[position]
    }

    /// The position of a name; none for a word that is not wanted. A word is never empty.
    fn position(&self, word: &[u8]) -> Option<usize> {
        let may = self.lengths[usize::from(word[0])] & length_bit(word.len()) != 0;
        if may { self.positions.get(word).copied() } else { None }
    }

    /// The positions of the names that stand in a text, in order.
    pub(super) fn in_text(&self, bytes: &[u8]) -> Vec<usize> {
        let mut found = vec![false; self.names.len()];
        let mut left = found.len();
        for at in Words::of(bytes).filter_map(|word| self.position(word)) {
            left -= usize::from(!found[at]);
            found[at] = true;
            if left == 0 {
                break;
            }
        }
        (0..found.len()).filter(|at| found[*at]).collect()
    }
}

/// The lines of a text on which names stand, with the name, in order; a name counts once a line.
pub fn lines_naming(text: &Text, names: &BTreeSet<String>) -> Vec<(u32, String)> {
    let wanted = Wanted::new(names);
    let of_line = |number| {
        let found = wanted.in_text(text.line(number).unwrap_or_default());
        found.into_iter().map(move |at| (number, at))
    };
    (1..=text.lines()).flat_map(of_line).map(|(number, at)| (number, wanted.name(at).to_owned())).collect()
}

fn length_bit(length: usize) -> u64 {
    1 << length.min(63)
}

/// What a byte means to a word.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    /// An ASCII character that ends a word.
    Ends,
    /// An ASCII letter or digit, `_` or `$`.
    Inside,
    /// A byte of something else, which has to be decoded first.
    Decode,
}

const CLASSES: [Class; 256] = {
    let mut classes = [Class::Decode; 256];
    let mut byte = 0;
    while byte < 128 {
        let inside = (byte as u8).is_ascii_alphanumeric() || byte as u8 == b'_' || byte as u8 == b'$';
        classes[byte] = if inside { Class::Inside } else { Class::Ends };
        byte += 1;
    }
    classes
};

/// The words of a text: runs of letters, digits, `_` and `$` of any script. A byte that is no UTF-8 ends a word.
struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Words<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    /// Bytes of the letter or digit beyond ASCII that stands here; 0 where something else does.
    fn letter(&self) -> usize {
        let ahead = &self.bytes[self.at..self.bytes.len().min(self.at + 4)];
        let first = ahead.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
        first.filter(|c| c.is_alphanumeric()).map_or(0, char::len_utf8)
    }

    /// Moves on over bytes of one class.
    fn skip(&mut self, class: Class) {
        let ahead = &self.bytes[self.at..];
        self.at += ahead.iter().position(|byte| CLASSES[usize::from(*byte)] != class).unwrap_or(ahead.len());
    }

    fn class(&self) -> Option<Class> {
        self.bytes.get(self.at).map(|byte| CLASSES[usize::from(*byte)])
    }
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            self.skip(Class::Ends);
            let start = self.at;
            loop {
                self.skip(Class::Inside);
                match self.class() {
                    Some(Class::Decode) => match self.letter() {
                        0 => break,
                        length => self.at += length,
                    },
                    _ => break,
                }
            }
            if self.at > start {
                return Some(&self.bytes[start..self.at]);
            }
            // Nothing is left, or a character that no word holds.
            self.class()?;
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn found(names: &[&str], text: &[u8]) -> Vec<String> {
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        let wanted = Wanted::new(&names);
        wanted.in_text(text).into_iter().map(|at| wanted.name(at).to_owned()).collect()
    }

    #[test]
    fn finds_whole_identifiers_only() {
        assert_eq!(found(&["close", "open"], b"pool.close(); reopen(); _open; open2; Open"), ["close"]);
        assert_eq!(found(&["$scope", "größe", "名前"], "$scope.größe = 名前;".as_bytes()), ["$scope", "größe", "名前"]);
        assert_eq!(found(&["scope"], b"$scope"), Vec::<String>::new());
        assert_eq!(found(&["a", "b"], b"a\xffb"), ["a", "b"]);
        assert_eq!(found(&[], b"a"), Vec::<String>::new());
    }

    #[test]
    fn says_on_which_lines() {
        let names = ["a", "b"].map(str::to_owned).into();
        let lines = lines_naming(&Text::from("a a\nc\nb(a)\n"), &names);
        assert_eq!(lines, [(1, "a".to_owned()), (3, "a".to_owned()), (3, "b".to_owned())]);
    }

    proptest! {
        #[test]
        fn words_are_what_splitting_the_text_gives(bytes in "[ab_$1é名 \\.\u{301}-]{0,20}", more in any::<Vec<u8>>()) {
            let bytes = [bytes.as_bytes(), &more, bytes.as_bytes()].concat();
            let inside = |c: char| if c.is_ascii() { c.is_ascii_alphanumeric() || c == '_' || c == '$' } else { c.is_alphanumeric() };
            let split = bytes.utf8_chunks().flat_map(|chunk| chunk.valid().split(move |c| !inside(c)));
            let expected: Vec<&[u8]> = split.filter(|word| !word.is_empty()).map(str::as_bytes).collect();
            prop_assert_eq!(Words::of(&bytes).collect::<Vec<_>>(), expected);
        }

        #[test]
        fn any_bytes_are_searched(bytes in any::<Vec<u8>>()) {
            let _ = found(&["a", "é"], &bytes);
        }
    }
}
