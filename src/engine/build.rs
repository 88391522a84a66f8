//! The pipeline in one function: a change goes in, a reading comes out.

use std::sync::Arc;

use rayon::prelude::*;

use crate::change::noise::{self, Attributes, NoiseInput};
use crate::change::syntax;
use crate::change::{
    Change, ChangeKind, ChangedFile, FileReading, LeftOut, Reading, RepoPath, Side, Texts, diff, parts, rank, texts_of,
};
use crate::index;
use crate::problem::Problem;

/// Reads a change: hunks, entities, noise, parts and their order, before references are counted.
///
/// # Errors
/// A [`Problem`] where the parts do not hold every changed line exactly once; such a review is never shown.
pub fn read(change: Change) -> Result<Reading, Problem> {
    let change = Arc::new(change);
    let files: Arc<Vec<FileReading>> = Arc::new(read_files(&change));
    let parts = parts::cut(&change, &files);
    parts::check(&change, &files, &parts).map_err(|problems| {
        Problem::new(format!("the parts do not hold every changed line exactly once ({})", problems.join("; ")))
            .hint("please report this change; nothing is shown rather than something wrong")
    })?;
    let left_out = change.left_out.iter().cloned().chain(left_out(&change, &files)).collect();
    let parts = rank::rank(&change, &files, parts, None);
    Ok(Reading { change, files, parts, left_out })
}

/// Counts references over the head tree and ranks again; what a part is does not change.
pub fn with_references(reading: &Reading) -> (Reading, Option<index::Mentions>) {
    let mut reading = reading.clone();
    let parts: Vec<_> = reading.parts.iter().map(|ranked| ranked.part.clone()).collect();
    match index::mentions(&*reading.change.trees, &index::all_names(&parts), index::Limits::default()) {
        Ok(mentions) => {
            let references = index::references(&reading.change, &parts, &mentions);
            reading.parts = rank::rank(&reading.change, &reading.files, parts, Some(&references));
            let skipped = mentions.skipped.iter();
            reading.left_out.extend(skipped.map(|(path, why)| left_out_of("references", Some(path), why)));
            (reading, Some(mentions))
        }
        Err(error) => {
            reading.left_out.push(left_out_of("references", None, &error.to_string()));
            (reading, None)
        }
    }
}

fn left_out_of(what: &str, path: Option<&RepoPath>, why: &str) -> LeftOut {
    LeftOut { what: what.to_owned(), path: path.cloned(), why: why.to_owned() }
}

/// The first file that has hunks, with its diff: what is on screen before parts are cut.
pub fn first_diff(change: &Change) -> Option<(usize, diff::FileDiff)> {
    change.files.iter().take(FIRST_FILES).enumerate().find_map(|(at, file)| {
        let diff = diff_of(file, &texts_of(change, file).ok()?);
        (!diff.hunks.is_empty()).then_some((at, diff))
    })
}

/// How many files are tried for the first diff.
const FIRST_FILES: usize = 8;

fn read_files(change: &Change) -> Vec<FileReading> {
    let attributes = attributes(change);
    change.files.par_iter().map(|file| read_file(change, file, &attributes)).collect()
}

fn read_file(change: &Change, file: &ChangedFile, attributes: &Attributes) -> FileReading {
    let (texts, not_read) = match texts_of(change, file) {
        Ok(texts) => (texts, None),
        Err(missing) => (Texts::default(), Some(missing.why)),
    };
    let mut diff = if not_read.is_some() { diff::FileDiff::default() } else { diff_of(file, &texts) };
    diff.not_read = diff.not_read.or(not_read);
    let syntax = syntax::read(file, &texts, &diff);
    let noise = noise::assess(&NoiseInput { file, diff: &diff, texts: &texts, attributes });
    let noise = match noise {
        Some(noise) if noise.may_be_proved() => noise::prove_lockfile(change, file, &texts).or(Some(noise)),
        noise => noise,
    };
    FileReading {
        diff,
        entities: syntax.entities,
        entities_not_read: syntax.entities_not_read,
        formatting: syntax.formatting,
        noise,
    }
}

fn diff_of(file: &ChangedFile, texts: &Texts) -> diff::FileDiff {
    if file.kind == ChangeKind::TypeChange { diff::replacement(texts) } else { diff::diff(texts) }
}

/// What the root `.gitattributes` of the head declares, compared with the base's; a missing one declares nothing.
fn attributes(change: &Change) -> Attributes {
    let path = RepoPath::from(".gitattributes");
    let read = |side| {
        let file = change.trees.file(side, &path).ok().flatten()?;
        change.trees.blob(file.blob).ok()
    };
    let (base, head) = (read(Side::Base), read(Side::Head));
    Attributes::read(head.as_deref().unwrap_or_default()).compared_with(base.as_deref().unwrap_or_default())
}

fn left_out(change: &Change, files: &[FileReading]) -> Vec<LeftOut> {
    let mut left_out = Vec::new();
    for (file, reading) in change.files.iter().zip(files) {
        let mut push = |what, why: &str| left_out.push(left_out_of(what, Some(&file.path), why));
        if let Some(why) = &reading.diff.not_read {
            push("diff", why);
        }
        if let Some(why) = &reading.entities_not_read {
            push("entities", why);
        }
        // What could not be parsed was said already.
        if let syntax::Formatting::NotChecked(why) = &reading.formatting
            && !reading.diff.hunks.is_empty()
            && reading.entities_not_read.is_none()
        {
            push("formatting-only", why);
        }
    }
    left_out
}
