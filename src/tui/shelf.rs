//! The texts and colours that are here: asked for when they come into view, kept within bounds.

use std::collections::{BTreeMap, VecDeque};
use std::ops::Range;

use crate::change::syntax::Span;
use crate::change::{RepoPath, Side, Text, Texts};
use crate::engine::events::Request;

/// Files whose texts are kept; more than the tallest screen shows.
const FILES: usize = 128;
/// Lines coloured together.
const CHUNK: u32 = 64;
/// Chunks whose colours are kept; more than the tallest screen with its margins shows.
const CHUNKS: usize = 1024;

/// A value that comes later.
#[derive(Clone)]
pub enum Slot<T> {
    /// Asked for.
    Waiting,
    /// Here.
    Here(T),
    /// It cannot be had, and why.
    Failed(String),
}

type ChunkKey = (usize, Side, u32);

/// Where the numbers of whole files that are read begin: past the position of any changed file.
const WHOLE: usize = usize::MAX / 2;

/// What is here of the texts and colours of a change. A file is named by its position in the change; a whole file of
/// one side, changed or not, by the number that [`Shelf::whole`] gives it.
#[derive(Default)]
pub struct Shelf {
    wholes: Vec<(Side, RepoPath)>,
    texts: BTreeMap<usize, Slot<Texts>>,
    /// Files from the longest unseen to the latest seen.
    seen: VecDeque<usize>,
    colours: BTreeMap<ChunkKey, Vec<Vec<Span>>>,
    /// Chunks in the order they were asked for.
    asked: VecDeque<ChunkKey>,
    uncoloured: BTreeMap<usize, String>,
}

impl Shelf {
    /// The number of a whole file of one side; the same one each time.
    pub fn whole(&mut self, side: Side, path: &RepoPath) -> usize {
        self.find_whole(side, path).unwrap_or_else(|| {
            self.wholes.push((side, path.clone()));
            WHOLE + self.wholes.len() - 1
        })
    }

    /// The number of a whole file of one side, where it was given one.
    pub fn find_whole(&self, side: Side, path: &RepoPath) -> Option<usize> {
        self.wholes.iter().position(|whole| whole.0 == side && whole.1 == *path).map(|at| WHOLE + at)
    }

    fn whole_of(&self, file: usize) -> Option<&(Side, RepoPath)> {
        self.wholes.get(file.checked_sub(WHOLE)?)
    }

    /// The texts of a file; none where nobody asked for them.
    pub fn texts(&self, file: usize) -> Option<&Slot<Texts>> {
        self.texts.get(&file)
    }

    /// The text of a side, where it is here.
    pub fn text(&self, file: usize, side: Side) -> Option<&Text> {
        match self.texts.get(&file) {
            Some(Slot::Here(texts)) => texts.on(side),
            _ => None,
        }
    }

    /// The colours of a line counted from 1, where they are here.
    pub fn colours(&self, file: usize, side: Side, line: u32) -> Option<&[Span]> {
        let at = line.checked_sub(1)?;
        self.colours.get(&(file, side, at / CHUNK))?.get((at % CHUNK) as usize).map(Vec::as_slice)
    }

    /// Why a file is not coloured, where that is known.
    pub fn uncoloured(&self, file: usize) -> Option<&str> {
        self.uncoloured.get(&file).map(String::as_str)
    }

    /// Says that a file is in view, and what to ask for if its texts were never asked for.
    pub fn want_texts(&mut self, file: usize) -> Option<Request> {
        if self.seen.back() != Some(&file) {
            self.seen.retain(|seen| *seen != file);
            self.seen.push_back(file);
        }
        while self.seen.len() > FILES {
            if let Some(oldest) = self.seen.pop_front() {
                self.texts.remove(&oldest);
            }
        }
        if self.texts.contains_key(&file) {
            return None;
        }
        self.texts.insert(file, Slot::Waiting);
        Some(match self.whole_of(file).cloned() {
            Some((side, path)) => Request::File { side, path },
            None => Request::Texts { file },
        })
    }

    /// Forgets what was asked for and has not come, so that it is asked for again when it is in view: what was on its
    /// way may have been dropped.
    pub fn forget_waiting(&mut self) {
        self.texts.retain(|_, slot| !matches!(slot, Slot::Waiting));
        self.colours.retain(|_, lines| !lines.is_empty());
        let colours = &self.colours;
        self.asked.retain(|key| colours.contains_key(key));
    }

    /// Takes what came of a file's texts.
    pub fn put_texts(&mut self, file: usize, texts: Result<Texts, String>) {
        if !self.seen.contains(&file) {
            return;
        }
        self.texts.insert(file, texts.map_or_else(Slot::Failed, Slot::Here));
    }

