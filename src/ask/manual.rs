//! Manual checks that a description reports: lines that say something was done by hand, found by their words.

use super::check::described::without_hidden;
use crate::text::clean_markdown;

/// Characters of the longest line that is taken.
const CHARS: usize = 400;

/// Characters of the shortest.
const SHORT: usize = 12;

/// Words that say a person did it, wherever they stand.
const BY_HAND: [&str; 8] = [
    "by hand",
    "manually",
    "manual test",
    "manual check",
    "tested locally",
    "tried it locally",
    "checked locally",
    "verified locally",
];

/// Headings under which people write what they tried.
const HEADINGS: [&str; 8] =
    ["tested", "testing", "test plan", "how tested", "how was this tested", "verification", "manual", "qa"];

/// Words that say a machine did it, or that nobody did yet.
const OTHERWISE: [&str; 20] = [
    "not tested",
    "untested",
    "unit test",
    "new test",
    "tests pass",
    "test passes",
    "` passes",
    "ci ",
    "pytest",
    "cargo test",
    "npm test",
    "go test",
    "todo",
    "should ",
    "will ",
    "to be ",
    "please ",
    "n/a",
    "[ ]",
    "not yet",
];

/// The lines of a description that report a manual check, as they stand, in order.
pub fn checks(description: &str) -> Vec<String> {
    let shown = clean_markdown(&without_hidden(description));
    let (mut found, mut under, mut fenced) = (Vec::new(), false, false);
    for line in shown.as_str().lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        if fenced {
            continue;
        }
        if let Some(heading) = heading(trimmed) {
            under = HEADINGS.iter().any(|word| heading.contains(word));
            continue;
        }
        let lower = trimmed.to_lowercase();
        let by_hand = BY_HAND.iter().any(|words| lower.contains(words));
        let otherwise = OTHERWISE.iter().any(|words| lower.contains(words));
        let length = trimmed.chars().count();
        let taken = (SHORT..=CHARS).contains(&length) && !otherwise && (by_hand || under);
        if taken && !found.iter().any(|known| known == trimmed) {
            found.push(trimmed.to_owned());
        }
    }
    found
}

/// The words of a heading, in lowercase: a line of `#`, or one that is bold or ends with a colon and stands alone.
fn heading(line: &str) -> Option<String> {
    let words = match line.strip_prefix('#') {
        Some(rest) => rest.trim_start_matches('#'),
        None => line.strip_prefix("**").and_then(|rest| rest.trim_end_matches(':').strip_suffix("**"))?,
    };
    Some(words.trim().trim_end_matches([':', '?', '#', ' ']).to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn takes_what_a_person_did() {
        let text = "Adds a flag. Manually checked that `x` works.\n\n## Tested\n\n- `pytest` passes, with new tests.\n\
                    - By hand: `haul send` printed `200`.\n- Clicked through the page in Firefox\n- [ ] Safari\n\
                    - Will try on staging\n\n## Notes\n\nFast. <!-- Tested by hand, all fine. -->\n```\nrun by hand\n```\n\
                    **Test plan:**\nran it against a server\n";
        let expected = [
            "Adds a flag. Manually checked that `x` works.",
            "- By hand: `haul send` printed `200`.",
            "- Clicked through the page in Firefox",
            "ran it against a server",
        ];
        assert_eq!(checks(text), expected);
        assert!(checks("").is_empty() && checks("## Tested\n\nnot tested at all\n").is_empty());
    }

    proptest! {
        #[test]
        fn reads_any_text(text in any::<String>()) {
            checks(&text);
        }
    }
}
