//! The state of the screen. Changed by [`super::update`] alone; reading it changes nothing.

use std::sync::Arc;
use std::time::Duration;

use ratatui::layout::{Rect, Size};

use super::actions::{Action, KeyTable, Panes};
use super::asking::Asking;
use super::layout::{self, Focus, Layout};
use super::list::List;
use super::panes::diff::draw::Cites;
use super::panes::diff::{Diff, Subject};
use super::panes::reader::Reader;
use super::panes::scroll::Scroll;
use super::panes::side::SidePane;
use super::panes::side::rows::{self, Content, Named, SideRow, Whose};
use super::panes::tree::Tree;
use super::prompt::Prompt;
use super::shelf::Shelf;
use super::theme::Role;
use super::widgets::bars;
use super::widgets::brush::Look;
use crate::change::parts::ContentKey;
use crate::change::{Facts, ObjectId, RankedPart, Side};
use crate::engine::events::{Progress, Stage};
use crate::problem::Problem;
use crate::review::{KeptDraft, Review};

/// How far the change is here.
pub enum Phase {
    /// Nothing but perhaps its title.
    Loading,
    /// Its files are listed.
    Listed,
    /// Its parts are there.
    Open(Box<Review>),
    /// It cannot be opened.
    Failed(Problem),
}

/// Something laid over the panes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Overlay {
    /// A text, with its first row shown.
    Text(OverlayKind, usize),
    /// A list to pick from.
    List(List),
}

impl Overlay {
    /// It as the key table names it.
    pub fn panes(&self) -> Panes {
        match self {
            Self::Text(..) => Panes::OVERLAY,
            Self::List(list) => list.panes(),
        }
    }
}

/// A text laid over the panes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OverlayKind {
    /// The keys.
    Help,
    /// The change: commits, age, what was left out.
    About,
}

/// A short text that goes away by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Toast {
    /// What it says.
    pub text: String,
    /// How it looks.
    pub role: Role,
    /// When it goes, since the start of the session.
    pub until: Duration,
    /// Whether it answers a key: then the next key puts it away before.
    pub of_key: bool,
}

/// Where the reviewer was before a jump.
#[derive(Debug, Clone)]
pub struct Stand {
    /// What the diff showed.
    pub subject: Subject,
    /// The part that was selected.
    pub part: Option<ContentKey>,
    /// Where in it.
    pub scroll: Scroll,
    /// How far sideways.
    pub left: usize,
    /// The pane that had the focus.
    pub focus: Focus,
    /// Where in the side pane; none where it was closed.
    pub side: Option<Scroll>,
}

/// The whole state.
pub struct Model {
    /// The size of the terminal.
    pub size: Size,
    /// The time since the start of the session, as last told.
    pub now: Duration,
    /// How everything looks.
    pub look: Look,
    /// The live key table.
    pub keys: KeyTable,
    /// What the change is called, once known.
    pub facts: Option<Arc<Facts>>,
    /// The stages that began, in the order they did.
    pub stages: Vec<(Stage, Progress)>,
    /// How far the change is here.
    pub phase: Phase,
    /// What the panes read, once files are listed.
    pub reader: Option<Reader>,
    /// The head the source has now, where it is another than the one shown.
    pub moved: Option<ObjectId>,
    /// The pane that takes the keys.
    pub focus: Focus,
    /// What is laid over the panes.
    pub overlay: Option<Overlay>,
    /// What is being typed.
    pub prompt: Option<Prompt>,
    /// The tree.
    pub tree: Tree,
    /// The diff.
    pub diff: Diff,
    /// The side pane.
    pub side: SidePane,
    /// Lines that answers cite.
    pub cites: Cites,
    /// The asks of this session.
    pub asking: Asking,
    /// Texts and colours.
    pub shelf: Shelf,
    /// Short texts, newest last.
    pub toasts: Vec<Toast>,
    /// Where the reviewer was before each jump.
    pub jumps: Vec<Stand>,
}

