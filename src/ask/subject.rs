//! `Subject`: what an ask is about, prepared once, so that briefs, checks and plain answers only compute.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::about::{About, Wanted};
use super::check::names::Shown;
use super::code::identifiers;
use super::facts::{Facts, last_segment};
use super::question::Takes;
use super::signature::{Signature, is_test, signature};
use crate::change::diff::LineKind;
use crate::change::rank::{Role, role_of};
use crate::change::syntax::{Entity, EntityKind, declarations};
use crate::change::{Missing, PartLine, Place, RankedPart, Reading, RepoPath, Side};
use crate::text::{Clean, clean};

/// Lines of other parts that are read for the names they show; what is beyond is said to be unread.
const OTHER_LINES: usize = 60_000;

/// Characters of the shortest name that says something wherever another part holds it; a shorter one only where it is
/// called.
const TELLING: usize = 4;

/// What an ask is about: a part, what it shows, and what the program knows around it.
pub struct Subject {
    /// The change.
    pub reading: Arc<Reading>,
    /// The part's position in `reading.parts`.
    pub at: usize,
    /// Every line the part shows, context included, in order.
    pub lines: Vec<PartLine>,
    /// The part's entities with their declarations on both sides, in order of first appearance.
    pub declared: Vec<Declared>,
    /// The other parts, in reading order.
    pub others: Vec<OtherPart>,
    /// What the index counted.
    pub facts: Facts,
    /// What it is about beside the part.
    pub about: About,
    /// The names and paths that the whole change and the facts show.
    pub shown: Shown,
}

/// An entity of the part with its declarations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Declared {
    /// The entity.
    pub entity: Entity,
    /// Its file's position in `Change::files`.
    pub file: usize,
    /// Whether it is a test, by its name in a test file or by an attribute of it.
    pub test: bool,
    /// How the base declares it; none where it does not, or where that was not read.
    pub base: Option<Signature>,
    /// How the head declares it; none where it does not, or where that was not read.
    pub head: Option<Signature>,
}

/// Another part of the change, and how the two name each other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OtherPart {
    /// Its number on screen, counted from 1.
    pub number: usize,
    /// Its name.
    pub name: Clean,
    /// Names this part declares, adds as keys or removes that changed lines of the other part name.
    pub uses: Vec<String>,
    /// Entities of the other part, qualified, that changed lines of this part name.
    pub used: Vec<String>,
}

impl Subject {
    /// Prepares everything that can be computed from the reading; `facts` come from the index.
    ///
    /// # Errors
    /// [`Missing`] where a blob of the part itself is not here. Other parts that cannot be read are only said to be
    /// unread in `shown`.
    pub fn new(reading: Arc<Reading>, at: usize, facts: Facts) -> Result<Self, Missing> {
        let lines = reading.lines(&reading.parts[at].part)?;
        let declared = declared(&reading, &reading.parts[at])?;
        let mut parts = vec![(at, lines.clone())];
        let (mut budget, mut complete) = (OTHER_LINES, true);
        for (other, part) in reading.parts.iter().enumerate().filter(|(other, _)| *other != at) {
            let count = shown_lines(&reading, part);
            if count > budget {
                complete = false;
                continue;
            }
            match reading.lines(&part.part) {
                Ok(lines) => {
                    budget -= count;
                    parts.push((other, lines));
                }
                Err(_) => complete = false,
            }
        }
        let shown = Shown::collect(&reading, &parts, &facts, complete);
        let others = others(&reading, at, &declared, &parts);
        Ok(Self { reading, at, lines, declared, others, facts, about: About::Part, shown })
    }

    /// The same, about what was picked beside the part.
    ///
    /// # Errors
    /// What is missing, too long, or not there, in one sentence.
    pub fn about(mut self, takes: Takes, wanted: &Wanted) -> Result<Self, String> {
        self.about = About::find(takes, wanted, &self.reading, self.at, &self.lines)?;
        Ok(self)
    }

    /// The part.
    pub fn part(&self) -> &RankedPart {
        &self.reading.parts[self.at]
    }

