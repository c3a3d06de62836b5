// The part of the page in which a reader explores answers: filters, groups, the list, and the card of one answer.

const areSame = (rows, others) => {
  if (!others || rows.length !== others.length) return false;
  for (let place = 0; place < rows.length; place += 1) if (rows[place] !== others[place]) return false;
  return true;
};

class Explorer {
  constructor(section, content) {
    this.answers = new Answers(content);
    this.axes = this.answers.facets.filter((facet) => facet.name.startsWith("axis ") && facet.codes);
    this.orders = new Orders(this.answers);
    this.texts = new Texts(content.texts);
    this.build(section);
    // Other links of the page, such as #suite-1, leave the choice of the reader alone.
    addEventListener("popstate", () => (isStateInAddress() || !location.hash) && this.readAddress());
    this.readAddress();
    section.dataset.ready = "";
    setTimeout(() => this.answers.lowered(), 300); // so that the first search does not wait for it
  }

  build(section) {
    const { answers } = this;
    this.search = build("input", {
      type: "search",
      autocomplete: "off",
      spellcheck: "false",
      input: () => this.change({ words: this.search.value }),
    });
    this.sort = build(
      "select",
      { change: () => this.change({ sort: this.sort.value }) },
      ...this.orders.list().map(([name, title]) => build("option", { value: name }, title)),
    );
    this.reversed = build("input", {
      type: "checkbox",
      change: () => this.change({ reversed: this.reversed.checked }),
    });
    this.clear = build(
      "button",
      { type: "button", click: () => this.change({ chosen: new Map(), words: "" }) },
      "Clear filters",
    );
    this.said = build("output", { class: "said", "aria-live": "polite" });
    this.menus = new FacetMenus(answers, (name, values) => this.choose(name, values));
    this.breakdown = new Breakdown(answers, {
      choose: (name, values) => this.choose(name, values),
      change: (by) => this.change({ by }),
    });
    this.grid = new Grid(answers, { change: (changes) => this.change(changes), open: (row) => this.open(row) });
    this.list = new VirtualList({
      label: "Answers",
      fill: (line, row) => this.fillLine(line, row),
      open: (row) => this.open(row),
    });
    this.nothing = build("p", { class: "empty-list" }, "No answer fits these filters.");
    this.card = new Card(answers, this.texts, {
      close: () => {
        this.change({ card: null });
        this.list.element.focus();
      },
      step: (by) => this.list.step(by),
      link: (row) => formatAddress(answers, { ...startState(answers), chosen: new Map(), card: row }),
    });
    section.append(
      build(
        "form",
        { submit: (event) => event.preventDefault() },
        build(
          "label",
          {},
          "Search ",
          this.search,
          build("span", { class: "unseen" }, " in ids, expected and given answers, and reasons"),
        ),
        build("label", {}, "Sort by ", this.sort),
        build("label", {}, this.reversed, "reversed"),
      ),
      this.menus.element,
      build("p", { class: "status" }, this.said, " ", this.clear),
      this.grid.element,
      this.breakdown.element,
      build("div", { class: "desk" }, this.list.element, this.nothing, this.card.element),
    );
    this.section = section;
  }

  fillLine(line, row) {
    const { answers } = this,
      given = answers.text("answer", row),
      kind = answers.value("kind", row);
    const several = ["side", "change", "model"]
      .filter((name) => answers.byName.get(name)?.codes)
      .map((name) => answers.value(name, row));
    const said = kind === "right" || given ? given : answers.text("reason", row);
    line.append(
      build(
        "span",
        { class: "first", title: answers.id(row) },
        buildBadge(answers.outcome(row)),
        ...this.nameQuestion(row),
      ),
      build(
        "span",
        { class: "second" },
        ...several.map((name) => build("b", {}, name)),
        build("span", {}, said || kind),
      ),
    );
  }

  // The id without its axes, whose values follow in words, so that a narrow line shows what tells questions apart.
  nameQuestion(row) {
    const { answers } = this,
      id = answers.id(row);
    const values = this.axes
      .map((axis) => [axis.title, answers.value(axis.name, row)])
      .filter(([, value]) => value !== null)
      .map(([title, value]) => (/^(true|false|[-\d.]+)$/.test(value) ? `${title} ${value}` : value));
    const isLong = id.endsWith("]") && id.includes("[") && values.length;
    return isLong
      ? [build("code", {}, id.slice(0, id.lastIndexOf("["))), ` ${values.join(", ")}`]
      : [build("code", {}, id)];
  }

  choose(name, values) {
    const chosen = new Map(this.state.chosen);
    if (values.size) chosen.set(name, values);
    else chosen.delete(name);
    this.change({ chosen });
  }

  open(row) {
    const isNew = this.state.card === null;
    this.state = { ...this.state, card: row };
    history[isNew ? "pushState" : "replaceState"](null, "", formatAddress(this.answers, this.state));
    this.show(true);
  }

  change(changes) {
    this.state = { ...this.state, ...changes };
    history.replaceState(null, "", formatAddress(this.answers, this.state));
    this.show(false);
  }

  readAddress() {
    this.state = readAddress(this.answers, this.orders);
    this.show(isStateInAddress() && this.state.card !== null);
  }

  show(focus) {
    const { answers, state } = this;
    const filtered = filterAnswers(answers, state.chosen, state.words);
    const rows = collectRows(answers, this.orders.get(state.sort, state.reversed), filtered);
    if (!areSame(rows, this.rows)) this.rows = rows; // the list keeps its place while its rows are the same
    if (this.search.value !== state.words) this.search.value = state.words;
    this.sort.value = state.sort;
    this.reversed.checked = state.reversed;
    this.clear.hidden = !state.chosen.size && !state.words;
    this.said.textContent = describeAnswers(answers, rows);
    this.menus.show(state, filtered);
    this.grid.show(state);
    this.breakdown.show(state, this.rows);
    this.section.classList.toggle("open", state.card !== null);
    this.list.element.hidden = !rows.length;
    this.nothing.hidden = Boolean(rows.length);
    this.list.show(this.rows, state.card);
    this.card.show(state.card, { focus });
  }
}

const content = readEmbedded("answers");
const section = document.getElementById("explorer");
const explorer = content && content.count ? new Explorer(section, content) : null;
preparePaper(explorer);
