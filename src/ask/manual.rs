//! Manual checks that a description reports: lines that say something was done by hand, found by their words.

use crate::text::visible_markdown;

/// Characters of the longest line that is taken.
const CHARS: usize = 400;

/// Characters of the shortest.
const SHORT: usize = 12;

/// Words that say a person did it, wherever they stand.
const MANUAL: [&str; 5] = ["manual test", "manual check", "tested locally", "checked locally", "verified locally"];

/// Words that say so beside one that says it was a check.
const BY_HAND: [&str; 4] = ["by hand", "manually", "locally", "on my machine"];
const CHECKED: [&str; 8] = ["test", "check", "verif", "tried", "ran ", "confirmed", "clicked", "looked at"];

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

/// What a description reports of manual checks, each line or list item in its own words, in order.
pub fn checks(description: &str) -> Vec<String> {
    let shown = visible_markdown(description);
    let (mut found, mut open, mut under, mut fenced) = (Vec::new(), String::new(), false, false);
    for line in shown.as_str().lines().chain([""]) {
        let trimmed = line.trim_start().trim_start_matches(['>', ' ']).trim_end();
        let fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        let heading = heading(trimmed).filter(|_| !fenced);
        if fence || fenced || heading.is_some() || trimmed.is_empty() || begins_an_item(trimmed) {
            take(&mut found, &std::mem::take(&mut open), under);
        }
        fenced ^= fence;
        if let Some(heading) = heading {
            under = HEADINGS.iter().any(|word| heading.contains(word));
        } else if !fence && !fenced && !trimmed.is_empty() {
            if !open.is_empty() {
                open.push(' ');
            }
            open.push_str(trimmed);
        }
    }
    found
}

/// Takes what says that a person did something, in its words or by the heading it stands under.
fn take(found: &mut Vec<String>, text: &str, under: bool) {
    let lower = text.to_lowercase();
    let any = |words: &[&str]| words.iter().any(|words| lower.contains(words));
    let opens = BY_HAND.iter().any(|words| lower.trim_start_matches(['-', '*', '+', ' ']).starts_with(words));
    let by_hand = any(&MANUAL) || opens || (any(&BY_HAND) && any(&CHECKED));
    let otherwise = any(&OTHERWISE);
    let taken = (SHORT..=CHARS).contains(&text.chars().count()) && !otherwise && (by_hand || under);
    if taken && !found.iter().any(|known| known == text) {
        found.push(text.to_owned());
    }
}

fn begins_an_item(line: &str) -> bool {
    let after = line.trim_start_matches(|c: char| c.is_ascii_digit());
    let numbered = after.len() < line.len() && (after.starts_with(". ") || after.starts_with(") "));
    numbered || ["- ", "* ", "+ "].iter().any(|mark| line.starts_with(mark))
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
                    - By hand: `haul send`\n  printed `200`.\n- Clicked through the page in Firefox\n- [ ] Safari\n\
                    - Will try on staging\n\n## Notes\n\nFast. <!-- Tested by hand, all fine. -->\n```\nrun by hand\n```\n\
                    **Test plan:**\nran it against a server\n";
        let expected = [
            "Adds a flag. Manually checked that `x` works.",
            "- By hand: `haul send` printed `200`.",
            "- Clicked through the page in Firefox",
            "ran it against a server",
        ];
        assert_eq!(checks(text), expected);
        assert!(checks("Operators add the job again by hand.").is_empty());
        assert!(checks("").is_empty() && checks("## Tested\n\nnot tested at all\n").is_empty());
    }

    proptest! {
        #[test]
        fn reads_any_text(text in any::<String>()) {
            checks(&text);
        }
    }
}
