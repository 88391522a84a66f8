//! The screen: a pure program. Messages go in, [`update::update`] changes the [`model::Model`] and says which
//! effects to perform, [`view::draw`] shows the model and changes nothing; [`run`] alone touches the terminal.

mod actions;
mod asking;
mod glyphs;
mod keys;
mod layout;
mod list;
mod message;
mod model;
mod panes;
mod prompt;
mod runtime;
mod search;
mod shelf;
mod theme;
mod update;
mod view;
mod widgets;

#[cfg(test)]
mod tests;

pub use actions::AskKey;
pub use runtime::{Session, run, surroundings};
