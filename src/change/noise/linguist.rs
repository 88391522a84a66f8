//! `linguist-vendored` and `linguist-generated`: what the repository declares in its root `.gitattributes`.
//! `linguist-documentation` is no noise: documents are read.

use super::attributes::Declared;
use super::{Noise, NoiseInput, NoiseLabel, Rule};

/// Declared as somebody else's code.
pub(super) struct Vendored;

/// Declared as written by a program.
pub(super) struct Generated;

impl Rule for Vendored {
    fn name(&self) -> &'static str {
        "linguist-vendored"
    }

    fn judge(&self, input: &NoiseInput<'_>) -> Option<Noise> {
        let declared = input.attributes.of(&input.file.path).vendored;
        blind_spot(declared).map(|blind_spot| Noise::claimed(self, NoiseLabel::Vendored, blind_spot))
    }
}

impl Rule for Generated {
    fn name(&self) -> &'static str {
        "linguist-generated"
    }

    fn judge(&self, input: &NoiseInput<'_>) -> Option<Noise> {
        let declared = input.attributes.of(&input.file.path).generated;
        blind_spot(declared).map(|blind_spot| Noise::claimed(self, NoiseLabel::Generated, blind_spot))
    }
}

fn blind_spot(declared: Declared) -> Option<String> {
    let about = "Only the root .gitattributes says so: an edit made by hand in the file is not seen, and attribute \
                 files in folders are not read.";
    match declared {
        Declared::No => None,
        Declared::Before => Some(about.to_owned()),
        Declared::ByThisChange => Some(format!("This change itself declares it. {about}")),
    }
}
