// The extension with which Pi gets Second Look's tools, and the only one it loads.
//
// It registers the tools that `tools.json` beside it lists and hands every call over the socket of the run, where the
// running program answers. It reads nothing else, runs nothing and keeps nothing.
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));

// One MCP session over the socket, opened with the secret of the run.
function open() {
  const socket = connect(join(here, "s"));
  const waiting = new Map();
  let [next, rest, gone] = [1, "", undefined];

  const fail = (why) => {
    gone ??= new Error(why);
    for (const { reject } of waiting.values()) reject(gone);
    waiting.clear();
    socket.unref();
  };
  const say = (message) => socket.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const hear = (line) => {
    const { id, result, error } = JSON.parse(line);
    const waiter = waiting.get(id);
    if (!waiter) return;
    waiting.delete(id);
    // Nothing keeps Pi alive but a call under way.
    if (waiting.size === 0) socket.unref();
    if (error) waiter.reject(new Error(error.message));
    else waiter.resolve(result);
  };
  const ask = (method, params) =>
    new Promise((resolve, reject) => {
      if (gone) return reject(gone);
      waiting.set(next, { resolve, reject });
      socket.ref();
      say({ id: next++, method, params });
    });

  socket.setEncoding("utf8");
  socket.on("data", (text) => {
    const lines = (rest + text).split("\n");
    rest = lines.pop();
    lines.filter((line) => line.trim()).forEach(hear);
  });
  socket.on("error", (error) => fail(`Second Look cannot be reached: ${error.message}`));
  socket.on("close", () => fail("Second Look has closed the connection"));
  socket.write(`${readFileSync(join(here, "k"), "utf8").trim()}\n`);
  const ready = ask("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "second-look-pi", version: "1" },
  }).then(() => say({ method: "notifications/initialized" }));
  ready.catch(() => {});
  return { call: (name, given) => ready.then(() => ask("tools/call", { name, arguments: given })) };
}

export default function (pi) {
  const { prefix, submit, tools } = JSON.parse(readFileSync(join(here, "tools.json"), "utf8"));
  const session = open();
  for (const { name, description, parameters } of tools) {
    pi.registerTool({
      name: prefix + name,
      label: name,
      description,
      parameters,
      async execute(_id, given) {
        const { content, isError } = await session.call(name, given);
        // `secondLook` tells a result of ours from a refusal of Pi's own. An answer that was taken ends the run.
        return { content, details: { secondLook: true, isError }, terminate: name === submit && !isError };
      },
    });
  }
}
