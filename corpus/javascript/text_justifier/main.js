// Lays out paragraphs in a column of fixed width.

/** Fills a gap of `width` columns between words; the left gaps get the surplus. */
function spread(words, width) {
  const gaps = words.length - 1;
  if (gaps === 0) return words[0];
  const blanks = width - words.join("").length;
  const even = Math.floor(blanks / gaps);
  let surplus = blanks % gaps;
  return words.reduce((line, word) => line + " ".repeat(even + (surplus-- > 0 ? 1 : 0)) + word);
}

const alignments = {
  left: (words) => words.join(" "),
  right: (words, width) => words.join(" ").padStart(width),
  center(words, width) {
    const text = words.join(" ");
    return " ".repeat(Math.floor((width - text.length) / 2)) + text;
  },
  justify(words, width, last) {
    return last ? this.left(words) : spread(words, width);
  },
};

/** Cuts a word that is wider than the column into pieces that end with a hyphen. */
function hyphenate(word, width) {
  if (word.length <= width) return [word];
  const head = word.slice(0, width - 1) + "-";
  return [head, ...hyphenate(word.slice(width - 1), width)];
}

function breakLines(words, width) {
  const lines = [];
  let line = [];
  let used = 0;
  for (const word of words) {
    const needed = line.length === 0 ? word.length : used + 1 + word.length;
    if (needed > width) {
      lines.push(line);
      line = [word];
      used = word.length;
    } else {
      line.push(word);
      used = needed;
    }
  }
  if (line.length > 0) lines.push(line);
  return lines;
}

/**
 * @param {string} text paragraphs, with an empty line between them
 * @param {{width?: number, align?: string, indent?: number}} options
 * @returns {string[]} the lines of the column
 */
function layOut(text, { width = 24, align = "justify", indent = 0 } = {}) {
  if (!Object.hasOwn(alignments, align)) throw new Error(`no alignment "${align}"`);
  if (width - indent < 2) throw new RangeError("words need at least 2 columns");
  const result = [];
  text.split(/\n\s*\n/).forEach((paragraph, number) => {
    if (number > 0) result.push("");
    const words = paragraph.trim().split(/\s+/).filter(Boolean);
    const inner = width - indent;
    const lines = breakLines(words.flatMap((word) => hyphenate(word, inner)), inner);
    lines.forEach((line, i) => {
      const body = alignments[align](line, inner, i === lines.length - 1);
      result.push(" ".repeat(indent) + body);
    });
  });
  return result;
}

function frame(lines, width) {
  const rule = "+" + "-".repeat(width) + "+";
  return [rule, ...lines.map((line) => `|${line.padEnd(width)}|`), rule];
}

function tryLayout(text, options) {
  try {
    return layOut(text, options);
  } catch (error) {
    if (error instanceof RangeError) return [];
    return [`! ${error.message}`];
  }
}

const story = `The lighthouse keeper counted incomprehensibilities
each night.

Nobody asked why.`;

for (const line of frame(layOut(story, { width: 16 }), 16)) console.log(line);
const poster = layOut("one two three four", { width: 9, align: "center", indent: 1 });
poster.forEach((line) => console.log(`>${line}<`));
console.log(tryLayout("words", { align: "diagonal" }).join("\n"));
