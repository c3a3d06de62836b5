// Compares two texts line by line and shows what changed.

const Change = Object.freeze({ KEEP: ' ', DROP: '-', ADD: '+' });

/** lengths[i][j] is the length of the longest common subsequence of before[i..] and after[j..]. */
function commonLengths(before, after, equal) {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const same = equal(before[i], after[j]);
      lengths[i][j] = same ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
    }
  }
  return lengths;
}

function diff(before, after, { equal = Object.is } = {}) {
  const lengths = commonLengths(before, after, equal);
  const edits = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && equal(before[i], after[j])) {
      edits.push({ change: Change.KEEP, line: before[i], old: i++, new: j++ });
    } else if (j === after.length || (i < before.length && lengths[i + 1][j] >= lengths[i][j + 1])) {
      edits.push({ change: Change.DROP, line: before[i], old: i++, new: j });
    } else {
      edits.push({ change: Change.ADD, line: after[j], old: i, new: j++ });
    }
  }
  return edits;
}

/** Groups changes with some unchanged lines around them; groups that touch are joined. */
function hunks(edits, context = 1) {
  if (context < 0) throw new RangeError('context cannot be negative');
  const groups = [];
  edits.forEach(({ change }, index) => {
    if (change === Change.KEEP) return;
    const from = Math.max(0, index - context);
    const to = Math.min(edits.length, index + context + 1);
    const last = groups.at(-1);
    if (last && from <= last.to) last.to = to;
    else groups.push({ from, to });
  });
  return groups.map(({ from, to }) => edits.slice(from, to));
}

function header(hunk) {
  const span = (side, without) => {
    const count = hunk.filter(({ change }) => change !== without).length;
    return `${hunk[0][side] + 1},${count}`;
  };
  return `@@ -${span('old', Change.ADD)} +${span('new', Change.DROP)} @@`;
}

const render = (hunk) => [header(hunk), ...hunk.map(({ change, line }) => change + line)];

/** Makes the new text from the old one, after checking that the lines fit. */
function patch(before, edits) {
  return edits.flatMap(({ change, line, old }) => {
    if (change === Change.ADD) return [line];
    if (before[old] !== line) throw new Error(`line ${old + 1} is not "${line}"`);
    return change === Change.KEEP ? [line] : [];
  });
}

const invert = (edits) =>
  edits.map(({ change, line, old, new: now }) => {
    const opposite = { [Change.ADD]: Change.DROP, [Change.DROP]: Change.ADD };
    return { change: opposite[change] ?? change, line, old: now, new: old };
  });

function statistics(edits) {
  const counts = { [Change.KEEP]: 0, [Change.DROP]: 0, [Change.ADD]: 0 };
  for (const { change } of edits) counts[change]++;
  const total = 2 * counts[Change.KEEP] + counts[Change.DROP] + counts[Change.ADD];
  const similarity = total === 0 ? 1 : (2 * counts[Change.KEEP]) / total;
  return `+${counts[Change.ADD]} -${counts[Change.DROP]} ${Math.round(similarity * 100)}% alike`;
}

const ignoreBlanks = (a, b) => a.trim() === b.trim();
const ignoreCase = (a, b) => a.toLowerCase() === b.toLowerCase();
const loosely = (what) => (what === 'blanks' ? ignoreBlanks : ignoreCase);

const before = ['wake', 'wash', 'eat bread', 'read', 'ride to work', 'sit', 'lunch'];
const after = ['wake', 'stretch', 'wash', 'eat porridge', 'read', 'ride to work', 'sit', 'lunch', 'nap'];

const edits = diff(before, after);
hunks(edits).flatMap(render).forEach((line) => console.log(line));
console.log(statistics(edits));
const there = patch(before, edits).join() === after.join();
const back = patch(after, invert(edits)).join() === before.join();
console.log(there, back);
console.log(statistics(diff(['Tea', 'milk'], ['tea', 'Milk', 'honey'], { equal: loosely('case') })));
console.log(statistics(diff([], [])), hunks([]).length);
