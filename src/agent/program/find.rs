//! Where an agent program is: at the path the settings name, else on the search path.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Finds a program; `set` is the path from the settings, empty for none.
///
/// # Errors
/// Why it cannot be used, in one sentence.
pub(super) fn find(set: &str, name: &str, search: Option<&OsStr>) -> Result<PathBuf, String> {
    if !set.is_empty() {
        let path = PathBuf::from(set);
        // A relative path would mean another program in another folder.
        return match (path.is_absolute(), is_program(&path)) {
            (false, _) => Err(format!("the path set for it, `{set}`, has to begin at the root")),
            (true, false) => Err(format!("there is no program at the path set for it, `{set}`")),
            (true, true) => Ok(path),
        };
    }
    let folders = search.map(std::env::split_paths).into_iter().flatten().filter(|folder| folder.is_absolute());
    folders
        .map(|folder| folder.join(name))
        .find(|path| is_program(path))
        .ok_or_else(|| format!("it is not installed: there is no `{name}` on the search path"))
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.is_file()
}

#[cfg(all(test, unix))]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn a_set_path_goes_before_the_search_path_and_nothing_relative_counts() {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("pi");
        std::fs::write(&program, "").unwrap();
        let search = std::env::join_paths([Path::new("."), folder.path()]).unwrap();
        assert!(find("", "pi", Some(&search)).unwrap_err().contains("not installed"));
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(find("", "pi", Some(&search)).unwrap(), program);
        assert!(find("bin/pi", "pi", Some(&search)).unwrap_err().contains("begin at the root"));
        assert!(find("/nowhere/pi", "pi", Some(&search)).unwrap_err().contains("no program"));
        assert!(find("", "pi", None).is_err());
    }
}
