//! Writes a reading as the result form.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::{
    ChangeForm, ENCODING, EntityForm, FileForm, HunkForm, LeftOutForm, LineForm, NoiseForm, PartForm, ResultForm,
    SignalForm, VERSION,
};
use crate::change::diff::{DiffLine, Hunk};
use crate::change::parts::Piece;
use crate::change::{Facts, Missing, Origin, RankedPart, Reading, Texts};

/// The result of a reading, parts in reading order.
///
/// # Errors
/// [`Missing`] where a blob that the parts show is not here.
pub fn result_of(reading: &Reading) -> Result<ResultForm, Missing> {
    let change = &reading.change;
    let parts = reading.parts.iter().enumerate().map(|(at, part)| part_form(reading, at + 1, part));
    Ok(ResultForm {
        version: VERSION,
        encoding: ENCODING,
        pull_request: change_form(&change.facts),
        base_commit: change.base_commit.map(|id| id.to_string()),
        head_commit: change.head_commit.map(|id| id.to_string()),
        base_tree: change.base_tree.to_string(),
        head_tree: change.head_tree.to_string(),
        parts: parts.collect::<Result<_, _>>()?,
        left_out: reading
            .left_out
            .iter()
            .map(|left| LeftOutForm {
                what: left.what.clone(),
                path: left.path.as_ref().map(|path| path.text().into_owned()),
                why: left.why.clone(),
            })
            .collect(),
    })
}

fn change_form(facts: &Facts) -> ChangeForm {
    let (origin, request) = match &facts.origin {
        Origin::PullRequest(request) => ("pull request", Some(request)),
        Origin::Local { .. } => ("local", None),
        Origin::Recorded(_) => ("recorded", None),
    };
    ChangeForm {
        origin,
        url: request.map(crate::change::PullRequest::url),
        owner: request.map(|request| request.owner.clone()),
        repo: request.map(|request| request.repo.clone()),
        number: request.map(|request| request.number),
        title: facts.title.clone(),
        description: facts.description.clone(),
        author: facts.author.clone(),
        state: facts.state.map(crate::change::State::word),
        base_branch: facts.base_branch.clone(),
        head_branch: facts.head_branch.clone(),
        head_repository: facts.head_repository.clone(),
    }
}

fn part_form(reading: &Reading, number: usize, ranked: &RankedPart) -> Result<PartForm, Missing> {
    let RankedPart { part, rank, noise } = ranked;
    Ok(PartForm {
        id: part.key.0.clone(),
        number,
        name: part.name.to_string(),
        importance: rank.importance.words(),
        reason: rank.reason.to_string(),
        points: rank.points,
        signals: rank
            .signals
            .iter()
            .map(|signal| SignalForm { key: signal.key, phrase: signal.phrase.to_string(), points: signal.points })
            .collect(),
        noise: noise.as_ref().map(|noise| NoiseForm {
            label: noise.label.words(),
            state: noise.state.word(),
            rule: noise.rule,
            blind_spot: noise.blind_spot.clone(),
            sunk: rank.sunk,
        }),
        additions: part.additions,
        deletions: part.deletions,
        entities: part
            .entities
            .iter()
            .map(|entity| EntityForm {
                kind: entity.kind.word(),
                name: entity.name.clone(),
                public: entity.public,
                change: entity.change.word(),
            })
            .collect(),
        files: part.pieces.iter().map(|piece| file_form(reading, piece)).collect::<Result<_, _>>()?,
    })
}

fn file_form(reading: &Reading, piece: &Piece) -> Result<FileForm, Missing> {
    let (file, diff) = (&reading.change.files[piece.file], &reading.files[piece.file].diff);
    let texts = if piece.hunks.is_empty() { Texts::default() } else { reading.texts(piece.file)? };
    let (path, path_base64) = text_form(file.path.as_bytes());
    let previous = file.previous_path.as_ref().map(|path| text_form(path.as_bytes()));
    Ok(FileForm {
        path,
        path_base64,
        previous_path_base64: previous.as_ref().and_then(|(_, exact)| exact.clone()),
        previous_path: previous.map(|(path, _)| path),
        change: file.kind.word(),
        binary: diff.binary,
        base_mode: file.base.map(|version| version.mode.to_string()),
        head_mode: file.head.map(|version| version.mode.to_string()),
        base_size: file.base.and_then(|version| version.size),
        head_size: file.head.and_then(|version| version.size),
        base_lacks_newline: diff.base_lacks_newline,
        head_lacks_newline: diff.head_lacks_newline,
        hunks: piece
            .hunks
            .iter()
            .filter_map(|hunk| diff.hunks.get(*hunk))
            .map(|hunk| hunk_form(hunk, &texts))
            .collect(),
    })
}

fn hunk_form(hunk: &Hunk, texts: &Texts) -> HunkForm {
    let (base_start, base_count) = hunk.base_span();
    let (head_start, head_count) = hunk.head_span();
    HunkForm {
        base_start,
        base_count,
        head_start,
        head_count,
        heading: String::from_utf8_lossy(&hunk.heading).into_owned(),
        lines: hunk.lines().map(|line| line_form(line, texts)).collect(),
    }
}

fn line_form(line: DiffLine, texts: &Texts) -> LineForm {
    let (text, text_base64) = text_form(texts.line(line.kind, line.base_line, line.head_line));
    let number = |number: u32| (number > 0).then_some(number);
    LineForm {
        kind: line.kind.word(),
        base_line: number(line.base_line),
        head_line: number(line.head_line),
        text,
        text_base64,
    }
}

/// The text, and the exact bytes where the text cannot hold them.
fn text_form(bytes: &[u8]) -> (String, Option<String>) {
    match std::str::from_utf8(bytes) {
        Ok(text) => (text.to_owned(), None),
        Err(_) => (String::from_utf8_lossy(bytes).into_owned(), Some(STANDARD.encode(bytes))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_text_survive() {
        assert_eq!(text_form(b"plain\x1b"), ("plain\x1b".into(), None));
        assert_eq!(text_form(b"caf\xe9"), ("caf\u{fffd}".into(), Some("Y2Fm6Q==".into())));
    }
}
