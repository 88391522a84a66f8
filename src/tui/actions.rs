//! The one live key table: what can be done, with which keys, where, and in which words.
//!
//! Dispatch, the `?` overlay and the footer are made from it; nothing else lists keys.

use super::keys::Key;
use crate::ask::{Ask, Card, Takes};

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
    /// The menu of asks.
    pub const MENU: Self = Self(16);
    /// The list of a part's claims.
    pub const CLAIMS: Self = Self(32);
    /// The list of a part's threads.
    pub const THREADS: Self = Self(64);
    /// The tree and the diff.
    const CHANGE: Self = Self(3);
    const PANES: Self = Self(7);
    const LISTS: Self = Self(112);
    const EVERYWHERE: Self = Self(127);

    /// Whether the two sets share a pane.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// The heading its keys stand under in the overlay.
    fn heading(self) -> &'static str {
        match self {
            Self::TREE => "In the parts",
            Self::DIFF => "In the diff",
            Self::CHANGE => "In the parts and the diff",
            Self::SIDE => "In the answers",
            Self::OVERLAY => "In this overlay",
            Self::MENU => "In the menu of asks",
            Self::LISTS => "In a list",
            Self::THREADS => "In the list of threads",
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
    /// Asks about the thread under the cursor.
    AskAbout(&'static str),
    Menu,
    Select,
    Cancel,
    Stamp,
    Copy,
    Draft,
    DropDraft,
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
    QuitNow,
}

/// An ask the reviewer can run, as the table of asks names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AskKey {
    /// The ask's name, such as `explain`.
    pub kind: &'static str,
    /// What it does, in words that continue "e: ", such as `explain this part`.
    pub title: &'static str,
    /// The key that runs it in the menu.
    pub key: &'static str,
    /// What it is about.
    pub takes: Takes,
    /// Whether its key runs it outside the menu too.
    pub direct: bool,
}

impl AskKey {
    /// An ask's row.
    pub fn of(ask: &dyn Ask) -> Self {
        let &Card { kind, title, key, takes, direct, .. } = ask.card();
        Self { kind, title, key, takes, direct }
    }
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
    (Action::Enter, "take", "Enter", Panes::LISTS, "take what is under the cursor", "take"),
    (Action::Cite, "take-number", "1 2 3 4 5 6 7 8 9", Panes::LISTS, "take the one of that number", ""),
    (Action::Close, "close-list", "Esc", Panes::LISTS, "close it", "close"),
    (Action::Enter, "read", "Enter", Panes::TREE, "read the part in the diff; fold or unfold noise", "read"),
    (
        Action::Enter,
        "jump",
        "Enter",
        Panes::SIDE,
        "jump to the citation under the cursor; unfold what is folded",
        "jump",
    ),
    (Action::Copy, "copy", "y", Panes::SIDE, "copy the shown answer through the terminal", "copy"),
    (Action::Draft, "draft", "d", Panes::SIDE, "keep the shown answer as a draft comment; nothing is sent", "draft"),
    (Action::DropDraft, "drop-draft", "D Delete", Panes::SIDE, "remove the draft under the cursor", ""),
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
    (Action::Select, "select", "v", Panes::DIFF, "select lines of one side from here on, or drop them", "select"),
    (Action::Menu, "asks", "a", Panes::PANES, "the menu of everything that can be asked about this part", "asks"),
    (Action::Stamp, "stamp", "s", Panes::SIDE, "the stamps in full, or in one line", "stamp"),
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
    (
        Action::Cancel,
        "cancel",
        "x",
        Panes::PANES,
        "cancel an ask (under the cursor, or the last), put away its end",
        "",
    ),
    (Action::Search, "search", "/", Panes::PANES, "search the part; a capital makes case matter", "search"),
    (Action::NextHit, "next-hit", "n", Panes::PANES, "the next place found", ""),
    (Action::PreviousHit, "previous-hit", "N", Panes::PANES, "the previous place found", ""),
    (Action::Back, "stop", "Esc", Panes::SIDE, "cancel the ask that runs; close the answers where none does", ""),
    (
        Action::Back,
        "back",
        "Esc",
        Panes::CHANGE,
        "drop selection, highlight, search; leave the file; close answers",
        "",
    ),
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
    (Action::Quit, "quit", "q", Panes::PANES, "quit; marks, answers and drafts are kept", "quit"),
    (Action::QuitNow, "quit-now", "ctrl-c", Panes::EVERYWHERE, "quit at once from anywhere, whatever runs", ""),
];

/// Where the asks stand: before this action.
const ASKS_BEFORE: Action = Action::Stamp;

/// The live table.
#[derive(Debug, Clone)]
pub struct KeyTable {
    bindings: Vec<Binding>,
    asks: Vec<AskKey>,
}

