//! `effect`: files that act without being called: what CI runs, what ships, what a database becomes.
//!
//! Such files declare no entity that the other signals could see, so the path speaks for them, and it says so by
//! naming the kind. Tests, documents and data that nothing runs have no effect.

use super::role::Path;
use super::{PartView, Role, Signal, SignalRule, role_of};
use crate::change::{ChangeKind, ChangedFile, FileMode, FileReading};

/// Enough to be worth reviewing by itself; with size or novelty it may become must review.
const POINTS: u32 = 2;

/// See the file.
pub(super) struct Effect;

impl SignalRule for Effect {
    fn key(&self) -> &'static str {
        "effect"
    }

    fn read(&self, part: &PartView<'_>) -> Option<Signal> {
        let effect = part.of_files().find_map(|(file, reading)| effect_of(file, reading))?;
        Some(Signal::new(self.key(), effect, POINTS))
    }
}

fn effect_of(file: &ChangedFile, reading: &FileReading) -> Option<&'static str> {
    by_mode(file).or_else(|| match role_of(&file.path) {
        Role::Test | Role::Docs => None,
        _ => by_path(&Path::of(&file.path)).or_else(|| runs_as_binary(file, reading)),
    })
}

fn by_mode(file: &ChangedFile) -> Option<&'static str> {
    let submodule =
        |version: Option<crate::change::FileVersion>| version.is_some_and(|v| v.mode == FileMode::SUBMODULE);
    if submodule(file.base) || submodule(file.head) {
        Some("submodule: other code is pulled in")
    } else if file.kind == ChangeKind::TypeChange {
        Some("file and link change places")
    } else if file.mode_changed() && file.head.is_some_and(|head| head.mode == FileMode::EXECUTABLE) {
        Some("becomes executable")
    } else {
        None
    }
}

fn by_path(path: &Path) -> Option<&'static str> {
    let found = [
        (is_ci(path), "CI: runs with the repository's rights"),
        (is_guard(path), "guards who may do what"),
        (is_migration(path), "database schema or migration"),
        (is_interface(path), "interface definition that others build on"),
        (is_container(path), "container: what ships"),
        (is_infrastructure(path), "infrastructure"),
        (is_manifest(path), "dependency or build manifest"),
        (is_build_script(path), "build script: runs on every machine that builds"),
    ];
    found.into_iter().find_map(|(is, words)| is.then_some(words))
}

fn is_ci(path: &Path) -> bool {
    path.is_under(".github/workflows")
        || path.is_under(".github/actions")
        || path.in_folder(".circleci .buildkite")
        || path.name_starts("azure-pipelines")
        || path.is_named(
            "jenkinsfile .gitlab-ci.yml .travis.yml .drone.yml bitbucket-pipelines.yml appveyor.yml action.yml action.yaml",
        )
}

fn is_guard(path: &Path) -> bool {
    path.is_named("codeowners .npmrc .pypirc .env androidmanifest.xml") || path.has_extension("entitlements env")
}

fn is_migration(path: &Path) -> bool {
    path.in_folder("migrations migrate")
        || (path.in_folder("alembic") && path.in_folder("versions"))
        || path.has_extension("sql prisma ddl")
        || (path.in_folder("db") && path.is_named("schema.rb"))
}

fn is_interface(path: &Path) -> bool {
    path.has_extension("proto graphql gql thrift avsc wsdl xsd")
        || (path.name_starts("openapi swagger") && path.has_extension("yml yaml json"))
}

fn is_container(path: &Path) -> bool {
    path.is_named("dockerfile containerfile vagrantfile procfile")
        || path.has_extension("dockerfile")
        || path.name_starts("dockerfile. docker-compose")
        || (path.name_starts("compose.") && path.has_extension("yml yaml"))
}

fn is_infrastructure(path: &Path) -> bool {
    path.has_extension("tf tfvars hcl service")
        || path.is_named("chart.yaml serverless.yml nginx.conf")
        || (path.in_folder("k8s kubernetes helm charts terraform ansible deploy deployment deployments")
            && path.has_extension("yml yaml json conf j2"))
}

