//! The rule that makes importance and order out of signals. Same parts in, same order out.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::noise::sinks;
use super::{Importance, PartView, Rank, References, SIGNALS, Signal, SignalRule, formatting_only};
use crate::change::noise::combined;
use crate::change::parts::Part;
use crate::change::{Change, FileReading, RankedPart};
use crate::text::clean;

/// Points from which a part is a candidate for must review.
const MUST_REVIEW: u32 = 4;

/// Points from which a part is worth reviewing.
const WORTH_REVIEWING: u32 = 2;

/// Said of a candidate that the cap holds back.
const HELD_BACK: &str = "not must review only because at most a third of the parts are";

/// Ranks parts: the most important first, sunk noise last in the order given.
///
/// At most a third of the parts that do not sink, rounded up, are must review. Parts of equal importance are
/// ordered by points, then by changed lines, then as given.
pub fn rank(
    change: &Change,
    files: &[FileReading],
    parts: Vec<Part>,
    references: Option<&References>,
) -> Vec<RankedPart> {
    let judge = |part: Part| {
        let view = PartView::new(&part, change, files, references);
        let rank = judged(&view);
        let noise = combined(view.of_files().map(|(_, reading)| reading.noise.as_ref()));
        RankedPart { rank, noise, part }
    };
    let judged: Vec<RankedPart> = parts.into_par_iter().map(judge).collect();
    let (mut ranked, sunk): (Vec<_>, Vec<_>) = judged.into_iter().partition(|part| !part.rank.sunk);
    sort(&mut ranked);
    let most = ranked.len().div_ceil(3);
    for part in ranked.iter_mut().skip(most).filter(|part| part.rank.importance == Importance::MustReview) {
        part.rank.importance = Importance::WorthReviewing;
        part.rank.reason = clean(&format!("{}; {HELD_BACK}", part.rank.reason));
    }
    sort(&mut ranked);
    ranked.extend(sunk);
    ranked
}

/// A stable sort, so that parts equal in all that counts stay as given.
fn sort(parts: &mut [RankedPart]) {
    parts.sort_by_key(|part| (part.rank.importance, Reverse(part.rank.points), Reverse(part.part.changed_lines())));
}

