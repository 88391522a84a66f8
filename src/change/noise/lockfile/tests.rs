//! Lockfiles as data: both sides of lockfile and manifests in, what is proved out.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use proptest::prelude::*;

use super::*;
use crate::change::fixtures::{Fixture, texts};

/// `rule: blind spot` for the lockfile among the files; the files of both sides are pairs of path and text.
fn proved(lockfile: &str, base: &[(&str, &str)], head: &[(&str, &str)]) -> String {
    let (change, _) = Fixture::new(base, head).build();
    let file = change.files.iter().find(|file| file.path == lockfile.into()).expect("a changed lockfile");
    match prove_lockfile(&change, file, &texts(&change, file)) {
        None => "none".to_owned(),
        Some(noise) if noise.state == NoiseState::Confirmed => format!("confirmed {}", noise.rule),
        Some(noise) => format!("{}: {}", noise.rule, noise.blind_spot),
    }
}

const CONFIRMED: &str = "confirmed lockfile-follows-manifest";

fn no_manifest_explains(what: &str) -> String {
    format!("lockfile-unexplained: No change of a manifest explains {what}; the resolver was not run again.")
}

fn npm_lock(root: &str, packages: &[(&str, &str, &str)]) -> String {
    let mut text = format!(r#"{{"name":"app","lockfileVersion":3,"packages":{{"":{{"dependencies":{root}}}"#);
    for (name, version, more) in packages {
        text.push_str(&format!(
            r#","node_modules/{name}":{{"version":"{version}","resolved":"https://registry.example/{name}","integrity":"{version}"{more}}}"#
        ));
    }
    text + "}}"
}

fn npm(before: (&str, &str), after: (&str, &str)) -> String {
    let manifest = |dependencies: &str| format!(r#"{{"name":"app","dependencies":{dependencies}}}"#);
    proved(
        "web/package-lock.json",
        &[("web/package.json", &manifest(before.0)), ("web/package-lock.json", before.1)],
        &[("web/package.json", &manifest(after.0)), ("web/package-lock.json", after.1)],
    )
}

#[test]
fn npm_follows_edges_from_the_changed_line() {
    let deps = r#","dependencies":{"b":"^1"}"#;
    let before = npm_lock(r#"{"a":"^1"}"#, &[("a", "1.0.0", deps), ("b", "1.0.0", ""), ("c", "1.0.0", "")]);
    let after = npm_lock(r#"{"a":"^2"}"#, &[("a", "2.0.0", deps), ("b", "1.1.0", ""), ("c", "1.0.0", "")]);
    assert_eq!(npm((r#"{"a":"^1"}"#, &before), (r#"{"a":"^2"}"#, &after)), CONFIRMED);
    let also_c = after.replace(
        r#""version":"1.0.0","resolved":"https://registry.example/c""#,
        r#""version":"9.0.0","resolved":"https://registry.example/c""#,
    );
    assert_eq!(npm((r#"{"a":"^1"}"#, &before), (r#"{"a":"^2"}"#, &also_c)), no_manifest_explains("c 1.0.0 -> 9.0.0"));
}

#[test]
fn npm_without_a_changed_manifest_explains_nothing() {
    let before = npm_lock(r#"{"a":"^1"}"#, &[("a", "1.0.0", "")]);
    let hash = before.replace(r#""integrity":"1.0.0""#, r#""integrity":"evil""#);
    let a = r#"{"a":"^1"}"#;
    assert_eq!(npm((a, &before), (a, &hash)), no_manifest_explains("a@1.0.0 (content changed)"));
    let root = npm_lock(r#"{"a":"^1","b":"^1"}"#, &[("a", "1.0.0", "")]);
    assert_eq!(npm((a, &before), (a, &root)), no_manifest_explains("the record of the project at the top"));
    let version = before.replace(r#""lockfileVersion":3"#, r#""lockfileVersion":2"#);
    assert_eq!(npm((a, &before), (a, &version)), no_manifest_explains("what the lockfile says of itself"));
}

#[test]
fn npm_sees_new_sources_lost_hashes_and_extra_names() {
    let (one, two) = (r#"{"a":"^1"}"#, r#"{"a":"^2"}"#);
    let before = npm_lock(one, &[("a", "1.0.0", "")]);
    let after = npm_lock(two, &[("a", "2.0.0", "")]);
    let evil = after.replace("registry.example", "evil.example");
    assert_eq!(npm((one, &before), (two, &evil)), no_manifest_explains("a from a source that was not used before"));
    let bare = after.replace(r#","integrity":"2.0.0""#, "");
    assert_eq!(npm((one, &before), (two, &bare)), no_manifest_explains("a without a hash"));
    let extra = npm_lock(r#"{"a":"^2","x":"1"}"#, &[("a", "2.0.0", "")]);
    assert_eq!(npm((one, &before), (two, &extra)), no_manifest_explains("the record of the project at the top"));
}

#[test]
fn npm_reads_workspaces_and_old_versions() {
    let top = r#"{"workspaces":["packages/*"]}"#;
    let member = |spec: &str| format!(r#"{{"name":"m","dependencies":{{"a":"{spec}"}}}}"#);
    let lock = |spec: &str, version: &str| {
        format!(
            r#"{{"packages":{{"":{{}},"packages/m":{{"dependencies":{{"a":"{spec}"}}}},"node_modules/m":{{"resolved":"packages/m","link":true}},"node_modules/a":{{"version":"{version}"}}}}}}"#
        )
    };
    let files = |spec: &str, version: &str| {
        [
            ("package.json", top.to_owned()),
            ("packages/m/package.json", member(spec)),
            ("package-lock.json", lock(spec, version)),
        ]
    };
    fn pairs<'a>(files: &'a [(&'a str, String)]) -> Vec<(&'a str, &'a str)> {
        files.iter().map(|(path, text)| (*path, text.as_str())).collect()
    }
    let (before, after) = (files("^1", "1.0.0"), files("^2", "2.0.0"));
    assert_eq!(proved("package-lock.json", &pairs(&before), &pairs(&after)), CONFIRMED);
    let old = |version: &str| {
        format!(
            r#"{{"dependencies":{{"a":{{"version":"{version}","dependencies":{{"b":{{"version":"{version}"}}}}}}}}}}"#
        )
    };
    assert_eq!(npm((r#"{"a":"1"}"#, &old("1")), (r#"{"a":"2"}"#, &old("2"))), CONFIRMED);
    assert_eq!(
        npm((r#"{"x":"1"}"#, &old("1")), (r#"{"x":"2"}"#, &old("2"))),
        no_manifest_explains("a 1 -> 2, b 1 -> 2")
    );
}

#[test]
fn names_five_entries_cleaned_and_counts_the_rest() {
    let lock = |version: &str| {
        let names: Vec<String> =
            (0..7).map(|n| format!(r#""node_modules/p{n}\u001b[2J":{{"version":"{version}"}}"#)).collect();
        format!(r#"{{"packages":{{{}}}}}"#, names.join(","))
    };
    let found = npm(("{}", &lock("1")), ("{}", &lock("2")));
    assert!(found.contains("p0^[[2J 1 -> 2, p1^[[2J 1 -> 2"), "{found}");
    assert!(found.contains("p4^[[2J 1 -> 2 +2 more;"), "{found}");
}

#[test]
fn says_why_there_is_no_check() {
    let lock = npm_lock("{}", &[]);
    let no = |why: &str| format!("lockfile-name: Only the name says so; it could not be checked, because {why}.");
    assert_eq!(npm(("{}", &lock), ("{}", "{")), no("at the head it cannot be parsed"));
    let alone =
        |text: &str| proved("package-lock.json", &[("package-lock.json", &lock)], &[("package-lock.json", text)]);
    assert_eq!(alone("{}"), no("at the base there is no package.json"));
    assert_eq!(
        proved("package-lock.json", &[], &[("package-lock.json", &lock)]),
        no("it is new or gone, so that there is nothing to compare it with")
    );
    assert_eq!(proved("yarn.lock", &[("yarn.lock", "1")], &[("yarn.lock", "2")]), "none");
}

fn cargo_lock(own: &str, packages: &[(&str, &str, &str)]) -> String {
    let mut text = format!("version = 4\n[[package]]\nname = \"app\"\nversion = \"0.1.0\"\ndependencies = [{own}]\n");
    for (name, version, dependencies) in packages {
        text.push_str(&format!(
            "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = \"registry+https://registry.example/index\"\nchecksum = \"{version}\"\ndependencies = [{dependencies}]\n"
        ));
    }
    text
}

#[test]
fn cargo_follows_the_manifest_and_its_workspace() {
    let manifest = |spec: &str| {
        format!(
            "[package]\nname = \"app\"\n[dependencies]\nserde_x = \"{spec}\"\nold = {{ package = \"renamed\", version = \"1\" }}\n"
        )
    };
    let lock = |version: &str, other: &str| {
        cargo_lock(
            "\"serde-x\", \"renamed\"",
            &[("serde-x", version, "\"deep 1.0.0\""), ("deep", version, ""), ("renamed", other, "")],
        )
    };
    let check = |before: (&str, &str), after: (&str, &str)| {
        proved(
            "Cargo.lock",
            &[("Cargo.toml", &manifest(before.0)), ("Cargo.lock", before.1)],
            &[("Cargo.toml", &manifest(after.0)), ("Cargo.lock", after.1)],
        )
    };
    assert_eq!(check(("1", &lock("1.0.0", "1.0.0")), ("2", &lock("2.0.0", "1.0.0"))), CONFIRMED);
    assert_eq!(
        check(("1", &lock("1.0.0", "1.0.0")), ("2", &lock("2.0.0", "1.9.0"))),
        no_manifest_explains("renamed 1.0.0 -> 1.9.0")
    );
    let own = lock("1.0.0", "1.0.0").replace("\"serde-x\", \"renamed\"", "\"serde-x\", \"renamed\", \"extra\"");
    assert_eq!(check(("1", &lock("1.0.0", "1.0.0")), ("1", &own)), no_manifest_explains("the record of app"));
}

#[test]
fn cargo_reads_members_and_path_dependencies() {
    let top = "[workspace]\nmembers = [\"crates/*\"]\n";
    let app = |spec: &str| {
        format!("[package]\nname = \"app\"\n[dependencies]\nlib = {{ path = \"../../lib\" }}\na = \"{spec}\"\n")
    };
    let lib = |spec: &str| format!("[package]\nname = \"lib\"\n[target.'cfg(unix)'.dependencies]\nb = \"{spec}\"\n");
    let lock = |a: &str, b: &str| {
        cargo_lock("\"lib\", \"a\"", &[("a", a, ""), ("b", b, "")])
            + "[[package]]\nname = \"lib\"\nversion = \"0.1.0\"\ndependencies = [\"b\"]\n"
    };
    let check = |app_spec: &str, lib_spec: &str| {
        proved(
            "Cargo.lock",
            &[
                ("Cargo.toml", top),
                ("crates/app/Cargo.toml", &app("1")),
                ("lib/Cargo.toml", &lib("1")),
                ("Cargo.lock", &lock("1.0.0", "1.0.0")),
            ],
            &[
                ("Cargo.toml", top),
                ("crates/app/Cargo.toml", &app(app_spec)),
                ("lib/Cargo.toml", &lib(lib_spec)),
                ("Cargo.lock", &lock("2.0.0", "2.0.0")),
            ],
        )
    };
    assert_eq!(check("2", "2"), CONFIRMED);
    assert_eq!(check("2", "1"), no_manifest_explains("b 1.0.0 -> 2.0.0"));
}

fn uv_lock(entries: &[(&str, &str, &str)]) -> String {
    let mut text =
        "version = 1\n[[package]]\nname = \"app\"\nsource = { virtual = \".\" }\ndependencies = [{ name = \"a-b\" }]\n"
            .to_owned();
    for (name, version, dependencies) in entries {
        text.push_str(&format!(
            "[[package]]\nname = \"{name}\"\nversion = \"{version}\"\nsource = {{ registry = \"https://index.example/simple\" }}\ndependencies = [{dependencies}]\n"
        ));
    }
    text
}

#[test]
fn uv_and_poetry_follow_pyproject() {
    let project =
        |spec: &str| format!("[project]\nname = \"App\"\ndependencies = [\"A.B[x]{spec} ; python_version > '3'\"]\n");
    let lock = |a: &str, c: &str| uv_lock(&[("a-b", a, "{ name = \"deep\" }"), ("deep", a, ""), ("c", c, "")]);
    let uv = |after: &str, spec: &str| {
        proved(
            "uv.lock",
            &[("pyproject.toml", &project(">=1")), ("uv.lock", &lock("1", "1"))],
            &[("pyproject.toml", &project(spec)), ("uv.lock", after)],
        )
    };
    assert_eq!(uv(&lock("2", "1"), ">=2"), CONFIRMED);
    assert_eq!(uv(&lock("2", "2"), ">=2"), no_manifest_explains("c 1 -> 2"));
    assert_eq!(uv(&lock("1", "2"), ">=1"), no_manifest_explains("c 1 -> 2"));

    let project = |spec: &str| {
        format!(
            "[tool.poetry.dependencies]\npython = \"{spec}\"\n[tool.poetry.group.dev.dependencies]\nFoo_Bar = \"{spec}\"\n"
        )
    };
    let lock = |version: &str, python: &str| {
        format!(
            "[[package]]\nname = \"foo-bar\"\nversion = \"{version}\"\n[package.dependencies]\nDeep = \"*\"\n[[package]]\nname = \"deep\"\nversion = \"{version}\"\n[[package]]\nname = \"python\"\nversion = \"{python}\"\n[metadata]\ncontent-hash = \"{version}\"\n"
        )
    };
    let poetry = |after: &str| {
        proved(
            "poetry.lock",
            &[("pyproject.toml", &project("1")), ("poetry.lock", &lock("1", "1"))],
            &[("pyproject.toml", &project("2")), ("poetry.lock", after)],
        )
    };
    assert_eq!(poetry(&lock("2", "1")), CONFIRMED);
    assert_eq!(poetry(&lock("2", "2")), no_manifest_explains("python 1 -> 2"));
}

#[test]
fn nuget_follows_project_files_and_central_versions() {
    let lock = |version: &str| {
        format!(
            r#"{{"version":1,"dependencies":{{"net8.0":{{"Shop.Core":{{"type":"Direct","resolved":"{version}","contentHash":"{version}","dependencies":{{"Deep":"1"}}}},"deep":{{"type":"Transitive","resolved":"{version}","contentHash":"{version}"}}}}}}}}"#
        )
    };
    let project = "<Project><ItemGroup><PackageReference Include=\"Shop.Core\" /></ItemGroup></Project>";
    let props =
        |line: &str| format!("<Project><!-- <PackageVersion Include=\"Other\" Version=\"1\" /> -->{line}</Project>");
    let check = |before: &str, after: &str| {
        proved(
            "src/App/packages.lock.json",
            &[
                ("src/App/App.csproj", project),
                ("Directory.Packages.props", &props(before)),
                ("src/App/packages.lock.json", &lock("1")),
            ],
            &[
                ("src/App/App.csproj", project),
                ("Directory.Packages.props", &props(after)),
                ("src/App/packages.lock.json", &lock("2")),
            ],
        )
    };
    let version =
        |version: &str| format!("<PackageVersion Include='shop.core'><Version>{version}</Version></PackageVersion>");
    assert_eq!(check(&version("1"), &version("2")), CONFIRMED);
    assert_eq!(check(&version("1"), &version("1")), no_manifest_explains("deep 1 -> 2, shop.core 1 -> 2"));
    let commented = format!("{}<!-- {} -->", version("1"), version("2"));
    assert_eq!(check(&version("1"), &commented), no_manifest_explains("deep 1 -> 2, shop.core 1 -> 2"));
}

#[test]
fn a_source_keeps_what_does_not_change_with_a_version() {
    for (url, source) in [
        ("https://registry.example/a/-/a-1.0.0.tgz", "https://registry.example"),
        ("git+ssh://git@host.example/o/r.git#abc", "git+ssh://git@host.example/o/r.git"),
        ("registry+https://host.example/index", "registry+https://host.example/index"),
        ("git+https://host.example/o/r?rev=1#2", "git+https://host.example/o/r"),
        ("file:../x", "file"),
    ] {
        assert_eq!(source_of(url), source);
    }
}

proptest! {
    #[test]
    fn any_text_is_judged(
        lock in "[\\[\\]{}\":,=a\n. ]{0,40}", manifest in "[\\[\\]{}\":,=a<>!/\n. -]{0,40}", name in 0..5usize,
    ) {
        let (lockfile, beside) = [
            ("package-lock.json", "package.json"), ("Cargo.lock", "Cargo.toml"), ("uv.lock", "pyproject.toml"),
            ("poetry.lock", "pyproject.toml"), ("packages.lock.json", "a.csproj"),
        ][name];
        proved(lockfile, &[(lockfile, "{}"), (beside, "{}")], &[(lockfile, &format!("{lock}\n#")), (beside, &manifest)]);
    }
}
