//! Messages as they stand on a line: reading requests, writing replies and notifications.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Bytes of the longest line that is read.
pub const LINE_LIMIT: usize = 1 << 20;

/// What a request is known by, so that its reply can be told: a whole number or a text.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Id {
    /// A number.
    Number(i64),
    /// A text.
    Text(String),
}

/// A request that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// By which its reply is known.
    pub id: Id,
    /// What is wanted.
    pub method: String,
    /// With what; an object.
    pub params: Value,
}

/// Why a request was not done.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// JSON-RPC's number for the kind.
    pub code: Code,
    /// What is wrong and what to do, in one sentence.
    pub message: String,
    /// What else is known.
    pub data: Option<Value>,
}

/// The kinds of refusals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Code {
    /// The line is no JSON.
    Parse = -32700,
    /// The JSON is no request.
    Request = -32600,
    /// There is no such method.
    Method = -32601,
    /// The parameters are wrong.
    Params = -32602,
    /// Another version of the protocol is spoken.
    Version = -32000,
    /// `initialize` comes first.
    NotInitialised = -32001,
    /// It could not be done.
    Failed = -32002,
}

impl Refusal {
    /// A refusal without further data.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), data: None }
    }

    /// The same with data.
    #[must_use]
    pub fn with(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }
}

/// A line that is no request: the id to answer to where one could be read, and what is wrong.
pub type Unread = Box<(Option<Id>, Refusal)>;

/// Reads one line.
///
/// # Errors
/// What is wrong, with the id to answer to where one could be read.
pub fn read(line: &[u8]) -> Result<Request, Unread> {
    let value: Value = serde_json::from_slice(line)
        .map_err(|error| Box::new((None, Refusal::new(Code::Parse, format!("this line is no JSON: {error}")))))?;
    let id = value.get("id").cloned().and_then(|id| serde_json::from_value::<Id>(id).ok());
    let wrong = |what: &str| Box::new((id.clone(), Refusal::new(Code::Request, what)));
    let Some(object) = value.as_object() else {
        return Err(wrong("a message is one JSON object; batches are not taken"));
    };
    if object.get("jsonrpc") != Some(&json!("2.0")) {
        return Err(wrong("a message has \"jsonrpc\": \"2.0\""));
    }
    let Some(method) = object.get("method").and_then(Value::as_str) else {
        return Err(wrong("a request has a \"method\", which is a string"));
    };
    let Some(id) = id.clone() else {
        return Err(wrong("a request has an \"id\", a whole number or a string; notifications are not taken"));
    };
    match object.get("params") {
        None => Ok(Request { id, method: method.to_owned(), params: json!({}) }),
        Some(params @ Value::Object(_)) => Ok(Request { id, method: method.to_owned(), params: params.clone() }),
        Some(_) => Err(Box::new((Some(id), Refusal::new(Code::Request, "\"params\" are an object")))),
    }
}

/// A reply, as the text of a line.
pub fn reply(id: Option<&Id>, outcome: Result<Value, Refusal>) -> String {
    match outcome {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }).to_string(),
        Err(Refusal { code, message, data }) => {
            let mut error = json!({ "code": code as i64, "message": message });
            if let Some(data) = data {
                error["data"] = data;
            }
            json!({ "jsonrpc": "2.0", "id": id, "error": error }).to_string()
        }
    }
}

/// A notification, as the text of a line.
pub fn notification(method: &str, params: &Value) -> String {
    json!({ "jsonrpc": "2.0", "method": method, "params": params }).to_string()
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reads_requests_and_says_what_is_none() {
        let good = read(br#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":1}}"#).unwrap();
        assert_eq!((good.id, good.method.as_str()), (Id::Number(1), "initialize"));
        assert_eq!(read(br#"{"jsonrpc":"2.0","id":"a","method":"x"}"#).unwrap().params, json!({}));
        for (line, code, id) in [
            ("{", Code::Parse, None),
            ("[]", Code::Request, None),
            (r#"{"id":1,"method":"x"}"#, Code::Request, Some(Id::Number(1))),
            (r#"{"jsonrpc":"2.0","id":7}"#, Code::Request, Some(Id::Number(7))),
            (r#"{"jsonrpc":"2.0","method":"x"}"#, Code::Request, None),
            (r#"{"jsonrpc":"2.0","id":1.5,"method":"x"}"#, Code::Request, None),
            (r#"{"jsonrpc":"2.0","id":2,"method":"x","params":[1]}"#, Code::Request, Some(Id::Number(2))),
        ] {
            let (found, refusal) = *read(line.as_bytes()).unwrap_err();
            assert_eq!((refusal.code, found), (code, id), "{line}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(bytes in any::<Vec<u8>>()) {
            drop(read(&bytes));
        }
    }
}
