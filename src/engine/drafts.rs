//! Drafts of comments: on disk before anybody is told that they are kept.

use super::{Engine, clock};
use crate::change::parts::ContentKey;
use crate::problem::Problem;
use crate::review::{Draft, DraftId, KeptDraft};
use crate::source::address::{self, Address};

impl Engine {
    /// Keeps a draft.
    ///
    /// # Errors
    /// A [`Problem`] where it could not be kept.
    pub fn keep_draft(&self, address: &Address, draft: Draft) -> Result<KeptDraft, Problem> {
        let at = clock::now();
        let id = self.store.add_draft(&address::key(address), &draft.part.0, &at, &draft.write())?;
        Ok(KeptDraft { id, at, draft })
    }

    /// Removes a draft.
    ///
    /// # Errors
    /// A [`Problem`] where it could not be removed.
    pub fn drop_draft(&self, address: &Address, id: DraftId) -> Result<(), Problem> {
        Ok(self.store.remove_draft(&address::key(address), id)?)
    }

    /// The drafts kept for a change, newest first, but those that another version of the program kept.
    ///
    /// # Errors
    /// A [`Problem`] where they cannot be read.
    pub fn drafts(&self, address: &Address) -> Result<Vec<KeptDraft>, Problem> {
        let rows = self.store.drafts(&address::key(address))?;
        let kept = rows.into_iter().filter_map(|row| {
            let draft = Draft::read(ContentKey(row.part), &row.body).ok()?;
            Some(KeptDraft { id: row.id, at: row.at, draft })
        });
        Ok(kept.collect())
    }
}
