// A list of any length, of which only the lines in sight exist. The keyboard moves through all of it.

const SPARE = 6;
// Browsers cannot lay out taller boxes. A longer list is scrolled by its share.
const TALLEST = 8e6;

class VirtualList {
  constructor({ label, fill, open }) {
    this.fill = fill;
    this.open = open;
    this.rows = new Uint32Array(0);
    this.active = 0;
    this.opened = null;
    this.space = build("div", { class: "space", role: "presentation" });
    this.element = build(
      "div",
      {
        class: "list",
        role: "listbox",
        tabindex: "0",
        "aria-label": label,
        scroll: () => this.draw(),
        keydown: (event) => this.move(event),
        click: (event) => this.click(event),
      },
      this.space,
    );
    new ResizeObserver(() => this.draw()).observe(this.element);
  }

  show(rows, opened) {
    const isOther = rows !== this.rows;
    this.rows = rows;
    this.opened = opened;
    const place = opened === null ? -1 : rows.indexOf(opened);
    if (isOther) {
      this.active = Math.max(0, place);
      this.element.scrollTop = 0;
    } else if (place >= 0) this.active = place;
    this.measure();
    if (place >= 0) this.reveal();
    this.draw();
  }

  measure() {
    this.height = parseFloat(getComputedStyle(this.element).getPropertyValue("--line-height")) || 64;
    this.space.style.height = `${Math.min(TALLEST, this.rows.length * this.height)}px`;
  }

  // How many pixels of the whole list stand for one pixel of scrolling.
  get stretch() {
    const seen = this.element.clientHeight,
      whole = this.rows.length * this.height;
    return whole <= TALLEST ? 1 : (whole - seen) / (TALLEST - seen);
  }

  reveal() {
    const seen = this.element.clientHeight,
      at = this.active * this.height;
    const top = this.element.scrollTop * this.stretch;
    if (at < top) this.element.scrollTop = at / this.stretch;
    else if (at + this.height > top + seen) this.element.scrollTop = (at + this.height - seen) / this.stretch;
  }

  draw() {
    if (!this.height || this.onPaper) return;
    const { scrollTop, clientHeight } = this.element,
      top = scrollTop * this.stretch;
    const first = Math.max(0, Math.floor(top / this.height) - SPARE);
    const last = Math.min(this.rows.length, Math.ceil((top + clientHeight) / this.height) + SPARE);
    const lines = [];
    for (let place = first; place < last; place += 1) {
      const line = this.buildLine(place);
      line.style.top = `${place * this.height - top + scrollTop}px`;
      lines.push(line);
    }
    this.space.replaceChildren(...lines);
    if (lines.length && this.active >= first && this.active < last) {
      this.element.setAttribute("aria-activedescendant", `line-${this.active}`);
    } else this.element.removeAttribute("aria-activedescendant");
  }

  buildLine(place) {
    const row = this.rows[place];
    const line = build("div", {
      class: place === this.active ? "line-of-list active" : "line-of-list",
      id: `line-${place}`,
      role: "option",
      "aria-selected": String(row === this.opened),
      "aria-setsize": String(this.rows.length),
      "aria-posinset": String(place + 1),
      "data-place": String(place),
    });
    this.fill(line, row);
    return line;
  }

  // Paper does not scroll: the first lines stand one below the other.
  showOnPaper(most) {
    this.onPaper = true;
    this.space.replaceChildren(
      ...Array.from({ length: Math.min(most, this.rows.length) }, (_, place) => this.buildLine(place)),
    );
  }

  leavePaper() {
    this.onPaper = false;
    this.draw();
  }

  click(event) {
    const line = event.target.closest("[data-place]");
    if (!line) return;
    this.active = Number(line.dataset.place);
    this.open(this.rows[this.active]);
  }

  // Moves to the line before or after the opened one and opens it.
  step(by) {
    const place = this.active + by;
    if (place < 0 || place >= this.rows.length) return;
    this.active = place;
    this.reveal();
    this.open(this.rows[place]);
  }

  move(event) {
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in steps) {
      this.active = Math.min(this.rows.length - 1, Math.max(0, this.active + steps[event.key]));
      this.reveal();
      this.draw();
    } else if ((event.key === "Enter" || event.key === " ") && this.rows.length) this.open(this.rows[this.active]);
    else return;
    event.preventDefault();
  }
}
