//! The command line: one subcommand a file. Reads arguments, drives the engine, prints, and knows exit codes.

mod ask;
mod chosen;
mod cache;
mod doctor;
mod fence;
mod mcp;
mod print;
mod reap;
mod review;
mod completions;
mod serve;
mod stop;
mod tui;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand};

use chosen::Chosen;

use crate::ask::Ask;
use crate::config::{Folders, Settings};
use crate::engine::{Engine, Setup};
use crate::problem::Problem;
use crate::source::address::{self, Address};

/// Review a GitHub pull request in the terminal: ranked parts, checked answers, nothing sent that you did not send.
#[derive(Parser)]
#[command(
    name = "second-look",
    version,
    max_term_width = 100,
    subcommand_required = true,
    arg_required_else_help = true
)]
#[command(after_help = "Try it without an account or a network:\n  second-look tui demo\n\n\
    Exit codes: 0 done, 1 failed (standard error says what, and what to do), 2 wrong usage.")]
struct CommandLine {
    #[command(flatten)]
    shared: Shared,
    #[command(subcommand)]
    command: Command,
}

/// What every subcommand takes.
#[derive(Args)]
struct Shared {
    /// Ask GitHub nothing: show what was opened before, as of then (an agent still reaches its own provider)
    #[arg(long, global = true)]
    offline: bool,
    /// Settings file to read instead of config.toml in the config folder
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
}

#[derive(Subcommand)]
enum Command {
    /// Read a change on the screen, part by part
    Tui(tui::Arguments),
    /// Print a change's parts in reading order, with the reason for each
    Review(review::Arguments),
    /// Ask about one part of a change
    Ask(Box<ask::Arguments>),
    /// Serve other programs: JSON-RPC on standard input and output
    Serve(serve::Arguments),
    /// List, prune or remove what is cached; marks and answers are never touched
    Cache(cache::Arguments),
    /// Say what is installed, where things are kept and where a token was found
    Doctor(doctor::Arguments),
    /// Print completions for a shell
    Completions(completions::Arguments),
    /// Connect an agent program with the running program that asks it
    #[command(hide = true)]
    Mcp(mcp::Arguments),
    /// Become another program, kept from every file but some
    #[command(hide = true)]
    Fence(fence::Arguments),
    /// End an agent program when the program that started it is gone
    #[command(hide = true)]
    Reap(reap::Arguments),
}

/// Why a command did not do what it was asked.
enum Failure {
    /// Exit code 1.
    Failed(Problem),
    /// Exit code 2.
    Usage(Problem),
    /// A signal stopped it; the exit code shells give to that.
    Stopped(u8),
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Failed(problem)
    }
}

impl From<crate::store::StoreError> for Failure {
    fn from(error: crate::store::StoreError) -> Self {
        Self::Failed(error.into())
    }
}

