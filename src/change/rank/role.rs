//! `role`: what a file is for, told by its path alone: code, test, docs, config, build or data.

use super::{PartView, Signal, SignalRule};
use crate::change::RepoPath;

/// What a file or part is for. Where a part holds several, the first of this order is its role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    /// What the product does; everything that is nothing else.
    Code,
    /// What builds, checks, packs or ships it, and names what it depends on.
    Build,
    /// Settings.
    Config,
    /// What programs read and people seldom do: tables, images, translations.
    Data,
    /// What checks the code.
    Test,
    /// What people read.
    Docs,
}

impl Role {
    /// The word for it, as in the JSON result.
    pub fn word(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::Build => "build",
            Self::Config => "config",
            Self::Data => "data",
            Self::Test => "test",
            Self::Docs => "docs",
        }
    }
}

/// See the file.
pub(super) struct RoleSignal;

impl SignalRule for RoleSignal {
    fn key(&self) -> &'static str {
        "role"
    }

    fn read(&self, part: &PartView<'_>) -> Option<Signal> {
        Some(Signal::new(self.key(), part.role.word(), u32::from(part.role == Role::Code)))
    }

    fn always_cited(&self) -> bool {
        true
    }
}

/// The role of a path.
pub fn role_of(path: &RepoPath) -> Role {
    let path = Path::of(path);
    if path.has_extension(DOCS) || path.is_named_for_people() {
        Role::Docs
    } else if path.is_test() {
        Role::Test
    } else if path.is_build() {
        Role::Build
    } else if path.is_config() {
        Role::Config
    } else if path.has_extension("txt") || (path.in_folder("doc docs") && path.has_extension(DATA)) {
        Role::Docs
    } else if path.has_extension(DATA) {
        Role::Data
    } else {
        Role::Code
    }
}

// Lists of words, separated by spaces, in lowercase.
const DOCS: &str = "md markdown mdx rst adoc asciidoc org tex";
const FOR_PEOPLE: &str = "readme license licence copying changelog changes authors contributors contributing notice \
                          codeofconduct";
const TEST_FOLDERS: &str = "test tests __tests__ spec specs testdata __snapshots__";
const BUILD_FOLDERS: &str = ".circleci .buildkite .husky";
const BUILD_NAMES: &str = "makefile gnumakefile cmakelists.txt jenkinsfile dockerfile containerfile vagrantfile procfile \
    justfile rakefile gemfile brewfile pipfile .gitlab-ci.yml .travis.yml .drone.yml bitbucket-pipelines.yml \
    appveyor.yml action.yml action.yaml pom.xml package.json cargo.toml build.rs pyproject.toml setup.py setup.cfg \
    tox.ini noxfile.py go.mod go.sum go.work composer.json meson.build build workspace build.bazel workspace.bazel \
    module.bazel gulpfile.js gruntfile.js flake.nix default.nix shell.nix taskfile.yml lerna.json nx.json turbo.json \
    deno.json mix.exs pubspec.yaml podfile package.swift build.sbt pnpm-workspace.yaml package-lock.json \
    npm-shrinkwrap.json pnpm-lock.yaml packages.lock.json bun.lockb directory.packages.props .pre-commit-config.yaml \
    .goreleaser.yml .goreleaser.yaml .gitmodules";
const BUILD_EXTENSIONS: &str = "mk cmake gradle dockerfile csproj vbproj fsproj vcxproj sln slnx props targets bzl \
    gemspec podspec nuspec nix lock cabal";
const CONFIG_EXTENSIONS: &str = "yml yaml toml ini cfg conf config env properties tf tfvars hcl plist json5 jsonc editorconfig service entitlements";
const CONFIG_NAMES: &str = "codeowners androidmanifest.xml web.config nginx.conf";
const DATA: &str = "json jsonl ndjson xml csv tsv parquet avro sqlite db bin dat png jpg jpeg gif webp avif ico svg bmp \
    tif tiff pdf woff woff2 ttf otf eot mp3 mp4 wav ogg webm mov zip gz xz zst tar po pot mo xlf xliff strings resx \
    ipynb golden geojson onnx";

/// A path in lowercase, taken apart.
pub(super) struct Path {
    exact_name: String,
    name: String,
    extension: String,
    exact_folders: Vec<String>,
    folders: Vec<String>,
}

impl Path {
    pub(super) fn of(path: &RepoPath) -> Self {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let exact_name = text(path.name());
        let exact_folders: Vec<String> = path.folders().into_iter().map(text).collect();
        Self {
            name: exact_name.to_lowercase(),
            extension: path.extension().map(text).unwrap_or_default().to_lowercase(),
            folders: exact_folders.iter().map(|folder| folder.to_lowercase()).collect(),
            exact_folders,
            exact_name,
        }
    }

    pub(super) fn is_named(&self, names: &str) -> bool {
        among(&self.name, names)
    }

    pub(super) fn has_extension(&self, extensions: &str) -> bool {
        among(&self.extension, extensions)
    }

