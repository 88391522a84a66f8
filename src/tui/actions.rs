//! The one live key table: what can be done, with which keys, where, and in which words.
//!
//! Dispatch, the `?` overlay and the footer are made from it; nothing else lists keys.

use super::keys::Key;

/// Where keys apply: a set of panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Panes(u8);

impl Panes {
    /// The ranked tree.
    pub const TREE: Self = Self(1);
    /// The diff.
    pub const DIFF: Self = Self(2);
    /// The side pane.
    pub const SIDE: Self = Self(4);
    /// A text laid over the panes.
    pub const OVERLAY: Self = Self(8);
    const PANES: Self = Self(7);
    const EVERYWHERE: Self = Self(15);

    /// Whether the two sets share a pane.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The heading its keys stand under in the overlay.
    fn heading(self) -> &'static str {
        match self {
            Self::TREE => "In the parts",
            Self::DIFF => "In the diff",
            Self::SIDE => "In the answers",
            Self::OVERLAY => "In this overlay",
            _ => "Everywhere",
        }
    }
}

/// Something the reviewer can do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "the table below says each in words")]
pub enum Action {
    Down,
    Up,
    Top,
    Bottom,
    HalfDown,
    HalfUp,
    NextHunk,
    PreviousHunk,
    NextFile,
    PreviousFile,
    NextCitation,
    PreviousCitation,
    NextPart,
    PreviousPart,
    FocusNext,
    FocusPrevious,
    Enter,
    Back,
    Close,
    Ask(&'static str),
    Cancel,
    Mark,
    NextUnreviewed,
    Search,
    NextHit,
    PreviousHit,
    /// Jumps to the citation whose number is the position of the key pressed, counted from 1.
    Cite,
    Return,
    Left,
    Right,
    LineStart,
    LineEnd,
    Refresh,
    About,
    Help,
    Redraw,
    Suspend,
    Quit,
}

/// An ask the reviewer can run, as the table of asks names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskKey {
    /// The ask's name, such as `explain`.
    pub kind: &'static str,
    /// What it does, in words that continue "e: ", such as `explain this part`.
    pub title: &'static str,
    /// The key that runs it.
    pub key: &'static str,
}

/// One row of the table.
#[derive(Debug, Clone)]
pub struct Binding {
    /// What is done.
    pub action: Action,
    /// Its name, as the reviewer's settings will call it.
    #[cfg_attr(not(test), expect(dead_code, reason = "settings will name actions by it"))]
    pub name: &'static str,
    /// The keys that do it.
    pub keys: Vec<Key>,
    /// Where.
    pub panes: Panes,
    /// What it does, for the overlay.
    pub help: &'static str,
    /// What it does in a word, for the footer; empty to leave it out. Neighbours with equal words share one entry.
    pub footer: &'static str,
}

type Row = (Action, &'static str, &'static str, Panes, &'static str, &'static str);

