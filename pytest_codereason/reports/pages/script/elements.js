// Builds elements. Every text becomes a text node, so nothing that a model wrote is ever read as markup.

const build = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
};

const formatCount = (number) => number.toLocaleString("en-US");

const formatShare = (part, whole) => (whole ? `${((100 * part) / whole).toFixed(1)} %` : "–");

const pluralise = (number, noun) => `${formatCount(number)} ${noun}${number === 1 ? "" : "s"}`;

const buildBadge = (outcome) => build("span", { class: `badge o-${outcome}` }, outcome);

const buildFold = (title, isOpen, ...children) =>
  build("details", { open: isOpen }, build("summary", {}, title), ...children);

// A table that scrolls by itself. A row is a list of cells, each a text or nodes.
const buildTable = (label, heads, rows) => {
  const head = build("tr", {}, ...heads.map((text) => build("th", { scope: "col" }, text)));
  const lines = rows.map((cells) => build("tr", {}, ...cells.map((cell) => build("td", {}, cell))));
  const table = build("table", {}, build("thead", {}, head), build("tbody", {}, ...lines));
  return build("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": label }, table);
};

const readEmbedded = (id) => {
  const element = document.getElementById(id);
  return element ? JSON.parse(element.textContent) : null;
};
