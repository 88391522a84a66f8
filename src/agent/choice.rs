//! Which agent is to answer, with which model and effort, under which of the reviewer's own labels.

use crate::problem::Problem;

/// A choice of agent. Empty texts are never kept: what is not chosen is none.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Choice {
    /// The agent's name.
    pub agent: String,
    /// The model, as the agent names it; none for the agent's own default.
    pub model: Option<String>,
    /// How hard it is to think, as the agent names it; none for its own default.
    pub effort: Option<String>,
    /// The reviewer's own label for the account; only shown in stamps.
    pub account: Option<String>,
}

/// Characters of the longest model or effort.
const LONGEST: usize = 200;
/// Characters of the longest label.
const LONGEST_LABEL: usize = 80;

impl Choice {
    /// The choice with what it leaves open taken from the settings. Model, effort and label that are set for another
    /// agent are left alone; `plain` takes none, so what is set beside it is for whoever is chosen instead.
    #[must_use]
    pub fn completed(self, settings: Self) -> Self {
        if self.agent != settings.agent && settings.agent != super::adapters::plain::NAME {
            return self;
        }
        Self {
            agent: self.agent,
            model: self.model.or(settings.model),
            effort: self.effort.or(settings.effort),
            account: self.account.or(settings.account),
        }
    }

    /// Checks the names before anything starts: they end up as arguments of a program.
    ///
    /// # Errors
    /// A [`Problem`] that names what is no plain identifier.
    pub fn check(&self) -> Result<(), Problem> {
        for (what, name) in [("model", &self.model), ("effort", &self.effort)] {
            if let Some(name) = name.as_deref().filter(|name| !is_identifier(name)) {
                let name = crate::text::clean(name);
                return Err(Problem::new(format!("`{name}` cannot be the name of a {what}"))
                    .hint("use letters, digits and . _ / : - alone, not beginning with a hyphen"));
            }
        }
        let plain =
            |label: &String| label.chars().count() <= LONGEST_LABEL && !label.chars().any(crate::text::needs_mark);
        match &self.account {
            Some(label) if !plain(label) => Err(Problem::new("the account's label cannot be used")
                .hint(format!("use at most {LONGEST_LABEL} visible characters"))),
            _ => Ok(()),
        }
    }
}

/// Letters, digits and `. _ / : -`, not beginning with a hyphen.
fn is_identifier(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._/:-".contains(c);
    !name.is_empty() && name.len() <= LONGEST && !name.starts_with('-') && name.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_identifiers_are_names() {
        for good in ["opus", "claude-opus-5.5", "openai/gpt-6:latest", "a_b"] {
            assert!(is_identifier(good), "{good}");
        }
        for bad in ["", "--help", "a b", "x;y", "m\u{202e}", "$(id)", &"x".repeat(201)] {
            assert!(!is_identifier(bad), "{bad}");
        }
        let choice = Choice { model: Some("-m".to_owned()), ..Choice::default() };
        assert!(choice.check().is_err());
    }
}