/// Action, name, keys, panes, help, footer. The order is the order of the overlay and of the footer.
const ROWS: &[Row] = &[
    (Action::Down, "down", "j Down", Panes::EVERYWHERE, "one row down", "move"),
    (Action::Up, "up", "k Up", Panes::EVERYWHERE, "one row up", "move"),
    (Action::Enter, "read", "Enter", Panes::TREE, "read the part in the diff; fold or unfold noise", "read"),
    (Action::Enter, "jump", "Enter", Panes::SIDE, "jump to the citation under the cursor", "jump"),
    (
        Action::Enter,
        "answers",
        "Enter",
        Panes::DIFF,
        "open the answers, at what cites this line if something does",
        "answers",
    ),
    (Action::Cite, "cite", "1 2 3 4 5 6 7 8 9", Panes::PANES, "jump to that citation of the shown answer", ""),
    (Action::Return, "return", "ctrl-o", Panes::PANES, "return to where you were before a jump", ""),
    (Action::NextHunk, "next-hunk", "]", Panes::DIFF, "the next hunk", "hunk"),
    (Action::PreviousHunk, "previous-hunk", "[", Panes::DIFF, "the previous hunk", "hunk"),
    (Action::NextCitation, "next-citation", "]", Panes::SIDE, "the next citation", "citation"),
    (Action::PreviousCitation, "previous-citation", "[", Panes::SIDE, "the previous citation", "citation"),
    (Action::NextFile, "next-file", "}", Panes::DIFF, "the next file", ""),
    (Action::PreviousFile, "previous-file", "{", Panes::DIFF, "the previous file", ""),
    (Action::NextPart, "next-part", "J", Panes::PANES, "the next part", "part"),
    (Action::PreviousPart, "previous-part", "K", Panes::PANES, "the previous part", "part"),
    (Action::Mark, "mark", "space", Panes::PANES, "mark the part as reviewed and go to the next unreviewed", "mark"),
    (Action::NextUnreviewed, "next-unreviewed", "u", Panes::PANES, "the next unreviewed part", ""),
    (Action::Cancel, "cancel", "x", Panes::PANES, "cancel the ask that runs", ""),
    (Action::Search, "search", "/", Panes::PANES, "search the part; a capital makes case matter", "search"),
    (Action::NextHit, "next-hit", "n", Panes::PANES, "the next place found", ""),
    (Action::PreviousHit, "previous-hit", "N", Panes::PANES, "the previous place found", ""),
    (Action::Back, "back", "Esc", Panes::PANES, "drop the highlight or search, close the answers, go back", ""),
    (Action::FocusNext, "next-pane", "Tab", Panes::PANES, "the next pane", "pane"),
    (Action::FocusPrevious, "previous-pane", "shift-Tab", Panes::PANES, "the previous pane", ""),
    (Action::HalfDown, "half-down", "ctrl-d PageDown", Panes::EVERYWHERE, "half a screen down", ""),
    (Action::HalfUp, "half-up", "ctrl-u PageUp", Panes::EVERYWHERE, "half a screen up", ""),
    (Action::Top, "top", "g Home", Panes::EVERYWHERE, "the first row", ""),
    (Action::Bottom, "bottom", "G End", Panes::EVERYWHERE, "the last row", ""),
    (Action::Left, "left", "h Left", Panes::DIFF, "scroll sideways to the left", ""),
    (Action::Right, "right", "l Right", Panes::DIFF, "scroll sideways to the right", ""),
    (Action::LineStart, "line-start", "0", Panes::DIFF, "back to the start of the lines", ""),
    (Action::LineEnd, "line-end", "$", Panes::DIFF, "to the end of the line under the cursor", ""),
    (Action::Refresh, "refresh", "r", Panes::PANES, "read the change again, taking over a head that moved", ""),
    (Action::About, "about", "o", Panes::PANES, "about the part and its change: signals, age, what was left out", ""),
    (Action::Redraw, "redraw", "ctrl-l", Panes::EVERYWHERE, "draw the screen anew", ""),
    (Action::Suspend, "suspend", "ctrl-z", Panes::EVERYWHERE, "back to the shell; `fg` returns here", ""),
    (Action::Close, "close", "Esc q ? o", Panes::OVERLAY, "close it", "close"),
    (Action::Help, "help", "?", Panes::PANES, "these keys", "keys"),
    (Action::Quit, "quit", "q", Panes::PANES, "quit; marks and answers are kept", "quit"),
    (Action::Quit, "quit-now", "ctrl-c", Panes::EVERYWHERE, "quit from anywhere", ""),
];

/// Where the asks stand: before this action.
const ASKS_BEFORE: Action = Action::Mark;

/// The live table.
#[derive(Debug, Clone)]
pub struct KeyTable {
    bindings: Vec<Binding>,
}

impl KeyTable {
    /// The built-in rows with the asks among them.
    pub fn new(asks: &[AskKey]) -> Self {
        let mut bindings = Vec::new();
        for (action, name, keys, panes, help, footer) in ROWS.iter().copied() {
            if action == ASKS_BEFORE {
                bindings.extend(asks.iter().map(|ask| Binding {
                    action: Action::Ask(ask.kind),
                    name: ask.kind,
                    keys: Key::parse(ask.key).into_iter().collect(),
                    panes: Panes::PANES,
                    help: ask.title,
                    footer: ask.kind,
                }));
            }
            let keys = keys.split(' ').filter_map(Key::parse).collect();
            bindings.push(Binding { action, name, keys, panes, help, footer });
        }
        Self { bindings }
    }

