// Runs beside a traced JavaScript program: notes which of its functions calls which. The tracer writes calls of what is
// declared here into the program. These declarations are seen by all code and are no properties of the global object.
// Any code can call and set them, so an edge is noted only if V8's own stack confirms it.
// Bodies are numbered from 1; 0 stands for the event loop. The line above this file says how many bodies and lines there are.
"use strict";

/** The body that runs. Every body sets it when it begins, and sets it back when it ends or waits. */
let codereason$now = 0;

const codereason$witness = (() => {
  const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor } = Reflect;
  const { stringify } = JSON;
  const { captureStackTrace } = Error;
  const own = globalThis, Errors = Error;
  const { iterator, asyncIterator } = Symbol;
  const width = codereason$bodies + 1;
  /** A bit for each caller and callee. */
  const calls = new Uint32Array(new SharedArrayBuffer(4 * ((width * width + 31) >>> 5)));
  /** How often the statements of each place ran. */
  const counts = new Float64Array(codereason$places);

  /** By the hash that V8 gives a script: its file. Of a file: its body, the stretches of other bodies, and its classes. */
  let scripts = null;
  let files = null;
  let broken = false;

  /** The frames of V8's stack, the innermost first; null where the program keeps them from us. */
  const look = (limit) => {
    let frames = null;
    const before = {
      stackTraceLimit: getOwnPropertyDescriptor(Errors, "stackTraceLimit"),
      prepareStackTrace: getOwnPropertyDescriptor(Errors, "prepareStackTrace"),
    };
    const put = (name, value) => defineProperty(Errors, name, { __proto__: null, value, writable: true, configurable: true });
    if (own.Error !== Errors || !put("stackTraceLimit", limit)) return null;
    if (put("prepareStackTrace", (_, found) => { frames = found; })) {
      const holder = {};
      captureStackTrace(holder);
      holder.stack;
      if (before.prepareStackTrace) defineProperty(Errors, "prepareStackTrace", before.prepareStackTrace);
      else deleteProperty(Errors, "prepareStackTrace");
    }
    if (before.stackTraceLimit) defineProperty(Errors, "stackTraceLimit", before.stackTraceLimit);
    else deleteProperty(Errors, "stackTraceLimit");
    return frames;
  };
  const { getScriptHash, getPosition, getFunctionName, isAsync, isConstructor } = look(1)[0]; // before the program can replace them
  const initializers = { __proto__: null, "<instance_members_initializer>": true, "<static_initializer>": true };

  /**
   * The body in whose text a frame stands: 0 for a frame of no file, -1 where a body around it works something out. In front
   * of a body, where its parameters are taken apart on behalf of who calls it: its number below zero, less one.
   */
  const place = (frame) => {
    const script = scripts[apply(getScriptHash, frame, [])];
    if (script === undefined) return 0;
    const at = apply(getPosition, frame, []) - script.shift;
    const { body, stretches, classes } = files[script.file];
    if (initializers[apply(getFunctionName, frame, [])]) return -1;
    // Where a function begins stands the constructor that it is, before its body, or what makes the function.
    const makes = apply(isConstructor, frame, []) === true;
    if (makes && classes[at]) return -1; // a constructor that nobody wrote
    let found = body;
    for (let i = 0; i < stretches.length && stretches[i][0] < at + makes; i++) {
      const part = stretches[i]; // its start, that of its body, its end, its number
      if (at < part[2]) found = makes || at >= part[1] ? part[3] : -part[3] - 1;
    }
    return found;
  };

  /** Whether the body that says that it begins is on V8's stack, and is called by the one that should call it. */
  const isCalled = (caller, body) => {
    for (let limit = 30; ; limit = Infinity) { // nearly always the few are enough
      const frames = look(limit);
      if (frames === null) return false;
      let first = true;
      for (let i = 0; i < frames.length && !apply(isAsync, frames[i], []); i++) {
        const at = place(frames[i]);
        const found = at < -1 ? -at - 1 : at;
        if (found <= 0 || (!first && at < -1 && found !== caller)) continue;
        if (!first) return found === caller;
        if (found !== body) return false;
        first = false;
      }
      if (limit === Infinity) return false;
    }
  };

  /** Notes an edge for the first time. */
  const note = (caller, body, at) => {
    if (caller === 0 || files === null || files[body] !== undefined || isCalled(caller, body)) calls[at >>> 5] |= 1 << (at & 31);
    else broken = true;
  };

  /** Begins a body, and gives back who called it. */
  const enter = (body) => {
    const caller = codereason$now;
    const at = caller * width + body;
    if ((calls[at >>> 5] & (1 << (at & 31))) === 0) note(caller, body, at);
    codereason$now = body;
    return caller;
  };

  /** Begins a body that waits on its way: a generator, an asynchronous function, a module. */
  const begin = (body) => ({ caller: enter(body), body, away: false });
  const end = (activation) => { if (!activation.away) codereason$now = activation.caller; };
  const pause = (activation, value) => {
    activation.away = true;
    codereason$now = activation.caller;
    return value;
  };
  /** Goes on in a body, if it has been away, on behalf of who goes on with it. */
  const again = (activation) => {
    if (activation.away) {
      activation.away = false;
      activation.caller = codereason$now;
    }
    codereason$now = activation.body;
  };
  const resume = (activation, value) => {
    again(activation);
    return value;
  };

  /** Works out a part of a body that stands before it: the default of a parameter, the value of a field. */
  const within = (body, work) => {
    const caller = enter(body);
    try {
      return work();
    } finally {
      codereason$now = caller;
    }
  };
  /** The same before a generator, whose body begins when it is asked for a value. */
  const aside = (body, work) => {
    const caller = codereason$now;
    codereason$now = body;
    try {
      return work();
    } finally {
      codereason$now = caller;
    }
  };

  /** What yield* and for await take instead of `source`: its methods are called by the body, and the body waits after each. */
  const lend = (activation, source) => {
    if (source === undefined || source === null) return source;
    const method = (name) => {
      const make = source[name];
      if (typeof make !== "function") return make;
      return () => {
        const inner = apply(make, source, []);
        if ((typeof inner !== "object" && typeof inner !== "function") || inner === null) return inner;
        const { next } = inner;
        const lent = (own) => (value) => {
          again(activation);
          try {
            return apply(own, inner, [value]);
          } finally {
            pause(activation);
          }
        };
        const optional = (own) => (own === undefined || own === null ? own : lent(own));
        return {
          __proto__: null,
          next: typeof next === "function" ? lent(next) : next,
          get return() { return optional(inner.return); },
          get throw() { return optional(inner.throw); },
        };
      };
    };
    return {
      __proto__: null,
      get [iterator]() { return method(iterator); },
      get [asyncIterator]() { return method(asyncIterator); },
    };
  };

  const file = (body) => { codereason$now = body; };
  const line = (place) => { counts[place] += 1; };

  /** The trace as JSON. `names` are those of the bodies, `modules` the bodies that are files, `places` files and lines. */
  const encode = (names, modules, places) => {
    let edges = "";
    const isFile = new Uint8Array(width);
    for (let i = 0; i < modules.length; i++) isFile[modules[i]] = 1;
    for (let at = width; at < width * width; at++) {
      if (calls[at >>> 5] === 0) at |= 31;
      else if (calls[at >>> 5] & (1 << (at & 31))) {
        const callee = at % width;
        if (!isFile[callee]) edges += `${edges && ","}[${stringify(names[(at - callee) / width - 1])},${stringify(names[callee - 1])}]`;
      }
    }
    const files = { __proto__: null };
    for (let i = 0; i < counts.length; i++) {
      const path = places[i][0];
      const number = places[i][1];
      if (counts[i]) (files[path] ??= { __proto__: null })[number] = (files[path][number] ?? 0) + counts[i];
    }
    let lines = "";
    for (const path in files) {
      let pairs = "";
      for (const number in files[path]) pairs += `${pairs && ","}[${number},${files[path][number]}]`;
      lines += `${lines && ","}${stringify(path)}:[${pairs}]`;
    }
    return `{"edges":[${edges}],"lines":{${lines}}}`;
  };
  /** Takes what is known of the files, once. */
  const know = (known) => { if (scripts === null) ({ scripts, files } = known); };
  return { know, isBroken: () => broken, fail() {}, enter, begin, end, pause, again, resume, within, aside, lend, file, line, encode, who: () => codereason$now };
})();

const {
  enter: codereason$enter,
  begin: codereason$begin,
  end: codereason$end,
  pause: codereason$pause,
  again: codereason$again,
  resume: codereason$resume,
  within: codereason$within,
  aside: codereason$aside,
  lend: codereason$lend,
  file: codereason$file,
  line: codereason$line,
} = codereason$witness;
codereason$witness;
