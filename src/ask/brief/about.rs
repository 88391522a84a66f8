//! What an ask is about beside the part: a claim, selected lines, a thread, the reviewer's question.

use super::page::{Page, counted};
use crate::agent::tools::Ledger;
use crate::ask::about::{About, Lines};
use crate::ask::claims::Claim;
use crate::ask::head;
use crate::ask::subject::Subject;
use crate::ask::thread::Transcript;
use crate::change::{Place, Side, Text};
use crate::text::{clean_bytes, excerpt};

/// Lines before and after the place of a thread that are shown with it.
const AROUND: u32 = 4;

/// Lines of a thread's place that are shown at most.
const PLACE_LINES: u32 = 24;

/// Writes it; lines that it shows go into the ledger.
pub fn write(page: &mut Page<'_>, subject: &Subject, given: &mut Ledger) {
    one(page, subject, &subject.about, given);
}

fn one(page: &mut Page<'_>, subject: &Subject, about: &About, given: &mut Ledger) {
    match about {
        About::Part => {}
        About::Claim(claim) => self::claim(page, claim),
        About::Lines(lines) => selected(page, lines, given),
        About::Thread(transcript) => {
            thread(page, transcript);
            code(page, subject, transcript, given);
        }
        About::Words(words, on) => {
            page.say(match on.as_ref() {
                About::Lines(_) => "The reviewer asks about lines of the part that they selected. The question:\n",
                About::Thread(_) => "The reviewer asks about a review thread on the part. The question:\n",
                _ => "The reviewer asks about the part. The question:\n",
            });
            page.question(words);
            one(page, subject, on, given);
        }
    }
}

fn claim(page: &mut Page<'_>, claim: &Claim) {
    page.say("What is asked about is this claim. It is there to be judged, not to be believed.\n");
    let place = match &claim.place {
        Some(place) => format!("in a comment at {}", at(place)),
        None => "in the description".to_owned(),
    };
    page.data("claim, after where it is made", &format!("{place}\n{}", claim.text));
}

fn selected(page: &mut Page<'_>, lines: &Lines, given: &mut Ledger) {
    let place = &lines.place;
    page.say("What is asked about are these lines of the part, which the reviewer selected.\n");
    let numbered = lines.texts.iter().zip(place.line..).map(|(text, number)| {
        let side = place.side.word();
        format!("{side} {number} | {}", excerpt(text))
    });
    let text: Vec<String> = std::iter::once(format!("file {}", place.path.shown())).chain(numbered).collect();
    page.data("selected lines", &text.join("\n"));
    given.enter(place.side, &place.path, place.line..=place.end_line);
}

fn thread(page: &mut Page<'_>, transcript: &Transcript) {
    let resolved = if transcript.resolved { "marked as resolved" } else { "not marked as resolved" };
    let outdated = if transcript.outdated { ", and the code it was written about has changed since" } else { "" };
    page.say(&format!(
        "The review thread. It is {resolved}{outdated}. What people say in it may be wrong or settled.\n"
    ));
    let comments = match &transcript.comments {
        Ok(comments) => comments,
        Err(why) => {
            page.say("Its comments could not be had. Answer without them, and say so.\n");
            page.not_shown(&format!(
                "The comments of the thread could not be read ({why}); it was asked about without them."
            ));
            return;
        }
    };
    let mut text = vec![match &transcript.place {
        Some(place) => format!("at {}", at(place)),
        None => "at a place that is no longer in the change".to_owned(),
    }];
    for (number, said) in comments.iter().enumerate() {
        if number == 1 && transcript.left_out > 0 {
            text.push(format!("({} left out here)", counted(transcript.left_out, "comment")));
        }
        text.push(format!("{} wrote:", said.author));
        // So that nothing in a comment can pass for the next one.
        text.extend(said.text.as_str().lines().map(|line| format!("| {line}")));
    }
    page.data("thread", &text.join("\n"));
    if transcript.left_out > 0 {
        let left_out = counted(transcript.left_out, "comment");
        page.say(&format!("{left_out} between the first and the newest are left out for their length.\n"));
        page.not_shown(&format!(
            "{left_out} of the thread, between the first and the newest, were not shown to the agent."
        ));
    }
    if transcript.cut > 0 {
        let were = if transcript.cut == 1 { "was" } else { "were" };
        page.not_shown(&format!("{} of the thread {were} cut for length.", counted(transcript.cut, "comment")));
    }
}

/// The lines a thread stands at, where the part does not show them all.
fn code(page: &mut Page<'_>, subject: &Subject, transcript: &Transcript, given: &mut Ledger) {
    let Some(place) = &transcript.place else { return };
    let last = place.end_line.min(place.line.saturating_add(PLACE_LINES));
    if (place.line..=last).all(|line| given.has(place.side, &place.path, line)) {
        return;
    }
    let Ok(text) = text_of(subject, place) else {
        page.say("The lines it stands at cannot be shown.\n");
        return;
    };
    let (first, last) = (place.line.saturating_sub(AROUND).max(1), last.saturating_add(AROUND).min(text.lines()));
    let side = place.side.word();
    let lines = (first..=last).filter_map(|number| Some((number, clean_bytes(text.line(number)?))));
    let lines: Vec<String> = lines.map(|(number, line)| format!("{side} {number} | {}", excerpt(&line))).collect();
    if lines.is_empty() {
        page.say("The file has no such lines any more.\n");
        return;
    }
    page.data("lines the thread stands at", &format!("file {}\n{}", place.path.shown(), lines.join("\n")));
    given.enter(place.side, &place.path, first..=last);
}

/// The text a thread stands in: at the head any, at the base that of a changed file.
fn text_of(subject: &Subject, place: &Place) -> Result<Text, String> {
    if place.side == Side::Head {
        return head::text(subject, &place.path);
    }
    let change = &subject.reading.change;
    let file = change.files.iter().position(|file| file.path_on(Side::Base) == &place.path);
    let texts = subject.reading.texts(file.ok_or("no such file")?).map_err(|missing| missing.to_string())?;
    texts.base.ok_or_else(|| "no text".to_owned())
}

fn at(place: &Place) -> String {
    let lines = match place.end_line > place.line {
        true => format!("{}-{}", place.line, place.end_line),
        false => place.line.to_string(),
    };
    format!("{}:{lines} ({})", place.path.shown(), place.side.word())
}
