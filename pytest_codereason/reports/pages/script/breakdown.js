// How the answers that are shown fall into groups: failures by their kind, or all answers by any facet.

const MOST_GROUPS = 12;

class Breakdown {
  constructor(answers, { choose, change }) {
    this.answers = answers;
    this.choose = choose;
    const facets = answers.facets.filter(
      (facet) => facet.codes && (facet.name === "kind" || facet.values.length <= LONGEST_MENU),
    );
    this.select = build(
      "select",
      { change: () => change(this.select.value) },
      ...facets.map((facet) => build("option", { value: facet.name }, facet.title)),
    );
    this.body = build("tbody");
    this.rest = build("p", { class: "under" });
    const head = ["", "answers", "right", ""].map((text) => build("th", { scope: "col", class: text && "num" }, text));
    this.title = head[0];
    head[3].append(build("span", { class: "unseen" }, "outcomes"));
    this.element = build(
      "div",
      { class: "breakdown" },
      build("label", {}, "Group by ", this.select),
      build("div", { class: "scroll" }, build("table", {}, build("thead", {}, build("tr", {}, ...head)), this.body)),
      this.rest,
    );
    this.element.hidden = !facets.length;
  }

  show(state, rows) {
    const { answers } = this,
      facet = answers.byName.get(state.by);
    this.select.value = facet.name;
    this.title.textContent = facet.title;
    this.element.classList.toggle("failures", facet.name === "kind");
    const groups = this.count(facet, rows);
    const largest = Math.max(1, ...groups.map((group) => group.count));
    const shown = groups.slice(0, MOST_GROUPS);
    this.body.replaceChildren(...shown.map((group) => this.buildRow(facet, group, largest, state)));
    const left = groups.slice(MOST_GROUPS);
    const answersLeft = left.reduce((sum, group) => sum + group.count, 0);
    this.rest.textContent = left.length
      ? `${pluralise(left.length, "more group")} with ${pluralise(answersLeft, "answer")}.`
      : groups.length
        ? ""
        : facet.name === "kind"
          ? "None of these answers is a failure."
          : "";
  }

  // The groups of these rows, the largest first where they are kinds of failure, else in their own order.
  count(facet, rows) {
    const { answers } = this,
      outcomes = answers.byName.get("outcome"),
      many = answers.outcomes.length;
    const counts = new Int32Array(facet.values.length * many),
      pooled = findPooled(answers, facet, rows);
    for (let place = 0; place < rows.length; place += 1) {
      counts[answers.code(facet, rows[place]) * many + answers.code(outcomes, rows[place])] += 1;
    }
    const groups = facet.values
      .map((value, code) => {
        const outcomesHere = counts.subarray(code * many, (code + 1) * many);
        let count = 0,
          right = 0,
          scored = 0;
        outcomesHere.forEach((number, outcome) => {
          count += number;
          right += number * answers.isRight[outcome];
          scored += number * answers.isScored[outcome];
        });
        const share = pooled[code].length ? "–" : formatShare(right, scored);
        return { value, count, right, share, outcomes: outcomesHere };
      })
      .filter((group) => group.count && !(facet.name === "kind" && group.right));
    return facet.name === "kind" ? groups.sort((a, b) => b.count - a.count) : groups;
  }

  buildRow(facet, group, largest, state) {
    const chosen = state.chosen.get(facet.name),
      isChosen = Boolean(chosen && chosen.has(String(group.value)));
    const bar = build("div", { class: "bar", "aria-hidden": "true" });
    bar.style.width = `${(100 * group.count) / largest}%`;
    group.outcomes.forEach((number, outcome) => {
      if (!number) return;
      const part = build("i", { class: `o-${this.answers.outcomes[outcome]}` });
      part.style.flexGrow = number;
      bar.append(part);
    });
    const button = build(
      "button",
      {
        type: "button",
        "aria-pressed": String(isChosen),
        click: () => this.choose(facet.name, isChosen ? new Set() : new Set([String(group.value)])),
      },
      nameValue(group.value),
    );
    return build(
      "tr",
      {},
      build("th", { scope: "row" }, button),
      build("td", { class: "num" }, formatCount(group.count)),
      build("td", { class: "num" }, facet.name === "kind" ? "" : group.share),
      build("td", { class: "wide" }, bar),
    );
  }
}
