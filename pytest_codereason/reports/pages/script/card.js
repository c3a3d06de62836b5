// One answer with all that belongs to it: prompt, reply, expected and given, the original program, other answers.

const EDGE = ["why", "caller", "callee", "instead", "file", "line", "code"];

const buildFacts = (facts) =>
  build(
    "dl",
    { class: "facts" },
    ...facts.map(([name, value]) => build("div", {}, build("dt", {}, name), build("dd", {}, value))),
  );

class Card {
  constructor(answers, texts, { close, step, link }) {
    Object.assign(this, { answers, texts, close, step, link });
    this.element = build("article", { class: "answer", "aria-live": "off", hidden: true });
    this.written = build("input", {
      type: "checkbox",
      change: () => this.element.classList.toggle("as-written", this.written.checked),
    });
  }

  show(row, { focus }) {
    if (row === this.row && !focus) return;
    this.row = row;
    this.element.hidden = row === null;
    if (row === null) return this.element.replaceChildren();
    const heading = build("h3", { tabindex: "-1" }, build("code", {}, this.answers.id(row)));
    const body = build("div", { class: "texts" }, build("p", { class: "under" }, "Loading the texts."));
    this.element.replaceChildren(this.buildTools(row), heading, ...this.buildFacts(row), body);
    if (focus) heading.focus();
    return this.fill(row, body);
  }

  async fill(row, body) {
    const twin = this.answers.twin(row),
      partner = this.answers.partner(row);
    try {
      const read = (place) => (place === null ? null : this.texts.read(place));
      const [texts, original, other] = await Promise.all([row, twin, partner].map(read));
      if (this.row !== row) return; // another card was opened in the meantime
      body.replaceChildren(
        ...[
          this.buildAnswers(texts),
          this.buildAudit(texts.audit),
          this.buildPartner(row, partner, texts, other),
          ...buildConversation(texts),
          texts.traceback ? buildFold("Traceback", true, buildText(texts.traceback, "traceback")) : null,
          this.buildTwin(twin, texts, original),
          this.buildOthers(row),
          this.buildNumbers(row),
        ].filter(Boolean),
      );
    } catch (error) {
      if (this.row === row) body.replaceChildren(build("p", { class: "notice", role: "alert" }, error.message));
    }
    this.element.dataset.ready = String(row);
  }

  buildTools(row) {
    const button = (text, click) => build("button", { type: "button", click }, text);
    return build(
      "div",
      { class: "tools" },
      button("Previous", () => this.step(-1)),
      button("Next", () => this.step(1)),
      build("a", { href: this.link(row) }, "Link to this answer"),
      build("label", {}, this.written, " as written"),
      button("Close", () => this.close()),
    );
  }

  buildFacts(row) {
    const { answers } = this,
      kind = answers.value("kind", row),
      reason = answers.text("reason", row);
    const axes = answers.facets
      .filter((facet) => facet.name.startsWith("axis ") && answers.value(facet.name, row) !== null)
      .map((facet) => [facet.title, answers.value(facet.name, row)]);
    const named = ["suite", "side", "change", "model", "run", "language", "repository"]
      .filter((name) => answers.value(name, row) !== null)
      .map((name) => [name, answers.value(name, row)]);
    const sample = answers.samples ? [["sample", String(answers.sample(row))]] : [];
    return [
      build(
        "p",
        { class: "under" },
        buildBadge(answers.outcome(row)),
        " ",
        [kind.startsWith("wrong: ") ? kind.slice("wrong: ".length) : "", reason].filter(Boolean).join(", "),
      ),
      buildFacts([...named, ...axes, ...sample]),
    ];
  }

  buildNumbers(row) {
    const { answers } = this;
    const numbers = [...answers.numbers]
      .filter(([name]) => answers.number(name, row) !== null)
      .map(([name, { title }]) => [title, String(answers.number(name, row))]);
    return numbers.length ? buildFold("Scores and measures", false, buildFacts(numbers)) : null;
  }

