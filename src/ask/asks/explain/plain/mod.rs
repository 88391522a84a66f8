//! The built-in answer: what the lines, the declarations and the counted facts say, each sentence resting on one of them.
//!
//! It reads tokens, not meaning, and its words claim no more: that a line names, calls or raises something.

mod declarations;
mod does;
mod edits;
mod essay;
mod files;
mod marks;
mod matters;
mod moves;
mod notes;
mod pairs;
mod prose;

use super::Explanation;
use crate::ask::Subject;
use essay::Essay;
use notes::Notes;

/// Composes the answer.
pub fn answer(subject: &Subject) -> Explanation {
    let notes = Notes::take(subject);
    let mut essay = Essay::new(subject);
    does::write(&mut essay, &notes);
    let does = essay.section();
    matters::write(&mut essay, &notes);
    let matters = essay.section();
    Explanation { does, matters, cited: essay.cited() }
}
