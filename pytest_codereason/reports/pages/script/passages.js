// A text of a model or for it, as it was written: prose is set as prose, and what may be code keeps its columns. Only
// empty lines between the two are left out, so no mark such as ** or # is hidden from a reader.

const LEAST_PROSE = 0.8;

const isWordy = (text, least) => (text.match(/[\p{L}\s.,]/gu) || []).length >= least * text.length;

const isProse = (lines) => {
  const text = lines.join("\n");
  if (/^([ ]{2}|\t|\|)/m.test(text)) return false; // indented, or a row of a table
  if (!/^\S+( \S+){3}.*[.:?!]["'*)]*$/m.test(text)) return false; // no sentence
  return isWordy(text, LEAST_PROSE);
};

// [kind, lines] of each passage. A fence holds code to its end, and an empty line elsewhere ends a passage.
const splitPassages = (text, isText = isProse) => {
  const passages = [];
  let lines = [],
    isFilled = false,
    isFenced = false;
  const end = (isCode) => {
    if (!isFilled) return;
    const kind = !isCode && isText(lines) ? "prose" : "code",
      last = passages[passages.length - 1];
    if (last && last[0] === kind) last[1].push(...lines);
    else passages.push([kind, lines]);
    lines = [];
    isFilled = false;
  };
  for (const line of text.split("\n")) {
    const isFence = /^\s*(```|~~~)/.test(line);
    if (isFence && !isFenced) end(false);
    lines.push(line);
    isFilled ||= Boolean(line.trim());
    if (isFence ? isFenced : !isFenced && !line.trim()) end(isFence);
    if (isFence) isFenced = !isFenced;
  }
  end(isFenced);
  return passages;
};

const nameRegion = (label) => ({ tabindex: "0", role: "group", "aria-label": label });

const buildText = (text, label) => {
  const passages = splitPassages(text),
    attributes = nameRegion(label);
  if (!passages.some(([kind]) => kind === "prose")) return build("pre", attributes, text);
  return build(
    "div",
    { ...attributes, class: "passages" },
    ...passages.map(([kind, lines]) => build(kind === "prose" ? "p" : "pre", {}, lines.join("\n").trimEnd())),
  );
};
