//! The page a brief is written on: within a budget of characters, with fences, and a note of what did not fit.

use crate::text::{Clean, clean};

/// A prompt while it is written.
pub struct Page<'a> {
    id: &'a str,
    text: String,
    left: usize,
    /// What the agent was not shown at first, one sentence each, for the reviewer.
    not_shown: Vec<Clean>,
}

impl<'a> Page<'a> {
    /// An empty page. `id` is a random word that no text can know.
    pub fn new(id: &'a str, budget: usize) -> Self {
        Self { id, text: String::new(), left: budget, not_shown: Vec::new() }
    }

    /// Characters that are left.
    pub fn left(&self) -> usize {
        self.left
    }

    /// The program's own words.
    pub fn say(&mut self, words: &str) {
        self.left = self.left.saturating_sub(words.chars().count());
        self.text.push_str(words);
    }

    /// Something that was written by others.
    pub fn data(&mut self, name: &str, text: &str) {
        self.fenced(&format!("data {} {name}", self.id), text);
    }

    /// What the reviewer wrote.
    pub fn question(&mut self, words: &Clean) {
        self.fenced(&format!("question {}", self.id), words.as_str());
    }

    fn fenced(&mut self, head: &str, text: &str) {
        let id = self.id;
        // No text can know the id; if one holds it after all, it must not close the block.
        let text = if id.is_empty() { text.to_owned() } else { text.replace(id, "(the id of this block)") };
        self.say(&format!("<<{head}>>\n{}\n<<end {id}>>\n", text.trim_end_matches('\n')));
    }

    /// A block of as many lines as fit into what is left and into `most` characters; gives how many do not.
    pub fn list(&mut self, name: &str, lines: &[String], most: usize) -> usize {
        let mut room = most.min(self.left);
        let fits = |line: &&String| {
            let length = line.chars().count() + 1;
            let fits = length <= room;
            room = room.saturating_sub(length);
            fits
        };
        let shown: Vec<&str> = lines.iter().take_while(fits).map(String::as_str).collect();
        if !shown.is_empty() {
            self.data(name, &shown.join("\n"));
        }
        lines.len() - shown.len()
    }

    /// Notes for the reviewer that something was not shown, in a sentence.
    pub fn not_shown(&mut self, sentence: &str) {
        self.not_shown.push(clean(sentence));
    }

    /// The prompt, and what it does not show.
    pub fn done(self) -> (String, Vec<Clean>) {
        (self.text, self.not_shown)
    }
}

/// A text of at most so many characters, with a word on how many more there are.
pub fn cut(text: &str, chars: usize) -> String {
    match text.char_indices().nth(chars) {
        Some((end, _)) => format!("{} [cut: {} more characters]", &text[..end], text[end..].chars().count()),
        None => text.to_owned(),
    }
}

/// `1 line`, `3 lines`.
pub fn counted(count: usize, unit: &str) -> String {
    if count == 1 { format!("1 {unit}") } else { format!("{count} {unit}s") }
}
