//! What the terminal can show, from its environment and, once, from asking it.

use std::env;
use std::time::Duration;

use terminal_colorsaurus::{QueryOptions, ThemeMode, theme_mode};

use crate::config::ThemeChoice;
use crate::tui::theme::{Depth, Kind};

/// How long the terminal may take to say whether it is dark or light.
const PATIENCE: Duration = Duration::from_millis(20);

/// The theme and the colours to use. Must be called before anything else reads the terminal.
pub fn theme(choice: ThemeChoice) -> (Kind, Depth) {
    let set = |name: &str| env::var(name).unwrap_or_default();
    let depth = depth(&set("COLORTERM"), &set("TERM"));
    if !set("NO_COLOR").is_empty() || set("TERM") == "dumb" {
        return (Kind::Plain, depth);
    }
    let kind = match choice {
        ThemeChoice::Dark => Kind::Dark,
        ThemeChoice::Light => Kind::Light,
        ThemeChoice::Auto => asked().or_else(|| told(&set("COLORFGBG"))).unwrap_or(Kind::Dark),
    };
    (kind, depth)
}

/// The terminal in words, from its environment and size, without asking it anything.
pub fn in_words() -> String {
    use std::io::IsTerminal;
    let set = |name: &str| env::var(name).unwrap_or_default();
    let term = set("TERM");
    let mut words = vec![if term.is_empty() { "TERM is not set".to_owned() } else { term.clone() }];
    words.push(match crossterm::terminal::size() {
        Ok((columns, rows)) if std::io::stdout().is_terminal() => format!("{columns}x{rows}"),
        _ => "no terminal: output is piped".to_owned(),
    });
    words.push(match (set("NO_COLOR").is_empty() && term != "dumb", depth(&set("COLORTERM"), &term)) {
        (false, _) => "no colours".to_owned(),
        (true, Depth::True) => "true colours".to_owned(),
        (true, Depth::Indexed) => "256 colours".to_owned(),
        (true, Depth::Named) => "16 colours".to_owned(),
    });
    words.extend(in_tmux().then(|| "inside tmux".to_owned()));
    words.extend((!set("SSH_CONNECTION").is_empty()).then(|| "over ssh".to_owned()));
    words.join(", ")
}

/// Whether the program runs inside tmux.
pub fn in_tmux() -> bool {
    env::var_os("TMUX").is_some_and(|socket| !socket.is_empty())
}

fn depth(colorterm: &str, term: &str) -> Depth {
    if colorterm.contains("truecolor") || colorterm.contains("24bit") || term.contains("direct") {
        Depth::True
    } else if term.contains("256color") {
        Depth::Indexed
    } else {
        Depth::Named
    }
}

fn asked() -> Option<Kind> {
    let mut options = QueryOptions::default();
    options.timeout = PATIENCE;
    match theme_mode(options) {
        Ok(ThemeMode::Dark) => Some(Kind::Dark),
        Ok(ThemeMode::Light) => Some(Kind::Light),
        Err(_) => None,
    }
}

/// What some terminals tell in a variable: `15;0` is white on black.
fn told(colors: &str) -> Option<Kind> {
    let ground: u8 = colors.rsplit(';').next()?.parse().ok()?;
    Some(if matches!(ground, 7 | 9..=15) { Kind::Light } else { Kind::Dark })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_environment() {
        assert_eq!(depth("truecolor", "xterm"), Depth::True);
        assert_eq!(depth("", "screen-256color"), Depth::Indexed);
        assert_eq!(depth("", "linux"), Depth::Named);
        assert_eq!(told("15;0"), Some(Kind::Dark));
        assert_eq!(told("0;default;15"), Some(Kind::Light));
        assert_eq!(told(""), None);
    }
}