fn judged(view: &PartView<'_>) -> Rank {
    let mut read: Vec<(&dyn SignalRule, Signal)> =
        SIGNALS.iter().filter_map(|rule| Some((*rule, rule.read(view)?))).collect();
    let sunk = sinks(view);
    let layout_only = read.iter().any(|(_, signal)| signal.key == formatting_only::KEY);
    if sunk || layout_only {
        read.iter_mut().for_each(|(_, signal)| signal.points = 0);
    }
    let points = read.iter().map(|(_, signal)| signal.points).sum();
    let importance = match points {
        MUST_REVIEW.. => Importance::MustReview,
        WORTH_REVIEWING.. => Importance::WorthReviewing,
        _ => Importance::Context,
    };
    let cited: Vec<&str> = read
        .iter()
        .filter(|(rule, signal)| signal.points > 0 || rule.always_cited())
        .map(|(_, signal)| signal.phrase.as_str())
        .collect();
    let reason = clean(&cited.join("; "));
    Rank { importance, reason, points, signals: read.into_iter().map(|(_, signal)| signal).collect(), sunk }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::change::fixtures::Fixture;
    use crate::change::noise::{Noise, NoiseLabel, NoiseState};
    use crate::change::parts::cut;
    use crate::change::rank::PartReferences;
    use crate::change::syntax::{EntityChange, Formatting};

    fn lines(word: &str, count: usize) -> String {
        (0..count).map(|n| format!("{word} {n}\n")).collect()
    }

    /// `importance points: reason` of each part, in order.
    fn ranked(change: &Change, files: &[FileReading], references: Option<&References>) -> Vec<String> {
        rank(change, files, cut(change, files), references)
            .into_iter()
            .map(|part| format!("{} {}: {}", part.rank.importance.words(), part.rank.points, part.rank.reason))
            .collect()
    }

    fn edited(path: &str, count: usize) -> Fixture {
        Fixture::new(&[(path, &lines("old", count))], &[(path, &lines("new", count))])
    }

    /// References that give every part the same number of files.
    fn named_by(change: &Change, files: &[FileReading], count: usize, test: bool) -> References {
        let mut paths: Vec<_> = (0..count).map(|n| format!("other{n}.py").as_str().into()).collect();
        if test {
            paths[0] = "tests/a.py".into();
        }
        let of = |part: Part| (part.key, PartReferences { names: vec!["close".to_owned()], files: paths.clone() });
        References { parts: cut(change, files).into_iter().map(of).collect() }
    }

    #[test]
    fn a_reason_reads_as_plain_words() {
        let (change, files) =
            edited("net/pool.py", 25).entity("net/pool.py", 0, "Pool.close", true, EntityChange::Declaration).build();
        assert_eq!(
            ranked(&change, &files, Some(&named_by(&change, &files, 7, true))),
            ["must review 8: public surface: Pool.close; code; 7 other files name it (by name only); 50 changed lines"]
        );
        assert_eq!(
            ranked(&change, &files, Some(&named_by(&change, &files, 1, false))),
            ["must review 7: public surface: Pool.close; code; 1 other file names it (by name only); \
              no test file names it; 50 changed lines"]
        );
        assert_eq!(
            ranked(&change, &files, None),
            ["must review 6: public surface: Pool.close; code; 50 changed lines"]
        );
    }

    #[test]
    fn what_is_new_counts_as_new_and_not_by_its_names() {
        let (change, files) =
            Fixture::new(&[], &[("a.py", "x\n")]).entity("a.py", 0, "f", false, EntityChange::Added).build();
        assert_eq!(
            ranked(&change, &files, Some(&named_by(&change, &files, 9, true))),
            ["worth reviewing 2: code; new; 1 changed line"]
        );
    }

    #[test]
    fn removals_are_named() {
        let (change, files) = edited("a.py", 1)
            .entity("a.py", 0, "f", true, EntityChange::Removed)
            .entity("a.py", 0, "g", true, EntityChange::Declaration)
            .entity("a.py", 0, "h", true, EntityChange::Body)
            .build();
        assert_eq!(
            ranked(&change, &files, None),
            ["must review 4: public surface: g, removes f; code; 2 changed lines"]
        );
    }

    #[test]
    fn only_code_has_a_public_surface_and_what_acts_is_no_context() {
        let of = |path: &str, count| {
            let (change, files) = edited(path, count).entity(path, 0, "f", true, EntityChange::Added).build();
            ranked(&change, &files, None).remove(0)
        };
        assert_eq!(of("tests/a.py", 1), "context 0: test; 2 changed lines");
        assert_eq!(of("README.md", 30), "worth reviewing 2: docs; 60 changed lines");
        assert_eq!(of("data/a.json", 30), "context 1: data; 60 changed lines");
        assert_eq!(of("app.yaml", 5), "context 1: config; 10 changed lines");
        assert_eq!(
            of(".github/workflows/ci.yml", 1),
            "worth reviewing 2: build; CI: runs with the repository's rights; 2 changed lines"
        );
        assert_eq!(of("Dockerfile", 25), "must review 4: build; container: what ships; 50 changed lines");
        assert_eq!(
            of("app/migrations/1.py", 1),
            "must review 6: public surface: f; code; database schema or migration; 2 changed lines"
        );
    }

    #[test]
    fn at_most_a_third_is_must_review_and_the_rest_says_why() {
        let paths = ["a.py", "b.py", "c.py", "d.py"];
        let texts: Vec<_> = (0..4).map(|n| (lines("old", 10 + n), lines("new", 10 + n))).collect();
        let base: Vec<_> = paths.iter().zip(&texts).map(|(path, text)| (*path, text.0.as_str())).collect();
        let head: Vec<_> = paths.iter().zip(&texts).map(|(path, text)| (*path, text.1.as_str())).collect();
        let mut fixture = Fixture::new(&base, &head);
        for path in paths {
            fixture = fixture.entity(path, 0, "f", true, EntityChange::Declaration);
        }
        let (change, files) = fixture.build();
        let ranked = rank(&change, &files, cut(&change, &files), None);
        let order: Vec<_> = ranked.iter().map(|part| (part.part.name.as_str(), part.rank.importance)).collect();
        use Importance::{MustReview, WorthReviewing};
        assert_eq!(
            order,
            [
                ("f in d.py", MustReview),
                ("f in c.py", MustReview),
                ("f in b.py", WorthReviewing),
                ("f in a.py", WorthReviewing)
            ]
        );
        assert!(ranked[2].rank.reason.as_str().ends_with(HELD_BACK));
        assert!(!ranked[1].rank.reason.as_str().ends_with(HELD_BACK));
    }

    #[test]
    fn layout_is_context_and_noise_sinks_in_the_order_given() {
        let (old, new) = (lines("old", 60), lines("new", 60));
        let base = [("a.lock", "1\n"), ("b.py", &old), ("c.snap", &old), ("z.lock", "1\n")];
        let head = [("a.lock", "2\n"), ("b.py", &new), ("c.snap", &new), ("z.lock", "2\n")];
        let (change, mut files) = Fixture::new(&base, &head).entity("b.py", 0, "f", true, EntityChange::Added).build();
        let noise = |label| Some(Noise { label, state: NoiseState::Claimed, rule: "r", blind_spot: String::new() });
        files[0].noise = noise(NoiseLabel::Lockfile);
        files[1].formatting = Formatting::Confirmed;
        files[2].noise = noise(NoiseLabel::Snapshot);
        files[3].noise = noise(NoiseLabel::Lockfile);
        assert_eq!(
            ranked(&change, &files, None),
            [
                "worth reviewing 2: noise: snapshot (claimed); test; 120 changed lines",
                "context 0: only the layout changed: the syntax trees are equal; code; 120 changed lines",
                "context 0: noise: lockfile (claimed); build; 2 changed lines",
                "context 0: noise: lockfile (claimed); build; 2 changed lines",
            ]
        );
        let parts = rank(&change, &files, cut(&change, &files), None);
        assert_eq!(parts.iter().map(|part| part.rank.sunk).collect::<Vec<_>>(), [false, false, true, true]);
        assert_eq!(parts[2].noise, files[0].noise);
        assert_eq!(parts[1].noise, None);
    }

    #[test]
    fn a_lockfile_with_unexplained_entries_does_not_sink() {
        let (change, mut files) = edited("Cargo.lock", 60).build();
        files[0].noise = Some(Noise {
            label: NoiseLabel::Lockfile,
            state: NoiseState::Claimed,
            rule: crate::change::noise::UNEXPLAINED,
            blind_spot: String::new(),
        });
        assert_eq!(
            ranked(&change, &files, None),
            ["worth reviewing 2: noise: lockfile (claimed); entries that no change of a manifest explains; build; \
              120 changed lines"]
        );
    }

    #[test]
    fn a_file_that_was_not_compared_is_worth_a_look() {
        let (change, mut files) = edited("data.json", 1).build();
        files[0].diff.not_read = Some("too large\x07".to_owned());
        assert_eq!(
            ranked(&change, &files, None),
            ["worth reviewing 2: not compared: too large^G; data; 2 changed lines"]
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn ranking_keeps_every_part_and_holds_the_cap(
            files in proptest::collection::btree_map("[a-d]{1,3}\\.(py|md|lock)", (0..70usize, any::<bool>(), any::<bool>()), 1..12),
        ) {
            let texts: Vec<_> = files.iter().map(|(path, (count, ..))| (path, lines("new", count + 1))).collect();
            let head: Vec<_> = texts.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
            let mut fixture = Fixture::new(&[], &head);
            for (path, (_, public, _)) in &files {
                fixture = fixture.entity(path, 0, "f", *public, EntityChange::Added);
            }
            let (change, mut readings) = fixture.build();
            for (reading, (.., noise)) in readings.iter_mut().zip(files.values()) {
                reading.noise = noise.then(|| Noise {
                    label: NoiseLabel::Generated, state: NoiseState::Claimed, rule: "r", blind_spot: String::new(),
                });
            }
            let parts = cut(&change, &readings);
            let ranked = rank(&change, &readings, parts.clone(), None);
            let mut before: Vec<_> = parts.iter().map(|part| part.key.clone()).collect();
            let mut after: Vec<_> = ranked.iter().map(|part| part.part.key.clone()).collect();
            before.sort();
            after.sort();
            prop_assert_eq!(before, after);
            let live: Vec<_> = ranked.iter().take_while(|part| !part.rank.sunk).collect();
            prop_assert!(ranked[live.len()..].iter().all(|part| part.rank.sunk && part.rank.points == 0));
            prop_assert!(live.iter().map(|part| part.rank.importance).is_sorted());
            let must = live.iter().filter(|part| part.rank.importance == Importance::MustReview).count();
            prop_assert!(must <= live.len().div_ceil(3));
            prop_assert!(ranked.iter().all(|part| part.rank.points == part.rank.signals.iter().map(|s| s.points).sum::<u32>()));
            prop_assert!(ranked.iter().all(|part| !part.rank.reason.as_str().is_empty()));
        }
    }
}
