//! The settings, section by section, read from `config.toml` over the documented defaults.

use std::path::Path;

use serde::Deserialize;

use crate::problem::Problem;

/// The documented defaults: every setting there is, with what it does.
pub const DEFAULTS: &str = include_str!("../../assets/config.toml");

/// All settings.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// How the screen looks.
    pub screen: Screen,
    /// How asks are answered.
    pub asks: Asks,
}

/// How the screen looks.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Screen {
    /// Which theme to use.
    pub theme: ThemeChoice,
    /// Cells between tab stops, 1 to 16.
    pub tab_width: u16,
    /// Whether marks are drawn with ASCII characters alone.
    pub ascii: bool,
}

/// Which theme to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThemeChoice {
    /// Ask the terminal whether it is dark or light.
    Auto,
    /// Light text on a dark ground.
    Dark,
    /// Dark text on a light ground.
    Light,
}

/// How asks are answered.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Asks {
    /// The name of the agent that answers.
    pub agent: String,
    /// The transcript that the agent `scripted` replays; empty for every other agent.
    pub transcript: String,
}

impl Settings {
    /// Reads a settings file over the defaults; a file that is not there changes nothing.
    ///
    /// # Errors
    /// A [`Problem`] that names the file and line where it cannot be read or holds an unknown or wrong setting.
    pub fn read(file: &Path) -> Result<Self, Problem> {
        match std::fs::read_to_string(file) {
            Ok(own) => Self::parse(&own, file),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Self::parse("", file),
            Err(error) => Err(Problem::new(format!("cannot read `{}`: {error}", file.display()))),
        }
    }

    fn parse(own: &str, file: &Path) -> Result<Self, Problem> {
        let wrong = |error: toml::de::Error| {
            let line = error.span().map_or(1, |span| 1 + own[..span.start.min(own.len())].matches('\n').count());
            Problem::new(format!("`{}` line {line}: {}", file.display(), error.message()))
                .hint("`second-look doctor --settings` prints every setting there is")
        };
        // Checked on its own first, so that an error names a line of the reviewer's file.
        toml::from_str::<Partial>(own).map_err(wrong)?;
        let mut merged: toml::Table =
            DEFAULTS.parse().map_err(|error| Problem::new(format!("the built-in settings are damaged: {error}")))?;
        merge(&mut merged, own.parse::<toml::Table>().map_err(wrong)?);
        let settings: Self = merged.try_into().map_err(wrong)?;
        if !(1..=16).contains(&settings.screen.tab_width) {
            return Err(Problem::new(format!("`{}`: screen.tab_width must be 1 to 16", file.display())));
        }
        Ok(settings)
    }
}

/// The reviewer's file alone: every setting may be missing, none may be unknown.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read only for its errors")]
struct Partial {
    screen: Option<PartialScreen>,
    asks: Option<PartialAsks>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read only for its errors")]
struct PartialScreen {
    theme: Option<ThemeChoice>,
    tab_width: Option<u16>,
    ascii: Option<bool>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read only for its errors")]
struct PartialAsks {
    agent: Option<String>,
    transcript: Option<String>,
}

fn merge(into: &mut toml::Table, from: toml::Table) {
    for (key, value) in from {
        match (into.get_mut(&key), value) {
            (Some(toml::Value::Table(below)), toml::Value::Table(above)) => merge(below, above),
            (_, value) => {
                into.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    fn parse(own: &str) -> Result<Settings, String> {
        Settings::parse(own, Path::new("config.toml")).map_err(|problem| problem.what().to_owned())
    }

    #[test]
    fn defaults_hold_every_setting() {
        let settings = parse("").unwrap();
        assert_eq!(settings.screen, Screen { theme: ThemeChoice::Auto, tab_width: 4, ascii: false });
        assert_eq!(settings.asks.agent, "plain");
    }

    #[test]
    fn own_settings_go_over_them() {
        assert_eq!(parse("[screen]\ntheme = \"light\"\n").unwrap().screen.theme, ThemeChoice::Light);
    }

    #[test]
    fn errors_name_the_line() {
        assert!(parse("[screen]\n\ntab_widht = 3\n").unwrap_err().starts_with("`config.toml` line 3: unknown field"));
        assert!(parse("[screen]\ntab_width = 99\n").unwrap_err().contains("1 to 16"));
        assert!(parse("[scr").unwrap_err().starts_with("`config.toml` line 1"));
    }
}
