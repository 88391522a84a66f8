//! Keys in, screen out.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

mod asks;
mod behaviour;
mod cost;
mod guidance;
mod hostile;
mod review;
mod snapshots;

use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::layout::Size;

use super::actions::{AskKey, KeyTable};
use super::glyphs;
use super::keys::Key;
use super::message::{Effect, Message};
use super::model::Model;
use super::theme::{Depth, Kind, Theme};
use super::update::update;
use super::view;
use super::widgets::brush::Look;
use crate::ask::Takes;
use crate::change::syntax::{Span, Token};
use crate::change::{Change, Side, Text, Texts};
use crate::engine::events::{Event, Request};
use std::sync::Arc;

const EXPLAIN: AskKey =
    AskKey { kind: "explain", title: "Explain this part", key: "e", takes: Takes::Part, direct: true };
const VERIFY: AskKey = AskKey { kind: "verify", title: "Is this true?", key: "v", takes: Takes::Claim, direct: false };
const COVER: AskKey = AskKey { kind: "cover", title: "What tests this?", key: "c", takes: Takes::Part, direct: false };
const THREAD: AskKey =
    AskKey { kind: "thread", title: "Where does this thread stand?", key: "t", takes: Takes::Thread, direct: false };
const QUESTION: AskKey =
    AskKey { kind: "question", title: "Ask in your words", key: "q", takes: Takes::Question, direct: false };
/// One ask of each kind of subject.
const ASKS: [AskKey; 5] = [EXPLAIN, VERIFY, COVER, THREAD, QUESTION];

/// The screen with an engine that answers for texts and colours at once.
struct Screen {
    model: Model,
    change: Option<Arc<Change>>,
    /// Every effect but requests for texts and colours, since the last look.
    effects: Vec<Effect>,
    /// Whether texts are kept back.
    slow: bool,
}

impl Screen {
    fn new(width: u16, height: u16) -> Self {
        let look = Look { theme: Theme::built_in(Kind::Dark, Depth::True), glyphs: glyphs::USUAL, tab: 4 };
        let model = Model::new(Size::new(width, height), look, KeyTable::new(&ASKS));
        Self { model, change: None, effects: Vec::new(), slow: false }
    }

    /// A screen on which a review is open.
    fn on(review: crate::review::Review, width: u16, height: u16) -> Self {
        let mut screen = Self::new(width, height);
        screen.event(Event::Opened(Arc::new(review)));
        screen
    }

    fn event(&mut self, event: Event) -> &mut Self {
        match &event {
            Event::Opened(review) => self.change = Some(Arc::clone(&review.reading.change)),
            Event::Listed(change, _) => self.change = Some(Arc::clone(change)),
            _ => {}
        }
        self.send(Message::Engine(event))
    }

    fn send(&mut self, message: Message) -> &mut Self {
        let mut messages = vec![message];
        while let Some(message) = messages.pop() {
            for effect in update(&mut self.model, message) {
                match self.answer(&effect) {
                    Some(event) => messages.push(Message::Engine(event)),
                    None => self.effects.push(effect),
                }
            }
        }
        self
    }

    /// Presses keys, written with spaces between them.
    fn keys(&mut self, keys: &str) -> &mut Self {
        for key in keys.split(' ') {
            self.send(Message::Key(Key::parse(key).unwrap_or_else(|| panic!("no key {key}"))));
        }
        self
    }

    fn answer(&self, effect: &Effect) -> Option<Event> {
        let change = self.change.as_ref()?;
        match effect {
            Effect::Send(Request::Texts { file }) if !self.slow => {
                let texts = read_texts(change, *file);
                Some(Event::Texts(*file, texts))
            }
            Effect::Send(Request::File { side, path }) if !self.slow => {
                let version = change.trees.file(*side, path).unwrap();
                let bytes = version.map(|version| change.trees.blob(version.blob).unwrap());
                let text = bytes.map(Text::new).ok_or_else(|| "there is no such file".to_owned());
                Some(Event::File { side: *side, path: path.clone(), text })
            }
            Effect::Send(Request::FileColours { side, path, lines }) => {
                let file = self.model.shelf.find_whole(*side, path)?;
                let text = self.model.shelf.text(file, *side)?;
                let spans = Ok(lines.clone().map(|line| colours(text, line)).collect());
                Some(Event::FileColours { side: *side, path: path.clone(), lines: lines.clone(), spans })
            }
            Effect::Send(Request::Colours { file, side, lines }) => {
                let text = self.model.shelf.text(*file, *side)?;
                let spans = lines.clone().map(|line| colours(text, line)).collect();
                Some(Event::Colours { file: *file, side: *side, lines: lines.clone(), spans: Ok(spans) })
            }
            _ => None,
        }
    }

    fn buffer(&self) -> Buffer {
        let mut terminal = Terminal::new(TestBackend::new(self.model.size.width, self.model.size.height)).unwrap();
        terminal.draw(|frame| view::draw(&self.model, frame)).unwrap();
        terminal.backend().buffer().clone()
    }

    /// The screen as text, spaces at line ends cut.
    fn text(&self) -> String {
        let buffer = self.buffer();
        let mut text = String::new();
        for y in 0..buffer.area.height {
            let mut line = String::new();
            let mut skip = 0;
            for x in 0..buffer.area.width {
                if skip > 0 {
                    skip -= 1;
                    continue;
                }
                let symbol = buffer[(x, y)].symbol();
                skip = unicode_width::UnicodeWidthStr::width(symbol).saturating_sub(1);
                line.push_str(symbol);
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }

    fn shows(&self, text: &str) -> bool {
        self.text().contains(text)
    }

    fn row_with(&self, text: &str) -> Option<u16> {
        self.text().lines().position(|line| line.contains(text)).map(|row| row as u16)
    }

    fn sent(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }
}

/// Colours the first word of a line as a keyword.
fn colours(text: &Text, line: u32) -> Vec<Span> {
    let bytes = text.line(line).unwrap_or_default();
    let start = bytes.iter().position(u8::is_ascii_alphabetic).unwrap_or(0);
    let length = bytes[start..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    vec![Span { start: start as u32, end: (start + length) as u32, token: Token::Keyword }]
}

/// The other side's name reads better in assertions.
const HEAD: Side = Side::Head;

fn read_texts(change: &Change, file: usize) -> Result<Texts, String> {
    let file = &change.files[file];
    let read = |side| match file.on(side) {
        Some(version) if version.mode.has_blob() => change.trees.blob(version.blob).map(|bytes| Some(Text::new(bytes))),
        _ => Ok(None),
    };
    let texts = read(Side::Base).and_then(|base| Ok(Texts { base, head: read(Side::Head)? }));
    texts.map_err(|missing| missing.to_string())
}
