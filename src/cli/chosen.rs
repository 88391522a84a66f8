//! Who is to answer, as the command line says it over the settings.

use clap::Args;

use crate::agent::Choice;
use crate::config::Asks;

/// Who is to answer, where it is not the one of the settings.
#[derive(Args, Default)]
pub struct Chosen {
    /// The agent that answers; `second-look doctor` lists them
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,
    /// The model, as the agent names it
    #[arg(long, value_name = "MODEL")]
    model: Option<String>,
    /// How hard it is to think, as the agent names it
    #[arg(long, value_name = "EFFORT")]
    effort: Option<String>,
    /// Your own label for the account, shown in the stamp
    #[arg(long, value_name = "LABEL")]
    account: Option<String>,
}

impl Chosen {
    /// Whether anything was chosen on the command line.
    pub fn is_any(&self) -> bool {
        [&self.agent, &self.model, &self.effort, &self.account].iter().any(|chosen| chosen.is_some())
    }

    /// Puts the choice over that of the settings.
    pub fn over(&self, asks: &mut Asks) {
        let named = |name: &str| Some(name.to_owned()).filter(|name| !name.is_empty());
        let own = |chosen: &Option<String>| chosen.as_deref().and_then(named);
        let (model, effort, account) = (own(&self.model), own(&self.effort), own(&self.account));
        let agent = own(&self.agent).unwrap_or_else(|| asks.agent.clone());
        let settings = Choice {
            agent: asks.agent.clone(),
            model: named(&asks.model),
            effort: named(&asks.effort),
            account: named(&asks.account),
        };
        let Choice { agent, model, effort, account } = Choice { agent, model, effort, account }.completed(settings);
        asks.agent = agent;
        (asks.model, asks.effort) = (model.unwrap_or_default(), effort.unwrap_or_default());
        asks.account = account.unwrap_or_default();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::config::Settings;

    #[test]
    fn another_agent_does_not_take_over_the_model_of_the_settings() {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "[asks]\nagent = \"pi\"\nmodel = \"m\"\neffort = \"low\"\n").unwrap();
        let settings = Settings::read(file.path()).unwrap();
        let after = |agent: Option<&str>, model: Option<&str>| {
            let own = |name: Option<&str>| name.map(str::to_owned);
            let mut asks = settings.asks.clone();
            Chosen { agent: own(agent), model: own(model), effort: None, account: None }.over(&mut asks);
            (asks.agent, asks.model, asks.effort)
        };
        let three = |agent: &str, model: &str, effort: &str| (agent.to_owned(), model.to_owned(), effort.to_owned());
        assert_eq!(after(None, None), three("pi", "m", "low"));
        assert_eq!(after(Some("pi"), Some("n")), three("pi", "n", "low"));
        assert_eq!(after(Some("codex"), None), three("codex", "", ""));
        assert_eq!(after(Some("codex"), Some("n")), three("codex", "n", ""));
        // The built-in agent takes no model: what is set beside it is for whoever is chosen.
        std::fs::write(file.path(), "[asks]\nmodel = \"m\"\n").unwrap();
        let mut asks = Settings::read(file.path()).unwrap().asks;
        Chosen { agent: Some("api".to_owned()), ..Chosen::default() }.over(&mut asks);
        assert_eq!((asks.agent.as_str(), asks.model.as_str()), ("api", "m"));
    }
}
