//! Speaks MCP to Second Look, over the bridge or straight over the socket.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

/// How the server is reached.
pub enum Server {
    /// A program with its arguments, as agent programs start one.
    Program(String, Vec<String>),
    /// A socket, and what is said on it first.
    Socket(String, String),
}

/// A connection to the tools.
pub struct Tools {
    to: Box<dyn Write>,
    from: Box<dyn BufRead>,
    next: u64,
    names: Vec<String>,
    _child: Option<Child>,
}

impl Tools {
    /// Connects, shakes hands and lists the tools.
    pub fn connect(server: Server) -> Self {
        let (to, from, child): (Box<dyn Write>, Box<dyn BufRead>, _) = match server {
            Server::Program(program, arguments) => {
                let mut command = Command::new(program);
                command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
                let mut child = command.spawn().unwrap();
                let (to, from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
                (Box::new(to), Box::new(BufReader::new(from)), Some(child))
            }
            Server::Socket(path, secret) => {
                let mut stream = UnixStream::connect(path).unwrap();
                stream.write_all(secret.as_bytes()).unwrap();
                (Box::new(stream.try_clone().unwrap()), Box::new(BufReader::new(stream)), None)
            }
        };
        let mut tools = Self { to, from, next: 0, names: Vec::new(), _child: child };
        let client = json!({ "name": "fake-agent", "version": "1" });
        tools.ask("initialize", &json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client }));
        tools.say(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        let list = tools.ask("tools/list", &json!({}));
        let list = list["tools"].as_array().unwrap();
        tools.names = list.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect();
        tools
    }

    /// The names of the tools, as the server has them.
    pub fn names(&self) -> Vec<String> {
        self.names.clone()
    }

    /// Calls a tool: its text, and whether it says that it failed.
    pub fn call(&mut self, name: &str, arguments: &Value) -> (String, bool) {
        let result = self.ask("tools/call", &json!({ "name": name, "arguments": arguments }));
        let pieces = result["content"].as_array().cloned().unwrap_or_default();
        let text = pieces.iter().filter_map(|piece| piece["text"].as_str()).collect();
        (text, result["isError"] == true)
    }

    fn say(&mut self, message: &Value) {
        self.to.write_all(format!("{message}\n").as_bytes()).unwrap();
        self.to.flush().unwrap();
    }

    fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.say(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        loop {
            let mut line = String::new();
            if self.from.read_line(&mut line).unwrap() == 0 {
                return json!({ "content": [{ "type": "text", "text": "the server is gone" }], "isError": true });
            }
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == id {
                return match &message["error"] {
                    Value::Null => message["result"].clone(),
                    error => json!({ "content": [{ "type": "text", "text": error.to_string() }], "isError": true }),
                };
            }
        }
    }
}
