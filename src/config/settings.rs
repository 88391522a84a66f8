//! The settings, section by section, read from `config.toml` over the documented defaults.

use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use toml::de::{DeTable, DeValue};

use super::agents::Agents;
use crate::problem::Problem;

/// The documented defaults: every setting there is, with what it does.
pub const DEFAULTS: &str = include_str!("../../assets/config.toml");

/// All settings.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// How the screen looks.
    pub screen: Screen,
    /// How asks are answered.
    pub asks: Asks,
    /// Where agents are.
    pub agents: Agents,
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
    /// The model, as the agent names it; empty for its own default.
    pub model: String,
    /// How hard it is to think, as the agent names it; empty for its own default.
    pub effort: String,
    /// The reviewer's own label for the account; empty for none.
    pub account: String,
    /// How many asks run at a time.
    pub concurrency: usize,
    /// How long an agent may take for one ask, in seconds.
    pub timeout: u64,
    /// How many tokens an agent may use for one ask; 0 for no limit.
    pub max_tokens: u64,
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
        let wrong = |line: usize, what: &str| {
            Problem::new(format!("`{}` line {line}: {what}", file.display()))
                .hint("`second-look doctor --settings` prints every setting there is")
        };
        let line = |span: Range<usize>| 1 + own[..span.start.min(own.len())].matches('\n').count();
        let broken = |error: toml::de::Error| wrong(error.span().map_or(1, line), error.message());
        let damaged = |error: toml::de::Error| Problem::new(format!("the built-in settings are damaged: {error}"));
        let defaults: toml::Table = DEFAULTS.parse().map_err(damaged)?;
        let table = DeTable::parse(own).map_err(broken)?;
        // Each setting alone goes over the defaults first, so that an error names its line.
        let mut merged = defaults.clone();
        for (keys, value, span) in leaves(table.get_ref(), own) {
            let mut alone = defaults.clone();
            for table in [&mut alone, &mut merged] {
                set(table, &keys, value.clone());
            }
            alone.try_into::<Self>().map_err(|error| wrong(line(span), error.message()))?;
        }
        let settings: Self = merged.try_into().map_err(damaged)?;
        for (name, fits, range) in settings.ranges() {
            if !fits {
                return Err(Problem::new(format!("`{}`: {name} must be {range}", file.display())));
            }
        }
        Ok(settings)
    }

    /// Settings that have a range: name, whether it is met, and the range in words.
    fn ranges(&self) -> [(&'static str, bool, &'static str); 4] {
        let price = |price: f64| price.is_finite() && price >= 0.0;
        let api = &self.agents.api;
        [
            ("screen.tab_width", (1..=16).contains(&self.screen.tab_width), "1 to 16"),
            ("asks.concurrency", (1..=8).contains(&self.asks.concurrency), "1 to 8"),
            ("asks.timeout", (10..=3600).contains(&self.asks.timeout), "10 to 3600 seconds"),
            ("agents.api prices", price(api.input_price) && price(api.output_price), "0 or more"),
        ]
    }
}

/// A setting as it is written: the names that lead to it, its value, and where its name stands.
type Leaf = (Vec<String>, toml::Value, Range<usize>);

/// Every setting of a file, in the order of the file.
fn leaves(table: &DeTable<'_>, own: &str) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    for (key, value) in table {
        let name = key.get_ref().to_string();
        match value.get_ref() {
            DeValue::Table(inner) if !inner.is_empty() => {
                leaves.extend(leaves_below(&name, inner, own));
            }
            _ => {
                // Read from its own text: the crate gives a value with places no other way.
                let text = format!("it = {}", &own[value.span()]);
                let value = text.parse::<toml::Table>().ok().and_then(|mut table| table.remove("it"));
                leaves.push((vec![name], value.unwrap_or(toml::Value::Table(toml::Table::new())), key.span()));
            }
        }
    }
    leaves.sort_by_key(|(_, _, span)| span.start);
    leaves
}

fn leaves_below(name: &str, table: &DeTable<'_>, own: &str) -> Vec<Leaf> {
    let below = leaves(table, own).into_iter();
    below.map(|(keys, value, span)| ([vec![name.to_owned()], keys].concat(), value, span)).collect()
}

fn set(table: &mut toml::Table, keys: &[String], value: toml::Value) {
    match keys {
        [] => {}
        [key] => {
            table.insert(key.clone(), value);
        }
        [key, rest @ ..] => {
            let below = table.entry(key.clone()).or_insert_with(|| toml::Value::Table(toml::Table::new()));
            if let toml::Value::Table(below) = below {
                set(below, rest, value);
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
