//! Settings for the tests of this folder.

use crate::config::{Api, Dialect};

/// The defaults of the settings.
pub(super) fn settings() -> Api {
    Api {
        dialect: Dialect::Anthropic,
        base_url: String::new(),
        key_env: String::new(),
        key_command: Vec::new(),
        input_price: 0.0,
        output_price: 0.0,
    }
}
