//! What a question cost: tokens over all turns, and dollars at the reviewer's prices.

use crate::config::Api;

/// Tokens read and written so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Spent {
    input: u64,
    output: u64,
    known: bool,
}

impl Spent {
    /// Adds a turn's tokens.
    pub(super) fn add(&mut self, tokens: Option<(u64, u64)>) {
        if let Some((input, output)) = tokens {
            self.input = self.input.saturating_add(input);
            self.output = self.output.saturating_add(output);
            self.known = true;
        }
    }

    /// All tokens; none where no turn reported any.
    pub(super) fn tokens(self) -> Option<u64> {
        self.known.then(|| self.input.saturating_add(self.output))
    }

    /// US dollars with four decimals; none where no price is set. Cached input counts in full, so it may cost less.
    pub(super) fn cost(self, prices: &Api) -> Option<String> {
        let priced = self.known && (prices.input_price > 0.0 || prices.output_price > 0.0);
        #[allow(clippy::cast_precision_loss, reason = "far below the 2^53 tokens at which it would show")]
        let dollars = (self.input as f64 * prices.input_price + self.output as f64 * prices.output_price) / 1e6;
        priced.then(|| format!("{dollars:.4}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::adapters::api::fixtures::settings;

    #[test]
    fn turns_add_up_and_prices_are_for_a_million() {
        let mut spent = Spent::default();
        assert_eq!((spent.tokens(), spent.cost(&settings())), (None, None));
        spent.add(Some((1200, 80)));
        spent.add(None);
        spent.add(Some((2400, 20)));
        assert_eq!((spent.tokens(), spent.cost(&settings())), (Some(3700), None));
        let prices = Api { input_price: 3.0, output_price: 15.0, ..settings() };
        assert_eq!(spent.cost(&prices).as_deref(), Some("0.0123"));
    }
}
