"use strict";

/*
 * Compression with a sliding window. A text becomes a list of literals (single characters)
 * and copies (go back some characters, take some characters from there).
 */

const WINDOW = 64;
const SHORTEST = 3;
const LONGEST = 18;

const literal = (char) => ({ kind: "literal", char });
const copy = (back, length) => ({ kind: "copy", back, length });

function matchLength(text, from, at) {
  let length = 0;
  const room = Math.min(LONGEST, text.length - at);
  while (length < room && text[from + length] === text[at + length]) length++;
  return length;
}

/** The longest match behind `at`; of equally long ones the nearest. */
function longestMatch(text, at) {
  let best = { length: 0, back: 0 };
  for (let from = at - 1; from >= Math.max(0, at - WINDOW); from--) {
    const length = matchLength(text, from, at);
    if (length > best.length) best = { length, back: at - from };
  }
  return best;
}

/** Compresses greedily. With `lazy`, a literal is preferred if the next match is longer. */
function* tokens(text, { lazy = false } = {}) {
  let at = 0;
  while (at < text.length) {
    const { length, back } = longestMatch(text, at);
    const wait = lazy && longestMatch(text, at + 1).length > length;
    if (length >= SHORTEST && !wait) {
      yield copy(back, length);
      at += length;
    } else {
      yield literal(text[at]);
      at += 1;
    }
  }
}

const expanders = {
  literal(output, { char }) {
    output.push(char);
  },
  copy(output, { back, length }) {
    if (back < 1 || back > output.length) throw new RangeError(`cannot go back ${back}`);
    // One character after the other: a copy may reach into what it writes itself.
    for (let i = 0; i < length; i++) output.push(output[output.length - back]);
  },
};

function expand(stream) {
  const output = [];
  for (const token of stream) {
    if (!Object.hasOwn(expanders, token.kind)) throw new TypeError(`unknown token ${token.kind}`);
    expanders[token.kind](output, token);
  }
  return output.join("");
}

/** Packs tokens: runs of up to 9 literals as "n:chars", copies as "<back,length>". */
function pack(stream, { readable = false } = {}) {
  if (readable) return explain(stream);
  const parts = [];
  let run = "";
  const flush = () => {
    if (run) parts.push(`${run.length}:${run}`);
    run = "";
  };
  for (const token of stream) {
    if (token.kind === "copy") {
      flush();
      parts.push(`<${token.back},${token.length}>`);
    } else {
      run += token.char;
      if (run.length === 9) flush();
    }
  }
  flush();
  return parts.join("");
}

function* unpack(packed) {
  let rest = packed;
  while (rest !== "") {
    const reference = /^<(\d+),(\d+)>/.exec(rest);
    if (reference) {
      yield copy(Number(reference[1]), Number(reference[2]));
      rest = rest.slice(reference[0].length);
      continue;
    }
    if (!/^[1-9]:/.test(rest)) throw new SyntaxError(`cannot unpack ${rest.slice(0, 5)}`);
    const end = 2 + Number(rest[0]);
    if (end > rest.length) throw new SyntaxError("the text ends too early");
    yield* rest.slice(2, end).split("").map(literal);
    rest = rest.slice(end);
  }
}

/** For people: one line for each token. */
function explain(stream) {
  const words = ({ kind, char, back, length }) =>
    kind === "copy" ? `${length} from ${back} ago` : `write ${char}`;
  return Array.from(stream, words).join("\n");
}

const cost = (stream) => [...stream].reduce((bits, { kind }) => bits + (kind === "copy" ? 11 : 9), 0);

for (const text of ["abracadabra abracadabra", "aaaaaaaaaaaaaaaaaaaaaaaaa!", "no repeats"]) {
  const packed = pack(tokens(text));
  console.log(packed, `${cost(tokens(text))} bits`, expand(unpack(packed)) === text);
}
const tricky = "bcdex-abc=abcdex";
console.log(pack(tokens(tricky)));
console.log(pack(tokens(tricky, { lazy: true })), expand(tokens(tricky, { lazy: true })) === tricky);
for (const broken of ["2:ab<3,1>", "x"]) {
  try {
    console.log(expand(unpack(broken)));
  } catch (error) {
    console.log(`${error.name}: ${error.message}`);
  }
}
