//! Themes: data that gives every role and every class of token one style, fitted to the colours a terminal has.

use std::collections::BTreeMap;

use ratatui::style::{Color, Modifier, Style};
use serde::Deserialize;

use crate::change::syntax::Token;

/// How many colours a terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Depth {
    /// Any colour.
    True,
    /// The 256 of xterm.
    Indexed,
    /// The 16 the terminal's own scheme decides.
    Named,
}

/// Which of the built-in themes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Light text on a dark ground.
    Dark,
    /// Dark text on a light ground.
    Light,
    /// No colour: bold, underline, reverse and signs only.
    Plain,
}

macro_rules! roles {
    ($($(#[$doc:meta])* $role:ident = $key:literal,)*) => {
        /// What a piece of the screen is, for its style.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Role { $($(#[$doc])* $role,)* }
        impl Role {
            const ALL: &'static [(Self, &'static str)] = &[$((Self::$role, $key),)*];
        }
    };
}

roles! {
    /// Ordinary text.
    Text = "text",
    /// Text that matters less.
    Dim = "dim",
    /// Headings of answers and overlays.
    Heading = "heading",
    /// The line on top.
    Header = "header",
    /// The line at the bottom.
    Footer = "footer",
    /// A key named in the footer or the overlay.
    Key = "key",
    /// The title row of the pane that has the focus.
    TitleFocused = "title-focused",
    /// The title row of any other pane.
    Title = "title",
    /// The selected row of the pane that has the focus.
    SelectedFocused = "selected-focused",
    /// The selected row of any other pane.
    Selected = "selected",
    /// Between panes.
    Separator = "separator",
    /// Heading of the parts to read closely.
    Must = "must",
    /// Heading of the parts worth the time.
    Worth = "worth",
    /// Heading of the context.
    Context = "context",
    /// Heading of the noise.
    Noise = "noise",
    /// The tick of a reviewed part.
    Reviewed = "reviewed",
    /// Lines added, as a count.
    Plus = "plus",
    /// Lines deleted, as a count.
    Minus = "minus",
    /// An added line.
    Addition = "addition",
    /// A deleted line.
    Deletion = "deletion",
    /// The sign of an added line.
    AdditionSign = "addition-sign",
    /// The sign of a deleted line.
    DeletionSign = "deletion-sign",
    /// A line number.
    Number = "number",
    /// A file's row in the diff.
    FileRow = "file-row",
    /// A hunk's row in the diff.
    HunkRow = "hunk-row",
    /// What is said about a file in words.
    Note = "note",
    /// A mark that stands for a control, invisible or bidirectional character.
    ControlMark = "control-mark",
    /// A place the search found.
    Match = "match",
    /// A line that was jumped to.
    Cited = "cited",
    /// The number of a citation.
    Citation = "citation",
    /// Text that is not here.
    Placeholder = "placeholder",
    /// Something to know.
    Warning = "warning",
    /// Something that failed.
    Error = "error",
    /// Code inside prose.
    Code = "code",
    /// A text laid over the panes.
    Overlay = "overlay",
}

const TOKENS: &[(Token, &str)] = &[
    (Token::Plain, "plain"),
    (Token::Keyword, "keyword"),
    (Token::Type, "type"),
    (Token::Function, "function"),
    (Token::Variable, "variable"),
    (Token::Constant, "constant"),
    (Token::String, "string"),
    (Token::Number, "number"),
    (Token::Comment, "comment"),
    (Token::Operator, "operator"),
    (Token::Punctuation, "punctuation"),
    (Token::Attribute, "attribute"),
    (Token::Tag, "tag"),
];

/// A style for every role and token.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Theme {
    roles: BTreeMap<Role, Style>,
    tokens: BTreeMap<Token, Style>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    roles: BTreeMap<String, Spec>,
    tokens: BTreeMap<String, Spec>,
}

/// A style as a theme's file writes it. `fg16` and `bg16` count where a terminal has 16 colours.
#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Spec {
    fg: Option<String>,
    bg: Option<String>,
    fg16: Option<String>,
    bg16: Option<String>,
    bold: bool,
    dim: bool,
    italic: bool,
    underline: bool,
    reverse: bool,
}

impl Theme {
    /// A built-in theme, fitted to a terminal.
    pub fn built_in(kind: Kind, depth: Depth) -> Self {
        let text = match kind {
            Kind::Dark => include_str!("../../assets/themes/dark.toml"),
            Kind::Light => include_str!("../../assets/themes/light.toml"),
            Kind::Plain => include_str!("../../assets/themes/plain.toml"),
        };
        Self::parse(text, depth).unwrap_or_default()
    }

    fn parse(text: &str, depth: Depth) -> Result<Self, String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        let mut theme = Self::default();
        for (role, key) in Role::ALL {
            let spec = file.roles.get(*key).ok_or_else(|| format!("no role `{key}`"))?;
            theme.roles.insert(*role, spec.style(depth)?);
        }
        for (token, key) in TOKENS {
            let spec = file.tokens.get(*key).ok_or_else(|| format!("no token `{key}`"))?;
            theme.tokens.insert(*token, spec.style(depth)?);
        }
        if file.roles.len() + file.tokens.len() > Role::ALL.len() + TOKENS.len() {
            return Err("a role or token that does not exist".to_owned());
        }
        Ok(theme)
    }

    /// The style of a role.
    pub fn role(&self, role: Role) -> Style {
        self.roles.get(&role).copied().unwrap_or_default()
    }

    /// The style of a token.
    pub fn token(&self, token: Token) -> Style {
        self.tokens.get(&token).copied().unwrap_or_default()
    }
}

