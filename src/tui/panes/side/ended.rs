//! The rows of an ask that ended without an answer. What failed its checks is shown only as that, never as an answer.

use super::answer;
use super::rows::{Content, Item, Page, title};
use crate::ask::Refusal;
use crate::tui::asking::{Ended, How};
use crate::tui::theme::Role;

/// Before each row of a refused answer, so that none can be taken for another's.
const MARK: &str = "x| ";

/// As what an end can be acted on.
fn item(ended: &Ended) -> Item {
    match ended.how {
        How::Refused(_) => Item::Refused(ended.id),
        How::NoAnswer(..) | How::Cancelled => Item::Ended(ended.id),
    }
}

impl Page {
    /// What ended without an answer before so many answers about the part came.
    pub(super) fn ends(&mut self, content: &Content<'_>, since: impl Fn(usize) -> bool) {
        let of_part = content.asking.ended.iter().filter(|ended| ended.what.part == *content.part);
        for ended in of_part.filter(|ended| since(ended.answers_since)) {
            self.of(item(ended), |page| page.ended(ended, content));
            self.blank();
        }
    }

    fn ended(&mut self, ended: &Ended, content: &Content<'_>) {
        let kind = title(ended.what.kind);
        match &ended.how {
            How::Refused(refusal) => {
                self.prose(&format!("{kind}: no answer, its checks failed"), Role::Must);
                self.about(&ended.what);
                let open = content.unfolded.contains(&item(ended));
                self.refusal(refusal, open, content);
            }
            How::NoAnswer(reason, why) => {
                self.prose(&format!("{kind}: no answer, {}", reason.words()), Role::Must);
                self.about(&ended.what);
                self.prose(why.as_str(), Role::Text);
                self.prose(&format!("What to do: {}.", reason.next()), Role::Dim);
            }
            How::Cancelled => {
                self.prose(&format!("{kind}: cancelled"), Role::Dim);
                self.about(&ended.what);
            }
        }
    }

    fn refusal(&mut self, refusal: &Refusal, open: bool, content: &Content<'_>) {
        for failure in &refusal.failed {
            self.prose(&format!("{}: {}", failure.check, failure.what), Role::Text);
        }
        let fold = if open { content.glyphs.unfolded } else { content.glyphs.folded };
        let words = if open { "folds it" } else { "shows what was refused" };
        self.push(
            vec![
                (format!("{fold} "), Role::Key),
                (format!("refused answer: {} {words}", content.keys.enter), Role::Dim),
            ],
            None,
        );
        if open {
            self.marked(MARK, "REFUSED: IT FAILED ITS CHECKS", Role::Must);
            self.marked(MARK, refusal.refused.as_str(), Role::Placeholder);
            self.marked(MARK, "END OF WHAT WAS REFUSED", Role::Must);
            self.prose(&answer::in_full(&refusal.stamp, false), Role::Dim);
        } else {
            self.prose(&answer::short(&refusal.stamp), Role::Dim);
        }
    }
}
