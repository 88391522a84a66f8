//! Small subjects for tests: a change in texts, read as the program reads it, with the facts given.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use std::sync::Arc;

use super::facts::{Facts, Named};
use super::subject::Subject;
use crate::change::fixtures::{Fixture, texts};
use crate::change::parts::{ContentKey, Piece, assemble, assign_keys};
use crate::change::rank::{Importance, Rank};
use crate::change::syntax::read;
use crate::change::{FileMode, RankedPart, Reading, Side, Thread};
use crate::text::clean;

/// A file of both sides.
#[derive(Debug, Clone)]
pub struct LabelledFile {
    /// Path at the head.
    pub path: String,
    /// Path at the base, where it moved.
    pub previous: Option<String>,
    /// Bytes and mode at the base.
    pub base: Option<(Vec<u8>, FileMode)>,
    /// Bytes and mode at the head.
    pub head: Option<(Vec<u8>, FileMode)>,
}

/// A change in texts; the first part is asked about.
#[derive(Debug, Clone, Default)]
pub struct Labelled {
    /// Title.
    pub title: String,
    /// Description.
    pub description: String,
    /// Files.
    pub files: Vec<LabelledFile>,
    /// Paths of each part.
    pub parts: Vec<Vec<String>>,
    /// Facts.
    pub facts: Facts,
    /// Review threads.
    pub threads: Vec<Thread>,
}

impl Labelled {
    /// Adds a file of ordinary mode.
    pub fn add_file(&mut self, path: &str, base: Option<&str>, head: Option<&str>) {
        let side = |text: Option<&str>| text.map(|text| (text.as_bytes().to_vec(), FileMode::REGULAR));
        let file = LabelledFile { path: path.to_owned(), previous: None, base: side(base), head: side(head) };
        self.files.push(file);
    }

    /// Adds a part of whole files.
    pub fn add_part(&mut self, paths: &[&str]) {
        self.parts.push(paths.iter().map(|path| (*path).to_owned()).collect());
    }

    /// Says who names something.
    pub fn add_named(&mut self, name: &str, references: &[&str], tests: &[&str]) {
        let paths = |paths: &[&str]| paths.iter().map(|path| (*path).into()).collect();
        let (references, tests) = (paths(references), paths(tests));
        self.facts.named.push(Named { name: name.to_owned(), references, tests, ..Named::default() });
    }

    /// The subject: the first part.
    pub fn subject(&self) -> Subject {
        Subject::new(Arc::new(self.reading()), 0, self.facts.clone()).unwrap()
    }

    /// The change as it is read.
    pub fn reading(&self) -> Reading {
        let mut fixture = Fixture::default().description(&self.description);
        for file in &self.files {
            let base_path = file.previous.as_ref().unwrap_or(&file.path);
            for (side, path, version) in [(Side::Base, base_path, &file.base), (Side::Head, &file.path, &file.head)] {
                if let Some((bytes, mode)) = version {
                    fixture = fixture.file(side, path, bytes, *mode);
                }
            }
            if let Some(previous) = &file.previous {
                fixture = fixture.rename(previous, &file.path);
            }
        }
        let (mut change, mut files) = fixture.build();
        change.facts.title.clone_from(&self.title);
        change.threads.clone_from(&self.threads);
        for (file, reading) in change.files.iter().zip(&mut files) {
            let syntax = read(file, &texts(&change, file), &reading.diff);
            reading.entities = syntax.entities;
            reading.entities_not_read = syntax.entities_not_read;
            reading.formatting = syntax.formatting;
        }
        let piece = |path: &String| {
            let file = change.files.iter().position(|file| file.path.text() == path.as_str()).expect("a changed file");
            Piece { file, hunks: (0..files[file].diff.hunks.len()).collect() }
        };
        let mut parts: Vec<_> =
            self.parts.iter().map(|paths| assemble(&change, &files, paths.iter().map(piece).collect())).collect();
        assign_keys(&change, &files, &mut parts);
        let rank = Rank {
            importance: Importance::MustReview,
            reason: clean("code"),
            points: 1,
            signals: Vec::new(),
            sunk: false,
        };
        let ranked = |part| RankedPart { part, rank: rank.clone(), noise: None };
        let parts = parts.into_iter().map(ranked).collect();
        Reading { change: Arc::new(change), files: Arc::new(files), parts, left_out: Vec::new() }
    }
}

/// A change of one file that is one part.
pub fn one_part(path: &str, base: &str, head: &str) -> Labelled {
    let mut labelled = Labelled::default();
    labelled.add_file(path, Some(base), Some(head));
    labelled.add_part(&[path]);
    labelled
}

/// A key of a part, for tests that need any.
pub fn key() -> ContentKey {
    ContentKey("0".repeat(64))
}