fn is_manifest(path: &Path) -> bool {
    path.is_named(
        "package.json cargo.toml pyproject.toml setup.py setup.cfg go.mod go.work composer.json pom.xml gemfile pipfile \
         build.sbt pubspec.yaml podfile package.swift mix.exs directory.packages.props .gitmodules .pre-commit-config.yaml",
    ) || path.has_extension("csproj vbproj fsproj vcxproj gemspec podspec nuspec cabal")
        || path.name_starts("build.gradle settings.gradle")
        || (path.name_starts("requirements") && path.has_extension("txt in"))
}

fn is_build_script(path: &Path) -> bool {
    path.is_named(
        "makefile gnumakefile cmakelists.txt build.rs meson.build build workspace build.bazel workspace.bazel \
         module.bazel rakefile justfile flake.nix default.nix shell.nix .goreleaser.yml .goreleaser.yaml noxfile.py",
    ) || path.has_extension("mk cmake bzl props targets nix")
        || path.in_folder(".husky")
}

/// Whether the file is bytes that a machine would run and nobody can read.
fn runs_as_binary(file: &ChangedFile, reading: &FileReading) -> Option<&'static str> {
    let runs = || {
        file.head.is_some_and(|head| head.mode == FileMode::EXECUTABLE)
            || Path::of(&file.path).has_extension("jar war so dylib dll exe wasm a o lib class pyc node whl apk bin")
    };
    (reading.diff.binary && file.head.is_some() && runs()).then_some("binary that may be run and cannot be read")
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]
mod tests {
    use super::*;
    use crate::change::Side;
    use crate::change::fixtures::Fixture;

    fn effect(fixture: Fixture) -> Option<&'static str> {
        let (change, files) = fixture.build();
        effect_of(&change.files[0], &files[0])
    }

    fn edited(path: &str) -> Option<&'static str> {
        effect(Fixture::new(&[(path, "1\n")], &[(path, "2\n")]))
    }

    #[test]
    fn knows_what_acts_without_being_called() {
        for (start, paths) in [
            ("CI", ".github/workflows/ci.yml .gitlab-ci.yml .github/actions/x/run.sh Jenkinsfile"),
            ("guards", ".github/CODEOWNERS .env"),
            ("database", "app/migrations/0001_initial.py db/migrate/1_a.rb schema.sql"),
            ("interface", "api/pool.proto openapi.yaml"),
            ("container", "Dockerfile docker/Dockerfile.dev compose.yaml"),
            ("infrastructure", "main.tf deploy/app.yaml"),
            ("dependency", "package.json requirements-dev.txt src/A.csproj"),
            ("build", "Makefile build.rs"),
        ] {
            for path in paths.split_ascii_whitespace() {
                assert!(edited(path).is_some_and(|words| words.starts_with(start)), "{path}: {:?}", edited(path));
            }
        }
        for path in
            ["src/a.py", "tests/migrations/a.py", "docs/Dockerfile.md", "config/app.yaml", "a.csv", "Cargo.lock"]
        {
            assert_eq!(edited(path), None, "{path}");
        }
    }

    #[test]
    fn knows_modes_and_binaries() {
        let file = |path, bytes: &[u8], mode| Fixture::default().file(Side::Head, path, bytes, mode);
        assert!(effect(file("lib", b"x", FileMode::SUBMODULE)).is_some_and(|words| words.starts_with("submodule")));
        assert!(effect(file("a.jar", b"\0", FileMode::REGULAR)).is_some_and(|words| words.starts_with("binary")));
        assert_eq!(effect(file("a.png", b"\0", FileMode::REGULAR)), None);
        let from = |mode| Fixture::new(&[("tests/x", "y")], &[]).file(Side::Head, "tests/x", b"y", mode);
        assert_eq!(effect(from(FileMode::EXECUTABLE)), Some("becomes executable"));
        assert_eq!(effect(from(FileMode::SYMLINK)), Some("file and link change places"));
    }
}
