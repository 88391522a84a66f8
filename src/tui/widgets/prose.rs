//! Prose as rows: wrapped, with names in backticks and numbers of citations in styles of their own.

use std::ops::Range;

use crate::text::cells;
use crate::tui::theme::Role;

/// One row of styled text.
pub type Spans = Vec<(String, Role)>;

/// Wraps prose to a width. Backticks stay, so that code is told from prose without colour too.
pub fn rows(text: &str, width: usize, role: Role) -> Vec<Spans> {
    let special = specials(text);
    cells::wrap(text, width).into_iter().map(|line| row(text, line, &special, role)).collect()
}

fn row(text: &str, line: Range<usize>, special: &[(Range<usize>, Role)], role: Role) -> Spans {
    let mut spans = Spans::new();
    let mut at = line.start;
    for (range, own) in special.iter().filter(|(range, _)| range.start < line.end && range.end > line.start) {
        let (start, end) = (range.start.max(at), range.end.min(line.end));
        if start > at {
            spans.push((text[at..start].to_owned(), role));
        }
        spans.push((text[start..end].to_owned(), *own));
        at = end;
    }
    if at < line.end {
        spans.push((text[at..line.end].to_owned(), role));
    }
    spans
}

/// The bytes of `code` and of `[1]`, in order.
fn specials(text: &str) -> Vec<(Range<usize>, Role)> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(['`', '[']).map(|start| at + start) {
        let rest = &text[start + 1..];
        let end = if text[start..].starts_with('`') {
            rest.find(['`', '\n']).filter(|end| rest[*end..].starts_with('`')).map(|end| (end, Role::Code))
        } else {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            (digits > 0 && rest[digits..].starts_with(']')).then_some((digits, Role::Citation))
        };
        at = match end {
            Some((length, role)) => {
                let end = start + length + 2;
                found.push((start..end, role));
                end
            }
            None => start + 1,
        };
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_stand_out_across_lines() {
        let rows = rows("calls `Pool.close now` twice [1] [x]", 14, Role::Text);
        let shown: Vec<String> = rows.iter().map(|row| row.iter().map(|(text, _)| text.as_str()).collect()).collect();
        assert_eq!(shown, ["calls", "`Pool.close", "now` twice [1]", "[x]"]);
        assert_eq!(rows[1], [("`Pool.close".to_owned(), Role::Code)]);
        assert_eq!(rows[2].last(), Some(&("[1]".to_owned(), Role::Citation)));
        assert_eq!(rows[3], [("[x]".to_owned(), Role::Text)]);
    }
}
