//! Where the program keeps things: config, data and cache folders.

use std::path::PathBuf;

use directories::ProjectDirs;

use crate::problem::Problem;

/// The three folders. None of them needs to exist yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folders {
    /// The reviewer's settings.
    pub config: PathBuf,
    /// Marks, drafts, answers: what must not be lost.
    pub data: PathBuf,
    /// Objects and snapshots: what can be fetched or built again.
    pub cache: PathBuf,
}

impl Folders {
    /// The platform's folders for this program, each overridden by its environment variable:
    /// `SECOND_LOOK_CONFIG_DIR`, `SECOND_LOOK_DATA_DIR`, `SECOND_LOOK_CACHE_DIR`.
    ///
    /// # Errors
    /// A [`Problem`] where the platform knows no home folder and a variable is missing.
    pub fn find(var: &dyn Fn(&str) -> Option<PathBuf>) -> Result<Self, Problem> {
        let platform = ProjectDirs::from("", "", "second-look");
        let pick = |name: &str, of: fn(&ProjectDirs) -> PathBuf| {
            var(name).filter(|path| !path.as_os_str().is_empty()).or_else(|| platform.as_ref().map(of)).ok_or_else(
                || Problem::new("there is no home folder to keep anything in").hint(format!("set {name} to a folder")),
            )
        };
        Ok(Self {
            config: pick("SECOND_LOOK_CONFIG_DIR", |dirs| dirs.config_dir().to_owned())?,
            data: pick("SECOND_LOOK_DATA_DIR", |dirs| dirs.data_dir().to_owned())?,
            cache: pick("SECOND_LOOK_CACHE_DIR", |dirs| dirs.cache_dir().to_owned())?,
        })
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;

    #[test]
    fn variables_win() {
        let folders = Folders::find(&|name| Some(PathBuf::from(format!("/x/{name}")))).unwrap();
        assert_eq!(folders.data, PathBuf::from("/x/SECOND_LOOK_DATA_DIR"));
        assert_eq!(folders.config, PathBuf::from("/x/SECOND_LOOK_CONFIG_DIR"));
    }
}