  buildAnswers(texts) {
    if (texts.expected === null && texts.answer === null) return null;
    const [expected, given] =
      texts.expected !== null && texts.answer !== null
        ? markWords(texts.expected, texts.answer)
        : [[texts.expected], [texts.answer]];
    const side = (title, nodes, isThere) =>
      build(
        "div",
        {},
        build("h4", {}, title),
        isThere
          ? build("pre", { tabindex: "0", role: "group", "aria-label": title }, ...nodes)
          : build("p", { class: "none" }, "none could be read"),
      );
    return build(
      "div",
      { class: "sides" },
      side("Expected", expected, texts.expected !== null),
      side("Given", given, texts.answer !== null),
    );
  }

  buildAudit(edges) {
    if (!edges.length) return null;
    const isKnown = (place) => edges.some((edge) => edge[place] && edge[place] !== "0");
    const columns = EDGE.map((_, place) => place).filter(isKnown);
    const rows = edges.map((edge) => columns.map((place) => edge[place]));
    const table = buildTable(
      "Edges",
      columns.map((place) => EDGE[place]),
      rows,
    );
    return buildFold(`${pluralise(edges.length, "edge")} wrong or missed by strict names`, true, table);
  }

  // What the other side of a comparison answered, and what it replied.
  buildPartner(row, partner, texts, other) {
    if (partner === null) return null;
    const [theirs, mine] = [partner, row].map((place) => this.answers.value("side", place));
    const nodes = other.answer === null ? [[""], [texts.answer || ""]] : markWords(other.answer, texts.answer || "");
    const given = (text, parts) =>
      text === null ? build("p", { class: "none" }, "none could be read") : build("pre", { tabindex: "0" }, ...parts);
    return build(
      "section",
      { class: "twin", "aria-label": `Answer of ${theirs}` },
      build("h4", {}, `${theirs} and ${mine}: ${this.answers.value("change", row)}`),
      build(
        "p",
        {},
        buildBadge(this.answers.outcome(partner)),
        " ",
        build("a", { href: this.link(partner) }, `answer of ${theirs}, ${this.answers.value("model", partner)}`),
      ),
      build(
        "div",
        { class: "sides" },
        build("div", {}, build("h5", {}, `Given by ${theirs}`), given(other.answer, nodes[0])),
        build("div", {}, build("h5", {}, `Given by ${mine}`), given(texts.answer, nodes[1])),
      ),
      other.response === null
        ? null
        : buildFold(`Reply of ${theirs}`, false, ...buildReplyText(other.response, `reply of ${theirs}`)),
    );
  }

  // The answer about the program as it was, and what the perturbation changed in the question.
  buildTwin(twin, texts, original) {
    if (twin === null) return null;
    const before = readQuestion(original),
      after = readQuestion(texts);
    const difference = before === null || after === null ? null : buildLineDifference(before, after);
    return build(
      "section",
      { class: "twin", "aria-label": "Original program" },
      build("h4", {}, "The original program"),
      build(
        "p",
        {},
        buildBadge(this.answers.outcome(twin)),
        " ",
        build("a", { href: this.link(twin) }, "same question about the original program"),
        original.answer === null
          ? ""
          : build("span", {}, ", answered ", build("code", {}, this.answers.text("answer", twin))),
      ),
      difference
        ? buildFold("What the perturbation changed in the question", true, difference)
        : build("p", { class: "under" }, "Both questions have the same text."),
    );
  }

  buildOthers(row) {
    const { answers } = this,
      others = answers.others(row);
    if (!others.length) return null;
    const names = ["side", "model", "run"].filter((name) => answers.byName.has(name) && answers.byName.get(name).codes);
    const rows = others.map((other) => {
      const name = names.map((each) => answers.value(each, other)).join(", ") || "the same model";
      const sample = answers.samples ? `, sample ${answers.sample(other)}` : "";
      const link = build("a", { href: this.link(other) }, `${name}${sample}`);
      return [link, buildBadge(answers.outcome(other)), build("code", {}, answers.text("answer", other))];
    });
    const table = buildTable("Other answers", ["by", "outcome", "given"], rows);
    return buildFold(`${pluralise(others.length, "other answer")} to this question`, true, table);
  }
}
