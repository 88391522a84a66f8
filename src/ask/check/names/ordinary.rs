//! Words of ordinary prose that look like code, and words of code that every reader knows without the change.

/// Products, formats and units whose spelling looks like a name of code. Compared without regard to case after the
/// spelling was found to look like code, so `Github` is as ordinary as `GitHub`.
const PROSE: &str = "\
    adb angularjs apparmor appengine asp.net auth0 backbone.js bigquery bitbucket boringssl camelcase chart.js \
    chromeos circleci clickhouse cloudflare cloudformation cloudwatch coffeescript commonjs cpython \
    d3.js datadog devops devtools discord.js dockerhub docs.rs dotnet dynamodb ebay ebpf elasticsearch ember.js \
    emberjs esbuild express.js expressjs facebook fastapi freebsd ghz github github.com gitlab gitlab.com \
    goland golang graphiql graphql grpc hashicorp hdfs homebrew ide imessage indexeddb influxdb intellij ios \
    ipad ipados iphone ipv4 ipv6 ipython javascript jetbrains jira jquery json jsonp junit khz kotlin \
    kubernetes kwh latex leveldb libressl linkedin localstorage luajit macbook macos macosx mariadb mathml mdns \
    mhz microservice mongodb mtls mysql netbeans netbsd next.js nextjs nginx nixos node.js nodejs nosql \
    numpy nuxt.js oauth oauth2 openai openapi openbsd opengl openid openssh openssl opentelemetry \
    p5.js pascalcase paypal pkce postgresql powerpc powershell pubsub pypi pypy pytorch rabbitmq \
    react.js reactjs readme.md rocksdb rubygems scipy selinux sharepoint snakecase socket.io sourceforge \
    sqlalchemy sqlite stackoverflow tensorflow three.js tvos typescript unix vbscript visionos vmware vscode \
    vue.js vuejs watchos webassembly webauthn webgl webhook webkit webrtc websocket whatsapp wifi wordpress \
    xcode xhtml youtube zeromq";

/// Words of common languages that an answer may set in backticks although no line shows them.
const CODE: &[&str] = &[
    "true",
    "false",
    "True",
    "False",
    "null",
    "nil",
    "None",
    "none",
    "undefined",
    "void",
    "self",
    "this",
    "NULL",
    "NaN",
    "int",
    "str",
    "string",
    "bool",
    "boolean",
    "float",
    "object",
    "number",
    "bytes",
];

/// Whether a word that looks like code is an ordinary word of prose; a plural counts as its singular.
pub fn is_prose(word: &str) -> bool {
    let lower = word.to_lowercase();
    let singular = lower.strip_suffix('s').unwrap_or(&lower);
    PROSE.split_ascii_whitespace().any(|known| known == lower || known == singular)
}

/// Whether a single word needs no line that shows it.
pub fn is_language(word: &str) -> bool {
    CODE.contains(&word)
}
