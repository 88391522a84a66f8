//! A key as the reviewer presses it and as it is written: `j`, `ctrl-d`, `shift-Tab`, `space`.

use std::fmt;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// A key with its modifiers. A shifted letter is its capital, without `shift`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// The key.
    pub code: KeyCode,
    /// Whether Ctrl is held.
    pub ctrl: bool,
    /// Whether Alt is held.
    pub alt: bool,
}

/// Names of keys that are no character.
const NAMES: [(&str, KeyCode); 15] = [
    ("Enter", KeyCode::Enter),
    ("Esc", KeyCode::Esc),
    ("Tab", KeyCode::Tab),
    ("shift-Tab", KeyCode::BackTab),
    ("Backspace", KeyCode::Backspace),
    ("Delete", KeyCode::Delete),
    ("Up", KeyCode::Up),
    ("Down", KeyCode::Down),
    ("Left", KeyCode::Left),
    ("Right", KeyCode::Right),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("PageUp", KeyCode::PageUp),
    ("PageDown", KeyCode::PageDown),
    ("space", KeyCode::Char(' ')),
];

impl Key {
    /// Reads a key as it is written; none where nothing is called so.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(rest) = text.strip_prefix("ctrl-").filter(|rest| !rest.is_empty()) {
            return Some(Self { ctrl: true, ..Self::parse(rest)? });
        }
        if let Some(rest) = text.strip_prefix("alt-").filter(|rest| !rest.is_empty()) {
            return Some(Self { alt: true, ..Self::parse(rest)? });
        }
        let named = NAMES.iter().find(|(name, _)| *name == text).map(|(_, code)| *code);
        let code = named.or_else(|| {
            let mut chars = text.chars();
            chars.next().filter(|c| chars.next().is_none() && !c.is_control()).map(KeyCode::Char)
        })?;
        Some(Self { code, ctrl: false, alt: false })
    }

    /// The key of a terminal event.
    pub fn of(event: KeyEvent) -> Self {
        let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
        let code = match event.code {
            KeyCode::Tab if event.modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
            KeyCode::Char(c) if ctrl => KeyCode::Char(c.to_ascii_lowercase()),
            code => code,
        };
        Self { code, ctrl, alt: event.modifiers.contains(KeyModifiers::ALT) }
    }

    /// The character typed, where the key types one.
    pub fn typed(self) -> Option<char> {
        match self.code {
            KeyCode::Char(c) if !self.ctrl && !self.alt => Some(c),
            _ => None,
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ctrl {
            f.write_str("ctrl-")?;
        }
        if self.alt {
            f.write_str("alt-")?;
        }
        match (NAMES.iter().find(|(_, code)| *code == self.code), self.code) {
            (Some((name, _)), _) => f.write_str(name),
            (None, KeyCode::Char(c)) => write!(f, "{c}"),
            (None, code) => write!(f, "{code}"),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn reads_what_it_writes() {
        for text in ["j", "G", "ctrl-d", "shift-Tab", "space", "Enter", "?", "[", "-", "alt-x"] {
            assert_eq!(Key::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Key::parse("nonsense"), None);
        assert_eq!(Key::parse(""), None);
    }

    #[test]
    fn takes_events_as_terminals_send_them() {
        let of = |code, modifiers| Key::of(KeyEvent::new(code, modifiers)).to_string();
        assert_eq!(of(KeyCode::Char('J'), KeyModifiers::SHIFT), "J");
        assert_eq!(of(KeyCode::Char('D'), KeyModifiers::CONTROL | KeyModifiers::SHIFT), "ctrl-d");
        assert_eq!(of(KeyCode::BackTab, KeyModifiers::SHIFT), "shift-Tab");
        assert_eq!(of(KeyCode::Tab, KeyModifiers::SHIFT), "shift-Tab");
    }
}