/// The rows of an ask: its key in the menu, alone where it has one, and among threads where it asks about one in words.
fn rows_of(ask: &AskKey) -> impl Iterator<Item = Binding> {
    let row = |action, panes, help| Binding {
        action,
        name: ask.kind,
        keys: Key::parse(ask.key).into_iter().collect(),
        panes,
        help,
        footer: ask.kind,
    };
    let alone = ask.direct.then(|| row(Action::Ask(ask.kind), Panes::PANES, ask.title));
    let in_menu = row(Action::Ask(ask.kind), Panes::MENU, ask.title);
    let of_thread = (ask.takes == Takes::Question)
        .then(|| row(Action::AskAbout(ask.kind), Panes::THREADS, "ask in your own words about the thread"));
    alone.into_iter().chain([in_menu]).chain(of_thread)
}

impl KeyTable {
    /// The built-in rows with the asks among them.
    pub fn new(asks: &[AskKey]) -> Self {
        let mut bindings = Vec::new();
        for (action, name, keys, panes, help, footer) in ROWS.iter().copied() {
            if action == ASKS_BEFORE {
                bindings.extend(asks.iter().flat_map(rows_of));
            }
            let keys = keys.split(' ').filter_map(Key::parse).collect();
            bindings.push(Binding { action, name, keys, panes, help, footer });
        }
        Self { bindings, asks: asks.to_vec() }
    }

    /// The asks there are, in the order of the menu.
    pub fn asks(&self) -> &[AskKey] {
        &self.asks
    }

    /// The row of an ask.
    pub fn ask(&self, kind: &str) -> Option<AskKey> {
        self.asks.iter().copied().find(|ask| ask.kind == kind)
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

    /// Headings with the keys and words of the rows under them, for the overlay; those of a pane come first.
    pub fn help(&self, pane: Panes) -> Vec<(&'static str, Vec<(String, &'static str)>)> {
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
        let shared = |heading: &str| pane.meets(Panes::CHANGE) && heading == Panes::CHANGE.heading();
        sections.sort_by_key(|(heading, _)| match *heading {
            own if own == pane.heading() => 0,
            other => 2 - u8::from(shared(other)),
        });
        sections
    }

    /// Every row.
    #[cfg(test)]
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
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    const EXPLAIN: AskKey =
        AskKey { kind: "explain", title: "Explain this part", key: "e", takes: Takes::Part, direct: true };
    const QUESTION: AskKey =
        AskKey { kind: "question", title: "Ask in your own words", key: "q", takes: Takes::Question, direct: false };

    #[test]
    fn every_key_reads_and_none_means_two_things_in_a_pane() {
        for (_, name, keys, ..) in ROWS {
            assert!(keys.split(' ').all(|key| Key::parse(key).is_some()), "{name}");
        }
        let real: Vec<AskKey> = crate::ask::table().iter().map(|ask| AskKey::of(ask.as_ref())).collect();
        for table in [KeyTable::new(&[EXPLAIN, QUESTION]), KeyTable::new(&real)] {
            no_key_means_two_things(&table);
        }
    }

    fn no_key_means_two_things(table: &KeyTable) {
        let panes = [Panes::TREE, Panes::DIFF, Panes::SIDE, Panes::OVERLAY, Panes::MENU, Panes::CLAIMS, Panes::THREADS];
        for pane in panes {
            let rows = table.bindings().iter().filter(|row| row.panes.meets(pane));
            let mut keys: Vec<String> = rows.flat_map(|row| row.keys.iter().map(Key::to_string)).collect();
            let all = keys.len();
            keys.sort();
            keys.dedup();
            assert_eq!(keys.len(), all, "{pane:?}");
        }
    }

    #[test]
    fn an_ask_is_a_row_of_the_menu_and_a_direct_one_of_the_panes() {
        let table = KeyTable::new(&[EXPLAIN, QUESTION]);
        let find = |key: &str, pane| table.find(Key::parse(key).unwrap(), pane);
        assert_eq!(find("e", Panes::TREE), Some((Action::Ask("explain"), 0)));
        assert_eq!(find("e", Panes::MENU), Some((Action::Ask("explain"), 0)));
        assert_eq!(find("q", Panes::MENU), Some((Action::Ask("question"), 0)));
        assert_eq!(find("q", Panes::TREE), Some((Action::Quit, 0)));
        assert_eq!(find("q", Panes::THREADS), Some((Action::AskAbout("question"), 0)));
        assert_eq!(find("e", Panes::THREADS), None);
        assert!(table.footer(Panes::TREE).contains(&("e".to_owned(), "explain")));
        assert!(table.footer(Panes::MENU).contains(&("q".to_owned(), "question")));
        assert!(table.footer(Panes::DIFF).contains(&("]/[".to_owned(), "hunk")));
    }
}
