//! One ask a file. The table is in `question`.

pub mod explain;
