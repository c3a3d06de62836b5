// What **, * and ` mean within a paragraph. Links, images, HTML and underscores stay as a model wrote them: nothing is
// loaded, nothing can be clicked, and __init__ keeps its name.

const MARK = /(`+)|(\*+)|\\([*_`])/g;
const MOST_OPEN = 8; // so that no element is nested deeply

const isSpace = (character) => /^\s?$/.test(character);
const isQuoted = (before, after) => before === after && /["']/.test(before);

// Whether stars can begin or end a mark: 2*3, f(*args) and '*' are no marks.
const canOpen = (before, after) => !isSpace(after) && !/\w/.test(before) && !isQuoted(before, after);
const canClose = (before, after) => !isSpace(before) && !/\w/.test(after) && !isQuoted(before, after);

const buildStarred = (length, nodes) => {
  const inner = length === 1 ? nodes : build("strong", {}, nodes);
  return length === 2 ? inner : build("em", {}, inner);
};

class Marks {
  constructor(text) {
    this.text = text;
    this.nodes = [];
    this.open = []; // [place in nodes, number of stars], the innermost last
    this.alone = new Set(); // backticks that none of the same number follow
  }

  read() {
    let end = 0;
    for (const found of this.text.matchAll(MARK)) {
      if (found.index < end) continue; // within code
      this.nodes.push(this.text.slice(end, found.index));
      end = found.index + found[0].length;
      if (found[1]) end = this.readCode(found[1], end);
      else if (found[2]) this.readStars(found[2], this.text.charAt(found.index - 1), this.text.charAt(end));
      else this.nodes.push(found[3]);
    }
    return [...this.nodes, this.text.slice(end)].filter((node) => node !== "");
  }

  // Where the code ends that these backticks begin. Without an end they are text.
  readCode(ticks, start) {
    const closing = new RegExp(`(?<!\`)${ticks}(?!\`)`, "g");
    closing.lastIndex = start;
    const found = this.alone.has(ticks) ? null : closing.exec(this.text);
    if (!found) {
      this.alone.add(ticks);
      this.nodes.push(ticks);
      return start;
    }
    const code = this.text.slice(start, found.index);
    this.nodes.push(build("code", {}, /^ .*\S.* $/s.test(code) ? code.slice(1, -1) : code));
    return closing.lastIndex;
  }

  readStars(stars, before, after) {
    let left = stars.length;
    while (left && left <= 3 && canClose(before, after)) {
      const place = this.open.findLastIndex(([, length]) => length <= left);
      if (place < 0) break;
      const [[start, length]] = this.open.splice(place);
      const [, ...inside] = this.nodes.splice(start);
      this.nodes.push(buildStarred(length, inside));
      left -= length;
    }
    if (left && left <= 3 && canOpen(before, after)) {
      this.open.push([this.nodes.length, left]);
      if (this.open.length > MOST_OPEN) this.open.shift();
    }
    this.nodes.push("*".repeat(left));
  }
}

const buildMarks = (text) => new Marks(text).read();

const hasMarks = (text) => buildMarks(text).some((node) => typeof node !== "string");
