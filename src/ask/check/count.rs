//! `count`: as many citations as the ask allows.

use super::{Check, Judged};

/// The check.
pub struct Count;

impl Check for Count {
    fn name(&self) -> &'static str {
        "count"
    }

    fn is_form(&self) -> bool {
        true
    }

    fn failures(&self, judged: &Judged<'_>) -> Vec<String> {
        let (count, allowed) = (judged.candidate.citations.len(), &judged.bounds.citations);
        if allowed.contains(&count) {
            return Vec::new();
        }
        let (least, most) = (allowed.start(), allowed.end());
        vec![match most {
            0 => format!("The part shows no line, so nothing can be cited, but {count} citations are given."),
            _ => format!("{count} citations are given, from {least} to {most} are asked for."),
        }]
    }
}
