// The difference of two texts: by words, such as two answers, or by lines, such as two programs.

const LARGEST_TABLE = 4e6;

// The longest common subsequence: a list of [kind, items], where kind is "same", "old" or "new".
const compareSequences = (old, fresh) => {
  let start = 0,
    end = 0;
  const shorter = Math.min(old.length, fresh.length);
  while (start < shorter && old[start] === fresh[start]) start += 1;
  while (end < shorter - start && old[old.length - 1 - end] === fresh[fresh.length - 1 - end]) end += 1;
  const a = old.slice(start, old.length - end),
    b = fresh.slice(start, fresh.length - end);
  const middle =
    a.length * b.length > LARGEST_TABLE
      ? [
          ["old", a],
          ["new", b],
        ]
      : compareMiddle(a, b);
  const parts = [["same", old.slice(0, start)], ...middle, ["same", old.slice(old.length - end)]];
  return parts.filter(([, items]) => items.length);
};

const compareMiddle = (a, b) => {
  const width = b.length + 1,
    lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] =
        a[i] === b[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : Math.max(lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
    }
  }
  const parts = [];
  const put = (kind, item) => {
    if (parts.length && parts[parts.length - 1][0] === kind) parts[parts.length - 1][1].push(item);
    else parts.push([kind, [item]]);
  };
  let i = 0,
    j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      put("same", a[i]);
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1])) {
      put("old", a[i]);
      i += 1;
    } else {
      put("new", b[j]);
      j += 1;
    }
  }
  return parts;
};

const splitWords = (text) => text.match(/-?[\p{L}\p{N}_.]+|\s+|[^\p{L}\p{N}_.\s]/gu) || [];

// The nodes of two texts in which the words that differ are marked.
const markWords = (left, right) => {
  const parts = compareSequences(splitWords(left), splitWords(right));
  const side = (kind) =>
    parts
      .filter(([each]) => each === "same" || each === kind)
      .map(([each, words]) => (each === "same" ? words.join("") : build("mark", {}, words.join(""))));
  return [side("old"), side("new")];
};

const AROUND = 3;

const buildLine = (kind, nodes) =>
  build(
    { same: "span", old: "del", new: "ins" }[kind],
    { class: `line ${kind}` },
    build("span", { class: "sign", "aria-hidden": "true" }, { same: " ", old: "−", new: "+" }[kind]),
    ...nodes,
    "\n",
  );

// Lines that are the same, far from any difference, become one line that says how many they are.
const buildSame = (lines, isFirst, isLast) => {
  const head = isFirst ? 0 : AROUND,
    tail = isLast ? 0 : AROUND;
  if (lines.length <= head + tail + 2) return lines.map((line) => buildLine("same", [line]));
  return [
    ...lines.slice(0, head).map((line) => buildLine("same", [line])),
    build("span", { class: "line gap" }, `  ${pluralise(lines.length - head - tail, "line")} as before\n`),
    ...lines.slice(lines.length - tail).map((line) => buildLine("same", [line])),
  ];
};

// A <pre> with the lines of two texts; null if they are the same.
const buildLineDifference = (old, fresh) => {
  const parts = compareSequences(old.split("\n"), fresh.split("\n"));
  if (parts.every(([kind]) => kind === "same")) return null;
  const lines = [];
  for (let i = 0; i < parts.length; i += 1) {
    const [kind, items] = parts[i],
      next = parts[i + 1];
    if (kind === "same") lines.push(...buildSame(items, i === 0, i === parts.length - 1));
    else if (kind === "old" && next && next[0] === "new" && next[1].length === items.length) {
      const marked = items.map((item, place) => markWords(item, next[1][place]));
      lines.push(
        ...marked.map(([left]) => buildLine("old", left)),
        ...marked.map(([, right]) => buildLine("new", right)),
      );
      i += 1;
    } else lines.push(...items.map((item) => buildLine(kind, [item])));
  }
  return build("pre", { class: "difference", tabindex: "0" }, ...lines);
};
