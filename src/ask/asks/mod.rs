//! One ask a file. The table is in `question`.

pub mod cover;
pub mod explain;
pub mod question;
pub mod thread;
pub mod verify;

#[cfg(test)]
mod labels;
