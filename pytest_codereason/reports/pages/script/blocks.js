// A reply as its Markdown means it: headings, lists, tables, quotations, rules and fences. All else are passages. Each
// reader below gives the element that begins at a line and the line after it, or null.

const DEEPEST = 8; // lists and quotations within each other
const FENCE = /^( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const RULE = /^ {0,3}([-*_])(?:[ \t]*\1){2,}[ \t]*$/;
const ITEM = /^( {0,3})([-*]|\d{1,9}[.)])([ \t]+)(\S.*)$/;
const QUOTED = /^ {0,3}>(?!>) ?/; // not the >>> of an interpreter
const LEAST_WORDS = 0.75; // of the characters, in a line that is no sentence and no value

const isEmpty = (line) => line === undefined || !line.trim();

// A fence that has no end holds all that follows: the reply was cut off in it.
const readFence = (lines, start) => {
  const found = FENCE.exec(lines[start]);
  if (!found) return null;
  const [, indent, fence, language] = found,
    margin = new RegExp(`^ {0,${indent.length}}`);
  const isEnd = (line) => /^ {0,3}(`+|~+)\s*$/.test(line) && line.trim().startsWith(fence);
  let end = start + 1;
  while (end < lines.length && !isEnd(lines[end])) end += 1;
  const code = lines.slice(start + 1, end).map((line) => line.replace(margin, ""));
  const label = language.trim() ? build("span", { class: "language" }, language.trim()) : null;
  return [build("div", { class: "fence" }, label, build("pre", {}, code.join("\n"))), end + 1];
};

// A single # between other lines is a comment of a program without a fence.
const readHeading = (lines, start) => {
  const found = HEADING.exec(lines[start]);
  if (!found || (found[1] === "#" && !(isEmpty(lines[start - 1]) && isEmpty(lines[start + 1])))) return null;
  const text = found[2].trimEnd().replace(/ #+$/, "");
  return [build("h4", { class: "heading", "data-level": String(found[1].length) }, buildMarks(text)), start + 1];
};

const readRule = (lines, start) => (RULE.test(lines[start]) ? [build("hr"), start + 1] : null);

const splitCells = (line) =>
  line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));

const readTable = (lines, start) => {
  if (start + 1 >= lines.length || !lines[start].includes("|")) return null;
  const [heads, under] = [lines[start], lines[start + 1]].map(splitCells);
  if (heads.length !== under.length || !under.every((cell) => /^:?-+:?$/.test(cell))) return null;
  let end = start + 2;
  while (end < lines.length && lines[end].includes("|")) end += 1;
  const [first, , ...rows] = lines.slice(start, end).map((line) => splitCells(line).map(buildMarks));
  return [buildTable("table of the reply", first, rows), end];
};

const readQuotation = (lines, start, depth) => {
  let end = start;
  while (end < lines.length && QUOTED.test(lines[end])) end += 1;
  if (end === start || depth === DEEPEST) return null;
  const inside = lines.slice(start, end).map((line) => line.replace(QUOTED, ""));
  return [build("blockquote", {}, readBlocks(inside, depth + 1)), end];
};

// The lines of an item, without its mark and their margin, and the line after them. Lines that are not indented belong
// to its last paragraph until an empty line or another block.
const readItem = (lines, start, [, indent, mark, space, text]) => {
  const belongs = (line) => /^\t/.test(line) || line.startsWith(`${indent}  `),
    margin = new RegExp(`^(?:\t| {0,${indent.length + mark.length + space.length}})`),
    inside = [text];
  let at = start + 1;
  while (at < lines.length) {
    let next = at;
    while (next < lines.length && isEmpty(lines[next])) next += 1;
    const isLazy = next === at && ![FENCE, HEADING, RULE, ITEM, QUOTED].some((block) => block.test(lines[at]));
    if (next === lines.length || !(belongs(lines[next]) || isLazy)) break;
    for (; at <= next; at += 1) inside.push(lines[at].replace(margin, ""));
  }
  return [inside, at];
};

// A number stands as the model wrote it.
const readList = (lines, start, depth) => {
  const isOrdered = (item) => /^\d/.test(item[2]),
    first = ITEM.exec(lines[start]);
  if (!first || depth === DEEPEST) return null;
  const items = [];
  let at = start,
    end = start;
  for (;;) {
    while (at < lines.length && isEmpty(lines[at])) at += 1;
    const item = at < lines.length && !RULE.test(lines[at]) ? ITEM.exec(lines[at]) : null;
    if (!item || isOrdered(item) !== isOrdered(first)) break;
    const [inside, next] = readItem(lines, at, item);
    items.push(build("li", { "data-number": isOrdered(item) && item[2] }, readBlocks(inside, depth + 1)));
    at = end = next;
  }
  return [build(isOrdered(first) ? "ol" : "ul", {}, items), end];
};

const READERS = [readFence, readHeading, readRule, readTable, readList, readQuotation];

const readBlocks = (lines, depth = 0) => {
  const nodes = [];
  let loose = [],
    at = 0;
  const isText = (passage) => {
    const text = passage.join("\n");
    if (/^(?: {2}|\t)/m.test(text)) return false; // its columns may matter
    return depth > 0 || hasMarks(text) || isWordy(text, LEAST_WORDS);
  };
  const end = () => {
    for (const [kind, inside] of splitPassages(loose.join("\n"), isText)) {
      const text = inside.slice(inside.findIndex((line) => !isEmpty(line))).join("\n").trimEnd();
      if (kind === "code") nodes.push(build("pre", {}, text));
      else nodes.push(...text.split(/\n\s*\n/).map((each) => build("p", {}, buildMarks(each))));
    }
    loose = [];
  };
  while (at < lines.length) {
    const found = READERS.reduce((block, read) => block || read(lines, at, depth), null);
    if (found) {
      end();
      nodes.push(found[0]);
      at = found[1];
    } else {
      loose.push(lines[at]);
      at += 1;
    }
  }
  end();
  return nodes;
};

// A prefill may have opened a fence. The reply ends it, unless all fences of the reply are its own.
const continueFence = (prefill, text) => {
  const [opened, own] = [prefill, text].map((each) => each.split("\n").filter((line) => FENCE.test(line)));
  const isInside = opened.length % 2 && own.length % 2 && !FENCE.exec(own[0])[3].trim();
  return isInside ? `${opened[opened.length - 1]}\n${text}` : text;
};

// A text that a model wrote, twice where it has Markdown: as that means, and as it was written. The card shows one.
const buildReplyText = (text, label, prefill = "") => {
  const written = buildText(text, label);
  const nodes = readBlocks(continueFence(prefill, text).split("\n"));
  const rendered = build("div", { ...nameRegion(label), class: "passages rendered" }, nodes);
  if (!rendered.querySelector(":not(p, pre)")) return [written];
  written.classList.add("written");
  return [rendered, written];
};