    /// The position in `lines` of a line of a side, if the part shows it.
    pub fn find(&self, path: &RepoPath, side: Side, line: u32) -> Option<usize> {
        self.lines.iter().position(|shown| {
            let number = if side == Side::Base { shown.base_line } else { shown.head_line };
            number == line && line > 0 && self.reading.change.files[shown.file].path_on(side) == path
        })
    }

    /// The place of a shown line on the side that shows it: the base for a deletion, the head for everything else.
    pub fn place(&self, line: &PartLine) -> Place {
        let (side, number) =
            if line.kind == LineKind::Deletion { (Side::Base, line.base_line) } else { (Side::Head, line.head_line) };
        Place { path: self.reading.path_of(line).clone(), side, line: number, end_line: number }
    }

    /// What the program itself states, one sentence each: counts, then how other parts name this one.
    pub fn fact_sentences(&self) -> Vec<Clean> {
        let mut sentences = self.facts.sentences();
        for other in &self.others {
            if !other.uses.is_empty() {
                sentences.push(clean(&format!(
                    "Part {} (`{}`) names {} in its changed lines.",
                    other.number,
                    other.name,
                    ticked(&other.uses)
                )));
            }
            if !other.used.is_empty() {
                sentences.push(clean(&format!(
                    "This part names {}, which part {} (`{}`) changes.",
                    ticked(&other.used),
                    other.number,
                    other.name
                )));
            }
        }
        sentences
    }
}

