// Runs program.js, evaluates call.js in its scope, and writes what came of it as one line of JSON. The file "entry" has the
// path of another program than program.js, and a file "module" says that this program is an ES module. If there are files
// "witness.js" and "trace", the program has calls of the witness in it, and its trace stands beside what came of it.
// Everything used after the program has begun is taken before, so that what it patches changes nothing here.
"use strict";

const { readFileSync, existsSync, unlinkSync, writeSync } = require("node:fs");
const Module = require("node:module");
const { createRequire, prototype: loaded } = Module;
const { compileFunction, Script } = require("node:vm");
const { isMap, isSet, isProxy, isTypedArray, isBoxedPrimitive, isNativeError, isPromise } = require("node:util").types;
const { dirname, resolve } = require("node:path");
const { pathToFileURL } = require("node:url");
const { stringify } = JSON;
const { isArray } = Array;
const { isFinite, prototype: { valueOf: unboxNumber } } = Number;
const { is, keys, prototype: { toString: describe } } = Object;
const { apply, get } = Reflect;
const { forEach: eachOfMap } = Map.prototype;
const { forEach: eachOfSet } = Set.prototype;
const { toString: digits } = BigInt.prototype;
const { then } = Promise.prototype;
const encoder = new TextEncoder();
const { encode: encodeText } = encoder;
const { defineProperty, getOwnPropertyDescriptor, getPrototypeOf } = Object;
const { get: lengthOf } = getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), "length");
const { slice: cut, startsWith: starts, replaceAll } = String.prototype;
const { reallyExit: leave, on, off } = process;
const text = String;
const unboxers = [unboxNumber, String.prototype.valueOf, Boolean.prototype.valueOf, BigInt.prototype.valueOf];

// Into a full pipe node writes later, which is never where the program does not wait or the process ends first.
process.stdout._handle?.setBlocking?.(true);
process.stderr._handle?.setBlocking?.(true);

const MAX_DEPTH = 100;
const MOST = (1n << 10_000n) - 1n;
const MAX_MESSAGE = 10_000;
/** What the code or the message of an error says about the limits. */
const LIMITS = {
  __proto__: null,
  EFBIG: "file",
  ENOSPC: "file",
  EAGAIN: "processes",
  ENOMEM: "memory",
  ERR_WORKER_OUT_OF_MEMORY: "memory",
  "Array buffer allocation failed": "memory",
  "Invalid string length": "memory",
};
/** What stands before the line, which the program cannot know: bytes of their own, which no pool and no snapshot shows. */
const seal = takeSeal();
const descriptor = Number(process.env.CODEREASON_RESULT);
delete process.env.CODEREASON_RESULT;

function takeSeal() {
  if (!existsSync("seal")) return new Uint8Array(0);
  const read = readFileSync("seal");
  const kept = new Uint8Array(read);
  read.fill(0);
  unlinkSync("seal");
  return kept;
}

/** Keeps the program from what looks into this file: the inspector, and what stands below the functions of node. */
/** Has V8 count the functions of the program: the second witness, which knows nothing of the first. */
function makeCounter() {
  const { scripts } = JSON.parse(readFileSync("entered", "utf8"));
  unlinkSync("entered");
  const { Session } = require("node:inspector");
  const session = new Session();
  const files = { __proto__: null };
  session.connect();
  session.on("Debugger.scriptParsed", ({ params: { scriptId, hash } }) => { if (hash in scripts) files[scriptId] = scripts[hash]; });
  session.post("Debugger.enable");
  session.post("Profiler.enable");
  session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  const { post } = session;
  return {
    run: (work) => work(),
    fail() {},
    join(line) {
      if (apply(starts, line, ['{"rejected"'])) return line;
      let entered = "";
      apply(post, session, ["Profiler.takePreciseCoverage", (_, { result }) => {
        for (let i = 0; i < result.length; i++) {
          const { scriptId, functions } = result[i];
          for (let j = 0; files[scriptId] && j < functions.length; j++) {
            const { ranges: [{ startOffset, endOffset, count }] } = functions[j];
            const { file, shift } = files[scriptId];
            if (count) entered += `${entered && ","}[${stringify(file)},${startOffset - shift},${endOffset - shift}]`;
          }
        }
      }]);
      return `${apply(cut, line, [0, -1])},"trace":{"edges":[],"entered":[${entered}]}}`;
    },
  };
}

function guard() {
  const binding = process.binding;
  const refuse = () => { throw new Error("a program has no inspector, and under trace no worker"); };
  const closed = (object, name, value) => Object.defineProperty(object, name, { value, writable: false, configurable: false });
  for (const name of ["writeBuffer", "writeString"]) closed(binding("fs"), name, binding("fs")[name]);
  if (existsSync("trace")) closed(require("node:worker_threads"), "Worker", refuse);
  try {
    for (const name of ["Connection", "MainThreadConnection"]) closed(binding("inspector"), name, refuse);
    const { Session } = counter ? require("node:inspector") : { Session: class {} }; // else nobody has loaded it
    for (const name of ["connect", "connectToMainThread"]) closed(Session.prototype, name, refuse);
  } catch { /* this node has none */ }
}
const counter = existsSync("entered") ? makeCounter() : null;
guard();