/// What became of the part a listed draft was made about.
fn whose(review: &Review, kept: &KeptDraft, own: bool) -> Whose {
    let there = || review.parts().iter().any(|part| part.part.name.as_str() == kept.draft.part_name);
    match own {
        true => Whose::Own,
        false if there() => Whose::Changed,
        false => Whose::Gone,
    }
}

impl Model {
    /// The state before anything is known.
    pub fn new(size: Size, look: Look, keys: KeyTable) -> Self {
        Self {
            size,
            now: Duration::ZERO,
            look,
            keys,
            facts: None,
            stages: Vec::new(),
            phase: Phase::Loading,
            reader: None,
            moved: None,
            focus: Focus::Tree,
            overlay: None,
            prompt: None,
            tree: Tree::default(),
            diff: Diff::default(),
            side: SidePane::default(),
            cites: Cites::default(),
            asking: Asking::default(),
            shelf: Shelf::default(),
            toasts: Vec::new(),
            jumps: Vec::new(),
        }
    }

    /// The areas of the screen; none where it is too small.
    pub fn layout(&self) -> Option<Layout> {
        Layout::new(self.size, self.focus, self.side.open, self.moved.is_some())
    }

    fn rows_of(&self, area: impl Fn(&Layout) -> Option<Rect>, rows: impl Fn(Rect) -> Rect) -> Option<Rect> {
        self.layout().and_then(|layout| area(&layout)).map(rows)
    }

    /// Rows the tree has; 1 where it is not shown.
    pub fn tree_height(&self) -> usize {
        let rows = self.rows_of(|layout| layout.tree, |area| layout::titled(area).1);
        rows.map_or(1, |area| usize::from(area.height))
    }

    /// The banner of the diff and its rows; none where it is not shown.
    pub fn diff_areas(&self) -> Option<(Rect, Rect)> {
        let area = self.layout()?.diff?;
        let said = bars::banner_lines(self, area).len() as u16;
        Some(layout::diff_areas(area, 1 + said))
    }

    /// Rows the diff has; none where it is not shown.
    pub fn diff_height(&self) -> Option<usize> {
        self.diff_areas().map(|(_, rows)| usize::from(rows.height))
    }

    /// Rows the side pane has; 1 where it is not shown.
    pub fn side_height(&self) -> usize {
        let rows = self.rows_of(|layout| layout.side, |area| layout::titled(area).1);
        rows.map_or(1, |area| usize::from(area.height))
    }

    /// The review, once there are parts.
    pub fn review(&self) -> Option<&Review> {
        match &self.phase {
            Phase::Open(review) => Some(review),
            _ => None,
        }
    }

    /// The review, to change it.
    pub fn review_mut(&mut self) -> Option<&mut Review> {
        match &mut self.phase {
            Phase::Open(review) => Some(review),
            _ => None,
        }
    }

    /// The part whose diff is shown.
    pub fn part(&self) -> Option<&RankedPart> {
        self.review()?.parts().get(self.tree.current?)
    }

    /// The rows of the side pane at its present width.
    pub fn side_rows(&self) -> Vec<SideRow> {
        let (Some(review), Some(part)) = (self.review(), self.part()) else { return Vec::new() };
        let width = self.layout().and_then(|layout| layout.side).map_or(40, |area| usize::from(area.width));
        let answer = |(at, stale): &(usize, bool)| Some((*at, review.answers.get(*at)?, *stale));
        rows::rows(&Content {
            part: &part.part.key,
            asking: &self.asking,
            now: self.now,
            answers: self.side.answers.iter().filter_map(answer).collect(),
            drafts: review.drafts_of(part).into_iter().map(|(kept, own)| (kept, whose(review, kept, own))).collect(),
            unfolded: &self.side.unfolded,
            full_stamps: self.side.full_stamps,
            keys: self.named(),
            glyphs: &self.look.glyphs,
            width: width.saturating_sub(2),
        })
    }

