//! Drives an installed agent program: finds it, learns what it can do, locks it down, feeds it and reads its events.
//!
//! What differs between programs is a [`Dialect`]; the order of things, the limits and the end are the same for all.
//! A program without a flag that the lockdown needs is refused, never run loosened. It is judged by what it says and
//! by what reached our tools, never by its exit code.

mod driver;
mod failure;
mod find;
mod group;
mod known;
mod running;

pub use super::lockdown::fence::{Fence, run_inside};
pub use super::lockdown::remove_run;
pub use driver::Program;
pub use group::end_group;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use known::Known;

use super::lockdown::environment::Family;
use super::tools::SUBMIT;
use super::{Choice, Request};

/// What differs between agent programs.
pub trait Dialect: Send + Sync {
    /// The agent's name.
    fn name(&self) -> &'static str;

    /// The program's name on the search path.
    fn program(&self) -> &'static str;

    /// Its variables: those that say how the reviewer is signed in are kept, the others of its family are not.
    fn family(&self) -> Family;

    /// Variables of the environment that sign it in by themselves.
    fn keys(&self) -> &'static [&'static str];

    /// Variables it is given.
    fn given(&self) -> &'static [(&'static str, &'static str)];

    /// The files and folders in which it keeps its sign-in and its state: the variable that names the folder, and those
    /// below the reviewer's home where it is not set.
    fn state(&self) -> (&'static str, &'static [&'static str]);

    /// The arguments with which it says what it can do.
    fn helps(&self) -> &'static [&'static [&'static str]];

    /// What its help has to list: what the lockdown cannot do without.
    fn needed(&self) -> &'static [&'static str];

    /// The arguments with which it says whether it is signed in, without spending anything; none where it cannot.
    fn login(&self, choice: &Choice) -> Option<Vec<String>>;

    /// Reads what it said to that: its output, and its words on standard error.
    fn read_login(&self, output: &str, words: &[String]) -> Login;

    /// What to do where it is not signed in.
    fn sign_in(&self) -> &'static str;

    /// The words it takes for how hard to think. Others it would pass over in silence.
    fn efforts(&self) -> &'static [&'static str];

    /// What holds its own tools back, in the words of a stamp.
    fn own_tools(&self) -> &'static str {
        "none of its own tools"
    }

    /// What stands before the names of our tools there.
    fn prefix(&self) -> &'static str;

    /// Writes what it needs for a run, beside our own files.
    ///
    /// # Errors
    /// Where a file cannot be written.
    fn prepare(&self, _run: &Invocation<'_>) -> std::io::Result<()> {
        Ok(())
    }

    /// Its arguments for a run, and what it reads on standard input.
    ///
    /// # Errors
    /// Which wish of the reviewer's it cannot fulfil, in one sentence.
    fn invoke(&self, run: &Invocation<'_>) -> Result<(Vec<OsString>, String), String>;

    /// Reads the events of one run.
    fn reader(&self) -> Box<dyn Reader>;
}

/// Whether a program is signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Login {
    /// It is, and how, where it says so.
    In(Option<String>),
    /// It is not.
    Out,
    /// It does not say.
    Unknown,
}

/// What a run is made from.
pub struct Invocation<'a> {
    known: &'a Known,
    /// Who was chosen.
    pub choice: &'a Choice,
    /// What is asked.
    pub request: &'a Request,
    /// The program that carries our tools to it, with its arguments.
    pub bridge: (PathBuf, Vec<String>),
    /// The folder for our own files.
    pub files: PathBuf,
    /// The empty folder in which it stands.
    pub empty: PathBuf,
    prefix: &'static str,
}

impl Invocation<'_> {
    /// Whether its help lists this.
    pub fn has(&self, word: &str) -> bool {
        self.known.has(word)
    }

    /// The names of our tools, as they are called there.
    pub fn tools(&self) -> Vec<String> {
        let reading = self.request.tools.tools().iter().map(|tool| tool.name());
        reading.chain([SUBMIT]).map(|name| format!("{}{name}", self.prefix)).collect()
    }

    /// Who it is and how it has to answer, with the names its tools have there.
    pub fn instructions(&self) -> String {
        let (prefix, all) = (self.prefix, self.tools().join(", "));
        format!(
            "{}\nYou have these tools and no others: {all}. They read both trees of the change. Nothing else can be \
             read: not the folder you stand in, not the network.\nHand in the answer by calling {prefix}{SUBMIT} \
             with it as the arguments. Do not write it as text.\n",
            self.request.instructions.trim_end()
        )
    }

    /// What it is asked, with what came before.
    pub fn prompt(&self) -> String {
        match &self.request.note {
            None => self.request.prompt.clone(),
            Some(note) => format!("{}\n{note}\n", self.request.prompt),
        }
    }
}

/// What a line of a program's output came to.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// What it is doing, in a few words.
    Doing(String),
    /// The model that answers.
    Model(String),
    /// What the run used so far: tokens, and US dollars.
    Used(Option<u64>, Option<f64>),
    /// An answer that it did not let through to us, because the form was wrong.
    KeptBack(String),
    /// Proof that a fence does not hold; the run is ended.
    Breach(String),
    /// It tries what cannot succeed any more; the run is ended.
    Lost(String),
}

/// How a run ended, as its events tell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct End {
    /// Whether it said that it is done, well or not.
    pub done: bool,
    /// What went wrong: a status where there is one, and its words.
    pub failed: Option<(Option<u16>, String)>,
    /// The last text of the model.
    pub text: Option<String>,
}

/// Reads the events of one run. It must take any line.
pub trait Reader: Send {
    /// Takes a line of output.
    fn line(&mut self, line: &str) -> Vec<Said>;

    /// Whether what it started with was seen to be what it was given. No answer counts before.
    fn started(&self) -> bool {
        true
    }

    /// How it stands now.
    fn end(&self) -> End;
}

/// A path as an argument or a setting that has to be text.
///
/// # Errors
/// Where the path is no text.
pub fn as_text(path: &Path) -> Result<&str, String> {
    path.to_str().ok_or_else(|| "the path of its files is no text".to_owned())
}