/// Runs the program: reads the process's arguments, does what they say, and returns the exit code.
pub fn run() -> ExitCode {
    let asks = crate::ask::table();
    let line = match command(&asks).try_get_matches().and_then(|matches| CommandLine::from_arg_matches(&matches)) {
        Ok(line) => line,
        Err(error) => {
            // Help and version are errors to clap; a closed pipe while printing them is none.
            let _ = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    let runtime = match tokio::runtime::Builder::new_multi_thread().enable_all().build() {
        Ok(runtime) => runtime,
        Err(error) => return report(Failure::Failed(Problem::new(format!("the program cannot start: {error}")))),
    };
    let outcome = runtime.block_on(line.until_stopped());
    // A blocked thread (a slow disk, a long parse) must not keep the program from ending.
    runtime.shutdown_background();
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => report(failure),
    }
}

/// The command line with what the table of asks says of them.
fn command(asks: &[Box<dyn Ask>]) -> clap::Command {
    let words: Vec<String> = asks.iter().map(|ask| format!("{}: {}", ask.kind(), ask.card().title)).collect();
    let help = format!("What to ask. {}", words.join("; "));
    of_kind(CommandLine::command(), |kind| kind.help(&help))
}

/// Changes the argument that takes an ask's name.
fn of_kind(command: clap::Command, change: impl Fn(clap::Arg) -> clap::Arg) -> clap::Command {
    command.mut_subcommand("ask", |ask| ask.mut_args(|arg| if arg.get_id() == "kind" { change(arg) } else { arg }))
}

impl CommandLine {
    /// Runs it, or stops it at a signal: whatever it started (git, an agent) ends with what it was doing.
    async fn until_stopped(self) -> Result<(), Failure> {
        // The screen restores the terminal itself.
        if matches!(self.command, Command::Tui(_)) {
            return self.run().await;
        }
        tokio::select! {
            outcome = self.run() => outcome,
            code = stop::told() => Err(Failure::Stopped(code)),
        }
    }

    async fn run(self) -> Result<(), Failure> {
        let Self { shared, command } = self;
        match command {
            Command::Tui(arguments) => arguments.run(&shared).await,
            Command::Review(arguments) => arguments.run(&shared).await,
            Command::Ask(arguments) => arguments.run(&shared).await,
            Command::Serve(arguments) => arguments.run(&shared).await,
            Command::Cache(arguments) => arguments.run(&shared).await,
            Command::Doctor(arguments) => arguments.run(&shared).await,
            Command::Completions(arguments) => arguments.run(),
            Command::Mcp(arguments) => arguments.run().await,
            Command::Fence(arguments) => arguments.run(),
            Command::Reap(arguments) => arguments.run().await,
        }
    }
}

fn report(failure: Failure) -> ExitCode {
    let (problem, code) = match failure {
        Failure::Failed(problem) => (problem, 1),
        Failure::Usage(problem) => (problem, 2),
        Failure::Stopped(code) => return ExitCode::from(code),
    };
    print::complain(&problem);
    ExitCode::from(code)
}

impl Shared {
    fn folders(&self) -> Result<Folders, Problem> {
        Folders::find(&|name| std::env::var_os(name).map(PathBuf::from))
    }

    fn settings_file(&self, folders: &Folders) -> PathBuf {
        self.config.clone().unwrap_or_else(|| folders.config.join("config.toml"))
    }

    fn settings(&self, folders: &Folders) -> Result<Settings, Problem> {
        let file = self.settings_file(folders);
        if self.config.is_some() && !file.exists() {
            return Err(Problem::new(format!("there is no settings file `{}`", file.display())));
        }
        Settings::read(&file)
    }

    fn engine(&self) -> Result<Arc<Engine>, Problem> {
        self.engine_with(&Chosen::default())
    }

    fn engine_with(&self, chosen: &Chosen) -> Result<Arc<Engine>, Problem> {
        let folders = self.folders()?;
        let mut settings = self.settings(&folders)?;
        chosen.over(&mut settings.asks);
        let asks = crate::ask::table();
        Ok(Arc::new(Engine::new(Setup { settings, folders, offline: self.offline, asks })?))
    }
}

/// Reads the address a reviewer typed, from the folder they stand in.
fn read_address(text: Option<&str>, staged: bool) -> Result<Address, Failure> {
    let folder =
        std::env::current_dir().map_err(|error| Problem::new(format!("the current folder is gone: {error}")))?;
    let text = if staged { "--staged" } else { text.unwrap_or(".") };
    address::parse(text, &folder).map_err(Failure::Usage)
}

/// The change a subcommand is about.
#[derive(Args)]
struct Target {
    /// What to review: a pull request's URL, OWNER/REPO#N, a number inside a clone, A..B, A...B, a branch or
    /// commit, `.` for the working tree, or `demo`
    #[arg(value_name = "ADDRESS", required_unless_present = "staged")]
    address: Option<String>,
    /// Review what is staged in the clone you stand in
    #[arg(long, conflicts_with = "address")]
    staged: bool,
}

impl Target {
    fn read(&self) -> Result<Address, Failure> {
        read_address(self.address.as_deref(), self.staged)
    }
}
