// Programs by models as squares: green where every answer is right, red where none is, grey where none is scored.

const MOST_SQUARES = 6000;
const [SMALLEST, LARGEST] = [14, 24]; // pixels of a square with its gap
const NAME = 190; // pixels beside them

const describeSquare = (square) => {
  if (!square.scored) return "no scored answer";
  if (square.scored === 1) return square.right ? "right" : "not right";
  return `${formatCount(square.right)} of ${formatCount(square.scored)} right`;
};

class Grid {
  constructor(answers, { change, open }) {
    Object.assign(this, { answers, change, open });
    this.family = answers.byName.get("family");
    const apart = answers.facets.filter((facet) => facet.apart && facet.codes && facet.name !== "suite");
    this.by = ["side", "model", "run"].map((name) => apart.find((facet) => facet.name === name)).find(Boolean) || apart[0];
    this.said = build("p", { class: "under" });
    this.body = build("div", { class: "squares", click: (event) => this.pick(event.target.dataset.place) });
    this.element = buildFold(`Programs${this.by ? ` by ${this.by.title}` : ""}`, true, this.said, this.body);
    this.element.classList.add("grid");
    this.element.hidden = !this.family.codes;
    new ResizeObserver(() => this.draw()).observe(this.body);
  }

  // All answers that fit the filters; those of programs and models are left alone, so that the grid stays whole.
  show(state) {
    if (!this.family.codes) return;
    const chosen = new Map(state.chosen);
    for (const facet of [this.family, this.by]) if (facet) chosen.delete(facet.name);
    const { failures } = filterAnswers(this.answers, chosen, state.words);
    const programs = this.collect(failures);
    const many = Math.max(1, Math.floor(MOST_SQUARES / Math.max(1, this.values.length)));
    this.programs = programs.slice(0, many);
    this.state = state;
    const all = programs.filter((squares) => squares.every((square) => !square || square.right === square.scored));
    const none = programs.filter((squares) => squares.every((square) => !square || !square.right));
    const words = [`${pluralise(programs.length, "program")}: ${formatCount(all.length)} right everywhere`];
    words.push(`${formatCount(none.length)} nowhere`, "the easiest first");
    if (this.programs.length < programs.length) words.push(`the first ${formatCount(many)} are drawn`);
    this.said.textContent = `${words.join(", ")}. A square opens its answers.`;
    this.width = null;
    this.draw();
  }

  // For each program a square for each value of the facet, the programs with the most right answers first.
  collect(failures) {
    const { answers, by, family } = this,
      [suite, outcomes] = ["suite", "outcome"].map((name) => answers.byName.get(name)),
      programs = new Map(),
      seen = new Set();
    for (let row = 0; row < answers.count; row += 1) {
      if (failures[row]) continue;
      const code = by ? answers.code(by, row) : 0,
        key = `${answers.code(suite, row)} ${answers.code(family, row)}`;
      if (!programs.has(key)) programs.set(key, []);
      const squares = programs.get(key);
      squares[code] = squares[code] || { rows: [], right: 0, scored: 0 };
      seen.add(code);
      const square = squares[code],
        outcome = answers.code(outcomes, row);
      square.rows.push(row);
      square.right += answers.isRight[outcome];
      square.scored += answers.isScored[outcome];
    }
    this.values = [...seen].sort((one, other) => one - other);
    const ease = (squares) => squares.reduce((sum, square) => sum + (square.scored ? square.right / square.scored : 0), 0);
    return [...programs.values()]
      .map((squares) => this.values.map((code) => squares[code] || null))
      .sort((one, other) => ease(other.filter(Boolean)) - ease(one.filter(Boolean)));
  }

  // Lines of programs as long as the page is wide, each with the names beside it.
  draw() {
    const width = this.body.clientWidth;
    if (!this.programs || !width || width === this.width) return;
    this.width = width;
    const beside = this.by && width > 3 * NAME ? NAME : 0,
      room = (width - beside) / Math.max(1, this.programs.length),
      side = Math.max(SMALLEST, Math.min(LARGEST, Math.floor(room))),
      many = Math.max(1, Math.floor((width - beside) / side)),
      lines = [];
    this.body.style.setProperty("--side", `${side - 2}px`);
    for (let start = 0; start < this.programs.length; start += many) {
      const line = this.values.map((code, place) =>
        build(
          "div",
          { class: beside ? "row" : "row narrow" },
          this.by ? build("span", { class: "name" }, nameValue(this.by.values[code])) : null,
          build(
            "span",
            { class: "line" },
            ...this.programs.slice(start, start + many).map((squares, of) => this.buildSquare(squares[place], start + of, place)),
          ),
        ),
      );
      lines.push(build("div", { class: "block" }, ...line));
    }
    this.body.replaceChildren(...lines);
  }

  buildSquare(square, program, place) {
    if (!square) return build("i", { class: "absent" });
    const share = square.scored ? square.right / square.scored : null;
    const outcome = share === null ? "skipped" : share === 1 ? "correct" : share === 0 ? "wrong" : "partly";
    const names = ["family", "repository"]
      .map((name) => this.answers.value(name, square.rows[0]))
      .filter(Boolean);
    if (this.by) names.push(nameValue(this.by.values[this.values[place]]));
    const element = build("i", {
      class: `o-${outcome}`,
      "data-place": `${program} ${place}`,
      title: `${names.join(", ")}: ${describeSquare(square)}`,
    });
    if (outcome === "partly") element.style.setProperty("--share", `${100 * share}%`);
    return element;
  }

  // Opens the one answer of a square. Of several the list then has these alone, with the first that is not right open.
  pick(place) {
    if (!place) return;
    const [program, column] = place.split(" ").map(Number),
      { rows } = this.programs[program][column],
      { answers } = this;
    if (rows.length > 1) {
      const chosen = new Map(this.state.chosen);
      for (const facet of [this.family, this.by].filter(Boolean)) {
        if (facet.codes) chosen.set(facet.name, new Set([String(facet.values[answers.code(facet, rows[0])])]));
      }
      this.change({ chosen });
    }
    this.open(rows.find((row) => answers.outcome(row) !== "correct") ?? rows[0]);
  }
}
