//! The ranked tree: sections by importance with their parts; before there are parts, the changed files.

pub mod draw;

use super::scroll::Scroll;
use crate::change::RankedPart;
use crate::change::noise::NoiseState;
use crate::change::rank::Importance;
use crate::review::{Count, Review};
use crate::tui::actions::Action;
use crate::tui::theme::Role;

/// A section of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Section {
    /// Parts of an importance.
    Of(Importance),
    /// Parts that sank.
    Noise,
}

impl Section {
    /// Every section in order.
    pub const ALL: [Self; 4] = [
        Self::Of(Importance::MustReview),
        Self::Of(Importance::WorthReviewing),
        Self::Of(Importance::Context),
        Self::Noise,
    ];

    /// The section a part stands in.
    pub fn holding(part: &RankedPart) -> Self {
        if part.rank.sunk { Self::Noise } else { Self::Of(part.rank.importance) }
    }

    /// Its words, as a heading says them in capitals.
    pub fn words(self) -> &'static str {
        match self {
            Self::Of(importance) => importance.words(),
            Self::Noise => "noise",
        }
    }

    /// Its short word, for the line on top.
    pub fn short(self) -> &'static str {
        self.words().split(' ').next().unwrap_or("")
    }

    /// How its heading looks.
    pub fn role(self) -> Role {
        match self {
            Self::Of(Importance::MustReview) => Role::Must,
            Self::Of(Importance::WorthReviewing) => Role::Worth,
            Self::Of(Importance::Context) => Role::Context,
            Self::Noise => Role::Noise,
        }
    }
}

/// A row of the tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Row {
    /// The heading of a section.
    Section(Section),
    /// A part, by its position in reading order.
    Part(usize),
    /// A changed file, by its position in the change.
    File(usize),
}

/// The state of the pane.
#[derive(Debug, Default)]
pub struct Tree {
    /// Its rows.
    pub rows: Vec<Row>,
    /// The cursor among them.
    pub scroll: Scroll,
    /// Whether the noise is unfolded.
    pub noise_open: bool,
    /// Parts and marked parts of each section, in the order of [`Section::ALL`].
    pub counts: [Count; 4],
    /// Parts that sank: confirmed and claimed.
    pub noise: (usize, usize),
    /// The part or file whose diff is shown, by position.
    pub current: Option<usize>,
}

impl Tree {
    /// Shows changed files, as long as there are no parts.
    pub fn list_files(&mut self, files: usize) {
        self.rows = (0..files).map(Row::File).collect();
        self.current = (files > 0).then_some(0);
        self.scroll = Scroll::default();
    }

    /// Shows the parts of a review anew; the cursor stays on the current part.
    pub fn list_parts(&mut self, review: &Review, height: usize) {
        self.count(review);
        let on_fold = self.rows.get(self.scroll.cursor) == Some(&Row::Section(Section::Noise));
        self.rows.clear();
        for section in Section::ALL {
            let before = self.rows.len();
            self.rows.push(Row::Section(section));
            let members = review.parts().iter().enumerate().filter(|(_, part)| Section::holding(part) == section);
            let shown = section != Section::Noise || self.noise_open;
            self.rows.extend(members.filter(|_| shown).map(|(at, _)| Row::Part(at)));
            if self.rows.len() == before + 1 && (section != Section::Noise || self.counts[3].parts == 0) {
                self.rows.pop();
            }
        }
        let wanted = if on_fold { Some(Row::Section(Section::Noise)) } else { self.current.map(Row::Part) };
        let row =
            self.rows.iter().position(|row| Some(*row) == wanted).or_else(|| self.rows.iter().position(can_stand));
        self.scroll.go(row.unwrap_or(0), self.rows.len(), height);
    }

    /// Counts parts and marks anew.
    pub fn count(&mut self, review: &Review) {
        self.counts = Section::ALL.map(|section| match section {
            Section::Of(importance) => review.count(importance),
            Section::Noise => review.count_noise(),
        });
        let sunk = review.parts().iter().filter(|part| part.rank.sunk);
        let states = sunk.filter_map(|part| part.noise.as_ref()).map(|noise| noise.state);
        self.noise = states.fold((0, 0), |(confirmed, claimed), state| match state {
            NoiseState::Confirmed => (confirmed + 1, claimed),
            NoiseState::Claimed => (confirmed, claimed + 1),
        });
    }

    /// The count of a section.
    pub fn count_of(&self, section: Section) -> Count {
        let at = Section::ALL.iter().position(|one| *one == section).unwrap_or(0);
        self.counts[at]
    }

    /// The row under the cursor.
    pub fn row(&self) -> Option<Row> {
        self.rows.get(self.scroll.cursor).copied()
    }

    /// Does what a key asks; the current part or file follows the cursor.
    pub fn act(&mut self, action: Action, height: usize) {
        let cursor = self.scroll.cursor;
        let stands = |at: &usize| self.rows.get(*at).is_some_and(can_stand);
        let row = match action {
            Action::Down => (cursor + 1..self.rows.len()).find(stands),
            Action::Up => (0..cursor).rev().find(stands),
            Action::Top => (0..self.rows.len()).find(stands),
            Action::Bottom => (0..self.rows.len()).rev().find(stands),
            Action::HalfDown => {
                let goal = (cursor + height / 2).min(self.rows.len().saturating_sub(1));
                (goal..self.rows.len()).find(stands).or_else(|| (cursor..goal).rev().find(stands))
            }
            Action::HalfUp => {
                let goal = cursor.saturating_sub(height / 2);
                (0..=goal).rev().find(stands).or_else(|| (goal..cursor).find(stands))
            }
            _ => None,
        };
        if let Some(row) = row {
            self.stand(row, height);
        }
    }

    fn stand(&mut self, row: usize, height: usize) {
        self.scroll.go(row, self.rows.len(), height);
        if row <= 1 {
            self.scroll.top = 0;
        }
        if let Some(Row::Part(at) | Row::File(at)) = self.row() {
            self.current = Some(at);
        }
    }

    /// Puts the cursor on a part or file, unfolding the noise if it is there.
    pub fn select(&mut self, at: usize, review: Option<&Review>, height: usize) {
        self.current = Some(at);
        if let Some(review) = review
            && review.parts().get(at).is_some_and(|part| part.rank.sunk)
            && !self.noise_open
        {
            self.noise_open = true;
            self.list_parts(review, height);
        }
        let wanted = [Row::Part(at), Row::File(at)];
        if let Some(row) = self.rows.iter().position(|row| wanted.contains(row)) {
            self.stand(row, height);
        }
    }
}

/// Whether the cursor may stand on a row.
fn can_stand(row: &Row) -> bool {
    !matches!(row, Row::Section(Section::Of(_)))
}