    /// What a key does in a pane, with the position of the key among the row's keys.
    pub fn find(&self, key: Key, pane: Panes) -> Option<(Action, usize)> {
        self.bindings
            .iter()
            .filter(|binding| binding.panes.meets(pane))
            .find_map(|binding| binding.keys.iter().position(|bound| *bound == key).map(|at| (binding.action, at)))
    }

    /// The first key of an action, for messages that name one; `?` where it has none.
    pub fn key_of(&self, action: Action) -> String {
        let binding = self.bindings.iter().find(|binding| binding.action == action);
        binding.and_then(|binding| binding.keys.first()).map_or_else(|| "?".to_owned(), Key::to_string)
    }

    /// Keys and words for the footer of a pane, in order.
    pub fn footer(&self, pane: Panes) -> Vec<(String, &'static str)> {
        let mut hints: Vec<(String, &'static str)> = Vec::new();
        for binding in self.bindings.iter().filter(|row| row.panes.meets(pane) && !row.footer.is_empty()) {
            let Some(key) = binding.keys.first() else { continue };
            match hints.last_mut() {
                Some((keys, words)) if *words == binding.footer => keys.push_str(&format!("/{key}")),
                _ => hints.push((key.to_string(), binding.footer)),
            }
        }
        hints
    }

    /// Headings with the keys and words of the rows under them, for the overlay.
    pub fn help(&self) -> Vec<(&'static str, Vec<(String, &'static str)>)> {
        let mut sections: Vec<(&'static str, Vec<(String, &'static str)>)> = Vec::new();
        for binding in &self.bindings {
            let keys: Vec<String> = binding.keys.iter().map(Key::to_string).collect();
            let row = (shorten(&keys), binding.help);
            let heading = binding.panes.heading();
            match sections.iter_mut().find(|(name, _)| *name == heading) {
                Some((_, rows)) => rows.push(row),
                None => sections.push((heading, vec![row])),
            }
        }
        sections
    }

    /// Every row.
    pub fn bindings(&self) -> &[Binding] {
        &self.bindings
    }
}

/// Joins keys with spaces; a long row of them is named by its ends.
fn shorten(keys: &[String]) -> String {
    match keys {
        [first, .., last] if keys.len() > 4 => format!("{first} to {last}"),
        _ => keys.join(" "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXPLAIN: AskKey = AskKey { kind: "explain", title: "explain this part", key: "e" };

    #[test]
    fn every_key_reads_and_none_means_two_things_in_a_pane() {
        for (_, name, keys, ..) in ROWS {
            assert!(keys.split(' ').all(|key| Key::parse(key).is_some()), "{name}");
        }
        let table = KeyTable::new(&[EXPLAIN]);
        for pane in [Panes::TREE, Panes::DIFF, Panes::SIDE, Panes::OVERLAY] {
            let rows = table.bindings().iter().filter(|row| row.panes.meets(pane));
            let mut keys: Vec<String> = rows.flat_map(|row| row.keys.iter().map(Key::to_string)).collect();
            let all = keys.len();
            keys.sort();
            keys.dedup();
            assert_eq!(keys.len(), all, "{pane:?}");
        }
    }

    #[test]
    fn an_ask_is_a_row_like_any_other() {
        let table = KeyTable::new(&[EXPLAIN]);
        let key = Key { code: crossterm::event::KeyCode::Char('e'), ctrl: false, alt: false };
        assert_eq!(table.find(key, Panes::TREE), Some((Action::Ask("explain"), 0)));
        assert!(table.footer(Panes::TREE).contains(&("e".to_owned(), "explain")));
        assert!(table.footer(Panes::DIFF).contains(&("]/[".to_owned(), "hunk")));
    }
}
