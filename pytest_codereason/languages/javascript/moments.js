// Runs beside a JavaScript program whose moments are traced: notes every line that runs, and what variables hold before
// some of them. The tracer writes calls of what is declared here into the program.
// Any code can call a note. So none believes its arguments: V8's own stack must say that the call is the very one which
// the tracer has written, by the script and the place in it. Then its arguments are those that stand there.
"use strict";

const codereason$witness = (() => {
  const { apply, defineProperty, deleteProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
  const { captureStackTrace, prototype: ofErrors } = Error;
  const { is, hasOwn, prototype: ofObjects } = Object;
  const { isArray, prototype: ofArrays } = Array;
  const { prototype: ofMaps } = Map, { prototype: ofSets } = Set;
  const { forEach: eachOfMap } = ofMaps, { forEach: eachOfSet } = ofSets;
  const { get: sizeOfMap } = getOwnPropertyDescriptor(ofMaps, "size"), { get: sizeOfSet } = getOwnPropertyDescriptor(ofSets, "size");
  const { toStringTag } = Symbol;
  const { prototype: ofMissing } = ReferenceError;
  const own = globalThis, Errors = Error;
  /** What stands for a value: it is too long or no plain data; the variable has none. */
  const TOO_LARGE = -1, UNBOUND = -2;
  /** No integer is written that is farther from 0. */
  const FARTHEST = 1n << 8000n;
  /** Characters of all events, so that a whole trace stays below what a job may write. */
  const MOST_CODE = 500_000;

  /** What is known: the scripts of the files by their hashes, the marks, and how much is noted at most. */
  let known = null;
  let broken = false, whole = true, ended = false;
  let begun = 0;
  let numbered = 0;
  const numbers = { __proto__: null }; // of frames, in the order of their first lines
  let count = 0;
  let frames, marks, last, files; // of each event its frame and mark; of each frame its last mark and its file
  let seen, visits; // by probe
  const texts = { __proto__: null };
  let written = "", pieces = 0, room = 0;
  /** The frames of files that have begun and not ended, the innermost first. */
  let open = null;
  /** An exception that leaves functions, with the mark of the line from which it came, while no other line runs. */
  let raised = null;

  /** What V8 tells of a stack: `take` makes it look, and hands on an error. The frames, the innermost first, or null. */
  const look = (limit, take) => {
    let frames = null;
    const before = {
      stackTraceLimit: getOwnPropertyDescriptor(Errors, "stackTraceLimit"),
      prepareStackTrace: getOwnPropertyDescriptor(Errors, "prepareStackTrace"),
    };
    const put = (name, value) => defineProperty(Errors, name, { __proto__: null, value, writable: true, configurable: true });
    if (own.Error !== Errors || !put("stackTraceLimit", limit)) return null;
    let error;
    if (put("prepareStackTrace", (of, found) => { if (is(of, error)) frames = found; })) {
      error = take();
      error.stack;
      if (before.prepareStackTrace) defineProperty(Errors, "prepareStackTrace", before.prepareStackTrace);
      else deleteProperty(Errors, "prepareStackTrace");
    }
    if (before.stackTraceLimit) defineProperty(Errors, "stackTraceLimit", before.stackTraceLimit);
    else deleteProperty(Errors, "stackTraceLimit");
    return frames;
  };
  const take = () => {
    const holder = {};
    captureStackTrace(holder, note);
    return holder;
  };
  const { getScriptHash, getPosition, getLineNumber, isConstructor } = getPrototypeOf(look(1, () => {
    const holder = {};
    captureStackTrace(holder);
    return holder;
  })[0]);

  /** Whether the call of a note is the one that the tracer has written under this number. */
  const isWritten = (number) => {
    if (known === null || typeof number !== "number" || number >>> 0 !== number || number >= known.marks.length) return false;
    const found = look(1, take);
    if (found === null || found.length !== 1) return false;
    const script = known.scripts[apply(getScriptHash, found[0], [])];
    const mark = known.marks[number];
    return script !== undefined && script.file === mark.file && apply(getPosition, found[0], []) - script.shift === mark.position;
  };

  /** A number for a call of a function. */
  const frame = () => ++begun;

  /** Notes what happens in a frame: see `Mark`. Where a note finds no room on the stack, the trace is not whole. */
  const note = (frame, number, ...given) => {
    if (!whole || ended) return;
    let noted = false;
    try {
      if (!isWritten(number)) return;
      const mark = known.marks[number];
      if (mark.kind === "line") noteLine(frame, number, mark, given);
      else if (mark.kind === "open") open = { __proto__: null, frame, below: open };
      else if (mark.kind === "close") open = open !== null && open.frame === frame ? open.below : open;
      else if (raised === null) raised = { __proto__: null, error: given[0], mark: findLast(frame) };
      noted = true;
    } finally {
      if (!noted) broken = true;
    }
  };
  const findLast = (frame) => (numbers[frame] === undefined ? -1 : last[numbers[frame]]);

  const noteLine = (frame, number, mark, given) => {
    raised = null;
    if (mark.outside) while (open !== null && open.frame !== frame) open = open.below;
    if (count >= known.most.events) {
      whole = false;
      return;
    }
    let place = numbers[frame];
    if (place === undefined) {
      place = numbers[frame] = numbered++;
      files[place] = mark.file;
    }
    last[place] = number;
    frames[count] = place;
    marks[count] = number;
    count += 1;
    if (mark.probe >= 0) noteVisit(mark.probe, given);
  };

  /** Notes what variables hold, each given by a function. */
  const noteVisit = (probe, given) => {
    if (visits[probe] >= known.most.visits) return;
    visits[probe] += 1;
    const held = { __proto__: null }, states = { __proto__: null };
    let values = "", same = "";
    for (let i = 0; i < given.length; i++) {
      let place = UNBOUND, first = i;
      try {
        held[i] = given[i]();
        place = findText(held[i]);
        for (let j = i - 1; j >= 0; j--) if (states[j] !== UNBOUND && is(held[i], held[j])) first = j;
      } catch (error) {
        if (error === null || typeof error !== "object" || getPrototypeOf(error) !== ofMissing) broken = true; // no room on the stack
      }
      states[i] = place;
      values += `${i ? "," : ""}${place}`;
      same += `${i ? "," : ""}${first}`;
    }
    seen[probe] += `${seen[probe] && ","}[[${values}],[${same}]]`;
  };

  /** The place of a value among those that are written, or TOO_LARGE. */
  const findText = (value) => {
    let text = "";
    try {
      if (isShort(value)) text = known.encode(value, 0);
    } catch { /* it has no literal */ }
    if (text === "" || text.length > known.most.text) return TOO_LARGE;
    const key = `${known.isMap(value) ? "map" : known.isSet(value) ? "set" : ""}${text}`; // a map is written as an object
    if (texts[key] === undefined) {
      if (text.length > room) return TOO_LARGE;
      room -= text.length;
      written += `${pieces ? "," : ""}${text}`;
      texts[key] = pieces++;
    }
    return texts[key];
  };

  /** Whether a value may be short, as far as its sizes say, and is plain data. No code of the program runs to tell. */
  const isShort = (value) => {
    let left = known.most.text, size = 1;
    const waiting = { __proto__: null, 0: value };
    const add = (one) => { waiting[size++] = one; };
    while (size > 0) {
      const one = waiting[--size];
      left -= typeof one === "string" ? 1 + one.length : 1;
      if (left < 0 || typeof one === "function" || typeof one === "symbol") return false;
      if (typeof one === "bigint" && (one > FARTHEST || one < -FARTHEST)) return false;
      if (typeof one !== "object" || one === null) continue;
      if (known.isProxy(one)) return false;
      const kind = getPrototypeOf(one);
      if (known.isMap(one) || known.isSet(one)) {
        const isMap = known.isMap(one);
        if (kind !== (isMap ? ofMaps : ofSets) || apply(isMap ? sizeOfMap : sizeOfSet, one, []) > left) return false;
        if (isMap) apply(eachOfMap, one, [(item, key) => { add(key); add(item); }]);
        else apply(eachOfSet, one, [add]);
        continue;
      }
      const isList = isArray(one);
      if (isList ? kind !== ofArrays || one.length > left : kind !== null && (kind !== ofObjects || hasOwn(ofObjects, toStringTag))) return false;
      const keys = isList ? one : ownKeys(one);
      if (keys.length > left) return false;
      for (let i = 0; i < keys.length; i++) {
        const key = isList ? i : keys[i];
        const property = typeof key === "symbol" ? undefined : getOwnPropertyDescriptor(one, key);
        if (property === undefined || !hasOwn(property, "value")) return false; // it is not there, or code works it out
        add(property.value);
        left -= isList ? 0 : key.length;
      }
    }
    return true;
  };

  /** Takes what the program threw and nobody caught. Nothing is noted any more. */
  const fail = (thrown) => {
    ended = true;
    let mark = -1;
    if (raised !== null) mark = is(raised.error, thrown) ? raised.mark : -1;
    else if (open !== null) mark = findLast(open.frame);
    const place = mark >= 0 && !known.marks[mark].cleaning && isFrom(thrown, known.marks[mark]) ? known.marks[mark] : null;
    raised = place && { __proto__: null, place };
  };

  /** Whether V8 made an error in a line: in its own text, or in constructors that were called there. */
  const isFrom = (thrown, mark) => {
    if (!known.isNativeError(thrown)) return true;
    let found = null;
    try {
      found = look(Infinity, () => thrown);
    } catch { /* the program does something else when its stack is read */ }
    for (let i = 0; found !== null && i < found.length; i++) {
      const script = known.scripts[apply(getScriptHash, found[i], [])];
      if (script !== undefined && apply(isConstructor, found[i], []) !== true) {
        return script.file === mark.file && apply(getLineNumber, found[i], []) === mark.line;
      }
    }
    return false;
  };

  /** The trace as JSON. */
  const encode = () => {
    let owners = "", events = "";
    for (let i = 0; i < numbered; i++) owners += `${i ? "," : ""}${files[i]}`;
    let frame = -1, line = 0;
    for (let i = 0; i < count; i++) {
      const { line: at } = known.marks[marks[i]];
      events += `${i ? "," : ""}${frames[i] === frame ? at - line : `[${frames[i]},${at}]`}`;
      frame = frames[i];
      line = at;
    }
    if (!whole || owners.length + events.length > MOST_CODE) {
      return '{"edges":[],"moments":{"frames":[],"events":[],"whole":false,"raised":null,"written":[],"visits":[]}}';
    }
    let all = "";
    for (let i = 0; i < known.probes; i++) all += `${i ? "," : ""}[${seen[i]}]`;
    const at = ended && raised !== null ? `[${raised.place.file},${raised.place.line}]` : "null";
    return `{"edges":[],"moments":{"frames":[${owners}],"events":[${events}],"whole":true,"raised":${at},"written":[${written}],"visits":[${all}]}}`;
  };

  /** Takes what is known of the program, once. */
  const know = (told) => {
    if (known !== null) return;
    known = told;
    [frames, marks, last, files] = [0, 0, 0, 0].map(() => new Int32Array(told.most.events));
    visits = new Int32Array(told.probes);
    seen = { __proto__: null };
    for (let i = 0; i < told.probes; i++) seen[i] = "";
    room = told.most.texts;
  };
  let now = 0;
  return { frame, note, fail, encode, know, isBroken: () => broken, file: (body) => { now = body; }, who: () => now };
})();

const { frame: codereason$frame, note: codereason$note } = codereason$witness;
codereason$witness;