impl Spec {
    fn style(&self, depth: Depth) -> Result<Style, String> {
        let pick = |rich: &Option<String>, poor: &Option<String>| match depth {
            Depth::Named => poor.as_deref().map(color).transpose(),
            Depth::True => rich.as_deref().map(color).transpose(),
            Depth::Indexed => rich.as_deref().map(|text| color(text).map(indexed)).transpose(),
        };
        let mut modifiers = Modifier::empty();
        for (on, modifier) in [
            (self.bold, Modifier::BOLD),
            (self.dim, Modifier::DIM),
            (self.italic, Modifier::ITALIC),
            (self.underline, Modifier::UNDERLINED),
            (self.reverse, Modifier::REVERSED),
        ] {
            modifiers.set(modifier, on);
        }
        let mut style = Style { fg: pick(&self.fg, &self.fg16)?, bg: pick(&self.bg, &self.bg16)?, ..Style::default() };
        style.add_modifier = modifiers;
        Ok(style)
    }
}

fn color(text: &str) -> Result<Color, String> {
    text.parse().map_err(|_| format!("no colour `{text}`"))
}

/// The nearest of xterm's 256 colours, from the cube and the greys; the first 16 are the terminal's own.
fn indexed(color: Color) -> Color {
    let Color::Rgb(red, green, blue) = color else { return color };
    let level = |value: u8| -> (u8, i32) {
        const LEVELS: [i32; 6] = [0, 95, 135, 175, 215, 255];
        let nearest = (0..6).min_by_key(|at| (LEVELS[*at] - i32::from(value)).abs()).unwrap_or(0);
        (nearest as u8, LEVELS[nearest])
    };
    let ((r, red_level), (g, green_level), (b, blue_level)) = (level(red), level(green), level(blue));
    let distance = |x: i32, y: i32, z: i32| {
        (x - i32::from(red)).pow(2) + (y - i32::from(green)).pow(2) + (z - i32::from(blue)).pow(2)
    };
    let average = (u16::from(red) + u16::from(green) + u16::from(blue)) / 3;
    let grey = (average.saturating_sub(3) / 10).min(23) as u8;
    let grey_level = 8 + 10 * i32::from(grey);
    if distance(grey_level, grey_level, grey_level) < distance(red_level, green_level, blue_level) {
        return Color::Indexed(232 + grey);
    }
    Color::Indexed(16 + 36 * r + 6 * g + b)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    const FILES: [&str; 3] = [
        include_str!("../../assets/themes/dark.toml"),
        include_str!("../../assets/themes/light.toml"),
        include_str!("../../assets/themes/plain.toml"),
    ];

    #[test]
    fn every_theme_gives_every_role_a_style_at_every_depth() {
        for file in FILES {
            for depth in [Depth::True, Depth::Indexed, Depth::Named] {
                Theme::parse(file, depth).unwrap();
            }
        }
    }

    #[test]
    fn the_plain_theme_has_no_colour() {
        let theme = Theme::built_in(Kind::Plain, Depth::True);
        let styles = theme.roles.values().chain(theme.tokens.values());
        assert!(styles.into_iter().all(|style| style.fg.is_none() && style.bg.is_none()));
    }

    #[test]
    fn named_depth_uses_named_colours_alone() {
        for kind in [Kind::Dark, Kind::Light] {
            let theme = Theme::built_in(kind, Depth::Named);
            for style in theme.roles.values().chain(theme.tokens.values()) {
                for color in [style.fg, style.bg].into_iter().flatten() {
                    assert!(!matches!(color, Color::Rgb(..) | Color::Indexed(_)), "{color:?}");
                }
            }
        }
    }

    #[test]
    fn finds_the_nearest_of_256() {
        assert_eq!(indexed(Color::Rgb(255, 0, 0)), Color::Indexed(196));
        assert_eq!(indexed(Color::Rgb(0x1c, 0x1c, 0x1c)), Color::Indexed(234));
        assert_eq!(indexed(Color::Red), Color::Red);
    }

    /// The contrast of two colours as WCAG counts it.
    fn contrast(one: Color, two: Color) -> f64 {
        let luminance = |color| {
            let Color::Rgb(r, g, b) = color else { return 0.0 };
            let linear = |value: u8| {
                let value = f64::from(value) / 255.0;
                if value <= 0.03928 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
            };
            0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
        };
        let (one, two): (f64, f64) = (luminance(one), luminance(two));
        (one.max(two) + 0.05) / (one.min(two) + 0.05)
    }

    #[test]
    fn tokens_can_be_read_on_every_ground_they_stand_on() {
        for (kind, ground) in [(Kind::Dark, Color::Rgb(0x14, 0x17, 0x1c)), (Kind::Light, Color::Rgb(255, 255, 255))] {
            let theme = Theme::built_in(kind, Depth::True);
            let roles = [Role::Addition, Role::Deletion, Role::Selected, Role::SelectedFocused, Role::Cited];
            let grounds = roles.iter().filter_map(|role| theme.role(*role).bg).chain([ground]);
            for ground in grounds {
                for (token, style) in &theme.tokens {
                    let fg = style.fg.or(theme.role(Role::Text).fg).unwrap();
                    let contrast = contrast(fg, ground);
                    assert!(contrast >= 4.0, "{kind:?} {token:?} on {ground:?}: {contrast:.2}");
                }
            }
            for (role, style) in &theme.roles {
                if let (Some(fg), true) = (style.fg, !matches!(role, Role::Separator)) {
                    let contrast = contrast(fg, style.bg.unwrap_or(ground));
                    assert!(contrast >= 3.5, "{kind:?} {role:?}: {contrast:.2}");
                }
            }
        }
    }
}
