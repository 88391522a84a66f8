//! A review thread as an agent reads it: its root and its newest tail, within a cap; what was cut is said.

use crate::change::{Place, Reading, Side, Thread};
use crate::text::{Clean, clean};

/// Characters of a transcript.
pub const TRANSCRIPT_CHARS: usize = 24_000;

/// Characters of a name.
const AUTHOR_CHARS: usize = 100;

/// A thread as it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transcript {
    /// Where it is anchored; none where it points at nothing any more.
    pub place: Option<Place>,
    /// Who wrote which words, the oldest first; or why there are none.
    pub comments: Result<Vec<Said>, String>,
    /// How many comments between the first and the rest are left out.
    pub left_out: usize,
    /// How many of the comments are too long by themselves and cut.
    pub cut: usize,
    /// Whether somebody has called it resolved.
    pub resolved: bool,
    /// Whether the code it was written about has changed since.
    pub outdated: bool,
}

/// One comment as it is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Who wrote it.
    pub author: Clean,
    /// Its text, what GitHub hides said to be hidden.
    pub text: Clean,
}

impl Transcript {
    /// The thread in one line.
    pub fn title(&self) -> Clean {
        let first = self.comments.as_ref().ok().and_then(|said| said.first());
        let words = first.map_or("a thread", |said| said.text.as_str().lines().next().unwrap_or(""));
        let by = first.map_or("", |said| said.author.as_str());
        clean(&format!("{by}: {}", words.chars().take(80).collect::<String>()))
    }
}

/// The threads that stand in the files of a part, as positions in `Change::threads`: those on lines it shows first.
pub fn threads_of(reading: &Reading, at: usize) -> Vec<usize> {
    let part = &reading.parts[at].part;
    let shows = |place: &Place| {
        part.pieces.iter().any(|piece| {
            let hunks = piece.hunks.iter().filter_map(|hunk| reading.files[piece.file].diff.hunks.get(*hunk));
            reading.change.files[piece.file].path_on(place.side) == &place.path
                && hunks.into_iter().any(|hunk| {
                    let lines = if place.side == Side::Base { &hunk.base } else { &hunk.head };
                    lines.start <= place.end_line && place.line < lines.end
                })
        })
    };
    let own_file = |place: &Place| {
        part.pieces.iter().any(|piece| reading.change.files[piece.file].path_on(place.side) == &place.path)
    };
    let threads = reading.change.threads.iter().enumerate();
    let mut found: Vec<(bool, usize)> = threads
        .filter_map(|(number, thread)| {
            let place = thread.place.as_ref().filter(|place| own_file(place))?;
            Some((!shows(place), number))
        })
        .collect();
    found.sort_unstable();
    found.into_iter().map(|(_, number)| number).collect()
}

/// A thread as it is read: the first comment and as many of the newest as fit.
pub fn transcript(thread: &Thread) -> Transcript {
    let said = |author: &str, body: &str| Said {
        author: clean(&author.chars().take(AUTHOR_CHARS).collect::<String>()),
        text: crate::text::clean_markdown(body),
    };
    let all: Vec<Said> = thread.comments.iter().map(|comment| said(&comment.author, &comment.body)).collect();
    let mut transcript = Transcript {
        place: thread.place.clone(),
        comments: Ok(Vec::new()),
        left_out: 0,
        cut: 0,
        resolved: thread.resolved,
        outdated: thread.outdated,
    };
    if let Some(why) = &thread.not_read {
        transcript.comments = Err(clean(why).into_string());
        return transcript;
    }
    let (comments, left_out, cut) = root_and_tail(all);
    (transcript.comments, transcript.left_out, transcript.cut) = (Ok(comments), left_out, cut);
    transcript
}

/// The first comment and the newest that fit; how many are left out between, and how many of the kept are cut.
fn root_and_tail(all: Vec<Said>) -> (Vec<Said>, usize, usize) {
    let length = |said: &Said| said.author.as_str().chars().count() + said.text.as_str().chars().count() + 4;
    let Some((root, rest)) = all.split_first() else { return (all, 0, 0) };
    let half = TRANSCRIPT_CHARS / 2;
    let (root, mut cuts) = cut(root, half - 200);
    let (mut left, mut tail) = (TRANSCRIPT_CHARS.saturating_sub(length(&root)), Vec::new());
    for said in rest.iter().rev() {
        // The newest is always there, if need be in part.
        let (said, is_cut) = if tail.is_empty() { cut(said, half - 200) } else { (said.clone(), 0) };
        match left.checked_sub(length(&said)) {
            Some(rest) => left = rest,
            None => break,
        }
        cuts += is_cut;
        tail.push(said);
    }
    let left_out = rest.len() - tail.len();
    (std::iter::once(root).chain(tail.into_iter().rev()).collect(), left_out, cuts)
}

/// A comment that is too long by itself, cut with a word on how much; and 1 if it was.
fn cut(said: &Said, chars: usize) -> (Said, usize) {
    let text = said.text.as_str();
    let author = said.author.clone();
    match text.char_indices().nth(chars) {
        None => (Said { author, text: said.text.clone() }, 0),
        Some((end, _)) => {
            let rest = text[end..].chars().count();
            let text = format!("{} [cut: {rest} more characters]", &text[..end]);
            (Said { author, text: crate::text::clean_prose(&text) }, 1)
        }
    }
}
