//! `length`: no section is empty, none is longer than the ask allows, none holds headings or lists.

use super::{Check, Judged, folded};

/// The check.
pub struct Length;

impl Check for Length {
    fn name(&self) -> &'static str {
        "length"
    }

    fn is_form(&self) -> bool {
        true
    }

    fn failures(&self, judged: &Judged<'_>) -> Vec<String> {
        let limit = judged.bounds.section_chars;
        let mut failures = Vec::new();
        for section in &judged.candidate.sections {
            let (heading, text) = (&section.heading, section.text.as_str());
            let length = folded(text).chars().count();
            if length == 0 {
                failures.push(format!("The section \"{heading}\" is empty: say in a sentence what there is to say."));
            }
            if length > limit {
                failures
                    .push(format!("The section \"{heading}\" has {length} characters, {limit} at most are allowed."));
            }
            if text.lines().any(|line| line.starts_with(['#', '-', '*', '>']) || line.starts_with("```")) {
                failures
                    .push(format!("The section \"{heading}\" has a heading, list or block: write plain sentences."));
            }
        }
        failures
    }
}
