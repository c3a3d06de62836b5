'use strict';

/** Renders a small markup language: headings, lists, quotes, paragraphs and inline marks. */

const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escape(text) {
  return text.replace(/[&<>]/g, (sign) => ESCAPES[sign]);
}

const wrap = (tag) => (text) => `<${tag}>${text}</${tag}>`;

// The pattern that matches earliest in the text is rendered first, then the rest of the text.
const INLINE = [
  { pattern: /`([^`]+)`/, write: writeCode },
  { pattern: /\*\*(.+?)\*\*/, write: writeBold },
  { pattern: /_(\S(?:.*?\S)?)_/, write: writeItalic },
  { pattern: /\[([^\]]+)\]\(([^)\s]+)\)/, write: writeLink },
];

function writeCode([, code]) {
  return wrap('code')(escape(code));
}

function writeBold([, inner]) {
  return wrap('b')(inline(inner));
}

function writeItalic([, inner]) {
  return wrap('i')(inline(inner));
}

function writeLink([, label, target]) {
  if (label === '#') return wrap('sup')(escape(target));
  const safe = /^(https?:|\/|#)/.test(target);
  return safe ? `<a href="${escape(target)}">${inline(label)}</a>` : inline(label);
}

function inline(text) {
  let earliest = null;
  for (const { pattern, write } of INLINE) {
    const match = pattern.exec(text);
    if (match && (earliest === null || match.index < earliest.match.index)) earliest = { match, write };
  }
  if (earliest === null) return escape(text);
  const { match, write } = earliest;
  const rest = text.slice(match.index + match[0].length);
  return escape(text.slice(0, match.index)) + write(match) + inline(rest);
}

const indentOf = (line) => line.length - line.trimStart().length;

class Reader {
  constructor(lines) {
    this.lines = lines;
    this.at = 0;
  }

  get line() {
    return this.lines[this.at];
  }

  get done() {
    return this.at >= this.lines.length;
  }

  takeWhile(test) {
    const start = this.at;
    while (!this.done && test(this.line)) this.at += 1;
    return this.lines.slice(start, this.at);
  }
}

const isItem = (line) => /^\s*- /.test(line);
const isQuote = (line) => line.startsWith('>');
const isHeading = (line) => /^#{1,3} /.test(line);
const isRule = (line) => /^-{3,}$/.test(line);
const isBlank = (line) => line.trim() === '';
const isText = (line) => ![isItem, isQuote, isHeading, isRule, isBlank].some((test) => test(line));

function list(reader) {
  const indent = indentOf(reader.line);
  const items = [];
  while (!reader.done && isItem(reader.line) && indentOf(reader.line) >= indent) {
    if (indentOf(reader.line) > indent) items[items.length - 1] += list(reader);
    else {
      items.push(inline(reader.line.trim().slice(2)));
      reader.at += 1;
    }
  }
  return wrap('ul')(items.map(wrap('li')).join(''));
}

function heading(reader) {
  const [, signs, text] = /^(#+) (.*)$/.exec(reader.line);
  reader.at += 1;
  return wrap(`h${signs.length}`)(inline(text));
}

function rule(reader) {
  reader.at += 1;
  return '<hr>';
}

function quote(reader) {
  const inner = reader.takeWhile(isQuote).map((line) => line.replace(/^> ?/, ''));
  return wrap('blockquote')(blocks(new Reader(inner)));
}

function paragraph(reader) {
  return wrap('p')(inline(reader.takeWhile(isText).join(' ')));
}

function blocks(reader) {
  const rendered = [];
  while (!reader.done) {
    if (isBlank(reader.line)) reader.at += 1;
    else if (isHeading(reader.line)) rendered.push(heading(reader));
    else if (isRule(reader.line)) rendered.push(rule(reader));
    else if (isItem(reader.line)) rendered.push(list(reader));
    else if (isQuote(reader.line)) rendered.push(quote(reader));
    else rendered.push(paragraph(reader));
  }
  return rendered.join('\n');
}

function stripTags(html) {
  return html.replace(/<[^>]+>/g, '');
}

function render(markup, { plain = false } = {}) {
  const html = blocks(new Reader(markup.split('\n')));
  return plain ? stripTags(html) : html;
}

const page = `## Tea & **more**
Water first,
then _tea_ and \`a < b\`.
- green
  - _very **mild**_
  - snake_case stays
- black [shop](https://tea.example/?a&b) [bad](javascript:x)
> Quoted
> - once
>> twice

Alone ** here`;

console.log(render(page));
