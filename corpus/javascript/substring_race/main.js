// Searchers for a word in a text. Each factory prepares a pattern and returns a function that
// yields all positions; comparisons of characters are counted.

function createMeter() {
  let comparisons = 0;
  return {
    same(a, b) {
      comparisons += 1;
      return a === b;
    },
    read() {
      const seen = comparisons;
      comparisons = 0;
      return seen;
    },
  };
}

function naive(pattern, same) {
  return function* search(text) {
    for (let at = 0; at + pattern.length <= text.length; at++) {
      let k = 0;
      while (k < pattern.length && same(text[at + k], pattern[k])) k++;
      if (k === pattern.length) yield at;
    }
  };
}

/** Knuth, Morris and Pratt: never goes back in the text. */
function prefixSearcher(pattern, same) {
  const fallback = [-1];
  for (let i = 1; i <= pattern.length; i++) {
    let k = fallback[i - 1];
    while (k >= 0 && !same(pattern[k], pattern[i - 1])) k = fallback[k];
    fallback.push(k + 1);
  }
  return function* search(text) {
    let state = 0;
    for (let i = 0; i < text.length; i++) {
      const fits = () => state < pattern.length && same(text[i], pattern[state]);
      while (state >= 0 && !fits()) state = fallback[state];
      state += 1;
      if (state === pattern.length) yield i - state + 1;
    }
  };
}

/** Horspool: compares from the right, and jumps by the text's character there. */
function jumpSearcher(pattern, same) {
  const last = pattern.length - 1;
  const jumps = new Map([...pattern.slice(0, last)].map((char, i) => [char, last - i]));
  return function* search(text) {
    let at = 0;
    while (at + last < text.length) {
      let k = last;
      while (k >= 0 && same(text[at + k], pattern[k])) k--;
      if (k < 0) yield at;
      at += jumps.get(text[at + last]) ?? pattern.length;
    }
  };
}

/** Rabin and Karp: compares only where a rolling checksum agrees. */
function hashSearcher(pattern, same) {
  const [base, prime] = [31, 10007];
  const extend = (hash, char) => (hash * base + char.charCodeAt(0)) % prime;
  const goal = [...pattern].reduce(extend, 0);
  let high = 1;
  for (let i = 1; i < pattern.length; i++) high = (high * base) % prime;
  return function* search(text) {
    let hash = 0;
    for (let i = 0; i < text.length; i++) {
      const at = i - pattern.length + 1;
      if (at > 0) hash = (hash + prime - ((text.charCodeAt(at - 1) * high) % prime)) % prime;
      hash = extend(hash, text[i]);
      if (at >= 0 && hash === goal && [...pattern].every((char, k) => same(text[at + k], char))) yield at;
    }
  };
}

const searchers = { naive, prefixSearcher, jumpSearcher, hashSearcher };

function race(pattern, text) {
  if (pattern === '') throw new RangeError('nothing to search for');
  const meter = createMeter();
  const results = Object.entries(searchers).map(([name, prepare]) => {
    const positions = [...prepare(pattern, meter.same)(text)];
    return { name, positions, cost: meter.read() };
  });
  const agreed = results.every(({ positions }) => positions.join() === results[0].positions.join());
  const ranking = results.sort((a, b) => a.cost - b.cost || (a.name < b.name ? -1 : 1));
  return { positions: ranking[0].positions, agreed, ranking };
}

function highlight(text, pattern, positions, { overlapping = true } = {}) {
  const starts = overlapping ? positions : [...nonOverlapping(positions, pattern.length)];
  const inside = (i) => starts.some((at) => at <= i && i < at + pattern.length);
  return [...text].map((char, i) => (inside(i) ? char.toUpperCase() : char)).join('');
}

function* nonOverlapping(positions, length) {
  let end = 0;
  for (const at of positions) {
    if (at < end) continue;
    end = at + length;
    yield at;
  }
}

const texts = [
  ['ana', 'bananas and ananas'],
  ['needle', 'no noodles, one needle in the haystack'],
  ['aaab', 'aaaaaaaaaaaaaaaaaaab'],
  ['zz', 'quiet'],
];
for (const [pattern, text] of texts) {
  const { positions, agreed, ranking } = race(pattern, text);
  console.log(`${pattern}: [${positions}]`, agreed ? 'agreed' : 'DIFFERENT');
  console.log('  ', ranking.map(({ name, cost }) => `${name} ${cost}`).join(', '));
}
const [pattern, text] = texts[0];
console.log(highlight(text, pattern, race(pattern, text).positions));
