//! What the change, the facts and cited lines show: identifiers, joined names and paths, collected once and bounded.

use std::collections::BTreeSet;

use crate::ask::code::{chains, hyphenated, identifiers, key_value};
use crate::ask::facts::Facts;
use crate::change::{PartLine, Reading, Side};
use crate::text::clean;

/// Bytes of line text that are read for names.
const BYTES: usize = 12 << 20;

/// Identifiers of one joined name that are read together; longer ones are read in overlapping pieces.
const JOINED: usize = 6;

/// The names and paths that the change and the facts show.
#[derive(Debug, Clone, Default)]
pub struct Shown {
    /// Whole identifiers and numbers.
    identifiers: BTreeSet<String>,
    /// Joined names, `.` between, with every piece of two or more segments; hyphenated words as they are.
    joined: BTreeSet<String>,
    /// Paths of the tree: changed files on both sides, and files that the facts name.
    paths: BTreeSet<String>,
    /// Tokens with a slash or an address, as lines write them.
    written: BTreeSet<String>,
    /// Words of the title and the description. They vouch for products named in prose, never for code.
    prose: BTreeSet<String>,
    /// Whether every line of every part was read.
    complete: bool,
}

impl Shown {
    /// Collects from the lines of parts (position and lines), the names of everything, and the facts.
    pub fn collect(reading: &Reading, parts: &[(usize, Vec<PartLine>)], facts: &Facts, complete: bool) -> Self {
        let mut shown = Self { complete, ..Self::default() };
        for file in &reading.change.files {
            for side in [Side::Base, Side::Head] {
                shown.path(file.path_on(side).shown().as_str());
            }
        }
        facts.paths().for_each(|path| shown.path(path.shown().as_str()));
        for part in &reading.parts {
            shown.names(part.part.name.as_str());
            for entity in &part.part.entities {
                shown.entity(clean(&entity.name).as_str(), reading, part);
            }
        }
        let mut left = BYTES;
        for (at, lines) in parts {
            let owner = owner(reading, *at);
            for line in lines {
                let text = line.text.as_str();
                if text.len() > left {
                    shown.complete = false;
                    break;
                }
                left -= text.len();
                shown.line(text, owner.as_deref());
            }
        }
        let about = &reading.change.facts;
        for text in [&about.title, &about.description] {
            shown.prose.extend(identifiers(clean(text).as_str()).map(str::to_owned));
        }
        shown
    }

    /// Names and paths of anything else that vouches for them: lines that are cited, words that were asked about.
    pub fn of<'t>(texts: impl IntoIterator<Item = &'t str>, paths: impl IntoIterator<Item = &'t str>) -> Self {
        let mut shown = Self { complete: true, ..Self::default() };
        texts.into_iter().flat_map(str::lines).for_each(|line| shown.line(line, None));
        paths.into_iter().for_each(|path| shown.path(path));
        shown
    }

    /// Whether every line of the change was read; if not, a name may be refused that an unread line shows.
    pub fn complete(&self) -> bool {
        self.complete
    }

    /// Whether a whole identifier or number is shown.
    pub fn has_identifier(&self, word: &str) -> bool {
        self.identifiers.contains(word)
    }

    /// Whether a name is shown with its identifiers joined as they are here.
    pub fn has_chain(&self, chain: &[&str]) -> bool {
        match chain {
            [] => true,
            [one] => self.has_identifier(one),
            many => many.windows(many.len().min(JOINED)).all(|piece| self.joined.contains(&piece.join("."))),
        }
    }

    /// Whether a hyphenated word is shown.
    pub fn has_hyphenated(&self, word: &str) -> bool {
        self.joined.contains(word)
    }

    /// Whether a path exists: a whole path, the end of one, or one of its folders, cut between segments.
    pub fn has_path(&self, path: &str) -> bool {
        let wanted = format!("/{}/", path.trim_start_matches("./").trim_matches('/'));
        wanted.len() > 2 && self.paths.iter().any(|known| format!("/{known}/").contains(&wanted))
    }

    /// Whether a path begins with a folder that a known path begins with.
    pub fn starts_like_a_path(&self, path: &str) -> bool {
        let first = path.split('/').next().unwrap_or_default();
        !first.is_empty() && self.paths.iter().any(|known| known.split_once('/').is_some_and(|(top, _)| top == first))
    }

    /// Whether a line writes this token, which holds a slash.
    pub fn has_written(&self, token: &str) -> bool {
        self.written.contains(token)
    }

    /// Whether the title or the description has this word.
    pub fn has_prose(&self, word: &str) -> bool {
        self.prose.contains(word)
    }

    fn path(&mut self, path: &str) {
        if self.paths.insert(path.to_owned()) {
            // Segments without extensions, joined, are how many languages name the file as a module.
            let stem = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
            self.names(&stem.replace('/', "."));
            self.names(path);
        }
    }

    fn entity(&mut self, name: &str, reading: &Reading, part: &crate::change::RankedPart) {
        self.names(name);
        for piece in &part.part.pieces {
            let path = reading.change.files[piece.file].path.shown();
            let file = path.as_str().rsplit('/').next().unwrap_or_default();
            let stem = file.split('.').next().unwrap_or_default();
            if !stem.is_empty() {
                self.names(&format!("{stem}.{name}"));
            }
        }
    }

    fn line(&mut self, text: &str, owner: Option<&str>) {
        self.names(text);
        if let Some((key, _)) = key_value(text) {
            self.joined.insert(key.to_owned());
        }
        for word in text.split(|c: char| c.is_whitespace() || "\"'`()[]{}<>,;".contains(c)) {
            if word.contains('/') {
                self.written.insert(word.trim_end_matches(['.', ':']).to_owned());
            }
        }
        // A member written through `self` or `this` is a member of the one declaration around it.
        let Some(owner) = owner else { return };
        for chain in chains(text) {
            if let [first, member, ..] = chain.as_slice()
                && matches!(*first, "self" | "this" | "Self" | "cls")
            {
                self.names(&format!("{owner}.{member}"));
            }
        }
    }

    fn names(&mut self, text: &str) {
        for chain in chains(text) {
            for (start, word) in chain.iter().enumerate() {
                if !self.identifiers.contains(*word) {
                    self.identifiers.insert((*word).to_owned());
                }
                for end in start + 2..=chain.len().min(start + JOINED) {
                    self.joined.insert(chain[start..end].join("."));
                }
            }
        }
        for word in hyphenated(text) {
            self.joined.insert(word.to_owned());
        }
    }
}

/// The one declaration around all entities of a part; none where there are several or none.
fn owner(reading: &Reading, at: usize) -> Option<String> {
    let names = reading.parts[at].part.entities.iter();
    let owners: BTreeSet<&str> = names.filter_map(|entity| Some(entity.name.rsplit_once('.')?.0)).collect();
    (owners.len() == 1).then(|| owners.into_iter().next().map(|owner| clean(owner).into_string())).flatten()
}
