//! `Gap`: what stands between two tokens, for the rule of a language that says what it means.

/// The blanks between two tokens, with what stands around them.
pub(super) struct Gap<'a> {
    /// The text of the token before; empty at the start of the file.
    pub before: &'a [u8],
    /// Whether that token is a name or a literal rather than a word or a sign of the grammar.
    pub before_named: bool,
    /// Whether it is a comment.
    pub before_comment: bool,
    /// The kind of the node that directly holds the token before.
    pub before_parent: &'a str,
    /// The text of the token after; empty at the end of the file.
    pub after: &'a [u8],
    /// The kind of the node that directly holds the token after.
    pub after_parent: &'a str,
    /// The kind of the innermost node that holds both.
    pub owner: &'a str,
    /// What stands between them: spaces, tabs and line ends only.
    pub blanks: &'a [u8],
    /// How many brackets are open.
    pub brackets: u32,
    /// Whether a block begins between them.
    pub opens_block: bool,
}

impl Gap<'_> {
    /// Whether there is anything between the tokens.
    pub fn is_blank(&self) -> bool {
        !self.blanks.is_empty()
    }

    /// Whether a line ends between the tokens.
    pub fn breaks(&self) -> bool {
        self.blanks.contains(&b'\n')
    }
}

/// How many lines end in some blanks, counted up to 2: nothing, a new line, a blank line.
pub(super) fn line_ends(blanks: &[u8]) -> u8 {
    blanks.iter().filter(|byte| **byte == b'\n').take(2).count() as u8
}

/// Whether bytes are layout only: spaces, tabs, LF, and CR before a LF. Anything else, such as a form feed, a lone
/// CR or a no-break space, means something to some compiler.
pub(super) fn is_layout(bytes: &[u8]) -> bool {
    bytes.iter().enumerate().all(|(at, byte)| match byte {
        b' ' | b'\t' | b'\n' => true,
        b'\r' => bytes.get(at + 1) == Some(&b'\n'),
        _ => false,
    })
}
