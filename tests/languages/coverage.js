// Loads the programs of a folder untraced, one after the other, and prints which functions V8's coverage counted: for each
// file a list of [start, end, times]. V8 counts every call of every function and knows nothing of the tracer.
"use strict";
const { Session } = require("node:inspector");
const { readdirSync } = require("node:fs");
const { pathToFileURL } = require("node:url");
const { resolve } = require("node:path");

const session = new Session();
session.connect();
session.post("Profiler.enable");
session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
process.on("uncaughtException", () => {});
process.on("unhandledRejection", () => {});
process.on("exit", () => session.post("Profiler.takePreciseCoverage", (_, { result }) => {
  const files = {};
  for (const { url, functions } of result) {
    const file = url.split("/").pop();
    if (!names.has(file)) continue;
    files[file] = functions.map(({ functionName, ranges: [{ startOffset, endOffset, count }] }) =>
      [functionName, startOffset, endOffset, count]);
  }
  process.stdout.write(JSON.stringify(files));
}));
const folder = process.argv[2];
const names = new Set(readdirSync(folder));
for (const name of names) {
  try {
    require(resolve(folder, name));
  } catch { /* some programs throw */ }
}
