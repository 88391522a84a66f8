//! The snapshot's own form, and the way to and from it.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::change::diff::{FileDiff, Hunk, LineKind, Run};
use crate::change::noise::{self, Noise, NoiseLabel, NoiseState};
use crate::change::parts::{ContentKey, Part, Piece};
use crate::change::rank::{self, Importance, Rank, Signal};
use crate::change::syntax::{Entity, EntityChange, EntityKind, Formatting};
use crate::change::{
    ChangeKind, ChangedFile, FileMode, FileReading, FileVersion, LeftOut, ObjectId, RankedPart, Reading, RepoPath,
};
use crate::text::clean;

#[derive(Serialize, Deserialize)]
pub(super) struct Snapshot {
    changed: Vec<ChangedForm>,
    files: Vec<FileForm>,
    parts: Vec<PartForm>,
    left_out: Vec<(String, Option<Vec<u8>>, String)>,
}

/// What a snapshot holds, as values of the domain.
pub(super) struct Kept {
    pub changed: Vec<ChangedFile>,
    pub files: Vec<FileReading>,
    pub parts: Vec<RankedPart>,
    pub left_out: Vec<LeftOut>,
}

type VersionForm = ([u8; 20], u32, Option<u64>);
type NoiseForm = (u8, u8, String, String);
/// Kind, base line, head line, count.
type RunForm = (u8, u32, u32, u32);
/// Kind, name, public, change.
type EntityForm = (u8, String, bool, u8);

#[derive(Serialize, Deserialize)]
struct ChangedForm {
    path: Vec<u8>,
    previous: Option<Vec<u8>>,
    kind: u8,
    base: Option<VersionForm>,
    head: Option<VersionForm>,
}

#[derive(Serialize, Deserialize)]
struct FileForm {
    binary: bool,
    additions: u32,
    deletions: u32,
    base_lacks_newline: bool,
    head_lacks_newline: bool,
    not_read: Option<String>,
    hunks: Vec<HunkForm>,
    entities_not_read: Option<String>,
    formatting: FormattingForm,
    noise: Option<NoiseForm>,
}

#[derive(Serialize, Deserialize)]
struct HunkForm {
    base: Range<u32>,
    head: Range<u32>,
    heading: Vec<u8>,
    runs: Vec<RunForm>,
    digest: [u8; 32],
    entities: Vec<EntityForm>,
}

#[derive(Serialize, Deserialize)]
enum FormattingForm {
    Confirmed,
    Changed(Option<u32>),
    NotChecked(String),
}

#[derive(Serialize, Deserialize)]
struct PartForm {
    key: String,
    name: String,
    pieces: Vec<(usize, Vec<usize>)>,
    entities: Vec<EntityForm>,
    additions: u32,
    deletions: u32,
    importance: u8,
    reason: String,
    points: u32,
    /// Key, phrase, points.
    signals: Vec<(String, String, u32)>,
    sunk: bool,
    noise: Option<NoiseForm>,
}

const CHANGE_KINDS: [ChangeKind; 5] =
    [ChangeKind::Addition, ChangeKind::Deletion, ChangeKind::Modification, ChangeKind::Rename, ChangeKind::TypeChange];
const LINE_KINDS: [LineKind; 3] = [LineKind::Context, LineKind::Deletion, LineKind::Addition];
const ENTITY_CHANGES: [EntityChange; 4] =
    [EntityChange::Body, EntityChange::Declaration, EntityChange::Added, EntityChange::Removed];
const NOISE_STATES: [NoiseState; 2] = [NoiseState::Confirmed, NoiseState::Claimed];

/// The position of a value in the list that the form counts by.
fn position<T: PartialEq>(list: &[T], value: &T) -> u8 {
    list.iter().position(|entry| entry == value).and_then(|at| u8::try_from(at).ok()).unwrap_or(u8::MAX)
}

fn at<T: Copy>(list: &[T], position: u8) -> Option<T> {
    list.get(usize::from(position)).copied()
}

