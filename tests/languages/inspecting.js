// Runs a program of JavaScript under V8's inspector, which stops before each of the given lines and looks at variables:
// node inspecting.js FOLDER ENTRY CALL LINES OUTPUT. `LINES` has for each file [line, [names]] pairs.
// It shares nothing with the tracer: V8 finds the place where a line begins, and the writer of values is its own.
"use strict";

const { Session } = require("node:inspector");
const { readFileSync, writeFileSync, appendFileSync } = require("node:fs");
const { join } = require("node:path");
const { pathToFileURL } = require("node:url");
const [folder, entry, call, lines, output] = process.argv.slice(2);

/** A value as JSON in the notation of the harness; what it is not meant for becomes null. */
globalThis.inspectedValue = (value) => {
  const write = (one, depth) => {
    if (depth > 50) throw new Error("deep");
    if (one === undefined) return { undefined: true };
    if (one === null || typeof one === "string" || typeof one === "boolean") return one;
    if (typeof one === "number") return Number.isFinite(one) && !Object.is(one, -0) ? one : { number: Object.is(one, -0) ? "-0" : String(one) };
    if (typeof one === "bigint") return { bigint: one.toString(16) };
    if (Array.isArray(one)) return Array.from(one, (item) => write(item, depth + 1));
    if (one instanceof Set) return [...one].map((item) => write(item, depth + 1));
    if (one instanceof Map) return { object: [...one].map(([key, item]) => [String(key), write(item, depth + 1)]) };
    if (typeof one === "object") return { object: Object.entries(one).map(([key, item]) => [key, write(item, depth + 1)]) };
    throw new Error("foreign");
  };
  return JSON.stringify(write(value, 0));
};

const session = new Session();
const events = [];
const scripts = {};
const wanted = {};
session.connect();
session.on("Debugger.scriptParsed", ({ params: { scriptId, url } }) => { scriptId in scripts || (scripts[scriptId] = url); });
session.on("Debugger.paused", ({ params: { callFrames: [{ callFrameId, location }] } }) => {
  const file = wanted[scripts[location.scriptId]];
  const held = {};
  for (const name of file.names[location.lineNumber + 1] ?? []) {
    const expression = `inspectedValue(${name})`;
    session.post("Debugger.evaluateOnCallFrame", { callFrameId, expression, silent: true }, (_, { result, exceptionDetails }) => {
      if (!exceptionDetails) held[name] = result.value;
    });
  }
  events.push([file.path, location.lineNumber + 1, held]);
});
session.post("Debugger.enable");
for (const [path, marked] of Object.entries(JSON.parse(lines))) {
  const url = pathToFileURL(join(folder, path)).href;
  wanted[url] = { path, names: Object.fromEntries(marked) };
  for (const [line] of marked) session.post("Debugger.setBreakpointByUrl", { url, lineNumber: line - 1 });
}
process.on("exit", () => writeFileSync(output, JSON.stringify(events)));
process.on("uncaughtException", () => process.exit(0));
if (call) appendFileSync(join(folder, entry), `\n;globalThis.inspectedCall = () => (${call});\n`);
const run = () => { if (call) globalThis.inspectedCall(); };
if (/^(import|export)\b/m.test(readFileSync(join(folder, entry), "utf8"))) import(pathToFileURL(join(folder, entry)).href).then(run);
else {
  require(join(folder, entry));
  run();
}
