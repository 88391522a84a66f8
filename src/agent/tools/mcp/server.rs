//! What the MCP server answers: the list of the tools, and calls of them. Knows nothing of sockets.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CustomRequest, CustomResult, ErrorCode,
    ErrorData, Implementation, JsonObject, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
    Tool, ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::Value;
use tokio::sync::Semaphore;

use super::super::{Called, SUBMIT, SUBMIT_WORDS, Toolbox};
use crate::agent::{Desk, Event};

/// Reading tools that run at once; more wait.
const AT_ONCE: usize = 4;

/// The server of one run of one question.
pub struct Server {
    tools: Arc<Toolbox>,
    schema: Arc<JsonObject>,
    desk: Desk,
    submitted: Arc<AtomicBool>,
    at_once: Arc<Semaphore>,
}

impl Server {
    /// A server of these tools and of an answer of this schema. `submitted` turns true when an answer was handed in.
    pub fn new(tools: Arc<Toolbox>, schema: Value, desk: Desk, submitted: Arc<AtomicBool>) -> Self {
        let schema = Arc::new(schema.as_object().cloned().unwrap_or_default());
        Self { tools, schema, desk, submitted, at_once: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    fn list(&self) -> Vec<Tool> {
        let tool = |name: &'static str, words: &'static str, schema: Arc<JsonObject>| {
            // Nothing outside this question changes by handing in an answer either; programs that ask before anything
            // that is not read-only would otherwise ask, with nobody there to answer.
            let hints = ToolAnnotations::new().read_only(true).destructive(false).open_world(false);
            Tool::new(name, words, schema).with_annotations(hints.idempotent(name != SUBMIT))
        };
        let reading = self.tools.tools().iter().map(|reading| {
            let schema = reading.schema().as_object().cloned().unwrap_or_default();
            tool(reading.name(), reading.description(), Arc::new(schema))
        });
        reading.chain([tool(SUBMIT, SUBMIT_WORDS, Arc::clone(&self.schema))]).collect()
    }

    /// Calls a tool. What breaks a schema is passed on all the same: the tool or the check says what is wrong.
    async fn call(&self, name: Cow<'static, str>, arguments: Value) -> Called {
        if name == SUBMIT {
            self.desk.say(Event::Doing("hands in an answer".to_owned())).await;
            self.submitted.store(true, Ordering::Relaxed);
            return self.desk.submit(arguments.to_string()).await.into();
        }
        let _turn = self.at_once.acquire().await;
        self.desk.say(Event::Doing(self.tools.doing(&name, &arguments))).await;
        let tools = Arc::clone(&self.tools);
        let called = tokio::task::spawn_blocking(move || tools.call(&name, &arguments)).await;
        called
            .unwrap_or_else(|_| Called { text: "The tool broke off. Ask for something else.".to_owned(), failed: true })
    }
}

fn result(called: Called) -> CallToolResult {
    let content = vec![ContentBlock::text(called.text)];
    if called.failed { CallToolResult::error(content) } else { CallToolResult::success(content) }
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("second-look", env!("CARGO_PKG_VERSION")))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.list()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::Object(request.arguments.unwrap_or_default());
        Ok(result(self.call(request.name, arguments).await).into())
    }

    /// A call whose arguments are no object is no tool call to the crate; it is passed on like any other.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let name = request.params.as_ref().and_then(|params| params.get("name")?.as_str()).map(str::to_owned);
        let (Some(name), "tools/call") = (name, request.method.as_str()) else {
            return Err(ErrorData::new(ErrorCode::METHOD_NOT_FOUND, "there is no such method", None));
        };
        let arguments = request.params.and_then(|mut params| params.get_mut("arguments").map(Value::take));
        let called = self.call(Cow::Owned(name), arguments.unwrap_or_default()).await;
        let value = serde_json::to_value(result(called));
        value.map(CustomResult::new).map_err(|error| ErrorData::internal_error(error.to_string(), None))
    }
}