pub(super) fn write(reading: &Reading) -> Snapshot {
    Snapshot {
        changed: reading.change.files.iter().map(write_changed).collect(),
        files: reading.files.iter().map(write_file).collect(),
        parts: reading.parts.iter().map(write_part).collect(),
        left_out: reading
            .left_out
            .iter()
            .map(|left| (left.what.clone(), left.path.as_ref().map(|path| path.as_bytes().to_vec()), left.why.clone()))
            .collect(),
    }
}

fn write_changed(file: &ChangedFile) -> ChangedForm {
    let version = |version: FileVersion| (*version.blob.as_bytes(), version.mode.0, version.size);
    ChangedForm {
        path: file.path.as_bytes().to_vec(),
        previous: file.previous_path.as_ref().map(|path| path.as_bytes().to_vec()),
        kind: position(&CHANGE_KINDS, &file.kind),
        base: file.base.map(version),
        head: file.head.map(version),
    }
}

fn write_file(file: &FileReading) -> FileForm {
    let diff = &file.diff;
    let no_entities = Vec::new();
    let entities = |hunk: usize| file.entities.get(hunk).unwrap_or(&no_entities).iter().map(write_entity).collect();
    FileForm {
        binary: diff.binary,
        additions: diff.additions,
        deletions: diff.deletions,
        base_lacks_newline: diff.base_lacks_newline,
        head_lacks_newline: diff.head_lacks_newline,
        not_read: diff.not_read.clone(),
        hunks: diff
            .hunks
            .iter()
            .enumerate()
            .map(|(at, hunk)| HunkForm {
                base: hunk.base.clone(),
                head: hunk.head.clone(),
                heading: hunk.heading.clone(),
                runs: hunk.runs.iter().map(write_run).collect(),
                digest: hunk.digest,
                entities: entities(at),
            })
            .collect(),
        entities_not_read: file.entities_not_read.clone(),
        formatting: match &file.formatting {
            Formatting::Confirmed => FormattingForm::Confirmed,
            Formatting::StructureChanged(line) => FormattingForm::Changed(*line),
            Formatting::NotChecked(why) => FormattingForm::NotChecked(why.clone()),
        },
        noise: file.noise.as_ref().map(write_noise),
    }
}

fn write_run(run: &Run) -> RunForm {
    (position(&LINE_KINDS, &run.kind), run.base_line, run.head_line, run.count)
}

fn write_entity(entity: &Entity) -> EntityForm {
    (
        position(&EntityKind::ALL, &entity.kind),
        entity.name.clone(),
        entity.public,
        position(&ENTITY_CHANGES, &entity.change),
    )
}

fn write_noise(noise: &Noise) -> NoiseForm {
    (
        position(&NoiseLabel::ALL, &noise.label),
        position(&NOISE_STATES, &noise.state),
        noise.rule.to_owned(),
        noise.blind_spot.clone(),
    )
}

fn write_part(ranked: &RankedPart) -> PartForm {
    let RankedPart { part, rank, noise } = ranked;
    PartForm {
        key: part.key.0.clone(),
        name: part.name.to_string(),
        pieces: part.pieces.iter().map(|piece| (piece.file, piece.hunks.clone())).collect(),
        entities: part.entities.iter().map(write_entity).collect(),
        additions: part.additions,
        deletions: part.deletions,
        importance: position(&Importance::ALL, &rank.importance),
        reason: rank.reason.to_string(),
        points: rank.points,
        signals: rank
            .signals
            .iter()
            .map(|signal| (signal.key.to_owned(), signal.phrase.to_string(), signal.points))
            .collect(),
        sunk: rank.sunk,
        noise: noise.as_ref().map(write_noise),
    }
}

/// The values a snapshot holds; none where it names something this program does not know.
pub(super) fn read(snapshot: Snapshot) -> Option<Kept> {
    let files: Vec<FileReading> = snapshot.files.into_iter().map(read_file).collect::<Option<_>>()?;
    let kept = Kept {
        changed: snapshot.changed.into_iter().map(read_changed).collect::<Option<_>>()?,
        parts: snapshot.parts.into_iter().map(|part| read_part(part, &files)).collect::<Option<_>>()?,
        files,
        left_out: snapshot
            .left_out
            .into_iter()
            .map(|(what, path, why)| LeftOut { what, path: path.map(RepoPath::new), why })
            .collect(),
    };
    (kept.changed.len() == kept.files.len()).then_some(kept)
}