    pub(super) fn in_folder(&self, names: &str) -> bool {
        self.folders.iter().any(|folder| among(folder, names))
    }

    /// Whether the path runs through these folders from its top, such as `.github/workflows`.
    pub(super) fn is_under(&self, folders: &str) -> bool {
        let wanted: Vec<&str> = folders.split('/').collect();
        self.folders.len() >= wanted.len() && self.folders.iter().zip(&wanted).all(|(have, want)| have == want)
    }

    pub(super) fn name_starts(&self, starts: &str) -> bool {
        starts.split(' ').any(|start| self.name.starts_with(start))
    }

    fn is_named_for_people(&self) -> bool {
        let stem = self.name.split('.').next().unwrap_or_default().replace(['-', '_'], "");
        among(&stem, FOR_PEOPLE) && (self.extension.is_empty() || self.has_extension("txt"))
    }

    fn is_test(&self) -> bool {
        self.in_folder(TEST_FOLDERS)
            || self.exact_folders.iter().any(|folder| is_dotnet_tests(folder))
            || self.names_test()
    }

    fn names_test(&self) -> bool {
        let Some((stem, extension)) = self.name.rsplit_once('.') else { return false };
        let camel = self.exact_name.rsplit_once('.').map_or("", |(stem, _)| stem);
        extension == "snap"
            || [".test", ".spec", "_test", "_spec"].iter().any(|end| stem.ends_with(end))
            || (extension == "py" && (stem.starts_with("test_") || among(stem, "conftest tests")))
            || (extension == "rs" && stem == "tests")
            || (among(extension, "cs java kt scala swift vb fs")
                && (camel.ends_with("Test") || camel.ends_with("Tests")))
    }

    fn is_build(&self) -> bool {
        self.is_named(BUILD_NAMES)
            || self.has_extension(BUILD_EXTENSIONS)
            || self.in_folder(BUILD_FOLDERS)
            || self.is_under(".github/workflows")
            || self.is_under(".github/actions")
            || self.name_starts("dockerfile. docker-compose azure-pipelines build.gradle settings.gradle")
            || (self.name_starts("compose.") && self.has_extension("yml yaml"))
            || (self.name_starts("requirements") && self.has_extension("txt in"))
            || (self.name.contains(".config.") && self.has_extension("js mjs cjs ts mts cts"))
    }

    fn is_config(&self) -> bool {
        let json = self.has_extension("json xml");
        self.has_extension(CONFIG_EXTENSIONS)
            || self.is_named(CONFIG_NAMES)
            || self.name.starts_with('.')
            || (json && (self.in_folder("config configs conf settings .vscode") || self.name_starts("appsettings")))
            || (json && (self.name.contains("config") || self.name.contains("settings")))
    }
}

fn among(word: &str, words: &str) -> bool {
    !word.is_empty() && words.split_ascii_whitespace().any(|known| known == word)
}

/// `Company.Product.Tests`, `Product.UnitTests` and the like, as .NET names its test projects.
fn is_dotnet_tests(folder: &str) -> bool {
    let Some((_, last)) = folder.rsplit_once('.') else { return false };
    let last = last.to_lowercase();
    let kind = last.strip_suffix("tests").or_else(|| last.strip_suffix("test"));
    kind.is_some_and(|kind| kind.is_empty() || among(kind, "unit integration functional acceptance"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_what_a_path_is_for() {
        for (role, paths) in [
            (
                Role::Code,
                "src/a.py lib/b.rb bin/run a.html style.css schema.sql api.proto contest.py latest.js unknown.xyz",
            ),
            (
                Role::Test,
                "tests/a.py a/Spec/b.rb x.test.ts x_test.go test_a.py conftest.py PoolTests.cs PoolTest.java \
                          src/Shop.Api.IntegrationTests/Basket.cs a/testdata/x.json src/tests.rs a.snap",
            ),
            (
                Role::Docs,
                "README.md docs/guide.rst LICENSE notes.txt docs/img/a.png tests/README.md CODE_OF_CONDUCT.md",
            ),
            (
                Role::Build,
                ".github/workflows/test.yml Dockerfile docker/Dockerfile.dev Makefile package.json Cargo.toml \
                           requirements-dev.txt vite.config.ts a.csproj compose.yaml Cargo.lock yarn.lock go.mod build.rs",
            ),
            (
                Role::Config,
                "app.yaml config/x.json tsconfig.json .gitignore .github/CODEOWNERS infra/main.tf appsettings.json",
            ),
            (Role::Data, "data/users.json a.csv logo.png i18n/de.po web/icon.svg"),
        ] {
            for path in paths.split_ascii_whitespace() {
                assert_eq!(role_of(&path.into()), role, "{path}");
            }
        }
        // A lowercase ending is an ordinary word, not the name of a test class.
        assert_eq!(role_of(&"Contest.cs".into()), Role::Code);
        assert_eq!(role_of(&"a/latest.net/x.cs".into()), Role::Code);
        assert_eq!(role_of(&RepoPath::new(b"\xff/\xfe")), Role::Code);
    }
}
