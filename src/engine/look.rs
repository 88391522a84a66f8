//! The last look at a change, as the store keeps it: enough to open it again without its source.

use serde::{Deserialize, Serialize};

use crate::change::{Facts, ObjectId, Origin, PullRequest, State};

/// The version of this form; another one is not there.
const VERSION: u32 = 1;

/// What was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Look {
    /// What was known of the change.
    pub facts: Facts,
    /// The merge base.
    pub base_commit: Option<ObjectId>,
    /// The head.
    pub head_commit: Option<ObjectId>,
    /// The tree of the base.
    pub base_tree: ObjectId,
    /// The tree of the head.
    pub head_tree: ObjectId,
}

#[derive(Serialize, Deserialize)]
struct Form {
    version: u32,
    base_commit: Option<String>,
    head_commit: Option<String>,
    base_tree: String,
    head_tree: String,
    origin: OriginForm,
    title: String,
    description: String,
    author: String,
    state: Option<String>,
    base_branch: String,
    head_branch: String,
    head_repository: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum OriginForm {
    PullRequest { server: String, owner: String, repo: String, number: u64 },
    Local { folder: String, range: String },
    Recorded { name: String },
}

const STATES: [State; 4] = [State::Open, State::Draft, State::Closed, State::Merged];

impl Look {
    /// The stored form.
    pub fn write(&self) -> String {
        let facts = &self.facts;
        let form = Form {
            version: VERSION,
            base_commit: self.base_commit.map(|id| id.to_string()),
            head_commit: self.head_commit.map(|id| id.to_string()),
            base_tree: self.base_tree.to_string(),
            head_tree: self.head_tree.to_string(),
            origin: match facts.origin.clone() {
                Origin::PullRequest(PullRequest { server, owner, repo, number }) => {
                    OriginForm::PullRequest { server, owner, repo, number }
                }
                Origin::Local { folder, range } => OriginForm::Local { folder, range },
                Origin::Recorded(name) => OriginForm::Recorded { name },
            },
            title: facts.title.clone(),
            description: facts.description.clone(),
            author: facts.author.clone(),
            state: facts.state.map(|state| state.word().to_owned()),
            base_branch: facts.base_branch.clone(),
            head_branch: facts.head_branch.clone(),
            head_repository: facts.head_repository.clone(),
        };
        serde_json::to_string(&form).unwrap_or_default()
    }

    /// Reads the stored form; none where it is damaged or of another version.
    pub fn read(text: &str) -> Option<Self> {
        let form: Form = serde_json::from_str(text).ok()?;
        if form.version != VERSION {
            return None;
        }
        let id = |text: Option<String>| text.map(|text| text.parse().map_err(drop)).transpose().ok();
        Some(Self {
            base_commit: id(form.base_commit)?,
            head_commit: id(form.head_commit)?,
            base_tree: form.base_tree.parse().ok()?,
            head_tree: form.head_tree.parse().ok()?,
            facts: Facts {
                origin: match form.origin {
                    OriginForm::PullRequest { server, owner, repo, number } => {
                        Origin::PullRequest(PullRequest { server, owner, repo, number })
                    }
                    OriginForm::Local { folder, range } => Origin::Local { folder, range },
                    OriginForm::Recorded { name } => Origin::Recorded(name),
                },
                title: form.title,
                description: form.description,
                author: form.author,
                state: form.state.and_then(|word| STATES.into_iter().find(|state| state.word() == word)),
                base_branch: form.base_branch,
                head_branch: form.head_branch,
                head_repository: form.head_repository,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_what_was_written() {
        let request =
            PullRequest { server: "https://github.com".into(), owner: "o".into(), repo: "r".into(), number: 7 };
        let look = Look {
            facts: Facts {
                origin: Origin::PullRequest(request),
                title: "t\u{1b}".into(),
                description: "d".into(),
                author: "a".into(),
                state: Some(State::Merged),
                base_branch: "main".into(),
                head_branch: "x".into(),
                head_repository: None,
            },
            base_commit: Some(ObjectId::new([1; 20])),
            head_commit: None,
            base_tree: ObjectId::new([2; 20]),
            head_tree: ObjectId::new([3; 20]),
        };
        assert_eq!(Look::read(&look.write()), Some(look));
        assert_eq!(Look::read("{}"), None);
        assert_eq!(Look::read("not json"), None);
    }
}
