//! Markdown as GitHub keeps it, for reading: cleaned, and what GitHub's pages hide said to be hidden, or left out.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag};

use super::{Clean, clean_prose};

/// A stretch of a text that a reader of the page does not see.
struct Hidden {
    range: Range<usize>,
    /// Whether it is words of its own (a comment, a definition) and not the inside of a tag.
    words: bool,
}

/// Cleans a text in GitHub's markdown. Comments and link definitions stay where they are, between words that say they
/// are hidden.
pub fn clean_markdown(text: &str) -> Clean {
    let mut out = String::new();
    let mut at = 0;
    for Hidden { range, .. } in hidden(text).into_iter().filter(|hidden| hidden.words) {
        // One inside another is said with it.
        if range.start < at {
            continue;
        }
        out.push_str(&text[at..range.start]);
        at = range.end;
        out.push_str(&format!("[hidden on GitHub: {}]", &text[range]));
    }
    out.push_str(&text[at..]);
    clean_prose(&out)
}

/// The same with everything left out that a reader of the page does not see. What stands before and after it is kept
/// apart.
pub fn visible_markdown(text: &str) -> Clean {
    let mut out = String::new();
    let mut at = 0;
    for Hidden { range, words } in hidden(text) {
        if range.start >= at {
            out.push_str(&text[at..range.start]);
            out.push_str(if words { "\n\n" } else { "" });
        }
        at = at.max(range.end);
    }
    out.push_str(&text[at..]);
    clean_prose(&out)
}

/// What a reader does not see, in order: comments, tags, scripts, link definitions and the titles of links.
fn hidden(text: &str) -> Vec<Hidden> {
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    let parser = Parser::new_ext(text, options);
    let definitions = parser.reference_definitions().iter().map(|(_, definition)| definition.span.clone());
    let mut all: Vec<Hidden> = definitions.map(|range| Hidden { range, words: true }).collect();
    for (event, range) in parser.into_offset_iter() {
        match event {
            Event::InlineHtml(_) => all.push(Hidden { words: is_comment(&text[range.clone()]), range }),
            Event::Start(Tag::HtmlBlock) => all.extend(in_html(text, range)),
            Event::Start(Tag::Link { title, .. } | Tag::Image { title, .. }) if !title.is_empty() => {
                if let Some(at) = text[range.clone()].rfind(&*title) {
                    let start = range.start + at;
                    all.push(Hidden { range: start..start + title.len(), words: true });
                }
            }
            _ => {}
        }
    }
    all.sort_by_key(|hidden| (hidden.range.start, hidden.range.end));
    all
}

fn is_comment(html: &str) -> bool {
    html.starts_with("<!") || html.starts_with("<?")
}

/// How a stretch of HTML that is not shown begins and ends.
const UNSEEN: [(&str, &str); 5] =
    [("<!--", "-->"), ("<?", "?>"), ("<!", ">"), ("<script", "</script>"), ("<style", "</style>")];

/// The comments, scripts and tags of a block of HTML; what is not closed runs to its end.
fn in_html(text: &str, block: Range<usize>) -> Vec<Hidden> {
    let (mut all, mut at) = (Vec::new(), block.start);
    while let Some(open) = text[at..block.end].find('<') {
        let start = at + open;
        let rest = &text[start..block.end];
        let lower = rest.to_ascii_lowercase();
        let unseen = UNSEEN.iter().find(|(opens, _)| lower.starts_with(opens));
        let (closes, words) = unseen.map_or((">", false), |(_, closes)| (*closes, true));
        let end = lower.find(closes).map_or(block.end, |found| start + found + closes.len());
        all.push(Hidden { range: start..end, words });
        at = end;
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn shows_what_is_hidden() {
        assert_eq!(clean_markdown("Fine. <!-- x --> End").as_str(), "Fine. [hidden on GitHub: <!-- x -->] End");
        assert_eq!(clean_markdown("<!-- b\nc").as_str(), "[hidden on GitHub: <!-- b\nc]");
        assert_eq!(clean_markdown("-->").as_str(), "-->");
        let definition = clean_markdown("a\n\n[//]: # (tested by hand)\n");
        assert!(definition.as_str().contains("[hidden on GitHub: [//]: # (tested by hand)"), "{definition}");
        // In code it is shown as it stands.
        for shown in ["`<!-- x -->`", "```\n<!-- x -->\n```", "a <!-- b"] {
            assert_eq!(clean_markdown(shown).as_str(), shown);
        }
    }

    #[test]
    fn leaves_out_what_no_reader_sees() {
        for unseen in [
            "<!-- tested by hand -->",
            "[//]: # (tested by hand)",
            "[comment]: <> (tested by hand)",
            "<p title=\"tested by hand\">x</p>",
            "a <b title=\"tested by hand\">x</b>",
            "<?php tested by hand ?>",
            "<!DOCTYPE tested by hand>",
            "<script>\ntested by hand\n</script>",
            "[x](y \"tested by hand\")",
            "![x](y 'tested by hand')",
        ] {
            let visible = visible_markdown(&format!("Before.\n\n{unseen}\n\nAfter."));
            assert!(!visible.as_str().contains("tested by hand"), "{visible}");
            assert!(visible.as_str().starts_with("Before.") && visible.as_str().ends_with("After."), "{visible}");
        }
        for seen in
            ["tested by hand", "`tested by hand`", "<details>\n\ntested by hand\n\n</details>", "<p>tested by hand</p>"]
        {
            assert!(visible_markdown(seen).as_str().contains("tested by hand"), "{seen}");
        }
    }

    proptest! {
        #[test]
        fn hides_nothing_and_never_fails(text in "[a<>!\\[\\]:()\"\n -]{0,40}|.*") {
            let escaped = clean_markdown(&text).as_str().contains('\u{1b}');
            prop_assert!(!escaped);
            prop_assert!(visible_markdown(&text).as_str().len() <= text.len() * 8 + 8);
        }
    }
}