/** Thrown where a value has no literal in the language. */
class NotALiteral extends Error {}
NotALiteral.prototype.name = "NotALiteral";

/** Thrown where nothing is left that could settle the promise that the call returned. */
class NeverSettled extends Error {}
NeverSettled.prototype.name = "NeverSettled";

/** Strings, booleans, null, numbers and arrays are themselves; the rest is an object that names its kind. */
function encode(value, depth) {
  switch (typeof value) {
    case "string":
      return stringify(value);
    case "boolean":
      return value ? "true" : "false";
    case "number":
      return isFinite(value) && !is(value, -0) ? text(value) : `{"number":"${is(value, -0) ? "-0" : text(value)}"}`;
    case "bigint":
      if (value > MOST || -value > MOST) throw new NotALiteral("an integer of more than 10,000 bits has no literal");
      return `{"bigint":"${apply(digits, value, [16])}"}`;
    case "undefined":
      return '{"undefined":true}';
    case "object":
      return value === null ? "null" : encodeObject(value, depth);
  }
  throw new NotALiteral(`a ${typeof value} has no literal`);
}

function encodeObject(value, depth) {
  if (depth >= MAX_DEPTH) throw new NotALiteral(`nested more than ${MAX_DEPTH} levels deep, or holds itself`);
  if (isBoxedPrimitive(value)) return encode(unboxed(value), depth);
  let inside = "";
  const add = (piece) => { inside += inside === "" ? piece : `,${piece}`; };
  const entry = (key, item) => add(`[${stringify(propertyName(key))},${encode(item, depth + 1)}]`);
  if (isArray(value) || isTypedArray(value)) {
    const { length } = value;
    for (let i = 0; i < length; i++) add(encode(value[i], depth + 1));
    return `[${inside}]`;
  }
  if (isSet(value)) {
    apply(eachOfSet, value, [(item) => add(encode(item, depth + 1))]);
    return `[${inside}]`;
  }
  if (isMap(value)) {
    apply(eachOfMap, value, [(item, key) => entry(key, item)]);
  } else {
    const tag = apply(describe, value, []);
    if (tag !== "[object Object]") throw new NotALiteral(`${tag} has no literal`);
    const names = keys(value);
    for (let i = 0; i < names.length; i++) entry(names[i], value[names[i]]);
  }
  return `{"object":[${inside}]}`;
}

function unboxed(value) {
  for (let i = 0; i < unboxers.length; i++) {
    try {
      return apply(unboxers[i], value, []);
    } catch { /* a box of another kind */ }
  }
  throw new NotALiteral("a boxed symbol has no literal");
}

function propertyName(key) {
  if (typeof key === "symbol" || (typeof key === "object" && key !== null) || typeof key === "function") {
    throw new NotALiteral(`a map with a key that is a ${typeof key} has no literal`);
  }
  return text(key);
}

/** Writes bytes. Their lengths are their own, so that no getter of the program sees them. */
function put(bytes) {
  const length = apply(lengthOf, bytes, []);
  defineProperty(bytes, "length", { __proto__: null, value: length });
  defineProperty(bytes, "byteLength", { __proto__: null, value: length });
  for (let at = 0; at < length; ) at += writeSync(descriptor, bytes, at, length - at);
}

/** Writes the one line and ends the process: timers and sockets left open keep nobody waiting. */
function finish(line) {
  if (witness) line = witness.join(line);
  put(seal);
  put(apply(encodeText, encoder, [`${line}\n`]));
  leave(0);
}

/** Anything can be thrown, and describing it may run the program's own code. */
function described(thrown) {
  let error = thrown === null ? "null" : typeof thrown;
  let message = "";
  let limit;
  try {
    if (typeof thrown === "object" && thrown !== null) {
      const own = get(thrown, "name");
      const name = typeof own === "string" && own !== "Error" ? own : get(get(thrown, "constructor"), "name");
      if (typeof name === "string" && name !== "") error = name;
      const said = get(thrown, "message");
      if (typeof said === "string") message = said;
      limit = LIMITS[isNativeError(thrown) ? get(thrown, "code") ?? message : ""];
    } else {
      message = text(thrown);
    }
  } catch { /* then its type must do */ }
  const hit = limit === undefined ? "" : `,"limit":"${limit}"`;
  return `"error":${stringify(apply(cut, error, [0, MAX_MESSAGE]))},"message":${stringify(apply(cut, message, [0, MAX_MESSAGE]))}${hit}`;
}

function fail(thrown) {
  if (witness) witness.fail(thrown);
  finish(`{${described(thrown)}}`);
}

function succeed(value) {
  let line;
  try {
    line = `{"value":${encode(value, 0)}}`;
  } catch (thrown) {
    return fail(thrown);
  }
  finish(line);
}

