//! `second-look completions`: completions for a shell, made from the command line and the table of asks.

use clap::Args;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use super::{Failure, print};
use crate::ask::Ask;
use crate::problem::Problem;

/// Arguments of `completions`.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  second-look completions bash > ~/.local/share/bash-completion/completions/second-look\n  \
    second-look completions fish > ~/.config/fish/completions/second-look.fish"
)]
pub struct Arguments {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Arguments {
    pub(super) fn run(self) -> Result<(), Failure> {
        let script = script(self.shell, &crate::ask::table())
            .map_err(|error| Problem::new(format!("the completions are no text: {error}")))?;
        Ok(print::out(&script)?)
    }
}

fn script(shell: Shell, asks: &[Box<dyn Ask>]) -> Result<String, std::string::FromUtf8Error> {
    let kinds: Vec<&'static str> = asks.iter().map(|ask| ask.kind()).collect();
    let mut command = super::of_kind(super::command(asks), |kind| {
        kind.value_parser(PossibleValuesParser::new(kinds.iter().copied()))
    });
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "second-look", &mut script);
    String::from_utf8(script)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use crate::ask::sixth::Rename;

    #[test]
    fn a_further_ask_is_in_help_and_completions() {
        let mut asks = crate::ask::table();
        asks.push(Box::new(Rename));
        for shell in [Shell::Bash, Shell::Zsh] {
            let script = script(shell, &asks).unwrap();
            assert!(script.contains("explain") && script.contains("rename"), "{script}");
        }
        let mut command = crate::cli::command(&asks);
        command.build();
        let help = command.find_subcommand_mut("ask").unwrap().render_help().to_string();
        assert!(help.replace(['\n', ' '], "").contains("rename:Findabettername"), "{help}");
    }
}
