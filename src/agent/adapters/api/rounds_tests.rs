//! The loop, driven by a scripted model.

use super::*;