    /// Says that lines counted from 1 are in view, and what to ask for where their colours were never asked for.
    pub fn want_colours(&mut self, file: usize, side: Side, lines: &Range<u32>) -> Vec<Request> {
        let Some(last) = self.text(file, side).map(Text::lines) else { return Vec::new() };
        if self.uncoloured.contains_key(&file) || lines.is_empty() || last == 0 {
            return Vec::new();
        }
        let mut wanted: Vec<Range<u32>> = Vec::new();
        for chunk in (lines.start.max(1) - 1) / CHUNK..=(lines.end.min(last + 1).saturating_sub(2)) / CHUNK {
            let key = (file, side, chunk);
            if self.colours.contains_key(&key) {
                continue;
            }
            self.colours.insert(key, Vec::new());
            self.asked.push_back(key);
            let (start, end) = (chunk * CHUNK + 1, ((chunk + 1) * CHUNK + 1).min(last + 1));
            match wanted.last_mut() {
                Some(lines) if lines.end == start => lines.end = end,
                _ => wanted.push(start..end),
            }
        }
        while self.asked.len() > CHUNKS {
            if let Some(oldest) = self.asked.pop_front() {
                self.colours.remove(&oldest);
            }
        }
        let request = |lines| match self.whole_of(file).cloned() {
            Some((side, path)) => Request::FileColours { side, path, lines },
            None => Request::Colours { file, side, lines },
        };
        wanted.into_iter().map(request).collect()
    }

    /// Takes what came of the colours of lines counted from 1.
    pub fn put_colours(&mut self, file: usize, side: Side, lines: Range<u32>, spans: Result<Vec<Vec<Span>>, String>) {
        let spans = match spans {
            Ok(spans) => spans,
            Err(why) => {
                self.uncoloured.insert(file, why);
                return;
            }
        };
        for (line, spans) in lines.zip(spans) {
            let Some(at) = line.checked_sub(1) else { continue };
            let key = (file, side, at / CHUNK);
            if let Some(chunk) = self.colours.get_mut(&key) {
                let place = (at % CHUNK) as usize;
                chunk.resize(chunk.len().max(place + 1), Vec::new());
                chunk[place] = spans;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::change::syntax::Token;

    #[test]
    fn what_never_came_is_asked_for_again() {
        let mut shelf = with_text(10);
        assert_eq!(shelf.want_texts(1), Some(Request::Texts { file: 1 }));
        assert_eq!(shelf.want_colours(0, Side::Head, &(1..5)).len(), 1);
        assert_eq!((shelf.want_texts(1), shelf.want_colours(0, Side::Head, &(1..5)).len()), (None, 0));
        shelf.forget_waiting();
        assert_eq!(shelf.want_texts(0), None);
        assert_eq!(shelf.want_texts(1), Some(Request::Texts { file: 1 }));
        assert_eq!(shelf.want_colours(0, Side::Head, &(1..5)).len(), 1);
    }

    fn with_text(lines: usize) -> Shelf {
        let mut shelf = Shelf::default();
        let _ = shelf.want_texts(0);
        let head = Some(Text::from("x\n".repeat(lines).as_str()));
        shelf.put_texts(0, Ok(Texts { base: None, head }));
        shelf
    }

    #[test]
    fn asks_once_and_forgets_what_was_not_seen_for_long() {
        let mut shelf = Shelf::default();
        assert_eq!(shelf.want_texts(7), Some(Request::Texts { file: 7 }));
        assert_eq!(shelf.want_texts(7), None);
        for file in 100..100 + FILES {
            let _ = shelf.want_texts(file);
        }
        assert!(shelf.texts(7).is_none());
        assert_eq!(shelf.texts.len(), FILES);
    }

    #[test]
    fn colours_are_asked_for_in_whole_chunks_once() {
        let mut shelf = with_text(200);
        let asked = shelf.want_colours(0, Side::Head, &(60..70));
        assert_eq!(asked, [Request::Colours { file: 0, side: Side::Head, lines: 1..129 }]);
        assert_eq!(shelf.want_colours(0, Side::Head, &(1..20)), []);
        let asked = shelf.want_colours(0, Side::Head, &(190..999));
        assert_eq!(asked, [Request::Colours { file: 0, side: Side::Head, lines: 129..201 }]);
        let span = Span { start: 0, end: 1, token: Token::Keyword };
        shelf.put_colours(0, Side::Head, 1..129, Ok(vec![vec![span]; 128]));
        assert_eq!(shelf.colours(0, Side::Head, 65), Some([span].as_slice()));
        assert_eq!(shelf.colours(0, Side::Head, 129), None);
        assert_eq!(shelf.want_colours(0, Side::Base, &(1..20)), []);
    }

    #[test]
    fn a_whole_file_is_asked_for_by_its_path() {
        let mut shelf = Shelf::default();
        let (side, path) = (Side::Base, RepoPath::from("a.py"));
        let file = shelf.whole(side, &path);
        assert_eq!((shelf.whole(side, &path), shelf.find_whole(Side::Head, &path)), (file, None));
        assert_eq!(shelf.want_texts(file), Some(Request::File { side, path: path.clone() }));
        shelf.put_texts(file, Ok(Texts { base: Some(Text::from("x\n")), head: None }));
        let asked = shelf.want_colours(file, side, &(1..2));
        assert_eq!(asked, [Request::FileColours { side, path, lines: 1..2 }]);
    }

    #[test]
    fn a_file_that_cannot_be_coloured_is_not_asked_again() {
        let mut shelf = with_text(10);
        shelf.put_colours(0, Side::Head, 1..11, Err("too long".to_owned()));
        assert_eq!(shelf.uncoloured(0), Some("too long"));
        assert_eq!(shelf.want_colours(0, Side::Head, &(1..5)), []);
    }
}