    /// The keys that the side pane names.
    fn named(&self) -> Named {
        let key = |action| self.keys.key_of(action);
        let direct = self.keys.asks().iter().filter(|ask| ask.direct);
        Named {
            cancel: match self.focus {
                Focus::Side => format!("{} or {}", key(Action::Back), key(Action::Cancel)),
                _ => key(Action::Cancel),
            },
            enter: key(Action::Enter),
            menu: key(Action::Menu),
            asks: direct.map(|ask| (ask.key.to_owned(), ask.title)).collect(),
        }
    }

    /// Where a place is among the changed files; none where no changed file has that path on that side.
    pub fn file_of(&self, place: &crate::change::Place) -> Option<usize> {
        let files = &self.reader.as_ref()?.change().files;
        files.iter().position(|file| file.on(place.side).is_some() && *file.path_on(place.side) == place.path)
    }

    /// Which lines answers cite: the shown answer's by number, those of others and of other parts by a mark.
    pub fn cited_lines(&self, shown: Option<usize>) -> Cites {
        let mut cites = Cites::new();
        let Some(review) = self.review() else { return cites };
        // The shown answer comes last, so that its numbers win.
        let all = 0..review.answers.len();
        for at in all.filter(|at| Some(*at) != shown && self.can_show(*at)).chain(shown) {
            let Some(answer) = review.answers.get(at) else { continue };
            for (number, citation) in answer.citations.iter().enumerate().rev() {
                let digit = if Some(at) == shown && number < 9 { Some((number + 1).to_string()) } else { None };
                let mark = digit.unwrap_or_else(|| self.look.glyphs.cited.to_owned());
                let place = &citation.place;
                for file in self.file_of(place).into_iter().chain(self.shelf.find_whole(place.side, &place.path)) {
                    let lines = place.line..=place.end_line;
                    cites.extend(lines.take(500).map(|line| ((file, place.side, line), mark.clone())));
                }
            }
        }
        cites
    }

    /// Whether an answer is about a part that is there, or listed with the one that is selected.
    fn can_show(&self, answer: usize) -> bool {
        self.side.answers.iter().any(|(at, _)| *at == answer) || self.part_of_answer(answer).is_some()
    }

    /// The part that an answer is about, by position; none where it is no longer there.
    pub fn part_of_answer(&self, answer: usize) -> Option<usize> {
        let review = self.review()?;
        let content = &review.answers.get(answer)?.stamp.content;
        review.parts().iter().position(|part| part.part.key == *content)
    }

    /// The stage that runs, with how far it is.
    pub fn running_stage(&self) -> Option<(Stage, &str)> {
        self.stages.iter().rev().find_map(|(stage, progress)| match progress {
            Progress::Running(how_far) => Some((*stage, how_far.as_str())),
            _ => None,
        })
    }

    /// Whether the screen changes by time alone.
    pub fn wants_ticks(&self) -> bool {
        !self.asking.running.is_empty()
            || self.running_stage().is_some()
            || !self.toasts.is_empty()
            || matches!(self.phase, Phase::Loading)
    }

    /// The mark of something that runs, at this moment.
    pub fn spinner(&self) -> &'static str {
        let turns = &self.look.glyphs.spinner;
        turns[(self.now.as_millis() / 200) as usize % turns.len()]
    }

    /// Says something for a while.
    pub fn toast(&mut self, text: impl Into<String>, role: Role) {
        let seconds = if role == Role::Header { 4 } else { 10 };
        let (text, until) = (text.into(), self.now + Duration::from_secs(seconds));
        self.toasts.push(Toast { text, role, until, of_key: false });
    }

    /// The rows of a side that answers and jumps speak of; for tests and drawing alike.
    pub fn line_shown(&self, file: usize, side: Side, line: u32) -> bool {
        self.diff.index.find(file, side, line).is_some()
    }
}