fn read_changed(file: ChangedForm) -> Option<ChangedFile> {
    let version =
        |(blob, mode, size): VersionForm| FileVersion { blob: ObjectId::new(blob), mode: FileMode(mode), size };
    Some(ChangedFile {
        path: RepoPath::new(file.path),
        previous_path: file.previous.map(RepoPath::new),
        kind: at(&CHANGE_KINDS, file.kind)?,
        base: file.base.map(version),
        head: file.head.map(version),
    })
}

fn read_file(file: FileForm) -> Option<FileReading> {
    let mut hunks = Vec::with_capacity(file.hunks.len());
    let mut entities = Vec::with_capacity(file.hunks.len());
    for hunk in file.hunks {
        entities.push(hunk.entities.into_iter().map(read_entity).collect::<Option<_>>()?);
        hunks.push(Hunk {
            base: hunk.base,
            head: hunk.head,
            heading: hunk.heading,
            runs: hunk.runs.into_iter().map(read_run).collect::<Option<_>>()?,
            digest: hunk.digest,
        });
    }
    Some(FileReading {
        diff: FileDiff {
            binary: file.binary,
            hunks,
            additions: file.additions,
            deletions: file.deletions,
            base_lacks_newline: file.base_lacks_newline,
            head_lacks_newline: file.head_lacks_newline,
            not_read: file.not_read,
        },
        entities,
        entities_not_read: file.entities_not_read,
        formatting: match file.formatting {
            FormattingForm::Confirmed => Formatting::Confirmed,
            FormattingForm::Changed(line) => Formatting::StructureChanged(line),
            FormattingForm::NotChecked(why) => Formatting::NotChecked(why),
        },
        noise: file.noise.map(|noise| read_noise(noise).ok_or(())).transpose().ok()?,
    })
}

fn read_run((kind, base_line, head_line, count): RunForm) -> Option<Run> {
    (count > 0).then_some(Run { kind: at(&LINE_KINDS, kind)?, base_line, head_line, count })
}

fn read_entity((kind, name, public, change): EntityForm) -> Option<Entity> {
    Some(Entity { kind: at(&EntityKind::ALL, kind)?, name, public, change: at(&ENTITY_CHANGES, change)? })
}

fn read_noise((label, state, rule, blind_spot): NoiseForm) -> Option<Noise> {
    Some(Noise {
        label: at(&NoiseLabel::ALL, label)?,
        state: at(&NOISE_STATES, state)?,
        rule: noise::rule_names().find(|known| *known == rule)?,
        blind_spot,
    })
}

fn read_part(part: PartForm, files: &[FileReading]) -> Option<RankedPart> {
    let exists = |(file, hunks): &(usize, Vec<usize>)| {
        files.get(*file).is_some_and(|file| hunks.iter().all(|hunk| *hunk < file.diff.hunks.len()))
    };
    if !part.pieces.iter().all(exists) {
        return None;
    }
    Some(RankedPart {
        part: Part {
            key: ContentKey(part.key),
            name: clean(&part.name),
            pieces: part.pieces.into_iter().map(|(file, hunks)| Piece { file, hunks }).collect(),
            entities: part.entities.into_iter().map(read_entity).collect::<Option<_>>()?,
            additions: part.additions,
            deletions: part.deletions,
        },
        rank: Rank {
            importance: at(&Importance::ALL, part.importance)?,
            reason: clean(&part.reason),
            points: part.points,
            signals: part.signals.into_iter().map(read_signal).collect::<Option<_>>()?,
            sunk: part.sunk,
        },
        noise: part.noise.map(|noise| read_noise(noise).ok_or(())).transpose().ok()?,
    })
}

fn read_signal((key, phrase, points): (String, String, u32)) -> Option<Signal> {
    let key = rank::signal_keys().find(|known| *known == key)?;
    Some(Signal { key, phrase: clean(&phrase), points })
}
