//! `generated-name`: what programs write, told by the names they give it.

use super::names::lower_name;
use super::{Noise, NoiseInput, NoiseLabel, Rule};
use crate::change::RepoPath;

const SUFFIXES: [&str; 14] = [
    ".g.cs",
    ".g.vb",
    ".designer.cs",
    ".designer.vb",
    ".min.js",
    ".min.css",
    ".min.mjs",
    ".min.cjs",
    ".pb.cc",
    ".pb.h",
    ".pb.go",
    "_pb2.py",
    "_pb2.pyi",
    "_pb2_grpc.py",
];

/// See the file.
pub(super) struct GeneratedName;

impl Rule for GeneratedName {
    fn name(&self) -> &'static str {
        "generated-name"
    }

    fn judge(&self, input: &NoiseInput<'_>) -> Option<Noise> {
        matches(&input.file.path).then(|| {
            let blind_spot = "Only the name says so: an edit made by hand in the file is not seen.";
            Noise::claimed(self, NoiseLabel::Generated, blind_spot)
        })
    }
}

fn matches(path: &RepoPath) -> bool {
    let name = lower_name(path);
    SUFFIXES.iter().any(|suffix| name.ends_with(suffix))
        || name.starts_with("zz_generated.")
        || name.contains(".generated.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn knows_generated_names() {
        for path in ["a/Form.Designer.cs", "api.pb.go", "x_pb2_grpc.py", "zz_generated.deepcopy.go", "a.Generated.ts"] {
            assert!(matches(&path.into()), "{path}");
        }
        for path in ["designer.cs", "generated.ts", "pb.go", "generated/a.py", "min.js"] {
            assert!(!matches(&path.into()), "{path}");
        }
    }
}