/// Names in backticks, joined.
fn ticked(names: &[String]) -> String {
    super::facts::join(&names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
}

fn shown_lines(reading: &Reading, part: &RankedPart) -> usize {
    let hunks = |piece: &crate::change::parts::Piece| -> usize {
        let diff = &reading.files[piece.file].diff;
        piece.hunks.iter().filter_map(|hunk| diff.hunks.get(*hunk)).map(|hunk| hunk.len() as usize).sum()
    };
    part.part.pieces.iter().map(hunks).sum()
}

/// The name by which other code speaks of an entity: its last segment; for a constructor, or a Python method such as
/// `__enter__`, that of the type around it.
pub fn spoken(entity: &Entity) -> &str {
    let last = last_segment(&entity.name);
    let unwritten =
        entity.kind == EntityKind::Constructor || (last.len() > 4 && last.starts_with("__") && last.ends_with("__"));
    match entity.name.rsplit('.').nth(1) {
        Some(owner) if unwritten => owner,
        _ => last,
    }
}

/// The part's entities, each once a file with its strongest change, and their declarations.
fn declared(reading: &Reading, part: &RankedPart) -> Result<Vec<Declared>, Missing> {
    let mut all: Vec<Declared> = Vec::new();
    for piece in &part.part.pieces {
        let (file, texts) = (&reading.change.files[piece.file], reading.texts(piece.file)?);
        let first = all.len();
        for entity in piece.hunks.iter().filter_map(|hunk| reading.files[piece.file].entities.get(*hunk)).flatten() {
            let known = all[first..].iter_mut().find(|d| d.entity.kind == entity.kind && d.entity.name == entity.name);
            match known {
                Some(known) => known.entity.change = known.entity.change.max(entity.change),
                None => {
                    all.push(Declared { entity: entity.clone(), file: piece.file, test: false, base: None, head: None })
                }
            }
        }
        if all.len() == first {
            continue;
        }
        for side in [Side::Base, Side::Head] {
            let Some(text) = texts.on(side) else { continue };
            // A language without a grammar has no entities either; a side that cannot be parsed shows no declaration.
            let declarations = declarations(file.path_on(side), text).unwrap_or_default();
            for entry in &mut all[first..] {
                let found = declarations.iter().find(|d| d.kind == entry.entity.kind && d.name == entry.entity.name);
                entry.test |= found.is_some_and(|found| is_test(file.path_on(side), text, found));
                let signature = found.and_then(|found| signature(file.path_on(side), side, text, found));
                match side {
                    Side::Base => entry.base = signature,
                    Side::Head => entry.head = signature,
                }
            }
        }
    }
    Ok(all)
}

/// The identifiers of changed lines, and those of them that are called.
#[derive(Default)]
struct Changed {
    identifiers: BTreeSet<String>,
    called: BTreeSet<String>,
}

impl Changed {
    fn of(lines: &[PartLine]) -> Self {
        let mut changed = Self::default();
        for line in lines.iter().filter(|line| line.kind != LineKind::Context) {
            let text = line.text.as_str();
            for word in identifiers(text) {
                let end = word.as_ptr() as usize - text.as_ptr() as usize + word.len();
                if text[end..].starts_with('(') {
                    changed.called.insert(word.to_owned());
                }
                changed.identifiers.insert(word.to_owned());
            }
        }
        changed
    }

    fn names(&self, name: &str) -> bool {
        let telling = name.chars().count() >= TELLING;
        if telling { self.identifiers.contains(name) } else { self.called.contains(name) }
    }
}

/// How the other parts and this one name each other, by whole identifiers in changed lines.
fn others(reading: &Reading, at: usize, declared: &[Declared], parts: &[(usize, Vec<PartLine>)]) -> Vec<OtherPart> {
    let own = Changed::of(&parts[0].1);
    fn declares(part: &RankedPart) -> BTreeSet<&str> {
        part.part.entities.iter().map(spoken).collect()
    }
    let own_names = declares(&reading.parts[at]);
    let role = |part: &RankedPart| {
        let piece = part.part.pieces.first();
        piece.map_or(Role::Code, |piece| role_of(&reading.change.files[piece.file].path))
    };
    let mut wanted: Vec<String> = declared.iter().map(|d| spoken(&d.entity).to_owned()).collect();
    let of_keys = declared.is_empty() && matches!(role(&reading.parts[at]), Role::Config | Role::Data | Role::Code);
    if of_keys {
        wanted.extend(super::code::keys(&parts[0].1));
    }
    let mut seen = BTreeSet::new();
    wanted.retain(|name| seen.insert(name.clone()));
    let mut others = Vec::new();
    for (other, part) in reading.parts.iter().enumerate().filter(|(other, _)| *other != at) {
        let theirs = parts.iter().find(|(n, _)| *n == other).map(|(_, lines)| Changed::of(lines)).unwrap_or_default();
        let their_names = declares(part);
        // A key is a common word: only code that names it is told.
        let listened = !of_keys || matches!(role(part), Role::Code | Role::Test);
        let uses = wanted.iter().filter(|name| listened && theirs.names(name) && !their_names.contains(name.as_str()));
        let mut said = BTreeSet::new();
        let used = part.part.entities.iter().filter(|entity| {
            let name = spoken(entity);
            said.insert(name) && own.names(name) && !own_names.contains(name)
        });
        others.push(OtherPart {
            number: other + 1,
            name: part.part.name.clone(),
            uses: uses.cloned().collect(),
            used: used.map(|entity| clean(&entity.name).into_string()).collect(),
        });
    }
    others
}

#[cfg(test)]
mod tests {
    use crate::ask::fixtures::Labelled;

    /// A short name is a word of any text; called, it is the declaration.
    #[test]
    fn short_names_count_where_they_are_called() {
        let mut labelled = Labelled::default();
        labelled.add_file("pool.go", Some("package pool\n"), Some("package pool\n\nfunc (p *Pool) Put(n int) {\n}\n"));
        labelled.add_file("pool_test.go", Some("package pool\n"), Some("package pool\n\nvar put = p.Put(1)\n"));
        labelled.add_file("notes.md", Some("x\n"), Some("Put it away.\n"));
        labelled.add_part(&["pool.go"]);
        labelled.add_part(&["pool_test.go"]);
        labelled.add_part(&["notes.md"]);
        let subject = labelled.subject();
        let uses: Vec<&[String]> = subject.others.iter().map(|other| other.uses.as_slice()).collect();
        assert_eq!(uses, [["Put".to_owned()].as_slice(), &[]]);
    }
}