/** Notes what the program calls, if the program is traced. */
function makeWitness() {
  if (!existsSync("trace")) return counter;
  const { names, modules, entry, places, complaint, scripts, files, ...told } = JSON.parse(readFileSync("trace", "utf8"));
  const seen = new Script(readFileSync("witness.js", "utf8"), { filename: "witness.js" }).runInThisContext();
  // Taken before the program begins, which may change the object.
  const { file, who, know, isBroken, fail, encode: encodeTrace } = seen;
  unlinkSync("trace");
  unlinkSync("witness.js");
  const tools = { encode, isMap, isSet, isProxy, isNativeError };
  know({ ...told, ...tools, scripts: { __proto__: null, ...scripts }, files: { __proto__: null, ...files } });
  const { _compile: compile } = loaded;
  loaded._compile = function _compile(...given) { // a file that is required hands back to who requires it, whatever happens
    const before = who();
    try {
      return apply(compile, this, given);
    } finally {
      file(before);
    }
  };
  let expected = 0; // what runs when the program ends
  let broken = complaint;
  /** A program that loads its files in another way has no trace. */
  const keep = (object, name) => {
    let now = object[name];
    const set = (value) => { if (value !== now) broken ||= "the program loads its files in a way of its own"; now = value; };
    defineProperty(object, name, { __proto__: null, get: () => now, set, enumerable: true, configurable: false });
  };
  for (const name of [".js", ".mjs", ".cjs"]) if (Module._extensions[name]) keep(Module._extensions, name);
  keep(Module, "_extensions");
  keep(loaded, "_compile");
  return {
    fail,
    /** Works something out as the code of the entry. */
    run(work) {
      file(expected = entry);
      const value = work();
      if (who() !== entry) broken ||= "the program interferes with its trace";
      file(expected = 0);
      return value;
    },
    join(line) {
      if (apply(starts, line, ['{"rejected"'])) return line;
      if (who() !== expected && apply(starts, line, ['{"value"'])) broken ||= "the program interferes with its trace";
      if (isBroken()) broken ||= "the program interferes with its trace";
      if (broken) return `{"tampered":${stringify(broken)}}`;
      return `${apply(cut, line, [0, -1])},"trace":${encodeTrace(names, modules, places)}}`;
    },
  };
}

/** The program as the body of a module, which gives back how to evaluate the call. */
function compiled(call) {
  const filename = resolve(path);
  const names = ["exports", "require", "module", "__filename", "__dirname"];
  const ending = call === null ? "" : `\n;return () => (${call}\n);`;
  const body = compileFunction(readFileSync(filename, "utf8") + ending, names, { filename });
  const module = { exports: {}, filename };
  const own = createRequire(filename);
  own.main = call === null ? module : undefined;
  if (several) own.cache[filename] = module; // files that require this one get what it exports
  return () => apply(body, module.exports, [module.exports, own, module, filename, dirname(filename)]);
}

function reject(thrown) {
  const stack = apply(replaceAll, thrown.stack, [pathToFileURL(resolve(".")).href, ""]);
  const [, line] = (several ? /:(\d+)\n/ : /program\.js:(\d+)/).exec(stack) ?? [];
  finish(`{"rejected":${stringify(line ? `line ${line}: ${thrown.message}` : thrown.message)}}`);
}

/** Whether an error says that a module cannot be read: then no line of the program's stands among the callers. */
const unreadable = (thrown) => thrown instanceof SyntaxError && !/\n    at [^\n]*\/program\//.test(thrown.stack);

const call = existsSync("call.js") ? readFileSync("call.js", "utf8") : null;
const several = existsSync("entry");
const path = several ? readFileSync("entry", "utf8") : "program.js";
const isModule = existsSync("module");
process.argv[1] = resolve(path);
const witness = makeWitness();
const traced = (work) => (witness ? witness.run(work) : work());
let program;
try {
  if (!isModule) program = compiled(call);
} catch (thrown) {
  reject(thrown);
}

process.on("uncaughtException", fail);
process.on("unhandledRejection", fail);
// When nothing is left to wait for, a promise will never be kept, and a script ends after its own handlers of that.
const end = () => succeed(null);
process.on("beforeExit", () => {
  if (call !== null) fail(new NeverSettled("the promise stays pending"));
  apply(off, process, ["exit", end]);
  apply(on, process, ["exit", end]);
});

function answer(evaluate) {
  try {
    const value = traced(evaluate);
    if (isPromise(value)) apply(then, value, [succeed, fail]);
    else succeed(value);
  } catch (thrown) {
    fail(thrown);
  }
}

if (isModule) {
  const failed = (thrown) => (unreadable(thrown) ? reject(thrown) : fail(thrown));
  const imported = (module) => { if (call !== null) answer(module.codereason$call); };
  apply(then, import(pathToFileURL(resolve(path)).href), [imported, failed]);
} else {
  try {
    const evaluate = traced(program);
    if (call !== null) answer(evaluate);
  } catch (thrown) {
    fail(thrown);
  }
}
